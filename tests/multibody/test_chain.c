/** Recursion along the joints against the solver of all equations at once: the same positions, velocities,
 *  accelerations and Jacobians, for each kind of joint and force.
 */
#include "chain.h"
#include "differences.h"
#include "model_text.h"

/* Hinges of both senses, a universal joint, a ball that a rod ties to the ground, a slider on the first link with a
 * ball and a hinge on it; springs of all kinds, a compliant contact. */
static const char *const spatial_text =
    "name: links\ngravity: [0.5, 1, -9.81]\n"
    "parameters: {reach: {preset: 1}}\n"
    "bodies:\n"
    "  - {name: a, mass: 2, inertia: [1, 2, 3, 0.1, 0.2, -0.1], position: [1, 0, 0]}\n"
    "  - {name: b, mass: 1, inertia: [0.5, 0.3, 0.4], position: [2, 1, 0]}\n"
    "  - {name: c, mass: 1.5, inertia: [0.5, 0.6, 0.4, 0.05], position: [2, 2, 1]}\n"
    "  - {name: d, mass: 0.5, inertia: [0.2, 0.3, 0.4], position: [3, 2, 1]}\n"
    "  - {name: e, mass: 3, inertia: [1, 1, 2], position: [1, 0, 2]}\n"
    "  - {name: f, mass: 1, inertia: [0.4, 0.5, 0.6], position: [1, 1, 2]}\n"
    "joints:\n"
    "  - {name: ab, type: universal, bodies: [a, b], P_i: [0.5, 0, 0], P_j: [-0.5, -1, 0], f_i: "
    "[1, 0, 0], h_j: [0, 1, 0]}\n"
    "  - {name: a0, type: revolute, bodies: [ground, a], P_i: [0, 0, 0], P_j: [-1, 0, 0], f_i: [1, "
    "0, 0], g_i: [0, 0, 2],\n"
    "     h_j: [0, 3, 0]}\n"
    "  - {name: cb, type: revolute, bodies: [c, b], P_i: [0, -0.5, -1], P_j: [0, 0.5, 0], f_i: [0, "
    "1, 0], g_i: [0, 1, 1],\n"
    "     h_j: [2, 0, 0]}\n"
    "  - {name: dc, type: spherical, bodies: [d, c], P_i: [-0.5, 0, 0], P_j: [0.5, 0, 0]}\n"
    "  - {name: d0, type: distance, bodies: [ground, d], P_i: [3, 1, 1], P_j: [0, 0, 0], length: "
    "reach}\n"
    "  - {name: ea, type: translational, bodies: [a, e], P_i: [0, 0, 1], P_j: [0, 0, 0], f_i: [1, "
    "0, 0], g_i: [0, 1, 0],\n"
    "     h_j: [0, 0, 1], f_j: [1, 0, 0]}\n"
    "  - {name: ef, type: revolute, bodies: [e, f], P_i: [0, 0.5, 0], P_j: [0, -0.5, 0], f_i: [0, "
    "0, 1], g_i: [1, 0, 1],\n"
    "     h_j: [0, 1, 0]}\n"
    "springs:\n"
    "  - {name: s1, bodies: [ground, c], P_i: [0, 0, 3], P_j: [0.1, 0.2, 0.3], k: 50, c: 3, l0: "
    "2}\n"
    "  - {name: s2, type: axis, axis: z, bodies: [e, d], P_j: [0.3, 0, 0.1], k: 20, c: 2, l0: "
    "0.1}\n"
    "  - {name: s3, bodies: [b, f], P_j: [0, 0, 0.1], k: 30, c: 1, l0: 1, only: pull}\n"
    "contacts:\n"
    "  - {name: wall, bodies: [e, b], normal: [0, -1, 0.2], P_i: [0, 2, 0], P_j: [0, 0.1, 0],\n"
    "     law: {compliant: {k: 80, c: 0.5, exponent: 1.5}}}\n";

/* A four-bar linkage whose coupler carries a pendulum, with springs about its pins, one to a sled on a rail, and two
 * weights, one over the other, on a spring. */
