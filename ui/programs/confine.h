/* What a process gives up before it runs a program that nobody has checked. It cannot get it back,
 * and neither can what it starts. */
#ifndef RIDGE_UI_PROGRAMS_CONFINE_H
#define RIDGE_UI_PROGRAMS_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

struct confine_limits {
	unsigned cpu_s;
	size_t memory_bytes; /* of address space */
	size_t file_bytes;   /* of each file that it writes */
	unsigned files;      /* open at once */
	bool alone;          /* starts no process and no thread */
};

enum confinement {
	CONFINED_BY_LIMITS, /* by nothing else: for programs of the system and of the user */
	CONFINED_PROGRAM, /* reads and computes: no file is written, nothing started or signalled */
	CONFINED_COMPILER /* starts others, and writes in its own folder */
};

/* Limits of the system, no core file, no more rights by exec, the first to be ended where memory runs
 * out. 0, or -1 with errno. */
int confine_limit(const struct confine_limits *l);

/* From now on: the system calls of confine_calls.h, the files of confine_files.h, and no
 * privilege over exec. dir is its own folder; readable (NULL-terminated, or NULL) what it reads beside the
 * system. 0; or -1 where a part of it cannot be enforced, and whatever can be is. */
int confine(enum confinement c, int dir, const char *const *readable);

/* Whether the system enforces it, tried in a process that ends at once. If not, why says in a clause
 * what is missing. */
bool confine_works(char *why, size_t size);

#endif
