/** Directions in which a branch leaves another one: at a period doubling, where two cross, and beyond a grazing. */
#include "base.h"
#include "scalar_math.h"
#include "walk.h"
#include <lapacke.h>

/* The real eigenvalue next to -1; -1 for none. */
static int next_to_minus_one(int n, const double re[], const double im[])
{
  int best = -1;

  for (int i = 0; i < n; ++i)
    if (im[i] == 0 && (best < 0 || fabs(re[i] + 1) < fabs(re[best] + 1))) best = i;
  return best >= 0 && fabs(re[best] + 1) < 1e-3 ? best : -1;
}

static sal_err pick_eigenvector(sal_fixed_point *p, double out[])
{
  double re[SAL_MAX_STATE], im[SAL_MAX_STATE], length = 0;
  double V[SAL_MAX_DENSE * SAL_MAX_DENSE];
  const sal_family_value *v = &p->value[0];
  const int n = p->n;

  if (v->flaw[0]) return sal_fail(SAL_ERR_INPUT, "no orbit at the start: %s", v->flaw);
  if (LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', n, v->derivative, n, re, im, NULL, n, V, n) != 0)
    return sal_fail(SAL_ERR_INPUT, "the multipliers at the start could not be computed");
  const int at = next_to_minus_one(n, re, im);
  if (at < 0)
    return sal_fail(SAL_ERR_INPUT,
                    "no multiplier is near -1 at the start: it is not a period doubling");
  for (int i = 0; i < n; ++i) length = sal_scalar_hypot(length, V[i * n + at] / v->size[i]);
  for (int i = 0; i < n; ++i) out[i] = V[i * n + at] / length;
  return SAL_OK;
}

sal_err sal_leave_doubling(const sal_family *family, const double x[], const double lambda[],
                           double eigenvector[])
{
  const double one[SAL_BRANCH_PARAMS] = {1, 1};
  const sal_family_start start = {.x = x, .lambda = {lambda[0], lambda[1]}};
  SAL_OWN_BY(sal_fixed_point_free) sal_fixed_point p = {0};

  SAL_TRY(sal_fixed_point_create(family, SAL_FIXED_PLAIN, lambda, one, &p));
  SAL_TRY(family->evaluate(family->context, 1, &start, p.value));
  return pick_eigenvector(&p, eigenvector);
}

/* The part of the kernel of J at a branch point, basis [2][n], that is normal to the branch it was found on. */
static void turn_away(int n, const double basis[], const double scale[], const double branch[],
                      double out[])
{
  double along[2] = {0, 0};

  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < n; ++j) along[k] += basis[k * n + j] * branch[j] / scale[j];
  const double length = sal_scalar_hypot(along[0], along[1]);
  const double c = length > 0 ? along[0] / length : 1, s = length > 0 ? along[1] / length : 0;
  for (int j = 0; j < n; ++j) out[j] = (c * basis[n + j] - s * basis[j]) * scale[j];
}

sal_err sal_leave_crossing(const sal_family *family, const double x[], double lambda, double range,
                           const double branch[], double direction[])
{
  enum { N = SAL_MAX_DENSE };
  const double at[SAL_BRANCH_PARAMS] = {lambda, 0}, far[SAL_BRANCH_PARAMS] = {range, 1};
  double z[N], G[N], J[N * N], VT[N * N], size[N], scale[N], least[N], rest[N];
  char flaw[SAL_CURVE_WORDS];
  SAL_OWN_BY(sal_fixed_point_free) sal_fixed_point p = {0};

  SAL_TRY(sal_fixed_point_create(family, SAL_FIXED_PLAIN, at, far, &p));
  const int n = p.n, m = n + 1;
  memcpy(z, x, (size_t)n * sizeof *z);
  z[n] = lambda;
  SAL_TRY(sal_fixed_point_evaluate(&p, z, G, J, size, flaw));
  if (flaw[0]) return sal_fail(SAL_ERR_INPUT, "no orbit at the start: %s", flaw);
  for (int j = 0; j < m; ++j) scale[j] = j < n ? size[j] : range;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) J[i * m + j] *= scale[j] / size[i];
  const bool found =
      LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', n, m, J, m, least, NULL, n, VT, m, rest) == 0;
  if (!found || least[n - 1] > 1e-3)
    return sal_fail(SAL_ERR_INPUT, "the branch does not cross another one at the start");
  turn_away(m, VT + (size_t)(n - 1) * (size_t)m, scale, branch, direction);
  return SAL_OK;
}

/* The point at which the orbit grazes, on the map that does not notice the contact, with the Jacobian of its equations. */
typedef struct {
  sal_walk_setup setup;
  sal_walk walk;
  sal_walk_point at;
} grazing;

static void drop(grazing *g)
{
  sal_walk_point_free(&g->at);
  sal_walk_free(&g->walk);
}

/* g->at.z: a point beside it. */
static sal_err find_grazing(grazing *g, sal_cycle_family *muted, const sal_walk_setup *along,
                            const double z[], bool *found)
{
  const int n = muted->family.n;
  double direction[SAL_MAX_STATE + SAL_BRANCH_PARAMS] = {0};
  sal_family_start start = {.x = z, .lambda = {z[n], 0}};

  SAL_TRY(sal_cycle_family_graze(muted, &start, found));
  if (!*found) return SAL_OK;
  g->setup = *along;
  g->setup.family = &muted->family;
  g->setup.holds = SAL_FIXED_GRAZING;
  g->setup.n_user = 0;
  g->setup.to[1] = g->setup.from[1] + 1; /* a second parameter, on which nothing depends */
  SAL_TRY(sal_walk_create(&g->setup, sal_special_point_test, &g->walk));
  SAL_TRY(sal_walk_point_create(&g->walk, &g->at));
  memcpy(g->at.z, z, (size_t)(n + 1) * sizeof *z);
  SAL_TRY(muted->family.evaluate(muted, 1, &start, g->walk.system.value));
  *found = !g->walk.system.value[0].flaw[0];
  if (!*found) return SAL_OK;
  memcpy(g->walk.scale, g->walk.system.value[0].size, (size_t)n * sizeof *g->walk.scale);
  direction[n + 1] = 1;
  return sal_walk_correct(&g->walk, direction, 0.05, &g->at, found);
}

