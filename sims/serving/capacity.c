/* The simulation `capacity`: the cheapest GPUs that serve so many requests within the goals, tried on
 * a simulated replica; by what bounds; and what a fleet that is there serves. */
#include "sims/serving/capacity.h"

#include "sims/constants.h"
#include "sims/gpu/precision.h"
#include "sims/gpu/room.h"
#include "sims/figure/uncovered.h"
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/serving/capacity_figure.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const char *const layout_ids[] = { "replicated", "sharded", NULL };
/* The types of sims/gpu/precision.h in their order, and whichever is cheapest. */
static const char *const weight_ids[] = { "bf16", "fp8", "int8", "fp4", "int4", "any", NULL };
static const char *const weight_names[] = { "BF16", "FP8", "INT8", "FP4", "INT4", "any" };
static const char *const kv_ids[] = { "bf16", "fp8", "any", NULL };
static const char *const kv_names[] = { "BF16", "FP8", "any" };
static const char *const length_ids[] = { "exponential", "fixed", NULL };
static const char *const rule_ids[] = { "exact", "scaled", NULL };

static_assert(LENGTH(weight_ids) == N_VALUE_TYPES + 2, "each type, and any");
static_assert(LENGTH(weight_ids) == LENGTH(weight_names) + 1, "a name for every choice");
static_assert(LENGTH(kv_ids) == LENGTH(kv_names) + 1, "a name for every choice");

