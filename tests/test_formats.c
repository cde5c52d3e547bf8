/* The simulation of number formats, and the sums and gradients that it is made of. */
#include "sims/base/array.h"
#include "sims/formulas/formats.h"
#include "sims/compression/loss_scaling.h"
#include "sims/compression/summation.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/sim_run.h"
#include "ui/views/grid.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

enum { N = 4096 };

/* The value of a figure at settings, separated by blanks; NAN where the figure has no value with
 * that id. */
static double value_at(const struct tables *t, const char *settings, const char *id)
{
	return sim_number(sim_find("formats"), t, settings, id);
}

Test(formats, values_by_hand)
{
	static const struct {
		const char *settings, *id;
		double value;
	} rows[] = {
		{ "value=0.1 format=bf16", "rounded", 0.10009765625 },
		{ "value=0.1 format=bf16", "ulp", 0x1p-11 },
		{ "value=-0.1 format=fp16", "rounded", -0.0999755859375 },
		{ "value=1e-8 format=fp16", "rounded", 0 }, /* below 2^-25 */
		{ "value=1e-8 format=fp16", "error_pct", 100 },
		{ "value=1e-7 format=fp16", "rounded", 0x1p-23 }, /* two steps of 2^-24 */
		{ "value=1e-7 format=bf16", "error_pct",
			0.117176771 }, /* 1.6777 x 2^-24 to 1.6797 */
		{ "value=70000 format=fp16", "rounded", INFINITY },
		{ "value=70000 format=fp16 saturate=on", "rounded", 65504 },
		{ "value=500 format=e4m3 saturate=on", "rounded", 448 },
		{ "value=500 format=e5m2", "rounded", 512 },
		{ "value=0.3 format=mxfp4 block_max=1", "rounded", 0.25 }, /* 1.2 of 1/4: 1 */
		{ "value=0.3 format=mxfp4 block_max=1", "block_scale", 0.25 },
		{ "value=0.3 format=nvfp4 block_max=1", "rounded",
			0.2578125 }, /* 1.745 of 11/64 to 1.5 */
		{ "value=0.3 format=int8 block_max=1.27", "rounded", 0.3 },
		{ "format=e4m3", "max", 448 },
		{ "format=fp16", "codes", 65536 },
		{ "format=tf32", "codes", 524288 },
		{ "format=nvfp4", "bits_per_value", 4.5 },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double got = value_at(&t, rows[i].settings, rows[i].id), want = rows[i].value;
		cr_expect(isinf(want) ? got == want : fabs(got - want) < 1e-6 * fabs(want) + 1e-30,
			"%s %s: %.12g, not %.12g", rows[i].settings, rows[i].id, got, want);
	}
	cr_expect(isnan(value_at(&t, "value=500 format=e4m3", "rounded")), "no infinity: NaN");
	tables_release(&t);
}

/* 0.1 in E4M3 is 13/128, at the end of a stretch of the line: its mark takes the place of the number, of
 * which there is but one. */
Test(formats, the_mark_stands_on_its_number)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("formats"), &t, "format=e4m3 value=0.1 zoom=32");
	const struct grid *g = &fig.blocks[0]->as.grid;
	size_t lit = 0;
	for (size_t col = 0; col < g->cols; col++)
		lit += g->means[g->cells[g->focus * g->cols + col]] != MEANS_EMPTY;
	cr_expect(eq(sz, lit, 1));
	figure_release(&fig);
	tables_release(&t);
}

static const struct plot *plot_titled(const struct figure *fig, const char *title)
{
	const struct plot *found = NULL;
	for (size_t i = 0; i < fig->n_blocks; i++)
		if (fig->blocks[i]->kind == BLOCK_PLOT &&
			strcmp(fig->blocks[i]->as.plot.title, title) == 0)
			found = &fig->blocks[i]->as.plot;
	cr_assert(found != NULL, "no plot is called %s", title);
	return found;
}

/* A window of zoom 1 reaches from 0 to twice its value. Numbers up to 10^15 are written as they are, and
 * so are those from 10^-9 on; what is larger or smaller throughout counts in a power of ten, which its
 * title says. */
