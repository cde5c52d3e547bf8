/* The state of the screen of cases: the list that one is chosen from, and the sitting. */
#ifndef RIDGE_UI_SCREENS_CASE_CASE_STATE_H
#define RIDGE_UI_SCREENS_CASE_CASE_STATE_H

#include "drills/case_talk.h"
#include "ui/data/case_list.h"
#include "ui/live/live.h"
#include "ui/practice/case_first.h"
#include "ui/practice/case_record.h"
#include "ui/shell/app.h"

/* Which case is to be sat, and how. */
struct case_wish {
	char id[CASE_RECORD_NAME_SIZE];
	char title[96];                     /* once it was read */
	char record[CASE_RECORD_NAME_SIZE]; /* that is to be read, of one that was taken; or "" */
	bool anew;                          /* though its last sitting would go on */
	struct case_dealing how;
};

/* A case in the list, beside its row in the list of files. */
struct case_choice {
	double minutes[N_CASE_LEVELS]; /* of work; 0 where the case is not for that level */
	double in_phase[N_CASE_LEVELS][N_CASE_PHASES]; /* of these */
	size_t twists[N_CASE_LEVELS], deeper[N_CASE_LEVELS];
	size_t must, numbers, knobs, goals; /* facts that decide; to estimate; to set; to meet */
	const char *sim; /* the title of what judges it; NULL: it cannot be read */
	bool sat;        /* a sitting of it was worked on */
	int64_t left_ms; /* where its last sitting was left; -1: none was */
};

/* The candidate's knobs as they are being turned, which are no design until they are said. */
struct case_desk {
	bool open; /* the keys go to the knobs */
	size_t row;
	struct case_design design;
	struct live live; /* of these knobs and all others as they stand */
	bool runs;        /* live has a figure */
	size_t stage;     /* whose facts live has */
	struct case_run judged;
	bool is_judged;
};

struct case_view {
	struct case_list list;
	struct case_choice *choices; /* from malloc; NULL: the list was not read */
	size_t row;
	enum case_level level; /* that is wished; a case that is not for it has another */

	struct case_wish wish;
	bool deals; /* after the next frame: that takes a while */
	bool sits;
	struct design_case c;
	struct case_sitting sitting;
	struct case_talk talk;
	char record[CASE_RECORD_NAME_SIZE]; /* ""; not begun */
	bool paused;
	bool ready; /* it is dealt, and its first page waits for the word to begin */
	struct case_earlier earlier; /* than one that begins now */
	bool reads;                  /* a record, to which nothing is added */
	bool over;                   /* the debrief was shown: the clock stands for good */
	int64_t stood_ms, since_ms;  /* the clock when it was started, and when that was */
	int64_t kept_ms;             /* the clock that the record has */
	struct entry line;           /* what was being typed, while the keys go elsewhere */
	/* A line that was typed and runs a design, from malloc: it waits for the frame that says so. */
	char *to_run;
	int64_t to_run_ms; /* the clock when it was typed */
	size_t recalled;   /* the line that was brought back, from 1 for the newest; 0: none */
	size_t newest;     /* the paragraph that came last, with those after it */
	size_t begun;      /* that which began the phase; 0: nobody knows */
	const char *tells[MOST_FACTS]; /* of the facts that were told, as they stand; or NULL */
	size_t tells_stage;
	const char *untold[MOST_FACTS]; /* once there is a debrief, of the others; or NULL */
	long up;                        /* rows that the talk is scrolled up by */
	struct case_desk desk;
};

enum case_where {
	CASE_CHOOSING, /* the list */
	CASE_DEALING,  /* it begins in a moment */
	CASE_READY,    /* the page before the clock starts */
	CASE_READING,  /* what was said in one that was taken */
	CASE_STANDS,   /* the clock is stopped */
	CASE_TALKING,  /* the keys go to the line */
	CASE_AT_DESK   /* to the knobs */
};
enum case_where case_where(const struct case_view *v);

/* The state of the screen: to read while drawing, and to change. */
static inline const struct case_view *case_seen(const struct app *app)
{
	return app_state(app, SCREEN_CASE);
}

static inline struct case_view *case_of(struct app *app)
{
	return app_state(app, SCREEN_CASE);
}

/* The sitting's clock, which stands while it is paused. */
int64_t case_clock_ms(const struct case_view *v, int64_t now_ms);

/* The level that a case of the list is sat at. */
enum case_level case_choice_level(const struct case_view *v, size_t row);

#endif
