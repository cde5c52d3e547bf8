/* The simulation `moe`: one layer's tokens on their way to experts and back, GPU by GPU on one clock;
 * what a batch reads, who waits for whom, what a capacity drops, and what other layouts would take. */
#include "sims/constants.h"
#include "sims/knobs.h"
#include "sims/architecture/model_architecture.h"
#include "sims/architecture/model_bytes.h"
#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/formulas/architecture.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"
#include "sims/serving/moe_run.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
	BATCH,
	SKEW,
	CAPACITY,
	EP,
	OVERLAP,
	GPUS,
	MODEL,
	PHASE,
	CONTEXT,
	GPU,
	TP,
	WEIGHTS,
	ACTIVATIONS,
	CACHE,
	PER_NODE,
	INTER,
	SEED,
	N_KNOBS
};
enum { DECODE, PREFILL };

static const char *const phase_ids[] = { "decode", "prefill", NULL };

static const struct knob knobs[N_KNOBS] = {
	[BATCH] = KNOB_DOUBLING("batch_tokens", "batch", "token", 1, 65536, 64,
		"more tokens touch more experts, until all are read; from then on each token only "
		"shares the reads"),
	[SKEW] = KNOB_LINEAR("skew", "favourites", "", 0, 2, 0.5, 0.1,
		"how unlike experts are chosen, rank^-skew: the GPU with a favourite gets more "
		"rows, and all others wait for it",
		.zero = "none"),
	[CAPACITY] = KNOB_LINEAR("capacity_factor", "capacity", "", 0, 8, 0, 0.25,
		"rows that an expert takes, in those of an even share: the busiest GPU is done "
		"sooner, and tokens that find no room lose an expert",
		.zero = "dropless"),
	[EP] = KNOB_DOUBLING("ep", "expert groups", "", 0, 1024, 0,
		"groups of GPUs that hold some experts whole; auto is one GPU each, 1 cuts every "
		"expert over all: nobody waits, and products are thin",
		.zero = "auto"),
	[OVERLAP] = KNOB_SWITCH("overlap", "two halves", 0,
		"one half of the batch computes while the other travels; each half reads its "
		"experts by itself"),
	[GPUS] = KNOB_DOUBLING("gpus", "GPUs", "", 1, 1024, 8,
		"fewer experts for each to read, more tokens that travel, and a busier busiest "
		"one"),
	[MODEL] = KNOB_ANY_MIXTURE("model", "model", "gpt-oss-120b",
		"how many experts a layer has, how many a token takes, how large each is"),
	[PHASE] = KNOB_CHOICE_OF("phase", "phase", phase_ids, NULL, "decode",
		"a sequence decodes one token a step and attends to its cache; a prompt brings all "
		"of its tokens at once",
		.group = "step"),
	[CONTEXT] = KNOB_DOUBLING("context", "context", "token", 1, 131072, 1024,
		"cached tokens of each sequence that decodes, or the length of a prompt: time of "
		"attention beside that of experts",
		.group = "step"),
	[GPU] = KNOB_ANY_GPU("h100", "bandwidth reads the experts, the link carries the tokens",
		.group = "engine"),
	[TP] = KNOB_DOUBLING("tp", "tensor parallel", "GPU", 1, 64, 1,
		"GPUs that share attention; as many as there are: tokens need not travel, each "
		"layer adds up its parts instead",
		.group = "engine"),
	[WEIGHTS] = KNOB_CHOICE_OF("weight_dtype", "weights", value_type_ids, value_type_names,
		"fp4", "bytes of an expert: what decoding waits for", .also = "dtype",
		.aliases = value_type_aliases, .group = "engine"),
	[ACTIVATIONS] = KNOB_CHOICE_OF("act_dtype", "activations", activation_ids, activation_names,
		"auto", "what tokens travel in on the way there, and what products are computed in",
		.group = "engine"),
	[CACHE] = KNOB_CHOICE_OF("kv_dtype", "cache type", value_type_ids, value_type_names, "bf16",
		"what attention reads", .aliases = value_type_aliases, .group = "engine"),
	[PER_NODE] = KNOB_DOUBLING("gpus_per_node", "GPUs per node", "", 0, 128, 0,
		"inside a node tokens travel on the fast link; auto: as many as the GPU's links "
		"join, 72 of a rack of GB200",
		.least = 1, .zero = "auto", .group = "network"),
	[INTER] = KNOB_FACTOR("inter_GBps", "network per GPU", "GB/s", 0.1, 1000, NDR_CARD_GB_PER_S,
		HALF_AN_OCTAVE, "what tokens for another node travel on; 400 Gb/s are 50 GB/s",
		.group = "network"),
	[SEED] = KNOB_SEED(0, 1e6, "other tokens, and other favourites: what changes is chance",
		.group = "step"),
};

/* One setting and what comes of it. */
struct moe {
	const double *v;
	struct moe_model m;
	double gpus, tp, ep; /* as they come out: whole copies, no more groups than GPUs */
	size_t tokens;
	double only_tokens; /* see moe_layout_of */
	struct moe_layout layout;
	struct routing longest;   /* of the largest batch that a curve shows */
	struct routing routing;   /* of this one, which is the first tokens of that */
	struct routing_load load; /* of the whole batch */
	struct moe_step step;
	struct arena *arena; /* holds all of this */
};

static double expert_layers(const struct architecture *a, const struct feed **feed)
{
	double n = 0;
	for (size_t i = 0; i < a->n_groups; i++) {
		if (a->groups[i].feed.experts <= 0)
			continue;
		*feed = *feed ? *feed : &a->groups[i].feed;
		n += (double)a->groups[i].n;
	}
	return n;
}

static struct moe_model model_of(const struct tables *t, const double v[])
{
	struct moe_model m = { .model = mixture_at(t, v[MODEL]),
		.gpu = gpu_at(t, v[GPU]),
		.weights = (enum value_type)v[WEIGHTS],
		.cache = (enum value_type)v[CACHE],
		.prefill = v[PHASE] == PREFILL,
		.context = v[CONTEXT] };
	m.a = m.model->made_of;
	m.layers = expert_layers(m.a, &m.feed);
	assert(m.feed && m.layers > 0);
	m.activations = activation_dtype(m.gpu, m.weights, (enum activation)v[ACTIVATIONS]);
	m.net = network_measured(m.gpu->family, v[PER_NODE] > 0 ? v[PER_NODE] : gpu_domain(m.gpu),
		m.gpu->link_bandwidth, v[INTER] * 1e9, 2 * NETWORK_LATENCY_S);
	m.router = (struct router){ .experts = (size_t)m.feed->experts,
		.per_token = (size_t)fmin(m.feed->per_token, m.feed->experts),
		.skew = v[SKEW],
		.seed = (uint64_t)v[SEED],
		.capacity_factor = v[CAPACITY] };
	return m;
}

