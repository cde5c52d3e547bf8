#include "ui/term/term.h"

#include "sims/base/array.h"
#include "ui/term/keys.h"
#include "ui/term/paint.h"
#include "ui/term/tty.h"

/* Its macros are why our own names of keys end in an underscore (KEY_UP_). */
#include <curses.h>
#include <term.h>

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* There is one terminal, and the way out at exit has nothing else to find it by. */
static struct {
	bool open, mouse;
	struct canvas shown;
	struct paint_caps caps;
	struct paint_words words; /* of a terminal outside ECMA-48: caps.words points to it */
	struct paint_state state;
	bool forget;                        /* what the terminal shows is not known */
	int cursor;                         /* 1 shown, 0 hidden, -1 not known */
	char clear[32], hide[16], show[32]; /* what clears the screen, hides and shows the cursor */
	int rows;
	int escape_ms; /* how long the rest of a sequence may take */
	struct input input;
	struct terminal_said said;
	bool asks, asks_modes; /* with the next frame, or before it */
	bool asked;            /* and the last answer has not come yet */
	int64_t asked_ms;
	int64_t (*clock_ms)(void);
	bool follows, announces; /* modes 2031 and 2026 are in use */
} term;

enum {
	ANSWERS_MS = 1000, /* no answer takes longer; one that does finds nobody who waits */
	DRAIN_MS = 150     /* how long the way out waits for them */
};

/* The ground's colour, name and version, two modes, where two tabs lead, and what every terminal
 * answers. */
static const char ask_background[] = "\033]11;?\033\\", ask_name[] = "\033[>q",
		  ask_modes[] = "\033[?2026$p\033[?2031$p", ask_tabs[] = "\033[2H\t\t\033[6n",
		  ask_last[] = "\033[c";
static const char follow_on[] = "\033[?2031h", follow_off[] = "\033[?2031l";
static const char frame_begins[] = "\033[?2026h", frame_ends[] = "\033[?2026l";
/* Presses, then where it can be had also motion with a button down, as numbers. */
static const char mouse_on[] = "\033[?1000h\033[?1002h\033[?1006h",
		  mouse_off[] = "\033[?1006l\033[?1002l\033[?1000l";

/* Capabilities are read from the fields of terminfo's entry (key_up), not looked up by name, which
 * takes memory that ncurses uses without looking whether it got any. A field is -1 where an entry
 * cancels what another one that it builds on has. */
static const char *valid(const char *capability)
{
	return capability != (const char *)-1 ? capability : NULL;
}

/* Bytes that are put together without memory from the heap: there may be none left. */
struct bytes {
	char at[256];
	size_t n;
};

/* A capability without its padding: $<5> asks to wait, which no terminal needs any more. */
static void put_string(struct bytes *out, const char *s)
{
	while (s && *s && out->n + 1 < sizeof out->at) {
		const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;
		if (end)
			s = end + 1;
		else
			out->at[out->n++] = *s++;
	}
	out->at[out->n] = '\0';
}

