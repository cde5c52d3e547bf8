/* Quantities as they are drawn. quantity_format keeps to ASCII, because programs read it too; a
 * canvas knows what it can show, so what is drawn has the real sign for micro. */
#ifndef RIDGE_UI_VIEWS_QUANTITY_SHOW_H
#define RIDGE_UI_VIEWS_QUANTITY_SHOW_H

#include <stddef.h>

/* Puts the sign for micro in "5 us" and in "Time (us)", as prose has it. The word "us" stays, and
 * so does a unit where the longer sign has no room. Returns text. */
char *micro_sign(char *text, size_t size);

/* quantity_brief, with that sign. */
char *quantity_show(char *buf, size_t size, double value, const char *unit);

#endif
