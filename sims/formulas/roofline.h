/* The formulas of roofline.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_ROOFLINE_H
#define RIDGE_FORMULAS_ROOFLINE_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/roofline.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
