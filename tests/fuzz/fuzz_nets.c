/* Any bytes as digits or as networks: refused in one harmless line, or read into what can be
 * evaluated. The first byte chooses the kind. */
#include "sims/compression/networks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 5000 };

static void must(int holds)
{
	if (!holds)
		abort();
}

static void check_digits(const struct digits *d)
{
	must(d->n > 0 && d->n <= MOST && d->n_blocks * LANES >= d->n);
	for (size_t i = 0; i < d->n; i++)
		must(d->label[i] < DIGIT_CLASSES);
	for (size_t i = 0; i < d->n_blocks * LANES * DIGIT_PIXELS; i++)
		must(d->x[i] >= 0 && d->x[i] <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct digits d;
	struct networks n;
	char err[160] = "", *text = malloc(size + 1);

	if (!size || !text) {
		free(text);
		return 0;
	}
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	enum digit_part part = data[0] % 4 < 2 ? DIGITS_TRAIN : DIGITS_TEST;
	int rc = data[0] % 2 ? networks_read(&n, &a, text, err, sizeof err)
			     : digits_read(&d, &a, text, part, MOST, err, sizeof err);
	must(rc == 0 || *err || a.failed);
	if (rc == 0 && data[0] % 2 == 0)
		check_digits(&d);
	for (const char *s = err; *s; s++)
		must(*s >= 0x20 && *s < 0x7f);
	arena_release(&a);
	free(text);
	return 0;
}
