/** @file src/app/cmd_info.c
 *  saltus info: what a cube holds.
 */
#include "command.h"
#include "cube.h"

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  const char **path = state->input;

  switch (key) {
  case ARGP_KEY_ARG:
    if (*path) argp_error(state, "one cube at a time");
    *path = arg;
    return 0;
  case ARGP_KEY_END:
    if (!*path) argp_error(state, "which cube?");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {.parser   = parse_option,
                                 .args_doc = "CUBE.h5",
                                 .doc = "Say what a cube holds: dimensions and coordinates, how "
                                        "the trajectories ended, how good the "
                                        "references are, and where it comes from."};

sal_err sal_cmd_info(int argc, char *argv[], int *status)
{
  const char *path = NULL;

  *status = 0;
  sal_parse(&argp, argc, argv, &path);
  return sal_cube_info(path, stdout);
}
