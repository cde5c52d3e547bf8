/* The members of a model's config.json, by name and type. Publishers call one thing by several names,
 * and families leave out what their code assumes: a field is asked for by all its names at once, with
 * the value that holds where none is there. The first that cannot be read is kept as the refusal, and
 * whoever asks goes on and looks once at the end. */
#ifndef RIDGE_CONFIG_FIELDS_H
#define RIDGE_CONFIG_FIELDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

struct config_fields {
	const cJSON *outer; /* the file's object */
	const cJSON *model; /* the language model's: the same, or one of its members */
	char *err;          /* one line about the first field that could not be read */
	size_t err_size;
	bool failed;
};

enum { LARGEST_COUNT = 1 << 30 };

/* The object that describes the language model: the file's, or the member of it that does. */
struct config_fields config_fields_of(const cJSON *file, char *err, size_t err_size);

/* names: "hidden_size|n_embd|d_model". A member that is null is not there. NULL where none is. */
const cJSON *config_member(const struct config_fields *f, const char *names);

/* A whole number from `least` to LARGEST_COUNT; `fallback` where it is not there, which is refused
 * where that is NAN. */
double config_count(struct config_fields *f, const char *names, double least, double fallback);
bool config_flag(struct config_fields *f, const char *names, bool fallback);
/* A text; NULL where it is not there. */
const char *config_text(struct config_fields *f, const char *names);
/* A list of `n` members or more; NULL where it is not there, or is no list. */
const cJSON *config_list(struct config_fields *f, const char *names, size_t n);

/* Keeps the line, unless there is one already: "NAME: expected ..., found ...". */
void config_refuse(struct config_fields *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
