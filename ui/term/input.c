/* The bytes are cut into tokens from the front: first the keys that this terminal is known to send,
 * then escape sequences by their second byte, as ECMA-48 and xterm have them, else one character.
 * A token of no bytes says that more are needed. */
#include "ui/term/input.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"
#include "ui/term/keys.h"

#include <assert.h>
#include <string.h>

enum { ESC = 27, BEL = 7, DEL = 127 };

/* What the first bytes of a buffer stand for. */
struct token {
	size_t bytes; /* 0: unfinished */
	uint32_t key;
	int row, col;
	struct reply reply;
	bool event; /* false: to be dropped */
};

static struct token key_token(size_t bytes, uint32_t key)
{
	return (struct token){ .bytes = bytes, .key = key, .event = true };
}

static struct token dropped(size_t bytes)
{
	return (struct token){ .bytes = bytes };
}

/* What the terminal says of itself; other sequences of that form are dropped. */
static struct token said(const unsigned char *p, size_t bytes)
{
	struct token t = key_token(bytes, KEY_REPLY);
	return reply_read((const char *)p, bytes, &t.reply) ? t : dropped(bytes);
}

static struct token unfinished(void)
{
	return (struct token){ 0 };
}

void input_name_key(struct input *in, const char *bytes, uint32_t key)
{
	size_t n = strlen(bytes);
	if (n == 0 || n > LONGEST_NAMED_KEY || in->n_named == MAX_NAMED_KEYS)
		return;
	memcpy(in->named[in->n_named].bytes, bytes, n + 1);
	in->named[in->n_named++].key = key;
}

size_t input_room(const struct input *in)
{
	return INPUT_ROOM - in->n;
}

void input_add(struct input *in, const char *bytes, size_t n)
{
	if (n > input_room(in))
		n = input_room(in);
	memcpy(in->bytes + in->n, bytes, n);
	in->n += n;
}

/* A key that this terminal is known to send. False: the bytes are none of these; *may_be: with more
 * bytes they could be. */
static bool named(const struct input *in, struct token *t, bool *may_be)
{
	bool found = false;
	*may_be = false;
	for (size_t i = 0; i < in->n_named; i++) {
		size_t n = strlen(in->named[i].bytes);
		size_t common = n < in->n ? n : in->n;
		if (memcmp(in->bytes, in->named[i].bytes, common) != 0)
			continue;
		if (n > in->n) {
			*may_be = true;
		} else if (!found || n > t->bytes) {
			*t = key_token(n, in->named[i].key);
			found = true;
		}
	}
	return found;
}

/* A code point that was typed. Bytes that are not UTF-8 are dropped one by one. */
static struct token character(const unsigned char *p, size_t n)
{
	char bytes[5] = { 0 };
	const char *end = bytes;
	size_t length = (size_t)utf8_lead_bytes((char)*p);
	if (*p == '\n')
		return key_token(1, KEY_ENTER_);
	if (length <= 1)
		return length ? key_token(1, *p) : dropped(1);
	for (size_t i = 0; i < length; i++) {
		if (i == n)
			return unfinished();
		bytes[i] = (char)p[i];
		if (i > 0 && !utf8_continues(bytes[i]))
			return dropped(1);
	}
	uint32_t code = utf8_next(&end);
	if (end != bytes + length) /* too long a form, a surrogate, beyond Unicode */
		return dropped(1);
	return code < 0xa0 ? dropped(length) : key_token(length, code); /* a control character */
}

/* The numbers between "ESC [" and the last byte; missing ones are 0. */
static size_t numbers(const unsigned char *p, size_t n, int out[], size_t room)
{
	size_t count = 0;
	memset(out, 0, room * sizeof *out);
	for (size_t i = 0; i < n && count < room; i++) {
		if (p[i] == ';')
			count++;
		else if (p[i] >= '0' && p[i] <= '9' && out[count] < 100000)
			out[count] = out[count] * 10 + (p[i] - '0');
	}
	return count < room ? count + 1 : room;
}

