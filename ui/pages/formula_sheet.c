/* The Markdown is not parsed for this: fences are found line by line, by the rules of CommonMark
 * for their first and last lines. */
#include "ui/pages/formula_sheet.h"

#include "sims/formulas/formula.h"
#include "sims/formulas/formula_text.h"
#include "sims/formulas/subject.h"
#include "sims/figure/sim.h"
#include "ui/pages/formula_uses.h"
#include "ui/pages/page_anchor.h"
#include "ui/term/glyphs.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_SUBJECT = 32, LONGEST_FORMULA = 1024 };

/* What is being written. */
struct formula_page {
	const struct drill_bank *bank;
	bool ascii;
	struct arena_buffer text;
	struct anchor_set anchors; /* of the headings so far */
};

static void put_bytes(struct formula_page *s, const char *text, size_t n)
{
	arena_append(&s->text, text, n);
}

static void put(struct formula_page *s, const char *text)
{
	put_bytes(s, text, strlen(text));
}

/* Puts text so that Markdown shows it as it is. */
static void put_plain(struct formula_page *s, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\`*_[]<>&#|~$", *text))
			put(s, "\\");
		put_bytes(s, text, 1);
	}
}

static void put_in_words(struct formula_page *s, const struct formula *f)
{
	char words[LONGEST_FORMULA];
	put_plain(s, formula_words(f, s->ascii, words, sizeof words));
}

static void put_drills(struct formula_page *s, const struct formula *f)
{
	const char *before = "  \nDrills: ";
	for (size_t i = 0; s->bank && i < s->bank->n; i++) {
		const struct drill *d = &s->bank->drills[i];
		if (!formula_asked_by(f, d))
			continue;
		put(s, before);
		put(s, "[");
		put_plain(s, d->title);
		put(s, "](drill:");
		put(s, d->id);
		put(s, ")");
		before = "; ";
	}
}

/* The formula in symbols, with the values of an example, and what comes out, each on its line. */
static void put_working(struct formula_page *s, const struct formula *f)
{
	char text[LONGEST_FORMULA];
	double args[MAX_KNOBS];
	for (size_t i = 0; i < f->n_params && i < MAX_KNOBS; i++)
		args[i] = f->params[i].example;
	put(s, "```text\n");
	put(s, f->id);
	put(s, "\n  = ");
	put(s, formula_symbols(f, s->ascii, text, sizeof text));
	put(s, "\n  = ");
	put(s, formula_substituted(f, args, s->ascii, text, sizeof text));
	const size_t n = strlen(text); /* the working is that, and what comes out behind it */
	formula_working(f, args, s->ascii, text, sizeof text);
	if (text[n]) {
		put(s, "\n ");
		put(s, text + n);
	}
	put(s, "\n```\n\n");
}

/* "With layers (L), tokens (T, in token). The result is in B." */
static void put_units(struct formula_page *s, const struct formula *f)
{
	for (size_t i = 0; i < f->n_params; i++) {
		const struct formula_param *p = &f->params[i];
		const bool symbol = strcmp(p->symbol, p->name) != 0;
		put(s, i ? ", `" : "With `");
		put(s, p->name);
		put(s, "`");
		if (!symbol && !*p->unit)
			continue;
		put(s, " (");
		put_plain(s, symbol ? p->symbol : "");
		put(s, symbol && *p->unit ? ", in " : *p->unit ? "in " : "");
		put_plain(s, p->unit);
		put(s, ")");
	}
	put(s, f->n_params ? ". The result is " : "The result is ");
	put(s, *f->unit ? "in " : "a plain number");
	put_plain(s, f->unit);
	put(s, ".  \n");
}

static void put_formula(struct formula_page *s, const struct formula *f)
{
	put(s, "\n### ");
	put_plain(s, f->title);
	put(s, "\n\n");
	put_working(s, f);
	put_units(s, f);
	put(s, "Source: ");
	put_plain(s, f->source);
	put(s, " (");
	put_plain(s, f->number);
	put(s, "). [Turn its knobs](sim:formula:");
	put(s, f->id);
	put(s, ").");
	put_drills(s, f);
	put(s, "\n");
}

