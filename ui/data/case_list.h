/* The cases that travel with the program, and the user's own. */
#ifndef RIDGE_UI_DATA_CASE_LIST_H
#define RIDGE_UI_DATA_CASE_LIST_H

#include "drills/case.h"

#include <stdio.h>

struct case_info {
	const char *id, *title, *area;
	unsigned levels;
	bool own; /* in the user's folder */
};
struct case_list {
	struct arena arena;
	struct case_info *cases;
	size_t n, room;
};

/* Every file of content/cases/, then those of $XDG_DATA_HOME/ridge/cases (~/.local/share/ridge/cases
 * where that is not set) that have an id of their own. A file that is no case is a line on err
 * (NULL: it is not told), and left out. 0; or -1 when memory is out. Release it either way. */
int case_list_load(struct case_list *l, FILE *err);
void case_list_release(struct case_list *l);
/* The ids of a list, in its arena; NULL when memory is out. */
const char *const *case_list_ids(struct case_list *l);

/* "there is no case "serve-71b"; did you mean "serve-70b"?". */
void case_list_refuse(struct case_list *l, const char *id, char *err, size_t err_size);

/* Reads the case of that id. 0; or -1 and one line in err with the nearest id. Release it either way. */
int case_load(
	struct design_case *c, const struct tables *t, const char *id, char *err, size_t err_size);

#endif
