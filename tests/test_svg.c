/* A screen as a picture: shapes worked by hand, XML that any reader takes, and over all screens that
 * each character stands in its cell and each ground covers it. */
#include "tests/explorer.h"

#include "sims/base/rng.h"
#include "sims/registry/registry.h"
#include "ui/term/glyph_lines.h"
#include "ui/term/glyph_shapes.h"
#include "ui/commands/commands.h"
#include "ui/term/svg.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static char *picture_of(const struct canvas *cv, enum background background)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	cr_assert(zero(int, canvas_write_svg(cv, background, f)));
	fclose(f);
	return text;
}

static struct canvas canvas_of(int rows, int cols)
{
	struct canvas cv;
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert(zero(int, canvas_init(&cv, rows, cols, GLYPHS_BRAILLE)));
	return cv;
}

/* --- By hand --- */

/* Lines of text, all in one style, and what the picture of them has. A cell is 8 by 16; the baseline
 * of the first row is at 12, the middle of its lines at 8. */
static const struct {
	const char *lines, *has;
} shown[] = {
	{ "ab", "<text x=\"0\" y=\"12\" textLength=\"16\">ab</text>" },
	{ "a", "<text x=\"0\" y=\"12\">a</text>" },
	{ "\n a b", "<text x=\"8\" y=\"28\" textLength=\"24\">a b</text>" },
	{ "a  b", "<text x=\"24\" y=\"12\">b</text>" },
	{ "<&>\"", "textLength=\"32\">&#60;&#38;&#62;\"</text>" },
	{ "1 × 2", "textLength=\"40\">1 &#215; 2</text>" },
	{ "a→b", "<text x=\"12\" y=\"12\" text-anchor=\"middle\">&#8594;</text>" },
	{ "缓b", "<text x=\"8\" y=\"12\" text-anchor=\"middle\">&#32531;</text>" },
	{ "缓b", "<text x=\"16\" y=\"12\">b</text>" },
	/* blocks: one rectangle for what lies side by side */
	{ " ██", "d=\"M8 0h16v16h-16z\"" },
	{ "██\n██\n█", "d=\"M0 0h16v32h-16zM0 32h8v16h-8z\"" },
	{ "▄▄▂", "d=\"M0 8h16v8h-16zM16 12h8v4h-8z\"" },
	{ "▌\n▌", "d=\"M0 0h4v32h-4z\"" },
	{ "▏▐▕▔", "d=\"M0 0h1v16h-1zM12 0h4v16h-4zM23 0h1v16h-1zM24 0h8v2h-8z\"" },
	{ "▚", "d=\"M0 0h4v8h-4zM4 8h4v8h-4z\"" },
	{ "▙", "d=\"M0 0h4v8h-4zM0 8h8v8h-8z\"" },
	{ "\U0001cd00\U0001cde5", "d=\"M0 4h4v4h-4zM12 0h4v4h-4zM8 4h8v12h-8z\"" },
	/* braille: the left column, then the right one of the next cell */
	{ "⡇⢸", "d=\"M2 2h0m0 4h0m0 4h0m0 4h0m12-12h0m0 4h0m0 4h0m0 4h0\"" },
	/* lines: one stroke for a rule, corners closed, tees ending in the middle */
	{ "───", "d=\"M0 8H24\"" },
	{ "│\n│", "d=\"M4 0V32\"" },
	{ "┌┐\n└┘", "d=\"M3.5 8H12.5M3.5 24H12.5M4 7.5V24.5M12 7.5V24.5\"" },
	{ "─┬─", "d=\"M0 8H24M12 7.5V16\"" },
	{ "╴╶", "d=\"M0 8H4M12 8H16\"" },
	{ "━╸", "stroke-width=\"2\" d=\"M0 8H12\"" },
	{ "═", "d=\"M0 6.5H8M0 9.5H8\"" },
	{ "╔", "d=\"M2 6.5H8M2.5 6V16M5 9.5H8M5.5 9V16\"" },
	{ "╬", "M0 6.5H3M5 6.5H8" },
	{ "╓", "d=\"M2 8H8M2.5 7.5V16M5.5 7.5V16\"" },
	{ "╢", "d=\"M0 8H2.5M2.5 0V16M5.5 0V16\"" },
	{ "╭╮", "d=\"M8 8q-4 0-4 4v4M8 8q4 0 4 4v4\"" },
	{ "╲", "d=\"M0 0l8 16\"" },
	{ "┆\n┆", "stroke-dasharray=\"3.2 2.133\" stroke-dashoffset=\"-1.067\" d=\"M4 0V32\"" },
	{ "····", "stroke-dasharray=\"0 8\" stroke-dashoffset=\"-4\" d=\"M0 8H32\"" },
	{ "a · b", "textLength=\"40\">a &#183; b</text>" },
	{ " ●", "d=\"M8.5 8a3.5 3.5 0 1 1 7 0a3.5 3.5 0 1 1-7 0z\"" },
};

