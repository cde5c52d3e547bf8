#include "ui/screens/drill/drill_problem.h"

#include "drills/schedule_example.h"
#include "sims/base/capital.h"
#include "sims/base/minmax.h"
#include "sims/base/name_words.h"
#include "sims/base/utf8.h"
#include "ui/term/overlay.h"
#include "ui/views/plot.h"
#include "ui/programs/code_question.h"
#include "ui/programs/confine_files.h"
#include "ui/programs/consent.h"
#include "ui/practice/date_words.h"
#include "ui/practice/drill_summary.h"
#include "ui/screens/drill/drill_session.h"
#include "ui/screens/drill/drill_solution.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the cards before a session against the clock, and while it is paused */

static const char *const about[N_MODES][2] = {
	[MODE_SPRINT] = { "As many short problems as the time allows, one answer to each.",
		"The clock runs while you read solutions, too, and ends the sprint by itself." },
	[MODE_INTERVIEW] = { "Five phases: clarify, estimate, design, drill, wrap up. Talk in "
			     "some, numbers in others.",
		"The clock shows the plan and never stops you: you end each phase yourself." },
	[MODE_PLACEMENT] = { "Each problem is of another chapter and has one answer: what you know "
			     "need not be read.",
		"What you do not know, give up at once (Ctrl-G); the result says what to read." },
	[MODE_REVIEW] = { "A fresh problem for each skill that is due, one answer to each.",
		"Right at the first attempt and without a hint, it comes back later." },
};

static void write_amount(const struct app *app, struct sheet *s)
{
	const struct drill_session *session = &drill_seen(app)->session;
	char text[160], time[32];
	double par_s = 0;
	for (size_t i = 0; i < session->n; i++)
		par_s += session->items[i].variant.drill->par_s;
	drill_time_text(session->limit_s > 0 ? session->limit_s : par_s, time, sizeof time);
	if (session->mode == MODE_SPRINT)
		snprintf(text, sizeof text, "%s, up to %zu problems", time, session->n);
	else if (session->mode == MODE_INTERVIEW)
		snprintf(text, sizeof text, "%s: one estimate in parts, then %zu short problem%s",
			time, session->n - 1, session->n == 2 ? "" : "s");
	else
		snprintf(text, sizeof text, "%zu problem%s, %s at par", session->n,
			session->n == 1 ? "" : "s", time);
	sheet_text(s, 0, 0, text, STYLE_PLAIN, ATTR_BOLD);
	const size_t due = drill_seen(app)->request.n_due;
	if (session->mode == MODE_REVIEW && due > session->n) {
		snprintf(text, sizeof text,
			"%zu skills are due: the other %zu wait for the review after it.", due,
			due - session->n);
		sheet_text(s, 0, 0, text, STYLE_PLAIN, 0);
	}
}

/* Spaced out, because it is read aloud to another person letter by letter. */
static void write_code(const struct drill_request *r, struct sheet *s)
{
	const char *code = r->code;
	char large[4 * CODE_SIZE] = "", line[900];
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
	sheet_text(s, 4, 4, drill_request_command(r, line, sizeof line), STYLE_PLAIN, 0);
	sheet_text(
		s, 0, 0, "With --answers behind it, it is the interviewer's screen.", STYLE_DIM, 0);
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
		write_code(&d->request, s);
	sheet_gap(s);
	sheet_text(s, 0, 0,
		"Enter starts. Until then the clock stands and the problems are hidden.",
		STYLE_ACCENT, ATTR_BOLD);
}

/* "What is right each time comes back on days 2, 13, 59 and 222." */
static void write_schedule_words(struct sheet *s)
{
	char text[200];
	long days[EXAMPLE_REVIEWS];
	const size_t n = schedule_example_days(days, EXAMPLE_REVIEWS);
	int used = snprintf(text, sizeof text, "What is right each time comes back on days");
	for (size_t i = 0; i < n; i++)
		used += snprintf(text + used, sizeof text - (size_t)used, "%s %ld%s",
			!i          ? ""
			: i + 1 < n ? ","
				    : " and",
			days[i], i + 1 < n ? "" : ".");
	sheet_text(s, 0, 0, text, STYLE_PLAIN, 0);
}

