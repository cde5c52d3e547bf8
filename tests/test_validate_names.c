/* GPUs and models as benchmarks write them, and rows that no table of ours has. */
#include "tests/settings.h"

#include "sims/comparisons/comparisons.h"
#include "sims/published/names.h"
#include "sims/published/validation_figure.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static struct tables tables;

static void load(void)
{
	tables = load_tables();
}

static void release(void)
{
	tables_release(&tables);
}

TestSuite(validate_names, .init = load, .fini = release);

static void check(struct validation *v, const char *model, const char *text)
{
	const struct measured_input in = { "f.csv", text, strlen(text) };
	char err[300];
	*v = (struct validation){ 0 };
	cr_assert(zero(int, measured_validate(v, measured_model_find(model), &tables, &in, 1, err,
				    sizeof err)),
		"%s: %s", model, err);
}

static const struct {
	const char *written, *id;
} gpu_names[] = {
	{ "A100", "a100" },
	{ "h100_sxm", "h100" },
	{ "H200 SXM", "h200" },
	{ "NVIDIA A100-SXM4-80GB (400W)", "a100" },
	{ "NVIDIA A100-SXM4-40GB(400W)", "a100-40" },
	{ "NVIDIA A100 - PCIe - 80 GB", "a100-pcie" },
	{ "NVIDIA A100-PCIE-40GB (250W)", "a100-pcie-40" },
	{ "NVIDIA H100-SXM5-80GB", "h100" },
	{ "NVIDIA H100-SXM5-96GB", "h100-96" },
	{ "NVIDIA H100-PCIe-80GB", "h100-pcie" },
	{ "Nvidia Tesla V100", "v100" },
	{ "V100-16GB", "v100" },
	{ "NVIDIA T4", "t4" },
	{ "NVIDIA L40S", "l40s" },
	{ "4090", "rtx4090" },
	{ "RTX 4090", "rtx4090" },
	{ "3090", "rtx3090" },
	{ "GeForce RTX 2080 Ti", "rtx2080ti" },
	{ "NVIDIA RTX 6000 Ada", "rtx6000-ada" },
	{ "RTX A6000", "a6000" },
	{ "NVIDIA V100-PCIe", "v100-pcie" },
	{ "h100_nvl", "h100-nvl" },
	{ "H100 NVL", "h100-nvl" },
	{ "L40", "l40" },
	{ "A10G", "a10g" },
	{ "NVIDIA H100 80GB HBM3", "h100" },
	{ "AMD Instinct MI300X 192GB HBM3", "mi300x" },
	{ "NVIDIA GB200 NVL72", "gb200" },
	{ "NVIDIA RTX 6000 Ada Generation", "rtx6000-ada" },
	{ "Habana Gaudi2", "gaudi2" },
	{ "Intel Gaudi 3", "gaudi3" },
	{ "DGX-A100", "a100" },
	{ "AMD Instinct MI300X-NPS1-SPX-192GB-750W", "mi300x" },
	{ "NVIDIA A100, 80GB", "a100" },
	{ "b300_sxm", "b300" },
	{ "L40S-48GB", "l40s" },
	{ "NVIDIA RTX A6000", "a6000" },
	{ "A40", "a40" },
	/* later rounds of MLPerf write them like this */
	{ "NVIDIA H200-SXM5-141GB", "h200" },
	{ "NVIDIA H200-SXM-141GB-CTS", "h200" },
	{ "NVIDIA GH200-GraceHopper-Superchip_96GB", "gh200" },
	{ "NVIDIA B200-SXM-180GB", "b200" },
	{ "NVIDIA Blackwell GPU (B200-SXM-180GB)", "b200" },
	{ "NVIDIA Blackwell Ultra GPU (B300-SXM-270GB)", "b300" },
	{ "NVIDIA GB200", "gb200" },
	{ "NVIDIA Blackwell GPU (GB200)", "gb200" },
	{ "NVIDIA GB300", "gb300" },
	{ "AMD Instinct MI300X-192GB-HBM3", "mi300x" },
	{ "AMD Instinct MI325X", "mi325x" },
	{ "AMD Instinct MI325X 256GB HBM3E", "mi325x" },
	{ "AMD Instinct MI355X", "mi355x" },
	{ "TPU-v5p", "tpu-v5p" },
	{ "Google TPU v6e", "tpu-v6e" },
	{ "TPU-trillium", "tpu-v6e" },
	{ "Intel Gaudi2", "gaudi2" },
	/* Others that only look alike. */
	{ "NVIDIA Blackwell GPU", NULL },
	{ "NVIDIA Blackwell GPU ()", NULL },
	{ "NVIDIA Blackwell GPU (B200", NULL },
	{ "NVIDIA Blackwell GPU (Blackwell GPU (B200))", NULL },
	{ "NVIDIA H300 (H100)", NULL },
	{ "NVIDIA B200-SXM-288GB", NULL },
	{ "NVIDIA H200 NVL", NULL },
	{ "NVIDIA GH200-GraceHopper-Superchip_144GB", NULL },
	{ "NVIDIA RTX PRO 6000 Blackwell", NULL },
	{ "AMD Instinct MI300A", NULL },
	{ "AMD Instinct MI350X", NULL },
	{ "AMD Instinct MI300X-256GB-HBM3E", NULL },
	{ "Habana Gaudi", NULL },
	{ "Intel Data Center GPU Max 1550", NULL },
	{ "TPU", NULL },
	{ "TPU v3", NULL },
	{ "NVIDIA H100-SXM5-141GB", NULL },
	{ "GH200 480GB", NULL },
	{ "RTX 4090 Ti", NULL },
	{ "L400", NULL },
	{ "A100 NVL", NULL },
	{ "NVIDIA H200-NVL", NULL },
	{ "RTX 3090 Ti", NULL },
	{ "V100S-32GB", NULL },
	{ "Quadro RTX 6000", NULL },
	{ "nvidia", NULL },
	{ "", NULL },
	{ "- - -", NULL },
};

