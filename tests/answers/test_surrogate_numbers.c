/** Numbers of a made-up table, computed by a second implementation of the same formulas (numpy).
 *
 *  72 cells with curved means and noise from SplitMix64; one pair fails at the last tolerance in every
 *  third cell, the other one everywhere in one cell; four references are poor.
 */
#include "answer.h"
#include "memory.h"
#include "sal_test.h"
#include "scramble.h"
#include "surrogate.h"
#include "surrogate_view.h"
#include "sweep_read.h"
#include <math.h>
#include <string.h>

#define TEXT                                                                                       \
  "model: monopod\nt_end: 50\nsolvers: [ode45, ode23]\nstrategies: [switch]\n"                     \
  "rtol: [1e-2, 1e-3, 1e-5, 1e-6]\ncells:\n  axes:\n"                                              \
  "    - {name: b, log: [100, 6400], points: 9}\n    - {name: k, linear: [10, 40], points: 8}\n"
enum { N_K = 8, TOLERANCES = 4, B = 0, K = 2 };

static sal_sweep sweep;
static sal_performance_table table;
static sal_surrogate *surrogate;
static sal_surrogate_fit made; /* by the surrogate itself */

static double draw(uint64_t i) { return (double)(sal_scramble(i) >> 11) * 0x1p-53; }

static void fill_cell(int i)
{
  const double b = (double)(i / N_K) / 8, k = (double)(i % N_K) / 7;

  table.reference_error[i] = i < 4 ? 5e-4 : 1e-9;
  for (int t = 0; t < TOLERANCES; ++t)
    for (int p = 0; p < 2; ++p) {
      const int c = 2 * t + p;
      const double r = sweep.tolerance[t];
      if ((p == 1 && t == 3 && i % 3 == 0) || (p == 0 && i == 20)) continue;
      table.error[i * table.n_config + c] = 0.5 * exp((p ? 1.5 : -1) * b + 0.7 * k * k) *
                                            pow(r, 0.9) *
                                            exp(1.2 * (draw((uint64_t)(1000 * i + c)) - 0.5));
      table.work[i * table.n_config + c] = (p ? 200 : 300) * exp(0.4 * b - 0.3 * k) *
                                           pow(r, p ? -0.25 : -0.2) *
                                           exp(0.1 * (draw((uint64_t)(1000 * i + c + 500)) - 0.5));
    }
}

static sal_performance_source source;

static int begin(void)
{
  sal_err_clear();
  if (sal_sweep_parse("s.yaml", TEXT, 0, NULL, &sweep) != SAL_OK ||
      sal_performance_create(&sweep, sweep.n_cell, NULL, &(sal_work_weights){1, 0, 0, 0, NULL},
                             false, false, &table) != SAL_OK)
    return 1;
  for (int i = 0; i < sweep.n_cell; ++i) fill_cell(i);
  source = sal_performance_source_of(&table);
  if (sal_surrogate_open(&source, NULL, &surrogate) != SAL_OK) return 1;
  made = *sal_surrogate_fit_of(surrogate);
  sal_surrogate_close(&surrogate);
  sal_surrogate_fit given = made; /* as the second implementation had them */
  given.between =
      (sal_between_levels){.n_pair = 2, .n_part = 3}; /* errors on the line between levels */
  given.shape = (sal_error_shape){5, {-2.5, -1, 0, 1, 2.5}, {0.02, 0.15, 0.5, 0.85, 0.995}, {0}};
  memcpy(given.width, (double[]){1.1, 1.2, 1.4}, sizeof given.width);
  return sal_surrogate_open(&source, &given, &surrogate) != SAL_OK;
}

static void near(double found, double known)
{
  CU_ASSERT_DOUBLE_EQUAL(found / known, 1, 1e-9);
  if (!(fabs(found / known - 1) < 1e-9)) printf("%.16g instead of %.16g\n", found, known);
}

static void metric_width_and_calibration(void)
{
  const sal_surrogate_fit *fit = &made;

  CU_ASSERT_EQUAL(fit->metric.n, 2);
  near(fit->metric.l[0], 1.3321883356353061);
  near(fit->metric.l[1], 0.11463898993975677);
  near(fit->metric.l[2], 0.7506446147669585);
  /* two answers a cell, with either half of the levels left out */
  CU_ASSERT(fit->asked[0] > 72 && fit->asked[0] <= 144 && fit->asked[1] > 72 &&
            fit->asked[1] <= 144);
  CU_ASSERT(fit->shape.n > SAL_BETWEEN_SHAPE_QUANTILES); /* of 72 cells with 8 runs each */
  for (int e = 0; e < 2; ++e) {
    CU_ASSERT(fit->width[e] >= 1 && fit->width[e] <= 2);
    CU_ASSERT_DOUBLE_EQUAL(fit->predicted[e], fit->observed[e], 0.03);
    CU_ASSERT(fit->predicted[e] > 0.9 && fit->predicted[e] < 1);
  }
}

