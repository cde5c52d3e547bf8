/* A kind of plan is a row: the simulation whose knobs are its goals, what it leaves open unless told,
 * and who answers and prints. */
#include "ui/commands/cmd_plan.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/quantity/quantity.h"
#include "sims/scaling/train_goals.h"
#include "sims/serving/capacity.h"
#include "ui/commands/export.h"
#include "ui/data/own_inputs.h"
#include "ui/data/tables_load.h"
#include "ui/files/printed.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATUS_DONE, STATUS_FAILED, TEXT_SIZE = 1024 };

struct asked {
	const struct command_line *line;
	struct tables *t;
	double v[MAX_KNOBS];
	bool json;
};

struct plan_kind {
	const char *name, *summary;
	const struct sim *sim;
	const char *const *open; /* settings that hold unless they are given; NULL-terminated */
	int (*answer)(const struct asked *a, const struct streams *io);
};

/* --- serve --- */

/* What the layout says itself when the simulation is opened at it. */
static bool is_of_layout(const char *word)
{
	static const char *const ids[] = { "gpu=", "weight_dtype=", "act_dtype=", "quant_bits=",
		"kv_dtype=", "tp=", "attn_dp=", "ep=", "chunk_tokens=" };
	for (size_t i = 0; i < LENGTH(ids); i++)
		if (strncmp(word, ids[i], strlen(ids[i])) == 0)
			return true;
	return false;
}

/* The command that opens this layout with the goals as they were typed. Returns buf. */
static char *open_command(const struct asked *a, const struct capacity *c,
	const struct serving_layout *l, char *buf, size_t size)
{
	size_t used = (size_t)snprintf(buf, size, "ridge open capacity");
	for (size_t i = 1; i < a->line->n_words && used < size; i++)
		if (!is_of_layout(a->line->words[i]))
			used += (size_t)snprintf(buf + used, size - used, " %s", a->line->words[i]);
	if (used < size)
		snprintf(buf + used, size - used, " %s", capacity_settings(c, l));
	return buf;
}

static const char *brief(struct arena *a, double x, const char *unit)
{
	char buf[64];
	return arena_text(a, quantity_brief(buf, sizeof buf, x, unit));
}

static void print_plan(const struct asked *a, const struct capacity *c, const char *place,
	const struct serving_layout *l, FILE *out)
{
	char command[TEXT_SIZE];
	double gpus = c->search.fleet > 0 ? c->search.fleet : l->gpus;
	fprintf(out, "%-10s %s replica%s of %s, chunks of %s\n", place,
		brief(c->arena, l->gpus / l->need.group, ""), l->gpus > l->need.group ? "s" : "",
		capacity_layout_text(c, l), brief(c->arena, l->need.chunk_tokens, ""));
	fprintf(out, "           %s %s for %s request%s/s", brief(c->arena, l->gpus, ""),
		l->need.gpu->name, brief(c->arena, l->rate_per_s, ""),
		l->rate_per_s == 1 ? "" : "s");
	if (l->price_per_h > 0)
		fprintf(out, ", $%s an hour, $%s for a million tokens",
			brief(c->arena, gpus * l->price_per_h, ""),
			brief(c->arena, capacity_usd_per_token(c, l) * 1e6, ""));
	fprintf(out, "\n           P99: first token %s (goal %s), next ones %s (goal %s)\n",
		brief(c->arena, l->check.ttft_p99_s, "s"),
		brief(c->arena, a->v[CAPACITY_TTFT_MS] / 1e3, "s"),
		brief(c->arena, l->check.itl_p99_s, "s"),
		brief(c->arena, a->v[CAPACITY_ITL_MS] / 1e3, "s"));
	fprintf(out, "           %s\n", open_command(a, c, l, command, sizeof command));
}

static void print_verdict(const struct asked *a, const struct capacity *c, FILE *out)
{
	const struct capacity_need *n = &c->need;
	(void)a;
	if (!c->best && c->search.n)
		fprintf(out, "No layout serves %s: %s.\n", n->model->name,
			capacity_fate_text(c, c->nearest ? c->nearest : c->search.layouts));
	else if (!c->best)
		fprintf(out, "No GPU of the tables has a price: give price_per_gpu_h.\n");
	else if (c->relaxed)
		fprintf(out,
			"No layout meets these goals, even for one user alone. The nearest that can "
			"be met:\n%s to the first token, %s to each next one.\n\n",
			brief(c->arena, n->ttft_s, "s"), brief(c->arena, n->itl_s, "s"));
}

