/* Each drill draws a rank of its own from the seed, and the drills of a round are dealt by rank,
 * so that a new drill shifts no other. */
#include "drills/session_deal.h"

#include "sims/base/match.h"
#include "sims/base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 4096, MOST_CHAPTERS = 64 };

/* In a sprint a problem is done in its head. Codes of the first editions had longer ones. */
static const double SPRINT_PAR_S = 20, EARLY_SPRINT_PAR_S = 60;
enum { EARLY_EDITIONS = 4 };

/* A place in the order of one round. Each drill draws its own, so that a new drill comes between
 * others and moves none. */
struct ranked {
	const struct drill *drill;
	uint64_t rank;
};

/* A choice of drills; which is NULL or a further condition. */
struct drill_filter {
	const struct drill_bank *bank;
	const char *name; /* a set (drill_is_of); NULL or "": all */
	size_t edition;
	bool (*fits)(const struct drill *d);
	bool no_programs;        /* they take too long */
	bool is_skill;           /* the name is one: a topic may be called the same */
	bool no_choice;          /* nothing that is chosen or put in order */
	bool pack;               /* only those of the pack */
	const struct drill *but; /* not this one */
};

static bool is_short(const struct drill *d)
{
	return d->n_steps == 1 && d->par_s <= SPRINT_PAR_S;
}

static bool was_short(const struct drill *d)
{
	return d->n_steps == 1 && d->par_s <= EARLY_SPRINT_PAR_S;
}

/* To be answered by who knows the chapter, within two minutes and without a list to put in order. */
static bool is_quick(const struct drill *d)
{
	return d->n_steps == 1 && d->par_s <= 2 * EARLY_SPRINT_PAR_S &&
	       (d->kind == KIND_NUMBER || d->kind == KIND_CHOICE);
}

static bool is_estimate(const struct drill *d)
{
	return d->kind == KIND_ESTIMATE;
}

static bool is_no_estimate(const struct drill *d)
{
	return d->kind != KIND_ESTIMATE;
}

static bool has_choice(const struct drill *d)
{
	for (size_t i = 0; i < d->n_steps; i++)
		if (d->steps[i].kind == KIND_CHOICE || d->steps[i].kind == KIND_ORDER)
			return true;
	return false;
}

static bool matches(const struct drill_filter *f, const struct drill *d)
{
	size_t edition = f->edition ? bank_edition(f->bank, d->id) : 0;
	if ((f->edition && (edition == 0 || edition > f->edition)) || (f->fits && !f->fits(d)) ||
		(f->no_choice && has_choice(d)) || d == f->but ||
		(f->pack && bank_pack_place(f->bank, d->id) == f->bank->pack.n))
		return false;
	if (f->is_skill)
		return strcmp(d->skill, f->name) == 0;
	bool program = d->kind == KIND_CODE;
	if (!f->name || !*f->name)
		return !program;
	return !(program && f->no_programs) && drill_is_of(d, f->name);
}

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->drill->id, y->drill->id);
}

static size_t choose(const struct drill_filter *f, struct ranked *out)
{
	size_t n = 0;
	for (size_t i = 0; i < f->bank->n; i++)
		if (matches(f, &f->bank->drills[i]))
			out[n++].drill = &f->bank->drills[i];
	return n;
}

/* With the condition where something fits it, without it where nothing does. */
static size_t choose_fitting(struct drill_filter f, struct ranked *out)
{
	size_t n = choose(&f, out);
	f.fits = NULL;
	return n ? n : choose(&f, out);
}

/* A sitting in the making. */
struct dealer {
	struct drill_session *s;
	const struct tables *tables;
	struct ranked *ranked;
	const char *set;               /* that was asked for by name, or NULL */
	const struct drill_bank *pack; /* whose pack is dealt; NULL: none is */
	uint64_t seed;
	char *err;
	size_t err_size;
};

/* A chain is climbed in its own order, and so is a pack, whatever the seed. */
static uint64_t rank_of(const struct dealer *k, const struct drill *d, uint64_t round)
{
	const char *set = k->set;
	char name[256];
	if (k->pack)
		return bank_pack_place(k->pack, d->id);
	if (set && d->chain && strcmp(d->chain, set) == 0)
		return d->chain_place;
	snprintf(name, sizeof name, "order of %s", d->id);
	struct rng r = rng_stream(k->seed, name, round);
	return rng_next(&r);
}

