/* The scratch pad: arithmetic with units, worked by hand. */
#include "drills/grade.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/scratch.h"

#include "sims/base/rng.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *text, *shown;
} sums[] = {
	/* numbers as answers have them */
	{ "2 + 3", "5" },
	{ "1e9", "1,000,000,000" },
	{ "3 x 10^9 - 1", "2,999,999,999" },
	{ "1,024 + 1_024", "2,048" },
	{ "1 024 x 2", "2,048" },
	{ ".5 x 3", "1.5" },
	{ "~3 + 1", "4" },
	{ "2 x 3 =", "6" },
	{ "5 − 7", "-2" },
	{ "8 ÷ 2", "4" },
	{ "2 · 3", "6" },
	/* what binds more tightly */
	{ "2 + 3 x 4", "14" },
	{ "(2 + 3) x 4", "20" },
	{ "2 - 3 - 4", "-5" },
	{ "16 / 4 / 2", "2" },
	{ "2 x 3^2", "18" },
	{ "-2^2", "-4" },
	{ "2^-1", "0.5" },
	{ "9^(1/2)", "3" },
	{ "2**10", "1,024" },
	{ "2^10 x 10^3", "1,024,000" },
	{ "((((2))))", "2" },
	{ "3 x -4", "-12" },
	{ "1.5x x 2", "3" },
	/* units and prefixes */
	{ "2 x 80 x 8 x 128 x 2 B", "327.68 kB" },
	{ "327.68 kB x 131,072", "42.9497 GB" },
	{ "40 GiB in GB", "42.9497 GB" },
	{ "42.94967296 GB in GiB", "40 GiB" },
	{ "600 GB / 3 GB/s", "200 s" },
	{ "312 TFLOP/s / (2 TB/s)", "156 FLOP/B" },
	{ "312 TFLOPS / 2 TB/s", "156 FLOP/B" },
	{ "100 Gb/s in GB/s", "12.5 GB/s" },
	{ "100 Gb/s x 3 s", "300 Gbit" },
	{ "1 GB + 8 Gb", "2 GB" },
	{ "(3 + 4) GB", "7 GB" },
	{ "1/(30 ms)", "33.3333 /s" },
	{ "1/2 GB", "500 MB" },
	{ "100 / 40 %", "250" },
	{ "40 % x 80 GB", "32 GB" },
	{ "2^33 B", "8.58993 GB" },
	{ "(2 s)^2", "4 s^2" },
	{ "2^(1+2) B", "8 B" },
	{ "3 s + 500 ms", "3.5 s" },
	{ "2 h + 30 min", "9,000 s" },
	{ "2 h x 2", "4 h" },
	{ "70B x 2 B", "140 GB" },
	{ "70B params x 2 B/param", "140 GB" },
	{ "70B params x 2B/param", "140 GB" },
	{ "15T tokens", "15 trillion tokens" },
	{ "6 x 70B x 15T FLOP", "6,300 ZFLOP" },
	{ "64 tokens / 20 ms", "3.2 ktok/s" },
	{ "$2/h x 8 x 24 h", "$384" },
	{ "$0.23 per 1M tokens", "$0.23/Mtok" },
	{ "$-5 + $7", "$2" },
	{ "$2/GPU/h x 8 GPU x 3 d", "$1,152" },
	{ "700 W x 10 s", "7 kJ" },
	{ "8 GPU x 24 h", "192 GPU*h" },
	{ "8 requests + 2 queries", "10 req" },
	{ "0.5 in %", "50 %" },
	{ "5 x per 2", "2.5" },
	{ "12 d", "12 d" },
	/* seconds from 10,000 on are hours, and from 100 h on days: 100.8 h are 4.2 d */
	{ "2 x 5,000 s", "2.77778 h" },
	{ "3 x 3,333 s", "9,999 s" },
	{ "2 x 179,100 s", "99.5 h" },
	{ "2 x 180,000 s", "4.16667 d" },
	{ "2 x 181,440 s", "4.2 d" },
	{ "2 x -179,100 s", "-99.5 h" },
	/* prefixes end at 10^21, and times and energies have small ones */
	{ "2 x 5e24 B", "10,000 ZB" },
	{ "2 x 5e20 B", "1 ZB" },
	{ "2 x 5e24 bit", "10,000 Zbit" },
	{ "2 x 5e20 bit", "1 Zbit" },
	{ "2 x 5e24 FLOP", "10,000 ZFLOP" },
	{ "2 x 5e20 FLOP", "1 ZFLOP" },
	{ "2 x 5e24 J", "10,000 ZJ" },
	{ "2 x 5e20 J", "1 ZJ" },
	{ "2 x 5e24 W", "10,000 ZW" },
	{ "2 x 5e20 W", "1 ZW" },
	{ "1e25 tokens / (2 s)", "5,000 Ztok/s" },
	{ "2e21 tokens / (2 s)", "1 Ztok/s" },
	{ "1e25 params / (2 s)", "5,000 Zparam/s" },
	{ "2e21 params / (2 s)", "1 Zparam/s" },
	{ "2 x 5e24 requests", "10,000 Zreq" },
	{ "2 x 5e20 requests", "1 Zreq" },
	{ "2 x 5e-3 J", "10 mJ" },
	{ "2 x 5e-7 J", "0.001 mJ" },
	{ "2 x 5e-3 W", "10 mW" },
	{ "2 x 5e-7 W", "0.001 mW" },
	{ "2 x 5e-5 s", "100 us" },
	{ "2 x 5e-10 s", "1 ns" },
	{ "2 x 5e-12 s", "0.01 ns" },
	{ "2 x 5e-4 B", "0.001 B" },
	{ "2 x 5e-4 FLOP", "0.001 FLOP" },
	{ "2 x 2,500 s", "5,000 s" },
	/* powers up to 12, parentheses up to 16 deep, signs wherever a number is */
	{ "(1 s)^12", "1 s^12" },
	{ "1/(1 s)^12", "1 /s^12" },
	{ "2 x 1 s^4", "2 s^4" },
	{ "2 x 1 s^-4", "2 /s^4" },
	{ "(4 s^2)^0.5", "2 s" },
	{ "((((((((((((((((1))))))))))))))))", "1" },
	{ "(((((((((((1) + 1)))))))))) x ((((((((2))))))))", "4" },
	{ "6 / -2", "-3" },
	{ "6 / +2", "3" },
	{ "2 x -(3 + 1)", "-8" },
	{ "2 x -(3 + 1) / 2", "-4" },
	{ "2 x -$3", "$-6" },
	{ "1.5x - (3 + 1)", "-2.5" },
	{ "+2 - -3", "5" },
	{ "2^-2 x 8", "2" },
	{ "2^+2", "4" },
	{ "6 GB per 2 s", "3 GB/s" },
	{ "6 GB per (2 s)", "3 GB/s" },
	{ "0 x 5 GB", "0 B" },
	{ "0 / 5 + 1", "1" },
	{ "1e-150 x 1e-150 x 1e300", "1" },
	/* where a prefix begins, and a word */
	{ "2 x 499.5 B", "999 B" },
	{ "2 x 500 B", "1 kB" },
	{ "2 x 499.5 kB", "999 kB" },
	{ "2 x 500 kB", "1 MB" },
	{ "2 x 499,999 tokens", "999,998 tokens" },
	{ "2 x 500,000 tokens", "1 million tokens" },
	{ "2 x 5e14 tokens", "1,000 trillion tokens" },
	{ "2 x 5e11 params", "1 trillion params" },
	{ "1 token x 1", "1 token" },
	{ "2 x 0.5 params", "1 param" },
	{ "4e5 FLOP / (2 B)", "200,000 FLOP/B" },
	{ "4e6 FLOP / (2 B)", "2 MFLOP/B" },
	/* dollars for a token are told by the million, below a cent */
	{ "$0.018 / (2 tokens)", "$9,000/Mtok" },
	{ "$0.02 / (2 tokens)", "$0.01/tok" },
	{ "$-0.018 / (2 tokens)", "$-9,000/Mtok" },
	{ "6 / (2 s) in 1/s", "3 1/s" },
	{ "0 GB", "0 B" },
	{ "3 min 20 s + 10 s", "210 s" },
	{ "2 x 1h30 in h", "3 h" },
	{ "-(1 min 5 s)", "-65 s" },
	{ "-42.5 GB", "-42.5 GB" },
};

