/* What a confined process cannot do, by the system's own answers: a parent that is like ridge (it owns a
 * terminal, and files that a program has no business with) starts this binary again, confined, to make
 * one attempt after another (attempts.h). */
#define _GNU_SOURCE /* posix_openpt, SCMP */
#include "tests/attempts.h"
#include "sims/base/array.h"
#include "tests/median.h"
#include "tests/runs.h"
#include "ui/commands/commands.h"
#include "ui/programs/consent.h"
#include "ui/programs/private_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>

#ifdef __linux__
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/syscall.h>
#endif

enum { ANOTHER = 65534 }; /* a user's number */

/* --- a parent worth attacking --- */

static struct {
	struct private_dir dir, folder; /* the program's, and one that is not */
	char outside[1200];
	int master, tty;
	char tty_name[128];
	struct termios before;
	int segment;
	char binary[PATH_MAX];
} parent;

static void lay_out_segment(void)
{
	parent.segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	cr_assert(ne(int, parent.segment, -1));
}

static void lay_out(void)
{
	char err[300] = "", link[1200];
	cr_assert(zero(int, private_dir_make(&parent.dir, err, sizeof err)), "%s", err);
	cr_assert(zero(int, private_dir_make(&parent.folder, err, sizeof err)), "%s", err);
	cr_assert(zero(int, private_dir_put(&parent.dir, "solution.c", "x\n", err, sizeof err)));
	cr_assert(zero(int, private_dir_put(&parent.folder, "outside", "mine\n", err, sizeof err)));
	snprintf(parent.outside, sizeof parent.outside, "%s/outside", parent.folder.path);
	snprintf(link, sizeof link, "%s/way-out", parent.dir.path);
	cr_assert(zero(int, symlink(parent.outside, link)));
	parent.master = posix_openpt(O_RDWR | O_NOCTTY);
	cr_assert(zero(int, grantpt(parent.master) || unlockpt(parent.master)));
	snprintf(parent.tty_name, sizeof parent.tty_name, "%s", ptsname(parent.master));
	parent.tty = open(parent.tty_name, O_RDWR | O_NOCTTY);
	cr_assert(zero(int, tcgetattr(parent.tty, &parent.before)));
	lay_out_segment();
	ssize_t n = readlink("/proc/self/exe", parent.binary, sizeof parent.binary - 1);
	cr_assert(lt(i64, 0, n));
}

static void clear_away(void)
{
	shmctl(parent.segment, IPC_RMID, NULL);
	close(parent.tty);
	close(parent.master);
	private_dir_remove(&parent.dir);
	private_dir_remove(&parent.folder);
}

/* How an attempt came out: 0, an errno, or -1 when the process was ended. */
static int outcome(const struct attempt *a, enum confinement confined)
{
	char words[5][1400];
	const char *env[6] = { words[0], words[1], words[2], words[3], words[4], NULL };
	snprintf(words[0], sizeof words[0], ATTEMPT "=%s", a->name);
	snprintf(words[1], sizeof words[1], ATTEMPT_OUTSIDE "=%s", parent.outside);
	snprintf(words[2], sizeof words[2], ATTEMPT_FOLDER "=%s", parent.folder.path);
	snprintf(words[3], sizeof words[3], ATTEMPT_TTY "=%s", parent.tty_name);
	snprintf(words[4], sizeof words[4], ATTEMPT_SEGMENT "=%d", parent.segment);
	const char *const argv[] = { parent.binary, NULL }, *const readable[] = { parent.binary,
		NULL };
	struct child c = { .argv = argv,
		.env = env,
		.dir = parent.dir.fd,
		.limits = { 20, (size_t)4 << 30, 1 << 20, 64, false },
		.confined = confined,
		.readable = readable,
		.wall_ms = 60000,
		.output_bytes = 4000 };
	struct child_hold hold;
	struct child_end end;
	char err[300] = "";
	child_hold(&hold);
	int rc = child_run(&c, &end, err, sizeof err);
	child_release(&hold);
	cr_assert(zero(int, rc), "%s: %s", a->name, err);
	if (*end.output)
		cr_log_warn("%s: %s", a->name, end.output);
	free(end.output);
	return WIFEXITED(end.status) ? WEXITSTATUS(end.status) : -1;
}

