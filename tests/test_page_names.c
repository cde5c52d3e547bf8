/* Names of a page: what gives one, and where it stands for its text. */
#include "sims/base/array.h"
#include "ui/pages/page_names.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#define LET "<!-- let a = b -->"

static const struct {
	const char *page, *expanded;
} rows[] = {
	{ "no names `={a}`", "no names `={a}`" },
	{ LET "\nx `={a}` y", LET "\nx `=b` y" },
	{ LET "`={b} {a} {}`", LET "`={b} b {}`" },
	{ LET "{a} `{a}`", LET "{a} `{a}`" }, /* only what is computed */
	{ LET "\n<!-- let a = {a}{a} -->\n`={a}`", LET "\n<!-- let a = {a}{a} -->\n`=bb`" },
	{ "<!-- let a_1=  b\nc-->`={a_1}`", "<!-- let a_1=  b\nc-->`=b c`" },
	/* not from the first column on, without a name, a sign or a text */
	{ " " LET "`={a}`", " " LET "`={a}`" },
	{ "<!-- let = b -->`={a}`", "<!-- let = b -->`={a}`" },
	{ "<!-- let a b -->`={a}`", "<!-- let a b -->`={a}`" },
	{ "<!-- let a", "<!-- let a" },
	{ "<!-- let a = -->`={a}`", "<!-- let a = -->`={a}`" },
	/* what does not end */
	{ LET "`={a`", LET "`={a`" },
	{ LET "`={a}", LET "`={a}" },
	{ LET "`={a`}", LET "`={a`}" },
	{ "<!-- let a = b", "<!-- let a = b" },
	{ LET, LET },
};

Test(page_names, stand_for_their_text_in_what_is_computed)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct arena a = { 0 };
		size_t bytes = strlen(rows[i].page);
		const char *expanded = page_names_expand(rows[i].page, &bytes, &a);
		cr_assert(expanded != NULL);
		cr_expect(eq(sz, bytes, strlen(rows[i].expanded)), "%s", rows[i].page);
		cr_expect(strncmp(expanded, rows[i].expanded, bytes) == 0, "%s: %.*s", rows[i].page,
			(int)bytes, expanded);
		arena_release(&a);
	}
}
