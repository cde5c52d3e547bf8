/* Figures beside the text of a page: examples worked by hand, and laws over all pages. */
#include "tests/explorer.h"
#include "tests/page_shown.h"
#include "ui/live/live_knobs.h"
#include "ui/pages/page_draw.h"
#include "ui/pages/page_place.h"
#include "ui/term/canvas.h"
#include "ui/views/figure_view.h"
#include "ui/screens/page/page_view.h"
#include "ui/shell/layout.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>

/* --- by hand ------------------------------------------------------------------------------ */

/* "fig 4" takes 4 rows, whatever its width. */
static int rows_asked(const void *context, const char *setting, int width)
{
	(void)context;
	(void)width;
	return strncmp(setting, "fig ", 4) == 0 ? atoi(setting + 4) : -1;
}

/* The rows of a page, text of 20 columns and figures from column 24 on, each row of a figure as its
 * letter (the first is a) and its number. To be freed. */
static char *laid_out(const char *markdown, struct page_env env)
{
	struct page p;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	setlocale(LC_CTYPE, "C.UTF-8");
	env.figure_rows = rows_asked;
	env.beside = (struct page_beside){ 24, 30 };
	if (!f || page_layout(&p, markdown, strlen(markdown), 20, &env))
		abort();
	for (size_t row = 0; row < p.n_rows; row++) {
		const size_t both[] = { p.rows[row].text, p.rows[row].beside };
		int col = 0;
		for (size_t i = 0; i < 2; i++) {
			if (both[i] == NO_LINE)
				continue;
			const struct page_line *line = &p.lines[both[i]];
			if (line->col)
				col += fprintf(f, "%*s", line->col - col, "");
			col += fprintf(f, "%*s", line->indent, "");
			if (line->figure >= 0)
				fprintf(f, "%c%d", 'a' + line->figure, line->figure_row);
			for (size_t j = 0; j < line->n_spans; j++) {
				fputs(line->spans[j].text, f);
				col += text_width(line->spans[j].text);
			}
		}
		fputc('\n', f);
	}
	fclose(f);
	page_release(&p);
	strip_ends(text);
	return text;
}

static void expect_layout(const char *markdown, const char *want)
{
	char *got = laid_out(markdown, (struct page_env){ .figure_rows = rows_asked });
	cr_expect(eq(str, got, (char *)want), "of:\n%s", markdown);
	free(got);
}

Test(page_beside, the_text_flows_on_beside_a_figure)
{
	expect_layout("One two.\n\n```sim fig 3\nWhat it shows.\n```\n\n"
		      "Three four five six seven eight nine.\n\nTen.\n\nEleven.\n",
		"One two.                What it shows.\n"
		"                        a0\n"
		"Three four five six     a1\n"
		"seven eight nine.       a2\n"
		"\n"
		"Ten.\n"
		"\n"
		"Eleven.\n");
}

/* A heading, text, and the figure of nine rows in front of row 4; nine more lines of text with a blank row
 * each. So the section ends with row 22. In the next one figures are in front of rows 26 and 36, and the page
 * ends with row 55. */
static void expect_three(struct page *p, const char *figure)
{
	static char text[1200];
	const struct page_env env = { .figure_rows = rows_asked, .beside = { 24, 30 } };
	*text = '\0';
	for (int i = 0; i < 26; i++) {
		strcat(text, i == 0 ? "## A\n\n" : i == 10 ? "## B\n\n" : "");
		strcat(text, i == 1 || i == 11 || i == 16 ? figure : "");
		strcat(text, "Text.\n\n");
	}
	cr_assert(zero(int, page_layout(p, text, strlen(text), 20, &env)));
	cr_assert(eq(sz, p->n_asides, 3));
	cr_assert(eq(sz, p->n_rows, 55));
}

Test(page_beside, a_figure_has_the_text_from_its_heading_or_fence_on)
{
	struct page p;
	expect_three(&p, "```sim fig 9\n```\n\n");
	cr_expect(eq(sz, p.asides[0].home, 4));
	cr_expect(zero(sz, p.asides[0].from));
	cr_expect(eq(sz, p.asides[0].end, 22));
	cr_expect(eq(sz, p.asides[1].home, 26));
	cr_expect(eq(sz, p.asides[1].from, 22));
	cr_expect(eq(sz, p.asides[1].end, 36), "the second of its section begins here");
	cr_expect(eq(sz, p.asides[2].from, 36));
	cr_expect(eq(sz, p.asides[2].end, 55));
	page_release(&p);
}

