/** @file tests/answers/test_reader_numbers.c
 *  Numbers of a made-up table, computed by a second implementation of the same formulas (numpy).
 *
 *  42 cells with curved means and noise from SplitMix64; one pair fails at the last tolerance in every
 *  third cell, the other one everywhere in one cell; four references are poor.
 */
#include "memory.h"
#include "reader.h"
#include "sal_test.h"
#include "scramble.h"
#include "sweep_read.h"
#include <math.h>

#define TEXT                                                                                       \
  "model: monopod\nt_end: 50\nmethods: [ode45, ode23]\nstrategies: [switch]\n"                     \
  "tolerances: [1e-2, 1e-3, 1e-5, 1e-6]\ncells:\n  axes:\n"                                        \
  "    - {name: b, log: [100, 6400], points: 7}\n    - {name: k, linear: [10, 40], points: 6}\n"
enum { N_K = 6, TOLERANCES = 4, B = 0, K = 2 };

static sal_sweep sweep;
static sal_performance_table table;
static sal_reader *reader;
static sal_reader_fit made; /* by the reader itself */

static double draw(uint64_t i) { return (double)(sal_scramble(i) >> 11) * 0x1p-53; }

static void fill_cell(int i)
{
  const double b = (double)(i / N_K) / 6, k = (double)(i % N_K) / 5;

  table.reference_error[i] = i < 4 ? 5e-4 : 1e-9;
  for (int t = 0; t < TOLERANCES; ++t)
    for (int p = 0; p < 2; ++p) {
      const int c = 2 * t + p;
      const double r = sweep.tolerance[t];
      if ((p == 1 && t == 3 && i % 3 == 0) || (p == 0 && i == 20)) continue;
      table.error[i * table.n_contender + c] = 0.5 * exp((p ? 1.5 : -1) * b + 0.7 * k * k) *
                                               pow(r, 0.9) *
                                               exp(1.2 * (draw((uint64_t)(1000 * i + c)) - 0.5));
      table.work[i * table.n_contender + c] =
          (p ? 200 : 300) * exp(0.4 * b - 0.3 * k) * pow(r, p ? -0.25 : -0.2) *
          exp(0.1 * (draw((uint64_t)(1000 * i + c + 500)) - 0.5));
    }
}

static sal_performance_source source;

static int begin(void)
{
  sal_err_clear();
  if (sal_sweep_parse("s.yaml", TEXT, 0, NULL, &sweep) != SAL_OK ||
      sal_performance_create(&sweep, sweep.n_cell, &(sal_work_weights){1, 0, 0, 0}, false, false,
                             &table) != SAL_OK)
    return 1;
  for (int i = 0; i < sweep.n_cell; ++i) fill_cell(i);
  source = sal_performance_source_of(&table);
  if (sal_reader_open(&source, NULL, &reader) != SAL_OK) return 1;
  made = *sal_reader_fit_of(reader);
  sal_reader_close(&reader);
  sal_reader_fit single = made; /* as wide as the second implementation was */
  single.width = 1;
  return sal_reader_open(&source, &single, &reader) != SAL_OK;
}

static void near(double found, double known)
{
  CU_ASSERT_DOUBLE_EQUAL(found / known, 1, 1e-9);
  if (!(fabs(found / known - 1) < 1e-9)) printf("%.16g instead of %.16g\n", found, known);
}

static void scale_width_and_promise(void)
{
  const sal_reader_fit *fit = &made;

  CU_ASSERT_EQUAL(fit->n, 2);
  near(fit->scale[0], 1.3591443532856375);
  near(fit->scale[1], 0.7357570206450618);
  CU_ASSERT(fit->width > 1 && fit->width <= 3); /* at 1 more is promised than kept */
  CU_ASSERT(fit->asked[0] == 42 && fit->asked[1] == 42);
  for (int e = 0; e < 2; ++e) {
    CU_ASSERT_DOUBLE_EQUAL(fit->promised[e], fit->kept[e], 0.03);
    CU_ASSERT(fit->promised[e] > 0.9 && fit->promised[e] < 1);
  }
}

typedef struct {
  int pair;
  double tolerance, probability, error, work, total;
} choice;

static void compare_choice(const sal_reader_choice *c, const choice *known)
{
  CU_ASSERT_EQUAL(c->pair, known->pair);
  if (c->pair < 0 || known->pair < 0) return;
  near(c->tolerance, known->tolerance);
  near(c->probability, known->probability);
  near(c->error, known->error);
  near(c->work, known->work);
}

