#include "ui/programs/confine.h"

#include <sys/resource.h>

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
