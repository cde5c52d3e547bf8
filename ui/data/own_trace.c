#include "ui/data/own_trace.h"

#include "sims/base/utf8.h"
#include "sims/tables/trace.h"
#include "sims/registry/registry.h"
#include "ui/files/own_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 64 << 20, PATH_BYTES = 256 };

/* A path is shown on screens and written into JSON, so it has to be printable. */
static int refuse_path(const char *path, char *err, size_t err_size)
{
	if (strlen(path) >= PATH_BYTES) {
		snprintf(err, err_size, "trace: expected a path of under %d bytes", PATH_BYTES);
		return -1;
	}
	for (const char *p = path; *p;) {
		uint32_t code = utf8_next(&p);
		if (code > 0x20 && code != 0x7f && !(code >= 0x80 && code < 0xa0) && code != 0xfffd)
			continue;
		snprintf(err, err_size, "trace: expected a path of printable UTF-8 without blanks");
		return -1;
	}
	return 0;
}

/* Why own_read returned NULL. */
static const char *why_not(int error)
{
	switch (error) {
	case EINVAL:
		return "expected a file";
	case EFBIG:
		return "expected 64 MiB at most";
	case EILSEQ:
		return "expected text, found a zero byte";
	case ENOMEM:
		return "out of memory";
	default:
		return strerror(error);
	}
}

static int read_trace(struct tables *t, const char *path, char *err, size_t err_size)
{
	const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;

	if (refuse_path(path, err, err_size))
		return -1;
	char *csv = own_read(path, LARGEST, NULL);
	if (!csv) {
		snprintf(err, err_size, "trace: %.200s: %s", path, why_not(errno));
		return -1;
	}
	int rc = tables_add_trace(t, path, name, csv, name, err, err_size);
	free(csv);
	return rc;
}

static int read_setting(
	struct tables *t, const struct sim *s, const char *setting, char *err, size_t err_size)
{
	const char *equals = strchr(setting, '=');

	for (size_t i = 0; equals && i < s->n_knobs; i++) {
		const struct knob *k = &s->knobs[i];
		if (k->kind != KNOB_TRACE || strlen(k->id) != (size_t)(equals - setting) ||
			strncmp(k->id, setting, strlen(k->id)) != 0)
			continue;
		if (strpbrk(equals + 1, "/.") && !trace_find(t, equals + 1))
			return read_trace(t, equals + 1, err, err_size);
	}
	return 0;
}

int own_traces_read(struct tables *t, const char *sim, const char *const settings[], size_t n,
	char *err, size_t err_size)
{
	const struct sim *s = sim_find(sim);

	for (size_t i = 0; s && i < n; i++)
		if (read_setting(t, s, settings[i], err, err_size))
			return -1;
	return 0;
}
