/** Programs of operations: each operation against C or libm's long double functions, the same bits at every width.
 */
#include "lane_probe.h"
#include "program_paired.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { N = 65536, X = 0, Y = 1, OUT = 5, THIRD, LAST, OTHER, REGISTERS };

static double x[N], y[N], out[N], out_w1[N];

/* A reproducible number in [0, 1). */
static double chance(void)
{
  static uint64_t state = 7;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53;
}

/* A program of two states; fails where another width has other bits. */
static void interpret(const sal_instruction code[])
{
  const uint16_t result[] = {OUT, X};
  const sal_flow_programs programs = {
      .n_continuous = 2,
      .rhs = {.n_register = REGISTERS, .code = code, .paired = code, .n_out = 2, .out = result}};

  for (int w = 0; w < n_probe(); ++w) {
    probes[w].program(&programs, N, x, y, out);
    if (w == 0) memcpy(out_w1, out, sizeof out);
    int differ = 0;
    for (int i = 0; i < N; ++i)
      differ += memcmp(&out[i], &out_w1[i], sizeof out[i]) && !(isnan(out[i]) && isnan(out_w1[i]));
    CU_ASSERT_EQUAL(differ, 0);
  }
}

/* One operation on two states. */
static void apply(sal_program_op op)
{
  interpret((sal_instruction[]){{(uint16_t)op, OUT, X, Y, X}, {.op = SAL_PROGRAM_end}});
}

/* In units of the last place of the right value, subnormal ones included. */
static double ulps(double found, long double right)
{
  const double near = (double)right, size = fabs(near);

  if (isnan(right)) return isnan(found) ? 0 : INFINITY;
  if (isinf(near) || isinf(found)) return found == near ? 0 : INFINITY;
  if (size == 0 || found == 0)
    return found == near && signbit(found) == signbit(near) ? 0 : fabs(found - near) / 0x1p-1074;
  return (double)(fabsl((long double)found - right) /
                  fmaxl((long double)nextafter(size, INFINITY) - size, 0x1p-1074L));
}

typedef long double (*function)(long double, long double);
#define RIGHT(name)                                                                                \
  static long double right_##name(long double a, long double b) { return (void)b, name##l(a); }
RIGHT(tan)
RIGHT(asin)
RIGHT(acos)
RIGHT(atan)
RIGHT(sinh)
RIGHT(cosh)
RIGHT(tanh)
RIGHT(exp)
RIGHT(log)
static long double right_pow(long double a, long double b) { return powl(a, b); }
static long double right_atan2(long double a, long double b) { return atan2l(a, b); }

/* Where a function is looked at: spread evenly, or evenly in the logarithm. */
typedef struct {
  sal_program_op op;
  function right;
  double least, most;
  bool spread;
  double allowed; /* [ulp] */
} range;

static const range ranges[] = {
    {SAL_PROGRAM_tan, right_tan, -1e5, 1e5, false, 2},
    {SAL_PROGRAM_tan, right_tan, 1e-300, 2, true, 2},
    {SAL_PROGRAM_asin, right_asin, -1, 1, false, 2},
    {SAL_PROGRAM_asin, right_asin, 1e-300, 1, true, 2},
    {SAL_PROGRAM_acos, right_acos, -1, 1, false, 2},
    {SAL_PROGRAM_atan, right_atan, -5, 5, false, 2},
    {SAL_PROGRAM_atan, right_atan, 1e-300, 1e300, true, 2},
    {SAL_PROGRAM_sinh, right_sinh, -711, 711, false, 2},
    {SAL_PROGRAM_sinh, right_sinh, 1e-300, 40, true, 2},
    {SAL_PROGRAM_cosh, right_cosh, -711, 711, false, 2},
    {SAL_PROGRAM_cosh, right_cosh, 1e-300, 40, true, 2},
    {SAL_PROGRAM_tanh, right_tanh, -30, 30, false, 2},
    {SAL_PROGRAM_tanh, right_tanh, 1e-300, 2, true, 2},
    {SAL_PROGRAM_exp, right_exp, -746, 710, false, 2},
    {SAL_PROGRAM_exp, right_exp, -1, 1, false, 2},
    {SAL_PROGRAM_log, right_log, 0x1p-1074, 0x1.fp1023, true, 2},
    {SAL_PROGRAM_log, right_log, 0.5, 2, false, 2},
};

static void draw(const range *r, double values[])
{
  for (int i = 0; i < N; ++i)
    values[i] = r->spread ? exp(log(r->least) + (log(r->most) - log(r->least)) * chance())
                          : r->least + (r->most - r->least) * chance();
}

