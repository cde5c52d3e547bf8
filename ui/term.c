#include "ui/term.h"

#include "ui/keys.h"
#include "ui/paint.h"

/* Our own key names would collide with ncurses' macros. */
#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <term.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct {
	bool open, has_colours, mouse;
	SCREEN *screen;
	struct termios tty;		/* as we found it */
	char restore[256];		/* what gives the screen back, for the signal handler */
	size_t restore_bytes;
	int wake[2];			/* the handlers' pipe to term_wait */
	WINDOW *input;			/* a pad: reading from it draws nothing */
	struct canvas shown;
	enum colour_depth depth;
	enum background background;
	bool ansi;			/* ECMA-48: we write the changes ourselves, else ncurses does */
	struct paint_caps caps;
	struct paint_state state;
	bool forget;			/* what the terminal shows is not known */
	int cursor;
} term;

/* Ways to die. The handler writes a prepared string, resets the tty, and dies of the signal. */
static const int fatal[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGSEGV, SIGBUS, SIGFPE,
	SIGILL, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2 };

static void give_back(void)
{
	ssize_t ignored = write(STDOUT_FILENO, term.restore, term.restore_bytes);
	(void)ignored;
	tcsetattr(STDIN_FILENO, TCSANOW, &term.tty);
}

static void die(int sig)
{
	give_back();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void wake(int sig)
{
	int saved = errno;
	char c = sig == SIGWINCH ? 'w' : sig == SIGCONT ? 'c' : 'z';
	ssize_t ignored = write(term.wake[1], &c, 1);
	(void)ignored;
	errno = saved;
}

static void handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };
	sigemptyset(&sa.sa_mask);
	sigaction(sig, &sa, NULL);
}

static void install_handlers(void)
{
	static char stack[16384]; /* a handler for a stack that ran over needs another one */
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof stack };
	sigaltstack(&ss, NULL);
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		handle(fatal[i], die, SA_ONSTACK);
	handle(SIGWINCH, wake, SA_RESTART);
	handle(SIGCONT, wake, SA_RESTART);
	handle(SIGTSTP, wake, SA_RESTART);
}

static void add_restore(const char *capability)
{
	const char *s = tigetstr((char *)capability);
	if (!s || s == (char *)-1)
		return;
	/* Padding such as $<5> means waiting, which a handler cannot do. */
	while (*s && term.restore_bytes + 1 < sizeof term.restore) {
		if (s[0] == '$' && s[1] == '<') {
			const char *end = strchr(s, '>');
			s = end ? end + 1 : s + strlen(s);
			continue;
		}
		term.restore[term.restore_bytes++] = *s++;
	}
}

static void prepare_restore(void)
{
	static const char mouse_off[] = "\033[?1000l\033[?1002l\033[?1006l";
	term.restore_bytes = 0;
	if (term.mouse) {
		memcpy(term.restore, mouse_off, sizeof mouse_off - 1);
		term.restore_bytes = sizeof mouse_off - 1;
	}
	add_restore("sgr0");
	add_restore("rmacs");
	add_restore("op");
	add_restore("cnorm");
	add_restore("rmkx");
	add_restore("rmcup");
}

static bool known(const char *name)
{
	int status;
	if (setupterm((char *)name, STDOUT_FILENO, &status) == ERR)
		return false;
	bool usable = tigetstr("cup") && tigetstr("cup") != (char *)-1;
	del_curterm(cur_term);
	return usable;
}

static const char *usable_terminal(char *note, size_t note_size)
{
	static const char *const fallbacks[] = { "xterm-256color", "xterm", "vt100", "ansi" };
	const char *name = getenv("TERM");
	if (name && *name && known(name))
		return name;
	for (size_t i = 0; i < sizeof fallbacks / sizeof *fallbacks; i++)
		if (known(fallbacks[i])) {
			snprintf(note, note_size, "no usable terminfo entry for TERM=\"%.40s\": using %s",
				name ? name : "", fallbacks[i]);
			return fallbacks[i];
		}
	return NULL;
}

static enum colour_depth depth_of_terminal(void)
{
	int colours = tigetnum("colors");
	return colours >= 1 << 24 ? DEPTH_RGB
		: colours >= 256  ? DEPTH_256
		: colours >= 16	  ? DEPTH_16
		: colours >= 8	  ? DEPTH_8
				  : DEPTH_NONE;
}

static void start_colours(const struct term_options *o)
{
	enum colour_depth most = depth_of_terminal();
	term.depth = o->depth < most ? o->depth : most;
	term.background = o->background;
	if (term.depth == DEPTH_NONE || start_color() == ERR)
		return;
	use_default_colors();
	for (int s = 0; s < N_STYLES; s++) {
		struct colour c = theme_colour((enum style)s, term.depth, term.background);
		int fg = c.own ? -1 : term.depth == DEPTH_RGB ? c.r << 16 | c.g << 8 | c.b : c.index;
		init_extended_pair(s + 1, fg, -1);
	}
	term.has_colours = true;
}

