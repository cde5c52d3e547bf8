#include "sims/formula.h"
#include "sims/quantity.h"
#include "sims/sim.h"
#include "sims/training.h"

#include <math.h>
#include <string.h>

/* clang-format off */
enum {
	GPUS, GPU, WORKLOAD, MODE, GLOBAL_BATCH, GPU_BATCH, STRATEGY, GPUS_PER_NODE, INTRA, INTER, LATENCY,
	OVERLAP, JITTER, PRICE, N_KNOBS
};
enum { MODE_STRONG, MODE_WEAK };
enum { MAX_GPUS = 16384 };

static const char *const mode_ids[] = { "strong", "weak", NULL };
static const char *const strategy_ids[] = { "ddp", "fsdp", NULL };
static const char *const strategy_names[] = { "DDP", "FSDP" };
static const char *const workload_names[] = { "ResNet-50", "BERT-large", "Llama-2 7B",
	"Llama-3 70B", "GPT-3 175B" };

static const struct knob knobs[] = {
	[GPUS] = { "gpus", "GPUs", "", KNOB_NUMBER, 1, MAX_GPUS, 8, .step = 2, .geometric = true,
		.integer = true,
		.help = "more GPUs share the work, and every one more is one more to wait for" },
	[GPU] = { "gpu", "GPU", "", KNOB_GPU, .dflt_choice = "a100",
		.help = "a faster GPU leaves less time to hide the same bytes behind" },
	[WORKLOAD] = { "workload", "workload", "", KNOB_CHOICE, .choices = workload_ids,
		.choice_names = workload_names, .dflt_choice = "resnet50",
		.help = "what counts is work per byte of gradient: long sequences scale, small "
			"models do not" },
	[MODE] = { "mode", "scaling", "", KNOB_CHOICE, .choices = mode_ids, .dflt_choice = "weak",
		.help = "strong: one batch split ever finer; weak: each GPU keeps its own, so the "
			"batch grows" },
	[GLOBAL_BATCH] = { "global_batch", "batch", "", KNOB_NUMBER, 0, 65536, 0, .step = 2,
		.geometric = true, .integer = true, .zero = "auto", .when = "mode=strong",
		.help = "of all GPUs; auto is the workload's usual one: 2,048 images, 32,768 sequences of "
			"BERT, 4 M tokens; a bigger one hides communication, at last it does not converge" },
	[GPU_BATCH] = { "gpu_batch", "batch per GPU", "", KNOB_NUMBER, 0, 65536, 0, .step = 2,
		.geometric = true, .integer = true, .zero = "auto", .when = "mode=weak",
		.help = "auto is the workload's usual one: 256 images or sequences of BERT, 16 K tokens; a "
			"bigger one gives each step more to compute for the same communication" },
	[STRATEGY] = { "strategy", "strategy", "", KNOB_CHOICE, .choices = strategy_ids,
		.choice_names = strategy_names, .dflt_choice = "ddp",
		.help = "FSDP shards weights, gradients and optimizer state, and pays 1.5 times "
			"the traffic, in every micro-batch" },
	[GPUS_PER_NODE] = { "gpus_per_node", "GPUs per node", "", KNOB_NUMBER, 1, 72, 8, .step = 2,
		.geometric = true, .integer = true,
		.help = "inside a node gradients cross the fast link, outside the network" },
	[INTRA] = { "intra_GBps", "link in node", "GB/s",
		KNOB_NUMBER, 0, 2000, 0, .step = 25, .zero = "auto",
		.help = "auto is the GPU's own link; datasheets add both directions: an A100's 600 GB/s of "
			"NVLink are 300 one way" },
	[INTER] = { "inter_GBps", "network per GPU", "GB/s", KNOB_NUMBER, 0.1, 1000, 25,
		.step = 1.4142135623730951, .geometric = true,
		.help = "200 Gb/s are 25 GB/s; a node that shares one NIC divides it by its GPUs" },
	[LATENCY] = { "latency_us", "latency", "us", KNOB_NUMBER, 0.1, 1000, 5,
		.step = 1.4142135623730951, .geometric = true,
		.help = "a ring pays it once per node, a tree once per doubling: it counts when "
			"buckets are small and nodes many" },
	[OVERLAP] = { "overlap", "overlap", "", KNOB_NUMBER, 0, 1, 0.9, .step = 0.05,
		.help = "the share of the backward pass behind which gradients may travel; the last "
			"bucket never hides" },
	[JITTER] = { "jitter_pct", "jitter", "%", KNOB_NUMBER, 0, 50, 2,
		.step = 0.5,
		.help = "all wait for the slowest: the expected worst of N grows with N although "
			"each is as good as before" },
	[PRICE] = { "price_per_gpu_h", "price per hour", "$",
		KNOB_NUMBER, 0, 100, 0, .step = 0.1, .zero = "auto",
		.help = "auto is the GPU's usual price; the bill is GPUs x hours: what efficiency loses, it "
			"pays" },
};
/* clang-format on */

