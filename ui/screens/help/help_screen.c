/* The help screen: the key table's rows for the screen it was called on, by what they are for. */
#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/term/keys.h"
#include "ui/term/overlay.h"
#include "ui/term/textwrap.h"
#include "ui/live/action.h"
#include "ui/shell/app.h"
#include "ui/shell/bindings.h"
#include "ui/shell/layout.h"
#include "ui/screens/screens.h"

#include <stdio.h>
#include <string.h>

struct help_view {
	long scroll;
};

static const struct help_view *help_seen(const struct app *app)
{
	return app_state(app, SCREEN_HELP);
}

/* The nth key of an action on a screen; 0: it has no more. */
static uint32_t nth_key(enum screen_id s, enum action a, size_t n)
{
	for (size_t i = 0; i < n_key_bindings; i++)
		if (key_bindings[i].action == a && (key_bindings[i].screens & (1u << s)) && !n--)
			return key_bindings[i].key;
	return 0;
}

static bool has_key(enum screen_id s, enum action a)
{
	return nth_key(s, a, 0) != 0;
}

/* The pair that is shown instead of an action: both of it can be pressed here. */
static const struct key_pair *shown_pair(enum screen_id s, enum action a)
{
	const struct key_pair *p = key_pair_of(s, a);
	return p && has_key(s, p->first) && has_key(s, p->second) ? p : NULL;
}

static void add_key(uint32_t key, char *text, size_t size)
{
	char name[16];
	const size_t used = strlen(text);
	if (key)
		snprintf(text + used, size - used, "%s%s", used ? " " : "",
			key_text(key, name, sizeof name));
}

/* All keys of an action on a screen: "Enter n"; of a pair by turns: "h l Left Right". */
static void keys_of(enum screen_id s, enum action a, char *text, size_t size)
{
	const struct key_pair *p = shown_pair(s, a);
	const enum action first = p ? p->first : a, second = p ? p->second : a;
	text[0] = '\0';
	for (size_t n = 0; nth_key(s, first, n) || nth_key(s, second, n); n++) {
		add_key(nth_key(s, first, n), text, size);
		if (p)
			add_key(nth_key(s, second, n), text, size);
	}
}

static const char *help_of(enum screen_id s, enum action a)
{
	const struct key_pair *p = shown_pair(s, a);
	const char *any = NULL;
	if (p)
		return p->help;
	for (size_t i = 0; i < n_key_bindings; i++) {
		if (key_bindings[i].action != a || !key_bindings[i].help)
			continue;
		if (key_bindings[i].screens & (1u << s))
			return key_bindings[i].help;
		any = any ? any : key_bindings[i].help;
	}
	return any;
}

/* -- Groups ------------------------------------------------------------------------------ */

/* What one came for first, moving about and what is the same everywhere last. */
enum group {
	FIRST,
	TURN,
	COMPARE,
	PLAY,
	TALK,
	ASK,
	ANSWER,
	PRACTISE,
	AFTER,
	JUDGE,
	READ,
	LOOK,
	MOVE,
	EVERYWHERE,
	N_GROUPS
};
static const char *const headings[N_GROUPS] = { "Here first", "Turn a knob", "Compare",
	"Play a run", "Give the talk", "While a question stands", "Answer", "Practise",
	"After the answer, and after a session", "The interview", "Read", "Look closer", "Move",
	"Everywhere" };

/* What an action belongs to on every screen that knows it; what is not listed moves, or group_of says
 * where. */
