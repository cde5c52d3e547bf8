/* A draw in words. */
#include "drills/deal_draw.h"

#include "sims/quantity/quantity_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that is put together piece by piece; what does not fit is left out. */
struct text {
	char bytes[6000];
	size_t n;
};

static void add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, fmt, ap);
	va_end(ap);
	size_t room = sizeof t->bytes - t->n - 1;
	t->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
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

void deal_write_bindings(struct variant *v, struct draw *w)
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

const char *deal_fill(struct variant *v, const struct draw *w, const char *text, bool people)
{
	struct text out = { 0 };
	while (text && *text) {
		size_t length = strcspn(text, "{");
		char name[64];
		if (length) {
			add(&out, "%.*s", (int)length, text);
			text += length;
			continue;
		}
		length = strcspn(text, "}");
		snprintf(name, sizeof name, "%.*s", (int)length - 1, text + 1);
		const struct binding *b = draw_find(w, name);
		add(&out, "%s", !b ? "?" : people ? b->people : b->program);
		text += length + 1;
	}
	return text ? arena_text(&v->arena, out.bytes) : NULL;
}

static void *keep(struct arena *a, const void *from, size_t count, size_t size)
{
	void *to = arena_array(a, count, size);
	if (to && count)
		memcpy(to, from, count * size);
	return to;
}

static void write_factors(struct variant *v, const struct draw *w, struct variant_step *out)
{
	const struct drill_step *s = out->step;
	struct factor *factors = arena_array(&v->arena, s->n_factors, sizeof *factors);
	for (size_t i = 0; factors && i < s->n_factors; i++) {
		const struct binding *b = draw_find(w, s->factors[i].field);
		if (b)
			factors[out->question.n_factors++] =
				(struct factor){ s->factors[i].name, b->value };
	}
	out->question.factors = factors;
}

/* "A100-80 SXM: bandwidth = 2.04 TB/s" */
static void write_fact(struct variant *v, const struct draw *w, struct variant_step *out)
{
	const char *field = out->step->key.field, *of = "";
	const struct binding *b = draw_find(w, field);
	char name[64];
	snprintf(name, sizeof name, "%s", field);
	for (char *p = name; (p = strchr(p, '_'));)
		*p = ' ';
	for (size_t i = 0; i < v->drill->n_fields; i++)
		if (v->drill->fields[i].ids)
			of = draw_find(w, v->drill->fields[i].name)->people;
	out->symbols = arena_printf(&v->arena, "%s of %s", name, of);
	out->working = arena_printf(&v->arena, "%s: %s = %s", of, name, b ? b->people : "");
}

static void write_number(struct variant *v, const struct draw *w, const struct drawn_step *x,
	struct variant_step *out)
{
	const struct formula *f = out->step->key.formula;
	char text[1024];
	struct unit unit, shown;
	struct question *q = &out->question;
	*q = x->question;
	q->mistakes = keep(&v->arena, x->mistakes, q->n_mistakes, sizeof *x->mistakes);
	if (!q->mistakes)
		q->n_mistakes = 0; /* out of memory; deal() fails in the end */
	write_factors(v, w, out);
	if (f) {
		out->args = keep(&v->arena, x->args, f->n_params, sizeof *x->args);
		out->symbols = arena_text(&v->arena, formula_symbols(f, true, text, sizeof text));
		out->working =
			arena_text(&v->arena, formula_working(f, x->args, true, text, sizeof text));
	} else {
		write_fact(v, w, out);
	}
	out->tolerance = arena_text(&v->arena, tolerance_words(q, text, sizeof text));
	if (unit_parse(q->unit, &unit) && unit_parse(q->shown_unit, &shown))
		number_write(text, sizeof text, q->key * unit.factor / shown.factor,
			q->tolerance.mode == TOLERANCE_EXACT ? 15 : 6);
	out->answer =
		arena_printf(&v->arena, "%s%s%s", text, *q->shown_unit ? " " : "", q->shown_unit);
}

static void write_options(struct variant *v, const struct draw *w, const struct drawn_step *x,
	struct variant_step *out)
{
	struct variant_option *options = arena_array(&v->arena, x->n_options, sizeof *options);
	for (size_t i = 0; options && i < x->n_options; i++) {
		const struct drill_option *o = &out->step->options[x->options[i]];
		options[i] = (struct variant_option){ .text = deal_fill(v, w, o->text, true),
			.reason = deal_fill(v, w, o->reason, true),
			.right = out->step->kind == KIND_CHOICE && x->options[i] == x->right,
			.place = o->place };
	}
	out->options = options;
	out->n_options = options ? x->n_options : 0;
}

