/* The history: events of a session, as lines of text and back. One table of members serves both. */
#include "drills/history.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"
#include "drills/json_line.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const history_kind_names[] = { "answer", "gave_up", "timed_out" };

enum { SCHEMA = 1 };
#define LAST_S 253402300799 /* the end of the year 9999 */

enum member_type {
	IS_SCHEMA,
	IS_TIME, /* int64_t */
	IS_KIND,
	IS_TEXT,
	IS_NATURAL, /* uint64_t */
	IS_COUNT,   /* unsigned */
	IS_STEP,    /* unsigned; not written where there is one step only */
	IS_NUMBER,  /* double; NAN is not written */
	IS_VERDICT,
	IS_FLAG
};

/* In the order of a line. A number is from 0 to `most`, or any where that is INFINITY. */
#define AT(field) offsetof(struct history_event, field)
static const struct event_member {
	const char *name;
	enum member_type type;
	bool needed;
	size_t offset;
	double most;
	const char *wrong; /* what a reader is told */
} members[] = {
	{ "schema", IS_SCHEMA, true, 0, 0, "the schema is not 1" },
	{ "at", IS_TIME, true, AT(at_s), LAST_S, "\"at\" is not a time" },
	{ "kind", IS_KIND, true, AT(kind), 0, "\"kind\" is not a text" },
	{ "drill", IS_TEXT, true, AT(drill), 0, "\"drill\" is not a text" },
	{ "skill", IS_TEXT, true, AT(skill), 0, "\"skill\" is not a text" },
	{ "topic", IS_TEXT, true, AT(topic), 0, "\"topic\" is not a text" },
	{ "seed", IS_NATURAL, true, AT(seed), 0, "\"seed\" is not a whole number" },
	{ "part", IS_NATURAL, true, AT(part), 0, "\"part\" is not a whole number" },
	{ "given", IS_TEXT, false, AT(given), 0, "\"given\" is not a text" },
	{ "value", IS_NUMBER, false, AT(value), INFINITY, "\"value\" is not a number" },
	{ "verdict", IS_VERDICT, false, AT(verdict), 0, "the verdict is unknown" },
	{ "used", IS_FLAG, false, AT(used), 0, "\"used\" is not true or false" },
	{ "credit", IS_NUMBER, false, AT(credit), 1, "the credit is not 0 to 1" },
	{ "cause", IS_TEXT, false, AT(cause), 0, "\"cause\" is not a text" },
	{ "hints", IS_COUNT, false, AT(hints), 1000, "\"hints\" is not a count" },
	{ "attempt", IS_COUNT, true, AT(attempt), 1000, "\"attempt\" is not a count" },
	{ "step", IS_STEP, false, AT(step), 1000, "\"step\" is not a count" },
	{ "steps", IS_STEP, false, AT(steps), 1000, "\"steps\" is not a count" },
	{ "scratch", IS_FLAG, false, AT(scratch), 0, "\"scratch\" is not true or false" },
	{ "took_s", IS_NUMBER, true, AT(took_s), 1e9, "\"took_s\" is not a time" },
	{ "par_s", IS_NUMBER, true, AT(par_s), 1e9, "\"par_s\" is not a time" },
	{ "mode", IS_TEXT, false, AT(mode), 0, "\"mode\" is not a text" },
	{ "set", IS_TEXT, false, AT(set), 0, "\"set\" is not a text" },
};
enum { N_MEMBERS = LENGTH(members) };

/* A line that is written into the caller's buffer. Once it is full nothing fits any more, so that
 * only the end has to ask. */
struct sink {
	char *buf;
	size_t n, size;
};

static void put(struct sink *s, const char *bytes, size_t n)
{
	if (n >= s->size - s->n) {
		s->size = s->n; /* full: nothing fits any more */
		return;
	}
	memcpy(s->buf + s->n, bytes, n);
	s->n += n;
}

