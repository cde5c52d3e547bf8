/* An answer as it is said: "about 5 GB or so", "a fifth", "two and a half hours", "14 GB a second". Pure. */
#ifndef RIDGE_ANSWER_SAID_H
#define RIDGE_ANSWER_SAID_H

#include <stddef.h>

/* The text without the words that only hedge, before the number and behind it, and with a number in words in
 * digits, a fraction as a quotient, and "a second" as what a rate is written with: "5 GB", "1/5", "14 GB/s". Cut to
 * size. Returns buf. */
char *answer_said(const char *text, char *buf, size_t size);

/* Behind a beginning that ends where a word does, or behind any of a list, longer ones before their own beginnings; NULL:
 * the text has another one. */
const char *behind_word(const char *text, const char *beginning);
const char *behind_any_word(const char *text, const char *const list[], size_t n);

/* Behind the words with which a number is said, "it's about". */
const char *answer_after_hedges(const char *text);

/* "Two hundred and fifty thousand", "dozen", "half a". Returns what stands behind the words; NULL: no number begins
 * there, and *value stays. */
const char *answer_words(const char *text, double *value);

#endif
