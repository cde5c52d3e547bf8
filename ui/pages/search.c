/* There is no index: each search goes through all texts. A page is taken apart at its headings and
 * blank lines without being parsed, and each block is matched as one line. */
#include "ui/pages/search.h"

#include "sims/base/match.h"
#include "sims/base/utf8.h"
#include "sims/formulas/formula.h"
#include "sims/registry/registry.h"
#include "ui/data/content.h"
#include "ui/pages/page.h"
#include "ui/pages/page_anchor.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a match is worth by where it is found. How well it matches adds up to 301. */
enum {
	IN_TITLE = 1000,
	IN_SIMULATION = 700,
	IN_HEADING = 580,
	IN_DRILL = 550,
	IN_FORMULA = 500,
	IN_SUMMARY = 250,
	IN_PROMPT = 120,
	IN_TEXT = 100
};

static int match(const char *text, const struct query *q)
{
	const char *where;
	return query_match(text, strlen(text), q, &where);
}

/* What a name is worth: one that has most of the words less than one that has them all. 0: it does not
 * match. */
static int match_name(const char *name, const struct query *q, int worth)
{
	const int all = match(name, q);
	const int most = all ? 0 : query_match_most(name, strlen(name), q);
	return all ? worth + all : most ? worth * 2 / 3 + most : 0;
}

static void add(struct search_result *r, struct search_hit hit)
{
	if (r->n == r->most && r->hits[r->n - 1].score >= hit.score)
		return;
	size_t at = r->n < r->most ? r->n++ : r->n - 1;
	while (at > 0 && r->hits[at - 1].score < hit.score) {
		r->hits[at] = r->hits[at - 1];
		at--;
	}
	hit.target = arena_text(&r->arena, hit.target);
	hit.name = arena_text(&r->arena, hit.name);
	hit.line = arena_text(&r->arena, hit.line);
	hit.section = hit.section ? arena_text(&r->arena, hit.section) : NULL;
	r->hits[at] = hit;
}

/* The last character of the comment that begins here; NULL: no comment does. Comments are for
 * authors and not searched. */
static const char *comment_end(const char *at, const char *end)
{
	if (end - at < 7 || strncmp(at, "<!--", 4) != 0)
		return NULL;
	for (at += 6; at < end; at++)
		if (strncmp(at - 2, "-->", 3) == 0)
			return at;
	return NULL;
}

/* A block as a reader sees it, on one line: without table bars, emphasis, the targets of links,
 * comments, and the source of computed numbers. In code, a span or a fenced line, all of these are signs of
 * its own and stay. */
static void plain_line(const char *at, size_t n, bool code, char *buf, size_t size)
{
	const char *end = at + n;
	const bool fenced = code;
	size_t used = 0;
	at += !code && n > 2 && at[0] == '-' && at[1] == ' ' ? 2 : 0;
	while (at < end && used + 4 < size) {
		const char *skip = code ? NULL : comment_end(at, end);
		if (skip) {
			at = skip + 1;
			continue;
		}
		if (*at == '`' && !code && at + 1 < end && at[1] == '=') {
			memcpy(buf + used, "...", 3);
			used += 3;
			skip = memchr(at + 1, '`', (size_t)(end - at) - 1);
		} else if (*at == '`' && !fenced) {
			code = !code;
		} else if (!code && *at == ']' && at + 1 < end && at[1] == '(') {
			skip = memchr(at, ')', (size_t)(end - at));
		} else if (strchr(" \n", *at) || (!code && *at == '|')) {
			if (used && buf[used - 1] != ' ')
				buf[used++] = ' ';
		} else if (code || !strchr("*>[]", *at)) {
			buf[used++] = *at;
		}
		at = skip ? skip + 1 : at + 1;
	}
	while (used && buf[used - 1] == ' ')
		used--;
	buf[used] = '\0';
}

/* Where a block of text ends: at a blank line, a heading, or where a list's item or a table's row
 * begins. A line of code is one of its own. */
static size_t block_bytes(const char *at, bool code)
{
	size_t n = strcspn(at, "\n");
	if (!n)
		return 0;
	bool alone = code || *at == '#' || *at == '|' || *at == '`';
	while (!alone && at[n] == '\n' && at[n + 1] && !strchr("\n#|`-*>", at[n + 1]) &&
		!isdigit((unsigned char)at[n + 1]))
		n += 1 + strcspn(at + n + 1, "\n");
	return n;
}

