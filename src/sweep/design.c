/** Designs, and the last ones of a thread. */
#include "design.h"
#include "base.h"
#include "scramble.h"
#include "value.h"

enum { KEPT = 2 }; /* as many as a comparison needs */

static _Thread_local sal_design *last[KEPT];

sal_design *sal_design_create(int n_column, int64_t n_point)
{
  sal_design *d = sal_alloc(1, sizeof *d);

  if (!d) return NULL;
  *d = (sal_design){.n_column = n_column, .n_point = n_point};
  atomic_store(&d->users, 1);
  d->value = sal_alloc((size_t)n_point, (size_t)n_column * sizeof *d->value);
  if (!d->value) sal_design_drop(&d);
  return d;
}

void sal_design_drop(sal_design **design)
{
  sal_design *d = *design;

  *design = NULL;
  if (!d || atomic_fetch_sub(&d->users, 1) > 1) return;
  sal_free_all(d->value, d->path, d);
}

void sal_design_seal(sal_design *d)
{
  const uint64_t sum =
      sal_scramble_numbers(sal_scramble((uint64_t)d->n_column), d->n_point * d->n_column, d->value);

  snprintf(d->sum, sizeof d->sum, "%016llx", (unsigned long long)sum);
}

sal_design *sal_design_known(const char *sum)
{
  for (int i = 0; i < KEPT; ++i) {
    if (!last[i] || strcmp(last[i]->sum, sum) != 0) continue;
    atomic_fetch_add(&last[i]->users, 1);
    return last[i];
  }
  return NULL;
}

void sal_design_note(sal_design *design)
{
  sal_design *known = sal_design_known(design->sum);

  if (!known) {
    sal_design_drop(&last[KEPT - 1]);
    for (int i = KEPT - 1; i > 0; --i) last[i] = last[i - 1];
    last[0] = design;
    atomic_fetch_add(&design->users, 1);
  }
  sal_design_drop(&known);
}

sal_err sal_design_give(const char *where, const sal_design_lack *lack, sal_design **design)
{
  sal_err err = SAL_OK;

  sal_design_seal(*design);
  if (strcmp((*design)->sum, lack->sum) == 0)
    sal_design_note(*design);
  else
    err = sal_fail(SAL_ERR_IO, "%s: the values of its cells are not those of its sweep", where);
  sal_design_drop(design);
  return err;
}

static sal_err copy_columns(const sal_document *d, int list, sal_design_lack *lack)
{
  const int n = sal_document_count(d, list);

  lack->column = sal_alloc((size_t)n + 1, sizeof *lack->column);
  if (!lack->column) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", d->path);
  for (; lack->n_column < n; ++lack->n_column) {
    const char *name = sal_document_text(d, sal_document_item(d, list, lack->n_column));
    lack->column[lack->n_column] = sal_text_copy(name ? name : "");
    if (!lack->column[lack->n_column])
      return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", d->path);
  }
  return SAL_OK;
}

sal_err sal_design_find_lack(const char *text, sal_design_lack *lack)
{
  SAL_OWN_BY(sal_document_free) sal_document d = {0};
  double points = 0;

  *lack = (sal_design_lack){0};
  if (!strstr(text, "sum:")) return SAL_OK;
  SAL_TRY(sal_document_parse("the sweep", text, &d));
  const char *sum = sal_document_text(&d, sal_document_find(&d, "cells.sum"));
  const char *n = sal_document_text(&d, sal_document_find(&d, "cells.points"));
  if (!sum || !n || !sal_value_read(n, &points) || !(points >= 1 && points <= 1e8)) return SAL_OK;
  snprintf(lack->sum, sizeof lack->sum, "%s", sum);
  sal_design *known = sal_design_known(lack->sum);
  if (!known) {
    lack->n_point = (int64_t)points;
    SAL_TRY(copy_columns(&d, sal_document_find(&d, "cells.columns"), lack));
  }
  sal_design_drop(&known);
  return SAL_OK;
}

void sal_design_lack_free(sal_design_lack *lack)
{
  for (int i = 0; i < lack->n_column; ++i) sal_free(lack->column[i]);
  sal_free(lack->column);
  *lack = (sal_design_lack){0};
}
