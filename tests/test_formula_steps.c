/* Formulas worked at a whiteboard: two by hand, and for all of them that each step is right as it is
 * written and the end is near the formula's value. */
#include "sims/base/rng.h"
#include "sims/formulas/call.h"
#include "sims/formulas/formula_steps.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

enum { MOST_ARGS = 16 };

static void expect_steps_near(const char *id, const double args[], double near, const char *want)
{
	char text[1024];
	const struct formula *f = formula_find(id);
	cr_assert(f != NULL, "%s", id);
	cr_expect(eq(str, formula_steps(f, args, near, text, sizeof text), (char *)want));
}

static void expect_steps(const char *id, const double args[], const char *want)
{
	expect_steps_near(id, args, 0.05, want);
}

/* 6 x 7e9 = 42e9, of 1e12 tokens 42e21; 312 is 310, 64 x 310 x 0.4 = 7,936; 42 / 7.9 = 5.316. 5.3e6 s
 * over 86,400 s are 61.3 days. */
Test(formula_steps, by_hand)
{
	/* params, tokens, gpus, peak_flops, utilisation */
	expect_steps("training_time", (const double[]){ 7e9, 1e12, 64, 312e12, 0.4 },
		"6 x 7e9 x 1e12 = 42e21; 64 x 310e12 x 0.4 = 7.9e15; 42e21 / 7.9e15 = 5.3e6 s, or "
		"61.3 d");
	/* layers, kv_heads, head_dim, tokens, bytes_per_value: 2 x 80 x 8 x 128 = 163,840 */
	expect_steps("kv_cache_bytes", (const double[]){ 80, 8, 128, 8192, 2 },
		"2 x 80 x 8 x 128 = 164,000; 164,000 x 8,200 x 2 = 2.7e9 B, or 2.7 GB");
	/* gpus, hours, price: 259,200 s are 72 h; a difference has a digit more: 274.9 - 105 */
	expect_steps("training_cost", (const double[]){ 64, 259200, 10.2 },
		"260,000 / 3,600 = 72; 64 x 72 x 10 = $46,000");
	expect_steps("dense_gpu_rate", (const double[]){ 274.9e12, 105e12 },
		"275e12 - 105e12 = 170e12; 170e12 / 2 = 85e12 FLOP/s, or 85 TFLOP/s");
	/* serial, workers: 1 / (0.02 + 0.98 / 64), where 0.98 / 64 = 0.0153; 1 / 0.035 = 28.57 */
	expect_steps("amdahl_speedup", (const double[]){ 0.02, 64 },
		"1 - 0.02 = 0.98; 0.98 / 64 = 0.0153; 0.02 + 0.0153 = 0.035; 1 / 0.035 = 28.6");
}

/* 163,840 x 8192 x 2 = 2,684,354,560. 2.7e9 is 0.6 % more: 164 x 8.19 x 2 = 2,686.3. At 0.05 % 2.68 GB, 0.16 %
 * less, will not do either. */
Test(formula_steps, has_the_digits_that_are_asked_for)
{
	const double args[] = { 80, 8, 128, 8192, 2 };
	expect_steps_near("kv_cache_bytes", args, 0.005,
		"2 x 80 x 8 x 128 = 164,000; 164,000 x 8,190 x 2 = 2.686e9 B, or 2.69 GB");
	expect_steps_near("kv_cache_bytes", args, 0.0005,
		"2 x 80 x 8 x 128 = 163,840; 163,840 x 8,192 x 2 = 2.6844e9 B, or 2.684 GB");
}

/* What rounds to a whole number is worked out finely enough for that number: 99.96 is not 100, which
 * would be a block less than 100.01. */
Test(formula_steps, a_count_is_exact)
{
	/* tokens, block_tokens: 1,601 / 16 = 100.06 */
	expect_steps("paging_blocks", (const double[]){ 1601, 16 },
		"1,601 / 16 = 100.06; ceil(100.06) = 101");
}

/* --- A step as it is written, computed anew --- */

static double value_of(const char **at);

static double call_of(const char *name, size_t n, double a, double b)
{
	static const struct {
		const char *name;
		double (*one)(double);
	} known[] = { { "ceil", ceil }, { "floor", floor }, { "round", rint }, { "abs", fabs },
		{ "sqrt", sqrt }, { "exp", exp }, { "ln", log }, { "log2", log2 },
		{ "log10", log10 }, { "erfc", erfc }, { "H", harmonic_number } };
	for (size_t i = 0; i < COUNT(known); i++)
		if (strlen(known[i].name) == n && strncmp(known[i].name, name, n) == 0)
			return known[i].one(a);
	if (strncmp(name, "Erlang C", n) == 0)
		return erlang_c(a, b);
	return strncmp(name, "max", n) == 0 ? fmax(a, b) : fmin(a, b);
}

