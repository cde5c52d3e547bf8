#include "ui/commands/cmd_due.h"

#include "ui/data/answers.h"
#include "ui/files/printed.h"

static int tell(const struct answers *a, const struct streams *io)
{
	const struct stats_group *next = stats_next(&a->stats);
	char text[120];
	if (a->stats.n_due)
		fprintf(io->out, "%s: ridge drill mode=review\n",
			stats_due_brief(a->stats.n_due, stats_due_s(&a->stats, &a->history), text,
				sizeof text));
	else if (next)
		fprintf(io->out, "nothing due; the next review comes %s\n",
			stats_when(next->card.due_s, io->now_s, text, sizeof text));
	else
		fprintf(io->out, "nothing due: what is answered in a drill comes back\n");
	return printed_end(io->out) ? 2 : a->stats.n_due > 0;
}

int cmd_due(const struct command_line *line, const struct streams *io)
{
	struct answers a = { 0 };
	char err[300];
	int rc = 2;
	(void)line;
	if (answers_load(&a.history, err, sizeof err) ||
		answers_count(&a, io->now_s, err, sizeof err)) {
		fprintf(io->err, "ridge due: %s\n", err);
	} else if (answers_retire_alone(&a.stats)) {
		fprintf(io->err, "ridge due: out of memory\n");
	} else {
		rc = tell(&a, io);
	}
	answers_release(&a);
	return rc;
}
