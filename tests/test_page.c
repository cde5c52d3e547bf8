/* Pages as they are laid out and drawn: no word lost, no line too wide, and how each thing
 * looks. */
#include "ui/pages/page_draw.h"
#include "tests/page_shown.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <wchar.h>

/* Every construct, with the letters and digits a reader must see, in this order. */
static const struct {
	const char *markdown, *letters;
} samples[] = {
	{ "", "" },
	{ "plain words", "plainwords" },
	{ "two\nlines", "twolines" },
	{ "hard  \nbreak", "hardbreak" },
	{ "hard\\\nbreak", "hardbreak" },
	{ "one\n\ntwo", "onetwo" },
	{ "# One", "One" },
	{ "## Two ##", "Two" },
	{ "###### Six", "Six" },
	{ "### GEMM\n\nAlso: matmul, product.\n\nMultiplies.", "GEMMalsomatmulproductMultiplies" },
	{ "### GEMM\n\nAlso a *word*.", "GEMMAlsoaword" },
	{ "Set\n===", "Set" },
	{ "Set\nwide\n---", "Setwide" },
	{ "#not a heading", "notaheading" },
	{ "*emph* and **strong** and ***both***", "emphandstrongandboth" },
	{ "in*side*word and snake_case_name", "insidewordandsnakecasename" },
	{ "2 * 3 * 4", "234" },
	{ "`code` and ``co`de``", "codeandcode" },
	{ "[text](http://x.example/y)", "text" },
	{ "[text][ref]\n\n[ref]: http://x.example", "text" },
	{ "<http://x.example/path>", "httpxexamplepath" },
	{ "[](target)", "target" },
	{ "![an image](picture.png)", "animage" },
	{ "![](picture.png)", "picturepng" },
	{ "[![alt](i.png)](target)", "alt" },
	{ "- a\n- b\n- c", "abc" },
	{ "* a\n\n* b", "ab" },
	{ "1. a\n2. b", "1a2b" },
	{ "7) a\n8) b", "7a8b" },
	{ "- a\n  - b\n    - c\n      - d", "abcd" },
	{ "- a\n\n  more of a\n- b", "amoreofab" },
	{ "- \n- b", "b" },
	{ "1. - a\n   - b", "1ab" },
	{ "> quote\n> more", "quotemore" },
	{ "> lazy\ncontinues", "lazycontinues" },
	{ "> > nested", "nested" },
	{ "> - list in quote\n>   goes on", "listinquotegoeson" },
	{ "> **Debugging** why it is slow", "Debuggingwhyitisslow" },
	{ "```\ncode  here\n```", "codehere" },
	{ "```python\nx = 1 # note\ns = \"text\"\n```", "x1notestext" },
	{ "~~~c\nint a; /* two\nlines */ int b;\n~~~", "intatwolinesintb" },
	{ "    indented code", "indentedcode" },
	{ "```\nunclosed", "unclosed" },
	{ "```sim unknown knob=1\n```", "simunknownknob1" },
	{ "a\n\n***\n\nb", "ab" },
	{ "<!-- for authors -->\n\ntext", "text" },
	{ "a <!-- for authors --> b", "ab" },
	{ "<!-- one --> after", "after" },
	{ "<!-- never closed", "neverclosed" },
	{ "a <b>tag</b>", "abtagb" },
	{ "<div>\nblock\n</div>", "divblockdiv" },
	{ "a<br>b", "ab" },
	{ "&amp; &copy; &#65; &nosuch;", "Anosuch" },
	{ "\\*not emphasis\\*", "notemphasis" },
	{ "`=cache layers=32` and `=wrong`", "429GBandwrong" },
	{ "| a | b |\n|---|---|\n| c | d |", "abcd" },
	{ "averyveryverylongwordthatnolineoftwentycolumnscanhold x",
		"averyveryverylongwordthatnolineoftwentycolumnscanholdx" },
	{ "see https://example.org/a/long/path/to/some-file_name.html?x=1&y=2 there",
		"seehttpsexampleorgalongpathtosomefilenamehtmlx1y2there" },
	{ "```\na line of code that is much longer than any page that is only twenty wide\n```",
		"alineofcodethatismuchlongerthananypagethatisonlytwentywide" },
	{ "> > > > > > > > > > > > deep quote", "deepquote" },
	{ "- - - - - - - - - - - - deep list", "deeplist" },
	{ "1234567. - - - long number", "1234567longnumber" },
};

