/* The record: what the program says, in short. A line of tests/data/record.txt is a simulation, a
 * setting, and a digest over every number that its figure shows a reader; or a formula, its
 * arguments, and the value. `make record` writes the lines, tests/test_record.c compares them.
 *
 * It is no evidence that a number is right: rows worked by hand and published measurements are that.
 * It shows that no number that a person reads has changed without somebody having seen it. */
#ifndef RIDGE_TESTS_RECORD_H
#define RIDGE_TESTS_RECORD_H

#include "sims/figure/sim.h"

#include <stddef.h>

enum { RECORD_LINE = 256, RECORD_COMMAND = 2000 };

/* A line, without its end, and what prints the same numbers when it is typed. */
typedef void record_visit(const char *line, const char *command, void *context);

/* The simulation at its defaults, and at both ends of every knob and at each of its choices, in a
 * setting where the knob matters: "scaling gpus=8 0123abcd". */
void record_simulation(
	const struct sim *s, const struct tables *t, record_visit *visit, void *context);

/* At settings drawn at random, the same ones each time: "drawn:scaling 7 0123abcd". */
void record_draws(const struct sim *s, const struct tables *t, record_visit *visit, void *context);

/* Every formula at its example, and with each parameter halved and doubled where it can be:
 * "formula:young_interval mtbf=7200 379.473". */
void record_formulas(record_visit *visit, void *context);

/* What each comparison with measurements predicts of each row: "compare:gemm 0123abcd". */
void record_comparisons(const struct tables *t, record_visit *visit, void *context);

/* Each workload of training, of which knobs offer only some: its row, and its steps on four GPUs:
 * "workload:dlrm 0123abcd". */
void record_workloads(const struct tables *t, record_visit *visit, void *context);

/* Some patients of each fault, what the instruments say of them, and what remedies do:
 * "patient:few-workers 0 0123abcd". */
void record_patients(const struct tables *t, record_visit *visit, void *context);

/* Numbers as they are written in each unit, typed texts as they are read, answers around a key as
 * they are graded: "written:GB/s 0123abcd", "typed:2 x 3 GB 0123abcd", "graded:exact 0123abcd". */
void record_written(record_visit *visit, void *context);
void record_typed(record_visit *visit, void *context);
void record_graded(record_visit *visit, void *context);

/* The facts that travel with the program, without the user's own machine. Release them. */
struct tables record_tables(void);

#endif
