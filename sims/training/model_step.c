/* First the work of a layer, counted; then the time of a step, by a few constants. What is counted
 * is said where it is counted; what is fitted stands in step_costs and nowhere else. */
#include "sims/training/model_step.h"

#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/formulas/communication.h"
#include "sims/gpu/kernel.h"
#include "sims/training/step_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* --- Choices --- */

const char *const software_ids[N_SOFTWARE_CHOICES + 1] = { "megatron2021", "pytorch2023",
	"compiled2023", "compiled2024", "megatron2025", NULL };
const char *const software_labels[N_SOFTWARE_CHOICES] = { "2021, fused", "2023, separate",
	"2023, fused", "2024, fused", "2025, fused" };
const char software_help[] =
	"three dates. 2021: pointwise kernels fused by hand, attention as separate kernels. 2023: "
	"FlashAttention-2, and pointwise kernels one by one or fused by a compiler; as 2024, with "
	"attention written for the GPU (FlashAttention-3). 2025: that, and a tensor group's sums "
	"behind its products";

const char *software_says(double choice)
{
	static const char *const says[N_SOFTWARE_CHOICES] = {
		[MEGATRON_2021] = "pointwise kernels fused by hand, attention as separate kernels, "
				  "no sum hidden",
		[PYTORCH_2023] = "pointwise kernels one by one, FlashAttention-2, no sum hidden",
		[COMPILED_2023] = "pointwise kernels fused by a compiler, FlashAttention-2, no sum "
				  "hidden",
		[COMPILED_2024] =
			"the step of 2023, fused by a compiler, with FlashAttention-3, no sum hidden; "
			"no run of `ridge validate training` had it, and it was held to the MFU and "
			"the GPU-hours published of Llama 3",
		[MEGATRON_2025] =
			"pointwise kernels fused, attention written for the GPU, a tensor "
			"group's sums behind its products",
	};
	assert(choice >= 0 && choice < N_SOFTWARE_CHOICES);
	return says[(size_t)choice];
}

struct software software_of(double choice)
{
	static const struct software of[N_SOFTWARE_CHOICES] = {
		[MEGATRON_2021] = { SOFTWARE_2021, .fused = true },
		[PYTORCH_2023] = { SOFTWARE_2023, .fused = false },
		[COMPILED_2023] = { SOFTWARE_2023, .fused = true },
		[COMPILED_2024] = { SOFTWARE_2023, .fused = true, .own_attention = true },
		[MEGATRON_2025] = { SOFTWARE_2025, .fused = true, .own_attention = true },
	};
	assert(choice >= 0 && choice < N_SOFTWARE_CHOICES);
	return of[(size_t)choice];
}

static bool is_fused(const struct step_setup *s)
{
	return s->software.fused || s->software.date == SOFTWARE_2025;
}

const char *const recompute_ids[N_RECOMPUTE + 1] = { "none", "selective", "full", NULL };

const char *const routing_ids[N_ROUTING + 1] = { "host", "sent", "recorded", "gpu", NULL };
const char *const routing_labels[N_ROUTING] = { "host sorts", "kernel sends", "in a graph",
	"all on the GPU" };

/* --- Work --- */

double step_tokens(const struct step_setup *s)
{
	return s->micro_batch * s->seq / s->cp;
}

double step_value_bytes(const struct step_setup *s)
{
	return fmax(BF16_BYTES, dtype_bytes(s->dtype));
}

const struct step_recipe *step_recipe_run(const struct step_setup *s)
{
	const struct step_recipe *r = s->recipe ? s->recipe : step_recipe_of_dtype(s->dtype);
	assert(!s->recipe || s->recipe->dtype == s->dtype);
	return step_recipe_on(r, s->gpu);
}

enum dtype step_product_dtype(const struct step_setup *s)
{
	return dtype_bytes(s->dtype) < BF16_BYTES
		       ? kernel_math_dtype(s->gpu, step_recipe_run(s)->dtype)
		       : s->dtype;
}

bool step_rounds(const struct step_setup *s)
{
	return dtype_bytes(step_product_dtype(s)) < BF16_BYTES;
}

