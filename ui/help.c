/* The help screen: the key table's rows for the screen it was called on. */
#include "ui/app.h"

#include <stdio.h>
#include <string.h>

/* All keys of an action on a screen: "h Left". */
static void keys_of(enum screen_id s, enum action a, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < n_key_bindings; i++) {
		char name[16];
		size_t used = strlen(text);
		if (key_bindings[i].action == a && (key_bindings[i].screens & (1u << s)))
			snprintf(text + used, size - used, "%s%s", used ? " " : "",
				key_text(key_bindings[i].key, name, sizeof name));
	}
}

static const char *help_of(enum screen_id s, enum action a)
{
	const char *any = NULL;
	for (size_t i = 0; i < n_key_bindings; i++) {
		if (key_bindings[i].action != a || !key_bindings[i].help)
			continue;
		if (key_bindings[i].screens & (1u << s))
			return key_bindings[i].help;
		any = key_bindings[i].help;
	}
	return any;
}

int help_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	static const char *const titles[] = { "the home screen", "a page", "a simulation", "a drill",
		"help" };
	bool done[N_ACTIONS] = { false };
	int line = 0, first = (int)app->help_scroll;
	char text[96];

	snprintf(text, sizeof text, "Keys on %s", titles[app->help_for]);
	if (first == 0)
		canvas_text(cv, r.row, r.col, r.cols, text, STYLE_ACCENT, ATTR_BOLD);
	line = 2;
	for (size_t i = 0; i < n_key_bindings; i++) {
		const struct key_binding *b = &key_bindings[i];
		const char *help = help_of(app->help_for, b->action);
		if (!(b->screens & (1u << app->help_for)) || done[b->action] || !help)
			continue;
		done[b->action] = true;
		keys_of(app->help_for, b->action, text, sizeof text);
		int row = r.row + line++ - first;
		if (row < r.row || row >= r.row + r.rows)
			continue;
		canvas_text(cv, row, r.col, 18, text, STYLE_PLAIN, ATTR_BOLD);
		canvas_text(cv, row, r.col + 20, r.cols - 20, help, STYLE_PLAIN, 0);
	}
	return line;
}