/* Curves over the batch go as far, or to the present one. */
enum { LAST_DRAWN = 4096 };

/* hurried: no curve over the batch will be asked for. */
static void set_up(struct moe *s, const struct tables *t, bool hurried)
{
	const double *v = s->v;
	s->m = model_of(t, v);
	s->tp = fmin(v[TP], v[GPUS]);
	s->gpus = s->tp * floor(v[GPUS] / s->tp);
	s->ep = v[EP] > 0 ? fmin(v[EP], s->gpus) : s->gpus;
	s->tokens = (size_t)v[BATCH];
	s->only_tokens = hurried ? v[BATCH] : 0;
	s->layout = moe_layout_of(&s->m, s->gpus, s->tp, s->ep, v[OVERLAP] > 0, s->only_tokens);
	s->longest = routing_draw(&s->m.router, max_size(s->tokens, LAST_DRAWN), s->arena);
	s->routing = routing_first(&s->longest, &s->m.router, s->tokens, s->arena);
	s->load = routing_load(&s->routing, (size_t)s->gpus, (size_t)s->ep, 0, 1, s->arena);
	s->step = moe_step_of(&s->m, &s->layout, &s->routing, s->arena);
}

/* --- What it comes to --- */

static double imbalance(const struct moe *s)
{
	return s->load.mean > 0 ? s->load.most / s->load.mean : 1;
}

static double dropped_share(const struct moe *s)
{
	return (double)s->routing.dropped / (double)(s->routing.tokens * s->routing.per_token);
}

static double waiting_share(const struct moe *s)
{
	return s->step.waiting_s / s->step.step_s;
}

/* Less of the step than anybody would look for. */
static bool nobody_waits(const struct moe *s)
{
	return waiting_share(s) < 0.005;
}

static double expected_touched(const struct moe *s, double tokens)
{
	return CALL(experts_touched, .experts = s->m.feed->experts,
		.experts_per_token = s->m.feed->per_token, .tokens = tokens);
}

/* What a group multiplies for, all parts together. */
static double work_s_of(const struct moe *s, size_t group)
{
	double work_s = 0;
	for (size_t p = 0; p < s->step.layer.n; p++)
		work_s += s->step.layer.parts[p].work_s[group];
	return work_s;
}

/* The group that all wait for: with few rows each that is the one which reads the most experts, and
 * with many the one with the most rows. */
static size_t slowest(const struct moe *s)
{
	size_t best = 0;
	double most_s = 0;
	for (size_t i = 0; i < s->load.groups; i++) {
		double work_s = work_s_of(s, i);
		if (work_s > most_s) {
			most_s = work_s;
			best = i;
		}
	}
	return best;
}

static size_t read_by(const struct moe *s, size_t group)
{
	const size_t n = s->routing.experts, groups = s->load.groups;
	size_t read = 0;
	for (size_t e = routing_first_expert(n, groups, group);
		e < routing_first_expert(n, groups, group + 1); e++)
		read += s->load.rows[e] > 0;
	return read;
}

/* Whether the slowest is so because it reads more experts than the others, and not because its
 * experts have more rows. What a capacity drops is about rows. */
static bool reads_decide(const struct moe *s)
{
	return s->load.groups > 1 && s->routing.dropped == 0 &&
	       (double)read_by(s, slowest(s)) > (double)s->routing.touched / s->ep + 0.5;
}

static const char *count(struct figure *fig, double n, const char *unit)
{
	return figure_quantity(fig, n, unit);
}

/* "GPU 3", "GPUs 4-7", "each GPU". */
static const char *group_name(const struct moe *s, struct figure *fig, size_t from, size_t to)
{
	const size_t split = (size_t)(s->gpus / s->ep), first = from * split, last = to * split - 1;
	if (s->ep <= 1)
		return s->gpus > 1 ? figure_text(fig, "%g GPUs", s->gpus) : "GPU";
	if (first == last)
		return figure_text(fig, "GPU %zu", first);
	return figure_text(fig, "GPU %zu-%zu", first, last);
}

/* The GPU with the most tokens, which the slowest need not be. */
static const char *busiest_name(const struct moe *s, struct figure *fig)
{
	size_t most = 0;
	for (size_t i = 0; i < s->load.groups; i++)
		most = s->load.group_rows[i] > s->load.group_rows[most] ? i : most;
	return group_name(s, fig, most, most + 1);
}

/* --- The experts of the GPUs, as tokens come and go --- */

enum { WIDEST = 32, MOST_BANDS = 16, FRAMES = 48, BUCKETS = 24, LEVELS = 5 };
/* Where reads decide, an expert is read or it is not, and its tokens are a number in it; else the
 * more tokens, the stronger. */
enum { NOT_READ, TO_READ, SLOWEST, FIRST_LEVEL, MULTIPLIED = FIRST_LEVEL + LEVELS, FULL, N_KINDS };

/* Bands of rows: a group of GPUs each, or several where there are many. */
struct bands {
	size_t n, rows, cols; /* rows: of each band */
};

static struct bands bands_of(const struct moe *s)
{
	const size_t groups = s->load.groups, experts = s->routing.experts;
	assert(groups >= 1);
	struct bands b = { .n = min_size(groups, MOST_BANDS) };
	size_t each = (experts + b.n - 1) / b.n;
	b.rows = max_size(1, min_size((each + WIDEST - 1) / WIDEST, MOST_BANDS / b.n));
	b.cols = (each + b.rows - 1) / b.rows;
	return b;
}

/* A part of the batch under way: how many of an expert's rows have come in by each bucket of its
 * dispatch; they go back in the same order. */
struct flow {
	const struct moe_phases *at;
	uint32_t *came; /* [BUCKETS + 1][experts], summed up */
	double *begins; /* by expert: the share of its group's rows before it, and with it */
};

static void count_arrivals(const struct moe *s, size_t part, size_t parts, uint32_t *came)
{
	const struct routing *r = &s->routing;
	const size_t k = r->per_token, n = r->experts;
	for (size_t i = part; i < r->tokens; i += parts) {
		/* Every GPU sends its tokens in their order, all at the same time. */
		size_t of_gpu = i * (size_t)s->gpus % r->tokens;
		size_t bucket = 1 + of_gpu * BUCKETS / r->tokens;
		for (size_t j = 0; j < k; j++)
			came[bucket * n + r->chosen[i * k + j]] += r->taken[i * k + j];
	}
	for (size_t i = n; i < (BUCKETS + 1) * n; i++)
		came[i] += came[i - n];
}

