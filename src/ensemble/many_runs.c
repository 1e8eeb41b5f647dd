/** Runs of one setup, in lanes and on threads. */
#include "tile_run.h"

enum {
  MOST =
      1024, /* runs of one call of the kernels: more of them fill no lanes that these leave empty */
  LEAST = 4, /* for each lane, else the last ones leave many lanes empty */
  FOR_EACH_THREAD = 4
};
static const int64_t enough = (int64_t)32 << 20; /* bytes of a thread's events */

/* Work space of a thread. */
typedef struct {
  void *work;
  sal_job *job;       /* [most] */
  sal_record *record; /* [most] */
  sal_events *events; /* [most] */
  char *log;          /* [most] blocks */
} space;

static size_t log_bytes(const sal_many_runs *r)
{
  return sal_events_bytes(r->most_events, r->setup->model->n_state);
}

static int64_t largest_batch(const sal_many_runs *r)
{
  const int64_t each = (int64_t)log_bytes(r);
  int64_t most = MOST;

  if (r->threads > 1 && r->n / r->threads / FOR_EACH_THREAD < most)
    most = r->n / r->threads / FOR_EACH_THREAD;
  if (most < (int64_t)LEAST * r->width) most = (int64_t)LEAST * r->width;
  if (most > r->n) most = r->n;
  while (most > 1 && each * most > enough) most /= 2;
  return most;
}

static bool fill_space(const sal_many_runs *r, int64_t most, space *s)
{
  const size_t n = (size_t)most;

  *s = (space){.work = sal_alloc(sal_integrate_bytes(r->setup, r->width), 1),
               .job = sal_alloc(n, sizeof *s->job),
               .record = sal_alloc(n, sizeof *s->record),
               .events = sal_alloc(n, sizeof *s->events),
               .log = sal_alloc(n, log_bytes(r))};
  return s->work && s->job && s->record && s->events && s->log;
}

static void free_space(space *s) { sal_free_all(s->work, s->job, s->record, s->events, s->log); }

static void run_batch(const sal_many_runs *r, space *s, int64_t first, int64_t count)
{
  for (int64_t i = 0; i < count; ++i) {
    s->job[i] = (sal_job){.param = NULL};
    s->events[i] =
        sal_events_of(s->log + (size_t)i * log_bytes(r), r->most_events, r->setup->model->n_state);
    if (r->most_events > 0) s->job[i].events = &s->events[i];
    r->job(r->with, first + i, &s->job[i]);
  }
  sal_integrate(r->setup, r->width, count, s->job, s->record, s->work);
  for (int64_t i = 0; i < count; ++i) r->done(r->with, first + i, &s->record[i], &s->events[i]);
}

int sal_many_runs_widest(const sal_model *m)
{
  const int widest = sal_integrate_widest();

  return widest >= 8 && m->w8 ? 8 : widest >= 4 && m->w4 ? 4 : 1;
}

sal_err sal_many_runs_now(const sal_many_runs *r)
{
  const int64_t most = r->n > 0 ? largest_batch(r) : 1;
  bool ok = true;

#pragma omp parallel num_threads(r->threads)
  {
    space s;
    const bool mine = fill_space(r, most, &s);

    if (!mine) {
#pragma omp atomic write
      ok = false;
    }
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (int64_t first = 0; first < r->n; first += most) {
      bool all;
#pragma omp atomic read
      all = ok;
      if (all) run_batch(r, &s, first, r->n - first < most ? r->n - first : most);
    }
    free_space(&s);
  }
  return ok ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for %lld runs", (long long)r->n);
}
