/* A tour: one Markdown file that somebody gives as a talk, in the terminal or as a handout.
 *
 *	# A queue has no knee
 *	8 min
 *
 *	## At 90 % load the mean wait is `=mean_wait_ms`, `=ratio(mean_wait_ms)` of before
 *	```sim queueing utilisation=0.9
 *	show: wait
 *	hero: mean_wait_ms
 *	also: p99_wait_ms
 *	expect: ratio(mean_wait_ms) between 2.4 and 3.2
 *	```
 *	> There is no knee: the formula explodes nowhere but at 1.
 *
 * A heading of the second level is a step, and the caption of its screen. The fence names the
 * simulation; its settings and those in the lines under it are added to those of the step before,
 * as long as that shows the same simulation ("defaults" begins anew). "sweep: utilisation 0.75 0.8 0.9
 * 1.2s each" turns a knob before everybody's eyes, "pause: 40ms" and 'pause: "request 3"' halt a run
 * on its way, "knob: batch" says which knob the keys turn, "until: now" ends the figure with that bar,
 * lane or curve, so that it does not tell what a later step is about. "belief: A before.step_ms / 2" says
 * what the hero would be if that wrong answer were right, which is shown with the right one. A quote is what the speaker
 * sees, other paragraphs are for the handout. A heading that ends with a question mark and has a
 * list of tasks asks the audience. In place of a fence a paragraph that is one link
 * ("[the ridge](page:gpu#ridge)") shows a page, a drill or another tour. */
#ifndef RIDGE_UI_TALKS_TOUR_H
#define RIDGE_UI_TALKS_TOUR_H

#include "sims/base/arena.h"
#include "sims/figure/sim.h"

#include <stdbool.h>
#include <stddef.h>

enum { TOUR_ALSO = 3, TOUR_EXPECTS = 8, TOUR_OPTIONS = 5, TOUR_SWEPT = 12, TOUR_PAUSES = 6 };

struct tour_step {
	int line;            /* of the file, from 1 */
	const char *caption; /* as typed, numbers to be computed in `=...` */
	const char *target;  /* "queueing utilisation=0.9", or a link; "": a title alone */
	bool is_sim;         /* the target is a simulation with all settings so far */
	bool begins_anew;    /* it said "defaults": it is not compared with the step before */
	const char *moves;   /* the settings of this step alone, a blank between */
	const char *show;    /* the part of the figure by the word of its tab; NULL: the first */
	const char *until;   /* the last bar, lane or curve that is shown of it; NULL: all are */
	const char *
		hero; /* a value's id; NULL: the figure's first that the step changes, or its first */
	const char *knob; /* the id of the one in hand; NULL: the first that the step moves */
	/* A knob that goes through these values by itself when the step is shown; the last is that of
	 * the step. n is 0: none does. */
	struct tour_sweep {
		const char *knob, *values[TOUR_SWEPT];
		size_t n;
		double each_s;
	} sweep;
	/* Where the run halts on its way: a time ("40ms"), or in double quotes words of what is said
	 * of a moment. None: it does not play by itself. */
	const char *pauses[TOUR_PAUSES];
	size_t n_pauses;
	const char *also[TOUR_ALSO];
	size_t n_also;
	const char *expects[TOUR_EXPECTS];
	size_t n_expects;
	const char *notes;   /* for the speaker, paragraphs as lines; "" */
	const char *handout; /* paragraphs beside them; "" */
	double seconds;
	bool optional; /* may be left out when time is short */
	struct tour_option {
		const char *text; /* as typed, as a caption */
		bool right;
	} options[TOUR_OPTIONS];
	size_t n_options; /* 0: it asks nothing */
	/* What the hero would be by each wrong answer, in arithmetic of the two figures; NULL: no number. */
	const char *beliefs[TOUR_OPTIONS];
};

struct tour {
	const char *id, *title;
	struct tour_step *steps;
	size_t n, cap;
	double seconds; /* of all steps, or as the file says */
};

/* Reads a file; what the tour points to lives in the arena. 0; or -1 and one line in err, with the
 * line of the file and, where a word is not known, the nearest one. */
int tour_read(struct tour *t, const char *id, const char *markdown, size_t bytes, struct arena *a,
	char *err, size_t err_size);

/* The word by which `show` names a part of a figure: "Wait" is "wait", "Each alone" is
 * "each-alone". Returns buf. */
char *tour_part_id(const struct block *b, char *buf, size_t size);

#endif
