/* The user's own editor on a program. */
#ifndef RIDGE_UI_PROGRAMS_CODE_EDIT_H
#define RIDGE_UI_PROGRAMS_CODE_EDIT_H

#include "drills/deal.h"

/* How the terminal is given to an editor and taken back; each of the two may be NULL. */
struct code_terminal {
	void (*give)(void *context);
	void (*take)(void *context);
	void *context;
};

/* Opens the user's editor ($VISUAL, $EDITOR, else editor, nano or vi) on a file with this text and
 * waits for its end. *text is from malloc (to begin with, strdup of v->program->stub, which the editor gets
 * with the question above it, ui/programs/code_question.h) and is replaced. keeps: the file is the one that stays
 * (ui/programs/code_draft.h), where it can be written; else one that goes with the editor. 0; or -1 and one line
 * in err: no editor, one that failed, a file that cannot be read. *text is then as it was, or what an editor that
 * failed had saved in the file that stays. */
int code_edit(const struct variant *v, bool keeps, const struct code_terminal *t, char **text,
	char *err, size_t err_size);

#endif
