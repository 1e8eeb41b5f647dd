/** saltus info: what a cube, or a run's journals, hold. */
#include "command.h"
#include "cube_read.h"
#include "info_print.h"
#include "plain_file.h"
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
  const char *path;
  bool check, sweep, json;
} options;

#define OPTIONS_OF_info
#include "options.def"

/* Names of the groups, whose seals are verified. */
static void put_groups(sal_json *j, const bool there[])
{
  sal_json_array(j, "sealed");
  for (int i = 0; i < SAL_CUBE_GROUPS; ++i)
    if (there[i]) sal_json_text(j, NULL, i == SAL_CUBE_ROOT ? "/" : sal_cube_verify_groups[i]);
  sal_json_end(j);
}

static void say_found(const sal_report *r, const char *path, const sal_cube_check_found *f)
{
  sal_report_say(r, "%s: %lld datasets have the values that they were written with", path,
                 (long long)f->verified);
  if (f->without) sal_report_say(r, "; %lld have no checksum", (long long)f->without);
  sal_report_say(r, "; texts, settings, names and labels are as they were sealed\n");
}

/* Prints the attributes and objects that a user added. */
static void say_foreign(sal_report *r, const sal_text *foreign)
{
  char *rest = NULL;

  sal_json_array(&r->json, "foreign");
  for (char *line = foreign->string ? strtok_r(foreign->string, "\n", &rest) : NULL; line;
       line = strtok_r(NULL, "\n", &rest)) {
    const bool is_attribute = *line == '@';
    sal_text_plain(line);
    sal_json_text(&r->json, NULL, line);
    sal_report_say(r, "note: %s '%s' is not saltus's own; no command reads it\n",
                   is_attribute ? "attribute" : "object", line + is_attribute);
  }
  sal_json_end(&r->json);
}

static sal_err check_cube(const char *path, bool json)
{
  sal_cube_check_found found;

  SAL_TRY(sal_cube_check(path, &found));
  sal_report r = sal_report_begin(stdout, json);
  sal_json_members(&r.json, "path %s, verified %ld, without_checksum %ld", path, found.verified,
                   found.without);
  put_groups(&r.json, found.group);
  say_found(&r, path, &found);
  say_foreign(&r, &found.foreign);
  sal_report_end(&r);
  sal_text_free(&found.foreign);
  return SAL_OK;
}

static sal_err print_sweep(const char *path)
{
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *file = NULL;
  SAL_OWN_BY(sal_cube_free) sal_cube frame = {0};

  SAL_TRY(sal_cube_file_open(path, &file, &frame));
  fputs(frame.sweep_text, stdout);
  return SAL_OK;
}

static sal_err print_journal(const char *folder, bool json)
{
  sal_journal_info info;

  SAL_TRY(sal_journal_info_read(folder, &info));
  sal_report r = sal_report_begin(stdout, json);
  sal_info_print_journal(&r, folder, &info);
  sal_report_end(&r);
  sal_text_free(&info.machine);
  return SAL_OK;
}

/* left: journals beside it, or NULL. */
static sal_err print_cube(const char *path, const char *left, bool json)
{
  sal_cube_info info;

  SAL_TRY(sal_cube_info_read(path, &info));
  sal_report r = sal_report_begin(stdout, json);
  sal_info_print_cube(&r, path, &info);
  if (left) sal_json_text(&r.json, "journals", left);
  if (left)
    sal_report_say(&r,
                   "\n%s: journals of another run, or of one that was killed after it had written "
                   "the cube; `saltus info %s` prints what they hold\n",
                   left, left);
  sal_report_end(&r);
  sal_cube_info_free(&info);
  return SAL_OK;
}

static sal_err run_info(void *given, sal_command_call *call)
{
  const options *o = given;
  char folder[PATH_MAX];
  struct stat about;

  (void)call;
  if (sal_cli_ends(o->path, ".yaml"))
    return sal_fail(
        SAL_ERR_USAGE,
        "%s: a text; allowed: a cube or journals. `saltus list models FILE` prints a model's text, "
        "`saltus plan FILE` a sweep's",
        o->path);
  if (o->sweep) return print_sweep(o->path);
  if (o->check) return check_cube(o->path, o->json);
  if (sal_plain_file_is_folder(o->path)) return print_journal(o->path, o->json);
  SAL_TRY(sal_journal_folder(o->path, 1, 1, folder));
  const bool left = sal_plain_file_is_folder(folder);
  return stat(o->path, &about) && left ? print_journal(folder, o->json)
                                       : print_cube(o->path, left ? folder : NULL, o->json);
}

const sal_command_code sal_cmd_info = {
    .table = {{rows, 0}}, .size = sizeof(options), .run = run_info};
