#include "ui/pages/page_fold.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char fold_word[] = "fold", end_word[] = "end", target_word[] = "fold:";

static const char *after_blanks(const char *text)
{
	return text + strspn(text, " \t\n");
}

/* The inside of a block that is one comment and nothing else: its bounds, without blanks at the
 * ends. */
static bool comment_inside(cmark_node *block, const char **begin, const char **end)
{
	if (cmark_node_get_type(block) != CMARK_NODE_HTML_BLOCK)
		return false;
	const char *text = after_blanks(cmark_node_get_literal(block));
	if (strncmp(text, "<!--", 4) != 0)
		return false;
	*begin = after_blanks(text + 4);
	*end = strstr(text + 4, "-->");
	if (!*end || *after_blanks(*end + 3))
		return false;
	while (*end > *begin && strchr(" \t\n", (*end)[-1]))
		(*end)--;
	return *begin <= *end;
}

enum fold_mark fold_mark_of(cmark_node *block)
{
	const char *begin, *end;
	if (!comment_inside(block, &begin, &end))
		return MARK_NONE;
	const size_t n = (size_t)(end - begin), fold = sizeof fold_word - 1;
	if (n == sizeof end_word - 1 && memcmp(begin, end_word, n) == 0)
		return MARK_END;
	if (n >= fold && memcmp(begin, fold_word, fold) == 0 && (n == fold || begin[fold] == ':'))
		return MARK_FOLD;
	return MARK_NONE;
}

/* The bold words that a block begins with; NULL: it does not. */
static cmark_node *bold_lead(cmark_node *block)
{
	if (!block || cmark_node_get_type(block) != CMARK_NODE_PARAGRAPH)
		return NULL;
	cmark_node *first = cmark_node_first_child(block);
	return first && cmark_node_get_type(first) == CMARK_NODE_STRONG ? first : NULL;
}

/* The text inside a node. */
static void collect_text(cmark_node *node, struct arena_buffer *out)
{
	cmark_iter *iter = cmark_iter_new(node);
	while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
		cmark_node *at = cmark_iter_get_node(iter);
		cmark_node_type type = cmark_node_get_type(at);
		if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE)
			arena_append_text(out, cmark_node_get_literal(at));
		else if (type == CMARK_NODE_SOFTBREAK)
			arena_append_text(out, " ");
	}
	cmark_iter_free(iter);
}

static const char *trimmed(const char *text, size_t n, struct arena *a)
{
	while (n && strchr(" .:", text[n - 1]))
		n--;
	char *copy = arena_alloc(a, n + 1);
	if (copy)
		memcpy(copy, text, n);
	return copy;
}

const char *fold_label(cmark_node *mark, bool *led, struct arena *a)
{
	const char *begin, *end, *inside;
	cmark_node *next = cmark_node_next(mark);
	while (next && fold_mark_of(next) == MARK_NONE && comment_inside(next, &inside, &end))
		next = cmark_node_next(next);
	cmark_node *lead = bold_lead(next);
	*led = lead != NULL;
	if (!comment_inside(mark, &begin, &end))
		return NULL;
	begin += sizeof fold_word - 1;
	begin = begin < end ? after_blanks(begin + 1) : end;
	if (begin < end)
		return trimmed(begin, (size_t)(end - begin), a);
	if (!lead)
		return "Answer";
	struct arena_buffer text = { .arena = a };
	collect_text(lead, &text);
	return text.n ? trimmed(text.text, text.n, a) : "Answer";
}

const char *fold_target(size_t fold, struct arena *a)
{
	return arena_printf(a, "%s%zu", target_word, fold);
}

long fold_of_target(const char *target)
{
	const size_t n = sizeof target_word - 1;
	return strncmp(target, target_word, n) == 0 ? strtol(target + n, NULL, 10) : -1;
}

long line_letters(const struct page_line *line)
{
	long n = 0;
	for (size_t i = 0; i < line->n_spans; i++)
		for (const char *t = line->spans[i].text; *t; t++)
			n += isalnum((unsigned char)*t) != 0;
	return n;
}

long line_letters_with_hidden(const struct page *p, size_t line)
{
	const struct page_line *at = &p->lines[line];
	if (!at->stands_for)
		return line_letters(at);
	const struct page_fold *f = &p->folds[at->stands_for - 1];
	long n = 0;
	for (size_t i = 0; f->line == line && i < f->n_hidden; i++)
		n += line_letters(&f->hidden[i]);
	return n;
}

double page_share_in_sight(const struct page *p)
{
	long all = 0, outside = 0;
	for (size_t i = 0; i < p->n_lines; i++) {
		long n = line_letters_with_hidden(p, i);
		all += n;
		outside += p->lines[i].fold || p->lines[i].stands_for ? 0 : n;
	}
	return all > 0 ? (double)outside / (double)all : 1;
}