static const int widths[] = { 20, 40, 80, 200 };

static int line_columns(const struct page_line *line)
{
	int columns = line->indent;
	for (size_t i = 0; i < line->n_spans; i++)
		columns += text_width(line->spans[i].text);
	return columns;
}

static void letters_of(const char *text, char *out)
{
	for (; *text; text++)
		if (isalnum((unsigned char)*text))
			*out++ = *text;
	*out = '\0';
}

Test(page, shows_every_word_at_every_width)
{
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
			char *text = shown(samples[i].markdown, widths[w]), *letters = text;
			letters_of(text, letters);
			cr_expect(eq(str, letters, (char *)samples[i].letters),
				"sample %zu, width %d", i, widths[w]);
			free(text);
		}
}

Test(page, no_line_is_wider_than_the_page)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
		for (int width = 20; width <= 90; width += 7) {
			struct page p;
			cr_assert(eq(int, 0,
				page_layout(&p, samples[i].markdown, strlen(samples[i].markdown),
					width, &engine)));
			for (size_t j = 0; j < p.n_lines; j++)
				cr_expect(
					le(int, line_columns(&p.lines[j]), width), "sample %zu", i);
			page_release(&p);
		}
}

/* Pages as they should look. */
static const struct {
	int width;
	const char *markdown, *text;
} pictures[] = {
	{ 20, "# Title\nText\n## Next\n", "Title\n\nText\n\nNext\n" },
	{ 20, "Words that go on over the line.", "Words that go on\nover the line.\n" },
	{ 20, "- one\n- two that goes on over\n- three",
		"• one\n• two that goes on\n  over\n• three\n" },
	{ 20, "- one\n\n- two", "• one\n\n• two\n" },
	{ 20, "text\n- one\n- two\n\nmore", "text\n\n• one\n• two\n\nmore\n" },
	{ 20, "- a\n  - b\n    - c\n- d", "• a\n  – b\n    · c\n• d\n" },
	{ 20, "1. a\n   - b", "1. a\n   • b\n" },
	{ 20, "9. nine\n10. ten", " 9. nine\n10. ten\n" },
	{ 20, "2) a\n3) b", "2) a\n3) b\n" },
	{ 20, "1. a\n\n   b", "1. a\n\n   b\n" },
	{ 20, "-\n- b", "•\n• b\n" },
	{ 20, "> one\n>\n> two\n\nout", "│ one\n│\n│ two\n\nout\n" },
	{ 20, "> a\n\n> b", "│ a\n\n│ b\n" },
	{ 20, "- > a\n  > b that is a long line", "• │ a b that is a\n  │ long line\n" },
	{ 20, "a\n***\nb", "a\n\n────────────────────\n\nb\n" },
	{ 20, "```\na  b\n\n\tc\n```", "  a  b\n\n      c\n" },
	{ 20, "```\n0123456789012345678901234\n```", "  012345678901234567\n  ↳ 8901234\n" },
	{ 20, "```\n01234567890 12345678901\n```", "  01234567890\n  ↳ 12345678901\n" },
	{ 20, "a\n\n```sim roofline gpu=h100\n```\nb", "a\n\n<fig>\n<fig>\n\nb\n" },
	{ 20, "- a\n  ```sim roofline\n  ```\n- b", "• a\n\n<fig>\n<fig>\n\n• b\n" },
	{ 20, "```sim roofline\n```\n```sim roofline\n```", "<fig>\n<fig>\n\n<fig>\n<fig>\n" },
	{ 20, "a<br>b", "a\nb\n" },
	/* Blanks in a computed number do not end a line. */
	{ 20, "The whole key `=cache` x", "The whole key\n4.29 GB x\n" },
};

