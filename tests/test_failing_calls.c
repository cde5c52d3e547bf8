/* The program where a call of the system fails, each kind of call and each time that it comes (a spread of
 * them where there are many): it ends by itself, and either does the whole or says that something is wrong.
 * A call that a signal interrupts is done again, and nobody notices. */
#include "tests/sanitized.h"

#include <ctype.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_ROOM = 128, OUTPUT_ROOM = 1 << 18, MOST_CALLS = 64, TIMES = 5 };

/* With glibc the program's calls go to a library that is loaded before it. */
#ifdef __GLIBC__
#define REPLACES_CALLS 1
#else
#define REPLACES_CALLS 0
#endif

static char folder[PATH_ROOM / 2], library[PATH_ROOM], program[512];

static void put(const char *name, const char *text)
{
	char path[2 * PATH_ROOM];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", path);
}

static void begin(void)
{
	char compile[3 * PATH_ROOM], real[PATH_MAX];
	if (SANITIZED || !REPLACES_CALLS)
		cr_skip_test("calls are not replaced here");
	const char *path = getenv("RIDGE");
	cr_assert(realpath(path ? path : "build/ridge", real) != NULL);
	snprintf(program, sizeof program, "%.500s", real);
	strcpy(folder, "/tmp/ridge-calls-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(library, sizeof library, "%s/calls.so", folder);
	snprintf(compile, sizeof compile, "cc -O2 -shared -fPIC -o %s tests/fault/calls.c -ldl",
		library);
	cr_assert(zero(int, system(compile)));
	char command[PATH_ROOM];
	snprintf(command, sizeof command, "cp tests/data/grading-questions.json %s/q.json", folder);
	cr_assert(zero(int, system(command)));
	put("program.py", "def quantise(rows):\n    return [], []\n");
}

static void end(void)
{
	char command[PATH_ROOM];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_expect(zero(int, system(command)));
}

TestSuite(failing_calls, .init = begin, .fini = end, .timeout = 600);

/* Digits become one and the same, for a clock runs. */
static void slurp(const char *name, char *to)
{
	char path[2 * PATH_ROOM];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "r");
	cr_assert(f != NULL, "%s", path);
	to[fread(to, 1, OUTPUT_ROOM - 1, f)] = '\0';
	fclose(f);
	for (; *to; to++)
		if (isdigit((unsigned char)*to))
			*to = '0';
}

struct trial {
	const char *words, *input;
};

