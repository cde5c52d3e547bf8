#include "ui/practice/paper.h"

#include "ui/data/markdown.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Black on white, one column that is read easily, and no problem cut by the end of a page. */
static const char head[] =
	"<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width\">\n<title>%.*s</title>\n<style>\n"
	"body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff;\n"
	"  font: 1rem/1.5 Georgia, 'Times New Roman', serif; }\n"
	"h1, h2, h3 { font-family: Helvetica, Arial, sans-serif; line-height: 1.2; break-after: avoid; }\n"
	"h2 { margin-top: 2.5rem; border-top: 1px solid #999; padding-top: 1rem; }\n"
	"pre, code { font-family: Menlo, Consolas, monospace; font-size: 0.85rem; }\n"
	"pre { white-space: pre-wrap; border-left: 2px solid #999; padding-left: 0.8rem; }\n"
	"blockquote { margin: 1rem 0; font-size: 1.15rem; font-style: italic; }\n"
	"li, pre, blockquote { break-inside: avoid; }\n"
	"@media print { body { margin: 0; max-width: none; } }\n"
	"</style>\n";

/* The text of the first heading: what stands behind its sign, up to the end of its line. */
static const char *title_of(const char *markdown, int *length)
{
	const char *at = strncmp(markdown, "# ", 2) == 0 ? markdown : strstr(markdown, "\n# ");
	at = at ? at + strspn(at, "\n# ") : "ridge";
	*length = (int)strcspn(at, "\n<&");
	return at;
}

static void put_boxes(const char *html, FILE *out)
{
	static const char box[] = "[ ] ";
	for (const char *next; (next = strstr(html, box)); html = next + sizeof box - 1) {
		const bool first = next > html && next[-1] == '>';
		fprintf(out, "%.*s%s", (int)(next - html), html, first ? "&#9744; " : box);
	}
	fputs(html, out);
}

int paper_html(const char *markdown, FILE *out)
{
	int length;
	const char *title = title_of(markdown, &length);
	cmark_node *tree = markdown_parse(markdown, strlen(markdown));
	char *html = cmark_render_html(tree, CMARK_OPT_DEFAULT);
	cmark_node_free(tree);
	if (!html)
		return -1;
	fprintf(out, head, length, title);
	put_boxes(html, out);
	fputs("</html>\n", out);
	free(html);
	return 0;
}
