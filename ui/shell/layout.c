#include "ui/shell/layout.h"

static int most(int a, int b)
{
	return a > b ? a : b;
}

bool too_small(int rows, int cols)
{
	return rows < LEAST_ROWS || cols < LEAST_COLS;
}

struct frame_layout frame_layout(int rows, int cols)
{
	return (struct frame_layout){
		.title = { 0, 1, 1, most(0, cols - 2) },
		.rule = { 1, 0, 1, cols },
		.body = { 2, 1, most(0, rows - 3), most(0, cols - 2) },
		.footer = { rows - 1, 1, 1, most(0, cols - 2) },
	};
}
