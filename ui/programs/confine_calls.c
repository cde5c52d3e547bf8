/* A list of what is allowed, turned into a filter of the kernel (seccomp) by libseccomp, for the
 * processor that ridge was built for. A call in another numbering (32-bit, x32) ends the process:
 * no compiler of this system makes one.
 *
 * What is not in the list fails with EPERM and does not end the process: interpreters and C libraries
 * try calls that they can do without, and a candidate whose program opens a socket reads
 * "PermissionError" with its line, which says more than "signal 31". Where a library tries a new call
 * first and falls back only when there is no such thing, the answer is ENOSYS. */
#define _GNU_SOURCE /* CLONE_... */
#include "ui/programs/confine_calls.h"

#ifndef __linux__

int confine_calls(enum confinement c)
{
	(void)c;
	return -1;
}

#else

#include "sims/base/array.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

enum {
	WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND,
#ifdef __s390__
	CLONE_ARGUMENT = 1
#else
	CLONE_ARGUMENT = 0
#endif
};

/* Flags of clone that make more than a process or a thread below this one. */
static const uint64_t beyond = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
			       CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_PTRACE |
			       CLONE_UNTRACED | CLONE_PARENT;

/* Reading, computing, one's own memory, time and end. */
static const char *const everyone[] = {
	/* What is open, and what files are. Which files can be opened is for confine_files.h. */
	"read", "readv", "pread64", "preadv", "write", "writev", "close", "close_range", "lseek",
	"_llseek", "dup", "dup2", "dup3", "fstat", "fstat64", "stat", "stat64", "lstat", "lstat64",
	"newfstatat", "fstatat64", "statx", "statfs", "statfs64", "fstatfs", "fstatfs64", "access",
	"faccessat", "faccessat2", "readlink", "readlinkat", "getcwd", "getdents", "getdents64",
	"poll", "ppoll", "ppoll_time64", "select", "_newselect", "pselect6", "pselect6_time64",
	/* Memory. */
	"brk", "mmap", "mmap2", "mprotect", "munmap", "mremap", "madvise", "msync", "membarrier",
	"get_mempolicy",
	/* Its own signals, threads' locks, and names. */
	"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigreturn", "rt_sigpending",
	"rt_sigsuspend", "rt_sigtimedwait", "rt_sigtimedwait_time64", "sigaltstack", "pause",
	"alarm", "setitimer", "getitimer", "restart_syscall", "futex", "futex_time64",
	"set_robust_list", "set_tid_address", "rseq", "arch_prctl", "set_thread_area", "set_tls",
	"cacheflush", "riscv_flush_icache", "riscv_hwprobe", "getpid", "getppid", "gettid",
	"getpgrp", "getuid", "getuid32", "geteuid", "geteuid32", "getgid", "getgid32", "getegid",
	"getegid32", "getresuid", "getresgid", "getgroups", "getgroups32", "getrlimit",
	"ugetrlimit", "getrusage", "sched_yield", "getcpu", "uname", "sysinfo", "getrandom",
	"umask",
	/* Time. */
	"time", "times", "gettimeofday", "nanosleep",
	/* The end, and another program in its place, which keeps this filter. */
	"exit", "exit_group", "execve"
};

/* By the number of a clock. That of the time which a process has had of the processor, any process, is
 * made of the process's number, and below 0; what is a few above it is the system's and its own. */
static const char *const clocks[] = { "clock_gettime", "clock_gettime64", "clock_getres",
	"clock_getres_time64", "clock_nanosleep", "clock_nanosleep_time64" };
enum { N_CLOCKS = 16 };

/* About one process or thread, by its number; 0 is who asks. */
static const struct {
	const char *call;
	unsigned argument;
} about[] = { { "getpgid", 0 }, { "getsid", 0 }, { "sched_getaffinity", 0 },
	{ "sched_getparam", 0 }, { "sched_getscheduler", 0 }, { "get_robust_list", 0 },
	{ "getpriority", 1 } };

/* A compiler starts others, and writes: where, confine_files.h says. What it wrote is made executable
 * by ridge, so that no mode needs to be changed in here. */
static const char *const compilers[] = { "creat", "pipe", "pipe2", "fork", "vfork", "wait4",
	"waitid", "pwrite64", "pwritev", "ftruncate", "ftruncate64", "unlink", "unlinkat", "rename",
	"renameat", "renameat2", "mkdir", "mkdirat", "rmdir", "chdir", "fchdir" };

/* Known to be asked for first by libraries that can do without. */
static const char *const unknown[] = { "clone3", "openat2", "fchmodat2", "execveat" };

/* Allowed where one argument, as a whole, is that. A file that is open can be told to signal any
 * process of the user (F_SETOWN, F_SETSIG, F_SETLEASE, F_NOTIFY), and a device or a file system does
 * things by ioctl that no other call would let through: so these three calls have lists of their own. */
