/* End to end: the real program in a pseudo-terminal, read by libvterm. */
#define _GNU_SOURCE
#include "tests/pty.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void start(struct pty *p, const char *first)
{
	const char *words[] = { "open", first, NULL };
	pty_start(p, 24, 80, first ? words : NULL, NULL);
}

Test(terminal, walk_through_every_screen, .description = "long")
{
	struct pty p;
	start(&p, NULL);
	cr_expect(pty_shows(&p, "Start here"), "home, first run");
	pty_send(&p, "\r");
	cr_expect(pty_shows(&p, "What and why") || pty_shows(&p, "ridge ›"), "the first chapter");
	pty_send(&p, " ");
	pty_send(&p, "t");
	cr_expect(pty_shows(&p, "Contents"));
	pty_send(&p, "\033");
	cr_expect(pty_hides(&p, "Contents"));
	pty_send(&p, ":roofline\r");
	pty_send(&p, ":rooflin");
	cr_expect(pty_shows(&p, "simulation"), "the palette");
	pty_send(&p, "\033");
	cr_expect(pty_hides(&p, "rooflin"), "the palette is closed");
	pty_send(&p, "?");
	cr_expect(pty_shows(&p, "Keys on"), "help");
	pty_send(&p, "q");
	pty_send(&p, "q");
	int status = pty_wait(&p);
	cr_expect(eq(int, status, 0));
	cr_expect(pty_restored(&p));
	pty_free(&p);
}

Test(terminal, walk_through_a_simulation, .description = "long")
{
	struct pty p;
	start(&p, "stacking");
	cr_expect(pty_shows(&p, "Optimisation stack"));
	pty_send(&p, "l");
	cr_expect(pty_shows(&p, "on → off"), "the sentence tells the change");
	pty_send(&p, "u");
	cr_expect(pty_shows(&p, "off → on"), "undo");
	pty_send(&p, "s");
	cr_expect(pty_shows(&p, "What it leaves out"));
	pty_send(&p, "s");
	pty_send(&p, "c");
	pty_send(&p, "jl");
	cr_expect(pty_shows(&p, "("), "the pinned values stand beside");
	pty_resize(&p, 60, 200);
	cr_expect(pty_shows(&p, "Optimisation stack"));
	pty_resize(&p, 8, 30);
	cr_expect(pty_shows(&p, "needs"), "too small: a calm message");
	pty_resize(&p, 24, 80);
	cr_expect(pty_shows(&p, "Optimisation stack"));
	pty_send(&p, "q");
	cr_expect(eq(int, pty_wait(&p), 0));
	cr_expect(pty_restored(&p));
	pty_free(&p);
}

/* Where a mark stands on the screen, from 1 as a mouse reports it. */
static void find_mark(
	const struct pty *p, const char *in_row_of, const char *mark, int *row, int *col)
{
	char screen[24 * 80 * 4 + 1];
	*row = 0;
	for (char *line = pty_screen(p, screen, sizeof screen); *line;
		line += strcspn(line, "\n") + 1) {
		char copy[80 * 4 + 1];
		++*row;
		snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
		const char *at = strstr(copy, in_row_of) ? strstr(copy, mark) : NULL;
		if (!at)
			continue;
		*col = 1;
		for (const char *c = copy; c < at; c++)
			*col += (*c & 0xc0) != 0x80;
		return;
	}
	cr_fatal("no %s beside %s:\n%s", mark, in_row_of, pty_screen(p, screen, sizeof screen));
}

static void mouse(struct pty *p, int button, int row, int col, char last)
{
	char report[32];
	snprintf(report, sizeof report, "\033[<%d;%d;%d%c", button, col, row, last);
	pty_send(p, report);
}

/* Beads are dragged and the wheel turns what it is over, on a track and on the axis of a plot that is
 * a slider. */
Test(terminal, the_mouse_drags_beads_and_turns_knobs, .description = "long")
{
	enum { PRESS = 0, MOVE = 32, WHEEL_UP = 64 };
	struct pty p;
	int row, col;
	start(&p, "scaling");
	pty_send(&p, "m");
	find_mark(&p, "GPUs   ", "●", &row, &col);
	mouse(&p, PRESS, row, col, 'M');
	mouse(&p, MOVE, row, col + 60, 'M');
	mouse(&p, PRESS, row, col + 60, 'm');
	cr_expect(pty_shows(&p, "16,384 ›"), "the bead at its end");
	mouse(&p, MOVE, row, 1, 'M');
	cr_expect(pty_shows(&p, "  1 ›"), "and at the other");
	pty_send(&p, "u");
	cr_expect(pty_shows(&p, " 64 ›"), "one step back");
	mouse(&p, WHEEL_UP, row, col, 'M');
	cr_expect(pty_shows(&p, "128 ›"), "the wheel over the knob");
	pty_send(&p, "r");
	find_mark(&p, "┯", "◉", &row, &col); /* of the axis, not of the curve above it */
	mouse(&p, WHEEL_UP, row, col, 'M');
	cr_expect(pty_shows(&p, "128 ›"), "the wheel over the axis");
	mouse(&p, PRESS, row, col, 'M');
	cr_expect(pty_shows(&p, " 64 ›"), "the axis says where");
	mouse(&p, MOVE, row, 200, 'M');
	cr_expect(pty_shows(&p, "1,024 ›"), "the axis at its end");
	pty_send(&p, "q");
	cr_expect(eq(int, pty_wait(&p), 0));
	cr_expect(pty_restored(&p));
	pty_free(&p);
}

