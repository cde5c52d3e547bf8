/* The screen in memory: clipping, wide characters, bytes that are not text, ASCII. */
#include "sims/base/rng.h"
#include "sims/base/utf8.h"
#include "ui/term/canvas.h"
#include "ui/term/overlay.h"
#include "ui/data/content.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(const struct canvas *cv)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	canvas_write_text(cv, f);
	fclose(f);
	return text;
}

/* A canvas of one row shows `want` after `text` is written at a column. */
static const struct {
	int cols, col, width;
	const char *text, *want;
	int used;
} rows[] = {
	{ 8, 0, -1, "abc", "abc\n", 3 },
	{ 8, 6, -1, "abc", "      ab\n", 2 },
	{ 8, 0, 2, "abc", "ab\n", 2 },
	{ 8, 0, 0, "abc", "\n", 0 },
	{ 8, 8, -1, "abc", "\n", 0 },
	{ 8, -2, 5, "abcde", "cde\n", 5 },
	/* wide characters: two columns, or left out */
	{ 8, 0, -1, "缓存x", "缓存x\n", 5 },
	{ 8, 0, 3, "缓存x", "缓\n", 2 },
	{ 5, 0, -1, "缓存x", "缓存x\n", 5 },
	{ 4, 3, -1, "缓", "\n", 0 },
	/* a combining mark takes no cell */
	{ 8, 0, -1, "e\u0301x", "ex\n", 2 },
	/* bytes that are not text, and control characters */
	{ 8, 0, -1, "a\377b", "a\ufffdb\n", 3 },
	{ 8, 0, -1, "a\tb\033c", "a\ufffdb\ufffdc\n", 5 },
	{ 8, 0, -1, "\xe2\x82", "\ufffd\ufffd\n", 2 },
};

Test(canvas, text_is_clipped_at_its_width_and_at_the_edge)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct canvas cv;
		cr_assert(zero(int, canvas_init(&cv, 1, rows[i].cols, GLYPHS_LINES)));
		int used = canvas_text(
			&cv, 0, rows[i].col, rows[i].width, rows[i].text, STYLE_PLAIN, 0);
		char *got = text_of(&cv);
		cr_expect(eq(str, got, (char *)rows[i].want), "row %zu", i);
		cr_expect(eq(int, used, rows[i].used), "row %zu", i);
		free(got);
		canvas_release(&cv);
	}
}

Test(canvas, drawing_outside_changes_nothing)
{
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 2, 3, GLYPHS_LINES)));
	static const int far[] = { -2147483647, -1, 2, 3, 2147483000 };
	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < 5; j++) {
			if (far[i] == 2 && far[j] == 2)
				continue;
			if (far[i] >= 0 && far[i] < 2)
				continue;
			canvas_put(&cv, far[i], far[j], 'x', STYLE_BAD, 0);
			canvas_put(&cv, far[i], far[j], 0x7f13, STYLE_BAD, 0);
		}
	canvas_fill(&cv, (struct rect){ -5, -5, 5, 20 }, 'x', STYLE_BAD, 0);
	canvas_fill(&cv, (struct rect){ 2, 0, 3, 3 }, 'x', STYLE_BAD, 0);
	canvas_fill(&cv, (struct rect){ 0, 0, -1, -1 }, 'x', STYLE_BAD, 0);
	canvas_restyle(&cv, (struct rect){ -3, -3, 3, 9 }, STYLE_BAD, ATTR_BOLD);
	canvas_rule(&cv, 7, 0, 3, STYLE_BAD);
	for (int i = 0; i < 6; i++)
		cr_expect(
			cv.cells[i].code == ' ' && cv.cells[i].style == STYLE_PLAIN, "cell %d", i);
	canvas_release(&cv);
}

Test(canvas, of_no_size_takes_everything_and_shows_nothing)
{
	static const int sizes[][2] = { { 0, 0 }, { 0, 9 }, { 9, 0 }, { -1, 5 } };
	for (size_t i = 0; i < 4; i++) {
		struct canvas cv;
		cr_expect(zero(int, canvas_init(&cv, sizes[i][0], sizes[i][1], GLYPHS_LINES)));
		canvas_text(&cv, 0, 0, -1, "abc", STYLE_PLAIN, 0);
		canvas_fill(&cv, (struct rect){ 0, 0, 3, 3 }, 'x', STYLE_PLAIN, 0);
		char *text = text_of(&cv);
		cr_expect(eq(str, text, (char *)""));
		free(text);
		canvas_release(&cv);
	}
}

