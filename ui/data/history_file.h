/* The file of the history (drills/history.h), kept as ui/files/own_lines.h says: two programs at once
 * lose nothing, and each event is on the disk before the call returns. */
#ifndef RIDGE_UI_DATA_HISTORY_FILE_H
#define RIDGE_UI_DATA_HISTORY_FILE_H

#include "drills/history.h"

/* $XDG_DATA_HOME/ridge/history.jsonl, or the same in ~/.local/share. Returns buf; NULL when the
 * environment names no home. */
char *history_path(char *buf, size_t size);

/* Adds one event; makes folders that are missing. 0; or -1 and one line in err, and then what was
 * there before is as it was. The signal SIGXFSZ should be ignored. */
int history_append(const char *path, const struct history_event *e, char *err, size_t err_size);

/* A number that changes when the file does; 0: there is none. */
uint64_t history_stamp(const char *path);

/* A file that is not there is an empty history. 0; or -1 and one line in err when it cannot be
 * opened or read, or memory is out. Release it either way. */
int history_load(struct history *h, const char *path, char *err, size_t err_size);

#endif
