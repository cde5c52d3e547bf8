/* From a problem to the same numbers as knobs, to its simulation, to its paragraph. */
#include "ui/screens/drill/drill_act.h"

#include <stdio.h>
#include <string.h>

/* The formula with the problem's own numbers: nothing else shows all of them for every drill. */
static bool formula_target(const struct variant *v, char *target, size_t size)
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

/* The problem's own numbers with every parameter a knob; what has no formula, its simulation. */
void drill_open_numbers(struct app *app, bool subject)
{
	const struct session_item *item = drill_view_item(drill_of(app));
	char err[256], target[1024];
	if (!item || !item->closed)
		return;
	bool formula = !subject && formula_target(&item->variant, target, sizeof target);
	if (!formula && !item->variant.sim)
		return;
	if (!formula)
		snprintf(target, sizeof target, "sim:%s", item->variant.sim);
	if (app_open_target(app, target, err, sizeof err))
		app_say(app, "%s", err);
}

void drill_open_paragraph(struct app *app)
{
	const struct session_item *item = drill_view_item(drill_of(app));
	char err[256], target[600], *dot;
	if (!item || !item->closed || !item->variant.page)
		return;
	const char *base = strrchr(item->variant.page, '/');
	snprintf(target, sizeof target, "page:%s", base ? base + 1 : item->variant.page);
	if ((dot = strstr(target, ".md")))
		memmove(dot, dot + 3, strlen(dot + 3) + 1);
	if (app_open_target(app, target, err, sizeof err))
		app_say(app, "%s", err);
}