/* Of a page as above, in windows of a few rows. */
Test(page_beside, a_window_shows_what_most_of_its_text_is_about)
{
	enum { NONE = 9 };
	static const struct {
		size_t top, end, rows, asked, shown;
	} rows[] = {
		{ 0, 12, 12, NO_FIGURE, 0 }, { 15, 27, 12, NO_FIGURE, 0 }, /* 7 rows and 5 */
		{ 16, 28, 12, NO_FIGURE, 0 },                              /* 6 and 6 */
		{ 17, 29, 12, NO_FIGURE, 1 },                              /* 5 and 7 */
		{ 17, 23, 12, NO_FIGURE, 0 }, /* 5 and 1: the text ends early */
		{ 17, 29, 12, 0, 0 },         /* the keys go to it */
		{ 23, 35, 12, 0, 1 },         /* but no text is about it */
		{ 31, 43, 12, NO_FIGURE, 2 }, /* 5 and 7 */
		{ 0, 8, 8, NO_FIGURE, 0 }, { 0, 7, 7, NO_FIGURE, NONE } /* 8 rows of it, or none */
	};
	struct page p;
	expect_three(&p, "```sim fig 9\n```\n\n");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct page_sight sight = { rows[i].top, rows[i].end, rows[i].rows,
			rows[i].asked };
		page_place_beside(&p, &sight);
		for (size_t k = 0; k < 3; k++) {
			const bool shown = k == rows[i].shown;
			const int has = rows[i].rows < 9 ? (int)rows[i].rows : 9;
			cr_expect(eq(int, p.figures[k].shown, shown ? has : 0), "%zu: %zu", i, k);
			cr_expect(
				page_leaves_out(&p, p.figures[k].line) == !shown, "%zu: %zu", i, k);
			if (shown)
				cr_expect(eq(sz, page_row_of(&p, p.figures[k].line), rows[i].top));
		}
	}
	page_release(&p);
}

/* A page that ends in a figure has no row behind it: its last one, "Two.", is about that. */
Test(page_beside, a_figure_behind_all_text_has_its_last_row)
{
	static const char text[] = "One.\n\n```sim fig 2\n```\n\nTwo.\n\n```sim fig 2\n```\n";
	struct page_env env = { .figure_rows = rows_asked, .beside = { 24, 30 } };
	struct page p;
	cr_assert(zero(int, page_layout(&p, text, sizeof text - 1, 20, &env)));
	cr_assert(p.n_asides == 2 && p.n_rows == 3);
	cr_expect(p.asides[0].from == 0 && p.asides[0].end == 2);
	cr_expect(p.asides[1].from == 2 && p.asides[1].end == 3);
	page_place_beside(&p, &(struct page_sight){ 0, 3, 10, 1 });
	cr_assert(ne(sz, p.rows[0].beside, NO_LINE));
	cr_expect(eq(int, p.lines[p.rows[0].beside].figure, 1));
	page_release(&p);
}

/* Of 40 rows 22 are about the first, 14 about the second, and 4 about the third. */
Test(page_beside, two_figures_share_a_window)
{
	struct page p;
	expect_three(&p, "```sim fig 9\n```\n\n");
	page_place_beside(&p, &(struct page_sight){ 0, 40, 40, NO_FIGURE });
	cr_expect(zero(sz, page_row_of(&p, p.figures[0].line)));
	cr_expect(eq(sz, page_row_of(&p, p.figures[1].line), 10), "a blank row between them");
	cr_expect(eq(int, p.figures[1].shown, 9));
	cr_expect(zero(int, p.figures[2].shown));
	page_release(&p);
	/* Larger ones have half of the rows each. */
	expect_three(&p, "```sim fig 30\n```\n\n");
	page_place_beside(&p, &(struct page_sight){ 0, 40, 40, NO_FIGURE });
	cr_expect(eq(int, p.figures[0].shown, 19));
	cr_expect(eq(sz, page_row_of(&p, p.figures[1].line), 20));
	cr_expect(eq(int, p.figures[1].shown, 20));
	page_release(&p);
}

/* Code of 30 columns is wrapped in a text of 20, and cells of 14 become records: the other columns are for
 * figures alone. */
Test(page_beside, nothing_wide_reaches_beside_the_text)
{
	expect_layout("```sim fig 4\n```\n\n    for i in range(1000): step()\n\n"
		      "| a | b |\n|---|---|\n| aaaa bbbb cccc | dddd eeee ffff |\n",
		"  for i in range(100    a0\n"
		"  ↳ 0): step()          a1\n"
		"                        a2\n"
		"a: aaaa bbbb cccc       a3\n"
		"b: dddd eeee ffff\n");
}

static bool none_is_open(const void *context, size_t fold)
{
	(void)context;
	(void)fold;
	return false;
}

/* What a closed fold hides takes no row and moves nothing. */
Test(page_beside, a_closed_fold_hides_its_figure)
{
	char *got = laid_out("One.\n\n```sim fig 3\n```\n\n<!-- fold -->\n\nTwo.\n\n"
			     "```sim fig 9\n```\n\n<!-- end -->\n\nThree.\n\nFour.\n",
		(struct page_env){ .is_open = none_is_open });
	cr_expect(eq(str, got,
		(char *)"One.                    a0\n"
			"                        a1\n"
			"▸ Answer: Enter         a2\n"
			"  opens it\n"
			"\n"
			"Three.\n"
			"\n"
			"Four.\n"));
	free(got);
}

