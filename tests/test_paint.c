/* What the painter writes makes a terminal (libvterm) show the canvas, whatever was there. */
#define _GNU_SOURCE /* memmem */
#include "sims/base/rng.h"
#include "sims/base/utf8.h"
#include "ui/term/paint.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

enum { ROWS = 24, COLS = 80 };

static const struct paint_caps caps_of[] = {
	{ DEPTH_256, BACKGROUND_DARK, 15, true, true, true, NULL, 0 },
	{ DEPTH_256, BACKGROUND_DARK, 31, true, true, true, NULL, COLS },
	{ DEPTH_16, BACKGROUND_LIGHT, ATTR_BOLD | ATTR_REVERSE, false, false, true, NULL, 0 },
	{ DEPTH_NONE, BACKGROUND_DARK, ATTR_BOLD | ATTR_REVERSE, false, true, false, NULL, 0 },
};

/* Changes some rectangles: text, rules, blanks, in random looks. */
static void scribble(struct canvas *cv, struct rng *r)
{
	static const uint32_t glyphs[] = { ' ', 'a', 'Z', '5', 0x2500, 0x2588, 0x25cf, 0x2571,
		' ' };
	for (int n = (int)rng_below(r, 30); n >= 0; n--) {
		struct rect at = { (int)rng_below(r, ROWS), (int)rng_below(r, COLS),
			1 + (int)rng_below(r, 3), 1 + (int)rng_below(r, 40) };
		enum style s = (enum style)rng_below(r, N_STYLES);
		unsigned attr = rng_below(r, 3) ? 0 : (unsigned)rng_below(r, 32);
		uint32_t code = glyphs[rng_below(r, sizeof glyphs / sizeof *glyphs)];
		if (rng_below(r, 2))
			canvas_text(
				cv, at.row, at.col, at.cols, "speed-up 3.03x of a step", s, attr);
		else
			canvas_fill(cv, at, code, s, attr);
		if (rng_below(r, 4) == 0)
			for (int i = 0; i < at.cols; i++)
				canvas_under(
					cv, at.row, at.col + i, (enum style)rng_below(r, N_STYLES));
	}
}

static void expect_colour(
	const VTermColor *shown, const struct cell *c, const struct paint_caps *caps)
{
	struct colour want = theme_colour((enum style)c->style, caps->depth, caps->background);
	if (want.own)
		cr_assert(ne(int, VTERM_COLOR_IS_DEFAULT_FG(shown), 0));
	else if (caps->depth == DEPTH_256)
		cr_assert(eq(int, shown->indexed.idx, want.index));
}

static void expect_shown(VTerm *vt, const struct canvas *cv, const struct paint_caps *caps)
{
	VTermScreen *screen = vterm_obtain_screen(vt);
	for (int row = 0; row < ROWS; row++)
		for (int col = 0; col < COLS; col++) {
			const struct cell *c = &cv->cells[row * COLS + col];
			VTermScreenCell shown;
			if (row == ROWS - 1 && col == COLS - 1 && !caps->last_cell)
				continue;
			vterm_screen_get_cell(screen, (VTermPos){ row, col }, &shown);
			uint32_t code = shown.chars[0] ? shown.chars[0] : ' ';
			/* A blank with its colours swapped is the solid block of that colour. */
			if (c->code == 0x2588 && code == ' ' && shown.attrs.reverse && !c->attr) {
				expect_colour(&shown.fg, c, caps);
				continue;
			}
			cr_assert(eq(u32, code, c->code), "row %d col %d", row, col);
			struct colour ground =
				theme_colour((enum style)c->under, caps->depth, caps->background);
			if (ground.own)
				cr_assert(ne(int, VTERM_COLOR_IS_DEFAULT_BG(&shown.bg), 0),
					"row %d col %d", row, col);
			else if (caps->depth == DEPTH_256)
				cr_assert(eq(int, shown.bg.indexed.idx, ground.index),
					"row %d col %d", row, col);
			if (c->code == ' ' && !c->under &&
				!(c->attr & (ATTR_REVERSE | ATTR_UNDERLINE | ATTR_DOTTED) &
					caps->attrs)) {
				/* Nor does what stood before it, by its style or its attributes. */
				if (!(c->attr & (ATTR_UNDERLINE | ATTR_DOTTED)))
					cr_assert(zero(int, shown.attrs.underline), "row %d col %d",
						row, col);
				continue;
			}
			struct colour want =
				theme_colour((enum style)c->style, caps->depth, caps->background);
			bool bold = (c->attr & ATTR_BOLD) || want.bold;
			cr_assert(eq(int, shown.attrs.bold, bold), "row %d col %d", row, col);
			cr_assert(eq(int, shown.attrs.reverse, !!(c->attr & ATTR_REVERSE)));
			expect_colour(&shown.fg, c, caps);
		}
}

