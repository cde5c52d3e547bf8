/* While the tests run, each suite gets a line on standard output: its name, how many tests it has,
 * the time that they took together, and the names of those that failed. Criterion says on standard
 * error what failed in them, and prints its summary there as the last line.
 *
 * Criterion's own report of a suite comes too early where tests run in parallel, so tests are
 * counted here: a suite's line is printed after the last of its tests that were announced, and at
 * the end for a suite that was cut short.
 *
 * With RIDGE_QUICK=1 in the environment the tests of more than about half a second, those that say
 * .description = "long", are left out; and the suites that RIDGE_LEAVE names, with blanks between them.
 * (Criterion's own patterns take minutes for so many names in a build with sanitizers.) */
#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SUITES = 512, MAX_NAMES = 1000 };
static struct tally {
	const char *name;
	size_t announced, run, failed;
	double seconds;
	char failures[MAX_NAMES];
} tallies[MAX_SUITES];
static size_t n_tallies;

static struct tally *tally_of(const char *suite)
{
	for (size_t i = 0; i < n_tallies; i++)
		if (strcmp(tallies[i].name, suite) == 0)
			return &tallies[i];
	cr_assert(n_tallies < MAX_SUITES);
	tallies[n_tallies].name = suite;
	return &tallies[n_tallies++];
}

static void print_tally(const struct tally *t)
{
	printf("%-24s %3zu test%s %7.2f s  %s%s\n", t->name, t->run, t->run == 1 ? " " : "s",
		t->seconds, t->failed ? "FAILED:" : "ok", t->failures);
	fflush(stdout);
}

static bool is_long(const struct criterion_test *test)
{
	return test->data->description && strcmp(test->data->description, "long") == 0;
}

static bool is_left(const struct criterion_test *test, const char *suites)
{
	const size_t n = strlen(test->category);
	for (const char *at = suites; (at = strstr(at, test->category)); at += n)
		if ((at == suites || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
			return true;
	return false;
}

ReportHook(PRE_ALL)(struct criterion_test_set *set)
{
	const char *quick = getenv("RIDGE_QUICK"), *leave = getenv("RIDGE_LEAVE");
	FOREACH_SET(struct criterion_suite_set * suite, set->suites)
	{
		if (!suite->tests)
			continue;
		FOREACH_SET(struct criterion_test * test, suite->tests)
		{
			if (quick && strcmp(quick, "1") == 0 && is_long(test))
				test->data->disabled = true;
			if (leave && is_left(test, leave))
				test->data->disabled = true;
			if (!test->data->disabled)
				tally_of(test->category)->announced++;
		}
	}
}

static void count(const struct criterion_test_stats *stats, bool failed)
{
	struct tally *t = tally_of(stats->test->category);
	size_t used = strlen(t->failures);
	t->run++;
	t->seconds += (double)stats->elapsed_time;
	if (failed) {
		t->failed++;
		snprintf(t->failures + used, sizeof t->failures - used, " %s", stats->test->name);
	}
	if (t->run == t->announced)
		print_tally(t);
}

ReportHook(POST_TEST)(struct criterion_test_stats *stats)
{
	if (stats->test_status != CR_STATUS_SKIPPED)
		count(stats, stats->test_status == CR_STATUS_FAILED);
}

/* A test that crashes never comes to its end above. */
ReportHook(TEST_CRASH)(struct criterion_test_stats *stats)
{
	count(stats, true);
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
	(void)stats;
	for (size_t i = 0; i < n_tallies; i++)
		if (tallies[i].run && tallies[i].run < tallies[i].announced)
			print_tally(&tallies[i]);
}
