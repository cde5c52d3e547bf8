#include "drills/bank_read.h"

#include "sims/nearest.h"
#include "sims/quantity_parse.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DRILLS = 1000, LONGEST_TEXT = 2000 };

int bank_refuse(const struct bank_reader *r, const char *fmt, ...)
{
	va_list ap;
	int n = snprintf(r->err, r->err_size, "%s: %s%s", r->file, r->drill ? r->drill : "",
	        r->drill ? ": " : "");
	if (n < 0 || (size_t)n >= r->err_size)
		return -1;
	va_start(ap, fmt);
	vsnprintf(r->err + n, r->err_size - (size_t)n, fmt, ap);
	va_end(ap);
	return -1;
}

const cJSON *bank_member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

int bank_check_members(const struct bank_reader *r, const cJSON *object, const char *what,
        const char *const known[])
{
	const cJSON *m;
	size_t n = 0;
	if (!cJSON_IsObject(object))
		return bank_refuse(r, "%s: expected an object", what);
	while (known[n])
		n++;
	cJSON_ArrayForEach(m, object)
	{
		bool found = false;
		for (size_t i = 0; i < n; i++)
			found |= strcmp(known[i], m->string) == 0;
		if (found)
			continue;
		const char *near = nearest_name(m->string, known, n);
		return bank_refuse(r, "unknown member \"%.40s\" in %s%s%s", m->string, what,
		        near ? ", did you mean " : "", near ? near : "");
	}
	return 0;
}

int bank_text(const struct bank_reader *r, const cJSON *object, const char *name, bool optional,
        const char **out)
{
	const cJSON *text = bank_member(object, name);
	if (!text && optional)
		return 0;
	if (!text || !cJSON_IsString(text) || !*text->valuestring ||
	        strlen(text->valuestring) > LONGEST_TEXT)
		return bank_refuse(r, "%s: expected a text of 1 to %d bytes", name, LONGEST_TEXT);
	*out = arena_text(r->arena, text->valuestring);
	return 0;
}

/* Every {name} of a text must be known. */
static int check_text(
        const struct bank_reader *r, const struct drill *d, const char *what, const char *text)
{
	for (const char *p = text; p && (p = strchr(p, '{')); p++) {
		char name[64];
		size_t n = strcspn(p + 1, "}");
		if (!p[1 + n] || n >= sizeof name)
			return bank_refuse(r, "%s: a { without its }", what);
		snprintf(name, sizeof name, "%.*s", (int)n, p + 1);
		if (!bank_knows(d, name))
			return bank_refuse(
			        r, "%s: {%s} is no field, and no field fills it", what, name);
	}
	return 0;
}

static int check_texts(const struct bank_reader *r, const struct drill *d)
{
	const struct {
		const char *what, *text;
	} texts[] = { { "prompt", d->prompt }, { "assumes", d->assumes }, { "hints", d->hints[0] },
		{ "hints", d->hints[1] }, { "sim", d->sim }, { "follow_up", d->follow_up } };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (check_text(r, d, texts[i].what, texts[i].text))
			return -1;
	return 0;
}

static int read_texts(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *hints = bank_member(object, "hints"), *hint;
	size_t n = 0;
	if (!cJSON_IsArray(hints) || cJSON_GetArraySize(hints) != 2)
		return bank_refuse(r, "hints: expected two, the second saying more");
	cJSON_ArrayForEach(hint, hints)
	{
		if (!cJSON_IsString(hint) || !*hint->valuestring)
			return bank_refuse(r, "hints: expected texts");
		d->hints[n++] = arena_text(r->arena, hint->valuestring);
	}
	return bank_text(r, object, "title", false, &d->title) ||
	                       bank_text(r, object, "skill", false, &d->skill) ||
	                       bank_text(r, object, "prompt", false, &d->prompt) ||
	                       bank_text(r, object, "assumes", true, &d->assumes) ||
	                       bank_text(r, object, "page", false, &d->page) ||
	                       bank_text(r, object, "sim", false, &d->sim) ||
	                       bank_text(r, object, "follow_up", true, &d->follow_up) ||
	                       check_texts(r, d)
	               ? -1
	               : 0;
}

