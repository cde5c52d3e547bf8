/* Prints every simulation at its defaults and at both ends of every knob, a setting a line as
 * `ridge sim` takes it: what tests/unchanged/unchanged runs in two builds. */
#include "tests/settings.h"
#include "sims/registry/registry.h"

int main(void)
{
	struct tables t = load_tables();
	for (size_t i = 0; i < n_sims; i++) {
		const struct sim *s = sims[i];
		printf("%s\n", s->id);
		for (size_t j = 0; j < s->n_knobs; j++) {
			const struct knob *k = &s->knobs[j];
			size_t n = knob_choices(k, &t);
			double last = k->kind == KNOB_NUMBER ? k->max : (double)n - 1;
			char text[256];
			printf("%s %s=%s\n", s->id, k->id,
				knob_write(k, &t, k->kind == KNOB_NUMBER ? k->min : 0, text,
					sizeof text));
			printf("%s %s=%s\n", s->id, k->id,
				knob_write(k, &t, last, text, sizeof text));
		}
	}
	tables_release(&t);
	return 0;
}
