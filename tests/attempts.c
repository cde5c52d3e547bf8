#define _GNU_SOURCE /* syscall, prlimit, CLONE_... */
#include "tests/attempts.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* By number, because the headers may be older than the kernel: what is new in one is not in the other.
 * Calls from 424 on have one number on every processor. */
enum {
	IO_URING_SETUP = 425,
	PIDFD_OPEN = 434,
	OPENAT2 = 437,
	PIDFD_GETFD = 438,
	LANDLOCK_CREATE = 444,
	FCHMODAT2 = 452,
	SETXATTRAT = 463,
	NOT_YET = 900,
	SET_OWNER = 8,
	SET_SIGNAL = 10,
	SET_OWNER_EX = 15,
	SET_LEASE = 1024,
	UNNAMED = 020000000 | O_DIRECTORY,
	AT_EMPTY = 0x1000,
	SET_FLAGS = 0x40086602,
	KEEP_SIZE = 1,
	NO_DUMP = 0x40 /* a flag of files that does no harm */
};
struct value {
	uint64_t at;
	uint32_t size, flags;
};
struct how {
	uint64_t flags, mode, resolve;
};

static const char *given(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "/nonexistent";
}

static const char *outside(void)
{
	return given(ATTEMPT_OUTSIDE);
}

static int inside(void)
{
	return open("solution.c", O_RDONLY);
}

static int said(long rc)
{
	return rc < 0 ? errno : 0;
}

static int change_terminal(void)
{
	struct termios t;
	int fd = open(given(ATTEMPT_TTY), O_RDONLY | O_NOCTTY);
	if (fd < 0 || tcgetattr(fd, &t))
		return -1;
	t.c_lflag ^= ECHO;
	return tcsetattr(fd, TCSANOW, &t);
}

static int read_parent(void)
{
	static char here[8];
	struct iovec to = { here, sizeof here }, from = { here, sizeof here };
	return (int)process_vm_readv(getppid(), &to, 1, &from, 1, 0);
}

static int open_of_parent(const char *name)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), name);
	return open(path, O_RDONLY);
}

static int open_by_root(void)
{
	char path[4200];
	snprintf(path, sizeof path, "/proc/self/root%s", outside());
	return open(path, O_RDONLY);
}

/* The folder that is not the program's stands beside it. */
static int open_above(void)
{
	char path[4200];
	const char *folder = strrchr(given(ATTEMPT_FOLDER), '/');
	snprintf(path, sizeof path, "..%s/outside", folder ? folder : "/");
	return open(path, O_RDONLY);
}

static int reopen_to_write(void)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", inside());
	return open(path, O_WRONLY);
}

static int fork_one(void)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	return pid < 0 ? -1 : 0;
}

/* --- the five ways through the filter that there was, and their like --- */

static int try_f_setown_the_kernel_signals_the_parent(void)
{
	return said(fcntl(STDOUT_FILENO, SET_OWNER, getppid()));
}

static int try_f_setsig_with_a_signal_of_one_s_choice(void)
{
	return said(fcntl(STDOUT_FILENO, SET_SIGNAL, SIGURG));
}

static int try_f_setown_ex(void)
{
	return said(fcntl(STDOUT_FILENO, SET_OWNER_EX, (int[]){ 1, getppid() }));
}

static int try_o_async(void)
{
	return said(fcntl(STDOUT_FILENO, F_SETFL, O_ASYNC));
}

static int try_f_setlease(void)
{
	return said(fcntl(inside(), SET_LEASE, F_RDLCK));
}

static int try_fchmodat2(void)
{
	return said(syscall(FCHMODAT2, AT_FDCWD, outside(), 0777, 0));
}

static int try_chmod(void)
{
	return said(syscall(SYS_fchmodat, AT_FDCWD, outside(), 0777));
}

static int try_setxattrat(void)
{
	return said(syscall(SETXATTRAT, AT_FDCWD, outside(), 0, "user.ridge",
		&(struct value){ (uint64_t)(uintptr_t) "x", 1, 0 }, sizeof(struct value)));
}

