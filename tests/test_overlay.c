/* Measured points over the simulations: their numbers are the files', the error lines are what
 * `ridge validate` comes to, and where nothing was measured a sentence says so. */
#include "sims/comparisons/comparisons.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"
#include "tests/settings.h"
#include "ui/live/live.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct live view_of(const struct tables *t, const char *setting)
{
	struct live view;
	char err[320];
	cr_assert(zero(int, live_open_text(&view, t, setting, err, sizeof err)), "%s", err);
	return view;
}

static size_t measured_marks(const struct figure *fig)
{
	size_t n = 0;
	for (size_t b = 0; b < fig->n_blocks; b++)
		for (size_t i = 0;
			fig->blocks[b]->kind == BLOCK_PLOT && i < fig->blocks[b]->as.plot.n_series;
			i++) {
			const struct series *s = &fig->blocks[b]->as.plot.series[i];
			n += s->measured ? s->n : 0;
		}
	return n;
}

static const char *nearest(const struct figure *fig)
{
	for (size_t i = 0; i < fig->n_assumptions; i++)
		if (strncmp(fig->assumptions[i], "nearest measurement", 19) == 0)
			return fig->assumptions[i];
	return NULL;
}

/* Settings inside the data: points, a computed line, and who measured the nearest. */
static const struct {
	const char *setting, *model, *groups, *from;
	size_t most;
} inside[] = {
	{ "roofline gpu=a100 dtype=bf16", "gemm", "a100 bfloat16", "aiconfigurator", 400 },
	{ "roofline gpu=h100 dtype=fp8", "gemm", "h100 fp8", "aiconfigurator", 400 },
	{ "allreduce gpu=h100", "collectives", "", "aiconfigurator", 0 },
	{ "allreduce gpu=a100 gpus=4", "collectives", "", "aiconfigurator", 0 },
	{ "batching gpu=h100 prompt_tokens=1024", "serving", "tpot_ms", "aiconfigurator", 8 },
	{ "batching gpu=h100 arrivals=closed prompt_tokens=1024", "serving", "tpot_ms",
		"aiconfigurator", 8 },
	{ "speculative", "speculative", "", "Spec-Bench", 0 },
	{ "speculative times=engine gpu=a100 tp=1 model=llama2-7b draft=tinyllama-1.1b",
		"speculative", "", "Spec-Bench", 0 },
	{ "scaling gpu=a100 gpus=8 mode=weak", "scaling", "", "NVIDIA examples", 0 },
	{ "inference gpu=v100", "batch_latency", "", "Deep Learning Examples", 0 },
};

Test(overlay, inside_the_data)
{
	struct tables t = load_tables();
	for (size_t i = 0; i < COUNT(inside); i++) {
		char line[160] = "";
		struct live view = view_of(&t, inside[i].setting);
		const struct figure *fig = &view.figure;
		cr_assert(measured_summary(t.memo, &t, inside[i].model, inside[i].groups,
			inside[i].most, line, sizeof line));
		cr_expect(fig->accuracy && strncmp(fig->accuracy, line, strlen(line)) == 0,
			"%s: %s", inside[i].setting, fig->accuracy ? fig->accuracy : "none");
		cr_expect(lt(sz, 0, measured_marks(fig)), "%s", inside[i].setting);
		cr_assert(nearest(fig) != NULL, "%s", inside[i].setting);
		cr_expect(strstr(nearest(fig), inside[i].from) != NULL, "%s", nearest(fig));
		live_release(&view);
	}
	tables_release(&t);
}

Test(overlay, outside_the_data)
{
	static const char *const settings[] = { "roofline gpu=v100 dtype=fp16", "kvcache gpu=v100",
		"roofline gpu=a100 dtype=fp32", "allreduce gpu=a100 gpus=16", "allreduce gpu=v100",
		"allreduce links=ideal", "scaling gpu=b200", "flashattention gpu=v100",
		"flashattention causal=off", "flashattention block_q=1",
		"flashattention order=keys", "memory", "speculative times=engine",
		"speculative times=engine gpu=a100 batch=8", "batching",
		"batching gpu=h100 output_tokens=8", "batching gpu=h100 step=fixed",
		"inference gpu=a100", "inference gpu=v100 network=bert_large" };
	struct tables t = load_tables();
	for (size_t i = 0; i < COUNT(settings); i++) {
		struct live view = view_of(&t, settings[i]);
		const struct figure *fig = &view.figure;
		cr_expect(fig->accuracy && strncmp(fig->accuracy, "outside the data: ", 18) == 0,
			"%s: %s", settings[i], fig->accuracy ? fig->accuracy : "none");
		cr_expect(zero(sz, measured_marks(fig)), "%s", settings[i]);
		live_release(&view);
	}
	tables_release(&t);
}

/* Its points are of another kind of server, which the line on errors says: with a computed one. */
Test(overlay, queueing_is_another_kind)
{
	struct tables t = load_tables();
	struct live view = view_of(&t, "queueing");
	char line[160] = "";
	cr_assert(measured_summary(t.memo, &t, "queueing", "", 0, line, sizeof line));
	cr_expect(strncmp(view.figure.accuracy, "outside the data: ", 18) == 0);
	cr_expect(strstr(view.figure.accuracy, line) != NULL, "%s", view.figure.accuracy);
	cr_expect(eq(sz, measured_marks(&view.figure), 32)); /* all rows of queueing.csv */
	cr_expect(nearest(&view.figure) && strstr(nearest(&view.figure), "Deep Learning Examples"));
	live_release(&view);
	tables_release(&t);
}