static void expect_unharmed(const char *name)
{
	struct termios now;
	struct stat st;
	struct shmid_ds segment;
	cr_assert(zero(int, tcgetattr(parent.tty, &now)));
	cr_expect(now.c_lflag == parent.before.c_lflag, "%s: the terminal was changed", name);
	cr_assert(zero(int, stat(parent.outside, &st)), "%s: the file is gone", name);
	cr_expect(eq(uint, st.st_mode & 07777, 0600), "%s", name);
	cr_expect(eq(i64, st.st_size, 5), "%s", name);
	cr_expect(zero(int, shmctl(parent.segment, IPC_STAT, &segment)), "%s", name);
}

static void need_confinement(void)
{
	char why[CODE_WHY_SIZE];
	if (!confine_works(why, sizeof why))
		cr_skip_test("%s", why);
}

static void expect_refused(enum confinement confined, unsigned allowed)
{
	size_t tried = 0, refused = 0;
	lay_out();
	for (size_t i = 0; i < n_attempts; i++) {
		const struct attempt *a = &attempts[i];
		if (confined == CONFINED_COMPILER && a->kinds & OF_COMPILERS)
			continue;
		int got = outcome(a, confined);
		if (a->kinds & allowed) {
			cr_expect(zero(int, got), "%s: %s", a->name, strerror(got));
			continue;
		}
		const bool held = a->kinds & ENDED ? got == -1
						   : got == EPERM || got == EACCES || got == ENOSYS;
		cr_expect(
			held, "%s: %d, %s", a->name, got, got > 0 ? strerror(got) : "got through");
		expect_unharmed(a->name);
		tried++;
		refused += held;
	}
	cr_expect(lt(sz, 60, refused));
	cr_log_info(
		"figure: %zu calls of the system that do harm, by a %s: refused, %zu got through",
		tried, confined == CONFINED_COMPILER ? "compiler" : "program", tried - refused);
	clear_away();
}

Test(confine, a_program_gets_nowhere, .timeout = 120)
{
	need_confinement();
	expect_refused(CONFINED_PROGRAM, OF_ALL);
}

Test(confine, a_compiler_gets_nowhere_else, .timeout = 120)
{
	need_confinement();
	expect_refused(CONFINED_COMPILER, OF_ALL);
	lay_out();
	for (size_t i = 0; i < n_attempts; i++)
		if (attempts[i].kinds & OF_COMPILERS)
			cr_expect(zero(int, outcome(&attempts[i], CONFINED_COMPILER)), "%s",
				attempts[i].name);
	clear_away();
}

/* Otherwise the tests above could pass by attempts that fail everywhere. */
Test(confine, the_attempts_are_real, .timeout = 120)
{
	lay_out();
	for (size_t i = 0; i < n_attempts; i++) {
		if (!(attempts[i].kinds & (SHOWN | OF_ALL)))
			continue;
		int got = outcome(&attempts[i], CONFINED_BY_LIMITS);
		/* A system in a container may lack a call. */
		cr_expect(got == 0 || got == ENOSYS, "%s: %s", attempts[i].name, strerror(got));
		shmctl(parent.segment, IPC_RMID, NULL);
		lay_out_segment();
	}
	clear_away();
}

#ifdef __linux__
/* What a process is told to keep over exec: all that it has. As another user than root it has only
 * what is ambient. */
static void keep_privileges(bool as_another)
{
	struct __user_cap_header_struct self = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct all[_LINUX_CAPABILITY_U32S_3];
	cr_assert(zero(i64, syscall(SYS_capget, &self, all)));
	if (as_another) {
		cr_assert(zero(int, prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)));
		cr_assert(zero(int, setgid(ANOTHER) || setuid(ANOTHER)));
	}
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		all[i].effective = all[i].inheritable = all[i].permitted;
	cr_assert(zero(i64, syscall(SYS_capset, &self, all)));
	for (unsigned long i = 0; as_another && i <= CAP_LAST_CAP; i++)
		prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, i, 0, 0);
}
#else
static void keep_privileges(bool as_another)
{
	(void)as_another;
}
#endif

/* What a confined program of the system reads about itself. */
static void expect_prints(const char *const argv[], const char *text)
{
	static const char *const readable[] = { "/proc", NULL };
	struct child c = { .argv = argv,
		.dir = open("/usr", O_RDONLY),
		.limits = { 5, (size_t)1 << 32, 0, 64, false },
		.confined = CONFINED_PROGRAM,
		.readable = readable,
		.wall_ms = 20000,
		.output_bytes = 1000 };
	struct child_hold hold;
	struct child_end end;
	char err[300] = "";
	need_confinement();
	child_hold(&hold);
	cr_assert(zero(int, child_run(&c, &end, err, sizeof err)), "%s", err);
	child_release(&hold);
	cr_expect(eq(str, end.output, (char *)text));
	free(end.output);
	close(c.dir);
}

