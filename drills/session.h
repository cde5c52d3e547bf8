/* A sitting: dealt variants, answers, hints, time. It is pure state without a clock or a terminal:
 * whoever calls it says what time it is, in ms of any clock that does not go backwards. */
#ifndef RIDGE_SESSION_H
#define RIDGE_SESSION_H

#include "drills/deal.h"
#include "drills/grade.h"

#include <stdbool.h>
#include <stdint.h>

enum drill_mode {
	MODE_SET,       /* N problems, each against its par time */
	MODE_STUDY,     /* no clock */
	MODE_SPRINT,    /* as many as can be done in 120 s; short ones, one attempt each */
	MODE_INTERVIEW, /* five phases over 45 minutes: one estimate, then N problems */
	MODE_REVIEW,    /* one problem for each of the skills given */
	MODE_PLACEMENT, /* one problem for each chapter: which of them are known? */
	N_MODES
};
extern const char *const mode_names[N_MODES + 1]; /* NULL-terminated */

enum { PLACEMENT_COUNT = 12 }; /* each of another chapter */
enum { MOST_PROBLEMS = 200 };  /* that can be asked for; an interview has one more, the estimate */

/* The phases of an interview. Only estimate and drill have problems; the others are talk. */
enum phase {
	PHASE_CLARIFY,
	PHASE_ESTIMATE,
	PHASE_DESIGN,
	PHASE_DRILL,
	PHASE_WRAP_UP,
	N_INTERVIEW_PHASES
};
struct interview_phase {
	const char *name;
	double share;       /* how much of the whole time; the shares add up to 1 */
	const char *advice; /* what a candidate does in it */
};
extern const struct interview_phase interview_phases[N_INTERVIEW_PHASES]; /* around problems */

/* A problem is to be wrapped up from its par time on and over from 1.5 par on; a sprint from three
 * quarters of its time on, and at its end; a phase of an interview from a minute before its planned
 * end, and at it. In study the state is always OK. */
enum timer_state { TIMER_OK, TIMER_WRAP_UP, TIMER_OVER };
extern const char *const timer_names[]; /* "OK", "WRAP UP", "OVER" */

struct session_item {
	struct variant variant; /* at the step that is asked */
	struct grade grade;     /* of the last answer; without a meaning before the first one */
	bool answered;          /* there was one */
	bool unit_was_asked;    /* at this step, as the next */
	bool kind_was_asked;    /* again, where a quantity of another kind was given */
	bool digits_were_asked; /* where too few were given to tell */
	bool scratch;           /* the scratch pad was used: set by whoever has one */
	bool closed;            /* right, out of attempts, or given up: the solution may be shown */
	unsigned attempts;      /* at this step; an answer that cannot be read does not count */
	size_t answered_step;   /* which step the last answer was to */
	unsigned answered_attempt; /* and which attempt at that step it was */
	unsigned answered_hints;   /* after so many hints of that step */
	unsigned hints;            /* shown, of all parts */
	unsigned step_hints;       /* of the part at hand, 0..n_hints of it */
	double credit;             /* 0..1, after attempts and hints; mean over the steps */
	bool shown;                /* the clock ran on it, however short */
	bool unasked;              /* its phase was ended before it was shown */
	int64_t spent_ms;          /* while it was the current one and the clock ran */
	enum phase phase;
	/* The last answer to each step that was a wrong number; NAN where it was right or there is
	 * none, since later steps then go on from the key. */
	double given[MOST_STEPS];
	double step_credit[MOST_STEPS];
	size_t right_steps;
};

struct session_cause {
	char text[96]; /* "bits vs bytes" */
	unsigned n;
};
enum { MOST_CAUSES = 32 };

struct drill_session {
	struct arena arena;
	struct session_item *items;
	size_t n, current;
	uint64_t seed;
	enum drill_mode mode;
	enum phase phase;      /* where an interview is; N_INTERVIEW_PHASES when it is done */
	unsigned max_attempts; /* at a step, 1 and more */
	double wrap_up_ratio, over_ratio; /* times par; 1 and 1.5 after session_init */
	double limit_s;                   /* how long a sprint or an interview lasts; else 0 */
	struct interview_phase plan[N_INTERVIEW_PHASES]; /* of an interview */
	bool paused;      /* also before the first session_resume: hide the problem */
	int64_t since_ms; /* the clock when the current stretch began */
	int64_t total_ms; /* of the stretches before, whether a problem was open or not */
	int64_t phase_ms[N_INTERVIEW_PHASES]; /* what each phase of an interview took until then */
	struct session_cause causes[MOST_CAUSES]; /* why answers were wrong, as they came up */
	size_t n_causes;
};

/* What a set is made of; the rest may stay zero. */
struct session_options {
	const char *topic; /* of a set, or several (drill_is_of); NULL or "" for all */
	size_t count;      /* 1..MOST_PROBLEMS; in a review the number of skills counts instead */
	uint64_t seed;
	enum drill_mode mode;
	size_t edition; /* only drills that came with this edition or before it; 0: all drills */
	const char *const *skills; /* what a review goes through, in order */
	size_t n_skills;
	double limit_s; /* how long a sprint or an interview lasts; 0: 120 s, 45 min */
	bool no_choice; /* nothing to choose from or to put in order: numbers and words */
	bool pack; /* only the drills of the bank's pack, in its order; then there is no topic */
};

