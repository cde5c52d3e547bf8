#include "sims/architecture/config_fields.h"

#include "sims/base/array.h"
#include "sims/quantity/quantity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct config_fields config_fields_of(const cJSON *file, char *err, size_t err_size)
{
	static const char *const inner[] = { "text_config", "language_config", "llm_config" };
	struct config_fields f = { file, file, err, err_size, false };
	for (size_t i = 0; i < LENGTH(inner) && f.model == file; i++) {
		const cJSON *j = cJSON_GetObjectItemCaseSensitive(file, inner[i]);
		if (cJSON_IsObject(j))
			f.model = j;
	}
	return f;
}

/* What a file says may be anything, and a message is one line. */
static void cleaned(char *text)
{
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e)
			*c = '?';
}

void config_refuse(struct config_fields *f, const char *fmt, ...)
{
	va_list ap;
	if (f->failed)
		return;
	f->failed = true;
	va_start(ap, fmt);
	vsnprintf(f->err, f->err_size, fmt, ap);
	va_end(ap);
	if (f->err_size)
		cleaned(f->err);
}

static const cJSON *member_of(const cJSON *object, const char *name, size_t n)
{
	const cJSON *j = object ? object->child : NULL;
	while (j && (strncmp(j->string, name, n) != 0 || j->string[n]))
		j = j->next;
	return j && !cJSON_IsNull(j) ? j : NULL;
}

/* MPT and DBRX keep attention and feed-forward part in objects of their own. */
static const cJSON *find(const struct config_fields *f, const char *name, size_t n)
{
	static const char *const places[] = { "attn_config", "ffn_config" };
	const cJSON *found = member_of(f->model, name, n);
	for (size_t i = 0; i < LENGTH(places) && !found; i++) {
		const cJSON *place = cJSON_GetObjectItemCaseSensitive(f->model, places[i]);
		found = cJSON_IsObject(place) ? member_of(place, name, n) : NULL;
	}
	return found;
}

const cJSON *config_member(const struct config_fields *f, const char *names)
{
	const cJSON *found = NULL;
	while (*names && !found) {
		size_t n = strcspn(names, "|");
		found = find(f, names, n);
		names += n + (names[n] == '|');
	}
	return found;
}

/* As messages show it. */
static const char *shown(const cJSON *j, char *buf, size_t size)
{
	if (cJSON_IsString(j))
		snprintf(buf, size, "\"%.40s\"", j->valuestring);
	else if (cJSON_IsNumber(j))
		snprintf(buf, size, "%g", j->valuedouble);
	else if (cJSON_IsArray(j))
		snprintf(buf, size, "a list of %d", cJSON_GetArraySize(j));
	else
		snprintf(buf, size, "%s",
			cJSON_IsObject(j) ? "an object"
			: cJSON_IsTrue(j) ? "true"
					  : "false");
	return buf;
}

double config_count(struct config_fields *f, const char *names, double least, double fallback)
{
	char found[64], from[32], to[32];
	const cJSON *j = config_member(f, names);
	const double x = cJSON_IsNumber(j) ? j->valuedouble : NAN;
	if (!j && isnan(fallback))
		config_refuse(f, "%.*s: expected, but missing", (int)strcspn(names, "|"), names);
	if (!j)
		return fallback;
	if (x >= least && x <= LARGEST_COUNT && x == floor(x))
		return x;
	config_refuse(f, "%.60s: expected a whole number from %s to %s, found %s", j->string,
		quantity_format(from, sizeof from, least, ""),
		quantity_format(to, sizeof to, LARGEST_COUNT, ""), shown(j, found, sizeof found));
	return least;
}

bool config_flag(struct config_fields *f, const char *names, bool fallback)
{
	char found[64];
	const cJSON *j = config_member(f, names);
	if (j && !cJSON_IsBool(j))
		config_refuse(f, "%.60s: expected true or false, found %s", j->string,
			shown(j, found, sizeof found));
	return cJSON_IsBool(j) ? cJSON_IsTrue(j) : fallback;
}

const char *config_text(struct config_fields *f, const char *names)
{
	char found[64];
	const cJSON *j = config_member(f, names);
	if (j && !cJSON_IsString(j))
		config_refuse(f, "%.60s: expected a text, found %s", j->string,
			shown(j, found, sizeof found));
	return cJSON_GetStringValue(j);
}

const cJSON *config_list(struct config_fields *f, const char *names, size_t n)
{
	char found[64];
	const cJSON *j = config_member(f, names);
	if (!j || (cJSON_IsArray(j) && (size_t)cJSON_GetArraySize(j) >= n))
		return j;
	config_refuse(f, "%.60s: expected a list of %zu, found %s", j->string, n,
		shown(j, found, sizeof found));
	return NULL;
}
