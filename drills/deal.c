/* Variants: draws a drill until a draw is good, then writes all of it out, so that nobody has to
 * compute or fill in anything afterwards. */
#include "drills/deal.h"

#include "drills/deal_draw.h"
#include "sims/base/array.h"
#include "sims/formulas/formula_steps.h"
#include "sims/formulas/formula_text.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that is put together piece by piece; what does not fit is left out. */
struct deal_text {
	char bytes[6000];
	size_t n;
};

static void add(struct deal_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct deal_text *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, fmt, ap);
	va_end(ap);
	size_t room = sizeof t->bytes - t->n - 1;
	t->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

/* A number without the commas that people read it with. */
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

/* A text with its {fields} filled in, for people or for programs; the bank has checked the names.
 * NULL for NULL. */
static const char *fill(struct variant *v, const struct draw *w, const char *text, bool people)
{
	struct deal_text out = { 0 };
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

/* A name as people say it: "bytes_per_value" is "bytes per value". */
static void as_words(const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s", name);
	for (char *p = buf; (p = strchr(p, '_'));)
		*p = ' ';
}

/* "A100-80 SXM: bandwidth = 2.04 TB/s" */
static void write_fact(struct variant *v, const struct draw *w, struct variant_step *out)
{
	const char *field = out->step->key.field, *of = "";
	const struct binding *b = draw_find(w, field);
	char name[64];
	as_words(field, name, sizeof name);
	for (size_t i = 0; i < v->drill->n_fields; i++)
		if (v->drill->fields[i].ids)
			of = draw_find(w, v->drill->fields[i].name)->people;
	out->symbols = arena_printf(&v->arena, "%s of %s", name, of);
	out->working = arena_printf(&v->arena, "%s: %s = %s", of, name, b ? b->people : "");
}

/* Mistakes that come to the same number are one: nobody can tell which was made. */
static void join_mistakes(struct variant *v, const struct drawn_step *x, struct question *q)
{
	const double same = 0.02;
	struct mistake *list = arena_array(&v->arena, q->n_mistakes, sizeof *list);
	size_t n = q->n_mistakes;
	q->mistakes = list;
	q->n_mistakes = 0; /* out of memory: deal() fails in the end */
	for (size_t i = 0; list && i < n; i++) {
		const struct mistake *m = &x->mistakes[i];
		struct mistake *as = NULL;
		for (size_t k = 0; k < q->n_mistakes && !as; k++)
			if (fabs(m->value - list[k].value) <= same * fabs(list[k].value))
				as = &list[k];
		if (!as) {
			list[q->n_mistakes++] = *m;
			continue;
		}
		bool joined = strncmp(as->name, "either ", 7) == 0;
		as->name = arena_printf(
			&v->arena, "%s%s or %s", joined ? "" : "either ", as->name, m->name);
		as->credit = fmin(as->credit, m->credit);
	}
}

/* A text with each such amount as another one: "8 GPUs" is no part of "128 GPUs". */
static const char *replaced(struct arena *a, const char *text, const char *part, const char *by)
{
	const size_t n = strlen(part);
	struct arena_buffer out = { .arena = a };
	if (!text)
		return text;
	for (const char *from = text, *at; (at = strstr(from, part)); from = at + n) {
		const bool begins =
			at == text || (!isalnum((unsigned char)at[-1]) && !strchr(".,", at[-1]));
		if (!begins || isalnum((unsigned char)at[n]))
			continue;
		arena_append(&out, text, (size_t)(at - text));
		arena_append_text(&out, by);
		text = at + n;
	}
	arena_append_text(&out, text);
	return arena_buffer_text(&out);
}

/* A working that says what is counted by its own name: the GPUs of a formula may be nodes. */
static const char *by_own_names(struct variant *v, const struct draw *w,
	const struct drill_value *key, const double args[], const char *text)
{
	for (size_t i = 0; i < key->formula->n_params; i++) {
		const struct formula_param *p = &key->formula->params[i];
		char part[64];
		for (size_t k = 0; k < key->n_settings && strcmp(p->unit, "GPU") == 0; k++) {
			const struct drill_setting *s = &key->settings[k];
			const struct binding *b = s->to.name ? draw_find(w, s->to.name) : NULL;
			if (b && b->people && b->unit && *b->unit && strcmp(s->name, p->name) == 0)
				text = replaced(&v->arena, text,
					quantity_format(part, sizeof part, args[i], p->unit),
					b->people);
		}
	}
	return text;
}

static void write_number(struct variant *v, const struct draw *w, const struct drawn_step *x,
	struct variant_step *out)
{
	const struct formula *f = out->step->key.formula;
	char text[1024];
	struct unit unit, shown;
	struct question *q = &out->question;
	*q = x->question;
	join_mistakes(v, x, q);
	write_factors(v, w, out);
	if (f) {
		out->args = keep(&v->arena, x->args, f->n_params, sizeof *x->args);
		out->symbols = arena_text(&v->arena, formula_symbols(f, true, text, sizeof text));
		out->working = by_own_names(v, w, &out->step->key, x->args,
			arena_text(
				&v->arena, formula_working(f, x->args, true, text, sizeof text)));
		out->whiteboard = by_own_names(v, w, &out->step->key, x->args,
			arena_text(&v->arena, formula_steps(f, x->args, question_tolerance_ratio(q),
						      text, sizeof text)));
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
		options[i] = (struct variant_option){ .text = fill(v, w, o->text, true),
			.reason = fill(v, w, o->reason, true),
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
	struct deal_text answer = { 0 }, working = { 0 };
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

/* The names of what is compared; the program itself is written by write_program. */
static void write_code(struct variant *v, struct variant_step *out)
{
	const struct drill_program *p = v->drill->program;
	struct deal_text t = { 0 };
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
	struct deal_text t = { 0 };
	const char *own = out->step->prompt ? out->step->prompt : v->drill->prompt;
	add(&t, "%s", fill(v, w, own, true));
	for (size_t i = 0; i < out->n_options; i++)
		add(&t, "%s%zu. %s", i ? "\n" : "\n\n", i + 1, out->options[i].text);
	out->asks = arena_text(&v->arena, t.bytes);
}

static void write_prompt(struct variant *v, struct variant_step *steps, size_t k)
{
	struct deal_text t = { 0 };
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

/* Whether a problem has this of its formula: no cached tokens are nothing to think of. */
static bool counts_for(const struct variant_step *s, size_t param)
{
	return s->args[param] < 0 || s->args[param] > 0;
}

/* "It depends on layers, kv heads, head dim, tokens and bytes per value." */
static const char *depends_on(
	struct variant *v, const struct variant_step *s, const struct formula *f)
{
	struct deal_text t = { 0 };
	size_t n = 0, k = 0;
	for (size_t i = 0; i < f->n_params; i++)
		n += counts_for(s, i);
	add(&t, "It depends on ");
	for (size_t i = 0; i < f->n_params; i++) {
		char name[64];
		if (!counts_for(s, i))
			continue;
		as_words(f->params[i].name, name, sizeof name);
		add(&t, "%s%s", k == 0 ? "" : k + 1 == n ? " and " : ", ", name);
		k++;
	}
	add(&t, ".");
	return arena_text(&v->arena, t.bytes);
}

/* Whether the scene, or what the part asks, names all that the formula depends on. */
static bool says_what(
	const struct variant *v, const struct variant_step *s, const struct formula *f)
{
	char name[64];
	for (size_t i = 0; i < f->n_params; i++) {
		as_words(f->params[i].name, name, sizeof name);
		if (counts_for(s, i) && !strstr(v->scene, name) && !strstr(s->asks, name))
			return false;
	}
	return f->n_params > 0;
}

/* A part has the sentences that were written for it, and what is computed of its own formula: nothing
 * of a later one. */
static void write_hints(struct variant *v, const struct draw *w, struct variant_step *out)
{
	const struct drill *d = v->drill;
	const struct formula *f = out->args ? out->step->key.formula : NULL;
	char text[1024];
	for (size_t i = 0; i < LENGTH(d->hints) && d->hints[i] && out->step == d->steps; i++)
		out->hints[out->n_hints++] = fill(v, w, d->hints[i], true);
	if (out->step->hint)
		out->hints[out->n_hints++] = fill(v, w, out->step->hint, true);
	if (!f)
		return;
	if (v->n_steps > 1 && !says_what(v, out, f))
		out->hints[out->n_hints++] = depends_on(v, out, f);
	out->hints[out->n_hints++] = out->symbols;
	formula_substituted(f, out->args, true, text, sizeof text);
	out->hints[out->n_hints++] =
		by_own_names(v, w, &out->step->key, out->args, arena_text(&v->arena, text));
}

static void write_step(
	struct variant *v, const struct draw *w, struct variant_step *steps, size_t k)
{
	const struct drawn_step *x = &w->steps[k];
	struct variant_step *out = &steps[k];
	out->step = &v->drill->steps[k];
	out->question = x->question;
	out->whiteboard = "";
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
	write_hints(v, w, out);
	write_prompt(v, steps, k);
}

/* Everything in words, into the variant's arena. */
static void write_variant(struct variant *v, struct draw *w)
{
	const struct drill *d = v->drill;
	struct variant_step *steps = arena_array(&v->arena, d->n_steps, sizeof *steps);
	if (!steps)
		return;
	write_bindings(v, w);
	v->bindings = keep(&v->arena, w->bindings, w->n, sizeof *w->bindings);
	v->n_bindings = w->n;
	v->n_steps = d->n_steps;
	v->scene = d->n_steps > 1 ? fill(v, w, d->prompt, true) : "";
	for (size_t k = 0; k < d->n_steps; k++)
		write_step(v, w, steps, k);
	v->steps = steps;
	v->assumes = fill(v, w, d->assumes, true);
	v->follow_up = fill(v, w, d->follow_up, true);
	v->sim = fill(v, w, d->sim, false);
	v->page = d->page;
	variant_show(v, 0);
}

/* ---- A program to write: its texts, and the cases that it is run against. */

static const struct question *keep_questions(
	struct variant *v, const struct drill_program *p, const struct drawn_case *c)
{
	struct question *list = arena_array(&v->arena, p->n_expectations, sizeof *list);
	for (size_t i = 0; list && i < p->n_expectations; i++) {
		list[i] = c->steps[i].question;
		list[i].mistakes = keep(&v->arena, c->steps[i].mistakes, list[i].n_mistakes,
			sizeof *list[i].mistakes);
		if (!list[i].mistakes)
			return NULL;
	}
	return list;
}

/* What a program is called with: all that is bound after the drill's own fields, except for the
 * names of models and GPUs, which are not numbers. */
static void keep_inputs(
	struct variant *v, const struct drawn_case *c, size_t own, struct variant_case *out)
{
	struct binding *list = arena_array(&v->arena, c->draw.n - own, sizeof *list);
	out->inputs = list;
	for (size_t i = own; list && i < c->draw.n; i++) {
		bool named = false;
		for (size_t k = 0; k < v->drill->program->n_fields; k++) {
			const struct drill_field *f = &v->drill->program->fields[k];
			named |= (f->kind == DRILL_MODELS || f->kind == DRILL_GPUS) &&
				 strcmp(f->name, c->draw.bindings[i].name) == 0;
		}
		if (!named)
			list[out->n_inputs++] = c->draw.bindings[i];
	}
}

static void write_cases(struct variant *v, const struct draw *w, const struct tables *t,
	const struct case_plan *plan, struct variant_case *cases)
{
	const struct drill_program *p = v->drill->program;
	struct drawn_case c;
	for (size_t k = 0; k < p->n_cases; k++) {
		draw_case(p, w, t, plan, k, &c);
		write_bindings(v, &c.draw);
		cases[k] = (struct variant_case){ .shown = fill(v, &c.draw, p->shown, true),
			.questions = keep_questions(v, p, &c) };
		keep_inputs(v, &c, w->n, &cases[k]);
	}
}

/* A program with its @fields@ filled in. The first pass counts the bytes, the second writes
 * them. */
static const char *fill_program(struct variant *v, const struct draw *w, const char *text)
{
	char name[64], *out = NULL;
	size_t bytes = 0;
	for (int pass = 0; pass < 2; pass++) {
		bytes = 0;
		for (const char *p = text; *p;) {
			size_t n = program_field(p, name, sizeof name);
			const struct binding *b = n ? draw_find(w, name) : NULL;
			size_t size = b ? strlen(b->program) : n ? n : 1;
			if (out)
				memcpy(out + bytes, b ? b->program : p, size);
			bytes += size;
			p += n ? n : 1;
		}
		if (!out && !(out = arena_array(&v->arena, bytes + 1, 1)))
			return "";
	}
	return out;
}

/* The cases are drawn from a stream of their own, so that what they draw moves nothing else. False:
 * no draw of them is in the domains of the formulas. */
static bool write_program(struct variant *v, const struct draw *w, const struct tables *t)
{
	const struct drill_program *p = v->drill->program;
	char name[256];
	snprintf(name, sizeof name, "cases of %s", v->drill->id);
	struct rng r = rng_stream(v->seed, name, v->part);
	struct variant_program *out = arena_alloc(&v->arena, sizeof *out);
	struct variant_case *cases = arena_array(&v->arena, p->n_cases, sizeof *cases);
	struct case_plan plan = { 0 };
	bool good = false;
	if (!out || !cases)
		return true; /* out of memory: deal() says so */
	for (unsigned i = 0; !good && i < MOST_DRAWS; i++)
		good = draw_cases(p, w, t, &r, &plan);
	if (!good)
		return false;
	write_cases(v, w, t, &plan, cases);
	*out = (struct variant_program){ .program = p,
		.stub = fill_program(v, w, p->stub),
		.solution = fill_program(v, w, p->solution),
		.checks = fill_program(v, w, p->checks),
		.cases = cases,
		.n_cases = p->n_cases };
	v->program = out;
	return true;
}

/* ---- The variant. */

int deal(const struct drill *d, const struct tables *t, uint64_t seed, uint64_t part,
	struct variant *out, char *err, size_t err_size)
{
	assert(d && t && out && err && err_size > 0);
	struct rng r = rng_stream(seed, d->id, part);
	struct draw w;
	bool good = false;
	*out = (struct variant){ .drill = d, .seed = seed, .part = part };
	while (!good && out->draws < MOST_DRAWS) {
		good = draw_once(d, t, &r, &w);
		out->draws++;
	}
	if (!good) {
		snprintf(err, err_size,
			"%s: none of %d draws is good: each has a key outside of \"between\", too "
			"near to a mistake to be told from it, or a count that turns where an "
			"answer before it is rounded",
			d->id, MOST_DRAWS);
		return -1;
	}
	write_variant(out, &w);
	if (d->program && !out->arena.failed && !write_program(out, &w, t)) {
		snprintf(err, err_size,
			"%s: none of %d draws of its cases gives every formula a value", d->id,
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
	assert(step < v->n_steps);
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
	assert(step < v->drill->n_steps);
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

char *whiteboard_line(const struct variant_step *s, char *buf, size_t size)
{
	assert(s && buf && size > 0);
	snprintf(buf, size, "%s%s", *s->whiteboard ? "At a whiteboard: " : "", s->whiteboard);
	return buf;
}

size_t variant_follow_up_asks(const struct variant *v)
{
	const char *text = v->follow_up, *good = strstr(text, "A good answer");
	size_t n = strlen(text);
	if (good)
		return (size_t)(good - text);
	const char *end = strstr(text, "? ");
	return end && text[n - 1] != '?' ? (size_t)(end + 1 - text) : n;
}
