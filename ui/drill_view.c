/* A drill on the screen: the problem, the answer line, the clock; then the verdict, the working,
 * and the way to the simulation and the page. Until an answer is graded nothing here knows the key.
 */
#include "ui/screen.h"

#include "ui/bank_load.h"
#include "ui/layout.h"
#include "ui/page.h"
#include "ui/paragraph.h"

#include "sims/quantity.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PROBLEMS = 5, MEASURE = 76 };

void drill_view_release(struct drill_view *d)
{
	if (d->open) {
		session_release(&d->session);
		bank_release(&d->bank);
	}
	*d = (struct drill_view){ 0 };
}

/* The same minute gives the same set, which is fresh enough; the seed is shown, for the same set
 * again: ridge drill --seed N. */
static uint64_t fresh_seed(const struct app *app)
{
	return (app->epoch_s + (uint64_t)app->now_ms / 1000) / 60 % 1000000 + 1;
}

/* "memory" or "topic=memory", "count=10", "seed=7". 0, or -1 and a line in err. */
static int read_words(
	const char *const words[], size_t n, struct session_options *o, char *err, size_t err_size)
{
	for (size_t i = 0; i < n; i++) {
		const char *equals = strchr(words[i], '='), *value = equals ? equals + 1 : words[i];
		double number = 0;
		bool counts = strncmp(words[i], "count=", 6) == 0;
		bool seeds = strncmp(words[i], "seed=", 5) == 0;
		if (!equals || strncmp(words[i], "topic=", 6) == 0) {
			o->topic = value;
			continue;
		}
		if (!counts && !seeds) {
			snprintf(err, err_size,
				"drill: expected topic=, count= or seed=, found \"%.40s\"",
				words[i]);
			return -1;
		}
		if (quantity_read(value, "", &number, err, err_size))
			return -1;
		if (number != floor(number) || number < counts || number > (counts ? 200 : 1e15)) {
			snprintf(err, err_size, "drill: %.40s: expected a whole number%s", words[i],
				counts ? " from 1 to 200" : "");
			return -1;
		}
		if (counts)
			o->count = (size_t)number;
		else
			o->seed = (uint64_t)number;
	}
	return 0;
}

static void pause_clock(struct app *app, bool paused)
{
	if (paused)
		session_pause(&app->drill.session, app->now_ms);
	else
		session_resume(&app->drill.session, app->now_ms);
}

int drill_view_open(
	struct app *app, const char *const words[], size_t n, char *err, size_t err_size)
{
	struct drill_view *d = &app->drill;
	const struct tables *t = app_tables(app);
	struct session_options o = { .topic = "", .count = PROBLEMS, .seed = fresh_seed(app) };
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return -1;
	}
	if (read_words(words, n, &o, err, err_size))
		return -1;
	drill_view_release(d);
	d->open = true;
	if (bank_load(&d->bank, t, err, err_size) ||
		session_init(&d->session, &d->bank, t, &o, err, err_size)) {
		drill_view_release(d);
		return -1;
	}
	app->screen = SCREEN_DRILL;
	pause_clock(app, false);
	entry_begin(&app->entry, ENTRY_ANSWER, 0);
	return 0;
}

static const struct session_item *current(const struct drill_view *d)
{
	if (d->session.current >= d->session.n)
		return NULL;
	assert(d->session.items);
	return &d->session.items[d->session.current];
}

static void next(struct app *app)
{
	struct drill_view *d = &app->drill;
	d->scroll = 0;
	if (session_next(&d->session, app->now_ms))
		entry_begin(&app->entry, ENTRY_ANSWER, 0);
	else
		app->entry = (struct entry){ 0 };
}

/* A history that cannot be written costs a message, never the session. */
static void record(
	struct app *app, const struct session_item *item, enum history_kind kind, const char *given)
{
	char err[256];
	int64_t at_s = (int64_t)app->epoch_s + (app->now_ms - app->started_ms) / 1000;
	struct history_event e = history_event_of(item, kind, given, "set", at_s);
	if (app->record && app->record(&e, err, sizeof err))
		app_say(app, "%s", err);
}

void drill_view_answer(struct app *app, const char *text)
{
	struct drill_view *d = &app->drill;
	const struct session_item *item = current(d);
	if (!item)
		return;
	if (d->session.paused) {
		pause_clock(app, false);
		return;
	}
	session_answer(&d->session, text, app->now_ms);
	record(app, item, HISTORY_ANSWER, text);
	if (item->closed)
		app->entry = (struct entry){ 0 };
	else
		app->entry.cursor = app->entry.bytes; /* what was typed stays, to be mended */
}

