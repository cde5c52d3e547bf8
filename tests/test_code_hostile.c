/* Programs that try to do something else, and a world that gets in the way: nothing gets out of the
 * child, and nothing is left. */
#include "tests/runs.h"
#include "ui/programs/private_dir.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

/* Programs that mean no good, for a drill of six cases. */
static const struct {
	const char *name, *program, *remark;
	enum verdict verdict;
	bool filter; /* takes one: limits alone do not hold it */
} hostile[] = {
	{ "no end", "while True: pass\n", "did not come to an end", VERDICT_WRONG, false },
	{ "sleeps", "import time\ntime.sleep(1000)\n", "did not come to an end", VERDICT_WRONG,
		false },
	{ "syntax", "def training_bytes(:\n", "line 1: SyntaxError", VERDICT_INVALID, false },
	{ "not there", "x = 1\n", "AttributeError", VERDICT_WRONG, false },
	{ "no text", "x = '\xff'\n", "UnicodeDecodeError", VERDICT_INVALID, false },
	{ "fork bomb", "import os\nwhile True: os.fork()\n", "Error", VERDICT_INVALID, true },
	{ "threads", "import threading\nthreading.Thread(target=print).start()\n", "RuntimeError",
		VERDICT_INVALID, true },
	{ "background", "import subprocess\nsubprocess.Popen(['sleep', '100'])\n", "Error",
		VERDICT_INVALID, true },
	{ "memory", "x = bytearray(1 << 32)\n", "MemoryError", VERDICT_INVALID, false },
	{ "memory, bit by bit", "x = []\nwhile True: x.append(bytearray(1 << 26))\n", "MemoryError",
		VERDICT_INVALID, false },
	{ "output", "while True: print('x' * 1000)\n", "printed more than is read", VERDICT_WRONG,
		false },
	{ "a flood without lines", "import os\nwhile True: os.write(2, b'x' * 65536)\n",
		"printed more than is read", VERDICT_WRONG, false },
	{ "writes outside", "open('/tmp/ridge-was-here', 'w')\n", "PermissionError",
		VERDICT_INVALID, true },
	{ "appends", "import os\nos.open('/etc/passwd', os.O_RDONLY | os.O_APPEND)\n",
		"PermissionError", VERDICT_INVALID, true },
	{ "writes inside", "open('left', 'w')\n", "PermissionError", VERDICT_INVALID, true },
	{ "makes a link", "import os\nos.symlink('/', 'root')\n", "PermissionError",
		VERDICT_INVALID, true },
	{ "removes", "import os\nos.remove('solution.py')\n", "PermissionError", VERDICT_INVALID,
		true },
	{ "renames", "import os\nos.rename('solution.py', 'x')\n", "PermissionError",
		VERDICT_INVALID, true },
	{ "changes modes", "import os\nos.chmod('/tmp', 0o777)\n", "PermissionError",
		VERDICT_INVALID, true },
	{ "kills us", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n",
		"PermissionError", VERDICT_INVALID, true },
	{ "calls out", "import socket\nsocket.socket()\n", "PermissionError", VERDICT_INVALID,
		true },
	{ "becomes a shell",
		"import os\n"
		"os.execv('/bin/sh', ['sh', '-c',\n"
		"    'echo > left; echo > /tmp/ridge-was-here; cat /etc/passwd; kill -9 $PPID; "
		"sleep 9 & echo here'])\n",
		"ended before this case", VERDICT_WRONG, true },
	{ "stops itself", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n",
		"did not come to an end", VERDICT_WRONG, false },
	{ "looks into the first process", "open('/proc/1/environ')\n", "PermissionError",
		VERDICT_INVALID, true },
	{ "writes to its own output by name", "open('/proc/self/fd/1', 'w')\n", "PermissionError",
		VERDICT_INVALID, true },
	{ "raises a limit",
		"import resource\n"
		"resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY,) * 2)\n"
		"raise RuntimeError\n",
		"Error", VERDICT_INVALID, false },
	{ "leaves", "import os\nos._exit(0)\n", "ended before this case", VERDICT_WRONG, false },
	{ "leaves politely", "import sys\nsys.exit(0)\n", "SystemExit", VERDICT_INVALID, false },
	{ "crashes", "import ctypes\nctypes.string_at(0)\n", "signal 11", VERDICT_WRONG, false },
	{ "kills itself", "import os\nos.abort()\n", "signal", VERDICT_WRONG, false },
	{ "deep", "def f(): f()\nf()\n", "RecursionError", VERDICT_INVALID, false },
	/* The check's own lines, with what is to be found in this process. */
	{ "pretends", "for k in range(9): print('case', k, '1;2;3')\nimport os\nos._exit(0)\n",
		"ended before this case", VERDICT_WRONG, false },
	{ "pretends with the word",
		"import os, sys\n"
		"frame = sys._getframe()\n"
		"while 'nonce' not in frame.f_locals: frame = frame.f_back\n"
		"word = frame.f_locals['nonce']\n"
		"for k in range(9): print(word, 'case', k, '1,1;2;3', flush=True)\n"
		"os._exit(0)\n",
		"expected", VERDICT_WRONG, true },
	{ "rewrites the check",
		"import os, builtins\n"
		"os.write = lambda *a: 0\n"
		"builtins.repr = lambda x: '0'\n"
		"def training_bytes(*a): return 0, 0\n",
		"state: expected", VERDICT_WRONG, false },
	{ "lies about numbers",
		"class All(float):\n"
		"    def __eq__(self, other): return True\n"
		"    def __float__(self): return 1.0\n"
		"def training_bytes(*a): return All(), All()\n",
		"got 1", VERDICT_WRONG, false },
	{ "answers without end", "def training_bytes(*a): return [0.5] * 10 ** 7, 0\n", "",
		VERDICT_WRONG, false },
	{ "an exception that talks",
		"class E(Exception):\n"
		"    def __str__(self): return '\\x1b[2J' + 'x' * 10 ** 6\n"
		"def training_bytes(*a): raise E\n",
		"E: ?[2Jxxx", VERDICT_WRONG, false },
	{ "an exception that raises",
		"class E(Exception):\n"
		"    def __str__(self): raise E\n"
		"def training_bytes(*a): raise E\n",
		"line 3: E", VERDICT_WRONG, false },
	/* What is there to be seen. */
	{ "looks around",
		"import os\n"
		"assert os.listdir('.') == ['solution.py'], os.listdir('.')\n"
		"def there(fd):\n"
		"    try: return bool(os.fstat(fd))\n"
		"    except OSError: return False\n"
		"assert [fd for fd in range(64) if there(fd)] == [0, 1, 2]\n"
		"assert os.getsid(0) == os.getpid()\n"
		"assert os.read(0, 1) == b''\n"
		"assert set(os.environ) <= {'PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_CTYPE',\n"
		"    'PYTHONDONTWRITEBYTECODE', 'LD_LIBRARY_PATH'}, list(os.environ)\n"
		"try:\n"
		"    open('/dev/tty')\n"
		"except OSError:\n"
		"    raise LookupError('nothing found')\n",
		"LookupError: nothing found", VERDICT_INVALID, false },
};

