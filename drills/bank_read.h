/* What the readers of a drill bank share. Not for others. */
#ifndef RIDGE_BANK_READ_H
#define RIDGE_BANK_READ_H

#include "drills/bank.h"

#include <cjson/cJSON.h>

/* Where a reader is, for its messages; err is filled by the first refusal. */
struct bank_reader {
	struct arena *arena;
	const struct tables *tables;
	const char *file, *drill;
	char *err;
	size_t err_size;
};

/* Always -1. */
int bank_refuse(const struct bank_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

const cJSON *bank_member(const cJSON *object, const char *name);

/* Refuses members that are not among the NULL-terminated names, and suggests one. */
int bank_check_members(const struct bank_reader *r, const cJSON *object, const char *what,
	const char *const known[]);

/* A text of 1 to 2000 bytes; an optional one that is absent leaves *out. */
int bank_text(const struct bank_reader *r, const cJSON *object, const char *name, bool optional,
	const char **out);

/* Every {name} of a text must be known. */
int bank_check_text(
	const struct bank_reader *r, const struct drill *d, const char *what, const char *text);

/* One drill, whole (drills/bank_drill.c). */
int bank_read_drill(struct bank_reader *r, const cJSON *object, const char *topic, struct drill *d);

/* "fields", behind those that d has; units default to those of the parameters of the n steps'
 * formulas (drills/bank_fields.c). */
int bank_read_fields(const struct bank_reader *r, const cJSON *object,
	const struct drill_step *steps, size_t n, struct drill *d);

/* Whether a name is a field, or filled by one, or the value of a step that was read before. */
bool bank_knows(const struct drill *d, const char *name);

/* What a step asks: a number, or "options", or "items"; its prompt is read before
 * (drills/bank_step.c). d->n_steps counts the steps before it. */
int bank_read_number(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s);
int bank_read_options(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s);
int bank_read_items(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s);

/* What makes a drill a program to write, into d->program; its own fields are read before
 * (drills/bank_program.c). */
int bank_read_program(const struct bank_reader *r, const cJSON *object, struct drill *d);

/* "set" and "drop" of a formula that is known, and whether it then has all it needs
 * (drills/bank_value.c). */
int bank_read_settings(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_value *v);
int bank_read_operand(const struct bank_reader *r, const cJSON *value, const struct drill *d,
	const char *what, struct operand *out);
int bank_check_value(const struct bank_reader *r, const struct drill *d, const char *what,
	const struct drill_value *v);

/* "factors" and "mistakes" of a step (drills/bank_mistakes.c). */
int bank_read_mistakes(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s);

#endif
