/* A simulation in hand, as the explorer has it, whose figure is written once in the format that was
 * asked for. */
#include "ui/commands/cmd_sim.h"

#include "sims/base/array.h"
#include "sims/registry/registry.h"
#include "ui/data/own_inputs.h"
#include "ui/data/tables_load.h"
#include "ui/files/printed.h"
#include "ui/live/live.h"
#include "ui/commands/export.h"
#include "ui/commands/text_report.h"

#include <math.h>

static int list(const struct streams *io)
{
	for (size_t i = 0; i < n_sims; i++)
		fprintf(io->out, "%-15s%s\n", sims[i]->id, sims[i]->summary);
	return 0;
}

/* When several formats were asked for, the last one counts. */
static enum option_id format_asked(const struct command_line *line)
{
	static const enum option_id formats[] = { OPTION_JSON, OPTION_CSV, OPTION_TEXT,
		OPTION_SVG };
	enum option_id last = OPTION_TEXT;
	unsigned at = 0;
	for (size_t i = 0; i < LENGTH(formats); i++)
		if (option_says_yes(line, formats[i]) && line->values[formats[i]].at > at) {
			last = formats[i];
			at = line->values[last].at;
		}
	return last;
}

static int print(const struct command_line *line, struct tables *t, const struct streams *io)
{
	const char *name = line->words[0];
	const enum option_id format = format_asked(line);
	struct live view;
	char err[320];
	int rc = 0;
	if (own_inputs_read(
		    t, sim_find(name), line->words + 1, line->n_words - 1, err, sizeof err) ||
		live_open(&view, t, name, line->words + 1, line->n_words - 1, err, sizeof err))
		return usage_error(io, line->command, "%s", err);
	if (view.figure.arena.failed)
		rc = -1;
	else if (format == OPTION_JSON)
		rc = json_print(figure_json(view.sim, t, view.now.v, &view.figure), io->out);
	else if (format == OPTION_CSV)
		figure_csv(&view.figure, io->out);
	else {
		struct report_options how = report_asked(line);
		how.at_s = isnan(how.at_s) ? view.playhead_s : how.at_s;
		rc = (format == OPTION_SVG ? report_picture : report_write)(&view, &how, io->out);
	}
	live_release(&view);
	if (rc && !ferror(io->out))
		fprintf(io->err, "ridge sim: out of memory\n");
	return rc || printed_end(io->out) ? 1 : 0;
}

int cmd_sim(const struct command_line *line, const struct streams *io)
{
	struct tables t = { 0 };
	if (!line->n_words)
		return list(io);
	if (tables_load_for(&t, "ridge sim", io->err))
		return 1;
	int rc = print(line, &t, io);
	tables_release(&t);
	return rc;
}