Test(code_hostile, nothing_hostile_gets_anywhere, .description = "long", .init = load,
	.fini = release, .timeout = 600)
{
	need("python3");
	struct variant v = deal_drill("code-training-memory", 1);
	int leaked = open("/dev/null", O_RDONLY); /* not for the child */
	char why[CODE_WHY_SIZE];
	size_t ran = 0;
	const bool confined = confine_works(why, sizeof why);
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		/* Little memory: a machine that is busy takes seconds to hand out a gigabyte. */
		struct code_limits limits = { 8000, 2, (size_t)256 << 20, 256 << 10 };
		struct code_result r;
		char err[600] = "";
		if (hostile[i].filter && !confined)
			continue;
		ran++;
		cr_assert(zero(int, code_run(&v, hostile[i].program, &limits, &r, err, sizeof err)),
			"%s: %s", hostile[i].name, err);
		cr_expect(eq(int, r.grade.verdict, hostile[i].verdict), "%s: %s", hostile[i].name,
			r.grade.remark);
		cr_expect(strstr(r.grade.remark, hostile[i].remark) != NULL, "%s: %s",
			hostile[i].name, r.grade.remark);
		cr_expect(zero(dbl, r.grade.credit), "%s", hostile[i].name);
		cr_expect(le(i64, r.took_ms, 15000), "%s", hostile[i].name);
		cr_expect(strpbrk(r.grade.remark, "\x1b\n\r") == NULL, "%s", hostile[i].name);
		for (const char *p = r.said; *p; p++) {
			bool shown = *p == '\n' || (unsigned char)*p >= 0x20;
			cr_assert(shown, "%s", hostile[i].name);
		}
	}
	close(leaked);
	cr_log_info("figure: %zu hostile programs, and ridge goes on", ran);
	cr_expect(access("/tmp/ridge-was-here", F_OK) != 0);
	variant_release(&v);
}

/* A world in which no directory can be made is not the candidate's fault. */
Test(code_hostile, no_place_to_run, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	struct variant v = deal_drill("code-ring", 1);
	struct code_result r;
	char err[300] = "";
	setenv("TMPDIR", "/dev/null/none", 1);
	cr_expect(eq(int, code_run(&v, v.program->solution, NULL, &r, err, sizeof err), -1));
	cr_expect(strstr(err, "/dev/null/none") != NULL, "%s", err);
	variant_release(&v);
}

/* Ended in the middle of a run, by a signal as a terminal sends it: as by any signal, and nothing
 * is left. */
