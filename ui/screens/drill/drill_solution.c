/* A working is broken before its operators, so that each line of it can be read alone. */
#include "ui/screens/drill/drill_solution.h"

#include "sims/base/capital.h"
#include "sims/base/utf8.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/formula_text.h"
#include "sims/registry/registry.h"
#include "ui/practice/drill_summary.h"
#include "ui/screens/drill/drill_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 2 };

/* Whether it is over, and a problem of it is looked at again: alone, or beside the list. */
static bool looks_back(const struct app *app)
{
	return drill_seen(app)->look || drill_state(drill_seen(app)) == DRILL_DONE;
}

/* --- the verdict ------------------------------------------------------------------------ */

struct mark {
	const char *sign;
	enum style style;
};

static struct mark mark_of(enum verdict v, bool follow_through)
{
	static const struct mark right = { "✓", STYLE_GOOD }, wrong = { "✗", STYLE_BAD },
				 nearly = { "≈", STYLE_WARN }, nothing = { "!", STYLE_WARN };
	return v == VERDICT_CORRECT                             ? right
	       : v == VERDICT_INVALID || v == VERDICT_NEED_UNIT ? nothing
	       : v == VERDICT_NEAR || follow_through            ? nearly
								: wrong;
}

/* " = 344 Gbit", of what is not right: somebody who mixed up bits and bytes can see it here. */
static void in_bits(const struct grade *g, const struct question *q, char *buf, size_t size)
{
	char bits[80], unit[40];
	buf[0] = '\0';
	if (!g->has_value || g->value <= 0 || g->verdict == VERDICT_CORRECT || *q->unit != 'B' ||
		(q->unit[1] && q->unit[1] != '/'))
		return;
	snprintf(unit, sizeof unit, "bit%s", q->unit + 1);
	snprintf(buf, size, " = %s", quantity_format(bits, sizeof bits, 8 * g->value, unit));
}

static bool asked_again(const struct grade *g)
{
	return g->verdict == VERDICT_WRONG_DIM && !g->attempt_used;
}

/* What costs no attempt is no miss. */
static struct mark mark_of_grade(const struct grade *g)
{
	return mark_of(asked_again(g) ? VERDICT_NEED_UNIT : g->verdict, g->follow_through);
}

/* "✓ Correct" */
static void verdict_text(
	const struct grade *g, const struct variant_step *step, char *buf, size_t size)
{
	char words[160];
	enum { MOST_UNDERSTOOD = 60, MOST_UNIT = 40 };
	const char *unit = step->question.shown_unit;
	/* A long line would lose its unit, which is what this is about. */
	const char *it = strlen(g->understood) <= MOST_UNDERSTOOD ? g->understood : "That";
	if (asked_again(g) && unit && *unit)
		snprintf(words, sizeof words, "%.*s is not in %.*s. No attempt used.",
			MOST_UNDERSTOOD, it, (int)utf8_whole(unit, MOST_UNIT), unit);
	else if (asked_again(g))
		snprintf(words, sizeof words,
			"%.*s has a unit, and a plain number is asked. No attempt used.",
			MOST_UNDERSTOOD, it);
	else if (g->follow_through)
		snprintf(words, sizeof words,
			"Right from your own earlier value: %d %% of the credit",
			(int)FOLLOW_CREDIT_PERCENT);
	else
		snprintf(words, sizeof words, "%s",
			g->verdict == VERDICT_CORRECT ? "correct" : verdict_words[g->verdict]);
	snprintf(buf, size, "%s %s", mark_of_grade(g).sign, capital_first(words));
}

/* "read as 43 GB = 344 Gbit"; of what is chosen the words. */
static void reading_text(
	const struct grade *g, const struct variant_step *step, char *buf, size_t size)
{
	char bits[96] = "";
	buf[0] = '\0';
	if (asked_again(g)) /* the verdict has it */
		return;
	if (step->step->kind == KIND_NUMBER)
		in_bits(g, &step->question, bits, sizeof bits);
	snprintf(buf, size, "%s%s%s",
		*g->understood && step->step->kind == KIND_NUMBER ? "read as " : "", g->understood,
		bits);
}