static int try_setxattr(void)
{
	return said(syscall(SYS_setxattr, outside(), "user.ridge", "x", 1, 0));
}

static int try_fs_ioc_setflags(void)
{
	return said(ioctl(inside(), SET_FLAGS, &(int){ NO_DUMP }));
}

static int try_shmctl_remove_the_parent_s_memory(void)
{
	return said(shmctl(atoi(given(ATTEMPT_SEGMENT)), IPC_RMID, NULL));
}

static int try_shmat(void)
{
	return said(
		(long)(shmat(atoi(given(ATTEMPT_SEGMENT)), NULL, SHM_RDONLY) == (void *)-1 ? -1
											   : 0));
}

/* --- the parent's terminal --- */

static int try_change_the_terminal(void)
{
	return said(change_terminal());
}

static int try_write_to_the_terminal(void)
{
	return said(open(given(ATTEMPT_TTY), O_WRONLY | O_NOCTTY));
}

static int try_read_from_the_terminal(void)
{
	return said(open(given(ATTEMPT_TTY), O_RDONLY | O_NOCTTY));
}

static int try_tiocsti_keys_that_nobody_pressed(void)
{
	return said(ioctl(STDIN_FILENO, TIOCSTI, "x"));
}

static int try_tiocsctty(void)
{
	return said(ioctl(STDIN_FILENO, TIOCSCTTY, 1));
}

static int try_a_terminal_of_its_own(void)
{
	return said(open("/dev/tty", O_RDWR));
}

/* --- the parent, and processes --- */

static int try_kill_the_parent(void)
{
	return said(kill(getppid(), SIGURG));
}

static int try_kill_the_group(void)
{
	return said(kill(0, SIGURG));
}

static int try_kill_all(void)
{
	return said(kill(-1, 0));
}

static int try_kill_by_pidfd(void)
{
	return said(syscall(PIDFD_OPEN, getppid(), 0));
}

static int try_queue_a_signal(void)
{
	return said(sigqueue(getppid(), SIGURG, (union sigval){ .sival_int = 1 }));
}

static int try_tgkill_the_parent(void)
{
	return said(syscall(SYS_tgkill, getppid(), getppid(), SIGURG));
}

static int try_ptrace_the_parent(void)
{
	return said(ptrace(PTRACE_SEIZE, getppid(), 0, 0));
}

static int try_be_traced(void)
{
	return said(ptrace(PTRACE_TRACEME, 0, 0, 0));
}

static int try_read_the_parent_s_memory(void)
{
	return said(read_parent());
}

static int try_open_the_parent_s_memory(void)
{
	return said(open_of_parent("mem"));
}

static int try_open_the_parent_s_environment(void)
{
	return said(open_of_parent("environ"));
}

static int try_fork(void)
{
	return said(fork_one());
}

static int try_vfork_in_disguise_clone(void)
{
	return said(syscall(SYS_clone, SIGCHLD | CLONE_PARENT, 0, 0, 0, 0));
}

static int try_a_new_user_s_namespace(void)
{
	return said(syscall(SYS_unshare, CLONE_NEWUSER));
}

static int try_raise_its_limits(void)
{
	return said(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 8, 8 }));
}

static int try_limits_of_the_parent(void)
{
	return said(prlimit(getppid(), RLIMIT_NOFILE, &(struct rlimit){ 512, 4096 }, NULL));
}

static int try_setsid_and_outlive(void)
{
	return said(syscall(SYS_setpgid, 0, 0) == 0 || errno == EPERM ? setsid() : -1);
}

