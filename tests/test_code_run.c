/* Programs are run: right ones, wrong ones, and those that try to do something else. */
#include "ui/code_run.h"
#include "ui/bank_load.h"
#include "ui/cmd_drill.h"
#include "ui/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
enum { HAS_FILTER = 1 };
#else
enum { HAS_FILTER = 0 };
#endif

static struct tables tables;
static struct drill_bank bank;
static char place[] = "/tmp/ridge-code-XXXXXX"; /* TMPDIR of these tests */

static void load(void)
{
	char err[300] = "";
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
	cr_assert(mkdtemp(place) != NULL);
	setenv("TMPDIR", place, 1);
}

/* Nothing is left, ever. */
static void release(void)
{
	cr_expect(zero(int, rmdir(place)), "%s: something was left there", place);
	bank_release(&bank);
	tables_release(&tables);
}

static void need(const char *program)
{
	char path[1024];
	if (child_find(program, path, sizeof path))
		return;
	rmdir(place); /* what is skipped is not torn down */
	cr_skip_test("there is no %s here", program);
}

static struct variant deal_drill(const char *id, uint64_t seed)
{
	struct variant v;
	char err[300] = "";
	const struct drill *d = bank_find(&bank, id);
	cr_assert(d != NULL, "%s", id);
	cr_assert(zero(int, deal(d, &tables, seed, 0, &v, err, sizeof err)), "%s", err);
	return v;
}

static struct code_result run(const struct variant *v, const char *program)
{
	/* Generous by the clock: others use the machine too. */
	static const struct code_limits limits = { 20000, 2, (size_t)512 << 20, 256 << 10 };
	struct code_result r;
	char err[600] = "";
	cr_assert(zero(int, code_run(v, program, &limits, &r, err, sizeof err)), "%s: %s",
		v->drill->id, err);
	return r;
}

/* The solution with one text put for another. */
static void change(
	const struct variant *v, const char *from, const char *to, char *out, size_t size)
{
	const char *p = strstr(v->program->solution, from);
	cr_assert(p != NULL, "%s: %s", v->drill->id, from);
	snprintf(out, size, "%.*s%s%s", (int)(p - v->program->solution), v->program->solution, to,
		p + strlen(from));
}

/* Every model solution passes at several seeds: what it gives is what the formulas give. */
static void check_solutions(enum program_language language, uint64_t seeds)
{
	for (size_t i = 0; i < bank.n; i++)
		for (uint64_t seed = 1;
			bank.drills[i].program && bank.drills[i].program->language == language &&
			seed <= seeds;
			seed++) {
			struct variant v = deal_drill(bank.drills[i].id, seed);
			struct code_result r = run(&v, v.program->solution);
			cr_expect(eq(int, r.grade.verdict, VERDICT_CORRECT), "%s: %s", v.drill->id,
				r.grade.remark);
			cr_expect(r.grade.credit == 1 && r.result.passed == r.result.n);
			cr_expect(eq(str, r.said, (char *)""));
			variant_release(&v);
		}
}

Test(code_run, solutions_in_python, .init = load, .fini = release, .timeout = 120)
{
	need("python3");
	check_solutions(LANGUAGE_PYTHON, 6);
}

Test(code_run, solutions_in_c, .init = load, .fini = release, .timeout = 120)
{
	need("cc");
	check_solutions(LANGUAGE_C, 3);
}

