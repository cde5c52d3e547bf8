/* A layer takes what it takes in any training step (model_step.h), without the gradients of weights
 * that are frozen; what only this case has stands here: 4-bit weights that are widened before each
 * product, adapters beside the products, and the optimizer of these. */
#include "sims/training/finetuning.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/formulas/loading.h"
#include "sims/formulas/memory.h"
#include "sims/formulas/roofline.h"
#include "sims/formulas/scaling.h"
#include "sims/gpu/kernel.h"
#include "sims/training/model_step.h"
#include "sims/training/training_layer.h"

#include <assert.h>
#include <math.h>

/* At 150 W the A10's clock falls under load: products stay far below what the datasheet's boost
 * clock would give. */
const double finetuning_products_ratio = 0.40;
/* 13 % of what the bytes alone would allow: a chain of comparisons per weight, with a second
 * level of scales before it. */
const double finetuning_nf4_weights_per_s = 31e9;
/* More than EAGER_LAUNCH_S: in Python each kernel passes through the wrappers of the adapters and
 * of the quantised weights too. */
static const double wrapped_launch_s = 10e-6;

const struct finetuning_measured finetuning_measured[N_FINETUNING_MEASURED] = {
	{ "baseline", 1024, 4, 16, true, OPTIMIZER_ADAMW_8BIT, 0.69 },
	{ "AdamW", 1024, 4, 16, true, OPTIMIZER_ADAMW, 0.68 },
	{ "rank 8", 1024, 4, 8, true, OPTIMIZER_ADAMW_8BIT, 0.67 },
	{ "seq 512", 512, 4, 16, true, OPTIMIZER_ADAMW_8BIT, 1.29 },
	{ "512, batch 8", 512, 8, 16, true, OPTIMIZER_ADAMW_8BIT, 1.46 },
	{ "FP16 weights", 1024, 4, 16, false, OPTIMIZER_ADAMW_8BIT, 0.78 },
};

/* Kernels of the adapters that only move bytes: what each reads and writes per value, forward and
 * backward, of the inputs and of the outputs of the four products that have one. */
enum width { OF_TARGETS_IN, OF_TARGETS_OUT, N_WIDTHS };
static const struct pass_over {
	enum width width;
	double forward_bytes, backward_bytes, kernels;
} passes_over[] = {
	{ OF_TARGETS_IN, 5, 11, 4 },  /* dropout with its mask */
	{ OF_TARGETS_OUT, 10, 4, 8 }, /* scale, add */
};

/* Launches of a layer's other kernels, as Hugging Face's Mistral spells them out: two norms 14, two
 * residuals 2, rotary embedding 10, keys and values repeated 2, heads side by side 1, SiLU and
 * product 2; and of unfused attention, whose backward has as many products again. */
enum { POINTWISE_KERNELS = 31, SCORE_KERNELS = 8, SCORE_BACK_KERNELS = 10 };
/* Bytes of a logit: upcast 6, shifted copy 8, log-softmax 8; and back through them. */
static const double logit_forward_bytes = 22, logit_backward_bytes = 26;
/* A logit is held in 16 bits, in FP32, shifted, and as log-softmax or its gradient. */
static const double logit_held_bytes = 2 + 4 + 4 + 4;

/* One pass over the model: times by part, and how many kernels. */
struct finetuning_pass {
	double part_s[N_FINETUNING_PARTS];
	double kernels;
};

/* A matrix of weights, and how many alike there are. */
struct matrix {
	double in, out, count;
};
enum { N_MATRICES = 4, N_ADAPTED = 2 };

/* The matrices of one layer; the first N_ADAPTED have adapters. */
static void matrices_of(const struct model *m, struct matrix x[N_MATRICES])
{
	double query = m->heads * m->head_dim, key = m->kv_heads * m->head_dim;
	x[0] = (struct matrix){ m->hidden, query, 2 }; /* q, and o the other way round */
	x[1] = (struct matrix){ m->hidden, key, 2 };
	x[2] = (struct matrix){ m->hidden, m->ffn, m->gated ? 2 : 1 };
	x[3] = (struct matrix){ m->ffn, m->hidden, 1 };
}

