/* Any bytes as the file of a pack: refused in one line, or dealt whole and in its order, with a code that
 * means the same pack to whoever has the file. */
#include "drills/code.h"
#include "drills/session.h"
#include "tests/fuzz/fuzz.h"
#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"

#include <stdio.h>

static struct tables tables;
static char path[4096];

/* The file of an input stands beside the program. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char err[300];
	(void)argc;
	must(snprintf(path, sizeof path, "%s.pack", (*argv)[0]) < (int)sizeof path);
	must(tables_load(&tables, err, sizeof err) == 0);
	return 0;
}

static void write_file(const uint8_t *data, size_t size)
{
	FILE *f = fopen(path, "w");
	must(f && fwrite(data, 1, size, f) == size);
	must(fclose(f) == 0);
}

static void check_code(const struct drill_bank *b, const struct session_options *o)
{
	struct session_options again;
	char code[CODE_SIZE], err[300];
	if (!code_write(b, o, code))
		return;
	must(code_read(b, code, &again, err, sizeof err) == 0);
	must(again.pack && again.count == o->count && again.seed == o->seed &&
		again.mode == o->mode);
}

static void deal_pack(const struct drill_bank *b, uint64_t seed)
{
	const struct session_options o = { .count = b->pack.n < MOST_PROBLEMS ? b->pack.n
									      : MOST_PROBLEMS,
		.seed = seed,
		.mode = MODE_SET,
		.pack = true };
	struct drill_session s;
	char err[300] = "";
	if (session_init(&s, b, &tables, &o, err, sizeof err)) {
		must(fuzz_is_line(err));
	} else {
		must(s.n == o.count);
		for (size_t i = 0; i < s.n; i++)
			must(strcmp(s.items[i].variant.drill->id, b->pack.ids[i]) == 0);
		check_code(b, &o);
	}
	session_release(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct drill_bank bank = { 0 };
	char err[600] = "";
	write_file(data, size);
	if (bank_load_pack(&bank, &tables, path, err, sizeof err)) {
		must(fuzz_is_line(err));
	} else {
		must(bank.pack.n > 0 && bank.pack.n == bank.n);
		deal_pack(&bank, 1);
		deal_pack(&bank, size);
	}
	bank_release(&bank);
	return 0;
}
