/* Pages, simulations and formulas come first; drills are added where tables and bank can be
 * read. */
#include "ui/commands/cmd_search.h"

#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"
#include "ui/pages/search.h"

#include <string.h>

/* When a bank or a table is damaged, that is reported, and the rest is still searched. -1: out of memory,
 * which is reported too. */
static int add_drills(struct search_result *r, const char *words, const struct streams *io)
{
	struct tables t = { 0 };
	struct drill_bank bank = { 0 };
	char err[320];
	if (tables_load(&t, err, sizeof err) || bank_load(&bank, &t, err, sizeof err))
		fprintf(io->err, "ridge search: %s\n", err);
	search_drills(r, &bank, words);
	int rc = t.arena.failed || bank.arena.failed ? -1 : 0;
	bank_release(&bank);
	tables_release(&t);
	return rc;
}

int cmd_search(const struct command_line *line, const struct streams *io)
{
	char words[512] = "";
	struct page_list pages;
	struct search_result r;
	for (size_t i = 0; i < line->n_words; i++) {
		size_t used = strlen(words);
		snprintf(
			words + used, sizeof words - used, "%s%s", used ? " " : "", line->words[i]);
	}
	if (!words[0])
		return usage_error(io, line->command, "expected words to search for");
	if (page_list_init(&pages) || search_run(&r, &pages, words, 40)) {
		fprintf(io->err, "ridge search: out of memory\n");
		return 1;
	}
	bool whole = add_drills(&r, words, io) == 0;
	for (size_t i = 0; whole && i < r.n; i++)
		fprintf(io->out, "%-11s %-34s %.100s\n", r.hits[i].kind, r.hits[i].target,
			r.hits[i].line);
	if (whole && r.n == 0)
		fprintf(io->err, "ridge search: nothing matches \"%s\"\n", words);
	bool found = whole && r.n > 0;
	search_release(&r);
	page_list_release(&pages);
	return found ? 0 : 1;
}
