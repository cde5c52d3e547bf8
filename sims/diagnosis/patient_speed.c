/* Slow training: a model's kernels (sims/gpu/op_graph.h) in a training loop
 * (sims/training/step_timeline.h), on a machine that is sound but for one fault. */
#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/diagnosis/patient_wards.h"

#include "sims/formulas/stacking.h"
#include "sims/gpu/kernel.h"

#include <math.h>

enum { SOUND_WORKERS = 8 };

static const struct {
	const char *model, *gpu;
	double batch, tokens;
	bool small;
} jobs[] = { { "bert-large", "a100", 32, 512, false }, { "llama3.2-1b", "h100", 8, 2048, false },
	{ "llama3.2-3b", "h100", 4, 2048, false }, { "gpt2", "a100", 16, 1024, false },
	{ "gpt2", "h100", 1, 256, true }, { "llama3.2-1b", "b200", 1, 128, true } };

static double between(struct rng *r, double lo, double hi)
{
	return lo + (hi - lo) * rng_uniform(r);
}

/* --- from kernels to a step ------------------------------------------------------------------ */

/* Products outside of the tensor cores take as much longer as the peak is lower. */
static double time_of(const struct patient *p, const struct graph_kernel *k)
{
	double ratio = kernel_peak_flops(p->gpu, DTYPE_BF16) / p->gpu->peak_flops[DTYPE_FP32];
	bool product = k->kind == NODE_GEMM || k->kind == NODE_ATTENTION;
	return p->fp32 && product ? k->time_s * fmax(1, ratio) : k->time_s;
}

struct speed_work speed_work_of(const struct patient *p)
{
	struct graph_setup setup = { .model = p->model,
		.gpu = p->gpu,
		.phase = GRAPH_TRAIN,
		.batch = p->batch,
		.tokens = p->tokens };
	struct op_graph g = op_graph_of(&setup, p->eager ? FUSION_NONE : FUSION_CHAINS, false);
	struct speed_work w = { .kernels = op_graph_launches(&g) };
	for (int i = 0; i < N_GRAPH_SECTIONS; i++)
		for (size_t k = 0; k < g.section[i].n; k++) {
			const struct graph_kernel *kernel = &g.section[i].kernels[k];
			double n = (double)g.section[i].repeat, s = n * time_of(p, kernel);
			bool pointwise =
				kernel->kind == NODE_POINTWISE || kernel->kind == NODE_REDUCTION;
			w.all_s += s;
			w.forward_s += i == SECTION_FORWARD ? s : i == SECTION_HEAD ? s / 3 : 0;
			w.pointwise_s += pointwise ? s : 0;
			w.bytes += n * kernel->bytes;
		}
	w.backward_s = w.all_s - w.forward_s;
	return w;
}

struct speed_work speed_set_work(struct patient *p)
{
	struct step_machine *m = &p->machine;
	struct speed_work w = speed_work_of(p);
	m->forward_s = w.forward_s;
	/* Recomputing runs forward once more, in backward. */
	m->backward_s = w.backward_s + (p->recomputes ? w.forward_s : 0);
	m->pointwise_ratio = w.pointwise_s / w.all_s;
	m->kernels = w.kernels;
	m->fused_optimizer = true;
	m->optimizer_s = 2 * CALL(optimizer_time, .params = p->model->params,
				     .bandwidth = p->gpu->bandwidth, .shards = SPEED_RANKS);
	m->launch_s = EAGER_LAUNCH_S * fmax(1, p->threads_per_core);
	return w;
}

/* A loader, copies and links with something to spare for a step of that length. */
static void make_sound(struct patient *p, struct rng *r)
{
	struct step_machine *m = &p->machine;
	*m = step_machine_default();
	struct patient sound = *p;
	sound.eager = sound.fp32 = sound.recomputes = false;
	sound.threads_per_core = 0.5;
	speed_set_work(&sound);
	p->step_s = step_gpu_s(&sound.machine);
	speed_set_work(p);
	m->workers = SOUND_WORKERS;
	m->prep_s = between(r, 0.3, 0.5) * SOUND_WORKERS * p->step_s;
	m->prep_cv = 0.1;
	m->host_s = 0.01 * p->step_s;
	m->batch_bytes = 0.01 * p->step_s * m->pcie_bandwidth;
	m->pin_memory = m->non_blocking = m->persistent_workers = true;
	m->gpus = SPEED_RANKS;
	m->gradient_bytes = 2 * p->model->params;
	m->link_latency_s = 1e-6;
	/* Half of backward is enough for the all-reduce. */
	m->link_bandwidth = 2 * m->gradient_bytes / (0.4 * sound.machine.backward_s);
	m->seed = p->seed;
	m->watch_first = 60;
	m->watch_n = SPEED_WATCHED;
}

static void hurt_loader(struct patient *p, struct rng *r)
{
	struct step_machine *m = &p->machine;
	double s = p->step_s;
	switch (p->cause) {
	case CAUSE_FEW_WORKERS:
		m->workers = 2 + (size_t)rng_below(r, 3);
		m->prep_s = between(r, 1.5, 2.5) * (double)m->workers * s;
		break;
	case CAUSE_STORAGE:
		m->io_bound = true;
		m->readers = 1 + (size_t)rng_below(r, 2);
		m->prep_s = between(r, 1.6, 2.4) * (double)m->readers * s;
		break;
	case CAUSE_SHALLOW_QUEUE:
		m->prefetch = 1;
		m->workers = 4;
		m->prep_s = between(r, 0.6, 0.7) * 4 * s;
		m->prep_cv = 1.2;
		break;
	case CAUSE_NEIGHBOUR:
		m->io_bound = true;
		m->readers = m->workers;
		m->prefetch = 1;
		m->prep_s = between(r, 0.45, 0.55) * SOUND_WORKERS * s;
		m->prep_cv = 2.5;
		break;
	case CAUSE_EPOCH:
		m->persistent_workers = false;
		m->epoch_steps = 40 + 5 * (size_t)rng_below(r, 4);
		m->worker_start_s = between(r, 8, 16) * s;
		break;
	case CAUSE_COPY:
		m->pin_memory = m->non_blocking = false;
		m->batch_bytes = between(r, 0.2, 0.4) * s * m->pcie_bandwidth / 2;
		break;
	default:
		break;
	}
}

