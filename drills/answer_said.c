#include "drills/answer_said.h"

#include "sims/base/array.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A word ends at these; the signs among them belong to it: "it is: 3", "about, 3". */
static const char blanks[] = " \t,:=~";

static bool is_word(const char *text, size_t n, const char *word)
{
	return strlen(word) == n && strncasecmp(word, text, n) == 0;
}

/* Behind the words that hedge. */
static const char *after_hedges(const char *text)
{
	static const char *const words[] = { "about", "around", "roughly", "approximately",
		"approx", "approx.", "circa", "ca", "ca.", "nearly", "almost", "maybe", "perhaps",
		"probably", "say", "so", "like", "is", "are", "it", "it's", "its", "i", "i'd",
		"guess", "think", "a", "an" };
	text += strspn(text, " \t~");
	for (;;) {
		const size_t n = strcspn(text, blanks);
		bool hedges = false;
		for (size_t i = 0; i < LENGTH(words) && n; i++)
			hedges |= is_word(text, n, words[i]);
		if (!hedges)
			return text;
		text += n;
		text += strspn(text, blanks);
	}
}

/* Cuts the words that hedge off the end. */
static void cut_hedges(char *text)
{
	static const char *const words[] = { " or so", " about", " roughly", " approximately",
		" approx", " approx.", " give or take", " i think", " i guess", " maybe", "." };
	bool cut = true;
	while (cut) {
		size_t n = strlen(text);
		while (n && strchr(" \t,", text[n - 1]))
			text[--n] = '\0';
		cut = false;
		for (size_t i = 0; i < LENGTH(words) && !cut; i++) {
			const size_t m = strlen(words[i]);
			cut = n > m && strcasecmp(text + n - m, words[i]) == 0;
			if (cut)
				text[n - m] = '\0';
		}
	}
}

/* The number that a word counts; 0: none. */
static int count_of(const char *word, size_t n)
{
	static const char *const names[] = { "one", "two", "three", "four", "five", "six", "seven",
		"eight", "nine" };
	for (size_t i = 0; i < LENGTH(names); i++)
		if (is_word(word, n, names[i]))
			return (int)i + 1;
	return 0;
}

/* What a word divides by; 0: nothing. */
static int part_of(const char *word, size_t n)
{
	static const struct {
		const char *one, *many;
		int by;
	} names[] = { { "half", "halves", 2 }, { "third", "thirds", 3 },
		{ "quarter", "quarters", 4 }, { "fourth", "fourths", 4 }, { "fifth", "fifths", 5 },
		{ "sixth", "sixths", 6 }, { "seventh", "sevenths", 7 }, { "eighth", "eighths", 8 },
		{ "ninth", "ninths", 9 }, { "tenth", "tenths", 10 } };
	for (size_t i = 0; i < LENGTH(names); i++)
		if (is_word(word, n, names[i].one) || is_word(word, n, names[i].many))
			return names[i].by;
	return 0;
}

char *answer_said(const char *text, char *buf, size_t size)
{
	const char *at = after_hedges(text);
	size_t n = strcspn(at, blanks);
	const int count = count_of(at, n);
	const char *part = count ? at + n + strspn(at + n, " \t") : at;
	n = strcspn(part, " \t,.");
	const int by = part_of(part, n);
	if (by)
		snprintf(buf, size, "%d/%d%s", count ? count : 1, by, part + n);
	else if (count)
		snprintf(buf, size, "%d %s", count, part);
	else
		snprintf(buf, size, "%s", at);
	cut_hedges(buf);
	return buf;
}
