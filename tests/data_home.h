/* A folder of one's own for tests that read and write the user's files: XDG_DATA_HOME is there, and no other file of
 * the user's is read. One folder below ridge/ is made. */
#ifndef RIDGE_TESTS_DATA_HOME_H
#define RIDGE_TESTS_DATA_HOME_H

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct data_home {
	char path[64], kind[24]; /* "/tmp/ridge-tests-...", "tours" */
};

static inline void data_home_begin(struct data_home *h, const char *kind)
{
	char path[128];
	strcpy(h->path, "/tmp/ridge-tests-XXXXXX");
	snprintf(h->kind, sizeof h->kind, "%s", kind);
	cr_assert(mkdtemp(h->path) != NULL);
	snprintf(path, sizeof path, "%s/ridge", h->path);
	cr_assert(zero(int, mkdir(path, 0700)));
	snprintf(path, sizeof path, "%s/ridge/%s", h->path, h->kind);
	cr_assert(zero(int, mkdir(path, 0700)));
	setenv("XDG_DATA_HOME", h->path, 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

/* A file of that kind. */
static inline void data_home_put(const struct data_home *h, const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, "%s/ridge/%s/%s", h->path, h->kind, name);
	FILE *f = fopen(path, "w");
	cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", path);
}

static inline void data_home_end(const struct data_home *h)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", h->path);
	cr_expect(zero(int, system(command)));
}

#endif