static void order(const struct dealer *k, size_t n, uint64_t round)
{
	for (size_t i = 0; i < n; i++)
		k->ranked[i].rank = rank_of(k, k->ranked[i].drill, round);
	qsort(k->ranked, n, sizeof *k->ranked, by_rank);
}

/* Whoever begins to type the name of a chain is told all of them. */
static int refuse_chain(const struct drill_bank *b, const char *chain, char *err, size_t err_size)
{
	const char *chains[MOST_CHAINS];
	size_t n = bank_chains(b, chains, MOST_CHAINS);
	size_t at = (size_t)snprintf(
		err, err_size, "no chain \"%.60s\": expected chain-NAME with one of ", chain);
	for (size_t i = 0; i < n && at < err_size; i++)
		at += (size_t)snprintf(
			err + at, err_size - at, "%s%s", i ? ", " : "", strchr(chains[i], '-') + 1);
	return -1;
}

static int refuse_topic(const struct drill_bank *b, const char *topic, char *err, size_t err_size)
{
	const char *names[MOST_NAMES];
	size_t n = 0;
	if (strncmp(topic, "chain", 5) == 0)
		return refuse_chain(b, topic, err, err_size);
	if (strcmp(topic, "design") == 0 || strcmp(topic, "case") == 0 ||
		strcmp(topic, "cases") == 0) {
		snprintf(err, err_size,
			"no drills on \"%s\": designs are asked in cases, which `ridge case` lists",
			topic);
		return -1;
	}
	while (n < N_RUNGS) {
		names[n] = rung_names[n];
		n++;
	}
	for (size_t i = 0; i < b->n && n + 5 <= MOST_NAMES; i++) {
		if (b->drills[i].chapter)
			names[n++] = b->drills[i].chapter;
		if (b->drills[i].chain)
			names[n++] = b->drills[i].chain;
		names[n++] = b->drills[i].topic;
		names[n++] = b->drills[i].skill;
		names[n++] = b->drills[i].id;
	}
	char hint[HINT_SIZE];
	snprintf(err, err_size, "no topic, skill, rung, drill, chapter or chain \"%.60s\"%s", topic,
		did_you_mean(topic, names, n, hint, sizeof hint));
	return -1;
}

static int deal_one(struct dealer *k, const struct drill *d, uint64_t round, enum phase phase)
{
	struct session_item *item = &k->s->items[k->s->n++];
	item->phase = phase;
	for (size_t i = 0; i < MOST_STEPS; i++)
		item->given[i] = NAN;
	return deal(d, k->tables, k->seed, round, &item->variant, k->err, k->err_size);
}

static int deal_chosen(struct dealer *k, size_t n, size_t count, enum phase phase)
{
	if (n == 0 && count > 0) {
		snprintf(k->err, k->err_size,
			"the drill bank has none of the kind this sitting needs");
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		uint64_t round = i / n;
		if (i % n == 0)
			order(k, n, round);
		if (deal_one(k, k->ranked[i % n].drill, round, phase))
			return -1;
	}
	return 0;
}

/* All but the one that was estimated, unless there is no other. */
static int deal_rest_of_pack(struct dealer *k, struct drill_filter f, size_t count)
{
	f.fits = NULL;
	f.but = k->s->items[0].variant.drill;
	size_t n = choose(&f, k->ranked);
	f.but = NULL;
	return deal_chosen(k, n ? n : choose(&f, k->ranked), count, PHASE_DRILL);
}

/* One estimate, of another topic where this one has none; then the others. */
static int deal_interview(struct dealer *k, struct drill_filter f, size_t count)
{
	f.fits = is_estimate;
	size_t n = choose(&f, k->ranked);
	if (n == 0)
		n = choose_fitting((struct drill_filter){ .bank = f.bank,
					   .edition = f.edition,
					   .fits = is_estimate,
					   .no_programs = true,
					   .no_choice = f.no_choice,
					   .pack = f.pack },
			k->ranked);
	if (deal_chosen(k, n, 1, PHASE_ESTIMATE))
		return -1;
	if (f.pack)
		return deal_rest_of_pack(k, f, count);
	f.fits = is_no_estimate;
	return deal_chosen(k, choose_fitting(f, k->ranked), count, PHASE_DRILL);
}

