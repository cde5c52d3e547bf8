/* A symbol is looked up from its end: it ends with a name of the table, and what stands before that
 * must be a prefix which this name takes. So "GB" and "Mtok" need no rows of their own. Every row
 * that fits is a reading. */
#include "sims/quantity/unit.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/base/match.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the table ------------------------------------------------------------------------------- */

enum prefixes {
	PREFIX_NONE = 0,
	PREFIX_SMALL = 1, /* n u m */
	PREFIX_MILLI = 2,
	PREFIX_LARGE = 4,  /* k M G T P E Z */
	PREFIX_BINARY = 8, /* Ki Mi Gi Ti Pi Ei */
	/* Spelled out, before what is spelled out too: gigabytes, kibibytes, milliseconds. */
	PREFIX_LARGE_WORD = 16,
	PREFIX_BINARY_WORD = 32,
	PREFIX_SMALL_WORD = 64,
	PREFIX_WORDS = PREFIX_LARGE_WORD | PREFIX_BINARY_WORD | PREFIX_SMALL_WORD
};

static const struct unit_prefix {
	const char *text;
	double factor;
	unsigned kind;
} prefix_table[] = {
	{ "n", 1e-9, PREFIX_SMALL },
	{ "u", 1e-6, PREFIX_SMALL },
	{ "\xc2\xb5", 1e-6, PREFIX_SMALL },
	{ "\xce\xbc", 1e-6, PREFIX_SMALL },
	{ "m", 1e-3, PREFIX_SMALL | PREFIX_MILLI },
	{ "k", 1e3, PREFIX_LARGE },
	{ "K", 1e3, PREFIX_LARGE },
	{ "M", 1e6, PREFIX_LARGE },
	{ "G", 1e9, PREFIX_LARGE },
	{ "T", 1e12, PREFIX_LARGE },
	{ "P", 1e15, PREFIX_LARGE },
	{ "E", 1e18, PREFIX_LARGE },
	{ "Z", 1e21, PREFIX_LARGE },
	{ "Ki", 0x1p10, PREFIX_BINARY },
	{ "Mi", 0x1p20, PREFIX_BINARY },
	{ "Gi", 0x1p30, PREFIX_BINARY },
	{ "Ti", 0x1p40, PREFIX_BINARY },
	{ "Pi", 0x1p50, PREFIX_BINARY },
	{ "Ei", 0x1p60, PREFIX_BINARY },
	{ "nano", 1e-9, PREFIX_SMALL_WORD },
	{ "micro", 1e-6, PREFIX_SMALL_WORD },
	{ "milli", 1e-3, PREFIX_SMALL_WORD },
	{ "kilo", 1e3, PREFIX_LARGE_WORD },
	{ "mega", 1e6, PREFIX_LARGE_WORD },
	{ "giga", 1e9, PREFIX_LARGE_WORD },
	{ "tera", 1e12, PREFIX_LARGE_WORD },
	{ "peta", 1e15, PREFIX_LARGE_WORD },
	{ "kibi", 0x1p10, PREFIX_BINARY_WORD },
	{ "mebi", 0x1p20, PREFIX_BINARY_WORD },
	{ "gibi", 0x1p30, PREFIX_BINARY_WORD },
	{ "tebi", 0x1p40, PREFIX_BINARY_WORD },
};

/* A flag beside the reading flags: case says nothing about the FLOP family, about energy and about Hz, but for the "m"
 * of milli and mega. Words of FLOP that end in s have a row for either reading. */
enum { ANY_CASE = 32, A_RATE = ANY_CASE | READING_RATE, AN_AMOUNT = ANY_CASE | READING_AMOUNT };

