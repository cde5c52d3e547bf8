/* Laws of every simulation at any setting: what its figure holds, and that it is a function. */
#include "tests/settings.h"
#include "ui/term/canvas.h"
#include "ui/commands/export.h"
#include "ui/commands/text_report.h"
#include "sims/registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_LABEL_COLUMNS = 18 };

/* --- what holds for any figure ---------------------------------------------------------- */

/* "1.5e+02", as printf writes a number that has more digits than it was asked for. The smallest number of
 * BF16 is written "1.18e-38" where it stands as a value. */
static bool has_exponent(const char *text, bool is_value)
{
	for (const char *e = text; (e = strchr(e, 'e')); e++)
		if (e > text && isdigit((unsigned char)e[-1]) && (e[1] == '+' || e[1] == '-') &&
			isdigit((unsigned char)e[2]) && isdigit((unsigned char)e[3]) &&
			!(is_value && e[1] == '-' && e[2] != '0'))
			return true;
	return false;
}

/* The first fault found, as words; NULL: none. */
static const char *fault_in_text(const char *text)
{
	if (!text)
		return NULL;
	for (const char *p = text; (p = strstr(p, "nan")); p++)
		if ((p == text || !isalpha((unsigned char)p[-1])) && !isalpha((unsigned char)p[3]))
			return "a text with \"nan\" in it";
	if (strstr(text, "undefined"))
		return "a text with an undefined number in it";
	if (has_exponent(text, false))
		return "a number that nobody says so in a text";
	return strpbrk(text, "\n\t\r\033") ? "a text with control characters" : NULL;
}

/* Why a value is infinite stands beside it, or in a warning that explains several. */
static bool is_explained(const struct figure *fig, const struct value *v)
{
	bool warned = v->note && *v->note;
	for (size_t i = 0; i < fig->n_blocks && !warned; i++)
		warned = fig->blocks[i]->kind == BLOCK_NOTE &&
			 fig->blocks[i]->as.note.role != ROLE_PLAIN;
	return warned;
}

static const char *fault_in_values(const struct figure *fig)
{
	for (size_t i = 0; i < fig->n_values; i++) {
		const struct value *v = &fig->values[i];
		/* Some number formats have no other word for what is too large. */
		if (isnan(v->value) && !(v->note && strcmp(v->note, "NaN") == 0))
			return "a value is NaN";
		if (isinf(v->value) && !is_explained(fig, v))
			return "an infinite value does not say why";
		if (!*v->label || text_width(v->label) > VALUE_LABEL_COLUMNS)
			return v->label;
		if (figure_find(fig, v->id) != v)
			return "two values have one id";
		if (fault_in_text(v->note))
			return fault_in_text(v->note);
	}
	return fig->n_values ? NULL : "no headline value";
}

static const char *fault_in_rules(const struct rule *rules, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(rules[i].at))
			return "a rule that stands nowhere";
	return NULL;
}

/* A line goes one way along its axis: one that turns back was drawn from too many points. */
static bool turns_back(const struct series *s)
{
	bool right = false, left = false;
	for (size_t i = 1; i < s->n && s->style != SERIES_POINTS; i++) {
		right = right || s->points[i].x > s->points[i - 1].x;
		left = left || s->points[i].x < s->points[i - 1].x;
	}
	return right && left;
}

static bool is_beside(const struct axis *a, double at)
{
	double near = 1e-9 * (fabs(a->min) + fabs(a->max));
	return at < a->min - near || at > a->max + near; /* false where they are left to the data */
}

