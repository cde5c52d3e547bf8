/* The list of pages, how one is found by name, and `ridge read`. */
#include "sims/base/match.h"
#include "sims/base/utf8.h"
#include "tests/settings.h"

#include "ui/commands/cmd_read.h"
#include "ui/commands/commands.h"
#include "ui/data/bank_outline.h"
#include "ui/pages/page_env.h"
#include "ui/data/page_list.h"
#include "ui/live/live.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct content_file files[] = {
	{ "chapters/00-why.md", "<!-- draft -->\n# Why *measure*\n\nFive words - of text.\n", 0 },
	{ "chapters/01-roofline.md", "# The `roofline`\n", 0 },
	{ "chapters/10-driving.md", "no heading\n", 0 },
	{ "hardware.json", "{}", 0 },
	{ "reference/errata.md", "## Small\n# Errata\n", 0 },
	{ "reference/roofline.md", "# Roofline formulas\n", 0 },
};

Test(pages, lists_chapters_and_reference)
{
	static const struct {
		const char *id, *title;
		int chapter;
		size_t words;
	} rows[] = {
		{ "why", "Why measure", 0, 6 }, /* Why, five of the text; no markup, no comment */
		{ "roofline", "The roofline", 1, 2 },
		{ "driving", "driving", 10, 2 },
		{ "errata", "Errata", -1, 2 },
		{ "roofline", "Roofline formulas", -1, 2 },
	};
	struct page_list list;
	cr_assert(eq(int, 0, page_list_init_from(&list, files, sizeof files / sizeof *files)));
	cr_assert(eq(sz, list.n, sizeof rows / sizeof *rows));
	for (size_t i = 0; i < list.n; i++) {
		cr_expect(eq(str, (char *)list.pages[i].id, (char *)rows[i].id));
		cr_expect(eq(str, (char *)list.pages[i].title, (char *)rows[i].title));
		cr_expect(eq(int, list.pages[i].chapter, rows[i].chapter));
		cr_expect(eq(sz, list.pages[i].words, rows[i].words), "%s", rows[i].id);
		cr_expect(eq(int, page_minutes(&list.pages[i], false), 1));
	}
	page_list_release(&list);
}

/* What was counted when ridge was built is what the list would count now. */
Test(pages, facts_travel_with_the_files)
{
	struct page_list read, built;
	cr_assert(zero(int, page_list_init(&built)));
	cr_assert(zero(int, page_list_init_from(&read, content_files, n_content_files)));
	cr_assert(eq(sz, built.n, read.n));
	for (size_t i = 0; i < read.n; i++) {
		const struct page_info *want = &read.pages[i], *got = &built.pages[i];
		cr_expect(eq(str, (char *)got->title, (char *)want->title));
		cr_expect(eq(sz, got->words, want->words), "%s", want->id);
		/* Only the sheet of formulas is looked up, not read. */
		if (strcmp(want->id, "formulas") == 0)
			cr_expect(zero(sz, got->words));
		else
			cr_expect(lt(sz, 200, got->words), "%s", want->id);
	}
	page_list_release(&read);
	page_list_release(&built);
	for (size_t i = 0; i < n_content_files; i++) {
		const struct content_file *f = &content_files[i];
		cr_expect(eq(sz, f->facts.drills, content_facts(f->text).drills), "%s", f->name);
	}
}

/* A drill file's name is the one that comes before its drills: fields and mistakes have names
 * too. */
