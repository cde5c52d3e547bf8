#include "sims/serving/disaggregation_figure.h"

#include "sims/base/minmax.h"

#include <math.h>

/* --- The pools on a clock --- */

/* What a server's steps do: take some of a prompt, alone or beside tokens, or decode only. */
enum { WITH_PROMPT, DECODING, BESIDE, ON_ITS_WAY, FOLLOWED, N_KINDS };
enum { MOST_LANES = 8 }; /* of each pool */

/* A stretch of the run, from when the servers are as full as they get to be; it is shown from 0. */
struct stretch {
	double from_s, length_s;
	size_t first; /* the first request that comes in it: it is followed on its way */
};

/* Whether the work after a moment was logged: a long run's log is full before its end. */
static bool is_logged(const struct disaggregation *d, enum arrangement a, double from_s)
{
	const struct pools_setup *s = &d->setup[a];
	size_t servers = s->decode.servers ? s->decode.servers : s->prefill.servers;
	for (size_t i = 0; i < servers; i++) {
		const struct serving_log *log = &d->run[a]->decode[i];
		if (log->n_work > 0 && log->work[log->n_work - 1].end_s > from_s)
			return true;
	}
	return false;
}

/* Whether the logs of all that serve reach so far. */
static bool is_drawable(const struct disaggregation *d, double at_s)
{
	for (enum arrangement a = 0; a < N_ARRANGEMENTS; a++)
		if (d->serves[a] && !is_logged(d, a, at_s))
			return false;
	return true;
}

/* Long enough for a dozen prefills one after another, or for a few first tokens. */
static struct stretch find_stretch(const struct disaggregation *d)
{
	enum { PREFILLS = 12, FIRST_TOKENS = 3, QUARTERS = 4 };
	enum arrangement a = d->serves[SPLIT] ? SPLIT : SHARED;
	const struct pools_run *run = d->run[a];
	const struct pools_summary *s = &d->sum[a];
	struct stretch w = { .first = run->n / QUARTERS };
	while (w.first > 0 && !is_drawable(d, run->requests[w.first].arrival_s))
		w.first /= 2;
	while (w.first + 1 < run->n && !isfinite(run->requests[w.first].finish_s))
		w.first++;
	/* One that the first servers take, if there is one in time: these have lanes in every window. */
	for (size_t i = w.first; i < run->n; i++) {
		const struct pooled *r = &run->requests[i];
		if (!is_drawable(d, r->arrival_s))
			break;
		if (r->prefill_by == 0 && r->decode_by == 0 && isfinite(r->finish_s)) {
			w.first = i;
			break;
		}
	}
	w.from_s = run->requests[w.first].arrival_s;
	w.length_s = fmax(PREFILLS * s->first_s[FIRST_PREFILL], FIRST_TOKENS * s->ttft_p50_s);
	w.length_s = fmin(w.length_s, run->end_s - w.from_s);
	return w;
}

struct canvas_of_run {
	struct figure *fig;
	struct timeline *t;
	struct stretch w;
	/* From when to when a decode server is drawn with the request that is followed; alike: it is
	 * not. */
	double has_s, gives_s;
	bool paced; /* a lane has said what a token took */
};

/* The part of a span that lies in the stretch. */
static void put(const struct canvas_of_run *c, size_t lane, unsigned kind, double start_s,
	double end_s, const char *label)
{
	double from_s = fmax(0, start_s - c->w.from_s);
	double to_s = fmin(c->w.length_s, end_s - c->w.from_s);
	if (to_s > from_s)
		timeline_span(c->fig, c->t, (unsigned)lane, kind, from_s, to_s, label);
}

/* What goes on for requests between two of their times. Several prompts of one step are drawn one
 * after another, as they end; those that follow each other are one span, but for the request that
 * is followed. */
