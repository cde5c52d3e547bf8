#include "drills/history.h"
#include "drills/json_line.h"
#include "sims/base/rng.h"
#include "ui/drills/history_file.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64], path[96];

static void make_folder(void)
{
	strcpy(folder, "/tmp/ridge-history-XXXXXX");
	cr_assert(ne(ptr, mkdtemp(folder), NULL));
	snprintf(path, sizeof path, "%s/history.jsonl", folder);
}

static void remove_folder(void)
{
	unlink(path);
	rmdir(folder);
}

static struct history_event event(uint64_t part)
{
	return (struct history_event){ .at_s = 1767225600,
		.drill = "kv-cache",
		.skill = "kv-cache",
		.topic = "kvcache",
		.seed = 7,
		.part = part,
		.given = "10.7 GB",
		.value = 10.7e9,
		.verdict = VERDICT_CORRECT,
		.used = true,
		.credit = 1,
		.attempt = 1,
		.took_s = 42.5,
		.par_s = 90,
		.mode = "study" };
}

static void append(uint64_t part)
{
	struct history_event e = event(part);
	char err[300] = "";
	cr_assert(eq(int, history_append(path, &e, err, sizeof err), 0), "%s", err);
}

static void write_file(const char *text, size_t n)
{
	FILE *f = fopen(path, "w");
	cr_assert(ne(ptr, f, NULL));
	cr_assert(eq(sz, fwrite(text, 1, n, f), n));
	fclose(f);
}

static struct history load(void)
{
	struct history h;
	char err[300] = "";
	cr_assert(eq(int, history_load(&h, path, err, sizeof err), 0), "%s", err);
	return h;
}

/* A history of text that stands in the test. */
static struct history parse(const char *text)
{
	struct history h;
	size_t n = strlen(text);
	char *copy = malloc(n + 1);
	cr_assert(ne(ptr, copy, NULL));
	memcpy(copy, text, n);
	cr_assert(eq(int, history_parse(&h, copy, n), 0));
	return h;
}

#define LINE(kind, rest)                                                                           \
	"{\"schema\":1,\"at\":5,\"kind\":\"" kind "\",\"drill\":\"d\",\"skill\":\"s\","            \
	"\"topic\":\"t\",\"seed\":1,\"part\":2,\"attempt\":1,\"took_s\":3,\"par_s\":4" rest "}"
#define ANSWER LINE("answer", ",\"verdict\":\"WRONG\"")

/* The line that the header shows. */
Test(history, line_as_documented)
{
	static const char want[] =
		"{\"schema\":1,\"at\":1767225600,\"kind\":\"answer\",\"drill\":\"kv-cache\","
		"\"skill\":\"kv-cache\",\"topic\":\"kvcache\",\"seed\":7,\"part\":0,"
		"\"given\":\"10.7 GB\",\"value\":10700000000,\"verdict\":\"CORRECT\",\"used\":true,"
		"\"credit\":1,\"cause\":\"\",\"hints\":0,\"attempt\":1,\"scratch\":false,"
		"\"took_s\":42.5,\"par_s\":90,\"mode\":\"study\"}\n";
	char line[HISTORY_LINE_SIZE];
	struct history_event e = event(0);
	cr_expect(eq(sz, history_line(&e, line, sizeof line), sizeof want - 1));
	cr_expect(eq(str, line, (char *)want));
}

/* Everything comes back as it was: quotes, control bytes, the largest seed, numbers to the last
 * bit. */
