/** Cells far outside of what a study would cover, of every model that is registered and of every file of
 *  sweeps/models, by every method, those of other libraries among them, with every strategy: each run has
 *  an outcome, none that locates contacts is done with a gap below its noise, and a reference that is
 *  wrong is marked as such.
 *
 *  `test_ensemble_wild N` runs N cells in all, without a number some hundred; `.. N MODEL` those of one model.
 */
#include "providers.h"
#include "registry.h"
#include "sal_test.h"
#include "sweep_read.h"
#include "text.h"
#include "wild_runs.h"
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPANS = 3 };

static const double share_of_span[SPANS] = {0.05, 0.2, 1};
static int64_t cells = 240;
static const char *only; /* of this model; NULL: of all */
static wild_tally all;

/* The zoo with this model; many contacts where their number is a parameter. */
static bool read_sweep(const char *name, const sal_model *known, double share, sal_sweep *out)
{
  enum { WORD = 256, KEYS = 8 };
  char text[KEYS][WORD];
  const char *set[KEYS];
  const int counted = known ? known->counted_by : 0;
  const double span = known ? known->span : 1;
  int n = 0;

  snprintf(text[n++], WORD, "model=%s", name);
  snprintf(text[n++], WORD, "t_end=%.17g", share * span);
  snprintf(text[n++], WORD, "mesh=%.17g", share * span / 20);
  snprintf(text[n++], WORD, "solvers=[all, libraries]");
  snprintf(text[n++], WORD, "rtol=[1e-3, 1e-5, 1e-8]");
  snprintf(text[n++], WORD, known ? "budget={work: 1.5e5}" : "budget={work: 1e4}");
  snprintf(text[n++], WORD, "max_attempts=200000");
  if (counted) snprintf(text[n++], WORD, "parameters={%s: 40}", known->param[counted - 1].name);
  for (int i = 0; i < n; ++i) set[i] = text[i];
  if (sal_sweep_read(SAL_SWEEPS "/zoo.yaml", n, set, out) == SAL_OK) return true;
  fprintf(stderr, "\n    %s: %s\n", name, sal_err_message());
  return false;
}

static void add(const char *name, const sal_model *known, int64_t count, int spans)
{
  flow_stream from = flow_draw_stream(name);
  const wild_tally before = all;

  if (only && strcmp(only, name) != 0) return;
  for (int i = 0; i < spans; ++i) {
    sal_sweep sweep;
    if (!read_sweep(name, known, share_of_span[i], &sweep)) {
      CU_FAIL("a sweep of wild cells is refused");
      continue;
    }
    wild_run(&sweep, &from, count / spans, &all);
    sal_sweep_free(&sweep);
  }
  printf("\n    %s: %lld cells, %.1f s", name, (long long)(all.cells - before.cells),
         all.seconds - before.seconds);
  fflush(stdout);
}

/* Has this build the integrators of any library? */
static bool has_engines(void)
{
  const sal_provider *l;

  for (int i = 0; (l = sal_providers_library(i)) != NULL; ++i)
    if (l->methods && l->methods[0]) return true;
  return false;
}

static void print_tally(void)
{
  printf("\n    %lld cells, %lld runs, %lld of them by engines, %.1f s; the longest run %.2f s",
         (long long)all.cells, (long long)all.runs, (long long)all.engine_runs, all.seconds,
         all.longest);
  for (int i = 0; i < SAL_N_OUTCOME; ++i)
    if (all.outcome[i] + all.reference_outcome[i] > 0)
      printf("\n      %-16s %8lld runs %8lld references", sal_metric_outcomes[i].label,
             (long long)all.outcome[i], (long long)all.reference_outcome[i]);
  printf("\n      done with a gap below its noise: %lld, and %lld by projection",
         (long long)all.below, (long long)all.leapt);
  printf("\n      references: %lld checked, %lld wrong, %lld silent; %lld marked\n    ",
         (long long)all.checked, (long long)all.wrong, (long long)all.silent,
         (long long)all.marked);
}

static void what_is_done_is_right(void)
{
  int models = 0;
  glob_t files = {0};

  while (sal_registry_models[models]) ++models;
  for (int i = 0; i < models; ++i)
    add(sal_registry_models[i]->name, sal_registry_models[i], cells / models + SPANS, SPANS);
  CU_ASSERT_EQUAL_FATAL(glob(SAL_SWEEPS "/models/*.yaml", 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; ++i) {
    char name[256];
    snprintf(name, sizeof name, "models/%s", strrchr(files.gl_pathv[i], '/') + 1);
    add(name, NULL, 1 + cells / 1000, 1);
  }
  globfree(&files);
  print_tally();
  CU_ASSERT_EQUAL(all.below, 0);
  CU_ASSERT_EQUAL(all.nowhere, 0);
  CU_ASSERT_EQUAL(all.wrong, 0);
  if (only) return;
  CU_ASSERT(all.cells >= cells && all.runs == all.cells && all.checked * 20 >= all.cells);
  CU_ASSERT(2 * all.outcome[SAL_OUT_DONE] >= all.runs &&
            (!has_engines() || all.engine_runs > all.runs / 10));
  CU_ASSERT(all.outcome[SAL_OUT_PENETRATES] > 0);
}

int SAL_TEST_ENTRY(int argc, char *argv[])
{
  CU_TestInfo cases[] = {{"what is done is right", what_is_done_is_right}, CU_TEST_INFO_NULL};

  if (argc > 1) cells = strtoll(argv[1], NULL, 10);
  if (argc > 2) only = argv[2];
  const int failed = sal_test_run("wild", NULL, cases, 1);
  sal_providers_finalize();
  return failed;
}
