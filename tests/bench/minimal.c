/* The peer of make bench: three sliders and what they make, as short as ncurses allows. j and k
 * choose, h and l turn, q quits. */
#include <locale.h>
#include <ncurses.h>

enum { SLIDERS = 3, STEPS = 20, BARS = 8 };

static void draw(const int value[], int focus)
{
	static const char *const names[] = { "arrivals", "service", "servers" };
	erase();
	attron(A_BOLD);
	mvaddstr(0, 1, "three sliders");
	attroff(A_BOLD);
	for (int i = 0; i < SLIDERS; i++) {
		mvprintw(2 + i, 1, "%c %-9s", i == focus ? '>' : ' ', names[i]);
		attron(COLOR_PAIR(1 + i));
		for (int step = 0; step < STEPS; step++)
			addch(step < value[i] ? ACS_CKBOARD : ACS_HLINE);
		attroff(COLOR_PAIR(1 + i));
		printw(" %5.2f", value[i] / (double)STEPS);
	}
	for (int bar = 0; bar < BARS; bar++) {
		double load = value[0] * (bar + 1.0) / ((value[1] + 1.0) * (value[2] + 1.0));
		int length = (int)(load * 10) % (COLS - 20);
		mvprintw(7 + bar, 1, "%8.3f ", load);
		for (int x = 0; x < length; x++)
			addch('#');
	}
	mvaddstr(LINES - 1, 1, "j k choose   h l turn   q quit");
	refresh();
}

int main(void)
{
	int value[SLIDERS] = { 8, 12, 4 }, focus = 0, key = 0;
	setlocale(LC_CTYPE, "");
	initscr();
	cbreak();
	noecho();
	curs_set(0);
	start_color();
	for (short i = 1; i <= SLIDERS; i++)
		init_pair(i, i, COLOR_BLACK);
	do {
		focus = (focus + (key == 'j') + (SLIDERS - 1) * (key == 'k')) % SLIDERS;
		value[focus] +=
			(key == 'l' && value[focus] < STEPS) - (key == 'h' && value[focus] > 0);
		draw(value, focus);
		key = getch();
	} while (key != 'q' && key != ERR);
	endwin();
	return 0;
}
