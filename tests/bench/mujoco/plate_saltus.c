/** Our side: the models `plate` and `hopper1d` with any method and strategy.
 *
 *      bench_plate plate|hopper method=M strategy=S tolerance=TOL width=1|4|8 zone=Z in_time=0|1
 *  ...
 *
 *  width=0 is the widest there is.  At width 1 each start is timed by itself, as MuJoCo's are; else
 *  all starts are one batch, and each is said to have taken its share.
 */
#include "clock.h"
#include "integrate.h"
#include "memory.h"
#include "registry.h"
#include "task.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  task task;
  const char *method, *strategy;
  int width, in_time;
  double tolerance, zone;
  sal_setup setup;
  double param[SAL_MAX_PARAM];
  void *work;
} peer;

static void set_param(peer *p, const char *name, double value)
{
  const sal_model *model = p->setup.model;

  for (int i = 0; i < model->n_param; ++i)
    if (strcmp(model->param[i].name, name) == 0) {
      p->param[i] = value;
      return;
    }
  task_refuse("model %s has no parameter %s", model->name, name);
}

static void prepare_model(peer *p)
{
  const sal_model *model = p->setup.model;

  for (int i = 0; i < model->n_param; ++i) p->param[i] = model->param[i].preset;
  if (p->task.hopper) {
    set_param(p, "k", p->task.stiffness);
  } else {
    if (p->task.n > SAL_MAX_GUARD) task_refuse("n=%d: at most %d", p->task.n, SAL_MAX_GUARD);
    set_param(p, "n", p->task.n);
    set_param(p, "K", p->task.stiffness);
    set_param(p, "C", p->task.damping);
  }
  p->setup.n_guard = sal_model_guards(model, p->param);
}

static void prepare(peer *p)
{
  p->setup = (sal_setup){.model = sal_registry_model(p->task.hopper ? "hopper1d" : "plate"),
                         .method = sal_registry_method(p->method),
                         .strategy = sal_registry_strategy(p->strategy),
                         .rtol = p->tolerance,
                         .atol = p->tolerance,
                         .t_end = p->task.t_end,
                         .zone = p->zone,
                         .zone_in_time = p->in_time != 0};
  if (!p->setup.method) task_refuse("no method is called %s", p->method);
  if (!p->setup.strategy) task_refuse("no strategy is called %s", p->strategy);
  if (!sal_strategy_drives(p->setup.strategy, p->setup.method))
    task_refuse("%s does not work with %s", p->strategy, p->method);
  if (p->tolerance <= 0 || p->zone <= 0) task_refuse("tolerance and zone must be positive");
  if (p->setup.strategy->fixed) p->setup.fixed_step = p->task.dt;
  if (p->width == 0) p->width = sal_integrate_widest();
  if (p->width > sal_integrate_widest() || !(p->width == 1 || p->width == 4 || p->width == 8))
    task_refuse("width=%d: not here, the widest is %d", p->width, sal_integrate_widest());
  if (p->width > 1 && !p->setup.method->w4) p->width = 1;
  prepare_model(p);
  p->work = sal_alloc(sal_integrate_bytes(&p->setup, p->width), 1);
  if (!p->work) task_refuse("no memory");
}

/* The shortest of the timed runs. */
static double best_time(const peer *p, int n, const sal_job jobs[], sal_record out[])
{
  double best = INFINITY;

  for (int rep = 0; rep < p->task.reps; ++rep) {
    const double began = sal_clock_cpu();
    sal_integrate(&p->setup, p->width, n, jobs, out, p->work);
    best = fmin(best, sal_clock_cpu() - began);
  }
  return best;
}

static bool done(const sal_record *record)
{
  return record->value[SAL_METRIC_OUTCOME] == SAL_OUT_DONE;
}

static sal_job job[TASK_STARTS];
static sal_record record[TASK_STARTS];

/* The untimed run for the final states comes first and warms the caches. */
static void plate(const peer *p)
{
  static double initial[TASK_STARTS][PLATE_STATES], ends[TASK_STARTS][2][PLATE_STATES];
  static sal_samples samples[TASK_STARTS];
  const int n = p->task.n_start;
  double share = 0;

  for (int i = 0; i < n; ++i) {
    initial[i][1] = p->task.start[i].z;
    initial[i][2] = p->task.start[i].th;
    samples[i] = (sal_samples){.n_mesh = 1, .state = ends[i][0]};
    job[i] = (sal_job){.param = p->param, .initial = initial[i], .samples = &samples[i]};
  }
  sal_integrate(&p->setup, p->width, n, job, record, p->work);
  for (int i = 0; i < n; ++i) job[i].samples = NULL;
  if (p->width > 1) share = best_time(p, n, job, record) / n;
  task_plate_header();
  for (int i = 0; i < n; ++i) {
    const double cpu = p->width > 1 ? share : best_time(p, 1, &job[i], &record[i]);
    task_plate_line(p->task.start[i].id, cpu, !done(&record[i]), ends[i][1]);
  }
}

static void hopper(const peer *p)
{
  const double initial[2] = {2, 0};
  const int64_t n_state = p->setup.model->n_state, n_mesh = lround(p->task.t_end / p->task.dt);
  sal_samples samples = {.n_mesh = n_mesh,
                         .state = sal_alloc((size_t)((n_mesh + 1) * n_state), sizeof(double))};

  if (!samples.state) task_refuse("no memory");
  job[0] = (sal_job){.param = p->param, .initial = initial, .samples = &samples};
  sal_integrate(&p->setup, p->width, 1, job, record, p->work);
  job[0].samples = NULL;
  task_hopper_header(best_time(p, 1, job, record), !done(&record[0]));
  for (int64_t i = 1; i <= n_mesh; ++i) printf("%.17g\n", samples.state[i * n_state]);
  sal_free(samples.state);
}

int main(int argc, char *argv[])
{
  static peer p = {.method = "ode45",
                   .strategy = "event",
                   .width = 1,
                   .in_time = 1,
                   .tolerance = 1e-6,
                   .zone = 5e-4};
  const task_key own[] = {
      {"method", TASK_WORD, &p.method},
      {"strategy", TASK_WORD, &p.strategy},
      {"tolerance", TASK_REAL, &p.tolerance},
      {"width", TASK_WHOLE, &p.width},
      {"zone", TASK_REAL, &p.zone},
      {"in_time", TASK_WHOLE, &p.in_time},
      {NULL, TASK_WORD, NULL},
  };

  task_read(argc, argv, own, &p.task);
  prepare(&p);
  if (p.task.hopper)
    hopper(&p);
  else
    plate(&p);
  sal_free(p.work);
  return 0;
}
