/* The rows are counted by an enum that includes them: no number of a subject is written down, and a
 * new row moves those behind it. */
#include "sims/formulas/subject.h"

#include "sims/base/array.h"

#include <assert.h>
#include <string.h>

/* A subject has the number of its first row: the row itself counts on from the one before. */
#define SUBJECT(name) name##_first, name##_before = name##_first - 1,
#define FORMULA(id, unit, title, number, source, params, expr) id##_row,
enum {
#include "sims/formulas/all.def"
	n_rows
};
#undef FORMULA

#define SUBJECT(name) { #name, name##_first },
#define FORMULA(id, unit, title, number, source, params, expr)
const struct formula_subject formula_subjects[] = {
#include "sims/formulas/all.def"
	{ NULL, n_rows }
};
#undef FORMULA
const size_t n_formula_subjects = LENGTH(formula_subjects) - 1;

const struct formula_subject *formula_subject_find(const char *name)
{
	assert(name);
	for (size_t i = 0; i < n_formula_subjects; i++)
		if (strcmp(formula_subjects[i].name, name) == 0)
			return &formula_subjects[i];
	return NULL;
}