/* The whole words that stand around the match. */
static const char *excerpt(char *line, const char *where)
{
	enum { BEFORE = 48, BYTES = 200 };
	char *from = line;
	if (where - line > BEFORE) {
		from = line + (where - line - BEFORE);
		while (*from && *from != ' ')
			from++;
		from += *from == ' ';
	}
	if (strlen(from) > BYTES) {
		char *end = from + BYTES;
		while (end > from && *end != ' ')
			end--;
		if (end > from)
			*end = '\0';
	}
	return from;
}

/* A section being searched: the best of its blocks so far. */
struct section {
	char target[256], heading[256], line[2048];
	const char *shown;
	int score;
};

static void end_section(struct search_result *r, const struct page_info *p, struct section *s)
{
	if (s->score)
		add(r, (struct search_hit){ .kind = "text",
			       .target = s->target,
			       .name = p->title,
			       .line = s->shown,
			       .score = s->score,
			       .section = *s->heading ? s->heading : NULL });
	s->score = 0;
}

static void search_heading(struct search_result *r, const struct page_info *p, const char *text,
	const struct query *q, struct section *s)
{
	struct arena scratch = { 0 };
	const char *anchor = page_anchor(&scratch, text);
	snprintf(s->target, sizeof s->target, "page:%s#%s", p->id, anchor ? anchor : "");
	snprintf(s->heading, sizeof s->heading, "%.*s",
		(int)utf8_whole(text, sizeof s->heading - 1), text);
	r->arena.failed |= scratch.failed;
	arena_release(&scratch);
	int score = match(text, q);
	if (score)
		add(r, (struct search_hit){
			       "section", s->target, p->title, text, IN_HEADING + score, NULL });
}

const char *search_section(struct arena *a, const struct page_info *page, const char *anchor)
{
	char line[256];
	void *owned;
	const char *text = content_read(page->file, NULL, &owned), *section = NULL;
	bool code = false; /* in which a "#" begins a comment */
	for (const char *at = text ? text : ""; *at && !section; at += *at == '\n') {
		size_t n = strcspn(at, "\n"), hashes = strspn(at, "#");
		code ^= strncmp(at, "```", 3) == 0;
		if (!code && hashes > 0 && at[hashes] == ' ') {
			struct arena scratch = { 0 };
			plain_line(at + hashes + 1, n - hashes - 1, false, line, sizeof line);
			const char *own = page_anchor(&scratch, line);
			if (own && strcmp(own, anchor) == 0)
				section = arena_text(a, line);
			arena_release(&scratch);
		}
		at += n;
	}
	free(owned);
	return section;
}

static void search_text(
	struct search_result *r, const struct page_info *p, const char *text, const struct query *q)
{
	struct section s = { .score = 0 };
	char line[sizeof s.line];
	bool code = false;
	snprintf(s.target, sizeof s.target, "page:%s", p->id);
	for (const char *at = text; *at; at += *at == '\n') {
		const bool fence = strncmp(at, "```", 3) == 0;
		size_t n = block_bytes(at, code), hashes = code ? 0 : strspn(at, "#");
		bool heading = hashes > 0 && hashes < 7 && at[hashes] == ' ';
		size_t skip = heading ? hashes + 1 : 0;
		const char *where;
		plain_line(at + skip, n - skip, code && !fence, line, sizeof line);
		at += n;
		code ^= fence;
		if (heading) {
			end_section(r, p, &s);
			if (hashes > 1)
				search_heading(r, p, line, q, &s);
			continue;
		}
		int score = query_match(line, strlen(line), q, &where);
		if (!score || IN_TEXT + score <= s.score)
			continue;
		s.score = IN_TEXT + score;
		size_t offset = (size_t)(where - line);
		strcpy(s.line, line);
		s.shown = excerpt(s.line, s.line + offset);
	}
	end_section(r, p, &s);
}

static void search_titles(
	struct search_result *r, const struct page_list *pages, const struct query *q)
{
	for (size_t i = 0; i < pages->n; i++) {
		const struct page_info *p = &pages->pages[i];
		char target[128];
		int score = match(p->title, q);
		snprintf(target, sizeof target, "page:%s", p->id);
		if (score)
			add(r, (struct search_hit){ "page", target, p->title, p->title,
				       IN_TITLE + score, NULL });
	}
}

