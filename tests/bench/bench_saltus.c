/** @file tests/bench/bench_saltus.c
 *  Our own methods, without the layers above the kernels.  The list is repeated so that all lanes
 *  stay busy, as in a sweep; figures are for the list once.
 */
#include "bench.h"
#include "integrate.h"
#include "memory.h"
#include "registry.h"

enum { COPIES = 16 };

typedef struct {
  sal_setup setup;
  double param[MAX_SET][N_PARAM + 3]; /* no damper in the leg, and the option: literal adhesion */
  sal_job job[MAX_SET * COPIES];
  sal_record record[MAX_SET * COPIES];
  int64_t n;
  void *work;
} plan;

static bench_work pass(const bench_task *task, void *context)
{
  plan *p = context;
  bench_work work = {0};

  sal_integrate(&p->setup, task->lanes, p->n, p->job, p->record, p->work);
  for (int64_t i = 0; i < p->n; ++i) {
    const double *v = p->record[i].value;
    work.steps += v[SAL_METRIC_STEPS];
    work.rhs += v[SAL_METRIC_RHS];
    work.events += task->event ? v[SAL_METRIC_EVENTS] : 0; /* else missing */
    work.failed += v[SAL_METRIC_OUTCOME] != SAL_OUT_DONE;
  }
  return work;
}

int main(int argc, char *argv[])
{
  static plan p;
  bench_task task = bench_read(argc, argv);

  if (task.lanes <= 0) task.lanes = sal_integrate_widest();
  p.setup = (sal_setup){.model = sal_registry_model("monopod"),
                        .method = sal_registry_method(task.method),
                        .strategy = sal_registry_strategy(task.event ? "event" : "switch"),
                        .rtol = task.tolerance,
                        .atol = task.tolerance,
                        .t_end = T_END};
  if (!p.setup.method || task.lanes > sal_integrate_widest()) {
    fprintf(stderr, "%s with %d lanes: not here\n", task.method, task.lanes);
    return 2;
  }
  task.copies = task.lanes > 1 ? COPIES : 1;
  p.n = task.n_set * task.copies;
  p.work = sal_alloc(sal_integrate_bytes(&p.setup, task.lanes), 1);
  for (int i = 0; i < task.n_set; ++i) memcpy(p.param[i], task.set[i], sizeof task.set[i]);
  for (int64_t i = 0; i < p.n; ++i)
    p.job[i] = (sal_job){.param = p.param[i % task.n_set], .initial = bench_initial};
  const int status = bench_run(&task, pass, &p);
  sal_free(p.work);
  return status;
}
