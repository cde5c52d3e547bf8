#include "drills/json_reader.h"

#include "sims/base/match.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

int json_vrefuse(const struct json_reader *r, const char *fmt, va_list ap)
{
	int n = snprintf(r->err, r->err_size, "%s: %s%s", r->file, r->place ? r->place : "",
		r->place ? ": " : "");
	if (n >= 0 && (size_t)n < r->err_size)
		vsnprintf(r->err + n, r->err_size - (size_t)n, fmt, ap);
	/* Ids, names of members and words of the file stand in it as they are there. */
	for (char *p = r->err_size ? r->err : ""; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = '?';
	return -1;
}

int json_refuse(const struct json_reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	json_vrefuse(r, fmt, ap);
	va_end(ap);
	return -1;
}

int json_vrefuse_name(const struct json_reader *r, const char *given, const char *const known[],
	size_t n, const char *fmt, va_list ap)
{
	char text[300], hint[HINT_SIZE];
	vsnprintf(text, sizeof text, fmt, ap);
	return json_refuse(r, "%s%s", text, did_you_mean(given, known, n, hint, sizeof hint));
}

int json_refuse_name(const struct json_reader *r, const char *given, const char *const known[],
	size_t n, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	json_vrefuse_name(r, given, known, n, fmt, ap);
	va_end(ap);
	return -1;
}

const cJSON *json_item(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

int json_check_items(const struct json_reader *r, const cJSON *object, const char *what,
	const char *const known[])
{
	const cJSON *m;
	size_t n = 0;
	if (!cJSON_IsObject(object))
		return json_refuse(r, "%s: expected an object", what);
	while (known[n])
		n++;
	JSON_EACH(m, object)
	{
		bool found = false;
		for (size_t i = 0; i < n; i++)
			found |= strcmp(known[i], m->string) == 0;
		if (!found)
			return json_refuse_name(r, m->string, known, n,
				"unknown member \"%.40s\" in %s", m->string, what);
	}
	return 0;
}

void *json_new_array(const struct json_reader *r, size_t n, size_t size)
{
	void *array = arena_array(r->arena, n, size);
	if (!array)
		json_refuse(r, "out of memory");
	return array;
}

/* A control character could move the cursor of whoever reads the text, or change its colours. */
static bool is_text(const cJSON *text)
{
	if (!cJSON_IsString(text) || !*text->valuestring ||
		strlen(text->valuestring) > LONGEST_JSON_TEXT)
		return false;
	for (const char *p = text->valuestring; *p; p++)
		if (iscntrl((unsigned char)*p) && *p != '\n')
			return false;
	return true;
}

int json_read_text(const struct json_reader *r, const cJSON *object, const char *name,
	bool optional, const char **out)
{
	const cJSON *text = json_item(object, name);
	if (!text && optional)
		return 0;
	if (!text || !is_text(text))
		return json_refuse(
			r, "%s: expected a text of 1 to %d bytes", name, LONGEST_JSON_TEXT);
	*out = arena_text(r->arena, text->valuestring);
	return 0;
}

int json_read_texts(const struct json_reader *r, const cJSON *object, const char *name,
	size_t least, size_t most, const char *const **out, size_t *n)
{
	const cJSON *list = json_item(object, name), *one;
	size_t count = (size_t)cJSON_GetArraySize(list);
	*n = 0;
	if (!list && least == 0)
		return 0;
	if (!cJSON_IsArray(list) || count < least || count > most)
		return json_refuse(r, "%s: expected %zu to %zu texts", name, least, most);
	const char **texts = json_new_array(r, count, sizeof *texts);
	if (!texts)
		return -1;
	JSON_EACH(one, list)
	{
		if (!is_text(one))
			return json_refuse(
				r, "%s: expected texts of 1 to %d bytes", name, LONGEST_JSON_TEXT);
		texts[(*n)++] = arena_text(r->arena, one->valuestring);
	}
	*out = texts;
	return 0;
}
