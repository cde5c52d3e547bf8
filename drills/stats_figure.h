/* The statistics as a figure: the same is drawn on the screen, printed and exported. */
#ifndef RIDGE_STATS_FIGURE_H
#define RIDGE_STATS_FIGURE_H

#include "drills/stats.h"
#include "sims/figure/figure.h"

/* The report as a figure, to be drawn, printed or exported: headline values, what is due, the share
 * of right answers day by day, skills as STATS_WEAKEST has them, topics, mistakes, personal bests.
 * Only a note where no problem was answered yet. Out of memory is left in fig->arena.failed. */
enum { STATS_ROWS = 80 }; /* no table has more */
void stats_figure(const struct stats *s, struct figure *fig);
extern const char stats_skills_title[], stats_topics_title[]; /* of its tables */

#endif