static bool flow_of(const struct moe *s, const struct moe_clock *c, size_t part, struct flow *f)
{
	const size_t n = s->routing.experts, groups = s->load.groups;
	const uint32_t *rows = s->step.layer.parts[part].load.rows;
	f->at = &c->shown[part];
	f->came = arena_array(s->arena, (BUCKETS + 1) * n, sizeof *f->came);
	f->begins = arena_array(s->arena, n, sizeof *f->begins);
	if (s->arena->failed)
		return false;
	count_arrivals(s, part, c->parts, f->came);
	for (size_t g = 0; g < groups; g++) {
		double before = 0;
		size_t end = routing_first_expert(n, groups, g + 1);
		uint32_t all = s->step.layer.parts[part].load.group_rows[g];
		for (size_t e = routing_first_expert(n, groups, g); e < end; e++) {
			before += rows[e];
			f->begins[e] = all > 0 ? before / all : 0;
		}
	}
	return true;
}

static double share_of(const double phase[2], double at_s)
{
	if (at_s >= phase[1])
		return 1;
	return at_s <= phase[0] ? 0 : (at_s - phase[0]) / (phase[1] - phase[0]);
}

/* An expert at a moment: rows that wait for their product, and rows that have it. */
struct presence {
	uint32_t waiting, done;
	bool multiplied; /* also once its results have left */
};

static void add_flow(const struct moe *s, const struct flow *f, size_t part, size_t expert,
	double at_s, struct presence *p)
{
	const size_t n = s->routing.experts;
	const struct moe_part *of = &s->step.layer.parts[part];
	const size_t group = routing_group_of(n, s->load.groups, expert);
	uint32_t rows = of->load.rows[expert];
	uint32_t came = f->came[(size_t)(share_of(f->at->dispatch, at_s) * BUCKETS) * n + expert];
	uint32_t left = f->came[(size_t)(share_of(f->at->combine, at_s) * BUCKETS) * n + expert];
	/* A GPU is done in its own time, of which the slowest has all. */
	double own = of->slowest_s > 0 ? of->work_s[group] / of->slowest_s : 1;
	double end_s = f->at->work[0] + own * (f->at->work[1] - f->at->work[0]);
	double worked = share_of((const double[]){ f->at->work[0], end_s }, at_s);
	if (worked >= f->begins[expert] && rows > 0 && worked > 0) {
		p->done += came - left;
		p->multiplied = true;
	} else
		p->waiting += came;
}

/* Levels in equal ratios from the least to the most, or one for each number where those are few. */
struct ramp {
	uint32_t least, most;
	unsigned levels;
	bool reads;  /* no levels: reads decide */
	size_t slow; /* the group that all wait for */
};

static struct ramp ramp_of(const struct moe *s)
{
	const uint32_t *rows = s->routing.rows;
	struct ramp r = { UINT32_MAX, 1, LEVELS, reads_decide(s), slowest(s) };
	for (size_t i = 0; i < s->routing.experts; i++) {
		r.most = rows[i] > r.most ? rows[i] : r.most;
		r.least = rows[i] > 0 && rows[i] < r.least ? rows[i] : r.least;
	}
	r.least = r.least < r.most ? r.least : r.most;
	if (r.most - r.least < LEVELS)
		r.levels = r.most - r.least + 1;
	return r;
}

static unsigned level_of(uint32_t rows, const struct ramp *r)
{
	if (rows <= r->least)
		return 0;
	if (r->levels < LEVELS)
		return rows - r->least;
	double at = log((double)rows / r->least) / log((double)r->most / r->least);
	return (unsigned)(fmin(at, 0.999999) * LEVELS);
}

/* The most comes first: where there is no colour kinds have shades, the first the darkest. */
static unsigned kind_of_level(unsigned level, const struct ramp *r)
{
	return FIRST_LEVEL + r->levels - 1 - level;
}

/* The most rows that are of a level, and below it where levels are ratios. */
static const char *name_level(struct figure *fig, unsigned level, const struct ramp *r)
{
	uint32_t to = r->most;
	while (level_of(to, r) > level)
		to--;
	const char *name = to == r->most ? count(fig, to, "token") : figure_text(fig, "%u", to);
	return r->levels < LEVELS ? name : figure_text(fig, "to %s", name);
}

static void name_kinds(const struct moe *s, struct figure *fig, const char *names[N_KINDS],
	enum meaning means[N_KINDS])
{
	const struct ramp ramp = ramp_of(s);
	names[NOT_READ] = "not read";
	means[NOT_READ] = MEANS_EMPTY;
	for (unsigned i = 0; i < LEVELS; i++) { /* those beyond the ramp are of no expert */
		names[FIRST_LEVEL + i] = "";
		means[FIRST_LEVEL + i] = MEANS_LEVEL;
	}
	for (unsigned level = 0; level < ramp.levels; level++) {
		unsigned kind = kind_of_level(level, &ramp);
		names[kind] = name_level(fig, level, &ramp);
		means[kind] =
			(enum meaning)(MEANS_LEVEL + 7 * level / max_size(1, ramp.levels - 1));
	}
	names[MULTIPLIED] = "multiplied";
	means[MULTIPLIED] = MEANS_COMPUTE;
	names[FULL] = "full: drops";
	means[FULL] = MEANS_FOCUS;
	names[TO_READ] = "read";
	means[TO_READ] = MEANS_TRAFFIC;
	names[SLOWEST] =
		figure_text(fig, "%s, the slowest", group_name(s, fig, ramp.slow, ramp.slow + 1));
	/* Where it stands in no cell the colour is that of full experts alone: two kinds of one colour
	 * are told apart by their texture. */
	means[SLOWEST] = ramp.reads ? MEANS_FOCUS : MEANS_TRAFFIC;
}

static unsigned kind_of(
	const struct moe *s, const struct presence *p, size_t expert, const struct ramp *ramp)
{
	const struct routing *r = &s->routing;
	if (p->waiting == 0)
		return p->multiplied ? MULTIPLIED : NOT_READ;
	if (ramp->reads) {
		size_t group = routing_group_of(r->experts, s->load.groups, expert);
		return group == ramp->slow ? SLOWEST : TO_READ;
	}
	return p->waiting >= r->capacity && r->wanted[expert] > r->capacity
		       ? FULL
		       : kind_of_level(level_of(p->waiting, ramp), ramp);
}

