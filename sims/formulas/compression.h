/* The formulas of compression.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_COMPRESSION_H
#define RIDGE_FORMULAS_COMPRESSION_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/compression.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
