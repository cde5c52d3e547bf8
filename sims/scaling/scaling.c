/* Scaling: the training time of a workload against the number of GPUs, where the step goes, and
 * what it costs. The step itself is sims/training/training.h. */
#include "sims/constants.h"
#include "sims/architecture/model_bytes.h"
#include "sims/base/array.h"
#include "sims/formulas/scaling.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"
#include "sims/figure/uncovered.h"
#include "sims/training/model_params.h"
#include "sims/training/training.h"
#include "sims/published/overlay.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
	SCALING_GPUS,
	SCALING_GPU,
	SCALING_WORKLOAD,
	SCALING_MODEL,
	SCALING_MODE,
	SCALING_GLOBAL_BATCH,
	SCALING_GPU_BATCH,
	SCALING_STRATEGY,
	SCALING_EP,
	SCALING_SOFTWARE,
	SCALING_RECIPE,
	SCALING_CHECKPOINTING,
	SCALING_GPUS_PER_NODE,
	SCALING_INTRA,
	SCALING_INTER,
	SCALING_LATENCY,
	SCALING_OVERLAP,
	SCALING_JITTER,
	SCALING_PRICE,
	N_SCALING_KNOBS
};
enum { MODE_STRONG, MODE_WEAK };

/* Steps of one scaling that were asked for, by their GPUs: the curves of a figure share most of them. */
enum { MOST_STEPS = 32 };
struct known_steps {
	size_t n;
	double gpus[MOST_STEPS];
	struct training_step step[MOST_STEPS];
};

/* Everything that the figure is made of. */
struct scaling {
	const double *v;
	int mode;
	struct known_steps *known;    /* of this training and mode */
	struct training training;     /* at the knobs' GPU count */
	struct training_workload own; /* of a model that is no listed workload */
	double one_rate;              /* samples per s of one GPU */
	double price_per_h;
	double last_gpus; /* where the axes of GPUs end */
};

enum { MANY_GPUS = 1024, MAX_GPUS = 16384 };

static const char *const mode_ids[] = { "strong", "weak", NULL };
static const char *const strategy_ids[] = { "ddp", "fsdp", NULL };
static const char *const strategy_names[] = { "DDP", "FSDP" };
static const char *const workload_names[] = { "ResNet-50", "BERT-large", "Llama-2 7B",
	"Llama-3 70B", "GPT-3 175B" };

static const struct knob knobs[] = {
	[SCALING_GPUS] = KNOB_DOUBLING("gpus", "GPUs", "", 1, MAX_GPUS, 64,
		"more GPUs share the work, and every one more is one more to wait for"),
	[SCALING_GPU] =
		KNOB_ANY_GPU("a100", "a faster GPU leaves less time to hide the same bytes behind"),
	[SCALING_WORKLOAD] = KNOB_CHOICE_OF("workload", "workload", workload_ids, workload_names,
		"resnet50",
		"what counts is work per byte of gradient: long sequences scale, small models do "
		"not"),
	[SCALING_MODEL] = KNOB_MODEL_OR_NONE("model", "model",
		"any language model in place of the workload: 20 tokens for each parameter that a "
		"token passes, 4 M tokens a step",
		.group = "training"),
	[SCALING_MODE] = KNOB_CHOICE_OF("mode", "scaling", mode_ids, NULL, "strong",
		"strong: one batch split ever finer; weak: each GPU keeps its own, so the batch "
		"grows"),
	[SCALING_GLOBAL_BATCH] = KNOB_DOUBLING("global_batch", "batch", "", 0, 65536, 0,
		"of all GPUs; auto is the workload's usual one: 2,048 images, 32,768 sequences of "
		"BERT, 4 M tokens; a bigger one hides communication, at last it does not converge",
		.zero = "auto", .stands_for = "global_batch",
		.when = { WHEN(SCALING_MODE, MODE_STRONG) }),
	[SCALING_GPU_BATCH] = KNOB_DOUBLING("gpu_batch", "batch per GPU", "", 0, 65536, 0,
		"auto is the workload's usual one: 256 images or sequences of BERT, 16 K tokens; "
		"a bigger one gives each step more to compute for the same communication",
		.zero = "auto", .stands_for = "per_gpu_batch",
		.when = { WHEN(SCALING_MODE, MODE_WEAK) }, .group = "training"),
	[SCALING_STRATEGY] = KNOB_CHOICE_OF("strategy", "strategy", strategy_ids, strategy_names,
		"ddp",
		"FSDP shards weights, gradients and optimizer state, and pays 1.5 times the "
		"traffic, in every micro-batch",
		.group = "training"),
	[SCALING_EP] = KNOB_DOUBLING("ep", "expert groups", "", 0, 1024, 0,
		"of a mixture: groups of GPUs to which its experts are dealt; tokens travel to them "
		"and back in every layer. auto: as many as a node has GPUs",
		.zero = "auto", .stands_for = "ep", .group = "training"),
	[SCALING_SOFTWARE] = KNOB_CHOICE_OF("software", "software", software_ids, software_labels,
		"megatron2025", software_help, .group = "training"),
	[SCALING_RECIPE] = KNOB_CHOICE_OF("act_dtype", "products in", step_recipe_ids,
		step_recipe_names, "bf16",
		"of a language model's step, a recipe: narrower products are up to twice or four "
		"times as fast, so that less hides the same gradients, which stay in BF16",
		.group = "training"),
	[SCALING_CHECKPOINTING] = KNOB_CHOICE_OF("checkpointing", "checkpointing", recompute_ids,
		NULL, "none",
		"of a language model's step: full keeps each layer's input only and runs forward "
		"again, a third more compute",
		.group = "training"),
	[SCALING_GPUS_PER_NODE] = KNOB_DOUBLING("gpus_per_node", "GPUs per node", "", 1, 72,
		NODE_GPUS, "inside a node gradients cross the fast link, outside the network",
		.group = "network"),
	[SCALING_INTRA] = KNOB_LINEAR("intra_GBps", "link in node", "GB/s", 0, 2000, 0, 25,
		"auto is the GPU's own link; datasheets add both directions: an A100's 600 GB/s "
		"of NVLink are 300 one way",
		.zero = "auto", .group = "network"),
	[SCALING_INTER] = KNOB_FACTOR("inter_GBps", "network per GPU", "GB/s", 0.1, 1000,
		NETWORK_CARD_GB_PER_S, HALF_AN_OCTAVE,
		"200 Gb/s are 25 GB/s; a node that shares one NIC divides it by its GPUs"),
	[SCALING_LATENCY] = KNOB_FACTOR("latency_us", "latency", "us", 0.1, 1000,
		NETWORK_LATENCY_US, HALF_AN_OCTAVE,
		"a ring pays it once per node, a tree once per doubling: it counts when buckets "
		"are small and nodes many",
		.group = "network"),
	[SCALING_OVERLAP] = KNOB_LINEAR("overlap", "overlap", "", 0, 1, 0.9, 0.05,
		"the share of the backward pass behind which gradients may travel; the last "
		"bucket never hides"),
	[SCALING_JITTER] = KNOB_LINEAR("jitter_pct", "jitter", "%", 0, 50, 2, 0.5,
		"all wait for the slowest: the expected worst of N grows with N although each is "
		"as good as before",
		.group = "training"),
	[SCALING_PRICE] = KNOB_LINEAR("price_per_gpu_h", "price per hour", "$", 0, 100, 0, 0.1,
		"auto is the GPU's usual price; the bill is GPUs x hours: what efficiency loses, "
		"it pays",
		.zero = "auto", .group = "money"),
};

