/* Figures beside the text of a page: examples worked by hand, and laws over all pages. */
#include "tests/explorer.h"
#include "tests/page_shown.h"
#include "ui/live/live_knobs.h"
#include "ui/pages/page_draw.h"
#include "ui/pages/page_place.h"
#include "ui/term/canvas.h"
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
		"One two.\n"
		"\n"
		"Three four five six     What it shows.\n"
		"seven eight nine.       a0\n"
		"                        a1\n"
		"Ten.                    a2\n"
		"\n"
		"Eleven.\n");
}

/* Four rows, and only one line of text after them: up by three, and on to the paragraph there. */
Test(page_beside, a_figure_moves_up_beside_its_section)
{
	expect_layout("## A\n\nOne.\n\nTwo.\n\n```sim fig 4\n```\n\nThree.\n\n## B\n\nFour.\n",
		"A\n"
		"\n"
		"One.                    a0\n"
		"                        a1\n"
		"Two.                    a2\n"
		"                        a3\n"
		"Three.\n"
		"\n"
		"B\n"
		"\n"
		"Four.\n");
	/* By one row would do, but that is the blank one: it begins where a paragraph does. */
	expect_layout(
		"## A\n\nOne.\n\nTwo three four five six seven.\n\n```sim fig 2\n```\n\n## B\n",
		"A\n"
		"\n"
		"One.\n"
		"\n"
		"Two three four five     a0\n"
		"six seven.              a1\n"
		"\n"
		"B\n");
}

/* Text of 30 rows and then a heading; the figure of four is at home in row 10. */
Test(page_beside, a_figure_slides_to_where_it_is_seen_whole)
{
	static const struct {
		size_t top, rows, at;
	} rows[] = {
		{ 0, 20, 0 },                   /* beside its heading */
		{ 5, 20, 5 },                   /* or at the top, where that is above the window, */
		{ 0, 10, 10 },                  /* not before its text is in sight */
		{ 0, 11, 0 }, { 0, 3, 10 },     /* it is larger than the window */
		{ 12, 10, 12 },                 /* down, with who reads on */
		{ 20, 10, 20 },                 /* as long as its section lasts, */
		{ 26, 10, 26 }, { 27, 10, 10 }, /* and then no part of it */
	};
	char text[1200] = "";
	struct page p;
	const struct page_env env = { .figure_rows = rows_asked, .beside = { 24, 30 } };
	for (int i = 0; i < 15; i++)
		strcat(text, i == 5 ? "```sim fig 4\n```\n\nText.\n\n" : "Text.\n\n");
	strcat(text, "## Next\n\nText.\n\nText.\n\nText.\n\nText.\n\nText.\n\nText.\n");
	cr_assert(zero(int, page_layout(&p, text, strlen(text), 20, &env)));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		page_slide(&p, rows[i].top, rows[i].rows);
		cr_expect(eq(sz, page_row_of(&p, p.figures[0].line), rows[i].at), "row %zu", i);
		for (size_t k = 0; k < 4; k++)
			cr_expect(eq(sz, p.rows[rows[i].at + k].beside, p.figures[0].line + k));
	}
	page_release(&p);
}

/* Six rows of a figure, or all of a smaller one, stand beside its own section. */
Test(page_beside, the_next_section_waits_for_the_first_rows_of_a_figure)
{
	expect_layout("## A\n\nOne.\n\n```sim fig 5\n```\n\n## B\n\nTwo.\n",
		"A\n"
		"\n"
		"One.                    a0\n"
		"                        a1\n"
		"                        a2\n"
		"                        a3\n"
		"                        a4\n"
		"\n"
		"B\n"
		"\n"
		"Two.\n");
	expect_layout("## A\n\nOne.\n\n```sim fig 9\n```\n\n## B\n\nTwo.\n",
		"A\n"
		"\n"
		"One.                    a0\n"
		"                        a1\n"
		"                        a2\n"
		"                        a3\n"
		"                        a4\n"
		"                        a5\n"
		"                        a6\n"
		"B                       a7\n"
		"                        a8\n"
		"Two.\n");
	/* Headings of lower levels do not wait. */
	expect_layout("### A\n\nOne.\n\n```sim fig 5\n```\n\n### B\n\nTwo.\n",
		"A\n"
		"\n"
		"One.                    a0\n"
		"                        a1\n"
		"B                       a2\n"
		"                        a3\n"
		"Two.                    a4\n");
}

