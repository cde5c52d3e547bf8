/* The formulas of inference.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_INFERENCE_H
#define RIDGE_FORMULAS_INFERENCE_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/inference.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
