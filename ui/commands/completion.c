#include "ui/commands/completion.h"

#include "sims/comparisons/comparisons.h"
#include "sims/formulas/formula.h"
#include "sims/registry/registry.h"
#include "ui/data/case_list.h"
#include "ui/data/options.h"
#include "ui/data/page_list.h"
#include "ui/data/tables_load.h"
#include "ui/data/tour_list.h"
#include "ui/term/environment.h"

#include <string.h>

/* Everything that has a name which a command takes. */
struct names {
	struct page_list pages;
	struct tour_list tours;
	struct case_list cases;
	struct tables tables;
};

static int load(struct names *n)
{
	*n = (struct names){ .pages.n = 0 };
	return page_list_init(&n->pages) || tour_list_init(&n->tours) ||
	       case_list_load(&n->cases, NULL) || tables_load_for(&n->tables, "ridge info", stderr);
}

static void release(struct names *n)
{
	page_list_release(&n->pages);
	tour_list_release(&n->tours);
	case_list_release(&n->cases);
	tables_release(&n->tables);
}

/* --- The words of a command: names with a blank before each --- */

static void put_sims(FILE *out)
{
	for (size_t i = 0; i < n_sims; i++)
		fprintf(out, " %s", sims[i]->id);
}

static void put_pages(const struct names *n, FILE *out)
{
	for (size_t i = 0; i < n->pages.n; i++)
		fprintf(out, " %s", n->pages.pages[i].id);
}

static void put_tours(const struct names *n, FILE *out)
{
	for (size_t i = 0; i < n->tours.n; i++)
		fprintf(out, " %s", n->tours.tours[i].id);
}

static void put_words(const struct names *n, enum command_id id, FILE *out)
{
	switch (id) {
	case COMMAND_OPEN:
	case COMMAND_FRAME:
		fprintf(out, " home drill case calendar stats");
		put_sims(out);
		put_pages(n, out);
		return;
	case COMMAND_SIM:
		put_sims(out);
		return;
	case COMMAND_CALC:
		for (size_t i = 0; i < n_formulas; i++)
			fprintf(out, " %s", formulas[i].id);
		return;
	case COMMAND_PLAN:
		fprintf(out, " serve train");
		return;
	case COMMAND_MODEL:
		for (size_t i = 0; i < n->tables.n_models; i++)
			fprintf(out, " %s", n->tables.models[i].id);
		return;
	case COMMAND_READ:
		put_pages(n, out);
		return;
	case COMMAND_CASE:
		for (size_t i = 0; i < n->cases.n; i++)
			if (!n->cases.cases[i].own)
				fprintf(out, " %s", n->cases.cases[i].id);
		return;
	case COMMAND_PRESENT:
		put_tours(n, out);
		return;
	case COMMAND_VALIDATE:
		for (size_t i = 0; i < n_measured_models; i++)
			fprintf(out, " %s", measured_models[i]->id);
		return;
	default:
		return;
	}
}

