/* What a candidate does on another machine: lines that `ridge drill --stream` prints there, as they
 * come in through a pipe or a file that grows. They are the lines of that machine's history, or of the
 * record of the case. */
#ifndef RIDGE_UI_INTERVIEWER_FOLLOWED_H
#define RIDGE_UI_INTERVIEWER_FOLLOWED_H

#include <stdbool.h>
#include <stddef.h>

struct followed;

/* path: of a file or named pipe, or "-" for the standard input. NULL and one line in err where it
 * cannot be opened. The caller releases it. */
struct followed *followed_open(const char *path, char *err, size_t err_size);
void followed_release(struct followed *f); /* NULL does nothing */

/* Takes in what came since, without waiting. Whether another line is whole now. A stream that was begun once more says
 * all from its beginning: a line that is there already is left out, and so is an empty one. */
bool followed_take(struct followed *f);
/* All whole lines so far; the caller frees. NULL: memory is out. */
char *followed_lines(const struct followed *f, size_t *bytes);
/* Bytes that came so far, with those of lines that were left out: a stream says an empty one now and then. */
size_t followed_came(const struct followed *f);
/* Whether nothing will come any more: its end was reached, or more came than an interview has. */
bool followed_ended(const struct followed *f);

#endif
