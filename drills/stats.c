/* Statistics of a history: problems are put together from its events, then counted by topic, skill,
 * day and cause; and what comes first of them, in which order and when. */
#include "drills/stats.h"

#include "sims/base/name_words.h"
#include "sims/base/stats.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOUR_S = 3600, WEEK_S = 7 * CALENDAR_DAY_S, NO_ONE = 0 };

/* Names to small numbers; slots hold the number + 1. */
struct name_table {
	const char **list;
	size_t n, *slots, mask;
};

/* The problem that a variant's next answer belongs to: the last one begun of it. */
struct open_problems {
	size_t *slots, mask;
};

static size_t power_above(size_t n)
{
	size_t power = 16;
	while (power < 2 * n)
		power *= 2;
	return power;
}

static int names_init(struct name_table *x, struct arena *a, size_t most)
{
	size_t n = power_above(most);
	*x = (struct name_table){ arena_array(a, most, sizeof *x->list), 0,
		arena_array(a, n, sizeof *x->slots), n - 1 };
	return a->failed ? -1 : 0;
}

/* FNV-1a. */
static const uint64_t hash_start = 0xcbf29ce484222325, hash_prime = 0x100000001b3;

static uint64_t hash_text(const char *text)
{
	uint64_t hash = hash_start;
	for (const char *p = text; *p; p++)
		hash = (hash ^ (unsigned char)*p) * hash_prime;
	return hash;
}

/* The upper half is folded into the lower one, by which slots are chosen. */
static uint64_t hash_number(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * hash_prime;
	return hash ^ hash >> 32;
}

static size_t name_index(struct name_table *x, const char *name)
{
	size_t at = (size_t)hash_text(name) & x->mask;
	while (x->slots[at] != NO_ONE && strcmp(x->list[x->slots[at] - 1], name) != 0)
		at = (at + 1) & x->mask;
	if (x->slots[at] == NO_ONE) {
		x->list[x->n] = name;
		x->slots[at] = ++x->n;
	}
	return x->slots[at] - 1;
}

/* How far a problem has come. Credit of the steps before, and of this one. */
struct unfolding {
	size_t first; /* its first event */
	bool closed;
	unsigned step, attempt, right_steps;
	double credit_before, credit_here;
};

/* The problems with what finds them. */
struct gathering {
	struct stats *s;
	struct open_problems open;
	const struct history_event *events;
	struct unfolding *all; /* one for each problem */
};

static bool same_variant(const struct history_event *a, const struct history_event *b)
{
	return a->seed == b->seed && a->part == b->part && strcmp(a->drill, b->drill) == 0;
}

static size_t *slot_of(const struct gathering *g, const struct history_event *e)
{
	uint64_t hash = hash_number(hash_number(hash_text(e->drill), e->seed), e->part);
	size_t at = (size_t)hash & g->open.mask;
	while (g->open.slots[at] != NO_ONE &&
		!same_variant(&g->events[g->all[g->open.slots[at] - 1].first], e))
		at = (at + 1) & g->open.mask;
	return &g->open.slots[at];
}

/* The first attempt at a variant that was there before is a new problem. */
static bool goes_on(const struct gathering *g, size_t slot, const struct history_event *e)
{
	if (slot == NO_ONE || g->all[slot - 1].closed)
		return false;
	const struct unfolding *u = &g->all[slot - 1];
	if (e->step != u->step)
		return e->step > u->step;
	return e->kind == HISTORY_ANSWER ? e->attempt > u->attempt : e->attempt >= u->attempt;
}

static void take_answer(struct unfolding *u, struct stats_problem *p, const struct history_event *e)
{
	unsigned steps = e->steps ? e->steps : 1;
	double credit = session_credit(e->credit, e->attempt, e->hints);
	if (e->step != u->step) {
		u->credit_before += u->credit_here;
		u->credit_here = 0;
	}
	u->credit_here = fmax(u->credit_here, credit);
	u->right_steps += e->verdict == VERDICT_CORRECT;
	p->answers++;
	p->credit = fmin(1, (u->credit_before + u->credit_here) / steps);
	p->outcome.correct = u->right_steps >= steps;
	u->closed = e->verdict == VERDICT_CORRECT && e->step + 1 >= steps;
}

