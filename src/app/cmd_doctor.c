/** saltus doctor: does what a run needs work on this machine? */
#include "doctor_checks.h"
#include "report.h"

enum { LABEL = 14 };

typedef struct {
  const char *folder;
  bool json;
} options;

#define OPTIONS_OF_doctor
#include "options.def"

static const char *const states[] = {
    [SAL_DOCTOR_WORKS] = "works", [SAL_DOCTOR_LACKS] = "lacks", [SAL_DOCTOR_FAILS] = "FAILS"};

static void print(sal_report *r, const char *name, const sal_doctor_finding *f)
{
  sal_json_object_of(&r->json, name, "state %s, found %s, todo %s",
                     f->state == SAL_DOCTOR_FAILS ? "fails" : states[f->state], f->found,
                     f->todo[0] ? f->todo : NULL);
  sal_report_say(r, "%s ", states[f->state]);
  sal_report_line(r, LABEL, name, "%s", f->found);
  if (f->todo[0]) sal_report_say(r, "      %*s -> %s\n", LABEL, "", f->todo);
}

static sal_err run_doctor(void *given, sal_command_call *call)
{
  const options *o = given;
  sal_report r = sal_report_begin(call->rank == 0 ? stdout : NULL, o->json);

  for (const sal_doctor_check *c = sal_doctor_checks; c->name; ++c) {
    sal_doctor_finding f = {SAL_DOCTOR_WORKS, "", ""};
    c->look(call, o->folder ? o->folder : ".", &f);
    print(&r, c->name, &f);
    if (f.state == SAL_DOCTOR_FAILS) call->status = SAL_FINDING_CANNOT;
  }
  sal_report_end(&r);
  return SAL_OK;
}

const sal_command_code sal_cmd_doctor = {
    .table = {{rows, 0}}, .size = sizeof(options), .run = run_doctor};