static double layer_weights(const struct model *m)
{
	struct matrix x[N_MATRICES];
	double sum = 0;
	matrices_of(m, x);
	for (int i = 0; i < N_MATRICES; i++)
		sum += x[i].in * x[i].out * x[i].count;
	return sum;
}

static double width_of(const struct model *m, enum width w)
{
	assert(w < N_WIDTHS);
	double query = m->heads * m->head_dim, key = m->kv_heads * m->head_dim;
	const double widths[N_WIDTHS] = {
		[OF_TARGETS_IN] = 3 * m->hidden + query,
		[OF_TARGETS_OUT] = query + 2 * key + m->hidden,
	};
	return widths[w];
}

/* The time of kernels that move so many bytes together. */
static double moving_s(const struct accelerator *g, double bytes, double kernels)
{
	double launch_s = pointwise_time_s(g, 0);
	return pointwise_time_s(g, bytes) - launch_s + kernels * launch_s;
}

/* What a layer has in any training step, by PyTorch of 2023 as it comes. Its large products draw the
 * power that the clock falls for; attention's small ones and all that only moves bytes do not. */
struct layer_taken {
	struct layer_parts loaded, unloaded;
};

/* What tiles are tried for; else a step is sums. */
struct tried {
	struct layer_taken layer;
	double thin_s[2][N_ADAPTED]; /* down to the rank and up again: forward, and backward */
	double head_s;
};

enum { MOST_KNOWN = 32 };
struct finetuning_known {
	size_t n;
	struct {
		const struct model *model;
		const struct accelerator *gpu;
		double seq, batch, rank;
		bool flash;
		struct tried tried;
	} at[MOST_KNOWN];
};

struct finetuning_known *finetuning_known_new(struct arena *a)
{
	return arena_alloc(a, sizeof(struct finetuning_known));
}

static struct layer_taken take_layer(const struct finetuning *f, const struct accelerator *unloaded)
{
	struct step_setup setup = { .model = f->model,
		.gpu = f->gpu,
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.dp = 1,
		.shard = 1,
		.micro_batch = f->batch,
		.micro_batches = 1,
		.seq = f->seq,
		.dtype = DTYPE_BF16,
		.flash = f->flash,
		.loss_share = 1,
		.software.date = SOFTWARE_2023 };
	struct layer_taken l;
	l.loaded = model_layer(&setup);
	setup.gpu = unloaded;
	l.unloaded = model_layer(&setup);
	return l;
}

/* Of one matrix: down to the rank and up again; backward makes both gradients too. */
static double thin_s(
	const struct finetuning *f, double tokens, const struct matrix *x, bool backward)
{
	const struct accelerator *g = f->gpu;
	double in = backward ? x->out : x->in, out = backward ? x->in : x->out, r = f->rank;
	double s = gemm_time_s(g, DTYPE_BF16, tokens, r, in) +
		   gemm_time_s(g, DTYPE_BF16, tokens, out, r);
	if (backward)
		s += gemm_time_s(g, DTYPE_BF16, r, out, tokens) +
		     gemm_time_s(g, DTYPE_BF16, in, r, tokens);
	return s;
}

static struct tried try_tiles(const struct finetuning *f, const struct accelerator *unloaded)
{
	const struct model *m = f->model;
	struct matrix x[N_MATRICES];
	double tokens = f->batch * f->seq;
	struct tried t = { .layer = take_layer(f, unloaded) };
	matrices_of(m, x);
	for (int i = 0; i < N_ADAPTED; i++)
		for (int backward = 0; backward < 2; backward++)
			t.thin_s[backward][i] = thin_s(f, tokens, &x[i], backward > 0);
	t.head_s = gemm_time_s(f->gpu, DTYPE_BF16, tokens, m->vocab, m->hidden) +
		   gemm_time_s(f->gpu, DTYPE_BF16, tokens, m->hidden, m->vocab);
	return t;
}

