/* Limits are those of setrlimit. The filter for system calls is a program for the kernel's classic
 * BPF machine (seccomp): it goes through a list of denied numbers, then through a few calls that
 * are allowed with certain arguments only, and allows the rest. */
#include "ui/programs/confine.h"

#include "sims/base/array.h"

#include <sys/resource.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>
#define HAS_FILTER 1
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

#ifndef HAS_FILTER

bool confine_calls(void)
{
	return false;
}

#else

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { MOST_INSTRUCTIONS = 400, LARGEST_CALL = 0x40000000 }; /* above: x32, another numbering */

static const int denied[] = {
	/* Files. Older calls are not on every machine. */
	SYS_mkdirat, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mknodat,
	SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_truncate, SYS_utimensat,
	SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
	SYS_fremovexattr, SYS_open_by_handle_at, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
#ifdef SYS_creat
	SYS_creat, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_rename, SYS_link, SYS_symlink, SYS_mknod,
	SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_openat2
	SYS_openat2,
#endif
#ifdef SYS_fchmodat2
	SYS_fchmodat2,
#endif
#ifdef SYS_fsopen
	SYS_fsopen, SYS_fsmount, SYS_move_mount, SYS_open_tree,
#endif
#ifdef SYS_mount_setattr
	SYS_mount_setattr,
#endif
#ifdef SYS_io_uring_setup
	SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
	/* Processes. */
	SYS_clone, SYS_kill, SYS_tkill, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
	SYS_setsid, SYS_setpgid, SYS_unshare, SYS_setns, SYS_setpriority, SYS_sched_setscheduler,
	SYS_sched_setparam, SYS_sched_setattr, SYS_sched_setaffinity, SYS_ioprio_set, SYS_kcmp,
	SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
#ifdef SYS_fork
	SYS_fork, SYS_vfork,
#endif
#ifdef SYS_clone3
	SYS_clone3,
#endif
#ifdef SYS_pidfd_open
	SYS_pidfd_open, SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
	SYS_pidfd_getfd,
#endif
	/* The rest of the world. */
	SYS_socket, SYS_socketpair, SYS_shmget, SYS_semget, SYS_msgget, SYS_mq_open, SYS_mq_unlink,
	SYS_add_key, SYS_request_key, SYS_keyctl, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
	SYS_fanotify_init, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_sethostname, SYS_setdomainname,
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_settimeofday,
	SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_syslog, SYS_acct, SYS_quotactl
};

struct filter {
	struct sock_filter at[MOST_INSTRUCTIONS];
	unsigned short n;
};

static void add(struct filter *f, uint16_t code, uint32_t k, uint8_t jump_true, uint8_t jump_false)
{
	if (f->n < MOST_INSTRUCTIONS)
		f->at[f->n++] = (struct sock_filter){ code, jump_true, jump_false, k };
}

static void add_load(struct filter *f, size_t offset)
{
	add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void add_return(struct filter *f, uint32_t what)
{
	add(f, BPF_RET | BPF_K, what, 0, 0);
}

static void add_denied(struct filter *f, int call)
{
	add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
	add_return(f, SECCOMP_RET_ERRNO | EPERM);
}

/* Allowed where that argument has none of these bits. Both machines are little endian: the lower
 * half comes first. */
static void add_without(struct filter *f, int call, unsigned argument, uint32_t bits)
{
	add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
	add_load(f, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t));
	add(f, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
	add_return(f, SECCOMP_RET_ERRNO | EPERM);
	add_return(f, SECCOMP_RET_ALLOW);
}

/* Allowed where the first argument is that. */
static void add_only(struct filter *f, int call, uint32_t value)
{
	add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
	add_load(f, offsetof(struct seccomp_data, args));
	add(f, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
	add_return(f, SECCOMP_RET_ERRNO | EPERM);
	add_return(f, SECCOMP_RET_ALLOW);
}

bool confine_calls(void)
{
	const uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
	struct filter f = { .n = 0 };
	add_load(&f, offsetof(struct seccomp_data, arch));
	add(&f, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	add_return(&f, SECCOMP_RET_KILL_PROCESS);
	add_load(&f, offsetof(struct seccomp_data, nr));
	add(&f, BPF_JMP | BPF_JGE | BPF_K, LARGEST_CALL, 0, 1);
	add_return(&f, SECCOMP_RET_ERRNO | ENOSYS);
	for (size_t i = 0; i < LENGTH(denied); i++)
		add_denied(&f, denied[i]);
	add_without(&f, SYS_openat, 2, writing);
#ifdef SYS_open
	add_without(&f, SYS_open, 1, writing);
#endif
	add_only(&f, SYS_tgkill, (uint32_t)getpid()); /* abort() */
	add_only(&f, SYS_prlimit64, 0);               /* one's own */
	add_return(&f, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { f.n, f.at };
	return f.n < MOST_INSTRUCTIONS &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#endif
