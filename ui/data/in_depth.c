#include "ui/data/in_depth.h"

#include <string.h>

static const char *line_after(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* "## ...": 2; 0: it is no heading. */
static size_t level_of(const char *line)
{
	size_t n = strspn(line, "#");
	return n <= 6 && line[n] == ' ' ? n : 0;
}

static bool is_fence(const char *line)
{
	return strncmp(line, "```", 3) == 0;
}

bool in_depth_marks(const char *line)
{
	static const char mark[] = "<!-- in depth -->";
	const size_t n = sizeof mark - 1;
	return strncmp(line, mark, n) == 0 && strchr("\n", line[n + strspn(line + n, " \r")]);
}

/* Where the section ends whose heading has this level. */
static const char *end_of(const char *line, size_t level)
{
	bool code = false;
	for (; *line; line = line_after(line)) {
		code ^= is_fence(line);
		const size_t found = code ? 0 : level_of(line);
		if (found && found <= level)
			break;
	}
	return line;
}

bool in_depth_next(const char *from, struct in_depth *s)
{
	bool code = false;
	for (const char *line = from; *line; line = line_after(line)) {
		code ^= is_fence(line);
		const size_t level = code ? 0 : level_of(line);
		if (!level)
			continue;
		const char *below = line_after(line);
		below += strspn(below, "\r\n");
		if (!in_depth_marks(below))
			continue;
		*s = (struct in_depth){ line, below, line_after(below), NULL };
		s->end = end_of(s->begin, level);
		return true;
	}
	return false;
}
