#include "ui/data/history_file.h"

#include "ui/files/own_file.h"
#include "ui/files/own_lines.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Two hundred thousand answers: what is larger is no history, and would take gigabytes. */
static const size_t largest_file = (size_t)64 << 20;

char *history_path(char *buf, size_t size)
{
	return own_path(OWN_DATA, "history.jsonl", buf, size);
}

int history_append(const char *path, const struct history_event *e, char *err, size_t err_size)
{
	assert(path && e && err_size > 0);
	char line[HISTORY_LINE_SIZE];
	size_t n = history_line(e, line, sizeof line);
	if (n == 0) {
		snprintf(err, err_size,
			"the answer is too long to be kept: expected at most %d bytes",
			HISTORY_LINE_SIZE);
		return -1;
	}
	if (own_append(path, line, n) == 0)
		return 0;
	snprintf(err, err_size, "the answer is not kept, cannot write %.200s: %s", path,
		strerror(errno));
	return -1;
}

int history_load(struct history *h, const char *path, char *err, size_t err_size)
{
	*h = (struct history){ 0 };
	size_t size = 0;
	char *text = own_read_lines(path, largest_file, &size);
	if (!text && errno == ENOENT)
		return 0;
	if (text && history_parse(h, text, size) == 0)
		return 0;
	errno = text ? ENOMEM : errno;
	char why[100];
	snprintf(err, err_size, "cannot read the history %.200s: %s", path,
		own_read_error(largest_file, why, sizeof why));
	return -1;
}

uint64_t history_stamp(const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return 0;
	return (uint64_t)st.st_mtim.tv_sec * 1000000007u + (uint64_t)st.st_mtim.tv_nsec +
	       (uint64_t)st.st_size;
}
