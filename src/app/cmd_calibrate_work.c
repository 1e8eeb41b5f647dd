/** saltus calibrate-work: what a step takes beside its evaluations of f, by solver, strategy and number of
 *  states.
 */
#include "argument.h"
#include "base.h"
#include "calibration.h"
#include "cli_compile.h"
#include "registry.h"
#include "step_cost.h"

enum { SIZES = 3, CPU = 128, MOST_LANES = 3 };
static const int sizes[SIZES] = {2, 4, 16};

#ifdef __clang__
static const char compiler[] = "clang " __clang_version__;
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

typedef struct {
  const char *solvers, *lanes;
  int64_t repeats;
} options;
static const options presets = {.repeats = 5};

#define OPTIONS_OF_calibrate_work
#include "options.def"

/* A model of each number of states, and what one evaluation of its f takes, by lanes. */
typedef struct {
  sal_provided *chain, *column[SIZES];
  const sal_model *model[SIZES];
  int n_lanes, lanes[MOST_LANES];
  double field[MOST_LANES][SIZES];
  int repeats;
} problems;

static void free_problems(problems *p)
{
  sal_provided_free(p->chain);
  for (int i = 0; i < SIZES; ++i) sal_provided_free(p->column[i]);
}

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

/* Blocks that fall onto one another: rigid contacts, for time stepping. */
static void write_column(int blocks, sal_text *out)
{
  const char *less = "";
  char below[32];

  sal_text_add(out, "equations: 1\nname: column\nspan: 1\ncoordinates:\n");
  for (int i = 1; i <= blocks; ++i)
    sal_text_add(out, "  x%d: {preset: 0.%d, rate: v%d}\n", i, i, i);
  sal_text_add(out, "kinetic: 0");
  for (int i = 1; i <= blocks; ++i) sal_text_add(out, " + v%d^2 / 2", i);
  sal_text_add(out, "\npotential: 0");
  for (int i = 1; i <= blocks; ++i) sal_text_add(out, " + 10 * x%d", i);
  sal_text_add(out, "\ncontacts:\n");
  for (int i = 1; i <= blocks; ++i, less = below) {
    sal_text_add(out, "  c%d: {names: [a%d, b%d], gap: x%d%s, law: {rigid: {restitution: 0.5}}}\n",
                 i, i, i, i, less);
    snprintf(below, sizeof below, " - x%d", i);
  }
}

/* "1,4", each of them once. */
static sal_err read_lanes(const char *list, problems *p)
{
  static const char *const words[] = {"1", "4", "8", NULL};
  const int widest = sal_integrate_widest();
  bool asked[SAL_STEP_LANES];

  SAL_TRY(sal_text_mark("--lanes", "number", list, words, asked));
  for (int i = 0; i < SAL_STEP_LANES; ++i) {
    if (!asked[i]) continue;
    if (sal_step_lanes[i] <= widest)
      p->lanes[p->n_lanes++] = sal_step_lanes[i];
    else if (list)
      return sal_fail(SAL_ERR_USAGE, "--lanes: %s; this machine has up to %d", words[i], widest);
  }
  return SAL_OK;
}

