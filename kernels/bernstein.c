/** Conversion, subdivision and the first zero of polynomials in Bernstein form. */
#include "bernstein.h"

enum { MOST = 16, DEPTH = 24, MOST_HALVED = 256 };

/* Horner's scheme, again and again. */
void sal_bernstein_shift(int degree, double origin, sal_v a[])
{
  for (int i = 0; i < degree && origin != 0; ++i)
    for (int j = degree - 1; j >= i; --j) a[j] = a[j] - origin * a[j + 1];
}

/* a_i over C(degree, i) is the i-th difference of the result at 0. */
void sal_bernstein_from_powers(int degree, sal_v a[])
{
  double binomial = 1;

  for (int i = 1; i < degree; ++i) {
    binomial = binomial * (degree - i + 1) / i;
    a[i] = a[i] / binomial;
  }
  for (int k = degree; k >= 1; --k)
    for (int j = k; j <= degree; ++j) a[j] = a[j] + a[j - 1];
}

void sal_bernstein_cut(int degree, sal_v u, sal_v b[], sal_v left[])
{
  const sal_v rest = 1.0 - u;

  for (int j = 0; j <= degree; ++j) {
    left[j] = b[0];
    for (int i = 0; i < degree - j; ++i) b[i] = rest * b[i] + u * b[i + 1];
  }
}

void sal_bernstein_restrict(int degree, sal_v u, sal_v v, sal_v b[])
{
  sal_v left[MOST], unused[MOST];
  const sal_v part = sal_sel(sal_gt(v, sal_set(0)), u / v, sal_set(0));

  sal_bernstein_cut(degree, v, b, left);
  sal_bernstein_cut(degree, part, left, unused);
  for (int j = 0; j <= degree; ++j) b[j] = left[j];
}

void sal_bernstein_bounds(int degree, const sal_v b[], sal_v *least, sal_v *most)
{
  sal_m number = ~sal_none();
  sal_v low = b[0], high = b[0];

  for (int j = 0; j <= degree; ++j) {
    number &= sal_eq(b[j], b[j]);
    low = sal_min(b[j], low);
    high = sal_max(b[j], high);
  }
  *least = sal_sel(number, low, sal_set(NAN));
  *most = sal_sel(number, high, sal_set(NAN));
}

/* Lanes in which b comes down to the level, and of those the ones in which it does so once and stays there. */
static sal_m low_lanes(int degree, const sal_v b[], sal_v noise, sal_m *once)
{
  sal_m low = sal_none(), twice = sal_none();

  for (int j = 0; j <= degree; ++j) {
    const sal_m here = sal_lt(b[j], -noise);
    twice |= low & ~here;
    low |= here;
  }
  *once = low & ~twice;
  return low;
}

/** A part that is still to be looked at: where it begins, its length, and the lanes that need it. */
typedef struct {
  double start, length;
  sal_m lanes;
  sal_v b[MOST];
} part;

/* Looks at a part; returns the lanes in which it has to be halved. */
static sal_m judge(int degree, const part *p, sal_v noise, sal_m small, sal_bernstein_first *f)
{
  /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a part has degree + 1 coefficients */
  const sal_m todo = p->lanes & ~f->found, ahead = todo & sal_gt(p->b[0], sal_set(0));
  sal_m once;
  sal_v least, most;

  f->lo = sal_sel(ahead, sal_set(p->start), f->lo);
  f->at_lo = sal_sel(ahead, p->b[0], f->at_lo);
  const sal_m low = todo & low_lanes(degree, p->b, noise, &once);
  if (!sal_any(low)) return low;
  sal_bernstein_bounds(degree, p->b, &least, &most);
  const sal_m flat = small | ~sal_gt(most - least, 0.25 * noise);
  const sal_m below = low & sal_lt(p->b[degree], -noise), now = below & (once | flat);
  f->hi = sal_sel(now, sal_set(p->start + p->length), f->hi);
  f->at_hi = sal_sel(now, p->b[degree], f->at_hi);
  f->found |= now;
  f->undecided |= low & flat & ~below;
  return low & ~now & ~flat;
}

/* The tree of parts is common to all lanes, but a lane sees none that it does not need: it gets the same bits in
 * any company. */
sal_bernstein_first sal_bernstein_find(int degree, const sal_v b[], sal_v noise, sal_v least,
                                       sal_m lanes)
{
  sal_bernstein_first f = {.at_lo = b[0], .hi = sal_set(1), .at_hi = b[degree]};
  part stack[DEPTH + 1];
  sal_m halved = sal_none();

  stack[0].start = 0;
  stack[0].length = 1;
  stack[0].lanes = lanes;
  for (int j = 0; j <= degree; ++j) {
    stack[0].b[j] = b[j];
    stack[0].lanes &= sal_eq(b[j], b[j]);
  }
  for (int top = 0; top >= 0; --top) { /* the last part of the stack is the leftmost one */
    part *p = &stack[top];
    const sal_v shortest = sal_max(least, sal_set(0x1p-24)); /* 2^-DEPTH */
    const sal_m small = SAL_MASK(halved >= MOST_HALVED) | sal_le(sal_set(p->length), shortest);
    const sal_m split = judge(degree, p, noise, small, &f);
    if (!sal_any(split)) continue;
    part *left = p + 1;
    sal_count(&halved, split, 1);
    p->length *= 0.5;
    p->lanes = split;
    left->start = p->start;
    left->length = p->length;
    left->lanes = split;
    p->start += p->length;
    sal_bernstein_cut(degree, sal_set(0.5), p->b, left->b);
    top += 2;
  }
  f.undecided &= ~f.found;
  return f;
}
