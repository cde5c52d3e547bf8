/* The book covers what the two books are about that its readers also meet: "How to Scale Your Model"
 * (Austin et al., 2025) and "The Ultra-Scale Playbook" (Tazi et al., 2025), by their tables of
 * contents. Each entry there is a section here, with a live figure in it, and a worked problem. Who
 * renames or empties one of these is told what the book has lost. */
#include "sims/registry/registry.h"
#include "ui/data/content.h"
#include "ui/data/page_list.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Half a page was too little; of prose, without listings and tables. */
enum { LEAST_WORDS = 120 };

struct topic {
	const char *entry;   /* in the other book; "subject: entry" where a chapter has several */
	int chapter;         /* ours */
	const char *section; /* its heading */
	const char *figure;  /* the simulation that the section shows */
	int other;           /* the chapter that has the worked problem */
	const char *problem; /* its heading */
};

static const struct topic scaling_book[] = {
	{ "rooflines", 1, "The ridge", "roofline", 1, "Weights in FP8, products in BF16" },
	{ "rooflines: network", 14, "The roofline of a network", "scaling", 5,
		"What gives out first" },
	{ "TPUs", 1, "The TPU", "roofline", 1, "Heads of 64 on a wider array" },
	{ "sharded matrices", 14, "Four cases of a product", "allreduce", 14,
		"A layout that does not exist" },
	{ "transformer maths", 1, "The whole model, counted", "formula:flops_per_token", 6,
		"A better MFU, and fewer tokens" },
	{ "training parallelism", 14, "Every cut is one product", "parallelism", 14,
		"How many chips can one batch feed" },
	{ "applied: training LLaMA 3", 14, "A step of 70B on 512 GPUs", "parallelism", 16,
		"Ten days in, a day and a half behind" },
	{ "inference", 8, "The KV cache", "kvcache", 8, "Three walls for a longer context" },
	{ "applied: serving LLaMA 3", 16, "The serving plan", "capacity", 16,
		"Three quarters more parameters, four times the GPUs" },
	{ "profiling", 3, "The lanes of a step", "timeline", 3, "Gaps that only the trace has" },
};

static const struct topic playbook[] = {
	{ "memory", 2, "Where the memory goes", "memory", 2, "What ReLU does not keep" },
	{ "recomputation", 6, "Gradient checkpointing", "memory", 6, "Eleven gigabytes too many" },
	{ "gradient accumulation", 6, "Accumulation", "parallelism", 6,
		"Four small batches or one large" },
	{ "data parallelism, overlap", 5, "Overlap", "timeline", 5,
		"Gradients a quarter the size" },
	{ "ZeRO", 5, "Who holds which bytes", "memory", 5, "Shards in the node, or everywhere" },
	{ "tensor parallelism", 5, "What the four sums cost", "parallelism", 14,
		"Tensor parallel across a rack" },
	{ "sequence parallelism", 5, "Sequence", "parallelism", 14,
		"What a tensor group does not cut" },
	{ "context parallelism: ring, zig-zag", 5, "Context, round a ring", "parallelism", 14,
		"The GPU with the end of the text" },
	{ "pipeline: AFAB, 1F1B", 5, "Pipeline", "parallelism", 5,
		"Twice the GPUs, and the same batch" },
	{ "pipeline: interleaved", 5, "Interleaving", "parallelism", 5,
		"Thirty gigabytes for a schedule" },
	{ "pipeline: zero bubble, DualPipe", 5, "Zero bubble and DualPipe", "parallelism", 5,
		"Thirty gigabytes for a schedule" },
	{ "expert parallelism", 13, "NVLink or the network", "moe", 5,
		"Eight experts on eight nodes" },
	{ "5D: the best configuration", 16, "A layout from measurements", "parallelism", 16,
		"What 28 per cent says" },
	{ "GPU primer", 12, "Occupancy and latency", "occupancy", 12, "One wave and eight tiles" },
	{ "memory coalescing", 12, "Coalescing", "formula:coalesced_bandwidth", 12,
		"Two profiles with the same twelve sectors" },
	{ "tiling", 12, "Tiling", "tiles", 12, "The smallest tile that feeds the Tensor Cores" },
	{ "control divergence", 12, "Divergence", "formula:divergence_share", 12,
		"A loop as long as its longest lane" },
	{ "fused kernels", 12, "Fusion", "roofline", 1, "Which chain to fuse first" },
	{ "FlashAttention", 8, "What attention keeps on the chip", "flashattention", 12,
		"Twice the Tensor Cores, and the same exponentials" },
	{ "mixed precision", 4, "Too small: gradients and the loss scale", "formats", 4,
		"Weights without a master copy" },
	{ "FP8 recipes", 4, "Recipes for training in eight bits", "parallelism", 4,
		"How wide a layer must be for FP8" },
};

