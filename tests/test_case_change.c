/* Changes that are said against the design of now, each worked by hand, and what only sounds like one. */
#include "tests/talking.h"

#include "drills/case_change.h"
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

TestSuite(case_change, .init = load, .fini = unload);

#define SERVE "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=12"
#define ROLL "tp=4 attn_dp=2 max_batch=64 weight_dtype=fp8 kv_dtype=fp8"

#define TEN_MORE " now now now now now now now now now now"

/* last: the knob that was spoken of last; is, before: NULL where the line has no change. */
static const struct row {
	const char *id, *now, *last, *line, *is, *before;
} rows[] = {
	{ "serve-70b", SERVE, NULL, "double the GPUs", "fleet=24", "GPUs you have 12" },
	{ "serve-70b", SERVE, NULL, "twice as many GPUs", "fleet=24", "GPUs you have 12" },
	{ "serve-70b", SERVE, NULL, "let's halve the tensor parallelism", "let's tp=2",
		"tensor parallel 4" },
	{ "serve-70b", SERVE, "fleet", "halve it", "fleet=6", "GPUs you have 12" },
	{ "serve-70b", SERVE, "fleet", "25 % more", "fleet=15", "GPUs you have 12" },
	{ "serve-70b", SERVE, "fleet", "two less", "fleet=10", "GPUs you have 12" },
	{ "serve-70b", SERVE, "fleet", "a third fewer", "fleet=8", "GPUs you have 12" },
	{ "serve-70b", SERVE, NULL, "halve it", NULL, NULL }, /* of what? */
	{ "serve-70b", SERVE, NULL, "10 percent fewer GPUs", "fleet=10.8", "GPUs you have 12" },
	{ "serve-70b", SERVE, NULL, "add 4 GPUs", "fleet=16", "GPUs you have 12" },
	{ "serve-70b", SERVE, NULL, "another two GPUs", "fleet=14", "GPUs you have 12" },
	{ "serve-70b", SERVE, NULL, "increase the GPUs by 50 %", "fleet=18", "GPUs you have 12" },
	{ "serve-70b", SERVE, NULL, "cut the GPUs by a quarter", "fleet=9", "GPUs you have 12" },
	{ "serve-70b", SERVE, NULL, "cut the GPUs in half", "fleet=6", "GPUs you have 12" },
	/* Each replica is 4 GPUs. */
	{ "serve-70b", SERVE, NULL, "two more replicas", "fleet=20", "GPUs you have 12" },
	{ "serve-70b", SERVE, NULL, "three times as many replicas", "fleet=36",
		"GPUs you have 12" },
	{ "serve-70b", SERVE, NULL, "double the GPUs and use int4 weights",
		"fleet=24 and use int4 weights", "GPUs you have 12" },
	{ "rollouts", ROLL, NULL, "double the batch, halve the copies", "max_batch=128, attn_dp=1",
		"max batch 64, copies of attention 2" },
	{ "rollouts", ROLL, NULL, "the batch down by 16", "the max_batch=48", "max batch 64" },
	{ "rollouts", ROLL, NULL, "3x the batch", "max_batch=192", "max batch 64" },
	{ "perception-budget", "fps=25", "fps", "2 fps more", "fps=27", "frames/s 25" },
	{ "perception-budget", "fps=25", NULL, "lower the frame rate by 5 Hz", "fps=20",
		"frames/s 25" },
	{ "p99-at-noon", "prefill_gpus=5 decode_gpus=3", NULL,
		"move one GPU from decode to prefill", "decode_gpus=2 prefill_gpus=6",
		"decode GPUs 3, prefill GPUs 5" },
	{ "p99-at-noon", "prefill_gpus=5 decode_gpus=3", NULL,
		"shift 2 GPUs from prefill over to decode", "prefill_gpus=3 decode_gpus=5",
		"prefill GPUs 5, decode GPUs 3" },
	{ "p99-at-noon", "prefill_gpus=5 decode_gpus=3", NULL, "move 2 GPUs from prefill", NULL,
		NULL },
	/* 30 busy ones of 50 are 60 %; 45 % are three quarters of that. */
	{ "how-many-workers", "workers=50", NULL, "a quarter less utilisation", "utilisation=0.45",
		"utilisation 0.6" },
	{ "how-many-workers", "workers=50", NULL, "4 workers less", "workers=46", "workers 50" },
	{ "how-many-workers", "workers=50", NULL, "ten more workers", "workers=60", "workers 50" },
	/* The GPUs of a replica are all that there are there, whatever they are called. */
	{ "fast-for-one", "tp=8", NULL, "half as many cards", "tp=4", "GPUs 8" },
	/* No buckets stand for as many as there are of 25 MB, which has no double; no drafts are none. */
	{ "gradients-over-ethernet", "buckets=0", NULL, "twice as many buckets", NULL, NULL },
	{ "gradients-over-ethernet", "buckets=32", NULL, "twice as many buckets", "buckets=64",
		"buckets 32" },
	{ "fast-for-one", "k=0", NULL, "double the drafts", NULL, NULL },
	/* A type has no half, a request is no knob, and a value is no change. */
	{ "serve-70b", SERVE, NULL, "halve the weights", NULL, NULL },
	{ "serve-70b", SERVE, "fleet", "half the requests wait", NULL, NULL },
	{ "serve-70b", SERVE, NULL, "more GPUs", NULL, NULL },
	{ "serve-70b", SERVE, "fleet", "16 GPUs", NULL, NULL },
	{ "serve-70b", SERVE, "fleet", "one more thing", NULL, NULL },
	{ "serve-70b", "gpu=h100", NULL, "double the GPUs", NULL, NULL }, /* of no number yet */
	{ "failures-at-16384", "interval_min=60", NULL, "checkpoint every half hour", NULL, NULL },
	/* Of more than forty words none is left out in silence. */
	{ "rollouts", ROLL, NULL,
		"double the batch" TEN_MORE TEN_MORE TEN_MORE " so now 8 bit cache",
		"max_batch=128" TEN_MORE TEN_MORE TEN_MORE " so now 8 bit cache", "max batch 64" },
	{ "rollouts", ROLL, NULL,
		"double the batch" TEN_MORE TEN_MORE TEN_MORE TEN_MORE " fp8 cache", NULL, NULL },
};

