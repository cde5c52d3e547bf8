/* All-reduce: the chunks move step by step; what each algorithm costs by size and by GPUs; what
 * hides behind the backward pass. */
#include "sims/constants.h"
#include "sims/tables/tables.h"
#include "sims/formulas/communication.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/figure/uncovered.h"
#include "sims/knobs.h"
#include "sims/communication/collective.h"
#include "sims/communication/collective_run.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"

#include <assert.h>
#include <math.h>

enum {
	ALGORITHM,
	GPUS,
	BYTES,
	GPU,
	GPUS_PER_NODE,
	INTER,
	LATENCY,
	LINKS,
	CHUNKS,
	BUCKETS,
	BACKWARD,
	N_KNOBS
};
enum { AUTO = N_ALGORITHMS };
enum { MEASURED, IDEAL };
enum { SHOWN_GPUS = 8, SHOWN_FRAMES = 96, MAX_BUCKETS = 1024 };

static const char *const algorithm_ids[] = { "ring", "tree", "hierarchical", "in_network", "auto",
	NULL };
static const char *const algorithm_labels[] = { "ring", "tree", "hierarchical", "in the switch",
	"quickest" };
static const char *const link_ids[] = { "measured", "ideal", NULL };

static const struct knob knobs[N_KNOBS] = {
	[ALGORITHM] = KNOB_CHOICE_OF("algorithm", "algorithm", algorithm_ids, algorithm_labels,
		"ring",
		"a ring moves the fewest bytes, a tree makes the fewest hops, a hierarchy spares "
		"the network, a switch adds on the way"),
	[GPUS] = KNOB_DOUBLING("gpus", "GPUs", "", 2, 16384, 8,
		"a ring's bytes hardly grow with it, 2(N-1)/N; its hops do, 2(N-1)"),
	[BYTES] = KNOB_FACTOR("bytes", "message", "MB", 0.001, 1e6, 14000, 2,
		"large messages wait for bandwidth, small ones for hops: which algorithm is best "
		"changes with it"),
	[GPU] = KNOB_ANY_GPU("a100",
		"sets the link between peers, one direction, and whether the switch can add "
		"(NVLS, from H100 on)"),
	[GPUS_PER_NODE] = KNOB_DOUBLING("gpus_per_node", "GPUs per node", "", 1, 72, NODE_GPUS,
		"inside a node the fast link, between nodes the network; each GPU has a NIC",
		.group = "network"),
	[INTER] = KNOB_FACTOR("inter_GBps", "network per GPU", "GB/s", 0.1, 1000,
		NETWORK_CARD_GB_PER_S, HALF_AN_OCTAVE,
		"200 Gb/s are 25 GB/s; a node that shares one NIC divides it by its GPUs"),
	[LATENCY] = KNOB_FACTOR("latency_us", "latency", "us", 0.1, 1000, NETWORK_LATENCY_US,
		HALF_AN_OCTAVE,
		"of a hop between nodes (ideal: of every hop); it moves the crossover of ring and "
		"tree in proportion",
		.group = "network"),
	[LINKS] = KNOB_CHOICE_OF("links", "links", link_ids, NULL, "measured",
		"measured: protocols, starts and efficiencies fitted on nccl-tests; ideal: the "
		"textbook's latency and bandwidth, nothing else",
		.group = "network"),
	[CHUNKS] = KNOB_DOUBLING("chunks", "pieces", "", 2, 64, 16,
		"the first piece must reach the end before a pipeline is full: more pieces, an "
		"earlier first sum; a ring always cuts into one per GPU",
		.group = "network",
		.when = { WHEN(ALGORITHM, ALGORITHM_TREE, ALGORITHM_IN_SWITCH, AUTO) }),
	[BUCKETS] = KNOB_DOUBLING("buckets", "buckets", "", 0, MAX_BUCKETS, 0,
		"auto is one per 25 MB, DDP's own: more of them start sooner and leave a shorter "
		"last one, and each pays its hops",
		.group = "overlap", .zero = "auto"),
	[BACKWARD] = KNOB_LINEAR("backward_ms", "backward", "ms", 0, 1e5, 1000, 10,
		"gradients travel while backward still runs: what is longer, and the last bucket, "
		"shows",
		.group = "overlap", .zero = "none"),
};

struct allreduce_setting {
	const double *v;
	struct network net;
	enum algorithm algorithm;
	double bytes, gpus;
};

static struct network network_of(const struct tables *t, const double v[])
{
	const struct accelerator *gpu = gpu_at(t, v[GPU]);
	double inter = v[INTER] * 1e9, hop_s = v[LATENCY] * 1e-6;
	struct network net =
		network_measured(gpu->family, v[GPUS_PER_NODE], gpu->link_bandwidth, inter, hop_s);
	if ((int)v[LINKS] == MEASURED)
		return net;
	bool adds = net.switch_efficiency > 0;
	net = network_ideal(v[GPUS_PER_NODE], net.intra_bandwidth, inter, hop_s);
	net.switch_efficiency = adds ? 1 : 0;
	net.switch_launch_s = 2 * hop_s; /* to the switch and back, twice, as in
					  * in_network_allreduce_time */
	return net;
}

