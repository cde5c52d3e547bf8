/* Reads the accelerators and models and writes them as C (to stdout), so that no start has to. The
 * build runs it. */
#include "sims/tables/tables_image.h"
#include "ui/data/tables_load.h"

#include <inttypes.h>
#include <stdio.h>

static void write_words(const struct tables_image *image, int kind)
{
	printf("static const uint64_t words_%d[] = {", kind);
	for (size_t i = 0; i < image->n * image->entry_bytes / sizeof *image->words; i++)
		printf("%s0x%" PRIx64 ",", i % 8 ? " " : "\n\t", image->words[i]);
	printf("\n};\n");
}

static void write_texts(const struct tables_image *image, int kind)
{
	printf("static const char texts_%d[] = {", kind);
	for (size_t i = 0; i < image->text_bytes; i++)
		printf("%s%d,", i % 16 ? " " : "\n\t", image->texts[i]);
	printf("\n};\n");
}

static int write_tables(const struct tables *t)
{
	struct arena a = { 0 };
	struct tables_image images[N_TABLES_KINDS];
	printf("#include \"ui/data/known_tables.h\"\n\n");
	for (int kind = 0; kind < N_TABLES_KINDS; kind++) {
		images[kind] = tables_image_of(t, (enum tables_kind)kind, &a);
		write_words(&images[kind], kind);
		write_texts(&images[kind], kind);
	}
	printf("const struct tables_image known_tables[] = {\n");
	for (int kind = 0; kind < N_TABLES_KINDS; kind++)
		printf("\t{ %zu, %zu, words_%d, texts_%d, %zu },\n", images[kind].n,
			images[kind].entry_bytes, kind, kind, images[kind].text_bytes);
	printf("};\n");
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
