/** A rigid plate in the plane, falling onto a bed of n upright springs with dampers on which it
 *  rolls without friction.  Anderson & Revzen, "Rapid Integrator for a Class of Multi-Contact
 *  Systems", section 5.2, with the force of each spring written out and Dh over all six states.
 *
 *  Spring i stands at xs_i, its compression under the plate is h_i = l0 + tan(th) (x - xs_i) - z,
 *  and while its contact is closed it pushes with F_i = k h_i + c h_i' + f0:
 *
 *      m x'' = -sum F_i tan(th),    m z'' = -m g + sum F_i,
 *      I th'' = -sum F_i sec(th)^2 (x - xs_i).
 *
 *  As in the paper a contact opens where h_i = 0, so the damper pulls a little before.  K, C and F0
 *  are those of the whole bed (k = K/n, c = C/n, f0 = F0/n): beds of different n are comparable.
 *
 *  With d_i = x - xs_i the forces are affine in d_i, F_i = a + b d_i: their sums need only how many
 *  contacts are closed and the moments of their ranks, whole numbers.  The gaps are affine in the
 *  rank, so the springs stand in a row (model.h) and those moments have a closed form; f costs the
 *  same for any number of springs.
 *
 *  Two things are ours, and off by their presets.  The bed may shake, l0 -> l0 + A sin(omega t) for springs
 *  and dampers alike, which gives back what the dampers take, so that there are bounces for ever: flat
 *  ones, all contacts at the same instant, among them.  And as the plate slides down whichever way it
 *  tilts, no flat bounce holds without a tether, -(H x + D x') added to m x''; at rest the plate stays
 *  where H k sum xs_i^2 > (m g)^2.
 */
#include "row.h"
#include "stages.h"

#define TWO_PI 6.2831853071795864769

enum { X, Z, TH, VX, VZ, W, N_STATE };
enum { N, K, C, G, M, INERTIA, WIDTH, LENGTH, L0, F0, SHAKE, SPEED, TETHER, DRAG, N_PARAM };
enum { PER_N = N_PARAM, PER_M, PER_INERTIA, MIDDLE, PITCH, N_CONST = PITCH + 1 - N_PARAM };

/** The lower face of the plate over the bed: spring i stands at xs_i = (i - middle) pitch, tangent
 *  and secant2 are tan(th) and sec(th)^2; the free springs are that high, and rise at that rate. */
typedef struct {
  sal_v middle, pitch, tangent, secant2, height, lift;
} face;

/** Support of the plate: the face, the sums over closed contacts of 1, d_i and d_i^2, and the
 *  numbers that make the forces. */
typedef struct {
  face over;
  sal_v n0, n1, n2, k, c, a, b;
} support;

SAL_INLINE face face_of(const sal_phase *s, sal_v t, sal_v angle)
{
  sal_v sine, cosine;

  sal_lane_sincos(angle, &sine, &cosine);
  const sal_v tangent = sine / cosine;
  face over = {.middle = s->p[MIDDLE],
               .pitch = s->p[PITCH],
               .tangent = tangent,
               .secant2 = 1.0 + tangent * tangent,
               .height = s->p[L0],
               .lift = sal_set(0)};
  if (sal_any(sal_gt(s->p[SHAKE], sal_set(0)))) { /* most beds are fixed */
    sal_lane_sincos(s->p[SPEED] * t, &sine, &cosine);
    over.height += s->p[SHAKE] * sine;
    over.lift = s->p[SHAKE] * s->p[SPEED] * cosine;
  }
  return over;
}

/** Is there a spring i?  Not in lanes that have fewer than the one with most. */
SAL_INLINE sal_m spring_exists(const sal_phase *s, int i) { return sal_lt(sal_set(i), s->p[N]); }

SAL_INLINE sal_row row_at(const face *over, const sal_v y[], const sal_v dy[])
{
  const sal_v rising = dy[Z] - over->tangent * dy[X] - over->lift;
  const sal_v turning = over->secant2 * dy[TH];

  return (sal_row){.middle = over->middle,
                   .gap = y[Z] - over->height - over->tangent * y[X],
                   .slope = over->tangent * over->pitch,
                   .rate = rising - turning * y[X],
                   .turning = turning * over->pitch};
}

