#include "tests/record.h"
#include "tests/record_digest.h"

#include "sims/base/array.h"
#include "sims/comparisons/comparisons.h"
#include "sims/diagnosis/patient.h"
#include "sims/formulas/formula.h"
#include "sims/published/measured.h"
#include "sims/training/training.h"
#include "tests/settings.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

struct tables record_tables(void)
{
	struct tables t = load_tables();
	t.n_machines = 0;
	return t;
}

/* --- digests ------------------------------------------------------------------------------ */

/* FNV-1a, 64 bits. */
void digest_bytes(uint64_t *hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	for (size_t i = 0; i < n; i++)
		*hash = (*hash ^ p[i]) * 0x100000001b3;
}

void digest_text(uint64_t *hash, const char *text)
{
	digest_bytes(hash, text, strlen(text) + 1);
}

/* Six digits, so that another library's last bit does not show. Numbers that people choose end in a
 * 5 more often than by chance, and a last bit would decide which way it is rounded; a factor beside
 * 1 keeps them away from there. What is left of a difference of equal amounts is nothing. */
static const char *six_digits(double x, char text[32])
{
	const double beside_1 = 1.0000000718281828, least = 1e-15;
	if (isnan(x))
		return "nan";
	if (fabs(x) < least)
		return "0";
	snprintf(text, 32, "%.6g", x * beside_1);
	return text;
}

void digest_number(uint64_t *hash, double x)
{
	char text[32];
	digest_text(hash, six_digits(x, text));
}

void digest_numbers_in(uint64_t *hash, const char *text)
{
	for (const char *p = text; p && *p; p++) {
		bool within = (*p == '.' || *p == ',' || *p == '-') && isdigit((unsigned char)p[1]);
		if (within || isdigit((unsigned char)*p))
			digest_bytes(hash, p, 1);
		else if (p > text && isdigit((unsigned char)p[-1]))
			digest_bytes(hash, " ", 1);
	}
	digest_bytes(hash, "", 1);
}

static void add_rules(uint64_t *hash, const struct rule *rules, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		digest_number(hash, rules[i].at);
		digest_number(hash, rules[i].role);
		digest_numbers_in(hash, rules[i].label);
	}
}

static void add_plot(uint64_t *hash, const struct plot *p)
{
	const double ranges[] = { p->x.min, p->x.max, p->y.min, p->y.max };
	for (size_t i = 0; i < LENGTH(ranges); i++)
		digest_number(hash, ranges[i]);
	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *s = &p->series[i];
		digest_number(hash, (double)s->n);
		digest_numbers_in(hash, s->name);
		for (size_t j = 0; j < s->n; j++) {
			digest_number(hash, s->points[j].x);
			digest_number(hash, s->points[j].y);
			digest_number(hash, s->points[j].role);
			digest_numbers_in(hash, s->points[j].name);
		}
	}
	add_rules(hash, p->rules, p->n_rules);
}

static void add_bars(uint64_t *hash, const struct bars *b)
{
	digest_number(hash, b->limit);
	for (size_t i = 0; i < b->n_bars; i++) {
		for (size_t j = 0; j < b->n_parts; j++)
			digest_number(hash, b->bars[i].parts[j]);
		digest_number(hash, b->bars[i].role);
		digest_numbers_in(hash, b->bars[i].label);
		digest_numbers_in(hash, b->bars[i].note);
	}
}

static void add_timeline(uint64_t *hash, const struct timeline *t)
{
	digest_number(hash, (double)t->n_lanes);
	for (size_t i = 0; i < t->n_spans; i++) {
		const struct span *s = &t->spans[i];
		digest_number(hash, s->start);
		digest_number(hash, s->end);
		digest_number(hash, s->lane);
		digest_number(hash, s->kind);
		digest_numbers_in(hash, s->label);
	}
	add_rules(hash, t->rules, t->n_rules);
}

static void add_grid(uint64_t *hash, const struct grid *g)
{
	digest_number(hash, g->still_s);
	for (size_t i = 0; i < g->n_frames; i++)
		digest_number(hash, g->frame_times ? g->frame_times[i] : 0);
	for (size_t i = 0; g->row_names && i < g->rows; i++)
		digest_numbers_in(hash, g->row_names[i]);
	digest_bytes(hash, g->cells, g->n_frames * g->rows * g->cols);
}