static void put_capabilities(struct bytes *out, const char *const capabilities[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_string(out, valid(capabilities[i]));
}

/* What gives the screen back: on a normal way out, when stopped, and to the signal handlers. */
static void put_restore(struct bytes *out)
{
	const char *const names[] = { orig_pair, exit_attribute_mode, exit_alt_charset_mode,
		cursor_normal, keypad_local };
	if (term.announces)
		put_string(out, frame_ends);
	if (term.mouse)
		put_string(out, mouse_off);
	if (term.follows)
		put_string(out, follow_off);
	put_capabilities(out, names, LENGTH(names));
	if (valid(exit_ca_mode)) {
		put_string(out, exit_ca_mode);
		return;
	}
	/* There is no other screen to go back to: the shell goes on in the last line. */
	const char *address = valid(cursor_address);
	if (address)
		put_string(out, tiparm(address, term.rows - 1, 0));
	put_string(out, valid(clr_eol));
}

static void prepare_restore(void)
{
	struct bytes out = { .n = 0 };
	put_restore(&out);
	tty_on_death(out.at, out.n);
}

static void take_screen(void)
{
	const char *const names[] = { enter_ca_mode, exit_insert_mode, enter_am_mode,
		exit_attribute_mode, exit_alt_charset_mode, keypad_xmit };
	struct bytes out = { .n = 0 };
	prepare_restore();
	tty_take();
	put_capabilities(&out, names, LENGTH(names));
	if (term.mouse)
		put_string(&out, mouse_on);
	if (term.follows)
		put_string(&out, follow_on);
	tty_write(out.at, out.n);
	term.cursor = -1;
	term.forget = true;
	term.said.tabs = false; /* the shell may have set others meanwhile */
}

/* Whether answers may still be on their way. */
static bool waits_for_answers(void)
{
	if (term.asked && term.clock_ms() - term.asked_ms > ANSWERS_MS) {
		term.asked = term.input.expects = false;
		tty_expects_answers(false);
	}
	return term.asked;
}

/* What the terminal says of itself. */
static bool hear(const struct reply *a)
{
	bool matters = said_add(&term.said, a);
	if (term.said.all && term.asked) {
		term.asked = term.input.expects = false;
		tty_expects_answers(false);
	}
	return matters;
}

/* Waits for answers that are still to come, so that none of them reaches the shell. What was typed
 * meanwhile goes with them. */
static void drain(void)
{
	struct input_event in;
	char bytes[INPUT_ROOM];
	int64_t until_ms = term.clock_ms() + DRAIN_MS;
	if (!waits_for_answers())
		return;
	for (int64_t left; term.asked && (left = until_ms - term.clock_ms()) > 0;) {
		if (tty_wait((int)left) != TTY_INPUT)
			continue;
		ssize_t n = tty_read(bytes, input_room(&term.input));
		if (n < 0)
			break;
		input_add(&term.input, bytes, (size_t)n);
		while (input_next(&term.input, false, &in) == INPUT_EVENT)
			if (in.key == KEY_REPLY)
				hear(&in.reply);
	}
	if (!term.asked)
		return;
	tty_discard();
	term.asked = term.input.expects = false;
	tty_expects_answers(false);
}

static void give_screen(void)
{
	struct bytes out = { .n = 0 };
	if (!tty_taken())
		return;
	put_restore(&out);
	tty_write(out.at, out.n);
	drain();
	tty_give();
}

/* setupterm ends the process where it gets no memory, without a word and with the terminal as it
 * is. So this asks first whether there is more than an entry takes (some 10 KB, at most 32 KB). */
static bool memory_left(void)
{
	enum { ENOUGH = 1 << 16 };
	void *probe = malloc(ENOUGH);
	free(probe);
	return probe != NULL;
}

static bool known(const char *name)
{
	int status;
	if (!memory_left())
		return false;
	if (setupterm(name, 1, &status) == ERR)
		return false;
	if (valid(cursor_address))
		return true;
	del_curterm(cur_term);
	return false;
}

/* Loads the terminfo entry of the terminal, or of one like it, which *note then names. False: none
 * of them is there. */
static bool load_entry(char *note, size_t note_size)
{
	static const char *const fallbacks[] = { "xterm-256color", "xterm", "vt100", "ansi" };
	const char *name = getenv("TERM");
	if (name && *name && known(name))
		return true;
	for (size_t i = 0; i < LENGTH(fallbacks); i++)
		if (known(fallbacks[i])) {
			snprintf(note, note_size,
				"no usable terminfo entry for TERM=\"%.40s\": using %s",
				name ? name : "", fallbacks[i]);
			return true;
		}
#ifdef RIDGE_TERMINFO
	/* ncurses takes an entry in place of where to look for it. */
	setenv("TERMINFO", RIDGE_TERMINFO, 1);
	bool goes = known(fallbacks[0]);
	unsetenv("TERMINFO"); /* programs that we start may know better */
	if (goes) {
		snprintf(note, note_size, "there is no terminfo here: using %s", fallbacks[0]);
		return true;
	}
#endif
	return false;
}

static enum colour_depth depth_of_terminal(void)
{
	int colours = max_colors;
	return colours >= 1 << 24 ? DEPTH_RGB
	       : colours >= 256   ? DEPTH_256
	       : colours >= 16    ? DEPTH_16
	       : colours >= 8     ? DEPTH_8
				  : DEPTH_NONE;
}

/* Whether the cursor is addressed as in ECMA-48, whatever padding follows. */
static bool is_ansi(void)
{
	static const char address[] = "\033[%i%p1%d;%p2%dH";
	const char *cup = valid(cursor_address), *el = valid(clr_eol);
	return cup && strncmp(cup, address, sizeof address - 1) == 0 && el &&
	       strncmp(el, "\033[K", 3) == 0;
}

/* A capability that is the same bytes each time; NULL: there is none, or it computes something. */
static const char *fixed(const char *capability)
{
	const char *text = valid(capability);
	return text && *text && !strchr(text, '%') ? text : NULL;
}

static const char *first_of(const char *a, const char *b)
{
	return a ? a : b ? b : "";
}

/* Without padding; "" where it is too long. */
static void copy_word(char *word, size_t size, const char *capability)
{
	struct bytes out = { .n = 0 };
	put_string(&out, capability);
	*word = '\0';
	if (out.n < size)
		memcpy(word, out.at, out.n + 1);
}

static void address_by_terminfo(char *buf, size_t size, int row, int col)
{
	copy_word(buf, size, tiparm(valid(cursor_address), row, col));
}

/* The colours of xterm count red as 1 and blue as 4; those of older terminals the other way. */
static int other_way(int colour)
{
	return (colour & 8) | (colour & 1) << 2 | (colour & 2) | (colour & 4) >> 2;
}

static bool learn_colours(int n)
{
	const char *newer = valid(set_a_foreground), *older = valid(set_foreground);
	for (int i = 0; i < n && i < PAINT_COLOURS; i++)
		copy_word(term.words.colours[i], PAINT_WORD,
			newer   ? tiparm(newer, i)
			: older ? tiparm(older, other_way(i))
				: "");
	return *term.words.colours[1];
}

/* Attributes that cannot be turned off are not turned on, nor those that take a cell for
 * themselves (magic cookies). Colours that exclude some attributes are left out instead. */
static void learn_words(void)
{
	enum { NOT_WITH_COLOURS = 1 | 2 | 4 | 32 /* standout, underline, reverse, bold */ };
	struct paint_words *w = &term.words;
	const char *off = fixed(exit_attribute_mode);
	const char *end_reverse = off ? off : fixed(exit_standout_mode);
	bool cookies = magic_cookie_glitch >= 0;
	bool colours = fixed(orig_pair) && term.caps.depth >= DEPTH_8 &&
		       !(no_color_video > 0 && (no_color_video & NOT_WITH_COLOURS));
	*w = (struct paint_words){ .address = address_by_terminfo,
		.moves_in_style = move_standout_mode };
	copy_word(w->erase, PAINT_WORD, fixed(clr_eol));
	if (end_reverse && !cookies) {
		copy_word(w->plain, PAINT_WORD, end_reverse);
		copy_word(w->reverse, PAINT_WORD,
			first_of(fixed(enter_reverse_mode), fixed(enter_standout_mode)));
	}
	if (off && *w->plain) {
		copy_word(w->bold, PAINT_WORD, fixed(enter_bold_mode));
		copy_word(w->underline, PAINT_WORD, fixed(enter_underline_mode));
	}
	term.caps.depth = term.caps.depth < DEPTH_16 ? term.caps.depth : DEPTH_16;
	size_t n = strlen(w->plain);
	if (colours && learn_colours(max_colors))
		copy_word(w->plain + n, PAINT_WORD - n, fixed(orig_pair));
	if (!w->plain[n]) /* there are no colours, or nothing turns them off */
		term.caps.depth = DEPTH_NONE;
}

static void learn_capabilities(const struct term_options *o)
{
	const char *rep = valid(repeat_char);
	bool ansi = is_ansi();
	enum colour_depth most = ansi && o->direct ? DEPTH_RGB : depth_of_terminal();
	term.caps = (struct paint_caps){
		.depth = o->depth < most ? o->depth : most,
		.background = o->background,
		.attrs = ATTR_BOLD | ATTR_REVERSE |
			 (valid(enter_underline_mode) ? ATTR_UNDERLINE : 0) |
			 (valid(enter_italics_mode) ? ATTR_ITALIC : 0) |
			 (valid(tigetstr("Smulx")) ? ATTR_DOTTED : 0),
		.repeat = ansi && rep && strstr(rep, "b"),
		.blanks = ansi && valid(erase_chars),
		.last_cell = eat_newline_glitch || !auto_right_margin,
		.words = ansi ? NULL : &term.words,
	};
	term.asks = o->asks;
	term.asks_modes = o->asks_modes;
	strcpy(term.clear, "\033[m\033[H\033[2J");
	if (!ansi) {
		learn_words();
		term.asks = false;
		copy_word(term.clear, sizeof term.clear, fixed(clear_screen));
	}
}

static void learn_cursor(void)
{
	copy_word(term.hide, sizeof term.hide, fixed(cursor_invisible));
	copy_word(term.show, sizeof term.show, fixed(cursor_normal));
	/* A cursor that cannot be shown again is not hidden. */
	if (!*term.hide || !*term.show)
		*term.hide = *term.show = '\0';
}

static void learn_keys(void)
{
	const struct {
		const char *bytes;
		uint32_t key;
	} rows[] = {
		{ key_up, KEY_UP_ },
		{ key_down, KEY_DOWN_ },
		{ key_left, KEY_LEFT_ },
		{ key_right, KEY_RIGHT_ },
		{ key_home, KEY_HOME_ },
		{ key_end, KEY_END_ },
		{ key_ppage, KEY_PGUP_ },
		{ key_npage, KEY_PGDN_ },
		{ key_dc, KEY_DELETE_ },
		{ key_btab, KEY_BACKTAB_ },
		{ key_enter, KEY_ENTER_ },
		{ key_backspace, KEY_BACKSPACE_ },
	};
	const char *wait = getenv("ESCDELAY");
	int wait_ms = wait ? atoi(wait) : 0;
	term.input = (struct input){ 0 };
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *bytes = valid(rows[i].bytes);
		/* Some entries name the same byte for a cursor key and for a key of ours. */
		if (bytes && (bytes[1] || rows[i].key == KEY_BACKSPACE_))
			input_name_key(&term.input, bytes, rows[i].key);
	}
	if (tty_erase_key() == '\b')
		input_name_key(&term.input, "\b", KEY_BACKSPACE_);
	term.escape_ms = wait_ms > 0 && wait_ms <= 1000 ? wait_ms : 25;
}