static struct token mouse(size_t bytes, int button, int col, int row, bool pressed)
{
	enum { MOTION = 32, WHEEL = 64 };
	struct token t = { .bytes = bytes, .row = row - 1, .col = col - 1, .event = true };
	if (!pressed || row < 1 || col < 1)
		return dropped(bytes);
	if (button == WHEEL || button == WHEEL + 1)
		t.key = button == WHEEL ? KEY_WHEEL_UP : KEY_WHEEL_DOWN;
	else if (button == 0 || button == MOTION)
		t.key = button == 0 ? KEY_MOUSE_CLICK : KEY_MOUSE_DRAG;
	else
		t.event = false;
	return t;
}

/* "ESC [ M" and three bytes: button, column and row, each with 32 added. */
static struct token old_mouse(const unsigned char *p, size_t n)
{
	enum { BYTES = 6, RELEASED = 3 };
	if (n < BYTES)
		return unfinished();
	return mouse(BYTES, p[3] - 32, p[4] - 32, p[5] - 32, p[3] - 32 != RELEASED);
}

static uint32_t letter_key(unsigned char letter)
{
	switch (letter) {
	case 'A':
		return KEY_UP_;
	case 'B':
		return KEY_DOWN_;
	case 'C':
		return KEY_RIGHT_;
	case 'D':
		return KEY_LEFT_;
	case 'H':
		return KEY_HOME_;
	case 'F':
		return KEY_END_;
	case 'Z':
		return KEY_BACKTAB_;
	default:
		return KEY_NONE_;
	}
}

static uint32_t number_key(int number)
{
	static const uint32_t keys[] = { KEY_NONE_, KEY_HOME_, KEY_NONE_, KEY_DELETE_, KEY_END_,
		KEY_PGUP_, KEY_PGDN_, KEY_HOME_, KEY_END_ };
	return number >= 0 && number < (int)LENGTH(keys) ? keys[number] : KEY_NONE_;
}

/* "ESC [ numbers letter", `bytes` long in all. */
static struct token control_key(const unsigned char *p, size_t bytes)
{
	enum { PASTE_BEGINS = 200, PASTE_ENDS = 201 };
	int v[3];
	unsigned char last = p[bytes - 1];
	size_t n = numbers(p + 2, bytes - 3, v, 3);
	bool modified = n > 1 && v[1] > 1;
	if (p[2] == '<' && (last == 'M' || last == 'm'))
		return mouse(bytes, v[0], v[1], v[2], last == 'M');
	if (p[2] >= '<' && p[2] <= '?')
		return said(p, bytes);
	if (last == '~' && (v[0] == PASTE_BEGINS || v[0] == PASTE_ENDS))
		return dropped(bytes);
	if (last == '~')
		return key_token(bytes, modified ? KEY_NONE_ : number_key(v[0]));
	if (letter_key(last) != KEY_NONE_)
		return key_token(bytes, modified ? KEY_NONE_ : letter_key(last));
	/* F1 to F4, the middle of the keypad, and the keys that some terminals send as a number. */
	if (last == 'R' && v[0] > 1) /* tells where the cursor is; F3 ends in R too */
		return said(p, bytes);
	if (last == 'E' || last == 'u' || (last >= 'P' && last <= 'S'))
		return key_token(bytes, KEY_NONE_);
	return dropped(bytes);
}

static struct token control_sequence(const unsigned char *p, size_t n)
{
	size_t i = 2;
	if (n > 2 && p[2] == 'M')
		return old_mouse(p, n);
	if (n > 2 && p[2] == '[') /* F1 to F5 of the Linux console */
		return n < 4 ? unfinished() : key_token(4, KEY_NONE_);
	while (i < n && p[i] >= 0x20 && p[i] < 0x40)
		i++;
	if (i == n)
		return unfinished();
	if (p[i] < 0x40 || p[i] >= DEL)
		return dropped(i); /* it breaks off; what follows is looked at by itself */
	return control_key(p, i + 1);
}

