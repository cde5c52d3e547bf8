#include "sims/scaling/parallelism.h"

#include <math.h>

enum { SLICES = 8, GROUPS = 4, MAX_ROWS = 16, MAX_SPANS = 8192 };

const char *const plan_names[N_PLAN_STRATEGIES] = { "DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3", "TP", "PP",
	"3D" };
const char *const pipeline_names[] = { "GPipe", "1F1B", "interleaved" };

/* --- the schedule --------------------------------------------------------------------------- */

void parallelism_draw_schedule(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	static const char *const kinds[] = { "forward", "backward", "gradients",
		"forward, later chunks", "backward, later chunks" };
	const char *lanes[MAX_ROWS + 1];
	size_t per_stage = plan->pipeline.n_ops / (size_t)plan->pp;
	size_t shown = (size_t)fmin(
		fmin(plan->pp, MAX_ROWS), fmax(2, floor(MAX_SPANS / (double)per_stage)));
	for (size_t i = 0; i < shown; i++)
		lanes[i] = plan->pp > 1 ? figure_text(fig, "stage %zu", i) : "compute";
	lanes[shown] = "network";
	const char *title =
		plan->pp > 1
			? figure_text(fig, "%s, %g micro-batches%s",
				  pipeline_names[plan->chunks > 1 || s->schedule == PIPELINE_GPIPE
							 ? s->schedule
							 : PIPELINE_1F1B],
				  plan->micro_batches,
				  (double)shown < plan->pp
					  ? figure_text(fig, ", %zu of %g stages", shown, plan->pp)
					  : "")
			: "One replica's step";
	struct timeline *t =
		figure_timeline(fig, title, lanes, shown + 1, kinds, plan->chunks > 1 ? 5 : 3);
	for (size_t i = 0; i < shown * per_stage; i++) {
		const struct pipeline_op *op = &plan->pipeline.ops[i];
		timeline_span(fig, t, op->stage, (op->backward ? 1u : 0u) + (op->chunk ? 3u : 0u),
			op->start_s, op->end_s, figure_text(fig, "%u", op->micro_batch + 1));
	}
	if (plan->data_s > 0)
		timeline_span(fig, t, (unsigned)shown, 2, fmax(0, plan->step_s - plan->data_s),
			plan->step_s, NULL);
	fig->duration_s = plan->step_s;
	timeline_rule(fig, t, plan->pipeline.time_s, "backward done", ROLE_DIM);
}

/* --- who holds what ------------------------------------------------------------------------- */

enum { ELSEWHERE, WHOLE, SLICE, SHARD, BOTH, OWN_BATCH, N_HELD };

/* `shown` of n indices, evenly, both ends among them. */
static double chosen(size_t i, size_t shown, double n)
{
	return shown > 1 ? floor((double)i * (n - 1) / (double)(shown - 1)) : 0;
}

static bool holds_slice(
	const struct parallel_plan *plan, const struct model *m, size_t stage, size_t slice)
{
	double from = (double)slice * m->layers / SLICES, to = from + m->layers / SLICES;
	for (size_t c = 0; c < (size_t)plan->chunks; c++) {
		double first, end;
		plan_layers(plan, m, stage, c, &first, &end);
		if (first < to && end > from)
			return true;
	}
	return false;
}

static unsigned held_kind(const struct plan_setup *s, const struct parallel_plan *plan, int group)
{
	if (group == PLAN_ACTIVATIONS)
		return plan->tp > 1 && s->sequence_parallel ? SLICE : OWN_BATCH;
	/* Stage 1 shards the optimizer, 2 gradients too, 3 the weights. */
	bool sharded = plan->dp > 1 && plan->zero + group > PLAN_OPTIMIZER;
	return plan->tp > 1 ? (sharded ? BOTH : SLICE) : sharded ? SHARD : WHOLE;
}

static void choose_rows(const struct parallel_plan *plan, size_t *t, size_t *p, size_t *d)
{
	*t = (size_t)fmin(plan->tp, MAX_ROWS);
	*p = (size_t)fmin(plan->pp, MAX_ROWS);
	*d = (size_t)fmin(plan->dp, MAX_ROWS);
	while (*t * *p * *d > MAX_ROWS) {
		size_t *widest = *d >= *t && *d >= *p ? d : *t >= *p ? t : p;
		*widest = (*widest + 1) / 2;
	}
}

/* Place in the replicas, stages and tensor group, as far as there are several. */
static const char *row_name(
	struct figure *fig, const struct parallel_plan *plan, double d, double p, double t)
{
	const char *names[] = { plan->dp > 1 ? figure_text(fig, "d%g ", d) : "",
		plan->pp > 1 ? figure_text(fig, "p%g ", p) : "",
		plan->tp > 1 ? figure_text(fig, "t%g", t) : "" };
	const char *name = figure_text(fig, "%s%s%s", names[0], names[1], names[2]);
	return *name ? name : "GPU 0";
}