/* Where an expert stands. */
static void place_of(
	const struct moe *s, const struct bands *b, size_t expert, size_t *row, size_t *col)
{
	const size_t n = s->routing.experts, band = routing_group_of(n, b->n, expert);
	const size_t at = expert - routing_first_expert(n, b->n, band);
	*row = band * b->rows + at / b->cols;
	*col = at % b->cols;
}

static void draw_moment(const struct moe *s, const struct moe_clock *c, const struct flow flows[],
	const struct bands *b, const struct ramp *ramp, struct figure *fig, struct grid *g,
	size_t frame, bool written)
{
	for (size_t e = 0; g && e < s->routing.experts; e++) {
		struct presence p = { 0 };
		size_t row, col;
		for (size_t i = 0; i < c->parts; i++)
			add_flow(s, &flows[i], i, e, g->frame_times[frame], &p);
		place_of(s, b, e, &row, &col);
		grid_set(g, frame, row, col, kind_of(s, &p, e, ramp));
		if (written && p.waiting + p.done > 0)
			grid_write(fig, g, frame, row, col, p.waiting + p.done, 0);
	}
}

/* Each band, and what its GPUs have to do: experts to read where that decides, else rows. */
static void name_bands(const struct moe *s, const struct bands *b, bool reads, struct figure *fig,
	const char *names[MOST_BANDS], const char *notes[MOST_BANDS])
{
	const size_t groups = s->load.groups;
	for (size_t i = 0; i < b->n; i++) {
		size_t from = (i * groups + b->n - 1) / b->n,
		       to = ((i + 1) * groups + b->n - 1) / b->n, all = 0;
		for (size_t g = from; g < to; g++)
			all += reads ? read_by(s, g) : s->load.group_rows[g];
		for (size_t j = 0; j < b->rows; j++)
			names[i * b->rows + j] = notes[i * b->rows + j] = "";
		names[i * b->rows] = group_name(s, fig, from, to);
		notes[i * b->rows] = count(fig, (double)all, "");
	}
}

static void draw_experts(const struct moe *s, const struct moe_clock *c, struct figure *fig)
{
	enum { MOST_WRITTEN = 99 };
	const struct bands b = bands_of(s);
	const char *kinds[N_KINDS], *names[MOST_BANDS], *notes[MOST_BANDS];
	enum meaning means[N_KINDS];
	double times[FRAMES + 1];
	struct flow flows[2];
	for (size_t i = 0; i < c->parts; i++)
		if (!flow_of(s, c, i, &flows[i]))
			return;
	/* One of the moments is that when all are there and no product is done. */
	const double there_s = c->shown[0].work[0];
	for (size_t i = 0; i <= FRAMES; i++)
		times[i] = c->layer_s * (double)i / FRAMES;
	times[(size_t)ceil(there_s / c->layer_s * FRAMES)] = there_s;
	name_kinds(s, fig, kinds, means);
	const struct ramp ramp = ramp_of(s);
	name_bands(s, &b, ramp.reads, fig, names, notes);
	struct grid *g = figure_grid(fig,
		ramp.reads ? "Tokens at each expert; right: experts read"
			   : "Tokens at each expert; right: their sum",
		kinds, N_KINDS, names, b.n * b.rows, b.cols, times, FRAMES + 1);
	figure_tab(fig, "Experts");
	grid_mean(fig, g, means, N_KINDS);
	grid_row_notes(fig, g, notes);
	bool written = ramp.most <= MOST_WRITTEN;
	for (size_t i = 0; i <= FRAMES; i++)
		draw_moment(s, c, flows, &b, &ramp, fig, g, i, written);
	if (g)
		g->still_s = there_s;
	if (g && written) /* two digits need a blank beside them too */
		g->note_cols = ramp.most > 9 ? 3 : 2;
}

/* --- The layer in lanes --- */

enum { LANE_REST, LANE_WORK, LANE_TRAVEL, LANE_WAIT, N_LANE_KINDS };
enum { MOST_LANES = 6 };

static const char *const lane_kinds[N_LANE_KINDS] = { "attention, rest", "experts", "network",
	"waiting" };
/* Attention and the rest compute too, and no setting of the experts changes them. */
#define MEANS_REST MEANS_FIXED
static const enum meaning lane_means[N_LANE_KINDS] = { MEANS_REST, MEANS_COMPUTE, MEANS_NETWORK,
	MEANS_WAITING };

/* The part of a span that lies in the window. */
static void add_span(struct figure *fig, struct timeline *t, const struct moe_clock *c,
	unsigned lane, unsigned kind, double from, double to, const char *label)
{
	from = fmax(0, from);
	to = fmin(c->layer_s, to);
	if (to > from)
		timeline_span(fig, t, lane, kind, from, to, label);
}

static void add_travel(struct figure *fig, struct timeline *t, const struct moe_clock *c,
	const struct moe_phases parts[2])
{
	static const char *const there[] = { "dispatch A", "dispatch B" };
	static const char *const back[] = { "combine A", "combine B" };
	const bool halves = c->parts > 1;
	assert(c->parts <= LENGTH(there));
	for (size_t i = 0; i < c->parts; i++) {
		add_span(fig, t, c, 0, LANE_TRAVEL, parts[i].dispatch[0], parts[i].dispatch[1],
			halves ? there[i] : "dispatch");
		add_span(fig, t, c, 0, LANE_TRAVEL, parts[i].combine[0], parts[i].combine[1],
			halves ? back[i] : "combine");
	}
}

/* What a GPU does, and in between that it waits. */
static void add_gpu(struct figure *fig, struct timeline *t, const struct moe *s,
	const struct moe_clock *c, unsigned lane, size_t group)
{
	double at_s = 0;
	for (size_t phase = 0; phase < 2; phase++)
		for (size_t i = 0; i < c->parts; i++) {
			const struct moe_part *of = &s->step.layer.parts[i];
			const double *span = phase ? c->shown[i].work : c->shown[i].rest;
			double own =
				phase && of->slowest_s > 0 ? of->work_s[group] / of->slowest_s : 1;
			double end_s = span[0] + own * (span[1] - span[0]);
			add_span(fig, t, c, lane, LANE_WAIT, at_s, span[0], NULL);
			add_span(fig, t, c, lane, phase ? LANE_WORK : LANE_REST, span[0], end_s,
				NULL);
			at_s = end_s;
		}
	add_span(fig, t, c, lane, LANE_WAIT, at_s, c->layer_s, NULL);
}

struct timed_group {
	double work_s;
	size_t group;
};

