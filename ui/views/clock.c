#include "ui/views/clock.h"

#include "ui/term/big_type.h"
#include "ui/term/textwrap.h"

#include <stdio.h>
#include <string.h>

int clock_rows(enum glyphs glyphs)
{
	return big_type_rows(TYPE_LARGE, glyphs);
}

bool clock_draw(struct canvas *cv, struct rect r, const char *words, enum style style)
{
	enum { GAP = 2 };
	static const char time_signs[] = "0123456789:";
	char time[16], before[64];
	const size_t at = strcspn(words, "0123456789"), n = strspn(words + at, time_signs);
	if (n == 0 || n >= sizeof time || at >= sizeof before)
		return false;
	snprintf(time, sizeof time, "%.*s", (int)n, words + at);
	snprintf(before, sizeof before, "%.*s", (int)at, words);
	const char *behind = words + at + n;
	behind += strspn(behind, " ");
	const int rows = clock_rows(cv->glyphs), col = big_type_cols(TYPE_LARGE, time) + GAP;
	if (r.rows < rows || col + text_width(behind) > r.cols || col + text_width(before) > r.cols)
		return false;
	big_type_draw(cv, r, TYPE_LARGE, time, style);
	canvas_text(cv, r.row, r.col + col, r.cols - col, before, style, ATTR_BOLD);
	canvas_text(cv, r.row + rows - 1, r.col + col, r.cols - col, behind, STYLE_DIM, 0);
	return true;
}
