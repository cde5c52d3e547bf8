/* Names are replaced by their numbers; what is then arithmetic is read as any other. */
#include "sims/quantity/named.h"

#include "sims/quantity/scratch.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_PLAIN = 600, LONGEST_NUMBER = 64 };

size_t name_bytes(const char *at)
{
	size_t n = 0;
	if (!isalpha((unsigned char)*at) && *at != '_')
		return 0;
	while (isalnum((unsigned char)at[n]) || at[n] == '_')
		n++;
	return n;
}

/* Reads the number that a name stands for, written as one, and goes on behind it. */
static int write_number(const struct named_numbers *names, const char *text, const char **at,
	char number[LONGEST_NUMBER], char *err, size_t err_size)
{
	double value;
	if (names->find(names->context, at, &value, err, err_size))
		return -1;
	if (!isfinite(value)) {
		snprintf(err, err_size, "%.100s is no number here", text);
		return -1;
	}
	snprintf(number, LONGEST_NUMBER, "(%.15g)", value);
	return 0;
}

/* The text with numbers in place of names. */
static int write_plain(const struct named_numbers *names, const char *text, char *plain,
	size_t size, char *err, size_t err_size)
{
	size_t used = 0;
	for (const char *at = text; *at;) {
		char number[LONGEST_NUMBER];
		const char *piece = at;
		size_t n = 1;
		if (isdigit((unsigned char)*at)) { /* 1e9 has a letter, and is no name */
			n = strcspn(at, " +-*/()");
			at += n;
		} else if (name_bytes(at)) {
			if (write_number(names, text, &at, number, err, err_size))
				return -1;
			piece = number;
			n = strlen(number);
		} else {
			at++;
		}
		if (n >= size - used) {
			snprintf(err, err_size, "\"%.40s...\" is too long", text);
			return -1;
		}
		memcpy(plain + used, piece, n);
		used += n;
	}
	plain[used] = '\0';
	return 0;
}

int named_arithmetic(const struct named_numbers *names, const char *text, double *out, char *err,
	size_t err_size)
{
	char plain[LONGEST_PLAIN];
	struct scratch_value v;
	if (write_plain(names, text, plain, sizeof plain, err, err_size))
		return -1;
	*err = '\0';
	if (scratch_read(NULL, plain, NULL, &v, err, err_size)) {
		if (!*err)
			snprintf(err, err_size, "\"%.100s\" is no arithmetic", text);
		return -1;
	}
	*out = v.number;
	return 0;
}
