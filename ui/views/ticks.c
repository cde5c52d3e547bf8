#include "ui/views/ticks.h"

#include "sims/base/array.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- The search ----------------------------------------------------------------------------- */

/* After J. Talbot, S. Lin and P. Hanrahan, "An Extension of Wilkinson's Algorithm for
 * Positioning Tick Labels on Axes" (InfoVis 2010). A labelling is k ticks, a step apart, where
 * the step is one of a few nice numbers times a power of ten (or every j-th multiple of one) and
 * the first tick is any multiple of step/j near the range. Each gets a score of four weighted
 * terms: simplicity (nice steps come first, every multiple before every second one, zero among
 * the ticks), coverage (the ticks reach just over the data), density (about as many as wanted),
 * legibility. The last is always 1 here, as all numbers of an axis are printed in one format.
 * The loops go through j, the nice numbers, k and the power of ten, from simple to strange, and
 * each ends where the best score that it could still reach (the bounds below) is worse than what
 * was found. */
static const double nice[] = { 1, 5, 2, 2.5, 4, 3 };
enum { N_NICE = LENGTH(nice) };
static const double weight_simplicity = 0.25, weight_coverage = 0.2, weight_density = 0.5,
		    weight_legibility = 0.05;

struct search {
	double min, max;
	int want;
	double score, lo, step; /* the best labelling so far */
	int k;
};

static double simplicity(int i, int j, bool has_zero)
{
	return 1 - (double)i / (N_NICE - 1) - j + has_zero;
}

static double coverage(const struct search *s, double lo, double hi)
{
	double tenth = 0.1 * (s->max - s->min), above = s->max - hi, below = s->min - lo;
	return 1 - 0.5 * (above * above + below * below) / (tenth * tenth);
}

static double coverage_bound(const struct search *s, double span)
{
	double range = s->max - s->min, half = (span - range) / 2 / (0.1 * range);
	return span <= range ? 1 : 1 - half * half;
}

static double density(const struct search *s, int k, double lo, double hi)
{
	double p = (k - 1) / (hi - lo), q = (s->want - 1) / (fmax(hi, s->max) - fmin(lo, s->min));
	return 2 - fmax(p / q, q / p);
}

static double density_bound(const struct search *s, int k)
{
	return k >= s->want ? 2 - (double)(k - 1) / (s->want - 1) : 1;
}

static double total(double simple, double covers, double dense)
{
	return weight_simplicity * simple + weight_coverage * covers + weight_density * dense +
	       weight_legibility;
}

/* Scores every labelling of k ticks, `step` apart, that can touch the range. */
static void try_starts(struct search *s, int i, int j, int k, double step)
{
	double first = floor(s->max / step) * j - (k - 1) * j, last = ceil(s->min / step) * j;
	for (int n = 0; first + n <= last; n++) {
		double start = first + n;
		double lo = start * (step / j), hi = lo + (k - 1) * step;
		double off = fmod(fabs(start), j); /* of the multiples of step, in j-ths of it */
		bool has_zero = off == 0 && lo <= 0 && hi >= 0;
		double score = total(
			simplicity(i, j, has_zero), coverage(s, lo, hi), density(s, k, lo, hi));
		if (score > s->score) {
			s->score = score;
			s->lo = lo;
			s->step = step;
			s->k = k;
		}
	}
}

static void try_steps(struct search *s, int i, int j, int k, double dense)
{
	double unit = j * nice[i], simple = simplicity(i, j, true);
	for (double z = ceil(log10((s->max - s->min) / ((k + 1) * unit)));; z++) {
		double step = unit * pow(10, z);
		if (total(simple, coverage_bound(s, step * (k - 1)), dense) < s->score)
			return;
		try_starts(s, i, j, k, step);
	}
}

static void try_counts(struct search *s, int i, int j)
{
	for (int k = 2; k <= MAX_TICKS; k++) {
		double dense = density_bound(s, k);
		if (total(simplicity(i, j, true), 1, dense) < s->score)
			return;
		try_steps(s, i, j, k, dense);
	}
}

