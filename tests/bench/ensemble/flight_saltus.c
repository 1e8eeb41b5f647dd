/** Ours: any method, at any width, straight from the kernels.  A short list is repeated in lanes so
 *  that they stay busy, as in a sweep; figures are for the list once.
 *
 *      bench_flight_saltus list      names the methods and the widths they exist at
 */
#include "flight.h"
#include "integrate.h"
#include "memory.h"
#include "registry.h"
#include <stdio.h>
#include <string.h>

enum { LONG_ENOUGH = 1300, N_PARAM = 7 /* with the option: literal adhesion */ };

typedef struct {
  sal_setup setup;
  int64_t n; /* jobs */
  double (*param)[N_PARAM];
  sal_job *job;
  sal_samples *samples;
  double (*mesh)[2][FLIGHT_STATES]; /* [n of the list] start and end */
  sal_record *record;
  void *work;
} plan;

/* Missing where the strategy looks for none. */
static double events_of(const double value[])
{
  return isnan(value[SAL_METRIC_EVENTS]) ? 0 : value[SAL_METRIC_EVENTS];
}

/* Turns of its lane that a trajectory took; a step that was tried on the way onto a root is in
 * neither count. */
static double attempts(const double value[], const sal_method *method)
{
  return value[SAL_METRIC_STEPS] + value[SAL_METRIC_FAILED] + value[SAL_METRIC_GUARDED] +
         (method->restep ? events_of(value) : 0);
}

static void pass(flight_task *task, void *context, flight_work *work)
{
  plan *p = context;
  const int64_t at_once = task->alone ? 1 : p->n;

  for (int64_t i = 0; i < p->n; i += at_once)
    sal_integrate(&p->setup, task->width, at_once, &p->job[i], &p->record[i], p->work);
  for (int64_t i = 0; i < p->n; ++i) {
    const double *v = p->record[i].value;
    work->steps += v[SAL_METRIC_STEPS];
    work->failed += v[SAL_METRIC_FAILED];
    work->rhs += v[SAL_METRIC_RHS];
    work->jacobians += v[SAL_METRIC_JACOBIANS];
    work->events += events_of(v);
    work->wrong += v[SAL_METRIC_OUTCOME] != SAL_OUT_DONE;
  }
}

static int list(void)
{
  for (const sal_method *const *m = sal_registry_methods; *m; ++m)
    printf("%s %d\n", (*m)->name, (*m)->w4 ? sal_integrate_widest() : 1);
  return 0;
}

static void prepare(plan *p, flight_task *t)
{
  p->setup = (sal_setup){.model = sal_registry_model("monopod"),
                         .method = sal_registry_method(t->method),
                         .strategy = sal_registry_strategy(t->event ? "event" : "switch"),
                         .rtol = t->tolerance,
                         .atol = t->tolerance,
                         .t_end = FLIGHT_T_END,
                         .jacobian = SAL_JACOBIAN_ANALYTIC};
  if (!p->setup.method) flight_refuse("no method is called %s", t->method);
  if (t->width == 0) t->width = sal_integrate_widest();
  if (t->width > sal_integrate_widest() || !(t->width == 1 || t->width == 4 || t->width == 8))
    flight_refuse("width %d: not here, the widest is %d", t->width, sal_integrate_widest());
  if (t->width > 1 && !p->setup.method->w4) flight_refuse("%s exists at width 1 only", t->method);
  t->copies = t->width > 1 ? (LONG_ENOUGH + t->n - 1) / t->n : 1;
  p->n = (int64_t)t->n * t->copies;
  p->param = sal_alloc((size_t)t->n, sizeof *p->param);
  p->samples = sal_alloc((size_t)t->n, sizeof *p->samples);
  p->mesh = sal_alloc((size_t)t->n, sizeof *p->mesh);
  p->job = sal_alloc((size_t)p->n, sizeof *p->job);
  p->record = sal_alloc((size_t)p->n, sizeof *p->record);
  p->work = sal_alloc(sal_integrate_bytes(&p->setup, t->width), 1);
  if (!p->param || !p->samples || !p->mesh || !p->job || !p->record || !p->work)
    flight_refuse("no memory for %d rows", t->n);
}

/* The ends come from a run of the list that is not timed: the timed ones sample nothing. */
static void run_once(const plan *p, flight_task *t)
{
  for (int64_t i = 0; i < p->n; ++i)
    p->job[i] = (sal_job){.param = p->param[i % t->n], .initial = t->initial};
  for (int i = 0; i < t->n; ++i) {
    const flight_row *r = &t->row[i];
    memcpy(p->param[i], (double[N_PARAM]){r->b, r->m1, r->k, r->f, 0, 0, 0}, sizeof *p->param);
    p->samples[i] = (sal_samples){.n_mesh = 1, .state = p->mesh[i][0]};
    p->job[i].samples = &p->samples[i];
  }
  sal_integrate(&p->setup, t->width, t->n, p->job, p->record, p->work);
  for (int i = 0; i < t->n; ++i) {
    t->attempts[i] = attempts(p->record[i].value, p->setup.method);
    memcpy(t->end[i], p->mesh[i][1], sizeof t->end[i]);
    p->job[i].samples = NULL;
  }
}

int main(int argc, char *argv[])
{
  flight_task task;
  plan p = {0};

  if (argc == 2 && strcmp(argv[1], "list") == 0) return list();
  flight_read(argc, argv, &task);
  prepare(&p, &task);
  run_once(&p, &task);
  const int status = flight_run(&task, pass, &p);
  void *const own[] = {p.param, p.samples, p.mesh, p.job, p.record, p.work};
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) sal_free(own[i]);
  return status;
}
