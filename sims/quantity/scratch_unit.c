/* Units behind a number: which of the things that a symbol may mean is meant. */
#include "sims/quantity/scratch_parser.h"

#include <math.h>
#include <string.h>

bool scratch_word(const char *at, const char *word)
{
	return reader_symbol_bytes(at) == strlen(word) && reader_begins(at, word);
}

bool scratch_begins_number(const char *at)
{
	return reader_digit(*at) || (*at == '.' && reader_digit(at[1]));
}

bool scratch_times(const char *at)
{
	if (!scratch_word(at, "x"))
		return false;
	const char *next = reader_after_blanks(at + 1);
	bool sign =
		(*next == '-' || *next == '+') && next > at + 1 && scratch_begins_number(next + 1);
	return scratch_begins_number(next) || strchr("(#$", *next)
		       ? *next != '\0'
		       : sign || scratch_word(next, "ans");
}

static bool begins_unit(const char *at)
{
	return reader_symbol_bytes(at) > 0 && !scratch_word(at, "in") && !scratch_word(at, "per") &&
	       !scratch_word(at, "ans") && !scratch_times(at) &&
	       !(*at == '$' && scratch_begins_number(at + 1));
}

/* Moves to the symbol of the next term of a unit; false where the unit ends. */
static bool next_term(struct parser *p, bool first, bool *divides)
{
	const char *at = reader_after_blanks(p->r.at);
	size_t dot = reader_any_of(at, reader_dots);
	size_t n = *at == '/' ? 1 : scratch_word(at, "per") ? 3 : 0;
	bool over = n > 0;
	if (!n && !first)
		n = *at == '*' ? 1 : dot;
	const char *next = reader_after_blanks(at + n);
	if (!begins_unit(next))
		return false;
	if (n)
		*divides = over;
	p->r.at = next;
	return true;
}

/* The reading of a symbol. attached: it stands right behind the digits. */
static const struct quantity_reading *choose(const struct parser *p, const char *symbol,
	bool attached, const struct quantity_reading readings[], size_t n)
{
	bool second = false;
	if (n < 2)
		return readings;
	if (strcmp(symbol, "B") == 0)
		second = attached != ((p->choice & OTHER_B) != 0);
	else if (readings[1].flags & READING_RATE)
		second = (symbol[strlen(symbol) - 1] == 'S') != ((p->choice & OTHER_RATE) != 0);
	return &readings[second];
}

static int read_power_of_unit(struct parser *p, int *power)
{
	const char *at = reader_after_blanks(p->r.at);
	size_t n = *at == '^' ? 1 : reader_begins(at, "**") ? 2 : 0;
	*power = 1;
	if (!n)
		return 0;
	p->r.at = reader_after_blanks(at + n);
	if (!reader_at_int(p->r.at))
		return reader_refuse(&p->r, "after the ^ of a unit comes a whole number");
	if (reader_exponent(&p->r, power))
		return -1;
	if (*power < -QUANTITY_MAX_POWER || *power > QUANTITY_MAX_POWER || *power == 0)
		return reader_refuse(&p->r, "the power of a unit is out of range: -%d to %d, not 0",
			QUANTITY_MAX_POWER, QUANTITY_MAX_POWER);
	return 0;
}

static void note_information(
	const char *symbol, const struct quantity_reading *r, struct scratch_value *v)
{
	if (r->unit.dim[DIM_INFORMATION] == 0)
		return;
	bool bytes = strstr(symbol, "B") || strstr(symbol, "byte");
	v->in_bytes |= bytes;
	v->in_bits |= !bytes;
}

static int read_term_of_unit(struct parser *p, bool attached, bool divides, struct factor_parts *f)
{
	struct quantity_reading readings[QUANTITY_MAX_READINGS];
	char symbol[SYMBOL_SIZE];
	size_t n = reader_symbol_bytes(p->r.at);
	int power;
	if (n >= sizeof symbol)
		return reader_refuse(
			&p->r, "unknown unit \"%s...\"", reader_quote(p->r.at, symbol));
	memcpy(symbol, p->r.at, n);
	symbol[n] = '\0';
	p->r.at += n;
	size_t n_readings = symbol_readings(symbol, readings);
	if (!n_readings) {
		char quoted[SYMBOL_SIZE];
		symbol_refuse(reader_quote(symbol, quoted), p->r.err, p->r.err_size);
		return -1;
	}
	/* "4B/param" are bytes. */
	const char *behind = reader_after_blanks(p->r.at);
	attached = attached && !(*behind == '/' && begins_unit(reader_after_blanks(behind + 1)));
	const struct quantity_reading *r = choose(p, symbol, attached, readings, n_readings);
	if (read_power_of_unit(p, &power))
		return -1;
	struct scratch_value term = scratch_one;
	term.number = pow(r->unit.factor, power);
	for (int d = 0; d < N_DIMENSIONS; d++)
		term.unit.dim[d] = (signed char)(r->unit.dim[d] * power);
	note_information(symbol, r, &term);
	term.has_unit = true;
	term.billion = strcmp(symbol, "B") == 0 && (r->flags & READING_MULTIPLIER);
	f->percent = f->percent || *symbol == '%';
	return divides ? scratch_divide(p, &f->unit, &term) : scratch_multiply(p, &f->unit, &term);
}

/* The unit that stands at p, if any. */
int scratch_unit(struct parser *p, struct factor_parts *f)
{
	bool attached = begins_unit(p->r.at), divides = false;
	int n = 0;
	for (; next_term(p, n == 0, &divides); n++) {
		if (n == QUANTITY_MAX_TERMS)
			return reader_refuse(&p->r, "at most %d units behind one number", n);
		if (read_term_of_unit(p, attached && n == 0, divides, f))
			return -1;
	}
	f->unit.billion = f->unit.billion && n == 1; /* nobody takes 70B params for bytes */
	return 0;
}
