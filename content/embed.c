/* Writes the files named on the command line as one C file: the table that ui/data/content.h
 * reads. Runs at build time only. */
#include "ui/data/content_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Terminated; from malloc. NULL: it cannot be read. */
static char *read_file(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	if (size >= 0 && fseek(f, 0, SEEK_SET) == 0 && (text = calloc(1, (size_t)size + 1)))
		*bytes = fread(text, 1, (size_t)size, f);
	if (text && *bytes < (size_t)size) {
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}

static void write_char(char c)
{
	if (c == '\n')
		printf("\\n\"\n\"");
	else if (c == '"' || c == '\\' || c == '?')
		printf("\\%c", c);
	else if (c >= 0x20 && c < 0x7f)
		putchar(c);
	else
		printf("\\%03o", (unsigned)(unsigned char)c);
}

static int write_file(const char *path)
{
	size_t bytes;
	char *text = read_file(path, &bytes);
	if (!text) {
		perror(path);
		return -1;
	}
	const char *name = strncmp(path, "content/", 8) == 0 ? path + 8 : path;
	const struct content_facts f = content_facts(text);
	printf("{ \"%s\",\n\"", name);
	for (size_t i = 0; i < bytes; i++)
		write_char(text[i]);
	printf("\", %zu, { %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu } },\n", bytes, f.heading,
		f.heading_bytes, f.minutes, f.words, f.first_words, f.drills, f.name, f.name_bytes);
	free(text);
	return 0;
}

int main(int argc, char **argv)
{
	printf("#include \"ui/data/content.h\"\nconst struct content_file content_files[] = {\n");
	for (int i = 1; i < argc; i++)
		if (write_file(argv[i]))
			return 1;
	printf("{ 0 } };\nconst size_t n_content_files = %d;\n", argc - 1);
	return fflush(stdout) ? 1 : 0;
}
