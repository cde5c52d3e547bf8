#include "ui/data/tables_load.h"

#include "sims/base/array.h"
#include "sims/tables/trace.h"
#include "sims/published/measured.h"
#include "sims/comparisons/comparisons.h"
#include "ui/files/own_file.h"
#include "ui/data/composed_models.h"
#include "ui/data/content.h"
#include "ui/data/known_errors.h"
#include "ui/data/known_tables.h"
#include "ui/data/machine_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_OWN = 1 << 20 };

typedef int add_json(
	struct tables *t, const char *json, const char *name, char *err, size_t err_size);

static const struct {
	const char *name;
	add_json *add;
	enum tables_kind kind;
} files[] = {
	{ "hardware.json", tables_add_hardware, TABLES_GPUS },
	{ "models.json", tables_add_models, TABLES_MODELS },
};

static const struct {
	const char *file, *id, *title;
} traces[] = {
	{ "traces/azure-conv.csv", "azure-conv", "Azure conversation 2023" },
	{ "traces/azure-code.csv", "azure-code", "Azure code 2023" },
	{ "traces/mooncake.csv", "mooncake", "Mooncake conversation" },
};

/* What was known of the models' errors does not hold for other tables. */
static void forget_errors(struct tables *t)
{
	t->own = true;
	if (t->memo)
		t->memo->n_lines = 0;
}

static int load_file(struct tables *t, size_t i, char *err, size_t err_size)
{
	void *owned;
	const char *json = content_read(files[i].name, NULL, &owned);

	if (owned)
		forget_errors(t);

	if (!json) {
		snprintf(err, err_size, "%s: cannot be read", files[i].name);
		return -1;
	}
	if (!owned && known_tables &&
		tables_take_image(t, files[i].kind, &known_tables[files[i].kind]) == 0)
		return 0;
	int rc = files[i].add(t, json, files[i].name, err, err_size);
	free(owned);
	return rc;
}

static int load_trace(struct tables *t, size_t i, char *err, size_t err_size)
{
	void *owned;
	const char *csv = content_read(traces[i].file, NULL, &owned);

	if (!csv) {
		snprintf(err, err_size, "%s: cannot be read", traces[i].file);
		return -1;
	}
	if (!owned &&
		tables_add_trace_unread(t, traces[i].id, traces[i].title, csv, traces[i].file) == 0)
		return 0;
	t->own |= owned != NULL;
	int rc = tables_add_trace(
		t, traces[i].id, traces[i].title, csv, traces[i].file, err, err_size);
	free(owned);
	return rc;
}

/* Embedded text is not copied, so it costs nothing before somebody reads it. */
static const char *text_of(struct tables *t, const char *name)
{
	void *owned;
	const char *text = content_read(name, NULL, &owned);

	t->own |= owned != NULL;
	if (owned)
		text = arena_text(&t->arena, text);
	free(owned);
	return text;
}

static void recall_errors(struct measured_memo *memo)
{
	for (size_t i = 0; &n_known_errors && i < n_known_errors && i < MEMO_LINES; i++) {
		const struct known_error *e = &known_errors[i];
		snprintf(memo->lines[i].key, sizeof memo->lines[i].key, "%s", e->key);
		snprintf(memo->lines[i].line, sizeof memo->lines[i].line, "%s", e->line);
		memo->n_lines = i + 1;
	}
}

