/* The cases that the upstream projects pin in their own tests: each row of upstream_pinned.tsv has
 * a check here, and the file decides which are run. */
#include "drills/fsrs.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };
struct row {
	const char *name, *source, *params, *input, *expected, *tolerance;
};

/* From rs-fsrs 1.2.1: 19 numbers, which here get w19 = 0, w20 = 0.5. */
static const double rsp19[] = { 0.6845422, 1.6790825, 4.7349424, 10.042885, 7.4410233, 0.64219797,
	1.071918, 0.0025195254, 1.432437, 0.1544, 0.8692766, 2.0696752, 0.0953, 0.2975, 2.4691248,
	0.19542035, 3.201072, 0.18046261, 0.121442534 };

/* The 21 numbers that mean the same as the 19 of version 5. */
static void from_five(const double old[19], double w[FSRS_WEIGHTS])
{
	memcpy(w, old, 19 * sizeof *w);
	w[19] = 0;
	w[20] = 0.5;
}

static void set_weights(const struct row *r, double w[FSRS_WEIGHTS])
{
	memcpy(w, fsrs_defaults.w, sizeof fsrs_defaults.w);
	if (strncmp(r->params, "RSP19", 5) == 0)
		from_five(rsp19, w);
	else if (strncmp(r->params, "decay=", 6) == 0)
		w[20] = strtod(r->params + 6, NULL);
	else if (strstr(r->params, "w17=w18=w19=0"))
		w[17] = w[18] = w[19] = 0;
	else
		cr_assert(strncmp(r->params, "W1", 2) == 0, "%s", r->params);
}

/* The numbers after a key such as "S=", up to the first word that is not a number, with the
 * separators , ( ) and ;. */
static size_t numbers(const char *text, const char *key, double out[MOST])
{
	const char *p = strstr(text, key);
	size_t n = 0;
	cr_assert(ne(ptr, (void *)p, NULL), "no %s in %s", key, text);
	for (p += strlen(key); n < MOST; n++) {
		char *end;
		p += strspn(p, ",();");
		out[n] = strtod(p, &end);
		if (end == p)
			break;
		p = end;
	}
	return n;
}

static void expect_near(const struct row *r, double got, double want)
{
	double amount = strtod(r->tolerance + strcspn(r->tolerance, "0123456789"), NULL);
	double room = strncmp(r->tolerance, "rel", 3) == 0     ? amount * fabs(want)
		      : strncmp(r->tolerance, "exact", 5) == 0 ? 0
							       : amount;
	cr_expect(epsilon_eq(dbl, got, want, room), "%s: got %.9g, want %.9g", r->name, got, want);
}

static void check_curve(const struct row *r)
{
	double w[FSRS_WEIGHTS], t[MOST], s[MOST], want[MOST];
	set_weights(r, w);
	size_t n = numbers(r->input, "t=", t), n_s = numbers(r->input, "S=", s);
	cr_assert(eq(sz, numbers(r->expected, "", want), n));
	for (size_t i = 0; i < n; i++)
		expect_near(r, fsrs_recall(w, t[i], s[n_s == 1 ? 0 : i]), want[i]);
}

static void check_difficulty(const struct row *r)
{
	double w[FSRS_WEIGHTS], g[MOST], want[MOST], d[MOST];
	set_weights(r, w);
	if (strstr(r->name, "before_reversion"))
		w[7] = 0; /* the reversion's weight */
	numbers(r->input, "D=", d);
	size_t n = numbers(r->input, "rating=", g);
	numbers(r->expected, "", want);
	for (size_t i = 0; i < n; i++) {
		struct fsrs_memory m = fsrs_remember(
			w, (struct fsrs_memory){ 5, d[0] }, 1, (enum fsrs_rating)g[i]);
		expect_near(r, m.difficulty, want[i]);
	}
	cr_expect(eq(sz, n, 4));
}

/* The rows give the recall, and the curve says after how many days it is reached. The upstream test
 * also calls the formula of a pass with rating 1, which has no factor of its own there and gives
 * the same as Good. */
static void check_stability(const struct row *r)
{
	double w[FSRS_WEIGHTS], s[MOST], in[MOST], want[MOST];
	bool fails = strncmp(r->name, "failure", 7) == 0;
	size_t width = fails ? 2 : 3;
	set_weights(r, w);
	numbers(r->input, "S=", s);
	size_t n = numbers(r->input, fails ? "(D,R)=" : "(D,R,rating)=", in) / width;
	numbers(r->expected, "", want);
	for (size_t i = 0; i < n; i++) {
		const double *row = in + i * width;
		double days = fsrs_days_until(w, s[0], row[1]);
		enum fsrs_rating g = fails        ? FSRS_AGAIN
				     : row[2] < 2 ? FSRS_GOOD
						  : (enum fsrs_rating)row[2];
		struct fsrs_memory m =
			fsrs_remember(w, (struct fsrs_memory){ s[0], row[0] }, days, g);
		expect_near(r, m.stability_days, want[i]);
	}
	cr_expect(eq(sz, n, 4));
}

