/* The manual page, made from the tables of commands and options: `ridge info --man`. */
#ifndef RIDGE_UI_COMMANDS_MAN_PAGE_H
#define RIDGE_UI_COMMANDS_MAN_PAGE_H

#include <stdio.h>

/* In the man macros, in ASCII but for names of others. */
void man_page_write(FILE *out);

#endif