static void expect_no_privilege(void)
{
	static const char *const argv[] = { "/bin/grep", "^CapPrm", "/proc/self/status", NULL };
	expect_prints(argv, "CapPrm:\t0000000000000000\n");
}

/* 1000 is the most that the kernel knows. */
Test(confine, ends_before_ridge_where_memory_runs_out, .timeout = 60)
{
	static const char *const argv[] = { "/bin/cat", "/proc/self/oom_score_adj", NULL };
	expect_prints(argv, "1000\n");
}

/* At 0 the system's crash handler, where there is one, would still be called: outside. */
Test(confine, a_crash_is_handed_to_nobody, .timeout = 60)
{
	static const char *const argv[] = { "/bin/grep", "-c", "^Max core file size  *1  *1 ",
		"/proc/self/limits", NULL };
	struct rlimit own;
	if (getrlimit(RLIMIT_CORE, &own) || own.rlim_max == 0)
		cr_skip_test("the limit is 0 already, and stays");
	expect_prints(argv, "1\n");
}

/* Root's programs have none of its privileges, confined or not by anything else. */
Test(confine, no_privilege_is_left, .timeout = 60)
{
	expect_no_privilege();
	keep_privileges(false);
	expect_no_privilege();
}

Test(confine, no_privilege_of_another_user_is_left, .timeout = 60)
{
	if (geteuid())
		cr_skip_test("only root can give privileges to another user");
	keep_privileges(true);
	expect_no_privilege();
}

/* --- compilers --- */

/* A source that quotes a file of the user's into the compiler's complaints, or into the program. */
Test(confine, a_compiler_reads_nothing_of_ours, .description = "long", .init = load,
	.fini = release, .timeout = 120)
{
	static const char *const sources[] = { "#include \"%s\"\n",
		"__asm__(\".incbin \\\"%s\\\"\");\n", "__asm__(\".include \\\"%s\\\"\");\n" };
	char file[100], why[CODE_WHY_SIZE];
	need("cc");
	snprintf(file, sizeof file, "%s/secret", place);
	FILE *f = fopen(file, "w");
	fputs("secret words\n", f);
	fclose(f);
	struct variant v = deal_drill("code-quantise-c", 1);
	for (size_t i = 0; confine_works(why, sizeof why) && i < LENGTH(sources); i++) {
		char program[300];
		snprintf(program, sizeof program, sources[i], file);
		struct code_result r = run(&v, program);
		cr_expect(eq(int, r.grade.verdict, VERDICT_INVALID));
		cr_expect(strstr(r.grade.remark, "ermission denied") ||
				  strstr(r.grade.remark, "file not found"),
			"%s", r.grade.remark);
		cr_expect(strstr(r.grade.remark, "words") == NULL, "%s", r.grade.remark);
	}
	remove(file);
	variant_release(&v);
}

/* The name of a file comes from the source as well, and may be anything. */
Test(confine, a_compiler_s_complaint_steers_no_terminal, .init = load, .fini = release,
	.timeout = 60)
{
	need("cc");
	struct variant v = deal_drill("code-quantise-c", 1);
	struct code_result r = run(&v, "# 1 \"\\033]52;c;eA==\\007\\033[2J\"\nint x = ;\n");
	if (r.state == CODE_RAN) {
		cr_expect(eq(int, r.grade.verdict, VERDICT_INVALID));
		cr_expect(strstr(r.grade.remark, "?]52;c;eA==??[2J:1:9: error:") != NULL, "%s",
			r.grade.remark);
		cr_expect(strpbrk(r.grade.remark, "\x1b\x07") == NULL, "%s", r.grade.remark);
	}
	variant_release(&v);
}

/* --- tools in the user's own folder --- */