static void hurt(struct patient *p, struct rng *r)
{
	struct step_machine *m = &p->machine;
	double s = p->step_s;
	switch (p->cause) {
	case CAUSE_CHECKPOINT:
		m->side_steps = 35 + (size_t)rng_below(r, 20);
		m->side_s = between(r, 8, 20) * s;
		break;
	case CAUSE_SYNC:
		m->syncs = 60;
		m->launch_s = 3e-6;
		break;
	case CAUSE_THROTTLE:
		m->clock_ratio = between(r, 0.55, 0.75);
		break;
	case CAUSE_NO_OVERLAP:
		m->overlap = false;
		break;
	case CAUSE_SLOW_LINK:
		m->link_bandwidth /= between(r, 5, 10);
		break;
	case CAUSE_STRAGGLER:
		p->late_ratio = between(r, 0.25, 0.5);
		m->late_s = p->late_ratio * s;
		break;
	default:
		hurt_loader(p, r);
	}
}

void speed_draw(struct patient *p, const struct tables *t, struct rng *r)
{
	enum cause c = p->cause;
	size_t n = LENGTH(jobs), job;
	p->small = c == CAUSE_LAUNCH || c == CAUSE_SYNC || c == CAUSE_THREADS;
	do
		job = (size_t)rng_below(r, n);
	while (jobs[job].small != p->small);
	/* RMSNorms written out are what there is to fuse; a wait in each layer shows where the step
	 * is short. */
	if (c == CAUSE_MEMORY_BOUND)
		job = 1 + (size_t)rng_below(r, 2);
	if (c == CAUSE_SYNC)
		job = 4;
	p->model = model_find(t, jobs[job].model);
	p->gpu = gpu_find(t, jobs[job].gpu);
	p->model = p->model ? p->model : &t->models[0];
	p->gpu = p->gpu ? p->gpu : &t->gpus[0];
	p->batch = jobs[job].batch;
	p->tokens = jobs[job].tokens;
	p->eager = c == CAUSE_MEMORY_BOUND || c == CAUSE_LAUNCH;
	p->fp32 = c == CAUSE_FP32;
	p->recomputes = c == CAUSE_RECOMPUTE;
	p->threads_per_core = c == CAUSE_THREADS ? between(r, 3, 6) : 0.5;
	make_sound(p, r);
	hurt(p, r);
}

/* --- remedies -------------------------------------------------------------------------------- */

static bool treat_job(struct patient *p, enum remedy remedy)
{
	bool *part = remedy == REMEDY_PRECISION    ? &p->fp32
		     : remedy == REMEDY_COMPILE    ? &p->eager
		     : remedy == REMEDY_CUDA_GRAPH ? &p->eager
						   : &p->recomputes;
	double launch_s = p->machine.launch_s;
	bool changes = *part || remedy == REMEDY_CUDA_GRAPH;
	*part = false;
	speed_set_work(p);
	p->machine.launch_s = launch_s;
	/* Recorded, a kernel's launch costs the CPU next to nothing. */
	if (remedy == REMEDY_CUDA_GRAPH)
		p->machine.launch_s = 0.1e-6;
	return changes;
}

bool speed_treat(struct patient *p, enum remedy remedy)
{
	struct step_machine *m = &p->machine;
	bool was_io = m->io_bound;
	switch (remedy) {
	case REMEDY_WORKERS:
		return step_fix(FIX_WORKERS, m);
	case REMEDY_LOCAL_DATA:
		return step_fix(FIX_STORAGE, m);
	case REMEDY_ISOLATE:
		m->prep_cv = was_io ? 0.1 : m->prep_cv;
		return was_io;
	case REMEDY_PREFETCH:
		m->prefetch = 8;
		return true;
	case REMEDY_PERSISTENT:
		return step_fix(FIX_PERSISTENT, m);
	case REMEDY_ASYNC_SAVE:
		return step_fix(FIX_SAVE, m);
	case REMEDY_PIN:
		m->copy_stream = true;
		return step_fix(FIX_PIN, m);
	case REMEDY_LOG_RARELY:
		return step_fix(FIX_SYNC, m);
	case REMEDY_THREADS:
		m->launch_s /= fmax(1, p->threads_per_core);
		p->threads_per_core = fmin(1, p->threads_per_core);
		return true;
	case REMEDY_COOL:
		m->clock_ratio = 1;
		return true;
	case REMEDY_OVERLAP:
		return step_fix(FIX_OVERLAP, m);
	case REMEDY_LINK:
		m->link_bandwidth *= 10;
		return true;
	case REMEDY_REPLACE:
		m->late_s = p->late_ratio = 0;
		return true;
	case REMEDY_PRECISION:
	case REMEDY_COMPILE:
	case REMEDY_CUDA_GRAPH:
	case REMEDY_NO_RECOMPUTE:
		return treat_job(p, remedy);
	default:
		return false;
	}
}
