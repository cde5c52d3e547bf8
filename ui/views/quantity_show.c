#include "ui/views/quantity_show.h"

#include "sims/quantity/quantity.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_unit(const char *text, const char *at)
{
	if (at == text)
		return at[2] == '\0'; /* the head of a column */
	if (isalnum((unsigned char)at[2]) || at[2] == '_')
		return false;
	if (at[-1] == '(')
		return at[2] == ')';
	return at[-1] == ' ' && at >= text + 2 && isdigit((unsigned char)at[-2]);
}

char *micro_sign(char *text, size_t size)
{
	static const char micro[] = "µ";
	const size_t more = sizeof micro - 2; /* bytes than a u has */
	for (char *at = text; (at = strstr(at, "us")); at += 2) {
		size_t rest = strlen(at) + 1;
		if (!is_unit(text, at) || (size_t)(at - text) + rest + more > size)
			continue;
		memmove(at + 1 + more, at + 1, rest - 1);
		memcpy(at, micro, 1 + more);
	}
	return text;
}

char *quantity_show(char *buf, size_t size, double value, const char *unit)
{
	return micro_sign(quantity_brief(buf, size, value, unit), size);
}
