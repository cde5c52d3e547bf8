/* Changes of a design that are said against what it is: "double the batch", "twice as many GPUs", "10 % less", "two more
 * replicas". Pure. */
#ifndef RIDGE_CASE_CHANGE_H
#define RIDGE_CASE_CHANGE_H

#include "drills/case_run.h"

/* Writes a line with what each such change comes to in its place, "max_batch=64", whether that may be had or not. What a
 * design does not say yet is what runs today, where the case has that. last: the knob of "it" and of no name; or NULL.
 * before takes what the knobs were, "batch 32". False: the line has no such change, or none that can be read against a
 * value; then out is not to be used. */
bool case_change_read(const struct dealt_case *d, const struct case_design *now,
	const struct case_knob *last, const char *line, char *out, size_t size, char *before,
	size_t before_size);

#endif
