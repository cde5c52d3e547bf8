/* What a step of a training loop consists of: times, launches, buckets, and the program that the
 * CPU runs through. */
#include "sims/constants.h"
#include "sims/training/step_engine.h"

#include "sims/formulas/communication.h"
#include "sims/formulas/loading.h"

#include <math.h>

const double step_kernel_floor_s = 2e-6;
/* How the switches act, beside what sims/constants.h says of the techniques. */
static const double product_launches = 1.0 / 3;    /* of all launches: nothing fuses into them */
static const double optimizer_launches = 1.0 / 12; /* beside those of forward and backward */
static const double fused_launches = 1.0 / 60;
static const double pageable_over_pinned = 2; /* F3.5: staged through the driver's own buffer */

/* A step is enqueued in pieces: enough to spread buckets and synchronisations over it. */
enum { FORWARD_PIECES = 12, BACKWARD_PIECES = 24, MOST_SYNCS = 64 };

struct step_machine step_machine_default(void)
{
	return (struct step_machine){ .workers = 4,
		.prefetch = 2,
		.prep_s = 0.4,
		.cores = 16,
		.readers = 2,
		.batch_bytes = 154e6, /* 256 images of 224 x 224 x 3 in FP32 */
		.pcie_bandwidth = PCIE_BYTES_PER_S,
		.worker_start_s = 2,
		.forward_s = 0.03,
		.backward_s = 0.06,
		.optimizer_s = 0.01,
		.pointwise_ratio = 0.25,
		.kernels = 1200,
		.launch_s = EAGER_LAUNCH_S,
		.host_s = 2e-3,
		.gpus = 1,
		.gradient_bytes = 400e6,
		.link_bandwidth = NETWORK_CARD_BYTES_PER_S,
		.link_latency_s = NETWORK_LATENCY_S,
		.overlap = true,
		.clock_ratio = 1,
		.side_steps = 1,
		.steps = 240,
		.seed = 1 };
}

/* Of a time in TF32, eager, at full clocks. Throttling slows arithmetic, not memory. */
static double compute_s(const struct step_machine *m, double s)
{
	double pointwise = m->pointwise_ratio / (m->compile ? FUSED_PASSES : 1);
	return s * ((1 - m->pointwise_ratio) / m->clock_ratio + pointwise) /
	       (m->amp ? BF16_OVER_TF32 : 1);
}

static double optimizer_s(const struct step_machine *m)
{
	return m->optimizer_s /
	       (m->fused_optimizer ? ADAMW_UNFUSED_TRAFFIC_BYTES / ADAMW_FUSED_TRAFFIC_BYTES : 1);
}

double step_gpu_s(const struct step_machine *m)
{
	return compute_s(m, m->forward_s + m->backward_s) + optimizer_s(m);
}

double step_backward_s(const struct step_machine *m)
{
	return compute_s(m, m->backward_s);
}

double step_copy_s(const struct step_machine *m)
{
	double rate = m->pcie_bandwidth / (m->pin_memory ? 1 : pageable_over_pinned);
	return CALL(host_copy_time, .bytes = m->batch_bytes, .pcie_bandwidth = rate);
}

static double all_buckets(const struct step_machine *m)
{
	return fmax(
		1, CALL(ddp_buckets, .bytes = m->gradient_bytes, .bucket_bytes = DDP_BUCKET_BYTES));
}

/* As many as there are pieces of backward to send them after; more go together. */
size_t step_buckets(const struct step_machine *m)
{
	return m->overlap ? (size_t)fmin(all_buckets(m), BACKWARD_PIECES) : 1;
}

double step_comm_s(const struct step_machine *m)
{
	double n = all_buckets(m);
	if (m->gpus < 2)
		return 0;
	return n * CALL(ring_allreduce_time, .bytes = m->gradient_bytes / n,
			   .gpus = (double)m->gpus, .link_bandwidth = m->link_bandwidth,
			   .latency = m->link_latency_s);
}

static double fused_kernels(const struct step_machine *m)
{
	double left = product_launches + (1 - product_launches) / FUSED_PASSES;
	return fmax(FORWARD_PIECES + BACKWARD_PIECES, m->kernels * (m->compile ? left : 1));
}

