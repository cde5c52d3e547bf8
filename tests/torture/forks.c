/* Linked with tests/fault/malloc.c into one library that is loaded before the C library. It tries every
 * allocation of a command in one run: at each it forks, the fork gets no memory and goes on to its end,
 * while the program itself waits, judges what became of it, gets its memory and goes on to the next.
 *
 * TORTURE_STRIDE  every so many allocations only, from the first on
 * TORTURE_PLACES  and the first of each place in the program that is not in this file yet, as a number
 *                 of eight bytes each; it gets those that were found. They fail once, not for ever
 * TORTURE_PLACES_S  seconds of a processor after which none of these is tried any more
 * TORTURE_WHOLE   the output of an undisturbed run, the same name and "-ascii" that without a locale;
 *                 TORTURE_STATUS its exit status
 * TORTURE_PART    where a fork's output goes; what it says besides goes to the same name and "-err"
 * TORTURE_REPORT  gets a line for each finding: what is wrong, which allocation, once or for ever,
 *                 status, and where in the program; and a last line with how many were tried
 * TORTURE_KEEPS   a file of lines to which the command may add: none may be lost, or stand in part
 * TORTURE_SHOWN   the output itself may say that there is no memory, as a screen does
 * TORTURE_NOW     the time, in seconds since 1970
 * TORTURE_CLOCK   no time passes, so that an answer took as long in each run */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A place is an allocation's innermost calls in the program, PLACE_CALLS of them, as far as they are among
 * the first PLACE_FRAMES. To look takes longer than to allocate: after the first so many allocations one in
 * so many is looked at. */
enum {
	HANG_S = 60,
	FRAMES = 24,
	LARGEST = 1 << 22,
	LARGEST_SAID = 4096,
	PLACE_CALLS = 5,
	PLACE_FRAMES = 16,
	PLACES = 1 << 16,
	FIRST_LOOKED_AT = 100000,
	LATER_LOOKED_AT = 64
};

int torture_decides(long n, int *fail_on);

static long stride, tried, found, now, places_s;
static int report = -1, waits_for;
static const char *part, *keeps, *shown, *clock_stands;
static char part_err[4096];
static char *whole, *ascii, *got, said[LARGEST_SAID], *program;
static uint64_t *places; /* by their hash; 0: none */
static int places_kept = -1;
static double places_used_s; /* of a processor, by what is tried for its place alone */
static ssize_t whole_bytes, ascii_bytes;
static bool is_fork;

/* Nothing here may allocate: it is the allocator that asks. */
static ssize_t slurp(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t more = 0;
	while (fd >= 0 && n < room - 1 && (more = read(fd, to + n, room - 1 - n)) > 0)
		n += (size_t)more;
	if (fd >= 0)
		close(fd);
	to[n] = '\0';
	return fd < 0 || more < 0 ? -1 : (ssize_t)n;
}

