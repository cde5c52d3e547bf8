/* The letters of large type, as dots. */
#ifndef RIDGE_UI_TERM_BIG_FONTS_H
#define RIDGE_UI_TERM_BIG_FONTS_H

#include <stddef.h>
#include <stdint.h>

enum { FONT_ROWS = 6 };

/* Rows of dots from the top, the highest of `wide` bits on the left. */
struct letter {
	uint32_t symbol;
	unsigned char wide, rows[FONT_ROWS];
};

struct big_font {
	const struct letter *letters;
	size_t n;
	int rows; /* of dots, with what hangs below the line */
};

/* Numbers and codes: digits, capitals but I, L, O and U, which codes do without, and . , - + % $ x */
extern const struct big_font font_large;
/* Text: all of ASCII, and what else captions have. Five rows, and one for what hangs below the line;
 * each letter is as wide as it needs. */
extern const struct big_font font_text;

#endif