static void gather_event(struct gathering *g, const struct history_event *e)
{
	size_t *slot = slot_of(g, e);
	if (!goes_on(g, *slot, e)) {
		size_t before = *slot;
		g->all[g->s->n_problems].first = (size_t)(e - g->events);
		*slot = ++g->s->n_problems;
		g->s->problems[*slot - 1] = (struct stats_problem){ .drill = e->drill,
			.skill = e->skill,
			.topic = e->topic,
			.mode = e->mode,
			.seed = e->seed,
			.before = before };
	}
	struct stats_problem *p = &g->s->problems[*slot - 1];
	struct unfolding *u = &g->all[*slot - 1];
	p->at_s = e->at_s;
	if (e->attempt > p->outcome.attempts)
		p->outcome.attempts = e->attempt;
	p->outcome.hints = e->hints;
	p->outcome.scratch = p->outcome.scratch || e->scratch;
	p->outcome.took_s = e->took_s;
	p->outcome.par_s = e->par_s;
	if (e->kind == HISTORY_ANSWER)
		take_answer(u, p, e);
	else
		u->closed = true;
	u->step = e->step;
	u->attempt = e->attempt;
}

static int gather(struct stats *s, const struct history *h, struct arena *scratch)
{
	size_t room = power_above(h->n);
	struct gathering g = {
		.s = s,
		.events = h->events,
		.open = { arena_array(scratch, room, sizeof *g.open.slots), room - 1 },
		.all = arena_array(scratch, h->n, sizeof *g.all),
	};
	s->problems = arena_array(&s->arena, h->n, sizeof *s->problems);
	if (!s->problems || scratch->failed)
		return -1;
	for (size_t i = 0; i < h->n; i++)
		if (h->events[i].used)
			gather_event(&g, &h->events[i]);
	return 0;
}

/* Sums; finish_group makes means of them. */
static void count_problem(struct stats_group *g, const struct stats_problem *p)
{
	const struct fsrs_outcome *o = &p->outcome;
	bool at_once = o->correct && o->attempts <= 1 && o->hints == 0;
	g->problems++;
	g->answers += p->answers;
	g->correct += o->correct;
	g->credit += p->credit;
	if (at_once && !(g->best_s <= o->took_s)) {
		g->best_s = o->took_s;
		g->best_at_s = p->at_s;
	}
}

/* ratios: of the group's problems; reordered. */
static void finish_group(struct stats_group *g, double *ratios, const struct stats *s)
{
	g->credit = g->problems ? g->credit / (double)g->problems : 0;
	g->time_ratio = quantile_select(ratios, g->problems, 0.5);
	g->recall = fsrs_card_recall(&g->card, &fsrs_defaults, s->now_s);
	g->due = g->card.memory.stability_days > 0 && g->card.due_s <= s->now_s;
}

static int by_name(const void *a, const void *b)
{
	const struct stats_group *x = a, *y = b;
	return strcmp(x->name, y->name);
}

/* which: the group of each problem. The ratios of each group get a stretch of one array. */
static int finish_groups(struct stats_group *groups, size_t n, const size_t *which,
	const struct stats *s, struct arena *scratch)
{
	double *ratios = arena_array(scratch, s->n_problems, sizeof *ratios);
	size_t *start = arena_array(scratch, n + 1, sizeof *start);
	if (!ratios || !start)
		return -1;
	for (size_t i = 0; i < n; i++)
		start[i + 1] = start[i] + groups[i].problems;
	/* From the ends of the stretches back to where they begin. */
	for (size_t i = 0; i < s->n_problems; i++) {
		const struct fsrs_outcome *o = &s->problems[i].outcome;
		ratios[--start[which[i] + 1]] = o->took_s / o->par_s;
	}
	for (size_t i = 0; i < n; i++)
		finish_group(&groups[i], ratios + start[i + 1], s);
	qsort(groups, n, sizeof *groups, by_name);
	return 0;
}

