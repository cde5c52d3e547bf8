#include "ui/screens/case/case_choose.h"

#include "sims/base/minmax.h"
#include "ui/practice/drill_summary.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MEASURE = 78 };

/* --- Reading --- */

static void read_minutes(
	const struct tables *t, const struct case_info *info, struct case_choice *o)
{
	struct design_case c;
	char unused[500];
	bool read = case_load(&c, t, info->id, unused, sizeof unused) == 0;
	for (int i = 0; read && i < N_CASE_LEVELS; i++)
		if (info->levels >> i & 1)
			o->minutes[i] = case_level_minutes(&c, (enum case_level)i);
	case_release(&c);
}

static void read_left(const struct app *app, const struct case_info *info, struct case_choice *o)
{
	struct case_head head;
	char name[CASE_RECORD_NAME_SIZE];
	const struct case_dealing alone = { .held = false };
	char *record =
		app->load_case ? case_file_find(app->load_case, info->id, &alone, name) : NULL;
	o->sat = app->load_case && case_file_day(info->id) >= 0;
	o->left_ms =
		record && case_head_read(record, &head) && case_goes_on(&head) ? head.clock_ms : -1;
	free(record);
}

void case_choose_release(struct case_view *v)
{
	if (v->choices)
		case_list_release(&v->list);
	free(v->choices);
	v->choices = NULL;
}

/* What the list could not use, its first line. */
static int load_list(struct app *app, struct case_list *l)
{
	char *said = NULL;
	size_t size;
	FILE *f = open_memstream(&said, &size);
	int rc = f ? case_list_load(l, f) : -1;
	if (f)
		fclose(f);
	if (rc == 0 && said && *said)
		app_say(app, "left out: %.*s", (int)strcspn(said, "\n"), said);
	free(said);
	return rc;
}

/* By subject, and in it by title: ids are seen nowhere. */
static int by_area(const void *a, const void *b)
{
	const struct case_info *x = a, *y = b;
	const int areas = strcmp(x->area, y->area);
	return areas ? areas : strcasecmp(x->title, y->title);
}

int case_choose_load(struct app *app, char *err, size_t err_size)
{
	struct case_view *v = case_of(app);
	const struct tables *t = app_tables(app);
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return -1;
	}
	case_choose_release(v);
	snprintf(err, err_size, "out of memory");
	if (load_list(app, &v->list))
		return -1;
	if (v->list.n)
		qsort(v->list.cases, v->list.n, sizeof *v->list.cases, by_area);
	v->choices = calloc(v->list.n + 1, sizeof *v->choices);
	if (!v->choices) {
		case_list_release(&v->list);
		return -1;
	}
	for (size_t i = 0; i < v->list.n; i++) {
		read_minutes(t, &v->list.cases[i], &v->choices[i]);
		read_left(app, &v->list.cases[i], &v->choices[i]);
	}
	if (v->row >= v->list.n)
		v->row = 0;
	/* Whoever left one wants it first. */
	size_t left = 0;
	while (left < v->list.n && v->choices[left].left_ms < 0)
		left++;
	if (v->row == 0 && left < v->list.n)
		v->row = left;
	return 0;
}

/* --- Drawing --- */

static int title_cols(const struct case_list *l)
{
	int most = 0;
	for (size_t i = 0; i < l->n; i++)
		most = max_int(most, text_width(l->cases[i].title));
	return most;
}

/* "39 min", with a tick where it was sat, or where it was left. */
static const char *work_text(
	const struct case_view *v, size_t i, bool brief, char *buf, size_t size)
{
	char time[32];
	const double minutes = v->choices[i].minutes[case_choice_level(v, i)];
	if (v->choices[i].left_ms >= 0)
		snprintf(buf, size, "%s%s", brief ? "at " : "left at ",
			drill_clock_text(v->choices[i].left_ms, time, sizeof time));
	else if (minutes > 0)
		snprintf(buf, size, "%s%.0f min", v->choices[i].sat ? "✓ " : "", minutes);
	else
		snprintf(buf, size, "cannot be read");
	return buf;
}

