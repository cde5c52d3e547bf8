#include "ui/term/keys.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"

#include <stdio.h>
#include <string.h>

static const struct {
	uint32_t key;
	const char *name;
} names[] = {
	{ KEY_TAB, "Tab" }, { KEY_ENTER_, "Enter" }, { KEY_ESC, "Esc" },
	{ KEY_BACKSPACE_, "Backspace" }, { ' ', "Space" }, { KEY_UP_, "Up" }, { KEY_DOWN_, "Down" },
	{ KEY_LEFT_, "Left" }, { KEY_RIGHT_, "Right" }, { KEY_HOME_, "Home" }, { KEY_END_, "End" },
	{ KEY_PGUP_, "PgUp" }, { KEY_PGDN_, "PgDn" }, { KEY_DELETE_, "Del" },
	{ KEY_BACKTAB_, "Shift-Tab" }, { KEY_BACKTAB_, "BTab" }, { KEY_BACKSPACE_, "BS" },
	{ KEY_NONE_, "That key" }, /* with Alt, or one that no screen binds */
};

char *key_text(uint32_t key, char *buf, size_t size)
{
	for (size_t i = 0; i < LENGTH(names); i++)
		if (names[i].key == key) {
			snprintf(buf, size, "%s", names[i].name);
			return buf;
		}
	if (key < 32) {
		snprintf(buf, size, "Ctrl-%c", (char)(key + '@'));
	} else {
		char text[5];
		utf8_write(text, key);
		snprintf(buf, size, "%s", text);
	}
	return buf;
}

uint32_t key_from_name(const char *name)
{
	for (size_t i = 0; i < LENGTH(names); i++)
		if (strcmp(names[i].name, name) == 0)
			return names[i].key;
	if (strncmp(name, "Ctrl-", 5) == 0 && name[5] >= '@' && name[5] <= '_' && !name[6])
		return (uint32_t)(name[5] - '@');
	if (strncmp(name, "C-", 2) == 0 && name[2] >= 'a' && name[2] <= 'z' && !name[3])
		return (uint32_t)(name[2] - 'a' + 1);
	const char *rest = name;
	uint32_t code = utf8_next(&rest);
	return code && !*rest ? code : KEY_NONE_;
}
