/* What came out of a sitting. */
#include "drills/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RATIOS = 201, MOST_MISSED = 201 };

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

static bool is_close(enum verdict v)
{
	return v == VERDICT_NEAR || v == VERDICT_COARSE;
}

const char *session_item_word(const struct drill_session *s, size_t i)
{
	static const char *const parts[MOST_STEPS][MOST_STEPS + 1] = {
		{ "" },
		{ "", "", "1 of 2", "1 of 3", "1 of 4" },
		{ "", "", "", "2 of 3", "2 of 4" },
		{ "", "", "", "", "3 of 4" },
	};
	_Static_assert(MOST_STEPS == 4, "words for as many steps as there can be");
	const struct session_item *item = &s->items[i];
	if (session_item_right(item))
		return "right";
	if (item->right_steps)
		return parts[item->right_steps][item->variant.n_steps];
	if (item->closed && item->attempts < s->max_attempts)
		return "gave up";
	if (item->closed)
		return is_close(item->grade.verdict) ? "close" : "wrong";
	if (!item->answered && item->spent_ms == 0)
		return "";
	return session_done(s) ? "no time" : "left";
}

/* The skill's place in out[], or n. */
static size_t find_miss(const struct session_miss out[], size_t n, const char *skill)
{
	size_t i = 0;
	while (i < n && strcmp(out[i].skill, skill) != 0)
		i++;
	return i;
}

/* Insertion: equals stay in the order in which they came. */
static void sort_misses(struct session_miss out[], size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct session_miss miss = out[i];
		size_t at = i;
		for (; at > 0 && out[at - 1].missed < miss.missed; at--)
			out[at] = out[at - 1];
		out[at] = miss;
	}
}

size_t session_missed(const struct drill_session *s, struct session_miss out[], size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct session_item *item = &s->items[i];
		if (!item->closed || session_item_right(item))
			continue;
		size_t at = find_miss(out, n, item->variant.drill->skill);
		if (at == n && n == most)
			continue;
		if (at == n)
			out[n++] = (struct session_miss){ .skill = item->variant.drill->skill };
		out[at].missed++;
	}
	for (size_t i = 0; i < s->n; i++) {
		size_t at = find_miss(out, n, s->items[i].variant.drill->skill);
		if (at < n)
			out[at].closed += s->items[i].closed;
	}
	sort_misses(out, n);
	return n;
}

struct session_score session_score(const struct drill_session *s)
{
	struct session_score score = { .n = s->n };
	struct session_miss most[MOST_MISSED];
	for (size_t i = 0; i < s->n; i++) {
		const struct session_item *item = &s->items[i];
		bool correct = item->closed && session_item_right(item);
		score.closed += item->closed;
		score.correct += correct;
		score.credit += item->credit;
		score.spent_ms += item->spent_ms;
		score.hints += item->hints;
		score.within_par += correct && par_ratio(item) < s->wrap_up_ratio;
	}
	score_times(s, &score);
	if (session_missed(s, most, MOST_MISSED) > 0)
		score.missed_skill = most[0].skill;
	return score;
}