/* Of equals the first comes first. */
static int slowest_first(const void *a, const void *b)
{
	const struct timed_group *x = a, *y = b;
	int by_time = (x->work_s < y->work_s) - (x->work_s > y->work_s);
	return by_time ? by_time : (x->group > y->group) - (x->group < y->group);
}

/* From the slowest to the one that waits longest, as many as there are lanes, evenly; 0: memory is
 * out. */
static size_t shown_groups(const struct moe *s, size_t groups[MOST_LANES])
{
	const size_t all = s->load.groups, shown = min_size(all, MOST_LANES);
	struct timed_group *timed = arena_array(s->arena, all, sizeof *timed);
	if (!timed)
		return 0;
	for (size_t i = 0; i < all; i++)
		timed[i] = (struct timed_group){ work_s_of(s, i), i };
	qsort(timed, all, sizeof *timed, slowest_first);
	for (size_t i = 0; i < shown; i++)
		groups[i] = timed[shown > 1 ? i * (all - 1) / (shown - 1) : 0].group;
	return shown;
}

/* What makes a GPU slow: experts that it reads, where that decides, else tokens. */
static const char *load_text(const struct moe *s, struct figure *fig, size_t group)
{
	return reads_decide(s) ? figure_text(fig, "reads %zu", read_by(s, group))
			       : count(fig, s->load.group_rows[group], "token");
}

static void draw_lanes(const struct moe *s, const struct moe_clock *c, struct figure *fig)
{
	const char *lanes[MOST_LANES + 1];
	unsigned char ranks[MOST_LANES + 1];
	size_t groups[MOST_LANES], n = shown_groups(s, groups), first = s->layout.place.travels;
	if (!n)
		return;
	lanes[0] = "network";
	for (size_t i = 0; i < n; i++)
		lanes[first + i] = group_name(s, fig, groups[i], groups[i] + 1);
	for (size_t i = 0; i < first + n; i++) /* the slowest and the last to wait stay longest */
		ranks[i] = i <= first ? 0 : i + 1 == first + n ? 1 : (unsigned char)(1 + i);
	struct timeline *t = figure_timeline(fig,
		s->load.groups > 1 && s->load.most > 0
			? nobody_waits(s) ? "One layer: all are done at once"
					  : figure_text(fig, "One layer: all wait for %s",
						    group_name(s, fig, slowest(s), slowest(s) + 1))
			: "One layer",
		lanes, first + n, lane_kinds, N_LANE_KINDS);
	timeline_mean(fig, t, lane_means, N_LANE_KINDS);
	timeline_rank(fig, t, ranks, first + n);
	if (t) {
		t->rest = "GPUs";
		t->without = s->load.groups - n;
	}
	figure_tab(fig, "Lanes");
	if (first) {
		add_travel(fig, t, c, c->before);
		add_travel(fig, t, c, c->shown);
		add_travel(fig, t, c, c->after);
	}
	for (size_t i = 0; i < n; i++) {
		add_gpu(fig, t, s, c, (unsigned)(first + i), groups[i]);
		timeline_note(fig, t, (unsigned)(first + i), load_text(s, fig, groups[i]));
	}
}

/* --- What is happening --- */

static void tell(const struct moe *s, const struct moe_clock *c, struct figure *fig)
{
	const struct moe_phases *a = &c->shown[0], *b = &c->shown[c->parts - 1];
	const size_t slow = slowest(s);
	const char *name = group_name(s, fig, slow, slow + 1);
	figure_moment(fig, 0, "attention, then the router: each of %s picks %zu of %zu experts",
		count(fig, (double)s->tokens, "token"), s->routing.per_token, s->routing.experts);
	if (s->layout.place.travels)
		figure_moment(fig, fmax(0, a->dispatch[0]),
			"dispatch: tokens travel, %s from or to the busiest GPU",
			count(fig, s->load.most_copies, "copies"));
	figure_moment(fig, fmax(0, a->work[0]),
		"products: %s takes longest, with %zu experts and %s rows", name, read_by(s, slow),
		count(fig, s->load.group_rows[slow], ""));
	if (s->layout.place.travels && b->combine[0] < c->layer_s)
		figure_moment(fig, fmax(a->work[0], b->combine[0]),
			"combine: results travel back and are added up by their weights");
}

/* --- By batch --- */

enum { MOST_POINTS = 20 };

/* What is read, and what a step takes, by the size of the batch. */
struct sweep {
	size_t n;
	double tokens[MOST_POINTS], touched[MOST_POINTS];
	double here_s[MOST_POINTS], other_s[MOST_POINTS];
};

static void plot_reads(const struct moe *s, const struct sweep *w, struct figure *fig)
{
	struct plot *p = figure_plot(fig, "Experts of a layer that a batch reads", "Batch", "token",
		AXIS_LOG2, "Experts read", "", AXIS_LINEAR);
	figure_tab(fig, "Reads");
	struct series *law = plot_series(fig, p, "if chosen evenly", SERIES_DASHED, MEANS_WAITING);
	struct series *drawn = plot_series(fig, p, "as routed", SERIES_LINE, MEANS_TRAFFIC);
	for (size_t i = 0; i < w->n; i++) {
		series_point(fig, law, w->tokens[i], expected_touched(s, w->tokens[i]));
		series_point(fig, drawn, w->tokens[i], w->touched[i]);
	}
	plot_rule(fig, p, true, s->m.feed->experts, "all", ROLE_DIM);
	if (p)
		p->y.min = 0;
	plot_slider(fig, p, "batch_tokens", (double)s->tokens);
}

/* --- Measured servers --- */

enum { ISL, OSL, CLIENTS, TTFT, TPOT, WANT, MOST_ROWS = 100 };