/* The formulas of a subject, one to a row: its name, which is a link to its entry below, and the formula in
 * words, or where that is long, that the entry has it. */
static void put_index(struct formula_page *s, const struct formula_subject *subject)
{
	enum { SHORT = 100 }; /* columns: two or three rows */
	struct arena *a = s->text.arena;
	char symbols[LONGEST_FORMULA];
	put(s, "| Formula | In words |\n| --- | --- |\n");
	for (size_t i = subject->first; i < subject[1].first; i++) {
		put(s, "| [");
		put_plain(s, formulas[i].title);
		put(s, "](#");
		put(s, anchor_make(&s->anchors, a, a, formulas[i].title));
		put(s, ") | ");
		formula_symbols(&formulas[i], s->ascii, symbols, sizeof symbols);
		if (text_width(symbols) <= SHORT)
			put_in_words(s, &formulas[i]);
		else
			put(s, "long: see its entry");
		put(s, " |\n");
	}
}

static void put_subject(struct formula_page *s, const struct formula_subject *subject)
{
	put_index(s, subject);
	for (size_t i = subject->first; i < subject[1].first; i++)
		put_formula(s, &formulas[i]);
}

struct line {
	const char *begin, *end, *next; /* without its newline; where the next one begins */
};

static struct line line_at(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	struct line l = { at, newline ? newline : end, newline ? newline + 1 : end };
	if (l.end > l.begin && l.end[-1] == '\r')
		l.end--;
	return l;
}

static const char *skip(const char *p, const char *end, char c)
{
	while (p < end && *p == c)
		p++;
	return p;
}

/* How many backquotes or tildes a fence begins with; 0: the line is not a fence. */
static size_t fence_of(const struct line *l, const char **info)
{
	const char *p = skip(l->begin, l->end, ' ');
	if (p - l->begin > 3 || p == l->end || (*p != '`' && *p != '~'))
		return 0;
	*info = skip(p, l->end, *p);
	return *info - p >= 3 ? (size_t)(*info - p) : 0;
}

/* The subject that an info string such as "formulas memory" names; NULL: it names none. */
static const struct formula_subject *subject_of(const char *info, const char *end)
{
	static const char word[] = "formulas ";
	char name[LONGEST_SUBJECT];
	info = skip(info, end, ' ');
	if ((size_t)(end - info) < sizeof word - 1 || memcmp(info, word, sizeof word - 1) != 0)
		return NULL;
	info = skip(info + sizeof word - 1, end, ' ');
	while (end > info && end[-1] == ' ')
		end--;
	if ((size_t)(end - info) >= sizeof name)
		return NULL;
	memcpy(name, info, (size_t)(end - info));
	name[end - info] = '\0';
	return formula_subject_find(name);
}

/* A fenced block: where it ends, and whose formulas it asks for (or NULL). */
struct fenced {
	const struct formula_subject *subject;
	const char *end;
};

static struct fenced fenced_at(struct line opening, size_t marks, const char *info, const char *end)
{
	const char mark = info[-1];
	struct fenced f = { subject_of(info, opening.end), end };
	for (const char *at = opening.next; at < end;) {
		const struct line l = line_at(at, end);
		const char *rest;
		at = l.next;
		if (fence_of(&l, &rest) >= marks && rest[-1] == mark &&
			skip(rest, l.end, ' ') == l.end) {
			f.end = l.next;
			break;
		}
	}
	return f;
}

/* The next fence that asks for formulas, at *begin; without one, the end of the text. */
static struct fenced next_sheet(const char *at, const char *end, const char **begin)
{
	while (at < end) {
		const struct line l = line_at(at, end);
		const char *info;
		size_t marks = fence_of(&l, &info);
		struct fenced f = { NULL, l.next };
		if (marks)
			f = fenced_at(l, marks, info, end);
		*begin = at;
		if (f.subject)
			return f;
		at = f.end;
	}
	*begin = end;
	return (struct fenced){ NULL, end };
}