static void put_requests(const struct canvas_of_run *c, const struct disaggregation *d,
	bool prefill, size_t server, size_t lane)
{
	const double gap_s = 1e-6;
	const struct pools_run *run = d->run[SPLIT];
	const unsigned kind = prefill ? WITH_PROMPT : ON_ITS_WAY;
	double free_s = -INFINITY, busy_s = 0, since_s = INFINITY;
	for (size_t i = 0; i < run->n; i++) {
		const struct pooled *r = &run->requests[i];
		if (!isfinite(r->there_s) || (prefill && r->prefill_by != server))
			continue;
		double from_s = fmax(prefill ? r->start_s : r->sent_s, free_s);
		double to_s = prefill ? r->prefilled_s : r->there_s;
		busy_s += fmax(
			0, fmin(to_s, c->w.from_s + c->w.length_s) - fmax(from_s, c->w.from_s));
		if (i == c->w.first || from_s > free_s + gap_s) {
			put(c, lane, kind, since_s, free_s, NULL);
			since_s = from_s;
		}
		free_s = fmax(free_s, to_s);
		if (i == c->w.first) {
			put(c, lane, FOLLOWED, from_s, free_s, NULL);
			since_s = free_s;
		}
	}
	put(c, lane, kind, since_s, free_s, NULL);
	if (!prefill)
		timeline_note(c->fig, c->t, (unsigned)lane,
			figure_text(c->fig, "%.0f %% busy", 100 * busy_s / c->w.length_s));
}

/* What a token took at a server that both goals are about; the first such lane says what it is. */
static void note_pace(struct canvas_of_run *c, double token_s, double goal_s, size_t lane)
{
	timeline_note(c->fig, c->t, (unsigned)lane,
		figure_text(c->fig, "%s%s%s", token_s <= goal_s ? "" : "! ",
			figure_quantity(c->fig, token_s, "s"), c->paced ? "" : "/token"));
	c->paced = true;
}

/* Whether a stretch of steps is too short to be seen as one of its own between two with prompts. */
static bool is_brief_between(const struct canvas_of_run *c, const struct serving_log *log, size_t i)
{
	const double brief = 1.0 / 64;
	return i > 0 && i + 1 < log->n_work && log->work[i - 1].prefills > 0 &&
	       log->work[i + 1].prefills > 0 &&
	       log->work[i].end_s - log->work[i].start_s < brief * c->w.length_s;
}

/* Behind its lane, how long a server's steps are: each is a token of all that it decodes. Steps of
 * a kind that follow each other are one span, which has room for what it is. What is taken
 * of a prompt in chunks is so beside tokens, in a decode server as well: of requests that it had to
 * drop, or of one token. */
static void put_work(struct canvas_of_run *c, const struct serving_log *log, double goal_s,
	const char *decoding, size_t lane)
{
	const double gap_s = 1e-6;
	double busy_s = 0, steps = 0;
	for (size_t i = 0, next; i < log->n_work; i = next) {
		const struct work_span *s = &log->work[i];
		double end_s = s->end_s;
		for (next = i + 1; next < log->n_work; next++) {
			const struct work_span *to = &log->work[next];
			bool between = is_brief_between(c, log, next) && s->prefills;
			if ((!to->prefills != !s->prefills && !between) ||
				to->start_s > end_s + gap_s)
				break;
			end_s = to->end_s;
		}
		const double has_s = fmin(end_s, fmax(s->start_s, c->has_s)),
			     gives_s = fmax(has_s, fmin(end_s, c->gives_s));
		const unsigned kind = s->prefills ? BESIDE : DECODING;
		const char *words = s->prefills ? NULL : decoding;
		put(c, lane, kind, s->start_s, has_s, words);
		put(c, lane, FOLLOWED, has_s, gives_s, NULL);
		put(c, lane, kind, gives_s, end_s, words);
	}
	for (size_t i = 0; i < log->n_work; i++) {
		const struct work_span *s = &log->work[i];
		if (s->end_s < c->w.from_s || s->start_s > c->w.from_s + c->w.length_s)
			continue;
		busy_s += s->end_s - s->start_s;
		steps += s->iterations;
	}
	if (steps > 0)
		note_pace(c, busy_s / steps, goal_s, lane);
}

struct lanes {
	const char *names[3 * MOST_LANES + 3];
	unsigned char ranks[3 * MOST_LANES + 3];
	size_t n;
};

/* A window that has no room for all servers shows as many of each kind. */
static size_t add_lanes(
	struct lanes *l, struct figure *fig, const char *what, size_t servers, unsigned place)
{
	size_t shown = min_size(servers, MOST_LANES);
	for (size_t i = 0; i < shown; i++) {
		l->ranks[l->n] = (unsigned char)(4 * i + place);
		l->names[l->n++] = figure_text(fig, "%s %zu", what, i + 1);
	}
	return shown;
}

static void add_heading(struct lanes *l, const char *name)
{
	l->ranks[l->n] = 0;
	l->names[l->n++] = name;
}

