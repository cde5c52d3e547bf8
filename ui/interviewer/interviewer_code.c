#include "ui/interviewer/interviewer_code.h"

#include "sims/base/array.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/term/big_type.h"
#include "ui/term/paragraph.h"

#include <stdio.h>
#include <string.h>

enum { ROOM_FOR_LARGE = 10 }; /* rows */

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

void interviewer_code_draw(const struct interviewer *v, struct canvas *cv, struct rect r)
{
	char command[200], text[400];
	bool roomy = r.rows >= 18;
	skip(&r, roomy);
	put(cv, &r, "The candidate types:", STYLE_PLAIN, 0);
	skip(&r, roomy);
	snprintf(text, sizeof text, "  %s",
		drill_request_command(&v->request, command, sizeof command));
	canvas_text(cv, r.row, r.col, r.cols, text, STYLE_PLAIN, ATTR_BOLD);
	skip(&r, 2);
	if (r.rows >= ROOM_FOR_LARGE)
		skip(&r,
			1 + big_type_draw(cv, (struct rect){ r.row, r.col + 2, r.rows, r.cols - 2 },
				    TYPE_LARGE, v->request.code, STYLE_ACCENT));
	if (v->request.code[0]) {
		char words[200];
		spell(v->request.code, words, sizeof words);
		snprintf(text, sizeof text,
			"Read out: %s. Small letters will do, hyphens may be left out.", words);
		put(cv, &r, text, STYLE_PLAIN, 0);
		skip(&r, roomy);
	}
	int minutes = (int)(v->session.limit_s / 60);
	char word[CASE_WORD_SIZE];
	if (v->at_case)
		snprintf(text, sizeof text,
			"%s, %s, %d min. When the candidate may see what it came to, "
			"say: release %s.",
			v->at_case->c.title, case_level_names[v->request.level], minutes,
			case_release_word(v->request.case_id, v->request.options.seed,
				v->request.level, word));
	else
		snprintf(text, sizeof text, "%zu problems, mode %s%s", v->session.n,
			mode_names[v->session.mode], minutes ? "" : ".");
	if (minutes && !v->at_case)
		snprintf(text + strlen(text), sizeof text - strlen(text), ", %d min.", minutes);
	put(cv, &r, text, STYLE_DIM, 0);
	if (v->candidate[0])
		snprintf(text, sizeof text, "The candidate: %s. N changes the name.", v->candidate);
	else
		snprintf(text, sizeof text, "N takes the candidate's name, for the record.");
	put(cv, &r, text, STYLE_PLAIN, 0);
	snprintf(text, sizeof text,
		"From here on this screen shows keys and hints: do not share it. %s",
		v->session.paused ? "Space starts the clock; n looks at the first page without."
				  : "The clock runs; Space or n goes back to the guide.");
	put(cv, &r, text, STYLE_DIM, 0);
}
