/* Linked into the build of `make coverage` alone. What a child runs before it is confined, ended or
 * another program is counted too: the counts, which are all that this program has to write in .bss,
 * lie in memory that a child shares with its parent, and the parent writes them to files when it ends. */
#define _GNU_SOURCE /* mremap, on_exit, RTLD_DEFAULT */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

extern char __bss_start[], _end[];

/* Whole pages only: the counts in the first and in the last one stay with each process. */
static void share_counts(void)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	char *from = (char *)(((uintptr_t)__bss_start + page - 1) / page * page);
	const char *to = (char *)((uintptr_t)_end / page * page);
	if (from >= to)
		return;
	const size_t n = (size_t)(to - from);
	void *shared = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		abort();
	memcpy(shared, from, n);
	if (mremap(shared, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, from) != from)
		abort();
}

/* Where tests/fault/malloc.c takes the memory away, or a test the disk, what writes the counts gets both
 * back: else it would leave half of the files that it adds to. A child leaves the writing, of some hundred
 * files, to its parent: there may be thousands of children. */
static void end(int status, void *parent)
{
	void (*succeed)(void);
	*(void **)&succeed = dlsym(RTLD_DEFAULT, "allocations_succeed");
	if (getpid() != (pid_t)(intptr_t)parent) {
		fflush(NULL);
		_exit(status);
	}
	if (succeed)
		succeed();
	struct rlimit limit;
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_FSIZE, &limit);
	}
}

/* What gives the terminal back and dies of the signal all the same writes its counts before. */
void __gcov_dump(void);
int __real_raise(int sig);
int __wrap_raise(int sig);

int __wrap_raise(int sig)
{
	__gcov_dump();
	return __real_raise(sig);
}

__attribute__((constructor)) static void begin(void)
{
	share_counts();
	if (on_exit(end, (void *)(intptr_t)getpid()))
		abort();
}
