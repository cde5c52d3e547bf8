/* ridge model, as the program prints it. */
#include "tests/printed.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double number(const cJSON *obj, const char *name)
{
	const cJSON *n = cJSON_GetObjectItem(obj, name);
	cr_assert(cJSON_IsNumber(n), "no number %s", name);
	return n->valuedouble;
}

static cJSON *asked(const char *words)
{
	char *text = printed("C.UTF-8", words, "");
	cJSON *root = cJSON_Parse(text);
	cr_assert(root != NULL, "%s", text);
	free(text);
	return root;
}

/* 671 B parameters in FP8 and 1.9 B in BF16 need eight H200 of 141 GB, filled to 90 %. A token reads
 * the weights that it is sent through at 8 x 4.8 TB/s. */
Test(model_command, bounds_follow_from_bytes_and_bandwidth)
{
	cJSON *root = asked("model deepseek-v3 gpu=h200 context=4096 --json");
	const cJSON *gpu = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "gpus"), 0);
	const cJSON *cache = cJSON_GetObjectItem(root, "cache");
	const cJSON *parts = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "parameters"), "parts");
	cr_expect(eq(dbl, number(gpu, "gpus"), 8));
	cr_expect(eq(dbl, number(cache, "full_bytes_per_token"), 70272));
	cr_expect(eq(dbl, number(cache, "bytes"), 70272. * 4096));
	/* Blocks of 128 x 128 share four bytes. Routers, norms, embedding and head have two. */
	const double eight = 1 + 4. / 16384;
	double read =
		eight * (number(parts, "attention") + number(parts, "dense") +
				number(parts, "shared_experts") +
				number(parts, "experts") * 8 / 256) +
		2 * (number(parts, "head") + number(parts, "router") + number(parts, "norms"));
	double s = (read + 70272. * 4096) / (8 * 4.8e12);
	cr_expect(epsilon_eq(dbl, number(gpu, "decode_s_at_best"), s, 1e-3 * s));
	cr_expect(
		eq(str, (char *)cJSON_GetStringValue(cJSON_GetObjectItem(gpu, "bound")), "memory"));
	cJSON_Delete(root);
}

/* A file is read as well as a name, and told from what is published of the same shapes. */
Test(model_command, reads_a_file_a_folder_and_the_standard_input)
{
	static const char config[] =
		"{\"model_type\":\"mixtral\",\"hidden_size\":4096,\"intermediate_size\":14336,"
		"\"num_attention_heads\":32,\"num_key_value_heads\":8,\"num_hidden_layers\":32,"
		"\"num_local_experts\":8,\"num_experts_per_tok\":2,\"vocab_size\":32000,"
		"\"max_position_embeddings\":32768,\"tie_word_embeddings\":false}";
	char folder[] = "/tmp/ridge-model-XXXXXX", path[64], words[200];
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(path, sizeof path, "%s/config.json", folder);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fputs(config, f);
	fclose(f);
	const char *forms[] = { "model %s/config.json --json", "model %s --json",
		"model - --json < %s/config.json" };
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		snprintf(words, sizeof words, forms[i], folder);
		cJSON *root = asked(words);
		const cJSON *p = cJSON_GetObjectItem(root, "parameters");
		cr_expect(eq(dbl, number(p, "total"), 46702792704));
		cr_expect(eq(dbl, number(p, "published_total"), 46.7e9));
		cr_expect(number(p, "total_diff_pct") < 0.1);
		cJSON_Delete(root);
	}
	unlink(path);
	rmdir(folder);
	/* A pipe, where the shell makes one of a document in place. */
	char piped[600];
	snprintf(piped, sizeof piped, "model - --json <<'END'\n%s\nEND\n", config);
	cJSON *root = asked(piped);
	cr_expect(eq(dbl, number(cJSON_GetObjectItem(root, "parameters"), "total"), 46702792704));
	cJSON_Delete(root);
}