/* The servers that decode; one of them has the request that is followed. */
static void put_decoders(
	struct canvas_of_run *c, const struct disaggregation *d, size_t n, size_t lane)
{
	const double seen = 1.0 / 32; /* of the stretch: as long as an eye needs for first tokens */
	const struct pooled *r = &d->run[SPLIT]->requests[c->w.first];
	for (size_t i = 0; i < n; i++) {
		bool has = r->decode_by == i;
		c->has_s = has ? r->there_s : INFINITY;
		c->gives_s = has ? fmax(r->first_s, r->there_s + seen * c->w.length_s) : INFINITY;
		put_work(c, &d->run[SPLIT]->decode[i], d->itl_s, i ? "" : NULL, lane + i);
	}
	c->has_s = c->gives_s = INFINITY;
}

/* Of both ways to do it, as far as they are drawn. */
static size_t servers_of(const struct disaggregation *d, bool two)
{
	const struct pools_setup *s = &d->setup[SPLIT];
	return (two ? s->prefill.servers + s->decode.servers : 0) +
	       (d->serves[SHARED] ? pools_servers(&d->setup[SHARED]) : 0);
}

static void draw_pools(const struct disaggregation *d, const struct stretch *w, struct figure *fig)
{
	static const char *const kinds[N_KINDS] = { "prompts", "tokens", "both", "transfer",
		"one request" };
	static const enum meaning means[N_KINDS] = { MEANS_TRAFFIC, MEANS_COMPUTE,
		(enum meaning)(MEANS_KIND + 3), MEANS_NETWORK, MEANS_FOCUS };
	const struct pools_setup *s = &d->setup[SPLIT];
	bool two = d->serves[SPLIT] && !pools_are_one(s), both = two && d->serves[SHARED];
	struct lanes l = { .n = 0 };
	size_t prefill = 0, decode = 0, shared = 0;
	if (two) {
		prefill = add_lanes(&l, fig, "prefill", s->prefill.servers, 0);
		l.ranks[l.n] = 1;
		l.names[l.n++] = "network";
		decode = add_lanes(&l, fig, "decode", s->decode.servers, 2);
	}
	/* A row without spans parts the two: not all servers may have lanes. */
	if (both)
		add_heading(&l, figure_text(fig, "%zu shared:", pools_servers(&d->setup[SHARED])));
	if (d->serves[SHARED])
		shared =
			add_lanes(&l, fig, "shared", pools_servers(&d->setup[SHARED]), two ? 3 : 0);
	struct canvas_of_run c = { fig,
		figure_timeline(fig,
			figure_text(fig, "%g GPUs%s; a token may take %s", d->gpus,
				both ? ", both ways" : "", figure_quantity(fig, d->itl_s, "s")),
			l.names, l.n, kinds, N_KINDS),
		*w, INFINITY, INFINITY, false };
	timeline_mean(fig, c.t, means, N_KINDS);
	timeline_rank(fig, c.t, l.ranks, l.n);
	if (c.t) {
		c.t->rest = "servers";
		c.t->without = servers_of(d, two) - prefill - decode - shared;
	}
	figure_tab(fig, "Servers");
	size_t lane = 0;
	for (size_t i = 0; i < prefill; i++)
		put_requests(&c, d, true, i, lane++);
	if (two)
		put_requests(&c, d, false, 0, lane++);
	if (two)
		put_decoders(&c, d, decode, lane);
	lane += decode + both;
	for (size_t i = 0; i < shared; i++)
		put_work(&c, &d->run[SHARED]->decode[i], d->itl_s, NULL, lane++);
}

