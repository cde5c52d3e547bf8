/* What lies over a screen: an edge with room beside it, no word cut in two, and what it explains in
 * sight. Laws over screens and sizes. */
#include "tests/explorer.h"
#include "ui/term/overlay.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const int sizes[][2] = { { 12, 40 }, { 24, 80 }, { 32, 100 }, { 48, 160 }, { 60, 200 } };
static const char *const places[] = { "home", "gpu", "scaling", "latency", "drill", "stats" };
enum { N_SIZES = sizeof sizes / sizeof *sizes, N_PLACES = sizeof places / sizeof *places };

static struct cell cell(const struct canvas *cv, int row, int col)
{
	return row < 0 || row >= cv->rows || col < 0 || col >= cv->cols
		       ? (struct cell){ .code = ' ' }
		       : cv->cells[row * cv->cols + col];
}

static bool is_letter(struct cell c)
{
	return (c.code >= '0' && c.code <= '9') || (c.code >= 'A' && c.code <= 'Z') ||
	       (c.code >= 'a' && c.code <= 'z');
}

/* The box by its upper left and lower right corners; those of a curve behind it are dim. */
static struct rect box_in(const struct canvas *cv)
{
	struct rect box = { -1, -1, 0, 0 };
	for (int row = 0; row < cv->rows; row++)
		for (int col = 0; col < cv->cols; col++) {
			uint32_t code = cell(cv, row, col).code;
			if (cell(cv, row, col).style != STYLE_ACCENT)
				continue;
			if (code == 0x256d && box.row < 0)
				box = (struct rect){ row, col, 0, 0 };
			if (code == 0x256f) {
				box.rows = row - box.row + 1;
				box.cols = col - box.col + 1;
			}
		}
	return box;
}

/* Of a word that was there, all letters are there still or none. */
static void expect_whole_words(
	const struct canvas *before, const struct canvas *after, struct rect box, const char *place)
{
	for (int row = box.row; row < box.row + box.rows; row++)
		for (int col = 0; col + 1 < after->cols; col++) {
			const bool beside = col + 1 < box.col || col >= box.col + box.cols;
			const bool word = is_letter(cell(before, row, col)) &&
					  is_letter(cell(before, row, col + 1));
			if (beside && word)
				cr_assert(cell(after, row, col).code == ' ' ||
						  cell(after, row, col + 1).code != ' ' ||
						  !is_letter(cell(after, row, col)),
					"%s at %d columns, row %d, column %d", place, after->cols,
					row, col);
		}
}

static void expect_box(const struct canvas *cv, struct rect box, const char *place)
{
	cr_assert(box.row >= 0 && box.rows >= 3 && box.cols >= 20, "%s at %d columns", place,
		cv->cols);
	for (int row = box.row; row < box.row + box.rows; row++)
		for (int i = 1; i <= OVERLAY_ROOM; i++) {
			cr_assert(eq(u32, cell(cv, row, box.col - i).code, ' '));
			cr_assert(eq(u32, cell(cv, row, box.col + box.cols - 1 + i).code, ' '));
		}
}

Test(app_overlays, the_palette_has_an_edge_and_cuts_no_word)
{
	for (size_t i = 0; i < N_SIZES; i++)
		for (size_t p = 0; p < N_PLACES; p++) {
			struct explorer e = explorer_start(sizes[i][0], sizes[i][1], GLYPHS_LINES);
			cr_assert(explorer_open(&e, places[p]));
			struct canvas before = explorer_draw(&e);
			explorer_press(&e, ":");
			cr_assert(e.app->palette.open);
			struct canvas after = explorer_draw(&e);
			struct rect box = box_in(&after);
			expect_box(&after, box, places[p]);
			expect_whole_words(&before, &after, box, places[p]);
			/* What is behind is dim. */
			for (int row = box.row + box.rows; row < after.rows - 1; row++)
				for (int col = 0; col < after.cols; col++)
					cr_assert(cell(&after, row, col).code == ' ' ||
							  cell(&after, row, col).style == STYLE_DIM,
						"%s at %d columns, row %d", places[p], after.cols,
						row);
			canvas_release(&before);
			canvas_release(&after);
			explorer_end(&e);
		}
}