static double time_of(const struct allreduce_setting *s, double gpus, double bytes)
{
	return (int)s->v[ALGORITHM] == AUTO
		       ? collective_best(&s->net, ALL_REDUCE, gpus, bytes, NULL)
		       : collective_time(&s->net, ALL_REDUCE, s->algorithm, gpus, bytes);
}

static struct allreduce_setting setting_of(const struct tables *t, const double v[])
{
	assert(v[ALGORITHM] <= AUTO && v[LINKS] <= IDEAL);
	struct allreduce_setting s = { .v = v,
		.net = network_of(t, v),
		.algorithm = (enum algorithm)v[ALGORITHM],
		.bytes = v[BYTES] * 1e6,
		.gpus = v[GPUS] };
	if ((int)v[ALGORITHM] == AUTO)
		collective_best(&s.net, ALL_REDUCE, s.gpus, s.bytes, &s.algorithm);
	return s;
}

/* --- what is sent, where ring and tree cross, what backward hides ------------------------- */

static double sent_bytes(const struct allreduce_setting *s)
{
	double local = fmin(s->gpus, s->v[GPUS_PER_NODE]), nodes = ceil(s->gpus / local);
	double share = s->bytes / local;
	switch (s->algorithm) {
	case ALGORITHM_TREE: /* up, and down to both children in one of two trees */
		return s->gpus > 2 ? 2 * s->bytes : s->bytes;
	case ALGORITHM_HIERARCHICAL:
		return CALL(ring_allreduce_bytes, .bytes = s->bytes, .gpus = local) +
		       CALL(ring_allreduce_bytes, .bytes = share, .gpus = nodes);
	case ALGORITHM_IN_SWITCH:
		return s->bytes + share + (nodes > 2 ? 2 * share : nodes > 1 ? share : 0);
	default:
		return CALL(ring_allreduce_bytes, .bytes = s->bytes, .gpus = s->gpus);
	}
}

static double ring_behind(const struct allreduce_setting *s, double bytes)
{
	return collective_time(&s->net, ALL_REDUCE, ALGORITHM_RING, s->gpus, bytes) -
	       collective_time(&s->net, ALL_REDUCE, ALGORITHM_TREE, s->gpus, bytes);
}

/* The size from which the ring stays ahead of the tree, found by halving. 0: it always is;
 * INFINITY: it never is up to 1e15 B. */
static double crossover_bytes(const struct allreduce_setting *s)
{
	double high = 1e15, low = high;
	if (ring_behind(s, high) > 0)
		return INFINITY;
	while (low > 1 && ring_behind(s, low) <= 0) {
		high = low;
		low /= 2;
	}
	if (ring_behind(s, low) <= 0)
		return 0;
	for (int i = 0; i < 60; i++) {
		double mid = sqrt(low * high);
		if (ring_behind(s, mid) > 0)
			low = mid;
		else
			high = mid;
	}
	return high;
}

/* Communication that is left when backward ends. Bucket after bucket: each is ready when its part
 * of backward is done, and all share one link. */
static double exposed_s(const struct allreduce_setting *s, double buckets, double backward_s)
{
	double one_s = time_of(s, s->gpus, s->bytes / buckets), free_s = 0;
	for (double i = 1; i <= buckets; i++)
		free_s = fmax(free_s, backward_s * i / buckets) + one_s;
	return free_s - backward_s;
}

static double buckets_of(const struct allreduce_setting *s)
{
	return s->v[BUCKETS] > 0 ? s->v[BUCKETS]
				 : fmax(1, CALL(ddp_buckets, .bytes = s->bytes,
						   .bucket_bytes = DDP_BUCKET_BYTES));
}

/* --- the run ------------------------------------------------------------------------------ */

static struct run_setup run_of(const struct allreduce_setting *s)
{
	double local = fmin(s->gpus, s->v[GPUS_PER_NODE]), nodes = ceil(s->gpus / local);
	size_t shown = local > SHOWN_GPUS ? SHOWN_GPUS : (size_t)local;
	if (nodes > 1 && shown > SHOWN_GPUS / 2)
		shown = SHOWN_GPUS / 2;
	double room = floor(SHOWN_GPUS / (double)shown);
	const struct network *net = &s->net;
	return (struct run_setup){ .algorithm = s->algorithm,
		.local = shown,
		.nodes = (size_t)fmin(nodes, room),
		.pieces = (size_t)s->v[CHUNKS],
		.bytes = s->bytes,
		.intra_bandwidth = net->intra_bandwidth * (s->algorithm == ALGORITHM_IN_SWITCH
									  ? net->switch_efficiency
									  : net->intra_efficiency),
		.inter_bandwidth = net->inter_bandwidth * net->inter_efficiency,
		.intra_hop_s = net->intra_hop_s,
		.inter_hop_s = net->inter_hop_s };
}

