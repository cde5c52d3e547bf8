#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/tables/tables_fields.h"

#include "sims/base/nearest.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 20, MOST_ENTRIES = 1000 };

/* clang-format off */
#define AT(member) offsetof(struct efficiency, member)
static const struct field efficiency_fields[] = {
	{ "compute",   FIELD_FIGURE, true,  AT(compute),        "",      1e-3, 1,    NULL },
	{ "memory",    FIELD_FIGURE, true,  AT(memory),         "",      1e-3, 1,    NULL },
	{ "launch",    FIELD_FIGURE, true,  AT(launch_s),       "s",     0,    1,    NULL },
	{ "measured",  FIELD_FLAG,   true,  AT(measured),       NULL,    0,    0,    NULL },
	{ "compute_8bit", FIELD_FIGURE, false, AT(compute_8bit), "",     1e-3, 1,    NULL },
	{ "compute_4bit", FIELD_FIGURE, false, AT(compute_4bit), "",     1e-3, 1,    NULL },
	{ "wave",      FIELD_FIGURE, false, AT(wave_s),         "s",     0,    1,    NULL },
	{ "operands",  FIELD_FIGURE, false, AT(operand_bytes),  "B",     1e-3, 1e6,  NULL },
	{ "quantise",  FIELD_FIGURE, false, AT(quantise_s),     "s",     0,    1,    NULL },
	{ "attention", FIELD_FIGURE, false, AT(attention),      "",      1e-3, 1,    NULL },
	{ "attention_memory", FIELD_FIGURE, false, AT(attention_memory), "", 1e-3, 1, NULL },
	{ "attention_start",  FIELD_FIGURE, false, AT(attention_s),       "s", 0, 1, NULL },
	{ "attention_block",  FIELD_FIGURE, false, AT(attention_block_s), "s", 0, 1, NULL },
	{ "attention_head",   FIELD_FIGURE, false, AT(attention_head_s),  "s", 0, 1, NULL },
	{ "attention_group",  FIELD_FIGURE, false, AT(attention_group_s), "s", 0, 1, NULL },
};
#undef AT
static const struct field_list efficiency_list = {
	efficiency_fields, LENGTH(efficiency_fields)
};

#define AT(member) offsetof(struct accelerator, member)
#define PEAK(id, dtype) \
	{ id, FIELD_FIGURE, false, AT(peak_flops[dtype]), "FLOP/s", 1e9, 1e18, NULL }
static const struct field gpu_fields[] = {
	{ "id",        FIELD_ID,     true,  AT(id),             NULL,    0,    0,    NULL },
	{ "name",      FIELD_TEXT,   true,  AT(name),           NULL,    0,    0,    NULL },
	{ "family",    FIELD_ID,     true,  AT(family),         NULL,    0,    0,    NULL },
	{ "year",      FIELD_YEAR,   false, AT(year),           NULL,    1980, 2100, NULL },
	{ "note",      FIELD_NOTE,   false, 0,                  NULL,    0,    0,    NULL },
	PEAK("fp32", DTYPE_FP32),
	PEAK("tf32", DTYPE_TF32),
	PEAK("fp16", DTYPE_FP16),
	PEAK("bf16", DTYPE_BF16),
	PEAK("fp8", DTYPE_FP8),
	PEAK("int8", DTYPE_INT8),
	PEAK("fp4", DTYPE_FP4),
	{ "memory",    FIELD_FIGURE, true,  AT(memory_bytes),   "B",     1e6,  1e15, NULL },
	{ "bandwidth", FIELD_FIGURE, true,  AT(bandwidth),      "B/s",   1e6,  1e15, NULL },
	{ "l2",        FIELD_FIGURE, false, AT(l2_bytes),       "B",     1e3,  1e12, NULL },
	{ "sm_count",  FIELD_COUNT,  false, AT(sm_count),       "",      1,    1e6,  NULL },
	{ "clock",     FIELD_FIGURE, false, AT(clock_hz),       "Hz",    1e6,  1e11, NULL },
	{ "shared",    FIELD_FIGURE, false, AT(shared_bytes),   "B",     1e2,  1e9,  NULL },
	{ "link",      FIELD_FIGURE, false, AT(link_bandwidth), "B/s",   1e6,  1e15, NULL },
	{ "power",     FIELD_FIGURE, false, AT(power_w),        "W",     0.1,  1e6,  NULL },
	{ "price",     FIELD_FIGURE, false, AT(usd_per_hour),   "$/h",   1e-4, 1e5,  NULL },
	{ "achieved",  FIELD_GROUP,  false, AT(achieved),       NULL,    0,    0,    &efficiency_list },
};
#undef AT
static const struct field_list gpu_list = { gpu_fields, LENGTH(gpu_fields) };