size_t ticks_search(double min, double max, int want, double at[MAX_TICKS])
{
	double range = max - min, far = fmax(fabs(min), fabs(max));
	/* Beyond this there are no round numbers between two doubles, or none that can be
	 * squared. */
	if (!(range > 0) || range < far * 1e-12 || range < 1e-150 || far > 1e150)
		return 0;
	want = want < 2 ? 2 : want > MAX_TICKS ? MAX_TICKS : want;
	struct search s = { .min = min, .max = max, .want = want, .score = -DBL_MAX };
	for (int j = 1; total(simplicity(0, j, true), 1, 1) >= s.score; j++)
		for (int i = 0; i < N_NICE; i++) {
			if (total(simplicity(i, j, true), 1, 1) < s.score)
				break;
			try_counts(&s, i, j);
		}
	for (int i = 0; i < s.k; i++) {
		at[i] = s.lo + i * s.step;
		if (fabs(at[i]) < s.step * 1e-9)
			at[i] = 0; /* not -0 or what rounding left */
	}
	return (size_t)s.k;
}

/* -- Numbers ------------------------------------------------------------------------------- */

struct prefix {
	int exponent;
	const char *text;
};
static const struct prefix prefixes[] = {
	{ -30, "q" },
	{ -27, "r" },
	{ -24, "y" },
	{ -21, "z" },
	{ -18, "a" },
	{ -15, "f" },
	{ -12, "p" },
	{ -9, "n" },
	{ -6, "µ" },
	{ -3, "m" },
	{ 0, "" },
	{ 3, "k" },
	{ 6, "M" },
	{ 9, "G" },
	{ 12, "T" },
	{ 15, "P" },
	{ 18, "E" },
	{ 21, "Z" },
	{ 24, "Y" },
	{ 27, "R" },
	{ 30, "Q" },
};
enum { N_PREFIXES = LENGTH(prefixes), NO_PREFIX = 10, MOST_DECIMALS = 12 };
enum { LABEL_SIZE = sizeof((struct ticks *)0)->label[0] };

static const struct prefix *prefix_of(double value)
{
	int i = NO_PREFIX + (int)floor(floor(log10(fabs(value) * (1 + 1e-12))) / 3);
	return &prefixes[i < 0 ? 0 : i >= N_PREFIXES ? N_PREFIXES - 1 : i];
}

/* "1e6", as numbers with units are written too, and not "1e+06". */
static void write_brief(char label[LABEL_SIZE], double value)
{
	snprintf(label, LABEL_SIZE, "%.*g", LABEL_SIZE - 9, value);
	char *e = strchr(label, 'e');
	if (!e)
		return;
	char *kept = e[1] == '-' ? e + 2 : e + 1, *digits = e + 2;
	while (*digits == '0')
		digits++;
	memmove(kept, digits, strlen(digits) + 1);
}

/* Writes "1,234.50", with the digits in threes. A number too long for a label is written briefly. */
static void write_number(char label[LABEL_SIZE], double value, int decimals, const char *suffix)
{
	char digits[352], text[512];
	snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
	size_t whole = strcspn(digits, "."), n = 0;
	if (value < 0)
		text[n++] = '-';
	for (size_t i = 0; digits[i]; i++) {
		if (i > 0 && i < whole && (whole - i) % 3 == 0)
			text[n++] = ',';
		text[n++] = digits[i];
	}
	n += (size_t)snprintf(text + n, sizeof text - n, "%s", suffix);
	if (n < LABEL_SIZE)
		memcpy(label, text, n + 1);
	else
		write_brief(label, value);
}

/* The fewest decimals that give `value` to within a ten-thousandth of `step`. */
static int decimals_of(double value, double step)
{
	for (int d = 0; d < MOST_DECIMALS; d++) {
		double scaled = value * pow(10, d);
		if (fabs(scaled - nearbyint(scaled)) < 1e-4 * step * pow(10, d))
			return d;
	}
	return MOST_DECIMALS;
}

static int decimals_of_all(const struct ticks *t, double step, double unit)
{
	int most = 0;
	for (size_t i = 0; i < t->n; i++) {
		int d = decimals_of(t->at[i] / unit, step / unit);
		most = d > most ? d : most;
	}
	return most;
}

/* Gives all numbers of an axis the same prefix and the same number of decimals: none up to 9,999,
 * then k, M, G and so on. */