static const struct {
  double b, k, error;
  choice best, safe, with_90;
  double unverified;
} known[] = {
    {900,
     22,
     1e-4,
     {0, 5.6234132519034914e-05, 0.920199626311042, 5.4933633429475766e-05, 2328.0367409566475,
      2904.3486435972686},
     {1, 1.1547819846894581e-05, 0.9989803578983494, 5.2048458278081865e-05, 3808.883315869998,
      3819.2009884586137},
     {0, 5.6234132519034914e-05, 0.920199626311042, 5.4933633429475766e-05, 2328.0367409566475,
      2904.3486435972686},
     0},
    {300,
     35,
     3e-3,
     {1, 0.0005623413251903491, 1, 0.0013955847983307527, 1124.504442611517, 1124.504442611517},
     {1, 0.0005623413251903491, 1, 0.0013955847983307527, 1124.504442611517, 1124.504442611517},
     {0, 0.001333521432163324, 0.922805784197049, 0.001718409030189606, 979.4958169392271,
      1184.7686482652769},
     0},
    {5000,
     12,
     2e-5,
     {0, 2.053525026457146e-05, 0.9703893825304761, 8.915084714373637e-06, 3684.0612478122193,
      3975.9702517620185},
     {.pair = -1},
     {0, 2.3713737056616554e-05, 0.937498089100641, 1.0202411119364817e-05, 3580.3592938076636,
      4038.745067363311},
     0},
    {100,
     10,
     1e-4,
     {1, 4.216965034285822e-05, 1, 4.9586398707440066e-05, 2481.2758072612837, 2481.275807261285},
     {1, 4.216965034285822e-05, 1, 4.9586398707440066e-05, 2481.2758072612837, 2481.275807261285},
     {0, 3.651741272548377e-05, 0.932548935067117, 5.3647295806485585e-05, 2267.0017392144423,
      2595.880021086579},
     0.2451240506149897}};

/* Its tries are ever surer, and their works with what is needed of each are its total. */
static void is_a_plan(const sal_reader_answer *a)
{
  double sum = 0;

  CU_ASSERT(a->n_try >= 1 && a->tries[0].pair == a->best.pair &&
            a->tries[0].tolerance == a->best.tolerance);
  for (int i = 0; i < a->n_try; ++i) {
    const double before = i > 0 ? a->tries[i - 1].probability : 0;
    CU_ASSERT(a->tries[i].probability > before);
    CU_ASSERT_DOUBLE_EQUAL(sal_reader_answer_needed(a, i), 1 - 0.998 * before, 1e-15);
    sum += sal_reader_answer_needed(a, i) * a->tries[i].work;
  }
  near(a->best.total, sum + sal_reader_answer_needed(a, a->n_try) * a->dearest);
  /* no dearer than to go on with the dearest run at once, from here and from the answer of one pair */
  CU_ASSERT(a->best.total <=
            a->repeated.work + (1 - 0.998 * a->repeated.probability) * a->dearest + 1e-9);
}

static void answers_at_points(void)
{
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    static sal_reader_answer a;
    double value[SAL_MAX_QUANTITY] = {0};
    sal_reader_question q = {.error = known[i].error, .confidence = NAN};
    value[B] = known[i].b;
    value[K] = known[i].k;
    CU_ASSERT_EQUAL_FATAL(sal_reader_ask(reader, value, &q, &a), SAL_OK);
    CU_ASSERT_EQUAL(a.n_cell, 32);
    compare_choice(&a.repeated, &known[i].best);
    near(a.repeated.total, known[i].best.total);
    is_a_plan(&a);
    compare_choice(&a.safe, &known[i].safe);
    CU_ASSERT_DOUBLE_EQUAL(a.unverified, known[i].unverified, 1e-12);
    q.confidence = 0.9;
    CU_ASSERT_EQUAL_FATAL(sal_reader_ask(reader, value, &q, &a), SAL_OK);
    compare_choice(&a.best, &known[i].with_90);
  }
}

static void where_no_run_reaches_the_error(void)
{
  static sal_reader_answer a;
  double value[SAL_MAX_QUANTITY] = {[B] = 640, [K] = 31};

  CU_ASSERT_EQUAL_FATAL(
      sal_reader_ask(reader, value, &(sal_reader_question){.error = 1e-6, .confidence = NAN}, &a),
      SAL_OK);
  CU_ASSERT_EQUAL(a.best.pair, -1);
  CU_ASSERT_EQUAL(a.n_cell, 33);
  near(a.likely.probability, 0.0040788066098615666);
  near(a.unverified, 0.0040788066098615666);
}

static void all_memory_is_given_back(void)
{
  sal_reader_close(&reader);
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("numbers of the reader", begin, {"scale, width and promise", scale_width_and_promise},
              {"answers at points", answers_at_points},
              {"where no run reaches the error", where_no_run_reaches_the_error},
              {"all memory is given back", all_memory_is_given_back})
