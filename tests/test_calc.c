/* The calculator: what its text means, what it refuses, what the command prints. */
#include "ui/data/calc.h"
#include "ui/commands/commands.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

static struct model models[] = {
	{ .id = "small",
		.params = 1e9,
		.layers = 10,
		.hidden = 1024,
		.heads = 8,
		.kv_heads = 2,
		.head_dim = 64,
		.vocab = 32000 },
	{ .id = "broken", .layers = 1e6 },
};
static struct accelerator gpus[] = {
	{ .id = "card",
		.peak_flops = { [DTYPE_BF16] = 100e12 },
		.bandwidth = 1e12,
		.memory_bytes = 80e9 },
};
static const struct tables tables = {
	.models = models, .n_models = COUNT(models), .gpus = gpus, .n_gpus = COUNT(gpus)
};

Test(calc, evaluates)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{ "kv_cache_bytes", 4294967296. },
		{ "  kv_cache_bytes\t layers=80   kv_heads=8 ", 2684354560. },
		{ "kv_cache_bytes L=80 a_kv=8", 2684354560. },
		{ "kv_cache_bytes tokens=8k", 524288. * 8000 },
		{ "ridge_point peak_flops=312TFLOP/s bandwidth=2TB/s", 156 },
		{ "ridge_point peak_flops=312 TFLOP/s bandwidth=2 TB/s", 156 },
		{ "ridge_point F=312e12 BW=16Tb/s", 156 },
		{ "mm1_sojourn_mean rho=75% S=100ms", 0.4 },
		{ "mm1_sojourn_mean rho=1", INFINITY },
		{ "spec_decode_speedup a=0.8 k=5 draft_time=2ms target_time=30ms", 2.76696 },
		{ "spec_decode_speedup_from_ratio a=0.8 k=5 c=2/30", 2.76696 },
		{ "static_memory_bytes params=7B", 112e9 },
		{ "training_cost gpus=64 time=72h price_per_hour=$10.20/h", 47001.6 },
		{ "distance_travelled speed=70mph latency=42ms", 31.2928 * 0.042 },
		{ "distance_travelled speed=36 km/h latency=1s", 10 },
		{ "distance_travelled speed=36kph latency=1s", 10 },
		/* 2 x 10 layers x 2 heads x 64 x 100 tokens x 2 B */
		{ "kv_cache_bytes model=small tokens=100", 512000 },
		{ "ridge_point gpu=card", 100 },
		/* 1e9 x 2 B / 1 TB/s */
		{ "decode_step_time gpu=card model=small", 2e-3 },
		/* What is given by name goes first, wherever it stands. */
		{ "kv_cache_bytes model=small tokens=100 layers=20", 1024000 },
		{ "kv_cache_bytes layers=20 tokens=100 model=small", 1024000 },
		{ "ring_allreduce_time bytes=14GB gpus=8 link_bandwidth=300GB/s latency=5us",
			0.0817366666666667 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct calc_result r;
		char err[256] = "";
		int rc = calc_evaluate(&tables, rows[i].text, &r, err, sizeof err);
		cr_expect(rc == 0, "%s: %s", rows[i].text, err);
		if (isinf(rows[i].value))
			cr_expect(r.value == rows[i].value, "%s", rows[i].text);
		else
			cr_expect(epsilon_eq(dbl, r.value, rows[i].value, 1e-9 * rows[i].value),
				"%s", rows[i].text);
	}
}

/* People's own names, where they can mean only one thing. */
Test(calc, knows_common_synonyms)
{
	static const struct {
		const char *formula, *typed, *name; /* NULL: none */
	} rows[] = {
		{ "kv_cache_bytes", "seq", "tokens" },
		{ "batched_decode_time", "seq", "context" },
		{ "prefill_flops", "tokens", "seq" },
		{ "flash_activation_bytes", "tokens", NULL }, /* of the batch, or of one? */
		{ "chunked_prefill_time", "seq", "prompt_tokens" },
		{ "distance_travelled", "time", "latency" },
		{ "ring_allreduce_time", "time", NULL }, /* its latency is a hop's */
		{ "littles_law", "latency", "time" },
		{ "littles_law", "qps", "arrival_rate" },
		{ "mfu", "tokens_per_s", "token_rate" },
		{ "training_time", "mfu", "utilisation" },
		{ "capacity_gpus", "mfu", NULL }, /* its utilisation is of memory */
		{ "mm1_sojourn_mean", "utilization", "utilisation" },
		{ "training_cost", "n_gpus", "gpus" },
		{ "training_cost", "price", "price_per_hour" },
		{ "ridge_point", "memory_bandwidth", "bandwidth" },
		{ "ridge_point", "band", NULL },
		{ "ridge_point", "", NULL },
		{ "ridge_point", " ", NULL },
		{ "ridge_point", "bandwidth", NULL }, /* a name is not a synonym */
		{ "ridge_point", "BW", NULL },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct formula *f = formula_find(rows[i].formula);
		cr_assert(f != NULL, "%s", rows[i].formula);
		int k = calc_alias(f, rows[i].typed);
		cr_expect(rows[i].name ? k == formula_param_index(f, rows[i].name) : k == -1,
			"%s %s: %d", rows[i].formula, rows[i].typed, k);
	}
}

