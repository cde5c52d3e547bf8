/* GPUs and models as benchmarks write them, found in the tables. */
#ifndef RIDGE_NAMES_H
#define RIDGE_NAMES_H

#include "sims/published/validation.h"

/* The GPU or model that a cell names, by its id or as benchmarks write it ("NVIDIA A100-SXM4-80GB
 * (400W)", "h100_sxm", "meta-llama/Llama-2-7b-hf"). NULL, and the row left out with the nearest
 * name, where there is none. */
const struct accelerator *validation_gpu(
	struct validation *v, size_t file, size_t row, size_t column);
const struct model *validation_model(struct validation *v, size_t file, size_t row, size_t column);
/* validation_model leaves models out that are made of parts, and says why; this takes them. */
const struct model *validation_any_model(
	struct validation *v, size_t file, size_t row, size_t column);
const struct accelerator *measured_gpu(const struct tables *t, const char *text);
const struct model *measured_model_named(const struct tables *t, const char *text);
/* The same for a cell, however long it is. */
const struct accelerator *measured_gpu_at(
	const struct tables *t, const struct csv *c, size_t row, size_t column);
const struct model *measured_model_at(
	const struct tables *t, const struct csv *c, size_t row, size_t column);

/* Whether a cell holds that text, whatever its case and the signs between its
 * words: "All-Reduce" is "all_reduce". */
bool measured_is(const struct csv *c, size_t row, size_t column, const char *text);

#endif