static const struct {
	const char *text, *error;
} refused[] = {
	{ "", "nothing typed" },
	{ "  ~ ", "nothing typed" },
	{ "2 +", "a number is missing at the end" },
	{ "31 +- 1", "type the value alone" }, /* no 30 */
	{ "31 +/- 1", "type the value alone" },
	{ "31 ± 1", "type the value alone" },
	{ "80 GB + 3 s", "cannot add bytes and seconds" },
	{ "5 - 3 GB", "cannot subtract bytes from a plain number" },
	{ "3 GB/GPU + 1 GB", "cannot add bytes per device and bytes" },
	{ "1/0", "this divides by zero" },
	{ "3 GB in florps", "florps" },
	{ "1/(3 - 3)", "this divides by zero" },
	{ "2^(3 GB)", "an exponent is a plain number" },
	{ "(4 s)^0.5", "no such power of a unit" },
	{ "(-4)^0.5", "no such power of a negative number" },
	{ "2^3^2", "two powers in a row" },
	{ "2(3+4)", "an operator is missing before \"(3+4)\"" },
	{ "2 x 3 4", "an operator is missing before \"4\"" },
	{ "(2 + 3", "a ) is missing" },
	{ "2 + 3)", "cannot read \")\"" },
	{ "kv x 2", "a number is missing before \"kv x 2\"" },
	{ "10 gb", "GB or Gb" },
	{ "10 GX", "unknown unit \"GX\"" },
	{ "3 GB in s", "bytes given, seconds asked" },
	/* 1e304 s are 1e313 ns, which no double holds. */
	{ "1e304 s in ns", "in \"ns\" that is too large for a number" },
	{ "3 GB in", "after \"in\" comes a unit" },
	/* "10 128 x" would read as 10,128. */
	{ "2 x 80 x 8 in 128 x", "after \"in\" comes a unit, without a number" },
	{ "1000/(1 s) in 100/s", "without a number" },
	{ "1e200 x 1e200", "too large" },
	{ "1e-300 / 1e300", "too small" },
	{ "10^400", "too large" },
	{ "1,5 + 2", "use a point" },
	{ "ans + 1", "no line yet" },
	{ "#1", "no line yet" },
	{ "((((((((((((((((((1))))))))))))))))))", "at most 16 parentheses" },
	{ "2 s^9", "out of range" },
	{ "2 s^5", "-4 to 4" },
	{ "2 s^-5", "-4 to 4" },
	{ "2 s^0", "not 0" },
	{ "(1 s)^13", "no such power" },
	{ "1/(1 s)^12/(1 s)", "out of range" },
	{ "(((((((((((((((((1)))))))))))))))))", "at most 16 parentheses" },
	{ "(1 s^2)^0.3", "no such power" },
	{ "(1 s)^20", "no such power" },
	{ "(1 s^4)^3 x 1 s", "out of range" },
};

