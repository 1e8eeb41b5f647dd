/** The cost of an event: runs by `event` over the same steps in the lean loop (lean_steps.h), in one program, by turns.
 *
 *      lean_loop N TOLERANCE ROUNDS [MODEL METHOD]
 *
 *  solves N points of vibro-impact and of slip, with four events or more and none at rest, by pairs in the widest
 *  lanes that both have, and prints "model,method,lanes,steps,lean steps,events,lean events,ns a step,lean,ratio,
 *  ns an event beside the lean one".
 */
#include "clock.h"
#include "integrate.h"
#include "lean_steps.h"
#include "memory.h"
#include "registry.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The points of a model. */
typedef struct {
  const sal_model *model;
  int n;
  double param[LEAN_MOST][LEAN_PARAMS], initial[LEAN_MOST][LEAN_STATES], longest[LEAN_MOST];
} point_list;

static point_list points[2];
static const struct {
  int points;
  const char *method;
  lean_run *lean;
} rows[] = {{0, "tsit5", lean_walls_tsit5},
            {0, "dop853", lean_walls_dop853},
            {1, "tsit5", lean_runners_tsit5},
            {1, "dop853", lean_runners_dop853}};

/* Is row k one of the model and the method of the command line, where those are given? */
static bool is_selected(int k, int argc, char *argv[])
{
  return argc < 6 || (strcmp(points[rows[k].points].model->name, argv[4]) == 0 &&
                      strcmp(rows[k].method, argv[5]) == 0);
}

static sal_setup setup_of(const point_list *list, const char *method, double tolerance)
{
  return (sal_setup){.model = list->model,
                     .method = sal_registry_method(method),
                     .strategy = sal_registry_strategy("event"),
                     .rtol = tolerance,
                     .atol = tolerance,
                     .t_end = list->model->span};
}

/* All points from `from` in lanes; steps and events of all. */
static double integrate(const sal_setup *u, const point_list *list, int from, int n, double sum[2],
                        bool *plain)
{
  static sal_job job[LEAN_MOST];
  static sal_record record[LEAN_MOST];
  void *work = sal_alloc(sal_integrate_bytes(u, lean_lanes), 1);

  if (!work) exit(2);
  for (int i = 0; i < n; ++i)
    job[i] = (sal_job){.param = list->param[from + i], .initial = list->initial[from + i]};
  const double began = sal_clock_cpu();
  sal_integrate(u, lean_lanes, n, job, record, work);
  const double seconds = sal_clock_cpu() - began;
  sal_free(work);
  sum[0] = sum[1] = 0;
  *plain = true;
  for (int i = 0; i < n; ++i) {
    sum[0] += record[i].value[SAL_METRIC_STEPS];
    sum[1] += record[i].value[SAL_METRIC_EVENTS];
    *plain &= record[i].value[SAL_METRIC_OUTCOME] == SAL_OUT_DONE &&
              record[i].value[SAL_METRIC_ZENO] == 0 && record[i].value[SAL_METRIC_EVENTS] >= 4;
  }
  return seconds;
}

/* Parameters all over the ranges of a model, from its preset state. */
static void spread(point_list *list, const char *model, int n)
{
  static const double step[LEAN_PARAMS] = {0.7548776662466927, 0.5698402909980532,
                                           0.8191725133961645, 0.6710436067037893,
                                           0.5497004779019703};
  const sal_model *m = list->model = sal_registry_model(model);

  for (int point = 1; list->n < n; ++point) {
    const int i = list->n;
    const sal_setup u = setup_of(list, "dop853", 1e-10);
    double sum[2];
    bool plain;
    for (int k = 0; k < m->n_param; ++k)
      list->param[i][k] =
          m->param[k].lo + (m->param[k].hi - m->param[k].lo) * fmod(0.5 + point * step[k], 1);
    for (int k = 0; k < m->n_state; ++k) list->initial[i][k] = m->state[k].preset;
    if (m->flaw && m->flaw(m->inner, list->param[i])) continue;
    (void)integrate(&u, list, i, 1, sum, &plain);
    list->longest[i] =
        m->longest_step ? m->longest_step(m->inner, list->param[i], list->initial[i]) : INFINITY;
    list->n += plain;
  }
}

int main(int argc, char *argv[])
{
  enum { N_ROW = sizeof rows / sizeof *rows };
  const int n = argc > 3 ? atoi(argv[1]) : 0, rounds = argc > 3 ? atoi(argv[3]) : 0;
  double seconds[N_ROW][2], sum[N_ROW][2];
  lean_list lean[N_ROW];

  if (n < 1 || n > LEAN_MOST || rounds < 1 || !(atof(argv[2]) > 0)) {
    fprintf(stderr, "lean_loop: N TOLERANCE ROUNDS [MODEL METHOD]\n");
    return 2;
  }
  spread(&points[0], "vibro-impact", n);
  spread(&points[1], "slip", n);
  for (int i = 0; i < rounds; ++i)
    for (int k = 0; k < N_ROW; ++k) {
      const point_list *list = &points[rows[k].points];
      const sal_setup u = setup_of(list, rows[k].method, atof(argv[2]));
      bool plain;
      if (!is_selected(k, argc, argv)) continue;
      const double s = integrate(&u, list, 0, n, sum[k], &plain);
      lean[k] = (lean_list){.n = n,
                            .t_end = u.t_end,
                            .rtol = u.rtol,
                            .longest = list->longest,
                            .param = (const double(*)[LEAN_PARAMS])list->param,
                            .initial = (const double(*)[LEAN_STATES])list->initial};
      const double began = sal_clock_cpu();
      rows[k].lean(&lean[k]);
      const double l = sal_clock_cpu() - began;
      seconds[k][0] = i == 0 ? s : fmin(s, seconds[k][0]);
      seconds[k][1] = i == 0 ? l : fmin(l, seconds[k][1]);
    }
  printf(
      "model,method,lanes,steps,lean steps,events,lean events,ns a step,lean,ratio,ns an event\n");
  for (int k = 0; k < N_ROW; ++k)
    if (is_selected(k, argc, argv))
      printf("%s,%s,%d,%.0f,%.0f,%.0f,%.0f,%.1f,%.1f,%.2f,%.0f\n",
             points[rows[k].points].model->name, rows[k].method, lean_lanes, sum[k][0],
             lean[k].steps, sum[k][1], lean[k].events, 1e9 * seconds[k][0] / sum[k][0],
             1e9 * seconds[k][1] / lean[k].steps, seconds[k][0] / seconds[k][1],
             1e9 * (seconds[k][0] - seconds[k][1]) / sum[k][1]);
  return 0;
}
