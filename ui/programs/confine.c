/* Three things together, because each alone leaves a way: limits do not see files, a filter of system
 * calls does not see their names, and rules for files do not see processes. */
#define _DEFAULT_SOURCE /* syscall */
#include "ui/programs/confine.h"

#include "ui/programs/confine_calls.h"
#include "ui/programs/confine_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* Linux hands a crash to whoever the system has named to take it, at any limit but this one, and that
 * one may keep it on the disk. */
#ifdef __linux__
enum { NO_CORE = 1 };
#else
enum { NO_CORE = 0 };
#endif

static int set_limit(int which, size_t value)
{
	struct rlimit limit;
	if (getrlimit(which, &limit))
		return -1;
	/* A hard limit that is lower already stays. */
	if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max)
		limit.rlim_max = (rlim_t)value;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(which, &limit);
}

/* When the machine's memory ends before the limits do, the kernel ends this process first and not
 * ridge. */
static void be_the_first_to_go(void)
{
#ifdef __linux__
	static const char most[] = "1000";
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	ssize_t written = fd >= 0 ? write(fd, most, strlen(most)) : -1;
	(void)written; /* where it cannot, it is one among others */
	if (fd >= 0)
		close(fd);
#endif
}

int confine_limit(const struct confine_limits *l)
{
	be_the_first_to_go();
#ifdef PR_SET_NO_NEW_PRIVS
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
#ifdef PR_SET_PDEATHSIG
	prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0); /* the child must not outlive ridge */
#endif
	/* The system sends SIGXCPU at the one and SIGKILL at the other. */
	struct rlimit cpu = { l->cpu_s, l->cpu_s + 1 };
	if (setrlimit(RLIMIT_CPU, &cpu) || set_limit(RLIMIT_FSIZE, l->file_bytes) ||
		set_limit(RLIMIT_NOFILE, l->files) || set_limit(RLIMIT_CORE, NO_CORE))
		return -1;
#ifdef RLIMIT_AS
	if (set_limit(RLIMIT_AS, l->memory_bytes))
		return -1;
#endif
#ifdef RLIMIT_NPROC
	/* The limit counts all processes of the user, so the only useful value is 0. */
	if (l->alone && set_limit(RLIMIT_NPROC, 0))
		return -1;
#endif
	return 0;
}

/* A privilege that this process has may outlive exec: root's by the bounding set, which only who has
 * privileges can shrink, and anybody's by the inheritable and the ambient ones. So the first goes
 * before the others. */
static int drop_privileges(void)
{
#ifdef __linux__
	struct __user_cap_header_struct self = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };
	for (unsigned long i = 0; prctl(PR_CAPBSET_DROP, i, 0, 0, 0) == 0; i++)
		;
	return syscall(SYS_capset, &self, none) ? -1 : 0;
#else
	return -1;
#endif
}

int confine(enum confinement c, int dir, const char *const *readable)
{
	int privileges = drop_privileges(), files = confine_files(c, dir, readable);
	return confine_calls(c) || files || privileges ? -1 : 0;
}

/* What is wanting, as bits of an exit status. */
enum { NO_PRIVILEGES_DROPPED = 1, NO_FILES = 2, NO_CALLS = 4, N_WANTS = 3 };

/* Some systems that stand in for Linux take rules and do not act by them: so what they refuse is
 * tried. */
static int try_confinement(void)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int lacks = drop_privileges() ? NO_PRIVILEGES_DROPPED : 0;
	if (confine_files(CONFINED_PROGRAM, nothing, NULL) || open("/", O_RDONLY | O_CLOEXEC) >= 0)
		lacks |= NO_FILES;
	if (confine_calls(CONFINED_PROGRAM) || socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
		lacks |= NO_CALLS;
	return lacks;
}

bool confine_works(char *why, size_t size)
{
	static const char *const wants[N_WANTS] = { "privileges cannot be dropped",
		"files cannot be put out of reach (Landlock)",
		"system calls cannot be limited (seccomp)" };
	int status = -1;
	pid_t pid = fork();
	if (pid == 0)
		_exit(try_confinement());
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0)
		return true;
	int lacks = WIFEXITED(status) ? WEXITSTATUS(status) : NO_FILES | NO_CALLS;
	size_t n = 0;
	for (int i = 0; i < N_WANTS && n < size; i++)
		if (lacks >> i & 1)
			n += (size_t)snprintf(
				why + n, size - n, "%s%s", n ? ", and " : "", wants[i]);
	return false;
}