static const char *least_text(const struct capacity *c, const struct serving_layout *l)
{
	if (l->fate == LAYOUT_PASSES)
		return c->search.fleet > 0 ? brief(c->arena, l->rate_per_s, "req/s")
					   : brief(c->arena, l->gpus, "GPU");
	if (l->fate != LAYOUT_LEFT_OUT || c->search.fleet > 0)
		return "-";
	return arena_printf(c->arena, "%s+ GPU%s", brief(c->arena, l->at_least, ""),
		l->at_least > 1 ? "s" : "");
}

/* What is left out would cost that or more: "$30+". */
static const char *price_text(const struct capacity *c, const struct serving_layout *l)
{
	bool passes = l->fate == LAYOUT_PASSES;
	if (!(l->price_per_h > 0) || c->search.fleet > 0 || !(passes || l->fate == LAYOUT_LEFT_OUT))
		return "-";
	return arena_printf(c->arena, "$%s%s",
		brief(c->arena, (passes ? l->gpus : l->at_least) * l->price_per_h, ""),
		passes ? "" : "+");
}

static const char *counted(struct arena *a, size_t n, const char *what)
{
	return arena_printf(a, "%s %s%s", brief(a, (double)n, ""), what, n == 1 ? "" : "s");
}

static void print_others(const struct capacity *c, FILE *out)
{
	const struct serving_layout *l[MOST_TOLD];
	size_t n = capacity_ranking(c, l, LENGTH(l)), first = 0;
	while (first < n && (l[first] == c->best || l[first] == c->second))
		first++;
	if (first < n)
		fprintf(out, "\n%-52s %-12s %9s  %s\n", "Others, by replica", "at least", "an hour",
			"why they lose");
	for (size_t i = first; i < n; i++)
		fprintf(out, "%-52s %-12s %9s  %s\n", capacity_layout_text(c, l[i]),
			least_text(c, l[i]), price_text(c, l[i]), capacity_fate_text(c, l[i]));
	fprintf(out, "\n%s looked at, %s of a replica\n", counted(c->arena, c->search.n, "layout"),
		counted(c->arena, c->search.runs, "simulation"));
	if (c->search.unproven > 0)
		fprintf(out, "%s may be cheaper: to simulate more would take too long\n",
			counted(c->arena, c->search.unproven, "layout"));
}

static cJSON *layout_json(
	const struct asked *a, const struct capacity *c, const struct serving_layout *l)
{
	char command[TEXT_SIZE];
	assert(l);
	cJSON *obj = cJSON_CreateObject();
	const bool passes = l->fate == LAYOUT_PASSES;
	cJSON_AddStringToObject(obj, "gpu", l->need.gpu->id);
	cJSON_AddStringToObject(obj, "weight_dtype", value_type_ids[l->need.weights]);
	cJSON_AddStringToObject(obj, "kv_dtype", dtype_ids[l->need.kv]);
	const struct engine_layout how = capacity_layout(&l->need, l->need.group);
	json_add_number(obj, "tp", how.tp);
	json_add_number(obj, "attn_dp", how.copies);
	json_add_number(obj, "ep", how.ep);
	json_add_number(obj, "chunk_tokens", l->need.chunk_tokens);
	json_add_number(obj, "gpus", passes ? l->gpus : INFINITY);
	json_add_number(obj, "replicas", passes ? l->gpus / l->need.group : INFINITY);
	json_add_number(obj, "gpus_at_least",
		passes                                               ? l->gpus
		: l->fate == LAYOUT_LEFT_OUT && c->search.fleet <= 0 ? l->at_least
								     : INFINITY);
	json_add_number(obj, "rate_per_s", passes ? l->rate_per_s : INFINITY);
	json_add_number(obj, "usd_per_h",
		passes && l->price_per_h > 0 ? l->gpus * l->price_per_h : INFINITY);
	json_add_number(
		obj, "usd_per_mtok", passes ? capacity_usd_per_token(c, l) * 1e6 : INFINITY);
	json_add_number(obj, "ttft_p99_ms", passes ? l->check.ttft_p99_s * 1e3 : INFINITY);
	json_add_number(obj, "itl_p99_ms", passes ? l->check.itl_p99_s * 1e3 : INFINITY);
	cJSON_AddStringToObject(obj, "why", capacity_fate_text(c, l));
	cJSON_AddStringToObject(obj, "open", open_command(a, c, l, command, sizeof command));
	return obj;
}

