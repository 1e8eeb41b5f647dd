/** saltus diff: are two cubes the same bits, timings aside? */
#include "command.h"
#include "cube_info.h"

typedef struct {
  const char *a, *b;
  bool json;
} options;

static const sal_cli_option rows[] = {
    {"cube", 0, "A.h5", "a cube", SAL_CLI_ARGUMENT, SAL_OPT(a),
     .missing = "A.h5 or B.h5 is missing"},
    {"cube", 0, "B.h5", "another", SAL_CLI_ARGUMENT, SAL_OPT(b),
     .missing = "A.h5 or B.h5 is missing"},
    {"json", 'j', NULL, "print one line of JSON", SAL_CLI_FLAG, SAL_OPT(json)},
    {.help = NULL}};

static sal_err run_diff(void *given, sal_command_call *call)
{
  const options *o = given;
  bool same = false;

  SAL_TRY(sal_cube_diff(o->a, o->b, o->json, stdout, &same));
  if (same && !o->json) printf("the same, timings aside\n");
  call->status = same ? 0 : SAL_FINDING_DIFFERENT;
  return SAL_OK;
}

const sal_command sal_cmd_diff = {.name = "diff",
                                  .group = SAL_COMMAND_LOOK,
                                  .table = {{rows, 0}},
                                  .size = sizeof(options),
                                  .run = run_diff};