/* What people get wrong, each told from the others. */
static const struct {
	const char *drill, *from, *to, *item, *remark; /* item: "": it stops; NULL: any */
	enum verdict verdict;
} slips[] = {
	{ "code-training-memory", "(2 + 2 +", "(2 +", "state", "gradients are missing",
		VERDICT_NAMED },
	{ "code-training-memory", "34 *", "24 *", "activations, attention not fused", "expected",
		VERDICT_WRONG },
	{ "code-training-memory", "if not flash", "if flash", "activations, attention not fused",
		"pair of tokens is missing", VERDICT_NAMED },
	{ "code-training-memory", "model[\"heads\"] *", "", "activations, attention not fused",
		"not for each head", VERDICT_NAMED },
	{ "code-training-memory", ", model[\"layers\"] * layer", ", layer",
		"activations, attention not fused", "one layer", VERDICT_NAMED },
	{ "code-checkpoint", "if i % self.segment == 0:", "if True:", "indices and inputs kept",
		"got", VERDICT_WRONG },
	{ "code-checkpoint", "self.kept[i] = x\n", "self.kept[i] = x\n            self.last = x\n",
		"values alive after the forward pass", "expected", VERDICT_WRONG },
	{ "code-checkpoint", "reverse=True", "reverse=False", "gradient of the input", "expected",
		VERDICT_WRONG },
	{ "code-checkpoint", "reversed(layers)", "layers", "gradient of the input", "expected",
		VERDICT_WRONG },
	{ "code-checkpoint", "for layer in layers[:-1]:",
		"for layer in layers + layers:\n"
		"                layer.forward(self.kept[first])\n"
		"            for layer in layers[:-1]:",
		"compute, over that without checkpoints", "at most 1.33333", VERDICT_WRONG },
	{ "code-ring",
		"for step in range(ranks - 1):\n        got = ring.exchange([data[r][chunk(r + 1",
		"for step in range(0):\n        got = ring.exchange([data[r][chunk(r + 1",
		"sum on every rank", "expected", VERDICT_WRONG },
	{ "code-ring", "return data", "ring.exchange([[] for _ in range(ranks)])\n    return data",
		"steps", "expected", VERDICT_WRONG },
	{ "code-ring", "return data",
		"for b in buffers[1:]:\n        ring.exchange(data)\n"
		"    return data",
		"steps", "expected", VERDICT_WRONG },
	{ "code-quantise", "- 1) - 1", "- 1)", "scale of the first row", "expected",
		VERDICT_WRONG },
	{ "code-quantise", "** (", "** (1 + ", "scale of the first row", "below it",
		VERDICT_NAMED },
	{ "code-quantise", "abs(weight)", "weight", "scale of the first row", "expected",
		VERDICT_WRONG },
	{ "code-quantise", "for weight in row)",
		"for all_of_them in rows for weight in all_of_them)", "scale of the first row",
		"one scale for all rows", VERDICT_NAMED },
	{ "code-quantise", "round(", "int(", NULL, "expected", VERDICT_WRONG },
	{ "code-quantise", "round(weight / scale)", "weight / scale", "", "not float",
		VERDICT_WRONG },
	{ "code-quantise", " if largest > 0 else 1.0", "", "", "ZeroDivisionError", VERDICT_WRONG },
	{ "code-quantise", "else 1.0", "else 0.5", "scales", "expected 1, got 0.5", VERDICT_WRONG },
};

Test(code_run, slips_are_named, .init = load, .fini = release, .timeout = 200)
{
	need("python3");
	for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
		struct variant v = deal_drill(slips[i].drill, 3);
		char program[8192];
		change(&v, slips[i].from, slips[i].to, program, sizeof program);
		struct code_result r = run(&v, program);
		const char *item = r.result.item ? r.result.item : "";
		cr_expect(eq(str, (char *)item, (char *)(slips[i].item ? slips[i].item : item)),
			"row %zu: %s", i, r.grade.remark);
		cr_expect(eq(int, r.grade.verdict, slips[i].verdict), "row %zu: %s", i,
			r.grade.remark);
		cr_expect(strstr(r.grade.remark, slips[i].remark) != NULL, "row %zu: %s", i,
			r.grade.remark);
		cr_expect(strstr(r.grade.remark, r.result.input) != NULL, "row %zu: %s", i,
			r.grade.remark);
		cr_expect(epsilon_eq(
			dbl, r.grade.credit, (double)r.result.passed / (double)r.result.n, 1e-12));
		variant_release(&v);
	}
}

/* Half of the cases: half of the credit. */
Test(code_run, credit_is_the_share_of_the_cases, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	struct variant v = deal_drill("code-ring", 4);
	char program[8192];
	change(&v, "    ranks = len(buffers)\n",
		"    ranks = len(buffers)\n    if ranks > 3:\n        raise ValueError('no')\n",
		program, sizeof program);
	struct code_result r = run(&v, program);
	cr_expect(eq(sz, r.result.passed, 3), "1, 2 and 3 of 1, 2, 3, 4, 5 and 8 ranks");
	cr_expect(epsilon_eq(dbl, r.grade.credit, 0.5, 1e-12));
	cr_expect(eq(str, r.summary, (char *)"3 of 6 cases"));
	cr_expect(strstr(r.grade.remark, "line 4: ValueError: no") != NULL, "%s", r.grade.remark);
	variant_release(&v);
}

