/* Chains: sets that climb one subject from what one knows by heart to what to make of it. */
#include "drills/bank_read.h"
#include "drills/code.h"
#include "drills/session.h"
#include "sims/base/array.h"
#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"
#include "ui/practice/drill_request.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tables tables;
static struct drill_bank bank;

static void load(void)
{
	char err[300] = "";
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
}

static void release(void)
{
	bank_release(&bank);
	tables_release(&tables);
}

/* A chain is a short walk that rises, and ends in a judgement. */
Test(chains, climb_to_a_judgement, .init = load, .fini = release)
{
	enum { LEAST_CHAINS = 8, SHORTEST = 4, LONGEST = 6 };
	const char *chains[MOST_CHAINS];
	size_t n = bank_chains(&bank, chains, MOST_CHAINS);
	cr_expect(n >= LEAST_CHAINS && n < MOST_CHAINS, "%zu", n);
	for (size_t i = 0; i < n; i++) {
		const struct drill *d[MOST_CHAIN];
		size_t links = bank_chain(&bank, chains[i], d);
		cr_assert(links >= SHORTEST && links <= LONGEST, "%s has %zu", chains[i], links);
		for (size_t k = 0; k < links; k++) {
			cr_expect(eq(uint, d[k]->chain_place, (unsigned)k + 1), "%s", d[k]->id);
			cr_expect(drill_is_of(d[k], chains[i]));
			cr_expect(k == 0 || d[k - 1]->rung <= d[k]->rung, "%s", d[k]->id);
		}
		cr_expect(lt(uint, d[0]->rung, RUNG_COMBINE), "%s begins high", chains[i]);
		cr_expect(eq(uint, d[links - 1]->rung, RUNG_JUDGE), "%s ends low", chains[i]);
	}
}

/* Whatever the seed the order is that of the places; a second round has other numbers. */
Test(chains, are_dealt_in_order, .init = load, .fini = release)
{
	const char *chains[MOST_CHAINS];
	size_t n = bank_chains(&bank, chains, MOST_CHAINS);
	for (size_t i = 0; i < n; i++) {
		const struct drill *d[MOST_CHAIN];
		size_t links = bank_chain(&bank, chains[i], d), changed = 0;
		for (uint64_t seed = 0; seed < 5; seed++) {
			struct session_options o = {
				.topic = chains[i], .count = 2 * links, .seed = seed
			};
			struct drill_session s;
			char err[300] = "";
			cr_assert(zero(int, session_init(&s, &bank, &tables, &o, err, sizeof err)),
				"%s", err);
			cr_assert(eq(sz, s.n, 2 * links));
			for (size_t k = 0; k < s.n; k++)
				cr_expect(s.items[k].variant.drill == d[k % links],
					"%s, seed %llu, problem %zu", chains[i],
					(unsigned long long)seed, k);
			for (size_t k = 0; k < links; k++)
				changed += strcmp(s.items[k].variant.prompt,
						   s.items[links + k].variant.prompt) != 0;
			session_release(&s);
		}
		cr_expect(lt(sz, 0, changed), "%s", chains[i]);
	}
}

/* The first four of a chain of five, where four are asked for; all of it, where nothing is said. */
Test(chains, have_codes_and_a_length, .init = load, .fini = release)
{
	static const struct {
		size_t asked, dealt;
		enum drill_mode mode;
	} rows[] = { { 0, 5, MODE_SET }, { 4, 4, MODE_SET }, { 0, 5, MODE_STUDY },
		{ 0, 40, MODE_SPRINT } };
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct drill_request r = { .topic = "chain-roofline" };
		struct session_options back;
		char err[300] = "";
		r.options.mode = rows[i].mode;
		r.options.count = rows[i].asked;
		cr_assert(zero(int, drill_request_complete(&r, &bank, NULL, 7, err, sizeof err)),
			"%s", err);
		cr_expect(eq(sz, r.options.count, rows[i].dealt), "row %zu", i);
		cr_assert(zero(int, code_read(&bank, r.code, &back, err, sizeof err)), "%s", err);
		cr_expect(eq(str, (char *)back.topic, "chain-roofline"));
		cr_expect(eq(sz, back.count, rows[i].dealt));
	}
}