/* --- laws over all pages ------------------------------------------------------------------ */

static int line_end_col(const struct page_line *line)
{
	int col = line->col + line->indent;
	for (size_t i = 0; i < line->n_spans; i++)
		col += text_width(line->spans[i].text);
	return col;
}

static void expect_no_overlap(struct explorer *e)
{
	const struct page *p = &page_seen(e->app)->page;
	const char *id = page_seen(e->app)->id;
	size_t beside = 0, out = 0, all = 0;
	long before = -1;
	for (size_t i = 0; i < p->n_lines; i++) {
		const struct page_line *line = &p->lines[i];
		beside += line->col > 0;
		out += page_leaves_out(p, i);
		cr_expect(line->col == 0 || line->col == p->beside.col, "%s: line %zu", id, i);
		if (line->col)
			continue;
		cr_expect(lt(long, before, (long)line->row), "%s: line %zu", id, i);
		before = (long)line->row;
		cr_expect(le(int, line_end_col(line), p->width), "%s: line %zu", id, i);
	}
	/* No two lines have the same place, or one of them would be missing from the rows. */
	for (size_t row = 0; row < p->n_rows; row++)
		all += (p->rows[row].text != NO_LINE) + (p->rows[row].beside != NO_LINE);
	cr_expect(eq(sz, all + out, p->n_lines), "%s", id);
	cr_expect(beside == 0 || p->beside.cols > 0, "%s", id);
}

/* Some text is about each figure, and all text about one. */
static void expect_own_text(struct explorer *e)
{
	const struct page *p = &page_seen(e->app)->page;
	const char *id = page_seen(e->app)->id;
	size_t end = 0;
	for (size_t i = 0; i < p->n_asides; i++) {
		const struct page_aside *a = &p->asides[i];
		cr_assert(ne(sz, a->figure, NO_FIGURE), "%s", id);
		cr_expect(eq(sz, a->from, end), "%s: %s", id, p->figures[a->figure].setting);
		cr_expect(lt(sz, a->from, a->end), "%s: %s", id, p->figures[a->figure].setting);
		end = a->end;
	}
	cr_expect(p->n_asides == 0 || end == p->n_rows, "%s", id);
}

/* Letters and digits that the page shows, and the order in which Tab goes. */
static char *inventory(const struct page *p)
{
	static struct page_item items[MAX_PAGE_ITEMS];
	char *text = NULL;
	size_t size, letters = 0;
	FILE *f = open_memstream(&text, &size);
	if (!f)
		abort();
	for (size_t i = 0; i < p->n_lines; i++)
		for (size_t j = 0; j < p->lines[i].n_spans; j++)
			for (const char *t = p->lines[i].spans[j].text; *t; t++)
				letters += isalnum((unsigned char)*t) != 0;
	fprintf(f, "%zu letters\n", letters);
	const size_t n = page_items(p, items);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%d %d\n", (int)items[i].kind, items[i].index);
	for (size_t i = 0; i < p->n_headings; i++)
		fprintf(f, "%s\n", p->headings[i].anchor);
	for (size_t i = 0; i < p->n_terms; i++)
		fprintf(f, "%zu\n", p->terms[i].entry);
	fclose(f);
	return text;
}

/* The same as in a window where figures stand in the text. */
static void expect_all_of_it(struct explorer *e)
{
	const int rows = e->app->rows, cols = e->app->cols;
	char *got = inventory(&page_seen(e->app)->page);
	app_resize(e->app, 32, 100);
	app_settle(e->app);
	const struct page *p = &page_seen(e->app)->page;
	char *want = inventory(p);
	cr_expect(eq(str, got, want), "%s", page_seen(e->app)->id);
	cr_expect(zero(int, p->beside.cols));
	cr_expect(eq(sz, p->n_rows, p->n_lines));
	for (size_t i = 0; i < p->n_lines; i++)
		cr_expect(p->lines[i].row == i && !p->lines[i].col);
	app_resize(e->app, rows, cols);
	app_settle(e->app);
	free(got);
	free(want);
}

/* Whether text in the rows says "Press `i` for the figure". */
static bool asks_for_it(const struct page *p, size_t from, size_t end)
{
	for (size_t row = from; row < end && row < p->n_rows; row++) {
		const size_t line = p->rows[row].text;
		for (size_t i = 0; line != NO_LINE && i + 1 < p->lines[line].n_spans; i++) {
			const struct page_span *key = &p->lines[line].spans[i];
			if (strcmp(key->text, "i") == 0 && strncmp(key[1].text, " for ", 5) == 0)
				return true;
		}
	}
	return false;
}

/* Whoever reads on by Space sees each figure, and by the text that asks to press its key. A window is never without one,
 * and shows none of which it has too little. */
