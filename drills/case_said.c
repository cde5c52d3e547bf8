#include "drills/case_said.h"

#include "sims/base/array.h"

#include <stdarg.h>
#include <string.h>

void case_said_release(struct case_said *s)
{
	arena_release(&s->arena);
	*s = (struct case_said){ .n = 0 };
}

enum { HANG = 4 };

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

void case_say_box(struct case_said *s, enum case_box box, int indent, const char *fmt, ...)
{
	static const struct {
		enum case_tone tone;
		char text[CASE_BOX_BYTES + 1];
	} boxes[] = { [BOX_NONE] = { TONE_DEBRIEF, "" },
		[BOX_MISSED] = { TONE_BAD, "[ ] " },
		[BOX_PART] = { TONE_DEBRIEF, "[~] " },
		[BOX_MET] = { TONE_GOOD, "[x] " } };
	va_list ap;
	va_start(ap, fmt);
	const char *text = arena_vprintf(&s->arena, fmt, ap);
	va_end(ap);
	text = arena_printf(&s->arena, "%s%s", boxes[box].text, text);
	ARRAY_APPEND(&s->arena, s, list, n, room,
		(struct case_paragraph){ .tone = boxes[box].tone,
			.box = box,
			.indent = indent,
			.hang = HANG,
			.text = text });
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