/* "ESC O letter": cursor and function keys, and the keypad. */
static struct token keypad_sequence(const unsigned char *p, size_t n)
{
	size_t i = 2;
	while (i < n && ((p[i] >= '0' && p[i] <= '9') || p[i] == ';'))
		i++;
	if (i == n)
		return unfinished();
	if (p[i] < 0x40 || p[i] >= DEL)
		return dropped(i);
	if (i > 2)
		return key_token(i + 1, KEY_NONE_);
	if (p[2] == 'M')
		return key_token(3, KEY_ENTER_);
	if (p[2] >= 'j' && p[2] <= 'y') /* the keypad's * + , - . / and digits */
		return key_token(3, p[2] - 0x40u);
	return key_token(3, letter_key(p[2]));
}

/* A string to a terminal or from one, up to BEL or "ESC \". */
static struct token string_sequence(const unsigned char *p, size_t n)
{
	for (size_t i = 2; i < n; i++) {
		if (p[i] == BEL)
			return said(p, i + 1);
		if (p[i] == ESC && i + 1 < n)
			return p[i + 1] == '\\' ? said(p, i + 2) : dropped(i);
	}
	return unfinished();
}

/* Alt and a key come as ESC and that key. */
static struct token alt_key(const unsigned char *p, size_t n)
{
	struct token t = character(p + 1, n - 1);
	return t.bytes ? key_token(t.bytes + 1, KEY_NONE_) : unfinished();
}

static struct token escape(const unsigned char *p, size_t n)
{
	if (n == 1)
		return unfinished();
	switch (p[1]) {
	case ESC:
		return key_token(1, KEY_ESC); /* Esc twice, or Esc and a key that begins with it */
	case '[':
		return control_sequence(p, n);
	case 'O':
		return keypad_sequence(p, n);
	case 'P':
	case 'X':
	case ']':
	case '^':
	case '_':
		return string_sequence(p, n);
	default:
		return alt_key(p, n);
	}
}

/* The first bytes of an answer: a string, a control sequence with a "?", or the place of the cursor
 * in the second row. */
static bool may_become_an_answer(const struct input *in)
{
	if (in->n < 2 || in->bytes[0] != ESC)
		return false;
	return in->bytes[1] == ']' || in->bytes[1] == 'P' ||
	       (in->bytes[1] == '[' && (in->n == 2 || in->bytes[2] == '?' || in->bytes[2] == '2'));
}

/* What was never finished: the Esc key, Alt with a key that begins a sequence, or a fragment. */
static struct token given_up(const struct input *in)
{
	if (in->n == 1 && in->bytes[0] == ESC)
		return key_token(1, KEY_ESC);
	if (in->n == 2 && in->bytes[0] == ESC)
		return key_token(2, KEY_NONE_);
	return dropped(in->n);
}

static struct token next_token(const struct input *in, bool silent)
{
	struct token t;
	bool may_be;
	if (!named(in, &t, &may_be)) {
		t = in->bytes[0] == ESC ? escape(in->bytes, in->n) : character(in->bytes, in->n);
		if (may_be && !silent)
			return unfinished();
	}
	bool waits = in->expects && may_become_an_answer(in);
	if (t.bytes == 0 && ((silent && !waits) || input_room(in) == 0))
		return given_up(in);
	return t;
}

enum input_state input_next(struct input *in, bool silent, struct input_event *e)
{
	assert(in->n <= INPUT_ROOM);
	while (in->n > 0) {
		struct token t = next_token(in, silent);
		if (t.bytes == 0)
			return INPUT_UNFINISHED;
		in->n -= t.bytes;
		memmove(in->bytes, in->bytes + t.bytes, in->n);
		if (t.event) {
			*e = (struct input_event){ t.key, t.row, t.col, t.reply };
			return INPUT_EVENT;
		}
	}
	return INPUT_EMPTY;
}