Test(calc, reads_synonyms_as_the_names)
{
	struct calc_result a, b;
	char err[256] = "";

	cr_assert(calc_evaluate(NULL, "training_time mfu=0.5 n_gpus=8", &a, err, sizeof err) == 0,
		"%s", err);
	cr_assert(calc_evaluate(
			  NULL, "training_time utilisation=0.5 gpus=8", &b, err, sizeof err) == 0);
	cr_expect(a.value == b.value && calc_n_examples(&a) == calc_n_examples(&b));
	cr_expect(calc_evaluate(NULL, "training_time mfu=0.5 MFU=0.4", &a, err, sizeof err) == -1);
	cr_expect(strstr(err, "utilisation is given twice") != NULL, "%s", err);
}

Test(calc, says_where_each_value_comes_from)
{
	struct calc_result r;
	char err[256];
	int rc = calc_evaluate(&tables,
		"batched_decode_time model=small gpu=card batch=4 layers=20", &r, err, sizeof err);
	static const struct {
		const char *name;
		double value;
		enum calc_origin origin;
	} rows[] = {
		{ "params", 1e9, CALC_MODEL },
		{ "layers", 20, CALC_GIVEN },
		{ "batch", 4, CALC_GIVEN },
		{ "bandwidth", 1e12, CALC_GPU },
		{ "peak_flops", 100e12, CALC_GPU },
		{ "context", 1024, CALC_EXAMPLE },
	};

	cr_assert(rc == 0, "%s", err);
	cr_expect(r.model == &models[0] && r.gpu == &gpus[0]);
	for (size_t i = 0; i < COUNT(rows); i++) {
		int k = formula_param_index(r.formula, rows[i].name);
		cr_assert(k >= 0, "%s", rows[i].name);
		cr_expect(r.args[k] == rows[i].value, "%s", rows[i].name);
		cr_expect(r.origins[k] == rows[i].origin, "%s", rows[i].name);
	}
	cr_expect(calc_n_examples(&r) == 3); /* bytes_per_param, context, bytes_per_value */
}

