/* The record of numbers as people read and type them, and of answers as they are graded: small tables
 * of units, amounts and texts, each with each. What is said in words counts by its numbers alone. */
#include "tests/record.h"
#include "tests/record_digest.h"

#include "drills/grade.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/scratch.h"

#include <stdio.h>
#include <stdlib.h>

/* clang-format off */
static const char *const units[] = {
	"", "%", "x", "yes/no", "s", "ms", "us", "min", "h", "d", "B", "kB", "GB", "GiB", "bit", "byte",
	"b", "Gbit", "bps", "Bps", "Gbps", "B/s", "GB/s", "TB/s", "B/token", "FLOP", "FLOPs", "FLOPS",
	"FLOP/s", "TFLOP/s", "FLOP/B", "FLOP/byte", "OP", "MAC", "token", "tok", "token/s", "tok/s/GPU",
	"parameter", "param", "param/s", "request", "req/s", "request/s", "query", "query/s", "GPU",
	"GPU*h", "layer", "step", "steps/s", "ops", "$", "$/h", "$/token", "$/tok", "$/GPU/h", "J", "W",
	"kW", "Wh", "Hz", "m", "m/s", "km", "mph", "thousand", "million", "billion", "day", "s/step",
	"image/s", "1/s",
};

static const double amounts[] = {
	0, 1, 2, 9.994, 9.996, 9.9994, 9.9996, 0.5, 0.1, 0.099, 0.104, 0.01, 0.0099, 0.0625, 0.001,
	1e-4, 9.9e-5, 1.234e-7, 1e-9, 1e-10, 9e-11, 3.3e-13, 12.345, 99.94, 99.96, 100, 123.456,
	999.4, 999.6, 999.94, 999.96, 1000, 1234.5, 9994, 9999, 9999.96, 10000, 12345.6, 99999, 1e5, 359999,
	360000, 123456.7, 999949, 999951, 1e6, 1234567, 9.99e6, 1e7, 1.5e7, 9.996e8, 1e9, 1.07e10, 2.5e11,
	9.995e11, 1e12, 3.2e13, 9.99e14, 1e15, 1.5e15, 3.3e17, 1e18, 7e20, 1e21, 9.996e23, 1e24, 5e26, 1e27,
	3e30,
};