#define INFORMATION PREFIX_LARGE | PREFIX_BINARY
#define SPELLED INFORMATION | PREFIX_LARGE_WORD | PREFIX_BINARY_WORD
#define SPELLED_TIME PREFIX_SMALL | PREFIX_SMALL_WORD
#define METRIC PREFIX_MILLI | PREFIX_LARGE
#define METRIC_WORD PREFIX_SMALL_WORD | PREFIX_LARGE_WORD
/* clang-format off */
static const struct name {
	const char *text;
	double factor;
	signed char time, bits, work, token, parameter, request, device, dollar, energy, length;
	unsigned prefixes, flags;
} name_table[] = {
	/*                     s bit FLOP tok par req dev $ J m */
	{ "b", 1,              0, 1, 0, 0, 0, 0, 0, 0, 0, 0, INFORMATION, 0 },
	{ "bit", 1,            0, 1, 0, 0, 0, 0, 0, 0, 0, 0, SPELLED, 0 },
	{ "bits", 1,           0, 1, 0, 0, 0, 0, 0, 0, 0, 0, SPELLED, 0 },
	{ "B", 8,              0, 1, 0, 0, 0, 0, 0, 0, 0, 0, INFORMATION, 0 },
	{ "byte", 8,           0, 1, 0, 0, 0, 0, 0, 0, 0, 0, SPELLED, 0 },
	{ "bytes", 8,          0, 1, 0, 0, 0, 0, 0, 0, 0, 0, SPELLED, 0 },
	{ "gig", 8e9,          0, 1, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, READING_PREFIXED },
	{ "gigs", 8e9,         0, 1, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, READING_PREFIXED },
	{ "meg", 8e6,          0, 1, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, READING_PREFIXED },
	{ "megs", 8e6,         0, 1, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, READING_PREFIXED },
	{ "bps", 1,           -1, 1, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "Bps", 8,           -1, 1, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "s", 1,              1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_SMALL, 0 },
	{ "sec", 1,            1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_SMALL, 0 },
	{ "second", 1,         1, 0, 0, 0, 0, 0, 0, 0, 0, 0, SPELLED_TIME, 0 },
	{ "seconds", 1,        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, SPELLED_TIME, 0 },
	{ "min", MINUTE_S,     1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "minute", MINUTE_S,  1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "minutes", MINUTE_S, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "h", HOUR_S,         1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "hr", HOUR_S,        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "hour", HOUR_S,      1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "hours", HOUR_S,     1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "d", DAY_S,          1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "day", DAY_S,        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "days", DAY_S,       1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "week", 7 * DAY_S,    1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "weeks", 7 * DAY_S,    1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "year", 365.25 * DAY_S,  1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "years", 365.25 * DAY_S, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "FLOP", 1,           0, 0, 1, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, ANY_CASE },
	{ "OP", 1,             0, 0, 1, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, ANY_CASE },
	{ "MAC", 2,            0, 0, 1, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, ANY_CASE },
	{ "FLOPs", 1,          0, 0, 1, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, AN_AMOUNT },
	{ "FLOPs", 1,         -1, 0, 1, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, A_RATE },
	{ "OPs", 1,            0, 0, 1, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, AN_AMOUNT },
	{ "OPs", 1,           -1, 0, 1, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, A_RATE },
	{ "MACs", 2,           0, 0, 1, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, AN_AMOUNT },
	{ "MACs", 2,          -1, 0, 1, 0, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, A_RATE },
	{ "tok", 1,            0, 0, 0, 1, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "toks", 1,           0, 0, 0, 1, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "token", 1,          0, 0, 0, 1, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "tokens", 1,         0, 0, 0, 1, 0, 0, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "param", 1,          0, 0, 0, 0, 1, 0, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "params", 1,         0, 0, 0, 0, 1, 0, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "parameter", 1,      0, 0, 0, 0, 1, 0, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "parameters", 1,     0, 0, 0, 0, 1, 0, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "req", 1,            0, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "reqs", 1,           0, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "request", 1,        0, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "requests", 1,       0, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "seq", 1,            0, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "seqs", 1,           0, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "query", 1,          0, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "queries", 1,        0, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_LARGE, 0 },
	{ "qps", 1,           -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "rps", 1,           -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "QPS", 1,           -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "RPS", 1,           -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "GPU", 1,            0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "GPUs", 1,           0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "gpu", 1,            0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "gpus", 1,           0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "device", 1,         0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "devices", 1,        0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "chip", 1,           0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "chips", 1,          0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "card", 1,           0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "cards", 1,          0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "accelerator", 1,    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "accelerators", 1,   0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "rank", 1,           0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "ranks", 1,          0, 0, 0, 0, 0, 0, 1, 0, 0, 0, PREFIX_NONE, 0 },
	{ "$", 1,              0, 0, 0, 0, 0, 0, 0, 1, 0, 0, PREFIX_NONE, 0 },
	{ "USD", 1,            0, 0, 0, 0, 0, 0, 0, 1, 0, 0, PREFIX_NONE, 0 },
	{ "dollar", 1,         0, 0, 0, 0, 0, 0, 0, 1, 0, 0, PREFIX_NONE, 0 },
	{ "dollars", 1,        0, 0, 0, 0, 0, 0, 0, 1, 0, 0, PREFIX_NONE, 0 },
	{ "J", 1,              0, 0, 0, 0, 0, 0, 0, 0, 1, 0, METRIC, ANY_CASE },
	{ "joule", 1,          0, 0, 0, 0, 0, 0, 0, 0, 1, 0, METRIC_WORD, ANY_CASE },
	{ "joules", 1,         0, 0, 0, 0, 0, 0, 0, 0, 1, 0, METRIC_WORD, ANY_CASE },
	{ "W", 1,             -1, 0, 0, 0, 0, 0, 0, 0, 1, 0, METRIC, ANY_CASE },
	{ "watt", 1,          -1, 0, 0, 0, 0, 0, 0, 0, 1, 0, METRIC_WORD, ANY_CASE },
	{ "watts", 1,         -1, 0, 0, 0, 0, 0, 0, 0, 1, 0, METRIC_WORD, ANY_CASE },
	{ "Wh", HOUR_S,        0, 0, 0, 0, 0, 0, 0, 0, 1, 0, METRIC, ANY_CASE },
	{ "Hz", 1,            -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, METRIC, ANY_CASE },
	{ "hertz", 1,         -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, METRIC_WORD, ANY_CASE },
	{ "fps", 1,           -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, ANY_CASE },
	{ "frame", 1,          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "frames", 1,         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "image", 1,          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "images", 1,         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "sample", 1,         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "samples", 1,        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "step", 1,           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "steps", 1,          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "m", 1,              0, 0, 0, 0, 0, 0, 0, 0, 0, 1, PREFIX_NONE, 0 },
	{ "metre", 1,          0, 0, 0, 0, 0, 0, 0, 0, 0, 1, PREFIX_NONE, 0 },
	{ "metres", 1,         0, 0, 0, 0, 0, 0, 0, 0, 0, 1, PREFIX_NONE, 0 },
	{ "meter", 1,          0, 0, 0, 0, 0, 0, 0, 0, 0, 1, PREFIX_NONE, 0 },
	{ "meters", 1,         0, 0, 0, 0, 0, 0, 0, 0, 0, 1, PREFIX_NONE, 0 },
	{ "km", 1e3,           0, 0, 0, 0, 0, 0, 0, 0, 0, 1, PREFIX_NONE, 0 },
	{ "mile", 1609.344,    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, PREFIX_NONE, 0 },
	{ "miles", 1609.344,   0, 0, 0, 0, 0, 0, 0, 0, 0, 1, PREFIX_NONE, 0 },
	{ "kph", 1e3 / HOUR_S, -1, 0, 0, 0, 0, 0, 0, 0, 0, 1, PREFIX_NONE, 0 },
	{ "mph", MPH_M_PER_S, -1, 0, 0, 0, 0, 0, 0, 0, 0, 1, PREFIX_NONE, 0 },
	{ "times", 1,          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "x", 1,              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "%", 0.01,           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "percent", 0.01,     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
	{ "pct", 0.01,         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PREFIX_NONE, 0 },
};
/* clang-format on */

/* These multiply by themselves: no name of a unit follows them within the symbol. */
static const struct {
	const char *text;
	double factor;
} multiplier_table[] = {
	{ "k", 1e3 },
	{ "K", 1e3 },
	{ "thousand", 1e3 },
	{ "M", 1e6 },
	{ "mn", 1e6 },
	{ "million", 1e6 },
	{ "B", 1e9 },
	{ "bn", 1e9 },
	{ "G", 1e9 },
	{ "billion", 1e9 },
	{ "T", 1e12 },
	{ "tn", 1e12 },
	{ "trillion", 1e12 },
	{ "P", 1e15 },
	{ "E", 1e18 },
	{ "Ki", 0x1p10 },
	{ "Mi", 0x1p20 },
	{ "Gi", 0x1p30 },
};

static bool same_letters(const char *a, const char *b, size_t n, bool any_case)
{
	for (size_t i = 0; i < n; i++)
		if (any_case ? tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])
			     : a[i] != b[i])
			return false;
	return true;
}

