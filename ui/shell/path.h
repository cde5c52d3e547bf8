/* The way of somebody who prepares: what is left to learn and to practise, from what was read, answered
 * and given so far, as tasks for a calendar. */
#ifndef RIDGE_UI_SHELL_PATH_H
#define RIDGE_UI_SHELL_PATH_H

#include "drills/bank.h"
#include "drills/history.h"
#include "sims/base/arena.h"
#include "ui/data/case_list.h"
#include "ui/data/page_list.h"
#include "ui/data/tour_list.h"
#include "ui/practice/calendar.h"
#include "ui/shell/progress.h"

/* A set of a chapter: so many of its problems were done, in whatever sitting. */
enum { PATH_SET = 5 };

struct path_sources {
	const struct page_list *pages;
	const struct tour_list *tours;
	const struct case_list *cases;
	const struct drill_bank *bank;
	const struct history *history;
	const struct progress *progress;
};

/* Today's calendar until a date after today, planned, its tasks in the arena. Nothing that was done
 * before today is in it, nor the reading of a chapter that a placement found known. 0; -1: out of memory. */
int path_calendar(struct calendar *c, const struct path_sources *from, int64_t today, int64_t date,
	struct arena *a);

/* The date of the interview that is kept: in *date, and as it is written in kept, of CALENDAR_ISO_SIZE
 * bytes; "" and 0 where there is none; it may be over. 0; -1 and one line in err: it cannot be read, or is none. */
int path_date(int64_t today, char *kept, int64_t *date, char *err, size_t err_size);

#endif