double step_products_slower(const struct step_setup *s)
{
	return step_rounds(s) ? 1 / step_recipe_products_ratio(step_recipe_run(s), s->gpu) : 1;
}

/* What is not a layer's product runs in no less than 16 bits either. */
enum dtype step_wide_dtype(const struct step_setup *s)
{
	return dtype_bytes(s->dtype) < BF16_BYTES ? DTYPE_BF16 : s->dtype;
}

/* Tensors as wide as the stream that a layer's two norms and two additions read and write, forward:
 * 2 and 3 each. Backward half as much again: a norm reads its input and two gradients, an
 * activation its input. */
enum { STREAM_PASSES = 10 };
static const double backward_passes = 1.5;
/* The whole mask of dropout before fused kernels: made and kept beside each of two additions, as
 * wide as 16 bits whatever the values are. */
enum { DROPOUT_PASSES = 4 };
/* Gradients are rounded too: those of the outputs, which are wider. */
static const double backward_rounding = 1.6;
/* Of unfused attention each score is written, read, written by the softmax, read, written where it
 * is dropped out, and read again; the mask is a byte. PyTorch's kernels also read and write it to
 * scale it and to add what is masked. */
enum { SCORE_PASSES = 6, SEPARATE_SCORE_PASSES = SCORE_PASSES + 4, MASK_BYTES = 1 };
/* Logits come in BF16, become FP32, are read twice for their sum, and leave as BF16 gradients. */
enum { LOGIT_BYTES = 16 };
/* Embedding: a row read, written; its gradient read, sorted, added. */
enum { EMBEDDING_PASSES = 6 };
/* Of an optimizer's step, per parameter: AdamW in one kernel reads and writes two moments and the
 * master copy, reads the gradient, writes the weight (28 B); before it the norm of the gradients
 * reads them, clipping reads and writes them, and zeroing writes them, in FP32. */
static double step_traffic(const struct step_setup *s)
{
	return 2 * (FP32_BYTES + step_recipe_run(s)->moment_bytes) + 2 * BF16_BYTES +
	       4 * FP32_BYTES;
}

double layer_product_params(const struct model *m)
{
	double query = m->heads * m->head_dim, key = m->kv_heads * m->head_dim;
	return m->hidden * (2 * query + 2 * key) + (m->gated ? 3 : 2) * m->hidden * m->ffn;
}

/* How many tokens a token meets in attention, on average over all tokens. */
static double met_tokens(const struct step_setup *s)
{
	return s->seq * fmax(1, s->spread);
}

/* Two matrices of scores, over the half that is not masked. */
static double attention_flops_per_token(const struct step_setup *s)
{
	const struct model *m = s->model;
	return 4 * met_tokens(s) * m->heads * m->head_dim * (s->full ? 1 : 0.5);
}

double model_flops_per_token(const struct step_setup *s)
{
	const struct model *m = s->model;
	double vocabulary = s->loss_share * m->vocab * m->hidden;
	if (m->made_of)
		return TRAINING_PASSES * (2 * (parts_active_params(s) + (1 + s->mtp) * vocabulary) +
						 parts_attention_flops(s));
	double products = m->layers * layer_product_params(m) + vocabulary;
	return TRAINING_PASSES * (2 * products + m->layers * attention_flops_per_token(s));
}

double step_mfu(const struct step_setup *s, double tokens_per_s)
{
	enum dtype math =
		kernel_math_dtype(s->gpu, step_rounds(s) ? step_product_dtype(s) : s->dtype);
	double peak = kernel_peak_flops(s->gpu, dtype_bytes(math) < BF16_BYTES ? math : DTYPE_BF16);
	return tokens_per_s * model_flops_per_token(s) / peak;
}

static struct network around_tensor_group(const struct step_setup *s)
{
	struct network net = s->net;
	net.gpus_per_node = fmax(1, floor(net.gpus_per_node / s->tp));
	return net;
}

/* The four products of a layer: queries with keys and values, the projection, up (with the gate),
 * down. Each is as many again for the gradients of its inputs and of its weights. */
