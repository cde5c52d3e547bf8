/* The scratch pad: lines of arithmetic with units, and what they come to. Answers that are more
 * than one product are read by it, too.
 *
 *   line   = [ "~" ] expr [ "in" unit ] [ "=" ]
 *   expr   = term { ("+" | "-") term }
 *   term   = factor { ("*" | "x" | "×" | "·" | "/" | "÷" | "per") factor }
 *   factor = [sign] ( base [ ("^" | "**") power ] [ unit ] | duration )
 *   base   = number | "$" number | [ "sqrt" | "√" ] "(" expr ")" | "ans" | "#" line
 *   power  = [sign] ( number | "(" expr ")" )
 *
 * Numbers and units are those of answers (sims/quantity/quantity_parse.h): 1e9, 3 x 10^9, 1,024, 80
 * GB/s, 15T tokens, $2/h. A symbol that may mean two things means the one whose dimension is asked
 * for; where nothing is asked, B right behind the digits is billion ("70B") and byte elsewhere ("2
 * B", "4B/param"), TFLOPS is a rate and TFLOPs an amount.
 *
 * A unit belongs to the number before it: 600 GB / 3 GB/s is 200 s. Behind a quotient of plain
 * numbers it belongs to the quotient, as in an answer: 1/2 GB is half a gigabyte, 1/(30 ms) a rate.
 * (A percentage always belongs to its number.) Dimensions are checked: bytes and seconds cannot be
 * added. Pure; nothing here depends on the locale. */
#ifndef RIDGE_SCRATCH_H
#define RIDGE_SCRATCH_H

#include "sims/quantity/quantity_parse.h"

enum { SCRATCH_LINES = 40, SCRATCH_DEPTH = 16, SCRATCH_DIGITS = 6, SCRATCH_ALL_DIGITS = 12 };

struct scratch_value {
	double number;          /* in base units: s, bit, FLOP, ...; finite */
	struct unit unit;       /* its dimension; factor: of `in`, where there is one, else 1 */
	char in[SYMBOL_SIZE];   /* the unit asked for by name; "": one is chosen */
	bool in_bits, in_bytes; /* how information was typed */
	bool has_unit;          /* a unit or multiplier was typed: also in "5 x" and "5 billion" */
	bool billion, over_quotient; /* what a reader may not expect: see scratch_note */
};

struct scratch_line {
	char text[QUANTITY_MAX_BYTES + 1];
	struct scratch_value value;
};

/* A zeroed one is empty. Lines are numbered from 1. */
struct scratch_pad {
	struct scratch_line lines[SCRATCH_LINES];
	size_t n;
};

/* Reads the text and says what it comes to. "ans" and "#3" are the last and the third line of the
 * pad (NULL: there is no pad); asked may be NULL. 0; or -1 and one line in err, which quotes no
 * byte outside printable ASCII. */
int scratch_read(const struct scratch_pad *pad, const char *text, const struct unit *asked,
	struct scratch_value *out, char *err, size_t err_size);

/* Adds the line, with its value, at the end of the pad. 0; or -1 and one line in err. */
int scratch_add(struct scratch_pad *pad, const char *text, char *err, size_t err_size);

/* Writes "327.68 kB", "$0.23/Mtok", "33.3333 /s": in the unit asked for, otherwise in one that
 * leaves a readable number, with that many significant digits. With SCRATCH_ALL_DIGITS it reads
 * back as the same value. Returns buf. */
char *scratch_write(const struct scratch_value *v, int digits, char *buf, size_t size);

/* How the text was read, where that may not be what was meant; "" elsewhere. */
const char *scratch_note(const struct scratch_value *v);

#endif