/* Each refusal says what was wrong, and what was expected or the nearest match. */
Test(calc, refuses)
{
	static const struct {
		const char *text, *wrong, *expected;
	} rows[] = {
		{ "", "expected a formula", "" },
		{ "   ", "expected a formula", "" },
		{ "kv_cache_byte", "\"kv_cache_byte\"", "\"kv_cache_bytes\"?" },
		{ "qqqqqqqqqqqq", "\"qqqqqqqqqqqq\"", "ridge calc" },
		{ "kvcache", "\"kvcache\"", "did you mean \"kv_cache_bytes\"?" },
		{ "ridge_point bandwith=1", "\"bandwith\"", "\"bandwidth\"?" },
		{ "ridge_point q=1", "\"q\"", "peak_flops, bandwidth" },
		{ "ridge_point =1", "\"\"", "peak_flops, bandwidth" },
		{ "ridge_point fast", "\"fast\"", "name=value" },
		{ "ridge_point bandwidth=", "bandwidth", "" },
		{ "ridge_point bandwidth=fast", "bandwidth", "\"fast\"" },
		{ "ridge_point bandwidth=25 GB", "bandwidth", "bytes per second" },
		{ "ridge_point bandwidth=1e12 BW=1e12", "bandwidth", "twice" },
		{ "distance_travelled speed=70 km", "metres per second", "not metres" },
		{ "kv_cache_bytes tokens=5m", "\"m\" is unclear", "M (million)" },
		{ "mm1_sojourn_mean rho=1.5", "utilisation must be 0 to 1", "1.5" },
		{ "mm1_sojourn_mean rho=-0.1", "utilisation must be 0 to 1", "-0.1" },
		{ "ridge_point bandwidth=0", "bandwidth must be 1 B/s to", "0" },
		{ "kv_cache_bytes model=smal", "model \"smal\"", "\"small\"?" },
		{ "kv_cache_bytes model=zzzzzzzz", "model \"zzzzzzzz\"", "small, broken" },
		{ "ridge_point gpu=zzzz", "gpu \"zzzz\"", "card" },
		{ "ridge_point model=small", "ridge_point has no parameter", "model small" },
		{ "kv_cache_bytes gpu=card", "kv_cache_bytes has no parameter", "gpu card" },
		{ "ridge_point gpu=card gpu=card", "gpu", "twice" },
		{ "kv_cache_bytes model=small model=small", "model", "twice" },
		{ "kv_cache_bytes model=broken", "layers must be 1 to 10,000", "1,000,000" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct calc_result r;
		char err[256] = "";
		int rc = calc_evaluate(&tables, rows[i].text, &r, err, sizeof err);
		cr_expect(rc == -1, "%s", rows[i].text);
		cr_expect(strstr(err, rows[i].wrong) != NULL, "%s: %s", rows[i].text, err);
		cr_expect(strstr(err, rows[i].expected) != NULL, "%s: %s", rows[i].text, err);
		cr_expect(strchr(err, '\n') == NULL, "%s: %s", rows[i].text, err);
	}
}

Test(calc, works_without_tables_and_with_little_room_for_the_reason)
{
	struct calc_result r;
	char err[8] = "", text[CALC_MAX_TEXT + 8];

	cr_expect(calc_evaluate(NULL, "ridge_point", &r, err, sizeof err) == 0);
	cr_expect(calc_evaluate(NULL, "ridge_point gpu=card", &r, err, sizeof err) == -1);
	cr_expect(strlen(err) == sizeof err - 1);
	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	cr_expect(calc_evaluate(NULL, text, &r, err, sizeof err) == -1);
	text[CALC_MAX_TEXT - 1] = '\0';
	cr_expect(calc_evaluate(NULL, text, &r, err, sizeof err) == -1);
}

Test(calc, no_formula_has_more_parameters_than_a_result_holds)
{
	for (size_t i = 0; i < n_formulas; i++) {
		cr_expect(formulas[i].n_params <= CALC_MAX_PARAMS, "%s", formulas[i].id);
		cr_expect(strcmp(calc_subject(&formulas[i]), "Other") != 0, "%s", formulas[i].id);
	}
}

/* The command: status, and what went to the two streams; the caller frees both texts. */
struct calc_outcome {
	int status;
	char *out, *err;
};

static struct calc_outcome run(size_t argc, const char *const words[])
{
	char *argv[16] = { NULL };
	struct calc_outcome o;
	size_t out_size, err_size;
	FILE *out = open_memstream(&o.out, &out_size), *err = open_memstream(&o.err, &err_size);

	for (size_t i = 0; i < argc; i++)
		argv[i] = (char *)words[i];
	o.status = command_run((int)argc, argv, &(struct streams){ stdin, out, err });
	fclose(out);
	fclose(err);
	return o;
}

#define RUN(...)                                                                                   \
	run(COUNT(((const char *const[]){ "calc", __VA_ARGS__ })),                                 \
		(const char *const[]){ "calc", __VA_ARGS__ })

static void outcome_release(struct calc_outcome *o)
{
	free(o->out);
	free(o->err);
}

Test(calc, command_lists_every_formula)
{
	struct calc_outcome o = run(1, (const char *const[]){ "calc" });

	cr_expect(o.status == 0);
	for (size_t i = 0; i < n_formulas; i++) {
		cr_expect(strstr(o.out, formulas[i].id) != NULL, "%s", formulas[i].id);
		cr_expect(strstr(o.out, formulas[i].title) != NULL, "%s", formulas[i].id);
		cr_expect(strstr(o.out, calc_subject(&formulas[i])) != NULL, "%s", formulas[i].id);
	}
	outcome_release(&o);
}

Test(calc, command_prints_the_whole_story)
{
	struct calc_outcome o = RUN("kv_cache_bytes", "layers=80", "kv_heads=8");
	static const char *const lines[] = {
		"KV cache (kv_cache_bytes F8.1)\n",
		"Source: ",
		"2 x layers x kv_heads x head_dim x tokens x bytes_per_value\n",
		"2 x 80 layers x 8 KV heads x 128 head dim x 8,192 tokens x 2 B = 2.68 GB\n",
		"2.68 GB  (2,684,354,560 B)\n",
		"3 of 5 parameters were not given and stayed at the example.\n",
	};

	cr_expect(o.status == 0);
	cr_expect_str_eq(o.err, "");
	for (size_t i = 0; i < COUNT(lines); i++)
		cr_expect(strstr(o.out, lines[i]) != NULL, "%s in %s", lines[i], o.out);
	outcome_release(&o);
}

/* An MFU that nobody gave is not left without a word on where to find it; one that is given is. */
Test(calc, an_mfu_is_asked_of_a_simulation)
{
	struct calc_outcome left = RUN("training_time", "gpus=64"),
			    given = RUN("training_time", "utilisation=0.5"),
			    other = RUN("kv_cache_bytes", "layers=80");
	cr_expect(strstr(left.out, "`ridge sim parallelism model=... gpu=... gpus=...`") != NULL);
	cr_expect(strstr(given.out, "ridge sim") == NULL);
	cr_expect(strstr(other.out, "ridge sim") == NULL);
	outcome_release(&left);
	outcome_release(&given);
	outcome_release(&other);
}

/* Reads what the command wrote; NULL unless it is one JSON text. */
static cJSON *read_json(const char *text)
{
	return cJSON_ParseWithOpts(text, NULL, true);
}

static const char *json_text(const cJSON *obj, const char *name)
{
	const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(obj, name));
	return s ? s : "(none)";
}

