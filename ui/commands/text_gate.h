/* The one gate that everything printed passes. Names in files, arguments and variables come from
 * others and may hold what steers a terminal: escape sequences, other control characters, marks that
 * turn the direction of text, bytes that are no UTF-8. None of it comes out: each shows as U+FFFD, or in
 * JSON as an escape, which means the same character. Lines and tabs pass, and where styles are asked for
 * those that ridge writes itself. With ASCII, what is beyond it is written as its stand-in, "x" for
 * U+00D7, and in JSON as an escape. */
#ifndef RIDGE_UI_COMMANDS_TEXT_GATE_H
#define RIDGE_UI_COMMANDS_TEXT_GATE_H

#include <stdbool.h>
#include <stdio.h>

enum gate_form { GATE_TEXT, GATE_CSV, GATE_JSON };
struct gate_rules {
	enum gate_form form;
	bool ascii, styles;
	bool *of_memory; /* becomes true where "memory" passes in one piece; NULL: nobody asks */
};
/* Writes to `to`, which stays open when this one is closed; by lines where that is a terminal. NULL:
 * there is no memory. */
FILE *text_gate(FILE *to, struct gate_rules rules);

#endif