Test(formats, an_axis_of_long_numbers_counts_in_powers_of_ten)
{
	static const struct {
		double value, unit;
		const char *title;
	} rows[] = {
		{ 4.99e14, 1, "Value" },
		{ 5e14, 1e15, "Value / 1e15" },
		{ -5e14, 1e15, "Value / 1e15" },
		{ 3e20, 1e20, "Value / 1e20" },
		{ 5e-10, 1, "Value" },
		{ 4.9e-10, 1e-10, "Value / 1 x 10^-10" },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char settings[80];
		snprintf(settings, sizeof settings, "format=fp32 zoom=1 value=%g", rows[i].value);
		struct figure fig = sim_run(sim_find("formats"), &t, settings);
		const struct plot *p = plot_titled(&fig, "How far the next number is");
		cr_expect(eq(str, (char *)p->x.title, (char *)rows[i].title));
		double end = 2 * rows[i].value / rows[i].unit;
		cr_expect(epsilon_eq(dbl, p->x.min, fmin(0, end), 1e-9), "%s", settings);
		cr_expect(epsilon_eq(dbl, p->x.max, fmax(0, end), 1e-9), "%s", settings);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* --- sums --------------------------------------------------------------------------------- */

static double add(enum number_format_id id, enum sum_order order, const double *x, size_t n)
{
	static double room[65536];
	struct adder a = adder_of(&number_formats[id], x, n);
	return sum_in(&a, order, x, n, room);
}

/* A sum is drawn twice in each doubling of its terms, and at its end once, wherever that lies. */
Test(formats, a_sum_is_drawn_twice_in_each_doubling)
{
	static const struct {
		size_t n;
		double stops[12];
	} rows[] = {
		{ 16, { 1, 2, 3, 4, 6, 8, 12, 16 } },
		{ 24, { 1, 2, 3, 4, 6, 8, 12, 16, 24 } },
		{ 25, { 1, 2, 3, 4, 6, 8, 12, 16, 24, 25 } },
		{ 33, { 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 33 } },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char settings[40];
		snprintf(settings, sizeof settings, "view=sum n=%zu", rows[i].n);
		struct figure fig = sim_run(sim_find("formats"), &t, settings);
		const struct series *s = &plot_titled(&fig, "The running sum")->series[0];
		size_t k = 0;
		for (; k < s->n; k++)
			cr_expect(eq(dbl, s->points[k].x, rows[i].stops[k]), "%s", settings);
		cr_expect(eq(dbl, s->points[k - 1].x, (double)rows[i].n), "%s", settings);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* What is added shares a scale, by the largest magnitude wherever it stands: in MXFP4, whose
 * largest number is 6 = 1.5 x 2^2, 24 = 1.5 x 2^4 takes 2^(4 - 2). */
Test(formats, the_largest_sets_the_scale)
{
	static const double rows[][3] = { { 24, 1, 2 }, { 1, 24, 2 }, { 1, 2, -24 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(dbl, adder_of(&number_formats[NUMBER_MXFP4], rows[i], 3).scale, 4));
	cr_expect(eq(dbl, adder_of(&number_formats[NUMBER_MXFP4], (double[]){ 0 }, 1).scale, 1));
}

/* F4.2: counting up stops where 1 is half a step. */
Test(formats, counting_stops_where_the_formula_says)
{
	static const enum number_format_id ids[] = { NUMBER_E5M2, NUMBER_E4M3, NUMBER_BF16,
		NUMBER_FP16, NUMBER_TF32 };
	static double ones[5000];
	for (size_t i = 0; i < 5000; i++)
		ones[i] = 1;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		const struct number_format *f = &number_formats[ids[i]];
		struct adder a = adder_of(f, ones, 5000);
		size_t lost;
		double limit = CALL(counting_limit, .mantissa_bits = f->mantissa_bits);
		cr_expect(eq(dbl, sum_counting_lost(&a, ones, 5000, &lost), limit), "%s", f->name);
		cr_expect(eq(dbl, (double)lost, 5000 - limit), "%s", f->name);
	}
	cr_expect(eq(dbl, add(NUMBER_FP32, SUM_NAIVE, ones, 5000), 5000));
	cr_expect(eq(dbl, add(NUMBER_BF16, SUM_PAIRWISE, ones, N), N), "powers of two all the way");
	cr_expect(eq(dbl, add(NUMBER_BF16, SUM_KAHAN, ones, N), N));
	cr_expect(eq(dbl, add(NUMBER_BF16, SUM_WIDE, ones, N), N));
}

/* E34: an update of 0.001 is far above BF16's first number, and a weight of 1 never moves. */
Test(formats, updates_are_absorbed)
{
	struct tables t = load_tables();
	const char *naive = "view=sum data=updates value=0.001 format=bf16 n=1024";
	cr_expect(eq(dbl, value_at(&t, naive, "sum"), 1));
	cr_expect(eq(dbl, value_at(&t, naive, "lost_pct"), 100.0 * 1023 / 1024));
	/* 1 + 1023 x 0.001 (0.00099945 in BF16) is 2.0224; the nearest BF16 is 2.015625. */
	cr_expect(eq(dbl,
		value_at(&t, "view=sum data=updates value=0.001 format=bf16 n=1024 order=wide",
			"sum"),
		2.015625));
	/* Stochastic rounding keeps them on average: the deviation of 1,024 steps of 1/128, each
	 * taken with probability 1/8, is 0.08. */
	double sum = 0;
	for (int seed = 0; seed < 20; seed++) {
		char text[128];
		snprintf(text, sizeof text, "%s rounding=stochastic seed=%d", naive, seed);
		sum += value_at(&t, text, "sum") / 20;
	}
	cr_expect(epsilon_eq(dbl, sum, 2.0224, 4 * 0.083 / sqrt(20)));
	tables_release(&t);
}

Test(formats, exact_sum_is_exact)
{
	/* Multiples of 2^-24 below 2^24 add up exactly in 64 bits. */
	struct rng r = rng_stream(1, "exact", 0);
	static double x[N];
	int64_t sum = 0;
	for (size_t i = 0; i < N; i++) {
		int64_t k = (int64_t)rng_below(&r, (uint64_t)1 << 48) - ((int64_t)1 << 47);
		x[i] = (double)k * 0x1p-24;
		sum += k;
	}
	cr_expect(eq(dbl, sum_exact(x, N), (double)sum * 0x1p-24));
	double cancelling[] = { 1e30, 1, -1e30, 1e-3 };
	cr_expect(eq(dbl, sum_exact(cancelling, 4), 1.001));
}

/* Higham's bounds, for terms of one sign: depth x 2^-(m + 1), to first order. */
Test(formats, errors_stay_within_their_bounds)
{
	static const enum number_format_id ids[] = { NUMBER_BF16, NUMBER_FP16, NUMBER_TF32,
		NUMBER_FP32 };
	static double x[N], room[N];
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		for (uint64_t seed = 0; seed < 10; seed++) {
			const struct number_format *f = &number_formats[ids[i]];
			double unit = number_epsilon(f) / 2;
			sum_terms(x, N, f, DATA_UNIFORM, 0, seed);
			struct adder a = adder_of(f, x, N);
			double exact = sum_exact(x, N), error[N_SUM_ORDERS];
			for (int order = 0; order < N_SUM_ORDERS; order++) {
				error[order] = fabs(
					sum_in(&a, (enum sum_order)order, x, N, room) / exact - 1);
				double bound = unit * sum_depth((enum sum_order)order, N);
				bound += order == SUM_WIDE ? N * 0x1p-24 : 0;
				bound += order == SUM_KAHAN ? N * unit * unit : 0;
				cr_expect(error[order] <= bound * 1.1, "%s %d: %g, bound %g",
					f->name, order, error[order], bound);
			}
			cr_expect(error[SUM_KAHAN] <= error[SUM_NAIVE] + unit, "%s", f->name);
		}
}

Test(formats, double_rounding_does_not_show)
{
	/* A float sum of floats is the double sum rounded once more: the machine's own addition. */
	struct rng r = rng_stream(2, "float", 0);
	struct rounder fp32 = rounder_of(&number_formats[NUMBER_FP32], false);
	for (int i = 0; i < 100000; i++) {
		float a = (float)ldexp(rng_uniform(&r) - 0.5, (int)rng_below(&r, 40));
		float b = (float)ldexp(rng_uniform(&r) - 0.5, (int)rng_below(&r, 40));
		volatile float sum = a + b;
		cr_assert(rounder_nearest(&fp32, (double)a + (double)b) == (double)sum, "%a %a", a,
			b);
	}
}

/* --- gradients ---------------------------------------------------------------------------- */

Test(formats, shares_against_the_closed_form)
{
	static const double scales[] = { 1, 16, 1024, 65536 };
	static double g[16384], scaled[16384];
	static unsigned char fates[16384];
	const struct gradients what = { 2.5e-7, 4 };
	const struct number_format *f = &number_formats[NUMBER_FP16];
	gradients_draw(&what, g, 16384, 5);
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
		double shares[N_FATES], sum = 0;
		gradients_fates(f, g, 16384, scales[i], scaled, fates);
		fate_shares(fates, 16384, shares);
		for (int k = 0; k < N_FATES; k++)
			sum += shares[k];
		double want = gradients_zero_share(&what, f, scales[i]);
		cr_expect(epsilon_eq(dbl, sum, 1, 1e-12));
		cr_expect(epsilon_eq(dbl, shares[FATE_ZERO], want,
				  4 * sqrt(want * (1 - want) / 16384) + 1e-4),
			"%g: %g, not %g", scales[i], shares[FATE_ZERO], want);
	}
	/* By hand: at scale 1 the threshold 2^-25 is 3.07 octaves below 2.5e-7, 0.767
	 * deviations. */
	cr_expect(epsilon_eq(dbl, gradients_zero_share(&what, f, 1), 0.2215, 0.001));
}

Test(formats, more_scale_less_underflow_more_overflow)
{
	struct tables t = load_tables();
	static const char *const formats[] = { "fp16", "e4m3", "e5m2", "bf16", "mxfp4" };
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		double zero = 100, over = 0;
		for (int octave = 0; octave <= 24; octave += 4) {
			char text[128];
			snprintf(text, sizeof text, "view=gradients format=%s scale=%.0f",
				formats[i], exp2(octave));
			double now_zero = value_at(&t, text, "underflow_pct");
			double now_over = value_at(&t, text, "overflow_pct");
			cr_expect(now_zero <= zero && over <= now_over, "%s", text);
			zero = now_zero;
			over = now_over;
		}
	}
	tables_release(&t);
}

/* C16 and F4.3: a loss of 0.5 times 1,024; the largest scale from the largest gradient. */
Test(formats, loss_scaling_of_the_formula_sheet)
{
	struct tables t = load_tables();
	cr_expect(
		eq(dbl, value_at(&t, "view=gradients format=fp16 scale=1024", "scaled_loss"), 512));
	double limit = value_at(&t, "view=gradients format=fp16", "scale_limit");
	cr_expect(epsilon_eq(dbl, CALL(loss_scale_limit, .largest_gradient = 65504 / limit), limit,
		1e-9 * limit));
	tables_release(&t);
}

/* E59: 65,536 at the start, doubled after 2,000 clean steps, halved by an overflow. */
Test(formats, scaler_as_the_formula_says)
{
	struct loss_scaler s = { 65536, 0, 2000 };
	for (int i = 0; i < 4000; i++)
		loss_scaler_step(&s, false);
	cr_expect(eq(dbl, s.scale, 262144));
	loss_scaler_step(&s, true);
	cr_expect(eq(dbl, s.scale,
		CALL(dynamic_loss_scale, .start_scale = 65536, .clean_steps = 4000,
			.growth_interval = 2000, .overflows = 1)));
	for (int i = 0; i < 1999; i++)
		loss_scaler_step(&s, false);
	cr_expect(eq(dbl, s.scale, 131072), "an overflow starts the count anew");
	loss_scaler_step(&s, false);
	cr_expect(eq(dbl, s.scale, 262144));
}

/* BF16 has FP32's range: there is nothing for a scale to do. */
Test(formats, bf16_needs_no_scale)
{
	struct tables t = load_tables();
	cr_expect(eq(dbl, value_at(&t, "view=gradients format=bf16 scale=1", "underflow_pct"), 0));
	cr_expect(eq(dbl, value_at(&t, "view=gradients format=bf16 scale=1", "subnormal_pct"), 0));
	cr_expect(lt(dbl, 20, value_at(&t, "view=gradients format=fp16 scale=1", "underflow_pct")));
	cr_expect(lt(
		dbl, value_at(&t, "view=gradients format=fp16 scale=65536", "underflow_pct"), 0.1));
	tables_release(&t);
}

/* BF16 around 0.1, between 0.096875 and 0.103125: steps of 2^-11, from the 199th to the 211th, are 13
 * numbers; a cell has one of them or none, each of FP32's has thousands, and every row has its own
 * value in one cell. */
Test(formats, a_coarse_format_looks_coarse)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("formats"), &t, "format=bf16 value=0.1 zoom=32");
	cr_assert(eq(int, (int)fig.blocks[0]->kind, BLOCK_GRID));
	const struct grid *g = &fig.blocks[0]->as.grid;
	/* Always in this order, whichever is chosen. */
	cr_assert(eq(sz, g->rows, 4));
	cr_assert(eq(str, (char *)g->row_names[0], "FP32"));
	cr_assert(eq(str, (char *)g->row_names[2], "BF16"));
	cr_expect(eq(dbl, g->lo, 0.1 - 0.1 / 32));
	cr_expect(eq(dbl, g->hi, 0.1 + 0.1 / 32));
	cr_assert(eq(str, (char *)g->row_names[g->focus], "BF16"));
	/* 0.10009765625 instead of 0.1 */
	cr_expect(eq(str, (char *)g->row_notes[2], "0.0977 %"));
	cr_expect(eq(dbl, g->wanted, 0.1));
	cr_expect(eq(str, (char *)g->wanted_text, "0.1"));
	cr_expect(eq(str, (char *)g->kept_text, "0.100098"));
	size_t lit[3] = { 0 };
	for (size_t row = 0; row < g->rows; row++) {
		size_t values = 0;
		for (size_t col = 0; col < g->cols; col++) {
			unsigned kind = g->cells[row * g->cols + col];
			values += g->means[kind] == MEANS_FOCUS;
			if (row < 3)
				lit[row] += g->means[kind] != MEANS_EMPTY;
		}
		cr_expect(eq(sz, values, 1), "%s", g->row_names[row]);
	}
	cr_expect(eq(sz, lit[2], 13));
	cr_expect(eq(sz, lit[0], g->cols));
	figure_release(&fig);
	/* One that is not among the others comes before them. */
	fig = sim_run(sim_find("formats"), &t, "format=tf32");
	cr_expect(eq(sz, fig.blocks[0]->as.grid.rows, 5));
	cr_expect(eq(str, (char *)fig.blocks[0]->as.grid.row_names[0], "TF32"));
	cr_expect(zero(sz, fig.blocks[0]->as.grid.focus));
	figure_release(&fig);
	tables_release(&t);
}