static const char *const typed[] = {
	/* numbers */
	"7", "-7", "+7", "~7", "7 =", ".5", "0.5", "5.", "0", "007", "1,024", "1_024", "1'024", "1 024",
	"12,345,678", "1,02", "1,5", "1_0", "0,123", "1e9", "1E9", "1e-3", "1e+3", "2.5e1", "1e400", "1e401",
	"1e-400", "1e308", "1e309", "3 x 10^9", "3*10^9", "3 x 10**-2", "3 · 10^2", "10^3", "3 x 10", "−7",
	"123456789012345678901234567890", "0.1234567890123456789", "9007199254740993", "1e22", "1e23", "3e-22",
	"1.7976931348623157e308", "4.9e-324", "", " ", "x", "-", "+", "--7", "e9", "1e", "7 7", "7,", "nan",
	/* products and quotients */
	"2 * 3", "2 x 3", "2x3", "2 / 4", "6/0", "2 * 3 / 4", "2 * 3 GB", "2 x 3 x 4 s", "1e200*1e200", "2 *",
	"1e-300 / 1e300", "8/3/4", "10 / 4 %", "1/2 GB", "600 GB / 3 GB/s", "100 / 8 s", "2**10", "2^10",
	"2^-1", "2^0.5", "(-8)^(1/3)", "4^0.5", "2^3^2", "-2^2", "(2 + 3) x 4", "2 + 3 * 4", "2 - 3 - 4",
	"2 - -3", "((2))", "(2", "2)", "2(3)", "16/4/2", "2 x -3", "-(2 + 3)", "3 x", "x 3", "2 + ", "0 x 5 s",
	"0 / 5 s", "1e-200 x 1e-200", "1e300 + 1e308", "5 - 5", "0 GB + 3 s",
	"((((((((((((((((1))))))))))))))))", "(((((((((((((((((1)))))))))))))))))",
	/* units */
	"80 GB", "80GB", "80 gb", "80 GiB", "80 Gb", "80 kb", "80 KB", "80 B", "80B", "80 B/s", "2B/param", "2 B/param",
	"70B", "70 B", "70B params", "70 billion params", "70 billion parameters", "2.9k", "2.9 k", "64k", "64 Ki",
	"5 M", "5 million", "5 mn", "7T", "1 P", "1 E", "25 ms", "25 us", "25 µs", "25 ns", "2 h", "2 hours", "3 d",
	"90 min", "25 %", "25%", "0.25", "1.5x", "1.5 x", "1.5 x 2", "312 TFLOP/s", "312 TFLOPS", "312 TFLOPs",
	"312 tflops", "5 PFLOP", "5 GMAC", "3 TOPS", "2870 tok/s", "2.87 ktok/s", "2870 tokens per second",
	"40 req/s", "40 qps", "8 GPUs", "8 GPU", "192 GPU*h", "8 GPU x 24 h", "5 tok/s/GPU", "5 tok/s per GPU",
	"5 tok per s per GPU", "$5", "$ 5", "-$5", "$-5", "$5/h", "$0.23/Mtok", "$0.23 per 1M tokens", "5 USD", "5 $",
	"700 W", "1 kWh", "3 MJ", "900 MHz", "5 m", "5 km", "60 mph", "90 kph", "5 m/s", "5 m/s^2", "9 m^2", "9 s^-1",
	"9 s**2", "9 s^0", "9 s^4", "9 s^5", "9 s^-4", "9 s^x", "9 s^", "(2 s)^2", "(1 s^4)^3", "(1 s^4)^3 x 1 s",
	"(4 s)^0.5", "(4 s^2)^0.5", "1/(30 ms)", "33.3 /s", "33 1/s", "33 per s", "5 GB/s/GPU", "5 GB·s", "5 GB*s",
	"5 GB s", "5 layers", "5 layer", "40 steps/s", "3 GX", "3 furlongs", "100 Gbps", "100 GBps", "100 Gb/s x 3 s",
	"1 GB + 8 Gb", "3 s + 500 ms", "2 h + 30 min", "80 GB + 3 s", "3 GB/GPU + 1 GB", "8 requests + 2 queries",
	"40 GiB in GB", "42.9 GB in GiB", "3 GB in s", "3 GB in", "100 Gb/s in GB/s", "0.5 in %", "5 in GB", "5 s in ms =",
	"70B params x 2 B/param", "70B x 2", "70B x 2 B", "6 x 70B x 15T FLOP", "15T tokens", "5 B B", "5 billion B",
	"2 k k", "1 a*b*c*d*e*f*g*h*i*j*k*l*m*n*o*p*q", "5 s s s s s s s s s s s s s s s s", "5 s s s s s s s s s s s s s s s s s",
	"$2/GPU/h x 8 GPU x 3 d", "$2/h x 8", "$1 x $2", "$", "%", "ans", "ans + 1", "#1", "#1 x 2", "#2", "#0", "#3 + 1", "#99",
	"5 $7", "2 x 3 $4", "5 $", "5 in", "5 per s", "5 x per s", "5 per", "5 ·", "5 · s", "5 · 3", "5 **2",
	"5 ^2", "5 s ^ 2", "5 s ** -2", "5 s ^ -2 / 3 B ^2", "3 -2", "3 - -2 s", "3 +2", "x2", "5x", "5x3", "5 x(3)", "5 x #1", "5 x ans",
	"5 x $3", "5 x -$3", "5 x -3", "5 x - 3", "5 x s", "5 x x", "5 xs", "ans in GB", "ans B", "#1 in MB", "#1 / #2", "#1#2",
	"5 abcdefghijklmnopqrstuvwxyz", "50 / 3 GB/s", "2 x 10^3 ms", "1 GB / 2 s in MB/s", "1000000000000000/2 B", "3 / 0 s",
};
/* clang-format on */

