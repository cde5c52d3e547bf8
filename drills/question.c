/* Questions: what they accept, what they say about it, and how they are read from JSON. */
#include "drills/question.h"

#include "drills/json_reader.h"
#include "drills/json_root.h"
#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* At i: of the tag with bit i. */
enum { N_TAGS = 8 };
static const char *const tag_names[N_TAGS] = { "info", "kv", "flops", "peak", "link", "dtype",
	"train", "time" };

static const double ROUNDING = 1e-9, MOST_DIAGNOSIS = 0.015;

/* Half the width of what is accepted, as a difference from the key in q->unit. A factor has no such
 * width. */
static double half_width(const struct question *q)
{
	struct unit unit, shown;
	double v = fabs(q->key), t = q->tolerance.amount;
	assert((unsigned)q->tolerance.mode <= TOLERANCE_EXACT);
	switch (q->tolerance.mode) {
	case TOLERANCE_RELATIVE:
		return t * v * (1 + ROUNDING);
	case TOLERANCE_ABSOLUTE:
		if (unit_parse(q->unit, &unit) && unit_parse(q->shown_unit, &shown))
			t *= shown.factor / unit.factor;
		return t * (1 + ROUNDING);
	case TOLERANCE_DIGITS:
		return 0.51 * pow(10, floor(log10(v)) - t + 1);
	case TOLERANCE_FACTOR:
	case TOLERANCE_EXACT:
		break;
	}
	return ROUNDING * v;
}

bool question_accepts(const struct question *q, double value)
{
	if (q->tolerance.mode != TOLERANCE_FACTOR)
		return fabs(value - q->key) <= half_width(q);
	double ratio = value / q->key;
	return ratio > 0 && fmax(ratio, 1 / ratio) <= q->tolerance.amount * (1 + ROUNDING);
}

static double whole_of(const struct question *q, double value)
{
	const bool is_whole = fabs(value - rint(value)) <= ROUNDING * fabs(value);
	if (q->whole == WHOLE_NOT || is_whole)
		return value;
	return q->whole == WHOLE_UP ? ceil(value) : floor(value);
}

double question_rounded(const struct question *q, double value)
{
	const double whole = whole_of(q, value);
	return question_accepts(q, whole) ? whole : value;
}

void question_accepted(const struct question *q, double *low, double *high)
{
	bool factor = q->tolerance.mode == TOLERANCE_FACTOR;
	double f = q->tolerance.amount, w = factor ? 0 : half_width(q);
	double a = factor ? q->key / f : q->key - w, b = factor ? q->key * f : q->key + w;
	*low = fmin(a, b);
	*high = fmax(a, b);
}

double question_tolerance_ratio(const struct question *q)
{
	if (q->tolerance.mode == TOLERANCE_FACTOR)
		return q->tolerance.amount - 1;
	return q->key == 0 ? INFINITY : half_width(q) / fabs(q->key);
}

double question_diagnosis_ratio(const struct question *q)
{
	return fmin(question_tolerance_ratio(q), MOST_DIAGNOSIS);
}

bool question_separable(const struct question *q)
{
	double apart = log1p(question_tolerance_ratio(q)) + log1p(question_diagnosis_ratio(q));
	for (size_t i = 0; i < q->n_mistakes; i++) {
		double m = q->mistakes[i].value;
		bool same = fabs(m - q->key) <= ROUNDING * fabs(q->key);
		const bool near = m / q->key > 0 && fabs(log(m / q->key)) <= apart;
		if (!same && (near || question_accepts(q, question_rounded(q, m))))
			return false;
	}
	return true;
}

static int fail(char *err, size_t err_size, const char *what)
{
	snprintf(err, err_size, "%s", what);
	return -1;
}

