/* How long collectives take on nodes of GPUs: the physics under `scaling`, `allreduce` and
 * `parallelism`.
 *
 * A collective is a start, a number of hops that wait for each other, and bytes through the
 * narrowest link. Three things separate a real library from the textbook line:
 *  - protocols: a small message is sent with its flags inline (quick, but a fraction of the
 *    bandwidth), a large one in chunks with a fence (full bandwidth, slow to start);
 *  - pipelining: cutting S bytes in the best chunks takes (sqrt(fill) + sqrt(S / bandwidth))^2, so
 *    that bandwidth is reached slowly, as a square root;
 *  - each GPU also writes its own 1/N of the result.
 * Bandwidths are one direction in B/s, times in s. Constants are fitted (`make fit`) on nccl-tests
 * runs on one node of A100 and H100: 2, 4, 8 GPUs, 512 B to 512 MB. */
#ifndef RIDGE_COLLECTIVE_H
#define RIDGE_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>

enum collective { ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER };

enum algorithm {
	ALGORITHM_RING,         /* one ring over all GPUs; across nodes a ring per NIC */
	ALGORITHM_TREE,         /* pipelined double binary tree over the nodes; all-reduce only */
	ALGORITHM_HIERARCHICAL, /* inside the node, then between nodes, then inside again */
	ALGORITHM_IN_SWITCH, /* the NVLink switch adds (NVLS), a tree between nodes; all-reduce */
	N_ALGORITHMS
};
extern const char *const algorithm_names[N_ALGORITHMS];

/* What a protocol costs, as multiples of the network's own figures. The low-latency protocols send
 * flags with the data and make no bulk copies. */
enum { PROTOCOL_LL, PROTOCOL_LL128, PROTOCOL_SIMPLE, N_PROTOCOLS };
struct protocol {
	double launch, hop, share; /* multiples of a start and of a hop; share of the bandwidth */
	bool fills;                /* sends in chunks, through a pipeline */
};

/* A generation of GPUs and links. */
struct link_costs {
	double efficiency;        /* share of the link that a long ring message gets */
	double switch_efficiency; /* the same where the switch adds; 0: it cannot */
	double launch_s, switch_launch_s, hop_s;
	double fill_s; /* of filling a pipeline */
};

struct collective_costs {
	struct protocol protocols[N_PROTOCOLS];
	double own_share; /* writing one's own share, as a fraction of sending it */
	struct link_costs ampere, hopper;
};
extern const struct collective_costs collective_costs;

struct network {
	double gpus_per_node;
	double intra_bandwidth, inter_bandwidth;   /* per GPU: its link, its NIC or share of one */
	double intra_efficiency, inter_efficiency; /* shares of those that a long message gets */
	double switch_efficiency; /* share of the link when the switch adds; 0: it cannot */
	double launch_s, switch_launch_s;
	double intra_hop_s, inter_hop_s;
	double fill_s; /* of filling a pipeline; 0: it fills for free */
	bool mesh;     /* a link to each other GPU of the node instead of a switch: few GPUs use few
		        * of the links */
	const struct collective_costs *costs; /* NULL: the textbook's one line */
};

/* The textbook's network: efficiency 1, one latency, no start, nothing to fill. Ring, tree and
 * hierarchy then take exactly what ring_allreduce_time and the formulas after it say. */
struct network network_ideal(
	double gpus_per_node, double intra_bandwidth, double inter_bandwidth, double hop_s);

/* As measured, for a GPU family ("ampere", "hopper", ...; unknown ones get Ampere's constants).
 * intra_bandwidth 0 means PCIe: 16 lanes of the family's generation. */
struct network network_measured(const char *family, double gpus_per_node, double intra_bandwidth,
	double inter_bandwidth, double inter_hop_s);
/* The same with other constants, which must outlive the network. */
struct network network_costing(const struct collective_costs *costs, const char *family,
	double gpus_per_node, double intra_bandwidth, double inter_bandwidth, double inter_hop_s);

/* Seconds for `bytes` per GPU (the whole buffer: of the input for a reduction, of the output for a
 * gather) over `gpus` GPUs, in nodes of gpus_per_node filled one after the other. 0 for one GPU.
 * INFINITY where the algorithm cannot do it (a tree gathers nothing, a switch is missing,
 * one node has no hierarchy). */
double collective_time(const struct network *net, enum collective op, enum algorithm algorithm,
	double gpus, double bytes);

/* The least over all algorithms, as the library chooses; which may be NULL. */
double collective_best(const struct network *net, enum collective op, double gpus, double bytes,
	enum algorithm *which);

/* Seconds for an all-to-all over `gpus` GPUs in which each has `bytes`: 1/gpus of them for each
 * GPU, itself included. What stays in the node and what leaves it travel at the same time, to one
 * peer in the node and one node after the other. 0 for one GPU. */
double all_to_all_time(const struct network *net, double gpus, double bytes);

/* The same where each GPU sends `inside` B to others of its node and `outside` B beyond it, as tokens of
 * a mixture travel to their experts: into another node once, and on from there. */
double exchange_time(const struct network *net, double gpus, double inside, double outside);

/* What nccl-tests prints: the bandwidth of the link that a ring would need. B/s. */
double bus_bandwidth(enum collective op, double gpus, double bytes, double time_s);

#endif
