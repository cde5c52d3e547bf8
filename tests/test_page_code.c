/* How listings look: below each letter of a line stands what it is, worked out by the rules of its language. */
#include "sims/base/array.h"
#include "ui/pages/page_code.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

/* "." as other code, "#" a comment, "s" a string, "n" a number, "k" a keyword; a line end counts. */
static char look_of(const struct page_piece *p)
{
	if (p->style == STYLE_DIM)
		return '#';
	if (p->style == (enum style)(STYLE_SERIES + 2))
		return 's';
	if (p->style == (enum style)STYLE_SERIES)
		return 'n';
	return p->attr & ATTR_BOLD ? 'k' : '.';
}

static const struct {
	const char *info, *code, *looks;
} rows[] = {
	{ "python", "if x: # why", "kk....#####" },
	{
		"python",
		"a#b",
		"...",
	},
	{ "python", "\"a\\\"b\"c", "ssssss." },
	{ "python", "'a\\", "sss" },
	{ "python", "'open\nx", "sssss.." },
	{ "python", "\"a\\\nx", "sss.." },
	{ "python", "'''a\n'''b", "ssssssss." },
	{ "python", "\"\"\"a\"\"\"", "sssssss" },
	{ "python", "\"\"\"a", "ssss" },
	{ "c", "int x; // y", "kkk....####" },
	{ "c", "a/b/*c*/d", "...#####." },
	{ "c", "/* open", "#######" },
	{ "c", "'a' '\\n' '\\x1f'", "sss.ssss.ssssss" },
	{ "rust", "<'a>", "...." },
	{ "rust", "'", "." },
	{ "rust", "'\\", ".." },
	{ "rust", "fn it", "....." },
	{ "sql", "--x", "###" },
	{ "json", "[true, 1]", ".kkkk..n." },
	{ "json", "#", "." },
	{ "yaml", "a: 1 # b", "...n.###" },
	{ "sh", "x;#y", "..##" },
	{ "sh", "\t# y", "....###" },
	/* numbers */
	{ "c", "0x1p-3+1", "nnnnnn.n" },
	{ "c", "0X1fL-1", "nnnnn.n" },
	{ "c", "1.5e-6f", "nnnnnnn" },
	{ "c", "1e+x", "nn.." },
	{ "c", "1-2", "n.n" },
	{ "c", "3.", "n." },
	{ "python", "1_000.0", "nnnnnnn" },
	/* no language, one that is not known, and a name too long to be one */
	{ "", "if 1 # a", "........" },
	{ "whitespace", "if 1", "...." },
	{ "abcdefghijklmnopqrstuvwxyz", "if 1", "...." },
	{ "python{.line-numbers}", "if", "kk" },
	{ "python", "", "" },
};

Test(page_code, each_letter_has_the_look_of_what_it_is)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct arena a = { 0 };
		struct page_run run = run_in(&a, GLYPHS_BRAILLE);
		char looks[64] = "";
		code_collect(&run, rows[i].code, rows[i].info);
		for (size_t at = 0; at < run.text.n; at++)
			looks[at] = look_of(&run.pieces[run_piece(&run, at)]);
		cr_expect(eq(str, looks, (char *)rows[i].looks), "%s: %s", rows[i].info,
			rows[i].code);
		arena_release(&a);
	}
}
