/* Reads the rows of one file, whose name the includer has in ROWS, as argument structs, as numbers of
 * parameters and as prototypes. Read by the headers of the subjects (memory.h and its like) and by
 * nobody else; it has no guard, for each of them reads it. */
#define P(name, symbol, unit, min, max, example) double name;
#define FORMULA(id, unit, title, number, source, params, expr)                                     \
	struct id##_args {                                                                         \
		params                                                                             \
	};
#include ROWS
#undef FORMULA
#undef P

#define P(name, symbol, unit, min, max, example) +1
#define FORMULA(id, unit, title, number, source, params, expr) enum { id##_n_params = 0 params };
#include ROWS
#undef FORMULA
#undef P

#define P(name, symbol, unit, min, max, example)
#define FORMULA(id, unit, title, number, source, params, expr) double id(struct id##_args a);
#include ROWS
#undef FORMULA
#undef P