/* The column of a code in the row of a canvas that begins with a name; -1: there is none. */
static int column_of(const struct canvas *cv, const char *name, uint32_t code)
{
	for (int row = 0; row < cv->rows; row++) {
		const struct cell *cells = &cv->cells[row * cv->cols];
		size_t same = 0;
		while (name[same] && cells[same].code == (unsigned char)name[same])
			same++;
		for (int col = 0; !name[same] && col < cv->cols; col++)
			if (cells[col].code == code)
				return col;
	}
	return -1;
}

/* What is further off stands further from the rule. 32 times around 0.1 is 0.00625, and 33 to 77 columns
 * of it are 1.9e-4 to 8.1e-5 each. FP16 keeps 0.1 with 2.4e-5 less, under half a column always; BF16 with
 * 9.8e-5 more, which is more than half of one; E4M3 with 1.6e-3 more. */
Test(formats, marks_stand_in_the_order_of_their_errors)
{
	enum { ROWS = 14, BESIDE = 23 }; /* the longest name, the longest note, and blanks */
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("formats"), &t, "format=bf16 value=0.1 zoom=32");
	for (int cols = BESIDE + 33; cols <= BESIDE + 78; cols++) {
		struct canvas cv;
		cr_assert(zero(int, canvas_init(&cv, ROWS, cols, GLYPHS_ASCII)));
		grid_draw(&cv, (struct rect){ 0, 0, ROWS, cols }, &fig.blocks[0]->as.grid, NAN);
		int rule = column_of(&cv, "FP8 E4M3", ':');
		cr_assert(le(int, 0, rule), "%d columns", cols);
		cr_expect(eq(int, column_of(&cv, "FP32", '*'), rule), "%d columns", cols);
		cr_expect(eq(int, column_of(&cv, "FP16", '*'), rule), "%d columns", cols);
		int coarse = column_of(&cv, "BF16", '*');
		cr_expect(lt(int, rule, coarse), "%d columns", cols);
		cr_expect(lt(int, coarse, column_of(&cv, "FP8 E4M3", '*')), "%d columns", cols);
		canvas_release(&cv);
	}
	figure_release(&fig);
	tables_release(&t);
}