/* Of a prefix that is written as it should be; where a name takes milli and mega, only the case of the letter tells
 * them apart. */
static const struct unit_prefix *prefix_find(const char *text, size_t n, const struct name *name)
{
	const struct unit_prefix *found = NULL;
	for (size_t i = 0; i < LENGTH(prefix_table); i++) {
		const struct unit_prefix *p = &prefix_table[i];
		const bool words = p->kind & PREFIX_WORDS;
		if (!(p->kind & name->prefixes) || strlen(p->text) != n)
			continue;
		if (same_letters(p->text, text, n, words))
			return p;
		if ((name->flags & ANY_CASE) && same_letters(p->text, text, n, true))
			found = p;
	}
	return found;
}

/* "mwh", which may be mWh and MWh: whoever does not write the name as it should be may not have meant its prefix. */
static bool is_milli_or_mega(const char *symbol, const struct name *n)
{
	return (n->prefixes & PREFIX_MILLI) && *symbol == 'm' && strcmp(symbol + 1, n->text) != 0;
}

static struct quantity_reading reading_of(const struct name *n, const struct unit_prefix *p)
{
	struct quantity_reading r = { .flags = n->flags & ~(unsigned)ANY_CASE,
		.unit = { .factor = n->factor,
			.dim = { n->time, n->bits, n->work, n->token, n->parameter, n->request,
				n->device, n->dollar, n->energy, n->length } } };
	if (p) {
		r.unit.factor *= p->factor;
		r.flags |= READING_PREFIXED;
		if (p->kind & (PREFIX_BINARY | PREFIX_BINARY_WORD))
			r.flags |= READING_BINARY;
	}
	return r;
}

