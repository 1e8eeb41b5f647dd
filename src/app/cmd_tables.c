/** @file src/app/cmd_tables.c
 *  saltus tables: Tables 2-5 of the paper from a cube, and how they compare with the printed ones.
 */
#include "command.h"
#include "score_table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *path;
  bool        fit;
  sal_weights weights;
} options;

static const struct argp_option option_table[] = {
    {"weights", 'w', "sd=2,dt=0,iae=1", 0, "weights of eq. (36) for Table 5; those not named are 0",
     0},
    {"paper-fit", 'p', NULL, 0,
     "print our points beside the published ones, with rms and correlation", 0},
    {0}};

static void parse_weights(struct argp_state *state, const char *text, sal_weights *w)
{
  *w = (sal_weights){0};
  while (*text) {
    const struct {
      const char *name;
      double     *value;
    } known[] = {{"sd=", &w->sd}, {"dt=", &w->dt}, {"iae=", &w->iae}};
    char *end = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
      if (strncmp(text, known[i].name, strlen(known[i].name)) == 0)
        *known[i].value = strtod(text + strlen(known[i].name), &end);
    if (!end || (*end != ',' && *end != '\0') || !isfinite(w->sd + w->dt + w->iae))
      argp_error(state, "--weights: '%s' is no weight; allowed: sd=NUMBER, dt=NUMBER, iae=NUMBER",
                 text);
    text = *end == ',' ? end + 1 : end;
  }
  if (w->sd < 0 || w->dt < 0 || w->iae < 0 || w->sd + w->dt + w->iae <= 0)
    argp_error(state, "--weights: they must not be negative, nor all 0");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case 'w':
    parse_weights(state, arg, &o->weights);
    break;
  case 'p':
    o->fit = true;
    break;
  case ARGP_KEY_ARG:
    if (o->path) argp_error(state, "one cube at a time");
    o->path = arg;
    break;
  case ARGP_KEY_END:
    if (!o->path) argp_error(state, "which cube?");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
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
  options  o    = {.weights = {2, 0, 1}};
  sal_cube cube = {0};

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  SAL_TRY(sal_cube_read(o.path, &cube));
  printf("%s\n", cube.title && *cube.title ? cube.title : o.path);
  if (o.fit) {
    sal_print_fit(stdout, &cube);
  } else {
    sal_print_stiffness(stdout, &cube);
    sal_print_points(stdout, &cube);
    sal_print_total(stdout, &cube, &o.weights);
    sal_print_published_total(stdout);
  }
  sal_cube_free(&cube);
  return SAL_OK;
}