static const struct knob knobs[N_CAPACITY_KNOBS] = {
	[CAPACITY_REQUESTS_PER_S] = KNOB_FACTOR("requests_per_s", "requests", "req/s", 0, 100000, 0,
		1.25,
		"each brings a prompt to compute and tokens to decode; auto is 100, or what the "
		"users ask",
		.also = "rate_per_s", .zero = "auto", .stands_for = "rate_per_s"),
	[CAPACITY_PROMPT_TOKENS] = KNOB_DOUBLING("prompt_tokens", "prompt", "token", 1, 131072, 900,
		"prefilled once: compute, and time that no decode step gets"),
	[CAPACITY_OUTPUT_TOKENS] = KNOB_DOUBLING("output_tokens", "output", "token", 1, 32768, 200,
		"a longer answer keeps its user, and the cache, in the replica for longer"),
	[CAPACITY_MODEL] = KNOB_ANY_PARTS_OF("model", "model", "llama2-7b",
		"KV heads decide more than parameters: with 8 of them instead of 32 the cache is "
		"a quarter"),
	[CAPACITY_GPU] = KNOB_GPU_OR_ANY("a100",
		"memory holds the caches, bandwidth reads them once per token, compute takes the "
		"prompts"),
	[CAPACITY_ITL_MS] = KNOB_FACTOR("itl_ms", "token every", "ms", 1, 1000, 50, 1.25,
		"99 of 100 gaps between tokens must be shorter: a tighter goal allows fewer users "
		"per GPU, whatever the memory holds"),
	[CAPACITY_TTFT_MS] = KNOB_FACTOR("ttft_ms", "first token in", "ms", 1, 100000, 1000, 1.25,
		"99 of 100 first tokens must be there sooner, those of the longest prompts too",
		.group = "goals, users"),
	[CAPACITY_WEIGHT_DTYPE] =
		KNOB_CHOICE_OF("weight_dtype", "weights", weight_ids, weight_names, "int4",
			"shrinks what is small here: many users' caches outweigh the weights",
			.also = "quant_bits", .aliases = value_type_aliases),
	[CAPACITY_USERS] = KNOB_DOUBLING("users", "users at once", "", 0, 1000000, 0,
		"memory holds a cache for each; auto is Little's law: requests times the time of "
		"an answer",
		.group = "goals, users", .zero = "auto", .stands_for = "users"),
	[CAPACITY_CONTEXT] = KNOB_DOUBLING("context", "context", "token", 0, 131072, 0,
		"what each user holds in the cache on average; auto is the prompt and half of the "
		"answer",
		.group = "goals, users", .zero = "auto"),
	[CAPACITY_FLEET] = KNOB_DOUBLING("fleet", "GPUs you have", "GPU", 0, 100000, 0,
		"the other way round: what so many serve within the goals", .group = "goals, users",
		.zero = "none"),
	[CAPACITY_LAYOUT] = KNOB_CHOICE_OF("layout", "layout", layout_ids, NULL, "replicated",
		"replicas repeat the weights and fail alone; sharded, all GPUs share every layer "
		"and wait for each other twice in it",
		.group = "layout"),
	[CAPACITY_TP] = KNOB_WHOLE("tp", "tensor parallel", "GPU", 0, 64, 0,
		"GPUs that share every layer of a replica; auto: what costs least of 1, 2, 4 and 8",
		.group = "layout", .zero = "auto",
		.when = { WHEN(CAPACITY_LAYOUT, CAPACITY_REPLICATED) }),
	[CAPACITY_COPIES] = KNOB_WHOLE("attn_dp", "copies of attention", "", 0, 256, 0,
		"of a mixture's replica: each on `tp` GPUs, with requests of its own; they share "
		"the experts; auto: what costs least, on up to 64 GPUs",
		.group = "layout", .zero = "auto",
		.when = { WHEN(CAPACITY_LAYOUT, CAPACITY_REPLICATED) }),
	[CAPACITY_EP] = KNOB_WHOLE("ep", "expert groups", "", 0, 1024, 0,
		"of GPUs that hold some experts whole instead of a part of each; auto: what costs "
		"least",
		.group = "layout", .zero = "auto",
		.when = { WHEN(CAPACITY_LAYOUT, CAPACITY_REPLICATED) }),
	[CAPACITY_OVERLAP] = KNOB_SWITCH("overlap", "two batches in turn", 0,
		"with copies of attention one half of a batch computes while the tokens of the "
		"other travel, and weights are read twice",
		.group = "layout", .when = { WHEN(CAPACITY_LAYOUT, CAPACITY_REPLICATED) }),
	[CAPACITY_CHUNK_TOKENS] = KNOB_DOUBLING("chunk_tokens", "chunk", "token", 0, 8192, 0,
		"of a prompt that a step takes: shorter ones delay fewer tokens, and more steps "
		"read the weights; auto is the cheapest",
		.group = "layout", .zero = "auto"),
	[CAPACITY_ACT_DTYPE] = KNOB_CHOICE_OF("act_dtype", "activations", activation_ids,
		activation_names, "auto",
		"as the weights where the GPU computes in their type; in 16 bits the weights are "
		"widened on their way",
		.group = "layout"),
	[CAPACITY_KV_DTYPE] = KNOB_CHOICE_OF("kv_dtype", "KV cache", kv_ids, kv_names, "bf16",
		"FP8 halves what is held and what every step reads", .aliases = value_type_aliases,
		.group = "memory"),
	[CAPACITY_WASTE_PCT] = KNOB_LINEAR("waste_pct", "cache waste", "%", 0, 300, 4, 1,
		"paging leaves under 4 %; the 30 % that go round are not paging's",
		.group = "memory"),
	[CAPACITY_MEMORY_PCT] = KNOB_LINEAR("memory_pct", "memory used", "%", 10, 100, 80, 1,
		"the rest is for activations, the runtime and growth", .group = "memory"),
	[CAPACITY_KV_RULE] = KNOB_CHOICE_OF("kv_rule", "cache per token", rule_ids, NULL, "exact",
		"exact is from layers and KV heads; scaled, 0.5 MB per 7e9 parameters, is the "
		"rule that goes round (E75)",
		.group = "memory"),
	[CAPACITY_PARAMS] = KNOB_FACTOR("params", "params", "param", 0, 1e13, 0, 1.25,
		"for the weights' memory only; auto is the model's own count", .group = "memory",
		.zero = "auto"),
	[CAPACITY_PRICE] = KNOB_LINEAR("price_per_gpu_h", "price", "$/h", 0, 1000, 0, 0.1,
		"of one GPU; auto is a public cloud's, as the tables have it",
		.group = "cost, check", .zero = "auto"),
	[CAPACITY_LENGTHS] = KNOB_CHOICE_OF("lengths", "lengths", length_ids, NULL, "exponential",
		"real prompts and answers spread, and the long ones set the P99; benchmarks have "
		"fixed ones",
		.group = "cost, check"),
	[CAPACITY_CHECKED] = KNOB_DOUBLING("checked", "checked with", "req", 50, 4000, 1000,
		"requests that the simulated replica serves at least: a P99 of few of them is "
		"chance",
		.group = "cost, check"),
	[CAPACITY_SEED] =
		KNOB_SEED(0, 1e6, "other requests for the check: what changes with it is chance",
			.group = "cost, check"),
};

