/* The explorer: all state in one struct, changed by app_key and app_tick, drawn by app_draw. It
 * knows no terminal and no clock: the same keys give the same frames, in a terminal, in
 * `ridge frame`, in a test. */
#ifndef RIDGE_UI_SHELL_APP_H
#define RIDGE_UI_SHELL_APP_H

#include "drills/bank.h"
#include "ui/shell/bindings.h"
#include "ui/live/action.h"
#include "drills/history.h"
#include "drills/session.h"
#include "sims/tables/tables.h"
#include "ui/data/answers.h"
#include "ui/data/bank_outline.h"
#include "ui/term/canvas.h"
#include "ui/programs/code_run.h"
#include "ui/screens/drill/drill_desk.h"
#include "ui/practice/drill_request.h"
#include "ui/term/entry.h"
#include "ui/interviewer/interviewer.h"
#include "ui/term/keys.h"
#include "ui/pages/page.h"
#include "ui/data/page_list.h"
#include "ui/pages/glossary.h"
#include "ui/shell/palette.h"
#include "ui/shell/progress.h"
#include "ui/live/live.h"

#include <stdbool.h>
#include <stdint.h>

/* Somewhere to be: a screen, what it shows, and where in it. */
struct place {
	enum screen_id screen;
	char name[512]; /* a spot in a page, "sim knob=value ...", drill topic */
	long scroll;
	int focus;
};
enum { MAX_HISTORY = 64 };

/* What the drills' column says of earlier answers, once that was looked at. */
enum { HOME_TOPICS = 64 };
struct home_answers {
	bool wanted, known; /* wanted: to be looked at after the next paint */
	size_t problems, n_due;
	int64_t next_s; /* when the next skill comes; 0: none ever does */
	struct {
		size_t problems, correct;
	} topics[HOME_TOPICS]; /* as in app->outline */
};

struct home_view {
	int column, row[3];
	struct home_answers answers;
};

/* Over a page (ui/screens/page/glossary_pane.h). */
struct glossary_pane {
	int focus;         /* among the page's terms, from 1; 0: none */
	bool open;         /* the entry of that term is shown */
	struct page entry; /* laid out, while it is open */
	int scroll;
};

/* A page that is being read: laid out for the present width, with its live figures. */
enum { MAX_PAGE_FIGURES = 16 };
struct page_view {
	char id[64];
	struct page page;
	struct live figures[MAX_PAGE_FIGURES];
	size_t n_figures;
	long scroll;
	long kept_scroll; /* where the last layout put the reader, and what that stood for */
	double kept_share;
	int focus;     /* among links, computed numbers and figures in reading order; -1 */
	bool inside;   /* the keys go to the focused figure */
	bool contents; /* the list of contents is open */
	int contents_row;
	bool show_formula;
	struct glossary_pane term;
	char search[256];
	uint64_t stamp; /* of the file and the glossary, for live reload */
};

/* An answer that is a program (ui/screens/drill/drill_program.h). */
struct program_draft {
	char *text;                /* from malloc; NULL: the stub as it is */
	char said[CODE_SAID_SIZE]; /* by the last run */
	char tool[64];             /* that ran it, or is missing */
	bool assessing;            /* by oneself: there is nothing to run it with */
};

struct drill_view {
	struct program_draft program;
	struct drill_request request; /* what was asked for, whole */
	struct drill_bank bank;
	struct drill_session session;
	struct drill_desk desk;
	bool open;
	long scroll;
	int64_t began_s; /* Unix time */
	/* Of the result: its problems are a list. */
	struct session_bests bests;
	bool has_bests;
	size_t row;  /* of the problems that were seen */
	size_t look; /* the problem that is looked at again, from 1; 0: none, the list */
};

/* The statistics: read when the screen opens. */
struct stats_view {
	struct answers answers;
	struct figure figure;
	bool wanted, announced; /* large: to be read once the screen has said so */
	char error[256];
	int focus; /* among the rows of the tables; -1: none */
	long scroll;
};

enum app_ask { ASK_NOTHING, ASK_EDIT, ASK_RUN }; /* see drill_program_work */