static int print_serve_json(const struct asked *a, const struct capacity *c, FILE *out)
{
	const struct serving_layout *l[MOST_TOLD];
	size_t n = capacity_ranking(c, l, LENGTH(l));
	cJSON *root = cJSON_CreateObject();
	cJSON_AddNumberToObject(root, "schema", 1);
	cJSON_AddStringToObject(root, "plan", "serve");
	cJSON_AddBoolToObject(root, "goals_met", c->best && !c->relaxed);
	json_add_number(root, "ttft_goal_ms", a->v[CAPACITY_TTFT_MS]);
	json_add_number(root, "itl_goal_ms", a->v[CAPACITY_ITL_MS]);
	json_add_number(root, "layouts", (double)c->search.n);
	json_add_number(root, "simulations", (double)c->search.runs);
	json_add_number(root, "not_simulated", (double)c->search.unproven);
	cJSON *plans = cJSON_AddArrayToObject(root, "plans");
	cJSON *others = cJSON_AddArrayToObject(root, "others");
	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(l[i] == c->best || l[i] == c->second ? plans : others,
			layout_json(a, c, l[i]));
	return json_print(root, out);
}

static int serve(const struct asked *a, const struct streams *io)
{
	struct arena arena = { 0 };
	int rc = STATUS_DONE;
	struct capacity c = capacity_answer(a->t, a->v, &arena, false, NULL, NULL);
	if (c.refusal) {
		rc = usage_error(io, COMMAND_PLAN, "%s", c.refusal);
	} else if (a->json) {
		rc = print_serve_json(a, &c, io->out) ? STATUS_FAILED : STATUS_DONE;
	} else {
		print_verdict(a, &c, io->out);
		if (c.best)
			print_plan(a, &c, "plan", c.best, io->out);
		if (c.second)
			print_plan(a, &c, "runner-up", c.second, io->out);
		print_others(&c, io->out);
	}
	if (arena.failed) {
		fprintf(io->err, "ridge plan: out of memory\n");
		rc = STATUS_FAILED;
	}
	arena_release(&arena);
	return rc;
}

/* --- train --- */

static void print_train_plan(const struct asked *a, const struct train_answer *t, const char *place,
	const struct train_plan *p, struct arena *arena, FILE *out)
{
	double hours = train_hours(t, p), gpu_hours = hours * t->goal.gpus;
	fprintf(out, "%-10s %s\n", place, train_layout_text(p, arena));
	fprintf(out, "           %s tokens/s of each GPU, MFU %s, a step of %s; %s of %s\n",
		brief(arena, p->tokens_per_s, ""), brief(arena, 100 * p->mfu, "%"),
		brief(arena, p->step_s, "s"), brief(arena, p->memory_bytes, "B"),
		brief(arena, t->goal.gpu->memory_bytes, "B"));
	fprintf(out, "           %s: %s, %s GPU-hours", brief(arena, t->tokens, "token"),
		brief(arena, hours * 3600, "s"), brief(arena, gpu_hours, ""));
	if (t->usd_per_gpu_h > 0)
		fprintf(out, ", $%s", brief(arena, gpu_hours * t->usd_per_gpu_h, ""));
	fprintf(out, "\n           ridge open parallelism %s\n", train_settings(t, a->v, p, arena));
}

