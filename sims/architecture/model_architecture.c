#include "sims/architecture/model_architecture.h"

#include "sims/architecture/config_storage.h"
#include "sims/constants.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static struct layer_group layers_of(const struct model *m, double n, double window)
{
	const double h = m->hidden, q = m->heads * m->head_dim, kv = m->kv_heads * m->head_dim;
	return (struct layer_group){
		.n = (size_t)n,
		.mixer = { .kind = window > 0 ? MIXING_WINDOW : MIXING_FULL,
			.window = window,
			.heads = m->heads,
			.kv_heads = m->kv_heads,
			.key_dim = m->head_dim,
			.value_dim = m->head_dim,
			.matrices = 2 * h * q + 2 * h * kv,
			.cache_elements = 2 * kv },
		.feed = { .width = m->ffn, .matrices = (m->gated ? 3 : 2) * h * m->ffn },
		.norms = 2 * h,
	};
}

struct architecture architecture_of_model(const struct model *m)
{
	struct architecture a = { .layers = m->layers,
		.hidden = m->hidden,
		.vocab = m->vocab,
		.context = m->context,
		.encoder = m->encoder,
		.embedding = m->vocab * m->hidden,
		.last_norm = m->hidden,
		.rest_bits = 8 * BF16_BYTES,
		.storage = "BF16" };
	assert(m->layers <= MOST_LAYERS);
	snprintf(a.type, sizeof a.type, "%s", m->encoder ? "encoder" : "decoder");
	const double windowed = m->window > 0 ? m->layers - m->full_layers : 0;
	if (m->layers > windowed)
		a.groups[a.n_groups++] = layers_of(m, m->layers - windowed, 0);
	if (windowed > 0)
		a.groups[a.n_groups++] = layers_of(m, windowed, m->window);
	for (size_t p = 0; p < N_PARTS; p++)
		a.bits[p] = a.rest_bits;
	const double tied = architecture_parameters(&a).total;
	a.tied = !m->encoder && fabs(tied - m->params) < fabs(tied + a.embedding - m->params);
	a.head = a.tied || m->encoder ? 0 : a.embedding;
	architecture_note(&a, "from the table of models: biases and positions are not in it");
	return a;
}