/* The training on another number of GPUs; its batch grows with them in weak scaling. */
static struct training scaling_at(const struct scaling *s, double gpus)
{
	struct training t = s->training;
	t.gpus = gpus;
	const struct training_workload *w = t.workload;
	assert(w);
	if (s->mode == MODE_WEAK)
		t.global_batch = gpus * (s->v[SCALING_GPU_BATCH] > 0 ? s->v[SCALING_GPU_BATCH]
								     : w->gpu_batch);
	else
		t.global_batch = s->v[SCALING_GLOBAL_BATCH] > 0 ? s->v[SCALING_GLOBAL_BATCH]
								: w->global_batch;
	return t;
}

static struct training_step step_at(const struct scaling *s, double gpus)
{
	struct known_steps *known = s->known;
	for (size_t i = 0; i < known->n; i++)
		if (known->gpus[i] == gpus)
			return known->step[i];
	struct training t = scaling_at(s, gpus);
	struct training_step step = training_step(&t);
	if (known->n < MOST_STEPS) {
		known->gpus[known->n] = gpus;
		known->step[known->n++] = step;
	}
	return step;
}

/* The training of any language model: batches and tokens as usual, by Hoffmann et al. (2022) so many
 * for each parameter that a token passes; sequences of 4,096, or what it was trained for where that is less. */
static struct training_workload workload_of(const struct model *m)
{
	const double usual_seq = 4096, tokens_per_param = 20, step_tokens = 4194304,
		     gpu_tokens = 16384, pass_tokens = 8192;
	struct training_workload w = workloads[WORKLOAD_LLAMA2_7B];
	double seq = fmin(usual_seq, m->context > 0 ? m->context : usual_seq);
	w.id = m->id;
	w.name = m->name;
	w.model = m->id;
	w.params = m->params;
	w.layers = m->layers;
	w.hidden = m->hidden;
	w.seq = seq;
	w.kv = m->kv_heads * m->head_dim;
	w.micro_batch = fmax(1, floor(pass_tokens / seq));
	w.global_batch = floor(step_tokens / seq);
	w.gpu_batch = floor(gpu_tokens / seq);
	w.samples_to_train = tokens_per_param * model_active_params(m) / seq;
	w.known_batch = 4 * w.global_batch;
	w.causal = !m->encoder;
	w.loss_share = m->encoder ? workloads[WORKLOAD_BERT_LARGE].loss_share : 1;
	return w;
}