static size_t expect_in_sight(struct explorer *e)
{
	enum { LEAST = 8 };
	static bool seen[MAX_PAGE_FIGURES];
	const struct page_view *v = page_seen(e->app);
	const struct page *p = &v->page;
	size_t n = 0;
	memset(seen, 0, sizeof seen);
	for (long before = -1; p->n_asides && before != v->scroll; explorer_press(e, "Space")) {
		const size_t top = (size_t)v->scroll, end = (size_t)page_view_end(e->app);
		size_t shown = 0;
		before = v->scroll;
		for (size_t i = 0; i < p->n_asides; i++) {
			const struct page_aside *a = &p->asides[i];
			const struct page_figure *f = &p->figures[a->figure];
			const size_t from = a->from > top ? a->from : top;
			const size_t to = a->end < end ? a->end : end;
			cr_expect(f->shown == 0 || f->shown == f->rows || f->shown >= LEAST);
			cr_expect(f->shown || !asks_for_it(p, from, to),
				"%s: %s is not seen from row %zu on", v->id, f->setting, top);
			seen[a->figure] |= f->shown > 0;
			shown += f->shown > 0;
		}
		cr_expect(lt(sz, 0, shown), "%s: no figure from row %zu on", v->id, top);
	}
	for (size_t i = 0; i < p->n_asides; i++) {
		cr_expect(seen[p->asides[i].figure], "%s: the figure of row %zu is not seen", v->id,
			p->asides[i].home);
		n += seen[p->asides[i].figure];
	}
	return n;
}

/* The text of a page goes on beside figures: it waits six rows at most, with a blank one before and after. */
static void expect_no_wait(struct explorer *e)
{
	const struct page *p = &page_seen(e->app)->page;
	for (size_t row = 0, from = 0; row < p->n_rows; row++) {
		const size_t line = p->rows[row].text;
		if (line == NO_LINE || (!p->lines[line].n_spans && p->lines[line].figure < 0))
			continue;
		cr_expect(row <= from + 8, "%s: %zu rows before row %zu", page_seen(e->app)->id,
			row - from, row);
		from = row + 1;
	}
}

/* Opens every page, every other one with all folds open, and the others in the other window. */
static void expect_laws(int rows, int cols)
{
	size_t figures = 0;
	struct explorer e = explorer_start(rows, cols, GLYPHS_LINES);
	for (size_t i = 0; i < e.app->pages.n; i++) {
		char place[300];
		snprintf(place, sizeof place, "page:%s", e.app->pages.pages[i].id);
		cr_assert(explorer_open(&e, place));
		if (i % 2 == (cols > 160) && page_seen(e.app)->page.n_folds)
			explorer_press(&e, "a");
		expect_no_overlap(&e);
		expect_own_text(&e);
		expect_no_wait(&e);
		expect_all_of_it(&e);
		figures += expect_in_sight(&e);
	}
	cr_expect(lt(sz, 50, figures));
	explorer_end(&e);
}

Test(page_beside, all_pages_keep_the_laws_at_160x48, .description = "long")
{
	expect_laws(48, 160);
}

Test(page_beside, all_pages_keep_the_laws_at_200x60, .description = "long")
{
	expect_laws(60, 200);
}

/* Lines that are best seen together. */
struct whole {
	size_t line, n;
	bool seen;
};

/* The figures, tables and listings of a page that there is room for. Returns how many. */
static size_t list_wholes(const struct page *p, size_t room, struct whole list[], size_t size)
{
	size_t n = 0;
	cr_assert(le(sz, p->n_figures + p->n_wholes, size));
	for (size_t i = 0; i < p->n_figures; i++)
		if (!p->lines[p->figures[i].line].col)
			list[n++] = (struct whole){ p->figures[i].line, (size_t)p->figures[i].rows,
				false };
	for (size_t i = 0; i < p->n_wholes; i++)
		list[n++] = (struct whole){ p->wholes[i].line, p->wholes[i].n, false };
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (list[i].n <= room)
			list[kept++] = list[i];
	return kept;
}

/* The lines of text in rows of a page. */
static size_t texts_in(const struct page *p, size_t from, size_t end)
{
	size_t n = 0;
	for (size_t row = from; row < end && row < p->n_rows; row++) {
		const size_t line = p->rows[row].text;
		n += line != NO_LINE && (p->lines[line].n_spans || p->lines[line].figure >= 0);
	}
	return n;
}

/* The first row after that of a heading, and of what stands right below it, which has no text. */
static size_t below(const struct page *p, size_t row)
{
	while (texts_in(p, row, row + 1))
		row++;
	return row;
}

/* The row of the first heading after one that is not below it. */
static size_t next_heading(const struct page *p, size_t heading)
{
	for (size_t i = heading + 1; i < p->n_headings; i++)
		if (!p->headings[i].fold && p->headings[i].level <= p->headings[heading].level)
			return page_row_of(p, p->headings[i].line);
	return p->n_rows;
}