static void put_text(struct sink *s, const char *text)
{
	put(s, "\"", 1);
	for (const char *p = text ? text : ""; *p;) {
		char escaped[8];
		int bytes = utf8_char_bytes(p);
		unsigned char c = (unsigned char)*p;
		if (bytes == 0) {
			put(s, "\xef\xbf\xbd", 3);
		} else if (c < 0x20 || c == 0x7f) {
			int n = snprintf(escaped, sizeof escaped, "\\u%04x", c);
			put(s, escaped, (size_t)n);
		} else {
			if (c == '"' || c == '\\')
				put(s, "\\", 1);
			put(s, p, (size_t)bytes);
		}
		p += bytes ? bytes : 1;
	}
	put(s, "\"", 1);
}

/* The shorter of two forms that both read back as they were. */
static void put_number(struct sink *s, double x)
{
	char text[32];
	int n = snprintf(text, sizeof text, "%.15g", x);
	if (strtod(text, NULL) != x)
		n = snprintf(text, sizeof text, "%.17g", x);
	put(s, text, (size_t)n);
}

static void put_whole(struct sink *s, unsigned long long x)
{
	char text[24];
	int n = snprintf(text, sizeof text, "%llu", x);
	put(s, text, (size_t)n);
}

static void put_value(struct sink *s, const struct event_member *m, const void *from)
{
	bool flag;
	switch (m->type) {
	case IS_SCHEMA:
		put_whole(s, SCHEMA);
		break;
	case IS_TIME:
		put_whole(s, (unsigned long long)*(const int64_t *)from);
		break;
	case IS_KIND:
		put_text(s, history_kind_names[*(const enum history_kind *)from]);
		break;
	case IS_TEXT:
		put_text(s, *(const char *const *)from);
		break;
	case IS_NATURAL:
		put_whole(s, *(const uint64_t *)from);
		break;
	case IS_COUNT:
	case IS_STEP:
		put_whole(s, *(const unsigned *)from);
		break;
	case IS_NUMBER:
		put_number(s, *(const double *)from);
		break;
	case IS_VERDICT:
		put_text(s, verdict_names[*(const enum verdict *)from]);
		break;
	case IS_FLAG:
		flag = *(const bool *)from;
		put(s, flag ? "true" : "false", flag ? 4 : 5);
		break;
	}
}

static const void *field_of(const struct history_event *e, const struct event_member *m)
{
	return (const char *)e + m->offset;
}

static bool is_left_out(const struct event_member *m, const struct history_event *e)
{
	if (m->type == IS_VERDICT)
		return e->kind != HISTORY_ANSWER;
	if (m->type == IS_STEP)
		return e->steps <= 1;
	if (m->offset == AT(set))
		return !e->set || !*e->set;
	const double *number = m->type == IS_NUMBER ? field_of(e, m) : NULL;
	return number && !isfinite(*number);
}

bool history_is_of(const struct history_event *e, const struct variant *v)
{
	return e->seed == v->seed && e->part == v->part && strcmp(e->drill, v->drill->id) == 0;
}

size_t history_line(const struct history_event *e, char *buf, size_t size)
{
	assert(e && buf && size > 0 && (unsigned)e->kind < N_HISTORY_KINDS);
	struct sink s = { buf, 0, size };
	for (size_t i = 0; i < N_MEMBERS; i++) {
		if (is_left_out(&members[i], e))
			continue;
		put(&s, i ? "," : "{", 1);
		put_text(&s, members[i].name);
		put(&s, ":", 1);
		put_value(&s, &members[i], field_of(e, &members[i]));
	}
	put(&s, "}\n", 2);
	if (s.size != size)
		return 0;
	buf[s.n] = '\0';
	return s.n;
}

/* What became of a line that was read. */
enum line_fate { LINE_EVENT, LINE_OTHER, LINE_BAD };

static const char not_json[] = "not an object in JSON";

static int name_in(const char *text, const char *const names[], int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(text, names[i]) == 0)
			return i;
	return -1;
}

