/* What the program says is what tests/data/record.txt says: tests/record.h. Two tests for
 * each simulation, so that they run at the same time, and so that `make mutants` knows which of them sees
 * a function. */
#include "tests/record.h"

#include "sims/base/array.h"
#include "sims/registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

static const char file_name[] = "tests/data/record.txt";

enum { MOST_SHOWN = 5 };

struct comparison {
	FILE *file;
	const char *prefix; /* of the lines that count */
	size_t compared, different;
};

/* The next line that begins so, without its end; "": there is none. */
static const char *next_line(struct comparison *c, char line[RECORD_LINE])
{
	size_t n = strlen(c->prefix);
	while (fgets(line, RECORD_LINE, c->file))
		if (strncmp(line, c->prefix, n) == 0) {
			line[strcspn(line, "\n")] = '\0';
			return line;
		}
	return "";
}

static void compare(const char *now, const char *command, void *context)
{
	struct comparison *c = context;
	char was[RECORD_LINE];
	c->compared++;
	if (strcmp(next_line(c, was), now) == 0)
		return;
	if (c->different++ < MOST_SHOWN)
		cr_log_error("%s\n\tis \"%s\", and was \"%s\"", command, now, was);
}

static struct comparison begin(const char *prefix)
{
	struct comparison c = { .file = fopen(file_name, "r"), .prefix = prefix };
	cr_assert(c.file != NULL, "%s: run the tests where it stands", file_name);
	return c;
}

static void end(struct comparison *c)
{
	char line[RECORD_LINE] = "";
	cr_expect(eq(str, (char *)next_line(c, line), ""), "%s: a line too much", file_name);
	fclose(c->file);
	cr_expect(lt(sz, 0, c->compared));
	cr_expect(zero(sz, c->different),
		"%zu of %zu lines of %s are different, the first of them above. If the change is "
		"meant, look at it with `make unchanged OLD=...`, and write the record anew with "
		"`make record`",
		c->different, c->compared, file_name);
}

static void compare_simulation(const char *id,
	void (*record)(const struct sim *, const struct tables *, record_visit *, void *),
	const char *kind)
{
	char prefix[64];
	const struct sim *s = sim_find(id);
	cr_assert(s != NULL, "%s", id);
	snprintf(prefix, sizeof prefix, "%s%s ", kind, id);
	struct comparison c = begin(prefix);
	struct tables t = record_tables();
	record(s, &t, compare, &c);
	tables_release(&t);
	end(&c);
}

static void compare_all(void (*record)(record_visit *, void *), const char *prefix)
{
	struct comparison c = begin(prefix);
	record(compare, &c);
	end(&c);
}

Test(record, formulas)
{
	compare_all(record_formulas, "formula:");
}

Test(record, numbers_written)
{
	compare_all(record_written, "written:");
}

Test(record, numbers_typed)
{
	compare_all(record_typed, "typed:");
}

Test(record, answers_graded, .description = "long")
{
	compare_all(record_graded, "graded:");
}

static void compare_with_tables(
	void (*record)(const struct tables *, record_visit *, void *), const char *prefix)
{
	struct comparison c = begin(prefix);
	struct tables t = record_tables();
	record(&t, compare, &c);
	tables_release(&t);
	end(&c);
}

Test(record, comparisons)
{
	compare_with_tables(record_comparisons, "compare:");
}

Test(record, workloads)
{
	compare_with_tables(record_workloads, "workload:");
}

Test(record, patients, .description = "long")
{
	compare_with_tables(record_patients, "patient:");
}

/* clang-format off */
#define RECORDED(X)                                                                                \
	X(system) X(scaling) X(amdahl) X(roofline) X(memory) X(compile) X(timeline) X(measurement) \
	X(diagnosis) X(formats) X(allreduce) X(parallelism) X(compression) X(inference)            \
	X(flashattention) X(kvcache) X(speculative) X(batching) X(queueing) X(capacity) X(latency) \
	X(stacking) X(goodput) X(caselab) X(moe) X(disaggregation) X(occupancy) X(tiles)
/* clang-format on */

#define X(name)                                                                                    \
	Test(record, name)                                                                         \
	{                                                                                          \
		compare_simulation(#name, record_simulation, "");                                  \
	}                                                                                          \
	Test(record, name##_drawn, .description = "long")                                          \
	{                                                                                          \
		compare_simulation(#name, record_draws, "drawn:");                                 \
	}
RECORDED(X)
#undef X

#define X(name) #name,
static const char *const recorded[] = { RECORDED(X) };
#undef X

Test(record, every_simulation_is_in_it)
{
	cr_assert(eq(sz, LENGTH(recorded), n_sims));
	for (size_t i = 0; i < n_sims; i++)
		cr_expect(sim_find(recorded[i]) != NULL, "%s", recorded[i]);
}