/* A likely cause is put as a question, because only the person who answered can know. */
static void write_remark(const struct grade *g, const struct variant_step *step, struct sheet *s)
{
	char text[360];
	size_t n = strlen(g->remark);
	const char *unit = step->question.shown_unit;
	if (asked_again(g)) {
		snprintf(text, sizeof text,
			unit && *unit ? "Write it in %s, or without a unit."
				      : "Write it without a unit%s.",
			unit ? unit : "");
		sheet_text(s, INDENT, 0, text, STYLE_PLAIN, 0);
		return;
	}
	if (!n || g->follow_through)
		return;
	bool asks = g->verdict == VERDICT_NAMED && g->remark[n - 1] != '?';
	bool ends = asks || strchr(".?!", g->remark[n - 1]);
	snprintf(text, sizeof text, "%s%s", g->remark, asks ? "?" : ends ? "" : ".");
	sheet_text(s, INDENT, 0, capital_first(text), STYLE_PLAIN, 0);
}

/* True when the last answer belongs to an earlier part than the one that is shown now. */
static bool of_part_before(const struct session_item *item)
{
	return item->grade.attempt_used && item->answered_step < item->variant.step;
}

static void write_time(
	const struct app *app, const struct session_item *item, int row, int used, struct sheet *s)
{
	char spent[32], par[32], text[80];
	if (!item->closed || !session_has_clock(&drill_seen(app)->session))
		return;
	drill_clock_text(item->spent_ms, spent, sizeof spent);
	drill_clock_text((int64_t)(item->variant.drill->par_s * 1000), par, sizeof par);
	snprintf(text, sizeof text, "%s, par %s", spent, par);
	if (used + text_cols(text, s->cv.glyphs) + 3 > s->cv.cols)
		row = sheet_rows(s, 1);
	canvas_text_right(&s->cv, row, 0, s->cv.cols, text, STYLE_DIM, 0);
}

/* The verdict and how the answer was read, in one row where they fit, with the time at the end. */
static void write_head(const struct app *app, struct sheet *s, const struct session_item *item,
	const char *words, enum style style, const char *reading)
{
	int row = s->rows, used = text_cols(words, s->cv.glyphs);
	int more = *reading ? text_cols(reading, s->cv.glyphs) + 3 : 0;
	sheet_text(s, 0, INDENT, words, style, ATTR_BOLD);
	if (s->rows != row + 1 || used + more > s->cv.cols) {
		write_time(app, item, row, s->rows == row + 1 ? used : s->cv.cols, s);
		sheet_text(s, INDENT, 0, reading, STYLE_PLAIN, 0);
		return;
	}
	canvas_text(&s->cv, row, used + 3, -1, reading, STYLE_PLAIN, 0);
	write_time(app, item, row, used + more, s);
}

static bool is_given_up(const struct app *app, const struct session_item *item)
{
	return looks_back(app) ? !item->answered : drill_seen(app)->desk.gave_up;
}

void drill_verdict_write(const struct app *app, struct sheet *s, const struct session_item *item)
{
	const struct grade *g = &item->grade;
	char words[200], reading[600];
	struct mark mark = mark_of_grade(g);
	size_t part = item->answered_step, used = 0;
	if (item->closed && is_given_up(app, item)) {
		write_head(app, s, item,
			looks_back(app) ? "Not answered: here is how it goes."
					: "Given up: here is how it goes.",
			STYLE_WARN, "");
		return;
	}
	/* What kept a program from running may be mended by now. */
	const bool mended = !item->closed && drill_seen(app)->program.mended;
	if (!item->answered || (mended && g->verdict == VERDICT_INVALID))
		return;
	if (of_part_before(item))
		used = (size_t)snprintf(words, sizeof words, "Part %zu: ", part + 1);
	verdict_text(g, &item->variant.steps[part], words + used, sizeof words - used);
	reading_text(g, &item->variant.steps[part], reading, sizeof reading);
	write_head(app, s, item, words, mark.style, reading);
	write_remark(g, &item->variant.steps[part], s);
}

/* --- the working ------------------------------------------------------------------------ */