/* A heading that a window shows stands with two lines of its text, or with all of it. */
static void expect_no_lone_heading(const struct page_view *v, size_t top, size_t end)
{
	const struct page *p = &v->page;
	for (size_t i = 0; i < p->n_headings; i++) {
		const size_t row = page_row_of(p, p->headings[i].line);
		if (p->headings[i].fold || row <= top || row >= end)
			continue;
		const size_t text = below(p, row);
		cr_expect(texts_in(p, text, end) >= 2 || !texts_in(p, end, next_heading(p, i)),
			"%s: \"%s\" on row %zu of %zu", v->id, p->headings[i].text, row - top,
			end - top);
	}
}

/* The last line that a window shows does not end with a colon, but where nothing comes after it. */
static void expect_no_lone_lead(const struct page_view *v, size_t top, size_t end)
{
	const struct page *p = &v->page;
	size_t row = end - 1;
	while (row > top && !texts_in(p, row, row + 1))
		row--;
	const size_t line = row < p->n_rows ? p->rows[row].text : NO_LINE;
	if (line == NO_LINE || !p->lines[line].n_spans || !texts_in(p, end, p->n_rows))
		return;
	const char *text = p->lines[line].spans[p->lines[line].n_spans - 1].text;
	cr_expect(
		text[0] == 0 || text[strlen(text) - 1] != ':', "%s: row %zu: %s", v->id, row, text);
}

/* What a window shows of the list, none of it the tail of something that was seen before, but where the page
 * ends. */
static void look_at(struct whole list[], size_t n, const struct page_view *v, size_t end, bool last)
{
	const size_t top = (size_t)v->scroll;
	for (size_t k = 0; k < n; k++) {
		const size_t row = page_row_of(&v->page, list[k].line);
		cr_expect(last || !list[k].seen || row >= top || row + list[k].n <= top,
			"%s: line %zu again", v->id, list[k].line);
		list[k].seen |= row >= top && row + list[k].n <= end;
	}
}

/* Whoever reads on by Space sees all of the text, each figure in it whole, each table and each listing, and
 * no heading without text. Returns how many are seen whole. */
static size_t expect_read_by_space(struct explorer *e)
{
	static bool seen[20000];
	struct whole list[400];
	const struct page_view *v = page_of(e->app);
	const size_t n = list_wholes(
		&v->page, (size_t)page_view_rows(e->app), list, sizeof list / sizeof *list);
	cr_assert(lt(sz, v->page.n_rows, sizeof seen / sizeof *seen));
	memset(seen, 0, sizeof seen);
	for (long before = -1; before != v->scroll; explorer_press(e, "Space")) {
		const size_t top = (size_t)v->scroll, end = (size_t)page_view_end(e->app);
		before = v->scroll;
		expect_no_lone_heading(v, top, end);
		expect_no_lone_lead(v, top, end);
		/* Ten rows: of the begin of a figure, or of headings above that of a table. */
		cr_expect(le(long, v->scroll + page_view_rows(e->app), (long)end + 10),
			"%s: empty from row %zu on", v->id, end - top);
		look_at(list, n, v, end, v->scroll == page_view_last(e->app));
		for (size_t row = top; row < end; row++)
			seen[row] = true;
	}
	for (size_t row = 0; row < v->page.n_rows; row++)
		cr_expect(
			seen[row] || !texts_in(&v->page, row, row + 1), "%s: row %zu", v->id, row);
	for (size_t k = 0; k < n; k++)
		cr_expect(list[k].seen, "%s: line %zu and the %zu below", v->id, list[k].line,
			list[k].n - 1);
	return n;
}

static void expect_windows(int rows, int cols)
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_LINES);
	size_t all = 0;
	for (size_t i = 0; i < e.app->pages.n; i++) {
		char place[300];
		snprintf(place, sizeof place, "page:%s", e.app->pages.pages[i].id);
		cr_assert(explorer_open(&e, place));
		explorer_press(&e, "G g"); /* what the first frame left for later is there */
		all += expect_read_by_space(&e);
	}
	cr_expect(lt(sz, 100, all));
	explorer_end(&e);
}

Test(page_beside, windows_cut_nothing_at_100x32, .description = "long")
{
	expect_windows(32, 100);
}

Test(page_beside, windows_cut_nothing_at_80x24, .description = "long")
{
	expect_windows(24, 80);
}

Test(page_beside, windows_cut_nothing_at_160x48, .description = "long")
{
	expect_windows(48, 160);
}

Test(page_beside, windows_cut_nothing_at_200x60, .description = "long")
{
	expect_windows(60, 200);
}

/* --- in the explorer ---------------------------------------------------------------------- */

