#include "ui/term/glyphs.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"

#include <stddef.h>
#include <string.h>
#include <wchar.h>

/* clang-format off */

/* Among the symbols from U+2000 to U+2E7F: those that are drawn over two columns (Unicode's Wide),
 * and those that take none (joiners, directions, combining marks). */
static const struct {
	uint16_t first, last;
	int width;
} symbol_widths[] = {
	{ 0x200b, 0x200f, 0 }, { 0x2028, 0x202e, 0 }, { 0x2060, 0x206f, 0 }, { 0x20d0, 0x20f0, 0 },
	{ 0x231a, 0x231b, 2 }, { 0x2329, 0x232a, 2 }, { 0x23e9, 0x23ec, 2 }, { 0x23f0, 0x23f0, 2 },
	{ 0x23f3, 0x23f3, 2 }, { 0x25fd, 0x25fe, 2 }, { 0x2614, 0x2615, 2 }, { 0x2648, 0x2653, 2 },
	{ 0x267f, 0x267f, 2 }, { 0x2693, 0x2693, 2 }, { 0x26a1, 0x26a1, 2 }, { 0x26aa, 0x26ab, 2 },
	{ 0x26bd, 0x26be, 2 }, { 0x26c4, 0x26c5, 2 }, { 0x26ce, 0x26ce, 2 }, { 0x26d4, 0x26d4, 2 },
	{ 0x26ea, 0x26ea, 2 }, { 0x26f2, 0x26f3, 2 }, { 0x26f5, 0x26f5, 2 }, { 0x26fa, 0x26fa, 2 },
	{ 0x26fd, 0x26fd, 2 }, { 0x2705, 0x2705, 2 }, { 0x270a, 0x270b, 2 }, { 0x2728, 0x2728, 2 },
	{ 0x274c, 0x274c, 2 }, { 0x274e, 0x274e, 2 }, { 0x2753, 0x2755, 2 }, { 0x2757, 0x2757, 2 },
	{ 0x2795, 0x2797, 2 }, { 0x27b0, 0x27b0, 2 }, { 0x27bf, 0x27bf, 2 }, { 0x2b1b, 0x2b1c, 2 },
	{ 0x2b50, 0x2b50, 2 }, { 0x2b55, 0x2b55, 2 }, { 0x2de0, 0x2dff, 0 },
};