/* A column of numbers counts with its units. */
static void add_table(uint64_t *hash, const struct table *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		for (size_t j = 0; j < t->cols; j++)
			if (t->numeric[j] == '1')
				digest_text(hash, t->rows[i][j]);
			else
				digest_numbers_in(hash, t->rows[i][j]);
}

static void add_block(uint64_t *hash, const struct block *b)
{
	digest_number(hash, b->kind);
	switch (b->kind) {
	case BLOCK_PLOT:
		add_plot(hash, &b->as.plot);
		break;
	case BLOCK_BARS:
		add_bars(hash, &b->as.bars);
		break;
	case BLOCK_TIMELINE:
		add_timeline(hash, &b->as.timeline);
		break;
	case BLOCK_GRID:
		add_grid(hash, &b->as.grid);
		break;
	case BLOCK_TABLE:
		add_table(hash, &b->as.table);
		break;
	case BLOCK_NOTE:
		digest_number(hash, b->as.note.role);
		digest_numbers_in(hash, b->as.note.text);
		break;
	}
}

uint64_t digest_begin(void)
{
	return 0xcbf29ce484222325;
}

uint32_t digest_shown(uint64_t hash)
{
	return (uint32_t)(hash >> 32 ^ hash);
}

static uint32_t digest(const struct figure *fig)
{
	uint64_t hash = digest_begin();
	digest_number(&hash, fig->duration_s);
	digest_numbers_in(&hash, fig->subtitle);
	digest_numbers_in(&hash, fig->why);
	digest_numbers_in(&hash, fig->accuracy);
	for (size_t i = 0; i < fig->n_values; i++) {
		digest_text(&hash, fig->values[i].id);
		digest_number(&hash, fig->values[i].value);
		digest_number(&hash, fig->values[i].role);
		digest_numbers_in(&hash, fig->values[i].note);
	}
	for (size_t i = 0; i < fig->n_blocks; i++)
		add_block(&hash, fig->blocks[i]);
	for (size_t i = 0; i < fig->n_moments; i++) {
		digest_number(&hash, fig->moments[i].at_s);
		digest_numbers_in(&hash, fig->moments[i].text);
	}
	for (size_t i = 0; i < fig->n_assumptions; i++)
		digest_numbers_in(&hash, fig->assumptions[i]);
	return digest_shown(hash);
}

/* --- settings ----------------------------------------------------------------------------- */

enum { MAX_SETTINGS = 1000 };

struct recorder {
	const struct sim *sim;
	const struct tables *tables;
	record_visit *visit;
	void *context;
	double (*seen)[MAX_KNOBS];
	size_t n_seen;
};

static bool is_new(struct recorder *r, const double v[])
{
	size_t bytes = r->sim->n_knobs * sizeof *v;
	for (size_t i = 0; i < r->n_seen; i++)
		if (memcmp(r->seen[i], v, bytes) == 0)
			return false;
	if (r->n_seen == MAX_SETTINGS)
		abort();
	memcpy(r->seen[r->n_seen++], v, bytes);
	return true;
}

/* What differs from the defaults, or the name of the setting. */
static void write_line(
	const struct recorder *r, const double v[], const char *name, uint32_t sum, char *line)
{
	const struct sim *s = r->sim;
	int used = snprintf(line, RECORD_LINE, "%s%s", name ? "drawn:" : "", s->id);
	for (size_t i = 0; i < s->n_knobs && !name; i++) {
		char value[64];
		if (v[i] != knob_default(&s->knobs[i], r->tables))
			used += snprintf(line + used, RECORD_LINE - (size_t)used, " %s=%s",
				s->knobs[i].id,
				knob_write(&s->knobs[i], r->tables, v[i], value, sizeof value));
		if (used > RECORD_LINE - 80)
			abort();
	}
	snprintf(line + used, RECORD_LINE - (size_t)used, "%s%s %08lx", name ? " " : "",
		name ? name : "", (unsigned long)sum);
}

static void record(struct recorder *r, const double v[], const char *name)
{
	struct figure fig = { 0 };
	char line[RECORD_LINE], command[RECORD_COMMAND];
	if (!is_new(r, v))
		return;
	fig.memo = r->tables->memo;
	r->sim->run(r->tables, v, &fig);
	if (fig.arena.failed)
		abort();
	write_line(r, v, name, digest(&fig), line);
	figure_release(&fig);
	r->visit(line, setting_text(r->sim, r->tables, v, command, sizeof command), r->context);
}