static void search_pages(
	struct search_result *r, const struct page_list *pages, const struct query *q)
{
	for (size_t i = 0; i < pages->n; i++) {
		void *owned;
		const char *text = content_read(pages->pages[i].file, NULL, &owned);
		if (text)
			search_text(r, &pages->pages[i], text, q);
		free(owned);
	}
}

static void search_sims(struct search_result *r, const struct query *q)
{
	for (size_t i = 0; i < n_sims; i++) {
		char target[128], all[2048];
		int used = snprintf(
			all, sizeof all, "%s %s %s", sims[i]->id, sims[i]->title, sims[i]->summary);
		for (size_t k = 0; k < sims[i]->n_knobs && (size_t)used < sizeof all; k++)
			used += snprintf(all + used, sizeof all - (size_t)used, " %s %s",
				sims[i]->knobs[k].id, sims[i]->knobs[k].label);
		int name = match_name(sims[i]->title, q, IN_SIMULATION);
		int about = match(all, q);
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
		if (name || about)
			add(r, (struct search_hit){ "simulation", target, sims[i]->title,
				       sims[i]->summary, name ? name : IN_SUMMARY + about, NULL });
	}
}

static void search_formulas(struct search_result *r, const struct query *q)
{
	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		char target[128], all[512];
		snprintf(target, sizeof target, "formula:%s", f->id);
		snprintf(all, sizeof all, "%s %s %s %s", f->id, f->title, f->number, f->source);
		int name = match_name(f->title, q, IN_FORMULA);
		int id = match_name(f->id, q, IN_FORMULA);
		int about = match(all, q);
		if (name || id || about)
			add(r, (struct search_hit){ "formula", target, f->id, f->title,
				       name || id ? (name > id ? name : id) : IN_SUMMARY + about,
				       NULL });
	}
}

static void search_mistakes(struct search_result *r, const struct drill *d,
	const struct drill_step *step, const char *target, const struct query *q)
{
	for (size_t i = 0; i < step->n_mistakes; i++) {
		const char *mistake = step->mistakes[i].name;
		int score = match(mistake, q);
		if (score)
			add(r, (struct search_hit){ "mistake", target, d->title, mistake,
				       IN_SUMMARY + score, NULL });
	}
}

static void search_drill(struct search_result *r, const struct drill *d, const struct query *q)
{
	char target[128], all[1024];
	snprintf(target, sizeof target, "drill:%s", d->id);
	snprintf(all, sizeof all, "%s %s %s %s", d->id, d->topic, d->skill, d->prompt);
	int name = match_name(d->title, q, IN_DRILL);
	int about = match(all, q);
	if (name || about)
		add(r, (struct search_hit){ "drill", target, d->title, d->title,
			       name ? name : IN_PROMPT + about, NULL });
	for (size_t k = 0; k < d->n_steps; k++)
		search_mistakes(r, d, &d->steps[k], target, q);
}

void search_drills(struct search_result *r, const struct drill_bank *bank, const char *words)
{
	const struct query q = query_of(words);
	for (size_t i = 0; q.n && i < bank->n; i++)
		search_drill(r, &bank->drills[i], &q);
}

/* Room for the hits, and what is searched for. */
static int begin(struct search_result *r, const char *words, size_t most, struct query *q)
{
	*r = (struct search_result){ .most = most };
	r->hits = arena_array(&r->arena, most, sizeof *r->hits);
	*q = query_of(words);
	return r->hits ? 0 : -1;
}

int search_run(
	struct search_result *r, const struct page_list *pages, const char *words, size_t most)
{
	struct query q;
	if (begin(r, words, most, &q))
		return -1;
	if (!q.n)
		return 0;
	search_titles(r, pages, &q);
	search_pages(r, pages, &q);
	search_sims(r, &q);
	search_formulas(r, &q);
	return r->arena.failed ? -1 : 0;
}

int search_texts(
	struct search_result *r, const struct page_list *pages, const char *words, size_t most)
{
	struct query q;
	if (begin(r, words, most, &q))
		return -1;
	if (q.n)
		search_pages(r, pages, &q);
	return r->arena.failed ? -1 : 0;
}

void search_release(struct search_result *r)
{
	arena_release(&r->arena);
	*r = (struct search_result){ 0 };
}