/* The formula with the problem's own numbers: nothing else shows all of them for every drill. */
static bool formula_target(const struct variant *v, char *target, size_t size)
{
	const struct variant_step *step = variant_formula_step(v);
	const struct formula *f = step ? step->step->key.formula : NULL;
	if (!f)
		return false;
	int used = snprintf(target, size, "formula:%s", f->id);
	for (size_t i = 0; i < f->n_params && used > 0 && (size_t)used < size; i++)
		used += snprintf(target + used, size - (size_t)used, " %s=%.17g", f->params[i].name,
			step->args[i]);
	return true;
}

/* The problem's own numbers with every parameter a knob; what has no formula, its simulation. */
static void open_numbers(struct app *app, bool subject)
{
	const struct session_item *item = current(&app->drill);
	char err[256], target[1024];
	if (!item || !item->closed)
		return;
	bool formula = !subject && formula_target(&item->variant, target, sizeof target);
	if (!formula && !item->variant.sim)
		return;
	if (!formula)
		snprintf(target, sizeof target, "sim:%s", item->variant.sim);
	if (app_open_target(app, target, err, sizeof err))
		app_say(app, "%s", err);
}

static void open_paragraph(struct app *app)
{
	const struct session_item *item = current(&app->drill);
	char err[256], target[600], *dot;
	if (!item || !item->closed || !item->variant.page)
		return;
	const char *base = strrchr(item->variant.page, '/');
	snprintf(target, sizeof target, "page:%s", base ? base + 1 : item->variant.page);
	if ((dot = strstr(target, ".md")))
		memmove(dot, dot + 3, strlen(dot + 3) + 1);
	if (app_open_target(app, target, err, sizeof err))
		app_say(app, "%s", err);
}

static bool act(struct app *app, enum action a)
{
	struct drill_view *d = &app->drill;
	const struct session_item *item = current(d);
	switch (a) {
	case ACT_HINT:
		if (item && !d->session.paused && !session_hint(&d->session))
			app_say(app, "There is no further hint.");
		break;
	case ACT_PAUSE:
		pause_clock(app, !d->session.paused);
		break;
	case ACT_GIVE_UP:
		if (!item || item->closed)
			break;
		session_give_up(&d->session, app->now_ms);
		record(app, item, HISTORY_GAVE_UP, "");
		app->entry = (struct entry){ 0 };
		break;
	case ACT_SKIP:
	case ACT_ENTER:
		if (!item)
			return app_do(app, ACT_BACK), true;
		if (item->closed)
			next(app);
		break;
	case ACT_SIMULATE:
		open_numbers(app, false);
		break;
	case ACT_SUBJECT:
		open_numbers(app, true);
		break;
	case ACT_OPEN_PAGE:
		open_paragraph(app);
		break;
	case ACT_PAGE_UP:
		d->scroll -= d->scroll > 0;
		break;
	case ACT_PAGE_DOWN:
		d->scroll++;
		break;
	case ACT_BACK:
		pause_clock(app, true);
		app->entry = (struct entry){ 0 };
		return false;
	default:
		return false;
	}
	return true;
}

static int tick(struct app *app, int64_t now_ms)
{
	const struct session_item *item = current(&app->drill);
	if (!item || item->closed || app->drill.session.paused)
		return -1;
	/* The clock shows whole seconds: wake when the next one begins. */
	int64_t spent_ms = session_spent_ms(&app->drill.session, now_ms);
	return (int)(1000 - spent_ms % 1000);
}

static void clock_text(int64_t ms, char *buf, size_t size)
{
	snprintf(buf, size, "%d:%02d", (int)(ms / 60000), (int)(ms / 1000 % 60));
}

static void draw_clock(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct drill_session *s = &app->drill.session;
	const struct session_item *item = current(&app->drill);
	char spent[32], par[32], text[96];
	enum timer_state state = session_timer(s, app->now_ms);
	clock_text(session_spent_ms(s, app->now_ms), spent, sizeof spent);
	clock_text((int64_t)(item->variant.drill->par_s * 1000), par, sizeof par);
	const char *word = s->paused ? "PAUSED  " : state == TIMER_OK ? "" : timer_names[state];
	snprintf(text, sizeof text, "%s%s%s, par %s", word, *word && !s->paused ? "  " : "", spent,
		par);
	canvas_text_right(cv, r.row, r.col, r.cols, text,
		state == TIMER_OK     ? STYLE_DIM
		: state == TIMER_OVER ? STYLE_BAD
				      : STYLE_WARN,
		0);
	snprintf(text, sizeof text, "%zu of %zu  %s", s->current + 1, s->n,
		item->variant.drill->title);
	canvas_text(cv, r.row, r.col, r.cols - 26, text, STYLE_DIM, 0);
}