int term_open(
	const struct term_options *o, char *err, size_t err_size, char *note, size_t note_size)
{
	int cols;
	*note = '\0';
	if (!memory_left()) {
		snprintf(err, err_size, "out of memory");
		return -1;
	}
	if (!load_entry(note, note_size)) {
		snprintf(err, err_size,
			"no terminfo entry for TERM=\"%.40s\" nor for xterm or vt100: install "
			"ncurses' terminfo, or use --plain",
			getenv("TERM") ? getenv("TERM") : "");
		return -1;
	}
	if (tty_open()) {
		snprintf(err, err_size, "the terminal cannot be used: %s", strerror(errno));
		return -1;
	}
	term.clock_ms = o->clock_ms;
	learn_capabilities(o);
	learn_cursor();
	learn_keys();
	term_size(&term.rows, &cols);
	term.open = true;
	atexit(term_close);
	take_screen();
	return 0;
}

void term_close(void)
{
	if (!term.open)
		return;
	term.open = false;
	give_screen();
	canvas_release(&term.shown);
}

void term_size(int *rows, int *cols)
{
	if (!tty_size(rows, cols)) {
		*rows = lines > 0 ? lines : 24;
		*cols = columns > 0 ? columns : 80;
	}
	if (term.open && *rows != term.rows) {
		term.rows = *rows;
		prepare_restore(); /* the last line is another one */
	}
}

