/* An app without a terminal takes the keys and settles after each one; then its canvas is printed.
 * The clock stands at 0, so nothing moves by itself. */
#include "ui/commands/cmd_frame.h"

#include "sims/base/utf8.h"
#include "ui/term/ansi.h"
#include "ui/term/environment.h"
#include "ui/term/keys.h"
#include "ui/term/svg.h"
#include "ui/shell/app.h"
#include "ui/screens/screens.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "l l Tab Down*3 text:4096 Enter": the keys, one after another, each settled as in life. */
static int press(struct app *app, const char *word, const struct streams *io)
{
	char name[64];
	int times = 1;
	if (strncmp(word, "text:", 5) == 0) {
		for (const char *p = word + 5; *p;)
			app_key(app, utf8_next(&p), 0);
		return 0;
	}
	snprintf(name, sizeof name, "%s", word);
	char *star = strlen(name) > 1 ? strrchr(name, '*') : NULL;
	if (star && star > name && atoi(star + 1) > 0) {
		times = atoi(star + 1) < 10000 ? atoi(star + 1) : 10000;
		*star = '\0';
	}
	uint32_t key = key_from_name(name);
	if (key == KEY_NONE_)
		return usage_error(io, COMMAND_FRAME,
			"--keys: no key \"%.40s\" (Tab Enter Esc Up Ctrl-L text:42 Down*3 ...)",
			word);
	for (int i = 0; i < times; i++) {
		app_key(app, key, 0);
		app_settle(app);
	}
	return 0;
}

/* How the screen is written: as text, as text with colours, or as a picture. */
struct look {
	bool svg, colour;
	enum background background;
};

static struct look look_of(const struct command_line *line)
{
	return (struct look){ option_says_yes(line, OPTION_SVG), option_wants_colour(line),
		(enum background)line->values[OPTION_BACKGROUND].number };
}

static int out_of_memory(const struct streams *io)
{
	fprintf(io->err, "ridge frame: out of memory\n");
	return 1;
}

/* In words: where this is, and what the figure in hand says. */
static int write_picture(
	const struct app *app, const struct canvas *cv, enum background background, FILE *out)
{
	char trail[512] = "", right[512] = "";
	const struct live *s = app_live(app);
	app_screen(app)->title(app, trail, sizeof trail, right, sizeof right);
	return canvas_write_told_svg(cv, background, trail, s ? s->figure.why : NULL, out);
}

static int show(struct app *app, const struct look *look, const struct streams *io)
{
	int rc = 0;
	struct canvas cv;
	if (canvas_init(&cv, app->rows, app->cols, app->glyphs))
		return out_of_memory(io);
	cv.fills = look->svg      ? theme_fills(DEPTH_RGB)
		   : look->colour ? theme_fills(DEPTH_256)
				  : FILLS_TEXTURED;
	app_draw(app, &cv);
	if (look->svg)
		rc = write_picture(app, &cv, look->background, io->out);
	else if (look->colour)
		canvas_write_ansi(&cv, DEPTH_256, look->background, io->out);
	else
		canvas_write_text(&cv, io->out);
	rc |= cv.starved ? -1 : 0;
	canvas_release(&cv);
	return rc ? out_of_memory(io) : fflush(io->out) ? 1 : 0;
}

static int run(struct app *app, const struct command_line *line, const struct streams *io)
{
	const char *asked = line->values[OPTION_KEYS].text;
	char err[320], keys[4096], *rest = NULL;
	if (line->n_words &&
		app_open(app, line->words[0], line->words + 1, line->n_words - 1, err, sizeof err))
		return usage_error(io, COMMAND_FRAME, "%s", err);
	app_settle(app);
	if (strstr(app->message, "out of memory"))
		return out_of_memory(io);
	snprintf(keys, sizeof keys, "%s", asked ? asked : "");
	for (char *w = strtok_r(keys, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
		int rc = press(app, w, io);
		if (rc)
			return rc;
		app_settle(app);
		/* What a key says of it is gone with the next. */
		if (errno == ENOMEM || strstr(app->message, "out of memory"))
			return out_of_memory(io);
	}
	const struct look look = look_of(line);
	return show(app, &look, io);
}

int cmd_frame(const struct command_line *line, const struct streams *io)
{
	const struct option_value *size = &line->values[OPTION_SIZE];
	const int rows = size->at ? size->rows : 24, cols = size->at ? size->cols : 80;
	/* A picture draws every glyph itself, whatever the locale has. */
	bool own = option_says_yes(line, OPTION_SVG) && !line->values[OPTION_GLYPHS].at;
	struct app app;
	if (app_init(&app, screens, rows, cols, own ? GLYPHS_BRAILLE : environment_glyphs()))
		return out_of_memory(io);
	int rc = run(&app, line, io);
	app_release(&app);
	return rc;
}
