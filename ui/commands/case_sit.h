/* A case sat line by line, for the commands that do. */
#ifndef RIDGE_UI_COMMANDS_CASE_SIT_H
#define RIDGE_UI_COMMANDS_CASE_SIT_H

#include "ui/commands/commands.h"
#include "ui/practice/case_record.h"

/* How a case is dealt, and what was typed to it so far. */
struct case_dealing {
	bool seeded, levelled, timed; /* what was asked for */
	bool held;                    /* an interviewer has the other side */
	uint64_t seed;
	enum case_level level;
	unsigned minutes;
	char *record; /* from malloc; NULL: it begins */
	char name[CASE_RECORD_NAME_SIZE];
};

/* Fills in what was not asked for. Where it may go on, the last sitting of the case does, if it was not over
 * and is what was asked for; then free d->record. */
void case_dealing_complete(
	struct case_dealing *d, const struct design_case *c, bool goes_on, int64_t now_s);

/* Sits a case that was dealt so. Returns the exit status. */
int case_sit(struct case_sitting *s, struct case_dealing *d, bool keeps, enum command_id command,
	const struct streams *io);

#endif
