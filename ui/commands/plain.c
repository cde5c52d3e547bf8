/* One line of input is one command: it sets a knob while a simulation is open, and opens what it
 * names otherwise. */
#include "ui/commands/plain.h"

#include "sims/base/match.h"
#include "sims/registry/registry.h"
#include "ui/data/own_inputs.h"
#include "ui/data/page_list.h"
#include "ui/data/tables_load.h"
#include "ui/files/own_file.h"
#include "ui/files/printed.h"
#include "ui/live/action.h"
#include "ui/live/live_headline.h"
#include "ui/live/setting_words.h"
#include "ui/commands/cmd_case.h"
#include "ui/commands/cmd_drill.h"
#include "ui/commands/cmd_read.h"
#include "ui/commands/cmd_calendar.h"
#include "ui/commands/cmd_stats.h"
#include "ui/commands/text_report.h"
#include "ui/term/environment.h"

#include <stdlib.h>
#include <string.h>

struct plain {
	const struct streams *io;
	struct tables tables;
	struct page_list pages;
	struct live sim;
	bool in_sim, over;
};

static void show_menu(const struct plain *p)
{
	size_t number = 1;
	fprintf(p->io->out, "Pages\n");
	for (size_t i = 0; i < p->pages.n; i++)
		fprintf(p->io->out, "%3zu  %s\n", number++, p->pages.pages[i].title);
	fprintf(p->io->out, "Simulations\n");
	for (size_t i = 0; i < n_sims; i++)
		fprintf(p->io->out, "%3zu  %s: %s\n", number++, sims[i]->id, sims[i]->summary);
	fprintf(p->io->out,
		"Drills\n%3zu  drill\n%3zu  case: the design cases\n%3zu  stats: your answers\n"
		"%3zu  calendar: what to do each day until an interview\n",
		number, number + 1, number + 2, number + 3);
	fprintf(p->io->out, "Type a number or a name; menu, help or quit.\n");
}

static void show_help(const struct plain *p)
{
	if (p->in_sim)
		fprintf(p->io->out,
			"knob=value sets a knob; knobs lists them; undo; reset; back; quit\n");
	else
		fprintf(p->io->out, "a number or a name opens it; menu; quit\n");
}

static void show_sim(const struct plain *p)
{
	struct report_options o = report_defaults();
	report_write(&p->sim, &o, p->io->out);
}

static void show_knobs(const struct plain *p)
{
	const struct live *s = &p->sim;
	for (size_t i = 0; i < s->sim->n_knobs; i++) {
		const struct knob *k = &s->sim->knobs[i];
		char value[64];
		fprintf(p->io->out, "%s = %s  (%s)\n", k->id,
			knob_write(k, s->tables, s->now.v[i], value, sizeof value), k->label);
	}
}

/* Reads the files that "batching arrivals=trace trace=FILE.csv" names. */
static int read_own_inputs(struct plain *p, const char *text, char *err, size_t err_size)
{
	struct setting_words w;
	if (setting_words(&w, text, err, err_size))
		return -1;
	return w.n == 0 ? 0
			: own_inputs_read(&p->tables, sim_find(w.words[0]), w.words + 1, w.n - 1,
				  err, err_size);
}

static void open_sim(struct plain *p, const char *text)
{
	struct live view;
	char err[320];
	if (read_own_inputs(p, text, err, sizeof err) ||
		live_open_text(&view, &p->tables, text, err, sizeof err)) {
		fprintf(p->io->out, "%s\n", err);
		return;
	}
	live_release(&p->sim);
	p->sim = view;
	p->in_sim = true;
	show_sim(p);
	show_help(p);
}

static void open_page(struct plain *p, const char *id)
{
	const char *const words[] = { "--plain", id };
	const struct streams *io = p->io;
	struct streams here = *io;
	struct command_line line;
	char err[320];
	here.err = io->out;
	if (command_line_read(&line, COMMAND_READ, words, 2, err, sizeof err))
		fprintf(io->out, "%s\n", err);
	else
		read_with_tables(&p->tables, &line, &here);
}

/* A command in the middle of the explorer, with the words after its name, as the shell has them. */
static void run_command(struct plain *p, enum command_id id,
	int (*run)(const struct command_line *, const struct streams *), const char *text)
{
	struct setting_words w;
	struct command_line line;
	char err[320];
	if (setting_words(&w, text, err, sizeof err) ||
		command_line_read(&line, id, w.words, w.n, err, sizeof err))
		usage_error(p->io, id, "%s", err);
	else if (line.help)
		command_help(id, p->io->out);
	else
		run(&line, p->io);
}

static void drill(struct plain *p, const char *text)
{
	run_command(p, COMMAND_DRILL, cmd_drill, text);
}

static void design_case(struct plain *p, const char *text)
{
	run_command(p, COMMAND_CASE, cmd_case, text);
}

static void show_answers(const struct plain *p)
{
	const struct command_line line = { .command = COMMAND_STATS };
	cmd_stats(&line, p->io);
}

static void show_calendar(struct plain *p, const char *text)
{
	run_command(p, COMMAND_CALENDAR, cmd_calendar, text);
}

