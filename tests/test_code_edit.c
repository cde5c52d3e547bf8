/* The user's own editor on a program. */
#include "ui/programs/code_edit.h"
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

Test(code_edit, no_editor, .init = load, .fini = release, .timeout = 60)
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
