/* End to end: ridge asks the terminal what it is, in a terminal that answers, answers late, in
 * pieces, or not at all. */
#define _GNU_SOURCE
#include "tests/pty.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char question[] =
	"\033]11;?\033\\\033[>q\033[?2026$p\033[?2031$p\033[2H\t\t\033[6n\033[c\033[m\033[H\033[2J";
static const char light_ground[] = "\033]11;rgb:ffff/ffff/ffff\033\\";
static const char rest[] = "\033P>|kitty(0.41.0)\033\\\033[?2026;2$y\033[?2031;2$y\033[?62;c";
static const char accent_dark[] = "38;5;147", accent_light[] = "38;5;56";

static const char *const words[] = { "open", "stacking", NULL };

static void end(struct pty *p)
{
	pty_send(p, "q");
	int status = pty_wait(p);
	cr_expect(eq(int, status, 0));
	cr_expect(pty_restored(p));
	pty_free(p);
}

static void reply(struct pty *p, const char *text)
{
	cr_assert(write(p->master, text, strlen(text)) == (ssize_t)strlen(text));
}

Test(terminal_asks, once_with_the_first_frame_and_draws_anew_on_the_answer)
{
	struct pty p;
	pty_start(&p, 24, 80, words, NULL);
	cr_expect(strstr(p.raw, question) != NULL, "before what clears the screen");
	cr_expect(pty_shows(&p, "Optimisation stack"), "drawn without an answer");
	cr_expect(strstr(p.raw, accent_dark) && !strstr(p.raw, accent_light));
	size_t before = p.bytes;
	reply(&p, light_ground);
	pty_settle(&p);
	cr_expect(eq(sz, p.bytes, before), "the last answer is still to come");
	reply(&p, rest);
	pty_settle(&p);
	cr_expect(strstr(p.raw + before, accent_light) && !strstr(p.raw + before, accent_dark));
	cr_expect(strstr(p.raw + before, "\033[?2031h") != NULL, "follows the user's choice");
	cr_expect(strstr(p.raw + before, "\033[c") == NULL, "asks once");
	before = p.bytes;
	pty_send(&p, "l");
	const char *frame = p.raw + before;
	cr_expect(strncmp(frame, "\033[?2026h", 8) == 0, "a frame is announced");
	cr_expect(strcmp(p.raw + p.bytes - 8, "\033[?2026l") == 0, "and ended");
	before = p.bytes;
	pty_send(&p, "\033[?997;1n");
	cr_expect(strstr(p.raw + before, accent_dark) != NULL, "turns to dark with the user");
	before = p.bytes;
	pty_settle(&p);
	cr_expect(eq(sz, p.bytes, before), "rests");
	pty_send(&p, "q");
	pty_wait(&p);
	cr_expect(strstr(p.raw + before, "\033[?2031l") != NULL, "and follows no longer");
	pty_free(&p);
}

/* kitty draws a talk's large words itself; what knows only blocks is sent blocks. What is recorded is
 * drawn in blocks too, since others play it. */
