#include "drills/deal_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int deal(const struct drill *d, const struct tables *t, uint64_t seed, uint64_t part,
	struct variant *out, char *err, size_t err_size)
{
	struct rng r = rng_stream(seed, d->id, part);
	struct draw w;
	bool good = false;
	*out = (struct variant){ .drill = d, .seed = seed, .part = part };
	while (!good && out->draws < MOST_DRAWS) {
		good = draw_once(d, t, &r, &w);
		out->draws++;
	}
	if (!good) {
		snprintf(err, err_size, "%s: none of %d draws can be told from its mistakes", d->id,
			MOST_DRAWS);
		return -1;
	}
	deal_write(out, &w);
	if (d->program && !out->arena.failed && !deal_program(out, &w, t)) {
		snprintf(err, err_size, "%s: none of %d draws of its cases has all values", d->id,
			MOST_DRAWS);
		return -1;
	}
	if (!out->arena.failed)
		return 0;
	snprintf(err, err_size, "%s: out of memory", d->id);
	return -1;
}

void variant_release(struct variant *v)
{
	arena_release(&v->arena);
	*v = (struct variant){ 0 };
}

void variant_show(struct variant *v, size_t step)
{
	const struct variant_step *s = &v->steps[step];
	v->step = step;
	v->question = s->question;
	v->prompt = s->prompt;
	v->tolerance = s->tolerance;
	v->symbols = s->symbols;
	v->working = s->working;
}

const struct variant_step *variant_formula_step(const struct variant *v)
{
	for (size_t i = v->step + 1; i-- > 0;)
		if (v->steps[i].args)
			return &v->steps[i];
	return NULL;
}

double variant_follow(const struct variant *v, size_t step, const double given[])
{
	struct draw w = { .n = v->n_bindings };
	if (v->drill->steps[step].kind != KIND_NUMBER || w.n > MOST_BINDINGS)
		return NAN;
	memcpy(w.bindings, v->bindings, w.n * sizeof *w.bindings);
	for (size_t i = 0; i < w.n; i++)
		for (size_t k = 0; k < step; k++)
			if (!isnan(given[k]) &&
				strcmp(w.bindings[i].name, v->drill->steps[k].name) == 0)
				w.bindings[i].value = given[k];
	return draw_value(&w, &v->drill->steps[step].key, NULL);
}
