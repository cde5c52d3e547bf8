/* The facts that simulations stand on: accelerators, models, request traces. Each figure in the
 * JSON files carries its source; a user's own files add entries or replace them by id. */
#ifndef RIDGE_TABLES_H
#define RIDGE_TABLES_H

#include "sims/base/arena.h"

#include <stddef.h>
#include <stdint.h>

enum dtype {
	DTYPE_FP32,
	DTYPE_TF32,
	DTYPE_FP16,
	DTYPE_BF16,
	DTYPE_FP8,
	DTYPE_INT8,
	DTYPE_FP4,
	N_DTYPES
};
extern const char *const dtype_ids[N_DTYPES + 1]; /* "fp32", ..., NULL: a knob's choices */
extern const char *const dtype_names[N_DTYPES];   /* "FP32", ... */
double dtype_bytes(enum dtype d);

/* How far real kernels stay below the datasheet; sims/gpu/kernel.h says how each constant acts.
 * Fitted on measured matrix products and attention of that GPU, or taken from its family where
 * there are none. */
struct efficiency {
	double compute, memory;            /* fractions of peak (16 bits) and of bandwidth */
	double launch_s;                   /* of one kernel inside a CUDA graph */
	int measured;                      /* fitted on measurements of this very GPU */
	double compute_8bit, compute_4bit; /* fractions of those peaks; 0: as compute */
	double compute_32bit;              /* of FP32's, without Tensor Cores; 0: as compute */
	double wave_s;        /* filling and draining the SMs, per wave of output tiles */
	double operand_bytes; /* per clock into an SM, what others get too counted; 0: no limit */
	double quantise_s;    /* kernel that rounds activations for an 8- or 4-bit product */
	double attention, attention_memory; /* fractions, of fused attention kernels */
	double attention_s;                 /* fixed: rotary, cache append, split and merge */
	double attention_block_s;           /* start and end of 128 queries on an SM */
	double attention_head_s, attention_group_s; /* of one sequence's decoding, for a query head
						       alone and for those of a KV head at once */
};

/* A level of a memory, as measured by all cores together: medians. */
struct memory_level {
	char name[16];             /* "L2", "memory" */
	double bytes;              /* what one core's holds; 0: main memory */
	double read, write, triad; /* B/s; 0 unknown */
};
enum { MOST_LEVELS = 6 };

struct accelerator {
	const char *id, *name, *family; /* "a100", "A100-80 SXM", "ampere" */
	int year;
	double peak_flops[N_DTYPES];    /* dense, per s; 0 where the hardware has no such unit */
	double memory_bytes, bandwidth; /* B and B/s of device memory */
	double l2_bytes, sm_count, clock_hz, shared_bytes; /* shared memory per SM; 0 unknown */
	double link_bandwidth; /* to its peers in the node, one direction, B/s; 0: PCIe only */
	double domain;         /* peers that the link joins, itself included; 0: those of a node */
	double power_w, usd_per_hour; /* price: a typical public cloud's, an input rather than a
				       * fact */
	struct efficiency achieved;
	/* Only for the user's own machine, which was measured where others have a datasheet: peaks
	 * and bandwidth are the best samples, `achieved` tells the medians. */
	const char *processor, *measured_on; /* "AMD EPYC 9554", "2026-11-21"; NULL: a datasheet */
	unsigned threads;
	struct memory_level levels[MOST_LEVELS]; /* from fast to slow */
	size_t n_levels;
};

struct architecture;

struct model {
	const char *id, *name;
	double params, layers, hidden, heads, kv_heads, head_dim, ffn, vocab;
	double context; /* tokens it was trained for */
	double window;  /* tokens that a layer sees, where not all do; 0: every layer sees all */
	double full_layers; /* that see all, beside those with a window */
	int gated;          /* SwiGLU-like FFN with three matrices instead of two */
	int encoder;        /* sees its whole input at once and generates nothing: no KV cache */
	/* NULL: the fields above say all. Else the layers are not alike, have experts, or attend in
	 * ways that the fields do not know (sims/architecture/architecture.h): params is the total,
	 * heads to ffn are those of the first layer that has them, and whoever computes with such a
	 * model does it from its parts. */
	const struct architecture *made_of;
};

struct request {
	double arrival_s, prompt_tokens, output_tokens;
};
/* A prompt in blocks of TRACE_BLOCK_TOKENS: how many it has, and how many of its first ones an
 * earlier prompt of the trace also began with. */
