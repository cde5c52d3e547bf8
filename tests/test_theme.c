/* Colours: their contrast, how they look to the colour-blind, and the bytes that set them. */
#include "ui/term/ansi.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct light {
	double r, g, b;
};

/* WCAG 2.1: sRGB to linear light. */
static double linear(unsigned char c)
{
	double v = c / 255.0;
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static struct light light_of(struct colour c)
{
	return (struct light){ linear(c.r), linear(c.g), linear(c.b) };
}

static double luminance(struct light l)
{
	return 0.2126 * l.r + 0.7152 * l.g + 0.0722 * l.b;
}

static double ratio(double a, double b)
{
	return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

static double contrast(struct colour c, enum background on)
{
	return ratio(luminance(light_of(c)), on == BACKGROUND_DARK ? 0 : 1);
}

Test(theme, contrast_of_known_colours)
{
	static const struct {
		unsigned char r, g, b;
		enum background on;
		double ratio;
	} rows[] = {
		{ 255, 255, 255, BACKGROUND_DARK, 21 }, { 0, 0, 0, BACKGROUND_LIGHT, 21 },
		{ 0x76, 0x76, 0x76, BACKGROUND_LIGHT, 4.54 }, /* WCAG's own example of enough */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct colour c = { .r = rows[i].r, .g = rows[i].g, .b = rows[i].b };
		cr_expect(epsilon_eq(dbl, contrast(c, rows[i].on), rows[i].ratio, 0.005), "row %zu",
			i);
	}
}

enum { MEANINGS = STYLE_SERIES + MEANS_COMPUTE };

/* What is drawn in a style must be so many times lighter or darker than the ground: text, lines and
 * names 4.5 times, parts of pictures 3 times; what is empty, tints, levels and greys recede. */
static double least_contrast(int style)
{
	bool part = style >= MEANINGS + MEANS_WAITING - MEANS_COMPUTE &&
		    style < STYLE_SERIES + MEANS_EMPTY;
	bool recedes = style == STYLE_SERIES + MEANS_EMPTY || style >= STYLE_TINT ||
		       (style >= STYLE_LEVEL && style < STYLE_CODE);
	return recedes ? 1 : part ? 3 : 4.5;
}

/* The palette of 16 is the user's; parts of pictures in it only need to be seen. */
Test(theme, every_colour_is_readable)
{
	int coloured = 0;
	for (int depth = 0; depth < N_DEPTHS; depth++)
		for (int on = 0; on < N_BACKGROUNDS; on++)
			for (int style = 0; style < N_STYLES; style++) {
				struct colour c = theme_colour(style, depth, on);
				if (c.own)
					continue;
				coloured++;
				if (style >= STYLE_SERIES && style < STYLE_CODE &&
					depth < DEPTH_256)
					continue;
				cr_expect(ge(dbl, contrast(c, on), least_contrast(style)),
					"style %d depth %d on %d", style, depth, on);
			}
	/* 24 bit and 256: all styles but plain, on both backgrounds */
	cr_expect(ge(int, coloured, 2 * 2 * (N_STYLES - 1)));
	for (int depth = 0; depth < N_DEPTHS; depth++)
		cr_expect(theme_colour(STYLE_PLAIN, depth, BACKGROUND_DARK).own);
}

/* Pictures have a ground of their own, which stands for the terminal's. */
Test(theme, every_colour_is_readable_in_pictures)
{
	for (int on = 0; on < N_BACKGROUNDS; on++) {
		int rgb = theme_own_rgb(on, true), text = theme_own_rgb(on, false);
		double ground = luminance((struct light){ linear((unsigned char)(rgb >> 16)),
			linear((unsigned char)(rgb >> 8)), linear((unsigned char)rgb) });
		double own = luminance((struct light){ linear((unsigned char)(text >> 16)),
			linear((unsigned char)(text >> 8)), linear((unsigned char)text) });
		cr_expect(ge(dbl, ratio(own, ground), 7), "on %d", on);
		for (int style = 0; style < N_STYLES; style++) {
			struct colour c = theme_colour(style, DEPTH_RGB, on);
			if (!c.own)
				cr_expect(ge(dbl, ratio(luminance(light_of(c)), ground),
						  least_contrast(style)),
					"style %d on %d", style, on);
		}
	}
}

/* Machado, Oliveira, Fernandes 2009, severity 1.0, in linear light: protanopia, deuteranopia. */
static const double blindness[3][3][3] = {
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	{ { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
		{ -0.003882, -0.048116, 1.051998 } },
	{ { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
		{ -0.011820, 0.042940, 0.968881 } },
};

static struct light seen(struct light l, const double m[3][3])
{
	double out[3];
	for (int i = 0; i < 3; i++)
		out[i] = fmax(0, m[i][0] * l.r + m[i][1] * l.g + m[i][2] * l.b);
	return (struct light){ out[0], out[1], out[2] };
}

/* Ottosson's OKLab: distance 0.02 is about what one can just tell apart. */
static struct light oklab(struct light c)
{
	double l = cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
	double m = cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
	double s = cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
	return (struct light){ 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
		1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
		0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s };
}

static double distance(struct colour a, struct colour b, const double m[3][3])
{
	struct light p = oklab(seen(light_of(a), m)), q = oklab(seen(light_of(b), m));
	return sqrt(pow(p.r - q.r, 2) + pow(p.g - q.g, 2) + pow(p.b - q.b, 2));
}

Test(theme, series_stay_apart_for_the_colour_blind)
{
	for (int depth = DEPTH_256; depth <= DEPTH_RGB; depth++)
		for (int on = 0; on < N_BACKGROUNDS; on++)
			for (int i = 0; i < 8; i++)
				for (int k = 0; k < i; k++)
					for (int eye = 0; eye < 3; eye++) {
						struct colour a =
							theme_colour(STYLE_SERIES + i, depth, on);
						struct colour b =
							theme_colour(STYLE_SERIES + k, depth, on);
						cr_expect(lt(dbl, 0.07,
								  distance(a, b, blindness[eye])),
							"%d and %d, depth %d, on %d, eye %d", i, k,
							depth, on, eye);
					}
}

/* Work of five kinds and what is none: names stand beside them, so a smaller distance will do. */
Test(theme, meanings_stay_apart_for_the_colour_blind)
{
	for (int depth = DEPTH_256; depth <= DEPTH_RGB; depth++)
		for (int on = 0; on < N_BACKGROUNDS; on++)
			for (int i = MEANS_COMPUTE; i <= MEANS_WAITING; i++)
				for (int k = MEANS_COMPUTE; k < i; k++)
					for (int eye = 0; eye < 3; eye++)
						cr_expect(lt(dbl, 0.045,
								  distance(theme_colour(
										   STYLE_SERIES + i,
										   depth, on),
									  theme_colour(
										  STYLE_SERIES + k,
										  depth, on),
									  blindness[eye])),
							"%d and %d, depth %d, on %d, eye %d", i, k,
							depth, on, eye);
}

/* Waiting, held and free may stand beside each other in one bar, where only their grey tells them apart. */
Test(theme, greys_stay_apart)
{
	for (int depth = DEPTH_256; depth <= DEPTH_RGB; depth++)
		for (int on = 0; on < N_BACKGROUNDS; on++)
			for (int i = 0; i < 3; i++) {
				int one = MEANS_WAITING + i, other = MEANS_WAITING + (i + 1) % 3;
				struct colour a = theme_colour(STYLE_SERIES + one, depth, on);
				struct colour b = theme_colour(STYLE_SERIES + other, depth, on);
				cr_expect(lt(dbl, 0.065, distance(a, b, blindness[0])),
					"%d and %d, depth %d, on %d", one, other, depth, on);
			}
}

static double hue_of(struct colour c)
{
	struct light lab = oklab(light_of(c));
	return atan2(lab.b, lab.g) * 45 / atan(1);
}

/* How far apart two hues are, in degrees; what is nearly grey has none. */
static double hues_apart(struct colour a, struct colour b)
{
	struct light p = oklab(light_of(a)), q = oklab(light_of(b));
	double apart = fabs(hue_of(a) - hue_of(b));
	return fmin(hypot(p.g, p.b), hypot(q.g, q.b)) < 0.04 ? 180 : fmin(apart, 360 - apart);
}

/* The accent says where one is, and red what is wrong: no part has a hue that could be taken for them, or it is far
 * lighter or darker. */
static void expect_another_hue(int part, enum style other, double degrees, enum background on)
{
	struct colour a = theme_colour((enum style)part, DEPTH_RGB, on);
	struct colour b = theme_colour(other, DEPTH_RGB, on);
	double apart = distance(a, b, blindness[0]);
	cr_expect(ge(dbl, apart, 0.09), "%d on %d", part, on);
	cr_expect(apart > 0.3 || hues_apart(a, b) >= degrees, "%d on %d: %g degrees, %g apart",
		part, on, hues_apart(a, b), apart);
}

Test(theme, accent_and_alarm_are_no_parts)
{
	for (int on = 0; on < N_BACKGROUNDS; on++)
		for (int i = STYLE_SERIES; i < STYLE_SERIES + MEANS_FOCUS; i++) {
			expect_another_hue(i, STYLE_ACCENT, 20, (enum background)on);
			expect_another_hue(i, STYLE_BAD, 22, (enum background)on);
		}
}

/* From little to much, each level is farther from the ground than the one before. */
Test(theme, levels_are_a_ramp)
{
	for (int depth = DEPTH_256; depth <= DEPTH_RGB; depth++)
		for (int on = 0; on < N_BACKGROUNDS; on++)
			for (int i = 1; i < 8; i++)
				cr_expect(lt(dbl,
						  contrast(theme_colour(
								   STYLE_LEVEL + i - 1, depth, on),
							  on),
						  contrast(theme_colour(STYLE_LEVEL + i, depth, on),
							  on)),
					"level %d depth %d on %d", i, depth, on);
}

/* A colour can be read on its own tint. */
Test(theme, tints_lie_under_their_colour)
{
	for (int depth = DEPTH_256; depth <= DEPTH_RGB; depth++)
		for (int on = 0; on < N_BACKGROUNDS; on++)
			for (int i = 0; i < MEANS_WAITING; i++) {
				struct colour c = theme_colour(STYLE_SERIES + i, depth, on);
				struct colour t = theme_colour(STYLE_TINT + i, depth, on);
				double a = luminance(light_of(c)), b = luminance(light_of(t));
				cr_expect(ge(dbl, (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05), 2.5),
					"%d depth %d on %d", i, depth, on);
			}
}

/* The tint of a kind of work is in its hue, and so not taken for another's. With 256 colours there are few dark
 * ones, the nearest of which may be forty degrees off. */
Test(theme, tints_keep_their_hue)
{
	for (int on = 0; on < N_BACKGROUNDS; on++)
		for (int i = MEANS_COMPUTE; i < MEANS_WAITING; i++) {
			struct colour exact = theme_colour(STYLE_SERIES + i, DEPTH_RGB, on);
			struct colour near = theme_colour(STYLE_TINT + i, DEPTH_256, on);
			cr_expect(not(near.r == near.g && near.g == near.b), "%d on %d", i, on);
			cr_expect(le(dbl, hues_apart(exact, near), 40), "%d on %d", i, on);
		}
}

static void expect_tints_apart(int i, int k, enum colour_depth depth, double least)
{
	for (int on = 0; on < N_BACKGROUNDS; on++)
		for (int eye = 0; eye < 3; eye++)
			cr_expect(lt(dbl, least,
					  distance(theme_colour(STYLE_TINT + i, depth, on),
						  theme_colour(STYLE_TINT + k, depth, on),
						  blindness[eye])),
				"%d and %d, depth %d, on %d, eye %d", i, k, depth, on, eye);
}

/* Tints are faint, and those that lie side by side (the bounds of a roofline, the passes of a step) can be told
 * apart all the same; with 256 colours, which were chosen for it, all can. */
Test(theme, tints_of_work_stay_apart_for_the_colour_blind)
{
	static const enum meaning beside[][2] = { { MEANS_COMPUTE, MEANS_TRAFFIC },
		{ MEANS_COMPUTE, MEANS_SECOND }, { MEANS_SECOND, MEANS_FIXED },
		{ MEANS_COMPUTE, MEANS_WAITING } };
	for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
		expect_tints_apart(beside[i][0], beside[i][1], DEPTH_RGB, 0.02);
	for (int i = MEANS_COMPUTE; i <= MEANS_WAITING; i++)
		for (int k = MEANS_COMPUTE; k < i; k++)
			expect_tints_apart(i, k, DEPTH_256, 0.03);
}

static bool same_look(struct colour a, struct colour b)
{
	return a.own == b.own && a.index == b.index && a.bold == b.bold && a.faint == b.faint &&
	       a.r == b.r && a.g == b.g && a.b == b.b;
}

Test(theme, good_warn_and_bad_differ_wherever_there_is_colour)
{
	static const enum style roles[] = { STYLE_GOOD, STYLE_WARN, STYLE_BAD };
	for (int depth = DEPTH_8; depth < N_DEPTHS; depth++)
		for (int on = 0; on < N_BACKGROUNDS; on++)
			for (int i = 0; i < 3; i++)
				cr_expect(not(same_look(theme_colour(roles[i], depth, on),
						  theme_colour(roles[(i + 1) % 3], depth, on))),
					"role %d depth %d on %d", i, depth, on);
}

Test(theme, sgr)
{
	static const struct {
		enum style style;
		unsigned attr;
		enum style under;
		enum colour_depth depth;
		enum background on;
		const char *sgr;
	} rows[] = {
		{ STYLE_PLAIN, 0, 0, DEPTH_RGB, BACKGROUND_DARK, "\033[0m" },
		{ STYLE_PLAIN, ATTR_BOLD | ATTR_REVERSE, 0, DEPTH_NONE, BACKGROUND_DARK,
			"\033[0;1;7m" },
		{ STYLE_LINK, 0, 0, DEPTH_NONE, BACKGROUND_DARK, "\033[0;4m" },
		{ STYLE_DIM, 0, 0, DEPTH_16, BACKGROUND_LIGHT, "\033[0;2m" },
		{ STYLE_BAD, 0, 0, DEPTH_16, BACKGROUND_DARK, "\033[0;1;91m" },
		{ STYLE_BAD, 0, 0, DEPTH_8, BACKGROUND_DARK, "\033[0;1;31m" },
		{ STYLE_SERIES + 1, ATTR_ITALIC, 0, DEPTH_256, BACKGROUND_DARK,
			"\033[0;3;38;5;214m" },
		{ STYLE_SERIES + 1, 0, STYLE_BAD, DEPTH_256, BACKGROUND_DARK,
			"\033[0;38;5;214;48;5;203m" },
		{ STYLE_PLAIN, 0, STYLE_BAD, DEPTH_16, BACKGROUND_DARK, "\033[0;101m" },
		{ STYLE_BAD, 0, 0, DEPTH_RGB, BACKGROUND_DARK, "\033[0;38;2;255;106;106m" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char buf[40];
		int n = theme_sgr(buf, sizeof buf, rows[i].style, rows[i].attr, rows[i].under,
			rows[i].depth, rows[i].on);
		cr_expect(eq(str, buf, (char *)rows[i].sgr), "row %zu", i);
		cr_expect(eq(int, n, (int)strlen(rows[i].sgr)), "row %zu", i);
	}
	char small[4] = "old";
	cr_expect(eq(int,
		theme_sgr(small, sizeof small, STYLE_BAD, 0, 0, DEPTH_RGB, BACKGROUND_DARK), 0));
	cr_expect(eq(str, small, ""));
}

static char *written(const struct canvas *cv, bool ansi, enum colour_depth depth)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	if (ansi)
		canvas_write_ansi(cv, depth, BACKGROUND_DARK, f);
	else
		canvas_write_text(cv, f);
	fclose(f);
	return text;
}

Test(ansi, only_changes_are_written)
{
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 2, 12, GLYPHS_LINES)));
	canvas_text(&cv, 0, 0, -1, "a", STYLE_PLAIN, 0);
	canvas_text(&cv, 0, 2, -1, "bc", STYLE_SERIES, 0);
	canvas_text(&cv, 0, 5, -1, "d", STYLE_SERIES, 0);
	char *text = written(&cv, true, DEPTH_256);
	cr_expect(eq(str, text, "a \033[0;38;5;45mbc d\033[0m\n\n"));
	free(text);
	canvas_release(&cv);
}

static void strip(char *text)
{
	char *to = text;
	for (const char *from = text; *from;) {
		if (*from == '\033')
			from += strcspn(from, "m") + 1;
		else
			*to++ = *from++;
	}
	*to = '\0';
}

Test(ansi, without_its_sequences_it_is_the_plain_text)
{
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 3, 20, GLYPHS_LINES)));
	for (int i = 0; i < 40; i++)
		canvas_put(&cv, i / 16, i % 16, (uint32_t)(i % 7 ? 0x2588 + i % 8 : ' '),
			i % N_STYLES, i % 5 == 0 ? ATTR_BOLD : 0);
	for (int depth = 0; depth < N_DEPTHS; depth++) {
		char *plain = written(&cv, false, depth), *ansi = written(&cv, true, depth);
		strip(ansi);
		cr_expect(eq(str, ansi, plain), "depth %d", depth);
		free(plain);
		free(ansi);
	}
	canvas_release(&cv);
}