/* Steps are added to `known`, which is empty and outlives s. */
static void scaling_of(struct scaling *s, const struct tables *tables, const double v[], int mode,
	struct known_steps *known)
{
	const struct accelerator *gpu = gpu_at(tables, v[SCALING_GPU]);
	const struct training_workload *w = &workloads[(size_t)v[SCALING_WORKLOAD]];
	const struct model *own = model_or_none_at(tables, v[SCALING_MODEL]);
	*s = (struct scaling){ .v = v, .mode = mode, .known = known };
	if (own) {
		s->own = workload_of(own);
		w = &s->own;
	}
	double intra = v[SCALING_INTRA] > 0 ? v[SCALING_INTRA] * 1e9 : gpu->link_bandwidth;
	struct network net = network_measured(gpu->family, v[SCALING_GPUS_PER_NODE], intra,
		v[SCALING_INTER] * 1e9, v[SCALING_LATENCY] * 1e-6);
	s->training = training_defaults(w, gpu, net);
	s->price_per_h = v[SCALING_PRICE] > 0 ? v[SCALING_PRICE] : gpu->usd_per_hour;
	s->training.strategy = (int)v[SCALING_STRATEGY] == 0 ? STRATEGY_DDP : STRATEGY_FSDP;
	s->training.software = software_of(v[SCALING_SOFTWARE]);
	s->training.recompute = (enum recompute)v[SCALING_CHECKPOINTING];
	s->training.recipe = step_recipe_at(v[SCALING_RECIPE]);
	s->training.overlap = v[SCALING_OVERLAP];
	s->training.jitter = v[SCALING_JITTER] / 100;
	s->training.input_per_s = training_input_per_s(w, gpu->family);
	s->training.ep = v[SCALING_EP];
	s->training.model = own ? own : w->model ? model_find(tables, w->model) : NULL;
	training_know_sample(&s->training);
	s->one_rate = step_at(s, 1).samples_per_s;
}

/* The axis is a slider, so that it stays where it is under the hand: as far as most clusters go, or as
 * the knob does where it stands beyond that. */
static double last_gpus(const struct scaling *s)
{
	return s->v[SCALING_GPUS] < MANY_GPUS ? MANY_GPUS : MAX_GPUS;
}

/* Hours that the workload takes to train at such a rate. */
static double scaling_hours(const struct scaling *s, double samples_per_s)
{
	const struct training_workload *w = s->training.workload;
	assert(w);
	return w->samples_to_train * w->overhead / samples_per_s / HOUR_S;
}

static double cost(const struct scaling *s, double gpus, double time_h)
{
	return CALL(training_cost, .gpus = gpus, .time = time_h * HOUR_S,
		.price_per_hour = s->price_per_h);
}

/* --- why, warnings, assumptions -------------------------------------------------------------- */

/* Quantities for people, owned by the figure: "3.7 s", "51 min", "416 days". Only days are not what
 * figure_quantity makes of hours. */
static const char *scaling_hours_text(struct figure *fig, double h)
{
	return h < 100 ? figure_quantity(fig, h, "h")
		       : figure_quantity(fig, h / (DAY_S / HOUR_S), "day");
}

/* How often the largest batch that is known to converge goes into this one. Above 1 nobody knows
 * whether it does. */
static double batch_excess(const struct scaling *s)
{
	const struct training_workload *w = s->training.workload;
	return scaling_at(s, s->v[SCALING_GPUS]).global_batch / w->known_batch;
}

static void warn_batch(struct figure *fig, const struct scaling *s)
{
	const struct training_workload *w = s->training.workload;
	double batch = scaling_at(s, s->v[SCALING_GPUS]).global_batch;
	if (batch_excess(s) <= 1)
		return;
	figure_note(fig, ROLE_WARN,
		"A global batch of %s is beyond the largest that is known to converge, %s (%s)%s. "
		"The times hold only if it did; strong scaling (mode=strong) keeps the batch.",
		figure_quantity(fig, batch, w->sample), figure_quantity(fig, w->known_batch, ""),
		w->known_by,
		w->dataset > 0 && batch > w->dataset
			? figure_text(fig, ", and more than the whole data set of %s",
				  figure_quantity(fig, w->dataset, ""))
			: "");
}

/* The recipe that runs: a language model's, where the GPU has it. */
static const struct step_recipe *recipe_run(const struct scaling *s)
{
	const struct training *t = &s->training;
	return t->model ? step_recipe_on(t->recipe, t->gpu) : step_recipe_at(RECIPE_BF16);
}

/* Weights, gradients and optimizer of one of n GPUs: of layers as the recipe keeps them, of what is
 * around them in BF16. Of a mixture its experts are dealt whatever the strategy is. */
static double state_bytes(const struct scaling *s, double n, double ep)
{
	const struct model *m = s->training.model;
	const struct step_recipe *r = recipe_run(s);
	double all = m ? model_trained_params(m) : s->training.workload->params;
	struct model_params p = m ? model_params_of(m) : (struct model_params){ 0 };
	double experts = m ? p.experts * m->layers : 0;
	double narrow = m ? p.layer * m->layers : 0, wide = all - narrow - experts;
	double wide_weight = r->wide_layers * (BF16_BYTES - r->weight_bytes);
	double others = BF16_BYTES + FP32_BYTES + r->moment_bytes;
	double of_layers = others + r->weight_bytes + wide_weight;
	if (s->training.strategy == STRATEGY_FSDP)
		return ((others + BF16_BYTES) * wide + of_layers * (narrow + experts)) / n;
	return (others + BF16_BYTES) * wide + of_layers * (narrow + experts / fmax(1, ep));
}

/* A recipe that nothing runs in. */
static void warn_recipe(struct figure *fig, const struct scaling *s)
{
	const struct training *t = &s->training;
	char lack[160];
	if (!t->model && s->v[SCALING_RECIPE] != RECIPE_BF16)
		figure_note(fig, ROLE_WARN,
			"%s is a recipe for language models and changes nothing here.",
			step_recipe_name(t->recipe));
	else if (t->model && *step_recipe_lack(t->recipe, t->gpu, lack, sizeof lack))
		figure_note(fig, ROLE_WARN, "%s", lack);
}

