/** Times a step of a model of the program, of the same one as a text that is compiled, and of the text as it is
 *  interpreted: bare, and scored against a reference on a mesh as every run of a sweep is.
 *
 *      bench_engines TEXT.yaml MODEL N ROUNDS [WIDTH]
 *
 *  (MODEL `-`: there is none, and `built-in` is the text as interpreted once more) runs N cells drawn from the ranges of the model, all settings by turns, once a round, and prints for each
 *  "method,strategy,rtol,width,scored,steps,built-in,compiled,interpreted,bits": nanoseconds of CPU time an accepted step, the
 *  least of the rounds, and whether all records have the same bits.
 */
#include "clock.h"
#include "integrate.h"
#include "memory.h"
#include "native.h"
#include "plain_file.h"
#include "registry.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, MESH = 5000, BUILT_IN = 0, COMPILED, INTERPRETED, N_ENGINE };

typedef struct {
  const char *method, *strategy;
  double rtol;
} setting;
static const setting settings[] = {{"ode45", "event", 1e-6},
                                   {"ode45", "switch", 1e-6},
                                   {"dop853", "event", 1e-8},
                                   {"radau5", "event", 1e-6},
                                   {"ode23s", "event", 1e-4}};
enum { N_SETTING = sizeof settings / sizeof *settings };

static const sal_model *model[N_ENGINE];
static double param[MOST][SAL_MAX_PARAM + SAL_MAX_OPTION], initial[MOST][SAL_MAX_STATE];
static double reference[MESH + 8];
static sal_job job[MOST];
static sal_record record[N_ENGINE][MOST];

static void refuse(const char *what)
{
  fprintf(stderr, "bench_engines: %s\n", what);
  exit(2);
}

static const sal_model *read_text(const char *path, int width, bool compiled)
{
  const sal_native_request request = sal_native_request_of(width, true);
  sal_native_image image;
  sal_equation_model *made;
  char *text;

  if (sal_text_file_read(path, "a model", &text) != SAL_OK ||
      sal_equation_model_parse(path, text, &made) != SAL_OK)
    refuse(sal_err_message());
  sal_free(text);
  if (compiled && (sal_native_make(made, &request, &image) != SAL_OK ||
                   sal_native_take(&image, made) != SAL_OK))
    refuse(sal_err_message());
  return sal_equation_model_get(made);
}

static void draw_cells(const sal_model *m, int n)
{
  uint64_t state = 88172645463325252u;

  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < m->n_param; ++k) {
      const sal_field *f = &m->param[k];
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      const double u = (double)(state >> 11) * 0x1p-53;
      param[i][k] = f->lo > 0 ? f->lo * exp(u * log(f->hi / f->lo)) : f->lo + u * (f->hi - f->lo);
    }
    for (int k = 0; k < m->n_state; ++k) initial[i][k] = m->state[k].preset;
  }
  for (int j = 0; j < MESH + 8; ++j) reference[j] = 0.3 * cos(0.01 * j);
}

/* CPU seconds. */
static double run(const setting *s, int engine, int width, int n, const sal_score *score)
{
  const sal_setup setup = {.model = model[engine],
                           .method = sal_registry_method(s->method),
                           .strategy = sal_registry_strategy(s->strategy),
                           .rtol = s->rtol,
                           .atol = s->rtol,
                           .t_end = model[engine]->span};
  void *work = sal_alloc(sal_integrate_bytes(&setup, width), 1);

  if (!work) refuse("no memory");
  for (int i = 0; i < n; ++i)
    job[i] = (sal_job){.param = param[i], .initial = initial[i], .score = score};
  const double began = sal_clock_cpu();
  sal_integrate(&setup, width, n, job, record[engine], work);
  const double seconds = sal_clock_cpu() - began;
  sal_free(work);
  return seconds;
}

static bool same(int engine, int n)
{
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < SAL_N_METRIC; ++k) {
      const double *a = &record[0][i].value[k], *b = &record[engine][i].value[k];
      if (memcmp(a, b, sizeof *a) != 0 && !(isnan(*a) && isnan(*b))) return false;
    }
  return true;
}

static void print_row(const setting *s, int width, int n, int rounds, bool scored)
{
  const sal_score score = {.reference = reference, .n_mesh = MESH, .epsilon = 0.05, .floor = 0.05};
  double least[N_ENGINE] = {INFINITY, INFINITY, INFINITY}, steps = 0;

  for (int r = 0; r < rounds; ++r)
    for (int e = 0; e < N_ENGINE; ++e)
      least[e] = fmin(least[e], run(s, e, width, n, scored ? &score : NULL));
  for (int i = 0; i < n; ++i) steps += record[0][i].value[SAL_METRIC_STEPS];
  printf("%s,%s,%g,%d,%d,%.0f", s->method, s->strategy, s->rtol, width, scored, steps);
  for (int e = 0; e < N_ENGINE; ++e) printf(",%.1f", 1e9 * least[e] / steps);
  printf(",%s\n", same(COMPILED, n) && same(INTERPRETED, n) ? "same" : "DIFFERENT");
  fflush(stdout);
}

int main(int argc, char *argv[])
{
  if (argc < 5) refuse("TEXT.yaml MODEL N ROUNDS [WIDTH]");
  const int n = atoi(argv[3]), rounds = atoi(argv[4]),
            width = argc > 5 ? atoi(argv[5]) : sal_integrate_widest();

  model[INTERPRETED] = read_text(argv[1], width, false);
  model[BUILT_IN] = strcmp(argv[2], "-") == 0 ? model[INTERPRETED] : sal_registry_model(argv[2]);
  if (!model[BUILT_IN] || n < 1 || n > MOST || rounds < 1) refuse("a model or a number is wrong");
  model[COMPILED] = read_text(argv[1], width, true);
  draw_cells(model[BUILT_IN], n);
  printf("method,strategy,rtol,width,scored,steps,built-in,compiled,interpreted,bits\n");
  for (int s = 0; s < N_SETTING; ++s)
    for (int scored = 0; scored < 2; ++scored) print_row(&settings[s], width, n, rounds, scored);
  return 0;
}