/* The row with the cursor stands as it did. */
static void expect_spared(
	const struct canvas *before, const struct canvas *after, int row, const char *what)
{
	cr_assert(le(int, 0, row), "%s", what);
	for (int col = 0; col < after->cols; col++)
		cr_assert(cell(before, row, col).code == cell(after, row, col).code,
			"%s at %d columns, row %d, column %d", what, after->cols, row, col);
}

Test(app_overlays, a_list_of_choices_leaves_its_knob_in_sight)
{
	static const char *const sims_with_lists[] = { "scaling", "roofline", "memory" };
	for (size_t i = 1; i < N_SIZES; i++)
		for (size_t k = 0; k < 3; k++) {
			struct explorer e = explorer_start(sizes[i][0], sizes[i][1], GLYPHS_LINES);
			cr_assert(explorer_open(&e, sims_with_lists[k]));
			for (int turns = 0; turns < 7; turns++) {
				struct canvas before = explorer_draw(&e);
				const struct rect body = { 2, 0, before.rows - 3, before.cols };
				explorer_press(&e, "Enter");
				if (e.app->palette.open) {
					struct canvas after = explorer_draw(&e);
					expect_box(&after, box_in(&after), sims_with_lists[k]);
					expect_spared(&before, &after, overlay_spot(&before, body),
						sims_with_lists[k]);
					canvas_release(&after);
				}
				canvas_release(&before);
				explorer_press(&e, "Esc");
				if (!app_live(e.app))
					break;
				explorer_press(&e, "j");
			}
			explorer_end(&e);
		}
}

/* Every number of the first screens of a page keeps its own row when its formula is shown. */
Test(app_overlays, a_formula_leaves_its_number_in_sight)
{
	for (size_t i = 1; i < N_SIZES; i++) {
		struct explorer e = explorer_start(sizes[i][0], sizes[i][1], GLYPHS_LINES);
		int shown = 0;
		cr_assert(explorer_open(&e, "gpu"));
		for (int tab = 0; tab < 12; tab++) {
			explorer_press(&e, "Tab");
			struct canvas before = explorer_draw(&e);
			explorer_press(&e, "=");
			struct canvas after = explorer_draw(&e);
			const struct rect box = box_in(&after);
			for (int k = 0; box.row >= 0 && k < before.rows * before.cols; k++) {
				const struct cell *was = &before.cells[k];
				const int row = k / before.cols;
				if (was->style != STYLE_ACCENT || !(was->attr & ATTR_BOLD) ||
					was->code == ' ' || row < 3 || row == before.rows - 1)
					continue;
				cr_expect(eq(u32, after.cells[k].code, was->code), "Tab %d", tab);
			}
			shown += box.row >= 0;
			if (box.row >= 0)
				explorer_press(&e, "=");
			canvas_release(&before);
			canvas_release(&after);
		}
		cr_expect(lt(int, 3, shown), "numbers at %d columns", sizes[i][1]);
		explorer_end(&e);
	}
}

/* Above, below or beside a row: by hand. */
Test(app_overlays, a_box_spares_a_row)
{
	static const struct {
		int rows, spared, top, height;
	} cases[] = {
		{ 6, -1, 2, 6 }, { 6, 20, 2, 6 }, /* nothing is in the way */
		{ 6, 4, 5, 6 },                   /* two rows above, 17 below */
		{ 30, 10, 11, 11 },               /* as high as there is room below */
		{ 30, 15, 2, 13 },                /* above */
	};
	const struct rect body = { 2, 1, 20, 78 };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rect box = overlay_place(body, cases[i].rows, 40, cases[i].spared);
		cr_expect(eq(int, box.row, cases[i].top), "case %zu", i);
		cr_expect(eq(int, box.rows, cases[i].height), "case %zu", i);
		cr_expect(eq(int, box.col, 20));
	}
}