/* python3 is found in ~/bin: what is beside that is not its own, whether or not HOME says so. */
Test(confine, a_tool_in_the_home_opens_nothing_of_it, .init = load, .fini = release, .timeout = 60)
{
	char home[100], bin[120], link[140], secret[120], program[300], why[CODE_WHY_SIZE];
	if (access("/usr/bin/python3", X_OK))
		need("no python3 of the system");
	snprintf(home, sizeof home, "%s/home", place);
	snprintf(bin, sizeof bin, "%s/bin", home);
	snprintf(link, sizeof link, "%s/python3", bin);
	snprintf(secret, sizeof secret, "%s/secret", home);
	cr_assert(zero(int, mkdir(home, 0700) || mkdir(bin, 0700)));
	cr_assert(zero(int, symlink("/usr/bin/python3", link)));
	FILE *f = fopen(secret, "w");
	cr_assert(f && fputs("secret words\n", f) >= 0 && fclose(f) == 0);
	setenv("PATH", bin, 1);
	snprintf(program, sizeof program, "print(open('%s').read())\n", secret);
	struct variant v = deal_drill("code-ring", 1);
	for (int i = 0; confine_works(why, sizeof why) && i < 2; i++) {
		if (i)
			unsetenv("HOME");
		else
			setenv("HOME", home, 1);
		struct code_result r = run(&v, program);
		cr_expect(strstr(r.grade.remark, "PermissionError") != NULL, "%s", r.grade.remark);
		cr_expect(strstr(r.said, "words") == NULL, "%s", r.said);
	}
	variant_release(&v);
	remove(secret);
	remove(link);
	rmdir(bin);
	rmdir(home);
}

/* --- stopping --- */

struct wish {
	int64_t begun_ms, wished_ms;
};

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* After 1.5 s, when the model solution has run and the other is under way. */
static bool wishes_to_stop(void *context)
{
	struct wish *w = context;
	int64_t now = now_ms();
	if (!w->begun_ms)
		w->begun_ms = now;
	if (!w->wished_ms && now - w->begun_ms >= 1500)
		w->wished_ms = now;
	return w->wished_ms != 0;
}

/* A user's patience, the median of three: others use the machine too. */
static void expect_stops(const char *drill, const char *program)
{
	enum { AT_MOST_MS = 200, TRIES = 3 };
	struct variant v = deal_drill(drill, 1);
	double took_ms[TRIES];
	for (int i = 0; i < TRIES; i++) {
		struct wish w = { 0 };
		struct code_limits limits = { 60000, 60, (size_t)512 << 20, 256 << 10,
			wishes_to_stop, &w };
		struct code_result r;
		char err[600] = "";
		cr_assert(eq(int, code_run(&v, program, &limits, &r, err, sizeof err), -1));
		cr_expect(eq(str, err, (char *)"It was stopped: no attempt is used."));
		took_ms[i] = (double)(now_ms() - w.wished_ms);
	}
	cr_expect(le(dbl, median_of_three(took_ms), AT_MOST_MS));
	cr_log_info("figure: what runs for %s is stopped within %.0f ms", drill,
		median_of_three(took_ms));
	variant_release(&v);
}

Test(confine, a_program_stops_at_once, .description = "long", .init = load, .fini = release,
	.timeout = 120)
{
	need("python3");
	expect_stops("code-ring", "while True: pass\n");
}

/* Ten macros, each nine times the one before: a text of a thousand million words. */
Test(confine, a_compiler_stops_at_once, .description = "long", .init = load, .fini = release,
	.timeout = 120)
{
	char program[2000] = "#define M0 1,\n";
	need("cc");
	for (int i = 1; i < 10; i++)
		sprintf(program + strlen(program),
			"#define M%d M%d M%d M%d M%d M%d M%d M%d M%d M%d\n", i, i - 1, i - 1, i - 1,
			i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	strcat(program, "int all[] = { M9 };\n");
	expect_stops("code-quantise-c", program);
}

/* --- where it cannot be enforced --- */

#ifdef __linux__
enum { LANDLOCK_CREATE = 444, LANDLOCK_RESTRICT = 446 };

/* This process, and what it starts, on a system without one or the other. An error of 0: such a system
 * takes what it is given, and does nothing. */
static void lack(bool filters, bool files, int filters_error, int files_error)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
	if (files)
		cr_assert(zero(int, seccomp_rule_add(f, SCMP_ACT_ERRNO((unsigned)files_error),
					    files_error ? LANDLOCK_CREATE : LANDLOCK_RESTRICT, 0)));
	if (filters) {
		const uint32_t answer = SCMP_ACT_ERRNO((unsigned)filters_error);
		cr_assert(zero(int, seccomp_rule_add(f, answer, SCMP_SYS(seccomp), 0)));
		cr_assert(zero(int, seccomp_rule_add(f, answer, SCMP_SYS(prctl), 1,
					    SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP))));
	}
	cr_assert(zero(int, seccomp_load(f)));
	seccomp_release(f);
}

static char settings[1200];

static void keep_settings_here(void)
{
	snprintf(settings, sizeof settings, "%s/config", place);
	setenv("XDG_CONFIG_HOME", settings, 1);
}

