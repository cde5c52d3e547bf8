/* Files of lines to which lines are only ever added: the history, the record of an interview. Two
 * programs at once lose nothing: each line is one write under a lock, and on the disk before the call
 * returns. A line that was cut short (the power, kill -9) spoils only itself: the next begins a new
 * line. */
#ifndef RIDGE_UI_FILES_OWN_LINES_H
#define RIDGE_UI_FILES_OWN_LINES_H

#include <stddef.h>

/* Adds n bytes that end in a newline; makes folders and the file (0600) where they are missing. 0, or -1
 * with errno, and then what was there before is as it was. The signal SIGXFSZ should be ignored. */
int own_append(const char *path, const char *line, size_t n);

/* Reads the whole file, of at most `most` bytes, while nobody adds to it; the caller frees. NULL with
 * errno, as own_read_fd has it. */
char *own_read_lines(const char *path, size_t most, size_t *bytes);

#endif
