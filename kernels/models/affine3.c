/** Three planes in space and an affine flow on each side of each: the smallest system in which the
 *  order of crossings matters, with an exact solution by matrix exponentials.  Anderson & Revzen,
 *  "Rapid Integrator for a Class of Multi-Contact Systems", Table 1.
 *
 *      side of x, y   x' =          y' =              side of z   z' =
 *      x < 0, y < 0   -y + 1        x + 1             z > 0       -z - 1
 *      x < 0, y >= 0   y + 1       -x + 1             z <= 0      3 z - 1
 *      x >= 0, y < 0  -2 y + 1      x / 2 + 2
 *      x >= 0, y >= 0  10 x + 1     y + 1
 *
 *  The paper's surfaces are h = (x, y, -z); a contact closes where its h becomes >= 0.
 */
#include "stages.h"

enum { X, Y, Z, N_STATE };
enum { N_PARAM };
enum { X_PLANE, Y_PLANE, Z_PLANE, N_GUARD };

/** x' = xx x + xy y + 1,  y' = yx x + yy y + y1,  z' = zz z - 1. */
typedef struct {
  sal_v xx, xy, yx, yy, y1, zz;
} piece;

/* One number per quadrant of the plane: x < 0 and y < 0, x < 0 only, y < 0 only, neither. */
SAL_INLINE sal_v by_quadrant(sal_m right, sal_m above, double both, double left, double below,
                             double neither)
{
  return sal_sel(right, sal_sel(above, sal_set(neither), sal_set(below)),
                 sal_sel(above, sal_set(left), sal_set(both)));
}

SAL_INLINE piece piece_at(const sal_phase *s, const sal_v y[])
{
  const sal_m right = sal_model_closed(s, X_PLANE, -y[X]),
              above = sal_model_closed(s, Y_PLANE, -y[Y]);
  const sal_m under = sal_model_closed(s, Z_PLANE, y[Z]);

  return (piece){
      .xx = by_quadrant(right, above, 0, 0, 0, 10),
      .xy = by_quadrant(right, above, -1, 1, -2, 0),
      .yx = by_quadrant(right, above, 1, -1, 0.5, 0),
      .yy = by_quadrant(right, above, 0, 0, 0, 1),
      .y1 = by_quadrant(right, above, 1, 1, 2, 1),
      .zz = sal_sel(under, sal_set(3), sal_set(-1)),
  };
}

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const piece at = piece_at(s, y);

  (void)t;
  dy[X] = at.xx * y[X] + at.xy * y[Y] + 1.0;
  dy[Y] = at.yx * y[X] + at.yy * y[Y] + at.y1;
  dy[Z] = at.zz * y[Z] - 1.0;
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const piece at = piece_at(s, y);

  (void)t;
  for (int i = 0; i < N_STATE * N_STATE; ++i) J[i] = sal_set(0);
  J[X * N_STATE + X] = at.xx;
  J[X * N_STATE + Y] = at.xy;
  J[Y * N_STATE + X] = at.yx;
  J[Y * N_STATE + Y] = at.yy;
  J[Z * N_STATE + Z] = at.zz;
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)s, (void)t;
  gap[X_PLANE] = -y[X];
  gap[Y_PLANE] = -y[Y];
  gap[Z_PLANE] = y[Z];
  rate[X_PLANE] = -dy[X];
  rate[Y_PLANE] = -dy[Y];
  rate[Z_PLANE] = dy[Z];
}

/* Contact k is the plane where state k is 0. */
static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  (void)s, (void)t;
  y[k] = sal_sel(lanes, sal_set(0), y[k]);
}

SAL_FLOW(sal_affine3, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
SAL_DECLARE_FLOWS(affine3)
const sal_model sal_affine3 = {
    .name = "affine3",
    .title = "piecewise affine flow through three planes, closed form",
    .source = "Anderson, Revzen, Rapid Integrator for a Class of Multi-Contact Systems, Table 1",
    .contact = {{"crossing", "return", .form = {SAL_FORM_AFFINE, SAL_FORM_AFFINE}}},
    .n_state = N_STATE,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .one_way = true,
    .watch = X,
    .span = 0.5,
    .time = "1",
    .state = {{"x", "1", "distance from the plane x = 0", -0.4, -1, 0, -10, 10},
              {"y", "1", "distance from the plane y = 0", -0.15, -1, 0, -10, 10},
              {"z", "1", "distance from the plane z = 0", 0.3, 0, 1, -10, 10}},
    SAL_FLOWS(affine3),
};
#endif
