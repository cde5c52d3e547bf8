/* Designs as people say them: values before names, or alone, and what is no design. */
#include "tests/talking.h"

#include "drills/case_design_said.h"
#include "sims/base/array.h"

static struct tables tables;

static void load(void)
{
	cases_load_tables(&tables);
}

static void unload(void)
{
	tables_release(&tables);
}

TestSuite(case_design_said, .init = load, .fini = unload);

/* is: as a design is typed; NULL: the line is none. */
static const struct row {
	const char *id, *line, *is;
} rows[] = {
	{ "serve-70b", "h100 fp8 tp 4 and 12 gpus", "gpu=h100 weight_dtype=fp8 tp=4 fleet=12" },
	{ "serve-70b", "12 H100s, fp8 everything, tp 4.",
		"gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=12" },
	{ "serve-70b", "We'd take 12 H100 with TP of 4, FP8 cache and INT8 weights",
		"gpu=h100 weight_dtype=int8 kv_dtype=fp8 tp=4 fleet=12" },
	{ "serve-70b", "16 GPUs", "fleet=16" },
	{ "serve-70b", "gpus 16, tensor parallel 8 GPUs", "tp=8 fleet=16" },
	{ "serve-70b", "int4 weights", "weight_dtype=int4" },
	{ "serve-70b", "H200 GPUs", "gpu=h200" },
	{ "p99-at-noon", "decode gpus 3, prefill 9", "prefill_gpus=9 decode_gpus=3" },
	{ "200-ms-to-50", "Orin, 11 cameras, TensorRT on", "platform=orin cameras=11 tensorrt=on" },
	{ "serve-70b", "set tp to 8", "tp=8" },
	{ "serve-70b", "use H200 instead", "gpu=h200" },
	{ "serve-70b", "switch to 16 GPUs", "fleet=16" },
	{ "serve-70b", "h100 x8", "gpu=h100 fleet=8" },
	{ "200-ms-to-50", "Orin, 10 cameras, shared input, TensorRT, no pipelining",
		"platform=orin cameras=10 backbone_sharing=on tensorrt=on pipelined=off" },
	{ "200-ms-to-50", "turn off TensorRT", "tensorrt=off" },
	{ "serve-70b", "h200 with tp=8, fleet 16", "gpu=h200 tp=8 fleet=16" },
	{ "serve-70b", "H100, TP 8, GPUs you have 1,024", "gpu=h100 tp=8 fleet=1024" },
	{ "serve-70b", "TP 4 instead of TP 8", "tp=4" },
	{ "serve-70b", "TP 4 or TP 8", NULL },
	{ "serve-70b", "H100s rather than A100s", "gpu=h100" },
	{ "serve-70b", "h100, TP8, 16 GPUs", "gpu=h100 tp=8 fleet=16" },
	{ "serve-70b", "h100, TP 8,16 GPUs", "gpu=h100 tp=8 fleet=16" },
	{ "train-in-30-days", "tp 8, pp 4, ZeRO-1", "tp=8 pp=4 zero=1" },
	{ "train-in-30-days", "TP8 PP4 zero1", "tp=8 pp=4 zero=1" },
	{ "200-ms-to-50", "don't pipeline", "pipelined=off" },
	{ "200-ms-to-50", "11 cameras, not pipelined", "cameras=11 pipelined=off" },
	{ "200-ms-to-50", "never use TensorRT", "tensorrt=off" },
	{ "200-ms-to-50", "use TensorRT", "tensorrt=on" },
	{ "200-ms-to-50", "sparse and pipelined", "sparse=on pipelined=on" },
	/* On or off alone may be said of anything. */
	{ "200-ms-to-50", "TensorRT", NULL },
	/* May be of the weights or of the cache, and says nothing else. */
	{ "serve-70b", "fp8", NULL },
	{ "serve-70b", "16", NULL },
	{ "serve-70b", "12 H300s", NULL },
	{ "serve-70b", "tp 3", NULL },
	{ "serve-70b", "weights", NULL },
	{ "serve-70b", "the weights", NULL },
	{ "serve-70b", "H100 because FP8 has units there", NULL },
	{ "serve-70b", "4 GPUs per replica", "tp=4" },
	{ "serve-70b", "two GPUs per engine", "tp=2" },
	{ "serve-70b", "8 cards for each instance", "tp=8" },
	/* All GPUs are those of a replica times replicas. */
	{ "serve-70b", "h100, 4 replicas of TP 2", "gpu=h100 tp=2 fleet=8" },
	{ "serve-70b", "four engines of two GPUs each", "tp=2 fleet=8" },
	{ "serve-70b", "tp=4, 8 replicas", "tp=4 fleet=32" },
	{ "serve-70b", "4 replicas on 16 H100s", "gpu=h100 tp=4 fleet=16" },
	{ "serve-70b", "3 replicas on 16 H100s", NULL },
	{ "serve-70b", "fp8 cache and weights, 4 gpus", "weight_dtype=fp8 kv_dtype=fp8 fleet=4" },
	{ "serve-70b", "fp8 cache and weights, 4 replicas of TP 2",
		"weight_dtype=fp8 kv_dtype=fp8 tp=2 fleet=8" },
	{ "serve-70b", "4 replicas of TP 4 on 8 GPUs", NULL },
	{ "rollouts", "tp 2, four engines", "tp=2 attn_dp=4" },
	/* Knobs by the names that people have for them. */
	{ "train-in-30-days", "no checkpointing", "checkpointing=none" },
	{ "train-in-30-days", "8-way TP, 4 pipeline stages, the rest data parallel", "tp=8 pp=4" },
	{ "train-in-30-days", "turn off recompute", "checkpointing=none" },
	{ "train-in-30-days", "turn recompute off", "checkpointing=none" },
	{ "200-ms-to-50", "switch off TensorRT", "tensorrt=off" },
	{ "train-in-30-days", "full recompute", "checkpointing=full" },
	{ "train-in-30-days", "drop the checkpointing", "checkpointing=none" },
	{ "train-in-30-days", "8-way tensor parallel, four pipeline stages", "tp=8 pp=4" },
	{ "train-in-30-days", "no pipelining, 16 microbatches", "pp=1 micro_batches=16" },
	{ "train-in-30-days", "cut pp from 4 to 2", "pp=2" },
	{ "train-in-30-days", "more micro-batches", NULL },
	{ "perception-budget", "lower the frame rate to 22 Hz", "fps=22" },
	{ "perception-budget", "22 fps", "fps=22" },
	{ "perception-budget", "share the input and skip empty space",
		"backbone_sharing=on sparse=on" },
	{ "failures-at-16384", "checkpoint every half hour", "interval_min=30" },
	{ "failures-at-16384", "asynchronous checkpoints every 5 min, restart in 10",
		"interval_min=5 async=on restart_min=10" },
	{ "scale-to-64", "25 GB/s", "inter_GBps=25" },
	{ "scale-to-64", "overlap 90 %", "overlap=0.9" },
	{ "fast-for-one", "no draft", "k=0" },
	{ "fast-for-one", "speculative decoding with 4 tokens", "k=4" },
	{ "p99-at-noon", "4 GPUs for prefill and 8 for decode", "prefill_gpus=4 decode_gpus=8" },
	/* Types by their bits, where there is one of so many. */
	{ "long-answers", "36 GPUs, h200, w8 kv8",
		"gpu=h200 weight_dtype=fp8 kv_dtype=fp8 fleet=36" },
	{ "long-answers", "fp8 weights and kv cache", "weight_dtype=fp8 kv_dtype=fp8" },
	{ "serve-70b", "w8", "weight_dtype=fp8" }, /* as knobs read "8" */
	{ "smaller-model", "w4a8", "bits=4 activations=8" },
	{ "smaller-model", "4 bit weights in groups of 32", "bits=4 granularity=group" },
	{ "gradients-over-ethernet", "bf16 gradients, ring", "algorithm=ring bytes=6400" },
	/* 30 busy ones of 35; those that are busy for 70 % of the time are 42.9, so 43. */
	{ "how-many-workers", "35 workers", "workers=35" },
	{ "how-many-workers", "cut utilisation to 70 %", "workers=43" },
	{ "how-many-workers", "keep them 86 % busy", "workers=35" },
	{ "how-many-workers", "35 workers, all behind one queue", "servers=35 workers=35" },
	{ "serve-70b", "", NULL },
	{ "p99-at-noon", "12 gpus", NULL }, /* of which? */
	{ "serve-70b", "12 cards", "fleet=12" },
	{ "fast-for-one", "2 H100 cards", "gpu=h100 tp=2" },
	{ "is-it-faster", "sync each", "sync=each" },
	{ "is-it-faster", "events", "sync=events" },
	{ "is-it-faster", "each", NULL },
	{ "is-it-faster", "none", NULL },
};