static const unsigned char usual[N_ACTIONS] = {
	[ACT_COMPARE] = COMPARE,
	[ACT_SWAP] = COMPARE,
	[ACT_SLOWER] = PLAY,
	[ACT_FASTER] = PLAY,
	[ACT_MOMENT_BEFORE] = PLAY,
	[ACT_MOMENT_NEXT] = PLAY,
	[ACT_BLANK] = TALK,
	[ACT_CLOCK] = TALK,
	[ACT_RESET] = TALK,
	[ACT_STEPS] = TALK,
	[ACT_RECORD] = TALK,
	[ACT_VOTE_A] = ASK,
	[ACT_VOTE_C] = ASK,
	[ACT_VOTE_D] = ASK,
	[ACT_VOTE_E] = ASK,
	[ACT_ZOOM] = LOOK,
	[ACT_PRESENT] = LOOK,
	[ACT_APPEND] = LOOK,
	[ACT_NOTES] = LOOK,
	[ACT_VALUES] = LOOK,
	[ACT_FORMULA] = READ,
	[ACT_FOLDS] = READ,
	[ACT_DEPTH] = READ,
	[ACT_SEARCH] = READ,
	[ACT_FIND_NEXT] = READ,
	[ACT_FIND_PREVIOUS] = READ,
	[ACT_CONTENTS] = READ,
	[ACT_BOOKMARK] = READ,
	[ACT_FIGURE] = READ,
	[ACT_FIGURE_BEFORE] = READ,
	[ACT_TERM] = READ,
	[ACT_TERM_BEFORE] = READ,
	[ACT_EDIT] = ANSWER,
	[ACT_HINT] = ANSWER,
	[ACT_PAUSE] = ANSWER,
	[ACT_GIVE_UP] = ANSWER,
	[ACT_SKIP] = ANSWER,
	[ACT_SCRATCH] = ANSWER,
	[ACT_COPY_RESULT] = ANSWER,
	[ACT_NEXT_PHASE] = ANSWER,
	[ACT_REVIEW] = PRACTISE,
	[ACT_CALENDAR] = PRACTISE,
	[ACT_SIMULATE] = AFTER,
	[ACT_SUBJECT] = AFTER,
	[ACT_REPEAT] = AFTER,
	[ACT_AGAIN] = AFTER,
	[ACT_REROLL] = ANSWER,
	[ACT_MARK_1] = JUDGE,
	[ACT_MARK_2] = JUDGE,
	[ACT_MARK_3] = JUDGE,
	[ACT_MARK_4] = JUDGE,
	[ACT_NOTE] = JUDGE,
	[ACT_EDIT_NOTE] = JUDGE,
	[ACT_HEARD] = JUDGE,
	[ACT_TOLD] = JUDGE,
	[ACT_NAME] = JUDGE,
	[ACT_CODE] = JUDGE,
	[ACT_PALETTE] = EVERYWHERE,
	[ACT_HELP] = EVERYWHERE,
	[ACT_HOME] = EVERYWHERE,
	[ACT_BACK] = EVERYWHERE,
	[ACT_FORWARD] = EVERYWHERE,
	[ACT_BOOKMARKS] = EVERYWHERE,
	[ACT_MOUSE] = EVERYWHERE,
	[ACT_GLYPHS] = EVERYWHERE,
	[ACT_REDRAW] = EVERYWHERE,
	[ACT_SUSPEND] = EVERYWHERE,
	[ACT_QUIT] = EVERYWHERE,
};