Test(page, looks_like_its_picture)
{
	for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
		char *text = shown(pictures[i].markdown, pictures[i].width);
		cr_expect(eq(str, text, (char *)pictures[i].text), "picture %zu", i);
		free(text);
	}
}

/* Where lines end, at 20 columns. */
static const struct {
	const char *text, *lines;
} wraps[] = {
	{ "exactly twenty cols.", "exactly twenty cols.\n" },
	{ "exactly twenty cols. x", "exactly twenty cols.\nx\n" },
	/* short words do not split at hyphens, long ones do rather than leave a hole */
	{ "a lot of words tensor-core", "a lot of words\ntensor-core\n" },
	{ "use some tensor-parallel-degree", "use some tensor-\nparallel-degree\n" },
	{ "at /usr/local/lib/python3/site", "at /usr/local/lib/\npython3/site\n" },
	{ "0123456789012345678901234", "01234567890123456789\n01234\n" },
	{ "x 0123456789012345678901234", "x\n01234567890123456789\n01234\n" },
	{ "not so\u00a0many\u00a0blanks\u00a0end lines",
		"not\nso\u00a0many\u00a0blanks\u00a0end\nlines\n" },
	{ "first the long dash\u2014then more", "first the long dash\u2014\nthen more\n" },
	/* ten ideographs fill a line; a full stop does not begin one */
	{ "一二三四五六七八九十一", "一二三四五六七八九十\n一\n" },
	{ "一二三四五六七八九十。", "一二三四五六七八九\n十。\n" },
	/* combining marks take no column */
	{ "e\u0301e\u0301e\u0301e\u0301e\u0301 twenty columns",
		"e\u0301e\u0301e\u0301e\u0301e\u0301 twenty columns\n" },
	{ "many   blanks", "many blanks\n" },
};

/* In a list of entries the other names stand behind the name, and what is said stands right below. */
Test(page, puts_an_entry_together)
{
	static const char entry[] =
		"# All\n\nOf them.\n\n### GEMM\n\nAlso: matmul, product.\n\nMultiplies.\n";
	static const char *const rows[] = { "All", "", "Of them.", "",
		"GEMM (also matmul, product)", "Multiplies." };
	struct page_env env = engine;
	struct page p;
	env.tight = 3;
	cr_assert(zero(int, page_layout(&p, entry, sizeof entry - 1, 40, &env)));
	cr_assert(eq(sz, p.n_lines, sizeof rows / sizeof *rows));
	for (size_t i = 0; i < p.n_lines; i++) {
		char text[64] = "";
		for (size_t k = 0; k < p.lines[i].n_spans; k++)
			strcat(text, p.lines[i].spans[k].text);
		cr_expect(eq(str, text, (char *)rows[i]));
	}
	/* Contents and links go by the name alone. */
	cr_expect(eq(str, (char *)p.headings[1].text, "GEMM"));
	cr_expect(eq(str, (char *)p.headings[1].anchor, "gemm"));
	page_release(&p);
}

/* The rule takes what the heading leaves of the row after a blank, unless that is next to nothing. */
Test(page, rules_stand_behind_headings_where_they_are_asked_for)
{
	static const char headings[] = "### DO: tell it\n\nA.\n\n### Of nineteen columns\n";
	static const char *const rows[] = { "DO: tell it ────────", "", "A.", "",
		"Of nineteen columns" };
	struct page_env env = engine;
	struct page p;
	env.ruled = true;
	cr_assert(zero(int, page_layout(&p, headings, sizeof headings - 1, 20, &env)));
	cr_assert(eq(sz, p.n_lines, sizeof rows / sizeof *rows));
	for (size_t i = 0; i < p.n_lines; i++) {
		char text[128] = "";
		for (size_t k = 0; k < p.lines[i].n_spans; k++)
			strcat(text, p.lines[i].spans[k].text);
		cr_expect(eq(str, text, (char *)rows[i]));
	}
	/* Contents and links go by the name alone. */
	cr_expect(eq(str, (char *)p.headings[0].text, "DO: tell it"));
	page_release(&p);
}

