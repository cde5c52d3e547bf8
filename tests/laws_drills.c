/* What must hold of every drill of the bank at every seed: LAWS_SEEDS of them, or 500. A drill that
 * breaks a law is told with the first seed at which it does. */
#include "drills/choose.h"
#include "drills/deal.h"
#include "drills/grade.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"
#include "sims/base/rng.h"
#include "tests/laws.h"
#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 500, WHY_SIZE = 320, MOST_SEEN = 1 << 14 };

static struct tables tables;
static struct drill_bank bank;

static void load(void)
{
	char err[300] = "";
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
}

static void release(void)
{
	bank_release(&bank);
	tables_release(&tables);
}

static bool contains(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

static double shown_per_unit(const struct question *q)
{
	struct unit unit, shown;
	cr_assert(unit_parse(q->unit, &unit) && unit_parse(q->shown_unit, &shown));
	return unit.factor / shown.factor;
}

/* What a person would type for a value of the question. */
static void type_value(const struct question *q, double value, char *buf, size_t size)
{
	snprintf(buf, size, "%.12g %s", value * shown_per_unit(q), q->shown_unit);
}

static double bound(const struct variant *v, const char *name)
{
	for (size_t i = 0; i < v->n_bindings; i++)
		if (strcmp(v->bindings[i].name, name) == 0)
			return v->bindings[i].value;
	return NAN;
}

/* The laws. Each looks at one step of a variant; false, and in why what is wrong. */

/* The key again, from nothing but the names that the variant knows: the same to the last bit. */
static bool key_is_the_formula(const struct variant *v, size_t k, char *why)
{
	const struct drill_value *key = &v->drill->steps[k].key;
	const struct formula *f = key->formula;
	double args[32], again = f ? 0 : bound(v, key->field);
	for (size_t i = 0; f && i < f->n_params; i++) {
		args[i] = bound(v, f->params[i].name);
		for (size_t n = key->n_settings; n-- > 0;)
			if (strcmp(key->settings[n].name, f->params[i].name) == 0)
				args[i] = key->settings[n].to.name
						  ? bound(v, key->settings[n].to.name)
						  : key->settings[n].to.number;
	}
	again = f ? f->call(args) : again;
	snprintf(why, WHY_SIZE, "%.17g, not %.17g", v->steps[k].question.key, again);
	return memcmp(&again, &v->steps[k].question.key, sizeof again) == 0;
}

/* Rule 8 of the grading rules: two keys are further apart than both tolerances, on the scale of
 * ratios. (A mistake that gives the key itself is not a mistake.) */
static bool mistakes_are_apart(const struct variant *v, size_t k, char *why)
{
	const struct question *q = &v->steps[k].question;
	double low, high;
	question_accepted(q, &low, &high);
	double t = fmax(high / q->key, q->key / low) - 1;
	if (q->tolerance.mode != TOLERANCE_FACTOR)
		t = (high - low) / 2 / q->key;
	for (size_t i = 0; i < q->n_mistakes; i++) {
		double m = q->mistakes[i].value;
		snprintf(why, WHY_SIZE, "key %.6g, %.6g: %s", q->key, m, q->mistakes[i].name);
		double apart = fabs(log(m / q->key));
		if (question_accepts(q, m) || !(apart > log((1 + t) * (1 + fmin(t, 0.015)))))
			return false;
	}
	return true;
}

static bool unit_is_named(const struct variant *v, size_t k, char *why)
{
	const struct question *q = &v->steps[k].question;
	snprintf(why, WHY_SIZE, "%s: %.200s", q->shown_unit, v->steps[k].asks);
	return q->unit_policy != UNIT_NAMED || contains(v->steps[k].asks, q->shown_unit);
}

/* What is printed comes to what is printed, and to the key, as far as the digits say. */
static bool read_text(const struct variant_step *s, const char *text, struct range *by_hand,
	struct range *stated, char *why)
{
	char at[120];
	const struct question *q = &s->question;
	if (working_read(text, s->step->key.formula, by_hand, stated, at, sizeof at)) {
		snprintf(why, WHY_SIZE, "%s: %.150s", at, text);
		return false;
	}
	snprintf(why, WHY_SIZE, "%.6g (%.6g to %.6g), key %.6g: %.180s", by_hand->x, by_hand->low,
		by_hand->high, q->key, text);
	return true;
}

static bool read_working(
	const struct variant_step *s, struct range *by_hand, struct range *stated, char *why)
{
	return read_text(s, s->working, by_hand, stated, why);
}

static bool working_leads_to_the_key(const struct variant *v, size_t k, char *why)
{
	const struct variant_step *s = &v->steps[k];
	struct range by_hand, stated;
	double key = s->question.key, slack = 1e-9 * fabs(key);
	if (!s->step->key.formula)
		return contains(s->working, " = ");
	return read_working(s, &by_hand, &stated, why) && by_hand.low - slack <= key &&
	       key <= by_hand.high + slack && stated.low - slack <= key &&
	       key <= stated.high + slack;
}

/* Whoever computes with the printed numbers types what is right. Where a count is rounded up, the
 * digits that are left out may decide: that must be rare. */
static bool working_leads_to_an_answer(const struct variant *v, size_t k, char *why)
{
	const struct variant_step *s = &v->steps[k];
	struct range by_hand, stated;
	return !s->step->key.formula || !read_working(s, &by_hand, &stated, why) ||
	       question_accepts(&s->question, by_hand.x);
}

static double to_three_digits(double x)
{
	char text[32];
	snprintf(text, sizeof text, "%.3g", x);
	return strtod(text, NULL);
}

/* Whoever goes on from the answers before, each to three digits, types what is right. */
static bool rounded_answers_lead_to_an_answer(const struct variant *v, size_t k, char *why)
{
	double given[MOST_STEPS];
	for (size_t i = 0; i < k; i++) {
		const struct question *q = &v->steps[i].question;
		bool number = v->steps[i].step->kind == KIND_NUMBER;
		double per = number ? shown_per_unit(q) : 1;
		given[i] = number ? to_three_digits(q->key * per) / per : NAN;
	}
	double then = variant_follow(v, k, given);
	snprintf(why, WHY_SIZE, "key %.6g, from rounded answers %.6g", v->steps[k].question.key,
		then);
	return question_accepts(&v->steps[k].question, then);
}

/* Numbers in the words of the tolerance: none answers the question, or one of its mistakes. */
static bool tolerance_gives_nothing_away(const struct variant *v, size_t k, char *why)
{
	struct question q = v->steps[k].question;
	const char *text = v->steps[k].tolerance, *p = strstr(text, ": for ");
	double key = q.key, per = shown_per_unit(&q);
	snprintf(why, WHY_SIZE, "key %.6g %s: %s", key * per, q.shown_unit, text);
	while (p && *p) {
		size_t n = strspn(p, "0123456789,.");
		char number[40], err[100];
		double value;
		snprintf(number, sizeof number, "%.*s", (int)n, p);
		p += n ? n : 1;
		if (!n || quantity_read(number, "", &value, err, sizeof err))
			continue;
		for (size_t i = 0; i <= q.n_mistakes; i++) {
			q.key = i < q.n_mistakes ? q.mistakes[i].value : key;
			if (question_accepts(&q, value / per))
				return false;
		}
	}
	return p || q.tolerance.mode == TOLERANCE_EXACT;
}

static bool answer_is_right(const struct variant *v, size_t k, char *why)
{
	struct grade g;
	grade_step(&v->steps[k], v->steps[k].answer, false, &g);
	snprintf(why, WHY_SIZE, "%s: %s", v->steps[k].answer, verdict_names[g.verdict]);
	return g.verdict == VERDICT_CORRECT && g.credit == 1;
}

/* Types what stands between the two, in the unit of the key where it says none. */
static bool is_right(const struct variant_step *s, const char *from, size_t bytes)
{
	char typed[80], *end;
	struct grade g;
	snprintf(typed, sizeof typed, "%.*s", (int)bytes, from);
	const double plain = strtod(typed, &end);
	if (!*end)
		return question_accepts(&s->question, plain);
	grade_step(s, typed, false, &g);
	return g.verdict == VERDICT_CORRECT;
}

/* "= 76e3 s, or 21.13 h": whoever works at a whiteboard is right, in either unit. */
static bool whiteboard_leads_to_an_answer(const struct variant *v, size_t k, char *why)
{
	const struct variant_step *s = &v->steps[k];
	const char *line = s->whiteboard, *result = line, * or = NULL;
	snprintf(why, WHY_SIZE, "key %.8g, %s: %.200s", s->question.key, s->tolerance, line);
	for (const char *p = line; *p; p++)
		if (strncmp(p, " = ", 3) == 0 || strncmp(p, "so ", 3) == 0)
			result = p + 3;
	or = strstr(result, ", or ");
	return !*line || (is_right(s, result, or ? (size_t)(or -result) : strlen(result)) &&
				 (! or || is_right(s, or +5, strlen(or +5))));
}

/* One option is right, all others have their reasons. */
static bool one_option_is_right(const struct variant *v, size_t k, char *why)
{
	const struct variant_step *s = &v->steps[k];
	size_t right = 0;
	for (size_t i = 0; i < s->n_options; i++) {
		char typed[8];
		struct grade g;
		snprintf(typed, sizeof typed, "%c", (char)((i % 2 ? '1' : 'a') + (int)i));
		grade_step(s, typed, false, &g);
		snprintf(why, WHY_SIZE, "%s: %s", typed, verdict_names[g.verdict]);
		bool is_right = s->options[i].right;
		if (g.verdict != (is_right ? VERDICT_CORRECT : VERDICT_WRONG) || !g.attempt_used ||
			!*g.remark || g.credit != is_right)
			return false;
		right += is_right;
	}
	return right == 1;
}

static bool backwards_is_wrong(const struct variant *v, size_t k, char *why)
{
	const struct variant_step *s = &v->steps[k];
	char typed[2 * MOST_OPTIONS + 1] = "";
	struct grade g;
	for (size_t i = 0, n = strlen(s->answer); i < n && n < sizeof typed; i++)
		typed[i] = s->answer[n - 1 - i];
	grade_step(s, typed, false, &g);
	snprintf(why, WHY_SIZE, "%s: %s", typed, verdict_names[g.verdict]);
	return g.verdict == VERDICT_WRONG && g.credit < 0.5;
}

static bool texts_are_filled(const struct variant *v, size_t k, char *why)
{
	const struct variant_step *s = &v->steps[k];
	snprintf(why, WHY_SIZE, "%.250s", s->prompt);
	return contains(s->prompt, s->asks) && contains(s->prompt, v->scene) &&
	       !contains(s->prompt, "{") && !contains(s->prompt, "?B") &&
	       !(v->sim && contains(v->sim, "{"));
}

/* Texts that were laid out before, by their hashes: most seeds say the same. */
static uint64_t seen[MOST_SEEN];

static bool is_new(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (const char *p = text; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 0x100000001b3u;
	uint64_t *slot = &seen[(hash ^ hash >> 32) % MOST_SEEN];
	bool is = *slot != hash;
	*slot = hash;
	return is;
}

static bool fits_the_screen(const struct variant *v, size_t k, char *why)
{
	const struct variant_step *s = &v->steps[k];
	const char *const texts[] = { s->prompt, s->asks, s->symbols, s->working, s->tolerance,
		s->whiteboard, s->hints[0], s->hints[1], s->hints[2], s->hints[3], s->hints[4],
		v->assumes, v->follow_up, v->scene };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (!texts[i] || !is_new(texts[i]))
			continue;
		if (!text_fits(texts[i], why, WHY_SIZE))
			return false;
	}
	return true;
}

/* The last two hints of a part with a formula are that formula's form, and its numbers put in, which
 * come to the key of this part. What such a sum is said to be is at the end of the working alone. */
static bool hints_lead_to_the_key(const struct variant *v, size_t k, char *why)
{
	const struct variant_step *s = &v->steps[k];
	const char *end = strrchr(s->working, '=');
	const double key = s->question.key, slack = 1e-9 * fabs(key);
	struct range by_hand, stated;
	char text[2200];
	if (!s->args)
		return true;
	snprintf(why, WHY_SIZE, "%zu hints of %.150s", s->n_hints, s->symbols);
	if (s->n_hints < FORMULA_HINTS || !end)
		return false;
	snprintf(text, sizeof text, "%s %s", s->hints[s->n_hints - 1], end);
	return strcmp(s->hints[s->n_hints - 2], s->symbols) == 0 &&
	       read_text(s, text, &by_hand, &stated, why) && by_hand.low - slack <= key &&
	       key <= by_hand.high + slack;
}

static const struct law {
	const char *name;
	unsigned kinds; /* of the steps it is about: 1 << KIND_... */
	bool (*holds)(const struct variant *v, size_t k, char *why);
	double exceptions; /* the share of seeds at which it need not hold */
} laws[] = {
	{ "the key is the formula, bit for bit", 1u << KIND_NUMBER, key_is_the_formula },
	{ "mistakes are apart from the key", 1u << KIND_NUMBER, mistakes_are_apart },
	{ "the prompt names the unit", 1u << KIND_NUMBER, unit_is_named },
	{ "the printed working leads to the key", 1u << KIND_NUMBER, working_leads_to_the_key },
	{ "the hints lead to the key of their part", 1u << KIND_NUMBER, hints_lead_to_the_key },
	{ "the printed working leads to a right answer", 1u << KIND_NUMBER,
		working_leads_to_an_answer, 0.02 },
	{ "the whiteboard leads to a right answer", 1u << KIND_NUMBER,
		whiteboard_leads_to_an_answer },
	{ "rounded answers lead to a right one", 1u << KIND_NUMBER,
		rounded_answers_lead_to_an_answer },
	{ "the tolerance gives nothing away", 1u << KIND_NUMBER, tolerance_gives_nothing_away },
	{ "the answer is right", ~(1u << KIND_CODE),
		answer_is_right }, /* a program: test_code_run.c */
	{ "one option is right", 1u << KIND_CHOICE, one_option_is_right },
	{ "the answer backwards is wrong", 1u << KIND_ORDER, backwards_is_wrong },
	{ "texts are filled in", ~0u, texts_are_filled },
	{ "nothing is wider than 80 columns or lost", ~0u, fits_the_screen },
};
enum { N_LAWS = sizeof laws / sizeof *laws };

/* How one drill did. */
struct tally {
	size_t broken[N_LAWS];
	char first[N_LAWS][WHY_SIZE + 40];
	size_t numbers, mistakes, named, diagnosed;
	unsigned most_draws;
};

static void try_laws(const struct variant *v, size_t k, struct tally *t)
{
	for (size_t i = 0; i < N_LAWS; i++) {
		char why[WHY_SIZE] = "";
		if (!(laws[i].kinds & 1u << v->steps[k].step->kind) || laws[i].holds(v, k, why))
			continue;
		if (!t->broken[i]++)
			snprintf(t->first[i], sizeof t->first[i], "seed %llu: %s",
				(unsigned long long)v->seed, why);
	}
}

/* How many of the mistakes are named when they are typed. */
static void try_mistakes(const struct question *q, struct tally *t)
{
	for (size_t i = 0; i < q->n_mistakes; i++) {
		char typed[80];
		struct grade g;
		type_value(q, q->mistakes[i].value, typed, sizeof typed);
		grade_answer(q, typed, false, &g);
		t->named += g.verdict == VERDICT_NAMED && contains(g.remark, q->mistakes[i].name);
	}
	t->mistakes += q->n_mistakes;
}

/* A reason that is shown is rarely chance: a wrong answer, spread evenly over six decades. */
static void try_random(const struct question *q, struct rng *r, struct tally *t)
{
	char typed[80];
	struct grade g;
	type_value(q, q->key * pow(10, 6 * rng_uniform(r) - 3), typed, sizeof typed);
	grade_answer(q, typed, false, &g);
	t->diagnosed += g.verdict == VERDICT_RATIO || g.verdict == VERDICT_NAMED;
	t->numbers++;
}

static void try_drill(const struct drill *d, size_t seeds, struct tally *t)
{
	struct rng r = rng_stream(3, d->id, 0);
	for (uint64_t seed = 0; seed < seeds; seed++) {
		struct variant v;
		char err[200] = "";
		cr_assert(zero(int, deal(d, &tables, seed, 0, &v, err, sizeof err)), "%s", err);
		t->most_draws = v.draws > t->most_draws ? v.draws : t->most_draws;
		for (size_t k = 0; k < v.n_steps; k++) {
			try_laws(&v, k, t);
			if (v.steps[k].step->kind != KIND_NUMBER)
				continue;
			try_mistakes(&v.steps[k].question, t);
			try_random(&v.steps[k].question, &r, t);
		}
		variant_release(&v);
	}
}

/* 5 % of random answers is asked of the bank as a whole: a drill with many factors has more. */
static void judge(const struct drill *d, const struct tally *t, size_t seeds)
{
	for (size_t i = 0; i < N_LAWS; i++)
		cr_expect(le(dbl, (double)t->broken[i], laws[i].exceptions * (double)seeds),
			"%s: %s: not at %zu of %zu seeds; %s", d->id, laws[i].name, t->broken[i],
			seeds, t->first[i]);
	cr_expect(t->mistakes > 0 || t->numbers == 0, "%s has no mistakes", d->id);
	cr_expect(ge(dbl, (double)t->named, 0.95 * (double)t->mistakes), "%s: %zu of %zu mistakes",
		d->id, t->named, t->mistakes);
	cr_expect(le(dbl, (double)t->diagnosed, 0.09 * (double)t->numbers),
		"%s: %zu of %zu random answers are diagnosed", d->id, t->diagnosed, t->numbers);
	cr_expect(lt(uint, t->most_draws, MOST_DRAWS / 4), "%s: %u draws", d->id, t->most_draws);
}

/* The drills are shared out among processes: Criterion runs as many tests at once as it may. */
enum { SHARES = 8 };

static void hold_for_share(size_t share)
{
	size_t seeds = laws_count("LAWS_SEEDS", SEEDS);
	cr_assert(ge(sz, bank.n, 10));
	for (size_t i = share; i < bank.n; i += SHARES) {
		struct tally t = { 0 };
		try_drill(&bank.drills[i], seeds, &t);
		judge(&bank.drills[i], &t, seeds);
	}
}

#define HOLD_FOR_SHARE(n)                                                                          \
	Test(laws, hold_for_every_drill_##n, .description = "long", .init = load, .fini = release, \
		.timeout = 7200)                                                                   \
	{                                                                                          \
		hold_for_share(n);                                                                 \
	}
HOLD_FOR_SHARE(0)
HOLD_FOR_SHARE(1)
HOLD_FOR_SHARE(2)
HOLD_FOR_SHARE(3)
HOLD_FOR_SHARE(4)
HOLD_FOR_SHARE(5)
HOLD_FOR_SHARE(6)
HOLD_FOR_SHARE(7)

Test(laws, random_answers_are_rarely_diagnosed, .description = "long", .init = load,
	.fini = release, .timeout = 600)
{
	struct tally t = { 0 };
	for (size_t i = 0; i < bank.n; i++) {
		struct rng r = rng_stream(5, bank.drills[i].id, 0);
		for (uint64_t seed = 0; seed < 200; seed++) {
			struct variant v;
			char err[200] = "";
			cr_assert(zero(
				int, deal(&bank.drills[i], &tables, seed, 4, &v, err, sizeof err)));
			for (size_t k = 0; k < v.n_steps; k++)
				if (v.steps[k].step->kind == KIND_NUMBER)
					try_random(&v.steps[k].question, &r, &t);
			variant_release(&v);
		}
	}
	cr_expect(le(dbl, (double)t.diagnosed, 0.05 * (double)t.numbers), "%zu of %zu", t.diagnosed,
		t.numbers);
}
