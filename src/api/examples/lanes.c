/* A thousand hoppers in lanes: how often do they leave the ground, and how high do they stand at the end?
 *
 *   cc lanes.c $(pkg-config --cflags --libs saltus) -Wl,-rpath,$(pkg-config --variable=libdir saltus) -o lanes && ./lanes
 */
#include <saltus/saltus.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 1000 };

int main(void)
{
  saltus_model *model;
  if (saltus_model_open("monopod", &model) != SALTUS_OK) {
    fprintf(stderr, "%s\n", saltus_message());
    return 1;
  }
  const saltus_model_facts facts = saltus_model_about(model);
  const size_t n = (size_t)facts.n_param, m = (size_t)facts.n_state;
  double *param = malloc(RUNS * n * sizeof *param), *end = malloc(RUNS * m * sizeof *end);
  saltus_figures *figures = malloc(RUNS * sizeof *figures);
  if (!param || !end || !figures) return 1;

  /* Presets, and a spring that becomes stiffer from run to run. */
  for (size_t i = 0; i < RUNS; ++i)
    for (size_t p = 0; p < n; ++p) {
      const saltus_quantity q = saltus_model_param(model, (int)p);
      const int is_k = q.name[0] == 'k' && q.name[1] == '\0';
      param[i * n + p] = is_k ? 10 + 40 * (double)i / RUNS : q.preset;
    }
  const saltus_setup setup = {.solver = "dop853", .rtol = 1e-8, .t_end = 20};
  const saltus_runs runs = {.n = RUNS, .param = param, .end = end, .figures = figures};
  const saltus_status status = saltus_integrate(model, &setup, &runs);
  if (status != SALTUS_OK) fprintf(stderr, "%s\n", saltus_message());

  for (size_t i = 0; status == SALTUS_OK && i < RUNS; i += RUNS / 4)
    printf("k = %g: %s, %lld events, %lld evaluations, %s = %.12g\n", 10 + 40 * (double)i / RUNS,
           saltus_outcome(figures[i].outcome, NULL), (long long)figures[i].events,
           (long long)figures[i].evaluations, saltus_model_state(model, facts.watched).name,
           end[i * m + (size_t)facts.watched]);
  free(param);
  free(end);
  free(figures);
  saltus_model_close(model);
  return status != SALTUS_OK;
}
