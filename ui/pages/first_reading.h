/* A first reading: a page without its sections in depth (ui/data/in_depth.h). Their headings stay,
 * each with a line that says what was left out. */
#ifndef RIDGE_UI_PAGES_FIRST_READING_H
#define RIDGE_UI_PAGES_FIRST_READING_H

#include "sims/base/arena.h"

#include <stddef.h>

/* The terminated Markdown of a first reading, in an arena, and its length in *bytes; the text itself
 * where it leaves out nothing. hint: how the section is read, behind "In depth, 3 min". NULL: out of
 * memory. */
const char *first_reading(const char *markdown, size_t *bytes, const char *hint, struct arena *a);

#endif
