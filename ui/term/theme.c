#include "ui/term/theme.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* Not in any palette: the terminal's own foreground. */
enum { OWN = -1 };
enum { UNDERLINED = 1, STRONG = 2, FAINT = 4 };

/* Each pair is { on dark, on light }. In c8, 8 + n is colour n in bold, which terminals with no
 * more than eight colours show bright. */
struct look {
	int rgb[N_BACKGROUNDS];
	int c256[N_BACKGROUNDS];
	int c16[N_BACKGROUNDS];
	int c8[N_BACKGROUNDS];
	unsigned always, few; /* attributes at every depth, and below 256 colours */
};

/* clang-format off */
#define MEANING(name, rgb_dark, rgb_light, c256_dark, c256_light, c16_dark, c16_light, c8_dark, c8_light) \
	[STYLE_SERIES + MEANS_##name] = { { rgb_dark, rgb_light }, { c256_dark, c256_light }, \
		{ c16_dark, c16_light }, { c8_dark, c8_light }, 0, 0 },
static const struct look looks[N_STYLES] = {
	[STYLE_PLAIN] = { { OWN, OWN }, { OWN, OWN }, { OWN, OWN }, { OWN, OWN }, 0, 0 },
	[STYLE_DIM] = { { 0x9e9e9e, 0x6a6a6a }, { 247, 242 }, { OWN, OWN }, { OWN, OWN }, 0,
		FAINT },
	[STYLE_GOOD] = { { 0x3fd0a4, 0x00705a }, { 43, 23 }, { 10, OWN }, { 2, OWN }, 0, 0 },
	[STYLE_WARN] = { { 0xf5c451, 0x8a6200 }, { 221, 94 }, { 11, 5 }, { 3, 5 }, 0, 0 },
	[STYLE_BAD] = { { 0xff6a6a, 0x9e0a2a }, { 203, 124 }, { 9, 1 }, { 9, 1 }, 0, STRONG },
	[STYLE_ACCENT] = { { 0xb9a6ff, 0x5b3fc4 }, { 147, 56 }, { 14, 4 }, { 6, 4 }, 0, STRONG },
	/* sky, orange, green, peach, yellow, petrol, sage, mint; on light their deep sisters. None is a violet, which
	 * is the accent, nor a red, which is alarm. */
	[STYLE_SERIES + 0] = { { 0x45c8f5, 0x1a6af0 }, {  45,  27 }, {  14,   4 }, {   6,   4 }, 0, 0 },
	[STYLE_SERIES + 1] = { { 0xffb030, 0x8b6f00 }, { 214,  94 }, {   3,   1 }, {   3,   1 }, 0, 0 },
	[STYLE_SERIES + 2] = { { 0x10a85c, 0x08607a }, {  35,  24 }, {  10,  12 }, {   2,   5 }, 0, 0 },
	[STYLE_SERIES + 3] = { { 0xf0c7b1, 0x25826e }, { 223,  29 }, {  13,   5 }, { 8+5,   0 }, 0, 0 },
	[STYLE_SERIES + 4] = { { 0xf7ee4e, 0x682d00 }, { 227,  88 }, {  11,   0 }, { 8+3,   4 }, 0, 0 },
	[STYLE_SERIES + 5] = { { 0x2d8fa5, 0x6d5649 }, {  31,  59 }, {   6,   4 }, { 8+2,   1 }, 0, 0 },
	[STYLE_SERIES + 6] = { { 0x8bbb78, 0x2e3c4a }, {  73, 237 }, {  12,   2 }, { 8+4,   2 }, 0, 0 },
	[STYLE_SERIES + 7] = { { 0xc4f7e6, 0x141a2e }, { 159, 234 }, {  15,   5 }, {   7,   0 }, 0, 0 },
	/* What parts mean. Blue, orange, teal, plum and olive differ in lightness too, for eyes that
	 * do not tell their hues apart; what is not work is grey. */
	MEANING(COMPUTE,     0x3d94f5, 0x1460c8,    33,  26,     12,   4,     4+8,   4)
	MEANING(TRAFFIC,     0xf09a35, 0xb06000,   208, 130,      3,   3,       3,   3)
	MEANING(NETWORK,     0x6fe3c4, 0x00595a,   122,  23,     14,   6,       6,   6)
	MEANING(SECOND,      0xbc579b, 0x9c0e83,   175, 126,     13,   5,       5,   5)
	MEANING(FIXED,       0xf3e96b, 0x4f4b00,   227,  58,     11,   2,     3+8,   2)
	MEANING(WAITING,     0x8c8c8c, 0x6c6c6c,   245, 242,      8,   8,     OWN, OWN)
	MEANING(HELD,        0x767676, 0x808080,   243, 244,      8,   8,     OWN, OWN)
	MEANING(FREE,        0x606060, 0x949494,   241, 246,      8,   8,     OWN, OWN)
	MEANING(EMPTY,       0x4a4a4a, 0xbcbcbc,   239, 250,      8,   8,     OWN, OWN)
	MEANING(FOCUS,       0xb9a6ff, 0x5b3fc4,   147,  56,     14,   4,       6,   4)
	/* One hue from faint to strong. */
	MEANING(LEVEL + 0,   0x22334a, 0xd3e2f4,    18, 189,      8,   7,     OWN, OWN)
	MEANING(LEVEL + 1,   0x27466c, 0xb3cfee,    19, 153,      4,  14,       4,   6)
	MEANING(LEVEL + 2,   0x2d5a8e, 0x8fb8e4,    24, 110,      4,  14,       4,   6)
	MEANING(LEVEL + 3,   0x3872ae, 0x6b9fd8,    25,  74,     12,  12,     4+8,   6)
	MEANING(LEVEL + 4,   0x528cc6, 0x4783c6,    67,  67,     12,  12,     4+8,   4)
	MEANING(LEVEL + 5,   0x7aaadb, 0x2c67ad,    74,  25,      6,   4,       6,   4)
	MEANING(LEVEL + 6,   0xa5c9ec, 0x1c4c8a,   117,  24,     14,   4,     6+8,   4)
	MEANING(LEVEL + 7,   0xd8ebfb, 0x10335f,   195,  17,     15,   0,     7+8, OWN)
	MEANING(GREY + 0,    0x000000, 0x000000,    16,  16,      0,   0,       0,   0)
	MEANING(GREY + 1,    0x242424, 0x242424,   235, 235,      0,   0,       0,   0)
	MEANING(GREY + 2,    0x494949, 0x494949,   239, 239,      8,   8,       0,   0)
	MEANING(GREY + 3,    0x6d6d6d, 0x6d6d6d,   242, 242,      8,   8,       7,   7)
	MEANING(GREY + 4,    0x929292, 0x929292,   246, 246,      8,   8,       7,   7)
	MEANING(GREY + 5,    0xb6b6b6, 0xb6b6b6,   250, 250,      7,   7,       7,   7)
	MEANING(GREY + 6,    0xdbdbdb, 0xdbdbdb,   253, 253,      7,   7,     7+8, 7+8)
	MEANING(GREY + 7,    0xffffff, 0xffffff,   231, 231,     15,  15,     7+8, 7+8)
	[STYLE_CODE]       = { { 0xe0c9a6, 0x6b4a1e }, { 187,  58 }, { OWN, OWN }, { OWN, OWN }, 0, 0 },
	[STYLE_LINK]       = { { 0xb9a6ff, 0x5b3fc4 }, { 147,  56 }, {  14,   4 }, {   6,   4 }, UNDERLINED, 0 },
};
/* clang-format on */