/* 200 times around 0.1 is from 0.0995 to 0.1005: BF16 has its 0.100098 there and the number before, 2^-11
 * less; FP16 has 1,631 to 1,646 times its step of 2^-14. E4M3 keeps 0.1015625, which is beyond. */
Test(formats, a_narrow_window_says_where_the_others_are)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("formats"), &t, "");
	const struct grid *g = &fig.blocks[0]->as.grid;
	cr_expect(eq(str, (char *)g->row_notes[3], "→ 0.1016"));
	size_t coarse = 0, fine = 0;
	for (size_t col = 0; col < g->cols; col++) {
		coarse += g->cells[2 * g->cols + col] > 0;
		fine += g->cells[g->cols + col] > 0;
	}
	cr_expect(eq(sz, coarse, 2));
	cr_expect(eq(sz, fine, 16));
	figure_release(&fig);
	tables_release(&t);
}

/* FP32's 0.1 is 0.100000001490: nine digits are the first that tell it from 0.1. BF16's are six, as
 * everywhere else. */
Test(formats, what_is_stored_is_told_from_the_value)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("formats"), &t, "");
	const struct table *all = &figure_block(&fig, BLOCK_TABLE, "In each")->as.table;
	cr_expect(eq(str, (char *)all->rows[0][1], "0.100000001"));
	cr_expect(strstr(fig.why, "keeps 0.1 as 0.100098") != NULL, "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

/* Numbers between 2^e and 2^(e+1) lie 2^(e-m) apart. 0.1 is from 2^-4 on: in BF16 (m = 7) 2^-11,
 * 0.000488, in FP16 (m = 10) 2^-14, 0.000061, an eighth; in FP32 (m = 23) 2^-27, 7.45e-9, 2^13 times
 * closer than FP16's. FP16 has none for 1,000,000, which is from 2^19 on: BF16's steps are 2^12 there, and
 * 244 of them are 999,424. */
Test(formats, the_sentence_says_how_far_apart_numbers_lie)
{
	static const char *const rows[][2] = {
		{ "", "BF16 keeps 0.1 as 0.100098: its numbers lie 8 times farther apart "
		      "than FP16's." },
		{ "format=fp16", "FP16 keeps 0.1 as 0.0999756: its numbers lie 8 times "
				 "closer together than BF16's." },
		{ "format=fp32", "FP32 keeps 0.1 as 0.100000001: its numbers lie 8,192 "
				 "times closer together than FP16's." },
		{ "value=1e6", "BF16 keeps 1,000,000 as 999,424: its numbers lie "
			       "4,096 apart there." },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct figure fig = sim_run(sim_find("formats"), &t, rows[i][0]);
		cr_expect(eq(str, (char *)fig.why, (char *)rows[i][1]));
		figure_release(&fig);
	}
	tables_release(&t);
}

/* 0.1 is 1.6 x 2^-4: the exponent is 123, in 8 bits 01111011, and of 0.6 x 128 = 76.8 the mantissa
 * keeps 77, 1001101. FP32 has 32 bits, in two rows; its mantissa is 0.6 x 2^23 = 5,033,164.8. */
Test(formats, the_bits_of_the_chosen_format)
{
	static const char bits[] = "0011110111001101";
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("formats"), &t, "format=bf16 value=0.1");
	cr_assert(eq(str, (char *)block_name(fig.blocks[1]), "Bits"));
	const struct grid *g = &fig.blocks[1]->as.grid;
	cr_expect(eq(str, (char *)g->title, "0.100098 in BF16: + 2^-4 x (1 + 77/128)"));
	cr_assert(eq(sz, g->rows, 1));
	cr_assert(eq(sz, g->cols, 16));
	for (size_t i = 0; i < 16; i++) {
		enum meaning means = i == 0 ? MEANS_HELD : i < 9 ? MEANS_COMPUTE : MEANS_TRAFFIC;
		cr_expect(eq(int, g->notes[i].number, 1 + (bits[i] == '1')), "bit %zu", i);
		cr_expect(eq(int, (int)g->means[g->cells[i]], (int)means), "bit %zu", i);
	}
	figure_release(&fig);
	fig = sim_run(sim_find("formats"), &t, "format=fp32 value=0.1");
	g = &fig.blocks[1]->as.grid;
	cr_expect(eq(sz, g->rows, 2));
	cr_expect(eq(sz, g->cols, 16));
	cr_expect(strstr(g->title, "0.100000001 in FP32: + 2^-4 x (1 + 5033165/8388608)") != NULL,
		"%s", g->title);
	figure_release(&fig);
	fig = sim_run(sim_find("formats"), &t, "format=e4m3 value=500");
	cr_expect(eq(str, (char *)fig.blocks[1]->as.grid.title, "FP8 E4M3 keeps no number: NaN"));
	figure_release(&fig);
	tables_release(&t);
}

