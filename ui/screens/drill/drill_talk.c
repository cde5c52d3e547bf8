/* The phases of an interview that are talk: what it is about, advice, and notes that stay. */
#include "ui/screens/drill/drill_view.h"

#include "sims/quantity/quantity.h"

#include <stdio.h>
#include <string.h>

/* The estimate that the talk is about. */
static const struct variant *subject(const struct app *app)
{
	const struct drill_session *s = &drill_seen(app)->session;
	return s->n > 0 ? &s->items[0].variant : NULL;
}

/* "11.2414 GB   How much does each GPU send? In GB." */
static void write_numbers(const struct variant *v, struct sheet *s)
{
	sheet_gap(s);
	sheet_text(s, 0, 0, "Your estimate came to, exactly:", STYLE_DIM, 0);
	for (size_t i = 0; i < v->n_steps; i++) {
		const struct variant_step *step = &v->steps[i];
		char line[400];
		if (step->step->kind != KIND_NUMBER)
			continue;
		snprintf(line, sizeof line, "%s   %.300s", step->answer, step->asks);
		sheet_text(s, 2, 2, line, STYLE_PLAIN, 0);
	}
}

static void write_clarify(const struct variant *v, struct sheet *s)
{
	sheet_text(s, 0, 0, "The interviewer says:", STYLE_DIM, 0);
	sheet_gap(s);
	sheet_markdown(s, 0, *v->scene ? v->scene : v->drill->title);
}

static void write_design(const struct variant *v, struct sheet *s)
{
	sheet_text(s, 0, 0, "The interviewer goes on:", STYLE_DIM, 0);
	sheet_gap(s);
	/* What a good answer has in it is for the interviewer. */
	char question[1200];
	snprintf(question, sizeof question, "%.*s", (int)variant_follow_up_asks(v), v->follow_up);
	sheet_markdown(s, 0, question);
	write_numbers(v, s);
}

static void write_wrap_up(const struct app *app, const struct variant *v, struct sheet *s)
{
	const struct drill_session *session = &drill_seen(app)->session;
	struct session_score score = session_score(session);
	char line[200];
	sheet_text(s, 0, 0, "Sum up, aloud:", STYLE_PLAIN, 0);
	sheet_gap(s);
	snprintf(line, sizeof line, "- what was asked (%s) and the number it comes down to: %s",
		v->drill->title, v->steps[v->n_steps - 1].answer);
	sheet_text(s, 0, 2, line, STYLE_PLAIN, 0);
	sheet_text(s, 0, 2, "- the design you chose, and its bottleneck", STYLE_PLAIN, 0);
	sheet_text(
		s, 0, 2, "- what you assumed, left out, and would measure first", STYLE_PLAIN, 0);
	snprintf(line, sizeof line, "- of the problems %zu of %zu are right%s%s", score.correct,
		score.n, score.missed_skill ? "; look again at: " : "",
		score.missed_skill ? score.missed_skill : "");
	sheet_text(s, 0, 2, line, STYLE_DIM, 0);
}

void drill_notes_write(const struct app *app, struct sheet *s)
{
	const struct drill_desk *desk = &drill_seen(app)->desk;
	if (!desk->n_notes)
		return;
	sheet_gap(s);
	sheet_text(s, 0, 0, "Your notes", STYLE_DIM, 0);
	for (size_t i = 0; i < desk->n_notes; i++) {
		char line[sizeof desk->notes[0] + 8];
		snprintf(line, sizeof line, "- %s", desk->notes[i]);
		sheet_text(s, 2, 2, line, STYLE_PLAIN, 0);
	}
}

void drill_talk_write(const struct app *app, struct sheet *s)
{
	const struct variant *v = subject(app);
	enum phase phase = drill_seen(app)->session.phase;
	if (!v || phase >= N_PHASES)
		return;
	if (phase == PHASE_CLARIFY)
		write_clarify(v, s);
	else if (phase == PHASE_DESIGN)
		write_design(v, s);
	else
		write_wrap_up(app, v, s);
	sheet_gap(s);
	sheet_text(s, 0, 0, interview_phases[phase].advice, STYLE_DIM, 0);
	drill_notes_write(app, s);
}

void drill_note_line_write(const struct app *app, struct sheet *s)
{
	const struct drill_desk *desk = &drill_seen(app)->desk;
	const struct entry *e = desk->in_pad ? &desk->line : &app->entry;
	int row = sheet_rows(s, 1);
	canvas_text(&s->cv, row, 0, 2, "▸", STYLE_ACCENT, ATTR_BOLD);
	if (desk->in_pad)
		canvas_text(&s->cv, row, 2, -1, e->text, STYLE_DIM, 0);
	else
		entry_draw(e, &s->cv, row, 2, s->cv.cols - 2, 0);
	sheet_text(s, 2, 0,
		e->error[0] ? e->error
			    : "Enter keeps a note; on an empty line it ends the phase, as Ctrl-N "
			      "does.",
		e->error[0] ? STYLE_BAD : STYLE_DIM, 0);
}
