/** A solver from a text, and a short run with it. */
#include "fuzz.h"
#include "integrate.h"
#include "registry.h"
#include "tableau_text.h"
#include <stdlib.h>

enum { LONGEST = 30000 };

static void run(const sal_method *method)
{
  const double param[] = {1, 10, 0.2}, initial[] = {1, 0};
  const sal_setup setup = {.model = sal_registry_model("linear-ground"),
                           .method = method,
                           .strategy = sal_registry_strategy("event"),
                           .rtol = 1e-3,
                           .atol = 1e-3,
                           .t_end = 2,
                           .max_attempts = 50};
  const sal_job job = {.param = param, .initial = initial};
  sal_record out;
  void *work = aligned_alloc(64, (sal_integrate_bytes(&setup, 1) + 63) / 64 * 64);

  if (!work) abort();
  sal_integrate(&setup, 1, 1, &job, &out, work);
  free(work);
}

void fuzz_input(const uint8_t *data, size_t size)
{
  if (size > LONGEST) return;
  char *text = fuzz_text(data, size);
  sal_tableau_text *solver = NULL;

  if (sal_tableau_text_parse("f.yaml", text, &solver) == SAL_OK) {
    run(&solver->method);
    sal_tableau_text_free(solver);
  }
  free(text);
}
