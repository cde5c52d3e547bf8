/* What is said in a sitting of a case, as paragraphs: each has a tone, which a screen may draw in its
 * colour, and its place among others, which all front ends keep. Nothing here knows how wide a line
 * is. */
#ifndef RIDGE_CASE_SAID_H
#define RIDGE_CASE_SAID_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum case_tone {
	TONE_YOU,         /* a line as it was typed */
	TONE_INTERVIEWER, /* the opening, a question, a twist */
	TONE_FACT,        /* what was told because it was asked for */
	TONE_GOOD,        /* a verdict: it counts, it is met */
	TONE_BAD,         /* a verdict: off, missed */
	TONE_SIMULATION,  /* what the simulation says of a design */
	TONE_HINT,        /* what may be typed, and what was not understood */
	TONE_HEADING,     /* of a part of the debrief */
	TONE_OUTCOME,     /* what the sitting came to, in a sentence */
	TONE_DEBRIEF      /* its text */
};

/* What came of a part, as its text begins: "[ ] ", "[~] " where it was reached in part, "[x] ". */
enum case_box { BOX_NONE, BOX_MISSED, BOX_PART, BOX_MET };
enum { CASE_BOX_BYTES = 4 };

struct case_paragraph {
	enum case_tone tone;
	enum case_box box;
	int indent, hang; /* columns: of all lines, and of those after the first besides */
	bool apart;       /* a blank line stands before it */
	bool aside;       /* a screen may show it elsewhere instead */
	int name;         /* bytes of its beginning that name it, with their colon; 0: none do */
	const char *text;
};

/* Begin with zeroes. */
struct case_said {
	struct arena arena;
	struct case_paragraph *list;
	size_t n, room;
};
void case_said_release(struct case_said *s);

/* A paragraph for itself. What memory does not hold is not there, and arena.failed says so. */
void case_say(struct case_said *s, enum case_tone tone, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* One of a list: what does not fit its line stands further in. */
void case_say_item(struct case_said *s, enum case_tone tone, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, with a place of its own. */
void case_say_at(struct case_said *s, enum case_tone tone, int indent, int hang, const char *fmt,
	...) __attribute__((format(printf, 5, 6)));
/* With a box, and the tone that goes with it. */
void case_say_box(struct case_said *s, enum case_box box, int indent, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The paragraph that was said last stands apart from the one before. */
void case_say_apart(struct case_said *s);
/* It may stand beside the talk in its place. */
void case_say_aside(struct case_said *s);
/* Its words up to its first colon name it, such as "weak:". */
void case_say_named(struct case_said *s);

#endif