Test(svg, what_had_no_memory_to_be_drawn_is_not_written)
{
	struct canvas cv = canvas_of(3, 20), whole = canvas_of(3, 20);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	canvas_starve(&cv, (struct rect){ 1, 2, 1, 18 });
	canvas_copy(&whole, 0, 0, &cv, (struct rect){ 0, 0, 3, 20 });
	cr_assert(eq(int, canvas_write_svg(&cv, BACKGROUND_DARK, f), -1));
	cr_assert(eq(int, canvas_write_svg(&whole, BACKGROUND_DARK, f), -1));
	fflush(f);
	cr_assert(zero(sz, size));
	canvas_clear(&cv);
	cr_assert(zero(int, canvas_write_svg(&cv, BACKGROUND_DARK, f)));
	fclose(f);
	free(text);
	canvas_release(&cv);
	canvas_release(&whole);
}

Test(svg, shapes_are_as_worked_by_hand)
{
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		struct canvas cv = canvas_of(3, 8);
		char lines[64], *rest = NULL;
		int row = shown[i].lines[0] == '\n';
		snprintf(lines, sizeof lines, "%s", shown[i].lines);
		for (char *l = strtok_r(lines, "\n", &rest); l; l = strtok_r(NULL, "\n", &rest))
			canvas_text(&cv, row++, 0, -1, l, STYLE_GOOD, 0);
		char *svg = picture_of(&cv, BACKGROUND_DARK);
		cr_expect(strstr(svg, shown[i].has) != NULL, "\"%s\" has no %s:\n%s",
			shown[i].lines, shown[i].has, svg);
		free(svg);
		canvas_release(&cv);
	}
}

/* The dark green of the theme and the grounds of both palettes. */
Test(svg, colours_are_those_of_the_theme)
{
	struct canvas cv = canvas_of(1, 8);
	canvas_text(&cv, 0, 0, -1, "ab", STYLE_GOOD, ATTR_BOLD);
	canvas_text(&cv, 0, 2, -1, "cd", STYLE_GOOD, ATTR_REVERSE);
	canvas_text(&cv, 0, 4, -1, "▒", STYLE_GREY + 7, 0);
	canvas_text(&cv, 0, 5, -1, "e", STYLE_GREY + 7, ATTR_UNDERLINE);
	canvas_under(&cv, 0, 5, STYLE_GREY);
	char *dark = picture_of(&cv, BACKGROUND_DARK), *light = picture_of(&cv, BACKGROUND_LIGHT);
	cr_expect(strstr(dark, "<g fill=\"#3fd0a4\" font-weight=\"bold\">\n<text x=\"0\"") != NULL);
	cr_expect(
		strstr(light, "<g fill=\"#00705a\" font-weight=\"bold\">\n<text x=\"0\"") != NULL);
	cr_expect(strstr(dark, "<path fill=\"#3fd0a4\" d=\"M16 0h16v16h-16z\"/>") != NULL);
	cr_expect(strstr(dark, "<g fill=\"#0b0d10\">\n<text x=\"16\"") != NULL);
	/* half of white and half of the ground */
	cr_expect(strstr(dark, "<path fill=\"#858688\" d=\"M32 0h8v16h-8z\"/>") != NULL);
	cr_expect(strstr(dark, "<path fill=\"#000000\" d=\"M40 0h8v16h-8z\"/>") != NULL);
	cr_expect(strstr(dark, "<path stroke=\"#ffffff\" d=\"M40 14H48\"/>") != NULL);
	cr_expect(strstr(light, "rx=\"6\" fill=\"#ffffff\"/>") != NULL);
	free(dark);
	free(light);
	canvas_release(&cv);
}

