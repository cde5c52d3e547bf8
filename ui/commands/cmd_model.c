/* The word is a file, a folder with a config.json, or a name: of the configurations that travel with
 * ridge, or of the table of models. All that is printed is counted from the shapes. */
#include "ui/commands/cmd_model.h"

#include "sims/architecture/config.h"
#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/constants.h"
#include "sims/quantity/quantity.h"
#include "sims/serving/model_fit.h"
#include "sims/architecture/model_architecture.h"
#include "ui/commands/export.h"
#include "ui/data/architecture_list.h"
#include "ui/data/own_inputs.h"
#include "ui/data/tables_load.h"
#include "ui/files/own_file.h"
#include "ui/files/printed.h"
#include "ui/term/textwrap.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_DONE, STATUS_FAILED, TEXT_SIZE = 400, MOST_CONTEXTS = 4 };

/* What was asked and all that it is answered from. */
struct asked {
	const struct command_line *line;
	const struct streams *io;
	struct tables tables;
	struct architecture_list list;
	struct architecture model; /* as the file has it */
	const char *name;
	const struct published_model *published; /* whose counts it is held against; NULL */
	double table_params;                     /* of a row of the tables; 0 */
	struct fit_goal goal;
	struct arena arena;
};

static const char *brief(struct asked *a, double x, const char *unit)
{
	char buf[64];
	return arena_text(&a->arena, quantity_brief(buf, sizeof buf, x, unit));
}

/* Counts of parameters in the words people use for them. */
static const char *counted(struct asked *a, double n)
{
	static const struct {
		double from;
		const char *letter;
	} scales[] = { { 1e12, " T" }, { 1e9, " B" }, { 1e6, " M" }, { 1e3, " k" } };
	char buf[64];
	size_t i = 0;
	while (i < LENGTH(scales) && n < scales[i].from)
		i++;
	number_write(buf, sizeof buf, i < LENGTH(scales) ? n / scales[i].from : n, 4);
	return arena_printf(&a->arena, "%s%s", buf, i < LENGTH(scales) ? scales[i].letter : "");
}

/* --- Which model --- */

static char *read_all(const char *word, FILE *in)
{
	return strcmp(word, "-") == 0 ? own_read_stream(in, LARGEST_CONFIG) : own_config_read(word);
}

/* A path may hold any bytes; a message is one clean line. */
static const char *shown_path(struct asked *a, const char *word)
{
	char buf[100];
	size_t n = 0;
	for (; word[n] && n + 1 < sizeof buf; n++)
		buf[n] = (char)(word[n] >= 0x20 && word[n] < 0x7f ? word[n] : '?');
	buf[n] = '\0';
	return arena_text(&a->arena, buf);
}

static int read_path(struct asked *a, const char *word)
{
	char err[256];
	char *json = read_all(word, a->io->in);
	a->name = shown_path(a, word);
	if (!json)
		return usage_error(a->io, COMMAND_MODEL, "%s: %s", a->name,
			own_read_error(LARGEST_CONFIG, err, sizeof err));
	int rc = architecture_read(&a->model, json, err, sizeof err);
	free(json);
	if (rc)
		return usage_error(a->io, COMMAND_MODEL, "%s: %s", a->name, err);
	a->published = architecture_list_alike(&a->list, &a->model);
	return 0;
}

static int refuse_name(struct asked *a, const char *word)
{
	char hint[HINT_SIZE];
	size_t n = 0;
	const char **names = arena_array(&a->arena, a->list.n + a->tables.n_models, sizeof *names);
	for (size_t i = 0; names && i < a->list.n; i++)
		names[n++] = a->list.models[i].id;
	for (size_t i = 0; names && i < a->tables.n_models; i++)
		names[n++] = a->tables.models[i].id;
	did_you_mean(word, names, n, hint, sizeof hint);
	return usage_error(a->io, COMMAND_MODEL, "no model \"%s\"%s", shown_path(a, word),
		*hint ? hint : ", and no such file (ridge model lists the models)");
}

static int read_name(struct asked *a, const char *word)
{
	char err[256];
	const struct published_model *m = architecture_list_find(&a->list, word);
	const struct model *row = m ? NULL : model_find(&a->tables, word);
	a->published = m;
	if (m && architecture_list_read(m, &a->model, err, sizeof err)) {
		fprintf(a->io->err, "ridge model: %s\n", err);
		return STATUS_FAILED;
	}
	if (row) {
		a->model = architecture_of_model(row);
		a->table_params = row->params;
	}
	if (!m && !row)
		return refuse_name(a, word);
	a->name = m ? m->name : row->name;
	return 0;
}

