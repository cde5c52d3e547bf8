/* Octants: cells of two columns and four rows of dots that touch. A mask has bit 2 r + c set for the
 * dot in row r (0 to 3) and column c (0 or 1). */
#ifndef RIDGE_UI_TERM_OCTANTS_H
#define RIDGE_UI_TERM_OCTANTS_H

#include <stdbool.h>
#include <stdint.h>

/* The character of a mask below 256; a blank for 0. */
uint32_t octant_glyph(unsigned mask);
/* The mask of a character; 0 where it is none of these, or a blank. */
unsigned octant_mask(uint32_t code);
/* Whether it is one that only octants have: the others serve bars and boxes as well. */
bool octant_of_curve(uint32_t code);

#endif
