/* Box drawing as arms: a character is four lines that lead from the middle of the cell to its edges,
 * each light, heavy, double or absent. Where a line ends follows from what it meets. */
#include "ui/term/glyph_lines.h"

#include <stddef.h>

enum { FIRST = 0x2500, LAST = 0x257f };
enum { NONE, LIGHT, HEAVY, DOUBLE };

/* The arms to the left, up, to the right, down, from what Unicode calls each character. */
/* clang-format off */
static const char arms[LAST - FIRST + 1][5] = {
	"1010", "2020", "0101", "0202", "1010", "2020", "0101", "0202", /* 2500 ─━│┃┄┅┆┇ */
	"1010", "2020", "0101", "0202", "0011", "0021", "0012", "0022", /* 2508 ┈┉┊┋┌┍┎┏ */
	"1001", "2001", "1002", "2002", "0110", "0120", "0210", "0220", /* 2510 ┐┑┒┓└┕┖┗ */
	"1100", "2100", "1200", "2200", "0111", "0121", "0211", "0112", /* 2518 ┘┙┚┛├┝┞┟ */
	"0212", "0221", "0122", "0222", "1101", "2101", "1201", "1102", /* 2520 ┠┡┢┣┤┥┦┧ */
	"1202", "2201", "2102", "2202", "1011", "2011", "1021", "2021", /* 2528 ┨┩┪┫┬┭┮┯ */
	"1012", "2012", "1022", "2022", "1110", "2110", "1120", "2120", /* 2530 ┰┱┲┳┴┵┶┷ */
	"1210", "2210", "1220", "2220", "1111", "2111", "1121", "2121", /* 2538 ┸┹┺┻┼┽┾┿ */
	"1211", "1112", "1212", "2211", "1221", "2112", "1122", "2221", /* 2540 ╀╁╂╃╄╅╆╇ */
	"2122", "2212", "1222", "2222", "1010", "2020", "0101", "0202", /* 2548 ╈╉╊╋╌╍╎╏ */
	"3030", "0303", "0031", "0013", "0033", "3001", "1003", "3003", /* 2550 ═║╒╓╔╕╖╗ */
	"0130", "0310", "0330", "3100", "1300", "3300", "0131", "0313", /* 2558 ╘╙╚╛╜╝╞╟ */
	"0333", "3101", "1303", "3303", "3031", "1013", "3033", "3130", /* 2560 ╠╡╢╣╤╥╦╧ */
	"1310", "3330", "3131", "1313", "3333", "0000", "0000", "0000", /* 2568 ╨╩╪╫╬╭╮╯ */
	"0000", "0000", "0000", "0000", "1000", "0100", "0010", "0001", /* 2570 ╰╱╲╳╴╵╶╷ */
	"2000", "0200", "0020", "0002", "1020", "0102", "2010", "0201", /* 2578 ╸╹╺╻╼╽╾╿ */
};
/* clang-format on */

/* Half of what lies between two lines of a double one, and half of how wide a line is. */
static const double gap = 1.5, half[] = { [NONE] = 0, [LIGHT] = 0.5, [HEAVY] = 1, [DOUBLE] = 0.5 };

/* What meets in the middle of a cell, seen along a line: the arm before the middle and the one after
 * it, and the arms to its sides, the near one (up, left) and the far one. */
struct crossing {
	int before, after, near, far;
	double middle;
};

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* How far beyond the middle an arm goes that does not run through: to the outer edge of what it
 * meets, so that corners are closed; to a double line's nearer line where that runs through. */
static double single_end(const struct crossing *c)
{
	if (c->before && c->after)
		return 0;
	if (c->near == DOUBLE && c->far == DOUBLE)
		return -gap;
	if (c->near == DOUBLE || c->far == DOUBLE)
		return gap + half[DOUBLE];
	return larger(half[c->near], half[c->far]);
}

/* The same of one line of a double one, which has a double arm on its own side, on the other, or
 * none. */
static double double_end(const struct crossing *c, int side, int other)
{
	if (side == DOUBLE)
		return half[DOUBLE] - gap;
	if (c->before && c->after)
		return 0;
	return other == DOUBLE && side == NONE ? gap + half[DOUBLE] : half[LIGHT];
}

static struct reach reach_of(const struct crossing *c, enum line_kind kind)
{
	struct reach r = { 0, 2 * c->middle };
	int arm = kind == LINE_LIGHT ? LIGHT : kind == LINE_HEAVY ? HEAVY : DOUBLE;
	double end = arm != DOUBLE       ? single_end(c)
		     : kind == LINE_NEAR ? double_end(c, c->near, c->far)
					 : double_end(c, c->far, c->near);
	if (c->before == arm)
		r.to = c->middle + end;
	if (c->after == arm)
		r.from = c->middle - end;
	return r;
}

static bool arms_of(uint32_t code, int out[4])
{
	if (code < FIRST || code > LAST)
		return false;
	for (size_t i = 0; i < 4; i++)
		out[i] = arms[code - FIRST][i] - '0';
	return true;
}

struct reach line_across(uint32_t code, enum line_kind kind)
{
	int a[4];
	if (!arms_of(code, a))
		return (struct reach){ 0, GLYPH_WIDTH };
	return reach_of(&(struct crossing){ a[0], a[2], a[1], a[3], GLYPH_WIDTH / 2.0 }, kind);
}

struct reach line_down(uint32_t code, enum line_kind kind)
{
	int a[4];
	if (!arms_of(code, a))
		return (struct reach){ 0, GLYPH_HEIGHT };
	return reach_of(&(struct crossing){ a[1], a[3], a[0], a[2], GLYPH_HEIGHT / 2.0 }, kind);
}

double line_place(enum line_kind kind, bool down)
{
	double middle = down ? GLYPH_WIDTH / 2.0 : GLYPH_HEIGHT / 2.0;
	return kind == LINE_NEAR ? middle - gap : kind == LINE_FAR ? middle + gap : middle;
}

unsigned line_dashes(uint32_t code)
{
	if (code >= 0x2504 && code <= 0x250b)
		return code < 0x2508 ? 3 : 4;
	return code >= 0x254c && code <= 0x254f ? 2 : 0;
}

const char *line_curve(uint32_t code, int *x, int *y)
{
	static const struct {
		int x, y;
		const char *path;
	} curves[] = {
		{ 8, 8, "q-4 0-4 4v4" },      /* ╭ */
		{ 0, 8, "q4 0 4 4v4" },       /* ╮ */
		{ 0, 8, "q4 0 4-4v-4" },      /* ╯ */
		{ 8, 8, "q-4 0-4-4v-4" },     /* ╰ */
		{ 0, 16, "l8-16" },           /* ╱ */
		{ 0, 0, "l8 16" },            /* ╲ */
		{ 0, 16, "l8-16m-8 0l8 16" }, /* ╳ */
	};
	enum { FIRST_CURVE = 0x256d };
	if (code < FIRST_CURVE || code >= FIRST_CURVE + sizeof curves / sizeof *curves)
		return NULL;
	*x = curves[code - FIRST_CURVE].x;
	*y = curves[code - FIRST_CURVE].y;
	return curves[code - FIRST_CURVE].path;
}