/* The help and the contents of a page are boxes as the palette is, in every window. */
Test(app_overlays, help_and_contents_have_an_edge_and_cut_no_word)
{
	static const struct {
		const char *place, *key;
	} rows[] = { { "home", "?" }, { "gpu", "?" }, { "scaling", "?" }, { "drill", "?" },
		{ "stats", "?" }, { "gpu", "t" } };
	for (size_t i = 0; i < N_SIZES; i++)
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
			struct explorer e = explorer_start(sizes[i][0], sizes[i][1], GLYPHS_LINES);
			cr_assert(explorer_open(&e, rows[k].place));
			struct canvas before = explorer_draw(&e);
			explorer_press(&e, rows[k].key);
			struct canvas after = explorer_draw(&e);
			struct rect box = box_in(&after);
			expect_box(&after, box, rows[k].place);
			expect_whole_words(&before, &after, box, rows[k].place);
			canvas_release(&before);
			canvas_release(&after);
			explorer_end(&e);
		}
}

/* Of what is behind the help only crumbs would be left, above, below and beside it. */
Test(app_overlays, nothing_is_left_around_the_help)
{
	static const char *const behind[] = { "home", "numbers", "scaling", "stats" };
	for (size_t i = 0; i < N_SIZES; i++)
		for (size_t k = 0; k < sizeof behind / sizeof *behind; k++) {
			struct explorer e = explorer_start(sizes[i][0], sizes[i][1], GLYPHS_LINES);
			cr_assert(explorer_open(&e, behind[k]));
			explorer_press(&e, "?");
			struct canvas cv = explorer_draw(&e);
			const struct rect box = box_in(&cv);
			for (int row = 2; row < cv.rows - 1; row++)
				for (int col = 0; col < cv.cols; col++) {
					const bool in = row >= box.row &&
							row < box.row + box.rows &&
							col >= box.col && col < box.col + box.cols;
					cr_expect(in || cv.cells[row * cv.cols + col].code == ' ',
						"%s: row %d, column %d", behind[k], row, col);
				}
			canvas_release(&cv);
			explorer_end(&e);
		}
}

/* What a line of the screen has, in this order. */
static bool in_one_line(const char *text, const char *first, const char *second)
{
	for (const char *at = text; (at = strstr(at, first)); at++) {
		const char *next = strstr(at, second);
		if (next && next < at + strcspn(at, "\n"))
			return true;
	}
	return false;
}

/* Whether the row above the box's lower edge has words in the accent: there, only headings have it. */
static bool ends_in_a_heading(const struct explorer *e)
{
	struct canvas cv = explorer_draw(e);
	const struct rect box = box_in(&cv);
	const struct cell *last = &cv.cells[(box.row + box.rows - 2) * cv.cols];
	bool heading = false;
	for (int i = box.col + 1; i < box.col + box.cols - 1; i++)
		heading |= last[i].style == STYLE_ACCENT && last[i].code != ' ';
	canvas_release(&cv);
	return heading;
}

/* The keys stand under what they are for; where the window is wide, in columns and all at once. */
Test(app_overlays, the_help_is_in_groups)
{
	static const struct {
		int rows, cols;
		const char *
			beside; /* what the second or third column begins with; NULL: there is one */
		bool whole;
	} windows[] = { { 24, 80, NULL, false }, { 32, 100, "Look closer", true },
		{ 48, 160, "Move", true } };
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
		struct explorer e = explorer_start(windows[i].rows, windows[i].cols, GLYPHS_LINES);
		cr_assert(explorer_open(&e, "scaling"));
		explorer_press(&e, "?");
		char *text = explorer_text(&e);
		const char *beside = windows[i].beside;
		cr_expect(in_one_line(text, "Here first", beside ? beside : "Move") == !!beside,
			"%s", text);
		bool whole = strstr(text, "more: j") == NULL;
		cr_expect(whole == windows[i].whole, "%s", text);
		cr_expect(explorer_shows(&e, "Here first") && explorer_shows(&e, "Turn a knob"),
			"%s", text);
		/* Whole windows of keys: no heading is the last thing in sight, at any place. */
		for (int k = 0; k < 12; k++, explorer_press(&e, "j"))
			cr_expect(not(ends_in_a_heading(&e)), "window %zu, %d down", i, k);
		free(text);
		explorer_press(&e, "G");
		cr_expect(explorer_shows(&e, "leave ridge"), "window %zu", i);
		cr_expect(explorer_shows(&e, "more: j") == false, "window %zu", i);
		explorer_end(&e);
	}
}
