/* Session codes: they survive typing, new drills and other compilers. */
#include "drills/bank_read.h"
#include "drills/code.h"
#include "sims/base/rng.h"
#include "drills/case_sitting.h"
#include "ui/data/bank_load.h"
#include "ui/data/case_list.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3, LINE = 600 };

static struct tables tables;
static struct drill_bank bank;

static void load(void)
{
	char err[300] = "";
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
}

static void release(void)
{
	bank_release(&bank);
	tables_release(&tables);
}

static const struct session_options rows[] = {
	{ "", 5, 0, MODE_SET, 1, NULL, 0, 0 },
	{ "", 200, 1, MODE_STUDY, 1, NULL, 0, 0 },
	{ "roofline", 3, 31, MODE_SPRINT, 1, NULL, 0, 0 },
	{ "kv-cache", 1, 32, MODE_SET, 1, NULL, 0, 0 },
	{ "ring-volume", 7, 99999, MODE_INTERVIEW, 1, NULL, 0, 0 },
	{ "symptoms", 12, UINT64_MAX, MODE_SET, 1, NULL, 0, 0 },
	{ "chapter-2", 5, 7, MODE_SET, 1, NULL, 0, 0 },
	{ "judge", 5, 7, MODE_SET, 1, NULL, 0, 0 },
	{ "", 12, 8, MODE_PLACEMENT, 1, NULL, 0, 0 },
	{ "", 5, 7, MODE_SET, 1, NULL, 0, 0, true },
	{ "roofline", 5, 7, MODE_INTERVIEW, 1, NULL, 0, 0, true },
};

Test(code, what_is_written_is_read, .init = load, .fini = release)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char code[CODE_SIZE], err[200] = "";
		struct session_options o;
		cr_assert(code_write(&bank, &rows[i], code), "row %zu", i);
		cr_assert(zero(int, code_read(&bank, code, &o, err, sizeof err)), "%s: %s", code,
			err);
		cr_expect(eq(str, (char *)o.topic, (char *)rows[i].topic));
		cr_expect(o.count == rows[i].count && o.seed == rows[i].seed &&
				  o.mode == rows[i].mode && o.edition == rows[i].edition &&
				  o.no_choice == rows[i].no_choice,
			"%s", code);
	}
}

/* Options that no code can say get none, rather than a code that means something else. */
Test(code, what_has_no_code, .init = load, .fini = release)
{
	char code[CODE_SIZE];
	const struct session_options none[] = { { "", 5, 1, MODE_REVIEW, 1, NULL, 0, 0 },
		{ "", 5, 1, MODE_SET, 0, NULL, 0, 0 }, { "", 5, 1, MODE_SET, 31, NULL, 0, 0 },
		{ "", 0, 1, MODE_SET, 1, NULL, 0, 0 }, { "", 201, 1, MODE_SET, 1, NULL, 0, 0 },
		{ "my-own", 5, 1, MODE_SET, 1, NULL, 0, 0 } };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		cr_expect(not(code_write(&bank, &none[i], code)), "row %zu", i);
}

/* Small letters, I and L for 1, O for 0, hyphens anywhere. */
Test(code, typed_as_people_type, .init = load, .fini = release)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char code[CODE_SIZE], typed[3 * CODE_SIZE], err[200] = "";
		struct session_options o;
		size_t n = 0;
		cr_assert(code_write(&bank, &rows[i], code));
		for (const char *p = code; *p; p++) {
			char c = *p == '1' ? "iIlL"[n % 4] : *p == '0' ? "oO"[n % 2] : *p;
			typed[n] = (char)(n % 4 ? tolower((unsigned char)c) : c);
			n++;
			typed[n++] = '-';
		}
		typed[n] = '\0';
		cr_expect(zero(int, code_read(&bank, typed, &o, err, sizeof err)), "%s: %s", typed,
			err);
		cr_expect(o.seed == rows[i].seed && o.count == rows[i].count, "%s", typed);
	}
}