/* Points of servers with the experts cut over all GPUs, as all that were measured have them. */
static void add_measured(
	const struct moe *s, const struct tables *t, struct figure *fig, struct plot *p)
{
	enum { MOST_PREDICTED = 4 };
	static const char *const measured_as[N_VALUE_TYPES] = { "", "fp8", "none", "nvfp4",
		"none" };
	/* First tokens within 2 s: where they come later, requests queue, and fewer run at once than
	 * there are clients. */
	const struct measured_condition c[] = { { "system", s->m.gpu->id, 0, 0 },
		{ "model", s->m.model->id, 0, 0 },
		{ "gemm_quant", measured_as[s->m.weights], 0, 0 }, { "tp", NULL, s->gpus, s->gpus },
		{ "ttft_ms", NULL, 0, 2000 } };
	static const char *const want[WANT] = { "isl", "osl", "client_concurrency", "ttft_ms",
		"tpot_ms" };
	double rows[MOST_ROWS][WANT];
	struct series *points = NULL;
	const double *best = NULL;
	size_t n = s->m.prefill ? 0
				: measured_points(fig->memo, t, "serving_moe", c, LENGTH(c), want,
					  WANT, rows[0], MOST_ROWS);
	for (size_t i = 0; i < n; i++) {
		const double *r = rows[i];
		if (overlay_distance(r[ISL] + r[OSL] / 2, s->m.context) > 1)
			continue;
		points = points ? points : overlay_series(fig, p, "measured", 6);
		series_mark(fig, points, r[CLIENTS], r[TPOT], NULL, ROLE_PLAIN);
		if (!best || overlay_distance(r[CLIENTS], (double)s->tokens) <
				     overlay_distance(best[CLIENTS], (double)s->tokens))
			best = r;
	}
	if (!best) {
		overlay_outside(fig, "no server of %s in %s on %g x %s at that context",
			s->m.model->name, weights_name(s->m.model, s->m.weights), s->gpus,
			s->m.gpu->name);
		return;
	}
	if (overlay_error(fig, t, "serving_moe", "tpot_ms", MOST_PREDICTED,
		    "time per token of servers of mixtures"))
		overlay_nearest(fig, t, "serving_moe",
			"%g clients, %g + %g tokens, experts cut over %g GPUs: %.3g ms a token, "
			"prompts of others included",
			best[CLIENTS], best[ISL], best[OSL], s->gpus, best[TPOT]);
}

static bool cut_possible(const struct moe *s)
{
	return s->gpus > 1 && s->gpus <= s->m.net.gpus_per_node;
}

static bool is_cut(const struct moe *s)
{
	return s->ep <= 1 && s->tp >= s->gpus;
}

static bool is_whole(const struct moe *s)
{
	return s->ep >= s->gpus && s->tp <= 1 && s->gpus > 1;
}

static const char *layout_name(const struct moe *s)
{
	return is_cut(s) ? "tensor parallel" : is_whole(s) ? "expert parallel" : "this layout";
}

static void plot_steps(
	const struct moe *s, const struct tables *t, const struct sweep *w, struct figure *fig)
{
	struct plot *p = figure_plot(fig,
		s->m.prefill ? "A step by the tokens in it" : "Time between tokens by batch",
		"Batch", "token", AXIS_LOG2, "Step", "ms", AXIS_LOG2);
	figure_tab(fig, "By batch");
	struct series *here = plot_series(fig, p, layout_name(s), SERIES_LINE, MEANS_KIND);
	struct series *other =
		cut_possible(s) && !is_cut(s)
			? plot_series(fig, p, "tensor parallel", SERIES_LINE, MEANS_KIND + 3)
			: NULL;
	for (size_t i = 0; i < w->n; i++) {
		series_point(fig, here, w->tokens[i], 1e3 * w->here_s[i]);
		if (other)
			series_point(fig, other, w->tokens[i], 1e3 * w->other_s[i]);
	}
	add_measured(s, t, fig, p);
	plot_slider(fig, p, "batch_tokens", (double)s->tokens);
}

static double step_s_of(const struct moe *s, const struct moe_layout *l, const struct routing *r)
{
	struct arena arena = { 0 };
	double step_s = moe_step_of(&s->m, l, r, &arena).step_s;
	s->arena->failed |= arena.failed;
	arena_release(&arena);
	return step_s;
}

static struct sweep sweep_of(const struct moe *s, const struct moe_layout *cut)
{
	struct sweep w = { .n = 0 };
	const double most = fmax(LAST_DRAWN, (double)s->tokens);
	for (double tokens = 1; tokens <= most && w.n < MOST_POINTS; tokens *= 2) {
		struct arena arena = { 0 };
		struct routing r = routing_first(&s->longest, &s->m.router, (size_t)tokens, &arena);
		if (!arena.failed) {
			w.tokens[w.n] = tokens;
			w.touched[w.n] = (double)r.touched;
			w.here_s[w.n] = step_s_of(s, &s->layout, &r);
			w.other_s[w.n++] = cut ? step_s_of(s, cut, &r) : NAN;
		}
		s->arena->failed |= arena.failed;
		arena_release(&arena);
	}
	return w;
}

/* --- Layouts --- */

static void add_layout(
	struct bars *b, struct figure *fig, const char *name, const struct moe_step *step)
{
	bars_add(fig, b, name,
		(const double[]){ 1e3 * step->rest_s, 1e3 * step->products_s, 1e3 * step->waiting_s,
			1e3 * step->exposed_s });
}

/* It says whether tensor parallelism, where nobody waits and no token travels, is the shorter; cut:
 * its step, or NULL. */
static const char *layouts_title(
	const struct moe *s, struct figure *fig, const struct moe_step *cut)
{
	const char *gpus = count(fig, s->gpus, "GPU");
	if (!cut || is_cut(s))
		return figure_text(fig, "A step on %s, by layout", gpus);
	const double ratio = s->step.step_s / cut->step_s;
	return figure_text(fig, "Tensor parallel is %.3gx %s", ratio >= 1 ? ratio : 1 / ratio,
		ratio >= 1 ? "faster" : "slower");
}

/* Of experts that stay whole, a group of them on each GPU. */
static struct moe_step whole_step(const struct moe *s, bool overlap)
{
	const struct moe_layout l =
		moe_layout_of(&s->m, s->gpus, 1, s->gpus, overlap, (double)s->tokens);
	return moe_step_of(&s->m, &l, &s->routing, s->arena);
}

static void draw_layouts(const struct moe *s, struct figure *fig, const struct moe_layout *cut)
{
	static const char *const parts[] = { "attention, rest", "experts", "waiting",
		"tokens travel" };
	static const enum meaning means[] = { MEANS_REST, MEANS_COMPUTE, MEANS_WAITING,
		MEANS_NETWORK };
	const struct moe_step cut_step =
		cut && !is_cut(s) ? moe_step_of(&s->m, cut, &s->routing, s->arena) : s->step;
	struct bars *b = figure_bars(
		fig, layouts_title(s, fig, cut ? &cut_step : NULL), "ms", parts, LENGTH(parts));
	figure_tab(fig, "Layouts");
	bars_mean(fig, b, means, LENGTH(means));
	bool whole = is_whole(s);
	if (!is_cut(s))
		add_layout(b, fig, layout_name(s), &s->step);
	if (!whole && s->gpus > 1) {
		const struct moe_step step = whole_step(s, false);
		add_layout(b, fig, "expert parallel", &step);
	}
	if (whole && s->v[OVERLAP] <= 0) {
		const struct moe_step step = whole_step(s, true);
		add_layout(b, fig, "in two halves", &step);
	}
	if (cut)
		add_layout(b, fig, "tensor parallel", &cut_step);
}

