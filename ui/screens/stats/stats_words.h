/* The sentences of the statistics: what is known, what so few answers cannot say, and the next
 * step. */
#ifndef RIDGE_UI_SCREENS_STATS_STATS_WORDS_H
#define RIDGE_UI_SCREENS_STATS_STATS_WORDS_H

#include "drills/stats.h"

enum { STATS_SENTENCE = 512 };

/* A time as a share of par, "82 %"; "< 1 %" of what took no time that one can speak of. Returns
 * buf. */
char *stats_ratio_text(double ratio, char *buf, size_t size);

/* The one sentence over everything. tiled: the share and the time stand below it, as numbers of their own. */
void stats_headline(const struct stats *s, bool tiled, char *text, size_t size);
/* The line that Enter does, and what it opens, for app_open. NULL: a mixed set. */
void stats_next_step(const struct stats *s, char *text, size_t size);
const char *stats_next_setting(const struct stats *s);

/* What will stand here, where there is no answer yet: terminated by NULL. */
extern const char *const stats_promises[];

/* What this history cannot say yet, a sentence for each; 0: nothing is missing. */
enum { MOST_UNKNOWNS = 4 };
size_t stats_unknowns(const struct stats *s, char text[MOST_UNKNOWNS][STATS_SENTENCE]);

/* Whether a share of right answers is so uncertain that its range is worth a picture. */
bool stats_is_thin(const struct stats *s);
/* Whether a skill has left its first minutes, so that a recall can be given. */
bool stats_recall_known(const struct stats_group *g);

#endif