Test(pages, facts_of_a_drill_file)
{
	static const struct {
		const char *text, *name;
		size_t drills;
	} rows[] = {
		{ "{\"name\" : \"case study\", \"drills\": [{\"skill\": \"a\"}]}", "case study",
			1 },
		{ "{\"drills\": [{\"skill\": \"a\", \"name\": \"b\"}, {\"skill\":\"\"}]}", "", 2 },
		{ "{\"name\": 3, \"drills\": [{\"skill\": \"a\"}]}", "", 1 },
		{ "{\"name\": \"no drills\"}", "", 0 },
		{ "{\"name\"", "", 0 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct content_facts f = content_facts(rows[i].text);
		cr_expect(eq(sz, f.drills, rows[i].drills), "row %zu", i);
		cr_assert(eq(sz, f.name_bytes, strlen(rows[i].name)), "row %zu", i);
		cr_expect(strncmp(f.name, rows[i].name, f.name_bytes) == 0);
	}
}

/* A copy of its own is listed as it is now. */
Test(pages, facts_of_an_own_folder_are_counted)
{
	char folder[] = "/tmp/ridge-facts-XXXXXX", path[256];
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(path, sizeof path, "%s/chapters", folder);
	cr_assert(zero(int, mkdir(path, 0700)));
	snprintf(path, sizeof path, "%s/chapters/01-gpu.md", folder);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fputs("#  My `GPU` & I \n\nthree more words\n", f);
	fclose(f);
	setenv("RIDGE_CONTENT", folder, 1);
	struct page_list list;
	cr_assert(zero(int, page_list_init(&list)));
	unsetenv("RIDGE_CONTENT");
	const struct page_info *p = page_list_find(&list, "gpu");
	cr_assert(p != NULL);
	cr_expect(eq(str, (char *)p->title, "My GPU & I"));
	cr_expect(eq(sz, p->words, 6)); /* My, GPU, I and three more; marks do not count */
	page_list_release(&list);
	remove(path);
	snprintf(path, sizeof path, "%s/chapters", folder);
	rmdir(path);
	rmdir(folder);
}

Test(pages, are_found_by_the_names_people_use)
{
	static const struct {
		const char *name, *file;
	} rows[] = {
		{ "roofline", "chapters/01-roofline.md" },
		{ "Roofline", "chapters/01-roofline.md" },
		{ "01-roofline", "chapters/01-roofline.md" },
		{ "1", "chapters/01-roofline.md" },
		{ "01", "chapters/01-roofline.md" },
		{ "0", "chapters/00-why.md" },
		{ "chapter-1", "chapters/01-roofline.md" },
		{ "Chapter-01", "chapters/01-roofline.md" },
		{ "chapter-2", NULL },
		{ "chapter-", NULL },
		{ "01-roofline.md#ridge", "chapters/01-roofline.md" },
		{ "chapters/01-roofline.md", "chapters/01-roofline.md" },
		{ "../reference/roofline.md", "reference/roofline.md" },
		{ "reference/roofline", "reference/roofline.md" },
		{ "10", "chapters/10-driving.md" },
		{ "", NULL },
		{ "#top", NULL },
		{ "2", NULL },
		{ "roof", NULL },
		{ "hardware", NULL },
		{ "99999999999999999999", NULL },
		{ "../../etc/passwd", NULL },
	};
	struct page_list list;
	cr_assert(eq(int, 0, page_list_init_from(&list, files, sizeof files / sizeof *files)));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct page_info *p = page_list_find(&list, rows[i].name);
		cr_expect(eq(str, (char *)(p ? p->file : ""),
				  (char *)(rows[i].file ? rows[i].file : "")),
			"%s", rows[i].name);
	}
	static const struct {
		const char *typed, *hint;
	} hints[] = {
		{ "roofine", "; did you mean \"roofline\"?" },
		{ "03-eratta.md", "; did you mean \"errata\"?" },
		{ "../reference/eratta.md", "; did you mean \"errata\"?" },
		{ "something else", "" },
		{ "#top", "" },
	};
	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
		char hint[HINT_SIZE];
		page_list_hint(&list, hints[i].typed, hint, sizeof hint);
		cr_expect(eq(str, hint, (char *)hints[i].hint), "%s", hints[i].typed);
	}
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
	said.rc = command_run(argc, (char **)argv, &(struct streams){ stdin, out, err });
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
	static const struct {
		const char *argv[4];
		int argc;
		const char *says;
	} rows[] = {
		{ { "read", "no-such-page-anywhere" }, 2, "no-such-page-anywhere" },
		{ { "read", "--widht", "40" }, 3, "did you mean \"--width\"?" },
		{ { "read", "--width", "19" }, 3, "from 20 to 1000" },
		{ { "read", "--width=40x" }, 2, "from 20 to 1000" },
		{ { "read", "--width", "-40" }, 3, "from 20 to 1000" },
		{ { "read", "--width" }, 2, "from 20 to 1000" },
		{ { "read", "a", "b" }, 3, "expected [PAGE], found one word more: \"b\"" },
	};
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

