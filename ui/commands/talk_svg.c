#include "ui/commands/talk_svg.h"

#include "ui/screens/present/present_screen.h"
#include "ui/term/svg.h"

#include <stdlib.h>

/* "A: a fifth longer. B: three times as long." From malloc; NULL: out of memory. */
static char *answers_of(const struct talk *t)
{
	const struct tour_step *s = talk_step(t);
	const struct tour_scene scene = talk_scene(t);
	char *text = NULL, answer[400], err[300];
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (size_t i = 0; i < s->n_options; i++) {
		tour_caption(&scene, s->options[i].text, answer, sizeof answer, err, sizeof err);
		fprintf(out, "%s%c: %s.", i ? " " : "", (char)('A' + i), answer);
	}
	fclose(out);
	return text;
}

/* Of a step that asks nothing now; never NULL. */
static const char *told(const struct talk *t)
{
	const struct tour_step *s = talk_step(t);
	if (t->live.sim && t->live.figure.why)
		return t->live.figure.why;
	return *s->handout ? s->handout : *s->notes ? s->notes : t->tour.title;
}

static bool is_empty(const struct canvas *cv, int row)
{
	for (int i = 0; i < cv->cols; i++) {
		const struct cell *c = &cv->cells[row * cv->cols + i];
		if ((c->code && c->code != ' ') || c->under != STYLE_PLAIN || c->attr)
			return false;
	}
	return true;
}

int talk_svg(struct app *app, enum background background, bool cropped, FILE *out)
{
	const struct talk *t = present_talk(app);
	const bool asks = talk_step(t)->n_options && !t->answered;
	char *answers = asks ? answers_of(t) : NULL;
	struct canvas cv;
	if ((asks && !answers) || canvas_init(&cv, app->rows, app->cols, app->glyphs)) {
		free(answers);
		return -1;
	}
	cv.fills = theme_fills(DEPTH_RGB);
	app_draw(app, &cv);
	struct canvas shown = cv;
	while (cropped && shown.rows > 1 && is_empty(&cv, shown.rows - 1))
		shown.rows--;
	int rc = canvas_write_told_svg(
		&shown, background, t->caption, answers ? answers : told(t), out);
	canvas_release(&cv);
	free(answers);
	return rc;
}
