/* Keys as a terminal sends them: their codes and their names. */
#ifndef RIDGE_UI_TERM_KEYS_H
#define RIDGE_UI_TERM_KEYS_H

#include <stddef.h>
#include <stdint.h>

/* A key is a code point, or one of these. */
enum {
	KEY_CTRL_A = 1,
	KEY_CTRL_C = 3,
	KEY_CTRL_E = 5,
	KEY_CTRL_G = 7,
	KEY_TAB = 9,
	KEY_CTRL_K = 11,
	KEY_CTRL_L = 12,
	KEY_ENTER_ = 13,
	KEY_CTRL_N = 14,
	KEY_CTRL_P = 16,
	KEY_CTRL_S = 19,
	KEY_CTRL_U = 21,
	KEY_CTRL_W = 23,
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
	KEY_MOUSE_CLICK, /* where: see struct input_event */
	KEY_MOUSE_DRAG,  /* moved with the button down */
	KEY_WHEEL_UP,
	KEY_WHEEL_DOWN,
	KEY_NONE_,
	KEY_REPLY /* not typed: the terminal says something of itself */
};

/* "Tab", "Ctrl-L", "h", "Left". Returns buf. */
char *key_text(uint32_t key, char *buf, size_t size);
/* The key of a name, or of a single character; KEY_NONE_ when there is none. */
uint32_t key_from_name(const char *name);

#endif
