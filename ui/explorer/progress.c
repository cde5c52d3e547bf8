#include "ui/explorer/progress.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 1 << 16 };

char *progress_path(char *buf, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n = -1;
	if (state && state[0] == '/')
		n = snprintf(buf, size, "%s/ridge/state.json", state);
	else if (home && home[0] == '/')
		n = snprintf(buf, size, "%s/.local/state/ridge/state.json", home);
	return n > 0 && (size_t)n < size ? buf : NULL;
}

static void copy_text(const cJSON *obj, const char *name, char *buf, size_t size)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(obj, name);
	if (cJSON_IsString(item))
		snprintf(buf, size, "%s", item->valuestring);
}

static void read_shares(struct progress *p, const cJSON *read)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, read)
	{
		if (cJSON_IsNumber(item) && item->string && item->valuedouble >= 0 &&
			item->valuedouble <= 1)
			progress_seen(p, item->string, item->valuedouble);
	}
}

/* A file that cannot be understood is kept beside, under another name, for whoever wants it. */
static void move_aside(struct progress *p, const char *path)
{
	char aside[4200];
	snprintf(aside, sizeof aside, "%s.damaged", path);
	if (rename(path, aside) == 0)
		snprintf(p->warning, sizeof p->warning,
			"The saved position could not be read; it was moved to %.180s", aside);
}

/* NULL where there is none. Opening what is no file could wait for ever (a pipe). */
static char *read_file(const char *path)
{
	struct stat st;
	FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "r") : NULL;
	char *text = f ? malloc(LARGEST) : NULL;
	if (text)
		text[fread(text, 1, LARGEST - 1, f)] = '\0';
	if (f)
		fclose(f);
	return text;
}

void progress_load(struct progress *p)
{
	char path[4096];
	*p = (struct progress){ 0 };
	char *text = progress_path(path, sizeof path) ? read_file(path) : NULL;
	if (!text)
		return;
	cJSON *obj = cJSON_ParseWithOpts(text, NULL, true);
	free(text);
	if (!cJSON_IsObject(obj)) {
		move_aside(p, path);
	} else {
		copy_text(obj, "place", p->place, sizeof p->place);
		const cJSON *scroll = cJSON_GetObjectItemCaseSensitive(obj, "scroll");
		if (cJSON_IsNumber(scroll) && scroll->valuedouble >= 0 && scroll->valuedouble < 1e6)
			p->scroll = (long)scroll->valuedouble;
		p->braille = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(obj, "braille"));
		read_shares(p, cJSON_GetObjectItemCaseSensitive(obj, "read"));
	}
	cJSON_Delete(obj);
}

/* NULL when out of memory: half of it must not replace the whole. */
static cJSON *to_json(const struct progress *p)
{
	cJSON *obj = cJSON_CreateObject(), *read = NULL;
	bool whole = cJSON_AddNumberToObject(obj, "schema", 1) &&
		     cJSON_AddStringToObject(obj, "place", p->place) &&
		     cJSON_AddNumberToObject(obj, "scroll", (double)p->scroll) &&
		     cJSON_AddBoolToObject(obj, "braille", p->braille) &&
		     (read = cJSON_AddObjectToObject(obj, "read"));
	for (size_t i = 0; whole && i < p->n_read; i++)
		whole = cJSON_AddNumberToObject(read, p->read[i].page, p->read[i].share);
	if (whole)
		return obj;
	cJSON_Delete(obj);
	return NULL;
}

/* Every folder on the way to the file. */
static void make_folders(const char *path)
{
	char folder[4096];
	snprintf(folder, sizeof folder, "%s", path);
	for (char *p = folder + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			mkdir(folder, 0700);
			*p = '/';
		}
}

int progress_save(const struct progress *p)
{
	char path[4096], temporary[4200];
	int rc = -1;
	if (!progress_path(path, sizeof path)) {
		errno = ENOENT;
		return -1;
	}
	make_folders(path);
	/* The process id keeps two ridges at once from writing one temporary file. */
	snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
	cJSON *obj = to_json(p);
	char *text = obj ? cJSON_PrintUnformatted(obj) : NULL;
	FILE *f = text ? fopen(temporary, "w") : NULL;
	if (f) {
		bool wrote =
			fprintf(f, "%s\n", text) > 0 && fflush(f) == 0 && fsync(fileno(f)) == 0;
		bool closed = fclose(f) == 0;
		rc = wrote && closed && rename(temporary, path) == 0 ? 0 : -1;
		if (rc) {
			int why = errno;
			unlink(temporary);
			errno = why;
		}
	} else if (!text) {
		errno = ENOMEM;
	}
	cJSON_free(text);
	cJSON_Delete(obj);
	return rc;
}

double progress_of(const struct progress *p, const char *page)
{
	for (size_t i = 0; i < p->n_read; i++)
		if (strcmp(p->read[i].page, page) == 0)
			return p->read[i].share;
	return 0;
}

void progress_seen(struct progress *p, const char *page, double share)
{
	size_t i = 0;
	if (share > 1)
		share = 1;
	while (i < p->n_read && strcmp(p->read[i].page, page) != 0)
		i++;
	if (i == p->n_read) {
		if (i == MAX_READ || strlen(page) >= sizeof p->read[i].page)
			return;
		strcpy(p->read[i].page, page);
		p->read[i].share = 0;
		p->n_read++;
	}
	if (share > p->read[i].share)
		p->read[i].share = share;
}
