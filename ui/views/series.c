#include "ui/views/figure_view.h"

enum style series_style(unsigned i)
{
	return (enum style)(STYLE_SERIES + i % 8);
}

uint32_t series_marker(const struct canvas *cv, unsigned i)
{
	static const uint32_t shapes[8] = { 0x25a0 /* ■ */, 0x25b2 /* ▲ */, 0x25cf /* ● */,
		0x25c6 /* ◆ */, 0x25bc /* ▼ */, 0x25cb /* ○ */, 0x25a1 /* □ */, 0x25b3 /* △ */ };
	return cv->glyphs == GLYPHS_ASCII ? 'A' + i % 8 : shapes[i % 8];
}