static const char *const planar_text =
    "name: bars\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  - {name: a, kind: planar, mass: 1, inertia: 0.3, position: [0, 0.5], angle: 0}\n"
    "  - {name: b, kind: planar, mass: 2, inertia: 0.5, position: [1, 1], angle: 0}\n"
    "  - {name: c, kind: planar, mass: 1, inertia: 0.4, position: [2, 0.5], angle: 0}\n"
    "  - {name: d, kind: planar, mass: 0.7, inertia: 0.2, position: [1, 0.5], angle: 0}\n"
    "  - {name: w, kind: particle, mass: 1, position: 0.3}\n"
    "  - {name: u, kind: particle, mass: 2, position: 0.8}\n"
    "  - {name: s, kind: planar, mass: 1, inertia: 0.2, position: [3, 0], angle: 0}\n"
    "joints:\n"
    "  - {name: a0, type: pin, bodies: [ground, a], P_j: [0, -0.5]}\n"
    "  - {name: ab, type: pin, bodies: [a, b], P_i: [0, 0.5], P_j: [-1, 0]}\n"
    "  - {name: cb, type: pin, bodies: [c, b], P_i: [0, 0.5], P_j: [1, 0]}\n"
    "  - {name: c0, type: pin, bodies: [ground, c], P_i: [2, 0], P_j: [0, -0.5]}\n"
    "  - {name: bd, type: pin, bodies: [b, d], P_j: [0, 0.5]}\n"
    "  - {name: wu, type: level, bodies: [w, u], P_i: [0, 0, 0.5]}\n"
    "  - {name: rail, type: slider, bodies: [ground, s], P_i: [2.5, 0], f_i: [0, 1], h_j: [1, 0]}\n"
    "springs:\n"
    "  - {name: s4, bodies: [c, s], P_i: [0.1, 0.1], P_j: [0, 0.2], k: 5, c: 0.3, l0: 0.5}\n"
    "  - {name: s1, type: angle, bodies: [ground, a], k: 30, c: 1, l0: 0.2}\n"
    "  - {name: s2, type: angle, bodies: [b, d], k: 20, c: 0.5, l0: -0.1}\n"
    "  - {name: s3, type: axis, axis: z, bodies: [ground, w], k: 20, c: 0.5, l0: 0.1}\n";

enum { MOST = 2 * SAL_CHAIN_FREEDOM };

/* The same model, solved by both, and the chain in its other build. */
typedef struct {
  sal_model_file *file;
  const sal_model *m;
  solver all, chain, narrow;
  double param[SAL_MAX_P];
} both;

static sal_reduced *open_other(const both *x, solver *s, const sal_chain_way *way)
{
  s->memory = sal_alloc(sal_reduced_words(sal_model_file_system(x->file)), sizeof *s->memory);
  s->r = sal_reduced_open(sal_model_file_system(x->file), s->memory, x->param);
  CU_ASSERT_PTR_NOT_NULL_FATAL(s->r->chain);
  if (way) s->r->chain->way = way;
  return s->r;
}

static both open_both(sal_model_file *file)
{
  both out = {.file = file, .m = sal_model_file_model(file)};

  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  for (int i = 0; i < out.m->n_param; ++i) out.param[i] = out.m->param[i].preset;
  out.all = open_solver(file);
  open_other(&out, &out.chain, NULL);
  open_other(&out, &out.narrow, &sal_chain_way_w1);
  return out;
}

