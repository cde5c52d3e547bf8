/* The same words and values for every simulation that a trace can drive. */
#include "sims/serving/trace_figure.h"

#include "sims/tables/trace.h"

#include <math.h>

void trace_warn_gaps(struct figure *fig, const struct trace *t)
{
	if (!t)
		figure_note(fig, ROLE_WARN, "There is no trace; Poisson arrivals stand in.");
	else
		figure_note(fig, ROLE_WARN,
			"%s: %zu request%s in one moment, no gaps to take; Poisson arrivals stand "
			"in.",
			t->name, t->n, t->n > 1 ? "s" : "");
}

void trace_values(struct figure *fig, const struct trace *t)
{
	struct trace_facts f = trace_facts(t);
	value_note(figure_value(fig, "trace_requests", "trace", (double)t->n, "req", ROLE_PLAIN),
		figure_text(fig, "%s", t->name));
	figure_value(fig, "trace_span_s", "its span", f.span_s, "s", ROLE_PLAIN);
	if (trace_has_gaps(t))
		figure_value(
			fig, "trace_rate_per_s", "its rate", f.rate_per_s, "req/s", ROLE_PLAIN);
	if (isfinite(f.gap_cv)) {
		value_note(
			figure_value(fig, "trace_cv", "cv of its gaps", f.gap_cv, "", ROLE_PLAIN),
			2 * f.moments < (double)t->n
				? figure_text(fig, "stamps: %.0f times only", f.moments)
				: "Poisson: 1");
	}
	figure_value(fig, "trace_prompt_tokens", "its mean prompt", f.prompt_tokens, "token",
		ROLE_PLAIN);
	figure_value(fig, "trace_output_tokens", "its mean output", f.output_tokens, "token",
		ROLE_PLAIN);
	if (isfinite(f.seen_ratio)) {
		value_note(figure_value(fig, "trace_seen_pct", "seen before", 100 * f.seen_ratio,
				   "%", ROLE_PLAIN),
			"of its prompt blocks");
	}
}
