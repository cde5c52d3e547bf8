/* Laws of all simulations at random settings: a share is a share, more of a good thing never hurts
 * what it serves, and a small step of a smooth knob is a small step of what is shown. Some settings
 * in `make test`, LAWS_SETTINGS of each simulation in `make laws`. What breaks a law for a reason of
 * the physics stands in a table with that reason. */
#include "sims/registry/registry.h"
#include "tests/laws.h"
#include "tests/settings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct tables t;

static void load(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	t = load_tables();
}

static void unload(void)
{
	tables_release(&t);
}

TestSuite(laws_sims, .init = load, .fini = unload);

static struct figure run(const struct sim *s, const double v[])
{
	struct figure fig = { 0 };
	fig.memo = t.memo;
	s->run(&t, v, &fig);
	return fig;
}

static const char *const all = "*";

static bool matches(const char *pattern, const char *id)
{
	return strcmp(pattern, all) == 0 || strcmp(pattern, id) == 0;
}

/* --- Shares --- */

/* In per cent, and no share of anything. */
static const struct {
	const char *sim, *value, *why;
} no_shares[] = {
	{ "formats", "error_pct", "an error over the number: what overflows is off without limit" },
	{ "formats", "sum_error_pct", "an error over the sum" },
	{ "formats", "best_shuffle_pct", "the same" },
	{ "formats", "worst_shuffle_pct", "the same" },
	{ "compression", "output_error_pct", "an error over the output" },
	{ "goodput", "exposed_pct", "over the compute of a step, as its knob is" },
	{ "goodput", "comm_only_pct", "the same" },
	{ "goodput", "bubble_pct", "the same" },
	{ "scaling", "efficiency",
		"more than in proportion where each GPU updates a share of the "
		"weights, of which one GPU alone has all" },
};

static bool is_share(const char *sim, const struct value *v)
{
	for (size_t i = 0; i < COUNT(no_shares); i++)
		if (strcmp(no_shares[i].sim, sim) == 0 && strcmp(no_shares[i].value, v->id) == 0)
			return false;
	return (v->unit && strcmp(v->unit, "%") == 0) || strstr(v->id, "_pct");
}

static bool expect_shares(const struct sim *s, const double v[])
{
	static const double rounding = 1e-9;
	struct figure fig = run(s, v);
	char text[1024];
	bool good = true;
	for (size_t i = 0; i < fig.n_values; i++) {
		const struct value *x = &fig.values[i];
		bool in = !is_share(s->id, x) ||
			  (x->value >= -rounding && x->value <= 100 * (1 + rounding));
		cr_expect(in, "%s is %g %%\n%s", x->id, x->value,
			setting_text(s, &t, v, text, sizeof text));
		good = good && in;
	}
	figure_release(&fig);
	return good;
}

Test(laws_sims, shares_lie_between_nothing_and_all, .description = "long", .timeout = 7200)
{
	size_t settings = laws_count("LAWS_SETTINGS", 20);
	for (size_t i = 0; i < n_sims; i++) {
		struct rng r = rng_stream(14, sims[i]->id, 1);
		bool good = true;
		for (size_t n = 0; n < settings && good; n++) {
			double v[MAX_KNOBS];
			random_setting(sims[i], &t, &r, v);
			good = expect_shares(sims[i], v);
		}
	}
}

/* --- More of a good thing --- */