static double json_number(const cJSON *obj, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(obj, name);
	return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

Test(calc, command_writes_json)
{
	struct calc_outcome o = RUN("kv_cache_bytes", "layers=80", "kv_heads=8", "--json");
	cJSON *root = read_json(o.out), *params, *examples;

	cr_expect(o.status == 0);
	cr_assert(root != NULL, "%s", o.out);
	cr_expect(json_number(root, "schema") == 1);
	cr_expect_str_eq(json_text(root, "formula"), "kv_cache_bytes");
	cr_expect(json_number(root, "value") == 2684354560.);
	cr_expect_str_eq(json_text(root, "unit"), "B");
	cr_expect_str_eq(json_text(root, "symbols"),
		"2 × layers × kv_heads × head_dim × tokens × bytes_per_value");
	cr_expect_str_eq(json_text(root, "working"),
		"2 × 80 layers × 8 KV heads × 128 head dim × 8,192 tokens × 2 B = 2.68 GB");
	params = cJSON_GetObjectItemCaseSensitive(root, "parameters");
	cr_expect(cJSON_GetArraySize(params) == 5);
	cr_expect(json_number(params, "layers") == 80);
	cr_expect(json_number(params, "tokens") == 8192);
	examples = cJSON_GetObjectItemCaseSensitive(root, "examples");
	cr_expect(cJSON_GetArraySize(examples) == 3);
	cJSON_Delete(root);
	outcome_release(&o);
}

Test(calc, infinity_is_null_in_json)
{
	struct calc_outcome o = RUN("mm1_sojourn_mean", "rho=1", "--json");
	cJSON *root = read_json(o.out);

	cr_expect(o.status == 0);
	cr_assert(root != NULL, "%s", o.out);
	cr_expect(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(root, "value")));
	cr_expect_str_eq(json_text(root, "note"), "infinite");
	cJSON_Delete(root);
	outcome_release(&o);
}

Test(calc, the_list_in_json_has_every_row)
{
	struct calc_outcome o = RUN("--json");
	cJSON *root = read_json(o.out);

	cr_assert(root != NULL);
	int n = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(root, "formulas"));
	cr_expect(n == (int)n_formulas);
	cJSON_Delete(root);
	outcome_release(&o);
}

Test(calc, command_knows_models_and_gpus)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	struct calc_outcome o = RUN("decode_step_time", "model=llama3-70b", "gpu=h100", "--json");
	cJSON *root = read_json(o.out), *params;

	cr_assert(root != NULL, "%s%s", o.out, o.err);
	params = cJSON_GetObjectItemCaseSensitive(root, "parameters");
	cr_expect(epsilon_eq(dbl, json_number(params, "bandwidth"), 3.35e12, 0));
	cr_expect(epsilon_eq(dbl, json_number(root, "value"), 0.042, 0.001)); /* 141 GB */
	cJSON_Delete(root);
	outcome_release(&o);
}