Test(svg, the_cursor_is_a_cell_in_reverse)
{
	struct canvas cv = canvas_of(2, 4);
	cv.cursor_row = 1;
	cv.cursor_col = 2;
	char *svg = picture_of(&cv, BACKGROUND_LIGHT);
	cr_expect(strstr(svg, "<path fill=\"#1f2328\" d=\"M16 16h8v16h-8z\"/>") != NULL, "%s", svg);
	free(svg);
	canvas_release(&cv);
}

/* Every pattern of 2 by 4 has a character, and that of the pattern is its rectangles. */
Test(svg, blocks_and_octants_are_all_patterns)
{
	bool seen[256] = { false };
	int found = 0;
	for (uint32_t code = 0x2580; code < 0x1fc00; code++) {
		struct rect rects[MOST_RECTS];
		size_t n = block_rects(code, rects);
		unsigned pattern = 0;
		bool whole = n > 0;
		for (size_t i = 0; i < n; i++) {
			whole &= rects[i].row % 4 == 0 && rects[i].rows % 4 == 0 &&
				 rects[i].col % 4 == 0 && rects[i].cols % 4 == 0;
			for (int y = rects[i].row / 4; y < (rects[i].row + rects[i].rows) / 4; y++)
				for (int x = rects[i].col / 4;
					x < (rects[i].col + rects[i].cols) / 4; x++)
					pattern |= 1u << (2 * y + x);
		}
		if (!whole)
			continue; /* eighths that are no quarters */
		cr_expect(not(seen[pattern]), "U+%04X is pattern %02x again", (unsigned)code,
			pattern);
		seen[pattern] = true;
		found++;
	}
	cr_expect(eq(int, found, 255));
}

/* --- Well-formed --- */

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

/* Past one attribute: a name, and a value in quotes without a tag in it. NULL: it is none. */
static const char *past_attribute(const char *p)
{
	size_t n = 0;
	while (is_name(p[n]))
		n++;
	if (!n || p[n] != '=' || p[n + 1] != '"')
		return NULL;
	p += n + 2;
	p += strcspn(p, "\"<&");
	return *p == '"' ? p + 1 : NULL;
}

/* Past "&#60;". Only characters that XML has. */
static const char *past_entity(const char *p)
{
	char *end;
	unsigned long code = strncmp(p, "&#", 2) == 0 ? strtoul(p + 2, &end, 10) : 0;
	bool good = code >= 0x20 && (code < 0xd800 || code > 0xdfff) && code != 0xfffe &&
		    code != 0xffff && code <= 0x10ffff;
	return good && *end == ';' ? end + 1 : NULL;
}

enum { DEEPEST = 8 };
struct reader {
	char open[DEEPEST][16]; /* elements that are not closed yet */
	int deep;
	size_t roots;
};

static const char *past_tag(struct reader *r, const char *p)
{
	bool closes = p[1] == '/';
	const char *name = p + 1 + closes;
	char word[16];
	size_t n = 0;
	while (is_name(name[n]) && n < sizeof word - 1) {
		word[n] = name[n];
		n++;
	}
	word[n] = '\0';
	p = name + n;
	if (closes) {
		bool fits = r->deep > 0 && strcmp(r->open[--r->deep], word) == 0;
		return n && fits && *p == '>' ? p + 1 : NULL;
	}
	while (p && *p == ' ')
		p = past_attribute(p + 1);
	if (!n || !p || (r->deep == 0 && r->roots++ > 0))
		return NULL;
	if (strncmp(p, "/>", 2) == 0)
		return p + 2;
	if (*p != '>' || r->deep == DEEPEST)
		return NULL;
	strcpy(r->open[r->deep++], word);
	return p + 1;
}

/* NULL, or where it is no XML: elements closed in order, one around all, attributes in quotes,
 * entities of characters, nothing but ASCII. */
