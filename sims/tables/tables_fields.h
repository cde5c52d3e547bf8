/* Fills structs from the members of JSON objects as a table of fields says: what tables_json.c
 * reads its files with. Every refusal is one line that names file, entry and field, and returns
 * -1. */
#ifndef RIDGE_TABLES_FIELDS_H
#define RIDGE_TABLES_FIELDS_H

#include "sims/quantity/quantity.h"
#include "sims/tables/tables.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* What a member may be. A figure is [number, "unit", "source"]. */
enum field_kind {
	FIELD_FIGURE, /* double */
	FIELD_COUNT,  /* a figure that is a whole number */
	FIELD_ID,     /* const char *, of letters that need no quotes on a command line */
	FIELD_TEXT,   /* const char * */
	FIELD_NOTE,   /* a text for readers of the file only */
	FIELD_YEAR,   /* int, a bare number */
	FIELD_FLAG,   /* int, true or false */
	FIELD_GROUP   /* an object */
};

struct field_list {
	const struct field *fields;
	size_t n; /* at most 64 */
};

struct field {
	const char *name;
	enum field_kind kind;
	bool required;
	size_t offset;
	const char *unit; /* of the value in the struct; min and max are in it */
	double min, max;  /* both included */
	const struct field_list *group;
};

enum { MOST_SOURCES = 1000, MOST_UNITS = 32 };

/* Where the reading is, for messages; and the units met so far: a file has hundreds of figures in
 * a dozen units. */
struct fields_reader {
	struct tables *tables;
	const char *file, *entry, *group, *field;
	const cJSON *sources; /* an object of at most MOST_SOURCES members */
	struct {
		const char *text;
		struct unit unit;
	} units[MOST_UNITS];
	size_t n_units;
	char *err;
	size_t err_size;
};

/* Every member of a JSON object is a known field, once; every required field is there. Texts are
 * copied to the arena of the tables, whose `failed` the caller asks. */
int read_members(
	struct fields_reader *r, const struct field_list *list, const cJSON *j, void *base);

/* Writes the line. Always -1. */
int refuse(const struct fields_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A few letters of foreign text that do no harm to a terminal. */
struct excerpt {
	char text[80];
};
struct excerpt excerpt(const char *s);
struct excerpt found(const cJSON *j); /* what stands there, in a few words */
/* " (did you mean ...?)", or nothing. */
struct excerpt suggestion(const char *typed, const char *const names[], size_t n);

#endif
