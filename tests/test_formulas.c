/* The formula sheet: every row against published or hand-worked values. */
#include "sims/formulas/formula.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMS = 16 };

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Settings leave the other parameters at the example of the row. The tolerance is half a unit of
 * the last digit that the check value was printed with; 0 stands for an exact value. */
static const struct check {
	const char *id, *settings;
	double expected, tolerance;
} checks[] = {
	/* F0.1: 14 h on one, 25 min on 256 */
	{ "speedup", "", 33.6, 0.05 },
	{ "scaling_efficiency", "", 0.131, 0.0005 },
	{ "throughput_speedup", "", 6.935, 0.0005 },
	{ "mixed_throughput", "", 0.937, 0.0005 }, /* 1 / (0.5 / 0.69 + 0.5 / 1.46) */
	{ "mixed_throughput", "share_one=1", 0.69, 0 },
	{ "time_at_rate", "", 5.80, 0.005 },
	{ "time_at_rate", "samples=8 rate=1.46", 5.48, 0.005 },
	/* F0.2 */
	{ "amdahl_speedup", "gpus=8", 7.02, 0.005 },
	{ "amdahl_speedup", "gpus=64", 28.3, 0.05 },
	{ "amdahl_speedup", "serial_fraction=0 gpus=64", 64, 0 },
	{ "gustafson_speedup", "", 62.7, 0.05 },
	{ "usl_speedup", "", 14.97, 0.005 },
	{ "usl_speedup", "contention=0 crosstalk=0", 64, 0 },
	{ "usl_peak", "", 44.27, 0.005 },
	{ "usl_peak", "crosstalk=0", INFINITY, 0 },
	/* F0.3 */
	{ "flops_per_token", "attention_share=0", 42e9, 0 },
	{ "flops_per_token", "", 45.22e9, 0.005e9 }, /* 42 + 12 x 32 x 4096 x 2048 = 3.22 */
	{ "attention_flops_share", "", 0.036, 0.0005 },
	/* 43.44 and 0.805 GFLOP a token at 512: 2 x 45.05 / 44.25 */
	{ "longer_sequence_factor", "", 2.0364, 0.00005 },
	{ "longer_sequence_factor", "layers=0", 2, 0 },
	{ "longer_sequence_factor", "params=1 hidden=1e6 layers=1e4 seq=1e6", 4, 0.0005 },
	{ "frozen_flops_per_token", "", 43.44e9, 0 }, /* 6 x 7.24e9 */
	{ "frozen_flops_per_token", "recomputed=0", 28.96e9, 0 },
	{ "text_token_rate", "", 706.6, 0.05 },
	{ "text_token_rate", "sample_rate=1.46 seq=512", 747.5, 0.05 },
	{ "text_token_rate", "padding=0.5", 353.3, 0.05 },
	{ "training_flops", "", 4.2e22, 0 },
	{ "training_hardware_flops", "", 5.6e22, 0 },
	{ "mfu", "", 0.404, 0.0005 },
	{ "hfu", "", 0.538, 0.0005 },
	{ "training_time", "", 60.9 * 86400, 0.05 * 86400 },
	{ "implied_mfu", "", 0.4, 0.0005 }, /* the same run, read backwards */
	{ "implied_mfu", "time=1 gpus=1 tokens=1 params=52e12", 1, 0 },
	/* F0.4: 8 / 8 + (0.5 - 0.8 x 0.5) + 0.05 */
	{ "scaled_step_time", "", 1.15, 0 },
	{ "scaled_step_time", "backward_time=1", 1.05, 0 },
	{ "comm_overhead", "", 0.327, 0.0005 },
	{ "comm_share", "", 0.246, 0.0005 },
	/* F0.5 */
	{ "training_cost", "", 47000, 2 },
	{ "implied_price", "", 10.20, 0.005 },
	{ "run_energy", "", 512. * 700 * 1.25 * 864000, 0 },
	{ "electricity_cost", "", 100, 0 }, /* 1 MWh */
	{ "saved_share", "", 0.527, 0.0005 },
	{ "saved_share", "before=747.5 after=706.6", 0.055, 0.0005 },
	{ "training_goodput", "", 0.9, 0 },
	{ "cost_per_useful_hour", "", 725.33, 0.005 },
	{ "cluster_mtbf", "", 10986, 0.5 }, /* 50,000 h over 16,384: three hours */
	/* F0.6 */
	{ "young_interval", "", 3220, 0.5 },
	{ "daly_interval", "", 3180, 0.5 }, /* 3219.94 (1 + 0.018634 / 3 + 0.000347 / 9) - 60 */
	/* e^(3280/86400) - 1 = 0.038693; 3220 / (86400 x 1.006969 x 0.038693) */
	{ "checkpointed_goodput", "", 0.95652, 0.00005 },
	{ "checkpoint_overhead", "", 0.037, 0.0005 },
	{ "resumable_checkpoint_bytes", "", 98e9, 0 },
	{ "resumable_checkpoint_bytes", "bytes_per_param=12", 84e9, 0 },
	{ "resumable_checkpoint_bytes", "bytes_per_param=16", 112e9, 0 },
	/* F1.1 */
	{ "ridge_point", "", 156, 0 },
	{ "ridge_point", "peak_flops=125e12 bandwidth=900e9", 138.9, 0.05 },
	{ "ridge_point", "peak_flops=312e12 bandwidth=1.555e12", 200.6, 0.05 },
	{ "ridge_point", "peak_flops=312e12 bandwidth=2.039e12", 153.0, 0.05 },
	{ "ridge_point", "peak_flops=989.4e12 bandwidth=3.35e12", 295.3, 0.05 },
	{ "ridge_point", "peak_flops=756e12 bandwidth=2e12", 378.0, 0.05 },
	{ "ridge_point", "peak_flops=989.4e12 bandwidth=4.8e12", 206.1, 0.05 },
	{ "ridge_point", "peak_flops=2250e12 bandwidth=8e12", 281.25, 0 },
	{ "ridge_point", "peak_flops=125e12 bandwidth=600e9", 208.3, 0.05 },
	{ "arithmetic_intensity", "", 0.333, 0.0005 },
	{ "attainable_flops", "", 0.667e12, 0.0005e12 },
	{ "attainable_flops", "intensity=1365.3", 312e12, 0 },
	{ "peak_share", "", 0.00214, 0.000005 },
	{ "peak_share", "intensity=1000", 1, 0 },
	{ "roofline_time", "", 440.5e-6, 0.05e-6 },       /* 2 x 4096^3 / 312e12 */
	{ "roofline_time", "flops=0", 50.3e-6, 0.05e-6 }, /* 3 x 4096^2 x 2 / 2e12 */
	{ "memory_read_time", "", 0.04, 0 },
	/* F1.2 */
	{ "gemm_intensity", "", 1365.3, 0.05 },
	{ "gemm_intensity", "rows=300 inner=300 columns=300", 100, 0 },
	{ "compute_bound_gemm_size", "", 468, 0 },
	{ "compute_bound_gemm_size", "peak_flops=125e12 bandwidth=900e9", 417, 0.5 },
	{ "compute_bound_gemm_size", "peak_flops=989.4e12 bandwidth=4.8e12", 618, 0.5 },
	/* F1.3 */
	{ "linear_intensity", "tokens=1", 1.0, 0.05 },
	{ "linear_intensity", "tokens=64", 62.1, 0.05 },
	{ "linear_intensity", "tokens=169", 156, 0.5 },
	{ "linear_intensity", "tokens=64 bytes_per_param=0.5", 227.6, 0.05 },
	{ "compute_bound_tokens", "", 156, 0 },
	{ "compute_bound_tokens", "bytes_per_param=0.5", 39, 0 },
	{ "compute_bound_tokens", "peak_flops=989.4e12 bandwidth=3.35e12", 295, 0.5 },
	{ "compute_bound_tokens", "peak_flops=989.4e12 bandwidth=3.35e12 bytes_per_param=0.5", 74,
		0.5 },
	{ "linear_layer_flops", "", 3298.5e9, 0.05e9 }, /* 824.6 + 274.9 + 2 x 1099.5 GFLOP */
	/* F1.4 */
	{ "attention_intensity", "", 113.8, 0.05 },
	{ "attention_intensity", "seq=1e9", 128, 0.001 }, /* its limit, the head dimension */
	{ "attention_flops", "", 274.9e9, 0.05e9 },
	{ "unfused_attention_bytes", "", 4563e6, 0.5e6 }, /* 1208 + 2147 + 1208 MB */
	{ "flash_attention_intensity", "", 1024, 0 },
	{ "flash_attention_intensity", "score_share=0.5", 512, 0 },
	/* F1.5 */
	{ "two_level_roofline", "", 250e12, 0 },
	{ "two_level_roofline", "l2_intensity=1000", 312e12, 0 },
	{ "two_level_roofline", "intensity=1", 2e12, 0 },
	{ "achieved_time", "", 463.7e-6, 0.05e-6 }, /* 440.5 us / 0.95 */
	{ "achieved_time", "launch_time=1e-6", 464.7e-6, 0.05e-6 },
	{ "peak_ratio", "", 16, 0 },
	{ "peak_ratio", "fp32_flops=156e12", 2, 0 }, /* against TF32 */
	/* F1.6 */
	{ "operation_time", "", 5e-6, 0 },
	{ "total_launch_time", "", 8e-3, 0 },
	{ "total_launch_time", "launch_time=10e-6", 16e-3, 0 },
	{ "eager_launch_time", "", 353.6e-6, 0.05e-6 }, /* 50 x 7.071 us */
	{ "eager_launch_time", "least_time=1e-5", 0.5e-3, 0 },
	{ "exposed_launch_time", "", 0, 0 },
	{ "exposed_launch_time", "gpu_time=0.01", 6e-3, 0 },
	/* F1.7 */
	{ "peak_from_units", "", 311.9e12, 0.05e12 },
	{ "peak_from_units", "units=640 fma_per_cycle=64 clock=1.53e9", 125.3e12, 0.05e12 },
	{ "peak_from_units", "units=528 fma_per_cycle=512 clock=1.83e9", 989.4e12, 0.05e12 },
	{ "fma_per_unit", "", 256, 0.2 },
	{ "fma_per_unit", "peak_flops=125e12 units=640 clock=1.53e9", 64, 0.2 },
	{ "fma_per_unit", "peak_flops=989.4e12 units=528 clock=1.83e9", 512, 0.05 },
	{ "on_chip_bandwidth", "", 19.5e12, 0.05e12 },
	{ "on_chip_bandwidth", "bytes_per_cycle=768", 117e12, 0.5e12 },
	/* F2.1 */
	{ "static_memory_bytes", "", 112e9, 0 },
	{ "static_memory_bytes", "weight_bytes=4 gradient_bytes=4 optimizer_bytes=8", 112e9, 0 },
	{ "static_memory_bytes", "optimizer_bytes=6", 70e9, 0 },
	{ "static_memory_bytes", "gradient_bytes=4", 126e9, 0 },
	{ "autocast_saving", "", 1. / 9, 0 }, /* 144 to 128 GB: 11 % */
	{ "autocast_saving", "state_bytes=0", 0.5, 0 },
	/* F2.2 */
	{ "zero1_bytes", "gpus=1", 112e9, 0 },
	{ "zero1_bytes", "", 38.5e9, 0 },
	{ "zero2_bytes", "", 26.25e9, 0 },
	{ "zero3_bytes", "", 14e9, 0 },
	{ "zero3_bytes", "params=70e9 gpus=64", 17.5e9, 0 },
	{ "zero3_bytes", "gathered_params=1e9", 16e9, 0 },
	/* F2.3 */
	{ "activation_bytes", "", 30.6e9, 0.05e9 },
	{ "activation_bytes", "layers=40 seq=4096 batch=4 hidden=5120 heads=40", 651e9, 0.5e9 },
	{ "flash_activation_bytes", "", 9.13e9, 0.005e9 },
	{ "flash_activation_bytes", "layers=40 seq=4096 hidden=5120", 28.5e9, 0.05e9 },
	{ "activation_rule_bytes", "", 24. * 32 * 2048 * 4096, 0 },
	{ "tp_activation_bytes", "", 23. * 32 * 2048 * 4096, 0 }, /* 10 + 24/8 + 80/8 */
	{ "tp_activation_bytes", "tensor_parallel=1", 30.6e9, 0.05e9 },
	{ "sp_activation_bytes", "", 14.25 * 32 * 2048 * 4096, 0 }, /* 114 / 8 */
	{ "full_recompute_bytes", "", 536870912. + 285212672., 0 },
	{ "full_recompute_bytes", "layers=40 seq=4096 batch=4 hidden=5120", 9.6e9, 0.05e9 },
	/* F2.4 */
	{ "logits_bytes", "", 2.10e9, 0.005e9 },
	{ "device_memory_needed", "", 25.2865e9, 0 }, /* 23.13 x 1.05 + 1 */
	{ "largest_batch", "", 6, 0 },                /* (79 / 1.05 - 14) / 9.13 = 6.71 */
	{ "largest_batch", "static_bytes=76e9", 0, 0 },
	/* F2.5 */
	{ "checkpoint_bytes", "segment=1", 0.82e9, 0.005e9 },
	{ "checkpoint_bytes", "segment=2", 0.84e9, 0.005e9 },
	{ "checkpoint_bytes", "segment=3", 1.04e9, 0.005e9 },
	{ "checkpoint_bytes", "segment=6", 1.81e9, 0.005e9 },
	{ "best_checkpoint_segment", "", 1.37, 0.005 },
	{ "best_checkpoint_segment", "input_bytes=1e9 layer_bytes=1e9", 5.657, 0.0005 },
	{ "checkpoint_gain", "", 11.1, 0.05 }, /* 32 x 17 / (32 + 17) */
	{ "checkpoint_gain", "segment=3", 8.8, 0.05 },
	{ "checkpoint_gain", "segment=32", 32. * 17 / (1 + 32 * 17), 0 },
	{ "partial_checkpoint_bytes", "", 5.12e9, 0.005e9 },
	{ "partial_checkpoint_bytes", "fraction=0", 9.13e9, 0.005e9 },
	{ "recompute_factor", "", 1.333, 0.0005 },
	{ "recompute_factor", "fraction=0.5", 1.167, 0.0005 },
	/* F2.6: 2048 / (18 x 4096 + 3 x 2048) = 1 / 39 */
	{ "selective_recompute_share", "", 1. / 39, 0 },
	/* F2.7 */
	{ "lora_params", "", 13.6e6, 0.05e6 },
	/* heads x head_dim is 2,048 here: 2 x 32 x 16 x (8192 + (16 + 8) x 128) */
	{ "lora_params", "heads=16", 11534336, 0 },
	{ "qlora_base_bytes", "", 3.73e9, 0.005e9 },
	{ "qlora_bytes", "", 3.953e9, 0.0005e9 }, /* 3.735 + 16 x 13.63e6 */
	/* F3 */
	{ "workers_needed", "", 4, 0 },
	{ "workers_needed", "prep_time=1.1 step_time=0.1", 11, 0 }, /* not 12 */
	{ "workers_needed", "prep_time=0.41", 5, 0 },
	{ "loader_stall", "", 0.1, 0 },
	{ "loader_stall", "workers=4", 0, 0 },
	{ "loader_bandwidth", "", 2.2e9, 0 },
	{ "decode_cores", "", 160, 0 },
	{ "prefetched_batches", "", 8, 0 },
	{ "loader_memory_bytes", "", 10.466e9, 0.0005e9 }, /* 8e9 + 2 x 8 x 154.14e6 */
	{ "loader_stall_period", "", 0.8, 0 },
	{ "serial_step_time", "", 0.18, 0 },
	{ "overlapped_step_time", "", 0.13, 0 },
	{ "overlapped_step_time", "load_time=0.2", 0.2, 0 },
	{ "host_copy_time", "bytes=25e9", 1, 0 },
	{ "host_copy_time", "", 6.166e-3, 0.0005e-3 },
	/* F4.1, row by row of the table: FP32, TF32, FP16, BF16, E4M3, E5M2, E2M1 */
	{ "float_value", "", 3.140625, 0 },
	{ "float_value", "sign=1 exponent=15 mantissa=512", -1.5, 0 },
	{ "format_max", "mantissa_bits=23 max_exponent=127", 3.4028e38, 0.00005e38 },
	{ "format_max", "mantissa_bits=10 max_exponent=127", 3.401e38, 0.0005e38 },
	{ "format_max", "mantissa_bits=10 max_exponent=15", 65504, 0 },
	{ "format_max", "mantissa_bits=7 max_exponent=127", 3.3895e38, 0.00005e38 },
	{ "format_max", "mantissa_bits=3 max_exponent=8 lost_codes=1", 448, 0 },
	{ "format_max", "mantissa_bits=2 max_exponent=15", 57344, 0 },
	{ "format_max", "mantissa_bits=1 max_exponent=2", 6, 0 },
	{ "format_min_normal", "bias=127", 1.1755e-38, 0.00005e-38 },
	{ "format_min_normal", "bias=15", 6.104e-5, 0.0005e-5 },
	{ "format_min_normal", "bias=7", 1.5625e-2, 0 },
	{ "format_min_normal", "bias=1", 1, 0 },
	{ "format_min_subnormal", "bias=127 mantissa_bits=23", 1.401e-45, 0.0005e-45 },
	{ "format_min_subnormal", "bias=15 mantissa_bits=10", 5.960e-8, 0.0005e-8 },
	{ "format_min_subnormal", "bias=127 mantissa_bits=7", 9.184e-41, 0.0005e-41 },
	{ "format_min_subnormal", "bias=7 mantissa_bits=3", 1.953e-3, 0.0005e-3 },
	{ "format_min_subnormal", "bias=15 mantissa_bits=2", 1.526e-5, 0.0005e-5 },
	{ "format_min_subnormal", "bias=1 mantissa_bits=1", 0.5, 0 },
	{ "format_zero_threshold", "", 2.980e-8, 0.0005e-8 },
	{ "format_epsilon", "mantissa_bits=23", 1.19e-7, 0.005e-7 },
	{ "format_epsilon", "mantissa_bits=10", 9.77e-4, 0.005e-4 },
	{ "format_epsilon", "mantissa_bits=7", 7.81e-3, 0.005e-3 },
	{ "format_epsilon", "mantissa_bits=3", 0.125, 0 },
	{ "format_epsilon", "mantissa_bits=2", 0.25, 0 },
	{ "format_epsilon", "mantissa_bits=1", 0.5, 0 },
	{ "format_digits", "mantissa_bits=23", 7.22, 0.005 },
	{ "format_digits", "mantissa_bits=10", 3.31, 0.005 },
	{ "format_digits", "mantissa_bits=7", 2.41, 0.005 },
	{ "format_digits", "mantissa_bits=3", 1.2, 0.05 },
	{ "format_digits", "mantissa_bits=2", 0.90, 0.005 },
	{ "format_digits", "mantissa_bits=1", 0.6, 0.05 },
	{ "format_ulp", "", 0.0078125, 0 },
	{ "format_ulp", "value=-3 mantissa_bits=10 bias=15", 0.001953125, 0 },
	{ "format_ulp", "value=0 mantissa_bits=10 bias=15", 5.960e-8, 0.0005e-8 },
	/* F4.2 */
	{ "absorption_threshold", "", 0.0039, 0.00005 },
	{ "rounded_sum", "update=0.003", 1, 0 },
	{ "rounded_sum", "update=0.004", 1.0078, 0.00005 },
	{ "counting_limit", "", 256, 0 },
	{ "counting_limit", "mantissa_bits=10", 2048, 0 },
	/* F4.3 */
	{ "scaled_gradient", "", 512, 0 },
	{ "loss_scale_limit", "", 65504, 0 },
	{ "loss_scale_floor", "", 59.6, 0.05 },
	{ "dynamic_loss_scale", "", 131072, 0 },
	{ "dynamic_loss_scale", "clean_steps=1999 overflows=0", 65536, 0 },
	{ "amax_scale", "", 37.33, 0.005 },
	/* F4.4: MXFP4, MXFP6, MXFP8, NVFP4, INT4 g128, with a zero, NF4, NF4 double quantised */
	{ "bits_per_weight", "", 4.25, 0 },
	{ "bits_per_weight", "element_bits=6", 6.25, 0 },
	{ "bits_per_weight", "element_bits=8", 8.25, 0 },
	{ "bits_per_weight", "block=16", 4.5, 0 },
	{ "bits_per_weight", "scale_bits=16 block=128", 4.125, 0 },
	{ "bits_per_weight", "scale_bits=16 zero_bits=4 block=128", 4.156, 0.0005 },
	{ "bits_per_weight", "scale_bits=32 block=64", 4.5, 0 },
	{ "double_quant_bits", "", 4.127, 0.0005 },
	{ "binary_excess", "", 0.073742, 0.0000005 }, /* 1,073,741,824 over 1e9 */
	{ "binary_excess", "power=1", 0.024, 1e-12 },
	/* F5.1 */
	{ "ring_allreduce_bytes", "gpus=1", 0, 0 },
	{ "ring_allreduce_bytes", "gpus=2", 14e9, 0 },
	{ "ring_allreduce_bytes", "gpus=4", 21e9, 0 },
	{ "ring_allreduce_bytes", "gpus=8", 24.5e9, 0 },
	{ "ring_allreduce_bytes", "gpus=16", 26.25e9, 0 },
	{ "ring_allreduce_bytes", "gpus=64", 27.56e9, 0.005e9 },
	{ "ring_allreduce_bytes", "gpus=256", 27.89e9, 0.005e9 },
	{ "ring_allreduce_bytes", "gpus=1024", 27.97e9, 0.005e9 },
	{ "reduce_scatter_bytes", "", 12.25e9, 0 },
	{ "all_gather_bytes", "", 12.25e9, 0 },
	{ "all_to_all_bytes", "", 12.25e9, 0 },
	{ "measured_bus_bandwidth", "", 232.4e9, 0.05e9 },
	{ "measured_bus_bandwidth", "bytes=8e9 time=0.1", 140e9, 0 }, /* 80 GB/s x 2 x 7/8 */
	{ "broadcast_time", "", 0.0467, 0.00005 },
	{ "port_bandwidth", "", 25e9, 0 },
	{ "port_bandwidth", "lane_rate=3.125e9", 12.5e9, 0 },
	{ "port_bandwidth", "lane_rate=12.5e9", 50e9, 0 },
	{ "link_rate", "", 600e9, 0 },
	{ "link_rate", "directions=1", 300e9, 0 },
	/* F5.2 */
	{ "ring_allreduce_time", "", 0.0817, 0.00005 },
	{ "ring_allreduce_time", "link_bandwidth=50e9", 0.490, 0.0005 },
	{ "ring_allreduce_time", "link_bandwidth=12.5e9", 1.960, 0.0005 },
	{ "ring_allreduce_time", "link_bandwidth=232.5e9", 0.105, 0.0005 },
	{ "ring_allreduce_time", "gpus=1", 0, 0 },
	{ "fibre_delay", "", 5e-3, 0 },
	/* F5.3 */
	{ "tree_allreduce_time", "", 0.09336, 0.000005 }, /* 6 x 5 us + 28 / 300 */
	{ "tree_allreduce_time", "gpus=1", 0, 0 },
	{ "ring_tree_crossover", "gpus=8", 4e6, 0 },
	{ "ring_tree_crossover", "gpus=64", 456e6, 0 },
	{ "ring_tree_crossover", "gpus=512", 32e9, 0.5e9 },
	{ "hierarchical_allreduce_time", "", 0.228, 0.0005 },
	{ "hierarchical_allreduce_time", "nics=1", 1.086, 0.0005 },
	{ "ring_allreduce_time", "gpus=64 link_bandwidth=25e9", 1.10, 0.005 },
	{ "in_network_allreduce_time", "", 0.03501, 0.000005 }, /* 10 us + 9/8 x 14 / 450 */
	{ "in_network_allreduce_time", "gpus=1", 0, 0 },
	{ "in_network_bus_bandwidth", "", 700e9, 0 },
	/* F5.4 */
	{ "ddp_traffic_bytes", "", 27.6e9, 0.05e9 },
	{ "fsdp_traffic_bytes", "", 41.3e9, 0.05e9 },
	{ "fsdp_traffic_bytes", "gathers=1", 27.6e9, 0.05e9 },
	/* 3 x 2 B x 395.76 TFLOP/s over 6 x 370 GB/s; half of the bandwidth needs twice as many */
	{ "fsdp_hidden_tokens", "", 1069.6, 0.05 },
	{ "fsdp_hidden_tokens", "bus_bandwidth=185e9", 2139.2, 0.05 },
	{ "fsdp_hidden_tokens", "gathers=1", 713.1, 0.05 },
	{ "local_sgd_bytes", "", 49e6, 0 }, /* 24.5 GB in 500 steps */
	{ "local_sgd_bytes", "local_steps=1", 24.5e9, 0 },
	/* F5.5 */
	{ "ddp_buckets", "", 560, 0 },
	{ "exposed_comm_time", "comm_time=0.49", 0.001, 0.0005 },
	{ "exposed_comm_time", "comm_time=1.96", 0.962, 0.0005 },
	{ "exposed_comm_time", "comm_time=1.96 buckets=1", 1.96, 0 },
	/* F5.6 */
	{ "pipeline_bubble", "microbatches=4", 0.429, 0.0005 },
	{ "pipeline_bubble", "microbatches=8", 0.273, 0.0005 },
	{ "pipeline_bubble", "microbatches=16", 0.158, 0.0005 },
	{ "pipeline_bubble", "microbatches=32", 0.086, 0.0005 },
	{ "pipeline_overhead", "", 0.375, 0 },
	{ "interleaved_overhead", "", 0.094, 0.0005 },
	{ "in_flight_microbatches", "", 4, 0 },
	/* F5.7, F5.8 */
	{ "pipeline_traffic_bytes", "", 1073741824, 0 }, /* 16 x 64 MiB */
	{ "pipeline_traffic_bytes", "stages=1", 0, 0 },
	{ "tp_allreduce_bytes", "", 67.1e6, 0.05e6 },
	{ "tp_step_bytes", "", 15.03e9, 0.005e9 }, /* 128 x 7/4 x 67.1 MB */
	/* 2 x 15/16 x 131,072 x 8 x 128 x 2 B */
	{ "context_parallel_bytes", "", 503316480, 0 },
	{ "context_parallel_bytes", "context_parallel=1", 0, 0 },
	{ "expert_parallel_bytes", "", 1.850e9, 0.0005e9 }, /* 4 x 63/64 x 469.8 MB */
	{ "replica_tokens", "", 131072, 0 },
	{ "replica_tokens", "model_gpus=1", 1024, 0 },
	{ "mesh_gpus", "", 16384, 0 },
	/* F6 */
	{ "stacked_speedup", "", 3.0654, 0.00005 },
	{ "stacked_speedup", "loader_gain=1.3", 2.846, 0.0005 },
	{ "stacked_step_time", "", 0.2773, 0.00005 },
	{ "amdahl_stack_speedup", "", 1.017, 0.0005 },
	{ "amdahl_stack_speedup", "loader_share=0 compute_share=0 optimizer_share=0", 1, 0 },
	{ "needed_share", "", 0.643, 0.0005 }, /* 0.10714 x 6 */
	{ "needed_share", "part_gain=1.25", 0.536, 0.0005 },
	{ "needed_share", "claimed_gain=1.15 part_gain=1.15", 1, 0 },
	{ "saved_time", "", 0.2429, 0.00005 },
	{ "saved_time", "base_time=0.6071 gain=1.7", 0.25, 0.00005 },
	{ "loader_coupled_step_time", "", 0.607, 0 },
	{ "loader_coupled_step_time", "workers=16", 0.357, 0.0005 },
	{ "optimizer_time", "", 0.098, 0 },
	{ "optimizer_time", "shards=64", 1.5e-3, 0.05e-3 },
	{ "effective_batch", "", 1024, 0 },
	{ "accumulation_steps", "", 16, 0 },
	{ "no_sync_saved_bytes", "", 367.5e9, 0 },  /* 15 x 24.5 */
	{ "break_even_iterations", "", 2667, 0.5 }, /* 120 s over 45 ms */
	{ "break_even_iterations", "after_time=0.3", INFINITY, 0 },
	{ "compile_stall", "", 60, 0 },
	{ "compile_stall", "sizes=1", 30, 0 },
	{ "compile_stall", "versions=8", 240, 0 },
	/* F7.1 */
	{ "quant_scale", "", 0.02992, 0.000005 },
	{ "quant_code", "", 17, 0 }, /* 16.71 */
	{ "quant_code", "weight=100", 127, 0 },
	{ "quant_code", "weight=-100", -127, 0 },
	{ "dequantized_value", "", 0.50864, 0 },
	{ "asymmetric_quant_scale", "", 4. / 255, 0 },
	{ "quant_zero_point", "", 64, 0 }, /* 63.75 */
	{ "quant_mae", "", 0.00748, 0.000005 },
	{ "quant_mse", "", 7.46e-5, 0.005e-5 },
	{ "quant_mae_from_range", "", 0.00748, 0.000005 },
	{ "quant_mae_from_range", "max_abs=7 bits=4", 0.25, 0 },
	{ "levels_below_outlier", "typical_max=60", 127, 0 },
	{ "levels_below_outlier", "", 2.117, 0.0005 },
	/* Measured as 41.2 with a scale per channel, where the mean of squares counts. */
	{ "quant_snr_db", "", 41.2, 0.1 },
	/* F7.2 to F7.8 */
	{ "quant_bytes", "bits=32 scales=0", 67.11e6, 0.005e6 },
	{ "quant_bytes", "scales=0", 16.78e6, 0.005e6 },
	{ "quant_bytes", "", 16777216 + 16384, 0 },
	{ "compression_ratio", "", 3.88, 0.005 },
	{ "compression_ratio", "base_bits=32", 7.76, 0.005 },
	{ "compression_ratio", "bits=8 scale_bits=0", 2, 0 },
	{ "gptq_error", "", -0.2, 0 },
	{ "gptq_update", "", 0.32, 0 }, /* minus: the error is compensated, not doubled */
	{ "awq_scale", "", 4, 0 },
	{ "smoothquant_scale", "", 16, 0 },
	{ "smoothed_max", "", 4, 0 }, /* 64 over the scale of 16 */
	{ "smoothed_max", "migration=1", 1, 0 },
	{ "decode_speedup_from_bits", "", 3.88, 0.005 },
	{ "decode_speedup_with_cache", "kv_bytes=0", 3.88, 0.005 },
	{ "decode_speedup_with_cache", "", 1.59, 0.005 }, /* 28 / (3.609 + 14) */
	{ "sparse_storage_ratio", "", 0.5625, 0 },
	{ "sparse_storage_ratio", "bits=8", 0.625, 0 },
	{ "bitmap_sparse_bits", "", 9, 0 },
	{ "bitmap_sparse_bits", "bits=4 density=0.1", 1.4, 1e-12 },
	{ "indexed_sparse_bits", "", 2.3, 1e-12 },
	{ "indexed_sparse_bits", "density=0.5", 11.5, 0 },
	{ "sparse_decode_speedup", "", 1.78, 0.005 },
	{ "sparse_decode_speedup", "bits=8", 1.6, 0 },
	{ "sparse_peak_flops", "", 624e12, 0 },
	{ "distillation_loss", "", 1.6, 0 }, /* 0.5 x 2 + 0.5 x 4 x 0.3 */
	/* F8.1 */
	{ "kv_cache_bytes", "", 4.295e9, 0.0005e9 },
	{ "kv_cache_bytes", "tokens=1", 524288, 0 },
	{ "kv_cache_bytes", "tokens=2048", 1.074e9, 0.0005e9 },
	{ "kv_cache_bytes", "tokens=32768", 17.180e9, 0.0005e9 },
	{ "kv_cache_bytes", "layers=80 kv_heads=8", 2.684e9, 0.0005e9 },
	{ "kv_cache_bytes", "layers=40 kv_heads=40 tokens=2048", 1.68e9, 0.005e9 },
	{ "kv_bytes_per_token", "", 524288, 0 },
	{ "kv_bytes_per_token", "layers=80 kv_heads=8", 327680, 0 },
	{ "kv_bytes_per_token", "kv_heads=8", 131072, 0 },
	{ "kv_bytes_per_token", "layers=40 kv_heads=40", 819200, 0 },
	{ "gqa_reduction", "", 8, 0 },
	{ "gqa_reduction", "heads=32", 4, 0 },
	/* F8.2 */
	{ "decode_step_time", "", 6.87e-3, 0.005e-3 },
	{ "decode_step_time", "bandwidth=3.35e12", 4.18e-3, 0.005e-3 },
	{ "decode_step_time", "params=3.6e9 bytes_per_param=1", 1.77e-3, 0.005e-3 },
	{ "decode_rate_ceiling", "", 145.6, 0.05 },
	{ "decode_rate_ceiling", "params=8e9 bytes_per_param=0.5 bandwidth=4e12", 1000, 0 },
	{ "batched_decode_time", "", 15.59e-3, 0.005e-3 }, /* (14 + 17.18) GB / 2 TB/s */
	/* 1000 x (14e9 + 4 x 1024 x 32 x 64 x 128) / 312e12, against 30.8 GB / 2 TB/s */
	{ "batched_decode_time", "heads=64 kv_heads=1 batch=1000", 48.31e-3, 0.005e-3 },
	{ "batched_decode_time", "context=0 batch=1000", 44.87e-3, 0.005e-3 }, /* 14e12 / 312e12 */
	{ "decode_utilisation_cap", "", 0.178, 0.0005 },
	{ "decode_utilisation_cap", "kv_heads=8", 0.71, 0.005 },
	{ "decode_utilisation_cap", "context=4000", 0.05, 0.005 },
	{ "decode_utilisation_cap", "context=4000 kv_heads=8", 0.20, 0.005 },
	/* With 8 KV heads 14e9 + 524288 s FLOP meet 131072 s B: the ridge, 156, at s = 702.7. */
	{ "decode_utilisation_cap", "kv_heads=8 context=702", 1, 0 },
	{ "decode_utilisation_cap", "kv_heads=8 context=704", 14.369 / 14.395, 0.00005 },
	{ "decode_attention_intensity", "", 8, 0 },
	{ "decode_attention_intensity", "heads=32 kv_heads=32", 1, 0 },
	{ "decode_attention_intensity", "bytes_per_value=1", 16, 0 },
	{ "half_rate_batch", "", 59.6, 0.05 },             /* 16 GB / (2048 x 131,072 B) */
	{ "half_rate_batch", "kv_heads=32", 14.9, 0.005 }, /* a quarter */
	/* F8.3; Gemma-2-9B, 16 heads of 256 and a hidden size of 3584: 2 x 9.24e9 x 8192 is
	 * 151.4e12, 2 x 8192^2 x 42 x 4096 is 23.1e12 */
	{ "prefill_flops", "", 29.8e12, 0.05e12 },
	{ "prefill_flops", "params=9.24e9 seq=8192 layers=42 heads=16 head_dim=256", 174.5e12,
		0.05e12 },
	{ "time_to_first_token", "", 0.19, 0.005 },
	{ "time_to_first_token", "queue_time=1", 1.19, 0.005 },
	/* (8.80 + 0.51) TFLOP over 494.7 TFLOP/s: 2 x 8.03e9 x 548, 4 x 4096 x 32 x 548 x 1774 */
	{ "time_to_first_token", "params=8.03e9 seq=548 cached_tokens=1500 peak_flops=989.4e12",
		18.8e-3, 0.05e-3 },
	/* F8.4 */
	{ "spec_decode_tokens", "", 3.689, 0.0005 },
	{ "spec_decode_tokens", "acceptance=1", 6, 0 },
	{ "spec_decode_tokens", "acceptance=0", 1, 0 },
	{ "spec_round_tokens", "", 5, 0 },
	{ "spec_round_tokens", "accepted=5", 6, 0 },
	{ "spec_round_tokens", "accepted=9", 6, 0 },
	{ "spec_decode_rate", "", 92.2, 0.05 },
	{ "spec_decode_rate", "draft_tokens=0 n=1 t_target=0.02", 50, 0 },
	{ "spec_decode_speedup", "", 2.767, 0.0005 },
	{ "spec_decode_speedup", "acceptance=0.7", 2.21, 0.005 },
	{ "spec_decode_speedup", "acceptance=0.75", 2.47, 0.005 },
	{ "spec_decode_speedup", "acceptance=0.85", 3.11, 0.005 },
	{ "spec_decode_speedup", "draft_tokens=7", 2.84, 0.005 },
	{ "spec_decode_speedup", "acceptance=1 draft_time=0", 6, 0 },
	{ "spec_decode_speedup_from_ratio", "", 2.767, 0.0005 },
	{ "spec_verify_tokens", "", 192, 0 },
	/* F8.5 */
	{ "attention_matrix_bytes", "", 128. * 1024 * 1024, 0 },
	{ "flash_state_bytes", "", 32. * 1024, 0 },
	{ "attention_traffic", "", 8192. * (128 + 8192), 0 },
	{ "flash_attention_traffic", "", 16777216, 0 }, /* 2^26 x 2^14 / 2^16 */
	{ "flash_traffic_ratio", "", 4.0625, 0 },       /* 65 x 2^20 over 2^24 */
	/* F8.6, F8.7 */
	{ "pointwise_time", "", 268.4e-6, 0.05e-6 },
	{ "pointwise_time", "operations=1", 67.1e-6, 0.05e-6 },
	{ "fusion_speedup", "", 1.6, 0 },
	{ "fusion_speedup", "byte_share=1", 4, 0 },
	{ "batch_latency", "", 1.341e-3, 0.0005e-3 },          /* 0.5 ms + 32 x 8.2e9 / 312e12 */
	{ "batch_latency", "batch=1", 0.5455e-3, 0.00005e-3 }, /* 0.5 ms + 91 MB / 2 TB/s */
	{ "batch_throughput", "", 16000, 0 },
	/* F9.1: as the common calculator has it (0.5 MB a token, 30 % waste), then right */
	{ "capacity_bytes", "layers=2 kv_heads=1 head_dim=62500 waste=0.3", 653.5e9, 0 },
	{ "capacity_gpus", "layers=2 kv_heads=1 head_dim=62500 waste=0.3", 11, 0 },
	{ "capacity_bytes", "", 548.8e9, 0.05e9 },
	{ "capacity_gpus", "", 9, 0 },
	{ "capacity_bytes", "params=8e9 kv_heads=8", 140.3e9, 0.05e9 },
	{ "capacity_gpus", "params=8e9 kv_heads=8", 3, 0 },
	{ "users_per_gpu", "", 115, 0 }, /* 60.5 GB / 524.288 MB = 115.4 */
	{ "users_per_gpu", "params=70e9 bytes_per_param=2", 0, 0 },
	{ "users_cache_bytes", "", 545.26e9, 0.005e9 },
	{ "users_cache_bytes", "users=10 context=100 k=1000 waste=0", 1e6, 0 },
	{ "gpus_for_bytes", "", 9, 0 },
	{ "gpus_for_bytes", "W=4e9 KV=60e9", 1, 0 },
	{ "gpus_for_bytes", "W=4e9 KV=61e9", 2, 0 },
	{ "token_demand", "", 20000, 0 },
	{ "cost_per_token", "", 4.444e-6, 0.0005e-6 },
	{ "cost_per_token", "gpus=8 price_per_hour=4.5 token_rate=1e4", 1e-6, 0 },
	{ "usable_memory", "", 72e9, 0 },
	/* F9.2 */
	{ "paging_blocks", "", 32, 0 },
	{ "paging_blocks", "tokens=512", 32, 0 },
	{ "paging_waste", "", 0.023, 0.0005 },
	{ "paging_waste", "tokens=512", 0, 0 },
	{ "contiguous_waste", "", 0.939, 0.0005 },
	{ "paging_gain", "", 4.8, 0 },
	{ "paging_gain", "used_share=0.4", 2.4, 0 },
	/* F9.3 */
	{ "mm1_sojourn_mean", "", 4, 0 },
	{ "mm1_sojourn_mean", "utilisation=1", INFINITY, 0 },
	{ "mm1_sojourn_quantile", "quantile=0.5", 2.77, 0.005 },
	{ "mm1_sojourn_quantile", "quantile=0.95", 11.98, 0.005 },
	{ "mm1_sojourn_quantile", "", 18.4, 0.05 },
	{ "mm1_sojourn_quantile", "quantile=0", 0, 0 },
	{ "mm1_sojourn_quantile", "quantile=1", INFINITY, 0 },
	/* F9.4 */
	{ "kingman_wait", "", 3.0, 0 },
	{ "kingman_wait", "service_cv=0", 1.5, 0 },
	{ "kingman_wait", "service_cv=2", 7.5, 0 },
	{ "kingman_wait", "utilisation=1", INFINITY, 0 },
	{ "sakasegawa_wait", "", 3.0, 0 },
	{ "sakasegawa_wait", "servers=8", 0.1967, 0.00005 }, /* 0.75^3.2426 / 2 */
	{ "pool_utilisation", "", 0.75, 0 },
	{ "pooled_sojourn", "", 0.3103, 0.00005 }, /* 0.25 + 0.25 x 0.75^3 / (7 x 0.25) */
	{ "pooled_sojourn", "servers=1", 1, 0 },   /* M/M/1: S / (1 - rho) */
	{ "pooled_sojourn", "rho=1", INFINITY, 0 },
	/* F9.5 */
	{ "mmc_wait_probability", "servers=1", 0.75, 0 },
	{ "mmc_wait_probability", "servers=4", 0.509, 0.0005 },
	{ "mmc_wait_probability", "servers=8", 0.357, 0.0005 },
	{ "mmc_wait_probability", "servers=16", 0.205, 0.0005 },
	{ "mmc_wait", "servers=1", 3.0, 0 },
	{ "mmc_wait", "servers=4", 0.509, 0.0005 },
	{ "mmc_wait", "servers=8", 0.357 / 2, 0.00025 },
	{ "mmc_wait", "servers=16", 0.051, 0.0005 },
	{ "wait_quantile", "", 17.27, 0.005 }, /* M/M/1: 4 ln 75 */
	{ "wait_quantile", "wait_probability=0.01", 0, 0 },
	{ "mmc_wait_tail", "", 0.1874, 0.00005 }, /* 0.5094 / e */
	{ "mmc_wait_tail", "wait=0", 0.509, 0.0005 },
	/* F9.6, F9.7 */
	{ "littles_law", "", 20, 0 },
	{ "request_gpu_time", "", 0.2, 0 },
	{ "fleet_gpus", "", 31, 0 }, /* 20 busy GPUs at 65 % */
	{ "fleet_gpus", "rho=1", 20, 0 },
	{ "static_batching_efficiency", "", 0.515, 0.0005 },
	{ "static_batching_gain_uniform", "", 1.94, 0.005 },
	{ "static_batching_gain_exponential", "batch=8", 2.72, 0.005 },
	{ "static_batching_gain_exponential", "", 4.06, 0.005 },
	{ "batch_fill_wait", "", 3.1, 0 },
	/* F9.8, F9.9 */
	{ "chunk_budget", "", 576, 0 },
	{ "chunked_prefill_time", "", 0.2, 0 },
	{ "chunked_prefill_time", "chunk_tokens=500", 0.25, 0 },
	{ "slo_goodput", "", 9, 0 },
	/* F10 */
	{ "driving_latency", "", 0.048, 0 },
	{ "driving_latency",
		"t_1=0.002 t_2=0.006 t_3=0.004 t_4=0.003 t_5=0.003 t_6=0.005 t_7=0.004", 0.027, 0 },
	{ "frame_deadline", "", 0.0333, 0.00005 },
	{ "latency_fps", "", 20.8, 0.05 },
	{ "latency_fps", "latency=0.027", 37.0, 0.05 },
	{ "pipelined_fps", "", 83.3, 0.05 },
	{ "distance_travelled", "", 1.04, 0.005 },
	{ "distance_travelled", "latency=0.042", 1.31, 0.005 },
	{ "distance_travelled", "latency=0.048", 1.50, 0.005 },
	{ "oldest_plan_age", "", 0.0813, 0.00005 },
	{ "oldest_plan_age", "missed=2", 0.148, 0 },
	{ "stopping_distance", "", 73.07, 0.005 }, /* 3.13 + 979.24 / 14 */
	{ "stopping_distance", "speed=30 latency=0.5 deceleration=6", 90, 0 },
	{ "sensor_rate", "", 1.44e9, 0 },
	{ "sensor_rate", "cameras=6", 1.08e9, 0 },
	{ "lidar_rate", "", 48e6, 0 },
	{ "backbone_sharing_saving", "", 0.637, 0.0005 },
	{ "jitter_ratio", "", 1.2, 0 },
	{ "lognormal_miss_rate", "", 0.1437, 0.00005 }, /* normal tail beyond 1.0639 sigma */
	{ "lognormal_miss_rate", "deadline=0.027", 0.5, 0 },
	{ "lognormal_late_frames", "", 0.1437 * 108000, 0.00005 * 108000 },
	{ "lognormal_late_frames", "deadline=0.027 frames=7", 3.5, 0 },
	{ "conv_flops", "", 116e9, 0.5e9 },
	{ "conv_flops", "flops=1", 13.85, 0.005 },
	{ "dense_gpu_rate", "", 85e12, 0 },
	{ "dense_gpu_rate", "R=200e12 R_d=92e12", 54e12, 0 },
	{ "network_fps", "", 36.43, 0.005 },
	/* F11 */
	{ "quantile_samples", "", 1000, 0 },
	{ "quantile_samples", "quantile=1", INFINITY, 0 },
	{ "samples_for_interval", "", 97, 0 }, /* 9.8^2 = 96.04 */
	{ "samples_for_interval", "quantile_z=2", 100, 0 },
	{ "mean_with_first", "", 0.2495, 0 },
	{ "mean_with_first", "runs=1", 20, 0 },
	{ "slowed_duration", "", 5000, 1e-9 },
	{ "partial_speedup", "", 1.0091, 0.00005 },
	{ "partial_speedup", "fraction=0.1 factor=1.2", 1.017, 0.0005 },
	{ "gpu_idle_share", "", 0.3, 0 },
	{ "comm_overlap_share", "", 2. / 3, 0 },
	{ "gap_free_speedup", "", 1 / 0.7, 0 },
	{ "sync_loss", "", 0.1, 0 },
	{ "sync_loss", "interval=100", 0.0011, 0.00005 }, /* 6 ms in 5.406 s */
	{ "profiler_steps", "", 10, 0 },
	{ "profiler_steps", "skip_first=5 wait=1 warmup=1 active=3 repeat=2", 15, 0 },
	{ "steps_until_full", "", 3600, 0 },
	{ "steps_until_full", "peak_bytes=81e9", 0, 0 },
};

