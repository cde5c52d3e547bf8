/* What the simulation `scaling` says beside its pictures: why, warnings, assumptions. */
#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/scaling/scaling.h"

const char *scaling_hours_text(struct figure *fig, double h)
{
	if (h < 1.0 / 60)
		return figure_quantity(fig, h * 3600, "s");
	if (h < 1)
		return figure_quantity(fig, h * 60, "min");
	return h < 100 ? figure_quantity(fig, h, "h") : figure_quantity(fig, h / 24, "day");
}

const char *scaling_percent(struct figure *fig, double share)
{
	return figure_quantity(fig, 100 * share, "%");
}

/* How often the largest batch that is known to converge goes into this one; over 1: nobody
 * knows. */
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

void scaling_warn(struct figure *fig, const struct scaling *s, const struct training_step *r)
{
	const struct training_workload *w = s->training.workload;
	double n = s->v[SCALING_GPUS], idle = n - r->active_gpus;
	warn_batch(fig, s);
	if (idle > 0)
		figure_note(fig, ROLE_WARN,
			"%s of %s GPUs are idle: a batch of %s has no %s for them. Data "
			"parallelism ends here; a larger batch, or tensor and pipeline "
			"parallelism, goes on.",
			figure_quantity(fig, idle, ""), figure_quantity(fig, n, ""),
			figure_quantity(fig, scaling_at(s, n).global_batch, ""), w->sample);
	double state =
		MIXED_STATE_BYTES * w->params / (s->training.strategy == STRATEGY_FSDP ? n : 1);
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
			"which one GPU must do whole.");
}

/* Of what the step takes beyond an n-th of the same samples' time on one GPU. */
static const char *largest_loss(const struct scaling *s, const struct training_step *r)
{
	struct training all = scaling_at(s, s->v[SCALING_GPUS]), alone = scaling_at(s, 1);
	struct training_step one = training_step(&alone);
	double share = all.global_batch / alone.global_batch / s->v[SCALING_GPUS];
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
	for (size_t i = 0; i < LENGTH(losses); i++) {
		double lost_s = losses[i].seconds - share * losses[i].one_s;
		if (lost_s > most_s * (1 + 1e-9)) {
			most_s = lost_s;
			worst = i;
		}
	}
	return losses[worst].name;
}

/* The one sentence: the cause first. */
static void why(struct figure *fig, const struct scaling *s, const struct training_step *r)
{
	double n = s->v[SCALING_GPUS], efficiency = r->samples_per_s / s->one_rate / n;
	double idle = n - r->active_gpus;
	const char *time = scaling_hours_text(fig, scaling_hours(s, r->samples_per_s));
	const char *gpus = figure_quantity(fig, n, "GPU"), *unit = s->training.workload->sample;
	const char *work = figure_quantity(fig, n * efficiency, ""),
		   *share = scaling_percent(fig, efficiency);
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
		figure_why(fig,
			"A batch of %s has work for %s of %s: together they do that of %s (%s) and "
			"train in %s.",
			figure_quantity(fig, batch, unit), figure_quantity(fig, r->active_gpus, ""),
			gpus, work, share, time);
	else
		figure_why(fig, "%s costs most: %s do the work of %s (%s) and train in %s.",
			largest_loss(s, r), gpus, work, share, time);
}

void scaling_explain(struct figure *fig, const struct scaling *s, const struct training_step *r)
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
	figure_leave_out(fig,
		"tensor and pipeline parallelism, memory, failures, congestion of the network, the "
		"slowdown of kernels while communication runs");
	figure_leave_out(fig,
		"that large batches converge in fewer, worse steps, and the time between epochs, "
		"which more GPUs do not shorten");
}