static void add_products(const struct step_setup *s, struct layer_work *w)
{
	const struct model *m = s->model;
	double tokens = step_tokens(s);
	double query = m->heads * m->head_dim / s->tp;
	/* A KV head that two GPUs need is copied. */
	double key = fmax(m->kv_heads / s->tp, 1) * m->head_dim;
	double ffn = m->ffn / s->tp;
	const double out[] = { query + 2 * key, m->hidden, (m->gated ? 2 : 1) * ffn, m->hidden };
	const double in[] = { m->hidden, query, m->hidden, ffn };
	const enum dtype type = step_product_dtype(s);
	double slower = step_products_slower(s);
	for (size_t i = 0; i < LENGTH(out); i++) {
		w->products_s += slower * gemm_time_s(s->gpu, type, tokens, out[i], in[i]);
		w->products_back_s += slower * gemm_time_s(s->gpu, type, tokens, in[i], out[i]);
		w->weights_s += slower * gemm_time_s(s->gpu, type, in[i], out[i], tokens);
		w->params += in[i] * out[i];
	}
	w->summing_bytes = STEP_SUM_TRAFFIC * w->params;
}

/* Heads of 64 have half the arithmetic for each exponential. How much that costs is judgement, not
 * fitted: no table holds both sizes on one GPU. */
double step_head_share(double head_dim)
{
	return head_dim < 128 ? 0.87 : 1;
}

double step_score_bytes(const struct step_setup *s)
{
	double passes = is_fused(s) ? SCORE_PASSES : SEPARATE_SCORE_PASSES;
	return passes * step_value_bytes(s) + MASK_BYTES;
}

static void add_attention(const struct step_setup *s, struct layer_work *w)
{
	const struct model *m = s->model;
	const struct accelerator *g = s->gpu;
	struct efficiency e = kernel_efficiency(g);
	enum dtype math = kernel_math_dtype(g, step_wide_dtype(s));
	double tokens = step_tokens(s), peak = g->peak_flops[math];
	double flops = tokens * attention_flops_per_token(s) / s->tp;
	if (s->flash) {
		w->attention_s = flops / (e.attention * step_head_share(m->head_dim) * peak);
		return;
	}
	/* Separate kernels compute the masked half too. */
	double scores = tokens * met_tokens(s) * m->heads / s->tp;
	w->attention_s = 4 * scores * m->head_dim / (peak * kernel_compute_ratio(g, math));
	w->score_bytes = step_score_bytes(s) * scores;
}

static void add_pointwise(const struct step_setup *s, struct layer_work *w)
{
	const struct model *m = s->model;
	double tokens = step_tokens(s), cut = s->sequence_parallel ? s->tp : 1;
	double dropout = s->flash ? 0 : DROPOUT_PASSES * m->hidden / cut;
	double rotary = m->gated ? 2 * (m->heads + m->kv_heads) * m->head_dim : 0;
	double ffn = (m->gated ? 3 : 2) * m->ffn;
	double values = STREAM_PASSES * m->hidden / cut + (ffn + rotary) / s->tp;
	w->pointwise_bytes = tokens * (step_value_bytes(s) * values + BF16_BYTES * dropout);
	if (step_rounds(s))
		w->rounding_bytes = step_recipe_run(s)->rounding_bytes * tokens *
				    (2 * m->hidden + (m->heads * m->head_dim + m->ffn) / s->tp);
}

/* Four sums of activations over the tensor group, two of them forward; keys and values gathered
 * over the context group, and their gradients scattered again; FSDP's weights gathered for each
 * pass, in 16 bits whatever products are in, and gradients scattered. */
static void add_layer_collectives(const struct step_setup *s, struct layer_work *w)
{
	const struct model *m = s->model;
	struct network outside = around_tensor_group(s);
	double tokens = step_tokens(s);
	if (s->tp > 1)
		w->tensor_s = 2 * collective_best(&s->net, ALL_REDUCE, s->tp,
					  tokens * m->hidden * step_value_bytes(s), NULL);
	if (s->cp > 1)
		w->context_s = collective_best(&outside, ALL_GATHER, s->cp,
			2 * step_value_bytes(s) * m->kv_heads * m->head_dim / s->tp * tokens *
				s->cp,
			NULL);
	if (s->shard > 1) {
		double gradient = s->wide_gradients ? FP32_BYTES : BF16_BYTES;
		w->gather_s = collective_best(
			&outside, ALL_GATHER, s->shard, BF16_BYTES * w->params, NULL);
		w->scatter_s = collective_best(
			&outside, REDUCE_SCATTER, s->shard, gradient * w->params, NULL);
	}
}