/* What an action belongs to on a screen: the same key moves on the home screen and turns a knob. */
static enum group group_of(enum screen_id s, enum action a)
{
	const bool talk = s == SCREEN_PRESENT;
	const bool figures = s == SCREEN_SIM || s == SCREEN_PAGE || talk;
	switch (a) {
	case ACT_LEFT:
	case ACT_RIGHT:
	case ACT_FAR_LEFT:
	case ACT_FAR_RIGHT:
	case ACT_DEFAULT:
	case ACT_DEFAULT_ALL:
	case ACT_UNDO:
		if (s == SCREEN_INTERVIEWER)
			return JUDGE;
		if (s == SCREEN_DRILL && a == ACT_UNDO)
			return ANSWER;
		return figures || s == SCREEN_CASE ? TURN : MOVE;
	case ACT_CLOCK:
		return s == SCREEN_INTERVIEWER ? JUDGE : TALK;
	case ACT_REROLL:
		return s == SCREEN_INTERVIEWER ? JUDGE : ANSWER;
	case ACT_AGAIN:
		return s == SCREEN_CASE ? MOVE : AFTER;
	case ACT_ENTER:
		return s == SCREEN_SIM ? TURN : s == SCREEN_DRILL ? ANSWER : MOVE;
	case ACT_PLAY:
	case ACT_SWITCH_OR_PLAY:
	case ACT_EARLIER:
	case ACT_LATER:
		return figures ? PLAY : JUDGE;
	case ACT_OPEN_PAGE:
	case ACT_COMMAND_LINE:
		return s == SCREEN_DRILL ? AFTER : LOOK;
	case ACT_NEXT:
	case ACT_PREVIOUS:
		return s == SCREEN_INTERVIEWER ? JUDGE : MOVE;
	case ACT_UP:
	case ACT_DOWN:
		return talk ? TURN : MOVE;
	case ACT_TOP:
	case ACT_BOTTOM:
	case ACT_SKIP:
	case ACT_APPEND:
	case ACT_OPEN_SHOWN:
		return talk ? TALK : usual[a] ? (enum group)usual[a] : MOVE;
	default:
		return usual[a] ? (enum group)usual[a] : MOVE;
	}
}

/* Whether the footer of the screen has a word for an action now. */
static bool is_in_footer(const struct app *app, enum action a)
{
	const enum screen_id s = app->under;
	const struct screen *screen = app->screens[s];
	if (screen->acts && !screen->acts(app, a))
		return false;
	for (size_t i = 0; i < n_key_bindings; i++)
		if (key_bindings[i].action == a && key_bindings[i].footer &&
			(key_bindings[i].screens & (1u << s)))
			return true;
	return false;
}

/* What the footer has stands first; what is the same everywhere does not, and what compares stands together. */
static enum group place_of(const struct app *app, enum action a)
{
	const struct key_pair *p = shown_pair(app->under, a);
	const enum action shown = a == ACT_SWAP ? ACT_COMPARE : p ? p->first : a;
	const enum group group = group_of(app->under, a == ACT_SWAP ? a : shown);
	if (group == EVERYWHERE)
		return group;
	return is_in_footer(app, shown) || (p && is_in_footer(app, p->second)) ? FIRST : group;
}

/* One action: its keys, and beside them what it does, wrapped; behind keys that are wider than their column the first
 * line begins later. Drawn at a row of cv, unless that is NULL. Returns the number of lines. */
static int action_lines(
	struct canvas *cv, struct rect r, int key_cols, const char *keys, const char *help)
{
	enum { LEAST_ROOM = 16 };
	struct text_line line;
	int n = 0, at = max_int(key_cols, text_width(keys) + 2);
	if (r.cols - at < LEAST_ROOM) /* in a narrow window it begins below */
		n = at > key_cols;
	if (n > 0)
		at = key_cols;
	if (cv)
		canvas_text(cv, r.row, r.col, r.cols, keys, STYLE_PLAIN, ATTR_BOLD);
	while (text_wrap(&help, r.cols - at, cv ? cv->glyphs : GLYPHS_LINES, &line)) {
		char piece[256];
		snprintf(piece, sizeof piece, "%.*s", (int)line.bytes, line.start);
		if (cv)
			canvas_text(cv, r.row + n, r.col + at, r.cols - at, piece, STYLE_PLAIN, 0);
		at = key_cols;
		n++;
	}
	return n;
}

/* The next action with a help text from row i of the key table on, that belongs to the group and has
 * not come yet; false: there is none. */
static bool next_action(
	const struct app *app, enum group g, size_t *i, bool done[N_ACTIONS], enum action *a)
{
	const enum screen_id s = app->under;
	for (; *i < n_key_bindings; ++*i) {
		const struct key_binding *b = &key_bindings[*i];
		if (!(b->screens & (1u << s)) || done[b->action] || place_of(app, b->action) != g ||
			!help_of(s, b->action))
			continue;
		const struct key_pair *p = shown_pair(s, b->action);
		done[b->action] = true;
		if (p)
			done[p->first] = done[p->second] = true;
		*a = b->action;
		return true;
	}
	return false;
}

