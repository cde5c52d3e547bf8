/* Laws over every page that travels with the program: what it computes, shows and links to is
 * there, it fits any width, and a chapter has the parts that a reader was promised. The checker
 * itself is held against pages with one fault each. */
#include "drills/session.h"
#include "sims/registry/registry.h"
#include "tests/page_heading.h"
#include "ui/data/bank_load.h"
#include "ui/pages/page.h"
#include "ui/pages/page_env.h"
#include "ui/data/page_list.h"
#include "ui/data/tour_list.h"
#include "ui/live/live.h"
#include "ui/data/tables_load.h"

#include <cmark.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <math.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Chapters with worked problems; those that have the section hold to its form in any case. */
enum { LEAST_PROBLEMS = 6, CHAPTERS_WITH_PROBLEMS = 17 };
enum { LEAST_WORDS = 1200, LEAST_FIGURES = 2, LONGEST_TARGET = 512 };

/* Everything that pages refer to. */
struct world {
	struct tables tables;
	struct drill_bank bank;
	struct page_list list;
};

/* A page under examination; one line in `faults` for each thing that is wrong with it. */
struct exam {
	const struct world *world;
	const char *file; /* "chapters/01-gpu.md" */
	const char *markdown;
	FILE *faults;
};

static void fault(const struct exam *e, const char *what, const char *which, const char *why)
{
	fprintf(e->faults, "%s: %s: %s%s%s\n", e->file, what, which, *why ? ": " : "", why);
}

static struct page laid_out(const char *markdown, int width, const struct page_env *env)
{
	struct page p;
	cr_assert(zero(int, page_layout(&p, markdown, strlen(markdown), width, env)));
	return p;
}

/* A fence `sim NAME knob=value` that names no simulation is laid out as code, so fences are taken
 * from the Markdown itself. Returns how many there are. */
static size_t check_fences(const struct exam *e)
{
	size_t n = 0;
	cmark_node *document =
		cmark_parse_document(e->markdown, strlen(e->markdown), CMARK_OPT_DEFAULT);
	cmark_iter *iter = cmark_iter_new(document);
	while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
		struct live view;
		char err[256];
		cmark_node *node = cmark_iter_get_node(iter);
		if (cmark_node_get_type(node) != CMARK_NODE_CODE_BLOCK)
			continue;
		const char *info = cmark_node_get_fence_info(node);
		if (!info || strncmp(info, "sim ", 4) != 0)
			continue;
		n++;
		if (live_open_text(&view, &e->world->tables, info + 4, err, sizeof err))
			fault(e, "figure", info, err);
		else
			live_release(&view);
	}
	cmark_iter_free(iter);
	cmark_node_free(document);
	return n;
}

/* "../reference/errata.md#x" seen from "chapters/01-gpu.md" is "reference/errata.md". */
static void resolve(const char *from, const char *target, char path[static LONGEST_TARGET])
{
	const char *slash = strrchr(from, '/');
	int folder = slash ? (int)(slash - from) + 1 : 0;
	if (strncmp(target, "../", 3) == 0) {
		target += 3;
		folder = 0;
	}
	snprintf(path, LONGEST_TARGET, "%.*s%.*s", folder, from, (int)strcspn(target, "#"), target);
}

static bool has_anchor(const char *markdown, const char *anchor)
{
	struct page p = laid_out(markdown, 80, NULL);
	const bool found = heading_of(&p, anchor) != NULL;
	page_release(&p);
	return found;
}

/* To another page, or in this one, which may have headings that are made and stand in no file. */
static void check_page_link(const struct exam *e, const struct page *p, const char *target)
{
	char path[LONGEST_TARGET];
	void *owned = NULL;
	size_t bytes;
	const char *anchor = strchr(target, '#');
	resolve(e->file, target, path);
	const char *markdown = *target == '#' ? e->markdown : content_read(path, &bytes, &owned);
	if (!markdown)
		fault(e, "link", target, "no such page");
	else if (anchor && !(*target == '#' ? heading_of(p, anchor + 1) != NULL
					    : has_anchor(markdown, anchor + 1)))
		fault(e, "link", target, "no such heading");
	free(owned);
}

