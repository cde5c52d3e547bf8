/* The comparison `queueing`: a server that batches whatever waits, under a fixed number of clients.
 * Each waits for its answer, spends some time elsewhere, and asks again. */
#include "sims/published/validation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	MODEL,
	CONFIG,
	REQUEST_BATCH,
	CLIENTS,
	RATE,
	SEND,
	NETWORK,
	QUEUE,
	INPUT,
	INFER,
	OUTPUT,
	P50,
	MEAN,
	N_COLUMNS
};
#define MS_COLUMN(id)                                                                              \
	{                                                                                          \
		.name = id "_ms", .kind = CSV_NUMBER, .min = 0, .max = 1e9                         \
	}
static const struct csv_column columns[N_COLUMNS] = {
	[MODEL] = { .name = "model", .blank = true, .optional = true },
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

/* A configuration of the table, serving a model. */
struct queueing_server {
	double rate;          /* the largest that was measured stands for what it can do */
	double largest_batch; /* the most inferences at once, as a power of two */
};
struct servers {
	struct queueing_server *server;
	uint32_t *of;  /* [row]: its server */
	double little; /* the largest deviation from Little's law */
};

/* The batch limit of a server from one row: Little's law gives the mean number being
 * served, of which 5 % are taken for noise. Limits are powers of two, and a batch is
 * seldom full on average. */
static double batch_limit(const struct csv *c, size_t row)
{
	double served_ms =
		csv_number(c, row, INPUT) + csv_number(c, row, INFER) + csv_number(c, row, OUTPUT);

	return exp2(ceil(log2(fmax(1, csv_number(c, row, RATE) * served_ms / 1.05e3))));
}

struct wait {
	double service_ms, elsewhere_ms, wait_ms;
};

/* Between two batches, for each request of one: answers leave and the next requests are gathered,
 * which the server's times of computing leave out. */
static const double gather_s = 19.1e-6;
/* Standard deviation of a request's time elsewhere over its mean. The logs' 90th percentile of a
 * response is 3 to 12 % above its median; of all rows only the T4's 16 clients feel it. */
static const double elsewhere_cv = 0.0636;
enum { GATHER, ELSEWHERE, N_CONSTANTS };
static const struct measured_constant constants[N_CONSTANTS] = {
	[GATHER] = { .name = "between batches, a request",
		.unit = "us",
		.scale = 1e-6,
		.at = &gather_s,
		.least = 1e-6,
		.most = 200e-6 },
	[ELSEWHERE] = { .name = "spread of the time elsewhere",
		.unit = "",
		.scale = 1,
		.at = &elsewhere_cv,
		.least = 0.01,
		.most = 1 },
};

/* The mean number of whole services that a time elsewhere touches, E ceil(Z / S) for a normal Z:
 * 1 where everybody is back before the next batch has ended. */
static double services_elsewhere(double elsewhere, double cv, double service_ms)
{
	double sigma = cv * elsewhere, n = 1;

	if (!(elsewhere > 0))
		return 1;
	if (sigma > service_ms) /* spread over several: anywhere within the last */
		return elsewhere / service_ms + 0.5;
	for (double ends = service_ms; ends < elsewhere + 8 * sigma; ends += service_ms)
		n += 0.5 * erfc((ends - elsewhere) / (sigma * sqrt(2)));
	return n;
}

/* A batch takes everybody who waits. So clients stay together: those of one batch come back from
 * elsewhere during some later one, and wait for its end. With c batches that take turns, each of
 * clients / c, a turn is c (S + gap) long, of which S is served and Z spent elsewhere; the rest is
 * the wait. c is 1 + the services that Z touches, or what the server's largest batch asks for.
 * Fewer clients than c find it busy less often. */
static double batch_wait_ms(const struct validation *v, double clients, double service_ms,
	double elsewhere, double largest_batch)
{
	double gather_ms = 1e3 * validation_constant(v, GATHER);
	double cv = validation_constant(v, ELSEWHERE), turns = 2, gap_ms = 0;

	/* The gap depends on the turns, and they depend a little on the gap. */
	for (int i = 0; i < 8; i++) {
		gap_ms = gather_ms * fmin(clients / fmin(turns, clients), largest_batch);
		turns = 1 + services_elsewhere(elsewhere, cv, service_ms + gap_ms);
	}
	double needed = clients / largest_batch;
	double wait_ms = fmax(turns, needed) * (service_ms + gap_ms) - service_ms - elsewhere;
	double busy = turns > clients ? (clients - 1) / (turns - 1) : 1;
	return gap_ms + busy * fmax(0, wait_ms - gap_ms);
}

static struct wait wait_of(const struct validation *v, const struct csv *c, size_t row,
	const struct queueing_server *s)
{
	struct wait w = { .service_ms = csv_number(c, row, INPUT) + csv_number(c, row, INFER) +
					csv_number(c, row, OUTPUT),
		.elsewhere_ms = csv_number(c, row, SEND) + csv_number(c, row, NETWORK) };
	double largest = fmax(1, s->largest_batch / csv_number(c, row, REQUEST_BATCH));

	w.wait_ms = batch_wait_ms(
		v, csv_number(c, row, CLIENTS), w.service_ms, w.elsewhere_ms, largest);
	return w;
}

static void predict_row(
	struct validation *v, size_t file, size_t row, const struct queueing_server *s)
{
	const struct csv *c = &v->files[file];
	struct wait w = wait_of(v, c, row, s);
	double capacity = s->rate;
	double queue_ms = csv_number(c, row, QUEUE);
	const char *load = csv_number(c, row, RATE) < 0.9 * capacity ? "below" : "from";

	if (queue_ms > 0)
		validation_add(v, file, row,
			validation_group(v, true, "server_queue_ms %s 90 %%", load), w.wait_ms,
			queue_ms);
	validation_add(v, file, row, validation_group(v, true, "p50_ms %s 90 %%", load),
		w.service_ms + w.elsewhere_ms + w.wait_ms, csv_number(c, row, P50));
}

/* How far the row's own numbers are from Little's law, N = X R. */
static double little_error(const struct csv *c, size_t row)
{
	double inside = csv_number(c, row, RATE) * csv_number(c, row, MEAN) / 1e3;
	double clients = csv_number(c, row, CLIENTS) * csv_number(c, row, REQUEST_BATCH);

	return fabs(inside / clients - 1);
}

struct queueing_place {
	const struct csv *c;
	uint32_t row;
};

static int by_server(const void *a, const void *b)
{
	const struct queueing_place *x = a, *y = b;
	int differ = csv_compare(x->c, MODEL, x->row, y->row);

	return differ ? differ : csv_compare(x->c, CONFIG, x->row, y->row);
}

static struct servers *find_servers(struct arena *a, const struct csv *c)
{
	struct servers *k = arena_alloc(a, sizeof *k);
	struct queueing_place *places = arena_array(a, c->n_rows, sizeof *places);
	struct queueing_server *s = arena_array(a, c->n_rows, sizeof *s);
	uint32_t *of = arena_array(a, c->n_rows, sizeof *of), n = 0;

	if (!k || !places || !s || !of)
		return NULL;
	for (size_t row = 0; row < c->n_rows; row++)
		places[row] = (struct queueing_place){ c, (uint32_t)row };
	qsort(places, c->n_rows, sizeof *places, by_server);
	*k = (struct servers){ s, of, 0 };
	for (size_t i = 0; i < c->n_rows; i++) {
		size_t row = places[i].row;
		n += i > 0 && by_server(&places[i - 1], &places[i]) != 0;
		of[row] = n;
		s[n].rate = fmax(s[n].rate, csv_number(c, row, RATE));
		s[n].largest_batch = fmax(s[n].largest_batch, batch_limit(c, row));
		k->little = fmax(k->little, little_error(c, row));
	}
	return k;
}

static void predict(struct validation *v, size_t file)
{
	const struct csv *c = &v->files[file];
	struct servers *k = find_servers(&v->arena, c);

	v->notes[file] = k;
	for (size_t row = 0; k && row < c->n_rows; row++)
		predict_row(v, file, row, &k->server[k->of[row]]);
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	char config[48];

	snprintf(w->what, sizeof w->what, "%s, %g clients",
		csv_text(c, p->row, CONFIG, config, sizeof config), csv_number(c, p->row, CLIENTS));
	const struct servers *k = v->notes[p->file];
	struct wait s = wait_of(v, c, p->row, &k->server[k->of[p->row]]);
	snprintf(w->thought, sizeof w->thought, "%.15s: batches of %.2f ms, %.2f ms elsewhere",
		v->groups[p->group].name, s.service_ms, s.elsewhere_ms);
}

static void finish(struct validation *v)
{
	const struct servers *k = v->notes[0];

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

static void assume(struct figure *fig)
{
	figure_assume(fig,
		"times of serving a batch and of everything else are the row's own; batches take "
		"turns, %s for each request between them",
		figure_quantity(fig, gather_s, "s"));
}

const struct measured_model measured_queueing = {
	.id = "queueing",
	.title = "A batching server's queue",
	.predicts = "mean wait in the server's queue, and the median response",
	.assume = assume,
	.quantity = "time",
	.unit = "ms",
	.sources = sources,
	.n_sources = 1,
	.together = true,
	.marks = { { "server_queue_ms below", 0.9, 0.3,
			   "queue below 90 % load: 90 % of rows <= 30 %" },
		{ "p50_ms below", 0.9, 0.3, "p50 below 90 % load: 90 % of rows <= 30 %" } },
	.finish = finish,
	.constants = constants,
	.n_constants = N_CONSTANTS,
	.held = { { "server", CONFIG } },
};
