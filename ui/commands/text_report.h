/* A figure, or a simulation with its figure, as text: values, the drawing, the sentence that
 * explains it, assumptions, what is left out. */
#ifndef RIDGE_UI_COMMANDS_TEXT_REPORT_H
#define RIDGE_UI_COMMANDS_TEXT_REPORT_H

#include "ui/term/environment.h"
#include "ui/data/options.h"
#include "ui/live/live.h"

#include <stdio.h>

struct report_options {
	int cols, rows; /* rows 0: as many as the figure likes */
	double at_s;    /* NAN: the whole run */
	bool colour;
	enum glyphs glyphs;
	enum colour_depth depth;
	enum background background;
};
struct report_options report_defaults(void);
/* The same with what --size, --at and --color ask for. */
struct report_options report_asked(const struct command_line *line);

/* A figure: values, blocks, the sentence, assumptions. 0, or -1 when out of memory. */
int report_figure(const struct figure *fig, const struct report_options *o, FILE *out);
/* The same of a simulation, under its title. */
int report_write(const struct live *s, const struct report_options *o, FILE *out);
/* A simulation as a picture in SVG: its title, the sentence, the figure. Direct colour, braille, the
 * same bytes in every locale. */
int report_picture(const struct live *s, const struct report_options *o, FILE *out);

#endif