/* One group for each topic, or for each skill, by name. NULL when out of memory. */
static struct stats_group *make_groups(
	struct stats *s, bool by_skill, size_t *n, struct arena *scratch)
{
	struct name_table names;
	size_t *which = arena_array(scratch, s->n_problems, sizeof *which);
	if (names_init(&names, scratch, s->n_problems))
		return NULL;
	for (size_t i = 0; i < s->n_problems; i++)
		which[i] =
			name_index(&names, by_skill ? s->problems[i].skill : s->problems[i].topic);
	*n = names.n;
	struct stats_group *groups = arena_array(&s->arena, names.n, sizeof *groups);
	if (!groups)
		return NULL;
	for (size_t i = 0; i < names.n; i++)
		groups[i] = (struct stats_group){ .name = names.list[i], .best_s = NAN };
	for (size_t i = 0; i < s->n_problems; i++) {
		const struct stats_problem *p = &s->problems[i];
		struct stats_group *g = &groups[which[i]];
		count_problem(g, p);
		if (!by_skill)
			continue;
		g->topic = p->topic;
		fsrs_review(&g->card, &fsrs_defaults, fsrs_rate(&p->outcome), p->at_s);
	}
	return finish_groups(groups, names.n, which, s, scratch) ? NULL : groups;
}

static int make_total(struct stats *s, struct arena *scratch)
{
	double *ratios = arena_array(scratch, s->n_problems, sizeof *ratios);
	if (!ratios)
		return -1;
	s->total = (struct stats_group){ .name = "all", .best_s = NAN };
	for (size_t i = 0; i < s->n_problems; i++) {
		const struct stats_problem *p = &s->problems[i];
		ratios[i] = p->outcome.took_s / p->outcome.par_s;
		count_problem(&s->total, p);
		s->run = p->outcome.correct ? s->run + 1 : 0;
		s->longest_run = s->run > s->longest_run ? s->run : s->longest_run;
	}
	finish_group(&s->total, ratios, s);
	return 0;
}

static void count_sprints(struct stats *s)
{
	size_t first = 0, right = 0;
	uint64_t seed = 0;
	for (size_t i = 0; i < s->n_problems; i++) {
		const struct stats_problem *p = &s->problems[i];
		if (strcmp(p->mode, mode_names[MODE_SPRINT]) != 0)
			continue;
		if (s->n_sprints == 0 || p->seed != seed || p->before > first) {
			s->n_sprints++;
			first = i;
			right = 0;
			seed = p->seed;
		}
		right += p->outcome.correct;
		if (right > s->best_sprint) {
			s->best_sprint = right;
			s->best_sprint_at_s = p->at_s;
		}
	}
}