Test(case_design_said, is_read_as_people_say_it)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct design_case c;
		struct dealt_case d;
		struct case_design said;
		char err[500], text[400];
		cases_open(&c, &tables, rows[i].id);
		cr_assert(zero(int, case_deal(&d, &c, &tables, 1, LEVEL_STAFF, err, sizeof err)),
			"%s", err);
		const bool is = case_design_said(&d, rows[i].line, &said);
		cr_expect(eq(int, is, rows[i].is != NULL), "%s", rows[i].line);
		if (is && rows[i].is)
			cr_expect(eq(str, case_design_write(&d, &said, text, sizeof text),
					  (char *)rows[i].is),
				"%s", rows[i].line);
		case_deal_release(&d);
		case_release(&c);
	}
}

/* In Design such a line is run, also where the interviewer waits for an answer; in Clarify it asks. On the side of a
 * candidate what is no design says so. */
Test(case_design_said, where_designs_are_due)
{
	struct talking t;
	talking_begin(&t, &tables, "serve-70b", LEVEL_STAFF);
	t.sitting.company = CASE_LED;
	case_talk_line(&t.talk, "h100 fp8 tp 4 and 12 gpus", 0);
	cr_expect(not(case_design_begun(&t.sitting.deal, &t.sitting.design)));
	case_talk_line(&t.talk, "next", 1000);
	case_talk_line(&t.talk, "next", 2000);
	case_talk_line(&t.talk, "12 H100s, fp8 everything, tp 4", 3000);
	cr_expect(t.sitting.runs[0] == 1 && t.talk.answering);
	case_talk_line(&t.talk, "16 GPUs", 4000);
	cr_expect(eq(sz, t.sitting.runs[0], 2));
	cr_expect(eq(str, (char *)t.sitting.last_design[0],
		"gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=16"));
	case_talk_line(&t.talk, "How about 8 GPUs?", 5000);
	cr_expect(eq(sz, t.sitting.runs[0], 3));
	case_talk_line(&t.talk, "try 16", 5500);
	cr_expect(eq(sz, t.sitting.runs[0], 4));
	cr_expect(eq(str, (char *)t.sitting.last_design[0],
		"gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=16"));
	t.sitting.company = CASE_HELD;
	case_talk_line(&t.talk, "12 H300s please", 6000);
	cr_expect(strstr(t.talk.said.list[t.talk.said.n - 1].text,
			  "it is no design: nothing is run") != NULL);
	case_talk_line(&t.talk, "How many GPUs are there?", 7000);
	cr_expect(strstr(t.talk.said.list[t.talk.said.n - 1].text, "Ask it aloud") != NULL);
	talking_end(&t);
}

