#include "ui/data/bank_load.h"

#include "sims/base/csv.h"
#include "sims/base/utf8.h"
#include "drills/bank_read.h"
#include "drills/code.h"
#include "drills/deal.h"
#include "ui/files/own_file.h"
#include "ui/data/content.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int load_shipped(struct drill_bank *b, const struct tables *t, char *err, size_t err_size)
{
	static const char folder[] = "drills/";
	for (size_t i = 0; i < n_content_files; i++) {
		const char *name = content_files[i].name;
		size_t bytes;
		void *owned;
		if (strncmp(name, folder, sizeof folder - 1) != 0)
			continue;
		const char *json = content_read(name, &bytes, &owned);
		if (!json)
			snprintf(err, err_size, "%s: cannot be read", name);
		int rc = json ? bank_add(b, t, json, name, err, err_size) : -1;
		free(owned);
		if (rc)
			return -1;
	}
	return 0;
}

/* --- The user's own --- */

/* These files may come from somebody else, so they are limited in size and number, read as data,
 * and trusted no more than any other input. */

enum { NAME_SIZE = 256, MOST_ENTRIES = 10000, LONGEST_WORD = 64 };

/* The names in order. There is room for one more than will be read, to notice when there are too
 * many. */
struct names {
	char name[MOST_OWN_FILES + 1][NAME_SIZE];
	size_t n;
};

struct own_reader {
	struct drill_bank *bank;
	const struct tables *tables;
	char path[OWN_PATH_SIZE]; /* of the folder */
	const char **refused;     /* room for a line a file, and one for their number */
	struct own_drills *out;
};

