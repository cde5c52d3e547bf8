/* Loaded before the C library (LD_PRELOAD): calls of the system that fail. FAIL_CALL names one, such as
 * "open"; the FAIL_AT-th of its calls fails, once, with the number FAIL_WITH of <errno.h> (EIO without it).
 * With COUNT_TO that file gets a line for each call at the end: its name and how often it was called. Only
 * what the program itself calls counts, not what libraries do among themselves; what the program starts is
 * left alone, but for its own children before they are another program. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum calls {
	ACCEPT,
	BIND,
	CHMOD,
	CONNECT,
	DUP2,
	FCHDIR,
	FCHMOD,
	FCHMODAT,
	FCLOSE,
	FCNTL,
	FDOPEN,
	FDOPENDIR,
	FLOCK,
	FOPEN,
	FORK,
	FSTAT,
	FSTATAT,
	FSYNC,
	FTRUNCATE,
	LISTEN,
	LSEEK,
	LSTAT,
	MKDIR,
	MKDTEMP,
	OPEN,
	OPENAT,
	OPENDIR,
	PIPE,
	READ,
	REALPATH,
	RENAME,
	SEND,
	SETRLIMIT,
	SOCKET,
	STAT,
	UNLINK,
	UNLINKAT,
	WAITPID,
	WRITE,
	N_CALLS
};

static const char *const names[N_CALLS] = { "accept", "bind", "chmod", "connect", "dup2", "fchdir",
	"fchmod", "fchmodat", "fclose", "fcntl", "fdopen", "fdopendir", "flock", "fopen", "fork",
	"fstat", "fstatat", "fsync", "ftruncate", "listen", "lseek", "lstat", "mkdir", "mkdtemp",
	"open", "openat", "opendir", "pipe", "read", "realpath", "rename", "send", "setrlimit",
	"socket", "stat", "unlink", "unlinkat", "waitpid", "write" };

static long counts[N_CALLS], fail_at;
static int fail_call = -1, fail_with, over;
static uintptr_t begins, ends;

static int note_program(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	begins = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const uintptr_t end =
			begins + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type == PT_LOAD && end > ends)
			ends = end;
	}
	return 1; /* the first is the program */
}

__attribute__((constructor)) static void begin(void)
{
	const char *call = getenv("FAIL_CALL"), *at = getenv("FAIL_AT"),
		   *with = getenv("FAIL_WITH");
	dl_iterate_phdr(note_program, NULL);
	unsetenv("LD_PRELOAD");
	fail_at = at ? atol(at) : 1;
	fail_with = with ? atoi(with) : EIO;
	for (int i = 0; call && i < N_CALLS; i++)
		if (strcmp(call, names[i]) == 0)
			fail_call = i;
}

/* For a program that is over and has notes of its own to write (.ci/coverage_shared.c). */
void allocations_succeed(void);
void allocations_succeed(void)
{
	over = 1;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("COUNT_TO");
	over = 1;
	FILE *f = path ? fopen(path, "w") : NULL;
	for (int i = 0; f && i < N_CALLS; i++)
		fprintf(f, "%s %ld\n", names[i], counts[i]);
	if (f)
		fclose(f);
}

static int fails(enum calls call, const void *from)
{
	if (over || (uintptr_t)from < begins || (uintptr_t)from >= ends)
		return 0;
	counts[call]++;
	if ((int)call != fail_call || counts[call] != fail_at)
		return 0;
	errno = fail_with;
	return 1;
}

