/* Inline maths as text. A page writes it as GitHub reads it: `$x^2$`, or with back quotes inside
 * the dollars where Markdown would eat a backslash or a star. */
#ifndef RIDGE_UI_PAGES_PAGE_MATHS_H
#define RIDGE_UI_PAGES_PAGE_MATHS_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* Turns TeX into a line of Unicode, or of ASCII: scripts, Greek letters, operators, \frac,
 * \sqrt, \text. What it does not know is shown as typed; nothing is lost. NULL when out of
 * memory. */
const char *maths_text(struct arena *a, const char *tex, size_t bytes, bool ascii);

/* Bytes of the maths that begins with the dollar at text[0], both dollars included; 0: that dollar
 * means money, because a blank follows it or stands before the other one, a letter or digit stands
 * outside, or there is nothing but a number between the two. */
size_t maths_bytes(const char *text, char before);

#endif