static int check_tolerance(const struct question *q, char *err, size_t err_size)
{
	double t = q->tolerance.amount;
	bool ok = true;
	switch (q->tolerance.mode) {
	case TOLERANCE_RELATIVE:
		ok = t > 0 && t < 1;
		break;
	case TOLERANCE_ABSOLUTE:
		ok = t > 0 && t < INFINITY;
		break;
	case TOLERANCE_FACTOR:
		ok = t > 1 && t <= 1000;
		break;
	case TOLERANCE_DIGITS:
		ok = t >= 1 && t <= 15 && t == floor(t);
		break;
	case TOLERANCE_EXACT:
		break;
	}
	if (!ok)
		return fail(err, err_size,
			"mode: rel is in (0, 1), abs above 0, geo in (1, 1000], sigfig 1 to 15");
	if (q->key == 0 && q->tolerance.mode != TOLERANCE_ABSOLUTE)
		return fail(err, err_size, "key: 0 can only be asked with {\"abs\": ...}");
	return 0;
}

static int check_units(const struct question *q, char *err, size_t err_size)
{
	struct unit unit, shown;
	if (!unit_parse(q->unit, &unit)) {
		snprintf(err, err_size, "unit: \"%s\" is not a unit", q->unit);
		return -1;
	}
	if (!unit_parse(q->shown_unit, &shown)) {
		snprintf(err, err_size, "shown_unit: \"%s\" is not a unit", q->shown_unit);
		return -1;
	}
	/* A count of parameters may also be shown as "billion". */
	const struct unit plain = { .factor = 1 };
	if (!unit_same_dimension(&unit, &shown) && !unit_same_dimension(&plain, &shown)) {
		snprintf(err, err_size, "shown_unit: \"%s\" and \"%s\" differ in dimension",
			q->shown_unit, q->unit);
		return -1;
	}
	return 0;
}

int question_check(const struct question *q, char *err, size_t err_size)
{
	if (!isfinite(q->key))
		return fail(err, err_size, "key: not a finite number");
	if (check_units(q, err, err_size) || check_tolerance(q, err, err_size))
		return -1;
	for (size_t i = 0; i < q->n_factors; i++)
		if (!isfinite(q->factors[i].value)) {
			snprintf(err, err_size, "factors: %s is not finite", q->factors[i].name);
			return -1;
		}
	for (size_t i = 0; i < q->n_mistakes; i++) {
		const struct mistake *m = &q->mistakes[i];
		if (!isfinite(m->value) || !(m->credit >= 0 && m->credit <= 1)) {
			snprintf(err, err_size,
				"mistakes: \"%s\" needs a finite value and a credit in 0..1",
				m->name);
			return -1;
		}
	}
	return 0;
}

/* Whether a number of the example would say something about the answer. */
static bool gives_away(const struct question *q, double value)
{
	double t = question_tolerance_ratio(q);
	double wide = t < 1 ? 2 * t : t;
	for (size_t i = 0; i <= q->n_mistakes; i++) {
		double v = i < q->n_mistakes ? q->mistakes[i].value : q->key;
		if (v != 0 && value / v > 0 && fabs(log(value / v)) <= log1p(wide) + log1p(t))
			return true;
	}
	return question_accepts(q, value);
}

/* The ends of the interval that an example of x, in the shown unit, would show. */
static void example_ends(const struct question *q, double x, double *low, double *high)
{
	double t = q->tolerance.amount;
	double w = q->tolerance.mode == TOLERANCE_RELATIVE ? t * x : t;
	if (q->tolerance.mode == TOLERANCE_DIGITS)
		w = 0.5 * pow(10, floor(log10(x)) - t + 1);
	bool factor = q->tolerance.mode == TOLERANCE_FACTOR;
	*low = factor ? x / t : x - w;
	*high = factor ? x * t : x + w;
}

static double example_for(const struct question *q, double shown_per_unit)
{
	static const double examples[] = { 200, 40, 1000, 8, 5000, 1, 2e4, 0.2, 3e5, 0.01, 7e6 };
	size_t n = LENGTH(examples);
	for (size_t i = 0; i < n; i++) {
		double low, high, x = examples[i];
		const bool odd =
			x > 100 && strcmp(q->shown_unit, "%") == 0; /* a share has a whole */
		example_ends(q, x, &low, &high);
		if (!odd && low > 0 && !gives_away(q, x * shown_per_unit) &&
			!gives_away(q, low * shown_per_unit) &&
			!gives_away(q, high * shown_per_unit))
			return x;
	}
	return 0;
}

