/* The time of one training step of a transformer, part by part: the one model of it. `parallelism`
 * runs its pipeline on these times, `scaling`, `memory` and `goodput` take its step, `ridge
 * validate training` holds it against published throughputs.
 *
 * It is worked out in two halves. step_work says what there is to do: seconds of matrix products
 * and attention as their kernels alone take them (sims/gpu/kernel.h), bytes of everything that only
 * moves, seconds of collectives (sims/communication/collective.h). step_time says how long a step
 * takes that does it, by a dozen constants that `make fit` finds on published steps. Times in s,
 * sizes in B, work in FLOPs; one GPU's share, all GPUs of a stage take the same time. */
#ifndef RIDGE_MODEL_STEP_H
#define RIDGE_MODEL_STEP_H

#include "sims/communication/collective.h"
#include "sims/constants.h"
#include "sims/tables/tables.h"
#include "sims/training/step_recipe.h"

#include <stdbool.h>
#include <stddef.h>

/* What frameworks of a date do. The same step is slower on older ones for reasons that can be
 * named: gradients exchanged in one piece or as they come, and added up within the products or after
 * them; sums of a tensor group hidden behind products or not. */
enum software_date {
	SOFTWARE_2021, /* gradients after backward, nothing hidden but by hand */
	SOFTWARE_2023, /* PyTorch's FSDP */
	SOFTWARE_2025, /* Transformer Engine; the two below always */
	N_SOFTWARE_DATES
};
struct software {
	enum software_date date;
	bool fused;         /* chains of pointwise kernels in one, by hand or by a compiler */
	bool own_attention; /* written for each GPU; FlashAttention-2 was not written for Hopper */
};

/* As knobs offer them, three dates and what was fused: 2023 as it comes, compiled, and compiled with
 * FlashAttention-3 (2024). The ids, which name who had it first, stay as they were once typed.
 * NULL-terminated. */
enum {
	MEGATRON_2021,
	PYTORCH_2023,
	COMPILED_2023,
	COMPILED_2024,
	MEGATRON_2025,
	N_SOFTWARE_CHOICES
};
extern const char *const software_ids[N_SOFTWARE_CHOICES + 1];
extern const char *const software_labels[N_SOFTWARE_CHOICES];
/* Help of such a knob; and what one of them does, as an assumption says it. */
extern const char software_help[];
const char *software_says(double choice);
struct software software_of(double choice);

/* Selective: with fused attention every second product and all pointwise kernels run again (as
 * torchtitan does), without it attention alone (Korthikanti et al., 2022). */
enum recompute { RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL, N_RECOMPUTE };
extern const char *const recompute_ids[N_RECOMPUTE + 1]; /* NULL-terminated */

/* How tokens are led to their experts: what the host has to know, and how often their rows are
 * written. */
enum dispatcher {
	ROUTING_ON_HOST, /* the host waits for the counts of every layer and starts each kernel; every
			   * copy of a token travels by itself (Megatron's all-to-all dispatcher) */
	ROUTING_SENT,    /* one kernel sends a token once to each GPU and sorts it there (DeepEP,
			   * HybridEP); the host starts each kernel, but need not wait */
	ROUTING_RECORDED, /* the same, and what comes before the experts is recorded in a CUDA graph */
	ROUTING_ON_GPU, /* the whole step is recorded: kernels read the counts themselves, and those
			   * of an expert's two products, its gate and their rounding are one */
	N_ROUTING
};
extern const char *const routing_ids[N_ROUTING + 1]; /* NULL-terminated */
extern const char *const routing_labels[N_ROUTING];