static void refuse(struct own_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void refuse(struct own_reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	assert(r->out->n_refused < MOST_OWN_FILES + 2);
	r->refused[r->out->n_refused++] = arena_vprintf(&r->bank->arena, fmt, ap);
	va_end(ap);
}

static const char *find_folder(struct own_reader *r)
{
	if (!own_path(OWN_DATA, "drills", r->path, sizeof r->path))
		return "";
	return arena_printf(&r->bank->arena, "%s/drills", own_folder_shown(OWN_DATA));
}

static bool is_bank(const char *name)
{
	size_t n = strlen(name);
	return n > 5 && n < NAME_SIZE && *name != '.' && strcmp(name + n - 5, ".json") == 0;
}

/* Keeps the names that come first in the alphabet, sorted. */
static void insert(struct names *all, const char *name)
{
	size_t i = all->n < MOST_OWN_FILES + 1 ? all->n++ : MOST_OWN_FILES;
	if (i == MOST_OWN_FILES && *all->name[i] && strcmp(name, all->name[i]) >= 0)
		return;
	for (; i > 0 && strcmp(name, all->name[i - 1]) < 0; i--)
		memcpy(all->name[i], all->name[i - 1], NAME_SIZE);
	snprintf(all->name[i], NAME_SIZE, "%s", name);
}

static void list(struct own_reader *r, struct names *all)
{
	DIR *dir = opendir(r->path);
	struct dirent *entry;
	if (!dir) {
		r->bank->arena.failed |= errno == ENOMEM;
		if (errno != ENOENT && errno != ENOTDIR)
			refuse(r, "%s: %s", r->out->folder, strerror(errno));
		return;
	}
	for (int i = 0; i < MOST_ENTRIES && (entry = readdir(dir)); i++)
		if (is_bank(entry->d_name))
			insert(all, entry->d_name);
	closedir(dir);
}

/* An escape that stands for a control character, which could move the cursor or change colours. */
static bool is_bad_escape(const char *p)
{
	char hex[5] = "";
	if (*p != 'u')
		return strchr("bfrt", *p) != NULL && *p;
	snprintf(hex, sizeof hex, "%.4s", p + 1);
	unsigned long code = strtoul(hex, NULL, 16);
	return code != '\n' && (code < 0x20 || (code >= 0x7f && code < 0xa0));
}

/* The first byte that must not be shown on a terminal; NULL when the whole text may be. */
static const char *find_unprintable(const char *p)
{
	while (*p) {
		int bytes = utf8_char_bytes(p);
		unsigned char c = (unsigned char)*p;
		bool control = (c < 0x20 && !strchr("\n\r\t", c)) || c == 0x7f ||
			       (c == 0xc2 && (unsigned char)p[1] < 0xa0);
		if (!bytes || control || (c == '\\' && is_bad_escape(p + 1)))
			return p;
		p += bytes;
		if (c == '\\' && *p == '\\')
			p++;
	}
	return NULL;
}

static int check_text(const char *text, const char *name, char *err, size_t err_size)
{
	const char *bad = find_unprintable(text);
	size_t line = 1;
	for (const char *p = text; bad && p < bad; p++)
		line += *p == '\n';
	if (bad)
		snprintf(err, err_size,
			"%s: line %zu: expected UTF-8 and no control character but \\n", name,
			line);
	return bad ? -1 : 0;
}

/* People type ids, topics and skills, and the history stores them: so they are plain words. */
static bool is_word(const char *text)
{
	size_t n = strlen(text);
	for (const char *p = text; *p; p++)
		if (!isgraph((unsigned char)*p) || (unsigned char)*p >= 0x80)
			return false;
	return n > 0 && n <= LONGEST_WORD;
}

static int check_drill(const struct drill *d, const struct tables *t, const char *name,
	bool *no_memory, char *err, size_t err_size)
{
	char why[200];
	struct variant v;
	if (!is_word(d->id) || !is_word(d->topic) || !is_word(d->skill)) {
		char id[LONGEST_WORD + 1];
		snprintf(err, err_size,
			"%s: %s: id, topic and skill: expected 1 to %d characters of ASCII, "
			"no blanks",
			name, csv_plain(d->id, strlen(d->id), id, sizeof id), LONGEST_WORD);
		return -1;
	}
	int rc = deal(d, t, 0, 0, &v, why, sizeof why);
	*no_memory = v.arena.failed;
	variant_release(&v);
	if (rc)
		snprintf(err, err_size, "%s: %.200s", name, why);
	return rc;
}

/* Adds all drills of a file, or none of them when one is wrong. */
static int add(struct own_reader *r, const char *text, const char *name, char *err, size_t err_size)
{
	struct drill_bank *b = r->bank;
	struct drill *before = b->drills;
	size_t n = b->n;
	if (check_text(text, name, err, err_size) ||
		bank_add(b, r->tables, text, name, err, err_size))
		return -1;
	bool good = true, no_memory = false;
	for (size_t i = n; good && i < b->n; i++)
		good = check_drill(&b->drills[i], r->tables, name, &no_memory, err, err_size) == 0;
	b->arena.failed |= no_memory;
	if (good)
		return 0;
	b->drills = before;
	b->n = n;
	return -1;
}

static void take_file(struct own_reader *r, const char *file)
{
	char path[OWN_PATH_SIZE + NAME_SIZE], name[NAME_SIZE], err[600] = "";
	snprintf(path, sizeof path, "%s/%s", r->path, file);
	snprintf(name, sizeof name, "%s/%.100s", r->out->folder, file);
	for (char *p = name; *p; p++)
		if (iscntrl((unsigned char)*p) || (unsigned char)*p >= 0x80)
			*p = '?';
	char *text = own_read(path, LARGEST_OWN_FILE, NULL);
	r->bank->arena.failed |= !text && errno == ENOMEM;
	if (!text) {
		refuse(r, "%s: expected a readable text file of %d KiB at most", name,
			LARGEST_OWN_FILE >> 10);
		return;
	}
	size_t before = r->bank->n;
	if (add(r, text, name, err, sizeof err)) {
		for (char *p = err; (p = strchr(p, '\n'));)
			*p = ' '; /* an id may contain one */
		refuse(r, "%s", err);
	} else {
		r->out->n_files++;
		r->out->n_drills += r->bank->n - before;
	}
	free(text);
}

static void load_own(struct drill_bank *b, const struct tables *t, struct own_drills *own)
{
	*own = (struct own_drills){ .folder = "" };
	struct own_reader r = { .bank = b, .tables = t, .out = own };
	struct names *all = calloc(1, sizeof *all);
	r.refused = arena_array(&b->arena, MOST_OWN_FILES + 2, sizeof *r.refused);
	if (all && r.refused) {
		own->refused = r.refused;
		own->folder = find_folder(&r);
		if (*own->folder)
			list(&r, all);
		for (size_t i = 0; i < all->n && i < MOST_OWN_FILES && !b->arena.failed; i++)
			take_file(&r, all->name[i]);
		if (all->n > MOST_OWN_FILES)
			refuse(&r, "%s: more than %d files: %.100s and what follows is left out",
				own->folder, MOST_OWN_FILES, all->name[MOST_OWN_FILES]);
	}
	b->arena.failed |= !all;
	free(all);
}

int bank_load_pack(
	struct drill_bank *b, const struct tables *t, const char *path, char *err, size_t err_size)
{
	struct own_reader r = { .bank = b, .tables = t };
	const size_t before = b->n;
	char *text = own_read(path, LARGEST_OWN_FILE, NULL);
	if (!text) {
		snprintf(err, err_size,
			"pack %.200s: expected a readable text file of %d KiB at most", path,
			LARGEST_OWN_FILE >> 10);
		return -1;
	}
	int rc = add(&r, text, path, err, err_size);
	const char **ids = rc ? NULL : arena_array(&b->arena, b->n - before + 1, sizeof *ids);
	for (size_t i = before; ids && i < b->n; i++)
		ids[i - before] = b->drills[i].id;
	if (ids) {
		b->pack = (struct drill_edition){ ids, b->n - before };
		b->pack_hash = code_hash(text);
	}
	free(text);
	if (!rc && b->pack.n)
		return 0;
	if (!rc)
		snprintf(err, err_size, "pack %.200s: %s", path,
			ids ? "expected drills, found none" : "out of memory");
	return -1;
}

/* --- Both --- */

static uint64_t mixed(uint64_t stamp, uint64_t with)
{
	return (stamp ^ with) * 0x100000001b3u;
}

/* Of a name and what the system says of the file. */
static uint64_t file_stamp(const char *name, const struct stat *st)
{
	uint64_t stamp = 0xcbf29ce484222325u;
	for (; *name; name++)
		stamp = mixed(stamp, (unsigned char)*name);
	stamp = mixed(mixed(stamp, (uint64_t)st->st_mtim.tv_sec), (uint64_t)st->st_mtim.tv_nsec);
	stamp = mixed(mixed(stamp, (uint64_t)st->st_ctim.tv_sec), (uint64_t)st->st_ctim.tv_nsec);
	return mixed(stamp, (uint64_t)st->st_size);
}

/* In any order: the sum. */
static uint64_t own_stamp(void)
{
	char folder[OWN_PATH_SIZE];
	struct stat st;
	struct dirent *entry;
	if (!own_path(OWN_DATA, "drills", folder, sizeof folder) || stat(folder, &st))
		return 0;
	uint64_t stamp = file_stamp("", &st);
	DIR *dir = opendir(folder);
	for (int i = 0; dir && i < MOST_ENTRIES && (entry = readdir(dir)); i++)
		if (is_bank(entry->d_name) && fstatat(dirfd(dir), entry->d_name, &st, 0) == 0)
			stamp += file_stamp(entry->d_name, &st);
	if (dir)
		closedir(dir);
	return stamp;
}

uint64_t bank_stamp(void)
{
	uint64_t stamp = own_stamp();
	for (size_t i = 0; i < n_content_files; i++)
		if (strncmp(content_files[i].name, "drills/", 7) == 0)
			stamp += mixed(i + 1, content_stamp(content_files[i].name));
	return stamp;
}

int bank_load_telling(struct drill_bank *b, const struct tables *t, struct own_drills *own,
	char *err, size_t err_size)
{
	*own = (struct own_drills){ .folder = "" };
	if (load_shipped(b, t, err, err_size))
		return -1;
	load_own(b, t, own);
	if (!b->arena.failed)
		return 0;
	/* Less than all that is there would be taken for all of it. */
	*own = (struct own_drills){ .folder = "" };
	snprintf(err, err_size, "out of memory");
	return -1;
}

int bank_load(struct drill_bank *b, const struct tables *t, char *err, size_t err_size)
{
	struct own_drills own;
	return bank_load_telling(b, t, &own, err, err_size);
}

int bank_load_for(struct drill_bank *b, const struct tables *t, const char *command, FILE *err)
{
	char why[400];
	struct own_drills own;
	int rc = bank_load_telling(b, t, &own, why, sizeof why);
	if (rc)
		fprintf(err, "%s: %s\n", command, why);
	for (size_t i = 0; i < own.n_refused; i++)
		fprintf(err, "%s: %s\n", command, own.refused[i]);
	return rc;
}
