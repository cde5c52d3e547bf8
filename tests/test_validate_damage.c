/* Tables of measurements of which one cell is damaged, each column in turn and in many ways: every row is compared
 * or told with a reason, and what is said of the errors is numbers. */
#include "sims/base/array.h"
#include "sims/comparisons/comparisons.h"
#include "sims/published/validation_figure.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 5, MOST_CELLS = 64, LARGEST = 1 << 16 };

static struct tables tables;

static void load(void)
{
	char err[300];
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
}

static void unload(void)
{
	tables_release(&tables);
}

TestSuite(validate_damage, .init = load, .fini = unload);

static char long_text[301];
static const char *const damages[] = { "", "x", "-1", "0", "0.5", "7", "1e300", "nan", "H100",
	"\"a \"\"b\"\", c\"", "1,000", long_text };

/* The heading and the first rows of a table, cut into cells. */
struct cut {
	char text[LARGEST];
	const char *cells[LINES][MOST_CELLS];
	size_t n[LINES], lines;
};

/* A comma in quotation marks ends no cell. */
static char *cell_end(char *cell)
{
	for (bool quoted = false; *cell && (quoted || *cell != ','); cell++)
		quoted ^= *cell == '"';
	return cell;
}

static bool cut_table(struct cut *c, const char *path)
{
	FILE *f = fopen(path, "r");
	cr_assert(f != NULL, "%s", path);
	c->text[fread(c->text, 1, sizeof c->text - 1, f)] = '\0';
	fclose(f);
	char *line, *rest = NULL;
	c->lines = 0;
	for (line = strtok_r(c->text, "\n", &rest); line && c->lines < LINES;
		line = strtok_r(NULL, "\n", &rest)) {
		size_t n = 0;
		for (char *cell = line; cell && n < MOST_CELLS; n++) {
			c->cells[c->lines][n] = cell;
			cell = cell_end(cell);
			if (*cell)
				*cell++ = '\0';
			else
				cell = NULL;
		}
		c->n[c->lines++] = n;
	}
	return c->lines == LINES;
}

/* The table with another text in one cell; `text` NULL: the row ends before it. */
static char *write_table(const struct cut *c, size_t row, size_t column, const char *text)
{
	char *csv = NULL;
	size_t size;
	FILE *f = open_memstream(&csv, &size);
	for (size_t i = 0; i < c->lines; i++) {
		const bool here = i == row;
		for (size_t k = 0; k < c->n[i] && !(here && k == column && !text); k++)
			fprintf(f, "%s%s", k ? "," : "",
				here && k == column ? text : c->cells[i][k]);
		fputc('\n', f);
	}
	fclose(f);
	return csv;
}

static void check_result(const struct validation *v, const char *csv)
{
	struct figure fig = { 0 };
	size_t counted = v->faults.others;
	cr_assert(eq(sz, v->rows + v->faults.n, v->read), "%s", csv);
	for (size_t i = 0; i < v->faults.n_reasons; i++) {
		cr_assert(v->faults.reasons[i].text[0] != '\0', "%s", csv);
		counted += v->faults.reasons[i].n;
	}
	cr_assert(eq(sz, counted, v->faults.n), "%s", csv);
	cr_assert(v->errors.n == 0 ||
			  (isfinite(v->errors.median) && isfinite(v->errors.p90) &&
				  isfinite(v->errors.bias) && v->errors.median <= v->errors.p90),
		"%s", csv);
	validation_figure(v, true, &fig);
	cr_assert(fig.arena.failed == false, "%s", csv);
	figure_release(&fig);
}

/* Whether it was compared or refused, as it must. Returns the rows that were compared; 0 where it was refused. */
static size_t judge(const struct measured_model *m, const char *csv)
{
	struct validation v = { 0 };
	char err[400] = "";
	const struct measured_input in = { "table", csv, strlen(csv) };
	const int rc = measured_validate(&v, m, &tables, &in, 1, err, sizeof err);
	cr_assert(rc ? *err && !strchr(err, '\n') : !*err, "%s: %s", csv, err);
	if (rc == 0)
		check_result(&v, csv);
	const size_t rows = rc ? 0 : v.rows;
	validation_release(&v);
	return rows;
}

static size_t judge_damaged(const struct measured_model *m, const struct cut *c, size_t row,
	size_t column, const char *text)
{
	char *csv = write_table(c, row, column, text);
	const size_t rows = judge(m, csv);
	free(csv);
	return rows;
}

/* The one whose id the name begins with, the longest of them: serving_moe.csv is not for "serving". */
static const struct measured_model *model_of(const char *name)
{
	const struct measured_model *best = NULL;
	for (size_t i = 0; i < n_measured_models; i++) {
		const struct measured_model *m = measured_models[i];
		if (strncmp(name, m->id, strlen(m->id)) == 0 &&
			(!best || strlen(m->id) > strlen(best->id)))
			best = m;
	}
	return best;
}

/* Damage in a row changes nothing for the others: at most that row is not compared. */
static void damage_table(const struct measured_model *m, const struct cut *c)
{
	const size_t whole = judge_damaged(m, c, 0, MOST_CELLS, NULL);
	for (size_t column = 0; column < c->n[0]; column++) {
		judge_damaged(m, c, 0, column, "no such column");
		judge_damaged(m, c, 1, column, NULL);
		for (size_t i = 0; i < LENGTH(damages); i++) {
			const size_t rows = judge_damaged(m, c, 1, column, damages[i]);
			cr_assert(le(sz, whole, rows + 1), "%s", c->cells[0][column]);
		}
	}
}

Test(validate_damage, every_row_is_accounted_for, .description = "long", .timeout = 300)
{
	static struct cut c;
	size_t tables_seen = 0;
	memset(long_text, 'y', sizeof long_text - 1);
	/* A mixture among plain models, on a GPU that nobody knows: two reasons, one row. */
	const char *const both =
		"system,backend,model,gemm_quant,isl,osl,tp,attn_dp,batch_size,client_concurrency,ttft_ms,tpot_ms\n"
		"x,vllm,gpt-oss-120b,fp8,4000,1000,2,,160,320,2272,59\n";
	cr_expect(zero(sz, judge(model_of("serving.csv"), both)));
	DIR *folder = opendir("content/measured");
	cr_assert(folder != NULL);
	for (struct dirent *e; (e = readdir(folder));) {
		char path[400];
		snprintf(path, sizeof path, "content/measured/%s", e->d_name);
		if (!strstr(e->d_name, ".csv") || !cut_table(&c, path))
			continue;
		const struct measured_model *m = model_of(e->d_name);
		cr_assert(m != NULL, "%s", e->d_name);
		damage_table(m, &c);
		tables_seen++;
	}
	closedir(folder);
	cr_expect(lt(sz, n_measured_models / 2, tables_seen));
}