/* type NAME(declared): fails with `failed`, or is the C library's own, called with `passed`. */
#define CALL(type, failed, CALLED, name, declared, passed)                                         \
	type name declared;                                                                        \
	type name declared                                                                         \
	{                                                                                          \
		type(*next) declared;                                                              \
		if (fails(CALLED, __builtin_return_address(0)))                                    \
			return failed;                                                             \
		*(void **)&next = dlsym(RTLD_NEXT, #name);                                         \
		return next passed;                                                                \
	}

struct sockaddr;
struct stat;
struct rlimit;
typedef struct __dirstream DIR;

CALL(int, -1, ACCEPT, accept, (int fd, struct sockaddr *a, unsigned *n), (fd, a, n))
CALL(int, -1, BIND, bind, (int fd, const struct sockaddr *a, unsigned n), (fd, a, n))
CALL(int, -1, CHMOD, chmod, (const char *path, mode_t mode), (path, mode))
CALL(int, -1, CONNECT, connect, (int fd, const struct sockaddr *a, unsigned n), (fd, a, n))
CALL(int, -1, DUP2, dup2, (int from, int to), (from, to))
CALL(int, -1, FCHDIR, fchdir, (int fd), (fd))
CALL(int, -1, FCHMOD, fchmod, (int fd, mode_t mode), (fd, mode))
CALL(int, -1, FCHMODAT, fchmodat, (int dir, const char *path, mode_t mode, int how),
	(dir, path, mode, how))
CALL(FILE *, NULL, FDOPEN, fdopen, (int fd, const char *mode), (fd, mode))
CALL(DIR *, NULL, FDOPENDIR, fdopendir, (int fd), (fd))
CALL(int, -1, FLOCK, flock, (int fd, int how), (fd, how))
CALL(FILE *, NULL, FOPEN, fopen, (const char *path, const char *mode), (path, mode))
CALL(pid_t, -1, FORK, fork, (void), ())
CALL(int, -1, FSTAT, fstat, (int fd, struct stat *st), (fd, st))
CALL(int, -1, FSTATAT, fstatat, (int dir, const char *path, struct stat *st, int how),
	(dir, path, st, how))
CALL(int, -1, FSYNC, fsync, (int fd), (fd))
CALL(int, -1, FTRUNCATE, ftruncate, (int fd, off_t bytes), (fd, bytes))
CALL(int, -1, LISTEN, listen, (int fd, int most), (fd, most))
CALL(off_t, -1, LSEEK, lseek, (int fd, off_t to, int from), (fd, to, from))
CALL(int, -1, LSTAT, lstat, (const char *path, struct stat *st), (path, st))
CALL(int, -1, MKDIR, mkdir, (const char *path, mode_t mode), (path, mode))
CALL(char *, NULL, MKDTEMP, mkdtemp, (char *path), (path))
CALL(DIR *, NULL, OPENDIR, opendir, (const char *path), (path))
CALL(int, -1, PIPE, pipe, (int fds[2]), (fds))
CALL(ssize_t, -1, READ, read, (int fd, void *to, size_t n), (fd, to, n))
CALL(char *, NULL, REALPATH, realpath, (const char *path, char *real), (path, real))
CALL(int, -1, RENAME, rename, (const char *from, const char *to), (from, to))
CALL(ssize_t, -1, SEND, send, (int fd, const void *from, size_t n, int how), (fd, from, n, how))
CALL(int, -1, SETRLIMIT, setrlimit, (int what, const struct rlimit *limit), (what, limit))
CALL(int, -1, SOCKET, socket, (int family, int type, int protocol), (family, type, protocol))
CALL(int, -1, STAT, stat, (const char *path, struct stat *st), (path, st))
CALL(int, -1, UNLINK, unlink, (const char *path), (path))
CALL(int, -1, UNLINKAT, unlinkat, (int dir, const char *path, int how), (dir, path, how))
CALL(pid_t, -1, WAITPID, waitpid, (pid_t pid, int *status, int how), (pid, status, how))
CALL(ssize_t, -1, WRITE, write, (int fd, const void *from, size_t n), (fd, from, n))

/* The same where the compiler knows how much room there is (_FORTIFY_SOURCE). */
ssize_t __read_chk(int fd, void *to, size_t n, size_t room);
ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
	ssize_t (*next)(int, void *, size_t, size_t);
	if (fails(READ, __builtin_return_address(0)))
		return -1;
	*(void **)&next = dlsym(RTLD_NEXT, "__read_chk");
	return next(fd, to, n, room);
}

/* What was in its buffer may be lost, and the file is closed all the same. */
int fclose(FILE *f)
{
	int (*next)(FILE *);
	const int failed = fails(FCLOSE, __builtin_return_address(0));
	*(void **)&next = dlsym(RTLD_NEXT, "fclose");
	const int rc = next(f);
	if (failed)
		errno = fail_with;
	return failed ? EOF : rc;
}

int open(const char *path, int how, ...);
int open(const char *path, int how, ...)
{
	int (*next)(const char *, int, ...);
	va_list ap;
	if (fails(OPEN, __builtin_return_address(0)))
		return -1;
	va_start(ap, how);
	const mode_t mode = va_arg(ap, mode_t);
	va_end(ap);
	*(void **)&next = dlsym(RTLD_NEXT, "open");
	return next(path, how, mode);
}

int openat(int dir, const char *path, int how, ...);
int openat(int dir, const char *path, int how, ...)
{
	int (*next)(int, const char *, int, ...);
	va_list ap;
	if (fails(OPENAT, __builtin_return_address(0)))
		return -1;
	va_start(ap, how);
	const mode_t mode = va_arg(ap, mode_t);
	va_end(ap);
	*(void **)&next = dlsym(RTLD_NEXT, "openat");
	return next(dir, path, how, mode);
}

int fcntl(int fd, int what, ...);
int fcntl(int fd, int what, ...)
{
	int (*next)(int, int, ...);
	va_list ap;
	if (fails(FCNTL, __builtin_return_address(0)))
		return -1;
	va_start(ap, what);
	void *with = va_arg(ap, void *);
	va_end(ap);
	*(void **)&next = dlsym(RTLD_NEXT, "fcntl");
	return next(fd, what, with);
}
