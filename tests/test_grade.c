/* Grading: the cases of the specification, one by one, and what must hold for every answer. */
#include "drills/grade.h"
#include "drills/ratio.h"
#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "ui/commands/commands.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char questions_file[] = "tests/data/grading-questions.json";

static char *read_all(const char *path)
{
	static const size_t room = 1 << 16;
	FILE *f = fopen(path, "rb");
	cr_assert(f != NULL, "%s", path);
	char *text = calloc(1, room);
	cr_assert(fread(text, 1, room - 1, f) > 0);
	fclose(f);
	return text;
}

static bool contains(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* The questions of the specification, by name; released with the arena. */
static struct question load(const char *json, const char *name, struct arena *a)
{
	struct question q;
	char err[256] = "";
	cr_assert(
		zero(int, question_read(json, name, a, &q, err, sizeof err)), "%s: %s", name, err);
	return q;
}

/* What each remark of the table must contain, whatever else it says. */
static const struct {
	const char *in_table, *in_remark[3];
} contents[] = {
	{ "bytes given, parameters asked", { "bytes given, parameters asked" } },
	{ "used query heads, not KV heads", { "used query heads, not KV heads" } },
	{ "1000x high: prefix", { "1000x high: prefix" } },
	{ "1000x low: prefix", { "1000x low: prefix" } },
	{ "1e9x high: prefix", { "1e9x high: prefix" } },
	{ "2x low: K and V; bytes per element", { "2x low", "K and V", "bytes per element" } },
	{ "the GiB number with a GB label", { "the GiB number with a GB label" } },
	{ "1.0737x high: decimal vs binary (G)", { "1.0737x high: decimal vs binary (G)" } },
	{ "10x low: decimal point", { "10x low: decimal point" } },
	{ "2x high: multiply and add; dense vs sparse peak",
		{ "2x high", "multiply and add", "dense vs sparse peak" } },
	{ "2x low: multiply and add; dense vs sparse peak",
		{ "2x low", "multiply and add", "dense vs sparse peak" } },
	{ "2x low: multiply and add", { "2x low: multiply and add" } },
	{ "2x high: multiply and add", { "2x high: multiply and add" } },
	{ "suggest GB or Gb", { "GB or Gb" } },
	{ "suggest MB", { "MB" } },
	{ "use a point", { "use a point" } },
	{ "rate given, amount asked", { "rate given, amount asked" } },
	{ "amount given, rate asked", { "amount given, rate asked" } },
	{ "80x low: layers", { "80x low: layers" } },
	{ "8x low: bits vs bytes; 8x low: KV heads", { "8x low", "bits vs bytes", "KV heads" } },
	{ "8x low: bits vs bytes", { "8x low: bits vs bytes" } },
	{ "no number", { "no number" } },
	{ "nothing typed", { "nothing typed" } },
	{ "sign", { "sign" } },
	{ "note: \"per GPU\" not written", { "\"per GPU\" not written" } },
};

static void expect_remark(const char *in_table, const char *remark, const char *typed)
{
	if (!*in_table) {
		cr_expect(eq(str, (char *)remark, ""), "%s", typed);
		return;
	}
	for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
		if (strcmp(contents[i].in_table, in_table) != 0)
			continue;
		for (size_t k = 0; k < 3 && contents[i].in_remark[k]; k++)
			cr_expect(contains(remark, contents[i].in_remark[k]),
				"%s: \"%s\" lacks \"%s\"", typed, remark, contents[i].in_remark[k]);
		return;
	}
	cr_expect(false, "the test does not know the remark \"%s\"", in_table);
}

static const struct {
	const char *verdict;
	double credit;
} credits[] = { { "INVALID", 0 }, { "NEED_UNIT", 0 }, { "WRONG_DIM", 0 }, { "CORRECT", 1 },
	{ "NAMED", 0.25 }, { "NEAR", 0.5 }, { "WRONG", 0 } };

Test(grade, cases_of_the_specification)
{
	char *json = read_all(questions_file), *rows = read_all("tests/data/grading-cases.tsv");
	struct arena a = { 0 };
	size_t n = 0;
	char *line = strtok(rows, "\n");
	while ((line = strtok(NULL, "\n"))) {
		char name[32], typed[64], verdict[32], remark[128] = "";
		cr_assert(ge(int,
				  sscanf(line, "%31[^\t]\t%63[^\t]\t%31[^\t]\t%127[^\n]", name,
					  typed, verdict, remark),
				  3),
			"%s", line);
		struct question q = load(json, name, &a);
		struct grade g;
		grade_answer(&q, strcmp(typed, "(empty)") == 0 ? "" : typed, false, &g);
		cr_expect(eq(str, (char *)verdict_names[g.verdict], verdict), "%s: %s (%s)", name,
			typed, g.remark);
		if (g.verdict == VERDICT_NEED_UNIT) /* the table leaves its words to us */
			cr_expect(contains(g.remark, "type it with a unit of "), "%s", typed);
		else
			expect_remark(remark, g.remark, typed);
		bool free_of_charge = !strcmp(verdict, "INVALID") || !strcmp(verdict, "NEED_UNIT");
		cr_expect(eq(int, g.attempt_used, !free_of_charge), "%s", typed);
		for (size_t i = 0; i < sizeof credits / sizeof *credits; i++)
			if (strcmp(credits[i].verdict, verdict) == 0)
				cr_expect(epsilon_eq(dbl, g.credit, credits[i].credit, 1e-12), "%s",
					typed);
		n++;
	}
	cr_expect(eq(sz, n, 87));
	arena_release(&a);
	free(json);
	free(rows);
}

