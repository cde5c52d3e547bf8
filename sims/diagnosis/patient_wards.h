/* The wards of sims/diagnosis/patient.h, a file each: how a fault is put into a system, how that
 * system is examined, and what a remedy changes. Not for others. */
#ifndef RIDGE_PATIENT_WARDS_H
#define RIDGE_PATIENT_WARDS_H

#include "sims/diagnosis/patient.h"
#include "sims/base/rng.h"

/* Sets the text of a reading. */
void reading_say(struct examination *x, enum patient_reading r, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* draw: a sound system from the random numbers, then the patient's cause in it. */
void speed_draw(struct patient *p, const struct tables *t, struct rng *r);
bool speed_examine(struct arena *a, const struct patient *p, struct examination *x);
bool speed_treat(struct patient *p, enum remedy remedy);
enum { SPEED_RANKS = 8, SPEED_WATCHED = 3 };
/* A step's kernels: times in s, bytes through device memory. */
struct speed_work {
	double forward_s, backward_s, pointwise_s, all_s, kernels;
	double bytes;
};
struct speed_work speed_work_of(const struct patient *p);
/* Sets the parts of the machine that follow from the job. BF16 and the fused optimizer are
 * there. */
struct speed_work speed_set_work(struct patient *p);

void memory_draw_patient(struct patient *p, const struct tables *t, struct rng *r);
bool memory_examine(struct arena *a, const struct patient *p, struct examination *x);
bool memory_treat(struct patient *p, enum remedy remedy);

void serving_draw(struct patient *p, const struct tables *t, struct rng *r);
bool serving_examine(struct arena *a, const struct patient *p, struct examination *x);
bool serving_treat(struct patient *p, enum remedy remedy);

void numbers_draw(struct patient *p, const struct tables *t, struct rng *r);
bool numbers_examine(struct arena *a, const struct patient *p, struct examination *x);
bool numbers_treat(struct patient *p, enum remedy remedy);

#endif