static void functions_are_right_to_two_ulp(void)
{
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; ++k) {
    const range *r = &ranges[k];
    double worst = 0, at = 0, least = INFINITY;
    draw(r, x);
    apply(r->op);
    for (int i = 0; i < N; ++i) {
      const double u = ulps(out[i], r->right(x[i], 0));
      if (u > worst) worst = u, at = x[i];
      least = fmin(least, fabs(out[i]));
    }
    if (worst > r->allowed) printf("op %d range %d: %g ulp at %.17g\n", r->op, (int)k, worst, at);
    CU_ASSERT(worst <= r->allowed);
    CU_ASSERT(worst > 0.3); /* it is a rounded value of something that was computed */
    CU_ASSERT(isfinite(least));
  }
}

/* sin and cos are right in absolute terms (lane_math.h). */
static void sines_are_those_of_the_models(void)
{
  for (int i = 0; i < N; ++i) x[i] = 200 * chance() - 100;
  apply(SAL_PROGRAM_sin);
  for (int i = 0; i < N; ++i) CU_ASSERT(fabs(out[i] - sin(x[i])) <= 4e-16);
  apply(SAL_PROGRAM_cos);
  for (int i = 0; i < N; ++i) CU_ASSERT(fabs(out[i] - cos(x[i])) <= 4e-16);
}

static void powers_are_right_to_two_ulp(void)
{
  static const double base[][2] = {{0.5, 2}, {1e-300, 1e300}, {0.999, 1.001}},
                      power[][2] = {{-400, 400}, {-1, 1}, {-3e5, 3e5}};

  for (int k = 0; k < 3; ++k) {
    double worst = 0;
    int counted = 0;
    for (int i = 0; i < N; ++i) {
      x[i] = exp(log(base[k][0]) + (log(base[k][1]) - log(base[k][0])) * chance());
      y[i] = power[k][0] + (power[k][1] - power[k][0]) * chance();
      if (i % 4 == 0) y[i] = rint(y[i]);
      if (i % 8 == 0) x[i] = -x[i];
    }
    apply(SAL_PROGRAM_pow);
    for (int i = 0; i < N; ++i) {
      const long double right = powl(x[i], y[i]);
      const double u = ulps(out[i], right);
      counted += isfinite((double)right) && right != 0;
      if (u > worst) worst = u;
      if (u > 2) printf("%.17g ^ %.17g: %g ulp\n", x[i], y[i], u);
    }
    CU_ASSERT(worst <= 2);
    CU_ASSERT(counted > N / 4);
  }
}

static void angles_have_their_quadrant(void)
{
  double worst = 0;

  for (int i = 0; i < N; ++i) {
    x[i] = (chance() - 0.5) * exp(20 * chance() - 10);
    y[i] = (chance() - 0.5) * exp(20 * chance() - 10);
  }
  apply(SAL_PROGRAM_atan2);
  for (int i = 0; i < N; ++i) worst = fmax(worst, ulps(out[i], atan2l(x[i], y[i])));
  CU_ASSERT(worst <= 2);
}

/* Extreme arguments by IEEE 754 and C, each against libm. */
static void ends_are_those_of_ieee(void)
{
  static const double end[] = {0,     -0.0,      1,          -1,        2,          -2,
                               3,     -3,        0.5,        -0.5,      INFINITY,   -INFINITY,
                               NAN,   0x1p-1074, -0x1p-1074, 0x1p53,    0x1p53 + 2, -0x1p53,
                               1e300, -1e300,    1e-300,     0x1p52 + 1};
  static const struct {
    sal_program_op op;
    function right;
  } each[] = {{SAL_PROGRAM_asin, right_asin}, {SAL_PROGRAM_acos, right_acos},
              {SAL_PROGRAM_atan, right_atan}, {SAL_PROGRAM_sinh, right_sinh},
              {SAL_PROGRAM_cosh, right_cosh}, {SAL_PROGRAM_tanh, right_tanh},
              {SAL_PROGRAM_exp, right_exp},   {SAL_PROGRAM_log, right_log},
              {SAL_PROGRAM_pow, right_pow},   {SAL_PROGRAM_atan2, right_atan2}};
  const int n = sizeof end / sizeof *end;

  for (int i = 0; i < N; ++i) x[i] = end[i % n], y[i] = end[i / n % n];
  for (size_t k = 0; k < sizeof each / sizeof *each; ++k) {
    apply(each[k].op);
    for (int i = 0; i < n * n; ++i) {
      const double right = (double)each[k].right(x[i], y[i]);
      const bool same =
          ulps(out[i], right) <= 2 && (isnan(right) || signbit(out[i]) == signbit(right));
      if (!same) printf("op %d of %g, %g: %g, not %g\n", each[k].op, x[i], y[i], out[i], right);
      CU_ASSERT(same);
    }
  }
  apply(SAL_PROGRAM_tan);
  for (int i = 0; i < n; ++i)
    CU_ASSERT(fabs(x[i]) <= 1e5 ? ulps(out[i], tanl(x[i])) <= 2 : isnan(out[i]));
}

