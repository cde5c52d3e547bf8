/* The explorer: place, clock, tables, message, and a state for each screen that only the screen
 * itself looks into. Changed by app_key and app_tick, drawn by app_draw. It knows no terminal and
 * no clock: the same keys give the same frames, in a terminal, in `ridge frame`, in a test. */
#ifndef RIDGE_UI_SHELL_APP_H
#define RIDGE_UI_SHELL_APP_H

#include "sims/tables/tables.h"
#include "drills/history.h"
#include "drills/stats.h"
#include "ui/term/canvas.h"
#include "ui/term/entry.h"
#include "ui/data/answers.h"
#include "ui/data/bank_kept.h"
#include "ui/data/bank_outline.h"
#include "ui/data/case_list.h"
#include "ui/data/page_list.h"
#include "ui/data/tour_list.h"
#include "ui/shell/bindings.h"
#include "ui/shell/key_caps.h"
#include "ui/shell/palette.h"
#include "ui/shell/progress.h"
#include "ui/shell/screen.h"

#include <stdbool.h>
#include <stdint.h>

/* Somewhere to be: a screen, what it shows, and where in it. */
struct place {
	enum screen_id screen;
	char name[512]; /* a spot in a page, "sim knob=value ...", drill topic */
	long scroll;
	int focus;
};
enum { MAX_TRAIL = 64 };
/* Places that the user was at, the newest last. */
struct trail {
	struct place *places; /* MAX_TRAIL of them */
	size_t n;
};

enum { APP_WATCHED = 8 };

struct code_result; /* ui/programs/code_run.h */

struct app {
	int rows, cols;
	enum glyphs glyphs;
	bool octants;       /* the terminal is known to draw them */
	bool scales;        /* and text in larger sizes */
	char terminal[48];  /* what the choice of glyphs is kept by */
	bool first_session; /* the footer tells of the key for other curves, once */
	bool mouse;

	const struct screen *const *screens; /* by enum screen_id */
	enum screen_id screen;               /* the one that is shown */
	enum screen_id under;                /* the one that an overlay lies over */
	void *states[N_SCREENS];             /* each screen's own (struct screen) */
	void *room;                          /* holds these, the progress and the trails */

	struct tables tables;
	bool has_tables;
	struct kept_bank *bank; /* the newest that was read; NULL: none yet */
	struct page_list pages;
	struct bank_outline outline;
	struct tour_list tours;
	struct case_list cases;
	bool has_cases;
	struct progress *progress;

	struct palette palette; /* over everything while it is open */
	struct entry entry;     /* the line that is being typed */
	struct trail behind;    /* where Esc leads */
	struct trail ahead;     /* what going back has left */
	char message[1200];     /* over the footer until the next key, wrapped */

	int64_t now_ms;
	uint64_t epoch_s;   /* Unix time at the start */
	int64_t started_ms; /* the same on the clock of now_ms */