/* "in GB": a word of the prompt, so that a bare number has one meaning. */
static bool names_unit(const char *prompt, const char *unit)
{
	for (const char *p = prompt; (p = strstr(p, unit)); p++) {
		const char *end = p + strlen(unit);
		if ((p == prompt || p[-1] == ' ' || p[-1] == '(') && strchr(" .,;:)?\n", *end))
			return true;
	}
	return false;
}

static int check_assumptions(const struct bank_reader *r, const struct drill *d)
{
	if ((d->tags & (TAG_INFO | TAG_PEAK | TAG_LINK | TAG_FLOPS)) && !*d->assumes)
		return bank_refuse(r,
		        "assumes: tags info, peak, link and flops need it (decimal or "
		        "binary, dense or sparse, one or both directions)");
	if (d->unit_policy == UNIT_NAMED && *d->shown_unit && !names_unit(d->prompt, d->shown_unit))
		return bank_refuse(r,
		        "prompt: must name the unit %s, or unit_policy be \"required\"",
		        d->shown_unit);
	return 0;
}

static int read_range(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *range = bank_member(object, "between");
	d->least = 0;
	d->most = INFINITY;
	if (!range)
		return 0;
	const cJSON *low = cJSON_GetArrayItem(range, 0), *high = cJSON_GetArrayItem(range, 1);
	if (!cJSON_IsArray(range) || cJSON_GetArraySize(range) != 2 || !cJSON_IsNumber(low) ||
	        !cJSON_IsNumber(high) || !(low->valuedouble < high->valuedouble))
		return bank_refuse(r, "between: expected [least, most] in shown units");
	d->least = low->valuedouble;
	d->most = high->valuedouble;
	return 0;
}

static int read_grading(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	char why[200];
	const cJSON *par = bank_member(object, "par_s"), *dual = bank_member(object, "dual");
	const cJSON *shown = bank_member(object, "shown_unit");
	struct unit unit, key_unit;
	d->tolerance = (struct tolerance){ TOLERANCE_RELATIVE, 0.05 };
	if (tolerance_read(object, &d->tolerance, why, sizeof why) ||
	        unit_policy_read(object, &d->unit_policy, why, sizeof why) ||
	        tags_read(object, &d->tags, why, sizeof why))
		return bank_refuse(r, "%s", why);
	if (!cJSON_IsNumber(par) || !(par->valuedouble >= 5 && par->valuedouble <= 3600))
		return bank_refuse(r, "par_s: expected 5 to 3600 seconds");
	if (dual && !cJSON_IsBool(dual))
		return bank_refuse(r, "dual: expected true or false");
	if (!cJSON_IsString(shown) || !unit_parse(shown->valuestring, &unit))
		return bank_refuse(r, "shown_unit: expected a unit such as \"GB\"");
	if (!unit_parse(d->formula->unit, &key_unit) || !unit_same_dimension(&unit, &key_unit))
		return bank_refuse(r, "shown_unit: %s is no unit for %s, which is in %s",
		        shown->valuestring, d->formula->id, d->formula->unit);
	d->shown_unit = arena_text(r->arena, shown->valuestring);
	d->par_s = par->valuedouble;
	d->dual = cJSON_IsTrue(dual);
	return read_range(r, object, d) || check_assumptions(r, d) ? -1 : 0;
}

static int read_kind(const struct bank_reader *r, const cJSON *object)
{
	static const char *const typed[] = { "key", "answer", "value", "result", "solution" };
	const cJSON *kind = bank_member(object, "kind");
	for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
		if (bank_member(object, typed[i]))
			return bank_refuse(r, "%s: a key is never typed; name a formula", typed[i]);
	if (!cJSON_IsString(kind))
		return bank_refuse(r, "kind: expected \"number\"");
	if (strcmp(kind->valuestring, "number") != 0)
		return bank_refuse(
		        r, "kind: \"%.40s\" is not known; expected \"number\"", kind->valuestring);
	return 0;
}

