/** @file src/app/cmd_info.c
 *  saltus info: what a cube, or a run's journals, hold.
 */
#include "command.h"
#include "cube_check.h"
#include "cube_info.h"
#include "journal.h"
#include "journal_info.h"
#include <sys/stat.h>

typedef struct {
  const char *path;
  bool        check;
} options;

static const struct argp_option option_table[] = {
    {"check", 'c', NULL, 0, "verify the checksums of all datasets of a cube, and say no more", 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  if (key != 'c') return sal_option_cube(key, arg, state, &o->path);
  o->check = true;
  return 0;
}

static const struct argp argp = {.options  = option_table,
                                 .parser   = parse_option,
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

static sal_err check_cube(const char *path)
{
  int64_t verified, without;

  SAL_TRY(sal_cube_check(path, &verified, &without));
  printf("%s: %lld datasets have the values that they were written with", path,
         (long long)verified);
  if (without) printf("; %lld have no checksum", (long long)without);
  printf("\n");
  return SAL_OK;
}

sal_err sal_cmd_info(int argc, char *argv[], int *status)
{
  options     o = {0};
  char        folder[PATH_MAX];
  struct stat about;

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  const char *path = o.path;
  if (o.check) return check_cube(path);
  if (is_folder(path)) return sal_journal_info(path, stdout);
  SAL_TRY(sal_journal_folder(path, 1, 1, folder));
  return stat(path, &about) && is_folder(folder) ? sal_journal_info(folder, stdout)
                                                 : sal_cube_info(path, stdout);
}
