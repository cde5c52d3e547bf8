/* The history as a file: two writers, killed ones, a full disk, garbage between answers. */
#include "drills/json_line.h"
#include "sims/base/rng.h"
#include "tests/history.h"
#include "ui/data/history_file.h"

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

/* kill -9 at 50 moments and more: all lines are whole, but for at most one a kill. The writer tells through
 * a pipe what was kept; of that nothing may lack. */
Test(history, killed_writers, .init = make_folder, .fini = remove_folder)
{
	enum { KILLS = 50 };
	struct rng r = rng_stream(1, "kills", 0);
	size_t told = 0, kills = 0;
	for (; kills < KILLS; kills++) {
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
		/* A busy machine may let a writer wait: its time begins with its first line. */
		if (read(ends[0], &byte, 1) == 1)
			told++;
		sleep_us(500 + (long)rng_below(&r, 20000));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		while (read(ends[0], &byte, 1) == 1)
			told++;
		close(ends[0]);
	}
	append(1);
	struct history h = load();
	cr_expect(le(sz, KILLS, told), "the writers got to write");
	cr_expect(ge(sz, h.n, told + 1));
	cr_expect(le(sz, h.n, told + 1 + kills));
	cr_expect(le(sz, h.n_unreadable, kills));
	history_release(&h);
}

static void limit_file(rlim_t bytes)
{
	struct rlimit limit;
	cr_assert(eq(int, getrlimit(RLIMIT_FSIZE, &limit), 0));
	limit.rlim_cur = bytes;
	cr_assert(eq(int, setrlimit(RLIMIT_FSIZE, &limit), 0));
}

/* There is no room for the third line, or only for a part of it: one message tells so, what was
 * there stays to the byte, and once there is room again it goes on. */
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
			"the answer is not kept, cannot write /dev/null/x: Not a directory" },
		{ "/tmp", "the answer is not kept, cannot write /tmp: Is a directory" },
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
	cr_expect(eq(str, err, "cannot read the history /tmp: expected a file"));
}

/* A program that was stopped with the lock in its hand: a message after a while, no hanging. */
Test(history, a_lock_that_stays, .description = "long", .init = make_folder, .fini = remove_folder)
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