static int by_frequency(const void *a, const void *b)
{
	const struct stats_cause *x = a, *y = b;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void count_cause(struct stats_cause *c, const struct history_event *e, int64_t now_s)
{
	int64_t weeks = e->at_s < now_s ? (now_s - e->at_s) / WEEK_S : 0;
	c->n++;
	c->last_s = e->at_s > c->last_s ? e->at_s : c->last_s;
	if (weeks < STATS_WEEKS)
		c->weeks[STATS_WEEKS - 1 - weeks]++;
}

static int make_causes(struct stats *s, const struct history *h, struct arena *scratch)
{
	struct name_table names;
	size_t *which = arena_array(scratch, h->n, sizeof *which);
	if (names_init(&names, scratch, h->n))
		return -1;
	for (size_t i = 0; i < h->n; i++) {
		const struct history_event *e = &h->events[i];
		if (e->used && e->verdict != VERDICT_CORRECT && *e->cause)
			which[i] = name_index(&names, e->cause) + 1;
	}
	s->n_causes = names.n;
	s->causes = arena_array(&s->arena, names.n, sizeof *s->causes);
	if (!s->causes)
		return -1;
	for (size_t i = 0; i < h->n; i++)
		if (which[i] != NO_ONE) {
			s->causes[which[i] - 1].name = names.list[which[i] - 1];
			count_cause(&s->causes[which[i] - 1], &h->events[i], s->now_s);
		}
	qsort(s->causes, names.n, sizeof *s->causes, by_frequency);
	return 0;
}

static int by_day(const void *a, const void *b)
{
	const struct stats_day *x = a, *y = b;
	return x->day < y->day ? -1 : x->day > y->day;
}

/* Sorted, and days of the same date made one. */
static int make_days(struct stats *s)
{
	s->days = arena_array(&s->arena, s->n_problems, sizeof *s->days);
	if (!s->days)
		return -1;
	for (size_t i = 0; i < s->n_problems; i++)
		s->days[i] = (struct stats_day){ s->problems[i].at_s / CALENDAR_DAY_S, 1,
			s->problems[i].outcome.correct };
	qsort(s->days, s->n_problems, sizeof *s->days, by_day);
	for (size_t i = 0; i < s->n_problems; i++) {
		struct stats_day *last = s->n_days ? &s->days[s->n_days - 1] : NULL;
		if (last && last->day == s->days[i].day) {
			last->problems++;
			last->correct += s->days[i].correct;
		} else {
			s->days[s->n_days++] = s->days[i];
		}
	}
	return 0;
}

int stats_init(struct stats *s, const struct history *h, int64_t now_s)
{
	assert(s && h);
	struct arena scratch = { 0 };
	*s = (struct stats){ .now_s = now_s };
	int rc = gather(s, h, &scratch) || make_total(s, &scratch) || make_causes(s, h, &scratch) ||
		 make_days(s);
	if (rc == 0) {
		s->topics = make_groups(s, false, &s->n_topics, &scratch);
		s->skills = make_groups(s, true, &s->n_skills, &scratch);
		rc = !s->topics || !s->skills;
		count_sprints(s);
	}
	for (size_t i = 0; rc == 0 && i < s->n_skills; i++)
		s->n_due += s->skills[i].due;
	arena_release(&scratch);
	return rc ? -1 : 0;
}

void stats_release(struct stats *s)
{
	arena_release(&s->arena);
	*s = (struct stats){ 0 };
}

/* ---- Orders of the skills, and when they are due. */

static void count_week(struct stats_group *g, const struct stats_problem *p, int64_t now_s)
{
	const int64_t weeks = p->at_s < now_s ? (now_s - p->at_s) / WEEK_S : 0;
	if (weeks >= STATS_WEEKS)
		return;
	g->weeks[STATS_WEEKS - 1 - weeks]++;
	g->weeks_right[STATS_WEEKS - 1 - weeks] += p->outcome.correct;
}

int stats_rungs(struct stats *s, enum drill_rung (*rung)(const void *bank, const char *drill),
	const void *bank)
{
	struct arena scratch = { 0 };
	size_t n[N_RUNGS] = { 0 };
	double *ratios = arena_array(&scratch, s->n_problems * N_RUNGS + 1, sizeof *ratios);
	struct stats_group *groups = arena_array(&s->arena, N_RUNGS, sizeof *groups);
	for (size_t i = 0; groups && i < N_RUNGS; i++)
		groups[i] = (struct stats_group){ .name = rung_names[i], .best_s = NAN };
	for (size_t i = 0; ratios && groups && i < s->n_problems; i++) {
		const struct stats_problem *p = &s->problems[i];
		const enum drill_rung of = rung(bank, p->drill);
		if (of == N_RUNGS)
			continue;
		count_problem(&groups[of], p);
		count_week(&groups[of], p, s->now_s);
		ratios[of * s->n_problems + n[of]++] = p->outcome.took_s / p->outcome.par_s;
	}
	s->n_rungs = 0;
	s->rungs = groups;
	for (unsigned i = 0; ratios && groups && i < N_RUNGS; i++) {
		if (n[i] == 0)
			continue;
		finish_group(&groups[i], ratios + i * s->n_problems, s);
		groups[s->n_rungs++] = groups[i];
	}
	arena_release(&scratch);
	return ratios && groups ? 0 : -1;
}

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

void stats_share_range(size_t right, size_t n, double *lo, double *hi)
{
	const double z = 1.959964, count = (double)n; /* 95 % of a normal distribution */
	*lo = 0;
	*hi = 1;
	if (n == 0)
		return;
	const double share = (double)right / count, scale = 1 + z * z / count;
	const double middle = (share + z * z / (2 * count)) / scale;
	const double half =
		z / scale * sqrt(share * (1 - share) / count + z * z / (4 * count * count));
	*lo = fmax(middle - half, 0);
	*hi = fmin(middle + half, 1);
}

const char *stats_weekday(int64_t day)
{
	static const char *const names[] = { "Thursday", "Friday", "Saturday", "Sunday", "Monday",
		"Tuesday", "Wednesday" }; /* as 1970 began */
	assert(day >= 0);
	return names[day % 7];
}

char *stats_when(int64_t at_s, int64_t now_s, char *buf, size_t size)
{
	int64_t left_s = at_s - now_s, days = at_s / CALENDAR_DAY_S - now_s / CALENDAR_DAY_S;
	if (left_s <= 0)
		snprintf(buf, size, "now");
	else if (left_s < 2 * HOUR_S)
		snprintf(buf, size, "in %" PRId64 " min", (left_s + 59) / 60);
	else if (left_s < CALENDAR_DAY_S)
		snprintf(buf, size, "in %" PRId64 " h", (left_s + HOUR_S - 1) / HOUR_S);
	else if (days < 2)
		snprintf(buf, size, "tomorrow");
	else if (days < 7 && at_s >= 0)
		snprintf(buf, size, "%s", stats_weekday(at_s / CALENDAR_DAY_S));
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

/* A number that is larger for what comes first. */
static double rank_of(const struct stats_group *g, enum stats_order order)
{
	switch (order) {
	case STATS_WEAKEST:
		/* What was never right cannot be remembered. */
		return g->correct ? -g->recall : 1 - g->recall;
	case STATS_DUE:
		return -g->recall;
	case STATS_MISSED: /* as if two more had come, and one been missed: of one answer little is known */
		return ((double)missed(g) + 1) / ((double)g->problems + 2);
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
	assert((unsigned)order <= STATS_WEAKEST);
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

double stats_due_s(const struct stats *s, const struct history *h)
{
	double sum = 0;
	for (size_t i = 0; i < s->n_skills; i++) {
		const struct stats_group *g = &s->skills[i];
		for (size_t k = h->n; g->due && k-- > 0;)
			if (strcmp(h->events[k].skill, g->name) == 0) {
				sum += h->events[k].par_s;
				break;
			}
	}
	return sum;
}

char *stats_due_brief(size_t n_due, double due_s, char *buf, size_t size)
{
	snprintf(buf, size, "%zu review%s due, about %.0f min", n_due, n_due == 1 ? "" : "s",
		fmax(ceil(due_s / 60), 1));
	return buf;
}

char *stats_due_text(const struct stats *s, char *buf, size_t size)
{
	enum { NAMED = 3 };
	const struct stats_group *first[NAMED], *next = stats_next(s);
	char when[64], names[3 * 70] = "", said[65];
	size_t n = stats_rank(s, STATS_DUE, first, NAMED), used = 0;
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
			name_words(first[i]->name, said, sizeof said));
	if (s->n_due > n)
		snprintf(buf, size, "%zu skills due: %s and %zu more.", s->n_due, names,
			s->n_due - n);
	else if (n > 0)
		snprintf(buf, size, "%zu skill%s due: %s.", n, n == 1 ? "" : "s", names);
	else if (next)
		snprintf(buf, size, "Nothing due. Next review %s: %s.",
			stats_when(next->card.due_s, s->now_s, when, sizeof when),
			name_words(next->name, said, sizeof said));
	else
		snprintf(buf, size, "Nothing due.");
	return buf;
}
