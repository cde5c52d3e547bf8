/* Answers that are programs: what runs them, what they say, and what it is worth. Pure: nothing
 * here starts anything (ui/programs/code_run.h does).
 *
 * The check of a variant is one program text around the drill's own checks. It calls the
 * candidate's program once for each case and prints what came of it:
 *
 *   NONCE case 2 12;1.0,2.0,3.0      the numbers of each expectation, in order
 *   NONCE case 2 ! line 4: TypeError: ...
 *   NONCE load ! line 7: SyntaxError: ...
 *
 * It holds the inputs and no expected value: the comparison is made here, with what the formulas
 * give and with what the model solution said to the same check in a process of its own. So a
 * candidate's program may print what it likes and read whatever it finds. */
#ifndef RIDGE_PROGRAM_H
#define RIDGE_PROGRAM_H

#include "drills/deal.h"

enum { NONCE_SIZE = 33, MOST_NUMBERS = 4096, REASON_SIZE = 160 };

/* The check's text, in the arena: for Python all of it; for C what is compiled along with the
 * candidate's file. nonce: letters and digits. */
const char *program_check_text(const struct variant *v, const char *nonce, struct arena *a);

/* What was printed in one case. */
struct program_answer {
	bool answered;
	char reason[REASON_SIZE]; /* why there are no numbers; printable */
	const double *numbers[MOST_EXPECTATIONS];
	size_t counts[MOST_EXPECTATIONS];
};

enum program_end {
	PROGRAM_ENDED,
	PROGRAM_OVERTIME, /* by the clock, or by the time it computed */
	PROGRAM_FLOODED,  /* printed more than is read */
	PROGRAM_KILLED    /* by a signal: it crashed */
};

struct program_answers {
	struct arena arena;
	enum program_end end; /* from the caller */
	int signal;           /* of PROGRAM_KILLED */
	char load_reason[REASON_SIZE];
	struct program_answer cases[MOST_CASES];
};

/* Reads what a check printed, whatever else was printed around it. A case that was answered twice
 * counts as one that was not. Release it. */
void program_read(const struct variant *v, const char *nonce, const char *output, size_t bytes,
	struct program_answers *out);
void program_answers_release(struct program_answers *a);

/* Text without control characters and broken UTF-8, cut where a character ends; lines are kept
 * where `lines` is set. Returns buf. */
char *program_printable(const char *text, size_t bytes, bool lines, char *buf, size_t size);

#endif
