/* An answer is a control sequence with a "?" ("ESC [ ? 2026 ; 2 $ y") or a place, or a string
 * ("ESC ] 11 ; rgb:.. BEL"). Nothing in it is believed beyond its form: somebody may have typed or
 * pasted it. */
#include "ui/term/reply.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { ESC = 27, BEL = 7 };

/* One component, "ff" to "ffff", as a share of the most it can be. False: it is none. */
static bool read_component(const char **at, const char *end, double *share)
{
	long value = 0, most = 0;
	int digits = 0;
	for (; *at < end && digits < 4; (*at)++, digits++) {
		const char *hex = "0123456789abcdefABCDEF";
		const char *found = strchr(hex, **at);
		if (!**at || !found)
			break;
		long digit = found - hex;
		value = value * 16 + (digit < 16 ? digit : digit - 6);
		most = most * 16 + 15;
	}
	*share = most ? (double)value / (double)most : 0;
	return digits > 0;
}

/* "rgb:1e1e/1e1e/2e2e", or "rgba:" with one more. Light is what is nearer to white than to black,
 * by how bright the three lights look (ITU-R BT.709). */
static bool read_colour(const char *at, const char *end, bool *light)
{
	static const double weights[] = { 0.2126, 0.7152, 0.0722 };
	double luminance = 0, share;
	size_t prefix = strcspn(at, ":");
	if (strncmp(at, "rgb", 3) != 0 || prefix < 3 || prefix > 4 || at + prefix >= end)
		return false;
	at += prefix + 1;
	for (int i = 0; i < 3; i++) {
		if (i > 0 && (at == end || *at++ != '/'))
			return false;
		if (!read_component(&at, end, &share))
			return false;
		luminance += weights[i] * share;
	}
	*light = luminance > 0.5;
	return true;
}

static bool read_name(const char *at, const char *end, char name[LONGEST_NAME + 1])
{
	size_t n = 0;
	for (; at < end && n < LONGEST_NAME; at++)
		if (*at >= ' ' && *at <= '~')
			name[n++] = *at;
	name[n] = '\0';
	return n > 0;
}

/* The strings: what stands between their introduction and their end. */
static bool read_string(const char *bytes, size_t n, struct reply *a)
{
	char text[128];
	size_t tail = bytes[n - 1] == BEL ? 1 : 2;
	if (n < 4 + tail || n - 2 - tail >= sizeof text)
		return false;
	n -= 2 + tail;
	memcpy(text, bytes + 2, n);
	text[n] = '\0';
	if (bytes[1] == ']' && strncmp(text, "11;", 3) == 0 &&
		read_colour(text + 3, text + n, &a->light))
		a->kind = REPLY_BACKGROUND;
	else if (bytes[1] == 'P' && strncmp(text, ">|", 2) == 0 &&
		 read_name(text + 2, text + n, a->name))
		a->kind = REPLY_NAME;
	return a->kind != REPLY_NONE;
}

/* Only of the second row: "ESC [ 1 ; 2 R" is also what F3 sends with Shift. */
static bool read_place(const char *bytes, size_t n, struct reply *a)
{
	static const char second_row[] = "\033[2;";
	const size_t begins = sizeof second_row - 1;
	char text[8];
	int used = 0;
	if (n <= begins || n - begins >= sizeof text || memcmp(bytes, second_row, begins) != 0)
		return false;
	memcpy(text, bytes + begins, n - begins);
	text[n - begins] = '\0';
	if (sscanf(text, "%5d%n", &a->col, &used) == 1 && strcmp(text + used, "R") == 0)
		a->kind = REPLY_PLACE;
	return a->kind != REPLY_NONE;
}

static bool read_control(const char *bytes, size_t n, struct reply *a)
{
	enum { NOT_KNOWN, SET, RESET, DARK = 1, LIGHT = 2, COLOUR_SCHEME = 997 };
	char text[64];
	int first = 0, second = 0, used = 0;
	if (bytes[2] != '?')
		return read_place(bytes, n, a);
	if (n < 4 || n >= sizeof text)
		return false;
	memcpy(text, bytes + 3, n - 3);
	text[n - 3] = '\0';
	if (bytes[n - 1] == 'c') {
		a->kind = REPLY_LAST;
	} else if (sscanf(text, "%5d;%5d%n", &first, &second, &used) == 2) {
		if (strcmp(text + used, "$y") == 0) {
			a->kind = REPLY_MODE;
			a->mode = first;
			a->offered = second == SET || second == RESET;
		} else if (first == COLOUR_SCHEME && strcmp(text + used, "n") == 0 &&
			   (second == DARK || second == LIGHT)) {
			a->kind = REPLY_SCHEME;
			a->light = second == LIGHT;
		}
	}
	return a->kind != REPLY_NONE;
}

bool reply_read(const char *bytes, size_t n, struct reply *a)
{
	*a = (struct reply){ 0 };
	if (n < 4 || bytes[0] != ESC)
		return false;
	return bytes[1] == '[' ? read_control(bytes, n, a) : read_string(bytes, n, a);
}

bool said_add(struct terminal_said *s, const struct reply *a)
{
	switch (a->kind) {
	case REPLY_NONE:
		return false;
	case REPLY_BACKGROUND:
		s->has_background = true;
		s->light = a->light;
		return s->all;
	case REPLY_NAME:
		strcpy(s->name, a->name);
		return s->all;
	case REPLY_MODE:
		if (a->mode == MODE_SYNCHRONIZED)
			s->synchronized = a->offered;
		if (a->mode == MODE_SCHEME)
			s->follows = a->offered;
		return false;
	case REPLY_PLACE:
		s->tabs = a->col == COL_AFTER_TABS;
		return false;
	case REPLY_SCHEME: {
		bool other = !s->has_background || s->light != a->light;
		s->has_background = true;
		s->light = a->light;
		return other;
	}
	case REPLY_LAST: {
		bool first = !s->all;
		s->all = true;
		return first;
	}
	}
	return false;
}
