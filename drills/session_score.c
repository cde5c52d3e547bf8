/* What came out of a sitting. */
#include "drills/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RATIOS = 201 };

bool session_item_right(const struct session_item *item)
{
	return item->right_steps == item->variant.n_steps;
}

static double par_ratio(const struct session_item *item)
{
	return (double)item->spent_ms / 1000 / item->variant.drill->par_s;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void score_times(const struct drill_session *s, struct session_score *score)
{
	double ratios[MOST_RATIOS], worst = -1;
	size_t n = 0;
	score->median_par_ratio = NAN;
	score->slowest = s->n;
	for (size_t i = 0; i < s->n && n < MOST_RATIOS; i++) {
		if (!s->items[i].answered)
			continue;
		ratios[n] = par_ratio(&s->items[i]);
		if (ratios[n] > worst) {
			worst = ratios[n];
			score->slowest = i;
		}
		n++;
	}
	if (!n)
		return;
	qsort(ratios, n, sizeof *ratios, by_value);
	score->median_par_ratio = (ratios[(n - 1) / 2] + ratios[n / 2]) / 2;
}

static bool is_missed(const struct session_item *item, const char *skill)
{
	return item->closed && !session_item_right(item) &&
	       (!skill || strcmp(item->variant.drill->skill, skill) == 0);
}

static const char *missed_skill(const struct drill_session *s)
{
	const char *most = NULL;
	size_t times = 0;
	for (size_t i = 0; i < s->n; i++) {
		const char *skill = s->items[i].variant.drill->skill;
		size_t n = 0;
		for (size_t k = 0; k < s->n; k++)
			n += is_missed(&s->items[k], skill);
		if (n > times) {
			times = n;
			most = skill;
		}
	}
	return most;
}

struct session_score session_score(const struct drill_session *s)
{
	struct session_score score = { .n = s->n };
	for (size_t i = 0; i < s->n; i++) {
		const struct session_item *item = &s->items[i];
		bool correct = item->closed && session_item_right(item);
		score.closed += item->closed;
		score.correct += correct;
		score.credit += item->credit;
		score.spent_ms += item->spent_ms;
		score.within_par += correct && par_ratio(item) < s->wrap_up_ratio;
	}
	score_times(s, &score);
	score.missed_skill = missed_skill(s);
	return score;
}