static void examples(const struct formula *f, double args[])
{
	for (size_t i = 0; i < f->n_params; i++)
		args[i] = f->params[i].example;
}

/* "name=value name=value" into args; false if a name is none of the row's or the value is outside
 * its domain. */
static bool apply(const struct formula *f, const char *settings, double args[])
{
	while (*settings) {
		char name[64];
		size_t n = strcspn(settings, "=");
		char *end;
		snprintf(name, sizeof name, "%.*s", (int)n, settings);
		int i = formula_param_index(f, name);
		if (i < 0)
			return false;
		args[i] = strtod(settings + n + 1, &end);
		if (!(args[i] >= f->params[i].min && args[i] <= f->params[i].max))
			return false;
		settings = end + strspn(end, " ");
	}
	return true;
}

static bool same(double got, double want, double tolerance)
{
	if (!isfinite(got) || !isfinite(want))
		return got == want;
	return fabs(got - want) <= tolerance + 1e-12 * fabs(want);
}

Test(formulas, check_values)
{
	for (size_t i = 0; i < COUNT(checks); i++) {
		const struct check *c = &checks[i];
		const struct formula *f = formula_find(c->id);
		double args[MAX_PARAMS];
		cr_assert(f != NULL, "row %zu: no formula %s", i, c->id);
		examples(f, args);
		cr_expect(
			apply(f, c->settings, args), "%s %s: no such setting", c->id, c->settings);
		double got = f->call(args);
		cr_expect(same(got, c->expected, c->tolerance), "%s %s: %.10g, not %.10g", c->id,
			c->settings, got, c->expected);
	}
}