static const char *capability(const char *name)
{
	const char *s = tigetstr((char *)name);
	return s && s != (char *)-1 ? s : NULL;
}

/* Cursor addressing as in ECMA-48, whatever padding follows it. */
static bool is_ansi(void)
{
	static const char address[] = "\033[%i%p1%d;%p2%dH";
	const char *cup = capability("cup"), *el = capability("el");
	return cup && strncmp(cup, address, sizeof address - 1) == 0 && el &&
		strncmp(el, "\033[K", 3) == 0;
}

static void learn_capabilities(void)
{
	const char *rep = capability("rep");
	term.ansi = is_ansi();
	term.caps = (struct paint_caps){
		.depth = term.depth,
		.background = term.background,
		.attrs = ATTR_BOLD | ATTR_REVERSE | (capability("smul") ? ATTR_UNDERLINE : 0) |
			(capability("sitm") ? ATTR_ITALIC : 0),
		.repeat = rep && strstr(rep, "b"),
		.blanks = capability("ech") != NULL,
		.last_cell = tigetflag("xenl") > 0 || tigetflag("am") == 0,
	};
}

static void take(void)
{
	raw();
	noecho();
	nonl();
	if (!term.input)
		term.input = newpad(1, 1);
	keypad(term.input, TRUE);
	nodelay(term.input, TRUE);
	term.cursor = -1;
	term.forget = true;
}

int term_open(const struct term_options *o, char *err, size_t err_size, char *note,
	size_t note_size)
{
	*note = '\0';
	const char *name = usable_terminal(note, note_size);
	if (!name) {
		snprintf(err, err_size, "no terminfo entry for TERM=\"%.40s\" nor for xterm or vt100: "
			"install ncurses' terminfo, or use --plain",
			getenv("TERM") ? getenv("TERM") : "");
		return -1;
	}
	if (tcgetattr(STDIN_FILENO, &term.tty) || pipe(term.wake)) {
		snprintf(err, err_size, "the terminal cannot be used: %s", strerror(errno));
		return -1;
	}
	fcntl(term.wake[0], F_SETFL, O_NONBLOCK);
	fcntl(term.wake[1], F_SETFL, O_NONBLOCK);
	set_escdelay(25);
	use_tioctl(TRUE);
	term.screen = newterm((char *)name, stdout, stdin);
	if (!term.screen) {
		snprintf(err, err_size, "terminal \"%s\" cannot be opened", name);
		return -1;
	}
	install_handlers();
	start_colours(o);
	learn_capabilities();
	take();
	prepare_restore();
	term.open = true;
	atexit(term_close);
	return 0;
}

static void write_whole(const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t wrote = write(STDOUT_FILENO, bytes, n);
		if (wrote < 0 && errno != EINTR && errno != EAGAIN)
			return;
		if (wrote > 0) {
			bytes += wrote;
			n -= (size_t)wrote;
		}
	}
}

static void put_string(struct paint_buffer *out, const char *name)
{
	const char *s = capability(name);
	if (s)
		paint_bytes(out, s, strcspn(s, "$"));
}

/* The painter hides the cursor without telling ncurses, so it also shows it again. */
static void show_cursor(void)
{
	struct paint_buffer out = { 0 };
	put_string(&out, "sgr0");
	put_string(&out, "cnorm");
	write_whole(out.bytes, out.n);
	paint_release(&out);
}

void term_close(void)
{
	if (!term.open)
		return;
	term.open = false;
	if (term.mouse)
		term_mouse(false);
	show_cursor();
	endwin();
	delwin(term.input);
	delscreen(term.screen);
	tcsetattr(STDIN_FILENO, TCSANOW, &term.tty);
	canvas_release(&term.shown);
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		signal(fatal[i], SIG_DFL);
}

void term_size(int *rows, int *cols)
{
	struct winsize ws;
	*rows = LINES;
	*cols = COLS;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_row > 0 && ws.ws_col > 0) {
		*rows = ws.ws_row;
		*cols = ws.ws_col;
	}
	if (*rows != LINES || *cols != COLS) {
		resizeterm(*rows, *cols);
		term_redraw();
	}
}

/* The whole frame's changes in one write. */
static void show_ansi(const struct canvas *cv)
{
	struct paint_buffer out = { 0 };
	int cursor = cv->cursor_row >= 0;
	if (term.forget) {
		term.state = (struct paint_state){ 0 };
		paint_bytes(&out, "\033[m\033[H\033[2J", 10);
		canvas_clear(&term.shown);
		term.forget = false;
	}
	if (!cursor && term.cursor != 0)
		put_string(&out, "civis");
	paint(&term.shown, cv, &term.caps, &term.state, &out);
	if (cursor)
		paint_move(&out, &term.state, cv->cursor_row, cv->cursor_col);
	if (cursor && term.cursor != 1)
		put_string(&out, "cnorm");
	term.cursor = cursor;
	if (!out.failed)
		write_whole(out.bytes, out.n);
	paint_release(&out);
	memcpy(term.shown.cells, cv->cells,
		(size_t)cv->rows * (size_t)cv->cols * sizeof *cv->cells);
}

