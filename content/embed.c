/* Writes the files named on the command line as one C file: the table that ui/pages/content.h
 * reads. Runs at build time only. */
#include <stdio.h>
#include <string.h>

static int write_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f) {
		perror(path);
		return -1;
	}
	const char *name = strncmp(path, "content/", 8) == 0 ? path + 8 : path;
	printf("{ \"%s\",\n\"", name);
	size_t bytes = 0;
	for (int c; (c = getc(f)) != EOF; bytes++) {
		if (c == '\n')
			printf("\\n\"\n\"");
		else if (c == '"' || c == '\\' || c == '?')
			printf("\\%c", c);
		else if (c >= 0x20 && c < 0x7f)
			putchar(c);
		else
			printf("\\%03o", c);
	}
	printf("\", %zu },\n", bytes);
	return fclose(f);
}

int main(int argc, char **argv)
{
	printf("#include \"ui/pages/content.h\"\nconst struct content_file content_files[] = {\n");
	for (int i = 1; i < argc; i++)
		if (write_file(argv[i]))
			return 1;
	printf("{ NULL, NULL, 0 } };\nconst size_t n_content_files = %d;\n", argc - 1);
	return fflush(stdout) ? 1 : 0;
}