/* Markdown, laid out and drawn; returns the rows. */
static int draw_markdown(struct canvas *cv, struct rect r, const char *text)
{
	struct page p = { 0 };
	int rows = 0;
	struct page_env env = { .ascii = cv->glyphs == GLYPHS_ASCII };
	if (r.rows > 0 &&
		page_layout(&p, text, strlen(text), r.cols < 20 ? 20 : r.cols, &env) == 0) {
		page_draw(cv, r, &p, 0, NULL, -1, -1);
		rows = (int)p.n_lines < r.rows ? (int)p.n_lines : r.rows;
	}
	page_release(&p);
	return rows;
}

static int draw_hints(struct canvas *cv, struct rect r, const struct session_item *item)
{
	int row = 0;
	for (unsigned i = 0; i < item->hints && i < 2; i++) {
		char text[512];
		snprintf(text, sizeof text, "Hint: %s", item->variant.hints[i]);
		row += paragraph_draw(cv, (struct rect){ r.row + row, r.col, r.rows - row, r.cols },
			text, STYLE_ACCENT, 0);
	}
	return row;
}

static int draw_answer_line(
	const struct app *app, struct canvas *cv, struct rect r, const struct session_item *item)
{
	const struct entry *e = &app->entry;
	canvas_text(cv, r.row, r.col, 2, "▸", STYLE_ACCENT, ATTR_BOLD);
	if (e->kind == ENTRY_ANSWER)
		entry_draw(e, cv, r.row, r.col + 2, r.cols - 2, ATTR_BOLD);
	paragraph_draw(cv, (struct rect){ r.row + 1, r.col + 2, 2, r.cols - 2 },
		e->error[0] ? e->error : item->variant.tolerance,
		e->error[0] ? STYLE_BAD : STYLE_DIM, 0);
	return 3;
}

static enum style verdict_style(enum verdict v)
{
	return v == VERDICT_CORRECT                                                  ? STYLE_GOOD
	       : v == VERDICT_INVALID || v == VERDICT_NEED_UNIT || v == VERDICT_NEAR ? STYLE_WARN
										     : STYLE_BAD;
}

static int draw_verdict(
	struct canvas *cv, struct rect r, const struct session_item *item, unsigned max_attempts)
{
	const struct grade *g = &item->grade;
	char text[800];
	enum style style = verdict_style(g->verdict);
	if (!item->answered)
		return 0;
	const char *words = verdict_words[g->verdict];
	snprintf(text, sizeof text, "%s %s.%s%s", g->verdict == VERDICT_CORRECT ? "✓" : "✗", words,
		g->understood[0] ? " Read as " : "", g->understood);
	int row = paragraph_draw(cv, r, text, style, ATTR_BOLD);
	if (!item->closed && item->attempts > 0) {
		snprintf(text, sizeof text, "Attempt %u of %u.", item->attempts + 1, max_attempts);
		row += paragraph_draw(cv, (struct rect){ r.row + row, r.col + 2, 1, r.cols - 2 },
			text, STYLE_DIM, 0);
	}
	if (g->remark[0])
		row += paragraph_draw(cv, (struct rect){ r.row + row, r.col + 2, 3, r.cols - 2 },
			g->remark, STYLE_PLAIN, 0);
	return row;
}

static int draw_solution(struct canvas *cv, struct rect r, const struct session_item *item)
{
	const struct variant *v = &item->variant;
	int row = 1 + paragraph_draw(cv, r, v->working, STYLE_PLAIN, ATTR_BOLD);
	struct rect rest = { r.row + row, r.col, r.rows - row, r.cols };
	char text[800];
	if (v->follow_up) {
		snprintf(text, sizeof text, "An interviewer would go on: %s", v->follow_up);
		row += 1 + paragraph_draw(cv, rest, text, STYLE_DIM, 0);
	}
	if (row < r.rows)
		canvas_text(cv, r.row + row, r.col, r.cols,
			v->sim ? "g  turn these numbers    s  the simulation    p  the page    "
				 "Enter  next"
			       : "g  turn these numbers    p  the page    Enter  next",
			STYLE_ACCENT, 0);
	return row + 1;
}

