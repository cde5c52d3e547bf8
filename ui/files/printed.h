/* Whether what was printed went out. What one write lost stays lost though later ones succeed. The stream
 * remembers that one failed, so that it is enough to ask once, at the end. */
#ifndef RIDGE_PRINTED_H
#define RIDGE_PRINTED_H

#include <stdio.h>

/* 0, or -1 where something of what was printed to it since it was opened was lost. */
int printed_end(FILE *out);

#endif
