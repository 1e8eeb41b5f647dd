/** The elementary functions of the kernels against libm's long double ones. */
#include "lane_probe.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { N = 40000 };
static const double eps = 0x1p-52;

static double x[N], y[N], z[N], y_w1[N], z_w1[N];

/* A reproducible number in [0, 1). */
static double chance(void)
{
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53;
}

/* x_i spread evenly in the logarithm over [2^lo, 2^hi], the ends of binades among them. */
static void spread(double lo, double hi)
{
  for (int i = 0; i < N; ++i) {
    const double e = lo + (hi - lo) * chance();
    x[i] = exp2(i % 16 ? e : floor(e)) * (i % 32 == 16 ? sqrt(2) : 1);
    if (i % 8 == 7) x[i] = nextafter(x[i], i % 16 == 7 ? 0 : INFINITY);
  }
}

/* y, z at the widest lanes; fails where another width has other bits. */
static void apply(probe_function f, double p)
{
  for (int w = 0; w < n_probe(); ++w) {
    probes[w].map(f, p, N, x, y, z);
    if (w == 0) {
      memcpy(y_w1, y, sizeof y);
      memcpy(z_w1, z, sizeof z);
    }
    CU_ASSERT_EQUAL(memcmp(y_w1, y, sizeof y), 0);
    CU_ASSERT_EQUAL(memcmp(z_w1, z, sizeof z), 0);
  }
}

static double ulps(double found, long double right)
{
  const double size = (double)fabsl(right);
  return (double)fabsl(found - right) / (nextafter(size, INFINITY) - size);
}

static void the_logarithm_is_right_to_one_ulp(void)
{
  double worst = 0, largest = 0;

  for (int range = 0; range < 2; ++range) {
    spread(range ? -1 : -1022, range ? 1 : 1023);
    apply(PROBE_LOG, 0);
    for (int i = 0; i < N; ++i) {
      worst = fmax(worst, x[i] == 1 ? fabs(y[i]) : ulps(y[i], logl(x[i])));
      largest = fmax(largest, fabs(y[i]));
    }
  }
  printf("(log %.2f ulp) ", worst);
  CU_ASSERT(worst < 1 && worst > 0.1);
  CU_ASSERT(largest > 700);
}

static void the_exponential_is_right_to_one_ulp(void)
{
  double worst = 0, largest = 0, smallest = 1;

  for (int i = 0; i < N; ++i) x[i] = (2 * chance() - 1) * (i % 2 ? 700 : 1);
  apply(PROBE_EXP, 0);
  for (int i = 0; i < N; ++i) {
    worst = fmax(worst, ulps(y[i], expl(x[i])));
    largest = fmax(largest, y[i]);
    smallest = fmin(smallest, y[i]);
  }
  printf("(exp %.2f ulp) ", worst);
  CU_ASSERT(worst < 1 && worst > 0.1);
  CU_ASSERT(largest > 1e300 && smallest < 1e-300);
}

/* The rounding of p log x is relative to its size, so the bound grows with it. */
static void a_power_is_right_to_the_rounding_of_its_logarithm(void)
{
  static const double exponent[] = {1.0 / 2, 1.0 / 3, 1.0 / 5, 1.0 / 8, 1.0 / 13, 0.7};

  for (int wide = 0; wide < 2; ++wide) {
    double worst = 0, relative = 0, low = 1, high = 1;
    spread(wide ? -990 : -20, wide ? 990 : 20);
    for (int e = 0; e < 6; ++e) {
      apply(PROBE_POW, exponent[e]);
      for (int i = 0; i < N; ++i) {
        const long double right = powl(x[i], exponent[e]);
        const double error = (double)fabsl(y[i] / right - 1);
        worst = fmax(worst, error / (eps * (1.5 + fabs(exponent[e] * log(x[i])))));
        relative = fmax(relative, error);
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
      }
    }
    printf("(pow %.1e) ", relative);
    CU_ASSERT(worst < 1 && worst > 0.1);
    CU_ASSERT(wide || relative < 2e-15);
    CU_ASSERT(low < (wide ? 1e-200 : 1e-4) && high > (wide ? 1e200 : 1e4));
  }
}

