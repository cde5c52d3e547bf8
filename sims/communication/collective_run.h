/* An all-reduce carried out chunk by chunk: who sends what to whom, when it arrives, and what every
 * GPU then holds. The data is really summed, so that a wrong schedule shows as a wrong sum.
 *
 * A GPU sends one chunk at a time and receives one at a time; a chunk occupies both ports for its
 * bytes over the bandwidth and arrives one hop later. Ring and hierarchy then take exactly the time
 * of their formulas; tree and switch come near theirs as their pieces grow many and small.
 * Bandwidths are one direction in B/s, times in s. */
#ifndef RIDGE_COLLECTIVE_RUN_H
#define RIDGE_COLLECTIVE_RUN_H

#include "sims/base/arena.h"
#include "sims/communication/collective.h"

#include <stdbool.h>
#include <stddef.h>

enum { MAX_RUN_GPUS = 64 };

struct run_setup {
	enum algorithm algorithm;
	size_t nodes, local; /* at least one GPU in each node (two through the switch), and nodes *
			      * local up to MAX_RUN_GPUS */
	size_t pieces; /* pieces of the message in a tree; through the switch at least as many */
	double bytes;
	double intra_bandwidth, inter_bandwidth; /* per GPU: its link, its NIC */
	double intra_hop_s, inter_hop_s;
};

/* One chunk, or several neighbours in one message, from a row to another. */
struct run_send {
	double start_s, end_s;
	unsigned from, to, chunk, n_chunks;
};

struct collective_run {
	size_t gpus, rows, chunks; /* rows: the GPUs, then a switch per node where it adds */
	struct run_send *sends;    /* by time of arrival */
	size_t n_sends;
	double *frame_s; /* moments at which something has arrived, 0 first */
	size_t n_frames;
	unsigned char *held; /* [frame][row][chunk]: contributions of how many GPUs */
	double time_s;
	double sent_bytes;  /* by the GPU that sends most */
	double gathering_s; /* from here on some row holds a chunk of the whole sum */
	bool sum_holds;     /* every GPU ends with the sum, nothing counted twice */
};

/* False when there is nothing to run (one GPU) or memory is out: arena->failed tells. More than
 * max_frames moments are thinned out evenly; first and last stay. */
bool collective_run(const struct run_setup *s, size_t max_frames, struct collective_run *run,
	struct arena *arena);

#endif