Test(terminal, typed_value_with_a_unit, .description = "long")
{
	struct pty p;
	start(&p, "stacking");
	pty_send(&p, "\t\t"); /* the second group after the story: base step is its first knob */
	pty_send(&p, "1.7s");
	cr_expect(pty_shows(&p, "base step = 1.7s"));
	pty_send(&p, "\r");
	cr_expect(pty_shows(&p, "1,700 ms"), "a value in another unit is converted");
	pty_send(&p, "5 bananas\r");
	cr_expect(pty_shows(&p, "bananas"), "what cannot be read stays, with a reason");
	pty_send(&p, "\033");
	pty_send(&p, "q");
	pty_wait(&p);
	pty_free(&p);
}

Test(terminal, resumes_where_the_reader_was, .description = "long")
{
	struct pty p;
	start(&p, "stacking");
	pty_send(&p, "l");
	pty_read(&p, 800, 100);   /* a place is kept after 400 ms of rest */
	kill(p.program, SIGKILL); /* the hardest way out */
	pty_wait(&p);
	char home[96];
	snprintf(home, sizeof home, "HOME=%s", p.home);
	const char *environment[] = { home, NULL };
	struct pty again;
	pty_start(&again, 24, 80, NULL, environment);
	cr_expect(pty_shows(&again, "Optimisation stack"));
	pty_send(&again, "q");
	pty_wait(&again);
	pty_free(&again);
	pty_free(&p);
}

Test(terminal, resumes_where_the_last_keys_led_that_came_at_once, .description = "long")
{
	struct pty p;
	start(&p, NULL);
	pty_send(&p, ":stacking\rq");
	cr_expect(zero(int, pty_wait(&p)));
	char home[96];
	snprintf(home, sizeof home, "HOME=%s", p.home);
	const char *environment[] = { home, NULL };
	struct pty again;
	pty_start(&again, 24, 80, NULL, environment);
	cr_expect(pty_shows(&again, "Optimisation stack"));
	pty_send(&again, "q");
	pty_wait(&again);
	pty_free(&again);
	pty_free(&p);
}

Test(terminal, restored_on_every_signal, .description = "long")
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGSEGV,
		SIGABRT };
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct pty p;
		start(&p, "stacking");
		kill(p.program, signals[i]);
		int status = pty_wait(&p);
		bool by_it = WIFSIGNALED(status) && WTERMSIG(status) == signals[i];
		cr_expect(by_it, "signal %d: status %x", signals[i], (unsigned)status);
		cr_expect(pty_restored(&p), "after signal %d", signals[i]);
		pty_free(&p);
	}
	cr_log_info("figure: restored after %zu signals", sizeof signals / sizeof *signals);
}

Test(terminal, restored_after_every_key_that_ends_it, .description = "long")
{
	static const struct {
		const char *name, *keys[3];
	} ways[] = { { "q", { "q" } }, { "Ctrl-C", { "\003" } },
		{ "Ctrl-C while a word is typed", { ":roof", "\003", "\003" } } };
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct pty p;
		start(&p, "stacking");
		for (size_t k = 0; k < 3 && ways[i].keys[k]; k++)
			if (write(p.master, ways[i].keys[k], strlen(ways[i].keys[k])) > 0)
				pty_read(&p, 1000, 200);
		int status = pty_wait(&p);
		cr_expect(ne(int, status, -1), "%s does not end it", ways[i].name);
		cr_expect(pty_restored(&p), "after %s", ways[i].name);
		pty_free(&p);
	}
	cr_log_info("figure: restored after %zu ways to leave by keys", sizeof ways / sizeof *ways);
}

/* A window that is closed takes the terminal away: there is nothing to restore, and nothing to wait for. */
Test(terminal, ends_with_its_window, .description = "long")
{
	struct pty p;
	start(&p, "stacking");
	close(p.master);
	p.master = open("/dev/null", O_RDWR);
	int status = pty_wait(&p);
	bool by_it = WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP;
	cr_expect(by_it, "status %x", (unsigned)status);
	pty_free(&p);
}

