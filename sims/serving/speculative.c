/* The simulation `speculative`: a small model drafts k tokens, the large one verifies all of them
 * in one pass and adds one of its own. Draft and verification as a timeline beside plain decoding,
 * the speed-up against k, and the batch from which on verification is not free any more. */
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/inference.h"
#include "sims/figure/sim.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"
#include "sims/gpu/precision.h"
#include "sims/gpu/room.h"
#include "sims/figure/uncovered.h"
#include "sims/gpu/engine.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	ACCEPTANCE,
	K,
	BRANCHES,
	TIMES,
	DRAFT_MS,
	TARGET_MS,
	MODEL,
	DRAFTER,
	DRAFT,
	GPU,
	TP,
	WEIGHTS,
	BATCH,
	CONTEXT,
	ROUNDS,
	SEED,
	N_KNOBS
};
enum { TYPED, ENGINE };
enum { BY_MODEL, BY_OWN_LAYER };
/* So few rounds are drawn that what each of them brings can stand in it. */
enum { MOST_K = 16, MOST_BRANCHES = 4, MOST_BATCH = 1024, FEWEST_ROUNDS = 3, MOST_ROUNDS = 5 };

static const char *const times[] = { "typed", "engine", NULL };
static const char *const time_names[] = { "set by hand", "from the models" };

static const char *const drafters[] = { "model", "mtp", NULL };
static const char *const drafter_names[] = { "another model", "a layer of its own" };

static_assert(LENGTH(times) == LENGTH(time_names) + 1, "a name for every choice");

static const struct knob knobs[N_KNOBS] = {
	[ACCEPTANCE] = KNOB_LINEAR("acceptance", "acceptance", "", 0, 1, 0.8, 0.05,
		"the chance that the target would have said the same: a property of the pair of "
		"models and of the text, not of the hardware"),
	[K] = KNOB_WHOLE("k", "drafted tokens", "token", 0, MOST_K, 5,
		"each further draft costs a step of the small model and is kept only if all "
		"before it were: returns fall geometrically, costs do not"),
	[BRANCHES] = KNOB_WHOLE("branches", "guesses a place", "", 1, MOST_BRANCHES, 1,
		"a tree of drafts: each is followed by so many guesses at the next token, and one "
		"that the target would have said is enough; all of them are verified at once",
		.group = "models"),
	[TIMES] = KNOB_CHOICE_OF("times", "step times", times, time_names, "typed",
		"set by hand: the textbook, verification costs one decode step; from the models: what "
		"the rooflines of both say, at this batch",
		.group = "models"),
	[DRAFT_MS] = KNOB_LINEAR("draft_ms", "draft step", "ms", 0, 1000, 2, 0.5,
		"paid k times a round, one after the other", .when = { WHEN(TIMES, TYPED) },
		.group = "models"),
	[TARGET_MS] = KNOB_LINEAR("target_ms", "target step", "ms", 0.1, 1000, 30, 1,
		"paid once a round", .when = { WHEN(TIMES, TYPED) }, .group = "models"),
	[MODEL] = KNOB_ANY_PARTS_OF("model", "target", "llama3-70b",
		"the model whose distribution the output keeps, exactly", .group = "models"),
	[DRAFTER] = KNOB_CHOICE_OF("drafter", "drafted by", drafters, drafter_names, "model",
		"a small model beside the large one, or a layer of the large one itself that was "
		"trained to say the tokens after the next (multi-token prediction)",
		.group = "models"),
	[DRAFT] = KNOB_ANY_PARTS_OF("draft", "draft", "llama3.2-1b",
		"must share the target's vocabulary; a better draft is accepted more often and "
		"costs more",
		.group = "models"),
	[GPU] = KNOB_ANY_GPU("h100",
		"its ridge point says how many tokens verification gets for the price of one",
		.group = "models"),
	[TP] = KNOB_DOUBLING("tp", "GPUs", "GPU", 1, 16, 4,
		"tensor parallel: shortens the target's step, hardly the draft's",
		.group = "models"),
	[WEIGHTS] = KNOB_CHOICE_OF("weight_dtype", "weights", value_type_ids, value_type_names,
		"bf16", "fewer bytes shorten decoding more than verification: less is left to gain",
		.also = "weights", .aliases = value_type_aliases, .group = "models"),
	[BATCH] = KNOB_DOUBLING("batch", "batch", "", 1, MOST_BATCH, 1,
		"verification computes (k + 1) tokens for every sequence: past the ridge these "
		"cost compute, and the gain is gone"),
	[CONTEXT] = KNOB_DOUBLING("context", "context", "token", 0, 131072, 2048,
		"a KV cache that dominates the bytes is read once for all k + 1 tokens: long "
		"contexts keep the gain at larger batches",
		.group = "models"),
	[ROUNDS] = KNOB_FACTOR("rounds", "rounds", "", 100, 100000, 10000, 10,
		"of the simulated run beside the closed form", .integer = true, .group = "the run"),
	[SEED] = KNOB_SEED(1, 1000, "another run of luck: the mean stays, the rounds differ",
		.group = "the run"),
};