/* The first sixteen of xterm, normal and bright; users' palettes differ, and are theirs to keep
 * readable. */
static const int xterm16[2][8] = {
	{ 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5 },
	{ 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff },
};

static int xterm_rgb(int index);

static int component(int rgb, int shift)
{
	return rgb >> shift & 0xff;
}

static bool is_grey(int rgb)
{
	enum { HUE = 12 }; /* by which components differ at least where one sees a hue */
	int r = component(rgb, 16), g = component(rgb, 8), b = component(rgb, 0);
	return abs(r - g) < HUE && abs(g - b) < HUE && abs(r - b) < HUE;
}

enum { LEVELS = 6, CUBE = 16, RAMP = 232, PALETTE = 256 };

static int distance(int a, int b)
{
	int far = 0;
	for (int shift = 0; shift < 24; shift += 8) {
		int d = component(a, shift) - component(b, shift);
		far += d * d;
	}
	return far;
}

/* The nearest of those from first to last, the first of equals; a hue is what a tint is for: it gets no grey. */
static int nearest_among(int rgb, int first, int last)
{
	int best = first, least = 1 << 20;
	for (int i = first; i <= last; i++) {
		int there = xterm_rgb(i), far = distance(rgb, there);
		if (far < least && (!is_grey(there) || is_grey(rgb))) {
			least = far;
			best = i;
		}
	}
	return best;
}