void parallelism_draw_holders(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	static const char *const kinds[N_HELD] = { "elsewhere", "whole", "1/t of each layer",
		"1/d (ZeRO)", "1/(t d)", "of its own batch" };
	size_t nt, np, nd;
	choose_rows(plan, &nt, &np, &nd);
	size_t rows = nt * np * nd, cols = GROUPS * SLICES + GROUPS - 1;
	const char *names[MAX_ROWS];
	/* Of each there is at least the first. NOLINTBEGIN(clang-analyzer-core.DivideZero) */
	for (size_t r = 0; r < rows; r++)
		names[r] = row_name(fig, plan, chosen(r / (nt * np), nd, plan->dp),
			chosen(r / nt % np, np, plan->pp), chosen(r % nt, nt, plan->tp));
	struct grid *g = figure_grid(fig,
		figure_text(fig,
			"Parameters | gradients | optimizer | activations, by layers (%zu of %g "
			"GPUs)",
			rows, plan->used),
		kinds, N_HELD, names, rows, cols, NULL, 1);
	for (size_t r = 0; g && r < rows; r++)
		for (size_t c = 0; c < cols; c++) {
			size_t group = c / (SLICES + 1), slice = c % (SLICES + 1);
			size_t stage = (size_t)chosen(r / nt % np, np, plan->pp);
			if (slice < SLICES && holds_slice(plan, s->model, stage, slice))
				grid_set(g, 0, r, c, held_kind(s, plan, (int)group));
		}
	/* NOLINTEND(clang-analyzer-core.DivideZero) */
}

/* --- bytes ---------------------------------------------------------------------------------- */

static const char *const part_names[N_PLAN_PARTS] = { "parameters", "gradients", "optimizer",
	"activations", "gathered layers" };

static struct bar *memory_bar(
	struct figure *fig, struct bars *b, const char *label, const double bytes[])
{
	double parts[N_PLAN_PARTS];
	for (int i = 0; i < N_PLAN_PARTS; i++)
		parts[i] = bytes[i] / 1e9;
	return bars_add(fig, b, label, parts);
}

static struct bars *memory_bars(struct figure *fig, const struct plan_setup *s, const char *title)
{
	struct bars *b = figure_bars(fig, title, "GB", part_names, N_PLAN_PARTS);
	if (b) {
		b->limit = s->gpu->memory_bytes / 1e9;
		b->limit_label = s->gpu->name;
	}
	return b;
}

static void by_stage(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	struct bars *b = memory_bars(fig, s, "Stage by stage");
	size_t shown = (size_t)fmin(plan->pp, MAX_ROWS);
	for (size_t i = 0; i < shown; i++) {
		size_t stage = (size_t)chosen(i, shown, plan->pp);
		struct bar *bar = memory_bar(fig, b, figure_text(fig, "stage %zu", stage),
			plan->part_bytes + stage * N_PLAN_PARTS);
		if (bar)
			bar->note =
				figure_text(fig, "%.3g in flight", plan->pipeline.in_flight[stage]);
	}
}

void parallelism_draw_memory(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	struct bars *b = memory_bars(fig, s, "What the fullest GPU holds");
	for (int i = 0; i < N_PLAN_STRATEGIES; i++) {
		struct plan_setup other = *s;
		struct parallel_plan p;
		other.strategy = (enum plan_strategy)i;
		if (!plan_make(&other, &p, &fig->arena))
			return;
		struct bar *bar =
			memory_bar(fig, b, plan_names[i], p.part_bytes + p.fullest * N_PLAN_PARTS);
		if (bar)
			bar->role = other.strategy == s->strategy ? ROLE_ACCENT : ROLE_PLAIN;
	}
	if (plan->pp > 1)
		by_stage(fig, s, plan);
}

void parallelism_draw_traffic(struct figure *fig, const struct plan_setup *s)
{
	static const char *const names[N_PLAN_TRAFFIC] = { "gradients and weights", "inside layers",
		"between stages" };
	static const char *const head[] = { "strategy", "sends a step", "exposed", "bubble",
		"step" };
	struct bars *b = figure_bars(fig, "What a GPU sends per step", "GB", names, N_PLAN_TRAFFIC);
	struct table *table = figure_table(fig, "", head, 5, "01111");
	for (int i = 0; i < N_PLAN_STRATEGIES; i++) {
		struct plan_setup other = *s;
		struct parallel_plan p;
		double parts[N_PLAN_TRAFFIC], sum = 0;
		other.strategy = (enum plan_strategy)i;
		if (!plan_make(&other, &p, &fig->arena))
			return;
		for (int j = 0; j < N_PLAN_TRAFFIC; j++) {
			parts[j] = p.traffic_bytes[j] / 1e9;
			sum += p.traffic_bytes[j];
		}
		struct bar *bar = bars_add(fig, b, plan_names[i], parts);
		if (bar)
			bar->role = other.strategy == s->strategy ? ROLE_ACCENT : ROLE_PLAIN;
		const char *sent = figure_quantity(fig, sum, "B");
		const char *exposed = figure_quantity(fig, p.data_exposed_s + p.tensor_s, "s");
		const char *bubble = figure_quantity(fig, 100 * p.pipeline.bubble, "%");
		const char *step = figure_quantity(fig, p.step_s, "s");
		table_row(fig, table,
			(const char *[]){
				plan_names[i], sent, exposed, p.pp > 1 ? bubble : "-", step });
	}
}