/* Deals the problems; the clock stands still until session_resume. Drills are taken in an order of
 * their own for each seed, each at most once more than any other; a new drill moves no other's
 * numbers. A chain is dealt from its lowest place to its highest. Programs to write come up only where a topic, a skill or a drill is named, and never in
 * a sprint or an interview. Bank and tables must outlive it. 0; or -1 and one line in err (an
 * unknown topic: the nearest). Release it either way. */
int session_init(struct drill_session *s, const struct drill_bank *b, const struct tables *t,
	const struct session_options *o, char *err, size_t err_size);
void session_release(struct drill_session *s);

/* An interview without problems, whose phases have shares of their own, those that are talked through
 * elsewhere: a design case. Release it as any. */
void session_talk(struct drill_session *s, const struct interview_phase plan[], uint64_t seed,
	double limit_s);

/* The problem that is asked; NULL when all are done with, and in the phases of an interview that
 * have no problems. */
struct session_item *session_current(const struct drill_session *s);

/* All problems, or phases, are done with, or the time of a sprint is up. */
bool session_done(const struct drill_session *s);

/* Ends it where it stands; not an interview, whose phases end it. */
void session_stop(struct drill_session *s, int64_t now_ms);
/* Stops and starts the clock. Time away counts for nothing. */
void session_pause(struct drill_session *s, int64_t now_ms);
void session_resume(struct drill_session *s, int64_t now_ms);

/* Ends a sprint whose time is up; true when it is. Answers do so by themselves. */
bool session_tick(struct drill_session *s, int64_t now_ms);

/* Grades an answer to the current step; NULL when there is none to answer, or paused. A step that
 * is done with gives way to the next, which shows its exact value; a later step that is right from
 * an earlier wrong value gets FOLLOW_CREDIT_PERCENT, as VERDICT_NAMED. */
const struct grade *session_answer(struct drill_session *s, const char *text, int64_t now_ms);
enum { FOLLOW_CREDIT_PERCENT = 75 };

/* The same for a program, which is graded elsewhere (drills/program_grade.h). */
const struct grade *session_answer_graded(
	struct drill_session *s, const struct grade *grade, int64_t now_ms);

/* The next hint of the part at hand, or NULL after its last or when the problem is closed. */
const char *session_hint(struct drill_session *s);
bool session_has_hint(const struct session_item *item);

/* Closes the current problem without (another) answer. */
void session_give_up(struct drill_session *s, int64_t now_ms);

/* Goes on to the next problem, or phase when the phase has no more; false when that was the
 * last. */
bool session_next(struct drill_session *s, int64_t now_ms);

/* Ends the phase of an interview; its open problems are given up. False when that was the last. */
bool session_next_phase(struct drill_session *s, int64_t now_ms);

/* Time on the current problem, and on all. In a sprint and an interview the latter runs on between
 * problems. */
int64_t session_spent_ms(const struct drill_session *s, int64_t now_ms);
int64_t session_total_ms(const struct drill_session *s, int64_t now_ms);

/* The state to show: of the problem, the sprint, or the phase. */
enum timer_state session_timer(const struct drill_session *s, int64_t now_ms);
enum timer_state timer_state(int64_t spent_ms, double par_s); /* with the usual ratios */

/* Whether a clock is shown at all. */
bool session_has_clock(const struct drill_session *s);

struct pacing {
	enum phase planned;    /* where the plan would be now */
	int64_t phase_left_ms; /* until the planned end of the phase; negative: behind the plan */
	int64_t left_ms;       /* until the end of the whole */
	/* Of an interview: what all that is left shares by the first plan, whether earlier phases took longer or
	 * less; of these, what was planned at first. */
	int64_t planned_ms[N_INTERVIEW_PHASES];
};
struct pacing session_pacing(const struct drill_session *s, int64_t now_ms);

/* Credit of an answer that was graded `credit` at that attempt (1 is the first): halved by each
 * further attempt, a tenth less for each hint. */
double session_credit(double credit, unsigned attempt, unsigned hints);

bool session_item_right(const struct session_item *item); /* at every step, whatever it took */

/* How problem i ended, in a word or two: "right", "2 of 3" steps, "close", "wrong", "gave up"; "no
 * time" where the clock ended it; "left" where it was left open, "" where it was not reached. */
const char *session_item_word(const struct drill_session *s, size_t i);

/* Skills of the closed problems that are not right, each once, the most often missed first; at most
 * `most`. Returns how many. */
struct session_miss {
	const char *skill;
	size_t missed, closed; /* problems of the skill */
};
size_t session_missed(const struct drill_session *s, struct session_miss out[], size_t most);

struct session_score {
	size_t n, closed, correct; /* correct: whatever it took */
	double credit;             /* sum over the closed ones */
	int64_t spent_ms;
	size_t within_par;        /* correct ones */
	double median_par_ratio;  /* time over par of those answered; NAN where none was */
	size_t slowest;           /* the index of the largest such ratio; n where there is none */
	const char *missed_skill; /* most often not right in closed problems; NULL where all were */
	size_t hints;
};
struct session_score session_score(const struct drill_session *s);

#endif
