/* Models against measurements: statistics worked by hand on tiny tables, names as benchmarks write
 * them, what is left out, and every model on what travels with ridge. */
#include "tests/settings.h"

#include "sims/comparisons/comparisons.h"
#include "sims/comparisons/training_runs.h"
#include "sims/published/measured.h"
#include "sims/published/names.h"
#include "sims/published/validation_figure.h"
#include "sims/comparisons/mlperf.h"

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

TestSuite(validate, .init = load, .fini = release);

/* With constants of its own, or NULL. */
static int validate_with(struct validation *v, const char *model, const double constants[],
	const char *text, char err[static 300])
{
	const struct measured_input in = { "f.csv", text, strlen(text) };
	*v = (struct validation){ .constants = constants };
	*err = '\0';
	return measured_validate(v, measured_model_find(model), &tables, &in, 1, err, 300);
}

static int validate(struct validation *v, const char *model, const char *text, char err[static 300])
{
	return validate_with(v, model, NULL, text, err);
}

static void check(struct validation *v, const char *model, const char *text)
{
	char err[300];
	cr_assert(zero(int, validate(v, model, text, err)), "%s: %s", model, err);
}

/* A server that takes 18 us a request between batches. */
static void check_queue(struct validation *v, const char *text)
{
	static const double constants[] = { 18e-6, 0.08 };
	char err[300];
	cr_assert(eq(sz, measured_model_find("queueing")->n_constants, COUNT(constants)));
	cr_assert(zero(int, validate_with(v, "queueing", constants, text, err)), "%s", err);
}

static const struct measured_verdict *verdict(const struct validation *v, const char *text)
{
	for (size_t i = 0; i < v->n_verdicts; i++)
		if (strcmp(v->verdicts[i].text, text) == 0)
			return &v->verdicts[i];
	cr_fatal("no mark \"%s\"", text);
	return NULL;
}

/* Alone 10, at best 2: 8 are prepared beside 2 of everything else, so that w workers take
 * max(8 / w, 2) of 10: 0.8, 0.4, 0.2, 0.2. Measured 0.8, 0.5, 0.2, 0.25: errors 0, -0.2, 0, -0.2.
 * Sizes in order 0 0 0.2 0.2: median 0.1; P90 lies at 2.7: 0.2. With signs -0.2 -0.2 0 0: -0.1. */
Test(validate, statistics_of_a_tiny_table)
{
	struct validation v;
	check(&v, "loader", "avg_time,num_workers\n10,0\n8,1\n5,2\n2,4\n2.5,8\nbad,9\n-1,10\n");
	cr_expect(eq(sz, v.read, 7));
	cr_expect(eq(sz, v.rows, 4));
	cr_expect(eq(sz, v.faults.n, 3));
	cr_expect(eq(sz, v.set_aside, 1));
	cr_expect(epsilon_eq(dbl, v.errors.median, 0.1, 1e-12));
	cr_expect(epsilon_eq(dbl, v.errors.p90, 0.2, 1e-12));
	cr_expect(epsilon_eq(dbl, v.errors.bias, -0.1, 1e-12));
	cr_assert(eq(sz, v.n_worst, 4));
	cr_expect(epsilon_eq(dbl, fabs(prediction_error(&v, v.worst[0])), 0.2, 1e-12));
	cr_expect(epsilon_eq(dbl, fabs(prediction_error(&v, v.worst[3])), 0, 1e-12));
	cr_expect(eq(sz, prediction_line(&v, v.worst[0]), 4));
	cr_expect(verdict(&v, "saturates at the right worker count")->met);
	validation_release(&v);
}

Test(validate, loader_needs_the_run_without_workers)
{
	struct validation v;
	check(&v, "loader", "num_workers,avg_time\n1,8\n2,5\n");
	cr_expect(zero(sz, v.rows));
	cr_expect(eq(sz, v.faults.n, 2));
	cr_expect(isnan(v.errors.median));
	cr_expect(zero(sz, v.n_verdicts));
	validation_release(&v);
}