/* Everything that the figure is made of. */
struct setting {
	const double *v;
	int mode;
	struct training training; /* at the knobs' GPU count */
	double one_rate;          /* samples per s of one GPU */
	double price_per_h;
};

/* How the machines of NVIDIA's tables differ: the DGX-1's CPUs prepare half of what the DGX A100's
 * do (8 V100 are held to 8,322 images/s), and since Hopper the GPUs decode. */
static double input_rate(const struct workload *w, const char *family)
{
	if (family && (strcmp(family, "volta") == 0 || strcmp(family, "turing") == 0))
		return w->input_per_s / 2;
	if (family && (strcmp(family, "hopper") == 0 || strcmp(family, "blackwell") == 0))
		return w->input_per_s * 4;
	return w->input_per_s;
}

static struct training training_at(const struct setting *s, double gpus)
{
	struct training t = s->training;
	t.gpus = gpus;
	const struct workload *w = t.workload;
	if (s->mode == MODE_WEAK)
		t.global_batch = gpus * (s->v[GPU_BATCH] > 0 ? s->v[GPU_BATCH] : w->gpu_batch);
	else
		t.global_batch = s->v[GLOBAL_BATCH] > 0 ? s->v[GLOBAL_BATCH] : w->global_batch;
	return t;
}

static struct training_step step_at(const struct setting *s, double gpus)
{
	struct training t = training_at(s, gpus);
	return training_step(&t);
}

static struct setting setting_of(const struct tables *tables, const double v[], int mode)
{
	const struct accelerator *gpu = &tables->gpus[(size_t)v[GPU]];
	const struct workload *w = &workloads[(size_t)v[WORKLOAD]];
	double intra = v[INTRA] > 0 ? v[INTRA] * 1e9 : gpu->link_bandwidth;
	struct network net = network_measured(
		gpu->family, v[GPUS_PER_NODE], intra, v[INTER] * 1e9, v[LATENCY] * 1e-6);
	struct setting s = { .v = v,
		.mode = mode,
		.training = training_defaults(w, gpu, net),
		.price_per_h = v[PRICE] > 0 ? v[PRICE] : gpu->usd_per_hour };
	s.training.strategy = (int)v[STRATEGY] == 0 ? STRATEGY_DDP : STRATEGY_FSDP;
	s.training.overlap = v[OVERLAP];
	s.training.jitter = v[JITTER] / 100;
	s.training.input_per_s = input_rate(w, gpu->family);
	s.one_rate = step_at(&s, 1).samples_per_s;
	return s;
}

static double hours(const struct setting *s, double samples_per_s)
{
	const struct workload *w = s->training.workload;
	return w->samples_to_train * w->overhead / samples_per_s / 3600;
}

static double cost(const struct setting *s, double gpus, double time_h)
{
	return CALL(training_cost, .gpus = gpus, .time = time_h * 3600,
		.price_per_hour = s->price_per_h);
}

