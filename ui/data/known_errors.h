/* How far the models are from what was measured, at the defaults of each simulation: worked out when
 * ridge is built (content/errors.c), because it takes thousands of predictions. Programs that are
 * linked without the list work it out when they need it. */
#ifndef RIDGE_UI_DATA_KNOWN_ERRORS_H
#define RIDGE_UI_DATA_KNOWN_ERRORS_H

#include <stddef.h>

/* A line of struct measured_memo (sims/published/measured.h). */
struct known_error {
	const char *key, *line;
};
extern const struct known_error known_errors[] __attribute__((weak));
extern const size_t n_known_errors __attribute__((weak));

#endif
