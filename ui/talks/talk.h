/* A tour in somebody's hands: which step it is at, that step's figure beside the one before, and
 * whether the speaker has left the script. Every step is computed anew from its settings, so that
 * going back, or jumping, shows what going forward showed. */
#ifndef RIDGE_UI_TALKS_TALK_H
#define RIDGE_UI_TALKS_TALK_H

#include "sims/base/arena.h"
#include "ui/live/live.h"
#include "ui/talks/tour.h"
#include "ui/talks/tour_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CAPTION_BYTES = 600, TOUR_ID_BYTES = 64 };

/* What stood at a question when it was left. */
struct talk_asked {
	bool answered;
	unsigned votes[TOUR_OPTIONS];
};

struct talk {
	struct tour tour;
	struct arena arena;       /* of the tour */
	struct talk_asked *asked; /* one for each step; NULL: nothing is kept */
	/* Of each step, as it stands on the script; "": not shown yet. A copy of the talk has the same. */
	char (*captions)[CAPTION_BYTES];
	const struct tables *tables;
	size_t at; /* step */
	/* The simulation of the step; sim is NULL where it shows none. Pinned is what it is compared
	 * with: the step before, where both show the same; off the script the step itself. */
	struct live live;
	struct setting script; /* of the simulation, as the step has it */
	int own_knob;          /* the one that the step has in hand */
	int first_knob;        /* and where it names none and moves none */
	bool off_script;       /* a knob was turned since, and the figure has followed */
	/* What moves by itself just now (talk_run.h), and how far it is: values of the sweep that
	 * were shown, or pauses that the run has come to. */
	enum { TALK_STILL, TALK_SWEEPS, TALK_RUNS } moves;
	size_t beat;
	int64_t since_ms;    /* when that began; 0: at the next tick */
	double from_s, to_s; /* of the run */
	bool answered;       /* of a question: the answer is open */
	unsigned votes[TOUR_OPTIONS];
	bool guessed; /* somebody has typed a number before the answer */
	double guess; /* in the base unit of the hero */
	char caption[CAPTION_BYTES];
	char trouble[300]; /* what could not be computed; "" */
};

/* Opens a tour by its id ("roofline"), or a Markdown file of one's own by its path, at its first
 * step. 0; or -1 and one line in err with the nearest id. */
int talk_open(
	struct talk *t, const struct tables *tables, const char *name, char *err, size_t err_size);
/* The same of one step: a simulation with settings ("roofline gpu=h100"), whose caption is the
 * sentence that reads its figure. Its id is "@" and that text. */
int talk_open_place(
	struct talk *t, const struct tables *tables, const char *place, char *err, size_t err_size);
void talk_release(struct talk *t);

/* Gives back the figure of the step, where the tour belongs to another talk (a copy of this one). */
void talk_let_go(struct talk *t);

/* The caption of a step as its screen has it: a step that was not shown yet is gone to where its numbers
 * have to be computed. */
const char *talk_caption(struct talk *t, size_t step);
/* To a step, clamped to what there is. */
void talk_go(struct talk *t, size_t step);
/* To the step before as it was left: a question that was answered has its answer and its votes. */
void talk_back(struct talk *t);
/* From an answer to its question, which keeps its votes. */
void talk_ask_again(struct talk *t);
const struct tour_step *talk_step(const struct talk *t);
/* Opens the answer of a question; false: there is none, or it is open. */
bool talk_answer(struct talk *t);
/* Whether a question stands, and its answer is not shown yet. */
bool talk_asks(const struct talk *t);
/* Reads a number for the value that the question is about, and opens the answer. 0; or -1 and one line
 * in err. */
int talk_guess(struct talk *t, const char *text, char *err, size_t err_size);
/* "You said 5; it is 9: 1.8 times that." Returns buf. */
char *talk_guessed(const struct talk *t, char *buf, size_t size);
/* Beside an answer what the wrong ones would have come to: "A would be 99.6 ms, B 149 ms."; "" where none
 * says so, and off the script. Returns buf. */
char *talk_believed(const struct talk *t, char *buf, size_t size);
/* After a knob may have been turned: whether the speaker is off the script now, and the caption, which
 * is then the figure's own sentence. */
void talk_turned(struct talk *t);
/* Whether a knob is not where the script has it; the figure may not have followed yet. */
bool talk_has_left(const struct talk *t);
/* Takes the knob of that id in hand; false: there is none. */
bool talk_take_knob(struct talk *t, const char *id);
/* Shows the simulation of the step as "queueing servers=2" says: what another screen was turned to.
 * "": as the script has it. */
void talk_follow(struct talk *t, const char *place);
/* Gives the talk another length, of which each step has its share. */
void talk_plan(struct talk *t, double seconds);
/* Forgets what only the speaker sees. */
void talk_drop_notes(struct talk *t);
/* Back to the step's own setting, with its own knob in hand; an answer stays open, and votes stay. */
void talk_return(struct talk *t);
struct tour_scene talk_scene(const struct talk *t);
/* The value that stands large; NULL: there is none of that name. */
const struct value *talk_hero(const struct talk *t);
/* The part of the figure that is shown; NULL: there is none of that name. */
const struct block *talk_part(const struct talk *t);
/* A part as the step shows it, under its name, down to the row at which the step ends it, with a mark on
 * its curve where the knob stands that moves along its axis. Returns
 * what *out borrows beside the figure, to be freed after it; NULL: nothing. */
void *talk_shown(const struct talk *t, const struct block *part, struct block *out);
/* How many rows of a part, bars, lanes or curves, the step shows; 0: it has none of that name. */
size_t talk_rows_shown(const struct talk *t, const struct block *part);

/* The ids of the tours that ridge has, sorted; the first `most` of them. Returns how many there
 * are. */
size_t talk_list(char ids[][TOUR_ID_BYTES], size_t most);
/* The same of the user's own, in $XDG_DATA_HOME/ridge/tours/; names that are longer are left out, and so
 * are more than `most`. */
size_t talk_list_own(char ids[][TOUR_ID_BYTES], size_t most);

#endif
