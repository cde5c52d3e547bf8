/* The formulas of communication.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_COMMUNICATION_H
#define RIDGE_FORMULAS_COMMUNICATION_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/communication.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