double step_kernels(const struct step_machine *m)
{
	double optimizer = m->fused_optimizer ? fused_launches : optimizer_launches;
	return rint(fused_kernels(m)) + fmax(1, rint(optimizer * m->kernels));
}

double step_host_memory(const struct step_machine *m, double copied_bytes)
{
	return CALL(loader_memory_bytes, .workers = (double)m->workers,
		.copied_bytes = copied_bytes, .prefetch_factor = (double)m->prefetch,
		.batch_bytes = m->batch_bytes);
}

double step_power(double product_ratio, double memory_ratio, double comm_ratio)
{
	return 0.2 + 0.8 * product_ratio + 0.4 * memory_ratio + 0.1 * comm_ratio;
}

double step_loader_ratio(double prep_s, double step_s, size_t workers)
{
	double together = CALL(serial_step_time, .load_time = prep_s, .gpu_time = step_s,
		.h2d_time = 0, .sync_time = 0);
	if (workers == 0)
		return 1;
	return CALL(overlapped_step_time, .load_time = prep_s / (double)workers, .gpu_time = step_s,
		       .h2d_time = 0, .sync_time = 0) /
	       together;
}

static struct step_op *add_op(struct step_engine *e, enum step_op_kind kind)
{
	struct step_op *op = &e->ops[e->n_ops++];
	*op = (struct step_op){ .kind = kind };
	return op;
}

static void add_kernels(struct step_engine *e, enum step_kind phase, double n, double total_s)
{
	struct step_op *op = add_op(e, OP_KERNELS);
	op->phase = phase;
	op->n = (size_t)fmax(1, n);
	op->kernel_s = fmax(total_s / (double)op->n, step_kernel_floor_s);
}

/* Bucket i of n is complete with this piece of backward. */
static size_t bucket_piece(size_t i, size_t n)
{
	return ((i + 1) * BACKWARD_PIECES + n - 1) / n - 1;
}

static void add_buckets(struct step_engine *e, size_t piece)
{
	size_t n = step_buckets(e->m);
	double all_s = step_comm_s(e->m);
	for (size_t i = 0; i < n && e->m->gpus > 1; i++) {
		if (bucket_piece(i, n) != piece)
			continue;
		struct step_op *op = add_op(e, OP_COMM);
		op->kernel_s = all_s / (double)n;
		op->last_bucket = i + 1 == n;
	}
}

/* The program that the CPU runs through in every step. */
void step_write_program(struct step_engine *e)
{
	enum { PIECES = FORWARD_PIECES + BACKWARD_PIECES };
	const struct step_machine *m = e->m;
	double launches = fused_kernels(m) / PIECES, total = 0;
	size_t inner = m->syncs > 1 ? m->syncs - 1 : 0, synced = 0;
	inner = inner > MOST_SYNCS ? MOST_SYNCS : inner;
	add_op(e, OP_BATCH);
	if (m->batch_bytes > 0)
		add_op(e, OP_COPY);
	add_op(e, OP_HOST);
	for (size_t i = 0; i < PIECES; i++) {
		bool forward = i < FORWARD_PIECES;
		double n = rint((double)(i + 1) * launches) - total;
		total += n;
		add_kernels(e, forward ? STEP_FORWARD : STEP_BACKWARD, n,
			forward ? compute_s(m, m->forward_s) / FORWARD_PIECES
				: step_backward_s(m) / BACKWARD_PIECES);
		if (!forward)
			add_buckets(e, i - FORWARD_PIECES);
		for (; synced * PIECES < i * inner; synced++)
			add_op(e, OP_SYNC);
	}
	add_kernels(e, STEP_OPTIMIZER, step_kernels(m) - rint(fused_kernels(m)), optimizer_s(m));
	e->ops[e->n_ops - 1].needs_comm = e->ops[e->n_ops - 1].ends_step = true;
	if (m->syncs > 0)
		add_op(e, OP_SYNC);
	if (m->side_s > 0)
		add_op(e, OP_SAVE);
}
