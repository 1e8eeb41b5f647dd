/** The cost of a step as users pay for it: bare, and scored against a reference on a mesh as every run
 *  of a sweep is, by method, width and strategy.
 *
 *      bench_steps ROWS.csv N TOLERANCE ROUNDS [METHOD..]
 *
 *  solves the first N hoppers "id,b,m1,k,f" and, as `plate`, N plates on 64 springs, all settings by
 *  turns, once a round, and prints for each its least CPU time: "model,method,width,strategy,scored,
 *  seconds,steps,busy,events", seconds, accepted steps and events of the list once, and the share of lane-turns in
 *  which a lane had a trajectory.  N points of vibro-impact and of slip, with flights of a few
 *  steps between impacts, are for the cost of an event.
 */
#include "clock.h"
#include "integrate.h"
#include "memory.h"
#include "registry.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 400, MOST_ROWS = 2000, MOST_MESH = 5000 };

/** A model with its list of jobs, and what runs of it are scored on. */
typedef struct {
  const sal_model *model;
  double t_end, max_step;
  int n, contacts;
  double param[MOST_ROWS][SAL_MAX_P], initial[MOST_ROWS][SAL_MAX_STATE];
  sal_score score;
} bench_list;

typedef struct {
  sal_setup setup;
  const bench_list *list;
  int width;
  bool scored;
  double seconds, steps, events;
  sal_lane_use use;
} setting;

static bench_list hoppers, plates, walls, runners;
static double reference[MOST_MESH + 8];
static setting all[MOST_SETTINGS];
static int n_setting;

static void refuse(const char *what)
{
  fprintf(stderr, "bench_steps: %s\n", what);
  exit(2);
}

/* Presets, and a score on a mesh against a reference that no run reaches. */
static void begin(bench_list *list, const char *model, double t_end, int n_mesh)
{
  list->model = sal_registry_model(model);
  list->t_end = t_end;
  list->score = (sal_score){reference, n_mesh, 0.05, 0.05};
  for (int i = 0; i < list->n; ++i) {
    for (int k = 0; k < list->model->n_param; ++k) list->param[i][k] = list->model->param[k].preset;
    for (int k = 0; k < list->model->n_state; ++k)
      list->initial[i][k] = list->model->state[k].preset;
  }
}

static void read_hoppers(const char *path)
{
  FILE *file = fopen(path, "r");
  char line[256];
  int n = 0;

  if (!file) refuse("cannot read the rows");
  begin(&hoppers, "monopod", 50, 5000);
  while (n < hoppers.n && fgets(line, sizeof line, file)) {
    double *p = hoppers.param[n];
    n += sscanf(line, "%*d,%lf,%lf,%lf,%lf", p, p + 1, p + 2, p + 3) == 4;
  }
  fclose(file);
  if (n < hoppers.n) refuse("there are fewer rows \"id,b,m1,k,f\" than that");
}

/* As in sweeps/contacts.yaml, with heights and angles evenly spread over its box. */
static void drop_plates(void)
{
  const sal_model *m;

  begin(&plates, "plate", 2, 1000);
  m = plates.model;
  plates.contacts = 64;
  plates.max_step = 0.02;
  for (int i = 0; i < plates.n; ++i) {
    const double u = fmod(0.5 + (i + 1) * 0.7548776662466927, 1),
                 v = fmod(0.5 + (i + 1) * 0.5698402909980532, 1);
    for (int k = 0; k < m->n_param; ++k) {
      if (strcmp(m->param[k].name, "K") == 0) plates.param[i][k] = 200;
      if (strcmp(m->param[k].name, "C") == 0) plates.param[i][k] = 8;
    }
    plates.param[i][m->counted_by - 1] = plates.contacts;
    for (int k = 0; k < m->n_state; ++k) {
      if (strcmp(m->state[k].name, "z") == 0) plates.initial[i][k] = 2 + u;
      if (strcmp(m->state[k].name, "th") == 0) plates.initial[i][k] = -0.1 + 0.2 * v;
    }
  }
}

/* Events of a run with the parameters and the initial state of row i. */
static double count_events(const bench_list *list, int i)
{
  const sal_setup u = {.model = list->model,
                       .method = sal_registry_method("dop853"),
                       .strategy = sal_registry_strategy("event"),
                       .rtol = 1e-6,
                       .atol = 1e-6,
                       .t_end = list->t_end};
  const sal_job job = {.param = list->param[i], .initial = list->initial[i]};
  sal_record record;
  void *work = sal_alloc(sal_integrate_bytes(&u, 1), 1);

  if (!work) refuse("no memory");
  sal_integrate(&u, 1, 1, &job, &record, work);
  sal_free(work);
  return record.value[SAL_METRIC_EVENTS];
}

