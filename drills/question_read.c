/* Questions from JSON. */
#include "drills/question.h"

#include "sims/base/nearest.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ITEMS = 64, LONGEST_NAME = 200 };

static int fail(char *err, size_t err_size, const char *field, const char *expected)
{
	snprintf(err, err_size, "%s: expected %s", field, expected);
	return -1;
}

static const cJSON *member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

int tolerance_read(const cJSON *object, struct tolerance *out, char *err, size_t err_size)
{
	static const struct {
		const char *name;
		enum tolerance_mode mode;
	} modes[] = { { "rel", TOLERANCE_RELATIVE }, { "abs", TOLERANCE_ABSOLUTE },
		{ "geo", TOLERANCE_FACTOR }, { "sigfig", TOLERANCE_DIGITS } };
	const cJSON *mode = member(object, "mode");
	if (!mode)
		return 0;
	if (cJSON_IsString(mode) && strcmp(mode->valuestring, "exact") == 0) {
		*out = (struct tolerance){ TOLERANCE_EXACT, 0 };
		return 0;
	}
	const cJSON *amount = cJSON_IsObject(mode) ? mode->child : NULL;
	for (size_t i = 0; amount && !amount->next && i < sizeof modes / sizeof *modes; i++)
		if (cJSON_IsNumber(amount) && strcmp(amount->string, modes[i].name) == 0) {
			*out = (struct tolerance){ modes[i].mode, amount->valuedouble };
			return 0;
		}
	return fail(err, err_size, "mode",
		"\"exact\" or one of {\"rel\": t}, {\"abs\": t}, {\"geo\": f}, {\"sigfig\": n}");
}

int unit_policy_read(const cJSON *object, enum unit_policy *out, char *err, size_t err_size)
{
	static const char *const names[] = { "named", "required", "none" };
	const cJSON *policy = member(object, "unit_policy");
	if (!policy)
		return 0;
	for (unsigned i = 0; cJSON_IsString(policy) && i < 3; i++)
		if (strcmp(policy->valuestring, names[i]) == 0) {
			*out = (enum unit_policy)i;
			return 0;
		}
	return fail(err, err_size, "unit_policy", "\"named\", \"required\" or \"none\"");
}

int tags_read(const cJSON *object, unsigned *out, char *err, size_t err_size)
{
	const cJSON *tags = member(object, "tags"), *tag;
	if (!tags)
		return 0;
	if (!cJSON_IsArray(tags))
		return fail(err, err_size, "tags", "an array of names");
	*out = 0;
	cJSON_ArrayForEach(tag, tags)
	{
		unsigned bit = 0;
		for (unsigned i = 0; cJSON_IsString(tag) && i < N_TAGS; i++)
			if (strcmp(tag->valuestring, tag_names[i]) == 0)
				bit = 1u << i;
		if (!bit)
			return fail(err, err_size, "tags",
				"info, kv, flops, peak, link, dtype, train or time");
		*out |= bit;
	}
	return 0;
}

static int read_factors(
	const cJSON *object, struct arena *a, struct question *q, char *err, size_t err_size)
{
	const cJSON *factors = member(object, "factors"), *f;
	if (!factors)
		return 0;
	if (!cJSON_IsObject(factors) || cJSON_GetArraySize(factors) > MOST_ITEMS)
		return fail(err, err_size, "factors", "an object of at most 64 numbers by name");
	struct factor *list = arena_array(a, (size_t)cJSON_GetArraySize(factors), sizeof *list);
	cJSON_ArrayForEach(f, factors)
	{
		if (!cJSON_IsNumber(f) || strlen(f->string) > LONGEST_NAME)
			return fail(err, err_size, "factors", "a number by a short name");
		if (list)
			list[q->n_factors++] =
				(struct factor){ arena_text(a, f->string), f->valuedouble };
	}
	q->factors = list;
	return 0;
}

static int read_mistake(
	const cJSON *m, struct arena *a, struct mistake *out, char *err, size_t err_size)
{
	const cJSON *name = member(m, "name"), *value = member(m, "value");
	const cJSON *credit = member(m, "credit"), *link = member(m, "link");
	if (!cJSON_IsString(name) || strlen(name->valuestring) > LONGEST_NAME)
		return fail(err, err_size, "mistakes", "a \"name\" of at most 200 bytes");
	if (!cJSON_IsNumber(value))
		return fail(err, err_size, "mistakes", "a number as \"value\"");
	if ((credit && !cJSON_IsNumber(credit)) || (link && !cJSON_IsString(link)))
		return fail(
			err, err_size, "mistakes", "a number as \"credit\", a text as \"link\"");
	*out = (struct mistake){ .name = arena_text(a, name->valuestring),
		.value = value->valuedouble,
		.credit = credit ? credit->valuedouble : DEFAULT_CREDIT_PERCENT / 100.0,
		.link = link ? arena_text(a, link->valuestring) : NULL };
	return 0;
}