Test(page, ends_lines_where_a_typesetter_would)
{
	for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++) {
		char *text = shown(wraps[i].text, 20);
		cr_expect(eq(str, text, (char *)wraps[i].lines), "row %zu", i);
		free(text);
	}
}

static const struct page_span *span_of(const struct page *p, const char *text)
{
	for (size_t i = 0; i < p->n_lines; i++)
		for (size_t j = 0; j < p->lines[i].n_spans; j++)
			if (strcmp(p->lines[i].spans[j].text, text) == 0)
				return &p->lines[i].spans[j];
	return NULL;
}

Test(page, gives_each_thing_its_style)
{
	static const struct {
		const char *text;
		enum style style;
		unsigned attr;
	} rows[] = {
		{ "Top", STYLE_ACCENT, ATTR_BOLD },
		{ "Middle", STYLE_ACCENT, ATTR_BOLD },
		{ "Low", STYLE_PLAIN, ATTR_BOLD },
		{ "emph", STYLE_PLAIN, ATTR_ITALIC },
		{ "strong", STYLE_PLAIN, ATTR_BOLD },
		{ "both", STYLE_PLAIN, ATTR_BOLD | ATTR_ITALIC },
		{ "code", STYLE_CODE, 0 },
		{ "link", STYLE_LINK, ATTR_UNDERLINE },
		{ "4.29 GB", STYLE_PLAIN, ATTR_BOLD },
		{ "=wrong?", STYLE_BAD, 0 },
		{ "# note", STYLE_DIM, 0 },
		{ "x = ", STYLE_CODE, 0 },
		{ "head", STYLE_PLAIN, ATTR_BOLD },
	};
	static const char markdown[] =
		"# Top\n## Middle\n### Low\n*emph* **strong** ***both*** `code` [link](x) `=cache` "
		"`=wrong`\n```py\nx = 1 # note\n```\n"
		"| head |\n|--|\n| cell |\n";
	struct page p;
	cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), 80, &engine)));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct page_span *s = span_of(&p, rows[i].text);
		cr_assert(s != NULL, "%s", rows[i].text);
		cr_expect(eq(int, (int)s->style, (int)rows[i].style), "%s", rows[i].text);
		cr_expect(eq(uint, s->attr, rows[i].attr), "%s", rows[i].text);
	}
	page_release(&p);
}

/* The look of each byte of a line of code: k keyword, s string, c comment, n number. */
static void looks_of(const char *lang, const char *code, char *out)
{
	char markdown[256];
	struct page p;
	snprintf(markdown, sizeof markdown, "```%s\n%s\n```\n", lang, code);
	cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), 80, NULL)));
	for (size_t i = 0; i < p.lines[0].n_spans; i++) {
		const struct page_span *s = &p.lines[0].spans[i];
		char look = s->attr & ATTR_BOLD            ? 'k'
			    : s->style == STYLE_DIM        ? 'c'
			    : s->style == STYLE_SERIES     ? 'n'
			    : s->style == STYLE_SERIES + 2 ? 's'
							   : '.';
		for (const char *t = s->text; *t; t++)
			*out++ = look;
	}
	*out = '\0';
	page_release(&p);
}