Test(model_command, says_what_was_wrong)
{
	static const struct {
		const char *words, *said;
	} rows[] = {
		{ "model", "deepseek-v3" },
		{ "model mixtral-8x7", "did you mean \"mixtral-8x7b\"?" },
		{ "model /nonexistent/config.json", "No such file" },
		{ "model deepseek-v3 contex=4k", "no knob \"contex\"" },
		{ "model deepseek-v3 gpu=h10", "no \"h10\"; did you mean \"h100\"?" },
		{ "model deepseek-v3 --jsn", "did you mean \"--json\"?" },
		{ "model gemma3-27b", "5 window, 1 full, and so on" },
		{ "model gemma3-27b", "66.6 GB if nothing were left out" },
		{ "model gpt-oss-120b", "here -0.00 %, +0.06 %" },
		{ "model bert-base", "an encoder generates nothing" },
		{ "model llama3-8b", "biases and positions are not in it" },
		{ "model deepseek-v3 gpu=t4", "T4" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = printed("C.UTF-8", rows[i].words, "2>&1");
		cr_expect(strstr(text, rows[i].said) != NULL, "ridge %s: %s", rows[i].words, text);
		free(text);
	}
}

/* On the user's own terminal no line is longer than 80 columns. */
Test(model_command, lines_fit_eighty_columns)
{
	static const char *const words[] = { "model", "model deepseek-v3",
		"model gemma3-27b users=64", "model nemotron3-nano", "model mimo-v2-flash",
		"model gemma4-26b-a4b", "model qwen3-next-80b-a3b weight_dtype=fp8",
		"model bert-base" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		char *text = printed("C.UTF-8", words[i], ""), *rest = NULL;
		for (char *l = strtok_r(text, "\n", &rest); l; l = strtok_r(NULL, "\n", &rest))
			cr_expect(strlen(l) <= 80, "%s: %zu columns: %s", words[i], strlen(l), l);
		free(text);
	}
}

/* A formula that counts every layer alike says so beside its number, where the model's are not. */
Test(model_command, a_formula_says_what_it_does_not_know)
{
	char *text = printed("C.UTF-8", "calc kv_cache_bytes model=gemma3-27b tokens=131072", "");
	cr_expect(strstr(text, "66.6 GB  (66,571,993,088 B)  if all 62 layers kept all; 52 keep "
			       "1024 tokens: windowed_cache_bytes") != NULL,
		"%s", text);
	free(text);
	text = printed("C.UTF-8", "calc kv_cache_bytes model=llama3-8b tokens=131072", "");
	cr_expect(strstr(text, "kept all") == NULL, "%s", text);
	free(text);
	static const struct {
		const char *asked, *said;
	} rows[] = { { "calc kv_cache_bytes model=bert-large",
			     "is an encoder, and caches nothing" },
		{ "calc decode_step_time model=bert-large gpu=h100", "is an encoder" },
		{ "calc activation_bytes model=mixtral-8x7b",
			"if its layers were plain: Mixtral 8x7B has routed experts" },
		{ "calc activation_bytes model=bert-large", NULL },
		{ "calc activation_bytes model=llama3-8b", NULL } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		text = printed("C.UTF-8", rows[i].asked, "");
		const char *said = rows[i].said ? rows[i].said : "  if ";
		cr_expect(eq(int, strstr(text, said) != NULL, rows[i].said != NULL), "%s\n%s",
			rows[i].asked, text);
		free(text);
	}
	cJSON *root = asked("calc kv_cache_bytes model=gemma3-27b tokens=131072 --json");
	cr_expect(cJSON_GetObjectItem(root, "warning") != NULL);
	cJSON_Delete(root);
}

/* Of a simulation's values, which are objects. */
static double value_of(const cJSON *values, const char *name)
{
	return number(cJSON_GetObjectItem(values, name), "value");
}

/* What a simulation does not compute with, it says: windows shorter than its sequences, and that an
 * encoder generates nothing. */
Test(model_command, simulations_say_what_they_do_not_cover)
{
	static const char window[] = "attention is timed here as if all saw";
	static const char encoder[] = "is an encoder: it generates no tokens";
	static const struct {
		const char *asked, *said;
		bool does;
	} rows[] = { { "sim stacking model=gemma3-27b seq=4096", window, true },
		{ "sim stacking model=gemma3-27b seq=1024", window, false },
		{ "sim stacking model=llama3-8b seq=4096", window, false },
		{ "sim goodput model=mistral-7b", window, true },
		{ "sim scaling model=gemma3-27b", window, true },
		{ "sim timeline model=gemma3-27b seq=2048", window, true },
		{ "sim memory model=gemma3-27b seq=2048", window, true },
		{ "sim parallelism model=gemma3-27b seq=4096", window, true },
		{ "sim compile model=gemma2-2b tokens=8192", window, true },
		{ "sim allreduce gpu=gb200", "Fast links join 72 of GB200", true },
		{ "sim allreduce gpu=gb200 gpus_per_node=72", "Fast links join", false },
		{ "sim allreduce gpu=b200", "Fast links join", false },
		{ "sim parallelism gpu=gb300 gpus_per_node=8", "Fast links join 72", true },
		{ "sim parallelism gpu=gb300", "Fast links join", false },
		{ "sim scaling gpu=gb200", "Fast links join 72", true },
		{ "sim batching model=bert-large requests=20", encoder, true },
		{ "sim capacity model=bert-large", encoder, true },
		{ "sim speculative model=bert-large times=engine", encoder, true },
		{ "sim system model=bert-large", encoder, true },
		{ "sim compile model=bert-large", encoder, true },
		{ "sim compile model=bert-large phase=train", encoder, false },
		{ "sim batching model=llama3-8b requests=20", encoder, false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char line[200];
		snprintf(line, sizeof line, "%s --json", rows[i].asked);
		char *text = printed("C.UTF-8", line, "");
		cr_expect(eq(int, strstr(text, rows[i].said) != NULL, rows[i].does), "%s\n%s",
			rows[i].asked, text);
		free(text);
	}
}

/* Gemma 3 27B at 131,072 tokens: 10 layers keep all and 52 keep 1,024, each 2 x 16 x 128 x 2 B
 * a layer and token. Llama 3 8B keeps 128 KiB a token. */
Test(model_command, simulations_count_windows)
{
	cJSON *root = asked("sim kvcache model=gemma3-27b context=131072 gpu=h200 --json");
	const cJSON *values = cJSON_GetObjectItem(root, "values");
	double want = 8192 * (10 * 131072.0 + 52 * 1024) / 1e9;
	cr_expect(epsilon_eq(dbl, value_of(values, "kv_GB"), want, 1e-9 * want));
	cJSON_Delete(root);
	root = asked("sim kvcache model=llama3-8b context=131072 gpu=h200 --json");
	values = cJSON_GetObjectItem(root, "values");
	cr_expect(eq(dbl, value_of(values, "kv_bytes_per_token"), 128));
	cJSON_Delete(root);
	/* DeepSeek-V3: 61 x 576 x 2 B, 68.625 KiB. */
	root = asked("sim kvcache model=deepseek-v3 context=131072 gpu=h200 gpus=8 --json");
	values = cJSON_GetObjectItem(root, "values");
	cr_expect(eq(dbl, value_of(values, "kv_bytes_per_token"), 68.625));
	cJSON_Delete(root);
}

/* What ollama/ollama#16958 prints for Gemma 4 26B-A4B, whose engine keeps a micro-batch of 512 beyond the
 * window: 5 layers of 4,096 B a token, 25 of 8,192 B for 1,024 + 512. */
Test(model_command, engines_keep_more_than_a_window)
{
	static const struct {
		const char *words;
		double bytes;
	} rows[] = { { "model gemma4-26b-a4b context=4096 slack_tokens=512 --json", 398458880 },
		{ "model gemma4-26b-a4b context=32768 slack_tokens=512 --json", 985661440 },
		{ "model gemma4-26b-a4b context=32768 --json", 880803840 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cJSON *root = asked(rows[i].words);
		const cJSON *cache = cJSON_GetObjectItem(root, "cache");
		cr_expect(eq(dbl, number(cache, "bytes"), rows[i].bytes), "%s", rows[i].words);
		cJSON_Delete(root);
	}
}

/* Formulas ask a composed model for what it has, and are refused what it has no single one of.
 * DeepSeek-V3: a token takes 8 of 256 experts; 61 layers cache 512 + 64 numbers of 2 B, 70,272 B; an
 * expert is 3 x 7168 x 2048. */
Test(model_command, formulas_know_composed_models)
{
	static const struct {
		const char *words, *said;
	} rows[] = {
		{ "calc experts_touched model=deepseek-v3 tokens=1", "\n  8\n" },
		{ "calc latent_cache_bytes model=deepseek-v3 tokens=1", "70,272 B" },
		{ "calc expert_params model=deepseek-v3", "44,040,192" },
		{ "calc kv_cache_bytes model=gpt-oss-120b", "18 keep 128 tokens" },
		{ "calc kv_cache_bytes model=deepseek-v3", "no single \"kv_heads\"" },
		{ "calc kv_cache_bytes model=qwen3-next-80b-a3b", "no single \"kv_heads\"" },
		{ "calc decode_step_time model=mixtral-8x7b gpu=h100", "no single \"params\"" },
		{ "sim compile model=mixtral-8x7b", "has routed experts, which this does not" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = printed("C.UTF-8", rows[i].words, "2>&1");
		cr_expect(strstr(text, rows[i].said) != NULL, "%s: %s", rows[i].words, text);
		free(text);
	}
}
