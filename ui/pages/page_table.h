/* Pipe tables by GitHub's rules. CommonMark reads them as paragraphs; their source lines are split
 * into cells before any inline is looked at, as GitHub does it: a pipe separates cells even inside
 * a code span, and "\|" is a pipe there too. All cells are then parsed together, as headings of a
 * second document: a heading is one line of nothing but inlines.
 *
 * On the page, columns are as wide as their text where that fits. Otherwise the widest columns
 * share what there is: all those above one level are cut to it, the highest level at which the
 * table fits, and cells are wrapped; a word is kept whole up to a limit that falls in steps. Then columns
 * of the grid are moved from one to another as long as that saves lines.
 * Where even that leaves no readable columns, each row becomes a record, "head: cell" on lines
 * of its own. */
#ifndef RIDGE_UI_PAGES_PAGE_TABLE_H
#define RIDGE_UI_PAGES_PAGE_TABLE_H

#include "ui/pages/page_glossary.h"
#include "ui/pages/page_inline.h"
#include "ui/pages/page_lines.h"

#include <cmark.h>

/* The cells of all tables of a page. */
struct pipe_tables {
	cmark_node **cells; /* inline Markdown, as headings of `document` */
	size_t n_cells;
	cmark_node *document; /* NULL: there is no table */
};

struct pipe_row {
	size_t first_cell, n_cells; /* in pipe_tables.cells */
};
struct pipe_table {
	bool has_lead; /* lines of the paragraph before the table: cell first_cell of rows[0] - 1 */
	bool rule_after;
	size_t n_columns;
	char *align;           /* 'l', 'c', 'r' or 0 a column */
	struct pipe_row *rows; /* rows[0] is the head */
	size_t n_rows, cap_rows;
};

/* Finds the tables among the paragraphs and headings of a document: the user data of such a node is
 * then its struct pipe_table, else NULL. source is terminated. To be released after layout. */
struct pipe_tables pipe_tables_find(
	cmark_node *document, const char *source, size_t bytes, struct arena *scratch);
void pipe_tables_release(struct pipe_tables *tables);

/* Where a table is laid out. */
struct table_layout {
	const struct pipe_tables *tables;
	const struct page_inlines *inlines;
	struct page_marks *marks;
	struct page_lines *lines;
};
void pipe_table_layout(const struct table_layout *on, const struct pipe_table *t);

#endif
