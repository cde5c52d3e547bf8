/* What tests over every simulation share: the facts, and settings at random. */
#ifndef RIDGE_TESTS_SETTINGS_H
#define RIDGE_TESTS_SETTINGS_H

#include "sims/base/rng.h"
#include "sims/figure/sim.h"
#include "tests/made_machine.h"
#include "ui/data/tables_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline struct tables load_tables(void)
{
	struct tables t;
	char err[256];
	if (tables_load(&t, err, sizeof err)) {
		fprintf(stderr, "%s\n", err);
		abort();
	}
	return t;
}

/* The same with a machine of the user's own, made by hand: one more choice of some knobs. */
static inline struct tables load_tables_and_machine(void)
{
	struct tables t = load_tables();
	struct machine m = made_machine();
	struct accelerator a;
	char err[256] = "";
	if (machine_accelerator(&m, &a, err, sizeof err) || tables_set_machine(&t, &a)) {
		fprintf(stderr, "%s\n", err);
		abort();
	}
	return t;
}

/* Anywhere on the knob's track, as often at a typed value as at an end of it. */
static inline double random_value(const struct knob *k, const struct tables *t, struct rng *r)
{
	if (k->kind != KNOB_NUMBER)
		return (double)rng_below(r, knob_choices(k, t));
	switch (rng_below(r, 8)) {
	case 0:
		return k->min;
	case 1:
		return k->max;
	case 2:
		return knob_default(k, t);
	default:
		break;
	}
	double least = k->least > 0 ? k->least : fmin(1, k->max / 1000), x = rng_uniform(r);
	least = k->min > 0 ? k->min : least;
	x = k->geometric ? least * pow(k->max / least, x) : k->min + (k->max - k->min) * x;
	x = k->geometric && k->min < 0 && rng_below(r, 2) ? -x : x;
	x = k->integer ? round(x) : x;
	return fmin(fmax(x, k->min), k->max);
}

static inline void random_setting(
	const struct sim *s, const struct tables *t, struct rng *r, double v[MAX_KNOBS])
{
	for (size_t i = 0; i < s->n_knobs; i++)
		v[i] = random_value(&s->knobs[i], t, r);
}

/* The setting as a command line that runs it again, for the message of a test that fails. */
static inline const char *setting_text(
	const struct sim *s, const struct tables *t, const double v[], char *buf, size_t size)
{
	int used = snprintf(buf, size, "ridge sim %s", s->id);
	for (size_t i = 0; i < s->n_knobs && used > 0 && (size_t)used < size; i++) {
		char value[64];
		used += snprintf(buf + used, size - (size_t)used, " %s=%s", s->knobs[i].id,
			knob_write(&s->knobs[i], t, v[i], value, sizeof value));
	}
	return buf;
}

#endif
