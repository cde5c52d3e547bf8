/* Reading what was measured. */
#include "tests/fit/fit.h"

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
	if (text)
		text[fread(text, 1, LARGEST - 1, f)] = '\0';
	else
		fprintf(stderr, "fit: %s: cannot be read\n", path);
	if (f)
		fclose(f);
	return text;
}

static size_t split(char *line, char *fields[MOST_COLUMNS])
{
	size_t n = 0;
	for (char *p = line; p && n < MOST_COLUMNS;) {
		fields[n++] = p;
		if ((p = strchr(p, ',')))
			*p++ = '\0';
	}
	return n;
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

static void add(struct rows *rows, struct row r, const char *time_us, size_t n_v)
{
	/* What is left out as a shape: all rows of a weight; of a batch; of a number of tokens. */
	size_t from = r.kind == GEMM || r.kind >= PRODUCTS ? 1 : 3;
	r.time_s = 1e-6 * strtod(time_us, NULL);
	r.row_fold = fold_of(r.v, 0, n_v);
	r.shape_fold = fold_of(r.v, from, r.kind == GEMM ? 3 : from + 1);
	if (r.time_s > 0 && rows->n < MOST_ROWS)
		rows->row[rows->n++] = r;
}

static void add_linear(struct rows *rows, struct row r, char *names[], char *fields[], size_t n)
{
	for (size_t i = 4; i < n; i++)
		for (size_t op = 0; linear_op_ids[op]; op++) {
			r.op = linear_op_ids[op];
			r.kind = strstr(r.op, "_proj") ? PRODUCTS : ROWS;
			if (strncmp(names[i], r.op, strlen(r.op)) == 0)
				add(rows, r, fields[i], 2);
		}
}

/* The columns are those that content/measured/ documents, in that order. */
static int read_table(struct rows *rows, const char *folder, const char *file, enum kind kind)
{
	char path[4096], *names[MOST_COLUMNS], *fields[MOST_COLUMNS], *next = NULL;
	snprintf(path, sizeof path, "%s/%s.csv", folder, file);
	char *text = file_read(path);
	if (!text)
		return -1;
	char *line = strtok_r(text, "\r\n", &next);
	size_t n_names = line ? split(line, names) : 0,
	       first = kind == GEMM || kind >= PRODUCTS ? 2 : 1;
	while (n_names > 0 && (line = strtok_r(NULL, "\r\n", &next))) {
		size_t n = split(line, fields);
		struct row r = { .kind = kind, .gpu = index_of(fit_gpus, N_GPUS, fields[0]) };
		if (n != n_names || r.gpu == N_GPUS)
			continue;
		for (size_t i = first; i < n && i - first < COUNT(r.v); i++)
			r.v[i - first] = strtod(fields[i], NULL);
		r.format = kind == GEMM ? index_of(fit_formats, N_FORMATS, fields[1]) : 0;
		if (kind >= PRODUCTS)
			add_linear(rows, r, names, fields, n);
		else if (r.format < N_FORMATS)
			add(rows, r, fields[n - 1], n - 1 - first);
	}
	free(text);
	return 0;
}

int rows_read(struct rows *rows, const char *folder)
{
	static const struct {
		const char *file;
		enum kind kind;
	} tables[] = {
		{ "gemm", GEMM },
		{ "gemm_m_sweep", GEMM },
		{ "attention_prefill", PREFILL },
		{ "attention_decode", DECODE },
		{ "linear", PRODUCTS },
	};
	for (size_t i = 0; i < COUNT(tables); i++)
		if (read_table(rows, folder, tables[i].file, tables[i].kind) != 0)
			return -1;
	return 0;
}