/* The questions, all at once. They stand before what clears the screen, so that a terminal that
 * shows them instead of answering shows them for no time at all. */
static void ask(struct paint_buffer *out, bool on_own_screen)
{
	term.asks = false;
	paint_bytes(out, ask_background, sizeof ask_background - 1);
	if (term.asks_modes) {
		paint_bytes(out, ask_name, sizeof ask_name - 1);
		paint_bytes(out, ask_modes, sizeof ask_modes - 1);
	}
	if (term.asks_modes && on_own_screen) {
		paint_bytes(out, ask_tabs, sizeof ask_tabs - 1);
		term.state.known_position = false;
	}
	paint_bytes(out, ask_last, sizeof ask_last - 1);
	term.asked = term.input.expects = true;
	term.asked_ms = term.clock_ms();
	tty_expects_answers(true);
}

/* Clears the screen, so that everything is written. Where a terminal cannot do that, every cell
 * counts as different from what is wanted. */
static void begin_anew(struct paint_buffer *out)
{
	size_t cells = (size_t)term.shown.rows * (size_t)term.shown.cols;
	term.state = (struct paint_state){ 0 };
	if (term.caps.words)
		paint_bytes(out, term.words.plain, strlen(term.words.plain));
	paint_bytes(out, term.clear, strlen(term.clear));
	canvas_clear(&term.shown);
	for (size_t i = 0; !*term.clear && i < cells; i++)
		term.shown.cells[i].code = UINT32_MAX;
}

