/* A simulation in somebody's hands: its setting, what was changed last, the pinned setting, the
 * playhead. Used by the simulation screen and by the live figures of pages. */
#ifndef RIDGE_UI_LIVE_LIVE_H
#define RIDGE_UI_LIVE_LIVE_H

#include "sims/figure/sim.h"
#include "ui/live/action.h"
#include "ui/live/knob_list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNDO_STEPS = 64 };

struct setting {
	double v[MAX_KNOBS];
};

/* What an undo goes back to. */
struct undo_step {
	struct setting now;
	bool swapped; /* this was the pinned setting since */
};

/* A bead in the mouse's hand: its track, or an axis that is its slider. */
struct grip {
	bool held;
	int knob, col, cols; /* columns of the track on the screen */
	bool axis, logarithmic;
	double lo, hi;  /* of the axis */
	size_t undo_at; /* n_undo since it moved; 0: it has not yet */
};

struct live {
	const struct sim *sim;
	const struct tables *tables;
	struct setting now, before; /* before: as it was before the last change */
	int changed;                /* knob of the last change, -1: none yet */
	struct undo_step undo[UNDO_STEPS];
	size_t n_undo;
	struct figure figure, previous; /* previous: values of what the last change replaced */
	bool has_pin;
	struct setting pin;
	struct figure pinned;
	int focus;          /* knob */
	size_t first_block; /* of the figure, where it is longer than the window */
	bool zoomed, notes, all_values;
	bool opened_at; /* at a moment of the run, which is not brought into sight yet */
	unsigned char shown[MOST_STORY]; /* the knobs that "knobs=..." put first; none: the story */
	int n_shown;
	/* On a screen of its own the switches that a table of the figure turns stand there. */
	bool has_rows, rows_unseen; /* unseen: the first one is not brought into sight yet */
	unsigned char rows[MAX_KNOBS];
	int n_rows;
	long notes_scroll;
	double playhead_s; /* NAN: the whole run */
	bool playing;
	int speed;         /* 1: twice as fast, -1: half as fast */
	size_t landmark;   /* 1 + that of the figure which a key led to; 0: none */
	int64_t played_ms; /* clock of the last tick; 0: none since it plays from here */
	int64_t begun_ms;  /* clock and playhead when it began to play from here */
	double begun_s;
	struct grip grip;
	bool continued; /* the last change went on with the one before, as one */
	bool stale;     /* the setting changed and the figure did not follow yet */
	/* Asked by long runs whether to go on (struct figure); NULL: to their end. Where the answer
	 * is no, the figure is a first look, and live_finish makes the whole one. */
	bool (*go_on)(void *context, double share);
	void *go_on_context;
	bool unfinished;
	/* Where people meet it, a line for each kind of place, for its notes; "": that is not said. Put there by
	 * whoever shows it. */
	char uses[640];
};

/* Opens the simulation `name` with n settings "knob=value" and runs it; "at=40ms" (or
 * "at=end") among them puts the playhead there. 0; or -1 and one line in err. "knobs=zero,gpus" puts these
 * knobs first. */
int live_open(struct live *s, const struct tables *t, const char *name,
	const char *const settings[], size_t n, char *err, size_t err_size);
/* The same from one string "NAME knob=value ...", as fences, links and history have it. */
int live_open_text(
	struct live *s, const struct tables *t, const char *text, char *err, size_t err_size);
/* Figures as they were run, each with its setting: for whoever opens the same setting next. */
struct handed_on {
	struct ran {
		const struct sim *sim;
		struct setting at;
		struct figure figure;
	} figures[2];
	size_t n;
};
/* Takes the figure and the pinned one out of s, which may only be released then; none where knobs were
 * turned since it was opened. */
void live_hand_on(struct live *s, struct handed_on *h);
/* live_open_text, that takes a figure of the same setting out of *ran in place of running it; NULL: there
 * are none. */
int live_open_ran(struct live *s, const struct tables *t, const char *text, struct handed_on *ran,
	char *err, size_t err_size);
void handed_on_release(struct handed_on *h);
/* The same with a first look at what takes long to run. */
int live_open_hurried(struct live *s, const struct tables *t, const char *name,
	const char *const settings[], size_t n, char *err, size_t err_size);
void live_release(struct live *s);

/* Does what an action means to a simulation in hand. False: it means nothing here. */
bool live_act(struct live *s, enum action a);
/* Runs the simulation if its setting changed since the last run: several changes may come before
 * one run. */
void live_update(struct live *s);
/* Runs what live_update has left unfinished, as long as go_on lets it. */
void live_finish(struct live *s);
/* Sets a knob to a value in its range. */
void live_set(struct live *s, int knob, double value);
/* What a knob that is left to itself ("auto") comes to, as its figure says; NAN where it is not left
 * to itself, or where nobody says so. */
double live_stands_for(const struct live *s, int knob);
/* Sets a knob from typed text. 0; or -1 and one line in err. */
int live_type(struct live *s, int knob, const char *text, char *err, size_t err_size);

/* From now on the switches that are rows of a table of the figure stand there and not in the list, and
 * the focus is on the first of them. */
void live_take_rows(struct live *s);
/* The table that has this knob among its rows, and in *block (or NULL) the number of its block; NULL:
 * none has. */
const struct table *live_table_of(const struct live *s, int knob, size_t *block);

/* The knobs that stand first. */
struct knob_story live_story(const struct live *s);

/* Moves the playhead. Returns ms until the next tick, -1 when nothing moves. */
int live_tick(struct live *s, int64_t now_ms);

/* "roofline gpu=h100 batch=8": knobs that are not at their defaults, now or in the pinned setting.
 * Both return buf. */
char *live_setting(const struct live *s, char *buf, size_t size);
char *live_pinned_setting(const struct live *s, char *buf, size_t size);
/* The setting and the playhead, "allreduce gpus=16 at=40ms": what live_open_text makes the same of.
 * Returns buf. */
char *live_place(const struct live *s, char *buf, size_t size);

#endif
