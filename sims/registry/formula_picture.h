/* Pictures of formulas that speak of a warp: its lanes, and the sectors of memory that they touch. */
#ifndef RIDGE_FORMULA_PICTURE_H
#define RIDGE_FORMULA_PICTURE_H

struct figure;
struct formula;

/* Adds the formula's picture, where it has one; v are its parameters, in base units. Nothing is drawn of
 * values that are no whole numbers of a sector's 32 B. */
void formula_picture(const struct formula *f, const double v[], struct figure *fig);

#endif
