/* The formulas of memory.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_MEMORY_H
#define RIDGE_FORMULAS_MEMORY_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/memory.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
