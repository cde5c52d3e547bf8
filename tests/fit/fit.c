/* `make fit`: the constants anew, whether they are those of the tree, and how far the models are
 * off: on the rows that they were fitted on; on a fifth of the rows, then of the shapes, that the
 * fit did not see; and on a GPU that it did not see, which then has what the other GPUs have in
 * common. The folder of the measurements is the argument; 0 where every constant is as in the tree,
 * 1 where one is not, 2 where there is nothing to read. */
#include "tests/fit/fit.h"
#include "sims/base/stats.h"
#include "sims/tables/tables.h"
#include "tests/fit/steps.h"
#include "tests/fit/trials.h"
#include "ui/data/composed_models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows whose errors are summed up together, by how their names begin. */
enum { MOST_NAME = 64 };
static const char *const series[] = { "gemm ", "gemm bfloat16", "gemm fp8 ", "gemm fp8_block",
	"gemm nvfp4", "gemm sq", "gemm int8_wo", "gemm int4_wo", "attention_prefill over 1 MB",
	"attention_prefill up to 1 MB", "attention_decode over 1 MB", "attention_decode up to 1 MB",
	"linear ", "linear emb", "linear input_layernorm", "linear post_attention_layernorm",
	"linear attn_rope", "linear mlp_act", "linear add", "linear attn_pre_proj",
	"linear attn_post_proj", "linear mlp_up_proj", "linear mlp_down_proj" };

static void name_row(const struct row *r, char name[MOST_NAME])
{
	const char *size = row_kv_bytes(r) > 1e6 ? "over" : "up to";
	switch (r->kind) {
	case GEMM:
		snprintf(name, MOST_NAME, "gemm %s ", fit_formats[r->format]);
		break;
	case PREFILL:
		snprintf(name, MOST_NAME, "attention_prefill %s 1 MB", size);
		break;
	case DECODE:
		snprintf(name, MOST_NAME, "attention_decode %s 1 MB", size);
		break;
	default:
		snprintf(name, MOST_NAME, "linear %s", r->op);
	}
}

/* Everything at once, for arrays that are too large for the stack. */
struct work {
	struct row row[MOST_ROWS];
	const struct row *space[MOST_ROWS];
	double predicted_s[N_HELD][MOST_ROWS], error[MOST_ROWS], size[MOST_ROWS];
};

static size_t errors_of(
	struct work *work, const struct rows *rows, enum held h, const char *begins, size_t gpu)
{
	size_t n = 0;
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *r = &rows->row[i];
		char name[MOST_NAME];
		name_row(r, name);
		if ((gpu < N_GPUS && r->gpu != gpu) || strncmp(name, begins, strlen(begins)) != 0)
			continue;
		work->error[n] = work->predicted_s[h][i] / r->time_s - 1;
		work->size[n] = fabs(work->error[n]);
		n++;
	}
	sort_ascending(work->error, n);
	sort_ascending(work->size, n);
	return n;
}

static void print_errors(struct work *work, const struct rows *rows)
{
	printf("\nerrors in %%: median, P90, bias\n%-32s      %-20s%-20s%-20s%s\n", "", "fitted",
		"rows held out", "shapes held out", "GPU held out");
	for (size_t s = 0; s < COUNT(series); s++)
		for (size_t g = 0; g <= N_GPUS; g++) { /* the last: all of them */
			if (errors_of(work, rows, NOTHING, series[s], g) == 0)
				continue;
			printf("%-32s %-4s", series[s], g < N_GPUS ? fit_gpus[g] : "all");
			for (enum held h = NOTHING; h < N_HELD; h++) {
				size_t n = errors_of(work, rows, h, series[s], g);
				printf("  %5.1f %5.1f %+5.1f",
					100 * quantile_sorted(work->size, n, 0.5),
					100 * quantile_sorted(work->size, n, 0.9),
					100 * quantile_sorted(work->error, n, 0.5));
			}
			printf("\n");
		}
}

/* Fits without what is held out, and predicts that; all rows where nothing is. */
static void fit_and_predict(
	struct work *work, const struct rows *rows, struct fit_world *w, struct holdout h)
{
	world_fit(w, rows, h, work->space);
	for (size_t i = 0; i < rows->n; i++)
		if (h.what == NOTHING || row_is_held(&rows->row[i], h))
			work->predicted_s[h.what][i] = world_predict_s(w, &rows->row[i]);
}

static int read_world(struct fit_world *w, struct tables *t)
{
	char err[200] = "", *hardware = file_read("content/hardware.json");
	char *models = file_read("content/models.json");
	int rc = -1;
	if (!hardware || !models ||
		tables_add_hardware(t, hardware, "hardware.json", err, sizeof err) != 0 ||
		tables_add_models(t, models, "models.json", err, sizeof err) != 0 ||
		composed_models_load(t, err, sizeof err) != 0)
		goto out;
	*w = (struct fit_world){ .engine = eager_engine, .model = model_find(t, "llama2-7b") };
	for (size_t i = 0; i < N_GPUS; i++)
		w->gpus[i] = *gpu_find(t, fit_gpus[i]);
	for (size_t i = 0; i < N_FORMATS; i++)
		w->formats[i] = *gemm_format_find(fit_formats[i]);
	rc = 0;
out:
	if (*err)
		fprintf(stderr, "fit: %s\n", err);
	free(hardware);
	free(models);
	return rc;
}

int main(int argc, char **argv)
{
	struct tables t = { 0 };
	struct fit_world tree, fitted;
	struct work *work = malloc(sizeof *work);
	struct rows rows = { work ? work->row : NULL, 0 };
	const char *folder = argc > 1 ? argv[1] : "content/measured";
	int rc = 2;
	if (!work || rows_read(&rows, folder) != 0 || read_world(&tree, &t) != 0)
		goto out;

	fitted = tree;
	fit_and_predict(work, &rows, &fitted, (struct holdout){ NOTHING, 0 });
	int differ = world_compare(&fitted, &tree);
	for (enum held h = ROWS_OUT; h < N_HELD; h++)
		for (size_t i = 0; i < (h == GPU_OUT ? N_GPUS : FOLDS); i++) {
			struct fit_world held_out = tree;
			fit_and_predict(work, &rows, &held_out, (struct holdout){ h, i });
		}
	print_errors(work, &rows);
	printf("\nmodels with constants of their own: error in %% of each mark\n");
	if (steps_fit(&t, folder, &differ) != 0 || trials_fit(&t, folder, &differ) != 0)
		goto out;
	if (differ)
		printf("\n%d constants differ from those in the tree\n", differ);
	else
		printf("\nevery constant is equal to that in the tree\n");
	rc = differ ? 1 : 0;
out:
	free(work);
	tables_release(&t);
	return rc;
}
