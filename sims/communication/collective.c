/* Every algorithm comes down to two numbers: seconds of hops that wait for each other, and seconds
 * of bytes through the narrowest link (struct shape says how wide that is). quickest() then asks
 * each protocol what it makes of the two, and takes the least, as the library does. */
#include "sims/communication/collective.h"

#include "sims/base/array.h"
#include "sims/formulas/communication.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

const char *const algorithm_names[N_ALGORITHMS] = { "ring", "tree", "hierarchical", "in-switch" };

/* The fitted constants. LL spends 4 of 8 bytes on flags, LL128 8 of 128. */
const struct collective_costs collective_costs = {
	.protocols = { [PROTOCOL_LL] = { 1, 1, 0.0492, false },
		[PROTOCOL_LL128] = { 1, 1.42, 0.351, false },
		[PROTOCOL_SIMPLE] = { 1.91, 0.558, 1, true } },
	.own_share = 0.42, /* HBM is wider than the link */
	.ampere = { .efficiency = 0.794, .launch_s = 9e-6, .hop_s = 0.841e-6, .fill_s = 3.17e-6 },
	.hopper = { .efficiency = 0.91,
		.switch_efficiency = 0.696,
		.launch_s = 4.91e-6,
		.switch_launch_s = 31.6e-6,
		.hop_s = 0.781e-6,
		.fill_s = 2.74e-6 },
};
static const struct protocol textbook = { 1, 1, 1, false };

/* Which generation's costs a family has. Volta, Ada and Blackwell are not in the fit: they have
 * their own links, and the times of the nearest generation that is. */
static const struct family {
	const char *name;
	bool hopper;
	double pcie_bandwidth, switch_efficiency; /* 0: the generation's */
	bool mesh;
} families[] = {
	{ "ampere", false, 32e9, 0, false },
	{ "volta", false, 16e9, 0, false },
	{ "turing", false, 16e9, 0, false },
	{ "ada", false, 32e9, 0, false },
	{ "hopper", true, 64e9, 0, false },
	/* 8 B200 reach 840 of 900 GB/s of bus bandwidth: 0.60 of the link through the switch. */
	{ "blackwell", true, 64e9, 0.62, false },
	{ "blackwell-rtx", true, 64e9, 0, false },
	{ "cdna3", false, 64e9, 0, true },
	{ "cdna4", false, 64e9, 0, true },
	{ "gaudi", false, 64e9, 0, true },
};

struct network network_ideal(
	double gpus_per_node, double intra_bandwidth, double inter_bandwidth, double hop_s)
{
	return (struct network){
		.gpus_per_node = gpus_per_node,
		.intra_bandwidth = intra_bandwidth,
		.inter_bandwidth = inter_bandwidth,
		.intra_efficiency = 1,
		.inter_efficiency = 1,
		.intra_hop_s = hop_s,
		.inter_hop_s = hop_s,
	};
}

struct network network_costing(const struct collective_costs *costs, const char *family,
	double gpus_per_node, double intra_bandwidth, double inter_bandwidth, double inter_hop_s)
{
	assert(costs && gpus_per_node >= 1);
	const struct family *f = &families[0];
	for (size_t i = 0; family && i < LENGTH(families); i++)
		if (strcmp(families[i].name, family) == 0)
			f = &families[i];
	const struct link_costs *c = f->hopper ? &costs->hopper : &costs->ampere;
	bool pcie = intra_bandwidth <= 0;
	double in_switch = f->switch_efficiency > 0 ? f->switch_efficiency : c->switch_efficiency;
	return (struct network){
		.gpus_per_node = gpus_per_node,
		.intra_bandwidth = pcie ? f->pcie_bandwidth : intra_bandwidth,
		.inter_bandwidth = inter_bandwidth,
		.intra_efficiency = c->efficiency,
		/* 46 to 48 of the 50 GB/s of an NDR port: what NVIDIA expects of nccl-tests. */
		.inter_efficiency = 0.94,
		.switch_efficiency = pcie ? 0 : in_switch,
		.launch_s = c->launch_s,
		.switch_launch_s = c->switch_launch_s,
		.intra_hop_s = c->hop_s,
		.inter_hop_s = inter_hop_s,
		.fill_s = c->fill_s,
		.mesh = f->mesh,
		.costs = costs,
	};
}

