/* Programs on the drill screen: the keys ask the loop for an editor and for a run, between
 * frames. */
#include "tests/explorer.h"
#include "ui/screens/drill/drill_state.h"

#include "drills/program.h"
#include "ui/programs/consent.h"
#include "ui/screens/drill/drill_session.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char edited[] = "def all_reduce(ring, buffers):\n    return 42\n";

/* The program that is kept. The real editor, too, edits that very file. */
static char kept[200];

static int edit(const struct variant *v, bool keeps, char **text, char *err, size_t err_size)
{
	cr_expect(eq(str, *text, (char *)v->program->stub), "the editor begins with the stub");
	(void)err, (void)err_size;
	if (keeps)
		snprintf(kept, sizeof kept, "%s", edited);
	free(*text);
	*text = strdup(edited);
	return 0;
}

static int no_editor(const struct variant *v, bool keeps, char **text, char *err, size_t err_size)
{
	(void)v, (void)keeps, (void)text;
	snprintf(err, err_size, "no editor");
	return -1;
}

static int edit_nothing(
	const struct variant *v, bool keeps, char **text, char *err, size_t err_size)
{
	(void)v, (void)err, (void)err_size;
	if (keeps)
		snprintf(kept, sizeof kept, "%s", *text);
	return 0;
}

/* Right for a text that was edited, wrong for the stub. */
static int run(const struct variant *v, const char *text, struct code_result *out, char *err,
	size_t err_size)
{
	(void)v, (void)err, (void)err_size;
	bool right = strcmp(text, edited) == 0;
	*out = (struct code_result){ .state = CODE_RAN };
	out->grade.verdict = right ? VERDICT_CORRECT : VERDICT_WRONG;
	out->grade.attempt_used = true;
	out->grade.credit = right ? 1 : 0.5;
	snprintf(out->summary, sizeof out->summary, right ? "6 of 6 cases" : "3 of 6 cases");
	snprintf(out->said, sizeof out->said, "printed by it\n");
	return 0;
}

static int no_tool(const struct variant *v, const char *text, struct code_result *out, char *err,
	size_t err_size)
{
	(void)v, (void)text, (void)err, (void)err_size;
	*out = (struct code_result){ .state = CODE_NO_TOOL, .tool = "python3" };
	return 0;
}

static struct explorer open_program(void)
{
	struct explorer e = explorer_start(40, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "drill topic=code-ring count=1 seed=3"));
	e.app->edit_program = edit;
	e.app->run_program = run;
	return e;
}

/* Does what the program's loop does: the key, then a frame, then the work that is left. */
static void press(struct explorer *e, const char *key)
{
	explorer_press(e, key);
	drill_program_work(e->app);
}

static const struct session_item *item_of(const struct explorer *e)
{
	return &drill_of(e->app)->session.items[0];
}

Test(app_program, edited_run_and_graded)
{
	struct explorer e = open_program();
	press(&e, "Enter");
	cr_expect(eq(int, item_of(&e)->grade.verdict, VERDICT_WRONG));
	cr_expect(eq(u32, item_of(&e)->attempts, 1));
	cr_expect(explorer_shows(&e, "It printed:") && explorer_shows(&e, "printed by it"));
	press(&e, "e");
	cr_expect(explorer_shows(&e, "return 42"), "the own program stands there now");
	press(&e, "Enter");
	cr_expect(item_of(&e)->closed);
	cr_expect(eq(int, item_of(&e)->grade.verdict, VERDICT_CORRECT));
	explorer_end(&e);
}

/* When the program that is kept was saved. */
static const int64_t saved_s = 1767225600 - 3 * 86400; /* 2025-12-29, a Monday */

static char *load_kept(const struct variant *v, int64_t *at_s)
{
	(void)v;
	*at_s = saved_s;
	return *kept ? strdup(kept) : NULL;
}

static bool disk_full;
static int keep(const struct variant *v, const char *text, char *err, size_t err_size)
{
	(void)v;
	snprintf(kept, sizeof kept, "%s", text ? text : "");
	snprintf(err, err_size, "the disk is full");
	return disk_full ? -1 : 0;
}

static struct explorer open_kept(const char *text, const char *target)
{
	struct explorer e = explorer_start(40, 80, GLYPHS_LINES);
	snprintf(kept, sizeof kept, "%s", text);
	e.app->epoch_s = 1767225600; /* 2026-01-01 */
	e.app->load_program = load_kept;
	e.app->keep_program = keep;
	e.app->edit_program = edit;
	e.app->run_program = run;
	cr_assert(explorer_open(&e, target));
	return e;
}

