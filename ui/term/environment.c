/* The nearest source wins: what somebody asked for, then what the terminal said of itself, then
 * what the environment lets one guess. The guess is what the first frame is drawn by. */
#include "ui/term/environment.h"

#include "sims/base/array.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *env(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "";
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* --- Which terminal --- */

/* GNU screen. Where one came from another machine, only TERM is left of it. */
static bool in_screen(void)
{
	return *env("STY") || (begins(env("TERM"), "screen") && !*env("TMUX"));
}

/* Something that shows what we write in a terminal of its own kind. */
static bool in_multiplexer(const struct terminal_said *said)
{
	const char *name = said ? said->name : "";
	return *env("TMUX") || *env("STY") || *env("ZELLIJ") || begins(env("TERM"), "screen") ||
	       begins(env("TERM"), "tmux") || begins(name, "tmux") || begins(name, "Zellij");
}

/* A terminal, from this version on. */
struct version {
	const char *name;
	int major, minor;
};

/* Whether it calls itself by that name, with that version or a later one behind it. */
static bool is_since(const char *name, struct version v)
{
	size_t n = strlen(v.name);
	int major = 0, minor = 0;
	if (strncmp(name, v.name, n) != 0 || (name[n] != ' ' && name[n] != '(') ||
		sscanf(name + n + 1, "%9d.%9d", &major, &minor) < 1)
		return false;
	return major > v.major || (major == v.major && minor >= v.minor);
}

/* These draw octants by themselves from a version on: kitty 0.40, foot 1.20, Ghostty 1.2 (its pull
 * request 5433), VTE 0.78 (it counts 7800). WezTerm was asked for them in December 2024 (its issue
 * 6494), after its last release with a number, so only builds of a later date have them. */
bool draws_octants(const char *name)
{
	static const struct version rows[] = { { "kitty", 0, 40 }, { "foot", 1, 20 },
		{ "ghostty", 1, 2 }, { "VTE", 7800, 0 }, { "WezTerm", 20250301, 0 } };
	for (size_t i = 0; i < LENGTH(rows); i++)
		if (is_since(name, rows[i]))
			return true;
	return false;
}

/* kitty's text sizing protocol says that it came with 0.40. */
bool draws_scaled_text(const char *name)
{
	return is_since(name, (struct version){ "kitty", 0, 40 });
}

/* "kitty" of "kitty(0.40.1)": the same terminal after its next update. */
static void short_name(char out[LONGEST_NAME + 1], const char *name)
{
	size_t n = strcspn(name, " (");
	snprintf(out, LONGEST_NAME + 1, "%.*s", (int)n, name);
}

/* What it calls itself, else what the environment calls it. */
static void name_terminal(struct environment *e, const struct terminal_said *said)
{
	const char *program = env("TERM_PROGRAM");
	if (said && *said->name)
		short_name(e->terminal, said->name);
	else if (in_multiplexer(NULL))
		strcpy(e->terminal, *env("ZELLIJ") ? "zellij" : in_screen() ? "screen" : "tmux");
	else
		short_name(e->terminal, *program ? program : env("TERM"));
}

static bool knows_octants(const struct terminal_said *said)
{
	char name[2 * LONGEST_NAME];
	if (in_multiplexer(said))
		return false;
	if (said && *said->name)
		return draws_octants(said->name);
	snprintf(
		name, sizeof name, "%.40s %.40s", env("TERM_PROGRAM"), env("TERM_PROGRAM_VERSION"));
	return draws_octants(name);
}

/* Terminals that are known to swallow a question that they do not understand. */
bool environment_asks(void)
{
	static const char *const kinds[] = { "xterm", "tmux", "screen", "foot", "kitty",
		"alacritty", "wezterm", "ghostty", "contour", "vte", "gnome", "konsole", "st-",
		"rio", "mintty", "mlterm", "iTerm", "rxvt" };
	bool known = false;
	for (size_t i = 0; i < LENGTH(kinds); i++)
		known |= begins(env("TERM"), kinds[i]);
	return known && !in_screen();
}

/* Apple's Terminal shows the last letter of the question on the screen. */
bool environment_asks_modes(void)
{
	return environment_asks() && strcmp(env("TERM_PROGRAM"), "Apple_Terminal") != 0;
}

/* Apple's Terminal does not know the sequence; in screen it has to be wrapped, and in an editor of
 * Emacs it is text. */
