/* The comparison `collectives`: collectives within a node (sims/communication/collective.h). */
#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/published/names.h"
#include "sims/communication/collective.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GPU, OP, GPUS, BYTES, TIME, N_COLUMNS };
static const struct csv_column columns[N_COLUMNS] = {
	[GPU] = { .name = "gpu" },
	[OP] = { .name = "op" },
	[GPUS] = { .name = "n_gpus", .kind = CSV_NUMBER, .min = 2, .max = 72, .whole = true },
	[BYTES] = { .name = "bytes", .kind = CSV_NUMBER, .min = 1, .max = 1e15 },
	[TIME] = { .name = "time_us", .kind = CSV_NUMBER, .min = 1e-3, .max = 1e12 },
};

/* Within a node an all-to-all costs what a gather does: each GPU sends as many bytes, in as many
 * messages, and all links carry alike. */
static const struct {
	const char *name;
	enum collective op;
} ops[] = { { "all_reduce", ALL_REDUCE }, { "all_gather", ALL_GATHER },
	{ "reduce_scatter", REDUCE_SCATTER }, { "all_to_all", ALL_GATHER } };

/* How many GPUs one switch joins, where machines with more than a node's eight are sold. */
static const struct {
	const char *gpu;
	double gpus;
} switched[] = { { "gb200", 72 }, { "gb300", 72 }, { "gh200", 32 }, { "v100", 16 }, { "a100", 16 },
	{ "a100-40", 16 } };

static double most_gpus(const struct accelerator *g)
{
	for (size_t i = 0; i < LENGTH(switched); i++)
		if (strcmp(g->id, switched[i].gpu) == 0)
			return switched[i].gpus;
	return 8;
}

#define COST(label, in, units, member, lowest, highest)                                            \
	{                                                                                          \
		.name = label, .unit = in, .scale = units, .at = &collective_costs.member,         \
		.least = (lowest) * (units), .most = (highest) * (units)                           \
	}
#define SHARE(label, member, lowest, highest) COST(label, "", 1, member, lowest, highest)
#define TIME_OF(label, member, lowest, highest) COST(label, "us", 1e-6, member, lowest, highest)
static const struct measured_constant constants[] = {
	SHARE("LL, share of bandwidth", protocols[PROTOCOL_LL].share, 0.01, 0.2),
	SHARE("LL128, hop in LL's", protocols[PROTOCOL_LL128].hop, 1, 3),
	SHARE("LL128, share of bandwidth", protocols[PROTOCOL_LL128].share, 0.2, 0.94),
	SHARE("Simple, start in LL's", protocols[PROTOCOL_SIMPLE].launch, 1, 3),
	SHARE("Simple, hop in LL's", protocols[PROTOCOL_SIMPLE].hop, 0.5, 2),
	SHARE("writing one's own share", own_share, 0.1, 1),
	SHARE("Ampere, share of the link", ampere.efficiency, 0.5, 1),
	TIME_OF("Ampere, start", ampere.launch_s, 1, 40),
	TIME_OF("Ampere, hop", ampere.hop_s, 0.1, 10),
	TIME_OF("Ampere, filling the pipe", ampere.fill_s, 0.5, 20),
	SHARE("Hopper, share of the link", hopper.efficiency, 0.5, 1),
	SHARE("Hopper, share by the switch", hopper.switch_efficiency, 0.5, 1),
	TIME_OF("Hopper, start", hopper.launch_s, 1, 40),
	TIME_OF("Hopper, start by the switch", hopper.switch_launch_s, 5, 100),
	TIME_OF("Hopper, hop", hopper.hop_s, 0.1, 10),
	TIME_OF("Hopper, filling the pipe", hopper.fill_s, 0.5, 20),
};
enum { N_CONSTANTS = LENGTH(constants) };

/* The costs of the model, or those that are tried. */
static struct collective_costs costs_of(const struct validation *v)
{
	struct collective_costs costs = collective_costs;

	for (size_t i = 0; i < N_CONSTANTS; i++) {
		size_t offset =
			(size_t)((const char *)constants[i].at - (const char *)&collective_costs);
		double value = validation_constant(v, i);
		memcpy((char *)&costs + offset, &value, sizeof value);
	}
	return costs;
}