static void write_choice(struct variant *v, struct variant_step *out)
{
	out->tolerance =
		arena_printf(&v->arena, "the number of one option, 1 to %zu", out->n_options);
	out->symbols = "";
	out->working = out->answer = "";
	for (size_t i = 0; i < out->n_options; i++)
		if (out->options[i].right) {
			out->answer = arena_printf(&v->arena, "%zu", i + 1);
			out->working = arena_printf(&v->arena, "%zu: %s (%s)", i + 1,
				out->options[i].text, out->options[i].reason);
		}
}

/* The items in a right order: by their places, and as they are shown within one. */
static void write_order(struct variant *v, struct variant_step *out)
{
	struct text answer = { 0 }, working = { 0 };
	for (size_t place = 0; place < MOST_OPTIONS; place++)
		for (size_t i = 0; i < out->n_options; i++) {
			const struct variant_option *o = &out->options[i];
			if (o->place != place)
				continue;
			add(&answer, "%s%zu", answer.n ? " " : "", i + 1);
			add(&working, "%s%zu: %s (%s)", working.n ? "; " : "", i + 1, o->text,
				o->reason);
		}
	out->tolerance = arena_printf(&v->arena,
		"all %zu numbers, first to last; each pair the wrong way round costs credit",
		out->n_options);
	out->symbols = "";
	out->answer = arena_text(&v->arena, answer.bytes);
	out->working = arena_text(&v->arena, working.bytes);
}

/* The names of what is compared; the program itself comes apart from it. */
static void write_code(struct variant *v, struct variant_step *out)
{
	const struct drill_program *p = v->drill->program;
	struct text t = { 0 };
	for (size_t i = 0; i < p->n_expectations; i++)
		add(&t, "%s%s", i ? "; " : "", p->expectations[i].name);
	out->tolerance = arena_printf(&v->arena,
		"a program in %s; it runs against %zu cases, which are not shown",
		language_titles[p->language], p->n_cases);
	out->symbols = out->answer = "";
	out->working =
		arena_printf(&v->arena, "Compared in each of %zu cases: %s.", p->n_cases, t.bytes);
}

static void write_asks(struct variant *v, const struct draw *w, struct variant_step *out)
{
	struct text t = { 0 };
	const char *own = out->step->prompt ? out->step->prompt : v->drill->prompt;
	add(&t, "%s", deal_fill(v, w, own, true));
	for (size_t i = 0; i < out->n_options; i++)
		add(&t, "%s%zu. %s", i ? "\n" : "\n\n", i + 1, out->options[i].text);
	out->asks = arena_text(&v->arena, t.bytes);
}

static void write_prompt(struct variant *v, struct variant_step *steps, size_t k)
{
	struct text t = { 0 };
	if (v->n_steps == 1) {
		steps[k].prompt = steps[k].asks;
		return;
	}
	add(&t, "%s", v->scene);
	for (size_t i = 0; i < k; i++)
		add(&t, "\n\nPart %zu: %s", i + 1, steps[i].working);
	add(&t, "\n\n**Part %zu of %zu.** %s", k + 1, v->n_steps, steps[k].asks);
	steps[k].prompt = arena_text(&v->arena, t.bytes);
}

static void write_step(
	struct variant *v, const struct draw *w, struct variant_step *steps, size_t k)
{
	const struct drawn_step *x = &w->steps[k];
	struct variant_step *out = &steps[k];
	out->step = &v->drill->steps[k];
	out->question = x->question;
	if (out->step->kind == KIND_NUMBER) {
		write_number(v, w, x, out);
	} else if (out->step->kind == KIND_CODE) {
		write_code(v, out);
	} else {
		write_options(v, w, x, out);
		if (out->step->kind == KIND_CHOICE)
			write_choice(v, out);
		else
			write_order(v, out);
	}
	write_asks(v, w, out);
	write_prompt(v, steps, k);
}

void deal_write(struct variant *v, struct draw *w)
{
	const struct drill *d = v->drill;
	struct variant_step *steps = arena_array(&v->arena, d->n_steps, sizeof *steps);
	if (!steps)
		return;
	deal_write_bindings(v, w);
	v->bindings = keep(&v->arena, w->bindings, w->n, sizeof *w->bindings);
	v->n_bindings = w->n;
	v->n_steps = d->n_steps;
	v->scene = d->n_steps > 1 ? deal_fill(v, w, d->prompt, true) : "";
	for (size_t k = 0; k < d->n_steps; k++)
		write_step(v, w, steps, k);
	v->steps = steps;
	v->assumes = deal_fill(v, w, d->assumes, true);
	v->hints[0] = deal_fill(v, w, d->hints[0], true);
	v->hints[1] = deal_fill(v, w, d->hints[1], true);
	v->follow_up = deal_fill(v, w, d->follow_up, true);
	v->sim = deal_fill(v, w, d->sim, false);
	v->page = d->page;
	variant_show(v, 0);
}