/* A quantity for people, owned by the figure. */
static const char *text_of(struct figure *fig, double value, const char *unit)
{
	char text[64];
	return figure_text(fig, "%s", quantity_format(text, sizeof text, value, unit));
}

static const char *hours_text(struct figure *fig, double h)
{
	if (h < 1.0 / 60)
		return text_of(fig, h * 3600, "s");
	if (h < 1)
		return text_of(fig, h * 60, "min");
	return h < 100 ? text_of(fig, h, "h") : text_of(fig, h / 24, "day");
}

static void note(struct value *v, const char *text)
{
	if (v)
		v->note = text;
}

static const char *percent(struct figure *fig, double share)
{
	return text_of(fig, 100 * share, "%");
}

static void values(struct figure *fig, const struct setting *s, const struct training_step *r)
{
	double n = s->v[GPUS], time_h = hours(s, r->samples_per_s);
	double gain = CALL(throughput_speedup, .throughput_one = s->one_rate,
		.throughput_n = r->samples_per_s);
	double efficiency = gain / n;
	enum role role = efficiency >= 0.8 ? ROLE_GOOD : efficiency >= 0.5 ? ROLE_WARN : ROLE_BAD;
	const char *rate = figure_text(fig, "%s/s", s->training.workload->sample);
	figure_value(fig, "speedup", "speed-up", gain, "x", role);
	note(figure_value(fig, "efficiency", "efficiency", efficiency, "", role),
		percent(fig, efficiency));
	figure_value(fig, "step_s", "step", r->step_s, "s", ROLE_PLAIN);
	note(figure_value(fig, "exposed_comm_s", "exposed comm", r->exposed_s, "s",
		     r->exposed_s > 0.1 * r->step_s ? ROLE_WARN : ROLE_PLAIN),
		"that nothing hides");
	note(figure_value(fig, "time_h", "training", time_h, "h", ROLE_PLAIN),
		time_h < 1 || time_h >= 100 ? hours_text(fig, time_h) : NULL);
	figure_value(fig, "cost_usd", "cost", cost(s, n, time_h), "$", ROLE_PLAIN);
	note(figure_value(fig, "mfu", "MFU", r->mfu, "", ROLE_PLAIN), percent(fig, r->mfu));
	figure_value(fig, "samples_per_s", "throughput", r->samples_per_s, rate, ROLE_PLAIN);
	figure_value(fig, "compute_s", "compute", r->compute_s, "s", ROLE_PLAIN);
	figure_value(fig, "fixed_s", "fixed", r->fixed_s, "s", ROLE_PLAIN);
	figure_value(fig, "comm_s", "all comm", r->comm_s, "s", ROLE_PLAIN);
	figure_value(fig, "straggler_s", "stragglers", r->straggler_s, "s", ROLE_PLAIN);
	figure_value(fig, "input_wait_s", "input wait", r->input_wait_s, "s",
		r->input_wait_s > 0 ? ROLE_WARN : ROLE_PLAIN);
	figure_value(fig, "per_gpu_batch", "batch per GPU", r->gpu_batch, "", ROLE_PLAIN);
	figure_value(fig, "global_batch", "global batch", training_at(s, n).global_batch, "",
		ROLE_PLAIN);
	figure_value(fig, "micro_batches", "micro-batches", r->micro_batches, "", ROLE_PLAIN);
}

static void measured_points(struct figure *fig, struct plot *p, const struct setting *s)
{
	static const char *const names[] = { "NVIDIA examples", "MLPerf (tuned)" };
	for (unsigned kind = 0; kind < 2; kind++) {
		struct series *points = NULL;
		for (size_t i = 0; i < n_measured_training; i++) {
			const struct measured_training *m = &measured_training[i];
			if (m->mlperf != (kind == 1) ||
				&workloads[m->workload] != s->training.workload ||
				strcmp(m->gpu, s->training.gpu->id) != 0)
				continue;
			if (!points)
				points = plot_series(fig, p, names[kind], SERIES_POINTS, 3 + kind);
			if (points)
				points->measured = true;
			series_point(fig, points, m->gpus, hours(s, m->samples_per_s));
		}
	}
}