/* Columns of the keys, with two blanks behind them: as many as most keys take. */
static int columns_of_keys(enum screen_id s)
{
	enum { MOST_KEYS = 14 };
	char keys[96];
	int most = 0;
	for (size_t i = 0; i < n_key_bindings; i++)
		if ((key_bindings[i].screens & (1u << s)) && help_of(s, key_bindings[i].action)) {
			keys_of(s, key_bindings[i].action, keys, sizeof keys);
			most = max_int(most, text_width(keys));
		}
	return min_int(most, MOST_KEYS) + 2;
}

/* A group with its heading, drawn at the top of r unless cv is NULL. Returns its lines; 0: none of its
 * actions has a key here. */
static int draw_group(struct canvas *cv, struct rect r, const struct app *app, enum group g)
{
	const enum screen_id s = app->under;
	bool done[N_ACTIONS] = { false };
	const int key_cols = columns_of_keys(s);
	int line = 1;
	enum action a;
	for (size_t i = 0; next_action(app, g, &i, done, &a); i++) {
		char keys[96];
		keys_of(s, a, keys, sizeof keys);
		struct rect here = { r.row + line, r.col, r.rows, r.cols };
		line += action_lines(cv, here, key_cols, keys, help_of(s, a));
	}
	if (line == 1)
		return 0;
	if (cv)
		canvas_text(cv, r.row, r.col, r.cols, headings[g], STYLE_ACCENT, ATTR_BOLD);
	return line;
}

/* -- The box ----------------------------------------------------------------------------- */

/* How the groups stand: the ith column begins with the group first[i]. */
enum { MOST_COLUMNS = 3, BETWEEN = 4 };
struct plan {
	int columns, cols;                  /* of the window inside the edge */
	enum group first[MOST_COLUMNS + 1]; /* and N_GROUPS behind the last */
	int rows;                           /* of the longest column */
};

/* Rows of the groups from one to another, with a blank one between two. */
static int rows_of(const int rows[N_GROUPS], enum group from, enum group to)
{
	int sum = 0;
	for (enum group g = from; g < to; g++)
		sum += rows[g] ? rows[g] + (sum > 0) : 0;
	return sum;
}

/* The most rows of the first n columns, of which the last one ends before `end`, and where they begin:
 * as even as can be. */
static int break_columns(const int rows[N_GROUPS], int n, enum group end, enum group first[])
{
	int least = rows_of(rows, 0, end);
	first[0] = 0;
	for (int i = 1; i < n; i++)
		first[i] = end;
	for (enum group g = 1; n > 1 && g < end; g++) {
		enum group before[MOST_COLUMNS];
		const int most =
			max_int(break_columns(rows, n - 1, g, before), rows_of(rows, g, end));
		if (most >= least)
			continue;
		least = most;
		memcpy(first, before, (size_t)(n - 1) * sizeof *first);
		first[n - 1] = g;
	}
	return least;
}

/* As many columns as leave each room for sentences, about equally long. */
static struct plan plan_of(const struct app *app, struct rect body)
{
	enum { TWO_FROM = 96, THREE_FROM = 148, MOST_ONE = 84 };
	const int inset = 2 * (OVERLAY_EDGE + 2 * OVERLAY_ROOM) - 2 * OVERLAY_ROOM;
	struct plan p = { .columns = body.cols >= THREE_FROM ? 3 : body.cols >= TWO_FROM ? 2 : 1 };
	const int cols =
		min_int(body.cols, p.columns == 1 ? MOST_ONE : THREE_FROM + BETWEEN) - inset;
	p.cols = max_int((cols - (p.columns - 1) * BETWEEN) / p.columns, 1);
	int rows[N_GROUPS];
	for (enum group g = 0; g < N_GROUPS; g++)
		rows[g] = draw_group(NULL, (struct rect){ .cols = p.cols }, app, g);
	p.rows = break_columns(rows, p.columns, N_GROUPS, p.first);
	p.first[p.columns] = N_GROUPS;
	return p;
}