void record_written(record_visit *visit, void *context)
{
	for (size_t i = 0; i < LENGTH(units); i++) {
		uint64_t hash = digest_begin();
		char text[160], command[160];
		for (size_t j = 0; j < LENGTH(amounts); j++)
			for (int sign = -1; sign <= 1; sign += 2)
				digest_text(&hash, quantity_format(text, sizeof text,
							   sign * amounts[j], units[i]));
		snprintf(command, sizeof command, "quantity_format() of amounts in \"%s\"",
			units[i]);
		record_digest("written", units[i], hash, command, visit, context);
	}
	for (int digits = 1; digits <= 12; digits++) {
		uint64_t hash = digest_begin();
		char text[160], name[32];
		for (size_t j = 0; j < LENGTH(amounts); j++) {
			digest_text(&hash, number_write(text, sizeof text, amounts[j], digits));
			digest_text(&hash, number_format(text, sizeof text, -amounts[j]));
		}
		snprintf(name, sizeof name, "%d digits", digits);
		record_digest("written", name, hash, "number_write() of amounts", visit, context);
	}
}

static void digest_scratch(
	uint64_t *hash, const struct scratch_pad *pad, const char *text, const struct unit *asked)
{
	struct scratch_value v;
	char err[320] = "", shown[160];
	int rc = scratch_read(pad, text, asked, &v, err, sizeof err);
	digest_number(hash, rc);
	digest_numbers_in(hash, err);
	if (rc)
		return;
	digest_number(hash, v.number);
	for (size_t i = 0; i < N_DIMENSIONS; i++)
		digest_number(hash, v.unit.dim[i]);
	digest_number(hash,
		v.has_unit + 2 * v.billion + 4 * v.over_quotient + 8 * v.in_bits + 16 * v.in_bytes);
	digest_text(hash, scratch_write(&v, SCRATCH_DIGITS, shown, sizeof shown));
	digest_text(hash, scratch_write(&v, SCRATCH_ALL_DIGITS, shown, sizeof shown));
	digest_number(hash, *scratch_note(&v) != '\0');
}

void record_typed(record_visit *visit, void *context)
{
	struct scratch_pad *pad = calloc(1, sizeof *pad);
	char err[320];
	if (!pad || scratch_add(pad, "3 GB", err, sizeof err) ||
		scratch_add(pad, "70B x 2", err, sizeof err))
		abort();
	for (size_t i = 0; i < LENGTH(typed); i++) {
		uint64_t hash = digest_begin();
		digest_scratch(&hash, NULL, typed[i], NULL);
		digest_scratch(&hash, pad, typed[i], NULL);
		for (size_t j = 0; j < LENGTH(units); j++) {
			struct unit unit;
			double value = 0;
			int rc = quantity_read(typed[i], units[j], &value, err, sizeof err);
			digest_number(&hash, rc);
			digest_number(&hash, value);
			digest_numbers_in(&hash, rc ? err : "");
			if (unit_parse(units[j], &unit))
				digest_scratch(&hash, pad, typed[i], &unit);
		}
		record_digest("typed", typed[i], hash, "quantity_read() and scratch_read() of",
			visit, context);
	}
	free(pad);
}

/* --- grading ------------------------------------------------------------------------------ */

static void digest_grade(uint64_t *hash, const struct question *q, double x, const char *unit)
{
	static const int digits[] = { 12, 3, 2, 1 };
	for (size_t i = 0; i < LENGTH(digits); i++) {
		struct grade g;
		char text[80];
		snprintf(text, sizeof text, "%.*g %s", digits[i], x, unit);
		grade_answer(q, text, i % 2 == 1, &g);
		digest_number(hash, g.verdict);
		digest_number(hash, g.credit);
		digest_number(hash, g.attempt_used + 2 * g.has_value + 4 * g.expression);
		digest_number(hash, g.has_value ? g.value : 0);
		digest_numbers_in(hash, g.understood);
		digest_numbers_in(hash, g.remark);
		digest_text(hash, g.cause);
	}
}

/* Answers around everything that the grader knows: the tolerances, the mistake, the ratios with the
 * edges of their windows, the factors. */
