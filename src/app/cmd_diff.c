/** saltus diff: are two cubes the same bits, timings aside? */
#include "command.h"
#include "cube_info.h"

typedef struct {
  const char *a, *b;
  bool json;
} options;

#define OPTIONS_OF_diff
#include "options.def"

static sal_err run_diff(void *given, sal_command_call *call)
{
  const options *o = given;
  bool same = false;

  SAL_TRY(sal_cube_diff(o->a, o->b, o->json, stdout, &same));
  if (same && !o->json) printf("the same, timings aside\n");
  call->status = same ? 0 : SAL_FINDING_DIFFERENT;
  return SAL_OK;
}

const sal_command_code sal_cmd_diff = {
    .table = {{rows, 0}}, .size = sizeof(options), .run = run_diff};