/* --- Values --- */

static const struct capacity_need *asked(const struct capacity *c)
{
	return &c->need;
}

static double goal_ttft_s(const struct capacity *c)
{
	return c->v[CAPACITY_TTFT_MS] / 1e3;
}

static double goal_itl_s(const struct capacity *c)
{
	return c->v[CAPACITY_ITL_MS] / 1e3;
}

static enum role met(double value_s, double goal_s)
{
	return value_s <= goal_s ? ROLE_GOOD : ROLE_BAD;
}

static bool simulated(const struct capacity *c)
{
	return c->best && !c->draft;
}

/* What a first look knows: so many or more. */
static double gpus_of(const struct capacity *c)
{
	return !c->best ? INFINITY : c->draft ? c->plan.gpus : c->best->gpus;
}

static double replicas_of(const struct capacity *c)
{
	return asked(c)->sharded ? 1 : gpus_of(c) / asked(c)->group;
}

/* Who is there at once: given, or Little's law of the simulated replica. */
static double users_of(const struct capacity *c)
{
	if (asked(c)->users > 0)
		return asked(c)->users;
	return simulated(c) ? c->best->check.mean_in_system * replicas_of(c) : NAN;
}

/* Who has a cache: whoever waits for room has none yet. */
static double holders_of(const struct capacity *c)
{
	return asked(c)->users > 0 ? asked(c)->users
				   : capacity_holders(&c->best->check) * replicas_of(c);
}

/* A whole number, "1,024". */
static const char *count_text(struct figure *fig, double n)
{
	return figure_quantity(fig, round(n), "");
}

static const char *replicas_text(const struct capacity *c, struct figure *fig)
{
	if (asked(c)->sharded)
		return "one group";
	return figure_text(fig, "%s replica%s of %.0f", count_text(fig, replicas_of(c)),
		replicas_of(c) > 1 ? "s" : "", asked(c)->group);
}

static void add_check_values(const struct capacity *c, struct figure *fig)
{
	const struct serving_summary *s = &c->best->check;
	value_note(figure_value(fig, "ttft_p99_ms", "first token P99", s->ttft_p99_s * 1e3, "ms",
			   met(s->ttft_p99_s, goal_ttft_s(c))),
		figure_text(fig, "goal %s", figure_quantity(fig, goal_ttft_s(c), "s")));
	value_note(figure_value(fig, "itl_p99_ms", "next token P99", s->itl_p99_s * 1e3, "ms",
			   met(s->itl_p99_s, goal_itl_s(c))),
		figure_text(fig, "goal %s", figure_quantity(fig, goal_itl_s(c), "s")));
	value_note(figure_value(fig, "itl_p50_ms", "next token P50", s->itl_p50_s * 1e3, "ms",
			   met(s->itl_p50_s, goal_itl_s(c))),
		"half of them");
}

