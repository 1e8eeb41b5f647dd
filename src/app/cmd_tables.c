/** @file src/app/cmd_tables.c
 *  saltus tables: Tables 2-5 of the paper from a cube, and how they compare with the printed ones.
 */
#include "command.h"
#include "cube_read.h"
#include "map.h"
#include "paper_fit.h"
#include "score_table.h"
#include "stiffness_table.h"

typedef struct {
  const char *path;
  bool        fit;
  const char *weights;
} options;

static const struct argp_option option_table[] = {
    {"weights", 'w', "sd=2,dt=0,iae=1", 0, "weights of eq. (36) for Table 5; those not named are 0",
     0},
    {"paper-fit", 'p', NULL, 0,
     "print our points beside the published ones, with rms and correlation", 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case 'w':
    o->weights = arg;
    break;
  case 'p':
    o->fit = true;
    break;
  default:
    return sal_option_cube(key, arg, state, &o->path);
  }
  return 0;
}

static const struct argp argp = {
    .options  = option_table,
    .parser   = parse_option,
    .args_doc = "CUBE.h5",
    .doc =
        "Print what Tables 2-5 of Dallas, Machairas, Papadopoulos print, from a cube: stiffness of "
        "the cells (published and corrected), points per method, strategy and tolerance, and the "
        "weighted sum of eq. (36)."};

sal_err sal_cmd_tables(int argc, char *argv[], int *status)
{
  options     o    = {.weights = "sd=2,dt=0,iae=1"};
  sal_cube    cube = {0};
  sal_weights weights;

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  SAL_TRY(sal_map_weights_parse("--weights", o.weights, &weights));
  SAL_TRY(sal_cube_read(o.path, &cube));
  printf("%s\n", cube.title && *cube.title ? cube.title : o.path);
  if (o.fit) {
    sal_paper_fit_print(stdout, &cube);
  } else {
    sal_stiffness_table_print(stdout, &cube);
    sal_score_print_points(stdout, &cube);
    sal_score_print_total(stdout, &cube, &weights);
    sal_score_print_published(stdout);
  }
  sal_cube_free(&cube);
  return SAL_OK;
}