/* The whole frame's changes in one write. */
static void show(const struct canvas *cv)
{
	struct paint_buffer out = { 0 };
	int cursor = cv->cursor_row >= 0;
	if (term.announces)
		paint_bytes(&out, frame_begins, sizeof frame_begins - 1);
	term.caps.tabs = term.said.tabs ? cv->cols : 0;
	size_t announced = out.n;
	if (term.asks)
		ask(&out, true);
	if (term.forget)
		begin_anew(&out);
	if (!cursor && term.cursor != 0)
		paint_bytes(&out, term.hide, strlen(term.hide));
	paint(&term.shown, cv, &term.caps, &term.state, &out);
	if (cursor)
		paint_move(&out, &term.caps, &term.state, cv->cursor_row, cv->cursor_col);
	if (cursor && term.cursor != 1)
		paint_bytes(&out, term.show, strlen(term.show));
	bool changes = out.n > announced;
	if (term.announces)
		paint_bytes(&out, frame_ends, sizeof frame_ends - 1);
	/* Out of memory: nothing was written, so that all of it is still to be. */
	term.forget = out.failed;
	if (!out.failed) {
		term.cursor = cursor;
		if (changes)
			tty_write(out.bytes, out.n);
		memcpy(term.shown.cells, cv->cells,
			(size_t)cv->rows * (size_t)cv->cols * sizeof *cv->cells);
		memcpy(term.shown.scaled, cv->scaled, sizeof cv->scaled);
		term.shown.n_scaled = cv->n_scaled;
	}
	paint_release(&out);
}

enum fills term_fills(void)
{
	return theme_fills(term.caps.depth);
}

void term_show(const struct canvas *cv)
{
	assert(term.open);
	if (term.shown.rows != cv->rows || term.shown.cols != cv->cols) {
		canvas_release(&term.shown);
		if (canvas_init(&term.shown, cv->rows, cv->cols, cv->glyphs))
			return;
		term.forget = true;
	}
	show(cv);
}

void term_redraw(void)
{
	term.forget = true;
}

const struct terminal_said *term_said(void)
{
	return &term.said;
}

void term_background(enum background background)
{
	term.forget |= term.caps.background != background;
	term.caps.background = background;
}

/* Uses what the terminal has just said that it offers. */
static void use_modes(void)
{
	term.announces = term.said.synchronized;
	if (term.said.follows && !term.follows) {
		term.follows = true;
		tty_write(follow_on, sizeof follow_on - 1);
	}
	prepare_restore();
}

struct terminal_said term_ask(const struct term_options *o)
{
	char note[160];
	struct paint_buffer out = { 0 };
	struct terminal_said none = { 0 };
	if (!o->asks || !load_entry(note, sizeof note) || !is_ansi() || tty_open())
		return none;
	term.asks_modes = o->asks_modes;
	term.clock_ms = o->clock_ms;
	tty_on_death("", 0);
	tty_take();
	ask(&out, false);
	if (!out.failed)
		tty_write(out.bytes, out.n);
	paint_release(&out);
	drain();
	tty_give();
	return term.said;
}

