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

/* Limits of the system, no core file, no more rights by exec. 0, or -1 with errno. */
int confine_limit(const struct confine_limits *l);

/* Where the system has filters for its calls (Linux on x86-64 and ARM): from now on no file, link
 * or directory can be made, written, renamed or removed, no process or thread started, signalled
 * or looked into, no connection opened, nothing of the system set. Reading and computing remain.
 * False where there is no such filter: only the limits hold then. */
bool confine_calls(void);

#endif
