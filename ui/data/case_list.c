#include "ui/data/case_list.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "ui/data/content.h"
#include "ui/files/own_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = "cases/", ending[] = ".json";

enum { LARGEST_CASE = 256 << 10, MOST_OWN_CASES = 100, MOST_CASES_LISTED = 300, NAME_SIZE = 256 };

/* The "serve-70b" of "serve-70b.json"; false for any other name. */
static bool id_of(const char *file, char *id, size_t size)
{
	size_t n = strlen(file), tail = sizeof ending - 1;
	if (n <= tail || n - tail >= size || strcmp(file + n - tail, ending) != 0 || *file == '.')
		return false;
	snprintf(id, size, "%.*s", (int)(n - tail), file);
	return true;
}

/* Ids become names of files. */
static bool is_id(const char *id)
{
	return *id &&
	       strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") ==
		       strlen(id) &&
	       *id != '.';
}

/* The text of the user's own case, to be freed. NULL with errno: ENOENT where there is none. */
static char *read_own(const char *id, char *name, size_t name_size)
{
	char path[OWN_PATH_SIZE];
	snprintf(name, name_size, "cases/%s%s", id, ending);
	if (own_path(OWN_DATA, name, path, sizeof path))
		return own_read(path, LARGEST_CASE, NULL);
	errno = ENOENT;
	return NULL;
}

/* Whether a case that gave no text is there all the same; then why says so. */
static bool is_unreadable(const char *name, char *why, size_t size)
{
	if (errno == ENOENT || errno == ENOTDIR)
		return false;
	char cause[100];
	snprintf(why, size, "%s: %s", name, own_read_error(LARGEST_CASE, cause, sizeof cause));
	return true;
}

/* The text of a case, the program's own first. NULL with errno, as read_own. */
static const char *read_text(const char *id, char *name, size_t name_size, void **owned)
{
	size_t bytes;
	snprintf(name, name_size, "%s%s%s", folder, id, ending);
	const char *text = content_read(name, &bytes, owned);
	if (text)
		return text;
	*owned = read_own(id, name, name_size);
	return *owned;
}

static bool is_listed(const struct case_list *l, const char *id)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->cases[i].id, id) == 0)
			return true;
	return false;
}

static void tell(FILE *err, const char *why)
{
	if (err)
		fprintf(err, "%s\n", why);
}

/* Adds the case of a file by what its head says. */
static void add(struct case_list *l, const char *id, bool own, FILE *err)
{
	struct design_case c;
	char name[NAME_SIZE + 16], why[400];
	void *owned = NULL;
	if (!is_id(id) || is_listed(l, id) || l->n >= MOST_CASES_LISTED)
		return;
	const char *text = read_text(id, name, sizeof name, &owned);
	if (!text) {
		l->arena.failed |= errno == ENOMEM;
		if (is_unreadable(name, why, sizeof why))
			tell(err, why);
		return;
	}
	if (case_read_head(&c, text, name, why, sizeof why)) {
		tell(err, why);
	} else if (strcmp(c.id, id) != 0) {
		snprintf(
			why, sizeof why, "%s: id: expected \"%s\", as the file is named", name, id);
		tell(err, why);
	} else {
		struct case_info *info = ARRAY_PUSH(&l->arena, l, cases, n, room);
		if (info)
			*info = (struct case_info){ .id = arena_text(&l->arena, c.id),
				.title = arena_text(&l->arena, c.title),
				.area = c.area,
				.levels = c.levels,
				.own = own };
	}
	case_release(&c);
	free(owned);
}

static void add_own(struct case_list *l, FILE *err)
{
	char path[OWN_PATH_SIZE], id[NAME_SIZE];
	DIR *dir = own_path(OWN_DATA, "cases", path, sizeof path) ? opendir(path) : NULL;
	struct dirent *entry;
	for (int i = 0; dir && i < MOST_OWN_CASES && (entry = readdir(dir)); i++)
		if (id_of(entry->d_name, id, sizeof id))
			add(l, id, true, err);
	if (dir)
		closedir(dir);
}

int case_list_load(struct case_list *l, FILE *err)
{
	char id[NAME_SIZE];
	*l = (struct case_list){ .n = 0 };
	for (size_t i = 0; i < n_content_files; i++) {
		const char *name = content_files[i].name;
		if (strncmp(name, folder, sizeof folder - 1) == 0 &&
			id_of(name + sizeof folder - 1, id, sizeof id))
			add(l, id, false, err);
	}
	add_own(l, err);
	return l->arena.failed ? -1 : 0;
}

void case_list_release(struct case_list *l)
{
	arena_release(&l->arena);
	*l = (struct case_list){ .n = 0 };
}

const char *const *case_list_ids(struct case_list *l)
{
	const char **ids = arena_array(&l->arena, l->n + 1, sizeof *ids);
	for (size_t i = 0; ids && i < l->n; i++)
		ids[i] = l->cases[i].id;
	return ids;
}

void case_list_refuse(struct case_list *l, const char *id, char *err, size_t err_size)
{
	const char *const *ids = case_list_ids(l);
	char hint[HINT_SIZE] = "";
	snprintf(err, err_size, "there is no case \"%.60s\"%s", id,
		ids ? did_you_mean(id, ids, l->n, hint, sizeof hint) : "");
}

static void refuse_id(const char *id, char *err, size_t err_size)
{
	struct case_list l;
	case_list_load(&l, NULL);
	case_list_refuse(&l, id, err, err_size);
	case_list_release(&l);
}

int case_load(
	struct design_case *c, const struct tables *t, const char *id, char *err, size_t err_size)
{
	char name[NAME_SIZE + 16];
	void *owned = NULL;
	*c = (struct design_case){ .file = NULL };
	const bool is = is_id(id) && strlen(id) < NAME_SIZE;
	const char *text = is ? read_text(id, name, sizeof name, &owned) : NULL;
	if (!text) {
		if (!is || !is_unreadable(name, err, err_size))
			refuse_id(id, err, err_size);
		return -1;
	}
	int rc = case_read(c, t, text, name, err, err_size);
	if (rc == 0 && strcmp(c->id, id) != 0) {
		snprintf(err, err_size, "%s: id: expected \"%s\", as the file is named", name, id);
		rc = -1;
	}
	free(owned);
	return rc;
}
