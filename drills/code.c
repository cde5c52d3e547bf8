/* The parts of a code are put into symbols of five bits, one after another, and the check is
 * worked out over them. Reading takes them out in the same order and refuses at the first that
 * cannot be. */
#include "drills/code.h"

#include "drills/case_sitting.h"
#include "sims/base/array.h"
#include "sims/base/rng.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { SET_SYMBOLS = 4, SEED_SYMBOLS = 13, HEAD_SYMBOLS = 4, GROUP = 4 };
enum { PACK_EDITION = 0, CASE_MODE = 6, CASE_HEAD = 1 + SET_SYMBOLS + 2 };
enum { MOST_SYMBOLS = HEAD_SYMBOLS + SET_SYMBOLS + SEED_SYMBOLS + 1 };

static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/* Symbols as numbers below 32. */
struct symbols {
	unsigned char at[MOST_SYMBOLS];
	size_t n;
};

/* The symbol that makes the sum of symbol i times a^(its distance from the end) zero. */
static unsigned check_of(const struct symbols *s, size_t n)
{
	const unsigned a5 = 37; /* x^5 + x^2 + 1, whose root a has all 31 powers different */
	unsigned sum = 0;
	for (size_t i = 0; i <= n; i++) {
		sum <<= 1;
		sum ^= sum & 32 ? a5 : 0;
		sum ^= i < n ? s->at[i] : 0;
	}
	return sum;
}

unsigned code_hash(const char *text)
{
	struct rng r = rng_stream(CODE_VERSION, text, 0);
	return (unsigned)(rng_next(&r) >> 44);
}

static bool is_in(const struct drill_bank *b, const struct drill *d, size_t edition)
{
	size_t of = bank_edition(b, d->id);
	return of > 0 && of <= edition;
}

/* The topic, skill, id, rung, chapter or chain of an edition with this name, or with this hash where
 * name is NULL. */
static const char *find_set(
	const struct drill_bank *b, size_t edition, const char *name, unsigned hash)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct drill *d = &b->drills[i];
		const char *names[] = { d->topic, d->skill, d->id, rung_names[d->rung], d->chapter,
			d->chain };
		if (!is_in(b, d, edition))
			continue;
		for (size_t k = 0; k < LENGTH(names); k++)
			if (names[k] &&
				(name ? strcmp(names[k], name) == 0 : code_hash(names[k]) == hash))
				return names[k];
	}
	return NULL;
}

static void put(struct symbols *s, uint64_t value, size_t n)
{
	assert(s->n + n <= MOST_SYMBOLS);
	for (size_t i = n; i-- > 0;)
		s->at[s->n++] = (unsigned char)(value >> (5 * i) & 31);
}

static uint64_t take(const struct symbols *s, size_t *at, size_t n)
{
	uint64_t value = 0;
	for (size_t i = 0; i < n; i++)
		value = value << 5 | s->at[(*at)++];
	return value;
}

/* The seed, the check, and all of it as text. */
static void finish(struct symbols *s, uint64_t seed, char *buf)
{
	size_t symbols = 1, n = 0;
	while (symbols < SEED_SYMBOLS && seed >> (5 * symbols))
		symbols++;
	put(s, seed, symbols);
	put(s, check_of(s, s->n), 1);
	for (size_t i = 0; i < s->n; i++) {
		if (i && i % GROUP == 0)
			buf[n++] = '-';
		buf[n++] = alphabet[s->at[i]];
	}
	buf[n] = '\0';
}

bool code_write(const struct drill_bank *b, const struct session_options *o, char *buf)
{
	assert((unsigned)o->mode < N_MODES);
	struct symbols s = { 0 };
	const bool whole = !o->topic || !*o->topic;
	const size_t edition = o->pack ? PACK_EDITION : o->edition;
	if (o->mode == MODE_REVIEW || o->count < 1 || o->count > MOST_PROBLEMS ||
		(!o->pack && (edition < 1 || edition > b->n_editions)) ||
		(!whole && (o->pack || !find_set(b, edition, o->topic, 0))))
		return false;
	put(&s, CODE_VERSION << 3 | (unsigned)o->mode, 1);
	put(&s, edition, 1);
	put(&s, o->count << 2 | (o->no_choice ? 2 : 0) | (o->pack || !whole), 2);
	if (o->pack)
		put(&s, b->pack_hash, SET_SYMBOLS);
	else if (!whole)
		put(&s, code_hash(o->topic), SET_SYMBOLS);
	finish(&s, o->seed, buf);
	return true;
}

