/* A name as a sentence or a row begins with it. */
#ifndef RIDGE_SIMS_BASE_CAPITAL_H
#define RIDGE_SIMS_BASE_CAPITAL_H

#include <ctype.h>

/* Makes a small Latin letter that begins the text a capital one. Returns text. */
static inline char *capital_first(char *text)
{
	*text = (char)toupper((unsigned char)*text);
	return text;
}

#endif
