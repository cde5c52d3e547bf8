/* Slow training: a model's kernels (sims/gpu/op_graph.h) in a training loop
 * (sims/training/step_timeline.h), on a machine that is sound but for one fault. */
#include "sims/diagnosis/ward_speed.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/base/stats.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/stacking.h"
#include "sims/gpu/kernel.h"
#include "sims/memory/memory_replay.h"

#include <math.h>
#include <stdio.h>

enum { SPEED_RANKS = 8, SPEED_WATCHED = 3 };
/* The kernels of a step: times in s, bytes through device memory. */
struct speed_work {
	double forward_s, backward_s, pointwise_s, all_s, kernels;
	double bytes;
};

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

/* Outside of the Tensor Cores, products take as much longer as the peak is lower. */
static double time_of(const struct patient *p, const struct graph_kernel *k)
{
	double ratio = kernel_peak_flops(p->gpu, DTYPE_BF16) / p->gpu->peak_flops[DTYPE_FP32];
	bool product = k->kind == NODE_GEMM || k->kind == NODE_ATTENTION;
	return p->fp32 && product ? k->time_s * fmax(1, ratio) : k->time_s;
}

static struct speed_work speed_work_of(const struct patient *p)
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
			w.forward_s += i == SECTION_FORWARD ? s
				       : i == SECTION_HEAD  ? s / TRAINING_PASSES
							    : 0;
			w.pointwise_s += pointwise ? s : 0;
			w.bytes += n * kernel->bytes;
		}
	w.backward_s = w.all_s - w.forward_s;
	return w;
}

static struct speed_work speed_set_work(struct patient *p)
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

/* A loader, copies and links that have something to spare for a step of that length. */
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
	/* Models with RMSNorm written out have chains to fuse; a wait in each layer shows where the
	 * step is short. */
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

/* --- What instruments say --- */

/* Steps between the slow ones, where those are evenly spaced; 0 where they are not. */
static double rhythm(const struct step_readings *r)
{
	double last = -1, period = 0, worst = 0;
	size_t n = 0;
	for (size_t i = 0; i < r->n; i++) {
		if (r->step_s[i] < SLOW_STEP_RATIO * r->p50_s)
			continue;
		if (last >= 0) {
			double gap = (double)i - last;
			period = n ? period : gap;
			worst = fmax(worst, fabs(gap - period));
			n++;
		}
		last = (double)i;
	}
	return n > 0 && worst <= 1 ? period : 0;
}

static void measure(const struct patient *p, const struct speed_work *w,
	const struct step_readings *r, struct signs *s)
{
	double pointwise = p->machine.pointwise_ratio, clock = p->machine.clock_ratio;
	double reach = kernel_efficiency(p->gpu).compute;
	s->util = r->util_ratio;
	s->busy = r->busy_ratio;
	s->power = r->power_ratio;
	s->clock = clock;
	for (int i = 0; i < N_IDLE_CAUSES; i++)
		s->idle[i] = r->idle_s[i] / r->mean_s;
	s->worker_cpu = r->worker_cpu_ratio;
	s->worker_read = r->worker_read_ratio;
	s->main = r->main_ratio;
	s->threads_per_core = p->threads_per_core;
	s->p99_over_p50 = r->p99_s / r->p50_s;
	s->period = rhythm(r);
	s->workers = (double)p->machine.workers;
	s->nccl_alone = s->idle[IDLE_COMM];
	s->comm_hidden = r->comm_s > 0 ? fmax(0, 1 - r->idle_s[IDLE_COMM] / r->comm_s) : 0;
	s->rank_late = p->machine.late_s / r->mean_s;
	s->tensor = p->fp32 ? 0 : s->busy * (1 - pointwise) * reach * clock;
	s->dram = s->busy * w->bytes / (w->all_s * p->gpu->bandwidth);
	s->pointwise = pointwise;
	s->recomputes = p->recomputes;
}

static void say_gpu(const struct patient *p, const struct step_readings *r, struct examination *x)
{
	const struct signs *s = &x->signs;
	reading_say(x, READING_UTILISATION, "%.0f %%%s", 100 * s->util,
		s->p99_over_p50 > SLOW_STEP_RATIO || s->util < 0.9 ? ", up and down" : ", steady");
	reading_say(x, READING_POWER, "%.0f %% of the limit, SM clock %.0f %% of its usual",
		100 * s->power, 100 * s->clock);
	reading_say(x, READING_KERNELS,
		"tensor cores %.0f %%, DRAM %.0f %%; pointwise kernels %.0f %%", 100 * s->tensor,
		100 * s->dram, 100 * s->pointwise);
	reading_say(x, READING_NCCL, "%.1f ms a step, %.1f ms of it with nothing beside it",
		1e3 * r->comm_s, 1e3 * r->idle_s[IDLE_COMM]);
	char own[32], late[32];
	double own_s = r->busy_ratio * r->mean_s;
	quantity_format(own, sizeof own, own_s, "s");
	quantity_format(late, sizeof late, own_s + p->machine.late_s, "s");
	if (p->machine.late_s > 0)
		reading_say(x, READING_RANKS, "kernels take %s on 7 ranks, %s on rank %d", own,
			late, (int)(p->seed % SPEED_RANKS));
	else
		reading_say(x, READING_RANKS, "kernels take %s on all %d ranks", own, SPEED_RANKS);
}

