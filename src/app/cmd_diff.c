/** @file src/app/cmd_diff.c
 *  saltus diff: are two cubes the same bits, timings aside?
 */
#include "command.h"
#include "cube_diff.h"

typedef struct {
  const char *path[2];
  int         n;
} options;

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case ARGP_KEY_ARG:
    if (o->n == 2) argp_error(state, "two cubes are enough");
    o->path[o->n++] = arg;
    return 0;
  case ARGP_KEY_END:
    if (o->n < 2) argp_error(state, "which two cubes?");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    .parser   = parse_option,
    .args_doc = "A.h5 B.h5",
    .doc = "Compare coordinates and metrics of two cubes bit by bit, passing over timings and what "
           "is derived from them.  Exit status: 0 the same, 1 different, above 1 trouble."};

sal_err sal_cmd_diff(int argc, char *argv[], int *status)
{
  options o    = {0};
  bool    same = false;

  sal_parse(&argp, argc, argv, &o);
  SAL_TRY(sal_cube_diff(o.path[0], o.path[1], stdout, &same));
  if (same) printf("the same, timings aside\n");
  *status = same ? 0 : 1;
  return SAL_OK;
}