char *tolerance_rule(const struct question *q, char *buf, size_t size)
{
	const double t = q->tolerance.amount;
	char number[64];
	number_format(number, sizeof number, q->tolerance.mode == TOLERANCE_RELATIVE ? 100 * t : t);
	if (q->tolerance.mode == TOLERANCE_EXACT)
		snprintf(buf, size, "exactly");
	else if (q->tolerance.mode == TOLERANCE_RELATIVE)
		snprintf(buf, size, "within %s %%", number);
	else if (q->tolerance.mode == TOLERANCE_FACTOR)
		snprintf(buf, size, "within a factor of %s", number);
	else if (q->tolerance.mode == TOLERANCE_DIGITS)
		snprintf(buf, size, "to %s digits", number);
	else
		snprintf(buf, size, "within %s %.40s", number, q->shown_unit);
	return buf;
}

char *tolerance_words(const struct question *q, char *buf, size_t size)
{
	char rule[128], text[3][64];
	struct unit unit, shown;
	double low, high, per = 1;
	tolerance_rule(q, rule, sizeof rule);
	if (unit_parse(q->unit, &unit) && unit_parse(q->shown_unit, &shown))
		per = shown.factor / unit.factor;
	const double x = q->tolerance.mode == TOLERANCE_EXACT ? 0 : example_for(q, per);
	if (x == 0) {
		snprintf(buf, size, "%s", rule);
		return buf;
	}
	example_ends(q, x, &low, &high);
	quantity_format(text[0], sizeof text[0], x, q->shown_unit);
	number_format(text[1], sizeof text[1], low);
	quantity_format(text[2], sizeof text[2], high, q->shown_unit);
	snprintf(buf, size, "%s: for %s, %s to %s count", rule, text[0], text[1], text[2]);
	return buf;
}

/* ---- Questions from JSON. */

enum { MOST_ITEMS = 64, LONGEST_NAME = 200 };

static int refuse(char *err, size_t err_size, const char *field, const char *expected)
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
	for (size_t i = 0; amount && !amount->next && i < LENGTH(modes); i++)
		if (cJSON_IsNumber(amount) && strcmp(amount->string, modes[i].name) == 0) {
			*out = (struct tolerance){ modes[i].mode, amount->valuedouble };
			return 0;
		}
	return refuse(err, err_size, "mode",
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
	return refuse(err, err_size, "unit_policy", "\"named\", \"required\" or \"none\"");
}

static int whole_read(const cJSON *object, enum whole_number *out, char *err, size_t err_size)
{
	const cJSON *whole = member(object, "whole");
	if (!whole)
		return 0;
	const bool up = cJSON_IsString(whole) && strcmp(whole->valuestring, "up") == 0,
		   down = cJSON_IsString(whole) && strcmp(whole->valuestring, "down") == 0;
	*out = up ? WHOLE_UP : WHOLE_DOWN;
	return up || down ? 0 : refuse(err, err_size, "whole", "\"up\" or \"down\"");
}

