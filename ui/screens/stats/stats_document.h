/* The statistics as one document that scrolls. */
#ifndef RIDGE_UI_SCREENS_STATS_STATS_DOCUMENT_H
#define RIDGE_UI_SCREENS_STATS_STATS_DOCUMENT_H

#include "drills/stats_figure.h"
#include "ui/screens/stats/stats_screen.h"

/* Where a row of a list stands in it. */
struct stats_spot {
	int row, lines, col, cols;
	const char *name; /* of the skill or topic */
};
enum { MOST_SPOTS = 2 * STATS_ROWS, SPOT_MARK = 2 /* columns before it, for its mark */ };

struct stats_document {
	struct canvas *cv; /* what it is drawn on; NULL: only measured */
	enum glyphs glyphs;
	const struct stats_view *view;
	int body_rows; /* of the window that shows it */
	struct stats_spot spots[MOST_SPOTS];
	int n_spots, rows;
	struct rect
		list; /* of skills, with its heading of STATS_HEAD rows; no rows: there is none */
};

/* How far it scrolls in a window of so many rows, of which one that scrolls has its last for a mark. */
long stats_last_scroll(long rows, int body_rows);
/* As it is in a window: its rows, and where the lists' rows stand. */
struct stats_document stats_document(const struct app *app, struct rect body);

/* Draws what is seen of it, from stats_seen(app)->scroll on. */
void stats_document_draw(const struct app *app, struct canvas *cv, struct rect r);

#endif