/* Gradients in one piece, after backward. */
static bool exchanges_late(const struct step_setup *s)
{
	return s->software.date == SOFTWARE_2021;
}

/* Gradients of one stage among the GPUs that have the same, `apart` ranks from each other. Where the
 * weights are sharded over fewer GPUs than there are, the groups still have to agree (hybrid
 * sharding). */
static double exchange_s(const struct step_setup *s, double params, double copies, double apart)
{
	struct network outside = s->net;
	double shard = fmin(s->shard, copies), replicas = copies / shard;
	outside.gpus_per_node = fmax(1, floor(outside.gpus_per_node / apart));
	if (replicas <= 1 || params <= 0)
		return 0;
	/* A model that trains in FP16 is halved, its gradients with it. */
	bool halved = s->software.date == SOFTWARE_2025 || s->dtype == DTYPE_FP16;
	double bytes = params / shard * (halved ? step_value_bytes(s) : FP32_BYTES);
	double buckets = exchanges_late(s) ? 1
					   : CALL(ddp_buckets, .bytes = bytes,
						     .bucket_bytes = DDP_BUCKET_BYTES);
	outside.gpus_per_node = fmax(1, floor(outside.gpus_per_node / shard));
	double sum_s =
		buckets * collective_best(&outside, ALL_REDUCE, replicas, bytes / buckets, NULL);
	/* A scatter is half of a sum; ZeRO-2 scatters after every micro-batch and gathers once. */
	return s->shard_gradients ? sum_s * (s->micro_batches + 1) / 2 : sum_s;
}

static double transfer_s(const struct step_setup *s)
{
	/* Ranks go through tensor, context and data groups first: stages are farthest apart. */
	bool inside = s->tp * s->cp * s->dp * s->pp <= s->net.gpus_per_node;
	double bytes = step_tokens(s) * s->model->hidden * step_value_bytes(s) / s->tp;
	if (s->pp <= 1)
		return 0;
	return inside ? s->net.intra_hop_s +
				bytes / (s->net.intra_bandwidth * s->net.intra_efficiency)
		      : s->net.inter_hop_s +
				bytes / (s->net.inter_bandwidth * s->net.inter_efficiency);
}

/* Experts are held by fewer GPUs than the rest, and a head for a further token has a product of its own
 * and the vocabulary once more. */
static void add_mixture(const struct step_setup *s, struct step_work *w)
{
	const struct expert_mesh mesh = expert_mesh_of(s);
	double twice = fmax(1, s->stage_copies), copies = mesh.copies * twice;
	double layers = s->model->layers / s->pp;
	double experts = w->layer.expert_params * layers * twice;
	double shares = s->shard_optimizer ? copies : fmin(s->shard, mesh.copies);
	w->optimizer_bytes += step_traffic(s) * experts / shares;
	w->exchange_s += exchange_s(s, experts, copies, mesh.ep * mesh.split);
	w->join_s = s->mtp * parts_join_s(s);
	w->head_s *= 1 + s->mtp;
	w->loss_bytes *= 1 + s->mtp;
}

static struct layer_work alike_work(const struct step_setup *s)
{
	struct layer_work w = { 0 };
	if (s->model->made_of)
		return parts_layer_work(s);
	add_products(s, &w);
	add_attention(s, &w);
	add_pointwise(s, &w);
	add_layer_collectives(s, &w);
	return w;
}

/* Where a recipe leaves some layers wide, the mean over both kinds. Work is numbers alone. */
static struct layer_work layer_work_of(const struct step_setup *s)
{
	enum { NUMBERS = sizeof(struct layer_work) / sizeof(double) };
	static_assert(NUMBERS * sizeof(double) == sizeof(struct layer_work), "of doubles alone");
	double share = step_rounds(s) ? step_recipe_run(s)->wide_layers : 0;
	struct layer_work w = alike_work(s);
	if (share <= 0)
		return w;
	struct step_setup wide = *s;
	wide.dtype = DTYPE_BF16;
	wide.recipe = NULL;
	const struct layer_work other = alike_work(&wide);
	double mean[NUMBERS], kept[NUMBERS];
	memcpy(mean, &w, sizeof mean);
	memcpy(kept, &other, sizeof kept);
	for (size_t i = 0; i < NUMBERS; i++)
		mean[i] += share * (kept[i] - mean[i]);
	memcpy(&w, mean, sizeof w);
	return w;
}

