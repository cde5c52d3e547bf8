#include "ui/interviewer/interviewer_files.h"
#include "ui/practice/date_words.h"

#include "sims/base/array.h"
#include "ui/files/own_file.h"
#include "ui/files/own_lines.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An interview of 45 minutes has some hundred lines. */
static const size_t largest_record = (size_t)16 << 20;

static char *path_of(const char *name, char *buf, size_t size)
{
	char file[RECORD_NAME_SIZE + 32];
	snprintf(file, sizeof file, "interviews/%s", name);
	return own_path(OWN_DATA, file, buf, size);
}

/* A code as a name has it, without hyphens; "own" where there is none. */
static const char *code_text(const char *code, char *buf, size_t size)
{
	size_t n = 0;
	snprintf(buf, size, "own");
	for (; *code && n + 1 < size; code++)
		if (isalnum((unsigned char)*code))
			buf[n++] = *code;
	buf[n ? n : strlen(buf)] = '\0';
	return buf;
}

char *interviewer_file_name(const struct interviewer *v, char *buf, size_t size)
{
	char code[CODE_SIZE + 4], date[24];
	snprintf(buf, size, "%s-%s.jsonl", moment_stamp(v->opened_s, date, sizeof date),
		code_text(v->request.code, code, sizeof code));
	return buf;
}

int interviewer_file_keep(const char *name, const char *line, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE];
	if (!path_of(name, path, sizeof path)) {
		snprintf(err, err_size, "The interview is not kept: no HOME says where.");
		return -1;
	}
	if (own_append(path, line, strlen(line)) == 0)
		return 0;
	snprintf(err, err_size, "The interview is not kept: %s/interviews: %s",
		own_folder_shown(OWN_DATA), strerror(errno));
	return -1;
}

/* "DATE-CODE.jsonl" as "DATE-CODE.answers". */
static char *theirs_path(const char *record, char *buf, size_t size)
{
	char name[RECORD_NAME_SIZE + 16];
	snprintf(name, sizeof name, "%.*s.answers", (int)strcspn(record, "."), record);
	return path_of(name, buf, size);
}

int interviewer_file_keep_theirs(const char *record, char *lines, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE];
	size_t n = strlen(lines);
	if (n && lines[n - 1] == '\n')
		lines[n - 1] = '\0'; /* it is written with one */
	errno = ENOENT;
	if (theirs_path(record, path, sizeof path) && own_write(path, lines) == 0)
		return 0;
	snprintf(err, err_size, "The candidate's answers are not kept: %s/interviews: %s",
		own_folder_shown(OWN_DATA), strerror(errno));
	return -1;
}

bool interviewer_file_follow(struct interviewer *v, const char *record, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE], why[300];
	struct history h;
	size_t bytes = 0;
	err[0] = '\0';
	if (!theirs_path(record, path, sizeof path))
		return false;
	char *text = own_read(path, largest_record, &bytes);
	if (!text) {
		if (errno != ENOENT && errno != ENOTDIR)
			snprintf(err, err_size, "%s: %s", strrchr(path, '/') + 1, strerror(errno));
		return false;
	}
	if (history_parse(&h, text, bytes)) {
		history_release(&h);
		return false;
	}
	if (*history_complaint(&h, why, sizeof why))
		snprintf(err, err_size, "%s: %s", strrchr(path, '/') + 1, why);
	v->theirs = true;
	interviewer_follow(v, h);
	return true;
}

char *interviewer_file_read(const char *name, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE];
	size_t bytes = 0;
	char *text = path_of(name, path, sizeof path) ? own_read_lines(path, largest_record, &bytes)
						      : NULL;
	if (text && strlen(text) < bytes) {
		free(text);
		text = NULL;
		errno = EILSEQ;
	}
	if (!text)
		snprintf(err, err_size, "cannot read %s/interviews/%s: %s",
			own_folder_shown(OWN_DATA), name,
			own_read_error(largest_record, path, sizeof path));
	return text;
}

static bool is_record(const char *name)
{
	size_t n = strlen(name), end = strlen(".jsonl");
	return n > end && n < RECORD_NAME_SIZE && name[0] != '.' &&
	       strcmp(name + n - end, ".jsonl") == 0;
}