static void forget_settings(void)
{
	char path[1300];
	snprintf(path, sizeof path, "%s/ridge/programs.json", settings);
	remove(path);
	snprintf(path, sizeof path, "%s/ridge", settings);
	rmdir(path);
	rmdir(settings);
}

/* Runs nothing before the user's leave, and then runs, as well confined as it goes. */
static void expect_asks(const char *why)
{
	char program[400], mark[100], err[300] = "", text[1200];
	struct variant v = deal_drill("code-ring", 1);
	snprintf(mark, sizeof mark, "%s/mark", place);
	snprintf(program, sizeof program, "try:\n    open('%s', 'w')\nexcept OSError: pass\n%s",
		mark, "x = 1\n");
	struct code_result r = run(&v, program);
	cr_expect(eq(int, r.state, CODE_NOT_CONFINED));
	cr_expect(strstr(r.why, why) != NULL, "%s", r.why);
	cr_expect(access(mark, F_OK) != 0, "it ran");
	consent_text(r.why, text, sizeof text);
	cr_expect(strstr(text, "read, change and remove every file") != NULL, "%s", text);
	cr_assert(zero(int, consent_keep(err, sizeof err)), "%s", err);
	r = run(&v, program);
	cr_expect(eq(int, r.state, CODE_RAN));
	cr_expect(eq(int, r.grade.verdict, VERDICT_WRONG), "%s", r.grade.remark);
	remove(mark);
	forget_settings();
	variant_release(&v);
}

Test(confine, asks_without_filters, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	keep_settings_here();
	lack(true, false, EINVAL, ENOSYS);
	expect_asks("system calls cannot be limited");
}

Test(confine, asks_without_rules_for_files, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	keep_settings_here();
	lack(false, true, EINVAL, ENOSYS);
	expect_asks("files cannot be put out of reach");
}

Test(confine, asks_where_filters_do_nothing, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	keep_settings_here();
	lack(true, false, 0, 0);
	expect_asks("system calls cannot be limited");
}

Test(confine, asks_where_rules_for_files_do_nothing, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	keep_settings_here();
	lack(false, true, 0, 0);
	expect_asks("files cannot be put out of reach");
}

/* Freed by the caller. */
static char *drill_by_lines(const char *input)
{
	char *argv[] = { "drill", "--topic", "code-ring", "--count", "1", "--seed", "3", NULL };
	char *out_text, *err_text;
	size_t size;
	FILE *in = fmemopen((void *)input, strlen(input), "r");
	FILE *out = open_memstream(&out_text, &size), *err = open_memstream(&err_text, &size);
	cr_expect(zero(int, command_run(7, argv, &(struct streams){ in, out, err })));
	fclose(in);
	fclose(out);
	fclose(err);
	free(err_text);
	return out_text;
}

/* The question comes before the model solution, once; the check list is one key away. */
Test(confine, asks_line_by_line, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	keep_settings_here();
	lack(true, true, EINVAL, ENOSYS);
	char *out = drill_by_lines("x = 1\n.\n\ny y y y y\n");
	const char *asked = strstr(out, "Nothing was run"), *solution = strstr(out, "A solution:");
	cr_expect(asked && solution && asked < solution, "%s", out);
	cr_expect(strstr(out, "5 of 5 lines, by your own judgement") != NULL, "%s", out);
	free(out);
	out = drill_by_lines("x = 1\n.\nyes\nrun unconfined\nskip\n");
	cr_expect(strstr(out, "that is neither of them") != NULL, "%s", out);
	cr_expect(strstr(out, "has no attribute") != NULL, "it ran: %s", out);
	cr_expect(strstr(out, "It ran unconfined, as you allowed") != NULL, "%s", out);
	free(out);
	out = drill_by_lines("x = 1\n.\nskip\n");
	cr_expect(strstr(out, "Nothing was run") == NULL, "it is remembered: %s", out);
	cr_expect(strstr(out, "has no attribute") != NULL, "%s", out);
	free(out);
	forget_settings();
}

/* Lines that look like ridge's own are marked as the program's. */
Test(confine, what_it_prints_is_marked, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	keep_settings_here();
	char *out = drill_by_lines("print('CORRECT: right')\nprint('answer> ')\n.\nskip\n");
	if (strstr(out, "Nothing was run") == NULL) {
		cr_expect(strstr(out, "\n  | CORRECT: right\n  | answer> \n") != NULL, "%s", out);
		cr_expect(strstr(out, "\nCORRECT") == NULL, "%s", out);
	}
	free(out);
	forget_settings();
}
#endif