/* --- As text --- */

static const char *of_heads(struct asked *a, const struct mixer *m)
{
	switch (m->kind) {
	case MIXING_NONE:
		return "";
	case MIXING_LATENT:
		return arena_printf(&a->arena, "%s heads, one latent of %s for all of them",
			brief(a, m->heads, ""), brief(a, m->cache_elements, ""));
	case MIXING_DELTA:
	case MIXING_MAMBA:
	case MIXING_CONV:
		return arena_printf(
			&a->arena, "a state of %s numbers", brief(a, m->state_elements, ""));
	default:
		return arena_printf(&a->arena, "%s heads of %s, %s KV heads",
			brief(a, m->heads, ""), brief(a, m->key_dim, ""),
			brief(a, m->kv_heads, ""));
	}
}

static const char *of_feed(struct asked *a, const struct feed *f)
{
	const char *dense =
		f->width > 0 ? arena_printf(&a->arena, "feed-forward of %s", brief(a, f->width, ""))
			     : "";
	if (f->experts <= 0)
		return dense;
	return arena_printf(&a->arena, "%s%s%s experts of %s, %s a token%s", dense,
		*dense ? ", and " : "", brief(a, f->experts, ""), brief(a, f->expert_width, ""),
		brief(a, f->per_token, ""), f->shared > 0 ? ", and what all tokens share" : "");
}

static void print_layers(struct asked *a)
{
	FILE *out = a->io->out;
	char pattern[TEXT_SIZE];
	const struct architecture *m = &a->model;
	fprintf(out, "%s: %s layers of %s, vocabulary %s%s%s%s\n", a->name, brief(a, m->layers, ""),
		brief(a, m->hidden, ""), brief(a, m->vocab, ""), m->context > 0 ? ", context " : "",
		m->context > 0 ? brief(a, m->context, "") : "", m->encoder ? ", an encoder" : "");
	for (size_t i = 0; i < m->n_groups; i++) {
		const struct layer_group *g = &m->groups[i];
		const char *heads = of_heads(a, &g->mixer), *feed = of_feed(a, &g->feed);
		fprintf(out, "  %4zu  %s%s%s%s%s\n", g->n,
			g->mixer.kind == MIXING_NONE ? feed : mixing_names[g->mixer.kind],
			g->mixer.window > 0 ? " of " : "",
			g->mixer.window > 0 ? brief(a, g->mixer.window, "token") : "",
			*heads ? ": " : "", heads);
		if (g->mixer.kind != MIXING_NONE && *feed)
			fprintf(out, "        %s\n", feed);
	}
	if (*architecture_pattern(m, pattern, sizeof pattern))
		fprintf(out, "        in this order: %s\n", pattern);
}

static const char *difference(struct asked *a, double counted_here, double published)
{
	char buf[32];
	double pct = 100 * (counted_here / published - 1);
	snprintf(buf, sizeof buf, "%+.2f %%", pct);
	return arena_text(&a->arena, buf);
}

/* Publishers count the input embedding, or not: the nearer of the two is compared. */
static double nearer_active(const struct parameter_count *c, double published)
{
	return fabs(c->active - published) < fabs(c->active_without_embedding - published)
		       ? c->active
		       : c->active_without_embedding;
}

static void print_published(struct asked *a, const struct parameter_count *c)
{
	FILE *out = a->io->out;
	const struct published_model *p = a->published;
	if (a->table_params > 0)
		fprintf(out, "  %-24s %10s              here %s\n", "the table says",
			counted(a, a->table_params), difference(a, c->total, a->table_params));
	if (!p)
		return;
	fprintf(out, "  %-24s %10s  %10s  here %s", "published", counted(a, p->params),
		p->active > 0 ? counted(a, p->active) : "", difference(a, c->total, p->params));
	if (p->active > 0)
		fprintf(out, ", %s", difference(a, nearer_active(c, p->active), p->active));
	fprintf(out, "\n  %-24s %s\n", "", p->source);
}

static double active_of(const struct architecture *m, const struct parameter_count *c, size_t part)
{
	double sum = 0;
	for (size_t i = 0; part == PART_EXPERTS && i < m->n_groups; i++)
		sum += (double)m->groups[i].n * m->groups[i].feed.per_token *
		       (m->groups[i].feed.expert + m->groups[i].feed.expert_rest);
	return part == PART_EXPERTS ? sum : c->parts[part];
}

