/* Prints what tests/data/record.txt holds: `make record` writes it. */
#include "tests/record.h"

#include "sims/registry/registry.h"

#include <stdio.h>

static const char head[] =
	"# What the program says: a simulation, a setting and a digest over every number of its figure, six\n"
	"# digits of each; or a formula, an argument that is not its example's, and the value.\n"
	"#\n"
	"# This is no evidence that a number is right: rows worked by hand and published measurements are\n"
	"# that. It is here so that no number that a person reads changes without somebody having seen it.\n"
	"# Where a change is meant, look at it with `make unchanged OLD=...`, and write this file anew with\n"
	"# `make record`. How the settings are chosen says tests/record.h.\n";

static void print_line(const char *line, const char *command, void *context)
{
	(void)command;
	(void)context;
	printf("%s\n", line);
}

int main(void)
{
	struct tables t = record_tables();
	fputs(head, stdout);
	for (size_t i = 0; i < n_sims; i++) {
		record_simulation(sims[i], &t, print_line, NULL);
		record_draws(sims[i], &t, print_line, NULL);
	}
	record_comparisons(&t, print_line, NULL);
	record_workloads(&t, print_line, NULL);
	record_patients(&t, print_line, NULL);
	record_written(print_line, NULL);
	record_typed(print_line, NULL);
	record_graded(print_line, NULL);
	record_formulas(print_line, NULL);
	tables_release(&t);
	return fflush(stdout) ? 1 : 0;
}
