/* A drill as a screen of the explorer: what its keys do. */
#include "ui/drill_view.h"
#include "ui/screen.h"

#include "ui/bank_load.h"

#include "sims/quantity.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void drill_view_release(struct drill_view *d)
{
	if (d->open) {
		session_release(&d->session);
		bank_release(&d->bank);
	}
	*d = (struct drill_view){ 0 };
}

uint64_t drill_fresh_seed(const struct app *app)
{
	uint64_t fresh = (uint64_t)app_now_s(app) / 60 % 1000000 + 1;
	uint64_t before = app->drill.open ? app->drill.session.seed : 0;
	return before >= fresh ? before + 1 : fresh;
}

/* "memory" or "topic=memory", "mode=sprint", "count=10", "code=...". 0, or -1 and a line in err. */
static int read_words(
	const char *const words[], size_t n, struct drill_request *r, char *err, size_t err_size)
{
	for (size_t i = 0; i < n; i++) {
		char name[32];
		const char *equals = strchr(words[i], '=');
		snprintf(
			name, sizeof name, "%.*s", equals ? (int)(equals - words[i]) : 0, words[i]);
		if (drill_request_set(r, equals ? name : "topic", equals ? equals + 1 : words[i],
			    err, err_size))
			return -1;
	}
	return 0;
}

const struct session_item *drill_view_item(const struct drill_view *d)
{
	if (d->look)
		return &d->session.items[d->look - 1];
	if (d->session.current >= d->session.n)
		return NULL;
	assert(d->session.items);
	return &d->session.items[d->session.current];
}

static void pause_clock(struct app *app, bool paused)
{
	if (paused)
		session_pause(&app->drill.session, app->now_ms);
	else
		session_resume(&app->drill.session, app->now_ms);
}

/* The session that d->request asks for. */
static int begin(
	struct app *app, const struct tables *t, uint64_t fresh_seed, char *err, size_t err_size)
{
	struct drill_view *d = &app->drill;
	struct history h = { 0 };
	struct stats stats = { 0 };
	int rc = 0;
	if (d->request.options.mode == MODE_REVIEW)
		rc = app_history(app, &h, err, err_size) || stats_init(&stats, &h, app_now_s(app));
	if (rc == 0)
		rc = drill_request_complete(
			     &d->request, &d->bank, &stats, fresh_seed, err, err_size) ||
		     session_init(&d->session, &d->bank, t, &d->request.options, err, err_size);
	stats_release(&stats);
	history_release(&h);
	return rc ? -1 : 0;
}

int drill_view_begin(struct app *app, const struct drill_request *r, char *err, size_t err_size)
{
	struct drill_view *d = &app->drill;
	struct drill_request request = *r; /* which may be that of the session before */
	uint64_t fresh_seed = drill_fresh_seed(app);
	const struct tables *t = app_tables(app);
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return -1;
	}
	drill_view_release(d);
	d->open = true;
	d->request = request;
	d->began_s = app_now_s(app);
	if (bank_load(&d->bank, t, err, err_size) || begin(app, t, fresh_seed, err, err_size)) {
		drill_view_release(d);
		return -1;
	}
	if (d->request.attempts)
		d->session.max_attempts = d->request.attempts;
	app->screen = SCREEN_DRILL;
	pause_clock(app, false);
	entry_begin(&app->entry, ENTRY_ANSWER, 0);
	return 0;
}

int drill_view_open(
	struct app *app, const char *const words[], size_t n, char *err, size_t err_size)
{
	struct drill_request request = { 0 };
	if (read_words(words, n, &request, err, err_size))
		return -1;
	return drill_view_begin(app, &request, err, err_size);
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
	const char *mode = mode_names[app->drill.session.mode];
	struct history_event e = history_event_of(item, kind, given, mode, app_now_s(app));
	if (!app->drill.request.forget && app->record && app->record(&e, err, sizeof err))
		app_say(app, "%s", err);
}

void drill_view_answer(struct app *app, const char *text)
{
	struct drill_view *d = &app->drill;
	const struct session_item *item = drill_view_item(d);
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
	const struct session_item *item = drill_view_item(&app->drill);
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
	const struct session_item *item = drill_view_item(&app->drill);
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
	const struct session_item *item = drill_view_item(d);
	if (drill_result_act(app, a))
		return true;
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
	const struct session_item *item = drill_view_item(&app->drill);
	if (!item || item->closed || app->drill.session.paused)
		return -1;
	/* The clock shows whole seconds: wake when the next one begins. */
	int64_t spent_ms = session_spent_ms(&app->drill.session, now_ms);
	return (int)(1000 - spent_ms % 1000);
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	(void)app;
	snprintf(trail, trail_size, "ridge › Drill");
	snprintf(right, size, "%s", "");
}

static bool acts(const struct app *app, enum action a)
{
	const struct session_item *item = drill_view_item(&app->drill);
	bool answered = item && item->closed;
	if (!drill_result_acts(app, a))
		return false;
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
	const struct session_item *item = drill_view_item(&app->drill);
	(void)p;
	if (!app->drill.open)
		return false;
	app->screen = SCREEN_DRILL;
	if (item && !item->closed && app->entry.kind != ENTRY_ANSWER)
		entry_begin(&app->entry, ENTRY_ANSWER, 0);
	return true;
}

extern const struct screen drill_screen;
const struct screen drill_screen = { "a drill", title, drill_view_draw, act, acts, tick,
	drill_result_settle, leave, NULL, restore, NULL };
