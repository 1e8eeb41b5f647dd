/** Lines "key=value" as --set gives them, over a sweep that is right. */
#include "fuzz.h"
#include "sweep_read.h"
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4000, MOST = 8 };
static const char sweep_text[] = "model: monopod\n"
                                 "cells: {axes: [{name: b, log: [600, 30000], points: 4}]}\n"
                                 "t_end: 5\n"
                                 "mesh: 0.01\n"
                                 "solvers: [ode23, ode45]\n"
                                 "strategies: [switch, event]\n"
                                 "rtol: [1e-3, 1e-6]\n";

void fuzz_input(const uint8_t *data, size_t size)
{
  if (size > LONGEST) return;
  char *text = fuzz_text(data, size), *rest = NULL;
  const char *set[MOST];
  int n = 0;
  sal_sweep sweep = {0};

  for (char *line = strtok_r(text, "\n", &rest); line && n < MOST;
       line = strtok_r(NULL, "\n", &rest))
    set[n++] = line;
  if (sal_sweep_parse("f.yaml", sweep_text, n, set, &sweep) == SAL_OK) sal_sweep_free(&sweep);
  free(text);
}
