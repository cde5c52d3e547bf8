/* Text of people within Markdown: nothing acts as a mark, and what would not act is left as it was typed. */
#include "sims/base/array.h"
#include "ui/practice/plain_text.h"

#include <cmark.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static char *escaped(const char *text)
{
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);
	markdown_escape(text, f);
	fclose(f);
	return out;
}

Test(plain_text, escapes_what_markdown_needs)
{
	static const struct {
		const char *text, *is;
	} rows[] = {
		{ "hire; gpu=h100 (a \"yes\"): 50 %, $26/h!",
			"hire; gpu=h100 (a \"yes\"): 50 %, $26/h!" },
		{ "asks *what* waits", "asks \\*what\\* waits" },
		{ "weight_dtype and _this_", "weight_dtype and \\_this\\_" },
		{ "a | b `c` <d> [e] \\f", "a \\| b \\`c\\` \\<d> \\[e\\] \\\\f" },
		{ "R&D & AT&amp;T ~5 ~~6~~", "R\\&D & AT\\&amp;T ~5 \\~\\~6\\~\\~" },
		{ "# 1", "\\# 1" },
		{ "#3 of 4 # 5", "#3 of 4 # 5" },
		{ "- no", "\\- no" },
		{ "-5 or - 6", "-5 or - 6" },
		{ "---", "\\---" },
		{ "12. twelve", "12\\. twelve" },
		{ "12.5 GB", "12.5 GB" },
		{ "> 5 GB", "\\> 5 GB" },
		{ "a\nb", "a b" },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char *text = escaped(rows[i].text);
		cr_expect(eq(str, text, (char *)rows[i].is), "row %zu", i);
		free(text);
	}
}

/* Every two signs with and without a letter around them are one paragraph of plain text to cmark. */
Test(plain_text, nothing_acts_as_a_mark)
{
	static const char signs[] = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
	static const char *const around[][3] = { { "", "", "" }, { "x", "", "x" }, { "", " ", "x" },
		{ "x ", "", " x" }, { "", "x", "" }, { "1", "", " x" } };
	for (size_t i = 0; signs[i]; i++)
		for (size_t k = 0; signs[k]; k++)
			for (size_t n = 0; n < LENGTH(around); n++) {
				char text[16];
				snprintf(text, sizeof text, "%s%c%s%c%s", around[n][0], signs[i],
					around[n][1], signs[k], around[n][2]);
				char *safe = escaped(text);
				cmark_node *tree = cmark_parse_document(
						   safe, strlen(safe), CMARK_OPT_DEFAULT),
					   *block = cmark_node_first_child(tree);
				cr_assert(block &&
						  cmark_node_get_type(block) ==
							  CMARK_NODE_PARAGRAPH &&
						  !cmark_node_next(block),
					"\"%s\" as \"%s\"", text, safe);
				char back[32] = "";
				for (cmark_node *at = cmark_node_first_child(block); at;
					at = cmark_node_next(at)) {
					cr_assert(cmark_node_get_type(at) == CMARK_NODE_TEXT,
						"\"%s\" as \"%s\"", text, safe);
					strcat(back, cmark_node_get_literal(at));
				}
				cr_expect(eq(str, back, text), "as \"%s\"", safe);
				cmark_node_free(tree);
				free(safe);
			}
}
