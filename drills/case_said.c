#include "drills/case_said.h"

#include "sims/base/array.h"

#include <stdarg.h>
#include <string.h>

void case_said_release(struct case_said *s)
{
	arena_release(&s->arena);
	*s = (struct case_said){ .n = 0 };
}

static void add(
	struct case_said *s, enum case_tone tone, int indent, int hang, const char *fmt, va_list ap)
{
	const char *text = arena_vprintf(&s->arena, fmt, ap);
	ARRAY_APPEND(&s->arena, s, list, n, room,
		(struct case_paragraph){
			.tone = tone, .indent = indent, .hang = hang, .text = text });
}

void case_say(struct case_said *s, enum case_tone tone, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add(s, tone, 0, 0, fmt, ap);
	va_end(ap);
}

void case_say_item(struct case_said *s, enum case_tone tone, const char *fmt, ...)
{
	enum { HANG = 4 };
	va_list ap;
	va_start(ap, fmt);
	add(s, tone, 0, HANG, fmt, ap);
	va_end(ap);
}

void case_say_at(
	struct case_said *s, enum case_tone tone, int indent, int hang, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add(s, tone, indent, hang, fmt, ap);
	va_end(ap);
}

void case_say_apart(struct case_said *s)
{
	if (s->n)
		s->list[s->n - 1].apart = true;
}

void case_say_aside(struct case_said *s)
{
	if (s->n)
		s->list[s->n - 1].aside = true;
}

void case_say_named(struct case_said *s)
{
	struct case_paragraph *p = s->n ? &s->list[s->n - 1] : NULL;
	const char *colon = p ? strchr(p->text, ':') : NULL;
	if (colon)
		p->name = (int)(colon + 1 - p->text);
}
