/* What terminals answer: the sequences of real ones, and what is none. */
#define _GNU_SOURCE /* clearenv */
#include "ui/term/environment.h"
#include "ui/term/input.h"
#include "ui/term/keys.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *bytes;
	enum reply_kind kind;
	bool light;
	int mode;
	bool offered;
	const char *name;
} rows[] = {
	{ "\033]11;rgb:0000/0000/0000\033\\", REPLY_BACKGROUND, false, 0, false, "" },
	{ "\033]11;rgb:ffff/ffff/ffff\007", REPLY_BACKGROUND, true, 0, false, "" },
	{ "\033]11;rgb:fdf6/e3e3/d5d5\033\\", REPLY_BACKGROUND, true, 0, false, "" },
	{ "\033]11;rgb:1e/1e/2e\033\\", REPLY_BACKGROUND, false, 0, false, "" },
	{ "\033]11;rgba:ff/ff/ff/80\033\\", REPLY_BACKGROUND, true, 0, false, "" },
	/* 0.7152 of the light is green, 0.0722 blue */
	{ "\033]11;rgb:00/ff/00\033\\", REPLY_BACKGROUND, true, 0, false, "" },
	{ "\033]11;rgb:ff/00/ff\033\\", REPLY_BACKGROUND, false, 0, false, "" },
	{ "\033P>|kitty(0.40.1)\033\\", REPLY_NAME, false, 0, false, "kitty(0.40.1)" },
	{ "\033P>|WezTerm 20240203-110809-5046fc22\033\\", REPLY_NAME, false, 0, false,
		"WezTerm 20240203-110809-5046fc22" },
	{ "\033[?2026;2$y", REPLY_MODE, false, 2026, true, "" },
	{ "\033[?2026;0$y", REPLY_MODE, false, 2026, false, "" },
	{ "\033[?2026;4$y", REPLY_MODE, false, 2026, false, "" },
	{ "\033[?2031;1$y", REPLY_MODE, false, 2031, true, "" },
	{ "\033[?997;1n", REPLY_SCHEME, false, 0, false, "" },
	{ "\033[?997;2n", REPLY_SCHEME, true, 0, false, "" },
	{ "\033[2;17R", REPLY_PLACE, false, 0, false, "" },
	{ "\033[?62;22c", REPLY_LAST, false, 0, false, "" },
	{ "\033[?6c", REPLY_LAST, false, 0, false, "" },
	/* questions that come back, other answers, nonsense */
	{ "\033]11;?\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033[>q", REPLY_NONE, false, 0, false, "" },
	{ "\033[?2026$p", REPLY_NONE, false, 0, false, "" },
	{ "\033[c", REPLY_NONE, false, 0, false, "" },
	{ "\033[6n", REPLY_NONE, false, 0, false, "" },
	{ "\033[1;2R", REPLY_NONE, false, 0, false, "" }, /* Shift+F3 */
	{ "\033[2;R", REPLY_NONE, false, 0, false, "" },
	{ "\033[>0;276;0c", REPLY_NONE, false, 0, false, "" },
	{ "\033]11;rgb:00/00\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033]11;rgb:/00/00\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033]10;rgb:00/00/00\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033P1+r\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033[?997;3n", REPLY_NONE, false, 0, false, "" },
	/* too short, too long, cut off, or with what no terminal writes */
	{ "", REPLY_NONE, false, 0, false, "" },
	{ "\033[?", REPLY_NONE, false, 0, false, "" },
	{ "abcd", REPLY_NONE, false, 0, false, "" },
	{ "\033]1\007", REPLY_NONE, false, 0, false, "" },
	{ "\033]11;rgb\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033]11;rgb:\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033]11;rg:ff/ff/ff\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033]11;rgbaa:ff/ff/ff\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033]11;rgb:ff-ff-ff\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033]11;rgb:FDF6/E3E3/D5D5\033\\", REPLY_BACKGROUND, true, 0, false, "" },
	{ "\033P>|\001\033\\", REPLY_NONE, false, 0, false, "" },
	{ "\033P>|st\200\0010.9\033\\", REPLY_NAME, false, 0, false, "st0.9" },
	{ "\033P>|a name of forty-seven letters and more, which is cut there\033\\", REPLY_NAME,
		false, 0, false, "a name of forty-seven letters and more, which i" },
	{ "\033P>|"
	  "0123456789012345678901234567890123456789012345678901234567890123456789"
	  "0123456789012345678901234567890123456789012345678901234567890\033\\",
		REPLY_NONE, false, 0, false, "" },
	{ "\033[2;12345678R", REPLY_NONE, false, 0, false, "" },
	{ "\033[2;17X", REPLY_NONE, false, 0, false, "" },
	{ "\033[?997;1x", REPLY_NONE, false, 0, false, "" },
	{ "\033[?996;1n", REPLY_NONE, false, 0, false, "" },
	{ "\033[?"
	  "0000000000000000000000000000000000000000000000000000000000000000c",
		REPLY_NONE, false, 0, false, "" },
};