/* An interview around problems that names no subject has one: a few are a chain's, from rung to rung; more are a
 * chapter's. Its code deals the same. */
Test(chains, an_interview_without_a_subject_climbs_one, .init = load, .fini = release)
{
	static const struct {
		size_t count;
		const char *set;
	} rows[] = { { 3, "chain-" }, { 4, "chain-" }, { 6, "chapter-" }, { 9, "chapter-" } };
	for (size_t i = 0; i < LENGTH(rows); i++)
		for (uint64_t seed = 1; seed <= 8; seed++) {
			struct drill_request r = { .seeded = true };
			struct drill_session s = { 0 };
			struct session_options back;
			char err[300] = "";
			r.options = (struct session_options){
				.mode = MODE_INTERVIEW, .count = rows[i].count, .seed = seed
			};
			cr_assert(zero(int, drill_request_complete(
						    &r, &bank, NULL, 7, err, sizeof err)),
				"%s", err);
			cr_assert(zero(int, code_read(&bank, r.code, &back, err, sizeof err)), "%s",
				err);
			cr_expect(strncmp(back.topic, rows[i].set, strlen(rows[i].set)) == 0, "%s",
				back.topic);
			cr_assert(
				zero(int, session_init(&s, &bank, &tables, &back, err, sizeof err)),
				"%s", err);
			cr_assert(eq(sz, s.n, rows[i].count + 1)); /* the estimate is first */
			for (size_t k = 1; k < s.n; k++) {
				const struct drill *d = s.items[k].variant.drill,
						   *before = s.items[k - 1].variant.drill;
				cr_expect(drill_is_of(d, back.topic), "%s: %s", back.topic, d->id);
				cr_expect(d->kind != KIND_CODE, "%s", d->id);
				if (k > 1 && strncmp(back.topic, "chain-", 6) == 0)
					cr_expect(before->chain_place < d->chain_place, "%s: %s",
						back.topic, d->id);
			}
			session_release(&s);
		}
}

/* No name of a chain has the hash of another set: a code would mean either. */
Test(chains, have_hashes_of_their_own, .init = load, .fini = release)
{
	const char *chains[MOST_CHAINS];
	size_t n = bank_chains(&bank, chains, MOST_CHAINS);
	for (size_t i = 0; i < n; i++) {
		struct session_options o = { .topic = chains[i],
			.count = 1,
			.edition = bank.n_editions },
				       back;
		char code[CODE_SIZE], err[200] = "";
		cr_assert(code_write(&bank, &o, code), "%s", chains[i]);
		cr_assert(zero(int, code_read(&bank, code, &back, err, sizeof err)), "%s", err);
		cr_expect(eq(str, (char *)back.topic, (char *)chains[i]));
	}
}

Test(chains, an_unknown_one_is_refused_with_a_list, .init = load, .fini = release)
{
	static const char *const bad[] = { "chain", "chain-roofing", "chains" };
	for (size_t i = 0; i < LENGTH(bad); i++) {
		struct session_options o = { .topic = bad[i], .count = 1 };
		struct drill_session s;
		char err[400] = "";
		cr_expect(eq(int, session_init(&s, &bank, &tables, &o, err, sizeof err), -1));
		cr_expect(strstr(err, "expected chain-NAME with one of ") != NULL &&
				  strstr(err, "roofline") != NULL && strlen(err) < 300,
			"%s", err);
		session_release(&s);
	}
}

/* A file of drills "a", "b", ... that differ in their rung and their place in a chain. */
static void write_bank(
	const char *const rungs[], const char *const chains[], char *json, size_t size)
{
	size_t at = (size_t)snprintf(json, size, "{\"schema\": 1, \"topic\": \"t\", \"drills\": [");
	for (size_t i = 0; rungs[i]; i++)
		at += (size_t)snprintf(json + at, size - at,
			"%s{\"id\": \"%c\", \"kind\": \"choice\", \"rung\": \"%s\", \"chain\": %s, "
			"\"skill\": \"s\", \"title\": \"t\", \"prompt\": \"p\", \"options\": "
			"[{\"text\": \"x\", \"right\": true, \"reason\": \"r\"}, {\"text\": \"y\", "
			"\"reason\": \"r\"}], \"par_s\": 20, \"hints\": [\"h\"]}",
			i ? ", " : "", (char)('a' + i), rungs[i], chains[i]);
	snprintf(json + at, size - at, "]}");
}

