/** @file src/app/cmd_info.c
 *  saltus info: what a cube, or a run's journals, hold.
 */
#include "command.h"
#include "cube.h"
#include "journal.h"
#include "journal_info.h"
#include <sys/stat.h>

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  return sal_option_cube(key, arg, state, state->input);
}

static const struct argp argp = {.parser   = parse_option,
                                 .args_doc = "CUBE.h5|JOURNAL",
                                 .doc = "Say what a cube holds: dimensions and coordinates, how "
                                        "the trajectories ended, how good the "
                                        "references are, and where it comes from.  Of a run that "
                                        "is not finished yet: what its journals hold, and how fast "
                                        "it goes."};

static bool is_folder(const char *path)
{
  struct stat about;

  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

sal_err sal_cmd_info(int argc, char *argv[], int *status)
{
  const char *path = NULL;
  char        folder[PATH_MAX];
  struct stat about;

  *status = 0;
  sal_parse(&argp, argc, argv, &path);
  if (is_folder(path)) return sal_journal_info(path, stdout);
  SAL_TRY(sal_journal_folder(path, 1, 1, folder));
  return stat(path, &about) && is_folder(folder) ? sal_journal_info(folder, stdout)
                                                 : sal_cube_info(path, stdout);
}