/* A cell shows of how many GPUs its chunk is the sum, in at most eight levels from its own part to
 * the sum of all; kind 0 is nothing yet, the last is a chunk on its way. */
static unsigned levels_of(unsigned gpus)
{
	return gpus < 8 ? gpus : 8;
}

/* From 1, its own part, to levels_of(gpus), the whole sum; in between rounded down, so that nothing
 * looks complete before it is. */
static unsigned kind_of(unsigned held, unsigned gpus)
{
	assert(held <= gpus);
	return held <= 1 ? held : 1 + (held - 1) * (levels_of(gpus) - 1) / (gpus - 1);
}

/* The most contributions that are drawn as this kind. */
static unsigned most_of(unsigned kind, unsigned gpus)
{
	unsigned most = gpus;
	while (kind_of(most, gpus) > kind)
		most--;
	return most;
}

/* In a step of a ring each GPU sends one chunk: 2 (N - 1) of them, and on links that differ some
 * arrive sooner than others. The other algorithms have no such beat: what is counted there is the
 * moments at which something arrives, unless they were thinned out. */
static void count_steps(struct figure *fig, struct grid *g, const struct allreduce_setting *s,
	const struct collective_run *run)
{
	if (!g || s->algorithm != ALGORITHM_RING) {
		grid_axes(fig, g, "chunk", run->n_frames < SHOWN_FRAMES ? "arrival" : NULL);
		return;
	}
	grid_axes(fig, g, "chunk", "step");
	size_t *done = arena_array(&fig->arena, run->n_frames, sizeof *done), arrived = 0;
	if (fig->arena.failed)
		return;
	for (size_t f = 0; f < run->n_frames; f++) {
		while (arrived < run->n_sends && run->sends[arrived].end_s <= run->frame_s[f])
			arrived++;
		done[f] = arrived / run->gpus;
	}
	bool all = (double)run->gpus >= s->gpus;
	grid_steps(fig, g, done, 2 * (run->gpus - 1), all ? 0 : 2 * ((size_t)s->gpus - 1));
}

static struct grid *held_grid(
	struct figure *fig, const struct allreduce_setting *s, const struct collective_run *run)
{
	enum { MOST_KINDS = 10 };
	const char *names[MOST_KINDS] = { "nothing yet", "own part" }, *rows[2 * MAX_RUN_GPUS];
	enum meaning means[MOST_KINDS] = { MEANS_EMPTY, MEANS_LEVEL };
	unsigned n = (unsigned)run->gpus, levels = levels_of(n);
	for (unsigned i = 2; i <= levels; i++) {
		names[i] = i == levels ? figure_text(fig, "all %u", n)
			   : n <= 8    ? figure_text(fig, "%u", i)
				       : figure_text(fig, "to %u", most_of(i, n));
		means[i] = (enum meaning)(MEANS_LEVEL + 7 * (i - 1) / (levels - 1));
	}
	names[levels + 1] = "sent ↓, +n arrives";
	means[levels + 1] = MEANS_FOCUS;
	for (size_t i = 0; i < run->rows; i++)
		rows[i] = i < run->gpus ? figure_text(fig, "GPU %zu", i)
					: figure_text(fig, "switch %zu", i - run->gpus);
	const char *title = "GPUs summed so far";
	if ((double)run->gpus < s->gpus)
		title = figure_text(fig, "%s, %zu GPUs stand for %g", title, run->gpus, s->gpus);
	struct grid *g = figure_grid(fig, title, names, levels + 2, rows, run->rows, run->chunks,
		run->frame_s, run->n_frames);
	figure_tab(fig, "Chunks");
	grid_mean(fig, g, means, levels + 2);
	count_steps(fig, g, s, run);
	if (g)
		g->apart = true;
	return g;
}

static unsigned held_at(const struct collective_run *run, size_t frame, size_t row, size_t chunk)
{
	return run->held[(frame * run->rows + row) * run->chunks + chunk];
}

static void draw_held(struct figure *fig, struct grid *g, const struct collective_run *run)
{
	unsigned n = (unsigned)run->gpus;
	for (size_t f = 0; g && f < run->n_frames; f++)
		for (size_t i = 0; i < run->rows * run->chunks; i++) {
			size_t row = i / run->chunks, chunk = i % run->chunks;
			unsigned held = held_at(run, f, row, chunk);
			grid_set(g, f, row, chunk, kind_of(held, n));
			if (held)
				grid_write(fig, g, f, row, chunk, held, 0);
		}
}

/* Calls for each chunk that is under way in the middle of a frame. */
typedef void draw_send(struct figure *fig, struct grid *g, const struct collective_run *run,
	size_t frame, const struct run_send *send, unsigned chunk);

static void each_send(struct figure *fig, struct grid *g, const struct collective_run *run,
	size_t frame, draw_send *draw)
{
	double at_s = (run->frame_s[frame] + run->frame_s[frame + 1]) / 2;
	for (size_t i = 0; i < run->n_sends; i++) {
		const struct run_send *send = &run->sends[i];
		if (send->start_s > at_s || send->end_s <= at_s)
			continue;
		for (unsigned k = 0; k < send->n_chunks; k++)
			draw(fig, g, run, frame, send, send->chunk + k);
	}
}

