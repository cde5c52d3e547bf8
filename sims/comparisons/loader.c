/* The comparison `loader`: loader workers against the time of an epoch (step_loader_ratio). Only
 * ratios mean anything: the run without workers is the sum of preparing and everything else, and
 * the fastest run is taken for everything else. What is predicted is how many workers it takes. */
#include "sims/published/validation.h"
#include "sims/training/step_timeline.h"

#include <math.h>
#include <stdio.h>

enum { WORKERS, TIME, N_COLUMNS };
static const struct csv_column columns[N_COLUMNS] = {
	[WORKERS] = { .name = "num_workers",
		.kind = CSV_NUMBER,
		.min = 0,
		.max = 4096,
		.whole = true },
	[TIME] = { .name = "avg_time", .kind = CSV_NUMBER, .min = 1e-9, .max = 1e12 },
};

/* A run is saturated within 5 % of the fastest one of the sweep. */
static const double saturated_ratio = 1.05;

struct loader_sweep {
	double alone_s, least_s;          /* without workers; the fastest */
	double measured_at, predicted_at; /* workers from which it is saturated */
};

static double predicted_ratio(const struct loader_sweep *s, double workers)
{
	return step_loader_ratio(s->alone_s - s->least_s, s->least_s, (size_t)workers);
}

static struct loader_sweep sweep_of(const struct csv *c)
{
	struct loader_sweep s = { NAN, INFINITY, INFINITY, INFINITY };
	double least_ratio = INFINITY;

	for (size_t row = 0; row < c->n_rows; row++) {
		double time = csv_number(c, row, TIME);
		if (csv_number(c, row, WORKERS) == 0 && isnan(s.alone_s))
			s.alone_s = time;
		s.least_s = fmin(s.least_s, time);
	}
	for (size_t row = 0; row < c->n_rows; row++)
		least_ratio = fmin(least_ratio, predicted_ratio(&s, csv_number(c, row, WORKERS)));
	for (size_t row = 0; row < c->n_rows; row++) {
		double n = csv_number(c, row, WORKERS);
		if (csv_number(c, row, TIME) <= saturated_ratio * s.least_s)
			s.measured_at = fmin(s.measured_at, n);
		if (predicted_ratio(&s, n) <= saturated_ratio * least_ratio)
			s.predicted_at = fmin(s.predicted_at, n);
	}
	return s;
}

static void predict(struct validation *v, size_t file)
{
	const struct csv *c = &v->files[file];
	struct loader_sweep *s = arena_alloc(&v->arena, sizeof *s);

	if (!s)
		return;
	*s = sweep_of(c);
	v->notes[file] = s;
	for (size_t row = 0; row < c->n_rows; row++) {
		double n = csv_number(c, row, WORKERS);
		if (isnan(s->alone_s))
			validation_skip(
				v, file, row, "expected a row with 0 workers to compare with");
		else if (n == 0)
			validation_set_aside(
				v, file, row, "0 workers: the others are relative to it");
		else
			validation_add(v, file, row, validation_group(v, true, "workers"),
				predicted_ratio(s, n), csv_number(c, row, TIME) / s->alone_s);
	}
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct loader_sweep *s = v->notes[p->file];
	double n = csv_number(&v->files[p->file], p->row, WORKERS);

	snprintf(w->what, sizeof w->what, "%g workers", n);
	snprintf(w->thought, sizeof w->thought, "preparing takes %.1f times everything else",
		s->alone_s / s->least_s - 1);
}

static void finish(struct validation *v)
{
	const struct loader_sweep *s = v->notes[0];

	if (!s || isnan(s->alone_s))
		return;
	validation_value(
		v, "predicted_saturation", "saturates at, predicted", s->predicted_at, "workers");
	validation_value(
		v, "measured_saturation", "saturates at, measured", s->measured_at, "workers");
	validation_verdict(v, "saturates at the right worker count", v->n > 0,
		s->predicted_at == s->measured_at);
}

static const struct measured_source sources[] = {
	{ .columns = columns, .n_columns = N_COLUMNS, .predict = predict, .describe = describe },
};

static void assume(struct figure *fig)
{
	figure_assume(fig, "the fastest run shows what is left when loading is hidden, the one "
			   "without workers the sum");
}

const struct measured_model measured_loader = {
	.id = "loader",
	.title = "Loader workers",
	.predicts = "the time with so many workers, relative to none",
	.assume = assume,
	.quantity = "relative time",
	.unit = "",
	.licence = "the published table is under CC-BY-SA",
	.sources = sources,
	.n_sources = 1,
	.together = true,
	.finish = finish,
};