/* What was understood is said with what was not, and run at a "yes": what is mostly of no design is an answer. */
Test(case_design_said, in_part_is_asked_back)
{
	struct talking t;
	talking_begin(&t, &tables, "serve-70b", LEVEL_STAFF);
	case_talk_line(&t.talk, "next", 0);
	case_talk_line(&t.talk, "next", 1000);
	case_talk_line(&t.talk, "8 machines, h100, tp 4, fp8 weights", 2000);
	const char *said = t.talk.said.list[t.talk.said.n - 1].text;
	cr_expect(strstr(said, "Read: GPU h100, weights fp8, tensor parallel 4.") != NULL, "%s",
		said);
	cr_expect(strstr(said, "Not read: 8 machines.") != NULL, "%s", said);
	cr_expect(not(case_design_begun(&t.sitting.deal, &t.sitting.design)));
	cr_expect(case_talk_runs(&t.talk, "yes"));
	case_talk_line(&t.talk, "yes", 3000);
	cr_expect(case_design_begun(&t.sitting.deal, &t.sitting.design));
	case_talk_line(&t.talk, "fp8 cache, 8 GPUs", 4000);
	cr_assert(eq(sz, t.sitting.runs[0], 1));
	/* The interviewer's question is open now: what is by a quarter of no design is hardly one. */
	case_talk_line(&t.talk, "tp 8 stays in one machine", 4500);
	cr_expect(strcmp(t.sitting.said[0], "tp 8 stays in one machine") == 0);
	case_talk_line(&t.talk, "follow", 4600);
	case_talk_line(&t.talk, "8 machines, h100, tp 8, fp8 weights, fp8 cache", 5000);
	case_talk_line(&t.talk, "no", 6000);
	case_talk_line(&t.talk, "yes", 7000);
	cr_expect(t.sitting.runs[0] == 1 && t.talk.answering);
	case_talk_line(&t.talk, "Because FP8 halves the weights", 8000);
	cr_expect(strcmp(t.sitting.said[t.sitting.n_said - 1], "Because FP8 halves the weights") ==
		  0);
	talking_end(&t);
}
