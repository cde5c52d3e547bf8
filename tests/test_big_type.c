/* Large type: which characters it has, and what they look like in half blocks. */
#include "ui/term/big_type.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

/* Draws text in so many columns and gives the canvas as lines of text; *rows: those it took. */
static char *drawn(const char *text, int cols, enum glyphs glyphs, int *rows)
{
	struct canvas cv;
	char *out = NULL;
	size_t size;
	cr_assert(zero(int, canvas_init(&cv, 8, cols, glyphs)));
	*rows = big_text_draw(&cv, (struct rect){ 0, 0, 8, cols }, text, STYLE_PLAIN);
	FILE *f = open_memstream(&out, &size);
	canvas_write_text(&cv, f);
	fclose(f);
	canvas_release(&cv);
	return out;
}

Test(big_type, has_all_of_ascii)
{
	for (char c = ' '; c <= '~'; c++) {
		char text[2] = { c, '\0' };
		cr_expect(big_type_has(TYPE_TEXT, text), "%c", c);
	}
	cr_expect(big_type_has(TYPE_TEXT, "·→×≥≤µᵀ²±…"));
	cr_expect(not(big_type_has(TYPE_TEXT, "語")));
	cr_expect(not(big_type_has(TYPE_LARGE, "a")));
}

/* H is #.# #.# ### #.# #.#, i is # . # # #, two rows of dots in a row of cells. */
Test(big_type, a_word_in_half_blocks)
{
	int rows;
	char *text = drawn("Hi", 5, GLYPHS_LINES, &rows);
	cr_expect(eq(int, rows, 3));
	cr_expect(strncmp(text, "█ █ ▀\n█▀█ █\n▀ ▀ ▀\n", strlen("█ █ ▀\n█▀█ █\n▀ ▀ ▀\n")) == 0,
		"%s", text);
	free(text);
}

/* The second line begins seven rows of dots further down, in the lower half of a cell. */
Test(big_type, lines_do_not_touch)
{
	static const char both[] = "█ █ ▀\n█▀█ █\n▀ ▀ ▀\n▄ ▄ ▄\n█▄█ ▄\n█ █ █\n";
	int rows;
	char *text = drawn("Hi Hi", 8, GLYPHS_LINES, &rows);
	/* 2 x 7 - 1 rows of dots */
	cr_expect(eq(int, rows, 7));
	cr_expect(strncmp(text, both, strlen(both)) == 0, "%s", text);
	free(text);
}

Test(big_type, ends_lines_at_words_but_not_behind_a_number)
{
	/* "Hi" takes five columns; a gap, a blank of two and a gap stand between. */
	cr_expect(eq(int, big_text_lines("Hi Hi", 14), 1));
	cr_expect(eq(int, big_text_lines("Hi Hi", 13), 2));
	cr_expect(eq(int, big_text_lines("Hi Hi", 4), 0));
	cr_expect(eq(int, big_text_lines("", 20), 0));
	/* "ii 4 ms" in two lines is "ii" and "4 ms" (16 columns), though "ii 4" (10) would fit. */
	cr_expect(eq(int, big_text_lines("ii 4 ms", 16), 2));
	cr_expect(eq(int, big_text_lines("ii 4 ms", 15), 0));
}

Test(big_type, ascii_and_strange_letters_are_left_to_others)
{
	int rows;
	free(drawn("Hi", 9, GLYPHS_ASCII, &rows));
	cr_expect(zero(int, rows));
	free(drawn("語", 9, GLYPHS_LINES, &rows));
	cr_expect(zero(int, rows));
}

