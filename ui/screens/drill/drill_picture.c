#include "ui/screens/drill/drill_picture.h"

#include "sims/base/minmax.h"
#include "sims/formulas/formula.h"
#include "ui/live/live_draw.h"

#include <stdio.h>
#include <string.h>

bool drill_formula_target(const struct variant *v, char *target, size_t size)
{
	const struct variant_step *step = variant_formula_step(v);
	const struct formula *f = step ? step->step->key.formula : NULL;
	if (!f)
		return false;
	int used = snprintf(target, size, "formula:%s", f->id);
	for (size_t i = 0; i < f->n_params && used > 0 && (size_t)used < size; i++)
		used += snprintf(target + used, size - (size_t)used, " %s=%.17g", f->params[i].name,
			step->args[i]);
	return true;
}

bool drill_picture_has_room(int cols, int rows)
{
	enum { LEAST_COLS = 150, LEAST_ROWS = 40 };
	return cols >= LEAST_COLS && rows >= LEAST_ROWS;
}

void drill_picture_release(struct drill_picture *p)
{
	if (p->open)
		live_release(&p->live);
	*p = (struct drill_picture){ .open = false };
}

void drill_picture_settle(struct app *app, const struct session_item *item)
{
	struct drill_picture *p = &drill_of(app)->picture;
	char target[sizeof p->target] = "", err[256];
	if (item && drill_picture_has_room(app->cols, app->rows) &&
		!drill_formula_target(&item->variant, target, sizeof target))
		*target = '\0';
	if (strcmp(target, p->target) == 0)
		return;
	drill_picture_release(p);
	snprintf(p->target, sizeof p->target, "%s", target);
	const struct tables *t = *target ? app_tables(app) : NULL;
	p->open = t && live_open_text(&p->live, t, target, err, sizeof err) == 0;
}

bool drill_picture_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	enum { LEAST = 14, MOST = 30, HEAD = 1 };
	const struct drill_picture *p = &drill_seen(app)->picture;
	if (!p->open || r.rows < LEAST)
		return false;
	const bool over =
		drill_state(drill_seen(app)) == DRILL_DONE; /* there a problem is opened first */
	canvas_text(cv, r.row, r.col, r.cols,
		over ? "The same numbers as a picture"
		     : "The same numbers as a picture; g turns them",
		STYLE_DIM, 0);
	const struct rect at = { r.row + HEAD, r.col, min_int(r.rows - HEAD, MOST), r.cols };
	live_draw_figure(cv, at, &p->live, over ? "Enter" : "g", NULL);
	return true;
}
