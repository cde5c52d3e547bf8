/* Frames are written as rows that changed since the one before, as a terminal would get them. */
#include "ui/commands/talk_record.h"

#include "ui/screens/present/present_screen.h"
#include "ui/talks/talk_run.h"
#include "ui/term/ansi.h"
#include "ui/term/svg.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The lines of a screen with their colours, in one text. */
struct screen_lines {
	char *text;
	char **lines; /* into it, terminated */
	size_t n;
};

static void release(struct screen_lines *s)
{
	free(s->text);
	free(s->lines);
	*s = (struct screen_lines){ .text = NULL };
}

static int draw(struct app *app, struct canvas *cv, enum fills fills)
{
	if (canvas_init(cv, app->rows, app->cols, app->glyphs))
		return -1;
	cv->fills = fills;
	app_draw(app, cv);
	return 0;
}

static int lines_of(struct app *app, enum background background, struct screen_lines *out)
{
	struct canvas cv;
	size_t size = 0;
	*out = (struct screen_lines){ .text = NULL };
	if (draw(app, &cv, theme_fills(DEPTH_RGB)))
		return -1;
	FILE *text = open_memstream(&out->text, &size);
	if (text) {
		canvas_write_ansi(&cv, DEPTH_RGB, background, text);
		fclose(text);
	}
	canvas_release(&cv);
	out->lines = calloc((size_t)app->rows, sizeof *out->lines);
	if (!out->text || !out->lines) {
		release(out);
		return -1;
	}
	for (char *at = out->text; *at && out->n < (size_t)app->rows;) {
		out->lines[out->n++] = at;
		at += strcspn(at, "\n");
		if (*at)
			*at++ = '\0';
	}
	return 0;
}

/* One event: [time, "o", "data"]. */
static int event(FILE *out, double at_s, const char *kind, const char *data)
{
	cJSON *text = cJSON_CreateString(data);
	char *json = text ? cJSON_PrintUnformatted(text) : NULL;
	if (json)
		fprintf(out, "[%.3f, \"%s\", %s]\n", at_s, kind, json);
	cJSON_free(json);
	cJSON_Delete(text);
	return json ? 0 : -1;
}

static int header(struct app *app, enum cast_form form, const char *title, FILE *out)
{
	cJSON *text = cJSON_CreateString(title);
	char *json = text ? cJSON_PrintUnformatted(text) : NULL;
	if (json && form == CAST_V2)
		fprintf(out, "{\"version\": 2, \"width\": %d, \"height\": %d, \"title\": %s}\n",
			app->cols, app->rows, json);
	else if (json)
		fprintf(out,
			"{\"version\": 3, \"term\": {\"cols\": %d, \"rows\": %d}, \"title\": %s}\n",
			app->cols, app->rows, json);
	cJSON_free(json);
	cJSON_Delete(text);
	return json ? 0 : -1;
}

/* Line i, empty below the last. */
static const char *line_of(const struct screen_lines *s, size_t i)
{
	return i < s->n && s->lines[i] ? s->lines[i] : "";
}

/* What leads from one screen to the next. */
static char *rows_that_changed(const struct screen_lines *was, const struct screen_lines *now)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	if (!was->n)
		fputs("\033[?25l\033[2J", out);
	size_t rows = was->n > now->n ? was->n : now->n;
	for (size_t i = 0; i < rows; i++) {
		const char *after = line_of(now, i);
		if (strcmp(line_of(was, i), after) != 0)
			fprintf(out, "\033[%zu;1H\033[2K%s", i + 1, after);
	}
	fclose(out);
	return text;
}

/* What is being written, and how far it is. */
struct recording {
	FILE *out;
	enum cast_form form;
	enum background background;
	struct screen_lines was;
	double at_s, told_s; /* now; the last event */
};

/* Writes an event at the present moment. */
static int tell(struct recording *r, const char *kind, const char *data)
{
	double time_s = r->form == CAST_V2 ? r->at_s : r->at_s - r->told_s;
	r->told_s = r->at_s;
	return event(r->out, time_s, kind, data);
}

static int tell_screen(struct recording *r, struct app *app)
{
	struct screen_lines now;
	if (lines_of(app, r->background, &now))
		return -1;
	char *data = rows_that_changed(&r->was, &now);
	int rc = !data ? -1 : *data ? tell(r, "o", data) : 0;
	free(data);
	release(&r->was);
	r->was = now;
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
	if (tell(r, "m", t->caption) || tell_screen(r, app))
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
	struct recording r = { .out = out, .form = form, .background = background };
	int rc = header(app, form, tour->title, out);
	for (size_t i = 0; !rc && i < tour->n; i++) {
		present_go(app, i);
		app_settle(app);
		rc = tell_step(&r, app);
	}
	release(&r.was);
	return rc ? rc : tell(&r, form == CAST_V3 ? "x" : "o", form == CAST_V3 ? "0" : "");
}

int talk_picture(struct app *app, const char *folder, size_t step, enum background background)
{
	char path[4096];
	struct canvas cv;
	snprintf(path, sizeof path, "%s/%02zu.svg", folder, step + 1);
	FILE *out = fopen(path, "w");
	if (!out)
		return -1;
	int rc = draw(app, &cv, theme_fills(DEPTH_RGB));
	errno = rc ? ENOMEM : 0;
	const struct talk *t = present_talk(app);
	rc = rc || canvas_write_told_svg(&cv, background, t->caption, t->live.figure.why, out) ? -1
											       : 0;
	canvas_release(&cv);
	return fclose(out) ? -1 : rc;
}