static void say_host(const struct patient *p, const struct step_readings *r, struct examination *x)
{
	const struct signs *s = &x->signs;
	size_t threads = (size_t)rint(s->threads_per_core * (double)p->machine.cores);
	reading_say(x, READING_TOP,
		"workers: %.0f %% reading, %.0f %% CPU; main %.0f %%; %zu threads, %zu cores",
		100 * s->worker_read, 100 * s->worker_cpu, 100 * s->main, threads,
		p->machine.cores);
	char p50[32], p99[32];
	quantity_format(p50, sizeof p50, r->p50_s, "s");
	quantity_format(p99, sizeof p99, r->p99_s, "s");
	if (s->p99_over_p50 < SLOW_STEP_RATIO)
		reading_say(x, READING_STEPS, "%s, P99 %s, stable", p50, p99);
	else if (s->period > 0)
		reading_say(x, READING_STEPS, "median %s, P99 %s; slow every %.0f steps", p50, p99,
			s->period);
	else
		reading_say(x, READING_STEPS, "median %s, P99 %s; slow without a rhythm", p50, p99);
	reading_say(x, READING_CHANGES, "%s",
		p->recomputes ? "activation checkpointing, since the day it became slow"
			      : "none that saves memory or touches the model");
}

static void say_trace(const struct step_readings *r, struct examination *x)
{
	static const char *const what[N_IDLE_CAUSES] = { "the GPU waits for a batch",
		"forward waits for the copy", "gaps follow a synchronisation",
		"short gaps between kernels", "NCCL alone", "everything waits for a checkpoint" };
	const struct signs *s = &x->signs;
	size_t worst = largest_of(s->idle, N_IDLE_CAUSES);
	if (s->idle[worst] > 0.02)
		reading_say(x, READING_TRACE, "%s: %.0f %% of the time; %.0f gaps/step",
			what[worst], 100 * s->idle[worst], (double)r->gaps / (double)r->n);
	else
		reading_say(x, READING_TRACE, "a solid GPU row, CPU row thin");
}

static bool say_batch(struct arena *a, const struct patient *p, const struct step_readings *r,
	struct examination *x)
{
	struct patient twice = *p;
	struct step_machine *m = &twice.machine;
	twice.batch *= 2;
	double late_s = m->late_s, launch_s = m->launch_s;
	speed_set_work(&twice);
	m->late_s = late_s;
	m->launch_s = launch_s;
	m->prep_s *= 2;
	m->batch_bytes *= 2;
	m->watch_n = 0;
	m->steps = 120;
	struct step_run run = step_simulate(a, m);
	if (run.r.n == 0)
		return false;
	x->signs.batch_gain = 2 * r->mean_s / run.r.mean_s;
	reading_say(x, READING_BATCH, "twice the batch: %.2f x the samples per second",
		x->signs.batch_gain);
	return true;
}

static void say_memory(const struct patient *p, struct examination *x)
{
	struct memory_setup s = { .model = p->model,
		.batch = p->batch,
		.seq = p->tokens,
		.precision = MEMORY_BF16,
		.optimizer = MEMORY_ADAMW,
		.checkpointing = p->recomputes ? CHECKPOINT_FULL : CHECKPOINT_NONE,
		.k = 1,
		.gpus = SPEED_RANKS,
		.tp = 1,
		.flash = true,
		.actual = true,
		.flops_per_s = 1e14,
		.bandwidth = p->gpu->bandwidth };
	double peak = memory_reserved_peak(&s, p->gpu->memory_bytes);
	reading_say(x, READING_MEMORY, "%.0f of %.0f GB reserved at the peak", peak / 1e9,
		p->gpu->memory_bytes / 1e9);
}

static const char *const not_a_server = "a training job, nobody asks it anything";

/* The run. Where it is bursty, the trace shows one of its slow steps. */
static struct step_run watched_run(struct arena *a, const struct patient *p)
{
	struct step_machine m = p->machine;
	struct step_run run = step_simulate(a, &m);
	if (m.watch_n == 0 || run.r.n == 0 || run.r.p99_s < SLOW_STEP_RATIO * run.r.p50_s)
		return run;
	for (size_t i = m.steps / 4; i + SPEED_WATCHED < m.steps; i++)
		if (run.ends[i].at_s - run.ends[i - 1].at_s > SLOW_STEP_RATIO * run.r.p50_s) {
			m.watch_first = i - 1;
			return step_simulate(a, &m);
		}
	return run;
}

bool speed_examine(struct arena *a, const struct patient *p, struct examination *x)
{
	x->run = watched_run(a, p);
	const struct step_readings *r = &x->run.r;
	if (r->n == 0)
		return false;
	struct speed_work w = speed_work_of(p);
	measure(p, &w, r, &x->signs);
	say_gpu(p, r, x);
	say_host(p, r, x);
	say_trace(r, x);
	say_memory(p, x);
	reading_say(x, READING_LOSS, "falls as in earlier runs");
	reading_say(x, READING_TENSORS, "gradients between 1e-6 and 1: nothing unusual");
	reading_say(x, READING_LATENCY, "%s", not_a_server);
	reading_say(x, READING_CACHE, "%s", not_a_server);
	x->badness = r->mean_s / p->step_s;
	x->healthy_ms = 1e3 * p->step_s;
	char step[32];
	snprintf(x->complaint_number, sizeof x->complaint_number, "%s a step",
		quantity_format(step, sizeof step, r->mean_s, "s"));
	x->curve_title = "Step after step";
	x->curve_name = "step";
	x->curve_unit = "ms";
	x->curve_x = "Step";
	for (size_t i = 0; i < r->n && i < MAX_CURVE; i++)
		x->curve[x->n_curve++] = 1e3 * r->step_s[i];
	return say_batch(a, p, r, x);
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
	/* In a graph, a kernel's launch costs the CPU next to nothing. */
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
