/* Puts lines on a page: the blank line that is due, the prefixes of quotes and lists, then
 * spans. */
#ifndef RIDGE_UI_PAGES_PAGE_LINES_H
#define RIDGE_UI_PAGES_PAGE_LINES_H

#include "ui/pages/page.h"
#include "ui/pages/page_place.h"
#include "ui/pages/page_run.h"

/* What a quote puts before its lines. */
#define PAGE_BAR "│ "

/* A quote or a list item around what is being laid out. */
struct page_frame {
	int columns;     /* of its prefix; 0 where the page is too narrow for it */
	bool bar;        /* a quote; otherwise blanks */
	bool marker_due; /* the marker stands before the first line only */
	char marker[24];
	struct page_piece look; /* of the marker */
};
enum { MAX_FRAMES = 32 };

struct page_lines {
	struct page *page;
	struct page_places places;
	struct arena *scratch;
	enum glyphs glyphs;
	bool aloud; /* the page is for a screen reader */
	struct page_frame frames[MAX_FRAMES];
	int n_frames, deeper; /* containers beyond MAX_FRAMES only count */
	int columns;          /* of all prefixes */
	int width;            /* of the lines, with their prefixes */
	/* A blank line is due, behind the prefixes of gap_frames; a figure asks for it even in a
	 * tight list. */
	bool gap, gap_fixed;
	int gap_frames;
	int indent;              /* of the line being made */
	struct page_span *spans; /* of the line being made */
	size_t n_spans, cap_spans;
	/* Of the text, while lines are put beside it (lines_aside). */
	struct page_margin {
		int n_frames, columns, gap_frames;
		bool gap;
	} text;
};

struct page_lines lines_of(struct page *p, struct arena *scratch, enum glyphs glyphs, bool aloud);

/* Enters a quote (bar) or an item of a list, and leaves it. */
void frame_push(struct page_lines *l, bool bar, const char *marker);
/* The same with a marker that is a link. */
void frame_push_look(struct page_lines *l, bool bar, const char *marker, struct page_piece look);
void frame_pop(struct page_lines *l);

/* Asks for a blank line after what stands there now. */
void line_gap_after(struct page_lines *l);
/* Puts down the blank line that is due, if any. Returns the number of the line that comes next. */
size_t line_gap(struct page_lines *l);

/* A line is begun (after the blank line that is due, behind the prefixes), filled, and ended. */
void line_begin(struct page_lines *l);
void line_span(struct page_lines *l, const char *text, size_t bytes, struct page_piece look);
void line_blanks(struct page_lines *l, int columns);
void line_range(struct page_lines *l, const struct page_run *run, struct page_range r);
void line_end(struct page_lines *l);

/* What comes now stands beside the text, without the prefixes of the text; and in the text again. */
void lines_aside(struct page_lines *l);
void lines_back(struct page_lines *l);

/* The lines from one on, after the blank ones that were due, are a table or a listing. */
void lines_whole(struct page_lines *l, size_t first);

/* Columns left for text. */
int lines_width(const struct page_lines *l);
/* Wraps a range behind the prefixes; lines after the first are `hang` columns further in. */
void lines_wrap(struct page_lines *l, const struct page_run *run, struct page_range r, int hang);
/* A rule of so many columns, in scratch; "" where memory is out. */
const char *lines_dashes(const struct page_lines *l, int columns);
void lines_rule(struct page_lines *l, int columns);

#endif
