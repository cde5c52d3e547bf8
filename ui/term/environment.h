/* What the locale, the environment, the options and the terminal itself say about glyphs and
 * colours, and why each was chosen (`ridge info` prints it). */
#ifndef RIDGE_UI_TERM_ENVIRONMENT_H
#define RIDGE_UI_TERM_ENVIRONMENT_H

#include "ui/term/reply.h"
#include "ui/term/theme.h"

enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
struct environment {
	enum glyphs glyphs;
	bool octants;            /* the terminal is known to draw them */
	bool scales;             /* and text in larger sizes: it said its name itself */
	enum colour_depth depth; /* at most; the terminal may have fewer */
	bool direct;             /* direct colour is understood, whatever terminfo says */
	enum background background;
	char terminal[LONGEST_NAME + 1]; /* what choices are kept by: "kitty", "tmux", "linux" */
	const char *why_glyphs, *why_depth, *why_background;
};

/* What decides beside the environment. */
struct wishes {
	enum colour_choice colour;
	/* An enum glyphs that the user chose in the terminal of that name; -1: none. NULL: nobody
	 * ever chose. */
	int (*chosen)(const void *context, const char *terminal);
	const void *context;
	const struct terminal_said *said; /* NULL: the terminal was not asked */
};

/* To be called after setlocale(LC_CTYPE, ""). */
struct environment environment_read(const struct wishes *w);
/* Glyphs of what is printed: as RIDGE_GLYPHS has it, or the locale. */
enum glyphs environment_glyphs(void);
/* From now on, and in the programs that this one starts, these are asked for: RIDGE_GLYPHS. */
void environment_wish(enum glyphs glyphs);
extern const char *const colour_choice_names[]; /* NULL-terminated, in the order of the choices */
/* The choice that "auto", "always" or "never" names; -1: it is another word. */
int colour_choice_read(const char *text);

/* Whether it can be asked what it is: some answer with garbage on the screen, or none. */
bool environment_asks(void);
/* The same for the modes that it has. */
bool environment_asks_modes(void);
/* Whether text for the clipboard would be shown instead. */
bool environment_takes_clipboard(void);

/* Whether a terminal that calls itself "kitty(0.40.1)" or "WezTerm 20250301-..." draws octants by
 * itself, without a font that has them. */
bool draws_octants(const char *name);
/* Whether such a terminal draws text in larger sizes (OSC 66, from kitty 0.40 on). What stands between
 * it and this program would not pass it on: a multiplexer answers with a name of its own. */
bool draws_scaled_text(const char *name);

#endif
