/* Words are found wherever they stand: the tables are written by hand. */
#include "sims/comparisons/torchtitan.h"

#include "sims/base/array.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const char *text, const char *word)
{
	while (*word && tolower((unsigned char)*text) == tolower((unsigned char)*word))
		text++, word++;
	return !*word;
}

/* The number behind a word such as "TP" in "FSDP32, TP 8, asyncTP"; 0 where the word stands alone,
 * -1 where it is not there. */
static double degree(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = text; *s; s++) {
		bool inside = s > text && isalnum((unsigned char)s[-1]);
		if (inside || !begins(s, word) || isalpha((unsigned char)s[n]))
			continue;
		s += n;
		s += strspn(s, " =:-_");
		return isdigit((unsigned char)*s) ? strtod(s, NULL) : 0;
	}
	return -1;
}

static bool is_used(const char *text, const char *word)
{
	double n = degree(text, word);
	return n >= 0 && n != 1;
}

/* NULL, or what is wrong, and then the job is not to be used. */
static const char *cut(const char *text, double gpus, struct torchtitan_job *job)
{
	static const char *const others[] = { "HSDP", "DDP", "EP", "ETP", "DP" };

	for (size_t i = 0; i < LENGTH(others); i++)
		if (is_used(text, others[i]))
			return "expected FSDP, TP, CP and PP only";
	double fsdp = degree(text, "FSDP"), tp = degree(text, "TP"), cp = degree(text, "CP"),
	       pp = degree(text, "PP");
	if (fsdp < 0 && tp < 0 && cp < 0 && pp < 0)
		return "expected FSDP, TP, CP or PP";
	job->async_tp = degree(text, "asyncTP") >= 0;
	job->tp = fmax(1, tp);
	job->cp = fmax(1, cp);
	job->pp = fmax(1, pp);
	double others_of = job->tp * job->cp * job->pp;
	job->fsdp = fsdp > 0 ? fsdp : gpus / others_of;
	double copies = gpus / (job->fsdp * others_of);
	return copies == floor(copies) && job->fsdp >= 1 && copies >= 1
		       ? NULL
		       : "expected degrees whose product divides n_gpus";
}

int recompute_named(const char *text)
{
	static const struct {
		const char *word;
		enum recompute recompute;
	} words[] = { { "full", RECOMPUTE_FULL }, { "sel", RECOMPUTE_SELECTIVE },
		{ "sac", RECOMPUTE_SELECTIVE }, { "op", RECOMPUTE_SELECTIVE },
		{ "no", RECOMPUTE_NONE } };

	if (!*text)
		return RECOMPUTE_NONE;
	for (size_t i = 0; i < LENGTH(words); i++)
		if (begins(text, words[i].word))
			return (int)words[i].recompute;
	return -1;
}

bool torchtitan_job(const struct csv *c, size_t row, size_t parallelism_column,
	size_t checkpointing_column, double gpus, struct torchtitan_job *job, char *err,
	size_t size)
{
	char parallel[64], checkpointing[40];

	csv_text(c, row, parallelism_column, parallel, sizeof parallel);
	csv_text(c, row, checkpointing_column, checkpointing, sizeof checkpointing);
	const char *bad = cut(parallel, gpus, job);
	int recompute = recompute_named(checkpointing);
	if (bad) {
		snprintf(err, size, "parallelism: %s, found \"%s\"", bad, parallel);
		return false;
	}
	if (recompute < 0) {
		snprintf(err, size,
			"activation_ckpt: expected full, sel, none or a blank cell, found \"%s\"",
			checkpointing);
		return false;
	}
	job->recompute = (enum recompute)recompute;
	return true;
}