Test(formulas, every_formula_has_a_check_value)
{
	for (size_t i = 0; i < n_formulas; i++) {
		size_t n = 0;
		for (size_t k = 0; k < COUNT(checks); k++)
			n += strcmp(checks[k].id, formulas[i].id) == 0;
		cr_expect(n > 0, "%s", formulas[i].id);
	}
}

/* Ids that simulations, drills and pages call by name. */
Test(formulas, ids_that_others_rely_on)
{
	static const char *const ids[] = { "kv_cache_bytes", "spec_decode_speedup",
		"spec_decode_tokens", "ring_allreduce_time", "ring_allreduce_bytes",
		"tree_allreduce_time", "hierarchical_allreduce_time", "arithmetic_intensity",
		"ridge_point", "attainable_flops", "gemm_intensity", "linear_intensity",
		"attention_intensity", "flash_attention_intensity", "amdahl_speedup",
		"gustafson_speedup", "usl_speedup", "speedup", "scaling_efficiency", "mfu",
		"training_time", "training_flops", "training_cost", "young_interval",
		"static_memory_bytes", "zero1_bytes", "zero2_bytes", "zero3_bytes",
		"activation_bytes", "flash_activation_bytes", "full_recompute_bytes",
		"checkpoint_bytes", "logits_bytes", "workers_needed", "decode_step_time",
		"prefill_flops", "batched_decode_time", "pipeline_bubble", "exposed_comm_time",
		"littles_law", "mm1_sojourn_mean", "mm1_sojourn_quantile", "kingman_wait",
		"sakasegawa_wait", "mmc_wait", "static_batching_gain_exponential",
		"static_batching_gain_uniform", "paging_blocks", "capacity_gpus", "sensor_rate",
		"distance_travelled", "latency_fps", "quant_scale", "quant_mae", "bits_per_weight",
		"decode_speedup_from_bits", "distillation_loss" };

	for (size_t i = 0; i < COUNT(ids); i++)
		cr_expect(formula_find(ids[i]) != NULL, "%s", ids[i]);
	cr_expect(formula_find("no_such_formula") == NULL);
}

