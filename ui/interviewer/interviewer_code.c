#include "ui/interviewer/interviewer_code.h"

#include "sims/base/array.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/practice/case_first.h"
#include "ui/term/big_type.h"
#include "ui/term/paragraph.h"

#include <stdio.h>
#include <string.h>

enum { ROOM_FOR_LARGE = 10, ROOMY = 24, APART = 19 /* rows */ };
enum { INDENT = 3, MEASURE = 92, BETWEEN = 6, WIDE = 134 /* columns */ };

/* The symbols that codes are made of, as words of the spelling alphabet. */
static const struct spelled {
	char symbol;
	const char *word;
} alphabet[] = {
	{ '0', "0" },
	{ '1', "1" },
	{ '2', "2" },
	{ '3', "3" },
	{ '4', "4" },
	{ '5', "5" },
	{ '6', "6" },
	{ '7', "7" },
	{ '8', "8" },
	{ '9', "9" },
	{ 'A', "Alfa" },
	{ 'B', "Bravo" },
	{ 'C', "Charlie" },
	{ 'D', "Delta" },
	{ 'E', "Echo" },
	{ 'F', "Foxtrot" },
	{ 'G', "Golf" },
	{ 'H', "Hotel" },
	{ 'J', "Juliett" },
	{ 'K', "Kilo" },
	{ 'M', "Mike" },
	{ 'N', "November" },
	{ 'P', "Papa" },
	{ 'Q', "Quebec" },
	{ 'R', "Romeo" },
	{ 'S', "Sierra" },
	{ 'T', "Tango" },
	{ 'V', "Victor" },
	{ 'W', "Whiskey" },
	{ 'X', "X-ray" },
	{ 'Y', "Yankee" },
	{ 'Z', "Zulu" },
	{ '-', "," },
};

static const char *word_of(char symbol)
{
	for (size_t i = 0; i < LENGTH(alphabet); i++)
		if (alphabet[i].symbol == symbol)
			return alphabet[i].word;
	return "?";
}

static void spell(const char *code, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (; *code && used < size; code++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
			used && *code != '-' ? " " : "", word_of(*code));
}

static int put(struct canvas *cv, struct rect *r, const char *text, enum style s, unsigned attr)
{
	int rows = paragraph_draw(cv, *r, text, s, attr);
	r->row += rows;
	r->rows -= rows;
	return rows;
}

static void skip(struct rect *r, int rows)
{
	rows = rows < r->rows ? rows : r->rows;
	r->row += rows;
	r->rows -= rows;
}

/* A step of what is to be done: its number, what it is called, and what there is to say of it. */
static void put_step(struct canvas *cv, struct rect *r, int number, const char *name)
{
	enum { WITH_TEXT = 2 };
	if (r->rows < WITH_TEXT) { /* what has no room does not lie over the keys */
		r->rows = 0;
		return;
	}
	canvas_printf(cv, r->row, r->col, r->cols, STYLE_PLAIN, ATTR_BOLD, "%d  %s", number, name);
	skip(r, 1);
}

static struct rect indented(const struct rect *r)
{
	return (struct rect){ r->row, r->col + INDENT, r->rows, r->cols - INDENT };
}

static void put_under(
	struct canvas *cv, struct rect *r, const char *text, enum style s, unsigned attr)
{
	skip(r, paragraph_draw(cv, indented(r), text, s, attr));
}

/* "How many workers for a promised wait, staff, 45 min" */
static void what_text(const struct interviewer *v, char *text, size_t size)
{
	const int minutes = (int)(v->session.limit_s / 60);
	int used;
	if (v->at_case)
		used = snprintf(text, size, "%s, %s", v->at_case->c.title,
			case_level_names[v->request.level]);
	else
		used = snprintf(text, size, "%zu problems, mode %s", v->session.n,
			mode_names[v->session.mode]);
	if (minutes && used > 0 && (size_t)used < size)
		snprintf(text + used, size - (size_t)used, ", %d min", minutes);
}

