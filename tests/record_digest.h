/* Digests of the record: what counts of a number, and of a text. */
#ifndef RIDGE_TESTS_RECORD_DIGEST_H
#define RIDGE_TESTS_RECORD_DIGEST_H

#include "tests/record.h"

#include <stddef.h>
#include <stdint.h>

uint64_t digest_begin(void);
void digest_bytes(uint64_t *hash, const void *bytes, size_t n);
void digest_text(uint64_t *hash, const char *text);

/* Six digits of it. */
void digest_number(uint64_t *hash, double x);

/* Words may change freely, but not the numbers between them. NULL is no text. */
void digest_numbers_in(uint64_t *hash, const char *text);

/* As a line of the record shows it. */
uint32_t digest_shown(uint64_t hash);

/* The line "KIND:ID 0123abcd". command: what shows it again, before the id. */
void record_digest(const char *kind, const char *id, uint64_t hash, const char *command,
	record_visit *visit, void *context);

#endif