/* One request on its way, in the order in which the playhead meets it. */
static void tell(const struct disaggregation *d, const struct stretch *w, struct figure *fig)
{
	if (!d->serves[SPLIT] || pools_are_one(&d->setup[SPLIT]))
		return;
	const struct pooled *r = &d->run[SPLIT]->requests[w->first];
	double at_s = r->arrival_s, end_s = w->from_s + w->length_s;
	size_t id = w->first + 1;
	const char *bytes = figure_quantity(fig, d->setup[SPLIT].cache_bytes[w->first], "B");
	figure_moment(fig, 0, "request %zu arrives: its prompt has %s", id,
		figure_quantity(fig, d->setup[SPLIT].requests[w->first].prompt_tokens, "token"));
	if (r->start_s > at_s && r->start_s <= end_s)
		figure_moment(fig, r->start_s - w->from_s,
			"request %zu: prefill after %s in the queue", id,
			figure_quantity(fig, r->start_s - at_s, "s"));
	if (r->prefilled_s <= end_s)
		figure_moment(fig, fmax(r->start_s, r->prefilled_s) - w->from_s,
			"request %zu: prefilled in %s; its cache of %s goes to decode %u", id,
			figure_quantity(fig, r->prefilled_s - r->start_s, "s"), bytes,
			r->decode_by + 1);
	if (r->there_s <= end_s)
		figure_moment(fig, r->there_s - w->from_s,
			"request %zu: its cache is there, %s later", id,
			figure_quantity(fig, r->there_s - r->prefilled_s, "s"));
	if (r->first_s <= end_s)
		figure_moment(fig, r->first_s - w->from_s,
			"request %zu: first token, %s after it came; on shared GPUs %s", id,
			figure_quantity(fig, r->first_s - at_s, "s"),
			d->serves[SHARED]
				? figure_quantity(fig,
					  d->run[SHARED]->requests[w->first].first_s - at_s, "s")
				: "none");
}

void disaggregation_draw_run(const struct disaggregation *d, struct figure *fig)
{
	if (!d->serves[SPLIT] && !d->serves[SHARED])
		return;
	struct stretch w = find_stretch(d);
	if (!(w.length_s > 0))
		return;
	fig->duration_s = w.length_s;
	draw_pools(d, &w, fig);
	tell(d, &w, fig);
}

/* Two ways to serve, and no kinds of work, which have their colours above. */
static const enum meaning way_means[N_ARRANGEMENTS] = {
	[SPLIT] = MEANS_KIND + 2, [SHARED] = MEANS_KIND + 3
};

/* --- Goodput against the ratio of pools --- */

static void draw_ratio(const struct disaggregation *d, struct figure *fig)
{
	if (d->n_divisions < 2)
		return;
	const struct division *best = &d->division[d->best];
	struct plot *p = figure_plot(fig,
		figure_text(fig, "Requests in time by how %g GPUs are divided", d->gpus),
		"Prefill GPUs", "", AXIS_LINEAR, "In time", "req/s", AXIS_LINEAR);
	figure_tab(fig, "Ratio");
	struct series *split = plot_series(fig, p, "two pools", SERIES_LINE, way_means[SPLIT]);
	struct series *shared = plot_series(fig, p, "shared", SERIES_DASHED, way_means[SHARED]);
	for (size_t i = 0; i < d->n_divisions; i++) {
		const struct division *one = &d->division[i];
		series_point(fig, split, one->prefill_gpus, one->sum.goodput_per_s);
		series_point(fig, shared, one->prefill_gpus, d->sum[SHARED].goodput_per_s);
	}
	struct series *mark = plot_series(fig, p, "", SERIES_POINTS, MEANS_FOCUS);
	series_mark(fig, mark, best->prefill_gpus, best->sum.goodput_per_s,
		figure_text(fig, "best: %g + %g", best->prefill_gpus, d->gpus - best->prefill_gpus),
		ROLE_ACCENT);
	if (p)
		p->y.reach_lo = 0;
	plot_rule(fig, p, false, d->v[DISAGG_PREFILL], "now", ROLE_ACCENT);
}

/* --- Goodput against load --- */

static double top_load(const struct disaggregation *d)
{
	const double beyond = 1.3;
	double pools = fmin(d->prefill_per_s, d->decode_per_s), now = d->v[DISAGG_RATE];
	return beyond * fmax(pools > 0 ? fmin(pools, 20 * now) : now, now);
}

static void draw_load(const struct disaggregation *d, struct figure *fig)
{
	enum { LOADS = 9 };
	struct plot *p = figure_plot(fig, "Requests in time by load", "Load", "req/s", AXIS_LINEAR,
		"In time", "req/s", AXIS_LINEAR);
	figure_tab(fig, "Load");
	static const char *const names[N_ARRANGEMENTS] = { "two pools", "shared" };
	double top = top_load(d), now = d->v[DISAGG_RATE];
	struct series *all = plot_series(fig, p, "all in time", SERIES_DASHED, MEANS_HELD);
	series_point(fig, all, 0, 0);
	series_point(fig, all, top, top);
	for (unsigned a = 0; a < N_ARRANGEMENTS; a++) {
		struct series *s =
			d->serves[a] ? plot_series(fig, p, names[a], SERIES_LINE, way_means[a])
				     : NULL;
		series_point(fig, s, 0, 0);
		double before = 0;
		for (int i = 1; s && i <= LOADS; i++) {
			double rate = top * i / LOADS;
			if (before < now && now < rate)
				series_point(fig, s, now, d->sum[a].goodput_per_s);
			struct pools_setup setup =
				disaggregation_setup(d, a, rate, d->v[DISAGG_PREFILL]);
			struct pools_summary sum;
			disaggregation_try(d, &setup, &sum);
			series_point(fig, s, rate, sum.goodput_per_s);
			before = rate;
		}
	}
	plot_rule(fig, p, false, now, "now", ROLE_ACCENT);
}

