/* kill -9 at random moments of a scripted session, in the explorer and on lines: LAWS_KILLS of them
 * each, or 15. Every answer that was shown as graded is in the history; of the others at most the
 * one that was being taken is. And two sessions at once: the history has every answer of both. */
#define _GNU_SOURCE
#include "tests/laws.h"
#include "ui/data/history_file.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KILLS = 15, ANSWERS = 6, QUIET_MS = 4, PATIENCE_MS = 20000 };

/* A session: when it is ready for an answer, how one is given, what shows that it was graded, and
 * the keys to the next problem, one at a time. */
struct script {
	const char *name;
	const char *words[9]; /* the last is the seed */
	const char *ready, *answer, *graded, *next[3];
};

#define SET "--topic", "ring-volume", "--count", "200", "--seed"
static const struct script explorer = { "explorer", { "ridge", "drill", SET }, "\xe2\x96\xb8",
	"1 GB\r", "\xe2\x9c", { "\x07", "\r" } };
static const struct script lines = { "lines", { "ridge", "drill", "--plain", SET }, "answer> ",
	"1 GB\r", "answer> ", { NULL } };

struct victim {
	pid_t pid;
	int master;
	int64_t dies_ms;
	size_t given, graded; /* answers: sent, and seen to be graded */
};

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct victim start(const struct script *s, size_t seed, int64_t lives_ms)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	struct victim v = { .dies_ms = now_ms() + lives_ms };
	const char *path = getenv("RIDGE"), *argv[12] = { NULL };
	char text[24];
	size_t n = 0;
	for (; s->words[n]; n++)
		argv[n] = s->words[n];
	snprintf(text, sizeof text, "%zu", seed);
	argv[n] = text;
	v.pid = forkpty(&v.master, NULL, NULL, &size);
	cr_assert(ne(int, v.pid, -1));
	if (v.pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		execv(path ? path : "build/ridge", (char *const *)argv);
		_exit(127);
	}
	return v;
}

/* Reads until the text has come; without a text, until nothing more comes. False: it is time to
 * die. */
static bool read_until(struct victim *v, const char *text)
{
	char buf[1 << 15];
	size_t n = 0;
	for (;;) {
		int64_t left_ms = v->dies_ms - now_ms();
		struct pollfd fd = { .fd = v->master, .events = POLLIN };
		if (left_ms <= 0)
			return false;
		int ready = poll(&fd, 1, text ? (int)left_ms : QUIET_MS);
		if (ready == 0 && !text)
			return true;
		/* What is sought may begin in one piece and end in the next. */
		size_t kept = n < 64 ? n : 64;
		memmove(buf, buf + n - kept, kept);
		ssize_t got = ready > 0 ? read(v->master, buf + kept, sizeof buf - kept) : 0;
		n = kept + (got > 0 ? (size_t)got : 0);
		if (text && memmem(buf, n, text, strlen(text)))
			return true;
	}
}

static void send_keys(const struct victim *v, const char *keys)
{
	cr_assert(eq(sz, (size_t)write(v->master, keys, strlen(keys)), strlen(keys)));
}

/* Answers one problem after the other until it is time. */
static void play(const struct script *s, struct victim *v)
{
	if (!read_until(v, s->ready) || !read_until(v, NULL))
		return;
	for (;;) {
		send_keys(v, s->answer);
		v->given++;
		if (!read_until(v, s->graded))
			return;
		v->graded++;
		for (size_t i = 0; i < 3 && s->next[i]; i++) {
			if (!read_until(v, NULL))
				return;
			send_keys(v, s->next[i]);
		}
		if (!read_until(v, NULL))
			return;
	}
}

static size_t count_answers(const struct history *h)
{
	size_t n = 0;
	for (size_t i = 0; i < h->n; i++) {
		n += h->events[i].kind == HISTORY_ANSWER;
		cr_assert(eq(str, (char *)h->events[i].drill, "ring-volume"));
	}
	return n;
}

/* The history after a kill. Every line is an event, or is counted as none. */
static size_t load_answers(const char *path, size_t kills)
{
	struct history h;
	char err[300] = "";
	cr_assert(zero(int, history_load(&h, path, err, sizeof err)), "%s", err);
	cr_assert(eq(sz, h.n + h.n_unreadable + h.n_other, h.n_lines));
	cr_assert(le(sz, h.n_unreadable, kills));
	size_t n = count_answers(&h);
	history_release(&h);
	return n;
}

static void end(struct victim *v)
{
	kill(v->pid, SIGKILL);
	waitpid(v->pid, NULL, 0);
	close(v->master);
}