Test(reply, sequences_of_terminals)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct reply r;
		bool is = reply_read(rows[i].bytes, strlen(rows[i].bytes), &r);
		cr_expect(eq(int, is, rows[i].kind != REPLY_NONE), "row %zu", i);
		cr_expect(eq(int, (int)r.kind, (int)rows[i].kind), "row %zu", i);
		cr_expect(eq(int, r.light, rows[i].light), "row %zu", i);
		cr_expect(eq(int, r.mode, rows[i].mode), "row %zu", i);
		cr_expect(eq(int, r.offered, rows[i].offered), "row %zu", i);
		cr_expect(eq(str, r.name, (char *)rows[i].name), "row %zu", i);
	}
}

/* The answers of one terminal with keys between them, cut anywhere, with silence at the cut: the
 * keys come, each once, and the answers too, as long as they are expected. */
Test(reply, is_no_key_in_any_pieces)
{
	static const char all[] = "j\033]11;rgb:ffff/ffff/ffff\033\\\033P>|foot(1.20.2)\033\\"
				  "k\033[?2026;2$y\033[?2031;0$y\033[2;17R\033[?62;4;22cl";
	for (size_t cut = 0; cut < sizeof all; cut++) {
		struct input in = { .expects = true };
		struct terminal_said said = { 0 };
		struct input_event e;
		char keys[8] = "";
		size_t n = 0;
		/* A cut after an ESC alone cannot be told from the key: the caller waits longer. */
		bool after_esc = cut > 0 && all[cut - 1] == '\033';
		for (int part = 0; part < 2; part++) {
			size_t from = part ? cut : 0, to = part ? sizeof all - 1 : cut;
			input_add(&in, all + from, to - from);
			while (input_next(&in, !after_esc || part, &e) == INPUT_EVENT)
				if (e.key == KEY_REPLY)
					said_add(&said, &e.reply);
				else if (n < sizeof keys - 1)
					keys[n++] = (char)e.key;
		}
		keys[n] = '\0';
		cr_expect(eq(str, keys, "jkl"), "cut at %zu", cut);
		cr_expect(said.all && said.has_background && said.light && said.synchronized &&
				  !said.follows && said.tabs,
			"cut at %zu", cut);
		cr_expect(eq(str, said.name, "foot(1.20.2)"), "cut at %zu", cut);
	}
}

/* Two tabs from the first column lead to column 17 where there is a stop in every eighth. */
Test(reply, only_the_usual_stops_are_believed)
{
	static const struct {
		const char *bytes;
		bool usual;
	} rows_of[] = { { "\033[2;17R", true }, { "\033[2;9R", false }, { "\033[2;33R", false } };
	for (size_t i = 0; i < sizeof rows_of / sizeof *rows_of; i++) {
		struct terminal_said said = { .tabs = !rows_of[i].usual };
		struct reply r;
		cr_assert(reply_read(rows_of[i].bytes, strlen(rows_of[i].bytes), &r));
		said_add(&said, &r);
		cr_expect(eq(int, said.tabs, rows_of[i].usual), "row %zu", i);
	}
}

Test(reply, nobody_waits_for_what_is_not_expected)
{
	struct input in = { .expects = false };
	struct input_event e;
	input_add(&in, "\033]11;rg", 8);
	cr_expect(eq(int, (int)input_next(&in, true, &e), INPUT_EMPTY));
}

