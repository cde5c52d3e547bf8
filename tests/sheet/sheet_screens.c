/* The screens that are no simulations, in the order of the sheet, and the answers of two people: one
 * who has just begun and one who drills every day. */
#include "tests/sheet/sheet.h"

#include "sims/base/rng.h"
#include "ui/data/bank_load.h"
#include "ui/data/history_file.h"
#include "ui/data/tables_load.h"

#include <math.h>
#include <stdlib.h>

static int beginner(struct history *h, char *err, size_t err_size)
{
	return history_load(h, "tests/data/history.jsonl", err, err_size);
}

/* The n-th answer of forty days with eight a day: a skill that comes again is answered better and
 * faster. Made, not kept: the drills of the bank change. */
static struct history_event answer_of(const struct drill_bank *b, struct rng *rng, size_t n)
{
	enum { A_DAY = 8, DAYS = 40, SKILLS = 60 };
	static const char *const causes[] = { "bits vs bytes", "query heads, not KV heads",
		"one direction, not both", "decimal, not binary" };
	const struct drill *d = &b->drills[rng_below(rng, SKILLS) * b->n / SKILLS];
	double skill = 0.45 + 0.45 * (double)n / (A_DAY * DAYS);
	bool right = rng_uniform(rng) < skill;
	return (struct history_event){
		.at_s = SHEET_NOW_S - DAYS * SHEET_DAY_S + (int64_t)(n / A_DAY) * SHEET_DAY_S +
			(int64_t)(n % A_DAY) * 90,
		.drill = d->id,
		.skill = d->skill,
		.topic = d->topic,
		.seed = n,
		.given = "10",
		.value = 10,
		.verdict = right ? VERDICT_CORRECT : VERDICT_NAMED,
		.used = true,
		.credit = right ? 1 : 0,
		.cause = right ? "" : causes[rng_below(rng, 4)],
		.hints = rng_below(rng, 6) == 0,
		.attempt = 1,
		.took_s = 60 * rng_lognormal(rng, 1.6 - skill, 0.5),
		.par_s = 60,
		.mode = n % 3 ? "set" : "review",
	};
}

/* So many of these answers; `now`: all of them given rightly, some minutes ago. */
static int made(struct history *h, size_t n, bool now, char *err, size_t err_size)
{
	struct tables t;
	struct drill_bank bank = { 0 };
	struct rng rng = rng_stream(1, "sheet", 0);
	char *text = NULL, line[HISTORY_LINE_SIZE];
	size_t size;
	int rc = tables_load(&t, err, err_size);
	rc = rc || bank_load(&bank, &t, err, err_size);
	FILE *f = open_memstream(&text, &size);
	for (size_t i = 0; rc == 0 && f && i < n; i++) {
		struct history_event e = answer_of(&bank, &rng, i);
		if (now) {
			e.at_s = SHEET_NOW_S - 600 + (int64_t)i * 60;
			e.verdict = VERDICT_CORRECT;
			e.credit = 1;
			e.cause = "";
			e.hints = 0;
			e.took_s = 30;
		}
		fwrite(line, 1, history_line(&e, line, sizeof line), f);
	}
	rc = rc || !f || fclose(f) ? -1 : history_parse(h, text, size);
	bank_release(&bank);
	tables_release(&t);
	return rc;
}

static int regular(struct history *h, char *err, size_t err_size)
{
	return made(h, 320, false, err, err_size);
}

static int just_done(struct history *h, char *err, size_t err_size)
{
	return made(h, 8, true, err, err_size);
}