sal_err sal_leave_find_grazing(sal_cycle_family *muted, const sal_walk_setup *along,
                               sal_walk_point *p, bool *found)
{
  SAL_OWN_BY(drop) grazing g = {.at = {.row = NULL}};

  SAL_TRY(find_grazing(&g, muted, along, p->z, found));
  if (!*found) return SAL_OK;
  const double arc = p->point.arc;
  sal_walk_point_copy(&g.walk, &g.at, p);
  p->point.arc = arc;
  return SAL_OK;
}

/* P of both maps at z, where the free orbit goes beyond the surface by depth^2: what the impact there changes, over depth. */
static sal_err change_by_impact(const grazing *g, const sal_family *family, const double z[],
                                double depth, double out[])
{
  const int n = family->n;
  const sal_family *muted = g->setup.family;
  const sal_family_start at = {.x = z, .lambda = {z[n], 0}};
  double image[2][SAL_MAX_STATE];
  sal_family_value free = {.image = image[0]}, hit = {.image = image[1]};

  SAL_TRY(muted->evaluate(muted->context, 1, &at, &free));
  SAL_TRY(family->evaluate(family->context, 1, &at, &hit));
  const char *flaw = free.flaw[0] ? free.flaw : hit.flaw;
  if (flaw[0])
    return sal_fail(SAL_ERR_INPUT, "no orbit with an impact beyond the grazing: %s", flaw);
  for (int i = 0; i < n; ++i) out[i] = (hit.image[i] - free.image[i]) / depth;
  return SAL_OK;
}

/* Moves z until the free orbit goes beyond the surface by depth^2; inward [n + 1]: by 1 along it. */
static sal_err go_beyond(const grazing *g, const double inward[], double depth, double z[])
{
  const sal_family *muted = g->setup.family;
  const int n = muted->n;
  double image[SAL_MAX_STATE];

  for (int i = 0; i < 4; ++i) {
    const sal_family_start at = {.x = z, .lambda = {z[n], 0}};
    sal_family_value v = {.image = image};
    SAL_TRY(muted->evaluate(muted->context, 1, &at, &v));
    if (v.flaw[0]) return sal_fail(SAL_ERR_INPUT, "no orbit beyond the grazing: %s", v.flaw);
    for (int j = 0; j <= n; ++j) z[j] += (v.grazing + depth * depth) * inward[j];
  }
  return SAL_OK;
}

/* The shortest way, in scaled coordinates, on which the gap gets less by 1. */
static void point_inward(const grazing *g, double inward[])
{
  const int n = g->setup.family->n;
  const double *gap = sal_curve_jacobian(&g->walk.curve) + (size_t)n * (size_t)(n + 2),
               *scale = g->walk.scale;
  double sum = 0;

  for (int j = 0; j <= n; ++j) sum += gap[j] * scale[j] * (gap[j] * scale[j]);
  for (int j = 0; j <= n; ++j) inward[j] = -gap[j] * scale[j] * scale[j] / sum;
}

/* Solves J (x, lambda) = (-change, 0) at the grazing. */
static sal_err solve(const grazing *g, const double change[], double out[])
{
  enum { N = SAL_MAX_DENSE };
  const int n = g->setup.family->n, m = n + 1;
  const double *J = sal_curve_jacobian(&g->walk.curve);
  double A[N * N] = {0};
  lapack_int pivot[N];

  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) A[i * m + j] = J[i * (m + 1) + j];
    out[i] = i < n ? -change[i] : 0;
  }
  if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, m, 1, A, m, pivot, out, 1) == 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "the branch has no direction beyond the grazing");
}

sal_err sal_leave_grazing(const sal_family *family, sal_cycle_family *muted,
                          const sal_walk_setup *along, double z[], double direction[])
{
  SAL_OWN_BY(drop) grazing g = {.at = {.row = NULL}};
  double inward[SAL_MAX_STATE + 1] = {0}, change[SAL_MAX_STATE], beyond[SAL_MAX_STATE + 1],
                                length = 0;
  const double probe = 1e-3;
  const int n = family->n;
  bool found;

  SAL_TRY(find_grazing(&g, muted, along, z, &found));
  if (!found) return sal_fail(SAL_ERR_INPUT, "the orbit at the start does not graze a contact");
  if (muted->map.plain.n_mute > 1)
    return sal_fail(
        SAL_ERR_INPUT,
        "the orbit at the start grazes contacts %d and %d at once; --switch follows one impact",
        muted->map.plain.mute[0].contact, muted->map.plain.mute[1].contact);
  point_inward(&g, inward);
  memcpy(beyond, g.at.z, sizeof beyond);
  SAL_TRY(go_beyond(&g, inward, probe, beyond));
  SAL_TRY(change_by_impact(&g, family, beyond, probe, change));
  SAL_TRY(solve(&g, change, direction));
  for (int j = 0; j <= n; ++j) length = sal_scalar_hypot(length, direction[j] / g.walk.scale[j]);
  const double depth = 0.1 * along->ds / length;
  for (int j = 0; j <= n; ++j) z[j] = g.at.z[j] + depth * direction[j];
  for (int j = 0; j <= n; ++j) direction[j] /= length;
  return go_beyond(&g, inward, depth, z);
}
