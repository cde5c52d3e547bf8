/* What is installed beside the program: the manual page, and what completes words in a shell. */
#include "tests/printed.h"
#include "sims/registry/registry.h"
#include "ui/commands/completion.h"
#include "ui/commands/man_page.h"
#include "ui/data/options.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

/* To be freed. */
static char *man_page(void)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	cr_assert(f != NULL);
	man_page_write(f);
	fclose(f);
	char *page = strdup(text); /* the stream's own pointer ends with this function */
	free(text);
	cr_assert(page != NULL);
	return page;
}

/* Every command and option, and no line that the macros would take for their own. */
Test(completion, the_manual_page_has_every_option)
{
	static const char *const macros[] = { ".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".BR",
		".RI", ".nf", ".fi" };
	char *text = man_page();
	const struct option_row *row;
	for (unsigned c = 0; c < N_COMMANDS; c++) {
		char heading[80];
		snprintf(heading, sizeof heading, "\n.SS ridge %s", commands[c].name);
		const char *at = strstr(text, heading), *end;
		cr_assert(at != NULL, "%s", heading);
		end = strstr(at + 4, "\n.S");
		for (size_t i = 0; (row = option_of((enum command_id)c, i)); i++) {
			char line[80] = "\n.B \\-\\-";
			const char *no = row->kind == SWITCH_ON ? "no\\-" : "";
			size_t n = strlen(line) + strlen(no);
			snprintf(line + strlen(line), sizeof line - strlen(line), "%s", no);
			for (const char *p = row->name; *p; p++)
				n += (size_t)snprintf(
					line + n, sizeof line - n, *p == '-' ? "\\-" : "%c", *p);
			const char *found = strstr(at, line);
			cr_expect(found != NULL && found < end, "%s: %s", commands[c].name, line);
		}
	}
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (*line != '.' && *line != '\'')
			continue;
		const size_t n = strcspn(line, " \n");
		bool known = false;
		for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
			known |= strlen(macros[i]) == n && strncmp(macros[i], line, n) == 0;
		cr_expect(known, "%.40s", line);
	}
	free(text);
}

/* Asks bash what it would offer. To be freed. */
static char *offered(const char *words, int at)
{
	char shell[400];
	snprintf(shell, sizeof shell,
		"> /dev/null; bash -c 'compopt() { :; }; eval \"$(\"$RIDGE\" info --completion bash)\"; "
		"COMP_WORDS=(%s); COMP_CWORD=%d; _ridge; echo \"${COMPREPLY[*]}\"'",
		words, at);
	return printed("C.UTF-8", "due", shell);
}

Test(completion, bash_offers_what_fits)
{
	static const struct {
		const char *words;
		int at;
		const char *offers;
	} rows[] = {
		{ "ridge pr", 1, "present\n" },
		{ "ridge sim batc", 2, "batching\n" },
		{ "ridge sim batching max_b", 3, "max_batch=\n" },
		{ "ridge drill --mode stu", 3, "study\n" },
		{ "ridge drill --see", 2, "--seed\n" },
		{ "ridge drill --seed \"\"", 3, "\n" },
		{ "ridge case p99", 2, "p99-at-noon\n" },
		{ "ridge plan \"\"", 2, "serve train\n" },
		{ "ridge calc kv_cache_by", 2, "kv_cache_bytes\n" },
	};
	if (system("bash -c : > /dev/null 2>&1"))
		cr_skip_test("there is no bash");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = offered(rows[i].words, rows[i].at);
		cr_expect(eq(str, text, (char *)rows[i].offers), "%s", rows[i].words);
		free(text);
	}
}

/* Every command in all three, and every simulation. */
Test(completion, no_shell_leaves_a_command_out)
{
	for (unsigned shell = 0; shell < N_SHELLS; shell++) {
		char *text = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);
		cr_assert(f != NULL);
		cr_expect(zero(int, completion_write(shell, f)));
		fclose(f);
		for (unsigned c = 0; c < N_COMMANDS; c++)
			cr_expect(strstr(text, commands[c].name) != NULL, "%s: %s",
				shell_names[shell], commands[c].name);
		for (size_t i = 0; i < n_sims; i++)
			cr_expect(strstr(text, sims[i]->id) != NULL, "%s: %s", shell_names[shell],
				sims[i]->id);
		free(text);
	}
}
