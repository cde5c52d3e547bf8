#include "sims/quantity/duration.h"

#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/quantity/quantity_parse.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum level { LEVEL_DAYS, LEVEL_HOURS, LEVEL_MINUTES, LEVEL_SECONDS, N_DURATION_LEVELS };

/* `most`: from where on one would say the next larger unit. */
static const struct duration_level {
	const char *unit;
	double unit_s, most;
	const char *const *names;
} levels[N_DURATION_LEVELS] = {
	[LEVEL_DAYS] = { "d", DAY_S, INFINITY, (const char *const[]){ "d", "day", "days", NULL } },
	[LEVEL_HOURS] = { "h", HOUR_S, DAY_S / HOUR_S,
		(const char *const[]){ "h", "hr", "hour", "hours", NULL } },
	[LEVEL_MINUTES] = { "min", MINUTE_S, HOUR_S / MINUTE_S,
		(const char *const[]){ "min", "minute", "minutes", "m", NULL } },
	[LEVEL_SECONDS] = { "s", 1, MINUTE_S,
		(const char *const[]){ "s", "sec", "second", "seconds", NULL } },
};

static int level_of(const char *symbol, size_t bytes)
{
	for (int i = 0; i < N_DURATION_LEVELS; i++)
		for (const char *const *name = levels[i].names; *name; name++)
			if (strlen(*name) == bytes && strncmp(*name, symbol, bytes) == 0)
				return i;
	return N_DURATION_LEVELS;
}

/* What is read so far. */
struct parts {
	int n, level; /* of the last part */
	bool metres;  /* it began with "m" */
	double total_s;
	int last_digit;
};

/* The unit at *at, or the one below the last part's where a part ends without: "1h30". */
static int take_level(const char **at, const struct parts *p, bool *left_out)
{
	const char *symbol = reader_after_blanks(*at);
	const size_t bytes = reader_symbol_bytes(symbol);
	const int level = level_of(symbol, bytes);
	/* In "1h30 in h" the word behind the blank is none of it. */
	*left_out = bytes == 0 || (symbol > *at && level == N_DURATION_LEVELS);
	if (!*left_out) {
		*at = symbol + bytes;
		return level;
	}
	const bool may =
		p->n > 0 && !p->metres && (p->level == LEVEL_HOURS || p->level == LEVEL_MINUTES);
	return may ? p->level + 1 : N_DURATION_LEVELS;
}

/* Adds the part at *at. False: there is none that may follow. */
static bool take_part(const char **at, struct parts *p, bool *left_out)
{
	char err[128];
	double value;
	int last_digit;
	const char *from = p->n ? reader_after_blanks(*at) : *at;
	struct quantity_reader r = { .at = from, .err = err, .err_size = sizeof err };
	if (!reader_digit(*from) || reader_number(&r, false, &value, &last_digit))
		return false;
	const char *end = r.at;
	const int level = take_level(&end, p, left_out);
	const bool metres = level == LEVEL_MINUTES && end[-1] == 'm' && p->level != LEVEL_HOURS;
	if (level == N_DURATION_LEVELS || (p->n && level <= p->level) ||
		(p->n && value >= levels[level].most) || (p->metres && level != LEVEL_SECONDS) ||
		(p->n && metres))
		return false;
	*p = (struct parts){ p->n + 1, level, metres, p->total_s + value * levels[level].unit_s,
		last_digit };
	*at = end;
	return true;
}

size_t duration_read(const char *text, struct duration *out)
{
	assert(text && out);
	struct parts p = { .level = -1 };
	const char *at = text;
	bool left_out = false;
	/* Only the last part may have a fraction. */
	while (!left_out && p.last_digit >= 0 && take_part(&at, &p, &left_out))
		;
	if (p.n < 2)
		return 0;
	const struct duration_level *l = &levels[p.level];
	*out = (struct duration){ p.total_s / l->unit_s, l->unit, l->unit_s, p.last_digit };
	return (size_t)(at - text);
}