/* Both models on the GPUs, worked out once for all k and batches. */
struct pair {
	struct engine_shape target, draft;
	double context, branches;
};

/* One more layer like the target's last one, and its head: what a layer for further tokens is. */
static struct engine_shape own_layer(const struct model *m, const struct accelerator *g,
	const double v[], enum value_type weights)
{
	struct model one = *m;
	struct architecture last;
	one.layers = 1;
	one.full_layers = m->full_layers > 0;
	if (m->made_of) {
		last = *m->made_of;
		last.groups[0] = last.groups[last.n_groups - 1];
		last.groups[0].n = 1;
		last.n_groups = 1;
		one.made_of = &last;
	}
	return engine_shape_typed(&one, g, (int)v[TP], weights, ACTIVATION_AUTO, VALUE_BF16);
}

static struct pair pair_of(const struct tables *t, const double v[])
{
	const struct accelerator *g = gpu_at(t, v[GPU]);
	const struct model *m = model_at(t, v[MODEL]), *d = model_at(t, v[DRAFT]);
	enum value_type weights = (enum value_type)v[WEIGHTS];
	/* The draft stays on one GPU: its heads do not divide as far, and its all-reduces would
	 * cost what they save. */
	return (struct pair){ engine_shape_typed(
				      m, g, (int)v[TP], weights, ACTIVATION_AUTO, VALUE_BF16),
		v[DRAFTER] == BY_OWN_LAYER
			? own_layer(m, g, v, weights)
			: engine_shape_typed(d, g, 1, weights, ACTIVATION_AUTO, VALUE_BF16),
		v[CONTEXT], v[BRANCHES] };
}

/* A place of the tree is passed where one of its guesses is right. */
static double kept_where(const double v[], double acceptance)
{
	return CALL(spec_tree_acceptance, .acceptance = acceptance, .branches = v[BRANCHES]);
}

static double kept_ratio(const double v[])
{
	return kept_where(v, v[ACCEPTANCE]);
}

static double verified_tokens(double branches, double k)
{
	return CALL(spec_tree_tokens, .branches = branches, .draft_tokens = k);
}

/* The times of a round, in s. verify covers k + 1 tokens of each sequence, or those of its tree; the
 * cache is read once for all of them. A draft step: the mean, for each level of a tree has more. */
struct round {
	double draft_s, verify_s, plain_s; /* one draft step, the verification, plain decoding */
};

static struct round round_of(const struct pair *p, double batch, double k)
{
	double kv = batch * p->context, draft_s = 0, level = batch;
	for (int i = 0; i < (int)fmax(1, k); i++, level *= p->branches)
		draft_s += engine_step_s(&p->draft, level, kv, 0, 0) / fmax(1, k);
	return (struct round){ draft_s,
		engine_step_s(&p->target, batch * verified_tokens(p->branches, k), kv, 0, 0),
		engine_step_s(&p->target, batch, kv, 0, 0) };
}

static struct round round_at(const struct pair *p, const double v[], double k)
{
	if (v[TIMES] == ENGINE)
		return round_of(p, v[BATCH], k);
	return (struct round){ v[DRAFT_MS] / 1e3, v[TARGET_MS] / 1e3, v[TARGET_MS] / 1e3 };
}