#define QUEUE_HEAD                                                                                 \
	"config,request_batch,concurrency,inferences_per_s,client_send_ms,network_ms,"             \
	"server_queue_ms,compute_input_ms,compute_infer_ms,compute_output_ms,p50_ms,avg_ms\n"

/* Batches take turns, 18 us a request between them. Served in 12 ms and 8 elsewhere, two clients
 * and two: a turn is 2 x (12 + 0.036), less 20. Nothing elsewhere: 2 x 10.036 - 10. Alone: what is
 * between. Two at most of 8 (190 /s x 10 ms): four batches, 4 x 10.036 - 14. Twice as long
 * elsewhere as a batch, and half one more: each is back during the third, 4 x (10 + 0.018 x 8 / 4)
 * - 35. The last spends 500 / 10.018 + 0.5 services elsewhere, so that its two clients seldom meet:
 * it pays one such part of 1.5 x 10.018 - 10 - 0.018 ms, and 18 us. 4 clients at 160 /s are 25 ms
 * each: Little. */
Test(validate, wait_of_a_batching_server)
{
	static const struct {
		double wait_ms, spent_ms;
	} rows[] = { { 4.072, 20 }, { 10.072, 10 }, { 0.018, 20 }, { 26.144, 14 }, { 5.144, 35 },
		{ 0.018 + 5.009 / (500 / 10.018 + 0.5), 510 } };
	struct validation v;
	check_queue(&v, QUEUE_HEAD "\"a, b\",1,4,160,1,7,5,1,10,1,25,25\n"
				   "c,1,4,160,0,0,5,0,10,0,25,25\n"
				   "d,1,1,40,1,7,5,1,10,1,25,25\n"
				   "e,1,8,190,0,4,5,1,8,1,42.1,42.1\n"
				   "f,1,8,190,0,25,5,1,8,1,42.1,42.1\n"
				   "g,1,2,3.92,0,500,5,1,8,1,510,510\n");
	cr_assert(eq(sz, v.n, 2 * COUNT(rows)));
	cr_expect(eq(sz, v.rows, COUNT(rows)));
	for (size_t i = 0; i < COUNT(rows); i++) {
		cr_expect(epsilon_eq(dbl, v.predictions[2 * i].predicted, rows[i].wait_ms, 1e-6),
			"%zu", i);
		cr_expect(epsilon_eq(dbl, v.predictions[2 * i + 1].predicted,
			rows[i].spent_ms + rows[i].wait_ms, 1e-6));
	}
	cr_expect(verdict(&v, "Little's law within 1 %")->met);
	validation_release(&v);
	check_queue(&v, QUEUE_HEAD "a,1,4,170,1,7,5,1,10,1,25,25\n");
	cr_expect(not(verdict(&v, "Little's law within 1 %")->met));
	validation_release(&v);
}

/* A hundred servers of the limit 2, as row e above, and one of the limit 8 (720 /s x 10 ms), which
 * is not the same as theirs: its batches of four take turns, 2 x (10 + 0.018 x 4) - 14. The names
 * differ only in how they end. */
Test(validate, each_configuration_is_a_server)
{
	static const int widths[] = { 1, 100 };
	enum { SERVERS = 100 };
	struct validation v;
	for (size_t w = 0; w < COUNT(widths); w++) {
		char text[(SERVERS + 2) * 160], *end = text + sprintf(text, "%s", QUEUE_HEAD);
		for (int i = 0; i <= SERVERS; i++)
			end += sprintf(end, "%0*d,1,8,%d,0,4,5,1,8,1,42.1,42.1\n", widths[w], i,
				i < SERVERS ? 190 : 720);
		check_queue(&v, text);
		cr_assert(eq(sz, v.n, 2 * (SERVERS + 1)));
		for (size_t i = 0; i < SERVERS; i++)
			cr_expect(epsilon_eq(dbl, v.predictions[2 * i].predicted, 26.144, 1e-6),
				"%zu of %d", i, widths[w]);
		cr_expect(epsilon_eq(dbl, v.predictions[2 * SERVERS].predicted, 6.144, 1e-6));
		validation_release(&v);
	}
}

