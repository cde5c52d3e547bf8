/* A figure is data: what a simulation found, with units and meaning, never drawing orders. The same
 * figure is drawn in a canvas, printed as text, and written as JSON or CSV.
 *
 * Time is data too: a figure holds a whole run, and the front end moves a playhead over every
 * timeline, every grid with frames, and every plot whose x axis is marked as time.
 *
 * Everything is owned by the figure's arena. Running out of memory is the only failure and is
 * sticky in fig->arena.failed, as ferror() is: every function here takes a NULL receiver and then
 * does nothing, so that a simulation need not ask. Strings are copied. */
#ifndef RIDGE_FIGURE_H
#define RIDGE_FIGURE_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* What a thing means; the theme knows what it looks like. */
enum role { ROLE_PLAIN, ROLE_DIM, ROLE_GOOD, ROLE_WARN, ROLE_BAD, ROLE_ACCENT };

/* What a part of a picture stands for. A colour is a meaning: the theme has one for each, the same in
 * every picture, and no simulation picks a colour. What is only told apart from its neighbours
 * (three networks, four policies) is a kind: MEANS_KIND + 0..7. What has an order (1 of 8 to 8 of 8)
 * is a level: MEANS_LEVEL + 0..7, from little to much. Small images are MEANS_GREY + 0..7, from
 * black to white. */
enum meaning {
	MEANS_KIND,
	MEANS_COMPUTE = MEANS_KIND + 8, /* useful work: products, forward, decode */
	MEANS_TRAFFIC,                  /* data moved through memory: copies, prefill, HBM */
	MEANS_NETWORK,                  /* communication that somebody waits for */
	MEANS_SECOND,                   /* a second pass: backward, recomputation, verification */
	MEANS_FIXED,                    /* overhead: optimizer, launches, context, compilation */
	MEANS_WAITING,                  /* three greys, of everything that is not work: waiting, */
	MEANS_HELD,                     /* held without use (padding, reserved), */
	MEANS_FREE,                     /* and free */
	MEANS_EMPTY,                    /* nothing is there: the ground of a grid */
	MEANS_FOCUS,                    /* what the picture is about just now */
	MEANS_LEVEL,
	MEANS_GREY = MEANS_LEVEL + 8,
	N_MEANINGS = MEANS_GREY + 8,
	/* What lies in GPU memory looks the same wherever a picture shows what fills it. */
	MEANS_WEIGHTS = MEANS_KIND,
	MEANS_GRADIENTS = MEANS_SECOND,
	MEANS_OPTIMIZER = MEANS_FIXED,
	MEANS_ACTIVATIONS = MEANS_TRAFFIC,
	MEANS_LOGITS = MEANS_KIND + 3,
	MEANS_CACHE = MEANS_KIND + 2 /* keys and values */
};

/* Whether it is none of the greys. */
static inline bool meaning_is_work(enum meaning m)
{
	return m < MEANS_WAITING || m > MEANS_EMPTY;
}

/* A result. value may be INFINITY or NAN where the domain says so (the note says why). */
struct value {
	const char *id, *label, *unit;
	double value;
	enum role role;
	const char *note; /* a few words beside the number, or NULL */
};

enum axis_scale { AXIS_LINEAR, AXIS_LOG2, AXIS_LOG10 };
struct axis {
	const char *title, *unit; /* "Arithmetic intensity", "FLOP/B" */
	enum axis_scale scale;
	double min, max; /* NAN: from the data */
	/* Shown besides the data, so that an axis stays where it was; NAN: nothing. */
	double reach_lo, reach_hi;
	bool is_time;     /* the playhead moves along it */
	bool information; /* log2 ticks in Ki, Mi */
	/* The knob that moves along it (its id), and where it stands: the axis is then its slider.
	 * NULL: none. */
	const char *knob;
	double knob_at;
};

enum series_style {
	SERIES_LINE,
	SERIES_DASHED, /* a bound or an ideal */
	SERIES_STEP,   /* holds its value until the next point */
	SERIES_AREA,   /* filled down to zero */
	SERIES_POINTS  /* markers, with names where given */
};
struct point {
	double x, y;      /* a NAN breaks a line */
	const char *name; /* or NULL */
	enum role role;   /* what this marker means: GOOD compute-bound, BAD over the limit, ... */
	double low, high; /* of a marker: between which values it may lie; equal: not said */
};
struct series {
	const char *name;
	enum series_style style;
	enum meaning meaning; /* its colour and its marker */
	bool measured;        /* published points, not the model's */
	bool unlisted;        /* not named: the title or names of points say what it is */
	bool names_only; /* of points: their names stand there, and no marks, as those of slopes */
	struct point *points;
	size_t n, cap;
};

