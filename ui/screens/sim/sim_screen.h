/* A simulation as a screen of the explorer: its state is the simulation in hand. */
#ifndef RIDGE_UI_SCREENS_SIM_SIM_SCREEN_H
#define RIDGE_UI_SCREENS_SIM_SIM_SCREEN_H

#include "ui/shell/app.h"

/* The state of the screen. */
static inline struct live *sim_of(struct app *app)
{
	return app_state(app, SCREEN_SIM);
}

#endif
