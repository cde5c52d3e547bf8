/* Where the reader was, and how far each chapter was read. Kept in one small JSON file, written to
 * a temporary file and renamed. A damaged file, or one of a later version, is moved aside and reported,
 * and never stops ridge: what can be read of it is. */
#ifndef RIDGE_UI_SHELL_PROGRESS_H
#define RIDGE_UI_SHELL_PROGRESS_H

#include "ui/pages/page_spot.h"
#include "ui/term/glyphs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROGRESS_PARTS = 64 }; /* equal ones, of a page */
enum { MAX_READ = 128, MAX_BOOKMARKS = 64, MAX_CHOSEN = 32 };
struct bookmark {
	char page[64]; /* its id */
	struct page_spot spot;
	char text[96]; /* the first words there, for the list */
};
struct progress {
	char place[512]; /* "page:roofline", "sim:memory batch=4", "" */
	long scroll;
	struct {
		char page[64];
		uint64_t parts; /* bit i: part i of PROGRESS_PARTS was read */
		int64_t day;    /* since 1970, on which the last of it was; 0: not known */
	} read[MAX_READ];
	size_t n_read;
	struct bookmark bookmarks[MAX_BOOKMARKS]; /* in the order in which they were set */
	size_t n_bookmarks;
	bool unsaved; /* a bookmark was set or taken away: the loop saves, and clears it */
	/* Glyphs that the user chose in a terminal, by its name: the same home is seen through many
	 * fonts. The latest choice comes last. */
	struct {
		char terminal[48];
		enum glyphs glyphs;
	} chosen[MAX_CHOSEN];
	size_t n_chosen;
	bool first;        /* pages are shown as a first reading, without what goes into depth */
	bool braille;      /* what earlier versions kept instead; written for them, not used */
	char warning[256]; /* what was wrong with the file, "" when nothing */
};

/* $XDG_STATE_HOME/ridge/state.json or its default. Returns buf, NULL when there is no home. */
char *progress_path(char *buf, size_t size);
/* A missing file is an empty progress. */
void progress_load(struct progress *p);
/* 0, or -1 with errno. */
int progress_save(const struct progress *p);
/* The share of a page that was read, 0..1. */
double progress_of(const struct progress *p, const char *page);
/* An enum glyphs; -1: the user chose none in a terminal of that name. */
int progress_glyphs(const struct progress *p, const char *terminal);
void progress_choose_glyphs(struct progress *p, const char *terminal, enum glyphs glyphs);
/* Whether nothing was kept yet: ridge is here for the first time. */
bool progress_is_new(const struct progress *p);
/* Whether a page was read, but for a line or two. */
bool progress_is_read(const struct progress *p, const char *page);
/* Whether part i of it was, 0..PROGRESS_PARTS - 1, and that it was now. */
uint64_t progress_parts(const struct progress *p, const char *page); /* bit i: part i was read */
bool progress_has(const struct progress *p, const char *page, unsigned part);
void progress_read(struct progress *p, const char *page, unsigned part);
/* It was read to its end on that day, which stays the first such day. A talk that was given is kept
 * as "talk:ID". The day is 0 where it is not known. */
void progress_finish(struct progress *p, const char *page, int64_t day);
int64_t progress_day(const struct progress *p, const char *page);
/* It was read from its beginning to there. */
void progress_seen(struct progress *p, const char *page, double share);
/* False: there are MAX_BOOKMARKS already. A long text is cut between characters. */
bool progress_mark(
	struct progress *p, const char *page, const struct page_spot *spot, const char *text);
void progress_unmark(struct progress *p, size_t i);

#endif