static bool same_fit(const sal_surrogate_fit *a, const sal_surrogate_fit *b)
{
  return memcmp(a->metric.l, b->metric.l, sizeof a->metric.l) == 0 &&
         memcmp(a->width, b->width, sizeof a->width) == 0 &&
         memcmp(a->shape.at, b->shape.at, sizeof a->shape.at) == 0 &&
         memcmp(a->predicted, b->predicted, sizeof a->predicted) == 0 &&
         memcmp(a->between.spread, b->between.spread, sizeof a->between.spread) == 0;
}

/* By three threads; the calibration of a question, for which cells are left out anew, is that of the fit. */
static void fits_are_the_same_on_any_number_of_threads(void)
{
  sal_performance_source from = source;
  sal_surrogate *shared;
  sal_surrogate_calibration is;

  from.threads = 3;
  from.loop = sal_parallel_for;
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_open(&from, NULL, &shared), SAL_OK);
  CU_ASSERT(same_fit(&made, sal_surrogate_fit_of(shared)));
  CU_ASSERT_EQUAL(sal_surrogate_fit_calibration(shared, source.by->preset[1], &is), SAL_OK);
  CU_ASSERT(is.asked == made.asked[1] && is.predicted == made.predicted[1] &&
            is.observed == made.observed[1]);
  sal_surrogate_close(&shared);
}

typedef struct {
  int pair;
  double tolerance, probability, error, work, total;
} choice;

static void compare_choice(const sal_surrogate_choice *c, const choice *known)
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
     0.0001,
     {0, 5.6234132519034914e-05, 0.9089387386922785, 4.7849198364314655e-05, 2328.2407225180764,
      2738.751935452868},
     {.pair = -1},
     {0, 5.6234132519034914e-05, 0.9089387386922785, 4.7849198364314655e-05, 2328.2407225180764,
      2738.751935452868},
     0},
    {300,
     35,
     0.003,
     {0, 0.001, 0.9205483126233877, 0.001388481527868973, 1032.0615965925674, 1175.4489527953392},
     {1, 0.00031622776601683794, 0.995, 0.0008486990626172746, 1293.253196731975,
      1331.5084001531006},
     {0, 0.001, 0.9205483126233877, 0.001388481527868973, 1032.0615965925674, 1175.4489527953392},
     0},
    {5000,
     12,
     2e-05,
     {0, 1.778279410038923e-05, 0.9523141000506985, 8.856922924290245e-06, 3774.6530709411522,
      4046.757347270708},
     {0, 1e-05, 0.995, 5.119105100040809e-06, 4229.12334034392, 4291.503156616854},
     {0, 1.778279410038923e-05, 0.9523141000506985, 8.856922924290245e-06, 3774.6530709411522,
      4046.757347270708},
     0},
    {100,
     10,
     0.0001,
     {0, 3.1622776601683795e-05, 0.9090301374759061, 4.363260304997713e-05, 2347.760797360748,
      2677.6734959194373},
     {1, 1.778279410038923e-05, 0.995, 2.589047390132304e-05, 3088.2135138802073,
      3131.5772953260102},
     {0, 3.1622776601683795e-05, 0.9090301374759061, 4.363260304997713e-05, 2347.760797360748,
      2677.6734959194373},
     0.17714757363949357}};

/* Its attempts are ever surer, and their works with what is needed of each are its total. */
static void is_a_plan(const sal_surrogate_answer *a)
{
  double sum = 0;

  CU_ASSERT(a->n_attempt >= 1 && a->attempts[0].pair == a->best.pair &&
            a->attempts[0].tolerance == a->best.tolerance);
  for (int i = 0; i < a->n_attempt; ++i) {
    const double before = i > 0 ? a->attempts[i - 1].probability : 0;
    CU_ASSERT(a->attempts[i].probability > before);
    CU_ASSERT_DOUBLE_EQUAL(sal_answer_needed(a, i), 1 - 0.998 * before, 1e-15);
    sum += sal_answer_needed(a, i) * a->attempts[i].work;
  }
  near(a->best.total, sum + sal_answer_needed(a, a->n_attempt) * a->fallback);
  /* no more expensive than to go on with the most expensive run at once, from here and from the answer of one pair */
  CU_ASSERT(a->best.total <=
            a->repeated.work + (1 - 0.998 * a->repeated.probability) * a->fallback + 1e-9);
}