static void put_code(
	const struct interviewer *v, struct canvas *cv, struct rect *r, bool roomy, bool apart)
{
	char command[200], words[200], text[400];
	put_step(cv, r, 1, "The candidate types");
	skip(r, roomy);
	put_under(cv, r, drill_request_command(&v->request, command, sizeof command), STYLE_ACCENT,
		ATTR_BOLD);
	skip(r, roomy);
	if (!v->request.code[0])
		return;
	if (r->rows >= ROOM_FOR_LARGE) {
		const int rows =
			big_type_draw(cv, indented(r), TYPE_LARGE, v->request.code, STYLE_ACCENT);
		skip(r, rows + (rows > 0));
	}
	spell(v->request.code, words, sizeof words);
	snprintf(text, sizeof text, "Read out: %s. Small letters will do, hyphens may be left out.",
		words);
	put_under(cv, r, text, STYLE_PLAIN, 0);
	skip(r, apart);
}

/* The keys that lead an interview; who the candidate is; how it ends. */
static void put_steps(const struct interviewer *v, struct canvas *cv, struct rect *r, bool apart)
{
	char text[400], word[CASE_WORD_SIZE];
	put_step(cv, r, 2, v->session.paused ? "Both start at one word" : "The clock runs");
	put_under(cv, r,
		v->session.paused
			? "Space here, Enter at the candidate's. n looks at the first page before."
			: "Space or n goes back to the guide.",
		STYLE_PLAIN, 0);
	skip(r, apart);
	put_step(cv, r, 3, "You lead");
	put_under(cv, r,
		v->at_case
			? "a types what you hear, t ticks what you told, 1 to 4 marks, e notes, "
			  "n goes on."
			: "a types an answer that you hear, 1 to 4 marks it, e notes, n goes on.",
		STYLE_PLAIN, 0);
	skip(r, apart);
	if (v->at_case) {
		put_step(cv, r, 4, "At the end you say");
		snprintf(text, sizeof text,
			"release %s: with that word the candidate sees what everything came to.",
			case_release_word(v->request.case_id, v->request.options.seed,
				v->request.level, word));
		put_under(cv, r, text, STYLE_PLAIN, 0);
		skip(r, apart);
	}
	if (v->candidate[0])
		snprintf(text, sizeof text, "The candidate: %s. N changes the name.", v->candidate);
	else
		snprintf(text, sizeof text, "N takes the candidate's name, for the record.");
	put(cv, r, text, STYLE_DIM, 0);
}

/* What the phases are for, and when, beside the steps. */
static void put_phases(const struct interviewer *v, struct canvas *cv, struct rect r)
{
	enum { NAME = 10, TIME = 9 };
	const struct interviewer_times times = interviewer_times(v, 0);
	char text[200];
	canvas_text(cv, r.row, r.col, r.cols, "How the time goes", STYLE_DIM, 0);
	skip(&r, 2);
	for (unsigned i = 0; i < N_INTERVIEW_PHASES && r.rows > 0; i++) {
		if (times.minutes[i] <= 0)
			continue;
		canvas_text(
			cv, r.row, r.col, NAME, v->session.plan[i].name, STYLE_PLAIN, ATTR_BOLD);
		canvas_printf(
			cv, r.row, r.col + NAME, TIME, STYLE_DIM, 0, "%3ld min", times.minutes[i]);
		const struct rect at = { r.row, r.col + NAME + TIME, r.rows, r.cols - NAME - TIME };
		skip(&r, paragraph_draw(cv, at,
				 case_first_phase(&v->at_case->sitting, (enum case_phase)i, text,
					 sizeof text),
				 STYLE_PLAIN, 0) +
				 1);
	}
}

void interviewer_code_draw(const struct interviewer *v, struct canvas *cv, struct rect r)
{
	char text[300];
	const bool roomy = r.rows >= ROOMY, apart = r.rows >= APART;
	skip(&r, roomy);
	what_text(v, text, sizeof text);
	put(cv, &r, text, STYLE_ACCENT, ATTR_BOLD);
	put(cv, &r, "From here on this screen shows keys and hints: do not share it.", STYLE_WARN,
		0);
	skip(&r, 1);
	if (v->at_case && r.cols >= WIDE) {
		const int right = r.cols - MEASURE - BETWEEN;
		put_phases(v, cv, (struct rect){ r.row, r.col + MEASURE + BETWEEN, r.rows, right });
	}
	r.cols = r.cols > MEASURE ? MEASURE : r.cols;
	put_code(v, cv, &r, roomy, apart);
	put_steps(v, cv, &r, apart);
}
