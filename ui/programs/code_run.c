/* Each run has a directory of its own, with the program and a check that calls it for every case
 * and prints what it returns, on lines that begin with a text nobody can guess. The model solution
 * runs first, in the same way: its results are what is expected where no formula says it. */
#include "ui/programs/code_run.h"

#include "sims/base/array.h"
#include "ui/files/own_file.h"
#include "ui/programs/consent.h"
#include "ui/programs/private_dir.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_PATH = 1024, PROBE_BYTES = 4096, TOOL_MS = 20000, TOOL_CPU_S = 15, MOST_HOMES = 8 };

static const struct code_limits default_limits = {
	.wall_ms = 6000, .cpu_s = 4, .memory_bytes = (size_t)512 << 20, .output_bytes = 256 << 10
};

/* What a compiler, or a script that looks for an interpreter, may need. */
static const struct confine_limits tool_limits = {
	.cpu_s = TOOL_CPU_S, .memory_bytes = (size_t)2 << 30, .file_bytes = 64 << 20, .files = 256
};

/* One run of one program. */
struct run {
	const struct variant *v;
	char tool[LONGEST_PATH];              /* as a path */
	char homes[MOST_HOMES][LONGEST_PATH]; /* what belongs to the tool and is not the system's */
	const char *readable[MOST_HOMES + 1]; /* the same, as child.h wants it */
	bool lenient;
	const struct code_limits *limits;
	struct private_dir dir;
	char nonce[NONCE_SIZE];
	char said[CODE_SAID_SIZE];
	int64_t took_ms;
	char *err;
	size_t err_size;
};

static const char *const tools[N_LANGUAGES] = { "python3", "cc" };
static const char *const files[N_LANGUAGES] = { "solution.py", "solution.c" };

const char *code_file_name(enum program_language language)
{
	assert(language < N_LANGUAGES);
	return files[language];
}

/* What a run needs of the environment, and nothing that says who we are. */
struct surroundings {
	char path[4096], home[LONGEST_PATH + 8], tmp[LONGEST_PATH + 8], libraries[4096];
	const char *list[8];
};

static void surround(struct surroundings *s, const struct private_dir *dir)
{
	const char *path = getenv("PATH"), *libraries = getenv("LD_LIBRARY_PATH");
	size_t n = 0;
	snprintf(s->path, sizeof s->path, "PATH=%s", path ? path : "/usr/bin:/bin");
	snprintf(s->home, sizeof s->home, "HOME=%s", dir->path);
	snprintf(s->tmp, sizeof s->tmp, "TMPDIR=%s", dir->path);
	snprintf(s->libraries, sizeof s->libraries, "LD_LIBRARY_PATH=%s",
		libraries ? libraries : "");
	s->list[n++] = s->path;
	s->list[n++] = s->home;
	s->list[n++] = s->tmp;
	s->list[n++] = "LANG=C.UTF-8";
	s->list[n++] = "PYTHONDONTWRITEBYTECODE=1";
	if (libraries)
		s->list[n++] = s->libraries;
	s->list[n] = NULL;
}

/* A text that the program cannot guess marks the lines that the check prints, so that the program
 * cannot forge them. */
