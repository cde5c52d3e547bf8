/* A small network compressed in earnest: outliers and smoothing, pruning, rounding, in this order;
 * then its size in bytes and its answers on the test images. No retraining on the way. */
#ifndef RIDGE_COMPRESS_H
#define RIDGE_COMPRESS_H

#include "sims/compression/prune.h"
#include "sims/compression/quantise.h"

struct recipe {
	double outliers; /* a few channels are made so many times as large; 1: none */
	enum smoothing smoothing;
	double strength; /* the alpha of the smoothing */
	enum pattern pattern;
	double sparsity;    /* 0..1; 2:4 has its own */
	bool by_activation; /* weights count times the norm of their inputs (Wanda) */
	struct quantiser quantiser;
	unsigned activation_bits; /* UNQUANTISED_BITS: as they are */
};

/* A network, and what its layers get to see on whole blocks of training images. */
struct calibrated {
	struct mlp net;
	size_t n_blocks;
	const float *input[MLP_LAYERS];
	struct channel *channel[MLP_LAYERS];
	struct curvature curvature[MLP_LAYERS]; /* only for GPTQ */
};

/* Copies the network, with the recipe's outliers and smoothing. -1: memory is out, here and
 * below. */
int calibrate(struct calibrated *c, struct arena *a, const struct mlp *net,
	const struct digits *images, const struct recipe *r);

/* Bytes as stored. Sparse weights take the shortest of three forms: with all their zeros, with a
 * bitmap, or with an index for each. */
enum storage { STORED_DENSE, STORED_2_OF_4, STORED_BITMAP, STORED_INDEXED, N_STORAGES };
extern const char *const storage_names[N_STORAGES];
struct stored {
	double values, places, scales,
		biases;       /* in B: codes or FP16, which ones, scales and zeros */
	double weights, kept; /* how many */
	double largest;       /* weights of the largest layer */
	enum storage form;    /* the form of that layer */
};
double stored_bytes(const struct stored *s);

struct compressed {
	struct calibrated from; /* what was rounded, already without the pruned neurons */
	struct mlp net;
	unsigned char *keep[MLP_LAYERS]; /* [out][in] */
	struct activation_grid grid[MLP_LAYERS];
	struct stored stored;
};
int compress(struct compressed *out, struct arena *a, const struct calibrated *c,
	const struct digits *images, const struct recipe *r);

/* 10 log10 of the power of all weights over that of what rounding and pruning changed; INFINITY
 * where nothing changed. */
double weight_snr_db(const struct compressed *c);

/* The size and the share of right answers of a network after a recipe; nothing is kept. */
struct outcome {
	double bytes, accuracy;
};
int try_recipe(struct outcome *out, const struct calibrated *c, const struct digits *images,
	const struct digits *test, const struct recipe *r);

#endif