/* After any writing, each right half has its left half, and each wide character its right one. */
Test(canvas, no_half_of_a_wide_character_stays_behind)
{
	enum { ROWS = 3, COLS = 7 };
	static const uint32_t codes[] = { 'a', ' ', 0x7f13, 0x2500, 0x5b58 };
	struct canvas cv;
	struct rng r = rng_stream(4, "wide", 0);
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert(zero(int, canvas_init(&cv, ROWS, COLS, GLYPHS_LINES)));
	for (int n = 0; n < 20000; n++) {
		canvas_put(&cv, (int)rng_below(&r, ROWS + 2) - 1, (int)rng_below(&r, COLS + 2) - 1,
			codes[rng_below(&r, 5)], STYLE_PLAIN, 0);
		for (int i = 0; i < ROWS * COLS; i++) {
			bool wide = cv.cells[i].code && code_width(cv.cells[i].code) == 2;
			bool last = i % COLS == COLS - 1, first = i % COLS == 0;
			cr_assert(wide == false || (!last && cv.cells[i + 1].code == 0), "after %d",
				n);
			cr_assert(cv.cells[i].code != 0 ||
					  (!first && code_width(cv.cells[i - 1].code) == 2),
				"after %d", n);
		}
	}
	canvas_release(&cv);
}

static const struct {
	const char *bytes;
	uint32_t code;
	int taken;
} decoded[] = {
	{ "a", 'a', 1 }, { "", 0, 0 }, { "\u00e9", 0xe9, 2 }, { "\u2192", 0x2192, 3 },
	{ "\U0001f600", 0x1f600, 4 }, { "\x80", 0xfffd, 1 }, /* a continuation alone */
	{ "\xc3", 0xfffd, 1 },                               /* cut short */
	{ "\xe2\x86", 0xfffd, 1 }, { "\xf0\x9f\x98", 0xfffd, 1 },
	{ "\xc0\xaf", 0xfffd, 1 }, /* overlong */
	{ "\xe0\x80\xaf", 0xfffd, 1 }, { "\xf0\x80\x80\xaf", 0xfffd, 1 },
	{ "\xed\xa0\x80", 0xfffd, 1 },                 /* a surrogate */
	{ "\xf4\x90\x80\x80", 0xfffd, 1 },             /* beyond U+10FFFF */
	{ "\xf8\x88\x80\x80\x80", 0xfffd, 1 },         /* five bytes */
	{ "\xff", 0xfffd, 1 }, { "\xc3z", 0xfffd, 1 }, /* the z is not lost */
};

/* "a缓存b" takes six columns; an edge through a character leaves a blank, and what stood there
 * before goes. */
Test(canvas, a_copy_keeps_wide_characters_whole)
{
	static const struct {
		struct rect part;
		int row, col;
		const char *want;
	} copies[] = {
		{ { 0, 0, 1, 6 }, 0, 0, "a缓存b--\n--------\n" },
		{ { 0, 0, 1, 6 }, 1, 2, "--------\n--a缓存b\n" },
		{ { 0, 1, 1, 4 }, 0, 1, "-缓存---\n--------\n" },
		{ { 0, 2, 1, 4 }, 0, 0, " 存b----\n--------\n" },
		{ { 0, 0, 1, 2 }, 0, 0, "a ------\n--------\n" },
		{ { 0, 0, 1, 6 }, 0, 6, "------a\n--------\n" }, /* clipped: no room for two */
		{ { -1, -1, 3, 3 }, 0, 0, "--------\n-a -----\n" },
	};
	setlocale(LC_CTYPE, "C.UTF-8");
	struct canvas from;
	cr_assert(zero(int, canvas_init(&from, 1, 6, GLYPHS_LINES)));
	canvas_text(&from, 0, 0, -1, "a缓存b", STYLE_GOOD, ATTR_BOLD);
	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
		struct canvas cv;
		cr_assert(zero(int, canvas_init(&cv, 2, 8, GLYPHS_LINES)));
		canvas_fill(&cv, (struct rect){ 0, 0, 2, 8 }, '-', STYLE_PLAIN, 0);
		canvas_copy(&cv, copies[i].row, copies[i].col, &from, copies[i].part);
		char *text = text_of(&cv);
		cr_expect(eq(str, text, (char *)copies[i].want), "row %zu", i);
		free(text);
		canvas_release(&cv);
	}
	canvas_release(&from);
}

