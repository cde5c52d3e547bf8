#include "ui/views/note.h"

#include "ui/term/pane.h"
#include "ui/views/parts.h"

enum { MEASURE = 96 /* columns: longer lines are hard to read on */ };

static const char *mark_of(enum role role)
{
	return role == ROLE_WARN ? "! " : role == ROLE_BAD ? "× " : role == ROLE_GOOD ? "✓ " : "";
}

static int text_room(const struct note *n, int cols)
{
	int room = cols - text_width(mark_of(n->role));
	return room > MEASURE ? MEASURE : room;
}

int note_draw(struct canvas *cv, struct rect r, const struct note *n)
{
	struct pane p = pane_of(cv, r);
	const char *mark = mark_of(n->role), *text = n->text;
	int row = 0, indent = text_width(mark);
	struct text_line line;
	pane_text(&p, 0, 0, -1, mark, role_style(n->role), ATTR_BOLD);
	for (; row < p.r.rows && text_wrap(&text, text_room(n, p.r.cols), cv->glyphs, &line); row++)
		line_draw(&p, row, indent, &line, role_style(n->role), 0);
	return row;
}

/* Enough for either set of glyphs: some characters take several columns in ASCII. */
int note_rows(const struct note *n, int cols)
{
	int room = text_room(n, cols);
	int lines = text_lines(n->text, room, GLYPHS_LINES);
	int ascii = text_lines(n->text, room, GLYPHS_ASCII);
	return lines > ascii ? lines : ascii;
}