	/* Keeps what happened to a problem; NULL: nothing is kept. 0, or -1 and a line. */
	int (*record)(const struct history_event *e, char *err, size_t err_size);
	/* Reads all that was kept; NULL: there is nothing. 0, or -1 and a line. */
	int (*load_history)(struct history *h, char *err, size_t err_size);
	int64_t (*history_bytes)(void); /* how large it is; NULL: that is not known */
	/* A number that changes when what was kept does; NULL: it never does. */
	uint64_t (*history_stamp)(void);
	/* Adds a line to the record of an interview that has that name; NULL: nothing is kept. 0, or -1
	 * and a line. */
	int (*keep_interview)(const char *name, const char *line, char *err, size_t err_size);
	/* The newest record of that code ("": of any, of today) that was not ended, and its name in 64
	 * bytes; the caller frees. NULL: there is none, or nothing is kept. */
	char *(*load_interview)(const char *code, int64_t now_s, char *name);
	/* Adds a line to the record of that name of a case's sitting; NULL: nothing is kept. 0, or -1 and a
	 * line. */
	int (*keep_case)(const char *name, const char *line, char *err, size_t err_size);
	/* The record of a case that has so many newer ones, and its name in CASE_RECORD_NAME_SIZE bytes; the
	 * caller frees. NULL: there are not so many; or, for the hook, nothing is kept. */
	char *(*load_case)(const char *id, size_t newer, char *name);
	/* Changes when a record of the case is added to; NULL: nothing is kept. */
	uint64_t (*case_stamp)(const char *id);
	/* Gives a program to the user's editor (keeps: in the file that stays), and runs one
	 * (ui/programs/code_run.h); NULL: there is no terminal. */
	int (*edit_program)(
		const struct variant *v, bool keeps, char **text, char *err, size_t err_size);
	int (*run_program)(const struct variant *v, const char *text, struct code_result *out,
		char *err, size_t err_size);
	/* The program that was left at a drill, and when in Unix time, which the caller frees; keeps one, or with
	 * NULL none any more (ui/programs/code_draft.h). NULL: nothing is kept. */
	char *(*load_program)(const struct variant *v, int64_t *saved_s);
	int (*keep_program)(const struct variant *v, const char *text, char *err, size_t err_size);

	/* Adds what is on the screen to the user's own tour (ui/talks/tour_append.h); NULL: nothing is
	 * kept. */
	int (*keep_step)(const struct live *s, const struct block *part, const char *caption,
		char *said, size_t size);

	/* Descriptors that the loop waits on beside the keyboard; what is there to read is read at the
	 * next tick. */
	int watched[APP_WATCHED];
	size_t n_watched;
	bool shares_talks; /* a talk and its notes may meet on a socket: not in a test, not in a frame */

	struct key_caps caps; /* keys that were pressed, for those who watch */
	bool large;           /* a talk's captions and numbers in large type */
	bool quiet;           /* a picture or a recording: the bottom line offers no keys */
	bool quits;           /* q was pressed, and something is unfinished: again it leaves */
	bool reopened; /* at the place of the last time, past the home screen and what it says */
	bool redraw, suspend; /* requests to the loop, which clears them */
	char copied[1200];    /* the same: text for the clipboard; "": none */
	bool records;         /* what is drawn is recorded (ui/shell/recorder.h) */
	char marked[600];     /* a request to it: a place to go to in the player; "": none */
	bool hurried; /* nothing is painted yet: what the first frame does not show can wait */
	/* Asked while it is hurried: whether the first frame is due, and what is not worked out yet waits
	 * for the next one. NULL: it is not. */
	bool (*due)(const struct app *app);
	bool works;   /* after the next frame the loop calls app_work */
	bool at_work; /* it does just now */
	bool deaf;    /* and drops what is typed meanwhile */
	/* Asked by work that takes long, with the share that is done: whether to go on with it.
	 * Before a frame it may take a moment only, at work until a key waits. NULL: to its end. */
	bool (*go_on)(void *context, double share);
	void *go_on_context;
	bool failed; /* out of memory: the loop ends with a message */
};

/* screens: one for each enum screen_id, of which one is the root. 0; or -1 when out of memory, with
 * nothing to release. */
int app_init(struct app *app, const struct screen *const screens[N_SCREENS], int rows, int cols,
	enum glyphs glyphs);
void app_release(struct app *app);

/* The screen that is shown. */
const struct screen *app_screen(const struct app *app);
/* A screen's own state; each screen's header casts it (page_of, page_seen, ...). */
void *app_state(const struct app *app, enum screen_id s);
/* Puts a screen before the user. What it shows is set by the screen itself. */
void app_show(struct app *app, enum screen_id s);

/* Goes to a page, a simulation with settings, "drill" with a topic, or "" for home. 0; -1 and a
 * line in err with the nearest name. */
int app_open(struct app *app, const char *name, const char *const settings[], size_t n, char *err,
	size_t err_size);