static void check_sim_link(const struct exam *e, const char *target)
{
	struct live view;
	char err[256];
	if (live_open_text(&view, &e->world->tables, target + strlen("sim:"), err, sizeof err))
		fault(e, "link", target, err);
	else
		live_release(&view);
}

static void check_drill_link(const struct exam *e, const char *target)
{
	const struct session_options o = { target + strlen("drill:"), 1, 1 };
	struct drill_session session;
	char err[256];
	if (session_init(&session, &e->world->bank, &e->world->tables, &o, err, sizeof err))
		fault(e, "link", target, err);
	session_release(&session);
}

static void check_tour_link(const struct exam *e, const char *target)
{
	struct arena a = { 0 };
	struct tour_info tour;
	if (!tour_info_read(target + strlen("present:"), &a, &tour))
		fault(e, "link", target, "no such tour");
	arena_release(&a);
}

static void check_links(const struct exam *e, const struct page *p)
{
	for (size_t i = 0; i < p->n_links; i++) {
		const char *target = p->links[i].target;
		if (strncmp(target, "sim:", 4) == 0)
			check_sim_link(e, target);
		else if (strncmp(target, "drill:", 6) == 0)
			check_drill_link(e, target);
		else if (strncmp(target, "present:", 8) == 0)
			check_tour_link(e, target);
		else if (strncmp(target, "https://", 8) != 0)
			check_page_link(e, p, target);
	}
}

static void check_computed(const struct exam *e, const struct page *p)
{
	for (size_t i = 0; i < p->n_computed; i++)
		if (p->computed[i].failed)
			fault(e, "computed", p->computed[i].source, p->computed[i].result);
}

static void check_widths(const struct exam *e, const struct page *p)
{
	for (size_t i = 0; i < p->n_lines; i++) {
		const struct page_line *line = &p->lines[i];
		int columns = line->indent;
		for (size_t j = 0; j < line->n_spans; j++)
			columns += text_width(line->spans[j].text);
		if (columns > p->width)
			fault(e, "too wide", line->n_spans ? line->spans[0].text : "", "");
	}
}

/* Words of prose: without fenced blocks, tables and code spans. */
static size_t prose_words(const char *markdown)
{
	size_t words = 0;
	bool fenced = false, code = false, inside = false;
	for (const char *line = markdown; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, "```", 3) == 0)
			fenced = !fenced;
		if (fenced || *line == '`' || *line == '|')
			continue;
		for (const char *c = line; *c && *c != '\n'; c++) {
			code ^= *c == '`';
			words += !code && !inside && isalnum((unsigned char)*c);
			inside = !isspace((unsigned char)*c) &&
				 (inside || isalnum((unsigned char)*c));
		}
		inside = false;
	}
	return words;
}

static void check_chapter(const struct exam *e, const struct page *p)
{
	static const char *const parts[] = { "System design", "Code", "Debugging", "Frontier",
		"What to be able to calculate", "What to be able to explain" };
	char counted[32];
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		bool found = false;
		for (size_t j = 0; j < p->n_headings; j++)
			found |= p->headings[j].level == 2 &&
				 !strcasecmp(p->headings[j].text, parts[i]);
		if (!found)
			fault(e, "section", parts[i], "missing");
	}
	size_t words = prose_words(e->markdown);
	snprintf(counted, sizeof counted, "%zu", words);
	if (words < LEAST_WORDS)
		fault(e, "words", counted, "too few");
	if (p->n_figures < LEAST_FIGURES)
		fault(e, "figures", "", "too few");
}