Test(page, lights_code_up_a_little)
{
	static const struct {
		const char *lang, *code, *looks;
	} rows[] = {
		{ "python", "for x1 in y: # at 3", "kkk....kk....cccccc" },
		{ "python", "return f'a # b' + 1.5e-3", "kkkkkk..sssssss...nnnnnn" },
		{ "py", "fortran = format(2)", ".................n." },
		{ "python", "a[1:2].b", "..n.n..." },
		{ "c", "if (c == '\"') /* x */ f(0x1p-3, \"s\");",
			"kk.......sss..ccccccc...nnnnnn..sss.." },
		{ "c", "char c = '\\''; int d;", "kkkk.....ssss..kkk..." },
		{ "rust", "f<'a>(x: &'a str) 'b' 2", "..................sss.n" },
		{ "sh", "if [ $n = 8 ]; then # no#t", "kk........n....kkkk.cccccc" },
		{ "sh", "echo a#b 'it'", ".........ssss" },
		{ "json", "{\"a\": [1, -2.5, true]}", ".sss...n...nnn..kkkk.." },
		{ "yaml", "true: 1 # c", "......n.ccc" },
		{ "brainfuck", "if 1 \"s\" # c", "............" },
		{ "", "if 1 \"s\" # c", "............" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char got[256];
		looks_of(rows[i].lang, rows[i].code, got);
		cr_expect(eq(str, got, (char *)rows[i].looks), "%s", rows[i].code);
	}
}

Test(page, makes_anchors_as_github_does)
{
	static const char markdown[] =
		"# The Roofline\n# KV cache & `paging`\n# What's 2 × 2?\n# a_b-c\n"
		"# The roofline\n# The Roofline\n# the-roofline-1\n"
		"# Über *Größe*\n# Ω and ω²\n# 缓存\n";
	static const char *const anchors[] = { "the-roofline", "kv-cache--paging", "whats-2--2",
		"a_b-c", "the-roofline-1", "the-roofline-2", "the-roofline-1-1", "über-größe",
		"ω-and-ω", "缓存" };
	struct page p;
	cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), 80, NULL)));
	cr_assert(eq(sz, p.n_headings, sizeof anchors / sizeof *anchors));
	cr_expect(eq(str, (char *)p.title, "The Roofline"));
	for (size_t i = 0; i < p.n_headings; i++) {
		cr_expect(eq(str, (char *)p.headings[i].anchor, (char *)anchors[i]));
		/* headings are one line each, with a blank between */
		cr_expect(eq(sz, p.headings[i].line, i * 2));
	}
	page_release(&p);
}

/* What stands inside the fence of a figure is its caption: right above it, as one paragraph. */
Test(page, figures_have_captions)
{
	static const char markdown[] =
		"Before.\n\n```sim roofline gpu=h100\nThe roof,\nand what lies "
		"under it.\n```\n\nAfter.\n";
	struct page p;
	cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), 80, &engine)));
	cr_assert(eq(sz, p.n_figures, 1));
	cr_expect(eq(sz, p.figures[0].line, 3));
	cr_assert(span_of(&p, "The roof, and what lies under it.") != NULL);
	cr_expect(eq(str, (char *)p.lines[2].spans[0].text,
		(char *)"The roof, and what lies under it."));
	cr_expect(eq(sz, p.lines[1].n_spans + p.lines[5].n_spans, 0), "a blank line around both");
	page_release(&p);
}

Test(page, keeps_links_figures_and_numbers)
{
	static const char markdown[] =
		"See [the *roofline*](<sim:roofline gpu=h100>) and\n"
		"[drill](drill:kv%20cache).\n\n```sim roofline gpu=h100\n```\n"
		"\nIt is `=cache layers=32`, not `=wrong`, and `==` is code.\n";
	struct page p;
	cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), 80, &engine)));
	cr_assert(eq(sz, p.n_links, 2));
	cr_expect(eq(str, (char *)p.links[0].target, "sim:roofline gpu=h100"));
	cr_expect(eq(str, (char *)p.links[0].text, "the roofline"));
	cr_expect(eq(sz, p.links[0].line, 0));
	cr_expect(eq(str, (char *)p.links[1].target, "drill:kv cache"));
	cr_assert(eq(sz, p.n_figures, 1));
	cr_expect(eq(str, (char *)p.figures[0].setting, "roofline gpu=h100"));
	cr_expect(eq(sz, p.figures[0].line, 2));
	cr_expect(eq(int, p.figures[0].rows, 2));
	cr_expect(eq(int, p.lines[3].figure_row, 1));
	cr_assert(eq(sz, p.n_computed, 2));
	cr_expect(eq(str, (char *)p.computed[0].source, "cache layers=32"));
	cr_expect(eq(str, (char *)p.computed[0].result, "4.29 GB"));
	cr_expect(not(p.computed[0].failed));
	cr_expect(p.computed[1].failed);
	cr_expect(eq(sz, p.computed[1].line, 5));
	page_release(&p);
	/* Nobody to ask: the source stands there as code. */
	cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), 80, NULL)));
	cr_expect(eq(sz, p.n_computed + p.n_figures, 0));
	cr_expect(span_of(&p, "=cache layers=32") != NULL);
	cr_expect(span_of(&p, "sim roofline gpu=h100") != NULL);
	page_release(&p);
}