const char *code_missing(const struct drill_bank *b, const struct drill_session *s)
{
	if (s->mode == MODE_REVIEW)
		return "no code: a review is of one's own history";
	for (size_t i = 0; i < s->n; i++)
		if (bank_edition(b, s->items[i].variant.drill->id) == 0)
			return "no code: there are drills of your own";
	return "no code: it has no sign for this set";
}

static const char made_by_none[] = "the check fits, but no ridge makes such a code";

static int refuse(char *err, size_t err_size, const char *text)
{
	snprintf(err, err_size, "code: %s", text);
	return -1;
}

static int read_symbols(const char *text, struct symbols *s, char *err, size_t err_size)
{
	for (const char *p = text; *p; p++) {
		char c = (char)toupper((unsigned char)*p);
		if (c == '-' || c == ' ')
			continue;
		c = c == 'I' || c == 'L' ? '1' : c == 'O' ? '0' : c;
		const char *at = strchr(alphabet, c);
		if (!at) {
			snprintf(err, err_size,
				"code: %s%.*s is not a symbol of a code: expected digits, and "
				"letters except U",
				isprint((unsigned char)*p) ? "" : "what follows symbol ",
				isprint((unsigned char)*p) ? 1 : 0, p);
			return -1;
		}
		if (s->n == MOST_SYMBOLS)
			return refuse(err, err_size, "too long: no code has more than 22 symbols");
		s->at[s->n++] = (unsigned char)(at - alphabet);
	}
	if (s->n < HEAD_SYMBOLS + 2)
		return refuse(err, err_size, "too short: a code has at least 6 symbols");
	if (check_of(s, s->n - 1) != s->at[s->n - 1])
		return refuse(err, err_size,
			"the check symbol at its end does not fit: one symbol is mistyped, missing "
			"or in another's place");
	s->n--;
	return 0;
}

/* A code that was made by a ridge with other drills or another version. */
static int check_origin(const struct drill_bank *b, unsigned version, unsigned mode, size_t edition,
	char *err, size_t err_size)
{
	if (version != CODE_VERSION || mode == MODE_REVIEW || mode >= N_MODES) {
		snprintf(err, err_size, "code: made by another version of ridge (%u; this is %d)",
			version, CODE_VERSION);
		return -1;
	}
	if (edition == PACK_EDITION && !b->pack.n)
		return refuse(err, err_size,
			"it is of a pack of questions: give its file with pack=FILE");
	if (edition != PACK_EDITION && b->pack.n)
		return refuse(err, err_size, "it is of no pack: give it without pack");
	if (edition == PACK_EDITION)
		return 0;
	if (edition < 1 || edition > b->n_editions) {
		snprintf(err, err_size, "code: made with edition %zu of the drills; here are %zu",
			edition, b->n_editions);
		return -1;
	}
	for (size_t i = 0; i < edition; i++)
		for (size_t k = 0; k < b->editions[i].n; k++)
			if (!bank_find(b, b->editions[i].ids[k])) {
				snprintf(err, err_size,
					"code: the drill \"%s\" of its edition is not here",
					b->editions[i].ids[k]);
				return -1;
			}
	return 0;
}

/* What stands behind *at: false where finish writes it in another way, with leading zeros, or where it has
 * more bits than a seed. */
static bool take_seed(const struct symbols *s, size_t *at, uint64_t *seed)
{
	enum { SEED_BITS = 64, MOST_FIRST = 1 << (SEED_BITS - 5 * (SEED_SYMBOLS - 1)) };
	const size_t n = s->n - *at;
	const unsigned first = s->at[*at];
	*seed = take(s, at, n);
	return (first > 0 || n == 1) && (first < MOST_FIRST || n < SEED_SYMBOLS);
}