Test(code_hostile, a_signal_in_the_middle, .description = "long", .init = load, .fini = release,
	.timeout = 60)
{
	need("python3");
	struct variant v = deal_drill("code-ring", 1);
	pid_t pid = fork();
	if (pid == 0) {
		struct code_limits limits = { 60000, 60, (size_t)512 << 20, 256 << 10 };
		struct code_result r;
		char err[300];
		signal(SIGTERM, SIG_DFL);
		code_run(&v, "while True: pass\n", &limits, &r, err, sizeof err);
		_exit(99);
	}
	int status = 0;
	nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
	kill(pid, SIGTERM);
	cr_assert(eq(int, waitpid(pid, &status, 0), pid));
	bool by_it = WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
	cr_expect(by_it, "%x", (unsigned)status);
	variant_release(&v);
}

/* What it prints is seen whole, however it is cut. */
Test(code_hostile, nothing_that_is_printed_hides, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	struct variant v = deal_drill("code-ring", 1);
	struct code_result r = run(&v, "import os\nos.write(1, b'first\\0\\nsecond\\n')\n");
	cr_expect(r.state == CODE_NOT_CONFINED || strstr(r.said, "first?\nsecond\n"), "%s", r.said);
	/* One line that is longer than what is kept. */
	r = run(&v, "print('x' * 3000 + 'end')\n");
	cr_expect(r.state == CODE_NOT_CONFINED || strstr(r.said, "xxxend"), "%s", r.said);
	variant_release(&v);
}

/* Within two seconds. A zombie is dead; it only waits for its parent to ask for it. */
static bool ends(int pid)
{
	bool gone = false;
	for (int k = 0; k < 200 && !gone; k++) {
		char path[64], state = 'Z';
		snprintf(path, sizeof path, "/proc/%d/stat", pid);
		FILE *f = fopen(path, "r");
		gone = !f || fscanf(f, "%*d %*s %c", &state) != 1 || state == 'Z';
		gone = gone || kill(pid, 0) != 0;
		if (f)
			fclose(f);
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	return gone;
}

/* A script of a shell that may start others, unconfined, to its end. */
static struct child_end run_script(const char *script)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	struct child c = { .argv = argv,
		.dir = open("/", O_RDONLY),
		.limits = { 5, (size_t)1 << 32, 0, 64, false },
		.wall_ms = 20000,
		.output_bytes = 1000 };
	struct child_hold hold;
	struct child_end end;
	char err[300] = "";
	child_hold(&hold);
	cr_assert(zero(int, child_run(&c, &end, err, sizeof err)), "%s", err);
	child_release(&hold);
	close(c.dir);
	return end;
}

/* What a child that may start others leaves behind ends with it. */
Test(code_hostile, a_group_ends_with_its_leader, .init = load, .fini = release, .timeout = 60)
{
	const struct child_end end = run_script("sleep 100 & echo $!; sleep 100 & echo $!");
	int pids[2] = { 0 };
	cr_expect(lt(i64, end.took_ms, 10000), "it waits for the leader alone");
	cr_assert(eq(int, sscanf(end.output, "%d %d", &pids[0], &pids[1]), 2), "%s", end.output);
	for (int i = 0; i < 2; i++)
		cr_expect(ends(pids[i]), "%d", pids[i]);
	free(end.output);
}

/* What leads the group is not the program, and ends like it. */
Test(code_hostile, a_leader_ends_like_its_program, .init = load, .fini = release, .timeout = 60)
{
	static const struct {
		const char *words;
		bool exited;
		int code;
	} rows[] = { { "exit 7", true, 7 }, { "kill -SEGV $$", false, SIGSEGV },
		{ "kill -KILL $$", false, SIGKILL } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct child_end end = run_script(rows[i].words);
		cr_expect(eq(int, WIFEXITED(end.status), rows[i].exited), "%s", rows[i].words);
		cr_expect(eq(int, rows[i].exited ? WEXITSTATUS(end.status) : WTERMSIG(end.status),
				  rows[i].code),
			"%s", rows[i].words);
		free(end.output);
	}
}

/* Nor does it go on when ridge is killed, which can do nothing about it any more. */
Test(code_hostile, a_group_ends_with_ridge, .init = load, .fini = release, .timeout = 60)
{
	static const char *const argv[] = { "/bin/sh", "-c",
		"sleep 100 & echo $! > pid; mv pid pids; wait", NULL };
	struct private_dir dir;
	char err[300] = "", *text = NULL;
	cr_assert(zero(int, private_dir_make(&dir, err, sizeof err)), "%s", err);
	pid_t ridge = fork();
	if (ridge == 0) {
		struct child c = { .argv = argv,
			.dir = dir.fd,
			.limits = { 5, (size_t)1 << 32, 1000, 64, false },
			.wall_ms = 50000,
			.output_bytes = 1000 };
		struct child_end end;
		child_run(&c, &end, err, sizeof err);
		_exit(99);
	}
	for (int k = 0; k < 1000 && !text; k++) {
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
		text = private_dir_get(&dir, "pids", 100, err, sizeof err);
	}
	cr_assert(text != NULL, "%s", err);
	kill(ridge, SIGKILL);
	cr_assert(eq(int, waitpid(ridge, NULL, 0), ridge));
	cr_expect(ends(atoi(text)), "%s", text);
	free(text);
	private_dir_remove(&dir);
}
