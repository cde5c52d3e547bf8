/* Folds: blocks of a page that are hidden until the reader asks for them, as the answer below its
 * question. In Markdown a comment stands before them, `<!-- fold -->`, and they end where the next
 * fold begins, at a heading, at `<!-- end -->`, or with the item or quote that they stand in. So any
 * other reader of Markdown shows the text whole.
 *
 * A fold is named by the bold words that its first paragraph begins with (`**Plan.** ...`), else by
 * what its mark says (`<!-- fold: Answer -->`), else it is an answer. */
#ifndef RIDGE_UI_PAGES_PAGE_FOLD_H
#define RIDGE_UI_PAGES_PAGE_FOLD_H

#include "ui/pages/page.h"

#include <cmark.h>

enum fold_mark { MARK_NONE, MARK_FOLD, MARK_END };

/* What a block says about folds. */
enum fold_mark fold_mark_of(cmark_node *block);
/* How the fold that this mark begins is named, in an arena. *led: its first paragraph says so
 * itself. NULL: memory is out. */
const char *fold_label(cmark_node *mark, bool *led, struct arena *a);

/* The target of the link that opens and closes a fold, and its number again; -1: the target is
 * none of a fold. */
const char *fold_target(size_t fold, struct arena *a);
long fold_of_target(const char *target);

/* How many letters and digits a line of text has; and with those that are hidden behind it. A
 * line that stands for a closed fold has only what is hidden. */
long line_letters(const struct page_line *line);
long line_letters_with_hidden(const struct page *p, size_t line);

/* The share of a page's text that stands outside of all folds, open or closed; 1 where there is
 * none. */
double page_share_in_sight(const struct page *p);

#endif
