/* The user's own editor on a program. */
#include "ui/programs/code_edit.h"
#include "ui/programs/code_question.h"
#include "tests/runs.h"

static int given, taken;

static void give(void *context)
{
	given += *(int *)context;
}

static void take(void *context)
{
	taken += *(int *)context;
}

Test(code_edit, an_editor, .init = load, .fini = release, .timeout = 60)
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
	/* What the shell says of editors that are killed or missing is not about this test. */
	cr_assert(freopen("/dev/null", "w", stderr) != NULL);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char err[300] = "", *text = strdup(v.program->stub);
		setenv("VISUAL", rows[i].editor, 1);
		setenv("EDITOR", "false", 1);
		int rc = code_edit(&v, false, &t, &text, err, sizeof err);
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

/* The file that the editor opens has the question above the stub; what is left of it is the author's, and the
 * question alone is no program. */
Test(code_edit, the_question_above, .init = load, .fini = release, .timeout = 60)
{
	static const char *const ids[] = { "code-ring", "code-quantise-c" };
	static const char *const marks[] = { "# ", "// " };
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		struct variant v = deal_drill(ids[i], 1);
		char err[300] = "", *text = strdup(v.program->stub), words[24], all[64];
		setenv("VISUAL", "true", 1);
		cr_assert(zero(int, code_edit(&v, false, NULL, &text, err, sizeof err)), "%s", err);
		cr_expect(eq(str, text, (char *)v.program->stub));
		setenv("VISUAL", "sh -c 'echo >> \"$0\"'", 1);
		cr_assert(zero(int, code_edit(&v, false, NULL, &text, err, sizeof err)), "%s", err);
		snprintf(words, sizeof words, "%s", v.prompt);
		snprintf(all, sizeof all, "%s%s", marks[i], words);
		cr_expect(zero(int, strncmp(text, all, strlen(all))), "%s", text);
		const char *program = code_behind_question(&v, text);
		cr_expect(zero(int, strncmp(program, v.program->stub, strlen(v.program->stub))));
		cr_expect(eq(str, (char *)program + strlen(v.program->stub), "\n"));
		/* It was taken away: it does not come back. */
		setenv("VISUAL", "sh -c 'echo mine > \"$0\"'", 1);
		cr_assert(zero(int, code_edit(&v, false, NULL, &text, err, sizeof err)), "%s", err);
		setenv("VISUAL", "true", 1);
		cr_assert(zero(int, code_edit(&v, false, NULL, &text, err, sizeof err)), "%s", err);
		cr_expect(eq(str, text, "mine\n"));
		free(text);
		variant_release(&v);
	}
}

Test(code_edit, no_editor, .init = load, .fini = release, .timeout = 60)
{
	struct variant v = deal_drill("code-ring", 1);
	char err[300] = "", *text = strdup(v.program->stub);
	unsetenv("VISUAL");
	setenv("EDITOR", "", 1);
	setenv("PATH", "/nonexistent", 1);
	cr_expect(eq(int, code_edit(&v, false, NULL, &text, err, sizeof err), -1));
	cr_expect(strstr(err, "EDITOR") != NULL, "%s", err);
	free(text);
	variant_release(&v);
}
