/* The ward of slow training: puts a fault into a sound system, examines that system, and
 * applies remedies to it. */
#ifndef RIDGE_WARD_SPEED_H
#define RIDGE_WARD_SPEED_H

#include "sims/base/rng.h"
#include "sims/diagnosis/case_file.h"

/* A sound system from the random numbers, then the patient's cause in it. */
void speed_draw(struct patient *p, const struct tables *t, struct rng *r);
/* Measures the system as it is. False when memory is out. */
bool speed_examine(struct arena *a, const struct patient *p, struct examination *x);
/* False where the remedy has nothing to act on. */
bool speed_treat(struct patient *p, enum remedy remedy);

#endif
