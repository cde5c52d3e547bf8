/* A server that batches whatever waits, under a fixed number of clients: each waits for its answer,
 * spends some time elsewhere, and asks again. */
#include "sims/measured/measured.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
enum {
	CONFIG, REQUEST_BATCH, CLIENTS, RATE, SEND, NETWORK, QUEUE, INPUT, INFER, OUTPUT, P50, MEAN,
	N_COLUMNS
};
/* clang-format on */
#define MS_COLUMN(id)                                                                              \
	{                                                                                          \
		.name = id "_ms", .kind = CSV_NUMBER, .min = 0, .max = 1e9                         \
	}
static const struct csv_column columns[N_COLUMNS] = {
	[CONFIG] = { .name = "config" },
	[REQUEST_BATCH] = { .name = "request_batch",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e6,
		.whole = true },
	[CLIENTS] = { .name = "concurrency",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e6,
		.whole = true },
	[RATE] = { .name = "inferences_per_s", .kind = CSV_NUMBER, .min = 1e-9, .max = 1e12 },
	[SEND] = MS_COLUMN("client_send"),
	[NETWORK] = MS_COLUMN("network"),
	[QUEUE] = MS_COLUMN("server_queue"),
	[INPUT] = MS_COLUMN("compute_input"),
	[INFER] = { .name = "compute_infer_ms", .kind = CSV_NUMBER, .min = 1e-6, .max = 1e9 },
	[OUTPUT] = MS_COLUMN("compute_output"),
	[P50] = { .name = "p50_ms", .kind = CSV_NUMBER, .min = 1e-6, .max = 1e9 },
	[MEAN] = { .name = "avg_ms", .kind = CSV_NUMBER, .min = 1e-6, .max = 1e9 },
};

/* The largest rate of a configuration stands for what its server can do. */
enum { CONFIGS = 64 };
struct capacities {
	char name[CONFIGS][64];
	double rate[CONFIGS];
	size_t n;
	double little; /* the largest deviation from Little's law */
};

static double *rate_of(struct capacities *k, const struct csv *c, size_t row)
{
	char name[64];
	size_t i = 0;

	csv_text(c, row, CONFIG, name, sizeof name);
	while (i < k->n && strcmp(k->name[i], name) != 0)
		i++;
	if (i == k->n && k->n < CONFIGS)
		memcpy(k->name[k->n++], name, sizeof name);
	return &k->rate[i < CONFIGS ? i : CONFIGS - 1];
}

static double elsewhere_ms(const struct csv *c, size_t row)
{
	return csv_number(c, row, SEND) + csv_number(c, row, NETWORK) + csv_number(c, row, INPUT) +
	       csv_number(c, row, OUTPUT);
}

/* While a batch is served, which takes S, requests come back from elsewhere after an exponential
 * time of mean Z; those that do so within S wait for its end: S - Z + S / (exp(S / Z) - 1) on
 * average, between S / 2 where Z is long and S where it is nothing. The next batch takes all of
 * them, so that the number of clients does not matter; one alone never waits. */
static double batch_wait_ms(double clients, double service_ms, double elsewhere)
{
	if (clients <= 1)
		return 0;
	double ratio = service_ms / elsewhere;
	if (!(ratio < 700))
		return service_ms - elsewhere;
	if (ratio < 1e-4)
		return service_ms * (0.5 + ratio / 12);
	return service_ms - elsewhere + service_ms / expm1(ratio);
}

static void predict_row(struct validation *v, size_t file, size_t row, double capacity)
{
	const struct csv *c = &v->files[file];
	double service_ms = csv_number(c, row, INFER), rest_ms = elsewhere_ms(c, row);
	double wait_ms = batch_wait_ms(csv_number(c, row, CLIENTS), service_ms, rest_ms);
	double queue_ms = csv_number(c, row, QUEUE);
	const char *load = csv_number(c, row, RATE) < 0.9 * capacity ? "below" : "from";

	if (queue_ms > 0)
		validation_add(v, file, row,
			validation_group(v, true, "server_queue_ms %s 90 %%", load), wait_ms,
			queue_ms);
	validation_add(v, file, row, validation_group(v, true, "p50_ms %s 90 %%", load),
		service_ms + rest_ms + wait_ms, csv_number(c, row, P50));
}

/* N = X R, of the row's own numbers. */
static double little_error(const struct csv *c, size_t row)
{
	double inside = csv_number(c, row, RATE) * csv_number(c, row, MEAN) / 1e3;
	double clients = csv_number(c, row, CLIENTS) * csv_number(c, row, REQUEST_BATCH);

	return fabs(inside / clients - 1);
}

static void predict(struct validation *v, size_t file)
{
	const struct csv *c = &v->files[file];
	struct capacities *k = arena_alloc(&v->arena, sizeof *k);

	if (!k)
		return;
	v->notes[file] = k;
	for (size_t row = 0; row < c->n_rows; row++) {
		double *rate = rate_of(k, c, row);
		*rate = fmax(*rate, csv_number(c, row, RATE));
		k->little = fmax(k->little, little_error(c, row));
	}
	for (size_t row = 0; row < c->n_rows; row++)
		predict_row(v, file, row, *rate_of(k, c, row));
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	char config[48];

	snprintf(w->what, sizeof w->what, "%s, %g clients",
		csv_text(c, p->row, CONFIG, config, sizeof config), csv_number(c, p->row, CLIENTS));
	snprintf(w->thought, sizeof w->thought, "%.15s: batches of %.2f ms, %.2f ms elsewhere",
		v->groups[p->group].name, csv_number(c, p->row, INFER), elsewhere_ms(c, p->row));
}

static void finish(struct validation *v)
{
	const struct capacities *k = v->notes[0];

	if (!k || !v->n)
		return;
	validation_value(v, "little", "worst against Little's law", 100 * k->little, "%");
	validation_verdict(v, "Little's law within 1 %", true, k->little <= 0.01);
}

static const struct measured_source sources[] = {
	{ .files = { "queueing.csv" },
		.from = "NVIDIA Deep Learning Examples",
		.columns = columns,
		.n_columns = N_COLUMNS,
		.predict = predict,
		.describe = describe },
};

extern const struct measured_model measured_queueing;
const struct measured_model measured_queueing = {
	.id = "queueing",
	.title = "A batching server's queue",
	.predicts = "mean wait in the server's queue, and the median response",
	.assumes = "times of serving a batch and of everything else are the row's own; what is "
		   "predicted is the wait",
	.quantity = "time",
	.unit = "ms",
	.sources = sources,
	.n_sources = 1,
	.together = true,
	.marks = { { "server_queue_ms below", 0.9, 0.3,
			   "queue below 90 % load: 90 % of rows <= 30 %" },
		{ "p50_ms below", 0.9, 0.3, "p50 below 90 % load: 90 % of rows <= 30 %" } },
	.finish = finish,
};
