/* Training of small networks on the digits: Adam on the cross-entropy with the labels, or on a
 * teacher's softened answers as well (distillation). The order of every sum is fixed and nothing is
 * taken from libm but the square root, so that the same seed gives the same weights everywhere. */
#ifndef RIDGE_TRAIN_H
#define RIDGE_TRAIN_H

#include "sims/compression/mlp.h"

#include <stdint.h>

struct lesson {
	uint64_t seed;
	unsigned epochs;
	float rate;           /* of Adam at the start; falls to 0 along a line */
	float temperature;    /* softens both answers */
	float teacher_weight; /* of the teacher's part of the loss, 0..1; 0: labels alone */
	float decay;          /* of weights per step, as a share of the rate */
};

/* Trains m, whose widths are set, from random weights. teacher may be NULL where its weight is 0.
 * 0, or -1 where memory is out. */
int mlp_train(
	struct mlp *m, const struct digits *d, const struct mlp *teacher, const struct lesson *how);

/* The gradient of the loss of distillation (distillation_loss in sims/formulas/compression.def)
 * with respect to one image's outputs. target: the teacher's outputs. */
void distillation_gradient(const float output[DIGIT_CLASSES], const float target[DIGIT_CLASSES],
	unsigned label, const struct lesson *how, float gradient[DIGIT_CLASSES]);

#endif