/* Row e of above beside a server of the same name and another model, which serves up to 16. */
Test(validate, each_model_has_a_server)
{
	struct validation v;
	check_queue(&v, "model," QUEUE_HEAD "ResNet-50,e,1,8,190,0,4,5,1,8,1,42.1,42.1\n"
			"BERT-large,e,1,64,1600,0,4,5,1,8,1,40,40\n");
	cr_assert(eq(sz, v.n, 4));
	cr_expect(epsilon_eq(dbl, v.predictions[0].predicted, 26.144, 1e-6));
	validation_release(&v);
}

/* The last prompt is said to find 9 blocks, but no earlier one has more than 4. */
Test(validate, prefixes_are_replayed)
{
	static const double share[] = { 0, 2. / 3, 3. / 4, 1, 4. / 10 };
	struct validation v;
	check(&v, "prefix_cache",
		"prompt_tokens,blocks_512,leading_blocks_seen_before\n"
		"1024,2,0\n1536,3,2\n2048,4,3\n512,1,1\n5120,10,9\n100,1,2\n");
	cr_assert(eq(sz, v.n, 5));
	cr_expect(eq(sz, v.faults.n, 1));
	for (size_t i = 0; i < 5; i++)
		cr_expect(epsilon_eq(dbl, v.predictions[i].predicted, share[i], 1e-12), "%zu", i);
	/* Found 0 + 2 + 3 + 1 + 4 of 20; said 15: 25 points. */
	cr_expect(epsilon_eq(dbl, v.values[0].value, 50, 1e-9));
	cr_expect(epsilon_eq(dbl, v.values[1].value, 75, 1e-9));
	cr_expect(not(verdict(&v, "share of all blocks within 2 points")->met));
	cr_expect(epsilon_eq(dbl, prediction_error(&v, v.worst[0]), -0.5, 1e-12));
	validation_release(&v);
}

/* Three runs have 8 GPUs: the one of median rate is the anchor, the others are as large as it. That
 * leaves one run of 64, in units of the anchor's rate per GPU: 160,000 / 64 over 26,000 / 8 =
 * 0.7692. */
Test(validate, scaling_is_relative_to_the_smallest_run)
{
	struct validation v;
	check(&v, "scaling",
		"round,benchmark,accelerator,n_accel,global_batch,logged_throughput\n"
		"v2.1,resnet,NVIDIA A100-SXM4-80GB,8,3264,26000\n"
		"v2.1,resnet,NVIDIA A100-SXM4-80GB,64,3264,160000\n"
		"v2.1,resnet,NVIDIA A100-SXM4-80GB,8,3264,25000\n"
		"v2.1,resnet,NVIDIA A100-SXM4-80GB,8,3264,27000\n"
		"v3.1,resnet,NVIDIA A100-SXM4-80GB,64,3264,160000\n"
		"v2.1,resnet,NVIDIA A100-SXM4-80GB,16,3264,\n"
		"v2.1,chess,NVIDIA A100-SXM4-80GB,16,3264,1\n"
		"v2.1,gpt3,NVIDIA A100-SXM4-80GB,16,3264,1\n"
		"v2.1,resnet,Ascend910,16,3264,1\n"
		"v2.1,resnet,NVIDIA A100-SXM4-80GB,16,16|32,1\n");
	cr_assert(eq(sz, v.n, 1));
	cr_expect(eq(sz, v.read, 10));
	cr_expect(eq(sz, v.faults.n, 9));
	cr_expect(eq(sz, v.set_aside, 5));
	cr_expect(epsilon_eq(dbl, v.predictions[0].measured, 160000. / 64 / (26000. / 8), 1e-12));
	cr_expect(lt(dbl, 0.5, v.predictions[0].predicted));
	cr_expect(lt(dbl, v.predictions[0].predicted, 1));
	validation_release(&v);
}

static double predicted(const char *rows, double *measured)
{
	struct validation v;
	char text[600];
	snprintf(text, sizeof text,
		"round,benchmark,accelerator,n_accel,global_batch,logged_throughput\n%s", rows);
	check(&v, "scaling", text);
	cr_assert(eq(sz, v.n, 1), "%s", rows);
	double p = v.predictions[0].predicted;
	*measured = v.predictions[0].measured;
	validation_release(&v);
	return p;
}

