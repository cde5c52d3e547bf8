#include "ui/screens/drill/drill_program.h"

#include "drills/program.h"
#include "ui/screens/drill/drill_act.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool drill_program_open(const struct drill_view *d)
{
	const struct session_item *item = drill_view_item(d);
	return item && !item->closed && item->variant.program;
}

void drill_program_release(struct program_draft *p)
{
	free(p->text);
	*p = (struct program_draft){ 0 };
}

static const char *text_of(const struct drill_view *d)
{
	return d->program.text ? d->program.text : drill_view_item(d)->variant.program->stub;
}

static void edit(struct app *app)
{
	struct drill_view *d = drill_of(app);
	char err[400], *text = strdup(text_of(d));
	if (!text || !app->edit_program) {
		app_say(app, text ? "A program is edited in a terminal." : "Out of memory.");
		free(text);
		return;
	}
	if (app->edit_program(&drill_view_item(d)->variant, &text, err, sizeof err)) {
		app_say(app, "%s", err);
		free(text);
		return;
	}
	free(d->program.text);
	d->program.text = text;
}

static void run(struct app *app)
{
	struct drill_view *d = drill_of(app);
	const struct session_item *item = drill_view_item(d);
	struct code_result r = { 0 };
	char err[600];
	if (!app->run_program) {
		app_say(app, "A program is run in a terminal.");
		return;
	}
	if (app->run_program(&item->variant, text_of(d), &r, err, sizeof err)) {
		app_say(app, "%s", err);
		return;
	}
	snprintf(d->program.said, sizeof d->program.said, "%s", r.said);
	snprintf(d->program.tool, sizeof d->program.tool, "%s", r.tool);
	if (r.state == CODE_NO_TOOL) {
		d->program.assessing = true;
		drill_take_line_up(app);
	} else {
		drill_graded(app, &r.grade, r.summary);
	}
	drill_show_newest(app);
}

void drill_program_work(struct app *app)
{
	const int asks = drill_seen(app)->program.asks;
	drill_of(app)->program.asks = PROGRAM_RESTS;
	if (!drill_program_open(drill_of(app)))
		return;
	app->message[0] = '\0';
	if (asks == PROGRAM_EDIT)
		edit(app);
	else if (asks == PROGRAM_RUN)
		run(app);
}

void drill_program_assess(struct app *app, const char *marks)
{
	struct drill_view *d = drill_of(app);
	struct grade g;
	program_assess(&drill_view_item(d)->variant, marks, &g);
	if (!g.attempt_used) {
		snprintf(app->entry.error, sizeof app->entry.error, "%.200s",
			*g.remark ? g.remark : g.understood);
		return;
	}
	d->program.assessing = false;
	drill_graded(app, &g, g.understood);
	if (!drill_view_item(d)->closed) /* the solution is known now */
		session_give_up(&d->session, app->now_ms);
	app->entry = (struct entry){ 0 };
	drill_show_newest(app);
}

/* A text line by line, at most so many lines. */
static void write_lines(struct sheet *s, const char *text, int most, enum style style)
{
	while (*text && most-- > 0) {
		char line[200];
		size_t n = strcspn(text, "\n");
		snprintf(line, sizeof line, "%.*s", (int)(n < 190 ? n : 190), text);
		int lead = (int)strspn(line, " "), most_lead = s->cv.cols / 2;
		if (line[lead])
			sheet_text(s, 2 + (lead < most_lead ? lead : most_lead), 4, line + lead,
				style, 0);
		else
			sheet_rows(s, 1);
		text += n + (text[n] == '\n');
	}
	if (*text)
		sheet_text(s, 2, 0, "...", STYLE_DIM, 0);
}

static void write_check_list(const struct session_item *item, struct sheet *s)
{
	const struct variant_program *p = item->variant.program;
	sheet_gap(s);
	sheet_text(s, 0, 0, "The model solution, to compare with:", STYLE_PLAIN, ATTR_BOLD);
	write_lines(s, p->solution, 60, STYLE_DIM);
	sheet_gap(s);
	for (size_t i = 0; i < p->program->n_check_list; i++) {
		char line[300];
		snprintf(line, sizeof line, "%zu. %s", i + 1, p->program->check_list[i]);
		sheet_text(s, 0, 3, line, STYLE_PLAIN, 0);
	}
}

void drill_program_write(const struct app *app, struct sheet *s)
{
	const struct drill_view *d = drill_seen(app);
	const struct session_item *item = drill_view_item(d);
	char text[200];
	write_lines(s, text_of(d), 40, d->program.text ? STYLE_PLAIN : STYLE_DIM);
	sheet_gap(s);
	if (*d->program.said) {
		sheet_text(s, 0, 0, "It printed:", STYLE_DIM, 0);
		write_lines(s, d->program.said, 6, STYLE_DIM);
		sheet_gap(s);
	}
	if (!d->program.assessing) {
		sheet_text(s, 0, 0,
			"e  write it in your editor     Enter  run it against the hidden cases",
			STYLE_ACCENT, 0);
		sheet_text(s, 0, 0, item->variant.tolerance, STYLE_DIM, 0);
		return;
	}
	snprintf(text, sizeof text,
		"There is no %s here to run it: judge it yourself, y or n for each line.",
		d->program.tool);
	sheet_text(s, 0, 0, text, STYLE_WARN, 0);
	write_check_list(item, s);
}
