/* The statistics by skill and by topic, a row each: bars, and the last answers one by one. */
#ifndef RIDGE_UI_SCREENS_STATS_STATS_ROWS_H
#define RIDGE_UI_SCREENS_STATS_STATS_ROWS_H

#include "drills/stats_figure.h"
#include "ui/term/pane.h"

enum { STATS_TOPICS = 64 };

/* A topic of the bank, tried or not. */
struct stats_topic {
	const char *id, *name;
	size_t drills, met;              /* of its problems, and how many came up so far */
	const struct stats_group *group; /* NULL: none was answered */
};

/* Rows from the top of p on, below a heading of two rows; nothing is drawn where p is NULL. */
enum { STATS_HEAD = 2 };
/* When a skill comes back, coarsely: a long list is parted by it. */
enum stats_turn { TURN_NOW, TURN_DAY, TURN_WEEK, TURN_LATER, TURN_NEVER, N_TURNS };
enum stats_turn stats_turn(const struct stats *s, const struct stats_group *g);
/* The row of each skill, of which rows[] has at most STATS_ROWS: a long list has headings that say when they come back.
 * Returns the rows of all. */
int stats_skill_places(const struct stats *s, const struct stats_group *const rows[], size_t n,
	int at[STATS_ROWS]);
/* at: of stats_skill_places. */
void stats_skill_rows(const struct pane *p, const struct stats *s,
	const struct stats_group *const rows[], size_t n, const int at[STATS_ROWS]);
/* Topics that were answered: their group is not NULL. */
void stats_topic_rows(const struct pane *p, const struct stats_topic topics[], size_t n);

/* Topics of which none has come up: names with their numbers of problems, down one column and then the
 * next. A column begins `step` cells right of the one before and is `cell` wide. */
enum { STATS_GRID_HEAD = 1 };
struct stats_grid {
	int name, cell, step, down, bar; /* bar: columns of the longest; 0: there are none */
};
/* bars: how many problems each has as a length, where there is room; not beside bars of what was answered. */
struct stats_grid stats_grid(const struct stats_topic topics[], size_t n, int cols, bool bars);
/* STATS_GRID_HEAD rows and those of the grid. */
void stats_grid_draw(const struct pane *p, const struct stats_topic topics[], size_t n, bool bars);

/* The share of right answers with the range in which it lies: STATS_SHARE rows. */
enum { STATS_SHARE = 3 };
void stats_share_draw(const struct pane *p, const struct stats *s);

#endif