/* Where it goes to: what is not yet the whole sum is added to what is there. */
static void draw_target(struct figure *fig, struct grid *g, const struct collective_run *run,
	size_t frame, const struct run_send *send, unsigned chunk)
{
	(void)fig;
	unsigned held = held_at(run, frame, send->from, chunk);
	grid_receive(g, frame, send->to, chunk, held, held < run->gpus);
}

/* Where it comes from, with an arrow to the row that it goes to. */
static void draw_source(struct figure *fig, struct grid *g, const struct collective_run *run,
	size_t frame, const struct run_send *send, unsigned chunk)
{
	grid_set(g, frame, send->from, chunk, levels_of((unsigned)run->gpus) + 1);
	grid_write(fig, g, frame, send->from, chunk, held_at(run, frame, send->from, chunk),
		(int)send->to - (int)send->from);
}

/* A chunk that is passed on while the next piece of it arrives is one that is sent. */
static void draw_sends(struct figure *fig, struct grid *g, const struct collective_run *run)
{
	for (size_t f = 0; g && f + 1 < run->n_frames; f++) {
		each_send(fig, g, run, f, draw_target);
		each_send(fig, g, run, f, draw_source);
	}
}

static void moments(
	struct figure *fig, const struct allreduce_setting *s, const struct collective_run *run)
{
	/* Short enough for one line beside the time. */
	static const char *const begins[] = {
		"Each GPU sends a chunk on; the next one adds its own",
		"Leaves send up, inner nodes add: two trees at once",
		"Inside each node first: a ring adds up its GPUs' parts",
		"Every GPU sends every chunk to the switch, which adds",
	};
	static const char *const middles[] = {
		"The whole sums go round once more; nothing is added",
		"The first sum goes down while later pieces come up",
		"Now the whole sums go round inside each node",
		"A sum is complete: the switch hands it to all",
	};
	figure_moment(fig, 0, "%s", begins[s->algorithm]);
	figure_moment(fig, run->gathering_s, "%s", middles[s->algorithm]);
	figure_moment(fig, run->time_s, "%s",
		run->sum_holds ? "Every GPU holds the sum of all: checked on real figures"
			       : "The sums differ: the schedule is wrong");
}

/* The schedule knows bandwidth and hops only, and few of many GPUs: it is stretched to the time of the
 * whole, so that the screen has one clock. */
static void stretch(struct collective_run *run, double time_s)
{
	double factor = time_s / run->time_s;
	for (size_t i = 0; i < run->n_frames; i++)
		run->frame_s[i] *= factor;
	for (size_t i = 0; i < run->n_sends; i++) {
		run->sends[i].start_s *= factor;
		run->sends[i].end_s *= factor;
	}
	run->gathering_s *= factor;
	run->time_s = time_s;
}

/* Runs the schedule and draws it. False: memory is out. */
static bool draw_run(struct figure *fig, const struct allreduce_setting *s, double time_s)
{
	struct collective_run run;
	struct run_setup setup = run_of(s);
	if (!collective_run(&setup, SHOWN_FRAMES, &run, &fig->arena))
		return false;
	stretch(&run, time_s);
	struct grid *g = held_grid(fig, s, &run);
	draw_held(fig, g, &run);
	draw_sends(fig, g, &run);
	if (g && s->algorithm != ALGORITHM_IN_SWITCH)
		g->used[0] = false; /* only a switch begins with nothing */
	if (g)
		/* Sums under way say more than the end, where all cells are the same. */
		g->still_s = fmax(0.6 * run.gathering_s, 0.3 * run.time_s);
	fig->duration_s = run.time_s;
	moments(fig, s, &run);
	value_note(figure_value(fig, "first_sum_pct", "first sum whole",
			   100 * run.gathering_s / run.time_s, "%", ROLE_DIM),
		"of the time");
	value_note(figure_value(fig, "sum_holds", "sum checked", run.sum_holds, "yes/no",
			   run.sum_holds ? ROLE_DIM : ROLE_BAD),
		figure_text(fig, "%zu sends", run.n_sends));
	if ((double)run.gpus != s->gpus)
		figure_assume(fig,
			"the chunks are shown on %zu of %g GPUs (%zu nodes), in the time of all",
			run.gpus, s->gpus, setup.nodes);
	return true;
}

/* --- published timings ----------------------------------------------------------------------- */

enum { MOST = 100, WANT = 2, FROM_BYTES = 1000, APART = 8 };

static void say_nearest(struct figure *fig, const struct tables *t, const struct network *net,
	double gpus, double rows[][WANT], size_t n, double bytes)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (overlay_distance(rows[i][0], bytes) < overlay_distance(rows[best][0], bytes))
			best = i;
	double model_s = collective_best(net, ALL_REDUCE, gpus, rows[best][0], NULL);
	overlay_nearest(fig, t, "collectives", "%s on %g GPUs, %s; the model says %s%s",
		figure_quantity(fig, rows[best][0], "B"), gpus,
		figure_quantity(fig, rows[best][1] * 1e-6, "s"), figure_quantity(fig, model_s, "s"),
		overlay_distance(rows[best][0], bytes) > 1
			? ". The message lies outside what was measured"
			: "");
}