static bool take_number(const struct event_member *m, const struct json_value *v, void *to)
{
	bool fine = v->kind == JSON_NUMBER &&
		    (isinf(m->most) || (v->number >= 0 && v->number <= m->most));
	if (fine)
		*(double *)to = v->number;
	return fine;
}

static bool take_whole(const struct event_member *m, const struct json_value *v, void *to)
{
	if (v->kind != JSON_NUMBER || !v->is_natural)
		return false;
	if (m->most > 0 && v->number > m->most)
		return false;
	if (m->type == IS_TIME)
		*(int64_t *)to = (int64_t)v->natural;
	else if (m->type == IS_COUNT || m->type == IS_STEP)
		*(unsigned *)to = (unsigned)v->natural;
	else
		*(uint64_t *)to = v->natural;
	return true;
}

static bool take_verdict(const struct json_value *v, void *to)
{
	int index = v->kind == JSON_TEXT ? name_in(v->text, verdict_names, N_VERDICTS) : -1;
	if (index >= 0)
		*(enum verdict *)to = (enum verdict)index;
	return index >= 0;
}

/* A kind that is not known makes N_HISTORY_KINDS: no fault, but nothing to read either. */
static bool take_kind(const struct json_value *v, void *to)
{
	if (v->kind != JSON_TEXT)
		return false;
	int index = name_in(v->text, history_kind_names, N_HISTORY_KINDS);
	*(enum history_kind *)to = index < 0 ? N_HISTORY_KINDS : (enum history_kind)index;
	return true;
}

static bool take_value(const struct event_member *m, const struct json_value *v, void *to)
{
	switch (m->type) {
	case IS_SCHEMA:
		return v->kind == JSON_NUMBER && v->is_natural && v->natural == SCHEMA;
	case IS_KIND:
		return take_kind(v, to);
	case IS_TEXT:
		if (v->kind == JSON_TEXT)
			*(const char **)to = v->text;
		return v->kind == JSON_TEXT;
	case IS_TIME:
	case IS_NATURAL:
	case IS_COUNT:
	case IS_STEP:
		return take_whole(m, v, to);
	case IS_NUMBER:
		return take_number(m, v, to);
	case IS_VERDICT:
		return take_verdict(v, to);
	case IS_FLAG:
		if (v->kind == JSON_FLAG)
			*(bool *)to = v->flag;
		return v->kind == JSON_FLAG;
	}
	return false;
}

/* Lines are mostly written in the table's order, so the search begins at `from`. */
static size_t find_member(const char *name, size_t from)
{
	for (size_t i = 0; i < N_MEMBERS; i++) {
		size_t at = (from + i) % N_MEMBERS;
		if (strcmp(members[at].name, name) == 0)
			return at;
	}
	return N_MEMBERS;
}

/* What is missing for an event of its kind; NULL: nothing. */
static const char *missing(const struct history_event *e, unsigned seen)
{
	for (size_t i = 0; i < N_MEMBERS; i++) {
		bool verdict = members[i].type == IS_VERDICT && e->kind == HISTORY_ANSWER;
		bool needed = members[i].needed || verdict;
		if (needed && !(seen >> i & 1))
			return members[i].wrong;
	}
	return e->par_s >= 0.001 ? NULL : "\"par_s\" is not a time";
}

/* All members into e. The first fault, or NULL; *seen: a bit for each member. */
static const char *read_members(
	char *line, const char *end, struct history_event *e, unsigned *seen)
{
	struct json_line l = { .at = line };
	struct json_value v;
	const char *name, *fault = NULL;
	size_t at = 0;
	int rc;
	while ((rc = json_member(&l, &name, &v)) == 1) {
		at = find_member(name, at);
		if (at == N_MEMBERS)
			continue;
		const struct event_member *m = &members[at];
		const char *wrong = *seen >> at & 1 ? "a member is there twice"
				    : take_value(m, &v, (char *)e + m->offset) ? NULL
									       : m->wrong;
		fault = fault ? fault : wrong;
		*seen |= 1u << at++;
	}
	/* A zero byte ends the text for the reader, not the line. */
	return rc < 0 || l.at != end ? not_json : fault;
}