struct app {
	int rows, cols;
	enum glyphs glyphs;
	bool mouse;
	enum screen_id screen;
	struct tables tables;
	bool has_tables;
	struct page_list pages;
	struct glossary terms; /* of the glossary, once a page was laid out */
	uint64_t terms_stamp;
	bool terms_known;
	struct drill_bank sheet_bank; /* for the formula sheet, once it was laid out */
	bool sheet_bank_tried;
	struct progress progress;
	struct home_view home;
	struct page_view page;
	struct live sim;
	struct drill_view drill;
	struct stats_view stats;
	struct bank_outline outline;
	struct interviewer interviewer;
	struct palette palette; /* over everything while it is open */
	struct entry entry;
	enum screen_id help_for; /* whose keys the help shows */
	long help_scroll;
	struct place history[MAX_HISTORY];
	size_t n_history;
	struct place ahead[MAX_HISTORY]; /* what going back has left, the nearest last */
	size_t n_ahead;
	char message[320]; /* one line above the footer until the next key */
	int64_t now_ms;
	uint64_t epoch_s;   /* when it was started: seeds of drill sets */
	int64_t started_ms; /* the same on the clock of now_ms */
	/* Is told what happened to a problem, to keep it; NULL: nobody keeps it. 0, or -1 and a
	 * line. */
	int (*record)(const struct history_event *e, char *err, size_t err_size);
	/* Reads all that was kept; NULL: there is none. 0, or -1 and a line. */
	int (*load_history)(struct history *h, char *err, size_t err_size);
	int64_t (*history_bytes)(void); /* how large it is; NULL: nobody knows */
	/* A number that changes when what was kept does; NULL: it never does. */
	uint64_t (*history_stamp)(void);
	/* Gives a program to the user's editor, and runs one (ui/programs/code_run.h); NULL: there
	 * is no terminal. */
	int (*edit_program)(const struct variant *v, char **text, char *err, size_t err_size);
	int (*run_program)(const struct variant *v, const char *text, struct code_result *out,
		char *err, size_t err_size);
	bool redraw, suspend; /* asks to the loop, which clears them */
	enum app_ask ask;     /* what the loop does after the next frame: it takes a while */
	bool failed;          /* out of memory: the loop ends with a message */
};

/* 0; or -1 when out of memory, with nothing to release. */
int app_init(struct app *app, int rows, int cols, enum glyphs glyphs);
void app_release(struct app *app);

/* Goes to a page, a simulation with settings, "drill" with a topic, or "" for home. 0; -1 and a
 * line in err with the nearest name. */
int app_open(struct app *app, const char *name, const char *const settings[], size_t n, char *err,
	size_t err_size);
int app_open_target(struct app *app, const char *target, char *err, size_t err_size);

/* Takes a key; false: quit. Work that a key asks for (running a simulation) waits for
 * app_settle, so that a thousand keys at once run it once. */
bool app_key(struct app *app, uint32_t key, int64_t now_ms);
/* Does an action as if its key had been pressed; false: quit. */
bool app_do(struct app *app, enum action a);
void app_click(struct app *app, int row, int col);
/* The wheel, by -1 (up) or 1: turns the knob under it, else scrolls. */
void app_wheel(struct app *app, int by, int row, int col);
/* Before the process stops: a running clock stops too. */
void app_pause(struct app *app);
void app_settle(struct app *app);
void app_resize(struct app *app, int rows, int cols);
/* Moves what moves by itself. ms until it wants to be called again; -1: nothing moves. */
int app_tick(struct app *app, int64_t now_ms);

void app_draw(const struct app *app, struct canvas *cv);

/* What one screen asks of another; the rest of them is in ui/shell/screen.h. */
int page_view_open(struct app *app, const char *id, char *err, size_t err_size);
void page_view_release(struct page_view *p);
struct live *page_view_figure(struct page_view *p); /* the one in focus; NULL */
void page_view_find(struct app *app, const char *text, bool backwards, bool from_here);
int drill_view_open(
	struct app *app, const char *const words[], size_t n, char *err, size_t err_size);
/* A session of what r asks for, which drill_request_complete made whole but for its review. */
int drill_view_begin(struct app *app, const struct drill_request *r, char *err, size_t err_size);
void drill_view_release(struct drill_view *d);
int stats_view_open(struct app *app, char *err, size_t err_size);
void stats_view_release(struct stats_view *s);
void drill_view_answer(struct app *app, const char *text);
void drill_view_note(struct app *app, const char *text);
void drill_view_return(struct app *app); /* from the help, which stops a running clock */
void drill_view_work(struct app *app, const char *text); /* a line of the scratch pad */
int interviewer_view_open(
	struct app *app, const char *const words[], size_t n, char *err, size_t err_size);
void interviewer_view_note(struct app *app, const char *text);

/* Facts, loaded at first use. NULL and app->message when they cannot be read. */
const struct tables *app_tables(struct app *app);
int64_t app_now_s(const struct app *app); /* Unix time */
/* What was answered so far, read anew. 0; or -1 and one line in err. Release it either way. */
int app_history(const struct app *app, struct history *h, char *err, size_t err_size);
void app_say(struct app *app, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void app_push(struct app *app); /* remembers where we are, for Esc */
/* Back to where we were before; home where there is nothing. */
void app_go_back(struct app *app);
/* To where going back came from; says so where there is nothing. */
void app_go_forward(struct app *app);
void app_go_home(struct app *app);

#endif