static bool reading_by_name(
	const char *symbol, size_t length, const struct name *n, struct quantity_reading *out)
{
	size_t name_length = strlen(n->text);
	if (length < name_length)
		return false;
	size_t before = length - name_length;
	if (!same_letters(symbol + before, n->text, name_length, n->flags & ANY_CASE))
		return false;
	const struct unit_prefix *p = before ? prefix_find(symbol, before, n) : NULL;
	if (before && (!p || is_milli_or_mega(symbol, n)))
		return false;
	/* "j" and "w" alone are names of other things. */
	if (length == 1 && *symbol != *n->text)
		return false;
	*out = reading_of(n, p);
	return true;
}

size_t symbol_readings(const char *symbol, struct quantity_reading out[QUANTITY_MAX_READINGS])
{
	assert(symbol && out);
	size_t n = 0, length = strlen(symbol);
	if (strcmp(symbol, "kb") == 0)
		return 0;
	for (size_t i = 0; i < LENGTH(name_table) && n < QUANTITY_MAX_READINGS; i++)
		n += reading_by_name(symbol, length, &name_table[i], &out[n]);
	for (size_t i = 0; i < LENGTH(multiplier_table) && n < QUANTITY_MAX_READINGS; i++)
		if (strcmp(multiplier_table[i].text, symbol) == 0)
			out[n++] = (struct quantity_reading){
				.unit = { .factor = multiplier_table[i].factor },
				.flags = READING_MULTIPLIER
			};
	return n;
}

/* Proposes for "gb", "mB", "gib" or "gbps" what was probably meant; false for anything else. */
static bool suggest_information(const char *symbol, char *err, size_t err_size)
{
	const char *rest = symbol + 1;
	bool binary = *symbol && *rest == 'i';
	rest += binary;
	if (!*symbol || !strchr("kmgtpezKMGTPEZ", *symbol) || (*rest != 'b' && *rest != 'B') ||
		(rest[1] && strcmp(rest + 1, "ps") != 0))
		return false;
	char big = (char)toupper((unsigned char)*symbol);
	const char *i = binary ? "i" : "", *ps = rest[1] ? "ps" : "";
	if (*rest == 'B')
		snprintf(err, err_size, "unit \"%s\" is unclear: %c%sB%s?", symbol, big, i, ps);
	else
		snprintf(err, err_size,
			"unit \"%s\" is unclear: %c%sB%s or %c%sb%s (bytes or bits)?", symbol, big,
			i, ps, big, i, ps);
	return true;
}

/* "mwh" was written for mWh or MWh. */
static bool suggest_milli(const char *symbol, char *err, size_t err_size)
{
	for (size_t i = 0; i < LENGTH(name_table) && *symbol == 'm'; i++) {
		const char *text = name_table[i].text;
		const size_t n = strlen(text);
		if (!(name_table[i].prefixes & PREFIX_MILLI) || strlen(symbol + 1) != n ||
			!same_letters(symbol + 1, text, n, true))
			continue;
		snprintf(err, err_size, "unit \"%s\" is unclear: m%s or M%s?", symbol, text, text);
		return true;
	}
	return false;
}

bool symbol_is_unclear(const char *symbol)
{
	char unused[96];
	return suggest_information(symbol, unused, sizeof unused) ||
	       suggest_milli(symbol, unused, sizeof unused);
}