struct step_work step_work_of(const struct step_setup *s)
{
	assert(s->model && s->gpu && s->tp >= 1 && s->pp >= 1 && s->cp >= 1 && s->dp >= 1);
	assert(s->shard >= 1 && s->micro_batch > 0 && s->micro_batches >= 1 && s->seq >= 1);
	const struct model *m = s->model;
	struct step_work w = { 0 };
	w.layer = layer_work_of(s);

	double tokens = step_tokens(s), judged = tokens * s->loss_share;
	double words = m->vocab / s->tp, vocabulary = m->vocab * m->hidden / s->tp;
	enum dtype wide = step_wide_dtype(s);
	w.head_s = gemm_time_s(s->gpu, wide, judged, words, m->hidden) +
		   gemm_time_s(s->gpu, wide, judged, m->hidden, words) +
		   gemm_time_s(s->gpu, wide, m->hidden, words, judged);
	w.loss_bytes = LOGIT_BYTES * judged * words;
	w.embedding_bytes = EMBEDDING_PASSES * step_value_bytes(s) * tokens * m->hidden;
	/* The first stage has the embedding, the last the vocabulary: neither has both. */
	double stage = w.layer.params * m->layers / s->pp + vocabulary * (s->pp > 1 ? 1 : 2);
	double twice = fmax(1, s->stage_copies), copies = s->dp * s->cp * twice;
	double shares = fmax(s->shard, s->shard_optimizer ? copies : 1);
	w.optimizer_bytes = step_traffic(s) * stage * twice / shares;
	w.exchange_s = exchange_s(s, stage * twice, copies, s->tp);
	if (m->made_of)
		add_mixture(s, &w);
	w.transfer_s = transfer_s(s);
	return w;
}

/* --- Time --- */

const struct step_costs step_costs = {
	.full_clock_w = 0.639,
	.attention = 0.841,
	.flash2_later = 0.46,
	.unfused = 2.62,
	.eager_passes = 3.69,
	.scripted_passes = 2.41,
	.fused_passes = 0.99,
	.gather_stall = 0.738,
	.tensor_shown = 0.597,
	.layer_s = 60.6e-6,
	.young_products = 0.891,
	.grouped = 0.812,
	.expert_s = 6.11e-6,
	.routed_passes = 4.38,
	.sent_passes = 1.54,
	.joined_passes = 0.445,
	.scan = 0.0508,
	.host_s = 3.2e-3,
	.host_starts_s = 2.73e-3,
};

/* Backward of a fused kernel: FLASH_BACKWARD_OVER_FORWARD times the work, with operands that do not
 * fit as well. The share is judgement, not fitted: what is fitted is attention both ways. */
static const double attention_back = FLASH_BACKWARD_OVER_FORWARD / 0.76;

static bool is_family(const struct accelerator *g, const char *family)
{
	return g->family && strcmp(g->family, family) == 0;
}

/* What of its peak clock a GPU keeps while products run: power goes as the cube of the clock. */
static double clock_share(const struct accelerator *g, const struct step_costs *c)
{
	double tflops = kernel_peak_flops(g, DTYPE_BF16) / 1e12;
	if (g->power_w <= 0 || tflops <= 0)
		return 1;
	return fmin(1, cbrt(g->power_w / tflops / c->full_clock_w));
}

static double attention_share(const struct step_setup *s, const struct step_costs *c, double clock)
{
	bool written_for = s->software.own_attention || s->software.date == SOFTWARE_2025;
	double share = c->attention * (written_for ? clock : 1);
	if (!written_for && (is_family(s->gpu, "hopper") || is_family(s->gpu, "blackwell")))
		share *= c->flash2_later;
	return share;
}

/* Gradients added up over micro-batches: later by the product itself, which hides all but little; at
 * first by a kernel of its own. */
