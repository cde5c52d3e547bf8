#include "ui/data/calc.h"

#include "sims/architecture/model_architecture.h"
#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/quantity/quantity.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 512 };

const char *calc_subject(const struct formula *f)
{
	static const char *const subjects[] = {
		"Scaling, cost and efficiency",
		"Roofline",
		"Training memory",
		"Data loading",
		"Number formats",
		"Communication",
		"Stacking optimisations",
		"Compression",
		"Inference",
		"Serving and queueing",
		"Autonomous driving",
		"Measurement",
		"Architectures",
		"Kernels on an SM",
	};
	unsigned long i = strtoul(f->number + 1, NULL, 10);

	return i < LENGTH(subjects) ? subjects[i] : "Other";
}

size_t calc_n_examples(const struct calc_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->formula->n_params; i++)
		n += r->origins[i] == CALC_EXAMPLE;
	return n;
}

char *calc_range(const struct formula_param *p, char *buf, size_t size)
{
	char min[64], max[64];

	snprintf(buf, size, "%s to %s", quantity_format(min, sizeof min, p->min, p->unit),
		quantity_format(max, sizeof max, p->max, p->unit));
	return buf;
}

/* `unknown model "llama"; did you mean "llama2-7b"?`; without a near one the names there are. */
static void refuse_name(const char *what, const char *typed, const char *const names[], size_t n,
	char *err, size_t size)
{
	char hint[HINT_SIZE];
	did_you_mean(typed, names, n, hint, sizeof hint);
	int at = snprintf(
		err, size, "unknown %s \"%.60s\"%s", what, typed, *hint ? hint : ": expected");
	for (size_t i = 0; !*hint && i < n && at >= 0 && (size_t)at < size; i++)
		at += snprintf(err + at, size - (size_t)at, "%s %s", i ? "," : "", names[i]);
}

/* The formula whose id or title has these letters best, most of them together: "kvcache" is kv_cache_bytes.
 * NULL: none does. */
static const char *named_by_letters(const char *typed)
{
	enum { BY_CHANCE = 64 };
	const char *best = NULL;
	int most = BY_CHANCE;
	for (size_t i = 0; i < n_formulas; i++) {
		const int id = match_letters(typed, formulas[i].id),
			  title = match_letters(typed, formulas[i].title);
		const int score = id > title ? id : title;
		if (score > most) {
			most = score;
			best = formulas[i].id;
		}
	}
	return best;
}

const struct formula *calc_formula(const char *id, char *err, size_t err_size)
{
	const struct formula *f = formula_find(id);
	const char *names[MAX_NAMES];
	char hint[HINT_SIZE];
	size_t n = n_formulas < MAX_NAMES ? n_formulas : MAX_NAMES;

	if (f)
		return f;
	for (size_t i = 0; i < n; i++)
		names[i] = formulas[i].id;
	did_you_mean(id, names, n, hint, sizeof hint);
	if (!*hint && named_by_letters(id))
		snprintf(hint, sizeof hint, "; did you mean \"%.60s\"?", named_by_letters(id));
	snprintf(err, err_size, "unknown formula \"%.60s\"%s", id,
		*hint ? hint : ": \"ridge calc\" lists them");
	return NULL;
}

static int set_param(struct calc_result *r, size_t i, double value, enum calc_origin origin,
	char *err, size_t size)
{
	const struct formula_param *p = &r->formula->params[i];
	char range[160], given[64];

	/* Written so that NAN, which compares with nothing, is refused too. */
	if (!(value >= p->min && value <= p->max)) {
		snprintf(err, size, "%s must be %s, not %s", p->name,
			calc_range(p, range, sizeof range),
			quantity_format(given, sizeof given, value, p->unit));
		return -1;
	}
	r->args[i] = value;
	r->origins[i] = origin;
	return 0;
}

/* Other words that people type for a parameter. A row applies only to formulas that have the
 * parameter `with` as well and do not have `unless`: in a formula with a peak "utilisation" is that
 * of arithmetic, in others that of memory or a server; "tokens" in a formula with a batch are those
 * of all sequences. */
