#include "ui/pages/first_reading.h"

#include "ui/data/content_facts.h"
#include "ui/data/in_depth.h"
#include "ui/data/page_list.h"

const char *first_reading(const char *markdown, size_t *bytes, const char *hint, struct arena *a)
{
	struct arena_buffer out = { .arena = a };
	struct in_depth s;
	const char *from = markdown;
	while (in_depth_next(from, &s)) {
		arena_append(&out, from, (size_t)(s.mark - from));
		arena_append_text(
			&out, arena_printf(a, "*In depth, %d min%s*\n\n",
				      words_minutes(content_words(s.begin, s.end)), hint));
		from = s.end;
	}
	if (from == markdown)
		return markdown;
	arena_append_text(&out, from);
	*bytes = out.n;
	return a->failed ? NULL : out.text;
}