static void rule_here(struct figure *fig, struct plot *p, const struct setting *s)
{
	plot_rule(fig, p, false, s->v[GPUS], text_of(fig, s->v[GPUS], "GPU"), ROLE_ACCENT);
}

static void plot_time(struct figure *fig, const struct setting *s)
{
	struct plot *p = figure_plot(fig, "Training time against GPUs", "GPUs", "", AXIS_LOG2,
		"Training time", "h", AXIS_LOG10);
	struct series *ideal = plot_series(fig, p, "linear ideal", SERIES_DASHED, 1);
	struct series *actual = plot_series(fig, p, "modelled", SERIES_LINE, 0);
	measured_points(fig, p, s);
	for (double n = 1; n <= MAX_GPUS; n *= 2) {
		series_point(fig, ideal, n, hours(s, n * s->one_rate));
		series_point(fig, actual, n, hours(s, step_at(s, n).samples_per_s));
	}
	rule_here(fig, p, s);
}

/* Both ways to scale, so that the one is read beside the other. */
static void plot_efficiency(
	struct figure *fig, const struct tables *tables, const struct setting *s)
{
	struct plot *p = figure_plot(fig, "Efficiency, strong and weak", "GPUs", "", AXIS_LOG2,
		"Efficiency", "%", AXIS_LINEAR);
	struct series *ideal = plot_series(fig, p, "linear ideal", SERIES_DASHED, 1);
	series_point(fig, ideal, 1, 100);
	series_point(fig, ideal, MAX_GPUS, 100);
	for (int mode = MODE_STRONG; mode <= MODE_WEAK; mode++) {
		struct setting m = setting_of(tables, s->v, mode);
		struct series *line = plot_series(fig, p,
			mode == MODE_STRONG ? "strong: one batch, split" : "weak: a batch each",
			SERIES_LINE, mode == s->mode ? 0 : 2);
		for (double n = 1; n <= MAX_GPUS; n *= 2)
			series_point(fig, line, n,
				100 * step_at(&m, n).samples_per_s / (n * m.one_rate));
	}
	if (p)
		p->y.min = 0;
	rule_here(fig, p, s);
}

static void plot_cost(struct figure *fig, const struct setting *s)
{
	if (s->price_per_h <= 0)
		return; /* nothing to show on a logarithmic axis */
	struct plot *p = figure_plot(
		fig, "What the training costs", "GPUs", "", AXIS_LOG2, "Cost", "$", AXIS_LOG10);
	struct series *ideal = plot_series(fig, p, "linear ideal", SERIES_DASHED, 1);
	struct series *actual = plot_series(fig, p, "modelled", SERIES_LINE, 0);
	double least = cost(s, 1, hours(s, s->one_rate));
	for (double n = 1; n <= MAX_GPUS; n *= 2) {
		series_point(fig, ideal, n, least);
		series_point(fig, actual, n, cost(s, n, hours(s, step_at(s, n).samples_per_s)));
	}
	rule_here(fig, p, s);
}

static void add_bar(struct figure *fig, struct bars *b, const struct setting *s, double n)
{
	struct training_step r = step_at(s, n);
	const double parts[] = { 100 * r.compute_s / r.step_s, 100 * r.fixed_s / r.step_s,
		100 * r.exposed_s / r.step_s, 100 * r.straggler_s / r.step_s,
		100 * r.input_wait_s / r.step_s };
	struct bar *bar = bars_add(fig, b, text_of(fig, n, "GPU"), parts);
	if (!bar)
		return;
	bar->note = figure_text(fig, "%.0f %% useful, %s", parts[0], text_of(fig, r.step_s, "s"));
	bar->role = n == s->v[GPUS] ? ROLE_ACCENT : ROLE_PLAIN;
}

