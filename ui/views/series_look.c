#include "ui/views/series_look.h"

#include <assert.h>

bool is_line(const struct series *s)
{
	return !is_scatter(s) && !is_area(s);
}

bool is_area(const struct series *s)
{
	return s->style == SERIES_AREA && !s->measured;
}

bool is_scatter(const struct series *s)
{
	return s->style == SERIES_POINTS || s->measured;
}

static uint32_t series_marker(enum glyphs glyphs, enum meaning meaning)
{
	unsigned i = meaning;
	/* Where one is looks as on a slider; beside lines of dots it is a square (plot_chart.h). */
	if (meaning == MEANS_FOCUS)
		return glyph_or(glyphs, 0x25c9, '@');
	static const uint32_t shapes[N_SERIES_LOOKS] = { 0x25a0 /* ■ */, 0x25b2 /* ▲ */,
		0x25cf /* ● */, 0x25c6 /* ◆ */, 0x25bc /* ▼ */, 0x25cb /* ○ */, 0x25a1 /* □ */,
		0x25b3 /* △ */ };
	i %= N_SERIES_LOOKS;
	return glyph_or(glyphs, shapes[i], 'A' + i);
}

/* A warning is hollow, what is bad is a cross. */
uint32_t point_marker(enum glyphs glyphs, const struct series *s, enum role role)
{
	static const uint32_t hollow[N_SERIES_LOOKS] = { 0x25a1, 0x25b3, 0x25cb, 0x25c7, 0x25bd,
		0x25cf, 0x25a0, 0x25b2 };
	uint32_t cross = glyph_or(glyphs, 0xd7, 'x');
	unsigned i = (unsigned)s->meaning % N_SERIES_LOOKS;
	if (s->measured)
		return s->meaning % 2 ? cross : '+';
	if (role == ROLE_BAD)
		return cross;
	if (role == ROLE_WARN && s->meaning == MEANS_FOCUS)
		return glyph_or(glyphs, 0x25ce, '@');
	if (role == ROLE_WARN)
		return glyph_or(glyphs, hollow[i], 'a' + i);
	return series_marker(glyphs, s->meaning);
}

enum style point_style(const struct series *s, enum role role)
{
	if (role != ROLE_PLAIN)
		return role_style(role);
	return s->measured ? STYLE_DIM : meaning_style(s->meaning);
}

enum style rule_style(enum role role)
{
	return role == ROLE_WARN ? STYLE_PLAIN : role_style(role);
}

/* The first area is faint with a full edge on top: the eye follows the edge, as with a line. */
uint32_t area_fill(enum glyphs glyphs, const struct plot *p, const struct series *s)
{
	enum { N_SHADES = 4 };
	static const uint32_t blocks[N_SHADES] = { 0x2591, 0x2592, 0x2593, 0x2588 };
	assert(s >= p->series && s < p->series + p->n_series);
	size_t shade = 0;
	for (const struct series *t = p->series; t < s; t++)
		shade += is_area(t);
	shade %= N_SHADES;
	return glyph_or(glyphs, blocks[shade], (unsigned char)"#+:."[shade]);
}

bool line_is_marked(const struct plot *p, const struct series *s)
{
	size_t alike = 0;
	for (size_t i = 0; is_line(s) && i < p->n_series; i++) {
		const struct series *t = &p->series[i];
		alike += is_line(t) && (t->style == SERIES_DASHED) == (s->style == SERIES_DASHED);
	}
	return alike >= 2;
}