Test(page_beside, a_figure_stands_below_the_one_before)
{
	expect_layout(
		"One.\n\n```sim fig 6\n```\n\nTwo.\n\n```sim fig 3\n```\n\nThree.\n\nFour.\n\n"
		"Five.\n\nSix.\n",
		"One.                    a0\n"
		"                        a1\n"
		"Two.                    a2\n"
		"                        a3\n"
		"Three.                  a4\n"
		"                        a5\n"
		"Four.\n"
		"                        b0\n"
		"Five.                   b1\n"
		"                        b2\n"
		"Six.\n");
}

/* The second figure would stand 17 rows below its place (row 4): it stands in the text. */
Test(page_beside, a_figure_that_would_be_far_stands_in_the_text)
{
	struct page p;
	static const char markdown[] =
		"One.\n\n```sim fig 20\n```\n\nTwo.\n\n```sim fig 2\n```\n\nThree.\n";
	const struct page_env env = { .figure_rows = rows_asked, .beside = { 24, 30 } };
	cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), 20, &env)));
	cr_assert(eq(sz, p.n_figures, 2));
	cr_expect(eq(sz, page_row_of(&p, p.figures[0].line), 0));
	cr_expect(eq(int, p.lines[p.figures[0].line].col, 24));
	cr_expect(eq(sz, page_row_of(&p, p.figures[1].line), 4));
	cr_expect(eq(int, p.lines[p.figures[1].line].col, 0));
	cr_expect(eq(sz, page_row_of(&p, p.n_lines - 1), 7), "the text after it");
	cr_expect(eq(sz, p.n_rows, 20));
	/* A row where no text stands begins with its row of the figure. */
	const size_t line = page_line_at(&p, 10);
	cr_expect(eq(int, p.lines[line].figure_row, 10));
	cr_expect(eq(sz, page_row_of(&p, line), 10));
	page_release(&p);
}

/* Code of 30 columns goes below the figure of the section before; in the section of the figure
 * it is wrapped. */
Test(page_beside, wide_code_waits_for_a_figure_of_an_earlier_section)
{
	static const char code[] = "    for i in range(1000): step()\n";
	char markdown[256];
	snprintf(
		markdown, sizeof markdown, "## A\n\nOne.\n\n```sim fig 9\n```\n\n## B\n\n%s", code);
	expect_layout(markdown, "A\n"
				"\n"
				"One.                    a0\n"
				"                        a1\n"
				"                        a2\n"
				"                        a3\n"
				"                        a4\n"
				"                        a5\n"
				"                        a6\n"
				"B                       a7\n"
				"                        a8\n"
				"  for i in range(1000): step()\n");
}

/* Cells of 14 columns do not fit a text of 20 side by side. */
Test(page_beside, a_wide_table_stays_whole_where_no_figure_is)
{
	static const char table[] = "| a | b |\n|---|---|\n| aaaa bbbb cccc | dddd eeee ffff |\n\n";
	char markdown[256];
	snprintf(markdown, sizeof markdown, "%s```sim fig 4\n```\n\nOne.\n", table);
	expect_layout(markdown, "a               b\n"
				"──────────────────────────────\n"
				"aaaa bbbb cccc  dddd eeee ffff\n"
				"\n"
				"One.                    a0\n"
				"                        a1\n"
				"                        a2\n"
				"                        a3\n");
	/* Readable columns are 10 and 10, and 2 between them: beside a figure, rows are records. */
	snprintf(markdown, sizeof markdown, "```sim fig 9\n```\n\n%s", table);
	expect_layout(markdown, "a: aaaa bbbb cccc       a0\n"
				"b: dddd eeee ffff       a1\n"
				"                        a2\n"
				"                        a3\n"
				"                        a4\n"
				"                        a5\n"
				"                        a6\n"
				"                        a7\n"
				"                        a8\n");
}

Test(page_beside, a_long_line_of_code_stays_whole_where_no_figure_is)
{
	expect_layout("    for i in range(1000): step()\n\n```sim fig 2\n```\n\nOne.\n",
		"  for i in range(1000): step()\n"
		"\n"
		"One.                    a0\n"
		"                        a1\n");
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
		(char *)"One.\n"
			"\n"
			"▸ Answer: Enter         a0\n"
			"  opens it              a1\n"
			"                        a2\n"
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
		if (p->beside.cols && line_end_col(line) > p->beside.col)
			cr_expect(
				eq(sz, p->rows[line->row].beside, NO_LINE), "%s: line %zu", id, i);
		cr_expect(line_end_col(line) <=
				  (p->beside.cols ? p->beside.col + p->beside.cols : p->width),
			"%s: line %zu", id, i);
	}
	/* No two lines have the same place, or one of them would be missing from the rows. */
	for (size_t row = 0; row < p->n_rows; row++)
		all += (p->rows[row].text != NO_LINE) + (p->rows[row].beside != NO_LINE);
	cr_expect(eq(sz, all + out, p->n_lines), "%s", id);
	cr_expect(beside == 0 || p->beside.cols > 0, "%s", id);
}

