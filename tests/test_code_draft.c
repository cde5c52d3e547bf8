/* A program that is being written, kept until it passes. */
#include "ui/programs/code_draft.h"
#include "tests/data_home.h"
#include "tests/runs.h"
#include "ui/programs/code_edit.h"
#include "ui/programs/code_question.h"

#include <sys/stat.h>

static const char mine[] = "def all_reduce(ring, buffers):\n    return 7\n";
static struct data_home home;

static void begin(void)
{
	load();
	data_home_begin(&home, "programs");
}

static void end(void)
{
	data_home_end(&home);
	release();
}

/* What is kept of it now; the caller frees. */
static char *kept(const struct variant *v)
{
	int64_t saved_s;
	return code_draft_read(v, &saved_s);
}

Test(code_draft, until_it_passes, .init = begin, .fini = end)
{
	struct variant v = deal_drill("code-ring", 1);
	char err[400] = "", path[256];
	int64_t saved_s = 0;
	struct stat st;
	cr_expect(kept(&v) == NULL);
	cr_expect(zero(int, code_draft_keep(&v, NULL, err, sizeof err)), "there is none: %s", err);
	cr_expect(zero(int, code_draft_keep(&v, mine, err, sizeof err)), "%s", err);
	char *text = code_draft_read(&v, &saved_s);
	cr_assert(text != NULL);
	cr_expect(eq(str, text, (char *)mine));
	free(text);
	snprintf(path, sizeof path, "%s/ridge/programs/code-ring.py", home.path);
	cr_assert(zero(int, stat(path, &st)), "where people find it");
	cr_expect(eq(i64, saved_s, (int64_t)st.st_mtime));
	cr_expect(eq(int, st.st_mode & 0777, 0600));
	cr_expect(zero(int, code_draft_keep(&v, v.program->stub, err, sizeof err)), "%s", err);
	cr_expect(kept(&v) == NULL, "the program as it was given is none");
	cr_expect(zero(int, code_draft_keep(&v, mine, err, sizeof err)), "%s", err);
	cr_expect(zero(int, code_draft_keep(&v, NULL, err, sizeof err)), "%s", err);
	cr_expect(kept(&v) == NULL);
	variant_release(&v);
}

/* code-ring asks about elements of 1, 2, 4 or 8 bytes; the question above a program is the present one. */
Test(code_draft, dealt_with_other_numbers, .init = begin, .fini = end)
{
	struct variant before = deal_drill("code-ring", 1), now = deal_drill("code-ring", 1);
	char err[400] = "", text[8192];
	for (uint64_t seed = 2; strcmp(now.prompt, before.prompt) == 0; seed++) {
		variant_release(&now);
		now = deal_drill("code-ring", seed);
	}
	char *old = code_question(&before), *new = code_question(&now);
	snprintf(text, sizeof text, "%s%s", old, mine);
	cr_expect(zero(int, code_draft_keep(&before, text, err, sizeof err)), "%s", err);
	char *read = kept(&now);
	snprintf(text, sizeof text, "%s%s", new, mine);
	cr_expect(eq(str, read, text));
	free(read);
	/* Comments of one's own are no question, and without one none comes. */
	snprintf(text, sizeof text, "# mine\n%s", mine);
	cr_expect(zero(int, code_draft_keep(&before, text, err, sizeof err)), "%s", err);
	read = kept(&now);
	cr_expect(eq(str, read, text));
	free(read);
	free(old);
	free(new);
	variant_release(&before);
	variant_release(&now);
}

/* Each save counts, however the editor ends; only what it leaves as it was is nothing. */
Test(code_draft, every_save_of_the_editor, .init = begin, .fini = end, .timeout = 60)
{
	static const struct {
		const char *editor, *ends_with, *err;
	} rows[] = {
		{ "true", NULL, NULL },
		{ "sh -c 'echo one >> \"$0\"'", "one\n", NULL },
		{ "sh -c 'echo two >> \"$0\"; exit 1'", "two\n", "what it had saved is here" },
		{ "sh -c 'echo three >> \"$0\"; kill -9 $$'", "three\n",
			"what it had saved is here" },
		{ "false", "three\n", "nothing is changed" },
		{ "rm", NULL, "cannot read" },
	};
	struct variant v = deal_drill("code-ring", 1);
	cr_assert(freopen("/dev/null", "w", stderr) != NULL);
	unsetenv("VISUAL");
	char *text = strdup(v.program->stub);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char err[400] = "";
		setenv("EDITOR", rows[i].editor, 1);
		const int rc = code_edit(&v, true, NULL, &text, err, sizeof err);
		cr_expect(eq(int, rc, rows[i].err ? -1 : 0), "%s: %s", rows[i].editor, err);
		cr_expect(rows[i].err == NULL || strstr(err, rows[i].err), "%s: %s", rows[i].editor,
			err);
		char *read = kept(&v);
		const size_t n = rows[i].ends_with ? strlen(rows[i].ends_with) : 0;
		cr_expect(eq(int, read != NULL, n > 0), "%s", rows[i].editor);
		if (read) {
			cr_expect(eq(str, read + strlen(read) - n, (char *)rows[i].ends_with));
			cr_expect(eq(str, read, text), "%s", rows[i].editor);
		}
		free(read);
	}
	free(text);
	variant_release(&v);
}

/* A program with a name that is no name of a file stays in the folder. */
Test(code_draft, names_of_one_s_own, .init = begin, .fini = end)
{
	struct variant v = deal_drill("code-ring", 1);
	struct drill named = *v.drill;
	char path[256], expected[256], err[400];
	named.id = "../a b";
	v.drill = &named;
	snprintf(expected, sizeof expected, "%s/ridge/programs/%%2e%%2e%%2fa%%20b.py", home.path);
	cr_assert(code_draft_path(&v, path, sizeof path) != NULL);
	cr_expect(eq(str, path, expected));
	char endless[300] = "";
	memset(endless, 'a', sizeof endless - 1);
	named.id = endless;
	cr_expect(code_draft_path(&v, path, sizeof path) == NULL);
	cr_expect(eq(int, code_draft_keep(&v, mine, err, sizeof err), -1));
	variant_release(&v);
}

/* Where nothing can be kept, an editor works all the same, and whoever keeps says so. */
Test(code_draft, a_folder_that_cannot_be_written, .init = begin, .fini = end, .timeout = 60)
{
	struct variant v = deal_drill("code-ring", 1);
	char err[400] = "", *text = strdup(v.program->stub);
	setenv("XDG_DATA_HOME", "/proc/1", 1);
	setenv("VISUAL", "sh -c 'echo more >> \"$0\"'", 1);
	cr_expect(zero(int, code_edit(&v, true, NULL, &text, err, sizeof err)), "%s", err);
	cr_expect(strstr(text, "more\n") != NULL);
	cr_expect(eq(int, code_draft_keep(&v, text, err, sizeof err), -1));
	cr_expect(strstr(err, "could not be written") != NULL, "%s", err);
	free(text);
	variant_release(&v);
}