static void label_evenly(struct ticks *t, double step)
{
	double far = 0;
	for (size_t i = 0; i < t->n; i++)
		far = fmax(far, fabs(t->at[i]));
	const struct prefix *p = &prefixes[NO_PREFIX];
	if (far >= 1e4 || (far < 1e-3 && far > 0))
		p = prefix_of(far);
	int decimals = decimals_of_all(t, step, pow(10, p->exponent));
	if (p->exponent > 0 && decimals > 3) { /* 1,000,002 says more than 1.000002M */
		p = &prefixes[NO_PREFIX];
		decimals = decimals_of_all(t, step, 1);
	}
	double unit = pow(10, p->exponent);
	for (size_t i = 0; i < t->n; i++)
		write_number(t->label[i], t->at[i] / unit, decimals, t->at[i] == 0 ? "" : p->text);
}

/* A power of two with a prefix gets three significant digits: 1,048,576 is 1.05M. */
static void label_power(char label[LABEL_SIZE], double value, int base, bool big, bool small)
{
	const struct prefix *p = &prefixes[NO_PREFIX];
	if ((big && value >= 1e3) || (small && value < 1))
		p = prefix_of(value);
	double shown = value / pow(10, p->exponent);
	int decimals = decimals_of(shown, shown * 1e-2);
	if (base == 2 && decimals > 2 && p->exponent != 0)
		decimals = shown >= 100 ? 0 : shown >= 10 ? 1 : 2;
	write_number(label, shown, decimals, p->text);
}

static void label_binary(char label[LABEL_SIZE], double value)
{
	static const char *const units[] = { "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" };
	size_t i = 0;
	for (; value >= 1024 && i + 1 < LENGTH(units); i++)
		value /= 1024;
	write_number(label, value, decimals_of(value, value * 1e-2), units[i]);
}

/* On a logarithmic axis each number is as short as it can be. If the plain numbers of the axis
 * would get long, all of them get prefixes; that begins later for powers of two, which people
 * know by their digits. */
static void label_logarithmic(struct ticks *t, int base, bool information)
{
	if (t->n == 0)
		return;
	double most = t->at[t->n - 1];
	bool big = most >= (base == 2 ? 1e6 : 1e4), small = t->at[0] < 1e-3;
	for (size_t i = 0; i < t->n; i++)
		if (base == 2 && information)
			label_binary(t->label[i], t->at[i]);
		else
			label_power(t->label[i], t->at[i], base, big, small);
}

/* -- Axes ---------------------------------------------------------------------------------- */

/* The candidates inside [min, max]; those that only rounding put outside are moved in. */
static struct ticks keep_inside(const double at[], size_t n, double min, double max)
{
	struct ticks t = { 0 };
	double slack = 1e-9 * (max - min);
	for (size_t i = 0; i < n && t.n < MAX_TICKS; i++)
		if (at[i] >= min - slack && at[i] <= max + slack)
			t.at[t.n++] = fmin(fmax(at[i], min), max);
	return t;
}

/* Every k-th tick, chosen so that zero stays if it is one of them. */
static struct ticks thinned(const struct ticks *t, int most)
{
	struct ticks thin = { 0 };
	size_t k = (t->n + (size_t)most - 1) / (size_t)most, start = 0;
	for (size_t i = 0; i < t->n; i++)
		if (t->at[i] == 0)
			start = i % k;
	for (size_t i = start; i < t->n; i += k)
		thin.at[thin.n++] = t->at[i];
	return thin;
}

/* At most `most` ticks and at least two. If few ticks of the best labelling lie inside the
 * range, the search is asked for fewer and then for more ticks, and the labelling with the most
 * ticks inside is taken. */
static struct ticks linear_positions(double min, double max, int most)
{
	double at[MAX_TICKS];
	struct ticks best = { 0 };
	for (int i = 0; 2 * best.n <= (size_t)most; i++) {
		int want = i <= most - 2 ? most - i : i + 2; /* most .. 2, then most + 1 .. */
		if (want > most + 10 || (want > most + 2 && best.n >= 2))
			break;
		size_t n = ticks_search(min, max, want, at);
		struct ticks t = keep_inside(at, n, min, max);
		if (t.n > (size_t)most)
			t = thinned(&t, most);
		if (t.n > best.n)
			best = t;
	}
	if (best.n < 2) /* no round numbers left between the doubles: the ends */
		best = (struct ticks){ .n = 2, .at = { min, max } };
	return best;
}