Test(history, what_is_written_is_read)
{
	struct history_event e = event(UINT64_MAX - 1);
	e.seed = UINT64_MAX;
	e.given = "\"3\\4\"\t\x1b[31m \xc2\xb5 \xf0\x9f\x98\x80 / \x7f";
	e.value = 0.1 + 0.2;
	e.verdict = VERDICT_NAMED;
	e.used = false;
	e.credit = 1.0 / 3;
	e.cause = "bits vs bytes";
	e.hints = 2;
	e.attempt = 3;
	e.scratch = true;
	e.took_s = 1e-7;
	char line[HISTORY_LINE_SIZE];
	cr_assert(lt(sz, 0, history_line(&e, line, sizeof line)));
	cr_expect(eq(ptr, strchr(line, 0x1b), NULL), "no control byte in the file");
	struct history h = parse(line);
	cr_assert(eq(sz, h.n, 1), "%s", h.why);
	const struct history_event *r = &h.events[0];
	cr_expect(eq(i64, r->at_s, 1767225600));
	cr_expect(eq(u64, r->seed, UINT64_MAX));
	cr_expect(eq(u64, r->part, UINT64_MAX - 1));
	cr_expect(eq(str, (char *)r->given, (char *)e.given));
	cr_expect(eq(dbl, r->value, e.value));
	cr_expect(eq(dbl, r->credit, e.credit));
	cr_expect(eq(int, r->verdict, VERDICT_NAMED));
	cr_expect(r->scratch && !r->used);
	cr_expect(eq(str, (char *)r->cause, "bits vs bytes"));
	cr_expect(eq(uint, r->hints, 2));
	cr_expect(eq(uint, r->attempt, 3));
	cr_expect(eq(dbl, r->took_s, 1e-7));
	cr_expect(eq(dbl, r->par_s, 90));
	cr_expect(eq(str, (char *)r->mode, "study"));
	history_release(&h);
}

/* Typed in Latin-1: the file stays UTF-8. A line that does not fit is refused, not cut. */
Test(history, texts_that_cannot_be_kept)
{
	struct history_event e = event(0);
	char line[HISTORY_LINE_SIZE], long_text[HISTORY_LINE_SIZE], err[300] = "";
	e.given = "caf\xe9";
	cr_assert(lt(sz, 0, history_line(&e, line, sizeof line)));
	cr_expect(ne(ptr, strstr(line, "caf\xef\xbf\xbd\""), NULL));
	memset(long_text, 'x', sizeof long_text - 1);
	long_text[sizeof long_text - 1] = '\0';
	e.given = long_text;
	cr_expect(eq(sz, history_line(&e, line, sizeof line), 0));
	cr_expect(eq(int, history_append("/nowhere", &e, err, sizeof err), -1));
	cr_expect(eq(str, err, "the answer is too long to be kept: expected at most 8192 bytes"));
}

Test(history, unreadable_lines)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "{", "not an object in JSON" },
		{ "[1]", "not an object in JSON" },
		{ ANSWER "x", "not an object in JSON" },
		{ ANSWER ANSWER, "not an object in JSON" },
		{ "{\"a\":1,}", "not an object in JSON" },
		{ "{,\"a\":1}", "not an object in JSON" },
		{ "{\"a\" 1}", "not an object in JSON" },
		{ "{\"a\":01}", "not an object in JSON" },
		{ "{\"a\":1.}", "not an object in JSON" },
		{ "{\"a\":+1}", "not an object in JSON" },
		{ "{\"a\":1e999}", "not an object in JSON" },
		{ "{\"a\":nan}", "not an object in JSON" },
		{ "{\"a\":\"\\x\"}", "not an object in JSON" },
		{ "{\"a\":\"\\u0000\"}", "not an object in JSON" },
		{ "{\"a\":\"\\ud800\"}", "not an object in JSON" },
		{ "{\"a\":\"\xff\"}", "not an object in JSON" },
		{ "{\"a\":\"\xc0\xaf\"}", "not an object in JSON" },
		{ "{\"a\":\"tab\there\"}", "not an object in JSON" },
		{ "{\"a\":[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]}", "not an object in JSON" },
		{ "{}", "the schema is not 1" },
		{ "{\"schema\":2,\"at\":1,\"kind\":\"answer\"}", "the schema is not 1" },
		{ "{\"schema\":1,\"kind\":\"answer\"}", "\"at\" is no time" },
		{ "{\"schema\":1,\"at\":-1,\"kind\":\"answer\"}", "\"at\" is no time" },
		{ LINE("answer", ""), "the verdict is unknown" },
		{ LINE("answer", ",\"verdict\":\"FINE\""), "the verdict is unknown" },
		{ LINE("answer", ",\"verdict\":\"WRONG\",\"credit\":1.5"),
			"the credit is not 0 to 1" },
		{ LINE("answer", ",\"verdict\":\"WRONG\",\"seed\":2"), "a member is there twice" },
		{ LINE("answer", ",\"verdict\":\"WRONG\",\"used\":1"),
			"\"used\" is not true or false" },
		{ LINE("answer", ",\"verdict\":\"WRONG\",\"hints\":2.5"), "\"hints\" is no count" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct history h = parse(rows[i].line);
		cr_expect(eq(sz, h.n, 0), "row %zu", i);
		cr_assert(eq(sz, h.n_unreadable, 1), "row %zu: %s", i, rows[i].line);
		cr_expect(eq(str, (char *)h.why, (char *)rows[i].why), "row %zu", i);
		history_release(&h);
	}
}

