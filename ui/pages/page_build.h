/* Inside the page renderer: a run is inline Markdown as plain text with styled pieces, wrap breaks
 * it into lines, the builder puts lines on the page behind the prefixes of quotes and lists. */
#ifndef RIDGE_UI_PAGES_PAGE_BUILD_H
#define RIDGE_UI_PAGES_PAGE_BUILD_H

#include "ui/pages/page.h"

#include <cmark.h>

/* What a quote puts before its lines. */
#define PAGE_BAR "│ "

/* One element more for an array that grows in an arena: the array, moved when it was full; NULL
 * when memory is out, and then the arena has failed. */
void *page_room(struct arena *a, void *array, size_t n, size_t *cap, size_t size);
#define PAGE_PUSH(arena, owner, array, count, room, ...)                                           \
	do {                                                                                       \
		void *grown = page_room(arena, (owner)->array, (owner)->count, &(owner)->room,     \
			sizeof *(owner)->array);                                                   \
		if (grown) {                                                                       \
			(owner)->array = grown;                                                    \
			(owner)->array[(owner)->count++] = (__VA_ARGS__);                          \
		}                                                                                  \
	} while (0)

/* How text looks and what it belongs to: until the next piece begins. */
struct piece {
	size_t begin;
	enum style style;
	unsigned attr;
	int link, computed; /* or -1 */
	int term;           /* from 1; or 0 */
};

/* Text in which '\n' is a hard break; no other control character. */
struct run {
	struct arena *arena;
	char *text;
	size_t n, cap;
	bool ascii; /* measured as ASCII glyphs show it */
	struct piece *pieces;
	size_t n_pieces, cap_pieces;
};
struct range {
	size_t begin, end;
};

/* Columns of a code point, of a text. */
int glyph_width(bool ascii, uint32_t code);
int glyphs_width(bool ascii, const char *text);

void run_clear(struct run *run);
/* Appends bytes of UTF-8; control characters become U+FFFD. run_text folds white space into
 * single blanks, as a paragraph does; run_code keeps blanks. `look.begin` is not read. */
void run_text(struct run *run, const char *text, size_t bytes, struct piece look);
void run_code(struct run *run, const char *text, size_t bytes, struct piece look);
void run_break(struct run *run);
/* Index of the piece that holds a byte. */
size_t run_piece(const struct run *run, size_t at);
void run_copy(struct run *run, const struct run *from, struct range r);
/* The text of a range, hard breaks as blanks, in an arena. */
const char *run_string(const struct run *run, struct range r, struct arena *a);

/* Lines of a range, one a call. */
struct wrap {
	const struct run *run;
	size_t at, end;
	int width; /* 2 at least */
	size_t piece;
};
struct wrap wrap_begin(const struct run *run, struct range r, int width);
/* The next line without the blanks at its ends, and the columns it takes; false at the end. */
bool wrap_next(struct wrap *w, struct range *line, int *columns);
/* Code: nothing is dropped; lines end at '\n' or where the width does, after a blank rather. */
bool wrap_code_next(struct wrap *w, struct range *line, int *columns);
/* Columns of the widest line when nothing is wrapped, and of the longest word. */
int range_width(const struct run *run, struct range r);
int range_word_width(const struct run *run, struct range r);

/* A quote or a list item around what is being laid out. */
struct frame {
	int columns;     /* of its prefix; 0 where the page is too narrow for it */
	bool bar;        /* a quote; otherwise blanks */
	bool marker_due; /* the marker stands before the first line only */
	char marker[24];
};
enum { MAX_FRAMES = 32 };

struct pipe_row {
	size_t first_cell, n_cells; /* in build.cells */
};
struct pipe_table {
	bool has_lead; /* lines of the paragraph before the table: cell first_cell of rows[0] - 1 */
	bool rule_after;
	size_t n_columns;
	char *align;           /* 'l', 'c', 'r' or 0 a column */
	struct pipe_row *rows; /* rows[0] is the head */
	size_t n_rows, cap_rows;
};

/* A hash set: anchors taken, and the number that the next of the same name gets. */
struct anchor_set {
	struct anchor {
		const char *text;
		unsigned next;
	} * slots;
	size_t n, cap; /* cap is a power of two */
};

struct build {
	struct page *page;
	const struct page_env *env;
	struct arena scratch;
	const char *source; /* the Markdown as the parser saw it */
	size_t source_bytes;
	struct frame frames[MAX_FRAMES];
	int n_frames, deeper; /* containers beyond MAX_FRAMES only count */
	int columns;          /* of all prefixes */
	bool gap, gap_fixed;  /* a blank line is due, behind the prefixes of gap_frames; a figure
				 asks for it even in a tight list */
	int gap_frames;
	int bulleted;            /* lists with bullets that are open */
	int indent;              /* of the line being made */
	struct page_span *spans; /* of the line being made */
	size_t n_spans, cap_spans;
	struct run run;
	cmark_node **cells; /* inline Markdown of table cells, as headings of a second document */
	size_t n_cells;
	struct anchor_set anchors;
	bool *met; /* terms that the page has had, by their entry */
};

/* The page is for a screen reader. */
bool build_aloud(const struct build *b);

/* page_inline.c: appends the inline children of a node in a style. */
void inline_collect(
	struct build *b, struct run *run, cmark_node *node, enum style style, unsigned attr);

/* page_terms.c: marks the terms that a range of running text mentions first. */
void terms_mark(struct build *b, struct run *run, struct range r);

/* page_block.c: the whole tree. */
void block_layout(struct build *b, cmark_node *document);

/* page_line.c. Containers: entered and left. */
void frame_push(struct build *b, bool bar, const char *marker);
void frame_pop(struct build *b);
/* The blank line that is due, if any; gives the number of the line that comes next. */
size_t line_gap(struct build *b);
/* Lines: begun (after the blank line that is due, behind the prefixes), filled, ended. */
void line_begin(struct build *b);
void line_span(struct build *b, const char *text, size_t bytes, struct piece look);
void line_blanks(struct build *b, int columns);
void line_range(struct build *b, const struct run *run, struct range r);
void line_end(struct build *b);
/* Wraps a range behind the prefixes; lines after the first are `hang` columns further in. */
void block_wrap(struct build *b, const struct run *run, struct range r, int hang);
void block_rule(struct build *b, int columns);
/* Columns left for text. */
int block_width(const struct build *b);

/* page_code.c: a code block's text, lightly highlighted by the language of its info string. */
void code_collect(struct run *run, const char *text, const char *info);

/* page_table.c: finds pipe tables among the paragraphs (their node's user data is then a struct
 * table) and parses their cells into *cells_document, which the caller frees after layout. */
void pipe_table_find(struct build *b, cmark_node *document, cmark_node **cells_document);
void pipe_table_layout(struct build *b, const struct pipe_table *t);

/* page_anchor.c: the anchor of a heading by GitHub's rule, unlike all before it. */
const char *anchor_make(struct build *b, const char *heading);
/* Lower case of a code point: Latin, Greek, Cyrillic; in every locale the same. */
uint32_t code_lower(uint32_t code);

#endif