/* --- What a first token waits for --- */

static void draw_first_token(const struct disaggregation *d, struct figure *fig)
{
	static const char *const parts[N_FIRST_PARTS] = { "load", "queue", "prefill",
		"network busy", "transfer", "first step" };
	static const enum meaning means[N_FIRST_PARTS] = { MEANS_SECOND, MEANS_WAITING,
		MEANS_TRAFFIC, MEANS_HELD, MEANS_NETWORK, MEANS_COMPUTE };
	struct bars *b = figure_bars(
		fig, "What a first token takes, in the mean", "ms", parts, N_FIRST_PARTS);
	figure_tab(fig, "First token");
	bars_mean(fig, b, means, N_FIRST_PARTS);
	if (b)
		b->close = true;
	static const char *const names[N_ARRANGEMENTS] = { "two pools", "shared" };
	for (int a = 0; a < N_ARRANGEMENTS; a++) {
		double ms[N_FIRST_PARTS];
		for (size_t i = 0; i < N_FIRST_PARTS; i++)
			ms[i] = 1e3 * d->sum[a].first_s[i];
		struct bar *bar = d->serves[a] ? bars_add(fig, b, names[a], ms) : NULL;
		if (bar)
			bar->note = figure_text(fig, "P99 %s, goal %s",
				figure_quantity(fig, d->sum[a].ttft_p99_s, "s"),
				figure_quantity(fig, d->ttft_s, "s"));
	}
}

/* --- Numbers --- */

static const char *percent(struct figure *fig, double share)
{
	return figure_quantity(fig, 100 * share, "%");
}

static void draw_numbers(const struct disaggregation *d, struct figure *fig)
{
	static const char *const head[] = { "", "two pools", "shared" };
	const struct pools_summary *a = &d->sum[SPLIT], *b = &d->sum[SHARED];
	struct table *t = figure_table(fig, "Both in numbers", head, 3, "011");
	figure_tab(fig, "Numbers");
	const struct {
		const char *name, *split, *shared;
	} rows[] = {
		{ "in time, req/s", figure_quantity(fig, a->goodput_per_s, ""),
			figure_quantity(fig, b->goodput_per_s, "") },
		{ "first token in time", percent(fig, a->in_time_first),
			percent(fig, b->in_time_first) },
		{ "tokens in time", percent(fig, a->in_time_next), percent(fig, b->in_time_next) },
		{ "first token p50", figure_quantity(fig, a->ttft_p50_s, "s"),
			figure_quantity(fig, b->ttft_p50_s, "s") },
		{ "first token p99", figure_quantity(fig, a->ttft_p99_s, "s"),
			figure_quantity(fig, b->ttft_p99_s, "s") },
		{ "mean gap p50", figure_quantity(fig, a->tpot_p50_s, "s"),
			figure_quantity(fig, b->tpot_p50_s, "s") },
		{ "mean gap p99", figure_quantity(fig, a->tpot_p99_s, "s"),
			figure_quantity(fig, b->tpot_p99_s, "s") },
		{ "any gap p99", figure_quantity(fig, a->itl_p99_s, "s"),
			figure_quantity(fig, b->itl_p99_s, "s") },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		table_row(fig, t, (const char *[]){ rows[i].name, rows[i].split, rows[i].shared });
}

void disaggregation_draw_rest(const struct disaggregation *d, struct figure *fig)
{
	bool any = d->serves[SPLIT] || d->serves[SHARED];
	if (any && !fig->hurried) {
		draw_ratio(d, fig);
		draw_load(d, fig);
	}
	if (any)
		draw_first_token(d, fig);
	if (d->serves[SPLIT] && d->serves[SHARED])
		draw_numbers(d, fig);
}