/* Every mistyped symbol and every swap of two different neighbours is found. */
Test(code, slips_are_found, .init = load, .fini = release)
{
	static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	char code[CODE_SIZE], err[200];
	struct session_options o;
	cr_assert(code_write(&bank, &rows[4], code));
	for (size_t i = 0; code[i]; i++) {
		char was = code[i], next = code[i + 1];
		for (const char *c = alphabet; was != '-' && *c; c++) {
			if (*c == was)
				continue;
			code[i] = *c;
			cr_expect(eq(int, code_read(&bank, code, &o, err, sizeof err), -1), "%s",
				code);
			cr_expect(strstr(err, "check symbol") != NULL, "%s", err);
		}
		code[i] = was;
		if (was == '-' || !next || next == '-' || next == was)
			continue;
		code[i] = next;
		code[i + 1] = was;
		cr_expect(eq(int, code_read(&bank, code, &o, err, sizeof err), -1), "%s", code);
		code[i] = was;
		code[i + 1] = next;
	}
}

Test(code, nonsense_is_refused_in_a_line, .init = load, .fini = release)
{
	static const struct {
		const char *code, *said;
	} bad[] = { { "", "too short" }, { "8", "too short" }, { "8105-U405-4V", "not a symbol" },
		{ "8105 Y405 4\xff", "not a symbol" },
		{ "0000000000000000000000000000000000000000", "too long" },
		{ "000000", "another version" } };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char err[200] = "";
		struct session_options o;
		cr_expect(eq(int, code_read(&bank, bad[i].code, &o, err, sizeof err), -1), "%s",
			bad[i].code);
		cr_expect(strstr(err, bad[i].said) != NULL, "%s: %s", bad[i].code, err);
	}
}

/* A seed has one way to be written: without leading zeros, and in 64 bits, of which 13 symbols leave four
 * to the first. Whatever the check is, then, other ways are refused. */
static void expect_no_check_fits(const char *begins, bool of_case)
{
	static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	static const char *const ids[] = { "gradients-over-ethernet" };
	size_t made_by_none = 0;
	for (const char *check = alphabet; *check; check++) {
		char code[CODE_SIZE], err[200] = "";
		struct session_options o;
		struct case_code c;
		snprintf(code, sizeof code, "%s%c", begins, *check);
		int rc = of_case ? case_code_read(ids, 1, code, &c, err, sizeof err)
				 : code_read(&bank, code, &o, err, sizeof err);
		cr_expect(eq(int, rc, -1), "%s", code);
		made_by_none += strstr(err, "no ridge makes such a code") != NULL;
	}
	cr_expect(eq(sz, made_by_none, 1), "%s", begins);
}

Test(code, a_seed_is_written_in_one_way, .init = load, .fini = release)
{
	struct session_options o = { "", 5, UINT64_C(15) << 60, MODE_SET, 1, NULL, 0, 0 };
	char code[CODE_SIZE], err[200];
	expect_no_check_fits("810M"
			     "01",
		false);
	expect_no_check_fits("810M"
			     "G000000000000",
		false);
	expect_no_check_fits("ERVY79D"
			     "07",
		true);
	cr_assert(code_write(&bank, &o, code));
	cr_expect(zero(int, strncmp(code, "810M-F000-0000-0000-0", 21)), "%s", code);
	cr_assert(zero(int, code_read(&bank, code, &o, err, sizeof err)), "%s", err);
	cr_expect(o.seed == UINT64_C(15) << 60);
}

/* A code as it is written, without its hyphens. */
static char *without_hyphens(char *code)
{
	char *to = code;
	for (const char *from = code; *from; from++)
		if (*from != '-')
			*to++ = *from;
	*to = '\0';
	return code;
}

/* Random texts are refused, or read and written again as the same. */
Test(code, random_texts, .init = load, .fini = release)
{
	struct rng r = rng_stream(1, "codes", 0);
	for (int i = 0; i < 20000; i++) {
		char text[24], again[CODE_SIZE], err[200];
		struct session_options o;
		size_t n = 6 + rng_below(&r, 16);
		for (size_t k = 0; k < n; k++)
			text[k] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[rng_below(&r, 32)];
		text[0] = '8';
		text[1] = '1';
		text[n] = '\0';
		if (code_read(&bank, text, &o, err, sizeof err))
			continue;
		cr_assert(code_write(&bank, &o, again), "%s", text);
		cr_expect(eq(str, without_hyphens(again), text));
	}
}

