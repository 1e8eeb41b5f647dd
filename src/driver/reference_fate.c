/** Counts of cells, and the sentence. */
#include "base.h"
#include "performance_runs.h"
#include "registry.h"

void sal_reference_fate_add(sal_reference_fate *fate, const sal_tile_result *result)
{
  for (int64_t i = 0; i < result->count; ++i) {
    const double *v = result->cell[i].value;
    const bool stands = sal_metric_finished(v[SAL_CELL_REFERENCE_OUTCOME]);
    ++fate->cells;
    if (sal_metric_finished(v[SAL_CELL_REFERENCE_FIRST])) continue;
    if (fate->failed++ == 0) {
      fate->first = (int)v[SAL_CELL_REFERENCE_FIRST];
      fate->reached = v[SAL_CELL_REFERENCE_FIRST_REACHED];
      fate->instead = stands ? (int)v[SAL_CELL_REFERENCE_SOLVER] : -1;
    }
    fate->without += !stands;
  }
}

/* "; radau5, ode45 and ode15s likewise" */
static int add_others(const sal_model *m, size_t size, char text[])
{
  size_t n = 0;

  for (int i = 1; sal_registry_reference_at(m, i) && n < size; ++i)
    n += (size_t)snprintf(text + n, size - n, "%s%s", i == 1 ? "; none of " : ", ",
                          sal_registry_reference_at(m, i)->name);
  if (n < size) n += (size_t)snprintf(text + n, size - n, " reaches the end, either");
  return (int)n;
}

const char *sal_reference_fate_text(const sal_reference_fate *f, const sal_sweep *sweep,
                                    char text[SAL_FATE_TEXT])
{
  const bool paper = sweep->reference == SAL_REFERENCE_PAPER;
  const size_t size = SAL_FATE_TEXT;
  size_t n = 0;
  int words;

  text[0] = '\0';
  if (f->failed == 0) return text;
  n += (size_t)snprintf(text, size,
                        "in %lld of %lld cell%s the reference by %s failed (%s at t = %.6g)",
                        (long long)f->failed, (long long)f->cells, sal_text_plural(f->cells),
                        paper ? "several solvers" : sal_registry_reference(sweep->model)->name,
                        sal_metric_outcomes[f->first].label, f->reached);
  if (paper || n >= size) return text;
  if (f->without == f->failed)
    add_others(sweep->model, size - n, text + n);
  else if (f->instead > 0)
    n += (size_t)snprintf(text + n, size - n, "; %s took its place",
                          sal_metric_words(SAL_INTEGRATOR, &words)[f->instead].label);
  if (f->without > 0 && f->without < f->failed && n < size)
    snprintf(text + n, size - n, "; in %lld no solver reached the end", (long long)f->without);
  return text;
}
