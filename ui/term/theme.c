#include "ui/term/theme.h"

#include <assert.h>
#include <stdio.h>

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

static const struct look looks[N_STYLES] = {
	[STYLE_PLAIN] = { { OWN, OWN }, { OWN, OWN }, { OWN, OWN }, { OWN, OWN }, 0, 0 },
	[STYLE_DIM] = { { 0x9e9e9e, 0x6a6a6a }, { 247, 242 }, { OWN, OWN }, { OWN, OWN }, 0,
		FAINT },
	[STYLE_GOOD] = { { 0x3fd0a4, 0x00705a }, { 43, 23 }, { 10, OWN }, { 2, OWN }, 0, 0 },
	[STYLE_WARN] = { { 0xf5c451, 0x8a6200 }, { 221, 94 }, { 11, 5 }, { 3, 5 }, 0, 0 },
	[STYLE_BAD] = { { 0xff6a6a, 0x9e0a2a }, { 203, 124 }, { 9, 1 }, { 9, 1 }, 0, STRONG },
	[STYLE_ACCENT] = { { 0xb9a6ff, 0x5b3fc4 }, { 147, 56 }, { 14, 4 }, { 6, 4 }, 0, STRONG },
	/* sky, orange, green, pink, yellow, violet, vermilion, mint; on light their deep sisters */
	[STYLE_SERIES + 0] = { { 0x45c8f5, 0x1a6af0 }, { 45, 27 }, { 14, 4 }, { 6, 4 }, 0, 0 },
	[STYLE_SERIES + 1] = { { 0xffb030, 0x8b6f00 }, { 214, 94 }, { 3, 1 }, { 3, 1 }, 0, 0 },
	[STYLE_SERIES + 2] = { { 0x10a85c, 0x08607a }, { 35, 24 }, { 10, 12 }, { 2, 5 }, 0, 0 },
	[STYLE_SERIES + 3] = { { 0xcc90bc, 0xce10b4 }, { 175, 163 }, { 13, 5 }, { 13, 0 }, 0, 0 },
	[STYLE_SERIES + 4] = { { 0xf7ee4e, 0x682d00 }, { 227, 88 }, { 11, 0 }, { 11, 4 }, 0, 0 },
	[STYLE_SERIES + 5] = { { 0x9068f6, 0x42108a }, { 99, 54 }, { 6, 4 }, { 10, 1 }, 0, 0 },
	[STYLE_SERIES + 6] = { { 0xf8631c, 0xaa124e }, { 202, 125 }, { 9, 1 }, { 9, 5 }, 0, 0 },
	[STYLE_SERIES + 7] = { { 0xc4f7e6, 0x141a2e }, { 159, 234 }, { 15, 5 }, { 7, 0 }, 0, 0 },
	[STYLE_CODE] = { { 0xe0c9a6, 0x6b4a1e }, { 187, 58 }, { OWN, OWN }, { OWN, OWN }, 0, 0 },
	[STYLE_LINK] = { { 0xb9a6ff, 0x5b3fc4 }, { 147, 56 }, { 14, 4 }, { 6, 4 }, UNDERLINED, 0 },
};
/* The first sixteen of xterm, normal and bright; users' palettes differ, and are theirs to keep
 * readable. */
static const int xterm16[2][8] = {
	{ 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5 },
	{ 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff },
};

static int xterm_rgb(int index)
{
	if (index < 16)
		return xterm16[index / 8][index % 8];
	if (index >= 232)
		return (8 + 10 * (index - 232)) * 0x010101;
	int level[3] = { (index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6 }, rgb = 0;
	for (int i = 0; i < 3; i++)
		rgb = rgb << 8 | (level[i] ? 55 + 40 * level[i] : 0);
	return rgb;
}

struct colour theme_colour(enum style style, enum colour_depth depth, enum background background)
{
	assert((unsigned)depth < N_DEPTHS && (unsigned)background < N_BACKGROUNDS);
	const struct look *look = &looks[style < N_STYLES ? style : STYLE_PLAIN];
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

int theme_sgr(char *buf, size_t size, enum style style, unsigned attr, enum colour_depth depth,
	enum background background)
{
	struct colour c = theme_colour(style, depth, background);
	char colour[24] = "";
	if (!c.own && depth == DEPTH_RGB)
		snprintf(colour, sizeof colour, ";38;2;%d;%d;%d", c.r, c.g, c.b);
	else if (!c.own && depth == DEPTH_256)
		snprintf(colour, sizeof colour, ";38;5;%d", c.index);
	else if (!c.own)
		snprintf(colour, sizeof colour, ";%d", c.index < 8 ? 30 + c.index : 82 + c.index);
	int n = snprintf(buf, size, "\033[0%s%s%s%s%s%s%sm", attr & ATTR_BOLD || c.bold ? ";1" : "",
		c.faint ? ";2" : "", attr & ATTR_ITALIC ? ";3" : "",
		attr & ATTR_UNDERLINE || c.underline ? ";4" : "", attr & ATTR_DOTTED ? ";4:4" : "",
		attr & ATTR_REVERSE ? ";7" : "", colour);
	if (n >= 0 && (size_t)n < size)
		return n;
	if (size)
		*buf = '\0';
	return 0;
}