static void print_train(
	const struct asked *a, const struct train_answer *t, struct arena *arena, FILE *out)
{
	const struct train_search *s = &t->search;
	const char *pinned = train_pins_text(a->v, arena);
	if (t->starved)
		fprintf(out, "%s\n\n", t->starved);
	if (s->n > 0)
		print_train_plan(a, t, "plan", &s->best[0], arena, out);
	else if (s->nearest.memory_bytes > 0)
		fprintf(out, "No layout%s fits %s on %s x %s: the nearest takes %s of %s.\n%s\n",
			pinned, t->goal.model->name, brief(arena, t->goal.gpus, ""),
			t->goal.gpu->name, brief(arena, s->nearest.memory_bytes, "B"),
			brief(arena, t->goal.gpu->memory_bytes, "B"),
			train_layout_text(&s->nearest, arena));
	else
		fprintf(out, "No layout%s deals %s to %s evenly: %s.\n", pinned,
			counted(arena, (size_t)t->goal.global_batch, "sequence"),
			brief(arena, t->goal.gpus, "GPU"), train_dealt_text(t, a->v, arena));
	if (s->n > 1)
		print_train_plan(a, t, "runner-up", &s->best[1], arena, out);
	if (s->n > 2)
		fprintf(out, "\n%-78s %s\n", "Others", "why they lose");
	for (size_t i = 2; i < s->n; i++)
		fprintf(out, "%-78s %s\n", train_layout_text(&s->best[i], arena),
			train_fate_text(t, &s->best[i], arena));
	fprintf(out,
		"\n%s looked at, %s of them %s not fit. Failures and restarts are not counted,\n"
		"nor what is not memory of the model; software=%s.\n",
		counted(arena, (size_t)s->considered, "layout"), brief(arena, s->no_room, ""),
		s->no_room == 1 ? "does" : "do", train_software_text(a->v));
	for (size_t i = 0; i < t->n_warnings; i++)
		fprintf(out, "%s\n", t->warnings[i]);
}

static cJSON *train_plan_json(const struct asked *a, const struct train_answer *t,
	const struct train_plan *p, struct arena *arena)
{
	cJSON *obj = cJSON_CreateObject();
	double hours = train_hours(t, p), gpu_hours = hours * t->goal.gpus;
	json_add_number(obj, "tp", p->setup.tp);
	json_add_number(obj, "pp", p->setup.pp);
	json_add_number(obj, "cp", p->setup.cp);
	json_add_number(obj, "dp", p->dp);
	json_add_number(obj, "zero", p->setup.zero);
	json_add_number(obj, "micro_batch", p->setup.batch);
	json_add_number(obj, "micro_batches", p->setup.micro_batches);
	json_add_number(obj, "virtual_stages", p->setup.chunks);
	json_add_number(obj, "tokens_per_s_per_gpu", p->tokens_per_s);
	json_add_number(obj, "mfu_pct", 100 * p->mfu);
	json_add_number(obj, "step_s", p->step_s);
	json_add_number(obj, "bubble_pct", 100 * p->bubble);
	json_add_number(obj, "memory_GB", p->memory_bytes / 1e9);
	json_add_number(obj, "hours", hours);
	json_add_number(obj, "gpu_hours", gpu_hours);
	json_add_number(obj, "usd", t->usd_per_gpu_h > 0 ? gpu_hours * t->usd_per_gpu_h : INFINITY);
	cJSON_AddStringToObject(obj, "layout", train_layout_text(p, arena));
	cJSON_AddStringToObject(obj, "why",
		p == &t->search.best[0] ? "the quickest" : train_fate_text(t, p, arena));
	cJSON_AddStringToObject(obj, "open",
		arena_printf(
			arena, "ridge open parallelism %s", train_settings(t, a->v, p, arena)));
	return obj;
}

static int print_train_json(
	const struct asked *a, const struct train_answer *t, struct arena *arena, FILE *out)
{
	cJSON *root = cJSON_CreateObject();
	cJSON_AddNumberToObject(root, "schema", 1);
	cJSON_AddStringToObject(root, "plan", "train");
	cJSON_AddBoolToObject(root, "fits", t->search.n > 0);
	json_add_number(root, "tokens", t->tokens);
	json_add_number(root, "batch_tokens", t->goal.global_batch * t->goal.seq);
	json_add_number(root, "layouts", t->search.considered);
	json_add_number(root, "no_room", t->search.no_room);
	if (t->starved)
		cJSON_AddStringToObject(root, "starved", t->starved);
	cJSON *plans = cJSON_AddArrayToObject(root, "plans");
	for (size_t i = 0; i < t->search.n; i++)
		cJSON_AddItemToArray(plans, train_plan_json(a, t, &t->search.best[i], arena));
	return json_print(root, out);
}

