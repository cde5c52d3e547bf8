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

/* "fields", into d (drills/bank_fields.c). */
int bank_read_fields(const struct bank_reader *r, const cJSON *object, struct drill *d);

/* Whether a name is a field, or filled by one. */
bool bank_knows(const struct drill *d, const char *name);

/* "factors" and "mistakes", into d (drills/bank_mistakes.c). */
int bank_read_mistakes(const struct bank_reader *r, const cJSON *object, struct drill *d);
int bank_read_operand(const struct bank_reader *r, const cJSON *value, const struct drill *d,
        const char *what, struct operand *out);

#endif