Test(scratch, sums)
{
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
		struct scratch_value v;
		char err[320] = "", shown[128] = "";
		int rc = scratch_read(NULL, sums[i].text, NULL, &v, err, sizeof err);
		cr_expect(zero(int, rc), "%s: %s", sums[i].text, err);
		if (rc == 0)
			scratch_write(&v, SCRATCH_DIGITS, shown, sizeof shown);
		cr_expect(eq(str, shown, (char *)sums[i].shown), "%s", sums[i].text);
	}
}

Test(scratch, what_makes_no_sense_is_refused_in_a_line)
{
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct scratch_value v;
		char err[320] = "";
		cr_expect(
			eq(int, scratch_read(NULL, refused[i].text, NULL, &v, err, sizeof err), -1),
			"%s", refused[i].text);
		cr_expect(strstr(err, refused[i].error) != NULL, "%s: %s", refused[i].text, err);
	}
}

Test(scratch, lines_refer_to_lines)
{
	static struct scratch_pad pad;
	char err[320], shown[128];
	cr_assert(zero(int, scratch_add(&pad, "2 x 80 x 8 x 128 x 2 B", err, sizeof err)));
	cr_assert(zero(int, scratch_add(&pad, "16 x 8,192", err, sizeof err)));
	cr_assert(zero(int, scratch_add(&pad, "#1 x #2", err, sizeof err)));
	cr_assert(zero(int, scratch_add(&pad, "ans / 80 GB", err, sizeof err)));
	scratch_write(&pad.lines[3].value, SCRATCH_DIGITS, shown, sizeof shown);
	cr_expect(eq(str, shown, (char *)"0.536871")); /* 42.94967296 of 80 */
	cr_expect(eq(int, scratch_add(&pad, "#5", err, sizeof err), -1));
	cr_expect(strstr(err, "#1 to #4") != NULL, "%s", err);
	cr_expect(eq(int, scratch_add(&pad, "#0", err, sizeof err), -1));
	cr_expect(eq(int, scratch_add(&pad, "#99999999999999999999", err, sizeof err), -1));
	cr_expect(eq(sz, pad.n, 4), "what is refused is no line");
	while (pad.n < SCRATCH_LINES)
		cr_assert(zero(int, scratch_add(&pad, "1", err, sizeof err)));
	cr_expect(eq(int, scratch_add(&pad, "1", err, sizeof err), -1));
	cr_expect(strstr(err, "full") != NULL, "%s", err);
}

