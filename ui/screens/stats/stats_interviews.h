/* What the interviews of a person came to, as rows: phases with bars, times and marks, forgotten kinds of
 * facts, the last result of each case. */
#ifndef RIDGE_UI_SCREENS_STATS_STATS_INTERVIEWS_H
#define RIDGE_UI_SCREENS_STATS_STATS_INTERVIEWS_H

#include "drills/case_stats_figure.h"
#include "ui/term/pane.h"

/* Each draws from the top of p on, below a heading of two rows, and returns its rows. */
enum { INTERVIEW_HEAD = 2 };
int interview_phase_rows(const struct pane *p, const struct case_person *person);
int interview_kind_rows(const struct pane *p, const struct case_person *person);
int interview_case_rows(const struct pane *p, const struct case_person *person, int64_t now_s);

/* How many rows the kinds take, with their heading; 0: nothing was forgotten. */
int interview_kind_height(const struct case_person *person);

#endif
