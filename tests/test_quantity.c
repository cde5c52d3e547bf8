/* Quantities as they are written and read, and that one undoes the other. */
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

Test(quantity, format)
{
	static const struct {
		double value;
		const char *unit, *text;
	} rows[] = {
		{ 4294967296, "B", "4.29 GB" },
		{ 80e9, "B", "80 GB" },
		{ 512, "B", "512 B" },
		{ 999.9e9, "B", "1 TB" },
		{ 0, "B", "0 B" },
		{ 0.0625, "B", "0.0625 B" },
		{ -2.5e9, "B", "-2.5 GB" },
		{ 3.35e12, "B/s", "3.35 TB/s" },
		{ 330000, "B/token", "330 kB/token" },
		{ 989e12, "FLOP/s", "989 TFLOP/s" },
		{ 1979e12, "FLOP/s", "1.98 PFLOP/s" },
		{ 295.2, "FLOP/B", "295 FLOP/B" },
		{ 0.3333, "FLOP/B", "0.333 FLOP/B" },
		{ 1365.3, "FLOP/B", "1,365 FLOP/B" },
		{ 0.0817, "s", "81.7 ms" },
		{ 2.5e-6, "s", "2.5 us" },
		{ 3e-9, "s", "3 ns" },
		{ 3220, "s", "3,220 s" },
		{ 36000, "s", "10 h" },
		{ 259200, "s", "72 h" },
		{ 61 * 86400.0, "s", "61 d" },
		{ 2000 * 86400.0, "s", "2,000 d" },
		{ 1000000 * 86400.0, "s", "2,738 years" },
		{ 1, "s", "1 s" },
		{ 999.6e-6, "s", "1 ms" },
		{ 0.025, "s/step", "25 ms/step" },
		{ 8192, "token", "8,192 tokens" },
		{ 1, "token", "1 token" },
		{ 131072, "token", "131,072 tokens" },
		{ 1.5e13, "token", "15 trillion tokens" },
		{ 2870, "token/s", "2,870 tok/s" },
		{ 1.2e6, "token/s", "1.2 Mtok/s" },
		{ 40, "request/s", "40 req/s" },
		{ 40, "req/s", "40 req/s" },
		{ 70.6e9, "parameter", "70.6 billion parameters" },
		{ 16, "query", "16 queries" },
		{ 8, "GPU", "8 GPUs" },
		{ 80, "layer", "80 layers" },
		{ 16311, "$", "$16,311" },
		{ 4.1, "$/h", "$4.10/h" },
		{ 18.9e6, "$", "$18.9 million" },
		{ 0.23e-6, "$/token", "$0.23/Mtok" },
		{ 0.104e-6, "$/token", "$0.104/Mtok" },
		{ 0.5, "$", "$0.50" },
		{ -3.5, "$", "-$3.50" },
		{ 85, "%", "85 %" },
		{ 99.77, "%", "99.8 %" },
		{ 999.6, "%", "1,000 %" },
		{ 3.0654, "x", "3.065x" },
		{ 0.30654, "x", "0.307x" },
		{ 13507.7, "x", "13,508x" },
		{ 1, "yes/no", "yes" },
		{ 0, "yes/no", "no" },
		{ 8.59e10, "bit", "85.9 Gbit" },
		{ 4.25, "bit", "4.25 bits" },
		/* a prefix of its own stays */
		{ 10737.4, "GB", "10,737 GB" },
		{ 52.374, "GB", "52.37 GB" },
		{ 2.0394, "TB/s", "2.039 TB/s" },
		{ 0.39512, "ms", "0.395 ms" },
		{ 277.28, "ms", "277.3 ms" },
		{ 999.64, "ms", "999.6 ms" },
		{ 999.96, "ms", "1,000 ms" },
		{ 2297.9, "ms", "2,298 ms" },
		{ 9999, "ms", "9,999 ms" },
		{ 13956, "ms", "14 s" },
		{ 1e8, "ms", "27.8 h" },
		{ 9999, "MB", "9,999 MB" },
		{ 85950, "MB", "86 GB" },
		{ 0.5, "ms", "0.5 ms" },
		{ 12.345, "min", "12.3 min" },
		{ 25, "GB/s", "25 GB/s" },
		{ 989, "TFLOP/s", "989 TFLOP/s" },
		{ 70.6, "billion", "70.6 billion" },
		{ 1365.3, "", "1,365" },
		{ 9.5621, "", "9.56" },
		{ 2.0384, "h", "2.04 h" },
		{ 523.3, "token/s", "523 tok/s" },
		{ 1e6, "", "1,000,000" },
		{ 0.424, "", "0.424" },
		{ 1.07e19, "", "1.07e19" },
		{ 6.3e24, "FLOP", "6,300 ZFLOP" },
		{ 1e30, "FLOP", "1e30 FLOP" },
		{ 2.3e-7, "", "2.3e-7" },
		{ INFINITY, "s", "infinite" },
		{ -INFINITY, "B", "-infinite" },
		{ NAN, "B", "undefined" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char buf[80];
		quantity_format(buf, sizeof buf, rows[i].value, rows[i].unit);
		cr_expect(eq(str, buf, (char *)rows[i].text), "%g %s", rows[i].value, rows[i].unit);
	}
}

/* Workings keep a digit more. */
Test(quantity, plain_number)
{
	char buf[80];
	cr_expect(eq(str, number_format(buf, sizeof buf, 2.0394), "2.039"));
	cr_expect(eq(str, number_format(buf, sizeof buf, 1365.34), "1,365.3"));
}

Test(quantity, read)
{
	static const struct {
		const char *text, *unit;
		double value;
	} rows[] = {
		{ "25", "GB/s", 25 },
		{ "25 GB/s", "GB/s", 25 },
		{ "200 Gb/s", "GB/s", 25 },
		{ "200Gbps", "GB/s", 25 },
		{ "0.2 Tb/s", "GB/s", 25 },
		{ "25 GB per s", "GB/s", 25 },
		{ "1,024", "token", 1024 },
		{ "19999999999999999999", "token", 2e19 }, /* more than 64 bits hold */
		{ "1_024", "token", 1024 },
		{ "1'024", "token", 1024 },
		{ "1 024", "token", 1024 },
		{ "1\u202f024", "token", 1024 },
		{ "10 737 418 240", "B", 10737418240 },
		{ "64k", "token", 64000 },
		{ "64Ki", "token", 65536 },
		{ "64Ki tokens", "token", 65536 },
		{ "3e9", "", 3e9 },
		{ "3x10^9", "", 3e9 },
		{ "3 \xc3\x97 10^9", "", 3e9 },
		{ "3*10**9", "", 3e9 },
		{ "3\u00b710^-2", "", 0.03 },
		{ "2 x 8", "", 16 },
		{ "2 x 3 x 10^9", "", 6e9 },
		{ "1/3", "", 1.0 / 3 },
		{ "6 / 3 x 2", "", 4 },
		{ ".5", "", 0.5 },
		{ "5.", "", 5 },
		{ "-5", "", -5 },
		{ "\u22125", "", -5 },
		{ "+5", "", 5 },
		{ "~5", "", 5 },
		{ "0.1", "", 0.1 },
		{ "2.5e-3", "", 2.5e-3 },
		{ "123456789012345678901234567890", "", 123456789012345678901234567890.0 },
		{ "85%", "", 0.85 },
		{ "85%", "%", 85 },
		{ "85", "%", 85 },
		{ "85 percent", "%", 85 },
		{ "85 pct", "%", 85 },
		{ "3x", "", 3 },
		{ "25 ms", "s", 0.025 },
		{ "35ms", "s", 0.035 },
		{ "2 h", "s", 7200 },
		{ "1 d", "h", 24 },
		{ "2 years", "d", 730.5 },
		{ "3min 20s", "s", 200 },
		{ "3 min 20 s", "s", 200 },
		{ "3 min 20.5 s", "s", 200.5 },
		{ "1h30", "min", 90 },
		{ "~1 h 30 min", "s", 5400 },
		{ "2 d 4 h", "h", 52 },
		{ "1h 2m 3s", "s", 3723 },
		{ "2m 30s", "s", 150 },
		{ "167 fps", "Hz", 167 },
		{ "167 frames/s", "Hz", 167 },
		{ "12 gigs", "GB", 12 },
		{ "4.2 gigabytes", "GB", 4.2 },
		{ "70B", "param", 70e9 },
		{ "70B params", "param", 70e9 },
		{ "70 billion", "param", 70e9 },
		{ "3 B", "B", 3 },
		{ "8 GiB", "B", 8589934592 },
		{ "2 EB", "B", 2e18 },
		{ "2E3", "", 2000 },
		{ "989 tflops", "FLOP/s", 989e12 },
		{ "989 TFLOP/s", "FLOP/s", 989e12 },
		{ "70 GMACs", "FLOP", 140e9 },
		{ "$4.10/h", "$/h", 4.10 },
		{ "$0.23 per 1M tokens", "$/Mtok", 0.23 },
		{ "40 qps", "req/s", 40 },
		{ "600 GB/s/GPU", "GB/s", 600 },
		{ "80 layers", "layer", 80 },
		{ "1.41 GHz", "Hz", 1.41e9 },
		{ "300 kW", "W", 3e5 },
		{ "1 kWh", "J", 3.6e6 },
		{ "10 m", "m", 10 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double value = NAN;
		char err[200] = "";
		cr_expect(zero(int, quantity_read(
					    rows[i].text, rows[i].unit, &value, err, sizeof err)),
			"%s: %s", rows[i].text, err);
		cr_expect(epsilon_eq(dbl, value, rows[i].value, 1e-15 * fabs(rows[i].value)), "%s",
			rows[i].text);
	}
}

Test(quantity, refusals)
{
	static const struct {
		const char *text, *unit, *reason;
	} rows[] = {
		{ "3 min 90 s", "s", "two numbers" }, /* that is 4 min 30 s */
		{ "20 s 3 min", "s", "two numbers" },
		{ "3.5 min 20 s", "s", "two numbers" },
		{ "5 m 3", "s", "two numbers" },
		{ "", "B", "nothing typed" },
		{ "  ", "B", "nothing typed" },
		{ "ten", "B", "no number" },
		{ "GB", "B", "no number" },
		{ "10,7", "GB", "use a point, not a comma: 10.7" },
		{ "0,500", "s", "use a point" },
		{ "1,2345", "", "use a point" },
		{ "1,234,5", "", "use a point" },
		{ "1_2", "", "three" },
		{ "10 7", "", "two numbers" },
		{ "1,024 768", "", "two numbers" },
		{ "1e500", "", "exponent" },
		{ "1e99999999999", "", "exponent" },
		{ "1e400", "", "too large" },
		{ "1e-400", "", "small" },
		{ "1e300 x 1e300", "", "too large" },
		{ "1/0", "", "zero" },
		{ "5 s^9", "s", "power" },
		{ "5 s^x", "s", "whole number" },
		{ "5 *", "s", "missing" },
		{ "5 GB/", "GB", "missing" },
		{ "5 gb", "GB", "GB or Gb" },
		{ "5 kb", "B", "KB or Kb" },
		{ "5 gib", "B", "GiB or Gib" },
		{ "5 mB", "B", "MB" },
		{ "5 gbps", "B/s", "GBps or Gbps" },
		{ "5 m", "s", "min, ms or M" },
		{ "5 tokns", "token", "did you mean \"tok" },
		{ "5 (", "B", "cannot read" },
		{ "5 GB/s", "GB", "rate given, amount asked: bytes, not bytes per second" },
		{ "5 GB", "GB/s", "amount given, rate asked: bytes per second, not bytes" },
		{ "5 GB", "token", "bytes given, tokens asked" },
		{ "64k", "GB", "say the unit" },
		{ "5 \x1b[2J", "B", "cannot read \"?[2J\"" },
		{ "--5", "", "no number" },
		{ "nan", "", "no number" },
		{ "5 per 0 s", "", "zero" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double value = 42;
		char err[200] = "";
		cr_expect(
			eq(int, quantity_read(rows[i].text, rows[i].unit, &value, err, sizeof err),
				-1),
			"%s", rows[i].text);
		bool said = strstr(err, rows[i].reason) != NULL;
		cr_expect(said, "%s: %s", rows[i].text, err);
		cr_expect(epsilon_eq(dbl, value, 42, 0), "%s", rows[i].text);
	}
	char long_text[300];
	memset(long_text, '1', sizeof long_text - 1);
	long_text[sizeof long_text - 1] = '\0';
	double value;
	char err[200];
	cr_expect(eq(int, quantity_read(long_text, "", &value, err, sizeof err), -1));
}

/* What is written is read back as the same quantity, to the digits that were written. */
Test(quantity, round_trip)
{
	static const char *const units[] = { "B", "B/s", "FLOP", "FLOP/s", "s", "token", "token/s",
		"FLOP/B", "$", "$/h", "GPU", "req/s", "GB", "%", "bit", "J", "W", "Hz", "param",
		"" };
	for (size_t u = 0; u < sizeof units / sizeof *units; u++)
		for (double value = 1e-6; value < 1e18; value *= 7.3) {
			char text[80], err[200] = "";
			double back = NAN;
			quantity_format(text, sizeof text, value, units[u]);
			cr_expect(zero(int, quantity_read(text, units[u], &back, err, sizeof err)),
				"%s: %s", text, err);
			cr_expect(epsilon_eq(dbl, back, value, 0.006 * value + 0.006), "%s", text);
		}
}

Test(quantity, units)
{
	static const struct {
		const char *text;
		double factor;
	} rows[] = {
		{ "", 1 },
		{ "B", 8 },
		{ "GB/s", 8e9 },
		{ "GiB", 8589934592 },
		{ "Gb/s", 1e9 },
		{ "ms", 1e-3 },
		{ "$/Mtok", 1e-6 },
		{ "GB/s/GPU", 8e9 },
		{ "billion", 1e9 },
		{ "%", 0.01 },
		{ "FLOP/B", 0.125 },
		{ "1/s", 1 },
		{ "W", 1 },
		{ "kWh", 3.6e6 },
		{ "MACs", 2 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct unit u;
		cr_assert(unit_parse(rows[i].text, &u), "%s", rows[i].text);
		cr_expect(epsilon_eq(dbl, u.factor, rows[i].factor, 1e-12 * rows[i].factor), "%s",
			rows[i].text);
	}
	struct unit a, b;
	cr_expect(not(unit_parse("furlong", &a)));
	cr_assert(unit_parse("W h", &a) && unit_parse("J", &b));
	cr_expect(unit_same_dimension(&a, &b));
	cr_assert(unit_parse("GB/s", &a) && unit_parse("GB/s/GPU", &b));
	cr_expect(not(unit_same_dimension(&a, &b)));
	cr_expect(unit_same_hard_dimension(&a, &b));
}

/* What people read at a glance: three digits, in a unit that they would pick. */
Test(quantity, brief)
{
	static const struct {
		double value;
		const char *unit, *want;
	} rows[] = {
		{ 54.83, "GB", "54.8 GB" },
		{ 44.31, "x", "44.3x" },
		{ 1.009, "x", "1.01x" },
		{ 2812, "ms", "2.81 s" },
		{ 1432, "us", "1.43 ms" },
		{ 0.01234, "ms", "12.3 us" },
		/* 0.316 x 60 = 18.96 */
		{ 0.316, "h", "19 min" },
		{ 13.54, "h", "13.5 h" },
		{ 0.5, "min", "30 s" },
		{ 119, "min", "119 min" },
		/* never 7,800 s */
		{ 130, "min", "2.17 h" },
		{ 1920, "min", "32 h" },
		/* 599 / 60 is no number to say; 4,053 / 60 = 67.55; 7,571 / 3,600 = 2.103 */
		{ 599, "s", "599 s" },
		{ 600, "s", "10 min" },
		{ 4053, "s", "67.6 min" },
		{ 7571, "s", "2.1 h" },
		{ 7571000, "ms", "2.1 h" },
		{ INFINITY, "s", "infinite" },
		{ 36.18, "$", "$36.18" },
		{ INFINITY, "min", "infinite" },
		/* a tenth of a millisecond is told as such, and nothing stays in its unit */
		{ 0.11, "ms", "0.11 ms" },
		{ 0.1, "ms", "0.1 ms" },
		{ 0, "ms", "0 ms" },
	};
	char got[64];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(str, quantity_brief(got, sizeof got, rows[i].value, rows[i].unit),
			(char *)rows[i].want));
}
