/* The tours: every simulation has its minute, and every step of it is a setting that the simulation
 * takes. */
#include "tests/settings.h"
#include "ui/data/content.h"
#include "sims/registry/registry.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_CAPTION = 110 };

static const char *text_of(const cJSON *object, const char *name)
{
	const cJSON *text = cJSON_GetObjectItemCaseSensitive(object, name);
	return cJSON_IsString(text) ? text->valuestring : "";
}

/* Settings with blanks between them; false and a line where the simulation refuses one. */
static bool apply(const struct sim *s, const struct tables *t, const char *settings, double v[],
	char *err, size_t err_size)
{
	char copy[400], *rest = NULL;
	snprintf(copy, sizeof copy, "%s", settings);
	for (char *w = strtok_r(copy, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		if (sim_read_setting(s, t, w, v, err, err_size))
			return false;
	return true;
}

/* "sim:NAME knob=value ...": the simulation, at its defaults but for these. */
static const struct sim *open_step(
	const struct tables *t, const char *open, double v[], char *err, size_t err_size)
{
	char name[64];
	size_t n = strcspn(open, " ");
	snprintf(name, sizeof name, "%.*s", (int)n, open);
	const struct sim *s = strncmp(name, "sim:", 4) == 0 ? sim_find(name + 4) : NULL;
	snprintf(err, err_size, "no simulation: %s", open);
	if (!s)
		return NULL;
	sim_defaults(s, t, v);
	return apply(s, t, open + n, v, err, err_size) ? s : NULL;
}

static void check_tour(const char *name, const struct tables *t)
{
	size_t bytes;
	void *owned;
	const char *json = content_read(name, &bytes, &owned);
	cJSON *tour = cJSON_Parse(json);
	const cJSON *step;
	const struct sim *s = NULL;
	double v[MAX_KNOBS], seconds = 0;
	char err[300];
	cr_assert(tour != NULL, "%s", name);
	cr_expect(text_of(tour, "title")[0] != '\0' && sim_find(text_of(tour, "id")), "%s", name);
	cJSON_ArrayForEach(step, cJSON_GetObjectItemCaseSensitive(tour, "steps"))
	{
		const char *open = text_of(step, "open"), *caption = text_of(step, "caption");
		if (*open)
			s = open_step(t, open, v, err, sizeof err);
		cr_assert(s != NULL, "%s: %s", name, err);
		cr_expect(
			apply(s, t, text_of(step, "set"), v, err, sizeof err), "%s: %s", name, err);
		cr_expect(caption[0] != '\0' && strlen(caption) <= LONGEST_CAPTION, "%s: %s", name,
			caption);
		cr_expect(text_of(step, "notes")[0] != '\0', "%s: nothing to say", name);
		seconds += cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(step, "seconds"));
	}
	cr_expect(seconds >= 30 && seconds <= 66, "%s: %g s", name, seconds);
	cJSON_Delete(tour);
	free(owned);
}

Test(tours, every_simulation_has_its_minute)
{
	struct tables t = load_tables();
	for (size_t i = 0; i < n_sims; i++) {
		char name[80];
		snprintf(name, sizeof name, "tours/%s.json", sims[i]->id);
		bool found = false;
		for (size_t k = 0; k < n_content_files; k++)
			found |= strcmp(content_files[k].name, name) == 0;
		cr_expect(found, "no %s", name);
		if (found)
			check_tour(name, &t);
	}
	tables_release(&t);
}
