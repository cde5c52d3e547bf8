/* Whether what was printed went out. A write that failed before is lost, though later ones may succeed: it
 * is kept by the stream, and asked for once, at the end. */
#ifndef RIDGE_PRINTED_H
#define RIDGE_PRINTED_H

#include <stdio.h>

/* 0, or -1 where something of what was printed to it since it was opened was lost. */
int printed_end(FILE *out);

#endif