/* In base 64, as the sequence wants it. */
void term_copy(const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct paint_buffer out = { 0 };
	size_t n = strlen(text);
	if (term.caps.words)
		return;
	paint_bytes(&out, "\033]52;c;", 7);
	for (size_t i = 0; i < n; i += 3) {
		size_t left = n - i < 3 ? n - i : 3;
		unsigned long bits = (unsigned long)(unsigned char)text[i] << 16;
		if (left > 1)
			bits |= (unsigned long)(unsigned char)text[i + 1] << 8;
		if (left > 2)
			bits |= (unsigned char)text[i + 2];
		for (size_t j = 0; j < 4; j++)
			paint_bytes(&out, j <= left ? &digits[bits >> (18 - 6 * j) & 63] : "=", 1);
	}
	paint_bytes(&out, "\033\\", 2);
	if (!out.failed)
		tty_write(out.bytes, out.n);
	paint_release(&out);
}

bool term_mouse(bool on)
{
	on = on && !term.caps.words && valid(key_mouse);
	if (on != term.mouse)
		tty_write(on ? mouse_on : mouse_off, sizeof mouse_on - 1);
	term.mouse = on;
	prepare_restore();
	return on;
}

void term_give(void)
{
	give_screen();
}

void term_take(void)
{
	take_screen();
}

void term_suspend(void)
{
	give_screen();
	tty_stop();
	take_screen();
}

/* An event that was typed already, or KEY_REPLY where one matters. Reports that come while the
 * mouse is off are strays. */
static enum input_state next_event(bool silent, struct input_event *in)
{
	enum input_state state;
	bool stray;
	do {
		bool had_all = term.said.all;
		state = input_next(&term.input, silent, in);
		if (state != INPUT_EVENT)
			break;
		stray = in->key >= KEY_MOUSE_CLICK && in->key <= KEY_WHEEL_DOWN && !term.mouse;
		if (in->key == KEY_REPLY) {
			stray = !hear(&in->reply);
			if (term.said.all && !had_all)
				use_modes();
		}
	} while (stray);
	return state;
}

/* The event that has come in; INPUT_EMPTY where none has. *gone: none ever will. */
static enum input_state read_event(struct input_event *in, bool *gone)
{
	char bytes[INPUT_ROOM];
	ssize_t n = tty_read(bytes, input_room(&term.input));
	*gone = n < 0;
	if (n > 0)
		input_add(&term.input, bytes, (size_t)n);
	return next_event(false, in);
}

bool term_is_asked(void)
{
	return tty_is_asked();
}

void term_watch(const int fds[], size_t n)
{
	tty_watch(fds, n);
}

enum term_event term_wait(int timeout_ms, struct input_event *in)
{
	/* An Esc may be the first byte of an answer that comes in pieces. */
	enum { PIECE_MS = 150 };
	bool gone = false;
	enum input_state state = next_event(false, in);
	while (state != INPUT_EVENT) {
		bool unfinished = state == INPUT_UNFINISHED;
		int piece_ms = waits_for_answers() && term.escape_ms < PIECE_MS ? PIECE_MS
										: term.escape_ms;
		switch (tty_wait(unfinished && timeout_ms ? piece_ms : timeout_ms)) {
		case TTY_RESIZED:
			term.forget = true; /* terminals differ in what they keep */
			return TERM_RESIZE;
		case TTY_CONTINUED:
			take_screen();
			return TERM_RESIZE;
		case TTY_STOP:
			return TERM_SUSPEND;
		case TTY_INPUT:
			state = read_event(in, &gone);
			if (gone)
				return TERM_GONE;
			if (state == INPUT_EMPTY)
				return TERM_NOTHING;
			break;
		case TTY_NOTHING:
			if (!unfinished || timeout_ms == 0)
				return TERM_NOTHING;
			state = next_event(true, in);
			if (state == INPUT_EMPTY)
				return TERM_NOTHING;
			break;
		}
	}
	return in->key == KEY_REPLY ? TERM_SAID : TERM_KEY;
}