/* What a later version may add harms nothing; blank lines are none; the newline may lack. */
Test(history, lines_that_are_fine)
{
	struct history h = parse(
		"\n \r\n" ANSWER "\r\n"
		"  {\"more\" : {\"a\": [1, {\"b\": null}, \"]\"]}, \"schema\": 1, \"at\": 5,\n"
		"{\"schema\":1,\"at\":6,\"kind\":\"note\",\"seed\":\"x\"}\n" LINE(
			"gave_up", ",\"x\":[]"));
	cr_expect(eq(sz, h.n, 2));
	cr_expect(eq(sz, h.n_other, 1));
	cr_expect(eq(sz, h.n_unreadable, 1)); /* the one that goes on in the next line */
	cr_expect(eq(sz, h.first_bad, 4));
	cr_expect(eq(sz, h.n_lines, 4));
	cr_expect(eq(int, h.events[1].kind, HISTORY_GAVE_UP));
	cr_expect(isnan(h.events[0].value) && h.events[0].used);
	char text[200];
	cr_expect(eq(str, history_complaint(&h, text, sizeof text),
		"1 of 4 lines of the history cannot be read (line 4: not an object in JSON); it is "
		"kept."));
	history_release(&h);
	h = parse("");
	cr_expect(eq(str, history_complaint(&h, text, sizeof text), ""));
	history_release(&h);
}