static double seconds_of(const struct rusage *used)
{
	return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
	       1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

static long number_of(const char *name, long otherwise)
{
	const char *text = getenv(name);
	return text ? atol(text) : otherwise;
}

static int note_base(struct dl_phdr_info *info, size_t size, void *to)
{
	(void)size;
	*(char **)to = (char *)info->dlpi_addr; /* the first is the program */
	return 1;
}

static bool is_of_program(const void *address)
{
	return (const char *)address > program && (const char *)address - program < 1 << 27;
}

/* Whether it was not there yet; it is afterwards. A table that is full has all. */
static bool add_place(uint64_t place)
{
	size_t i = place % PLACES;
	for (int tries = 0; tries < PLACES; tries++, i = (i + 1) % PLACES) {
		if (places[i] == place)
			return false;
		if (!places[i]) {
			places[i] = place;
			return true;
		}
	}
	return false;
}

/* FNV-1a over where the calls are. */
static uint64_t place_here(void)
{
	void *frames[PLACE_FRAMES];
	uint64_t hash = 14695981039346656037ULL;
	const int n = backtrace(frames, PLACE_FRAMES);
	for (int i = 0, calls = 0; i < n && calls < PLACE_CALLS; i++) {
		if (!is_of_program(frames[i]))
			continue;
		const uint64_t at = (uint64_t)((char *)frames[i] - program);
		for (int byte = 0; byte < 4; byte++)
			hash = (hash ^ (at >> (8 * byte) & 0xff)) * 1099511628211ULL;
		calls++;
	}
	return hash ? hash : 1;
}

static bool is_new_place(long n)
{
	if (!places || (n > FIRST_LOOKED_AT && n % LATER_LOOKED_AT) ||
		places_used_s >= (double)places_s)
		return false;
	const uint64_t place = place_here();
	if (!add_place(place))
		return false;
	if (write(places_kept, &place, sizeof place) != sizeof place)
		_exit(105);
	return true;
}

static void begin_places(const char *path)
{
	uint64_t place;
	if (!path)
		return;
	places = calloc(PLACES, sizeof *places);
	places_kept = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (!places || places_kept < 0)
		_exit(106);
	for (off_t at = 0; pread(places_kept, &place, sizeof place, at) == sizeof place;
		at += sizeof place)
		add_place(place);
}

__attribute__((constructor)) static void begin_forks(void)
{
	void *frames[FRAMES];
	now = number_of("TORTURE_NOW", 0);
	clock_stands = getenv("TORTURE_CLOCK");
	if (!getenv("TORTURE_STRIDE"))
		return;
	unsetenv("LD_PRELOAD"); /* what the command starts is not tortured */
	part = getenv("TORTURE_PART");
	keeps = getenv("TORTURE_KEEPS");
	shown = getenv("TORTURE_SHOWN");
	snprintf(part_err, sizeof part_err, "%s-err", part);
	report = open(getenv("TORTURE_REPORT"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	waits_for = (int)number_of("TORTURE_STATUS", 0);
	whole = malloc(LARGEST);
	got = malloc(LARGEST);
	ascii = malloc(LARGEST);
	whole_bytes = slurp(getenv("TORTURE_WHOLE"), whole, LARGEST);
	char path[4096];
	snprintf(path, sizeof path, "%s-ascii", getenv("TORTURE_WHOLE"));
	ascii_bytes = slurp(path, ascii, LARGEST);
	backtrace(frames, FRAMES); /* the first call allocates */
	dl_iterate_phdr(note_base, &program);
	begin_places(getenv("TORTURE_PLACES"));
	places_s = number_of("TORTURE_PLACES_S", LONG_MAX);
	if (report < 0 || whole_bytes < 0 || ascii_bytes < 0)
		_exit(100);
	stride = number_of("TORTURE_STRIDE", 1);
}

static void tell(const char *fmt, ...)
{
	char line[2048];
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof line)
		n = sizeof line - 1;
	for (int i = 0; i < n - 1; i++)
		line[i] = line[i] == '\n' ? ' ' : line[i];
	if (n > 0 && write(report, line, (size_t)n) < 0)
		_exit(101);
}

__attribute__((destructor)) static void end_forks(void)
{
	if (stride && !is_fork)
		tell("tried %ld found %ld\n", tried, found);
}

/* So that what depends on the hour is the same in each run. */
time_t time(time_t *out)
{
	struct timespec t = { .tv_sec = now };
	if (!now)
		syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
	if (out)
		*out = t.tv_sec;
	return t.tv_sec;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
	if (!clock_stands)
		return (int)syscall(SYS_clock_gettime, clock, out);
	*out = (struct timespec){ .tv_sec = now };
	return 0;
}

/* The fork writes to files of its own, which begin with what the program has written already. */
static void redirect(int fd, const char *path)
{
	char block[1 << 14];
	int to = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	ssize_t n = 0;
	for (off_t at = 0; (n = pread(fd, block, sizeof block, at)) > 0; at += n)
		if (write(to, block, (size_t)n) != n)
			_exit(102);
	if (to < 0 || dup2(to, fd) < 0)
		_exit(102);
	close(to);
}

/* Files and folders as well are read on from where the program stands, and leave that where it is: what
 * they are opened as is otherwise one place for both. */
static void reopen_files(void)
{
	enum { MOST_FILES = 64 };
	for (int fd = 0; fd < MOST_FILES; fd++) {
		struct stat st;
		char path[32];
		if (fd == STDOUT_FILENO || fd == STDERR_FILENO || fd == report || fstat(fd, &st) ||
			!(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
			continue;
		off_t at = lseek(fd, 0, SEEK_CUR);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		int anew = open(path, fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK));
		if (anew < 0)
			continue;
		lseek(anew, at, SEEK_SET);
		dup2(anew, fd);
		close(anew);
	}
}

/* What is wrong with how a fork ended, or NULL. */
static const char *judge(int status, off_t kept)
{
	struct stat st;
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGALRM ? "hangs" : "crashes";
	if (keeps && stat(keeps, &st) == 0 && st.st_size != kept) {
		char last = '\n';
		int fd = open(keeps, O_RDWR | O_CLOEXEC);
		bool reads = st.st_size > kept && pread(fd, &last, 1, st.st_size - 1) == 1;
		if (fd < 0 || !reads || last != '\n')
			return "damages";
		if (ftruncate(fd, kept))
			_exit(103);
		close(fd);
	}
	ssize_t n = slurp(part, got, LARGEST);
	slurp(part_err, said, sizeof said);
	bool same = (n == whole_bytes && memcmp(got, whole, (size_t)n) == 0) ||
		    (n == ascii_bytes && memcmp(got, ascii, (size_t)n) == 0);
	if (WEXITSTATUS(status) == waits_for && same)
		return NULL;
	if (WEXITSTATUS(status) > 2)
		return "has a status of its own";
	if (shown && strcasestr(got, "out of memory"))
		return NULL;
	if (WEXITSTATUS(status) == 0)
		return "passes for whole";
	return strcasestr(said, "out of memory") || strstr(said, strerror(ENOMEM))
		       ? NULL
		       : "does not say why";
}

/* The calls that led here, as addresses that addr2line takes. */
static void tell_place(void)
{
	void *frames[FRAMES];
	int n = backtrace(frames, FRAMES);
	for (int i = 0; i < n; i++)
		if (is_of_program(frames[i]))
			tell(" %#tx", (char *)frames[i] - program - 1);
	tell("\n");
}

/* 1 where this allocation fails, in the fork; 0 else. */
int torture_decides(long n, int *fail_on)
{
	if (!stride || is_fork)
		return 0;
	const bool is_new = is_new_place(n), whole_trial = (n - 1) % stride == 0;
	if (!is_new && !whole_trial)
		return 0;
	for (int on = 0; on < 1 + whole_trial; on++) {
		struct stat st = { .st_size = 0 };
		struct rusage used;
		int status = 0;
		if (keeps && stat(keeps, &st))
			st.st_size = 0;
		/* Not by fork(): locks that the C library holds belong to a thread of that number. */
		pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
		if (pid == 0) {
			is_fork = true;
			*fail_on = on;
			redirect(STDOUT_FILENO, part);
			redirect(STDERR_FILENO, part_err);
			reopen_files();
			alarm(HANG_S);
			return 1;
		}
		if (pid < 0 || wait4(pid, &status, 0, &used) != pid)
			_exit(104);
		places_used_s += whole_trial ? 0 : seconds_of(&used);
		tried++;
		const char *wrong = judge(status, st.st_size);
		if (!wrong)
			continue;
		found++;
		tell("%s\t%ld\t%s\t%s %d\t%.300s\t", wrong, n, on ? "ever" : "once",
			WIFSIGNALED(status) ? "signal" : "exit",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), said);
		tell_place();
	}
	return 0;
}
