/* Ticks: published examples of the labelling, and laws that hold for any range. */
#include "sims/base/rng.h"
#include "ui/views/ticks.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

Test(ticks, labelling_of_talbot_lin_and_hanrahan)
{
	static const struct {
		double min, max;
		int want;
		size_t n;
		double at[8];
	} rows[] = {
		{ 8.1, 14.1, 4, 4, { 8, 10, 12, 14 } },
		{ -1.98465, 0.4371, 3, 3, { -2, -1, 0 } },
		{ 0.0001, 0.00015, 3, 3, { 0.0001, 0.000125, 0.00015 } },
		{ 555.65, 21800.99, 3, 3, { 0, 10000, 20000 } },
		{ 55.65, 1555.99, 3, 4, { 0, 500, 1000, 1500 } },
		{ 2.971916, 3.221916, 3, 3, { 3, 3.1, 3.2 } },
		{ 0, 989, 5, 5, { 0, 250, 500, 750, 1000 } },
		{ 0, 141, 6, 7, { 0, 25, 50, 75, 100, 125, 150 } },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		double at[MAX_TICKS];
		size_t n = ticks_search(rows[i].min, rows[i].max, rows[i].want, at);
		cr_assert(eq(sz, n, rows[i].n), "row %zu", i);
		for (size_t k = 0; k < n; k++)
			cr_expect(epsilon_eq(dbl, at[k], rows[i].at[k], 1e-9 * fabs(rows[i].max)),
				"row %zu, tick %zu", i, k);
	}
}