Test(terminal_asks, large_type_is_drawn_by_who_can)
{
	static const char *const talk[] = { "present", "why-is-my-gpu-idle", "2", "--big", NULL };
	static const struct {
		const char *said;
		bool there;
	} rows[] = { { "\033P>|kitty(0.41.0)\033\\\033[?62;c", true },
		{ "\033P>|kitty(0.39.1)\033\\\033[?62;c", false },
		{ "\033P>|tmux 3.5a\033\\\033[?62;c", false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct pty p;
		pty_start(&p, 48, 160, talk, NULL);
		cr_expect(strstr(p.raw, "\033]66;") == NULL, "nobody has answered yet");
		reply(&p, rows[i].said);
		pty_settle(&p);
		cr_expect(eq(int, strstr(p.raw, "\033]66;s=3;") != NULL, rows[i].there), "row %zu",
			i);
		end(&p);
	}
}

/* Bytes with pauses between them, keys before, between and after the answers. */
Test(terminal_asks, in_pieces_and_with_keys_between, .description = "long")
{
	static const char all[] = "\033]11;rgb:ffff/ffff/ffff\033\\j\033P>|foot(1.19.0)\033\\j"
				  "\033[?2026;0$y\033[?2031;0$y\033[?62;4;22cj";
	struct pty p, q;
	char asked[24 * 80 * 4], plain[24 * 80 * 4];
	pty_start_quick(&p, 24, 80, words);
	for (size_t i = 0; i < sizeof all - 1; i += 7) {
		char piece[8] = "";
		for (size_t k = 0; k < 7 && all[i + k]; k++)
			piece[k] = all[i + k];
		reply(&p, piece);
		usleep(30000);
	}
	pty_settle(&p);
	cr_expect(strstr(p.raw, accent_light) != NULL);
	pty_start(&q, 24, 80, words, NULL);
	pty_send(&q, "jjj");
	cr_expect(
		eq(str, pty_screen(&p, asked, sizeof asked), pty_screen(&q, plain, sizeof plain)));
	end(&p);
	end(&q);
}

Test(terminal_asks, late_and_not_at_all, .description = "long")
{
	struct pty p;
	pty_start(&p, 24, 80, words, NULL);
	usleep(1300000);
	reply(&p, light_ground);
	reply(&p, rest);
	pty_settle(&p);
	cr_expect(strstr(p.raw, accent_light) != NULL);
	end(&p);
	pty_start(&p, 24, 80, words, NULL);
	size_t before = p.bytes;
	pty_settle(&p);
	cr_expect(eq(sz, p.bytes, before));
	end(&p);
}

/* Whoever leaves at once finds no answers on the command line: neither shown nor to be read. */
Test(terminal_asks, leaves_no_answer_to_the_shell)
{
	struct pty p;
	int waiting = -1;
	pty_start_quick(&p, 24, 80, words);
	reply(&p, "q");
	usleep(60000);
	reply(&p, light_ground);
	reply(&p, rest);
	cr_expect(eq(int, pty_wait(&p), 0));
	cr_expect(strstr(p.raw, "rgb:") == NULL && strstr(p.raw, "62;") == NULL, "echoed");
	cr_expect(zero(int, ioctl(p.slave, FIONREAD, &waiting)));
	cr_expect(zero(int, waiting));
	cr_expect(pty_restored(&p));
	pty_free(&p);
}

/* A terminal that sends the question back instead of answering it. */
Test(terminal_asks, an_echo_breaks_nothing)
{
	struct pty p;
	char before[24 * 80 * 4], after[24 * 80 * 4];
	pty_start(&p, 24, 80, words, NULL);
	pty_screen(&p, before, sizeof before);
	pty_send(&p, question);
	cr_expect(eq(str, pty_screen(&p, after, sizeof after), before));
	end(&p);
}

Test(terminal_asks, nobody_who_would_show_the_question, .description = "long")
{
	static const char *const environments[][3] = { { "TERM=linux", NULL },
		{ "TERM=vt100", NULL }, { "TERM=screen", "STY=1.pts-0.x", NULL },
		{ "TERM=vt52", NULL } };
	for (size_t i = 0; i < sizeof environments / sizeof *environments; i++) {
		struct pty p;
		pty_start(&p, 24, 80, words, environments[i]);
		cr_expect(strstr(p.raw, "\033]11") == NULL && strstr(p.raw, "\033[c") == NULL, "%s",
			environments[i][0]);
		pty_send(&p, "q");
		pty_wait(&p);
		pty_free(&p);
	}
}

Test(terminal_asks, direct_colour_where_colorterm_says_so)
{
	static const char *const environments[][3] = { { "COLORTERM=truecolor", NULL },
		{ "COLORTERM=24bit", NULL }, { "COLORTERM=", NULL },
		{ "COLORTERM=truecolor", "NO_COLOR=1", NULL } };
	for (size_t i = 0; i < 4; i++) {
		struct pty p;
		pty_start(&p, 24, 80, words, environments[i]);
		bool direct = strstr(p.raw, "38;2;") != NULL;
		cr_expect(eq(int, direct, i < 2), "%s", environments[i][0]);
		end(&p);
	}
}

/* b goes round, and what was chosen is kept for this terminal. */
Test(terminal_asks, keeps_the_glyphs_of_a_terminal, .description = "long")
{
	static const char *const curves[] = { "open", "roofline", NULL }; /* it has a curve */
	struct pty p, q;
	char home[96], path[160], text[4096] = "";
	pty_start(&p, 24, 80, curves, NULL);
	cr_expect(pty_shows(&p, "curves look wrong? b"), "in the first session");
	reply(&p, rest);
	pty_settle(&p);
	pty_send(&p, "b");
	cr_expect(pty_shows(&p, "Curves in braille"), "after octants, which kitty draws");
	pty_send(&p, "b");
	cr_expect(pty_shows(&p, "Curves in line drawing"));
	pty_send(&p, "j");
	cr_expect(pty_shows(&p, "curves look wrong? b") == false, "once");
	pty_send(&p, "q");
	pty_wait(&p);
	snprintf(path, sizeof path, "%s/.local/state/ridge/state.json", p.home);
	FILE *f = fopen(path, "r");
	cr_assert(f != NULL);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	cr_expect(strstr(text, "\"glyphs\":{\"kitty\":\"lines\"}") != NULL, "%s", text);
	snprintf(home, sizeof home, "HOME=%s", p.home);
	const char *environment[] = { home, NULL };
	pty_start(&q, 24, 80, curves, environment);
	cr_expect(pty_shows(&q, "curves look wrong? b") == false, "in the first session only");
	reply(&q, rest);
	pty_settle(&q);
	pty_send(&q, "b");
	cr_expect(pty_shows(&q, "Curves in octants"), "after the lines that were kept");
	end(&q);
	pty_free(&p);
}

/* `ridge info` asks as well, on the screen that is there, and says what it heard. */
Test(terminal_asks, info_says_what_the_terminal_said, .description = "long")
{
	const char *info[] = { "info", NULL };
	struct pty p;
	pty_start_quick(&p, 40, 100, info);
	reply(&p, light_ground);
	reply(&p, rest);
	cr_expect(pty_shows(&p, "kitty(0.41.0)"), "%s", p.raw);
	cr_expect(strstr(p.raw, "\033[?1049h") == NULL);
	cr_expect(zero(int, pty_wait(&p)));
	cr_expect(pty_restored(&p));
	pty_free(&p);
}