/* 64 GPUs of GB200 share a rack's links, of B200 go through cards of 50 GB/s, of B300 of 100. */
Test(validate, scaling_knows_machines)
{
	static const char *const gpus[] = { "NVIDIA GB200", "NVIDIA B300-SXM-270GB",
		"NVIDIA B200-SXM-180GB" };
	double p[COUNT(gpus)], measured;
	for (size_t i = 0; i < COUNT(gpus); i++) {
		char rows[300];
		snprintf(rows, sizeof rows,
			"v9.0,dlrm_dcnv2,%s,8,55296,20000000\n"
			"v9.0,dlrm_dcnv2,%s,64,135168,80000000\n",
			gpus[i], gpus[i]);
		p[i] = predicted(rows, &measured);
		cr_expect(epsilon_eq(dbl, measured, 0.5, 1e-12));
	}
	cr_expect(lt(dbl, p[1], p[0]));
	cr_expect(lt(dbl, p[2], p[1]));
}

/* 3 sequences of 8,192 tokens a second are 24,576 tokens; 8 H100 cannot do as many sequences. */
Test(validate, scaling_reads_tokens_and_sequences)
{
	static const char *const rows[] = {
		"v9.0,llama2_70b_lora,NVIDIA H100-SXM5-80GB,8,8,3\n"
		"v9.0,llama2_70b_lora,NVIDIA H100-SXM5-80GB,64,64,20\n",
		"v9.0,llama2_70b_lora,NVIDIA H100-SXM5-80GB,8,8,24576\n"
		"v9.0,llama2_70b_lora,NVIDIA H100-SXM5-80GB,64,64,163840\n",
	};
	double p[2], measured[2];
	for (size_t i = 0; i < 2; i++)
		p[i] = predicted(rows[i], &measured[i]);
	cr_expect(epsilon_eq(dbl, measured[0], 20. / 24, 1e-12));
	cr_expect(epsilon_eq(dbl, measured[1], 20. / 24, 1e-12));
	cr_expect(epsilon_eq(dbl, p[0], p[1], 1e-9));
}

/* A copy takes 6 B x 402.7e9 / 8 stages = 302 GB in halves of memory: 8 x 40, 4 x 90; and 2 GPUs
 * share a sequence. 138 GB of frozen weights: 4 x 40. */