static bool is_too_many(const struct capacity *c)
{
	return c->nearest && c->nearest->fate == LAYOUT_TOO_MANY;
}

/* Before anything was tried nothing is known of what it serves or costs. */
static void add_answer(const struct capacity *c, struct figure *fig)
{
	double gpus = gpus_of(c);
	if (c->search.fleet > 0 && c->draft) {
		value_note(figure_value(fig, "gpus", "GPUs", c->search.fleet, "GPU", ROLE_ACCENT),
			"given; what they serve is searched");
	} else if (c->search.fleet > 0) {
		value_note(figure_value(fig, "rate_per_s", "served",
				   simulated(c) ? c->best->rate_per_s : 0, "req/s", ROLE_ACCENT),
			c->best ? replicas_text(c, fig) : NULL);
		figure_value(fig, "gpus", "GPUs", c->best ? c->search.fleet : INFINITY, "GPU",
			ROLE_PLAIN);
	} else {
		value_note(figure_value(fig, "gpus", "needed", gpus, "GPU", ROLE_ACCENT),
			c->best          ? replicas_text(c, fig)
			: c->refusal     ? "a contradiction"
			: is_too_many(c) ? "more than a million"
					 : NULL);
	}
	if (c->draft)
		return;
	double usd = simulated(c) ? capacity_usd_per_token(c, c->best) : INFINITY;
	figure_value(fig, "usd_per_mtok", "1M output tokens", usd * 1e6, "$", ROLE_PLAIN);
	if (simulated(c))
		add_check_values(c, fig);
}

static void add_bounds(const struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = asked(c);
	const struct capacity_plan *p = &c->plan;
	figure_value(fig, "gpus_memory", "to hold it", p->memory, "GPU", ROLE_DIM);
	value_note(figure_value(fig, "gpus_bandwidth", "to decode", p->bandwidth, "GPU", ROLE_DIM),
		figure_text(fig, "decode within %.3g ms", n->itl_s * 1e3));
	value_note(figure_value(fig, "gpus_compute", "for prompts", p->compute, "GPU", ROLE_DIM),
		figure_text(fig, "%s prompt%s/s", figure_quantity(fig, n->requests_per_s, ""),
			n->requests_per_s == 1 ? "" : "s"));
	value_note(figure_value(fig, "gpus_speed", "for both", p->speed, "GPU", ROLE_DIM),
		"on average");
}

static void add_rest(const struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = asked(c);
	double users = users_of(c);
	if (!isnan(users)) {
		value_note(figure_value(fig, "users", "users at once", users, "", ROLE_PLAIN),
			n->users > 0 ? "given"
				     : figure_text(fig, "on %s",
					       figure_quantity(fig, gpus_of(c), "GPU")));
		/* Each replica has the weights. */
		double copies = isfinite(replicas_of(c)) ? fmax(1, replicas_of(c)) : 1;
		double all =
			capacity_total_bytes(n, holders_of(c)) + (copies - 1) * n->weight_bytes;
		value_note(figure_value(fig, "total_GB", "memory", all / 1e9, "GB", ROLE_DIM),
			figure_text(fig, "%.3g GB are weights", copies * n->weight_bytes / 1e9));
		value_note(figure_value(fig, "users_per_replica", "users a replica",
				   users / replicas_of(c), "", ROLE_DIM),
			isfinite(replicas_of(c))
				? figure_text(fig, "%s replica%s", count_text(fig, replicas_of(c)),
					  replicas_of(c) > 1 ? "s" : "")
				: NULL);
	}
	if (!(c->search.fleet > 0))
		figure_value(
			fig, "rate_per_s", "requests", asked(c)->requests_per_s, "req/s", ROLE_DIM);
	figure_value(
		fig, "kv_per_token_kB", "cache per token", n->kv_per_token / 1e3, "kB", ROLE_DIM);
	value_note(figure_value(
			   fig, "layouts", "layouts looked at", (double)c->search.n, "", ROLE_DIM),
		figure_text(fig, "%s simulation%s",
			figure_quantity(fig, (double)c->search.runs, ""),
			c->search.runs == 1 ? "" : "s"));
}