/* All that is wrong with a page, a line each; to be freed. */
static char *faults_of(const struct world *w, const char *file, const char *markdown, bool chapter)
{
	static const int widths[] = { 40, 80, 120, 200 };
	char *text = NULL;
	size_t bytes;
	struct exam e = { w, file, markdown, open_memstream(&text, &bytes) };
	struct page_env env = page_env_printing(&w->tables);
	cr_assert(e.faults != NULL);
	size_t fences = check_fences(&e);
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		struct page p = laid_out(markdown, widths[i], &env);
		check_widths(&e, &p);
		if (i == 0) {
			check_computed(&e, &p);
			check_links(&e, &p);
			if (chapter)
				check_chapter(&e, &p);
			if (p.n_figures > fences)
				fault(&e, "figures", "", "more than fences");
		}
		page_release(&p);
	}
	fclose(e.faults);
	return text;
}

static void world_init(struct world *w)
{
	char err[256] = "";
	setlocale(LC_CTYPE, "C.UTF-8");
	*w = (struct world){ 0 };
	cr_assert(zero(int, tables_load(&w->tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&w->bank, &w->tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, page_list_init(&w->list)));
}

static void world_release(struct world *w)
{
	page_list_release(&w->list);
	bank_release(&w->bank);
	tables_release(&w->tables);
}

Test(content, every_page_keeps_its_promises, .description = "long", .timeout = 600)
{
	struct world w;
	world_init(&w);
	for (size_t i = 0; i < w.list.n; i++) {
		const struct page_info *info = &w.list.pages[i];
		void *owned = NULL;
		size_t bytes;
		const char *markdown = content_read(info->file, &bytes, &owned);
		cr_assert(markdown != NULL, "%s", info->file);
		char *faults = faults_of(&w, info->file, markdown, info->chapter >= 0);
		cr_expect(eq(str, faults, ""), "%s", faults);
		free(faults);
		free(owned);
	}
	world_release(&w);
}

/* Where a line begins with these words, within the bytes up to `end`; NULL: none does. */
static const char *line_with(const char *from, const char *end, const char *words)
{
	const size_t n = strlen(words);
	for (const char *at = from; at && at < end; at = strchr(at, '\n'), at += at != NULL)
		if (strncmp(at, words, n) == 0)
			return at;
	return NULL;
}

/* What is wrong with one worked problem, from after its heading's line; NULL: nothing. */
static const char *problem_fault(const char *at, const char *end)
{
	static const char *const leads[] = { "**Plan.** ", "**Numbers.** ", "**Check.** " };
	const char *fold = line_with(at, end, "<!-- fold -->\n"), *question = at;
	while (question < end && isspace((unsigned char)*question))
		question++;
	if (!fold || question >= fold || strncmp(question, "**", 2) == 0)
		return "no question before the first fold";
	for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
		fold = fold ? line_with(fold, end, "<!-- fold -->\n") : NULL;
		if (!fold)
			return leads[i];
		fold += strlen("<!-- fold -->\n");
		if (strncmp(fold, "<!-- plain:", 11) == 0)
			fold += strcspn(fold, "\n") + 1;
		if (strncmp(fold, leads[i], strlen(leads[i])) != 0)
			return leads[i];
		const char *next = line_with(fold, end, "<!-- fold -->\n");
		const char *computed = strstr(fold, "`=");
		if (i == 1 && (!computed || computed > (next ? next : end)))
			return "numbers that the engine does not compute";
	}
	if (line_with(fold, end, "<!-- fold -->\n"))
		return "a fold after the check";
	return line_with(fold, end, "**Moral.** ") ? NULL : "**Moral.** ";
}