Test(validate, scaling_shares_models)
{
	static const struct {
		const char *benchmark, *gpu;
		double least;
	} rows[] = {
		{ "llama31_405b", "NVIDIA H100-SXM5-80GB", 128 },
		{ "llama31_405b", "NVIDIA B200-SXM-180GB", 64 },
		{ "llama2_70b_lora", "NVIDIA H100-SXM5-80GB", 4 },
		{ "llama2_70b_lora", "NVIDIA GB300", 1 },
		{ "gpt3", "NVIDIA H100-SXM5-80GB", 32 },
		{ "llama31_8b", "NVIDIA H100-SXM5-80GB", 1 },
		{ "flux1", "NVIDIA B200-SXM-180GB", 1 },
		{ "gnn", "NVIDIA H200-SXM5-141GB", 1 },
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(eq(dbl,
				  mlperf_least_gpus(mlperf_benchmark(rows[i].benchmark),
					  measured_gpu(&tables, rows[i].gpu)),
				  rows[i].least),
			"row %zu", i);
	cr_expect(eq(ptr, (void *)mlperf_benchmark("minigo"), NULL));
}

Test(validate, unknown_names_are_left_out_with_the_nearest)
{
	static const struct {
		const char *row, *reason;
	} rows[] = {
		{ "H10,bfloat16,1,1,1,1", "gpu: unknown GPU \"H10\"; did you mean \"h100\"?" },
		{ "zzzzzz,bfloat16,1,1,1,1", "gpu: unknown GPU \"zzzzzz\"" },
		{ "H100,bf17,1,1,1,1", "dtype: expected bfloat16, fp8, fp8_block, nvfp4, int8_wo, "
				       "int4_wo or sq, found \"bf17\"" },
		{ "H100,fp8,0,1,1,1", "m: expected 1 to 1e+09, found \"0\"" },
		{ "H100,fp8,1,1,1,nan", "time_us: expected a number, found \"nan\"" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct validation v;
		char text[200];
		snprintf(text, sizeof text, "gpu,dtype,m,n,k,time_us\n%s\n", rows[i].row);
		check(&v, "gemm", text);
		cr_expect(zero(sz, v.rows));
		cr_assert(eq(sz, v.faults.n, 1));
		cr_expect(eq(str, v.faults.reasons[0].text, (char *)rows[i].reason));
		validation_release(&v);
	}
}

/* Bad rows are not simulated: none is too many. */
Test(validate, more_rows_than_can_be_simulated)
{
	static const char *const lines[] = { "x,,,,\n", "PyTorch,V100,FP32,1,10\n" };
	enum { ROWS = 10001 };
	char *text = malloc(ROWS * 24 + 64), err[300];
	cr_assert(ne(ptr, text, NULL));
	for (size_t good = 0; good < 2; good++) {
		struct validation v;
		size_t n = (size_t)snprintf(text, 64, "framework,gpu,precision,batch,lat_avg_ms\n");
		for (int i = 0; i < ROWS; i++) {
			memcpy(text + n, lines[good], strlen(lines[good]) + 1);
			n += strlen(lines[good]);
		}
		cr_expect(eq(int, validate(&v, "batch_latency", text, err), good ? -1 : 0));
		cr_expect(eq(sz, v.faults.n, good ? 0 : ROWS));
		cr_expect(eq(str, err,
			(char *)(good ? "f.csv: expected 10000 rows at most, found 10001: each is "
					"a simulation"
				      : "")));
		validation_release(&v);
	}
	free(text);
}

/* What every model promises of every table. */
static void laws_of(const struct validation *v)
{
	const char *id = v->model->id;
	cr_expect(eq(sz, v->rows + v->faults.n, v->read), "%s", id);
	cr_expect(le(dbl, v->errors.median, v->errors.p90), "%s", id);
	cr_expect(le(dbl, fabs(v->errors.bias), v->errors.p90), "%s", id);
	size_t n = 0;
	for (size_t i = 0; i < v->n_groups; i++)
		n += v->groups[i].errors.n;
	cr_expect(eq(sz, n, v->n), "%s", id);
	for (size_t i = 0; i < v->n_worst; i++) {
		struct measured_words w = prediction_words(v, v->worst[i]);
		double error = fabs(prediction_error(v, v->worst[i]));
		cr_expect(w.what[0] && w.thought[0] && isfinite(error), "%s", id);
		if (i)
			cr_expect(le(dbl, error, fabs(prediction_error(v, v->worst[i - 1]))));
	}
}

Test(validate, every_model_on_what_travels_with_ridge)
{
	size_t with_data = 0;
	for (size_t i = 0; i < n_measured_models; i++) {
		const struct measured_model *m = measured_models[i];
		struct validation v;
		char err[300];
		cr_expect(measured_model_find(m->id) == m);
		if (measured_validate_own(&v, m, &tables, 0, err, sizeof err)) {
			cr_expect(ne(ptr, (void *)m->licence, NULL), "%s: %s", m->id, err);
		} else {
			struct figure fig = { 0 };
			with_data++;
			cr_expect(lt(sz, 0, v.rows), "%s", m->id);
			laws_of(&v);
			validation_figure(&v, true, &fig);
			cr_expect(not(fig.arena.failed));
			cr_expect(ne(ptr, (void *)figure_find(&fig, "median_error"), NULL));
			figure_release(&fig);
		}
		validation_release(&v);
	}
	cr_expect(eq(sz, n_measured_models, 16));
	cr_expect(eq(sz, with_data, 15));
}

Test(validate, thinned_tables_keep_their_rows)
{
	struct validation v;
	char err[300];
	const struct measured_model *m = measured_model_find("gemm");
	cr_assert(zero(int, measured_validate_own(&v, m, &tables, 100, err, sizeof err)));
	cr_expect(eq(sz, v.rows, 200 + 35)); /* two tables, and one of 35 rows */
	cr_expect(eq(u32, v.files[0].lines[0], 2));
	cr_expect(eq(u32, v.files[0].lines[1], 44)); /* 4,200 rows: each 42nd */
	validation_release(&v);
	m = measured_model_find("scaling");
	cr_assert(zero(int, measured_validate_own(&v, m, &tables, 10, err, sizeof err)));
	cr_expect(lt(sz, 100, v.rows)); /* its rows hang together */
	validation_release(&v);
}

Test(validate, summaries_and_points_for_simulations)
{
	char buf[120];
	double out[2 * 100];
	static const char *const want[] = { "m", "time_us" };
	const struct measured_condition near[] = { { "gpu", "h100", 0, 0 },
		{ "dtype", "bfloat16", 0, 0 }, { "n", NULL, 4096, 4096 },
		{ "k", NULL, 4096, 4096 } };
	cr_assert(measured_summary(NULL, &tables, "collectives", "large", 0, buf, sizeof buf));
	cr_expect(strncmp(buf, "model error: median ", 20) == 0, "%s", buf);
	cr_expect(strstr(buf, " points") != NULL);
	cr_expect(not(measured_summary(NULL, &tables, "loader", "", 0, buf, sizeof buf)));
	cr_expect(not(measured_summary(NULL, &tables, "nobody", "", 0, buf, sizeof buf)));
	size_t n = measured_points(NULL, &tables, "gemm", near, COUNT(near), want, 2, out, 100);
	/* 16 m of the main table, and all 74 of the sweep. */
	cr_expect(eq(sz, n, 90));
	for (size_t i = 0; i < n; i++)
		cr_expect(out[2 * i] >= 1 && out[2 * i + 1] > 5, "%g us at %g", out[2 * i + 1],
			out[2 * i]);
	cr_expect(eq(
		sz, measured_points(NULL, &tables, "gemm", near, COUNT(near), want, 2, out, 5), 5));
	const struct measured_condition none[] = { { "nothing", NULL, 0, 1 } };
	cr_expect(zero(sz, measured_points(NULL, &tables, "gemm", none, 1, want, 2, out, 100)));
}

/* A cell of two rates is a row of two recipes. Where one of them cannot be read, the row is left out and counted
 * once, and what follows the number is not passed over. */
Test(validate, a_row_of_two_recipes_is_read_whole_or_left_out)
{
	static const struct {
		const char *rate;
		size_t predictions;
	} rows[] = { { "4357", 1 }, { "4357 (3650)", 2 }, { "4357(", 0 }, { "4357 (n/a)", 0 },
		{ "(4357)", 0 }, { "4357x", 0 }, { "0", 0 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[400];
		struct validation v;
		snprintf(text, sizeof text,
			"model,system,n_gpus,precision,gbs,mbs,seq,fsdp,tp,pp,cp,vp,tokens_per_s_per_gpu,ep,"
			"container\nLLAMA3_70B,DGX-GB200,64,FP8,256,2,8192,64,1,1,1,n/a,%s,n/a,26.02.01\n"
			"LLAMA3_70B,DGX-GB200,64,FP8,256,2,8192,64,1,1,1,n/a,4357,n/a,26.02.01\n",
			rows[i].rate);
		check(&v, "training", text);
		cr_expect(eq(sz, v.n, rows[i].predictions + 1), "%s", rows[i].rate);
		cr_expect(eq(sz, v.rows, rows[i].predictions ? 2 : 1), "%s", rows[i].rate);
		cr_expect(eq(sz, v.faults.n, rows[i].predictions ? 0 : 1), "%s", rows[i].rate);
		validation_release(&v);
	}
}

/* torchtitan's tables 5 and 6 (2024): Llama 3.1 405B on 512 H100, which no constant was fitted on.
 * Degrees of a pipeline stand in the same cell as the others. */
Test(validate, throughput_of_published_pipelines)
{
	static const char text[] =
		"model,n_gpus,parallelism,local_batch,global_batch,seq_len,activation_ckpt,compile,"
		"float8,mbs,vp,tokens_per_s_per_gpu\n"
		"Llama 3.1 405B,512,FSDP8 TP8 PP8 asyncTP,32,256,,full AC,compile,float8,4,,100\n"
		"Llama 3.1 405B,512,FSDP8 TP8 PP8 asyncTP,32,256,,full AC,compile,float8,4,2,128\n"
		"Llama 3.1 405B,512,FSDP8 TP8 PP8 asyncTP,8,,32768,full AC,compile,float8,,,76\n"
		"Llama 3.1 405B,512,FSDP4 TP8 PP8 CP2,8,,65536,full AC,compile,float8,,,47\n"
		"Llama 3.1 405B,512,FSDP2 TP8 PP8 CP4,8,,131072,full AC,compile,float8,,,31\n"
		"Llama 3.1 405B,512,FSDP1 TP8 PP8 CP8,8,,262144,full AC,compile,float8,,,16\n";
	struct validation v;
	check(&v, "training", text);
	cr_assert(eq(sz, v.n, 6));
	for (size_t i = 0; i < v.n; i++)
		cr_expect(epsilon_eq(dbl, prediction_error(&v, &v.predictions[i]), 0, 0.15),
			"row %zu: %g", i, v.predictions[i].predicted);
	validation_release(&v);
}

/* The READMEs' own tables say neither batch nor accumulation: 65,536 sequences on 32 GPUs are 8 times
 * 256, and a lone V100 does an eighth of 16,384, 512 times 4. So they predict what rows that say it
 * all do. */
Test(validate, images_and_bert_as_their_readmes_have_them)
{
	static const char theirs[] =
		"model,framework,gpu,precision,n_gpus,n_nodes,throughput,unit,scaling_kind,note\n"
		"BERT-large pretraining seq128,PyTorch,A100-80GB,FP16-mixed,32,4,18119,seq/s,,\n"
		"BERT-large pretraining seq512,PyTorch,V100-32GB,FP32,1,1,19,seq/s,,\n"
		"BERT-large SQuAD fine-tune,PyTorch,A100-80GB,TF32,8,1,469.8,seq/s,,\n"
		"ResNet-50 v1.5,MXNet,V100-16GB,FP32,2,1,763,img/s,,\n"
		"ResNet-50 v1.5,PyTorch,H100,TF32,1,1,2000,img/s,,\n";
	static const char whole[] =
		"model,framework,gpu,precision,n_gpus,batch,accumulation,throughput\n"
		"BERT-large phase 1,PyTorch,A100-80GB,FP16,32,256,8,18119\n"
		"BERT-large phase 2,PyTorch,V100-32GB,FP32,1,4,512,19\n"
		"BERT-large SQuAD,PyTorch,A100-80GB,TF32,8,32,1,469.8\n"
		"ResNet-50,MXNet,V100-16GB,FP32,2,96,1,763\n";
	struct validation a, b;
	check(&a, "training", theirs);
	check(&b, "training", whole);
	cr_assert(eq(sz, a.n, 4));
	cr_assert(eq(sz, b.n, 4));
	for (size_t i = 0; i < a.n; i++)
		cr_expect(epsilon_eq(dbl, a.predictions[i].predicted, b.predictions[i].predicted,
				  1e-9 * b.predictions[i].predicted),
			"row %zu", i);
	/* What constants are fitted on are the same rows, each with its own shape and workload. */
	size_t n = 0, of_images = 0;
	const struct training_run *runs = training_runs(&a, &n);
	cr_assert(runs && n == a.n, "%zu", n);
	for (size_t i = 0; i < n; i++) {
		of_images += runs[i].images.workload != NULL;
		const bool own = runs[i].images.workload == &runs[i].workload;
		cr_expect(own || runs[i].images.workload == NULL, "row %zu", i);
		cr_expect(eq(dbl, runs[i].per_s, a.predictions[i].measured), "row %zu", i);
	}
	cr_expect(eq(sz, of_images, 1), "BERT is a transformer");
	cr_expect(eq(sz, a.faults.n, (size_t)1));
	cr_expect(
		strstr(a.faults.reasons[0].text, "batch") != NULL, "%s", a.faults.reasons[0].text);
	validation_release(&a);
	validation_release(&b);
}
