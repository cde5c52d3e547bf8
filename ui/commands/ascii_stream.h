/* A stream for terminals and locales that have no more than ASCII: what is beyond it is written as
 * its stand-in, "x" for U+00D7, and in JSON as an escape, which means the same character. */
#ifndef RIDGE_UI_COMMANDS_ASCII_STREAM_H
#define RIDGE_UI_COMMANDS_ASCII_STREAM_H

#include <stdio.h>

enum ascii_form { ASCII_TEXT, ASCII_CSV, ASCII_JSON };
/* Writes to `to`, which stays open when this one is closed. NULL: there is no memory. */
FILE *ascii_stream(FILE *to, enum ascii_form form);

#endif