/* Lines may be broken before an operator. */
static const char *next_operator(const char *at)
{
	static const char *const signs[] = { " × ", " x ", " / ", " + ", " - ", NULL };
	for (at += *at != '\0'; *at; at++)
		for (size_t i = 0; signs[i]; i++)
			if (strncmp(at, signs[i], strlen(signs[i])) == 0)
				return at;
	return at;
}

/* Writes the working with as many factors in a line as fit; every line after the first begins with
 * an operator. */
static void write_factors(struct sheet *s, int indent, const char *text, enum style style)
{
	char line[1200];
	for (bool first = true; *text; first = false) {
		int room = s->cv.cols - indent - (first ? 0 : INDENT);
		const char *end = next_operator(text);
		for (const char *more; *end; end = more) {
			more = next_operator(end);
			snprintf(line, sizeof line, "%.*s", (int)(more - text), text);
			if (text_cols(line, s->cv.glyphs) > room)
				break;
		}
		snprintf(line, sizeof line, "%.*s", (int)(end - text), text);
		sheet_text(s, indent + (first ? 0 : INDENT), INDENT, line, style, 0);
		text = end + (*end == ' ');
	}
}

static void step_key_text(const struct variant_step *step, char *buf, size_t size)
{
	const struct question *q = &step->question;
	struct unit unit, shown;
	snprintf(buf, size, "%s", step->answer);
	if (step->step->kind == KIND_NUMBER && unit_parse(q->unit, &unit) &&
		unit_parse(q->shown_unit, &shown))
		quantity_format(buf, size, q->key * unit.factor / shown.factor, q->shown_unit);
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && strcmp(text + n - m, end) == 0;
}

/* "= 0.04478 = 4.48 %": the result, in the unit that was asked for as well. */
static void write_result(
	struct sheet *s, int indent, const char *result, const struct variant_step *step)
{
	char key[96], text[400];
	step_key_text(step, key, sizeof key);
	bool asked = ends_with(result, step->question.shown_unit) || ends_with(result, key);
	snprintf(text, sizeof text, "= %s%s%s", result, asked ? "" : " = ", asked ? "" : key);
	sheet_text(s, indent, INDENT, text, STYLE_PLAIN, ATTR_BOLD);
}

/* The same in steps, as one would do it without a machine. */
static void write_whiteboard(struct sheet *s, int indent, const struct variant_step *step)
{
	bool ascii = s->cv.glyphs == GLYPHS_ASCII;
	char line[1100], text[1400] = "";
	size_t n = 0;
	if (!*whiteboard_line(step, line, sizeof line))
		return;
	for (const char *p = line; *p && n + 8 < sizeof text;) {
		bool times = !ascii && strncmp(p, " x ", 3) == 0;
		n += (size_t)snprintf(
			text + n, sizeof text - n, "%.*s", times ? 4 : 1, times ? " \u00d7 " : p);
		p += times ? 3 : 1;
	}
	sheet_text(s, indent, INDENT, text, STYLE_DIM, 0);
}

static void write_number(struct sheet *s, int indent, const struct variant_step *step, bool symbols)
{
	const struct formula *f = step->step->key.formula;
	bool ascii = s->cv.glyphs == GLYPHS_ASCII;
	char text[1024];
	if (f && symbols)
		write_factors(s, indent, formula_words(f, ascii, text, sizeof text), STYLE_DIM);
	if (f)
		formula_working(f, step->args, ascii, text, sizeof text);
	else
		snprintf(text, sizeof text, "%s", step->working);
	char *result = NULL;
	for (char *p = text; (p = strstr(p, " = ")); p += 3)
		result = p;
	if (result)
		*result = '\0';
	write_factors(s, indent, text, STYLE_PLAIN);
	if (result)
		write_result(s, indent, result + 3, step);
	write_whiteboard(s, indent, step);
}

static void write_option(
	struct sheet *s, int indent, const struct variant_step *step, size_t i, enum style style)
{
	const struct variant_option *o = &step->options[i];
	char text[1400];
	snprintf(text, sizeof text, "%zu. %s", i + 1, o->text);
	sheet_text(s, indent, 3, text, style, style == STYLE_PLAIN ? ATTR_BOLD : 0);
	sheet_text(s, indent + 3, 0, o->reason, style, 0);
}

