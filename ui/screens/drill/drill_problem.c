/* A problem: what is asked, what is known already, and the line for the answer. Until an answer is
 * graded nothing here shows the key. */
#include "ui/screens/drill/drill_program.h"
#include "ui/screens/drill/drill_view.h"

#include <stdio.h>
#include <string.h>

static void write_hints(const struct session_item *item, struct sheet *s)
{
	for (unsigned i = 0; i < item->hints && i < 2; i++) {
		char text[700];
		snprintf(text, sizeof text, "Hint: %s", item->variant.hints[i]);
		sheet_gap(s);
		sheet_text(s, 0, 6, text, STYLE_ACCENT, 0);
	}
}

/* What several steps share, those that are done with, and the one that is asked. */
static void write_steps(const struct app *app, const struct session_item *item, struct sheet *s)
{
	const struct variant *v = &item->variant;
	char asks[6200];
	sheet_markdown(s, 0, v->scene);
	for (size_t i = 0; i < v->step; i++) {
		sheet_gap(s);
		drill_part_write(app, s, item, i);
	}
	sheet_gap(s);
	snprintf(asks, sizeof asks, "**Part %zu of %zu.** %s", v->step + 1, v->n_steps,
		v->steps[v->step].asks);
	sheet_markdown(s, 0, asks);
}

void drill_problem_write(const struct app *app, struct sheet *s)
{
	const struct session_item *item = drill_view_item(drill_seen(app));
	const struct variant *v = &item->variant;
	if (item->closed && v->n_steps > 1)
		sheet_markdown(s, 0, v->scene);
	else if (v->n_steps > 1)
		write_steps(app, item, s);
	else
		sheet_markdown(s, 0, v->prompt);
	if (*v->assumes) {
		char text[600];
		snprintf(text, sizeof text, "Assumes: %s.", v->assumes);
		sheet_gap(s);
		sheet_text(s, 0, 9, text, STYLE_DIM, 0);
	}
	if (item->closed)
		return;
	write_hints(item, s);
	drill_notes_write(app, s);
}

/* A line that the keys do not go to is dim, and has no cursor. */
static void write_line(const struct app *app, struct sheet *s, int room)
{
	const struct drill_desk *desk = &drill_seen(app)->desk;
	int row = sheet_rows(s, 1);
	bool here = app->entry.kind == ENTRY_ANSWER;
	canvas_text(&s->cv, row, 0, 2, "▸", here ? STYLE_ACCENT : STYLE_DIM, ATTR_BOLD);
	if (here)
		entry_draw(&app->entry, &s->cv, row, 2, room, ATTR_BOLD);
	else
		canvas_text(&s->cv, row, 2, room, desk->line.text, STYLE_DIM, 0);
}

void drill_answer_line_write(const struct app *app, struct sheet *s)
{
	const struct drill_session *session = &drill_seen(app)->session;
	const struct session_item *item = drill_view_item(drill_seen(app));
	const char *error = app->entry.kind == ENTRY_ANSWER ? app->entry.error : "";
	char attempt[48] = "";
	if (item->variant.program) {
		drill_program_write(app, s);
		if (!drill_seen(app)->program.assessing)
			return;
	}
	if (item->attempts > 0)
		snprintf(attempt, sizeof attempt, "attempt %u of %u", item->attempts + 1,
			session->max_attempts);
	int row = s->rows, room = s->cv.cols - 2 - (*attempt ? text_width(attempt) + 2 : 0);
	write_line(app, s, room);
	canvas_text_right(&s->cv, row, 0, s->cv.cols, attempt, STYLE_DIM, 0);
	sheet_text(s, 2, 0, *error ? error : item->variant.tolerance,
		*error ? STYLE_BAD : STYLE_DIM, 0);
}
