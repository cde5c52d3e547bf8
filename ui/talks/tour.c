/* One walk over the top of the tree that libcmark makes of the file: headings open steps, and what
 * follows them fills the last one. */
#include "ui/talks/tour.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/registry/registry.h"
#include "ui/data/markdown.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds of a step that does not say. */
static const double usual_s = 30, usual_sweep_s = 1, minute_s = 60;

struct tour_reader {
	struct tour *tour;
	struct arena *arena;
	char *err;
	size_t err_size;
	/* Settings of the simulation at hand, the last of each knob. */
	const char *sim;
	const char *words[MAX_KNOBS + 1];
	size_t n_words;
};

static int refuse(struct tour_reader *r, int line, const char *what, const char *word)
{
	snprintf(r->err, r->err_size, "line %d: %s%s%.60s%s", line, what, *word ? " \"" : "", word,
		*word ? "\"" : "");
	return -1;
}

static struct tour_step *last_step(struct tour_reader *r)
{
	return r->tour->n ? &r->tour->steps[r->tour->n - 1] : NULL;
}

/* --- Text of nodes --- */

/* The text under a node, with code in its backticks; lines end in blanks. */
static const char *text_of(struct tour_reader *r, cmark_node *node)
{
	struct arena_buffer text = { .arena = r->arena };
	cmark_iter *iter = cmark_iter_new(node);
	for (cmark_event_type ev; (ev = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
		cmark_node *at = cmark_iter_get_node(iter);
		cmark_node_type type = cmark_node_get_type(at);
		if (ev != CMARK_EVENT_ENTER)
			continue;
		if (type == CMARK_NODE_CODE)
			arena_append_text(&text, "`");
		if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE)
			arena_append_text(&text, cmark_node_get_literal(at));
		if (type == CMARK_NODE_CODE)
			arena_append_text(&text, "`");
		if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
			arena_append_text(&text, " ");
	}
	cmark_iter_free(iter);
	return arena_buffer_text(&text);
}

/* Adds a paragraph as a line of its own. */
static const char *with_line(struct tour_reader *r, const char *text, const char *line)
{
	return *text ? arena_printf(r->arena, "%s\n%s", text, line) : line;
}

/* --- Settings --- */

static void begin_sim(struct tour_reader *r, const char *name)
{
	if (!r->sim || strcmp(r->sim, name) != 0)
		r->n_words = 0;
	r->sim = name;
}

static bool same_knob(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");
	return n == strcspn(b, "=") && strncmp(a, b, n) == 0;
}

static bool is_directive(const char *word);

static int add_setting(struct tour_reader *r, int line, const char *word)
{
	size_t at = 0;
	if (strcmp(word, "defaults") == 0) {
		r->n_words = 0;
		last_step(r)->begins_anew = true;
		return 0;
	}
	if (!strchr(word, '='))
		return refuse(r, line,
			is_directive(word) ? "expected a colon behind"
					   : "no setting and no \"key: ...\":",
			word);
	while (at < r->n_words && !same_knob(r->words[at], word))
		at++;
	if (at > MAX_KNOBS)
		return refuse(r, line, "more settings than knobs at", word);
	r->words[at] = word;
	r->n_words += at == r->n_words;
	return 0;
}

static int add_settings(struct tour_reader *r, int line, const char *text)
{
	struct tour_step *s = last_step(r);
	char *copy = arena_alloc(r->arena, strlen(text) + 1), *rest = NULL;
	if (!copy)
		return 0;
	strcpy(copy, text);
	for (char *w = strtok_r(copy, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest)) {
		if (add_setting(r, line, w))
			return -1;
		s->moves = *s->moves ? arena_printf(r->arena, "%s %s", s->moves, w) : w;
	}
	return 0;
}

static void set_target(struct tour_reader *r)
{
	struct arena_buffer text = { .arena = r->arena };
	arena_append_text(&text, r->sim);
	for (size_t i = 0; i < r->n_words; i++) {
		arena_append_text(&text, " ");
		arena_append_text(&text, r->words[i]);
	}
	last_step(r)->target = arena_buffer_text(&text);
	last_step(r)->is_sim = true;
}

/* --- Lines of a fence --- */

static int set_show(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	(void)r;
	(void)line;
	s->show = value;
	return 0;
}

static int set_hero(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	(void)r;
	(void)line;
	s->hero = value;
	return 0;
}

