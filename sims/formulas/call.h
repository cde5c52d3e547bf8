/* How formulas are called. Each subject of sims/formulas/ has a header of its own (memory.h for the
 * rows of memory.def), and who calls a formula includes that one: a changed row then rebuilds what
 * uses its file, and no more. */
#ifndef RIDGE_FORMULA_CALL_H
#define RIDGE_FORMULA_CALL_H

/* A call with named arguments, so that no two numbers can change places:
 * CALL(kv_cache_bytes, .layers = 80, .kv_heads = 8, ...). All parameters must be there: one that is
 * left out would be 0 without a word, and does not compile. (.ci/parameters tries it.) One that is
 * given twice makes up for it in the count; compilers warn of that by themselves
 * (-Woverride-init). */
#define CALL(id, ...)                                                                              \
	id(((void)sizeof(struct {                                                                  \
		_Static_assert(id##_n_params == N_ARGUMENTS(__VA_ARGS__),                          \
			"a parameter of " #id " is missing");                                      \
		int unused;                                                                        \
	}),                                                                                        \
		(struct id##_args){ __VA_ARGS__ }))

/* How many arguments a macro was given: up to 16. */
#define N_ARGUMENTS(...)                                                                           \
	N_ARGUMENTS_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define N_ARGUMENTS_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) count

/* Helpers that expressions use beside libm's. */
double in_hours(double s); /* s / 3600; written as the value itself, in hours */
double in_kwh(double j);   /* J / 3.6e6; written in kWh */
double whole(double x);    /* ceil, but 11.000000000000002 is 11: counts come out of quotients */
double harmonic_number(double n);                    /* 1 + 1/2 + ... + 1/n */
double erlang_c(double servers, double utilisation); /* P(wait) of M/M/c; 1 at or above 1 */

#endif