static void a_rough_power_is_right_to_2e_7(void)
{
  static const double exponent[] = {1, 1.0 / 2, 1.0 / 3, 1.0 / 5, 1.0 / 8};
  double worst = 0, low = 1, high = 1;

  for (int wide = 0; wide < 2; ++wide) {
    spread(wide ? -990 : -20, wide ? 990 : 20);
    for (int e = 0; e < 5; ++e) {
      apply(PROBE_ROUGH_POW, exponent[e]);
      for (int i = 0; i < N; ++i) {
        worst = fmax(worst, (double)fabsl(y[i] / powl(x[i], exponent[e]) - 1));
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
      }
    }
  }
  printf("(rough pow %.1e) ", worst);
  CU_ASSERT(worst < 2e-7 && worst > 2e-8);
  CU_ASSERT(low < 1e-290 && high > 1e290);
}

static void a_power_of_an_extreme_number_says_so(void)
{
  static const double strange[8] = {0, 1e-310, 9e-301, INFINITY, NAN, 2e300, 1, 1e-280};

  for (int w = 0; w < 2 * n_probe(); ++w) {
    const bool rough = w % 2;
    double out[8];
    probes[w / 2].map(rough ? PROBE_ROUGH_POW : PROBE_POW, 0.5, 8, strange, out, NULL);
    CU_ASSERT(out[0] == 0 && out[1] == 0 && out[2] == 0);
    CU_ASSERT(isinf(out[3]) && isnan(out[4]) && out[5] > 1e150);
    CU_ASSERT(fabs(out[6] - 1) <= (rough ? 2e-7 : 0));
    CU_ASSERT_DOUBLE_EQUAL(out[7], 1e-140, rough ? 2e-147 : 1e-152);
  }
}

static void sine_and_cosine_are_right_to_2e_16(void)
{
  double worst = 0, above = 0, below = 0;

  for (int i = 0; i < N; ++i) {
    x[i] = (2 * chance() - 1) * (i % 4 == 0 ? 1e5 : i % 4 == 1 ? 100 : 1);
    if (i % 4 == 3) x[i] = floor(20000 * x[i]) * M_PI_4; /* where one of them is 0, or both meet */
  }
  apply(PROBE_SINCOS, 0);
  for (int i = 0; i < N; ++i) {
    worst = fmax(worst, (double)fabsl(y[i] - sinl(x[i])));
    worst = fmax(worst, (double)fabsl(z[i] - cosl(x[i])));
    above = fmax(above, fmin(y[i], z[i]));
    below = fmin(below, fmax(y[i], z[i]));
  }
  printf("(sincos %.1e) ", worst);
  CU_ASSERT(worst < 2e-16 && worst > 1e-17);
  CU_ASSERT(above > 0.7 && below < -0.7);
}

static void the_spacing_is_the_distance_to_the_next_double(void)
{
  spread(-1021.9, 1023);
  for (int i = 0; i < N; i += 2) x[i] = -x[i];
  apply(PROBE_SPACING, 0);
  for (int i = 0; i < N; ++i) {
    const double size = fabs(x[i]);
    CU_ASSERT_FATAL(y[i] == nextafter(size, INFINITY) - size && y[i] > 0);
  }
  const double none[8] = {0, -0.0, 1e-310, 1, 2, 3, -1, 0x1p-1022};
  probe_map_w1(PROBE_SPACING, 0, 8, none, y, NULL);
  CU_ASSERT(y[0] == 0 && y[1] == 0 && y[2] == 0);
  CU_ASSERT(y[3] == eps && y[4] == 2 * eps && y[5] == 2 * eps && y[6] == eps);
  CU_ASSERT_EQUAL(y[7], 0x1p-1074);
}

SAL_TEST_MAIN("elementary functions in lanes", NULL,
              {"the logarithm is right to one ulp", the_logarithm_is_right_to_one_ulp},
              {"the exponential is right to one ulp", the_exponential_is_right_to_one_ulp},
              {"a power is right to the rounding of its logarithm",
               a_power_is_right_to_the_rounding_of_its_logarithm},
              {"a rough power is right to 2e-7", a_rough_power_is_right_to_2e_7},
              {"a power of an extreme number is 0, infinite or NaN",
               a_power_of_an_extreme_number_says_so},
              {"sine and cosine are right to 2e-16", sine_and_cosine_are_right_to_2e_16},
              {"the spacing is the distance to the next double",
               the_spacing_is_the_distance_to_the_next_double})
