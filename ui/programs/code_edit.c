/* The text goes to the editor and comes back through a file: the one that is kept, or one in a directory of its
 * own. Meanwhile the keys' signals are the editor's, and those that end ridge wait until that directory is
 * removed. */
#include "ui/programs/code_edit.h"

#include "sims/base/array.h"
#include "ui/files/own_file.h"
#include "ui/programs/child.h"
#include "ui/programs/code_draft.h"
#include "ui/programs/code_question.h"
#include "ui/programs/code_run.h"
#include "ui/programs/private_dir.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_COMMAND = 1024, PAUSE_MS = 30 };

/* Signals that would end us, or that the editor's keys send to us as well. */
static const int held[] = { SIGTERM, SIGHUP }, left_alone[] = { SIGINT, SIGQUIT };
enum { N_LEFT_ALONE = LENGTH(left_alone) };

/* How signals were treated before the editor came. */
struct before {
	sigset_t mask;
	struct sigaction keys[N_LEFT_ALONE], stop, child;
};

/* The editor's command line, which may have arguments ("code --wait"). NULL when there is none. */
static const char *find_editor(char *buf, size_t size)
{
	static const char *const usual[] = { "editor", "nano", "vi" };
	static const char *const names[] = { "VISUAL", "EDITOR" };
	for (size_t i = 0; i < LENGTH(names); i++) {
		const char *set = getenv(names[i]);
		if (set && *set && strlen(set) < size)
			return strcpy(buf, set);
	}
	for (size_t i = 0; i < LENGTH(usual); i++)
		if (child_find(usual[i], buf, size))
			return buf;
	return NULL;
}

static void hold_signals(struct before *b)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, usual = { .sa_handler = SIG_DFL };
	struct sigaction stop;
	sigset_t set;
	sigemptyset(&ignore.sa_mask);
	sigemptyset(&usual.sa_mask);
	sigemptyset(&set);
	for (size_t i = 0; i < LENGTH(held); i++)
		sigaddset(&set, held[i]);
	for (size_t i = 0; i < N_LEFT_ALONE; i++)
		sigaction(left_alone[i], &ignore, &b->keys[i]);
	/* Ctrl-Z must stop ridge together with the editor, or the shell would not take the terminal
	 * back. */
	sigaction(SIGTSTP, NULL, &b->stop);
	stop = b->stop.sa_handler == SIG_IGN ? ignore : usual;
	sigaction(SIGTSTP, &stop, NULL);
	sigaction(SIGCHLD, &usual, &b->child);
	sigprocmask(SIG_BLOCK, &set, &b->mask);
}

static void give_signals_back(const struct before *b)
{
	for (size_t i = 0; i < N_LEFT_ALONE; i++)
		sigaction(left_alone[i], &b->keys[i], NULL);
	sigaction(SIGTSTP, &b->stop, NULL);
	sigaction(SIGCHLD, &b->child, NULL);
	sigprocmask(SIG_SETMASK, &b->mask, NULL);
}

/* Runs in the child. The editor gets the usual meaning of the keys' signals, unless they were
 * ignored when ridge was started. */