/* Numbers by the short way and by strtod: the same as the compiler reads them. */
Test(history, numbers_to_the_last_bit)
{
	static const struct {
		const char *text;
		double want;
	} rows[] = { { "0", 0 }, { "-0.5", -0.5 }, { "9007199254740993", 9007199254740993.0 },
		{ "1e22", 1e22 }, { "1e23", 1e23 }, { "0.1", 0.1 },
		{ "123456789012345678", 123456789012345678.0 }, { "5e-324", 5e-324 },
		{ "1.7976931348623157e308", 1.7976931348623157e308 },
		{ "3.0000000000000004", 3.0000000000000004 }, { "1E+2", 100 },
		{ "0.000000000000000000000000000001", 1e-30 }, { "1e-400", 0 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[64];
		snprintf(text, sizeof text, "{\"a\":%s}", rows[i].text);
		struct json_line l = { .at = text };
		struct json_value v;
		const char *name;
		cr_assert(eq(int, json_member(&l, &name, &v), 1), "%s", rows[i].text);
		cr_expect(eq(dbl, v.number, rows[i].want), "%s", rows[i].text);
		cr_expect(eq(int, json_member(&l, &name, &v), 0));
	}
}

Test(history, is_made_where_it_is_missing)
{
	char base[] = "/tmp/ridge-data-XXXXXX", where[256], again[256], err[300] = "", tiny[8];
	struct history_event e = event(1);
	struct history h;
	struct stat st;
	cr_assert(ne(ptr, mkdtemp(base), NULL));
	setenv("XDG_DATA_HOME", base, 1);
	cr_assert(ne(ptr, history_path(where, sizeof where), NULL));
	cr_expect(eq(ptr, history_path(tiny, sizeof tiny), NULL));
	cr_expect(eq(int, history_load(&h, where, err, sizeof err), 0));
	cr_expect(eq(sz, h.n, 0));
	cr_assert(eq(int, history_append(where, &e, err, sizeof err), 0), "%s", err);
	cr_assert(eq(int, stat(where, &st), 0));
	cr_expect(eq(int, (int)(st.st_mode & 0777), 0600), "answers are nobody else's business");
	cr_assert(eq(int, history_load(&h, where, err, sizeof err), 0));
	cr_expect(eq(sz, h.n, 1));
	history_release(&h);
	setenv("XDG_DATA_HOME", "not/absolute", 1);
	setenv("HOME", "/home/me", 1);
	cr_expect(eq(str, history_path(again, sizeof again),
		"/home/me/.local/share/ridge/history.jsonl"));
	unsetenv("HOME");
	cr_expect(eq(ptr, history_path(again, sizeof again), NULL));
	unlink(where);
	*strrchr(where, '/') = '\0';
	rmdir(where);
	rmdir(base);
}

Test(history, a_torn_line_spoils_only_itself, .init = make_folder, .fini = remove_folder)
{
	append(1);
	FILE *f = fopen(path, "a");
	fputs("{\"schema\":1,\"at\":17672", f);
	fclose(f);
	append(2);
	append(3);
	struct history h = load();
	cr_expect(eq(sz, h.n, 3));
	cr_expect(eq(sz, h.n_unreadable, 1));
	cr_expect(eq(sz, h.first_bad, 2));
	cr_expect(eq(u64, h.events[2].part, 3));
	history_release(&h);
}

/* Zeros, as some file systems leave them after the power went. */
Test(history, zero_bytes, .init = make_folder, .fini = remove_folder)
{
	static const char text[] = ANSWER "\n\0\0\0\0\n" ANSWER "\0\n" ANSWER "\n\0\0";
	write_file(text, sizeof text - 1);
	append(9);
	struct history h = load();
	cr_expect(eq(sz, h.n, 3));
	cr_expect(eq(sz, h.n_unreadable, 3));
	cr_expect(eq(u64, h.events[2].part, 9));
	history_release(&h);
}

static void write_answers(uint64_t from, uint64_t n)
{
	char err[300];
	for (uint64_t i = 0; i < n; i++) {
		struct history_event e = event(from + i);
		if (history_append(path, &e, err, sizeof err)) {
			fprintf(stderr, "writing an answer: %s\n", err);
			_exit(1);
		}
	}
	_exit(0);
}

/* Two programs at once, 1,000 answers each: every one is there, each program's in its order. */
Test(history, two_writers, .init = make_folder, .fini = remove_folder)
{
	enum { EACH = 1000 };
	uint64_t next[2] = { 0, EACH };
	for (size_t i = 0; i < 2; i++)
		if (fork() == 0)
			write_answers(next[i], EACH);
	for (int status, i = 0; i < 2; i++) {
		cr_assert(lt(int, 0, wait(&status)));
		cr_expect(eq(int, status, 0));
	}
	struct history h = load();
	cr_expect(eq(sz, h.n_lines, 2 * EACH));
	cr_assert(eq(sz, h.n, 2 * EACH));
	for (size_t i = 0; i < h.n; i++) {
		size_t who = h.events[i].part >= EACH;
		cr_assert(eq(u64, h.events[i].part, next[who]++), "event %zu", i);
	}
	history_release(&h);
}

static void sleep_us(long us)
{
	nanosleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
}

/* kill -9 at 50 moments: all lines are whole, but for at most one a kill. The writer tells through
 * a pipe what was kept; of that nothing may lack. */
Test(history, killed_writers, .init = make_folder, .fini = remove_folder)
{
	enum { KILLS = 50 };
	struct rng r = rng_stream(1, "kills", 0);
	size_t told = 0;
	for (int i = 0; i < KILLS; i++) {
		int ends[2];
		char err[300], byte;
		cr_assert(eq(int, pipe(ends), 0));
		pid_t child = fork();
		for (uint64_t k = 0; child == 0 && k < UINT64_MAX; k++) {
			struct history_event e = event(k);
			if (history_append(path, &e, err, sizeof err) ||
				write(ends[1], "k", 1) != 1)
				_exit(1);
		}
		close(ends[1]);
		sleep_us(500 + (long)rng_below(&r, 20000));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		while (read(ends[0], &byte, 1) == 1)
			told++;
		close(ends[0]);
	}
	append(1);
	struct history h = load();
	cr_expect(lt(sz, KILLS, told), "the writers got to write");
	cr_expect(ge(sz, h.n, told + 1));
	cr_expect(le(sz, h.n, told + 1 + KILLS));
	cr_expect(le(sz, h.n_unreadable, KILLS));
	history_release(&h);
}

static void limit_file(rlim_t bytes)
{
	struct rlimit limit;
	cr_assert(eq(int, getrlimit(RLIMIT_FSIZE, &limit), 0));
	limit.rlim_cur = bytes;
	cr_assert(eq(int, setrlimit(RLIMIT_FSIZE, &limit), 0));
}

/* No room for the third line, or for a part of it: one message, what was there is there to the
 * byte, and with room again it goes on. */
Test(history, full_disk, .init = make_folder, .fini = remove_folder)
{
	struct history_event e = event(3);
	struct stat before, after;
	char err[300] = "";
	signal(SIGXFSZ, SIG_IGN);
	append(1);
	append(2);
	cr_assert(eq(int, stat(path, &before), 0));
	for (rlim_t room = 0; room < 200; room += 50) {
		limit_file((rlim_t)before.st_size + room);
		cr_expect(eq(int, history_append(path, &e, err, sizeof err), -1));
		cr_expect(
			eq(int, strncmp(err, "the answer is not kept, cannot write /tmp/", 42), 0),
			"%s", err);
		cr_assert(eq(int, stat(path, &after), 0));
		cr_expect(eq(i64, after.st_size, before.st_size), "room for %d", (int)room);
	}
	limit_file(RLIM_INFINITY);
	append(4);
	struct history h = load();
	cr_expect(eq(sz, h.n, 3));
	cr_expect(eq(sz, h.n_unreadable, 0));
	history_release(&h);
}

Test(history, places_that_are_no_file)
{
	static const struct {
		const char *path, *says;
	} rows[] = {
		{ "/dev/null/x",
			"the answer is not kept, cannot open /dev/null/x: Not a directory" },
		{ "/tmp", "the answer is not kept, cannot open /tmp: Is a directory" },
		{ "/dev/null", "the answer is not kept, cannot write /dev/null: Invalid argument" },
	};
	struct history_event e = event(0);
	char err[300];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_expect(eq(int, history_append(rows[i].path, &e, err, sizeof err), -1));
		cr_expect(eq(str, err, (char *)rows[i].says));
	}
	struct history h;
	cr_expect(eq(int, history_load(&h, "/tmp", err, sizeof err), -1));
	cr_expect(eq(str, err, "cannot read the history /tmp: Invalid argument"));
}

