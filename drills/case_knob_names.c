#include "drills/case_knob_names.h"

#include "sims/base/array.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MOST_NAMES = 12, LETTERS_SIZE = 120 };

static const struct {
	const char *id, *names[MOST_NAMES];
} called[] = {
	{ "activations", { "activation", "a" } },
	{ "amp", { "autocast", "mixed precision", "amp" } },
	{ "async", { "async", "asynchronous checkpoint", "checkpoints asynchronous" } },
	{ "attn_dp", { "copy", "copies", "data parallel", "attention copies", "dp" } },
	{ "backbone_sharing",
		{ "share the input", "share inputs", "share input", "sharing the input", "sharing",
			"shared backbone", "backbone sharing", "share the backbone" } },
	{ "batch_tokens", { "batch size", "sequences" } },
	{ "bits", { "weight", "w" } },
	{ "cameras", { "camera" } },
	{ "capacity_factor", { "capacity factor" } },
	{ "checkpointing", { "activation checkpointing", "gradient checkpointing", "recompute",
				   "recomputation", "recomputing", "recompute activations",
				   "activation recomputation", "checkpoint activations" } },
	{ "chunk_tokens", { "chunk", "chunk size", "chunked prefill", "chunked prefill tokens",
				  "prefill chunk size" } },
	{ "clocks", { "clock" } },
	{ "compile", { "compile", "torch compile", "compiling" } },
	{ "cores", { "core", "cpu core" } },
	{ "cp", { "context parallelism", "context parallel", "sequence parts" } },
	{ "decode_gpus", { "decode", "decoding", "gpus for decode", "gpus for decoding" } },
	{ "ep", { "expert parallelism", "expert parallel", "groups of experts" } },
	{ "fleet",
		{ "gpus", "gpus in all", "gpus in total", "total gpus", "cards", "accelerators" } },
	{ "flush_l2", { "flush the cache", "flush", "flushing", "flush the l2", "cold cache" } },
	{ "fps", { "frame rate", "framerate", "hz", "fps", "frames per second", "frames a second",
			 "camera rate", "frames" } },
	{ "fused", { "fused loss", "chunked loss", "loss in chunks", "fused cross entropy" } },
	{ "global_batch", { "batch size", "global batch", "images" } },
	{ "gpus", { "gpus", "cards", "accelerators" } },
	{ "granularity", { "scale", "scales" } },
	{ "inter_GBps", { "network", "bandwidth", "network bandwidth", "nic" } },
	{ "interval_min", { "checkpoint", "checkpoints", "checkpoint interval", "interval", "every",
				  "a checkpoint every", "checkpoints every" } },
	{ "iterations", { "iteration", "timed calls", "repetitions", "runs" } },
	{ "k", { "draft", "drafts", "drafting", "draft tokens", "draft length", "speculation",
		       "speculative decoding", "speculative tokens", "drafted" } },
	{ "kv_dtype", { "kv", "cache", "kv cache", "kv cache type" } },
	{ "max_batch",
		{ "batch", "batch size", "max batch size", "maximum batch", "concurrency" } },
	{ "micro_batches", { "microbatch", "microbatches" } },
	{ "non_blocking", { "non blocking copies", "asynchronous copies" } },
	{ "output_tokens", { "output tokens", "answer tokens", "action tokens" } },
	{ "pin_memory", { "pinned memory", "pinning", "pin the memory" } },
	{ "pipelined", { "pipeline", "pipelining", "overlap the stages" } },
	{ "policy", { "batching", "batching policy" } },
	{ "pp", { "pipeline stages", "pipeline parallelism", "pipeline parallel", "stages",
			"pipeline", "pipelining" } },
	{ "prefetch", { "prefetch", "prefetching" } },
	{ "prefill_gpus",
		{ "prefill", "prefilling", "prompts", "gpus for prefill", "gpus for prompts" } },
	{ "prompt_tokens", { "prompt tokens", "input tokens" } },
	{ "readers", { "readers", "reads" } },
	{ "restart_min", { "restart", "restarts", "restart in" } },
	{ "sharing", { "prefix caching", "prefix sharing", "share prefixes", "cache prefixes",
			     "share the prefix" } },
	{ "sparse",
		{ "sparsity", "skip empty space", "skipping empty space", "sparse convolution" } },
	{ "sparsity", { "pruning", "pruned", "sparse" } },
	{ "sync", { "sync", "synchronise", "synchronize", "synchronisation" } },
	{ "sync_every_step",
		{ "syncing every step", "synchronising every step", "syncs", "syncing" } },
	{ "student", { "student" } },
	{ "taught_by", { "taught" } },
	{ "servers", { "share a queue", "sharing a queue", "per queue", "behind one queue",
			     "behind a queue", "in one queue", "in a queue", "one queue" } },
	{ "utilisation", { "utilization", "busy", "utilised", "utilized" } },
	{ "tp", { "tp", "tensor parallel", "tensor parallelism", "gpus per replica" } },
	{ "warmup", { "warm up iterations", "warm up calls", "warmup" } },
	{ "weight_dtype", { "weight", "weights", "w", "weight type", "weight precision" } },
	{ "workers", { "worker" } },
	{ "zero", { "zero" } },
};

