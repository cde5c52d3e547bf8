/* Most blocks are a pattern of 2 columns and 4 rows, an octant; the others are a number of eighths
 * from one edge. Both become rectangles. */
#include "ui/term/glyph_shapes.h"

#include "ui/term/glyph_lines.h"
#include "ui/term/octants.h"

enum { FULL_BLOCK = 0x2588 };

/* Rows of the pattern that are alike are one rectangle. */
static size_t pattern_rects(unsigned pattern, struct rect rects[MOST_RECTS])
{
	enum { WIDTH = GLYPH_WIDTH / 2, HEIGHT = GLYPH_HEIGHT / 4 };
	size_t n = 0;
	for (int row = 0; row < 4; row++) {
		unsigned here = pattern >> 2 * row & 3;
		if (!here)
			continue;
		if (row && here == (pattern >> 2 * (row - 1) & 3))
			rects[n - 1].rows += HEIGHT;
		else
			rects[n++] = (struct rect){ row * HEIGHT, here == 2 ? WIDTH : 0, HEIGHT,
				here == 3 ? 2 * WIDTH : WIDTH };
	}
	return n;
}

size_t block_rects(uint32_t code, struct rect rects[MOST_RECTS])
{
	enum { W = GLYPH_WIDTH, H = GLYPH_HEIGHT };
	if (code > 0x2580 && code <= FULL_BLOCK) {
		int rows = (int)(code - 0x2580) * H / 8;
		rects[0] = (struct rect){ H - rows, 0, rows, W };
		return 1;
	}
	if (code > FULL_BLOCK && code < 0x2590) {
		rects[0] = (struct rect){ 0, 0, H, (int)(0x2590 - code) * W / 8 };
		return 1;
	}
	if (code == 0x2594 || code == 0x2595) {
		rects[0] = code == 0x2594 ? (struct rect){ 0, 0, H / 8, W }
					  : (struct rect){ 0, W - W / 8, H, W / 8 };
		return 1;
	}
	return pattern_rects(octant_mask(code), rects);
}

double shade_share(uint32_t code)
{
	return code == FULL_BLOCK                 ? 1
	       : code >= 0x2591 && code <= 0x2593 ? (code - 0x2590) / 4.0
						  : 0;
}

unsigned braille_dots(uint32_t code)
{
	/* Unicode counts the upper three dots of the left column, of the right one, then the rest. */
	static const unsigned char places[8] = { 0, 2, 4, 1, 3, 5, 6, 7 };
	unsigned dots = 0;
	if (code < 0x2800 || code > 0x28ff)
		return 0;
	for (unsigned bit = 0; bit < 8; bit++)
		dots |= (code >> bit & 1) << places[bit];
	return dots;
}

const struct mark_shape *mark_shape(uint32_t code)
{
	static const struct mark_shape shapes[] = {
		{ 0x25a0, true, 1, 5, "h6v6h-6z" },
		{ 0x25a1, false, 1, 5, "h5v5h-5z" },
		{ 0x25aa, true, 2, 6, "h4v4h-4z" },
		{ 0x25b2, true, 0.5, 11, "h7l-3.5-6.5z" },
		{ 0x25b3, false, 0.5, 10.5, "h6l-3-5.5z" },
		{ 0x25b6, true, 1, 4.5, "v7l6.5-3.5z" },
		{ 0x25b8, true, 2, 5.5, "v5l4-2.5z" },
		{ 0x25ba, true, 1, 5, "v6l6.5-3z" },
		{ 0x25bc, true, 0.5, 5, "h7l-3.5 6.5z" },
		{ 0x25bd, false, 0.5, 5, "h6l-3 5.5z" },
		{ 0x25be, true, 1, 5.5, "h5l-2.5 4z" },
		{ 0x25c0, true, 7, 4.5, "v7l-6.5-3.5z" },
		{ 0x25c6, true, 0, 8, "l4-4 4 4-4 4z" },
		{ 0x25c7, false, 0.25, 7.5, "l3.25-3.25 3.25 3.25-3.25 3.25z" },
		{ 0x25c9, true, 0, 8,
			"a4 4 0 1 1 8 0a4 4 0 1 1-8 0zm1 0a3 3 0 1 1 6 0a3 3 0 1 1-6 0z"
			"m1 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0z" },
		{ 0x25cb, false, 0.5, 7.5, "a3 3 0 1 1 6 0a3 3 0 1 1-6 0z" },
		{ 0x25cf, true, 0.5, 8, "a3.5 3.5 0 1 1 7 0a3.5 3.5 0 1 1-7 0z" },
	};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (shapes[i].code == code)
			return &shapes[i];
	return NULL;
}