Test(formulas, a_call_by_name_is_the_row)
{
	double kv = CALL(kv_cache_bytes, .layers = 80, .kv_heads = 8, .head_dim = 128,
		.tokens = 8192, .bytes_per_value = 2);
	cr_expect(epsilon_eq(dbl, kv, 2684354560., 0));
}

/* Seven accepted tokens is the best draft length at a = 0.8, c = 2/30. */
Test(formulas, best_draft_length)
{
	double speedup[10];

	for (int k = 0; k < 10; k++)
		speedup[k] = CALL(spec_decode_speedup, .acceptance = 0.8, .draft_tokens = k,
			.draft_time = 0.002, .target_time = 0.03);
	for (int k = 0; k < 10; k++)
		cr_expect(k == 7 || speedup[k] < speedup[7], "k = %d", k);
}

Test(formulas, ring_and_tree_cross_where_the_formula_says)
{
	for (double n = 8; n <= 512; n *= 8) {
		double bytes = CALL(
			ring_tree_crossover, .gpus = n, .link_bandwidth = 25e9, .latency = 5e-6);
		double ring = CALL(ring_allreduce_time, .bytes = bytes, .gpus = n,
			.link_bandwidth = 25e9, .latency = 5e-6);
		double tree = CALL(tree_allreduce_time, .bytes = bytes, .gpus = n,
			.link_bandwidth = 25e9, .latency = 5e-6);
		cr_expect(epsilon_eq(dbl, ring, tree, 1e-9 * tree), "%g GPUs", n);
	}
}

