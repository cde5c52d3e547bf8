/* Against the grid of numbers in tests/data/fsrs/ (its README says where they come from). */
#include "drills/fsrs.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weights {
	char id[8];
	double w[FSRS_WEIGHTS];
};
static struct weights sets[3];

static FILE *open_data(const char *name)
{
	char path[64];
	snprintf(path, sizeof path, "tests/data/fsrs/%s", name);
	FILE *f = fopen(path, "r");
	cr_assert(ne(ptr, f, NULL), "%s: run the tests in the project's folder", path);
	return f;
}

/* The next line that is not a comment. */
static bool next_row(FILE *f, char line[1024])
{
	while (fgets(line, 1024, f))
		if (*line != '#' || line[1] == 'C')
			return true;
	return false;
}

static void load_sets(void)
{
	char line[1024];
	FILE *f = open_data("params.tsv");
	for (size_t i = 0; i < 3; i++) {
		cr_assert(next_row(f, line));
		char *p = line + strcspn(line, "\t");
		snprintf(sets[i].id, sizeof sets[i].id, "%.*s", (int)(p - line), line);
		for (size_t k = 0; k < FSRS_WEIGHTS; k++)
			sets[i].w[k] = strtod(p, &p);
	}
	fclose(f);
}

static const double *weights(const char *id)
{
	for (size_t i = 0; i < 3; i++)
		if (strcmp(sets[i].id, id) == 0)
			return sets[i].w;
	cr_assert(false, "no parameters %s", id);
	return NULL;
}

static bool near(double got, double want)
{
	return fabs(got - want) <= 1e-9 * fabs(want);
}

Test(fsrs, defaults_are_the_published_numbers, .init = load_sets)
{
	for (size_t k = 0; k < FSRS_WEIGHTS; k++)
		cr_expect(eq(dbl, fsrs_defaults.w[k], weights("W1")[k]), "w%zu", k);
}

Test(fsrs, first_reviews, .init = load_sets)
{
	char line[1024], id[8];
	double s, d;
	int g;
	size_t n = 0;
	FILE *f = open_data("init.tsv");
	for (; next_row(f, line); n++) {
		cr_assert(eq(int, sscanf(line, "%7s %d %lf %lf", id, &g, &s, &d), 4), "%s", line);
		struct fsrs_memory m = fsrs_remember(
			weights(id), (struct fsrs_memory){ 0 }, 0, (enum fsrs_rating)g);
		cr_expect(near(m.stability_days, s) && near(m.difficulty, d), "%s", line);
	}
	fclose(f);
	cr_expect(eq(sz, n, 12));
}

Test(fsrs, single_steps, .init = load_sets)
{
	char line[1024], id[8];
	double s, d, days, recall, s_after, d_after;
	int g;
	size_t n = 0;
	FILE *f = open_data("step.tsv");
	for (; next_row(f, line); n++) {
		cr_assert(eq(int,
				  sscanf(line, "%7s %lf %lf %lf %d %lf %lf %lf", id, &s, &d, &days,
					  &g, &recall, &s_after, &d_after),
				  8),
			"%s", line);
		const double *w = weights(id);
		struct fsrs_memory m =
			fsrs_remember(w, (struct fsrs_memory){ s, d }, days, (enum fsrs_rating)g);
		cr_expect(near(fsrs_recall(w, days, s), recall) &&
				  near(m.stability_days, s_after) && near(m.difficulty, d_after),
			"got S %.17g D %.17g for %s", m.stability_days, m.difficulty, line);
	}
	fclose(f);
	cr_expect(eq(sz, n, 252));
}

Test(fsrs, intervals, .init = load_sets)
{
	char line[1024], id[8];
	double s, retention, days;
	size_t n = 0;
	FILE *f = open_data("interval.tsv");
	for (; next_row(f, line); n++) {
		cr_assert(eq(int, sscanf(line, "%7s %lf %lf %lf", id, &s, &retention, &days), 4),
			"%s", line);
		struct fsrs_options o = fsrs_defaults;
		memcpy(o.w, weights(id), sizeof o.w);
		o.retention = retention;
		cr_expect(eq(dbl, fsrs_interval_days(&o, s), days), "%s", line);
	}
	fclose(f);
	cr_expect(eq(sz, n, 69));
}

