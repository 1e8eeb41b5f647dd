/** The corner map against the exact flow of eight fields between three surfaces. */
#include "corner.h"
#include "directions.h"
#include "octants.h"
#include "registry.h"
#include "sal_test.h"
#include "two_fields.h"
#include <string.h>

enum { N = OCTANTS_N, SYSTEMS = 40, DIRECTIONS = 25, ORDERS = 6, STEPS = 6 };

static const double before = 0.3, behind = 0.4; /* times from the start to the origin, and on */
static double room[512];

static sal_corner_end carry(const sal_model *m, const double param[], const double y[],
                            const bool closed[], int n, const int contact[], double delta[],
                            int order[], sal_corner_fault *fault)
{
  const sal_corner corner = {.model = m,
                             .param = param,
                             .y = y,
                             .closed = closed,
                             .n = n,
                             .contact = contact,
                             .least = 1e-6};

  CU_ASSERT_FATAL(sal_corner_bytes(n) <= sizeof room);
  return sal_corner_map(&corner, delta, order, fault, room);
}

/* Through the origin of an octant system. */
static void through(double seed, double curvature, double delta[], int order[])
{
  const double param[] = {seed, curvature, OCTANTS_USUAL}, origin[N] = {0};
  const bool closed[N] = {false};
  const int all[] = {0, 1, 2};
  sal_corner_fault fault;

  CU_ASSERT_EQUAL_FATAL(carry(&octants, param, origin, closed, N, all, delta, order, &fault),
                        SAL_CORNER_CROSSED);
}

/* The start from which the origin is met, moved by step d; then where it ends. */
static void exact_end(double seed, double curvature, double step, const double d[], double x[],
                      int order[])
{
  double F[N];

  octants_field(seed, 0, F);
  for (int i = 0; i < N; ++i) x[i] = step * d[i] - before * F[i];
  CU_ASSERT_EQUAL(octants_move(seed, curvature, before + behind, x, order), N);
}

static void exact_base(double seed, double x[])
{
  double F[N];

  octants_field(seed, 7, F); /* the origin lies beyond all surfaces by definition */
  for (int i = 0; i < N; ++i) x[i] = behind * F[i];
}

static int rank_of(const int order[]) { return 2 * order[0] + (order[1] > order[2]); }

/* |quotient of differences - derivative| / |derivative| for one direction. */
static double apart(double seed, double curvature, double step, const double d[], int order[],
                    int met[])
{
  double delta[N], base[N], end[N];

  memcpy(delta, d, sizeof delta);
  through(seed, curvature, delta, order);
  exact_base(seed, base);
  exact_end(seed, curvature, step, d, end, met);
  for (int i = 0; i < N; ++i) end[i] = (end[i] - base[i]) / step;
  return distance(N, end, delta) / length_of(N, delta);
}

static void flat_surfaces_are_exact_in_every_order(void)
{
  uint64_t random = 1;
  int hit[ORDERS] = {0};
  double bend = 0;

  for (int seed = 0; seed < SYSTEMS; ++seed)
    for (int i = 0; i < DIRECTIONS; ++i) {
      double d[N], plus[N], minus[N];
      int order[N], met[N];
      random_direction(&random, N, d);
      CU_ASSERT(apart(seed, 0, 1e-3, d, order, met) < 1e-11);
      CU_ASSERT(memcmp(order, met, sizeof order) == 0);
      ++hit[rank_of(order)];
      for (int j = 0; j < N; ++j) plus[j] = d[j], minus[j] = -d[j];
      through(seed, 0, plus, order);
      through(seed, 0, minus, order);
      for (int j = 0; j < N; ++j) plus[j] += minus[j];
      bend = fmax(bend, length_of(N, plus));
    }
  for (int i = 0; i < ORDERS; ++i) CU_ASSERT(hit[i] > SYSTEMS * DIRECTIONS / 20);
  CU_ASSERT(bend > 0.1); /* no linear map would do */
}

static void curved_surfaces_are_met_to_first_order(void)
{
  double mean[STEPS] = {0};

  for (int s = 0; s < STEPS; ++s) {
    uint64_t random = 1;
    for (int seed = 0; seed < SYSTEMS; ++seed)
      for (int i = 0; i < DIRECTIONS; ++i) {
        double d[N];
        int order[N], met[N];
        random_direction(&random, N, d);
        mean[s] += apart(seed, 0.2, pow(10, -2 - s), d, order, met) / (SYSTEMS * DIRECTIONS);
      }
  }
  CU_ASSERT(mean[0] > 1e-4 && mean[0] < 1e-1);
  for (int s = 1; s < STEPS; ++s)
    CU_ASSERT(mean[s - 1] > 9.5 * mean[s] && mean[s - 1] < 10.5 * mean[s]);
}

