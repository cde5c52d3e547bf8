/* Images are laid out for the networks that read them: LANES images side by side, so that one
 * instruction handles the same pixel of several. */
#include "sims/compression/digits.h"

#include <stdio.h>
#include <string.h>

enum { MOST_IMAGES = 10000, TEST_EVERY = 3, FIRST_PIXEL = 2 };

static int level_of(char sign)
{
	if (sign >= '0' && sign <= '9')
		return sign - '0';
	return sign >= 'a' && sign <= 'g' ? sign - 'a' + 10 : -1;
}

static int refuse(char *err, size_t err_size, size_t line, const char *expected)
{
	snprintf(err, err_size, "digits: line %zu: expected %s", line + 1, expected);
	return -1;
}

static int read_image(struct digits *d, float *x, unsigned char *label, const char *text,
	size_t bytes, size_t line, char *err, size_t err_size)
{
	float *block = x + d->n / LANES * DIGIT_PIXELS * LANES + d->n % LANES;
	if (bytes != FIRST_PIXEL + DIGIT_PIXELS || text[0] < '0' || text[0] > '9' || text[1] != ' ')
		return refuse(err, err_size, line, "a digit, a blank and 64 pixels");
	for (size_t i = 0; i < DIGIT_PIXELS; i++) {
		int level = level_of(text[FIRST_PIXEL + i]);
		if (level < 0)
			return refuse(err, err_size, line, "pixels of 0 to 9 and a to g");
		block[i * LANES] = (float)level / DIGIT_INK;
	}
	label[d->n++] = (unsigned char)(text[0] - '0');
	return 0;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;
	for (; n < MOST_IMAGES && *text; n++) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return n;
}

int digits_read(struct digits *d, struct arena *a, const char *text, enum digit_part part,
	size_t most, char *err, size_t err_size)
{
	size_t lines = count_lines(text), tests = lines / TEST_EVERY;
	size_t all = part == DIGITS_TEST ? tests : lines - tests, room = all < most ? all : most;
	size_t blocks = (room + LANES - 1) / LANES;
	float *x = arena_array(a, blocks * DIGIT_PIXELS * LANES, sizeof *x);
	unsigned char *label = arena_array(a, room, 1);

	*d = (struct digits){ .x = x, .label = label };
	*err = '\0';
	if (!x || !label)
		return -1;
	for (size_t i = 0; i < lines && d->n < most; i++) {
		size_t bytes = strcspn(text, "\n");
		if ((i % TEST_EVERY == TEST_EVERY - 1) == (part == DIGITS_TEST) &&
			read_image(d, x, label, text, bytes, i, err, err_size))
			return -1;
		text += bytes + (text[bytes] == '\n');
	}
	d->n_blocks = (d->n + LANES - 1) / LANES;
	return d->n ? 0 : refuse(err, err_size, 0, "images");
}
