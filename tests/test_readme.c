/* README and docs/ show what the program prints (`make docs`), and what they tell one to try
 * works. */
#include "ui/commands/commands.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *text_of(const char *file)
{
	size_t room = 1 << 17;
	char *text = malloc(room);
	FILE *f = fopen(file, "r");
	cr_assert(ne(ptr, f, NULL), "run the tests in the project's folder");
	text[fread(text, 1, room - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void expect_printed(const char *file, int argc, char **argv)
{
	char *printed = NULL, *text = text_of(file);
	size_t size;
	FILE *out = open_memstream(&printed, &size);
	struct streams io = { stdin, out, stderr };
	cr_assert(eq(int, command_run(argc, argv, &io), 0));
	fclose(out);
	cr_expect(
		ne(ptr, strstr(text, printed), NULL), "not in %s (make docs):\n%s", file, printed);
	free(printed);
	free(text);
}

/* Words with blanks between them, or in quotes. Returns how many. */
static int split(char *line, char *words[], int most)
{
	int n = 0;
	for (char *p = line; *p && n < most;) {
		bool quoted = *p == '"';
		words[n++] = p += quoted;
		p += strcspn(p, quoted ? "\"" : " ");
		if (*p)
			*p++ = '\0';
		p += strspn(p, " ");
	}
	return n;
}

static void expect_picture(const char *file, char *line)
{
	char *argv[20], *printed = NULL, *text = text_of(file);
	size_t size;
	int argc = split(line, argv, 18);
	argv[argc++] = (char[]){ "--svg" };
	argv[argc] = NULL;
	FILE *out = open_memstream(&printed, &size);
	cr_assert(zero(int, command_run(argc, argv, &(struct streams){ stdin, out, stderr })));
	fclose(out);
	cr_expect(
		strcmp(text, printed) == 0, "%s is not what ridge draws now (make pictures)", file);
	free(printed);
	free(text);
}

/* The pictures of a page, each below a comment that says which screen it shows. Returns how many. */
static size_t expect_pictures(const char *page)
{
	char *text = text_of(page), file[64], line[128], shown[80];
	size_t n = 0, folder = (size_t)(strchr(page, '/') ? strchr(page, '/') + 1 - page : 0);
	for (char *p = text; (p = strstr(p, "<!-- svg: ")); p++, n++) {
		cr_assert(eq(int, sscanf(p, "<!-- svg: %63[^:]: ridge %127[^\n]", file, line), 2));
		char *end = strstr(line, " -->");
		cr_assert(ne(ptr, end, NULL));
		*end = '\0';
		expect_picture(file, line);
		snprintf(shown, sizeof shown, "](%s)", file + folder);
		cr_expect(strstr(p, shown) != NULL, "%s: %s is not shown", page, file);
	}
	free(text);
	return n;
}

/* Each picture that is kept is one of them: none is left over from earlier. */
static size_t pictures_kept(void)
{
	size_t n = 0;
	DIR *docs = opendir("docs");
	cr_assert(docs != NULL);
	for (struct dirent *f; (f = readdir(docs));)
		n += strstr(f->d_name, ".svg") != NULL;
	closedir(docs);
	return n;
}

Test(readme, pictures_are_the_real_screens)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	size_t n = expect_pictures("README.md") + expect_pictures("docs/using.md");
	cr_expect(eq(sz, n, pictures_kept()));
	cr_expect(n > 0);
}

Test(readme, docs_are_the_tables)
{
	char name[] = "info", keys[] = "--keys", table[] = "--commands";
	expect_printed("docs/keys.md", 2, (char *[]){ name, keys, NULL });
	expect_printed("docs/commands.md", 2, (char *[]){ name, table, NULL });
}

Test(readme, names_the_two_commands)
{
	char *text = text_of("README.md");
	cr_expect(ne(ptr, strstr(text, "make run"), NULL));
	cr_expect(ne(ptr, strstr(text, "make test"), NULL));
	free(text);
}

/* What a command of the README prints; of one that needs a terminal, the screen that it opens. */
static char *tried(const char *command)
{
	char words[160], *argv[16], *rest = NULL, *printed = NULL;
	int argc = 0;
	size_t size;
	snprintf(words, sizeof words, "%s", command);
	if (strncmp(words, "open ", 5) == 0)
		snprintf(words, sizeof words, "frame %s", command + 5);
	else if (strncmp(words, "drill --mode ", 13) == 0)
		snprintf(words, sizeof words, "frame drill mode=%s", command + 13);
	for (char *w = strtok_r(words, " ", &rest); w && argc < 15; w = strtok_r(NULL, " ", &rest))
		argv[argc++] = w;
	argv[argc] = NULL;
	FILE *out = open_memstream(&printed, &size);
	struct streams io = { stdin, out, out };
	cr_expect(zero(int, command_run(argc, argv, &io)), "ridge %s", command);
	fclose(out);
	return printed;
}

/* The five things to try: in the README as they stand here, and what one will see. */
Test(readme, things_to_try_work)
{
	static const struct {
		const char *command, *seen;
	} rows[] = {
		{ "open roofline", "6 of 10 operations wait for memory" },
		{ "open batching", "Static waits for 16 requests" },
		{ "calc kv_cache_bytes model=llama3-70b tokens=8192", "2.68 GB" },
		{ "drill --mode sprint", "Sprint" },
		{ "present why-is-my-gpu-idle", "Is this GPU idle?" },
	};
	char *text = text_of("README.md");
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char line[160];
		snprintf(line, sizeof line, "%zu. `ridge %s`\n", i + 1, rows[i].command);
		cr_expect(strstr(text, line) != NULL, "%s is not in the README", line);
		char *printed = tried(rows[i].command), *flat = printed;
		for (char *p = printed; *p; p++) /* sentences are broken into lines */
			if (*p == '\n' || flat == printed || *p != ' ' || flat[-1] != ' ')
				*flat++ = *p == '\n' ? ' ' : *p;
		*flat = '\0';
		cr_expect(strstr(printed, rows[i].seen) != NULL, "ridge %s: %s", rows[i].command,
			printed);
		free(printed);
	}
	/* The keys that the first two tell to press. */
	char *pressed = tried("open roofline --keys text:jjl");
	cr_expect(strstr(pressed, "13.7 → 27.3 ms") != NULL, "%s", pressed);
	cr_expect(strstr(text, "27.3 ms and not 13.7") != NULL);
	free(pressed);
	pressed = tried("open batching --keys text:jjh --size 120x40");
	cr_expect(strstr(pressed, "35.1 ms → 9.72 s") != NULL, "%s", pressed);
	cr_expect(strstr(text, "after 9.7 s and not after 35 ms") != NULL);
	free(pressed);
	/* And the sentence below the five. */
	char *validated = tried("validate linear");
	cr_expect(strstr(validated, "1,036") != NULL, "%s", validated);
	cr_expect(strstr(text, "`ridge validate linear` shows") != NULL);
	cr_expect(strstr(text, "1,036 measured\nones") != NULL);
	free(validated);
	free(text);
}

/* Links between the pages lead to files. */
Test(readme, links_lead_somewhere)
{
	static const struct {
		const char *file, *folder;
	} pages[] = { { "README.md", "" }, { "docs/using.md", "docs/" },
		{ "docs/keys.md", "docs/" }, { "docs/commands.md", "docs/" } };
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		char *text = text_of(pages[i].file), path[200];
		for (const char *p = text; (p = strstr(p, "](")); p += 2) {
			snprintf(path, sizeof path, "%s%.*s", pages[i].folder,
				(int)strcspn(p + 2, ")#"), p + 2);
			cr_expect(zero(int, access(path, R_OK)), "%s: %s", pages[i].file, path);
		}
		free(text);
	}
}
