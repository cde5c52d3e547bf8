/* What lies on the desk of somebody who works at a drill, beside the session itself: lines that are
 * being typed, the scratch pad, notes, their answers to the parts of this problem. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_DESK_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_DESK_H

#include "sims/quantity/scratch.h"
#include "drills/session.h"
#include "ui/term/entry.h"

enum { MOST_NOTES = 60 };

/* What was answered to a part in the end. */
struct own_answer {
	char text[64]; /* "": nothing */
	enum verdict verdict;
	bool follow_through;
};

struct drill_desk {
	bool ready;            /* the card before a session against the clock is shown */
	bool in_help;          /* the clock goes on after it */
	bool gave_up;          /* this problem */
	size_t gave_up_step;   /* at this part of it */
	bool hint_offered;     /* Tab was pressed beside the pad: once more takes the hint */
	bool pad_open, in_pad; /* in_pad: the keys go to the pad */
	struct entry line;     /* the answer or note, while the keys go elsewhere */
	struct entry pad_line;
	struct scratch_pad pad;
	struct own_answer own[MOST_STEPS];
	char notes[MOST_NOTES][sizeof((struct entry *)0)->text];
	size_t n_notes;
};

#endif
