/* One value bit by bit, and what each format makes of it. */
#include "sims/compression/formats.h"

#include "sims/base/rng.h"

enum { BINARY = 40 };

struct formats_stored formats_store(const struct number_format *f, const double v[])
{
	struct formats_stored s = {
		.f = f, .x = v[FORMATS_VALUE], .scale = number_block_scale(f, v[FORMATS_BLOCK_MAX])
	};
	struct rng r = rng_stream((uint64_t)v[FORMATS_SEED], "line", 0);
	double x = s.x / s.scale;
	bool saturate = v[FORMATS_SATURATE] > 0;
	s.element = v[FORMATS_ROUNDING] > 0
			    ? number_round_stochastic(f, x, saturate, rng_uniform(&r))
			    : number_round(f, x, saturate);
	s.rounded = s.element * s.scale;
	s.code = number_encode(f, s.element, saturate);
	return s;
}

double formats_error(const struct formats_stored *s)
{
	if (s->rounded == s->x)
		return 0;
	return isfinite(s->rounded) ? fabs(s->rounded - s->x) / fabs(s->x) : INFINITY;
}

/* Bits first..first+n of a code, the highest first. */
static const char *binary(struct figure *fig, uint32_t code, int first, int n)
{
	char text[BINARY];
	for (int i = 0; i < n; i++)
		text[i] = code >> (first + n - 1 - i) & 1 ? '1' : '0';
	text[n] = '\0';
	return figure_text(fig, "%s", text);
}

/* --- bits and neighbours ---------------------------------------------------------------- */

static void row_of_scale(const struct formats_stored *s, struct figure *fig, struct table *t)
{
	const struct number_format *f = s->f, *e4m3 = &number_formats[NUMBER_E4M3];
	const char *bits = "FP32", *whom = "the tensor";
	if (f->scale == SCALE_E8M0)
		bits = binary(fig, e8m0_encode(s->scale), 0, 8);
	if (f->scale == SCALE_E4M3)
		bits = binary(fig, number_encode(e4m3, s->scale, true), 0, 8);
	if (f->block)
		whom = figure_text(fig, "%zu numbers", f->block);
	table_row(fig, t,
		(const char *[]){
			"scale", bits, figure_text(fig, "%.8g, for %s", s->scale, whom) });
}

static void table_of_bits(const struct formats_stored *s, struct figure *fig)
{
	static const char *const head[] = { "part", "bits", "worth" };
	const struct number_format *f = s->f;
	int e = f->exponent_bits, m = f->mantissa_bits;
	struct table *t = figure_table(fig, "Bit by bit", head, 3, "000");
	if (number_is_integer(f)) {
		table_row(fig, t,
			(const char *[]){ "integer", binary(fig, s->code, 0, 8),
				formats_digits(fig, s->element, 6) });
	} else {
		uint32_t exponent = s->code >> m & ((1u << e) - 1), full = (1u << m) - 1;
		int power = (int)(exponent ? exponent : 1) - f->bias;
		bool special = !isfinite(s->element);
		table_row(fig, t,
			(const char *[]){ "sign", binary(fig, s->code, e + m, 1),
				s->code >> (e + m) ? "-" : "+" });
		table_row(fig, t,
			(const char *[]){ "exponent", binary(fig, s->code, m, e),
				special ? "the highest: no number"
					: figure_text(fig,
						  exponent ? "2^%d = 2^(%u - %d)"
							   : "2^%d, subnormal",
						  power, exponent, f->bias) });
		table_row(fig, t,
			(const char *[]){ "mantissa", binary(fig, s->code, 0, m),
				special ? formats_digits(fig, s->element, 3)
					: figure_text(fig, "%d + %u/%u", exponent > 0,
						  s->code & full, full + 1) });
	}
	if (f->scale != SCALE_NONE)
		row_of_scale(s, fig, t);
	table_row(fig, t, (const char *[]){ "stored", "", formats_digits(fig, s->rounded, 17) });
	double below = number_below(f, s->x / s->scale) * s->scale;
	double above = number_above(f, s->x / s->scale) * s->scale;
	if (below != above) {
		const char *x = formats_number(fig, s->x);
		table_row(fig, t,
			(const char *[]){ figure_text(fig, "next below %s", x), "",
				formats_digits(fig, below, 17) });
		table_row(fig, t,
			(const char *[]){ figure_text(fig, "next above %s", x), "",
				formats_digits(fig, above, 17) });
	}
}

static void table_of_formats(const double v[], struct figure *fig)
{
	static const char *const head[] = { "format", "stored", "error", "step" };
	struct table *t = figure_table(fig,
		figure_text(fig, "%s in each", formats_number(fig, v[FORMATS_VALUE])), head, 4,
		"0111");
	for (size_t i = 0; i < N_NUMBER_FORMATS; i++) {
		const struct number_format *f = &number_formats[i];
		struct formats_stored s = formats_store(f, v);
		double error = formats_error(&s), step = number_ulp(f, s.x / s.scale) * s.scale;
		const char *off = isfinite(error) ? figure_text(fig, "%s %%",
							    formats_number(fig, 100 * error))
						  : "-";
		table_row(fig, t,
			(const char *[]){ f->name, formats_digits(fig, s.rounded, 6), off,
				figure_text(fig, "%.2g", step) });
	}
}

void formats_draw_bits_subtitle(const struct formats_stored *s, struct figure *fig)
{
	int e = s->f->exponent_bits, m = s->f->mantissa_bits;
	if (number_is_integer(s->f))
		figure_subtitle(fig, "%s · %s", s->f->name, binary(fig, s->code, 0, 8));
	else
		figure_subtitle(fig, "%s · %s %s %s", s->f->name, binary(fig, s->code, e + m, 1),
			binary(fig, s->code, m, e), binary(fig, s->code, 0, m));
}

void formats_draw_bits(const double v[], const struct formats_stored *s, struct figure *fig)
{
	table_of_bits(s, fig);
	table_of_formats(v, fig);
}