static double tokens_of(double acceptance, double k)
{
	return CALL(spec_decode_tokens, .acceptance = acceptance, .draft_tokens = k);
}

static double speedup_of(double acceptance, double k, struct round r)
{
	/* Where verification costs one step this is spec_decode_speedup. */
	return tokens_of(acceptance, k) * r.plain_s / (k * r.draft_s + r.verify_s);
}

static double best_k(const struct pair *p, const double v[])
{
	double best = 0, most = 0;
	for (int k = 0; k <= MOST_K; k++) {
		double s = speedup_of(kept_ratio(v), k, round_at(p, v, k));
		if (s > most) {
			most = s;
			best = k;
		}
	}
	return best;
}

static bool pays(const struct pair *p, const double v[], double batch)
{
	return speedup_of(kept_ratio(v), v[K], round_of(p, batch, v[K])) > 1;
}

/* The batch from which drafting costs more than it brings, by bisection on the logarithm; 1 where it never pays,
 * INFINITY where it still does at 4,096. A mixture of experts may lose at batch 1, where a few tokens more read many
 * experts more, and win later. */
static double break_even(const struct pair *p, const double v[])
{
	double lo = 1, hi = 4096;
	if (v[K] <= 0)
		return INFINITY; /* nothing to lose */
	if (pays(p, v, hi))
		return INFINITY;
	while (lo < hi && !pays(p, v, lo))
		lo *= 2;
	if (lo >= hi)
		return 1;
	while (hi / lo > 1.01) {
		double mid = sqrt(lo * hi);
		if (pays(p, v, mid))
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/* The tokens of one round: drafts until the first that is refused, and one of the target's own. */
static int draw_round(struct rng *r, double acceptance, int k)
{
	int kept = 0;
	while (kept < k && rng_uniform(r) < acceptance)
		kept++;
	return kept + 1;
}

/* A round brings a whole number of tokens. So many rounds are drawn that the average of a whole number
 * comes nearest to what a round brings on average. */
static int shown_rounds(const double v[])
{
	double mean = tokens_of(kept_ratio(v), v[K]), nearest = INFINITY;
	int best = FEWEST_ROUNDS;
	for (int n = FEWEST_ROUNDS; n <= MOST_ROUNDS; n++) {
		double off = fabs(round(n * mean) / n - mean);
		if (off < 0.9 * nearest) {
			nearest = off;
			best = n;
		}
	}
	return best;
}

/* A few rounds may be lucky or not: of some runs of them, the one that comes nearest to what so many
 * bring on average is drawn, so that the picture says what the numbers say. */
static struct rng typical_rounds(const double v[])
{
	enum { RUNS = 64 };
	int rounds = shown_rounds(v);
	double wanted = rounds * tokens_of(kept_ratio(v), v[K]), nearest = INFINITY;
	unsigned best = 0;
	for (unsigned run = 0; run < RUNS; run++) {
		struct rng rng = rng_stream((uint64_t)v[SEED], "speculative", run);
		double made = 0;
		for (int round = 0; round < rounds; round++)
			made += draw_round(&rng, kept_ratio(v), (int)v[K]);
		if (fabs(made - wanted) < nearest) {
			nearest = fabs(made - wanted);
			best = run;
		}
	}
	return rng_stream((uint64_t)v[SEED], "speculative", best);
}

enum { LANE_PLAIN, LANE_DRAFT, LANE_TARGET, N_LANES };
enum { KIND_PLAIN, KIND_DRAFT, KIND_VERIFY, N_KINDS };

/* The rounds, one after the other; returns when the last one ends, and in *tokens what all brought. */
static double draw_rounds_of(
	struct figure *fig, struct timeline *t, struct round r, const double v[], int *tokens)
{
	struct rng rng = typical_rounds(v);
	int k = (int)v[K], rounds = shown_rounds(v);
	double at = 0;
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < k; i++, at += r.draft_s)
			timeline_span(fig, t, LANE_DRAFT, KIND_DRAFT, at, at + r.draft_s, "");
		int made = draw_round(&rng, kept_ratio(v), k);
		timeline_span(fig, t, LANE_TARGET, KIND_VERIFY, at, at + r.verify_s,
			figure_text(fig, "+%d", made));
		at += r.verify_s;
		*tokens += made;
		figure_moment(fig, at,
			"round %d: %d of %d drafts kept, and one of the large model's own",
			round + 1, made - 1, k);
	}
	return at;
}

