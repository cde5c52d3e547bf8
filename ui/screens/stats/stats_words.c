#include "ui/screens/stats/stats_words.h"

#include "sims/base/name_words.h"
#include "sims/quantity/quantity.h"

#include <math.h>
#include <stdio.h>

enum {
	FEW = 10 /* problems: no share is given as one number */,
	THIN = 100,
	LEAST_TIMES = 3,
	OFTEN = 3 /* misses of one skill */
};

const char *const stats_promises[] = {
	"after one: how long it took against par, and when its skill comes back",
	"after ten: the share that you get right, and how far it can be trusted",
	"after days: what you would still know, skill by skill, and what is fading",
	"all along: the mistakes that come back, by their names", NULL
};

bool stats_is_thin(const struct stats *s)
{
	return s->n_problems < THIN;
}

bool stats_recall_known(const struct stats_group *g)
{
	return g->card.state == FSRS_REVIEW;
}

static const double no_time = 0.005; /* of par: as a rounded share, 0 % */

char *stats_ratio_text(double ratio, char *buf, size_t size)
{
	if (ratio < no_time)
		snprintf(buf, size, "< 1 %%");
	else
		snprintf(buf, size, "%.0f %%", 100 * ratio);
	return buf;
}

/* The skill that fades first of those that a recall can be given of; NULL: none. */
static const struct stats_group *weakest(const struct stats *s)
{
	const struct stats_group *least = NULL;
	for (size_t i = 0; i < s->n_skills; i++) {
		const struct stats_group *g = &s->skills[i];
		if (stats_recall_known(g) && !g->retired && (!least || g->recall < least->recall))
			least = g;
	}
	return least;
}

static void few_headline(const struct stats *s, char *text, size_t size)
{
	const size_t n = s->total.problems, right = s->total.correct;
	if (n == 1)
		snprintf(text, size,
			"One problem, %s. One answer cannot tell knowing from luck: ten begin to.",
			right ? "right" : "not right yet");
	else
		snprintf(text, size,
			"%zu of %zu right: too few to tell your share, which ten begin to.", right,
			n);
}

void stats_headline(const struct stats *s, bool tiled, char *text, size_t size)
{
	const struct stats_group *t = &s->total, *low = weakest(s);
	if (t->problems == 0) {
		snprintf(text, size, "No answers yet. Every drill leaves its answers here.");
		return;
	}
	if (t->problems < FEW) {
		few_headline(s, text, size);
		return;
	}
	char ratio[32], said[65];
	int used = 0;
	if (!tiled) {
		used = snprintf(text, size, "%.0f %% right",
			100 * (double)t->correct / (double)t->problems);
		used += t->time_ratio < no_time
				? snprintf(text + used, size - (size_t)used, ". ")
				: snprintf(text + used, size - (size_t)used,
					  ", half of them within %s times par. ",
					  number_write(ratio, sizeof ratio, t->time_ratio, 2));
	}
	const struct stats_group *missed;
	const bool often = stats_rank(s, STATS_MISSED, &missed, 1) &&
			   missed->problems - missed->correct >= OFTEN;
	if (often)
		snprintf(text + used, size - (size_t)used, "Most missed: %s, %zu of %zu.",
			name_words(missed->name, said, sizeof said),
			missed->problems - missed->correct, missed->problems);
	else if (!low)
		snprintf(text + used, size - (size_t)used,
			"No skill has come back yet: what stays shows from tomorrow on.");
	else if (low->recall < fsrs_defaults.retention)
		snprintf(text + used, size - (size_t)used,
			"What has faded most is %s: you would know it %.0f times in 100.",
			name_words(low->name, said, sizeof said), 100 * low->recall);
	else
		snprintf(text + used, size - (size_t)used, "Nothing has faded yet.");
}

void stats_next_step(const struct stats *s, char *text, size_t size)
{
	char due[STATS_SENTENCE], said[65];
	const struct stats_group *first;
	if (s->n_problems == 0)
		snprintf(text, size, "Enter: five mixed problems, with a clock, and a hint on Tab");
	else if (s->n_due > 1 && stats_rank(s, STATS_DUE, &first, 1))
		snprintf(text, size, "%zu skills due, %s first. Enter: review", s->n_due,
			name_words(first->name, said, sizeof said));
	else
		snprintf(text, size, "%s Enter: %s", stats_due_text(s, due, sizeof due),
			s->n_due ? "review" : "five mixed problems");
}

const char *stats_next_setting(const struct stats *s)
{
	return s->n_due ? "mode=review" : NULL;
}

static void share_unknown(const struct stats *s, char *text, size_t size)
{
	double lo, hi;
	stats_share_range(s->total.correct, s->total.problems, &lo, &hi);
	snprintf(text, size,
		"Your share: with %zu answer%s it is known to %.0f points. Four times as many halve "
		"that.",
		s->total.problems, s->total.problems == 1 ? "" : "s", 50 * (hi - lo));
}

size_t stats_unknowns(const struct stats *s, char text[MOST_UNKNOWNS][STATS_SENTENCE])
{
	size_t n = 0;
	char when[64];
	const struct stats_group *next = stats_next(s);
	if (stats_is_thin(s))
		share_unknown(s, text[n++], STATS_SENTENCE);
	if (s->total.problems < LEAST_TIMES)
		snprintf(text[n++], STATS_SENTENCE,
			"Your pace: the middle of fewer than three times is no middle.");
	if (!weakest(s))
		snprintf(text[n++], STATS_SENTENCE,
			"What stays: a skill has a recall once it came back and was right again%s%s.",
			next ? "; the next comes " : "",
			next ? stats_when(next->card.due_s, s->now_s, when, sizeof when) : "");
	if (s->n_days < 2 || s->n_problems < FEW)
		snprintf(text[n++], STATS_SENTENCE, "Whether you get better: that takes %s.",
			s->n_days < 2 ? "a second day" : "ten answers");
	return n;
}
