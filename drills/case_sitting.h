/* One person at one case: what was asked and told, estimated, designed and marked so far. The command
 * line, a screen and an interviewer's desk do the same things to it. Pure: clocks are arguments. */
#ifndef RIDGE_CASE_SITTING_H
#define RIDGE_CASE_SITTING_H

#include "drills/case_ask.h"
#include "drills/case_run.h"
#include "drills/grade.h"

#include <stdint.h>

enum { MOST_SAID = 64 };
/* How long a sitting is: 45 minutes, unless another length was asked for. A case's twists stand at minutes of
 * the first, and move with it. */
enum {
	CASE_MINUTE_MS = 60000,
	CASE_MINUTES = 45,
	LEAST_CASE_MINUTES = 10,
	MOST_CASE_MINUTES = 180
};

/* Seeds that nobody chose are below this, so that they are quickly typed. */
enum { CASE_SEEDS = 100000 };

enum estimate { ESTIMATE_NONE, ESTIMATE_OFF, ESTIMATE_COUNTS, ESTIMATE_EXACT };
extern const char *const estimate_words[]; /* "not estimated", "off", "counts ...", "exact" */
enum { CASE_NEARNESS_SIZE = 48 };

struct case_estimate {
	enum estimate best;
	unsigned tries;
	bool unit_asked;   /* the last answer had none, and that cost nothing */
	const char *given; /* the best that could be read, of equal ones the last; NULL: none */
	const char *first; /* that could be read; NULL: none */
};

/* Who asks and answers. Where that is a person, twists come when they are told and not by the clock. */
enum case_company {
	CASE_ALONE, /* nobody: the case does */
	CASE_HELD, /* an interviewer, and this is the candidate's side: all verdicts wait for their word */
	CASE_LED /* the same when the word was given, and the interviewer's own side */
};

struct case_sitting {
	struct dealt_case deal;
	unsigned minutes;          /* CASE_MINUTES; set another before the first line */
	enum case_company company; /* CASE_ALONE; the same */
	struct case_means
		means; /* of runs; zeroes, and to be set around a line that runs a design */
	size_t stage;  /* twists told so far */
	bool told[MOST_FACTS];
	/* Of these what was asked for when a design had been run: it decided nothing. Beside an interviewer none. */
	bool late[MOST_FACTS];
	bool asked_back[MOST_FACTS]; /* offered to a question that may have meant it */
	size_t asked, unanswered;    /* questions, and those that no fact answers */
	struct case_estimate estimates[MOST_STEPS];
	struct case_design design;
	size_t runs[MOST_TWISTS + 1];     /* designs run at each stage */
	bool met[MOST_TWISTS + 1];        /* one of them met all goals, */
	bool last_met[MOST_TWISTS + 1];   /* and the last one did */
	size_t goals[MOST_TWISTS + 1];    /* how many there were, once one was run, */
	size_t most_met[MOST_TWISTS + 1]; /* and of these the most that one met */
	double cost[MOST_TWISTS + 1];     /* the least of those that met all; NAN: none did */
	const char *last_design[MOST_TWISTS + 1]; /* as typed back, or NULL */
	const char *last_words[MOST_TWISTS + 1];  /* the same by the names that people know */
	size_t last_n_met[MOST_TWISTS + 1];       /* the goals that it met */
	/* The cheapest that met all, or the first that met the most. */
	const char *best_design[MOST_TWISTS + 1];
	size_t guesses;                /* designs that were run before a fact that must be known */
	size_t follow_ups;             /* asked so far */
	unsigned marks[N_CASE_PHASES]; /* 1 to CASE_MARKS; 0: none */
	enum case_phase phase;         /* the last that was begun */
	int64_t entered_ms
		[N_CASE_PHASES];     /* when it was; of one that was passed over, as the next */
	const char *said[MOST_SAID]; /* what was said aloud, */
	enum case_phase said_in[MOST_SAID]; /* and the phase in which it was */
	const char *said_to[MOST_SAID];     /* the question that it answers; NULL: none */
	size_t n_said;
};

/* 0; or -1 and one line in err. Release it either way. */
int case_sitting_begin(struct case_sitting *s, const struct design_case *c, const struct tables *t,
	uint64_t seed, enum case_level level, char *err, size_t err_size);
