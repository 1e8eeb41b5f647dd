/** @file src/app/cmd_recommend.c
 *  saltus recommend: which method, strategy and tolerance to use at a point.
 */
#include "cli_performance.h"
#include "command.h"
#include "parameter_column.h"
#include "recommend_point.h"
#include <math.h>

typedef struct {
  const char           *path, *at, *physical, *error, *weights;
  double                tolerance, caution;
  bool                  json;
  sal_performance_words table;
} options;

enum { AT = 256, PHYSICAL, TOL, CAUTION };

static const struct argp_option option_table[] = {
    {"at", AT, "NAME=VALUE,..", 0, "the point: what the axes of the cube vary", 0},
    {"physical", PHYSICAL, "NAME=VALUE,..", 0,
     "a real hopper instead: m1=..kg,m2=..kg,k=..N/m,l0=..m,kg=..N/m^1.5,bg=..N*s/m^2.5,g=..m/s^2",
     0},
    {"error", 'e', "E", 0, "least work for this largest error", 0},
    {"tol", TOL, "T", 0, "most points at this tolerance of the cube; with --weights", 0},
    {"weights", 'w', "sd=2,dt=0,iae=1", 0, "weights of eq. (36) for points; those not named are 0",
     0},
    {"caution", CAUTION, "C", 0,
     "standard deviations by which errors count higher between cells (0.5)", 0},
    {"json", 'j', NULL, 0, "print one line of JSON", 0},
    {0}};

static void check_options(const options *o, struct argp_state *state)
{
  const bool points = o->weights || !isnan(o->tolerance);

  if (!o->path) argp_error(state, "which cube?");
  if (!o->at == !o->physical)
    argp_error(state, o->at ? "--at or --physical, not both"
                            : "where?  --at NAME=VALUE,.. or --physical NAME=VALUE,..");
  if (o->error && points) argp_error(state, "--error, or --tol with --weights, not both");
  if (!o->error && (!o->weights || isnan(o->tolerance)))
    argp_error(state,
               "what is asked for?  --error E, or --tol T with --weights sd=..,dt=..,iae=..");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->table;
    break;
  case AT:
    o->at = arg;
    break;
  case PHYSICAL:
    o->physical = arg;
    break;
  case 'e':
    o->error = arg;
    break;
  case TOL:
    o->tolerance = sal_option_number(state, "tol", arg);
    break;
  case 'w':
    o->weights = arg;
    break;
  case CAUTION:
    o->caution = sal_option_number(state, "caution", arg);
    break;
  case 'j':
    o->json = true;
    break;
  case ARGP_KEY_END:
    check_options(o, state);
    break;
  default:
    return sal_option_cube(key, arg, state, &o->path);
  }
  return 0;
}

static const char doc[] =
    "Say which method, strategy and tolerance to use at a point, from the cells around it: the "
    "answer, the three next with another method or strategy, and how far the cells differ."
    "\vCaution is a number of standard deviations: between cells the error of a contender counts "
    "higher by that many standard deviations of its logarithm among the cells around the point, "
    "since errors of neighbouring cells scatter (dispersion).  --caution 0 takes the most likely "
    "error and misses the asked one more often; --caution 1 misses rarely and costs more.  Exit "
    "status 1 when the point lies outside the mapped region, and its edge answered.\n\n"
    "Example:\n"
    "  saltus recommend atlas.h5 --at b=1951,m1=1.88,k=22.8,f=0.051 --error 1e-4\n"
    "  saltus recommend atlas.h5 --at b=1951,m1=1.88,k=22.8,f=0.051 --tol 1e-6 \\\n"
    "    --weights sd=2,dt=0,iae=1 --strategies switch\n"
    "  saltus recommend atlas.h5 --error 1e-4 --physical \\\n"
    "    m1=0.5kg,m2=10kg,k=5kN/m,l0=40cm,kg=2e5N/m^1.5,bg=1e5N*s/m^2.5,g=9.81m/s^2";
static const struct argp_child children[] = {{.argp = &sal_cli_performance_argp}, {0}};
static const struct argp       argp       = {.options  = option_table,
                                             .parser   = parse_option,
                                             .children = children,
                                             .args_doc = "CUBE.h5",
                                             .doc      = doc};

/* What does not need the cube. */
static sal_err settle(const options *o, sal_question *q)
{
  *q = (sal_question){.error = NAN, .caution = o->caution};
  if (o->error) SAL_TRY(sal_performance_error(o->error, &q->error));
  if (o->weights) SAL_TRY(sal_map_weights_parse("--weights", o->weights, &q->weights));
  if (o->caution < 0)
    return sal_fail(SAL_ERR_USAGE, "--caution: %g is not allowed; allowed: from 0", o->caution);
  return SAL_OK;
}

static sal_err find_point(const options *o, sal_recommend_point *a)
{
  const sal_sweep *s = &a->cube.sweep;
  double           param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  if (o->at) return sal_parameter_point_parse("--at", s, o->at, a->value);
  a->physical = true;
  sal_parameter_presets(s->model, param, initial);
  for (int i = 0; i < s->model->n_option; ++i)
    param[s->model->n_param + i] = s->param[s->model->n_param + i];
  SAL_TRY(sal_physical_parse("--physical", s->model, o->physical, param, &a->scales));
  return sal_parameter_point_set("--physical", s, param, a->value);
}

static sal_err answer(const options *o, sal_recommend_point *a)
{
  if (!o->error)
    SAL_TRY(sal_performance_tolerance(&a->cube.sweep, o->tolerance, &a->question.tolerance));
  SAL_TRY(find_point(o, a));
  a->question.method   = a->cube.method;
  a->question.strategy = a->cube.strategy;
  return sal_recommend_point_find(a);
}

sal_err sal_cmd_recommend(int argc, char *argv[], int *status)
{
  options             o = {.tolerance = NAN, .caution = 0.5};
  sal_recommend_point a = {0};

  sal_parse(&argp, argc, argv, &o);
  a.path = o.path;
  SAL_TRY(settle(&o, &a.question));
  SAL_TRY(sal_performance_cube_open(o.path, &o.table, !o.error, &a.cube));
  const sal_err err = answer(&o, &a);
  if (err == SAL_OK) (o.json ? sal_recommend_print_json : sal_recommend_print)(stdout, &a);
  *status = a.stencil.n_outside ? 1 : 0;
  sal_recommend_point_free(&a);
  return err;
}