/* A line across the plot: a limit, the ridge, the present setting. */
struct rule {
	bool horizontal;
	double at;
	const char *label;
	enum role role;
};

struct plot {
	const char *title;
	struct axis x, y;
	struct series *series;
	size_t n_series;
	struct rule *rules;
	size_t n_rules, cap_rules;
};

/* Stacked bars. */
struct bar {
	const char *label;
	const double *parts; /* one per part name */
	const char *note;    /* at the end of the bar, or NULL */
	enum role role;
	const char *passes; /* in a chain: what it hands on to the next bar, or NULL */
	bool parts_ways;    /* it hands on nothing: passes says why, without an arrow */
	const char *gains;  /* in a chain: a word or a number at the end of its name, or NULL */
	const char *opens;  /* the simulation that shows more of it (its id), or NULL */
	double mark;        /* a tick across it, at what it was said to be; 0: none */
	double was; /* where the bar before it ended: a thin line leads on to there; 0: nowhere */
};
struct bars {
	const char *title, *unit;
	const char *const *part_names;
	const enum meaning *means; /* one for each part */
	size_t n_parts;
	struct bar *bars;
	size_t n_bars, cap_bars;
	bool shares; /* the parts are shares: each bar is 100 % in all, which is not written */
	/* Two things that are weighed: the first part goes to the left and the other to the right. Their
	 * notes have the numbers; totals are not written. */
	bool mirrored;
	bool chain; /* each bar hands something on to the next: drawn as boxes with arrows */
	bool log;   /* a logarithmic axis, for bars of one part that differ by powers of ten */
	bool close; /* they need no blank rows between them: what comes after has more room */
	/* So many first bars are the steps of the one after them: each begins where the one before
	 * it ends. Where there is no room for all bars, these are left out. */
	size_t n_steps;
	double limit; /* a line across all bars; NAN: none */
	const char *limit_label;
	/* Bars of one part that go from the limit to where they end, to the left or to the right: the
	 * limit is what should be. Their notes stand at them. */
	bool from_limit;
	bool goal; /* the limit is what they should come to: nothing is wrong beyond it */
	const char *mark_label; /* what the ticks are; NULL: the title says so */
	const char *called;     /* where others are compared with them: NULL is "pinned" */
	/* The knob that goes from bar to bar (its id), and the bar where it stands. NULL: none. */
	const char *knob;
	size_t knob_at;
};

struct span {
	double start, end; /* in s */
	unsigned lane;
	unsigned kind;     /* index into kind_names */
	const char *label; /* written into the span where it fits, or NULL for its kind's name */
	unsigned count;    /* of those that wait meanwhile: drawn as dots instead; 0: it is a bar */
};
struct timeline {
	const char *title;
	const char *const *lane_names;
	/* One for each lane: where there is no room for all, those of the highest rank are left
	 * out. NULL: every lane is wanted. */
	const unsigned char *lane_ranks;
	/* What stands behind the last span of each; NULL: nothing. One that begins with "! " is past its limit
	 * and drawn so. */
	const char **lane_notes;
	const char *rest; /* what those left out are called: "slots"; NULL: "lanes" */
	size_t without;   /* how many more of these there are that have no lane at all */
	bool slim;        /* before any is left out, those of a rank above 0 are half a row high */
	size_t n_lanes;
	size_t tall; /* 1 + the lane that the picture is about: a row higher; 0: none */
	bool wide;   /* what is written into its spans needs columns more than rows */
	const char *const *kind_names;
	const enum meaning *means; /* one for each kind */
	size_t n_kinds;
	struct span *spans;
	size_t n_spans, cap_spans;
	struct rule *rules; /* vertical, at a time in s */
	size_t n_rules, cap_rules;
	bool rules_behind; /* what happens at them ends nothing in other lanes: they cut no span */
};

/* What is written into a cell of a grid: 1 + a number, 0 for nothing; how many rows further down
 * its contents are on their way to, below 0 further up; and 1 + the number that is on
 * its way to the cell, 0 for none, which is added to what is there or takes its place. */