static void draw_result(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct drill_session *s = &app->drill.session;
	struct session_score score = session_score(s);
	char time[32], text[200];
	clock_text(score.spent_ms, time, sizeof time);
	canvas_text(cv, r.row, r.col, r.cols, "Done", STYLE_ACCENT, ATTR_BOLD);
	snprintf(text, sizeof text,
		"%zu of %zu correct, %zu of them within par. Credit %.2f. Time %s.", score.correct,
		score.n, score.within_par, score.credit, time);
	canvas_text(cv, r.row + 2, r.col, r.cols, text, STYLE_PLAIN, ATTR_BOLD);
	for (size_t i = 0; i < s->n && (int)i + 6 < r.rows; i++) {
		const struct session_item *item = &s->items[i];
		bool right = session_item_right(item);
		int row = r.row + 4 + (int)i;
		clock_text(item->spent_ms, time, sizeof time);
		canvas_text(
			cv, row, r.col, 2, right ? "✓" : "✗", right ? STYLE_GOOD : STYLE_BAD, 0);
		canvas_text(cv, row, r.col + 2, 34, item->variant.drill->title, STYLE_PLAIN, 0);
		canvas_text_right(cv, row, r.col + 36, 6, time, STYLE_DIM, 0);
		canvas_text(cv, row, r.col + 44, r.cols - 44,
			item->answered && !right ? item->grade.cause : "", STYLE_DIM, 0);
	}
	canvas_printf(cv, r.row + r.rows - 1, r.col, r.cols, STYLE_DIM, 0,
		"Enter leaves. The same set again: ridge drill --seed %llu",
		(unsigned long long)s->seed);
}

static void draw(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct drill_view *d = &app->drill;
	const struct session_item *item = current(d);
	struct rect column = text_column(r, MEASURE);
	column.row++;
	column.rows--;
	if (!item) {
		draw_result(app, cv, column);
		return;
	}
	draw_clock(app, cv, column);
	if (d->session.paused && !item->closed) {
		canvas_text(cv, column.row + 3, column.col, column.cols,
			"Paused: the clock stands and the problem is hidden. Ctrl-P goes on.",
			STYLE_PLAIN, 0);
		return;
	}
	int row = 2 - (int)d->scroll;
	struct rect at = { column.row + row, column.col, column.rows - row, column.cols };
	int used = 1 + draw_markdown(cv, at, item->variant.prompt);
	if (item->variant.assumes)
		used += 1 + paragraph_draw(cv,
				    (struct rect){ at.row + used, at.col, at.rows - used, at.cols },
				    item->variant.assumes, STYLE_DIM, 0);
	used += draw_hints(
		cv, (struct rect){ at.row + used, at.col, at.rows - used, at.cols }, item);
	if (!item->closed)
		used += 1 + draw_answer_line(app, cv,
				    (struct rect){ at.row + used, at.col, at.rows - used, at.cols },
				    item);
	used += draw_verdict(cv, (struct rect){ at.row + used, at.col, at.rows - used, at.cols },
		item, d->session.max_attempts);
	if (item->closed)
		draw_solution(cv,
			(struct rect){ at.row + used + 1, at.col, at.rows - used - 1, at.cols },
			item);
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	(void)app;
	snprintf(trail, trail_size, "ridge › Drill");
	snprintf(right, size, "%s", "");
}

static bool acts(const struct app *app, enum action a)
{
	const struct session_item *item = current(&app->drill);
	bool answered = item && item->closed;
	switch (a) {
	case ACT_HINT:
	case ACT_PAUSE:
	case ACT_GIVE_UP:
		return item && !answered;
	case ACT_SIMULATE:
	case ACT_OPEN_PAGE:
		return answered;
	case ACT_SUBJECT:
		return answered && item->variant.sim;
	default:
		return true;
	}
}

static void leave(struct app *app)
{
	pause_clock(app, true);
}

/* After having been elsewhere: the answer line is there again. */
static bool restore(struct app *app, const struct place *p)
{
	const struct session_item *item = current(&app->drill);
	(void)p;
	if (!app->drill.open)
		return false;
	app->screen = SCREEN_DRILL;
	if (item && !item->closed && app->entry.kind != ENTRY_ANSWER)
		entry_begin(&app->entry, ENTRY_ANSWER, 0);
	return true;
}

extern const struct screen drill_screen;
const struct screen drill_screen = { "a drill", title, draw, act, acts, tick, NULL, leave, NULL,
	restore, NULL };