/* --- Capacity --- */

static void plot_capacity(const struct moe *s, struct figure *fig)
{
	const struct routing *r = &s->routing;
	struct plot *p = figure_plot(fig, "Choices that find their expert full", "Capacity", "",
		AXIS_LINEAR, "Dropped", "%", AXIS_LINEAR);
	figure_tab(fig, "Capacity");
	struct series *law = plot_series(fig, p, "if chosen evenly", SERIES_DASHED, MEANS_WAITING);
	struct series *drawn = plot_series(fig, p, "as routed", SERIES_LINE, MEANS_SECOND);
	for (double factor = 0.25; factor <= 4.001; factor += 0.125) {
		uint32_t c = routing_capacity(factor, r->tokens, r->per_token, r->experts);
		series_point(fig, law, factor,
			100 * routing_expected_drop(c, r->tokens, r->per_token, r->experts));
		series_point(fig, drawn, factor,
			100 * (double)routing_overflow(r, c) / (double)(r->tokens * r->per_token));
	}
	if (s->v[CAPACITY] >= 0.25 && s->v[CAPACITY] <= 4)
		plot_rule(fig, p, false, s->v[CAPACITY], "now", ROLE_ACCENT);
}

/* --- Values and words --- */

/* The share of a layer's experts that have any token, in %. */
static double read_pct(const struct moe *s)
{
	return 100 * (double)s->routing.touched / (double)s->routing.experts;
}

static bool somebody_waits(const struct moe *s)
{
	return s->load.groups > 1 && isfinite(s->step.step_s) && !nobody_waits(s);
}

static void add_waiting(const struct moe *s, struct figure *fig)
{
	const double waiting = 100 * waiting_share(s);
	value_note(figure_value(fig, "waiting_pct", "waiting", isfinite(waiting) ? waiting : 0, "%",
			   ROLE_PLAIN),
		"of a step");
}

static void add_dropped(const struct moe *s, struct figure *fig)
{
	const double dropped = 100 * dropped_share(s);
	value_note(figure_value(fig, "dropped_pct", "choices dropped", dropped, "%",
			   dropped > 0 ? ROLE_WARN : ROLE_DIM),
		s->v[CAPACITY] > 0 ? NULL : "none can be");
}

static void add_values(const struct moe *s, struct figure *fig)
{
	const struct parameter_count params = architecture_parameters(s->m.a);
	const double even = expected_touched(s, (double)s->tokens), all = s->m.feed->experts;
	const double bound = moe_read_bound_tokens(&s->m), dense = moe_dense_bound_tokens(&s->m);
	const double touched = (double)s->routing.touched;
	/* What the sentence is about goes first. */
	if (s->routing.dropped > 0)
		add_dropped(s, fig);
	if (somebody_waits(s))
		add_waiting(s, fig);
	value_note(figure_value(fig, "experts_touched", "experts read", touched, "", ROLE_PLAIN),
		figure_text(fig, "%.0f %% of a layer's %g", read_pct(s), all));
	value_note(figure_value(fig, "step_ms", s->m.prefill ? "step" : "between tokens",
			   1e3 * s->step.step_s, "ms", ROLE_PLAIN),
		isfinite(s->step.step_s) ? NULL : "no peak in the tables");
	if (!somebody_waits(s))
		add_waiting(s, fig);
	if (s->routing.dropped == 0)
		add_dropped(s, fig);
	value_note(figure_value(fig, "imbalance", "most tokens / mean", imbalance(s), "", ROLE_DIM),
		s->ep > 1 ? figure_text(fig, "on %s", busiest_name(s, fig))
			  : "all have a part of each");
	value_note(figure_value(fig, "all_to_all_ms", "tokens travel",
			   1e3 * s->m.layers * s->step.layer.travel_s, "ms", ROLE_DIM),
		s->layout.how.overlap     ? "behind the products"
		: s->layout.place.travels ? "there and back"
					  : "not at all");
	figure_value(fig, "tokens_per_s", "throughput",
		isfinite(s->step.step_s) ? (double)s->tokens / s->step.step_s : 0, "token/s",
		ROLE_DIM);
	value_note(figure_value(fig, "expected_touched", "expected", even, "", ROLE_DIM),
		"all alike likely");
	value_note(figure_value(fig, "expert_bytes_read", "experts' bytes",
			   s->m.layers * touched * moe_expert_bytes(&s->m), "B", ROLE_DIM),
		"read in a step, all layers");
	value_note(figure_value(
			   fig, "read_bound_tokens", "reads bind up to", bound, "token", ROLE_DIM),
		isfinite(bound) ? figure_text(fig, "dense: %s", count(fig, dense, ""))
				: "no peak in the tables");
	double bytes = 0;
	for (size_t i = 0; i < s->step.layer.n; i++)
		bytes += s->step.layer.parts[i].sent_bytes;
	value_note(figure_value(fig, "sent_bytes", "sent by a GPU", bytes, "B", ROLE_DIM),
		"in a layer, the busiest");
	value_note(figure_value(fig, "active_params", "a token passes", params.active, "param",
			   ROLE_DIM),
		figure_text(fig, "of %s", count(fig, params.total, "param")));
	figure_left_open(fig, "ep", s->ep);
	figure_left_open(fig, "gpus_per_node", s->m.net.gpus_per_node);
}

/* Why nobody waits for anybody. */
static const char *why_nobody_waits(const struct moe *s)
{
	return s->load.groups > 1 ? "all GPUs are done at nearly the same time"
	       : s->gpus > 1      ? "no GPU waits for another: each has a part of every expert"
				  : "one GPU holds them all";
}

/* What the fullest GPU costs all others, and what it is full of. */
static void explain_waiting(const struct moe *s, struct figure *fig)
{
	const size_t slow = slowest(s);
	const char *name = group_name(s, fig, slow, slow + 1);
	const double waiting = 100 * waiting_share(s);
	if (reads_decide(s))
		figure_why(fig,
			"Waiting for %s, which reads %zu experts (mean %.3g), takes %.3g %% of a "
			"step.",
			name, read_by(s, slow), (double)s->routing.touched / s->ep, waiting);
	else
		figure_why(fig,
			"Waiting for %s, with %.2g times its share of tokens, takes %.3g %% of a "
			"step.",
			name, s->load.group_rows[slow] / s->load.mean, waiting);
}