static void record_question(
	const struct question *q, const char *name, record_visit *visit, void *context)
{
	static const double ratios[] = { 1, 8, 1.024, 1.048576, 1.073741824, 1.099511627776, 2, 4,
		3, 4. / 3, 10, 100, 1e3, 1e6, 1e9, 60, 3600, 80, 16, 1.7, 5.5 };
	static const double beside[] = { 1, 1.0015, 1.0021, 1.0035, 1.0045, 1.007, 1.0095, 1.0105,
		1.0145, 1.0155, 1.024, 1.04, 1.0499, 1.0501, 1.09, 1.0999, 1.1001 };
	uint64_t hash = digest_begin();
	for (size_t i = 0; i < LENGTH(ratios); i++)
		for (size_t j = 0; j < LENGTH(beside); j++)
			for (int way = 0; way < 8; way++) {
				double by = way & 1 ? ratios[i] : 1 / ratios[i];
				by *= way & 2 ? beside[j] : 1 / beside[j];
				digest_grade(&hash, q, (way & 4 ? -1 : 1) * q->key * by, q->unit);
			}
	for (size_t i = 0; i < q->n_mistakes; i++)
		for (size_t j = 0; j < LENGTH(beside); j++) {
			digest_grade(&hash, q, q->mistakes[i].value * beside[j], q->unit);
			digest_grade(&hash, q, q->mistakes[i].value / beside[j], q->unit);
		}
	static const char *const behind[] = { "", "s", "GB", "tokens", "%", "req", "$/h", "TFLOP/s",
		"B/GPU", "per GPU" };
	for (size_t i = 0; i < LENGTH(behind); i++)
		digest_grade(&hash, q, q->key, behind[i]);
	digest_grade(&hash, q, 0, q->unit);
	record_digest("graded", name, hash, "grade_answer() of the question", visit, context);
}

/* A question of each kind of tolerance, and of each tag. */
static const struct factor factors[] = { { "layers", 80 }, { "KV heads", 8 }, { "share", 0.3 } };
static const struct mistake mistakes[] = { { "used query heads", 85899345920, 0.25, NULL },
	{ "forgot the values", 7e10, 0.3, NULL } };
static const struct {
	const char *name;
	struct question question;
} questions[] = {
	{ "relative", { .key = 10737418240,
			      .unit = "B",
			      .shown_unit = "GB",
			      .tolerance = { TOLERANCE_RELATIVE, 0.05 },
			      .tags = TAG_INFO | TAG_KV | TAG_DTYPE,
			      .factors = factors,
			      .n_factors = LENGTH(factors),
			      .mistakes = mistakes,
			      .n_mistakes = LENGTH(mistakes) } },
	{ "narrow", { .key = 3.35e12,
			    .unit = "B/s",
			    .shown_unit = "TB/s",
			    .tolerance = { TOLERANCE_RELATIVE, 0.002 },
			    .tags = TAG_LINK | TAG_INFO,
			    .unit_policy = UNIT_REQUIRED } },
	{ "absolute", { .key = 42.4,
			      .unit = "%",
			      .shown_unit = "%",
			      .tolerance = { TOLERANCE_ABSOLUTE, 2 },
			      .tags = TAG_PEAK | TAG_FLOPS,
			      .dual = true } },
	{ "factor", { .key = 6.3e24,
			    .unit = "FLOP",
			    .shown_unit = "FLOP",
			    .tolerance = { TOLERANCE_FACTOR, 2 },
			    .tags = TAG_FLOPS | TAG_TRAIN } },
	{ "digits", { .key = 0.0418,
			    .unit = "s",
			    .shown_unit = "ms",
			    .tolerance = { TOLERANCE_DIGITS, 2 },
			    .tags = TAG_TIME } },
	{ "exact", { .key = 640,
			   .unit = "",
			   .shown_unit = "",
			   .tolerance = { TOLERANCE_EXACT, 0 },
			   .unit_policy = UNIT_NONE } },
	{ "soft", { .key = 2870,
			  .unit = "token/s/GPU",
			  .shown_unit = "tok/s/GPU",
			  .tolerance = { TOLERANCE_RELATIVE, 0.05 },
			  .tags = TAG_TRAIN } },
	{ "nothing", { .key = 0,
			     .unit = "s",
			     .shown_unit = "ms",
			     .tolerance = { TOLERANCE_ABSOLUTE, 5 },
			     .unit_policy = UNIT_REQUIRED } },
	{ "negative", { .key = -12.5,
			      .unit = "$",
			      .shown_unit = "$",
			      .tolerance = { TOLERANCE_RELATIVE, 0.02 } } },
};

void record_graded(record_visit *visit, void *context)
{
	for (size_t i = 0; i < LENGTH(questions); i++)
		record_question(&questions[i].question, questions[i].name, visit, context);
}
