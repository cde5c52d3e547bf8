/* What is asked, and answers to it whose truth is known before they are typed. */
#include "tests/laws.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MICRO_SIGN "\xc2\xb5"
#define GREEK_MU "\xce\xbc"
const struct subject subjects[] = {
	{ "B", "GB", 10737418240, false, false, false, TAG_INFO | TAG_KV,
		{ { "GB", 1e9 }, { "GiB", 0x1p30 }, { "MB", 1e6 }, { "MiB", 0x1p20 }, { "kB", 1e3 },
			{ "KB", 1e3 }, { "KiB", 0x1p10 }, { "TB", 1e12 }, { "TiB", 0x1p40 },
			{ "B", 1 }, { "bytes", 1 }, { "bits", 0.125 }, { "Gb", 1.25e8 },
			{ "Gbit", 1.25e8 }, { "Mbit", 1.25e5 }, { "Gibit", 0x1p27 },
			{ "billion bytes", 1e9 }, { "thousand MB", 1e9 } } },
	{ "B", "GB", 10737418240, true, false, false, TAG_INFO,
		{ { "GB", 1e9 }, { "GiB", 0x1p30 }, { "MB", 1e6 }, { "bit", 0.125 } } },
	{ "B/s", "TB/s", 3.35e12, false, false, false, TAG_INFO | TAG_LINK,
		{ { "TB/s", 1e12 }, { "GB/s", 1e9 }, { "GB per s", 1e9 }, { "GB per second", 1e9 },
			{ "Gb/s", 1.25e8 }, { "Gbps", 1.25e8 }, { "GBps", 1e9 }, { "MB/ms", 1e9 },
			{ "B/us", 1e6 }, { "GiB/s", 0x1p30 }, { "TB s^-1", 1e12 },
			{ "TB*s**-1", 1e12 }, { "TB\xc2\xb7s^-1", 1e12 }, { "TB / sec", 1e12 },
			{ "PB/h", 1e15 / 3600 }, { "GB/s/GPU", 1e9 }, { "TB^2/TB/s", 1e12 } } },
	{ "s", "ms", 0.0418, false, false, false, TAG_TIME,
		{ { "ms", 1e-3 }, { "s", 1 }, { "us", 1e-6 }, { MICRO_SIGN "s", 1e-6 },
			{ GREEK_MU "s", 1e-6 }, { "ns", 1e-9 }, { "sec", 1 }, { "seconds", 1 },
			{ "min", 60 }, { "minutes", 60 }, { "h", 3600 }, { "hr", 3600 },
			{ "hours", 3600 }, { "d", 86400 }, { "days", 86400 } } },
	{ "FLOP/s", "TFLOP/s", 989e12, false, false, false, TAG_FLOPS | TAG_PEAK,
		{ { "TFLOP/s", 1e12 }, { "TFLOPs", 1e12 }, { "TFLOPS", 1e12 }, { "tflops", 1e12 },
			{ "PFLOPS", 1e15 }, { "GFLOP/s", 1e9 }, { "flop/s", 1 }, { "FLOP/ms", 1e3 },
			{ "TMAC/s", 2e12 }, { "TOPS", 1e12 } } },
	{ "FLOP", "GFLOP", 141e9, false, false, false, TAG_FLOPS,
		{ { "GFLOP", 1e9 }, { "GFLOPs", 1e9 }, { "GFLOPS", 1e9 }, { "Gflop", 1e9 },
			{ "GMAC", 2e9 }, { "GMACs", 2e9 }, { "TFLOP", 1e12 }, { "mflops", 1e6 } } },
	{ "token/s", "tok/s", 2870, false, false, false, 0,
		{ { "tok/s", 1 }, { "token/s", 1 }, { "tokens per second", 1 }, { "ktok/s", 1e3 },
			{ "k tok/s", 1e3 }, { "tokens/min", 1.0 / 60 }, { "tok/ms", 1e3 },
			{ "tokens/s/GPU", 1 } } },
	{ "$/token", "$/Mtok", 2.3e-7, false, false, true, 0,
		{ { "$/Mtok", 1e-6 }, { "$/token", 1 }, { "$/ktok", 1e-3 },
			{ "$ per 1M tokens", 1e-6 }, { "$/million tokens", 1e-6 },
			{ "$ per 1000 tok", 1e-3 } } },
	{ "", "%", 0.424, false, true, false, TAG_FLOPS | TAG_PEAK, { { "%", 0.01 }, { "x", 1 } } },
	{ "parameter", "billion", 70.6e9, false, true, false, 0,
		{ { "billion", 1e9 }, { "params", 1 }, { "parameters", 1 }, { "B params", 1e9 },
			{ "Mparams", 1e6 }, { "million params", 1e6 }, { "M", 1e6 }, { "B", 1e9 },
			{ "bn", 1e9 }, { "G params", 1e9 }, { "trillion", 1e12 } } },
	{ "B/s/GPU", "GB/s/GPU", 6e11, false, false, false, TAG_INFO | TAG_LINK,
		{ { "GB/s/GPU", 1e9 }, { "GB/s per GPU", 1e9 }, { "GB/s", 1e9 },
			{ "Gb/s/GPU", 1.25e8 }, { "TB/s/device", 1e12 } } },
	{ "", "", 640, false, false, false, 0, { { "x", 1 } } },
};
const size_t n_subjects = sizeof subjects / sizeof *subjects;

