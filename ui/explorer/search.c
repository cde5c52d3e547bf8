#include "ui/explorer/search.h"

#include "sims/formulas/formula.h"
#include "sims/sim.h"
#include "ui/pages/content.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a match is worth by where it stands. */
enum {
	IN_TITLE = 1000,
	IN_NAME = 700,
	IN_HEADING = 500,
	IN_FORMULA = 450,
	IN_SUMMARY = 300,
	IN_TEXT = 100
};

static const char *find_word(const char *text, size_t n, const char *word, size_t len)
{
	for (size_t i = 0; i + len <= n; i++) {
		size_t j = 0;
		while (j < len &&
			tolower((unsigned char)text[i + j]) == tolower((unsigned char)word[j]))
			j++;
		if (j == len)
			return text + i;
	}
	return NULL;
}

/* How many of the words' occurrences begin a word, plus one; 0 when a word is missing. */
static int match(const char *text, size_t n, const char *words)
{
	int score = 1;
	while (*words) {
		words += strspn(words, " ");
		size_t len = strcspn(words, " ");
		if (len == 0)
			break;
		const char *at = find_word(text, n, words, len);
		if (!at)
			return 0;
		score += at == text || !isalnum((unsigned char)at[-1]);
		words += len;
	}
	return score;
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
	r->hits[at] = hit;
}

/* GitHub's anchor of a heading line. */
static void anchor_of(const char *text, size_t n, char *buf, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < n && used + 2 < size; i++) {
		unsigned char c = (unsigned char)text[i];
		if (isalnum(c) || c == '_' || c == '-' || c >= 0x80)
			buf[used++] = (char)tolower(c);
		else if (c == ' ')
			buf[used++] = '-';
	}
	buf[used] = '\0';
}

/* A line as a reader sees it: without table bars, emphasis, and the source of computed numbers. */
static void plain_line(const char *at, size_t n, char *buf, size_t size)
{
	size_t used = 0;
	bool blank = true;
	for (size_t i = 0; i < n && used + 4 < size; i++) {
		bool computed = at[i] == '`' && i + 1 < n && at[i + 1] == '=';
		if (computed) {
			const char *end = memchr(at + i + 1, '`', n - i - 1);
			memcpy(buf + used, "...", 3);
			used += 3;
			i = end ? (size_t)(end - at) : n;
			blank = false;
		} else if (at[i] == ' ' || at[i] == '|') {
			if (!blank)
				buf[used++] = ' ';
			blank = true;
		} else if (!strchr("`*>", at[i])) {
			buf[used++] = at[i];
			blank = false;
		}
	}
	buf[used] = '\0';
}

static void search_text(
	struct search_result *r, const struct page_info *p, const char *text, const char *words)
{
	char anchor[128] = "", target[256], line[512];
	int hits = 0;
	for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		size_t n = strcspn(at, "\n"), hashes = strspn(at, "#");
		bool heading = hashes > 0 && hashes < 7 && at[hashes] == ' ';
		if (heading)
			anchor_of(at + hashes + 1, n - hashes - 1, anchor, sizeof anchor);
		size_t skip = heading ? hashes + 1 : 0;
		plain_line(at + skip, n - skip, line, sizeof line);
		int score = match(line, strlen(line), words);
		if (!score || (heading && hashes == 1))
			continue;
		snprintf(target, sizeof target, "page:%s#%s", p->id, anchor);
		score += heading ? IN_HEADING : IN_TEXT - (hits < 50 ? hits++ : 50);
		add(r, (struct search_hit){
			       heading ? "section" : "text", target, p->title, line, score });
	}
}

static void search_pages(struct search_result *r, const struct page_list *pages, const char *words)
{
	for (size_t i = 0; i < pages->n; i++) {
		const struct page_info *p = &pages->pages[i];
		char target[128];
		size_t bytes;
		void *owned;
		int score = match(p->title, strlen(p->title), words);
		snprintf(target, sizeof target, "page:%s", p->id);
		if (score)
			add(r, (struct search_hit){
				       "page", target, p->title, p->title, IN_TITLE + score });
		const char *text = content_read(p->file, &bytes, &owned);
		if (text)
			search_text(r, p, text, words);
		free(owned);
	}
}

static void search_sims(struct search_result *r, const char *words)
{
	for (size_t i = 0; i < n_sims; i++) {
		char target[128], all[2048];
		int used = snprintf(
			all, sizeof all, "%s %s %s", sims[i]->id, sims[i]->title, sims[i]->summary);
		for (size_t k = 0; k < sims[i]->n_knobs && (size_t)used < sizeof all; k++)
			used += snprintf(all + used, sizeof all - (size_t)used, " %s %s",
				sims[i]->knobs[k].id, sims[i]->knobs[k].label);
		int name = match(sims[i]->title, strlen(sims[i]->title), words);
		int about = match(all, strlen(all), words);
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
		if (name || about)
			add(r, (struct search_hit){ "simulation", target, sims[i]->title,
				       sims[i]->summary,
				       name ? IN_NAME + name : IN_SUMMARY + about });
	}
}

static void search_formulas(struct search_result *r, const char *words)
{
	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		char target[128], all[512];
		snprintf(target, sizeof target, "formula:%s", f->id);
		snprintf(all, sizeof all, "%s %s %s %s", f->id, f->title, f->number, f->source);
		int name = match(f->title, strlen(f->title), words);
		int id = match(f->id, strlen(f->id), words);
		int about = match(all, strlen(all), words);
		if (name || id || about)
			add(r, (struct search_hit){ "formula", target, f->id, f->title,
				       name || id ? IN_FORMULA + name + id : IN_SUMMARY + about });
	}
}

static void search_mistakes(struct search_result *r, const struct drill *d,
	const struct drill_step *step, const char *target, const char *words)
{
	for (size_t i = 0; i < step->n_mistakes; i++) {
		const char *mistake = step->mistakes[i].name;
		int score = match(mistake, strlen(mistake), words);
		if (score)
			add(r, (struct search_hit){
				       "mistake", target, d->title, mistake, IN_SUMMARY + score });
	}
}

static void search_drill(struct search_result *r, const struct drill *d, const char *words)
{
	char target[128], all[1024];
	snprintf(target, sizeof target, "drill:%s", d->id);
	snprintf(all, sizeof all, "%s %s %s %s", d->id, d->topic, d->skill, d->prompt);
	int name = match(d->title, strlen(d->title), words);
	int about = match(all, strlen(all), words);
	if (name || about)
		add(r, (struct search_hit){ "drill", target, d->title, d->title,
			       name ? IN_NAME + name : IN_SUMMARY + about });
	for (size_t k = 0; k < d->n_steps; k++)
		search_mistakes(r, d, &d->steps[k], target, words);
}

void search_drills(struct search_result *r, const struct drill_bank *bank, const char *words)
{
	if (!words[strspn(words, " ")])
		return;
	for (size_t i = 0; i < bank->n; i++)
		search_drill(r, &bank->drills[i], words);
}

int search_run(
	struct search_result *r, const struct page_list *pages, const char *words, size_t most)
{
	*r = (struct search_result){ .most = most };
	r->hits = arena_array(&r->arena, most, sizeof *r->hits);
	if (!r->hits)
		return -1;
	if (!words[strspn(words, " ")])
		return 0;
	search_pages(r, pages, words);
	search_sims(r, words);
	search_formulas(r, words);
	return r->arena.failed ? -1 : 0;
}

void search_release(struct search_result *r)
{
	arena_release(&r->arena);
	*r = (struct search_result){ 0 };
}
