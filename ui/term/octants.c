/* Unicode has its octants in the order of their masks, from U+1CD00 on, without those that had a code
 * point before: halves, quarters, quadrants, and a few of other sets. */
#include "ui/term/octants.h"

#include "sims/base/array.h"

#include <assert.h>

static const struct {
	unsigned char mask;
	uint32_t code;
} older[] = {
	{ 0x00, ' ' },
	{ 0x01, 0x1cea8 },
	{ 0x02, 0x1ceab },
	{ 0x03, 0x1fb82 },
	{ 0x05, 0x2598 },
	{ 0x0a, 0x259d },
	{ 0x0f, 0x2580 },
	{ 0x14, 0x1fbe6 },
	{ 0x28, 0x1fbe7 },
	{ 0x3f, 0x1fb85 },
	{ 0x40, 0x1cea3 },
	{ 0x50, 0x2596 },
	{ 0x55, 0x258c },
	{ 0x5a, 0x259e },
	{ 0x5f, 0x259b },
	{ 0x80, 0x1cea0 },
	{ 0xa0, 0x2597 },
	{ 0xa5, 0x259a },
	{ 0xaa, 0x2590 },
	{ 0xaf, 0x259c },
	{ 0xc0, 0x2582 },
	{ 0xf0, 0x2584 },
	{ 0xf5, 0x2599 },
	{ 0xfa, 0x259f },
	{ 0xfc, 0x2586 },
	{ 0xff, 0x2588 },
};
enum { FIRST_OCTANT = 0x1cd00, N_OCTANTS = 256 - LENGTH(older) };

uint32_t octant_glyph(unsigned mask)
{
	unsigned before = 0;
	assert(mask < 256);
	for (; before < LENGTH(older) && older[before].mask <= mask; before++)
		if (older[before].mask == mask)
			return older[before].code;
	return FIRST_OCTANT + mask - before;
}

bool octant_of_curve(uint32_t code)
{
	return code >= FIRST_OCTANT && code < FIRST_OCTANT + N_OCTANTS;
}

unsigned octant_mask(uint32_t code)
{
	if (octant_of_curve(code)) {
		unsigned mask = code - FIRST_OCTANT;
		for (size_t i = 0; i < LENGTH(older) && older[i].mask <= mask; i++)
			mask++;
		return mask;
	}
	for (size_t i = 0; i < LENGTH(older); i++)
		if (older[i].code == code)
			return older[i].mask;
	return 0;
}
