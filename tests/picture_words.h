/* Words in a picture: a word stands in one row of it, and is of ASCII. */
#ifndef RIDGE_TESTS_PICTURE_WORDS_H
#define RIDGE_TESTS_PICTURE_WORDS_H

#include "ui/term/canvas.h"

#include <string.h>

/* Whether a word begins at a cell and has room in the rest of its row. */
static inline bool begins_at(const struct canvas *cv, int cell, const char *word)
{
	const int n = (int)strlen(word);
	int k = 0;
	if (cell % cv->cols + n > cv->cols)
		return false;
	while (k < n && cv->cells[cell + k].code == (unsigned char)word[k])
		k++;
	return k == n;
}

/* The first cell where a word begins, counted row by row; -1: nowhere. */
static inline int cell_of(const struct canvas *cv, const char *word)
{
	for (int cell = 0; cell < cv->rows * cv->cols; cell++)
		if (begins_at(cv, cell, word))
			return cell;
	return -1;
}

static inline int times_shown(const struct canvas *cv, const char *word)
{
	int times = 0;
	for (int cell = 0; cell < cv->rows * cv->cols; cell++)
		times += begins_at(cv, cell, word);
	return times;
}

#endif