/* Warns of inputs outside of what the model, or a machine, can do. */
static void scaling_warn(struct figure *fig, const struct scaling *s, const struct training_step *r)
{
	const struct training_workload *w = s->training.workload;
	double n = s->v[SCALING_GPUS], idle = n - r->active_gpus, ep = s->v[SCALING_EP];
	warn_batch(fig, s);
	warn_recipe(fig, s);
	if (ep > 1 && r->ep != ep)
		figure_note(fig, ROLE_WARN,
			r->ep > 1
				? "Experts and GPUs divide into %g groups, not into %g."
				: "Experts are dealt to %g group, not to %g: there are none, or no "
				  "GPUs for them.",
			r->ep, ep);
	if (idle > 0)
		figure_note(fig, ROLE_WARN,
			"%s of %s GPUs are idle: a batch of %s has no %s for them. Data "
			"parallelism ends here; a larger batch, or tensor and pipeline "
			"parallelism, goes on.",
			figure_quantity(fig, idle, ""), figure_quantity(fig, n, ""),
			figure_quantity(fig, scaling_at(s, n).global_batch, ""), w->sample);
	double state = state_bytes(s, n, r->ep);
	if (state > s->training.gpu->memory_bytes)
		figure_note(fig, ROLE_WARN,
			"%s of weights, gradients and optimizer state per GPU do not fit in %s: "
			"the times hold for an imagined larger card.",
			figure_quantity(fig, state, "B"),
			figure_quantity(fig, s->training.gpu->memory_bytes, "B"));
	if (s->price_per_h <= 0)
		figure_note(fig, ROLE_PLAIN,
			"No price is known for this GPU: set one to see the bill.");
	if (n > 1 && r->samples_per_s > n * s->one_rate)
		figure_note(fig, ROLE_PLAIN,
			"More than linear: each GPU updates only its shard of the optimizer state, "
			"which one GPU must do whole%s.",
			r->ep > 1 ? ", and its experts multiply the tokens of all of their group"
				  : "");
}

/* What takes time from n GPUs: in a sentence, at the curve, and in the colour that it has in a step. */
enum loss {
	LOST_TO_LINKS,
	LOST_TO_SLOWEST,
	LOST_TO_SAMPLES,
	LOST_TO_FIXED,
	LOST_TO_BATCH,
	N_LOSSES
};
static const struct {
	const char *name, *mark;
	enum meaning meaning;
} losses[N_LOSSES] = {
	[LOST_TO_LINKS] = { "communication that nothing hides", "communication", MEANS_NETWORK },
	[LOST_TO_SLOWEST] = { "waiting for the slowest GPU", "slowest GPU", MEANS_WAITING },
	[LOST_TO_SAMPLES] = { "waiting for samples from the CPUs", "wait for samples",
		MEANS_TRAFFIC },
	[LOST_TO_FIXED] = { "launches and the optimizer", "launches", MEANS_FIXED },
	[LOST_TO_BATCH] = { "a batch that does not divide evenly", "uneven batch", MEANS_COMPUTE },
};

/* What takes most of the time that a step of n GPUs needs beyond an n-th of the same samples' time on one. */
static enum loss largest_loss(const struct scaling *s, const struct training_step *r, double n)
{
	struct training all = scaling_at(s, n), alone = scaling_at(s, 1);
	struct training_step one = step_at(s, 1);
	double share = all.global_batch / alone.global_batch / n;
	const double lost_s[N_LOSSES] = {
		[LOST_TO_LINKS] = r->exposed_s - share * one.exposed_s,
		[LOST_TO_SLOWEST] = r->straggler_s - share * one.straggler_s,
		[LOST_TO_SAMPLES] = r->input_wait_s - share * one.input_wait_s,
		[LOST_TO_FIXED] = r->fixed_s - share * one.fixed_s,
		[LOST_TO_BATCH] = r->compute_s - share * one.compute_s,
	};
	enum loss worst = LOST_TO_LINKS;
	double most_s = 0;
	for (enum loss i = 0; i < N_LOSSES; i++)
		if (lost_s[i] > most_s * (1 + 1e-9)) {
			most_s = lost_s[i];
			worst = i;
		}
	return worst;
}

/* The one sentence: how much work comes out, then what takes the rest. */
static void why(struct figure *fig, const struct scaling *s, const struct training_step *r)
{
	double n = s->v[SCALING_GPUS], gain = r->samples_per_s / s->one_rate;
	double idle = n - r->active_gpus;
	const char *time = scaling_hours_text(fig, scaling_hours(s, r->samples_per_s));
	const char *gpus = figure_quantity(fig, n, "GPU"), *unit = s->training.workload->sample;
	const char *work = figure_quantity(fig, gain, "");
	double batch = scaling_at(s, n).global_batch;
	if (batch_excess(s) > 1)
		figure_why(fig,
			"No batch of %s is known to converge (%s is): the %s on %s are arithmetic, "
			"not a training.",
			figure_quantity(fig, batch, unit),
			figure_quantity(fig, s->training.workload->known_batch, ""), time, gpus);
	else if (n == 1)
		figure_why(fig, "One GPU waits for nobody: its %s are the measure of all others.",
			time);
	else if (idle > 0)
		figure_why(fig, "A batch of %s has work for %s of %s: together they do that of %s.",
			figure_quantity(fig, batch, unit), figure_quantity(fig, r->active_gpus, ""),
			gpus, work);
	else if (gain >= n)
		figure_why(fig,
			"%s do the work of %s: nothing is lost, and each updates only its shard of "
			"the optimizer's state%s.",
			gpus, work, r->ep > 1 ? ", with fewer experts, that get more tokens" : "");
	else
		figure_why(fig, "%s do the work of %s: most of the loss is %s.", gpus, work,
			losses[largest_loss(s, r, n)].name);
}