/* Sums of 1, i and i^2 over the closed contacts.  From a list of them by running sums from the last
 * one down: their count, A = sum (i + 1) and B = sum (i + 1) (i + 2) / 2. */
SAL_INLINE void moments_of_list(const sal_phase *s, const sal_row *r, sal_v *n, sal_v *i1,
                                sal_v *i2)
{
  const bool held = !sal_any(~s->held); /* the gaps do not matter then */
  sal_m count = sal_none(), A = sal_none(), B = sal_none();

  for (int i = s->n_guard - 1; i >= 0; --i) {
    const sal_m bears =
        held ? s->closed[i]
             : spring_exists(s, i) & sal_model_closed(s, i, sal_row_gap(r, sal_set(i)));
    count -= bears; /* a set mask is -1 */
    A += count;
    B += A;
  }
  *n = sal_to_double(count);
  *i1 = sal_to_double(A - count);
  *i2 = sal_to_double(2 * B - 3 * A + count);
}

/* The nearest whole number, |x| < 2^51. */
SAL_INLINE sal_v nearest_whole(sal_v x) { return (x + 0x1.8p52) - 0x1.8p52; }

/* 6 (0 + 1 + 4 + .. + (m - 1)^2) */
SAL_INLINE sal_v six_squares(sal_v m) { return (m - 1.0) * m * (2.0 * m - 1.0); }

SAL_INLINE void moments_of_range(const sal_phase *s, const sal_row *r, sal_v *n, sal_v *i1,
                                 sal_v *i2)
{
  sal_v from = s->from, to = s->to;

  if (sal_any(~s->held)) {
    sal_v open, end;
    sal_row_closed(r, s->p[N], &open, &end);
    from = sal_sel(s->held, from, open);
    to = sal_sel(s->held, to, end);
  }
  *n = to - from;
  *i1 = 0.5 * (to * (to - 1.0) - from * (from - 1.0));
  *i2 = nearest_whole((six_squares(to) - six_squares(from)) * (1.0 / 6));
}

SAL_INLINE support support_at(const sal_phase *s, sal_v t, const sal_v y[])
{
  support on = {.over = face_of(s, t, y[TH])};
  const sal_v x = y[X], middle = on.over.middle, pitch = on.over.pitch;
  sal_v n, i1, i2;

  const sal_row r = row_at(&on.over, y, y);
  if (s->closed)
    moments_of_list(s, &r, &n, &i1, &i2);
  else
    moments_of_range(s, &r, &n, &i1, &i2);
  const sal_v xs1 = pitch * (i1 - middle * n);
  const sal_v xs2 = pitch * pitch * (i2 - middle * (2.0 * i1 - middle * n));
  on.n0 = n;
  on.n1 = n * x - xs1;
  on.n2 = x * (n * x - 2.0 * xs1) + xs2;

  const sal_v sinking = on.over.tangent * y[VX] - y[VZ] + on.over.lift;
  on.k = s->p[K] * s->p[PER_N];
  on.c = s->p[C] * s->p[PER_N];
  on.a = on.k * (on.over.height - y[Z]) + on.c * sinking + s->p[F0] * s->p[PER_N];
  on.b = on.k * on.over.tangent + on.c * (on.over.secant2 * y[W]);
  return on;
}

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const support on = support_at(s, t, y);
  const sal_v force = on.a * on.n0 + on.b * on.n1, moment = on.a * on.n1 + on.b * on.n2;
  const sal_v hold = s->p[TETHER] * y[X] + s->p[DRAG] * y[VX];

  dy[X] = y[VX];
  dy[Z] = y[VZ];
  dy[TH] = y[W];
  dy[VX] = -(force * on.over.tangent) * s->p[PER_M] - hold * s->p[PER_M];
  dy[VZ] = force * s->p[PER_M] - s->p[G];
  dy[W] = -(moment * on.over.secant2) * s->p[PER_INERTIA];
}

/* Derivatives of the sums: d n1 = n0 dx, d n2 = 2 n1 dx; d tan = sec^2 dth, d sec^2 = 2 tan sec^2
 * dth. */