int tags_read(const cJSON *object, unsigned *out, char *err, size_t err_size)
{
	const cJSON *tags = member(object, "tags"), *tag;
	if (!tags)
		return 0;
	if (!cJSON_IsArray(tags))
		return refuse(err, err_size, "tags", "an array of names");
	*out = 0;
	JSON_EACH(tag, tags)
	{
		unsigned bit = 0;
		for (unsigned i = 0; cJSON_IsString(tag) && i < N_TAGS; i++)
			if (strcmp(tag->valuestring, tag_names[i]) == 0)
				bit = 1u << i;
		if (!bit)
			return refuse(err, err_size, "tags",
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
		return refuse(err, err_size, "factors", "an object of at most 64 numbers by name");
	struct factor *list = arena_array(a, (size_t)cJSON_GetArraySize(factors), sizeof *list);
	JSON_EACH(f, factors)
	{
		if (!cJSON_IsNumber(f) || strlen(f->string) > LONGEST_NAME)
			return refuse(err, err_size, "factors", "a number by a short name");
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
		return refuse(err, err_size, "mistakes", "a \"name\" of at most 200 bytes");
	if (!cJSON_IsNumber(value))
		return refuse(err, err_size, "mistakes", "a number as \"value\"");
	if ((credit && !cJSON_IsNumber(credit)) || (link && !cJSON_IsString(link)))
		return refuse(
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
		return refuse(err, err_size, "mistakes", "an array of at most 64");
	struct mistake *list = arena_array(a, (size_t)cJSON_GetArraySize(mistakes), sizeof *list);
	JSON_EACH(m, mistakes)
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
		"unit_policy", "mode", "dual", "whole", "tags", "factors", "mistakes" };
	const cJSON *m;
	JSON_EACH(m, object)
	{
		bool found = false;
		for (size_t i = 0; i < LENGTH(known); i++)
			found |= strcmp(known[i], m->string) == 0;
		if (found)
			continue;
		char hint[HINT_SIZE];
		snprintf(err, err_size, "unknown member \"%.40s\"%s", m->string,
			did_you_mean(m->string, known, LENGTH(known), hint, sizeof hint));
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
		return refuse(err, err_size, "question", "an object");
	if (check_members(object, err, err_size))
		return -1;
	const cJSON *key = member(object, "key"), *unit = member(object, "unit");
	const cJSON *shown = member(object, "shown_unit"), *dual = member(object, "dual");
	if (!cJSON_IsNumber(key))
		return refuse(err, err_size, "key", "a number");
	if (!cJSON_IsString(unit))
		return refuse(err, err_size, "unit", "a text such as \"B/s\"");
	if (shown && !cJSON_IsString(shown))
		return refuse(err, err_size, "shown_unit", "a text such as \"GB/s\"");
	if (dual && !cJSON_IsBool(dual))
		return refuse(err, err_size, "dual", "true or false");
	q->key = key->valuedouble;
	q->unit = arena_text(a, unit->valuestring);
	q->shown_unit = shown ? arena_text(a, shown->valuestring) : q->unit;
	q->dual = cJSON_IsTrue(dual);
	if (tolerance_read(object, &q->tolerance, err, err_size) ||
		unit_policy_read(object, &q->unit_policy, err, err_size) ||
		whole_read(object, &q->whole, err, err_size) ||
		tags_read(object, &q->tags, err, err_size) ||
		read_factors(object, a, q, err, err_size) ||
		read_mistakes(object, a, q, err, err_size))
		return -1;
	if (a->failed) {
		snprintf(err, err_size, "out of memory");
		return -1;
	}
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
		refuse(err, err_size, "questions", "an object of questions by name");
		return NULL;
	}
	if (!name && list->child && !list->child->next)
		return list->child;
	JSON_EACH(q, list)
	{
		if (name && strcmp(q->string, name) == 0)
			return q;
		if (n < MOST_NAMES)
			names[n++] = q->string;
	}
	char hint[HINT_SIZE];
	if (!name)
		snprintf(err, err_size, "holds %zu questions: say which with --question NAME", n);
	else
		snprintf(err, err_size, "no question \"%.60s\"%s", name,
			did_you_mean(name, names, n, hint, sizeof hint));
	return NULL;
}

int question_read(const char *json, const char *name, struct arena *a, struct question *q,
	char *err, size_t err_size)
{
	cJSON *root = json_root(json, err, err_size);
	if (!root)
		return -1;
	const cJSON *object = choose(root, name, err, err_size);
	int rc = object ? read_object(object, a, q, err, err_size) : -1;
	cJSON_Delete(root);
	return rc;
}