static enum line_fate read_line(
	char *line, const char *end, struct history_event *e, const char **why)
{
	unsigned seen = 0;
	*e = (struct history_event){
		.given = "", .cause = "", .mode = "", .set = "", .value = NAN, .used = true
	};
	*why = read_members(line, end, e, &seen);
	bool understood = *why != not_json && *why != members[0].wrong && seen & 1;
	if (understood && e->kind == N_HISTORY_KINDS)
		return LINE_OTHER;
	if (!*why)
		*why = missing(e, seen);
	return *why ? LINE_BAD : LINE_EVENT;
}

static bool is_blank(const char *line, size_t n)
{
	return strspn(line, " \t\r") == n;
}

static int grow(struct history *h, size_t *room)
{
	if (h->n < *room)
		return 0;
	size_t more = *room ? *room * 2 : 256;
	struct history_event *events = realloc(h->events, more * sizeof *events);
	if (!events)
		return -1;
	h->events = events;
	*room = more;
	return 0;
}

static void note_fate(struct history *h, enum line_fate fate, size_t number, const char *why)
{
	h->n_lines++;
	h->n += fate == LINE_EVENT;
	h->n_other += fate == LINE_OTHER;
	if (fate != LINE_BAD)
		return;
	if (h->n_unreadable++ == 0) {
		h->first_bad = number;
		h->why = why;
	}
}

int history_parse(struct history *h, char *text, size_t size)
{
	assert(h && text);
	size_t room = 0, number = 0;
	*h = (struct history){ .text = text };
	text[size] = '\0';
	for (char *line = text, *end; line < text + size; line = end + 1) {
		end = memchr(line, '\n', (size_t)(text + size - line));
		end = end ? end : text + size;
		*end = '\0';
		number++;
		if (is_blank(line, (size_t)(end - line)))
			continue;
		if (grow(h, &room))
			return -1;
		const char *why;
		enum line_fate fate = read_line(line, end, &h->events[h->n], &why);
		note_fate(h, fate, number, why);
	}
	return 0;
}

struct history_event history_event_of(const struct session_item *item, enum history_kind kind,
	const char *given, const char *mode, int64_t at_s)
{
	assert((unsigned)kind < N_HISTORY_KINDS);
	const struct drill *d = item->variant.drill;
	struct history_event e = {
		.at_s = at_s,
		.kind = kind,
		.drill = d->id,
		.skill = d->skill,
		.topic = d->topic,
		.seed = item->variant.seed,
		.part = item->variant.part,
		.given = given,
		.value = NAN,
		.used = kind != HISTORY_ANSWER,
		.hints = item->step_hints,
		.attempt = item->attempts,
		.scratch = item->scratch,
		.step = (unsigned)item->variant.step,
		.steps = (unsigned)item->variant.n_steps,
		.took_s = (double)item->spent_ms / 1000,
		.par_s = d->par_s,
		.mode = mode,
		.set = "",
	};
	if (kind == HISTORY_ANSWER && item->answered) {
		e.attempt = item->answered_attempt;
		e.hints = item->answered_hints;
		e.step = (unsigned)item->answered_step;
		e.value = item->grade.has_value ? item->grade.value : NAN;
		e.verdict = item->grade.verdict;
		e.used = item->grade.attempt_used;
		e.credit = item->grade.credit;
		e.cause = item->grade.cause;
	}
	return e;
}

void history_release(struct history *h)
{
	free(h->events);
	free(h->text);
	*h = (struct history){ 0 };
}

char *history_complaint(const struct history *h, char *buf, size_t size)
{
	buf[0] = '\0';
	if (h->n_unreadable > 0)
		snprintf(buf, size,
			"%zu of %zu line%s of the history cannot be read (line %zu: %s); %s kept.",
			h->n_unreadable, h->n_lines, h->n_lines == 1 ? "" : "s", h->first_bad,
			h->why, h->n_unreadable == 1 ? "it is" : "they are");
	return buf;
}
