/* An LLM server, simulated one iteration of its engine at a time, under three policies.
 *
 * static: waits until max_batch requests are there, however long that takes, or until nobody comes
 * any more; prefills the batch padded to its longest prompt, decodes until its longest member is
 * done, and only then looks at the queue again.
 *
 * dynamic: the same, but a free engine takes what waits once the first request has waited
 * timeout_s.
 *
 * continuous: after every iteration finished requests leave and waiting ones join, first come,
 * first served; each iteration decodes all running requests and prefills up to chunk_tokens (Yu et
 * al., Orca, 2022; Agrawal et al., Sarathi-Serve, 2024). When cache blocks run out, the request
 * that joined last gives up its own and is prefilled again, with what it had made, ahead of the
 * queue, as vLLM recomputes.
 *
 * A prompt's blocks are taken when it is admitted, with 1 % of the cache left free for growth. The
 * iteration of the last prompt token makes the first output token; so a request of P and O tokens
 * takes O iterations beyond those of its other chunks, and its cache grows to P + O - 1 tokens.
 * Tokens stream to the client under every policy, so that only scheduling differs.
 *
 * A prompt of one token behind a history is a decode from its first iteration on: so a request whose
 * cache was made elsewhere is one with all but the last token of its prompt in its history.
 *
 * A run costs time per request and not per token: see serving.c. */
#ifndef RIDGE_SERVING_H
#define RIDGE_SERVING_H

#include "sims/base/arena.h"
#include "sims/base/histogram.h"
#include "sims/tables/tables.h"
#include "sims/gpu/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum serving_policy { SERVING_STATIC, SERVING_DYNAMIC, SERVING_CONTINUOUS, N_SERVING_POLICIES };

/* What arrives. Lengths are whole, prompts 1 or more; an output of 0 counts as 1. */
enum arrival_law { ARRIVALS_POISSON, ARRIVALS_GAMMA, ARRIVALS_TRACE, ARRIVALS_CLOSED };
enum length_law {
	LENGTHS_FIXED,
	LENGTHS_EXPONENTIAL,
	LENGTHS_UNIFORM,
	LENGTHS_LOGNORMAL,
	LENGTHS_TRACE
};
struct serving_workload {
	enum arrival_law arrivals;
	enum length_law lengths;
	double arrival_cv, length_cv;        /* of gamma gaps and of lognormal lengths */
	double prompt_tokens, output_tokens; /* means, where no trace gives them */
	const struct trace *trace; /* for either law; it begins again where it is too short */
	uint64_t seed;             /* arrivals and lengths have streams of their own */
};
/* n requests, the first at 0, with a mean gap of 1 s (serving_setup.gap_s stretches it): the same
 * requests serve every load and policy. A trace keeps its bursts. NULL when memory is out. */
struct request *workload_requests(struct arena *a, const struct serving_workload *w, size_t n);
/* Where a law asks for a trace that is not there, or has no gaps: Poisson arrivals, fixed lengths. */
void workload_settle(struct serving_workload *w);

/* Means over n requests, an answer having one token at least; and the most that one has of both. */
struct request_lengths {
	double prompt, output, longest;
};
struct request_lengths request_lengths(const struct request q[], size_t n);

/* Of n requests the first so many find an emptier engine than those after them. */
size_t serving_warm_up(size_t n);

struct serving_setup {
	enum serving_policy policy;
	const struct request *requests; /* in the order of arrival */
	size_t n;
	double gap_s; /* arrival times are multiplied by it */
	size_t users; /* > 0: a closed loop; each sends its next request when its last is done */
	const struct engine_shape *engine;
	double fixed_step_s; /* > 0: every iteration takes so long, whatever is in it */
	size_t max_batch;
	double timeout_s;    /* of dynamic batching */
	double cache_tokens; /* the KV cache's size */
	bool paged;          /* else each request reserves reserve_tokens (more if it is longer) */
	int64_t block_tokens, reserve_tokens;
	int64_t chunk_tokens; /* of all copies of attention that the engine has: a prompt is on one,
			       * and gets its equal part of them at most */
	int64_t history_tokens; /* that each request finds in the cache, from before: they take room
				 * and are read, and are computed only after a preemption */
	const int64_t *histories; /* of each request, under continuous batching; NULL: that */
	size_t watch;             /* log what happens to the first so many requests */
	size_t watch_work;        /* and the first so many stretches of iterations */
	/* > 0: a continuous run ends as soon as the P99 of first tokens is certainly later than
	 * this, or after so many strides. */
	double give_up_s;
	size_t most_strides;
};

