#include "sims/registry/sim_run_into.h"

#include "sims/published/measured.h"

/* Tells it once: the next figure asks anew. */
static bool told(bool *flag)
{
	const bool was = *flag;
	*flag = false;
	return was;
}

void sim_run_into(const struct sim *s, const struct tables *t, const double v[], struct figure *fig)
{
	fig->memo = t->memo;
	s->run(t, v, fig);
	const bool no_trace = t->asked_for && told(&t->asked_for->failed);
	const bool no_rows = t->memo && told(&t->memo->starved);
	fig->arena.failed |= no_trace || no_rows;
}