void case_sitting_release(struct case_sitting *s);

/* The word that an interviewer says when the candidate may see what everything came to: two syllables,
 * other ones for each deal. Returns buf. */
enum { CASE_WORD_SIZE = 5 };
char *case_release_word(
	const char *id, uint64_t seed, enum case_level level, char buf[CASE_WORD_SIZE]);

/* When a twist is told, since the beginning. */
int64_t case_twist_ms(const struct case_sitting *s, size_t twist);

/* A fact is told. */
void case_sitting_tell(struct case_sitting *s, size_t fact);

/* A question was asked that finds this (drills/case_ask.h): facts that are sure count as told from then on. */
void case_sitting_asked(struct case_sitting *s, const struct case_match *m);

/* Whether the phase is one in which designs are run. */
bool case_design_is_due(const struct case_sitting *s);

/* Whether an answer to an anchor can be read as drills/case_number.h reads it: "roughly 3 GB for the cache". One of
 * another kind, bytes where seconds are asked, cannot. *grade says why. */
bool case_sitting_reads(
	const struct case_sitting *s, size_t anchor, const char *text, struct grade *grade);
/* Grades an answer to an anchor: within 5 % it is exact, within a factor of 1.3 it counts; what cannot be read is
 * none. *grade says what was understood, and of one that is off which mistake may be behind it: people
 * round, so within 5 % of the mistake. */
enum estimate case_sitting_estimate(
	struct case_sitting *s, size_t anchor, const char *text, struct grade *grade);
/* How near a value comes to the key of an anchor: "right, 0.8 % off", "counts, 18 % off". Returns
 * buf. */
char *case_nearness(const struct case_sitting *s, size_t anchor, double value, enum estimate is,
	char buf[CASE_NEARNESS_SIZE]);
/* The same of the best answer that was given to it; of others "off" or "not estimated". Returns
 * buf. */
char *case_estimate_text(const struct case_sitting *s, size_t anchor, char buf[CASE_NEARNESS_SIZE]);
/* Facts told so far; all that must be, those of these that are not, and those that were told before a design was run. */
size_t case_facts_told(const struct case_sitting *s);
size_t case_facts_must(const struct case_sitting *s);
size_t case_facts_left(const struct case_sitting *s);
size_t case_facts_in_time(const struct case_sitting *s);
/* Designs run so far, at all stages. */
size_t case_runs(const struct case_sitting *s);
/* Numbers that something was said to, and those that count. */
size_t case_numbers_given(const struct case_sitting *s);
size_t case_numbers_counting(const struct case_sitting *s);
/* Whether a run tells nothing that is still to be asked for: all facts that must be told are, and those of
 * goals, or a design was said and run, by which they were. What is asked for aloud nobody here knows: then too. */
bool case_may_run(const struct case_sitting *s);

/* The anchor of that name or number, from 1; -1: there is none. */
int case_sitting_anchor(const struct case_sitting *s, const char *word);
/* Its name as people say it, "at once" for at_once. Returns buf. */
enum { CASE_NAME_SIZE = 64 };
char *case_anchor_name(const struct case_sitting *s, size_t anchor, char buf[CASE_NAME_SIZE]);
/* The unit that it is asked for in, as it stands behind a number, " GB"; "" where it has none. Returns buf. */
char *case_anchor_unit(const struct case_sitting *s, size_t anchor, char buf[CASE_NAME_SIZE]);

/* Runs what the sitting's design says; it must say all. 0, or -1 when memory is out. */
int case_sitting_run(struct case_sitting *s, struct case_run *out);

/* The next twist; NULL: there is none, or it is not its time (now_ms < 0: it is; where a person asks, no
 * other time is). */
const struct case_twist *case_sitting_twist(struct case_sitting *s, int64_t now_ms);

/* The next question that goes deeper; NULL: there is none. */
const struct case_question *case_sitting_follow_up(struct case_sitting *s);

/* The phase has begun, if it or a later one had not; those before it are over. */
void case_sitting_reach(struct case_sitting *s, enum case_phase phase, int64_t now_ms);

/* Keeps what was said to a question, or to none (NULL); more than MOST_SAID are not kept. */
void case_sitting_say(struct case_sitting *s, const char *question, const char *text);

#endif
