/** @file src/app/cmd_info.c
 *  saltus info: what a cube, or a run's journals, hold.
 */
#include "command.h"
#include "cube_check.h"
#include "cube_info.h"
#include "journal.h"
#include "journal_info.h"
#include "json.h"
#include <limits.h>
#include <sys/stat.h>

typedef struct {
  const char *path;
  bool        check, json;
} options;

#define AT(member) .offset = offsetof(options, member)

static const sal_cli_option rows[] = {
    {"cube", 0, "CUBE.h5|JOURNAL", "what to look at", SAL_CLI_ARGUMENT, AT(path),
     .missing = "which cube?"},
    {"check", 'c', NULL, "verify the checksums of all datasets of a cube, and say no more",
     SAL_CLI_FLAG, AT(check)},
    {"json", 'j', NULL, "print one line of JSON, with all figures", SAL_CLI_FLAG, AT(json)},
    {.help = NULL}};

static bool is_folder(const char *path)
{
  struct stat about;

  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static sal_err check_cube(const char *path, bool json)
{
  int64_t verified, without;

  SAL_TRY(sal_cube_check(path, &verified, &without));
  if (json) {
    sal_json j;
    sal_json_begin(&j, stdout);
    sal_json_text(&j, "path", path);
    sal_json_whole(&j, "verified", verified);
    sal_json_whole(&j, "without_checksum", without);
    sal_json_end(&j);
    return SAL_OK;
  }
  printf("%s: %lld datasets have the values that they were written with", path,
         (long long)verified);
  if (without) printf("; %lld have no checksum", (long long)without);
  printf("\n");
  return SAL_OK;
}

static sal_err run_info(void *given, sal_command_call *call)
{
  const options *o = given;
  char           folder[PATH_MAX];
  struct stat    about;

  (void)call;
  if (o->check) return check_cube(o->path, o->json);
  if (is_folder(o->path)) return sal_journal_info(o->path, o->json, stdout);
  SAL_TRY(sal_journal_folder(o->path, 1, 1, folder));
  return stat(o->path, &about) && is_folder(folder) ? sal_journal_info(folder, o->json, stdout)
                                                    : sal_cube_info(o->path, o->json, stdout);
}

const sal_command sal_cmd_info = {
    .name    = "info",
    .group   = SAL_COMMAND_LOOK,
    .summary = "say what a cube or a run's journals hold",
    .description =
        "Say what a cube holds: dimensions and coordinates, how the trajectories ended, how good "
        "the references are, and where it comes from.  Of a run that is not finished yet: what its "
        "journals hold, and how fast it goes.",
    .notes    = "",
    .examples = "  saltus info results/dallas2017.h5",
    .table    = {{rows, 0}},
    .size     = sizeof(options),
    .run      = run_info};
