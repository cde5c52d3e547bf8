/* A draw in numbers: fields from their choices, keys and mistakes from the formulas, options and
 * items in their order, and the cases of programs. */
#include "drills/deal_draw.h"

#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* How far apart two values must be for "which is less" to be a fair question. */
static const double CLEARLY_LESS = 1.1;

/* And how far from the limit of "up to so many times": answers on the way are exact by then. */
static const double CLEARLY_TIMES = 1.03;

/* How far off an answer may be that was rounded on the way: three digits are within half a per cent,
 * and so are those of what it was made from. */
static const double ROUNDED_ON_THE_WAY = 0.01;

const struct binding *draw_find(const struct draw *w, const char *name)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->bindings[i].name, name) == 0)
			return &w->bindings[i];
	return NULL;
}

/* A bank may bind more than there is room for; a formula that needs the rest then has no value. */
static void bind(struct draw *w, struct binding b)
{
	assert(b.name && b.unit);
	if (w->n < MOST_BINDINGS)
		w->bindings[w->n++] = b;
}

static double operand_value(const struct draw *w, const struct operand *o)
{
	const struct binding *b = o->name ? draw_find(w, o->name) : NULL;
	return !o->name ? o->number : b ? b->value : NAN;
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

/* Choice i of a field that has choices; a product or a sum of what is bound already. */
static void bind_field(
	const struct drill_field *f, const struct tables *t, size_t i, struct draw *w)
{
	if (f->kind == DRILL_PRODUCT || f->kind == DRILL_SUM) {
		bool product = f->kind == DRILL_PRODUCT;
		double value = product;
		for (size_t k = 0; k < f->n; k++) {
			double x = operand_value(w, &f->operands[k]);
			value = product ? value * x : value + x;
		}
		bind(w, (struct binding){ .name = f->name, .unit = f->unit, .value = value });
		return;
	}
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

static void draw_field(
	const struct drill_field *f, const struct tables *t, struct rng *r, struct draw *w)
{
	bool computed = f->kind == DRILL_PRODUCT || f->kind == DRILL_SUM;
	bind_field(f, t, computed ? 0 : (size_t)rng_below(r, f->n), w);
}

static double argument(const struct draw *w, const struct drill_value *v, const char *name)
{
	for (size_t i = 0; i < v->n_settings; i++)
		if (strcmp(v->settings[i].name, name) == 0)
			return operand_value(w, &v->settings[i].to);
	const struct binding *b = draw_find(w, name);
	return b ? b->value : NAN;
}

static double call(const struct draw *w, const struct drill_value *v, double args[MOST_ARGS])
{
	const struct formula *f = v->formula;
	if (f->n_params > MOST_ARGS)
		return NAN;
	for (size_t i = 0; i < f->n_params; i++) {
		const struct formula_param *p = &f->params[i];
		args[i] = argument(w, v, p->name);
		if (!(args[i] >= p->min && args[i] <= p->max))
			return NAN;
	}
	return f->call(args);
}

double draw_value(const struct draw *w, const struct drill_value *v, double args[MOST_ARGS])
{
	double unused[MOST_ARGS];
	const struct binding *field = v->field ? draw_find(w, v->field) : NULL;
	double value = v->field ? (field ? field->value : NAN) : call(w, v, args ? args : unused);
	return value * operand_value(w, &v->times) / operand_value(w, &v->over);
}

/* The mistakes that differ from the key in this draw: where every head has keys of its own, "used
 * query heads" is not one. */
static void find_mistakes(const struct draw *w, const struct drill_step *s, struct drawn_step *x)
{
	struct question *q = &x->question;
	for (size_t i = 0; i < s->n_mistakes && q->n_mistakes < MOST_MISTAKES; i++) {
		double value = draw_value(w, &s->mistakes[i].value, NULL);
		if (isfinite(value) && value > 0 && fabs(value - q->key) > 1e-9 * fabs(q->key))
			x->mistakes[q->n_mistakes++] = (struct mistake){ s->mistakes[i].name, value,
				s->mistakes[i].credit, s->mistakes[i].link };
	}
	q->mistakes = x->mistakes;
}

static bool is_good(const struct question *q, const struct drill_step *s)
{
	struct unit unit, shown;
	char unused[128];
	if (!isfinite(q->key) || q->key <= 0 || question_check(q, unused, sizeof unused) ||
		!unit_parse(q->unit, &unit) || !unit_parse(q->shown_unit, &shown))
		return false;
	double value = q->key * unit.factor / shown.factor;
	return value >= s->least && value <= s->most && question_separable(q);
}

/* What rounds up and down, the last also a number that is not less than 0. */
static const struct {
	const char *begin, *end;
	enum whole_number is;
} wholes[] = { { "whole(", ")", WHOLE_UP }, { "ceil(", ")", WHOLE_UP },
	{ "floor(", ")", WHOLE_DOWN }, { "fmax(0, floor(", "))", WHOLE_DOWN } };

static enum whole_number whole_of_text(const char *text)
{
	for (size_t i = 0; i < LENGTH(wholes); i++) {
		const char *at = text + strlen(wholes[i].begin);
		if (strncmp(text, wholes[i].begin, strlen(wholes[i].begin)) != 0)
			continue;
		for (int depth = 1; *at && depth > 0; at++)
			depth += (*at == '(') - (*at == ')');
		/* Of "whole(a / b) * c" the count is not what comes out. */
		return strcmp(at - 1, wholes[i].end) == 0 ? wholes[i].is : WHOLE_NOT;
	}
	return WHOLE_NOT;
}

/* So many times a count is hardly rounded so. */
static enum whole_number whole_of(const struct draw *w, const struct drill_value *key)
{
	const bool alone = operand_value(w, &key->times) == 1 && operand_value(w, &key->over) == 1;
	return key->formula && !key->field && alone ? whole_of_text(key->formula->expression)
						    : WHOLE_NOT;
}

static bool draw_number(const struct drill_step *s, struct draw *w, struct drawn_step *x)
{
	x->question = (struct question){ .unit = s->unit,
		.shown_unit = s->shown_unit,
		.tolerance = s->tolerance,
		.unit_policy = s->unit_policy,
		.whole = whole_of(w, &s->key),
		.dual = s->dual,
		.tags = s->tags,
		.key = draw_value(w, &s->key, x->args) };
	find_mistakes(w, s, x);
	if (*s->name)
		bind(w, (struct binding){
				.name = s->name, .unit = s->unit, .value = x->question.key });
	return is_good(&x->question, s);
}

/* Its value jumps where a quotient passes a whole number. */
static bool gives_a_count(const struct formula *f)
{
	for (size_t i = 0; f && i < LENGTH(wholes); i++)
		if (strstr(f->expression, wholes[i].begin))
			return true;
	return false;
}

/* Whether the name is that of an answer before step i which people round. A count they do not. */
static bool is_rounded_answer(const struct drill *d, size_t i, const char *name)
{
	for (size_t k = 0; k < i; k++) {
		const struct drill_step *s = &d->steps[k];
		if (s->kind == KIND_NUMBER && strcmp(s->name, name) == 0)
			return !gives_a_count(s->key.formula);
	}
	return false;
}

/* Whether the answer of step i is right as well for somebody who goes on from rounded answers: 4.01
 * servers are five, and 3.99 of them four. What a formula does not take (a share above 1) nobody
 * goes on from. */
static bool survives_rounding(const struct drill *d, size_t i, struct draw *w)
{
	const struct drill_step *s = &d->steps[i];
	bool survives = true;
	for (size_t k = 0; gives_a_count(s->key.formula) && k < w->n; k++) {
		struct binding *b = &w->bindings[k];
		const double exact = b->value;
		if (!is_rounded_answer(d, i, b->name))
			continue;
		for (int sign = -1; sign <= 1; sign += 2) {
			b->value = exact * (1 + sign * ROUNDED_ON_THE_WAY);
			double moved = draw_value(w, &s->key, NULL);
			survives &=
				!isfinite(moved) || question_accepts(&w->steps[i].question, moved);
		}
		b->value = exact;
	}
	return survives;
}

/* How many times the first of the two an option says to be less the second is; NAN: not clearly. */
static double clear_ratio(const struct drill_option *o, const struct draw *w)
{
	const struct binding *a = draw_find(w, o->less[0]), *b = draw_find(w, o->less[1]);
	double ratio = a && b ? b->value / a->value : NAN;
	if (!(ratio > CLEARLY_LESS || ratio < 1 / CLEARLY_LESS))
		return NAN;
	for (size_t i = 0; i < LENGTH(o->times); i++)
		if (o->times[i] > 1 && ratio > o->times[i] / CLEARLY_TIMES &&
			ratio < o->times[i] * CLEARLY_TIMES)
			return NAN;
	return ratio;
}

/* Which option is right, computed or not; n_options when none is, or none clearly. */
static size_t find_right(const struct drill_step *s, const struct draw *w)
{
	size_t right = s->n_options;
	for (size_t i = 0; i < s->n_options; i++) {
		const struct drill_option *o = &s->options[i];
		double ratio = o->less[0] ? clear_ratio(o, w) : 0;
		if (isnan(ratio))
			return s->n_options;
		if (o->less[0] ? ratio > o->times[0] && ratio < o->times[1] : o->right)
			right = i;
	}
	return right;
}

/* Options that numbers decide between are shuffled by a stream of their own. Of the problem's it takes what
 * the two options took that there once were, so that old codes deal the numbers that they dealt then. */
static struct rng computed_order(struct rng *r, bool clear)
{
	uint64_t seed = rng_next(r);
	for (int i = 0; i < 2 && !clear; i++)
		seed = rng_next(r);
	return rng_stream(seed, "options", 0);
}

/* The right one and up to three others. */
static bool draw_choice(
	const struct drill_step *s, struct rng *r, const struct draw *w, struct drawn_step *x)
{
	size_t wrong[MOST_OPTIONS], n = 0;
	x->right = find_right(s, w);
	for (size_t i = 0; i < s->n_options; i++)
		if (i != x->right)
			wrong[n++] = i;
	struct rng own = { 0 };
	if (s->options[0].less[0])
		own = computed_order(r, x->right < s->n_options);
	struct rng *order = s->options[0].less[0] ? &own : r;
	rng_shuffle(order, wrong, n, sizeof *wrong);
	x->options[x->n_options++] = x->right;
	for (size_t i = 0; i < n && x->n_options < MOST_SHOWN_OPTIONS; i++)
		x->options[x->n_options++] = wrong[i];
	rng_shuffle(order, x->options, x->n_options, sizeof *x->options);
	return x->right < s->n_options;
}

/* Any order but the right one. */
static bool draw_order(const struct drill_step *s, struct rng *r, struct drawn_step *x)
{
	bool sorted = true;
	for (size_t i = 0; i < s->n_options; i++)
		x->options[x->n_options++] = i;
	rng_shuffle(r, x->options, x->n_options, sizeof *x->options);
	for (size_t i = 1; i < x->n_options; i++)
		sorted = sorted &&
			 s->options[x->options[i - 1]].place <= s->options[x->options[i]].place;
	return !sorted;
}

bool draw_once(const struct drill *d, const struct tables *t, struct rng *r, struct draw *w)
{
	bool good = true;
	assert(d->n_steps > 0 && d->n_steps <= MOST_STEPS);
	*w = (struct draw){ 0 };
	for (size_t i = 0; i < d->n_fields; i++)
		draw_field(&d->fields[i], t, r, w);
	for (size_t i = 0; i < d->n_steps; i++) {
		const struct drill_step *s = &d->steps[i];
		struct drawn_step *x = &w->steps[i];
		x->question = (struct question){ .unit = "", .shown_unit = "" };
		good &= s->kind == KIND_CODE     ? true
			: s->kind == KIND_CHOICE ? draw_choice(s, r, w, x)
			: s->kind == KIND_ORDER
				? draw_order(s, r, x)
				: draw_number(s, w, x) && survives_rounding(d, i, w);
	}
	return good;
}

static void make_plan(const struct drill_program *p, struct rng *r, struct case_plan *plan)
{
	for (size_t i = 0; i < p->n_fields; i++) {
		const struct drill_field *f = &p->fields[i];
		if (f->kind == DRILL_PRODUCT || f->kind == DRILL_SUM)
			continue;
		assert(f->n > 0 && f->n <= MOST_VALUES);
		for (size_t k = 0; k < f->n; k++)
			plan->order[i][k] = k;
		rng_shuffle(r, plan->order[i], f->n, sizeof *plan->order[i]);
	}
}

bool draw_case(const struct drill_program *p, const struct draw *w, const struct tables *t,
	const struct case_plan *plan, size_t k, struct drawn_case *c)
{
	assert(p->n_fields <= MOST_FIELDS && p->n_expectations <= MOST_EXPECTATIONS);
	c->draw = *w;
	for (size_t i = 0; i < p->n_fields; i++)
		bind_field(&p->fields[i], t, plan->order[i][k % p->fields[i].n], &c->draw);
	for (size_t i = 0; i < p->n_expectations; i++) {
		const struct drill_expectation *e = &p->expectations[i];
		struct drawn_step *x = &c->steps[i];
		*x = (struct drawn_step){ .question = { .key = NAN,
						  .unit = e->step->unit,
						  .shown_unit = e->step->shown_unit,
						  .tolerance = e->step->tolerance } };
		if (!e->computed)
			continue;
		x->question.key = draw_value(&c->draw, &e->step->key, x->args);
		if (!isfinite(x->question.key))
			return false;
		find_mistakes(&c->draw, e->step, x);
	}
	return true;
}

bool draw_cases(const struct drill_program *p, const struct draw *w, const struct tables *t,
	struct rng *r, struct case_plan *plan)
{
	struct drawn_case c;
	bool good = true;
	make_plan(p, r, plan);
	for (size_t k = 0; good && k < p->n_cases; k++)
		good = draw_case(p, w, t, plan, k, &c);
	return good;
}