static const char *fault_in_plot(const struct plot *p)
{
	size_t shown = 0;
	for (size_t i = 0; i < p->n_series; i++)
		if (turns_back(&p->series[i]))
			return "a line that turns back";
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t j = 0; j < p->series[i].n; j++) {
			const struct point *at = &p->series[i].points[j];
			if (!isfinite(at->x) || isinf(at->y))
				return "a point at infinity, or without x";
			if (isnan(at->y) && p->series[i].style == SERIES_POINTS)
				return "a marker without y";
			if (p->x.scale != AXIS_LINEAR && at->x <= 0)
				return "a point left of a logarithmic axis";
			if (isfinite(at->y) && is_beside(&p->x, at->x))
				return "a point beside the axis along which it lies";
			shown += isfinite(at->y) && (p->y.scale == AXIS_LINEAR || at->y > 0);
		}
	if (!*p->x.title || !*p->y.title)
		return "an axis without title";
	return shown ? fault_in_rules(p->rules, p->n_rules) : "a plot without a point";
}

enum { MOST_KINDS = 256 };

/* Whether two of the kinds that are seen have names of their own and one look. */
static bool look_alike(const char *const names[], const enum meaning means[], size_t n,
	const bool seen[MOST_KINDS])
{
	for (size_t i = 0; i < n && i < MOST_KINDS; i++)
		for (size_t j = 0; j < i; j++)
			if (seen[i] && seen[j] && means[i] == means[j] && *names[i] && *names[j] &&
				strcmp(names[i], names[j]) != 0)
				return true;
	return false;
}

static const char *const alike = "two named parts in sight look alike";

static const char *fault_in_parts(const struct bars *b)
{
	bool seen[MOST_KINDS] = { false };
	for (size_t i = 0; i < b->n_bars; i++)
		for (size_t j = 0; j < b->n_parts; j++)
			seen[j] |= b->bars[i].parts[j] != 0;
	return look_alike(b->part_names, b->means, b->n_parts, seen) ? alike : NULL;
}

static const char *fault_in_bars(const struct bars *b)
{
	for (size_t i = 0; i < b->n_bars; i++) {
		for (size_t j = 0; j < b->n_parts; j++)
			if (!isfinite(b->bars[i].parts[j]))
				return "a bar that is no number";
		if (fault_in_text(b->bars[i].note))
			return fault_in_text(b->bars[i].note);
	}
	return b->n_bars ? fault_in_parts(b) : "bars without a bar";
}

static int by_lane(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	return x->lane != y->lane ? (x->lane > y->lane) - (x->lane < y->lane)
				  : (x->start > y->start) - (x->start < y->start);
}

/* Nobody does two things at once. Times of a long run are as exact as their last digits. */
static bool overlap(const struct timeline *t)
{
	double last = 0;
	bool found = false;
	struct span *s = malloc(t->n_spans * sizeof *s);
	cr_assert(s != NULL);
	memcpy(s, t->spans, t->n_spans * sizeof *s);
	qsort(s, t->n_spans, sizeof *s, by_lane);
	for (size_t i = 0; i < t->n_spans; i++)
		last = fmax(last, s[i].end);
	for (size_t i = 1; i < t->n_spans && !found; i++)
		found = s[i].lane == s[i - 1].lane && s[i].start < s[i - 1].end - 1e-9 * last;
	free(s);
	return found;
}

static const char *fault_in_timeline(const struct timeline *t, double duration_s)
{
	bool seen[MOST_KINDS] = { false };
	for (size_t i = 0; i < t->n_spans; i++) {
		const struct span *s = &t->spans[i];
		if (!isfinite(s->start) || !isfinite(s->end) || s->end < s->start)
			return "a span that ends before it begins, or never";
		if (s->lane >= t->n_lanes || s->kind >= t->n_kinds)
			return "a span outside of its lanes or kinds";
		if (duration_s > 0 && s->start > duration_s * (1 + 1e-9))
			return "a span after the end of the run";
		seen[s->kind] |= s->end > s->start;
	}
	if (look_alike(t->kind_names, t->means, t->n_kinds, seen))
		return alike;
	if (t->n_spans && overlap(t))
		return "two spans of a lane at once";
	return t->n_spans ? fault_in_rules(t->rules, t->n_rules) : "a timeline without a span";
}