/* Its exit status; 128 and more where a signal ended it or it did not end. */
static int run(const struct trial *t, const char *settings, char *out, char *err)
{
	char line[4 * PATH_ROOM + 1200], home[PATH_ROOM];
	put("in", t->input);
	snprintf(home, sizeof home, "%s/h", folder);
	snprintf(line, sizeof line,
		"cd %s; rm -rf h; mkdir h; timeout -s KILL 100 env -u XDG_DATA_HOME -u XDG_CONFIG_HOME "
		"-u XDG_STATE_HOME HOME=%s TMPDIR=%s LC_ALL=C.UTF-8 %s LD_PRELOAD=%s %s %s <in >out 2>err",
		folder, home, folder, settings, library, program, t->words);
	const int status = system(line);
	slurp("out", out);
	slurp("err", err);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

struct call {
	char name[16];
	long n;
};

static size_t calls_of(struct call calls[MOST_CALLS])
{
	char path[2 * PATH_ROOM];
	size_t n = 0;
	snprintf(path, sizeof path, "%s/count", folder);
	FILE *f = fopen(path, "r");
	cr_assert(f != NULL);
	while (n < MOST_CALLS && fscanf(f, "%15s %ld", calls[n].name, &calls[n].n) == 2)
		n += calls[n].n > 0;
	fclose(f);
	return n;
}

/* A stream that is lost stays lost, which main() says of the standard output; here it is lost once. */
static bool is_of_a_stream(const char *call)
{
	return strcmp(call, "fclose") == 0;
}

static bool tells(const char *out, const char *err)
{
	return *err || strstr(out, strerror(EIO)) || strstr(out, "cannot") ||
	       strstr(out, "could not") || strstr(out, "There is no") || strstr(out, "not kept");
}

static bool may_be_interrupted(const char *call)
{
	static const char *const names[] = { "read", "write", "waitpid" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(call, names[i]) == 0)
			return true;
	return false;
}

/* The n-th of these calls fails, and is interrupted where that can be. */
static void fail_one(const struct trial *t, const char *call, long n, int whole_status,
	const char *whole, char *out, char *err)
{
	char settings[120];
	snprintf(settings, sizeof settings, "FAIL_CALL=%.15s FAIL_AT=%ld FAIL_WITH=%d", call, n,
		EIO);
	int status = run(t, settings, out, err);
	cr_expect(le(int, status, 2), "%s: %s: %s%s", t->words, settings, out, err);
	const bool same = strcmp(out, whole) == 0;
	cr_expect(same || status != whole_status || tells(out, err), "%s: %s passes for whole:\n%s",
		t->words, settings, out);
	cr_expect(status == whole_status || tells(out, err) || is_of_a_stream(call),
		"%s: %s does not say why:\n%s", t->words, settings, out);
	if (!may_be_interrupted(call))
		return;
	snprintf(settings, sizeof settings, "FAIL_CALL=%.15s FAIL_AT=%ld FAIL_WITH=%d", call, n,
		EINTR);
	status = run(t, settings, out, err);
	cr_expect(eq(int, status, whole_status), "%s: %s: %s", t->words, settings, err);
	cr_expect(eq(str, out, (char *)whole), "%s: %s", t->words, settings);
}

static void fail_each(const struct trial *t)
{
	char *whole = malloc(OUTPUT_ROOM), *out = malloc(OUTPUT_ROOM), *err = malloc(OUTPUT_ROOM);
	struct call calls[MOST_CALLS];
	char settings[2 * PATH_ROOM];
	cr_assert(whole && out && err);
	snprintf(settings, sizeof settings, "COUNT_TO=%s/count", folder);
	const int status = run(t, settings, whole, err);
	cr_assert(le(int, status, 1), "%s: %s", t->words, err);
	const size_t n = calls_of(calls);
	cr_assert(lt(sz, 2, n), "%s: calls are not replaced", t->words);
	for (size_t i = 0; i < n; i++) {
		const long most = calls[i].n < TIMES ? calls[i].n : TIMES;
		for (long k = 0; k < most; k++)
			fail_one(t, calls[i].name,
				1 + (most > 1 ? k * (calls[i].n - 1) / (most - 1) : 0), status,
				whole, out, err);
	}
	free(whole);
	free(out);
	free(err);
}

Test(failing_calls, where_a_program_is_run, .description = "long")
{
	fail_each(&(struct trial){ "drill --plain --topic code-quantise --count 1 --seed 1",
		"run program.py\nquit\n" });
}

Test(failing_calls, where_a_sitting_is_kept, .description = "long")
{
	fail_each(&(struct trial){
		"case gradients-over-ethernet --seed 1", "How many nodes?\nquit\n" });
}

Test(failing_calls, where_a_talk_is_written, .description = "long")
{
	static const struct trial trials[] = { { "present queueing --size 40x12 --html h/x.html",
						       "" },
		{ "present queueing --size 40x12 --svg h/pictures", "" },
		{ "present --new h/new.md", "" } };
	for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
		fail_each(&trials[i]);
}

Test(failing_calls, where_ones_own_files_are_read, .description = "long")
{
	static const struct trial trials[] = { { "stats", "" }, { "info", "" },
		{ "interviews", "" }, { "calendar 2027-01-15 --json", "" },
		{ "grade q.json 5 --question kv", "" } };
	for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
		fail_each(&trials[i]);
}
