/** @file src/app/cmd_map.c
 *  saltus map: the best contender of each cell, written into the cube.
 */
#include "cli_performance.h"
#include "command.h"
#include "contender.h"
#include "map_cube.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char           *path, *error;
  const char           *weights[SAL_MAX_QUESTION];
  int                   n_weights;
  sal_performance_words table;
} options;

static const struct argp_option option_table[] = {
    {"error", 'e', "E,..", 0, "largest errors to be asked for (1e-2,1e-4,1e-6)", 0},
    {"weights", 'w', "sd=2,dt=0,iae=1", 0,
     "weights of eq. (36) for points, those not named are 0; may be repeated (those of Table 5, "
     "all "
     "alike, each alone)",
     0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->table;
    break;
  case 'e':
    o->error = arg;
    break;
  case 'w':
    if (o->n_weights == SAL_MAX_QUESTION)
      argp_error(state, "more than %d --weights", SAL_MAX_QUESTION);
    o->weights[o->n_weights++] = arg;
    break;
  default:
    return sal_option_cube(key, arg, state, &o->path);
  }
  return 0;
}

static const char doc[] =
    "Mark in every cell which contender is best, which is second, by how much, and what decided; "
    "written into the group `map` of the cube, in place of the one it has."
    "\vThere are two kinds of question.  By error: which method, strategy and tolerance reaches a "
    "largest error with least work?  By points: which method and strategy has most points of eq. "
    "(36) at a tolerance?  A contender that failed, or has no reference to be verified by, never "
    "wins; ties go to less work, then the smaller error, then the order of the sweep.\n"
    "Work is evaluations of f, with n^2/15 for a factorisation, n/5 for a solve and n for an "
    "analytic Jacobian of n states.\n\n"
    "Example:\n"
    "  saltus map atlas.h5 --error 1e-2,1e-4 --weights sd=2,iae=1 --weights dt=1";
static const struct argp_child children[] = {{.argp = &sal_cli_performance_argp}, {0}};
static const struct argp       argp       = {.options  = option_table,
                                             .parser   = parse_option,
                                             .children = children,
                                             .args_doc = "CUBE.h5",
                                             .doc      = doc};

static sal_err settle(const options *o, sal_map *map)
{
  sal_map_presets(map);
  if (o->error) SAL_TRY(sal_performance_errors(o->error, &map->n_error, map->error));
  for (int i = 0; i < o->n_weights; ++i) {
    SAL_TRY(sal_map_weights_parse("--weights", o->weights[i], &map->weights[i]));
    for (int k = 0; k < i; ++k)
      if (memcmp(&map->weights[k], &map->weights[i], sizeof *map->weights) == 0)
        return sal_fail(SAL_ERR_USAGE, "--weights: %s is there twice", o->weights[i]);
  }
  if (o->n_weights) map->n_weights = o->n_weights;
  return SAL_OK;
}

/* ---- a summary: what wins how often ---- */

typedef struct {
  int     pair;
  int64_t wins;
} share;

static int more_wins(const void *left, const void *right)
{
  const share *a = left, *b = right;

  return a->wins != b->wins ? (a->wins < b->wins) - (a->wins > b->wins)
                            : (a->pair > b->pair) - (a->pair < b->pair);
}

static int less(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;

  return (a > b) - (a < b);
}

/* The question at every stride-th place: shares of the winners, and the middle margin. */
static void summarise(const sal_sweep *s, const char *question, const sal_map_place place[],
                      int64_t n, int64_t stride, double margin[], const char *unit)
{
  share     of[SAL_MAX_LIST * SAL_MAX_LIST];
  const int pairs    = sal_contender_pairs(s);
  int64_t   n_margin = 0, missed = 0, unknown = 0;

  for (int p = 0; p < pairs; ++p) of[p] = (share){p, 0};
  for (int64_t i = 0; i < n; ++i) {
    const sal_map_place *at = &place[i * stride];
    if (at->best < 0)
      ++*(at->reason == SAL_REASON_NO_REFERENCE ? &unknown : &missed);
    else
      ++of[sal_contender_pair(s, at->best)].wins;
    if (!isnan(at->margin)) margin[n_margin++] = at->margin;
  }
  qsort(of, (size_t)pairs, sizeof *of, more_wins);
  qsort(margin, (size_t)n_margin, sizeof *margin, less);
  printf("%-28s", question);
  for (int p = 0; p < pairs && p < 3 && of[p].wins; ++p)
    printf(" %s:%s %.0f %%", sal_contender_strategy(s, of[p].pair),
           sal_contender_method(s, of[p].pair), 100.0 * (double)of[p].wins / (double)n);
  if (missed) printf("  no contender %.0f %%", 100.0 * (double)missed / (double)n);
  if (unknown) printf("  no good reference %.0f %%", 100.0 * (double)unknown / (double)n);
  const double middle = n_margin ? margin[n_margin / 2] : NAN;
  if (n_margin) printf("  margin %.2g %s", *unit == '%' ? 100 * middle : middle, unit);
  printf("\n");
}

static sal_err print_summary(const sal_sweep *s, const sal_map *m)
{
  char    question[96];
  double *margin = sal_alloc((size_t)m->n_cell, sizeof *margin);

  if (!margin) return sal_fail(SAL_ERR_MEMORY, "no memory for a summary");
  printf("shares of the winners in %lld cells, and the middle of the margins over the runner-up\n",
         (long long)m->n_cell);
  for (int e = 0; e < m->n_error; ++e) {
    snprintf(question, sizeof question, "error %g", m->error[e]);
    summarise(s, question, m->by_error + e, m->n_cell, m->n_error, margin, "%");
  }
  for (int w = 0; w < m->n_weights; ++w)
    for (int t = 0; t < m->n_tolerance; ++t) {
      snprintf(question, sizeof question, "%g/%g/%g at %g", m->weights[w].sd, m->weights[w].dt,
               m->weights[w].iae, s->tolerance[t]);
      summarise(s, question, m->by_points + (int64_t)w * m->n_tolerance + t, m->n_cell,
                (int64_t)m->n_weights * m->n_tolerance, margin, "points");
    }
  sal_free(margin);
  return SAL_OK;
}

sal_err sal_cmd_map(int argc, char *argv[], int *status)
{
  options              o = {0};
  sal_map              map;
  sal_performance_cube cube;

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  SAL_TRY(settle(&o, &map));
  sal_err err = sal_map_cube(o.path, &o.table, &map, &cube);
  if (err == SAL_OK) {
    err = print_summary(&cube.sweep, &map);
    sal_performance_cube_free(&cube);
  }
  sal_map_free(&map);
  return err;
}