static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const support on = support_at(s, t, y);
  const sal_v a_th = on.c * on.over.secant2 * y[VX], b_w = on.c * on.over.secant2;
  const sal_v b_th = on.over.secant2 * (on.k + 2.0 * on.c * on.over.tangent * y[W]);
  const sal_v force = on.a * on.n0 + on.b * on.n1, moment = on.a * on.n1 + on.b * on.n2;
  const sal_v by_force[N_STATE] = {[X] = on.b * on.n0,
                                   [Z] = -on.k * on.n0,
                                   [TH] = a_th * on.n0 + b_th * on.n1,
                                   [VX] = on.c * on.over.tangent * on.n0,
                                   [VZ] = -on.c * on.n0,
                                   [W] = b_w * on.n1};
  const sal_v by_moment[N_STATE] = {[X] = on.a * on.n0 + 2.0 * on.b * on.n1,
                                    [Z] = -on.k * on.n1,
                                    [TH] = a_th * on.n1 + b_th * on.n2,
                                    [VX] = on.c * on.over.tangent * on.n1,
                                    [VZ] = -on.c * on.n1,
                                    [W] = b_w * on.n2};

  for (int i = 0; i < VX * N_STATE; ++i) J[i] = sal_set(0);
  J[X * N_STATE + VX] = J[Z * N_STATE + VZ] = J[TH * N_STATE + W] = sal_set(1);
  for (int j = 0; j < N_STATE; ++j) {
    J[VX * N_STATE + j] = -(by_force[j] * on.over.tangent) * s->p[PER_M];
    J[VZ * N_STATE + j] = by_force[j] * s->p[PER_M];
    J[W * N_STATE + j] = -(by_moment[j] * on.over.secant2) * s->p[PER_INERTIA];
  }
  J[VX * N_STATE + X] -= s->p[TETHER] * s->p[PER_M];
  J[VX * N_STATE + VX] -= s->p[DRAG] * s->p[PER_M];
  J[VX * N_STATE + TH] -= force * on.over.secant2 * s->p[PER_M];
  J[W * N_STATE + TH] -= 2.0 * moment * on.over.tangent * on.over.secant2 * s->p[PER_INERTIA];
}

static void row(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_row *out)
{
  const face over = face_of(s, t, y[TH]);

  *out = row_at(&over, y, dy);
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  sal_row r;

  row(s, t, y, dy, &r);
  for (int i = 0; i < s->n_guard; ++i) {
    const sal_m there = spring_exists(s, i);
    gap[i] = sal_sel(there, sal_row_gap(&r, sal_set(i)), sal_set(1));
    rate[i] = sal_sel(there, sal_row_rate(&r, sal_set(i)), sal_set(0));
  }
}

/* No jump: several contacts may fire together, and a gap made 0 would undo another. */

SAL_FLOW_WITH_PAIRS(sal_plate, N_STATE, .jac = jac, .guard = guard, .row = row);

#if SAL_LANES == 1
static void constants(const void *inner, const double p[], double c[])
{
  const double spaces = p[N] - 1;

  (void)inner;
  c[PER_N - N_PARAM] = 1 / p[N];
  c[PER_M - N_PARAM] = 1 / p[M];
  c[PER_INERTIA - N_PARAM] = 1 / p[INERTIA];
  c[MIDDLE - N_PARAM] = 0.5 * spaces;
  c[PITCH - N_PARAM] = p[WIDTH] / (spaces > 1 ? spaces : 1);
}

static const char *flaw(const void *inner, const double p[])
{
  (void)inner;
  if (p[N] < 1) return "n < 1 leaves no contact";
  if (p[K] <= 0) return "K = 0 leaves no springs";
  if (p[M] <= 0 || p[INERTIA] <= 0) return "the plate needs a mass and a moment of inertia";
  if (p[LENGTH] < p[WIDTH]) return "the plate is shorter than the bed: length < width";
  return NULL;
}

/* Period of the bed, [s]; infinite for a fixed bed. */
static double period_of_bed(const void *inner, const double p[])
{
  (void)inner;
  return p[SHAKE] > 0 && p[SPEED] > 0 ? TWO_PI / p[SPEED] : INFINITY;
}

