#include "sims/serving/moe_layer.h"

#include "sims/constants.h"

#include <math.h>

/* An all-to-all is as long as its busiest GPU's: as if each had to send what that one has, an even part
 * of which would be for itself. */
static double exchange_s(const struct moe_place *p, double tokens, double away_bytes)
{
	const double n = (double)p->gpus;
	const struct expert_travel mesh = { &p->net, n, (double)p->groups };
	return n > 1 ? experts_travel_s(&p->experts, &mesh, tokens / n, away_bytes * n / (n - 1))
		     : 0;
}

static void time_travel(const struct moe_place *p, struct moe_part *part)
{
	const struct experts *e = &p->experts;
	const double values = part->load.most_copies * e->hidden;
	const double tokens = (double)part->load.tokens;
	if (!p->travels || part->load.tokens == 0)
		return;
	part->dispatch_s = exchange_s(p, tokens, values * dtype_bytes(e->activations));
	part->combine_s = exchange_s(p, tokens, values * BF16_BYTES);
	part->sent_bytes = values * (dtype_bytes(e->activations) + BF16_BYTES);
}

static void time_work(const struct moe_place *p, struct moe_part *part, size_t experts)
{
	const double tokens = (double)part->load.tokens * p->rows_share;
	for (size_t i = 0; i < p->groups; i++) {
		size_t first = routing_first_expert(experts, p->groups, i);
		size_t n = routing_first_expert(experts, p->groups, i + 1) - first;
		double s = experts_drawn_s(p->gpu, &p->experts, part->load.rows + first, n) +
			   experts_routing_s(p->gpu, &p->experts, tokens, part->load.group_rows[i]);
		part->work_s[i] = s;
		part->slowest_s = fmax(part->slowest_s, s);
		part->mean_s += s / (double)p->groups;
	}
}

struct moe_layer moe_layer_of(
	const struct moe_place *p, const struct routing *r, bool halves, struct arena *arena)
{
	struct moe_layer l = { .n = halves ? 2 : 1 };
	for (size_t i = 0; i < l.n; i++) {
		struct moe_part *part = &l.parts[i];
		part->load = routing_load(r, p->gpus, p->groups, i, l.n, arena);
		part->work_s = arena_array(arena, p->groups, sizeof *part->work_s);
		if (arena->failed)
			return (struct moe_layer){ .n = 0 };
		time_travel(p, part);
		time_work(p, part, r->experts);
		l.computing_s += part->slowest_s;
		l.travel_s += part->dispatch_s + part->combine_s;
	}
	return l;
}
