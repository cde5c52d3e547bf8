/* One case, sat line by line or printed, for the commands that do. */
#ifndef RIDGE_UI_COMMANDS_CASE_SIT_H
#define RIDGE_UI_COMMANDS_CASE_SIT_H

#include "sims/tables/tables.h"
#include "ui/commands/commands.h"
#include "ui/practice/case_record.h"

struct case_order {
	const char *id;
	struct case_dealing how; /* what is open is filled in */
	bool sheet, json;        /* printed; neither: sat */
	const char *html;        /* the file for the sheet as a page; NULL: none is wanted */
	bool candidate;          /* the candidate's side is printed */
	const char *above;       /* a line above a printed sheet, or NULL */
	bool keeps;              /* what is typed is kept */
	bool anew;               /* though the last sitting of the case would go on */
};

/* Does it. Returns the exit status. */
int case_open(const struct case_order *order, const struct tables *t, enum command_id command,
	const struct streams *io);

#endif
