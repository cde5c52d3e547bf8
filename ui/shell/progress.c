#include "ui/shell/progress.h"

#include "sims/base/utf8.h"
#include "ui/files/own_file.h"

#include <cjson/cJSON.h>

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 1 << 16 };

char *progress_path(char *buf, size_t size)
{
	return own_path(OWN_STATE, "state.json", buf, size);
}

/* Where a page stands in the list; n_read: nowhere. */
static size_t place_of(const struct progress *p, const char *page)
{
	size_t i = 0;
	while (i < p->n_read && strcmp(p->read[i].page, page) != 0)
		i++;
	return i;
}

uint64_t progress_parts(const struct progress *p, const char *page)
{
	const size_t i = place_of(p, page);
	return i < p->n_read ? p->read[i].parts : 0;
}

static double share_of(uint64_t parts)
{
	unsigned n = 0;
	for (; parts; parts &= parts - 1)
		n++;
	return n / (double)PROGRESS_PARTS;
}

/* What no list has room for is not kept: -1. */
static int add_parts(struct progress *p, const char *page, uint64_t parts)
{
	const size_t i = place_of(p, page);
	if (i == p->n_read) {
		if (i == MAX_READ || strlen(page) >= sizeof p->read[i].page)
			return -1;
		p->read[i].day = 0;
		strcpy(p->read[i].page, page);
		p->read[i].parts = 0;
		p->n_read++;
	}
	p->read[i].parts |= parts;
	return 0;
}

/* --- Reading --- */

/* Each of these says whether it understood all that is there: what this version does not understand, it
 * would not write again. (More than lists have room for is understood.) */

/* Which parts, as 16 hexadecimal digits: the part at the beginning is the lowest bit. */
static bool read_parts(struct progress *p, const cJSON *parts)
{
	const cJSON *item;
	bool all = true;
	cJSON_ArrayForEach(item, parts)
	{
		uint64_t bits;
		if (cJSON_IsString(item) && item->string &&
			strspn(item->valuestring, "0123456789abcdef") == 16 &&
			sscanf(item->valuestring, "%16" SCNx64, &bits) == 1)
			add_parts(p, item->string, bits);
		else
			all = false;
	}
	return all;
}

/* Days of pages that are known by then. */
static bool read_days(struct progress *p, const cJSON *days)
{
	const cJSON *item;
	bool all = true;
	cJSON_ArrayForEach(item, days)
	{
		const size_t i = item->string ? place_of(p, item->string) : p->n_read;
		if (!cJSON_IsNumber(item) || item->valuedouble <= 0 || item->valuedouble >= 1e6)
			all = false;
		else if (i < p->n_read)
			p->read[i].day = (int64_t)item->valuedouble;
	}
	return all;
}

/* What earlier versions kept alone: how far a page was read from its beginning. */
static bool read_shares(struct progress *p, const cJSON *read)
{
	const cJSON *item;
	bool all = true;
	cJSON_ArrayForEach(item, read)
	{
		if (cJSON_IsNumber(item) && item->string && item->valuedouble >= 0 &&
			item->valuedouble <= 1)
			progress_seen(p, item->string, item->valuedouble);
		else
			all = false;
	}
	return all;
}

/* An entry that is not a valid bookmark (another version wrote it, or somebody edited the file) is
 * left out. */
static bool read_bookmarks(struct progress *p, const cJSON *list)
{
	const cJSON *item;
	bool all = true;
	cJSON_ArrayForEach(item, list)
	{
		const cJSON *at = cJSON_GetObjectItemCaseSensitive(item, "at");
		const cJSON *text = cJSON_GetObjectItemCaseSensitive(item, "text");
		char page[sizeof p->bookmarks->page];
		struct page_spot spot;
		if (cJSON_IsString(at) && cJSON_IsString(text) &&
			page_spot_read(at->valuestring, page, sizeof page, &spot))
			progress_mark(p, page, &spot, text->valuestring);
		else
			all = false;
	}
	return all;
}

static bool read_chosen(struct progress *p, const cJSON *chosen)
{
	const cJSON *item;
	bool all = true;
	cJSON_ArrayForEach(item, chosen)
	{
		int glyphs = cJSON_IsString(item) ? glyphs_named(item->valuestring) : -1;
		if (glyphs >= 0 && item->string)
			progress_choose_glyphs(p, item->string, (enum glyphs)glyphs);
		else
			all = false;
	}
	return all;
}

enum { SCHEMA = 1 };

static bool read_scroll(struct progress *p, const cJSON *scroll)
{
	if (!cJSON_IsNumber(scroll) || scroll->valuedouble < 0 || scroll->valuedouble >= 1e6)
		return false;
	p->scroll = (long)scroll->valuedouble;
	return true;
}

static bool read_flag(bool *flag, const cJSON *item)
{
	*flag = cJSON_IsTrue(item);
	return cJSON_IsBool(item);
}

static bool read_place(struct progress *p, const cJSON *place)
{
	if (!cJSON_IsString(place))
		return false;
	snprintf(p->place, sizeof p->place, "%s", place->valuestring);
	return true;
}