static int cube_component(int level)
{
	return level ? 55 + 40 * level : 0;
}

/* In the cube each component is nearest by itself. */
static int nearest_in_cube(int rgb)
{
	int at = 0;
	for (int shift = 16; shift >= 0; shift -= 8) {
		int best = 0, least = 1 << 20;
		for (int level = 0; level < LEVELS; level++) {
			int d = component(rgb, shift) - cube_component(level);
			if (d * d < least) {
				least = d * d;
				best = level;
			}
		}
		at = LEVELS * at + best;
	}
	return CUBE + at;
}

/* Of the colours that every palette of 256 has (not the first 16), the nearest. */
static int nearest_256(int rgb)
{
	int cube = nearest_in_cube(rgb), grey;
	if (!is_grey(rgb))
		return is_grey(xterm_rgb(cube)) ? nearest_among(rgb, CUBE, RAMP - 1) : cube;
	grey = nearest_among(rgb, RAMP, PALETTE - 1);
	return distance(rgb, xterm_rgb(grey)) < distance(rgb, xterm_rgb(cube)) ? grey : cube;
}

/* A colour mixed with the ground that it stands on: a third of it, so that what is drawn over the
 * tint in the colour itself stays clear. */
static int tint_of(int rgb, enum background background)
{
	int ground = background == BACKGROUND_DARK ? 0x00 : 0xff, tint = 0;
	for (int shift = 16; shift >= 0; shift -= 8)
		tint |= (component(rgb, shift) * 2 + ground * 7) / 9 << shift;
	return tint;
}