static sal_err open_problems(const options *o, problems *p)
{
  SAL_OWN_BY(sal_text_free) sal_text text = {0};

  p->repeats = (int)o->repeats;
  SAL_TRY(read_lanes(o->lanes, p));
  write_chain(sizes[2] / 2, &text);
  if (!text.string || text.lost) return sal_fail(SAL_ERR_MEMORY, "no memory for a model");
  SAL_TRY(sal_provided_parse(SAL_PROVIDES_MODELS, "chain", text.string, &p->chain));
  for (int i = 0; i < SIZES; ++i) {
    SAL_OWN_BY(sal_text_free) sal_text column = {0};
    write_column(sizes[i] / 2, &column);
    if (!column.string || column.lost) return sal_fail(SAL_ERR_MEMORY, "no memory for a model");
    SAL_TRY(sal_provided_parse(SAL_PROVIDES_MODELS, "column", column.string, &p->column[i]));
  }
  p->model[0] = sal_registry_model("linear-ground");
  p->model[1] = sal_registry_model("monopod");
  p->model[2] = p->chain->model;
  for (int k = 0; k < p->n_lanes; ++k)
    for (int i = 0; i < SIZES; ++i)
      p->field[k][i] = sal_step_calibration_field(p->model[i], p->lanes[k]);
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

/* The row of a solver, a strategy and lanes, where there is something to be timed.  A solver that takes one trajectory at
 * a time has no lanes in it. */
static sal_err print_row(const problems *p, const sal_method *method, int strategy, int k)
{
  const bool one = method->engine != NULL;
  double step[SIZES];
  bool any = false;

  if (one && k > 0) return SAL_OK;
  for (int i = 0; i < SIZES; ++i) {
    const sal_model *model = method->captures ? p->column[i]->model : p->model[i];
    const sal_step_calibration of = {
        .model = model,
        .method = method,
        .strategy = sal_registry_strategy(sal_step_strategies[strategy]),
        .lanes = one ? 1 : p->lanes[k],
        .field = one ? sal_step_calibration_field(model, 1) : p->field[k][i],
        .t_end = model->span,
        .repeats = p->repeats};
    SAL_TRY(sal_step_calibration_measure(&of, &step[i]));
    any = any || step[i] > 0;
  }
  if (!any) return SAL_OK;
  printf("- {solver: %s, strategy: %s, ", method->name, sal_step_strategies[strategy]);
  if (!one) printf("lanes: %d, ", p->lanes[k]);
  printf("ns: [");
  for (int i = 0; i < SIZES; ++i) printf("%s%.3g", i ? ", " : "", step[i] > 0 ? 1e9 * step[i] : 0);
  printf("]}\n");
  fflush(stdout);
  return SAL_OK;
}

static sal_err print_rows(const problems *p, const sal_method *method)
{
  for (int s = 0; sal_step_strategies[s]; ++s)
    for (int k = 0; k < p->n_lanes; ++k) SAL_TRY(print_row(p, method, s, k));
  return SAL_OK;
}

/* The solvers of a list, or all of them. */
static sal_err print_all(const problems *p, const char *list)
{
  for (int i = 0; !list && sal_method_names_at(i); ++i)
    SAL_TRY(print_rows(p, sal_method_names_at(i)));
  while (list) {
    const sal_method *method;
    char word[SAL_MAX_ITEM];
    list = sal_text_item(list, sizeof word, word);
    SAL_TRY(sal_argument_method("--solvers", word, &method));
    SAL_TRY(print_rows(p, method));
  }
  return SAL_OK;
}

static void print_head(const problems *p)
{
  char cpu[CPU];

  name_cpu(cpu);
  printf(
      "# A tried step beside its evaluations of f, in ns, for each number of states; 0: it cannot "
      "be "
      "had.  lanes: so many\n"
      "# trajectories at once, a step of each; without it the solver takes one at a time.  Made by "
      "`saltus calibrate-work`.\n");
  for (int k = 0; k < p->n_lanes; ++k)
    printf("# An f of its models took %.3g, %.3g, %.3g ns with lanes: %d.\n", 1e9 * p->field[k][0],
           1e9 * p->field[k][1], 1e9 * p->field[k][2], p->lanes[k]);
  printf("step_costs: 1\nmachine: \"%s, %s\"\nstates: [%d, %d, %d]\nsteps:\n", cpu, compiler,
         sizes[0], sizes[1], sizes[2]);
}

static sal_err run_calibrate_work(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(free_problems) problems p = {0};

  (void)call;
  SAL_TRY(open_problems(o, &p));
  print_head(&p);
  return print_all(&p, o->solvers);
}

const sal_command_code sal_cmd_calibrate_work = {.table = {{rows, 0}, {sal_cli_petsc_options, 0}},
                                                 SAL_COMMAND_OPTIONS(presets),
                                                 .run = run_calibrate_work};