static void arithmetic_is_that_of_c(void)
{
  for (int i = 0; i < N; ++i) x[i] = 4 * chance() - 2, y[i] = i % 5 ? 4 * chance() - 2 : x[i];
#define SAME(op, expression)                                                                       \
  apply(SAL_PROGRAM_##op);                                                                         \
  for (int i = 0; i < N; ++i) {                                                                    \
    const double a = x[i], b = y[i], right = (expression);                                         \
    (void)b;                                                                                       \
    CU_ASSERT(memcmp(&out[i], &right, sizeof right) == 0 || (isnan(out[i]) && isnan(right)));      \
  }
  SAME(add, a + b)
  SAME(sub, a - b)
  SAME(mul, a * b)
  SAME(div, a / b)
  SAME(neg, -a)
  SAME(abs, fabs(a))
  SAME(sqrt, sqrt(a))
  SAME(min, a < b ? a : b)
  SAME(max, a > b ? a : b)
#undef SAME
#define MASK(op, condition)                                                                        \
  apply(SAL_PROGRAM_##op);                                                                         \
  for (int i = 0; i < N; ++i) {                                                                    \
    int64_t bits;                                                                                  \
    memcpy(&bits, &out[i], sizeof bits);                                                           \
    CU_ASSERT_EQUAL(bits, (condition) ? -1 : 0);                                                   \
  }
  MASK(lt, x[i] < y[i])
  MASK(le, x[i] <= y[i])
  MASK(gt, x[i] > y[i])
  MASK(ge, x[i] >= y[i])
  MASK(eq, x[i] == y[i])
  MASK(ne, x[i] != y[i])
#undef MASK
}

/* The register of an operand that is the value before is not read: another one is named.  `select` has a mask first. */
static void operands_are_the_value_before(void)
{
  static double right[N];
  int differ = 0, n = 0;

  for (int i = 0; i < N; ++i) x[i] = 4 * chance() - 2, y[i] = 4 * chance() - 2;
  for (int op = SAL_PROGRAM_add; op < SAL_N_PROGRAM_PAIRED; ++op) {
    const bool selects = op == SAL_PROGRAM_select;
    const sal_instruction third = {selects ? SAL_PROGRAM_lt : SAL_PROGRAM_sub, THIRD, Y, X, 0},
                          last = {SAL_PROGRAM_mul, LAST, X, X, 0},
                          other = {SAL_PROGRAM_add, OTHER, X, Y, 0}, end = {SAL_PROGRAM_end};
    if (!SAL_PROGRAM_CAN_FOLLOW(op) || op == SAL_PROGRAM_closed) continue;
    for (int k = selects; k < 3; ++k, ++n) {
      uint16_t at[] = {THIRD, Y, X};
      at[k] = LAST;
      const sal_instruction own = {(uint16_t)op, OUT, at[0], at[1], at[2]};
      at[k] = OTHER;
      const sal_instruction follows = {(uint16_t)SAL_PROGRAM_FOLLOWS(op, k), OUT, at[0], at[1],
                                       at[2]};
      interpret((sal_instruction[]){third, last, other, own, end});
      memcpy(right, out, sizeof out);
      interpret((sal_instruction[]){third, other, last, follows, end});
      differ += memcmp(right, out, sizeof out) != 0;
    }
  }
  CU_ASSERT_EQUAL(differ, 0);
  CU_ASSERT(n > 3 * (SAL_N_PROGRAM_PAIRED - SAL_N_PROGRAM_OP));
}

SAL_TEST_MAIN("programs", NULL, {"functions are right to two ulp", functions_are_right_to_two_ulp},
              {"sines are those of the models", sines_are_those_of_the_models},
              {"powers are right to two ulp", powers_are_right_to_two_ulp},
              {"angles have their quadrant", angles_have_their_quadrant},
              {"ends are those of IEEE 754", ends_are_those_of_ieee},
              {"arithmetic is that of C", arithmetic_is_that_of_c},
              {"operands are the value before", operands_are_the_value_before})