static void check_same_day(const struct row *r)
{
	double w[FSRS_WEIGHTS], s[MOST], g[MOST], want[MOST];
	set_weights(r, w);
	numbers(r->input, "S=", s);
	size_t n = numbers(r->input, "rating=", g);
	numbers(r->expected, "", want);
	for (size_t i = 0; i < n; i++)
		expect_near(r,
			fsrs_remember(w, (struct fsrs_memory){ s[0], 5 }, 0, (enum fsrs_rating)g[i])
				.stability_days,
			want[i]);
	cr_expect(eq(sz, n, 4));
}

static void check_interval(const struct row *r)
{
	struct fsrs_options o = fsrs_defaults;
	double s[MOST], want[MOST];
	set_weights(r, o.w);
	numbers(r->input, "S=", s);
	size_t n = numbers(r->expected, "", want);
	if (n == 1) { /* unrounded */
		expect_near(r, fsrs_days_until(o.w, s[0], 0.9), want[0]);
		return;
	}
	o.longest_days = INFINITY;
	for (size_t i = 0; i < n; i++) {
		o.retention = (double)(i + 1) / 10;
		expect_near(r, fsrs_interval_days(&o, s[0]), want[i]);
	}
	cr_expect(eq(sz, n, 10));
}

static void expect_memory(const struct row *r, struct fsrs_memory m, size_t i)
{
	double s[MOST], d[MOST];
	cr_assert(numbers(r->expected, "S=", s) > i && numbers(r->expected, "D=", d) > i);
	expect_near(r, m.stability_days, s[i]);
	expect_near(r, m.difficulty, d[i]);
}

static void check_history(const struct row *r)
{
	double w[FSRS_WEIGHTS], g[MOST], gaps[MOST], last[MOST], then[MOST];
	struct fsrs_memory m = { 0 };
	set_weights(r, w);
	size_t n = numbers(r->input, "ratings=", g);
	cr_assert(eq(sz, numbers(r->input, "gaps_days=", gaps), n));
	for (size_t i = 0; i < n; i++)
		m = fsrs_remember(w, m, gaps[i], (enum fsrs_rating)g[i]);
	if (!strstr(r->input, "then")) {
		expect_memory(r, m, 0);
		return;
	}
	numbers(r->input, "elapsed=", then);
	n = numbers(r->input, "rating=", last);
	cr_expect(eq(sz, n, 4));
	for (size_t i = 0; i < n; i++)
		expect_memory(r, fsrs_remember(w, m, then[0], (enum fsrs_rating)last[i]), i);
}

static void check_one_step(const struct row *r)
{
	double w[FSRS_WEIGHTS], s[MOST], d[MOST], days[MOST], g[MOST];
	set_weights(r, w);
	numbers(r->input, "S=", s);
	numbers(r->input, "D=", d);
	numbers(r->input, "elapsed=", days);
	numbers(r->input, "rating=", g);
	expect_memory(r,
		fsrs_remember(
			w, (struct fsrs_memory){ s[0], d[0] }, days[0], (enum fsrs_rating)g[0]),
		0);
}

/* What SM-2's ease and interval mean here: recall falls to the retention after the interval, and
 * Good at that moment multiplies the interval by the ease (where the difficulty is inside
 * 1..10). */
static void check_from_sm2(const struct row *r)
{
	double w[FSRS_WEIGHTS], in[MOST], s[MOST], d[MOST];
	set_weights(r, w);
	size_t n = numbers(r->input, "(ease,interval,retention)=", in) / 3;
	numbers(r->expected, "S=", s);
	numbers(r->expected, "D=", d);
	for (size_t i = 0; i < n; i++) {
		const double *sm2 = in + 3 * i;
		struct fsrs_memory m = { s[i], d[i] };
		cr_expect(epsilon_eq(dbl, fsrs_recall(w, sm2[1], m.stability_days), sm2[2], 1e-6));
		double grown = fsrs_remember(w, m, sm2[1], FSRS_GOOD).stability_days / s[i];
		if (d[i] < 10)
			cr_expect(epsilon_eq(dbl, grown, sm2[0], 1e-4), "row %zu", i);
		else
			cr_expect(ge(dbl, grown, sm2[0]), "row %zu", i);
	}
	cr_expect(eq(sz, n, 4));
}

static void check_intervals_when_due(const struct row *r)
{
	double g[MOST], want[MOST];
	size_t n = numbers(r->input, "ratings ", g);
	struct fsrs_card card = { .due_s = 1669725000 }; /* 2022-11-29T12:30:00Z */
	cr_assert(eq(sz, numbers(r->expected, "due: ", want), n));
	for (size_t i = 0; i < n; i++) {
		fsrs_review(&card, &fsrs_defaults, (enum fsrs_rating)g[i], card.due_s);
		cr_expect(eq(i64, (card.due_s - card.last_s) / 86400, (int64_t)want[i]), "%zu", i);
	}
	cr_expect(eq(sz, n, 13));
}