Test(reply, matters_from_the_last_one_on)
{
	struct terminal_said s = { 0 };
	struct reply r;
	reply_read("\033]11;rgb:ff/ff/ff\007", 18, &r);
	cr_expect(zero(int, said_add(&s, &r)), "the last one is still to come");
	reply_read("\033[?1c", 5, &r);
	cr_expect(eq(int, said_add(&s, &r), true));
	cr_expect(zero(int, said_add(&s, &r)), "once");
	reply_read("\033[?997;2n", 9, &r);
	cr_expect(zero(int, said_add(&s, &r)), "it was light before");
	reply_read("\033[?997;1n", 9, &r);
	cr_expect(eq(int, said_add(&s, &r), true));
}

Test(reply, terminals_that_draw_octants)
{
	static const struct {
		const char *name;
		bool draws;
	} known[] = { { "kitty(0.39.1)", false }, { "kitty(0.40.0)", true },
		{ "kitty(1.0.0)", true }, { "foot(1.19.0)", false }, { "foot(1.20.2)", true },
		{ "ghostty 1.1.3", false }, { "ghostty 1.2.0", true }, { "VTE(7600)", false },
		{ "VTE(7800)", true }, { "WezTerm 20240203-110809-5046fc22", false },
		{ "WezTerm 20260117-154428-05343b38", true }, { "XTerm(390)", false },
		{ "tmux 3.5a", false }, { "kitty", false }, { "footnote(9.9)", false },
		{ "", false } };
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		cr_expect(
			eq(int, draws_octants(known[i].name), known[i].draws), "%s", known[i].name);
}

Test(reply, terminals_that_draw_text_larger)
{
	cr_expect(draws_scaled_text("kitty(0.40.0)"));
	cr_expect(draws_scaled_text("kitty(1.0)"));
	static const char *const others[] = { "kitty(0.39.1)", "kitty", "foot(1.20.2)", "tmux 3.5a",
		"" };
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		cr_expect(draws_scaled_text(others[i]) == false, "%s", others[i]);
}

static int chose_lines(const void *context, const char *terminal)
{
	return strcmp(terminal, context) == 0 ? GLYPHS_LINES : -1;
}

/* Each row alone in the environment. */
Test(reply, chooses_by_the_nearest_source)
{
	static const struct {
		const char *name[4], *value[4];
		struct terminal_said said;
		enum glyphs glyphs;
		enum background background;
		bool direct;
		const char *terminal;
	} cases[] = {
		{ { "TERM" }, { "xterm-256color" }, { .all = false }, GLYPHS_BRAILLE,
			BACKGROUND_DARK, false, "xterm-256color" },
		{ { "TERM" }, { "xterm-256color" },
			{ .name = "kitty(0.41.0)",
				.has_background = true,
				.light = true,
				.all = true },
			GLYPHS_OCTANTS, BACKGROUND_LIGHT, false, "kitty" },
		{ { "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORTERM" },
			{ "xterm-ghostty", "ghostty", "1.2.3", "truecolor" }, { .all = false },
			GLYPHS_OCTANTS, BACKGROUND_DARK, true, "ghostty" },
		/* what it says wins over what was inherited */
		{ { "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION" },
			{ "xterm-256color", "ghostty", "1.2.3" }, { .name = "XTerm(390)" },
			GLYPHS_BRAILLE, BACKGROUND_DARK, false, "XTerm" },
		{ { "TERM", "TMUX", "TERM_PROGRAM", "TERM_PROGRAM_VERSION" },
			{ "tmux-256color", "/tmp/t,1,0", "ghostty", "1.2.3" }, { .all = false },
			GLYPHS_BRAILLE, BACKGROUND_DARK, false, "tmux" },
		{ { "TERM", "STY", "COLORTERM" }, { "screen", "1.pts", "truecolor" },
			{ .all = false }, GLYPHS_BRAILLE, BACKGROUND_DARK, false, "screen" },
		{ { "TERM" }, { "linux" }, { .all = false }, GLYPHS_LINES, BACKGROUND_DARK, false,
			"linux" },
		{ { "TERM", "COLORFGBG" }, { "rxvt", "0;15" }, { .all = false }, GLYPHS_BRAILLE,
			BACKGROUND_LIGHT, false, "rxvt" },
		{ { "TERM", "COLORFGBG", "COLORTERM" }, { "rxvt", "0;15", "24bit" },
			{ .has_background = true }, GLYPHS_BRAILLE, BACKGROUND_DARK, true, "rxvt" },
		{ { "TERM", "RIDGE_BACKGROUND", "RIDGE_GLYPHS" }, { "xterm", "light", "ascii" },
			{ .has_background = true }, GLYPHS_ASCII, BACKGROUND_LIGHT, false,
			"xterm" },
		{ { "TERM" }, { "chosen" }, { .all = false }, GLYPHS_LINES, BACKGROUND_DARK, false,
			"chosen" },
	};
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		clearenv();
		for (int j = 0; j < 4 && cases[i].name[j]; j++)
			setenv(cases[i].name[j], cases[i].value[j], 1);
		struct environment e = environment_read(
			&(struct wishes){ COLOUR_AUTO, chose_lines, "chosen", &cases[i].said });
		cr_expect(eq(int, (int)e.glyphs, (int)cases[i].glyphs), "case %zu", i);
		cr_expect(eq(int, (int)e.background, (int)cases[i].background), "case %zu", i);
		cr_expect(eq(int, e.direct, cases[i].direct), "case %zu", i);
		cr_expect(eq(str, e.terminal, (char *)cases[i].terminal), "case %zu", i);
		cr_expect(e.why_glyphs[0] && e.why_depth[0] && e.why_background[0]);
	}
}

