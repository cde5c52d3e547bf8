/* The contact sheet: every screen of ridge as pictures on one HTML page, for eyes. */
#ifndef RIDGE_TESTS_SHEET_H
#define RIDGE_TESTS_SHEET_H

#include "drills/history.h"
#include "ui/term/theme.h"

#include <stdio.h>

struct sheet_size {
	int cols, rows;
};
extern const struct sheet_size sheet_sizes[];
extern const size_t n_sheet_sizes;

/* One screen, reached by some keys. Words of `keys` are names of keys, "Down*3", "text:42",
 * "wait:4000" (ms that pass), "right" (types the right answer of the problem, and Enter), "figure" (the
 * page's next figure). */
struct shot {
	const char *kind; /* what it is an example of: sheet_kinds has them */
	const char *group, *name, *target, *keys;
	/* Reads the answers of whoever sits there; NULL: there are none yet. */
	int (*answers)(struct history *h, char *err, size_t err_size);
};
extern const char *const sheet_kinds[]; /* NULL-terminated */

/* Those of all screens but the simulations. */
extern const struct shot sheet_screens[];
extern const size_t n_sheet_screens;

enum { SHEET_DAY_S = 86400, SHEET_NOW_S = 1767225600 + 60 * SHEET_DAY_S };

/* The page: what stands before all sections, before those of a group, in each, and after them. A
 * picture is in `file`, beside the page. */
void sheet_begin(FILE *out);
void sheet_group(FILE *out, const char *name, bool first);
void sheet_section_begin(FILE *out, const struct shot *s, const char *id);
void sheet_picture(FILE *out, const struct sheet_size *size, enum background on, const char *file,
	int width, int height);
void sheet_refusal(FILE *out, const char *why);
void sheet_section_end(FILE *out);
void sheet_end(FILE *out);

#endif
