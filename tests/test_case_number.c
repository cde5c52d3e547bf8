/* Numbers among the estimates as people say them: no unit is dropped, and of two numbers none is taken. */
#include "tests/cases.h"

#include "drills/case_number.h"
#include "drills/case_talk.h"
#include "sims/base/array.h"

#include <math.h>

static struct tables tables;

static void load(void)
{
	cases_load_tables(&tables);
}

static void unload(void)
{
	tables_release(&tables);
}

TestSuite(case_number, .init = load, .fini = unload);

/* value: in the unit that is asked for; NAN: nothing is taken, and remark is a part of why. */
static const struct row {
	const char *unit, *said;
	double value;
	const char *remark;
} rows[] = {
	{ "GB", "0.7 GB, that is 850 tokens", 0.7, "" },
	{ "GB", "26 gigs, 13B in bf16", 26, "" },
	{ "GB", "26, all in all", 26, "" },
	{ "GB", "26 for the weights", 26, "" },
	{ "GB", "about 1,400 GB.", 1400, "" },
	{ "GB", "roughly 14 gigabytes", 14, "" },
	{ "m", "20 feet", NAN, "\"feet\"" },
	{ "ms", "6 ft", NAN, "\"ft\"" },
	{ "ms", "2.9k feet", NAN, "say the unit" },
	{ "m", "a bit over 6 meters", 6, "" },
	{ "m", "just under 20 m", 20, "" },
	{ "s", "roughly one second", 1, "" },
	{ "s", "call it 12 seconds", 12, "" },
	{ "s", "half a second", 0.5, "" },
	{ "s", "half an hour", 1800, "" },
	{ "s", "two and a half hours", 9000, "" },
	{ "", "a million and a half", 1.5e6, "" },
	{ "req", "half a dozen", 6, "" },
	{ "ms", "a quarter of a second", 250, "" },
	{ "GB", "0.07 of a TB", 70, "" },
	{ "GB", "half of 140 GB", 70, "" },
	{ "GB", "two thirds of 141 GB", 94, "" },
	{ "GB", "0.7 GB of 80 GB", 0.7, "" },
	{ "s", "three quarters of an hour", 2700, "" },
	{ "s", "two three hours", NAN, "Two numbers" },
	{ "s", "between seven and eight seconds", NAN, "Two numbers" },
	{ "GB", "ca. 26 GB or so", 26, "" },
	{ "s", "twenty-five seconds", 25, "" },
	{ "req", "a dozen", 12, "" },
	{ "req", "two hundred and fifty", 250, "" },
	{ "req", "2400 busy requests", 2400, "" },
	{ "req", "two thousand four hundred requests", 2400, "" },
	{ "ms", "~550ish ms", 550, "" },
	{ "req", "fifty-odd", 50, "" },
	{ "s", "7 to 12 seconds", NAN, "Two numbers" },
	{ "s", "7-12 seconds", NAN, "Two numbers" },
	{ "s", "7 s or 12 s", NAN, "Two numbers" },
	{ "s", "between 7 and 12 s", NAN, "Two numbers" },
	{ "s", "seven to 12 s", NAN, "Two numbers" },
	{ "s", "one to two hours", NAN, "Two numbers" },
	{ "s", "between one hour and two", NAN, "Two numbers" },
	{ "s", "12 s to be safe", 12, "" },
	{ "s", "12 - 7 s", 5, "" }, /* a sum */
	{ "s", "1e-5 s", 1e-5, "" },
	{ "GB/s", "0.6 gigabytes a second", 0.6, "" },
	{ "GB/s", "36 GB a minute", 0.6, "" },
	{ "ms", "16.75 GB over 3.35 TB/s", 5, "" },
	{ "GB", "26 GB over 8 GPUs", 26, "" },
	{ "ms", "12 GB", NAN, "" },
	{ "s", "roughly five weeks", 5 * 7 * 86400.0, "" },
	{ "", "nine tenths", 0.9, "" },
	{ "req", "30 tasks", 30, "" },
	{ "req", "30 km", NAN, "metres given" },
	{ "", "12 buckets of 25 each", 12, "" },
	{ "GPU", "35 H100s with 80 GB each", 35, "" },
	{ "Hz", "28 images a second", 28, "" },
	{ "J", "900 megawatt-hours or so", 900 * 3.6e9, "" },
	/* Bytes of so many things are bytes; 200 x 1,500 x 100 kB = 30 GB. */
	{ "GB", "200 rollouts times 1.5k tokens times 100 kB", 30, "" },
	{ "GB", "200 rollouts x 1,500 tokens x 100 kB each", 30, "" },
	{ "GB", "100 kB a token times 1500 tokens \xc3\x97 200", 30, "" },
	{ "req", "200 rollouts times 1.5k tokens times 100 kB", NAN, "" },
	{ "GB", "2 x 3 x 4 x 5 x 6 x 7 x 8 x 1 x 1 x 1 x 1 x 10 kB", 0.4032, "" },
	{ "GB", "8 billion params times 2 bytes", 16, "" },
	{ "GB", "8B params times 2 bytes", 16, "" },
	{ "ms", "8.2 billion params times 2 bytes, over 3.28 TB/s", 5, "" },
	{ "ms", "8e9 params times 2 bytes divided by 3.2 TB/s", 5, "" },
	{ "ms", "8e9 params times 2 bytes over 3.2 TB/sec", 5, "" },
	{ "GB", "200 B times 5e6", 1, "" },
	{ "GB", "8 billion params at 2 bytes", 16, "" },
	{ "GB", "13B params at 4 bits each", 6.5, "" },
	{ "GB", "100 GB at 80 %", 100, "" },
	{ "s", "6 s at 4 GPUs", 6, "" },
	{ "GPU", "35 GPUs at 80 GB", 35, "" },
	{ "ms", "16.4 GB of weights over 3.28 TB/s", 5, "" },
	{ "ms", "20 ms times 3", 60, "" },
	{ "GB", "2 GB x 8 GPUs", 16, "" },
	{ "ms", "3 GB at 300 GB/s", 10, "" },
	{ "ms", "3 GB at 300 GB/s, that's roughly 11 ms", 11, "" },
	{ "ms", "3B params, one byte each, so 3 GB at 300 GB/s: 10 ms", 10, "" },
	{ "GB", "7 GB, not 12 GB", 7, "" },
	{ "ZFLOP", "6 times 70 billion times 2 trillion FLOP = 8.4e23", 840, "" },
	{ "ZFLOP", "6 x 70e9 x 2e12 = 840", 840, "" },
	/* Of a working the result. */
	{ "GB", "200 rollouts times 1.5k tokens times 100 kB, call it 32 GB", 32, "" },
	{ "GB", "2 x 70e9 = 140 GB", 140, "" },
	{ "GB", "16 bytes times 8e9 makes 128 GB", 128, "" },
	{ "GB", "320 KB for a token, so 1.3 GB", 1.3, "" },
};

