/* The accelerators and models that the build has read are those of the files: the lists that the program has, beside
 * what is made of the same files here. */
#include "tests/settings.h"
#include "ui/data/composed_models.h"
#include "ui/data/known_tables.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static void expect_same(const struct image *listed, const struct image *read, const char *what)
{
	cr_assert(lt(sz, 10, read->n), "%s", what);
	cr_assert(eq(sz, listed->n, read->n), "%s", what);
	cr_assert(eq(sz, listed->n_words, read->n_words), "%s", what);
	cr_assert(eq(sz, listed->text_bytes, read->text_bytes), "%s", what);
	cr_expect(
		zero(int, memcmp(listed->words, read->words, read->n_words * sizeof *read->words)),
		"%s", what);
	cr_expect(zero(int, memcmp(listed->texts, read->texts, read->text_bytes)), "%s", what);
}

Test(known_tables, are_those_of_the_files)
{
	struct arena a = { 0 };
	if (!known_tables)
		cr_skip_test("this build has no lists");
	setenv("RIDGE_CONTENT", "content",
		1); /* a folder's files are read, whatever is known of them */
	struct tables t = load_tables();
	cr_assert(t.own);
	const struct image gpus = tables_image_of(&t, TABLES_GPUS, &a),
			   models = tables_image_of(&t, TABLES_MODELS, &a),
			   composed = composed_models_image(&t, &a);
	expect_same(&known_tables[TABLES_GPUS], &gpus, "accelerators");
	expect_same(&known_tables[TABLES_MODELS], &models, "models");
	expect_same(&known_composed, &composed, "models made of parts");
	tables_release(&t);
	arena_release(&a);
}
