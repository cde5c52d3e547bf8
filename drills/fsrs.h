/* When a skill should come again: FSRS-6, the free spaced repetition scheduler of the Open Spaced
 * Repetition project, written from its formulas. Pure: same reviews, same schedule; the clock is an
 * argument. Time between two reviews counts in whole days of 24 hours, rounded down. */
#ifndef RIDGE_FSRS_H
#define RIDGE_FSRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fsrs_rating { FSRS_AGAIN = 1, FSRS_HARD, FSRS_GOOD, FSRS_EASY };
enum fsrs_state { FSRS_LEARNING, FSRS_REVIEW, FSRS_RELEARNING };
enum { FSRS_WEIGHTS = 21, FSRS_MOST_STEPS = 8 };

/* A day of the calendar: an integer, where DAY_S of sims/constants.h is a number of the models. */
enum { CALENDAR_DAY_S = 86400 };

/* How well something is known. A stability of 0 is a skill never reviewed. */
struct fsrs_memory {
	double stability_days; /* after so many days recall is 90 % */
	double difficulty;     /* 1..10 */
};

struct fsrs_options {
	double w[FSRS_WEIGHTS];
	double retention; /* recall at the moment when it is due: 0.01..0.99 */
	int64_t learning_s[FSRS_MOST_STEPS], relearning_s[FSRS_MOST_STEPS];
	size_t n_learning, n_relearning;
	double longest_days; /* no interval is longer */
};
extern const struct fsrs_options fsrs_defaults; /* 0.9; 1 and 10 min; 10 min; 36,500 days */

/* A zeroed one was never reviewed. */
struct fsrs_card {
	enum fsrs_state state;
	size_t step;    /* of learning or relearning; 0 in review */
	int64_t last_s; /* Unix time of the last review */
	int64_t due_s;
	struct fsrs_memory memory;
};

/* Below, w are the 21 numbers of fsrs_options. The curve: recall after so many days, 1 at 0, 0.9 at
 * the stability. */
double fsrs_recall(const double w[], double days, double stability_days);

/* Days after which recall has fallen to `retention`: the curve the other way round. Not rounded. */
double fsrs_days_until(const double w[], double stability_days, double retention);

/* The same in whole days, 1..longest_days. Halves are rounded away from zero. */
double fsrs_interval_days(const struct fsrs_options *o, double stability_days);

/* What is remembered after a review that came `days` after the last one (0: the same day). */
struct fsrs_memory fsrs_remember(
	const double w[], struct fsrs_memory before, double days, enum fsrs_rating rating);

/* A review at now_s. A clock that went backwards counts as the same day. */
void fsrs_review(struct fsrs_card *card, const struct fsrs_options *o, enum fsrs_rating rating,
	int64_t now_s);

/* Recall at now_s; 0 for what was never reviewed. */
double fsrs_card_recall(const struct fsrs_card *card, const struct fsrs_options *o, int64_t now_s);

/* How one problem ended. */
struct fsrs_outcome {
	bool correct;      /* false: wrong, given up, or out of time */
	unsigned attempts; /* 1: right at once */
	unsigned hints;
	bool scratch; /* worked out on the scratch pad */
	double took_s, par_s;
};

/* What is not correct is Again, whatever else is said. Correct is Hard with a hint, at a later
 * attempt or above 1.5 par; Easy within 0.5 par with no help at all; Good otherwise. */
enum fsrs_rating fsrs_rate(const struct fsrs_outcome *o);

#endif
