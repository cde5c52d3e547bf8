/* ridge info: what ridge found out about where it runs, and why it chose what it chose. */
#include "sims/formula.h"
#include "sims/sim.h"
#include "ui/commands.h"
#include "ui/content.h"
#include "ui/environment.h"
#include "ui/progress.h"
#include "ui/tables_load.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>

static const char *env(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : "(not set)";
}

static void show_environment(FILE *out)
{
	static const char *const glyphs[] = { "ASCII", "line drawing and half blocks", "braille" };
	static const char *const depths[] = { "none", "8", "16", "256", "direct" };
	static const char *const backgrounds[] = { "dark", "light" };
	struct progress p;
	progress_load(&p);
	struct environment e = environment_read(COLOUR_AUTO, p.braille);
	fprintf(out, "locale      %s (%s)\n", setlocale(LC_CTYPE, NULL), nl_langinfo(CODESET));
	fprintf(out, "glyphs      %s: %s\n", glyphs[e.glyphs], e.why_glyphs);
	fprintf(out, "terminal    TERM=%s COLORTERM=%s\n", env("TERM"), env("COLORTERM"));
	fprintf(out, "colours     at most %s: %s\n", depths[e.depth], e.why_depth);
	fprintf(out, "background  %s: %s\n", backgrounds[e.background], e.why_background);
	if (p.warning[0])
		fprintf(out, "warning     %s\n", p.warning);
}

int cmd_info(int argc, char **argv, const struct streams *io)
{
	char path[4096], err[320];
	struct tables t = { 0 };
	if (wants_help(argc, argv, io))
		return 0;
	fprintf(io->out, "ridge       %s\n", RIDGE_VERSION);
	fprintf(io->out, "content     %s%zu files in the binary\n",
		getenv("RIDGE_CONTENT") ? "RIDGE_CONTENT over " : "", n_content_files);
	fprintf(io->out, "position    %s\n",
		progress_path(path, sizeof path) ? path : "(no HOME: not kept)");
	show_environment(io->out);
	if (tables_load(&t, err, sizeof err)) {
		fprintf(io->err, "ridge: %s\n", err);
		return 1;
	}
	fprintf(io->out, "tables      %zu accelerators, %zu models, %zu traces\n", t.n_gpus, t.n_models,
		t.n_traces);
	fprintf(io->out, "engine      %zu simulations, %zu formulas\n", n_sims, n_formulas);
	tables_release(&t);
	return 0;
}