/* Whether all options give the same reason, as those that only part a number into ranges do: then it stands once. */
static bool has_one_reason(const struct variant_step *step)
{
	for (size_t i = 1; i < step->n_options; i++)
		if (strcmp(step->options[i].reason, step->options[0].reason) != 0)
			return false;
	return step->n_options > 0;
}

/* said: the option that the verdict has with its reason already; NULL: none. */
static void write_choice(struct sheet *s, int indent, const struct variant_step *step,
	const struct variant_option *said)
{
	for (size_t i = 0; i < step->n_options; i++)
		if (step->options[i].right && &step->options[i] != said)
			write_option(s, indent, step, i, STYLE_PLAIN);
	if (has_one_reason(step))
		return;
	sheet_gap(s);
	sheet_text(s, indent, 0, "Why not the others:", STYLE_DIM, 0);
	for (size_t i = 0; i < step->n_options; i++)
		if (!step->options[i].right && &step->options[i] != said)
			write_option(s, indent, step, i, STYLE_DIM);
}

static void write_order(struct sheet *s, int indent, const struct variant_step *step)
{
	for (size_t place = 0; place < MOST_OPTIONS; place++)
		for (size_t i = 0; i < step->n_options; i++)
			if (step->options[i].place == place)
				write_option(s, indent, step, i, STYLE_PLAIN);
}

static void write_working(struct sheet *s, int indent, const struct variant_step *step, bool whole,
	const struct variant_option *said)
{
	switch (step->step->kind) {
	case KIND_NUMBER:
		write_number(s, indent, step, whole);
		break;
	case KIND_CHOICE:
		if (whole)
			write_choice(s, indent, step, said);
		else
			sheet_text(s, indent, INDENT, step->working, STYLE_PLAIN, 0);
		break;
	case KIND_ORDER:
		write_order(s, indent, step);
		break;
	default:
		sheet_text(s, indent, INDENT, step->working, STYLE_PLAIN, 0);
		break;
	}
}

/* "Yours: 11 GB, right." */
static void write_own(struct sheet *s, int indent, const struct own_answer *own)
{
	char text[300];
	if (own->follow_through)
		snprintf(text, sizeof text,
			"Yours: %s, right from your own earlier value: %d %% of the credit.",
			own->text, (int)FOLLOW_CREDIT_PERCENT);
	else if (*own->text)
		snprintf(text, sizeof text, "Yours: %s, %s.", own->text,
			verdict_words[own->verdict]);
	else
		snprintf(text, sizeof text, "Not answered.");
	char line[320];
	struct mark mark = mark_of(own->verdict, own->follow_through);
	snprintf(line, sizeof line, "%s %s", *own->text ? mark.sign : "-", text);
	sheet_text(s, indent, INDENT, line, *own->text ? mark.style : STYLE_DIM, 0);
}

/* Looking back after the session: the answers to the single parts are no longer kept. */
static void write_part_credit(struct sheet *s, int indent, double credit)
{
	char text[64];
	struct mark mark = mark_of(credit > 0 ? VERDICT_CORRECT : VERDICT_WRONG, false);
	snprintf(text, sizeof text, "%s Credit %.2f of 1.", mark.sign, credit);
	sheet_text(s, indent, INDENT, text, mark.style, 0);
}

void drill_part_write(
	const struct app *app, struct sheet *s, const struct session_item *item, size_t step)
{
	char heading[48];
	snprintf(heading, sizeof heading, "Part %zu", step + 1);
	sheet_text(s, 0, 0, heading, STYLE_DIM, 0);
	write_working(s, INDENT, &item->variant.steps[step], item->closed, NULL);
	if (looks_back(app))
		write_part_credit(s, INDENT, item->step_credit[step]);
	else
		write_own(s, INDENT, &drill_seen(app)->desk.own[step]);
}

