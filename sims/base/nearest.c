#include "sims/base/nearest.h"

#include "sims/base/minmax.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 48 };

static int lower(char c)
{
	return tolower((unsigned char)c);
}

/* Optimal string alignment distance. Names longer than LONGEST are compared by their beginning. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][LONGEST + 1];
	size_t n = min_size(strlen(a), LONGEST), m = min_size(strlen(b), LONGEST);

	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t differ = lower(a[i - 1]) != lower(b[j - 1]);
			now[j] = min_size(min_size(now[j - 1], up[j]) + 1, up[j - 1] + differ);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
				lower(a[i - 2]) == lower(b[j - 1]))
				now[j] = min_size(now[j], up2[j - 2] + 1);
		}
	}
	return rows[n % 3][m];
}

static int begins_with(const char *name, const char *typed)
{
	for (; *typed; name++, typed++)
		if (lower(*name) != lower(*typed))
			return 0;
	return 1;
}

const char *nearest_name(const char *typed, const char *const names[], size_t n)
{
	const char *best = NULL;
	size_t best_distance = 0;

	for (size_t i = 0; i < n; i++) {
		/* A beginning is nearer than one slip, and farther than the name itself. */
		size_t d = 2 * distance(typed, names[i]);
		if (d > 1 && *typed && begins_with(names[i], typed))
			d = 1;
		if (!best || d < best_distance) {
			best = names[i];
			best_distance = d;
		}
	}
	return best && best_distance <= 2 * (1 + strlen(typed) / 3) ? best : NULL;
}

char *did_you_mean(const char *typed, const char *const names[], size_t n, char *buf, size_t size)
{
	const char *near = nearest_name(typed, names, n);

	snprintf(buf, size, near ? "; did you mean \"%.60s\"?" : "", near);
	return buf;
}
