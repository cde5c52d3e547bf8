/* Names that are meant by a few of their letters. */
#ifndef RIDGE_UI_TERM_FUZZY_H
#define RIDGE_UI_TERM_FUZZY_H

/* How well `typed` matches `name`: every typed character in order, better where they begin words
 * or stand together, best where that is the whole name; 0: no match. Several typed words must all
 * match. Case is ignored. */
int fuzzy_score(const char *typed, const char *name);

#endif
