#include "ui/machine/machine_json.h"

#include "sims/base/json_text.h"
#include "ui/machine/levels.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Writing --- */

/* Where a member cannot be added the result is NULL or false, and what follows passes that on. */

static cJSON *add_number(cJSON *obj, const char *name, double x)
{
	return obj && cJSON_AddNumberToObject(obj, name, x) ? obj : NULL;
}

static bool add_spread(cJSON *obj, const char *name, const struct spread *s)
{
	if (!s->n)
		return cJSON_AddNullToObject(obj, name) != NULL;
	cJSON *j = cJSON_AddObjectToObject(obj, name);
	return add_number(j, "median", round(s->median)) && add_number(j, "p10", round(s->p10)) &&
	       add_number(j, "p90", round(s->p90)) && add_number(j, "best", round(s->best)) &&
	       add_number(j, "n", (double)s->n);
}

/* The spreads of a crew, n of them, under their names. */
static bool add_crew(cJSON *obj, enum crew_kind crew, const struct spread rates[], size_t n,
	const char *const names[])
{
	cJSON *j = obj ? cJSON_AddObjectToObject(obj, crew_ids[crew]) : NULL;

	for (size_t i = 0; i < n; i++)
		if (!j || !add_spread(j, names[i], &rates[i]))
			return false;
	return true;
}

static bool add_rates(cJSON *obj, enum crew_kind crew, const double rates[N_MEMORY_KERNELS])
{
	cJSON *j = obj ? cJSON_AddObjectToObject(obj, crew_ids[crew]) : NULL;

	for (size_t k = 0; k < N_MEMORY_KERNELS; k++)
		if (!add_number(j, memory_kernel_ids[k], round(rates[k])))
			return false;
	return true;
}

static cJSON *add_item(cJSON *list)
{
	cJSON *item = cJSON_CreateObject();

	if (item && cJSON_AddItemToArray(list, item))
		return item;
	cJSON_Delete(item);
	return NULL;
}

static bool add_caches(cJSON *list, const struct machine *m)
{
	for (size_t i = 0; i < m->n_caches; i++) {
		const struct cache *c = &m->caches[i];
		cJSON *j = add_item(list);
		if (!add_number(j, "level", c->level) || !add_number(j, "bytes", c->bytes) ||
			!add_number(j, "threads", c->threads))
			return false;
	}
	return true;
}

static bool add_levels(cJSON *list, const struct machine *m)
{
	struct machine_level levels[MOST_MACHINE_LEVELS];
	size_t n = machine_levels(m, levels);

	for (size_t i = 0; i < n; i++) {
		cJSON *j = add_item(list);
		if (!j || !cJSON_AddStringToObject(j, "name", levels[i].name) ||
			!add_number(j, "bytes", levels[i].bytes) ||
			!add_rates(j, ONE_THREAD, levels[i].rate[ONE_THREAD]) ||
			!add_rates(j, ALL_THREADS, levels[i].rate[ALL_THREADS]))
			return false;
	}
	return true;
}

static bool add_best(cJSON *obj, const struct machine *m)
{
	for (int crew = 0; crew < N_CREWS; crew++) {
		double best[N_MEMORY_KERNELS];
		for (int k = 0; k < N_MEMORY_KERNELS; k++)
			best[k] =
				machine_memory_best(m, (enum crew_kind)crew, (enum memory_kernel)k);
		if (!add_rates(obj, (enum crew_kind)crew, best))
			return false;
	}
	return true;
}

static bool add_points(cJSON *list, const struct machine *m)
{
	for (size_t i = 0; i < m->n_points; i++) {
		const struct memory_point *p = &m->points[i];
		cJSON *j = add_item(list);
		if (!add_number(j, "bytes", p->bytes) ||
			!add_crew(j, ONE_THREAD, p->rate[ONE_THREAD], N_MEMORY_KERNELS,
				memory_kernel_ids) ||
			!add_crew(j, ALL_THREADS, p->rate[ALL_THREADS], N_MEMORY_KERNELS,
				memory_kernel_ids))
			return false;
	}
	return true;
}

static bool add_flops(cJSON *list, const struct machine *m)
{
	for (size_t i = 0; i < m->n_flops; i++) {
		const struct flops_point *p = &m->flops[i];
		cJSON *j = add_item(list);
		if (!add_number(j, "bits", p->bits) ||
			!cJSON_AddBoolToObject(j, "fused", p->fused) ||
			!add_crew(
				j, ONE_THREAD, p->rate[ONE_THREAD], N_PRECISIONS, precision_ids) ||
			!add_crew(
				j, ALL_THREADS, p->rate[ALL_THREADS], N_PRECISIONS, precision_ids))
			return false;
	}
	return true;
}

cJSON *machine_json(const struct machine *m)
{
	cJSON *obj = cJSON_CreateObject();
	bool whole = add_number(obj, "schema", 1) && cJSON_AddStringToObject(obj, "cpu", m->cpu) &&
		     cJSON_AddStringToObject(obj, "date", m->date) &&
		     add_number(obj, "threads", m->threads) &&
		     add_number(obj, "took_s", m->took_s) &&
		     add_number(obj, "memory_bytes", m->memory_bytes) &&
		     add_number(obj, "start_s", m->start_s) &&
		     add_caches(cJSON_AddArrayToObject(obj, "caches"), m) &&
		     add_levels(cJSON_AddArrayToObject(obj, "levels"), m) &&
		     add_best(cJSON_AddObjectToObject(obj, "memory_best"), m) &&
		     add_points(cJSON_AddArrayToObject(obj, "bandwidth"), m) &&
		     add_flops(cJSON_AddArrayToObject(obj, "flops"), m);
	if (whole)
		return obj;
	cJSON_Delete(obj);
	return NULL;
}

