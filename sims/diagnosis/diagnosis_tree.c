#include "sims/diagnosis/diagnosis_tree.h"

#include <string.h>

void draw_path(struct figure *fig, const struct walk_result *w, bool guided, const char *found)
{
	static const char *const head[] = { "question", "answered by", "" };
	struct table *t = figure_table(fig, "The tree, as far as your readings go", head, 3, "000");
	for (size_t i = 0; i < w->n; i++)
		table_row(fig, t,
			(const char *[]){ w->steps[i].question, readings[w->steps[i].from].name,
				w->steps[i].yes ? "yes" : "no" });
	if (w->leaf == N_CAUSES)
		table_row(fig, t,
			(const char *[]){ guided ? w->next : "the next question",
				guided ? readings[w->missing].name : "?", "?" });
	else
		table_row(fig, t, (const char *[]){ "so it is", found, "" });
}

static const char *answer_here(const char *question, const struct walk_result *w, bool guided)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->steps[i].question, question) == 0)
			return w->steps[i].yes ? "yes" : "no";
	return guided && w->leaf == N_CAUSES && strcmp(w->next, question) == 0 ? "?" : "";
}

static const char *exit_text(struct figure *fig, const struct tree_exit *to)
{
	return to->row ? figure_text(fig, "to %zu", to->row) : causes[to->leaf].id;
}

void draw_key(struct figure *fig, enum ward ward, const struct walk_result *w, bool guided)
{
	static const char *const titles[N_WARDS] = { [WARD_SPEED] = "The tree of slow steps",
		[WARD_MEMORY] = "The tree of full memory",
		[WARD_SERVING] = "The tree of a slow server",
		[WARD_NUMBERS] = "The tree of wrong numbers" };
	static const char *const head[] = { "", "question", "answered by", "yes", "no", "here" };
	struct tree_row rows[MAX_TREE];
	size_t n = patient_tree(ward, rows);
	struct table *t = figure_table(fig, titles[ward], head, 6, "100000");
	for (size_t i = 0; i < n; i++)
		table_row(fig, t,
			(const char *[]){ figure_text(fig, "%zu", i + 1), rows[i].question,
				readings[rows[i].from].name, exit_text(fig, &rows[i].yes),
				exit_text(fig, &rows[i].no),
				answer_here(rows[i].question, w, guided) });
}

void draw_symptoms(struct figure *fig, const struct signs *s, const bool asked[N_READINGS])
{
	static const char *const head[] = { "symptom", "read from", "here", "points at" };
	struct symptom symptoms[N_SYMPTOMS];
	struct table *t = figure_table(fig, "Four symptoms", head, 4, "0000");
	patient_symptoms(s, symptoms);
	for (int i = 0; i < N_SYMPTOMS; i++) {
		const struct symptom *one = &symptoms[i];
		bool complaint = one->from == N_READINGS;
		bool known = complaint || asked[one->from];
		table_row(fig, t,
			(const char *[]){ one->name,
				complaint ? "the complaint" : readings[one->from].name,
				!known      ? "?"
				: one->here ? "yes"
					    : "no",
				one->points_at });
	}
}
