#include "ui/shell/bindings.h"

#include "sims/base/array.h"
#include "ui/term/keys.h"
#include "ui/live/action.h"

/* clang-format off */
const struct key_binding key_bindings[] = {
	/* moving */
	{ ON_ALL & ~ON_DRILL, KEY_UP_, ACT_UP, "the line, knob or entry above", NULL },
	{ ON_ALL & ~ON_DRILL, 'k', ACT_UP, NULL, NULL },
	{ ON_ALL & ~ON_DRILL, KEY_DOWN_, ACT_DOWN, "the line, knob or entry below", NULL },
	{ ON_ALL & ~ON_DRILL, 'j', ACT_DOWN, NULL, NULL },
	{ ON_SIM | ON_PAGE, 'h', ACT_LEFT, "turn the knob down a step", "turn" },
	{ ON_SIM | ON_PAGE, KEY_LEFT_, ACT_LEFT, NULL, NULL },
	{ ON_SIM | ON_PAGE, 'l', ACT_RIGHT, "turn the knob up a step", NULL },
	{ ON_SIM | ON_PAGE, KEY_RIGHT_, ACT_RIGHT, NULL, NULL },
	{ ON_SIM | ON_PAGE, 'H', ACT_FAR_LEFT, "turn the knob far down", NULL },
	{ ON_SIM | ON_PAGE, 'L', ACT_FAR_RIGHT, "turn the knob far up", NULL },
	{ ON_HOME, 'h', ACT_LEFT, "the column to the left", NULL },
	{ ON_HOME, KEY_LEFT_, ACT_LEFT, NULL, NULL },
	{ ON_HOME, 'l', ACT_RIGHT, "the column to the right", NULL },
	{ ON_HOME, KEY_RIGHT_, ACT_RIGHT, NULL, NULL },
	{ ON_ALL & ~ON_SIM, KEY_PGUP_, ACT_PAGE_UP, "a page up", NULL },
	{ ON_ALL & ~ON_SIM, KEY_PGDN_, ACT_PAGE_DOWN, "a page down", NULL },
	{ ON_SIM, KEY_PGUP_, ACT_PAGE_UP, "the figure's part above", NULL },
	{ ON_SIM, KEY_PGDN_, ACT_PAGE_DOWN, "the figure's next part", NULL },
	{ ON_HELP | ON_STATS, ' ', ACT_PAGE_DOWN, NULL, NULL },
	{ ON_ALL & ~ON_DRILL, 'g', ACT_TOP, "to the top", NULL },
	{ ON_ALL, KEY_HOME_, ACT_TOP, NULL, NULL },
	{ ON_ALL & ~ON_DRILL, 'G', ACT_BOTTOM, "to the bottom", NULL },
	{ ON_ALL, KEY_END_, ACT_BOTTOM, NULL, NULL },
	{ ON_HOME, KEY_ENTER_, ACT_ENTER, "open", "open" },
	{ ON_PAGE, KEY_ENTER_, ACT_ENTER, "follow the link; open the figure in full", "open" },
	{ ON_SIM, KEY_ENTER_, ACT_ENTER, "type a value, with its unit (or just begin with a digit); of a knob with names, choose one", "type a value" },
	{ ON_DRILL, KEY_ENTER_, ACT_ENTER, "start; answer; then the next problem; after a pause: go on", "answer" },
	{ ON_PAGE, KEY_TAB, ACT_NEXT, "the next link, number or figure; inside a figure, leave it", "next" },
	{ ON_SIM | ON_HOME, KEY_TAB, ACT_NEXT, "the next knob; on the home screen, the next column", NULL },
	{ ON_SIM | ON_HOME | ON_PAGE, KEY_BACKTAB_, ACT_PREVIOUS, "the one before", NULL },
	/* a simulation */
	{ ON_SIM, 'c', ACT_COMPARE, "pin this setting and compare the next ones with it; again: unpin", "compare" },
	{ ON_PAGE, 'c', ACT_COMPARE, NULL, NULL },
	{ ON_SIM, ' ', ACT_PLAY, "play or pause the run", "play" },
	{ ON_PAGE, ' ', ACT_PLAY, "a page down; in a figure that has a run, play or pause it", "play" },
	{ ON_SIM | ON_PAGE, ',', ACT_EARLIER, "move the playhead back", NULL },
	{ ON_SIM | ON_PAGE, '.', ACT_LATER, "move the playhead on", NULL },
	{ ON_SIM | ON_PAGE, 'u', ACT_UNDO, "undo the last change of a knob", "undo" },
	{ ON_SIM | ON_PAGE, 'r', ACT_DEFAULT, "the knob's default", NULL },
	{ ON_SIM, 'R', ACT_DEFAULT_ALL, "all defaults", NULL },
	{ ON_SIM, 'z', ACT_ZOOM, "the figure alone, or with its knobs", NULL },
	{ ON_SIM, 's', ACT_NOTES, "assumptions, what the model leaves out, all knobs with their ranges", "notes" },
	{ ON_SIM, 'y', ACT_COMMAND_LINE, "show this setting as a command line", NULL },
	{ ON_SIM, 'p', ACT_OPEN_PAGE, "the page that explains it", NULL },
	/* a page */
	{ ON_PAGE, '/', ACT_SEARCH, "search in the page", "search" },
	{ ON_PAGE, 'n', ACT_FIND_NEXT, "the next match", NULL },
	{ ON_PAGE, 'N', ACT_FIND_PREVIOUS, "the match before", NULL },
	{ ON_PAGE, 't', ACT_CONTENTS, "the contents of the page", "contents" },
	{ ON_PAGE, 'w', ACT_TERM, "the next word that the glossary explains; Enter: its entry; again: the glossary", "words" },
	{ ON_PAGE, 'W', ACT_TERM_BEFORE, "the word before", NULL },
	{ ON_PAGE, '=', ACT_FORMULA, "the formula behind the number in focus", NULL },
	{ ON_PAGE, 'B', ACT_BOOKMARK, "set a bookmark at the top line, or take it away", NULL },
	/* a drill */
	{ ON_DRILL, 'n', ACT_SKIP, "the next problem", "next" },
	{ ON_DRILL, 'g', ACT_SIMULATE, "after the answer: turn the same numbers, formula and working live", "same numbers" },
	{ ON_DRILL, 's', ACT_SUBJECT, "after the answer: the simulation of the subject", "simulation" },
	{ ON_DRILL, 'p', ACT_OPEN_PAGE, "after the answer: the paragraph that explains it", "paragraph" },
	{ ON_DRILL, KEY_CTRL_Y, ACT_COPY_RESULT, "the pad's last result, to the answer line", "to the answer" },
	{ ON_DRILL, KEY_CTRL_N, ACT_NEXT_PHASE, "an interview: end this phase", "next phase" },
	{ ON_DRILL, 'e', ACT_EDIT, "a program: write it in your editor", "edit" },
	{ ON_DRILL, KEY_TAB, ACT_HINT, "a hint (a tenth of the credit); in the scratch pad: back to the answer", "hint" },
	{ ON_DRILL, KEY_CTRL_S, ACT_SCRATCH, "scratch pad: arithmetic with units; again: back to the answer", "scratch pad" },
	{ ON_DRILL, KEY_CTRL_P, ACT_PAUSE, "pause: the clock stops and the problem hides", "pause" },
	{ ON_DRILL, KEY_CTRL_G, ACT_GIVE_UP, "give up: show the solution", "give up" },
	{ ON_DRILL, KEY_UP_, ACT_UP, "a line up; on an empty line of notes or pad: the line before, to be mended", NULL },
	{ ON_DRILL, 'k', ACT_UP, NULL, NULL },
	{ ON_DRILL, KEY_DOWN_, ACT_DOWN, "a line down; after a session: the problem below", NULL },
	{ ON_DRILL, 'j', ACT_DOWN, NULL, NULL },
	{ ON_DRILL, 'r', ACT_REPEAT, "after a session: what was missed, with fresh numbers", "repeat missed" },
	{ ON_DRILL, 'a', ACT_AGAIN, "after a session: the same kind again, with fresh numbers", "again" },
	{ ON_DRILL, 'y', ACT_COMMAND_LINE, "after a session: show its code, for another person", "code" },
	/* your answers */
	{ ON_STATS, KEY_ENTER_, ACT_ENTER, "drill the skill or topic in focus", "drill it" },
	{ ON_STATS, 'd', ACT_REVIEW, "review the skills that are due", "review what is due" },
	/* the interviewer's screen */
	{ ON_INTERVIEWER, ' ', ACT_PLAY, "start or pause the interview's clock", "clock" },
	{ ON_INTERVIEWER, 'n', ACT_NEXT, "the next problem or talk; after the last, the summary", "next" },
	{ ON_INTERVIEWER, 'p', ACT_PREVIOUS, "the problem or talk before", "back" },
	{ ON_INTERVIEWER, ']', ACT_LATER, "the next phase", "next phase" },
	{ ON_INTERVIEWER, '[', ACT_EARLIER, "the phase before", NULL },
	{ ON_INTERVIEWER, '1', ACT_MARK_1, "mark: strong no; the same key again takes a mark away", "to 4 mark" },
	{ ON_INTERVIEWER, '2', ACT_MARK_2, "mark: no", NULL },
	{ ON_INTERVIEWER, '3', ACT_MARK_3, "mark: yes", NULL },
	{ ON_INTERVIEWER, '4', ACT_MARK_4, "mark: strong yes", NULL },
	{ ON_INTERVIEWER, 'e', ACT_NOTE, "type a note; it keeps the time", "note" },
	{ ON_INTERVIEWER, 'E', ACT_EDIT_NOTE, "change the last note; an empty one goes", NULL },
	{ ON_INTERVIEWER, 'c', ACT_CODE, "the code, large, to be read out", NULL },
	{ ON_INTERVIEWER, 'q', ACT_QUIT, "sum up; in the summary: leave ridge and print it", "end" },
	/* everywhere */
	{ ON_HOME, '/', ACT_PALETTE, NULL, NULL },
	{ ON_ALL, ':', ACT_PALETTE, "go to anything by a few letters of its name", "go to" },
	{ ON_ALL & ~ON_HELP, '?', ACT_HELP, "this help", "help" },
	{ ON_ALL & ~ON_HOME & ~ON_DRILL & ~ON_INTERVIEWER, '~', ACT_HOME, "the home screen", NULL },
	{ ON_ALL, KEY_ESC, ACT_BACK, "back to where you were", "back" },
	{ ON_ALL & ~ON_DRILL, KEY_BACKSPACE_, ACT_BACK, NULL, NULL },
	{ ON_ALL & ~ON_HELP & ~ON_INTERVIEWER, 'f', ACT_FORWARD, "forward again, after going back", NULL },
	{ ON_ALL & ~ON_HELP & ~ON_DRILL & ~ON_INTERVIEWER, 'v', ACT_BOOKMARKS, "your bookmarks in pages", NULL },
	{ ON_ALL & ~ON_DRILL, 'm', ACT_MOUSE, "mouse on or off (click an entry, wheel over a knob)", NULL },
	{ ON_ALL & ~ON_DRILL, 'b', ACT_GLYPHS, "finer plots with braille glyphs, or line drawing", NULL },
	{ ON_ALL, KEY_CTRL_L, ACT_REDRAW, "draw the screen anew", NULL },
	{ ON_ALL, KEY_CTRL_Z, ACT_SUSPEND, "to the shell; fg returns", NULL },
	{ ON_HELP, 'q', ACT_BACK, "leave the help", "back" },
	{ ON_ALL & ~ON_HELP & ~ON_DRILL & ~ON_INTERVIEWER, 'q', ACT_QUIT, "leave ridge; it opens here again", "quit" },
	{ ON_DRILL, KEY_CTRL_C, ACT_QUIT, "leave ridge", NULL },
	{ ON_ALL & ~ON_DRILL, KEY_CTRL_C, ACT_QUIT, NULL, NULL },
};
/* clang-format on */
const size_t n_key_bindings = LENGTH(key_bindings);

enum action key_action(enum screen_id s, uint32_t key)
{
	for (size_t i = 0; i < n_key_bindings; i++)
		if (key_bindings[i].key == key && (key_bindings[i].screens & (1u << s)))
			return key_bindings[i].action;
	return ACT_NONE;
}