/* "id answer; id answer; ..." of the first problems. */
static void describe(const struct drill_bank *b, const char *code, char *out, size_t size)
{
	struct session_options o;
	struct drill_session s;
	char err[300] = "";
	size_t n = 0;
	cr_assert(zero(int, code_read(b, code, &o, err, sizeof err)), "%s: %s", code, err);
	cr_assert(
		zero(int, session_init(&s, b, &tables, &o, err, sizeof err)), "%s: %s", code, err);
	*out = '\0';
	for (size_t i = 0; i < s.n && i < SHOWN && n < size; i++) {
		const struct variant *v = &s.items[i].variant;
		n += (size_t)snprintf(out + n, size - n, "%s%s %s", i ? "; " : "", v->drill->id,
			v->steps[v->n_steps - 1].answer);
	}
	session_release(&s);
}

/* Calls back for each line "CODE<tab>problems" of the golden file. */
static size_t each_golden(const struct drill_bank *b)
{
	FILE *f = fopen("tests/data/codes.tsv", "r");
	char line[LINE], got[LINE];
	size_t n = 0;
	cr_assert(f != NULL);
	while (fgets(line, sizeof line, f)) {
		char *tab = strchr(line, '\t');
		if (*line == '#')
			continue;
		cr_assert(tab != NULL);
		*tab = '\0';
		tab[strcspn(tab + 1, "\n") + 1] = '\0';
		describe(b, line, got, sizeof got);
		cr_expect(eq(str, got, tab + 1), "%s", line);
		n++;
	}
	fclose(f);
	return n;
}

Test(code, twenty_codes_give_the_same_problems_everywhere, .init = load, .fini = release)
{
	cr_expect(eq(sz, each_golden(&bank), 20));
}

/* A drill more, of a topic and a skill that codes name, is in no set of theirs. */
Test(code, a_new_drill_changes_no_code, .init = load, .fini = release)
{
	static const char more[] = "{\"schema\": 1, \"topic\": \"roofline\", \"drills\": [{\"id\": "
				   "\"newcomer\", \"kind\": \"choice\", \"skill\": \"kv-cache\", "
				   "\"title\": \"t\", \"prompt\": \"p\", \"options\": [{\"text\": "
				   "\"a\", \"right\": true, \"reason\": \"r\"}, {\"text\": \"b\", "
				   "\"reason\": \"s\"}], \"par_s\": 20, \"hints\": [\"a\", "
				   "\"b\"]}]}";
	char err[300] = "";
	cr_assert(zero(int, bank_add(&bank, &tables, more, "more", err, sizeof err)), "%s", err);
	cr_expect(eq(sz, each_golden(&bank), 20));
	struct session_options o = { "newcomer", 1, 1, MODE_SET, 1, NULL, 0, 0 };
	char code[CODE_SIZE];
	cr_expect(not(code_write(&bank, &o, code)), "it waits for the next edition");
}

/* Every drill is in an edition, each once; no two names of sets have one hash. */
Test(code, editions_are_whole, .init = load, .fini = release)
{
	static const char file[] = "content/drills/editions.json";
	size_t listed = 0;
	for (size_t i = 0; i < bank.n; i++)
		cr_assert(lt(sz, 0, bank_edition(&bank, bank.drills[i].id)),
			"%s has no edition with the drill \"%s\": `make editions` adds one", file,
			bank.drills[i].id);
	for (size_t i = 0; i < bank.n_editions; i++)
		for (size_t k = 0; k < bank.editions[i].n; k++) {
			const char *id = bank.editions[i].ids[k];
			cr_expect(bank_find(&bank, id) != NULL,
				"%s: edition %zu has \"%s\", which no file has: old codes need it",
				file, i + 1, id);
			cr_expect(eq(sz, bank_edition(&bank, id), i + 1),
				"%s: \"%s\" is there twice", file, id);
			listed++;
		}
	cr_expect(eq(sz, listed, bank.n), "%s: a drill is there twice", file);
	for (size_t i = 0; i < bank.n; i++) {
		const struct drill *d = &bank.drills[i];
		const char *names[] = { d->topic, d->skill, d->id };
		for (size_t k = 0; k < 3; k++) {
			struct session_options o = { names[k], 1, 1, MODE_SET, bank.n_editions,
				NULL, 0, 0 },
					       back;
			char code[CODE_SIZE], err[200] = "";
			cr_assert(code_write(&bank, &o, code), "%s", names[k]);
			cr_assert(zero(int, code_read(&bank, code, &back, err, sizeof err)));
			cr_expect(eq(str, (char *)back.topic, (char *)names[k]),
				"two sets, one hash");
		}
	}
}

