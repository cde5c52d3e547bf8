#include "ui/data/content.h"

#include "ui/files/own_file.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 64 << 20 };

static const char *folder(void)
{
	const char *dir = getenv("RIDGE_CONTENT");
	return dir && *dir ? dir : NULL;
}

static int path_of(const char *name, char path[static 4096])
{
	int n = snprintf(path, 4096, "%s/%s", folder(), name);
	return n < 0 || n >= 4096 ? -1 : 0;
}

static const char *read_from_folder(const char *name, size_t *bytes, void **owned)
{
	char path[4096];

	*owned = path_of(name, path) == 0 ? own_read(path, LARGEST, bytes) : NULL;
	return *owned;
}

static const struct content_file *embedded(const char *name)
{
	for (size_t i = 0; i < n_content_files; i++)
		if (strcmp(content_files[i].name, name) == 0)
			return &content_files[i];
	return NULL;
}

const char *content_read(const char *name, size_t *bytes, void **owned)
{
	assert(name && owned);
	size_t dummy;
	if (!bytes)
		bytes = &dummy;
	*owned = NULL;
	const char *text = folder() ? read_from_folder(name, bytes, owned) : NULL;
	const struct content_file *file = text ? NULL : embedded(name);
	if (file)
		*bytes = file->bytes;
	return file ? file->text : text;
}

struct content_file content_look(const char *name, void **owned)
{
	struct content_file file = { .name = name };
	file.text = content_read(name, &file.bytes, owned);
	if (*owned)
		file.facts = content_facts(file.text);
	else if (file.text)
		file.facts = embedded(name)->facts;
	return file;
}

uint64_t content_stamp(const char *name)
{
	char path[4096];
	struct stat st;
	if (!folder() || path_of(name, path) || stat(path, &st))
		return 0;
	return (uint64_t)st.st_mtim.tv_sec * 1000000007u + (uint64_t)st.st_mtim.tv_nsec +
	       (uint64_t)st.st_size;
}

const char *content_folder_missing(void)
{
	struct stat st;
	const char *dir = folder();
	return dir && (stat(dir, &st) || !S_ISDIR(st.st_mode)) ? dir : NULL;
}