static const struct {
	const char *call;
	unsigned argument;
	uint64_t value;
} only[] = {
	{ "ioctl", 1, TCGETS }, /* isatty() */
#ifdef TCGETS2
	{ "ioctl", 1, (uint32_t)TCGETS2 },
#endif
	{ "ioctl", 1, TIOCGWINSZ },
	{ "ioctl", 1, FIOCLEX },
	{ "ioctl", 1, FIONCLEX },
	{ "ioctl", 1, FIONREAD },
	{ "fcntl", 1, F_DUPFD },
	{ "fcntl", 1, F_DUPFD_CLOEXEC },
	{ "fcntl", 1, F_GETFD },
	{ "fcntl", 1, F_SETFD },
	{ "fcntl", 1, F_GETFL },
	{ "fcntl64", 1, F_DUPFD },
	{ "fcntl64", 1, F_DUPFD_CLOEXEC },
	{ "fcntl64", 1, F_GETFD },
	{ "fcntl64", 1, F_SETFD },
	{ "fcntl64", 1, F_GETFL },
	{ "prctl", 0, PR_SET_NAME },
	{ "prctl", 0, PR_GET_NAME },
	{ "prctl", 0, PR_SET_VMA },
};

/* Adds one call, under conditions of its arguments. False when the library refuses; a call that this
 * processor or this version of the library does not know is none to allow. */
static bool allow(scmp_filter_ctx f, const char *name, unsigned n, const struct scmp_arg_cmp *when)
{
	int call = seccomp_syscall_resolve_name(name);
	return call == __NR_SCMP_ERROR ||
	       seccomp_rule_add_array(f, SCMP_ACT_ALLOW, call, n, when) == 0;
}

static bool allow_all(scmp_filter_ctx f, const char *const names[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!allow(f, names[i], 0, NULL))
			return false;
	return true;
}

/* Where the argument has none of those bits. */
static bool allow_without(scmp_filter_ctx f, const char *name, unsigned argument, uint64_t bits)
{
	return allow(f, name, 1, &SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bits, 0));
}

/* For a compiler: not to truncate what is opened to be read, which early versions of the rules for
 * files let through. */
static bool allow_open(scmp_filter_ctx f, const char *name, unsigned argument)
{
	return allow_without(f, name, argument, O_TRUNC) &&
	       allow(f, name, 1, &SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, O_ACCMODE, O_WRONLY)) &&
	       allow(f, name, 1, &SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, O_ACCMODE, O_RDWR));
}

static bool allow_clocks(scmp_filter_ctx f)
{
	for (size_t i = 0; i < LENGTH(clocks); i++)
		if (!allow(f, clocks[i], 1, &SCMP_A0(SCMP_CMP_LT, N_CLOCKS, 0)))
			return false;
	return true;
}

/* What a compiler starts has numbers that are not known here. */
static bool allow_about(scmp_filter_ctx f, enum confinement c)
{
	const uint64_t self[] = { 0, (uint64_t)getpid() };
	for (size_t i = 0; i < LENGTH(about); i++)
		for (size_t k = 0; k < LENGTH(self); k++) {
			const struct scmp_arg_cmp own =
				SCMP_CMP(about[i].argument, SCMP_CMP_EQ, self[k], 0);
			if (!allow(f, about[i].call, c != CONFINED_COMPILER, &own))
				return false;
		}
	return true;
}

static bool allow_only(scmp_filter_ctx f)
{
	/* abort() and raise(), to itself; its limits, to read them. */
	const uint64_t self = (uint64_t)getpid();
	const struct scmp_arg_cmp own[] = { SCMP_A0(SCMP_CMP_EQ, 0, 0),
		SCMP_A2(SCMP_CMP_EQ, 0, 0) };
	for (size_t i = 0; i < LENGTH(only); i++)
		if (!allow(f, only[i].call, 1,
			    &SCMP_CMP(only[i].argument, SCMP_CMP_EQ, only[i].value, 0)))
			return false;
	return allow(f, "kill", 1, &SCMP_A0(SCMP_CMP_EQ, self, 0)) &&
	       allow(f, "tkill", 1, &SCMP_A0(SCMP_CMP_EQ, self, 0)) &&
	       allow(f, "tgkill", 1, &SCMP_A0(SCMP_CMP_EQ, self, 0)) &&
	       allow(f, "prlimit64", 2, own);
}

static bool fill(scmp_filter_ctx f, enum confinement c)
{
	for (size_t i = 0; i < LENGTH(unknown); i++) {
		int call = seccomp_syscall_resolve_name(unknown[i]);
		if (call != __NR_SCMP_ERROR && seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), call, 0))
			return false;
	}
	if (!allow_all(f, everyone, LENGTH(everyone)) || !allow_only(f) || !allow_clocks(f) ||
		!allow_about(f, c))
		return false;
	/* Not what keeps a file's size and so goes past its limit. */
	if (c == CONFINED_COMPILER)
		return allow(f, "fallocate", 1, &SCMP_A1(SCMP_CMP_EQ, 0, 0)) &&
		       allow_all(f, compilers, LENGTH(compilers)) && allow_open(f, "open", 1) &&
		       allow_open(f, "openat", 2) &&
		       allow_without(f, "clone", CLONE_ARGUMENT, beyond);
	return allow_without(f, "open", 1, WRITING) && allow_without(f, "openat", 2, WRITING);
}

int confine_calls(enum confinement c)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	bool done = f && seccomp_attr_set(f, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
		    fill(f, c) && seccomp_load(f) == 0;
	if (f)
		seccomp_release(f);
	return done ? 0 : -1;
}

#endif
