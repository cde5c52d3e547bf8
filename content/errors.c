/* Runs every simulation at its defaults and writes what their comparisons with measurements came to, as
 * C (to stdout). The build runs it. */
#include "sims/published/measured.h"
#include "sims/registry/registry.h"
#include "ui/data/tables_load.h"

#include <stdio.h>

static void write_text(const char *text)
{
	putchar('"');
	for (; *text; text++)
		printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	putchar('"');
}

static int write_errors(const struct tables *t)
{
	printf("#include \"ui/data/known_errors.h\"\n\nconst struct known_error known_errors[] = {\n");
	for (size_t i = 0; i < n_sims; i++) {
		struct figure fig = { .memo = t->memo };
		double v[MAX_KNOBS];
		sim_defaults(sims[i], t, v);
		sims[i]->run(t, v, &fig);
		figure_release(&fig);
	}
	for (size_t i = 0; i < t->memo->n_lines; i++) {
		printf("\t{ ");
		write_text(t->memo->lines[i].key);
		printf(", ");
		write_text(t->memo->lines[i].line);
		printf(" },\n");
	}
	printf("};\nconst size_t n_known_errors = %zu;\n", t->memo->n_lines);
	return fflush(stdout);
}

int main(void)
{
	struct tables t;
	char err[512];
	int rc = tables_load(&t, err, sizeof err);
	if (rc)
		fprintf(stderr, "errors: %s\n", err);
	else
		rc = write_errors(&t);
	tables_release(&t);
	return rc ? 1 : 0;
}
