/** Test functions and their zeros. */
#include "base.h"
#include "scalar_math.h"
#include "walk.h"
#include <lapacke.h>

enum {
  LIMIT,
  CROSSING,
  DOUBLING,
  TORUS,
  ADMISSIBLE,
  CUSP,
  SPLIT,
  BELOW,
  ABOVE,
  BELOW_2,
  ABOVE_2,
  USER
};

/* Kinds of curves that a test applies to. */
typedef enum { BRANCH = 1, FOLDS = 2, OTHER_CURVE = 4, CURVES = FOLDS | OTHER_CURVE } where;
static const struct test_row {
  sal_branch_type type;
  int on;
  bool ends; /* the side below 0 is outside */
} tests[USER + 1] = {
    [LIMIT] = {SAL_BRANCH_LIMIT, BRANCH, false},
    [CROSSING] = {SAL_BRANCH_CROSSING, BRANCH, false},
    [DOUBLING] = {SAL_BRANCH_DOUBLING, BRANCH, false},
    [TORUS] = {SAL_BRANCH_TORUS, BRANCH, false},
    [ADMISSIBLE] = {SAL_BRANCH_ADMISSIBLE, BRANCH | FOLDS, false},
    [CUSP] = {SAL_BRANCH_CUSP, FOLDS, false},
    [SPLIT] = {SAL_BRANCH_CROSSING, BRANCH, false},
    [BELOW] = {SAL_BRANCH_END, BRANCH | CURVES, true},
    [ABOVE] = {SAL_BRANCH_END, BRANCH | CURVES, true},
    [BELOW_2] = {SAL_BRANCH_END, CURVES, true},
    [ABOVE_2] = {SAL_BRANCH_END, CURVES, true},
    [USER] = {SAL_BRANCH_USER, BRANCH | CURVES, false},
};

static const struct test_row *row_of(int i) { return &tests[i < USER ? i : USER]; }

static int kind_of(const sal_walk *w)
{
  if (w->setup->holds == SAL_FIXED_PLAIN) return BRANCH;
  return w->setup->holds == SAL_FIXED_LIMIT ? FOLDS : OTHER_CURVE;
}

/* The singular vector of DP - I to the least singular value, on the side of the last one. */
static bool null_vector(const sal_walk *w, double v[])
{
  double A[SAL_MAX_DENSE * SAL_MAX_DENSE], s[SAL_MAX_STATE], rest[SAL_MAX_STATE];
  double VT[SAL_MAX_DENSE * SAL_MAX_DENSE], side = 0;
  const int n = w->system.n;

  memcpy(A, w->system.value[0].derivative, (size_t)(n * n) * sizeof *A);
  for (int i = 0; i < n; ++i) A[i * n + i] -= 1;
  if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', n, n, A, n, s, NULL, n, VT, n, rest) != 0)
    return false;
  for (int j = 0; j < n; ++j) side += VT[(n - 1) * n + j] * w->null[j];
  for (int j = 0; j < n; ++j) v[j] = side < 0 ? -VT[(n - 1) * n + j] : VT[(n - 1) * n + j];
  return true;
}

static double cusp_test(const sal_walk *w, sal_walk_point *p)
{
  const double *J = sal_curve_jacobian(&w->curve);
  const int n = w->system.n;
  double sum = 0;

  if (!null_vector(w, p->null)) return NAN;
  for (int j = 0; j < n; ++j) sum += J[n * w->system.n_unknown + j] * p->null[j];
  return sum;
}

/* det [J; t], which is det(DP - I) over the tangent's component along the parameter: so without the differences by the
 * parameter, where that component is not small. */
static double det_of_branch(const sal_walk *w, double det, const sal_walk_point *p)
{
  const double along = p->t[w->system.n] / w->scale[w->system.n];

  return fabs(along) > 0.1 ? sal_fixed_point_det(&w->system, -1) / along : det;
}

void sal_special_point_test(const sal_walk *w, double det, sal_walk_point *p)
{
  const sal_walk_setup *s = w->setup;
  const int n = w->system.n, kind = kind_of(w);

  p->test[LIMIT] = p->t[n] / w->scale[n];
  p->test[CROSSING] = det_of_branch(w, det, p);
  p->test[DOUBLING] = sal_fixed_point_det(&w->system, 1);
  const sal_branch_layout *l = &s->family->layout;
  p->test[TORUS] = sal_fixed_point_torus(l->n_multiplier, p->row + l->re, p->row + l->im);
  p->test[ADMISSIBLE] = p->point.admissible;
  p->test[CUSP] = kind == FOLDS ? cusp_test(w, p) : NAN;
  p->test[SPLIT] = p->split;
  for (int i = 0; i < SAL_BRANCH_PARAMS; ++i) {
    p->test[BELOW + 2 * i] = p->point.lambda[i] - s->from[i];
    p->test[ABOVE + 2 * i] = s->to[i] - p->point.lambda[i];
  }
  for (int i = 0; i < s->n_user; ++i)
    p->test[USER + i] =
        sal_branch_quantity_value(s->user[i].quantity, &p->point, p->row) - s->user[i].value;
  for (int i = 0; i < USER; ++i)
    if (!(tests[i].on & kind)) p->test[i] = NAN;
}

