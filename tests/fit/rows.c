/* Reading what was measured. */
#include "tests/fit/fit.h"

#include "sims/comparisons/comparisons.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_COLUMNS = 24 };
const char *const fit_gpus[N_GPUS] = { "a100", "h100", "b200" };
const char *const fit_formats[N_FORMATS] = { "bfloat16", "float16", "fp8", "fp8_block", "nvfp4",
	"sq", "int8_wo", "int4_wo" };

double row_kv_bytes(const struct row *r)
{
	return 2 * 2 * r->v[1] * r->v[2] * r->v[3] * r->v[4];
}

char *file_read(const char *path)
{
	enum { LARGEST = 1 << 22 };
	FILE *f = fopen(path, "r");
	char *text = f ? malloc(LARGEST) : NULL;
	size_t n = text ? fread(text, 1, LARGEST, f) : LARGEST;

	if (f)
		fclose(f);
	if (n < LARGEST) {
		text[n] = '\0';
		return text;
	}
	fprintf(stderr, "fit: %s: %s\n", path, text ? "expected 4 MiB at most" : "cannot be read");
	free(text);
	return NULL;
}

static size_t index_of(const char *const names[], size_t n, const char *name)
{
	size_t i = 0;
	while (i < n && strcasecmp(names[i], name) != 0)
		i++;
	return i;
}

/* FNV-1a over whole numbers: the same fold on every machine. */
static uint32_t fold_of(const double v[], size_t from, size_t to)
{
	uint32_t h = 2166136261u;
	for (size_t i = from; i < to; i++)
		for (uint32_t x = (uint32_t)v[i], b = 0; b < 4; b++, x >>= 8)
			h = (h ^ (x & 255)) * 16777619u;
	return (h ^ h >> 15) % FOLDS;
}

static void add(struct rows *rows, struct row r, double time_us, size_t n_v)
{
	/* What is left out as a shape: all rows of a weight; of a batch; of a number of tokens. */
	size_t from = r.kind == GEMM || r.kind >= PRODUCTS ? 1 : 3;
	r.time_s = 1e-6 * time_us;
	r.row_fold = fold_of(r.v, 0, n_v);
	r.shape_fold = fold_of(r.v, from, r.kind == GEMM ? 3 : from + 1);
	if (r.time_s > 0 && rows->n < MOST_ROWS)
		rows->row[rows->n++] = r;
}

/* Columns as the comparisons have them: names, numbers of a shape, and then its time, or those of
 * linear_op_ids, of which some are blank. */
static void add_cells(
	struct rows *rows, enum kind kind, const struct csv_reader *csv, const union csv_cell c[])
{
	size_t n_names = kind == GEMM || kind >= PRODUCTS ? 2 : 1;
	size_t n_v = kind >= PRODUCTS ? 2 : csv->n_columns - 1 - n_names;
	const union csv_cell *times_us = &c[n_names + n_v];
	struct row r = { .kind = kind };
	char names[2][24];

	for (size_t i = 0; i < n_names; i++)
		csv_plain(csv->text + c[i].text.at, c[i].text.bytes, names[i], sizeof names[i]);
	r.gpu = index_of(fit_gpus, N_GPUS, names[0]);
	r.format = kind == GEMM ? index_of(fit_formats, N_FORMATS, names[1]) : 0;
	if (r.gpu == N_GPUS || r.format == N_FORMATS)
		return;
	for (size_t i = 0; i < n_v; i++)
		r.v[i] = c[n_names + i].number;
	if (kind < PRODUCTS)
		add(rows, r, times_us[0].number, n_v);
	for (size_t op = 0; kind >= PRODUCTS && linear_op_ids[op]; op++) {
		r.op = linear_op_ids[op];
		r.kind = strstr(r.op, "_proj") ? PRODUCTS : ROWS;
		add(rows, r, times_us[op].number, n_v);
	}
}

static int read_table(
	struct rows *rows, enum kind kind, const struct measured_source *s, const char *path)
{
	char err[320] = "", *text = file_read(path);
	struct csv_faults faults = { 0 };
	struct csv_reader csv = { .name = path,
		.columns = s->columns,
		.n_columns = s->n_columns,
		.most_rows = MOST_ROWS,
		.faults = &faults,
		.err = err,
		.err_size = sizeof err };
	union csv_cell cells[MOST_COLUMNS];
	int more = text ? csv_begin(&csv, text, strlen(text)) : -1;

	if (more == 0)
		while ((more = csv_next(&csv, cells)) > 0)
			add_cells(rows, kind, &csv, cells);
	for (size_t i = 0; i < faults.n_reasons; i++)
		fprintf(stderr, "fit: %s: line %zu: %s\n", path, faults.reasons[i].line,
			faults.reasons[i].text);
	if (*err)
		fprintf(stderr, "fit: %s\n", err);
	free(text);
	return more;
}

int rows_read(struct rows *rows, const char *folder)
{
	static const struct {
		const char *model;
		enum kind kind;
	} tables[] = {
		{ "gemm", GEMM },
		{ "attention_prefill", PREFILL },
		{ "attention_decode", DECODE },
		{ "linear", PRODUCTS },
	};
	for (size_t i = 0; i < COUNT(tables); i++) {
		const struct measured_source *s = measured_model_find(tables[i].model)->sources;
		for (size_t f = 0; f < COUNT(s->files) && s->files[f]; f++) {
			char path[4096];
			snprintf(path, sizeof path, "%s/%s", folder, s->files[f]);
			if (read_table(rows, tables[i].kind, s, path) != 0)
				return -1;
		}
	}
	return 0;
}
