/** Start, control and dense output of the Rosenbrock-Nystrom methods.
 *
 *  J1, J2 and df/dt are formed anew at every accepted step.  Sizes of steps follow (16): safety 0.9,
 *  a change by 1/5 to 5, no growth after failures.
 */
#include "rosenbrock_nystrom.h"
#include "jacobian.h"
#include "start.h"

/* A row of S is at most half of one of J and one more. */
int sal_rosenbrock_nystrom_words(int n, int row)
{
  return 1 + 2 * (n / 2) * (row / 2 + (row < n)) + n / 2;
}

void sal_rosenbrock_nystrom_factorise_band(const sal_step_state *s, sal_rosenbrock_nystrom_parts *m,
                                           sal_v hg)
{
  const sal_band *b = &m->band;
  const int row = sal_band_row(b);

  for (int k = 0; k < b->n; ++k)
    for (int e = 0, l = k - b->lower; e < row; ++e, ++l) {
      sal_v *const entry = &m->S[k * row + e];
      *entry = sal_set(0);
      if (l < 0 || l >= b->n || l > k + b->upper) continue;
      const sal_v stiff =
          sal_rosenbrock_nystrom_entry(s, k, l, 1) + hg * sal_rosenbrock_nystrom_entry(s, k, l, 0);
      *entry = (k == l ? 1.0 : 0.0) - hg * stiff;
    }
  sal_linear_band_factorise(b, m->S, m->piv);
}

sal_v sal_rosenbrock_nystrom_bend(const sal_step_state *s, const sal_rosenbrock_nystrom_parts *m,
                                  int k, const sal_v w[])
{
  const sal_band *b = &m->band;
  const int last = k + b->upper < b->n ? k + b->upper : b->n - 1;
  sal_v sum = sal_set(0);

  for (int l = k > b->lower ? k - b->lower : 0; l <= last; ++l)
    sum += sal_rosenbrock_nystrom_entry(s, k, l, 0) * w[l];
  return sum;
}

/* df/dt by a one-sided difference of second order: at order 4 the error of a plain one shows.  Models
 * that do not depend on t keep the 0 of the start. */
static void nystrom_form_by_time(sal_step_state *s, sal_m lanes, sal_v reach)
{
  if (s->model->autonomous || sal_jacobian_give_by_time(s, lanes)) return;
  sal_v second_slope[SAL_MAX_STATE];
  const sal_v wish = sal_max(0x1p-7 * reach, 0x1p-40 * sal_abs(s->t));
  const sal_v near = s->t + wish, far = near + wish;
  const sal_v a = near - s->t, b = far - s->t;

  sal_method_rhs(s, lanes, near, s->y, s->fn);
  sal_method_rhs(s, lanes, far, s->y, second_slope);
  for (int i = 0; i < s->n; ++i) {
    const sal_v first = (s->fn[i] - s->f[i]) / a, second = (second_slope[i] - s->f[i]) / b;
    s->T[i] = sal_sel(lanes, (b * first - a * second) / (b - a), s->T[i]);
  }
}

void sal_rosenbrock_nystrom_start(sal_step_state *s, sal_m lanes,
                                  const sal_rosenbrock_nystrom *table)
{
  sal_start_stiff(s, lanes, 1.0 / (table->embedded + 1));
  nystrom_form_by_time(s, lanes, s->absh);
}

void sal_rosenbrock_nystrom_retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }

sal_m sal_rosenbrock_nystrom_step(sal_step_state *s, sal_m lanes,
                                  const sal_rosenbrock_nystrom *table)
{
  return sal_rosenbrock_nystrom_attempt(s->n / 2, s, lanes, table);
}

void sal_rosenbrock_nystrom_advance(sal_step_state *s, sal_m lanes)
{
  const sal_v shrink = sal_max(s->mem[0] / 0.9, sal_set(0.2));

  sal_assign(s->n, lanes, s->f, s->fn);
  if (s->fixed <= 0) s->absh = sal_sel(lanes & ~s->again, s->absh / shrink, s->absh);
  sal_jacobian_form(s, lanes);
  nystrom_form_by_time(s, lanes, s->absh);
}

/* Velocities: the parabola through their values at both ends and their mean, which the positions give, and one term more
 * for y'' at the start: a stiff f amplifies the error of a state, which S^-1 takes back, and changes the term by O(h)
 * only.  Positions are the integral of it, so that no f is in them.  Wrong by O(h^4) and O(h^5) of exact ends.  The mean of
 * a method of order 2 has an error as large as the bend of the parabola: there the line, and the cubic of Hermite. */
int sal_rosenbrock_nystrom_dense(sal_step_state *s, const sal_rosenbrock_nystrom *table, sal_v c[])
{
  const int n = s->n, half = n / 2;
  const double fine = table->embedded > 1;
  const sal_v h = s->h;
  sal_rosenbrock_nystrom_parts m;
  sal_v line[SAL_MAX_STATE / 2], bend[SAL_MAX_STATE / 2];

  sal_rosenbrock_nystrom_split(half, s, &m);
  for (int k = 0; k < half; ++k) {
    const int by = m.speed[k];
    line[k] = 6.0 * fine * m.mean[k] + (1.0 - 3.0 * fine) * (s->yn[by] - s->y[by]);
    bend[k] = h * s->f[by] - line[k];
  }
  sal_rosenbrock_nystrom_substitute(half, s, &m, bend);
  for (int k = 0; k < half; ++k) {
    const int at = m.place[k], by = m.speed[k];
    const sal_v way = s->yn[at] - s->y[at], begin = h * s->f[at], end = h * s->fn[at];
    sal_v *const p = c + at, *const v = c + by;
    v[0] = s->y[by];
    v[n] = line[k] + bend[k];
    v[2 * n] = 3.0 * fine * (s->yn[by] - s->y[by] - 2.0 * m.mean[k]) - (1.0 + 2.0 * fine) * bend[k];
    v[3 * n] = 2.0 * fine * bend[k];
    v[4 * n] = sal_set(0);
    p[0] = s->y[at];
    p[n] = begin;
    p[2 * n] = fine > 0 ? h * v[n] / 2 : 3.0 * way - 2.0 * begin - end;
    p[3 * n] = fine > 0 ? h * v[2 * n] / 3 : begin + end - 2.0 * way;
    p[4 * n] = h * v[3 * n] / 4;
  }
  return 4;
}
