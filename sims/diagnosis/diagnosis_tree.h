/* The decision trees of `diagnosis` as tables that a reader walks. */
#ifndef RIDGE_DIAGNOSIS_TREE_H
#define RIDGE_DIAGNOSIS_TREE_H

#include "sims/diagnosis/patient.h"
#include "sims/figure/figure.h"

/* The questions so far, and the next one where guided. found: the cause at the end, in words. */
void draw_path(struct figure *fig, const struct walk_result *w, bool guided, const char *found);
/* All questions of the ward, with the answers of this walk beside them. */
void draw_key(struct figure *fig, enum ward ward, const struct walk_result *w, bool guided);
/* The four symptoms that come before any question. */
void draw_symptoms(struct figure *fig, const struct signs *s, const bool asked[N_READINGS]);

#endif