struct network network_measured(const char *family, double gpus_per_node, double intra_bandwidth,
	double inter_bandwidth, double inter_hop_s)
{
	return network_costing(&collective_costs, family, gpus_per_node, intra_bandwidth,
		inter_bandwidth, inter_hop_s);
}

/* How the GPUs are spread: `local` in each node, `nodes` of them. */
struct shape {
	double gpus, local, nodes;
	double intra, inter; /* what the links give a long message */
	double rails;        /* all NICs of a node together, or no limit on one node */
};

static struct shape shape_of(const struct network *net, double gpus)
{
	struct shape s = { .gpus = gpus, .local = fmin(gpus, net->gpus_per_node) };
	s.nodes = ceil(gpus / s.local);
	s.intra = net->intra_bandwidth * net->intra_efficiency;
	if (net->mesh && s.local > 1)
		s.intra *= (s.local - 1) / (net->gpus_per_node - 1);
	s.inter = net->inter_bandwidth * net->inter_efficiency;
	s.rails = s.nodes > 1 ? s.local * s.inter : INFINITY;
	return s;
}

/* A pipeline of stream_s seconds of bytes: the best chunks cost twice the geometric mean of what
 * one chunk and all bytes take. */
static double streamed(const struct network *net, const struct protocol *p, double stream_s)
{
	return stream_s + (p->fills ? 2 * sqrt(net->fill_s * stream_s) : 0);
}

/* Time of latency_s of hops and stream_s at full bandwidth, under the quickest protocol. */
static double quickest(const struct network *net, double latency_s, double stream_s)
{
	if (!net->costs)
		return net->launch_s + latency_s + streamed(net, &textbook, stream_s);
	double best = INFINITY;
	for (size_t i = 0; i < N_PROTOCOLS; i++) {
		const struct protocol *p = &net->costs->protocols[i];
		best = fmin(best, p->launch * net->launch_s + p->hop * latency_s +
					  streamed(net, p, stream_s / p->share));
	}
	return best;
}

static double own_share(const struct network *net, double bytes, double gpus)
{
	return net->costs ? net->costs->own_share * bytes / gpus : 0;
}

static double sent_bytes(enum collective op, double gpus, double bytes)
{
	switch (op) {
	case ALL_REDUCE:
		return CALL(ring_allreduce_bytes, .bytes = bytes, .gpus = gpus);
	case REDUCE_SCATTER:
		return CALL(reduce_scatter_bytes, .bytes = bytes, .gpus = gpus);
	default:
		return CALL(all_gather_bytes, .bytes = bytes, .gpus = gpus);
	}
}

/* Passes over the ring: a reduction and a gather, or only one of them. */
static double passes(enum collective op)
{
	return op == ALL_REDUCE ? 2 : 1;
}

static double ring_time(
	const struct network *net, enum collective op, const struct shape *s, double bytes)
{
	double across = s->nodes > 1 ? s->nodes : 0;
	double steps = s->gpus - 1;
	double latency_s =
		passes(op) * ((steps - across) * net->intra_hop_s + across * net->inter_hop_s);
	if (s->local == 1) /* every hop leaves its node */
		latency_s = passes(op) * steps * net->inter_hop_s;
	double wire = sent_bytes(op, s->gpus, bytes) + own_share(net, bytes, s->gpus);
	double width = s->local == 1 ? s->inter : fmin(s->intra, s->rails);
	return quickest(net, latency_s, wire / width);
}

/* Twice the message passes each link. Within a node the library's tree is a chain; between nodes it
 * is log2 deep. The textbook's tree is log2 deep everywhere. */
static double tree_time(const struct network *net, const struct shape *s, double bytes)
{
	double inside = net->costs ? s->local - 1 : log2(s->local);
	double latency_s = 2 * (inside * net->intra_hop_s + log2(s->nodes) * net->inter_hop_s);
	double width = s->local == 1 ? s->inter : fmin(s->intra, s->rails);
	return quickest(net, latency_s, 2 * bytes / width);
}

