/* An algorithm is laid down first, as connections with a list of messages each: lay() draws rings
 * and trees, and computes no time. A message says what its sender must hold before it can leave,
 * and nothing else orders the run. So one loop plays every algorithm: of all connections it takes
 * the one whose next message can start first, and sends that.
 *
 * A cell is one chunk on one GPU: its sum, and a bit for every GPU whose contribution is in it. The
 * bits tell what is still missing, and whether something was added twice. The frames come from a
 * second pass over the messages, sorted by arrival. */
#include "sims/communication/collective_run.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Messages that go over one connection, in this order. */
struct order {
	unsigned chunk, n_chunks;
	unsigned parts;    /* contributions that the sender must hold */
	unsigned arrivals; /* messages that must have reached the sender */
	unsigned to_parts; /* contributions that the receiver must hold to add it */
};
struct connection {
	unsigned from, to;
	double bandwidth, hop_s;
	struct order *orders;
	size_t n, next;
};

/* What a row holds of one chunk. */
struct collective_cell {
	uint64_t from; /* the GPUs whose contributions it holds, a bit each */
	int64_t sum;
	unsigned arrivals;
	double since_s;
};

struct collective_work {
	const struct run_setup *s;
	struct collective_run *run;
	struct arena *arena;
	struct connection *connections;
	size_t n, cap, orders;
	struct collective_cell *cells;
	double *sending_s, *receiving_s; /* when the port is free again */
	double *sent;
	bool counted_twice;
};

static unsigned ones(uint64_t x)
{
	unsigned n = 0;
	for (; x; x &= x - 1)
		n++;
	return n;
}

static struct connection *connect(
	struct collective_work *w, unsigned from, unsigned to, size_t orders)
{
	assert(w->n < w->cap);
	assert(from < w->run->rows && to < w->run->rows);
	const struct run_setup *s = w->s;
	struct connection *c = &w->connections[w->n++];
	bool crosses = from / s->local != to / s->local;
	/* Rings and trees are laid once per NIC, each with its share: seen as one, they cross over
	 * all NICs of the node together. */
	double rails = s->algorithm == ALGORITHM_RING || s->algorithm == ALGORITHM_TREE
			       ? (double)s->local
			       : 1;
	double wide = rails * s->inter_bandwidth;
	*c = (struct connection){ .from = from,
		.to = to,
		.bandwidth = crosses ? (s->local > 1 ? fmin(wide, s->intra_bandwidth) : wide)
				     : s->intra_bandwidth,
		.hop_s = crosses ? s->inter_hop_s : s->intra_hop_s,
		.orders = arena_array(w->arena, orders, sizeof *c->orders) };
	if (rails == 1)
		c->bandwidth = crosses ? s->inter_bandwidth : s->intra_bandwidth;
	return c;
}

static void order(struct collective_work *w, struct connection *c, struct order o)
{
	if (w->arena->failed)
		return;
	c->orders[c->n++] = o;
	w->orders++;
}

/* Lays a ring over `size` rows from `first` in steps of `stride`. The message is cut into blocks of
 * `width` chunks from `chunk` on. It reduces and scatters, then gathers, or does one of them; each
 * row contributes `unit` GPUs. */
struct ring {
	unsigned first, stride, size, chunk, width, unit, whole;
	unsigned shift; /* row i starts with block i + shift */
	bool reduces, gathers;
};