Test(page_beside, only_wide_windows_and_pages_with_figures_have_it)
{
	static const struct {
		const char *page;
		int cols, beside; /* 80 columns of text and gap, and a margin of 2 at both sides */
	} rows[] = { { "page:gpu", 149, 0 }, { "page:gpu", 150, 66 }, { "page:gpu", 160, 76 },
		{ "page:gpu", 200, 100 }, { "page:numbers", 200, 0 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = explorer_start(48, rows[i].cols, GLYPHS_LINES);
		cr_assert(explorer_open(&e, rows[i].page));
		cr_expect(eq(int, page_seen(e.app)->page.beside.cols, rows[i].beside));
		explorer_end(&e);
	}
}

/* Tab to the first figure, turn its first knob, and click another one. */
Test(page_beside, a_figure_beside_the_text_is_alive)
{
	struct explorer e = explorer_start(48, 160, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:mistakes"));
	struct page_view *p = page_of(e.app);
	struct page_item items[MAX_PAGE_ITEMS];
	const size_t n = page_items(&p->page, items);
	size_t to = 0;
	while (to < n && items[to].kind != ITEM_FIGURE)
		to++;
	cr_assert(lt(sz, to, n));
	for (size_t i = 0; i <= to; i++)
		explorer_press(&e, "Tab");
	cr_assert(page_view_figure(p) == &p->figures[0]);
	const long row = (long)page_row_of(&p->page, p->page.figures[0].line) - p->scroll;
	const struct rect body = frame_layout(48, 160).body;
	cr_expect(row >= 0 && row + p->page.figures[0].rows <= body.rows, "all of it is in sight");
	explorer_press(&e, "l");
	cr_expect(eq(sz, p->figures[0].n_undo, 1));
	/* The page scrolls under the mouse, but over a knob the wheel turns it. */
	const struct rect knobs = page_view_knobs(p, body, 0);
	const struct rect text = page_view_column(p, body);
	cr_expect(eq(int, knobs.col, text.col + 80));
	explorer_press(&e, "Esc");
	cr_assert(page_view_figure(p) == NULL);
	app_wheel(e.app, -1, knobs.row, knobs.col + 4);
	app_settle(e.app);
	cr_expect(page_view_figure(p) == &p->figures[0]);
	const long scroll = p->scroll;
	app_wheel(e.app, 1, knobs.row, text.col + 4);
	app_settle(e.app);
	cr_expect(lt(long, scroll, p->scroll));
	explorer_end(&e);
}

/* The first window that ends early: its rows below the end are empty, and what is left out there is in the
 * next one. A line further down all rows are there. */
Test(page_beside, a_heading_is_left_to_the_next_window)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	const struct rect body = frame_layout(24, 80).body;
	cr_assert(explorer_open(&e, "page:gpu"));
	struct page_view *v = page_of(e.app);
	const long rows = page_view_rows(e.app);
	long end = page_view_end(e.app);
	while (end == v->scroll + rows && v->scroll < page_view_last(e.app)) {
		explorer_press(&e, "Space");
		end = page_view_end(e.app);
	}
	cr_assert(lt(long, v->scroll, page_view_last(e.app)));
	struct canvas cv = explorer_draw(&e);
	for (long row = end; row < v->scroll + body.rows; row++)
		for (int col = 0; col < cv.cols; col++) {
			const size_t i = (size_t)(body.row + row - v->scroll) * (size_t)cv.cols +
					 (size_t)col;
			cr_expect(cv.cells[i].code == ' ' || !cv.cells[i].code, "column %d", col);
		}
	canvas_release(&cv);
	const long scroll = v->scroll;
	explorer_press(&e, "j k");
	cr_expect(eq(long, v->scroll, scroll));
	cr_expect(eq(long, page_view_end(e.app), end), "the same window once more");
	explorer_press(&e, "j");
	cr_expect(eq(long, page_view_end(e.app), v->scroll + rows));
	explorer_press(&e, "k Space");
	cr_expect(le(long, v->scroll, end), "it begins there, or with rows that are seen again");
	cr_expect(lt(long, end + 2, page_view_end(e.app)));
	explorer_end(&e);
}

/* What a caption says is so before a turn; after it, its rows say what the turn did, and the values what they
 * were. */
Test(page_beside, a_caption_says_what_a_turn_did)
{
	static const char caption[] = "A 7B model, 4 x 2,048 tokens on each of eight H100";
	struct explorer e = explorer_start(48, 160, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:distributed#what-sharding-leaves"));
	cr_expect(explorer_shows(&e, caption));
	cr_expect(not(explorer_shows(&e, ", was ")));
	explorer_press(&e, "i l");
	cr_expect(explorer_shows(&e, "ZeRO stage none → 1: peak"));
	cr_expect(explorer_shows(&e, ", was "));
	cr_expect(not(explorer_shows(&e, caption)));
	explorer_press(&e, "u");
	cr_expect(explorer_shows(&e, caption));
	cr_expect(not(explorer_shows(&e, ", was ")));
	explorer_end(&e);
}

/* Where it fits a row, what the figure computes leads in bold, above what the page says of it. */
Test(page_beside, the_figures_own_sentence_leads_its_caption)
{
	struct explorer e = explorer_start(48, 160, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:gpu"));
	char *text = explorer_text(&e);
	const char *headline = strstr(text, "operations wait for memory"),
		   *caption = strstr(text, "Each large mark is an");
	cr_assert(headline && caption, "%s", text);
	cr_expect(headline < caption, "%s", text);
	cr_expect(not(explorer_shows(&e, "layer, backward")), "the values are in the sentence");
	free(text);
	explorer_end(&e);
}

/* Parts of a figure that its rows show, above its four knobs or fewer, its values and a blank row. */
static size_t parts_shown(const struct page_view *v, size_t figure)
{
	const struct live *s = &v->figures[figure];
	const struct page_figure *f = &v->page.figures[figure];
	const struct figure_state state = { .first_block = s->first_block, .more = "Enter" };
	const int knobs = s->sim->n_knobs < 4 ? (int)s->sim->n_knobs : 4;
	const struct page_line *at = &v->page.lines[f->line];
	const int cols = at->col ? v->page.beside.cols : v->page.width;
	return figure_shown(&s->figure, f->shown - knobs - 2, cols, &state);
}

/* The most rows that a figure may have in a window: those of 20 and what stands with them, or less where so many
 * have no room. */
static bool is_full(const struct page_view *v, size_t figure)
{
	return v->page.figures[figure].shown >= v->figure_rows + 2;
}

/* What a figure showed before a turn of its first knob it shows after it, as far as there is room. */
static void expect_kept_parts(int rows, int cols, size_t least)
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_LINES);
	size_t turned = 0;
	for (size_t i = 0; i < e.app->pages.n; i++) {
		char place[300];
		snprintf(place, sizeof place, "page:%s", e.app->pages.pages[i].id);
		cr_assert(explorer_open(&e, place));
		struct page_view *v = page_of(e.app);
		for (size_t k = 0; k < v->n_figures; k++) {
			explorer_press(&e, "i");
			if (page_view_figure(v) != &v->figures[k])
				break;
			const size_t before = parts_shown(v, k), n = v->figures[k].figure.n_blocks;
			explorer_press(&e, "l");
			cr_expect(parts_shown(v, k) >= before ||
					  v->figures[k].figure.n_blocks < n || is_full(v, k),
				"%s: %s at %dx%d", v->id, v->page.figures[k].setting, cols, rows);
			turned++;
		}
	}
	cr_expect(le(sz, least, turned));
	explorer_end(&e);
}

Test(page_beside, a_turn_takes_no_part_away_at_100x32, .description = "long")
{
	expect_kept_parts(32, 100, 50);
}

Test(page_beside, a_turn_takes_no_part_away_at_160x48, .description = "long")
{
	expect_kept_parts(48, 160, 50);
}

/* From 16 GPUs on there is a third way, and so a third bar. */
Test(page_beside, bars_that_prove_a_sentence_stay_after_a_turn)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:distributed"));
	explorer_press(&e, "i");
	cr_expect(explorer_shows(&e, "Time of each way: 14 GB over 8 GPUs"));
	explorer_press(&e, "l");
	cr_expect(explorer_shows(&e, "Time of each way: 14 GB over 16 GPUs"));
	cr_expect(explorer_shows(&e, "hierarchical"));
	cr_expect(explorer_shows(&e, "message"), "its knobs are in sight");
	explorer_press(&e, "l l");
	cr_expect(explorer_shows(&e, "Time of each way: 14 GB over 64 GPUs"));
	explorer_end(&e);
}

