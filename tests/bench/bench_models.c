/* Models and frames, without a terminal. */
#include "sims/registry/registry.h"
#include "ui/live/live_draw.h"
#include "tests/bench/bench.h"
#include "ui/live/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Settings with a long way to their frame: many spans, stages or requests; and the knob that is turned back
 * and forth between two values. */
static const struct {
	const char *setting, *knob;
	double values[2];
} heavy[] = {
	{ "parallelism strategy=3d model=llama3-405b gpu=h100 gpus=16384 tp=8 pp=16 "
	  "schedule=interleaved virtual_stages=8 micro_batches=16 seq=8192 inter_GBps=50 "
	  "software=compiled2024",
		"micro_batches", { 16, 32 } },
	{ "parallelism model=llama4-maverick gpus=16384 tp=64 pp=64 micro_batches=256 "
	  "schedule=interleaved virtual_stages=8",
		"latency_us", { 5, 10 } },
	{ "goodput model=llama3-405b gpus=16384 days=54", "days", { 54, 60 } },
	{ "timeline show=epoch epoch_steps=1000 steps=2000", "prep_ms", { 10, 20 } },
};

/* A turn of a knob to the whole frame: the model, and what a terminal of direct colour shows of it. */
static void bench_turn(const struct tables *t, size_t which)
{
	enum { ROWS = 40, COLS = 120 };
	struct canvas cv;
	struct live view;
	char name[96], err[256];
	double x[RUNS];
	int knob = 0;
	if (canvas_init(&cv, ROWS, COLS, GLYPHS_BRAILLE) ||
		live_open_text(&view, t, heavy[which].setting, err, sizeof err))
		abort();
	while (strcmp(view.sim->knobs[knob].id, heavy[which].knob) != 0)
		if ((size_t)++knob == view.sim->n_knobs)
			abort();
	cv.fills = FILLS_TINTED;
	for (int i = 0; i < RUNS; i++) {
		double began = cpu_ms();
		live_set(&view, knob, heavy[which].values[(i + 1) % 2]);
		live_update(&view);
		canvas_clear(&cv);
		live_draw(&cv, (struct rect){ 0, 0, ROWS, COLS }, &view);
		x[i] = cpu_ms() - began;
	}
	snprintf(name, sizeof name, "%s: a turn of %s, %dx%d", view.sim->id, heavy[which].knob,
		COLS, ROWS);
	row(name, x, RUNS, "ms", turn_promised(view.sim->id));
	live_release(&view);
	canvas_release(&cv);
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
	heading("turns at heavy settings, computing time");
	for (size_t i = 0; i < sizeof heavy / sizeof *heavy; i++)
		bench_turn(t, i);
	bench_requests(t, "policy=continuous", "batching: 20,000 requests, continuous");
	bench_requests(t, "policy=static", "batching: 20,000 requests, static");
}