static struct rect box_of(const struct plan *p, struct rect body)
{
	const int inset = 2 * (OVERLAY_EDGE + OVERLAY_ROOM);
	const int cols =
		min_int(p->columns * p->cols + (p->columns - 1) * BETWEEN + inset, body.cols);
	const int rows = min_int(p->rows + 2 * OVERLAY_EDGE, body.rows);
	return (struct rect){ body.row + (body.rows - rows) / 3, body.col + (body.cols - cols) / 2,
		rows, cols };
}

/* -- Elsewhere --------------------------------------------------------------------------- */

/* Where there is room under the box: the keys that the footers of other screens have, a column for each. */
static const enum screen_id others[] = { SCREEN_PAGE, SCREEN_SIM, SCREEN_DRILL, SCREEN_STATS };

/* The first of them, with the name of the screen over them, drawn at the top of r unless cv is NULL. Returns its
 * lines. */
static int draw_main_keys(struct canvas *cv, struct rect r, const struct app *app, enum screen_id s)
{
	enum { MOST = 14 };
	bool done[N_ACTIONS] = { false };
	const int key_cols = columns_of_keys(s);
	char keys[96];
	int line = 1;
	if (cv) {
		snprintf(keys, sizeof keys, "On %s", app->screens[s]->name);
		canvas_text(cv, r.row, r.col, r.cols, keys, STYLE_ACCENT, ATTR_BOLD);
	}
	for (size_t i = 0; i < n_key_bindings; i++) {
		const struct key_binding *b = &key_bindings[i];
		const struct key_pair *p = shown_pair(s, b->action);
		if (!(b->screens & (1u << s)) || !b->footer || done[b->action] ||
			!help_of(s, b->action) || group_of(s, b->action) == EVERYWHERE)
			continue;
		done[b->action] = true;
		if (p)
			done[p->first] = done[p->second] = true;
		keys_of(s, b->action, keys, sizeof keys);
		const struct rect here = { r.row + line, r.col, r.rows, r.cols };
		if (line + action_lines(NULL, here, key_cols, keys, help_of(s, b->action)) > MOST)
			break;
		line += action_lines(cv, here, key_cols, keys, help_of(s, b->action));
	}
	return line;
}

/* Draws them in a box of their own below another, unless cv is NULL. Returns its rows with the blank one over it; 0:
 * there is no room for it. */
static int draw_elsewhere(struct canvas *cv, const struct plan *p, struct rect box,
	struct rect body, const struct app *app)
{
	int rows = 0, n = 0;
	for (size_t i = 0; i < LENGTH(others); i++) {
		if (others[i] == app->under || n == p->columns)
			continue;
		n++;
		rows = max_int(rows,
			draw_main_keys(NULL, (struct rect){ .cols = p->cols }, app, others[i]));
	}
	const struct rect below = { box.row + box.rows + 1, box.col, rows + 2 * OVERLAY_EDGE,
		box.cols };
	if (p->columns == 1 || 1 + below.rows > body.rows - box.rows)
		return 0;
	const struct rect in = cv ? overlay_box(cv, below, "Elsewhere") : below;
	n = 0;
	for (size_t i = 0; cv && i < LENGTH(others); i++)
		if (others[i] != app->under && n < p->columns) {
			const struct rect r = { in.row, in.col + n * (p->cols + BETWEEN), in.rows,
				p->cols };
			draw_main_keys(cv, r, app, others[i]);
			n++;
		}
	return 1 + below.rows;
}

static void draw_groups(struct canvas *tall, const struct plan *p, const struct app *app)
{
	for (int i = 0; i < p->columns; i++) {
		struct rect r = { 0, i * (p->cols + BETWEEN), p->rows, p->cols };
		for (enum group g = p->first[i]; g < p->first[i + 1]; g++) {
			const int used = draw_group(tall, r, app, g);
			r.row += used + (used > 0);
		}
	}
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	snprintf(trail, trail_size, "ridge › Help");
	snprintf(right, size, "%s", app->screens[app->under]->name);
}