/* --- The sentence --- */

static const char *gpu_name(const struct capacity *c)
{
	return asked(c)->gpu->name;
}

static const char *rate_text(const struct capacity *c, struct figure *fig)
{
	(void)c;
	return figure_quantity(fig, asked(c)->requests_per_s, "");
}

static void explain_nothing(const struct capacity *c, struct figure *fig)
{
	const struct serving_layout *l = c->nearest ? c->nearest : c->search.layouts;
	if (is_too_many(c))
		figure_why(fig,
			"%s requests/s would take more than %s %s: no such fleet is there. Fewer "
			"requests, looser goals, or a faster GPU.",
			rate_text(c, fig), figure_quantity(fig, SENSIBLE_GPUS, ""), gpu_name(c));
	else if (c->search.fleet > 0)
		figure_why(fig, "%s %s serve nobody: %s.", count_text(fig, c->search.fleet),
			gpu_name(c), l ? capacity_fate_text(c, l) : "no layout is left");
	else if (asked(c)->sharded && isfinite(c->plan.memory))
		figure_why(fig,
			"Memory would do with %s GPUs, but all of them take part in each of %s "
			"prompts a second, and its all-reduces do not shrink: replicate.",
			count_text(fig, c->plan.memory), rate_text(c, fig));
	else if (asked(c)->sharded)
		figure_why(fig,
			"From %g GPUs on each holds a KV head of all users, and that is more than "
			"it has: only replicas share out the users.",
			asked(c)->model->kv_heads);
	else
		figure_why(fig,
			"No replica of %s holds %s and one user: %s. Fewer bits, or a larger GPU.",
			gpu_name(c), asked(c)->model->name,
			l ? capacity_fate_text(c, l) : "none is left");
}

/* The groups that were tried: more GPUs than these may do what they cannot. */
static const char *tried_text(const struct capacity *c, struct figure *fig)
{
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < c->search.n; i++) {
		least = fmin(least, c->search.layouts[i].need.group);
		most = fmax(most, c->search.layouts[i].need.group);
	}
	if (most == 1)
		return "single GPU";
	return figure_text(fig, "group of %s%.0f GPUs", least < most ? "up to " : "", most);
}

/* The plan is for goals that can be met, because those asked for cannot. */
static void explain_relaxed(const struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = asked(c);
	bool first = n->ttft_s > goal_ttft_s(c), next = n->itl_s > goal_itl_s(c);
	const char *ttft =
		figure_text(fig, "a first token in %s", figure_quantity(fig, goal_ttft_s(c), "s"));
	const char *itl =
		figure_text(fig, "a token every %s", figure_quantity(fig, goal_itl_s(c), "s"));
	const char *near_ttft =
		figure_text(fig, "%s to the first", figure_quantity(fig, n->ttft_s, "s"));
	const char *near_itl = figure_text(fig, "%s a token", figure_quantity(fig, n->itl_s, "s"));
	figure_why(fig, "No %s gives %s%s%s at P99, even to a lone user: %s%s%s takes %s %s.",
		tried_text(c, fig), first ? ttft : "", first && next ? " and " : "",
		next ? itl : "", first ? near_ttft : "", first && next ? ", " : "",
		next ? near_itl : "", count_text(fig, gpus_of(c)), gpu_name(c));
}

/* What a fleet serves beside what is asked of it: ", 26 more than the 80 asked for". */
static const char *against_asked(const struct capacity *c, struct figure *fig)
{
	double asked = c->v[CAPACITY_REQUESTS_PER_S], more = c->best->rate_per_s - asked;
	if (!(asked > 0))
		return "";
	if (fabs(more) < asked / 1000)
		return ", just what is asked";
	return figure_text(fig, ", %s %s than the %s asked for",
		figure_quantity(fig, fabs(more), ""), more > 0 ? "more" : "fewer",
		figure_quantity(fig, asked, ""));
}

