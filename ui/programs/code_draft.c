#include "ui/programs/code_draft.h"

#include "ui/files/own_file.h"
#include "ui/programs/code_question.h"
#include "ui/programs/code_run.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The drill's id as the name of a file: people name drills of their own as they like. "" where it is too long. */
static void file_name(const struct variant *v, char *buf, size_t size)
{
	const char *ending = strrchr(code_file_name(v->drill->program->language), '.');
	const char *p;
	size_t used = 0;
	for (p = v->drill->id; *p && used + 4 < size; p++) {
		const unsigned char c = (unsigned char)*p;
		const bool plain = isalnum(c) || c == '-' || c == '_';
		used += (size_t)snprintf(buf + used, size - used, plain ? "%c" : "%%%02x", c);
	}
	if (*p || snprintf(buf + used, size - used, "%s", ending) >= (int)(size - used))
		*buf = '\0';
}

char *code_draft_path(const struct variant *v, char *buf, size_t size)
{
	char name[160], file[sizeof name + 16];
	file_name(v, name, sizeof name);
	snprintf(file, sizeof file, "programs/%s", name);
	return *name ? own_path(OWN_DATA, file, buf, size) : NULL;
}

/* The text with this variant's question in the place of another one that it begins with. */
static char *ask_anew(const struct variant *v, char *text)
{
	const char *program = code_behind_any_question(v, text);
	char *question = program > text ? code_question(v) : NULL;
	const size_t size = question ? strlen(question) + strlen(program) + 1 : 0;
	char *all = size ? malloc(size) : NULL;
	if (all)
		snprintf(all, size, "%s%s", question, program);
	free(question);
	if (!all)
		return text;
	free(text);
	return all;
}

/* Also with the question above it, as an editor is given it. */
static bool is_stub(const struct variant *v, const char *text)
{
	return strcmp(code_behind_question(v, text), v->program->stub) == 0;
}

char *code_draft_read(const struct variant *v, int64_t *saved_s)
{
	char path[OWN_PATH_SIZE];
	struct stat st;
	if (!code_draft_path(v, path, sizeof path) || stat(path, &st))
		return NULL;
	char *text = own_read(path, LARGEST_PROGRAM, NULL);
	*saved_s = (int64_t)st.st_mtime;
	if (text && !is_stub(v, text))
		return ask_anew(v, text);
	free(text);
	return NULL;
}

/* False with errno. */
static bool put(const char *path, const char *text)
{
	size_t n = strlen(text);
	n -= n && text[n - 1] == '\n'; /* which the file ends with anyway */
	char *lines = strndup(text, n);
	const bool done = lines && own_write(path, lines) == 0;
	const int why = lines ? errno : ENOMEM;
	free(lines);
	errno = why;
	return done;
}

static int refuse(const char *done, char *err, size_t err_size)
{
	snprintf(err, err_size, "%s/programs could not be %s: %s", own_folder_shown(OWN_DATA), done,
		strerror(errno));
	return -1;
}

/* Whether something is there that cannot be read, with errno: it may be more than we take of a program, and is nothing
 * to write over. */
static bool is_unread(const char *path)
{
	char *was = own_read(path, LARGEST_PROGRAM, NULL);
	const bool unread = !was && errno != ENOENT && errno != ENOTDIR;
	free(was);
	return unread;
}

bool code_draft_begin(const struct variant *v, const char *text, char *buf, size_t size)
{
	return code_draft_path(v, buf, size) && !is_unread(buf) && put(buf, text);
}

int code_draft_keep(const struct variant *v, const char *text, char *err, size_t err_size)
{
	char path[OWN_PATH_SIZE];
	if (!code_draft_path(v, path, sizeof path)) {
		errno = ENOENT;
		return refuse("written", err, err_size);
	}
	if (text && !is_stub(v, text))
		return !is_unread(path) && put(path, text) ? 0 : refuse("written", err, err_size);
	if (unlink(path) && errno != ENOENT && errno != ENOTDIR)
		return refuse("removed", err, err_size);
	return 0;
}
