/* Arithmetic in which names stand for numbers, "2 * step_ms / base_ms". What a name is, and how far
 * it goes ("before.step_ms"), is for whoever asks to say; the rest is read by the scratch pad. */
#ifndef RIDGE_NAMED_H
#define RIDGE_NAMED_H

#include <stdbool.h>
#include <stddef.h>

struct named_numbers {
	/* Reads the name that begins at *at, goes on behind it, and says what it stands for. 0; or -1
	 * and one line in err. */
	int (*find)(const void *context, const char **at, double *out, char *err, size_t err_size);
	const void *context;
};

/* A name begins with a letter or "_" and goes on with digits too: its bytes, 0 where none begins. */
size_t name_bytes(const char *at);

/* What the text comes to. 0; or -1 and one line in err. */
int named_arithmetic(const struct named_numbers *names, const char *text, double *out, char *err,
	size_t err_size);

#endif
