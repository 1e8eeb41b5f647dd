/** Ranges of a model's gaps and rates against their values, at every width. */
#pragma once

#include "flow_probe.h"
#include <stdio.h>

/** Result of a check: no fault where text is empty. */
typedef struct {
  char text[256];
  int boxes; /* looked at; 0: the model has no ranges */
  int tight; /* of which are points with a range that is at most 1e-12 of the size of states wide */
  int sure;  /* wider ones, over which the sign of a gap is known */
} range_verdict;

/** At random boxes of the model's default ranges, of all widths down to points, each with several points. */
range_verdict range_check_model(const sal_model *m, int boxes);
