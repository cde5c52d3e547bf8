/* Three things together, because each alone leaves a way: limits do not see files, a filter of system
 * calls does not see their names, and rules for files do not see processes. */
#include "ui/programs/confine.h"

#include "ui/programs/confine_calls.h"
#include "ui/programs/confine_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
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

int confine_limit(const struct confine_limits *l)
{
#ifdef PR_SET_NO_NEW_PRIVS
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
#ifdef PR_SET_PDEATHSIG
	prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0); /* the child must not outlive ridge */
#endif
	/* The system sends SIGXCPU at the one and SIGKILL at the other. */
	struct rlimit cpu = { l->cpu_s, l->cpu_s + 1 };
	if (setrlimit(RLIMIT_CPU, &cpu) || set_limit(RLIMIT_FSIZE, l->file_bytes) ||
		set_limit(RLIMIT_NOFILE, l->files) || set_limit(RLIMIT_CORE, 0))
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

/* Root's programs start with every privilege that this set has. For others it is empty of meaning, and
 * not to be changed. */
static void drop_privileges(void)
{
#ifdef PR_CAPBSET_DROP
	for (unsigned long i = 0; prctl(PR_CAPBSET_DROP, i, 0, 0, 0) == 0; i++)
		;
#endif
}

int confine(enum confinement c, int dir, const char *const *readable)
{
	drop_privileges();
	int files = confine_files(c, dir, readable);
	return confine_calls(c) || files ? -1 : 0;
}

bool confine_works(char *why, size_t size)
{
	enum { NO_FILES = 1, NO_CALLS = 2 };
	int status = -1;
	pid_t pid = fork();
	if (pid == 0) {
		int dir = open("/", O_RDONLY | O_CLOEXEC);
		int lacks = confine_files(CONFINED_PROGRAM, dir, NULL) ? NO_FILES : 0;
		lacks |= confine_calls(CONFINED_PROGRAM) ? NO_CALLS : 0;
		_exit(lacks);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0)
		return true;
	int lacks = WIFEXITED(status) ? WEXITSTATUS(status) : NO_FILES | NO_CALLS;
	snprintf(why, size, "%s%s%s",
		lacks & NO_FILES ? "files cannot be put out of reach (Landlock)" : "",
		lacks == (NO_FILES | NO_CALLS) ? ", and " : "",
		lacks & NO_CALLS ? "system calls cannot be limited (seccomp)" : "");
	return false;
}