/* Whoever leaves finds the program again, until it passes; the one as it was given is a key away. */
Test(app_program, one_that_was_left_is_there_again)
{
	struct explorer e = open_kept("", "drill topic=code-ring count=1 seed=3");
	cr_expect(not(explorer_shows(&e, "You left this")));
	press(&e, "e");
	cr_expect(eq(str, kept, (char *)edited), "as soon as the editor has ended");
	explorer_end(&e);

	e = open_kept(
		"def all_reduce(r, b):\n    return 41\n", "drill topic=code-ring count=1 seed=3");
	cr_expect(explorer_shows(&e, "You left this program on Monday 29 December 2025"));
	cr_expect(explorer_shows(&e, "return 41"));
	press(&e, "u");
	cr_expect(explorer_shows(&e, "This is the program as it was given"));
	cr_expect(not(explorer_shows(&e, "return 41")));
	press(&e, "u");
	cr_expect(explorer_shows(&e, "return 41"));
	press(&e, "u");
	press(&e, "e"); /* begins with the stub, which edit() expects */
	cr_expect(not(explorer_shows(&e, "as it was given")));
	cr_expect(eq(str, kept, (char *)edited));
	press(&e, "Enter");
	cr_expect(item_of(&e)->closed);
	cr_expect(zero(sz, strlen(kept)), "it has passed");
	explorer_end(&e);
}

/* A look at the program as it was given costs nothing of the one that was left, in an editor too. */
Test(app_program, one_that_was_left_outlives_a_look_at_the_given_one)
{
	const char *left = "def all_reduce(r, b):\n    return 41\n";
	struct explorer e = open_kept(left, "drill topic=code-ring count=1 seed=3");
	e.app->edit_program = edit_nothing;
	press(&e, "u");
	press(&e, "e");
	cr_expect(eq(str, kept, (char *)left));
	press(&e, "u");
	cr_expect(explorer_shows(&e, "return 41"));
	explorer_end(&e);
}

Test(app_program, one_that_cannot_be_kept_is_told)
{
	struct explorer e = open_kept("", "drill topic=code-ring count=1 seed=3");
	disk_full = true;
	press(&e, "e");
	cr_expect(explorer_shows(&e, "Your program is not kept: the disk is full."));
	explorer_end(&e);
}

/* Without a history nothing is kept, and what was kept stays out of sight. */
Test(app_program, what_is_not_kept)
{
	struct explorer e = open_kept("left\n", "drill topic=code-ring count=1 seed=3 history=no");
	cr_expect(not(explorer_shows(&e, "You left this")));
	press(&e, "e");
	cr_expect(eq(str, kept, (char *)"left\n"), "nothing of it");
	explorer_end(&e);
}

/* In a small window the question comes first, and no line of what follows is jumped over. */
Test(app_program, every_line_is_on_a_page)
{
	enum { MOST_LINES = 200, MOST_PAGES = 20 };
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "drill topic=code-training-memory count=1 seed=3"));
	const struct variant *v = &item_of(&e)->variant;
	char *stub = strdup(v->program->stub), *rest, *lines[MOST_LINES];
	bool seen[MOST_LINES] = { false };
	size_t n = 0;
	for (char *line = strtok_r(stub, "\n", &rest); line && n < MOST_LINES;
		line = strtok_r(NULL, "\n", &rest)) {
		line[strnlen(line, 60)] = '\0'; /* what is longer goes on in the next row */
		lines[n++] = line + strspn(line, " \t");
	}
	cr_assert(lt(sz, 10, n));
	cr_expect(explorer_shows(&e, "training_bytes(model"));
	cr_expect(explorer_shows(&e, "is listed in the file."));
	cr_expect(explorer_shows(&e, "Enter  run it"));
	for (size_t page = 0; page < MOST_PAGES; page++) {
		for (size_t i = 0; i < n; i++)
			seen[i] |= explorer_shows(&e, lines[i]);
		explorer_press(&e, "PgDn");
	}
	for (size_t i = 0; i < n; i++)
		cr_expect(seen[i], "%s", lines[i]);
	free(stub);
	explorer_end(&e);
}

static int refuses(const struct variant *v, const char *text, struct code_result *out, char *err,
	size_t err_size)
{
	(void)v, (void)text, (void)err, (void)err_size;
	*out = (struct code_result){ .state = CODE_RAN };
	out->grade.verdict = VERDICT_INVALID;
	snprintf(out->grade.remark, sizeof out->grade.remark, "nothing was written yet");
	return 0;
}

/* What was said of the stub does not stand above what was written then. */
Test(app_program, an_edit_takes_a_refusal_away)
{
	struct explorer e = open_program();
	e.app->run_program = refuses;
	press(&e, "Enter");
	cr_expect(explorer_shows(&e, "Nothing was written yet"));
	press(&e, "e");
	cr_expect(explorer_shows(&e, "return 42"));
	cr_expect(not(explorer_shows(&e, "othing was written yet")));
	press(&e, "Enter");
	cr_expect(explorer_shows(&e, "Nothing was written yet"));
	explorer_end(&e);
}