/* Adds the letters and digits of a word, small. */
static size_t add_letters(char out[LETTERS_SIZE], size_t n, const char *word)
{
	for (; *word && n + 1 < LETTERS_SIZE; word++)
		if (isalnum((unsigned char)*word))
			out[n++] = (char)tolower((unsigned char)*word);
	out[n] = '\0';
	return n;
}

bool case_words_are(const char *name, const char *const words[], size_t n)
{
	char said[LETTERS_SIZE] = "", is[LETTERS_SIZE];
	size_t n_said = 0, n_is = add_letters(is, 0, name);
	for (size_t i = 0; i < n; i++) {
		const size_t before = n_said;
		n_said = add_letters(said, n_said, words[i]);
		if (n_said == before) /* a sign, "%", is none of its words */
			return false;
	}
	/* One of them may be the plural of the other. */
	const size_t shorter = n_said < n_is ? n_said : n_is, longer = n_said + n_is - shorter;
	if (shorter == 0 || strncmp(said, is, shorter) != 0 || longer > shorter + 1)
		return false;
	return longer == shorter || (n_said > n_is ? said : is)[shorter] == 's';
}

static bool is_any(const char *word, const char *const list[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(word, list[i]) == 0)
			return true;
	return false;
}

bool case_word_is_gpus(const char *word)
{
	static const char *const words[] = { "gpu", "gpus", "card", "cards", "accelerator",
		"accelerators" };
	return is_any(word, words, LENGTH(words));
}

bool case_word_is_replica(const char *word)
{
	static const char *const words[] = { "replica", "replicas", "engine", "engines", "instance",
		"instances", "server", "servers", "group", "groups", "copy", "copies" };
	return is_any(word, words, LENGTH(words));
}

/* "GPUs per replica" in any of the words for it: "cards for each engine", "GPUs in a group". */
static bool are_gpus_of_a_replica(const char *const words[], size_t n)
{
	static const char *const of[] = { "per", "a", "an", "each", "every", "for", "in", "the",
		"to" };
	if (n < 3 || !case_word_is_gpus(words[0]) || !case_word_is_replica(words[n - 1]))
		return false;
	for (size_t i = 1; i + 1 < n; i++)
		if (!is_any(words[i], of, LENGTH(of)))
			return false;
	return true;
}

bool case_knob_named(const char *id, const char *const words[], size_t n)
{
	static const char *const per_replica[] = { "gpus", "per", "replica" };
	if (are_gpus_of_a_replica(words, n)) {
		words = per_replica;
		n = LENGTH(per_replica);
	}
	for (size_t i = 0; i < LENGTH(called); i++)
		for (size_t k = 0;
			strcmp(called[i].id, id) == 0 && k < MOST_NAMES && called[i].names[k]; k++)
			if (case_words_are(called[i].names[k], words, n))
				return true;
	return false;
}