static void put_cell(int row, int col, const struct cell *c)
{
	wchar_t text[2] = { (wchar_t)c->code, 0 };
	cchar_t cell;
	struct colour colour = theme_colour((enum style)c->style, term.depth, term.background);
	attr_t attr = (c->attr & ATTR_BOLD) || colour.bold ? A_BOLD : A_NORMAL;
	attr |= c->attr & ATTR_REVERSE ? A_REVERSE : 0;
	attr |= (c->attr & ATTR_UNDERLINE) || colour.underline ? A_UNDERLINE : 0;
	setcchar(&cell, text, attr, term.has_colours && !colour.own ? (short)(c->style + 1) : 0, NULL);
	mvadd_wch(row, col, &cell);
}

/* Terminals of another family: ncurses knows how. */
static void show_ncurses(const struct canvas *cv)
{
	for (int row = 0; row < cv->rows; row++)
		for (int col = 0; col < cv->cols; col++)
			if (cv->cells[row * cv->cols + col].code)
				put_cell(row, col, &cv->cells[row * cv->cols + col]);
	if (term.forget)
		clearok(curscr, TRUE);
	term.forget = false;
	curs_set(cv->cursor_row >= 0);
	if (cv->cursor_row >= 0)
		move(cv->cursor_row, cv->cursor_col);
	refresh();
}

void term_show(const struct canvas *cv)
{
	if (term.shown.rows != cv->rows || term.shown.cols != cv->cols) {
		canvas_release(&term.shown);
		if (canvas_init(&term.shown, cv->rows, cv->cols, cv->glyphs))
			return;
		term.forget = true;
	}
	if (term.ansi)
		show_ansi(cv);
	else
		show_ncurses(cv);
}

void term_redraw(void)
{
	term.forget = true;
}

void term_mouse(bool on)
{
	term.mouse = on;
	mousemask(on ? BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
	mouseinterval(0);
	prepare_restore();
}

void term_suspend(void)
{
	show_cursor();
	endwin();
	tcsetattr(STDIN_FILENO, TCSANOW, &term.tty);
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	/* here again after fg */
	handle(SIGTSTP, wake, SA_RESTART);
	tcgetattr(STDIN_FILENO, &term.tty);
	refresh(); /* ncurses takes the screen back, and knows that it has it */
	take();
}

static uint32_t translate(int status, wint_t c)
{
	if (status == OK)
		return c == '\n' ? KEY_ENTER_ : c == 127 ? KEY_BACKSPACE_ : (uint32_t)c;
	switch (c) {
	case KEY_UP: return KEY_UP_;
	case KEY_DOWN: return KEY_DOWN_;
	case KEY_LEFT: return KEY_LEFT_;
	case KEY_RIGHT: return KEY_RIGHT_;
	case KEY_HOME: return KEY_HOME_;
	case KEY_END: return KEY_END_;
	case KEY_PPAGE: return KEY_PGUP_;
	case KEY_NPAGE: return KEY_PGDN_;
	case KEY_DC: return KEY_DELETE_;
	case KEY_BTAB: return KEY_BACKTAB_;
	case KEY_ENTER: return KEY_ENTER_;
	case KEY_BACKSPACE: return KEY_BACKSPACE_;
	default: return KEY_NONE_;
	}
}

static bool read_mouse(struct term_input *in)
{
	MEVENT e;
	if (getmouse(&e) != OK)
		return false;
	in->row = e.y;
	in->col = e.x;
	in->key = e.bstate & BUTTON4_PRESSED ? KEY_WHEEL_UP
		: e.bstate & BUTTON5_PRESSED ? KEY_WHEEL_DOWN
					     : KEY_MOUSE_CLICK;
	return true;
}

static bool read_key(struct term_input *in)
{
	wint_t c;
	int status = wget_wch(term.input, &c);
	if (status == ERR)
		return false;
	if (status == KEY_CODE_YES && c == KEY_MOUSE)
		return read_mouse(in);
	if (status == KEY_CODE_YES && c == KEY_RESIZE)
		return false;
	in->key = translate(status, c);
	return in->key != KEY_NONE_;
}

enum term_event term_wait(int timeout_ms, struct term_input *in)
{
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = term.wake[0], .events = POLLIN } };
	/* ncurses may hold keys that came in one read with the last one. */
	if (read_key(in))
		return TERM_KEY;
	if (poll(fds, 2, timeout_ms) < 0)
		return TERM_NOTHING;
	if (fds[1].revents & POLLIN) {
		char c = 0;
		if (read(term.wake[0], &c, 1) == 1 && c == 'z')
			return TERM_SUSPEND;
		if (c == 'c')
			term_redraw();
		return TERM_RESIZE;
	}
	/* Readable with nothing to read is the end of the terminal, not a key. */
	int waiting = 0;
	if ((fds[0].revents & POLLIN) && ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting > 0)
		return read_key(in) ? TERM_KEY : TERM_NOTHING;
	if (fds[0].revents & POLLIN)
		return TERM_GONE;
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		return TERM_GONE;
	return TERM_NOTHING;
}
