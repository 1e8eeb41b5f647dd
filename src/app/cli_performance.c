/** @file src/app/cli_performance.c
 *  Options that say how a cube is read for answers.
 */
#include "cli_performance.h"

enum { METHODS = 512, STRATEGIES, WORK, POINTS, DURATION };

static const struct argp_option option_table[] = {
    {"methods", METHODS, "NAME,..", 0, "methods that may win (all)", 1},
    {"strategies", STRATEGIES, "NAME,..", 0, "strategies that may win (all)", 1},
    {"work", WORK, "NAME=W,..", 0,
     "what counts as work: rhs, jacobian, factorisation, solve, in evaluations of f", 1},
    {"points", POINTS, "WORD", 0, "points over all cells (global) or in each (per-cell)", 1},
    {"duration", DURATION, "WORD", 0, "the solution duration of points: work (preset) or time", 1},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  sal_performance_words *w = state->input;

  switch (key) {
  case METHODS:
    w->methods = arg;
    break;
  case STRATEGIES:
    w->strategies = arg;
    break;
  case WORK:
    w->work = arg;
    break;
  case POINTS:
    w->points = arg;
    break;
  case DURATION:
    w->duration = arg;
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp sal_cli_performance_argp = {.options = option_table, .parser = parse_option};