Test(reply, asks_nobody_who_would_show_the_question)
{
	static const struct {
		const char *term, *name, *value;
		bool asks, modes;
	} cases[] = { { "xterm-256color", "", "", true, true }, { "linux", "", "", false, false },
		{ "vt100", "", "", false, false }, { "dumb", "", "", false, false },
		{ "screen-256color", "STY", "1.a", false, false },
		{ "screen-256color", "", "", false, false },
		{ "screen-256color", "TMUX", "/tmp/t", true, true },
		{ "xterm-256color", "TERM_PROGRAM", "Apple_Terminal", true, false } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		clearenv();
		setenv("TERM", cases[i].term, 1);
		if (*cases[i].name)
			setenv(cases[i].name, cases[i].value, 1);
		cr_expect(eq(int, environment_asks(), cases[i].asks), "case %zu", i);
		cr_expect(eq(int, environment_asks_modes(), cases[i].modes), "case %zu", i);
	}
}

/* Options and NO_COLOR stand over what the terminal can, and each says why. */
Test(reply, colours_are_as_somebody_asked)
{
	static const struct {
		enum colour_choice choice;
		const char *name, *value;
		enum colour_depth depth;
		bool direct;
		const char *why;
	} cases[] = {
		{ COLOUR_NEVER, "COLORTERM", "truecolor", DEPTH_NONE, false, "--color=never" },
		{ COLOUR_AUTO, "NO_COLOR", "1", DEPTH_NONE, false, "NO_COLOR is set" },
		{ COLOUR_AUTO, "NO_COLOR", "", DEPTH_RGB, false,
			"terminfo" }, /* no-color.org: not empty */
		{ COLOUR_ALWAYS, "NO_COLOR", "1", DEPTH_RGB, false, "--color=always" },
		{ COLOUR_AUTO, "COLORTERM", "24bit", DEPTH_RGB, true, "COLORTERM" },
		{ COLOUR_ALWAYS, "COLORTERM", "truecolor", DEPTH_RGB, true, "COLORTERM" },
		{ COLOUR_AUTO, "COLORTERM", "yes", DEPTH_RGB, false, "terminfo" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		clearenv();
		setenv("TERM", "xterm-256color", 1);
		setenv(cases[i].name, cases[i].value, 1);
		struct environment e =
			environment_read(&(struct wishes){ .colour = cases[i].choice });
		cr_expect(eq(int, (int)e.depth, (int)cases[i].depth), "case %zu", i);
		cr_expect(eq(int, e.direct, cases[i].direct), "case %zu", i);
		cr_expect(
			strstr(e.why_depth, cases[i].why) != NULL, "case %zu: %s", i, e.why_depth);
	}
}

/* What stands between ridge and the terminal is drawn for by its own name, and draws no octants. */
Test(reply, a_multiplexer_is_known_by_its_variables)
{
	static const struct {
		const char *term, *name, *value, *terminal;
	} cases[] = {
		{ "xterm-256color", "ZELLIJ", "0", "zellij" },
		{ "screen-256color", "STY", "1.pts", "screen" },
		{ "screen", "RIDGE_BACKGROUND", "dark",
			"screen" }, /* from another machine: only TERM */
		{ "screen-256color", "TMUX", "/tmp/t,1,0", "tmux" },
		{ "tmux-256color", "TERM_PROGRAM", "kitty", "tmux" },
	};
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		clearenv();
		setenv("TERM", cases[i].term, 1);
		setenv(cases[i].name, cases[i].value, 1);
		struct environment e = environment_read(&(struct wishes){ 0 });
		cr_expect(eq(str, e.terminal, (char *)cases[i].terminal), "case %zu", i);
		cr_expect(zero(int, e.octants || e.scales), "case %zu", i);
	}
}

