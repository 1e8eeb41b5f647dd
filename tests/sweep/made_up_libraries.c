/** The classical Runge-Kutta method in steps of a fixed size as an engine: for smooth runs. */
#include "made_up_libraries.h"
#include "memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int made_up_live;

typedef struct {
  double h;
} settings;

typedef struct {
  sal_engine_run *run;
  double t, y[SAL_MAX_STATE];
} place;

static void step_from(const place *p, double h, double out[])
{
  static const double c[] = {0, 0.5, 0.5, 1}, b[] = {1, 2, 2, 1};
  const int n = p->run->n;
  double k[SAL_MAX_STATE] = {0}, x[SAL_MAX_STATE], sum[SAL_MAX_STATE] = {0};

  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < n; ++i) x[i] = p->y[i] + c[s] * h * k[i];
    sal_engine_rhs(p->run, p->t + c[s] * h, x, k);
    for (int i = 0; i < n; ++i) sum[i] += b[s] * k[i];
  }
  for (int i = 0; i < n; ++i) out[i] = p->y[i] + h / 6 * sum[i];
}

static void value_at(void *with, double t, double y[])
{
  const place *p = with;
  step_from(p, t - p->t, y);
}

static void run_rk4(sal_engine_run *run, void *own)
{
  const settings *s = run->setup->method->engine->settings;
  bool on = true;

  (void)own;
  for (; on; ++run->steps) {
    place p = {.run = run, .t = run->t};
    const double left = run->t_end - run->t, h = fmin(s->h, left);
    double y[SAL_MAX_STATE];
    memcpy(p.y, run->y, (size_t)run->n * sizeof *run->y);
    step_from(&p, h, y);
    on = sal_engine_advance(run, h < left ? p.t + h : run->t_end, y, value_at, &p);
  }
}

static const char *version(void) { return "1.2"; }

static const settings preset = {0.01};
static const sal_engine rk4 = {.library = "Made-Up",
                               .version = version,
                               .type = "rk4",
                               .select = "-type rk4\n-tol TOL -TOLS 1\n",
                               .settings = &preset,
                               .run = run_rk4};
static const sal_method method = {.name = "made-up-rk4",
                                  .title = "classical Runge-Kutta",
                                  .source = "a test",
                                  .order = 4,
                                  .min_order = 4,
                                  .engine = &rk4,
                                  SAL_ENGINE_OPS};

/* A method of options and all it points to; the method comes first. */
typedef struct {
  sal_method method;
  sal_engine engine;
  settings settings;
  char name[64], options[64];
} own_method;

static sal_err make(const char *where, const char *name, const char *options, sal_method **out)
{
  char *end = NULL;
  double h = strncmp(options, "-h ", 3) == 0 ? strtod(options + 3, &end) : 0;

  if (!(h > 0) || *end)
    return sal_fail(SAL_ERR_INPUT, "%s: Made-Up has no option '%s'", where, options);
  own_method *own = sal_alloc(1, sizeof *own);
  if (!own) return sal_fail(SAL_ERR_MEMORY, "no memory");
  ++made_up_live;
  snprintf(own->name, sizeof own->name, "%s", name);
  snprintf(own->options, sizeof own->options, "%s", options);
  own->settings = (settings){h};
  own->engine = rk4;
  own->engine.select = own->options;
  own->engine.settings = &own->settings;
  own->method = method;
  own->method.name = own->name;
  own->method.engine = &own->engine;
  *out = &own->method;
  return SAL_OK;
}

static void free_own(sal_method *own)
{
  --made_up_live;
  sal_free(own);
}

static const sal_method *const methods[] = {&method, NULL};
static const sal_provider made_up = {SAL_PROVIDES_LIBRARY, .name = "Made-Up", .methods = methods,
                                     .make = make, .drop = free_own};
static const sal_provider absent = {SAL_PROVIDES_LIBRARY, .name = "Absent",
                                    .missing = "configure with -DABSENT=ON"};
const sal_provider *const made_up_libraries[] = {&made_up, &absent, NULL};