static void ring(struct collective_work *w, const struct ring *r)
{
	for (unsigned i = 0; i < r->size; i++) {
		unsigned from = r->first + i * r->stride,
			 to = r->first + (i + 1) % r->size * r->stride;
		struct connection *c = connect(w, from, to, 2 * (size_t)r->size);
		unsigned k = r->reduces ? 0 : r->size - 1;
		unsigned end = r->gathers ? 2 * (r->size - 1) : r->size - 1;
		for (; k < end; k++) {
			/* A ring has members. NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
			unsigned block = (i + r->shift + 2 * r->size - k) % r->size;
			order(w, c,
				(struct order){ .chunk = r->chunk + block * r->width,
					.n_chunks = r->width,
					.parts = k < r->size - 1 ? (k + 1) * r->unit : r->whole,
					.to_parts = r->unit });
		}
	}
}

static void flat_ring(struct collective_work *w)
{
	unsigned n = (unsigned)w->run->gpus;
	ring(w, &(struct ring){ .stride = 1,
			.size = n,
			.width = 1,
			.unit = 1,
			.whole = n,
			.reduces = true,
			.gathers = true });
}

/* A ring inside each node leaves each GPU one block of the node's sum; rings between nodes add up
 * the blocks, cut again into a part per node; rings inside gather them. */
static void hierarchy(struct collective_work *w)
{
	unsigned g = (unsigned)w->s->local, n = (unsigned)w->s->nodes, all = g * n;
	for (unsigned node = 0; node < n && g > 1; node++)
		ring(w, &(struct ring){ .first = node * g,
				.stride = 1,
				.size = g,
				.width = n,
				.unit = 1,
				.reduces = true });
	for (unsigned i = 0; i < g; i++)
		ring(w, &(struct ring){ .first = i,
				.stride = g,
				.size = n,
				.width = 1,
				.chunk = (i + 1) % g * n,
				.unit = g,
				.whole = all,
				.reduces = true,
				.gathers = true });
	for (unsigned node = 0; node < n && g > 1; node++)
		ring(w, &(struct ring){ .first = node * g,
				.stride = 1,
				.size = g,
				.width = n,
				.unit = 1,
				.whole = all,
				.gathers = true });
}

/* The binary tree in which odd ranks are leaves; 0 is its root. As in NCCL. */
static unsigned tree_parent(unsigned rank, unsigned size)
{
	unsigned bit = rank & (~rank + 1), up = (rank ^ bit) | bit << 1;
	return up < size ? up : rank ^ bit;
}

/* The second tree is the mirror image, or shifted by one, so that a leaf of one is inside of the
 * other and both halves of the message keep every link busy. */
static unsigned parent_in(bool second, unsigned rank, unsigned size)
{
	if (!second)
		return tree_parent(rank, size);
	if (size % 2 == 0)
		return size - 1 - tree_parent(size - 1 - rank, size);
	return (tree_parent((rank + size - 1) % size, size) + 1) % size;
}

static unsigned root_of(bool second, unsigned size)
{
	return second ? (size % 2 == 0 ? size - 1 : 1 % size) : 0;
}

/* Two trees over `size` rows; chunks first, first + step, ... alternate between them. */
static void trees(struct collective_work *w, unsigned row, unsigned stride, unsigned size,
	unsigned unit, unsigned chunk, unsigned step)
{
	size_t chunks = w->run->chunks;
	for (int second = 0; second < 2; second++) {
		unsigned below[MAX_RUN_GPUS] = { 0 }, root = root_of(second, size);
		for (unsigned r = 0; r < size; r++)
			for (unsigned up = r;; up = parent_in(second, up, size)) {
				below[up]++;
				if (up == root)
					break;
			}
		for (unsigned r = 0; r < size; r++) {
			if (r == root)
				continue;
			unsigned from = row + r * stride,
				 to = row + parent_in(second, r, size) * stride;
			struct connection *up = connect(w, from, to, chunks);
			struct connection *down = connect(w, to, from, chunks);
			for (size_t c = chunk + (second ? step : 0); c < chunks; c += 2 * step) {
				struct order o = { .chunk = (unsigned)c,
					.n_chunks = 1,
					.parts = below[r] * unit,
					.to_parts = unit };
				order(w, up, o);
				o.parts = size * unit;
				order(w, down, o);
			}
		}
	}
}

/* Every GPU sends every chunk to the switch, which adds them and hands the sum to the chunk's
 * owner; the owner, once the other nodes' shares are in, sends it up again for all. */
static void through_the_switch(struct collective_work *w)
{
	unsigned g = (unsigned)w->s->local, nodes = (unsigned)w->s->nodes;
	unsigned all = (unsigned)w->run->gpus;
	size_t chunks = w->run->chunks;
	for (unsigned i = 0; i < g && nodes > 1; i++)
		trees(w, i, g, nodes, g, i, g);
	for (unsigned gpu = 0; gpu < all; gpu++) {
		unsigned hub = all + gpu / g;
		struct connection *back = connect(w, gpu, hub, chunks);
		struct connection *cast = connect(w, hub, gpu, chunks);
		struct connection *sum = connect(w, hub, gpu, chunks);
		struct connection *give = connect(w, gpu, hub, chunks);
		struct connection *const local[] = { back, cast, sum, give };
		for (int i = 0; i < 4; i++) {
			local[i]->bandwidth = w->s->intra_bandwidth;
			local[i]->hop_s = w->s->intra_hop_s / 2; /* half of the way */
		}
		for (unsigned c = 0; c < chunks; c++) {
			bool owner = c % g == gpu % g;
			order(w, give, (struct order){ .chunk = c, .n_chunks = 1, .parts = 1 });
			order(w, cast,
				(struct order){ .chunk = c,
					.n_chunks = 1,
					.parts = all,
					.arrivals = g + 1 });
			if (!owner)
				continue;
			order(w, sum,
				(struct order){
					.chunk = c, .n_chunks = 1, .parts = g, .arrivals = g });
			order(w, back,
				(struct order){
					.chunk = c, .n_chunks = 1, .parts = all, .arrivals = 1 });
		}
	}
}

static struct collective_cell *cell(const struct collective_work *w, unsigned row, unsigned chunk)
{
	return &w->cells[row * w->run->chunks + chunk];
}

/* When the next message of a connection can start; INFINITY: not yet known. */
static double earliest(const struct collective_work *w, const struct connection *c)
{
	if (c->next == c->n)
		return INFINITY;
	const struct order *o = &c->orders[c->next];
	double start_s = w->sending_s[c->from];
	for (unsigned i = 0; i < o->n_chunks; i++) {
		const struct collective_cell *at = cell(w, c->from, o->chunk + i);
		const struct collective_cell *to = cell(w, c->to, o->chunk + i);
		if (ones(at->from) < o->parts || at->arrivals < o->arrivals ||
			ones(to->from) < o->to_parts)
			return INFINITY;
		start_s = fmax(start_s, fmax(at->since_s, o->to_parts > 1 ? to->since_s : 0));
	}
	return start_s;
}

/* Disjoint parts are added, a larger sum replaces its own part, anything else counts twice. */
static void arrive(struct collective_work *w, const struct collective_cell *sent,
	struct collective_cell *at, double when_s)
{
	if (!(sent->from & at->from)) {
		at->sum += sent->sum;
		at->from |= sent->from;
	} else {
		w->counted_twice |= (sent->from & at->from) != at->from;
		at->sum = sent->sum;
		at->from = sent->from;
	}
	at->arrivals++;
	at->since_s = fmax(at->since_s, when_s);
}

static void send(struct collective_work *w, struct connection *c, double start_s)
{
	struct collective_run *run = w->run;
	const struct order *o = &c->orders[c->next++];
	double bytes = w->s->bytes * o->n_chunks / (double)run->chunks;
	double busy_s = bytes / c->bandwidth;
	double received_s = fmax(start_s, w->receiving_s[c->to]) + busy_s;
	double end_s = received_s + c->hop_s;
	if (c->from < run->gpus) { /* a switch has a port per GPU */
		w->sending_s[c->from] = start_s + busy_s;
		w->sent[c->from] += bytes;
		run->sent_bytes = fmax(run->sent_bytes, w->sent[c->from]);
	}
	if (c->to < run->gpus)
		w->receiving_s[c->to] = received_s;
	for (unsigned i = 0; i < o->n_chunks; i++)
		arrive(w, cell(w, c->from, o->chunk + i), cell(w, c->to, o->chunk + i), end_s);
	run->sends[run->n_sends++] =
		(struct run_send){ start_s, end_s, c->from, c->to, o->chunk, o->n_chunks };
	run->time_s = fmax(run->time_s, end_s);
}

/* Small numbers that differ: sums of different parts are different, and exact. */
static int64_t input(size_t gpu, size_t chunk)
{
	return (int64_t)((gpu * 7919 + chunk * 104729 + gpu * chunk) % 100003 + 1);
}

static void fill(struct collective_work *w)
{
	for (size_t row = 0; row < w->run->gpus; row++)
		for (size_t c = 0; c < w->run->chunks; c++)
			w->cells[row * w->run->chunks + c] =
				(struct collective_cell){ .from = (uint64_t)1 << row,
					.sum = input(row, c) };
}

static bool sum_holds(const struct collective_work *w)
{
	bool holds = !w->counted_twice && w->run->n_sends == w->orders;
	for (unsigned c = 0; c < w->run->chunks; c++) {
		int64_t want = 0;
		for (size_t i = 0; i < w->run->gpus; i++)
			want += input(i, c);
		for (unsigned i = 0; i < w->run->gpus; i++)
			holds &= cell(w, i, c)->sum == want;
	}
	return holds;
}

static int by_arrival(const void *a, const void *b)
{
	const struct run_send *x = a, *y = b;
	return (x->end_s > y->end_s) - (x->end_s < y->end_s);
}

static bool later(double a_s, double b_s)
{
	return a_s > b_s * (1 + 1e-9) + 1e-15;
}

/* Plays the messages once more, and keeps what is held after some of the moments. */
static void take_frames(struct collective_work *w, size_t max_frames)
{
	struct collective_run *run = w->run;
	size_t moments = 1, cells = run->rows * run->chunks;
	for (size_t i = 1; i < run->n_sends; i++)
		moments += later(run->sends[i].end_s, run->sends[i - 1].end_s);
	size_t frames = moments + 1 < max_frames ? moments + 1 : max_frames;
	run->frame_s = arena_array(w->arena, frames, sizeof *run->frame_s);
	run->held = arena_array(w->arena, frames * cells, 1);
	struct collective_cell *now = arena_array(w->arena, cells, sizeof *now);
	if (w->arena->failed)
		return;
	w->cells = now;
	fill(w);
	for (size_t i = 0, seen = 0; run->n_frames < frames; seen++) {
		/* Frame f is the moment f * moments / (frames - 1). */
		if (seen >= run->n_frames * moments / (frames - 1)) {
			for (size_t c = 0; c < cells; c++)
				run->held[run->n_frames * cells + c] =
					(unsigned char)ones(now[c].from);
			run->frame_s[run->n_frames++] = i ? run->sends[i - 1].end_s : 0;
		}
		for (bool first = true; i < run->n_sends; i++, first = false) {
			const struct run_send *m = &run->sends[i];
			if (!first && later(m->end_s, run->sends[i - 1].end_s))
				break;
			for (unsigned c = m->chunk; c < m->chunk + m->n_chunks; c++) {
				arrive(w, cell(w, m->from, c), cell(w, m->to, c), 0);
				if (run->gathering_s <= 0 &&
					ones(cell(w, m->to, c)->from) == run->gpus)
					run->gathering_s = m->end_s;
			}
		}
	}
}

static void lay(struct collective_work *w)
{
	switch (w->s->algorithm) {
	case ALGORITHM_TREE:
		trees(w, 0, 1, (unsigned)w->run->gpus, 1, 0, 1);
		break;
	case ALGORITHM_HIERARCHICAL:
		hierarchy(w);
		break;
	case ALGORITHM_IN_SWITCH:
		through_the_switch(w);
		break;
	default:
		flat_ring(w);
	}
}

static bool work_init(struct collective_work *w)
{
	struct collective_run *run = w->run;
	const struct run_setup *s = w->s;
	run->gpus = run->rows = run->chunks = s->nodes * s->local;
	if (s->algorithm == ALGORITHM_TREE)
		run->chunks = s->pieces;
	if (s->algorithm == ALGORITHM_IN_SWITCH) {
		run->rows += s->nodes;
		run->chunks = (s->pieces + s->local - 1) / s->local * s->local;
	}
	w->cap = 12 * run->rows;
	w->connections = arena_array(w->arena, w->cap, sizeof *w->connections);
	w->cells = arena_array(w->arena, run->rows * run->chunks, sizeof *w->cells);
	w->sending_s = arena_array(w->arena, run->rows, sizeof *w->sending_s);
	w->receiving_s = arena_array(w->arena, run->rows, sizeof *w->receiving_s);
	w->sent = arena_array(w->arena, run->rows, sizeof *w->sent);
	return !w->arena->failed;
}

bool collective_run(const struct run_setup *s, size_t max_frames, struct collective_run *run,
	struct arena *arena)
{
	assert(s->nodes * s->local <= MAX_RUN_GPUS && s->algorithm < N_ALGORITHMS &&
		max_frames > 1);
	assert(s->pieces > 0 ||
		(s->algorithm != ALGORITHM_TREE && s->algorithm != ALGORITHM_IN_SWITCH));
	struct collective_work w = { .s = s, .run = run, .arena = arena };
	*run = (struct collective_run){ 0 };
	if (s->nodes * s->local < 2 || !work_init(&w))
		return false;
	lay(&w);
	run->sends = arena_array(arena, w.orders, sizeof *run->sends);
	if (arena->failed)
		return false;
	fill(&w);
	/* Everything that can start next follows from what has been sent, so the earliest of these
	 * is the next to start. */
	for (;;) {
		struct connection *next = NULL;
		double start_s = INFINITY;
		for (size_t i = 0; i < w.n; i++) {
			double at_s = earliest(&w, &w.connections[i]);
			struct connection *c = &w.connections[i];
			bool older = next && at_s <= start_s && isfinite(at_s) &&
				     c->orders[c->next].chunk < next->orders[next->next].chunk;
			if (at_s < start_s || older) {
				start_s = at_s;
				next = c;
			}
		}
		if (!next)
			break;
		send(&w, next, start_s);
	}
	run->sum_holds = sum_holds(&w);
	qsort(run->sends, run->n_sends, sizeof *run->sends, by_arrival);
	take_frames(&w, max_frames);
	return !arena->failed;
}