struct cell_note {
	unsigned char number;
	signed char moves;
	unsigned char gets;
	bool adds;
};

/* Cells of kinds: memory blocks, who holds what, slots of an engine. With frames it changes in
 * time: frame i holds from frame_times[i] (s) to the next. */
struct grid {
	const char *title;
	const char *const *kind_names; /* kind 0 is the empty cell */
	const enum meaning *means;     /* one for each kind */
	size_t n_kinds;
	const char *const *row_names; /* or NULL */
	const char *const *row_notes; /* at the ends of the rows, or NULL */
	const char *col_title;        /* what a column is: they are then numbered from 0; or NULL */
	const char *frame_title;      /* what a frame is ("step"): they are then counted; or NULL */
	/* Of what is counted, how much lies before each frame and how much there is, where that is
	 * not the frames; and for how many of them what is drawn stands, 0: for itself. NULL: frames. */
	const size_t *frame_steps;
	size_t n_steps, stand_for;
	size_t rows, cols, n_frames;
	double *frame_times;
	unsigned char *cells;    /* [frame][row][col] */
	struct cell_note *notes; /* the same, or NULL */
	int note_cols;           /* columns of the widest of them */
	bool used[256]; /* kinds that some cell was set to; the empty one is there at first */
	double still_s; /* what a picture of the whole run shows; 0: its end */
	/* Rows go on from one to the next, as memory does: those from a named row to the next may be
	 * broken anywhere. */
	bool flows;
	bool apart; /* a blank row between two rows where there is room */
	bool bare;  /* nothing stands for an empty cell */
	/* For each kind a few words that are written into its longest row of cells, and are then not in
	 * the legend, or NULL; NULL: for none. */
	const char *const *words;
	const char *const *captions; /* under as many parts of it, all of one width, or NULL */
	size_t n_captions;
	/* Each row is a line of numbers from lo to hi, and a cell a stretch of it: kind 0 has none of
	 * them, each later kind more, the last one is the place that the row is about. focus is the
	 * row that the picture is about. lo == hi: it is no such thing. */
	double lo, hi;
	size_t focus;
	/* The number that all rows are about, a rule through them, and what the row in focus has in
	 * its place; NULL: none. */
	double wanted;
	const char *wanted_text, *kept_text;
};

/* What a row of a table turns, and how it stands. */
struct row_turn {
	const char *knob; /* a switch of the simulation (its id); NULL: none */
	enum role role;   /* of its words: DIM still to be taken, PLAIN taken, ... */
};
struct table {
	const char *title;
	const char *const *head;
	size_t cols, n_rows, cap_rows;
	const char *numeric; /* per column: '1' right-aligned, '0' left-aligned */
	const char *const **rows;
	/* A table whose rows turn switches is a list to choose from: the cursor goes through it, and
	 * the switches stand here and not among the knobs. One for each row; NULL: it is no such
	 * table. */
	struct row_turn *turns;
	size_t n_turns, cap_turns;
	const char *verb; /* what choosing a row is: "buy"; or NULL */
	/* 1 + the row that a reader is at: those after it are still to come. 0: none. */
	size_t at_hand;
};

enum block_kind { BLOCK_PLOT, BLOCK_BARS, BLOCK_TIMELINE, BLOCK_GRID, BLOCK_TABLE, BLOCK_NOTE };
struct note {
	const char *text;
	enum role role;
};
struct block {
	enum block_kind kind;
	const char *
		tab; /* its name among the parts of the figure, one or two words; NULL: its title */
	union {
		struct plot plot;
		struct bars bars;
		struct timeline timeline;
		struct grid grid;
		struct table table;
		struct note note;
	} as;
};

/* What is happening at a moment of the run: the caption under a moving playhead. */
struct moment {
	double at_s;
	const char *text;
};

/* A moment that is worth jumping to, with a name of a few words: "the queue is longest". A run has a
 * handful of them, and its captions change more often. */
struct landmark {
	double at_s;
	const char *name;
};

/* What a knob (its id) that is left to the model came to, in the knob's unit. */
struct left_open {
	const char *knob;
	double value;
};