/* Requests with which a closed loop can settle: n, or more where n is less than 16 of each user; a
 * whole number of each. */
size_t closed_loop_requests(size_t n, size_t users);

struct served {
	double arrival_s, first_s, finish_s; /* finish_s INFINITY: refused, larger than the cache */
	double start_s; /* when it first left the queue, INFINITY: never; of continuous batching */
};

enum span_kind { SPAN_DECODE, SPAN_PREFILL, SPAN_HELD, SPAN_WAITING, SPAN_PREEMPTED, N_SPAN_KINDS };
struct serving_span {
	uint32_t request, slot; /* slot: of the engine; meaningless while waiting */
	enum span_kind kind;
	double start_s, end_s;
};

/* The cache at a moment, in tokens. */
struct cache_sample {
	double at_s, used, reserved;
	size_t holders;
};
enum { CACHE_SAMPLES = 512 };

/* Iterations in a row that all prefill, or none; of continuous batching. */
struct work_span {
	double start_s, end_s;
	double iterations;
	bool prefills;
};

struct serving_log {
	struct serving_span *spans;
	size_t n_spans, cap_spans;
	struct cache_sample *cache; /* thinned evenly where there were more */
	size_t n_cache, cache_stride, cache_seen;
	struct work_span *work;
	size_t n_work, cap_work;
};

struct serving_run {
	struct served *served; /* per request */
	size_t n, refused, preemptions;
	size_t strides, late; /* late: after warm-up, later than give_up_s */
	bool gave_up;         /* its rest was not run */
	double end_s, busy_s, iterations;
	double tokens;                 /* made; each counts once, however often it was preempted */
	double in_system_s, waiting_s; /* request-seconds, counted from the engine's state */
	double slot_iterations;        /* taken slots, summed over all iterations */
	double used_token_s, reserved_token_s; /* cache, integrated over time */
	double most_reserved;                  /* tokens */
	struct histogram itl_s;                /* gaps between tokens of a request, per token */
	struct serving_log log;
};

/* Everything in the arena. n is 0 when memory ran out (a->failed). */
struct serving_run serving_simulate(struct arena *a, const struct serving_setup *setup);

/* The steady state is read from the middle of a run: latencies leave out the first tenth of the
 * requests, which find an empty engine; throughput counts from where a tenth is done to where a
 * tenth is left, for the batch drains then. Below 20 requests nothing is left out.
 *
 * In a closed loop all users are in the system until the last request is sent. What counts there is
 * what is done until then, after two rounds of all users: so throughput times mean latency is the
 * number of users (Little's law). Below four requests of each user there is no such time, and the
 * whole run counts, its slow end as well. */
struct serving_summary {
	double ttft_p50_s, ttft_p99_s, e2e_p50_s, e2e_p99_s; /* INFINITY where nothing was served */
	double e2e_mean_s;
	double itl_p50_s, itl_p99_s; /* 0 where no request has a second token */
	double tokens_per_s, requests_per_s;
	double busy_ratio;      /* of the time from first arrival to last token */
	double waste_ratio;     /* share of the reserved cache that holds nothing, over time */
	double idle_slot_ratio; /* share of taken slots that make no token: padding, prefill */
	double mean_batch;      /* tokens per iteration */
	double mean_waiting, mean_in_system;
	double within_limits; /* share of all requests with TTFT and mean ITL within them */
};
struct serving_summary serving_summarise(struct arena *a, const struct serving_setup *setup,
	const struct serving_run *run, double ttft_limit_s, double itl_limit_s);

#endif