static int drawn_tokens(const double v[])
{
	struct rng rng = typical_rounds(v);
	int tokens = 0, rounds = shown_rounds(v);
	for (int i = 0; i < rounds; i++)
		tokens += draw_round(&rng, kept_ratio(v), (int)v[K]);
	return tokens;
}

/* Where so few rounds cannot bring what they do on average, who divides the two times of the lanes finds
 * another speed-up than that of the sentence: the title says so. */
static const char *timeline_title(const double v[], struct figure *fig)
{
	const double about = 0.02;
	int tokens = drawn_tokens(v), rounds = shown_rounds(v);
	double mean = rounds * tokens_of(kept_ratio(v), v[K]);
	const char *drawn = figure_quantity(fig, tokens, "token");
	if (fabs(tokens - mean) <= about * mean)
		return figure_text(fig, "%s, plain and in %d rounds", drawn, rounds);
	return figure_text(fig, "%s, plain and in %d rounds (%s on average)", drawn, rounds,
		figure_quantity(fig, mean, ""));
}

static void draw_timeline(struct round r, const double v[], struct figure *fig)
{
	static const char *const lanes[N_LANES] = { "plain", "draft", "verify" };
	static const char *const kinds[N_KINDS] = { "plain", "draft", "verify" };
	struct timeline *t =
		figure_timeline(fig, timeline_title(v, fig), lanes, N_LANES, kinds, N_KINDS);
	static const enum meaning means[N_KINDS] = { MEANS_COMPUTE, MEANS_FIXED, MEANS_SECOND };
	timeline_mean(fig, t, means, N_KINDS);
	figure_tab(fig, "Rounds");
	int tokens = 0;
	double at = draw_rounds_of(fig, t, r, v, &tokens), plain_s = tokens * r.plain_s;
	for (int i = 0; i < tokens; i++)
		timeline_span(
			fig, t, LANE_PLAIN, KIND_PLAIN, i * r.plain_s, (i + 1) * r.plain_s, "");
	fig->duration_s = fmax(at, plain_s);
	timeline_note(fig, t, LANE_PLAIN, figure_quantity(fig, 1e3 * plain_s, "ms"));
	timeline_note(fig, t, LANE_TARGET, figure_quantity(fig, 1e3 * at, "ms"));
	timeline_rule(fig, t, at,
		figure_text(fig, "all %d done, plain has %.0f", tokens,
			fmin(floor(at / r.plain_s), tokens)),
		ROLE_ACCENT);
}

enum { CELL_NONE, CELL_KEPT, CELL_OWN, CELL_LOST, N_CELLS };

/* The rounds that are over by then, with the tokens that they brought counted. */
static void fill_kept(struct figure *fig, struct grid *g, size_t frame, const int made[], int k)
{
	unsigned token = 0;
	for (size_t row = 0; row < frame; row++)
		for (int i = 0; i <= k; i++) {
			bool counts = i < made[row];
			grid_set(g, frame, row, (size_t)i,
				!counts              ? CELL_LOST
				: i + 1 == made[row] ? CELL_OWN
						     : CELL_KEPT);
			if (counts)
				grid_write(fig, g, frame, row, (size_t)i, ++token, 0);
		}
}

/* What becomes of the drafts of these rounds: kept until the first that is refused, in whose place the
 * target says a token of its own, and all behind it is thrown away. A row appears when its round is
 * over. */
