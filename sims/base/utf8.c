#include "sims/base/utf8.h"

#include <string.h>

int utf8_lead_bytes(char first)
{
	unsigned char c = (unsigned char)first;
	return c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
}

uint32_t utf8_next(const char **text)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)*text;
	if (!*p)
		return 0;
	int n = utf8_lead_bytes(**text);
	uint32_t code = n == 1 ? *p : n ? *p & (0x7fu >> n) : 0;
	for (int i = 1; i < n; i++) {
		if (p[i] >> 6 != 2) {
			n = 0;
			break;
		}
		code = code << 6 | (p[i] & 0x3f);
	}
	if (!n || code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
		*text += 1;
		return 0xfffd;
	}
	*text += n;
	return code;
}

int utf8_write(char *buf, uint32_t code)
{
	int n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	for (int i = n - 1; i > 0; i--) {
		buf[i] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	buf[0] = (char)(lead[n] | code);
	buf[n] = '\0';
	return n;
}

size_t utf8_mark_bytes(const char *text, size_t n)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t bytes = sizeof mark - 1;
	return n >= bytes && memcmp(text, mark, bytes) == 0 ? bytes : 0;
}

bool utf8_continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

size_t utf8_whole(const char *text, size_t most)
{
	size_t n = 0;
	while (n < most && text[n])
		n++;
	while (n > 0 && text[n] && utf8_continues(text[n]))
		n--;
	return n;
}

bool utf8_steers(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = { { 0, 0x1f }, { 0x7f, 0x9f }, { 0x61c, 0x61c }, { 0x200e, 0x200f },
		{ 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xe0000, 0xe007f } };
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

uint32_t utf8_lower(uint32_t c)
{
	if (c < 0x80)
		return c >= 'A' && c <= 'Z' ? c + 32 : c;
	if ((c >= 0xc0 && c <= 0xde && c != 0xd7) || (c >= 0x391 && c <= 0x3ab) ||
		(c >= 0x410 && c <= 0x42f))
		return c + 32;
	if (c >= 0x400 && c <= 0x40f)
		return c + 80;
	if ((c >= 0x100 && c <= 0x12f) || (c >= 0x132 && c <= 0x137) ||
		(c >= 0x14a && c <= 0x177) || (c >= 0x460 && c <= 0x481))
		return c | 1;
	if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e))
		return c + (c & 1);
	return c;
}

int utf8_char_bytes(const char *text)
{
	const char *end = text;
	uint32_t code = utf8_next(&end);
	return code == 0xfffd && end == text + 1 ? 0 : (int)(end - text);
}
