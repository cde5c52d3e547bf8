/* The cards before a session against the clock, and while it is paused. */
#include "ui/screens/drill/drill_view.h"

#include "sims/quantity/quantity.h"

#include <stdio.h>
#include <string.h>

static const char *const about[N_MODES][2] = {
	[MODE_SPRINT] = { "As many short problems as the time allows, one answer to each.",
		"The clock runs while you read solutions, too, and ends the sprint by itself." },
	[MODE_INTERVIEW] = { "Five phases: clarify, estimate, design, drill, wrap up. Talk in "
			     "some, numbers in others.",
		"The clock shows the plan and never stops you: you end each phase yourself." },
	[MODE_REVIEW] = { "One fresh problem for each skill that is due, one answer to each.",
		"Right at the first attempt and without a hint, it comes back later." },
};

static void write_amount(const struct app *app, struct sheet *s)
{
	const struct drill_session *session = &drill_seen(app)->session;
	char text[160], time[64];
	double par_s = 0;
	for (size_t i = 0; i < session->n; i++)
		par_s += session->items[i].variant.drill->par_s;
	quantity_format(
		time, sizeof time, (session->limit_s > 0 ? session->limit_s : par_s) / 60, "min");
	if (session->mode == MODE_SPRINT)
		snprintf(text, sizeof text, "%s, up to %zu problems", time, session->n);
	else if (session->mode == MODE_INTERVIEW)
		snprintf(text, sizeof text, "%s: one estimate in parts, then %zu short problem%s",
			time, session->n - 1, session->n == 2 ? "" : "s");
	else
		snprintf(text, sizeof text, "%zu problem%s, %s at par", session->n,
			session->n == 1 ? "" : "s", time);
	sheet_text(s, 0, 0, text, STYLE_PLAIN, ATTR_BOLD);
}

/* Read out to another person, letter by letter. */
static void write_code(const char *code, struct sheet *s)
{
	char large[4 * CODE_SIZE] = "", line[128];
	for (size_t i = 0; code[i]; i++) {
		size_t n = strlen(large);
		snprintf(large + n, sizeof large - n, "%s%c", i ? " " : "", code[i]);
	}
	sheet_gap(s);
	sheet_text(s, 0, 0, "Code", STYLE_DIM, 0);
	sheet_gap(s);
	sheet_text(s, 4, 0, large, STYLE_ACCENT, ATTR_BOLD);
	sheet_gap(s);
	sheet_text(s, 0, 0, "The same problems for another person:", STYLE_DIM, 0);
	snprintf(line, sizeof line, "ridge drill --code %s", code);
	sheet_text(s, 4, 4, line, STYLE_PLAIN, 0);
	sheet_text(s, 0, 0, "The interviewer's screen:", STYLE_DIM, 0);
	snprintf(line, sizeof line, "ridge drill --code %s --answers", code);
	sheet_text(s, 4, 4, line, STYLE_PLAIN, 0);
}

void drill_ready_write(const struct app *app, struct sheet *s)
{
	const struct drill_view *d = drill_seen(app);
	char heading[32];
	snprintf(heading, sizeof heading, "%s", mode_names[d->session.mode]);
	heading[0] = (char)(heading[0] - 'a' + 'A');
	sheet_text(s, 0, 0, heading, STYLE_ACCENT, ATTR_BOLD);
	sheet_gap(s);
	for (size_t i = 0; i < 2 && about[d->session.mode][i]; i++)
		sheet_text(s, 0, 0, about[d->session.mode][i], STYLE_PLAIN, 0);
	sheet_gap(s);
	write_amount(app, s);
	if (d->request.code[0])
		write_code(d->request.code, s);
	sheet_gap(s);
	sheet_text(s, 0, 0,
		"Enter starts. Until then the clock stands and the problems are hidden.",
		STYLE_ACCENT, ATTR_BOLD);
}

void drill_hidden_write(const struct app *app, struct sheet *s)
{
	bool clock = session_has_clock(&drill_seen(app)->session);
	sheet_gap(s);
	sheet_text(s, 0, 0, "Paused", STYLE_ACCENT, ATTR_BOLD);
	sheet_gap(s);
	sheet_text(s, 0, 0,
		clock ? "The clock stands and the problem is hidden. What you typed is kept."
		      : "The problem is hidden. What you typed is kept.",
		STYLE_PLAIN, 0);
	sheet_gap(s);
	sheet_text(s, 0, 0, "Enter goes on. Esc leaves.", STYLE_ACCENT, ATTR_BOLD);
}
