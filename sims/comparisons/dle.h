/* The jobs of NVIDIA's DeepLearningExamples: what their READMEs and scripts say beside each rate,
 * or take their readers to know. */
#ifndef RIDGE_DLE_H
#define RIDGE_DLE_H

#include "sims/base/csv.h"
#include "sims/training/model_step.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	DLE_MODEL,
	DLE_FRAMEWORK,
	DLE_GPU,
	DLE_PRECISION,
	DLE_GPUS,
	DLE_BATCH,
	DLE_ACCUMULATION,
	DLE_RATE,
	N_DLE
};
extern const struct csv_column dle_columns[N_DLE];

/* A row but for its GPU and network: of images, or else of BERT. */
struct dle_job {
	bool images;
	enum dtype dtype;
	double gpus, batch, accumulation; /* batch: of one GPU, at a time */
	double samples_per_s;             /* of all GPUs */

	bool fused, planar;  /* as in struct conv_training */
	bool decoded_by_gpu; /* images; otherwise by the CPUs, which may be slower */

	double seq, spread, loss_share; /* as in struct step_setup */
	struct software software;
};

/* False, and why in err, where it is none that is known. */
bool dle_job(const struct csv *c, size_t row, struct dle_job *job, char *err, size_t size);

/* The words of BERT as it is trained: to a multiple of 8. */
extern const double dle_bert_words;

#endif