enum { TRACE_BLOCK_TOKENS = 512 };
struct prompt_prefix {
	uint32_t blocks, seen;
};
struct trace {
	const char *id, *name;
	struct request *requests;       /* by arrival */
	size_t n;                       /* >= 1; 0: not read yet */
	struct prompt_prefix *prefixes; /* one for each request; NULL: the trace does not say */
	const char *csv, *file;         /* to be read when somebody asks for it; NULL: it was */
};

/* Published measurements as text, read only when somebody compares (sims/published/measured.h). */
struct measured_file {
	const char *name; /* "gemm.csv" */
	const char *text;
	size_t bytes;
};

struct tables {
	struct arena arena;
	struct accelerator *gpus;
	size_t n_gpus;
	/* 0 or 1: gpus[n_gpus] is the user's own machine. A processor has no memory of its own, no
	 * link, no SMs: only knobs of KNOB_MACHINE offer it, and gpu_find does not know it. */
	size_t n_machines;
	struct model *models;
	size_t n_models,
		models_room; /* as many more as there is room for may be added where they are */
	/* Those that are made of parts: KNOB_MODEL does not offer them, other knobs of models do,
	 * behind the others, and model_find does not know them. */
	struct model *composed;
	size_t n_composed, composed_room;
	struct trace *traces; /* ids and names; requests by trace_at and trace_find */
	size_t n_traces;
	struct arena *asked_for; /* holds the traces that were read when somebody asked */
	/* Images and small trained networks, as text that is not read before it is needed
	 * (sims/compression/digits.h, networks.h); NULL: there are none. */
	const char *digits, *networks;
	const struct measured_file *measured;
	size_t n_measured;
	/* The adapters that compare models with these measurements. They stand above every
	 * simulation and are therefore handed in (sims/comparisons/comparisons.h). NULL: nothing is
	 * compared. */
	const struct measured_model *const *comparisons;
	size_t n_comparisons;
	/* Room for what comparisons come to, allocated with the tables so that it lives as long. It
	 * is no part of them: no simulation looks for it here, who runs one hands it to the figure.
	 * NULL: nothing is kept. */
	struct measured_memo *memo;
	/* Something in them is from a folder or a file of the user's, so that what the program's own come to
	 * does not hold (ui/data/known_numbers.h). */
	bool own;
};

/* Reads one file of accelerators or models and adds its entries; an entry whose id exists replaces
 * it. `name` is for messages. 0, or -1 and one line in err that names file, entry and field, what
 * was expected and what was found. An entry that is refused is left out, and the others of the file
 * are added; a file that is refused as a whole changes nothing. Each figure is written
 * [number, "unit", "key of its source"]. An accelerator without "achieved" gets that of the first
 * of its family, or 0.75, 0.85 and 4 us where there is none, as not measured. */
int tables_add_hardware(
	struct tables *t, const char *json, const char *name, char *err, size_t err_size);
int tables_add_models(
	struct tables *t, const char *json, const char *name, char *err, size_t err_size);
/* Adds a model behind the others; its texts are copied. 0, or -1 when out of memory. */
int tables_add_model(struct tables *t, const struct model *model);
/* The same for one that is made of parts, which must live as long as the tables. One of that id that
 * is there already stays. */
int tables_add_composed(struct tables *t, const struct model *model);
/* Puts the user's own machine behind the accelerators; its texts are copied. 0, or -1 when out of
 * memory. Accelerators that are added later take it away again. */
int tables_set_machine(struct tables *t, const struct accelerator *machine);
void tables_release(struct tables *t);

/* NULL when there is none of that id. */
const struct accelerator *gpu_find(const struct tables *t, const char *id);
const struct model *model_find(const struct tables *t, const char *id);
const struct model *any_model_find(const struct tables *t, const char *id); /* composed ones too */
/* The row that a knob has chosen, by its value: of KNOB_GPU and KNOB_MACHINE, of KNOB_MODEL and
 * KNOB_ANY_PARTS (of KNOB_TRACE: sims/tables/trace.h). */
const struct accelerator *gpu_at(const struct tables *t, double knob);
const struct model *model_at(const struct tables *t, double knob);
/* "does", or "do" for a name of two: "DeepSeek-V3 and R1 do not fit". */
const char *model_does(const struct model *m);
/* The same of KNOB_MODEL_OPEN; NULL: none. */
const struct model *model_or_none_at(const struct tables *t, double knob);

/* GPUs that its fast link joins, itself included: those of a node unless the tables say more. */
double gpu_domain(const struct accelerator *g);

/* Names that formulas use for what a model or GPU knows ("layers", "bandwidth", "peak_flops"):
 * 1 and *value, or 0 when the model or GPU has no such thing. */
int model_parameter(const struct model *m, const char *name, double *value);
int gpu_parameter(const struct accelerator *g, const char *name, double *value);

#endif
