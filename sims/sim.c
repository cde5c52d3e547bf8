#include "sims/sim.h"

#include "sims/base/nearest.h"

#include <stdio.h>
#include <string.h>

/* The order of lists and of the home screen: that of the chapters. */
/* clang-format off */
#define SIMS(X)                                                                                    \
	X(system)                                                                                  \
	X(scaling)                                                                                 \
	X(amdahl)                                                                                  \
	X(roofline)                                                                                \
	X(memory)                                                                                  \
	X(compile)                                                                                 \
	X(timeline)                                                                                \
	X(measurement)                                                                             \
	X(diagnosis)                                                                               \
	X(formats)                                                                                 \
	X(allreduce)                                                                               \
	X(parallelism)                                                                             \
	X(compression)                                                                             \
	X(inference)                                                                               \
	X(flashattention)                                                                          \
	X(kvcache)                                                                                 \
	X(speculative)                                                                             \
	X(batching)                                                                                \
	X(queueing)                                                                                \
	X(capacity)                                                                                \
	X(latency)                                                                                 \
	X(stacking)                                                                                \
	X(goodput)                                                                                 \
	X(caselab)
/* clang-format on */

#define X(name) extern const struct sim name##_sim;
SIMS(X)
#undef X
#define X(name) &name##_sim,
const struct sim *const sims[] = { SIMS(X) };
#undef X
const size_t n_sims = sizeof sims / sizeof *sims;

const struct sim *sim_find(const char *id)
{
	for (size_t i = 0; i < n_sims; i++)
		if (strcmp(sims[i]->id, id) == 0)
			return sims[i];
	return strncmp(id, "formula:", 8) == 0 ? formula_sim_find(id + 8) : NULL;
}

int sim_knob_index(const struct sim *s, const char *id)
{
	for (size_t i = 0; i < s->n_knobs; i++)
		if (strcmp(s->knobs[i].id, id) == 0)
			return (int)i;
	return -1;
}

void sim_defaults(const struct sim *s, const struct tables *t, double v[])
{
	for (size_t i = 0; i < s->n_knobs; i++)
		v[i] = knob_default(&s->knobs[i], t);
}

static int unknown_knob(const struct sim *s, const char *id, char *err, size_t err_size)
{
	const char *ids[MAX_KNOBS];
	for (size_t i = 0; i < s->n_knobs; i++)
		ids[i] = s->knobs[i].id;
	const char *near = nearest_name(id, ids, s->n_knobs);
	snprintf(err, err_size, "%s has no knob \"%.40s\"%s%s%s", s->id, id,
		near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
	return -1;
}

int sim_read_setting(const struct sim *s, const struct tables *t, const char *setting, double v[],
	char *err, size_t err_size)
{
	const char *equals = strchr(setting, '=');
	char id[64];
	if (!equals || equals == setting || (size_t)(equals - setting) >= sizeof id) {
		snprintf(err, err_size, "expected knob=value, found \"%.40s\"", setting);
		return -1;
	}
	snprintf(id, sizeof id, "%.*s", (int)(equals - setting), setting);
	int i = sim_knob_index(s, id);
	if (i < 0)
		return unknown_knob(s, id, err, err_size);
	return knob_read(&s->knobs[i], t, equals + 1, &v[i], err, err_size);
}
