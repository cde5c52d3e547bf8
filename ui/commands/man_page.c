#include "ui/commands/man_page.h"

#include "sims/base/array.h"
#include "ui/data/options.h"

#include <ctype.h>
#include <string.h>

/* What the macros would read as their own: a backslash, a point or an apostrophe that begins a line, and
 * a hyphen, which they may print as another sign. */
static void put(FILE *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		const bool begins = p == text || p[-1] == '\n';
		if (begins && (*p == '.' || *p == '\''))
			fputs("\\&", out);
		if (*p == '\\')
			fputs("\\e", out);
		else if (*p == '-')
			fputs("\\-", out);
		else
			fputc(*p, out);
	}
}

/* A paragraph of a command's own text is filled, unless it is indented: then it is an example. */
static void put_more(FILE *out, const char *more)
{
	bool example = false;
	while (*more) {
		char line[400];
		size_t n = 0;
		while (more[n] && more[n] != '\n' && n + 2 < sizeof line) {
			line[n] = more[n];
			n++;
		}
		line[n] = '\0';
		more += n + (more[n] == '\n');
		const bool indented = strncmp(line, "    ", 4) == 0;
		if (!*line) {
			if (!example)
				fprintf(out, ".PP\n");
			continue;
		}
		if (indented != example)
			fprintf(out, indented ? ".PP\n.nf\n" : ".fi\n.PP\n");
		example = indented;
		put(out, line);
		fputc('\n', out);
	}
	if (example)
		fprintf(out, ".fi\n");
}

static void put_command(FILE *out, enum command_id id)
{
	const struct command *c = &commands[id];
	const struct option_row *row;
	fprintf(out, ".SS ridge %s%s", c->name, *c->words ? " " : "");
	put(out, c->words);
	fprintf(out, "\n%c", toupper((unsigned char)c->summary[0]));
	put(out, c->summary + 1);
	fprintf(out, ".\n");
	if (c->more) {
		fprintf(out, ".PP\n");
		put_more(out, c->more);
	}
	for (size_t i = 0; (row = option_of(id, i)); i++) {
		char text[400];
		fprintf(out, ".TP\n.B ");
		put(out, option_usage(row, text, sizeof text));
		fputc('\n', out);
		put(out, option_help(row, text, sizeof text));
		fputc('\n', out);
	}
}

void man_page_write(FILE *out)
{
	static const char *const files[][2] = {
		{ "$XDG_DATA_HOME/ridge/history.jsonl", "every answer that was given" },
		{ "$XDG_DATA_HOME/ridge/interviews/, cases/, drills/",
			"interviews and sittings; cases and drills of one's own" },
		{ "$XDG_DATA_HOME/ridge/programs/", "programs of drills that have not passed yet" },
		{ "$XDG_CONFIG_HOME/ridge/hardware.json, models.json",
			"accelerators and models of one's own" },
		{ "$XDG_STATE_HOME/ridge/state.json", "where the explorer was left" },
	};
	static const char *const variables[][2] = {
		{ "NO_COLOR", "if it is set, no colours are used" },
		{ "RIDGE_GLYPHS", "octants, braille, lines or ascii, as \\-\\-glyphs" },
		{ "RIDGE_BACKGROUND", "light or dark, where the terminal does not say it" },
	};
	fprintf(out, ".TH RIDGE 1 \"\" \"ridge %s\" \"User Commands\"\n", RIDGE_VERSION);
	fprintf(out, ".SH NAME\nridge \\- machine\\-learning performance engineering, in the "
		     "terminal\n");
	fprintf(out, ".SH SYNOPSIS\n.B ridge\n[\n.I COMMAND\n[\n.I WORDS\n.RI ... ]]\n");
	fprintf(out,
		".SH DESCRIPTION\nWithout a command ridge opens the explorer where it was left: "
		"chapters, simulations, drills, cases and talks. ? shows its keys. Options may "
		"stand anywhere among the words of a command.\n");
	fprintf(out, ".SH COMMANDS\n");
	for (unsigned i = 0; i < N_COMMANDS; i++)
		put_command(out, (enum command_id)i);
	fprintf(out, ".SH FILES\n");
	for (size_t i = 0; i < LENGTH(files); i++)
		fprintf(out, ".TP\n.I %s\n%s\n", files[i][0], files[i][1]);
	fprintf(out, ".SH ENVIRONMENT\n");
	for (size_t i = 0; i < LENGTH(variables); i++)
		fprintf(out, ".TP\n.B %s\n%s\n", variables[i][0], variables[i][1]);
	fprintf(out,
		".SH EXIT STATUS\n0: done. 1: it could not be done, or, of\n.BR \"ridge due\" ,\n"
		"something is due. 2: it was called in a wrong way; a line says how.\n");
}