void drill_schedule_write(int rows, struct sheet *s)
{
	enum { LEAST_HIGH = 9, MOST_HIGH = 34 };
	const int high = min_int(MOST_HIGH, rows);
	struct figure f = { 0 };
	if (high < LEAST_HIGH)
		return;
	schedule_example_figure(&f);
	if (f.n_blocks && !f.arena.failed) {
		const struct rect r = { sheet_rows(s, high), 0, high, s->cv.cols };
		plot_draw(&s->cv, r, &f.blocks[0]->as.plot, NULL, NAN);
		overlay_dim(&s->cv, r, -1);
	}
	figure_release(&f);
}

void drill_nothing_write(const struct app *app, int rows, struct sheet *s)
{
	const struct drill_request *r = &drill_seen(app)->request;
	char text[200], when[48], said[65];
	if (*r->next_skill)
		snprintf(text, sizeof text, "The next skill, %s, comes back %s.",
			name_words(r->next_skill, said, sizeof said),
			stats_when(r->next_s, app_now_s(app), when, sizeof when));
	else
		snprintf(text, sizeof text,
			"Every skill that you practise comes back here, with fresh numbers.");
	sheet_gap(s);
	sheet_text(s, 0, 0, *r->next_skill ? "Nothing is due" : "Nothing to review yet",
		STYLE_PLAIN, ATTR_BOLD);
	sheet_text(s, 0, 0, "Enter: five mixed problems", STYLE_ACCENT, ATTR_BOLD);
	sheet_gap(s);
	sheet_text(s, 0, 0, text, STYLE_PLAIN, 0);
	write_schedule_words(s);
	snprintf(text, sizeof text,
		"A review waits until recall has fallen to %.0f %%: sooner it teaches less.",
		100 * fsrs_defaults.retention);
	sheet_text(s, 0, 0, text, STYLE_DIM, 0);
	sheet_gap(s);
	drill_schedule_write(rows - s->rows, s);
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
	sheet_text(s, 0, 0,
		drill_has_result(drill_seen(app))
			? "Enter goes on. Esc ends it and shows the result."
			: "Enter goes on. Esc leaves.",
		STYLE_ACCENT, ATTR_BOLD);
}

/* --- talk: what it is about, advice, and notes that stay */

/* The estimate that the talk is about. */
static const struct variant *subject(const struct app *app)
{
	const struct drill_session *s = &drill_seen(app)->session;
	return s->n > 0 ? &s->items[0].variant : NULL;
}

/* "11.2414 GB   How much does each GPU send? In GB." */
static void write_estimate(const struct variant *v, struct sheet *s)
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
	/* Only the question: what a good answer contains is for the interviewer's eyes. */
	char question[1200];
	snprintf(question, sizeof question, "%.*s", (int)variant_follow_up_asks(v), v->follow_up);
	sheet_markdown(s, 0, question);
	write_estimate(v, s);
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

static void drill_notes_write(const struct app *app, struct sheet *s)
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
	if (!v || phase >= N_INTERVIEW_PHASES)
		return;
	if (phase == PHASE_CLARIFY)
		write_clarify(v, s);
	else if (phase == PHASE_DESIGN)
		write_design(v, s);
	else
		write_wrap_up(app, v, s);
	sheet_gap(s);
	sheet_text(s, 0, 0, interview_phases[phase].advice, STYLE_DIM, 0);
	if (phase == PHASE_CLARIFY)
		sheet_text(s, 0, 0, "Alone, nobody answers: write down what you would ask.",
			STYLE_DIM, 0);
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
		e->error[0]
			? e->error
			: "Enter keeps a note; on an empty line it ends the phase, like Ctrl-N.",
		e->error[0] ? STYLE_BAD : STYLE_DIM, 0);
}

/* --- a program, and a check list to judge it by where nothing can run it */

/* Bytes of the name, number or word that begins at `at`, before `end`; 0: none does. */
static size_t name_length(const char *at, const char *end)
{
	size_t n = 0;
	while (at + n < end && (isalnum((unsigned char)at[n]) || at[n] == '_'))
		n++;
	return n;
}

/* A line of a program as it stands: tabs lead to their stops, and what is longer than a row goes on in the
 * next one, with a mark at its edge. A name is not parted that fits into a row. */
