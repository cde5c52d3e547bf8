/* Values and sentences are written as lines; the blocks are drawn on a canvas as high as they like,
 * which is then written out. */
#include "ui/commands/text_report.h"

#include "sims/quantity/quantity.h"
#include "ui/term/ansi.h"
#include "ui/term/paragraph.h"
#include "ui/term/svg.h"
#include "ui/term/textwrap.h"
#include "ui/views/figure_view.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct report_options report_defaults(void)
{
	struct environment e = environment_read(&(struct wishes){ .colour = COLOUR_AUTO });
	return (struct report_options){ .cols = 80,
		.at_s = NAN,
		.glyphs = environment_glyphs(),
		.depth = DEPTH_256,
		.background = e.background };
}

struct report_options report_asked(const struct command_line *line)
{
	struct report_options o = report_defaults();
	const struct option_value *size = &line->values[OPTION_SIZE];
	if (size->at) {
		o.cols = size->cols;
		o.rows = size->rows;
	}
	if (line->values[OPTION_AT].at)
		o.at_s = line->values[OPTION_AT].seconds;
	o.colour = option_wants_colour(line);
	/* A picture looks alike wherever it is made. */
	if (option_says_yes(line, OPTION_SVG))
		o.background = (enum background)line->values[OPTION_BACKGROUND].number;
	return o;
}

static void write_paragraph(FILE *out, const char *first, const char *rest, const char *text,
	const struct report_options *o)
{
	struct text_line line;
	const char *lead = first;
	while (text_wrap(&text, o->cols - (int)strlen(first), o->glyphs, &line)) {
		fprintf(out, "%s%.*s\n", lead, (int)line.bytes, line.start);
		lead = rest;
	}
}

static void write_values(const struct figure *fig, const struct report_options *o, FILE *out)
{
	int widest = 0;
	for (size_t i = 0; i < fig->n_values; i++) {
		int w = text_cols(fig->values[i].label, o->glyphs);
		widest = w > widest ? w : widest;
	}
	for (size_t i = 0; i < fig->n_values; i++) {
		const struct value *v = &fig->values[i];
		char text[64];
		fprintf(out, "%s%*s  %s%s%s%s\n", v->label, widest - text_cols(v->label, o->glyphs),
			"", quantity_format(text, sizeof text, v->value, v->unit),
			v->note ? "  (" : "", v->note ? v->note : "", v->note ? ")" : "");
	}
}

static int draw_blocks(const struct figure *fig, const struct report_options *o, FILE *out)
{
	struct canvas cv;
	struct figure_state state = { .playhead_s = o->at_s };
	int rows = o->rows > 0 ? o->rows : figure_rows(fig, o->cols);
	if (rows < 1)
		return 0;
	if (canvas_init(&cv, rows, o->cols, o->glyphs))
		return -1;
	cv.fills = o->colour ? theme_fills(o->depth) : FILLS_TEXTURED;
	figure_draw(&cv, (struct rect){ 0, 0, rows, o->cols }, fig, &state);
	if (o->colour)
		canvas_write_ansi(&cv, o->depth, o->background, out);
	else
		canvas_write_text(&cv, out);
	const int rc = cv.starved ? -1 : 0;
	canvas_release(&cv);
	return rc;
}

int report_figure(const struct figure *fig, const struct report_options *o, FILE *out)
{
	assert(o->cols > 0 && o->rows >= 0);
	write_values(fig, o, out);
	fputc('\n', out);
	if (draw_blocks(fig, o, out))
		return -1;
	fputc('\n', out);
	if (fig->why)
		write_paragraph(out, "", "", fig->why, o);
	if (fig->accuracy)
		write_paragraph(out, "", "", fig->accuracy, o);
	for (size_t i = 0; i < fig->n_assumptions; i++)
		write_paragraph(out, "assumes: ", "         ", fig->assumptions[i], o);
	for (size_t i = 0; i < fig->n_leaves_out; i++)
		write_paragraph(out, "without: ", "         ", fig->leaves_out[i], o);
	return 0;
}

int report_write(const struct live *s, const struct report_options *o, FILE *out)
{
	char setting[1024];
	fprintf(out, "%s\nridge sim %s\n\n", s->sim->title,
		live_setting(s, setting, sizeof setting));
	return report_figure(&s->figure, o, out);
}

int report_picture(const struct live *s, const struct report_options *o, FILE *out)
{
	const struct figure *fig = &s->figure;
	const char *why = fig->why ? fig->why : "";
	struct figure_state state = { .playhead_s = o->at_s };
	struct canvas cv;
	int head = 2 + text_lines(why, o->cols, GLYPHS_BRAILLE);
	int rows = o->rows > head ? o->rows : head + figure_rows(fig, o->cols);
	if (canvas_init(&cv, rows, o->cols, GLYPHS_BRAILLE))
		return -1;
	cv.fills = theme_fills(DEPTH_RGB);
	canvas_text(&cv, 0, 0, o->cols, s->sim->title, STYLE_DIM, 0);
	paragraph_draw(&cv, (struct rect){ 1, 0, head - 2, o->cols }, why, STYLE_PLAIN, ATTR_BOLD);
	figure_draw(&cv, (struct rect){ head, 0, rows - head, o->cols }, fig, &state);
	int rc = canvas_write_told_svg(&cv, o->background, s->sim->title, why, out);
	canvas_release(&cv);
	return rc;
}
