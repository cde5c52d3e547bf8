/* What somebody asks of `ridge drill` or `ridge open drill`, one reader for the line mode,
 * the explorer and the interviewer's screen. */
#ifndef RIDGE_UI_PRACTICE_DRILL_REQUEST_H
#define RIDGE_UI_PRACTICE_DRILL_REQUEST_H

#include "drills/case.h"
#include "drills/code.h"
#include "drills/history.h"
#include "drills/session.h"
#include "drills/stats.h"
#include "ui/data/bank_load.h"
#include "ui/data/options.h"

enum { MOST_REVIEWED = 20, MOST_SKILL = 64, DEFAULT_COUNT = 5 /* problems of a set */ };

/* A zeroed request asks for nothing in particular. */
struct drill_request {
	/* What was asked for, until drill_request_complete fills in the rest. Texts point into
	 * this struct: after a copy, complete the copy. */
	struct session_options options;
	char code[CODE_SIZE]; /* as asked for; once completed, as to be read out; "": none */
	unsigned attempts;    /* 1..9; 0: as the mode has it */
	bool seeded;
	bool chosen;        /* something was asked for that a code says as well */
	bool forget;        /* the answers are not kept */
	bool answers;       /* the interviewer's side */
	char candidate[64]; /* the name of who is interviewed; "": nobody said it */
	char follow[512]; /* where it comes in what they type at another machine; "": at this one */
	char pack[512];   /* a file of questions that are dealt whole; "": none */
	char topic[160];  /* one set, or several with commas between them */
	char skills[MOST_REVIEWED][MOST_SKILL]; /* of a review; "" in the first: those due */
	double recall[MOST_REVIEWED];           /* of those that were due; NAN: not known yet */
	const char *skill_list[MOST_REVIEWED];
	size_t n_due; /* skills that were due, of which a review may have some only */
	/* Of an interview at a design case (drill_request_at_case). */
	char case_id[64]; /* "": any, until it is completed */
	bool named;       /* the case was asked for, not chosen by the seed */
	bool levelled;    /* a level was asked for */
	enum case_level level;
	unsigned minutes; /* 0: as long as it usually is */
	/* Completing it found that nothing is due, and what comes next ("": nothing was
	 * answered yet). */
	bool nothing_due;
	char next_skill[MOST_SKILL];
	int64_t next_s;
};

/* What the options of a command line of `ridge drill` ask for. 0; or -1 and one line in err: a
 * topic or a code that is too long. */
int drill_request_take(
	struct drill_request *r, const struct command_line *line, char *err, size_t err_size);

/* The same options as words, in the explorer: "mode=sprint", "code=...", or a bare topic. 0; or -1
 * and one line in err that says what was wrong, what was expected and the nearest match. */
int drill_request_words(
	struct drill_request *r, const char *const words[], size_t n, char *err, size_t err_size);

/* Whether it asks for an interview at a design case: by its code, or because an interview is of a case
 * where neither a topic nor a number of problems is named. */
bool drill_request_at_case(const struct drill_request *r);

/* Fills in what such a request leaves open: the case by the seed, among those for the level; the code.
 * 0; or -1 and one line in err: a code that cannot be read, no such case, not for that level. */
int drill_request_complete_case(
	struct drill_request *r, uint64_t fresh_seed, char *err, size_t err_size);

/* The bank that it is dealt from: with its pack, where it names one; *own as bank_load_telling has it. 0; or -1
 * and one line in err. Release the bank either way. */
int drill_request_bank(const struct drill_request *r, struct drill_bank *b, const struct tables *t,
	struct own_drills *own, char *err, size_t err_size);

/* What asks for the like of a completed request with other numbers, and another case where none was named. */
struct drill_request drill_request_anew(const struct drill_request *r, uint64_t seed);

/* What its problems are about, once it is completed: "serving", "chapter 8", "mixed". Returns buf. */
char *drill_request_subject(const struct drill_request *r, char *buf, size_t size);

/* What another person types for the same problems, once it is completed: "ridge drill --code B20M-7K", or
 * all options where it has no code. Returns buf. */
char *drill_request_command(const struct drill_request *r, char *buf, size_t size);

/* Fills in what was not asked for: the code's contents, or defaults and a code for them. A review
 * is of the skills that are due by `stats`, which may be NULL for other modes. 0; or -1 and one
 * line in err: a code that cannot be read, nothing due (which is no mistake: r->nothing_due). */
int drill_request_complete(struct drill_request *r, const struct drill_bank *b,
	const struct stats *stats, uint64_t fresh_seed, char *err, size_t err_size);

/* The same, with the statistics of the history that `load` reads (NULL: there is none), where r
 * asks for a review. */
int drill_request_complete_from(struct drill_request *r, const struct drill_bank *b,
	int (*load)(struct history *h, char *err, size_t err_size), int64_t now_s,
	uint64_t fresh_seed, char *err, size_t err_size);

#endif
