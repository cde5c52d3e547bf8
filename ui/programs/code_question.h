/* The problem as comments of the program that is to be written, so that whoever writes it in an editor has
 * it in sight. */
#ifndef RIDGE_UI_PROGRAMS_CODE_QUESTION_H
#define RIDGE_UI_PROGRAMS_CODE_QUESTION_H

#include "drills/deal.h"

/* What a comment to the end of its line begins with: "//". */
const char *code_comment_mark(enum program_language language);

/* Comments in the language of the program, with a blank line at the end. From malloc; NULL: no memory. */
char *code_question(const struct variant *v);

/* What stands behind those comments; the whole text where it does not begin with them as they are. */
const char *code_behind_question(const struct variant *v, const char *text);

/* The same behind a question of that form, whatever it asks: that of the same drill with other numbers. */
const char *code_behind_any_question(const struct variant *v, const char *text);

#endif
