#include "ui/data/known_numbers.h"

#include <string.h>

const char *known_number(const struct tables *t, const char *source)
{
	size_t from = 0, end = &n_known_numbers && t && !t->own ? n_known_numbers : 0;
	while (from < end) {
		const size_t middle = from + (end - from) / 2;
		const char *text = known_number_texts + known_numbers[middle];
		const int order = strcmp(source, text);
		if (order == 0)
			return text + strlen(text) + 1;
		from = order > 0 ? middle + 1 : from;
		end = order > 0 ? end : middle;
	}
	return NULL;
}
