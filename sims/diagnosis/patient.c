#include "sims/diagnosis/patient_wards.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *const ward_ids[] = { "any", "speed", "memory", "serving", "numbers", NULL };

#define CAUSE(c, id, name, bound, ward, remedy, story)                                             \
	[CAUSE_##c] = { id, name, bound, WARD_##ward, REMEDY_##remedy, story },
const struct cause_row causes[N_CAUSES] = {
#include "sims/diagnosis/patient_rows.def"
};
#undef CAUSE

#define REMEDY(r, id, name) [REMEDY_##r] = { id, name },
const struct remedy_row remedies[N_REMEDIES] = {
#include "sims/diagnosis/patient_rows.def"
};
#undef REMEDY

#define READING(r, id, name, instrument) [READING_##r] = { id, name, instrument },
const struct reading_row readings[N_READINGS] = {
#include "sims/diagnosis/patient_rows.def"
};
#undef READING

void reading_say(struct examination *x, enum patient_reading r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(x->text[r], sizeof x->text[r], fmt, ap);
	va_end(ap);
}

static const struct ward_row {
	void (*draw)(struct patient *p, const struct tables *t, struct rng *r);
	bool (*examine)(struct arena *a, const struct patient *p, struct examination *x);
	bool (*treat)(struct patient *p, enum remedy remedy);
} wards[N_WARDS] = {
	[WARD_SPEED] = { speed_draw, speed_examine, speed_treat },
	[WARD_MEMORY] = { memory_draw_patient, memory_examine, memory_treat },
	[WARD_SERVING] = { serving_draw, serving_examine, serving_treat },
	[WARD_NUMBERS] = { numbers_draw, numbers_examine, numbers_treat },
};

bool patient_examine(struct arena *a, const struct patient *p, struct examination *x)
{
	*x = (struct examination){ .signs = { .ward = causes[p->cause].ward } };
	return wards[causes[p->cause].ward].examine(a, p, x) && !a->failed;
}

bool patient_treat(struct patient *p, enum remedy remedy)
{
	return wards[causes[p->cause].ward].treat(p, remedy);
}

/* Chance may hide a fault behind something else: such a patient is drawn again. */
bool patient_with(struct arena *a, const struct tables *t, enum cause cause, uint64_t seed,
	struct patient *p, struct examination *x)
{
	enum { ATTEMPTS = 6 };
	bool all[N_READINGS];
	for (int i = 0; i < N_READINGS; i++)
		all[i] = true;
	for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
		struct rng r = rng_stream(seed, "patient", attempt);
		*p = (struct patient){ .cause = cause, .seed = seed };
		wards[causes[cause].ward].draw(p, t, &r);
		if (!patient_examine(a, p, x))
			return false;
		if (patient_walk(&x->signs, all).leaf == cause)
			return true;
	}
	return true;
}

bool patient_make(struct arena *a, const struct tables *t, enum ward ward, uint64_t seed,
	struct patient *p, struct examination *x)
{
	struct rng r = rng_stream(seed, "who comes", (uint64_t)ward);
	enum cause cause;
	do
		cause = (enum cause)rng_below(&r, N_CAUSES);
	while (ward != N_WARDS && causes[cause].ward != ward);
	return patient_with(a, t, cause, seed, p, x);
}

const char *patient_complaint(const struct patient *p)
{
	switch (causes[p->cause].ward) {
	case WARD_SPEED:
		return p->cause == CAUSE_GPU_BOUND ? "Could this training run be faster?"
						   : "Training is slower than it should be.";
	case WARD_MEMORY:
		return "Training stops in its first step: out of memory.";
	case WARD_SERVING:
		return "Answers take too long, some of them far too long.";
	case WARD_NUMBERS:
	default:
		return p->numbers.quantised ? "The INT8 model answers worse than the model it was "
					      "made of."
					    : "It is fast, but the loss is not right.";
	}
}

/* --- the score ------------------------------------------------------------------------------- */

/* How bad it is with a remedy: as before where it has nothing to act on. */
static bool with_remedy(struct arena *a, const struct patient *p, enum remedy remedy, double before,
	double *badness)
{
	struct patient treated = *p;
	struct examination *x = arena_alloc(a, sizeof *x);
	*badness = before;
	if (!x)
		return false;
	if (!patient_treat(&treated, remedy))
		return true;
	treated.machine.watch_n = 0;
	if (!patient_examine(a, &treated, x))
		return false;
	*badness = x->badness;
	return true;
}

bool patient_score_of(struct arena *a, const struct patient *p, const struct examination *x,
	enum cause said, enum remedy chosen, const bool asked[N_READINGS],
	struct patient_score *score)
{
	bool all[N_READINGS];
	double best = x->badness;
	*score = (struct patient_score){ .before = x->badness, .after = x->badness };
	for (int i = 0; i < N_READINGS; i++) {
		all[i] = true;
		score->asked += asked[i];
	}
	score->par = patient_walk(&x->signs, all).readings;
	score->cause_right = said == p->cause;
	score->bound_right = said != N_CAUSES && causes[said].bound == causes[p->cause].bound;
	enum remedy right = causes[p->cause].remedy;
	if (chosen != N_REMEDIES && !with_remedy(a, p, chosen, x->badness, &score->after))
		return false;
	if (chosen != N_REMEDIES && chosen != right && !with_remedy(a, p, right, x->badness, &best))
		return false;
	/* Another remedy counts where it takes away as much, nearly. */
	double gained = x->badness - score->after, possible = x->badness - best;
	score->remedy_right = chosen == right ||
			      (chosen != N_REMEDIES && possible > 0.02 && gained > 0.9 * possible);
	double economy = score->asked > score->par ? (double)score->par / (double)score->asked : 1;
	score->points = (score->cause_right          ? 50
				: score->bound_right ? 25
						     : 0) +
			(score->remedy_right ? 30 : 0);
	if (score->cause_right || score->bound_right)
		score->points += 20 * economy;
	return true;
}
