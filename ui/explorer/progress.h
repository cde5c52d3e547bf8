/* Where the reader was, and how far each chapter was read. Kept in one small JSON file, written to
 * a temporary file and renamed; a damaged one is moved aside and said so, never fatal. */
#ifndef RIDGE_PROGRESS_H
#define RIDGE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_READ = 64 };
struct progress {
	char place[512]; /* "page:roofline", "sim:memory batch=4", "" */
	long scroll;
	struct {
		char page[64];
		double share; /* 0..1: the farthest line seen */
	} read[MAX_READ];
	size_t n_read;
	bool braille;      /* the user said that the font shows it */
	char warning[256]; /* what was wrong with the file, "" when nothing */
};

/* $XDG_STATE_HOME/ridge/state.json or its default. Returns buf, NULL when there is no home. */
char *progress_path(char *buf, size_t size);
/* A missing file is an empty progress. */
void progress_load(struct progress *p);
/* 0, or -1 with errno. */
int progress_save(const struct progress *p);
double progress_of(const struct progress *p, const char *page);
void progress_seen(struct progress *p, const char *page, double share);

#endif