/* Adds the published points of this GPU, as many of them in one node; says how far off the model is
 * and which measurement is nearest to the message, or that there is none. */
static void allreduce_overlay(struct figure *fig, struct plot *p, const struct tables *t,
	const struct accelerator *g, const struct network *net, double gpus, double gpus_per_node,
	double bytes)
{
	const struct measured_condition c[] = { { "gpu", g->id, 0, 0 },
		{ "op", "all_reduce", 0, 0 }, { "n_gpus", NULL, gpus, gpus } };
	static const char *const want[WANT] = { "bytes", "time_us" };
	double rows[MOST][WANT];
	size_t n = gpus > gpus_per_node ? 0
					: measured_points(fig->memo, t, "collectives", c, 3, want,
						  WANT, rows[0], MOST);

	if (!n) {
		overlay_outside(fig, "no all-reduce of %g x %s%s; links as of its family", gpus,
			g->name, gpus > gpus_per_node ? " over several nodes" : "");
		return;
	}
	const char *what = figure_text(fig, "collectives in a node of A100 or H100");
	if (!overlay_error(fig, t, "collectives", "", 0, what))
		return;
	struct series *s = overlay_series(fig, p, "measured", 6);
	/* Marks only as many as leave the curves visible, and sets the lower end of the axis below
	 * them. */
	double next = FROM_BYTES, least_s = INFINITY;
	for (size_t i = 0; i < n; i++)
		if (rows[i][0] >= next) {
			series_mark(fig, s, rows[i][0], rows[i][1] * 1e-6, NULL, ROLE_PLAIN);
			least_s = fmin(least_s, rows[i][1] * 1e-6);
			next = APART * rows[i][0];
		}
	if (p)
		p->y.min = pow(10, floor(log10(least_s) - 0.1));
	say_nearest(fig, t, net, gpus, rows, n, bytes);
}

/* --- pictures ----------------------------------------------------------------------------- */

static void add_point(struct figure *fig, struct series *line, double x, double y)
{
	if (isfinite(y) && y > 0)
		series_point(fig, line, x, y);
}

/* All ways are communication: the line of the one that is set has its colour, the others those of kinds, for
 * none of them idles. */
static enum meaning way_means(const struct allreduce_setting *s, enum algorithm a)
{
	if (a == s->algorithm)
		return MEANS_NETWORK;
	return (enum meaning)(MEANS_KIND + a);
}

/* The ways that there are for a message, the quickest first; each split into what one byte would take, which is
 * the start of every hop, and the rest, which is bytes: a part of its own for each way, that says how many. Starts
 * of hops that would be a hair's breadth in each are not parted. */
static void draw_ways(
	struct figure *fig, const struct allreduce_setting *s, const char *title, const char *tab)
{
	enum { HOPS = N_ALGORITHMS, N_PARTS };
	const double hair = 0.02; /* of its time: where none has more, no bar has it */
	const char *parts[N_PARTS] = { [HOPS] = "starting each hop" };
	enum meaning means[N_PARTS] = { [HOPS] = MEANS_FIXED };
	double time_s[N_ALGORITHMS], hops_s[N_ALGORITHMS];
	bool parted = false;
	for (enum algorithm a = 0; a < N_ALGORITHMS; a++) {
		struct allreduce_setting way = *s;
		way.algorithm = a;
		time_s[a] = collective_time(&s->net, ALL_REDUCE, a, s->gpus, s->bytes);
		hops_s[a] = fmin(time_s[a], collective_time(&s->net, ALL_REDUCE, a, s->gpus, 1));
		parted |= isfinite(time_s[a]) && hops_s[a] >= hair * time_s[a];
		parts[a] = isfinite(time_s[a])
				   ? figure_text(fig, "sends %s",
					     figure_quantity(fig, sent_bytes(&way), "B"))
				   : "";
		means[a] = way_means(s, a);
	}
	struct bars *b = figure_bars(fig, title, "ms", parts, N_PARTS);
	figure_tab(fig, tab);
	bars_mean(fig, b, means, N_PARTS);
	if (b)
		b->close = true;
	for (size_t n = 0; n < N_ALGORITHMS; n++) {
		enum algorithm best = 0;
		for (enum algorithm a = 1; a < N_ALGORITHMS; a++)
			if (time_s[a] < time_s[best])
				best = a;
		if (!isfinite(time_s[best]))
			break;
		double parts_ms[N_PARTS] = { 0 };
		parts_ms[HOPS] = parted ? hops_s[best] * 1e3 : 0;
		parts_ms[best] = time_s[best] * 1e3 - parts_ms[HOPS];
		struct bar *bar = bars_add(fig, b, algorithm_labels[best], parts_ms);
		if (bar && best == s->algorithm)
			bar->role = ROLE_ACCENT;
		time_s[best] = INFINITY;
	}
}

