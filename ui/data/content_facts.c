#include "ui/data/content_facts.h"

#include "ui/data/in_depth.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t content_words(const char *begin, const char *end)
{
	size_t words = 0;
	bool inside = false;
	for (const char *text = begin; text < end; text++) {
		/* What comments say is for authors. */
		const char *close = strncmp(text, "<!--", 4) == 0 ? strstr(text, "-->") : NULL;
		if (close && close < end)
			text = close + 2;
		bool blank = isspace((unsigned char)*text);
		if (!blank && !inside && isalnum((unsigned char)*text)) {
			inside = true;
			words++;
		} else if (blank) {
			inside = false;
		}
	}
	return words;
}

static size_t count_first_words(const char *text)
{
	size_t words = 0;
	struct in_depth s;
	for (; in_depth_next(text, &s); text = s.end)
		words += content_words(text, s.mark);
	return words + content_words(text, text + strlen(text));
}

/* Inside a JSON string the quotes would be escaped, so that this finds members only. */
static size_t count_drills(const char *text)
{
	static const char member[] = "\"skill\"";
	size_t n = 0;
	while ((text = strstr(text, member))) {
		text += sizeof member - 1;
		n += text[strspn(text, " \t\r\n")] == ':';
	}
	return n;
}

/* The topic's "name". It comes before "drills", because drills have members called "name" too. */
static void find_name(const char *text, struct content_facts *f)
{
	const char *member = strstr(text, "\"name\""), *drills = strstr(text, "\"drills\"");
	if (!member || !drills || drills < member)
		return;
	const char *value = member + strlen("\"name\"");
	value += strspn(value, " \t\r\n:");
	if (*value != '"')
		return;
	f->name = value + 1;
	f->name_bytes = strcspn(value + 1, "\"\\");
}

static void find_heading(const char *text, struct content_facts *f)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, "# ", 2) == 0) {
			f->heading = line;
			f->heading_bytes = strcspn(line, "\n");
			return;
		}
	}
}

/* The "8 min" on the first line with anything on it after the heading. */
static void find_minutes(struct content_facts *f)
{
	const char *line = f->heading + f->heading_bytes;
	line += strspn(line, "\r\n");
	size_t digits = strspn(line, "0123456789");
	if (!digits || digits > 3 || strncmp(line + digits, " min", 4) != 0 ||
		!strchr("\r\n", line[digits + 4]))
		return;
	f->minutes = (size_t)strtoul(line, NULL, 10);
}

struct content_facts content_facts(const char *text)
{
	struct content_facts f = { .heading = "", .name = "", .drills = count_drills(text) };
	if (!strstr(text, "\n```formulas ")) {
		f.words = content_words(text, text + strlen(text));
		f.first_words = count_first_words(text);
	}
	find_heading(text, &f);
	if (f.heading_bytes)
		find_minutes(&f);
	if (f.drills)
		find_name(text, &f);
	return f;
}
