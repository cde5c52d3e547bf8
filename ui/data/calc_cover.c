/* By what a formula asks for, not by its name: so one that is written tomorrow is looked at too. */
#include "ui/data/calc_cover.h"

#include "sims/architecture/model_architecture.h"
#include "sims/architecture/model_bytes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool asks_for(const struct formula *f, const char *name)
{
	return formula_param_index(f, name) >= 0;
}

static bool is_of(const struct formula *f, const char *number)
{
	return strncmp(f->number, number, strlen(number)) == 0;
}

/* --- Windows --- */

/* Tokens that a layer would have to see; INFINITY where the formula does not ask. */
static double length_of(const struct calc_result *r)
{
	static const char *const names[] = { "seq", "tokens", "context" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		int at = formula_param_index(r->formula, names[i]);
		if (at >= 0)
			return r->args[at];
	}
	return INFINITY;
}

/* Whether it counts the keys and values that layers keep or pass on. Adapters beside their projections are
 * as many whatever is kept. */
static bool counts_caches(const struct formula *f)
{
	return asks_for(f, "kv_heads") && !asks_for(f, "window") && !asks_for(f, "rank") &&
	       (asks_for(f, "layers") || asks_for(f, "seq"));
}

/* Whether every token is taken to see every earlier one. */
static bool sees_all(const struct formula *f)
{
	return asks_for(f, "seq") &&
	       (asks_for(f, "heads") || asks_for(f, "head_dim") || asks_for(f, "attention_share") ||
		       strstr(f->id, "attention") || asks_for(f, "growth"));
}

static bool forgets_windows(const struct calc_result *r)
{
	const struct model *m = r->model;
	return m->window > 0 && m->full_layers < m->layers && length_of(r) > m->window &&
	       (counts_caches(r->formula) || sees_all(r->formula));
}

static void say_windows(const struct calc_result *r, char *buf, size_t size)
{
	const struct model *m = r->model;
	const double windowed = m->layers - m->full_layers;
	if (counts_caches(r->formula))
		snprintf(buf, size,
			"if all %g layers kept all; %g keep %g tokens: windowed_cache_bytes",
			m->layers, windowed, m->window);
	else
		snprintf(buf, size, "if all %g layers saw all; %g see %g tokens", m->layers,
			windowed, m->window);
}

/* --- Encoders --- */

/* Whether it is about a cache, or a token after another, which encoders have not. Traffic of attention
 * (F8.5) and its arithmetic are not. */
static bool generates(const struct formula *f)
{
	bool serves = (is_of(f, "F8.") && !is_of(f, "F8.5")) || is_of(f, "F9.");
	bool caches = asks_for(f, "kv_heads") && (serves || is_of(f, "F12."));
	return caches || asks_for(f, "kv_per_token") || asks_for(f, "kv_bytes") ||
	       strstr(f->id, "decode") || strstr(f->id, "prefill") ||
	       strstr(f->id, "first_token") || is_of(f, "F9.12");
}

/* --- Parts --- */

/* Whether it counts what a layer does, or leaves behind for the backward pass, as a plain layer does it. */
static bool counts_plain_layers(const struct formula *f)
{
	bool of_layers = asks_for(f, "layers") && asks_for(f, "hidden") && !asks_for(f, "kv_heads");
	return (of_layers || is_of(f, "F1.3") || is_of(f, "F2.6")) && asks_for(f, "hidden") &&
	       !is_of(f, "F12.");
}

static bool has_mixing(const struct model *m, enum mixing kind)
{
	return m->made_of && architecture_layers_of(m->made_of, kind) > 0;
}

/* Layers that do something else than attend to keys. */
static bool mixes_otherwise(const struct model *m)
{
	return has_mixing(m, MIXING_DELTA) || has_mixing(m, MIXING_MAMBA) ||
	       has_mixing(m, MIXING_CONV) || has_mixing(m, MIXING_NONE);
}

/* What a formula is about and the model has none of; NULL: nothing. */
static const char *lacked(const struct calc_result *r)
{
	const struct formula *f = r->formula;
	bool of_experts = asks_for(f, "experts") || asks_for(f, "experts_per_token") ||
			  asks_for(f, "expert_ffn");
	if (asks_for(f, "latent") && !has_mixing(r->model, MIXING_LATENT))
		return "latent attention";
	if (of_experts && !(model_experts(r->model) > 0))
		return "experts";
	return NULL;
}

const char *calc_uncovered(const struct calc_result *r, char *buf, size_t size)
{
	const struct model *m = r->model;
	*buf = '\0';
	if (!m)
		return buf;
	if (lacked(r))
		snprintf(buf, size, "if it had %s: %s has none", lacked(r), m->name);
	else if (m->encoder && generates(r->formula))
		snprintf(buf, size, "if it generated tokens: %s is an encoder, and caches nothing",
			m->name);
	else if (forgets_windows(r))
		say_windows(r, buf, size);
	else if (sees_all(r->formula) && mixes_otherwise(m))
		snprintf(buf, size, "in layers that attend to all: %s has others, not counted here",
			m->name);
	else if (m->made_of && counts_plain_layers(r->formula))
		snprintf(buf, size, "if its layers were plain: %s has %s, not counted here",
			m->name, architecture_beyond_a_row(m->made_of));
	return buf;
}
