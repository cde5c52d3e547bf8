/* What a history says: pure functions of its events and of the time, with nothing stored. */
#ifndef RIDGE_DRILL_STATS_H
#define RIDGE_DRILL_STATS_H

#include "drills/fsrs.h"
#include "drills/history.h"

enum { STATS_WEEKS = 12 };

/* One variant, from its first answer until it was right, given up or out of time, or until the
 * last answer there is. Answers that cost no attempt do not count. */
struct stats_problem {
	const char *drill, *skill, *topic, *mode;
	uint64_t seed;
	size_t before; /* the last problem before this one with the same variant, from 1; 0: none */
	int64_t at_s;  /* when its last event was */
	unsigned answers;
	double credit; /* 0..1, after attempts and hints */
	struct fsrs_outcome outcome;
};

/* All problems of a topic or a skill, or all. */
struct stats_group {
	const char *name, *topic; /* topic: of a skill */
	size_t problems, answers, correct;
	double credit;     /* mean, 0..1 */
	double time_ratio; /* median of the time on a problem over its par */
	double best_s;     /* fastest one right at once, without a hint; NAN: none */
	int64_t best_at_s;
	struct fsrs_card card; /* of a skill: each problem is a review */
	double recall;         /* of a skill, now */
	bool due;              /* of a skill, now */
	bool retired;          /* of a skill: no drill asks for it any more */
	/* Of a rung: its problems in each week, and those of them that were right; the last week is the seven
	 * days until now. */
	size_t weeks[STATS_WEEKS], weeks_right[STATS_WEEKS];
};

struct stats_cause {
	const char *name; /* "bits vs bytes" */
	size_t n;
	int64_t last_s;
	size_t weeks[STATS_WEEKS]; /* the last is the seven days until now */
};

struct stats_day {
	int64_t day; /* since 1970-01-01, UTC */
	size_t problems, correct;
};

/* Texts are the history's, which must outlive it. The rest is in the arena. */
struct stats {
	struct arena arena;
	int64_t now_s;
	struct stats_problem *problems; /* as begun */
	size_t n_problems;
	struct stats_group total, *topics, *skills; /* by name */
	size_t n_topics, n_skills, n_due;
	struct stats_group *rungs; /* by stats_rungs; the lowest first */
	size_t n_rungs;
	struct stats_cause *causes; /* the most frequent first */
	size_t n_causes;
	struct stats_day *days; /* ascending; those with a problem */
	size_t n_days;
	size_t longest_run, run; /* problems right in a row: ever, and now */
	/* Problems of one sprint have a seed in common, and no variant twice. */
	size_t n_sprints, best_sprint; /* the most problems right in one of them */
	int64_t best_sprint_at_s;
};

/* 0, or -1 when out of memory. Release it either way. */
int stats_init(struct stats *s, const struct history *h, int64_t now_s);
void stats_release(struct stats *s);

/* Skills that no drill asks for any more are never due. */
void stats_retire(
	struct stats *s, bool (*is_known)(const void *bank, const char *skill), const void *bank);

/* Groups the problems by their rungs, which `rung` knows of a drill of the bank; N_RUNGS of one that is in
 * no bank any more. 0, or -1 when out of memory. */
int stats_rungs(struct stats *s, enum drill_rung (*rung)(const void *bank, const char *drill),
	const void *bank);

/* Where the share lies of which `right` of n drawn at random were right, 19 times of 20: Wilson's
 * interval (1927), 0..1; all of it where n is 0. */
void stats_share_range(size_t right, size_t n, double *lo, double *hi);

/* The skill that is due next of those not due yet; NULL where there is no such skill. */
const struct stats_group *stats_next(const struct stats *s);

/* "Monday"; the day counts from 1970-01-01, 0 or more. */
const char *stats_weekday(int64_t day);

/* When that is, in words: "now", "in 10 min", "in 5 h", "tomorrow", "Thursday", "in 12 days". Days
 * are days of UTC. Returns buf. */
char *stats_when(int64_t at_s, int64_t now_s, char *buf, size_t size);

/* The first `most` skills in an order, a few (time: skills times most); returns how many. */
enum stats_order {
	STATS_DUE,     /* those due: the lowest recall first */
	STATS_MISSED,  /* with a problem not right: the most of these first */
	STATS_SLOWEST, /* slower than par, by the median: the slowest first */
	STATS_WEAKEST  /* all: those never right, then the lowest recall first */
};
size_t stats_rank(const struct stats *s, enum stats_order order, const struct stats_group *out[],
	size_t most);

/* The time that what is due should take: the par of the last problem of each skill. */
double stats_due_s(const struct stats *s, const struct history *h);

/* "7 reviews due, about 10 min". Returns buf. */
char *stats_due_brief(size_t n_due, double due_s, char *buf, size_t size);

/* "4 skills due: kv-cache, decode, numbers and 1 more.", the lowest recall first, or "Nothing due.
 * Next review Thursday: kv-cache." Returns buf. */
char *stats_due_text(const struct stats *s, char *buf, size_t size);

#endif
