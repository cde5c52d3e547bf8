/* Most slips in such estimates multiply: bits for bytes are a factor of 8, a forgotten V beside K
 * one of 2, a lost prefix one of 1000. So the answer x is held against the key v by their ratio,
 * and on a logarithmic scale, where "twice too much" and "half of it" are equally far from right: a
 * reason rho fits when | |ln(x/v)| - ln(rho) | is inside a window. Chance is the enemy: n windows
 * of half-width w on a scale where wrong answers spread over some ln(1000) explain a share of about
 * 2nw / ln(1000) of random answers (tests/laws_drills.c measures it). Hence a short table, of which
 * tags of the question choose a part; windows no wider than ln(1.015); and for ratios near 1, where
 * rounding looks alike, windows that are as narrow as the digits that were typed. Multipliers of
 * the question itself (factors) are tried in the same way: forgotten or counted twice. */
#include "drills/ratio.h"

#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* tag 0: any question. */
static const struct ratio {
	double rho;
	unsigned tag;
	const char *reason;
} ratios[] = {
	{ 8, TAG_INFO, "bits vs bytes" },
	{ 1.024, TAG_INFO, "decimal vs binary (K)" },
	{ 1.048576, TAG_INFO, "decimal vs binary (M)" },
	{ 1.073741824, TAG_INFO, "decimal vs binary (G)" },
	{ 1.099511627776, TAG_INFO, "decimal vs binary (T)" },
	{ 2, TAG_KV, "K and V" },
	{ 2, TAG_FLOPS, "multiply and add" },
	{ 2, TAG_PEAK, "dense vs sparse peak" },
	{ 2, TAG_LINK, "one direction vs both" },
	{ 2, TAG_DTYPE, "bytes per element" },
	{ 4, TAG_DTYPE, "bytes per element" },
	{ 3, TAG_TRAIN, "forward only vs forward and backward" },
	{ 4.0 / 3, TAG_TRAIN, "recomputation" },
	{ 10, 0, "decimal point" },
	{ 100, 0, "decimal point" },
	{ 1e3, 0, "prefix" },
	{ 1e6, 0, "prefix" },
	{ 1e9, 0, "prefix" },
	{ 60, TAG_TIME, "seconds, minutes, hours" },
	{ 3600, TAG_TIME, "seconds, minutes, hours" },
};

enum { MOST_REASONS = 3 };
static const double SMALL_RHO = 1.2, NARROWEST = 0.004, WIDEST = 0.01;

struct reasons {
	char *remark, *cause;
	size_t remark_size, cause_size, n;
	double last_rho; /* the last one from the table; 0 after a factor */
	const char *direction;
};

/* "1000", "1e9", "1.0737" */
static void write_rho(char *buf, size_t size, double rho)
{
	char text[64];
	size_t n = 0;
	if (rho >= 1e5 && rho == pow(10, round(log10(rho)))) {
		snprintf(buf, size, "1e%d", (int)round(log10(rho)));
		return;
	}
	number_write(text, sizeof text, rho, 5);
	for (const char *p = text; *p && n + 1 < size; p++)
		if (*p != ',')
			buf[n++] = *p;
	buf[n] = '\0';
}

static void add_reason(struct reasons *r, double rho, bool from_table, const char *reason)
{
	char text[160], number[32];
	size_t used = strlen(r->remark);
	if (r->n == MOST_REASONS)
		return;
	write_rho(number, sizeof number, rho);
	if (from_table && r->last_rho == rho)
		snprintf(text, sizeof text, "; %s", reason);
	else
		snprintf(text, sizeof text, "%s%sx %s: %s", r->n ? "; " : "", number, r->direction,
			reason);
	snprintf(r->remark + used, r->remark_size - used, "%s", text);
	if (r->n == 0)
		snprintf(r->cause, r->cause_size, "%s", reason);
	r->last_rho = from_table ? rho : 0;
	r->n++;
}

/* How far |ln(x/v)| may be from ln(rho): the rule of the opening comment. */
static double window(const struct question *q, double rho, double x, double half_digit)
{
	if (rho >= SMALL_RHO)
		return log1p(question_diagnosis_ratio(q));
	double typed = half_digit / fabs(x);
	return typed < NARROWEST ? NARROWEST : typed > WIDEST ? WIDEST : typed;
}

size_t ratio_reasons(const struct question *q, double x, double half_digit, char *remark,
	size_t remark_size, char *cause, size_t cause_size)
{
	struct reasons r = { remark, cause, remark_size, cause_size, 0, 0,
		fabs(x) < fabs(q->key) ? "low" : "high" };
	remark[0] = cause[0] = '\0';
	if (x == 0 || q->key == 0 || (x < 0) != (q->key < 0))
		return 0;
	double off = fabs(log(x / q->key));
	for (size_t i = 0; i < LENGTH(ratios); i++) {
		double rho = ratios[i].rho;
		if ((!ratios[i].tag || (ratios[i].tag & q->tags)) &&
			fabs(off - log(rho)) <= window(q, rho, x, half_digit))
			add_reason(&r, rho, true, ratios[i].reason);
	}
	for (size_t i = 0; i < q->n_factors; i++) {
		double f = q->factors[i].value, rho = f > 1 ? f : 1 / f;
		double near = window(q, rho, x, half_digit);
		if (f > 0 && isfinite(rho) && log(rho) > 2 * near && fabs(off - log(rho)) <= near)
			add_reason(&r, rho, false, q->factors[i].name);
	}
	size_t used = strlen(remark);
	if (r.n)
		snprintf(remark + used, remark_size - used, "?");
	return r.n;
}

bool ratio_is_binary(const struct question *q, double x, char *remark, size_t remark_size)
{
	if (!(q->tags & TAG_INFO) || x == 0 || q->key == 0 || (x < 0) != (q->key < 0))
		return false;
	double off = log(x / q->key), step = log(1.024);
	int k = (int)round(off / step);
	if (k == 0 || k < -4 || k > 4 || fabs(off - k * step) > 0.002)
		return false;
	char prefix = "KMGT"[abs(k) - 1];
	if (k < 0)
		snprintf(remark, remark_size, "the %ciB number with a %cB label", prefix, prefix);
	else
		snprintf(remark, remark_size, "the %cB number with a %ciB label", prefix, prefix);
	return true;
}