/* The knob at both ends and at each of its choices. */
static void turn(struct recorder *r, const double base[], size_t knob)
{
	const struct knob *k = &r->sim->knobs[knob];
	double v[MAX_KNOBS];
	memcpy(v, base, r->sim->n_knobs * sizeof *v);
	for (size_t i = 0; i < knob_choices(k, r->tables); i++) {
		v[knob] = (double)i;
		record(r, v, NULL);
	}
	for (size_t i = 0; i < 2 && k->kind == KNOB_NUMBER; i++) {
		v[knob] = i ? k->max : k->min;
		record(r, v, NULL);
	}
}

/* Turns others until the knob matters: of each condition the first value that will do. */
static void make_matter(const struct sim *s, double v[], size_t knob)
{
	const struct knob_condition *when = s->knobs[knob].when;
	unsigned bit = 0;
	if (knob_matters(s, v, knob))
		return;
	while (!(when->values >> bit & 1))
		bit++;
	v[when->knob] = bit;
	make_matter(s, v, when->knob);
}

static void turn_where_it_matters(struct recorder *r, size_t knob)
{
	const struct knob *k = &r->sim->knobs[knob];
	double v[MAX_KNOBS];
	sim_defaults(r->sim, r->tables, v);
	if (!k->when[0].values)
		turn(r, v, knob);
	for (size_t c = 0; c < KNOB_CONDITIONS; c++)
		for (unsigned bit = 0; bit < 32; bit++) {
			if (!(k->when[c].values >> bit & 1))
				continue;
			sim_defaults(r->sim, r->tables, v);
			v[k->when[c].knob] = bit;
			make_matter(r->sim, v, k->when[c].knob);
			turn(r, v, knob);
		}
}

/* Settings at random: some are close to the defaults, some far away, where knobs act together. As
 * many as a second or two has time for. */
static size_t draws_of(const struct sim *s)
{
	static const struct {
		const char *sim;
		size_t draws;
	} slow[] = { { "memory", 60 }, { "compression", 24 }, { "speculative", 30 },
		{ "batching", 60 }, { "kvcache", 60 }, { "timeline", 80 }, { "queueing", 80 } };
	for (size_t i = 0; i < LENGTH(slow); i++)
		if (strcmp(slow[i].sim, s->id) == 0)
			return slow[i].draws;
	return 200;
}

static void draw(struct recorder *r, size_t number)
{
	const struct sim *s = r->sim;
	double v[MAX_KNOBS], share = number % 2 ? 0.5 : 0.15;
	char name[32];
	for (size_t i = 0; i < s->n_knobs; i++) {
		struct rng of_knob = rng_stream(number, s->knobs[i].id, 0);
		double value = random_value(&s->knobs[i], r->tables, &of_knob);
		v[i] = rng_uniform(&of_knob) < share ? value
						     : knob_default(&s->knobs[i], r->tables);
	}
	snprintf(name, sizeof name, "%zu", number);
	record(r, v, name);
}

static struct recorder begin(
	const struct sim *s, const struct tables *t, record_visit *visit, void *context)
{
	struct recorder r = { s, t, visit, context, calloc(MAX_SETTINGS, sizeof(double[MAX_KNOBS])),
		0 };
	if (!r.seen)
		abort();
	return r;
}

void record_simulation(
	const struct sim *s, const struct tables *t, record_visit *visit, void *context)
{
	struct recorder r = begin(s, t, visit, context);
	double v[MAX_KNOBS];
	sim_defaults(s, t, v);
	record(&r, v, NULL);
	for (size_t i = 0; i < s->n_knobs; i++)
		turn_where_it_matters(&r, i);
	free(r.seen);
}

void record_draws(const struct sim *s, const struct tables *t, record_visit *visit, void *context)
{
	struct recorder r = begin(s, t, visit, context);
	size_t draws = draws_of(s);
	for (size_t i = 0; i < draws; i++)
		draw(&r, i);
	free(r.seen);
}

/* --- formulas ----------------------------------------------------------------------------- */

enum { MAX_PARAMS = 16 };

