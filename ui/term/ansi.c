#include "ui/term/ansi.h"

#include "sims/base/utf8.h"

/* The attributes that show on a blank too. */
enum { ON_BLANKS = ATTR_REVERSE | ATTR_UNDERLINE };

/* The attributes that are written. Nobody knows which terminal will show the file, but every one
 * has a plain underline. */
static unsigned attr_of(const struct cell *c)
{
	return c->attr & ATTR_DOTTED ? (c->attr & ~(unsigned)ATTR_DOTTED) | ATTR_UNDERLINE
				     : c->attr;
}

static bool visible(const struct cell *c)
{
	return (c->code != ' ' && c->code != 0) || (attr_of(c) & ON_BLANKS) || c->under;
}

/* Whether a cell looks the same in this style. A blank does in every colour, so it need not
 * change the style. */
static bool same_look(const struct cell *c, enum style style, unsigned attr, enum style under)
{
	return (c->style == style && attr_of(c) == attr && c->under == under) ||
	       (!visible(c) && !(attr & ON_BLANKS) && style != STYLE_LINK && !under);
}

void canvas_write_ansi(
	const struct canvas *cv, enum colour_depth depth, enum background background, FILE *out)
{
	for (int row = 0; row < cv->rows; row++) {
		const struct cell *line = &cv->cells[row * cv->cols];
		enum style style = STYLE_PLAIN, under = STYLE_PLAIN;
		unsigned attr = 0;
		int end = cv->cols;
		while (end > 0 && !visible(&line[end - 1]))
			end--;
		for (int col = 0; col < end; col++) {
			const struct cell *c = &line[col];
			char buf[64];
			if (c->code == 0)
				continue; /* the wide character before it fills this cell */
			if (!same_look(c, style, attr, under)) {
				style = (enum style)c->style;
				attr = attr_of(c);
				under = (enum style)c->under;
				theme_sgr(buf, sizeof buf, style, attr, under, depth, background);
				fputs(buf, out);
			}
			utf8_write(buf, c->code);
			fputs(buf, out);
		}
		fputs(style != STYLE_PLAIN || attr || under ? "\033[0m\n" : "\n", out);
	}
}