/* Parameters all over the ranges of a model, from its preset state, whose runs have four events or more. */
static void spread(bench_list *list, const char *model)
{
  static const double step[] = {0.7548776662466927, 0.5698402909980532, 0.8191725133961645,
                                0.6710436067037893, 0.5497004779019703};
  const sal_model *m = sal_registry_model(model);

  begin(list, model, m->span, 1000);
  for (int i = 0, point = 1; i < list->n; ++point) {
    for (int k = 0; k < m->n_param; ++k)
      list->param[i][k] =
          m->param[k].lo + (m->param[k].hi - m->param[k].lo) * fmod(0.5 + point * step[k], 1);
    if (!m->flaw || !m->flaw(m->inner, list->param[i])) i += count_events(list, i) >= 4;
  }
}

static void add(const bench_list *list, const sal_method *method, const char *strategy,
                double tolerance)
{
  if (!sal_method_solves(method, list->model)) return;
  for (int width = 1; width <= (method->w4 ? sal_integrate_widest() : 1);
       width *= width < 4 ? 4 : 2)
    for (int scored = 0; scored < 2; ++scored) {
      setting *s = &all[n_setting++];
      if (n_setting == MOST_SETTINGS) refuse("too many settings");
      *s = (setting){.list = list, .width = width, .scored = scored, .seconds = INFINITY};
      s->setup = (sal_setup){.model = list->model,
                             .method = method,
                             .strategy = sal_registry_strategy(strategy),
                             .rtol = tolerance,
                             .atol = tolerance,
                             .t_end = list->t_end,
                             .max_step = list->max_step,
                             .n_guard = list->contacts};
    }
}

static void run(setting *s)
{
  static sal_job job[MOST_ROWS];
  static sal_record record[MOST_ROWS];
  const bench_list *list = s->list;
  void *work = sal_alloc(sal_integrate_bytes(&s->setup, s->width), 1);

  if (!work) refuse("no memory");
  for (int i = 0; i < list->n; ++i)
    job[i] = (sal_job){.param = list->param[i],
                       .initial = list->initial[i],
                       .score = s->scored ? &list->score : NULL};
  s->use = (sal_lane_use){0, 0};
  s->setup.use = &s->use;
  const double began = sal_clock_cpu();
  sal_integrate(&s->setup, s->width, list->n, job, record, work);
  s->seconds = fmin(s->seconds, sal_clock_cpu() - began);
  s->steps = s->events = 0;
  for (int i = 0; i < list->n; ++i) {
    s->steps += record[i].value[SAL_METRIC_STEPS];
    s->events += s->setup.strategy->held ? record[i].value[SAL_METRIC_EVENTS] : 0;
  }
  sal_free(work);
}

int main(int argc, char *argv[])
{
  if (argc < 5) refuse("ROWS.csv N TOLERANCE ROUNDS [METHOD..]");
  const int n = atoi(argv[2]), rounds = atoi(argv[4]);

  if (n < 1 || n > MOST_ROWS || rounds < 1 || !(atof(argv[3]) > 0)) refuse("numbers are wrong");
  hoppers.n = plates.n = walls.n = runners.n = n;
  read_hoppers(argv[1]);
  drop_plates();
  spread(&walls, "vibro-impact");
  spread(&runners, "slip");
  for (int j = 0; j < MOST_MESH + 8; ++j) reference[j] = 0.3 * cos(0.01 * j);
  for (const sal_method *const *m = sal_registry_methods; *m; ++m) {
    bool named = argc == 5;
    for (int i = 5; i < argc; ++i) named |= strcmp(argv[i], (*m)->name) == 0;
    for (int k = 0; k < 2 && named; ++k) add(&hoppers, *m, k ? "event" : "switch", atof(argv[3]));
    if (named && strcmp((*m)->name, "ode45") == 0) add(&plates, *m, "event", atof(argv[3]));
    if (named) add(&walls, *m, "event", atof(argv[3]));
    if (named) add(&runners, *m, "event", atof(argv[3]));
  }
  for (int i = 0; i < rounds; ++i)
    for (int k = 0; k < n_setting; ++k) run(&all[k]);
  printf("model,method,width,strategy,scored,seconds,steps,busy,events\n");
  for (int k = 0; k < n_setting; ++k)
    printf("%s,%s,%d,%s,%d,%.9g,%.0f,%.4f,%.0f\n", all[k].list->model->name,
           all[k].setup.method->name, all[k].width, all[k].setup.strategy->name, all[k].scored,
           all[k].seconds, all[k].steps, (double)all[k].use.live / (double)all[k].use.all,
           all[k].events);
  return 0;
}
