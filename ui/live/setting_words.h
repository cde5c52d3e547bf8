/* "roofline gpu=h100 batch=8" taken apart: the name of what is opened, and its settings. Fences of
 * pages, links, the command line of the explorer and history all write places this way. */
#ifndef RIDGE_UI_LIVE_SETTING_WORDS_H
#define RIDGE_UI_LIVE_SETTING_WORDS_H

#include "sims/figure/sim.h"

#include <stddef.h>

struct setting_words {
	char copy[1024];                  /* what the words point into */
	const char *words[MAX_KNOBS + 1]; /* words[0] is the name */
	size_t n;                         /* 0: there was nothing but blanks */
};

/* Splits a text at blanks and tabs. 0; or -1 and a line in err where it is too long or has more
 * words than any simulation has knobs. */
int setting_words(struct setting_words *w, const char *text, char *err, size_t err_size);

#endif