Test(page, finds_text_across_line_ends)
{
	/* 0 "Some Words that go", 1 "on over lines.", 3 "│ a quote that also",
	 * 4 "│ goes on and on", 6 "Ärger with tensor-", 7 "parallel-degrees" */
	static const char markdown[] = "Some Words that go on\nover lines.\n\n> a quote that also "
				       "goes on and on\n\nÄrger with tensor-parallel-degrees\n";
	static const struct {
		const char *text;
		long from;
		bool backwards;
		long line;
	} rows[] = {
		{ "words", -1, false, 0 },
		{ "WORDS", -1, false, 0 },
		{ "words", 0, false, -1 },
		{ "go on over", -1, false, 0 },
		{ "go  on", -1, false, -1 },
		{ "also goes", -1, false, 3 },
		{ "on", 1, false, 4 },
		{ "on", 7, true, 4 },
		{ "on", 4, true, 1 },
		{ "ärger", -1, false, 6 },
		{ "", -1, false, -1 },
		{ "lines. a", -1, false, -1 },
		{ "on and", 99, true, 4 },
		{ "tensor-parallel", -1, false, 6 },
		{ "some", -99, false, 0 },
	};
	struct page p;
	cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), 20, NULL)));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(long, page_find(&p, rows[i].text, rows[i].from, rows[i].backwards),
				  rows[i].line),
			"row %zu", i);
	page_release(&p);
}

/* The canvas's row as its attributes: '!' accent (and reversed), '*' only reversed, '.' otherwise. */
static void marks(const struct canvas *cv, int row, char out[static 21])
{
	for (int i = 0; i < 20; i++) {
		const struct cell *c = &cv->cells[row * cv->cols + i];
		const bool reversed = c->attr & ATTR_REVERSE;
		out[i] = c->style == STYLE_ACCENT && reversed ? '!' : reversed ? '*' : '.';
	}
	out[20] = '\0';
}

Test(page, draws_matches_and_focus)
{
	static const char markdown[] = "Some words that go on over lines, [here](x).";
	struct page p;
	struct canvas cv;
	char row[21];
	cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), 20, NULL)));
	cr_assert(eq(int, 0, canvas_init(&cv, 2, 20, GLYPHS_LINES)));
	page_draw(&cv, (struct rect){ 0, 0, 2, 20 }, &p, 0, "go ON over", 0, -1);
	marks(&cv, 0, row); /* "Some words that go" */
	cr_expect(eq(str, row, "................**.."));
	marks(&cv, 1, row); /* "on over lines, here." */
	cr_expect(eq(str, row, "*******........!!!!."));
	page_draw(&cv, (struct rect){ 0, 4, 1, 6 }, &p, 1, NULL, -1, -1);
	cr_expect(eq(int, (int)cv.cells[4].code, 'o'));
	cr_expect(eq(int, (int)cv.cells[10].code, ' '), "drawn beyond its rectangle");
	canvas_release(&cv);
	page_release(&p);
}

Test(page, fits_in_ascii_too)
{
	static const char markdown[] =
		"→→→→→ a ∞ b × c ≥ d … e\n\n- × → →\n\n| → | ∞∞∞∞ |\n|--|--|\n"
		"| a → b → c → d → e | x |\n\n> │ ─\n";
	const struct page_env env = { .ascii = true };
	struct page p;
	struct canvas cv;
	cr_assert(eq(int, 0, page_layout(&p, markdown, strlen(markdown), 20, &env)));
	cr_assert(eq(int, 0, canvas_init(&cv, (int)p.n_lines, 60, GLYPHS_ASCII)));
	page_draw(&cv, (struct rect){ 0, 0, cv.rows, 60 }, &p, 0, NULL, -1, -1);
	for (int i = 0; i < cv.rows * cv.cols; i++) {
		cr_expect(lt(int, (int)cv.cells[i].code, 0x80));
		cr_expect(i % 60 < 20 || cv.cells[i].code == ' ', "row %d too wide", i / 60);
	}
	canvas_release(&cv);
	page_release(&p);
}

