/* CommonMark through our renderer: every text, code and tag of the parsed tree is on the page, in
 * order, at four widths. The specification's own examples are read from the file that
 * COMMONMARK_SPEC names (its licence, CC-BY-SA, keeps it out of this tree); without it only
 * ours. */
#include "tests/page_shown.h"

#include "ui/data/markdown.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <cmark.h>
#include <ctype.h>

static const int widths[] = { 40, 80, 120, 200 };

/* Letters and digits, and all bytes beyond ASCII: what no layout adds, splits or drops. */
static void letters_of(FILE *out, const char *text)
{
	for (; *text; text++)
		if (isalnum((unsigned char)*text) || (unsigned char)*text >= 0x80)
			fputc(*text, out);
}

/* HTML comments are for authors. */
static bool is_comment(const char *html)
{
	return strncmp(html, "<!--", 4) == 0;
}

static bool is_break(const char *html)
{
	return strcmp(html, "<br>") == 0 || strcmp(html, "<br/>") == 0 ||
	       strcmp(html, "<br />") == 0;
}

static void html_letters(FILE *out, const char *html)
{
	const char *open, *close;
	while ((open = strstr(html, "<!--")) && (close = strstr(open + 4, "-->"))) {
		for (; html < open; html++)
			letters_of(out, (char[]){ *html, '\0' });
		html = close + 3;
	}
	letters_of(out, html);
}

/* What a reader of the tree must see. */
static char *expected(const char *markdown)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	cmark_node *document = markdown_parse(markdown, strlen(markdown));
	cmark_iter *iter = cmark_iter_new(document);
	for (cmark_event_type ev; (ev = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
		cmark_node *node = cmark_iter_get_node(iter);
		cmark_node_type type = cmark_node_get_type(node);
		bool empty = !cmark_node_first_child(node);
		if (ev != CMARK_EVENT_ENTER)
			continue;
		if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE ||
			type == CMARK_NODE_CODE_BLOCK)
			letters_of(out, cmark_node_get_literal(node));
		else if (type == CMARK_NODE_HTML_BLOCK)
			html_letters(out, cmark_node_get_literal(node));
		else if (type == CMARK_NODE_HTML_INLINE &&
			 !is_comment(cmark_node_get_literal(node)) &&
			 !is_break(cmark_node_get_literal(node)))
			letters_of(out, cmark_node_get_literal(node));
		else if ((type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE) && empty)
			letters_of(out, cmark_node_get_url(node));
	}
	cmark_iter_free(iter);
	cmark_node_free(document);
	fclose(out);
	return text;
}

/* The letters of the page; what its layout adds (numbers of items, bars, bullets) may stand
 * between them. */
static bool holds(const char *page, const char *letters)
{
	for (; *letters; letters++, page++) {
		page = strchr(page, *letters);
		if (!page)
			return false;
	}
	return true;
}

static int columns_of(const struct page_line *line)
{
	int columns = line->indent;
	for (size_t i = 0; i < line->n_spans; i++)
		columns += text_width(line->spans[i].text);
	return columns;
}

static void check(const char *markdown, int example)
{
	char *letters = expected(markdown);
	for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
		char *text = shown(markdown, widths[w]);
		cr_expect(holds(text, letters), "example %d at %d columns: %s", example, widths[w],
			markdown);
		free(text);
		struct page p;
		cr_assert(
			zero(int, page_layout(&p, markdown, strlen(markdown), widths[w], &engine)));
		for (size_t i = 0; i < p.n_lines; i++)
			cr_expect(
				le(int, columns_of(&p.lines[i]), widths[w]), "example %d", example);
		page_release(&p);
	}
	free(letters);
}

/* Constructs of our own, a few at a time in one page. */
static const char *const ours[] = {
	"# a\n## b\n### c\n#### d\n##### e\n###### f\n####### g\n",
	"a *b **c** d* e ***f*** __g__ _h_ i_j_k\n",
	"`a` ``b`c`` ` d ` `` ` `` \\`e\\`\n",
	"[a](b) [c][d] [d] ![e](f) [![g](h)](i) <http://j.example> [](k) ![](l)\n\n[d]: m \"n\"\n",
	"- a\n  - b\n    1. c\n       > d\n       >\n       >     e\n- f\n\n  g\n",
	"1. a\n1. b\n10) c\n11) d\n",
	"> a\nb\n> - c\nd\n\n> > e\n",
	"    a\n\n        b\n```x\nc\n~~~\nd\n```\n~~~\ne\n",
	"a\n===\nb\n---\nc\nd\n===\n***\n- - -\n",
	"<div a=\"b\">\nc\n</div>\n\nd <e f=\"g\"> h <!-- i --> j<br>k\n",
	"&amp; &auml; &#228; &#xe4; &nosuch; \\& \\a\n",
	"a  \nb\\\nc\nd   e\tf\n",
	"*a `*` b*\n**a\n\nb** _c*\n",
	"\ta\n\n-\tb\n\n>\tc\n",
	"[a]: <b c> 'd\ne'\n\n[a] [A] [ a ]\n",
	"Ünïcödé *日本語* **한국어** `русский`\n",
};

Test(commonmark, our_constructs_lose_no_text)
{
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		check(ours[i], (int)i);
}

/* The Markdown of the next example, with its arrows as tabs; false: that was the last. */
static bool next_example(FILE *spec, char *markdown, size_t size)
{
	char line[4096];
	bool inside = false, wanted = false;
	size_t n = 0;
	while (fgets(line, sizeof line, spec)) {
		if (!inside && strncmp(line, "```````````````````````````````` example", 40) == 0) {
			inside = wanted = true;
			continue;
		}
		if (inside && wanted && strcmp(line, ".\n") == 0)
			wanted = false;
		else if (inside && strncmp(line, "````````````````````````````````", 32) == 0)
			break;
		for (const char *p = line; inside && wanted && *p && n + 1 < size; p++) {
			bool tab = strncmp(p, "→", 3) == 0;
			markdown[n++] = tab ? '\t' : *p;
			p += tab ? 2 : 0;
		}
	}
	markdown[n] = '\0';
	return inside;
}

Test(commonmark, the_specifications_examples_lose_no_text, .timeout = 120)
{
	const char *path = getenv("COMMONMARK_SPEC");
	if (!path || !*path)
		cr_skip_test("COMMONMARK_SPEC names no specification");
	FILE *spec = fopen(path, "r");
	cr_assert(spec != NULL, "%s cannot be read", path);
	char markdown[8192];
	int n = 0;
	while (next_example(spec, markdown, sizeof markdown))
		check(markdown, ++n);
	cr_expect(lt(int, 600, n), "%d examples", n);
	fclose(spec);
}
