#include "ui/commands/cmd_read.h"
#include "ui/pages/pages.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct content_file files[] = {
	{ "chapters/00-why.md", "<!-- draft -->\n# Why *measure*\n\nFive words - of text.\n", 0 },
	{ "chapters/01-roofline.md", "# The `roofline`\n", 0 },
	{ "chapters/10-driving.md", "no heading\n", 0 },
	{ "hardware.json", "{}", 0 },
	{ "reference/errata.md", "## Small\n# Errata\n", 0 },
	{ "reference/roofline.md", "# Roofline formulas\n", 0 },
};
/* clang-format on */

Test(pages, lists_chapters_and_reference)
{
	/* clang-format off */
	static const struct {
		const char *id, *title;
		int chapter;
		size_t words;
	} rows[] = {
		{ "why", "Why measure", 0, 7 }, /* draft, Why, five of the text; markup is none */
		{ "roofline", "The roofline", 1, 2 },
		{ "driving", "driving", 10, 2 },
		{ "errata", "Errata", -1, 2 },
		{ "roofline", "Roofline formulas", -1, 2 },
	};
	/* clang-format on */
	struct page_list list;
	cr_assert(eq(int, 0, page_list_init_from(&list, files, sizeof files / sizeof *files)));
	cr_assert(eq(sz, list.n, sizeof rows / sizeof *rows));
	for (size_t i = 0; i < list.n; i++) {
		cr_expect(eq(str, (char *)list.pages[i].id, (char *)rows[i].id));
		cr_expect(eq(str, (char *)list.pages[i].title, (char *)rows[i].title));
		cr_expect(eq(int, list.pages[i].chapter, rows[i].chapter));
		cr_expect(eq(sz, list.pages[i].words, rows[i].words), "%s", rows[i].id);
		cr_expect(eq(int, page_minutes(&list.pages[i]), 1));
	}
	page_list_release(&list);
}

Test(pages, are_found_by_the_names_people_use)
{
	/* clang-format off */
	static const struct {
		const char *name, *file;
	} rows[] = {
		{ "roofline", "chapters/01-roofline.md" }, { "Roofline", "chapters/01-roofline.md" },
		{ "01-roofline", "chapters/01-roofline.md" }, { "1", "chapters/01-roofline.md" },
		{ "01", "chapters/01-roofline.md" }, { "0", "chapters/00-why.md" },
		{ "01-roofline.md#ridge", "chapters/01-roofline.md" },
		{ "chapters/01-roofline.md", "chapters/01-roofline.md" },
		{ "../reference/roofline.md", "reference/roofline.md" },
		{ "reference/roofline", "reference/roofline.md" }, { "10", "chapters/10-driving.md" },
		{ "", NULL }, { "#top", NULL }, { "2", NULL }, { "roof", NULL }, { "hardware", NULL },
		{ "99999999999999999999", NULL }, { "../../etc/passwd", NULL },
	};
	/* clang-format on */
	struct page_list list;
	cr_assert(eq(int, 0, page_list_init_from(&list, files, sizeof files / sizeof *files)));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct page_info *p = page_list_find(&list, rows[i].name);
		cr_expect(eq(str, (char *)(p ? p->file : ""),
				  (char *)(rows[i].file ? rows[i].file : "")),
			"%s", rows[i].name);
	}
	cr_expect(eq(str, (char *)page_list_nearest(&list, "roofine"), "roofline"));
	cr_expect(eq(str, (char *)page_list_nearest(&list, "03-eratta.md"), "errata"));
	cr_expect(page_list_nearest(&list, "something else") == NULL);
	page_list_release(&list);
}

struct said {
	int rc;
	char *out, *err;
};

static struct said read_pages(int argc, const char *const argv[])
{
	struct said said = { 0 };
	size_t out_bytes, err_bytes;
	FILE *out = open_memstream(&said.out, &out_bytes);
	FILE *err = open_memstream(&said.err, &err_bytes);
	cr_assert(out && err);
	said.rc = cmd_read(argc, (char **)argv, NULL, out, err);
	fclose(out);
	fclose(err);
	return said;
}

static void forget(struct said said)
{
	free(said.out);
	free(said.err);
}

Test(cmd_read, refuses_what_it_does_not_know)
{
	/* clang-format off */
	static const struct {
		const char *argv[4];
		int argc;
		const char *says;
	} rows[] = {
		{ { "read", "no-such-page-anywhere" }, 2, "no-such-page-anywhere" },
		{ { "read", "--widht", "40" }, 3, "did you mean --width?" },
		{ { "read", "--width", "19" }, 3, "from 20 to 1000" },
		{ { "read", "--width=40x" }, 2, "from 20 to 1000" },
		{ { "read", "--width", "-40" }, 3, "from 20 to 1000" },
		{ { "read", "--width" }, 2, "from 20 to 1000" },
		{ { "read", "a", "b" }, 3, "expected one page" },
	};
	/* clang-format on */
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct said said = read_pages(rows[i].argc, rows[i].argv);
		cr_expect(eq(int, said.rc, 2), "row %zu", i);
		cr_expect(strstr(said.err, rows[i].says) != NULL, "%s", said.err);
		cr_expect(strchr(said.err, '\n') == said.err + strlen(said.err) - 1, "one line");
		cr_expect(eq(str, said.out, ""));
		forget(said);
	}
}

Test(cmd_read, prints_every_page_it_lists)
{
	struct page_list list;
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert(eq(int, 0, page_list_init(&list)));
	struct said listed = read_pages(1, (const char *const[]){ "read" });
	cr_expect(eq(int, listed.rc, 0));
	for (size_t i = 0; i < list.n; i++) {
		const struct page_info *p = &list.pages[i];
		cr_expect(strstr(listed.out, p->id) != NULL, "%s", p->id);
		struct said said =
			read_pages(4, (const char *const[]){ "read", p->file, "--width", "60" });
		cr_expect(eq(int, said.rc, 0), "%s: %s", p->file, said.err);
		cr_expect(lt(sz, 0, strlen(said.out)));
		cr_expect(strchr(said.out, '\x1b') == NULL);
		for (char *line = strtok(said.out, "\n"); line; line = strtok(NULL, "\n"))
			cr_expect(le(int, text_width(line), 60), "%s: %s", p->file, line);
		forget(said);
	}
	forget(listed);
	page_list_release(&list);
}