static void check_difficulty_floor(const struct row *r)
{
	struct fsrs_card card = { 0 };
	for (int i = 0; i < 10; i++)
		fsrs_review(&card, &fsrs_defaults, FSRS_EASY, 1669725000);
	expect_near(r, card.memory.difficulty, 1);
}

static void check_hard_step(const struct row *r)
{
	struct fsrs_options o = fsrs_defaults;
	double want[MOST];
	numbers(r->expected, "due after ", want);
	if (strstr(r->params, "600 s only")) {
		o.learning_s[0] = 600;
		o.n_learning = 1;
	}
	struct fsrs_card card = { 0 };
	fsrs_review(&card, &o, FSRS_HARD, 1000);
	expect_near(r, (double)(card.due_s - 1000), want[0]);
	cr_expect(eq(int, card.state, FSRS_LEARNING));
	cr_expect(eq(sz, card.step, 0));
}

static void check_stability_floor(const struct row *r)
{
	struct fsrs_card card = { .due_s = 1669725000 };
	(void)r;
	for (int i = 0; i < 1000; i++) {
		fsrs_review(&card, &fsrs_defaults, FSRS_AGAIN, card.due_s + 86400);
		cr_expect(ge(dbl, card.memory.stability_days, 0.001));
	}
}

/* FSRS-5 moves difficulty in another way; from its difficulties on, the stabilities and intervals
 * are the same formulas with w19 = 0, w20 = 0.5. */
static void check_fsrs5(const struct row *r)
{
	struct fsrs_options o = fsrs_defaults;
	double old[MOST], g[MOST], days[MOST], s[MOST], d[MOST];
	char *p = (char *)r->params;
	for (size_t i = 0; i < 19; i++)
		old[i] = strtod(p, &p);
	from_five(old, o.w);
	size_t n = numbers(r->input, "ratings ", g);
	numbers(r->expected, "intervals ", days);
	numbers(r->expected, "S ", s);
	numbers(r->expected, "D ", d);
	cr_expect(eq(sz, n, 13));
	struct fsrs_memory first =
		fsrs_remember(o.w, (struct fsrs_memory){ 0 }, 0, (enum fsrs_rating)g[0]);
	cr_expect(epsilon_eq(dbl, first.stability_days, s[0], 5e-5));
	cr_expect(epsilon_eq(dbl, first.difficulty, d[0], 5e-5));
	for (size_t i = 0; i < n; i++) {
		cr_expect(eq(dbl, fsrs_interval_days(&o, s[i]), days[i]), "%zu", i);
		if (i == 0)
			continue;
		struct fsrs_memory m =
			fsrs_remember(o.w, (struct fsrs_memory){ s[i - 1], d[i - 1] }, days[i - 1],
				(enum fsrs_rating)g[i]);
		cr_expect(epsilon_eq(dbl, m.stability_days, s[i], 1e-4 * s[i]), "%zu: %g", i,
			m.stability_days);
	}
}

static const struct {
	const char *name;
	void (*check)(const struct row *);
} checks[] = {
	{ "curve", check_curve },
	{ "curve_decay", check_curve },
	{ "next_difficulty_before_reversion", check_difficulty },
	{ "next_difficulty", check_difficulty },
	{ "success_stability", check_stability },
	{ "failure_stability", check_stability },
	{ "short_term_stability", check_same_day },
	{ "next_interval_days", check_interval },
	{ "interval_equals_stability", check_interval },
	{ "memory_default", check_history },
	{ "memory_no_short_term", check_history },
	{ "memory_rsp19", check_history },
	{ "next_states_rsp19", check_history },
	{ "one_step_rsp19", check_one_step },
	{ "from_sm2", check_from_sm2 },
	{ "scheduler_intervals", check_intervals_when_due },
	{ "difficulty_floor", check_difficulty_floor },
	{ "hard_learning_step", check_hard_step },
	{ "hard_learning_one_step", check_hard_step },
	{ "stability_floor", check_stability_floor },
	{ "fsrs5_long_term", check_fsrs5 },
};

static void check_row(const struct row *r)
{
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		if (strcmp(checks[i].name, r->name) == 0) {
			checks[i].check(r);
			return;
		}
	cr_expect(false, "no check for the case %s", r->name);
}

static const char *next_field(char **rest)
{
	char *field = *rest;
	*rest += strcspn(*rest, "\t\n");
	if (**rest)
		*(*rest)++ = '\0';
	return field;
}

Test(fsrs, cases_pinned_upstream)
{
	char line[2048];
	size_t n = 0;
	FILE *f = fopen("tests/data/fsrs/upstream_pinned.tsv", "r");
	cr_assert(ne(ptr, f, NULL), "run the tests in the project's folder");
	while (fgets(line, sizeof line, f)) {
		char *rest = line;
		if (*line == '#')
			continue;
		struct row r;
		r.name = next_field(&rest);
		r.source = next_field(&rest);
		r.params = next_field(&rest);
		r.input = next_field(&rest);
		r.expected = next_field(&rest);
		r.tolerance = next_field(&rest);
		check_row(&r);
		n++;
	}
	fclose(f);
	cr_expect(eq(sz, n, sizeof checks / sizeof *checks));
}
