/* Bytes that come from outside while the screen goes on: a file that grows, a named pipe, or the
 * standard input. Nothing here waits, and no port is opened. */
#ifndef RIDGE_UI_PROGRAMS_INFLOW_H
#define RIDGE_UI_PROGRAMS_INFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct inflow {
	int fd;     /* -1: there is none, or nothing will come any more */
	bool grows; /* its end is none: it is read again after a while */
	bool begun; /* something came: a byte-order mark would no more be one */
};

/* Begin with this. */
#define NO_INFLOW ((struct inflow){ .fd = -1 })

/* Opens a file, a named pipe, or the standard input ("-"), in whose place the terminal is opened, for
 * keys. 0; or -1 and one line in err that begins with the option's name. */
int inflow_open(struct inflow *f, const char *option, const char *path, char *err, size_t err_size);
void inflow_close(struct inflow *f);

/* What came since, at most size bytes, without a byte-order mark at the beginning; 0: nothing at present. It is closed at its end. */
size_t inflow_read(struct inflow *f, char *buf, size_t size);

#endif