/* The same from what is known, to which it is added. unloaded is the GPU of the tables. */
static struct tried tried_of(const struct finetuning *f, const struct accelerator *unloaded)
{
	struct finetuning_known *k = f->known;
	for (size_t i = 0; k && i < k->n; i++)
		if (k->at[i].model == f->model && k->at[i].gpu == unloaded &&
			k->at[i].seq == f->seq && k->at[i].batch == f->batch &&
			k->at[i].rank == f->rank && k->at[i].flash == f->flash)
			return k->at[i].tried;
	struct tried t = try_tiles(f, unloaded);
	if (k && k->n < MOST_KNOWN) {
		k->at[k->n].model = f->model;
		k->at[k->n].gpu = unloaded;
		k->at[k->n].seq = f->seq;
		k->at[k->n].batch = f->batch;
		k->at[k->n].rank = f->rank;
		k->at[k->n].flash = f->flash;
		k->at[k->n++].tried = t;
	}
	return t;
}

static void add_layers(const struct finetuning *f, const struct layer_taken *l, bool backward,
	struct finetuning_pass *p)
{
	const struct layer_parts *on = &l->loaded, *off = &l->unloaded;
	double layers = f->model->layers;
	p->part_s[PART_PRODUCTS] +=
		layers * (backward ? on->products_back_s - on->weights_back_s : on->products_s);
	p->part_s[PART_ATTENTION] += layers * (backward ? off->attention_back_s : off->attention_s);
	p->part_s[PART_POINTWISE] += layers * (backward ? off->pointwise_back_s : off->pointwise_s);
	double scores = f->flash ? 1 : backward ? SCORE_BACK_KERNELS : SCORE_KERNELS;
	p->kernels += layers * (POINTWISE_KERNELS + scores);
}

/* Every matrix is a launch, and in 4 bits two more: for the scales' scales, then for the weights. */
static void add_matrices(
	const struct finetuning *f, const struct tried *t, bool backward, struct finetuning_pass *p)
{
	struct matrix x[N_MATRICES];
	double layers = f->model->layers;
	matrices_of(f->model, x);
	for (int i = 0; i < N_MATRICES; i++) {
		double n = layers * x[i].count;
		p->kernels += n;
		if (f->nf4) {
			double in = backward ? x[i].out : x[i].in,
			       out = backward ? x[i].in : x[i].out;
			p->part_s[PART_DEQUANTISE] += n * in * out / finetuning_nf4_weights_per_s;
			p->kernels += 2 * n;
		}
		if (i >= N_ADAPTED)
			continue;
		p->part_s[PART_ADAPTERS] += n * t->thin_s[backward][i];
		p->kernels += n * (backward ? 4 : 2);
	}
}

static void add_passes_over(
	const struct finetuning *f, double tokens, bool backward, struct finetuning_pass *p)
{
	const struct model *m = f->model;
	for (size_t i = 0; i < LENGTH(passes_over); i++) {
		const struct pass_over *o = &passes_over[i];
		double per_value = backward ? o->backward_bytes : o->forward_bytes;
		double bytes = tokens * width_of(m, o->width) * per_value;
		p->part_s[PART_ADAPTERS] += m->layers * moving_s(f->gpu, bytes, o->kernels);
		p->kernels += m->layers * o->kernels;
	}
}

static struct finetuning_pass layers_pass(
	const struct finetuning *f, const struct tried *t, bool backward)
{
	struct finetuning_pass p = { .kernels = 0 };
	double tokens = f->batch * f->seq;
	add_layers(f, &t->layer, backward, &p);
	add_matrices(f, t, backward, &p);
	add_passes_over(f, tokens, backward, &p);
	return p;
}

/* The vocabulary's product, which is not quantised and not recomputed, and the loss. */
static void add_head(const struct finetuning *f, const struct tried *t, struct finetuning_pass *p)
{
	const struct model *m = f->model;
	double tokens = f->batch * f->seq, logits = tokens * m->vocab;
	p->part_s[PART_PRODUCTS] += t->head_s;
	p->part_s[PART_POINTWISE] +=
		moving_s(f->gpu, logits * (logit_forward_bytes + logit_backward_bytes), 10);
	p->kernels += 12;
}