static void record_formula(const struct formula *f, const double args[], const char *param,
	double value, record_visit *visit, void *context)
{
	char line[RECORD_LINE], command[RECORD_COMMAND], setting[80] = "", text[32];
	if (param)
		snprintf(setting, sizeof setting, " %s=%.17g", param, value);
	snprintf(line, sizeof line, "formula:%s%s %s", f->id, setting,
		six_digits(f->call(args), text));
	snprintf(command, sizeof command, "ridge sim formula:%s%s", f->id, setting);
	visit(line, command, context);
}

void record_formulas(record_visit *visit, void *context)
{
	static const double factors[] = { 0.5, 2 };
	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		double args[MAX_PARAMS];
		if (f->n_params > MAX_PARAMS)
			abort();
		for (size_t j = 0; j < f->n_params; j++)
			args[j] = f->params[j].example;
		record_formula(f, args, NULL, 0, visit, context);
		for (size_t j = 0; j < f->n_params * LENGTH(factors); j++) {
			const struct formula_param *p = &f->params[j / LENGTH(factors)];
			double was = p->example, x = was * factors[j % LENGTH(factors)];
			if (x < p->min || x > p->max || x == was)
				continue;
			args[p - f->params] = x;
			record_formula(f, args, p->name, x, visit, context);
			args[p - f->params] = was;
		}
	}
}

/* --- comparisons and workloads ------------------------------------------------------------ */

void record_digest(const char *kind, const char *id, uint64_t hash, const char *command,
	record_visit *visit, void *context)
{
	char line[RECORD_LINE], text[RECORD_COMMAND];
	snprintf(line, sizeof line, "%s:%s %08lx", kind, id, (unsigned long)digest_shown(hash));
	snprintf(text, sizeof text, "%s %s", command, id);
	visit(line, text, context);
}

void record_comparisons(const struct tables *t, record_visit *visit, void *context)
{
	for (size_t i = 0; i < n_measured_models; i++) {
		const struct measured_model *m = measured_models[i];
		struct validation v;
		uint64_t hash = digest_begin();
		char err[256] = "";
		if (measured_validate_own(&v, m, t, 0, err, sizeof err) == 0)
			for (size_t j = 0; j < v.n; j++) {
				digest_number(&hash, v.predictions[j].predicted);
				digest_number(&hash, v.predictions[j].measured);
				digest_number(&hash, v.predictions[j].group);
			}
		for (size_t j = 0; j < v.n_values; j++)
			digest_number(&hash, v.values[j].value);
		for (size_t j = 0; j < v.n_verdicts; j++)
			digest_number(&hash, v.verdicts[j].met);
		validation_release(&v);
		record_digest("compare", m->id, hash, "ridge validate", visit, context);
	}
}

static void add_step(uint64_t *hash, const struct training *t)
{
	struct training_step r = training_step(t);
	const double shown[] = { r.step_s, r.compute_s, r.fixed_s, r.comm_s, r.exposed_s,
		r.exchange_s, r.straggler_s, r.input_wait_s, r.gpu_batch, r.micro_batches,
		r.active_gpus, r.buckets, r.samples_per_s, r.mfu };
	for (size_t i = 0; i < LENGTH(shown); i++)
		digest_number(hash, shown[i]);
}

static void add_steps(
	uint64_t *hash, const struct training_workload *w, const struct accelerator *g)
{
	static const double gpus[] = { 1, 16, 2048 };
	struct network net = network_measured(g->family, 8, g->link_bandwidth, 25e9, 5e-6);
	for (size_t i = 0; i < LENGTH(gpus); i++)
		for (int strategy = STRATEGY_DDP; strategy <= STRATEGY_ZERO1; strategy++) {
			struct training t = training_defaults(w, g, net);
			t.gpus = gpus[i];
			t.global_batch = w->micro_batch * gpus[i] * 3;
			t.strategy = (enum strategy)strategy;
			add_step(hash, &t);
			t.overlap = 0.5;
			t.jitter = 0.05;
			t.tensor = 4;
			t.pipeline = 2;
			t.context = 2;
			t.input_per_s = w->input_per_s;
			add_step(hash, &t);
			t.global_batch = 5;
			add_step(hash, &t);
		}
}

