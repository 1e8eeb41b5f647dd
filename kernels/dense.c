/** Dense output as one polynomial per state and step, whatever the method. */
#include "dense.h"

void sal_dense_prepare(sal_dense *d, sal_m lanes)
{
  if (!d->ready && d->step->method->more) d->step->method->more(d->step);
  d->ready = true;
  sal_count(&d->step->n_rhs, lanes & ~d->paid, d->rhs);
  d->paid |= lanes;
}

void sal_dense_make(sal_dense *d, sal_m lanes)
{
  sal_dense_prepare(d, lanes);
  if (d->degree < 0) d->degree = d->step->method->dense(d->step, d->c);
}

bool sal_dense_make_one(sal_dense *d, int i, sal_m lanes)
{
  if (d->degree >= 0 || !d->step->method->dense_one) {
    sal_dense_make(d, lanes);
    return true;
  }
  sal_dense_prepare(d, lanes);
  d->one_degree = d->step->method->dense_one(d->step, i, d->one_c);
  return false;
}

void sal_dense_state(const sal_dense *d, sal_v theta, sal_v y[])
{
  const int n = d->step->n;
  const sal_v x = theta - d->origin;

  for (int i = 0; i < n; ++i) {
    sal_v p = d->c[d->degree * n + i];
    for (int j = d->degree - 1; j >= 0; --j) p = p * x + d->c[j * n + i];
    y[i] = p;
  }
}

void sal_dense_slope(const sal_dense *d, sal_v theta, sal_v dy[])
{
  const int n = d->step->n;
  const sal_v x = theta - d->origin, per_time = 1.0 / d->step->h;

  for (int i = 0; i < n; ++i) {
    sal_v p = sal_set(0);
    for (int j = d->degree; j >= 1; --j) p = p * x + (double)j * d->c[j * n + i];
    dy[i] = p * per_time;
  }
}