Test(validate_names, gpus_as_they_are_written)
{
	for (size_t i = 0; i < COUNT(gpu_names); i++) {
		const struct accelerator *g = measured_gpu(&tables, gpu_names[i].written);
		cr_expect(g ? gpu_names[i].id && strcmp(g->id, gpu_names[i].id) == 0
			    : !gpu_names[i].id,
			"%s: %s", gpu_names[i].written, g ? g->id : "unknown");
	}
	for (size_t i = 0; i < tables.n_gpus; i++)
		cr_expect(measured_gpu(&tables, tables.gpus[i].id) == &tables.gpus[i]);
}

Test(validate_names, models_as_they_are_written)
{
	static const struct {
		const char *written, *id;
	} rows[] = {
		{ "Llama-2-7b-hf", "llama2-7b" },
		{ "meta-llama/Llama-2-70b-hf", "llama2-70b" },
		{ "Llama-3.1-70B", "llama3-70b" },
		{ "Llama 3.1 8B", "llama3-8b" },
		{ "Llama-3.1-8B-Instruct", "llama3-8b" },
		{ "Llama-3.1-405B", "llama3-405b" },
		{ "codellama/CodeLlama-34b-Instruct-hf", "codellama-34b" },
		{ "Mistral-7B-v0.1", "mistral-7b" },
		{ "Vicuna-7B-v1.3", "llama-7b" },
		{ "Vicuna-33B-v1.3", "llama-33b" },
		{ "internlm/internlm-20b", "internlm-20b" },
		{ "Qwen-72B", "qwen-72b" },
		{ "Qwen2-72B-Instruct", "qwen2.5-72b" },
		{ "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "qwen2.5-32b" },
		{ "DeepSeekV3 (w/o MTP)", "deepseek-v3" },
		{ "microsoft/phi-2", "phi-2" },
		{ "Mistral-Nemo-Instruct-2407", "mistral-nemo-12b" },
		{ "CodeLlama-13b-hf", "llama2-13b" },
		{ "01-ai/Yi-1.5-34B-Chat", "yi-34b" },
		{ "Qwen2.5-Coder-32B-Instruct", "qwen2.5-32b" },
		{ "Mistral-Small-3.1-24B-Instruct-2503", "mistral-small-24b" },
		{ "nvidia/Llama-3.3-70B-Instruct-NVFP4", "llama3-70b" },
		{ "Qwen3-14B-AWQ", "qwen3-14b" },
		{ "Qwen3-30B-A3B", "qwen3-30b-a3b" },
		{ "Qwen3-Coder-30B-A3B-Instruct", NULL },
		{ "Mixtral-8x7B-Instruct-v0.1", "mixtral-8x7b" },
		{ "InternLM-7B", NULL },
		{ "Llama-3.2-90B-Vision", NULL },
		{ "Llama-4-7b", NULL },
		{ "", NULL },
		{ "/", NULL },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct model *m = measured_model_named(&tables, rows[i].written);
		cr_expect(m ? rows[i].id && strcmp(m->id, rows[i].id) == 0 : !rows[i].id, "%s: %s",
			rows[i].written, m ? m->id : "unknown");
	}
}

/* Words about a row need no shorter names than the row. */
Test(validate_names, long_names_are_described)
{
	static const struct {
		const char *model, *text;
	} tables_of[] = {
		{ "serving", "system,model,gemm_quant,isl,osl,tp,batch_size,client_concurrency,"
			     "ttft_ms,tpot_ms\n"
			     "NVIDIA H100-SXM5-80GB HGX (700 W),"
			     "RedHatAI/Meta-Llama-3.1-70B-Instruct-FP8-dynamic,"
			     "fp8,128,16,4,4,4,80,11\n" },
		{ "memory", "model,n_gpus,parallelism,local_batch,seq_len,activation_ckpt,"
			    "peak_memory_GiB\n"
			    "meta-llama/Meta-Llama-3.1-8B-Instruct,8,FSDP8,1,2048,full AC,20\n" },
		{ "speculative", "device,target_model,method,mean_accepted_tokens,speedup_overall\n"
				 "NVIDIA A100-SXM4-80GB HGX (400 W),"
				 "a/b/lmsys/a-long-name-of-somebody/Vicuna-13B-v1.3,EAGLE2,4,3\n" },
		{ "gemm", "gpu,dtype,m,n,k,time_us\n"
			  "NVIDIA A100-SXM4-80GB HGX DGX Tensor Core GPU (400 W),"
			  "bfloat16,1,512,512,5\n" },
	};
	for (size_t i = 0; i < COUNT(tables_of); i++) {
		struct validation v;
		struct figure fig = { 0 };
		check(&v, tables_of[i].model, tables_of[i].text);
		cr_expect(eq(sz, v.rows, 1), "%s", tables_of[i].model);
		cr_assert(lt(sz, 0, v.n_worst));
		struct measured_words w = prediction_words(&v, v.worst[0]);
		cr_expect(w.what[0] && w.thought[0]);
		validation_figure(&v, true, &fig);
		figure_release(&fig);
		validation_release(&v);
	}
}

/* A TPU has no SMs to fill in waves. */
Test(validate_names, words_without_waves)
{
	struct validation v;
	check(&v, "gemm", "gpu,dtype,m,n,k,time_us\ntpu-v4,bfloat16,4096,4096,4096,900\n");
	cr_assert(eq(sz, v.n_worst, 1));
	struct measured_words w = prediction_words(&v, v.worst[0]);
	cr_expect(strstr(w.thought, "nan") == NULL && strstr(w.thought, "-bound"), "%s", w.thought);
	validation_release(&v);
}

/* Cut at 95 letters this would end in a model's name. */
Test(validate_names, a_name_that_is_cut_is_unknown)
{
	static const char head[] =
		"device,target_model,method,mean_accepted_tokens,speedup_overall\nA100,";
	char text[400];
	struct validation v;
	int n = snprintf(text, sizeof text, "%s", head);
	n += snprintf(text + n, sizeof text - (size_t)n, "%0*d/vicuna-7b",
		MEASURED_NAME - 1 - (int)strlen("/vicuna-7b"), 0);
	snprintf(text + n, sizeof text - (size_t)n, "x,EAGLE2,4,3\n");
	check(&v, "speculative", text);
	cr_expect(zero(sz, v.rows));
	cr_expect(eq(sz, v.faults.n, 1));
	validation_release(&v);
}

#define SERVING_HEAD                                                                               \
	"system,model,gemm_quant,isl,osl,tp,batch_size,client_concurrency,ttft_ms,tpot_ms\n"

/* A blank type of weights is the checkpoint's own. */
Test(validate_names, weights_of_a_checkpoint)
{
	static const char *const same[][2] = {
		{ "Qwen/Qwen3-32B-FP8,", "Qwen3-32B,fp8" },
		{ "Qwen3-32B,", "Qwen3-32B,bfloat16" },
		{ "Qwen3-32B,BF16", "Qwen3-32B,bfloat16" },
		{ "Qwen3-32B,FP8-block", "Qwen3-32B,fp8_block" },
		{ "nvidia/Llama-3.3-70B-Instruct-FP4,", "Llama-3.3-70B,nvfp4" },
		{ "Qwen3-14B-AWQ,", "Qwen3-14B,int4_wo" },
		{ "nvidia/Llama-3.1-8B-Instruct-FP8,bf16", "Llama-3.1-8B,bfloat16" },
	};
	char text[600];
	struct validation v;
	for (size_t i = 0; i < COUNT(same); i++) {
		snprintf(text, sizeof text,
			SERVING_HEAD
			"h200_sxm,%s,128,32,1,1,1,80,11\nh200_sxm,%s,128,32,1,1,1,80,11\n",
			same[i][0], same[i][1]);
		check(&v, "serving", text);
		cr_assert(eq(sz, v.n, 4), "%s", same[i][0]);
		cr_expect(eq(dbl, v.predictions[0].predicted, v.predictions[2].predicted), "%s",
			same[i][0]);
		validation_release(&v);
	}
}

#define MEMORY_HEAD "model,n_gpus,parallelism,local_batch,seq_len,activation_ckpt,peak_memory_GiB\n"

#define TRAINING_HEAD                                                                              \
	"model,n_gpus,parallelism,local_batch,global_batch,seq_len,activation_ckpt,compile,"       \
	"float8,tokens_per_s_per_gpu\n"

#define DLE_HEAD "model,framework,gpu,precision,n_gpus,batch,accumulation,throughput\n"

/* Left out with what was expected, and never taken for another. */
Test(validate_names, rows_that_no_model_answers)
{
	static const struct {
		const char *model, *head, *row, *why;
	} rows[] = {
		{ "serving", SERVING_HEAD, "h200_sxm,Mixtral-8x7B,,128,32,1,1,1,80,11",
			"model: expected a dense model, \"Mixtral-8x7B\" has routed experts" },
		{ "serving", SERVING_HEAD, "h200_sxm,Qwen/Qwen3-235B-A22B-FP8,,128,32,1,1,1,80,11",
			"model: expected a dense model, \"Qwen/Qwen3-235B-A22B-FP8\" has "
			"routed experts" },
		{ "serving", SERVING_HEAD, "h200_sxm,Llama-3.1-8C,,128,32,1,1,1,80,11",
			"model: unknown model \"Llama-3.1-8C\"; did you mean \"llama3-8b\"?" },
		{ "serving", "attn_dp," SERVING_HEAD, "8,h200,Llama-3.1-8B,fp8,128,32,1,1,1,80,11",
			"attn_dp: expected 1, no experts are shared by several copies, found 8" },
		{ "collectives", "gpu,op,n_gpus,bytes,time_us\n", "h100,broadcast,8,1024,9",
			"op: expected all_reduce, all_gather, reduce_scatter or all_to_all, found "
			"\"broadcast\"" },
		{ "collectives", "gpu,op,n_gpus,bytes,time_us\n", "h100_sxm,all_reduce,16,1024,9",
			"n_gpus: expected 2 to 8, a node of h100, found 16" },
		{ "memory", MEMORY_HEAD, "Llama 3.1 8B,64,HSDP 8x8,1,8192,full AC,60",
			"parallelism: expected FSDP, TP, CP and PP only, found \"HSDP 8x8\"" },
		{ "memory", MEMORY_HEAD, "Llama 3.1 8B,8,ring,1,8192,full AC,60",
			"parallelism: expected FSDP, TP, CP or PP, found \"ring\"" },
		{ "memory", MEMORY_HEAD, "Llama 3.1 8B,8,FSDP3,1,8192,full AC,60",
			"parallelism: expected degrees whose product divides n_gpus, found "
			"\"FSDP3\"" },
		{ "memory", MEMORY_HEAD, "Llama 3.1 8B,8,FSDP8,1,8192,per-layer,60",
			"activation_ckpt: expected full, sel, none or a blank cell, found "
			"\"per-layer\"" },
		{ "training", TRAINING_HEAD, "Llama 3.1 8B,16,\"FSDP 8, PP 4\",1,,,sel AC,,,5762",
			"parallelism: expected degrees whose product divides n_gpus, found "
			"\"FSDP 8, PP 4\"" },
		{ "training", TRAINING_HEAD, "Llama 3.1 8B,8,FSDP8,1,,,per-layer,,,5762",
			"activation_ckpt: expected full, sel, none or a blank cell, found "
			"\"per-layer\"" },
		{ "training", DLE_HEAD, "BERT-large phase 1,PyTorch,A100,BF16,8,256,32,4553",
			"precision: expected FP32, TF32 or FP16, found \"BF16\"" },
		{ "training", DLE_HEAD, "BERT-large phase 1,MXNet,A100,FP16,8,256,32,4553",
			"framework: expected PyTorch, or MXNet with ResNet-50, found \"MXNet\"" },
		{ "training", DLE_HEAD, "BERT-base phase 1,PyTorch,A100,FP16,8,256,32,4553",
			"model: expected ResNet-50 or BERT-large with phase 1, phase 2 or SQuAD, "
			"found \"BERT-base phase 1\"" },
		{ "batch_latency", "framework,gpu,precision,batch,lat_avg_ms\n",
			"PyTorch,A100,INT8,8,60",
			"precision: expected FP32, TF32, FP16 or BF16, found \"INT8\"" },
		{ "scaling", "round,benchmark,accelerator,n_accel,global_batch,logged_throughput\n",
			"v4.1,resnet50,NVIDIA H100-SXM5-80GB,8,64,99",
			"benchmark: no workload is known for \"resnet50\"; "
			"did you mean \"resnet\"?" },
		{ "serving", SERVING_HEAD, "h210,Llama-3.1-8B,,128,32,1,1,1,80,11",
			"system: unknown GPU \"h210\"; did you mean \"h200\"?" },
		{ "serving", SERVING_HEAD, "h200,Llama-3.1-8B,mxfp6,128,32,1,1,1,80,11",
			"gemm_quant: expected bfloat16, fp8, int8_wo, int4_wo or nvfp4, found "
			"\"mxfp6\"" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[500];
		struct validation v;
		snprintf(text, sizeof text, "%s%s\n", rows[i].head, rows[i].row);
		check(&v, rows[i].model, text);
		cr_expect(zero(sz, v.rows), "%s", rows[i].row);
		cr_assert(eq(sz, v.faults.n_reasons, 1));
		cr_expect(eq(str, v.faults.reasons[0].text, (char *)rows[i].why));
		validation_release(&v);
	}
}

/* 8 GiB against the datasheet's link, in one direction: an all-reduce sends 2 (n - 1) / n of it, or
 * (n + 1) / n where a switch adds; the others (n - 1) / n. Nothing is quicker, nor takes twice as
 * long. */
Test(validate_names, collectives_stay_near_the_link)
{
	static const struct {
		const char *gpu, *op;
		double gpus, times, link;
	} rows[] = {
		{ "h200_sxm", "all_reduce", 8, 9. / 8, 450e9 },
		{ "b200_sxm", "All-Reduce", 8, 9. / 8, 900e9 },
		{ "gb200", "all_reduce", 4, 5. / 4, 900e9 },
		{ "gb200", "reduce_scatter", 72, 71. / 72, 900e9 },
		{ "h100", "alltoall", 8, 7. / 8, 450e9 },
		{ "a100_pcie", "AllGather", 4, 3. / 4, 32e9 }, { "l40s", "all_reduce", 2, 1, 32e9 },
		{ "T4", "all_reduce", 4, 3. / 2, 16e9 },
		{ "rtx5090", "all_gather", 4, 3. / 4, 64e9 },
		{ "mi300x", "all_reduce", 8, 7. / 4, 448e9 },
		{ "mi300x", "all_reduce", 2, 1, 64e9 }, /* one link of seven joins two */
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[200];
		struct validation v;
		double least_us = rows[i].times * 8589934592. / rows[i].link * 1e6;
		snprintf(text, sizeof text, "gpu,op,n_gpus,bytes,time_us\n%s,%s,%g,8589934592,9\n",
			rows[i].gpu, rows[i].op, rows[i].gpus);
		check(&v, "collectives", text);
		cr_assert(eq(sz, v.n, 1), "%s", text);
		cr_expect(lt(dbl, least_us, v.predictions[0].predicted), "%s", text);
		cr_expect(lt(dbl, v.predictions[0].predicted, 2 * least_us), "%s", text);
		validation_release(&v);
	}
}

/* One cut of a job in several spellings; a number that is not there is what is left, and what is
 * left over holds copies. */
Test(validate_names, cuts_as_they_are_written)
{
	static const struct {
		const char *row, *same;
	} rows[] = {
		{ "64,\"FSDP 16, TP 4\",1,8192,full AC", "64,FSDP16 TP4,1,8192,full AC" },
		{ "64,TP4 FSDP16 asyncTP,1,8192,Full", "64,FSDP16 TP4,1,8192,full AC" },
		{ "64,fsdp=16-tp=4,1,8192,FULL AC", "64,FSDP16 TP4,1,8192,full AC" },
		{ "64,\"2D FSDP, TP 4\",1,8192,full AC", "64,FSDP16 TP4,1,8192,full AC" },
		{ "128,FSDP16 TP4,1,8192,full AC", "64,FSDP16 TP4,1,8192,full AC" },
		{ "8,CP 8,1,65536,full AC", "8,FSDP1 CP8,1,65536,full AC" },
		{ "8,FSDP8 PP1,1,8192,selective op", "8,FSDP8,1,8192,sel AC" },
		{ "8,FSDP8,1,8192,SAC", "8,FSDP8,1,8192,sel AC" },
		{ "8,FSDP8,1,8192,No AC", "8,FSDP8,1,8192," },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[300];
		struct validation v;
		snprintf(text, sizeof text, MEMORY_HEAD "Llama 3 8B,%s,60\nLlama 3 8B,%s,60\n",
			rows[i].row, rows[i].same);
		check(&v, "memory", text);
		cr_assert(eq(sz, v.n, 2), "%s", rows[i].row);
		cr_expect(eq(dbl, v.predictions[0].predicted, v.predictions[1].predicted), "%s",
			rows[i].row);
		validation_release(&v);
	}
}

Test(validate_names, formats_in_any_spelling)
{
	static const char *const formats[][2] = { { "BF16", "bfloat16" }, { "fp16", "float16" },
		{ "FP8", "fp8" }, { "fp8-block", "fp8_block" }, { "NVFP4", "nvfp4" } };
	for (size_t i = 0; i < COUNT(formats); i++) {
		char text[200];
		struct validation v;
		snprintf(text, sizeof text,
			"gpu,dtype,m,n,k,time_us\nb200,%s,64,4096,4096,9\nb200,%s,64,4096,4096,9\n",
			formats[i][0], formats[i][1]);
		check(&v, "gemm", text);
		cr_assert(eq(sz, v.n, 2), "%s", formats[i][0]);
		cr_expect(eq(dbl, v.predictions[0].predicted, v.predictions[1].predicted));
		cr_expect(eq(sz, v.n_groups, 1), "%s", formats[i][0]);
		validation_release(&v);
	}
}

Test(validate_names, methods_and_precisions_in_any_spelling)
{
	static const char *const methods[] = { "EAGLE-2", "Eagle2", "SAMD[EAGLE-2]" };
	char text[300];
	struct validation v;
	for (size_t i = 0; i < COUNT(methods); i++) {
		snprintf(text, sizeof text,
			"device,target_model,method,mean_accepted_tokens,speedup_overall\n"
			"A100,Vicuna-7B-v1.3,%s,4,3\nA100,Vicuna-7B-v1.3,EAGLE2,4,3\n",
			methods[i]);
		check(&v, "speculative", text);
		cr_assert(eq(sz, v.n, 2), "%s", methods[i]);
		cr_expect(eq(dbl, v.predictions[0].predicted, v.predictions[1].predicted));
		validation_release(&v);
	}
	check(&v, "batch_latency",
		"model,framework,gpu,precision,batch,lat_avg_ms\nRN50v1.5,pytorch,A100,AMP,8,20\n"
		"ResNet-50 v1.5,PyTorch,A100,FP16-mixed,8,20\n");
	cr_assert(eq(sz, v.n, 2));
	cr_expect(eq(dbl, v.predictions[0].predicted, v.predictions[1].predicted));
	validation_release(&v);
}
