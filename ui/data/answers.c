#include "ui/data/answers.h"

#include "ui/data/bank_load.h"
#include "ui/data/history_file.h"
#include "ui/data/tables_load.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

int answers_keep(const struct history_event *e, char *err, size_t err_size)
{
	char path[PATH_SIZE];
	if (history_path(path, sizeof path))
		return history_append(path, e, err, err_size);
	snprintf(err, err_size, "the answer is not kept: no HOME says where");
	return -1;
}

int answers_load(struct history *h, char *err, size_t err_size)
{
	char path[PATH_SIZE];
	*h = (struct history){ 0 };
	return history_path(path, sizeof path) ? history_load(h, path, err, err_size) : 0;
}

int64_t answers_bytes(void)
{
	char path[PATH_SIZE];
	struct stat st;
	return history_path(path, sizeof path) && stat(path, &st) == 0 ? st.st_size : 0;
}

uint64_t answers_stamp(void)
{
	char path[PATH_SIZE];
	return history_path(path, sizeof path) ? history_stamp(path) : 0;
}

static bool is_in_bank(const void *bank, const char *skill)
{
	const struct drill_bank *b = bank;
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->drills[i].skill, skill) == 0)
			return true;
	return false;
}

static enum drill_rung rung_of(const void *bank, const char *drill)
{
	const struct drill *d = bank_find(bank, drill);
	return d ? d->rung : N_RUNGS;
}

int answers_retire_by(struct stats *s, const struct drill_bank *bank)
{
	stats_retire(s, is_in_bank, bank);
	return stats_rungs(s, rung_of, bank);
}

int answers_retire(struct stats *s, const struct tables *t)
{
	struct drill_bank bank = { 0 };
	char err[300];
	int rc = 0;
	if (s->n_skills > 0 && bank_load(&bank, t, err, sizeof err) == 0)
		rc = answers_retire_by(s, &bank);
	if (bank.arena.failed)
		rc = -1;
	bank_release(&bank);
	return rc;
}

int answers_retire_alone(struct stats *s)
{
	struct tables t = { 0 };
	char err[300];
	if (s->n_skills == 0)
		return 0;
	tables_load(&t, err, sizeof err);
	int rc = tables_usable(&t) ? answers_retire(s, &t) : t.arena.failed ? -1 : 0;
	tables_release(&t);
	return rc;
}

int answers_count(struct answers *a, int64_t now_s, char *err, size_t err_size)
{
	if (stats_init(&a->stats, &a->history, now_s) == 0)
		return 0;
	snprintf(err, err_size, "out of memory");
	return -1;
}

void answers_release(struct answers *a)
{
	stats_release(&a->stats);
	history_release(&a->history);
}

struct session_bests answers_bests(const struct drill_session *s, int64_t began_s,
	int (*load)(struct history *h, char *err, size_t err_size))
{
	struct session_bests bests = { 0 };
	struct history h = { 0 };
	struct stats before = { 0 };
	char err[256];
	if (load && load(&h, err, sizeof err) == 0) {
		history_until(&h, began_s);
		if (stats_init(&before, &h, began_s) == 0)
			bests = session_bests(s, &before);
	}
	stats_release(&before);
	history_release(&h);
	return bests;
}
