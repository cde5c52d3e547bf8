#include "ui/practice/plain_text.h"

#include <ctype.h>

void markdown_escape(const char *text, FILE *out)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c < 0x80 && ispunct(c))
			putc('\\', out);
		putc(c < 0x20 || c == 0x7f ? ' ' : c, out);
	}
}