/* A program that was stopped with the lock in its hand: a message after a while, no hanging. */
Test(history, a_lock_that_stays, .init = make_folder, .fini = remove_folder)
{
	int ends[2];
	char byte, err[300] = "";
	append(1);
	cr_assert(eq(int, pipe(ends), 0));
	pid_t child = fork();
	if (child == 0) {
		struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
		int fd = open(path, O_RDWR);
		if (fd < 0 || fcntl(fd, F_SETLK, &lock) || write(ends[1], "k", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	cr_assert(eq(sz, (size_t)read(ends[0], &byte, 1), 1));
	struct history_event e = event(2);
	cr_expect(eq(int, history_append(path, &e, err, sizeof err), -1));
	cr_expect(ne(ptr, strstr(err, "the answer is not kept, cannot write"), NULL), "%s", err);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	append(2);
	struct history h = load();
	cr_expect(eq(sz, h.n, 2));
	history_release(&h);
}

/* Answers with some garbage between them: the garbage is counted, the answers are all there. (How
 * fast that is with 100 MB make bench says.) */
Test(history, garbage_between_answers, .init = make_folder, .fini = remove_folder)
{
	enum { LINES = 30000, GARBAGE_EVERY = 1000 };
	FILE *f = fopen(path, "w");
	char line[HISTORY_LINE_SIZE];
	cr_assert(ne(ptr, f, NULL));
	for (uint64_t i = 0; i < LINES; i++) {
		struct history_event e = event(i);
		e.value *= (double)i / 7;
		size_t n = history_line(&e, line, sizeof line);
		fwrite(line, 1, i % GARBAGE_EVERY ? n : n / 2, f);
	}
	fclose(f);
	struct history h = load();
	/* Half a line and the next one make one unreadable line. */
	cr_expect(eq(sz, h.n_unreadable, LINES / GARBAGE_EVERY));
	cr_assert(eq(sz, h.n, LINES - 2 * LINES / GARBAGE_EVERY));
	uint64_t part = 0;
	for (size_t i = 0; i < h.n; i++) {
		part += part % GARBAGE_EVERY ? 0 : 2;
		cr_assert(eq(u64, h.events[i].part, part++));
	}
	history_release(&h);
}
