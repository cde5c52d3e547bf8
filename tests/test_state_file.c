/* Where the reader was, as a file that was damaged, and that and a measured machine as they are written where
 * memory ends: whole, or not at all. */
#include "tests/json_damage.h"
#include "tests/made_machine.h"

#include "ui/machine/machine_json.h"
#include "ui/shell/progress.h"

#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/ridge-state-XXXXXX", file[80];

static void fresh_home(void)
{
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_STATE_HOME", folder, 1);
	snprintf(file, sizeof file, "%s/ridge", folder);
	cr_assert(zero(int, mkdir(file, 0700)));
	snprintf(file, sizeof file, "%s/ridge/state.json", folder);
}

static void drop_home(void)
{
	char command[80];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_expect(zero(int, system(command)));
}

TestSuite(state_file, .init = fresh_home, .fini = drop_home);

static void put(const char *text)
{
	FILE *f = fopen(file, "w");
	cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Something of each kind that is kept. */
static const char whole[] =
	"{\"schema\":1,\"place\":\"page:gpu\",\"scroll\":12,\"braille\":false,\"first\":true,"
	"\"glyphs\":{\"xterm\":\"octants\",\"linux\":\"lines\"},\"read\":{\"gpu\":0.5},"
	"\"parts\":{\"gpu\":\"00000000ffffffff\",\"serving\":\"0000000000000001\"},"
	"\"finished\":{\"gpu\":20787},"
	"\"bookmarks\":[{\"at\":\"page:gpu#deeper+3\",\"text\":\"Deeper\"}]}";

static void check_bounds(const struct progress *p, const char *what)
{
	cr_assert(p->scroll >= 0 && p->n_read <= MAX_READ && p->n_bookmarks <= MAX_BOOKMARKS &&
			  p->n_chosen <= MAX_CHOSEN && !p->unsaved,
		"%s", what);
	for (size_t i = 0; i < p->n_read; i++)
		cr_assert(p->read[i].page[0] && p->read[i].day >= 0, "%s", what);
	for (size_t i = 0; i < p->n_chosen; i++)
		cr_assert(p->chosen[i].terminal[0] && p->chosen[i].glyphs < (enum glyphs)N_GLYPHS,
			"%s", what);
}

/* What is damaged is told, and moved aside; what is left is written again, and read without a word. */
static bool state_refuses(const char *json, const char *what)
{
	struct progress p, again;
	char command[120];
	put(json);
	progress_load(&p);
	check_bounds(&p, what);
	cr_assert(zero(int, progress_save(&p)), "%s", what);
	progress_load(&again);
	cr_assert(zero(chr, again.warning[0]), "%s: %s", what, again.warning);
	cr_assert(again.n_read == p.n_read && again.n_bookmarks == p.n_bookmarks &&
			  again.n_chosen == p.n_chosen && again.scroll == p.scroll &&
			  strcmp(again.place, p.place) == 0,
		"%s", what);
	snprintf(command, sizeof command, "%s.damaged", file);
	cr_assert(
		eq(int, access(command, F_OK) == 0, *p.warning != '\0'), "%s: %s", what, p.warning);
	unlink(command);
	return *p.warning;
}

Test(state_file, damage_costs_what_is_damaged)
{
	size_t refused = 0;
	cr_assert(zero(int, state_refuses(whole, "as it is")));
	cr_expect(lt(sz, 100, damage_each(whole, state_refuses, &refused)));
	cr_expect(lt(sz, 80, refused));
}

/* --- Where memory ends --- */

static size_t left, held;

static void *take(size_t bytes)
{
	if (!left)
		return NULL;
	left--;
	void *p = malloc(bytes);
	held += p != NULL;
	return p;
}

static void give(void *p)
{
	held -= p != NULL;
	free(p);
}

static void limit(size_t allocations)
{
	left = allocations;
	held = 0;
	cJSON_InitHooks(&(cJSON_Hooks){ .malloc_fn = take, .free_fn = give });
}

/* Too many for any of these. */
enum { ENOUGH = 5000 };

Test(state_file, a_machine_is_written_whole_or_not_at_all)
{
	const struct machine m = made_machine();
	cJSON *json = machine_json(&m);
	char *expected = cJSON_Print(json);
	cJSON_Delete(json);
	size_t n = 0;
	for (;; n++) {
		limit(n);
		json = machine_json(&m);
		if (json || n == ENOUGH)
			break;
		cr_assert(zero(sz, held), "after %zu", n);
	}
	left = ENOUGH;
	char *got = cJSON_Print(json);
	cr_expect(eq(str, got, expected));
	cJSON_free(got);
	cJSON_Delete(json);
	cr_expect(lt(sz, 100, n));
	cr_expect(zero(sz, held));
	cJSON_InitHooks(NULL);
	free(expected);
}

/* The file is renamed when it is whole: until then the one before stays. */
Test(state_file, a_state_that_cannot_be_written_leaves_the_one_before)
{
	struct progress p, kept;
	put(whole);
	progress_load(&p);
	snprintf(p.place, sizeof p.place, "page:serving");
	size_t n = 0;
	int rc;
	do {
		limit(n++);
		rc = progress_save(&p);
		cr_assert(zero(sz, held), "after %zu", n);
		cJSON_InitHooks(NULL);
		progress_load(&kept);
		cr_assert(eq(str, kept.place, rc ? (char *)"page:gpu" : (char *)"page:serving"),
			"after %zu", n);
		cr_assert(kept.n_read == 2 && kept.n_bookmarks == 1 && kept.n_chosen == 2 &&
				  !kept.warning[0],
			"after %zu: %s", n, kept.warning);
	} while (rc && n < ENOUGH);
	cr_expect(zero(int, rc));
	cr_expect(lt(sz, 40, n));
}