struct step_setup {
	const struct model *model;
	const struct accelerator *gpu;
	struct network net;
	double tp, pp, cp, dp; /* the mesh; dp: replicas, each a batch of its own */
	double shard;          /* GPUs that share one copy of the weights, gathered as they are
				* needed (FSDP, ZeRO-3); 1: none. Of dp x cp at most */
	bool shard_optimizer;  /* ZeRO-1, 2: over all dp x cp */
	bool shard_gradients;  /* ZeRO-2: scattered after every micro-batch, as none keeps them */
	double micro_batch, micro_batches, seq;
	double spread;    /* mean square of the sequences' lengths over the square of seq, which is
			   * their mean; 0 and 1: all are as long */
	enum dtype dtype; /* of the products: BF16, FP8, FP4, or wider */
	const struct step_recipe
		*recipe; /* of the type; NULL: the usual one (step_recipe_of_dtype) */
	enum recompute recompute;
	bool flash; /* attention in one kernel */
	bool full;  /* every token sees every token, as in an encoder */
	bool sequence_parallel;
	bool tensor_overlap; /* a tensor group's sums run behind the products that need them; since
			      * 2025 always */
	bool wide_gradients; /* FSDP sums gradients in FP32 */
	double bare;         /* 0..1: of the computation, what nothing may hide behind */
	double loss_share;   /* of the tokens: 1; 0.15 where words are masked */
	struct software software;
	/* Of a mixture of experts. The groups span tensor, context and data parallelism's GPUs, in this
	 * order; where they are fewer than a tensor group, each cuts its experts. */
	double ep;  /* groups of GPUs to which the experts are dealt; 0 and 1: one */
	double hot; /* rows of the busiest group, in those of the mean; 0 and 1: all get the same */
	double capacity; /* rows for which an expert has room, in those of the mean: it computes so many
			  * whatever comes, and tokens beyond are dropped (Fedus et al., Switch
			  * Transformers, 2021). 0: none is dropped; else 1 at least */
	enum dispatcher routing;
	double stage_copies; /* GPUs of a pipeline on which each stage lies, and which each hold as many
			      * stages: 2 where micro-batches come both ways; 0 and 1: one */
	bool dispatch_overlap; /* tokens travel while another micro-batch computes, as in DualPipe */
	double mtp; /* heads for further tokens that are trained, each a layer and a vocabulary */
};

/* What one layer does in one micro-batch, forward; backward where it differs. */
struct layer_work {
	double products_s, products_back_s; /* for the inputs' gradients */
	double weights_s;                   /* for the weights' */
	double attention_s;                 /* of unfused attention the products only */
	double score_bytes;                 /* that unfused attention moves */
	double scan_s;                      /* of states, at the rate of attention; in no other */
	double pointwise_bytes, rounding_bytes; /* the latter: into 8 or 4 bits */
	double summing_bytes;                   /* gradients added up over micro-batches, FP32 */
	double tensor_s, context_s;             /* each once forward */
	double gather_s, scatter_s;             /* of FSDP, over a layer's weights and gradients */
	double params;                          /* on this GPU, whole where FSDP shards them */
	/* Of experts, the mean over all layers. */
	double experts_s, experts_back_s,
		experts_weights_s; /* as products, products_back, weights */
	double expert_products;    /* forward, each expert's counted */
	double expert_bytes, expert_rounding_bytes, expert_summing_bytes;
	double dispatch_s, dispatch_bytes; /* tokens there and back, forward; as much backward */
	double expert_params;
	double mixtures; /* share of the layers that have them */
};

struct step_work {
	struct layer_work layer;
	double head_s; /* products of the vocabulary, forward and backward */
	double join_s; /* the same of heads for further tokens, but for the vocabulary */
	double loss_bytes, embedding_bytes, optimizer_bytes;
	double exchange_s; /* gradients of a stage among the replicas */
	double transfer_s; /* a micro-batch from stage to stage */
};
struct step_work step_work_of(const struct step_setup *s);

/* The fitted constants (`make fit`, `ridge validate training`). */
struct step_costs {
	double full_clock_w; /* W for each TFLOP/s of 16-bit peak with which products keep their
			      * clock; with less the clock falls as the cube root of power */
	double attention;    /* share of what attention kernels sustain alone */
	double flash2_later; /* FlashAttention-2 on GPUs after the one that it was written for */
	double unfused;      /* multiple of what separate products of attention should take */
	double eager_passes, scripted_passes, fused_passes; /* multiples of the least traffic of
							     * pointwise kernels */
	double gather_stall;   /* share of FSDP's collectives that stalls products even where there
			      * is enough to hide behind */
	double tensor_shown;   /* share of a tensor group's sums that shows where they are hidden */
	double layer_s;        /* starts of a layer's kernels, forward; half of it where compiled */
	double young_products; /* Hopper's products in the libraries of its first year */
	double grouped;        /* share of what products of experts sustain alone */
	double expert_s; /* start and end of one expert's product, where no kernel has them all */
	double routed_passes, sent_passes, joined_passes; /* multiples of the least traffic around
							   * experts, by the routing */
	double scan;          /* share of attention's rate that the scan of a state reaches */
	double host_s;        /* of a mixture's layer, forward, on the host that waits for counts */
	double host_starts_s; /* the same where it need not wait, but starts each kernel */
};
extern const struct step_costs step_costs;