static const char *flaw_of(const char *svg)
{
	struct reader r = { .deep = 0 };
	for (const char *p = svg; *p;) {
		const char *next =
			*p == '<'   ? past_tag(&r, p)
			: *p == '&' ? past_entity(p)
			: *p == '\n' || (r.deep > 0 && *p >= ' ' && *p < 0x7f && *p != '>') ? p + 1
											    : NULL;
		if (!next)
			return p;
		p = next;
	}
	return r.deep == 0 && r.roots == 1 ? NULL : "its end";
}

Test(svg, the_reader_knows_flaws)
{
	static const char *const flawed[] = { "", "a", "<svg>", "</svg>", "<a></b>", "<a b></a>",
		"<a b=c></a>", "<a b=\"<\"></a>", "<a>&</a>", "<a>&amp</a>", "<a>&#0;</a>",
		"<a>&#55296;</a>", "<a>\033</a>", "<a></a><b></b>", "<a>\303\244</a>",
		"<a b=\"c\"d=\"e\"></a>" };
	for (size_t i = 0; i < sizeof flawed / sizeof *flawed; i++)
		cr_expect(flaw_of(flawed[i]) != NULL, "%s", flawed[i]);
	cr_expect(flaw_of("<a b=\"c\" d=\"e\">x<b/><c>&#65;</c>\n</a>\n") == NULL);
}

/* Every code point, two styles a picture so that every style has its turn, all attributes. */
Test(svg, is_well_formed_for_every_character, .description = "long")
{
	enum { ROWS = 64, COLS = 256, PER_PICTURE = ROWS * COLS };
	struct canvas cv = canvas_of(ROWS, COLS);
	for (uint32_t k = 0; k * PER_PICTURE < 0x114000; k++) {
		for (uint32_t i = 0; i < PER_PICTURE; i++)
			cv.cells[i] = (struct cell){ k * PER_PICTURE + i,
				(uint8_t)((2 * k + i % 2) % N_STYLES), (uint8_t)(i / 7 % 32),
				(uint8_t)((k + i / 5 % 3) % N_STYLES) };
		char *svg = picture_of(&cv, k % 2);
		const char *flaw = flaw_of(svg);
		cr_expect(flaw == NULL, "picture %u: %.60s", (unsigned)k, flaw);
		free(svg);
	}
	canvas_release(&cv);
}

Test(svg, of_nothing_is_a_picture)
{
	struct canvas cv = { .cursor_row = -1 };
	char *svg = picture_of(&cv, BACKGROUND_DARK);
	cr_expect(flaw_of(svg) == NULL);
	cr_expect(strstr(svg, "width=\"16\" height=\"16\"") != NULL);
	free(svg);
}

/* --- All screens --- */

/* The text of a picture, put back into cells: 0 where there is none. */
struct texts {
	int rows, cols;
	uint32_t *codes;
};

static void expect_in_columns(
	struct texts *t, int x, int y, int length, bool middle, const char *p, const char *what)
{
	int n = 0, row = (y - 12) / GLYPH_HEIGHT, col = x / GLYPH_WIDTH;
	cr_expect(zero(int, (y - 12) % GLYPH_HEIGHT), "%s: y %d", what, y);
	cr_expect(middle || x % GLYPH_WIDTH == 0, "%s: x %d", what, x);
	if (middle && x % GLYPH_WIDTH == 0)
		col--; /* of two columns */
	for (; *p != '<'; n++) {
		uint32_t code = (unsigned char)*p;
		if (code == '&') {
			code = (uint32_t)strtoul(p + 2, NULL, 10);
			p = strchr(p, ';');
		}
		p++;
		cr_assert(
			row >= 0 && row < t->rows && col + n >= 0 && col + n < t->cols, "%s", what);
		t->codes[row * t->cols + col + n] = code;
	}
	cr_expect(n == 1 || length == n * GLYPH_WIDTH, "%s: %d columns for %d signs", what, length,
		n);
}

