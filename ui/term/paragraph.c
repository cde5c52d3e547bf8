#include "ui/term/paragraph.h"

#include "sims/base/minmax.h"
#include "ui/term/textwrap.h"

#include <string.h>

int paragraph_draw(struct canvas *cv, struct rect r, const char *text, enum style s, unsigned attr)
{
	struct text_line line;
	int row = 0, used = 0;
	while (row < r.rows && text_wrap(&text, r.cols, cv->glyphs, &line)) {
		char piece[1024];
		size_t n = line.bytes < sizeof piece - 1 ? line.bytes : sizeof piece - 1;
		memcpy(piece, line.start, n);
		piece[n] = '\0';
		used = canvas_text(cv, r.row + row++, r.col, r.cols, piece, s, attr);
	}
	if (row == r.rows && row > 0 && text_lines(text, r.cols, cv->glyphs) > 0)
		canvas_text(cv, r.row + row - 1, r.col + (used < r.cols ? used : r.cols - 1), 1,
			cv->glyphs == GLYPHS_ASCII ? "~" : "…", STYLE_DIM, 0);
	return row;
}

struct rect text_column(struct rect r, int measure)
{
	int margin = r.cols > measure + 4 ? max_int(2, (r.cols - measure) / 2)
		     : r.cols > 50        ? 2
					  : 0;
	return (struct rect){ r.row, r.col + margin, r.rows, min_int(measure, r.cols - margin) };
}