static void draw_kept(struct round r, const double v[], struct figure *fig)
{
	static const char *const kinds[N_CELLS] = { "", "draft kept", "the large model's own",
		"thrown away" };
	static const enum meaning means[N_CELLS] = { MEANS_EMPTY, MEANS_FIXED, MEANS_SECOND,
		MEANS_HELD };
	const char *names[MOST_ROUNDS];
	double ends_s[MOST_ROUNDS + 1] = { 0 };
	int k = (int)v[K], made[MOST_ROUNDS];
	size_t rounds = (size_t)shown_rounds(v);
	struct rng rng = typical_rounds(v);
	for (size_t i = 0; i < rounds; i++) {
		made[i] = draw_round(&rng, kept_ratio(v), k);
		names[i] = figure_text(fig, "+%d token%s", made[i], made[i] > 1 ? "s" : "");
		ends_s[i + 1] = (double)(i + 1) * (k * r.draft_s + r.verify_s);
	}
	if (k == 0)
		return;
	struct grid *g = figure_grid(fig, figure_text(fig, "What became of %d drafts a round", k),
		kinds, N_CELLS, names, rounds, (size_t)k + 1, ends_s, rounds + 1);
	grid_mean(fig, g, means, N_CELLS);
	figure_tab(fig, "Drafts");
	for (size_t frame = 1; frame <= rounds; frame++)
		fill_kept(fig, g, frame, made, k);
	if (g)
		g->apart = true;
}

/* A point that is called what it is. */
static void mark_named(struct figure *fig, struct plot *plot, double x, double y, enum role role,
	enum meaning meaning, const char *name)
{
	series_mark(fig, plot_series(fig, plot, name, SERIES_POINTS, meaning), x, y, name, role);
}

static void draw_over_k(const struct pair *p, const double v[], double speedup, double best,
	double best_speedup, struct figure *fig)
{
	struct plot *plot = figure_plot(fig, "How far to draft", "drafted tokens", "", AXIS_LINEAR,
		"speed-up", "x", AXIS_LINEAR);
	figure_tab(fig, "How far");
	static const double others[] = { 0.6, 0.9 };
	for (unsigned i = 0; i < 3; i++) {
		double a = i == 0 ? v[ACCEPTANCE] : others[i - 1];
		if (i > 0 && fabs(a - v[ACCEPTANCE]) < 0.04)
			continue;
		struct series *s =
			plot_series(fig, plot, figure_text(fig, "%.3g %% accepted", 100 * a),
				i == 0 ? SERIES_LINE : SERIES_DASHED, i);
		for (int k = 0; k <= MOST_K; k++)
			series_point(fig, s, k, speedup_of(kept_where(v, a), k, round_at(p, v, k)));
	}
	bool there = v[K] == best;
	mark_named(fig, plot, v[K], speedup, ROLE_ACCENT, MEANS_FOCUS,
		figure_text(fig, there ? "here, the best: %.3gx" : "here: %.3gx", speedup));
	if (!there)
		mark_named(fig, plot, best, best_speedup, ROLE_PLAIN, MEANS_KIND,
			figure_text(fig, "best: draft %g, %.3gx", best, best_speedup));
	plot_rule(fig, plot, true, 1, "plain decoding", ROLE_DIM);
	plot_slider(fig, plot, "k", v[K]);
}

/* "4 x H100 SXM" */
static const char *gpus_text(const struct tables *t, const double v[], struct figure *fig)
{
	return figure_text(fig, "%g x %s", v[TP], gpu_at(t, v[GPU])->name);
}

static void draw_over_batch(const struct pair *p, const double v[], double even, struct figure *fig)
{
	/* Typed times know no batch: the curve is of the models, and starts elsewhere. */
	const char *title = "A large batch kills it";
	if (v[TIMES] == TYPED)
		title = "With the models' own times a large batch kills it";
	struct plot *plot =
		figure_plot(fig, title, "batch", "", AXIS_LOG2, "speed-up", "x", AXIS_LINEAR);
	figure_tab(fig, "Batch");
	struct series *s =
		plot_series(fig, plot, figure_text(fig, "draft %g", v[K]), SERIES_LINE, 0);
	for (double b = 1; b <= MOST_BATCH; b *= sqrt(2))
		series_point(fig, s, b, speedup_of(kept_ratio(v), v[K], round_of(p, b, v[K])));
	plot_rule(fig, plot, true, 1, "plain decoding", ROLE_DIM);
	if (even > 1 && even <= MOST_BATCH)
		plot_rule(
			fig, plot, false, even, figure_text(fig, "even at %.0f", even), ROLE_WARN);
	plot_slider(fig, plot, "batch", v[BATCH]);
}

