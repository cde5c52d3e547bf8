/* The state of the drill screen, and what follows from it: which problem is shown, what can be done
 * with it, where a typed line goes. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_STATE_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_STATE_H

#include "drills/bank.h"
#include "drills/session.h"
#include "ui/programs/code_run.h"
#include "ui/practice/drill_request.h"
#include "ui/shell/app.h"
#include "ui/screens/drill/drill_desk.h"

/* What the drill asks of the loop after the next frame. */
enum program_asks { PROGRAM_RESTS, PROGRAM_EDIT, PROGRAM_RUN };

/* An answer that is a program (ui/screens/drill/drill_session.h). */
struct program_draft {
	bool mended;    /* edited since it was run */
	char *text;     /* from malloc; NULL: the stub as it is */
	bool looked;    /* for one that was left */
	int64_t left_s; /* when it was, in Unix time, and not edited since; 0: it is new */
	bool as_given;  /* the stub stands there instead of it */
	char said[CODE_SAID_SIZE]; /* by the last run */
	char tool[64];             /* what ran it, or what is missing */
	char why[CODE_WHY_SIZE];   /* it cannot be confined, and its author is asked; "" */
	bool assessing;            /* by its author: there is nothing to run it with */
	enum program_asks asks;    /* after the next frame */
};

/* The formula of the problem whose working is shown (ui/screens/drill/drill_picture.h). */
struct drill_picture {
	bool open; /* there is one */
	struct live live;
	char target[1024]; /* what it is of; "": nothing */
};

struct drill_view {
	struct program_draft program;
	struct drill_request request; /* what was asked for, completed */
	/* What a set was asked for by, where it goes on if it is left: "chapter-1", or its code; "": it does not. */
	char set[CODE_SIZE];
	struct drill_bank bank;
	struct kept_bank *kept; /* whose it is; NULL: the session's own, which has a pack */
	struct drill_session session;
	struct drill_desk desk;
	struct drill_picture picture;
	bool open;
	long scroll;
	bool to_newest;  /* when settled, scrolls to what has just come */
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

/* The problem that is on the screen, answered or not; NULL in the phases of an interview that are
 * talk, and on the list of the result. */
const struct session_item *drill_view_item(const struct drill_view *d);

enum drill_state {
	DRILL_NOTHING, /* a review, and nothing is due */
	DRILL_READY,   /* the card before the clock starts */
	DRILL_HIDDEN,  /* paused */
	DRILL_TALK,    /* a phase of an interview without problems */
	DRILL_OPEN,    /* a problem to be answered */
	DRILL_CLOSED,  /* its solution */
	DRILL_DONE     /* the result */
};
enum drill_state drill_state(const struct drill_view *d);

/* Which line the state has; ENTRY_NONE where keys are keys. */
enum entry_kind drill_line_kind(const struct drill_view *d);

/* The same minute gives the same set, which is fresh enough; but not the one that is open. */
uint64_t drill_fresh_seed(const struct app *app);

/* Whether the problem that is open is answered by a program, and that program so far. */
bool drill_program_open(const struct drill_view *d);
const char *drill_program_text(const struct drill_view *d);

#endif
