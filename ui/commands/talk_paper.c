#include "ui/commands/talk_paper.h"

#include "ui/screens/present/present_screen.h"
#include "ui/term/svg.h"
#include "ui/views/figure_view.h"
#include "ui/views/quantity_show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAPER_COLS = 78, PAPER_ROWS = 20 };

/* --- Markdown --- */

static int figure_text_of(const struct talk *t, FILE *out)
{
	const struct block *part = talk_part(t);
	struct canvas cv;
	if (!part)
		return 0;
	struct block *blocks[] = { NULL };
	for (size_t i = 0; i < t->live.figure.n_blocks; i++)
		if (t->live.figure.blocks[i] == part)
			blocks[0] = t->live.figure.blocks[i];
	struct figure one = t->live.figure;
	one.blocks = blocks;
	one.n_blocks = 1;
	int wanted = figure_rows(&one, PAPER_COLS);
	if (canvas_init(&cv, wanted < PAPER_ROWS ? wanted : PAPER_ROWS, PAPER_COLS, GLYPHS_BRAILLE))
		return -1;
	struct figure_state state = { .playhead_s = NAN };
	figure_draw(&cv, (struct rect){ 0, 0, cv.rows, cv.cols }, &one, &state);
	fputs("```text\n", out);
	canvas_write_text(&cv, out);
	fputs("```\n\n", out);
	canvas_release(&cv);
	return 0;
}

static void value_text(const struct talk *t, const struct value *v, FILE *out)
{
	char number[64], was[64];
	const struct value *before =
		v && t->live.has_pin ? figure_find(&t->live.pinned, v->id) : NULL;
	if (!v)
		return;
	fprintf(out, "- %s: **%s**", v->label,
		quantity_show(number, sizeof number, v->value, v->unit));
	if (before && before->value != v->value)
		fprintf(out, ", was %s",
			quantity_show(was, sizeof was, before->value, before->unit));
	fputc('\n', out);
}

static void options_text(const struct talk *t, FILE *out)
{
	const struct tour_step *s = talk_step(t);
	struct tour_scene scene = talk_scene(t);
	for (size_t i = 0; i < s->n_options; i++) {
		char text[400], err[300];
		tour_caption(&scene, s->options[i].text, text, sizeof text, err, sizeof err);
		fprintf(out, "- [%c] %s\n", s->options[i].right ? 'x' : ' ', text);
	}
	if (s->n_options)
		fputc('\n', out);
}

static void quote(const char *text, FILE *out)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		fprintf(out, "> %.*s\n", (int)n, text);
		text += n + (text[n] == '\n');
		if (*text)
			fputs(">\n", out);
	}
	fputc('\n', out);
}

static int step_text(const struct talk *t, FILE *out)
{
	const struct tour_step *s = talk_step(t);
	fprintf(out, "## %s\n\n", t->caption);
	options_text(t, out);
	if (t->live.sim) {
		if (figure_text_of(t, out))
			return -1;
		value_text(t, talk_hero(t), out);
		for (size_t i = 0; i < s->n_also; i++)
			value_text(t, figure_find(&t->live.figure, s->also[i]), out);
		fputc('\n', out);
	}
	if (*s->handout)
		fprintf(out, "%s\n\n", s->handout);
	if (*s->notes)
		quote(s->notes, out);
	if (*s->target)
		fprintf(out, "`ridge open %s`\n\n", s->target);
	return 0;
}

int talk_markdown(struct app *app, FILE *out)
{
	const struct talk *t = present_talk(app);
	fprintf(out, "# %s\n\n", t->tour.title);
	for (size_t i = 0; i < t->tour.n; i++) {
		present_go(app, i);
		app_settle(app);
		if (step_text(t, out))
			return -1;
	}
	return 0;
}

/* --- HTML --- */

static const char page_head[] =
	"<meta name=\"viewport\" content=\"width=device-width\">\n"
	"<style>\n"
	"body { margin: 0 auto; max-width: 70rem; padding: 1rem; font: 1rem/1.5 system-ui, "
	"sans-serif; background: %s; color: %s }\n"
	"section { display: none } section.now { display: block }\n"
	"svg { width: 100%%; height: auto; display: block }\n"
	"h2 { position: absolute; clip-path: inset(50%%); width: 1px; height: 1px } footer { "
	"opacity: .7 }\n"
	"@media print { section { display: block; break-inside: avoid } footer { display: none }\n"
	"section:nth-of-type(even) { break-after: page } }\n"
	"</style>\n";

static const char page_foot[] =
	"<footer>n, space or a tap: next. p: back.</footer>\n"
	"<script>\n"
	"const steps = [...document.querySelectorAll('section')];\n"
	"let at = Math.max(0, Math.min(steps.length, parseInt(location.hash.slice(1)) || 1) - 1);\n"
	"function show(i) {\n"
	"  at = Math.max(0, Math.min(steps.length - 1, i));\n"
	"  steps.forEach((s, k) => s.classList.toggle('now', k === at));\n"
	"  history.replaceState(null, '', '#' + (at + 1));\n"
	"}\n"
	"addEventListener('keydown', e => {\n"
	"  if (['n', ' ', 'ArrowRight', 'PageDown', 'Enter'].includes(e.key)) show(at + 1);\n"
	"  else if (['p', 'ArrowLeft', 'PageUp'].includes(e.key)) show(at - 1);\n"
	"  else return;\n"
	"  e.preventDefault();\n"
	"});\n"
	"addEventListener('click', e => show(at + (e.clientX < innerWidth / 3 ? -1 : 1)));\n"
	"show(at);\n"
	"</script>\n";

static void escaped(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '\n')
			fputs("</p><p>", out);
		else
			fputc(*text, out);
	}
}

static int picture(struct app *app, enum background background, FILE *out)
{
	struct canvas cv;
	if (canvas_init(&cv, app->rows, app->cols, app->glyphs))
		return -1;
	cv.fills = theme_fills(DEPTH_RGB);
	app_draw(app, &cv);
	const struct talk *t = present_talk(app);
	int rc = canvas_write_told_svg(&cv, background, t->caption, t->live.figure.why, out);
	canvas_release(&cv);
	return rc;
}

int talk_html(struct app *app, enum background background, FILE *out)
{
	const struct talk *t = present_talk(app);
	bool light = background == BACKGROUND_LIGHT;
	fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>", out);
	escaped(t->tour.title, out);
	fputs("</title>\n", out);
	fprintf(out, page_head, light ? "#fff" : "#111", light ? "#111" : "#eee");
	for (size_t i = 0; i < t->tour.n; i++) {
		present_go(app, i);
		app_settle(app);
		present_show_answer(app);
		fputs("<section>\n<h2>", out);
		escaped(t->caption, out);
		fputs("</h2>\n", out);
		if (picture(app, background, out))
			return -1;
		fputs("<p>", out);
		escaped(talk_step(t)->notes, out);
		fputs("</p>\n</section>\n", out);
	}
	fputs(page_foot, out);
	return 0;
}