static void close_both(both *x)
{
  close_solver(&x->all);
  close_solver(&x->chain);
  close_solver(&x->narrow);
  sal_model_file_free(x->file);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void draw_state(const both *x, double by, unsigned *seed, double y[])
{
  const int n = x->all.r->n_v;

  for (int i = 0; i < 2 * n; ++i)
    y[i] = x->m->state[i].preset + by * (i < n ? 0.1 : 1) * draw(seed);
}

/* From a point next to it: the solver of all equations has its factors from where its last correction began. */
static bool solve(sal_reduced *r, const double y[], const bool closed[])
{
  double v[SAL_CHAIN_FREEDOM];

  for (int i = 0; i < r->n_v; ++i) v[i] = y[i] + 1e-9;
  if (!sal_reduced_move(r, v, y + r->n_v) || !sal_reduced_move(r, y, y + r->n_v)) return false;
  sal_reduced_enter(r, closed);
  return sal_reduced_linearize(r);
}

/* How far b is from a, relative to its largest entry. */
static double apart(int n, const double a[], const double b[])
{
  double most = 0, off = 0;

  for (int i = 0; i < n; ++i) {
    most = fmax(most, fabs(a[i]));
    if (!(fabs(a[i] - b[i]) <= off)) off = fabs(a[i] - b[i]);
  }
  CU_ASSERT(most > 0);
  return off / most;
}

/* Largest differences at states around the initial one, which have to be less than `tolerance`. */
static void compare(sal_model_file *file, double by, double tolerance)
{
  both x = open_both(file);
  sal_reduced *a = x.all.r, *b = x.chain.r;
  const int n = a->n_v, n2 = n * n;
  double y[MOST], dv[MOST], dq[2][SAL_MAX_Q], worst[6] = {0};
  unsigned seed = 23;
  int reached = 0;

  for (int k = 0; k < 40; ++k) {
    const bool closed[8] = {k % 2, k % 3, k % 2, true};
    draw_state(&x, by, &seed, y);
    draw_state(&x, by, &seed, dv);
    const bool there = solve(a, y, closed);
    CU_ASSERT_EQUAL(solve(b, y, closed), there);
    CU_ASSERT_EQUAL(solve(x.narrow.r, y, closed), there); /* which goes the same way */
    if (!there) continue;
    ++reached;
    sal_reduced_vary(a, dv, dq[0]);
    sal_reduced_vary(b, dv, dq[1]);
    const double off[6] = {apart(a->n, a->q, b->q),         apart(a->n, a->qd, b->qd),
                           apart(n, a->vdd, b->vdd),        apart(n2, a->J, b->J),
                           apart(n2, a->J + n2, b->J + n2), apart(a->n, dq[0], dq[1])};
    for (int i = 0; i < 6; ++i) worst[i] = fmax(worst[i], off[i]);
    CU_ASSERT_EQUAL(memcmp(x.narrow.r->q, b->q, (size_t)b->n * sizeof *b->q), 0);
    CU_ASSERT_EQUAL(memcmp(x.narrow.r->vdd, b->vdd, (size_t)n * sizeof *b->vdd), 0);
    CU_ASSERT_EQUAL(memcmp(x.narrow.r->J, b->J, (size_t)(2 * n2) * sizeof *b->J), 0);
  }
  CU_ASSERT(reached > 30);
  for (int i = 0; i < 6; ++i) {
    if (!(worst[i] <= tolerance)) printf("%s, %d: %.3g\n", x.m->name, i, worst[i]);
    CU_ASSERT(worst[i] <= tolerance);
  }
  close_both(&x);
}

static void it_agrees_with_all_equations_at_once(void)
{
  compare(read_model("vehicle-dof10.yaml"), 0.1, 1e-12);
  compare(read_model("vehicle.yaml"), 0.1, 1e-12);
  compare(read_model("double-pendulum.yaml"), 1, 1e-13);
  compare(read_model("quarter-car.yaml"), 1, 1e-13);
  compare(parse_model(spatial_text), 1, 1e-12);
  compare(parse_model(planar_text), 1, 1e-12);
}

/* A rod that is longer than the file's: the first point has to be found from a pose that misses the joints. */
static void lengths_may_be_parameters(void)
{
  both x = open_both(parse_model(spatial_text));
  const sal_system *s = sal_model_file_system(x.file);
  const bool closed[8] = {false};
  const double reach = 1.03;
  double y[MOST], *memory = sal_alloc(sal_reduced_words(s), sizeof *memory), q0[SAL_MAX_Q];
  unsigned seed = 3;
  sal_reduced *r = sal_reduced_open(s, memory, &reach);

  draw_state(&x, 0.1, &seed, y);
  CU_ASSERT(solve(x.chain.r, y, closed));
  memcpy(q0, x.chain.r->q, (size_t)r->n * sizeof *q0);
  CU_ASSERT(solve(r, y, closed));
  CU_ASSERT(apart(r->n, q0, r->q) > 1e-3);
  for (int k = 0; k < r->m; ++k)
    CU_ASSERT(fabs(sal_constraint_value(s, r->value, r->q, &s->constraint[k])) < 1e-14);
  sal_free(memory);
  close_both(&x);
}

/* Goes to wild points and back; of them some are found. */
static void come_home(sal_model_file *file, double by, int least_refused)
{
  both x = open_both(file);
  sal_reduced *r = x.chain.r;
  double home[MOST], wild[MOST], q[SAL_MAX_Q];
  unsigned seed = 17;
  int refused = 0, found = 0;

  for (int i = 0; i < 2 * r->n_v; ++i) home[i] = x.m->state[i].preset;
  CU_ASSERT(sal_reduced_move(r, home, home + r->n_v));
  memcpy(q, r->q, (size_t)r->n * sizeof *q);
  for (int k = 0; k < 40; ++k) {
    for (int turn = 0; turn < 3; ++turn) {
      for (int i = 0; i < 2 * r->n_v; ++i)
        wild[i] = home[i] + (i < r->n_v ? by * (turn + 1) : 0) * draw(&seed);
      const bool there = sal_reduced_move(r, wild, wild + r->n_v);
      refused += !there;
      found += there;
    }
    CU_ASSERT(sal_reduced_move(r, home, home + r->n_v));
    for (int i = 0; i < r->n; ++i) CU_ASSERT_DOUBLE_EQUAL(r->q[i], q[i], 1e-12);
  }
  CU_ASSERT(refused >= least_refused);
  CU_ASSERT(found > 30);
  close_both(&x);
}

/* They are left to the solver that walks, and what comes back is on the same side as before. */
static void wild_points_do_not_fold_the_linkage(void)
{
  come_home(read_model("vehicle-dof10.yaml"), 0.2, 20);
  come_home(parse_model(planar_text), 0.5, 0);
}

/* From the initial pose, by detours, and far away from where the file has it. */
static void the_way_there_does_not_matter(void)
{
  both x = open_both(read_model("vehicle.yaml"));
  sal_reduced *a = x.chain.r, *b = x.narrow.r;
  const bool closed[8] = {true, true, true, true};
  double y[MOST], detour[MOST];
  unsigned seed = 3;

  draw_state(&x, 0.1, &seed, y);
  y[0] += 1e4;
  for (int k = 0; k < 5; ++k) {
    draw_state(&x, 0.3, &seed, detour);
    detour[0] += 5e3 * k;
    CU_ASSERT(solve(b, detour, closed));
  }
  CU_ASSERT(solve(a, y, closed));
  CU_ASSERT(solve(b, y, closed));
  CU_ASSERT(apart(a->n - 1, a->q + 1, b->q + 1) < 1e-13);
  /* next to its point at 10 km a body is where rounding of 2e-12 m has it, which stiff springs feel */
  CU_ASSERT(apart(a->n_v, a->vdd, b->vdd) < 1e-7);
  close_both(&x);
}

static void what_is_not_taken_is_told(void)
{
  static const struct {
    const char *file, *why;
  } others[] = {{"double-pendulum-cartesian.yaml", "its partition is adaptive"},
                {"hopping-leg-dae.yaml", "it has contacts or friction that are constraints"},
                {"vehicle.yaml", NULL}};

  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    sal_model_file *file = read_model(others[i].file);
    bool recurs;
    const char *way = sal_model_file_way(file, &recurs);
    CU_ASSERT_EQUAL(recurs, !others[i].why);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(way, recurs ? "along the joints: 32 relative speeds, 6 at once" : others[i].why));
    sal_model_file_free(file);
  }
}

SAL_TEST_MAIN("chain", NULL,
              {"it agrees with all equations at once", it_agrees_with_all_equations_at_once},
              {"lengths may be parameters", lengths_may_be_parameters},
              {"wild points do not fold the linkage", wild_points_do_not_fold_the_linkage},
              {"the way there does not matter", the_way_there_does_not_matter},
              {"the reason is given where it is not used", what_is_not_taken_is_told})
