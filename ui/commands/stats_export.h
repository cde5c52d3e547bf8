/* The history of answers for other programs: statistics and events as JSON and CSV. */
#ifndef RIDGE_UI_COMMANDS_STATS_EXPORT_H
#define RIDGE_UI_COMMANDS_STATS_EXPORT_H

#include "drills/stats.h"
#include "ui/interviewer/interview_results.h"

#include <cjson/cJSON.h>

#include <stdio.h>

/* {"schema":1,"at":..,"lines":..,"unreadable":..,"first_unreadable":..,"total":{..},"topics":[..],
 * "skills":[..],"mistakes":[..],"days":[..],"n_due":..,"due":[..],"next":"..",
 * "most_missed":[..],"slowest":[..]}. What is not known is left out. NULL when out of memory; the
 * caller deletes it. `ridge stats --json` adds "interviews": what follows. */
cJSON *stats_json(const struct stats *s, const struct history *h);

/* {"unreadable":..,"people":[{"candidate":"","given":false,"interviews":..,"over":..,
 *   "phases":[{"phase":"clarify","interviews":..,"of":..,"done":..,"within_5_percent":..,"spent_s":..,
 *              "planned_s":..,"mean_mark":..}, ..],
 *   "forgotten":[{"kind":"lengths","must":..,"forgotten":..}, ..],
 *   "results":[{"case":..,"level":..,"at":..,"over":..,"facts":..,"asked":..,"numbers":..,"near":..,
 *               "exact":..,"designs":..,"goals":..,"goals_met":..,"twists":..,"twists_met":..,"mark":..,
 *               "marks":{"clarify":..},"spent_s":{"clarify":..},"planned_s":{..}}, ..],
 *   "next":{"case":..,"why":..}}, ..]}
 * "done" of "of" are facts asked for, numbers within a factor of 1.3, goals met, twists after which a design
 * met all goals, interviews with a sentence said aloud. Results are the oldest first; what a phase came to that
 * was not left yet, a mark that was not set and what nobody knows is left out. "given" is true of candidates. */
cJSON *interviews_json(const struct case_stats *s, const struct interview_results *r);

/* Totals, topics and skills, a row each:
 * group,topic,skill,problems,answers,correct,credit,median_time_over_par,best_s,recall,due_at */
void stats_csv(const struct stats *s, FILE *out);

/* The members of events as columns. Control bytes are written as U+FFFD. */
void history_csv(const struct history *h, FILE *out);

/* The events as the lines of a history. 0, or -1 when an event does not fit in a line. */
int history_export(const struct history *h, FILE *out);

#endif