Test(canvas, utf8_is_decoded_and_what_is_not_is_replaced)
{
	for (size_t i = 0; i < sizeof decoded / sizeof *decoded; i++) {
		const char *p = decoded[i].bytes;
		cr_expect(eq(u32, utf8_next(&p), decoded[i].code), "row %zu", i);
		cr_expect(eq(long, p - decoded[i].bytes, decoded[i].taken), "row %zu", i);
	}
}

Test(canvas, every_code_point_survives_writing_and_reading)
{
	for (uint32_t code = 1; code <= 0x10ffff; code += code < 0x3000 ? 1 : 37) {
		char buf[5];
		const char *p = buf;
		if (code >= 0xd800 && code < 0xe000)
			continue;
		int n = utf8_write(buf, code);
		cr_assert(eq(u32, utf8_next(&p), code));
		cr_assert(p == buf + n && *p == '\0', "U+%04X", code);
	}
}

/* Any bytes: the end is found, and nothing is read behind it. */
Test(canvas, any_bytes_decode_to_their_end)
{
	struct rng r = rng_stream(5, "bytes", 0);
	for (int n = 0; n < 20000; n++) {
		size_t size = rng_below(&r, 12);
		char *text = malloc(size + 1);
		for (size_t i = 0; i < size; i++)
			text[i] = (char)(1 + rng_below(&r, 255));
		text[size] = '\0';
		const char *p = text;
		while (utf8_next(&p))
			;
		cr_assert(eq(sz, (size_t)(p - text), size));
		free(text);
	}
}

Test(canvas, ascii_replaces_what_it_has_no_glyph_for)
{
	static const struct {
		const char *text, *want;
	} replaced[] = {
		{ "2 × 80 → 160", "2 x 80 -> 160\n" },
		{ "≤ µs ‹› …", "<= us <> ...\n" },
		{ "─│●○", "-|*o\n" },
		{ "存", "?\n" },
		{ "a\tb", "a?b\n" },
	};
	for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
		struct canvas cv;
		cr_assert(zero(int, canvas_init(&cv, 1, 40, GLYPHS_ASCII)));
		int used = canvas_text(&cv, 0, 0, -1, replaced[i].text, STYLE_PLAIN, 0);
		char *got = text_of(&cv);
		cr_expect(eq(str, got, (char *)replaced[i].want));
		cr_expect(eq(int, used, (int)strlen(replaced[i].want) - 1));
		free(got);
		canvas_release(&cv);
	}
	for (uint32_t code = 0x80; code < 0x3000; code++)
		for (const char *p = glyph_ascii(code); *p; p++)
			cr_assert(p[0] >= 0x20 && p[0] < 0x7f, "U+%04X", code);
}

Test(canvas, text_right_ends_at_its_edge)
{
	struct canvas cv;
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert(zero(int, canvas_init(&cv, 3, 10, GLYPHS_LINES)));
	canvas_text_right(&cv, 0, 2, 6, "abc", STYLE_PLAIN, 0);
	canvas_text_right(&cv, 1, 2, 6, "abcdefghij", STYLE_PLAIN, 0);
	canvas_text_right(&cv, 2, 0, 10, "缓存", STYLE_PLAIN, 0);
	char *text = text_of(&cv);
	cr_expect(eq(str, text, (char *)"     abc\n  abcdef\n      缓存\n"));
	free(text);
	canvas_release(&cv);
}

