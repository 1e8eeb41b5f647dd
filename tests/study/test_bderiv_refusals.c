/** Trajectories without a B-derivative: each is refused by one message with the reason. */
#include "bderiv.h"
#include "kernels/octants.h"
#include "kernels/run_one.h"
#include "kernels/two_fields.h"
#include "memory.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

/* The last failure is one line with both texts. */
static bool said(sal_err err, const char *a, const char *b)
{
  const char *m = sal_err_message();
  const bool okay = err != SAL_OK && strstr(m, a) && strstr(m, b) && !strchr(m, '\n');

  if (!okay) fprintf(stderr, "\n    %s\n", m);
  sal_err_clear();
  return okay;
}

static sal_err create(const sal_model *model, const double param[], const double initial[],
                      double t_end, sal_bderiv *b)
{
  static sal_setup setup; /* borrowed by *b */

  setup = config("decay", "dop853", "event", 1e-13, t_end);
  setup.model = model;
  setup.n_guard = model->n_guard;
  setup.max_attempts = 100000;
  return sal_bderiv_create(&setup, param, initial, b);
}

static bool refuses(const sal_model *model, const double param[], const double initial[],
                    double t_end, const char *a, const char *b)
{
  sal_bderiv derivative;
  const sal_err err = create(model, param, initial, t_end, &derivative);

  if (err == SAL_OK) sal_bderiv_free(&derivative);
  return said(err, a, b);
}

static bool derives(const sal_model *model, const double param[], const double initial[],
                    double t_end)
{
  sal_bderiv derivative;
  const sal_err err = create(model, param, initial, t_end, &derivative);

  if (err != SAL_OK) return !said(err, "", "");
  sal_bderiv_free(&derivative);
  return true;
}

/* The variational equation is not a second-order system, whatever the model is. */
static void a_method_for_second_order_systems(void)
{
  static const double param[] = {1, 10, 0.2}, high[] = {1, 0};
  sal_setup setup = config("linear-ground", "rosnys4", "event", 1e-8, 1);
  sal_bderiv derivative;

  setup.n_guard = 1;
  CU_ASSERT(
      said(sal_bderiv_create(&setup, param, high, &derivative), "rosnys4", "variational equation"));
  setup.method = sal_registry_method("radau5");
  const sal_err err = sal_bderiv_create(&setup, param, high, &derivative);
  CU_ASSERT_EQUAL(err, SAL_OK);
  if (err == SAL_OK) sal_bderiv_free(&derivative);
}

static const double none[] = {0}, start[] = {-0.4, -0.15, 0.3};

static void a_start_on_a_surface(void)
{
  const sal_model *m = sal_registry_model("affine3");

  CU_ASSERT(refuses(m, none, (double[]){0, -0.15, 0.3}, 0.5, "contact 0", "at the start"));
  CU_ASSERT(refuses(m, none, (double[]){-0.4, -1e-16, 0.3}, 0.5, "contact 1", "at the start"));
  CU_ASSERT(derives(m, none, (double[]){-0.4, -1e-9, 0.3}, 0.5));
}

static void an_end_on_a_surface(void)
{
  const sal_model *m = sal_registry_model("affine3");
  const double t = 0.369207153821750016;

  for (int ulps = -40; ulps <= 40; ulps += 20)
    CU_ASSERT(refuses(m, none, start, t * (1 + ulps * 0x1p-52), "contact 0", "at the end"));
  CU_ASSERT(derives(m, none, start, t - 1e-12));
  CU_ASSERT(derives(m, none, start, t + 1e-12));
}

/* The mass rises exactly to the length of its leg. */
static void a_graze(void)
{
  const sal_model *m = sal_registry_model("hopper1d");
  const double param[] = {9.81, 200, 1, 1}, depth = 2 * 9.81 / 200;
  const double barely[] = {1 - depth - 1e-14, 0}, well[] = {1 - depth - 1e-4, 0}, up[] = {1, 0};
  sal_bderiv b;
  double to[2];

  CU_ASSERT_EQUAL_FATAL(create(m, param, barely, 0.4, &b), SAL_OK);
  CU_ASSERT(b.n_instant > 0);
  CU_ASSERT(said(sal_bderiv_map(&b, up, to, NULL), "contact 0 is grazed", "rate of"));
  sal_bderiv_free(&b);
  CU_ASSERT_EQUAL_FATAL(create(m, param, well, 0.4, &b), SAL_OK);
  CU_ASSERT_EQUAL(sal_bderiv_map(&b, up, to, NULL), SAL_OK);
  CU_ASSERT(fabs(to[0]) > 0.1);
  sal_bderiv_free(&b);
}