/* More of the knob and the value goes this way, or stays: 1 up, -1 down. */
struct promise {
	const char *sim, *knob, *value;
	int way;
	double slack;     /* a share of the value, where chance has a part in it */
	const char *with; /* settings that it takes, a blank between; or NULL */
};
static const struct promise promises[] = {
	{ "scaling", "inter_GBps", "step_s", -1, 0, NULL },
	{ "scaling", "intra_GBps", "step_s", -1, 0, NULL },
	{ "scaling", "overlap", "step_s", -1, 0, NULL },
	{ "scaling", "latency_us", "step_s", 1, 0, NULL },
	{ "scaling", "jitter_pct", "step_s", 1, 0, NULL },
	{ "scaling", "price_per_gpu_h", "cost_usd", 1, 0, NULL },
	{ "allreduce", "inter_GBps", "time_ms", -1, 0, NULL },
	{ "allreduce", "latency_us", "time_ms", 1, 0, NULL },
	{ "allreduce", "bytes", "time_ms", 1, 0, NULL },
	{ "parallelism", "inter_GBps", "step_ms", -1, 0, NULL },
	{ "parallelism", "latency_us", "step_ms", 1, 0, NULL },
	{ "system", "inter_GBps", "time_ms", -1, 0, NULL },
	{ "amdahl", "core_GBps", "part_speedup", 1, 0, NULL },
	{ "amdahl", "factor", "part_speedup", 1, 0, NULL },
	{ "amdahl", "serial_pct", "speedup", -1, 0, NULL },
	{ "goodput", "price_per_gpu_h", "cost_usd", 1, 0, NULL },
	/* Where a failure comes every few minutes hardly anything gets done, and what does is chance. */
	{ "goodput", "jitter_pct", "compute_pct", -1, 0.05, "gpus=1024 mtbf_h=50000" },
	{ "kvcache", "memory_pct", "pool_GB", 1, 0, NULL },
	{ "kvcache", "gpus", "pool_GB", 1, 0, NULL },
	{ "kvcache", "context", "kv_GB", 1, 0, NULL },
	/* Of one kind of plan for one load: another cache or GPU has another bound, and a fleet that is
	 * given serves fewer. */
	{ "capacity", "memory_pct", "gpus_memory", -1, 0, "tp=8 kv_dtype=bf16 gpu=h100 fleet=0" },
	{ "capacity", "waste_pct", "gpus_memory", 1, 0, "tp=8 kv_dtype=bf16 gpu=h100 fleet=0" },
	{ "flashattention", "sram_kB", "hbm_GB", -1, 0, "causal=off" },
	{ "memory", "seq", "activations_GB", 1, 0, NULL },
	{ "memory", "batch", "activations_GB", 1, 0, NULL },
	{ "timeline", "link_GBps", "step_ms", -1, 0.02, "workers=0" },
	{ "timeline", "cores", "step_ms", -1, 0.1, "steps=500" },
	{ "timeline", "forward_ms", "step_ms", 1, 0.02, "workers=0" },
	{ "timeline", "backward_ms", "step_ms", 1, 0.02, "workers=0" },
	{ "timeline", "prep_ms", "step_ms", 1, 0.02, "workers=0" },
	{ "compile", "launch_us", "ms_per_iteration", 1, 0, NULL },
	{ "inference", "launch_us", "latency_ms", 1, 0, NULL },
	{ "inference", "batch", "latency_ms", 1, 0, NULL },
	{ "batching", "kv_GB", "kv_capacity_GB", 1, 0, NULL },
	{ "disaggregation", "transfer_GBps", "transfer_ms", -1, 0, NULL },
	{ "disaggregation", "host_GB", "found_pct", 1, 0, NULL },
	{ "disaggregation", "reuse_s", "found_pct", -1, 0, NULL },
	{ "moe", "inter_GBps", "all_to_all_ms", -1, 0, NULL },
	{ "moe", "capacity_factor", "dropped_pct", -1, 0, NULL },
	{ "occupancy", "registers", "occupancy_pct", -1, 0, NULL },
	{ "occupancy", "shared_KiB", "occupancy_pct", -1, 0, NULL },
	{ "occupancy", "ilp", "bandwidth_pct", 1, 0, "work=0" },
	{ "occupancy", "bytes_per_load", "bandwidth_pct", 1, 0, NULL },
	{ "occupancy", "latency_cycles", "bandwidth_pct", -1, 0, NULL },
	{ "occupancy", "work", "bandwidth_pct", -1, 0, NULL },
	{ "speculative", "acceptance", "speedup", 1, 0, NULL },
	{ "speculative", "draft_ms", "speedup", -1, 0, NULL },
	{ "queueing", "utilisation", "closed_form_ms", 1, 0, NULL },
	{ "queueing", "service_ms", "wait_mean_ms", 1, 1e-9, NULL },
	{ "stacking", "m_amp", "step_ms", -1, 0, NULL },
	{ "stacking", "m_compile", "step_ms", -1, 0, NULL },
	{ "stacking", "m_fused", "step_ms", -1, 0, NULL },
	{ "stacking", "m_loader", "step_ms", -1, 0, NULL },
	{ "stacking", "m_overlap", "step_ms", -1, 0, NULL },
	{ "latency", "speed_mph", "blind_m", 1, 0, NULL },
	{ "caselab", "price_per_gpu_h", "left_usd", -1, 0, NULL },
	{ "measurement", "launch_us", "reported_s", 1, 0.01, "sync=each" },
};