/* --- Reading: the first refusal stays --- */

struct reading {
	char *err;
	size_t err_size;
	bool refused;
};

static void refuse(struct reading *r, const char *name, const char *expected)
{
	if (!r->refused)
		snprintf(r->err, r->err_size, "\"%s\": expected %s", name, expected);
	r->refused = true;
}

static double read_number(
	struct reading *r, const cJSON *obj, const char *name, double min, double max)
{
	const cJSON *j = cJSON_GetObjectItemCaseSensitive(obj, name);
	char expected[80];

	if (cJSON_IsNumber(j) && j->valuedouble >= min && j->valuedouble <= max)
		return j->valuedouble;
	snprintf(expected, sizeof expected, "a number from %g to %g", min, max);
	refuse(r, name, expected);
	return min;
}

static void read_text(struct reading *r, const cJSON *obj, const char *name, char *buf, size_t size)
{
	const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(obj, name));
	bool good = s && *s && strlen(s) < size;

	for (const char *p = s; good && *p; p++)
		good = *p >= ' ' && *p <= '~';
	if (good)
		snprintf(buf, size, "%s", s);
	else
		refuse(r, name, "a short text of plain ASCII");
}

static const cJSON *read_list(struct reading *r, const cJSON *obj, const char *name, int most)
{
	const cJSON *j = cJSON_GetObjectItemCaseSensitive(obj, name);

	if (cJSON_IsArray(j) && cJSON_GetArraySize(j) <= most)
		return j;
	refuse(r, name, "a list, not so long");
	return NULL;
}

static void read_spread(struct reading *r, const cJSON *obj, const char *name, struct spread *s)
{
	static const double most = 1e18;
	const cJSON *j = cJSON_GetObjectItemCaseSensitive(obj, name);

	*s = (struct spread){ 0 };
	if (cJSON_IsNull(j))
		return;
	if (!cJSON_IsObject(j)) {
		refuse(r, name, "an object or null");
		return;
	}
	s->median = read_number(r, j, "median", 1, most);
	s->p10 = read_number(r, j, "p10", 1, s->median);
	s->p90 = read_number(r, j, "p90", s->median, most);
	s->best = read_number(r, j, "best", s->p90, most);
	s->n = (size_t)read_number(r, j, "n", 1, MOST_SAMPLES);
}

static void read_crew(struct reading *r, const cJSON *obj, enum crew_kind crew,
	struct spread rates[], size_t n, const char *const names[])
{
	const cJSON *j = cJSON_GetObjectItemCaseSensitive(obj, crew_ids[crew]);

	for (size_t i = 0; i < n; i++)
		read_spread(r, j, names[i], &rates[i]);
}

static void read_caches(struct reading *r, const cJSON *list, struct machine *m)
{
	const cJSON *j;

	cJSON_ArrayForEach(j, list)
	{
		double before = m->n_caches ? m->caches[m->n_caches - 1].bytes : 1;
		m->caches[m->n_caches++] = (struct cache){ (int)read_number(r, j, "level", 1, 9),
			read_number(r, j, "bytes", before, 1e12),
			(unsigned)read_number(r, j, "threads", 1, 65536) };
	}
}

static void read_points(struct reading *r, const cJSON *list, struct machine *m)
{
	const cJSON *j;

	cJSON_ArrayForEach(j, list)
	{
		double before = m->n_points ? m->points[m->n_points - 1].bytes + 1 : 1;
		struct memory_point *p = &m->points[m->n_points++];
		p->bytes = read_number(r, j, "bytes", before, 1e15);
		for (int crew = 0; crew < N_CREWS; crew++)
			read_crew(r, j, (enum crew_kind)crew, p->rate[crew], N_MEMORY_KERNELS,
				memory_kernel_ids);
	}
}

static void read_flops(struct reading *r, const cJSON *list, struct machine *m)
{
	const cJSON *j;

	cJSON_ArrayForEach(j, list)
	{
		struct flops_point *p = &m->flops[m->n_flops++];
		p->bits = (int)read_number(r, j, "bits", 0, 4096);
		p->fused = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(j, "fused"));
		for (int crew = 0; crew < N_CREWS; crew++)
			read_crew(r, j, (enum crew_kind)crew, p->rate[crew], N_PRECISIONS,
				precision_ids);
	}
}

int machine_read(struct machine *m, const char *json, char *err, size_t err_size)
{
	struct reading r = { err, err_size, false };
	cJSON *obj = json_text_parse(json, NULL);
	const int why = errno;

	*m = (struct machine){ .threads = 0 };
	if (!cJSON_IsObject(obj)) {
		snprintf(err, err_size, "%s",
			!obj && why == ENOMEM ? "out of memory" : "expected a JSON object");
		cJSON_Delete(obj);
		errno = !obj ? why : EINVAL;
		return -1;
	}
	read_number(&r, obj, "schema", 1, 1);
	read_text(&r, obj, "cpu", m->cpu, sizeof m->cpu);
	read_text(&r, obj, "date", m->date, sizeof m->date);
	m->threads = (unsigned)read_number(&r, obj, "threads", 1, 65536);
	m->took_s = read_number(&r, obj, "took_s", 0, 1e6);
	m->memory_bytes = read_number(&r, obj, "memory_bytes", 0, 1e15);
	m->start_s = read_number(&r, obj, "start_s", 0, 1);
	read_caches(&r, read_list(&r, obj, "caches", MOST_CACHES), m);
	read_points(&r, read_list(&r, obj, "bandwidth", MOST_POINTS), m);
	read_flops(&r, read_list(&r, obj, "flops", MOST_WIDTHS), m);
	cJSON_Delete(obj);
	return r.refused ? -1 : 0;
}