/* A part of a page: from the line below a heading to the next heading that is not below it. */
struct part {
	const char *from, *end;
};

static size_t level_of(const char *line)
{
	size_t n = strspn(line, "#");
	return n > 0 && line[n] == ' ' ? n : 0;
}

static bool is_heading(const char *line, const char *title)
{
	size_t level = level_of(line), n = strlen(title);
	return level > 0 && strncmp(line + level + 1, title, n) == 0 &&
	       (line[level + 1 + n] == '\n' || line[level + 1 + n] == '\0');
}

/* The line after this one; NULL: there is none. */
static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end && end[1] ? end + 1 : NULL;
}

/* The part below a heading; of no length where there is no such heading. Lines of code that begin
 * with # are none. */
static struct part part_of(struct part in, const char *title)
{
	struct part p = { 0 };
	size_t level = 0;
	bool fenced = false;
	for (const char *line = in.from; line && line < in.end; line = next_line(line)) {
		if (strncmp(line, "```", 3) == 0)
			fenced = !fenced;
		if (fenced)
			continue;
		if (level && level_of(line) && level_of(line) <= level) {
			p.end = line;
			return p;
		}
		if (!level && is_heading(line, title)) {
			level = level_of(line);
			p = (struct part){ line + strcspn(line, "\n"), in.end };
		}
	}
	return p;
}

static bool shows(struct part p, const char *figure)
{
	char fence[96];
	int n = snprintf(fence, sizeof fence, "\n```sim %s", figure);
	for (const char *at = p.from; at && (at = strstr(at, fence)) && at < p.end; at += n)
		if (at[n] == ' ' || at[n] == '\n')
			return true;
	return false;
}

static size_t words(struct part p)
{
	size_t n = 0;
	bool fenced = false;
	for (const char *line = p.from; line && line < p.end; line = next_line(line)) {
		if (strncmp(line, "```", 3) == 0)
			fenced = !fenced;
		if (fenced || *line == '`' || *line == '|' || *line == '#' || *line == '<')
			continue;
		for (const char *c = line; c < p.end && *c && *c != '\n'; c++)
			n += isalpha((unsigned char)*c) &&
			     (c == line || isspace((unsigned char)c[-1]));
	}
	return n;
}

/* What an entry lacks in these two chapters, in words; NULL: nothing. */
static const char *lacks(const struct topic *t, const char *chapter, const char *other)
{
	const struct part page = { chapter, chapter + strlen(chapter) };
	const struct part beside = { other, other + strlen(other) };
	const struct part section = part_of(page, t->section);
	if (!section.from)
		return "no such section";
	if (!shows(section, t->figure))
		return "no such figure in the section";
	if (words(section) < LEAST_WORDS)
		return "a section of few words";
	if (!part_of(part_of(beside, "Worked problems"), t->problem).from)
		return "no such worked problem";
	return NULL;
}

static char *read_chapter(const struct page_list *list, int number)
{
	char name[16];
	void *owned = NULL;
	size_t bytes;
	snprintf(name, sizeof name, "%d", number);
	const struct page_info *info = page_list_find(list, name);
	cr_assert(info != NULL, "chapter %d", number);
	const char *text = content_read(info->file, &bytes, &owned);
	cr_assert(text != NULL, "%s", info->file);
	char *copy = strdup(text);
	free(owned);
	return copy;
}

