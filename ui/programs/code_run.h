/* Runs a candidate's program against the cases of a variant, in a temporary directory and as
 * ui/programs/child.h and ui/programs/confine.h say: without a terminal or input, with little time
 * and memory, without any way to change something outside itself or to read what is the user's; the
 * compiler as well. Where the system cannot enforce that, nothing runs unless the user has said so
 * (ui/programs/consent.h). What its results are compared with never enters its process
 * (drills/program.h). */
#ifndef RIDGE_UI_PROGRAMS_CODE_RUN_H
#define RIDGE_UI_PROGRAMS_CODE_RUN_H

#include "drills/program_grade.h"
#include "ui/programs/child.h"

enum { LARGEST_PROGRAM = 64 * 1024, CODE_SAID_SIZE = 2048, CODE_WHY_SIZE = 160 };

struct code_limits {
	int64_t wall_ms; /* of one run */
	unsigned cpu_s;
	size_t memory_bytes, output_bytes;
	/* Asked all the while, compiling included: whether to stop. NULL: never. */
	bool (*stopped)(void *context);
	void *context;
};

enum code_state {
	CODE_RAN,         /* grade and result say how */
	CODE_NO_TOOL,     /* no interpreter or compiler: see program_assess */
	CODE_NOT_CONFINED /* nothing was run: why says what is missing, consent.h what to ask */
};

struct code_result {
	enum code_state state;
	struct grade grade; /* for session_answer_graded; INVALID: nothing was used */
	struct program_result result;
	char summary[80];          /* "5 of 6 cases", for the history's `given` */
	char said[CODE_SAID_SIZE]; /* the end of what it printed itself, printable, in lines */
	char tool[64];             /* "python3", "cc": what ran it, or is missing */
	char why[CODE_WHY_SIZE];   /* what confinement lacks here, also where it ran so; "" */
	int64_t took_ms;           /* of the run */
};

/* text: the program, as code_edit gives it. limits: NULL, or with wall_ms 0, for 6 s in all, 4 s of
 * the processor, 512 MiB of memory and 256 KiB of output. Takes up to twice wall_ms, usually a
 * tenth of a second. 0; or -1 and one line in err where the world is to blame: no directory, no
 * process, a model solution that does not run here, a wish to stop, a signal that is to end us. */
int code_run(const struct variant *v, const char *text, const struct code_limits *limits,
	struct code_result *out, char *err, size_t err_size);

/* "solution.py": the name that the program has where it runs. */
const char *code_file_name(enum program_language language);

#endif