static int set_until(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	(void)r;
	(void)line;
	s->until = value;
	return 0;
}

static int set_also(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	for (const char *at = value; *at;) {
		size_t n = strcspn(at, " ");
		if (s->n_also == TOUR_ALSO)
			return refuse(r, line, "more than three values beside the hero:", at);
		s->also[s->n_also++] = arena_printf(r->arena, "%.*s", (int)n, at);
		at += n + strspn(at + n, " ");
	}
	return 0;
}

static int set_expect(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	if (s->n_expects == TOUR_EXPECTS)
		return refuse(r, line, "more expectations than a step may have:", value);
	s->expects[s->n_expects++] = value;
	return 0;
}

static int set_seconds(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	char *end;
	s->seconds = strtod(value, &end);
	if (end == value || *end || !(s->seconds > 0 && s->seconds <= 3600))
		return refuse(r, line, "seconds: expected 1 to 3600, not", value);
	return 0;
}

static int set_optional(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return refuse(r, line, "optional: expected yes or no, not", value);
	s->optional = strcmp(value, "yes") == 0;
	return 0;
}

static int set_knob(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	(void)r;
	(void)line;
	s->knob = value;
	return 0;
}

static int set_pause(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	if (s->n_pauses == TOUR_PAUSES)
		return refuse(r, line, "more pauses than a step may have:", value);
	s->pauses[s->n_pauses++] = value;
	return 0;
}

/* "A before.step_ms / 2" */
static int set_belief(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	const int option = *value - 'A';
	if (option < 0 || option >= TOUR_OPTIONS || value[1] != ' ')
		return refuse(r, line,
			"belief: expected the letter of an answer and what the hero would be, not",
			value);
	s->beliefs[option] = value + 2;
	return 0;
}

/* "1.2s each" at the end of a sweep, or nothing. */
static int read_each(
	struct tour_reader *r, struct tour_sweep *w, int line, const char *time, const char *each)
{
	char *end;
	w->each_s = strtod(time, &end);
	if (strcmp(each, "each") != 0 || strcmp(end, "s") != 0 ||
		!(w->each_s >= 0.1 && w->each_s <= 60))
		return refuse(r, line, "sweep: expected 0.1s to 60s each, not", time);
	return 0;
}

/* "utilisation 0.75 0.8 0.9 1.2s each": the last value is the step's setting. */
static int set_sweep(struct tour_reader *r, struct tour_step *s, int line, const char *value)
{
	struct tour_sweep *w = &s->sweep;
	const char *words[TOUR_SWEPT + 3];
	char *copy = arena_alloc(r->arena, strlen(value) + 1), *rest = NULL;
	size_t n = 0;
	if (!copy)
		return 0;
	strcpy(copy, value);
	for (char *at = strtok_r(copy, " ", &rest); at; at = strtok_r(NULL, " ", &rest)) {
		if (n == LENGTH(words))
			return refuse(r, line, "more values than a sweep may have:", at);
		words[n++] = at;
	}
	w->each_s = usual_sweep_s;
	if (n > 2 && strcmp(words[n - 1], "each") == 0) {
		n -= 2;
		if (read_each(r, w, line, words[n], words[n + 1]))
			return -1;
	}
	if (n < 3 || n > TOUR_SWEPT + 1)
		return refuse(r, line, "sweep: expected a knob and 2 to 12 values, not", value);
	w->knob = words[0];
	w->n = n - 1;
	memcpy(w->values, words + 1, w->n * sizeof *w->values);
	return add_settings(r, line, arena_printf(r->arena, "%s=%s", w->knob, words[n - 1]));
}

static const struct directive {
	const char *name;
	int (*set)(struct tour_reader *r, struct tour_step *s, int line, const char *value);
} directives[] = { { "show", set_show }, { "hero", set_hero }, { "also", set_also },
	{ "expect", set_expect }, { "seconds", set_seconds }, { "optional", set_optional },
	{ "knob", set_knob }, { "sweep", set_sweep }, { "pause", set_pause },
	{ "until", set_until }, { "belief", set_belief } };

static bool is_directive(const char *word)
{
	for (size_t i = 0; i < LENGTH(directives); i++)
		if (strcmp(directives[i].name, word) == 0)
			return true;
	return false;
}

