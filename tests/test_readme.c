/* The README shows what the program prints: its picture and its key table (`make readme`). */
#include "ui/commands/commands.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static char *readme(void)
{
	size_t room = 1 << 17;
	char *text = malloc(room);
	FILE *f = fopen("README.md", "r");
	cr_assert(ne(ptr, f, NULL), "run the tests in the project's folder");
	text[fread(text, 1, room - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void expect_printed(int argc, char **argv)
{
	char *printed = NULL, *text = readme();
	size_t size;
	FILE *out = open_memstream(&printed, &size);
	struct streams io = { stdin, out, stderr };
	cr_assert(eq(int, command_run(argc, argv, &io), 0));
	fclose(out);
	cr_expect(ne(ptr, strstr(text, printed), NULL), "not in the README (make readme):\n%s",
		printed);
	free(printed);
	free(text);
}

Test(readme, picture_is_the_real_screen)
{
	char name[] = "frame", sim[] = "roofline", size[] = "--size", cells[] = "100x32";
	char *argv[] = { name, sim, size, cells, NULL };
	cr_assert(ne(ptr, setlocale(LC_CTYPE, "C.UTF-8"), NULL));
	expect_printed(4, argv);
}

Test(readme, keys_are_the_key_table)
{
	char name[] = "info", keys[] = "--keys";
	char *argv[] = { name, keys, NULL };
	expect_printed(2, argv);
}

Test(readme, names_the_two_commands)
{
	char *text = readme();
	cr_expect(ne(ptr, strstr(text, "make run"), NULL));
	cr_expect(ne(ptr, strstr(text, "make test"), NULL));
	free(text);
}
