/** B-derivatives as text and CSV. */
#include "bderiv_print.h"
#include "atomic_file.h"
#include "base.h"
#include "scalar_math.h"

/* A defect below this is rounding. */
static const double rounding = 1e-9;

static const sal_model *model_of(const sal_bderiv_table *t) { return t->b->setup->model; }

static void print_instants(const sal_bderiv_table *t)
{
  enum { SHOWN = 12 };
  const int *order = t->order ? t->order : t->b->contact;

  if (t->b->n_instant == 0) printf("no contact changes on the way\n");
  if (t->b->n_instant > 0)
    printf("%16s  contacts that change%s\n", "t",
           t->order ? ", in the order of this direction" : "");
  for (int64_t i = 0; i < t->b->n_instant; ++i) {
    const sal_bderiv_instant *at = &t->b->instant[i];
    printf("%16.10g ", at->t);
    for (int k = 0; k < at->n && k < SHOWN; ++k) printf(" %d", order[k]);
    if (at->n > SHOWN) printf(" .. (%d in all)", at->n);
    printf("\n");
    order += at->n;
  }
  printf("\n");
}

static void print_direction(const sal_bderiv_table *t)
{
  const sal_model *m = model_of(t);

  printf("%-8s %16s %16s\n", "state", "at the start", "at the end");
  for (int i = 0; i < m->n_state; ++i)
    printf("%-8s %16.10g %16.10g\n", m->state[i].name, t->from[i], t->to[i]);
}

static void print_matrix(const sal_bderiv_table *t)
{
  const sal_model *m = model_of(t);

  printf("%-9s", "start");
  for (int i = 0; i < m->n_state; ++i) printf(" %13s", m->state[i].name);
  printf("\n");
  for (int d = 0; d < t->n; ++d) {
    printf("%c%-8s", d < m->n_state ? '+' : '-', m->state[d % m->n_state].name);
    for (int i = 0; i < m->n_state; ++i) printf(" %13.6g", t->to[d * m->n_state + i]);
    printf("\n");
  }
  printf("\nThe map is %s: antisymmetry defect %.2g, superposition defect %.2g%s.\n",
         fmax(t->defect->antisymmetry, t->defect->superposition) < rounding ? "linear"
                                                                            : "piecewise linear",
         t->defect->antisymmetry, t->defect->superposition,
         t->b->n_most < 2 ? "; no two contacts change together" : "");
}

static void print_check(const sal_bderiv_table *t)
{
  double last = NAN;

  printf("\nDifferences of the flow against the derivative, relative:\n");
  printf("%8s %12s %12s %7s\n", "step", "mean", "worst", "order");
  for (const sal_bderiv_row *r = t->check; r < t->check + SAL_BDERIV_STEPS; ++r) {
    printf("%8.0e %12.3e %12.3e", r->step, r->mean, r->worst);
    if (isfinite(last) && last > 0 && r->mean > 0)
      printf(" %7.2f", sal_scalar_log10(last / r->mean));
    if (r->failed > 0) printf("   %d of %d trajectories ended early", r->failed, t->n);
    printf("\n");
    last = r->mean;
  }
}

void sal_bderiv_print(const sal_bderiv_table *t)
{
  const sal_setup *s = t->b->setup;

  printf("B-derivative of the flow of %s over [0, %g]; %s at %g\n\n", s->model->name, s->t_end,
         s->method->name, s->rtol);
  print_instants(t);
  if (t->defect)
    print_matrix(t);
  else
    print_direction(t);
  if (t->check) print_check(t);
}

static void csv_names(FILE *f, const sal_model *m, const char *prefix, char end)
{
  for (int i = 0; i < m->n_state; ++i)
    fprintf(f, "%s_%s%c", prefix, m->state[i].name, i + 1 < m->n_state ? ',' : end);
}

static void csv_values(FILE *f, const sal_model *m, const double v[], char end)
{
  for (int i = 0; i < m->n_state; ++i) fprintf(f, "%.17g%c", v[i], i + 1 < m->n_state ? ',' : end);
}

sal_err sal_bderiv_print_csv(const sal_bderiv_table *t, const char *path)
{
  const sal_model *m = model_of(t);
  FILE *f;

  SAL_TRY(sal_atomic_file_open(path, &f));
  csv_names(f, m, "from", ',');
  csv_names(f, m, "to", '\n');
  for (int d = 0; d < t->n; ++d) {
    csv_values(f, m, t->from + (size_t)d * (size_t)m->n_state, ',');
    csv_values(f, m, t->to + (size_t)d * (size_t)m->n_state, '\n');
  }
  return sal_atomic_file_close(path, f);
}
