/* The table of units by hand: what every symbol means, which prefixes it takes, what is no symbol. */
#include "sims/quantity/quantity_parse.h"
#include "sims/quantity/unit.h"

#include "sims/base/array.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

/* The symbols of one meaning: how many base units, and of what. */
static const struct {
	const char *symbols;
	double factor;
	const char *words;
} meanings[] = {
	{ "b bit bits", 1, "bytes" }, /* a dimension has one name; information is counted in bits */
	{ "byte bytes", 8, "bytes" },
	{ "gig gigs", 8e9, "bytes" },
	{ "meg megs", 8e6, "bytes" },
	{ "kilobytes kilobyte Kilobytes", 8e3, "bytes" },
	{ "megabytes", 8e6, "bytes" },
	{ "gigabytes gigabyte Gigabytes", 8e9, "bytes" },
	{ "terabytes", 8e12, "bytes" },
	{ "gibibytes", 8 * 1073741824., "bytes" },
	{ "gigabits", 1e9, "bytes" },
	{ "milliseconds", 1e-3, "seconds" },
	{ "microseconds microsecond", 1e-6, "seconds" },
	{ "bps", 1, "bytes per second" },
	{ "Bps", 8, "bytes per second" },
	{ "s sec second seconds", 1, "seconds" },
	{ "min minute minutes", 60, "seconds" },
	{ "h hr hour hours", 3600, "seconds" },
	{ "d day days", 86400, "seconds" },
	{ "FLOP flop OP op", 1, "FLOP" },
	{ "MAC mac", 2, "FLOP" },
	{ "tok toks token tokens", 1, "tokens" },
	{ "param params parameter parameters", 1, "parameters" },
	{ "req reqs request requests seq seqs query queries", 1, "requests" },
	{ "qps rps QPS RPS", 1, "requests per second" },
	{ "GPU GPUs gpu gpus device devices chip chips rank ranks card cards", 1, "devices" },
	{ "accelerator accelerators", 1, "devices" },
	{ "$ USD dollar dollars", 1, "dollars" },
	{ "J joule joules Joule Joules", 1, "joules" },
	{ "GJ gj gigajoules", 1e9, "joules" },
	{ "mJ millijoules", 1e-3, "joules" },
	{ "W watt watts Watt Watts", 1, "joules per second" },
	{ "MW megawatts Megawatts", 1e6, "joules per second" },
	{ "Wh wh WH", 3600, "joules" },
	{ "kWh kwh KWH", 3.6e6, "joules" },
	{ "MWh MWH", 3.6e9, "joules" },
	{ "Hz hz hertz Hertz fps FPS", 1, "a number per second" },
	{ "MHz MHZ megahertz", 1e6, "a number per second" },
	{ "frame frames image images sample samples step steps", 1, "a plain number" },
	{ "m metre metres meter meters", 1, "metres" },
	{ "km", 1000, "metres" },
	{ "mile miles", 1609.344, "metres" },
	{ "kph", 1000. / 3600, "metres per second" },
	{ "mph", 1609.344 / 3600, "metres per second" },
	{ "x", 1, "a plain number" },
	{ "%", 0.01, "a plain number" },
	{ "k K thousand", 1e3, "a plain number" },
	{ "M mn million", 1e6, "a plain number" },
	{ "bn G billion", 1e9, "a plain number" },
	{ "T tn trillion", 1e12, "a plain number" },
	{ "P", 1e15, "a plain number" },
	{ "E", 1e18, "a plain number" },
	{ "Ki", 1024, "a plain number" },
	{ "Mi", 1048576, "a plain number" },
	{ "Gi", 1073741824, "a plain number" },
};

static void is_reading(
	const char *symbol, size_t which, size_t of, double factor, const char *words)
{
	struct quantity_reading r[QUANTITY_MAX_READINGS] = { 0 };
	char text[128];
	cr_expect(eq(sz, symbol_readings(symbol, r), of), "%s", symbol);
	cr_expect(ieee_ulp_eq(dbl, r[which].unit.factor, factor, 4), "%s is %.17g, not %.17g",
		symbol, r[which].unit.factor, factor);
	cr_expect(eq(str, unit_words(&r[which].unit, text, sizeof text), (char *)words), "%s",
		symbol);
}