static void print_parameters(struct asked *a)
{
	FILE *out = a->io->out;
	const struct architecture *m = &a->model;
	const struct parameter_count c = architecture_parameters(m);
	fprintf(out, "\n%-26s %10s  %10s\n", "Parameters", "all", "a token");
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++)
		if (c.parts[p] > 0)
			fprintf(out, "  %-24s %10s  %10s\n", weight_part_names[p],
				counted(a, c.parts[p]), counted(a, active_of(m, &c, p)));
	fprintf(out, "  %-24s %10s  %10s\n", "in all", counted(a, c.total), counted(a, c.active));
	if (c.active_without_embedding < c.active)
		fprintf(out, "  %-24s %10s  %10s\n", "without the embedding",
			counted(a, c.total - m->embedding), counted(a, c.active_without_embedding));
	print_published(a, &c);
	if (m->mtp_params > 0)
		fprintf(out, "  %-24s %10s  in none of these\n", "for further tokens",
			counted(a, m->mtp_params));
}

static void print_weights(struct asked *a)
{
	FILE *out = a->io->out;
	static const enum dtype others[] = { DTYPE_BF16, DTYPE_FP8, DTYPE_FP4 };
	const struct architecture *m = &a->model;
	double bytes[N_WEIGHT_PARTS];
	fprintf(out, "\n%-26s %10s  %s\n", "Weights",
		brief(a, architecture_weight_bytes(m, bytes), "B"), m->storage);
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++)
		if (bytes[p] > 0)
			fprintf(out, "  %-24s %10s\n", weight_part_names[p],
				brief(a, bytes[p], "B"));
	for (size_t i = 0; i < LENGTH(others); i++) {
		struct fit_goal goal = { .weights = others[i] };
		const struct architecture b = fit_stored(m, &goal);
		fprintf(out, "  %s%-*s %10s\n", "with products in ", 7, dtype_names[others[i]],
			brief(a, architecture_weight_bytes(&b, NULL), "B"));
	}
}

/* The contexts that are shown: the one asked for, what the model was made for, and two between. */
static size_t contexts_of(const struct asked *a, double contexts[MOST_CONTEXTS])
{
	static const double usual[] = { 4096, 32768, 131072 };
	const double most = a->model.context;
	size_t n = 0;
	for (size_t i = 0; i < LENGTH(usual); i++)
		if (most <= 0 || usual[i] < most)
			contexts[n++] = usual[i];
	if (most > 0)
		contexts[n++] = most;
	return n;
}

static void print_cache(struct asked *a)
{
	const struct architecture cached = fit_cached(&a->model, &a->goal);
	FILE *out = a->io->out;
	const struct cache_need c = architecture_cache(&cached);
	const double bytes = dtype_bytes(a->goal.kv);
	double contexts[MOST_CONTEXTS];
	size_t n = contexts_of(a, contexts);
	if (a->model.encoder) {
		fprintf(out, "\nCache                      none: an encoder generates nothing\n");
		return;
	}
	fprintf(out, "\n%-26s %10s  a token in %s\n", "Cache",
		brief(a, bytes * c.full_per_token, "B"), dtype_names[a->goal.kv]);
	if (c.windowed_per_token > 0)
		fprintf(out, "  %-24s %10s  a token, up to %s\n", "layers with a window",
			brief(a, bytes * c.windowed_per_token, "B"), brief(a, c.window, "token"));
	if (c.state > 0)
		fprintf(out, "  %-24s %10s  whatever the length\n", "states",
			brief(a, bytes * c.state, "B"));
	for (size_t i = 0; i < n; i++) {
		double here = bytes * architecture_cache_elements(&cached, contexts[i]);
		double whole = bytes * architecture_expanded_elements(&a->model, contexts[i]);
		fprintf(out, "  %-24s %10s", brief(a, contexts[i], "token"), brief(a, here, "B"));
		if (whole > 1.01 * here)
			fprintf(out, "  %s if nothing were left out", brief(a, whole, "B"));
		fputc('\n', out);
	}
}

static void print_work(struct asked *a)
{
	FILE *out = a->io->out;
	const struct architecture *m = &a->model;
	const double context = a->goal.context;
	fprintf(out, "\n%-26s %10s  for a token after %s\n", "Work",
		brief(a, architecture_token_flops(m, context), "FLOP"), brief(a, context, "token"));
	fprintf(out, "%-26s %10s  for a prompt of that length\n", "",
		brief(a, architecture_prompt_flops(m, context), "FLOP"));
}

