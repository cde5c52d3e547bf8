#include "ui/pages/page_code.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"

#include <ctype.h>
#include <string.h>

enum { TAB = 4 };

struct language {
	const char *names; /* between blanks */
	const char *comment;
	bool block_comments; /* as in C */
	const char *quotes;
	bool long_strings, characters; /* """ and 'x' */
	const char *keywords;          /* between blanks; NULL: none are highlighted */
};
static const struct language languages[] = {
	{ " python py pycon triton ", "#", false, "\"'", true, false,
		" and as assert async await break class continue def del elif else except"
		" finally for from global if import in is lambda nonlocal not or pass raise"
		" return try while with yield None True False " },
	{ " c cpp c++ cuda cu h hpp ", "//", true, "\"", false, true,
		" auto bool break case char class const constexpr continue default do double"
		" else enum extern false float for goto if inline int long namespace return"
		" short signed sizeof static struct switch template true typedef typename union"
		" unsigned using void volatile while __device__ __global__ __host__ __restrict__"
		" __shared__ " },
	{ " rust go js ts java proto ", "//", true, "\"", false, true, NULL },
	{ " sh bash shell console zsh ", "#", false, "\"'", false, false,
		" case do done elif else esac exit export fi for function if in local return set"
		" shift then unset until while " },
	{ " yaml yml toml make makefile dockerfile ini ", "#", false, "\"'", false, false, NULL },
	{ " json jsonl ", NULL, false, "\"", false, false, " true false null " },
	{ " sql lua ", "--", false, "'\"", false, false, NULL },
};

/* Whether a list of words, with blanks around each, has this one. */
static bool has_word(const char *list, const char *text, size_t n)
{
	char word[24] = " ";
	if (!n || n > sizeof word - 3)
		return false;
	strncat(word, text, n);
	strcat(word, " ");
	return strstr(list, word) != NULL;
}

static const struct language *language_of(const char *info)
{
	size_t n = strcspn(info, " \t{,");
	for (size_t i = 0; i < LENGTH(languages); i++)
		if (has_word(languages[i].names, info, n))
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

/* Bytes of the string that begins here. A string that is not closed ends with its line. */
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

/* Bytes of a character such as 'x' or '\n'. 0: the quote does not close at once, so it is something
 * else, such as a lifetime in Rust. */
static size_t character_bytes(const char *text)
{
	enum { LONGEST_ESCAPE = 12, LONGEST = 6 }; /* '\U0001f600', four bytes of UTF-8 */
	const size_t most = text[1] == '\\' ? LONGEST_ESCAPE : LONGEST;
	for (size_t i = text[1] == '\\' ? 3 : 2; i < most && text[i - 1]; i++)
		if (text[i] == '\'')
			return i + 1;
	return 0;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Bytes of a number such as 42, 0x1p-3, 1.5e-6f or 1_000. */
static size_t number_bytes(const char *text)
{
	size_t n = 1;
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	while (in_word(text[n]) || text[n] == '.' ||
		((text[n] == '+' || text[n] == '-') && isdigit((unsigned char)text[n + 1]) &&
			strchr(hex ? "pP" : "eE", text[n - 1])))
		n++;
	return text[n - 1] == '.' && n > 1 ? n - 1 : n;
}

/* Bytes of a word; a keyword gets its look. */
static size_t word_bytes(const struct language *lang, const char *text, struct page_piece *look)
{
	size_t n = 1;
	while (in_word(text[n]))
		n++;
	if (lang->keywords && has_word(lang->keywords, text, n))
		look->attr = ATTR_BOLD;
	return n;
}

/* Bytes of the token that begins at text[0], and its look. `before` is the character before it. */
static size_t token(
	const struct language *lang, const char *text, char before, struct page_piece *look)
{
	enum { STRING = STYLE_SERIES + 2, NUMBER = STYLE_SERIES };
	bool follows = before && !strchr(" \t\n;", before);
	if (starts(text, lang->comment) && (!follows || text[0] != '#')) {
		look->style = STYLE_DIM;
		return strcspn(text, "\n");
	}
	if (lang->block_comments && starts(text, "/*")) {
		look->style = STYLE_DIM;
		return up_to(text, 2, "*/");
	}
	if (strchr(lang->quotes, text[0])) {
		look->style = (enum style)STRING;
		if (lang->long_strings && (starts(text, "\"\"\"") || starts(text, "'''")))
			return up_to(text, 3, text[0] == '"' ? "\"\"\"" : "'''");
		return string_bytes(text);
	}
	if (lang->characters && text[0] == '\'' && character_bytes(text)) {
		look->style = (enum style)STRING;
		return character_bytes(text);
	}
	if (isdigit((unsigned char)text[0])) {
		look->style = (enum style)NUMBER;
		return number_bytes(text);
	}
	return in_word(text[0]) ? word_bytes(lang, text, look) : 1;
}

/* Appends text, with tabs as blanks up to the next stop. *column counts along. */
static void put(
	struct page_run *run, const char *text, size_t bytes, struct page_piece look, int *column)
{
	static const char blanks[TAB + 1] = "    ";
	while (bytes) {
		size_t n = 0;
		for (; n < bytes && text[n] != '\t'; n++)
			*column = text[n] == '\n' ? 0 : *column + !utf8_continues(text[n]);
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

void code_collect(struct page_run *run, const char *text, const char *info)
{
	const struct page_piece code = PLAIN_PIECE(STYLE_CODE);
	const struct language *lang = language_of(info);
	size_t bytes = strlen(text);
	int column = 0;
	if (bytes && text[bytes - 1] == '\n')
		bytes--;
	if (!lang)
		put(run, text, bytes, code, &column);
	for (size_t i = 0; lang && i < bytes;) {
		struct page_piece look = code;
		size_t n = token(lang, text + i, i ? text[i - 1] : '\0', &look);
		n = n > bytes - i ? bytes - i : n;
		put(run, text + i, n, look, &column);
		i += n;
	}
}