static void bars(struct figure *fig, const struct setting *s)
{
	static const char *const parts[] = { "compute", "fixed", "exposed communication",
		"stragglers", "input" };
	static const double counts[] = { 1, 8, 64, 512, 4096, MAX_GPUS };
	struct bars *b =
		figure_bars(fig, "Where the step goes", "%", parts, sizeof parts / sizeof *parts);
	double last = 0, here = s->v[GPUS];
	if (b)
		b->shares = true;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		if (last < here && here < counts[i])
			add_bar(fig, b, s, here);
		add_bar(fig, b, s, counts[i]);
		last = counts[i];
	}
}

/* How often the largest batch that is known to converge goes into this one; over 1: nobody knows.
 */
static double batch_excess(const struct setting *s)
{
	const struct workload *w = s->training.workload;
	return training_at(s, s->v[GPUS]).global_batch / w->known_batch;
}

static void warn_batch(struct figure *fig, const struct setting *s)
{
	const struct workload *w = s->training.workload;
	double batch = training_at(s, s->v[GPUS]).global_batch;
	if (batch_excess(s) <= 1)
		return;
	figure_note(fig, ROLE_WARN,
		"A global batch of %s is beyond the largest that is known to converge, %s (%s)%s. "
		"The times hold only if it did; strong scaling (mode=strong) keeps the batch.",
		text_of(fig, batch, w->sample), text_of(fig, w->known_batch, ""), w->known_by,
		w->dataset > 0 && batch > w->dataset
			? figure_text(fig, ", and more than the whole data set of %s",
				  text_of(fig, w->dataset, ""))
			: "");
}

/* Inputs outside of what the model, or a machine, can do. */
static void warnings(struct figure *fig, const struct setting *s, const struct training_step *r)
{
	const struct workload *w = s->training.workload;
	double n = s->v[GPUS], idle = n - r->active_gpus;
	warn_batch(fig, s);
	if (idle > 0)
		figure_note(fig, ROLE_WARN,
			"%s of %s GPUs are idle: a batch of %s has no %s for them. Data "
			"parallelism ends here; a larger batch, or tensor and pipeline "
			"parallelism, goes on.",
			text_of(fig, idle, ""), text_of(fig, n, ""),
			text_of(fig, training_at(s, n).global_batch, ""), w->sample);
	double state = 16 * w->params / (s->training.strategy == STRATEGY_FSDP ? n : 1);
	if (state > s->training.gpu->memory_bytes)
		figure_note(fig, ROLE_WARN,
			"%s of weights, gradients and optimizer state per GPU do not fit in "
			"%s: the times hold for an imagined larger card.",
			text_of(fig, state, "B"), text_of(fig, s->training.gpu->memory_bytes, "B"));
	if (s->price_per_h <= 0)
		figure_note(fig, ROLE_PLAIN,
			"No price is known for this GPU: set one to see the bill.");
	if (n > 1 && r->samples_per_s > n * s->one_rate)
		figure_note(fig, ROLE_PLAIN,
			"More than linear: each GPU updates only its shard of the optimizer state, "
			"which one GPU must do whole.");
}

/* Of what the step takes beyond an n-th of the same samples' time on one GPU. */
static const char *largest_loss(const struct setting *s, const struct training_step *r)
{
	const struct training_step one = step_at(s, 1);
	double n = s->v[GPUS];
	double share = training_at(s, n).global_batch / training_at(s, 1).global_batch / n;
	const struct {
		double seconds, one_s;
		const char *name;
	} losses[] = { { r->exposed_s, one.exposed_s, "Communication that nothing hides" },
		{ r->straggler_s, one.straggler_s, "Waiting for the slowest GPU" },
		{ r->input_wait_s, one.input_wait_s, "Waiting for samples from the CPUs" },
		{ r->fixed_s, one.fixed_s, "What every step pays (launches, optimizer)" },
		{ r->compute_s, one.compute_s, "A batch that does not divide evenly" } };
	size_t worst = 0;
	double most_s = 0;
	for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
		double lost_s = losses[i].seconds - share * losses[i].one_s;
		if (lost_s > most_s * (1 + 1e-9)) {
			most_s = lost_s;
			worst = i;
		}
	}
	return losses[worst].name;
}

