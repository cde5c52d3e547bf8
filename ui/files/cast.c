#include "ui/files/cast.h"

#include "ui/term/ansi.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static void release(struct cast *c)
{
	free(c->text);
	free(c->lines);
	c->text = NULL;
	c->lines = NULL;
	c->n = 0;
}

/* A text in quotes, from cJSON; NULL when out of memory. */
static char *quoted(const char *text)
{
	cJSON *string = cJSON_CreateString(text);
	char *json = string ? cJSON_PrintUnformatted(string) : NULL;
	cJSON_Delete(string);
	return json;
}

/* One event: [time, "o", "data"]. */
static int tell(struct cast *c, const char *kind, const char *data, double at_s)
{
	double time_s = c->form == CAST_V2 ? at_s : at_s - c->told_s;
	char *json = quoted(data);
	if (!json)
		return -1;
	fprintf(c->out, "[%.3f, \"%s\", %s]\n", time_s, kind, json);
	cJSON_free(json);
	c->told_s = at_s;
	return 0;
}

int cast_begin(struct cast *c, FILE *out, enum cast_form form, enum background background,
	const char *title, int rows, int cols)
{
	char *json = quoted(title);
	*c = (struct cast){
		.out = out, .form = form, .background = background, .rows = rows, .cols = cols
	};
	if (!json)
		return -1;
	if (form == CAST_V2)
		fprintf(out, "{\"version\": 2, \"width\": %d, \"height\": %d, \"title\": %s}\n",
			cols, rows, json);
	else
		fprintf(out,
			"{\"version\": 3, \"term\": {\"cols\": %d, \"rows\": %d}, \"title\": %s}\n",
			cols, rows, json);
	cJSON_free(json);
	return 0;
}

/* The lines of the canvas, in place of those of the last frame, which go to *was. */
static int take_lines(struct cast *c, const struct canvas *cv, struct cast *was)
{
	size_t size = 0;
	*was = *c;
	c->text = NULL;
	c->lines = calloc((size_t)cv->rows + 1, sizeof *c->lines);
	c->n = 0;
	FILE *text = open_memstream(&c->text, &size);
	if (text) {
		canvas_write_ansi(cv, DEPTH_RGB, c->background, text);
		fclose(text);
	}
	if (!c->text || !c->lines) {
		release(c);
		return -1;
	}
	for (char *at = c->text; *at && c->n < (size_t)cv->rows;) {
		c->lines[c->n++] = at;
		at += strcspn(at, "\n");
		if (*at)
			*at++ = '\0';
	}
	return 0;
}

/* Line i, empty below the last. */
static const char *line_of(const struct cast *c, size_t i)
{
	return i < c->n ? c->lines[i] : "";
}

/* What leads from one frame to the next. */
static char *rows_that_changed(const struct cast *was, const struct cast *now)
{
	char *text = NULL;
	size_t size, rows = was->n > now->n ? was->n : now->n;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	if (!was->n)
		fputs("\033[?25l\033[2J", out);
	for (size_t i = 0; i < rows; i++) {
		const char *after = line_of(now, i);
		if (strcmp(line_of(was, i), after) != 0)
			fprintf(out, "\033[%zu;1H\033[2K%s", i + 1, after);
	}
	fclose(out);
	return text;
}

/* Another size: everything is drawn anew. */
static int tell_size(struct cast *c, const struct canvas *cv, double at_s)
{
	char size[32];
	if (cv->rows == c->rows && cv->cols == c->cols)
		return 0;
	c->rows = cv->rows;
	c->cols = cv->cols;
	release(c);
	snprintf(size, sizeof size, "%dx%d", cv->cols, cv->rows);
	return tell(c, "r", size, at_s);
}

int cast_frame(struct cast *c, const struct canvas *cv, double at_s)
{
	struct cast was;
	if (tell_size(c, cv, at_s))
		return -1;
	if (take_lines(c, cv, &was)) {
		release(&was);
		return -1;
	}
	char *data = rows_that_changed(&was, c);
	int rc = !data ? -1 : *data ? tell(c, "o", data, at_s) : 0;
	free(data);
	release(&was);
	return rc;
}

int cast_mark(struct cast *c, const char *name, double at_s)
{
	return tell(c, "m", name, at_s);
}

int cast_end(struct cast *c, double at_s)
{
	bool v3 = c->form == CAST_V3;
	release(c);
	return tell(c, v3 ? "x" : "o", v3 ? "0" : "", at_s);
}