/* A digit of five by five dots is ten wide and five rows of cells high at twice the size. */
Test(big_type, double_numbers)
{
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 5, 22, GLYPHS_LINES)));
	cr_expect(eq(int, big_type_cols(TYPE_DOUBLE, "11"), 22));
	cr_expect(eq(int,
		big_type_draw(&cv, (struct rect){ 0, 0, 5, 22 }, TYPE_DOUBLE, "11", STYLE_PLAIN),
		5));
	/* The foot of a 1 is three dots: columns 2 to 7. */
	cr_expect(eq(u32, cv.cells[4 * 22 + 1].code, ' '));
	cr_expect(eq(u32, cv.cells[4 * 22 + 2].code, 0x2588));
	cr_expect(eq(u32, cv.cells[4 * 22 + 7].code, 0x2588));
	cr_expect(eq(u32, cv.cells[4 * 22 + 8].code, ' '));
	cr_expect(zero(int,
		big_type_draw(&cv, (struct rect){ 0, 0, 5, 21 }, TYPE_DOUBLE, "11", STYLE_PLAIN)));
	canvas_release(&cv);
}

/* A terminal that draws text larger is left to, in the rows that the blocks would take; not what it
 * has no room for: 16 characters in squares of three need 48 columns, in two lines of 8, 24. */
Test(big_type, the_terminal_draws_what_it_can)
{
	static const struct {
		int cols, lines;
		const char *first;
	} rows[] = { { 120, 1, "the GPU waits on" }, { 46, 2, "the GPU" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct canvas cv;
		const char *text = "the GPU waits on";
		cr_assert(zero(int, canvas_init(&cv, 10, rows[i].cols, GLYPHS_BRAILLE)));
		cv.scales = true;
		int lines = big_text_lines(text, rows[i].cols);
		cr_assert(eq(int, lines, rows[i].lines), "row %zu", i);
		cr_expect(eq(int,
			big_text_draw(
				&cv, (struct rect){ 0, 0, 10, rows[i].cols }, text, STYLE_PLAIN),
			big_text_rows(lines)));
		cr_assert(eq(int, cv.n_scaled, lines));
		cr_expect(eq(str, cv.scaled[0].text, (char *)rows[i].first));
		for (int n = 0; n < cv.n_scaled; n++) {
			cr_expect(eq(int, cv.scaled[n].row, 3 * n));
			cr_expect(canvas_shows_scaled(&cv, &cv.scaled[n]));
		}
		canvas_put(&cv, 2, 4, 'x', STYLE_PLAIN, 0);
		cr_expect(canvas_shows_scaled(&cv, &cv.scaled[0]) == false);
		canvas_release(&cv);
	}
}

/* Each too narrow or too low by one, without a form for a letter, or of small letters in ASCII. A blank is
 * no type. */
Test(big_type, what_does_not_fit_is_not_drawn)
{
	static const enum type_size sizes[] = { TYPE_TEXT, TYPE_LARGE, TYPE_DOUBLE };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct canvas cv;
		cr_assert(zero(int, canvas_init(&cv, 30, 60, GLYPHS_LINES)));
		const int rows = big_type_rows(sizes[i], GLYPHS_LINES),
			  cols = big_type_cols(sizes[i], "12");
		cr_expect(eq(int,
			big_type_draw(&cv, (struct rect){ 0, 0, rows, cols }, sizes[i], "12",
				STYLE_PLAIN),
			rows));
		cr_expect(zero(int, big_type_draw(&cv, (struct rect){ 0, 0, rows - 1, cols },
					    sizes[i], "12", STYLE_PLAIN)));
		cr_expect(zero(int, big_type_draw(&cv, (struct rect){ 0, 0, rows, cols - 1 },
					    sizes[i], "12", STYLE_PLAIN)));
		cr_expect(zero(int, big_type_draw(&cv, (struct rect){ 0, 0, 30, 60 }, sizes[i],
					    "語", STYLE_PLAIN)));
		cv.glyphs = GLYPHS_ASCII;
		cr_expect(eq(int,
			big_type_draw(&cv, (struct rect){ 0, 0, 30, 60 }, sizes[i], "12",
				STYLE_PLAIN) > 0,
			sizes[i] != TYPE_TEXT));
		canvas_release(&cv);
	}
	cr_expect(zero(int, big_type_cols(TYPE_TEXT, "")));
	cr_expect(zero(int, big_text_lines("  ", 40)));
	cr_expect(zero(int, big_text_lines("語", 40)));
	cr_expect(zero(int, big_text_lines("Hi", 1)));
	cr_expect(zero(int, big_text_rows(0)));
}