static void infinitely_many_impacts(void)
{
  const sal_model *m = sal_registry_model("bouncing-ball");
  const double param[] = {9.81, 0.5};

  CU_ASSERT(refuses(m, param, (double[]){1, 0}, 3, "rest", "infinitely many"));
  CU_ASSERT(derives(m, param, (double[]){1, 0}, 1.2));
}

static void a_trajectory_that_ends_early(void)
{
  const double slide[] = {-1, 3}, cross[] = {-1, -3}, above[] = {1};

  CU_ASSERT(refuses(&two_fields, slide, above, 2, "ended early, at t = 1", "contacts changed"));
  CU_ASSERT(derives(&two_fields, cross, above, 2));
}

static void two_resets_at_once(void)
{
  static sal_model twin;
  const double param[] = {4, 0, OCTANTS_USUAL};
  double F[OCTANTS_N], at[OCTANTS_N];

  twin = octants;
  octants_field(4, 0, F);
  for (int i = 0; i < OCTANTS_N; ++i) at[i] = -0.3 * F[i];
  CU_ASSERT(derives(&twin, param, at, 0.7));
  twin.resets = true;
  CU_ASSERT(refuses(&twin, param, at, 0.7, "contacts 0 and 1 reset", "order matters"));
}

/* Fields before and after all three surfaces lead on, but one between them leads back. */
static void a_direction_that_meets_a_field_leading_back(void)
{
  enum { N = OCTANTS_N, SEEDS = 1000 };
  int crossed = 0, back = 0;

  for (int seed = 0; seed < SEEDS; ++seed) {
    const double param[] = {seed, 0, 1.1}, origin[N] = {0};
    const bool none_of[N] = {false}, all[N] = {true, true, true};
    double first[N], last[N], at[N], to[N], least = INFINITY;
    sal_bderiv b;
    sal_model_field(&octants, param, none_of, 0, origin, first);
    sal_model_field(&octants, param, all, 0, origin, last);
    for (int i = 0; i < N; ++i) least = fmin(least, fmin(first[i], last[i]));
    if (least < 0.1) continue;
    for (int i = 0; i < N; ++i) at[i] = -0.3 * first[i];
    CU_ASSERT_EQUAL_FATAL(create(&octants, param, at, 0.7, &b), SAL_OK);
    const sal_err err = sal_bderiv_map(&b, (double[]){1, 0.2, -0.5}, to, NULL);
    if (err == SAL_OK)
      ++crossed;
    else {
      CU_ASSERT(said(err, "is not crossed at t = 0.3", "leads back, at a rate of -"));
      ++back;
    }
    sal_bderiv_free(&b);
  }
  CU_ASSERT(crossed > 5 && back > 5);
}

static void a_state_too_large(void)
{
  static sal_model large;

  large = *sal_registry_model("decay");
  large.n_state = SAL_MAX_DENSE / 2 + 1;
  CU_ASSERT(refuses(&large, none, start, 1, "65 states", "at most 63"));
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("B-derivative: refusals", NULL,
              {"a method for second-order systems", a_method_for_second_order_systems},
              {"a start on a surface", a_start_on_a_surface},
              {"an end on a surface", an_end_on_a_surface}, {"a graze", a_graze},
              {"infinitely many impacts", infinitely_many_impacts},
              {"a trajectory that ends early", a_trajectory_that_ends_early},
              {"two resets at once", two_resets_at_once},
              {"a direction into a field that leads back",
               a_direction_that_meets_a_field_leading_back},
              {"a state too large", a_state_too_large}, {"memory comes back", memory_comes_back})