static void explain_fleet(const struct capacity *c, struct figure *fig)
{
	double used = c->best->gpus;
	figure_why(fig,
		"%s %s serve%s %s requests/s within the goals%s, as %s replica%s of %.0f%s%s.",
		count_text(fig, c->search.fleet), gpu_name(c), c->search.fleet == 1 ? "s" : "",
		figure_quantity(fig, c->best->rate_per_s, ""), against_asked(c, fig),
		count_text(fig, replicas_of(c)), replicas_of(c) > 1 ? "s" : "", asked(c)->group,
		used < c->search.fleet ? figure_text(fig, "; %s stand idle",
						 count_text(fig, c->search.fleet - used))
				       : "",
		c->second ? figure_text(fig, "; replicas of %s serve %s",
				    capacity_layout_text(c, c->second),
				    figure_quantity(fig, c->second->rate_per_s, ""))
			  : "");
}

/* A number of GPUs to a tenth. */
static const char *tenths_text(struct figure *fig, double gpus)
{
	return figure_quantity(fig, round(10 * gpus) / 10, "");
}

/* How many, and what decides beyond what each bound alone would take. */
static void explain_plan(const struct capacity *c, struct figure *fig)
{
	const struct capacity_plan *p = &c->plan;
	const struct serving_summary *s = &c->best->check;
	double gpus = gpus_of(c);
	const struct capacity_busy busy =
		capacity_busy(&c->need, c->engines.n ? c->engines.shape : NULL, &c->plan);
	const double busy_gpus = busy.prompts + busy.decoding;
	const char *take = figure_text(fig, "%s request%s/s take %s %s", rate_text(c, fig),
		asked(c)->requests_per_s == 1 ? "" : "s", count_text(fig, gpus), gpu_name(c));
	if (gpus <= 1)
		figure_why(fig, "%s: one is enough.", take);
	else if (!asked(c)->sharded && replicas_of(c) == 1) /* nothing saves a GPU there */
		figure_why(fig, "%s: one replica is enough.", take);
	else if (p->memory >= gpus)
		figure_why(fig,
			"%s: room for the caches decides, %s would be fast enough. A smaller cache "
			"saves GPUs, a faster kernel does not.",
			take, count_text(fig, p->speed));
	else if (p->gpus >= gpus && busy_gpus >= gpus)
		/* As means have it: a run that is over may pass with fewer. */
		figure_why(fig, "%s, and all of them are always busy.", take);
	else if (p->gpus >= gpus && !asked(c)->sharded && gpus - busy_gpus < asked(c)->group)
		figure_why(fig, "%s: %s are busy, and %s.", take, tenths_text(fig, busy_gpus),
			asked(c)->group > 1
				? figure_text(fig, "a replica takes %.0f", asked(c)->group)
				: "GPUs come whole");
	else if (p->gpus >= gpus)
		figure_why(fig, "%s: prompts keep %s of them busy, decoding %s.", take,
			tenths_text(fig, busy.prompts), tenths_text(fig, busy.decoding));
	else
		figure_why(fig, "%s, %s of them for the slowest 1 %% of %s.", take,
			count_text(fig, gpus - p->gpus),
			s->ttft_p99_s / goal_ttft_s(c) > s->itl_p99_s / goal_itl_s(c)
				? "first tokens"
				: "tokens");
}

