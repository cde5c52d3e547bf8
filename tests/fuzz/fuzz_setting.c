/* Any text is a setting, to every simulation: read into the knob's range, or refused in one line
 * with nothing changed. What was read writes and reads back. */
#include "sims/registry/registry.h"
#include "ui/data/tables_load.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tables tables; /* loaded once: a hundred times slower than an input */

static void require(int holds)
{
	if (!holds)
		abort();
}

static bool in_range(const struct knob *k, const struct tables *t, double value)
{
	if (k->kind == KNOB_NUMBER)
		return value >= k->min && value <= k->max && (!k->integer || value == floor(value));
	return value >= 0 && value < (double)knob_choices(k, t) && value == floor(value);
}

static void check_read(
	const struct sim *s, const struct tables *t, const double v[], const char *setting)
{
	char id[64], text[64], err[320];
	double back;
	memcpy(id, setting, strcspn(setting, "="));
	id[strcspn(setting, "=")] = '\0';
	int i = sim_knob_index(s, id);
	require(i >= 0 && in_range(&s->knobs[i], t, v[i]));
	knob_write(&s->knobs[i], t, v[i], text, sizeof text);
	require(knob_read(&s->knobs[i], t, text, &back, err, sizeof err) == 0 && back == v[i]);
	for (int n = -1; n <= 1; n += 2)
		require(in_range(&s->knobs[i], t, knob_step(&s->knobs[i], t, v[i], n, false)));
	double at = knob_position(&s->knobs[i], t, v[i]);
	require(at >= 0 && at <= 1 + 1e-9);
	require(knob_format(&s->knobs[i], t, v[i], text, sizeof text)[0] != '\0');
}

static void check(const struct sim *s, const struct tables *t, const char *setting)
{
	double v[MAX_KNOBS], before[MAX_KNOBS];
	char err[320] = "";
	sim_defaults(s, t, v);
	memcpy(before, v, s->n_knobs * sizeof *v);
	if (sim_read_setting(s, t, setting, v, err, sizeof err) == 0) {
		check_read(s, t, v, setting);
		return;
	}
	require(err[0] != '\0' && memchr(err, '\0', sizeof err) != NULL);
	require(memcmp(before, v, s->n_knobs * sizeof *v) == 0);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char err[300];
	(void)argc;
	(void)argv;
	require(tables_load(&tables, err, sizeof err) == 0);
	return 0;
}

/* The whole text; and, so that values are reached often, the text as a value of a knob. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[512], setting[640];
	if (size == 0 || size > sizeof text - 1)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t i = 0; i < n_sims; i++) {
		check(sims[i], &tables, text);
		snprintf(setting, sizeof setting, "%s=%s",
			sims[i]->knobs[data[0] % sims[i]->n_knobs].id, text + 1);
		check(sims[i], &tables, setting);
	}
	return 0;
}
