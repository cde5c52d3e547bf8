/* Times of the playhead are rounded to four digits of the run, or fewer: no frame shows more, and a
 * command line that names such a time is short and opens the same screen. */
#include "ui/live/live_run.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "sims/quantity/quantity.h"
#include "ui/term/paragraph.h"
#include "ui/term/textwrap.h"
#include "ui/views/quantity_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- Times ------------------------------------------------------------------------------- */

static const struct {
	const char *unit;
	double in_a_second;
} units[] = { { "s", 1 }, { "ms", 1e3 }, { "us", 1e6 }, { "ns", 1e9 } };

/* The largest unit in which a time is one or more. */
static size_t unit_of(double s)
{
	size_t i = 0;
	while (i + 1 < LENGTH(units) && s > 0 && s * units[i].in_a_second < 1)
		i++;
	return i;
}

static bool reads_as(const char *text, double s)
{
	char why[160];
	double again;
	return quantity_read(text, "s", &again, why, sizeof why) == 0 && again == s;
}

/* The shortest number that reads as this one again: "40ms". */
static void write_time(double s, char *buf, size_t size)
{
	const size_t suited = unit_of(s);
	for (int decimals = 0; decimals <= 17; decimals++) {
		snprintf(buf, size, "%.*f%s", decimals, s * units[suited].in_a_second,
			units[suited].unit);
		if (reads_as(buf, s))
			return;
		/* Where the product is rounded, seconds may be shorter. */
		snprintf(buf, size, "%.*f%s", decimals, s, units[0].unit);
		if (reads_as(buf, s))
			return;
	}
	snprintf(buf, size, "%.17gs", s);
}

/* The time as it is written with all digits that count in this run. up: not before it. */
static double rounded(const struct live *s, double at_s, bool up)
{
	enum { DIGITS = 4 };
	char text[64], why[160];
	const double end_s = s->figure.duration_s;
	if (!(at_s > 0) || at_s >= end_s)
		return at_s > 0 ? end_s : 0;
	const int last = (int)floor(log10(end_s)) - (DIGITS - 1);
	const double steps = at_s / pow(10, last);
	const double near_s = (up ? ceil(steps - 1e-6) : round(steps)) * pow(10, last);
	const size_t unit = unit_of(near_s);
	double out_s;
	snprintf(text, sizeof text, "%.*f%s", max_int(0, -last - 3 * (int)unit),
		near_s * units[unit].in_a_second, units[unit].unit);
	if (quantity_read(text, "s", &out_s, why, sizeof why))
		return at_s;
	return fmin(out_s, end_s);
}

int run_read_time(struct live *s, const char *text, char *err, size_t err_size)
{
	char reason[160], end[48];
	double at_s = s->figure.duration_s;
	if (strcmp(text, "end") != 0 && quantity_read(text, "s", &at_s, reason, sizeof reason)) {
		snprintf(err, err_size, "at: %s", reason);
		return -1;
	}
	if (!(at_s >= 0 && at_s <= s->figure.duration_s)) {
		snprintf(err, err_size, "at: %.40s is outside the run of %s", text,
			quantity_format(end, sizeof end, s->figure.duration_s, "s"));
		return -1;
	}
	s->playhead_s = at_s;
	return 0;
}

void run_write_time(const struct live *s, char *buf, size_t size)
{
	if (s->playhead_s == s->figure.duration_s && s->playhead_s > 0)
		snprintf(buf, size, "end");
	else
		write_time(s->playhead_s, buf, size);
}

/* -- Moments ----------------------------------------------------------------------------- */

/* What the keys jump to: the landmarks of the run, or without any the places where its caption
 * changes. */
static size_t n_stops(const struct live *s)
{
	return s->figure.n_landmarks ? s->figure.n_landmarks : s->figure.n_moments;
}

static double stop_s(const struct live *s, size_t i)
{
	return rounded(s,
		s->figure.n_landmarks ? s->figure.landmarks[i].at_s : s->figure.moments[i].at_s,
		true);
}

/* While it plays, one step back must not find the stop that was just passed. */
static double from_s(const struct live *s, int way)
{
	if (isnan(s->playhead_s))
		return way > 0 ? -1 : INFINITY;
	return s->playhead_s - (way < 0 && s->playing ? s->figure.duration_s / 40 : 0);
}

static void jump(struct live *s, int way)
{
	double best = way > 0 ? s->figure.duration_s : 0;
	const double from = from_s(s, way);
	s->landmark = 0;
	for (size_t i = 0; i < n_stops(s); i++) {
		const double at = stop_s(s, i);
		if (way > 0 ? at <= from || at > best : at >= from || at < best)
			continue;
		best = at;
		s->landmark = s->figure.n_landmarks ? i + 1 : 0;
	}
	s->playhead_s = best;
	s->played_ms = 0;
}

void run_keep_stop(struct live *s)
{
	if (s->landmark > 0 && (s->landmark > s->figure.n_landmarks ||
				       stop_s(s, s->landmark - 1) != s->playhead_s))
		s->landmark = 0;
}

/* The name of the stop that a key led to, until the run has gone on from it. */
static const char *stop_name(const struct live *s)
{
	if (s->landmark == 0 || s->landmark > s->figure.n_landmarks)
		return "";
	const double at = stop_s(s, s->landmark - 1), on = s->playhead_s - at;
	return on >= 0 && on <= s->figure.duration_s / 20
		       ? s->figure.landmarks[s->landmark - 1].name
		       : "";
}

/* -- Playing ----------------------------------------------------------------------------- */

static void play(struct live *s)
{
	s->playing = !s->playing;
	s->played_ms = 0;
	if (s->playing && (isnan(s->playhead_s) || s->playhead_s >= s->figure.duration_s))
		s->playhead_s = 0;
}