static void explain(const struct moe *s, struct figure *fig)
{
	const struct routing *r = &s->routing;
	const char *tokens = count(fig, (double)s->tokens, "token");
	const char *s_if_one = s->tokens == 1 ? "s" : "";
	if (!isfinite(s->step.step_s))
		figure_why(fig, "%s read%s %zu of %zu experts; nothing can be timed on %s.", tokens,
			s_if_one, r->touched, r->experts, s->m.gpu->name);
	else if (r->dropped > 0)
		figure_why(fig,
			"%.0f %% of choices find their expert full: it takes %u token%s at most.",
			fmax(1, 100 * dropped_share(s)), r->capacity, r->capacity == 1 ? "" : "s");
	else if (somebody_waits(s))
		explain_waiting(s, fig);
	else if (r->touched == r->experts)
		figure_why(fig, "%s read%s all experts, and %s.", tokens, s_if_one,
			why_nobody_waits(s));
	else
		figure_why(fig, "%s read%s %.0f %% of the experts, and %s.", tokens, s_if_one,
			read_pct(s), why_nobody_waits(s));
}

static void warn(const struct moe *s, struct figure *fig)
{
	const struct moe_model *m = &s->m;
	double need =
		model_weight_bytes_copied(m->model, value_type_dtype(m->weights), s->gpus / s->tp);
	double have = ENGINE_MEMORY_SHARE * s->gpus * m->gpu->memory_bytes;
	if (!isfinite(s->step.step_s))
		figure_note(fig, ROLE_WARN,
			"The tables give %s no peak or no bandwidth: nothing can be timed on it.",
			m->gpu->name);
	else if (need > have)
		figure_note(fig, ROLE_WARN,
			"%s %s not fit: %s of weights, attention's once for each of %g copies, "
			"in %s of %g x %s. It is timed all the same.",
			m->model->name, model_does(m->model), count(fig, need, "B"),
			s->gpus / s->tp, count(fig, have, "B"), s->gpus, m->gpu->name);
	if (s->gpus != s->v[GPUS] || (s->v[EP] > 0 && s->ep != s->v[EP]))
		figure_note(fig, ROLE_WARN,
			"%g GPUs with tp %g and %g groups: it is %g GPUs and %g groups here.",
			s->v[GPUS], s->tp, s->v[EP], s->gpus, s->ep);
	else if (fmod(s->gpus, s->ep) != 0 || fmod(m->feed->experts, s->ep) != 0)
		figure_note(fig, ROLE_WARN,
			"%g experts on %g GPUs do not divide into %g groups: some hold fewer.",
			m->feed->experts, s->gpus, s->ep);
}

static bool layers_alike(const struct architecture *a, const struct feed *f)
{
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct feed *of = &a->groups[i].feed;
		if (of->experts > 0 &&
			(of->experts != f->experts || of->per_token != f->per_token ||
				of->expert_width != f->expert_width))
			return false;
	}
	return true;
}

static void state_assumptions(const struct moe *s, struct figure *fig)
{
	figure_assume(fig,
		"one layer's routing is drawn, and stands for all %g layers with experts%s; each "
		"token draws for itself",
		s->m.layers,
		layers_alike(s->m.a, s->m.feed) ? "" : ", of which some have other experts");
	figure_assume(fig,
		"a token goes once to each GPU that has any of its experts, in %s there and in 16 "
		"bits back; an all-to-all takes as long as its busiest GPU",
		dtype_names[s->layout.place.experts.activations]);
	figure_assume(fig,
		"kernel times %s; weights in %s; attention, router's scores and all else as in "
		"`batching`, an equal part of it in each layer",
		s->m.gpu->achieved.measured ? "fitted to measurements"
					    : "with the constants of its family",
		weights_name(s->m.model, s->m.weights));
	if (s->v[CAPACITY] > 0)
		figure_assume(fig,
			"capacity: the first tokens are served first, and what is free is not "
			"padded");
	figure_leave_out(fig, "copies of favourite experts, and routers that choose by node");
	figure_leave_out(fig, "scheduling and sampling on the CPU; one batch, no arrivals");
}

static void draw(const struct moe *s, const struct tables *t, struct figure *fig)
{
	const struct moe_layout *cut = NULL;
	struct moe_layout of_cut;
	if (cut_possible(s) && !is_cut(s)) {
		of_cut = moe_layout_of(&s->m, s->gpus, s->gpus, 1, false, s->only_tokens);
		cut = &of_cut;
	} else if (is_cut(s))
		cut = &s->layout;
	const struct moe_clock c = moe_clock_of(&s->m, &s->step);
	/* What the sentence is about: who waits, or, where choices are dropped, at which experts. */
	const bool drops = s->routing.dropped > 0;
	(drops ? draw_experts : draw_lanes)(s, &c, fig);
	(drops ? draw_lanes : draw_experts)(s, &c, fig);
	fig->duration_s = c.layer_s;
	tell(s, &c, fig);
	draw_layouts(s, fig, cut);
	fig->unfinished = fig->hurried;
	if (fig->hurried)
		return; /* curves take as long as all before them */
	const struct sweep w = sweep_of(s, cut);
	plot_reads(s, &w, fig);
	plot_steps(s, t, &w, fig);
	plot_capacity(s, fig);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct arena arena = { 0 };
	struct moe *s = arena_alloc(&arena, sizeof *s);
	if (s) {
		*s = (struct moe){ .v = v, .arena = &arena };
		set_up(s, t, fig->hurried);
	}
	if (s && !arena.failed) {
		figure_subtitle(fig, "%s on %g x %s · %s", s->m.model->name, s->gpus,
			s->m.gpu->name, phase_ids[(size_t)v[PHASE]]);
		add_values(s, fig);
		explain(s, fig);
		warn(s, fig);
		if (isfinite(s->step.step_s))
			draw(s, t, fig);
		else
			plot_capacity(s, fig);
		state_assumptions(s, fig);
	}
	fig->arena.failed |= arena.failed;
	arena_release(&arena);
}

const struct sim moe_sim = {
	.id = "moe",
	.title = "Mixture of experts",
	.summary =
		"Tokens routed to experts on GPUs: what a batch reads, who waits, what is dropped",
	.page = "architectures",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(BATCH, SKEW, CAPACITY, EP, OVERLAP, GPUS, MODEL),
	.try = "Turn the batch to 1,024, then capacity to 1. Who waits, and what is lost?",
	.run = run,
	.slow = true,
};
