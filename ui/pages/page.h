/* A page of Markdown, laid out for a width: lines of styled spans, with the places where live
 * figures stand. CommonMark through libcmark, GFM pipe tables by one small pass over its tree.
 * Laying out is pure: same text, width and environment, same page. No line is wider than asked for
 * (code and tables wrap, they are never cut in silence). */
#ifndef RIDGE_UI_PAGES_PAGE_H
#define RIDGE_UI_PAGES_PAGE_H

#include "sims/base/arena.h"
#include "ui/term/canvas.h"

#include <stddef.h>
#include <stdint.h>

struct page_span {
	const char *text; /* UTF-8, no newline */
	enum style style;
	unsigned attr;
	int link;     /* index into links, or -1 */
	int computed; /* index into computed, or -1 */
	int term;     /* index into terms, counted from 1; 0: none */
};
struct page_line {
	struct page_span *spans;
	size_t n_spans;
	int indent;     /* columns before the first span */
	int figure;     /* index into figures when this line is a row of one, or -1 */
	int figure_row; /* which row of it */
	int fold;       /* the open fold that it belongs to, from 1; or 0 */
	int stands_for; /* the closed fold that it stands for, from 1; or 0 */
	size_t row;     /* where it stands; lines are in reading order, whatever their rows */
	int col;        /* of the page; 0, but beside the text */
	size_t aside;   /* what stands together there has one number, from 1; 0: it is text */
};
/* The lines of a row: that of the text and the one beside it, or NO_LINE. */
#define NO_LINE SIZE_MAX
struct page_row {
	size_t text, beside;
};
/* A figure beside the text, with its caption and the link below it: n lines that stand together. Its fence is
 * in front of row `home`, and the rows of the text from one on to before another are about it. */
struct page_aside {
	size_t first, n;
	size_t home, from, end;
	size_t figure;
};
/* A table, from its head on, or a listing: n lines that are best seen together. */
struct page_whole {
	size_t line, n;
};
struct page_heading {
	int level; /* 1..6 */
	const char *text;
	const char *anchor; /* GitHub's rule: lower case, words joined by '-' */
	size_t line;
	int fold; /* the closed fold that hides it, from 1; or 0. Its line is then that fold's */
};
struct page_link {
	/* "sim:roofline gpu=h100", "01-roofline.md#ridge", a URL; "fold:3" opens or closes a fold */
	const char *target;
	const char *text;
	size_t line;
};
/* A fenced block whose info string is `sim NAME knob=value ...`. */
struct page_figure {
	const char *setting; /* "roofline gpu=h100" */
	size_t line;         /* of its first row */
	int rows;            /* 0: hidden in a closed fold */
	int shown;           /* so many of them have a place; all, but beside the text */
};
/* Blocks that are hidden until the reader asks for them (ui/pages/page_fold.h). */
struct page_fold {
	const char *label; /* "Answer" */
	size_t line;       /* its first; of a closed one, the line that stands for it */
	size_t n_lines;    /* from there on */
	bool open;
	struct page_line *hidden; /* what a closed one does not show, for searches */
	size_t n_hidden;
};
/* A code span `=formula name=value ...` and what it came to. */
struct page_computed {
	const char *source; /* without the '=' */
	const char *result;
	bool failed;
	size_t line;
};
/* The first mention of a term outside headings, code and links. */
struct page_term {
	size_t entry; /* in env->terms */
	size_t line;  /* where it begins */
};

/* The columns of a page in which live figures stand beside the text. None: they stand in it. */
struct page_beside {
	int col, cols;
};

struct page {
	struct arena arena;
	int width; /* of the text */
	struct page_beside beside;
	const char *title; /* the first heading */
	struct page_line *lines;
	size_t n_lines, cap_lines;
	struct page_row *rows;
	size_t n_rows;
	struct page_aside *asides;
	size_t n_asides, cap_asides;
	struct page_whole *wholes;
	size_t n_wholes, cap_wholes;
	struct page_heading *headings;
	size_t n_headings, cap_headings;
	struct page_link *links;
	size_t n_links, cap_links;
	struct page_figure *figures;
	size_t n_figures, cap_figures;
	struct page_computed *computed;
	size_t n_computed, cap_computed;
	struct page_term *terms;
	size_t n_terms, cap_terms;
	struct page_fold *folds;
	size_t n_folds, cap_folds;
};

struct glossary;

/* What a page asks of the engine. Each function may be NULL: spans then show their source,
 * fences their code, and a printed page shows the setting of a figure instead of the figure. */
struct page_env {
	const void *context;
	/* Result of a computed span as people read it ("4.29 GB"); 0, or -1 with a reason in
	 * buf. */
	int (*compute)(const void *context, const char *source, char *buf, size_t size);
	/* Rows that a figure of this setting takes at a width; -1: no such simulation (the fence is
	 * then shown as code). */
	int (*figure_rows)(const void *context, const char *setting, int width);
	/* Draws the figure of a setting in r, for pages that are printed; 0, or -1: it failed. */
	int (*draw_figure)(
		const void *context, const char *setting, struct canvas *cv, struct rect r);
	/* The figure of a setting in words, in an arena; NULL: there is no such simulation. */
	const char *(*describe)(const void *context, const char *setting, struct arena *a);
	/* The link below the first figure of each simulation: its text, and where it leads, both in
	 * the arena; NULL: there is none. */
	const char *(*below_figure)(
		const void *context, const char *setting, const char **target, struct arena *a);
	/* The page will be read out by a screen reader: figures are in words where `describe` can,
	 * tables row by row with their heads, and there are no rules and bars. */
	bool aloud;
	/* Puts what the engine writes into the Markdown (ui/pages/formula_sheet.h): the new
	 * text, in an arena, and its length in *bytes; NULL: out of memory. Where expand is
	 * NULL, the Markdown stays as it is. */
	const char *(*expand)(const void *context, const char *markdown, size_t *bytes, bool ascii,
		struct arena *a);
	/* Whether the reader has opened a fold; each then has a mark that opens and closes it.
	 * NULL: the page is printed, with all folds open, or with all left out but a line. */
	bool (*is_open)(const void *context, size_t fold);
	bool folded;
	/* The terms that are marked where the page has them first (ui/pages/glossary.h), or
	 * NULL. */
	const struct glossary *terms;
	/* Figures stand beside the text: col is at least the page's width. */
	struct page_beside beside;
	/* Measure text as ASCII glyphs show it ("->" for an arrow): set it when the page will be
	 * drawn in a canvas with GLYPHS_ASCII, or lines may be clipped there. */
	bool ascii;
	/* No blank line between a heading of this level or a deeper one and what it is of; 0: there is
	 * always one. */
	int tight;
	/* A rule behind each heading, so that sections are told apart without reading. */
	bool ruled;
};

/* 0; or -1 when out of memory or when the Markdown has more than 64 MiB (the page is then empty).
 * width is at least 20. env may be NULL. */
int page_layout(
	struct page *p, const char *markdown, size_t bytes, int width, const struct page_env *env);
void page_release(struct page *p);

#endif