static struct texts texts_of(const char *svg, const struct canvas *cv, const char *what)
{
	struct texts t = { cv->rows, cv->cols, NULL };
	t.codes = calloc((size_t)cv->rows * (size_t)cv->cols, sizeof *t.codes);
	cr_assert(t.codes != NULL);
	for (const char *p = svg; (p = strstr(p, "<text x=\"")); p++) {
		int x = 0, y = 0, length = 0;
		cr_assert(ge(int,
			sscanf(p, "<text x=\"%d\" y=\"%d\" textLength=\"%d\"", &x, &y, &length),
			2));
		const char *end = strchr(p, '>'), *middle = strstr(p, "\"middle\"");
		expect_in_columns(&t, x, y, length, middle && middle < end, end + 1, what);
	}
	return t;
}

static bool is_picture(uint32_t code)
{
	struct rect rects[MOST_RECTS];
	return (code >= 0x2500 && code < 0x2580) || block_rects(code, rects) ||
	       shade_share(code) > 0 || braille_dots(code) || mark_shape(code);
}

/* Whatever is no shape is text, in its cell. A middle dot may be either. */
static void expect_all_text(const struct canvas *cv, const char *svg, const char *what)
{
	struct texts t = texts_of(svg, cv, what);
	for (int i = 0; i < cv->rows * cv->cols; i++) {
		uint32_t code = cv->cells[i].code, got = t.codes[i];
		bool none = code == 0 || code == ' ' || code == 0xa0 || is_picture(code);
		bool fits =
			none ? got == 0 || got == ' ' : got == code || (got == 0 && code == 0xb7);
		if (!fits) /* an assertion each would take longer than all the rest */
			cr_fail("%s: cell %d has U+%04X for U+%04X", what, i, (unsigned)got,
				(unsigned)code);
	}
	free(t.codes);
}

static int rgb_of(struct colour c, int own)
{
	return c.own ? own : c.r << 16 | c.g << 8 | c.b;
}

/* The colour of the middle of each cell that is covered as a whole, from the rectangles. */
static void paint_rects(int *rgbs, const struct canvas *cv, const char *svg, const char *what)
{
	const char *end = strstr(svg, "</g>");
	for (const char *p = svg; (p = strstr(p, "<path fill=\"#")) && p < end; p++) {
		int rgb = (int)strtol(p + 13, NULL, 16), x, y, w, h, used;
		for (const char *d = strstr(p, "d=\"") + 3;
			sscanf(d, "M%d %dh%dv%dh-%*dz%n", &x, &y, &w, &h, &used) == 4; d += used) {
			cr_assert(x >= 0 && y >= 0 && x + w <= cv->cols * GLYPH_WIDTH &&
					  y + h <= cv->rows * GLYPH_HEIGHT,
				"%s: outside", what);
			if (x % GLYPH_WIDTH || y % GLYPH_HEIGHT || w % GLYPH_WIDTH ||
				h % GLYPH_HEIGHT)
				continue;
			for (int i = y / GLYPH_HEIGHT; i < (y + h) / GLYPH_HEIGHT; i++)
				for (int j = x / GLYPH_WIDTH; j < (x + w) / GLYPH_WIDTH; j++) {
					if (rgbs[i * cv->cols + j] >= 0)
						cr_fail("%s: row %d column %d twice", what, i, j);
					rgbs[i * cv->cols + j] = rgb;
				}
		}
	}
}

/* A ground is that of the style under the cell; a full block is one in its own colour. */
static void expect_all_grounds(
	const struct canvas *cv, enum background on, const char *svg, const char *what)
{
	enum { FULL_BLOCK = 0x2588 };
	size_t n = (size_t)cv->rows * (size_t)cv->cols;
	int *rgbs = malloc(n * sizeof *rgbs), page = theme_own_rgb(on, true);
	cr_assert(rgbs != NULL);
	for (size_t i = 0; i < n; i++)
		rgbs[i] = -1;
	paint_rects(rgbs, cv, svg, what);
	for (size_t i = 0; i < n; i++) {
		const struct cell *c = &cv->cells[i];
		int ink = rgb_of(theme_colour(c->style, DEPTH_RGB, on), theme_own_rgb(on, false)),
		    ground = rgb_of(theme_colour(c->under, DEPTH_RGB, on), page);
		bool reversed = c->attr & ATTR_REVERSE, full = c->code == FULL_BLOCK;
		bool cursor = (int)i == cv->cursor_row * cv->cols + cv->cursor_col;
		if (cursor || (shade_share(c->code) > 0 && !full))
			continue;
		int want = reversed != full ? ink : ground, got = rgbs[i] < 0 ? page : rgbs[i];
		if (got != want)
			cr_fail("%s: cell %zu is #%06x, not #%06x", what, i, got, want);
	}
	free(rgbs);
}