Test(terminal, control_z_gives_the_terminal_back_and_fg_takes_it)
{
	struct pty p;
	char before[24 * 80 * 4], after[24 * 80 * 4];
	start(&p, "stacking");
	pty_screen(&p, before, sizeof before);
	pty_send(&p, "\032");
	bool stopped = pty_stopped(&p);
	cr_assert(stopped);
	cr_expect(pty_restored(&p), "while it is stopped");
	kill(p.program, SIGCONT);
	pty_settle(&p);
	cr_expect(eq(str, pty_screen(&p, after, sizeof after), before));
	pty_send(&p, "q");
	pty_wait(&p);
	cr_expect(pty_restored(&p));
	pty_free(&p);
}

Test(terminal, idle_writes_nothing, .description = "long")
{
	struct pty p;
	start(&p, "stacking");
	size_t bytes = p.bytes;
	usleep(1500000);
	pty_send(&p, "");
	cr_expect(eq(sz, p.bytes, bytes));
	pty_send(&p, "q");
	pty_wait(&p);
	pty_free(&p);
}

Test(terminal, a_thousand_keys_at_once_end_in_the_right_screen, .description = "long")
{
	struct pty p, q;
	char keys[1001], many[24 * 80 * 4], one[24 * 80 * 4];
	for (int i = 0; i < 1000; i++)
		keys[i] = i % 2 ? 'k' : 'j';
	keys[1000] = '\0';
	start(&p, "stacking");
	pty_send(&p, keys);
	pty_screen(&p, many, sizeof many);
	start(&q, "stacking");
	pty_screen(&q, one, sizeof one);
	cr_expect(eq(str, many, one));
	pty_send(&p, "q");
	pty_send(&q, "q");
	pty_wait(&p);
	pty_wait(&q);
	pty_free(&p);
	pty_free(&q);
}

Test(terminal, unknown_terminal_gets_a_line_and_a_fallback, .description = "long")
{
	static const char *const names[] = { "TERM=no-such-terminal", "TERM=vt100", "TERM=linux",
		"TERM=screen", "TERM=tmux-256color" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *environment[] = { names[i], NULL },
			   *words[] = { "open", "stacking", NULL };
		struct pty p;
		pty_start(&p, 24, 80, words, environment);
		cr_expect(pty_shows(&p, "Optimisation stack"), "%s", names[i]);
		cr_expect(i > 0 || pty_shows(&p, "no-such-terminal"), "says what it did");
		pty_send(&p, "q");
		cr_expect(eq(int, pty_wait(&p), 0));
		pty_free(&p);
	}
}

/* libvterm does not understand a VT52, so that the bytes are looked at. */
Test(terminal, a_terminal_outside_ecma_48_is_told_in_its_own_words)
{
	const char *environment[] = { "TERM=vt52", NULL }, *words[] = { "open", "stacking", NULL };
	struct pty p;
	pty_start(&p, 24, 80, words, environment);
	cr_expect(strstr(p.raw, "\033H\033J") != NULL, "clears the screen");
	cr_expect(strstr(p.raw, "\033Y") != NULL, "addresses the cursor");
	cr_expect(strstr(p.raw, "Optimisation stack") != NULL);
	cr_expect(strstr(p.raw, "\033[") == NULL, "no word of ECMA-48");
	pty_send(&p, "q");
	cr_expect(eq(int, pty_wait(&p), 0));
	pty_free(&p);
}

Test(terminal, ascii_locale_sends_only_ascii)
{
	const char *environment[] = { "LC_ALL=C", "LANG=C", NULL },
		   *words[] = { "open", "stacking", NULL };
	struct pty p;
	pty_start(&p, 24, 80, words, environment);
	pty_send(&p, "l");
	for (size_t i = 0; i < p.bytes; i++)
		cr_assert(lt(int, (unsigned char)p.raw[i], 0x80), "byte %zu", i);
	pty_send(&p, "q");
	pty_wait(&p);
	pty_free(&p);
}

Test(terminal, answers_are_kept_and_reported, .description = "long")
{
	const char *words[] = { "drill", "--topic", "decode-floor", "--seed", "3", NULL };
	const char *stats[] = { "stats", NULL };
	struct pty p, q;
	char home[96];
	pty_start(&p, 24, 80, words, NULL);
	pty_send(&p, "1 ms\r");
	pty_send(&p, "\033q");
	pty_send(&p, "q");
	pty_wait(&p);
	snprintf(home, sizeof home, "HOME=%s", p.home);
	const char *environment[] = { home, NULL };
	pty_start(&q, 24, 80, stats, environment);
	cr_expect(pty_shows(&q, "roofline"), "ridge stats names the topic");
	pty_wait(&q);
	pty_free(&q);
	pty_free(&p);
}