static void become_editor(const struct before *b, const char *command, const char *path)
{
	char line[LONGEST_COMMAND + 8];
	for (size_t i = 0; i < N_LEFT_ALONE; i++)
		signal(left_alone[i], b->keys[i].sa_handler == SIG_IGN ? SIG_IGN : SIG_DFL);
	for (size_t i = 0; i < LENGTH(held); i++)
		signal(held[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, &b->mask, NULL);
	snprintf(line, sizeof line, "%s \"$@\"", command);
	execl("/bin/sh", "sh", "-c", line, command, path, (char *)NULL);
	_exit(127);
}

/* Waits for the editor and returns its status. A signal that is to end ridge ends the editor first,
 * so that its file can be removed. */
static int wait_for(pid_t pid)
{
	int status = 0;
	bool told = false;
	for (pid_t ended = 0; ended == 0;) {
		sigset_t pending;
		ended = waitpid(pid, &status, WNOHANG);
		if (ended < 0 && errno == EINTR)
			ended = 0;
		if (ended != 0)
			break;
		sigpending(&pending);
		for (size_t i = 0; i < LENGTH(held); i++)
			if (!told && sigismember(&pending, held[i]) == 1) {
				kill(pid, SIGHUP);
				told = true;
			}
		nanosleep(&(struct timespec){ .tv_nsec = PAUSE_MS * 1000000L }, NULL);
	}
	return status;
}

static int run_editor(
	const struct before *b, const char *command, const char *path, char *err, size_t err_size)
{
	pid_t pid = fork();
	if (pid == 0)
		become_editor(b, command, path);
	int reason = errno, status = pid > 0 ? wait_for(pid) : 0;
	if (pid < 0)
		snprintf(err, err_size, "cannot start an editor: %s", strerror(reason));
	else if (!WIFEXITED(status) || WEXITSTATUS(status))
		snprintf(err, err_size, "the editor \"%.100s\" ended with %s %d", command,
			WIFEXITED(status) ? "status" : "signal",
			WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	else
		return 0;
	return -1;
}

static void add_words(char *err, size_t err_size, const char *words)
{
	const size_t n = strlen(err);
	snprintf(err + n, err_size - n, "%s", words);
}

/* The text that came of an editor, from malloc; NULL: it is as it was. *rc: 0; or -1 and one line in err. */
static char *edit_aside(const struct before *b, const char *name, const char *command,
	const char *text, int *rc, char *err, size_t err_size)
{
	struct private_dir dir;
	char path[sizeof dir.path + 32], *edited = NULL;
	*rc = private_dir_make(&dir, err, err_size);
	if (*rc)
		return NULL;
	snprintf(path, sizeof path, "%s/%s", dir.path, name);
	*rc = private_dir_put(&dir, name, text, err, err_size);
	if (*rc == 0) {
		*rc = run_editor(b, command, path, err, err_size);
		if (*rc)
			add_words(err, err_size, "; nothing is changed");
		else
			edited = private_dir_get(&dir, name, LARGEST_PROGRAM, err, err_size);
	}
	private_dir_remove(&dir);
	*rc = edited ? 0 : -1;
	return edited;
}

/* But for a newline at the end, which the file has in any case. */
static bool is_same_program(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	n -= n && a[n - 1] == '\n';
	m -= m && b[m - 1] == '\n';
	return n == m && strncmp(a, b, n) == 0;
}

/* The same in the file at path, where the text is already. What an editor had saved counts, however it ended. */
static char *edit_kept(const struct before *b, const char *path, const char *command,
	const char *text, int *rc, char *err, size_t err_size)
{
	char why[128];
	*rc = run_editor(b, command, path, err, err_size);
	char *edited = own_read(path, LARGEST_PROGRAM, NULL);
	if (!edited && *rc == 0) {
		snprintf(err, err_size, "cannot read %.200s: %s", path,
			own_read_error(LARGEST_PROGRAM, why, sizeof why));
		*rc = -1;
	} else if (*rc && edited && !is_same_program(edited, text)) {
		add_words(err, err_size, "; what it had saved is here");
	} else if (*rc) {
		add_words(err, err_size, "; nothing is changed");
		free(edited);
		edited = NULL;
	}
	return edited;
}

/* The stub with the question above it; any other text as it is, whose author has seen the question and
 * may have taken it away. From malloc, or NULL. */
static char *with_question(const struct variant *v, const char *text)
{
	char *question = strcmp(text, v->program->stub) == 0 ? code_question(v) : strdup("");
	const size_t before = question ? strlen(question) : 0, size = before + strlen(text) + 1;
	char *all = question ? malloc(size) : NULL;
	if (all)
		snprintf(all, size, "%s%s", question, text);
	free(question);
	return all;
}

/* The question above a stub that is as it was is no program yet. */
static void drop_question_alone(const struct variant *v, char *text)
{
	const char *program = code_behind_question(v, text);
	if (strcmp(program, v->program->stub) == 0)
		memmove(text, program, strlen(program) + 1);
}

int code_edit(const struct variant *v, bool keeps, const struct code_terminal *t, char **text,
	char *err, size_t err_size)
{
	char command[LONGEST_COMMAND], path[OWN_PATH_SIZE];
	struct before b;
	int rc;
	assert(text && *text);
	if (!find_editor(command, sizeof command)) {
		snprintf(err, err_size, "no editor: expected EDITOR to name one");
		return -1;
	}
	char *begun = with_question(v, *text), *edited;
	if (!begun) {
		snprintf(err, err_size, "out of memory");
		return -1;
	}
	if (t && t->give)
		t->give(t->context);
	hold_signals(&b);
	/* Where it cannot be kept there is still an editor; whoever keeps what comes of it says why. */
	if (keeps && code_draft_begin(v, begun, path, sizeof path))
		edited = edit_kept(&b, path, command, begun, &rc, err, err_size);
	else
		edited = edit_aside(&b, code_file_name(v->program->program->language), command,
			begun, &rc, err, err_size);
	free(begun);
	give_signals_back(&b); /* a signal that came meanwhile acts now */
	if (t && t->take)
		t->take(t->context);
	if (edited) {
		drop_question_alone(v, edited);
		free(*text);
		*text = edited;
	}
	return rc;
}
