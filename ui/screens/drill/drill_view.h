/* The parts of the drill screen. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_VIEW_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_VIEW_H

#include "drills/bank.h"
#include "drills/session.h"
#include "ui/practice/drill_request.h"
#include "ui/practice/drill_summary.h"
#include "ui/practice/sheet.h"
#include "ui/screens/drill/drill_desk.h"
#include "ui/shell/app.h"

/* An answer that is a program (ui/screens/drill/drill_program.h). */
struct program_draft {
	char *text;                /* from malloc; NULL: the stub as it is */
	char said[CODE_SAID_SIZE]; /* by the last run */
	char tool[64];             /* that ran it, or is missing */
	bool assessing;            /* by oneself: there is nothing to run it with */
	enum { PROGRAM_RESTS, PROGRAM_EDIT, PROGRAM_RUN } asks; /* after the next frame */
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
	/* In the result, whose problems are a list: */
	struct session_bests bests;
	bool has_bests;
	size_t row;  /* among the problems that were seen */
	size_t look; /* the problem that is looked at again, from 1; 0: none, the list */
};

/* The state of the screen: to read while drawing, and to change. */
static inline const struct drill_view *drill_seen(const struct app *app)
{
	return app_state(app, SCREEN_DRILL);
}

static inline struct drill_view *drill_of(struct app *app)
{
	return app_state(app, SCREEN_DRILL);
}

/* A session of what r asks for, which drill_request_complete makes whole. 0; -1 and a line. */
int drill_view_begin(struct app *app, const struct drill_request *r, char *err, size_t err_size);
void drill_view_answer(struct app *app, const char *text);
void drill_view_note(struct app *app, const char *text);
void drill_view_work(struct app *app, const char *text); /* a line of the scratch pad */

/* The problem that is on the screen, answered or not; NULL in the phases of an interview that are
 * talk, and on the list of the result. */
const struct session_item *drill_view_item(const struct drill_view *d);

enum drill_state {
	DRILL_READY,  /* the card before the clock starts */
	DRILL_HIDDEN, /* paused */
	DRILL_TALK,   /* a phase of an interview without problems */
	DRILL_OPEN,   /* a problem to be answered */
	DRILL_CLOSED, /* its solution */
	DRILL_DONE    /* the result */
};
enum drill_state drill_state(const struct drill_view *d);

void drill_view_draw(const struct app *app, struct canvas *cv, struct rect r);

/* The result, after the last problem (ui/screens/drill/drill_result.c). Its problems can be opened again,
 * closed as they are: drill_view_item is then the one that is looked at. */
bool drill_result_is_shown(const struct drill_view *d);
void drill_result_draw(const struct app *app, struct canvas *cv, struct rect r);
bool drill_result_act(struct app *app, enum action a); /* true: it was for the result */
bool drill_result_acts(const struct app *app, enum action a);
void drill_result_settle(struct app *app); /* looks up personal bests, once */

/* The same minute gives the same set, which is fresh enough; but not the one that is open. */
uint64_t drill_fresh_seed(const struct app *app);

/* How far the sheet can be scrolled in the present window; and where its newest part is seen: the
 * verdict of a closed problem, else the end. */
long drill_view_last_scroll(const struct app *app);
long drill_view_newest(const struct app *app);

/* Where we are and what the clock says, in one row or, of an interview, two
 * (ui/screens/drill/drill_clock.c). Returns the rows. */
int drill_head_draw(const struct app *app, struct canvas *cv, struct rect r);

/* ms until the clock on the screen changes; -1: none is running. */
int drill_clock_tick(const struct app *app);

/* What stands on the sheet, by state. */
void drill_ready_write(const struct app *app, struct sheet *s); /* ui/screens/drill/drill_card.c */
void drill_hidden_write(const struct app *app, struct sheet *s);
void drill_talk_write(const struct app *app, struct sheet *s); /* ui/screens/drill/drill_talk.c */
void drill_problem_write(
	const struct app *app, struct sheet *s); /* ui/screens/drill/drill_problem.c */
void drill_notes_write(const struct app *app, struct sheet *s);

/* The line that is typed, with what there is to say about it. */
void drill_note_line_write(const struct app *app, struct sheet *s);
void drill_answer_line_write(const struct app *app, struct sheet *s);

/* The verdict on the last answer, of a closed problem with its time (ui/screens/drill/drill_solution.c);
 * the way it is worked out. */
void drill_verdict_write(const struct app *app, struct sheet *s, const struct session_item *item);
void drill_solution_write(const struct app *app, struct sheet *s, const struct session_item *item);
/* A part of a problem that is done with: its working, the own answer. */
void drill_part_write(
	const struct app *app, struct sheet *s, const struct session_item *item, size_t step);

/* The scratch pad (ui/screens/drill/scratch_view.c): rows that it wants, and itself. */
int scratch_view_rows(const struct app *app);
void scratch_view_draw(const struct app *app, struct canvas *cv, struct rect r);

#endif
