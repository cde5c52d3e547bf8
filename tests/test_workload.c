/* What arrives at a server, and the statistics that its runs are read with. */
#include "sims/base/rng.h"
#include "sims/serving/serving.h"
#include "sims/base/stats.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct {
	struct serving_workload w;
	double gap, gap_cv, prompt, output, output_cv; /* what the law says */
} laws[] = {
	{ { ARRIVALS_POISSON, LENGTHS_FIXED, 1, 1, 512, 256, NULL, 1 }, 1, 1, 512, 256, 0 },
	{ { ARRIVALS_GAMMA, LENGTHS_LOGNORMAL, 3, 0.5, 512, 256, NULL, 1 }, 1, 3, 512, 256, 0.5 },
	/* whole numbers from 1 to 2m - 1; exponential ones rounded up have half a token more */
	{ { ARRIVALS_GAMMA, LENGTHS_UNIFORM, 0.5, 0, 512, 256, NULL, 1 }, 1, 0.5, 512, 256, 0.577 },
	{ { ARRIVALS_POISSON, LENGTHS_EXPONENTIAL, 1, 0, 512, 256, NULL, 1 }, 1, 1, 512.5, 256.5,
		1 },
};

Test(serving, workloads_have_their_means)
{
	enum { N = 40000 };
	for (size_t i = 0; i < COUNT(laws); i++) {
		struct arena a = { 0 };
		struct request *q = workload_requests(&a, &laws[i].w, N);
		static double gaps[N - 1], prompts[N], outputs[N];
		for (size_t k = 0; k < N; k++) {
			if (k > 0)
				gaps[k - 1] = q[k].arrival_s - q[k - 1].arrival_s;
			prompts[k] = q[k].prompt_tokens;
			outputs[k] = q[k].output_tokens;
		}
		double gap = mean_of(gaps, N - 1), output = mean_of(outputs, N);
		cr_expect(q[0].arrival_s == 0);
		cr_expect(epsilon_eq(dbl, gap, laws[i].gap, 0.05), "row %zu", i);
		cr_expect(epsilon_eq(dbl, deviation_of(gaps, N - 1) / gap, laws[i].gap_cv,
				  0.05 * laws[i].gap_cv + 1e-9),
			"row %zu", i);
		cr_expect(epsilon_eq(dbl, mean_of(prompts, N), laws[i].prompt, 8), "row %zu", i);
		cr_expect(epsilon_eq(dbl, output, laws[i].output, 4), "row %zu", i);
		cr_expect(
			epsilon_eq(dbl, deviation_of(outputs, N) / output, laws[i].output_cv, 0.02),
			"row %zu", i);
		arena_release(&a);
	}
}

/* A trace keeps its order and bursts, has a mean gap of one, and begins again at its end. */
Test(serving, traces_begin_again)
{
	static struct request rows[] = { { 3, 7, 5 }, { 3, 8, 6 }, { 9, 9, 7 } };
	struct trace trace = { "t", "t", rows, COUNT(rows), NULL };
	struct serving_workload w = {
		.arrivals = ARRIVALS_TRACE, .lengths = LENGTHS_TRACE, .trace = &trace
	};
	static const double want[] = { 0, 0, 2, 3, 3, 5 };
	struct arena a = { 0 };
	struct request *q = workload_requests(&a, &w, COUNT(want));
	for (size_t i = 0; i < COUNT(want); i++) {
		cr_expect(epsilon_eq(dbl, q[i].arrival_s, want[i], 1e-12), "row %zu", i);
		cr_expect(epsilon_eq(dbl, q[i].prompt_tokens, rows[i % 3].prompt_tokens, 0),
			"row %zu", i);
	}
	arena_release(&a);
}

Test(histogram, quantiles_are_within_a_bin)
{
	enum { N = 20001 };
	static struct histogram h, one;
	static double x[N];
	struct rng r = rng_stream(9, "test", 0);
	for (size_t i = 0; i < N; i++) {
		x[i] = rng_lognormal(&r, 0.02, 2);
		histogram_add(&h, x[i], 1);
	}
	sort_ascending(x, N);
	for (double q = 0.01; q < 1; q += 0.07)
		cr_expect(epsilon_eq(
			dbl, histogram_quantile(&h, q) / quantile_sorted(x, N, q), 1, 0.017));
	histogram_add(&one, 0.0137, 5);
	cr_expect(epsilon_eq(dbl, histogram_quantile(&one, 0.5), 0.0137, 1e-15));
}

/* A row of values is the same as its values one by one, but for one that rounding moves over a
 * bin's edge. */
Test(histogram, rows)
{
	static struct histogram row, single;
	histogram_add_row(&row, 0.01, 0.0003, 1000, 3);
	for (int i = 0; i < 1000; i++)
		histogram_add(&single, 0.01 + 0.0003 * i, 3);
	cr_expect(epsilon_eq(dbl, row.total, single.total, 1e-9));
	for (double q = 0.0003; q <= 1; q += 0.0501)
		cr_expect(epsilon_eq(dbl,
			histogram_quantile(&row, q) / histogram_quantile(&single, q), 1, 1e-3));
}