/* The same for the message that is set, and for one of another kind: a small one waits for hops, a large one for
 * bytes. */
static void compare_ways(struct figure *fig, const struct allreduce_setting *s)
{
	const double small = 1e6, large = 1e9, between = 30e6;
	struct allreduce_setting other = *s;
	other.bytes = s->bytes > between ? small : large;
	draw_ways(fig, s,
		figure_text(fig, "Time of each way: %s over %s",
			figure_quantity(fig, s->bytes, "B"), figure_quantity(fig, s->gpus, "GPU")),
		"Ways");
	draw_ways(fig, &other,
		figure_text(fig, "A %s message, %s", other.bytes < s->bytes ? "small" : "large",
			figure_quantity(fig, other.bytes, "B")),
		other.bytes < s->bytes ? "Small" : "Large");
}

static void plot_size(struct figure *fig, const struct tables *t, const struct allreduce_setting *s,
	double crossover)
{
	const struct accelerator *gpu = gpu_at(t, s->v[GPU]);
	struct plot *p = figure_plot(fig,
		figure_text(fig, "Time by size of the message, %s",
			figure_quantity(fig, s->gpus, "GPU")),
		"Message", "B", AXIS_LOG10, "Time", "s", AXIS_LOG10);
	figure_tab(fig, "By size");
	for (enum algorithm a = 0; a < N_ALGORITHMS; a++) {
		if (!isfinite(collective_time(&s->net, ALL_REDUCE, a, s->gpus, 1)))
			continue;
		struct series *line =
			plot_series(fig, p, algorithm_labels[a], SERIES_LINE, way_means(s, a));
		for (double b = 1e3; b < 1.5e12; b *= 1.7782794100389228)
			add_point(
				fig, line, b, collective_time(&s->net, ALL_REDUCE, a, s->gpus, b));
	}
	if ((int)s->v[LINKS] == MEASURED)
		allreduce_overlay(fig, p, t, gpu, &s->net, s->gpus, s->v[GPUS_PER_NODE], s->bytes);
	if (crossover > 1e3 && crossover < 1e12)
		plot_rule(fig, p, false, crossover, "ring = tree", ROLE_WARN);
	plot_rule(fig, p, false, s->bytes, figure_quantity(fig, s->bytes, "B"), ROLE_ACCENT);
}

/* Whether a way takes as long as the one that is set: then one line stands for both. */
static bool as_long(const struct allreduce_setting *s, enum algorithm a, double n)
{
	double mine_s = collective_time(&s->net, ALL_REDUCE, s->algorithm, n, s->bytes);
	double time_s = collective_time(&s->net, ALL_REDUCE, a, n, s->bytes);
	return a != s->algorithm && fabs(time_s - mine_s) < 0.02 * mine_s;
}

static void name_both(struct figure *fig, struct plot *p, const struct allreduce_setting *s,
	enum algorithm a, double n)
{
	struct series *both = plot_series(fig, p, "", SERIES_POINTS, way_means(s, a));
	if (both)
		both->unlisted = true;
	series_mark(fig, both, n,
		1e3 * collective_time(&s->net, ALL_REDUCE, s->algorithm, n, s->bytes),
		figure_text(fig, "%s = %s", algorithm_labels[s->algorithm], algorithm_labels[a]),
		ROLE_PLAIN);
}

static void plot_gpus(struct figure *fig, const struct allreduce_setting *s)
{
	const char *text = figure_quantity(fig, s->bytes, "B");
	struct plot *p =
		figure_plot(fig, figure_text(fig, "Time of %s by the number of GPUs", text), "GPUs",
			"", AXIS_LOG2, "Time", "ms", AXIS_LOG10);
	figure_tab(fig, "By GPUs");
	for (enum algorithm a = 0; a < N_ALGORITHMS; a++) {
		struct series *line = NULL;
		double first = 0, last = 0; /* of the stretch where it is hidden */
		for (double n = 2; n <= 16384; n *= 2) {
			double time_s = collective_time(&s->net, ALL_REDUCE, a, n, s->bytes);
			if (!isfinite(time_s))
				continue;
			if (!line)
				line = plot_series(
					fig, p, algorithm_labels[a], SERIES_LINE, way_means(s, a));
			bool hidden =
				as_long(s, a, n) && as_long(s, a, n / 2) && as_long(s, a, 2 * n);
			series_point(fig, line, n, hidden ? NAN : time_s * 1e3);
			first = hidden && first <= 0 ? n : first;
			last = hidden ? n : last;
		}
		if (last > first)
			name_both(fig, p, s, a, exp2(round(log2(first * last) / 2)));
	}
	plot_rule(fig, p, false, s->gpus, figure_quantity(fig, s->gpus, "GPU"), ROLE_ACCENT);
	plot_slider(fig, p, "gpus", s->gpus);
}

