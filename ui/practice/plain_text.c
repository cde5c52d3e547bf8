#include "ui/practice/plain_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* What acts wherever it stands. `|` ends a cell of a table. */
static bool acts_anywhere(char c)
{
	return c && strchr("\\`*[]<|", c);
}

/* Between letters an underscore is one of them; an ampersand begins an entity only with a name or number behind
 * it; one tilde alone strikes nothing. */
static bool acts_here(const char *text, const char *at)
{
	const char before = at > text ? at[-1] : ' ', after = at[1];
	switch (*at) {
	case '_':
		return !isalnum((unsigned char)before) || !isalnum((unsigned char)after);
	case '&':
		return after == '#' || isalnum((unsigned char)after);
	case '~':
		return before == '~' || after == '~';
	default:
		return acts_anywhere(*at);
	}
}

static bool ends_sign(char c)
{
	return !c || isspace((unsigned char)c);
}

/* The place of the sign that makes a heading, a quote, a list or a rule of the line that begins here: "# ", "- ",
 * "---", "12. "; NULL: there is none. */
static const char *begins_block(const char *text)
{
	text += strspn(text, " ");
	const size_t digits = strspn(text, "0123456789");
	const char *end = text + digits;
	if (digits)
		return (*end == '.' || *end == ')') && ends_sign(end[1]) ? end : NULL;
	if (*text == '#')
		return ends_sign(text[strspn(text, "#")]) ? text : NULL;
	if (*text == '-' || *text == '+')
		return ends_sign(text[1]) || text[1] == *text ? text : NULL;
	return *text == '>' || *text == '=' ? text : NULL;
}

void markdown_escape(const char *text, FILE *out)
{
	const char *block = begins_block(text);
	for (const char *at = text; *at; at++) {
		const unsigned char c = (unsigned char)*at;
		if (at == block || acts_here(text, at))
			putc('\\', out);
		putc(c < 0x20 || c == 0x7f ? ' ' : c, out);
	}
}