/* A picture in full, what else its figure has by name of the command that shows it, which is one. */
Test(cmd_read, prints_a_picture_and_where_the_others_are, .description = "long")
{
	static const char more[] = " more: ridge sim ";
	struct tables facts = load_tables();
	struct page_list list;
	size_t figures = 0;
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert(zero(int, page_list_init(&list)));
	for (size_t i = 0; i < list.n; i++) {
		if (list.pages[i].chapter < 0)
			continue;
		struct said said =
			read_pages(2, (const char *const[]){ "read", list.pages[i].file });
		for (const char *at = said.out; (at = strstr(at, more)); figures++) {
			char setting[1000], why[256];
			struct live view;
			at += sizeof more - 1;
			const char *end = strstr(at, "\n\n");
			cr_assert(end != NULL && end - at < (long)sizeof setting);
			snprintf(setting, sizeof setting, "%.*s", (int)(end - at), at);
			for (char *c = setting; *c; c++)
				*c = *c == '\n' ? ' ' : *c;
			why[0] = '\0';
			cr_expect(
				zero(int, live_open_text(&view, &facts, setting, why, sizeof why)),
				"%s: %s", setting, why);
			live_release(&view);
		}
		cr_expect(strstr(said.out, "\n\n\n\n") == NULL, "%s: three blank lines",
			list.pages[i].file);
		forget(said);
	}
	cr_expect(lt(sz, 40, figures));
	struct said overlap = read_pages(2, (const char *const[]){ "read", "distributed" });
	const char *shown = strstr(overlap.out, "Steps 65 to 72");
	cr_assert(shown != NULL);
	cr_expect(strstr(shown, "+ 5 more: ridge sim timeline gpus=64 gradient_MB=2800") != NULL);
	cr_expect(strstr(shown, "Each fix alone") == NULL);
	forget(overlap);
	page_list_release(&list);
	tables_release(&facts);
}

static struct said read_aloud(const struct tables *t, const char *page, const char *width)
{
	struct said said;
	struct command_line line;
	char why[200];
	size_t n, m;
	FILE *out = open_memstream(&said.out, &n), *err = open_memstream(&said.err, &m);
	const char *const words[] = { page, "--plain", "--width", width };
	cr_assert(zero(int, command_line_read(&line, COMMAND_READ, words, 4, why, sizeof why)));
	said.rc = read_with_tables(t, &line, &(struct streams){ stdin, out, err });
	fclose(out);
	fclose(err);
	return said;
}

/* A screen reader says nothing for lines, bars and blocks. */
static bool is_drawn(uint32_t code)
{
	return (code >= 0x2500 && code < 0x25a0) || (code >= 0x2800 && code < 0x2900) ||
	       code == 0x21b3 || code == 0x1b;
}

Test(cmd_read, plain_pages_can_be_read_aloud_at_every_width, .description = "long")
{
	static const char *const widths[] = { "40", "80", "120", "200" };
	struct tables t = load_tables();
	struct page_list list;
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert(zero(int, page_list_init(&list)));
	for (size_t i = 0; i < list.n; i++)
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
			struct said said = read_aloud(&t, list.pages[i].file, widths[w]);
			cr_expect(zero(int, said.rc), "%s", said.err);
			for (char *line = strtok(said.out, "\n"); line; line = strtok(NULL, "\n")) {
				cr_expect(le(int, text_width(line), atoi(widths[w])), "%s: %s",
					list.pages[i].file, line);
				bool code =
					strncmp(line, "  ", 2) == 0; /* a drawing of the author */
				for (const char *p = line; *p && !code;)
					cr_expect(not(is_drawn(utf8_next(&p))), "%s: %s",
						list.pages[i].file, line);
			}
			forget(said);
		}
	struct said said = read_aloud(&t, "gpu", "80");
	cr_expect(strstr(said.out, "\nFigure: Roofline, with gpu=a100 attention=unfused.\n"
				   "waits for memory: 22.6 %, of the layer's time.\n") != NULL);
	cr_expect(strstr(said.out, "\nmemory-bound: 6, of 10 operations.\n") != NULL);
	cr_expect(strstr(said.out, "\nLevel (A100): L2\nSize: 40 MiB\n") != NULL);
	forget(said);
	page_list_release(&list);
	tables_release(&t);
}