Test(chains, what_does_not_climb_is_refused, .init = load, .fini = release)
{
	static const struct {
		const char *rungs[4], *chains[4], *reason;
	} rows[] = {
		{ { "recall" }, { "\"cache\"" }, "expected an object" },
		{ { "recall" }, { "{\"name\": \"c\", \"place\": 1, \"of\": 2}" }, "of" },
		{ { "recall" }, { "{\"place\": 1}" }, "name" },
		{ { "recall" }, { "{\"name\": \"The cache\", \"place\": 1}" }, "small letters" },
		{ { "recall" }, { "{\"name\": \"c\"}" }, "expected a place, 1 to 9" },
		{ { "recall" }, { "{\"name\": \"c\", \"place\": 0}" }, "1 to 9" },
		{ { "recall" }, { "{\"name\": \"c\", \"place\": 10}" }, "1 to 9" },
		{ { "recall" }, { "{\"name\": \"c\", \"place\": 1.5}" }, "1 to 9" },
		{ { "recall" }, { "{\"name\": \"c\", \"place\": \"1\"}" }, "1 to 9" },
		{ { "recall", "apply" },
			{ "{\"name\": \"c\", \"place\": 2}", "{\"name\": \"c\", \"place\": 2}" },
			"b: chain: place 2 of chain-c is that of a" },
		{ { "apply", "recall" },
			{ "{\"name\": \"c\", \"place\": 1}", "{\"name\": \"c\", \"place\": 2}" },
			"chain-c goes down: a (apply) is before b (recall)" },
		{ { "apply", "judge" },
			{ "{\"name\": \"c\", \"place\": 2}", "{\"name\": \"c\", \"place\": 1}" },
			"chain-c goes down: b (judge) is before a (apply)" },
	};
	char json[4096], err[300];
	for (size_t i = 0; i < LENGTH(rows); i++) {
		size_t before = bank.n;
		write_bank(rows[i].rungs, rows[i].chains, json, sizeof json);
		*err = '\0';
		cr_expect(eq(int, bank_add(&bank, &tables, json, "x.json", err, sizeof err), -1),
			"row %zu", i);
		cr_expect(strstr(err, rows[i].reason) != NULL && strstr(err, "x.json") != NULL,
			"row %zu: %s", i, err);
		cr_expect(eq(sz, bank.n, before));
	}
}

/* Drills of a rung stand in any order in a file, and a place may stay free for one to come. */
Test(chains, are_read_in_any_order)
{
	static const char *const rungs[] = { "judge", "apply", "apply", NULL };
	static const char *const places[] = { "{\"name\": \"c\", \"place\": 9}",
		"{\"name\": \"c\", \"place\": 4}", "{\"name\": \"c\", \"place\": 2}" };
	struct drill_bank b = { 0 };
	const struct drill *d[MOST_CHAIN];
	const char *chains[MOST_CHAINS];
	char json[4096], err[300] = "";
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	write_bank(rungs, places, json, sizeof json);
	cr_assert(zero(int, bank_add(&b, &tables, json, "x.json", err, sizeof err)), "%s", err);
	cr_assert(eq(sz, bank_chain(&b, "chain-c", d), 3));
	cr_expect(d[0] == &b.drills[2] && d[1] == &b.drills[1] && d[2] == &b.drills[0]);
	cr_expect(zero(sz, bank_chain(&b, "chain-d", d)));
	cr_assert(eq(sz, bank_chains(&b, chains, MOST_CHAINS), 1));
	cr_expect(eq(str, (char *)chains[0], "chain-c"));
	bank_release(&b);
	tables_release(&tables);
}