/* The same from one text, "roofline gpu=h100". */
int app_open_target(struct app *app, const char *target, char *err, size_t err_size);
/* The same for a key: what is wrong is said in the message. */
void app_go_to(struct app *app, const char *target);
/* To the page of a link, as pages and drills write it: "../reference/x.md#anchor". */
void app_go_to_page(struct app *app, const char *link);
/* As app_open_target, without a step: Esc leads to where it led before. For coming back to a
 * place. */
int app_reopen(struct app *app, const char *target, char *err, size_t err_size);

/* Takes a key; false: quit. Work that a key asks for (running a simulation) waits for
 * app_settle, so that a thousand keys at once run it once. */
bool app_key(struct app *app, uint32_t key, int64_t now_ms);
/* Does an action as if its key had been pressed; false: quit. */
bool app_do(struct app *app, enum action a);
void app_click(struct app *app, int row, int col);
/* The mouse moves with its button down, after a click. */
void app_drag(struct app *app, int row, int col);
/* The wheel, by -1 (up) or 1: turns the knob under it, else scrolls. */
void app_wheel(struct app *app, int by, int row, int col);
/* Before the process stops: a running clock stops too. */
void app_pause(struct app *app);
void app_settle(struct app *app);
void app_work(struct app *app);
void app_resize(struct app *app, int rows, int cols);
/* Moves what moves by itself. ms until it wants to be called again; -1: nothing moves. */
int app_tick(struct app *app, int64_t now_ms);

/* Whether a key now goes into the line that is being typed, and is not a key of the table. */
bool app_types(const struct app *app, uint32_t key);
/* The simulation whose knobs the keys turn, or NULL. */
struct live *app_live(const struct app *app);

void app_draw(const struct app *app, struct canvas *cv);

/* Notes in app->progress where the user is. True when that, or a bookmark, is not what was written
 * last. */
bool app_note_position(struct app *app);

/* Facts, loaded at first use. NULL and app->message when they cannot be read. */
const struct tables *app_tables(struct app *app);
/* The bank of drills, read at first use and when its files have changed; it is there until the next call. NULL and a
 * line in err where it cannot be read; errno is ENOMEM where memory is out, else 0. */
const struct drill_bank *app_bank(struct app *app, char *err, size_t err_size);
/* The cases, the same; one of the user's own that is none is left out. NULL when memory is out. */
const struct case_list *app_cases(struct app *app);
/* The clock of a screen that is not shown, in buf, which is returned; NULL: none runs. */
const char *app_clock_elsewhere(const struct app *app, char *buf, size_t size);
void app_forget_cases(struct app *app);   /* the next use finds what was written since */
int64_t app_now_s(const struct app *app); /* Unix time */
int64_t app_day(const struct app *app);   /* the day it is, from 1970-01-01 */
/* What was answered so far, read anew. 0; or -1 and one line in err. Release it either way. */
int app_history(const struct app *app, struct history *h, char *err, size_t err_size);
/* The same, counted; skills that no drill asks for any more are retired. */
int app_answers(struct app *app, struct answers *a, char *err, size_t err_size);
/* Says what is due, for whoever comes back to a place that does not say so. False: nothing is, or there are so many
 * answers that counting them takes longer than a frame may. */
bool app_tell_due(struct app *app);
/* How long a page takes, as pages are read: whole, or without what goes into depth. */
int app_page_minutes(const struct app *app, const struct page_info *page);
/* Whether there are so many that reading them takes longer than a frame may. */
bool app_answers_are_many(const struct app *app);

/* Asks for a caption, with which app_keep_step adds what is on the screen to the user's own tour;
 * part is what is shown of the figure. */
void app_ask_caption(struct app *app);
void app_keep_step(
	struct app *app, const struct live *s, const struct block *part, const char *caption);

void app_say(struct app *app, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void app_push(struct app *app); /* remembers where we are, for Esc */
/* Back to where we were before; home where there is nothing. */
void app_go_back(struct app *app);
/* To where going back came from; says so where there is nothing. */
void app_go_forward(struct app *app);
void app_go_home(struct app *app);

#endif