static int newest_first(const void *a, const void *b)
{
	const struct interviewer_file *x = a, *y = b;
	return strcmp(y->name, x->name);
}

static bool add_file(struct interviewer_files *f, const char *name)
{
	struct interviewer_file *file = ARRAY_PUSH(&f->arena, f, files, n, room);
	if (file)
		snprintf(file->name, sizeof file->name, "%s", name);
	return file != NULL;
}

int interviewer_files_list(struct interviewer_files *f, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE];
	bool all = true;
	*f = (struct interviewer_files){ 0 };
	errno = ENOENT;
	DIR *folder = path_of("", path, sizeof path) ? opendir(path) : NULL;
	if (!folder) {
		snprintf(err, err_size, "cannot read %s/interviews: %s", own_folder_shown(OWN_DATA),
			strerror(errno));
		return errno == ENOENT ? 0 : -1;
	}
	for (struct dirent *e; all && (e = readdir(folder));)
		if (is_record(e->d_name))
			all = add_file(f, e->d_name);
	closedir(folder);
	if (f->n)
		qsort(f->files, f->n, sizeof *f->files, newest_first);
	snprintf(err, err_size, "out of memory");
	return all ? 0 : -1;
}

void interviewer_files_release(struct interviewer_files *f)
{
	arena_release(&f->arena);
	*f = (struct interviewer_files){ 0 };
}

/* By its name, so that no other needs to be read. */
static bool may_be_wanted(const char *name, const char *code, int64_t now_s)
{
	enum { DAY_S = 86400 };
	char text[CODE_SIZE + 16];
	if (!*code)
		return strcmp(name, moment_stamp(now_s - DAY_S, text, sizeof text)) > 0;
	char plain[CODE_SIZE + 4];
	snprintf(text, sizeof text, "-%s.jsonl", code_text(code, plain, sizeof plain));
	return strlen(name) > strlen(text) && strcmp(name + strlen(name) - strlen(text), text) == 0;
}

char *interviewer_file_unfinished(const char *code, int64_t now_s, char *name)
{
	struct interviewer_files f;
	struct interviewer_head head;
	char err[300], *found = NULL;
	bool listed = interviewer_files_list(&f, err, sizeof err) == 0;
	for (size_t i = 0; listed && i < f.n && !found; i++) {
		if (!may_be_wanted(f.files[i].name, code, now_s))
			continue;
		char *text = interviewer_file_read(f.files[i].name, err, sizeof err);
		if (text && interviewer_head_read(text, &head) && !head.ended) {
			strcpy(name, f.files[i].name);
			found = text;
		} else {
			free(text);
		}
	}
	interviewer_files_release(&f);
	return found;
}

size_t interviewer_file_ended(const char *code, int64_t *ended_s)
{
	struct interviewer_files f;
	struct interviewer_head head;
	char err[300];
	size_t number = 0;
	const bool listed = *code && interviewer_files_list(&f, err, sizeof err) == 0;
	if (!*code)
		return 0;
	for (size_t i = 0; listed && i < f.n && !number; i++)
		if (may_be_wanted(f.files[i].name, code, 0))
			number = i + 1;
	char *text =
		number ? interviewer_file_read(f.files[number - 1].name, err, sizeof err) : NULL;
	const bool ended = text && interviewer_head_read(text, &head) && head.ended;
	if (ended)
		*ended_s = head.ended_s;
	free(text);
	interviewer_files_release(&f);
	return ended ? number : 0;
}

int interviewer_file_drop(const char *name, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE];
	errno = ENOENT;
	if (!path_of(name, path, sizeof path) || unlink(path)) {
		snprintf(err, err_size, "cannot remove %s/interviews/%s: %s",
			own_folder_shown(OWN_DATA), name, strerror(errno));
		return -1;
	}
	if (theirs_path(name, path, sizeof path) && unlink(path) && errno != ENOENT) {
		snprintf(err, err_size, "cannot remove %s/interviews/%s: %s",
			own_folder_shown(OWN_DATA), strrchr(path, '/') + 1, strerror(errno));
		return -1;
	}
	return 0;
}
