/* The bold sentence over a figure. At first it reads the figure; after a turn it says what moved and
 * then reads the figure again; while a setting is pinned it compares the present one with that. */
#ifndef RIDGE_UI_LIVE_LIVE_HEADLINE_H
#define RIDGE_UI_LIVE_LIVE_HEADLINE_H

#include "ui/live/live.h"
#include "ui/term/canvas.h"

/* As much of it, in whole sentences, as so many lines of so many columns take. */
void live_headline(
	const struct live *s, int cols, int lines, enum glyphs glyphs, char *buf, size_t size);
void live_draw_headline(struct canvas *cv, struct rect r, const struct live *s);
/* The same for two lines of a window of eighty columns. */
void live_sentence(const struct live *s, char *buf, size_t size);
/* "GPU H100 SXM → B200 HGX, batch 8 → 16": the knobs that differ from the pinned setting; "": none
 * does, or none is pinned. */
void live_differences(const struct live *s, char *buf, size_t size);

#endif