static void open_number(struct plain *p, size_t number)
{
	if (number >= 1 && number <= p->pages.n)
		open_page(p, p->pages.pages[number - 1].id);
	else if (number > p->pages.n && number <= p->pages.n + n_sims)
		open_sim(p, sims[number - 1 - p->pages.n]->id);
	else if (number == p->pages.n + n_sims + 1)
		drill(p, "");
	else if (number == p->pages.n + n_sims + 2)
		design_case(p, "");
	else if (number == p->pages.n + n_sims + 3)
		show_answers(p);
	else if (number == p->pages.n + n_sims + 4)
		show_calendar(p, "");
	else
		fprintf(p->io->out, "there is no entry %zu: expected 1 to %zu\n", number,
			p->pages.n + n_sims + 4);
}

static void open_name(struct plain *p, const char *line)
{
	char first[64];
	snprintf(first, sizeof first, "%.*s", (int)strcspn(line, " "), line);
	if (sim_find(first)) {
		open_sim(p, line);
	} else if (page_list_find(&p->pages, first)) {
		open_page(p, first);
	} else if (strcmp(first, "drill") == 0) {
		drill(p, line + strlen(first));
	} else if (strcmp(first, "case") == 0) {
		design_case(p, line + strlen(first));
	} else if (strcmp(first, "stats") == 0) {
		show_answers(p);
	} else if (strcmp(first, "calendar") == 0) {
		show_calendar(p, line + strlen(first));
	} else if (strcmp(first, "home") == 0) {
		show_menu(p);
	} else {
		enum { MOST_NAMES = 256 };
		const char *names[MOST_NAMES] = { "drill", "case", "stats", "calendar", "menu" };
		size_t n = 5;
		for (size_t i = 0; i < n_sims && n < MOST_NAMES; i++)
			names[n++] = sims[i]->id;
		for (size_t i = 0; i < p->pages.n && n < MOST_NAMES; i++)
			names[n++] = p->pages.pages[i].id;
		char hint[HINT_SIZE];
		did_you_mean(first, names, n, hint, sizeof hint);
		fprintf(p->io->out, "nothing is called \"%s\"%s\n", first,
			*hint ? hint : "; menu lists everything");
	}
}

static void take_in_sim(struct plain *p, const char *line)
{
	char err[320];
	struct live *s = &p->sim;
	if (strcmp(line, "back") == 0) {
		p->in_sim = false;
		show_menu(p);
	} else if (strcmp(line, "knobs") == 0) {
		show_knobs(p);
	} else if (strcmp(line, "undo") == 0 || strcmp(line, "reset") == 0) {
		live_act(s, line[0] == 'u' ? ACT_UNDO : ACT_DEFAULT_ALL);
		live_update(s);
		show_sim(p);
	} else {
		struct setting v = s->now;
		if (own_inputs_read(&p->tables, s->sim, &line, 1, err, sizeof err) ||
			sim_read_setting(s->sim, s->tables, line, v.v, err, sizeof err)) {
			fprintf(p->io->out, "%s\n", err);
			return;
		}
		for (size_t i = 0; i < s->sim->n_knobs; i++)
			if (v.v[i] != s->now.v[i])
				live_set(s, (int)i, v.v[i]);
		live_update(s);
		char sentence[1024];
		live_sentence(s, sentence, sizeof sentence);
		show_sim(p);
		fprintf(p->io->out, "%s\n", sentence);
	}
}

static void take(struct plain *p, char *line)
{
	line[strcspn(line, "\r\n")] = '\0';
	char *end;
	unsigned long number = strtoul(line, &end, 10);
	if (!*line)
		return;
	if (strcmp(line, "quit") == 0 || strcmp(line, "q") == 0)
		p->over = true;
	else if (strcmp(line, "help") == 0 || strcmp(line, "?") == 0)
		show_help(p);
	else if (strcmp(line, "menu") == 0)
		show_menu(p);
	else if (p->in_sim)
		take_in_sim(p, line);
	else if (*end == '\0')
		open_number(p, number);
	else
		open_name(p, line);
}

static void first_line(size_t n, const char *const words[], char *line, size_t size)
{
	line[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		size_t used = strlen(line);
		snprintf(line + used, size - used, "%s%s", i ? " " : "", words[i]);
	}
}

static int explore(const char *const words[], size_t n, const struct streams *io)
{
	struct plain p = { .io = io };
	char line[1024];
	if (tables_load_for(&p.tables, "ridge", io->err))
		return 1;
	if (page_list_init(&p.pages)) {
		fprintf(io->err, "ridge: out of memory\n");
		tables_release(&p.tables);
		return 1;
	}
	first_line(n, words, line, sizeof line);
	if (line[0])
		open_name(&p, line);
	else
		show_menu(&p);
	while (!p.over) {
		fprintf(io->out, "%s> ", p.in_sim ? p.sim.sim->id : "ridge");
		/* When the output is gone, nobody is there to ask anything. */
		if (fflush(io->out) || !own_read_line(line, sizeof line, io->in))
			break;
		take(&p, line);
	}
	fputc('\n', io->out);
	live_release(&p.sim);
	page_list_release(&p.pages);
	tables_release(&p.tables);
	const bool broke = own_lines_broke(io->in, "ridge", io->err);
	return printed_end(io->out) || broke ? 1 : 0;
}

int plain_explore(const char *const words[], size_t n, const struct streams *io)
{
	struct streams gated;
	const struct gate_rules rules = { .ascii = environment_glyphs() == GLYPHS_ASCII };
	int rc = streams_gate(&gated, io, rules, NULL) ? 1 : explore(words, n, &gated);
	if (streams_ungate(&gated))
		rc = 1;
	return rc;
}