#define AT(member) offsetof(struct model, member)
static const struct field model_fields[] = {
	{ "id",        FIELD_ID,     true,  AT(id),             NULL,    0,    0,    NULL },
	{ "name",      FIELD_TEXT,   true,  AT(name),           NULL,    0,    0,    NULL },
	{ "note",      FIELD_NOTE,   false, 0,                  NULL,    0,    0,    NULL },
	{ "params",    FIELD_FIGURE, true,  AT(params),         "",      1e3,  1e15, NULL },
	{ "layers",    FIELD_COUNT,  true,  AT(layers),         "",      1,    1e4,  NULL },
	{ "hidden",    FIELD_COUNT,  true,  AT(hidden),         "",      1,    1e6,  NULL },
	{ "heads",     FIELD_COUNT,  true,  AT(heads),          "",      1,    1e4,  NULL },
	{ "kv_heads",  FIELD_COUNT,  true,  AT(kv_heads),       "",      1,    1e4,  NULL },
	{ "head_dim",  FIELD_COUNT,  true,  AT(head_dim),       "",      1,    1e5,  NULL },
	{ "ffn",       FIELD_COUNT,  true,  AT(ffn),            "",      1,    1e7,  NULL },
	{ "vocab",     FIELD_COUNT,  true,  AT(vocab),          "",      1,    1e8,  NULL },
	{ "context",   FIELD_COUNT,  true,  AT(context),        "token", 1,    1e9,  NULL },
	{ "gated",     FIELD_FLAG,   true,  AT(gated),          NULL,    0,    0,    NULL },
};
#undef AT
static const struct field_list model_list = {
	model_fields, LENGTH(model_fields)
};
/* clang-format on */

/* What one kind of file holds. */
struct hardware_kind {
	const char *list, *what; /* "accelerators", "accelerator" */
	const struct field_list *fields;
	size_t size;
	int (*check)(struct fields_reader *r, void *entry);
};

/* Nobody measured this one: what was found for its family, or else what is usual. */
static struct efficiency efficiency_of_family(const struct tables *t, const char *family)
{
	for (size_t i = 0; i < t->n_gpus; i++)
		if (strcmp(t->gpus[i].family, family) == 0) {
			struct efficiency e = t->gpus[i].achieved;
			e.measured = 0;
			return e;
		}
	return (struct efficiency){
		.compute = ASSUMED_COMPUTE_EFFICIENCY, .memory = 0.85, .launch_s = 4e-6
	};
}

static int check_gpu(struct fields_reader *r, void *entry)
{
	struct accelerator *g = entry;
	double best = 0;

	for (size_t d = 0; d < N_DTYPES; d++)
		best = fmax(best, g->peak_flops[d]);
	if (best == 0)
		return refuse(r, "expected the dense peak of a type (bf16, fp16, ...), found none");
	if (g->achieved.compute == 0)
		g->achieved = efficiency_of_family(r->tables, g->family);
	return 0;
}

static int check_model(struct fields_reader *r, void *entry)
{
	const struct model *m = entry;

	if (fmod(m->heads, m->kv_heads) != 0) {
		r->field = "kv_heads";
		return refuse(
			r, "expected a divisor of heads (%g), found %g", m->heads, m->kv_heads);
	}
	return 0;
}

static const struct hardware_kind gpu_kind = { "accelerators", "accelerator", &gpu_list,
	sizeof(struct accelerator), check_gpu };
static const struct hardware_kind model_kind = { "models", "model", &model_list,
	sizeof(struct model), check_model };

/* Both kinds of entry begin with their id. */
static_assert(offsetof(struct accelerator, id) == 0 && offsetof(struct model, id) == 0, "id");

static const char *id_of(const char *entry)
{
	const char *id;
	memcpy(&id, entry, sizeof id);
	return id;
}

static size_t index_of(const char *entries, size_t n, size_t size, const char *id)
{
	size_t i = 0;
	while (i < n && strcmp(id_of(entries + i * size), id) != 0)
		i++;
	return i;
}

/* Entries old and new, in one array of the arena; the first n_old are those the tables had. */
struct staged {
	char *entries;
	bool *replaced;
	size_t n_old, n;
};

/* An entry of an earlier file is replaced; the same id twice in one file is a slip. */
static int place(const struct fields_reader *r, const struct hardware_kind *kind, struct staged *s,
	const char *entry)
{
	size_t i = index_of(s->entries, s->n, kind->size, id_of(entry));

	if (i >= s->n_old ? i < s->n : s->replaced[i])
		return refuse(r, "expected this id once in the file, found it twice");
	if (i < s->n_old)
		s->replaced[i] = true;
	else
		s->n++;
	memcpy(s->entries + i * kind->size, entry, kind->size);
	return 0;
}

static int read_entry(
	struct fields_reader *r, const struct hardware_kind *kind, const cJSON *j, struct staged *s)
{
	union {
		struct accelerator gpu;
		struct model model;
	} entry = { 0 };

	if (!cJSON_IsObject(j))
		return refuse(r, "expected an object, found %s", found(j).text);
	if (read_members(r, kind->fields, j, &entry) || kind->check(r, &entry))
		return -1;
	return place(r, kind, s, (const char *)&entry);
}