/* From this size on the link counts and the start does not. */
static const double large_bytes = 64 << 20;

/* The place of a row's operation among ops; -1: it has none. */
static int op_of(const struct csv *c, size_t row)
{
	for (size_t i = 0; i < LENGTH(ops); i++)
		if (measured_is(c, row, OP, ops[i].name))
			return (int)i;
	return -1;
}

/* What lies between nodes does not matter here. */
static struct network node_of(
	const struct collective_costs *costs, const struct accelerator *g, double gpus)
{
	return network_costing(costs, g->family, fmax(gpus, NODE_GPUS), g->link_bandwidth,
		NETWORK_CARD_BYTES_PER_S, NETWORK_LATENCY_S);
}

static void predict_row(
	struct validation *v, size_t file, size_t row, const struct collective_costs *costs)
{
	const struct csv *c = &v->files[file];
	const struct accelerator *g = validation_gpu(v, file, row, GPU);
	char name[32];

	if (!g)
		return;
	int op = op_of(c, row);
	if (op < 0) {
		validation_skip(v, file, row,
			"op: expected all_reduce, all_gather, reduce_scatter or all_to_all, found "
			"\"%s\"",
			csv_text(c, row, OP, name, sizeof name));
		return;
	}
	double gpus = csv_number(c, row, GPUS), bytes = csv_number(c, row, BYTES);
	if (gpus > most_gpus(g)) {
		validation_skip(v, file, row, "n_gpus: expected 2 to %g, a node of %s, found %g",
			most_gpus(g), g->id, gpus);
		return;
	}
	struct network net = node_of(costs, g, gpus);
	double s = collective_best(&net, ops[op].op, gpus, bytes, NULL);
	uint8_t group = validation_group(
		v, true, "%s %s %s", bytes >= large_bytes ? "large" : "small", g->id, ops[op].name);
	validation_add(v, file, row, group, 1e6 * s, csv_number(c, row, TIME));
}

static void predict(struct validation *v, size_t file)
{
	struct collective_costs costs = costs_of(v);

	for (size_t row = 0; row < v->files[file].n_rows; row++)
		predict_row(v, file, row, &costs);
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	double gpus = csv_number(c, p->row, GPUS), bytes = csv_number(c, p->row, BYTES);
	char name[32];
	enum algorithm which = ALGORITHM_RING;
	struct collective_costs costs = costs_of(v);

	const struct accelerator *g = measured_gpu_at(v->tables, c, p->row, GPU);
	enum collective op = ops[op_of(c, p->row)].op;
	struct network net = node_of(&costs, g, gpus);
	collective_best(&net, op, gpus, bytes, &which);
	snprintf(w->what, sizeof w->what, "%s %s, %g GPUs, %g B", g->id,
		csv_text(c, p->row, OP, name, sizeof name), gpus, bytes);
	snprintf(w->thought, sizeof w->thought, "%s at %.0f GB/s of bus, measured %.0f",
		algorithm_names[which], bus_bandwidth(op, gpus, bytes, p->predicted / 1e6) / 1e9,
		bus_bandwidth(op, gpus, bytes, p->measured / 1e6) / 1e9);
}

static const struct measured_source sources[] = {
	{ .files = { "collectives.csv" },
		.from = "NVIDIA aiconfigurator",
		.columns = columns,
		.n_columns = N_COLUMNS,
		.predict = predict,
		.describe = describe },
};

static void assume(struct figure *fig)
{
	figure_assume(fig,
		"one node, or one NVLink switch; an all-to-all takes as long as a gather; without "
		"NVLink 16 lanes of PCIe for each GPU");
}

const struct measured_model measured_collectives = {
	.id = "collectives",
	.title = "Collectives in a node",
	.predicts = "the time of a collective over the GPUs of one node",
	.assume = assume,
	.quantity = "time",
	.unit = "us",
	.sources = sources,
	.n_sources = 1,
	.marks = { { "", 0.5, 0.2, "median <= 20 %" },
		{ "large", 0.9, 0.05, "from 64 MiB: 90 % of rows <= 5 %" } },
	.constants = constants,
	.n_constants = N_CONSTANTS,
	.held = { { "size", BYTES }, { "number of GPUs", GPUS } },
};