static double weights_s(const struct step_setup *s, double alone, double sums)
{
	if (s->software.date == SOFTWARE_2021)
		return alone + sums;
	return cbrt(alone * alone * alone + sums * sums * sums);
}

/* Multiple of the least traffic of pointwise kernels. */
static double passes_of(const struct step_setup *s, const struct step_costs *c)
{
	if (is_fused(s))
		return c->fused_passes;
	return s->software.date == SOFTWARE_2021 ? c->scripted_passes : c->eager_passes;
}

/* A compiler joins what the fused kernels of 2021, written by hand, still start one by one. */
static double starts_share(const struct step_setup *s)
{
	return is_fused(s) && s->software.date != SOFTWARE_2021 ? 0.5 : 1;
}

/* Products of experts run at a rate of their own, and what sorts rows for them comes on top of what
 * else only moves. */
static void add_experts(const struct step_setup *s, const struct layer_work *w,
	const struct step_costs *c, double products, double bandwidth, struct layer_parts *p)
{
	double rate = products * c->grouped;
	const double passes[N_ROUTING] = { c->routed_passes, c->sent_passes, c->sent_passes,
		c->joined_passes };
	double starts_s = s->routing == ROUTING_ON_GPU ? 0 : c->expert_s * w->expert_products;
	double moved = passes[s->routing] * w->expert_bytes;
	double rounded = passes[s->routing] * w->expert_rounding_bytes;
	double own_s =
		weights_s(s, w->experts_weights_s / rate, w->expert_summing_bytes / bandwidth);
	p->products_s += w->experts_s / rate + starts_s;
	p->products_back_s += w->experts_back_s / rate + starts_s;
	p->weights_back_s += own_s + starts_s;
	p->pointwise_s += (moved + rounded) / bandwidth;
	p->pointwise_back_s += (backward_passes * moved + backward_rounding * rounded) / bandwidth;
}

/* What the GPU does of a layer in one pass. */
static double pass_s(const struct layer_parts *p, bool backward)
{
	return backward
		       ? p->products_back_s + p->attention_back_s + p->pointwise_back_s +
				 2 * p->starts_s + p->again_s + p->tensor_back_s + p->context_back_s
		       : p->products_s + p->attention_s + p->pointwise_s + p->starts_s +
				 p->tensor_s + p->context_s;
}

/* Tokens travel before and after the experts, with nothing to hide behind, unless another micro-batch
 * computes meanwhile. */
static void add_dispatch(
	const struct step_setup *s, const struct layer_work *w, struct layer_parts *p)
{
	double all_s = w->dispatch_s;
	bool hides = s->dispatch_overlap;
	p->dispatch_s = hides ? fmax(0, all_s - pass_s(p, false)) : all_s;
	p->dispatch_back_s = hides ? fmax(0, all_s - pass_s(p, true)) : all_s;
}

/* Host and GPU work side by side, and wait for each other where one is not far ahead: the larger of
 * the two, softly. */
static double host_shown_s(const struct step_setup *s, const struct layer_work *w,
	const struct step_costs *c, const struct layer_parts *p)
{
	const double sharpness = 4;
	/* Shapes that are known before can be recorded whatever sends the tokens. */
	const double alone_s[N_ROUTING] = { s->capacity > 0 ? 0 : c->host_s, c->host_starts_s, 0,
		0 };
	double host_s = TRAINING_PASSES * w->mixtures * alone_s[s->routing];
	double gpu_s = pass_s(p, false) + pass_s(p, true) + p->dispatch_s + p->dispatch_back_s;
	return pow(pow(gpu_s, sharpness) + pow(host_s, sharpness), 1 / sharpness) - gpu_s;
}

/* A scan of states is one kernel, whatever attention is. */
static void add_attention_times(const struct step_setup *s, const struct layer_work *w,
	const struct step_costs *c, double bandwidth, double clock, struct layer_parts *p)
{
	double fused_s = w->scan_s / c->scan + (s->flash ? w->attention_s : 0);
	double alone_s = s->flash ? 0 : c->unfused * w->attention_s / clock;
	double moves_s = w->score_bytes / bandwidth;
	p->attention_s = fused_s / attention_share(s, c, clock);
	p->attention_back_s = attention_back * p->attention_s;
	p->attention_s += alone_s + moves_s;
	p->attention_back_s += BACKWARD_OVER_FORWARD * alone_s + moves_s;
}