/* Curves that no model of `ridge validate` is: their own errors, on their own points. */
Test(overlay, own_errors)
{
	static const char *const settings[] = { "flashattention gpu=a100",
		"flashattention gpu=h100" };
	struct tables t = load_tables();
	for (size_t i = 0; i < COUNT(settings); i++) {
		struct live view = view_of(&t, settings[i]);
		const struct figure *fig = &view.figure;
		char points[32];
		snprintf(points, sizeof points, "on %zu points", measured_marks(fig));
		cr_expect(lt(sz, 0, measured_marks(fig)), "%s", settings[i]);
		cr_expect(fig->accuracy && strstr(fig->accuracy, points), "%s: %s, %s", settings[i],
			fig->accuracy ? fig->accuracy : "none", points);
		cr_expect(nearest(fig) != NULL, "%s", settings[i]);
		live_release(&view);
	}
	tables_release(&t);
}

/* Errors 10, 20, 30, 40 and 50 %: the middle is 30, nine tenths lie within 46 (between the last
 * two). */
Test(overlay, own_error_by_hand)
{
	double errors[] = { 0.5, 0.1, 0.3, 0.2, 0.4 };
	const struct tables t = { .comparisons = measured_models,
		.n_comparisons = n_measured_models };
	struct figure fig = { 0 };
	overlay_own_error(&fig, &t, "gemm", errors, 0, "nothing");
	cr_expect(fig.accuracy == NULL);
	overlay_own_error(&fig, &t, "gemm", errors, COUNT(errors), "five");
	cr_expect(eq(str, (char *)fig.accuracy,
		"model error: median 30 %, 90 % within 46 % on 5 points (five; NVIDIA "
		"aiconfigurator)"));
	figure_release(&fig);
}

/* memory.csv: three runs of 8B on 8 GPUs with selective checkpoints, 76.8 to 82.4 GiB, as rules. */
Test(overlay, published_peaks)
{
	struct tables t = load_tables();
	struct live view =
		view_of(&t, "memory model=llama3-8b layer=actual precision=amp_autocast zero=3 "
			    "batch=2 seq=8192 checkpointing=selective gpu=h100 gpus=8");
	const double GiB = 1 << 30, want[] = { 76.8 * GiB / 1e9, 82.4 * GiB / 1e9 };
	const struct figure *fig = &view.figure;
	size_t found = 0;
	for (size_t i = 0; i < fig->blocks[0]->as.plot.n_rules; i++) {
		const struct rule *r = &fig->blocks[0]->as.plot.rules[i];
		if (strcmp(r->label, "measured") != 0)
			continue;
		cr_assert(lt(sz, found, COUNT(want)));
		cr_expect(epsilon_eq(dbl, r->at, want[found++], 1e-9));
	}
	cr_expect(eq(sz, found, COUNT(want)));
	cr_expect(strncmp(fig->accuracy, "model error: median", 19) == 0, "%s", fig->accuracy);
	cr_expect(nearest(fig) && strstr(nearest(fig), "torchtitan"));
	live_release(&view);
	tables_release(&t);
}

/* gemm.csv: A100, bfloat16, 2048 x 16384 x 4096 is the nearest to FFN up at batch 1 and 2,048. */
Test(overlay, the_nearest_is_the_files)
{
	static const struct measured_condition c[] = { { "gpu", "a100", 0, 0 },
		{ "dtype", "bfloat16", 0, 0 }, { "m", NULL, 2048, 2048 },
		{ "n", NULL, 16384, 16384 }, { "k", NULL, 4096, 4096 } };
	static const char *const want[] = { "time_us" };
	struct tables t = load_tables();
	double time_us = 0;
	char text[32];
	cr_assert(eq(sz, measured_points(t.memo, &t, "gemm", c, 5, want, 1, &time_us, 1), 1));
	struct live view = view_of(&t, "roofline gpu=a100 batch=1 seq=2048");
	snprintf(text, sizeof text, "%.2f ms;", time_us / 1e3);
	cr_expect(strstr(nearest(&view.figure), "2048 x 16384 x 4096") != NULL);
	cr_expect(
		strstr(nearest(&view.figure), text) != NULL, "%s: %s", text, nearest(&view.figure));
	live_release(&view);
	tables_release(&t);
}

/* With and without the memo, and asked twice: the same lines and rows. */
Test(overlay, the_memo_changes_nothing)
{
	static const struct measured_condition c[] = { { "gpu", "h100", 0, 0 },
		{ "op", "all_reduce", 0, 0 } };
	static const char *const want[] = { "bytes", "time_us" };
	struct tables t = load_tables();
	double one[400], two[400];
	char a[160], b[160];
	cr_assert(t.memo != NULL);
	for (int i = 0; i < 2; i++) {
		cr_expect(measured_summary(t.memo, &t, "collectives", "", 50, a, sizeof a));
		cr_expect(measured_summary(NULL, &t, "collectives", "", 50, b, sizeof b));
		cr_expect(eq(str, a, b));
		cr_expect(eq(int,
			measured_summary(t.memo, &t, "collectives", "nothing", 50, a, sizeof a),
			0));
		size_t n = measured_points(t.memo, &t, "collectives", c, 2, want, 2, one, 200);
		cr_assert(eq(
			sz, n, measured_points(NULL, &t, "collectives", c, 2, want, 2, two, 200)));
		cr_assert(lt(sz, 0, n));
		cr_expect(zero(int, memcmp(one, two, 2 * n * sizeof *one)));
		cr_expect(eq(
			sz, measured_points(t.memo, &t, "collectives", c, 2, want, 2, one, 3), 3));
	}
	tables_release(&t);
}
