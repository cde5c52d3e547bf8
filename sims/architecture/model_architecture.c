#include "sims/architecture/model_architecture.h"

#include "sims/architecture/config_storage.h"
#include "sims/base/array.h"
#include "sims/constants.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++)
		a.bits[p] = a.rest_bits;
	const double tied = architecture_parameters(&a).total;
	a.tied = !m->encoder && fabs(tied - m->params) < fabs(tied + a.embedding - m->params);
	a.head = a.tied || m->encoder ? 0 : a.embedding;
	architecture_note(&a, "from the table of models: biases and positions are not in it");
	return a;
}

/* What a file without a length is asked for at most. */
static const double some_context = 131072;

const char *architecture_beyond_a_row(const struct architecture *a)
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
	const char *beyond = architecture_beyond_a_row(a);
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

struct model model_made_of(const struct architecture *a)
{
	struct model m = { .params = architecture_parameters(a).total,
		.layers = a->layers,
		.hidden = a->hidden,
		.vocab = a->vocab,
		.context = a->context > 0 ? a->context : some_context,
		.encoder = a->encoder,
		.made_of = a };
	m.window = architecture_cache(a).window;
	m.full_layers = m.window > 0 ? (double)architecture_layers_of(a, MIXING_FULL) : 0;
	for (size_t i = a->n_groups; i-- > 0;) {
		const struct mixer *mixer = &a->groups[i].mixer;
		const struct feed *feed = &a->groups[i].feed;
		if (mixer->heads > 0) {
			m.heads = mixer->heads;
			m.kv_heads = mixer->kv_heads;
			m.head_dim = mixer->key_dim;
		}
		if (feed->width > 0 || feed->expert_width > 0)
			m.ffn = feed->width > 0 ? feed->width : feed->expert_width;
		if (feed->width > 0)
			m.gated = feed->matrices > 2.5 * a->hidden * feed->width;
	}
	return m;
}

/* --- By name --- */

/* A figure of a layer; NAN where the layer has no such thing. */
typedef double of_layer(const struct layer_group *g);

static bool has_heads(const struct mixer *m)
{
	return m->cache_elements > 0 && m->kind != MIXING_LATENT;
}

static double own_heads(const struct layer_group *g)
{
	return g->mixer.cache_elements > 0 ? g->mixer.heads : NAN;
}

/* Layers without keys and values differ from those that have them: formulas multiply by all. */
static double own_kv_heads(const struct layer_group *g)
{
	return has_heads(&g->mixer) ? g->mixer.kv_heads : 0;
}

static double own_head_dim(const struct layer_group *g)
{
	const struct mixer *m = &g->mixer;
	return has_heads(m) && m->key_dim == m->value_dim ? m->key_dim : NAN;
}

static double own_key_dim(const struct layer_group *g)
{
	return g->mixer.cache_elements > 0 ? g->mixer.key_dim : NAN;
}

static double own_value_dim(const struct layer_group *g)
{
	return g->mixer.cache_elements > 0 ? g->mixer.value_dim : NAN;
}

static double own_latent(const struct layer_group *g)
{
	return g->mixer.kind == MIXING_LATENT ? g->mixer.latent : NAN;
}

static double own_rope_dim(const struct layer_group *g)
{
	return g->mixer.kind == MIXING_LATENT ? g->mixer.cache_elements - g->mixer.latent : NAN;
}

static double own_window(const struct layer_group *g)
{
	return g->mixer.window > 0 ? g->mixer.window : NAN;
}

static double own_ffn(const struct layer_group *g)
{
	return g->feed.width > 0 ? g->feed.width : NAN;
}

static double own_experts(const struct layer_group *g)
{
	return g->feed.experts > 0 ? g->feed.experts : NAN;
}

static double own_per_token(const struct layer_group *g)
{
	return g->feed.experts > 0 ? g->feed.per_token : NAN;
}

static double own_expert_ffn(const struct layer_group *g)
{
	return g->feed.experts > 0 ? g->feed.expert_width : NAN;
}

static double own_expert_size(const struct layer_group *g)
{
	return g->feed.experts > 0 ? g->feed.expert : NAN;
}

static const struct {
	const char *name;
	of_layer *of;
} layer_figures[] = {
	{ "heads", own_heads },
	{ "kv_heads", own_kv_heads },
	{ "head_dim", own_head_dim },
	{ "key_dim", own_key_dim },
	{ "value_dim", own_value_dim },
	{ "latent", own_latent },
	{ "rope_dim", own_rope_dim },
	{ "window", own_window },
	{ "ffn", own_ffn },
	{ "experts", own_experts },
	{ "experts_per_token", own_per_token },
	{ "expert_ffn", own_expert_ffn },
	{ "expert_size", own_expert_size },
};

/* That of all layers which have it; NAN where they differ, or none has. */
static double common(const struct architecture *a, of_layer *of)
{
	double value = NAN;
	for (size_t i = 0; i < a->n_groups; i++) {
		double own = of(&a->groups[i]);
		if (!isnan(own) && !isnan(value) && own != value)
			return NAN;
		value = isnan(own) ? value : own;
	}
	return value > 0 ? value : NAN;
}

static double expert_layers(const struct architecture *a)
{
	double n = 0;
	for (size_t i = 0; i < a->n_groups; i++)
		n += a->groups[i].feed.experts > 0 ? (double)a->groups[i].n : 0;
	return n;
}

/* Figures of the whole; NAN where there is no such thing. */
static double whole_figure(const struct architecture *a, const char *name)
{
	const struct parameter_count p = architecture_parameters(a);
	const double mixed = expert_layers(a);
	const struct {
		const char *name;
		double value;
	} figures[] = {
		{ "layers", a->layers },
		{ "hidden", a->hidden },
		{ "vocab", a->vocab },
		{ "params", mixed > 0 ? NAN : p.total },
		{ "active_params", p.active },
		{ "other_params", p.total - p.parts[PART_EXPERTS] },
		{ "expert_layers", mixed > 0 ? mixed : NAN },
		{ "full_layers", (double)architecture_layers_of(a, MIXING_FULL) },
		{ "linear_layers", (double)(architecture_layers_of(a, MIXING_DELTA) +
					    architecture_layers_of(a, MIXING_MAMBA)) },
	};
	for (size_t i = 0; i < LENGTH(figures); i++)
		if (strcmp(figures[i].name, name) == 0)
			return figures[i].value;
	return NAN;
}

static bool is_mixture(const struct model *m)
{
	return m->made_of && expert_layers(m->made_of) > 0;
}

size_t mixtures_count(const struct tables *t)
{
	size_t n = 0;
	for (size_t i = 0; i < t->n_composed; i++)
		n += is_mixture(&t->composed[i]);
	return n;
}

const struct model *mixture_at(const struct tables *t, double knob)
{
	size_t left = (size_t)knob;
	assert(knob >= 0);
	for (size_t i = 0; i < t->n_composed; i++)
		if (is_mixture(&t->composed[i]) && left-- == 0)
			return &t->composed[i];
	assert(false);
	return NULL;
}

int architecture_parameter(const struct architecture *a, const char *name, double *value)
{
	double found = whole_figure(a, name);
	for (size_t i = 0; i < LENGTH(layer_figures) && isnan(found); i++)
		if (strcmp(layer_figures[i].name, name) == 0)
			found = common(a, layer_figures[i].of);
	if (isnan(found))
		return 0;
	*value = found;
	return 1;
}