static struct question question(const char *unit)
{
	/* No number of the rows is near: what is graded is how it is read. */
	return (struct question){ .unit = unit,
		.shown_unit = unit,
		.key = 1e-3,
		.tolerance = { .mode = TOLERANCE_RELATIVE, .amount = 0.01 } };
}

Test(case_number, is_read_with_its_unit_or_not_at_all)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct question q = question(rows[i].unit);
		struct grade g;
		const bool read = case_number_read(&q, rows[i].said, false, &g);
		cr_expect(eq(int, read, !isnan(rows[i].value)), "%s: %s", rows[i].said, g.remark);
		if (read)
			cr_expect(fabs(g.value / rows[i].value - 1) < 1e-9, "%s: %g", rows[i].said,
				g.value);
		else
			cr_expect(strstr(g.remark, rows[i].remark) != NULL, "%s: %s", rows[i].said,
				g.remark);
	}
}

/* Half a second of work at 68.4 requests a second keeps 34.2 GPUs busy: that many are 35, whoever rounds. */
Test(case_number, counts_are_whole)
{
	const struct question q = { .unit = "GPU",
		.shown_unit = "GPU",
		.key = 35,
		.tolerance = { .mode = TOLERANCE_FACTOR, .amount = 1.3 },
		.whole = WHOLE_UP };
	static const struct {
		const char *said, *remark;
	} lines[] = { { "34.2 cards", "cards come whole: 34.2 rounds up to 35" },
		{ "34.2", "GPUs come whole: 34.2 rounds up to 35" },
		{ "34.2 cards, so 35 cards", "" }, { "35 cards", "" } };
	for (size_t i = 0; i < LENGTH(lines); i++) {
		struct grade g;
		cr_expect(case_number_read(&q, lines[i].said, false, &g), "%s", lines[i].said);
		cr_expect(eq(int, g.verdict, VERDICT_CORRECT), "%s", lines[i].said);
		cr_expect(eq(str, g.remark, (char *)lines[i].remark));
	}
}