static double operand_of(const char **at)
{
	while (**at == ' ')
		(*at)++;
	if (isalpha((unsigned char)**at)) {
		const char *name = *at;
		size_t n = strcspn(name, "(");
		*at += n + 1;
		double a = value_of(at), b = **at == ',' ? (++*at, value_of(at)) : NAN;
		++*at;
		return call_of(name, n, a, b);
	}
	if (**at == '(') {
		++*at;
		double inner = value_of(at);
		++*at;
		return inner;
	}
	*at += **at == '$';
	/* "164,000", but not the comma of "max(1,000, 2)". */
	char plain[64], *end;
	size_t n = 0, used = 0;
	for (; n + 1 < sizeof plain && strchr("0123456789.,e-+", (*at)[used]) && (*at)[used];
		used++)
		if ((*at)[used] != ',')
			plain[n++] = (*at)[used];
		else if (!isdigit((unsigned char)(*at)[used + 1]))
			break;
	plain[n] = '\0';
	const double x = strtod(plain, &end);
	cr_assert(end > plain && !*end, "%s", *at);
	*at += used;
	return x;
}

/* Of one kind of sign; from left to right. */
static double value_of(const char **at)
{
	double x = operand_of(at);
	for (;;) {
		while (**at == ' ')
			(*at)++;
		char sign = **at;
		if (!strchr("x/+-^", sign) || !sign)
			return x;
		++*at;
		double y = operand_of(at);
		x = sign == 'x'   ? x * y
		    : sign == '/' ? x / y
		    : sign == '+' ? x + y
		    : sign == '-' ? x - y
				  : pow(x, y);
	}
}

/* Returns what the steps come to. */
static double follow(const struct formula *f, const char *text)
{
	const char *at = text;
	double last = NAN;
	for (;;) {
		if (strncmp(at, "so ", 3) == 0) {
			at += 3;
			last = operand_of(&at);
			return last;
		}
		double left = value_of(&at);
		cr_assert(strncmp(at, "= ", 2) == 0, "%s: \"%s\" in \"%s\"", f->id, at, text);
		at += 2;
		last = operand_of(&at);
		cr_expect(le(dbl, fabs(left - last), 0.026 * fabs(last) + 1e-12),
			"%s: %g is %g in \"%s\"", f->id, left, last, text);
		if (strncmp(at, "; ", 2) != 0)
			return last;
		at += 2;
	}
}

/* A step that stands there twice. */
static bool repeats(const char *text)
{
	for (const char *at = text; (at = strstr(at, "; ")) != NULL;) {
		at += 2;
		const size_t n = strcspn(at, ";");
		for (const char *before = text; before + n < at; before++)
			if (strncmp(before, at, n) == 0 && before[n] == ';' &&
				(before == text || before[-1] == ' '))
				return true;
	}
	return false;
}

/* Values as problems have them: across the domain, round or not. */
static double drawn(const struct formula_param *p, struct rng *r)
{
	double low = fmax(p->min, p->example / 30), high = fmin(p->max, p->example * 30);
	if (!(low > 0 && high > low))
		return p->example;
	double x = low * pow(high / low, rng_uniform(r));
	return p->example == floor(p->example) && x > 1 ? fmin(rint(x), p->max) : x;
}

Test(formula_steps, each_step_is_right_and_the_end_is_near, .timeout = 120)
{
	struct rng r = rng_stream(3, "steps", 0);
	size_t written = 0, all = 0;
	for (size_t i = 0; i < n_formulas; i++)
		for (size_t k = 0; k < 40; k++) {
			const struct formula *f = &formulas[i];
			double args[MOST_ARGS];
			char text[2048];
			cr_assert(le(sz, f->n_params, MOST_ARGS));
			for (size_t p = 0; p < f->n_params; p++)
				args[p] = k ? drawn(&f->params[p], &r) : f->params[p].example;
			double exact = f->call(args);
			all += isfinite(exact);
			if (!*formula_steps(f, args, 0.05, text, sizeof text))
				continue;
			written++;
			double end = follow(f, text);
			cr_expect(eq(int, repeats(text), false), "%s: %s", f->id, text);
			cr_expect(le(dbl, fabs(end - exact), 0.05 * fabs(exact)),
				"%s: %g of %g: %s", f->id, end, exact, text);
		}
	/* Hardly any is left out: where the rounding of a difference leaves nothing of it. */
	cr_expect(lt(dbl, 0.97 * (double)all, (double)written), "%zu of %zu", written, all);
}