static const char *fault_in_grid(const struct grid *g)
{
	for (size_t i = 0; i < g->n_frames * g->rows * g->cols; i++)
		if (g->cells[i] >= g->n_kinds)
			return "a cell of no kind";
	/* On lines of numbers the kinds are ticks of different shapes. */
	if (!(g->hi > g->lo) && look_alike(g->kind_names, g->means, g->n_kinds, g->used))
		return alike;
	for (size_t i = 1; i < g->n_frames; i++)
		if (!(g->frame_times[i] >= g->frame_times[i - 1]))
			return "frames out of order";
	return NULL;
}

static const char *fault_in_table(const struct table *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		for (size_t j = 0; j < t->cols; j++)
			if (!t->rows[i][j] || fault_in_text(t->rows[i][j]))
				return "a cell of a table";
	return t->n_rows ? NULL : "a table without rows";
}

static const char *fault_in_block(const struct block *b, double duration_s)
{
	switch (b->kind) {
	case BLOCK_PLOT:
		return fault_in_plot(&b->as.plot);
	case BLOCK_BARS:
		return fault_in_bars(&b->as.bars);
	case BLOCK_TIMELINE:
		return fault_in_timeline(&b->as.timeline, duration_s);
	case BLOCK_GRID:
		return fault_in_grid(&b->as.grid);
	case BLOCK_TABLE:
		return fault_in_table(&b->as.table);
	case BLOCK_NOTE:
		return fault_in_text(b->as.note.text);
	}
	return "a block of no kind";
}

static const char *fault_in_texts(const struct figure *fig)
{
	const char *fault = fault_in_text(fig->subtitle);
	if (!fault)
		fault = fault_in_text(fig->why);
	if (!fault && (!fig->why || !*fig->why))
		fault = "no sentence that reads the figure";
	for (size_t i = 0; i < fig->n_assumptions && !fault; i++)
		fault = fault_in_text(fig->assumptions[i]);
	for (size_t i = 0; i < fig->n_leaves_out && !fault; i++)
		fault = fault_in_text(fig->leaves_out[i]);
	if (!fault && (fig->n_assumptions == 0 || fig->n_leaves_out == 0))
		fault = "no assumption, or nothing that is left out";
	for (size_t i = 0; i < fig->n_moments && !fault; i++) {
		fault = fault_in_text(fig->moments[i].text);
		if (!(fig->moments[i].at_s >= (i ? fig->moments[i - 1].at_s : 0)))
			fault = "moments out of order";
	}
	return fault;
}

static const char *fault_in(const struct figure *fig)
{
	if (fig->arena.failed)
		return "out of memory";
	if (!isfinite(fig->duration_s) || fig->duration_s < 0)
		return "a run of no length";
	const char *fault = fault_in_values(fig);
	if (!fault)
		fault = fault_in_texts(fig);
	for (size_t i = 0; i < fig->n_blocks && !fault; i++)
		fault = fault_in_block(fig->blocks[i], fig->duration_s);
	return fault ? fault : fig->n_blocks ? NULL : "nothing to see";
}

/* --- every simulation ------------------------------------------------------------------- */

/* The first line with such a number of all that is printed, the picture with its axes too. */
static bool prints_exponent(const struct figure *fig, char *line, size_t size)
{
	struct report_options o = report_defaults();
	char *text = NULL, *rest = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	bool found = false;
	cr_assert(out != NULL);
	cr_assert(zero(int, report_figure(fig, &o, out)));
	fclose(out);
	for (char *l = strtok_r(text, "\n", &rest); l && !found; l = strtok_r(NULL, "\n", &rest)) {
		found = has_exponent(l, true);
		snprintf(line, size, "%s", l);
	}
	free(text);
	return found;
}