/* The option that was chosen at last, which the verdict has with its reason; NULL: none was. */
static const struct variant_option *said_above(
	const struct app *app, const struct session_item *item)
{
	const struct variant_step *step = item->variant.steps;
	const size_t n = strlen(item->grade.understood);
	if (is_given_up(app, item) || !item->answered || !n)
		return NULL;
	for (size_t i = 0; i < step->n_options; i++)
		if (strncmp(step->options[i].text, item->grade.understood, n) == 0)
			return &step->options[i];
	return NULL;
}

/* The credit that attempts and hints have cost. */
static void write_credit(struct sheet *s, const struct session_item *item)
{
	char text[160];
	bool more = item->attempts > 1, hints = item->hints > 0;
	if (item->credit >= 1 || item->credit <= 0)
		return;
	snprintf(text, sizeof text, "Credit %.2f of 1%s%s%s%s.", item->credit,
		more || hints ? ": " : "", more ? "each further attempt halves it" : "",
		more && hints ? ", " : "", hints ? "a hint takes a tenth" : "");
	sheet_gap(s);
	sheet_text(s, 0, 0, text, STYLE_DIM, 0);
}

/* What is asked next, and apart from it what a good answer says, which a candidate does not see. */
static void write_follow_up(const struct app *app, struct sheet *s, const struct variant *v)
{
	const size_t asks = variant_follow_up_asks(v);
	const char *answer = v->follow_up + asks;
	char text[1200];
	sheet_gap(s);
	sheet_text(s, 0, 0, "An interviewer would go on", STYLE_DIM, 0);
	snprintf(text, sizeof text, "%.*s", (int)asks, v->follow_up);
	sheet_text(s, INDENT, 0, text, STYLE_PLAIN, ATTR_BOLD);
	answer += strspn(answer, " ");
	if (*answer && drill_seen(app)->session.mode != MODE_INTERVIEW)
		sheet_text(s, INDENT, 0, answer, STYLE_PLAIN, 0);
}

int drill_solution_write(
	const struct app *app, struct sheet *s, const struct session_item *item, size_t part)
{
	const struct variant *v = &item->variant;
	int row = s->rows;
	for (size_t i = 0; i < v->n_steps; i++) {
		sheet_gap(s);
		row = i == part ? s->rows : row;
		if (v->n_steps > 1)
			drill_part_write(app, s, item, i);
		else
			write_working(s, INDENT, &v->steps[i], true, said_above(app, item));
	}
	write_credit(s, item);
	if (v->follow_up && *v->follow_up)
		write_follow_up(app, s, v);
	return row;
}

/* The one that a target names: "memory zero=1". */
static const struct sim *simulation_of(const char *target)
{
	char id[64];
	snprintf(id, sizeof id, "%.*s", (int)strcspn(target, " "), target);
	return sim_find(id);
}

void drill_way_write(struct sheet *s, const char *key, const char *leads)
{
	enum { KEY = 8 };
	int row = sheet_rows(s, 1);
	canvas_text(&s->cv, row, INDENT, KEY, key, STYLE_PLAIN, ATTR_BOLD);
	canvas_text(&s->cv, row, INDENT + KEY, -1, leads, STYLE_PLAIN, 0);
}

void drill_ways_write(const struct app *app, struct sheet *s, const struct session_item *item)
{
	const struct drill_view *d = drill_seen(app);
	const struct variant *v = &item->variant;
	const bool last = !d->look && d->session.current + 1 >= d->session.n;
	const struct sim *sim = v->sim ? simulation_of(v->sim) : NULL;
	char text[160];
	sheet_gap(s);
	sheet_text(s, 0, 0, "On from here", STYLE_DIM, 0);
	drill_way_write(s, "Enter",
		d->look ? "on, and after the last one back to the list"
		: last  ? "the result"
			: "the next problem");
	if (v->sim || variant_formula_step(v))
		drill_way_write(s, "g", "the same numbers as knobs, worked live");
	if (sim) {
		snprintf(text, sizeof text, "the simulation: %s", sim->title);
		drill_way_write(s, "s", text);
	}
	if (v->page)
		drill_way_write(s, "p", "the paragraph that explains it");
}
