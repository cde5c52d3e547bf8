#include "ui/term/environment.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

static const char *env(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "";
}

static void choose_depth(struct environment *e, enum colour_choice choice)
{
	const char *colorterm = env("COLORTERM");
	e->depth = DEPTH_RGB;
	e->why_depth = "as many as the terminal's terminfo entry has";
	if (choice == COLOUR_NEVER) {
		e->depth = DEPTH_NONE;
		e->why_depth = "--color=never";
	} else if (choice == COLOUR_ALWAYS) {
		e->why_depth = "--color=always";
	} else if (*env("NO_COLOR")) {
		e->depth = DEPTH_NONE;
		e->why_depth = "NO_COLOR is set";
	} else if (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0) {
		e->why_depth =
			"COLORTERM says direct colour; what terminfo lacks falls back to 256";
	}
}

/* COLORFGBG is "foreground;background" in the palette of 16; 7 and 9 to 15 are light. */
static void choose_background(struct environment *e)
{
	const char *last = strrchr(env("COLORFGBG"), ';');
	int index = last ? atoi(last + 1) : 0;
	e->background = index == 7 || index > 8 ? BACKGROUND_LIGHT : BACKGROUND_DARK;
	e->why_background =
		last ? "COLORFGBG" : "dark unless COLORFGBG or RIDGE_BACKGROUND says light";
	if (strcmp(env("RIDGE_BACKGROUND"), "light") == 0) {
		e->background = BACKGROUND_LIGHT;
		e->why_background = "RIDGE_BACKGROUND";
	} else if (strcmp(env("RIDGE_BACKGROUND"), "dark") == 0) {
		e->background = BACKGROUND_DARK;
		e->why_background = "RIDGE_BACKGROUND";
	}
}

struct environment environment_read(enum colour_choice choice, bool braille)
{
	struct environment e = { 0 };
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
		e.glyphs = GLYPHS_ASCII;
		e.why_glyphs = "the locale is not UTF-8";
	} else if (braille) {
		e.glyphs = GLYPHS_BRAILLE;
		e.why_glyphs = "chosen with the key b";
	} else {
		e.glyphs = GLYPHS_LINES;
		e.why_glyphs =
			"UTF-8 locale; line drawing and blocks are in every font (b: braille)";
	}
	choose_depth(&e, choice);
	choose_background(&e);
	return e;
}

int colour_choice_read(const char *text)
{
	static const char *const names[] = { "auto", "always", "never" };
	for (int i = 0; i < 3; i++)
		if (strcmp(text, names[i]) == 0)
			return i;
	return -1;
}