/* The rows of the section of level 1 or 2 that a line is in. */
static void section_of(const struct page *p, size_t line, size_t *from, size_t *end)
{
	*from = 0;
	*end = p->n_rows;
	for (size_t i = 0; i < p->n_headings; i++) {
		const struct page_heading *h = &p->headings[i];
		if (h->level > 2 || h->fold)
			continue;
		const size_t row = page_row_of(p, h->line);
		if (h->line <= line) {
			*from = row;
		} else {
			*end = row;
			return;
		}
	}
}

/* What stands together with a figure, from its caption on. */
static const struct page_aside *aside_of(const struct page *p, size_t line)
{
	for (size_t i = 0; i < p->n_asides; i++)
		if (p->asides[i].first <= line && line < p->asides[i].first + p->asides[i].n)
			return &p->asides[i];
	return NULL;
}

static void expect_own_text(struct explorer *e)
{
	const struct page *p = &page_seen(e->app)->page;
	for (size_t i = 0; i < p->n_figures; i++) {
		const struct page_figure *f = &p->figures[i];
		const char *id = page_seen(e->app)->id;
		size_t from, end, texts = 0;
		if (!f->rows)
			continue;
		const struct page_aside *a = aside_of(p, f->line);
		if (!a)
			continue;
		const size_t top = a->home, last = top + a->n - 1;
		section_of(p, f->line, &from, &end);
		cr_expect(eq(sz, page_row_of(p, f->line + (size_t)f->rows - 1),
			page_row_of(p, f->line) + (size_t)f->rows - 1));
		cr_expect(le(sz, from, top), "%s: %s", id, f->setting);
		/* Six of its rows, or all of a smaller one, are beside it. */
		cr_expect(last < end || top + 6 <= end, "%s: %s", id, f->setting);
		for (size_t row = top; row <= last; row++)
			texts +=
				p->rows[row].text != NO_LINE && p->lines[p->rows[row].text].n_spans;
		cr_expect(lt(sz, 0, texts), "%s: %s", id, f->setting);
	}
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

/* Whoever reads on by Space sees each figure whole that there is room for, and no part of it elsewhere. */
static size_t expect_whole(struct explorer *e)
{
	static bool seen[MAX_PAGE_FIGURES * 2];
	const struct page_view *v = page_seen(e->app);
	const struct page *p = &v->page;
	const size_t rows = (size_t)page_view_rows(e->app);
	size_t n = 0;
	memset(seen, 0, sizeof seen);
	cr_assert(le(sz, p->n_asides, sizeof seen / sizeof *seen));
	for (long before = -1; before != v->scroll; explorer_press(e, "Space")) {
		const size_t top = (size_t)v->scroll;
		before = v->scroll;
		for (size_t i = 0; i < p->n_asides; i++) {
			const struct page_aside *a = &p->asides[i];
			const size_t at = p->lines[a->first].row, end = at + a->n;
			if (end <= top || at >= top + rows || a->n > rows)
				continue;
			const bool whole = top <= at && end <= top + rows;
			cr_expect(whole || page_leaves_out(p, a->first), "%s: cut at row %zu",
				v->id, top);
			seen[i] |= whole;
		}
	}
	for (size_t i = 0; i < p->n_asides; i++) {
		cr_expect(seen[i] || p->asides[i].n > rows, "%s: the figure of row %zu is not seen",
			v->id, p->asides[i].home);
		n += seen[i];
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
		figures += expect_whole(&e);
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
	long end = page_view_end(e.app);
	while (end == v->scroll + body.rows && v->scroll < page_view_last(e.app)) {
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
	cr_expect(eq(long, page_view_end(e.app), v->scroll + body.rows));
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

/* A figure may have 20 rows, or half of 57, and with it stand four knobs, its values and a blank row. */
Test(page_beside, a_tall_window_has_taller_figures)
{
	static const struct {
		int rows, cols, figure;
	} windows[] = { { 32, 100, 20 + 2 + 4 }, { 60, 200, 28 + 2 + 4 } };
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