static struct layer_parts layer_parts_of(
	const struct step_setup *s, const struct layer_work *w, const struct step_costs *c)
{
	double bandwidth = kernel_efficiency(s->gpu).memory * s->gpu->bandwidth;
	double clock = clock_share(s->gpu, c), products = clock;
	bool hidden = s->tensor_overlap || s->software.date == SOFTWARE_2025;
	if (s->software.date != SOFTWARE_2025 && is_family(s->gpu, "hopper"))
		products *= c->young_products;
	double pointwise = w->pointwise_bytes * passes_of(s, c);
	struct layer_parts p = {
		.products_s = w->products_s / products,
		.weights_back_s =
			weights_s(s, w->weights_s / products, w->summing_bytes / bandwidth),
		.pointwise_s = (pointwise + w->rounding_bytes) / bandwidth,
		.pointwise_back_s =
			(backward_passes * pointwise + backward_rounding * w->rounding_bytes) /
			bandwidth,
		.starts_s = c->layer_s * starts_share(s),
		.tensor_s = w->tensor_s * (hidden ? c->tensor_shown : 1),
		.context_s = w->context_s,
		.context_back_s = 2 * w->context_s,
	};
	if (w->mixtures > 0)
		add_experts(s, w, c, products, bandwidth, &p);
	p.products_back_s += w->products_back_s / products + p.weights_back_s;
	add_attention_times(s, w, c, bandwidth, clock, &p);
	p.tensor_back_s = p.tensor_s;
	if (w->mixtures > 0)
		add_dispatch(s, w, &p);
	if (s->recompute == RECOMPUTE_FULL) {
		p.again_s = p.products_s + p.attention_s + p.pointwise_s + p.starts_s;
		p.tensor_back_s += p.tensor_s;
		p.context_back_s += p.context_s;
		p.dispatch_back_s += p.dispatch_s;
	} else if (s->recompute == RECOMPUTE_SELECTIVE) {
		p.again_s = s->flash ? 0.5 * p.products_s + p.pointwise_s : p.attention_s;
	}
	if (w->mixtures > 0)
		p.host_s = host_shown_s(s, w, c, &p);
	return p;
}

struct layer_parts model_layer(const struct step_setup *s)
{
	const struct layer_work w = layer_work_of(s);
	return layer_parts_of(s, &w, &step_costs);
}

/* What shows of FSDP's collectives around a layer that takes layer_s. */
static double gather_shown_s(const struct step_setup *s, const struct layer_work *w,
	const struct step_costs *c, double layer_s)
{
	double all = 2 * w->gather_s + w->scatter_s;
	return c->gather_stall * all +
	       fmax(0, (1 - c->gather_stall) * all - (1 - s->bare) * layer_s);
}

/* Gradients of the last micro-batch go as its backward frees them; before 2023 after it. */
static double exchange_shown_s(const struct step_setup *s, const struct step_work *w,
	const struct step_costs *c, double backward_s)
{
	double stall = exchanges_late(s) ? 1 : c->gather_stall;
	return stall * w->exchange_s +
	       fmax(0, (1 - stall) * w->exchange_s - (1 - s->bare) * backward_s);
}

/* The sum over the parts of a step, and what it comes to. */
static void finish(const struct step_setup *s, struct step_time *t)
{
	for (size_t i = 0; i < N_SPENT; i++)
		t->step_s += t->part_s[i];
	double tokens = s->micro_batches * step_tokens(s) / (s->tp * s->pp);
	t->tokens_per_s = tokens / t->step_s;
	t->mfu = step_mfu(s, t->tokens_per_s);
}

/* The longest stage where the last, which has the head besides, gets as few layers as help: recipes of
 * mixtures say which stage has which. */
static double balanced_s(double layers, double stages, double layer_s, double head_s)
{
	double best_s = INFINITY;
	for (double last = floor(layers / stages); last >= 0 && stages > 1; last--) {
		double others = ceil((layers - last) / (stages - 1));
		best_s = fmin(best_s, fmax(others * layer_s, last * layer_s + head_s));
	}
	return best_s;
}

