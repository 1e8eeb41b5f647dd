/** Accumulators of measures, at width 1. */
#include "measured.h"
#include "lane.h"
#include <string.h>

/* Gauss and Legendre's points on [-1, 1] and their weights, between the ends of the step. */
static const struct {
  double place, weight;
} point[] = {{-1, 0},
             {-0.96028985649753623168, 0.10122853629037625915},
             {-0.79666647741362673959, 0.22238103445337447054},
             {-0.52553240991632898582, 0.31370664587788728734},
             {-0.18343464249564980494, 0.36268378337836198297},
             {0.18343464249564980494, 0.36268378337836198297},
             {0.52553240991632898582, 0.31370664587788728734},
             {0.79666647741362673959, 0.22238103445337447054},
             {0.96028985649753623168, 0.10122853629037625915},
             {1, 0}};
enum { POINTS = sizeof point / sizeof *point };

/* Parts of the room after the results. */
static double *sums(const sal_measured *m) { return m->value + m->list->n_column; }
static double *counts(const sal_measured *m) { return sums(m) + m->list->n; }
static double *pending(const sal_measured *m) { return counts(m) + m->list->n; }
static double *before(const sal_measured *m) { return pending(m) + m->list->n; }

static void evaluate(const sal_measured *m, double t, const double y[], const bool closed[],
                     double out[])
{
  const sal_measured_list *l = m->list;

  if (l->program.n_out > 0) sal_program_run(&l->of, &l->program, m->param, t, y, closed, out);
}

void sal_measured_begin(const sal_measured *m)
{
  const sal_measured_list *l = m->list;

  memset(sums(m), 0, (sal_measured_words(l) - (size_t)l->n_column) * sizeof(double));
  for (int i = 0; i < l->n_column; ++i) m->value[i] = NAN;
}

/* A step, and from where on it counts. */
typedef struct {
  const sal_measured *m;
  const sal_measured_step *step;
  double from;
} part;

static void look(const part *p, double t, double out[])
{
  double y[SAL_MAX_STATE];

  p->step->at(p->step->with, t, y);
  evaluate(p->m, t, y, p->step->closed, out);
}

static double time_of(const part *p, double x)
{
  const double t1 = p->step->t1;

  return x == 1 ? t1 : p->from + 0.5 * (1 + x) * (t1 - p->from);
}

/* The expression at n times. */
static void values(const part *p, const sal_measured_term *term, int n, const double t[],
                   double v[])
{
  double out[SAL_MEASURED_MOST];

  if (term->state >= 0 && p->step->one) {
    p->step->one(p->step->with, term->state, n, t, v);
    return;
  }
  for (int k = 0; k < n; ++k) {
    look(p, t[k], out);
    v[k] = out[term->expression];
  }
}

static double one(const part *p, const sal_measured_term *term, double x)
{
  const double sign = term->kind == SAL_MEASURED_MIN ? -1 : 1, t = time_of(p, x);
  double v;

  values(p, term, 1, &t, &v);
  return sign * v;
}

/* Where a parabola through the points is highest; outside of them where it is a line. */
static double highest(const double x[3], const double v[3])
{
  const double a = (x[1] - x[0]) * (v[1] - v[2]), b = (x[1] - x[2]) * (v[1] - v[0]);

  return x[1] - 0.5 * ((x[1] - x[0]) * a - (x[1] - x[2]) * b) / (a - b);
}

/* The largest value between x[0] and x[2], from a point between them that is at least as high: parabolas, and at every third
 * time a golden section, as a kink has none. */
static double climb(const part *p, const sal_measured_term *term, double x[3], double v[3])
{
  enum { MOST = 48 };
  const double golden = 0.38196601125010515, near = 0x1p-30 * (x[2] - x[0]);

  for (int i = 0; i < MOST && x[2] - x[0] > near; ++i) {
    const bool right = x[2] - x[1] > x[1] - x[0];
    double at = highest(x, v);
    if (i % 3 == 2 || !(at > x[0] + near && at < x[2] - near))
      at = x[1] + golden * (right ? x[2] - x[1] : x[0] - x[1]);
    if (sal_abs(at - x[1]) < near) at = x[1] + (right ? near : -near);
    const double value = one(p, term, at);
    const int side = at > x[1] ? 2 : 0;
    if (value > v[1]) {
      x[2 - side] = x[1], v[2 - side] = v[1];
      x[1] = at, v[1] = value;
    } else
      x[side] = at, v[side] = value;
  }
  return v[1];
}

