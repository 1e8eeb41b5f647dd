/** The C library from several threads at once: each has the answers of a lone thread, to the last bit, and
 *  opens the model that it names.  The thread sanitizer's build runs it, too (jobscripts/attack.sh).
 */
#include "sal_test.h"
#include "saltus.h"
#include <math.h>
#include <pthread.h>
#include <string.h>

enum { KINDS = 4, THREADS = 2 * KINDS, ROUNDS = 6, RUNS = 9, STATES = 4, MONOPOD = 4 };

/* A ball by the name of a built-in model. */
static int fall(void *with, double t, const double y[], const double p[], const int closed[],
                double slope[])
{
  (void)with;
  (void)t;
  (void)closed;
  slope[0] = y[1];
  slope[1] = -p[0];
  return 0;
}

static int height(void *with, double t, const double y[], const double p[], double gap[])
{
  (void)with;
  (void)t;
  (void)p;
  gap[0] = y[0];
  return 0;
}

static int rebound(void *with, int k, int closes, double t, double y[], const double p[])
{
  (void)with;
  (void)k;
  (void)t;
  (void)p;
  if (closes) y[1] = -0.8 * y[1];
  return 0;
}

static saltus_model *ball(void)
{
  static const double initial[] = {1, 0}, param[] = {9.81};
  static const saltus_contact contact[] = {{.resets = SALTUS_CLOSING}};
  const saltus_functions f = {.name = "monopod",
                              .n_state = 2,
                              .n_param = 1,
                              .n_contact = 1,
                              .span = 1,
                              .initial = initial,
                              .param = param,
                              .contact = contact,
                              .f = fall,
                              .gaps = height,
                              .jump = rebound};
  saltus_model *m;

  return saltus_model_of_functions(&f, &m) == SALTUS_OK ? m : NULL;
}

/* Task of a thread: returns the number of errors. */
typedef int task(const saltus_model *own, int round);

static saltus_model *shared, *functions;
static double alone[2][RUNS][STATES]; /* ends of runs of these, by a lone thread */
static double advised;                /* the expected work of an answer to one */

static bool integrate(const saltus_model *m, int threads, double end[RUNS][STATES])
{
  const saltus_runs runs = {.n = RUNS, .end = end[0]};
  const saltus_setup how = {.rtol = 1e-5, .t_end = 1, .lanes = 1, .threads = threads};

  memset(end, 0, sizeof alone[0]);
  return saltus_integrate(m, &how, &runs) == SALTUS_OK;
}

static int integrates(const saltus_model *own, int round)
{
  double end[RUNS][STATES];
  int wrong = !integrate(shared, 1 + round % 2, end) || memcmp(end, alone[0], sizeof end);

  (void)own;
  return wrong + (!integrate(functions, 1, end) || memcmp(end, alone[1], sizeof end));
}

static int opens(const saltus_model *own, int round)
{
  int wrong = 0;

  (void)own;
  (void)round;
  for (int i = 0; i < 100; ++i) {
    saltus_model *m;
    if (saltus_model_open("monopod", &m) != SALTUS_OK) return wrong + 1;
    wrong += saltus_model_about(m).n_state != MONOPOD;
    saltus_model_close(m);
  }
  return wrong;
}

static int advises(const saltus_model *own, int round)
{
  saltus_answer a;
  const saltus_around around = {.error = 1e-2, .t_end = 0.3};

  if (round % 3) return 0;
  return saltus_advise(own, &around, &a) != SALTUS_OK || a.best.total != advised;
}

static int errs(const saltus_model *own, int round)
{
  char name[32];
  saltus_model *m;

  (void)own;
  snprintf(name, sizeof name, "none%d", round);
  return saltus_model_open(name, &m) != SALTUS_INVALID || strstr(saltus_message(), name) == NULL;
}

static void *work(void *wrong)
{
  static task *const tasks[KINDS] = {integrates, opens, advises, errs};
  int *const count = wrong, kind = *count;
  saltus_model *own = ball();

  *count = own == NULL;
  for (int round = 0; own && round < ROUNDS; ++round) *count += tasks[kind](own, round);
  saltus_model_close(own);
  return NULL;
}

static int open_shared(void)
{
  saltus_answer a;
  const saltus_around around = {.error = 1e-2, .t_end = 0.3};

  if (saltus_model_open("monopod", &shared) != SALTUS_OK || !(functions = ball())) return 1;
  if (!integrate(shared, 1, alone[0]) || !integrate(functions, 1, alone[1])) return 1;
  if (saltus_advise(functions, &around, &a) != SALTUS_OK) return 1;
  advised = a.best.total;
  return 0;
}

static void threads_side_by_side_have_the_answers_of_one(void)
{
  pthread_t thread[THREADS];
  int wrong[THREADS];

  CU_ASSERT_FATAL(open_shared() == 0);
  CU_ASSERT(fabs(alone[1][0][0]) > 0.01 && advised > 1);
  for (int i = 0; i < THREADS; ++i) wrong[i] = i % KINDS;
  for (int i = 0; i < THREADS; ++i)
    CU_ASSERT_FATAL(pthread_create(&thread[i], NULL, work, &wrong[i]) == 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; ++i) CU_ASSERT(wrong[i] == 0);
  saltus_model_close(shared);
  saltus_model_close(functions);
}

SAL_TEST_MAIN("C library: threads", NULL,
              {"threads side by side have the answers of one",
               threads_side_by_side_have_the_answers_of_one})