static int make_nonce(char nonce[NONCE_SIZE], char *err, size_t err_size)
{
	unsigned char bytes[(NONCE_SIZE - 1) / 2];
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;
	while (fd >= 0 && (n = read(fd, bytes, sizeof bytes)) < 0 && errno == EINTR)
		;
	if (fd >= 0)
		close(fd);
	if (n != (ssize_t)sizeof bytes) {
		snprintf(err, err_size, "/dev/urandom: %s", strerror(errno));
		return -1;
	}
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

/* What the program printed itself, which is all lines without the nonce; when that is too much, the
 * last of them. */
static void keep_said(const char *output, size_t bytes, const char *nonce, char *said, size_t size)
{
	size_t n = 0;
	char *own = malloc(bytes + 1);
	for (const char *p = output, *end = output + bytes; own && p < end;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		size_t whole = (size_t)(newline ? newline + 1 - p : end - p);
		if (p != newline && strncmp(p, nonce, strlen(nonce)) != 0) {
			memcpy(own + n, p, whole);
			n += whole;
		}
		p += whole;
	}
	/* To be printable takes the room of a longest character at the end. */
	const size_t most = size - 5, cut = n > most ? n - most : 0;
	size_t start = cut;
	while (own && start > 0 && start < n && own[start - 1] != '\n')
		start++;
	if (start == n) /* all of it is one line, of which the end is kept */
		start = cut;
	*said = '\0';
	if (own)
		program_printable(own + start, n - start, true, said, size);
	free(own);
}

/* How a child ended, and what its check printed. */
static void read_end(struct run *r, const struct child_end *end, struct program_answers *out)
{
	program_read(r->v, r->nonce, end->output, end->bytes, out);
	out->end = end->overtime              ? PROGRAM_OVERTIME
		   : end->flooded             ? PROGRAM_FLOODED
		   : WIFSIGNALED(end->status) ? PROGRAM_KILLED
					      : PROGRAM_ENDED;
	out->signal = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0;
	keep_said(end->output, end->bytes, r->nonce, r->said, sizeof r->said);
	r->took_ms = end->took_ms;
}

static int run_check(struct run *r, const char *const argv[], struct program_answers *out)
{
	struct surroundings s = { .list = { NULL } };
	struct child_end end;
	surround(&s, &r->dir);
	struct child c = { .argv = argv,
		.env = s.list,
		.dir = r->dir.fd,
		.limits = { .cpu_s = r->limits->cpu_s,
			.memory_bytes = r->limits->memory_bytes,
			.files = 64,
			.alone = true },
		.confined = CONFINED_PROGRAM,
		.readable = r->readable,
		.lenient = r->lenient,
		.stopped = r->limits->stopped,
		.context = r->limits->context,
		.wall_ms = r->limits->wall_ms,
		.output_bytes = r->limits->output_bytes };
	int rc = child_run(&c, &end, r->err, r->err_size);
	if (rc == 0)
		read_end(r, &end, out);
	free(end.output);
	return rc;
}

static int run_python(struct run *r, const char *check, struct program_answers *out)
{
	/* Isolated from the user's packages, and without bytecode files. The check comes as an
	 * argument, so that no file holds it for the program to read. */
	const char *const argv[] = { r->tool, "-I", "-S", "-B", "-c", check, NULL };
	return run_check(r, argv, out);
}

/* The first complaint of the compiler or the linker. */
static void first_error(const char *output, char *reason, size_t size)
{
	static const char *const signs[] = { "error: ", "Error: ", "undefined reference",
		"multiple definition" };
	const char *line = NULL;
	for (size_t i = 0; i < LENGTH(signs); i++) {
		const char *at = strstr(output, signs[i]);
		if (at && (!line || at < line))
			line = at;
	}
	line = line ? line : output;
	while (line > output && line[-1] != '\n')
		line--;
	program_printable(line, strcspn(line, "\n"), false, reason, size);
	if (!*reason)
		snprintf(reason, size, "the compiler failed without a word");
}

static int compile(struct run *r, struct program_answers *out)
{
	const char *const argv[] = { r->tool, "-std=c17", "-O1", "-o", "check", "check.c",
		"solution.c", "-lm", NULL };
	struct surroundings s = { .list = { NULL } };
	struct child_end end;
	surround(&s, &r->dir);
	struct child c = { .argv = argv,
		.env = s.list,
		.dir = r->dir.fd,
		.limits = tool_limits,
		.confined = CONFINED_COMPILER,
		.readable = r->readable,
		.lenient = r->lenient,
		.stopped = r->limits->stopped,
		.context = r->limits->context,
		.wall_ms = TOOL_MS,
		.output_bytes = r->limits->output_bytes };
	*out = (struct program_answers){ 0 };
	int rc = child_run(&c, &end, r->err, r->err_size);
	if (rc == 0 && end.overtime)
		snprintf(out->load_reason, sizeof out->load_reason,
			"the compiler did not come to an end in time");
	else if (rc == 0 && (!WIFEXITED(end.status) || WEXITSTATUS(end.status)))
		first_error(end.output, out->load_reason, sizeof out->load_reason);
	free(end.output);
	return rc;
}

static int run_c(struct run *r, const char *check, struct program_answers *out)
{
	static const char *const argv[] = { "./check", NULL };
	if (private_dir_put(&r->dir, "check.c", check, r->err, r->err_size) || compile(r, out))
		return -1;
	if (*out->load_reason)
		return 0;
	/* The program must not be able to read the cases. The linker may not change modes. */
	unlinkat(r->dir.fd, "check.c", 0);
	if (fchmodat(r->dir.fd, "check", 0700, 0)) {
		snprintf(r->err, r->err_size, "the compiled program cannot be started: %s",
			strerror(errno));
		return -1;
	}
	return run_check(r, argv, out);
}

/* A program in a directory of its own, which is gone when this returns. */
static int run_program(struct run *r, const char *text, struct program_answers *out)
{
	struct arena arena = { 0 };
	enum program_language language = r->v->drill->program->language;
	int rc = -1;
	*out = (struct program_answers){ 0 };
	if (make_nonce(r->nonce, r->err, r->err_size) ||
		private_dir_make(&r->dir, r->err, r->err_size))
		return -1;
	const char *check = program_check_text(r->v, r->nonce, &arena);
	if (arena.failed)
		snprintf(r->err, r->err_size, "out of memory");
	else if (private_dir_put(&r->dir, files[language], text, r->err, r->err_size) == 0)
		rc = language == LANGUAGE_C ? run_c(r, check, out) : run_python(r, check, out);
	private_dir_remove(&r->dir);
	arena_release(&arena);
	return rc;
}

/* Whether a folder has ridge's own files beneath it, or everything that is the user's. Where nothing says
 * what that is, any folder may. */
static bool holds_what_is_ours(const char *folder)
{
	const char *home = getenv("HOME");
	size_t n = strlen(folder);
	if (!home || home[0] != '/')
		return true;
	for (int i = 0; i <= N_OWN_FOLDERS; i++) {
		char ours[OWN_PATH_SIZE] = "", real[PATH_MAX];
		if (i < N_OWN_FOLDERS)
			own_path((enum own_folder)i, "", ours, sizeof ours);
		else
			snprintf(ours, sizeof ours, "%s/", home);
		/* A folder that is not there yet is compared as it is written. */
		const char *path = realpath(ours, real) ? real : ours;
		if (strncmp(path, folder, n) == 0 && (path[n] == '/' || !path[n] || n == 1))
			return true;
	}
	return false;
}

/* Lets the tool read and execute what is beneath, unless that is more than a tool's. */
static void let_read(struct run *r, const char *path)
{
	size_t n = 0;
	char real[PATH_MAX];
	while (r->readable[n])
		n++;
	if (n == MOST_HOMES || !realpath(path, real) || strlen(real) >= LONGEST_PATH ||
		holds_what_is_ours(real))
		return;
	strcpy(r->homes[n], real);
	r->readable[n] = r->homes[n];
}

/* The tool itself, and the folder that its bin is in, of links to it as well. */
static void let_read_tool(struct run *r)
{
	char real[PATH_MAX], *paths[] = { r->tool, real };
	let_read(r, r->tool);
	for (size_t i = 0; i < LENGTH(paths); i++) {
		char home[PATH_MAX];
		if (i && !realpath(r->tool, real))
			return;
		snprintf(home, sizeof home, "%s", paths[i]);
		for (int up = 0; up < 2; up++)
			if (strrchr(home, '/'))
				*strrchr(home, '/') = '\0';
		if (*home)
			let_read(r, home);
	}
}

/* A python3 in the PATH may be a script that starts another one: ask it which interpreter it is, and
 * where its library is. */
static int probe_python(struct run *r, const char *found, const struct private_dir *dir)
{
	static const char question[] =
		"import sys; print(sys.executable, sys.prefix, sys.exec_prefix, sys.base_prefix, "
		"sys.base_exec_prefix, sep='\\n'); sys.exit(sys.version_info < (3, 6))";
	const char *const argv[] = { found, "-I", "-S", "-c", question, NULL };
	struct child_end end;
	struct child c = { .argv = argv,
		.dir = dir->fd,
		.limits = tool_limits,
		.stopped = r->limits->stopped,
		.context = r->limits->context,
		.wall_ms = TOOL_MS,
		.output_bytes = PROBE_BYTES };
	int rc = child_run(&c, &end, r->err, r->err_size);
	if (rc == 0) {
		bool good = WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0;
		char *line = end.output;
		for (int i = 0; *line; i++) {
			size_t n = strcspn(line, "\n");
			bool more = line[n] != '\0';
			line[n] = '\0';
			if (i == 0)
				snprintf(r->tool, sizeof r->tool, "%s", line);
			else
				let_read(r, line);
			line += n + more;
		}
		rc = good && r->tool[0] == '/' && access(r->tool, X_OK) == 0 ? 0 : 1;
	}
	free(end.output);
	return rc;
}

/* 0 and its path in r->tool; 1 when there is none; -1 and a line in r->err. */
static int find_tool(struct run *r)
{
	char found[LONGEST_PATH];
	struct private_dir dir;
	enum program_language language = r->v->drill->program->language;
	int rc = 0;
	if (!child_find(tools[language], found, sizeof found))
		return 1;
	if (language == LANGUAGE_C) {
		snprintf(r->tool, sizeof r->tool, "%s", found);
	} else {
		if (private_dir_make(&dir, r->err, r->err_size))
			return -1;
		rc = probe_python(r, found, &dir);
		private_dir_remove(&dir);
	}
	if (rc == 0)
		let_read_tool(r);
	return rc;
}

/* Runs the model solution. Its results are what is expected when no formula says it, and they show
 * that programs run on this machine at all. */
static int run_model(struct run *r, struct program_answers *out)
{
	const struct variant *v = r->v;
	struct program_result all;
	if (run_program(r, v->program->solution, out))
		return -1;
	program_compare(v, out, out, &all);
	if (all.loaded && all.passed == all.n)
		return 0;
	snprintf(r->err, r->err_size, "%s: the model solution does not run here: %s%s%s",
		tools[v->drill->program->language], all.loaded ? all.got : all.load_reason,
		*r->said ? ": " : "", r->said);
	r->err[strcspn(r->err, "\n")] = '\0';
	return -1;
}

static void refuse(struct code_result *out, const char *why)
{
	out->grade = (struct grade){ .verdict = VERDICT_INVALID };
	snprintf(out->grade.remark, sizeof out->grade.remark, "%s", why);
	snprintf(out->summary, sizeof out->summary, "nothing to run");
}

/* 1: nothing can be run here; 0; or -1 and a line in r->err. */
static int run_both(struct run *r, const char *text, struct code_result *out)
{
	struct program_answers model = { 0 }, given = { 0 };
	int rc = find_tool(r);
	if (rc) {
		out->state = CODE_NO_TOOL;
		return rc;
	}
	r->lenient = !confine_works(out->why, sizeof out->why);
	if (r->lenient && !consent_given()) {
		out->state = CODE_NOT_CONFINED;
		return 1;
	}
	rc = run_model(r, &model) || run_program(r, text, &given) ? -1 : 0;
	if (rc == 0) {
		program_compare(r->v, &model, &given, &out->result);
		program_grade(&out->result, &out->grade);
		program_summary(&out->result, out->summary, sizeof out->summary);
		snprintf(out->said, sizeof out->said, "%s", r->said);
		out->took_ms = r->took_ms;
	}
	program_answers_release(&model);
	program_answers_release(&given);
	return rc;
}

int code_run(const struct variant *v, const char *text, const struct code_limits *limits,
	struct code_result *out, char *err, size_t err_size)
{
	struct child_hold hold;
	struct code_limits used = limits ? *limits : default_limits;
	if (!used.wall_ms) { /* only whom to ask */
		used = default_limits;
		used.stopped = limits->stopped;
		used.context = limits->context;
	}
	struct run r = { .v = v, .limits = &used, .err = err, .err_size = err_size };
	*out = (struct code_result){ 0 };
	assert(v->program && v->drill->program->language < N_LANGUAGES);
	snprintf(out->tool, sizeof out->tool, "%s", tools[v->drill->program->language]);
	if (strcmp(text, v->program->stub) == 0 || strlen(text) > LARGEST_PROGRAM) {
		refuse(out, strlen(text) > LARGEST_PROGRAM
				    ? "the program is too long: expected at most 64 KiB"
				    : "the program is as it was given: nothing was written yet");
		return 0;
	}
	child_hold(&hold);
	int rc = run_both(&r, text, out);
	child_release(&hold);
	return rc < 0 ? -1 : 0;
}