static void print_fit(struct asked *a, const struct accelerator *g)
{
	FILE *out = a->io->out;
	const struct architecture m = fit_stored(&a->model, &a->goal);
	const struct model_fit f = model_fit_on(&m, &a->goal, g);
	if (isinf(f.gpus)) {
		fprintf(out, "  %-18s more than %d\n", g->name, MOST_FIT_GPUS);
		return;
	}
	fprintf(out, "  %-18s %5s  %9s  %9s %-7s  %8s", g->name, brief(a, f.gpus, ""),
		brief(a, f.longest_context, ""), brief(a, f.tokens_per_s, ""),
		f.compute_bound ? "compute" : "reads", brief(a, f.prefill_s, "s"));
	fprintf(out, isnan(f.usd_per_mtok) ? "\n" : "  %9s\n", brief(a, f.usd_per_mtok, "$"));
}

static void print_gpus(struct asked *a)
{
	FILE *out = a->io->out;
	if (a->model.encoder)
		return;
	fprintf(out,
		"\nThe fewest GPUs for %s of %s, weights %s.\n"
		"No faster than this, by bandwidth and peak alone: no communication, no losses of\n"
		"kernels.\n",
		a->goal.users == 1
			? "one sequence"
			: arena_printf(&a->arena, "%s sequences", brief(a, a->goal.users, "")),
		brief(a, a->goal.context, "token"),
		a->goal.stored ? "as stored"
			       : arena_printf(&a->arena, "in %s", dtype_names[a->goal.weights]));
	fprintf(out, "  %-18s %5s  %9s  %9s %-7s  %8s  %9s\n", "", "GPUs", "context", "tokens/s",
		"by", "prompt", "1M tokens");
	for (size_t i = 0; i < a->tables.n_gpus; i++)
		if (a->goal.gpu ? a->goal.gpu == &a->tables.gpus[i] : fit_lists(&a->tables.gpus[i]))
			print_fit(a, &a->tables.gpus[i]);
}

static void print_notes(struct asked *a)
{
	enum { WIDTH = 80 };
	FILE *out = a->io->out;
	struct text_line line;
	for (size_t i = 0; i < a->model.n_notes; i++) {
		const char *text = a->model.notes[i];
		fputs(i ? "" : "\n", out);
		while (text_wrap(&text, WIDTH, GLYPHS_ASCII, &line))
			fprintf(out, "%.*s\n", (int)line.bytes, line.start);
	}
}

static int print_text(struct asked *a)
{
	print_layers(a);
	print_parameters(a);
	print_weights(a);
	print_cache(a);
	print_work(a);
	print_gpus(a);
	print_notes(a);
	return printed_end(a->io->out) ? STATUS_FAILED : STATUS_DONE;
}

/* --- As JSON --- */

static cJSON *layers_json(const struct architecture *m)
{
	cJSON *all = cJSON_CreateArray();
	for (size_t i = 0; i < m->n_groups; i++) {
		const struct layer_group *g = &m->groups[i];
		cJSON *j = cJSON_CreateObject();
		json_add_number(j, "layers", (double)g->n);
		cJSON_AddStringToObject(j, "attention", mixing_ids[g->mixer.kind]);
		json_add_number(j, "heads", g->mixer.heads);
		json_add_number(j, "kv_heads", g->mixer.kv_heads);
		json_add_number(j, "key_dim", g->mixer.key_dim);
		json_add_number(j, "value_dim", g->mixer.value_dim);
		json_add_number(j, "window_tokens", g->mixer.window);
		json_add_number(j, "cache_elements", g->mixer.cache_elements);
		json_add_number(j, "state_elements", g->mixer.state_elements);
		json_add_number(j, "ffn", g->feed.width);
		json_add_number(j, "experts", g->feed.experts);
		json_add_number(j, "experts_per_token", g->feed.per_token);
		json_add_number(j, "expert_ffn", g->feed.expert_width);
		cJSON_AddItemToArray(all, j);
	}
	return all;
}