/* Half of the turns are small, half go anywhere above. 0 where it is a word ("auto") is no amount. */
static double more_of(const struct knob *k, double value, struct rng *r)
{
	double where = rng_below(r, 2) ? random_value(k, &t, r) : knob_step(k, &t, value, 1, false);
	return fmax(value, where);
}

static void set_words(const struct sim *s, const char *words, double v[])
{
	char text[256], err[256] = "";
	snprintf(text, sizeof text, "%s", words ? words : "");
	for (char *rest = NULL, *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		cr_assert(zero(int, sim_read_setting(s, &t, w, v, err, sizeof err)), "%s", err);
}

static bool expect_kept(const struct promise *p, const struct sim *s, size_t knob, struct rng *r)
{
	double v[MAX_KNOBS];
	char text[1024];
	random_setting(s, &t, r, v);
	set_words(s, p->with, v);
	double from = v[knob], to = more_of(&s->knobs[knob], from, r);
	if (to <= from || (from <= 0 && s->knobs[knob].zero) || !knob_matters(s, v, knob))
		return true;
	struct figure less = run(s, v);
	v[knob] = to;
	struct figure more = run(s, v);
	const struct value *a = figure_find(&less, p->value), *b = figure_find(&more, p->value);
	bool kept = !a || !b || a->value == b->value ||
		    p->way * (b->value - a->value) >=
			    -(p->slack + 1e-9) * fmax(fabs(a->value), fabs(b->value));
	cr_expect(kept, "%s %g -> %g: %s %g -> %g\n%s", p->knob, from, to, p->value,
		a ? a->value : NAN, b ? b->value : NAN, setting_text(s, &t, v, text, sizeof text));
	figure_release(&less);
	figure_release(&more);
	return kept;
}

Test(laws_sims, more_of_a_good_thing_never_hurts, .description = "long", .timeout = 7200)
{
	size_t settings = laws_count("LAWS_SETTINGS", 20);
	for (size_t i = 0; i < COUNT(promises); i++) {
		const struct sim *s = sim_find(promises[i].sim);
		struct rng r = rng_stream(14, promises[i].knob, i);
		cr_assert(s != NULL, "%s", promises[i].sim);
		int knob = sim_knob_index(s, promises[i].knob);
		cr_assert(knob >= 0, "%s %s", s->id, promises[i].knob);
		bool kept = true;
		for (size_t n = 0; n < settings && kept; n++)
			kept = expect_kept(&promises[i], s, (size_t)knob, &r);
	}
}

/* --- A better GPU --- */

static const char one_plan[] =
	"gpu=h100 tp=8 kv_dtype=bf16 weight_dtype=fp8 chunk_tokens=512 fleet=0 layout=replicated";

/* The same job on a GPU that has a quarter more of one thing: what it takes does not grow. */
static const struct {
	const char *sim, *value;
	int way;      /* 1: more is better, -1: less is */
	double slack; /* as above */
	const char *with;
} jobs[] = {
	/* Who is free next takes the next piece of a pipeline, and such a list can become longer by a little
	 * when its pieces become shorter (Graham, 1969). */
	{ "parallelism", "step_ms", -1, 0.005, NULL },
	{ "scaling", "step_s", -1, 0, NULL },
	{ "memory", "step_s", -1, 0, NULL },
	{ "roofline", "layer_ms", -1, 0, NULL },
	{ "roofline", "trained_ms", -1, 0, NULL },
	{ "flashattention", "time_ms", -1, 0, NULL },
	{ "timeline", "step_ms", -1, 0.02, NULL },
	{ "compile", "gpu_ms", -1, 0, NULL },
	{ "inference", "latency_ms", -1, 0, NULL },
	/* A base that is given is the time on whatever GPU there is; only the shares would change. */
	{ "stacking", "step_ms", -1, 0, "base_ms=0" },
	{ "speculative", "itl_ms", -1, 1e-9, NULL },
	{ "system", "training_step_ms", -1, 0, NULL },
	{ "system", "itl_ms", -1, 0, NULL },
	{ "kvcache", "pool_GB", 1, 0, NULL },
	/* The bounds of one plan: of another cache, group or chunk they are others. */
	{ "capacity", "gpus_memory", -1, 0, one_plan },
	{ "capacity", "gpus_compute", -1, 0, one_plan },
};

static void more_memory(struct accelerator *a)
{
	a->memory_bytes *= 1.25;
}

static void more_bandwidth(struct accelerator *a)
{
	a->bandwidth *= 1.25;
}

/* With the power to run it: at the same watts a larger chip has a lower clock, which slows kernels
 * that have enough of it already. */
static void more_compute(struct accelerator *a)
{
	a->power_w *= 1.25;
	for (size_t i = 0; i < N_DTYPES; i++)
		a->peak_flops[i] *= 1.25;
}

static void faster_links(struct accelerator *a)
{
	a->link_bandwidth *= 1.25;
}

static const struct {
	const char *what;
	void (*improve)(struct accelerator *a);
} gifts[] = { { "memory", more_memory }, { "bandwidth", more_bandwidth },
	{ "compute", more_compute }, { "links", faster_links } };

static void expect_no_loss(size_t job, const char *what, const struct tables *better,
	const struct sim *s, const double v[])
{
	struct figure a = run(s, v), b = { 0 };
	char text[1024];
	b.memo = better->memo;
	s->run(better, v, &b);
	const struct value *x = figure_find(&a, jobs[job].value);
	const struct value *y = figure_find(&b, jobs[job].value);
	bool kept = !x || !y || x->value == y->value ||
		    jobs[job].way * (y->value - x->value) >=
			    -(jobs[job].slack + 1e-9) * fmax(fabs(x->value), fabs(y->value));
	cr_expect(kept, "a quarter more %s: %s %.9g -> %.9g\n%s", what, jobs[job].value,
		x ? x->value : NAN, y ? y->value : NAN, setting_text(s, &t, v, text, sizeof text));
	figure_release(&a);
	figure_release(&b);
}

Test(laws_sims, a_better_gpu_never_hurts, .description = "long", .timeout = 7200)
{
	/* Four gifts, and each setting runs twice. */
	size_t settings = laws_count("LAWS_SETTINGS", 20) / 4;
	for (size_t g = 0; g < COUNT(gifts); g++) {
		struct tables better = load_tables();
		for (size_t i = 0; i < better.n_gpus; i++)
			gifts[g].improve(&better.gpus[i]);
		for (size_t i = 0; i < COUNT(jobs); i++) {
			const struct sim *s = sim_find(jobs[i].sim);
			struct rng r = rng_stream(14, jobs[i].value, i);
			cr_assert(s != NULL, "%s", jobs[i].sim);
			for (size_t n = 0; n < settings; n++) {
				double v[MAX_KNOBS];
				random_setting(s, &t, &r, v);
				set_words(s, jobs[i].with, v);
				expect_no_loss(i, gifts[g].what, &better, s, v);
			}
		}
		tables_release(&better);
	}
}

/* --- Small steps --- */

static const struct {
	const char *sim, *knob, *value, *why;
} jumps[] = {
	{ "compression", "*", "best_bytes", "another network is the smallest that passes" },
	{ "compression", "*", "score_pct", "and the score is of that network" },
	{ "compression", "*", "snr_db",
		"weights are rounded to a few levels, and some change sides" },
	{ "compression", "*", "output_error_pct", "the same" },
	{ "compression", "*", "wrong_pct", "digits are counted" },
	{ "compression", "*", "accuracy_pct", "digits are counted" },
	{ "formats", "value", "*",
		"numbers of a format have gaps, and an error is a place in a gap" },
	{ "formats", "*", "final_scale", "the scale is halved and doubled" },
	{ "formats", "*", "lost_pct", "gradients are counted, and lost by whole powers of two" },
	{ "goodput", "*", "lost_h", "failures are drawn: one before or after a checkpoint" },
	{ "goodput", "*", "best_min", "the best of intervals that are tried with drawn failures" },
	{ "goodput", "*", "restart_pct", "failures are drawn" },
	{ "goodput", "*", "failures", "failures are drawn, and counted" },
	{ "goodput", "*", "checkpoint_pct", "failures are drawn: where hardly anything gets done" },
	{ "goodput", "*", "goodput_pct", "failures are drawn: where hardly anything gets done" },
	{ "goodput", "*", "compute_pct", "failures are drawn: where hardly anything gets done" },
	{ "goodput", "*", "cost_per_useful_gpu_h", "the same: a cost over next to nothing" },
	{ "goodput", "days", "cost_usd",
		"as many runs as an hour of computing allows, of whole days" },
	{ "kvcache", "*", "hit_pct", "blocks of one prefix stay or go, of few requests" },
	{ "kvcache", "*", "paged_users", "whole sequences, and few where they are long" },
	{ "kvcache", "*", "contiguous_users", "the same" },
	{ "kvcache", "*", "paged_waste_pct",
		"sequences come and go: another one is there at the end" },
	{ "kvcache", "*", "contiguous_waste_pct", "the same" },
	{ "latency", "*", "blind_streak_m", "the longest row of late frames, which is chance" },
	{ "latency", "fps", "*",
		"a deadline is met or not by all frames at once where nothing spreads" },
	{ "latency", "*", "p99_ms", "one in a hundred of few frames" },
	{ "latency", "*", "p99_over_p50", "the same" },
	{ "latency", "*", "miss_pct", "the same" },
	{ "latency", "*", "dropped_pct", "frames are counted" },
	{ "measurement", "*", "cv", "outliers are drawn, one more of a handful" },
	{ "measurement", "*", "ci_high_s", "the same" },
	{ "measurement", "*", "ci_low_s", "the same" },
	{ "measurement", "*", "samples_needed", "the same" },
	{ "measurement", "*", "reported_s", "a tail of few samples: one outlier more" },
	{ "speculative", "*", "best_k", "a whole number" },
	{ "speculative", "*", "break_even_batch", "1 where it does not pay for one user already" },
	{ "compile", "*", "launch_bound_pct", "all kernels of a kind wait for the CPU, or none" },
	{ "inference", "*", "knee_batch", "batches are powers of two" },
	{ "tiles", "l2_MiB", "l2_hit_pct",
		"tiles come whole: of few that are found again one more is much" },
	{ "timeline", "*", "step_p99_ms", "one in a hundred of few steps, drawn" },
	{ "timeline", "launch_us", "launch_wait_ms",
		"where launches take just longer than kernels: the difference of two long times" },
	{ "batching", "*", "idle_slots_pct", "requests are drawn, of another length" },
	{ "batching", "*", "mean_waiting", "at little load one request that waits, or none" },
	{ "batching", "*", "preemptions", "whole, and one is followed by others" },
	{ "disaggregation", "*", "goodput_req_s", "requests in time are counted" },
	{ "disaggregation", "*", "aggregated_req_s", "the same, and another chunk is best" },
	{ "disaggregation", "*", "gain", "a ratio of two such counts" },
	{ "disaggregation", "*", "best_ratio", "whole GPUs" },
	{ "disaggregation", "*", "chunk_tokens", "the best of five" },
	{ "disaggregation", "*", "shared_ttft_p99_ms", "those of another chunk" },
	{ "disaggregation", "*", "shared_itl_p99_ms", "the same" },
	{ "disaggregation", "*", "preemptions", "whole, and one is followed by others" },
	{ "queueing", "*", "wait_p99_services", "nobody waits in 99 of 100, or somebody does" },
	{ "queueing", "*", "wait_p99_ms", "the same" },
	{ "queueing", "*", "p99_theory_ms", "the same" },
	{ "queueing", "utilisation", "*", "near 1 waits grow as 1 / (1 - it), without end" },
	{ "queueing", "arrival_cv", "*",
		"another number is rejected, and all draws after it are others" },
	{ "queueing", "service_cv", "*", "the same" },
	{ "allreduce", "*", "exposed_ms", "what sticks out of a backward pass of the same length" },
	{ "scaling", "*", "exposed_comm_s", "the same" },
	{ "moe", "skew", "*", "tokens are drawn: one of few that goes elsewhere" },
	{ "moe", "capacity_factor", "*", "whole rows, and few where the batch is small" },
	{ "occupancy", "shared_KiB", "*", "blocks come whole, and so do the partings of the L1" },
	{ "capacity", "*", "*", "whole GPUs and layouts" },
	{ "caselab", "*", "left_usd", "money earned and spent cancels" },
};

static bool may_jump(const char *sim, const char *knob, const char *value)
{
	for (size_t i = 0; i < COUNT(jumps); i++)
		if (strcmp(jumps[i].sim, sim) == 0 && matches(jumps[i].knob, knob) &&
			matches(jumps[i].value, value))
			return true;
	return false;
}

static bool is_smooth(const struct sim *s, const double v[], size_t i)
{
	const struct knob *k = &s->knobs[i];
	return k->kind == KNOB_NUMBER && !k->integer && knob_matters(s, v, i) &&
	       !(v[i] <= 0 && k->zero);
}

/* A thousandth of the value; near 0 a millionth of an even track. */
static double small_step(const struct knob *k, double value)
{
	double least = k->geometric ? 0 : (k->max - k->min) / 1000;
	return fmin(k->max, value + fmax(fabs(value), least) / 1000);
}

/* Near 0 a change is judged by what the value is at the defaults. */
static void expect_no_jump(const struct sim *s, const struct figure *usual, const struct figure *at,
	double v[], size_t knob)
{
	static const double most = 0.2, small = 0.01, nothing = 1e-5;
	double from = v[knob];
	char text[1024];
	v[knob] = small_step(&s->knobs[knob], from);
	struct figure next = run(s, v);
	for (size_t i = 0; i < at->n_values; i++) {
		const struct value *a = &at->values[i], *b = figure_find(&next, a->id);
		const struct value *d = figure_find(usual, a->id);
		/* In proportion, from nothing. */
		if (from <= 0 && fabs(a->value) <= 0)
			continue;
		if (!b || !isfinite(a->value) || !isfinite(b->value) ||
			may_jump(s->id, s->knobs[knob].id, a->id))
			continue;
		double scale = fmax(nothing, fmax(fabs(a->value), fabs(b->value)));
		scale = d && isfinite(d->value) ? fmax(scale, small * fabs(d->value)) : scale;
		bool smooth = fabs(b->value - a->value) <= most * scale;
		cr_expect(smooth, "%s from %.9g by a thousandth: %s %g -> %g\n%s",
			s->knobs[knob].id, from, a->id, a->value, b->value,
			setting_text(s, &t, v, text, sizeof text));
	}
	figure_release(&next);
	v[knob] = from;
}

Test(laws_sims, small_steps_are_small, .description = "long", .timeout = 7200)
{
	size_t settings = laws_count("LAWS_SETTINGS", 20);
	for (size_t i = 0; i < n_sims; i++) {
		const struct sim *s = sims[i];
		struct rng r = rng_stream(14, s->id, 2);
		double v[MAX_KNOBS];
		sim_defaults(s, &t, v);
		struct figure usual = run(s, v);
		for (size_t n = 0; n < settings; n++) {
			random_setting(s, &t, &r, v);
			struct figure at = run(s, v);
			/* One knob at a time, another in each setting. */
			size_t first = rng_below(&r, s->n_knobs);
			for (size_t k = 0; k < s->n_knobs; k++) {
				size_t knob = (first + k) % s->n_knobs;
				if (is_smooth(s, v, knob)) {
					expect_no_jump(s, &usual, &at, v, knob);
					break;
				}
			}
			figure_release(&at);
		}
		figure_release(&usual);
	}
}
