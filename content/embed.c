/* Writes the files named on the command line as one C file: the table that ui/data/content.h
 * reads. Names and headings, which lists show, are together and apart from the texts: who looks at
 * a list has no text in memory that nobody opened. Runs at build time only. */
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

/* What is kept of a file between the two parts of the output. */
struct file {
	const char *name;
	char *text;
	size_t bytes;
	struct content_facts facts;
};

static int read_all(struct file *files, char **paths, int n)
{
	for (int i = 0; i < n; i++) {
		struct file *f = &files[i];
		if (!(f->text = read_file(paths[i], &f->bytes))) {
			perror(paths[i]);
			return -1;
		}
		f->name = strncmp(paths[i], "content/", 8) == 0 ? paths[i] + 8 : paths[i];
		f->facts = content_facts(f->text);
	}
	return 0;
}

static void write_text(const char *text, size_t n)
{
	putchar('"');
	for (size_t i = 0; i < n; i++)
		write_char(text[i]);
	putchar('"');
}

/* Terminated, which is one byte more. */
static void write_word(const char *text, size_t n)
{
	write_text(text, n);
	printf("\"\\0\"\n");
}

static void write_words(const struct file *files, int n)
{
	printf("static const char words[] =\n");
	for (const struct file *f = files; f < files + n; f++) {
		write_word(f->name, strlen(f->name));
		write_word(f->facts.heading, f->facts.heading_bytes);
		write_word(f->facts.name, f->facts.name_bytes);
	}
	printf(";\n");
}

/* Its words begin at *at, and the next file's where that is left. */
static void write_file(const struct file *file, size_t *at)
{
	const struct content_facts *f = &file->facts;
	const size_t heading = *at + strlen(file->name) + 1, name = heading + f->heading_bytes + 1;
	printf("{ words + %zu,\n", *at);
	write_text(file->text, file->bytes);
	printf(", %zu, { words + %zu, %zu, %zu, %zu, %zu, %zu, words + %zu, %zu } },\n",
		file->bytes, heading, f->heading_bytes, f->minutes, f->words, f->first_words,
		f->drills, name, f->name_bytes);
	*at = name + f->name_bytes + 1;
}

int main(int argc, char **argv)
{
	const int n = argc - 1;
	size_t at = 0;
	struct file *files = calloc((size_t)n + 1, sizeof *files);
	if (!files || read_all(files, argv + 1, n))
		return 1;
	printf("#include \"ui/data/content.h\"\n");
	write_words(files, n);
	printf("const struct content_file content_files[] = {\n");
	for (int i = 0; i < n; i++)
		write_file(&files[i], &at);
	printf("{ 0 } };\nconst size_t n_content_files = %d;\n", n);
	for (int i = 0; i < n; i++)
		free(files[i].text);
	free(files);
	return fflush(stdout) ? 1 : 0;
}
