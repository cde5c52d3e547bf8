/* Text with styled pieces: the form of all inline Markdown between the parser and the lines of a
 * page. A run is one string and a list of where its look changes; it is broken into lines as
 * plain text is (ui/term/textwrap.h), and each line then takes its pieces along. */
#ifndef RIDGE_UI_PAGES_PAGE_RUN_H
#define RIDGE_UI_PAGES_PAGE_RUN_H

#include "sims/base/arena.h"
#include "ui/term/canvas.h"
#include "ui/term/textwrap.h"

/* How text looks and what it belongs to: until the next piece begins. */
struct page_piece {
	size_t begin;
	enum style style;
	unsigned attr;
	int link, computed; /* or -1 */
	int term;           /* from 1; or 0 */
};
/* A piece that is neither a link nor a computed number nor a term. */
#define PLAIN_PIECE(s) ((struct page_piece){ 0, (s), 0, -1, -1, 0 })

/* Text in which '\n' is a hard break; it has no other control character. */
struct page_run {
	struct arena_buffer text;
	enum glyphs glyphs; /* with which it is measured */
	struct page_piece *pieces;
	size_t n_pieces, cap_pieces;
};
struct page_range {
	size_t begin, end;
};

struct page_run run_in(struct arena *a, enum glyphs glyphs);
void run_clear(struct page_run *run);
struct page_range run_whole(const struct page_run *run);
/* Appends bytes of UTF-8; control characters become U+FFFD. run_text folds white space into
 * single blanks, as a paragraph does; run_code keeps blanks. `look.begin` is not read. */
void run_text(struct page_run *run, const char *text, size_t bytes, struct page_piece look);
void run_code(struct page_run *run, const char *text, size_t bytes, struct page_piece look);
void run_break(struct page_run *run);
/* Index of the piece that holds a byte. */
size_t run_piece(const struct page_run *run, size_t at);
void run_copy(struct page_run *run, const struct page_run *from, struct page_range r);
/* The text of a range, hard breaks as blanks, in an arena. */
const char *run_string(const struct page_run *run, struct page_range r, struct arena *a);

/* Lines of a range, one a call. left.width may change between two lines. */
struct page_wrap {
	struct text_breaker left;
};
struct page_wrap wrap_begin(const struct page_run *run, struct page_range r, int width);
/* The next line without the blanks at its ends, and the columns it takes; false at the end. */
bool wrap_next(struct page_wrap *w, struct page_range *line, int *columns);
/* Code: nothing is dropped; lines end at '\n' or where the width does, if possible after a
 * blank. */
bool wrap_code_next(struct page_wrap *w, struct page_range *line, int *columns);
/* Columns of the widest line when nothing is wrapped, and of the longest word. */
int range_width(const struct page_run *run, struct page_range r);
int range_word_width(const struct page_run *run, struct page_range r);

#endif