/* The worked problems of a chapter; each one that is not as it should be goes to `faults`. */
static size_t worked_problems(const char *markdown, FILE *faults)
{
	const char *stop = markdown + strlen(markdown);
	const char *at = line_with(markdown, stop, "## Worked problems\n");
	size_t n = 0;
	if (!at)
		return 0;
	const char *section_end = line_with(at + 3, stop, "## ");
	stop = section_end ? section_end : stop;
	while ((at = line_with(at + 1, stop, "### "))) {
		const char *text = strchr(at, '\n'), *end = line_with(at + 1, stop, "### ");
		const char *why = text ? problem_fault(text, end ? end : stop) : "empty";
		if (why)
			fprintf(faults, "%.*s: %s\n", (int)strcspn(at, "\n"), at, why);
		n++;
	}
	return n;
}

Test(content, worked_problems_have_all_their_parts)
{
	struct world w;
	size_t chapters = 0;
	world_init(&w);
	for (size_t i = 0; i < w.list.n; i++) {
		const struct page_info *info = &w.list.pages[i];
		void *owned = NULL;
		size_t bytes;
		char *faults = NULL;
		const char *markdown =
			info->chapter >= 0 ? content_read(info->file, &bytes, &owned) : NULL;
		if (!markdown)
			continue;
		FILE *f = open_memstream(&faults, &bytes);
		const size_t n = worked_problems(markdown, f);
		fclose(f);
		cr_expect(eq(str, faults, ""), "%s: %s", info->file, faults);
		cr_expect(n == 0 || n >= LEAST_PROBLEMS, "%s: %zu problems", info->file, n);
		chapters += n > 0;
		/* Each answer to explain is folded. */
		const char *explain = strstr(markdown, "\n## What to be able to explain\n");
		size_t questions = 0, folds = 0;
		for (const char *at = explain; at && (at = strstr(at, "\n- ")); at++)
			questions++;
		for (const char *at = explain; at && (at = strstr(at, "\n  <!-- fold -->\n")); at++)
			folds++;
		cr_expect(questions > 0 && questions == folds, "%s: %zu questions, %zu folds",
			info->file, questions, folds);
		free(faults);
		free(owned);
	}
	cr_expect(le(sz, CHAPTERS_WITH_PROBLEMS, chapters));
	world_release(&w);
}

/* A first reading is a way of its own: much shorter, and not a list of headings. */
Test(content, chapters_have_a_first_reading)
{
	static const double LEAST = 0.35, MOST = 0.66;
	struct world w;
	world_init(&w);
	for (size_t i = 0; i < w.list.n; i++) {
		const struct page_info *info = &w.list.pages[i];
		const double share = (double)info->first_words / (double)info->words;
		cr_expect(info->chapter < 0 || (share >= LEAST && share <= MOST), "%s: %.2f",
			info->file, share);
	}
	world_release(&w);
}

