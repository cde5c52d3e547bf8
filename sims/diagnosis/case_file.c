/* The tables of causes, remedies and instruments, from one list of rows. */
#include "sims/diagnosis/case_file.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

const char *const ward_ids[] = { "any", "speed", "memory", "serving", "numbers", NULL };

#define CAUSE(c, id, name, bound, ward, remedy, story)                                             \
	[CAUSE_##c] = { id, name, bound, WARD_##ward, REMEDY_##remedy, story },
const struct cause_row causes[N_CAUSES] = {
#include "sims/diagnosis/case_rows.def"
};
#undef CAUSE

#define REMEDY(r, id, name) [REMEDY_##r] = { id, name },
const struct remedy_row remedies[N_REMEDIES] = {
#include "sims/diagnosis/case_rows.def"
};
#undef REMEDY

/* The wards of a reading, in bits. */
enum {
	SPEED = 1u << WARD_SPEED,
	MEMORY = 1u << WARD_MEMORY,
	SERVING = 1u << WARD_SERVING,
	NUMBERS = 1u << WARD_NUMBERS,
	EVERY_WARD = SPEED | MEMORY | SERVING | NUMBERS
};
#define READING(r, id, name, instrument, price, wards, asks)                                       \
	[READING_##r] = { id, name, instrument, price, wards, asks },
const struct reading_row readings[N_READINGS] = {
#include "sims/diagnosis/case_rows.def"
};
#undef READING

void reading_say(struct examination *x, enum patient_reading r, const char *fmt, ...)
{
	assert(r < N_READINGS);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(x->text[r], sizeof x->text[r], fmt, ap);
	va_end(ap);
}