static double model_experts_of(const struct scaling *s)
{
	return s->training.model ? model_experts(s->training.model) : 0;
}

static void scaling_explain(
	struct figure *fig, const struct scaling *s, const struct training_step *r)
{
	const struct accelerator *gpu = s->training.gpu;
	const struct network *net = &s->training.net;
	figure_subtitle(fig, "%s · %s · %s scaling", s->training.workload->name, gpu->name,
		s->mode == MODE_STRONG ? "strong" : "weak");
	why(fig, s, r);
	figure_assume(fig,
		"links one direction: %.0f GB/s in the node%s, %.3g GB/s per GPU between",
		net->intra_bandwidth / 1e9,
		s->v[SCALING_INTRA] > 0 || gpu->link_bandwidth > 0 ? "" : " (PCIe)",
		net->inter_bandwidth / 1e9);
	figure_assume(fig,
		"the library picks the quickest of ring, tree, levels and in-switch sums, at the "
		"efficiency measured in a node (%.0f %% of the link for a ring)",
		100 * net->intra_efficiency);
	figure_assume(fig,
		"DDP sends 25 MB buckets during the last backward pass; FSDP gathers every layer "
		"twice and scatters once per micro-batch");
	figure_assume(fig,
		"micro-batches of at most %.0f; step times of GPUs independent and normal",
		s->training.workload->micro_batch);
	figure_assume(fig, "%s to train whatever the batch; wall time %.0f %% above the steps",
		figure_quantity(
			fig, s->training.workload->samples_to_train, s->training.workload->sample),
		100 * (s->training.workload->overhead - 1));
	if (recipe_run(s)->dtype != DTYPE_BF16)
		figure_assume(fig, "%s: %s; attention, norms, the vocabulary and gradients in BF16",
			step_recipe_name(recipe_run(s)), recipe_run(s)->keeps);
	if (model_experts_of(s) > 0)
		figure_assume(fig,
			"experts dealt to %g group%s of GPUs, their tokens dispatched in 16 bits with "
			"nothing to hide behind; layers cost what the mean of all does",
			r->ep, r->ep == 1 ? "" : "s");
	figure_leave_out(fig,
		"tensor and pipeline parallelism, memory, failures, congestion of the network, the "
		"slowdown of kernels while communication runs");
	figure_leave_out(fig,
		"that large batches converge in fewer, worse steps, and the time between epochs, "
		"which more GPUs do not shorten");
}

/* --- values and pictures --------------------------------------------------------------------- */

static void values(struct figure *fig, const struct scaling *s, const struct training_step *r)
{
	double n = s->v[SCALING_GPUS], time_h = scaling_hours(s, r->samples_per_s);
	double gain = CALL(throughput_speedup, .throughput_one = s->one_rate,
		.throughput_n = r->samples_per_s);
	double efficiency = gain / n;
	enum role role = batch_excess(s) > 1 || efficiency < 0.5 ? ROLE_WARN
			 : efficiency >= 0.8                     ? ROLE_GOOD
								 : ROLE_PLAIN;
	const char *rate = figure_text(fig, "%s/s", s->training.workload->sample);
	figure_left_open(fig, "intra_GBps", s->training.net.intra_bandwidth / 1e9);
	figure_left_open(fig, "price_per_gpu_h", s->price_per_h);
	/* The picture's axis first; the sentence says the speed-up. */
	figure_value(fig, "efficiency", "efficiency", 100 * efficiency, "%", role);
	figure_value(fig, "time_h", "training", time_h, "h", ROLE_PLAIN);
	figure_value(fig, "cost_usd", "cost", cost(s, n, time_h), "$", ROLE_PLAIN);
	value_note(figure_value(fig, "speedup", "speed-up", gain, "x", ROLE_PLAIN),
		figure_text(fig, "of %s", figure_quantity(fig, n, "GPU")));
	figure_value(fig, "step_s", "step", r->step_s, "s", ROLE_PLAIN);
	figure_value(fig, "compute_s", "compute", r->compute_s, "s", ROLE_DIM);
	value_note(figure_value(fig, "fixed_s", "every step pays", r->fixed_s, "s", ROLE_DIM),
		"launches, optimizer");
	value_note(
		figure_value(fig, "exposed_comm_s", "communication", r->exposed_s, "s", ROLE_DIM),
		"that nothing hides");
	value_note(figure_value(fig, "straggler_s", "slowest GPU", r->straggler_s, "s", ROLE_DIM),
		"awaited");
	value_note(figure_value(fig, "input_wait_s", "samples", r->input_wait_s, "s", ROLE_DIM),
		"awaited");
	figure_value(fig, "comm_s", "all communication", r->comm_s, "s", ROLE_DIM);
	figure_value(fig, "mfu", "MFU", 100 * r->mfu, "%", ROLE_DIM);
	figure_value(fig, "samples_per_s", "throughput", r->samples_per_s, rate, ROLE_DIM);
	figure_value(fig, "per_gpu_batch", "batch per GPU", r->gpu_batch, "", ROLE_DIM);
	figure_value(
		fig, "global_batch", "global batch", scaling_at(s, n).global_batch, "", ROLE_DIM);
	figure_value(fig, "micro_batches", "micro-batches", r->micro_batches, "", ROLE_DIM);
	if (r->ep > 1)
		figure_value(fig, "ep", "expert groups", r->ep, "", ROLE_DIM);
}