sal_err sal_special_point_create(const sal_walk *walk, sal_special_points *out)
{
  memset(out, 0, sizeof *out);
  for (size_t i = 0; i < sizeof out->point / sizeof *out->point; ++i) {
    const sal_err err = sal_walk_point_create(walk, &out->point[i]);
    if (err != SAL_OK) sal_special_point_free(out);
    SAL_TRY(err);
  }
  return SAL_OK;
}

void sal_special_point_free(sal_special_points *list)
{
  for (size_t i = 0; i < sizeof list->point / sizeof *list->point; ++i)
    sal_walk_point_free(&list->point[i]);
}

static double chord(const sal_walk *w, const sal_walk_point *a, const sal_walk_point *b)
{
  double d[SAL_MAX_STATE + SAL_BRANCH_PARAMS];

  for (int j = 0; j < w->curve.n; ++j) d[j] = b->z[j] - a->z[j];
  return sqrt(sal_curve_dot(&w->curve, d, d));
}

/* The point at the share sigma of the way: predicted by Hermite's cubic, corrected across it. */
static sal_err go_between(sal_walk *w, const sal_walk_point *a, const sal_walk_point *b,
                          double sigma, sal_walk_point *p, bool *made)
{
  const double s = sigma, S = chord(w, a, b);
  const double h = s * s * (3 - 2 * s), ha = s * (1 - s) * (1 - s), hb = s * s * (s - 1);
  double direction[SAL_MAX_STATE + SAL_BRANCH_PARAMS];

  for (int j = 0; j < w->curve.n; ++j) {
    const double step = b->z[j] - a->z[j];
    p->z[j] = a->z[j] + h * step + S * (ha * a->t[j] + hb * b->t[j]);
    direction[j] =
        6 * s * (1 - s) * step / S + (1 - s) * (1 - 3 * s) * a->t[j] - s * (2 - 3 * s) * b->t[j];
  }
  SAL_TRY(sal_walk_correct(w, direction, S, p, made));
  p->sigma = sigma;
  p->point.arc = a->point.arc + sigma * S;
  return SAL_OK;
}

static bool is_crossed(int i, const sal_walk_point *a, const sal_walk_point *b)
{
  const double x = a->test[i], y = b->test[i];

  return row_of(i)->ends ? y < 0 : (x < 0 && y >= 0) || (x > 0 && y <= 0);
}

/* Illinois: false position that halves the value of an end that has stayed twice. */
typedef struct {
  double lo, hi, f_lo, f_hi;
  int stayed; /* which end has, and how often: below 0 the lower one */
} bracket;

static double next_sigma(const bracket *k)
{
  const double s = k->lo - k->f_lo * (k->hi - k->lo) / (k->f_hi - k->f_lo);

  return s > k->lo && s < k->hi ? s : 0.5 * (k->lo + k->hi);
}

static void narrow(bracket *k, double sigma, double f)
{
  const bool low = (f < 0) == (k->f_lo < 0);

  if (low) {
    k->lo = sigma;
    k->f_lo = f;
    if (++k->stayed > 1) k->f_hi *= 0.5;
    if (k->stayed < 1) k->stayed = 1;
  } else {
    k->hi = sigma;
    k->f_hi = f;
    if (--k->stayed < -1) k->f_lo *= 0.5;
    if (k->stayed > -1) k->stayed = -1;
  }
}

/* Where the period halves the branch itself has no orbit, and the nearest one is taken:
 * the parameter there is right to the square of the distance. */
static sal_err stay_beside(sal_walk *w, const sal_walk_point *a, const sal_walk_point *b,
                           const bracket *k, sal_walk_point *p, bool *found)
{
  const double sigma = k->lo > 0 && fabs(k->f_lo) < fabs(k->f_hi) ? k->lo : k->hi;

  return sigma < 1 ? go_between(w, a, b, sigma, p, found) : SAL_OK;
}

/* Zero of test i on the curve between a and b.  *found is false where it only jumps. */
static sal_err locate(sal_walk *w, const sal_walk_point *a, const sal_walk_point *b, int i,
                      sal_walk_point *p, bool *found)
{
  const double most = fmax(fabs(a->test[i]), fabs(b->test[i])), S = chord(w, a, b);
  bracket k = {0, 1, a->test[i], b->test[i], 0};
  double last = -1;

  *found = false;
  if (k.f_lo == 0) {
    sal_walk_point_copy(w, a, p);
    p->sigma = 0;
    *found = true;
    return SAL_OK;
  }
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double sigma = next_sigma(&k);
    SAL_TRY(go_between(w, a, b, sigma, p, found));
    if (!*found && i == SPLIT) return stay_beside(w, a, b, &k, p, found);
    if (!*found) return SAL_OK;
    const double f = p->test[i];
    if (f == 0 || fabs(sigma - last) * S < 1e-13 || (k.hi - k.lo) * S < 1e-13) break;
    narrow(&k, sigma, f);
    last = sigma;
  }
  *found = fabs(p->test[i]) <= 1e-5 * most || i == SPLIT;
  return SAL_OK;
}