/* Enter on what nobody has touched brings nothing new: in a small window the statement stays in sight. */
Test(app_program, an_untouched_program_leaves_its_statement_in_sight)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "drill topic=code-training-memory count=1 seed=3"));
	e.app->run_program = refuses;
	press(&e, "Enter");
	app_settle(e.app); /* as the loop does once the work is done */
	cr_expect(explorer_shows(&e, "othing was written yet"));
	cr_expect(explorer_shows(&e, "Write training_bytes(model"));
	explorer_end(&e);
}

Test(app_program, a_world_without_tools_costs_nothing)
{
	struct explorer e = open_program();
	e.app->edit_program = no_editor;
	press(&e, "e");
	cr_expect(explorer_shows(&e, "no editor"));
	e.app->edit_program = NULL;
	e.app->run_program = NULL;
	press(&e, "e");
	press(&e, "Enter");
	cr_expect(zero(u32, item_of(&e)->attempts));
	explorer_end(&e);
}

/* Nothing to run it with: the model solution and a line of judgement. */
Test(app_program, judged_by_oneself)
{
	struct explorer e = open_program();
	e.app->run_program = no_tool;
	press(&e, "Enter");
	cr_expect(drill_of(e.app)->program.assessing);
	size_t n = item_of(&e)->variant.program->program->n_check_list;
	explorer_type(&e, "maybe");
	press(&e, "Enter");
	cr_expect(not(item_of(&e)->closed), "that is no judgement");
	press(&e, "Esc");
	for (size_t i = 0; i < n; i++)
		explorer_type(&e, i == 0 ? "n" : "y");
	press(&e, "Enter");
	cr_expect(item_of(&e)->closed);
	cr_expect(epsilon_eq(dbl, item_of(&e)->credit, (double)(n - 1) / (double)n, 1e-9));
	explorer_end(&e);
}

static unsigned times_asked;

/* Cannot be confined, until the user has given leave. */
static int unconfined(const struct variant *v, const char *text, struct code_result *out, char *err,
	size_t err_size)
{
	times_asked++;
	if (consent_given())
		return run(v, text, out, err, err_size);
	*out = (struct code_result){ .state = CODE_NOT_CONFINED, .why = "untried" };
	return 0;
}

static struct explorer open_unconfined(const char *settings)
{
	struct explorer e = open_program();
	setenv("XDG_CONFIG_HOME", settings, 1);
	e.app->run_program = unconfined;
	times_asked = 0;
	press(&e, "Enter");
	cr_expect(explorer_shows(&e, "Nothing was run"));
	cr_expect(explorer_shows(&e, "untried") && explorer_shows(&e, "every file of yours"));
	cr_expect(not(explorer_shows(&e, "The model solution")), "that comes with the check list");
	return e;
}

/* Where programs cannot be confined: nothing but the words lets one run, and Enter alone leads to the
 * check list. */
Test(app_program, asked_before_it_runs_unconfined)
{
	char settings[] = "/tmp/ridge-settings-XXXXXX", path[100];
	cr_assert(mkdtemp(settings) != NULL);
	struct explorer e = open_unconfined(settings);
	explorer_type(&e, "yes");
	press(&e, "Enter");
	cr_expect(times_asked == 1 && !consent_given());
	explorer_end(&e);

	e = open_unconfined(settings);
	press(&e, "Enter");
	cr_expect(explorer_shows(&e, "The model solution"));
	cr_expect(times_asked == 1 && !consent_given());
	explorer_end(&e);

	e = open_unconfined(settings);
	explorer_type(&e, CONSENT_WORDS);
	press(&e, "Enter");
	cr_expect(consent_given());
	cr_expect(eq(uint, times_asked, 2));
	cr_expect(eq(int, item_of(&e)->grade.verdict, VERDICT_WRONG), "the stub, run");
	cr_expect(explorer_shows(&e, "printed by it"));
	explorer_end(&e);
	snprintf(path, sizeof path, "%s/ridge/programs.json", settings);
	cr_expect(zero(int, remove(path)));
	snprintf(path, sizeof path, "%s/ridge", settings);
	cr_expect(zero(int, rmdir(path) || rmdir(settings)));
}

/* The model solution gives the answer away: it is not there before. */
Test(app_program, no_solution_before_the_end)
{
	struct explorer e = open_program();
	const char *solution = item_of(&e)->variant.program->solution;
	char line[80];
	const char *at = strstr(solution, "for ");
	snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
	cr_expect(not(explorer_shows(&e, line)), "%s", line);
	press(&e, "Tab");
	press(&e, "Tab");
	cr_expect(not(explorer_shows(&e, line)), "%s", line);
	explorer_end(&e);
}