/* A locale without UTF-8 gets ASCII, unless somebody asks for more; what was asked for also holds for
 * programs that ridge starts. */
Test(reply, glyphs_follow_the_locale_and_then_the_wish)
{
	clearenv();
	setenv("TERM", "xterm", 1);
	setlocale(LC_CTYPE, "C");
	struct environment e = environment_read(&(struct wishes){ 0 });
	cr_expect(eq(int, (int)e.glyphs, GLYPHS_ASCII));
	cr_expect(strstr(e.why_glyphs, "locale") != NULL);
	cr_expect(eq(int, (int)environment_glyphs(), GLYPHS_ASCII));
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_expect(eq(int, (int)environment_glyphs(), GLYPHS_BRAILLE));
	environment_wish(GLYPHS_LINES);
	cr_expect(eq(str, getenv("RIDGE_GLYPHS"), "lines"));
	cr_expect(eq(int, (int)environment_glyphs(), GLYPHS_LINES));
	setenv("RIDGE_GLYPHS", "runes", 1); /* unknown: as if nothing were asked */
	cr_expect(eq(int, (int)environment_glyphs(), GLYPHS_BRAILLE));
}

/* Octants that were chosen in a terminal which cannot draw them (after its downgrade) are not drawn. */
static int chose_octants(const void *context, const char *terminal)
{
	(void)context;
	(void)terminal;
	return GLYPHS_OCTANTS;
}

Test(reply, a_choice_holds_as_long_as_the_terminal_can)
{
	struct terminal_said said = { .name = "kitty(0.39.1)" };
	setlocale(LC_CTYPE, "C.UTF-8");
	clearenv();
	setenv("TERM", "xterm-kitty", 1);
	const struct wishes w = { .chosen = chose_octants, .said = &said };
	cr_expect(eq(int, (int)environment_read(&w).glyphs, GLYPHS_BRAILLE));
	strcpy(said.name, "kitty(0.40.0)");
	cr_expect(eq(int, (int)environment_read(&w).glyphs, GLYPHS_OCTANTS));
}

Test(reply, the_clipboard_is_for_terminals_that_take_it)
{
	static const struct {
		const char *term, *name, *value;
		bool takes;
	} cases[] = { { "xterm-256color", "", "", true },
		{ "xterm-256color", "TERM_PROGRAM", "Apple_Terminal", false },
		{ "xterm-256color", "INSIDE_EMACS", "29.1,comint", false },
		{ "screen-256color", "STY", "1.pts", false }, { "linux", "", "", false } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		clearenv();
		setenv("TERM", cases[i].term, 1);
		if (*cases[i].name)
			setenv(cases[i].name, cases[i].value, 1);
		cr_expect(eq(int, environment_takes_clipboard(), cases[i].takes), "case %zu", i);
	}
}

Test(reply, colour_choices_are_three_words)
{
	cr_expect(eq(int, colour_choice_read("auto"), COLOUR_AUTO));
	cr_expect(eq(int, colour_choice_read("always"), COLOUR_ALWAYS));
	cr_expect(eq(int, colour_choice_read("never"), COLOUR_NEVER));
	cr_expect(eq(int, colour_choice_read("Never"), -1));
	cr_expect(eq(int, colour_choice_read(""), -1));
}