Test(ticks, labels_of_an_axis)
{
	static const struct {
		struct axis axis;
		double min, max;
		int most;
		const char *labels;
	} rows[] = {
		{ { .scale = AXIS_LINEAR }, 0, 989, 5, "0 250 500 750" },
		{ { .scale = AXIS_LINEAR }, 0, 9999, 3, "0 5,000" },
		{ { .scale = AXIS_LINEAR }, 0, 20000, 5, "0 5k 10k 15k 20k" },
		{ { .scale = AXIS_LINEAR }, 0, 3e6, 4, "0 1M 2M 3M" },
		{ { .scale = AXIS_LINEAR }, -2e9, 2e9, 5, "-2G -1G 0 1G 2G" },
		{ { .scale = AXIS_LINEAR }, 0, 1, 3, "0.0 0.5 1.0" },
		{ { .scale = AXIS_LINEAR }, 1e-4, 1.5e-4, 3, "100µ 125µ 150µ" },
		{ { .scale = AXIS_LINEAR }, 1000000, 1000002, 3, "1,000,000 1,000,001 1,000,002" },
		{ { .scale = AXIS_LOG10 }, 1, 1000, 6, "1 10 100 1,000" },
		{ { .scale = AXIS_LOG10 }, 0.1, 1e5, 8, "0.1 1 10 100 1k 10k 100k" },
		{ { .scale = AXIS_LOG10 }, 1e-6, 1, 4, "1µ 100µ 10m 1" },
		{ { .scale = AXIS_LOG10, .unit = "s" }, 1e-6, 1, 4, "1 us 100 us 10 ms 1 s ()" },
		{ { .scale = AXIS_LINEAR, .unit = "s" }, 0, 2e-4, 3, "0 100 200 (us)" },
		{ { .scale = AXIS_LINEAR, .unit = "B" }, 0, 3e9, 4, "0 1 2 3 (GB)" },
		{ { .scale = AXIS_LOG10, .unit = "B" }, 1e3, 1e12, 4, "1 kB 1 MB 1 GB 1 TB ()" },
		{ { .scale = AXIS_LOG10, .unit = "s" }, 0.1, 10, 3, "0.1 1 10 (s)" },
		{ { .scale = AXIS_LOG10, .unit = "s" }, 0.001, 1, 3, "10 1,000 (ms)" },
		{ { .scale = AXIS_LOG10, .unit = "s" }, 0.001, 1, 5, "1 10 100 1,000 (ms)" },
		{ { .scale = AXIS_LOG10 }, 28, 55, 3, "30 40 50" },
		{ { .scale = AXIS_LOG10 }, 28, 55, 2, "30 50" },
		{ { .scale = AXIS_LOG10 }, 0.45, 5.5, 5, "0.5 1 2 5" },
		{ { .scale = AXIS_LOG10 }, 2, 5, 3, "2 3 5" },
		{ { .scale = AXIS_LOG2 }, 1024, 131072, 4, "1,024 4,096 16,384 65,536" },
		{ { .scale = AXIS_LOG2 }, 65536, 1 << 24, 3, "262k 2.10M 16.8M" },
		{ { .scale = AXIS_LOG2, .information = true }, 1024, 131072, 4,
			"1Ki 4Ki 16Ki 64Ki" },
		{ { .scale = AXIS_LOG2, .information = true }, 1 << 19, 1 << 22, 4,
			"512Ki 1Mi 2Mi 4Mi" },
		{ { .scale = AXIS_LOG10 }, 1.01, 1.05, 5, "1.01 1.02 1.03 1.04 1.05" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char got[256] = "";
		struct ticks t = axis_ticks(&rows[i].axis, rows[i].min, rows[i].max, rows[i].most);
		for (size_t k = 0; k < t.n; k++) {
			strcat(got, k ? " " : "");
			strcat(got, t.label[k]);
		}
		size_t used = strlen(got);
		if (t.unit)
			snprintf(got + used, sizeof got - used, " (%s)", t.unit);
		cr_expect(eq(str, got, (char *)rows[i].labels), "row %zu", i);
	}
}

Test(ticks, multiples_of_a_chosen_step)
{
	struct ticks t = ticks_every(-2.5, 5.1, 2.5);
	cr_assert(eq(sz, t.n, 4));
	cr_expect(eq(str, t.label[0], "-2.5"));
	cr_expect(eq(str, t.label[3], "5.0"));
	cr_expect(eq(dbl, t.at[1], 0));
}

Test(ticks, of_an_axis_whose_step_is_chosen)
{
	static const struct {
		enum axis_scale scale;
		double min, max, step;
		const char *labels;
	} rows[] = {
		{ AXIS_LINEAR, 0, 90, 20, "0 20 40 60 80" },
		{ AXIS_LOG10, 0.5, 2000, 1, "1 10 100 1,000" },
		{ AXIS_LOG10, 0.005, 2000, 2, "0.01 1 100" },
		{ AXIS_LOG10, 0.5, 30, TICKS_1_2_5, "0.5 1 2 5 10 20" },
		{ AXIS_LOG10, 4, 50, TICKS_DOUBLING, "5 10 20 40" },
		{ AXIS_LOG2, 1, 600, 3, "1 8 64 512" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char got[256] = "";
		struct axis a = { .scale = rows[i].scale };
		struct ticks t = axis_ticks_every(&a, rows[i].min, rows[i].max, rows[i].step);
		for (size_t k = 0; k < t.n; k++) {
			strcat(got, k ? " " : "");
			strcat(got, t.label[k]);
		}
		cr_expect(eq(str, got, (char *)rows[i].labels), "row %zu", i);
	}
}

Test(ticks, what_is_no_range_has_none)
{
	static const double rows[][2] = { { 1, 1 }, { 2, 1 }, { NAN, 1 }, { 0, NAN },
		{ 0, INFINITY }, { -INFINITY, 0 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		cr_expect(eq(sz, ticks_linear(rows[i][0], rows[i][1], 5).n, 0), "row %zu", i);
		cr_expect(
			eq(sz, ticks_log(rows[i][0], rows[i][1], 10, 5, false).n, 0), "row %zu", i);
	}
	cr_expect(eq(sz, ticks_log(-1, 10, 10, 5, false).n, 0));
}

/* At least two labels, at most those asked for, increasing, inside, all different. */
static void expect_lawful(const struct ticks *t, double min, double max, int most)
{
	cr_assert(t->n >= 2 && t->n <= (size_t)most, "%zu of %d ticks in %.17g .. %.17g", t->n,
		most, min, max);
	for (size_t k = 0; k < t->n; k++) {
		cr_assert(t->at[k] >= min && t->at[k] <= max, "%.17g outside %.17g .. %.17g",
			t->at[k], min, max);
		cr_assert(k == 0 || t->at[k] > t->at[k - 1]);
		cr_assert(k == 0 || strcmp(t->label[k], t->label[k - 1]) != 0,
			"twice %s in %.17g .. %.17g", t->label[k], min, max);
		cr_assert(strpbrk(t->label[k], "eE") == NULL, "noise: %s", t->label[k]);
	}
}

Test(ticks, laws_on_a_hundred_thousand_ranges, .description = "long")
{
	struct rng rng = rng_stream(22, "ticks", 0);
	for (int i = 0; i < 100000; i++) {
		double from = pow(10, -6 + 14 * rng_uniform(&rng));
		double width = from * pow(10, -2 + 4 * rng_uniform(&rng));
		int most = 2 + (int)(9 * rng_uniform(&rng));
		if (rng_uniform(&rng) < 0.3)
			from = -from;
		struct ticks t = ticks_linear(from, from + width, most);
		expect_lawful(&t, from, from + width, most);
		from = fabs(from);
		int base = rng_uniform(&rng) < 0.5 ? 2 : 10;
		t = ticks_log(from, from + width, base, most, base == 2 && i % 2);
		expect_lawful(&t, from, from + width, most);
	}
}
