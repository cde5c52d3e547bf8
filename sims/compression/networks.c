/* Networks as text, read with every fault named by its line, and the lessons by which `make train`
 * makes them. */
#include "sims/compression/networks.h"

#include "sims/compression/half.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HIDDEN_1 = 96, HIDDEN_2 = 48, HEX = 4, LAYERS = 3 };

/* Distillation takes the teacher's answers alone, for with labels beside them a student learns no
 * better here. Few images are seen more often, in about half as many steps altogether. */
static const struct lesson lessons[N_TEACHINGS] = {
	[LABELS_ALL] = { .seed = 1, .epochs = 120, .rate = 2e-3F, .decay = 0.01F },
	[TEACHER_ALL] = { 1, 120, 2e-3F, .temperature = DISTILLATION_TEMPERATURE,
		.teacher_weight = 1, .decay = 0.01F },
	[LABELS_FEW] = { .seed = 1, .epochs = 450, .rate = 2e-3F, .decay = 0.01F },
	[TEACHER_FEW] = { 1, 450, 2e-3F, .temperature = DISTILLATION_TEMPERATURE,
		.teacher_weight = 1, .decay = 0.01F },
};
static const char *const teaching_names[N_TEACHINGS] = { "labels", "teacher", "few-labels",
	"few-teacher" };

static bool by_teacher(size_t teaching)
{
	return teaching == TEACHER_ALL || teaching == TEACHER_FEW;
}

static size_t teachings(size_t size)
{
	return size == 0 ? 1 : N_TEACHINGS;
}

static void widths_of(size_t widths[LAYERS + 1], size_t size)
{
	widths[0] = DIGIT_PIXELS;
	widths[1] = HIDDEN_1 >> size;
	widths[2] = HIDDEN_2 >> size;
	widths[3] = DIGIT_CLASSES;
}

/* --- reading ------------------------------------------------------------------------------- */

struct networks_reader {
	const char *at;
	size_t line;
	char *err;
	size_t err_size;
};

static int refuse(const struct networks_reader *r, const char *expected)
{
	snprintf(r->err, r->err_size, "networks: line %zu: expected %s", r->line, expected);
	return -1;
}

static void head_of(char *head, size_t bytes, size_t size, size_t teaching)
{
	size_t w[LAYERS + 1];
	widths_of(w, size);
	snprintf(head, bytes, "network 1/%d %s %zu %zu %zu %zu", 1 << size,
		teaching_names[teaching], w[0], w[1], w[2], w[3]);
}

/* -1 where these are not four hexadecimal digits, or where no weight can be so large. */
static int read_half(const char *s, float *value)
{
	unsigned bits = 0;
	for (size_t i = 0; i < HEX; i++) {
		int digit = s[i] >= '0' && s[i] <= '9'   ? s[i] - '0'
			    : s[i] >= 'a' && s[i] <= 'f' ? s[i] - 'a' + 10
							 : -1;
		if (digit < 0)
			return -1;
		bits = bits << 4 | (unsigned)digit;
	}
	*value = half_value((uint16_t)bits);
	return *value >= -1000 && *value <= 1000 ? 0 : -1;
}

static int read_neuron(struct networks_reader *r, struct mlp_layer *l, size_t neuron)
{
	size_t bytes = strcspn(r->at, "\n");
	r->line++;
	if (bytes != (l->in + 1) * HEX)
		return refuse(r, "a bias and the weights of a neuron, four digits each");
	if (read_half(r->at, &l->bias[neuron]))
		return refuse(r, "FP16 numbers in hexadecimal, up to 1000");
	for (size_t i = 0; i < l->in; i++)
		if (read_half(r->at + (i + 1) * HEX, &l->weight[neuron * l->in + i]))
			return refuse(r, "FP16 numbers in hexadecimal, up to 1000");
	r->at += bytes + (r->at[bytes] == '\n');
	return 0;
}