static bool is_measured(const struct published_training *m, const struct scaling *s, bool mlperf)
{
	return m->mlperf == mlperf && &workloads[m->workload] == s->training.workload &&
	       strcmp(m->gpu, s->training.gpu->id) == 0;
}

/* The smallest measured run of such a kind; NULL: there is none. */
static const struct published_training *smallest_run(const struct scaling *s, bool mlperf)
{
	const struct published_training *least = NULL;
	for (size_t i = 0; i < n_published_training; i++) {
		const struct published_training *m = &published_training[i];
		if (is_measured(m, s, mlperf) && (!least || m->gpus < least->gpus))
			least = m;
	}
	return least;
}

/* Whether it had about the batch that the curve has at so many GPUs. Where the batch was not
 * published, nobody can say so. */
static bool same_batch(const struct published_training *m, const struct scaling *s)
{
	const double about = 2;
	double batch = scaling_at(s, m->gpus).global_batch;
	return m->batch <= about * batch && batch <= about * m->batch;
}

/* A marker among those of its batch or of others: a larger batch scales further than the curve, and its
 * marker says which it is. The run that its kind is laid on the model by says nothing there. */
static void measured_point(struct figure *fig, struct plot *p, const struct scaling *s,
	struct series *points[2], const struct published_training *m, double scale, bool least)
{
	bool other = !same_batch(m, s);
	if (other && least)
		return;
	if (!points[other])
		points[other] = plot_series(fig, p, other ? "measured, another batch" : "measured",
			SERIES_POINTS, MEANS_KIND + 6);
	if (points[other]) {
		points[other]->measured = true;
		points[other]->unlisted = other; /* each says what batch it had */
	}
	const char *batch = !other                                           ? NULL
			    : m->batch <= 0                                  ? "batch unknown"
			    : m->batch > scaling_at(s, m->gpus).global_batch ? "larger batch"
									     : "smaller batch";
	series_mark(fig, points[other], m->gpus, 100 * scale * m->samples_per_s / m->gpus, batch,
		ROLE_PLAIN);
}

/* Marks how measured trainings scaled: each kind has its own kernels, so that its smallest run is
 * laid on the model. True when there are any. */
static bool measured_shares(struct figure *fig, struct plot *p, const struct scaling *s)
{
	static const char *const names[] = { "NVIDIA examples", "MLPerf" };
	const struct published_training *near = NULL;
	struct series *points[2] = { NULL, NULL }; /* of about this batch, of another one */
	for (unsigned kind = 0; kind < 2; kind++) {
		const struct published_training *least = smallest_run(s, kind == 1);
		if (!least)
			continue;
		double scale =
			step_at(s, least->gpus).samples_per_s / s->one_rate / least->samples_per_s;
		for (size_t i = 0; i < n_published_training; i++) {
			const struct published_training *m = &published_training[i];
			if (!is_measured(m, s, kind == 1))
				continue;
			if (m->gpus <= s->last_gpus)
				measured_point(fig, p, s, points, m, scale, m == least);
			if (!near || overlay_distance(m->gpus, s->v[SCALING_GPUS]) <
					     overlay_distance(near->gpus, s->v[SCALING_GPUS]))
				near = m;
		}
	}
	if (points[1])
		figure_assume(fig, "measured, another batch: more than twice or less than half the "
				   "curve's, or not known; a larger one scales further");
	if (near)
		figure_assume(fig, "nearest measurement: %g GPUs, %s (%s)", near->gpus,
			figure_quantity(fig, near->samples_per_s, "/s"),
			names[near->mlperf ? 1 : 0]);
	return near != NULL;
}

/* How far off the model is on the logs, and whether this training is among what was measured. */
static void say_error(
	struct figure *fig, const struct tables *t, const struct scaling *s, bool measured)
{
	if (!measured && s->training.model)
		overlay_error(fig, t, "training",
			s->training.model->made_of ? "mixtures" : "-mixtures", 0, "training steps");
	else if (!measured)
		overlay_outside(fig,
			"nobody's %s on %s is here; the kernels, links and overlap of those that "
			"are",
			s->training.workload->name, s->training.gpu->name);
	else
		overlay_error(fig, t, "scaling", "", 0,
			"throughput per GPU against the smallest run of each system");
}

static void rule_here(struct figure *fig, struct plot *p, const struct scaling *s)
{
	plot_rule(fig, p, false, s->v[SCALING_GPUS],
		figure_quantity(fig, s->v[SCALING_GPUS], "GPU"), ROLE_ACCENT);
}

/* GPUs from which and up to which they wait most for samples, and what they do there, in %. */
struct level {
	double first, last, share;
};

