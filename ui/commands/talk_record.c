/* Frames are written as rows that changed since the one before, as a terminal would get them. */
#include "ui/commands/talk_record.h"

#include "ui/screens/present/present_screen.h"
#include "ui/term/ansi.h"
#include "ui/term/svg.h"

#include <cjson/cJSON.h>
#include <errno.h>
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
		const char *before = i < was->n ? was->lines[i] : "";
		const char *after = i < now->n ? now->lines[i] : "";
		if (!was->n ? *after != '\0' : strcmp(before, after) != 0)
			fprintf(out, "\033[%zu;1H\033[2K%s", i + 1, after);
	}
	fclose(out);
	return text;
}

int talk_record(struct app *app, enum cast_form form, enum background background, FILE *out)
{
	const struct talk *t = present_talk(app);
	struct screen_lines was = { .text = NULL }, now;
	double at_s = 0, since_s = 0;
	int rc = header(app, form, t->tour.title, out);
	for (size_t i = 0; !rc; i++) {
		double time_s = form == CAST_V2 ? at_s : since_s;
		char *data = NULL;
		if (lines_of(app, background, &now))
			rc = -1;
		else
			data = rows_that_changed(&was, &now);
		rc = rc || !data || event(out, time_s, "m", t->caption) ||
				     event(out, form == CAST_V2 ? at_s : 0, "o", data)
			     ? -1
			     : 0;
		free(data);
		release(&was);
		was = now;
		since_s = talk_step(t)->seconds;
		at_s += since_s;
		if (t->at + 1 >= t->tour.n)
			break;
		present_go(app, t->at + 1);
		app_settle(app);
		present_show_answer(app);
	}
	release(&was);
	if (!rc && form == CAST_V3)
		fprintf(out, "[%.3f, \"x\", \"0\"]\n", since_s);
	else if (!rc)
		rc = event(out, at_s, "o", "");
	return rc;
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
	rc = rc || canvas_write_svg(&cv, background, out) ? -1 : 0;
	canvas_release(&cv);
	return fclose(out) ? -1 : rc;
}