/* Lists the published measurements without reading them. */
static void find_measured(struct tables *t)
{
	static const char folder[] = "measured/", kind[] = ".csv";
	struct measured_file *found = arena_array(&t->arena, n_content_files + 1, sizeof *files);
	bool changed = false;

	for (size_t i = 0; found && i < n_content_files; i++) {
		const char *name = content_files[i].name;
		size_t n = strlen(name), bytes = 0;
		void *owned;
		if (strncmp(name, folder, sizeof folder - 1) != 0 || n < sizeof kind ||
			strcmp(name + n - (sizeof kind - 1), kind) != 0)
			continue;
		const char *text = content_read(name, &bytes, &owned);
		if (owned) {
			text = arena_text(&t->arena, text);
			bytes = strlen(text);
			changed = true;
		}
		free(owned);
		found[t->n_measured++] =
			(struct measured_file){ name + sizeof folder - 1, text, bytes };
	}
	t->own |= changed;
	t->measured = found;
	t->comparisons = measured_models;
	t->n_comparisons = n_measured_models;
	t->memo = arena_alloc(&t->arena, sizeof *t->memo);
	if (t->memo && !changed)
		recall_errors(t->memo);
}

/* The user's own file of that name, where there is one. */
static int load_own(struct tables *t, size_t i, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE], shown[64];

	if (!own_path(OWN_CONFIG, files[i].name, path, sizeof path))
		return 0;
	char *json = own_read(path, LARGEST_OWN, NULL);
	if (!json && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	const bool no_memory = !json && errno == ENOMEM;
	snprintf(shown, sizeof shown, "%s/%s", own_folder_shown(OWN_CONFIG), files[i].name);
	if (no_memory) {
		t->arena.failed = true;
		snprintf(err, err_size, "%s: out of memory", shown);
		return -1;
	}
	if (!json) {
		snprintf(err, err_size, "%s: expected a readable text file of %d MiB at most",
			shown, LARGEST_OWN >> 20);
		return -1;
	}
	forget_errors(t);
	int rc = files[i].add(t, json, shown, err, err_size);
	free(json);
	return rc;
}

/* The user's own machine, after the accelerators of all files. */
static int load_machine(struct tables *t, size_t i, char *err, size_t err_size)
{
	struct machine m;
	struct accelerator a;
	const int before = errno;
	errno = 0;
	int rc = machine_load(&m, err, err_size);

	(void)i;
	t->arena.failed |= rc < 0 && errno == ENOMEM;
	errno = errno == ENOMEM ? ENOMEM : before;
	if (rc <= 0)
		return rc;
	t->own = true;
	if (machine_accelerator(&m, &a, err, err_size))
		return -1;
	if (tables_set_machine(t, &a) == 0)
		return 0;
	snprintf(err, err_size, "machine.json: out of memory");
	return -1;
}

static int load_composed(struct tables *t, size_t i, char *err, size_t err_size)
{
	(void)i;
	return composed_models_load(t, err, err_size);
}

int tables_load(struct tables *t, char *err, size_t err_size)
{
	static const struct {
		int (*load)(struct tables *t, size_t i, char *err, size_t err_size);
		size_t n;
	} steps[] = {
		{ load_file, LENGTH(files) },
		{ load_trace, LENGTH(traces) },
		{ load_own, LENGTH(files) },
		{ load_composed, 1 },
		{ load_machine, 1 },
	};
	int rc = 0;

	*t = (struct tables){ 0 };
	t->digits = text_of(t, "digits/digits.txt");
	t->networks = text_of(t, "digits/networks.txt");
	find_measured(t);
	for (size_t s = 0; s < LENGTH(steps); s++)
		for (size_t i = 0; i < steps[s].n; i++) {
			char why[512];
			if (!steps[s].load(t, i, why, sizeof why))
				continue;
			if (!rc)
				snprintf(err, err_size, "%s", why);
			rc = -1;
		}
	if (t->arena.failed) {
		if (!rc)
			snprintf(err, err_size, "out of memory");
		errno = ENOMEM;
		rc = -1;
	}
	return rc;
}

bool tables_usable(const struct tables *t)
{
	return t->n_gpus && t->n_models && t->n_traces && !t->arena.failed;
}

int tables_load_for(struct tables *t, const char *command, FILE *err)
{
	char why[512];

	if (tables_load(t, why, sizeof why))
		fprintf(err, "%s: %s\n", command, why);
	if (tables_usable(t))
		return 0;
	tables_release(t);
	return -1;
}