/* A heading in the last row in sight has nothing under it. */
static void drop_last_heading(struct canvas *cv, struct rect in, int col, int cols)
{
	const struct rect last = { in.row + in.rows - 1, in.col + col, 1, cols };
	if (cv->cells[last.row * cv->cols + last.col].style == STYLE_ACCENT)
		canvas_fill(cv, last, ' ', STYLE_PLAIN, 0);
}

/* The groups are drawn in a tall canvas, of which the box shows a part. It is nearly as large as the window: of the
 * screen behind it only crumbs would be left. */
static void draw(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct plan p = plan_of(app, r);
	struct rect box = box_of(&p, r);
	struct canvas tall;
	char text[96];
	snprintf(text, sizeof text, "Keys on %s", app->screens[app->under]->name);
	/* With a second box below it stands so much higher. */
	box.row = r.row + (r.rows - box.rows - draw_elsewhere(NULL, &p, box, r, app)) / 3;
	const struct rect in = overlay_box(cv, box, text);
	draw_elsewhere(cv, &p, box, r, app);
	if (canvas_init_like(&tall, cv, p.rows + 1, in.cols))
		return;
	draw_groups(&tall, &p, app);
	const int first = (int)help_seen(app)->scroll;
	canvas_copy(cv, in.row, in.col, &tall,
		(struct rect){ first, 0, min_int(in.rows, p.rows - first), in.cols });
	canvas_release(&tall);
	const int below = p.rows - first - in.rows;
	if (below <= 0)
		return;
	for (int i = 0; i < p.columns; i++)
		drop_last_heading(cv, in, i * (p.cols + BETWEEN), p.cols);
	snprintf(text, sizeof text, " ↓ %d more: j ", below);
	canvas_text_right(cv, box.row + box.rows - 1, in.col, in.cols, text, STYLE_ACCENT, 0);
}

static bool act(struct app *app, enum action a)
{
	struct help_view *help = app_state(app, SCREEN_HELP);
	long by = a == ACT_UP ? -1 : a == ACT_DOWN ? 1 : a == ACT_PAGE_UP ? -10 : 10;
	const struct rect body = frame_layout(app->rows, app->cols).body;
	const struct plan p = plan_of(app, body);
	long last = p.rows + 2 * OVERLAY_EDGE - box_of(&p, body).rows, to = help->scroll;
	if (a == ACT_TOP)
		to = 0;
	else if (a == ACT_BOTTOM)
		to = last;
	else if (a == ACT_UP || a == ACT_DOWN || a == ACT_PAGE_UP || a == ACT_PAGE_DOWN)
		to += by;
	to = to > last ? last : to;
	help->scroll = to < 0 ? 0 : to;
	return false; /* the shell knows which screen the help goes back to */
}

/* Only a help that goes on below the window has a way to move. */
static bool acts(const struct app *app, enum action a)
{
	if (a != ACT_DOWN)
		return true;
	const struct rect body = frame_layout(app->rows, app->cols).body;
	const struct plan p = plan_of(app, body);
	return p.rows + 2 * OVERLAY_EDGE > box_of(&p, body).rows;
}

static enum opened open_help(struct app *app, const char *name, const char *const words[], size_t n,
	char *err, size_t err_size)
{
	struct help_view *help = app_state(app, SCREEN_HELP);
	(void)name;
	(void)words;
	(void)n;
	(void)err;
	(void)err_size;
	help->scroll = 0;
	return OPENED;
}

const struct screen help_screen = {
	.name = "the help",
	.word = "help",
	.state_size = sizeof(struct help_view),
	.overlay = true,
	.open = open_help,
	.title = title,
	.draw = draw,
	.act = act,
	.acts = acts,
};