/* A KV cache of 10.737418240 GB with factors 80, 8, 128, 32768, from the specification's file. */
static const struct {
	const char *question, *typed;
	enum verdict verdict;
	double credit;
	const char *remark; /* contained */
} more[] = {
	/* the two kinds of binary verdicts differ in credit */
	{ "kv", "10 GB", VERDICT_RATIO, 0.5, "GiB number" },
	{ "kv", "11.5 GB", VERDICT_RATIO, 0.25, "1.0737x" },
	{ "kv", "2e10 B", VERDICT_WRONG, 0, "" }, /* 1.5e10..2.5e10 does not reach 1.127e10 */
	{ "lat", "0.04 s", VERDICT_CORRECT, 1, "" },
	{ "lat", "0.05 s", VERDICT_WRONG, 0, "" },
	{ "cnt", "6e2", VERDICT_COARSE, 0.5, "" },     /* 550..650 touches 640 */
	{ "cnt", "6.5e2", VERDICT_WRONG, 0, "" },      /* 645 does not */
	{ "bw", "3e12 B/s", VERDICT_COARSE, 0.5, "" }, /* 2.5..3.5 reaches 3.18..3.52 */
	{ "bw", "3 x 10^12 B/s", VERDICT_COARSE, 0.5, "" },
	{ "bw", "1.5e12 x 2 B/s", VERDICT_WRONG, 0, "" }, /* no typed digit after an operator */
	{ "bw", "3.17 TB/s", VERDICT_NEAR, 0.5, "" }, /* 3.165..3.175 misses 3.1825; 2t is 3.015 */
	/* the ends of 5 %: 2726.5 and 3013.5 of 2870 both count */
	{ "tps", "2726.5", VERDICT_CORRECT, 1, "" },
	{ "tps", "3013.5", VERDICT_CORRECT, 1, "" },
	{ "tps", "2726.4", VERDICT_NEAR, 0.5, "" },
	{ "tps", "3157", VERDICT_NEAR, 0.5, "" }, /* 10 % */
	{ "tps", "3157.1", VERDICT_WRONG, 0, "" },
	/* the ends of a factor of 2 around 2.5 us */
	{ "om", "1.25us", VERDICT_CORRECT, 1, "" },
	{ "om", "5 us", VERDICT_CORRECT, 1, "" },
	{ "om", "\xc2\xb5s", VERDICT_INVALID, 0, "no number" },
	{ "om", "3 \xc2\xb5s", VERDICT_CORRECT, 1, "" },
	{ "om", "-3 us", VERDICT_WRONG, 0, "sign" },
	{ "kv", "10.7 G", VERDICT_INVALID, 0, "say the unit" },
	{ "kv", "10.7 B", VERDICT_RATIO, 0.25, "1e9x low: prefix" },
	{ "kv", "42.9 GB", VERDICT_RATIO, 0.25, "4x high: bytes per element" },
	{ "req", "10.7", VERDICT_NEED_UNIT, 0,
		"type it with a unit of bytes: MB, GB, TB or another" },
	{ "req", "10.7 G", VERDICT_INVALID, 0, "say the unit" },
	{ "mfu", "0.42", VERDICT_CORRECT, 1, "" },
	{ "mfu", "0.42%", VERDICT_RATIO, 0.25, "100x low: decimal point" },
	{ "par", "70.6", VERDICT_CORRECT, 1, "" },
	{ "par", "70.6 m", VERDICT_INVALID, 0, "min, ms or M" },
	{ "fl", "141 GFLOP/s", VERDICT_WRONG_DIM, 0, "rate given, amount asked" },
	{ "nv", "600 GB/s/request", VERDICT_CORRECT, 1, "\"per GPU\" not written" },
	{ "tps", "2870 tok/s/GPU", VERDICT_CORRECT, 1, "\"per GPU\" written, not asked" },
	{ "lat", "0.697 ms", VERDICT_RATIO, 0.25, "60x low" },
	{ "kv", "1e400", VERDICT_INVALID, 0, "large" },
	{ "kv", "1/0", VERDICT_INVALID, 0, "zero" },
	{ "kv", "10.7\x1b[31m GB", VERDICT_INVALID, 0, "cannot read" },
};

/* As people say numbers, in a case as in a drill: 0.42 of mfu is a key of 42 %. */
static const struct {
	const char *question, *typed;
	double value; /* NAN: cannot be read */
} said[] = {
	{ "kv", "about 10.7 GB", 10.7e9 },
	{ "kv", "around 10.7 GB or so", 10.7e9 },
	{ "kv", "approx. 10.7 GB", 10.7e9 },
	{ "kv", "roughly 10.7 GB, I think.", 10.7e9 },
	{ "kv", "I'd say it's ~10.7 GB", 10.7e9 },
	{ "kv", "about sqrt(100) GB", 10e9 },
	{ "kv", "say 2 x sqrt(4 + 5) GB", 6e9 },
	{ "om", "roughly one us", 1e-6 },
	{ "mfu", "a fifth", 0.2 },
	{ "mfu", "about three quarters", 0.75 },
	{ "mfu", "half", 0.5 },
	{ "kv", "just over eleven GB", 11e9 },
	{ "kv", "half a GB", 0.5e9 },
	{ "cnt", "1.9 times", 1.9 },
	{ "kv", "about nothing", NAN },
	{ "kv", "about", NAN },
	{ "kv", "sqrt(2 GB)", NAN },
	{ "kv", "sqrt 4 GB", NAN },
};

Test(grade, numbers_as_they_are_said)
{
	char *json = read_all(questions_file);
	struct arena a = { 0 };
	for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
		struct question q = load(json, said[i].question, &a);
		struct grade g;
		grade_answer(&q, said[i].typed, false, &g);
		if (isnan(said[i].value)) {
			cr_expect(eq(int, g.verdict, VERDICT_INVALID), "%s", said[i].typed);
			continue;
		}
		cr_expect(g.has_value && fabs(g.value / said[i].value - 1) < 1e-12,
			"%s: %.17g (%s)", said[i].typed, g.value, g.remark);
	}
	arena_release(&a);
	free(json);
}