/* Published speed-ups of one GPU over the tokens that their rounds brought, whatever drafted:
 * beside what this round would be worth at each acceptance. */
static void draw_measured(
	const struct tables *t, const struct pair *p, const double v[], struct figure *fig)
{
	enum { MOST = 40, WANT = 2 };
	static const char *const want[WANT] = { "mean_accepted_tokens", "speedup_overall" };
	bool typed = v[TIMES] == TYPED;
	const struct accelerator *g = typed ? gpu_find(t, "a100") : gpu_at(t, v[GPU]);
	const struct measured_condition c[] = { { "device", g ? g->id : "-", 0, 0 } };
	double rows[MOST][WANT], tokens = tokens_of(kept_ratio(v), v[K]);
	size_t best = 0, n = !g || (!typed && v[BATCH] > 1)
				     ? 0
				     : measured_points(fig->memo, t, "speculative", c, 1, want,
					       WANT, rows[0], MOST);
	if (n == 0 || !overlay_error(fig, t, "speculative", "", 0,
			      "Vicuna-7B at batch 1, eager, on A100")) {
		overlay_outside(fig, "no speculation on %s at batch %g; rooflines of both models",
			gpu_at(t, v[GPU])->name, v[BATCH]);
		return;
	}
	struct plot *plot = figure_plot(fig, "What a round brings", "tokens a round", "",
		AXIS_LINEAR, "speed-up", "x", AXIS_LINEAR);
	figure_tab(fig, "Published");
	struct series *line =
		plot_series(fig, plot, figure_text(fig, "draft %g", v[K]), SERIES_LINE, 0);
	struct round r = round_at(p, v, v[K]);
	for (double a = 0; a <= 1.001; a += 0.05)
		series_point(
			fig, line, tokens_of(fmin(a, 1), v[K]), speedup_of(fmin(a, 1), v[K], r));
	struct series *s = overlay_series(fig, plot, "measured, trees and all", 6);
	for (size_t i = 0; i < n; i++) {
		series_mark(fig, s, rows[i][0], rows[i][1], NULL, ROLE_PLAIN);
		if (overlay_distance(rows[i][0], tokens) < overlay_distance(rows[best][0], tokens))
			best = i;
	}
	plot_rule(fig, plot, false, tokens, "here", ROLE_ACCENT);
	overlay_nearest(fig, t, "speculative",
		"%.3g tokens a round were worth %.3gx for Vicuna-7B on %s at batch 1",
		rows[best][0], rows[best][1], g->name);
}

/* How often a round brings so many tokens: by the law, with a tick where a run of them has it. Returns the
 * run's mean. */
static double draw_yield(const double v[], struct figure *fig)
{
	static const enum meaning means[] = { MEANS_COMPUTE };
	int k = (int)v[K];
	double count[MOST_K + 2] = { 0 }, total = 0, kept = 1;
	struct rng rng = rng_stream((uint64_t)v[SEED], "speculative rounds", 0);
	for (int i = 0; i < (int)v[ROUNDS]; i++) {
		int made = draw_round(&rng, kept_ratio(v), k);
		count[made]++;
		total += made;
	}
	struct bars *b = figure_bars(
		fig, "How often a round brings ...", "%", (const char *[]){ "of the rounds" }, 1);
	bars_mean(fig, b, means, LENGTH(means));
	figure_tab(fig, "Yield");
	for (int n = 1; n <= k + 1; n++, kept *= kept_ratio(v)) {
		double law = n <= k ? kept * (1 - kept_ratio(v)) : kept;
		struct bar *bar =
			bars_add(fig, b, figure_text(fig, "%d token%s", n, n > 1 ? "s" : ""),
				(double[]){ 100 * law });
		if (bar)
			bar->mark = 100 * count[n] / v[ROUNDS];
	}
	if (b) {
		b->close = true;
		b->mark_label =
			figure_text(fig, "drawn in %s rounds", figure_quantity(fig, v[ROUNDS], ""));
	}
	return total / v[ROUNDS];
}