static bool expect_sound(const struct sim *s, const struct tables *t, const double v[])
{
	struct figure fig = { 0 };
	char text[1024], line[400];
	fig.memo = t->memo;
	s->run(t, v, &fig);
	const char *fault = fault_in(&fig);
	cr_expect(fault == NULL, "%s\n%s", fault, setting_text(s, t, v, text, sizeof text));
	if (!fault && prints_exponent(&fig, line, sizeof line)) {
		fault = "a number with an exponent";
		cr_expect(fault == NULL, "%s\n%s\n%s", fault, line,
			setting_text(s, t, v, text, sizeof text));
	}
	figure_release(&fig);
	return !fault;
}

Test(sims, run_at_their_defaults_and_at_both_ends_of_every_knob, .description = "long")
{
	struct tables t = load_tables_and_machine();
	for (size_t i = 0; i < n_sims; i++) {
		const struct sim *s = sims[i];
		double v[MAX_KNOBS];
		sim_defaults(s, &t, v);
		expect_sound(s, &t, v);
		for (size_t j = 0; j < s->n_knobs; j++) {
			const struct knob *k = &s->knobs[j];
			double kept = v[j];
			v[j] = k->kind == KNOB_NUMBER ? k->min : 0;
			expect_sound(s, &t, v);
			v[j] = k->kind == KNOB_NUMBER ? k->max : (double)knob_choices(k, &t) - 1;
			expect_sound(s, &t, v);
			v[j] = kept;
		}
	}
	tables_release(&t);
}

static bool is_of_models(const struct knob *k)
{
	return k->kind == KNOB_MODEL || k->kind == KNOB_ANY_PARTS || k->kind == KNOB_MODEL_OPEN ||
	       k->kind == KNOB_MIXTURE;
}

/* --- every model ------------------------------------------------------------------------ */

static int model_knob(const struct sim *s)
{
	for (size_t i = 0; i < s->n_knobs; i++)
		if (is_of_models(&s->knobs[i]))
			return (int)i;
	return -1;
}

/* At its defaults and with every choice of every knob: a figure that gets no memory is none, and nothing comes to
 * harm on the way. */
static void run_without_memory(const struct sim *sim, const struct tables *t, const double v[])
{
	struct figure fig = { .memo = t->memo, .arena = { .failed = true } };
	sim->run(t, v, &fig);
	cr_expect(zero(sz, fig.n_blocks), "%s", sim->id);
	figure_release(&fig);
}

Test(sims, a_figure_without_memory_is_none, .description = "long")
{
	struct tables t = load_tables_and_machine();
	for (size_t i = 0; i < n_sims; i++) {
		double v[MAX_KNOBS];
		sim_defaults(sims[i], &t, v);
		run_without_memory(sims[i], &t, v);
		for (size_t k = 0; k < sims[i]->n_knobs; k++) {
			const struct knob *knob = &sims[i]->knobs[k];
			const double was = v[k];
			if (knob->kind != KNOB_CHOICE && knob->kind != KNOB_TOGGLE)
				continue;
			for (size_t n = 0; n < knob_choices(knob, &t); n++) {
				v[k] = (double)n;
				run_without_memory(sims[i], &t, v);
			}
			v[k] = was;
		}
	}
	tables_release(&t);
}

Test(sims, run_with_every_model, .description = "long")
{
	struct tables t = load_tables();
	for (size_t i = 0; i < n_sims; i++) {
		const struct sim *s = sims[i];
		int model = model_knob(s);
		double v[MAX_KNOBS];
		sim_defaults(s, &t, v);
		for (size_t n = model < 0 ? 0 : knob_choices(&s->knobs[model], &t); n-- > 0;) {
			v[model] = (double)n;
			expect_sound(s, &t, v);
		}
	}
	tables_release(&t);
}

/* Of one model that is made of parts, at both ends of every other knob. */
static void expect_sound_with(const struct sim *s, const struct tables *t, size_t model, double at)
{
	double v[MAX_KNOBS];
	sim_defaults(s, t, v);
	v[model] = at;
	for (size_t j = 0; j < s->n_knobs; j++) {
		const struct knob *k = &s->knobs[j];
		double kept = v[j];
		if (j == model)
			continue;
		v[j] = k->kind == KNOB_NUMBER ? k->min : 0;
		expect_sound(s, t, v);
		v[j] = k->kind == KNOB_NUMBER ? k->max : (double)knob_choices(k, t) - 1;
		expect_sound(s, t, v);
		v[j] = kept;
	}
}

