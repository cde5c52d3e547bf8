/* Physical and engineering constants that more than one model uses, each once: two models that
 * assume the same thing of the world cannot come to assume two things. What one model alone assumes
 * stands in its file.
 *
 * These are macros and not objects, so that tables and defaults can be initialised with them. Units
 * end the names; a ratio has none. tests/test_constants.c holds the formula rows that print one of
 * these numbers to the value here. */
#ifndef RIDGE_CONSTANTS_H
#define RIDGE_CONSTANTS_H

/* --- Units --- */

#define MINUTE_S 60.0
#define HOUR_S 3600.0
#define DAY_S 86400.0
#define GIB_BYTES 1073741824.0
#define MPH_M_PER_S 0.44704 /* the international mile, exactly */

/* --- Number formats and the state of training --- */

#define BF16_BYTES 2.0
#define FP32_BYTES 4.0
/* The largest finite FP16: (2 - 2^-10) * 2^15 (IEEE 754-2019). */
#define FP16_MAX 65504.0
/* The scale that torch.amp.GradScaler begins with (PyTorch, init_scale). */
#define GRAD_SCALER_START 65536.0
/* Training is three passes of equal length: the backward has two matrix products, for the gradients
 * of the inputs and of the weights, where the forward has one (Kaplan et al., 2020). */
#define BACKWARD_OVER_FORWARD 2.0
#define TRAINING_PASSES (1 + BACKWARD_OVER_FORWARD)
/* AdamW keeps two moments in FP32 (Loshchilov, Hutter, 2019); in 8 bits a byte each (Dettmers et
 * al., 2022). */
#define ADAMW_MOMENT_BYTES (2 * FP32_BYTES)
#define ADAM8BIT_MOMENT_BYTES 2.0
/* Training in BF16 keeps a master copy of the weights in FP32 beside the moments: 12 B per
 * parameter on top of 2 of weights and 2 of gradients (Rajbhandari et al., ZeRO, 2020). */
#define MIXED_OPTIMIZER_BYTES (FP32_BYTES + ADAMW_MOMENT_BYTES)
#define MIXED_STATE_BYTES (2 * BF16_BYTES + MIXED_OPTIMIZER_BYTES)

/* --- Kernels --- */

/* Tensor Core peaks of BF16 over TF32, from A100 to B200 (datasheets). What is bound by memory
 * gains as much, since its values have half the bytes. */
#define BF16_OVER_TF32 2.0
#define FP32_OVER_BF16_BYTES (FP32_BYTES / BF16_BYTES)
/* Pointwise kernels come in chains of two to three; a fused chain reads and writes once. */
#define FUSED_PASSES 2.5
/* Traffic of an optimizer's step in FP32, per parameter: plain SGD reads weight and gradient and
 * writes the weight; a fused kernel reads and writes the moments besides. AdamW as separate kernels
 * passes over all of it twice as much. */
#define SGD_TRAFFIC_BYTES (3 * FP32_BYTES)
#define ADAMW_FUSED_TRAFFIC_BYTES (SGD_TRAFFIC_BYTES + 2 * ADAMW_MOMENT_BYTES)
#define ADAMW_UNFUSED_TRAFFIC_BYTES (2 * ADAMW_FUSED_TRAFFIC_BYTES)
/* The backward of fused attention computes five matrix products where the forward computes two
 * (Dao et al., FlashAttention, 2022). */
#define FLASH_BACKWARD_OVER_FORWARD 2.5
/* Of its peak, what a matrix product reaches on a GPU of which nothing is known. */
#define ASSUMED_COMPUTE_EFFICIENCY 0.75

/* --- The CPU's side --- */

/* PyTorch, eager: from one kernel's launch to the next, 5 to 10 us. */
#define EAGER_LAUNCH_US 8.0
#define EAGER_LAUNCH_S (EAGER_LAUNCH_US / 1e6)
/* A layer of an inference engine without CUDA graphs: Python from its first kernel's launch to the
 * next layer's. Llama 2 7B, 32 layers, made 25.5 tokens/s that way, bound by the CPU (PyTorch blog,
 * Accelerating Generative AI with PyTorch II, 2023). */
#define EAGER_LAYER_S (1 / 25.5 / 32)
/* Launches that a CUDA stream takes before the CPU has to wait. */
#define LAUNCH_QUEUE 1024
/* `.item()` after the last kernel: the wake-up, 4 B over PCIe, the Python that reads the float. */
#define ITEM_READ_S 25e-6

/* --- Links --- */

/* PCIe 4.0 x16, one direction, as copies reach it; 32e9 by the datasheet. */
#define PCIE_BYTES_PER_S 25e9
/* GPUs that the fast links of a node join (DGX and HGX, A100 to B200). */
#define NODE_GPUS 8
/* NVLink of the third generation, one direction (A100). */
#define NVLINK_BYTES_PER_S 300e9
/* A network card of 200 Gb/s for each GPU. */
#define NETWORK_CARD_GB_PER_S 25.0
#define NETWORK_CARD_BYTES_PER_S (NETWORK_CARD_GB_PER_S * 1e9)
/* And of one NDR port (400 Gbit/s), as an H100 has it. */
#define NDR_CARD_GB_PER_S 50.0
/* One message between two nodes over InfiniBand. */
#define NETWORK_LATENCY_US 5.0
#define NETWORK_LATENCY_S (NETWORK_LATENCY_US / 1e6)
/* SMs of a GPU that hand tokens of a mixture on between nodes while others compute (DeepSeek-AI,
 * DeepSeek-V3, 2024, section 3.2.2: 20 of 132). */
#define EXCHANGE_SMS 20
/* A bucket of gradients of DistributedDataParallel (PyTorch, bucket_cap_mb = 25). */
#define DDP_BUCKET_BYTES 25e6

/* --- Memory --- */

/* What CUDA's context takes from a GPU: 0.5 to 1 GB (Bekman, Machine Learning Engineering). */
#define CUDA_CONTEXT_BYTES 0.75e9
/* Of a GPU's memory, what inference engines fill with weights and cache (vLLM,
 * gpu_memory_utilization). */
#define ENGINE_MEMORY_SHARE 0.9

/* --- Inference engines --- */

/* Tokens in a block of the paged KV cache (vLLM, block_size). */
#define KV_BLOCK_TOKENS 16
/* Prompt tokens that one iteration prefills: the first default of vLLM's max_num_batched_tokens
 * with chunked prefill, best for the latency of running decodes. */
#define PREFILL_CHUNK_TOKENS 512

#endif
