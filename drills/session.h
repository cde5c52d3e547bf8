/* A sitting: dealt variants, answers, hints, time. Pure state: no clock and no terminal inside; who
 * calls it says what time it is, in ms of any clock that does not go backwards. */
#ifndef RIDGE_SESSION_H
#define RIDGE_SESSION_H

#include "drills/deal.h"
#include "drills/grade.h"

#include <stdbool.h>
#include <stdint.h>

/* Against the par time: from par on it is time to wrap up, from 1.5 par on it is over. */
enum timer_state { TIMER_OK, TIMER_WRAP_UP, TIMER_OVER };
extern const char *const timer_names[]; /* "OK", "WRAP UP", "OVER" */

struct session_item {
	struct variant variant;
	struct grade grade; /* of the last answer; verdict of none: see answered */
	bool answered;      /* grade holds something */
	bool unit_was_asked;
	bool closed;       /* right, out of attempts, or given up: the solution may be shown */
	unsigned attempts; /* used ones: what cannot be read is none */
	unsigned hints;    /* shown, 0..2 */
	double credit;     /* 0..1, after attempts and hints */
	int64_t spent_ms;  /* while it was the current one and the clock ran */
};

struct drill_session {
	struct arena arena;
	struct session_item *items;
	size_t n, current;
	uint64_t seed;
	unsigned max_attempts; /* 1 and more; 3 from session_init */
	bool paused;           /* also before the first session_resume: hide the problem */
	int64_t since_ms;      /* the clock when the current stretch began */
};

/* What a set is made of. topic: a topic, a skill or the id of a drill; NULL or "" for all. */
struct session_options {
	const char *topic;
	size_t count; /* 1..200 */
	uint64_t seed;
};

/* Deals the problems; the clock stands still until session_resume. Drills are taken in an order of
 * their own for each seed, each at most once more than any other; a new drill moves no other's
 * numbers. Bank and tables must outlive it. 0; or -1 and one line in err (an unknown topic: the
 * nearest). Release it either way. */
int session_init(struct drill_session *s, const struct drill_bank *b, const struct tables *t,
        const struct session_options *o, char *err, size_t err_size);
void session_release(struct drill_session *s);

/* NULL when all are done with. */
struct session_item *session_current(struct drill_session *s);

/* Stops and starts the clock. Time away counts for nothing. */
void session_pause(struct drill_session *s, int64_t now_ms);
void session_resume(struct drill_session *s, int64_t now_ms);

/* Grades an answer to the current problem; NULL when it is closed, or paused. */
const struct grade *session_answer(struct drill_session *s, const char *text, int64_t now_ms);

/* The next hint, or NULL after the second or when the problem is closed. */
const char *session_hint(struct drill_session *s);

/* Closes the current problem without (another) answer. */
void session_give_up(struct drill_session *s, int64_t now_ms);

/* Goes on to the next problem; false when that was the last. */
bool session_next(struct drill_session *s, int64_t now_ms);

/* Time on the current problem, and on all. */
int64_t session_spent_ms(const struct drill_session *s, int64_t now_ms);
int64_t session_total_ms(const struct drill_session *s, int64_t now_ms);
enum timer_state session_timer(const struct drill_session *s, int64_t now_ms);
enum timer_state timer_state(int64_t spent_ms, double par_s);

/* Credit of an answer that was graded `credit` at that attempt (1 is the first): halved by each
 * further attempt, a tenth less for each hint. */
double session_credit(double credit, unsigned attempt, unsigned hints);

struct session_score {
	size_t n, closed, correct; /* correct: whatever it took */
	double credit;             /* sum over the closed ones */
	int64_t spent_ms;
	size_t within_par; /* correct ones */
};
struct session_score session_score(const struct drill_session *s);

#endif
