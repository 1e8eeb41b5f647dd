/** Prints the bits of results of all methods and strategies: bits LANES. */
#include "../kernels/run_one.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { JOBS = 11, STATES = 4 };

/* Easy and hard cells side by side, one of which breaks down. */
static void fill(bool monopod, double param[JOBS][7], double initial[JOBS][STATES])
{
  for (int i = 0; i < JOBS; ++i) {
    const double hopper[7] = {550 + 1700.0 * i, 1 + 0.7 * i, 22.8 + 40 * (i % 4), 0.05 + 0.02 * i},
                 ground[7] = {1 + 0.1 * i, i % 3 ? 40 + 30 * i : 4000, 0.4 * i};
    const double high[STATES] = {0.5, 0, 1.5, 0}, low[STATES] = {0.2 + 0.05 * i, -0.1 * i};
    memcpy(param[i], monopod ? hopper : ground, sizeof param[i]);
    memcpy(initial[i], monopod ? high : low, sizeof initial[i]);
  }
  param[6][monopod ? 0 : 2] = NAN; /* the ground's damping */
}

static void print_bits(int n, const double x[])
{
  for (int i = 0; i < n; ++i) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    if (isnan(x[i]))
      printf(" nan");
    else
      printf(" %" PRIx64, bits);
  }
}

static void print_runs(const sal_setup *setup, int lanes)
{
  double param[JOBS][7] = {{0}}, initial[JOBS][STATES] = {{0}}, end[JOBS][STATES] = {{0}};
  sal_job job[JOBS];
  sal_record out[JOBS];

  fill(setup->model->n_state == STATES, param, initial);
  for (int i = 0; i < JOBS; ++i)
    job[i] = (sal_job){.param = param[i], .initial = initial[i], .end = end[i]};
  run_batch(setup, lanes, JOBS, job, out);
  for (int i = 0; i < JOBS; ++i) {
    printf("%s %s %s %d:", setup->model->name, setup->method->name, setup->strategy->name, i);
    print_bits(SAL_N_METRIC, out[i].value);
    print_bits(setup->model->n_state, end[i]);
    printf("\n");
  }
}

int main(int argc, char *argv[])
{
  static const char *const models[] = {"monopod", "linear-ground"};
  const int lanes = argc > 1 ? atoi(argv[1]) : 1;

  if (lanes > sal_integrate_widest()) return 1;
  for (size_t k = 0; k < sizeof models / sizeof *models; ++k)
    for (int m = 0; sal_registry_methods[m]; ++m)
      for (int s = 0; sal_registry_strategies[s]; ++s) {
        const sal_strategy *strategy = sal_registry_strategies[s];
        const sal_method *method = sal_registry_methods[m];
        if (!sal_strategy_drives(strategy, method)) continue;
        sal_setup setup = config(models[k], method->name, strategy->name, 1e-5, 12);
        setup.max_attempts = 20000;
        print_runs(&setup, lanes);
      }
  return 0;
}