/* Where the time of one layer, forward and backward, goes. */
enum step_part {
	SPENT_PRODUCTS,
	SPENT_ATTENTION,
	SPENT_POINTWISE,
	SPENT_RECOMPUTE,
	SPENT_TENSOR,
	SPENT_CONTEXT,
	SPENT_DISPATCH, /* what shows of tokens on their way to experts and back */
	SPENT_HOST,     /* what the host takes longer to start a mixture's kernels than they run */
	SPENT_GATHER,   /* what shows of FSDP's collectives */
	SPENT_HEAD,     /* vocabulary, loss, embedding */
	SPENT_OPTIMIZER,
	SPENT_EXCHANGE, /* what shows of the exchange of gradients */
	SPENT_PIPELINE, /* bubble, transfers, and stages that wait for the longest */
	N_SPENT
};

struct step_time {
	double forward_s, backward_s; /* a layer, one micro-batch; backward with what runs again */
	double tensor_s, context_s;   /* what shows of those, of one layer both ways */
	double dispatch_s, host_s;    /* the same; all in the two above */
	double dispatch_back_s;       /* of dispatch_s, backward */
	/* Of forward_s and backward_s, products and attention: what takes longer on fewer SMs. */
	double computed_s, computed_back_s;
	double weights_s; /* of backward, the gradients of the weights */
	double gather_s;  /* what shows, of one layer both ways; not in the above */
	double head_forward_s, head_backward_s; /* of the last stage */
	double embedding_s;                     /* of the first, both ways */
	double exchange_s;                      /* what shows, once */
	double transfer_s, optimizer_s;
	double part_s[N_SPENT]; /* of the whole step; they add up to step_s */
	double starts_s;        /* of part_s[SPENT_POINTWISE], starts of kernels that show */
	double step_s;
	double tokens_per_s; /* of one GPU */
	double mfu;          /* as step_mfu */
};
/* costs: NULL for step_costs. The schedule is interleaved where chunks > 1; layers are dealt
 * evenly, and the longest stage sets the pace. chunks >= 1. */
struct step_time step_time_of(const struct step_setup *s, const struct step_work *w, double chunks,
	const struct step_costs *costs);

/* One layer and micro-batch, in parts, by the tree's constants: for who runs only some of them. */
struct layer_parts {
	double products_s, attention_s, pointwise_s, starts_s; /* forward */
	double products_back_s, attention_back_s, pointwise_back_s;
	double weights_back_s; /* of products_back_s, for the weights */
	double again_s;        /* forward that runs again in backward, without collectives */
	double tensor_s, tensor_back_s, context_s, context_back_s;
	double dispatch_s, dispatch_back_s, host_s; /* what shows; the last of both ways */
};
struct layer_parts model_layer(const struct step_setup *s);

/* Both halves, with the tree's constants. */
struct step_time model_step(const struct step_setup *s, double chunks);

/* What layers of every kind have in common. Tokens of a GPU in a micro-batch, before a tensor group
 * shares their work. */
double step_tokens(const struct step_setup *s);
/* B of a value of the stream between layers: of 16 bits even where products are narrower. */
double step_value_bytes(const struct step_setup *s);
/* What products run in, and the recipe that runs. Master weights lie in FP32, and products' inputs are
 * only rounded for them: where the GPU has no unit for the type, nothing is rounded and nothing is
 * narrower, and the recipe is that of BF16. */
enum dtype step_product_dtype(const struct step_setup *s);
const struct step_recipe *step_recipe_run(const struct step_setup *s);
bool step_rounds(const struct step_setup *s);
/* Multiple of the time of plain products of the type. */
double step_products_slower(const struct step_setup *s);
/* Of what is no layer's product (attention, the router, the vocabulary): 16 bits at least. */
enum dtype step_wide_dtype(const struct step_setup *s);
/* Share of attention's rate that heads of so many dimensions reach. */
double step_head_share(double head_dim);
/* B that unfused attention moves for each score, forward. */
double step_score_bytes(const struct step_setup *s);
/* B of adding up one weight's gradient in FP32: read and written. */
#define STEP_SUM_TRAFFIC (2 * FP32_BYTES)

/* Parameters of one plain layer's products, and FLOPs of the model for a token, forward and backward: 6
 * for each parameter of a product, the vocabulary's included, and attention's over the half that is
 * not masked. */
double layer_product_params(const struct model *m);
double model_flops_per_token(const struct step_setup *s);
/* Of one GPU that trains so many tokens a second: over the dense 16-bit peak of its datasheet, or
 * that of the products' type where it is narrower. */
double step_mfu(const struct step_setup *s, double tokens_per_s);

#endif
