#include "sims/figure/uncovered.h"

void note_windows(struct figure *fig, const struct model *m, double seq)
{
	if (!(m->window > 0) || m->window >= seq)
		return;
	figure_note(fig, ROLE_WARN,
		"%g of the %g layers of %s see %s only; attention is timed here as if all saw "
		"all of a sequence's %s.",
		m->layers - m->full_layers, m->layers, m->name,
		figure_quantity(fig, m->window, "token"), figure_quantity(fig, seq, "token"));
}

void note_encoder(struct figure *fig, const struct model *m)
{
	if (m->encoder)
		figure_note(fig, ROLE_WARN,
			"%s is an encoder: it generates no tokens and caches nothing. These are the "
			"figures of a decoder of its shape.",
			m->name);
}

void note_domain(struct figure *fig, const struct accelerator *g, double per_node)
{
	if (g->domain > 0 && g->domain != per_node)
		figure_note(fig, ROLE_WARN,
			"Fast links join %g of %s, here %g of them: gpus_per_node=%g.", g->domain,
			g->name, per_node, g->domain);
}