/* ASCII has more letters than the glyph it stands for. */
Test(canvas, text_right_knows_the_columns_of_ascii)
{
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 1, 10, GLYPHS_ASCII)));
	canvas_text_right(&cv, 0, 0, 10, "1 → 2", STYLE_PLAIN, 0);
	char *text = text_of(&cv);
	cr_expect(eq(str, text, (char *)"    1 -> 2\n"));
	free(text);
	canvas_release(&cv);
}

Test(canvas, symbols_take_the_columns_that_terminals_give_them)
{
	static const struct {
		const char *text;
		int cols;
	} symbols[] = {
		{ "─█▁●→∑≤·", 8 },
		{ "⚡", 2 },
		{ "✅⭐", 4 },
		{ "☆✓", 2 },
		{ "a\u200bb", 2 },
		{ "x\u20d7", 1 },
		{ "\u202eabc\u2069", 3 },
	};
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
		cr_expect(eq(int, text_width(symbols[i].text), symbols[i].cols), "row %zu", i);
}

/* Where the locale has no UTF-8 a page must not lose a sign. */
Test(canvas, every_sign_of_the_pages_has_an_ascii_form)
{
	for (size_t i = 0; i < n_content_files; i++) {
		const char *text = content_files[i].text, *name = content_files[i].name;
		if (!strstr(name, ".md"))
			continue;
		for (uint32_t code; (code = utf8_next(&text));)
			if (code >= 0x80)
				cr_expect(ne(str, (char *)glyph_ascii(code), "?"), "%s: U+%04X",
					name, (unsigned)code);
	}
}

/* Text that the terminal draws larger has to fit whole, of letters that are one column wide; there is room for so
 * many of them, and what is drawn over is gone. */
Test(canvas, scaled_text_is_whole_or_not_there)
{
	static const struct {
		int row, col, scale;
		const char *text;
		bool fits;
	} cases[] = {
		{ 0, 0, 2, "Hi", true },
		{ 2, 4, 2, "Hi", true },
		{ 0, 0, 2, "", false },
		{ 0, 0, 2, "缓", false },
		{ 0, 0, 2, "a\tb", false },
		{ 0, 0, 2, "\x7f", false },
		{ -1, 0, 2, "Hi", false },
		{ 0, -1, 2, "Hi", false },
		{ 3, 0, 2, "Hi", false },
		{ 0, 5, 2, "Hi", false },
		{ 0, 0, 2, "Hello", false },
	};
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct canvas cv;
		cr_assert(zero(int, canvas_init(&cv, 4, 8, GLYPHS_LINES)));
		cr_expect(not(canvas_scaled(&cv, cases[i].row, cases[i].col, cases[i].scale,
				  cases[i].text, strlen(cases[i].text), STYLE_PLAIN)),
			"no terminal is there to draw it");
		cv.scales = true;
		cr_expect(eq(int,
				  canvas_scaled(&cv, cases[i].row, cases[i].col, cases[i].scale,
					  cases[i].text, strlen(cases[i].text), STYLE_PLAIN),
				  cases[i].fits),
			"case %zu", i);
		cr_expect(eq(int, cv.n_scaled, cases[i].fits), "case %zu", i);
		if (cases[i].fits) {
			cr_expect(canvas_shows_scaled(&cv, &cv.scaled[0]));
			/* One cell of it is something else: it is none any more. */
			canvas_put(&cv, cases[i].row + 1, cases[i].col + 3, 'x', STYLE_PLAIN, 0);
			cr_expect(not(canvas_shows_scaled(&cv, &cv.scaled[0])));
			cr_expect(canvas_scaled(&cv, 0, 0, 2, "Oh", 2, STYLE_PLAIN));
			cr_expect(eq(int, cv.n_scaled, 1), "that one is forgotten");
		}
		canvas_release(&cv);
	}
}

Test(canvas, has_room_for_so_much_scaled_text)
{
	char longer[SCALED_BYTES + 1];
	struct canvas cv;
	cr_assert(zero(
		int, canvas_init(&cv, 2 * MOST_SCALED + 2, 2 * SCALED_BYTES + 2, GLYPHS_LINES)));
	cv.scales = true;
	memset(longer, 'x', sizeof longer);
	cr_expect(not(canvas_scaled(&cv, 0, 0, 2, longer, SCALED_BYTES, STYLE_PLAIN)));
	for (int i = 0; i <= MOST_SCALED; i++)
		cr_expect(eq(int, canvas_scaled(&cv, 2 * i, 0, 2, "x", 1, STYLE_PLAIN),
				  i < MOST_SCALED),
			"%d", i);
	canvas_release(&cv);
}