bool formula_sheet_wanted(const char *markdown, size_t bytes)
{
	const char *begin;
	return next_sheet(markdown, markdown + bytes, &begin).subject != NULL;
}

size_t formula_sheet_first(const char *markdown, size_t bytes)
{
	const char *begin;
	return (size_t)(next_sheet(markdown, markdown + bytes, &begin).end - markdown);
}

/* What a mark between "<!-- " and " -->" asks for: "formulas scaling" for how many that subject has, "formula
 * speedup" for the name of that one and its symbols. Nothing where it is another comment. */
struct marked {
	const struct formula_subject *subject;
	const struct formula *formula;
};

static struct marked marked_at(const char *mark, const char *end)
{
	static const char one[] = "formula ";
	char id[LONGEST_SUBJECT];
	const size_t n = (size_t)(end - mark);
	struct marked m = { .subject = subject_of(mark, end) };
	if (n >= sizeof one && n < sizeof id && memcmp(mark, one, sizeof one - 1) == 0) {
		snprintf(id, sizeof id, "%.*s", (int)(n - sizeof one + 1), mark + sizeof one - 1);
		m.formula = formula_find(id);
	}
	return m;
}

static void put_marked(struct formula_page *s, const struct marked *m)
{
	char text[LONGEST_FORMULA];
	if (m->subject) {
		snprintf(text, sizeof text, "%zu", m->subject[1].first - m->subject->first);
		put(s, text);
		return;
	}
	put_plain(s, m->formula->title);
	put(s, ": ");
	put_in_words(s, m->formula);
}

/* Puts a line, with what its marks ask for in their place. */
static void put_line(struct formula_page *s, const char *at, const char *end)
{
	enum { MARK = 5, END = 4 }; /* bytes of "<!-- " and " -->" */
	for (const char *p = at; p + MARK < end; p++) {
		if (memcmp(p, "<!-- ", MARK) != 0)
			continue;
		const char *close = p + MARK;
		while (close + END <= end && memcmp(close, " -->", END) != 0)
			close++;
		if (close + END > end)
			break;
		const struct marked m = marked_at(p + MARK, close);
		if (!m.subject && !m.formula)
			continue;
		put_bytes(s, at, (size_t)(p - at));
		put_marked(s, &m);
		at = close + END;
		p = at - 1;
	}
	put_bytes(s, at, (size_t)(end - at));
}

/* Puts what is between sheets as it is, but for marks, and notes its headings, which have anchors of their own. */
static void put_between(struct formula_page *s, const char *at, const char *end)
{
	while (at < end) {
		const struct line l = line_at(at, end);
		put_line(s, l.begin, l.next);
		const size_t marks = (size_t)(skip(l.begin, l.end, '#') - l.begin);
		const char *text = skip(l.begin + marks, l.end, ' ');
		at = l.next;
		if (marks == 0 || text == l.begin + marks)
			continue;
		const char *heading =
			arena_printf(s->text.arena, "%.*s", (int)(l.end - text), text);
		anchor_make(&s->anchors, s->text.arena, s->text.arena, heading);
	}
}

const char *formula_sheet_expand(const char *markdown, size_t *bytes, const struct drill_bank *bank,
	bool ascii, struct arena *a)
{
	struct formula_page s = { .bank = bank, .ascii = ascii, .text = { .arena = a } };
	const char *at = markdown, *end = markdown + *bytes, *begin;
	struct fenced f = next_sheet(at, end, &begin);
	if (!f.subject)
		return markdown;
	for (uint64_t had = 0; f.subject; f = next_sheet(at, end, &begin)) {
		uint64_t bit = UINT64_C(1) << (f.subject - formula_subjects);
		if (had & bit) /* a second sheet of a subject stays as it is */
			begin = f.end;
		put_between(&s, at, begin);
		if (!(had & bit))
			put_subject(&s, f.subject);
		had |= bit;
		at = f.end;
	}
	put_between(&s, at, end);
	*bytes = s.text.n;
	return a->failed ? NULL : s.text.text;
}