static void write_code_line(struct sheet *s, const char *line, size_t bytes, enum style style)
{
	enum { EDGE = 2, TAB = 4 };
	const char *at = line, *end = line + bytes;
	int row = sheet_rows(s, 1), col = EDGE, column = 0,
	    rest = 0; /* rest: of the name, in columns */
	while (at < end) {
		char one[8] = "";
		const char *from = at;
		const int name = rest ? 0 : (int)name_length(at, end);
		const bool tab = utf8_next(&at) == '\t';
		memcpy(one, from, (size_t)(at - from));
		const int cols = tab ? TAB - column % TAB : text_width(one);
		const int whole = name && EDGE + name <= s->cv.cols ? name : cols;
		rest = name ? name - 1 : rest ? rest - 1 : 0;
		if (col + whole > s->cv.cols && col > EDGE) {
			row = sheet_rows(s, 1);
			canvas_text(&s->cv, row, 0, EDGE, ">", STYLE_DIM, 0);
			col = EDGE;
		}
		if (!tab)
			canvas_text(&s->cv, row, col, -1, one, style, 0);
		col += cols;
		column += cols;
	}
}

/* A text line by line, at most `most` lines, in one style but for comments, which are quieter than what a program does;
 * mark: what these begin with, NULL: there are none. */
