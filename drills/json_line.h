/* Walks over the members of one JSON object in memory that may be written to: strict (RFC 8259, and
 * UTF-8), no allocation, fast enough for a hundred megabytes of lines. Texts are unescaped and
 * terminated where they stand. */
#ifndef RIDGE_JSON_LINE_H
#define RIDGE_JSON_LINE_H

#include <stdbool.h>
#include <stdint.h>

enum json_kind { JSON_TEXT, JSON_NUMBER, JSON_FLAG, JSON_NULL, JSON_NESTED };
struct json_value {
	enum json_kind kind;
	const char *text; /* of JSON_TEXT */
	double number;    /* finite */
	bool is_natural;  /* a whole number from 0 to 2^64-1, exact in natural */
	uint64_t natural;
	bool flag;
};

/* Set `at` to the first byte of a text that ends in a zero byte. */
struct json_line {
	char *at;
	bool begun;
};

/* The next member. 1; 0 after the last one, when nothing but blanks follows; -1: this is not an
 * object in JSON. Arrays and objects inside are checked and skipped, 16 deep at most. */
int json_member(struct json_line *l, const char **name, struct json_value *v);

#endif
