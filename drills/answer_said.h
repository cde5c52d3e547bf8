/* An answer as it is said: "about 5 GB or so", "a fifth". */
#ifndef RIDGE_ANSWER_SAID_H
#define RIDGE_ANSWER_SAID_H

#include <stddef.h>

/* The text without the words that only hedge, before the number and behind it, and with a fraction in words as a
 * quotient: "5 GB", "1/5". Cut to size. Returns buf. */
char *answer_said(const char *text, char *buf, size_t size);

#endif