static void put_choices(const struct option_row *row, FILE *out)
{
	const char *const *list = row->kind == TAKES_COLOR ? colour_choice_names : row->choices;
	for (size_t i = 0; list && list[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", list[i]);
}

/* A text between single quotes. */
static void put_quoted(const char *text, FILE *out)
{
	fputc('\'', out);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc(*text, out);
	fputc('\'', out);
}

/* --- bash --- */

static void bash_command(const struct names *n, enum command_id id, FILE *out)
{
	const struct option_row *row;
	char text[80];
	fprintf(out, "\t%s)\n\t\toptions='", commands[id].name);
	for (size_t i = 0; (row = option_of(id, i)); i++)
		fprintf(out, "%s%s", i ? " " : "", option_spelling(row, text, sizeof text));
	fprintf(out, "'\n\t\twords='");
	put_words(n, id, out);
	fprintf(out, "'\n\t\tcase $before in\n");
	for (size_t i = 0; (row = option_of(id, i)); i++)
		if (row->kind == TAKES_CHOICE) {
			fprintf(out, "\t\t--%s) options='' words='", row->name);
			put_choices(row, out);
			fprintf(out, "' ;;\n");
		} else if (row->kind != SWITCH_OFF && row->kind != SWITCH_ON &&
			   row->kind != TAKES_COLOR) {
			fprintf(out, "\t\t--%s) options='' words='' ;;\n", row->name);
		}
	fprintf(out, "\t\tesac\n\t\t;;\n");
}

/* The knobs of a simulation, behind its name. */
static void bash_knobs(FILE *out)
{
	fprintf(out, "\tcase $command:${COMP_WORDS[2]} in\n");
	for (size_t i = 0; i < n_sims; i++) {
		fprintf(out, "\tsim:%s | open:%s | frame:%s) words='", sims[i]->id, sims[i]->id,
			sims[i]->id);
		for (size_t k = 0; k < sims[i]->n_knobs; k++)
			fprintf(out, "%s%s=", k ? " " : "", sims[i]->knobs[k].id);
		fprintf(out, "' ;;\n");
	}
	fprintf(out, "\tesac\n");
}

static void bash(const struct names *n, FILE *out)
{
	fprintf(out,
		"# bash completion for ridge %s\n_ridge() {\n"
		"\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
		"\tlocal command=${COMP_WORDS[1]} options='' words=''\n"
		"\tif ((COMP_CWORD == 1)); then\n\t\toptions='--plain --version --color "
		"--glyphs --help'\n\t\twords='",
		RIDGE_VERSION);
	for (unsigned i = 0; i < N_COMMANDS; i++)
		fprintf(out, "%s%s", i ? " " : "", commands[i].name);
	fprintf(out, "'\n\tfi\n\t((COMP_CWORD > 1)) && case $command in\n");
	for (unsigned i = 0; i < N_COMMANDS; i++)
		bash_command(n, (enum command_id)i, out);
	fprintf(out, "\tesac\n\tif ((COMP_CWORD > 2)) && [[ $before != --* ]]; then\n");
	bash_knobs(out);
	fprintf(out, "\tfi\n\t[[ $word == -* ]] && words=$options\n"
		     "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
		     "\tif [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then\n"
		     "\t\tcompopt -o nospace\n\tfi\n}\n"
		     "complete -o default -F _ridge ridge\n");
}

/* --- zsh --- */

/* A description inside an _arguments specification: brackets and colons would end it. */
static void zsh_described(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (strchr("[]:\\", *text))
			fputc('\\', out);
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc(*text, out);
	}
}

static void zsh_command(const struct names *n, enum command_id id, FILE *out)
{
	const struct option_row *row;
	char text[400];
	fprintf(out, "\t%s)\n\t\t_arguments -s", commands[id].name);
	for (size_t i = 0; (row = option_of(id, i)); i++) {
		fprintf(out, " \\\n\t\t\t'%s%s[", option_spelling(row, text, sizeof text),
			row->kind == TAKES_COLOR                            ? "=-"
			: row->kind == SWITCH_OFF || row->kind == SWITCH_ON ? ""
									    : "=");
		zsh_described(option_help(row, text, sizeof text), out);
		fputc(']', out);
		if (row->kind == TAKES_COLOR)
			fputc(':', out);
		if (row->value) {
			fprintf(out, ":%s:", row->value);
			if (row->kind == TAKES_CHOICE || row->kind == TAKES_COLOR) {
				fputc('(', out);
				put_choices(row, out);
				fputc(')', out);
			}
		}
		fputc('\'', out);
	}
	fprintf(out, " \\\n\t\t\t'*:word:{ local -a words=(");
	put_words(n, id, out);
	fprintf(out, "); compadd -a words; _files }'\n\t\t;;\n");
}

static void zsh(const struct names *n, FILE *out)
{
	fprintf(out,
		"#compdef ridge\n# zsh completion for ridge %s\n_ridge() {\n"
		"\tlocal -a commands\n\tif ((CURRENT == 2)); then\n\t\tcommands=(\n",
		RIDGE_VERSION);
	for (unsigned i = 0; i < N_COMMANDS; i++) {
		char row[300];
		snprintf(row, sizeof row, "%s:%s", commands[i].name, commands[i].summary);
		fputs("\t\t\t", out);
		put_quoted(row, out);
		fputc('\n', out);
	}
	fprintf(out, "\t\t)\n\t\t_describe command commands\n\t\treturn\n\tfi\n"
		     "\tlocal command=$words[2]\n\tshift words\n\t((CURRENT--))\n"
		     "\tcase $command in\n");
	for (unsigned i = 0; i < N_COMMANDS; i++)
		zsh_command(n, (enum command_id)i, out);
	fprintf(out, "\tesac\n}\n_ridge \"$@\"\n");
}

/* --- fish --- */

static void fish_command(const struct names *n, enum command_id id, FILE *out)
{
	const struct option_row *row;
	const char *name = commands[id].name;
	char text[400];
	fprintf(out, "complete -c ridge -n __fish_use_subcommand -f -a %s -d ", name);
	put_quoted(commands[id].summary, out);
	fputc('\n', out);
	for (size_t i = 0; (row = option_of(id, i)); i++) {
		const bool takes = row->kind != SWITCH_OFF && row->kind != SWITCH_ON &&
				   row->kind != TAKES_COLOR;
		fprintf(out, "complete -c ridge -n '__fish_seen_subcommand_from %s' -l %s%s", name,
			option_spelling(row, text, sizeof text) + 2, takes ? " -r" : "");
		if (row->kind == TAKES_CHOICE) {
			fprintf(out, " -f -a '");
			put_choices(row, out);
			fputc('\'', out);
		}
		fprintf(out, " -d ");
		put_quoted(option_help(row, text, sizeof text), out);
		fputc('\n', out);
	}
	fprintf(out, "complete -c ridge -n '__fish_seen_subcommand_from %s' -a '", name);
	put_words(n, id, out);
	fprintf(out, "'\n");
}

static void fish(const struct names *n, FILE *out)
{
	fprintf(out, "# fish completion for ridge %s\n", RIDGE_VERSION);
	for (unsigned i = 0; i < N_COMMANDS; i++)
		fish_command(n, (enum command_id)i, out);
}

int completion_write(unsigned shell, FILE *out)
{
	static void (*const writers[N_SHELLS])(const struct names *n,
		FILE *out) = { [SHELL_BASH] = bash, [SHELL_ZSH] = zsh, [SHELL_FISH] = fish };
	struct names n;
	const int rc = load(&n) ? -1 : 0;
	if (rc == 0)
		writers[shell](&n, out);
	release(&n);
	return rc;
}
