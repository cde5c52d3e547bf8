/* Arithmetic with dimensions. */
#include "sims/quantity/scratch_parser.h"

#include <math.h>

enum { MOST_DIMENSION = 12 };

const struct scratch_value scratch_one = { .number = 1, .unit = { .factor = 1 } };

bool scratch_plain(const struct scratch_value *v)
{
	return unit_same_dimension(&v->unit, &(struct unit){ 0 });
}

static int check(struct parser *p, const struct scratch_value *v)
{
	if (!isfinite(v->number))
		return reader_refuse(&p->r, "the number is too large");
	for (int d = 0; d < N_DIMENSIONS; d++)
		if (v->unit.dim[d] > MOST_DIMENSION || v->unit.dim[d] < -MOST_DIMENSION)
			return reader_refuse(&p->r, "the power of a unit is out of range");
	return 0;
}

static void mix(struct scratch_value *v, const struct scratch_value *with)
{
	v->in[0] = '\0';
	v->unit.factor = 1;
	v->in_bits |= with->in_bits;
	v->in_bytes |= with->in_bytes;
	v->has_unit |= with->has_unit;
	v->billion |= with->billion;
	v->over_quotient |= with->over_quotient;
}

int scratch_multiply(struct parser *p, struct scratch_value *v, const struct scratch_value *by)
{
	bool zero = v->number == 0 || by->number == 0;
	mix(v, by);
	v->number = unit_scale(v->number, by->number);
	if (v->number == 0 && !zero)
		return reader_refuse(&p->r, "the number is too small");
	for (int d = 0; d < N_DIMENSIONS; d++)
		v->unit.dim[d] = (signed char)(v->unit.dim[d] + by->unit.dim[d]);
	return check(p, v);
}

int scratch_divide(struct parser *p, struct scratch_value *v, const struct scratch_value *by)
{
	if (by->number == 0)
		return reader_refuse(&p->r, "this divides by zero");
	bool zero = v->number == 0;
	mix(v, by);
	v->number /= by->number;
	if (v->number == 0 && !zero)
		return reader_refuse(&p->r, "the number is too small");
	for (int d = 0; d < N_DIMENSIONS; d++)
		v->unit.dim[d] = (signed char)(v->unit.dim[d] - by->unit.dim[d]);
	return check(p, v);
}

int scratch_sum(
	struct parser *p, struct scratch_value *v, const struct scratch_value *more, int sign)
{
	char a[96], b[96];
	if (!unit_same_dimension(&v->unit, &more->unit))
		return reader_refuse(&p->r, "cannot %s %s %s %s", sign > 0 ? "add" : "subtract",
			unit_words(sign > 0 ? &v->unit : &more->unit, a, sizeof a),
			sign > 0 ? "and" : "from",
			unit_words(sign > 0 ? &more->unit : &v->unit, b, sizeof b));
	mix(v, more);
	v->number += sign * more->number;
	return check(p, v);
}

int scratch_raise(struct parser *p, struct scratch_value *v, double power)
{
	for (int d = 0; d < N_DIMENSIONS; d++) {
		double dim = v->unit.dim[d] * power;
		if (fabs(dim) > MOST_DIMENSION || fabs(dim - round(dim)) > 1e-9)
			return reader_refuse(&p->r, "no such power of a unit");
		v->unit.dim[d] = (signed char)lround(dim);
	}
	v->number = pow(v->number, power);
	if (isnan(v->number))
		return reader_refuse(&p->r, "no such power of a negative number");
	return check(p, v);
}