/* Title, area, level, work, as far as they have room; the last one always has. */
static void draw_row(const struct case_view *v, const struct pane *p, int row, size_t i, int titles)
{
	enum { AREA = 11, LEVEL = 11, WORK = 16 };
	const struct case_info *info = &v->list.cases[i];
	const bool focus = i == v->row, wide = p->r.cols >= 2 + titles + 2 + AREA + LEVEL + WORK,
		   area = p->r.cols >= 2 + titles + 2 + AREA + WORK;
	const enum style style = focus ? STYLE_ACCENT : STYLE_PLAIN;
	char work[64];
	work_text(v, i, !wide, work, sizeof work);
	pane_text(p, row, 0, 1, focus ? "▸" : "", STYLE_ACCENT, ATTR_BOLD);
	const int room = p->r.cols - 2 - text_width(work) - 2;
	pane_words(p, row, 2, area ? titles : room, info->title, style, focus ? ATTR_BOLD : 0);
	pane_fit_right(p, row, p->r.cols - WORK, WORK, work,
		v->choices[i].left_ms >= 0 ? STYLE_WARN : STYLE_DIM, 0);
	if (area)
		pane_text(p, row, titles + 4, AREA, info->area, STYLE_DIM, 0);
	if (!wide)
		return;
	pane_text(p, row, titles + 4 + AREA, LEVEL, case_level_names[case_choice_level(v, i)],
		STYLE_DIM, 0);
}

static int draw_levels(const struct case_view *v, const struct pane *p, int row)
{
	int col = pane_text(p, row, 0, -1, "level  ", STYLE_DIM, 0);
	for (int i = 0; i < N_CASE_LEVELS; i++) {
		const bool is = i == (int)v->level;
		char text[40];
		snprintf(text, sizeof text, is ? "[%s]" : " %s ", case_level_names[i]);
		col += pane_text(
			p, row, col, -1, text, is ? STYLE_ACCENT : STYLE_DIM, is ? ATTR_BOLD : 0);
	}
	return row + 1;
}

/* Where the list stands: what a case is above it, where there is room. */
struct places {
	struct rect column;
	int about, list, rows; /* rows of the body; about: lines of text, 0 for none */
	size_t first;
};

static const char about[] =
	"A design interview of 45 minutes that a simulation judges: ask for what is not said, estimate, "
	"design in knobs, and take the twists. ridge is the interviewer.";

static struct places place(const struct case_view *v, struct rect body)
{
	struct places p = { .column = text_column(body, MEASURE) };
	const int lines = text_lines(about, p.column.cols, GLYPHS_BRAILLE);
	const bool roomy = body.rows >= (int)v->list.n + lines + 4;
	p.about = roomy || body.rows >= 18 ? lines : 0;
	p.list = p.about ? 1 + p.about + 3 : 1;
	p.rows = max_int(1, body.rows - p.list);
	/* The row in focus stays in sight. */
	p.first = v->row >= (size_t)p.rows ? v->row - (size_t)p.rows + 1 : 0;
	return p;
}

void case_choose_draw(const struct app *app, struct canvas *cv, struct rect body)
{
	const struct case_view *v = case_seen(app);
	const struct places at = place(v, body);
	struct pane p = pane_of(cv, at.column);
	const int titles = title_cols(&v->list);
	if (at.about) {
		const struct rect r = { at.column.row + 1, at.column.col, at.about,
			at.column.cols };
		paragraph_draw(cv, r, about, STYLE_DIM, 0);
		draw_levels(v, &p, at.about + 2);
	} else {
		draw_levels(v, &p, 0);
	}
	for (size_t i = at.first; i < v->list.n && i < at.first + (size_t)at.rows; i++)
		draw_row(v, &p, at.list + (int)(i - at.first), i, titles);
	if (v->list.n > at.first + (size_t)at.rows)
		canvas_text(cv, at.column.row + body.rows - 1, at.column.col + at.column.cols, 1,
			"↓", STYLE_ACCENT, 0);
}

int case_choose_at(const struct app *app, struct rect body, int row)
{
	const struct case_view *v = case_seen(app);
	const struct places at = place(v, body);
	const int i = row - at.column.row - at.list;
	return i >= 0 && i < at.rows && at.first + (size_t)i < v->list.n ? (int)at.first + i : -1;
}
