/* What a name of a tour stands for, and the captions and expectations that are written in them. */
#include "ui/talks/tour_words.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/quantity/named.h"
#include "sims/quantity/quantity.h"
#include "ui/pages/page_env.h"
#include "ui/views/quantity_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TEXT = 600, MOST_NAMES = 64, NAME = 64 };

/* --- Names --- */

int tour_no_value(const struct figure *fig, const char *id, char *err, size_t err_size)
{
	const char *names[MOST_NAMES];
	size_t n = 0;
	char hint[HINT_SIZE];
	for (size_t i = 0; i < fig->n_values && n < MOST_NAMES; i++)
		names[n++] = fig->values[i].id;
	snprintf(err, err_size, "the figure has no value \"%.40s\"%s", id,
		did_you_mean(id, names, n, hint, sizeof hint));
	return -1;
}

static int value_of(const struct figure *fig, const char *id, const struct value **out, char *err,
	size_t err_size)
{
	if (!fig) {
		snprintf(err, err_size, "\"%.40s\": there is no figure before this step's", id);
		return -1;
	}
	*out = figure_find(fig, id);
	return *out ? 0 : tour_no_value(fig, id, err, err_size);
}

/* Reads "before.ID" or "ID" from *at, and goes on behind it. */
static int read_value(const struct tour_scene *s, const char **at, const struct value **out,
	char *err, size_t err_size)
{
	static const char before[] = "before.";
	bool past = strncmp(*at, before, strlen(before)) == 0;
	char id[NAME];
	*at += past ? strlen(before) : 0;
	snprintf(id, sizeof id, "%.*s", (int)name_bytes(*at), *at);
	*at += name_bytes(*at);
	return value_of(past ? s->before : s->now, id, out, err, err_size);
}

/* Reads "ratio(ID)", a name, and goes on behind it. */
static int read_name(
	const struct tour_scene *s, const char **at, double *out, char *err, size_t err_size)
{
	static const char ratio[] = "ratio(";
	const struct value *now, *was;
	bool over = strncmp(*at, ratio, strlen(ratio)) == 0;
	*at += over ? strlen(ratio) : 0;
	if (read_value(s, at, &now, err, err_size))
		return -1;
	*out = now->value;
	if (!over)
		return 0;
	if (**at != ')') {
		snprintf(err, err_size, "ratio(%s: no \")\"", now->id);
		return -1;
	}
	++*at;
	if (value_of(s->before, now->id, &was, err, err_size))
		return -1;
	*out = now->value / was->value;
	return 0;
}

static int find_name(const void *scene, const char **at, double *out, char *err, size_t err_size)
{
	return read_name(scene, at, out, err, err_size);
}

int tour_number(
	const struct tour_scene *s, const char *text, double *out, char *err, size_t err_size)
{
	return named_arithmetic(&(struct named_numbers){ find_name, s }, text, out, err, err_size);
}

/* --- Captions --- */

/* Cuts " in UNIT" off; "" where there is none. */
static void cut_unit(char *text, char *unit, size_t size)
{
	char *in = strstr(text, " in ");
	snprintf(unit, size, "%s", in ? in + 4 : "");
	if (in)
		*in = '\0';
}

static int in_unit(const struct value *v, const char *unit, double *out, char *err, size_t err_size)
{
	struct unit from, to;
	*out = v->value;
	if (!*unit)
		return 0;
	if (!unit_parse(v->unit, &from) || !unit_parse(unit, &to) ||
		!unit_same_dimension(&from, &to)) {
		snprintf(err, err_size, "%s in \"%s\" cannot be shown in \"%.20s\"", v->id, v->unit,
			unit);
		return -1;
	}
	*out = v->value * from.factor / to.factor;
	return 0;
}

/* Whether all of a text is one name, "before." or not. */
static bool is_name(const char *text)
{
	const char *at = strncmp(text, "before.", 7) == 0 ? text + 7 : text;
	return name_bytes(at) && at[name_bytes(at)] == '\0';
}

/* What is computed in terms of the figure; 1: it is not in these terms. */
static int compute_here(const struct tour_scene *s, const char *text, char *buf, size_t size,
	char *err, size_t err_size)
{
	const struct value *v;
	const char *at = text;
	char copy[MOST_TEXT], unit[24];
	double number;
	snprintf(copy, sizeof copy, "%s", text);
	cut_unit(copy, unit, sizeof unit);
	if (strcmp(copy, "why") == 0) {
		snprintf(buf, size, "%s", s->now && s->now->why ? s->now->why : "");
		return 0;
	}
	if (is_name(copy)) {
		at = copy;
		if (read_value(s, &at, &v, err, err_size) ||
			in_unit(v, unit, &number, err, err_size))
			return -1;
		quantity_show(buf, size, number, *unit ? unit : v->unit);
		return 0;
	}
	if (tour_number(s, copy, &number, err, err_size))
		return -1;
	quantity_show(buf, size, number, unit);
	return 0;
}

