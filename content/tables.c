/* Reads the accelerators and models and writes them as C (to stdout), so that no start has to. The
 * build runs it. */
#include "sims/tables/tables_image.h"
#include "ui/data/composed_models.h"
#include "ui/data/tables_load.h"

#include <inttypes.h>
#include <stdio.h>

static void write_data(const struct image *image, const char *name)
{
	printf("static const uint64_t %s_words[] = {", name);
	for (size_t i = 0; i < image->n_words; i++)
		printf("%s0x%" PRIx64 ",", i % 8 ? " " : "\n\t", image->words[i]);
	printf("\n};\nstatic const char %s_texts[] = {", name);
	for (size_t i = 0; i < image->text_bytes; i++)
		printf("%s%d,", i % 16 ? " " : "\n\t", image->texts[i]);
	printf("\n};\n");
}

static void write_image(const struct image *image, const char *name)
{
	printf("{ %zu, %s_words, %zu, %s_texts, %zu }", image->n, name, image->n_words, name,
		image->text_bytes);
}

static int write_tables(const struct tables *t)
{
	static const char *const names[N_TABLES_KINDS] = { "gpus", "models" };
	struct arena a = { 0 };
	struct image images[N_TABLES_KINDS], composed = composed_models_image(t, &a);
	printf("#include \"ui/data/known_tables.h\"\n\n");
	write_data(&composed, "composed");
	for (int kind = 0; kind < N_TABLES_KINDS; kind++) {
		images[kind] = tables_image_of(t, (enum tables_kind)kind, &a);
		write_data(&images[kind], names[kind]);
	}
	printf("const struct image known_tables[] = {\n");
	for (int kind = 0; kind < N_TABLES_KINDS; kind++) {
		printf("\t");
		write_image(&images[kind], names[kind]);
		printf(",\n");
	}
	printf("};\nconst struct image known_composed = ");
	write_image(&composed, "composed");
	printf(";\n");
	bool failed = a.failed;
	arena_release(&a);
	return failed ? -1 : fflush(stdout);
}

int main(void)
{
	struct tables t;
	char err[512];
	int rc = tables_load(&t, err, sizeof err);
	if (rc)
		fprintf(stderr, "tables: %s\n", err);
	else
		rc = write_tables(&t);
	tables_release(&t);
	return rc ? 1 : 0;
}
