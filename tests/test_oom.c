/* The program where the n-th allocation fails: it says so or goes on, and never crashes. */
#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_ROOM = 128, TRIES = 40 };

static const char *const commands[] = {
	"frame roofline --keys 'l l c : r o Enter'",
	"frame page:gpu --keys 'Tab Tab Tab l t Esc / x Enter'",
	"frame drill --keys '1 2 Enter Enter'",
	"frame memory --keys 'l Space z'",
	"read gpu",
	"sim batching --csv",
};

struct shim {
	char folder[PATH_ROOM / 2], library[PATH_ROOM], count[PATH_ROOM];
};

static void make_shim(struct shim *s)
{
	char compile[2 * PATH_ROOM];
	if (SANITIZED)
		cr_skip_test("sanitized");
	snprintf(s->folder, sizeof s->folder, "/tmp/ridge-oom-XXXXXX");
	cr_assert(mkdtemp(s->folder) != NULL);
	snprintf(s->library, sizeof s->library, "%s/malloc.so", s->folder);
	snprintf(s->count, sizeof s->count, "%s/count", s->folder);
	snprintf(compile, sizeof compile,
		"cc -O2 -shared -fPIC -o %s tests/fault/malloc.c 2>/dev/null", s->library);
	if (system(compile) != 0)
		cr_skip_test("no C library whose allocator can be replaced");
}

static void remove_shim(const struct shim *s)
{
	unlink(s->library);
	unlink(s->count);
	rmdir(s->folder);
}

/* Its exit status; 128 and the signal where one ended it. */
static int run(const struct shim *s, const char *command, const char *settings, const char *out)
{
	char line[5 * PATH_ROOM];
	const char *path = getenv("RIDGE");
	snprintf(line, sizeof line, "env HOME=%s LD_PRELOAD=%s %s %s %s >%s 2>/dev/null </dev/null",
		s->folder, s->library, settings, path ? path : "build/ridge", command, out);
	int status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static long allocations(const struct shim *s, const char *command)
{
	char setting[2 * PATH_ROOM];
	long total = 0;
	snprintf(setting, sizeof setting, "COUNT_TO=%s", s->count);
	cr_assert(eq(int, run(s, command, setting, "/dev/null"), 0), "%s", command);
	FILE *f = fopen(s->count, "r");
	cr_assert(f != NULL);
	cr_assert(eq(int, fscanf(f, "%ld", &total), 1));
	fclose(f);
	return total;
}

Test(oom, one_failure_or_all_from_there_on_is_no_crash, .description = "long")
{
	struct shim s;
	make_shim(&s);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		long total = allocations(&s, commands[i]);
		cr_assert(lt(long, TRIES, total));
		for (long n = 1; n <= TRIES; n++) {
			char setting[64];
			/* Denser towards the end: most allocations are those of the tables. */
			long back = (TRIES - n) * (TRIES - n) * (total - 1) / (TRIES * TRIES);
			snprintf(setting, sizeof setting, "FAIL_AT=%ld%s", total - back,
				n % 2 ? " FAIL_ON=1" : "");
			int status = run(&s, commands[i], setting, "/dev/null");
			cr_expect(le(int, status, 2), "%s %s", setting, commands[i]);
		}
	}
	remove_shim(&s);
}

/* Whole, or refused: what memory was short for must not pass for what nobody measured, or for a
 * curve with fewer points. Blocks of 1 KiB and more are those of arenas. */
Test(oom, no_part_is_left_out, .description = "long")
{
	/* That of all models takes a second, and each of them does as it does alone. */
	static const struct {
		const char *line;
		long points;
	} trials[] = { { "validate", 3 }, { "validate --json", 3 }, { "validate collectives", 16 },
		{ "validate training --json", 24 }, { "validate memory --json --plot", 24 },
		{ "sim timeline --csv", 24 } };
	struct shim s;
	make_shim(&s);
	setenv("LEAST", "1024", 1);
	for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
		char command[3 * PATH_ROOM], whole[PATH_ROOM], part[PATH_ROOM];
		const char *line = trials[i].line;
		const long points = trials[i].points, total = allocations(&s, line);
		cr_assert(le(long, points, total));
		snprintf(whole, sizeof whole, "%s/whole", s.folder);
		snprintf(part, sizeof part, "%s/part", s.folder);
		for (long n = 0; n <= points; n++) {
			char setting[64];
			long at = n ? 1 + (n - 1) * (total - 1) / (points - 1) : 0; /* 0: none */
			snprintf(setting, sizeof setting, "FAIL_AT=%ld", at);
			int status = run(&s, line, setting, n ? part : whole);
			snprintf(command, sizeof command, "cmp -s %s %s", whole, n ? part : whole);
			cr_expect(status ? status <= 2 : system(command) == 0, "%s %s", setting,
				line);
		}
		unlink(whole);
		unlink(part);
	}
	unsetenv("LEAST");
	remove_shim(&s);
}
