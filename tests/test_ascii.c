/* Where the locale has no more than ASCII, no command writes a byte beyond it: the real program, as
 * many commands as there are, each with all that it can be asked for. */
#include "sims/registry/registry.h"
#include "tests/printed.h"
#include "ui/data/options.h"
#include "ui/data/page_list.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_ascii(const char *words, const char *text)
{
	for (const char *at = text; *at; at++)
		if ((unsigned char)*at & 0x80) {
			const char *line = at;
			while (line > text && line[-1] != '\n')
				line--;
			cr_expect(false, "ridge %s: %.*s", words, (int)strcspn(line, "\n"), line);
			return;
		}
}

static void expect_command(const char *words)
{
	char *text = printed("C", words, "2>&1 </dev/null");
	cr_expect(text[0] != '\0', "ridge %s prints nothing", words);
	expect_ascii(words, text);
	free(text);
}

Test(ascii, no_simulation_writes_more, .description = "long")
{
	for (size_t i = 0; i < n_sims; i++) {
		char words[160];
		snprintf(words, sizeof words, "sim %s --text", sims[i]->id);
		expect_command(words);
		snprintf(words, sizeof words, "sim %s --csv", sims[i]->id);
		expect_command(words);
		snprintf(words, sizeof words, "frame %s --color", sims[i]->id);
		expect_command(words);
		snprintf(words, sizeof words, "sim %s --json", sims[i]->id);
		char *text = printed("C", words, "");
		expect_ascii(words, text);
		cJSON *whole = cJSON_Parse(text);
		cr_expect(whole != NULL, "%s", words);
		cJSON_Delete(whole);
		free(text);
	}
}

Test(ascii, no_page_writes_more, .description = "long")
{
	struct page_list list;
	cr_assert(zero(int, page_list_init(&list)));
	for (size_t i = 0; i < list.n; i++) {
		char words[160];
		snprintf(words, sizeof words, "read %s", list.pages[i].id);
		expect_command(words);
		snprintf(words, sizeof words, "read %s --plain", list.pages[i].id);
		expect_command(words);
	}
	page_list_release(&list);
}

Test(ascii, no_other_command_writes_more, .description = "long")
{
	static const char *const lines[] = { "--help", "sim", "calc", "read", "search memory",
		"search scores", "calc ring_allreduce_time", "calc ring_allreduce_time --json",
		"calc roofline --help", "drill --sheet --seed 1 --count 40",
		"drill --sheet --seed 2 --count 40 --answers", "drill --sheet --seed 3 --json",
		"drill --plain --no-history", "drill --mode interview --answers --sheet", "stats",
		"stats --json", "grade tests/data/grading-questions.json 1", "validate",
		"validate roofline", "validate --json", "measure --help", "info", "info --keys",
		"info --commands", "info --licences", "frame", "frame drill seed=3 --color",
		"frame stats", "frame gpu --keys \"? \"", "--plain", "open roofline --plain",
		"sim rooflin\303\251", "nonsense\303\251", "sim roofline gpu=\303\227",
		"frame --glyphs=brail" };
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		expect_command(lines[i]);
	for (int i = 0; i < N_COMMANDS; i++) {
		char words[80];
		snprintf(words, sizeof words, "%s --help", commands[i].name);
		expect_command(words);
	}
}

/* Asked for by name, in any locale. */
Test(ascii, or_where_it_is_asked_for)
{
	char *text = printed("C", "sim roofline --glyphs ascii", "");
	expect_ascii("--glyphs ascii", text);
	free(text);
	text = printed("C", "sim roofline --glyphs braille", "");
	cr_expect(strstr(text, "\342") != NULL);
	free(text);
}

/* Words, values of options and variables come back in messages and tables, and steer nothing. */
Test(ascii, nothing_of_others_steers_the_terminal)
{
	static const char *const words[] = { "read $(printf '\\033[5m')",
		"$(printf '\\033]0;x\\a')", "sim roofline --color always $(printf 'gpu=\\033[5m')",
		"sim roofline $(printf '\\302\\2335m=1') --json", "info",
		"calc $(printf '\\342\\200\\256')", "drill --$(printf '\\b\\r')" };
	setenv("TERM", "xterm\033[5m", 1);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		char *text = printed("C.UTF-8", words[i], "2>&1");
		cr_expect(ne(str, text, ""));
		for (const char *p = text; *p; p++) {
			const bool fine = (unsigned char)*p >= 0x20 || *p == '\n';
			cr_expect(fine, "%s: %s", words[i], text);
		}
		cr_expect(strstr(text, "\302\233") == NULL && strstr(text, "\342\200\256") == NULL,
			"%s: %s", words[i], text);
		free(text);
	}
}