/* The pool of prompts at noon is whole(rate x time / share): what is half a GPU below it rounds up to it. */
Test(case_number, a_formula_that_rounds_gives_a_count)
{
	struct design_case c;
	struct case_sitting s;
	struct case_talk t;
	char err[500], line[64], said[64];
	cases_open(&c, &tables, "p99-at-noon");
	cr_assert(zero(int, case_sitting_begin(&s, &c, &tables, 1, LEVEL_SENIOR, err, sizeof err)));
	const double key = s.deal.variant.steps[2].question.key;
	case_talk_begin(&t, &s);
	case_talk_line(&t, "next", 0);
	snprintf(line, sizeof line, "3: %.1f cards", key - 0.5);
	snprintf(said, sizeof said, "right. cards come whole: %.1f rounds up to %.0f. ", key - 0.5,
		key);
	case_talk_line(&t, line, 1000);
	cr_expect(strstr(t.said.list[t.said.n - 1].text, said) != NULL, "%s",
		t.said.list[t.said.n - 1].text);
	case_talk_release(&t);
	case_sitting_release(&s);
	case_release(&c);
}

/* In words only what has a unit is a number: people say "one" of many things. */
Test(case_number, begins_in_digits_or_in_words)
{
	static const struct {
		const char *said;
		bool is;
	} begins[] = { { "12", true }, { "it's about 12", true }, { "a dozen", true },
		{ "roughly one second", true }, { "ten or so", true }, { "one more thing", false },
		{ "half of the requests wait", false }, { "two questions", false },
		{ "nine tenths", true }, { "two thirds of them", false }, { "the cache", false },
		{ "", false } };
	for (size_t i = 0; i < LENGTH(begins); i++)
		cr_expect(eq(int, case_number_begins(begins[i].said), begins[i].is), "%s",
			begins[i].said);
}

/* The model has 70.6e9 parameters, and a sitting says of what cannot be read why: that costs nothing. */
Test(case_number, answers_estimates)
{
	static const struct {
		const char *line;
		enum estimate is;
		const char *said;
	} lines[] = {
		{ "estimate 1: roughly 70 gigabytes", ESTIMATE_EXACT, "right" },
		{ "1: a bit over 70 gigs, one byte each", ESTIMATE_EXACT, "right" },
		{ "estimate weights 70 GB", ESTIMATE_EXACT, "right" },
		{ "call it seventy gigabytes", ESTIMATE_EXACT, "right" },
		{ "1: 70 pounds", ESTIMATE_NONE, "\"pounds\" is no unit that is known here" },
		{ "60 to 80 GB", ESTIMATE_NONE, "Two numbers" },
	};
	for (size_t i = 0; i < LENGTH(lines); i++) {
		struct design_case c;
		struct case_sitting s;
		struct case_talk t;
		char err[500];
		cases_open(&c, &tables, "serve-70b");
		cr_assert(zero(int,
			case_sitting_begin(&s, &c, &tables, 1, LEVEL_SENIOR, err, sizeof err)));
		case_talk_begin(&t, &s);
		case_talk_line(&t, "next", 0);
		case_talk_line(&t, lines[i].line, 1000);
		const char *last = t.said.list[t.said.n - 1].text;
		cr_expect(eq(int, (int)s.estimates[0].best, (int)lines[i].is), "%s: %s",
			lines[i].line, last);
		cr_expect(strstr(last, lines[i].said) != NULL, "%s: %s", lines[i].line, last);
		cr_expect(zero(sz, s.asked), "%s", lines[i].line);
		case_talk_release(&t);
		case_sitting_release(&s);
		case_release(&c);
	}
}
