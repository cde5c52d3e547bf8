#include "ui/commands/talk_record.h"

#include "ui/commands/talk_svg.h"
#include "ui/screens/present/present_screen.h"
#include "ui/talks/talk_run.h"

#include <errno.h>
#include <math.h>

static int draw(struct app *app, struct canvas *cv)
{
	if (canvas_init(cv, app->rows, app->cols, app->glyphs))
		return -1;
	cv->fills = theme_fills(DEPTH_RGB);
	app_draw(app, cv);
	return 0;
}

/* What is being written, and how far it is. */
struct recording {
	struct cast cast;
	double at_s;
};

static int tell_screen(struct recording *r, struct app *app)
{
	struct canvas cv;
	if (draw(app, &cv))
		return -1;
	int rc = cast_frame(&r->cast, &cv, r->at_s);
	canvas_release(&cv);
	return rc;
}

/* What the step plays by itself, as the terminal shows it: until it stands. */
static int tell_moving(struct recording *r, struct app *app)
{
	for (int wait_ms = 0; wait_ms >= 0;) {
		wait_ms = app_tick(app, 1 + llround(1000 * r->at_s));
		app_settle(app);
		if (tell_screen(r, app))
			return -1;
		r->at_s += wait_ms > 0 ? wait_ms / 1000.0 : 0;
	}
	return 0;
}

static int tell_step(struct recording *r, struct app *app)
{
	const struct talk *t = present_talk(app);
	const struct tour_step *s = talk_step(t);
	present_play(app);
	app_settle(app);
	if (cast_mark(&r->cast, t->caption, r->at_s) || tell_screen(r, app))
		return -1;
	double asked_s = s->n_options ? talk_share(t) * talk_halt_s(s) : 0;
	r->at_s += asked_s;
	if (s->n_options) {
		present_show_answer(app);
		present_play(app);
		app_settle(app);
	}
	if (tell_moving(r, app))
		return -1;
	while (present_play_on(app)) {
		r->at_s += talk_halt_s(s);
		if (tell_moving(r, app))
			return -1;
	}
	r->at_s += talk_halt_s(s) - asked_s;
	return 0;
}

int talk_record(struct app *app, enum cast_form form, enum background background, FILE *out)
{
	const struct tour *tour = &present_talk(app)->tour;
	struct recording r = { .at_s = 0 };
	int rc = cast_begin(&r.cast, out, form, background, tour->title, app->rows, app->cols);
	for (size_t i = 0; !rc && i < tour->n; i++) {
		present_go(app, i);
		app_settle(app);
		rc = tell_step(&r, app);
	}
	return cast_end(&r.cast, r.at_s) || rc ? -1 : 0;
}

int talk_picture(struct app *app, const char *folder, size_t step, enum background background)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%02zu.svg", folder, step + 1);
	FILE *out = fopen(path, "w");
	if (!out)
		return -1;
	int rc = talk_svg(app, background, false, out);
	if (rc)
		errno = ENOMEM;
	return fclose(out) ? -1 : rc;
}
