/** Gap and rate of a program at points and over boxes of two states, callable from a test at every width (range_probe.c).
 */
#pragma once

#include "integrate.h"
#include "program.h"

/** A box of states x, y and a point; then bounds of gap and rate of contact 0 over the box, and both at the point. */
typedef enum {
  BOX_X0,
  BOX_X1,
  BOX_Y0,
  BOX_Y1,
  POINT_X,
  POINT_Y,
  GAP_0,
  GAP_1,
  RATE_0,
  RATE_1,
  GAP,
  RATE,
  N_RANGE_COLUMN
} range_column;

/** Fills GAP_0 and what follows it of column[N_RANGE_COLUMN][count]; count is a multiple of 8. */
typedef void range_probe(const sal_flow_programs *programs, int count, double *const column[]);

range_probe range_probe_w1, range_probe_w4, range_probe_w8;