Test(content, faults_of_worked_problems_are_found)
{
#define WORKED(question, plan, numbers, check)                                                     \
	"## Worked problems\n\n### A\n\n" question "<!-- fold -->\n" plan                          \
	"<!-- fold -->\n" numbers "<!-- fold -->\n" check "\n## Next\n"
	static const struct {
		const char *markdown, *says;
	} rows[] = {
		{ WORKED("Q\n", "**Plan.** a\n", "**Numbers.** `=x`\n",
			  "**Check.** c\n\n**Moral.** d\n"),
			"" },
		{ WORKED("", "**Plan.** a\n", "**Numbers.** `=x`\n",
			  "**Check.** c\n\n**Moral.** d\n"),
			"### A: no question before the first fold\n" },
		{ WORKED("Q\n", "a\n", "**Numbers.** `=x`\n", "**Check.** c\n\n**Moral.** d\n"),
			"### A: **Plan.** \n" },
		{ WORKED("Q\n", "**Plan.** a\n", "**Numbers.** 7\n",
			  "**Check.** `=x`\n\n**Moral.** d\n"),
			"### A: numbers that the engine does not compute\n" },
		{ WORKED("Q\n", "**Plan.** a\n", "**Numbers.** `=x`\n", "**Check.** c\n"),
			"### A: **Moral.** \n" },
		{ WORKED("Q\n", "**Plan.** a\n", "**Numbers.** `=x`\n", "**Moral.** d\n"),
			"### A: **Check.** \n" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *faults = NULL;
		size_t bytes;
		FILE *f = open_memstream(&faults, &bytes);
		cr_expect(eq(sz, worked_problems(rows[i].markdown, f), 1), "row %zu", i);
		fclose(f);
		cr_expect(eq(str, faults, (char *)rows[i].says), "row %zu", i);
		free(faults);
	}
}

/* The page that a simulation names embeds it. */
Test(content, every_simulation_is_in_its_page)
{
	struct world w;
	world_init(&w);
	for (size_t i = 0; i < n_sims; i++) {
		const struct page_info *info = page_list_find(&w.list, sims[i]->page);
		void *owned = NULL;
		size_t bytes;
		char fence[64];
		cr_expect(info != NULL, "%s: no page \"%s\"", sims[i]->id, sims[i]->page);
		if (!info)
			continue;
		const char *markdown = content_read(info->file, &bytes, &owned);
		snprintf(fence, sizeof fence, "```sim %s", sims[i]->id);
		cr_expect(markdown != NULL && strstr(markdown, fence) != NULL, "%s is not in %s",
			sims[i]->id, info->file);
		free(owned);
	}
	world_release(&w);
}

Test(content, brackets_are_computed_first)
{
	static const struct {
		const char *source, *result;
	} rows[] = {
		{ "speedup time_one=[speedup time_one=80 time_n=2] time_n=4", "10" },
		{ "speedup time_one=[speedup time_one=[speedup time_one=90 time_n=3] time_n=3]*2 "
		  "time_n=[speedup time_one=4 time_n=1]",
			"5" },
		{ "saved_share before=1 after=[mixed_throughput share_one=1 throughput_one=0.25] in %",
			"75 %" },
		{ "throughput_speedup throughput_one=1e9 throughput_n=[quant_bytes params=4e9 bits=8]",
			"4" },
		{ "training_cost gpus=1 time=1h price_per_hour=[implied_price cost=6 gpus=1 time=2h]",
			"$3" },
		{ "speedup time_one=1 time_n=[kvcache : hit_pct]/4+", NULL },
		{ "speedup time_one=[speedup", NULL },
		{ "speedup time_one=[]", NULL },
		{ "speedup time_one=[nothing] time_n=1", NULL },
	};
	struct world w;
	char buf[256];
	world_init(&w);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int failed = page_env_compute(&w.tables, rows[i].source, buf, sizeof buf);
		cr_expect(eq(int, failed, rows[i].result ? 0 : -1), "%s: %s", rows[i].source, buf);
		if (rows[i].result)
			cr_expect(eq(str, buf, (char *)rows[i].result));
	}
	world_release(&w);
}

/* What a simulation shows in per cent, GB or ms is a share, bytes or seconds where a formula takes it. */
Test(content, brackets_give_base_units)
{
	static const struct {
		const char *value;
		double factor;
	} rows[] = { { "goodput runs=1 : goodput_pct", 0.01 }, { "memory : peak_GB", 1e9 },
		{ "parallelism : step_ms", 1 }, { "capacity : kv_per_token_kB", 1e3 } };
	struct world w;
	world_init(&w);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char shown[256], scaled[512], ratio[256];
		snprintf(scaled, sizeof scaled,
			"throughput_speedup throughput_one=%g throughput_n=[%s]", rows[i].factor,
			rows[i].value);
		cr_assert(
			zero(int, page_env_compute(&w.tables, rows[i].value, shown, sizeof shown)));
		cr_assert(zero(int, page_env_compute(&w.tables, scaled, ratio, sizeof ratio)),
			"%s: %s", scaled, ratio);
		char *comma = strchr(shown, ',');
		if (comma)
			memmove(comma, comma + 1, strlen(comma));
		comma = strchr(ratio, ',');
		if (comma)
			memmove(comma, comma + 1, strlen(comma));
		double x = strtod(shown, NULL), y = strtod(ratio, NULL);
		cr_expect(lt(dbl, fabs(x - y), 0.006 * fabs(x)), "%s: %s, %s", rows[i].value, shown,
			ratio);
	}
	world_release(&w);
}