Test(paint, shows_any_canvas_after_any_other)
{
	for (size_t k = 0; k < sizeof caps_of / sizeof *caps_of; k++) {
		struct rng r = rng_stream(k, "paint", 0);
		struct canvas was, now;
		struct paint_state state = { 0 };
		VTerm *vt = vterm_new(ROWS, COLS);
		vterm_set_utf8(vt, 1);
		vterm_screen_reset(vterm_obtain_screen(vt), 1);
		cr_assert(eq(int, canvas_init(&was, ROWS, COLS, GLYPHS_LINES), 0));
		cr_assert(eq(int, canvas_init(&now, ROWS, COLS, GLYPHS_LINES), 0));
		for (int frame = 0; frame < 300; frame++) {
			struct paint_buffer out = { 0 };
			if (frame % 50 == 49)
				canvas_clear(&now);
			scribble(&now, &r);
			paint(&was, &now, &caps_of[k], &state, &out);
			cr_assert(not(out.failed));
			vterm_input_write(vt, out.bytes, out.n);
			paint_release(&out);
			expect_shown(vt, &now, &caps_of[k]);
			memcpy(was.cells, now.cells, ROWS * COLS * sizeof *now.cells);
		}
		canvas_release(&was);
		canvas_release(&now);
		vterm_free(vt);
	}
}

/* Three looks that touch in one row: each pass begins where the last ended, whatever their order in the
 * palette, so the cursor goes to that row once and never along it. */
Test(paint, goes_on_with_the_look_that_is_nearest)
{
	static const enum style order[] = { STYLE_DIM, STYLE_ACCENT, STYLE_GOOD };
	for (int turn = 0; turn < 3; turn++) {
		struct canvas was, now;
		struct paint_state state = { 0 };
		struct paint_buffer out = { 0 };
		cr_assert(eq(int, canvas_init(&was, ROWS, COLS, GLYPHS_LINES), 0));
		cr_assert(eq(int, canvas_init(&now, ROWS, COLS, GLYPHS_LINES), 0));
		canvas_text(&now, 7, 0, -1, "a", STYLE_PLAIN, 0);
		paint(&was, &now, &caps_of[0], &state, &out); /* the cursor is behind it */
		paint_release(&out);
		canvas_text(&was, 7, 0, -1, "a", STYLE_PLAIN, 0);
		for (int i = 0; i < 3; i++)
			canvas_text(&now, 7, 1 + 5 * i, -1, "abcde", order[(turn + i) % 3], 0);
		paint(&was, &now, &caps_of[0], &state, &out);
		cr_assert(lt(sz, 0, out.n));
		for (size_t i = 0; i < out.n; i++)
			cr_expect(out.bytes[i] == '\033' || out.bytes[i] == '[' ||
					  strchr("0123456789;mabcde", out.bytes[i]) != NULL,
				"turn %d: a move", turn);
		paint_release(&out);
		canvas_release(&was);
		canvas_release(&now);
	}
}

Test(paint, writes_nothing_where_nothing_changed)
{
	struct canvas cv;
	struct paint_state state = { 0 };
	struct paint_buffer out = { 0 };
	cr_assert(eq(int, canvas_init(&cv, ROWS, COLS, GLYPHS_LINES), 0));
	canvas_text(&cv, 3, 4, -1, "the same", STYLE_ACCENT, ATTR_BOLD);
	paint(&cv, &cv, &caps_of[0], &state, &out);
	cr_expect(eq(sz, out.n, 0));
	paint_release(&out);
	canvas_release(&cv);
}