static void expect_whole(const struct explorer *e, const char *what)
{
	struct canvas cv = canvas_of(e->app->rows, e->app->cols);
	cv.fills = theme_fills(DEPTH_RGB);
	app_draw(e->app, &cv);
	for (int on = 0; on < N_BACKGROUNDS; on++) {
		char *svg = picture_of(&cv, on);
		const char *flaw = flaw_of(svg);
		cr_expect(flaw == NULL, "%s: %.60s", what, flaw);
		expect_all_text(&cv, svg, what);
		expect_all_grounds(&cv, on, svg, what);
		free(svg);
	}
	canvas_release(&cv);
}

Test(svg, every_simulation_is_whole, .description = "long")
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 24, 80 }, { 32, 100 }, { 60, 200 } };
	for (size_t i = 0; i < n_sims; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			struct explorer e =
				explorer_start(sizes[k].rows, sizes[k].cols, GLYPHS_BRAILLE);
			cr_assert(explorer_open(&e, sims[i]->id));
			expect_whole(&e, sims[i]->id);
			explorer_press(&e, "c l l");
			expect_whole(&e, sims[i]->id);
			explorer_end(&e);
		}
}

Test(svg, every_other_screen_is_whole)
{
	static const struct {
		const char *target, *keys;
	} screens_of[] = { { "", "" }, { "", "?" }, { "", ":" }, { "", ": r o o" }, { "gpu", "" },
		{ "gpu", "Tab Tab Tab = PgDn" }, { "gpu", "/ r o o f Enter" }, { "formulas", "" },
		{ "drill", "" }, { "drill", "1 Enter" }, { "drill topic=coding", "Enter" },
		{ "stats", "" }, { "interviewer", "Space n" }, { "roofline", "s" },
		{ "memory", "Space . . ." } };
	for (size_t i = 0; i < sizeof screens_of / sizeof *screens_of; i++) {
		struct explorer e = explorer_start(48, 160, GLYPHS_BRAILLE);
		bool opened = !*screens_of[i].target || explorer_open(&e, screens_of[i].target);
		cr_assert(opened, "%s", screens_of[i].target);
		explorer_press(&e, screens_of[i].keys);
		expect_whole(&e, screens_of[i].target);
		explorer_end(&e);
	}
}

/* --- ridge sim NAME --svg --- */

static char *simulated(char *words[], int n)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct streams io = { stdin, out, out };
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, command_run(n, words, &io)));
	fclose(out);
	return text;
}

/* A picture with a title and the sentence as its description, the same in every locale and without one,
 * as wide as asked for. */
Test(svg, of_a_simulation_alone)
{
	char *words[] = { "sim", "roofline", "--svg", "--size", "100x30" };
	setlocale(LC_CTYPE, "C.UTF-8");
	char *text = simulated(words, 5);
	const char *flaw = flaw_of(text);
	cr_expect(flaw == NULL, "%.60s", flaw);
	cr_expect(strstr(text, "<title>Roofline</title>") != NULL);
	cr_expect(strstr(text, "<desc>6 of 10 operations wait for memory") != NULL);
	char width[40];
	snprintf(width, sizeof width, " width=\"%d\"", svg_width(100));
	cr_expect(strstr(text, width) != NULL, "%s", width);
	setlocale(LC_CTYPE, "C");
	char *again = simulated(words, 5);
	cr_expect(eq(str, text, again));
	free(again);
	char *light_words[] = { "sim", "roofline", "--svg", "--size", "100x30", "--background",
		"light" };
	char *light = simulated(light_words, 7);
	cr_expect(ne(str, text, light));
	free(light);
	free(text);
}