/* In base 64, as RFC 4648 has it: a text of 19 bytes, of 17, and of 18. Where a terminal would show the
 * sequence, it gets none. */
Test(terminal, the_command_goes_to_the_clipboard, .description = "long")
{
	static const struct {
		const char *sim, *environment, *copied;
	} rows[] = {
		{ "stacking", "TERM=xterm-256color",
			"\033]52;c;cmlkZ2Ugb3BlbiBzdGFja2luZw==\033\\" },
		{ "memory", "TERM=xterm-256color", "\033]52;c;cmlkZ2Ugb3BlbiBtZW1vcnk=\033\\" },
		{ "kvcache", "TERM=xterm-256color", "\033]52;c;cmlkZ2Ugb3BlbiBrdmNhY2hl\033\\" },
		{ "stacking", "TERM_PROGRAM=Apple_Terminal", NULL },
		{ "stacking", "TERM=vt52", NULL },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *environment[] = { rows[i].environment, NULL },
			   *words[] = { "open", rows[i].sim, NULL };
		struct pty p;
		pty_start(&p, 24, 80, words, environment);
		pty_send(&p, "y");
		char says[60];
		snprintf(says, sizeof says, "ridge open %s", rows[i].sim);
		cr_assert(pty_shows(&p, says), "row %zu", i);
		if (rows[i].copied)
			cr_expect(strstr(p.raw, rows[i].copied) != NULL, "row %zu", i);
		else
			cr_expect(strstr(p.raw, "]52;") == NULL, "row %zu", i);
		pty_send(&p, "q");
		cr_expect(zero(int, pty_wait(&p)));
		pty_free(&p);
	}
}

/* What is no place is told in the terminal as it was found, which no other screen was taken from. */
Test(terminal, a_place_that_is_none_is_told_in_a_line, .description = "long")
{
	static const struct {
		const char *words[4], *says;
	} rows[] = {
		{ { "open", "rooflin" }, "ridge open: " },
		{ { "drill", "--topic", "nonsense" }, "ridge drill: " },
		{ { "present", "nonsense" }, "ridge present: " },
		{ { "present", "nonsense", "--notes" }, "ridge present: " },
		{ { "drill", "--code", "ABCD", "--answers" }, "ridge drill: " },
		{ { "interviews", "7", "--edit" }, "ridge interviews: " },
		{ { "open" }, "expected the name of a page" },
		{ { "open", "--nonsense" }, "nonsense" },
		{ { "present", "queueing", "--votes", "/nonexistent" },
			"/nonexistent: No such file" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct pty p;
		pty_start(&p, 24, 80, rows[i].words, NULL);
		int status = pty_wait(&p);
		const bool fails =
			WIFEXITED(status) && WEXITSTATUS(status) > 0 && WEXITSTATUS(status) <= 2;
		cr_expect(fails, "row %zu: %x", i, (unsigned)status);
		cr_expect(strstr(p.raw, rows[i].says) != NULL, "row %zu: %s", i, p.raw);
		cr_expect(strstr(p.raw, "\033[?1049h") == NULL, "row %zu", i);
		cr_expect(pty_restored(&p), "row %zu", i);
		pty_free(&p);
	}
}

/* A terminal that has no mouse says so; the wheel of one that has turns what is under it. */
Test(terminal, the_mouse_is_for_terminals_that_have_one, .description = "long")
{
	const char *environment[] = { "TERM=vt100", NULL }, *words[] = { "open", "stacking", NULL };
	struct pty p;
	pty_start(&p, 24, 80, words, environment);
	pty_send(&p, "m");
	cr_expect(pty_shows(&p, "This terminal reports no mouse."));
	pty_send(&p, "\014"); /* Ctrl-L draws all of it again */
	cr_expect(pty_shows(&p, "Optimisation stack"));
	pty_send(&p, "q");
	cr_expect(zero(int, pty_wait(&p)));
	pty_free(&p);
	start(&p, "page:gpu");
	pty_send(&p, "m");
	char before[24 * 80 * 4], after[24 * 80 * 4];
	pty_screen(&p, before, sizeof before);
	pty_send(&p, "\033[<65;10;12M");
	pty_send(&p, "\033[<65;10;12M");
	cr_expect(ne(str, pty_screen(&p, after, sizeof after), before), "the page scrolls");
	pty_send(&p, "\033[<64;10;12M");
	pty_send(&p, "\033[<64;10;12M");
	cr_expect(eq(str, pty_screen(&p, after, sizeof after), before), "and back");
	pty_send(&p, "q");
	pty_wait(&p);
	pty_free(&p);
}
