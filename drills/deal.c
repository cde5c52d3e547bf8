#include "drills/deal.h"

#include "sims/quantity_parse.h"
#include "sims/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BINDINGS = 64, MOST_ARGS = 32, MOST_GIVEN_MISTAKES = 16 };

/* One draw, before anything is written out. */
struct draw {
	struct binding bindings[MOST_BINDINGS];
	size_t n;
	double args[MOST_ARGS];
	struct mistake mistakes[MOST_GIVEN_MISTAKES];
	struct question question;
};

static const struct binding *find(const struct draw *w, const char *name)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->bindings[i].name, name) == 0)
			return &w->bindings[i];
	return NULL;
}

static void bind(struct draw *w, struct binding b)
{
	if (w->n < MOST_BINDINGS)
		w->bindings[w->n++] = b;
}

static double operand_value(const struct draw *w, const struct operand *o)
{
	const struct binding *b = o->name ? find(w, o->name) : NULL;
	return !o->name ? o->number : b ? b->value : NAN;
}

/* Units of what models and GPUs fill, where the formula does not say. */
static const char *filled_unit(const char *name)
{
	static const struct {
		const char *name, *unit;
	} units[] = { { "params", "param" }, { "peak_flops", "FLOP/s" }, { "bandwidth", "B/s" },
		{ "memory_bytes", "B" }, { "link_bandwidth", "B/s" } };
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].name, name) == 0)
			return units[i].unit;
	return "";
}

static void bind_model(struct draw *w, const struct drill_field *f, const struct model *m)
{
	bind(w, (struct binding){
	                .name = f->name, .unit = "", .people = m->name, .program = m->id });
	for (size_t i = 0; model_fills[i]; i++) {
		double value;
		if (model_parameter(m, model_fills[i], &value))
			bind(w, (struct binding){ .name = model_fills[i],
			                .unit = filled_unit(model_fills[i]),
			                .value = value });
	}
}

static void bind_gpu(struct draw *w, const struct drill_field *f, const struct accelerator *g)
{
	bind(w, (struct binding){
	                .name = f->name, .unit = "", .people = g->name, .program = g->id });
	for (size_t i = 0; gpu_fills[i]; i++) {
		double value;
		if (gpu_parameter(g, gpu_fills[i], &value))
			bind(w, (struct binding){ .name = gpu_fills[i],
			                .unit = filled_unit(gpu_fills[i]),
			                .value = value });
	}
}

static void draw_field(
        const struct drill_field *f, const struct tables *t, struct rng *r, struct draw *w)
{
	if (f->kind == DRILL_PRODUCT || f->kind == DRILL_SUM) {
		bool product = f->kind == DRILL_PRODUCT;
		double value = product;
		for (size_t i = 0; i < f->n; i++) {
			double x = operand_value(w, &f->operands[i]);
			value = product ? value * x : value + x;
		}
		bind(w, (struct binding){ .name = f->name, .unit = f->unit, .value = value });
		return;
	}
	size_t i = (size_t)rng_below(r, f->n);
	const char *id = f->ids ? f->ids[i] : NULL;
	const struct model *model = id && f->kind == DRILL_MODELS ? model_find(t, id) : NULL;
	const struct accelerator *gpu = id && f->kind == DRILL_GPUS ? gpu_find(t, id) : NULL;
	if (model)
		bind_model(w, f, model);
	else if (gpu)
		bind_gpu(w, f, gpu);
	else if (f->kind == DRILL_CHOICES)
		bind(w, (struct binding){ .name = f->name,
		                .unit = f->unit,
		                .value = f->values[i],
		                .people = f->names ? f->names[i] : NULL,
		                .program = id });
}

/* The formula with the fields as its arguments, but for the settings of a mistake. NAN where the
 * arguments are outside of its domain. */
static double evaluate(const struct draw *w, const struct formula *f, const struct drill_mistake *m,
        double args[MOST_ARGS])
{
	if (f->n_params > MOST_ARGS)
		return NAN;
	for (size_t i = 0; i < f->n_params; i++) {
		const struct formula_param *p = &f->params[i];
		const struct binding *b = find(w, p->name);
		args[i] = b ? b->value : NAN;
		for (size_t k = 0; m && k < m->n_settings; k++)
			if (strcmp(m->settings[k].name, p->name) == 0)
				args[i] = operand_value(w, &m->settings[k].to);
		if (!(args[i] >= p->min && args[i] <= p->max))
			return NAN;
	}
	return f->call(args);
}

static double mistake_value(const struct draw *w, const struct drill_mistake *m)
{
	double args[MOST_ARGS];
	const struct binding *field = m->field ? find(w, m->field) : NULL;
	double value = m->field ? (field ? field->value : NAN) : evaluate(w, m->formula, m, args);
	return value * operand_value(w, &m->times) / operand_value(w, &m->over);
}

/* The mistakes that differ from the key in this draw: where all heads have their own keys, "used
 * query heads" is none. */
static void add_mistakes(struct draw *w, const struct drill *d)
{
	struct question *q = &w->question;
	for (size_t i = 0; i < d->n_mistakes && q->n_mistakes < MOST_GIVEN_MISTAKES; i++) {
		double value = mistake_value(w, &d->mistakes[i]);
		if (isfinite(value) && value > 0 && fabs(value - q->key) > 1e-9 * fabs(q->key))
			w->mistakes[q->n_mistakes++] = (struct mistake){ d->mistakes[i].name, value,
				d->mistakes[i].credit, d->mistakes[i].link };
	}
	q->mistakes = w->mistakes;
}