Test(code_run, slips_in_c, .init = load, .fini = release, .timeout = 120)
{
	static const struct {
		const char *from, *to, *remark;
		enum verdict verdict;
	} rows[] = {
		{ "lrintf(", "(", "", VERDICT_WRONG },
		{ "- 1)) - 1", "- 1))", "scale of the first row", VERDICT_WRONG },
		{ "fabsf(row[i])", "row[i]", "scale of the first row", VERDICT_WRONG },
		{ "scales[r] =", "scales[0] =", "one scale for all rows", VERDICT_NAMED },
		{ "largest > 0", "largest >", "solution.c:", VERDICT_INVALID },
		{ "void quantise", "void quantize", "undefined", VERDICT_INVALID },
		{ "float largest = 0;", "float largest = *(volatile float *)0;", "signal 11",
			VERDICT_WRONG },
		{ "float largest = 0;", "float largest = 0; for (volatile int k = 0; ; k++);",
			"did not come to an end", VERDICT_WRONG },
	};
	need("cc");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct variant v = deal_drill("code-quantise-c", 2);
		char program[8192];
		change(&v, rows[i].from, rows[i].to, program, sizeof program);
		struct code_result r = run(&v, program);
		cr_expect(eq(int, r.grade.verdict, rows[i].verdict), "row %zu: %s", i,
			r.grade.remark);
		cr_expect(strstr(r.grade.remark, rows[i].remark) != NULL, "row %zu: %s", i,
			r.grade.remark);
		variant_release(&v);
	}
}

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
	{ "memory, bit by bit", "x = []\nwhile True: x.append(bytearray(1 << 20))\n", "MemoryError",
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
		"import os, re\n"
		"seen = open('/proc/self/cmdline').read()\n"
		"word = re.search('_ridge\\\\(\"([0-9a-f]+)\"', seen).group(1)\n"
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
		"assert sorted(os.listdir('/dev/fd'))[:3] == ['0', '1', '2']\n"
		"assert len(os.listdir('/dev/fd')) == 4, os.listdir('/dev/fd')\n"
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

Test(code_run, nothing_hostile_gets_anywhere, .init = load, .fini = release, .timeout = 300)
{
	need("python3");
	struct variant v = deal_drill("code-training-memory", 1);
	int leaked = open("/dev/null", O_RDONLY); /* not for the child */
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		struct code_limits limits = { 2500, 1, (size_t)512 << 20, 256 << 10 };
		struct code_result r;
		char err[600] = "";
		if (hostile[i].filter && !HAS_FILTER)
			continue;
		cr_assert(zero(int, code_run(&v, hostile[i].program, &limits, &r, err, sizeof err)),
			"%s: %s", hostile[i].name, err);
		cr_expect(eq(int, r.grade.verdict, hostile[i].verdict), "%s: %s", hostile[i].name,
			r.grade.remark);
		cr_expect(strstr(r.grade.remark, hostile[i].remark) != NULL, "%s: %s",
			hostile[i].name, r.grade.remark);
		cr_expect(zero(dbl, r.grade.credit), "%s", hostile[i].name);
		cr_expect(le(i64, r.took_ms, 4000), "%s", hostile[i].name);
		cr_expect(strpbrk(r.grade.remark, "\x1b\n\r") == NULL, "%s", hostile[i].name);
		for (const char *p = r.said; *p; p++) {
			bool shown = *p == '\n' || (unsigned char)*p >= 0x20;
			cr_assert(shown, "%s", hostile[i].name);
		}
	}
	close(leaked);
	cr_expect(access("/tmp/ridge-was-here", F_OK) != 0);
	variant_release(&v);
}

Test(code_run, what_it_prints_is_shown, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	struct variant v = deal_drill("code-training-memory", 1);
	char program[8192];
	change(&v, "    state =", "    print('batch', batch)\n    state =", program,
		sizeof program);
	struct code_result r = run(&v, program);
	cr_expect(eq(int, r.grade.verdict, VERDICT_CORRECT), "%s", r.grade.remark);
	size_t lines = 0;
	for (const char *p = r.said; (p = strstr(p, "batch ")); p++)
		lines++;
	cr_expect(eq(sz, lines, 12), "twice in each of six cases: %s", r.said);
	snprintf(program, sizeof program, "for k in range(2000): print('line', k)\n%s",
		v.program->solution);
	r = run(&v, program);
	cr_expect(zero(int, strncmp(r.said, "line ", 5)), "%s", r.said);
	cr_expect(strstr(r.said, "line 1999\n") != NULL && strlen(r.said) > 1900, "the last ones");
	variant_release(&v);
}

