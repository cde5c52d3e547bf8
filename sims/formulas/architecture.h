/* The formulas of architecture.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_ARCHITECTURE_H
#define RIDGE_FORMULAS_ARCHITECTURE_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/architecture.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
