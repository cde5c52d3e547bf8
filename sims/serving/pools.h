/* Requests that are served by two pools of GPUs, one for prefill and one for decode, with a network
 * between them; or by one pool that does both in turn. Every server is the continuous engine of
 * sims/serving/serving.h, and the same requests serve every arrangement.
 *
 * A request goes through these stages. What it finds of a shared prefix in host memory is loaded over
 * its server's own host link, first come, first served. It waits for, and gets, its prefill. Its
 * cache, all of the prompt's, travels over the network cards of both servers: whoever is ready first
 * goes first, and a transfer waits until both ends are free. Its decode server recomputes the last
 * token of the prompt, as vLLM's does, so that the first token comes from there, after the prefill,
 * the transfer and one step (vLLM, docs/features/disagg_prefill.md). Servers of a pool take requests
 * in turn, as the round-robin proxies of vLLM and SGLang do.
 *
 * Zhong et al., DistServe, OSDI 2024; Patel et al., Splitwise, ISCA 2024; Qin et al., Mooncake, FAST
 * 2025. */
#ifndef RIDGE_POOLS_H
#define RIDGE_POOLS_H

#include "sims/serving/serving.h"

/* Servers that are alike. */
struct pool {
	size_t servers; /* 0: there is no such pool, and the other one does both */
	double gpus;    /* of each server: so many network cards and host links it has */
	const struct engine_shape *engine;
	double cache_tokens; /* room of each server */
	int64_t chunk_tokens;
};

/* Tokens of prompts that need not be computed. */
struct prefix_found {
	double ratio; /* of all prompt tokens */
	double host;  /* of these, what comes from host memory; the rest lies in the GPUs' */
};

struct pools_setup {
	const struct request *requests; /* in the order of arrival */
	size_t n;
	double gap_s;              /* arrival times are multiplied by it */
	const double *cache_bytes; /* of the prompt of each */
	struct pool prefill, decode;
	double card_bytes_per_s; /* of one GPU's network card; INFINITY: nothing takes time */
	double message_s;        /* before the first byte of a transfer is there */
	double layers;           /* > 0: each layer travels as soon as it is computed */
	struct prefix_found found;
	double host_bytes_per_s; /* of one GPU's link to host memory */
	size_t max_batch;
	int64_t block_tokens;
	bool gaps;         /* gather the times between tokens */
	size_t watch_work; /* stretches of work to log, for each server */
};

/* When a request passes from stage to stage; INFINITY: it never does. Where one pool does both,
 * prefilled_s to joined_s are first_s. */
struct pooled {
	double arrival_s, loaded_s, start_s, prefilled_s, sent_s, there_s, joined_s, first_s,
		finish_s;
	uint32_t prefill_by, decode_by; /* servers of either pool */
};

struct pools_run {
	struct pooled *requests;
	size_t n, refused, preemptions; /* n 0: memory ran out */
	double end_s;
	double prefill_busy_s, decode_busy_s; /* of all servers; one pool's is decode_busy_s */
	double prefill_end_s;                 /* when the last prompt is done */
	struct serving_log *prefill, *decode; /* of each server, where work was watched */
	struct histogram itl_s;               /* empty, unless gaps were gathered */
};

/* Whether one pool does both. */
bool pools_are_one(const struct pools_setup *s);
size_t pools_servers(const struct pools_setup *s);

/* Everything in the arena. At least one of the pools has servers. */
void pools_simulate(struct arena *a, const struct pools_setup *setup, struct pools_run *run);

/* What a first token waits for, in the order of the stages. */
enum first_token_part {
	FIRST_LOAD,
	FIRST_QUEUE,
	FIRST_PREFILL,
	FIRST_LINK, /* for the network to be free */
	FIRST_TRANSFER,
	FIRST_STEP, /* for the decode server, and its first step */
	N_FIRST_PARTS
};

/* Of all requests after the first tenth, which find empty servers (below 20: of all). INFINITY where
 * nothing was served. */
struct pools_summary {
	double ttft_p50_s, ttft_p99_s, tpot_p50_s, tpot_p99_s, e2e_p99_s;
	double itl_p99_s;     /* over all gaps between tokens, if they were gathered; or 0 */
	double within;        /* share of requests with first token and mean gap within limits */
	double in_time_first; /* share of requests whose first token is within its limit */
	double in_time_next;  /* share of those whose mean gap is */
	double goodput_per_s; /* that share of the requests that come in a second */
	double first_s
		[N_FIRST_PARTS]; /* means of those that were served; their sum is ttft_mean_s */
	double ttft_mean_s, e2e_mean_s;
};
void pools_summarise(struct arena *a, const struct pools_setup *setup, const struct pools_run *run,
	double ttft_limit_s, double itl_limit_s, struct pools_summary *out);

#endif