/* 4,096 numbers between 0 and 1, 0.5 on average. From 256 on a BF16 sum has steps of 2, and half a step is
 * more than any of them: it ends there. An FP16 sum has steps of 1 from 1,024 on: terms below a half are lost,
 * those above it count for 1, and the sum comes out right. It does not "stop" at more than it should be. */
Test(formats, a_sum_that_comes_out_is_not_said_to_stop)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("formats"), &t, "view=sum format=bf16");
	char same[32];
	snprintf(same, sizeof same, "%.3g %% of the additions", figure_number(&fig, "lost_pct"));
	cr_expect(strstr(fig.why, same) == fig.why, "%s: %s", same, fig.why);
	cr_expect(strstr(fig.why, ", and it ends at 256 of 2,030.") != NULL, "%s", fig.why);
	figure_release(&fig);
	fig = sim_run(sim_find("formats"), &t, "view=sum format=fp16");
	cr_expect(strstr(fig.why, " here that nearly cancels, off by ") != NULL, "%s", fig.why);
	figure_release(&fig);
	fig = sim_run(sim_find("formats"), &t, "view=sum format=bf16 order=sorted");
	cr_expect(strstr(fig.why, "which helps nothing here: off by ") != NULL, "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

/* The range of BF16 is from 2^-133, its least subnormal, to 3.39e38, with 8 bits of a number right: 2.41
 * digits, which is what the value says. */
Test(formats, a_range_has_the_digits_of_the_value)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("formats"), &t, "format=bf16");
	const struct bars *b = &figure_block(&fig, BLOCK_BARS, "Range")->as.bars;
	cr_expect(b->mirrored);
	cr_expect(epsilon_eq(dbl, figure_number(&fig, "digits"), 8 * log10(2), 1e-9));
	cr_expect(eq(str, (char *)b->bars[2].label, "BF16"));
	/* Formats stand in the order of the other pictures: FP32, FP16, BF16. 133 log10 2 = 40.04; log10 3.39e38 = 38.5,
	 * just above. */
	cr_expect(eq(str, (char *)b->bars[2].note, "-40 to 38.5, 2.4 digits"));
	cr_expect(epsilon_eq(dbl, b->bars[2].parts[0], 133 * log10(2), 1e-9));
	cr_expect(epsilon_eq(dbl, b->bars[2].parts[1], log10(3.3895e38), 1e-4));
	figure_release(&fig);
	tables_release(&t);
}