/* The largest value between an end of the step and the point beside it, where a parabola through three points has its top there
 * or nearly; inward: 1 or -1. */
static double climb_end(const part *p, const sal_measured_term *term, const double v[], int end,
                        int inward, double most)
{
  const int beside = end + inward, next = beside + inward;
  const double gap = point[beside].place - point[end].place;
  const double top = highest((double[]){point[end].place, point[beside].place, point[next].place},
                             (double[]){v[end], v[beside], v[next]});
  const double share = (top - point[end].place) / gap;
  double x[3], of[3];

  if (!(share > -0.1 && share < 0.5 && 2 * v[end] - v[next] > most)) return most;
  x[1 - inward] = point[end].place, x[1] = point[end].place + sal_max(share, 0.01) * gap;
  x[1 + inward] = point[beside].place;
  of[1 - inward] = v[end], of[1] = one(p, term, x[1]), of[1 + inward] = v[beside];
  return sal_max(most, climb(p, term, x, of));
}

/* Is nothing in the step above the extreme so far?  The range is one but for rounding. */
static bool is_below(const part *p, const sal_measured_term *term, double most)
{
  double range[2];

  if (term->state < 0 || !p->step->range) return false;
  p->step->range(p->step->with, term->state, range);
  const double top = term->kind == SAL_MEASURED_MIN ? -range[0] : range[1];
  return top + 0x1p-40 * (sal_abs(range[0]) + sal_abs(range[1])) < most;
}

static void take_extreme(const part *p, const sal_measured_term *term, double v[])
{
  const double sign = term->kind == SAL_MEASURED_MIN ? -1 : 1;
  double *value = p->m->value + term->column, most = isnan(*value) ? -INFINITY : sign * *value;

  for (int k = 0; k < POINTS; ++k) {
    v[k] *= sign;
    if (v[k] > most) most = v[k];
  }
  for (int k = 1; k + 1 < POINTS; ++k) {
    if (v[k] < v[k - 1] || v[k] < v[k + 1] || !(2 * v[k] - sal_min(v[k - 1], v[k + 1]) > most))
      continue;
    double x[3] = {point[k - 1].place, point[k].place, point[k + 1].place},
           of[3] = {v[k - 1], v[k], v[k + 1]};
    most = sal_max(most, climb(p, term, x, of));
  }
  most = climb_end(p, term, v, 0, 1, most);
  most = climb_end(p, term, v, POINTS - 1, -1, most);
  if (most > -INFINITY) *value = sign * most;
}

static void take_integral(const part *p, const sal_measured_term *term, const double v[],
                          double *sum)
{
  const double half = 0.5 * (p->step->t1 - p->from);
  double all = 0;

  for (int k = 0; k < POINTS; ++k)
    all += point[k].weight * (term->kind == SAL_MEASURED_RMS ? v[k] * v[k] : v[k]);
  *sum += half * all;
}

static void take_value(const part *p, const sal_measured_term *term)
{
  double *value = p->m->value + term->column;

  if (term->at >= p->step->t0 && term->at <= p->step->t1 && isnan(*value))
    values(p, term, 1, &term->at, value);
}

/* Points of the part of a step that counts, and the expressions there that are not states. */
typedef struct {
  double t[POINTS], found[POINTS * SAL_MEASURED_MOST];
  bool looked;
} points;

static void read_points(const part *p, const sal_measured_term *term, points *at, double v[])
{
  const int n = p->m->list->program.n_out;

  if (term->state >= 0 && p->step->one) {
    const int end = term->kind <= SAL_MEASURED_MIN ? 0 : 1; /* weights of the ends are 0 */
    v[0] = v[POINTS - 1] = 0;
    values(p, term, POINTS - 2 * end, at->t + end, v + end);
    return;
  }
  for (int k = 0; !at->looked && k < POINTS; ++k) look(p, at->t[k], at->found + k * n);
  at->looked = true;
  for (int k = 0; k < POINTS; ++k) v[k] = at->found[k * n + term->expression];
}

