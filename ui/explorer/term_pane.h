/* The glossary at a reader's hand: a key goes from one marked term of a page to the next, Enter
 * shows its entry over the page, Enter again goes to the glossary, Esc leaves the page as it
 * was. */
#ifndef RIDGE_TERM_PANE_H
#define RIDGE_TERM_PANE_H

#include "ui/explorer/app.h"

/* The index of the glossary for a page, read anew where the file has changed; NULL for pages
 * that are lists themselves: the glossary and the formula sheet. */
const struct term_index *term_pane_index(struct app *app, const char *page_id);

/* True when the action was for the terms. */
bool term_pane_act(struct app *app, enum action a);
/* The page was laid out anew. */
void term_pane_relayout(struct app *app);
void term_pane_release(struct term_pane *t);
/* Over a page that stands in r. */
void term_pane_draw(const struct app *app, struct canvas *cv, struct rect r);

#endif
