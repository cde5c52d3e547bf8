/* The key table: dispatch, footer, help screen and README read these rows, and nothing else says
 * what a key does. */
#ifndef RIDGE_KEYS_H
#define RIDGE_KEYS_H

#include <stddef.h>
#include <stdint.h>

/* A key is a code point, or one of these. */
enum {
	KEY_CTRL_C = 3,
	KEY_CTRL_H = 8,
	KEY_TAB = 9,
	KEY_ENTER_ = 13,
	KEY_CTRL_L = 12,
	KEY_CTRL_G = 7,
	KEY_CTRL_N = 14,
	KEY_CTRL_P = 16,
	KEY_CTRL_S = 19,
	KEY_CTRL_Y = 25,
	KEY_CTRL_Z = 26,
	KEY_ESC = 27,
	KEY_BACKSPACE_ = 127,
	KEY_UP_ = 0x110000,
	KEY_DOWN_,
	KEY_LEFT_,
	KEY_RIGHT_,
	KEY_HOME_,
	KEY_END_,
	KEY_PGUP_,
	KEY_PGDN_,
	KEY_DELETE_,
	KEY_BACKTAB_,
	KEY_MOUSE_CLICK, /* app_mouse has where */
	KEY_WHEEL_UP,
	KEY_WHEEL_DOWN,
	KEY_NONE_
};

enum screen_id {
	SCREEN_HOME,
	SCREEN_PAGE,
	SCREEN_SIM,
	SCREEN_DRILL,
	SCREEN_STATS,
	SCREEN_INTERVIEWER,
	SCREEN_HELP,
	N_SCREENS
};
enum {
	ON_HOME = 1 << SCREEN_HOME,
	ON_PAGE = 1 << SCREEN_PAGE,
	ON_SIM = 1 << SCREEN_SIM,
	ON_DRILL = 1 << SCREEN_DRILL,
	ON_STATS = 1 << SCREEN_STATS,
	ON_INTERVIEWER = 1 << SCREEN_INTERVIEWER,
	ON_HELP = 1 << SCREEN_HELP,
	ON_ALL = (1 << N_SCREENS) - 1
};

enum action {
	ACT_NONE,
	ACT_UP,
	ACT_DOWN,
	ACT_LEFT,
	ACT_RIGHT,
	ACT_FAR_LEFT,
	ACT_FAR_RIGHT,
	ACT_PAGE_UP,
	ACT_PAGE_DOWN,
	ACT_TOP,
	ACT_BOTTOM,
	ACT_ENTER,
	ACT_NEXT,
	ACT_PREVIOUS,
	ACT_DEFAULT,
	ACT_DEFAULT_ALL,
	ACT_UNDO,
	ACT_COMPARE,
	ACT_PLAY,
	ACT_EARLIER,
	ACT_LATER,
	ACT_ZOOM,
	ACT_NOTES,
	ACT_FORMULA,
	ACT_COMMAND_LINE,
	ACT_OPEN_PAGE,
	ACT_SEARCH,
	ACT_FIND_NEXT,
	ACT_FIND_PREVIOUS,
	ACT_CONTENTS,
	ACT_BOOKMARK,
	ACT_BOOKMARKS,
	ACT_TERM,
	ACT_TERM_BEFORE,
	ACT_EDIT,
	ACT_HINT,
	ACT_PAUSE,
	ACT_GIVE_UP,
	ACT_SKIP,
	ACT_SCRATCH,
	ACT_COPY_RESULT,
	ACT_NEXT_PHASE,
	ACT_SIMULATE,
	ACT_SUBJECT,
	ACT_REPEAT,
	ACT_AGAIN,
	ACT_REVIEW,
	ACT_MARK_1,
	ACT_MARK_2,
	ACT_MARK_3,
	ACT_MARK_4,
	ACT_NOTE,
	ACT_EDIT_NOTE,
	ACT_CODE,
	ACT_PALETTE,
	ACT_HELP,
	ACT_HOME,
	ACT_BACK,
	ACT_FORWARD,
	ACT_MOUSE,
	ACT_GLYPHS,
	ACT_REDRAW,
	ACT_SUSPEND,
	ACT_QUIT,
	N_ACTIONS
};

struct key_binding {
	unsigned screens; /* ON_... */
	uint32_t key;
	enum action action;
	const char *help;   /* for the help screen; rows of one action share the first row's */
	const char *footer; /* a word for the bottom line, or NULL */
};
extern const struct key_binding key_bindings[];
extern const size_t n_key_bindings;

/* What a key does on a screen; ACT_NONE when nothing. */
enum action key_action(enum screen_id s, uint32_t key);

/* "Tab", "Ctrl-L", "h", "Left". Returns buf. */
char *key_text(uint32_t key, char *buf, size_t size);
/* The key of a name, or of a single character; KEY_NONE_ when there is none. */
uint32_t key_from_name(const char *name);

#endif
