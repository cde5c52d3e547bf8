#include "ui/data/options.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/quantity/quantity.h"
#include "sims/figure/sim.h"
#include "drills/case_sitting.h"
#include "drills/session.h"
#include "ui/term/environment.h"
#include "ui/term/textwrap.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- The tables --- */

const struct command commands[N_COMMANDS] = {
	[COMMAND_OPEN] = { "open", "NAME [knob=value ...]",
		"opens the explorer on a page, a simulation, drill, case, calendar or stats",
		"`ridge` alone opens the explorer where you left it. The words of a drill are the\n"
		"options of `ridge drill`: `ridge open drill topic=memory history=no`.\n",
		1 + MAX_KNOBS },
	[COMMAND_SIM] = { "sim", "[NAME [knob=value ...]]",
		"lists the simulations, or runs one without a terminal", NULL, 1 + MAX_KNOBS },
	[COMMAND_CALC] = { "calc", "[FORMULA [name=value ...] [model=ID] [gpu=ID]]",
		"lists the formulas, or evaluates one: symbols, substitution, result",
		"A name is a parameter's name or symbol; a value takes units. model= and gpu=\n"
		"fill the parameters that they know; what nobody gives stays at the example, and\n"
		"is marked. `ridge calc FORMULA --help` shows a formula's parameters.\n"
		"Arithmetic with units is worked out, as on the scratch pad of a drill.\n"
		"\n"
		"    ridge calc kv_cache_bytes model=llama3-70b tokens=8192\n"
		"    ridge calc ring_allreduce_time bytes=14GB gpus=8 link_bandwidth=300GB/s\n"
		"    ridge calc spec_decode_speedup a=0.8 k=5 draft_time=2ms target_time=30ms\n"
		"    ridge calc \"80 GB / 3.35 TB/s\"\n",
		MOST_WORDS },
	[COMMAND_PLAN] = { "plan", "[serve|train [goal=value ...]]",
		"searches GPUs and layouts for a goal: the best, and why not others",
		"serve: the cheapest GPUs for a rate and a latency; goals are the knobs of\n"
		"`ridge sim capacity`, and the GPU and the types of weights and cache are left\n"
		"open unless given. train: the quickest layout of a model on so many GPUs;\n"
		"tp=, pp=, cp=, micro_batch=, schedule=, virtual_stages= and checkpointing=\n"
		"hold what is not to be searched.\n"
		"Each plan comes with the command that opens it.\n"
		"\n"
		"    ridge plan serve model=llama3-70b rate_per_s=200 ttft_ms=1000 itl_ms=50\n"
		"    ridge plan serve model=llama3-70b gpu=h100 prompt_tokens=1000 fleet=8\n"
		"    ridge plan train model=llama3-70b gpu=h100 gpus=64 tokens=1e12\n"
		"    ridge plan train model=llama3-70b gpu=h100 gpus=64 tp=8 checkpointing=none\n",
		1 + MAX_KNOBS },
	[COMMAND_MODEL] = { "model", "[NAME|FILE|- [goal=value ...]]",
		"counts a model by its config.json: layers, parameters, bytes, cache, GPUs",
		"FILE is a config.json, or a folder that holds one; - is the standard input.\n"
		"`model=FILE` in sim, open, calc, plan and in the list of a knob takes it too.\n"
		"A goal is context=, users=, gpu=, weight_dtype=, kv_dtype=, slack_tokens= or\n"
		"memory_pct=.\n"
		"Without a name it lists the models that it knows by name.\n"
		"\n"
		"    ridge model deepseek-v3\n"
		"    ridge model ./config.json context=131072 users=16 gpu=h200\n"
		"    ridge model gpt-oss-120b kv_dtype=fp8 --json\n",
		1 + MAX_KNOBS },
	[COMMAND_READ] = { "read", "[PAGE]", "lists the pages, or prints one",
		"PAGE is a name from that list, or a chapter's number: 2 or chapter-2.\n", 1 },
	[COMMAND_SEARCH] = { "search", "WORDS",
		"pages, simulations, formulas, drills that match, best first", NULL, MOST_WORDS },
	[COMMAND_DRILL] = { "drill", "[TOPIC] [option=value ...]",
		"drills and practice interviews; with --answers the interviewer's desk",
		"Type an answer with or without its unit, or the number of a choice. Line by\n"
		"line, an empty line or ? gives a hint, skip shows the solution, pause stops the\n"
		"clock until the next line, quit ends.\n"
		"\n"
		"Options are also words, and the explorer takes the same ones: `ridge drill\n"
		"topic=memory history=no` is `ridge drill --topic memory --no-history`. A word\n"
		"without an equals sign is a topic, and several are one mixed set: `ridge drill\n"
		"memory communication`, or `--topic memory,communication`.\n",
		MOST_WORDS },
	[COMMAND_CASE] = { "case", "[NAME]",
		"lists the design cases, or gives one: ask, estimate, design, twists",
		"Any line is a question, and facts come to who asks for them. estimate lists the\n"
		"numbers to estimate, design the knobs, and a simulation runs what is designed:\n"
		"\n"
		"    How many requests a second?\n"
		"    estimate 1 140 GB\n"
		"    design gpu=h100 tp=4 weight_dtype=fp8 kv_dtype=fp8 fleet=16\n"
		"    twist\n"
		"    end\n"
		"\n"
		"A sitting that was cut off goes on where it was. It reads a pipe as well as a\n"
		"keyboard. drills/case.h says how one is written.\n",
		1 },
	[COMMAND_INTERVIEWS] = { "interviews", "[taken] [N|NAME]",
		"the interviews that you gave, or took: a list, or one of them whole",
		"N is a number of that list; 1 is the latest. NAME lists those with a candidate\n"
		"of that name. `ridge interviews taken` lists practice interviews, and `ridge\n"
		"interviews taken 1` says again all that was said in the last one; what they\n"
		"came to, ridge stats says.\n"
		"\n"
		"One that you gave has its marks and notes. You give an interview with `ridge\n"
		"drill --mode interview --answers`. Press `a` there and type what the candidate\n"
		"said: it is graded like a typed answer.\n"
		"\n"
		"What you do there is on the disk at once, and an interview that was cut off goes\n"
		"on where it was: `ridge drill --answers --code CODE`. `ridge interviews 1\n"
		"--edit` opens one that was ended again, in its summary. Each is a file in\n"
		"~/.local/share/ridge/interviews ($XDG_DATA_HOME/ridge/interviews), with names,\n"
		"marks and notes: who deletes the file deletes the interview.\n",
		2 },
	[COMMAND_PRESENT] = { "present", "[TOUR|FILE.md [STEP]]",
		"lists the tours, or gives one: captions, one figure a step, knobs live",
		"A tour is one Markdown file: a heading is a caption, a sim block its setting, a\n"
		"quote what the speaker says. Without a terminal it is printed.\n"
		"\n"
		"n and p go on and back, h and l turn the knob and `:` any other (:gpu=h100), n\n"
		"then leads back to the script. b is a blank screen, ' lists the steps, R records\n"
		"from there on, ? names every key.\n"
		"\n"
		"    ridge present queueing\n"
		"    ridge present queueing --notes\n"
		"    ridge present mine.md --check\n"
		"    ridge present roofline --record roofline.cast\n",
		2 },
	[COMMAND_STATS] = { "stats", "",
		"your answers by topic and skill, what is due, and what interviews came to", NULL,
		0 },
	[COMMAND_DUE] = { "due", "",
		"reviews that are due, in one line; the status is 1 if there are any",
		"For the prompt of a shell: PS1='$(ridge due) \\$ '\n", 0 },
	[COMMAND_CALENDAR] = { "calendar", "[DATE]",
		"what to read, drill and present on each day until an interview",
		"DATE is that of the interview: 14 December, 2026-12-14, in 3 weeks, friday. It\n"
		"is kept, and the first line says how it was understood; `off` forgets it. What\n"
		"was read, answered and given counts by itself, and what a day leaves undone\n"
		"moves to the days after it.\n",
		5 },
	[COMMAND_GRADE] = { "grade", "QUESTION.json ANSWER",
		"grades one answer: verdict, what was understood, remark, credit",
		"QUESTION.json holds one question object, or \"questions\" by name. ANSWER is "
		"what\n"
		"one types in a drill: \"10.7 GB\", 2.9k, 3x10^9, \"2 x 80 x 8\", -5. After --\n"
		"nothing is an option.\n",
		2 },
	[COMMAND_VALIDATE] = { "validate", "[MODEL [FILE.csv]]",
		"the models against measurements: built-in ones, or a file of your own",
		"FILE.csv has the columns of that model's table in content/measured/; - is the\n"
		"standard input. `ridge validate MODEL --help` lists them.\n",
		2 },
	[COMMAND_MEASURE] = { "measure", "",
		"this machine's memory bandwidth by level and its peak, for the roofline",
		"It takes at most 20 s and keeps the result, which `ridge sim roofline\n"
		"gpu=this-machine` draws.\n",
		0 },
	[COMMAND_FRAME] = { "frame", "[NAME [knob=value ...]]",
		"prints the explorer's screen after some keys, without a terminal",
		"The same words and keys give the same bytes.\n", 1 + MAX_KNOBS },
	[COMMAND_INFO] = { "info", "",
		"paths, locale, colours, glyphs, and why each was chosen; tables; notices", NULL,
		0 },
};

