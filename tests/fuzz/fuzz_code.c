/* Any text as a session code, of problems or of a case: refused in one line, or read into what writes as
 * the same symbols, so that no code that was misread deals other problems. */
#include "drills/case_sitting.h"
#include "drills/code.h"
#include "tests/fuzz/fuzz.h"
#include "ui/data/bank_load.h"
#include "ui/data/case_list.h"
#include "ui/data/tables_load.h"

#include <ctype.h>

/* Read once: they take a thousand times as long as a code. */
static struct tables tables;
static struct drill_bank bank;
static struct case_list cases;
static const char *const *ids;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char err[300];
	(void)argc;
	(void)argv;
	must(tables_load(&tables, err, sizeof err) == 0);
	must(bank_load(&bank, &tables, err, sizeof err) == 0);
	must(case_list_load(&cases, NULL) == 0);
	ids = case_list_ids(&cases);
	must(ids != NULL);
	return 0;
}

/* The next symbol as it counts, '\0' at the end: case, hyphens and spaces do not, I and L are 1, O is 0. */
static char next_symbol(const char **at)
{
	while (**at == '-' || isspace((unsigned char)**at))
		++*at;
	if (!**at)
		return '\0';
	const char c = (char)toupper((unsigned char)*(*at)++);
	return c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c;
}

static bool same_symbols(const char *a, const char *b)
{
	char c;
	do {
		c = next_symbol(&a);
		if (c != next_symbol(&b))
			return false;
	} while (c);
	return true;
}

static void check_session(const char *text)
{
	struct session_options o = { 0 };
	char err[300] = "", again[CODE_SIZE];
	if (code_read(&bank, text, &o, err, sizeof err)) {
		must(fuzz_is_line(err));
		return;
	}
	must(o.count >= 1 && o.count <= MOST_PROBLEMS && o.mode < N_MODES);
	must(o.edition >= 1 && o.edition <= bank.n_editions);
	must(code_write(&bank, &o, again) && same_symbols(text, again));
}

static void check_case(const char *text)
{
	struct case_code c;
	char err[300] = "", again[CODE_SIZE];
	if (case_code_read(ids, cases.n, text, &c, err, sizeof err)) {
		must(fuzz_is_line(err));
		return;
	}
	must(c.minutes >= LEAST_CASE_MINUTES && c.minutes <= MOST_CASE_MINUTES);
	must(c.level < N_CASE_LEVELS && code_is_of_case(text));
	must(same_symbols(text, case_code_write(&c, again)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	check_session(text);
	check_case(text);
	free(text);
	return 0;
}