/* Of 28 rows a figure in the text has 19, so that a caption of two stands over it; beside the text it has all of the 56
 * but for three of a caption and a link. With it stand four
 * knobs, its values and a blank row. */
Test(page_beside, a_tall_window_has_taller_figures)
{
	static const struct {
		int rows, cols, figure;
	} windows[] = { { 32, 100, 28 - 2 - 3 - 4 + 2 + 4 }, { 60, 200, 56 - 3 - 3 - 4 + 2 + 4 } };
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
		struct explorer e = explorer_start(windows[i].rows, windows[i].cols, GLYPHS_LINES);
		int most = 0;
		cr_assert(explorer_open(&e, "page:gpu"));
		explorer_press(&e, "G g");
		const struct page *p = &page_seen(e.app)->page;
		for (size_t k = 0; k < p->n_figures; k++)
			most = p->figures[k].rows > most ? p->figures[k].rows : most;
		cr_expect(eq(int, most, windows[i].figure));
		explorer_end(&e);
	}
}

/* Who goes into a figure sees all of it in a small window: what it says, the first and the last of its knobs, and
 * what to do with them. Turned, the knob in focus is named. */
Test(page_beside, a_figure_says_what_to_do_with_it)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:gpu"));
	explorer_press(&e, "i");
	cr_expect(explorer_shows(&e, "6 of 10 operations wait for memory"));
	cr_expect(explorer_shows(&e, "Try: l and h turn GPU. Watch: waits for memory "));
	cr_expect(explorer_shows(&e, "the layer (5)"));
	explorer_press(&e, "j");
	cr_expect(explorer_shows(&e, "Try: l and h turn attention."));
	explorer_press(&e, "Esc");
	cr_expect(explorer_shows(&e, "Try: i, then l and h turn attention."));
	/* What is for sale says so itself; a reading is asked for. */
	cr_assert(explorer_open(&e, "page:interview"));
	explorer_press(&e, "i i");
	cr_expect(explorer_shows(&e, "Try: l to buy: profile. Watch: left to spend $"));
	cr_assert(explorer_open(&e, "page:profiling"));
	explorer_press(&e, "i i i i");
	cr_expect(explorer_shows(&e, "Try: l to ask: trace. Watch: points to win "));
	explorer_end(&e);
}

