#include "sims/gpu/room.h"

#include "sims/constants.h"

bool warn_too_large(struct figure *fig, const struct model *m, const char *type, double bytes,
	const struct accelerator *g, double gpus, bool verdict)
{
	double usable = ENGINE_MEMORY_SHARE * gpus * g->memory_bytes;
	if (bytes < usable)
		return false;
	const char *need = figure_quantity(fig, bytes, "B"),
		   *have = figure_quantity(fig, usable, "B");
	figure_note(fig, ROLE_WARN,
		"%s %s not fit: %s of weights in %s, %s on %g x %s. Its times are those of a "
		"card with more memory.",
		m->name, model_does(m), need, type, have, gpus, g->name);
	if (verdict)
		figure_why(fig,
			"%s %s not fit: %s of weights in %s, %s on %g x %s. Nothing here would "
			"run.",
			m->name, model_does(m), need, type, have, gpus, g->name);
	return true;
}