struct figure {
	struct arena arena;
	const char *subtitle; /* what is set, in a few words: "A100-80 SXM · BF16 · training" */
	const char *why;      /* the one sentence that reads the figure for the reader */
	/* Knobs (ids, a blank between) whose turn that sentence tells of, as a verdict's: nothing is
	 * put before it then. NULL: none. */
	const char *tells;
	const char *accuracy; /* known error of the model against measurements, or NULL */
	double duration_s;    /* of the run, in s; 0: there is nothing to play */
	struct value *values;
	size_t n_values, cap_values;
	struct block **blocks;
	size_t n_blocks, cap_blocks;
	const char **assumptions; /* "decimal GB, dense peaks, one direction" */
	size_t n_assumptions, cap_assumptions;
	const char **leaves_out; /* what the model does not know */
	size_t n_leaves_out, cap_leaves_out;
	struct moment *moments;
	size_t n_moments, cap_moments;
	struct left_open *left_open;
	size_t n_left_open, cap_left_open;
	struct landmark *landmarks; /* none: the moments above are jumped to */
	size_t n_landmarks, cap_landmarks;
	/* For runs that can take long, set before one by who must answer keys meanwhile. Hurried: what
	 * takes long is left out, and the figure is unfinished. go_on (NULL: always) is asked now and
	 * then, with the share that is done; where it says no the run ends, unfinished and without a
	 * figure. */
	bool hurried, unfinished;
	bool (*go_on)(void *context, double share);
	void *go_on_context;
	struct measured_memo *memo; /* room to keep what comparisons with measurements came to, for
				     * the next figure (sims/published/measured.h); or NULL */
};

