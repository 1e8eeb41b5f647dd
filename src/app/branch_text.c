/** A branch as text: rows as AUTO writes them, and the table of special points. */
#include "atomic_file.h"
#include "base.h"
#include "continue_request.h"
#include "scalar_math.h"

static void put_head(FILE *f, const sal_branch_record *r)
{
  const sal_model *m = r->setup->model;
  const sal_walk_setup *w = &r->how->walk;
  const sal_branch_layout *l = &r->branch->layout;

  fprintf(f, "   0  saltus branch of %s, %s, %d visit%s of %s\n", m->name, r->curve, r->returns,
          r->returns == 1 ? "" : "s", m->section.name);
  for (int i = 0; i < m->n_param; ++i)
    fprintf(f, "   0  %s = %.17g\n", m->param[i].name, r->param[i]);
  for (int i = 0; i < m->n_option; ++i)
    fprintf(f, "   0  %s = %s\n", m->option[i].name,
            m->option[i].choice[(int)r->param[m->n_param + i]]);
  fprintf(f,
          "   0  solver %s, rtol %g, atol %g, ds %g, ds_min %g, ds_max %g, from %.17g to %.17g\n",
          r->setup->method->name, r->setup->rtol, r->setup->atol, w->ds, w->ds_min, w->ds_max,
          w->from[0], w->to[0]);
  fprintf(f, "   0  PT < 0: stable; TY");
  for (int i = 0; i < SAL_N_BRANCH_TYPE; ++i)
    fprintf(f, "%s %s %d", i ? "," : "", sal_branch_kinds[i].name, sal_branch_kinds[i].code);
  fprintf(f, "\n   0    PT  TY  LAB");
  for (int k = 0; k < r->n_free; ++k) fprintf(f, " %22s", m->param[r->free_param[k]].name);
  fprintf(f, " %22s %22s", "L2-NORM", "PERIOD");
  for (int i = 0; i < l->n_state; ++i) fprintf(f, "  %16s %s", "MAX", m->state[i].name);
  for (int i = 0; i < l->n_contact; ++i)
    fprintf(f, "  %10s %s", "OPEN", sal_model_contact(m, i)->closes);
  for (int i = 0; i < l->n_multiplier; ++i)
    fprintf(f, " %19s %-2d %19s %-2d", "RE", i + 1, "IM", i + 1);
  fprintf(f, " UNSTABLE\n");
}

static void put_row(FILE *f, const sal_branch_record *r, int64_t i)
{
  const sal_branch *b = r->branch;
  const sal_branch_layout *l = &b->layout;
  const sal_branch_point *p = &b->point[i];
  const double *row = sal_branch_row(b, i);
  double norm = 0;

  for (int s = 0; s < l->n_state; ++s) norm = sal_scalar_hypot(norm, row[l->state + s]);
  fprintf(f, "%4d %5lld %3d %4d", b->number, (long long)(p->stable ? -(i + 1) : i + 1),
          sal_branch_kinds[p->type].code, p->label);
  for (int k = 0; k < r->n_free; ++k) fprintf(f, " %22.15E", p->lambda[k]);
  fprintf(f, " %22.15E %22.15E", norm, p->period);
  for (int s = 0; s < l->n_state; ++s) fprintf(f, " %22.15E", row[l->apex + s]);
  for (int k = 0; k < l->n_contact; ++k) fprintf(f, " %22.15E", row[l->open + k]);
  for (int k = 0; k < l->n_multiplier; ++k)
    fprintf(f, " %22.15E %22.15E", row[l->re + k], row[l->im + k]);
  fprintf(f, " %d\n", p->n_unstable);
}

sal_err sal_branch_write_text(const char *path, const sal_branch_record *record)
{
  FILE *f;

  SAL_TRY(sal_atomic_file_open(path, &f));
  put_head(f, record);
  for (int64_t i = 0; i < record->branch->n; ++i) put_row(f, record, i);
  return sal_atomic_file_close(path, f);
}

/* Where a multiplier is on the unit circle, rounding alone would say on which side. */
static const char *verdict(const sal_branch_point *p)
{
  const bool neutral = p->type == SAL_BRANCH_LIMIT || p->type == SAL_BRANCH_DOUBLING ||
                       p->type == SAL_BRANCH_TORUS || p->type == SAL_BRANCH_CUSP ||
                       p->type == SAL_BRANCH_CROSSING;

  return neutral ? "neutral" : p->stable ? "stable" : "unstable";
}

static void print_row(const sal_branch_record *r, int64_t i)
{
  const sal_branch *b = r->branch;
  const sal_branch_layout *l = &b->layout;
  const sal_branch_point *p = &b->point[i];
  const double *row = sal_branch_row(b, i);

  printf("%5d  %-4s", p->label, sal_branch_kinds[p->type].name);
  for (int k = 0; k < r->n_free; ++k) printf("  %17.11g", p->lambda[k]);
  printf("  %14.10g", p->period);
  if (l->n_contact > 0) printf("  %14.10g", row[l->open]);
  printf("  %14.10g", row[l->re]);
  if (row[l->im] != 0) printf(" +- %.6gi", fabs(row[l->im]));
  printf("  %8.1e  %-8s %s\n", p->residual, verdict(p), p->words);
}

void sal_branch_print(const sal_branch_record *r)
{
  const sal_branch *b = r->branch;
  const sal_model *m = r->setup->model;
  int64_t n_stable = 0;

  for (int64_t i = 0; i < b->n; ++i) n_stable += b->point[i].stable;
  printf("%s of %s: %lld points, %lld of them stable\n\nlabel  type",
         r->n_free > 1 ? "Curve" : "Branch", m->name, (long long)b->n, (long long)n_stable);
  for (int k = 0; k < r->n_free; ++k) printf("  %17s", m->param[r->free_param[k]].name);
  printf("  %14s", "period");
  if (b->layout.n_contact > 0) printf("  %s%s", "open until ", sal_model_contact(m, 0)->closes);
  printf("  %14s  %8s\n", "multiplier", "residual");
  for (int64_t i = 0; i < b->n; ++i)
    if (b->point[i].label > 0) print_row(r, i);
}