static void plot_overlap(struct figure *fig, const struct allreduce_setting *s)
{
	double backward_s = s->v[BACKWARD] / 1e3, here = buckets_of(s);
	if (backward_s <= 0 || !isfinite(time_of(s, s->gpus, s->bytes)))
		return;
	struct plot *p = figure_plot(fig, "Time left to wait when backward ends", "Buckets", "",
		AXIS_LOG2, "Time", "s", AXIS_LOG10);
	figure_tab(fig, "Overlap");
	struct series *line = plot_series(fig, p, "with overlap", SERIES_LINE, MEANS_NETWORK);
	struct series *whole = plot_series(fig, p, "without overlap", SERIES_DASHED, MEANS_WAITING);
	for (double b = 1; b <= MAX_BUCKETS; b *= 2) {
		add_point(fig, line, b, exposed_s(s, b, backward_s));
		add_point(fig, whole, b, b * time_of(s, s->gpus, s->bytes / b));
	}
	if (here <= 1e5)
		plot_rule(fig, p, false, here,
			figure_text(fig, "%s bucket%s", figure_quantity(fig, here, ""),
				here > 1 ? "s" : ""),
			ROLE_ACCENT);
}

/* --- values and words --------------------------------------------------------------------- */

/* The quickest other way; NAN where there is none. */
static double second_best_s(
	const struct allreduce_setting *s, enum algorithm best, enum algorithm *found)
{
	double least_s = NAN;
	for (enum algorithm a = 0; a < N_ALGORITHMS; a++) {
		double time_s = collective_time(&s->net, ALL_REDUCE, a, s->gpus, s->bytes);
		if (a == best || !isfinite(time_s) || least_s <= time_s)
			continue;
		least_s = time_s;
		*found = a;
	}
	return least_s;
}

static void values(
	struct figure *fig, const struct allreduce_setting *s, double time_s, double crossover)
{
	bool can = isfinite(time_s);
	const char *why = can ? NULL : "not on this machine";
	double buckets = buckets_of(s), backward_s = s->v[BACKWARD] / 1e3;
	double comm_s = buckets * time_of(s, s->gpus, s->bytes / buckets);
	double exposed = can ? exposed_s(s, buckets, backward_s) : INFINITY;
	value_note(figure_value(fig, "time_ms", "all-reduce", time_s * 1e3, "ms", ROLE_ACCENT),
		can ? algorithm_labels[s->algorithm] : why);
	value_note(figure_value(fig, "busbw_GBps", "bus bandwidth",
			   can ? bus_bandwidth(ALL_REDUCE, s->gpus, s->bytes, time_s) / 1e9 : 0,
			   "GB/s", ROLE_PLAIN),
		"what a link carries");
	figure_value(fig, "sent_GB", "sent by each GPU", sent_bytes(s) / 1e9, "GB", ROLE_PLAIN);
	/* Where one of the two is always ahead there is no such size. */
	if (crossover > 0 && isfinite(crossover))
		value_note(figure_value(fig, "crossover_MB", "ring wins from", crossover / 1e6,
				   "MB", ROLE_PLAIN),
			s->bytes < crossover ? "below it: the tree" : "above it: the ring");
	figure_left_open(fig, "buckets", buckets);
	value_note(figure_value(fig, "algbw_GBps", "bytes over time",
			   can ? s->bytes / time_s / 1e9 : 0, "GB/s", ROLE_DIM),
		"message / time");
	/* These are not of the one message: of a training step that sends it in buckets. */
	value_note(figure_value(fig, "exposed_ms", "not overlapped", exposed * 1e3, "ms",
			   exposed > 0.1 * backward_s ? ROLE_WARN : ROLE_DIM),
		can ? figure_text(fig, "of %s", figure_quantity(fig, comm_s, "s")) : why);
	value_note(figure_value(fig, "comm_ms", "in buckets", comm_s * 1e3, "ms", ROLE_DIM),
		can ? figure_text(fig, "%s of them", figure_quantity(fig, buckets, "")) : why);
}

static double sent_by(const struct allreduce_setting *s, enum algorithm a)
{
	struct allreduce_setting way = *s;
	way.algorithm = a;
	return sent_bytes(&way);
}

static const char *sent_text(
	struct figure *fig, const struct allreduce_setting *s, enum algorithm a)
{
	return figure_quantity(fig, sent_by(s, a), "B");
}

static bool sends_less(const struct allreduce_setting *s, enum algorithm one, enum algorithm other)
{
	return sent_by(s, one) < 0.999 * sent_by(s, other);
}

/* The ways as subjects of a sentence, behind "the". */
static const char *const spoken[N_ALGORITHMS] = { "ring", "tree", "hierarchy", "switch" };

