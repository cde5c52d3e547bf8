/* What readers of our JSON files share: where they are, for messages, and the refusals that name file,
 * place and the nearest of the names that are known. The first thing that is wrong ends the reading. */
#ifndef RIDGE_JSON_READER_H
#define RIDGE_JSON_READER_H

#include "sims/base/arena.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct json_reader {
	struct arena *arena;
	const char *file;
	const char *place; /* the entry, "load of facts"; NULL: none */
	char *err;
	size_t err_size;
};

/* "FILE: PLACE: ..." in err. Always -1, so that a reader can return it. */
int json_refuse(const struct json_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The same about a name that is not one of the n known ones, with the one that was probably meant. */
int json_refuse_name(const struct json_reader *r, const char *given, const char *const known[],
	size_t n, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The same for functions that take a list of arguments themselves. */
int json_vrefuse(const struct json_reader *r, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
int json_vrefuse_name(const struct json_reader *r, const char *given, const char *const known[],
	size_t n, const char *fmt, va_list ap) __attribute__((format(printf, 5, 0)));

/* Each member or element, in order; none of NULL. */
#define JSON_EACH(one, of) for ((one) = json_first(of); (one); (one) = (one)->next)
static inline cJSON *json_first(const cJSON *of)
{
	return of ? of->child : NULL;
}

/* NULL when there is none. */
const cJSON *json_item(const cJSON *object, const char *name);

/* 0; or -1 after a refusal: no object, or a member that is not among the NULL-terminated names. */
int json_check_items(const struct json_reader *r, const cJSON *object, const char *what,
	const char *const known[]);

enum { LONGEST_JSON_TEXT = 2000 };
/* A text of 1 to LONGEST_JSON_TEXT bytes without control characters, copied; an optional one that is absent leaves *out as it is.
 * 0; or -1 after a refusal. */
int json_read_text(const struct json_reader *r, const cJSON *object, const char *name,
	bool optional, const char **out);

/* A list of `least` to `most` such texts. 0; or -1 after a refusal. */
int json_read_texts(const struct json_reader *r, const cJSON *object, const char *name,
	size_t least, size_t most, const char *const **out, size_t *n);

/* Zeroed; NULL after a refusal where memory is out. */
void *json_new_array(const struct json_reader *r, size_t n, size_t size);

#endif
