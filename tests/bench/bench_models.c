/* Models and frames, without a terminal. */
#include "sims/registry/registry.h"
#include "ui/live/live_draw.h"
#include "tests/bench/bench.h"
#include "ui/live/live.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 15 };

static const struct {
	int rows, cols;
} sizes[] = { { 24, 80 }, { 60, 200 } };

static double run_ms(const struct sim *s, const struct tables *t, const double v[])
{
	struct figure fig = { 0 };
	double began = cpu_ms();
	fig.memo = t->memo;
	s->run(t, v, &fig);
	double took = cpu_ms() - began;
	figure_release(&fig);
	return took;
}

/* The model at its defaults, and with one knob after the other at both ends of its range. */
static void bench_model(const struct sim *s, const struct tables *t)
{
	double v[MAX_KNOBS] = { 0 }, x[RUNS], ends[2 * MAX_KNOBS];
	char name[96];
	size_t n = 0;
	sim_defaults(s, t, v);
	for (int i = 0; i < RUNS; i++)
		x[i] = run_ms(s, t, v);
	snprintf(name, sizeof name, "%s: model", s->id);
	row(name, x, RUNS, "ms", turn_promised(s->id));
	for (size_t k = 0; k < s->n_knobs; k++) {
		const struct knob *knob = &s->knobs[k];
		double dflt = v[k], last = (double)knob_choices(knob, t) - 1;
		v[k] = knob->kind == KNOB_NUMBER ? knob->min : 0;
		ends[n++] = run_ms(s, t, v);
		v[k] = knob->kind == KNOB_NUMBER ? knob->max : last;
		ends[n++] = run_ms(s, t, v);
		v[k] = dflt;
	}
	snprintf(name, sizeof name, "%s: model, each knob at its ends", s->id);
	row(name, ends, n, "ms", "");
}

static void bench_frame(const struct sim *s, const struct tables *t, int rows, int cols)
{
	struct canvas cv;
	struct live view;
	char name[96], err[256];
	double x[RUNS];
	if (canvas_init(&cv, rows, cols, GLYPHS_BRAILLE) ||
		live_open(&view, t, s->id, NULL, 0, err, sizeof err))
		abort();
	for (int i = 0; i < RUNS; i++) {
		double began = cpu_ms();
		canvas_clear(&cv);
		live_draw(&cv, (struct rect){ 0, 0, rows, cols }, &view);
		x[i] = cpu_ms() - began;
	}
	live_release(&view);
	canvas_release(&cv);
	snprintf(name, sizeof name, "%s: draw %dx%d", s->id, cols, rows);
	row(name, x, RUNS, "ms", "");
}

static void bench_requests(const struct tables *t, const char *setting, const char *name)
{
	const struct sim *s = sim_find("batching");
	double v[MAX_KNOBS] = { 0 }, x[5];
	char err[256];
	if (!s)
		return;
	sim_defaults(s, t, v);
	if (sim_read_setting(s, t, "requests=20000", v, err, sizeof err) ||
		sim_read_setting(s, t, setting, v, err, sizeof err)) {
		printf("%s: %s\n", name, err);
		return;
	}
	for (size_t i = 0; i < sizeof x / sizeof *x; i++)
		x[i] = run_ms(s, t, v);
	row(name, x, sizeof x / sizeof *x, "ms", "");
}

void bench_models(const struct tables *t)
{
	heading("models and frames, computing time");
	for (size_t i = 0; i < n_sims; i++) {
		bench_model(sims[i], t);
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
			bench_frame(sims[i], t, sizes[k].rows, sizes[k].cols);
	}
	bench_requests(t, "policy=continuous", "batching: 20,000 requests, continuous");
	bench_requests(t, "policy=static", "batching: 20,000 requests, static");
}