static bool is_good(const struct draw *w, const struct drill *d)
{
	struct unit unit, shown;
	char unused[128];
	const struct question *q = &w->question;
	if (!isfinite(q->key) || q->key <= 0 || question_check(q, unused, sizeof unused) ||
	        !unit_parse(q->unit, &unit) || !unit_parse(q->shown_unit, &shown))
		return false;
	double value = q->key * unit.factor / shown.factor;
	return value >= d->least && value <= d->most && question_separable(q);
}

static void draw_once(const struct drill *d, const struct tables *t, struct rng *r, struct draw *w)
{
	*w = (struct draw){ 0 };
	for (size_t i = 0; i < d->n_fields; i++)
		draw_field(&d->fields[i], t, r, w);
	w->question = (struct question){ .unit = d->formula->unit,
		.shown_unit = d->shown_unit,
		.tolerance = d->tolerance,
		.unit_policy = d->unit_policy,
		.dual = d->dual,
		.tags = d->tags,
		.key = evaluate(w, d->formula, NULL, w->args) };
	add_mistakes(w, d);
}

static const char *program_number(struct arena *a, double value)
{
	char text[64], plain[64];
	size_t n = 0;
	number_write(text, sizeof text, value, 12);
	for (const char *p = text; *p; p++)
		if (*p != ',')
			plain[n++] = *p;
	plain[n] = '\0';
	return arena_text(a, plain);
}

/* Texts for the bindings that have none of their own. */
static void write_bindings(struct variant *v, struct draw *w)
{
	for (size_t i = 0; i < w->n; i++) {
		struct binding *b = &w->bindings[i];
		char text[64];
		if (!b->people)
			b->people = arena_text(
			        &v->arena, quantity_format(text, sizeof text, b->value, b->unit));
		if (!b->program)
			b->program = program_number(&v->arena, b->value);
	}
}

/* A text with its {fields} filled in; the bank has checked their names. */
static const char *fill(struct variant *v, const struct draw *w, const char *text, bool people)
{
	char out[4096];
	size_t n = 0;
	while (*text && n + 1 < sizeof out) {
		size_t length = *text == '{' ? strcspn(text, "}") : 0;
		char name[64];
		if (!length) {
			out[n++] = *text++;
			continue;
		}
		snprintf(name, sizeof name, "%.*s", (int)length - 1, text + 1);
		const struct binding *b = find(w, name);
		const char *value = !b ? "?" : people ? b->people : b->program;
		int added = snprintf(out + n, sizeof out - n, "%s", value);
		n += (size_t)added < sizeof out - n ? (size_t)added : sizeof out - n - 1;
		text += length + 1;
	}
	out[n] = '\0';
	return arena_text(&v->arena, out);
}

static void *keep(struct arena *a, const void *from, size_t count, size_t size)
{
	void *to = arena_array(a, count, size);
	if (to && count)
		memcpy(to, from, count * size);
	return to;
}

static void keep_factors(struct variant *v, const struct draw *w)
{
	const struct drill *d = v->drill;
	struct factor *factors = arena_array(&v->arena, d->n_factors, sizeof *factors);
	for (size_t i = 0; factors && i < d->n_factors; i++) {
		const struct binding *b = find(w, d->factors[i].field);
		if (b)
			factors[v->question.n_factors++] =
			        (struct factor){ d->factors[i].name, b->value };
	}
	v->question.factors = factors;
}

static void keep_draw(struct variant *v, struct draw *w)
{
	const struct drill *d = v->drill;
	char text[1024];
	write_bindings(v, w);
	v->question = w->question;
	v->question.mistakes =
	        keep(&v->arena, w->mistakes, w->question.n_mistakes, sizeof *w->mistakes);
	if (!v->question.mistakes)
		v->question.n_mistakes = 0; /* out of memory; deal() fails in the end */
	v->bindings = keep(&v->arena, w->bindings, w->n, sizeof *w->bindings);
	v->n_bindings = w->n;
	v->args = keep(&v->arena, w->args, d->formula->n_params, sizeof *w->args);
	keep_factors(v, w);
	v->prompt = fill(v, w, d->prompt, true);
	v->assumes = fill(v, w, d->assumes, true);
	v->hints[0] = fill(v, w, d->hints[0], true);
	v->hints[1] = fill(v, w, d->hints[1], true);
	v->follow_up = fill(v, w, d->follow_up, true);
	v->sim = fill(v, w, d->sim, false);
	v->page = d->page;
	v->symbols = arena_text(&v->arena, formula_symbols(d->formula, true, text, sizeof text));
	v->working = arena_text(
	        &v->arena, formula_working(d->formula, w->args, true, text, sizeof text));
	v->tolerance = arena_text(&v->arena, tolerance_words(&v->question, text, sizeof text));
}

int deal(const struct drill *d, const struct tables *t, uint64_t seed, uint64_t part,
        struct variant *out, char *err, size_t err_size)
{
	struct rng r = rng_stream(seed, d->id, part);
	struct draw w;
	*out = (struct variant){ .drill = d, .seed = seed, .part = part };
	do {
		if (out->draws == MOST_DRAWS) {
			snprintf(err, err_size,
			        "%s: none of %d draws can be told from its mistakes", d->id,
			        MOST_DRAWS);
			return -1;
		}
		draw_once(d, t, &r, &w);
		out->draws++;
	} while (!is_good(&w, d));
	keep_draw(out, &w);
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