Test(code_run, nothing_written_and_nothing_there, .init = load, .fini = release, .timeout = 60)
{
	struct variant v = deal_drill("code-ring", 1);
	struct code_result r = run(&v, v.program->stub);
	cr_expect(r.grade.verdict == VERDICT_INVALID && !r.grade.attempt_used);
	cr_expect(strstr(r.grade.remark, "nothing was written") != NULL, "%s", r.grade.remark);
	setenv("PATH", "/nonexistent:relative", 1);
	r = run(&v, v.program->solution);
	cr_expect(eq(int, r.state, CODE_NO_TOOL));
	cr_expect(eq(str, r.tool, (char *)"python3"));
	variant_release(&v);
}

/* A world in which no directory can be made is not the candidate's fault. */
Test(code_run, no_place_to_run, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	struct variant v = deal_drill("code-ring", 1);
	struct code_result r;
	char err[300] = "";
	setenv("TMPDIR", "/nonexistent", 1);
	cr_expect(eq(int, code_run(&v, v.program->solution, NULL, &r, err, sizeof err), -1));
	cr_expect(strstr(err, "/nonexistent") != NULL, "%s", err);
	variant_release(&v);
}

/* Ended in the middle of a run, by a signal as a terminal sends it: as by any signal, and nothing
 * is left. */
Test(code_run, a_signal_in_the_middle, .init = load, .fini = release, .timeout = 60)
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

/* What a child that may start others leaves behind ends with it. */
Test(code_run, a_group_ends_with_its_leader, .init = load, .fini = release, .timeout = 60)
{
	static const char *const argv[] = { "/bin/sh", "-c",
		"sleep 100 & echo $!; sleep 100 & echo $!", NULL };
	struct child c = { .argv = argv,
		.dir = open("/", O_RDONLY),
		.limits = { 5, (size_t)1 << 32, 0, 64, false },
		.wall_ms = 20000,
		.output_bytes = 1000 };
	struct child_hold hold;
	struct child_end end;
	char err[300] = "";
	int pids[2] = { 0 };
	child_hold(&hold);
	cr_assert(zero(int, child_run(&c, &end, err, sizeof err)), "%s", err);
	child_release(&hold);
	cr_expect(lt(i64, end.took_ms, 10000), "it waits for the leader alone");
	cr_assert(eq(int, sscanf(end.output, "%d %d", &pids[0], &pids[1]), 2), "%s", end.output);
	for (int i = 0; i < 2; i++) {
		bool gone = false;
		for (int k = 0; k < 200 && !gone; k++) {
			char path[64], state = 'Z';
			snprintf(path, sizeof path, "/proc/%d/stat", pids[i]);
			FILE *f = fopen(path, "r");
			/* A zombie whom nobody has asked for yet is as good as gone. */
			gone = !f || fscanf(f, "%*d %*s %c", &state) != 1 || state == 'Z';
			gone = gone || kill(pids[i], 0) != 0;
			if (f)
				fclose(f);
			nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
		}
		cr_expect(gone, "%d", pids[i]);
	}
	free(end.output);
	close(c.dir);
}

static int given, taken;

static void give(void *context)
{
	given += *(int *)context;
}

static void take(void *context)
{
	taken += *(int *)context;
}