/* The one sentence: the cause first. */
static void why(struct figure *fig, const struct setting *s, const struct training_step *r)
{
	double n = s->v[GPUS], efficiency = r->samples_per_s / s->one_rate / n;
	double idle = n - r->active_gpus;
	const char *time = hours_text(fig, hours(s, r->samples_per_s));
	const char *gpus = text_of(fig, n, "GPU"), *unit = s->training.workload->sample;
	const char *work = text_of(fig, n * efficiency, ""), *share = percent(fig, efficiency);
	double batch = training_at(s, n).global_batch;
	if (batch_excess(s) > 1)
		figure_why(fig,
			"No batch of %s is known to converge (%s is): the %s on %s are arithmetic, "
			"not a training.",
			text_of(fig, batch, unit),
			text_of(fig, s->training.workload->known_batch, ""), time, gpus);
	else if (n == 1)
		figure_why(fig, "One GPU waits for nobody: its %s are the measure of all others.",
			time);
	else if (idle > 0)
		figure_why(fig,
			"A batch of %s has work for %.0f of %s: together they do that of %s (%s) "
			"and train in %s.",
			text_of(fig, batch, unit), r->active_gpus, gpus, work, share, time);
	else
		figure_why(fig, "%s costs most: %s do the work of %s (%s) and train in %s.",
			largest_loss(s, r), gpus, work, share, time);
}

static void explain(struct figure *fig, const struct setting *s, const struct training_step *r)
{
	const struct accelerator *gpu = s->training.gpu;
	const struct network *net = &s->training.net;
	figure_subtitle(fig, "%s · %s · %s scaling", s->training.workload->name, gpu->name,
		mode_ids[s->mode]);
	why(fig, s, r);
	figure_assume(fig,
		"links one direction: %.0f GB/s in the node%s, %.3g GB/s per GPU between",
		net->intra_bandwidth / 1e9,
		s->v[INTRA] > 0 || gpu->link_bandwidth > 0 ? "" : " (PCIe)",
		net->inter_bandwidth / 1e9);
	figure_assume(fig,
		"the library picks the quickest of ring, tree, levels and in-switch sums, at "
		"the efficiency measured in a node (%.0f %% of the link for a ring)",
		100 * net->intra_efficiency);
	figure_assume(fig,
		"DDP sends 25 MB buckets during the last backward pass; FSDP gathers every "
		"layer twice and scatters once per micro-batch");
	figure_assume(fig,
		"micro-batches of at most %.0f; step times of GPUs independent and normal",
		s->training.workload->micro_batch);
	figure_assume(fig, "%s to train whatever the batch; wall time %.0f %% above the steps",
		text_of(fig, s->training.workload->samples_to_train, s->training.workload->sample),
		100 * (s->training.workload->overhead - 1));
	figure_leave_out(fig,
		"tensor and pipeline parallelism, memory, failures, congestion of the "
		"network, the slowdown of kernels while communication runs");
	figure_leave_out(fig,
		"that large batches converge in fewer, worse steps, and the time between "
		"epochs, which more GPUs do not shorten");
	fig->accuracy =
		figure_text(fig, "MLPerf 1.0 to 3.1, from the smallest run of each system: "
				 "throughput per GPU within 8 points for four rows in five");
}

static void run(const struct tables *tables, const double v[], struct figure *fig)
{
	struct setting s = setting_of(tables, v, (int)v[MODE]);
	struct training_step r = step_at(&s, v[GPUS]);
	values(fig, &s, &r);
	explain(fig, &s, &r);
	warnings(fig, &s, &r);
	plot_time(fig, &s);
	bars(fig, &s);
	plot_efficiency(fig, tables, &s);
	plot_cost(fig, &s);
}

const struct sim scaling_sim = {
	.id = "scaling",
	.title = "Scaling",
	.summary = "Training time against GPU count, where the step goes, and what it costs",
	.page = "overview",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.run = run,
};