static int at_least_two(int most)
{
	return most < 2 ? 2 : most > MAX_TICKS ? MAX_TICKS : most;
}

struct ticks ticks_linear(double min, double max, int want)
{
	struct ticks t = { 0 };
	if (!(min < max) || !isfinite(min) || !isfinite(max))
		return t;
	t = linear_positions(min, max, at_least_two(want));
	label_evenly(&t, t.n > 1 ? t.at[1] - t.at[0] : 1);
	return t;
}

struct ticks ticks_every(double min, double max, double step)
{
	double at[MAX_TICKS], first = ceil(min / step - 1e-9);
	size_t n = 0;
	for (; n < MAX_TICKS && (first + (double)n) * step <= max + 1e-9 * step; n++)
		at[n] = (first + (double)n) * step + 0.0; /* + 0.0: not -0 */
	struct ticks t = keep_inside(at, n, min, max);
	label_evenly(&t, step);
	return t;
}

/* Every k-th power of the base, for the least k that gives at most `most` of them. Exponents
 * that are multiples of k are preferred, so that 1 stays labelled while a knob stretches the
 * axis. */
static struct ticks powers(double min, double max, int base, int most)
{
	struct ticks t = { 0 };
	int first = (int)ceil(log(min) / log(base) - 1e-9);
	int last = (int)floor(log(max) / log(base) + 1e-9);
	if (last <= first)
		return t;
	int k = 1, start;
	for (;; k++) {
		start = first + (k - first % k) % k; /* the first multiple of k from `first` on */
		if (last - start < k)
			start = first;
		if ((last - start) / k + 1 <= most)
			break;
	}
	for (int e = start; e <= last; e += k)
		t.at[t.n++] = fmin(fmax(pow(base, e), min), max);
	return t;
}

/* The finest set of mantissas that gives between two and `most` ticks. */
static struct ticks mantissas(double min, double max, int base, int most)
{
	static const char *const sets10[] = { "123456789", "12357", "125", "13" };
	struct ticks t = { 0 };
	int first = (int)floor(log(min) / log(base) - 1e-9);
	int last = (int)floor(log(max) / log(base) + 1e-9);
	size_t n_sets = base == 10 ? LENGTH(sets10) : 1;
	for (size_t set = 0; set < n_sets; set++) {
		double at[MAX_TICKS];
		size_t n = 0;
		for (int e = first; e <= last; e++)
			for (int m = 0; n < MAX_TICKS && (base == 10 ? sets10[set][m] != 0 : m < 2);
				m++)
				at[n++] = pow(base, e) *
					  (base == 10 ? sets10[set][m] - '0' : 1 + 0.5 * m);
		t = keep_inside(at, n, min, max);
		if (t.n >= 2 && t.n <= (size_t)most)
			return t;
	}
	t.n = 0;
	return t;
}

struct ticks ticks_log(double min, double max, int base, int most, bool information)
{
	if (!(min > 0) || !(min < max) || !isfinite(max))
		return (struct ticks){ 0 };
	most = at_least_two(most);
	struct ticks t = powers(min, max, base, most);
	if (t.n < 2)
		t = mantissas(min, max, base, most);
	if (t.n < 2)
		return ticks_linear(min, max, most);
	label_logarithmic(&t, base, information);
	return t;
}

static struct ticks bare_ticks(const struct axis *a, double min, double max, int most)
{
	switch (a->scale) {
	case AXIS_LOG2:
		return ticks_log(min, max, 2, most, a->information);
	case AXIS_LOG10:
		return ticks_log(min, max, 10, most, a->information);
	case AXIS_LINEAR:
		break;
	}
	return ticks_linear(min, max, most);
}

/* Units that numbers of an axis may be counted in, from large to small. */
struct counted {
	const char *unit;
	struct {
		const char *name;
		double factor;
	} in[6];
};
static const struct counted counted[] = {
	{ "s", { { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 } } },
	{ "B", { { "PB", 1e15 }, { "TB", 1e12 }, { "GB", 1e9 }, { "MB", 1e6 }, { "kB", 1e3 },
		       { "B", 1 } } },
};

static const struct counted *counted_as(const struct axis *a)
{
	for (size_t i = 0; a->unit && !a->information && i < LENGTH(counted); i++)
		if (strcmp(a->unit, counted[i].unit) == 0)
			return &counted[i];
	return NULL;
}

