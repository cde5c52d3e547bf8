/* What make bench measures, and the table that it prints. */
#ifndef RIDGE_BENCH_H
#define RIDGE_BENCH_H

#include "sims/tables/tables.h"

#include <stddef.h>

double now_ms(void); /* on the wall */
double cpu_ms(void); /* that this process computed: neighbours do not count */

/* One row: least, median and most of x[0..n), which it sorts; nothing where n is 0. */
void row(const char *name, double x[], size_t n, const char *unit, const char *promised);
void heading(const char *title);
/* In how many ms the whole frame of a turn of a knob is promised, as a text for row(): a simulation
 * is a closed form, or it runs events, draws random numbers, replays an allocator or evaluates a
 * network. One that is not named counts as simulated. Capacity searches, and has two seconds for
 * its answer, in which keys are taken. */
const char *turn_promised(const char *sim);

/* Both programs in a pseudo-terminal: start, keys, bytes, idle, memory. */
void bench_programs(const char *ridge, const char *peer);
/* Without a terminal: models, frames. */
void bench_models(const struct tables *t);
/* The event engine, and SimPy 3 beside it where python3 has it (Debian: python3-simpy3). */
void bench_events(void);
/* A history that is as large as one may get. */
void bench_history(void);
/* Memory bandwidth, beside an independent loop. */
void bench_measure(void);

#endif
