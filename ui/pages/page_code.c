/* Very light highlighting of code: comments are dim, strings have a colour. */
#include "ui/pages/page_build.h"

#include <string.h>

enum { TAB = 4 };

struct language {
	const char *names; /* between blanks */
	const char *comment;
	bool block_comments; /* as in C */
	const char *quotes;
	bool long_strings; /* """ */
};
static const struct language languages[] = {
	{ " python py pycon triton ", "#", false, "\"'", true },
	{ " c cpp c++ cuda cu h hpp rust go js ts java proto ", "//", true, "\"", false },
	{ " sh bash shell console zsh yaml yml toml make makefile dockerfile ini ", "#", false,
		"\"'", false },
	{ " json jsonl ", NULL, false, "\"", false },
	{ " sql lua ", "--", false, "'\"", false },
};

static const struct language *language_of(const char *info)
{
	char word[24] = " ";
	size_t n = strcspn(info, " \t{,");
	if (!n || n > sizeof word - 3)
		return NULL;
	strncat(word, info, n);
	strcat(word, " ");
	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
		if (strstr(languages[i].names, word))
			return &languages[i];
	return NULL;
}

static bool starts(const char *text, const char *with)
{
	return with && strncmp(text, with, strlen(with)) == 0;
}

static size_t up_to(const char *text, size_t from, const char *mark)
{
	const char *end = strstr(text + from, mark);
	return end ? (size_t)(end - text) + strlen(mark) : strlen(text);
}

/* Bytes of the string that begins here; an open one ends with its line. */
static size_t string_bytes(const char *text)
{
	for (size_t i = 1; text[i] && text[i] != '\n'; i++) {
		if (text[i] == text[0])
			return i + 1;
		if (text[i] == '\\' && text[i + 1] && text[i + 1] != '\n')
			i++;
	}
	return strcspn(text, "\n");
}

/* Bytes of a comment or string that begins at text[0], and its look; 0: neither begins here. */
static size_t special(
	const struct language *lang, const char *text, char before, struct piece *look)
{
	bool word = before && !strchr(" \t\n;", before);
	if (starts(text, lang->comment) && (!word || text[0] != '#')) {
		look->style = STYLE_DIM;
		return strcspn(text, "\n");
	}
	if (lang->block_comments && starts(text, "/*")) {
		look->style = STYLE_DIM;
		return up_to(text, 2, "*/");
	}
	if (!strchr(lang->quotes, text[0]))
		return 0;
	look->style = STYLE_SERIES + 2;
	if (lang->long_strings && (starts(text, "\"\"\"") || starts(text, "'''")))
		return up_to(text, 3, text[0] == '"' ? "\"\"\"" : "'''");
	return string_bytes(text);
}

/* Tabs become blanks up to the next stop; *column runs along. */
static void put(struct run *run, const char *text, size_t bytes, struct piece look, int *column)
{
	static const char blanks[TAB + 1] = "    ";
	while (bytes) {
		size_t n = 0;
		for (; n < bytes && text[n] != '\t'; n++)
			*column = text[n] == '\n' ? 0 : *column + ((text[n] & 0xc0) != 0x80);
		run_code(run, text, n, look);
		if (n < bytes) {
			int step = TAB - *column % TAB;
			run_code(run, blanks, (size_t)step, look);
			*column += step;
			n++;
		}
		text += n;
		bytes -= n;
	}
}

void code_collect(struct run *run, const char *text, const char *info)
{
	const struct piece code = { 0, STYLE_CODE, 0, -1, -1, 0 };
	const struct language *lang = language_of(info);
	size_t bytes = strlen(text), from = 0;
	int column = 0;
	if (bytes && text[bytes - 1] == '\n')
		bytes--;
	for (size_t i = 0; lang && i < bytes;) {
		struct piece look = code;
		size_t n = special(lang, text + i, i ? text[i - 1] : '\0', &look);
		if (!n) {
			i++;
			continue;
		}
		n = n > bytes - i ? bytes - i : n;
		put(run, text + from, i - from, code, &column);
		put(run, text + i, n, look, &column);
		i = from = i + n;
	}
	put(run, text + from, bytes - from, code, &column);
}