static void widen(struct level *l, double gpus, const struct training_step *r, double share)
{
	if (!(r->input_wait_s > fmax(r->fixed_s, fmax(r->exposed_s, r->straggler_s))))
		return;
	*l = (struct level){ l->first > 0 ? l->first : gpus, gpus, share };
}

static void mark_loss(struct figure *fig, struct plot *p, double gpus, double share, enum loss loss,
	enum meaning meaning)
{
	struct series *mark = plot_series(fig, p, "", SERIES_POINTS, meaning);
	series_mark(fig, mark, gpus, share, losses[loss].mark, ROLE_PLAIN);
	if (mark)
		mark->unlisted = true;
}

/* Says what most of the loss is, in its colour and further down the curve, as far as it is the same there; and,
 * where that is another thing, what holds a level stretch of the curve: as long as the CPUs cannot feed the GPUs of a
 * node, more nodes lose no more. */
static void mark_losses(
	struct figure *fig, struct plot *p, const struct scaling *s, const struct level *l)
{
	const double here = s->v[SCALING_GPUS], seen = 0.99, on = exp2(floor(log2(4 * here)));
	struct training_step r = step_at(s, here);
	enum loss most = largest_loss(s, &r, here);
	bool loses = r.samples_per_s < seen * here * s->one_rate, told = false;
	if (loses && on <= s->last_gpus) {
		r = step_at(s, on);
		told = largest_loss(s, &r, on) == most;
		if (told)
			mark_loss(fig, p, on, 100 * r.samples_per_s / s->one_rate / on, most,
				losses[most].meaning);
	}
	if (l->last <= l->first || l->last == here || (told && most == LOST_TO_SAMPLES))
		return;
	mark_loss(fig, p, l->last, l->share, LOST_TO_SAMPLES, losses[LOST_TO_SAMPLES].meaning);
}

/* The lesson's picture: grey is what lies between the work that so many GPUs could do and the work
 * that they do. In shares, since on axes of powers a third that is lost is a sliver. Its axis is the
 * slider of the GPUs. */
static void plot_efficiency(struct figure *fig, const struct tables *t, const struct scaling *s)
{
	struct plot *p = figure_plot(fig, "What many GPUs do and lose", "GPUs", "", AXIS_LOG2,
		"Efficiency", "%", AXIS_LINEAR);
	struct series *ideal = plot_series(fig, p, "ideal", SERIES_AREA, MEANS_WAITING);
	struct series *actual = plot_series(fig, p, "modelled", SERIES_AREA, MEANS_COMPUTE);
	double here = s->v[SCALING_GPUS], gain = step_at(s, here).samples_per_s / s->one_rate;
	double most = 100;
	struct level level = { 0 };
	for (double n = 1; n <= s->last_gpus; n *= 2) {
		struct training_step r = step_at(s, n);
		double share = 100 * r.samples_per_s / s->one_rate / n;
		widen(&level, n, &r, share);
		series_point(fig, ideal, n, 100);
		series_point(fig, actual, n, share);
		if (n < here && here < 2 * n)
			series_point(fig, actual, here, 100 * gain / here);
		most = fmax(most, share);
	}
	mark_losses(fig, p, s, &level);
	say_error(fig, t, s, measured_shares(fig, p, s));
	struct series *now = plot_series(fig, p, "now", SERIES_POINTS, MEANS_FOCUS);
	double lost = 100 * (1 - gain / here);
	series_mark(fig, now, here, 100 * gain / here,
		lost >= 1 ? figure_text(fig, "%.3g %% lost", lost) : "nothing lost", ROLE_ACCENT);
	plot_slider(fig, p, "gpus", here);
	if (p) {
		p->y.min = 0;
		p->y.reach_hi = most;
	}
	figure_tab(fig, "Efficiency");
}

static void plot_time(struct figure *fig, const struct scaling *s)
{
	struct plot *p = figure_plot(fig, "Training time against GPUs", "GPUs", "", AXIS_LOG2,
		"Training time", "h", AXIS_LOG10);
	struct series *ideal = plot_series(fig, p, "ideal", SERIES_DASHED, MEANS_WAITING);
	struct series *actual = plot_series(fig, p, "modelled", SERIES_LINE, MEANS_COMPUTE);
	double least_h = INFINITY;
	for (double n = 1; n <= s->last_gpus; n *= 2) {
		double time_h = scaling_hours(s, step_at(s, n).samples_per_s);
		series_point(fig, ideal, n, scaling_hours(s, n * s->one_rate));
		series_point(fig, actual, n, time_h);
		least_h = fmin(least_h, time_h);
	}
	if (p) /* the ideal goes on to where nobody gets */
		p->y.min = least_h / 2;
	rule_here(fig, p, s);
	figure_tab(fig, "Time");
}

