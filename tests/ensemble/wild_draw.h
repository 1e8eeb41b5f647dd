/** Wild cells of a model: ten times the ranges that its description gives, and starts on surfaces.
 */
#pragma once

#include "models/flow_draw.h"

/** Parameters with options, and an initial state. */
typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], start[SAL_MAX_STATE];
} wild_cell;

/** The next one of the stream; at most n_guard contacts. One in four begins on the surface of a contact,
 *  as far as a state can be found there; many begin beyond one. */
wild_cell wild_draw(flow_stream *from, const sal_model *m, int n_guard);