Test(fsrs, whole_histories, .init = load_sets)
{
	char line[1024], id[8], ratings[5];
	double gaps[4], s, d;
	size_t n = 0;
	FILE *f = open_data("history.tsv");
	for (; next_row(f, line); n++) {
		cr_assert(eq(int,
				  sscanf(line, "%7s %4s %lf,%lf,%lf,%lf %lf %lf", id, ratings, gaps,
					  gaps + 1, gaps + 2, gaps + 3, &s, &d),
				  8),
			"%s", line);
		struct fsrs_memory m = { 0 };
		for (size_t i = 0; i < 4; i++)
			m = fsrs_remember(
				weights(id), m, gaps[i], (enum fsrs_rating)(ratings[i] - '0'));
		cr_expect(near(m.stability_days, s) && near(m.difficulty, d), "%s", line);
	}
	fclose(f);
	cr_expect(eq(sz, n, 240));
}

static size_t read_steps(char *text, int64_t steps[])
{
	size_t n = 0;
	for (char *p = text; *p && *p != '-'; p += *p == ',')
		steps[n++] = strtoll(p, &p, 10);
	return n;
}

static struct fsrs_options read_config(const char *line)
{
	char id[8], learning[64], relearning[64];
	struct fsrs_options o = fsrs_defaults;
	cr_assert(eq(int,
			  sscanf(line, "#C\t%*[^\t]\t%7[^\t]\t%lf\t%63[^\t]\t%63[^\t]\t%lf", id,
				  &o.retention, learning, relearning, &o.longest_days),
			  5),
		"%s", line);
	memcpy(o.w, weights(id), sizeof o.w);
	o.n_learning = read_steps(learning, o.learning_s);
	o.n_relearning = read_steps(relearning, o.relearning_s);
	return o;
}

static void expect_review(const struct fsrs_card *card, const char *state, int step, double s,
	double d, long long due_s)
{
	static const char *const states[] = { "Learning", "Review", "Relearning" };
	cr_expect(eq(str, (char *)states[card->state], (char *)state));
	cr_expect(eq(int, card->state == FSRS_REVIEW ? -1 : (int)card->step, step));
	cr_expect(near(card->memory.stability_days, s) && near(card->memory.difficulty, d));
	cr_expect(eq(i64, card->due_s - card->last_s, due_s));
}

Test(fsrs, scheduler_runs, .init = load_sets)
{
	char line[1024], state[16];
	struct fsrs_options o = fsrs_defaults;
	struct fsrs_card card = { 0 };
	size_t runs = 0, rows = 0;
	FILE *f = open_data("scheduler.tsv");
	while (next_row(f, line)) {
		int index, g, step;
		long long at_s, due_s;
		double s, d;
		if (*line == '#') {
			o = read_config(line);
			card = (struct fsrs_card){ 0 };
			runs++;
			continue;
		}
		cr_assert(eq(int,
				  sscanf(line, "%*s %d %d %lld %15s %d %lf %lf %lld", &index, &g,
					  &at_s, state, &step, &s, &d, &due_s),
				  8),
			"%s", line);
		fsrs_review(&card, &o, (enum fsrs_rating)g, at_s);
		expect_review(&card, state, step, s, d, due_s);
		rows++;
	}
	fclose(f);
	cr_expect(eq(sz, runs, 24));
	cr_expect(eq(sz, rows, 335));
}