static int train(const struct asked *a, const struct streams *io)
{
	struct arena arena = { 0 };
	int rc = STATUS_DONE;
	struct train_answer t = train_answer(a->t, a->v, &arena);
	if (t.refusal)
		rc = usage_error(io, COMMAND_PLAN, "%s", t.refusal);
	else if (a->json)
		rc = print_train_json(a, &t, &arena, io->out) ? STATUS_FAILED : STATUS_DONE;
	else
		print_train(a, &t, &arena, io->out);
	if (arena.failed) {
		fprintf(io->err, "ridge plan: out of memory\n");
		rc = STATUS_FAILED;
	}
	arena_release(&arena);
	return rc;
}

/* --- The kinds --- */

static const char *const nothing_open[] = { NULL };

static const char *const serve_open[] = { "gpu=any", "weight_dtype=any", "kv_dtype=any", NULL };
static const struct plan_kind kinds[] = {
	{ "serve",
		"the cheapest GPUs that serve rate_per_s= within ttft_ms= and itl_ms=, for a "
		"model=, prompt_tokens= and output_tokens=; or what fleet= GPUs serve",
		&capacity_sim, serve_open, serve },
	{ "train",
		"the quickest layout that trains a model= on gpus= of gpu=, with tokens= in all "
		"and batch_tokens= a step, and what it costs; tp=, pp=, cp=, micro_batch=, schedule=, "
		"virtual_stages= and checkpointing= hold what is not to be searched",
		&train_goals, nothing_open, train },
};

static int refuse_kind(const struct streams *io, const char *name)
{
	const char *names[LENGTH(kinds)];
	char hint[HINT_SIZE];
	for (size_t i = 0; i < LENGTH(kinds); i++)
		names[i] = kinds[i].name;
	did_you_mean(name, names, LENGTH(names), hint, sizeof hint);
	return usage_error(io, COMMAND_PLAN, "no plan \"%.40s\"%s", name,
		*hint ? hint : " (ridge plan lists them)");
}

static int list(const struct streams *io)
{
	for (size_t i = 0; i < LENGTH(kinds); i++)
		fprintf(io->out, "%-8s %s\n", kinds[i].name, kinds[i].summary);
	return printed_end(io->out) ? STATUS_FAILED : STATUS_DONE;
}

static int answer(const struct plan_kind *k, struct asked *a, const struct streams *io)
{
	char err[320];
	sim_defaults(k->sim, a->t, a->v);
	for (size_t i = 0; k->open[i]; i++)
		if (sim_read_setting(k->sim, a->t, k->open[i], a->v, err, sizeof err))
			return usage_error(io, COMMAND_PLAN, "%s", err);
	if (a->line->n_words > 1 && own_inputs_read(a->t, k->sim, a->line->words + 1,
					    a->line->n_words - 1, err, sizeof err))
		return usage_error(io, COMMAND_PLAN, "%s", err);
	for (size_t i = 1; i < a->line->n_words; i++)
		if (sim_read_setting(k->sim, a->t, a->line->words[i], a->v, err, sizeof err))
			return usage_error(io, COMMAND_PLAN, "%s", err);
	int rc = k->answer(a, io);
	return rc == STATUS_DONE && printed_end(io->out) ? STATUS_FAILED : rc;
}

int cmd_plan(const struct command_line *line, const struct streams *io)
{
	struct tables t = { 0 };
	const struct plan_kind *kind = NULL;
	if (!line->n_words)
		return list(io);
	for (size_t i = 0; i < LENGTH(kinds); i++)
		if (strcmp(kinds[i].name, line->words[0]) == 0)
			kind = &kinds[i];
	if (!kind)
		return refuse_kind(io, line->words[0]);
	if (tables_load_for(&t, "ridge plan", io->err))
		return STATUS_FAILED;
	struct asked a = { .line = line, .t = &t, .json = option_says_yes(line, OPTION_JSON) };
	int rc = answer(kind, &a, io);
	tables_release(&t);
	return rc;
}