Test(grade, more_answers)
{
	char *json = read_all(questions_file);
	struct arena a = { 0 };
	for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
		struct question q = load(json, more[i].question, &a);
		struct grade g;
		grade_answer(&q, more[i].typed, false, &g);
		cr_expect(eq(int, g.verdict, more[i].verdict), "%s %s: %s", more[i].question,
			more[i].typed, verdict_names[g.verdict]);
		cr_expect(epsilon_eq(dbl, g.credit, more[i].credit, 1e-12), "%s", more[i].typed);
		cr_expect(contains(g.remark, more[i].remark), "%s: %s", more[i].typed, g.remark);
		cr_expect(not(contains(g.remark, "\x1b")));
	}
	arena_release(&a);
	free(json);
}

Test(grade, understanding_is_shown)
{
	static const struct {
		const char *question, *typed, *understood;
	} rows[] = {
		{ "kv", "10.7", "10.7 GB" },
		{ "kv", "10 GiB", "10 GiB = 10.74 GB (powers of 1024)" },
		{ "bw", "26.8 Tb/s", "26.8 Tb/s = 3.35 TB/s" },
		{ "par", "70600M", "70600M = 70.6 billion" },
		{ "cost", "$0.23 per 1M tokens", "$0.23 per 1M tokens = $0.23/Mtok" },
		{ "kv", "2 x 4", "2 x 4 = 8 GB" },
		{ "kv", "10.7 gb", "" },
		{ "cnt", "1.0078", "1.0078" },
	};
	char *json = read_all(questions_file);
	struct arena a = { 0 };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct question q = load(json, rows[i].question, &a);
		struct grade g;
		grade_answer(&q, rows[i].typed, false, &g);
		cr_expect(eq(str, g.understood, (char *)rows[i].understood), "%s", rows[i].typed);
	}
	arena_release(&a);
	free(json);
}