/* Every row of the specification's table, and its edges. par is 100 s. */
Test(fsrs, ratings_of_problems)
{
	static const struct {
		struct fsrs_outcome outcome;
		enum fsrs_rating rating;
	} rows[] = {
		{ { false, 1, 0, false, 10, 100 }, FSRS_AGAIN }, /* wrong, however fast */
		{ { false, 2, 1, true, 500, 100 }, FSRS_AGAIN },
		{ { true, 1, 1, false, 10, 100 }, FSRS_HARD }, /* a hint */
		{ { true, 2, 0, false, 10, 100 }, FSRS_HARD }, /* the second try */
		{ { true, 3, 2, false, 10, 100 }, FSRS_HARD },
		{ { true, 1, 0, false, 150.5, 100 }, FSRS_HARD }, /* slow */
		{ { true, 1, 0, false, 150, 100 }, FSRS_GOOD },
		{ { true, 1, 0, false, 50.5, 100 }, FSRS_GOOD },
		{ { true, 1, 0, false, 50, 100 }, FSRS_EASY },
		{ { true, 1, 0, true, 50, 100 }, FSRS_GOOD }, /* on the scratch pad */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(int, fsrs_rate(&rows[i].outcome), rows[i].rating), "row %zu", i);
}

/* Nothing turns a wrong answer into anything but Again. */
Test(fsrs, wrong_is_always_again)
{
	for (unsigned attempts = 0; attempts < 5; attempts++)
		for (unsigned hints = 0; hints < 3; hints++)
			for (double took_s = 0; took_s < 300; took_s += 10) {
				struct fsrs_outcome o = { false, attempts, hints, false, took_s,
					60 };
				cr_expect(eq(int, fsrs_rate(&o), FSRS_AGAIN));
			}
}

/* The clock was set back between two reviews: as if it were the same day. */
Test(fsrs, clock_that_goes_backwards)
{
	struct fsrs_card back = { 0 }, same = { 0 };
	fsrs_review(&back, &fsrs_defaults, FSRS_GOOD, 5000000);
	fsrs_review(&same, &fsrs_defaults, FSRS_GOOD, 5000000);
	fsrs_review(&back, &fsrs_defaults, FSRS_GOOD, 1000);
	fsrs_review(&same, &fsrs_defaults, FSRS_GOOD, 5000000);
	cr_expect(eq(dbl, back.memory.stability_days, same.memory.stability_days));
	cr_expect(eq(i64, back.due_s - back.last_s, same.due_s - same.last_s));
	cr_expect(eq(dbl, fsrs_card_recall(&back, &fsrs_defaults, 0), 1));
	cr_expect(eq(dbl, fsrs_card_recall(&(struct fsrs_card){ 0 }, &fsrs_defaults, 0), 0));
}

/* Learning takes steps of one and of ten minutes, relearning one of ten; no interval is longer than a
 * century. */
Test(fsrs, defaults_of_the_steps)
{
	cr_expect(eq(dbl, fsrs_defaults.longest_days, 36500));
	cr_expect(eq(sz, fsrs_defaults.n_learning, 2));
	cr_expect(eq(i64, fsrs_defaults.learning_s[0], 60));
	cr_expect(eq(i64, fsrs_defaults.learning_s[1], 600));
	cr_expect(eq(sz, fsrs_defaults.n_relearning, 1));
	cr_expect(eq(i64, fsrs_defaults.relearning_s[0], 600));
}

/* At a retention of 0.9 the interval is the stability, rounded; 1 and the longest are its ends. A
 * stability is a thousandth of a day at least and a century at most. */
Test(fsrs, ends_of_intervals_and_stabilities)
{
	cr_expect(eq(dbl, fsrs_interval_days(&fsrs_defaults, 0.2), 1));
	cr_expect(eq(dbl, fsrs_interval_days(&fsrs_defaults, 7.4), 7));
	cr_expect(eq(dbl, fsrs_interval_days(&fsrs_defaults, 7.6), 8));
	cr_expect(eq(dbl, fsrs_interval_days(&fsrs_defaults, 36500), 36500));
	cr_expect(eq(dbl, fsrs_interval_days(&fsrs_defaults, 90000), 36500));
	struct fsrs_memory most = { 36000, 1 }, least = { 0.001, 10 };
	most = fsrs_remember(fsrs_defaults.w, most, 36000, FSRS_EASY);
	cr_expect(eq(dbl, most.stability_days, 36500));
	least = fsrs_remember(fsrs_defaults.w, least, 0, FSRS_AGAIN);
	cr_expect(eq(dbl, least.stability_days, 0.001));
}
