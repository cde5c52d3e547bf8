#include "ui/pages/page_inline.h"

#include "sims/base/array.h"
#include "ui/pages/page_maths.h"

#include <stdint.h>
#include <string.h>

/* Where the walk over the tree is: how many of each kind are open. Links do not nest. Emphasis
 * does, in a hostile page a million deep, so depths are counted and nothing recurses. */
struct inline_walk {
	const struct page_inlines *in;
	struct page_run *run;
	enum style style;
	unsigned attr;
	int emph, strong, images;
	int link; /* index, or -1 */
	size_t link_from, image_from;
};

static struct page_piece look_of(const struct inline_walk *w)
{
	unsigned attr = w->attr | (w->emph ? (unsigned)ATTR_ITALIC : 0) |
			(w->strong ? (unsigned)ATTR_BOLD : 0) |
			(w->link >= 0 ? (unsigned)ATTR_UNDERLINE : 0);
	enum style style = w->link >= 0 ? STYLE_LINK : w->images ? STYLE_DIM : w->style;
	return (struct page_piece){ 0, style, attr, w->link, -1, 0 };
}

static void plain(struct inline_walk *w, const char *text)
{
	run_text(w->run, text, strlen(text), look_of(w));
}

static void add_maths(struct inline_walk *w, const char *tex, size_t bytes)
{
	const char *text = maths_text(w->in->scratch, tex, bytes, w->run->glyphs == GLYPHS_ASCII);
	if (text)
		plain(w, text);
}

/* Whether a code span is maths, because it has dollars around it: $`x^2`$. */
static bool is_maths_code(cmark_node *code)
{
	cmark_node *before = code ? cmark_node_previous(code) : NULL;
	cmark_node *after = code ? cmark_node_next(code) : NULL;
	if (!before || !after || cmark_node_get_type(code) != CMARK_NODE_CODE ||
		cmark_node_get_type(before) != CMARK_NODE_TEXT ||
		cmark_node_get_type(after) != CMARK_NODE_TEXT)
		return false;
	const char *text = cmark_node_get_literal(before);
	size_t n = strlen(text);
	return n && text[n - 1] == '$' && cmark_node_get_literal(after)[0] == '$';
}

/* Adds text with the maths in it. A dollar beside a code span belongs to that span. */
static void add_text(struct inline_walk *w, cmark_node *node)
{
	const char *text = cmark_node_get_literal(node), *from = text;
	const char *end = text + strlen(text);
	from += is_maths_code(cmark_node_previous(node));
	end -= end > from && is_maths_code(cmark_node_next(node));
	for (const char *at = from; (at = memchr(at, '$', (size_t)(end - at)));) {
		size_t n = maths_bytes(at, at > text ? at[-1] : '\0');
		if (!n || n > (size_t)(end - at)) {
			at++;
			continue;
		}
		run_text(w->run, from, (size_t)(at - from), look_of(w));
		add_maths(w, at + 1, n - 2);
		from = at += n;
	}
	run_text(w->run, from, (size_t)(end - from), look_of(w));
}

