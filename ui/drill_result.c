/* What a session came to. */
#include "ui/drill_view.h"

#include <stdio.h>

void drill_result_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct drill_session *s = &app->drill.session;
	struct session_score score = session_score(s);
	char time[32], text[200];
	drill_clock_text(score.spent_ms, time, sizeof time);
	canvas_text(cv, r.row, r.col, r.cols, "Done", STYLE_ACCENT, ATTR_BOLD);
	snprintf(text, sizeof text,
		"%zu of %zu correct, %zu of them within par. Credit %.2f. Time %s.", score.correct,
		score.n, score.within_par, score.credit, time);
	canvas_text(cv, r.row + 2, r.col, r.cols, text, STYLE_PLAIN, ATTR_BOLD);
	for (size_t i = 0; i < s->n && (int)i + 6 < r.rows; i++) {
		const struct session_item *item = &s->items[i];
		bool right = session_item_right(item);
		int row = r.row + 4 + (int)i;
		drill_clock_text(item->spent_ms, time, sizeof time);
		canvas_text(
			cv, row, r.col, 2, right ? "✓" : "✗", right ? STYLE_GOOD : STYLE_BAD, 0);
		canvas_text(cv, row, r.col + 2, 34, item->variant.drill->title, STYLE_PLAIN, 0);
		canvas_text_right(cv, row, r.col + 36, 6, time, STYLE_DIM, 0);
		canvas_text(cv, row, r.col + 44, r.cols - 44,
			item->answered && !right ? item->grade.cause : "", STYLE_DIM, 0);
	}
	canvas_printf(cv, r.row + r.rows - 1, r.col, r.cols, STYLE_DIM, 0,
		"Enter leaves. The same set again: ridge drill --seed %llu",
		(unsigned long long)s->seed);
}