static const struct {
	uint32_t code;
	const char *ascii;
} stand_ins[] = {
	{ 0xa0, " " }, { 0xb0, "deg " }, { 0xb1, "+-" }, { 0xb2, "^2" }, { 0xb3, "^3" }, { 0xb5, "u" },
	{ 0xb7, "." }, { 0xb9, "^1" }, { 0xd7, "x" }, { 0xe9, "e" }, { 0xf7, "/" },
	{ 0x3b1, "alpha" }, { 0x3b2, "beta" }, { 0x3bb, "lambda" }, { 0x3bc, "u" },
	{ 0x3c0, "pi" }, { 0x3c1, "rho" }, { 0x3c3, "sigma" }, { 0x3ba, "kappa" },
	{ 0x2009, " " }, { 0x2010, "-" }, { 0x2011, "-" }, { 0x2012, "-" }, { 0x2013, "-" },
	{ 0x2014, "--" }, { 0x2018, "'" }, { 0x2019, "'" }, { 0x201c, "\"" }, { 0x201d, "\"" },
	{ 0x2022, "*" }, { 0x2026, "..." }, { 0x202f, " " }, { 0x2039, "<" }, { 0x203a, ">" },
	{ 0x2070, "^0" }, { 0x207b, "^-" }, { 0x2074, "^4" }, { 0x2081, "_1" }, { 0x2082, "_2" },
	{ 0x2190, "<-" }, { 0x2191, "^" }, { 0x2192, "->" },
	{ 0x2193, "v" }, { 0x2194, "<->" }, { 0x21b3, "->" }, { 0x2202, "d" },
	{ 0x2211, "sum" }, { 0x220f, "prod" }, { 0x2212, "-" }, { 0x221a, "sqrt" },
	{ 0x221d, "~" }, { 0x221e, "inf" }, { 0x2248, "~" }, { 0x2260, "!=" }, { 0x2264, "<=" },
	{ 0x2265, ">=" }, { 0x226a, "<<" }, { 0x226b, ">>" }, { 0x22c5, "." },
	{ 0x2308, "ceil(" }, { 0x2500, "-" }, { 0x2501, "=" }, { 0x2502, "|" }, { 0x2503, "|" },
	{ 0x250c, "+" }, { 0x2510, "+" }, { 0x2514, "+" }, { 0x2518, "+" }, { 0x251c, "+" },
	{ 0x2524, "+" }, { 0x252c, "+" }, { 0x2534, "+" }, { 0x253c, "+" }, { 0x2504, "-" },
	{ 0x2506, ":" }, { 0x2508, "." }, { 0x254c, "-" }, { 0x254e, ":" }, { 0x256d, "," },
	{ 0x256e, "." }, { 0x256f, "'" }, { 0x2570, "`" }, { 0x2571, "/" }, { 0x2572, "\\" },
	{ 0x2573, "x" }, { 0x2580, "\"" }, { 0x2581, "_" }, { 0x2582, "_" }, { 0x2583, "-" },
	{ 0x2584, "_" }, { 0x2585, "-" }, { 0x2586, "=" }, { 0x2587, "=" }, { 0x2588, "#" }, { 0x258c, "#" },
	{ 0x2590, "#" }, { 0x2591, "." }, { 0x2592, ":" }, { 0x2593, "#" }, { 0x25a0, "#" },
	{ 0x25a1, "o" }, { 0x25aa, "*" }, { 0x25b2, "^" }, { 0x25b3, "^" }, { 0x25b6, ">" },
	{ 0x25b8, ">" }, { 0x25ba, ">" }, { 0x25bc, "v" }, { 0x25bd, "v" }, { 0x25be, "v" }, { 0x25c0, "<" },
	{ 0x25c6, "*" }, { 0x25c7, "o" }, { 0x25cb, "o" }, { 0x25cf, "*" }, { 0x2713, "+" },
	{ 0x2717, "x" }, { 0x2718, "x" }, { 0x23ba, "-" }, { 0x23bb, "-" }, { 0x23bc, "_" },
	{ 0x23bd, "_" }, { 0x23f8, "=" }, { 0x3a3, "Sum" }, { 0x1d40, "^T" }, { 0x2016, "||" },
};
/* clang-format on */

const char *const glyph_names[] = { "ascii", "lines", "braille", "octants", NULL };

int glyphs_named(const char *name)
{
	for (int i = 0; glyph_names[i]; i++)
		if (strcmp(glyph_names[i], name) == 0)
			return i;
	return -1;
}

static int symbol_width(uint32_t code)
{
	/* Lines, blocks and marks are most of a screen. */
	if (code >= 0x2500 && code < 0x25fd)
		return 1;
	for (size_t i = 0; i < LENGTH(symbol_widths); i++)
		if (code >= symbol_widths[i].first && code <= symbol_widths[i].last)
			return symbol_widths[i].width;
	return 1;
}

int code_width(uint32_t code)
{
	if (code < 0x300)
		return code >= 0x20 && (code < 0x7f || code >= 0xa0) ? 1 : 0;
	/* Asking wcwidth for line drawing, blocks, arrows, mathematics would make frames depend on
	 * the locale. */
	if (code >= 0x2000 && code < 0x2e80)
		return symbol_width(code);
	if ((code >= 0x1cc00 && code <= 0x1ceff) || (code >= 0x1fb00 && code <= 0x1fbff))
		return 1; /* octants and their like, which are newer than many a C library */
	int w = wcwidth((wchar_t)code);
	return w < 0 ? 1 : w;
}

int text_width(const char *text)
{
	int width = 0;
	for (uint32_t code; (code = utf8_next(&text));)
		width += code_width(code);
	return width;
}

const char *glyph_ascii(uint32_t code)
{
	for (size_t i = 0; i < LENGTH(stand_ins); i++)
		if (stand_ins[i].code == code)
			return stand_ins[i].ascii;
	return "?";
}

int glyph_cols(uint32_t code, enum glyphs glyphs)
{
	if (code >= 0x20 && code < 0x7f)
		return 1;
	if (glyphs == GLYPHS_ASCII && code >= 0x80)
		return (int)strlen(glyph_ascii(code));
	return code < 0x20 || code == 0x7f ? 1 : code_width(code); /* controls show as U+FFFD */
}

int text_cols(const char *text, enum glyphs glyphs)
{
	int cols = 0;
	for (uint32_t code; (code = utf8_next(&text));)
		cols += glyph_cols(code, glyphs);
	return cols;
}