static int deal_review(struct dealer *k, struct drill_filter f, const struct session_options *o)
{
	f.is_skill = true;
	for (size_t i = 0; i < o->n_skills; i++) {
		f.name = o->skills[i];
		size_t n = choose(&f, k->ranked);
		if (n == 0)
			return refuse_topic(f.bank, f.name, k->err, k->err_size);
		/* The same skill twice gives two variants. */
		uint64_t round = 0;
		for (size_t j = 0; j < i; j++)
			round += strcmp(o->skills[j], f.name) == 0;
		order(k, n, round);
		if (deal_one(k, k->ranked[0].drill, round, PHASE_DRILL))
			return -1;
	}
	return 0;
}

/* Of each chapter a problem that is quickly done, where it has one. */
static int deal_placement(struct dealer *k, struct drill_filter f, size_t count)
{
	char chapter[32];
	f.fits = is_quick;
	f.no_programs = true;
	f.name = chapter;
	for (size_t i = 0; k->s->n < count && i < MOST_CHAPTERS; i++) {
		snprintf(chapter, sizeof chapter, "chapter-%zu", i);
		const size_t n = choose_fitting(f, k->ranked);
		if (n == 0)
			continue;
		order(k, n, 0);
		if (deal_one(k, k->ranked[0].drill, 0, PHASE_DRILL))
			return -1;
	}
	return k->s->n ? 0 : deal_chosen(k, 0, count, PHASE_DRILL);
}

/* Either no drill has this name, or only programs have and there is no time for one, or only problems
 * to choose from where none is wanted. */
static int refuse_set(struct dealer *k, struct drill_filter f, const struct session_options *o)
{
	const bool no_choice = f.no_choice;
	f.no_choice = false;
	if (no_choice && choose(&f, k->ranked) > 0) {
		snprintf(k->err, k->err_size,
			"%.60s has only problems to choose from; expected another topic, or choices "
			"as well",
			o->topic && *o->topic ? o->topic : "the bank");
		return -1;
	}
	f.no_programs = false;
	if (choose(&f, k->ranked) == 0)
		return refuse_topic(f.bank, o->topic ? o->topic : "", k->err, k->err_size);
	snprintf(k->err, k->err_size,
		"%.60s has only programs to write, too long for this mode; expected a set or study",
		o->topic);
	return -1;
}

/* 0; or -1 and a refusal of the first of several sets that has no drill. */
static int check_sets(const struct drill_bank *b, const char *sets, char *err, size_t err_size)
{
	if (!sets || !strchr(sets, ','))
		return 0; /* refuse_set says more */
	for (const char *at = sets; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		char one[64];
		bool found = false;
		snprintf(one, sizeof one, "%.*s", (int)strcspn(at, ","), at);
		for (size_t i = 0; i < b->n && !found; i++)
			found = drill_is_of(&b->drills[i], one);
		if (!found)
			return refuse_topic(b, one, err, err_size);
	}
	return 0;
}

int session_deal(struct drill_session *s, const struct drill_bank *b, const struct tables *t,
	const struct session_options *o, char *err, size_t err_size)
{
	size_t count = o->mode == MODE_REVIEW ? o->n_skills : o->count;
	bool short_of_time = o->mode == MODE_SPRINT || o->mode == MODE_INTERVIEW;
	struct drill_filter f = { .bank = b,
		.name = o->topic,
		.edition = o->edition,
		.no_programs = short_of_time,
		.no_choice = o->no_choice,
		.pack = o->pack };
	if (count < 1 || count > MOST_PROBLEMS) {
		snprintf(err, err_size, "count: expected 1 to %d", MOST_PROBLEMS);
		return -1;
	}
	if (check_sets(b, o->topic, err, err_size))
		return -1;
	struct dealer k = { s, t, arena_array(&s->arena, b->n, sizeof(struct ranked)), o->topic,
		o->pack ? b : NULL, o->seed, err, err_size };
	s->items = arena_array(&s->arena, count + 1, sizeof *s->items);
	if (!k.ranked || !s->items) {
		snprintf(err, err_size, "out of memory");
		return -1;
	}
	if (o->mode == MODE_REVIEW)
		return deal_review(&k, f, o);
	if (o->mode == MODE_PLACEMENT)
		return deal_placement(&k, f, count);
	size_t n = choose(&f, k.ranked);
	if (n == 0)
		return refuse_set(&k, f, o);
	if (o->mode == MODE_INTERVIEW)
		return deal_interview(&k, f, count);
	const bool early = o->edition > 0 && o->edition <= EARLY_EDITIONS;
	f.fits = o->mode != MODE_SPRINT ? NULL : early ? was_short : is_short;
	return deal_chosen(&k, choose_fitting(f, k.ranked), count, PHASE_DRILL);
}