/* Bytes over a bandwidth are a time, though a whole number behind "/" may be part of a unit: 3 GB / 300 GB/s = 10 ms. */
Test(grade, a_whole_number_divides_where_that_is_asked_for)
{
	static const struct {
		const char *unit, *typed;
		double value;
	} rows[] = { { "ms", "3 GB / 300 GB/s", 10 }, { "ms", "3 GB/300 GB/s", 10 },
		{ "ms", "3 GB / 0.3 TB/s", 10 }, { "$/Mtok", "$4 / 2 Mtok", 2 },
		{ "GB/s", "6 GB / 2 s", 3 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct question q = { .unit = rows[i].unit,
			.shown_unit = rows[i].unit,
			.key = rows[i].value,
			.tolerance = { .mode = TOLERANCE_RELATIVE, .amount = 1e-9 } };
		struct grade g;
		grade_answer(&q, rows[i].typed, false, &g);
		cr_expect(eq(int, g.verdict, VERDICT_CORRECT), "%s: %s", rows[i].typed, g.remark);
	}
	/* What is no time either way is still told as it was typed. */
	const struct question q = { .unit = "ms", .shown_unit = "ms", .key = 10 };
	struct grade g;
	grade_answer(&q, "3 GB / 300 GB", false, &g);
	cr_expect(eq(int, g.verdict, VERDICT_WRONG_DIM), "%s", g.remark);
}

Test(grade, a_missing_unit_is_free_once)
{
	char *json = read_all(questions_file);
	struct arena a = { 0 };
	struct question q = load(json, "req", &a);
	struct grade g;
	grade_answer(&q, "10.7", false, &g);
	cr_expect(not(g.attempt_used));
	cr_expect(eq(str, g.understood, "")); /* nothing that tells whether the number is right */
	grade_answer(&q, "10.7", true, &g);
	cr_expect(eq(int, g.verdict, VERDICT_NEED_UNIT));
	cr_expect(g.attempt_used);
	arena_release(&a);
	free(json);
}

/* The units that a bare number is told of are read, whatever is asked, and none is of another kind. */
Test(grade, units_that_are_named_are_understood)
{
	static const struct {
		const char *unit, *named[3];
	} rows[] = {
		{ "B", { "MB", "GB", "TB" } },
		{ "B/s", { "MB/s", "GB/s", "TB/s" } },
		{ "s", { "us", "ms", "s" } },
		{ "FLOP", { "GFLOP", "TFLOP", "PFLOP" } },
		{ "FLOP/s", { "GFLOP/s", "TFLOP/s", "PFLOP/s" } },
		{ "J", { "J", "kJ", "MJ" } },
		{ "m", { NULL, NULL, NULL } },
		{ "token/s", { NULL, NULL, NULL } },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct question q = { .key = 4e9,
			.unit = rows[i].unit,
			.shown_unit = rows[i].unit,
			.tolerance = { TOLERANCE_RELATIVE, 0.05 },
			.unit_policy = UNIT_REQUIRED };
		struct grade g, typed;
		grade_answer(&q, "7", false, &g);
		cr_expect(eq(int, g.verdict, VERDICT_NEED_UNIT), "%s", rows[i].unit);
		cr_expect(contains(g.remark, "type it with a unit of "), "%s", g.remark);
		const bool names = strchr(g.remark, ':') != NULL;
		cr_expect(names == (rows[i].named[0] != NULL), "%s", g.remark);
		for (int k = 0; k < 3 && rows[i].named[k]; k++) {
			char text[32];
			snprintf(text, sizeof text, "7 %s", rows[i].named[k]);
			cr_expect(contains(g.remark, rows[i].named[k]), "%s: %s", text, g.remark);
			grade_answer(&q, text, false, &typed);
			cr_expect(typed.verdict >= VERDICT_CORRECT, "%s: %s", text,
				verdict_names[typed.verdict]);
		}
	}
}

/* A count is right as the quotient that it was rounded from, and that is said; of any other one it is not. */
Test(grade, counts_are_rounded)
{
	static const struct {
		const char *unit, *typed;
		enum whole_number whole;
		enum verdict verdict;
		const char *remark;
	} rows[] = {
		{ "GPU", "35", WHOLE_UP, VERDICT_CORRECT, "" },
		{ "GPU", "35 cards", WHOLE_UP, VERDICT_CORRECT, "" },
		{ "GPU", "35.000000000001", WHOLE_UP, VERDICT_CORRECT, "" },
		{ "GPU", "34.2", WHOLE_UP, VERDICT_CORRECT,
			"GPUs come whole: 34.2 rounds up to 35" },
		{ "GPU", "34.2 cards", WHOLE_UP, VERDICT_CORRECT,
			"cards come whole: 34.2 rounds up to 35" },
		{ "GPU", "34.2 H100s", WHOLE_UP, VERDICT_CORRECT,
			"H100s come whole: 34.2 rounds up to 35" },
		{ "GPU", "33.8 cards", WHOLE_UP, VERDICT_WRONG, "" },
		{ "GPU", "35.4 cards", WHOLE_UP, VERDICT_WRONG, "" },
		{ "", "35.4 users", WHOLE_DOWN, VERDICT_CORRECT,
			"users come whole: 35.4 rounds down to 35" },
		{ "", "35.4", WHOLE_DOWN, VERDICT_CORRECT,
			"it is a whole number: 35.4 rounds down to 35" },
		{ "", "34.2 users", WHOLE_DOWN, VERDICT_WRONG, "" },
		{ "", "34.2", WHOLE_NOT, VERDICT_WRONG, "" },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct question q = { .key = 35,
			.unit = rows[i].unit,
			.shown_unit = rows[i].unit,
			.tolerance = { .mode = TOLERANCE_EXACT },
			.whole = rows[i].whole };
		struct grade g;
		grade_answer(&q, rows[i].typed, false, &g);
		cr_expect(eq(int, g.verdict, rows[i].verdict), "%s: %s", rows[i].typed,
			verdict_names[g.verdict]);
		cr_expect(eq(str, g.remark, (char *)rows[i].remark), "%s", rows[i].typed);
	}
}

/* Within a tolerance of 2 % about 35 lie 34.3 to 35.7: 35.3 is right as it is, and 36 would not be. 7.8 comes to 8. */
Test(grade, a_rounding_that_leads_away_is_none)
{
	static const struct mistake found[] = {
		{ .name = "two of each", .value = 5, .credit = 0.25 }
	};
	struct question q = { .key = 35,
		.unit = "GPU",
		.shown_unit = "GPU",
		.tolerance = { .mode = TOLERANCE_RELATIVE, .amount = 0.02 },
		.whole = WHOLE_UP };
	struct grade g;
	grade_answer(&q, "35.3", false, &g);
	cr_expect(eq(int, g.verdict, VERDICT_CORRECT));
	cr_expect(eq(str, g.remark, (char *)""));
	cr_expect(eq(dbl, question_rounded(&q, 35.3), 35.3));
	cr_expect(eq(dbl, question_rounded(&q, 34.2), 35));
	/* A known mistake is known by itself alone: from 4 to 5 lies a fifth of what is typed at random. */
	q.key = 8;
	q.tolerance = (struct tolerance){ .mode = TOLERANCE_EXACT };
	q.mistakes = found;
	q.n_mistakes = 1;
	grade_answer(&q, "4.3", false, &g);
	cr_expect(eq(int, g.verdict, VERDICT_WRONG));
	grade_answer(&q, "5", false, &g);
	cr_expect(eq(int, g.verdict, VERDICT_NAMED));
	cr_expect(eq(str, g.cause, (char *)"two of each"));
	cr_expect(eq(dbl, g.credit, 0.25));
	/* One that rounds to the key cannot be told from it. */
	cr_expect(question_separable(&q));
	struct mistake rounds = { .name = "not rounded", .value = 7.3 };
	q.mistakes = &rounds;
	cr_expect(not(question_separable(&q)));
	q.whole = WHOLE_NOT;
	cr_expect(question_separable(&q));
}

/* Behind a count stands what is counted; any other word may be a unit that is misspelt. */
Test(grade, what_is_counted_is_said)
{
	static const struct {
		const char *typed;
		double value; /* NAN: it cannot be read, or is of another kind */
	} rows[] = {
		{ "12 workers", 12 },
		{ "a dozen busy workers", 12 },
		{ "12 workers per GPU", 12 },
		{ "2.4k requests in flight", 2400 },
		{ "12 worker", NAN },
		{ "12 thousnd", NAN },
		{ "12 bananas", NAN },
		{ "12 lightyears", NAN },
		{ "12 gib", NAN },
		{ "12 MB workers", NAN },
		{ "12 ms", NAN },
		{ "12 to thirteen workers", NAN },
		{ "12 tokens", NAN },
	};
	const struct question q = {
		.key = 7, .unit = "", .shown_unit = "", .tolerance = { TOLERANCE_RELATIVE, 0.05 }
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct grade g;
		grade_answer(&q, rows[i].typed, false, &g);
		cr_expect(eq(int, g.has_value, !isnan(rows[i].value)), "%s: %s", rows[i].typed,
			g.remark);
		if (g.has_value)
			cr_expect(
				epsilon_eq(dbl, g.value, rows[i].value, 1e-9), "%s", rows[i].typed);
	}
}

Test(grade, modes)
{
	static const struct {
		struct tolerance tolerance;
		double key;
		const char *typed;
		enum verdict verdict;
	} rows[] = {
		{ { TOLERANCE_ABSOLUTE, 2 }, 0.040, "42 ms",
			VERDICT_CORRECT }, /* 2 of the shown ms */
		{ { TOLERANCE_ABSOLUTE, 2 }, 0.040, "38", VERDICT_CORRECT },
		{ { TOLERANCE_ABSOLUTE, 2 }, 0.040, "42.1", VERDICT_WRONG },
		{ { TOLERANCE_ABSOLUTE, 2 }, 0, "0", VERDICT_CORRECT },
		/* 4.2 % off where 2 % count is close, 5.1 % is not; where 0.4 % count, 1.2 % is not */
		{ { TOLERANCE_RELATIVE, 0.02 }, 0.313, "300 ms", VERDICT_NEAR },
		{ { TOLERANCE_RELATIVE, 0.02 }, 0.313, "297 ms", VERDICT_WRONG },
		{ { TOLERANCE_RELATIVE, 0.004 }, 0.03457, "35.00 ms", VERDICT_WRONG },
		{ { TOLERANCE_ABSOLUTE, 2 }, 0, "0 s", VERDICT_CORRECT },
		{ { TOLERANCE_ABSOLUTE, 2 }, 0, "3", VERDICT_WRONG },
		{ { TOLERANCE_DIGITS, 2 }, 0.0418, "42", VERDICT_CORRECT },
		{ { TOLERANCE_DIGITS, 2 }, 0.0418, "41.3", VERDICT_CORRECT }, /* 0.51 away: 41.29 */
		{ { TOLERANCE_DIGITS, 2 }, 0.0418, "41.2", VERDICT_WRONG },
		{ { TOLERANCE_EXACT, 0 }, 0.0418, "41.8", VERDICT_CORRECT },
		{ { TOLERANCE_EXACT, 0 }, 0.0418, "41.8001", VERDICT_WRONG },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct question q = { .key = rows[i].key,
			.unit = "s",
			.shown_unit = "ms",
			.tolerance = rows[i].tolerance,
			.unit_policy = UNIT_NAMED };
		char err[128];
		struct grade g;
		cr_assert(zero(int, question_check(&q, err, sizeof err)), "row %zu: %s", i, err);
		grade_answer(&q, rows[i].typed, false, &g);
		cr_expect(eq(int, g.verdict, rows[i].verdict), "row %zu: %s", i,
			verdict_names[g.verdict]);
	}
}

/* A required unit does not stand in the way of a zero. */
Test(grade, zero_needs_no_unit)
{
	struct question q = { .key = 0,
		.unit = "s",
		.shown_unit = "ms",
		.tolerance = { TOLERANCE_ABSOLUTE, 1 },
		.unit_policy = UNIT_REQUIRED };
	struct grade g;
	grade_answer(&q, "0", false, &g);
	cr_expect(eq(int, g.verdict, VERDICT_CORRECT));
}

Test(grade, two_mistakes_of_one_value_are_both_named)
{
	const struct mistake mistakes[] = { { "first", 300, 0.3, NULL },
		{ "second", 301, 0.2, NULL } };
	struct question q = { .key = 100,
		.unit = "",
		.shown_unit = "",
		.tolerance = { TOLERANCE_RELATIVE, 0.05 },
		.mistakes = mistakes,
		.n_mistakes = 2 };
	struct grade g;
	grade_answer(&q, "300", false, &g);
	cr_expect(eq(str, g.remark, "either first or second"));
	cr_expect(epsilon_eq(dbl, g.credit, 0.3, 1e-12));
}

static size_t reasons_for(double key, double x, double half_digit, unsigned tags, char remark[160])
{
	char cause[64];
	const struct question q = { .key = key,
		.unit = "",
		.shown_unit = "",
		.tolerance = { TOLERANCE_RELATIVE, 0.05 },
		.tags = tags };
	return ratio_reasons(&q, x, half_digit, remark, 160, cause, sizeof cause);
}

/* A ratio is one whatever the key and the answer are, 1 or negative too; but nothing is a
 * multiple of 0, or of a number of the other sign. A window is 1.5 % wide, ln 10 +- 0.0149: 10.14
 * lies within 1 / 0.986 and 10.16 outside. Ratios near 1 are told only by half a digit: 0.5 of
 * 1024 is less than 0.004, the least: ln 1.024 = 0.02372, so that 1.0280 (0.02762) is near enough
 * and 1.0282 (0.02781) is not; half a tenth of 1.02 (0.049) would reach everything, and 0.01 at
 * most counts: 1.0342 (0.03363) does and 1.0344 (0.03382) does not. */
Test(grade, ratios_by_hand)
{
	static const struct {
		double key, x, half_digit;
		unsigned tags;
		const char *remark;
	} rows[] = {
		{ 1, 10, 0.5, 0, "10x high: decimal point?" },
		{ 10, 1, 0.5, 0, "10x low: decimal point?" },
		{ 1, 0.001, 0.0005, 0, "1000x low: prefix?" },
		{ -1, -10, 0.5, 0, "10x high: decimal point?" },
		{ -1, 10, 0.5, 0, "" },
		{ 1, -10, 0.5, 0, "" },
		{ 0, 10, 0.5, 0, "" },
		{ 10, 0, 0.5, 0, "" },
		{ 1, 5, 0.5, 0, "" },
		{ 1, 2, 0.5, 0, "" },
		{ 1, 2, 0.5, TAG_KV, "2x high: K and V?" },
		{ 1, 10.14, 0.005, 0, "10x high: decimal point?" },
		{ 1, 10.16, 0.005, 0, "" },
		{ 1000, 1028.0, 0.05, TAG_INFO, "1.024x high: decimal vs binary (K)?" },
		{ 1000, 1028.2, 0.05, TAG_INFO, "" },
		{ 10, 10.342, 0.5, TAG_INFO, "1.024x high: decimal vs binary (K)?" },
		{ 10, 10.344, 0.5, TAG_INFO, "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char remark[160];
		size_t n = reasons_for(
			rows[i].key, rows[i].x, rows[i].half_digit, rows[i].tags, remark);
		cr_expect(eq(str, remark, (char *)rows[i].remark), "%g for %g", rows[i].x,
			rows[i].key);
		cr_expect(eq(sz, n, *rows[i].remark != '\0'), "%g for %g", rows[i].x, rows[i].key);
	}
}

/* Powers of 1.024, up to the fourth, each within 0.2 %: a GiB is 1.073742 GB. */
Test(grade, binary_numbers_by_hand)
{
	static const struct {
		double key, x;
		const char *remark;
	} rows[] = {
		{ 1.024, 1, "the KiB number with a KB label" },
		{ 1, 1.024, "the KB number with a KiB label" },
		{ 1, 1 / 1.048576, "the MiB number with a MB label" },
		{ -1, -1.073741824, "the GB number with a GiB label" },
		{ 1, 1.099511627776, "the TB number with a TiB label" },
		{ 1, 1.1259, "" },                               /* the fifth power */
		{ 1, 1.0758, "the GB number with a GiB label" }, /* x e^0.002 is 1.07589 */
		{ 1, 1.0760, "" },
		{ 1, 1, "" },
		{ 1, -1.024, "" },
		{ 0, 1.024, "" },
		{ 1.024, 0, "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char remark[160] = "";
		struct question q = { .key = rows[i].key, .tags = TAG_INFO };
		bool is = ratio_is_binary(&q, rows[i].x, remark, sizeof remark);
		cr_expect(eq(str, is ? remark : (char *)"", (char *)rows[i].remark), "%g for %g",
			rows[i].x, rows[i].key);
		q.tags = TAG_KV;
		cr_expect(ratio_is_binary(&q, rows[i].x, remark, sizeof remark) == false);
	}
}

/* Chance is rarely explained: a random wrong answer over six decades around the key. */
Test(grade, random_answers_are_rarely_diagnosed)
{
	char *json = read_all(questions_file);
	struct arena a = { 0 };
	struct question q = load(json, "kv", &a);
	struct rng r = rng_stream(1, "random answers", 0);
	size_t diagnosed = 0, n = 20000;
	for (size_t i = 0; i < n; i++) {
		char typed[64];
		struct grade g;
		snprintf(typed, sizeof typed, "%.4g GB", 10.737 * pow(10, 6 * rng_uniform(&r) - 3));
		grade_answer(&q, typed, false, &g);
		diagnosed += g.verdict == VERDICT_RATIO;
	}
	cr_expect(le(dbl, (double)diagnosed / (double)n, 0.05), "%zu of %zu", diagnosed, n);
	cr_expect(ge(dbl, (double)diagnosed / (double)n, 0.01), "%zu of %zu", diagnosed, n);
	arena_release(&a);
	free(json);
}

/* Strings made of the grammar's own pieces and of noise. */
static void make_answer(struct rng *r, char *buf, size_t size)
{
	static const char *const pieces[] = { "1", "2", "7", "0", ".", ",", "-", "+", "e", "E",
		"10", "10.7", "85.9", "x", "*", "/", "^", "**", " ", " ", "_", "'", "$", "~", "%",
		"GB", "GiB", "Gb", "B", "b", "k", "M", "T", "per", "s", "ms", "tok", "TFLOPs",
		"\xc3\x97", "\xc2\xb7", "\xe2\x80\xaf", "\xc2\xb5", "\xff", "\x1b", "(", "e309",
		"999999999999", "per 1M tokens" };
	size_t n = rng_below(r, 12), at = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < n && at < size; i++) {
		const char *p = pieces[rng_below(r, sizeof pieces / sizeof *pieces)];
		if (rng_below(r, 4) == 0)
			at += (size_t)snprintf(
				buf + at, size - at, "%c", (int)(1 + rng_below(r, 255)));
		else
			at += (size_t)snprintf(buf + at, size - at, "%s", p);
	}
}

static bool is_printable(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

Test(grade, noise_is_never_correct_by_accident, .description = "long", .timeout = 60)
{
	char *json = read_all(questions_file);
	struct arena a = { 0 };
	static const char *const names[] = { "kv", "bw", "mfu", "par", "lat", "pk", "fl", "tps",
		"cost", "cnt", "req", "nv", "om" };
	struct question questions[13];
	struct rng r = rng_stream(7, "noise", 0);
	size_t n_correct = 0;
	for (size_t i = 0; i < 13; i++)
		questions[i] = load(json, names[i], &a);
	for (size_t i = 0; i < 100000; i++) {
		const struct question *q = &questions[i % 13];
		char typed[256];
		struct grade g;
		make_answer(&r, typed, sizeof typed);
		grade_answer(q, typed, false, &g);
		cr_assert(g.credit >= 0 && g.credit <= 1);
		bool shows = is_printable(g.remark);
		cr_assert(shows, "%s", typed);
		if (g.verdict != VERDICT_CORRECT)
			continue;
		/* 5 % of the key, or a factor of 2, or the key itself: worked from the file. */
		double ratio = g.value / q->key;
		double low = i % 13 == 12 ? 0.5 : i % 13 == 9 ? 1 : 0.95;
		double high = i % 13 == 12 ? 2 : i % 13 == 9 ? 1 : 1.05;
		cr_assert(
			ratio >= low - 1e-6 && ratio <= high + 1e-6, "%s %s", names[i % 13], typed);
		n_correct++;
	}
	cr_expect(lt(sz, 0, n_correct));
	arena_release(&a);
	free(json);
}

Test(grade, questions_are_refused_with_reasons)
{
	static const struct {
		const char *json, *reason;
	} rows[] = {
		{ "", "not JSON" },
		{ "{\"key\": 1,}", "not JSON" },
		{ "[]", "question" },
		{ "3", "question" },
		{ "{\"key\": \"1\", \"unit\": \"B\"}", "key" },
		{ "{\"key\": 1}", "unit" },
		{ "{\"key\": 1, \"unit\": \"furlong\"}", "furlong" },
		{ "{\"key\": 1, \"unit\": \"B\", \"shown_unit\": \"ms\"}", "dimension" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"rel\": 2}}", "mode" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"rel\": 0.1, \"abs\": 1}}", "mode" },
		{ "{\"key\": 0, \"unit\": \"B\"}", "abs" },
		{ "{\"key\": 1e999, \"unit\": \"B\"}", "" },
		{ "{\"key\": 1, \"unit\": \"B\", \"tags\": [\"inof\"]}", "tags" },
		{ "{\"key\": 1, \"unit\": \"B\", \"factors\": [1]}", "factors" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mistakes\": [{\"name\": \"x\"}]}", "value" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mistakes\": [{\"name\": \"x\", \"value\": 2, "
		  "\"credit\": 2}]}",
			"credit" },
		{ "{\"key\": 1, \"unit\": \"B\", \"unit_policy\": \"maybe\"}", "unit_policy" },
		{ "{\"key\": 1, \"unit\": \"B\", \"whole\": \"sideways\"}", "whole" },
		{ "{\"key\": 1, \"unit\": \"B\", \"tolerance\": 3}", "unknown member" },
		{ "{\"questions\": {\"a\": {}, \"b\": {}}}", "--question" },
		{ "{\"questions\": 3}", "questions" },
		{ "{\"questions\": {\"a\": []}}", "question: expected an object" },
		{ "{\"key\": 1, \"unit\": \"B\", \"shown_unit\": 3}", "shown_unit" },
		{ "{\"key\": 1, \"unit\": \"B\", \"shown_unit\": \"furlong\"}", "furlong" },
		{ "{\"key\": 1, \"unit\": \"B\", \"dual\": 1}", "dual" },
		{ "{\"key\": 1, \"unit\": \"B\", \"unit_policy\": 1}", "unit_policy" },
		{ "{\"key\": 1, \"unit\": \"B\", \"tags\": \"info\"}", "tags: expected an array" },
		{ "{\"key\": 1, \"unit\": \"B\", \"tags\": [1]}", "tags: expected info" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": \"about\"}", "mode: expected" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {}}", "mode: expected" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"rel\": \"1\"}}", "mode: expected" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"near\": 1}}", "mode: expected" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"rel\": 0}}", "rel is in (0, 1)" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"abs\": 0}}", "abs above 0" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"abs\": 1e999}}", "abs above 0" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"geo\": 1}}", "geo in (1, 1000]" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"geo\": 1001}}", "geo in (1, 1000]" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"sigfig\": 0}}", "sigfig 1 to 15" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"sigfig\": 16}}", "sigfig 1 to 15" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mode\": {\"sigfig\": 1.5}}", "sigfig 1 to 15" },
		{ "{\"key\": 1, \"unit\": \"B\", \"factors\": {\"layers\": \"80\"}}",
			"a number by a short name" },
		{ "{\"key\": 1, \"unit\": \"B\", \"factors\": {\"layers\": 1e999}}",
			"layers is not finite" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mistakes\": {}}", "an array of at most 64" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mistakes\": [{\"value\": 1}]}", "\"name\"" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mistakes\": [{\"name\": \"x\", \"value\": "
		  "1e999}]}",
			"finite value" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mistakes\": [{\"name\": \"x\", \"value\": 2, "
		  "\"credit\": -1}]}",
			"credit in 0..1" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mistakes\": [{\"name\": \"x\", \"value\": 2, "
		  "\"credit\": true}]}",
			"\"credit\"" },
		{ "{\"key\": 1, \"unit\": \"B\", \"mistakes\": [{\"name\": \"x\", \"value\": 2, "
		  "\"link\": 1}]}",
			"\"link\"" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a = { 0 };
		struct question q;
		char err[256] = "";
		cr_expect(eq(int, question_read(rows[i].json, NULL, &a, &q, err, sizeof err), -1),
			"row %zu", i);
		cr_expect(contains(err, rows[i].reason), "row %zu: %s", i, err);
		arena_release(&a);
	}
}

/* Names of more than 200 bytes, and more than 64 of them. */
Test(grade, questions_are_of_bounded_size)
{
	enum { LONGEST = 200, MOST = 64 };
	static const struct {
		const char *before, *one, *after;
		int times;
		const char *reason; /* NULL: it is taken */
	} rows[] = {
		{ "\"factors\": {\"", "x", "\": 1}", LONGEST, NULL },
		{ "\"factors\": {\"", "x", "\": 1}", LONGEST + 1, "short name" },
		{ "\"mistakes\": [{\"value\": 2, \"link\": \"memory.md\", \"credit\": 0.5, \"name\": \"",
			"x", "\"}]", LONGEST, NULL },
		{ "\"mistakes\": [{\"value\": 2, \"name\": \"", "x", "\"}]", LONGEST + 1,
			"at most 200 bytes" },
		{ "\"factors\": {\"last\": 1", ", \"x\": 1", "}", MOST - 1, NULL },
		{ "\"factors\": {\"last\": 1", ", \"x\": 1", "}", MOST, "at most 64" },
		{ "\"mistakes\": [{\"name\": \"x\", \"value\": 2}",
			", {\"name\": \"x\", \"value\": 2}", "]", MOST - 1, NULL },
		{ "\"mistakes\": [{\"name\": \"x\", \"value\": 2}",
			", {\"name\": \"x\", \"value\": 2}", "]", MOST, "at most 64" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *json = NULL, err[256] = "";
		size_t bytes;
		struct arena a = { 0 };
		struct question q;
		FILE *f = open_memstream(&json, &bytes);
		fprintf(f, "{\"key\": 1, \"unit\": \"B\", %s", rows[i].before);
		for (int n = 0; n < rows[i].times; n++)
			fputs(rows[i].one, f);
		fprintf(f, "%s}", rows[i].after);
		fclose(f);
		const int rc = question_read(json, NULL, &a, &q, err, sizeof err);
		cr_expect(eq(int, rc, rows[i].reason ? -1 : 0), "row %zu: %s", i, err);
		if (rows[i].reason)
			cr_expect(contains(err, rows[i].reason), "row %zu: %s", i, err);
		arena_release(&a);
		free(json);
	}
}

/* By hand: 5 digits of 12345 are known to half of the last, and a little more is accepted; a factor 2 of 100
 * takes 50 to 200; 0 with an absolute width of 1 ms, in s. */
Test(grade, each_mode_accepts_as_far_as_it_says)
{
	static const struct {
		struct question q;
		double low, high, in, out;
	} rows[] = {
		{ { .key = 12345,
			  .unit = "",
			  .shown_unit = "",
			  .tolerance = { TOLERANCE_DIGITS, 5 } },
			12344.49, 12345.51, 12344.5, 12345.52 },
		{ { .key = 100,
			  .unit = "",
			  .shown_unit = "",
			  .tolerance = { TOLERANCE_FACTOR, 2 } },
			50, 200, 50, 201 },
		{ { .key = 0,
			  .unit = "s",
			  .shown_unit = "ms",
			  .tolerance = { TOLERANCE_ABSOLUTE, 1 } },
			-0.001, 0.001, -0.001, 0.0011 },
		{ { .key = -40,
			  .unit = "",
			  .shown_unit = "",
			  .tolerance = { TOLERANCE_FACTOR, 2 } },
			-80, -20, -80, 40 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double low, high;
		char err[256];
		cr_expect(zero(int, question_check(&rows[i].q, err, sizeof err)), "row %zu: %s", i,
			err);
		question_accepted(&rows[i].q, &low, &high);
		cr_expect(epsilon_eq(dbl, low, rows[i].low, 1e-6), "row %zu", i);
		cr_expect(epsilon_eq(dbl, high, rows[i].high, 1e-6), "row %zu", i);
		cr_expect(question_accepts(&rows[i].q, rows[i].in), "row %zu", i);
		cr_expect(not(question_accepts(&rows[i].q, rows[i].out)), "row %zu", i);
	}
}

static int run_command(char **argv, char **output, char **errors)
{
	size_t n_out, n_err;
	int argc = 0;
	FILE *out = open_memstream(output, &n_out), *err = open_memstream(errors, &n_err);
	while (argv[argc])
		argc++;
	int rc = command_run(argc, argv, &(struct streams){ stdin, out, err });
	fclose(out);
	fclose(err);
	return rc;
}

Test(grade, command)
{
	char *file = (char *)questions_file;
	const struct {
		char *argv[8];
		int rc;
		const char *out, *err;
	} rows[] = {
		{ { "grade", file, "10 GiB", "--question", "kv", NULL }, 0, "CORRECT", "" },
		{ { "grade", "--question", "kv", file, "-10.7 GB", NULL }, 0, "only the sign", "" },
		{ { "grade", file, "1", NULL }, 1, "", "--question" },
		{ { "grade", file, "1", "--question", "kw", NULL }, 1, "", "did you mean \"kv\"" },
		{ { "grade", "no/such.json", "1", NULL }, 1, "", "no/such.json" },
		{ { "grade", file, NULL }, 2, "", "no ANSWER" },
		{ { "grade", NULL }, 2, "", "no QUESTION.json" },
		{ { "grade", file, "1", "2", NULL }, 2, "", "one word more: \"2\"" },
		{ { "grade", file, "1", "--jsn", NULL }, 2, "", "--jsn" },
		{ { "grade", "--help", NULL }, 0, "usage", "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *out, *err;
		cr_expect(eq(int, run_command((char **)rows[i].argv, &out, &err), rows[i].rc),
			"row %zu", i);
		cr_expect(contains(out, rows[i].out), "row %zu: %s", i, out);
		cr_expect(contains(err, rows[i].err), "row %zu: %s", i, err);
		free(out);
		free(err);
	}
}

Test(grade, command_writes_json)
{
	char *argv[] = { "grade", (char *)questions_file, "86 GB", "--question", "kv", "--json",
		NULL };
	char *out, *err;
	cr_assert(zero(int, run_command(argv, &out, &err)));
	cJSON *object = cJSON_ParseWithOpts(out, NULL, false);
	cr_assert(object != NULL, "%s", out);
	const cJSON *verdict = cJSON_GetObjectItemCaseSensitive(object, "verdict");
	cr_expect(eq(str, verdict->valuestring, "NAMED"));
	const cJSON *credit = cJSON_GetObjectItemCaseSensitive(object, "credit");
	cr_expect(epsilon_eq(dbl, credit->valuedouble, 0.25, 1e-12));
	cr_expect(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "attempt_used")));
	cr_expect(epsilon_eq(
		dbl, cJSON_GetObjectItemCaseSensitive(object, "schema")->valuedouble, 1, 0));
	cJSON_Delete(object);
	free(out);
	free(err);
}
