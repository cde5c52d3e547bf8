/* Loaded before the C library (LD_PRELOAD): the FAIL_AT-th allocation gets no memory; with FAIL_ON,
 * neither does any after it. With COUNT_TO, that file gets their number at the end. LEAST: smaller
 * ones than that many bytes succeed and are not counted. What another file of the same library decides
 * (tests/torture/forks.c) goes before. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
/* Whether the n-th allocation fails, and all after it; in this file alone there is none. */
extern int torture_decides(long n, int *fail_on) __attribute__((weak));
void *malloc(size_t bytes);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t bytes);
void *aligned_alloc(size_t alignment, size_t bytes);
int posix_memalign(void **out, size_t alignment, size_t bytes);
/* For a program that is over and has notes of its own to write (.ci/coverage_shared.c). */
void allocations_succeed(void);

static long count, fail_at;
static size_t least;
static int fail_on, counting;

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("FAIL_AT");
	fail_at = at ? atol(at) : 0;
	fail_on = getenv("FAIL_ON") != NULL;
	const char *bytes = getenv("LEAST");
	least = bytes ? (size_t)atol(bytes) : 0;
	counting = 1;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("COUNT_TO");
	long total = count;
	counting = 0;
	FILE *f = path ? fopen(path, "w") : NULL;
	if (!f)
		return;
	fprintf(f, "%ld\n", total);
	fclose(f);
}

void allocations_succeed(void)
{
	counting = 0;
}

static int fails(size_t bytes)
{
	if (!counting || bytes < least)
		return 0;
	count++;
	if (torture_decides) {
		counting = 0; /* what it does itself is not counted */
		int decided = torture_decides(count, &fail_on);
		counting = 1;
		fail_at = decided ? count : fail_at;
	}
	if (!fail_at || count < fail_at || (count > fail_at && !fail_on))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t bytes)
{
	return fails(bytes) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t size)
{
	return fails(n * size) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t bytes)
{
	return fails(bytes) ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	return fails(bytes) ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
	void *block = fails(bytes) ? NULL : __libc_memalign(alignment, bytes);
	if (!block)
		return ENOMEM;
	*out = block;
	return 0;
}