static const struct mistake mistakes[] = { { "twice", 0, 0.25, NULL },
	{ "a third", 0, 0.5, NULL } };
static const double mistake_ratios[] = { 2, 1.0 / 3 };
enum { N_MISTAKES = sizeof mistakes / sizeof *mistakes };

static size_t below(struct rng *r, size_t n)
{
	return (size_t)rng_below(r, n);
}

static bool chance(struct rng *r, size_t one_in)
{
	return below(r, one_in) == 0;
}

static struct tolerance draw_tolerance(struct rng *r, const struct subject *s)
{
	switch (below(r, 8)) {
	case 0:
		return (struct tolerance){ TOLERANCE_FACTOR, 2 };
	case 1:
		return (struct tolerance){ TOLERANCE_DIGITS, 1 + (double)below(r, 4) };
	case 2:
		return (struct tolerance){ TOLERANCE_EXACT, 0 };
	case 3:
		return (struct tolerance){ TOLERANCE_ABSOLUTE,
			0.03 * s->key / (*s->shown ? s->units[0].factor : 1) };
	default:
		return (struct tolerance){ TOLERANCE_RELATIVE, 0.001 + 0.1 * rng_uniform(r) };
	}
}

static void draw_question(struct rng *r, struct trial *t)
{
	const struct subject *s = t->subject = &subjects[below(r, n_subjects)];
	memcpy(t->mistakes, mistakes, sizeof mistakes);
	t->question = (struct question){ .key = s->key * (0.5 + rng_uniform(r)),
		.unit = s->unit,
		.shown_unit = s->shown,
		.tolerance = draw_tolerance(r, s),
		.unit_policy = s->required ? UNIT_REQUIRED : UNIT_NAMED,
		.dual = s->dual,
		.tags = s->tags,
		.mistakes = t->mistakes,
		.n_mistakes = N_MISTAKES };
	for (size_t i = 0; i < N_MISTAKES; i++)
		t->mistakes[i].value = t->question.key * mistake_ratios[i];
}

double trial_target(struct rng *r, const struct question *q)
{
	static const double telling[] = { 2, 0.5, 8, 0.125, 1000, 1e-3, 1.073741824, 1 / 1.048576,
		10, 3 };
	double t = q->tolerance.mode == TOLERANCE_RELATIVE ? q->tolerance.amount : 0.03;
	switch (below(r, 6)) {
	case 0:
	case 1:
		return q->key * (1 + t * (2 * rng_uniform(r) - 1));
	case 2:
		return q->key * (1 + 3 * t * (2 * rng_uniform(r) - 1));
	case 3:
		return q->key * telling[below(r, sizeof telling / sizeof *telling)];
	case 4:
		return q->key;
	default:
		return q->key * pow(10, 6 * rng_uniform(r) - 3);
	}
}

size_t subject_units(const struct subject *s)
{
	size_t n = 0;
	while (n < MOST_UNITS && s->units[n].text)
		n++;
	return n;
}

/* A bare number is in the shown unit; where a count or a share is asked, the plain one if that is
 * nearer to the key. */
static long double bare_truth(const struct trial *t, long double number)
{
	const struct subject *s = t->subject;
	long double shown = number * (*s->shown ? s->units[0].factor : 1);
	if (!s->dual || number <= 0)
		return shown;
	bool plain = fabsl(logl(number / t->question.key)) < fabsl(logl(shown / t->question.key));
	return plain ? number : shown;
}

long double trial_truth(const struct trial *t, long double number)
{
	return t->unit ? number * t->unit->factor : bare_truth(t, number);
}

/* number and unit into text, with blanks where they may stand. */
static void join(struct rng *r, struct trial *t)
{
	static const char *const before[] = { "", "", "", " ", "~", "~ ", "\t" };
	static const char *const between[] = { " ", " ", "", "  ", "\xc2\xa0", "\t" };
	const char *unit = t->unit ? t->unit->text : "";
	snprintf(t->text, sizeof t->text, "%s%s%s%s%s%s", before[below(r, 7)],
		t->dollar_first ? "$" : "", t->number, *unit ? between[below(r, 6)] : "",
		unit + t->dollar_first, chance(r, 8) ? " " : "");
}

void trial_draw(struct rng *r, struct trial *t)
{
	*t = (struct trial){ 0 };
	draw_question(r, t);
	const struct subject *s = t->subject;
	bool united = *s->shown ? !chance(r, 5) : chance(r, 5);
	t->unit = united ? &s->units[below(r, subject_units(s))] : NULL;
	t->dollar_first = t->unit && s->dollars_first && chance(r, 2);
	double wanted = trial_target(r, &t->question) / (double)trial_truth(t, 1);
	wanted *= chance(r, 40) ? -1 : 1;
	bool product = chance(r, 5);
	long double number = product ? product_draw(r, wanted, !t->dollar_first && chance(r, 2),
					       t->number, sizeof t->number)
				     : number_draw(r, wanted, t->number, sizeof t->number);
	t->truth = trial_truth(t, number);
	join(r, t);
}