static double adapter_params(const struct finetuning *f)
{
	const struct model *m = f->model;
	return CALL(lora_params, .layers = m->layers, .rank = f->rank, .hidden = m->hidden,
		.heads = m->heads, .kv_heads = m->kv_heads, .head_dim = m->head_dim);
}

static const struct {
	double state_bytes, step_bytes, kernels; /* held, moved per parameter; per tensor */
} optimizers[] = {
	[OPTIMIZER_ADAMW_8BIT] = { ADAM8BIT_MOMENT_BYTES,
		SGD_TRAFFIC_BYTES + 2 * ADAM8BIT_MOMENT_BYTES, 1 },
	[OPTIMIZER_ADAMW] = { ADAMW_MOMENT_BYTES, ADAMW_FUSED_TRAFFIC_BYTES,
		0.05 }, /* in lists of tensors */
	[OPTIMIZER_SGD] = { 0, SGD_TRAFFIC_BYTES, 0.02 },
};

static void add_optimizer(const struct finetuning *f, struct finetuning_pass *p)
{
	double tensors = 2 * 4 * f->model->layers;
	double kernels = ceil(tensors * optimizers[f->optimizer].kernels);
	p->part_s[PART_OPTIMIZER] =
		moving_s(f->gpu, adapter_params(f) * optimizers[f->optimizer].step_bytes, kernels);
	p->kernels += kernels;
}

static double pass_s(const struct finetuning_pass *p)
{
	double sum = 0;
	for (int i = 0; i < N_FINETUNING_PARTS; i++)
		sum += p->part_s[i];
	return sum;
}

/* Everything that the GPU executes in a step. */
static struct finetuning_pass gpu_work(
	const struct finetuning *f, const struct accelerator *unloaded)
{
	const struct tried tried = tried_of(f, unloaded);
	struct finetuning_pass all = layers_pass(f, &tried, false);
	struct finetuning_pass backward = layers_pass(f, &tried, true);
	double again_s = pass_s(&all), again_kernels = all.kernels;
	for (int i = 0; i < N_FINETUNING_PARTS; i++)
		all.part_s[i] += backward.part_s[i];
	all.kernels += backward.kernels;
	if (f->checkpointing) {
		all.part_s[PART_RECOMPUTE] = again_s;
		all.kernels += again_kernels;
	}
	add_head(f, &tried, &all);
	add_optimizer(f, &all);
	return all;
}

/* Moves what positions without text take from the parts that grow with the positions. Dequantising
 * does not: weights are widened in each of three passes, whatever the batch holds. */
static void set_padding_aside(double part_s[], double padding, double dequantise_again_s)
{
	static const enum finetuning_part grows[] = { PART_PRODUCTS, PART_RECOMPUTE, PART_ATTENTION,
		PART_POINTWISE, PART_ADAPTERS };
	for (size_t i = 0; i < LENGTH(grows); i++) {
		double fixed_s = grows[i] == PART_RECOMPUTE ? dequantise_again_s : 0;
		double empty_s = padding * fmax(0, part_s[grows[i]] - fixed_s);
		part_s[grows[i]] -= empty_s;
		part_s[PART_PADDING] += empty_s;
	}
}

static void find_memory(const struct finetuning *f, struct finetuning_step *r)
{
	const struct model *m = f->model;
	double linear = m->layers * layer_weights(m), rest = fmax(0, m->params - linear);
	/* NF4 with scales of 8 bits per 64 weights and of 32 per 256 of these; what is not
	 * quantised is cast to FP32 by the usual preparation. */
	double nf4_bits = 4 + 8 / 64. + 32 / (64. * 256);
	double *mem = r->memory;
	mem[HOLDS_WEIGHTS] =
		f->nf4 ? CALL(qlora_base_bytes, .params = linear, .bits = nf4_bits) + 4 * rest
		       : 2 * m->params;
	mem[HOLDS_ADAPTERS] = adapter_params(f) * (4 + 4 + optimizers[f->optimizer].state_bytes);
	struct layer_setup setup = { .model = m,
		.batch = f->batch,
		.seq = f->seq,
		.tp = 1,
		.value_bytes = 2,
		.residual_bytes = 2,
		.flash = f->flash,
		.actual = true };
	struct training_layer layer = layer_of(&setup);
	double saved = layer_saved_bytes(&layer);
	if (f->checkpointing)
		mem[HOLDS_CHECKPOINTS] = m->layers * layer.input_bytes;
	mem[HOLDS_LAYERS] = saved * (f->checkpointing ? 1 : m->layers);
	mem[HOLDS_LOGITS] = CALL(logits_bytes, .batch = f->batch, .seq = f->seq, .vocab = m->vocab,
		.bytes_per_value = logit_held_bytes);
	mem[HOLDS_CONTEXT] = CUDA_CONTEXT_BYTES;
	for (int i = 0; i < N_FINETUNING_MEMORY; i++)
		r->memory_bytes += mem[i];
	r->fits = r->memory_bytes <= f->gpu->memory_bytes;
}