static int unknown_directive(struct tour_reader *r, int line, const char *name)
{
	const char *names[LENGTH(directives)];
	char hint[HINT_SIZE];
	for (size_t i = 0; i < LENGTH(directives); i++)
		names[i] = directives[i].name;
	did_you_mean(name, names, LENGTH(directives), hint, sizeof hint);
	snprintf(r->err, r->err_size, "line %d: no \"%.30s:\"%s", line, name,
		*hint ? hint
		      : " (show, until, hero, also, expect, seconds, optional, knob, sweep, pause, "
			"belief)");
	return -1;
}

/* "key: value", or settings. */
static int read_line(struct tour_reader *r, int line, const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz");
	if (!*text)
		return 0;
	if (n == 0 || text[n] != ':')
		return add_settings(r, line, text);
	const char *name = arena_printf(r->arena, "%.*s", (int)n, text);
	const char *value = arena_text(r->arena, text + n + 1 + strspn(text + n + 1, " "));
	for (size_t i = 0; i < LENGTH(directives); i++)
		if (strcmp(directives[i].name, name) == 0)
			return directives[i].set(r, last_step(r), line, value);
	return unknown_directive(r, line, name);
}

static int unknown_sim(struct tour_reader *r, int line, const char *name)
{
	const char *names[64];
	size_t n = 0;
	char hint[HINT_SIZE];
	for (size_t i = 0; i < n_sims && n < LENGTH(names); i++)
		names[n++] = sims[i]->id;
	snprintf(r->err, r->err_size, "line %d: no simulation \"%.40s\"%s", line, name,
		did_you_mean(name, names, n, hint, sizeof hint));
	return -1;
}

static int read_fence(struct tour_reader *r, cmark_node *node)
{
	const char *info = cmark_node_get_fence_info(node), *body = cmark_node_get_literal(node);
	int line = cmark_node_get_start_line(node);
	if (strncmp(info, "sim ", 4) != 0)
		return 0; /* a listing of the handout */
	if (!last_step(r))
		return refuse(r, line, "a simulation before the first \"## caption\"", "");
	if (*last_step(r)->target)
		return refuse(r, line, "a step shows one thing; a second:", info + 4);
	info += 4 + strspn(info + 4, " ");
	const char *name = arena_printf(r->arena, "%.*s", (int)strcspn(info, " "), info);
	if (!sim_find(name))
		return unknown_sim(r, line, name);
	begin_sim(r, name);
	if (add_settings(r, line, info + strlen(name)))
		return -1;
	for (int at = 1; *body; at++) {
		size_t n = strcspn(body, "\n");
		if (read_line(r, line + at, arena_printf(r->arena, "%.*s", (int)n, body)))
			return -1;
		body += n + (body[n] == '\n');
	}
	set_target(r);
	return 0;
}

/* --- Blocks --- */

static int open_step(struct tour_reader *r, cmark_node *node)
{
	struct tour *t = r->tour;
	struct tour_step s = { .line = cmark_node_get_start_line(node),
		.caption = text_of(r, node),
		.target = "",
		.moves = "",
		.notes = "",
		.handout = "" };
	if (!*s.caption)
		return refuse(r, s.line, "a step without a caption", "");
	ARRAY_APPEND(r->arena, t, steps, n, cap, s);
	return 0;
}

/* A link that stands alone is what the step shows. */
static bool is_lone_link(cmark_node *paragraph)
{
	cmark_node *only = cmark_node_first_child(paragraph);
	return only && !cmark_node_next(only) && cmark_node_get_type(only) == CMARK_NODE_LINK;
}

static int read_paragraph(struct tour_reader *r, cmark_node *node)
{
	struct tour_step *s = last_step(r);
	const char *text = text_of(r, node);
	double minutes;
	if (!s) {
		if (sscanf(text, "%lf min", &minutes) == 1)
			r->tour->seconds = minutes * minute_s;
		return 0;
	}
	if (is_lone_link(node) && !*s->target)
		s->target = arena_text(r->arena, cmark_node_get_url(cmark_node_first_child(node)));
	else
		s->handout = with_line(r, s->handout, text);
	return 0;
}

static void read_quote(struct tour_reader *r, cmark_node *node)
{
	struct tour_step *s = last_step(r);
	for (cmark_node *p = cmark_node_first_child(node); s && p; p = cmark_node_next(p))
		s->notes = with_line(r, s->notes, text_of(r, p));
}