/* One that can be anywhere in the file; what hangs on others comes after. */
static bool read_member(struct progress *p, const cJSON *item)
{
	const char *name = item->string;
	const bool object = cJSON_IsObject(item);
	if (strcmp(name, "schema") == 0)
		return cJSON_IsNumber(item) && item->valuedouble <= SCHEMA;
	if (strcmp(name, "place") == 0)
		return read_place(p, item);
	if (strcmp(name, "scroll") == 0)
		return read_scroll(p, item);
	if (strcmp(name, "braille") == 0)
		return read_flag(&p->braille, item);
	if (strcmp(name, "first") == 0)
		return read_flag(&p->first, item);
	if (strcmp(name, "glyphs") == 0)
		return object && read_chosen(p, item);
	if (strcmp(name, "parts") == 0)
		return object && read_parts(p, item);
	if (strcmp(name, "bookmarks") == 0)
		return cJSON_IsArray(item) && read_bookmarks(p, item);
	return object && (strcmp(name, "read") == 0 || strcmp(name, "finished") == 0);
}

static bool read_all(struct progress *p, const cJSON *obj)
{
	const cJSON *item;
	bool all = true;
	cJSON_ArrayForEach(item, obj) all = read_member(p, item) && all;
	if (!cJSON_HasObjectItem(obj, "parts"))
		all = read_shares(p, cJSON_GetObjectItemCaseSensitive(obj, "read")) && all;
	return read_days(p, cJSON_GetObjectItemCaseSensitive(obj, "finished")) && all;
}

/* --- Damage --- */

/* A file that cannot be read is renamed, not deleted, so that its content can be rescued, and no earlier
 * one that was. */
static void move_aside(struct progress *p, const char *path, const char *what)
{
	enum { MOST = 99 };
	char aside[OWN_PATH_SIZE + 32];
	struct stat st;
	for (int i = 1; i <= MOST; i++) {
		const int n = snprintf(aside, sizeof aside, "%s.damaged", path);
		if (i > 1)
			snprintf(aside + n, sizeof aside - (size_t)n, ".%d", i);
		if (lstat(aside, &st))
			break;
	}
	const char *name = strrchr(aside, '/') + 1;
	if (rename(path, aside) == 0)
		snprintf(p->warning, sizeof p->warning,
			"%s could not be read; it was moved to %s/%s", what,
			own_folder_shown(OWN_STATE), name);
	else
		snprintf(p->warning, sizeof p->warning,
			"%s could not be read, nor moved out of the way: %s/state.json: %s", what,
			own_folder_shown(OWN_STATE), strerror(errno));
}

void progress_load(struct progress *p)
{
	char path[OWN_PATH_SIZE];
	*p = (struct progress){ 0 };
	if (!progress_path(path, sizeof path))
		return;
	char *text = own_read(path, LARGEST, NULL);
	if (!text && (errno == ENOENT || errno == ENOTDIR))
		return;
	cJSON *obj = text ? cJSON_ParseWithOpts(text, NULL, true) : NULL;
	free(text);
	if (!cJSON_IsObject(obj)) {
		move_aside(p, path, "The saved position");
	} else if (!read_all(p, obj)) {
		move_aside(p, path, "A part of the saved position");
		progress_save(p); /* the other parts; where that fails, the next change tells so */
	}
	p->unsaved = false;
	cJSON_Delete(obj);
}

/* --- Writing --- */

static bool add_bookmark(cJSON *list, const struct bookmark *b)
{
	char at[256];
	cJSON *item = cJSON_CreateObject();
	page_spot_write(b->page, &b->spot, at, sizeof at);
	if (item && cJSON_AddStringToObject(item, "at", at) &&
		cJSON_AddStringToObject(item, "text", b->text) && cJSON_AddItemToArray(list, item))
		return true;
	cJSON_Delete(item);
	return false;
}

/* The share for earlier versions, which know no parts. */
static bool add_parts_read(cJSON *read, cJSON *parts, const char *page, uint64_t bits)
{
	char text[17];
	snprintf(text, sizeof text, "%016" PRIx64, bits);
	return cJSON_AddNumberToObject(read, page, share_of(bits)) &&
	       cJSON_AddStringToObject(parts, page, text);
}

