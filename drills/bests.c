/* A time is a best where the sittings before this one have only slower ones of its skill; a run
 * goes on from where the last sitting left it. */
#include "drills/bests.h"

#include <string.h>

static const struct stats_group *find_skill(const struct stats *s, const char *name)
{
	for (size_t i = 0; i < s->n_skills; i++)
		if (strcmp(s->skills[i].name, name) == 0)
			return &s->skills[i];
	return NULL;
}

static double seconds(const struct session_item *item)
{
	return (double)item->spent_ms / 1000;
}

static bool is_at_once(const struct session_item *item)
{
	return item->closed && session_item_right(item) && item->attempts <= 1 && item->hints == 0;
}

/* The fastest of its skill in the sitting. */
static bool is_fastest(const struct drill_session *s, size_t i)
{
	for (size_t k = 0; k < s->n; k++) {
		const struct session_item *other = &s->items[k];
		bool same =
			strcmp(other->variant.drill->skill, s->items[i].variant.drill->skill) == 0;
		if (k == i || !same || !is_at_once(other))
			continue;
		if (other->spent_ms < s->items[i].spent_ms ||
			(other->spent_ms == s->items[i].spent_ms && k < i))
			return false;
	}
	return true;
}

static void find_times(
	struct session_bests *b, const struct drill_session *s, const struct stats *before)
{
	for (size_t i = 0; i < s->n && b->n_times < MOST_BEST_TIMES; i++) {
		const struct session_item *item = &s->items[i];
		if (!is_at_once(item) || !is_fastest(s, i))
			continue;
		const struct stats_group *g = find_skill(before, item->variant.drill->skill);
		if (g && seconds(item) < g->best_s) /* never where that is NAN */
			b->times[b->n_times++] = (struct best_time){ i, g->best_s };
	}
}

/* A run goes on from the sitting before. */
static size_t longest_run(const struct drill_session *s, size_t run)
{
	size_t longest = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!s->items[i].closed)
			continue;
		run = session_item_right(&s->items[i]) ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

struct session_bests session_bests(const struct drill_session *s, const struct stats *before)
{
	struct session_bests b = { .known = true, .run_before = before->longest_run };
	find_times(&b, s, before);
	size_t run = longest_run(s, before->run);
	b.run = before->n_problems > 0 && run > before->longest_run ? run : 0;
	b.is_sprint = s->mode == MODE_SPRINT;
	b.sprint = b.is_sprint ? session_score(s).correct : 0;
	b.sprint_before = before->best_sprint;
	return b;
}

void history_until(struct history *h, int64_t at_s)
{
	size_t n = 0;
	for (size_t i = 0; i < h->n; i++)
		if (h->events[i].at_s < at_s)
			h->events[n++] = h->events[i];
	h->n = n;
}