static int try_outlive_no_signal_at_the_parent_s_end(void)
{
	return said(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
}

static int try_be_looked_into(void)
{
	return said(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
}

static int try_priority_of_the_parent(void)
{
	return said(setpriority(PRIO_PROCESS, (id_t)getppid(), 19));
}

/* --- files --- */

static int try_read_outside(void)
{
	return said(open(outside(), O_RDONLY));
}

static int try_list_outside(void)
{
	return said(open(given(ATTEMPT_FOLDER), O_RDONLY | O_DIRECTORY));
}

static int try_write_outside(void)
{
	return said(open(outside(), O_WRONLY | O_APPEND));
}

static int try_truncate_opened_to_be_read(void)
{
	return said(open(outside(), O_RDONLY | O_TRUNC));
}

static int try_truncate_by_name(void)
{
	return said(truncate(outside(), 0));
}

static int try_by_a_link_out_of_the_folder(void)
{
	return said(open("way-out", O_RDONLY));
}

static int try_by_the_root_of_its_own_process(void)
{
	return said(open_by_root());
}

static int try_by_the_folder_above(void)
{
	return said(open_above());
}

static int try_read_the_passwords(void)
{
	return said(open("/etc/passwd", O_RDONLY));
}

static int try_make_a_file(void)
{
	return said(open("made", O_WRONLY | O_CREAT, 0600));
}

static int try_make_an_unnamed_file(void)
{
	return said(open("/tmp", O_WRONLY | UNNAMED, 0600));
}

static int try_open_by_openat2(void)
{
	return said(syscall(
		OPENAT2, AT_FDCWD, outside(), &(struct how){ O_WRONLY, 0, 0 }, sizeof(struct how)));
}

static int try_proc_self_fd_to_write(void)
{
	return said(reopen_to_write());
}

static int try_remove(void)
{
	return said(syscall(SYS_unlinkat, AT_FDCWD, "solution.c", 0));
}

static int try_link(void)
{
	return said(syscall(SYS_linkat, AT_FDCWD, "solution.c", AT_FDCWD, "linked", 0));
}

static int try_rename(void)
{
	return said(syscall(SYS_renameat2, AT_FDCWD, "solution.c", AT_FDCWD, "solution.c", 0));
}

static int try_open_by_handle(void)
{
	return said(syscall(SYS_open_by_handle_at, AT_FDCWD, "", O_RDONLY));
}

static int try_mount(void)
{
	return said(syscall(SYS_mount, "none", "/mnt", "tmpfs", 0, NULL));
}

static int try_chroot(void)
{
	return said(syscall(SYS_chroot, "."));
}

/* --- ways that are neither files nor processes --- */

static int try_a_socket(void)
{
	return said(socket(AF_INET, SOCK_STREAM, 0));
}

static int try_a_local_socket(void)
{
	return said(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int try_two_sockets(void)
{
	return said(socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){ 0 }));
}

static int try_netlink(void)
{
	return said(socket(AF_NETLINK, SOCK_RAW, 0));
}

static int try_io_uring(void)
{
	return said(syscall(IO_URING_SETUP, 1, &(char[256]){ 0 }));
}

static int try_userfaultfd(void)
{
	return said(syscall(SYS_userfaultfd, 1));
}

static int try_memfd_for_a_program_that_no_folder_has(void)
{
	return said(syscall(SYS_memfd_create, "x", 0));
}

static int try_execveat_of_an_open_file(void)
{
	return said(syscall(
		SYS_execveat, inside(), "", (char *[]){ "x", NULL }, (char *[]){ NULL }, AT_EMPTY));
}

static int try_bpf(void)
{
	return said(syscall(SYS_bpf, 0, NULL, 0));
}

static int try_perf(void)
{
	return said(syscall(SYS_perf_event_open, &(char[128]){ 0 }, 0, -1, -1, 0));
}

static int try_keys_of_the_kernel(void)
{
	return said(syscall(SYS_add_key, "user", "ridge", "x", 1, -2));
}

static int try_shared_memory(void)
{
	return said(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
}

static int try_a_queue(void)
{
	return said(syscall(SYS_mq_open, "/ridge", O_RDONLY, 0, NULL));
}

static int try_personality(void)
{
	return said(syscall(SYS_personality, 0xffffffff));
}

static int try_a_call_that_there_is_not_yet(void)
{
	return said(syscall(NOT_YET));
}

/* The filter compares a command as a whole: what the kernel cuts off makes it another one. */
static int try_f_setown_under_another_number(void)
{
	return said(syscall(SYS_fcntl, STDOUT_FILENO, 1L << 32 | SET_OWNER, (long)getppid()));
}

static int try_a_file_of_the_parent_by_pidfd(void)
{
	return said(syscall(PIDFD_GETFD, STDIN_FILENO, 0, 0));
}

static int try_whose_files_the_parent_s_are(void)
{
	return said(syscall(SYS_kcmp, getppid(), getpid(), 0, 0, 0));
}

static int try_watch_a_folder(void)
{
	return said(syscall(SYS_inotify_init1, 0));
}

static int try_lock(void)
{
	return said(syscall(SYS_flock, inside(), 1));
}

static int try_a_pipe_with_a_name(void)
{
	return said(syscall(SYS_mknodat, AT_FDCWD, "pipe", S_IFIFO | 0600, 0));
}

static int try_a_link_to_elsewhere(void)
{
	return said(syscall(SYS_symlinkat, "/", AT_FDCWD, "link"));
}

static int try_more_than_a_file_s_size(void)
{
	int fd = open("made", O_WRONLY | O_CREAT, 0600);
	return fd < 0 ? errno : said(syscall(SYS_fallocate, fd, KEEP_SIZE, 0L, 1L << 22));
}

static int try_the_parent_s_scheduling(void)
{
	return said(syscall(SYS_sched_setaffinity, getppid(), 8, &(uint64_t){ ~(uint64_t)0 }));
}

static int try_the_parent_s_session(void)
{
	return said(getsid(getppid()));
}

static int try_the_processors_of_the_parent(void)
{
	return said(syscall(SYS_sched_getaffinity, getppid(), 128, &(char[128]){ 0 }));
}

static int try_the_priority_of_the_parent_read(void)
{
	return said(syscall(SYS_getpriority, PRIO_PROCESS, getppid()));
}

/* As the C library makes the number of that clock. */
static int try_the_parent_s_time_of_the_processor(void)
{
	struct timespec t;
	clockid_t clock;
	int refused = clock_getcpuclockid(getppid(), &clock);
	return refused ? refused : said(clock_gettime(clock, &t));
}

static int try_be_traced_by_anybody(void)
{
	return said(prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0));
}

static int try_children_of_others(void)
{
	return said(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
}

static int try_a_filter_of_its_own(void)
{
	return said(syscall(SYS_seccomp, 2, 0, NULL)); /* which of its actions there are */
}

static int try_rules_of_its_own(void)
{
	return said(syscall(LANDLOCK_CREATE, NULL, 0, 1));
}

static int try_pages_into_a_pipe(void)
{
	return said(syscall(SYS_vmsplice, STDOUT_FILENO, &(struct iovec){ 0 }, 0, 0));
}

#ifdef __x86_64__
/* The numbers of 32-bit processes, in which the filter's would mean something else. */
static int try_a_call_of_32_bits(void)
{
	long rc;
	__asm__ volatile("int $0x80" : "=a"(rc) : "a"(20L) : "memory"); /* getpid */
	return said(rc);
}

static int try_a_call_of_x32(void)
{
	return said(syscall(1L << 30 | SYS_getpid));
}
#endif

/* --- what everybody may --- */

static int try_read_its_own_file(void)
{
	return said(inside());
}

static int try_signal_itself(void)
{
	return said(kill(getpid(), SIGURG));
}

static int try_read_its_clocks(void)
{
	struct timespec t;
	return said(syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &t) ||
				    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t)
			    ? -1
			    : 0);
}

static int try_see_its_own_session(void)
{
	return said(getsid(0) < 0 || getsid(getpid()) < 0 ? -1 : 0);
}

static int try_read_its_limits(void)
{
	return said(prlimit(0, RLIMIT_CPU, NULL, &(struct rlimit){ 0 }));
}

static int try_read_what_the_system_has(void)
{
	return said(open("/usr/include/stdio.h", O_RDONLY) < 0 && errno != ENOENT ? -1 : 0);
}

static int try_list_the_system_s(void)
{
	return said(open("/usr", O_RDONLY | O_DIRECTORY));
}

const struct attempt attempts[] = {
	{ "F_SETOWN: the kernel signals the parent", try_f_setown_the_kernel_signals_the_parent,
		SHOWN },
	{ "F_SETSIG: with a signal of one's choice", try_f_setsig_with_a_signal_of_one_s_choice,
		SHOWN },
	{ "F_SETOWN_EX", try_f_setown_ex, SHOWN },
	{ "O_ASYNC", try_o_async, SHOWN },
	{ "F_SETLEASE", try_f_setlease, SHOWN },
	{ "fchmodat2", try_fchmodat2, 0 },
	{ "chmod", try_chmod, SHOWN },
	{ "setxattrat", try_setxattrat, 0 },
	{ "setxattr", try_setxattr, 0 },
	{ "FS_IOC_SETFLAGS", try_fs_ioc_setflags, 0 },
	{ "shmctl: remove the parent's memory", try_shmctl_remove_the_parent_s_memory, SHOWN },
	{ "shmat", try_shmat, SHOWN },
	{ "change the terminal", try_change_the_terminal, SHOWN },
	{ "write to the terminal", try_write_to_the_terminal, SHOWN },
	{ "read from the terminal", try_read_from_the_terminal, SHOWN },
	{ "TIOCSTI: keys that nobody pressed", try_tiocsti_keys_that_nobody_pressed, 0 },
	{ "TIOCSCTTY", try_tiocsctty, 0 },
	{ "a terminal of its own", try_a_terminal_of_its_own, 0 },
	{ "kill the parent", try_kill_the_parent, SHOWN },
	{ "kill the group", try_kill_the_group, SHOWN },
	{ "kill all", try_kill_all, 0 },
	{ "kill by pidfd", try_kill_by_pidfd, SHOWN },
	{ "queue a signal", try_queue_a_signal, SHOWN },
	{ "tgkill the parent", try_tgkill_the_parent, SHOWN },
	{ "ptrace the parent", try_ptrace_the_parent, 0 },
	{ "be traced", try_be_traced, SHOWN },
	{ "read the parent's memory", try_read_the_parent_s_memory, 0 },
	{ "open the parent's memory", try_open_the_parent_s_memory, 0 },
	{ "open the parent's environment", try_open_the_parent_s_environment, SHOWN },
	{ "fork", try_fork, SHOWN | OF_COMPILERS },
	{ "vfork in disguise: clone", try_vfork_in_disguise_clone, 0 },
	{ "a new user's namespace", try_a_new_user_s_namespace, 0 },
	{ "raise its limits", try_raise_its_limits, SHOWN },
	{ "limits of the parent", try_limits_of_the_parent, 0 },
	{ "setsid, and outlive", try_setsid_and_outlive, 0 },
	{ "outlive: no signal at the parent's end", try_outlive_no_signal_at_the_parent_s_end,
		SHOWN },
	{ "be looked into", try_be_looked_into, SHOWN },
	{ "priority of the parent", try_priority_of_the_parent, 0 },
	{ "read outside", try_read_outside, SHOWN },
	{ "list outside", try_list_outside, SHOWN },
	{ "write outside", try_write_outside, SHOWN },
	{ "truncate, opened to be read", try_truncate_opened_to_be_read, 0 },
	{ "truncate by name", try_truncate_by_name, 0 },
	{ "by a link out of the folder", try_by_a_link_out_of_the_folder, SHOWN },
	{ "by the root of its own process", try_by_the_root_of_its_own_process, SHOWN },
	{ "by the folder above", try_by_the_folder_above, SHOWN },
	{ "read the passwords", try_read_the_passwords, SHOWN },
	{ "make a file", try_make_a_file, SHOWN | OF_COMPILERS },
	{ "make an unnamed file", try_make_an_unnamed_file, 0 },
	{ "open by openat2", try_open_by_openat2, SHOWN },
	{ "/proc/self/fd, to write", try_proc_self_fd_to_write, SHOWN | OF_COMPILERS },
	{ "link", try_link, SHOWN },
	{ "rename", try_rename, SHOWN | OF_COMPILERS },
	{ "remove", try_remove, OF_COMPILERS },
	{ "open by handle", try_open_by_handle, 0 },
	{ "mount", try_mount, 0 },
	{ "chroot", try_chroot, 0 },
	{ "a socket", try_a_socket, SHOWN },
	{ "a local socket", try_a_local_socket, SHOWN },
	{ "two sockets", try_two_sockets, SHOWN },
	{ "netlink", try_netlink, SHOWN },
	{ "io_uring", try_io_uring, 0 },
	{ "userfaultfd", try_userfaultfd, 0 },
	{ "memfd, for a program that no folder has", try_memfd_for_a_program_that_no_folder_has,
		SHOWN },
	{ "execveat of an open file", try_execveat_of_an_open_file, 0 },
	{ "bpf", try_bpf, 0 },
	{ "perf", try_perf, 0 },
	{ "keys of the kernel", try_keys_of_the_kernel, 0 },
	{ "shared memory", try_shared_memory, 0 },
	{ "a queue", try_a_queue, 0 },
	{ "personality", try_personality, SHOWN },
	{ "a call that there is not yet", try_a_call_that_there_is_not_yet, 0 },
	{ "F_SETOWN, under another number", try_f_setown_under_another_number, SHOWN },
	{ "a file of the parent, by pidfd", try_a_file_of_the_parent_by_pidfd, 0 },
	{ "whose files the parent's are", try_whose_files_the_parent_s_are, 0 },
	{ "watch a folder", try_watch_a_folder, SHOWN },
	{ "lock", try_lock, SHOWN },
	{ "a pipe with a name", try_a_pipe_with_a_name, SHOWN },
	{ "a link to elsewhere", try_a_link_to_elsewhere, SHOWN },
	{ "more than a file's size", try_more_than_a_file_s_size, 0 },
	{ "the parent's scheduling", try_the_parent_s_scheduling, SHOWN },
	{ "the parent's session", try_the_parent_s_session, SHOWN | OF_COMPILERS },
	{ "the processors of the parent", try_the_processors_of_the_parent, SHOWN | OF_COMPILERS },
	{ "the priority of the parent, read", try_the_priority_of_the_parent_read,
		SHOWN | OF_COMPILERS },
	{ "the parent's time of the processor", try_the_parent_s_time_of_the_processor, SHOWN },
	{ "be traced by anybody", try_be_traced_by_anybody, 0 },
	{ "children of others", try_children_of_others, SHOWN },
	{ "a filter of its own", try_a_filter_of_its_own, 0 },
	{ "rules of its own", try_rules_of_its_own, 0 },
	{ "pages into a pipe", try_pages_into_a_pipe, SHOWN },
#ifdef __x86_64__
	{ "a call of 32 bits", try_a_call_of_32_bits, ENDED },
	{ "a call of x32", try_a_call_of_x32, ENDED },
#endif
	{ "read its own file", try_read_its_own_file, OF_ALL },
	{ "signal itself", try_signal_itself, OF_ALL },
	{ "read its clocks", try_read_its_clocks, OF_ALL },
	{ "see its own session", try_see_its_own_session, OF_ALL },
	{ "read its limits", try_read_its_limits, OF_ALL },
	{ "read what the system has", try_read_what_the_system_has, OF_ALL },
	{ "list the system's", try_list_the_system_s, OF_ALL },
};
const size_t n_attempts = sizeof attempts / sizeof *attempts;

__attribute__((constructor)) static void attempt(void)
{
	const char *name = getenv(ATTEMPT);
	for (size_t i = 0; name && i < n_attempts; i++)
		if (strcmp(name, attempts[i].name) == 0)
			_exit(attempts[i].make());
}

#else

const struct attempt attempts[1];
const size_t n_attempts = 0;

#endif