/* The phases follow each other: each GPU sums 1/local of the bytes inside its node, and carries
 * that share over its own NIC. */
static double hierarchical_time(
	const struct network *net, enum collective op, const struct shape *s, double bytes)
{
	if (s->nodes == 1)
		return INFINITY; /* one level: that is the ring */
	double turns = passes(op), inside = s->local - 1, between = s->nodes - 1;
	double latency_s = turns * (inside * net->intra_hop_s + between * net->inter_hop_s);
	double inside_bytes = sent_bytes(op, s->local, bytes) + own_share(net, bytes, s->gpus);
	double between_bytes = sent_bytes(op, s->nodes, bytes / s->local);
	return quickest(net, latency_s, inside_bytes / s->intra + between_bytes / s->inter);
}

/* The switch reads every GPU's part and multicasts the sum: (local + 1)/local of the message in
 * each direction of each link, whatever the number of GPUs. Between nodes each GPU's share goes up
 * and down a tree at the same time. */
static double in_switch_time(const struct network *net, const struct shape *s, double bytes)
{
	if (net->switch_efficiency <= 0 || s->local <= 2)
		return INFINITY;
	double inside_s = CALL(in_network_allreduce_time, .bytes = bytes, .gpus = s->local,
		.link_bandwidth = net->intra_bandwidth * net->switch_efficiency, .latency = 0);
	double between_s = s->nodes > 1 ? 2 * bytes / s->rails : 0;
	double latency_s = s->nodes > 1 ? 2 * log2(s->nodes) * net->inter_hop_s : 0;
	const struct protocol simple = { 1, 1, 1, true };
	return net->switch_launch_s + latency_s + streamed(net, &simple, fmax(inside_s, between_s));
}

double collective_time(const struct network *net, enum collective op, enum algorithm algorithm,
	double gpus, double bytes)
{
	assert(op <= ALL_GATHER && !(bytes < 0));
	if (gpus <= 1)
		return 0;
	struct shape s = shape_of(net, gpus);
	switch (algorithm) {
	case ALGORITHM_RING:
		return ring_time(net, op, &s, bytes);
	case ALGORITHM_TREE:
		return op == ALL_REDUCE ? tree_time(net, &s, bytes) : INFINITY;
	case ALGORITHM_HIERARCHICAL:
		return hierarchical_time(net, op, &s, bytes);
	case ALGORITHM_IN_SWITCH:
		return op == ALL_REDUCE ? in_switch_time(net, &s, bytes) : INFINITY;
	default:
		return INFINITY;
	}
}

double collective_best(const struct network *net, enum collective op, double gpus, double bytes,
	enum algorithm *which)
{
	double best = INFINITY;
	/* A ring is always there, even where no time is finite. */
	if (which)
		*which = ALGORITHM_RING;
	for (enum algorithm a = 0; a < N_ALGORITHMS; a++) {
		double time_s = collective_time(net, op, a, gpus, bytes);
		if (time_s < best) {
			best = time_s;
			if (which)
				*which = a;
		}
	}
	return best;
}

double exchange_time(const struct network *net, double gpus, double inside, double outside)
{
	if (gpus <= 1)
		return 0;
	struct shape s = shape_of(net, gpus);
	double latency_s = (s.local - 1) * net->intra_hop_s + (s.nodes - 1) * net->inter_hop_s;
	return quickest(net, latency_s, fmax(inside / s.intra, outside / s.inter));
}

double all_to_all_time(const struct network *net, double gpus, double bytes)
{
	if (gpus <= 1)
		return 0;
	struct shape s = shape_of(net, gpus);
	double away = CALL(all_to_all_bytes, .bytes = bytes, .gpus = gpus);
	double inside = away * (s.local - 1) / (gpus - 1);
	return exchange_time(net, gpus, inside, away - inside);
}

double bus_bandwidth(enum collective op, double gpus, double bytes, double time_s)
{
	assert(op <= ALL_GATHER);
	return sent_bytes(op, gpus, bytes) / time_s;
}
