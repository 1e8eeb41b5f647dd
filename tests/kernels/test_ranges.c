/** Ranges of operations: each value at a point of a box lies in the range over the box, the range over a point
 *  is thin, and every width has the same bits.
 */
#include "range_probe.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { N = 16384, POINTS = 7, X = 0, Y = 1, MASK = 5, OUT = 6 };

static double memory[2][N_RANGE_COLUMN][N];
static double *column[2][N_RANGE_COLUMN];

static double chance(void)
{
  static uint64_t state = 11;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53;
}

/** An operation and the size of numbers it is tried on; `mask`: its result is one; `leaps`: it has jumps or poles. */
typedef struct {
  sal_program_op op;
  double size;
  bool mask, leaps;
  uint16_t a, b, c;
} trial;

static const double knot[] = {-2, -1, 0.5, 1, 3},
                    piece[] = {1, 2, -1, 0.5, 2.5, 1, 0, -0.25, 3, -2, 0.5, 0.1, 2, 0, 4, -1};

static void run(const trial *t)
{
  static range_probe *const probe[] = {range_probe_w1, SAL_W4(range_probe_w4),
                                       SAL_W8(range_probe_w8)};
  static const int lanes[] = {1, 4, 8};
  const sal_instruction code[] = {{SAL_PROGRAM_lt, MASK, X, Y, X},
                                  {(uint16_t)t->op, OUT, t->a, t->b, t->c},
                                  {SAL_PROGRAM_end, 0, 0, 0, 0}};
  const uint16_t result[] = {OUT, OUT};
  const sal_lookup table = {.n_knot = 5, .knot = knot, .piece = piece, .outside = {1, -7}};
  const sal_flow_programs programs = {
      .n_continuous = 2,
      .n_guard = 1,
      .table = &table,
      .guard = {.n_register = OUT + 1, .code = code, .paired = code, .n_out = 2, .out = result}};

  for (int w = 0; w < 3 && lanes[w] <= sal_integrate_widest(); ++w) {
    double *const *to = column[w > 0];
    for (int j = 0; j < GAP_0 && w > 0; ++j) memcpy(to[j], column[0][j], sizeof memory[0][j]);
    probe[w](&programs, N, to);
    int differ = 0;
    for (int j = GAP_0; j < N_RANGE_COLUMN && w > 0; ++j)
      for (int i = 0; i < N; ++i)
        differ += memcmp(&to[j][i], &column[0][j][i], sizeof to[j][i]) &&
                  !(j >= GAP && isnan(to[j][i]) && isnan(column[0][j][i]));
    CU_ASSERT_EQUAL(differ, 0);
  }
}

/* A number up to `size` of any magnitude, one in 16 of them whole, or 0. */
static double number(double size)
{
  const double x = size * (2 * chance() - 1) * pow(10, -8 * chance() * chance());

  return chance() < 0.0625 ? rint(x) : x;
}

/* Boxes of any width down to points. */
static void draw_boxes(double size, bool thin)
{
  for (int i = 0; i < N; ++i)
    for (int axis = 0; axis < 2; ++axis) {
      const double at = number(size), width = thin ? 0 : size * pow(10, -16 * chance());
      column[0][axis ? BOX_Y0 : BOX_X0][i] = at - width * chance();
      column[0][axis ? BOX_Y1 : BOX_X1][i] = at + width * chance();
    }
}

static double within(double low, double high, int point)
{
  if (point < 2) return point ? high : low;
  return fmin(fmax(low + (high - low) * chance(), low), high);
}

static void draw_points(int point)
{
  double *const *c = column[0];

  for (int i = 0; i < N; ++i) {
    c[POINT_X][i] = within(c[BOX_X0][i], c[BOX_X1][i], point % 2 ? 1 : point);
    c[POINT_Y][i] = within(c[BOX_Y0][i], c[BOX_Y1][i], point < 4 ? point / 2 : point);
  }
}