static const struct synonym {
	const char *name, *typed, *with, *unless;
} synonyms[] = {
	{ "tokens", " seq seq_len context ", NULL, NULL },
	{ "context", " seq seq_len ", NULL, NULL },
	{ "context", " tokens ", NULL, "batch" },
	{ "seq", " seq_len context prompt_tokens ", NULL, NULL },
	{ "seq", " tokens ", NULL, "batch" },
	{ "prompt_tokens", " seq seq_len tokens ", NULL, NULL },
	{ "cached_tokens", " cached ", NULL, NULL },
	{ "latency", " time ", NULL, "link_bandwidth" },
	{ "time", " latency duration ", NULL, NULL },
	{ "token_rate", " tokens_per_s tokens_per_second throughput ", NULL, NULL },
	{ "utilisation", " mfu ", "peak_flops", NULL },
	{ "utilisation", " utilization ", NULL, NULL },
	{ "batch", " batch_size ", NULL, NULL },
	{ "microbatches", " micro_batches ", NULL, NULL },
	{ "layers", " n_layers num_layers ", NULL, NULL },
	{ "heads", " n_heads num_heads ", NULL, NULL },
	{ "kv_heads", " n_kv_heads num_kv_heads ", NULL, NULL },
	{ "head_dim", " d_head head_size ", NULL, NULL },
	{ "hidden", " hidden_size d_model ", NULL, NULL },
	{ "vocab", " vocab_size ", NULL, NULL },
	{ "params", " parameters n_params ", NULL, NULL },
	{ "gpus", " n_gpus num_gpus world_size ", NULL, NULL },
	{ "peak_flops", " peak ", NULL, NULL },
	{ "bandwidth", " bw memory_bandwidth ", NULL, NULL },
	{ "memory_bytes", " memory ", NULL, NULL },
	{ "bytes", " size ", NULL, NULL },
	{ "price_per_hour", " price ", NULL, NULL },
	{ "arrival_rate", " qps rps ", NULL, NULL },
	{ "request_rate", " qps rps ", NULL, NULL },
	{ "tensor_parallel", " tp ", NULL, NULL },
	{ "pipeline_parallel", " pp ", NULL, NULL },
	{ "data_parallel", " dp ", NULL, NULL },
	{ "context_parallel", " cp ", NULL, NULL },
	{ "speed", " velocity ", NULL, NULL },
};

static bool synonym_fits(const struct synonym *s, const struct formula *f, const char *name)
{
	size_t n = strlen(name);
	const char *at = n && *name != ' ' ? strstr(s->typed, name) : NULL;

	while (at && (at[-1] != ' ' || at[n] != ' '))
		at = strstr(at + 1, name);
	return at && formula_param_index(f, s->name) >= 0 &&
	       !(s->with && formula_param_index(f, s->with) < 0) &&
	       !(s->unless && formula_param_index(f, s->unless) >= 0);
}

int calc_alias(const struct formula *f, const char *name)
{
	int found = -1;

	if (formula_param_index(f, name) >= 0)
		return -1;
	for (size_t k = 0; k < LENGTH(synonyms); k++) {
		if (!synonym_fits(&synonyms[k], f, name))
			continue;
		if (found >= 0)
			return -1;
		found = formula_param_index(f, synonyms[k].name);
	}
	return found;
}

static int read_param(
	struct calc_result *r, const char *name, const char *text, char *err, size_t size)
{
	const struct formula *f = r->formula;
	int i = formula_param_index(f, name);
	const char *names[CALC_MAX_PARAMS];
	char reason[160];
	double value;

	if (i < 0)
		i = calc_alias(f, name);
	if (i < 0) {
		char what[96];
		for (size_t k = 0; k < f->n_params; k++)
			names[k] = f->params[k].name;
		snprintf(what, sizeof what, "parameter of %s", f->id);
		refuse_name(what, name, names, f->n_params, err, size);
		return -1;
	}
	if (r->origins[i] == CALC_GIVEN) {
		snprintf(err, size, "%s is given twice", f->params[i].name);
		return -1;
	}
	if (quantity_read(text, f->params[i].unit, &value, reason, sizeof reason)) {
		snprintf(err, size, "%s=%.60s: %s", f->params[i].name, text, reason);
		return -1;
	}
	return set_param(r, (size_t)i, value, CALC_GIVEN, err, size);
}

static int known_of(
	const struct calc_result *r, enum calc_origin origin, const char *name, double *value)
{
	if (origin == CALC_GPU)
		return gpu_parameter(r->gpu, name, value);
	return r->model->made_of ? architecture_parameter(r->model->made_of, name, value)
				 : model_parameter(r->model, name, value);
}

/* What every plain model has, and the formula asks for, may be nothing that this one has one value
 * of: then the formula is not made for it. */
static int refuse_parts(const struct calc_result *r, char *err, size_t size)
{
	static const struct model plain = { .params = 1,
		.layers = 1,
		.hidden = 1,
		.heads = 1,
		.kv_heads = 1,
		.head_dim = 1,
		.ffn = 1,
		.vocab = 1 };
	for (size_t i = 0; i < r->formula->n_params; i++) {
		const char *name = r->formula->params[i].name;
		double value;
		if (r->origins[i] != CALC_EXAMPLE || !model_parameter(&plain, name, &value) ||
			known_of(r, CALC_MODEL, name, &value))
			continue;
		snprintf(err, size,
			"%.60s is no plain decoder (it has %s): no single \"%s\" for %s; give %s= before it, or see "
			"`ridge model %.60s`",
			r->model->name, architecture_beyond_a_row(r->model->made_of), name,
			r->formula->id, name, r->model->id);
		return -1;
	}
	return 0;
}