static cJSON *parameters_json(struct asked *a)
{
	const struct parameter_count c = architecture_parameters(&a->model);
	const struct published_model *p = a->published;
	cJSON *j = cJSON_CreateObject(), *parts = cJSON_AddObjectToObject(j, "parts");
	for (size_t i = 0; i < N_WEIGHT_PARTS; i++)
		json_add_number(parts, weight_part_ids[i], c.parts[i]);
	json_add_number(j, "total", c.total);
	json_add_number(
		j, "total_without_embedding", c.total - (a->model.tied ? 0 : a->model.embedding));
	json_add_number(j, "active", c.active);
	json_add_number(j, "active_without_embedding", c.active_without_embedding);
	json_add_number(j, "mtp", a->model.mtp_params);
	json_add_number(j, "published_total", p ? p->params : NAN);
	json_add_number(j, "published_active", p && p->active > 0 ? p->active : NAN);
	json_add_number(j, "total_diff_pct", p ? 100 * (c.total / p->params - 1) : NAN);
	json_add_number(j, "active_diff_pct",
		p && p->active > 0 ? 100 * (nearer_active(&c, p->active) / p->active - 1) : NAN);
	if (p)
		cJSON_AddStringToObject(j, "published_source", p->source);
	return j;
}

static cJSON *weights_json(const struct architecture *m)
{
	double bytes[N_WEIGHT_PARTS];
	cJSON *j = cJSON_CreateObject();
	cJSON_AddStringToObject(j, "stored", m->storage);
	json_add_number(j, "bytes", architecture_weight_bytes(m, bytes));
	cJSON *parts = cJSON_AddObjectToObject(j, "parts");
	for (size_t i = 0; i < N_WEIGHT_PARTS; i++)
		json_add_number(parts, weight_part_ids[i], bytes[i]);
	return j;
}

static cJSON *cache_json(const struct asked *a)
{
	const struct architecture cached = fit_cached(&a->model, &a->goal);
	const struct cache_need c = architecture_cache(&cached);
	const double bytes = dtype_bytes(a->goal.kv);
	double contexts[MOST_CONTEXTS];
	size_t n = contexts_of(a, contexts);
	cJSON *j = cJSON_CreateObject();
	cJSON_AddStringToObject(j, "dtype", dtype_ids[a->goal.kv]);
	json_add_number(j, "full_bytes_per_token", bytes * c.full_per_token);
	json_add_number(j, "windowed_bytes_per_token", bytes * c.windowed_per_token);
	json_add_number(j, "window_tokens", c.window);
	json_add_number(j, "state_bytes", bytes * c.state);
	json_add_number(j, "context_tokens", a->goal.context);
	json_add_number(j, "bytes", bytes * architecture_cache_elements(&cached, a->goal.context));
	json_add_number(j, "bytes_if_expanded",
		bytes * architecture_expanded_elements(&a->model, a->goal.context));
	cJSON *at = cJSON_AddArrayToObject(j, "contexts");
	for (size_t i = 0; i < n; i++) {
		cJSON *row = cJSON_CreateObject();
		json_add_number(row, "tokens", contexts[i]);
		json_add_number(
			row, "bytes", bytes * architecture_cache_elements(&cached, contexts[i]));
		cJSON_AddItemToArray(at, row);
	}
	return j;
}

static cJSON *gpu_json(const struct asked *a, const struct accelerator *g)
{
	const struct architecture m = fit_stored(&a->model, &a->goal);
	const struct model_fit f = model_fit_on(&m, &a->goal, g);
	cJSON *j = cJSON_CreateObject();
	cJSON_AddStringToObject(j, "gpu", g->id);
	json_add_number(j, "gpus", f.gpus);
	if (isinf(f.gpus))
		return j;
	json_add_number(j, "weight_bytes", f.weight_bytes);
	json_add_number(j, "cache_bytes", f.cache_bytes);
	json_add_number(j, "longest_context", f.longest_context);
	json_add_number(j, "decode_s_at_best", f.decode_s);
	json_add_number(j, "tokens_per_s_at_best", f.tokens_per_s);
	cJSON_AddStringToObject(j, "bound", f.compute_bound ? "compute" : "memory");
	json_add_number(j, "prefill_s_at_best", f.prefill_s);
	json_add_number(j, "usd_per_mtok_at_best", f.usd_per_mtok);
	return j;
}

