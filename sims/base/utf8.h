/* UTF-8: code points out of bytes and back. Whatever the bytes are, reading them never fails and
 * never stands still: each byte that belongs to no character counts as U+FFFD. */
#ifndef RIDGE_SIMS_BASE_UTF8_H
#define RIDGE_SIMS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next code point of a terminated text, U+FFFD for an invalid byte; advances *text; 0 at the
 * end. */
uint32_t utf8_next(const char **text);

/* Writes a code point, returns its bytes (1 to 4); buf has room for 5, is terminated. */
int utf8_write(char *buf, uint32_t code);

/* Bytes of a character that begins with this one, 1 to 4; 0: none does. */
int utf8_lead_bytes(char first);

/* Bytes of the well-formed character at text, 1 to 4; 0 at its end and where there is none. */
int utf8_char_bytes(const char *text);

/* Bytes of the byte-order mark that n bytes begin with: 3 or 0. Some editors put one before UTF-8; it is no
 * part of the text. */
size_t utf8_mark_bytes(const char *text, size_t n);

/* Whether a byte is inside a character, not its first. */
bool utf8_continues(char byte);

/* The bytes of a text, or of as many whole characters as `most` bytes hold. */
size_t utf8_whole(const char *text, size_t most);

/* Whether a character steers a terminal or the direction of text instead of being seen: all control
 * characters, line ends and tabs among them, marks of direction, and tags, which nothing shows. */
bool utf8_steers(uint32_t code);

/* Lower case of a code point: Latin, Greek, Cyrillic; in every locale the same. */
uint32_t utf8_lower(uint32_t code);

#endif