/* Whether all these numbers read well in a unit: on a linear axis the largest is at least one, on a
 * logarithmic one they are plain from the least to the most. */
static bool reads_well(const struct ticks *t, const struct axis *a, double factor)
{
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < t->n; i++) {
		double v = fabs(t->at[i] / factor);
		most = fmax(most, v);
		least = v > 0 ? fmin(least, v) : least;
	}
	const double slack = 1e-9;
	if (a->scale == AXIS_LINEAR)
		return most >= 1 - slack && most < 1e4;
	return least >= 0.1 - slack && most <= 1e4 * (1 + slack);
}

static void label_all(struct ticks *t, const struct axis *a)
{
	if (a->scale != AXIS_LINEAR)
		label_logarithmic(t, a->scale == AXIS_LOG2 ? 2 : 10, a->information);
	else if (t->n)
		label_evenly(t, t->n > 1 ? t->at[1] - t->at[0] : 1);
}

/* Each number with its own unit: over many decades none is good for all. */
static void label_each(struct ticks *t, const struct counted *c)
{
	for (size_t i = 0; i < t->n; i++) {
		size_t k = 0;
		double v = fabs(t->at[i]) * (1 + 1e-9);
		while (k + 1 < LENGTH(c->in) && c->in[k + 1].name && v < c->in[k].factor)
			k++;
		write_brief(t->label[i], t->at[i] / c->in[k].factor);
		const size_t used = strlen(t->label[i]);
		snprintf(t->label[i] + used, LABEL_SIZE - used, " %s", c->in[k].name);
	}
	t->unit = "";
}

/* "10m" on an axis of seconds reads as ten minutes, "100u" of one in bytes as nothing: times and
 * amounts are counted in one unit that the name of the axis says. */
static void label_in_one_unit(struct ticks *t, const struct axis *a)
{
	const struct counted *c = counted_as(a);
	for (size_t k = 0; c && t->n && k < LENGTH(c->in) && c->in[k].name; k++) {
		struct ticks other = *t;
		if (!reads_well(t, a, c->in[k].factor))
			continue;
		for (size_t i = 0; i < t->n; i++)
			other.at[i] /= c->in[k].factor;
		label_all(&other, a);
		memcpy(t->label, other.label, sizeof t->label);
		t->unit = c->in[k].name;
		return;
	}
	if (c && t->n && a->scale != AXIS_LINEAR)
		label_each(t, c);
}

static struct ticks one_two_five(double min, double max)
{
	static const int mantissa[] = { 1, 2, 5 };
	double at[MAX_TICKS], unit = pow(10, floor(log10(min) - 1e-9));
	size_t n = 0;
	for (; n < MAX_TICKS && unit <= max; unit *= 10)
		for (size_t i = 0; i < LENGTH(mantissa) && n < MAX_TICKS; i++)
			at[n++] = unit * mantissa[i];
	return keep_inside(at, n, min, max);
}

/* start times every whole power of the ratio, inside [min, max]. */
static struct ticks geometric(double min, double max, double start, double ratio)
{
	struct ticks t = { 0 };
	double slack = 1e-9;
	double first = ceil(log(min / start) / log(ratio) - slack);
	for (; t.n < MAX_TICKS; t.n++) {
		double value = start * pow(ratio, first + (double)t.n);
		if (value > max * (1 + slack))
			break;
		t.at[t.n] = fmin(fmax(value, min), max);
	}
	return t;
}

struct ticks axis_ticks_every(const struct axis *a, double min, double max, double step)
{
	int base = a->scale == AXIS_LOG2 ? 2 : 10;
	struct ticks t;
	if (a->scale == AXIS_LINEAR) {
		t = ticks_every(min, max, step);
	} else {
		if (step == TICKS_1_2_5)
			t = one_two_five(min, max);
		else if (step == TICKS_DOUBLING)
			t = geometric(min, max, pow(10, floor(log10(sqrt(min) * sqrt(max)))), 2);
		else
			t = geometric(min, max, 1, pow(base, step));
		label_logarithmic(&t, base, a->information);
	}
	label_in_one_unit(&t, a);
	return t;
}

struct ticks axis_ticks(const struct axis *a, double min, double max, int most)
{
	struct ticks t = bare_ticks(a, min, max, most);
	label_in_one_unit(&t, a);
	return t;
}