/* --- interviews at a case ---------------------------------------------------------------- */

static struct case_list cases;
static const char *ids[256];

static void load_cases(void)
{
	cr_assert(zero(int, case_list_load(&cases, stderr)));
	cr_assert(lt(sz, cases.n, sizeof ids / sizeof *ids));
	for (size_t i = 0; i < cases.n; i++)
		ids[i] = cases.cases[i].id;
}

static void release_cases(void)
{
	case_list_release(&cases);
}

/* Each case, level and length, and no two of them the same code. */
Test(code, of_a_case_says_all_of_it, .init = load_cases, .fini = release_cases)
{
	static const unsigned minutes[] = { LEAST_CASE_MINUTES, CASE_MINUTES, MOST_CASE_MINUTES };
	static const uint64_t seeds[] = { 0, 31, 99999, UINT64_MAX };
	for (size_t i = 0; i < cases.n; i++)
		for (unsigned level = 0; level < N_CASE_LEVELS; level++)
			for (size_t k = 0; k < 12; k++) {
				const struct case_code c = { ids[i], (enum case_level)level,
					minutes[k % 3], seeds[k / 3] };
				struct case_code o;
				char code[CODE_SIZE], err[200] = "";
				case_code_write(&c, code);
				cr_assert(code_is_of_case(code));
				cr_assert(zero(int, case_code_read(ids, cases.n, code, &o, err,
							    sizeof err)),
					"%s: %s", code, err);
				cr_expect(eq(str, (char *)o.id, (char *)c.id));
				cr_expect(o.level == c.level && o.minutes == c.minutes &&
						  o.seed == c.seed,
					"%s", code);
			}
}

Test(code, of_a_case_is_refused_where_it_cannot_be_one, .init = load_cases, .fini = release_cases)
{
	const struct case_code c = { ids[0], LEVEL_STAFF, 45, 77 };
	struct case_code o;
	char code[CODE_SIZE], err[200];
	case_code_write(&c, code);
	/* Of a ridge that has other cases. */
	cr_expect(eq(int, case_code_read(ids + 1, cases.n - 1, code, &o, err, sizeof err), -1));
	cr_expect(strstr(err, "case is not here") != NULL, "%s", err);
	for (size_t i = 0; code[i]; i++) {
		const char was = code[i];
		if (was == '-')
			continue;
		code[i] = was == '7' ? '8' : '7';
		cr_expect(eq(int, case_code_read(ids, cases.n, code, &o, err, sizeof err), -1));
		cr_expect(strstr(err, "check symbol") != NULL, "%s", err);
		code[i] = was;
	}
	code[4] = '\0';
	cr_expect(eq(int, case_code_read(ids, cases.n, code, &o, err, sizeof err), -1));
	cr_expect(strstr(err, "too short") != NULL, "%s", err);
}

/* The first symbol says that it is of a case: with another one no check makes it one. */
Test(code, of_a_case_begins_with_its_symbol)
{
	expect_no_check_fits("DRVY79D7", true);
	expect_no_check_fits("FRVY79D7", true);
}

/* A code of problems is none of a case, and the other way round. */
Test(code, of_problems_and_of_a_case_are_told_apart, .init = load, .fini = release)
{
	struct session_options o;
	char code[CODE_SIZE], err[200];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_assert(code_write(&bank, &rows[i], code));
		cr_expect(not(code_is_of_case(code)), "%s", code);
	}
	case_code_write(&(struct case_code){ "serve-70b", LEVEL_SENIOR, 45, 5 }, code);
	cr_expect(eq(int, code_read(&bank, code, &o, err, sizeof err), -1));
	cr_expect(code_is_of_case(" e-") && code_is_of_case("E12"));
}