static void explain(const struct capacity *c, struct figure *fig)
{
	if (c->refusal)
		figure_why(fig, "%s. Give one of the two: the other follows.", c->refusal);
	else if (!c->best)
		explain_nothing(c, fig);
	else if (c->draft && c->search.fleet > 0)
		figure_why(fig,
			"What %s %s serve is being searched: %zu layouts on a simulated replica ...",
			count_text(fig, c->search.fleet), gpu_name(c), c->search.n);
	else if (c->draft)
		figure_why(fig,
			"On average %s %s would do: trying %zu layouts on a simulated replica ...",
			count_text(fig, gpus_of(c)), gpu_name(c), c->search.n);
	else if (c->relaxed)
		explain_relaxed(c, fig);
	else if (c->search.fleet > 0)
		explain_fleet(c, fig);
	else
		explain_plan(c, fig);
}

/* --- What to know about it --- */

static void warn_of_layout(const struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = asked(c);
	const double joined = gpu_domain(n->gpu), tp = capacity_layout(n, n->group).tp;
	double copies = capacity_kv_copies(n, n->group);
	if (tp > joined)
		figure_note(fig, ROLE_WARN,
			"A group of %.0f GPUs: fast links join %.0f of them, and the all-reduces of "
			"each layer are timed as inside of that.",
			tp, joined);
	if (n->model->heads > 0 && fmod(n->model->heads, tp) != 0)
		figure_note(fig, ROLE_WARN,
			"%g heads are not dealt out evenly to %.0f GPUs: servers refuse that.",
			n->model->heads, tp);
	if (copies > 1)
		figure_note(fig, ROLE_PLAIN,
			"A group of %.0f GPUs holds the cache %.3g times: each has all that its "
			"heads ask for.",
			tp, copies);
	if (n->copies > 1 && n->group > joined)
		figure_note(fig, ROLE_PLAIN,
			"Fast links join %.0f GPUs: between them and others tokens travel at %g "
			"GB/s for each GPU.",
			joined, NDR_CARD_GB_PER_S);
	if (!(model_experts(n->model) > 0) && (c->v[CAPACITY_EP] > 1 || c->v[CAPACITY_COPIES] > 1))
		figure_note(fig, ROLE_WARN,
			"%s has no experts: copies of it share nothing, and ep changes nothing.",
			n->model->name);
}

static void warn(const struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = asked(c);
	double held = n->prompt_tokens + n->output_tokens / 2;
	if (c->best)
		warn_of_layout(c, fig);
	else
		figure_note(fig, ROLE_WARN, "No plan: %s.",
			c->refusal                 ? "users and requests contradict each other"
			: is_too_many(c)           ? "it takes more than a million GPUs"
			: isfinite(c->plan.memory) ? "the goals are out of reach in this layout"
			: c->v[CAPACITY_LAYOUT] == CAPACITY_SHARDED
				? "replicated, each holds its own users only"
				: "more GPUs per replica (tp) share the weights");
	note_encoder(fig, n->model);
	if (c->refusal)
		return;
	if (held > 2 * n->context)
		figure_note(fig, ROLE_WARN,
			"Memory is planned for %s tokens a user, prompt and answers hold %s on "
			"average: the check serves the latter.",
			count_text(fig, n->context), count_text(fig, held));
	else if (capacity_history(n) > 0)
		figure_note(fig, ROLE_PLAIN,
			"Of %s tokens a user holds, %s are from before: cached, read for each token, "
			"not computed.",
			count_text(fig, n->context), count_text(fig, capacity_history(n)));
	if (!(c->search.layouts && c->search.layouts->price_per_h > 0))
		figure_note(fig, ROLE_PLAIN, "The tables have no price for %s.", gpu_name(c));
	if (n->context > n->model->context)
		figure_note(fig, ROLE_WARN,
			"%s was trained for %s tokens; more are planned all the same.",
			n->model->name, count_text(fig, n->model->context));
	if (c->v[CAPACITY_KV_RULE] > 0)
		figure_note(fig, ROLE_WARN,
			"Cache scaled from the parameter count: wrong wherever query heads share "
			"keys (E75); the exact one is %.3g kB per token.",
			capacity_token_bytes(n, 1) / 1e3);
}