static const char *reason(struct figure *fig, const struct allreduce_setting *s,
	enum algorithm best, enum algorithm other)
{
	double hops_s = collective_time(&s->net, ALL_REDUCE, other, s->gpus, 1);
	bool small = 2 * hops_s > collective_time(&s->net, ALL_REDUCE, other, s->gpus, s->bytes);
	switch (best) {
	case ALGORITHM_TREE:
		return small ? "so small a message waits for hops, and a tree has the fewest"
			     : "the tree keeps every link busy all the time";
	case ALGORITHM_HIERARCHICAL:
		return "each GPU carries only its share over the network";
	case ALGORITHM_IN_SWITCH:
		return "the switch adds, so that bytes go up once";
	default:
		if (sends_less(s, best, other))
			return figure_text(fig, "each GPU sends %s, not %s",
				sent_text(fig, s, best), sent_text(fig, s, other));
		return figure_text(fig, "the %s keeps every link busy all the time", spoken[best]);
	}
}

/* The verdict: which way is quickest here, by how much, and why. */
static void explain(struct figure *fig, const struct allreduce_setting *s, double time_s)
{
	enum algorithm best = s->algorithm, second = s->algorithm;
	double best_s = collective_best(&s->net, ALL_REDUCE, s->gpus, s->bytes, &best);
	bool close = isfinite(time_s) && best_s >= 0.98 * time_s;
	if (close)
		best = s->algorithm;
	double second_s = second_best_s(s, best, &second);
	const char *mine = figure_quantity(fig, time_s, "s");
	const char *quickest = figure_quantity(fig, best_s, "s");
	const char *size = figure_quantity(fig, s->bytes, "B");
	if (!isfinite(time_s))
		figure_why(fig,
			"This machine cannot do it that way; the quickest it has is the %s, %s.",
			spoken[best], quickest);
	else if (!close)
		figure_why(fig, "The %s takes %s, the %s needs only %s: %s.", spoken[s->algorithm],
			mine, spoken[best], quickest, reason(fig, s, best, s->algorithm));
	else if (isnan(second_s) || second_s < 1.02 * time_s)
		figure_why(fig, "%s in %s, and no other way is %squicker%s.", size, mine,
			second_s < time_s ? "much " : "",
			isnan(second_s) ? ""
					: figure_text(fig, ": the %s takes %s", spoken[second],
						  figure_quantity(fig, second_s, "s")));
	else if (best == ALGORITHM_RING && sends_less(s, best, second))
		figure_why(fig, "The ring is quickest, %s: each GPU sends %s, in the %s %s.", mine,
			sent_text(fig, s, best), spoken[second], sent_text(fig, s, second));
	else
		figure_why(fig, "The %s is quickest, the %s takes %.3gx as long: %s.", spoken[best],
			spoken[second], second_s / time_s, reason(fig, s, best, second));
}

static void warn(struct figure *fig, const struct allreduce_setting *s, double time_s)
{
	double local = fmin(s->gpus, s->v[GPUS_PER_NODE]);
	if (!isfinite(time_s))
		figure_note(fig, ROLE_WARN,
			s->algorithm == ALGORITHM_HIERARCHICAL
				? "One node has no hierarchy: take more GPUs, or fewer per node."
				: "No switch adds here: that needs NVLS (H100 and later, more than "
				  "two GPUs in a node).");
	if (fmod(s->gpus, local) > 0)
		figure_note(fig, ROLE_WARN,
			"%g GPUs do not fill nodes of %g: the chunks are shown on full nodes.",
			s->gpus, local);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct allreduce_setting s = setting_of(t, v);
	double time_s = time_of(&s, s.gpus, s.bytes), crossover = crossover_bytes(&s);
	const char *text = figure_quantity(fig, s.bytes, "B");
	figure_subtitle(fig, "%s · %s x %s · %s links", text, figure_quantity(fig, s.gpus, ""),
		gpu_at(t, v[GPU])->name, link_ids[(size_t)v[LINKS]]);
	values(fig, &s, time_s, crossover);
	explain(fig, &s, time_s);
	if (isfinite(time_s) && !draw_run(fig, &s, time_s))
		return;
	compare_ways(fig, &s);
	plot_size(fig, t, &s, crossover);
	plot_overlap(fig, &s);
	plot_gpus(fig, &s);
	warn(fig, &s, time_s);
	note_domain(fig, gpu_at(t, v[GPU]), v[GPUS_PER_NODE]);
	if ((int)v[LINKS] != MEASURED)
		overlay_outside(fig, "ideal links, which nobody measures; links=measured compares");
	figure_assume(fig, "one direction per link, GB = 1e9 B; a NIC of its own for every GPU");
	figure_assume(fig,
		"step by step: all steps stretched alike to the time of the whole, which has starts "
		"and protocols too");
	figure_assume(
		fig, "backward is even: bucket i of B is ready at i/B of it; one link for all");
	figure_leave_out(
		fig, "congestion between nodes, stragglers, and the SMs that copying takes");
	figure_leave_out(fig, "compression of gradients");
}

const struct sim allreduce_sim = {
	.id = "allreduce",
	.title = "All-reduce",
	.summary = "Chunks step by step through ring, tree, hierarchy or switch; time by size and "
		   "GPUs",
	.page = "distributed",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(GPUS, BYTES, ALGORITHM, GPU, INTER),
	.try = "Turn GPUs to 512, the message to 1 MB. Which way is quickest, and why?",
	.run = run,
};
