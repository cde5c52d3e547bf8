/* Fits the constants of the kernel models on published timings (`make fit`): those of a GPU, which
 * stand under "achieved" in content/hardware.json, those of a product's format in
 * sims/gpu/kernel.c, and those of an eager engine in sims/gpu/linear_ops.c. */
#ifndef RIDGE_FIT_H
#define RIDGE_FIT_H

#include "sims/gpu/kernel.h"
#include "sims/gpu/linear_ops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

enum { N_GPUS = 3, N_FORMATS = 8, FOLDS = 5 };
extern const char *const fit_gpus[N_GPUS];
extern const char *const fit_formats[N_FORMATS];

/* --- What was measured (rows.c) --- */

enum kind { GEMM, PREFILL, DECODE, PRODUCTS, ROWS }; /* the last two: of a layer's own kernels */
struct row {
	enum kind kind;
	size_t gpu, format; /* of fit_gpus, fit_formats */
	const char *op;     /* of linear_op_ids */
	double v[5];        /* m, n, k; heads, KV heads, head size, batch, length; tp, tokens */
	double time_s;
	uint32_t row_fold, shape_fold; /* below FOLDS */
};
enum { MOST_ROWS = 20000 };
struct rows {
	struct row *row; /* room for MOST_ROWS */
	size_t n;
};

/* The files of content/measured/ that the models predict, in any folder. 0, or -1 and a line on
 * stderr. Rows of GPUs and formats that are not fitted are passed over. */
int rows_read(struct rows *rows, const char *folder);
/* A whole file, which the caller frees; NULL and a line on stderr. */
char *file_read(const char *path);
/* Bytes of keys and values of an attention row. */
double row_kv_bytes(const struct row *r);

/* --- Constants (constants.c) --- */

/* Everything that the fit changes, and what it needs besides. */
struct fit_world {
	struct accelerator gpus[N_GPUS];
	struct gemm_format formats[N_FORMATS];
	struct eager_engine engine;
	const struct model *model;
};
double world_predict_s(const struct fit_world *w, const struct row *r);

enum held { NOTHING, ROWS_OUT, SHAPES_OUT, GPU_OUT, N_HELD };
struct holdout {
	enum held what;
	size_t which; /* fold, or GPU */
};
bool row_is_held(const struct row *r, struct holdout h);

/* Fits every constant of *w on the rows that are not held out. A GPU that is has the geometric mean
 * of the others' constants. `space` has room for as many rows. The method: constants in groups
 * that have rows of their own, one group after the other; in a group one constant after the other,
 * up or down by a factor that shrinks from 1.4 to 1.005, as long as the mean of
 * |log(model / measured)| falls; then rounded to three digits. It starts from values of its own,
 * never from what *w holds. Rows that a GPU's memory cannot deliver in the time published are left
 * out of the fit (not of the errors). */
void world_fit(
	struct fit_world *w, const struct rows *rows, struct holdout h, const struct row **space);

/* Prints the constants as they stand in the tree; how many differ from it. */
int world_compare(const struct fit_world *fitted, const struct fit_world *tree);

#endif