void symbol_refuse(const char *symbol, char *err, size_t err_size)
{
	assert(symbol && err);
	const char *names[LENGTH(name_table)];
	if (suggest_information(symbol, err, err_size) || suggest_milli(symbol, err, err_size))
		return;
	for (size_t i = 0; i < LENGTH(name_table); i++)
		names[i] = name_table[i].text;
	char hint[HINT_SIZE] = "";
	if (symbol[1]) /* one letter is near to any name that begins with it */
		did_you_mean(symbol, names, LENGTH(names), hint, sizeof hint);
	snprintf(err, err_size, "unknown unit \"%s\"%s", symbol,
		*hint ? hint : " (as in 10.7 GB, 42 ms, 70 TFLOP/s)");
}

/* --- dimensions ------------------------------------------------------------------------------ */

bool unit_same_hard_dimension(const struct unit *a, const struct unit *b)
{
	for (int d = 0; d < N_DIMENSIONS; d++)
		if (d != DIM_REQUEST && d != DIM_DEVICE && a->dim[d] != b->dim[d])
			return false;
	return true;
}

bool unit_same_dimension(const struct unit *a, const struct unit *b)
{
	return memcmp(a->dim, b->dim, sizeof a->dim) == 0;
}

static const char *const dimension_words[N_DIMENSIONS][2] = {
	[DIM_TIME] = { "second", "seconds" },
	[DIM_INFORMATION] = { "byte", "bytes" },
	[DIM_WORK] = { "FLOP", "FLOP" },
	[DIM_TOKEN] = { "token", "tokens" },
	[DIM_PARAMETER] = { "parameter", "parameters" },
	[DIM_REQUEST] = { "request", "requests" },
	[DIM_DEVICE] = { "device", "devices" },
	[DIM_DOLLAR] = { "dollar", "dollars" },
	[DIM_ENERGY] = { "joule", "joules" },
	[DIM_LENGTH] = { "metre", "metres" },
};

static void append(char *buf, size_t size, const char *text)
{
	size_t n = strlen(buf);
	snprintf(buf + n, size - n, "%s", text);
}

char *unit_words(const struct unit *u, char *buf, size_t size)
{
	assert(u && buf && size > 0);
	char part[48];
	bool any = false, per = false;
	buf[0] = '\0';
	for (int d = 0; d < N_DIMENSIONS; d++)
		if (u->dim[d] > 0) {
			append(buf, size, any ? " times " : "");
			append(buf, size, dimension_words[d][1]);
			if (u->dim[d] > 1) {
				snprintf(part, sizeof part, "^%d", u->dim[d]);
				append(buf, size, part);
			}
			any = true;
		}
	for (int d = 0; d < N_DIMENSIONS; d++)
		if (u->dim[d] < 0) {
			append(buf, size, per ? " and " : any ? " per " : "a number per ");
			append(buf, size, dimension_words[d][0]);
			if (u->dim[d] < -1) {
				snprintf(part, sizeof part, "^%d", -u->dim[d]);
				append(buf, size, part);
			}
			per = true;
		}
	if (!any && !per)
		append(buf, size, "a plain number");
	return buf;
}

/* Whether a is b per time (by 1), or b is a per time (by -1). */
static bool differs_by_time(const struct unit *a, const struct unit *b, int by)
{
	struct unit shifted = *b;
	shifted.dim[DIM_TIME] = (signed char)(shifted.dim[DIM_TIME] - by);
	return unit_same_hard_dimension(a, &shifted);
}

static bool is_rate(const struct unit *u)
{
	return u->dim[DIM_TIME] < 0;
}

void unit_difference(const struct unit *given, const struct unit *asked, char *err, size_t err_size)
{
	assert(given && asked && err);
	char g[128], a[128];
	unit_words(given, g, sizeof g);
	unit_words(asked, a, sizeof a);
	if (differs_by_time(given, asked, 1) && is_rate(given) && !is_rate(asked))
		snprintf(err, err_size, "rate given, amount asked: %s, not %s", a, g);
	else if (differs_by_time(given, asked, -1) && is_rate(asked) && !is_rate(given))
		snprintf(err, err_size, "amount given, rate asked: %s, not %s", a, g);
	else
		snprintf(err, err_size, "%s given, %s asked", g, a);
}

double unit_scale(double value, double ratio)
{
	double inverse = round(1 / ratio), whole = round(ratio);
	if (ratio < 1 && inverse < 0x1p53 && fabs(inverse * ratio - 1) < 1e-12)
		return value / inverse;
	if (ratio > 1 && whole < 0x1p53 && fabs(ratio / whole - 1) < 1e-12)
		return value * whole;
	return value * ratio;
}