bool environment_takes_clipboard(void)
{
	return environment_asks() && strcmp(env("TERM_PROGRAM"), "Apple_Terminal") != 0 &&
	       !*env("INSIDE_EMACS");
}

/* --- Colours --- */

static void choose_depth(struct environment *e, enum colour_choice choice)
{
	const char *colorterm = env("COLORTERM");
	e->depth = DEPTH_RGB;
	e->why_depth = "as many as the terminal's terminfo entry has";
	if (choice == COLOUR_NEVER) {
		e->depth = DEPTH_NONE;
		e->why_depth = "--color=never";
		return;
	}
	if (choice == COLOUR_AUTO && *env("NO_COLOR")) {
		e->depth = DEPTH_NONE;
		e->why_depth = "NO_COLOR is set";
		return;
	}
	bool says = strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0;
	e->direct = says && !in_screen();
	if (e->direct)
		e->why_depth = "COLORTERM says direct colour";
	else if (says)
		e->why_depth = "as many as terminfo has: screen does not pass direct colour on";
	else if (choice == COLOUR_ALWAYS)
		e->why_depth = "--color=always";
}

/* COLORFGBG is "foreground;background" in the palette of 16; 7 and 9 to 15 are light. */
static void choose_background(struct environment *e, const struct terminal_said *said)
{
	const char *last = strrchr(env("COLORFGBG"), ';'), *wish = env("RIDGE_BACKGROUND");
	int index = last ? atoi(last + 1) : 0;
	bool light = index == 7 || index > 8;
	e->why_background = last ? "COLORFGBG"
				 : "dark unless the terminal, COLORFGBG or RIDGE_BACKGROUND says "
				   "light";
	if (said && said->has_background) {
		light = said->light;
		e->why_background = "the terminal says so";
	}
	if (strcmp(wish, "light") == 0 || strcmp(wish, "dark") == 0) {
		light = *wish == 'l';
		e->why_background = "RIDGE_BACKGROUND";
	}
	e->background = light ? BACKGROUND_LIGHT : BACKGROUND_DARK;
}

/* --- Glyphs --- */

static bool is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void choose_glyphs(struct environment *e, const struct wishes *w)
{
	int named = glyphs_named(env("RIDGE_GLYPHS"));
	int chosen = w->chosen ? w->chosen(w->context, e->terminal) : -1;
	e->octants = knows_octants(w->said);
	e->scales = w->said && !in_multiplexer(w->said) && draws_scaled_text(w->said->name);
	if (named >= 0) {
		e->glyphs = (enum glyphs)named;
		e->why_glyphs = "--glyphs or RIDGE_GLYPHS";
	} else if (!is_utf8()) {
		e->glyphs = GLYPHS_ASCII;
		e->why_glyphs = "the locale is not UTF-8";
	} else if (chosen >= 0 && (chosen != GLYPHS_OCTANTS || e->octants)) {
		e->glyphs = (enum glyphs)chosen;
		e->why_glyphs = "chosen in this terminal with the key b";
	} else if (strcmp(env("TERM"), "linux") == 0) {
		e->glyphs = GLYPHS_LINES;
		e->why_glyphs = "the Linux console has no braille";
	} else if (e->octants) {
		e->glyphs = GLYPHS_OCTANTS;
		e->why_glyphs = "this terminal draws them itself";
	} else {
		e->glyphs = GLYPHS_BRAILLE;
		e->why_glyphs = "the locale is UTF-8 (b: others)";
	}
}

struct environment environment_read(const struct wishes *w)
{
	struct environment e = { 0 };
	name_terminal(&e, w->said);
	choose_glyphs(&e, w);
	choose_depth(&e, w->colour);
	choose_background(&e, w->said);
	return e;
}

enum glyphs environment_glyphs(void)
{
	int named = glyphs_named(env("RIDGE_GLYPHS"));
	return named >= 0 ? (enum glyphs)named : is_utf8() ? GLYPHS_BRAILLE : GLYPHS_ASCII;
}

void environment_wish(enum glyphs glyphs)
{
	setenv("RIDGE_GLYPHS", glyph_names[glyphs], 1);
}

const char *const colour_choice_names[] = { "auto", "always", "never", NULL };

int colour_choice_read(const char *text)
{
	for (int i = 0; colour_choice_names[i]; i++)
		if (strcmp(text, colour_choice_names[i]) == 0)
			return i;
	return -1;
}