static void answers_at_points(void)
{
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    static sal_surrogate_answer a;
    double value[SAL_MAX_QUANTITY] = {0};
    sal_surrogate_question q = {.error = known[i].error, .probability = NAN};
    value[B] = known[i].b;
    value[K] = known[i].k;
    CU_ASSERT_EQUAL_FATAL(sal_surrogate_ask(surrogate, value, &q, &a), SAL_OK);
    CU_ASSERT_EQUAL(a.n_cell, 48);
    compare_choice(&a.best, &known[i].best);
    near(a.best.total, known[i].best.total);
    is_a_plan(&a);
    compare_choice(&a.safe, &known[i].safe);
    CU_ASSERT_DOUBLE_EQUAL(a.unverified, known[i].unverified, 1e-12);
    q.probability = 0.9;
    CU_ASSERT_EQUAL_FATAL(sal_surrogate_ask(surrogate, value, &q, &a), SAL_OK);
    compare_choice(&a.best, &known[i].with_90);
  }
}

static void where_no_run_reaches_the_error(void)
{
  static sal_surrogate_answer a;
  double value[SAL_MAX_QUANTITY] = {[B] = 200, [K] = 12};

  CU_ASSERT_EQUAL_FATAL(
      sal_surrogate_ask(surrogate, value,
                        &(sal_surrogate_question){.error = 1e-6, .probability = NAN}, &a),
      SAL_OK);
  CU_ASSERT_EQUAL(a.best.pair, -1);
  CU_ASSERT_EQUAL(a.n_cell, 48);
  near(a.likely.probability, 0.13090098901656247);
  near(a.unverified, 0.15446004327056212);
}

/* Against as many answers at points drawn evenly in the box. */
static void a_box_is_what_its_points_are(void)
{
  enum { DRAWN = 1000 };
  static sal_surrogate_answer a;
  static sal_surrogate_box box;
  double lo[SAL_MAX_QUANTITY] = {[B] = 200, [K] = NAN},
         hi[SAL_MAX_QUANTITY] = {[B] = 3200, [K] = NAN};
  const sal_surrogate_question q = {.error = 1e-2, .probability = NAN};
  double share[2] = {0}, work = 0, more = 0, least = 1;

  CU_ASSERT_EQUAL_FATAL(sal_surrogate_box_ask(surrogate, "--at", lo, hi, &q, &box), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(box.lo[K], 10, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(box.hi[K], 40, 1e-12);
  CU_ASSERT(box.n_answered == SAL_SURROGATE_BOX_POINTS && box.n_winner == 2);
  for (int i = 0; i < DRAWN; ++i) {
    double value[SAL_MAX_QUANTITY] = {
        [B] = 200 * pow(16, draw((uint64_t)i + 70000)), [K] = 10 + 30 * draw((uint64_t)i + 80000)};
    CU_ASSERT_EQUAL_FATAL(sal_surrogate_ask(surrogate, value, &q, &a), SAL_OK);
    const sal_surrogate_choice one = sal_surrogate_candidate(surrogate, box.pair, box.tolerance);
    share[a.best.pair] += 1.0 / DRAWN;
    work += a.best.work / DRAWN;
    more += (one.total / a.best.total - 1) / DRAWN;
    least = fmin(least, one.probability);
  }
  for (int i = 0; i < 2; ++i)
    CU_ASSERT_DOUBLE_EQUAL(box.winner[i].share, share[box.winner[i].pair], 0.05);
  CU_ASSERT(box.winner[0].share >= box.winner[1].share && box.winner[1].share > 0);
  CU_ASSERT_DOUBLE_EQUAL(box.work.mean / work, 1, 0.02);
  CU_ASSERT(box.work.least < box.work.mean && box.work.mean < box.work.most);
  CU_ASSERT_DOUBLE_EQUAL(box.more, more, 0.02);
  CU_ASSERT(box.more > 0.001);
  CU_ASSERT_DOUBLE_EQUAL(box.one_probability.least, least, 0.05);

  hi[B] = 7000; /* the map ends at 6400 */
  CU_ASSERT_EQUAL(sal_surrogate_box_ask(surrogate, "--at", lo, hi, &q, &box), SAL_ERR_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "b = 200 .. 7000 reaches out of this cube"));
  sal_err_clear();
}

static void all_memory_is_given_back(void)
{
  sal_surrogate_close(&surrogate);
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("numbers of the surrogate", begin,
              {"metric, width and calibration", metric_width_and_calibration},
              {"fits are the same on any number of threads",
               fits_are_the_same_on_any_number_of_threads},
              {"answers at points", answers_at_points},
              {"where no run reaches the error", where_no_run_reaches_the_error},
              {"a box is what its points are", a_box_is_what_its_points_are},
              {"all memory is given back", all_memory_is_given_back})
