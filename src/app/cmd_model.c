/** saltus model: the beginning of a model of one's own, and what can be said of a model without knowing what it
 *  is for.
 */
#include "base.h"
#include "doctor_checks.h"
#include "equation_findings.h"
#include "equation_model.h"
#include "help.h"
#if SAL_HAS_IMPORT
#include "import.h"
#endif
#include "lost_place.h"
#include "measure_print.h"
#include "model_drawn.h"
#include "model_file.h"
#include "plain_file.h"
#include "providers.h"
#include "report.h"

typedef struct {
  const char *action, *name, *param, *initial;
  const char *t_end;
  double budget;
  bool json;
} options;
static const options presets = {.budget = SAL_CLI_RUN_BUDGET};

#define OPTIONS_OF_model
#include "options.def"

static const char *const actions[] = {"new", "check", "import", NULL};

static sal_err check_action(void *given)
{
  const options *o = given;

  return sal_text_rank(o->action, actions) >= 0
             ? SAL_OK
             : sal_text_unknown(SAL_ERR_USAGE, "saltus model", "action", o->action, actions);
}

/* A text of the folder models, which lies in the program. */
static sal_err print_text(const char *kind)
{
  enum { MOST = 16, NAME = 64 };
  const char *text = sal_help_text("models", kind, "yaml"), *names[MOST + 1] = {NULL};
  char room[MOST][NAME];
  int n = 0;

  if (text) {
    fputs(text, stdout);
    return SAL_OK;
  }
  for (const sal_help_file *f = sal_help_files; f->name && n < MOST; ++f)
    if (sscanf(f->name, "models/%63[^.]", room[n]) == 1) {
      names[n] = room[n];
      ++n;
    }
  return sal_text_unknown(SAL_ERR_USAGE, "saltus model new", "kind", kind, names);
}

/* Where verdicts go, and how many of a text are wrong. */
typedef struct {
  sal_report report;
  int wrong;
} output;

static void print_line(sal_report *r, const char *question, const char *kind, const char *found)
{
  sal_json_object_of(&r->json, NULL, "question %s, verdict %s, found %s", question, kind, found);
  sal_report_say(r, "%-5s  %-10s  %s\n", kind, question, found);
}

static void print_verdict(void *with, const sal_model_verdict *v)
{
  static const char *const kinds[] = {"fine", "note", "wrong"};
  output *out = with;

  print_line(&out->report, v->question, kinds[v->kind], v->text);
}

static void print_finding(void *with, const char *question, sal_equation_finding_kind kind,
                          const char *text)
{
  static const char *const kinds[] = {"fine", "note", "wrong"};
  output *out = with;

  out->wrong += kind == SAL_EQUATION_WRONG;
  print_line(&out->report, question, kinds[kind], text);
}

static void print_measures(const sal_cli_run *run, sal_report *r)
{
  const sal_measured_list *list =
      run->file ? sal_measure_print_of(run->setup.model, run->file->text, false) : NULL;
  char line[SAL_MEASURE_PRINT];

  for (int i = 0; list && i < list->n_column; ++i)
    if (sal_measure_print_column(list, i, line)) print_line(r, "measure", "fine", line);
  sal_providers_drop_measures(list);
}

/* Checks of texts alone: how the accelerations of bodies are solved for; findings in equations. */
static sal_err check_text(sal_cli_run *run, const char *path, output *out)
{
  bool recurs = false;
  const sal_model_file *bodies = sal_provided_made(run->file, &sal_model_file_provider);
  const char *way = bodies ? sal_model_file_way(bodies, &recurs) : NULL;
  const sal_equation_model *text = sal_provided_made(run->file, &sal_equation_model_provider);

  if (way) print_line(&out->report, "joints", recurs ? "fine" : "note", way);
  print_measures(run, &out->report);
  if (!text) return SAL_OK;
  return sal_equation_findings(path, sal_equation_model_text(text), print_finding, out);
}

static sal_err check_model(const options *o, sal_command_call *call)
{
  const sal_cli_run_words words = {.model = o->name,
                                   .param = o->param,
                                   .initial = o->initial,
                                   .t_end = o->t_end,
                                   .budget = o->budget,
                                   SAL_CLI_RUN_PRESETS("dop853", "event", 1e-9)};
  SAL_OWN_BY(sal_cli_run_free) sal_cli_run run = {0};
  output out = {.wrong = 0};
  sal_report *r = &out.report;
  char place[SAL_LOST_PLACE];
  sal_lost lost;
  int wrong;

  SAL_TRY(sal_cli_run_check(&words, &run));
  *r = sal_report_begin(stdout, o->json);
  sal_json_text(&r->json, "model", run.setup.model->name);
  sal_json_array(&r->json, "verdicts");
  sal_report_say(r, "%s: %s\n", run.setup.model->name, run.setup.model->title);
  SAL_TRY(check_text(&run, o->name, &out));
  SAL_TRY(
      sal_model_verdicts(&run.setup, run.param, run.initial, print_verdict, &out, &wrong, &lost));
  SAL_TRY(sal_lost_place(&lost, &run, o->name, place));
  if (place[0]) print_line(r, "run", "wrong", place);
  sal_json_end(&r->json);
  sal_report_end(r);
  call->status = wrong + out.wrong ? SAL_FINDING_FLAW : 0;
  return SAL_OK;
}

#if SAL_HAS_IMPORT
/* A text has bounds that a description does not have, such as the number of coordinates. */
static sal_err check_bodies(const char *path, const char *text)
{
  char where[1100];
  sal_model_file *file;

  snprintf(where, sizeof where, "%.1000s: its text of bodies", path);
  SAL_TRY(sal_model_file_parse(where, text, &file));
  sal_model_file_free(file);
  return SAL_OK;
}
#endif

/* The text of bodies of a robot, and on standard error what it does not have. */
static sal_err print_robot(const char *path)
{
#if SAL_HAS_IMPORT
  SAL_OWN char *xml = NULL, *text = NULL, *notes = NULL;

  SAL_TRY(sal_text_file_read(path, "a robot's description, URDF or MJCF,", &xml));
  SAL_TRY(sal_import_robot(path, xml, &text, &notes));
  SAL_TRY(check_bodies(path, text));
  if (notes) fputs(notes, stderr);
  fputs(text, stdout);
  return SAL_OK;
#else
  return sal_fail(SAL_ERR_USAGE, "%s: this build reads no robots: %s", path,
                  sal_model_import_missing);
#endif
}

static sal_err run_model(void *given, sal_command_call *call)
{
  const options *o = given;

  if (strcmp(o->action, "import") == 0) return print_robot(o->name);
  return strcmp(o->action, "new") == 0 ? print_text(o->name) : check_model(o, call);
}

const sal_command_code sal_cmd_model = {
    .table = {{rows, 0}}, SAL_COMMAND_OPTIONS(presets), .check = check_action, .run = run_model};