Test(content, faults_are_found)
{
	static const struct {
		const char *markdown, *says; /* NULL: nothing is wrong */
	} rows[] = {
		{ "`=ridge_point gpu=a100`", NULL },
		{ "`=ridge_pint gpu=a100`", "ridge_point" },
		{ "`=ridge_point gpu=b300x`", "b300" },
		{ "`=roofline gpu=a100 : ridge`", NULL },
		{ "`=roofline gpu=a100 : rigde`", "rigde" },
		{ "`=speedup time_one=[roofline gpu=a100 : ridge] time_n=2`", NULL },
		{ "`=speedup time_one=[roofline gpu=a100 : rigde] time_n=2`", "rigde" },
		{ "<!-- let chip = roofline gpu=a100 -->\n\n`={chip} : ridge`", NULL },
		{ "`={chip} : ridge`", NULL }, /* code, as no formula begins so */
		{ "<!-- let chip = roofline gpu=a100 -->\n\n`={chip} : rigde`", "rigde" },
		{ "```sim roofline gpu=h100\n```", NULL },
		{ "```sim rooflin gpu=h100\n```", "figure: sim rooflin" },
		{ "```sim roofline gpus=h100\n```", "gpus" },
		{ "```sim roofline batch=0\n```", "batch" },
		{ "[to](01-gpu.md#the-ridge)", NULL },
		{ "[to](../chapters/01-gpu.md)", NULL },
		{ "[to](01-gpu.md#the-rigde)", "no such heading" },
		{ "[to](01-cpu.md)", "no such page" },
		{ "[to](gpu)", "no such page" },
		{ "# A b\n\n[to](#a-b)", NULL },
		{ "# A b\n\n[to](#a-c)", "no such heading" },
		{ "[to](<sim:roofline gpu=h100>)", NULL },
		{ "[to](<sim:roofline gpu=i100>)", "h100" },
		{ "[to](drill:roofline)", NULL },
		{ "[to](drill:rooflin)", "rooflin" },
		{ "[to](https://example.org/x)", NULL },
	};
	struct world w;
	world_init(&w);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *faults = faults_of(&w, "chapters/99-x.md", rows[i].markdown, false);
		if (rows[i].says)
			cr_expect(strstr(faults, rows[i].says) != NULL, "row %zu: %s", i, faults);
		else
			cr_expect(eq(str, faults, ""), "row %zu", i);
		free(faults);
	}
	world_release(&w);
}

Test(content, chapters_without_their_parts_are_found)
{
	struct world w;
	world_init(&w);
	char *faults =
		faults_of(&w, "chapters/99-x.md", "# Short\n\n## Code\n\nTwo words.\n", true);
	cr_expect(strstr(faults, "section: Debugging: missing") != NULL, "%s", faults);
	cr_expect(strstr(faults, "section: Code") == NULL, "%s", faults);
	cr_expect(strstr(faults, "words: 4: too few") != NULL, "%s", faults);
	cr_expect(strstr(faults, "figures: ") != NULL, "%s", faults);
	free(faults);
	world_release(&w);
}

Test(content, prose_is_counted_without_code_and_tables)
{
	static const struct {
		const char *markdown;
		size_t words;
	} rows[] = {
		{ "", 0 },
		{ "One, two - three.", 3 },
		{ "one `two three` four", 2 },
		{ "one\n```c\ntwo three\n```\nfour\n", 2 },
		{ "one\n\n| two | three |\n| --- | --- |\n", 1 },
		{ "- **one** two\n> three\n", 3 },
		{ "one\ntwo", 2 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(sz, prose_words(rows[i].markdown), rows[i].words), "row %zu", i);
}