/* `make laws` tries all of them. In shares, which run beside each other. */
static void try_share(size_t share)
{
	enum { SHARES = 4 };
	struct tables t = load_tables();
	const size_t every = getenv("LAWS_SETTINGS") ? 1 : 9;
	for (size_t i = 0; i < n_sims; i++) {
		int model = model_knob(sims[i]);
		if (model < 0 || sims[i]->knobs[model].kind == KNOB_MODEL)
			continue;
		const size_t all = knob_choices(&sims[i]->knobs[model], &t);
		/* Plain models are tried above. */
		const size_t from = sims[i]->knobs[model].kind == KNOB_MIXTURE ? 0 : t.n_models;
		for (size_t n = from + i % every + share * every; n < all; n += SHARES * every)
			expect_sound_with(sims[i], &t, (size_t)model, (double)n);
	}
	tables_release(&t);
}

#define TRY_SHARE(n)                                                                               \
	Test(laws_models, run_at_both_ends_of_every_knob_##n, .description = "long")               \
	{                                                                                          \
		try_share(n);                                                                      \
	}
TRY_SHARE(0)
TRY_SHARE(1)
TRY_SHARE(2)
TRY_SHARE(3)

/* Some simulations simulate, or test a network: as many settings as a few seconds have room for. (The
 * laws over settings try more, tests/laws_sims.c.) */
static int settings_of(const struct sim *s)
{
	static const char *const of_a_run[] = { "requests", "customers", "runs", "checked",
		"student", "steps", "batch_tokens" };
	for (size_t i = 0; i < sizeof of_a_run / sizeof *of_a_run; i++)
		if (sim_knob_index(s, of_a_run[i]) >= 0)
			return 20;
	return 300;
}

Test(sims, run_at_any_setting, .description = "long")
{
	struct tables t = load_tables_and_machine();
	for (size_t i = 0; i < n_sims; i++) {
		struct rng r = rng_stream(2, sims[i]->id, 0);
		for (int n = settings_of(sims[i]); n > 0; n--) {
			double v[MAX_KNOBS];
			random_setting(sims[i], &t, &r, v);
			if (!expect_sound(sims[i], &t, v))
				break;
		}
	}
	tables_release(&t);
}

static char *figure_text_of(const struct sim *s, const struct tables *t, const double v[])
{
	struct figure fig = { 0 };
	fig.memo = t->memo;
	s->run(t, v, &fig);
	cJSON *json = figure_json(s, t, v, &fig);
	char *text = cJSON_PrintUnformatted(json);
	cJSON_Delete(json);
	figure_release(&fig);
	return text;
}

Test(sims, same_knobs_same_figure, .description = "long")
{
	struct tables t = load_tables_and_machine();
	for (size_t i = 0; i < n_sims; i++) {
		struct rng r = rng_stream(3, sims[i]->id, 0);
		for (int n = 0; n < 10; n++) {
			double v[MAX_KNOBS], other[MAX_KNOBS];
			char *text[3], line[1024];
			random_setting(sims[i], &t, &r, v);
			random_setting(sims[i], &t, &r, other);
			text[0] = figure_text_of(sims[i], &t, v);
			text[1] = figure_text_of(sims[i], &t, other); /* leaves nothing behind */
			text[2] = figure_text_of(sims[i], &t, v);
			cr_expect(strcmp(text[0], text[2]) == 0, "%s",
				setting_text(sims[i], &t, v, line, sizeof line));
			for (int j = 0; j < 3; j++)
				cJSON_free(text[j]);
		}
	}
	tables_release(&t);
}
