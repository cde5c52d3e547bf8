#include "ui/data/own_inputs.h"

#include "sims/architecture/config.h"
#include "sims/base/utf8.h"
#include "sims/tables/trace.h"
#include "ui/data/composed_models.h"
#include "ui/files/own_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 64 << 20, PATH_BYTES = 256 };

/* A path is shown on screens and written into JSON, so it has to be printable. */
static int refuse_path(const char *what, const char *path, char *err, size_t err_size)
{
	if (strlen(path) >= PATH_BYTES) {
		snprintf(err, err_size, "%s: expected a path of under %d bytes", what, PATH_BYTES);
		return -1;
	}
	for (const char *p = path; *p;) {
		uint32_t code = utf8_next(&p);
		if (code > 0x20 && code != 0x7f && !(code >= 0x80 && code < 0xa0) && code != 0xfffd)
			continue;
		snprintf(err, err_size, "%s: expected a path of printable UTF-8 without blanks",
			what);
		return -1;
	}
	return 0;
}

static int read_trace(struct tables *t, const char *path, char *err, size_t err_size)
{
	const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;

	if (refuse_path("trace", path, err, err_size))
		return -1;
	char *csv = own_read(path, LARGEST, NULL);
	if (!csv) {
		char why[100];
		snprintf(err, err_size, "trace: %.200s: %s", path,
			own_read_error(LARGEST, why, sizeof why));
		return -1;
	}
	int rc = tables_add_trace(t, path, name, csv, name, err, err_size);
	free(csv);
	return rc;
}

bool own_config_is_path(const char *word)
{
	struct stat st;
	size_t n = strlen(word);
	return strchr(word, '/') || (n > 5 && strcmp(word + n - 5, ".json") == 0) ||
	       stat(word, &st) == 0;
}

char *own_config_read(const char *path)
{
	char whole[OWN_PATH_SIZE];
	struct stat st;
	int n = snprintf(whole, sizeof whole, "%s%s", path,
		stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? "/config.json" : "");
	if (n >= (int)sizeof whole) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return own_read(whole, LARGEST_CONFIG, NULL);
}

/* The last part of a path that says something: a folder's where the file is just a config.json. */
static const char *shown_name(const char *path, char *buf, size_t size)
{
	snprintf(buf, size, "%s", path);
	char *slash = strrchr(buf, '/');
	if (slash && (!slash[1] || strcmp(slash + 1, "config.json") == 0)) {
		*slash = '\0';
		slash = strrchr(buf, '/');
	}
	const char *name = slash ? slash + 1 : buf;
	return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? name : path;
}

int own_model_read(struct tables *t, const char *path, char *err, size_t err_size)
{
	struct architecture a;
	char why[256], name[PATH_BYTES];
	if (refuse_path("model", path, err, err_size))
		return -1;
	char *json = own_config_read(path);
	if (!json) {
		snprintf(err, err_size, "model: %.200s: %s", path,
			own_read_error(LARGEST_CONFIG, why, sizeof why));
		return -1;
	}
	int rc = architecture_read(&a, json, why, sizeof why);
	free(json);
	if (rc) {
		snprintf(err, err_size, "model: %.200s: %s", path, why);
		return -1;
	}
	if (any_model_add(t, &a, path, shown_name(path, name, sizeof name)) == 0)
		return 0;
	snprintf(err, err_size, "model: out of memory");
	return -1;
}

static bool takes_model(const struct knob *k)
{
	return k->kind == KNOB_MODEL || k->kind == KNOB_MODEL_OPEN || k->kind == KNOB_ANY_PARTS ||
	       k->kind == KNOB_MIXTURE;
}

const char *own_file_of(const struct knob *k)
{
	return takes_model(k) ? "a config.json" : k->kind == KNOB_TRACE ? "a trace.csv" : NULL;
}

static int read_knob(
	struct tables *t, const struct knob *k, const char *value, char *err, size_t err_size)
{
	if (k->kind == KNOB_TRACE && strpbrk(value, "/.") && !trace_find(t, value))
		return read_trace(t, value, err, err_size);
	if (takes_model(k) && own_config_is_path(value) && !any_model_find(t, value))
		return own_model_read(t, value, err, err_size);
	return 0;
}

static int read_setting(
	struct tables *t, const struct sim *s, const char *setting, char *err, size_t err_size)
{
	const char *equals = strchr(setting, '=');

	for (size_t i = 0; equals && i < s->n_knobs; i++) {
		const struct knob *k = &s->knobs[i];
		if (strlen(k->id) == (size_t)(equals - setting) &&
			strncmp(k->id, setting, strlen(k->id)) == 0)
			return read_knob(t, k, equals + 1, err, err_size);
	}
	return 0;
}

int own_inputs_read(struct tables *t, const struct sim *s, const char *const settings[], size_t n,
	char *err, size_t err_size)
{
	for (size_t i = 0; s && i < n; i++)
		if (read_setting(t, s, settings[i], err, err_size))
			return -1;
	return 0;
}