/* A symbol with several meanings takes the one that gives the dimension asked for. */
Test(scratch, what_is_asked_for_settles_what_a_symbol_means)
{
	static const struct {
		const char *text, *unit;
		double value; /* in base units: bit, FLOP, ... */
	} rows[] = {
		{ "2B x (80 + 8)", "B", 2 * 88 * 8.0 },
		{ "2B x (80 + 8)", "", 2e9 * 88 },
		{ "(70B) x 2 B", "GB", 140e9 * 8 },
		{ "(3 + 4) TFLOPs", "FLOP/s", 7e12 },
		{ "(3 + 4) TFLOPs", "FLOP", 7e12 },
		{ "(3 + 4) TFLOPS", "FLOP", 7e12 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scratch_value v;
		struct unit asked;
		char err[320];
		cr_assert(unit_parse(rows[i].unit, &asked));
		cr_assert(zero(int, scratch_read(NULL, rows[i].text, &asked, &v, err, sizeof err)));
		cr_expect(unit_same_dimension(&v.unit, &asked), "%s in %s", rows[i].text,
			rows[i].unit);
		cr_expect(epsilon_eq(dbl, v.number, rows[i].value, rows[i].value * 1e-12), "%s",
			rows[i].text);
	}
}

Test(scratch, unexpected_readings_are_said)
{
	static const struct {
		const char *text, *note;
	} rows[] = { { "70B x 2", "billion" }, { "70 B x 2", "" }, { "70B params x 2", "" },
		{ "1/2 GB", "quotient" }, { "1/(2 GB)", "" }, { "6 GB / 2 GB", "" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scratch_value v;
		char err[320];
		cr_assert(zero(int, scratch_read(NULL, rows[i].text, NULL, &v, err, sizeof err)));
		const char *note = scratch_note(&v);
		bool says = *rows[i].note ? strstr(note, rows[i].note) != NULL : *note == '\0';
		cr_expect(says == true, "%s: %s", rows[i].text, note);
	}
}

/* What is shown with all digits reads back as the same value, in any unit it may have. */
Test(scratch, results_read_back)
{
	static const char *const units[] = { "", "B", "bit", "B/s", "b/s", "FLOP", "FLOP/s",
		"FLOP/B", "s", "s/tok", "tok", "tok/s", "tok/s/GPU", "param", "req/s", "J", "W",
		"J/tok", "$", "$/h", "$/tok", "GPU", "GPU h", "/s", "B^2", "B/param", "m", "m/s",
		"FLOP/s/W" };
	struct rng r = rng_stream(1, "results", 0);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		for (int n = 0; n < 200; n++) {
			char text[64], shown[128], err[320] = "";
			struct scratch_value v, again;
			snprintf(text, sizeof text, "%.6ge%d %s", rng_uniform(&r) * 9 + 1,
				(int)rng_below(&r, 26) - 8, units[i]);
			cr_assert(zero(int, scratch_read(NULL, text, NULL, &v, err, sizeof err)),
				"%s: %s", text, err);
			scratch_write(&v, SCRATCH_ALL_DIGITS, shown, sizeof shown);
			cr_assert(
				zero(int, scratch_read(NULL, shown, NULL, &again, err, sizeof err)),
				"%s: %s: %s", text, shown, err);
			cr_expect(unit_same_dimension(&v.unit, &again.unit), "%s: %s", text, shown);
			cr_expect(epsilon_eq(dbl, again.number, v.number, 1e-10 * fabs(v.number)),
				"%s: %s", text, shown);
		}
}

/* What the grammar of answers accepts is graded by it; the rest may be an expression. */
Test(scratch, answers_may_be_expressions)
{
	static const struct question size = { .key = 640e9,
		.unit = "B",
		.shown_unit = "GB",
		.tolerance = { TOLERANCE_RELATIVE, 0.05 } },
				     share = { .key = 0.5,
					     .unit = "",
					     .shown_unit = "%",
					     .tolerance = { TOLERANCE_RELATIVE, 0.05 } },
				     count = { .key = 70e9,
					     .unit = "param",
					     .shown_unit = "param",
					     .tolerance = { TOLERANCE_RELATIVE, 0.05 } };
	static const struct {
		const struct question *q;
		const char *text;
		enum verdict verdict;
		bool expression;
		const char *said;
	} rows[] = {
		{ &size, "8 x 80 GB", VERDICT_CORRECT, false, "8 x 80 GB = 640 GB" },
		{ &size, "80 GB x 8", VERDICT_CORRECT, true, "80 GB x 8 = 640 GB" },
		{ &size, "(600 + 40) GB", VERDICT_CORRECT, true, "(600 + 40) GB = 640 GB" },
		{ &size, "600 + 40", VERDICT_CORRECT, true, "600 + 40 = 640 GB" },
		{ &size, "(1 + 1) x 10 GB", VERDICT_WRONG, true, "= 20 GB" },
		{ &size, "80 GB + 8 s", VERDICT_INVALID, false, "cannot add bytes and seconds" },
		{ &size, "(8 + 2) s", VERDICT_WRONG_DIM, true, "seconds given, bytes asked" },
		{ &size, "(320B) x 2", VERDICT_RATIO, true, "prefix" }, /* B is byte here */
		{ &size, "64 GB / 32 GB x (2 + 3)", VERDICT_INVALID, true, "say the unit" },
		{ &size, "640 G", VERDICT_INVALID, false, "say the unit" },
		{ &size, "640 +- 10", VERDICT_INVALID, false, "type the value alone" },
		{ &size, "640 ± 10", VERDICT_INVALID, false, "type the value alone" },
		{ &share, "(40 GB) / (80 GB)", VERDICT_CORRECT, true, "= 50 %" },
		{ &share, "100 % - 50 %", VERDICT_CORRECT, true, "= 50 %" },
		{ &share, "(20 + 30)", VERDICT_CORRECT, true, "= 50 %" },
		{ &count, "(30B + 40B)", VERDICT_CORRECT, true, "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct grade g;
		char said[700];
		grade_answer(rows[i].q, rows[i].text, false, &g);
		snprintf(said, sizeof said, "%s; %s", g.understood, g.remark);
		cr_expect(eq(int, g.verdict, rows[i].verdict), "%s: %s", rows[i].text, said);
		cr_expect(strstr(said, rows[i].said) != NULL, "%s: %s", rows[i].text, said);
		cr_expect(g.verdict == VERDICT_INVALID || g.expression == rows[i].expression, "%s",
			rows[i].text);
	}
}