Test(unit, every_symbol_has_its_meaning)
{
	for (size_t i = 0; i < LENGTH(meanings); i++) {
		char symbols[128], *rest = NULL;
		snprintf(symbols, sizeof symbols, "%s", meanings[i].symbols);
		for (char *s = strtok_r(symbols, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
			is_reading(s, 0, 1, meanings[i].factor, meanings[i].words);
	}
}

/* Bytes or billions; an amount, or a rate whose "per second" is its last letter. */
Test(unit, some_symbols_have_two_readings)
{
	is_reading("B", 0, 2, 8, "bytes");
	is_reading("B", 1, 2, 1e9, "a plain number");
	is_reading("FLOPs", 0, 2, 1, "FLOP");
	is_reading("FLOPS", 1, 2, 1, "FLOP per second");
	is_reading("GOPs", 0, 2, 1e9, "FLOP");
	is_reading("TOPS", 1, 2, 1e12, "FLOP per second");
	is_reading("MACs", 0, 2, 2, "FLOP");
	is_reading("GMACS", 1, 2, 2e9, "FLOP per second");
	is_reading("gmac", 0, 1, 2e9, "FLOP"); /* of this family the prefix ignores case as well */
	is_reading("mflop", 0, 1, 1e6, "FLOP");
	is_reading("ZOP", 0, 1, 1e21, "FLOP");
	struct quantity_reading r[QUANTITY_MAX_READINGS];
	cr_assert(eq(sz, symbol_readings("TFLOPs", r), 2));
	cr_expect(eq(u32, r[0].flags, READING_AMOUNT | READING_PREFIXED));
	cr_expect(eq(u32, r[1].flags, READING_RATE | READING_PREFIXED));
	cr_assert(eq(sz, symbol_readings("GiB", r), 1));
	cr_expect(eq(u32, r[0].flags, READING_BINARY | READING_PREFIXED));
	cr_assert(eq(sz, symbol_readings("million", r), 1));
	cr_expect(eq(u32, r[0].flags, READING_MULTIPLIER));
	cr_assert(eq(sz, symbol_readings("s", r), 1));
	cr_expect(eq(u32, r[0].flags, 0));
}

static const struct {
	const char *prefix;
	double factor;
} prefixes[] = { { "n", 1e-9 }, { "u", 1e-6 }, { "\xc2\xb5", 1e-6 }, { "\xce\xbc", 1e-6 },
	{ "m", 1e-3 }, { "k", 1e3 }, { "K", 1e3 }, { "M", 1e6 }, { "G", 1e9 }, { "T", 1e12 },
	{ "P", 1e15 }, { "E", 1e18 }, { "Z", 1e21 }, { "Ki", 1024 }, { "Mi", 1048576 },
	{ "Gi", 1073741824 }, { "Ti", 1099511627776 }, { "Pi", 1125899906842624 },
	{ "Ei", 1152921504606846976 } };

enum { SMALL = 5, LARGE = 13 }; /* the first are below 1, those up to LARGE are powers of ten */

/* Seconds go down, what is counted goes up, energy up and to the thousandth, information also in
 * powers of 1024; a device, a dollar and a metre take none. */
static const struct {
	const char *symbol;
	bool small, milli, large, binary;
} takes[] = { { "s", true, true, false, false }, { "bit", false, false, true, true },
	{ "byte", false, false, true, true }, { "bps", false, false, true, false },
	{ "tok", false, false, true, false }, { "param", false, false, true, false },
	{ "req", false, false, true, false }, { "J", false, true, true, false },
	{ "W", false, true, true, false }, { "Wh", false, true, true, false },
	{ "Hz", false, true, true, false }, { "GPU", false, false, false, false },
	{ "USD", false, false, false, false }, { "metre", false, false, false, false },
	{ "hour", false, false, false, false }, { "qps", false, false, false, false },
	{ "%", false, false, false, false } };

Test(unit, prefixes_multiply_what_takes_them)
{
	for (size_t i = 0; i < LENGTH(takes); i++)
		for (size_t k = 0; k < LENGTH(prefixes); k++) {
			struct quantity_reading plain[QUANTITY_MAX_READINGS],
				r[QUANTITY_MAX_READINGS];
			char symbol[SYMBOL_SIZE];
			bool milli = strcmp(prefixes[k].prefix, "m") == 0;
			bool taken = milli       ? takes[i].milli
				     : k < SMALL ? takes[i].small
				     : k < LARGE ? takes[i].large
						 : takes[i].binary;
			snprintf(
				symbol, sizeof symbol, "%s%s", prefixes[k].prefix, takes[i].symbol);
			cr_assert(eq(sz, symbol_readings(takes[i].symbol, plain), 1));
			size_t n = symbol_readings(symbol, r);
			cr_expect(eq(sz, n, taken), "%s", symbol);
			if (n)
				cr_expect(ieee_ulp_eq(dbl, r[0].unit.factor,
						  plain[0].unit.factor * prefixes[k].factor, 4),
					"%s", symbol);
		}
}

Test(unit, what_is_no_symbol)
{
	static const char *const none[] = { "", "kb", "y", "kk", "sk", "Bs", "GPUss", "tokenss",
		"kGPU", "byt", "ytes", "Tok", "S", "Min", "gigaB", "Gbyts", "millibytes",
		"gigaseconds", "j", "w", "mwh", "mj" };
	struct quantity_reading r[QUANTITY_MAX_READINGS];
	for (size_t i = 0; i < LENGTH(none); i++)
		cr_expect(zero(sz, symbol_readings(none[i], r)), "%s", none[i]);
}

/* What may have been meant: a prefix in the wrong case, bits or bytes, one letter too many. */
Test(unit, a_refusal_proposes)
{
	static const struct {
		const char *symbol, *said;
	} rows[] = {
		{ "gb", "unit \"gb\" is unclear: GB or Gb (bytes or bits)?" },
		{ "mB", "unit \"mB\" is unclear: MB?" },
		{ "gib", "unit \"gib\" is unclear: GiB or Gib (bytes or bits)?" },
		{ "giB", "unit \"giB\" is unclear: GiB?" },
		{ "gbps", "unit \"gbps\" is unclear: GBps or Gbps (bytes or bits)?" },
		{ "gBps", "unit \"gBps\" is unclear: GBps?" },
		{ "kb", "unit \"kb\" is unclear: KB or Kb (bytes or bits)?" },
		{ "mwh", "unit \"mwh\" is unclear: mWh or MWh?" },
		{ "secnd", "unknown unit \"secnd\"; did you mean \"second\"?" },
		{ "qqqqqq", "unknown unit \"qqqqqq\" (as in 10.7 GB, 42 ms, 70 TFLOP/s)" },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char err[200];
		symbol_refuse(rows[i].symbol, err, sizeof err);
		cr_expect(eq(str, err, (char *)rows[i].said));
	}
}

static struct unit unit_of(const char *text)
{
	struct quantity q;
	char err[200] = "";
	cr_assert(zero(int, quantity_parse_unit(text, &q, err, sizeof err)), "%s", err);
	return quantity_first_unit(&q);
}

Test(unit, dimensions_in_words)
{
	static const char *const rows[][2] = {
		{ "GB/s", "bytes per second" },
		{ "FLOP/B", "FLOP per byte" },
		{ "tok/s/GPU", "tokens per second and device" },
		{ "$/h", "dollars per second" },
		{ "s*GPU", "seconds times devices" },
		{ "m/s^2", "metres per second^2" },
		{ "m^2", "metres^2" },
		{ "1/s", "a number per second" },
		{ "%", "a plain number" },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char text[128];
		struct unit u =
			strcmp(rows[i][0], "1/s") == 0 ? unit_of("Hz") : unit_of(rows[i][0]);
		cr_expect(eq(str, unit_words(&u, text, sizeof text), (char *)rows[i][1]), "%s",
			rows[i][0]);
	}
}

/* One is the other per time, or they are of different kinds. Only devices and requests are soft. */
Test(unit, differences_in_words)
{
	static const char *const rows[][3] = {
		{ "B/s", "B", "rate given, amount asked: bytes, not bytes per second" },
		{ "B", "B/s", "amount given, rate asked: bytes per second, not bytes" },
		{ "W", "J", "rate given, amount asked: joules, not joules per second" },
		{ "B", "param", "bytes given, parameters asked" },
		{ "s", "B", "seconds given, bytes asked" },
		{ "B", "B*s", "bytes given, seconds times bytes asked" },
		{ "B*s", "B", "seconds times bytes given, bytes asked" },
		{ "tok/s", "tok/GPU",
			"rate given, amount asked: tokens per device, not tokens per second" },
		{ "m/s^2", "m/s", "metres per second^2 given, metres per second asked" },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char err[300];
		struct unit given = unit_of(rows[i][0]), asked = unit_of(rows[i][1]);
		unit_difference(&given, &asked, err, sizeof err);
		cr_expect(eq(str, err, (char *)rows[i][2]), "%s for %s", rows[i][0], rows[i][1]);
	}
}

Test(unit, soft_dimensions_may_differ)
{
	static const struct {
		const char *a, *b;
		bool same, same_but_for_soft;
	} rows[] = { { "tok/s", "tok/s/GPU", false, true }, { "tok/s", "tok/s/req", false, true },
		{ "tok/s", "tok", false, false }, { "GB", "byte", true, true },
		{ "W", "J", false, false }, { "m", "km", true, true }, { "m", "%", false, false } };
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct unit a = unit_of(rows[i].a), b = unit_of(rows[i].b);
		cr_expect(eq(int, unit_same_dimension(&a, &b), rows[i].same), "%s", rows[i].a);
		cr_expect(eq(int, unit_same_hard_dimension(&a, &b), rows[i].same_but_for_soft),
			"%s", rows[i].a);
	}
}

/* A thousandth is a division, so that 25 ms are the double 0.025; other ratios multiply. */
Test(unit, scale_is_exact)
{
	static const struct {
		double value, ratio, want;
	} rows[] = { { 25, 1e-3, 0.025 }, { 3, 1e-9, 3e-9 }, { 0.7, 1e3, 700 },
		{ 7, 1. / 3600, 7. / 3600 }, { 0.1, 3600, 360 }, { 5, 1, 5 }, { 5, 0.4, 2 },
		{ 4, 1.609344, 6.437376 }, { 9, 1 / 3.6, 2.5 }, { 1.1, 1024, 1126.4 },
		/* a ratio that a division left a bit beside a whole number is that number */
		{ 3, 1000.0000000000001, 3000 } };
	for (size_t i = 0; i < LENGTH(rows); i++)
		cr_expect(unit_scale(rows[i].value, rows[i].ratio) == rows[i].want,
			"%g x %g is %.17g", rows[i].value, rows[i].ratio,
			unit_scale(rows[i].value, rows[i].ratio));
}
