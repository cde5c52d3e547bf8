/* A study: reads digits and networks, compresses the chosen network as the knobs of `compression`
 * say, tests it, and tries other recipes beside it. */
#ifndef RIDGE_COMPRESSION_STUDY_H
#define RIDGE_COMPRESSION_STUDY_H

#include "sims/figure/sim.h"
#include "sims/compression/compress.h"
#include "sims/compression/networks.h"

enum compression_knob {
	COMPRESSION_VIEW,
	COMPRESSION_BITS,
	COMPRESSION_GRANULARITY,
	COMPRESSION_GROUP,
	COMPRESSION_METHOD,
	COMPRESSION_ZERO_POINT,
	COMPRESSION_ACTIVATIONS,
	COMPRESSION_OUTLIERS,
	COMPRESSION_SMOOTHING,
	COMPRESSION_ALPHA,
	COMPRESSION_SPARSITY,
	COMPRESSION_PATTERN,
	COMPRESSION_SALIENCY,
	COMPRESSION_STUDENT,
	COMPRESSION_TAUGHT_BY,
	COMPRESSION_IMAGES,
	N_COMPRESSION_KNOBS
};
enum compression_view {
	COMPRESSION_VIEW_ALL,
	COMPRESSION_VIEW_QUANTISE,
	COMPRESSION_VIEW_PRUNE,
	COMPRESSION_VIEW_DISTIL
};

enum {
	CALIBRATION_IMAGES = 256,
	LEAST_BITS = 2,
	SEARCHED_BITS = 8, /* the game tries 2 to this many */
	GAME_PERCENT = 70  /* right answers that count as working */
};

/* The best that was found by turning bits and student only. */
struct champion {
	double bytes;
	unsigned bits;
	size_t student;
	bool found, is_setting;
};

/* An outcome, and of what it is. */
struct tried {
	size_t student;
	enum teaching teaching;
	struct recipe recipe;
	struct outcome outcome;
};
enum { MOST_TRIED = 96 };

struct study {
	const double *v;
	struct figure *fig; /* where the study says that memory ran out */
	struct arena scratch;
	struct digits calibration, test;
	struct networks nets;
	struct recipe recipe;
	size_t student;
	enum teaching teaching;
	struct calibrated base;
	struct compressed now;
	struct outcome outcome, teacher; /* the setting's; the teacher's in FP16 */
	double output_error;             /* relative, of the worst layer */
	size_t worst_layer;
	unsigned char *answer, *teacher_answer;
	struct champion champion;
	struct tried known[MOST_TRIED]; /* what was tried so far, for whoever asks again */
	size_t n_known;
};

/* False where the data cannot be used (err says why; empty: memory is out). */
bool study_open(struct study *s, const struct tables *t, const double v[], struct figure *fig,
	char *err, size_t err_size);
void study_close(struct study *s);

/* Other recipes on a network, which differ in nothing that calibrating needs. What was tried already
 * is not run again. */
void study_try(struct study *s, size_t student, enum teaching teaching,
	const struct recipe recipes[], size_t n, struct outcome out[]);

/* The setting on a network at each number of bits that the game tries, in out[bits]. */
void study_try_bits(struct study *s, size_t student, struct outcome out[SEARCHED_BITS + 1]);

/* The study's recipe without pruning and rounding: outliers and their smoothing stay. */
struct recipe study_plain(const struct study *s);
bool study_prunes(const struct recipe *r);
bool study_quantises(const struct recipe *r);

/* Relative error of layer k's outputs after rounding in some way: the root of
 * the share of power. */
double study_layer_error(struct study *s, size_t k, enum rounding how);

/* "FP16" or "4 bits". */
const char *bits_text(struct figure *fig, unsigned bits);

#endif