struct step_time step_time_of(const struct step_setup *s, const struct step_work *w, double chunks,
	const struct step_costs *costs)
{
	const struct step_costs *c = costs ? costs : &step_costs;
	struct layer_parts p = layer_parts_of(s, &w->layer, c);
	double bandwidth = kernel_efficiency(s->gpu).memory * s->gpu->bandwidth;
	double clock = clock_share(s->gpu, c), m = s->micro_batches;
	struct step_time t = {
		.forward_s = pass_s(&p, false) + p.dispatch_s + p.host_s / TRAINING_PASSES,
		.backward_s = pass_s(&p, true) + p.dispatch_back_s +
			      p.host_s * (1 - 1. / TRAINING_PASSES),
		.weights_s = p.weights_back_s,
		.tensor_s = p.tensor_s + p.tensor_back_s,
		.context_s = p.context_s + p.context_back_s,
		.dispatch_s = p.dispatch_s + p.dispatch_back_s,
		.dispatch_back_s = p.dispatch_back_s,
		.computed_s = p.products_s + p.attention_s,
		.computed_back_s = p.products_back_s + p.attention_back_s,
		.host_s = p.host_s,
		.embedding_s = w->embedding_bytes / bandwidth,
		.transfer_s = w->transfer_s,
		.optimizer_s = w->optimizer_bytes / bandwidth,
	};
	t.gather_s = gather_shown_s(s, &w->layer, c, t.forward_s + t.backward_s);

	double layer_s = t.forward_s + t.backward_s + t.gather_s;
	double head_s = w->head_s / clock + w->loss_bytes / bandwidth;
	/* A further token's head is a layer besides. */
	if (s->mtp > 0)
		head_s += w->join_s / clock + s->mtp * layer_s;
	t.head_forward_s = head_s / TRAINING_PASSES;
	t.head_backward_s = head_s - t.head_forward_s;
	double mean = s->model->layers / s->pp, busy_s = mean * layer_s;
	/* The last stage has the head besides, so it has no more layers than any other. */
	double longest = ceil(mean), last = floor(mean);
	double ends_s = (head_s + t.embedding_s) / s->pp;
	double slowest_s = fmax(longest * layer_s, last * layer_s + head_s);
	if (s->model->made_of)
		slowest_s = balanced_s(s->model->layers, s->pp, layer_s, head_s);
	slowest_s += 2 * chunks * t.transfer_s;
	if (s->pp <= 1)
		slowest_s = busy_s + ends_s;
	t.part_s[SPENT_PRODUCTS] = m * mean * (p.products_s + p.products_back_s);
	t.part_s[SPENT_ATTENTION] = m * mean * (p.attention_s + p.attention_back_s);
	t.starts_s = m * mean * TRAINING_PASSES * p.starts_s;
	t.part_s[SPENT_POINTWISE] = m * mean * (p.pointwise_s + p.pointwise_back_s) + t.starts_s;
	t.part_s[SPENT_RECOMPUTE] = m * mean * p.again_s;
	t.part_s[SPENT_TENSOR] = m * mean * t.tensor_s;
	t.part_s[SPENT_CONTEXT] = m * mean * t.context_s;
	t.part_s[SPENT_DISPATCH] = m * mean * t.dispatch_s;
	t.part_s[SPENT_HOST] = m * mean * t.host_s;
	t.part_s[SPENT_GATHER] = m * mean * t.gather_s;
	t.part_s[SPENT_HEAD] = m * ends_s;
	t.part_s[SPENT_OPTIMIZER] = t.optimizer_s;
	t.part_s[SPENT_PIPELINE] =
		m * (slowest_s - busy_s - ends_s) + (s->pp - 1) / chunks * (busy_s + ends_s);
	t.exchange_s =
		exchange_shown_s(s, w, c, mean * t.backward_s * (s->shard_gradients ? m : 1));
	t.part_s[SPENT_EXCHANGE] = t.exchange_s;
	finish(s, &t);
	return t;
}

struct step_time model_step(const struct step_setup *s, double chunks)
{
	struct step_work w = step_work_of(s);
	return step_time_of(s, &w, chunks, NULL);
}
