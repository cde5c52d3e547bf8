/* A simulation is a pure function from facts and knobs to a figure: no clock, no I/O, no statics,
 * no terminal; same knobs, same figure. Randomness is a `seed` knob, animation is in the figure.
 *
 * Adding one: NAME.c in the folder of its subject with its rows and its run, a page that embeds it, a
 * tour content/tours/NAME.md, tests/test_NAME.c, and its name in the list in
 * sims/registry/registry.c. */
#ifndef RIDGE_SIM_H
#define RIDGE_SIM_H

#include "sims/tables/tables.h"
#include "sims/figure/figure.h"
#include "sims/figure/knob.h"

#include <stdbool.h>
#include <stddef.h>

enum { MAX_KNOBS = 40, MOST_STORY = 7 };

struct sim {
	const char *id, *title;
	const char *summary; /* one line, for lists */
	const char *page;    /* id of the chapter that explains it */
	const struct knob *knobs;
	size_t n_knobs;
	/* The knobs that tell its story, the first ones first (STORY of sims/knobs.h); none given:
	 * its first seven. The others stand in their groups. */
	unsigned char story[MOST_STORY], n_story;
	const char *try; /* an imperative and a question: "Turn GPUs to 512. Where does half go?" */
	/* Fills fig from v[0..n_knobs). v is in range. Running out of memory is the only failure,
	 * left in fig->arena.failed. */
	void (*run)(const struct tables *t, const double v[], struct figure *fig);
	/* Its run takes over 3 ms: a page that has it is painted first without it. */
	bool slow;
};

int sim_knob_index(const struct sim *s, const char *id); /* -1 if none */

/* v[0..n_knobs) := defaults. */
void sim_defaults(const struct sim *s, const struct tables *t, double v[]);

/* Whether turning knob i changes anything at this setting (its row's `when`). */
bool knob_matters(const struct sim *s, const double v[], size_t i);

/* Reads "id=value" settings into v. 0; or -1 and one line in err (unknown id: the nearest one). */
int sim_read_setting(const struct sim *s, const struct tables *t, const char *setting, double v[],
	char *err, size_t err_size);

#endif