Test(page, lets_no_control_character_through)
{
	static const char markdown[] = "a\x1b[31mb \x9b\302\233c `\x07` "
				       "[x](y\x01z)\n\n```\n\x1b]0;x\x07\n```\n";
	char *text = shown(markdown, 40);
	for (const char *p = text; *p; p++) {
		bool c0 = (unsigned char)*p < 0x20 && *p != '\n';
		bool c1 = (unsigned char)p[0] == 0xc2 && (unsigned char)p[1] < 0xa0;
		cr_expect(not(c0 || c1), "byte %d", (int)(p - text));
	}
	free(text);
	char nul[] = "before\0after\n";
	struct page p;
	cr_assert(eq(int, 0, page_layout(&p, nul, sizeof nul - 1, 40, NULL)));
	cr_expect(span_of(&p, "before\ufffdafter") != NULL);
	page_release(&p);
}

/* A million bytes of what makes careless parsers slow. */
Test(page, takes_hostile_text_in_its_stride, .description = "long", .timeout = 120)
{
	static const char *const units[] = { "[", "![", "![[]()", "> ", "- ", "1. ", "*a ",
		"**a *b ", "`a``b ", "<!-- ", "a <!--", "a<b ", "&", "|", "|-", "a|b\n", "|a\n-|\n",
		"# a\n", "\n", "```\n", "\t", "\\", "[a][", "[a]: b\n", "- a\n\n", "> a\n", "=\n",
		"\r", "a", "\xcc\x81", "\xe4\xb8\x80", "\xff" };
	const size_t size = 1 << 20;
	char *text = malloc(size);
	cr_assert(text != NULL);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		struct page p;
		for (size_t j = 0; j < size; j++)
			text[j] = units[i][j % strlen(units[i])];
		cr_assert(eq(int, 0, page_layout(&p, text, size, 20, &engine)));
		for (size_t j = 0; j < p.n_lines; j++)
			if (line_columns(&p.lines[j]) > 20)
				cr_fail("unit %zu: line %zu is too wide", i, j);
		page_release(&p);
	}
	free(text);
}

Test(page, names_of_computed_spans)
{
	static const struct {
		const char *markdown, *source;
	} rows[] = {
		{ "<!-- let run = cache a=1 -->\n\n`={run} b=2`", "cache a=1 b=2" },
		{ "<!-- let run = cache\n  a=1\n-->\n\n`={run}`", "cache   a=1" },
		{ "`={run}`\n\n<!-- let run = cache -->", "cache" },
		{ "<!-- let a = x=1 -->\n<!-- let b = cache {a} -->\n\n`={b}`", "cache x=1" },
		{ "<!-- let a = cache -->\n<!-- let a = cache 2 -->\n\n`={a}`", "cache 2" },
		{ "<!-- let a = 1 -->\n\n`=cache [{a}] {b} {a`", "cache [1] {b} {a" },
		{ "<!-- let = 1 -->\n<!-- let a 1 -->\n\n`=cache {a}`", "cache {a}" },
		{ "a <!-- let a = 1 --> b\n\n`=cache {a}`", "cache {a}" },
		{ "<!-- let a = 1 -->\n\n{a} and `{a}` and `=cache {a}`", "cache 1" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct page p;
		cr_assert(eq(int, 0,
			page_layout(&p, rows[i].markdown, strlen(rows[i].markdown), 80, &engine)));
		cr_assert(eq(sz, p.n_computed, 1), "%s", rows[i].markdown);
		cr_expect(eq(str, (char *)p.computed[0].source, (char *)rows[i].source));
		page_release(&p);
	}
}