/* What is not hidden is at least one bucket and at most everything, whatever overlaps. */
Test(formulas, exposed_communication_is_never_more_than_the_communication)
{
	static const double comm[] = { 0, 0.001, 0.49, 1, 1.96, 100 };
	static const double backward[] = { 0, 0.3, 1, 50 }, buckets[] = { 1, 2, 7, 560 };

	for (size_t i = 0; i < COUNT(comm) * COUNT(backward) * COUNT(buckets); i++) {
		double c = comm[i % COUNT(comm)];
		double w = backward[i / COUNT(comm) % COUNT(backward)];
		double n = buckets[i / COUNT(comm) / COUNT(backward)];
		double got =
			CALL(exposed_comm_time, .comm_time = c, .backward_time = w, .buckets = n);
		/* Buckets become ready evenly through backward and go out one after another. */
		double done = 0;
		for (double k = 1; k <= n; k++)
			done = fmax(done, k * w / n) + c / n;
		cr_expect(got <= c * (1 + 1e-12), "%g %g %g: %g", c, w, n, got);
		cr_expect(same(got, done - w, 1e-9), "%g %g %g: %g", c, w, n, got);
	}
}

Test(formulas, whole_numbers_come_out_of_quotients)
{
	static const struct {
		double x, want;
	} rows[] = { { 0, 0 }, { 4, 4 }, { 4.01, 5 }, { 0.1, 1 }, { 11.000000000000002, 11 },
		{ 6.999999999999999, 7 }, { 1e300, 1e300 } };

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(whole(rows[i].x) == rows[i].want, "row %zu", i);
}