const char *const shell_names[N_SHELLS + 1] = {
	[SHELL_BASH] = "bash", [SHELL_ZSH] = "zsh", [SHELL_FISH] = "fish"
};
static const char *const background_names[] = { "dark", "light", NULL };

/* clang-format off */
#define IN(name) (1u << COMMAND_##name)
#define YES_NO(id, commands, name, help) \
	{ OPTION_##id, SWITCH_OFF, commands, name, NULL, help, 0, 0, NULL, NULL }
#define ON(id, commands, name, help) \
	{ OPTION_##id, SWITCH_ON, commands, name, NULL, help, 0, 0, NULL, NULL }
#define WORD(id, commands, name, value, expected, help) \
	{ OPTION_##id, TAKES_TEXT, commands, name, value, help, 0, 0, NULL, expected }
#define WORDS(id, commands, name, value, expected, help) \
	{ OPTION_##id, TAKES_WORDS, commands, name, value, help, 0, 0, NULL, expected }
#define WHOLE(id, commands, name, value, least, most, help) \
	{ OPTION_##id, TAKES_NUMBER, commands, name, value, help, least, most, NULL, NULL }
#define ONE_OF(id, commands, name, value, choices, help) \
	{ OPTION_##id, TAKES_CHOICE, commands, name, value, help, 0, 0, choices, NULL }
#define TIME(id, commands, name, help) \
	{ OPTION_##id, TAKES_TIME, commands, name, "TIME", help, 0, 0, NULL, NULL }
#define LENGTH_OF_TALK(commands, help) \
	{ OPTION_TIME, TAKES_LENGTH, commands, "time", "LENGTH", help, 0, 0, NULL, NULL }
#define CELLS(commands, help) \
	{ OPTION_SIZE, TAKES_SIZE, commands, "size", "COLSxROWS", help, 0, 0, NULL, NULL }
#define COLOR(commands, help) \
	{ OPTION_COLOR, TAKES_COLOR, commands, "color", "WHEN", help, 0, 0, NULL, NULL }

const struct option_row option_rows[] = {
	WORD(TOPIC, IN(DRILL), "topic", "T", "a topic, a skill, a drill, a chapter or a chain",
		"a topic, a skill, a rung (recall, apply, combine, judge), one drill, what a chapter explains: chapter-8, or a chain, which climbs one subject from rung to rung: chain-cache; a mixed set without it"),
	ONE_OF(MODE, IN(DRILL), "mode", "M", mode_names,
		"set (problems against their par times), study (no clock), sprint (120 s in "
		"all), interview (45 minutes at a design case; with --topic or --count around problems, of one subject by the seed where no topic is named), review (skills that are due), placement (twelve problems, each of another chapter)"),
	WHOLE(COUNT, IN(DRILL), "count", "N", 1, MOST_PROBLEMS,
		"problems; 5 unless given, 40 in a sprint, 12 in a placement, all of a chain; an "
		"interview has an estimate besides"),
	WHOLE(SEED, IN(DRILL), "seed", "N", 0, UINT64_MAX,
		"the same seed gives the same problems everywhere"),
	WORD(CASE, IN(DRILL), "case", "ID", "a design case, as ridge case lists them",
		"with --mode interview: the case; one by the seed without it"),
	ONE_OF(LEVEL, IN(DRILL), "level", "L", case_level_names,
		"with --mode interview: senior, staff or principal"),
	WHOLE(MINUTES, IN(DRILL), "minutes", "M", LEAST_CASE_MINUTES, MOST_CASE_MINUTES,
		"with --mode interview: how long it is, 45 unless given"),
	ON(CHOICE, IN(DRILL), "choice",
		"no options to choose from or to put in order: what is asked is answered in numbers and words"),
	WORD(CODE, IN(DRILL), "code", "CODE", "a code as a session prints it",
		"all of these in a few symbols, as a session prints them: the same problems "
		"for another person"),
	WORD(PACK, IN(DRILL), "pack", "FILE", "the name of a file of drills",
		"deals the drills of that file, all of them and in its order, also with --code: "
		"questions of your own that two people both have"),
	WHOLE(ATTEMPTS, IN(DRILL), "attempts", "N", 1, 9,
		"answers to one problem; 3 unless given, 1 in a sprint, an interview, a review"),
	YES_NO(SHEET, IN(DRILL), "sheet",
		"prints the problems and ends"),
	YES_NO(ANSWERS, IN(DRILL), "answers",
		"the interviewer's side: keys, working, likely mistakes, follow-ups, check "
		"lists; in a terminal a screen with clock, marks and notes"),
	YES_NO(INTERVIEWER, IN(DRILL), "interviewer",
		"the same as --answers"),
	WORD(NAME, IN(DRILL), "name", "NAME", "a name",
		"with --answers: who is interviewed, for `ridge interviews`"),
	WORD(FOLLOW, IN(DRILL), "follow", "FILE", "a file, or - for the standard input",
		"with --answers: takes in what the candidate types at another machine, as --stream "
		"prints it there; - is the standard input: "
		"`ssh HOST ridge drill --code CODE --stream | ridge drill --code CODE --answers --follow -`"),
	YES_NO(STREAM, IN(DRILL), "stream",
		"with --code: prints what is answered at it on this machine, each line when it is "
		"there, for --follow on another; until it is stopped"),
	YES_NO(JSON, IN(DRILL), "json",
		"with --sheet: the same for programs"),
	YES_NO(MARKDOWN, IN(DRILL), "md",
		"with --sheet: the same as Markdown"),
	WORD(HTML, IN(DRILL) | IN(CASE), "html", "FILE", "the name of a file",
		"with --sheet: writes a page to print there instead"),
	ON(HISTORY, IN(DRILL), "history",
		"keeps no answers: for scripts, and for another person at your desk. Otherwise "
		"ridge stats shows them, and reviews come from them"),
	YES_NO(PLAIN, IN(DRILL), "plain",
		"line by line in a terminal as well"),

	WHOLE(SEED, IN(CASE), "seed", "N", 0, UINT64_MAX,
		"the same seed gives the same numbers everywhere"),
	ONE_OF(LEVEL, IN(CASE), "level", "L", case_level_names,
		"senior, staff or principal: later twists and questions are for higher levels; the "
		"least that the case is for unless given"),
	YES_NO(SHEET, IN(CASE), "sheet",
		"the interviewer's side as Markdown: facts, working, designs, answers, rubric"),
	YES_NO(CANDIDATE, IN(CASE), "candidate",
		"with --sheet or --json: the candidate's side, without facts and answers"),
	YES_NO(JSON, IN(CASE), "json",
		"one JSON object: the list, or the case as it is dealt"),
	WHOLE(MINUTES, IN(CASE), "minutes", "M", LEAST_CASE_MINUTES, MOST_CASE_MINUTES,
		"how long it is, 45 unless given: twists come earlier or later with it"),
	YES_NO(NEW, IN(CASE), "new",
		"begins anew, where the last sitting of the case was left before its end and would go on"),
	ON(HISTORY, IN(CASE), "history",
		"keeps nothing of what is typed. Otherwise each line is on the disk before it is "
		"answered"),

	YES_NO(JSON, IN(SIM) | IN(PLAN) | IN(MODEL) | IN(STATS) | IN(CALENDAR) | IN(GRADE) | IN(MEASURE), "json",
		"one JSON object"),
	YES_NO(CSV, IN(SIM), "csv",
		"one table: block, series, label, x, y, unit"),
	YES_NO(TEXT, IN(SIM), "text",
		"values, figure, assumptions: what is printed without an option"),
	YES_NO(SVG, IN(SIM), "svg",
		"a picture in SVG: title, sentence, figure; direct colour, braille plots, in "
		"every locale the same bytes"),
	ONE_OF(BACKGROUND, IN(SIM), "background", "SHADE", background_names,
		"dark or light, for --svg; dark unless given"),
	TIME(AT, IN(SIM), "at",
		"draws a run as it stands at that time, such as 1.5 or 20ms"),

	YES_NO(JSON, IN(CALC), "json",
		"one JSON object in base units (B, s, FLOP); an infinite value is null"),

	WHOLE(WIDTH, IN(READ), "width", "N", 20, 1000,
		"columns; $COLUMNS or 80 unless given"),
	YES_NO(FIRST, IN(READ), "first",
		"a first reading: leaves out the sections that go into depth, but for a line each; "
		"without a page, minutes of that"),
	YES_NO(FOLDED, IN(READ), "folded",
		"leaves out the answers below questions, but for a line each"),
	YES_NO(PLAIN, IN(READ), "plain",
		"to be read out: figures in words, tables row by row with their heads, no "
		"lines and bars"),

	YES_NO(CSV, IN(STATS), "csv",
		"totals, topics and skills, a row each; with --export the events"),
	YES_NO(EXPORT, IN(STATS), "export",
		"the events that can be read, a JSON line each: a history again"),

	WORD(QUESTION, IN(GRADE), "question", "NAME", "the name of a question",
		"which one of the file's questions"),

	YES_NO(JSON, IN(VALIDATE), "json",
		"one JSON object; errors are fractions"),
	YES_NO(PLOT, IN(VALIDATE), "plot",
		"a plot of predicted against measured as well"),
	YES_NO(TEXT, IN(VALIDATE), "text",
		"tables: what is printed without an option"),
	YES_NO(PLAIN, IN(VALIDATE), "plain",
		"the same as --text"),

	YES_NO(QUICK, IN(MEASURE), "quick",
		"takes 4 s"),
	YES_NO(PLAIN, IN(MEASURE), "plain",
		"shows no bar while it measures"),

	CELLS(IN(SIM) | IN(VALIDATE),
		"width of the text and height of its figure; 80 columns, and the rows that the "
		"figure needs, unless given"),
	CELLS(IN(FRAME),
		"of the screen; 80x24 unless given"),
	WORDS(KEYS, IN(FRAME), "keys", "\"l l Tab :\"", "names of keys, such as \"l l Tab :\"",
		"the keys, one after another: Tab Enter Esc Up Ctrl-L text:42 Down*3"),
	YES_NO(SVG, IN(FRAME), "svg",
		"a picture in SVG: direct colour, braille plots, in every locale the same bytes"),
	ONE_OF(BACKGROUND, IN(FRAME), "background", "SHADE", background_names,
		"dark or light, for --svg and --color; dark unless given"),

	YES_NO(NOTES, IN(PRESENT), "notes",
		"the speaker's terminal: joins the talk that another one gives, before or while "
		"it runs; the one that runs, without a name. --no-notes leaves what the speaker "
		"says out of text, Markdown and the page"),
	YES_NO(BIG, IN(PRESENT), "big",
		"captions, answers and the number in large type where there is room, on the screen "
		"and in recordings and pictures"),
	YES_NO(SHOW_KEYS, IN(PRESENT), "show-keys",
		"the keys that are pressed, at the end of the bottom line, for two seconds; what is "
		"typed is not shown"),
	LENGTH_OF_TALK(IN(PRESENT),
		"how long the talk may take, such as 20m: each step has its share"),
	YES_NO(AUTO, IN(PRESENT), "auto",
		"goes from step to step by itself, and begins anew after the last; a key holds it "
		"for as long as a step takes"),
	WORD(VOTES, IN(PRESENT), "votes", "FILE", "the name of a file, or -",
		"votes of the audience, a letter a line, from a pipe or a file that grows; - is "
		"the standard input. They count while a question stands"),
	YES_NO(CHECK, IN(PRESENT), "check",
		"holds every expectation of the tour, and says what is not true"),
	YES_NO(TEXT, IN(PRESENT), "text",
		"prints the tour: captions, values, what the speaker says"),
	WORD(RECORD, IN(PRESENT), "record", "FILE", "the name of a file",
		"an asciicast of all steps, each as long as the tour says; the same bytes each "
		"time"),
	YES_NO(V2, IN(PRESENT), "v2",
		"with --record: the second form, for older players"),
	WORD(SVG_FOLDER, IN(PRESENT), "svg", "FOLDER", "the name of a folder",
		"a picture of each step, 01.svg and so on"),
	WORD(NEW, IN(PRESENT), "new", "FILE", "the name of a file that is not there yet",
		"writes a talk of four steps to begin your own with, which says how one is written"),
	WORD(HTML, IN(PRESENT), "html", "FILE", "the name of a file",
		"one page of pictures and notes that needs nothing else, and prints as a "
		"handout"),
	YES_NO(MARKDOWN, IN(PRESENT), "md",
		"prints the same as Markdown, figures as text"),
	YES_NO(MARKDOWN, IN(INTERVIEWS), "md",
		"prints an interview as Markdown"),
	YES_NO(JSON, IN(INTERVIEWS), "json",
		"one JSON object: the list, or the interview"),
	YES_NO(EDIT, IN(INTERVIEWS), "edit",
		"opens one that you gave again in its summary: marks and notes, and q ends it again"),
	YES_NO(DROP, IN(INTERVIEWS), "drop",
		"removes one that you gave; one that was ended once you said yes"),
	CELLS(IN(PRESENT),
		"of recordings and pictures; 100x30 unless given"),
	ONE_OF(BACKGROUND, IN(PRESENT), "background", "SHADE", background_names,
		"dark or light, for recordings, pictures and the page; dark unless given, the page "
		"light"),

	YES_NO(KEY_TABLE, IN(INFO), "keys",
		"the table of keys as Markdown"),
	YES_NO(COMMANDS, IN(INFO), "commands",
		"all commands with their options as Markdown"),
	YES_NO(LICENCES, IN(INFO), "licences",
		"the notices of data and libraries that travel with ridge"),

	YES_NO(MAN, IN(INFO), "man",
		"the manual page, for man"),
	ONE_OF(COMPLETION, IN(INFO), "completion", "SHELL", shell_names,
		"what completes words in a shell: bash, zsh or fish"),

	YES_NO(PLAIN, IN(OPEN), "plain",
		"the explorer line by line, for pipes and screen readers"),
	YES_NO(VERSION, IN(OPEN), "version",
		"prints the version"),
	COLOR(IN(OPEN) | IN(DRILL) | IN(PRESENT),
		"colours in the terminal: auto, always or never; auto unless given"),
	COLOR(IN(SIM) | IN(READ) | IN(VALIDATE) | IN(FRAME),
		"colours as escape sequences; none unless given. WHEN is auto, always or "
		"never; --color alone is always"),
	COLOR(IN(CALC) | IN(PLAN) | IN(SEARCH) | IN(STATS) | IN(DUE) | IN(CALENDAR) | IN(GRADE) | IN(MEASURE) | IN(INFO),
		"is taken by every command; this one prints no colours"),
	ONE_OF(GLYPHS, ~0u, "glyphs", "GLYPHS", glyph_names,
		"what curves are drawn with: octants, braille, lines, or ascii for all that is "
		"shown. Unless given, RIDGE_GLYPHS, the locale and the terminal say"),
};
const size_t n_option_rows = LENGTH(option_rows);
/* clang-format on */

/* --- Reading --- */

static bool has(enum command_id command, const struct option_row *row)
{
	return row->commands >> command & 1;
}

const struct option_row *option_find(enum command_id command, const char *name)
{
	assert(command < N_COMMANDS && name);
	for (size_t i = 0; i < n_option_rows; i++)
		if (has(command, &option_rows[i]) && strcmp(option_rows[i].name, name) == 0)
			return &option_rows[i];
	return NULL;
}

static bool is_yes_no(const struct option_row *row)
{
	return row->kind == SWITCH_OFF || row->kind == SWITCH_ON;
}

char *option_spelling(const struct option_row *row, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", row->kind == SWITCH_ON ? "--no-" : "--", row->name);
	return buf;
}

static const struct option_row help_row = {
	.kind = SWITCH_OFF, .name = "help", .help = "this text"
};

const struct option_row *option_of(enum command_id command, size_t place)
{
	for (size_t i = 0; i < n_option_rows; i++)
		if (has(command, &option_rows[i]) && place-- == 0)
			return &option_rows[i];
	return place == 0 ? &help_row : NULL;
}

/* How options were typed, and are named in messages. */
enum spelling { WITH_DASHES, AS_WORDS };

/* How an option is named in messages. Returns buf. */
static const char *name_as(
	const struct option_row *row, enum spelling spelling, char *buf, size_t size)
{
	if (spelling == WITH_DASHES)
		return option_spelling(row, buf, size);
	snprintf(buf, size, "%s", row->name);
	return buf;
}

/* The one way in which an unknown option is refused. `typed` is without dashes. */
static int refuse_option(enum command_id command, const char *typed, enum spelling spelling,
	char *err, size_t err_size)
{
	enum { MOST = 32, LONGEST = 40 };
	const char *dashes = spelling == WITH_DASHES ? "--" : "";
	char spelt[MOST][LONGEST], whole[LONGEST + 8], hint[HINT_SIZE];
	const char *names[MOST];
	const struct option_row *row;
	size_t n = 0;
	for (; (row = option_of(command, n)) && (*dashes || row != &help_row); n++) {
		assert(n < MOST);
		names[n] = name_as(row, spelling, spelt[n], LONGEST);
	}
	snprintf(whole, sizeof whole, "%s%s", dashes, typed);
	did_you_mean(whole, names, n, hint, sizeof hint);
	size_t used = (size_t)snprintf(err, err_size, "there is no option %s%s", whole, hint);
	if (*hint && used < err_size)
		snprintf(err + used, err_size - used, " (ridge %s --help lists them)",
			commands[command].name);
	for (size_t i = 0; !*hint && i < n && used < err_size; i++)
		used += (size_t)snprintf(err + used, err_size - used, "%s%s",
			i == 0       ? ": expected "
			: i + 1 == n ? " or "
				     : ", ",
			names[i]);
	return -1;
}

/* What a value should have been. Returns buf. */
static char *expectation(const struct option_row *row, char *buf, size_t size)
{
	size_t used = 0;
	switch (row->kind) {
	case SWITCH_OFF:
	case SWITCH_ON:
		snprintf(buf, size, "yes or no");
		break;
	case TAKES_TEXT:
	case TAKES_WORDS:
		snprintf(buf, size, "%s", row->expected);
		break;
	case TAKES_NUMBER:
		snprintf(buf, size, "a whole number from %" PRIu64 " to %" PRIu64, row->least,
			row->most);
		break;
	case TAKES_SIZE:
		snprintf(buf, size, "COLSxROWS, such as 100x30");
		break;
	case TAKES_TIME:
		snprintf(buf, size, "a time, such as 1.5 or 20ms");
		break;
	case TAKES_LENGTH:
		snprintf(buf, size, "a length from 1m to 24h, such as 20m or 90s");
		break;
	case TAKES_CHOICE:
		for (size_t i = 0; row->choices[i] && used < size; i++)
			used += (size_t)snprintf(buf + used, size - used, "%s%s",
				i == 0                ? ""
				: row->choices[i + 1] ? ", "
						      : " or ",
				row->choices[i]);
		break;
	case TAKES_COLOR:
		snprintf(buf, size, "auto, always or never");
		break;
	}
	return buf;
}

static int refuse_value(const struct option_row *row, enum spelling spelling, const char *text,
	char *err, size_t err_size)
{
	const char *dashes = spelling == WITH_DASHES ? "--" : "";
	char expected[200], hint[HINT_SIZE] = "";
	if (row->kind == TAKES_CHOICE && text && *text) {
		size_t n = 0;
		while (row->choices[n])
			n++;
		did_you_mean(text, row->choices, n, hint, sizeof hint);
	}
	expectation(row, expected, sizeof expected);
	if (text && *text)
		snprintf(err, err_size, "%s%s: expected %s, found \"%.40s\"%s", dashes, row->name,
			expected, text, hint);
	else
		snprintf(err, err_size, "%s%s: expected %s, found nothing", dashes, row->name,
			expected);
	return -1;
}

int size_read(const char *text, int *cols, int *rows)
{
	char *end;
	long c = strtol(text, &end, 10);
	if (end == text || *end != 'x')
		return -1;
	const char *second = end + 1;
	long r = strtol(second, &end, 10);
	if (end == second || *end || c < 1 || c > 1000 || r < 1 || r > 1000)
		return -1;
	*cols = (int)c;
	*rows = (int)r;
	return 0;
}

static bool read_number(const struct option_row *row, const char *text, uint64_t *out)
{
	bool digits = *text && strspn(text, "0123456789") == strlen(text);
	errno = 0; /* strtoull sets it above UINT64_MAX and never clears it */
	*out = digits ? strtoull(text, NULL, 10) : 0;
	return digits && errno == 0 && *out >= row->least && *out <= row->most;
}

/* "20m" is minutes here, where nobody gives a talk of twenty metres. */
static bool read_length(const char *text, double *seconds)
{
	const double least_s = 60, most_s = 24 * 3600.0;
	char why[160], *end;
	double minutes = strtod(text, &end);
	if (end != text && strcmp(end, "m") == 0)
		*seconds = minutes * least_s;
	else if (*end == '\0' || quantity_read(text, "s", seconds, why, sizeof why))
		return false;
	return *seconds >= least_s && *seconds <= most_s;
}

/* True and the value in *v when the text is what the row takes. */
static bool read_value(const struct option_row *row, const char *text, struct option_value *v)
{
	char why[160];
	int colour;
	v->text = text;
	switch (row->kind) {
	case SWITCH_OFF:
	case SWITCH_ON:
		v->no = strcmp(text, "no") == 0;
		return v->no || strcmp(text, "yes") == 0;
	case TAKES_TEXT:
		return *text != '\0';
	case TAKES_WORDS:
		return true;
	case TAKES_NUMBER:
		return read_number(row, text, &v->number);
	case TAKES_SIZE:
		return size_read(text, &v->cols, &v->rows) == 0;
	case TAKES_TIME:
		return quantity_read(text, "s", &v->seconds, why, sizeof why) == 0;
	case TAKES_LENGTH:
		return read_length(text, &v->seconds);
	case TAKES_CHOICE:
		for (v->number = 0; row->choices[v->number]; v->number++)
			if (strcmp(row->choices[v->number], text) == 0)
				return true;
		return false;
	case TAKES_COLOR:
		colour = colour_choice_read(text);
		v->number = colour < 0 ? 0 : (uint64_t)colour;
		return colour >= 0;
	}
	return false;
}

struct reader {
	struct command_line *line;
	const char *const *words;
	size_t n, i; /* words[i] is read now */
	char *err;
	size_t err_size;
};

/* `--name`, `--name=value` or `--no-name`; a value may be the next word. */
static int read_dashed(struct reader *r)
{
	struct command_line *line = r->line;
	const char *typed = r->words[r->i] + 2, *equals = strchr(typed, '=');
	char name[40];
	snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - typed) : (int)strlen(typed),
		typed);
	bool no = strncmp(name, "no-", 3) == 0;
	const struct option_row *row = option_find(line->command, name);
	if (!row && no && !equals) {
		row = option_find(line->command, name + 3);
		row = row && is_yes_no(row) ? row : NULL;
	} else {
		no = false;
	}
	if (!row)
		return refuse_option(line->command, name, WITH_DASHES, r->err, r->err_size);
	struct option_value *v = &line->values[row->id];
	*v = (struct option_value){ .at = (unsigned)r->i + 1, .no = no };
	if (!equals && is_yes_no(row))
		return 0;
	if (!equals && row->kind == TAKES_COLOR) {
		v->number = COLOUR_ALWAYS;
		return 0;
	}
	const char *text = equals ? equals + 1 : r->i + 1 < r->n ? r->words[++r->i] : NULL;
	if (!text || !read_value(row, text, v))
		return refuse_value(row, WITH_DASHES, text, r->err, r->err_size);
	return 0;
}

/* `name=value`, or a bare topic. Those behind the first are words of the line. */
static int read_setting(struct reader *r)
{
	struct command_line *line = r->line;
	const char *word = r->words[r->i], *equals = strchr(word, '=');
	char name[40];
	snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - word) : 5,
		equals ? word : "topic");
	const struct option_row *row = option_find(line->command, name);
	if (!row)
		return refuse_option(line->command, name, AS_WORDS, r->err, r->err_size);
	struct option_value *v = &line->values[row->id];
	const char *text = equals ? equals + 1 : word;
	if (!equals && v->at && line->n_words < MOST_WORDS) {
		line->words[line->n_words++] = word;
		return 0;
	}
	*v = (struct option_value){ .at = (unsigned)r->i + 1 };
	if (!read_value(row, text, v))
		return refuse_value(row, AS_WORDS, text, r->err, r->err_size);
	return 0;
}

static int refuse_word(const struct reader *r)
{
	const struct command *c = &commands[r->line->command];
	if (!c->most_words)
		snprintf(r->err, r->err_size, "expected only options, found \"%.40s\"",
			r->words[r->i]);
	else
		snprintf(r->err, r->err_size, "expected %s, found one word more: \"%.40s\"",
			c->words, r->words[r->i]);
	return -1;
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* One dash alone begins a negative answer, or is a file. */
static bool is_option(const char *word)
{
	return strncmp(word, "--", 2) == 0;
}

static int read_word(struct reader *r, bool *options)
{
	struct command_line *line = r->line;
	const char *word = r->words[r->i];
	if (*options && strcmp(word, "--") == 0) {
		*options = false;
		return 0;
	}
	if (*options && is_option(word))
		return read_dashed(r);
	if (line->command == COMMAND_DRILL)
		return read_setting(r);
	if (line->n_words == commands[line->command].most_words)
		return refuse_word(r);
	line->words[line->n_words++] = word;
	return 0;
}

int command_line_read(struct command_line *line, enum command_id command, const char *const words[],
	size_t n, char *err, size_t err_size)
{
	assert(command < N_COMMANDS && commands[command].most_words <= MOST_WORDS && err_size > 0);
	*line = (struct command_line){ .command = command };
	struct reader r = { line, words, n, 0, err, err_size };
	bool options = true;
	for (size_t i = 0; i < n && strcmp(words[i], "--") != 0; i++)
		line->help |= is_help(words[i]);
	for (; line->help && r.i < n; r.i++)
		if (!is_option(words[r.i]) && !is_help(words[r.i]) && line->n_words < MOST_WORDS)
			line->words[line->n_words++] = words[r.i];
	for (; r.i < n; r.i++)
		if (read_word(&r, &options))
			return -1;
	return 0;
}

bool option_given(const struct command_line *line, enum option_id id)
{
	assert(id < N_OPTIONS);
	return line->values[id].at > 0;
}

bool option_says_yes(const struct command_line *line, enum option_id id)
{
	assert(id < N_OPTIONS);
	if (line->values[id].at)
		return !line->values[id].no;
	for (size_t i = 0; i < n_option_rows; i++)
		if (option_rows[i].id == id && has(line->command, &option_rows[i]))
			return option_rows[i].kind == SWITCH_ON;
	return false;
}

bool option_wants_colour(const struct command_line *line)
{
	const struct option_value *v = &line->values[OPTION_COLOR];
	return v->at && v->number == COLOUR_ALWAYS;
}

/* --- Help --- */

char *option_usage(const struct option_row *row, char *buf, size_t size)
{
	char name[40];
	option_spelling(row, name, sizeof name);
	if (row->kind == TAKES_COLOR)
		snprintf(buf, size, "%s[=%s]", name, row->value);
	else
		snprintf(buf, size, "%s%s%s", name, row->value ? " " : "",
			row->value ? row->value : "");
	return buf;
}

char *option_help(const struct option_row *row, char *buf, size_t size)
{
	if (row->kind == TAKES_NUMBER && row->most < UINT64_MAX)
		snprintf(buf, size, "%s (%" PRIu64 " to %" PRIu64 ")", row->help, row->least,
			row->most);
	else
		snprintf(buf, size, "%s", row->help);
	return buf;
}

static void print_option(const struct option_row *row, int width, FILE *out)
{
	enum { COLUMNS = 80 };
	char usage[80], help[400];
	const char *text = option_help(row, help, sizeof help),
		   *lead = option_usage(row, usage, sizeof usage);
	struct text_line piece;
	while (text_wrap(&text, COLUMNS - width - 4, GLYPHS_ASCII, &piece)) {
		fprintf(out, "  %-*s  %.*s\n", width, lead, (int)piece.bytes, piece.start);
		lead = "";
	}
}

static void print_summary(const struct command *c, FILE *out)
{
	fprintf(out, "%c%s.\n", toupper((unsigned char)c->summary[0]), c->summary + 1);
	if (c->more)
		fprintf(out, "\n%s", c->more);
}

int command_help(enum command_id command, FILE *out)
{
	assert(command < N_COMMANDS);
	const struct command *c = &commands[command];
	const struct option_row *row;
	int width = 0;
	for (size_t i = 0; (row = option_of(command, i)); i++) {
		char usage[80];
		int n = (int)strlen(option_usage(row, usage, sizeof usage));
		width = n > width ? n : width;
	}
	fprintf(out, "usage: ridge %s%s%s [OPTION ...]\n\n", c->name, *c->words ? " " : "",
		c->words);
	print_summary(c, out);
	fputc('\n', out);
	for (size_t i = 0; (row = option_of(command, i)); i++)
		print_option(row, width, out);
	return ferror(out) ? -1 : 0;
}

int command_markdown(enum command_id command, FILE *out)
{
	assert(command < N_COMMANDS);
	const struct command *c = &commands[command];
	const struct option_row *row;
	fprintf(out, "## ridge %s\n\n    ridge %s%s%s [OPTION ...]\n\n", c->name, c->name,
		*c->words ? " " : "", c->words);
	print_summary(c, out);
	fprintf(out, "\n| option | does |\n| --- | --- |\n");
	for (size_t i = 0; (row = option_of(command, i)); i++) {
		char usage[80], help[400];
		fprintf(out, "| `%s` | %s |\n", option_usage(row, usage, sizeof usage),
			option_help(row, help, sizeof help));
	}
	return ferror(out) ? -1 : 0;
}
