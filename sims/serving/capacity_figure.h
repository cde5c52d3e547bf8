/* The pictures of `capacity`: the staircase of bounds with the answer as its last step, the layouts in
 * their order, GPUs by the goal, the memory of one. */
#ifndef RIDGE_CAPACITY_FIGURE_H
#define RIDGE_CAPACITY_FIGURE_H

#include "sims/serving/capacity.h"

void capacity_draw(const struct capacity *c, struct figure *fig);

#endif