/* How long a session of a few answers takes here, by one that ends in peace after the first; 0
 * where that one is not kept. */
static int64_t session_ms(const struct script *s, const char *path)
{
	struct victim v = start(s, 0, PATIENCE_MS);
	int64_t began_ms = now_ms(), ready_ms = 0, graded_ms = 0;
	if (read_until(&v, s->ready) && read_until(&v, NULL)) {
		ready_ms = now_ms() - began_ms;
		send_keys(&v, s->answer);
		read_until(&v, s->graded);
		graded_ms = now_ms() - began_ms;
	}
	end(&v);
	bool kept = access(path, F_OK) == 0 && load_answers(path, 1) == 1;
	return kept ? ready_ms + ANSWERS * (graded_ms - ready_ms + 4 * QUIET_MS) : 0;
}

static void kill_many(const struct script *s)
{
	char home[] = "/tmp/ridge-kill-XXXXXX", path[4096], command[64];
	struct rng r = rng_stream(1, s->name, 0);
	size_t before = 1, graded = 0, kills = laws_count("LAWS_KILLS", KILLS);
	cr_assert(ne(ptr, mkdtemp(home), NULL));
	setenv("XDG_DATA_HOME", home, 1);
	setenv("HOME", home, 1);
	cr_assert(ne(ptr, history_path(path, sizeof path), NULL));
	snprintf(command, sizeof command, "rm -rf %s", home);
	int64_t longest_ms = session_ms(s, path);
	cr_assert(lt(i64, 0, longest_ms), "%s: no answer is kept", s->name);
	for (size_t i = 0; i < kills; i++) {
		struct victim v = start(s, i, 1 + (int64_t)rng_below(&r, (uint64_t)longest_ms));
		play(s, &v);
		end(&v);
		size_t after = load_answers(path, i + 1);
		cr_assert(ge(sz, after, before + v.graded), "kill %zu: an answer is lost", i);
		cr_assert(le(sz, after, before + v.given), "kill %zu: an answer is there twice", i);
		before = after;
		graded += v.graded;
	}
	cr_expect(le(sz, kills / 3, graded), "%zu answers are few for %zu kills", graded, kills);
	cr_log_info("figure: %s: %zu kills, %zu answers seen graded, none lost", s->name, kills,
		graded);
	cr_expect(zero(int, system(command)));
}

Test(laws_kill, an_explorer_that_is_killed_loses_one_answer_at_most, .description = "long",
	.timeout = 600)
{
	kill_many(&explorer);
}

Test(laws_kill, lines_that_are_killed_lose_one_answer_at_most, .description = "long",
	.timeout = 600)
{
	kill_many(&lines);
}

/* `yes`, but for so many lines. */
static void write_input(const char *path, size_t n)
{
	FILE *f = fopen(path, "w");
	cr_assert(ne(ptr, f, NULL));
	for (size_t i = 0; i < n; i++)
		fputs("-1 GB\n", f);
	cr_assert(zero(int, fclose(f)));
}

/* Two programs, 1,000 wrong answers each: five to each of 200 problems. */
Test(laws_kill, two_sessions_at_once_keep_every_answer, .timeout = 600)
{
	enum { EACH = 1000 };
	char home[] = "/tmp/ridge-two-XXXXXX", input[64], path[4096], command[512], err[300] = "";
	const char *program = getenv("RIDGE");
	cr_assert(ne(ptr, mkdtemp(home), NULL));
	setenv("XDG_DATA_HOME", home, 1);
	snprintf(input, sizeof input, "%s/input", home);
	write_input(input, EACH);
	program = program ? program : "build/ridge";
	snprintf(command, sizeof command,
		"one() { %s drill --plain --topic ring-volume --count 200 --attempts 5 --seed $1 "
		"<%s >/dev/null; }; one 1 & a=$!; one 2 && wait $a",
		program, input);
	cr_assert(zero(int, system(command)));
	struct history h;
	cr_assert(ne(ptr, history_path(path, sizeof path), NULL));
	cr_assert(zero(int, history_load(&h, path, err, sizeof err)), "%s", err);
	cr_expect(eq(sz, h.n_lines, 2 * EACH));
	cr_expect(eq(sz, count_answers(&h), 2 * EACH));
	size_t first = 0;
	for (size_t i = 0; i < h.n; i++)
		first += h.events[i].seed == 1;
	cr_expect(eq(sz, first, EACH));
	history_release(&h);
	snprintf(command, sizeof command, "rm -rf %s", home);
	cr_expect(zero(int, system(command)));
}