/* Parameters that are still at their example take what the model or the GPU knows. */
static int fill(
	struct calc_result *r, enum calc_origin origin, const char *id, char *err, size_t size)
{
	bool any = false;

	for (size_t i = 0; i < r->formula->n_params; i++) {
		const char *name = r->formula->params[i].name;
		double value;
		int known = known_of(r, origin, name, &value);
		any = any || known;
		if (known && r->origins[i] == CALC_EXAMPLE &&
			set_param(r, i, value, origin, err, size))
			return -1;
	}
	if (any)
		return 0;
	snprintf(err, size, "%s has no parameter that %s %s knows", r->formula->id,
		origin == CALC_MODEL ? "model" : "gpu", id);
	return -1;
}

static int fill_from_model(
	const struct tables *t, const char *id, struct calc_result *r, char *err, size_t size)
{
	const char *names[MAX_NAMES];

	if (r->model) {
		snprintf(err, size, "model is given twice");
		return -1;
	}
	r->model = t ? any_model_find(t, id) : NULL;
	if (r->model && r->model->made_of && refuse_parts(r, err, size))
		return -1;
	if (r->model)
		return fill(r, CALC_MODEL, id, err, size);
	size_t n = t ? t->n_models < MAX_NAMES ? t->n_models : MAX_NAMES : 0;
	for (size_t i = 0; i < n; i++)
		names[i] = t->models[i].id;
	refuse_name("model", id, names, n, err, size);
	return -1;
}

static int fill_from_gpu(
	const struct tables *t, const char *id, struct calc_result *r, char *err, size_t size)
{
	const char *names[MAX_NAMES];

	if (r->gpu) {
		snprintf(err, size, "gpu is given twice");
		return -1;
	}
	r->gpu = t ? gpu_find(t, id) : NULL;
	if (r->gpu)
		return fill(r, CALC_GPU, id, err, size);
	size_t n = t ? t->n_gpus < MAX_NAMES ? t->n_gpus : MAX_NAMES : 0;
	for (size_t i = 0; i < n; i++)
		names[i] = t->gpus[i].id;
	refuse_name("gpu", id, names, n, err, size);
	return -1;
}

static int apply(const struct tables *t, const char *name, const char *value, struct calc_result *r,
	char *err, size_t size)
{
	if (strcmp(name, "model") == 0)
		return fill_from_model(t, value, r, err, size);
	if (strcmp(name, "gpu") == 0)
		return fill_from_gpu(t, value, r, err, size);
	return read_param(r, name, value, err, size);
}

static char *skip_space(char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

static char *word_end(char *s)
{
	while (*s && !isspace((unsigned char)*s))
		s++;
	return s;
}

/* Cuts one "name=value" off at *at. The value reaches to the next word that has a '=', so that
 * "bandwidth=25 GB/s gpus=8" needs no quotes. False when the next word is not a setting. */
static bool next_setting(char **at, char **name, char **value)
{
	char *word = skip_space(*at), *end = word_end(word);
	char *sign = memchr(word, '=', (size_t)(end - word));

	if (!sign)
		return false;
	*sign = '\0';
	*name = word;
	*value = sign + 1;
	for (;;) {
		char *next = skip_space(end), *next_end = word_end(next);
		if (!*next || memchr(next, '=', (size_t)(next_end - next))) {
			*at = next;
			break;
		}
		end = next_end;
	}
	*end = '\0';
	return true;
}

static int read_settings(
	const struct tables *t, char *at, struct calc_result *r, char *err, size_t size)
{
	char *name, *value;

	while (*(at = skip_space(at))) {
		if (!next_setting(&at, &name, &value)) {
			*word_end(at) = '\0';
			snprintf(err, size, "\"%.60s\" is not a setting: expected name=value", at);
			return -1;
		}
		if (apply(t, name, value, r, err, size))
			return -1;
	}
	return 0;
}

int calc_evaluate(
	const struct tables *t, const char *text, struct calc_result *r, char *err, size_t err_size)
{
	char copy[CALC_MAX_TEXT], *id, *end;
	size_t length = strlen(text);
	assert(err && err_size > 0);

	*r = (struct calc_result){ 0 };
	if (length >= sizeof copy) {
		snprintf(err, err_size, "the calculation is too long: at most %d bytes",
			CALC_MAX_TEXT - 1);
		return -1;
	}
	memcpy(copy, text, length + 1);
	id = skip_space(copy);
	end = word_end(id);
	if (*end)
		*end++ = '\0';
	if (!*id) {
		snprintf(err, err_size, "expected a formula, as in kv_cache_bytes model=llama3-8b");
		return -1;
	}
	r->formula = calc_formula(id, err, err_size);
	if (!r->formula)
		return -1;
	for (size_t i = 0; i < r->formula->n_params; i++)
		r->args[i] = r->formula->params[i].example;
	if (read_settings(t, end, r, err, err_size))
		return -1;
	r->value = r->formula->call(r->args);
	return 0;
}
