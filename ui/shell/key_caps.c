#include "ui/shell/key_caps.h"

#include "sims/base/minmax.h"
#include "ui/term/keys.h"
#include "ui/term/pane.h"

#include <string.h>

void key_caps_press(struct key_caps *c, uint32_t key, int64_t now_ms)
{
	if (!c->shown)
		return;
	if (c->n == MOST_CAPS)
		memmove(c->keys, c->keys + 1, --c->n * sizeof *c->keys);
	c->keys[c->n++] = key;
	c->pressed_ms = now_ms;
}

int key_caps_tick(struct key_caps *c, int64_t now_ms)
{
	int64_t left_ms = c->pressed_ms + CAPS_STAY_MS - now_ms;
	if (!c->shown || left_ms <= 0)
		c->n = 0;
	return c->n ? (int)left_ms : -1;
}

int key_caps_cols(const struct key_caps *c, int cols)
{
	/* Four keys with a letter each take 23, and a blank one before them. */
	return c->shown ? min_int(24, cols / 3) : 0;
}

static bool is_free(const struct pane *p, int col, int cols)
{
	for (int i = max_int(0, col - 1); i < col + cols; i++)
		if (!pane_blank(p, 0, i))
			return false;
	return true;
}

void key_caps_draw(const struct key_caps *c, struct canvas *cv, struct rect line)
{
	enum { FRAME = 2 };
	struct pane p = pane_of(cv, line);
	int end = p.r.cols;
	for (size_t i = c->n; i-- > 0;) {
		char name[16];
		int cols = text_cols(key_text(c->keys[i], name, sizeof name), cv->glyphs);
		int col = end - cols - 2 * FRAME;
		if (col < p.r.cols - key_caps_cols(c, p.r.cols) || !is_free(&p, col, end - col))
			return;
		pane_text(&p, 0, col, -1, "[", STYLE_DIM, 0);
		pane_text(&p, 0, col + FRAME, -1, name, STYLE_ACCENT, ATTR_BOLD);
		pane_text(&p, 0, col + FRAME + cols + 1, -1, "]", STYLE_DIM, 0);
		end = col - 1;
	}
}
