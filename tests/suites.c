/* One line a suite on standard output while the tests run: its name, how many tests it has, the time
 * that they took together, and the names of those that failed. What failed in them Criterion says on
 * standard error, and so is the last line, its synthesis.
 *
 * With RIDGE_QUICK=1 in the environment the tests of more than about half a second, those that say
 * .description = "long", are left out. */
#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ReportHook(POST_SUITE)(struct criterion_suite_stats *stats)
{
	double seconds = 0;
	size_t run = 0;
	for (const struct criterion_test_stats *t = stats->tests; t; t = t->next)
		if (t->test_status != CR_STATUS_SKIPPED) {
			seconds += (double)t->elapsed_time;
			run++;
		}
	if (run == 0)
		return;
	printf("%-24s %3zu test%s %7.2f s  %s", stats->suite->name, run, run == 1 ? " " : "s",
		seconds, stats->tests_failed ? "FAILED:" : "ok");
	for (const struct criterion_test_stats *t = stats->tests; t; t = t->next)
		if (t->test_status == CR_STATUS_FAILED)
			printf(" %s", t->test->name);
	printf("\n");
	fflush(stdout);
}

ReportHook(PRE_ALL)(struct criterion_test_set *set)
{
	const char *quick = getenv("RIDGE_QUICK");
	if (!quick || strcmp(quick, "1") != 0)
		return;
	FOREACH_SET(struct criterion_suite_set * suite, set->suites)
	{
		if (!suite->tests)
			continue;
		FOREACH_SET(struct criterion_test * test, suite->tests)
		{
			const char *said = test->data->description;
			if (said && strcmp(said, "long") == 0)
				test->data->disabled = true;
		}
	}
}
