/* The commands and their options, each written once. The command line, the words of a drill in the
 * explorer and line by line, --help, the messages that refuse a word, and docs/commands.md are all
 * read from these two tables.
 *
 * An option has one name. In the shell it is `--topic T` or `--topic=T`; as a word, where words are
 * typed (`ridge open drill topic=T`, `:drill topic=T`, `ridge frame drill topic=T`), it is
 * `topic=T`. One that is yes or no is `--json` or `--no-json`; `json=yes` or `json=no`. */
#ifndef RIDGE_UI_DATA_OPTIONS_H
#define RIDGE_UI_DATA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum command_id {
	COMMAND_OPEN,
	COMMAND_SIM,
	COMMAND_CALC,
	COMMAND_PLAN,
	COMMAND_MODEL,
	COMMAND_READ,
	COMMAND_SEARCH,
	COMMAND_DRILL,
	COMMAND_CASE,
	COMMAND_INTERVIEWS,
	COMMAND_PRESENT,
	COMMAND_STATS,
	COMMAND_DUE,
	COMMAND_CALENDAR,
	COMMAND_GRADE,
	COMMAND_VALIDATE,
	COMMAND_MEASURE,
	COMMAND_FRAME,
	COMMAND_INFO,
	N_COMMANDS
};

struct command {
	const char *name;
	const char *words; /* "NAME [knob=value ...]": what it takes beside options; "": nothing */
	const char *summary; /* what it does, after its name, without a capital or a full stop */
	const char *more;    /* lines for --help below the summary; NULL: it says all */
	size_t most_words;
};
extern const struct command commands[N_COMMANDS];

enum option_id {
	OPTION_ANSWERS,
	OPTION_AT,
	OPTION_ATTEMPTS,
	OPTION_AUTO,
	OPTION_BACKGROUND,
	OPTION_BIG,
	OPTION_CANDIDATE,
	OPTION_CASE,
	OPTION_CHECK,
	OPTION_CHOICE,
	OPTION_CODE,
	OPTION_COLOR,
	OPTION_COMMANDS,
	OPTION_COMPLETION,
	OPTION_COUNT,
	OPTION_CSV,
	OPTION_DROP,
	OPTION_EDIT,
	OPTION_EXPORT,
	OPTION_FIRST,
	OPTION_FOLDED,
	OPTION_FOLLOW,
	OPTION_GLYPHS,
	OPTION_HISTORY,
	OPTION_HTML,
	OPTION_NEW,
	OPTION_INTERVIEWER,
	OPTION_JSON,
	OPTION_KEYS,
	OPTION_KEY_TABLE,
	OPTION_LEVEL,
	OPTION_LICENCES,
	OPTION_MAN,
	OPTION_MARKDOWN,
	OPTION_MINUTES,
	OPTION_MODE,
	OPTION_NAME,
	OPTION_NOTES,
	OPTION_PACK,
	OPTION_PLAIN,
	OPTION_PLOT,
	OPTION_QUESTION,
	OPTION_QUICK,
	OPTION_RECORD,
	OPTION_SEED,
	OPTION_SHEET,
	OPTION_SHOW_KEYS,
	OPTION_SIZE,
	OPTION_STREAM,
	OPTION_SVG,
	OPTION_SVG_FOLDER,
	OPTION_TEXT,
	OPTION_TIME,
	OPTION_TOPIC,
	OPTION_V2,
	OPTION_VERSION,
	OPTION_VOTES,
	OPTION_WIDTH,
	N_OPTIONS
};

enum option_kind {
	SWITCH_OFF,   /* yes or no; no unless given */
	SWITCH_ON,    /* yes or no; yes unless --no-NAME is given */
	TAKES_TEXT,   /* not empty */
	TAKES_WORDS,  /* any number of words, none as well */
	TAKES_NUMBER, /* whole, from least to most */
	TAKES_SIZE,   /* COLSxROWS, 1 to 1000 each */
	TAKES_TIME,   /* seconds, or with a unit */
	TAKES_LENGTH, /* of a talk: 20m, 1h, 90s; a minute to a day */
	TAKES_CHOICE, /* one of a list of names */
	TAKES_COLOR   /* auto, always or never; always where no value is given */
};

/* An option may have several rows, when its help differs from command to command; a command has it
 * in one row at most. */
struct option_row {
	enum option_id id;
	enum option_kind kind;
	unsigned commands; /* a bit for each: 1u << COMMAND_SIM */
	const char *name;
	const char *value; /* what stands for the value in help; NULL: it takes none */
	const char *help;
	uint64_t least, most;       /* TAKES_NUMBER */
	const char *const *choices; /* TAKES_CHOICE: a NULL-terminated list */
	const char *expected;       /* TAKES_TEXT, TAKES_WORDS: what it should be, for messages */
};
extern const struct option_row option_rows[];
extern const size_t n_option_rows;

/* NULL: the command has no option of that name (without dashes). */
const struct option_row *option_find(enum command_id command, const char *name);
/* As the shell takes it and help shows it: "--json", or "--no-history" where yes is the rule.
 * Returns buf. */
char *option_spelling(const struct option_row *row, char *buf, size_t size);

enum { MOST_WORDS = 64 };

/* A command line that was read. Texts are those of the words that were given. */
struct command_line {
	enum command_id command;
	bool help; /* --help or -h is among the words: nothing else was read but `words` */
	const char *words[MOST_WORDS]; /* what is not an option */
	size_t n_words;
	struct option_value {
		unsigned at;      /* its place among the words, from 1; 0: it was not given */
		bool no;          /* a yes-or-no option that says no */
		const char *text; /* NULL where nothing was typed */
		uint64_t number;  /* a number; the place of a choice; an enum colour_choice */
		double seconds;
		int cols, rows;
	} values[N_OPTIONS];
};

/* Reads the words that follow a command's name. Those of a drill are options, too: "topic=memory",
 * and one without an equals sign is a topic. 0; or -1 and one line in err that says what was
 * wrong, what was expected, and the nearest option to one that is not known. */
int command_line_read(struct command_line *line, enum command_id command, const char *const words[],
	size_t n, char *err, size_t err_size);

/* A yes-or-no option: what was said, or else what holds without it. */
bool option_says_yes(const struct command_line *line, enum option_id id);
/* Whether it was given. */
bool option_given(const struct command_line *line, enum option_id id);
/* Whether a command that prints should use colours: only --color=always, or --color alone, asks for
 * them. */
bool option_wants_colour(const struct command_line *line);

/* What help shows of an option: "--size COLSxROWS", "--color[=WHEN]", "--no-history", and what it does,
 * with the range that the table knows. Return buf. */
char *option_usage(const struct option_row *row, char *buf, size_t size);
char *option_help(const struct option_row *row, char *buf, size_t size);
/* The options of a command in the order of help, --help last; NULL after that. */
const struct option_row *option_of(enum command_id command, size_t place);

/* The shells that completions are made for; NULL-terminated, and the places of their names. */
enum { SHELL_BASH, SHELL_ZSH, SHELL_FISH, N_SHELLS };
extern const char *const shell_names[N_SHELLS + 1];

/* Usage, what it does, its options. 0, or -1 on a write error. */
int command_help(enum command_id command, FILE *out);
/* The same as a section of Markdown. */
int command_markdown(enum command_id command, FILE *out);

/* "100x30" into cols and rows, 1..1000 each; -1 when it is not that. */
int size_read(const char *text, int *cols, int *rows);

#endif
