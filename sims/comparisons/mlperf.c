/* Facts about benchmarks and machines, each in a table with its reason. */
#include "sims/comparisons/mlperf.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/base/match.h"

#include <math.h>
#include <string.h>

/* The GPUs that share a layer are in one node. */
enum { MOST_TENSOR = 8 };

static const struct mlperf_benchmark benchmarks[] = {
	{ "resnet", WORKLOAD_RESNET50, 1, 0, 1, 1, 1, false },
	{ "bert", WORKLOAD_BERT_LARGE, 1, 0, 1, 1, 1, false },
	{ "gpt3", WORKLOAD_GPT3_175B, 2048, 6, 8, 1, 2, true },
	{ "maskrcnn", WORKLOAD_MASK_RCNN, 1, 0, 1, 1, 1, false },
	{ "unet3d", WORKLOAD_UNET3D, 1, 0, 1, 1, 1, false },
	{ "ssd", WORKLOAD_SSD, 1, 0, 1, 1, 1, false },
	{ "retinanet", WORKLOAD_SSD, 1, 0, 1, 1, 1, false },
	{ "rnnt", WORKLOAD_RNNT, 1, 0, 1, 1, 1, false },
	{ "stable_diffusion", WORKLOAD_STABLE_DIFFUSION, 1, 0, 1, 1, 1, false },
	{ "dlrm", WORKLOAD_DLRM, 1, 0, 1, 1, 1, false },
	{ "dlrm_dcnv2", WORKLOAD_DLRM_DCNV2, 1, 0, 1, 1, 1, false },
	{ "llama2_70b_lora", WORKLOAD_LLAMA2_70B_LORA, 8192, 2, 1, 1, 1, true },
	{ "llama31_8b", WORKLOAD_LLAMA31_8B, 8192, 0, 1, 1, 1, true },
	{ "llama31_405b", WORKLOAD_LLAMA31_405B, 8192, 6, 8, 2, 8, true },
	{ "gnn", WORKLOAD_RGAT, 1, 0, 1, 1, 1, false },
	{ "flux1", WORKLOAD_FLUX1, 1, 0, 1, 1, 1, true },
};

const struct mlperf_benchmark *mlperf_benchmark(const char *name)
{
	for (size_t i = 0; i < LENGTH(benchmarks); i++)
		if (strcmp(benchmarks[i].name, name) == 0)
			return &benchmarks[i];
	return NULL;
}

char *mlperf_did_you_mean(const char *name, char *buf, size_t size)
{
	const char *names[LENGTH(benchmarks)];
	size_t n = LENGTH(benchmarks);

	for (size_t i = 0; i < n; i++)
		names[i] = benchmarks[i].name;
	return did_you_mean(name, names, n, buf, size);
}

/* How many accelerators are joined by links of their own, and the network card that each has, in
 * B/s; by id or else by family. */
static const struct mlperf_machine {
	const char *is;
	double domain, card;
} machines[] = {
	{ "volta", 8, 12.5e9 },
	{ "turing", 8, 12.5e9 },
	{ "ampere", 8, NETWORK_CARD_BYTES_PER_S },
	{ "gb200", 72, 50e9 },  /* a rack */
	{ "gb300", 72, 100e9 }, /* ConnectX-8 */
	{ "b300", 8, 100e9 },
	{ "gaudi2", 8, 37.5e9 }, /* three of its 24 ports of 100 Gb/s leave the node */
	{ "gaudi3", 8, 75e9 },
	{ "tpu-v4", 4096, 50e9 }, /* a pod */
	{ "tpu-v5e", 256, 50e9 },
	{ "tpu-v5p", 8960, 50e9 },
	{ "tpu-v6e", 256, 50e9 },
	{ NULL, 8, 50e9 },
};

/* A message between nodes of a large cluster, several switches apart. */
static const double fabric_hop_s = 2 * NETWORK_LATENCY_S;

static const struct mlperf_machine *machine_of(const struct accelerator *g)
{
	const struct mlperf_machine *m = machines;

	while (m->is && strcmp(m->is, g->id) != 0 && (!g->family || strcmp(m->is, g->family) != 0))
		m++;
	return m;
}

/* How many GPUs share a layer: a power of two. */
static double tensor_of(const struct mlperf_benchmark *b, const struct accelerator *g)
{
	double bytes = b->held * workloads[b->workload].params / b->pipeline;
	double gpus = 1;

	while (gpus < MOST_TENSOR && gpus * g->memory_bytes / 2 < bytes)
		gpus *= 2;
	return gpus;
}

double mlperf_least_gpus(const struct mlperf_benchmark *b, const struct accelerator *g)
{
	return tensor_of(b, g) * b->pipeline * b->context;
}

struct training mlperf_training(const struct mlperf_benchmark *b, const struct accelerator *g,
	double kernels, struct training_workload *w)
{
	const struct mlperf_machine *m = machine_of(g);

	*w = workloads[b->workload];
	w->kernels = kernels;
	if (!b->accumulates)
		w->micro_batch = 1e6;
	struct training t = training_defaults(w, g,
		network_measured(g->family, m->domain, g->link_bandwidth, m->card, fabric_hop_s));
	t.strategy = b->accumulates ? STRATEGY_ZERO1 : STRATEGY_DDP;
	t.tensor = tensor_of(b, g);
	t.pipeline = b->pipeline;
	t.context = b->context;
	t.chunks = b->chunks;
	t.jitter = 0.01;
	return t;
}

/* The highest peak in any precision. */
static double fastest_flops(const struct accelerator *g)
{
	double most = 0;

	for (size_t i = 0; i < N_DTYPES; i++)
		most = fmax(most, g->peak_flops[i]);
	return most;
}

bool mlperf_counts_tokens(
	const struct mlperf_benchmark *b, const struct accelerator *g, double gpus, double per_s)
{
	double most = gpus * fastest_flops(g) / workload_flops(&workloads[b->workload]);

	return b->tokens > 1 && most > 0 && per_s > most;
}

void mlperf_assume(struct figure *fig)
{
	double slowest = INFINITY, fastest = 0;

	for (size_t i = 0; i < LENGTH(machines); i++) {
		slowest = fmin(slowest, machines[i].card);
		fastest = fmax(fastest, machines[i].card);
	}
	figure_assume(fig,
		"of several runs of the smallest size the one of median rate is the anchor; a "
		"network card for each accelerator, of %s to %s by generation; links join the 8 "
		"accelerators of a node, the 72 of a rack of GB200 or GB300, a pod of TPUs",
		figure_quantity(fig, slowest, "B/s"), figure_quantity(fig, fastest, "B/s"));
	for (size_t i = 0; i < LENGTH(benchmarks); i++) {
		const struct mlperf_benchmark *b = &benchmarks[i];
		if (b->held > 0)
			figure_assume(fig,
				"%s: %g stages, %g share a sequence, and as many a layer as hold "
				"%g B per parameter in half of their memory",
				b->name, b->pipeline, b->context, b->held);
	}
	figure_assume(fig,
		"llama2_70b_lora sends the gradients of its adapters alone; GPUs share a sequence "
		"of Llama where there are fewer sequences than copies of the model");
	figure_assume(fig,
		"dlrm keeps 8 of its 26 tables spread over the GPUs, dlrm_dcnv2 all; gnn fetches "
		"features in FP16 from all nodes, a step ahead");
}