/* The link below a figure, in its column. */
Test(page_beside, a_link_beside_the_text_is_followed_by_a_click)
{
	struct explorer e = explorer_start(48, 160, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:mistakes"));
	struct page_view *p = page_of(e.app);
	const struct rect text = page_view_column(p, frame_layout(48, 160).body);
	size_t i = 0;
	while (i < p->page.n_links && !p->page.lines[p->page.links[i].line].col)
		i++;
	cr_assert(lt(sz, i, p->page.n_links));
	p->scroll = (long)page_row_of(&p->page, p->page.links[i].line) - 9;
	app_settle(e.app);
	const long row = (long)page_row_of(&p->page, p->page.links[i].line); /* it slides */
	app_click(e.app, text.row + (int)(row - p->scroll), text.col + p->page.beside.col + 2);
	app_settle(e.app);
	cr_expect(ne(int, (int)e.app->screen, SCREEN_PAGE));
	explorer_end(&e);
}

/* Words of a caption, which stand beside the text, are found, and those after them too. */
Test(page_beside, a_search_goes_through_captions_and_text)
{
	struct explorer e = explorer_start(48, 160, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:mistakes"));
	const struct page *p = &page_seen(e.app)->page;
	size_t hits = 0, visits = 0;
	for (long at = -1; (at = page_find(p, "time", at, false)) >= 0;)
		hits++;
	cr_assert(lt(sz, 3, hits));
	explorer_press(&e, "/");
	explorer_type(&e, "time");
	explorer_press(&e, "Enter");
	const size_t first = page_seen(e.app)->found;
	do {
		visits++;
		explorer_press(&e, "n");
	} while (page_seen(e.app)->found != first && visits < 2 * hits);
	cr_expect(eq(sz, visits, hits));
	explorer_end(&e);
}

/* From a narrow window to a wide one and back: the line on top stays, and a bookmark on it. */
Test(page_beside, resizing_keeps_the_place)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:serving"));
	struct page_view *p = page_of(e.app);
	explorer_press(&e, "PgDn PgDn PgDn PgDn PgDn PgDn PgDn PgDn PgDn");
	const long scroll = p->scroll;
	const struct page_spot top = page_view_top(e.app);
	for (int i = 0; i < 3; i++) {
		app_resize(e.app, 48, 160);
		app_settle(e.app);
		const struct page_spot now = page_view_top(e.app);
		cr_expect(lt(int, 0, p->page.beside.cols));
		cr_expect(eq(str, (char *)now.anchor, (char *)top.anchor));
		cr_expect(eq(long, now.letters, top.letters));
		app_resize(e.app, 32, 100);
		app_settle(e.app);
		cr_expect(eq(long, p->scroll, scroll));
	}
	explorer_end(&e);
}

/* What the first frame shows stays; figures whose place is below it may come up beside its text. The
 * title says how much is left. */
static void expect_kept(const struct canvas *first, const struct canvas *last, const char *what)
{
	for (int row = 1; row < first->rows; row++)
		for (int col = 0; col < first->cols; col++) {
			const size_t i = (size_t)row * (size_t)first->cols + (size_t)col;
			const uint32_t was = first->cells[i].code, is = last->cells[i].code;
			const bool beside = col >= 2 + 76;
			cr_assert(was == is || (beside && (was == ' ' || was == 0)),
				"%s: row %d, column %d", what, row, col);
		}
}

Test(page_beside, a_first_frame_stays_when_the_rest_is_there, .description = "long")
{
	struct explorer e = explorer_start(48, 160, GLYPHS_BRAILLE);
	for (size_t i = 0; i < e.app->pages.n; i++) {
		char place[300];
		snprintf(place, sizeof place, "page:%s", e.app->pages.pages[i].id);
		e.app->hurried = true;
		cr_assert(explorer_open(&e, place));
		struct canvas first = explorer_draw(&e);
		e.app->hurried = false;
		app_work(e.app);
		app_settle(e.app);
		struct canvas last = explorer_draw(&e);
		if (page_seen(e.app)->page.beside.cols)
			expect_kept(&first, &last, place);
		canvas_release(&first);
		canvas_release(&last);
	}
	explorer_end(&e);
}
