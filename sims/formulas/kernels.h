/* The formulas of kernels.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_KERNELS_H
#define RIDGE_FORMULAS_KERNELS_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/kernels.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
