/* Each line comes from the module that made the choice, so that what is printed is what counted. */
#include "ui/commands/cmd_info.h"

#include "sims/base/array.h"
#include "sims/formulas/formula.h"
#include "sims/registry/registry.h"
#include "ui/term/environment.h"
#include "ui/term/keys.h"
#include "ui/commands/cmd_validate.h"
#include "ui/commands/completion.h"
#include "ui/commands/man_page.h"
#include "ui/data/bank_load.h"
#include "ui/data/content.h"
#include "ui/data/tables_load.h"
#include "ui/shell/bindings.h"
#include "ui/shell/progress.h"
#include "ui/screens/screens.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const char *env(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : "(not set)";
}

static int chosen_glyphs(const void *context, const char *terminal)
{
	return progress_glyphs(context, terminal);
}

static void show_environment(const struct streams *io)
{
	static const char *const glyphs[] = { "ASCII", "line drawing and half blocks", "braille",
		"octants" };
	static const char *const depths[] = { "none", "8", "16", "256", "direct" };
	static const char *const backgrounds[] = { "dark", "light" };
	static const struct terminal_said nothing;
	const struct terminal_said *said = io->said ? io->said : &nothing;
	FILE *out = io->out;
	struct progress p;
	progress_load(&p);
	struct environment e =
		environment_read(&(struct wishes){ COLOUR_AUTO, chosen_glyphs, &p, said });
	fprintf(out, "locale      %s (%s)\n", setlocale(LC_CTYPE, NULL), nl_langinfo(CODESET));
	fprintf(out, "terminal    TERM=%s COLORTERM=%s: %s\n", env("TERM"), env("COLORTERM"),
		*said->name          ? said->name
		: said->all          ? "it does not say its name"
		: environment_asks() ? "it was not asked its name, or did not answer"
				     : "not asked: some of its kind would show the question");
	fprintf(out, "glyphs      %s: %s\n", glyphs[e.glyphs], e.why_glyphs);
	fprintf(out, "colours     %s%s: %s\n", e.direct ? "" : "at most ", depths[e.depth],
		e.why_depth);
	fprintf(out, "background  %s: %s\n", backgrounds[e.background], e.why_background);
	if (said->all)
		fprintf(out, "frames      %s\n",
			said->synchronized ? "shown whole (mode 2026)" : "shown as they come");
	if (p.warning[0])
		fprintf(out, "warning     %s\n", p.warning);
}

/* The key table as Markdown: docs/keys.md holds this text, and a test compares the two. */
static void show_keys(FILE *out)
{
	fprintf(out, "| keys | on | do |\n| --- | --- | --- |\n");
	for (size_t i = 0; i < n_key_bindings; i++) {
		const struct key_binding *b = &key_bindings[i];
		if (!b->help)
			continue;
		fprintf(out, "|");
		uint32_t last = 0; /* a key has a row more where a footer calls it otherwise */
		for (size_t j = 0; j < n_key_bindings; j++) {
			char name[16];
			const struct key_binding *k = &key_bindings[j];
			bool same = j == i || (!k->help && k->action == b->action &&
						      (k->screens & b->screens));
			if (same && k->key != last)
				fprintf(out, " `%s`", key_text(k->key, name, sizeof name));
			last = same ? k->key : last;
		}
		fprintf(out, " |");
		for (int s = 0; s < N_SCREENS && b->screens != ON_ALL; s++)
			if (b->screens & (1u << s))
				fprintf(out, " %s", screens[s]->word);
		fprintf(out, "%s | %s |\n", b->screens == ON_ALL ? " all" : "", b->help);
	}
}

/* All commands as Markdown: docs/commands.md holds this text, and a test compares the two. */
static void show_commands(FILE *out)
{
	for (unsigned i = 0; i < N_COMMANDS; i++) {
		if (i)
			fputc('\n', out);
		command_markdown((enum command_id)i, out);
		if (i == COMMAND_VALIDATE)
			cmd_validate_columns(out);
	}
}

/* The notices of everything that travels with ridge and is not its own. */
static void show_licences(FILE *out)
{
	static const char name[] = "/NOTICE";
	fprintf(out, "ridge is under the MIT licence, Copyright (c) 2026 The ridge authors.\n");
	for (size_t i = 0; i < n_content_files; i++) {
		const struct content_file *f = &content_files[i];
		size_t n = strlen(f->name);
		if (n >= sizeof name && strcmp(f->name + n - (sizeof name - 1), name) == 0)
			fprintf(out, "\n%.*s\n\n%s", (int)(n - (sizeof name - 1)), f->name,
				f->text);
	}
}

/* How many drills there are, and how many of them are the user's own. 0, or -1 when none could be
 * read. */
static int show_drills(const struct tables *t, const struct streams *io)
{
	struct drill_bank bank = { 0 };
	struct own_drills own;
	char err[400];
	int rc = bank_load_telling(&bank, t, &own, err, sizeof err);
	if (rc)
		fprintf(io->err, "ridge info: %s\n", err);
	else
		fprintf(io->out, "drills      %zu\n", bank.n);
	if (*own.folder)
		fprintf(io->out, "own drills  %zu from %zu files in %s\n", own.n_drills,
			own.n_files, own.folder);
	for (size_t i = 0; i < own.n_refused; i++)
		fprintf(io->out, "left out    %s\n", own.refused[i]);
	bank_release(&bank);
	return rc;
}

int cmd_info(const struct command_line *line, const struct streams *io)
{
	static const struct {
		enum option_id option;
		void (*show)(FILE *out);
	} shown[] = { { OPTION_KEY_TABLE, show_keys }, { OPTION_COMMANDS, show_commands },
		{ OPTION_LICENCES, show_licences }, { OPTION_MAN, man_page_write } };
	char path[4096];
	struct tables t = { 0 };
	for (size_t i = 0; i < LENGTH(shown); i++)
		if (option_says_yes(line, shown[i].option)) {
			shown[i].show(io->out);
			return 0;
		}
	if (option_given(line, OPTION_COMPLETION))
		return completion_write((unsigned)line->values[OPTION_COMPLETION].number, io->out)
			       ? 1
			       : 0;
	fprintf(io->out, "ridge       %s\n", RIDGE_VERSION);
	fprintf(io->out, "content     %s%zu files in the binary\n",
		getenv("RIDGE_CONTENT") ? "RIDGE_CONTENT over " : "", n_content_files);
	fprintf(io->out, "position    %s\n",
		progress_path(path, sizeof path) ? path : "(no HOME: not kept)");
	show_environment(io);
	if (tables_load_for(&t, "ridge info", io->err))
		return 1;
	fprintf(io->out, "tables      %zu accelerators, %zu models, %zu traces\n", t.n_gpus,
		t.n_models, t.n_traces);
	fprintf(io->out, "engine      %zu simulations, %zu formulas\n", n_sims, n_formulas);
	int rc = show_drills(&t, io) ? 1 : 0;
	tables_release(&t);
	return rc;
}
