#include "ui/shell/layout.h"

#include "sims/base/minmax.h"

bool too_small(int rows, int cols)
{
	return rows < LEAST_ROWS || cols < LEAST_COLS;
}

struct frame_layout frame_layout(int rows, int cols)
{
	return (struct frame_layout){
		.title = { 0, 1, 1, max_int(0, cols - 2) },
		.rule = { 1, 0, 1, cols },
		.body = { 2, 1, max_int(0, rows - 3), max_int(0, cols - 2) },
		.footer = { rows - 1, 1, 1, max_int(0, cols - 2) },
	};
}