/* A zeroed struct figure is an empty one. */
void figure_release(struct figure *fig);
const char *figure_text(struct figure *fig, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* As quantity_brief writes it: "81.7 ms". */
const char *figure_quantity(struct figure *fig, double value, const char *unit);
/* A large number as people say it, "16,600" where that writes "16,578". */
const char *figure_about(struct figure *fig, double value, const char *unit);
/* A difference with its sign, to one place and never "-0.0": "+2.5 %". */
const char *figure_signed(struct figure *fig, double value, const char *unit);

/* Headline values, in the order of importance. Returned for value_note; may be NULL. */
struct value *figure_value(struct figure *fig, const char *id, const char *label, double value,
	const char *unit, enum role role);
/* A few words beside it: a literal or a text of the figure (kept, not copied), or NULL. */
void value_note(struct value *v, const char *text);
const struct value *figure_find(const struct figure *fig, const char *id);

void figure_subtitle(struct figure *fig, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void figure_why(struct figure *fig, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void figure_assume(struct figure *fig, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void figure_leave_out(struct figure *fig, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void figure_moment(struct figure *fig, double at_s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* A moment of the run to jump to; a time outside of the run (NAN: it never comes) is left out, so
 * duration_s is set before. */
void figure_landmark(struct figure *fig, double at_s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* What a knob came to that stands at "auto", for the picture of the knob; the id is kept, not copied. */
void figure_left_open(struct figure *fig, const char *knob, double value);

/* A paragraph among the blocks; ROLE_WARN where an input is outside the model's domain. */
void figure_note(struct figure *fig, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Names the block added last, in one or two words, for the line of tabs. */
void figure_tab(struct figure *fig, const char *name);
/* That name, or the block's title; "" where it has neither. */
const char *block_name(const struct block *b);
/* A part as it stands alone: bars without a title of their own have their name for one. */
struct block block_with_name(const struct block *b);

/* Plots. Axis ranges start as NAN (from the data). */
struct plot *figure_plot(struct figure *fig, const char *title, const char *x_title,
	const char *x_unit, enum axis_scale x_scale, const char *y_title, const char *y_unit,
	enum axis_scale y_scale);
struct series *plot_series(struct figure *fig, struct plot *p, const char *name,
	enum series_style style, enum meaning meaning);
void series_point(struct figure *fig, struct series *s, double x, double y);
/* Makes the x axis the slider of a knob (its id), which stands at this value. */
void plot_slider(struct figure *fig, struct plot *p, const char *knob, double at);
/* A marker with a name (copied; NULL for none) and a meaning. */
void series_mark(
	struct figure *fig, struct series *s, double x, double y, const char *name, enum role role);
/* Gives the marker added last a range that it may lie in. */
void series_range(struct series *s, double low, double high);
void plot_rule(struct figure *fig, struct plot *p, bool horizontal, double at, const char *label,
	enum role role);

/* Bars with n_parts stacked parts (names copied). */
struct bars *figure_bars(struct figure *fig, const char *title, const char *unit,
	const char *const part_names[], size_t n_parts);
/* What the n = n_parts parts mean; until this is said they are kinds 0, 1, 2, ... */
void bars_mean(struct figure *fig, struct bars *b, const enum meaning means[], size_t n);
struct bar *bars_add(struct figure *fig, struct bars *b, const char *label, const double parts[]);

struct timeline *figure_timeline(struct figure *fig, const char *title,
	const char *const lane_names[], size_t n_lanes, const char *const kind_names[],
	size_t n_kinds);
void timeline_mean(struct figure *fig, struct timeline *t, const enum meaning means[], size_t n);
void timeline_span(struct figure *fig, struct timeline *t, unsigned lane, unsigned kind,
	double start_s, double end_s, const char *label);
/* The same for a number of things that wait. The word stands behind their number where there is no
 * room for a dot for each. */
void timeline_count(struct figure *fig, struct timeline *t, unsigned lane, unsigned kind,
	double start_s, double end_s, unsigned count, const char *word);
void timeline_rank(struct figure *fig, struct timeline *t, const unsigned char ranks[], size_t n);
/* Says something behind the end of a lane (copied). */
void timeline_note(struct figure *fig, struct timeline *t, unsigned lane, const char *text);
void timeline_rule(
	struct figure *fig, struct timeline *t, double at_s, const char *label, enum role role);

/* Cells start as kind 0. row_names may be NULL. frame_times (s, ascending) are copied; NULL with
 * n_frames 1 for a grid that stands still. */
struct grid *figure_grid(struct figure *fig, const char *title, const char *const kind_names[],
	size_t n_kinds, const char *const row_names[], size_t rows, size_t cols,
	const double frame_times[], size_t n_frames);
/* Until this is said, kind 0 is MEANS_EMPTY and the others are kinds 0, 1, 2, ... */
void grid_mean(struct figure *fig, struct grid *g, const enum meaning means[], size_t n);
void grid_set(struct grid *g, size_t frame, size_t row, size_t col, unsigned kind);
/* Writes a number into a cell; moves as in struct cell_note. */
void grid_write(struct figure *fig, struct grid *g, size_t frame, size_t row, size_t col,
	unsigned number, int moves);
/* Writes a few words under each of n parts, all of one width but for the blank column between two. */
void grid_captions(struct figure *fig, struct grid *g, const char *const captions[], size_t n);
/* Says that a number is on its way to a cell. */
void grid_receive(struct grid *g, size_t frame, size_t row, size_t col, unsigned number, bool adds);
/* Says what a column and a frame are, in a word each; NULL where that is not said. */
void grid_axes(struct figure *fig, struct grid *g, const char *column, const char *frame);
/* Counts n steps in place of frames: done[f] of them lie before frame f. They are drawn for stand_for
 * steps; 0: for themselves. */
void grid_steps(
	struct figure *fig, struct grid *g, const size_t done[], size_t n, size_t stand_for);
/* Says something at the end of each row, in a word or a number. */
void grid_row_notes(struct figure *fig, struct grid *g, const char *const notes[]);
/* Makes the rows lines of numbers, with a few words at the end of each. */
void grid_number_lines(struct figure *fig, struct grid *g, double lo, double hi, size_t focus,
	const char *const row_notes[]);
/* Draws a rule through these lines at the number that they are about, under its text, and at the place
 * of the row in focus what that has instead. */
void grid_wanted(struct figure *fig, struct grid *g, double wanted, const char *wanted_text,
	const char *kept_text);

/* numeric: one '0' or '1' per column. cells of table_row are copied. */
struct table *figure_table(struct figure *fig, const char *title, const char *const head[],
	size_t cols, const char *numeric);
void table_row(struct figure *fig, struct table *t, const char *const cells[]);
/* Makes the row added last the place where a switch is turned. */
void table_turns(struct figure *fig, struct table *t, const char *knob, enum role role);
/* What choosing a row of it is, in a word for the footer: "buy". */
void table_verb(struct figure *fig, struct table *t, const char *verb);
/* The switch that a row turns, or NULL. */
const char *table_knob(const struct table *t, size_t row);

#endif
