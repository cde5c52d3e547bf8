/* What fuzz targets share: an oracle that fails, and the input as a text. */
#ifndef RIDGE_TESTS_FUZZ_H
#define RIDGE_TESTS_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(bool holds)
{
	if (!holds)
		abort();
}

/* A copy with a zero behind it and no byte more, so that reading past its end is seen. The caller frees. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	must(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* What an error is: one line that is not empty. (What it quotes is cleaned before a terminal sees it, by
 * ui/commands/text_gate.h and the canvas.) */
static inline bool fuzz_is_line(const char *err)
{
	return *err && !strchr(err, '\n');
}

#endif