static int read_entries(struct fields_reader *r, const struct hardware_kind *kind,
	const cJSON *list, struct staged *s)
{
	size_t number = 1;
	char label[128];
	const cJSON *j;
	int rc = 0;

	cJSON_ArrayForEach(j, list)
	{
		const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(j, "id"));
		snprintf(label, sizeof label, "%s %s", kind->what, id ? excerpt(id).text : "");
		if (!id)
			snprintf(label, sizeof label, "%s number %zu", kind->what, number);
		r->entry = label;
		rc = read_entry(r, kind, j, s);
		if (rc)
			break;
		number++;
	}
	r->entry = r->field = NULL;
	return rc;
}

static int check_sources(struct fields_reader *r, const cJSON *sources)
{
	const cJSON *s;

	r->field = "sources";
	if (!cJSON_IsObject(sources))
		return refuse(r, "expected an object, found %s", found(sources).text);
	if (cJSON_GetArraySize(sources) > MOST_SOURCES)
		return refuse(r, "expected %d at most, found %d", MOST_SOURCES,
			cJSON_GetArraySize(sources));
	cJSON_ArrayForEach(s, sources)
	{
		if (cJSON_GetObjectItemCaseSensitive(sources, s->string) != s)
			return refuse(
				r, "expected \"%s\" once, found it twice", excerpt(s->string).text);
		if (!cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s, "title")) ||
			!cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s, "address")))
			return refuse(r, "expected a \"title\" and an \"address\" in \"%s\"",
				excerpt(s->string).text);
	}
	r->sources = sources;
	r->field = NULL;
	return 0;
}

/* The top of a file: "sources" and the list, each once, and nothing else. */
static int check_top(struct fields_reader *r, const struct hardware_kind *kind, const cJSON *top,
	const cJSON **list)
{
	const char *names[] = { "sources", kind->list };
	const cJSON *members[2] = { NULL, NULL };

	if (!cJSON_IsObject(top))
		return refuse(r, "expected an object with \"sources\" and \"%s\", found %s",
			kind->list, found(top).text);
	for (const cJSON *j = top->child; j; j = j->next) {
		size_t i = 0;
		while (i < 2 && strcmp(names[i], j->string) != 0)
			i++;
		if (i == 2)
			return refuse(r, "expected \"sources\" and \"%s\", found \"%s\"%s",
				kind->list, excerpt(j->string).text,
				suggestion(j->string, names, 2).text);
		if (members[i])
			return refuse(r, "expected \"%s\" once, found it twice", names[i]);
		members[i] = j;
	}
	r->field = kind->list;
	*list = members[1];
	if (!cJSON_IsArray(*list) || cJSON_GetArraySize(*list) > MOST_ENTRIES)
		return refuse(r, "expected a list of %d at most, found %s", MOST_ENTRIES,
			found(*list).text);
	return check_sources(r, members[0]);
}

static cJSON *parse(const struct fields_reader *r, const char *json)
{
	const char *end = json;
	size_t bytes = strnlen(json, LARGEST_FILE + 1);

	if (bytes > LARGEST_FILE) {
		refuse(r, "expected %d bytes at most", LARGEST_FILE);
		return NULL;
	}
	cJSON *top = cJSON_ParseWithOpts(json, &end, true);
	if (top)
		return top;
	size_t line = 1;
	for (const char *s = json; s < end; s++)
		line += *s == '\n';
	refuse(r, "line %zu: expected JSON, found \"%s\"", line, excerpt(end).text);
	return NULL;
}

/* Reads everything into a new array first, so that a refused file changes nothing. */
static int read_file(struct fields_reader *r, const struct hardware_kind *kind, const char *json,
	void *entries, size_t *n)
{
	struct arena *arena = &r->tables->arena;
	struct staged s = { .n_old = *n, .n = *n };
	const cJSON *list = NULL;
	cJSON *top = parse(r, json);
	const void *old;
	int rc = -1;

	if (!top || check_top(r, kind, top, &list))
		goto out;
	memcpy(&old, entries, sizeof old);
	s.entries = arena_array(arena, *n + (size_t)cJSON_GetArraySize(list), kind->size);
	s.replaced = arena_array(arena, *n, sizeof *s.replaced);
	if (*n && s.entries)
		memcpy(s.entries, old, *n * kind->size);
	if (!arena->failed && s.entries && read_entries(r, kind, list, &s))
		goto out;
	if (arena->failed) {
		refuse(r, "out of memory");
		goto out;
	}
	memcpy(entries, &s.entries, sizeof s.entries);
	*n = s.n;
	rc = 0;
out:
	cJSON_Delete(top);
	return rc;
}

int tables_add_hardware(
	struct tables *t, const char *json, const char *name, char *err, size_t err_size)
{
	struct fields_reader r = { .tables = t, .file = name, .err = err, .err_size = err_size };
	int rc = read_file(&r, &gpu_kind, json, &t->gpus, &t->n_gpus);
	if (rc == 0)
		t->n_machines = 0;
	return rc;
}

int tables_add_models(
	struct tables *t, const char *json, const char *name, char *err, size_t err_size)
{
	struct fields_reader r = { .tables = t, .file = name, .err = err, .err_size = err_size };
	return read_file(&r, &model_kind, json, &t->models, &t->n_models);
}