/* NULL when out of memory: an incomplete file must not replace the complete one. */
static cJSON *to_json(const struct progress *p)
{
	cJSON *obj = cJSON_CreateObject(), *read = NULL, *parts = NULL, *days = NULL, *list = NULL,
	      *chosen = NULL;
	bool whole = cJSON_AddNumberToObject(obj, "schema", SCHEMA) &&
		     cJSON_AddStringToObject(obj, "place", p->place) &&
		     cJSON_AddNumberToObject(obj, "scroll", (double)p->scroll) &&
		     cJSON_AddBoolToObject(obj, "braille", p->braille) &&
		     cJSON_AddBoolToObject(obj, "first", p->first) &&
		     (chosen = cJSON_AddObjectToObject(obj, "glyphs")) &&
		     (read = cJSON_AddObjectToObject(obj, "read")) &&
		     (parts = cJSON_AddObjectToObject(obj, "parts")) &&
		     (days = cJSON_AddObjectToObject(obj, "finished")) &&
		     (list = cJSON_AddArrayToObject(obj, "bookmarks"));
	for (size_t i = 0; whole && i < p->n_chosen; i++)
		whole = cJSON_AddStringToObject(
			chosen, p->chosen[i].terminal, glyph_names[p->chosen[i].glyphs]);
	for (size_t i = 0; whole && i < p->n_read; i++)
		whole = add_parts_read(read, parts, p->read[i].page, p->read[i].parts) &&
			(!p->read[i].day || cJSON_AddNumberToObject(
						    days, p->read[i].page, (double)p->read[i].day));
	for (size_t i = 0; whole && i < p->n_bookmarks; i++)
		whole = add_bookmark(list, &p->bookmarks[i]);
	if (whole)
		return obj;
	cJSON_Delete(obj);
	return NULL;
}

int progress_save(const struct progress *p)
{
	char path[OWN_PATH_SIZE];
	int rc = -1;
	if (!progress_path(path, sizeof path)) {
		errno = ENOENT;
		return -1;
	}
	cJSON *obj = to_json(p);
	char *text = obj ? cJSON_PrintUnformatted(obj) : NULL;
	if (text)
		rc = own_write(path, text);
	else
		errno = ENOMEM;
	cJSON_free(text);
	cJSON_Delete(obj);
	return rc;
}

int progress_glyphs(const struct progress *p, const char *terminal)
{
	for (size_t i = 0; i < p->n_chosen; i++)
		if (strcmp(p->chosen[i].terminal, terminal) == 0)
			return (int)p->chosen[i].glyphs;
	return -1;
}

void progress_choose_glyphs(struct progress *p, const char *terminal, enum glyphs glyphs)
{
	size_t i = 0;
	if (strlen(terminal) >= sizeof p->chosen[0].terminal)
		return;
	while (i < p->n_chosen && strcmp(p->chosen[i].terminal, terminal) != 0)
		i++;
	/* A new choice goes to the end; where there is no room, the oldest is forgotten. */
	if (i == MAX_CHOSEN)
		i = 0;
	if (i < p->n_chosen)
		memmove(p->chosen + i, p->chosen + i + 1, (--p->n_chosen - i) * sizeof *p->chosen);
	strcpy(p->chosen[p->n_chosen].terminal, terminal);
	p->chosen[p->n_chosen++].glyphs = glyphs;
	p->braille = glyphs == GLYPHS_BRAILLE;
}

bool progress_is_new(const struct progress *p)
{
	return !*p->place && !p->n_read && !p->n_chosen && !p->n_bookmarks && !p->warning[0];
}

double progress_of(const struct progress *p, const char *page)
{
	return share_of(progress_parts(p, page));
}

bool progress_is_read(const struct progress *p, const char *page)
{
	return progress_of(p, page) >= 0.98;
}

bool progress_has(const struct progress *p, const char *page, unsigned part)
{
	assert(part < PROGRESS_PARTS);
	return progress_parts(p, page) >> part & 1;
}

void progress_finish(struct progress *p, const char *page, int64_t day)
{
	if (add_parts(p, page, UINT64_MAX) == 0 && !p->read[place_of(p, page)].day)
		p->read[place_of(p, page)].day = day;
}

int64_t progress_day(const struct progress *p, const char *page)
{
	const size_t i = place_of(p, page);
	return i < p->n_read ? p->read[i].day : 0;
}

void progress_read(struct progress *p, const char *page, unsigned part)
{
	assert(part < PROGRESS_PARTS);
	add_parts(p, page, UINT64_C(1) << part);
}

void progress_seen(struct progress *p, const char *page, double share)
{
	uint64_t parts = 0;
	for (unsigned i = 0; i < PROGRESS_PARTS; i++)
		if ((i + 1) / (double)PROGRESS_PARTS <= share)
			parts |= UINT64_C(1) << i;
	add_parts(p, page, parts);
}

bool progress_mark(
	struct progress *p, const char *page, const struct page_spot *spot, const char *text)
{
	if (p->n_bookmarks == MAX_BOOKMARKS || strlen(page) >= sizeof p->bookmarks->page)
		return false;
	struct bookmark *b = &p->bookmarks[p->n_bookmarks++];
	*b = (struct bookmark){ .spot = *spot };
	strcpy(b->page, page);
	size_t n = utf8_whole(text, sizeof b->text - 1);
	memcpy(b->text, text, n);
	b->text[n] = '\0';
	p->unsaved = true;
	return true;
}

void progress_unmark(struct progress *p, size_t i)
{
	memmove(p->bookmarks + i, p->bookmarks + i + 1,
		(--p->n_bookmarks - i) * sizeof *p->bookmarks);
	p->unsaved = true;
}
