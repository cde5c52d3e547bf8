/* The line of what to try, which notices when that was done. A simulation has it as a sentence for
 * people, "Turn the batch to 1,024, then capacity to 1. Who waits?"; the settings that it names are
 * read out of that, by the names of the knobs. What it asks is what is left of it once they stand
 * so. */
#ifndef RIDGE_UI_LIVE_TRIAL_H
#define RIDGE_UI_LIVE_TRIAL_H

#include "ui/live/live.h"

/* What a knob should stand at. */
struct trial_setting {
	int knob;
	double value;
};
enum { MOST_TRIALS = 4 };

/* The settings that the sentence names, up to MOST_TRIALS of them. 0: none that can be read, and
 * then it is never done. */
int trial_settings(
	const struct sim *s, const struct tables *t, struct trial_setting found[MOST_TRIALS]);
/* Whether they all stand so. */
bool trial_done(const struct live *s);
/* What stands there now, without "Try" before it: the sentence, or once it is done the question
 * alone and how the tour of the simulation goes on. "": there is nothing to try. Returns buf. */
char *trial_words(const struct live *s, char *buf, size_t size);
/* The same for whoever knows whether it is done: to read the sentence takes as long as to draw it. */
char *trial_words_when(const struct live *s, bool done, char *buf, size_t size);

#endif
