/* A problem on the screen: prompt, answer line, clock; then the verdict, the working, and the way
 * to the simulation and the page. Until an answer is graded nothing here shows the key. */
#include "ui/drill_view.h"
#include "ui/layout.h"
#include "ui/page.h"
#include "ui/paragraph.h"

#include <stdio.h>
#include <string.h>

enum { MEASURE = 76 };

static void draw_clock(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct drill_session *s = &app->drill.session;
	const struct session_item *item = drill_view_item(&app->drill);
	char spent[32], par[32], text[96];
	enum timer_state state = session_timer(s, app->now_ms);
	drill_clock_text(app->drill.look ? item->spent_ms : session_spent_ms(s, app->now_ms), spent,
		sizeof spent);
	drill_clock_text((int64_t)(item->variant.drill->par_s * 1000), par, sizeof par);
	const char *word = s->paused && !app->drill.look ? "PAUSED  "
			   : state == TIMER_OK           ? ""
							 : timer_names[state];
	snprintf(text, sizeof text, "%s%s%s, par %s", word, *word && !s->paused ? "  " : "", spent,
		par);
	canvas_text_right(cv, r.row, r.col, r.cols, text,
		state == TIMER_OK     ? STYLE_DIM
		: state == TIMER_OVER ? STYLE_BAD
				      : STYLE_WARN,
		0);
	snprintf(text, sizeof text, "%zu of %zu  %s", (size_t)(item - s->items) + 1, s->n,
		item->variant.drill->title);
	canvas_text(cv, r.row, r.col, r.cols - 26, text, STYLE_DIM, 0);
}

/* Markdown, laid out and drawn; returns the rows. */
static int draw_markdown(struct canvas *cv, struct rect r, const char *text)
{
	struct page p = { 0 };
	int rows = 0;
	struct page_env env = { .ascii = cv->glyphs == GLYPHS_ASCII };
	if (r.rows > 0 &&
		page_layout(&p, text, strlen(text), r.cols < 20 ? 20 : r.cols, &env) == 0) {
		page_draw(cv, r, &p, 0, NULL, -1, -1);
		rows = (int)p.n_lines < r.rows ? (int)p.n_lines : r.rows;
	}
	page_release(&p);
	return rows;
}

static int draw_hints(struct canvas *cv, struct rect r, const struct session_item *item)
{
	int row = 0;
	for (unsigned i = 0; i < item->hints && i < 2; i++) {
		char text[512];
		snprintf(text, sizeof text, "Hint: %s", item->variant.hints[i]);
		row += paragraph_draw(cv, (struct rect){ r.row + row, r.col, r.rows - row, r.cols },
			text, STYLE_ACCENT, 0);
	}
	return row;
}

static int draw_answer_line(
	const struct app *app, struct canvas *cv, struct rect r, const struct session_item *item)
{
	const struct entry *e = &app->entry;
	canvas_text(cv, r.row, r.col, 2, "▸", STYLE_ACCENT, ATTR_BOLD);
	if (e->kind == ENTRY_ANSWER)
		entry_draw(e, cv, r.row, r.col + 2, r.cols - 2, ATTR_BOLD);
	paragraph_draw(cv, (struct rect){ r.row + 1, r.col + 2, 2, r.cols - 2 },
		e->error[0] ? e->error : item->variant.tolerance,
		e->error[0] ? STYLE_BAD : STYLE_DIM, 0);
	return 3;
}

static enum style verdict_style(enum verdict v)
{
	return v == VERDICT_CORRECT                                                  ? STYLE_GOOD
	       : v == VERDICT_INVALID || v == VERDICT_NEED_UNIT || v == VERDICT_NEAR ? STYLE_WARN
										     : STYLE_BAD;
}

static int draw_verdict(
	struct canvas *cv, struct rect r, const struct session_item *item, unsigned max_attempts)
{
	const struct grade *g = &item->grade;
	char text[800];
	enum style style = verdict_style(g->verdict);
	if (!item->answered)
		return 0;
	const char *words = verdict_words[g->verdict];
	snprintf(text, sizeof text, "%s %s.%s%s", g->verdict == VERDICT_CORRECT ? "✓" : "✗", words,
		g->understood[0] ? " Read as " : "", g->understood);
	int row = paragraph_draw(cv, r, text, style, ATTR_BOLD);
	if (!item->closed && item->attempts > 0) {
		snprintf(text, sizeof text, "Attempt %u of %u.", item->attempts + 1, max_attempts);
		row += paragraph_draw(cv, (struct rect){ r.row + row, r.col + 2, 1, r.cols - 2 },
			text, STYLE_DIM, 0);
	}
	if (g->remark[0])
		row += paragraph_draw(cv, (struct rect){ r.row + row, r.col + 2, 3, r.cols - 2 },
			g->remark, STYLE_PLAIN, 0);
	return row;
}

static int draw_solution(struct canvas *cv, struct rect r, const struct session_item *item)
{
	const struct variant *v = &item->variant;
	int row = 1 + paragraph_draw(cv, r, v->working, STYLE_PLAIN, ATTR_BOLD);
	struct rect rest = { r.row + row, r.col, r.rows - row, r.cols };
	char text[800];
	if (v->follow_up) {
		snprintf(text, sizeof text, "An interviewer would go on: %s", v->follow_up);
		row += 1 + paragraph_draw(cv, rest, text, STYLE_DIM, 0);
	}
	if (row < r.rows)
		canvas_text(cv, r.row + row, r.col, r.cols,
			v->sim ? "g  turn these numbers    s  the simulation    p  the page    "
				 "Enter  next"
			       : "g  turn these numbers    p  the page    Enter  next",
			STYLE_ACCENT, 0);
	return row + 1;
}

void drill_view_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct drill_view *d = &app->drill;
	const struct session_item *item = drill_view_item(d);
	struct rect column = text_column(r, MEASURE);
	column.row++;
	column.rows--;
	if (!item) {
		drill_result_draw(app, cv, column);
		return;
	}
	draw_clock(app, cv, column);
	if (d->session.paused && !item->closed) {
		canvas_text(cv, column.row + 3, column.col, column.cols,
			"Paused: the clock stands and the problem is hidden. Ctrl-P goes on.",
			STYLE_PLAIN, 0);
		return;
	}
	int row = 2 - (int)d->scroll;
	struct rect at = { column.row + row, column.col, column.rows - row, column.cols };
	int used = 1 + draw_markdown(cv, at, item->variant.prompt);
	if (item->variant.assumes)
		used += 1 + paragraph_draw(cv,
				    (struct rect){ at.row + used, at.col, at.rows - used, at.cols },
				    item->variant.assumes, STYLE_DIM, 0);
	used += draw_hints(
		cv, (struct rect){ at.row + used, at.col, at.rows - used, at.cols }, item);
	if (!item->closed)
		used += 1 + draw_answer_line(app, cv,
				    (struct rect){ at.row + used, at.col, at.rows - used, at.cols },
				    item);
	used += draw_verdict(cv, (struct rect){ at.row + used, at.col, at.rows - used, at.cols },
		item, d->session.max_attempts);
	if (item->closed)
		draw_solution(cv,
			(struct rect){ at.row + used + 1, at.col, at.rows - used - 1, at.cols },
			item);
}