static void read_for_the_reader(const double v[], struct round r, double speedup, double best,
	double best_speedup, double even, struct figure *fig)
{
	const double about_one = 1.05; /* steps that verification takes */
	double draft_s = v[K] * r.draft_s;
	double tokens = tokens_of(kept_ratio(v), v[K]);
	/* What the lanes show. */
	const int drawn = drawn_tokens(v);
	const char *with = figure_text(fig, "%d tokens take %s", drawn,
			   figure_quantity(fig, shown_rounds(v) * (draft_s + r.verify_s), "s")),
		   *without = figure_quantity(fig, drawn * r.plain_s, "s");
	if (v[K] <= 0)
		figure_why(fig, "Nothing is drafted: every token costs a step of the target.");
	else if (speedup < 1 && r.verify_s < about_one * r.plain_s)
		figure_why(fig,
			"Slower than plain decoding, %.3gx: %s of a round of %s go into drafts, of "
			"which %.2g of %g are kept.",
			speedup, figure_quantity(fig, draft_s, "s"),
			figure_quantity(fig, draft_s + r.verify_s, "s"), tokens - 1, v[K]);
	else if (speedup < 1)
		figure_why(fig,
			"Slower than plain decoding, %.3gx: at batch %g verification computes %s, "
			"and they are no longer free.",
			speedup, v[BATCH],
			figure_quantity(
				fig, v[BATCH] * verified_tokens(v[BRANCHES], v[K]), "token"));
	else if (best < v[K] - 1)
		figure_why(fig,
			"%.3gx faster on average, but too far: all %g drafts are kept %.2g %% of "
			"the time. Draft %g for %.3gx.",
			speedup, v[K], 100 * pow(kept_ratio(v), v[K]), best, best_speedup);
	else if (isfinite(even) && even > v[BATCH] && v[TIMES] == ENGINE)
		figure_why(fig,
			"%s with drafts, %s without; from a batch of %.0f on drafts do not pay.",
			with, without, even);
	else
		figure_why(fig, "%s with drafts, %s without: %.3gx as fast on average.", with,
			without, speedup);
}

/* A layer for further tokens is about one of the target's layers. */
static double draft_bytes(
	const struct model *m, const struct model *d, const double v[], enum dtype type)
{
	return v[DRAFTER] == BY_OWN_LAYER ? model_weight_bytes(m, type) / m->layers
					  : model_weight_bytes(d, type);
}

/* The target's weights and, in the same type, the draft's. */
static void warn_of_memory(const struct tables *t, const double v[], struct figure *fig)
{
	const struct model *m = model_at(t, v[MODEL]), *d = model_at(t, v[DRAFT]);
	enum value_type type = (enum value_type)v[WEIGHTS];
	double bytes = model_weight_bytes(m, value_type_dtype(type)) +
		       (v[K] > 0 ? draft_bytes(m, d, v, value_type_dtype(type)) : 0);
	warn_too_large(fig, m, value_type_names[type], bytes, gpu_at(t, v[GPU]), v[TP], true);
}

