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

static const char *beyond_a_row(const struct architecture *a)
{
	const struct layer_group *first = &a->groups[0];
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct mixer *m = &a->groups[i].mixer, *n = &first->mixer;
		if (a->groups[i].feed.experts > 0)
			return "routed experts";
		if (m->kind != MIXING_FULL && m->kind != MIXING_WINDOW)
			return mixing_names[m->kind];
		if (m->key_dim != m->value_dim)
			return "keys and values of different sizes";
		if (m->heads != n->heads || m->kv_heads != n->kv_heads ||
			m->key_dim != n->key_dim || a->groups[i].feed.width != first->feed.width)
			return "layers of different shapes";
	}
	return NULL;
}

int model_of_architecture(const struct architecture *a, struct model *m, char *err, size_t err_size)
{
	const struct layer_group *g = &a->groups[0];
	const struct cache_need cache = architecture_cache(a);
	const char *beyond = beyond_a_row(a);
	/* What a file without a length is asked for at most. */
	static const double some_context = 131072;
	if (beyond) {
		snprintf(err, err_size,
			"it has %s, which simulations and formulas do not know yet; `ridge model` "
			"counts it",
			beyond);
		return -1;
	}
	*m = (struct model){
		.params = architecture_parameters(a).total,
		.layers = a->layers,
		.hidden = a->hidden,
		.heads = g->mixer.heads,
		.kv_heads = g->mixer.kv_heads,
		.head_dim = g->mixer.key_dim,
		.ffn = g->feed.width,
		.vocab = a->vocab,
		.context = a->context > 0 ? a->context : some_context,
		.window = cache.window,
		.full_layers =
			cache.window > 0 ? (double)architecture_layers_of(a, MIXING_FULL) : 0,
		.gated = g->feed.matrices > 2.5 * a->hidden * g->feed.width,
		.encoder = a->encoder,
	};
	return 0;
}
