/** Runs of a model that resets which begin on the surface of a contact, beside runs that begin a little
 *  ahead of it and meet it by themselves, and runs that begin beyond it, which are refused.
 */
#pragma once

#include "flow_draw.h"

/** How many starts of a contact were compared. */
typedef struct {
  int met, leaves, rests, beyond;
} start_tally;

/** Random starts for contact k of the model, by this method, each wrong one printed.  Returns how many
 *  were wrong. */
int start_check(const sal_model *m, int k, const char *method, start_tally *tally);