static void check(const struct topic *topics, size_t n)
{
	struct page_list list;
	cr_assert(zero(int, page_list_init(&list)));
	for (size_t i = 0; i < n; i++) {
		const struct topic *t = &topics[i];
		char *chapter = read_chapter(&list, t->chapter);
		char *other = read_chapter(&list, t->other);
		const char *why = lacks(t, chapter, other);
		cr_expect(why == NULL, "%s: %s: chapter %d \"%s\", %s; chapter %d \"%s\"", t->entry,
			why, t->chapter, t->section, t->figure, t->other, t->problem);
		cr_expect(sim_find(t->figure) != NULL, "%s: %s", t->entry, t->figure);
		free(chapter);
		free(other);
	}
	page_list_release(&list);
}

Test(coverage_of_topics, every_entry_of_the_scaling_book)
{
	check(scaling_book, sizeof scaling_book / sizeof *scaling_book);
}

Test(coverage_of_topics, every_entry_of_the_playbook)
{
	check(playbook, sizeof playbook / sizeof *playbook);
}

/* Whether both are entries of one subject. */
static bool related(const struct topic *a, const struct topic *b)
{
	size_t n = strcspn(a->entry, ":");
	return a->entry[n] == ':' && strncmp(a->entry, b->entry, n + 1) == 0;
}

/* One section does not stand for two entries of a book, nor a problem for two subjects. */
static void check_own(const struct topic *topics, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			const struct topic *a = &topics[i], *b = &topics[k];
			cr_expect(a->chapter != b->chapter || strcmp(a->section, b->section) != 0,
				"%s and %s: \"%s\"", b->entry, a->entry, a->section);
			cr_expect(related(a, b) || a->other != b->other ||
					  strcmp(a->problem, b->problem) != 0,
				"%s and %s: \"%s\"", b->entry, a->entry, a->problem);
		}
}

Test(coverage_of_topics, every_entry_has_its_own)
{
	check_own(scaling_book, sizeof scaling_book / sizeof *scaling_book);
	check_own(playbook, sizeof playbook / sizeof *playbook);
}

#define TEN "a b c d e f g h i j "
#define MANY TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "\n\n"
#define FIGURE "```sim tiles m=1\nCaption.\n```\n\n"
#define PROBLEMS "## Worked problems\n\n### P\n\nQ\n\n## Next\n"

Test(coverage_of_topics, what_is_lacking_is_found)
{
	static const struct {
		const char *page, *says; /* NULL: nothing is lacking */
	} rows[] = {
		{ "# T\n\n## S\n\n" MANY FIGURE PROBLEMS, NULL },
		{ "# T\n\n## S\n\n" MANY "### Below\n\n" FIGURE PROBLEMS, NULL },
		{ "# T\n\n## So\n\n" MANY FIGURE PROBLEMS, "no such section" },
		{ "# T\n\n```\n## S\n```\n\n" MANY FIGURE PROBLEMS, "no such section" },
		{ "# T\n\n## S\n\n" MANY "## Beside\n\n" FIGURE PROBLEMS,
			"no such figure in the section" },
		{ "# T\n\n## S\n\n" MANY "```sim tilesx\n```\n\n" PROBLEMS,
			"no such figure in the section" },
		{ "# T\n\n## S\n\n" TEN FIGURE PROBLEMS, "no such figure in the section" },
		{ "# T\n\n## S\n\n" TEN "\n\n" FIGURE PROBLEMS, "a section of few words" },
		{ "# T\n\n## S\n\n" FIGURE "```\n" MANY "```\n\n" PROBLEMS,
			"a section of few words" },
		{ "# T\n\n## S\n\n" MANY FIGURE "## Worked problems\n\n### Pe\n\n## P\n",
			"no such worked problem" },
		{ "# T\n\n## S\n\n" MANY FIGURE "### P\n\n## Worked problems\n",
			"no such worked problem" },
	};
	static const struct topic t = { "e", 0, "S", "tiles", 0, "P" };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *why = lacks(&t, rows[i].page, rows[i].page);
		const char *says = rows[i].says ? rows[i].says : "nothing";
		cr_expect(eq(str, (char *)(why ? why : "nothing"), (char *)says), "row %zu", i);
	}
}