static void find_text(const struct finetuning *f, struct finetuning_step *r)
{
	r->positions = f->batch * f->seq;
	if (f->packing)
		return;
	r->padding = fmax(0, 1 - f->text_tokens / f->seq);
	r->cut = fmax(0, 1 - f->seq / f->text_tokens);
}

struct finetuning_step finetuning_step(const struct finetuning *f)
{
	assert(f->model && f->gpu);
	assert(f->seq > 0 && f->batch > 0 && f->rank > 0 && f->text_tokens > 0);
	assert(f->optimizer < LENGTH(optimizers));
	struct finetuning_step r = { .step_s = 0 };
	struct accelerator gpu = *f->gpu;
	struct finetuning on = *f;
	gpu.achieved.compute = finetuning_products_ratio;
	on.gpu = &gpu;
	find_text(f, &r);
	find_memory(f, &r);
	struct finetuning_pass work = gpu_work(&on, f->gpu);
	r.gpu_s = pass_s(&work);
	r.kernels = work.kernels;
	for (int i = 0; i < N_FINETUNING_PARTS; i++)
		r.part_s[i] = work.part_s[i];
	set_padding_aside(r.part_s, r.padding, work.part_s[PART_DEQUANTISE] / 2);
	r.part_s[PART_LAUNCH] = CALL(exposed_launch_time, .operations = r.kernels,
		.launch_time = wrapped_launch_s, .gpu_time = r.gpu_s);
	double busy_s = r.gpu_s + r.part_s[PART_LAUNCH], prep_s = f->batch * f->prep_s;
	r.part_s[PART_WAIT] = f->workers < 1 ? prep_s
					     : CALL(loader_stall, .prep_time = prep_s,
						       .workers = f->workers, .step_time = busy_s);
	r.step_s = busy_s + r.part_s[PART_WAIT];

	double texts = f->packing ? r.positions / f->text_tokens : f->batch;
	double tokens = r.positions * (1 - r.padding), peak = kernel_peak_flops(f->gpu, DTYPE_BF16);
	r.samples_per_s = texts / r.step_s;
	r.tokens_per_s = tokens / r.step_s;
	double params = f->model->params;
	r.mfu = r.tokens_per_s * CALL(frozen_flops_per_token, .params = params, .recomputed = 0) /
		peak;
	r.hfu = r.positions / r.step_s *
		CALL(frozen_flops_per_token, .params = params,
			.recomputed = f->checkpointing ? 1 : 0) /
		peak;
	return r;
}

struct finetuning finetuning_case(const struct model *m, const struct accelerator *a10)
{
	return (struct finetuning){ .model = m,
		.gpu = a10,
		.seq = 1024,
		.batch = 4,
		.rank = 16,
		.text_tokens = 1024,
		.nf4 = true,
		.checkpointing = true,
		.optimizer = OPTIMIZER_ADAMW_8BIT,
		.workers = 4,
		.prep_s = 0.003 };
}

struct finetuning finetuning_of(const struct finetuning *base, const struct finetuning_measured *m)
{
	struct finetuning f = *base;
	f.seq = m->seq;
	f.batch = m->batch;
	f.rank = m->rank;
	f.nf4 = m->nf4;
	f.optimizer = m->optimizer;
	return f;
}