static bool is_computed(const char *code)
{
	char c = code[0] == '=' ? code[1] : '\0';
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void add_computed(struct inline_walk *w, const char *source)
{
	struct page *p = w->in->page;
	char result[256] = "";
	bool failed = w->in->env->compute(w->in->env->context, source, result, sizeof result) != 0;
	struct page_piece look = look_of(w);
	look.computed = (int)p->n_computed;
	look.style = failed ? STYLE_BAD : w->style;
	look.attr |= failed ? 0 : (unsigned)ATTR_BOLD;
	struct page_computed c = { arena_text(&p->arena, source), arena_text(&p->arena, result),
		failed, SIZE_MAX };
	ARRAY_APPEND(&p->arena, p, computed, n_computed, cap_computed, c);
	if (failed) {
		run_code(w->run, "=", 1, look);
		run_code(w->run, source, strlen(source), look);
		run_code(w->run, "?", 1, look);
	} else {
		run_code(w->run, result, strlen(result), look);
	}
}

static void add_code(struct inline_walk *w, const char *code)
{
	if (is_computed(code) && w->in->env && w->in->env->compute) {
		add_computed(w, code + 1);
		return;
	}
	struct page_piece look = look_of(w);
	if (look.link < 0)
		look.style = STYLE_CODE;
	run_code(w->run, code, strlen(code), look);
}

/* Comments are left out, as they are for authors. <br> breaks the line, which table cells cannot do
 * otherwise. Any other tag is shown as text. */
static void add_html(struct inline_walk *w, const char *tag)
{
	if (strncmp(tag, "<!--", 4) == 0)
		return;
	if (strcmp(tag, "<br>") == 0 || strcmp(tag, "<br/>") == 0 || strcmp(tag, "<br />") == 0)
		run_break(w->run);
	else
		plain(w, tag);
}

/* The target of a link. Ours may have blanks ("sim:roofline gpu=h100"), which Markdown wants in < >
 * or written as %20. */
static const char *target_of(struct arena *a, const char *url)
{
	char *copy = arena_alloc(a, strlen(url) + 1), *out = copy;
	bool ours = strncmp(url, "sim:", 4) == 0 || strncmp(url, "drill:", 6) == 0;
	if (!copy)
		return "";
	while (*url) {
		bool blank = ours && strncmp(url, "%20", 3) == 0;
		*out++ = blank ? ' ' : *url;
		url += blank ? 3 : 1;
	}
	return copy;
}

static void enter_link(struct inline_walk *w, cmark_node *node)
{
	struct page *p = w->in->page;
	struct page_link link = { target_of(&p->arena, cmark_node_get_url(node)), "", SIZE_MAX };
	w->link = (int)p->n_links;
	w->link_from = w->run->text.n;
	ARRAY_APPEND(&p->arena, p, links, n_links, cap_links, link);
}

static void leave_link(struct inline_walk *w)
{
	struct page *p = w->in->page;
	if (p->arena.failed || w->link < 0)
		return;
	struct page_link *link = &p->links[w->link];
	if (w->run->text.n == w->link_from)
		plain(w, link->target);
	link->text =
		run_string(w->run, (struct page_range){ w->link_from, w->run->text.n }, &p->arena);
	w->link = -1;
}

static void image(struct inline_walk *w, cmark_node *node, bool entering)
{
	if (entering) {
		w->images++;
		plain(w, "[");
		w->image_from = w->run->text.n;
		return;
	}
	if (w->run->text.n == w->image_from)
		plain(w, cmark_node_get_url(node));
	plain(w, "]");
	w->images--;
}

static void visit(struct inline_walk *w, cmark_node *node, bool entering)
{
	int step = entering ? 1 : -1;
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT:
		add_text(w, node);
		break;
	case CMARK_NODE_SOFTBREAK:
		plain(w, " ");
		break;
	case CMARK_NODE_LINEBREAK:
		run_break(w->run);
		break;
	case CMARK_NODE_CODE:
		if (is_maths_code(node))
			add_maths(w, cmark_node_get_literal(node),
				strlen(cmark_node_get_literal(node)));
		else
			add_code(w, cmark_node_get_literal(node));
		break;
	case CMARK_NODE_HTML_INLINE:
		add_html(w, cmark_node_get_literal(node));
		break;
	case CMARK_NODE_EMPH:
		w->emph += step;
		break;
	case CMARK_NODE_STRONG:
		w->strong += step;
		break;
	case CMARK_NODE_LINK:
		if (entering)
			enter_link(w, node);
		else
			leave_link(w);
		break;
	case CMARK_NODE_IMAGE:
		image(w, node, entering);
		break;
	default:
		break;
	}
}

void inline_collect(const struct page_inlines *in, struct page_run *run, cmark_node *node,
	enum style style, unsigned attr)
{
	struct inline_walk w = { .in = in, .run = run, .style = style, .attr = attr, .link = -1 };
	cmark_iter *iter = cmark_iter_new(node);
	for (cmark_event_type ev; (ev = cmark_iter_next(iter)) != CMARK_EVENT_DONE;)
		visit(&w, cmark_iter_get_node(iter), ev == CMARK_EVENT_ENTER);
	cmark_iter_free(iter);
}