Test(code_run, an_editor, .init = load, .fini = release, .timeout = 60)
{
	static const struct {
		const char *editor, *after, *err;
	} rows[] = {
		{ "sh -c 'echo more >> \"$0\"'", "more\n", NULL },
		{ "sh -c 'rm \"$0\"; echo new > \"$0\"; echo x > \"$0~\"'", "new\n", NULL },
		{ "sh -c 'case $0 in */solution.py) ;; *) exit 5 ;; esac'", "", NULL },
		{ "false", NULL, "status 1" },
		{ "sh -c 'kill -9 $$'", NULL, "ended with" },
		{ "/nonexistent/editor", NULL, "status 127" },
		{ "rm", NULL, "cannot read solution.py" },
		{ "sh -c 'rm \"$0\"; ln -s /etc/passwd \"$0\"'", NULL, "cannot read solution.py" },
		{ "sh -c 'rm \"$0\"; mkfifo \"$0\"'", NULL, "regular file" },
		{ "sh -c 'head -c 70000 /dev/zero | tr \"\\0\" x > \"$0\"'", NULL,
			"at most 65536" },
		{ "sh -c 'printf \"a\\0b\" > \"$0\"'", NULL, "a text" },
	};
	struct variant v = deal_drill("code-ring", 1);
	int one = 1;
	struct code_terminal t = { give, take, &one };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char err[300] = "", *text = strdup(v.program->stub);
		setenv("VISUAL", rows[i].editor, 1);
		setenv("EDITOR", "false", 1);
		int rc = code_edit(&v, &t, &text, err, sizeof err);
		cr_expect(eq(int, rc, rows[i].err ? -1 : 0), "%s: %s", rows[i].editor, err);
		if (rows[i].err) {
			cr_expect(strstr(err, rows[i].err) != NULL, "%s: %s", rows[i].editor, err);
			cr_expect(eq(str, text, (char *)v.program->stub));
		} else {
			size_t n = strlen(rows[i].after), all = strlen(text);
			cr_expect(
				all >= n && strcmp(text + all - n, rows[i].after) == 0, "%s", text);
		}
		free(text);
	}
	cr_expect(eq(int, given, (int)(sizeof rows / sizeof *rows)));
	cr_expect(eq(int, taken, given));
	variant_release(&v);
}

Test(code_run, no_editor, .init = load, .fini = release, .timeout = 60)
{
	struct variant v = deal_drill("code-ring", 1);
	char err[300] = "", *text = strdup(v.program->stub);
	unsetenv("VISUAL");
	setenv("EDITOR", "", 1);
	setenv("PATH", "/nonexistent", 1);
	cr_expect(eq(int, code_edit(&v, NULL, &text, err, sizeof err), -1));
	cr_expect(strstr(err, "EDITOR") != NULL, "%s", err);
	free(text);
	variant_release(&v);
}

/* ridge drill, line by line. Freed by the caller. */
static char *drill(const char *topic, const char *input)
{
	char *argv[] = { "drill", "--topic", (char *)topic, "--count", "1", "--seed", "3",
		"--attempts", "3", NULL };
	char *out_text, *err_text;
	size_t size;
	FILE *in = fmemopen((void *)input, strlen(input), "r");
	FILE *out = open_memstream(&out_text, &size), *err = open_memstream(&err_text, &size);
	cr_expect(zero(int, cmd_drill(9, argv, in, out, err)));
	fclose(in);
	fclose(out);
	fclose(err);
	cr_expect(eq(str, err_text, (char *)""));
	free(err_text);
	return out_text;
}

Test(code_run, line_by_line, .init = load, .fini = release, .timeout = 60)
{
	need("python3");
	struct variant v = deal_drill("code-ring", 3);
	char input[12000], path[64];
	/* Nonsense, a program that was typed, a file, and one that is not there. */
	snprintf(path, sizeof path, "%s/mine.py", place);
	FILE *f = fopen(path, "w");
	fputs(v.program->solution, f);
	fclose(f);
	snprintf(input, sizeof input,
		"run /nonexistent\nedit\n?\nx = (\n.\ndef all_reduce(ring, buffers):\n\n    return "
		"buffers\n.\nrun %s\n",
		path);
	char *out = drill("code-ring", input);
	static const char *const parts[] = { "    def all_reduce(ring, buffers):\n", "No such file",
		"no terminal", "Follow one chunk", "INVALID: no attempt used",
		"line 1: SyntaxError", "sum on every rank: expected", "attempt 1 of 3 used",
		"CORRECT: right, 6 of 6 cases", "A solution:", "1 of 1 right" };
	const char *p = out;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *next = strstr(p, parts[i]);
		cr_expect(next != NULL, "%s is not in\n%s", parts[i], p);
		p = next ? next : p;
	}
	free(out);
	remove(path);
	variant_release(&v);
}

Test(code_run, by_the_check_list_where_nothing_runs, .init = load, .fini = release)
{
	setenv("PATH", "/nonexistent", 1);
	char *out = drill("code-ring", "x = 1\n.\nmaybe\ny y n y y\n");
	cr_expect(strstr(out, "There is no python3 here") != NULL, "%s", out);
	cr_expect(strstr(out, "expected y or n for each of the 5 lines") != NULL, "%s", out);
	cr_expect(strstr(out, "4 of 5 lines, by your own judgement") != NULL, "%s", out);
	cr_expect(strstr(out, "credit 0.80") != NULL, "%s", out);
	free(out);
}