static int read_network(
	struct networks_reader *r, struct arena *a, struct mlp *m, size_t size, size_t teaching)
{
	char head[96], expected[112];
	size_t widths[LAYERS + 1], bytes = strcspn(r->at, "\n");
	head_of(head, sizeof head, size, teaching);
	r->line++;
	if (bytes != strlen(head) || memcmp(r->at, head, bytes) != 0) {
		snprintf(expected, sizeof expected, "\"%s\"", head);
		return refuse(r, expected);
	}
	r->at += bytes + (r->at[bytes] == '\n');
	widths_of(widths, size);
	if (mlp_new(m, a, widths, LAYERS))
		return -1;
	for (size_t k = 0; k < LAYERS; k++)
		for (size_t neuron = 0; neuron < m->layer[k].out; neuron++)
			if (read_neuron(r, &m->layer[k], neuron))
				return -1;
	return 0;
}

int networks_read(struct networks *n, struct arena *a, const char *text, char *err, size_t err_size)
{
	struct networks_reader r = { text, 0, err, err_size };
	*err = '\0';
	for (size_t size = 0; size < STUDENT_SIZES; size++)
		for (size_t teaching = 0; teaching < teachings(size); teaching++)
			if (read_network(&r, a, &n->taught[size][teaching], size, teaching))
				return -1;
	for (size_t teaching = 1; teaching < N_TEACHINGS; teaching++)
		n->taught[0][teaching] = n->taught[0][0];
	return 0;
}

/* --- training and writing ------------------------------------------------------------------ */

/* Weights become what FP16 holds: what is written is what was trained. */
static void round_all(struct mlp *m)
{
	for (size_t k = 0; k < m->n_layers; k++) {
		struct mlp_layer *l = &m->layer[k];
		for (size_t i = 0; i < l->in * l->out; i++)
			l->weight[i] = half_round(l->weight[i]);
		for (size_t o = 0; o < l->out; o++)
			l->bias[o] = half_round(l->bias[o]);
	}
}

static char *write_half(char *to, float value)
{
	static const char digits[] = "0123456789abcdef";
	unsigned bits = half_of(value);
	for (int shift = 12; shift >= 0; shift -= 4)
		*to++ = digits[bits >> shift & 15];
	return to;
}

static char *write_network(char *to, const struct mlp *m, size_t size, size_t teaching)
{
	char head[96];
	head_of(head, sizeof head, size, teaching);
	memcpy(to, head, strlen(head));
	to += strlen(head);
	*to++ = '\n';
	for (size_t k = 0; k < m->n_layers; k++) {
		const struct mlp_layer *l = &m->layer[k];
		for (size_t o = 0; o < l->out; o++) {
			to = write_half(to, l->bias[o]);
			for (size_t i = 0; i < l->in; i++)
				to = write_half(to, l->weight[o * l->in + i]);
			*to++ = '\n';
		}
	}
	return to;
}

const char *networks_train(struct arena *a, const struct digits *train)
{
	enum { ROOM = 1 << 18 }; /* 43,000 numbers and the ends of 1,400 lines */
	struct digits few = *train;
	struct mlp teacher = { 0 };
	char *text = arena_alloc(a, ROOM), *to = text;
	few.n = few.n < FEW_IMAGES ? few.n : FEW_IMAGES;
	for (size_t size = 0; text && size < STUDENT_SIZES; size++)
		for (size_t teaching = 0; teaching < teachings(size); teaching++) {
			struct mlp m;
			size_t widths[LAYERS + 1];
			widths_of(widths, size);
			if (mlp_new(&m, a, widths, LAYERS) ||
				mlp_train(&m, teaching < LABELS_FEW ? train : &few,
					by_teacher(teaching) ? &teacher : NULL, &lessons[teaching]))
				return NULL;
			round_all(&m);
			if (size == 0)
				teacher = m;
			to = write_network(to, &m, size, teaching);
		}
	return text;
}