static int xterm_rgb(int index)
{
	if (index < 16)
		return xterm16[index / 8][index % 8];
	if (index >= 232)
		return (8 + 10 * (index - 232)) * 0x010101;
	int level[3] = { (index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6 }, rgb = 0;
	for (int i = 0; i < 3; i++)
		rgb = rgb << 8 | cube_component(level[i]);
	return rgb;
}

enum fills theme_fills(enum colour_depth depth)
{
	return depth >= DEPTH_256 ? FILLS_TINTED : depth >= DEPTH_16 ? FILLS_SOLID : FILLS_TEXTURED;
}

/* A cube of six levels has one dark step of each hue, and it is a full one, and few pale ones. Work of each kind
 * has one of its own hue, which is not always the nearest (maroon is the dark step of orange: the true brown is so
 * light that it would stand out before its line); series whose colour would not stand out from that have a grey on
 * dark ground. 0: the nearest. */
static int tint_256(enum style style, enum background background)
{
	enum {
		NAVY = 17,
		GREEN = 22,
		TEAL = 23,
		MAROON = 52,
		PLUM = 53,
		OLIVE = 58,
		DARK = 236,
		LIGHTER = 238
	};
	enum { PALE_BLUE = 153, LILAC = 182, PALE_CYAN = 195, PEACH = 223, CREAM = 229 };
	static const unsigned char tints[N_BACKGROUNDS][MEANS_WAITING] = {
		[BACKGROUND_DARK] = { NAVY, MAROON, GREEN, DARK, OLIVE, DARK, LIGHTER,
			DARK, [MEANS_COMPUTE] = NAVY, [MEANS_TRAFFIC] = MAROON,
			[MEANS_NETWORK] = TEAL, [MEANS_SECOND] = PLUM, [MEANS_FIXED] = OLIVE },
		[BACKGROUND_LIGHT] = { [MEANS_COMPUTE] = PALE_BLUE,
			[MEANS_TRAFFIC] = PEACH,
			[MEANS_NETWORK] = PALE_CYAN,
			[MEANS_SECOND] = LILAC,
			[MEANS_FIXED] = CREAM },
	};
	unsigned i = style - STYLE_TINT;
	return i < MEANS_WAITING ? tints[background][i] : 0;
}

static struct colour tint(enum style style, enum colour_depth depth, enum background background)
{
	const struct look *look = &looks[STYLE_SERIES + (style - STYLE_TINT)];
	int rgb = tint_of(look->rgb[background], background);
	if (depth < DEPTH_256)
		return (struct colour){ .own = true, .index = OWN };
	int index = depth == DEPTH_256 ? tint_256(style, background) : -1;
	index = index == 0 ? nearest_256(rgb) : index;
	rgb = index < 0 ? rgb : xterm_rgb(index);
	return (struct colour){ .index = index,
		.r = (unsigned char)component(rgb, 16),
		.g = (unsigned char)component(rgb, 8),
		.b = (unsigned char)component(rgb, 0) };
}

struct colour theme_colour(enum style style, enum colour_depth depth, enum background background)
{
	assert((unsigned)depth < N_DEPTHS && (unsigned)background < N_BACKGROUNDS);
	assert((unsigned)style < N_STYLES);
	if (style >= STYLE_TINT)
		return tint(style, depth, background);
	const struct look *look = &looks[style];
	unsigned attr = look->always | (depth < DEPTH_256 ? look->few : 0);
	int chosen = depth == DEPTH_RGB   ? look->rgb[background]
		     : depth == DEPTH_256 ? look->c256[background]
		     : depth == DEPTH_16  ? look->c16[background]
		     : depth == DEPTH_8   ? look->c8[background]
					  : OWN;
	int rgb = chosen == OWN ? 0 : depth == DEPTH_RGB ? chosen : xterm_rgb(chosen);
	if (depth == DEPTH_8 && chosen >= 8) {
		chosen -= 8;
		attr |= STRONG;
	}
	return (struct colour){
		.own = chosen == OWN,
		.bold = attr & STRONG,
		.faint = attr & FAINT,
		.underline = attr & UNDERLINED,
		.index = depth == DEPTH_RGB ? -1 : chosen,
		.r = (unsigned char)(rgb >> 16),
		.g = (unsigned char)(rgb >> 8),
		.b = (unsigned char)rgb,
	};
}

int theme_own_rgb(enum background background, bool ground)
{
	static const int rgb[N_BACKGROUNDS][2] = { { 0xd8dee4, 0x0b0d10 }, { 0x1f2328, 0xffffff } };
	assert((unsigned)background < N_BACKGROUNDS);
	return rgb[background][ground];
}

/* ";38;5;214" and the like: of the text, or of its ground. "": the terminal's own. */
static void write_colour(char out[24], const struct colour *c, enum colour_depth depth, bool ground)
{
	*out = '\0';
	if (c->own)
		return;
	if (depth == DEPTH_RGB)
		snprintf(out, 24, ";%d;2;%d;%d;%d", ground ? 48 : 38, c->r, c->g, c->b);
	else if (depth == DEPTH_256)
		snprintf(out, 24, ";%d;5;%d", ground ? 48 : 38, c->index);
	else
		snprintf(out, 24, ";%d", (ground ? 10 : 0) + (c->index < 8 ? 30 : 82) + c->index);
}

int theme_sgr(char *buf, size_t size, enum style style, unsigned attr, enum style under,
	enum colour_depth depth, enum background background)
{
	struct colour c = theme_colour(style, depth, background);
	struct colour below = theme_colour(under, depth, background);
	char colour[24], ground[24];
	write_colour(colour, &c, depth, false);
	write_colour(ground, &below, depth, true);
	int n = snprintf(buf, size, "\033[0%s%s%s%s%s%s%s%sm",
		attr & ATTR_BOLD || c.bold ? ";1" : "", c.faint ? ";2" : "",
		attr & ATTR_ITALIC ? ";3" : "", attr & ATTR_UNDERLINE || c.underline ? ";4" : "",
		attr & ATTR_DOTTED ? ";4:4" : "", attr & ATTR_REVERSE ? ";7" : "", colour, ground);
	if (n >= 0 && (size_t)n < size)
		return n;
	if (size)
		*buf = '\0';
	return 0;
}

int theme_colour_sgr(char *buf, size_t size, enum style style, bool ground, enum colour_depth depth,
	enum background background)
{
	struct colour c = theme_colour(style, depth, background);
	char colour[24];
	write_colour(colour, &c, depth, ground);
	return c.own ? snprintf(buf, size, "%d;", ground ? 49 : 39)
		     : snprintf(buf, size, "%s;", colour + 1);
}