static void scrub(struct live *s, double share)
{
	const double d = s->figure.duration_s;
	s->playing = false;
	s->landmark = 0;
	double at = (isnan(s->playhead_s) ? (share < 0 ? d : 0) : s->playhead_s) + share * d;
	s->playhead_s = at > d * (1 + 1e-9) ? NAN : rounded(s, at, false);
}

static void change_speed(struct live *s, int by)
{
	s->speed = max_int(SLOWEST, min_int(s->speed + by, FASTEST));
	s->played_ms = 0;
}

bool run_act(struct live *s, enum action a)
{
	const bool runs = s->figure.duration_s > 0;
	switch (a) {
	case ACT_PLAY:
		if (runs)
			play(s);
		return true;
	case ACT_EARLIER:
	case ACT_LATER:
		if (runs)
			scrub(s, a == ACT_LATER ? 0.02 : -0.02);
		return true;
	case ACT_SLOWER:
	case ACT_FASTER:
		if (runs)
			change_speed(s, a == ACT_FASTER ? 1 : -1);
		return true;
	case ACT_MOMENT_BEFORE:
	case ACT_MOMENT_NEXT:
		if (runs)
			jump(s, a == ACT_MOMENT_NEXT ? 1 : -1);
		return true;
	default:
		return false;
	}
}

/* The place follows from where and when playing began, so that rounding it does not add up. */
int live_tick(struct live *s, int64_t now_ms)
{
	enum { FRAME_MS = 50 };
	const double whole_run_ms = 12000; /* long enough to follow, short enough to wait for */
	if (!s->playing || !(s->figure.duration_s > 0))
		return -1;
	if (s->played_ms == 0) {
		s->played_ms = s->begun_ms = now_ms;
		s->begun_s = s->playhead_s;
	}
	const int passed_ms = (int)(now_ms - s->played_ms);
	if (passed_ms < FRAME_MS)
		return FRAME_MS - passed_ms;
	s->played_ms = now_ms;
	const double share = ldexp((double)(now_ms - s->begun_ms) / whole_run_ms, s->speed);
	s->playhead_s = rounded(s, s->begun_s + s->figure.duration_s * share, false);
	if (s->playhead_s < s->figure.duration_s)
		return FRAME_MS;
	s->playing = false;
	return -1;
}

/* -- The row ----------------------------------------------------------------------------- */

static const char *caption_of(const struct live *s)
{
	const char *caption = "";
	for (size_t i = 0; i < s->figure.n_moments; i++)
		if (s->figure.moments[i].at_s <= s->playhead_s)
			caption = s->figure.moments[i].text;
	return caption;
}

bool live_has_box(const struct live *s)
{
	return s->sim->knobs[s->focus].kind == KNOB_TOGGLE;
}

/* What the row says with a name and a caption, and before the run of what plays "elsewhere" (or
 * NULL). "2x" is the speed, which is not told when it is the usual one. */
static char *row_text(const struct live *s, const char *elsewhere, const char *name,
	const char *caption, char *buf, size_t size)
{
	char at[48], of[48], speed[16] = "", what[80] = "plays the run of";
	quantity_show(of, sizeof of, s->figure.duration_s, "s");
	if (s->speed)
		snprintf(speed, sizeof speed, " %gx", ldexp(1, s->speed));
	if (isnan(s->playhead_s)) {
		if (elsewhere) /* a name that begins with an article is written as the rest of a sentence */
			snprintf(what, sizeof what, "opens and plays %c%s,",
				strncmp(elsewhere, "The ", 4) == 0 ? 't' : *elsewhere,
				elsewhere + 1);
		snprintf(buf, size, "Space %s %s%s%s", what, of, s->speed ? " at" : "", speed);
		return buf;
	}
	quantity_show(at, sizeof at, s->playhead_s, "s");
	snprintf(buf, size, "%s%s %s of %s  %s%s%s", s->playing ? "▶" : "‖", speed, at, of, name,
		*name && *caption ? " · " : "", caption);
	return micro_sign(buf, size);
}

bool run_is_told(const struct live *s)
{
	return s->figure.duration_s > 0 && (!isnan(s->playhead_s) || s->speed);
}

/* The same number of rows for the whole run, so that nothing jumps while it plays. */
int run_rows(const struct live *s, int cols, enum glyphs glyphs)
{
	char text[640];
	int most = 1;
	for (size_t i = 0; i < s->figure.n_moments; i++) {
		const char *caption = s->figure.moments[i].text;
		/* A caption that is far from filling a row need not be laid out. */
		if ((int)strlen(caption) + 24 > cols)
			most = max_int(
				most, text_lines(row_text(s, NULL, "", caption, text, sizeof text),
					      cols, glyphs));
	}
	return max_int(
		most, text_lines(row_text(s, NULL, stop_name(s), caption_of(s), text, sizeof text),
			      cols, glyphs));
}

void run_draw(struct canvas *cv, struct rect r, const struct live *s, const char *elsewhere)
{
	char text[640];
	const char *keys =
		n_stops(s) ? ", . step   { } moments   < > speed" : ", . step   < > speed";
	const char *rest = row_text(s, elsewhere, stop_name(s), caption_of(s), text, sizeof text);
	struct text_line line = { .cols = 0 };
	int rows = paragraph_draw(cv, r, text, isnan(s->playhead_s) ? STYLE_DIM : STYLE_ACCENT, 0);
	while (text_wrap(&rest, r.cols, cv->glyphs, &line))
		;
	const bool beside = line.cols + 3 + text_cols(keys, cv->glyphs) <= r.cols;
	if (beside || rows < r.rows)
		canvas_text_right(cv, r.row + rows - beside, r.col, r.cols, keys, STYLE_DIM, 0);
}
