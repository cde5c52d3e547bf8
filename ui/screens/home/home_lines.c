/* A list is written with headings and gaps; where it is then too long the gaps go, then the
 * headings beside the entries, and what is still too long scrolls. */
#include "ui/screens/home/home_lines.h"

#include "sims/registry/registry.h"
#include "ui/screens/home/home_drills.h"
#include "ui/screens/home/home_lead.h"
#include "ui/term/textwrap.h"

int home_entries(const struct app *app, int column)
{
	switch (column) {
	case HOME_LEAD:
		return 1;
	case HOME_PAGES:
		return (int)app->pages.n;
	case HOME_TALKS:
		return (int)app->tours.n_talks;
	case HOME_SIMS:
		return (int)n_sims;
	default:
		return home_drills(app);
	}
}

static void add(struct home_lines *l, struct home_line line)
{
	if (l->n < MOST_HOME_LINES)
		l->at[l->n++] = line;
}

const char *home_heading(const struct app *app, int column, int entry)
{
	if (column == HOME_PAGES)
		return entry == home_chapters(app) ? "Look up" : NULL;
	if (column == HOME_DRILLS)
		return home_drills_heading(entry);
	if (column == HOME_TALKS)
		return NULL;
	int first = 0;
	for (size_t i = 0; i < n_sim_groups; first += (int)sim_groups[i++].n)
		if (entry == first)
			return sim_groups[i].title;
	return NULL;
}

/* How generous a list is with its rows, most of all first. */
enum spacing { WRAPPED, GAPS, FIRST_GAP, DENSE };

/* Descriptions are whole, or chapters stand apart, in a window with the room for it. */
static int more_lines(const struct app *app, int column, int entry, const struct home_lines *l)
{
	if (column == HOME_SIMS && l->says > 0)
		return text_lines(sims[entry]->summary, l->says, app->glyphs) - 1;
	return column == HOME_PAGES && entry + 1 < home_chapters(app);
}

/* Where only one gap has room, it parts the interviews from the drills. */
static bool stands_apart(int column, int entry, enum spacing spacing)
{
	return spacing < FIRST_GAP ||
	       (spacing == FIRST_GAP && column == HOME_DRILLS && entry < home_drills_fixed());
}

static void write_lines(
	const struct app *app, int column, enum spacing spacing, struct home_lines *l)
{
	const int n = home_entries(app, column);
	l->n = 0;
	for (int i = 0; i < n; i++) {
		const char *heading = home_heading(app, column, i);
		if (heading && i > 0 && stands_apart(column, i, spacing))
			add(l, (struct home_line){ -1, "", 0, i });
		if (heading && !l->beside)
			add(l, (struct home_line){ -1, heading, 0, i });
		add(l, (struct home_line){ i, l->beside ? heading : NULL, 0, -1 });
		int more = spacing == WRAPPED ? more_lines(app, column, i, l) : 0;
		for (int part = 1; part <= more; part++)
			add(l, (struct home_line){ column == HOME_SIMS ? i : -1, "", part, -1 });
	}
}

void home_lines(const struct app *app, int column, int rows, struct home_lines *l)
{
	const bool may_stand_beside = l->beside;
	l->beside = false;
	for (enum spacing s = WRAPPED; s <= DENSE; s++) {
		write_lines(app, column, s, l);
		if (l->n <= rows)
			return;
	}
	/* What scrolls in any case can keep its parts apart. */
	if (column == HOME_DRILLS)
		write_lines(app, column, GAPS, l);
	if (may_stand_beside) {
		l->beside = true;
		write_lines(app, column, DENSE, l);
	}
}

int home_lines_first(const struct home_lines *l, int entry, int rows)
{
	int at = 0;
	while (at < l->n && l->at[at].entry != entry)
		at++;
	return at >= rows ? at - rows + 1 : 0;
}