static int print_json(struct asked *a)
{
	const struct architecture *m = &a->model;
	cJSON *root = cJSON_CreateObject();
	cJSON_AddNumberToObject(root, "schema", 1);
	cJSON_AddStringToObject(root, "model", a->name);
	cJSON_AddStringToObject(root, "model_type", m->type);
	json_add_number(root, "layers", m->layers);
	json_add_number(root, "hidden", m->hidden);
	json_add_number(root, "vocab", m->vocab);
	json_add_number(root, "context", m->context > 0 ? m->context : NAN);
	cJSON_AddBoolToObject(root, "tied", m->tied);
	cJSON_AddBoolToObject(root, "encoder", m->encoder);
	cJSON_AddItemToObject(root, "groups", layers_json(m));
	cJSON_AddItemToObject(root, "parameters", parameters_json(a));
	cJSON_AddItemToObject(root, "weights", weights_json(m));
	cJSON_AddItemToObject(root, "cache", cache_json(a));
	json_add_number(root, "flops_per_token", architecture_token_flops(m, a->goal.context));
	json_add_number(root, "prompt_flops", architecture_prompt_flops(m, a->goal.context));
	cJSON *gpus = cJSON_AddArrayToObject(root, "gpus");
	for (size_t i = 0; i < a->tables.n_gpus && !m->encoder; i++)
		if (a->goal.gpu ? a->goal.gpu == &a->tables.gpus[i] : fit_lists(&a->tables.gpus[i]))
			cJSON_AddItemToArray(gpus, gpu_json(a, &a->tables.gpus[i]));
	cJSON *notes = cJSON_AddArrayToObject(root, "notes");
	for (size_t i = 0; i < m->n_notes; i++)
		cJSON_AddItemToArray(notes, cJSON_CreateString(m->notes[i]));
	return json_print(root, a->io->out) ? STATUS_FAILED : STATUS_DONE;
}

/* --- The command --- */

static int list_models(struct asked *a)
{
	FILE *out = a->io->out;
	char err[256];
	fprintf(out, "%-20s %-24s %10s %10s  %s\n", "", "", "parameters", "a token", "32k cache");
	for (size_t i = 0; i < a->list.n; i++) {
		const struct published_model *p = &a->list.models[i];
		struct architecture m;
		if (architecture_list_read(p, &m, err, sizeof err)) {
			fprintf(a->io->err, "ridge model: %s\n", err);
			return STATUS_FAILED;
		}
		const struct parameter_count c = architecture_parameters(&m);
		fprintf(out, "%-20s %-24s %10s %10s  %s\n", p->id, p->name, counted(a, c.total),
			counted(a, c.active),
			brief(a, BF16_BYTES * architecture_cache_elements(&m, 32768), "B"));
	}
	fprintf(out, "and, each of plain layers:");
	size_t column = 80;
	for (size_t i = 0; i < a->tables.n_models; i++) {
		const char *id = a->tables.models[i].id;
		if (architecture_list_find(&a->list, id))
			continue;
		if (column + strlen(id) + 1 > 79) {
			fputs("\n  ", out);
			column = 2;
		}
		column += (size_t)fprintf(out, "%s ", id);
	}
	fputc('\n', out);
	return printed_end(out) ? STATUS_FAILED : STATUS_DONE;
}

static int answer(struct asked *a)
{
	double v[MAX_KNOBS];
	char err[320];
	const struct command_line *line = a->line;
	if (!line->n_words)
		return list_models(a);
	int rc = strcmp(line->words[0], "-") == 0 || own_config_is_path(line->words[0])
			 ? read_path(a, line->words[0])
			 : read_name(a, line->words[0]);
	if (rc)
		return rc;
	sim_defaults(&model_goals, &a->tables, v);
	for (size_t i = 1; i < line->n_words; i++)
		if (sim_read_setting(&model_goals, &a->tables, line->words[i], v, err, sizeof err))
			return usage_error(a->io, COMMAND_MODEL, "%s", err);
	a->goal = fit_goal_of(&a->tables, &a->model, v);
	return option_says_yes(line, OPTION_JSON) ? print_json(a) : print_text(a);
}

int cmd_model(const struct command_line *line, const struct streams *io)
{
	struct asked *a = calloc(1, sizeof *a);
	char err[256];
	int rc = STATUS_FAILED;
	if (!a || architecture_list_load(&a->list, err, sizeof err)) {
		fprintf(io->err, "ridge model: %s\n", a ? err : "out of memory");
	} else if (tables_load_for(&a->tables, "ridge model", io->err) == 0) {
		a->line = line;
		a->io = io;
		rc = answer(a);
		if (a->arena.failed) {
			fprintf(io->err, "ridge model: out of memory\n");
			rc = STATUS_FAILED;
		}
		tables_release(&a->tables);
	}
	if (a) {
		architecture_list_release(&a->list);
		arena_release(&a->arena);
	}
	free(a);
	return rc;
}
