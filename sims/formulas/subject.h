/* The subjects of the formula sheet: the files of sims/formulas/, in the order of the table. */
#ifndef RIDGE_SUBJECT_H
#define RIDGE_SUBJECT_H

#include <stddef.h>

/* The rows of a subject are formulas[s->first] up to formulas[s[1].first]: one more subject,
 * without a name, ends the array. */
struct formula_subject {
	const char *name; /* "memory", of memory.def */
	size_t first;
};
extern const struct formula_subject formula_subjects[];
extern const size_t n_formula_subjects;

const struct formula_subject *formula_subject_find(const char *name); /* NULL if none */

#endif