static uint64_t bits_of(double x)
{
  uint64_t bits;

  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Is the value in the range?  A mask may be set only where it is possible, and has to be where it is sure. */
static bool inside(const trial *t, int i)
{
  double *const *c = column[0];
  const double v = c[GAP][i];

  if (t->mask)
    return !(bits_of(v) & ~bits_of(c[GAP_1][i])) && !(bits_of(c[GAP_0][i]) & ~bits_of(v));
  if (isnan(c[GAP_0][i]) || isnan(c[GAP_1][i])) return false;
  return isnan(v) || (c[GAP_0][i] <= v && v <= c[GAP_1][i]);
}

/* The rate is that of the gap here; it is unbounded where the gap may leap, and nowhere else. */
static bool torn_rightly(const trial *t, int i)
{
  double *const *c = column[0];
  const bool torn = c[RATE_0][i] == -INFINITY && c[RATE_1][i] == INFINITY,
             same = c[RATE_0][i] == c[GAP_0][i] && c[RATE_1][i] == c[GAP_1][i];

  return t->mask || same || (torn && t->leaps);
}

static void report(const trial *t, int i, const char *what)
{
  double *const *c = column[0];

  printf(
      "op %d %s: [%.17g, %.17g] x [%.17g, %.17g]: %.17g %.17g gives %.17g, range [%.17g, %.17g]\n",
      t->op, what, c[BOX_X0][i], c[BOX_X1][i], c[BOX_Y0][i], c[BOX_Y1][i], c[POINT_X][i],
      c[POINT_Y][i], c[GAP][i], c[GAP_0][i], c[GAP_1][i]);
}

static void try_boxes(const trial *t)
{
  int wrong = 0, bounded = 0;

  draw_boxes(t->size, false);
  for (int point = 0; point < POINTS; ++point) {
    draw_points(point);
    run(t);
    for (int i = 0; i < N; ++i) {
      const bool good = inside(t, i) && torn_rightly(t, i);
      if (!good && wrong++ == 0) report(t, i, "outside");
      bounded += isfinite(column[0][GAP_0][i]) || isfinite(column[0][GAP_1][i]);
    }
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT(t->mask || bounded > N);
}

/* Over a point the range is wider than the value by rounding alone, but at a pole or a jump. */
static void try_points(const trial *t)
{
  double *const *c = column[0];
  const int most = t->leaps ? N / 16 : 0;
  int thick = 0, outside = 0, counted = 0;

  draw_boxes(t->size, true);
  draw_points(0);
  run(t);
  for (int i = 0; i < N; ++i) {
    const double v = c[GAP][i], wide = c[GAP_1][i] - c[GAP_0][i];
    if (!isfinite(v) && !t->mask) continue;
    ++counted;
    const bool good = t->mask ? bits_of(c[GAP_0][i]) == bits_of(c[GAP_1][i])
                              : wide <= 1e-12 * fmax(fabs(v), 0.01);
    if (!good && ++thick == most + 1) report(t, i, "thick");
    outside += !inside(t, i);
  }
  CU_ASSERT(thick <= most && outside == 0);
  CU_ASSERT(counted > N / 4);
}

static const trial trials[] = {
    {SAL_PROGRAM_add, 1e3, .b = Y},
    {SAL_PROGRAM_sub, 1e3, .b = Y},
    {SAL_PROGRAM_mul, 1e3, .b = Y},
    {SAL_PROGRAM_mul, 1e3, .b = X},
    {SAL_PROGRAM_div, 1e3, .b = Y, .leaps = true},
    {SAL_PROGRAM_neg, 1e3, .a = X},
    {SAL_PROGRAM_abs, 1e3, .a = X},
    {SAL_PROGRAM_clock, 1e3, .a = X},
    {SAL_PROGRAM_floor, 1e3, .a = X, .leaps = true},
    {SAL_PROGRAM_sqrt, 1e3, .a = X},
    {SAL_PROGRAM_min, 1e3, .b = Y},
    {SAL_PROGRAM_max, 1e3, .b = Y},
    {SAL_PROGRAM_select, 10, .a = MASK, .b = X, .c = Y, .leaps = true},
    {SAL_PROGRAM_lt, 2, .b = Y, .mask = true},
    {SAL_PROGRAM_le, 2, .b = Y, .mask = true},
    {SAL_PROGRAM_gt, 2, .b = Y, .mask = true},
    {SAL_PROGRAM_ge, 2, .b = Y, .mask = true},
    {SAL_PROGRAM_eq, 2, .b = Y, .mask = true},
    {SAL_PROGRAM_ne, 2, .b = Y, .mask = true},
    {SAL_PROGRAM_and, 2, .a = MASK, .b = MASK, .mask = true},
    {SAL_PROGRAM_or, 2, .a = MASK, .b = MASK, .mask = true},
    {SAL_PROGRAM_not, 2, .a = MASK, .mask = true},
    {SAL_PROGRAM_closed, 2, .mask = true},
    {SAL_PROGRAM_sin, 20, .a = X},
    {SAL_PROGRAM_sin, 9e4, .a = X},
    {SAL_PROGRAM_cos, 20, .a = X},
    {SAL_PROGRAM_cos, 9e4, .a = X},
    {SAL_PROGRAM_tan, 6, .leaps = true},
    {SAL_PROGRAM_asin, 1.2, .a = X},
    {SAL_PROGRAM_acos, 1.2, .a = X},
    {SAL_PROGRAM_atan, 30, .a = X},
    {SAL_PROGRAM_atan2, 10, .b = Y, .leaps = true},
    {SAL_PROGRAM_sinh, 30, .a = X},
    {SAL_PROGRAM_cosh, 30, .a = X},
    {SAL_PROGRAM_tanh, 5, .a = X},
    {SAL_PROGRAM_exp, 700, .a = X},
    {SAL_PROGRAM_log, 1e6, .a = X},
    {SAL_PROGRAM_pow, 8, .b = Y, .leaps = true},
    {SAL_PROGRAM_spacing, 1e3, .leaps = true},
    {SAL_PROGRAM_table, 5, .b = 0, .leaps = true},
    {SAL_PROGRAM_table, 5, .b = 1, .leaps = true},
    {SAL_PROGRAM_table, 5, .b = 2, .leaps = true},
};

static void ranges_enclose_values(void)
{
  for (size_t k = 0; k < sizeof trials / sizeof *trials; ++k) try_boxes(&trials[k]);
}

static void ranges_over_points_are_thin(void)
{
  for (size_t k = 0; k < sizeof trials / sizeof *trials; ++k) try_points(&trials[k]);
}

/* Whole powers of bases of both signs, and wholes that are odd over a pole. */
static void powers_of_both_signs(void)
{
  static const trial power = {SAL_PROGRAM_pow, 8, .b = Y, .leaps = true};

  draw_boxes(power.size, false);
  for (int i = 0; i < N; ++i) column[0][BOX_Y0][i] = column[0][BOX_Y1][i] = i % 13 - 6;
  for (int point = 0; point < POINTS; ++point) {
    draw_points(point);
    run(&power);
    int wrong = 0;
    for (int i = 0; i < N; ++i) wrong += !inside(&power, i) || !torn_rightly(&power, i);
    CU_ASSERT_EQUAL(wrong, 0);
  }
}

/* May the value leap in box i?  A selection does where its mask is undecided, an angle at its cut, the table where it ends
 * above. */
static bool may_leap(sal_program_op op, int i)
{
  double *const *c = column[0];
  const double x0 = c[BOX_X0][i], x1 = c[BOX_X1][i], y0 = c[BOX_Y0][i], y1 = c[BOX_Y1][i];

  if (op == SAL_PROGRAM_select) return x0 < y1 && !(x1 < y0);
  if (op == SAL_PROGRAM_atan2) return x0 <= 0 && x1 >= 0 && y0 <= 0;
  return x0 <= 3 && x1 > 3;
}

static void leaps_are_marked(void)
{
  static const trial each[] = {{SAL_PROGRAM_select, 10, .a = MASK, .b = X, .c = Y},
                               {SAL_PROGRAM_atan2, 10, .b = Y},
                               {SAL_PROGRAM_table, 5, .b = 0}};

  for (size_t k = 0; k < sizeof each / sizeof *each; ++k) {
    int leaps = 0, others = 0, wrong = 0;
    draw_boxes(each[k].size, false);
    draw_points(0);
    run(&each[k]);
    for (int i = 0; i < N; ++i) {
      const bool torn = column[0][RATE_0][i] == -INFINITY && column[0][RATE_1][i] == INFINITY;
      *(torn ? &leaps : &others) += 1;
      if (torn != may_leap(each[k].op, i) && wrong++ == 0) report(&each[k], i, "leaps");
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(leaps > N / 1000 && others > N / 2);
  }
}

static void squares_are_not_below_0(void)
{
  static const trial square = {SAL_PROGRAM_mul, 1e3, .b = X};

  draw_boxes(square.size, false);
  draw_points(0);
  run(&square);
  int below = 0;
  for (int i = 0; i < N; ++i) below += !(column[0][GAP_0][i] >= 0);
  CU_ASSERT_EQUAL(below, 0);
}

/* Each operation of the table has a trial, but for those that read the phase alone. */
static void every_operation_is_tried(void)
{
  bool tried[SAL_N_PROGRAM_OP] = {[SAL_PROGRAM_end] = true,
                                  [SAL_PROGRAM_held] = true,
                                  [SAL_PROGRAM_frozen] = true,
                                  [SAL_PROGRAM_rests] = true,
                                  [SAL_PROGRAM_closing] = true};

  for (size_t k = 0; k < sizeof trials / sizeof *trials; ++k) tried[trials[k].op] = true;
  for (int op = 0; op < SAL_N_PROGRAM_OP; ++op) CU_ASSERT(tried[op]);
}

static int set_up(void)
{
  for (int side = 0; side < 2; ++side)
    for (int j = 0; j < N_RANGE_COLUMN; ++j) column[side][j] = memory[side][j];
  return 0;
}

SAL_TEST_MAIN("ranges", set_up, {"ranges enclose values", ranges_enclose_values},
              {"ranges over points are thin", ranges_over_points_are_thin},
              {"powers of both signs", powers_of_both_signs},
              {"leaps are marked", leaps_are_marked},
              {"squares are not below 0", squares_are_not_below_0},
              {"every operation is tried", every_operation_is_tried})
