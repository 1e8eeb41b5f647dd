/** The texts of sweeps/models against the models of the program: the same bits at drawn points. */
#include "equation_text.h"
#include "plain_file.h"
#include "registry.h"
#include <stdint.h>

static const char *const names[] = {"monopod", "vibro-impact",  "stick-slip",
                                    "slip",    "shaking-table", "hopping-leg"};
enum { N_NAME = sizeof names / sizeof *names, N_POINT = 1000 };

static double chance(void)
{
  static uint64_t state = 1;

  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53;
}

static sal_equation_model *read(const char *name)
{
  char path[1024], *text;
  sal_equation_model *e;

  snprintf(path, sizeof path, "%s/models/%s-equations.yaml", SAL_SWEEPS, name);
  CU_ASSERT_EQUAL_FATAL(sal_text_file_read(path, "a model", &text), SAL_OK);
  if (sal_equation_model_parse(path, text, &e) != SAL_OK)
    fprintf(stderr, "%s\n", sal_err_message());
  sal_free(text);
  return e;
}

static bool same(int n, const double a[], const double b[])
{
  return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/** A point of both models. */
typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE], t;
  bool closed[SAL_MAX_CONTACT];
} point;

static void draw(const sal_model *m, point *at)
{
  for (int i = 0; i < m->n_param; ++i) {
    const sal_field *f = &m->param[i];
    at->param[i] = f->lo + (f->hi - f->lo) * chance();
  }
  for (int o = 0; o < m->n_option; ++o) at->param[m->n_param + o] = chance() < 0.5;
  for (int i = 0; i < m->n_state; ++i) {
    const sal_field *f = &m->state[i];
    at->y[i] = f->lo + (f->hi - f->lo) * chance();
    if (i >= sal_model_continuous(m)) at->y[i] = chance() < 0.5 ? f->least : f->preset;
  }
  at->t = 10 * chance();
  for (int k = 0; k < m->n_guard; ++k) at->closed[k] = chance() < 0.5;
  if (strcmp(m->name, "hopping-leg") == 0) at->closed[1] &= at->closed[0]; /* no load in flight */
}

static void compare_flows(const sal_model *a, const sal_model *b, const point *at)
{
  const int n = sal_model_continuous(a);
  double f[2][SAL_MAX_STATE], J[2][SAL_MAX_STATE];

  sal_model_field(a, at->param, at->closed, at->t, at->y, f[0]);
  sal_model_field(b, at->param, at->closed, at->t, at->y, f[1]);
  CU_ASSERT(same(n, f[0], f[1]));
  sal_model_rhs(a, at->param, at->t, at->y, f[0]);
  sal_model_rhs(b, at->param, at->t, at->y, f[1]);
  CU_ASSERT(same(n, f[0], f[1]));
  sal_model_jacobian(a, at->param, at->t, at->y, false, J[0]);
  sal_model_jacobian(b, at->param, at->t, at->y, false, J[1]);
  for (int i = 0; i < n * n; ++i)
    CU_ASSERT(fabs(J[0][i] - J[1][i]) <= 1e-11 * fmax(1, fabs(J[0][i])));
}

static void compare_contacts(const sal_model *a, const sal_model *b, const point *at)
{
  double slope[SAL_MAX_STATE], gap[2][SAL_MAX_CONTACT], rate[2][SAL_MAX_CONTACT];

  for (int i = 0; i < a->n_state; ++i) slope[i] = chance() - 0.5;
  sal_model_rates(a, at->param, at->closed, at->t, at->y, slope, gap[0], rate[0]);
  sal_model_rates(b, at->param, at->closed, at->t, at->y, slope, gap[1], rate[1]);
  for (int k = 0; k < a->n_guard; ++k) {
    CU_ASSERT(gap[0][k] == gap[1][k]);
    CU_ASSERT(fabs(rate[0][k] - rate[1][k]) <= 1e-12 * fmax(1, fabs(rate[0][k])));
  }
  for (int k = 0; k < a->n_guard; ++k) {
    point x = *at, z = *at;
    sal_model_jump(a, x.param, k, x.closed, x.t, x.y);
    sal_model_jump(b, z.param, k, z.closed, z.t, z.y);
    for (int i = 0; i < a->n_state; ++i) CU_ASSERT(x.y[i] == z.y[i]);
    CU_ASSERT(memcmp(x.closed, z.closed, sizeof x.closed) == 0);
  }
}