/* 40 octaves from 2^-24 s to 65,536 s: what lies beyond is in the first and the last bin, and
 * alone there it is exact. The last octave is 32,768 s long, and its last bin a 64th of that,
 * 512: it begins at 65,024. Of 60,000, 61,000 and so on, twenty in all, the 14 from 66,000 to
 * 79,000 are in it, 72,500 on average. */
Test(histogram, ends_by_hand)
{
	static const double values[] = { 1e-12, 0x1p-25, 0x1p-24, 0x1.02p-24, 65535, 65536, 66048,
		131072, 1e9 };
	static struct histogram h;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		h = (struct histogram){ .total = 0 };
		histogram_add(&h, values[i], 1);
		histogram_add(&h, 1, 3);
		cr_expect(eq(dbl, histogram_quantile(&h, values[i] < 1 ? 0.25 : 1), values[i]));
		cr_expect(eq(dbl, histogram_quantile(&h, values[i] < 1 ? 1 : 0.75), 1));
		cr_expect(eq(dbl, h.total, 4));
	}
	h = (struct histogram){ .total = 0 };
	histogram_add_row(&h, 60000, 1000, 20, 2);
	cr_expect(eq(dbl, h.total, 40));
	cr_expect(eq(dbl, histogram_quantile(&h, 0), 60000));
	cr_expect(eq(dbl, histogram_quantile(&h, 5.0 / 20), 64000));
	cr_expect(eq(dbl, histogram_quantile(&h, 1), 72500));
	h = (struct histogram){ .total = 0 };
	cr_expect(isnan(histogram_quantile(&h, 0.5)));
}

/* One value, two, and none. */
Test(stats, few_values_by_hand)
{
	double two[] = { 3, 1 }, alike[] = { 1, 3, 3 };
	cr_expect(eq(sz, largest_of(alike, 3), 1));
	cr_expect(eq(sz, largest_of(two, 2), 0));
	cr_expect(zero(sz, largest_of(two, 0)));
	cr_expect(eq(dbl, quantile_select(two, 2, 0.25), 1.5));
	sort_ascending(two, 2);
	cr_expect(eq(dbl, two[0], 1));
	cr_expect(eq(dbl, quantile_sorted(two, 2, 0.75), 2.5));
	cr_expect(eq(dbl, quantile_sorted(two, 2, 1), 3));
	cr_expect(eq(dbl, quantile_sorted(two, 1, 1), 1));
	cr_expect(isnan(quantile_sorted(two, 0, 1)));
	cr_expect(eq(dbl, mean_of(two, 2), 2));
	cr_expect(isnan(mean_of(two, 0)));
	cr_expect(epsilon_eq(dbl, deviation_of(two, 2), sqrt(2), 1e-15));
	cr_expect(zero(dbl, deviation_of(two, 1)));
}

/* Blom: the normal quantile of (n - 3/8) / (n + 1/4), from its table: 0.7222, 0.9390, 0.99377. */
Test(stats, largest_of_normal_numbers)
{
	cr_expect(zero(dbl, expected_max_normal(1)));
	cr_expect(epsilon_eq(dbl, expected_max_normal(2), 0.5895, 1e-4));
	cr_expect(epsilon_eq(dbl, expected_max_normal(10), 1.5466, 1e-4));
	cr_expect(epsilon_eq(dbl, expected_max_normal(100), 2.4986, 1e-4));
}

/* Requests that are never served wait for ever: a quantile on the last that was served is its wait,
 * one between two that were not has no end. */
Test(stats, selection_among_infinities)
{
	double x[4] = { INFINITY, 1, INFINITY, INFINITY };
	cr_expect(eq(dbl, quantile_select(x, 4, 0), 1));
	cr_expect(quantile_select(x, 4, 0.5) == INFINITY);
	cr_expect(quantile_select(x, 4, 1) == INFINITY);
}

Test(stats, selection_finds_what_sorting_finds)
{
	struct rng r = rng_stream(10, "test", 0);
	for (size_t n = 1; n < 300; n++) {
		double x[300], y[300];
		for (size_t i = 0; i < n; i++)
			x[i] = y[i] = (double)rng_below(&r, 1 + n % 40);
		double q = rng_uniform(&r), largest[300];
		struct top_values top = { .heap = largest, .room = top_room(n, q) };
		for (size_t i = 0; i < n; i++)
			top_add(&top, x[i]);
		sort_ascending(y, n);
		double sorted = quantile_sorted(y, n, q);
		cr_expect(quantile_select(x, n, q) == sorted, "n %zu q %g", n, q);
		cr_expect(top_quantile(&top, n, q) == sorted, "n %zu q %g, of a stream", n, q);
	}
}
