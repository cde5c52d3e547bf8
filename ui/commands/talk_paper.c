#include "ui/commands/talk_paper.h"

#include "ui/commands/talk_svg.h"
#include "ui/screens/present/present_screen.h"
#include "ui/term/svg.h"
#include "ui/views/figure_view.h"
#include "ui/views/quantity_show.h"

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
	struct block shown, *blocks[] = { &shown };
	void *spans = talk_shown(t, part, &shown);
	int rc = -1;
	struct figure one = t->live.figure;
	one.blocks = blocks;
	one.n_blocks = 1;
	int wanted = figure_rows(&one, PAPER_COLS);
	if (canvas_init(&cv, wanted < PAPER_ROWS ? wanted : PAPER_ROWS, PAPER_COLS, GLYPHS_BRAILLE))
		goto done;
	struct figure_state state = { .playhead_s = t->live.playhead_s, .named = true };
	figure_draw(&cv, (struct rect){ 0, 0, cv.rows, cv.cols }, &one, &state);
	fputs("```text\n", out);
	canvas_write_text(&cv, out);
	fputs("```\n\n", out);
	rc = cv.starved ? -1 : 0;
	canvas_release(&cv);
done:
	free(spans);
	return rc;
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

/* On the screen all pictures have the height of the first, so that the notes stay where they are. In
 * print they follow each other, as many on a page as fit, and a question has its answer. Without
 * scripts they do so on the screen too. */
static const char page_style[] =
	"<meta name=\"viewport\" content=\"width=device-width\">\n"
	"<style>\n"
	":root { color-scheme: %s }\n"
	"body { margin: 0 auto; max-width: min(70rem, 128vh); padding: 1rem; "
	"font: 1rem/1.5 system-ui, sans-serif; background: #%06x; color: #%06x }\n"
	"figure { margin: 0 } svg { width: 100%%; height: auto; display: block }\n"
	".said { position: absolute; clip-path: inset(50%%); width: 1px; height: 1px; "
	"overflow: hidden }\n"
	"section p { margin: .5rem 1rem; max-width: 72ch } footer { margin: 1rem; opacity: .7 }\n"
	".js section { display: none } .js section.now { display: block }\n"
	".js footer { display: block } footer, .js ol { display: none }\n"
	"ol { list-style: upper-alpha; margin: .5rem 1rem }\n"
	"@media screen { .js figure { aspect-ratio: %d / %d } }\n"
	"@page { margin: 13mm 15mm }\n"
	"@media print {\n"
	"  body { max-width: none; padding: 0; font-size: 10pt; line-height: 1.4 }\n"
	"  .js section, .js section.now { display: block; break-inside: avoid; "
	"margin-bottom: 6mm }\n"
	"  .js section.asks, .js footer { display: none } .js ol { display: block }\n"
	"  svg { width: 84%% } section p { margin: 1mm 0 0 2mm; max-width: none }\n"
	"}\n"
	"</style>\n"
	"<script>document.documentElement.className = 'js'</script>\n";

static const char page_foot[] =
	"<footer>n, space or a tap: next. p: back. Print it for a handout.</footer>\n"
	"<script>\n"
	"const steps = [...document.querySelectorAll('section')];\n"
	"let at = 0;\n"
	"function show(i) {\n"
	"  at = Math.max(0, Math.min(steps.length - 1, i));\n"
	"  steps.forEach((s, k) => s.classList.toggle('now', k === at));\n"
	"  history.replaceState(null, '', '#' + steps[at].dataset.step);\n"
	"}\n"
	"function read() { show(steps.findIndex(s => '#' + s.dataset.step === location.hash)); }\n"
	"addEventListener('hashchange', read);\n"
	"addEventListener('keydown', e => {\n"
	"  if (e.ctrlKey || e.metaKey || e.altKey) return;\n"
	"  if (['n', ' ', 'ArrowRight', 'PageDown', 'Enter'].includes(e.key)) show(at + 1);\n"
	"  else if (['p', 'ArrowLeft', 'PageUp', 'Backspace'].includes(e.key)) show(at - 1);\n"
	"  else if (['g', 'Home'].includes(e.key)) show(0);\n"
	"  else if (['G', 'End'].includes(e.key)) show(steps.length - 1);\n"
	"  else return;\n"
	"  e.preventDefault();\n"
	"});\n"
	"addEventListener('click', e => {\n"
	"  if (String(getSelection())) return;\n"
	"  show(at + (e.clientX < innerWidth / 3 ? -1 : 1));\n"
	"});\n"
	"read();\n"
	"</script>\n"
	"</html>\n";

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

/* The answers to choose from, for paper, which has no picture of the question. */
static void options_html(const struct talk *t, FILE *out)
{
	const struct tour_step *s = talk_step(t);
	struct tour_scene scene = talk_scene(t);
	fputs("<ol>\n", out);
	for (size_t i = 0; i < s->n_options; i++) {
		char text[400], err[300];
		tour_caption(&scene, s->options[i].text, text, sizeof text, err, sizeof err);
		fputs("<li>", out);
		escaped(text, out);
		fputs("</li>\n", out);
	}
	fputs("</ol>\n", out);
}

/* The picture that is shown now, and what is said of it. A question has no notes yet. "#4" leads to step
 * 4, "#4a" to the answer of its question. */
static int section(struct app *app, enum background background, bool asks, FILE *out)
{
	const struct talk *t = present_talk(app);
	const char *notes = asks ? "" : talk_step(t)->notes;
	const bool answers = !asks && talk_step(t)->n_options > 0;
	fprintf(out, "<section%s data-step=\"%zu%s\">\n<h2 class=\"said\">",
		asks ? " class=\"asks\"" : "", t->at + 1, answers ? "a" : "");
	escaped(t->caption, out);
	fputs("</h2>\n<figure>\n", out);
	if (talk_svg(app, background, true, out))
		return -1;
	fputs("</figure>\n", out);
	if (answers)
		options_html(t, out);
	if (*notes) {
		fputs("<p>", out);
		escaped(notes, out);
		fputs("</p>\n", out);
	}
	fputs("</section>\n", out);
	return 0;
}

int talk_html(struct app *app, enum background background, FILE *out)
{
	const struct talk *t = present_talk(app);
	fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>", out);
	escaped(t->tour.title, out);
	fputs("</title>\n", out);
	fprintf(out, page_style, background == BACKGROUND_LIGHT ? "light" : "dark",
		(unsigned)theme_own_rgb(background, true),
		(unsigned)theme_own_rgb(background, false), svg_width(app->cols),
		svg_height(app->rows));
	fputs("<h1 class=\"said\">", out);
	escaped(t->tour.title, out);
	fputs("</h1>\n", out);
	for (size_t i = 0; i < t->tour.n; i++) {
		present_go(app, i);
		app_settle(app);
		if (talk_step(t)->n_options && section(app, background, true, out))
			return -1;
		present_show_answer(app);
		if (section(app, background, false, out))
			return -1;
	}
	fputs(page_foot, out);
	return 0;
}
