/* Deals variants: a drill with its fields drawn, its key computed by the formula itself. */
#ifndef RIDGE_DEAL_H
#define RIDGE_DEAL_H

#include "drills/bank.h"
#include "drills/question.h"

#include <stdint.h>

enum { MOST_DRAWS = 500 };

/* What a name means in one variant. */
struct binding {
	const char *name, *unit;
	double value;
	const char *people;  /* "Llama 3 70B", "8,192 tokens" */
	const char *program; /* "llama3-70b", "8192" */
};

/* Everything is owned by the arena. Texts are Markdown with the fields filled in. */
struct variant {
	struct arena arena;
	const struct drill *drill;
	uint64_t seed, part;
	struct question question;
	const struct binding *bindings;
	size_t n_bindings;
	const double *args; /* of drill->formula: formula_working(formula, args, ...) */
	const char *prompt, *assumes, *hints[2], *follow_up;
	const char *tolerance;         /* "within 5 %: for 200 GB, 190 to 210 GB count" */
	const char *symbols, *working; /* ASCII; the working shows the key */
	const char *page, *sim;        /* "kvcache model=llama3-70b batch=8" */
	unsigned draws;                /* 1: the first draw was good */
};

/* The variant of (seed, drill, part): the same on every machine. Draws again while a mistake is too
 * near to the key to be told from it, or the key is outside of what the drill allows. 0; or -1 and
 * one line in err when no draw of MOST_DRAWS was good, or memory is out. Release it either way. */
int deal(const struct drill *d, const struct tables *t, uint64_t seed, uint64_t part,
        struct variant *out, char *err, size_t err_size);
void variant_release(struct variant *v);

#endif