/* A formula or another simulation's value is computed as in pages. */
static int compute(const struct tour_scene *s, const char *text, char *buf, size_t size, char *err,
	size_t err_size)
{
	char first[300];
	if (compute_here(s, text, buf, size, err, err_size) == 0)
		return 0;
	snprintf(first, sizeof first, "%s", err);
	if (page_env_compute(s->tables, text, buf, size) == 0)
		return 0;
	snprintf(err, err_size, "%.*s", (int)err_size - 1, is_name(text) || !*buf ? first : buf);
	snprintf(buf, size, "?");
	return -1;
}

int tour_caption(const struct tour_scene *s, const char *text, char *buf, size_t size, char *err,
	size_t err_size)
{
	size_t used = 0;
	int rc = 0;
	for (const char *at = text; *at && used + 1 < size;) {
		const char *end = *at == '`' ? strchr(at + 1, '`') : NULL;
		char code[MOST_TEXT], shown[MOST_TEXT], wrong[300] = "";
		if (!end) {
			buf[used++] = *at++;
			continue;
		}
		snprintf(code, sizeof code, "%.*s", (int)(end - at - 1), at + 1);
		snprintf(shown, sizeof shown, "%s", code);
		/* The first that is wrong is told, whatever follows it. */
		if (code[0] == '=' &&
			compute(s, code + 1, shown, sizeof shown, wrong, sizeof wrong)) {
			if (!rc)
				snprintf(err, err_size, "%s", wrong);
			rc = -1;
		}
		int n = snprintf(buf + used, size - used, "%s", shown);
		used += (size_t)n < size - used ? (size_t)n : size - used - 1;
		at = end + 1;
	}
	buf[used] = '\0';
	return rc;
}

/* Whether n bytes of text have a name that is this id. */
static bool has_name(const char *text, size_t n, const char *id)
{
	const char *end = text + n;
	for (const char *at = text; at < end;) {
		size_t bytes = name_bytes(at);
		if (bytes == strlen(id) && memcmp(at, id, bytes) == 0)
			return true;
		at += bytes ? bytes : 1;
	}
	return false;
}

bool tour_caption_names(const char *text, const char *id)
{
	for (const char *at = text; (at = strstr(at, "`="));) {
		const char *code = at + 2, *end = strchr(code, '`');
		if (!end)
			return false;
		size_t n = (size_t)(end - code);
		if (!memchr(code, ':', n) && has_name(code, n, id))
			return true;
		at = end + 1;
	}
	return false;
}

/* --- Expectations --- */

static const double about_share = 0.05;

/* The first of some words in a text, with blanks around it. */
static const char *find_word(const char *text, const char *const words[], size_t n, size_t *which)
{
	const char *first = NULL;
	for (size_t i = 0; i < n; i++) {
		const char *at = strstr(text, words[i]);
		if (at && (!first || at < first)) {
			first = at;
			*which = i;
		}
	}
	return first;
}

int tour_expect(const struct tour_scene *s, const char *text, bool *holds, double *found, char *err,
	size_t err_size)
{
	enum { LESS, MORE, BETWEEN, ABOUT };
	static const char *const words[] = { " < ", " > ", " between ", " about " };
	size_t which = 0;
	const char *at = find_word(text, words, LENGTH(words), &which);
	char left[MOST_TEXT], right[MOST_TEXT];
	double a, b, c = 0;
	if (!at) {
		snprintf(err, err_size,
			"\"%.80s\" expects nothing: A < B, A > B, A between B and C, A about B",
			text);
		return -1;
	}
	snprintf(left, sizeof left, "%.*s", (int)(at - text), text);
	snprintf(right, sizeof right, "%s", at + strlen(words[which]));
	char *and = which == BETWEEN ? strstr(right, " and ") : NULL;
	if (which == BETWEEN && !and) {
		snprintf(err, err_size, "\"%.80s\": between B and C", text);
		return -1;
	}
	if (and)
		*and = '\0';
	if (tour_number(s, left, &a, err, err_size) || tour_number(s, right, &b, err, err_size) ||
		(and&&tour_number(s, and+5, &c, err, err_size)))
		return -1;
	*found = a;
	*holds = which == LESS      ? a < b
		 : which == MORE    ? a > b
		 : which == BETWEEN ? a >= b && a <= c
				    : fabs(a - b) <= about_share * fabs(b);
	return 0;
}