/* Draws both ways to scale, so that one is read beside the other. */
static void plot_speedup(struct figure *fig, const struct tables *tables, const struct scaling *s)
{
	struct plot *p = figure_plot(fig, "Speed-up: one batch (strong), a batch each (weak)",
		"GPUs", "", AXIS_LOG2, "Speed-up", "x", AXIS_LOG2);
	struct series *ideal = plot_series(fig, p, "ideal", SERIES_DASHED, MEANS_WAITING);
	series_point(fig, ideal, 1, 1);
	series_point(fig, ideal, s->last_gpus, s->last_gpus);
	struct known_steps known = { .n = 0 };
	struct scaling other;
	scaling_of(&other, tables, s->v, s->mode == MODE_STRONG ? MODE_WEAK : MODE_STRONG, &known);
	for (int mode = MODE_STRONG; mode <= MODE_WEAK; mode++) {
		const struct scaling *m = mode == s->mode ? s : &other;
		struct series *line = plot_series(fig, p, mode == MODE_STRONG ? "strong" : "weak",
			SERIES_LINE, mode == s->mode ? MEANS_COMPUTE : MEANS_KIND + 2);
		for (double n = 1; n <= s->last_gpus; n *= 2)
			series_point(fig, line, n, step_at(m, n).samples_per_s / m->one_rate);
	}
	rule_here(fig, p, s);
	figure_tab(fig, "Speed-up");
}

static void plot_cost(struct figure *fig, const struct scaling *s)
{
	if (s->price_per_h <= 0)
		return; /* nothing to show on a logarithmic axis */
	struct plot *p = figure_plot(
		fig, "What the training costs", "GPUs", "", AXIS_LOG2, "Cost", "$", AXIS_LOG10);
	struct series *ideal = plot_series(fig, p, "ideal", SERIES_DASHED, MEANS_WAITING);
	struct series *actual = plot_series(fig, p, "modelled", SERIES_LINE, MEANS_COMPUTE);
	double least = cost(s, 1, scaling_hours(s, s->one_rate));
	for (double n = 1; n <= s->last_gpus; n *= 2) {
		series_point(fig, ideal, n, least);
		series_point(
			fig, actual, n, cost(s, n, scaling_hours(s, step_at(s, n).samples_per_s)));
	}
	if (p) /* the ideal is a line over the axis and not on it */
		p->y.min = least / 2;
	rule_here(fig, p, s);
	figure_tab(fig, "Cost");
}

static void add_bar(struct figure *fig, struct bars *b, const struct scaling *s, double n)
{
	struct training_step r = step_at(s, n);
	const double parts[] = { 100 * r.compute_s / r.step_s, 100 * r.fixed_s / r.step_s,
		100 * r.exposed_s / r.step_s, 100 * r.straggler_s / r.step_s,
		100 * r.input_wait_s / r.step_s };
	struct bar *bar = bars_add(fig, b, figure_quantity(fig, n, "GPU"), parts);
	if (!bar)
		return;
	bar->note = figure_quantity(fig, r.step_s, "s");
}

/* Parts of a step, in shares of its time. */
static struct bars *step_bars(struct figure *fig, const char *title, const char *tab)
{
	static const char *const parts[] = { "compute", "launches, optimizer", "communication",
		"slowest GPU", "samples" };
	/* Samples are data on their way; the other wait is for a GPU. */
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_FIXED, MEANS_NETWORK,
		MEANS_WAITING, MEANS_TRAFFIC };
	struct bars *b = figure_bars(fig, title, "%", parts, LENGTH(parts));
	bars_mean(fig, b, means, LENGTH(means));
	figure_tab(fig, tab);
	if (b)
		b->shares = true;
	return b;
}

/* Where the step of so many GPUs goes, under their axis: what the grey above is made of. */
static void bar_here(struct figure *fig, const struct scaling *s)
{
	add_bar(fig, step_bars(fig, "Where the step goes", "Step"), s, s->v[SCALING_GPUS]);
}

static void bars(struct figure *fig, const struct scaling *s)
{
	const double counts[] = { 1, 8, 64, 512, s->last_gpus };
	struct bars *b = step_bars(fig, "Where the step goes at other counts", "Steps");
	for (size_t i = 0; i < LENGTH(counts); i++)
		if (counts[i] != s->v[SCALING_GPUS])
			add_bar(fig, b, s, counts[i]);
}

static void run(const struct tables *tables, const double v[], struct figure *fig)
{
	struct scaling s;
	struct known_steps known = { .n = 0 };
	scaling_of(&s, tables, v, (int)v[SCALING_MODE], &known);
	struct training_step r = step_at(&s, v[SCALING_GPUS]);
	s.last_gpus = last_gpus(&s);
	values(fig, &s, &r);
	scaling_explain(fig, &s, &r);
	plot_efficiency(fig, tables, &s);
	bar_here(fig, &s);
	bars(fig, &s);
	plot_cost(fig, &s);
	plot_speedup(fig, tables, &s);
	plot_time(fig, &s);
	if (model_or_none_at(tables, v[SCALING_MODEL]))
		note_windows(fig, model_at(tables, v[SCALING_MODEL]), s.own.seq);
	note_domain(fig, gpu_at(tables, v[SCALING_GPU]), v[SCALING_GPUS_PER_NODE]);
	scaling_warn(fig, &s, &r); /* the sentence has said it: the picture comes first */
}

const struct sim scaling_sim = {
	.id = "scaling",
	.title = "Scaling",
	.summary =
		"The work of many GPUs against the ideal, where the step goes, and what it costs",
	.page = "overview",
	.knobs = knobs,
	.n_knobs = N_SCALING_KNOBS,
	.STORY(SCALING_GPUS, SCALING_WORKLOAD, SCALING_MODE, SCALING_GLOBAL_BATCH, SCALING_INTER,
		SCALING_OVERLAP, SCALING_GPU),
	.try = "Turn GPUs to 512. How large must the batch become to win back 80 %?",
	.run = run,
};