static const char halves[] = "the orbit becomes one of half the period";

/* A product of two real multipliers that is 1 is not a bifurcation. */
static bool is_real(const sal_walk *w, int i, const sal_walk_point *p)
{
  const sal_branch_layout *l = &w->setup->family->layout;

  if (i != TORUS) return true;
  for (int j = 0; j < l->n_multiplier; ++j)
    if (p->row[l->im + j] > 0 &&
        fabs(sal_scalar_hypot(p->row[l->re + j], p->row[l->im + j]) - 1) < 1e-6)
      return true;
  return false;
}

static void swap(sal_walk_point *a, sal_walk_point *b)
{
  const sal_walk_point kept = *a;
  *a = *b;
  *b = kept;
}

/* Takes the point after the list into it, in order. */
static void take(sal_special_points *list, sal_branch_type type, int user, const char *words)
{
  sal_walk_point *p = &list->point[list->n];

  p->user = user;
  p->point.type = type;
  p->point.words = words;
  for (int i = list->n++; i > 0 && list->point[i - 1].sigma > list->point[i].sigma; --i)
    swap(&list->point[i - 1], &list->point[i]);
}

static const char breaks[] = "pitchfork: the orbit's symmetry breaks";

/* Words for a branch point at p. */
static sal_err name_crossing(sal_walk *w, const sal_walk_point *p, const char **words)
{
  const sal_family *f = w->setup->family;
  sal_family_start at = {.x = p->z};
  double v[SAL_MAX_STATE];
  bool does = false;

  memcpy(at.lambda, p->point.lambda, sizeof at.lambda);
  if (f->breaks && null_vector(w, v)) SAL_TRY(f->breaks(f->context, &at, v, &does));
  if (does) *words = breaks;
  return SAL_OK;
}

static sal_err find_zeros(sal_walk *w, const sal_walk_point *a, const sal_walk_point *b,
                          sal_special_points *out)
{
  for (int i = 0; i < USER + w->setup->n_user; ++i) {
    sal_walk_point *p = &out->point[out->n];
    bool found = false;
    if (!is_crossed(i, a, b)) continue;
    w->curve.enough = i == CROSSING ? 1e-11 : 0;
    const sal_err err = locate(w, a, b, i, p, &found);
    w->curve.enough = 0;
    SAL_TRY(err);
    if (!found || !is_real(w, i, p)) continue;
    const bool user = i >= USER;
    const char *words = user ? w->setup->user[i - USER].words : "";
    if (i == CROSSING) SAL_TRY(name_crossing(w, p, &words));
    take(out, row_of(i)->type, user ? i - USER : -1,
         i == SPLIT        ? halves
         : row_of(i)->ends ? "end of the range"
                           : words);
  }
  return SAL_OK;
}

/* The place where the sequence of events of a ends, by halving: the last point that has it. */
static sal_err find_border(sal_walk *w, const sal_walk_point *a, const sal_walk_point *b,
                           sal_special_points *out)
{
  sal_walk_point *p = &out->point[out->n], *good = &out->point[out->n + 1];
  double lo = 0, hi = 1;
  bool made = false;

  sal_walk_point_copy(w, a, good);
  good->sigma = 0;
  while ((hi - lo) * chord(w, a, b) > 1e-12) {
    const double sigma = 0.5 * (lo + hi);
    SAL_TRY(go_between(w, a, b, sigma, p, &made));
    if (made && p->sequence == a->sequence) {
      swap(p, good);
      lo = sigma;
    } else
      hi = sigma;
    if (sigma == lo && sigma == hi) break;
  }
  const double least = fmin(good->point.transversality, made ? p->point.transversality : 1e300);
  for (int i = 0; i < out->n; ++i) /* a border that has its own test, or that is the end */
    if (fabs(out->point[i].sigma - good->sigma) * chord(w, a, b) < 1e-6) return SAL_OK;
  swap(p, good);
  take(out, least < 1e-3 * w->transversal ? SAL_BRANCH_GRAZING : SAL_BRANCH_SHORT, -1, "");
  return SAL_OK;
}

static void cut_behind_end(const sal_walk *w, sal_special_points *list)
{
  for (int i = 0; i < list->n && !list->ends; ++i) {
    const sal_walk_point *p = &list->point[i];
    const bool ends = p->point.type == SAL_BRANCH_END || p->point.words == halves ||
                      (p->user >= 0 && w->setup->user[p->user].stops);
    if (ends) list->n = i + 1;
    list->ends = ends;
  }
}

sal_err sal_special_point_find(sal_walk *w, const sal_walk_point *a, const sal_walk_point *b,
                               sal_special_points *out)
{
  out->n = 0;
  out->ends = false;
  SAL_TRY(find_zeros(w, a, b, out));
  /* along a border of admissibility the order of its events is a matter of rounding */
  if (a->sequence != b->sequence && w->setup->holds != SAL_FIXED_ADMISSIBLE)
    SAL_TRY(find_border(w, a, b, out));
  cut_behind_end(w, out);
  return SAL_OK;
}