static void set_design(const struct dealt_case *d, const char *typed, struct case_design *out)
{
	char copy[200], err[300], *rest = NULL;
	snprintf(copy, sizeof copy, "%s", typed);
	for (char *w = strtok_r(copy, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
		const char *words[] = { w };
		cr_assert(
			zero(int, case_design_read(d, out, words, 1, err, sizeof err)), "%s", err);
	}
}

Test(case_change, is_read_against_what_is)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct design_case c;
		struct dealt_case d;
		struct case_design now = { .v = { 0 } };
		const struct case_knob *last = NULL;
		char err[500], is[400] = "", before[400] = "";
		cases_open(&c, &tables, rows[i].id);
		cr_assert(zero(int, case_deal(&d, &c, &tables, 1, LEVEL_STAFF, err, sizeof err)),
			"%s", err);
		set_design(&d, rows[i].now, &now);
		for (size_t k = 0; rows[i].last && k < c.n_knobs; k++)
			if (strcmp(case_knob_id(&d, &c.knobs[k]), rows[i].last) == 0)
				last = &c.knobs[k];
		const bool changes = case_change_read(
			&d, &now, last, rows[i].line, is, sizeof is, before, sizeof before);
		cr_expect(eq(int, changes, rows[i].is != NULL), "%s: %s", rows[i].line, is);
		if (changes && rows[i].is) {
			cr_expect(eq(str, is, (char *)rows[i].is), "%s", rows[i].line);
			cr_expect(eq(str, before, (char *)rows[i].before), "%s", rows[i].line);
		}
		case_deal_release(&d);
		case_release(&c);
	}
}

static const char *last_design(const struct talking *t)
{
	return t->sitting.last_design[t->sitting.stage];
}

/* In a sitting it is run, and what it became is said; what cannot be had is refused, and a count comes whole. */
Test(case_change, is_run_where_designs_are_due)
{
	struct talking t;
	talking_begin(&t, &tables, "serve-70b", LEVEL_STAFF);
	case_talk_line(&t.talk, "next", 0);
	case_talk_line(&t.talk, "next", 1000);
	case_talk_line(&t.talk, "12 H100s, fp8 everything, tp 4", 2000);
	static const struct {
		const char *line, *said, *is;
	} lines[] = {
		{ "double the GPUs", "Understood as: GPUs you have 24. Before: GPUs you have 12.",
			"gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=24" },
		{ "a quarter less", "GPUs you have 18. Before: GPUs you have 24.",
			"gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=18" },
		{ "what about 10 % fewer?", "16.2 rounds up to 17, a whole number.",
			"gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=17" },
		{ "100x the GPUs", "fleet: expected 1 GPU to 1,024 GPUs, found \"1700\"", NULL },
		{ "design fleet=16.5", "16.5 rounds up to 17, a whole number.",
			"gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=17" },
		{ "halve it and go to tp 8", "tensor parallel 8, GPUs you have 9.",
			"gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=8 fleet=9" },
	};
	const char *is = last_design(&t);
	for (size_t i = 0; i < LENGTH(lines); i++) {
		const size_t from = t.talk.said.n, runs = t.sitting.runs[0];
		case_talk_line(&t.talk, lines[i].line, 3000 + (int64_t)i);
		cr_expect(says_since(&t, from, lines[i].said), "%s", lines[i].line);
		cr_expect(eq(sz, t.sitting.runs[0], runs + (lines[i].is != NULL)), "%s",
			lines[i].line);
		is = lines[i].is ? lines[i].is : is;
		cr_expect(eq(str, (char *)last_design(&t), (char *)is), "%s", lines[i].line);
	}
	talking_end(&t);
}

/* Fewer workers than the work keeps busy are in the range that is told, and are refused by why. */
Test(case_change, says_why_a_number_in_the_range_is_not_taken)
{
	struct talking t;
	talking_begin(&t, &tables, "how-many-workers", LEVEL_STAFF);
	case_talk_line(&t.talk, "design workers=15", 0);
	cr_expect(
		says_since(&t, 0, "workers: 15 is too few, since utilisation would be more than"));
	case_talk_line(&t.talk, "design workers=300", 0);
	cr_expect(says_since(&t, 0, "workers: expected 1 to 128, found \"300\""));
	talking_end(&t);
}