/* A box stands beside the row that is spared, where there is more room; else over it. */
Test(canvas, a_box_spares_a_row)
{
	static const struct {
		struct rect part;
		int rows, spared;
		struct rect box;
	} cases[] = {
		{ { 2, 0, 20, 80 }, 5, -1, { 2, 20, 5, 40 } }, /* no row */
		{ { 2, 0, 20, 80 }, 5, 25, { 2, 20, 5, 40 } }, /* one below all of it */
		{ { 2, 0, 20, 80 }, 5, 3, { 4, 20, 5, 40 } },  /* one row above it, 18 below */
		{ { 2, 0, 20, 80 }, 5, 20, { 2, 20, 5, 40 } }, /* 18 above it: it is not reached */
		{ { 2, 0, 6, 80 }, 5, 6, { 2, 20, 4, 40 } },   /* four above, one below */
		{ { 2, 0, 6, 80 }, 5, 3, { 4, 20, 4, 40 } },   /* one above, four below */
		{ { 2, 0, 6, 80 }, 50, -1, { 2, 20, 6, 40 } }, /* larger than the part */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct rect box =
			overlay_place(cases[i].part, cases[i].rows, 40, cases[i].spared);
		cr_expect(box.row == cases[i].box.row && box.col == cases[i].box.col &&
				  box.rows == cases[i].box.rows && box.cols == cases[i].box.cols,
			"case %zu: %d, %d, %d, %d", i, box.row, box.col, box.rows, box.cols);
	}
}

/* Words that a box would cut are cleared whole, lines and fills are not; what lies behind is dim, without fills. */
Test(canvas, a_box_cuts_no_word)
{
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 6, 24, GLYPHS_LINES)));
	for (int row = 0; row < 6; row++)
		canvas_text(&cv, row, 0, -1,
			row == 1 ? "────────────────────────" : "one two3456789012three x",
			STYLE_PLAIN, ATTR_BOLD);
	canvas_put(&cv, 5, 0, 0x2588, STYLE_SERIES, 0);
	canvas_put(&cv, 5, 1, 'a', STYLE_TINT, 0);
	canvas_put(&cv, 5, 2, 'b', STYLE_SERIES, ATTR_REVERSE);
	overlay_dim(&cv, (struct rect){ -1, -1, 9, 99 }, 0);
	cr_expect(cv.cells[0].style == STYLE_PLAIN && cv.cells[0].attr == ATTR_BOLD,
		"this row is spared");
	cr_expect(cv.cells[24].style == STYLE_DIM && cv.cells[24].attr == 0);
	cr_expect(cv.cells[5 * 24].code == ' ' && cv.cells[5 * 24 + 1].code == ' ');
	cr_expect(cv.cells[5 * 24 + 2].code == 'b' && cv.cells[5 * 24 + 2].style == STYLE_DIM);
	cr_expect(eq(int, overlay_spot(&cv, (struct rect){ 0, 0, 6, 24 }), -1));
	const struct rect in = overlay_box(&cv, (struct rect){ 1, 8, 3, 10 }, "");
	cr_expect(in.row == 2 && in.rows == 1 && in.col == 8 + 1 + OVERLAY_ROOM);
	char *text = text_of(&cv);
	cr_expect(strstr(text, "one two3456789012three x\n") == text, "%s", text);
	cr_expect(strstr(text, "\none     │        │     x\n") != NULL, "%s", text);
	free(text);
	canvas_put(&cv, 4, 3, 0x25b8, STYLE_ACCENT, ATTR_BOLD);
	cr_expect(eq(int, overlay_spot(&cv, (struct rect){ 0, 0, 6, 24 }), 4));
	cr_expect(eq(int, overlay_spot(&cv, (struct rect){ 0, 4, 6, 99 }), -1));
	canvas_release(&cv);
}
