/* Tables in pages: which text is one, and how it fits in the columns there are. */
#include "tests/page_shown.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* GitHub's rules for pipe tables, at 40 columns. */
static const struct {
	const char *markdown, *text;
} rows[] = {
	/* head, delimiter row, rows */
	{ "| foo | bar |\n| --- | --- |\n| baz | bim |", "foo  bar\n────────\nbaz  bim\n" },
	/* outer pipes may be left out; columns need not line up */
	{ "foo | a\n-|-\nlonger | b", "foo     a\n─────────\nlonger  b\n" },
	/* alignment */
	{ "| left | right | centre |\n|:--|--:|:-:|\n| a | b | c |",
		"left  right  centre\n───────────────────\na         b    c\n" },
	/* an escaped pipe is a pipe, in code and emphasis too */
	{ "| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |",
		"f|oo\n──────\nb | az\nb | im\n" },
	/* a pipe that is not escaped ends its cell, even in code */
	{ "| a | b |\n|--|--|\n| `x|y` |", "a   b\n──────\n`x  y`\n" },
	/* the table ends at another block */
	{ "| a |\n|---|\n| b |\n> quote", "a\n─\nb\n\n│ quote\n" },
	/* and at a blank line, but not at a line without pipes */
	{ "| a | b |\n|---|---|\n| c | d |\ne\n\nf", "a  b\n────\nc  d\ne\n\nf\n" },
	/* head and delimiter row must have as many cells: otherwise a paragraph */
	{ "| a | b |\n| --- |\n| c |", "| a | b | | --- | | c |\n" },
	/* too few cells: the rest is empty; too many: they are ignored */
	{ "| a | b |\n|---|---|\n| c |\n| d | e | f |", "a  b\n────\nc\nd  e\n" },
	/* no rows */
	{ "| a | b |\n|---|---|", "a  b\n────\n" },
	/* the paragraph before the table is not one of its rows */
	{ "Some text\nof two lines\n| a |\n|---|\n| b |", "Some text of two lines\n\na\n─\nb\n" },
	/* "---" below is a rule, not a heading */
	{ "| a |\n|---|\n| b |\n---\n", "a\n─\nb\n\n────────────────────────────────────────\n" },
	{ "Head\n---", "Head\n" },
	/* inside quotes and items */
	{ "> | a | b |\n> |---|---|\n> | c | d |", "│ a  b\n│ ────\n│ c  d\n" },
	{ "- x\n\n  | a | b |\n  |---|---|\n  | c | d |", "• x\n\n  a  b\n  ────\n  c  d\n" },
	{ "1. | a | b |\n   |---|---|\n   | c | d |", "1. a  b\n   ────\n   c  d\n" },
	/* what looks like a block in a cell is text */
	{ "| a | b | c | d |\n|-|-|-|-|\n| # x | - y | > z | 1. w |\n| x # | C# | ## | --- |",
		"a    b    c    d\n───────────────────\n"
		"# x  - y  > z  1. w\nx #  C#   ##   ---\n" },
	/* an empty head is not shown */
	{ "| | |\n|-|-|\n| a | b |", "a  b\n" },
	{ "| a |\n|---|\n| b<br>c |", "a\n─\nb\nc\n" },
	{ "| a | b |\r\n|---|---|\r\n| c | d |\r\n", "a  b\n────\nc  d\n" },
	/* wide and combining characters */
	{ "| 缓存 | b |\n|--|--|\n| e\u0301 | c |", "缓存  b\n───────\ne\u0301     c\n" },
	/* not tables */
	{ "a | b", "a | b\n" },
	{ "| a |\n| -x- |", "| a | | -x- |\n" },
	{ "```\n| a |\n|---|\n```", "  | a |\n  |---|\n" },
};

Test(page_table, follows_githubs_rules)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = shown(rows[i].markdown, 40);
		cr_expect(eq(str, text, (char *)rows[i].text), "row %zu", i);
		free(text);
	}
}

Test(page_table, wraps_the_widest_column)
{
	char *text =
		shown("| GPU | Peak | Note |\n|:--|--:|--|\n| H100 | 989 | words that go on and on "
		      "until they wrap |\n| A100 | 312 | short |",
			32);
	cr_expect(eq(str, text,
		"GPU   Peak  Note\n"
		"────────────────────────────────\n"
		"H100   989  words that go on and\n"
		"            on until they wrap\n"
		"A100   312  short\n"));
	free(text);
}

Test(page_table, becomes_records_where_columns_would_be_too_narrow)
{
	char *text = shown("| Name | Meaning | Use |\n|--|--|--|\n| `kv` | the cache of keys | "
			   "inference only |\n| [x](y) | |",
		20);
	cr_expect(eq(str, text,
		"Name: kv\n"
		"Meaning: the cache\n"
		"  of keys\n"
		"Use: inference only\n"
		"\n"
		"Name: x\n"));
	free(text);
}

Test(page_table, resolves_references_and_numbers_in_cells)
{
	static const char markdown[] =
		"| [ref] | x |\n|--|--|\n| `=cache` | *emph* |\n\n[ref]: there\n";
	struct page p;
	for (int width = 20; width < 80; width += 50) {
		cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), width, &engine)));
		cr_assert(eq(sz, p.n_links, 1));
		cr_expect(eq(str, (char *)p.links[0].target, "there"));
		cr_expect(eq(sz, p.links[0].line, 0));
		cr_assert(eq(sz, p.n_computed, 1));
		cr_expect(eq(sz, p.computed[0].line, 2));
		page_release(&p);
	}
}

/* 60 columns of text do not fit: whatever the shape, each cell is there once at least. */
Test(page_table, loses_no_cell_at_any_width)
{
	for (int columns = 1; columns <= 60; columns++)
		for (int width = 20; width <= 200; width += 60) {
			char markdown[4096] = "", cell[16];
			for (int row = 0; row < 3; row++) {
				for (int c = 0; c < columns; c++) {
					snprintf(cell, sizeof cell, row == 1 ? "|-" : "|w%dx%dz",
						row, c);
					strcat(markdown, cell);
				}
				strcat(markdown, "|\n");
			}
			char *text = shown(markdown, width);
			for (int i = 0; i < columns * 2; i++) {
				snprintf(cell, sizeof cell, "w%dx%dz", i % 2 * 2, i / 2);
				cr_expect(strstr(text, cell) != NULL, "%s of %d in %d", cell,
					columns, width);
			}
			free(text);
		}
}