/* Where two surfaces are met first and together both orders must give the same. */
static void the_pieces_meet_continuously(void)
{
  uint64_t random = 7;
  double jump = 0, bend = 0;

  for (int i = 0; i < 200; ++i) {
    double F[N], a[N], b[N], tie[N];
    int order[2][N];
    random_direction(&random, N, tie);
    octants_field(i, 0, F);
    tie[0] = tie[1] * F[0] / F[1];
    tie[2] = (tie[1] / F[1] - 0.5) * F[2]; /* that surface comes later */
    for (int j = 0; j < N; ++j) a[j] = b[j] = tie[j];
    a[0] += 1e-9;
    b[0] -= 1e-9;
    through(i, 0, a, order[0]);
    through(i, 0, b, order[1]);
    jump = fmax(jump, distance(N, a, b));
    bend = fmax(bend, distance(N, a, tie));
    CU_ASSERT(memcmp(order[0], order[1], sizeof order[0]) != 0);
  }
  CU_ASSERT(jump < 1e-7);
  CU_ASSERT(bend > 0.1);
}

static void the_map_is_positively_homogeneous(void)
{
  uint64_t random = 3;

  for (int i = 0; i < 100; ++i) {
    double a[N], b[N];
    int order[N];
    random_direction(&random, N, a);
    for (int j = 0; j < N; ++j) b[j] = 1024 * a[j];
    through(i, 0, a, order);
    through(i, 0, b, order);
    for (int j = 0; j < N; ++j) CU_ASSERT_DOUBLE_EQUAL(b[j], 1024 * a[j], 1e-11);
  }
}

/* delta + (F+ - F-) tau with tau = -delta_k / F-_k: the saltation matrix. */
static void one_surface_gives_the_saltation_matrix(void)
{
  const double param[] = {11, 0, OCTANTS_USUAL}, rho[] = {-0.2, 0, 0.1};
  const bool closed[] = {false, false, true};
  const int contact[] = {1};
  double before_it[N], behind_it[N], delta[] = {0.3, -0.7, 0.2}, expected[N];
  int order[1];

  octants_field(11, 4, before_it);
  octants_field(11, 6, behind_it);
  for (int i = 0; i < N; ++i)
    expected[i] = delta[i] + (before_it[i] - behind_it[i]) * 0.7 / before_it[1];
  CU_ASSERT(distance(N, delta, expected) > 0.05);
  CU_ASSERT_EQUAL(carry(&octants, param, rho, closed, 1, contact, delta, order, NULL),
                  SAL_CORNER_CROSSED);
  CU_ASSERT_EQUAL(order[0], 1);
  CU_ASSERT(distance(N, delta, expected) < 1e-15);
}

static sal_corner_end on_the_line(double open, double closed, double *delta,
                                  sal_corner_fault *fault)
{
  const double param[] = {open, closed}, at[] = {0};
  const bool mode[] = {false};
  const int all[] = {0};

  *delta = 1;
  return carry(&two_fields, param, at, mode, 1, all, delta, NULL, fault);
}

static void a_surface_that_is_not_crossed_is_named(void)
{
  double delta;
  sal_corner_fault fault = {-1, 0};

  CU_ASSERT_EQUAL(on_the_line(-1, -3, &delta, &fault), SAL_CORNER_CROSSED);
  CU_ASSERT_DOUBLE_EQUAL(delta, 3, 1e-15);
  CU_ASSERT_EQUAL(on_the_line(-1, 2, &delta, &fault), SAL_CORNER_BACK);
  CU_ASSERT_EQUAL(fault.contact, 0);
  CU_ASSERT_DOUBLE_EQUAL(fault.rate, -2, 1e-15);
  CU_ASSERT_EQUAL(on_the_line(1, 2, &delta, &fault), SAL_CORNER_BACK);
  CU_ASSERT_DOUBLE_EQUAL(fault.rate, -1, 1e-15);
  CU_ASSERT_EQUAL(on_the_line(0, -1, &delta, &fault), SAL_CORNER_GRAZED);
  CU_ASSERT_EQUAL(on_the_line(-1, 0, &delta, &fault), SAL_CORNER_GRAZED);
  CU_ASSERT_EQUAL(on_the_line(-1, NAN, &delta, &fault), SAL_CORNER_GRAZED);
}

/* A mass that touches its spring at a speed far below that of its fall. */
static void a_tangent_field_grazes(void)
{
  const sal_model *m = sal_registry_model("hopper1d");
  const double param[] = {9.81, 200, 1, 1};
  const bool open[] = {false};
  const int foot[] = {0};
  sal_corner_fault fault = {-1, 0};

  for (int i = 0; i < 2; ++i) {
    const double rho[] = {1, i ? -1e-3 : -1e-7};
    double delta[] = {1, 0};
    CU_ASSERT_EQUAL(carry(m, param, rho, open, 1, foot, delta, NULL, &fault),
                    i ? SAL_CORNER_CROSSED : SAL_CORNER_GRAZED);
  }
  CU_ASSERT_EQUAL(fault.contact, 0);
  CU_ASSERT_DOUBLE_EQUAL(fault.rate, 1e-7, 1e-20);
}

SAL_TEST_MAIN("corner map", NULL,
              {"flat surfaces are exact in every order", flat_surfaces_are_exact_in_every_order},
              {"curved surfaces are met to first order", curved_surfaces_are_met_to_first_order},
              {"the pieces meet continuously", the_pieces_meet_continuously},
              {"the map is positively homogeneous", the_map_is_positively_homogeneous},
              {"one surface gives the saltation matrix", one_surface_gives_the_saltation_matrix},
              {"a surface that is not crossed is named", a_surface_that_is_not_crossed_is_named},
              {"a tangent field grazes", a_tangent_field_grazes})