static void warn_of_own_layer(const struct model *m, struct figure *fig)
{
	bool has = m->made_of && m->made_of->mtp_params != 0;
	if (!has)
		figure_note(fig, ROLE_WARN,
			"%s comes without a layer for further tokens: one like its last layer stands "
			"in.",
			m->name);
	else
		figure_assume(fig, "the layer for further tokens takes what the last layer and the "
				   "head do, and is asked again for each further token");
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct pair p = pair_of(t, v);
	struct round r = round_at(&p, v, v[K]);
	double speedup = speedup_of(kept_ratio(v), v[K], r), best = best_k(&p, v);
	double best_speedup = speedup_of(kept_ratio(v), best, round_at(&p, v, best));
	double tokens = tokens_of(kept_ratio(v), v[K]), even = break_even(&p, v);
	double round_s = v[K] * r.draft_s + r.verify_s;
	const bool own = v[TIMES] == ENGINE && v[DRAFTER] == BY_OWN_LAYER;
	const struct model *m = model_at(t, v[MODEL]), *d = model_at(t, v[DRAFT]);
	if (v[TIMES] == ENGINE)
		figure_subtitle(fig, "%s drafted by %s on %s · batch %g", m->name,
			own ? "a layer of its own" : d->name, gpus_text(t, v, fig), v[BATCH]);
	else
		figure_subtitle(fig, "%g ms drafts for a %g ms step", v[DRAFT_MS], v[TARGET_MS]);
	figure_value(
		fig, "speedup", "speed-up", speedup, "x", speedup < 1 ? ROLE_BAD : ROLE_ACCENT);
	value_note(figure_value(fig, "tokens_per_round", "tokens a round", tokens, "", ROLE_PLAIN),
		figure_text(fig, "of %g at most", v[K] + 1));
	figure_value(fig, "round_ms", "a round", round_s * 1e3, "ms", ROLE_PLAIN);
	value_note(figure_value(fig, "itl_ms", "time per token", round_s * 1e3 / tokens, "ms",
			   ROLE_PLAIN),
		figure_text(fig, "plain %.3g ms", r.plain_s * 1e3));
	value_note(figure_value(fig, "break_even_batch", "pays up to batch", even, "", ROLE_PLAIN),
		isnan(even)         ? "nothing is drafted"
		: isinf(even)       ? "still at 4,096"
		: v[TIMES] == TYPED ? figure_text(fig, "of %s", m->name)
				    : NULL);
	value_note(figure_value(fig, "best_k", "best: draft", best, "", ROLE_DIM),
		figure_text(fig, "%.3gx faster", best_speedup));
	draw_timeline(r, v, fig);
	draw_kept(r, v, fig);
	draw_over_k(&p, v, speedup, best, best_speedup, fig);
	draw_over_batch(&p, v, even, fig);
	double simulated = draw_yield(v, fig);
	draw_measured(t, &p, v, fig);
	value_note(figure_value(fig, "simulated_tokens", "tokens, drawn", simulated, "", ROLE_DIM),
		figure_text(fig, "a round, mean of %s", figure_quantity(fig, v[ROUNDS], "")));
	read_for_the_reader(v, r, speedup, best, best_speedup, even, fig);
	if (v[TIMES] == ENGINE)
		warn_of_memory(t, v, fig);
	if (v[TIMES] == ENGINE)
		note_encoder(fig, m);
	if (own)
		warn_of_own_layer(m, fig);
	if (v[TIMES] == ENGINE && !own && d->params > m->params / 2)
		figure_note(fig, ROLE_WARN,
			"A draft of more than half the target's size costs about as much as it "
			"saves.");
	if (v[TIMES] == ENGINE && !own && d->vocab != m->vocab)
		figure_note(fig, ROLE_WARN,
			"%s and %s have different vocabularies: drafts would have to be "
			"translated.",
			d->name, m->name);
	figure_assume(fig, "each draft is accepted with the same probability, independently");
	figure_assume(fig, "drafting and verification alternate; nothing overlaps");
	if (!own)
		figure_assume(fig, "the draft model runs on one GPU of the group");
	if (v[BRANCHES] > 1)
		figure_assume(fig,
			"%g guesses at each place are right independently, each as often as the "
			"first: a place is passed %.3g %% of the time, and %.0f tokens are verified",
			v[BRANCHES], 100 * kept_ratio(v), verified_tokens(v[BRANCHES], v[K]));
	figure_leave_out(fig, "trees that are cut where guesses are poor (EAGLE-2), drafts by "
			      "lookup in the prompt");
	figure_leave_out(fig, "that acceptance falls along a draft, and with the temperature");
	figure_leave_out(fig, "ragged batches: sequences that accept less wait for none here");
}

const struct sim speculative_sim = {
	.id = "speculative",
	.title = "Speculative decoding",
	.summary = "Draft and verify as a timeline; how far to draft, and the batch that ends "
		   "the gain",
	.page = "inference",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(K, ACCEPTANCE, BATCH, TIMES),
	.try = "Take step times from the models, then batch to 256. Does drafting pay?",
	.run = run,
};
