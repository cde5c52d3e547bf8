/* The glossary at a reader's hand: a key goes from one marked term of a page to the next, Enter
 * shows its entry over the page, Enter again goes to the glossary, Esc leaves the page as it
 * was. */
#ifndef RIDGE_UI_SCREENS_PAGE_GLOSSARY_PANE_H
#define RIDGE_UI_SCREENS_PAGE_GLOSSARY_PANE_H

#include "ui/live/action.h"
#include "ui/pages/glossary.h"
#include "ui/screens/page/page_view.h"

/* Whether a page, by its id, is a list of entries to look up: what one says stands right below its name, and nobody
 * reads it from end to end. */
bool page_is_looked_up(const char *id);

/* The index of the glossary for a page, read anew where the file has changed; NULL for pages
 * that are lists themselves: the glossary and the formula sheet. */
const struct glossary *glossary_pane_index(struct app *app, const char *page_id);

/* True when the action was for the terms. */
bool glossary_pane_act(struct app *app, enum action a);
/* Whether the entry that is open is longer than what is seen of it. */
bool glossary_pane_scrolls(const struct app *app);
/* The page was laid out anew. */
void glossary_pane_relayout(struct app *app);
void glossary_pane_release(struct glossary_pane *t);
/* Over a page that stands in r. */
void glossary_pane_draw(const struct app *app, struct canvas *cv, struct rect r);

#endif