static void write_lines(
	struct sheet *s, const char *text, int most, enum style style, const char *mark)
{
	while (*text && most-- > 0) {
		const size_t n = strcspn(text, "\n"), blank = strspn(text, " \t");
		const bool comment = mark && strncmp(text + blank, mark, strlen(mark)) == 0;
		write_code_line(s, text, n, comment ? STYLE_DIM : style);
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
	write_lines(s, p->solution, 60, STYLE_DIM, NULL);
	sheet_gap(s);
	for (size_t i = 0; i < p->program->n_check_list; i++) {
		char line[300];
		snprintf(line, sizeof line, "%zu. %s", i + 1, p->program->check_list[i]);
		sheet_text(s, 0, 3, line, STYLE_PLAIN, 0);
	}
}

/* --- a problem that is to be answered */

static void write_hints(const struct session_item *item, struct sheet *s)
{
	const struct variant_step *step = &item->variant.steps[item->variant.step];
	for (unsigned i = 0; i < item->step_hints; i++) {
		char text[1100];
		snprintf(text, sizeof text, "Hint: %s", step->hints[i]);
		sheet_gap(s);
		sheet_text(s, 0, 6, text, STYLE_ACCENT, 0);
	}
}

/* Whether a sentence ends before this blank, maybe with a quotation. */
static bool ends_before(const char *text, const char *blank)
{
	const char *last = blank - 1;
	if (last > text && *last == '"')
		last--;
	return last >= text && strchr(".?!:", *last) && *blank == ' ';
}

/* Where the sentence that ends with this mark begins. */
static const char *one_sentence_start(const char *text, const char *mark)
{
	while (mark > text && !ends_before(text, mark) && mark[-1] != '\n')
		mark--;
	return mark + (*mark == ' ');
}

/* Where the question begins that ends with this mark: "Which?" is none without the sentence before. */
static const char *sentence_start(const char *text, const char *mark)
{
	enum { WHICH = 12 };
	const char *start = one_sentence_start(text, mark);
	if (mark - start >= WHICH || start < text + 2 || start[-1] != ' ')
		return start;
	return one_sentence_start(text, start - 2);
}

/* The last question mark before the options, which may ask as well. NULL: there is none. */
static const char *last_mark(const char *text)
{
	const char *options = strstr(text, "\n\n1. "), *mark = NULL;
	for (const char *p = text; (p = strchr(p, '?')) && (!options || p < options); p++)
		mark = p;
	return mark;
}

/* Whether a word of small letters begins here, which a sentence may have capital: no unit, name or code. */
static bool is_plain_word(const char *text)
{
	const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz");
	return n > 0 && strchr(" ,:;'-\n", text[n]); /* or its end */
}

/* Options begin as sentences do. Each stands in a line of its own behind its number. */
static void capital_options(char *text)
{
	for (char *p = text; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (*p >= '1' && *p <= '9' && strncmp(p + 1, ". ", 2) == 0 && is_plain_word(p + 3))
			capital_first(p + 3);
	}
}

/* What is given, and then the question on lines of its own, in bold: the last sentence with a
 * question mark, and the unit that may follow it ("In GB."). */
static void write_question(struct sheet *s, const char *text)
{
	enum { UNIT = 40 /* bytes: what is longer is no unit */ };
	const char *mark = last_mark(text);
	char part[6200];
	if (!mark || strlen(text) >= sizeof part) {
		sheet_markdown(s, 0, text);
		return;
	}
	const char *start = sentence_start(text, mark), *end = mark + 1;
	const size_t rest = strcspn(end, "\n");
	end += rest < UNIT ? rest : 0;
	snprintf(part, sizeof part, "%.*s", (int)(start - text), text);
	if (start > text) {
		sheet_markdown(s, 0, part);
		sheet_gap(s);
	}
	const int bytes = (int)(end - start);
	const bool plain =
		!memchr(start, '*', (size_t)bytes) && !memchr(start, '\n', (size_t)bytes);
	snprintf(part, sizeof part, plain ? "**%.*s**" : "%.*s", bytes, start);
	sheet_markdown(s, 0, part);
	if (end[strspn(end, " \n")]) {
		snprintf(part, sizeof part, "%s", end + strspn(end, " \n"));
		capital_options(part);
		sheet_gap(s);
		sheet_markdown(s, 0, part);
	}
}

/* The scene that all parts share, the parts that are done, and the part that is asked now; the head counts
 * them. */
static void write_steps(const struct app *app, const struct session_item *item, struct sheet *s)
{
	const struct variant *v = &item->variant;
	sheet_markdown(s, 0, v->scene);
	for (size_t i = 0; i < v->step; i++) {
		sheet_gap(s);
		drill_part_write(app, s, item, i);
	}
	sheet_gap(s);
	write_question(s, v->steps[v->step].asks);
}

void drill_problem_write(const struct app *app, struct sheet *s, const struct session_item *item)
{
	const struct variant *v = &item->variant;
	if (item->closed && v->n_steps > 1)
		sheet_markdown(s, 0, v->scene);
	else if (v->n_steps > 1)
		write_steps(app, item, s);
	else
		write_question(s, v->prompt);
	if (*v->assumes) {
		char text[600];
		const bool parts = v->n_steps > 1; /* some concern a part that is still to come */
		snprintf(text, sizeof text, "%s: %s.", parts ? "All parts assume" : "Assumes",
			v->assumes);
		sheet_gap(s);
		sheet_text(s, 0, parts ? 2 : 9, text, STYLE_DIM, 0);
	}
	if (item->closed)
		return;
	write_hints(item, s);
	drill_notes_write(app, s);
}

int drill_program_write(const struct app *app, struct sheet *s)
{
	const struct drill_view *d = drill_seen(app);
	const struct session_item *item = drill_view_item(d);
	char text[200], asked[1200];
	sheet_gap(s);
	const bool own = d->program.text && !d->program.as_given;
	int newest = own ? s->rows : 0;
	write_lines(s, code_behind_question(&item->variant, drill_program_text(d)), 40, STYLE_PLAIN,
		code_comment_mark(item->variant.program->program->language));
	if (*d->program.said) {
		sheet_gap(s);
		newest = s->rows;
		sheet_text(s, 0, 0, "It printed:", STYLE_DIM, 0);
		write_lines(s, d->program.said, 6, STYLE_DIM, NULL);
	}
	if (*d->program.why) {
		sheet_gap(s);
		newest = s->rows;
		sheet_text(
			s, 0, 0, consent_text(d->program.why, asked, sizeof asked), STYLE_WARN, 0);
	} else if (d->program.assessing) {
		snprintf(text, sizeof text,
			"There is no %s here to run it: judge it yourself, y or n for each line.",
			d->program.tool);
		sheet_gap(s);
		newest = s->rows;
		sheet_text(s, 0, 0, text, STYLE_WARN, 0);
		write_check_list(item, s);
	}
	if (!d->program.assessing && !*d->program.why) {
		sheet_gap(s);
		sheet_text(s, 0, 0, "Confined, it can read " CONFINE_READS ". Ctrl-C stops it.",
			STYLE_DIM, 0);
	}
	return newest;
}

/* While the keys go elsewhere (to the pad), the line is dim and has no cursor. */
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

/* "within 5 % counts; GB, or no unit": only the rule, since numbers in the unit of the answer, as examples have
 * them, look like the answer. How to answer, where no number is asked, is a sentence already. */
static const char *what_counts(const struct variant *v, char *buf, size_t size)
{
	const struct question *q = &v->question;
	char rule[128];
	if (v->steps[v->step].step->kind != KIND_NUMBER)
		return v->tolerance;
	const bool named = q->shown_unit && *q->shown_unit;
	snprintf(buf, size, "%s%s%s%s%s", tolerance_rule(q, rule, sizeof rule),
		q->tolerance.mode == TOLERANCE_EXACT ? "" : " counts", named ? "; " : "",
		named ? q->shown_unit : "", named ? ", or no unit" : "");
	return buf;
}

/* Of a program that was left: whose it is, and the key to the other one. */
static void write_left(const struct app *app, struct sheet *s)
{
	const struct program_draft *p = &drill_seen(app)->program;
	char day[DATE_WORDS_SIZE], text[160];
	if (!p->left_s)
		return;
	date_words(p->left_s / CALENDAR_DAY_S, app_day(app), day, sizeof day);
	snprintf(text, sizeof text,
		p->as_given ? "This is the program as it was given. u  yours of %s"
			    : "You left this program on %s. u  as it was given",
		day);
	sheet_text(s, 0, 0, text, STYLE_PLAIN, 0);
}

void drill_answer_line_write(const struct app *app, struct sheet *s)
{
	const struct drill_session *session = &drill_seen(app)->session;
	const struct session_item *item = drill_view_item(drill_seen(app));
	const char *error = app->entry.kind == ENTRY_ANSWER ? app->entry.error : "";
	char attempt[48] = "";
	if (item->variant.program && drill_line_kind(drill_seen(app)) == ENTRY_NONE) {
		write_left(app, s);
		sheet_text(s, 0, 0,
			"e  write it in your editor     Enter  run it against the hidden cases",
			STYLE_ACCENT, 0);
		sheet_text(s, 0, 0, item->variant.tolerance, STYLE_DIM, 0);
		return;
	}
	if (item->attempts > 0)
		snprintf(attempt, sizeof attempt, "attempt %u of %u", item->attempts + 1,
			session->max_attempts);
	int row = s->rows, room = s->cv.cols - 2 - (*attempt ? text_width(attempt) + 2 : 0);
	write_line(app, s, room);
	canvas_text_right(&s->cv, row, 0, s->cv.cols, attempt, STYLE_DIM, 0);
	char counts[300];
	const char *expected = *drill_seen(app)->program.why
				       ? "Enter alone: the check list"
				       : what_counts(&item->variant, counts, sizeof counts);
	sheet_text(s, 2, 0, *error ? error : expected, *error ? STYLE_BAD : STYLE_DIM, 0);
}

void drill_open_ways_write(const struct app *app, struct sheet *s, bool headed)
{
	const struct drill_session *session = &drill_seen(app)->session;
	const struct session_item *item = drill_view_item(drill_seen(app));
	const bool number = item->variant.steps[item->variant.step].step->kind == KIND_NUMBER;
	const unsigned left =
		session->max_attempts > item->attempts ? session->max_attempts - item->attempts : 1;
	char text[120];
	if (item->attempts)
		snprintf(text, sizeof text,
			"answers, now for %.0f %% of the credit; %u attempt%s left",
			100 * session_credit(1, item->attempts + 1, item->step_hints), left,
			left == 1 ? "" : "s");
	else
		snprintf(text, sizeof text, "answers; %u attempt%s", left, left == 1 ? "" : "s");
	if (headed)
		sheet_text(s, 0, 0, "What you can do", STYLE_DIM, 0);
	drill_way_write(s, "Enter", text);
	if (item->variant.steps[item->variant.step].step->kind == KIND_CHOICE)
		drill_way_write(s, "Up Down", "choose an option");
	if (session_has_hint(item))
		drill_way_write(s, "Tab",
			item->step_hints ? "another hint" : "a hint, for a tenth of the credit");
	if (number)
		drill_way_write(s, "Ctrl-S", "a scratch pad that works sums out");
	drill_way_write(s, "Ctrl-G", "give up, and see how it goes");
}
