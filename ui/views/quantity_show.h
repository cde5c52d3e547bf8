/* Quantities where they are drawn: quantity_format keeps to ASCII, for everything that programs
 * read and for terminals that have no more; a canvas knows what it can show. */
#ifndef RIDGE_UI_VIEWS_QUANTITY_SHOW_H
#define RIDGE_UI_VIEWS_QUANTITY_SHOW_H

#include <stddef.h>

/* "5 us", and "Time (us)", get the sign for micro, as prose has it; other words "us" do not. What
 * has no room for it stays. Returns text. */
char *micro_sign(char *text, size_t size);

/* quantity_format, with that sign. */
char *quantity_show(char *buf, size_t size, double value, const char *unit);

#endif