const struct shot sheet_screens[] = {
	{ "screen", "Home", "Home, the first time", "", "", NULL },
	{ "screen", "Home", "Home of somebody who drills", "", "wait:500", regular },
	{ "screen", "Home", "Home, another column", "", "l j j", NULL },
	{ "screen", "Home", "Help", "", "?", NULL },
	{ "screen", "Home", "Help of a simulation", "roofline", "?", NULL },
	{ "screen", "Home", "Palette", "", ":", NULL },
	{ "screen", "Home", "Palette: a search", "", ": text:cache", NULL },
	{ "screen", "Home", "Palette over a simulation", "kvcache", ": text:sca", NULL },
	{ "screen", "Pages", "A chapter", "gpu", "", NULL },
	{ "screen", "Pages", "A chapter with a figure", "gpu", "figure", NULL },
	{ "screen", "Pages", "How a number was computed", "gpu", "Tab Tab Tab =", NULL },
	{ "screen", "Pages", "Contents of a chapter", "gpu", "t", NULL },
	{ "screen", "Pages", "Search in a page", "gpu", "/ text:roof Enter", NULL },
	{ "screen", "Pages", "A word of the glossary", "pytorch", "w Enter", NULL },
	{ "screen", "Pages", "A case", "case-study", "PgDn", NULL },
	{ "screen", "Pages", "Formulas", "formulas", "", NULL },
	{ "screen", "Pages", "A formula", "formula:kv_cache_bytes", "", NULL },
	{ "screen", "Pages", "Numbers to know", "numbers", "PgDn", NULL },
	{ "screen", "Drill", "A question with choices", "drill topic=chunked-protects", "wait:9000",
		NULL },
	{ "screen", "Drill", "A question with a number", "drill topic=memory seed=3", "wait:9000",
		NULL },
	{ "screen", "Drill", "A hint, and half an answer", "drill topic=memory seed=3",
		"wait:12000 Tab text:2*3", NULL },
	{ "screen", "Drill", "A wrong answer", "drill topic=memory seed=3",
		"wait:19000 text:200 Enter", NULL },
	{ "screen", "Drill", "A right answer", "drill topic=memory seed=3", "wait:21000 right",
		NULL },
	{ "screen", "Drill", "Given up", "drill topic=memory seed=3", "wait:31000 Ctrl-G", NULL },
	{ "screen", "Drill", "Scratch pad", "drill topic=memory seed=3",
		"wait:14000 Ctrl-S text:2*80*8192 Enter", NULL },
	{ "screen", "Drill", "The result", "drill topic=memory seed=3 count=3",
		"wait:20000 right Enter wait:9000 Ctrl-G Enter wait:30000 right Enter", NULL },
	{ "screen", "Drill", "A program to write", "drill topic=coding seed=1", "wait:5000", NULL },
	{ "screen", "Drill", "Sprint", "drill mode=sprint seed=2", "Enter wait:8000", NULL },
	{ "screen", "Drill", "Interview: the way there", "drill mode=interview seed=2", "", NULL },
	{ "screen", "Drill", "Interview: begun", "drill mode=interview seed=2", "Enter wait:4000",
		NULL },
	{ "screen", "Drill", "Review, nothing answered yet", "drill mode=review", "", NULL },
	{ "screen", "Drill", "Review, nothing due", "drill mode=review", "", just_done },
	{ "screen", "Drill", "Review", "drill mode=review", "wait:4000", regular },
	{ "screen", "Cases", "The list", "case", "", NULL },
	{ "screen", "Cases", "Before it begins", "case:200-ms-to-50 seed=1", "", NULL },
	{ "screen", "Cases", "Asked and estimated", "case:200-ms-to-50 seed=1",
		"Enter wait:20000 text:cameras? Enter wait:90000 text:speed? Enter wait:200000 "
		"text:estimate Space 1 Space 6 Space m Enter",
		NULL },
	{ "screen", "Cases", "At the knobs", "case:200-ms-to-50 seed=1",
		"Enter wait:500000 Tab l Down l Down l Down l Down l Down l Down l l", NULL },
	{ "screen", "Your answers", "Nothing answered yet", "stats", "", NULL },
	{ "screen", "Your answers", "The first answers", "stats", "", beginner },
	{ "screen", "Your answers", "After forty days", "stats", "", regular },
	{ "screen", "Your answers", "After forty days, further down", "stats", "PgDn", regular },
	{ "screen", "Interviewer", "The code to read out", "interviewer", "", NULL },
	{ "screen", "Interviewer", "In the middle", "interviewer",
		"Space n n wait:300000 e a text:b Enter", NULL },
	{ "screen", "Refusals", "A simulation that is not told its units", "kvcache",
		"Enter text:12q Enter", NULL },
};
const size_t n_sheet_screens = sizeof sheet_screens / sizeof *sheet_screens;