static int read_drill(
        struct bank_reader *r, const cJSON *object, const char *topic, struct drill *d)
{
	static const char *const known[] = { "id", "kind", "skill", "title", "prompt", "formula",
		"fields", "shown_unit", "unit_policy", "mode", "dual", "between", "tags", "assumes",
		"par_s", "hints", "factors", "mistakes", "page", "sim", "follow_up", NULL };
	*d = (struct drill){ .id = "", .topic = topic, .assumes = "", .follow_up = "" };
	r->drill = NULL;
	if (!cJSON_IsObject(object))
		return bank_refuse(r, "drills: expected objects");
	if (bank_text(r, object, "id", false, &d->id))
		return -1;
	r->drill = d->id;
	const char *formula = "";
	if (read_kind(r, object) || bank_check_members(r, object, "the drill", known) ||
	        bank_text(r, object, "formula", false, &formula))
		return -1;
	d->formula = formula_find(formula);
	if (!d->formula)
		return bank_refuse(r, "formula: there is no \"%.40s\"", formula);
	return bank_read_fields(r, object, d) || read_texts(r, object, d) ||
	                       read_grading(r, object, d) || bank_read_mistakes(r, object, d)
	               ? -1
	               : 0;
}

static int read_file(struct bank_reader *r, const cJSON *root, struct drill_bank *b)
{
	static const char *const known[] = { "schema", "topic", "drills", NULL };
	const cJSON *list = bank_member(root, "drills"), *schema = bank_member(root, "schema"),
	            *one;
	const char *topic = "";
	if (!cJSON_IsObject(root) || !cJSON_IsArray(list))
		return bank_refuse(r, "expected an object with \"drills\"");
	if (!cJSON_IsNumber(schema) || schema->valuedouble != 1)
		return bank_refuse(r, "schema: expected 1");
	if (bank_check_members(r, root, "the file", known) ||
	        bank_text(r, root, "topic", false, &topic))
		return -1;
	size_t more = (size_t)cJSON_GetArraySize(list);
	if (b->n + more > MOST_DRILLS)
		return bank_refuse(r, "more than %d drills", MOST_DRILLS);
	struct drill *all = arena_array(r->arena, b->n + more, sizeof *all);
	if (!all)
		return bank_refuse(r, "out of memory");
	if (b->n)
		memcpy(all, b->drills, b->n * sizeof *all);
	struct drill_bank next = { .drills = all, .n = b->n };
	cJSON_ArrayForEach(one, list)
	{
		if (read_drill(r, one, topic, &all[next.n]))
			return -1;
		if (bank_find(&next, all[next.n].id))
			return bank_refuse(r, "id: there is another drill of this name");
		next.n++;
	}
	if (r->arena->failed)
		return bank_refuse(r, "out of memory");
	b->drills = next.drills;
	b->n = next.n;
	return 0;
}

int bank_add(struct drill_bank *b, const struct tables *t, const char *json, const char *name,
        char *err, size_t err_size)
{
	struct bank_reader r = {
		.arena = &b->arena, .tables = t, .file = name, .err = err, .err_size = err_size
	};
	const char *end = NULL;
	cJSON *root = cJSON_ParseWithOpts(json, &end, true);
	if (!root) {
		size_t line = 1;
		for (const char *p = json; end && p < end; p++)
			line += *p == '\n';
		return bank_refuse(&r, "not JSON, at line %zu", line);
	}
	int rc = read_file(&r, root, b);
	cJSON_Delete(root);
	return rc;
}

void bank_release(struct drill_bank *b)
{
	arena_release(&b->arena);
	*b = (struct drill_bank){ 0 };
}

const struct drill *bank_find(const struct drill_bank *b, const char *id)
{
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->drills[i].id, id) == 0)
			return &b->drills[i];
	return NULL;
}

size_t bank_topics(const struct drill_bank *b, const char *topics[], size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < b->n && n < most; i++) {
		bool known = false;
		for (size_t k = 0; k < n; k++)
			known |= strcmp(topics[k], b->drills[i].topic) == 0;
		if (!known)
			topics[n++] = b->drills[i].topic;
	}
	return n;
}
