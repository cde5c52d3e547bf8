/* Trains the small networks of the simulation `compression` on content/digits/digits.txt (on stdin)
 * and writes them as content/digits/networks.txt (to stdout). `make train` runs it; the same digits
 * give the same bytes. */
#include "sims/compression/networks.h"

#include <stdio.h>

enum { LARGEST = 1 << 20 };

static int train(const char *text)
{
	struct arena a = { 0 };
	struct digits digits;
	char err[128];
	int rc = digits_read(&digits, &a, text, DIGITS_TRAIN, LARGEST, err, sizeof err);
	const char *networks = rc ? NULL : networks_train(&a, &digits);
	if (networks)
		rc = fputs(networks, stdout) < 0 || fflush(stdout) ? -1 : 0;
	else
		fprintf(stderr, "train: %s\n", rc && *err ? err : "out of memory");
	arena_release(&a);
	return networks && rc == 0 ? 0 : 1;
}

int main(void)
{
	struct arena a = { 0 };
	char *text = arena_alloc(&a, LARGEST + 1);
	int rc = 1;
	if (text) {
		text[fread(text, 1, LARGEST, stdin)] = '\0';
		rc = train(text);
	}
	arena_release(&a);
	return rc;
}
