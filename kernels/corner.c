/** The corner map, and the jump of a model that resets. */
#include "corner.h"
#include "model_point.h"
#include <string.h>

/** One surface of the corner. */
typedef struct {
  int contact;
  bool crossed;
  double sign; /* +1 where the gap must grow for the contact to change, -1 where it must shrink */
  double by_time; /* derivatives of the gap, and the length of the gradient */
  double by_state[SAL_MAX_DENSE], steepness;
} surface;

typedef struct {
  const sal_corner *at;
  surface *s; /* [at->n] */
  bool closed[SAL_MAX_GUARD];
  double F[SAL_MAX_DENSE];
} traversal;

static double norm_2(int n, const double v[])
{
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += v[i] * v[i];
  return sqrt(sum);
}

static double slope_along(const surface *s, int n, const double v[])
{
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += s->by_state[i] * v[i];
  return sum;
}

/* Column i, a discrete state, of the gradients: differences. */
static void measure_discrete(traversal *x, int i)
{
  const sal_corner *c = x->at;
  const double none[SAL_MAX_DENSE] = {0}, h = 0x1p-17 * (fabs(c->y[i]) > 1 ? fabs(c->y[i]) : 1);
  double y[SAL_MAX_DENSE], gap[2][SAL_MAX_GUARD], rate[SAL_MAX_GUARD];

  memcpy(y, c->y, (size_t)c->model->n_state * sizeof *y);
  for (int a = 0; a < 2; ++a) {
    y[i] = c->y[i] + (a ? h : -h);
    sal_model_rates(c->model, c->param, c->closed, c->t, y, none, gap[a], rate);
  }
  for (int k = 0; k < c->n; ++k)
    x->s[k].by_state[i] = (gap[1][c->contact[k]] - gap[0][c->contact[k]]) / (2 * h);
}

/* The gradients, column by column: the rates of the gaps along the unit vectors. */
static void measure_surfaces(traversal *x)
{
  const sal_corner *c = x->at;
  const int n = c->model->n_state, nc = sal_model_continuous(c->model);
  double e[SAL_MAX_DENSE] = {0}, gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];

  sal_model_rates(c->model, c->param, c->closed, c->t, c->y, e, gap, rate);
  for (int k = 0; k < c->n; ++k)
    x->s[k] = (surface){.contact = c->contact[k],
                        .sign = c->closed[c->contact[k]] ? 1 : -1,
                        .by_time = rate[c->contact[k]]};
  for (int i = nc; i < n; ++i) measure_discrete(x, i);
  for (int i = 0; i < nc; ++i) {
    e[i] = 1;
    sal_model_rates(c->model, c->param, c->closed, c->t, c->y, e, gap, rate);
    e[i] = 0;
    for (int k = 0; k < c->n; ++k) x->s[k].by_state[i] = rate[x->s[k].contact] - x->s[k].by_time;
  }
  for (int k = 0; k < c->n; ++k) x->s[k].steepness = norm_2(n, x->s[k].by_state);
}

/* f in the present mode, and whether it crosses every surface the right way. */
static sal_corner_end check_crossings(traversal *x, sal_corner_fault *fault)
{
  const sal_corner *c = x->at;
  const int n = c->model->n_state;

  sal_model_field(c->model, c->param, x->closed, c->t, c->y, x->F);
  const double speed = norm_2(n, x->F);
  for (int k = 0; k < c->n; ++k) {
    const surface *s = &x->s[k];
    const double rate = s->sign * (s->by_time + slope_along(s, n, x->F));
    const double tiny = c->least * (fabs(s->by_time) + s->steepness * speed);
    if (rate > tiny) continue;
    *fault = (sal_corner_fault){s->contact, rate};
    return rate < -tiny ? SAL_CORNER_BACK : SAL_CORNER_GRAZED;
  }
  return SAL_CORNER_CROSSED;
}

/* The surface that is crossed next, and when. */
static surface *next_surface(const traversal *x, const double delta[], double T, double *tau)
{
  const int n = x->at->model->n_state;
  surface *first = NULL;

  for (int k = 0; k < x->at->n; ++k) {
    surface *s = &x->s[k];
    if (s->crossed) continue;
    const double when =
        -(slope_along(s, n, delta) + s->by_time * T) / (s->by_time + slope_along(s, n, x->F));
    if (first && when >= *tau) continue;
    first = s;
    *tau = when;
  }
  return first;
}

/* Derivative of a jump along (T, delta) by a central difference; jumps are linear or nearly so. */
static void differentiate_jump(const sal_corner *c, const bool before[], int k, double T,
                               double delta[])
{
  const int n = c->model->n_state;
  const double apart = norm_2(n, delta), most = apart > 0 ? apart : fabs(T), size = norm_2(n, c->y);
  double side[2][SAL_MAX_DENSE];
  bool closed[SAL_MAX_GUARD];

  if (most == 0) return;
  const double h = 0x1p-17 * (size > 1 ? size : 1) / most;
  for (int a = 0; a < 2; ++a) {
    for (int i = 0; i < n; ++i) side[a][i] = c->y[i] + (a ? h : -h) * delta[i];
    memcpy(closed, before, sizeof closed);
    sal_model_jump(c->model, c->param, k, closed, c->t + (a ? h : -h) * T, side[a]);
  }
  for (int i = 0; i < n; ++i) delta[i] = (side[1][i] - side[0][i]) / (2 * h);
}

/* f after the corner; state and mode may jump with the last contact. */
static sal_corner_end check_after(traversal *x, double T, double delta[], sal_corner_fault *fault)
{
  const sal_corner *c = x->at;
  const int k = c->contact[0];
  double y[SAL_MAX_DENSE];

  if (!c->model->resets) return check_crossings(x, fault);
  differentiate_jump(c, x->closed, k, T, delta);
  memcpy(y, c->y, (size_t)c->model->n_state * sizeof *y);
  sal_model_jump(c->model, c->param, k, x->closed, c->t, y);
  sal_model_field(c->model, c->param, x->closed, c->t, y, x->F);
  return SAL_CORNER_CROSSED;
}

size_t sal_corner_bytes(int n) { return (size_t)n * sizeof(surface); }

sal_corner_end sal_corner_map(const sal_corner *corner, double delta[], int order[],
                              sal_corner_fault *fault, void *work)
{
  const int n = corner->model->n_state;
  traversal x = {.at = corner, .s = work}; /* F is 0 of discrete states */
  double T = 0, tau = 0;
  sal_corner_end end = SAL_CORNER_CROSSED;

  memcpy(x.closed, corner->closed,
         (size_t)sal_model_guards(corner->model, corner->param) * sizeof *x.closed);
  measure_surfaces(&x);
  for (int i = 0; i < corner->n; ++i) {
    if ((end = check_crossings(&x, fault)) != SAL_CORNER_CROSSED) return end;
    surface *s = next_surface(&x, delta, T, &tau);
    for (int j = 0; j < n; ++j) delta[j] += tau * x.F[j];
    T += tau;
    s->crossed = true;
    x.closed[s->contact] = !x.closed[s->contact];
    if (order) order[i] = s->contact;
  }
  end = check_after(&x, T, delta, fault);
  for (int j = 0; j < n; ++j) delta[j] -= T * x.F[j];
  return end;
}
