/* The history of answers for other programs: statistics and events as JSON and CSV. */
#ifndef RIDGE_UI_COMMANDS_STATS_EXPORT_H
#define RIDGE_UI_COMMANDS_STATS_EXPORT_H

#include "drills/stats.h"

#include <cjson/cJSON.h>

#include <stdio.h>

/* {"schema":1,"at":..,"lines":..,"unreadable":..,"first_unreadable":..,"total":{..},"topics":[..],
 * "skills":[..],"mistakes":[..],"days":[..],"n_due":..,"due":[..],"next":"..",
 * "most_missed":[..],"slowest":[..]}. What is not known is left out. NULL when out of memory; the
 * caller deletes it. */
cJSON *stats_json(const struct stats *s, const struct history *h);

/* Totals, topics and skills, a row each:
 * group,topic,skill,problems,answers,correct,credit,median_time_over_par,best_s,recall,due_at */
void stats_csv(const struct stats *s, FILE *out);

/* The members of events as columns. Control bytes are written as U+FFFD. */
void history_csv(const struct history *h, FILE *out);

/* The events as the lines of a history. 0, or -1 when an event does not fit in a line. */
int history_export(const struct history *h, FILE *out);

#endif