static void add_published(uint64_t *hash, const struct training_workload *w)
{
	for (size_t i = 0; i < n_published_training; i++) {
		const struct published_training *m = &published_training[i];
		if (&workloads[m->workload] != w)
			continue;
		digest_text(hash, m->gpu);
		digest_number(hash, m->mlperf);
		digest_number(hash, m->gpus);
		digest_number(hash, m->samples_per_s);
	}
}

void record_workloads(const struct tables *t, record_visit *visit, void *context)
{
	static const char *const gpus[] = { "v100", "a100", "h100", "b200" };
	for (size_t i = 0; i < N_WORKLOADS; i++) {
		const struct training_workload *w = &workloads[i];
		const double numbers[] = { w->params, w->layers, w->hidden, w->seq, w->kv,
			w->trained, w->exchange_bytes, w->flops_per_sample, w->memory_per_sample,
			w->matmul_share, w->kernels, w->gradient_bytes, w->optimizer_bytes,
			w->micro_batch, w->global_batch, w->gpu_batch, w->samples_to_train,
			w->dataset, w->known_batch, w->overhead, w->input_per_s };
		uint64_t hash = digest_begin();
		for (size_t j = 0; j < LENGTH(numbers); j++)
			digest_number(&hash, numbers[j]);
		for (size_t j = 0; j < LENGTH(gpus); j++)
			add_steps(&hash, w, gpu_find(t, gpus[j]));
		add_published(&hash, w);
		record_digest("workload", w->id, hash, "the training workload", visit, context);
	}
}

/* --- patients ----------------------------------------------------------------------------- */

static void add_examination(uint64_t *hash, const struct examination *x)
{
	const struct signs *s = &x->signs;
	const double signs[] = { s->ward, s->util, s->busy, s->power, s->clock, s->worker_cpu,
		s->worker_read, s->main, s->threads_per_core, s->p99_over_p50, s->period,
		s->workers, s->nccl_alone, s->comm_hidden, s->rank_late, s->tensor, s->dram,
		s->pointwise, s->batch_gain, s->recomputes, s->reserved_over_allocated,
		s->activation_share, s->ttft_over_median, s->itl_over_median, s->wait_growth,
		s->cache_orphaned, s->largest_gradient, s->epoch_jump, s->channel_spread,
		s->quantised, s->nan, x->badness };
	for (size_t i = 0; i < LENGTH(signs); i++)
		digest_number(hash, signs[i]);
	for (size_t i = 0; i < N_IDLE_CAUSES; i++)
		digest_number(hash, s->idle[i]);
	for (size_t i = 0; i < N_READINGS; i++)
		digest_numbers_in(hash, x->text[i]);
	digest_numbers_in(hash, x->complaint_number);
	for (size_t i = 0; i < x->n_curve; i++)
		digest_number(hash, x->curve[i]);
}

static void add_score(uint64_t *hash, struct arena *a, const struct patient *p,
	const struct examination *x, enum remedy remedy, size_t n_asked)
{
	struct patient_score score;
	bool asked[N_READINGS];
	for (size_t i = 0; i < N_READINGS; i++)
		asked[i] = i < n_asked;
	if (!patient_score_of(a, p, x, p->cause, remedy, asked, &score))
		abort();
	const double shown[] = { score.points, score.bound_right, score.remedy_right,
		(double)score.asked, (double)score.par, score.before, score.after };
	for (size_t i = 0; i < LENGTH(shown); i++)
		digest_number(hash, shown[i]);
}

void record_patients(const struct tables *t, record_visit *visit, void *context)
{
	enum { SEEDS = 4 };
	for (unsigned cause = 0; cause < N_CAUSES; cause++)
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			struct arena a = { 0 };
			struct patient p;
			struct examination *x = arena_alloc(&a, sizeof *x);
			uint64_t hash = digest_begin();
			char name[80];
			if (!x || !patient_with(&a, t, (enum cause)cause, seed, &p, x))
				abort();
			add_examination(&hash, x);
			add_score(&hash, &a, &p, x, causes[cause].remedy, seed * 4);
			for (unsigned r = seed; r <= N_REMEDIES; r += SEEDS)
				add_score(&hash, &a, &p, x, (enum remedy)r, N_READINGS);
			arena_release(&a);
			snprintf(name, sizeof name, "%s %u", causes[cause].id, seed);
			record_digest("patient", name, hash,
				"the patient with this fault and seed:", visit, context);
		}
}
