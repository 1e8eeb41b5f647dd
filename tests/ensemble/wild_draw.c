/** Numbers from boxes ten times as wide as a model's ranges, or from a tenth to ten times of them by the
 *  logarithm, within what is admissible at all.
 */
#include "wild_draw.h"
#include <math.h>

static double into(double x, double lo, double hi) { return fmin(fmax(x, lo), hi); }

static double number(flow_stream *from, const sal_field *f)
{
  const double kind = flow_draw_uniform(from, 0, 1), share = flow_draw_uniform(from, 0, 1);
  double x = (f->lo + f->hi) / 2 + 10 * (share - 0.5) * (f->hi - f->lo);

  if (kind < 0.2) x = f->preset;
  if (kind > 0.5 && f->lo > 0) x = f->lo / 10 * pow(100 * f->hi / f->lo, share);
  x = into(x, f->least, f->most);
  return f->whole ? floor(x) : x;
}

static void parameters(flow_stream *from, const sal_model *m, int n_guard, double param[])
{
  do {
    for (int i = 0; i < m->n_param; ++i) param[i] = number(from, &m->param[i]);
    for (int i = 0; i < m->n_option; ++i) {
      int words = 1;
      while (words < SAL_MAX_CHOICE && m->option[i].choice[words]) ++words;
      param[m->n_param + i] = floor(flow_draw_uniform(from, 0, words));
    }
    if (m->counted_by) param[m->counted_by - 1] = floor(flow_draw_uniform(from, 1, n_guard + 1));
  } while (m->flaw && m->flaw(m->inner, param));
}

/* By Newton's iteration on one contact's gap along its gradient. */
static void move_onto_surface(const sal_model *m, const double param[], int k, double y[])
{
  double gap[SAL_MAX_GUARD], gradient[SAL_MAX_STATE], beside[SAL_MAX_GUARD];

  for (int pass = 0; pass < 8; ++pass) {
    double square = 0;
    sal_model_gaps(m, param, 0, y, gap);
    for (int i = 0; i < sal_model_continuous(m); ++i) {
      const double was = y[i], h = 1e-6 * (1 + fabs(was));
      y[i] = was + h;
      sal_model_gaps(m, param, 0, y, beside);
      y[i] = was;
      gradient[i] = (beside[k] - gap[k]) / h;
      square += gradient[i] * gradient[i];
    }
    if (!(square > 1e-12) || gap[k] == 0) return;
    for (int i = 0; i < sal_model_continuous(m); ++i) y[i] -= gap[k] / square * gradient[i];
  }
}

wild_cell wild_draw(flow_stream *from, const sal_model *m, int n_guard)
{
  wild_cell c = {{0}, {0}};

  parameters(from, m, n_guard, c.param);
  for (int i = 0; i < m->n_state; ++i) c.start[i] = number(from, &m->state[i]);
  for (int i = sal_model_continuous(m); i < m->n_state; ++i) c.start[i] = floor(c.start[i]);
  const double surface = flow_draw_uniform(from, 0, 1), which = flow_draw_uniform(from, 0, 1);
  const int guards = sal_model_guards(m, c.param);
  if (surface < 0.25 && guards > 0) move_onto_surface(m, c.param, (int)(which * guards), c.start);
  return c;
}
