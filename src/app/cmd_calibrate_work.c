/** @file src/app/cmd_calibrate_work.c
 *  saltus calibrate-work: what a step takes beside its evaluations of f, by solver, strategy and number of
 *  states.
 */
#include "argument.h"
#include "cli_trust.h"
#include "command.h"
#include "method_names.h"
#include "model_text.h"
#include "registry.h"
#include "step_calibration.h"
#include "step_cost.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STRATEGIES = 2, CPU = 128 };
static const char *const strategies[STRATEGIES] = {"switch", "event"};

#ifdef __clang__
static const char compiler[] = "clang " __clang_version__;
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

typedef struct {
  const char *solvers;
  int64_t repeats;
} options;
static const options presets = {.repeats = 5};

#define AT(member) .offset = offsetof(options, member)

static const sal_cli_option rows[] = {
    {"solvers", 0, "NAME,..", "solvers that are measured (all of them)", SAL_CLI_TEXT, AT(solvers)},
    {"repeats", 0, "N", "timings, of which the least counts (5)", SAL_CLI_WHOLE, AT(repeats),
     .least = 1, .most = 1000},
    {.help = NULL}};

/* A model of each number of states, and what one evaluation of its f takes. */
typedef struct {
  sal_model_text *chain;
  const sal_model *model[SAL_STEP_COST_SIZES];
  double t_end[SAL_STEP_COST_SIZES], field[SAL_STEP_COST_SIZES];
} problems;

static void free_problems(problems *p) { sal_model_text_free(p->chain); }

/* Masses in a row between springs, of which the first bounces on a stiff damped one. */
static void write_chain(int masses, sal_text *out)
{
  sal_text_add(
      out, "equations: 1\nname: chain\ntitle: masses in a row\nsource: none\nspan: 20\nwatch: x1\n"
           "parameters:\n  k: {what: ground, preset: 100, range: [1, 1000]}\nstates:\n");
  for (int i = 1; i <= masses; ++i)
    sal_text_add(out,
                 "  x%d: {what: position, preset: 0.%d, range: [-1, 1]}\n"
                 "  v%d: {what: velocity, preset: 0, range: [-1, 1], rate_of: x%d}\n",
                 i, i, i, i);
  sal_text_add(out, "contacts:\n  ground: {names: [touchdown, liftoff], gap: x1}\nflow:\n");
  for (int i = 1; i <= masses; ++i) {
    sal_text_add(out, "  x%d: v%d\n  v%d: -x%d", i, i, i, i);
    if (i > 1) sal_text_add(out, " - (x%d - x%d)", i, i - 1);
    if (i < masses) sal_text_add(out, " - (x%d - x%d)", i, i + 1);
    sal_text_add(out, "%s\n", i == 1 ? " - (k * x1 + v1 if ground else 0)" : "");
  }
}

static sal_err open_problems(problems *p)
{
  SAL_OWN_BY(sal_text_free) sal_text text = {0};

  write_chain(sal_step_cost_states[2] / 2, &text);
  if (!text.string || text.lost) return sal_fail(SAL_ERR_MEMORY, "no memory for a model");
  SAL_TRY(sal_model_text_parse("chain", text.string, &p->chain));
  p->model[0] = sal_registry_model("linear-ground");
  p->model[1] = sal_registry_model("monopod");
  p->model[2] = sal_model_text_model(p->chain);
  for (int i = 0; i < SAL_STEP_COST_SIZES; ++i) {
    p->t_end[i] = p->model[i]->span;
    p->field[i] = sal_step_calibration_field(p->model[i]);
  }
  return SAL_OK;
}

/* "Intel(R) Xeon(R) Processor", or what the system does not say. */
static void name_cpu(char name[CPU])
{
  char line[CPU + 32];
  FILE *file = fopen("/proc/cpuinfo", "r");

  snprintf(name, CPU, "a processor without a name");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
      snprintf(name, CPU, "%s", strchr(line, ':') + 2);
      name[strcspn(name, "\n\"\\")] = '\0';
      break;
    }
  if (file) fclose(file);
}

static sal_err print_rows(const problems *p, const sal_method *method, int repeats)
{
  for (int s = 0; s < STRATEGIES; ++s) {
    double step[SAL_STEP_COST_SIZES];
    bool any = false;
    for (int i = 0; i < SAL_STEP_COST_SIZES; ++i) {
      SAL_TRY(sal_step_calibration_measure(p->model[i], method,
                                           sal_registry_strategy(strategies[s]), p->field[i],
                                           p->t_end[i], repeats, &step[i]));
      any = any || step[i] > 0;
    }
    if (!any) continue;
    printf("SAL_STEP_COST(\"%s\", \"%s\"", method->name, strategies[s]);
    for (int i = 0; i < SAL_STEP_COST_SIZES; ++i) printf(", %.3g", step[i] > 0 ? 1e9 * step[i] : 0);
    printf(")\n");
    fflush(stdout);
  }
  return SAL_OK;
}

/* The solvers of a list, or all of them. */
static sal_err print_all(const problems *p, const char *list, int repeats)
{
  for (int i = 0; !list && sal_method_names_at(i); ++i)
    SAL_TRY(print_rows(p, sal_method_names_at(i), repeats));
  while (list) {
    const sal_method *method;
    char word[SAL_MAX_ITEM];
    const size_t n = strcspn(list, ",");
    snprintf(word, sizeof word, "%.*s", (int)n, list);
    SAL_TRY(sal_argument_method("--solvers", word, &method));
    SAL_TRY(print_rows(p, method, repeats));
    list = list[n] ? list + n + 1 : NULL;
  }
  return SAL_OK;
}

static sal_err run_calibrate_work(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(free_problems) problems p = {0};
  char cpu[CPU];

  (void)call;
  SAL_TRY(open_problems(&p));
  name_cpu(cpu);
  printf("/* A tried step beside its evaluations of f, in ns: SAL_STEP_COST(solver, strategy, of "
         "2, 4, 16 states);\n"
         " * 0: it cannot be had.  Made by `saltus calibrate-work`; an f of its models took %.3g, "
         "%.3g, %.3g. */\n",
         1e9 * p.field[0], 1e9 * p.field[1], 1e9 * p.field[2]);
  printf("SAL_STEP_MACHINE(\"%s, %s\")\n", cpu, compiler);
  return print_all(&p, o->solvers, (int)o->repeats);
}

const sal_command sal_cmd_calibrate_work = {
    .name = "calibrate-work",
    .group = SAL_COMMAND_STUDY,
    .summary = "measure what a step of each solver takes beside f",
    .description =
        "Measure what a step of each solver takes beside its evaluations of f, at width 1 and for "
        "2, 4 and 16 states, and print it as src/sweep/step_costs.def has it.",
    .notes =
        "CPU time of runs of linear-ground, monopod and eight masses in a row at three tolerances, "
        "less "
        "that of their evaluations of f, over the steps that were tried; linear algebra, dense "
        "output and the location of contacts are part of a step.  The table of this program was "
        "measured so; --f-costs of recommend, rules, map and regret uses it.  For another machine "
        "put the output in its place and build again.",
    .examples = "  saltus calibrate-work --solvers ode45,ode113\n"
                "  saltus calibrate-work > src/sweep/step_costs.def",
    .table = {{rows, 0}, {sal_cli_petsc_options, 0}},
    .size = sizeof(options),
    .presets = &presets,
    .run = run_calibrate_work};
