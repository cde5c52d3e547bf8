/* What was answered, read from the history when a screen wants it. */
#ifndef RIDGE_UI_DATA_ANSWERS_H
#define RIDGE_UI_DATA_ANSWERS_H

#include "sims/tables/tables.h"
#include "drills/bank.h"
#include "drills/bests.h"
#include "drills/history.h"
#include "drills/stats.h"

struct answers {
	struct history history; /* it owns the texts of the statistics */
	struct stats stats;
};

/* A history up to this size is read and counted within a tenth of a second. Before a larger one is
 * read, people are told that it takes time. */
enum { ANSWERS_AT_ONCE_BYTES = 16 << 20 };

/* Counts a->history as of now_s. 0; or -1 and one line in err. Release it either way. */
int answers_count(struct answers *a, int64_t now_s, char *err, size_t err_size);
void answers_release(struct answers *a);

/* What only the banks know: retires the skills that are in none, and groups problems by their rungs.
 * Nothing of it where the banks cannot be read. 0, or -1 when out of memory. */
int answers_retire(struct stats *s, const struct tables *t);
/* The same for who has read them. */
int answers_retire_by(struct stats *s, const struct drill_bank *bank);
/* The same for who has no tables, which are read where there is an answer. */
int answers_retire_alone(struct stats *s);

/* What a session that began at began_s did best of all so far, by the history before it, which
 * `load` reads. Nothing is known where load is NULL or fails. */
struct session_bests answers_bests(const struct drill_session *s, int64_t began_s,
	int (*load)(struct history *h, char *err, size_t err_size));

/* The history in its usual file (ui/data/history_file.h), as the explorer wants it. */
int answers_keep(const struct history_event *e, char *err, size_t err_size);
int answers_load(struct history *h, char *err, size_t err_size);
int64_t answers_bytes(void);  /* 0 where there is none */
uint64_t answers_stamp(void); /* a number that changes when it does */

#endif