static void compare_functions(const sal_model *a, const sal_model *b, const point *at)
{
  double y[2][SAL_MAX_STATE] = {{0}};

  CU_ASSERT(sal_model_longest_step(a, at->param, at->y) ==
            sal_model_longest_step(b, at->param, at->y));
  CU_ASSERT_EQUAL(!a->energy, !b->energy);
  CU_ASSERT_EQUAL(!a->kinetic, !b->kinetic);
  CU_ASSERT_EQUAL(!a->mechanical, !b->mechanical);
  CU_ASSERT_EQUAL(!a->equilibrium, !b->equilibrium);
  CU_ASSERT_EQUAL(!a->flaw, !b->flaw);
  if (a->energy)
    CU_ASSERT(a->energy(a->inner, at->param, at->t, at->y, at->closed) ==
              b->energy(b->inner, at->param, at->t, at->y, at->closed));
  if (a->kinetic)
    CU_ASSERT(a->kinetic(a->inner, at->param, at->y) == b->kinetic(b->inner, at->param, at->y));
  if (a->mechanical)
    CU_ASSERT(a->mechanical(a->inner, at->param, at->y, at->closed) ==
              b->mechanical(b->inner, at->param, at->y, at->closed));
  for (int which = 0; which < 2 && a->equilibrium; ++which) {
    CU_ASSERT_EQUAL(a->equilibrium(a->inner, at->param, (sal_equilibrium)which, y[0]),
                    b->equilibrium(b->inner, at->param, (sal_equilibrium)which, y[1]));
    for (int i = 0; i < a->n_state; ++i)
      CU_ASSERT(fabs(y[0][i] - y[1][i]) <= 1e-14 * fabs(y[0][i]));
  }
}

static void compare_descriptors(const sal_model *a, const sal_model *b)
{
  CU_ASSERT_FATAL(a->n_state == b->n_state && a->n_param == b->n_param &&
                  a->n_option == b->n_option && a->n_guard == b->n_guard &&
                  a->n_discrete == b->n_discrete);
  CU_ASSERT(a->resets == b->resets && a->watch == b->watch && a->span == b->span);
  CU_ASSERT(a->autonomous == b->autonomous || !a->autonomous);
  CU_ASSERT(memcmp(a->velocity, b->velocity, sizeof a->velocity) == 0);
  CU_ASSERT_STRING_EQUAL(a->time, b->time);
  for (int i = 0; i < a->n_param; ++i) {
    CU_ASSERT_STRING_EQUAL(a->param[i].name, b->param[i].name);
    CU_ASSERT(same(5, &a->param[i].preset, &b->param[i].preset));
  }
  for (int i = 0; i < a->n_state; ++i) {
    CU_ASSERT_STRING_EQUAL(a->state[i].name, b->state[i].name);
    CU_ASSERT(same(5, &a->state[i].preset, &b->state[i].preset));
    CU_ASSERT_EQUAL(a->state[i].drifts, b->state[i].drifts);
  }
  for (int k = 0; k < a->n_guard; ++k) {
    CU_ASSERT_STRING_EQUAL(a->contact[k].closes, b->contact[k].closes);
    CU_ASSERT(a->contact[k].ends == b->contact[k].ends && a->contact[k].kind == b->contact[k].kind);
  }
}

static void texts_have_the_bits_of_the_models_of_the_program(void)
{
  for (int i = 0; i < N_NAME; ++i) {
    sal_equation_model *e = read(names[i]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    const sal_model *a = sal_registry_model(names[i]), *b = sal_equation_model_get(e);
    compare_descriptors(a, b);
    for (int k = 0; k < N_POINT; ++k) {
      point at = {0};
      draw(a, &at);
      compare_flows(a, b, &at);
      compare_contacts(a, b, &at);
      compare_functions(a, b, &at);
    }
    sal_equation_model_free(e);
  }
}

SAL_TEST_MAIN("texts and models of the program", NULL,
              {"texts have their bits", texts_have_the_bits_of_the_models_of_the_program})