Test(paint, one_changed_word_costs_a_move_and_the_word)
{
	struct canvas was, now;
	struct paint_state state = { true, true, 5, 0, STYLE_PLAIN, 0 };
	struct paint_buffer out = { 0 };
	cr_assert(eq(int, canvas_init(&was, ROWS, COLS, GLYPHS_LINES), 0));
	cr_assert(eq(int, canvas_init(&now, ROWS, COLS, GLYPHS_LINES), 0));
	canvas_text(&now, 9, 19, -1, "word", STYLE_PLAIN, 0);
	paint(&was, &now, &caps_of[0], &state, &out);
	cr_expect(eq(sz, out.n, strlen("\033[10;20Hword")));
	paint_release(&out);
	canvas_release(&was);
	canvas_release(&now);
}

/* A plain underline stands in where a terminal has no dotted one; without any underline nothing
 * does. */
Test(paint, dots_are_what_the_terminal_has)
{
	static const struct {
		unsigned attrs;
		const char *bytes;
	} rows[] = {
		{ ATTR_UNDERLINE | ATTR_DOTTED, "\033[4:4mterm" },
		{ ATTR_UNDERLINE, "\033[4mterm" },
		{ 0, "term" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct canvas was, now;
		struct paint_caps caps = { DEPTH_256, BACKGROUND_DARK, rows[i].attrs, false, false,
			true, NULL };
		struct paint_state state = { true, true, 0, 0, STYLE_PLAIN, 0 };
		struct paint_buffer out = { 0 };
		cr_assert(eq(int, canvas_init(&was, ROWS, COLS, GLYPHS_LINES), 0));
		cr_assert(eq(int, canvas_init(&now, ROWS, COLS, GLYPHS_LINES), 0));
		canvas_text(&now, 0, 0, -1, "term", STYLE_PLAIN, ATTR_DOTTED);
		paint(&was, &now, &caps, &state, &out);
		char *got = strndup(out.bytes, out.n);
		cr_expect(eq(str, got, (char *)rows[i].bytes), "row %zu", i);
		free(got);
		paint_release(&out);
		canvas_release(&was);
		canvas_release(&now);
	}
}

/* libvterm takes the last column for full when a repetition ends before it. */
Test(paint, no_repetition_ends_before_the_last_column)
{
	struct canvas was, now;
	struct paint_state state = { 0 };
	struct paint_buffer out = { 0 };
	VTerm *vt = vterm_new(ROWS, COLS);
	vterm_set_utf8(vt, 1);
	vterm_screen_reset(vterm_obtain_screen(vt), 1);
	cr_assert(eq(int, canvas_init(&was, ROWS, COLS, GLYPHS_LINES), 0));
	cr_assert(eq(int, canvas_init(&now, ROWS, COLS, GLYPHS_LINES), 0));
	for (int row = 0; row < 3; row++) {
		canvas_fill(&now, (struct rect){ row, 0, 1, COLS - 2 + row }, 'a', STYLE_PLAIN, 0);
		canvas_put(&now, row, COLS - 1, 'b', STYLE_PLAIN, 0);
	}
	paint(&was, &now, &caps_of[0], &state, &out);
	vterm_input_write(vt, out.bytes, out.n);
	expect_shown(vt, &now, &caps_of[0]);
	paint_release(&out);
	canvas_release(&was);
	canvas_release(&now);
	vterm_free(vt);
}

/* xterm repeats glyphs below U+0100 only, and tmux before 3.5 those of ASCII. */
Test(paint, repeats_ascii_only)
{
	static const struct {
		uint32_t code;
		const char *bytes;
	} rows[] = {
		{ '#', "\033[H#\033[9b" }, { 0x2500, "\033[H──────────" },
		{ 0xb7, "\033[H··········" },
		{ 0x2588, "\033[H\033[7m \033[9b" }, /* a blank, its colours swapped */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct canvas was, now;
		struct paint_state state = { 0 };
		state.known_style = true;
		struct paint_buffer out = { 0 };
		cr_assert(eq(int, canvas_init(&was, ROWS, COLS, GLYPHS_LINES), 0));
		cr_assert(eq(int, canvas_init(&now, ROWS, COLS, GLYPHS_LINES), 0));
		canvas_fill(&now, (struct rect){ 0, 0, 1, 10 }, rows[i].code, STYLE_PLAIN, 0);
		paint(&was, &now, &caps_of[0], &state, &out);
		char *got = strndup(out.bytes, out.n);
		cr_expect(eq(str, got, (char *)rows[i].bytes), "row %zu", i);
		free(got);
		paint_release(&out);
		canvas_release(&was);
		canvas_release(&now);
	}
}

/* Line feeds lead to the rows below, and what moves by rows farther and up, in the same column or a
 * step beside it, where that is shorter than an address. */
Test(paint, goes_up_and_down_from_where_it_is)
{
	static const struct {
		int row, col;
		const char *bytes;
	} rows[] = {
		{ 5, 40, "" },
		{ 6, 40, "\n" },
		{ 7, 38, "\n\n\b\b" },
		{ 6, 0, "\n\r" },
		{ 6, 45, "\n\033[5C" },
		{ 10, 40, "\033[5B" },
		{ 4, 40, "\033[A" },
		{ 2, 38, "\033[3A\b\b" },
		{ 2, 30, "\033[3;31H" },
		{ 0, 0, "\033[H" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct paint_state state = { true, true, 5, 40, STYLE_PLAIN, 0 };
		struct paint_buffer out = { 0 };
		paint_move(&out, &caps_of[0], &state, rows[i].row, rows[i].col);
		paint_bytes(&out, "", 1);
		cr_expect(eq(str, out.bytes, (char *)rows[i].bytes), "row %zu", i);
		paint_release(&out);
	}
}

/* A VT52 with reverse video (ESC p, ESC q), as Atari's: cursor addressing and erasing alone. */
struct vt52 {
	uint32_t codes[ROWS][COLS];
	bool reversed[ROWS][COLS];
	bool reverse;
	int row, col;
};

static void vt52_address(char *buf, size_t size, int row, int col)
{
	snprintf(buf, size, "\033Y%c%c", row + ' ', col + ' ');
}

static void vt52_put(struct vt52 *t, uint32_t code)
{
	cr_assert(t->row >= 0 && t->row < ROWS && t->col >= 0 && t->col < COLS);
	t->codes[t->row][t->col] = code;
	t->reversed[t->row][t->col] = t->reverse;
	t->col++;
}

static const char *vt52_escape(struct vt52 *t, const char *at)
{
	switch (*at) {
	case 'Y':
		t->row = at[1] - ' ';
		t->col = at[2] - ' ';
		return at + 3;
	case 'K':
		for (int col = t->col; col < COLS; col++) {
			t->codes[t->row][col] = ' ';
			t->reversed[t->row][col] = false;
		}
		return at + 1;
	case 'p':
	case 'q':
		t->reverse = *at == 'p';
		return at + 1;
	default:
		cr_fatal("ESC %d is not a VT52's", *at);
		return at;
	}
}

static void vt52_take(struct vt52 *t, const char *bytes)
{
	while (*bytes)
		if (*bytes == '\033')
			bytes = vt52_escape(t, bytes + 1);
		else
			vt52_put(t, utf8_next(&bytes));
}

Test(paint, speaks_the_words_of_a_terminal_outside_ecma_48)
{
	static const struct paint_words words = {
		.plain = "\033q", .reverse = "\033p", .erase = "\033K", .address = vt52_address
	};
	static const struct paint_caps caps = { DEPTH_NONE, BACKGROUND_DARK, ATTR_REVERSE, false,
		false, false, &words };
	struct rng r = rng_stream(7, "paint", 0);
	struct canvas was, now;
	struct paint_state state = { 0 };
	struct vt52 screen = { .row = 0 };
	for (int i = 0; i < ROWS * COLS; i++)
		screen.codes[i / COLS][i % COLS] = ' ';
	cr_assert(eq(int, canvas_init(&was, ROWS, COLS, GLYPHS_LINES), 0));
	cr_assert(eq(int, canvas_init(&now, ROWS, COLS, GLYPHS_LINES), 0));
	for (int frame = 0; frame < 200; frame++) {
		struct paint_buffer out = { 0 };
		if (frame % 50 == 49)
			canvas_clear(&now);
		scribble(&now, &r);
		paint(&was, &now, &caps, &state, &out);
		paint_bytes(&out, "", 1);
		vt52_take(&screen, out.bytes);
		paint_release(&out);
		for (int i = 0; i < ROWS * COLS - 1; i++) { /* the last cell would scroll */
			const struct cell *c = &now.cells[i];
			cr_assert(eq(u32, screen.codes[i / COLS][i % COLS], c->code));
			cr_assert(eq(int, screen.reversed[i / COLS][i % COLS],
				!!(c->attr & ATTR_REVERSE)));
		}
		memcpy(was.cells, now.cells, ROWS * COLS * sizeof *now.cells);
	}
	canvas_release(&was);
	canvas_release(&now);
}

/* --- Text that the terminal draws larger --- */

/* A terminal as kitty's text sizing protocol has it: which character of scaled text each cell belongs
 * to (0: none), and where that one's first row is. libvterm does the rest. */
struct sizing_terminal {
	uint32_t code[ROWS][COLS];
	int owner[ROWS][COLS], top[1000], n, moved_aside;
	VTermState *state;
};

static void forget_owner(struct sizing_terminal *t, int owner)
{
	for (int row = 0; row < ROWS; row++)
		for (int col = 0; col < COLS; col++)
			if (owner && t->owner[row][col] == owner) {
				t->owner[row][col] = 0;
				t->code[row][col] = ' ';
			}
}

static int put_glyph(VTermGlyphInfo *info, VTermPos at, void *user)
{
	struct sizing_terminal *t = user;
	int owner = t->owner[at.row][at.col];
	t->moved_aside += owner && t->top[owner] < at.row;
	forget_owner(t, owner);
	t->code[at.row][at.col] = info->chars[0];
	return 1;
}

static int erase_cells(VTermRect r, int selective, void *user)
{
	struct sizing_terminal *t = user;
	(void)selective;
	for (int row = r.start_row; row < r.end_row; row++)
		for (int col = r.start_col; col < r.end_col; col++) {
			forget_owner(t, t->owner[row][col]);
			t->code[row][col] = ' ';
		}
	return 1;
}

/* Each character in a block of its own, from where the cursor is. */
static void put_scaled(struct sizing_terminal *t, int scale, const char *text, const char *end)
{
	VTermPos at;
	vterm_state_get_cursorpos(t->state, &at);
	for (; text < end; at.col += scale) {
		uint32_t code = utf8_next(&text);
		cr_assert(at.row + scale <= ROWS && at.col + scale <= COLS);
		t->top[++t->n] = at.row;
		for (int i = 0; i < scale; i++)
			for (int j = 0; j < scale; j++) {
				t->moved_aside += t->owner[at.row + i][at.col + j] != 0;
				t->owner[at.row + i][at.col + j] = t->n;
				t->code[at.row + i][at.col + j] = code;
			}
	}
}

/* The sequences of the protocol, which libvterm does not know, are taken out of what it is given. */
static void write_sized(struct sizing_terminal *t, VTerm *vt, char *bytes, size_t n)
{
	static const char begins[] = "\033]66;s=";
	if (n == 0)
		return;
	for (char *at = bytes, *end = bytes + n; at < end;) {
		char *next = memmem(at, (size_t)(end - at), begins, strlen(begins));
		vterm_input_write(vt, at, (size_t)((next ? next : end) - at));
		if (!next)
			return;
		char *text = strchr(next + strlen(begins), ';') + 1;
		char *stop = memmem(text, (size_t)(end - text), "\033\\", 2);
		cr_assert(stop != NULL);
		put_scaled(t, atoi(next + strlen(begins)), text, stop);
		at = stop + 2;
	}
}

/* What the cells of a canvas show, scaled text as the characters that its blocks belong to. */
static void expect_sized(const struct sizing_terminal *t, const struct canvas *cv)
{
	static uint32_t want[ROWS][COLS];
	for (int i = 0; i < ROWS * COLS; i++)
		want[i / COLS][i % COLS] =
			cv->cells[i].code == SCALED_CELL ? ' ' : cv->cells[i].code;
	for (int n = 0; n < cv->n_scaled; n++) {
		const struct scaled_text *s = &cv->scaled[n];
		const char *text = s->text;
		if (!canvas_shows_scaled(cv, s))
			continue;
		for (int k = 0; *text; k++) {
			uint32_t code = utf8_next(&text);
			for (int i = 0; i < s->scale * s->scale; i++)
				want[s->row + i / s->scale][s->col + k * s->scale + i % s->scale] =
					code;
		}
	}
	for (int i = 0; i < ROWS * COLS; i++)
		cr_assert(eq(u32, t->code[i / COLS][i % COLS], want[i / COLS][i % COLS]),
			"row %d, column %d", i / COLS, i % COLS);
	cr_assert(zero(int, t->moved_aside));
}

static struct scaled_text any_line(struct rng *r)
{
	static const char *const words[] = { "A step of 69.3 ms", "a × b", "Why?", "" };
	struct scaled_text t = { (int)rng_below(r, 4) * 5, (int)rng_below(r, 3) * 8,
		1 + (int)rng_below(r, 3), 0, (enum style)rng_below(r, 6), "" };
	strcpy(t.text, words[rng_below(r, 4)]);
	return t;
}

/* Scaled text comes, stays, goes, is drawn over, and stands where something else stood; nothing is
 * ever written over its lower rows. (Blocks in reverse are written as blanks: plain text only.) */
Test(paint, scaled_text_comes_stays_and_goes)
{
	struct scaled_text lines[3] = { 0 };
	static struct sizing_terminal t;
	static const VTermStateCallbacks calls = { .putglyph = put_glyph, .erase = erase_cells };
	struct rng r = rng_stream(1, "scaled text", 0);
	struct canvas was, now;
	struct paint_state s = { .known_position = false };
	VTerm *vt = vterm_new(ROWS, COLS);
	vterm_set_utf8(vt, 1);
	t.state = vterm_obtain_state(vt);
	vterm_state_set_callbacks(t.state, &calls, &t);
	vterm_state_reset(t.state, 1);
	cr_assert(zero(int, canvas_init(&was, ROWS, COLS, GLYPHS_BRAILLE)));
	cr_assert(zero(int, canvas_init(&now, ROWS, COLS, GLYPHS_BRAILLE)));
	now.scales = true;
	erase_cells((VTermRect){ 0, ROWS, 0, COLS }, 0, &t);
	for (int frame = 0; frame < 300; frame++) {
		struct paint_buffer out = { 0 };
		canvas_clear(&now);
		for (int n = (int)rng_below(&r, 6); n > 0; n--)
			canvas_text(&now, (int)rng_below(&r, ROWS), (int)rng_below(&r, COLS),
				(int)rng_below(&r, 24), "speed-up 3.03x of a step",
				(enum style)rng_below(&r, 6), 0);
		for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
			if (rng_below(&r, 4) == 0)
				lines[i] = any_line(&r);
			if (*lines[i].text)
				canvas_scaled(&now, lines[i].row, lines[i].col, lines[i].scale,
					lines[i].text, strlen(lines[i].text), lines[i].style);
		}
		if (rng_below(&r, 3) == 0)
			canvas_text(&now, (int)rng_below(&r, ROWS), (int)rng_below(&r, COLS), 10,
				"an overlay", STYLE_PLAIN, 0);
		paint(&was, &now, &caps_of[frame % 2], &s, &out);
		cr_assert(out.failed == false);
		t.n = t.n > 900 ? 0 : t.n;
		write_sized(&t, vt, out.bytes, out.n);
		paint_release(&out);
		expect_sized(&t, &now);
		memcpy(was.cells, now.cells, sizeof *now.cells * ROWS * COLS);
		memcpy(was.scaled, now.scaled, sizeof now.scaled);
		was.n_scaled = now.n_scaled;
	}
	vterm_free(vt);
	canvas_release(&was);
	canvas_release(&now);
}