/* Measures that begin to count at the same time share the points of the step. */
void sal_measured_take(const sal_measured *m, const sal_measured_step *step)
{
  part p = {m, step, 0};
  points at;
  double v[POINTS];
  bool placed = false;

  at.looked = false;
  if (m->step) m->step(m->with, step);
  for (int i = 0; i < m->list->n; ++i) {
    const sal_measured_term *term = &m->list->term[i];
    const double from = sal_max(term->at, step->t0), sign = term->kind == SAL_MEASURED_MIN ? -1 : 1;
    const bool extreme = term->kind <= SAL_MEASURED_MIN;
    if (term->kind == SAL_MEASURED_VALUE) take_value(&p, term);
    if (term->kind > SAL_MEASURED_RMS || !(from < step->t1)) continue;
    if (extreme && is_below(&p, term, sign * m->value[term->column])) continue;
    if (!placed || from != p.from) {
      placed = true;
      p.from = from;
      at.looked = false;
      for (int k = 0; k < POINTS; ++k) at.t[k] = time_of(&p, point[k].place);
    }
    read_points(&p, term, &at, v);
    if (extreme)
      take_extreme(&p, term, v);
    else
      take_integral(&p, term, v, &sums(m)[i]);
  }
}

void sal_measured_before(const sal_measured *m, double t, const double y[], const bool closed[])
{
  evaluate(m, t, y, closed, before(m));
}

void sal_measured_closes(const sal_measured *m, int contact, double t)
{
  for (int i = 0; i < m->list->n; ++i) {
    const sal_measured_term *term = &m->list->term[i];
    if (term->kind >= SAL_MEASURED_COUNT && term->contact == contact && t >= term->at)
      ++pending(m)[i];
  }
}

void sal_measured_after(const sal_measured *m, double t, const double y[], const bool closed[])
{
  double out[SAL_MEASURED_MOST];

  evaluate(m, t, y, closed, out);
  for (int i = 0; i < m->list->n; ++i) {
    const sal_measured_term *term = &m->list->term[i];
    for (; pending(m)[i] > 0; --pending(m)[i], ++counts(m)[i]) {
      if (term->kind == SAL_MEASURED_LOSS)
        sums(m)[i] += before(m)[term->expression] - out[term->expression];
      if (term->kind == SAL_MEASURED_LAST)
        m->value[term->column + (int64_t)counts(m)[i] % term->n] = out[term->expression];
    }
  }
}

/* A ring whose next place is `at` becomes a list, oldest first. */
static void unroll(double value[], int n, int at)
{
  double old[SAL_MEASURED_COLUMNS];

  memcpy(old, value, (size_t)n * sizeof *old);
  for (int i = 0; i < n; ++i) value[i] = old[(at + i) % n];
}

static void finish(const sal_measured *m, int i, double t, bool sees_contacts)
{
  const sal_measured_term *term = &m->list->term[i];
  const double count = counts(m)[i], span = t - term->at;
  double *value = m->value + term->column;

  if (term->kind == SAL_MEASURED_MEAN && span > 0) *value = sums(m)[i] / span;
  if (term->kind == SAL_MEASURED_RMS && span > 0) *value = sal_sqrt(sums(m)[i] / span);
  if (term->kind == SAL_MEASURED_COUNT && sees_contacts) *value = count;
  if (term->kind == SAL_MEASURED_RATE && sees_contacts && span > 0) *value = count / span;
  if (term->kind == SAL_MEASURED_LOSS && count > 0) *value = sums(m)[i] / count;
  if (term->kind == SAL_MEASURED_LAST && count > term->n)
    unroll(value, term->n, (int)((int64_t)count % term->n));
}

void sal_measured_end(const sal_measured *m, double t, bool finished, bool sees_contacts)
{
  const sal_measured_list *l = m->list;

  for (int i = 0; i < l->n; ++i) {
    const sal_measured_term *term = &l->term[i];
    if (finished) finish(m, i, t, sees_contacts);
    for (int k = 0; k < term->n; ++k) {
      double *value = m->value + term->column + k;
      *value = finished ? *value / term->size : NAN;
    }
  }
}
