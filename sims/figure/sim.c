#include "sims/figure/sim.h"

#include "sims/base/match.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether a word is one of those in a text, a blank between. */
static bool is_among(const char *words, const char *word)
{
	const size_t n = strlen(word);
	for (const char *at = words; n > 0 && (at = strstr(at, word)) != NULL; at += n)
		if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
			return true;
	return false;
}

int sim_knob_index(const struct sim *s, const char *id)
{
	assert(s && id);
	for (size_t i = 0; i < s->n_knobs; i++)
		if (strcmp(s->knobs[i].id, id) == 0)
			return (int)i;
	for (size_t i = 0; i < s->n_knobs; i++)
		if (s->knobs[i].also && is_among(s->knobs[i].also, id))
			return (int)i;
	return -1;
}

void sim_defaults(const struct sim *s, const struct tables *t, double v[])
{
	assert(s && v && s->n_knobs <= MAX_KNOBS);
	for (size_t i = 0; i < s->n_knobs; i++)
		v[i] = knob_default(&s->knobs[i], t);
}

/* Where no name is near: "; it has gpu, dtype, batch and 9 more". */
static const char *first_knobs(const struct sim *s, char *buf, size_t size)
{
	enum { NAMED = 3 };
	size_t used = 0;
	for (size_t i = 0; i < s->n_knobs && i < NAMED && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
			i == 0                ? "; it has "
			: i + 1 == s->n_knobs ? " and "
					      : ", ",
			s->knobs[i].id);
	if (s->n_knobs > NAMED && used < size)
		snprintf(buf + used, size - used, " and %zu more", s->n_knobs - NAMED);
	return buf;
}

static int unknown_knob(const struct sim *s, const char *id, char *err, size_t err_size)
{
	assert(s->n_knobs <= MAX_KNOBS);
	const char *ids[MAX_KNOBS];
	for (size_t i = 0; i < s->n_knobs; i++)
		ids[i] = s->knobs[i].id;
	char hint[HINT_SIZE];
	did_you_mean(id, ids, s->n_knobs, hint, sizeof hint);
	snprintf(err, err_size, "%s has no knob \"%.40s\"%s", s->id, id,
		*hint ? hint : first_knobs(s, hint, sizeof hint));
	return -1;
}

int sim_read_setting(const struct sim *s, const struct tables *t, const char *setting, double v[],
	char *err, size_t err_size)
{
	assert(s && setting && v && err);
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

static bool holds(const struct knob_condition *c, const double v[])
{
	double now = v[c->knob];

	return now >= 0 && now < 32 && now == floor(now) && (c->values >> (unsigned)now & 1);
}

bool knob_matters(const struct sim *s, const double v[], size_t i)
{
	assert(s && v && i < s->n_knobs);
	const struct knob_condition *when = s->knobs[i].when;
	size_t n = 0;

	for (; n < KNOB_CONDITIONS && when[n].values; n++)
		if (holds(&when[n], v))
			return true;
	return n == 0;
}