/* Plate and springs may meet while nothing moves but the bed. */
static double longest_step(const void *inner, const double p[], const double y[])
{
  (void)inner, (void)y;
  return period_of_bed(inner, p) / 8;
}

/* Level and centred, as deep as the bed must give to carry it; a preload beyond the weight throws
 * it off, and so may a bed that shakes. */
static bool equilibrium(const void *inner, const double p[], sal_equilibrium which, double y[])
{
  const double depth = (p[M] * p[G] - p[F0]) / p[K];

  (void)inner, (void)which;
  for (int i = 0; i < N_STATE; ++i) y[i] = 0;
  y[Z] = p[L0] - depth;
  return depth >= 0 && isinf(period_of_bed(inner, p));
}

SAL_DECLARE_FLOWS(plate)
const sal_model sal_plate = {
    .name = "plate",
    .title = "rigid plate falling onto a bed of springs and dampers",
    .source =
        "Anderson, Revzen, Rapid Integrator for a Class of Multi-Contact Systems, section 5.2",
    .contact = {{"touchdown", "liftoff", .form = {SAL_FORM_SMOOTH, SAL_FORM_SMOOTH}}},
    .section = {"period", 0, false, period_of_bed},
    .n_state = N_STATE,
    .n_guard = SAL_MAX_GUARD,
    .n_param = N_PARAM,
    .n_const = N_CONST,
    .counted_by = 1 + N,
    .velocity = {[X] = 1 + VX, [Z] = 1 + VZ, [TH] = 1 + W},
    .watch = Z,
    .span = 1,
    .time = "s",
    .state = {{"x", "m", "position of the centre over the middle of the bed", 0, -1, 1, -1e3, 1e3},
              {"z", "m", "height of the centre", 2.5, 2, 3, -1e3, 1e3},
              {"th", "rad", "slope of the plate", 0.05, -0.1, 0.1, -1.5, 1.5},
              {"vx", "m/s", "velocity of the centre along x", 0, -1, 1, -1e3, 1e3},
              {"vz", "m/s", "velocity of the centre along z", 0, -5, 5, -1e3, 1e3},
              {"w", "rad/s", "angular velocity", 0, -1, 1, -1e3, 1e3}},
    .param = {{"n", "1", "number of contacts", 10, 2, 512, 1, SAL_MAX_GUARD, .whole = true},
              {"K", "N/m", "stiffness of the bed", 200, 100, 1000, 0, 1e9},
              {"C", "N s/m", "damping of the bed", 8, 0, 20, 0, 1e6},
              {"g", "m/s^2", "gravity", 9.81, 1, 20, 0, 1e3},
              {"m", "kg", "mass", 1, 0.1, 10, 0, 1e6},
              {"inertia", "kg m^2", "moment of inertia about the centre", 1.0 / 3, 0.1, 1, 0, 1e6},
              {"width", "m", "width of the bed; one spring stands in its middle", 2, 1, 4, 0, 1e3},
              {"length", "m", "length of the plate, its massless ends included", 4, 2, 8, 0, 1e3},
              {"l0", "m", "rest height of the springs", 1, 0.5, 1.5, 0, 1e3},
              {"F0", "N", "preload of the bed, felt as soon as a contact closes", 0, 0, 5, 0, 1e6},
              {"A", "m", "amplitude of the bed's shaking", 0, 0, 0.1, 0, 1e3},
              {"omega", "rad/s", "its angular frequency", 12, 5, 20, 0, 1e6},
              {"H", "N/m", "stiffness of the tether that keeps the plate over the bed", 0, 0, 20, 0,
               1e9},
              {"D", "N s/m", "damping of the tether", 0, 0, 5, 0, 1e6}},
    .flaw = flaw,
    .flaw_is_convex = true,
    .constants = constants,
    .longest_step = longest_step,
    .equilibrium = equilibrium,
    .natural = {"m = g = l0 = 1", {1 + M, 1 + G, 1 + L0}},
    SAL_FLOWS(plate),
};
#endif
