/* The networks that ship with ridge: a teacher, and students of a half to a sixteenth of its hidden
 * neurons, taught by the labels or by the teacher's softened answers, on all training images or on
 * a few. As text: a line "network NAME WIDTH ..." and a line for each neuron, its bias and its
 * weights in FP16, four hexadecimal digits each. `make train` writes it; the same digits give the
 * same text. */
#ifndef RIDGE_NETWORKS_H
#define RIDGE_NETWORKS_H

#include "sims/compression/train.h"

enum { STUDENT_SIZES = 5 }; /* 0 is the teacher; i has 1 / 2^i of its hidden neurons */
enum teaching { LABELS_ALL, TEACHER_ALL, LABELS_FEW, TEACHER_FEW, N_TEACHINGS };
enum { FEW_IMAGES = 160 }; /* the first ones of the training part */
enum { DISTILLATION_TEMPERATURE = 4 };

struct networks {
	struct mlp taught[STUDENT_SIZES][N_TEACHINGS]; /* the teacher was taught in one way only */
};

/* 0; or -1 and one line in err that names the line, what was expected (an empty err: out of
 * memory). */
int networks_read(
	struct networks *n, struct arena *a, const char *text, char *err, size_t err_size);

/* Trains all of them on the training digits and writes the text into the arena; NULL where memory
 * is out. Takes some seconds. */
const char *networks_train(struct arena *a, const struct digits *train);

#endif