int code_read(const struct drill_bank *b, const char *text, struct session_options *out, char *err,
	size_t err_size)
{
	struct symbols s = { 0 };
	size_t at = 0;
	*out = (struct session_options){ 0 };
	if (read_symbols(text, &s, err, err_size))
		return -1;
	unsigned head = (unsigned)take(&s, &at, 1);
	out->edition = (size_t)take(&s, &at, 1);
	unsigned count = (unsigned)take(&s, &at, 2), set = count & 1;
	out->mode = (enum drill_mode)(head & 7);
	out->count = count >> 2;
	out->no_choice = count & 2;
	if (check_origin(b, head >> 3, head & 7, out->edition, err, err_size))
		return -1;
	if (out->count < 1 || out->count > MOST_PROBLEMS ||
		s.n < HEAD_SYMBOLS + set * SET_SYMBOLS + 1 ||
		s.n > HEAD_SYMBOLS + set * SET_SYMBOLS + SEED_SYMBOLS)
		return refuse(err, err_size, made_by_none);
	unsigned hash = set ? (unsigned)take(&s, &at, SET_SYMBOLS) : 0;
	out->pack = out->edition == PACK_EDITION;
	if (out->pack && hash != b->pack_hash)
		return refuse(err, err_size,
			"the pack is not the one that it was made with: both sides need the same file");
	out->topic = set && !out->pack ? find_set(b, out->edition, NULL, hash) : "";
	if (!out->topic)
		return refuse(err, err_size, "its set of drills is not here");
	if (!take_seed(&s, &at, &out->seed))
		return refuse(err, err_size, made_by_none);
	return 0;
}

unsigned code_count(const char *text)
{
	struct symbols s = { 0 };
	char unused[200];
	size_t at = 2; /* behind the mode and the edition */
	return read_symbols(text, &s, unused, sizeof unused) ? 0 : (unsigned)take(&s, &at, 2) >> 2;
}

/* The first symbol of the code of a case. */
enum { CASE_FIRST = CODE_VERSION << 3 | CASE_MODE };

bool code_is_of_case(const char *text)
{
	text += strspn(text, "- ");
	return toupper((unsigned char)*text) == alphabet[CASE_FIRST];
}

char *case_code_write(const struct case_code *c, char *buf)
{
	assert(c->minutes >= LEAST_CASE_MINUTES && c->minutes <= MOST_CASE_MINUTES);
	assert((unsigned)c->level < N_CASE_LEVELS);
	struct symbols s = { 0 };
	put(&s, CASE_FIRST, 1);
	put(&s, code_hash(c->id), SET_SYMBOLS);
	put(&s, (uint64_t)c->level << 8 | c->minutes, 2);
	finish(&s, c->seed, buf);
	return buf;
}

int case_code_read(const char *const ids[], size_t n, const char *text, struct case_code *out,
	char *err, size_t err_size)
{
	struct symbols s = { 0 };
	size_t at = 0;
	*out = (struct case_code){ .id = NULL };
	if (read_symbols(text, &s, err, err_size))
		return -1;
	if (take(&s, &at, 1) != CASE_FIRST || s.n <= CASE_HEAD || s.n > CASE_HEAD + SEED_SYMBOLS)
		return refuse(err, err_size, made_by_none);
	const unsigned hash = (unsigned)take(&s, &at, SET_SYMBOLS),
		       rest = (unsigned)take(&s, &at, 2);
	out->level = (enum case_level)(rest >> 8);
	out->minutes = rest & 255;
	if (!take_seed(&s, &at, &out->seed) || out->level >= N_CASE_LEVELS ||
		out->minutes < LEAST_CASE_MINUTES || out->minutes > MOST_CASE_MINUTES)
		return refuse(err, err_size, made_by_none);
	for (size_t i = 0; i < n && !out->id; i++)
		out->id = code_hash(ids[i]) == hash ? ids[i] : NULL;
	return out->id ? 0 : refuse(err, err_size, "its design case is not here");
}