/* What a GPU does that does nothing else; where prompts and decoding share steps they take fewer. */
static void assume_rates(const struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = asked(c);
	if (!c->engines.n || n->sharded)
		return;
	figure_assume(fig,
		"a GPU that does nothing else reads %s tokens of prompts a second, or writes %s",
		figure_about(fig, capacity_prompts_per_s(n, c->engines.shape) / n->group, ""),
		figure_about(fig, capacity_decodes_per_s(n, c->engines.shape) / n->group, ""));
}

static void assume(const struct capacity *c, struct figure *fig)
{
	figure_assume(fig, "GB = 1e9 B; kernel times %s",
		asked(c)->gpu->achieved.measured ? "fitted to measurements"
						 : "by the GPU's family");
	assume_rates(c, fig);
	figure_assume(fig, "check: Poisson arrivals, %s lengths; both goals at P99",
		length_ids[(size_t)c->v[CAPACITY_LENGTHS]]);
	if (c->search.unproven)
		figure_assume(fig,
			"%zu layouts that may be cheaper were not simulated: it would take long",
			c->search.unproven);
	figure_assume(fig, "price: an input; tokens per dollar count the output only");
	figure_leave_out(
		fig, "the host's time per step, a router that balances badly, failures (N + 1)");
	if (asked(c)->model->window > 0 || asked(c)->model->made_of)
		figure_assume(fig, "cache: windows, latent vectors and states counted at %s a user",
			figure_quantity(fig, asked(c)->context, "token"));
	if (model_experts(asked(c)->model) > 0)
		figure_assume(fig, "experts: equally often chosen, chance alone makes some busier; "
				   "copies of attention get requests evenly");
	figure_leave_out(fig, "shared prefixes, hours of less load, links between machines");
}

/* What the knobs of the list that are left to the plan come to. */
static void tell_left_open(const struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = asked(c);
	figure_left_open(fig, "context", n->context);
	figure_left_open(fig, "params", n->model->params);
	if (!c->best)
		return;
	const struct engine_layout how = capacity_layout(&c->best->need, c->best->need.group);
	figure_left_open(fig, "tp", how.tp);
	figure_left_open(fig, "attn_dp", how.copies);
	figure_left_open(fig, "ep", how.ep);
	figure_left_open(fig, "chunk_tokens", c->best->need.chunk_tokens);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct capacity c =
		capacity_answer(t, v, &fig->arena, fig->hurried, fig->go_on, fig->go_on_context);
	fig->unfinished = c.draft || c.search.found.stopped;
	if (!c.search.layouts || !c.search.n || c.search.found.stopped)
		return;
	figure_subtitle(fig, "%s, %s weights · %s", c.need.model->name,
		capacity_weights_text(&c.need), c.need.gpu->name);
	tell_left_open(&c, fig);
	add_answer(&c, fig);
	if (!c.refusal) {
		add_rest(&c, fig);
		add_bounds(&c, fig);
	}
	capacity_draw(&c, fig);
	explain(&c, fig);
	warn(&c, fig);
	assume(&c, fig);
}

const struct sim capacity_sim = {
	.id = "capacity",
	.title = "Capacity plan",
	.summary =
		"the cheapest GPUs for requests a second, lengths and goals; what a fleet serves",
	.page = "serving",
	.knobs = knobs,
	.n_knobs = N_CAPACITY_KNOBS,
	.STORY(CAPACITY_REQUESTS_PER_S, CAPACITY_PROMPT_TOKENS, CAPACITY_OUTPUT_TOKENS,
		CAPACITY_MODEL, CAPACITY_GPU, CAPACITY_ITL_MS, CAPACITY_WEIGHT_DTYPE),
	.try = "Set the model to Llama-3-8B. What decides now, and what would help?",
	.run = run,
	.slow = true,
};
