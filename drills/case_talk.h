/* How a sitting of a case goes, a line at a time: what was typed comes in, what is said to it comes out
 * as paragraphs. Line mode prints them, a screen draws them, and a sitting that was cut off is the same
 * lines at the same times once more. Pure; time and lines are arguments. */
#ifndef RIDGE_CASE_TALK_H
#define RIDGE_CASE_TALK_H

#include "drills/case_said.h"
#include "drills/case_sitting.h"

/* Longer lines are cut. */
enum { CASE_LINE_SIZE = 1000 };

/* A line that was typed while verdicts were held. */
struct case_held {
	struct case_held *next;
	const char *line;
	size_t stage;          /* of the case, as it was typed, */
	enum case_phase phase; /* and where the candidate was */
	size_t anchor; /* from 1: it is a number of this one; 0: it is read when it is released */
	const char *answer; /* that number, without what names the anchor; NULL: it is none */
	const char *design; /* the knobs that it says, "gpu=h100 tp=4"; NULL: it is no design */
};

/* How a line was read that no word begins. A record keeps it: a sitting that goes on was told what it was
 * told, whatever the reading of questions has become since. */
enum case_reading {
	READ_ANSWER,   /* to what the interviewer asked, */
	READ_EITHER,   /* though it may have been a question */
	READ_NUMBER,   /* which asks nothing */
	READ_ESTIMATE, /* the same among the estimates: of the first number that does not count yet */
	READ_MEANT,    /* an answer to what was asked back: those of the facts that are meant */
	READ_WHICH,    /* a "yes" to two of them: asked back once more */
	READ_FACTS,    /* a question, and the facts that are told */
	READ_ASKED, /* the same of a line that a candidate typed beside a desk: told are they aloud */
	READ_OFFER, /* the same, and those that it is asked back for */
	READ_NOTHING,
	N_CASE_READINGS
};
extern const char *const case_reading_ids[N_CASE_READINGS];
struct case_heard {
	struct case_heard *next; /* in a line that releases what was held; NULL: none */
	const char *line;
	enum case_reading as;
	size_t facts[CASE_AT_ONCE], n;
	size_t offers[CASE_OFFERS], n_offers; /* beside facts: see struct case_match */
	size_t anchor; /* of an estimate, from 1; 0: the first that is open */
};

struct case_talk {
	struct case_sitting *sitting;
	/* How the last line was read, and those that it released; NULL: it was a word. */
	struct case_heard *heard, *last_heard;
	/* How the line that comes next was read once: so it is read again. NULL: as reading is now. To be set
	 * before each line. */
	const struct case_heard *recorded;
	size_t depth;                       /* lines that are being done, one within the other */
	const char *line;                   /* that is being done */
	struct case_held *held, *last_held; /* in the order of typing; NULL: none */
	struct case_said said;              /* everything, from the opening on */
	struct case_match offer;            /* what the interviewer asked back; of n = 0: nothing */
	const char *
		proposed; /* a design that was read in part, until the next line; NULL: there is none */
	size_t number_knob; /* the last design changed the number of this one, from 1; 0: none, or several */
	const char *asked;    /* what the interviewer asked about the last design, or NULL */
	bool answering;       /* the interviewer asked, and a sentence is the answer */
	const char *question; /* the last that the interviewer asked, or NULL */
	bool told_time[N_CASE_PHASES], told_end; /* that a phase is over its time, that all is */
	bool typed; /* the line is on a desk, and was typed by the candidate. To be set before it */
	bool warned;    /* it was said that the next "next" shows the debrief */
	bool debriefed; /* "end" was typed: answers were shown */
	bool left;      /* "quit" was */
	bool deals_anew; /* whoever has the talk deals other numbers at "again" once it is over: help says so. To be
			  * set after its beginning */
	struct case_run run; /* of the last design that said all knobs, */
	size_t run_stage;    /* and the stage that it ran at */
	bool has_run;
};

/* Says what comes before the first line. The sitting must outlive the talk, which is released with
 * case_talk_release. */
void case_talk_begin(struct case_talk *t, struct case_sitting *s);
void case_talk_release(struct case_talk *t);

/* Does what a line says, at a time since the beginning; an empty one only tells the twists whose time
 * has come. Questions are typed as they are asked, a few words do the rest ("help" lists them). On a
 * candidate's side (CASE_HELD) questions, numbers and designs are noted; "release" and the interviewer's
 * word says what all of them came to. False: it was the last line, "quit". */
bool case_talk_line(struct case_talk *t, const char *line, int64_t now_ms);

/* What follows a word at the beginning of a line, in whichever case; NULL: it does not begin so. */
const char *case_after_word(const char *line, const char *word);

/* Whether a line runs a design, which takes seconds; or, held, all that were noted. */
bool case_talk_runs(const struct case_talk *t, const char *line);

/* Whether "again" does something by now, and whether a line is that word. */
bool case_talk_deals_anew(const struct case_talk *t);
bool case_talk_asks_anew(const struct case_talk *t, const char *line);

/* A line as it was typed, before what is said to it. */
void case_talk_echo(struct case_talk *t, const char *line);

/* The words that do something, for whoever completes or lists them. */
struct case_word {
	const char *word, *help;
};
size_t case_talk_words(struct case_word out[], size_t most);

#endif
