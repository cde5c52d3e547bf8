/* What comes first: orders of the skills, and when they are due. */
#include "drills/stats.h"

#include <inttypes.h>
#include <stdio.h>

enum { HOUR_S = 3600, DAY_S = 86400 };

void stats_retire(
	struct stats *s, bool (*is_known)(const void *bank, const char *skill), const void *bank)
{
	s->n_due = 0;
	for (size_t i = 0; i < s->n_skills; i++) {
		struct stats_group *g = &s->skills[i];
		g->retired = !is_known(bank, g->name);
		g->due = g->due && !g->retired;
		s->n_due += g->due;
	}
}

const struct stats_group *stats_next(const struct stats *s)
{
	const struct stats_group *next = NULL;
	for (size_t i = 0; i < s->n_skills; i++) {
		const struct stats_group *g = &s->skills[i];
		if (!g->due && !g->retired && (!next || g->card.due_s < next->card.due_s))
			next = g;
	}
	return next;
}

char *stats_when(int64_t at_s, int64_t now_s, char *buf, size_t size)
{
	static const char *const weekdays[] = { "Thursday", "Friday", "Saturday", "Sunday",
		"Monday", "Tuesday", "Wednesday" }; /* as 1970 began */
	int64_t left_s = at_s - now_s, days = at_s / DAY_S - now_s / DAY_S;
	if (left_s <= 0)
		snprintf(buf, size, "now");
	else if (left_s < 2 * HOUR_S)
		snprintf(buf, size, "in %" PRId64 " min", (left_s + 59) / 60);
	else if (left_s < DAY_S)
		snprintf(buf, size, "in %" PRId64 " h", (left_s + HOUR_S - 1) / HOUR_S);
	else if (days < 2)
		snprintf(buf, size, "tomorrow");
	else if (days < 7 && at_s >= 0)
		snprintf(buf, size, "%s", weekdays[at_s / DAY_S % 7]);
	else
		snprintf(buf, size, "in %" PRId64 " days", days);
	return buf;
}

static size_t missed(const struct stats_group *g)
{
	return g->problems - g->correct;
}

static bool belongs(const struct stats_group *g, enum stats_order order)
{
	switch (order) {
	case STATS_DUE:
		return g->due;
	case STATS_MISSED:
		return missed(g) > 0;
	case STATS_SLOWEST:
		return g->time_ratio > 1;
	case STATS_WEAKEST:
		return true;
	}
	return false;
}

/* What comes first is larger. */
static double rank_of(const struct stats_group *g, enum stats_order order)
{
	switch (order) {
	case STATS_DUE:
	case STATS_WEAKEST:
		return -g->recall;
	case STATS_MISSED:
		return (double)missed(g);
	case STATS_SLOWEST:
		return g->time_ratio;
	}
	return 0;
}

/* Insertion into the few that are asked for; equals stay in the order of their names. */
size_t stats_rank(
	const struct stats *s, enum stats_order order, const struct stats_group *out[], size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n_skills; i++) {
		const struct stats_group *g = &s->skills[i];
		size_t at = n;
		if (!belongs(g, order))
			continue;
		while (at > 0 && rank_of(g, order) > rank_of(out[at - 1], order))
			at--;
		if (at == most)
			continue;
		n += n < most;
		for (size_t k = n - 1; k > at; k--)
			out[k] = out[k - 1];
		out[at] = g;
	}
	return n;
}

char *stats_due_text(const struct stats *s, char *buf, size_t size)
{
	enum { NAMED = 3 };
	const struct stats_group *first[NAMED], *next = stats_next(s);
	char when[64], names[3 * 70] = "";
	size_t n = stats_rank(s, STATS_DUE, first, NAMED), used = 0;
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%.64s",
			i ? ", " : "", first[i]->name);
	if (s->n_due > n)
		snprintf(buf, size, "%zu skills due: %s and %zu more.", s->n_due, names,
			s->n_due - n);
	else if (n > 0)
		snprintf(buf, size, "%zu skill%s due: %s.", n, n == 1 ? "" : "s", names);
	else if (next)
		snprintf(buf, size, "Nothing due. Next review %s: %.64s.",
			stats_when(next->card.due_s, s->now_s, when, sizeof when), next->name);
	else
		snprintf(buf, size, "Nothing due.");
	return buf;
}
