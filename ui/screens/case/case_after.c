#include "ui/screens/case/case_after.h"

#include "sims/base/minmax.h"
#include "sims/quantity/quantity.h"
#include "ui/screens/case/case_side.h"
#include "ui/term/textwrap.h"

#include <stdio.h>
#include <string.h>

static const char *without_the(const char *name)
{
	return strncmp(name, "the ", 4) == 0 ? name + 4 : name;
}

static void write_number(
	const struct case_view *v, size_t i, struct case_columns at, struct sheet *s)
{
	const struct case_estimate *e = &v->sitting.estimates[i];
	const struct question *q = &v->sitting.deal.variant.steps[i].question;
	const enum style style = e->best >= ESTIMATE_COUNTS ? STYLE_GOOD
				 : e->given                 ? STYLE_BAD
							    : STYLE_DIM;
	char text[96], name[CASE_NAME_SIZE];
	const int row = sheet_rows(s, 1);
	sheet_words(s, row, at.names, at.yours - at.names - 1,
		case_anchor_name(&v->sitting, i, name), STYLE_PLAIN, 0);
	sheet_words(s, row, at.yours, at.other - at.yours - 1, e->given ? e->given : "not said",
		style, 0);
	sheet_words(s, row, at.other, s->cv.cols - at.other,
		quantity_brief(text, sizeof text, q->key, q->unit), STYLE_PLAIN, 0);
}

/* In the columns of the knobs above, where yours stands beside one that meets the goals. */
void case_numbers_write_after(const struct case_view *v, struct sheet *s)
{
	const struct case_columns at = case_columns(v, s->cv.cols);
	sheet_gap(s);
	const int row = sheet_rows(s, 1);
	canvas_text(&s->cv, row, 0, at.yours, "Numbers", STYLE_PLAIN, ATTR_BOLD);
	canvas_text(&s->cv, row, at.yours, at.other - at.yours, "yours", STYLE_PLAIN, ATTR_BOLD);
	canvas_text(&s->cv, row, at.other, s->cv.cols - at.other, "it is", STYLE_PLAIN, ATTR_BOLD);
	for (size_t i = 0; i < v->sitting.deal.variant.n_steps; i++)
		write_number(v, i, at, s);
}

/* Those that a design without which is a guess come first. */
static void write_untold(const struct case_view *v, bool must, struct sheet *s)
{
	char text[2000];
	for (size_t i = 0; i < v->c.n_facts; i++) {
		if (v->tells[i] || v->c.facts[i].must != must)
			continue;
		const char *name = without_the(v->c.facts[i].name);
		const int row = s->rows, cols = (int)strlen(name) + 1;
		snprintf(text, sizeof text, "%s: %s", name, v->untold[i] ? v->untold[i] : "");
		sheet_text(s, 0, 2, text, STYLE_DIM, 0);
		if (must && row < s->rows)
			canvas_restyle(&s->cv,
				(struct rect){ row, 0, 1, min_int(cols, s->cv.cols) }, STYLE_PLAIN,
				0);
	}
}

void case_untold_write(const struct case_view *v, struct sheet *s)
{
	size_t told = 0;
	for (size_t i = 0; i < v->c.n_facts; i++)
		told += v->tells[i] != NULL;
	if (v->sitting.company != CASE_ALONE || told == v->c.n_facts)
		return;
	sheet_gap(s);
	canvas_text(
		&s->cv, sheet_rows(s, 1), 0, s->cv.cols, "Not asked for", STYLE_PLAIN, ATTR_BOLD);
	write_untold(v, true, s);
	write_untold(v, false, s);
}