static int add_option(struct tour_reader *r, cmark_node *item)
{
	struct tour_step *s = last_step(r);
	const char *text = text_of(r, item);
	bool right = strncmp(text, "[x] ", 4) == 0;
	if (!right && strncmp(text, "[ ] ", 4) != 0)
		return s->n_options
			       ? refuse(r, s->line,
					 "an answer without its box, \"[ ] \" or \"[x] \":", text)
			       : 0;
	if (s->n_options == TOUR_OPTIONS)
		return refuse(r, s->line, "more than five answers to", s->caption);
	s->options[s->n_options++] = (struct tour_option){ text + 4, right };
	return 0;
}

/* Tasks under a question are its answers; any other list is the handout's. */
static int read_list(struct tour_reader *r, cmark_node *list)
{
	struct tour_step *s = last_step(r);
	size_t n = s ? strlen(s->caption) : 0;
	if (!n || s->caption[n - 1] != '?')
		return 0;
	for (cmark_node *item = cmark_node_first_child(list); item; item = cmark_node_next(item))
		if (add_option(r, item))
			return -1;
	return 0;
}

static int read_heading(struct tour_reader *r, cmark_node *node)
{
	int level = cmark_node_get_heading_level(node);
	if (level == 1 && !r->tour->title)
		r->tour->title = text_of(r, node);
	return level == 2 ? open_step(r, node) : 0;
}

static int read_block(struct tour_reader *r, cmark_node *node)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_HEADING:
		return read_heading(r, node);
	case CMARK_NODE_CODE_BLOCK:
		return read_fence(r, node);
	case CMARK_NODE_BLOCK_QUOTE:
		read_quote(r, node);
		return 0;
	case CMARK_NODE_LIST:
		return read_list(r, node);
	case CMARK_NODE_PARAGRAPH:
		return read_paragraph(r, node);
	default:
		return 0;
	}
}

/* A question has one right answer and one that is not. */
static int check_options(struct tour_reader *r, const struct tour_step *s)
{
	size_t right = 0;
	for (size_t i = 0; i < s->n_options; i++)
		right += s->options[i].right;
	if (s->n_options && (s->n_options < 2 || right != 1))
		return refuse(r, s->line,
			"a question needs two answers, and one [x] among them:", s->caption);
	for (size_t i = 0; i < TOUR_OPTIONS; i++)
		if (s->beliefs[i] && (i >= s->n_options || s->options[i].right))
			return refuse(r, s->line, "belief: of no wrong answer:", s->beliefs[i]);
	return 0;
}

/* What plays by itself is one thing. */
static int check_played(struct tour_reader *r, const struct tour_step *s)
{
	if (s->sweep.n && s->n_pauses)
		return refuse(r, s->line, "a step has a sweep or pauses, not both:", s->caption);
	return 0;
}

static int finish(struct tour_reader *r)
{
	struct tour *t = r->tour;
	double sum = 0;
	if (!t->title)
		return refuse(r, 1, "no title: expected \"# ...\" first", "");
	if (!t->n)
		return refuse(r, 1, "no step: expected \"## caption\" and a ```sim under it", "");
	for (size_t i = 0; i < t->n; i++) {
		if (check_options(r, &t->steps[i]) || check_played(r, &t->steps[i]))
			return -1;
		if (!(t->steps[i].seconds > 0))
			t->steps[i].seconds = usual_s;
		sum += t->steps[i].seconds;
	}
	t->seconds = t->seconds > 0 ? t->seconds : sum;
	return 0;
}

int tour_read(struct tour *t, const char *id, const char *markdown, size_t bytes, struct arena *a,
	char *err, size_t err_size)
{
	*t = (struct tour){ .id = arena_text(a, id) };
	struct tour_reader r = { .tour = t, .arena = a, .err = err, .err_size = err_size };
	cmark_node *root = markdown_parse(markdown, bytes);
	int rc = 0;
	for (cmark_node *n = cmark_node_first_child(root); n && !rc; n = cmark_node_next(n))
		rc = read_block(&r, n);
	cmark_node_free(root);
	if (a->failed) {
		snprintf(err, err_size, "out of memory");
		return -1;
	}
	return rc ? rc : finish(&r);
}

char *tour_part_id(const struct block *b, char *buf, size_t size)
{
	const char *name = block_name(b);
	size_t n = 0;
	for (; name && name[n] && n + 1 < size; n++)
		buf[n] = isalnum((unsigned char)name[n]) ? (char)tolower((unsigned char)name[n])
							 : '-';
	buf[n] = '\0';
	return buf;
}