Test(calc, command_helps)
{
	struct calc_outcome o = RUN("--help"), row = RUN("mm1_sojourn_mean", "--help");

	cr_expect(o.status == 0 && strstr(o.out, "usage: ridge calc") != NULL);
	cr_expect(row.status == 0 && strstr(row.out, "utilisation") != NULL);
	cr_expect(strstr(row.out, "0 to 1") != NULL, "%s", row.out);
	outcome_release(&o);
	outcome_release(&row);
}

/* Status 2, one line on the second stream, nothing on the first. */
Test(calc, command_refuses)
{
	static const struct {
		const char *words[4];
		const char *message;
	} rows[] = {
		{ { "calc", "kv_cache" }, "did you mean \"kv_cache_bytes\"?" },
		{ { "calc", "kv_cache", "--help" }, "did you mean \"kv_cache_bytes\"?" },
		{ { "calc", "kv_cache_bytes", "--jsn" }, "did you mean \"--json\"?" },
		{ { "calc", "kv_cache_bytes", "layer=3" }, "did you mean \"layers\"?" },
		{ { "calc", "kv_cache_bytes", "layers=0", "--json" },
			"layers must be 1 to 10,000" },
		{ { "calc", "kv_cache_bytes", "gpu=nonesuch" }, "unknown gpu \"nonesuch\"" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t n = 0;
		while (n < 4 && rows[i].words[n])
			n++;
		struct calc_outcome o = run(n, rows[i].words);
		cr_expect(o.status == 2, "row %zu: %d", i, o.status);
		cr_expect_str_eq(o.out, "");
		cr_expect(strncmp(o.err, "ridge calc: ", 12) == 0, "%s", o.err);
		cr_expect(strstr(o.err, rows[i].message) != NULL, "%s", o.err);
		cr_expect(strchr(o.err, '\n') == o.err + strlen(o.err) - 1, "%s", o.err);
		outcome_release(&o);
	}
}

/* 80 / 3,350 s are 23.8806 ms; $2 for 16 cards and 24 h are 768. What cannot be read is refused as ever. */
Test(calc, arithmetic_is_worked_out)
{
	struct calc_outcome o = RUN("80 GB / 3.35 TB/s");
	cr_expect_str_eq(o.out, "80 GB / 3.35 TB/s = 23.8806 ms\n");
	outcome_release(&o);
	o = RUN("sqrt(16)"); /* a function is no formula */
	cr_expect_str_eq(o.out, "sqrt(16) = 4\n");
	outcome_release(&o);
	o = RUN("sqrt", "(9 m * 4 m)");
	cr_expect_str_eq(o.out, "sqrt (9 m * 4 m) = 6 m\n");
	outcome_release(&o);
	o = RUN("16", "x", "24", "x", "$2");
	cr_expect_str_eq(o.out, "16 x 24 x $2 = $768\n");
	outcome_release(&o);
	o = RUN("16 x 24 x $2", "=");
	cr_expect_str_eq(o.out, "16 x 24 x $2 = $768\n");
	outcome_release(&o);
	o = RUN("2 GB + 3 s");
	cr_expect(o.status == 2);
	cr_expect(strstr(o.err, "ridge calc: cannot add bytes and seconds") == o.err, "%s", o.err);
	outcome_release(&o);
	o = RUN("2 x 8 GB =", "--json");
	cJSON *json = read_json(o.out);
	cr_expect_str_eq(json_text(json, "result"), "16 GB");
	cr_expect(strstr(o.out, "\"2 x 8 GB\"") != NULL, "%s", o.out);
	cJSON_Delete(json);
	outcome_release(&o);
}

Test(calc, a_full_disk_is_told)
{
	char *argv[] = { "calc", "ridge_point", NULL };
	FILE *full = fopen("/dev/full", "w"), *err = tmpfile();

	cr_assert(full != NULL && err != NULL);
	/* What to say of it is said once, for all commands, by main. */
	cr_expect(command_run(2, argv, &(struct streams){ stdin, full, err }) == 1);
	fclose(full);
	fclose(err);
}