static int read_mistakes(
	const cJSON *object, struct arena *a, struct question *q, char *err, size_t err_size)
{
	const cJSON *mistakes = member(object, "mistakes"), *m;
	if (!mistakes)
		return 0;
	if (!cJSON_IsArray(mistakes) || cJSON_GetArraySize(mistakes) > MOST_ITEMS)
		return fail(err, err_size, "mistakes", "an array of at most 64");
	struct mistake *list = arena_array(a, (size_t)cJSON_GetArraySize(mistakes), sizeof *list);
	cJSON_ArrayForEach(m, mistakes)
	{
		struct mistake one;
		if (read_mistake(m, a, &one, err, err_size))
			return -1;
		if (list)
			list[q->n_mistakes++] = one;
	}
	q->mistakes = list;
	return 0;
}

static int check_members(const cJSON *object, char *err, size_t err_size)
{
	static const char *const known[] = { "schema", "name", "text", "key", "unit", "shown_unit",
		"unit_policy", "mode", "dual", "tags", "factors", "mistakes" };
	const cJSON *m;
	cJSON_ArrayForEach(m, object)
	{
		bool found = false;
		for (size_t i = 0; i < sizeof known / sizeof *known; i++)
			found |= strcmp(known[i], m->string) == 0;
		if (found)
			continue;
		const char *near = nearest_name(m->string, known, sizeof known / sizeof *known);
		snprintf(err, err_size, "unknown member \"%.40s\"%s%s", m->string,
			near ? ", did you mean " : "", near ? near : "");
		return -1;
	}
	return 0;
}

static int read_object(
	const cJSON *object, struct arena *a, struct question *q, char *err, size_t err_size)
{
	*q = (struct question){
		.unit = "", .shown_unit = "", .tolerance = { TOLERANCE_RELATIVE, 0.05 }
	};
	if (!cJSON_IsObject(object))
		return fail(err, err_size, "question", "an object");
	if (check_members(object, err, err_size))
		return -1;
	const cJSON *key = member(object, "key"), *unit = member(object, "unit");
	const cJSON *shown = member(object, "shown_unit"), *dual = member(object, "dual");
	if (!cJSON_IsNumber(key))
		return fail(err, err_size, "key", "a number");
	if (!cJSON_IsString(unit))
		return fail(err, err_size, "unit", "a text such as \"B/s\"");
	if (shown && !cJSON_IsString(shown))
		return fail(err, err_size, "shown_unit", "a text such as \"GB/s\"");
	if (dual && !cJSON_IsBool(dual))
		return fail(err, err_size, "dual", "true or false");
	q->key = key->valuedouble;
	q->unit = arena_text(a, unit->valuestring);
	q->shown_unit = shown ? arena_text(a, shown->valuestring) : q->unit;
	q->dual = cJSON_IsTrue(dual);
	if (tolerance_read(object, &q->tolerance, err, err_size) ||
		unit_policy_read(object, &q->unit_policy, err, err_size) ||
		tags_read(object, &q->tags, err, err_size) ||
		read_factors(object, a, q, err, err_size) ||
		read_mistakes(object, a, q, err, err_size))
		return -1;
	if (a->failed)
		return fail(err, err_size, "question", "more memory");
	return question_check(q, err, err_size);
}

/* The question that is meant: the whole text, or one of its "questions". */
static const cJSON *choose(const cJSON *root, const char *name, char *err, size_t err_size)
{
	enum { MOST_NAMES = 1000 };
	const char *names[MOST_NAMES];
	const cJSON *list = member(root, "questions"), *q;
	size_t n = 0;
	if (!list && !name)
		return root;
	if (!cJSON_IsObject(list)) {
		fail(err, err_size, "questions", "an object of questions by name");
		return NULL;
	}
	if (!name && list->child && !list->child->next)
		return list->child;
	cJSON_ArrayForEach(q, list)
	{
		if (name && strcmp(q->string, name) == 0)
			return q;
		if (n < MOST_NAMES)
			names[n++] = q->string;
	}
	const char *near = name ? nearest_name(name, names, n) : NULL;
	if (!name)
		snprintf(err, err_size, "holds %zu questions: say which with --question NAME", n);
	else
		snprintf(err, err_size, "no question \"%.60s\"%s%s", name,
			near ? ", did you mean " : "", near ? near : "");
	return NULL;
}

int question_read(const char *json, const char *name, struct arena *a, struct question *q,
	char *err, size_t err_size)
{
	const char *end = NULL;
	cJSON *root = cJSON_ParseWithOpts(json, &end, true);
	if (!root) {
		size_t line = 1;
		for (const char *p = json; end && p < end; p++)
			line += *p == '\n';
		snprintf(err, err_size, "not JSON, at line %zu", line);
		return -1;
	}
	const cJSON *object = choose(root, name, err, err_size);
	int rc = object ? read_object(object, a, q, err, err_size) : -1;
	cJSON_Delete(root);
	return rc;
}
