/** Trajectories as CSV. */
#include "trajectory_csv.h"
#include "atomic_file.h"
#include "base.h"

static void csv_state(FILE *f, const sal_model *m, double t, const double y[], int mode)
{
  fprintf(f, "%.17g,", t);
  for (int i = 0; i < m->n_state; ++i) fprintf(f, "%.17g,", y[i]);
  fprintf(f, "%d,", mode);
}

/* Two words as one cell (RFC 4180). */
static void csv_cell(FILE *f, const char *word, const char *more)
{
  const bool quoted = word[strcspn(word, ",\"\r\n")] || more[strcspn(more, ",\"\r\n")];

  if (quoted) fputc('"', f);
  for (int k = 0; k < 2; ++k)
    for (const char *c = k ? more : word; *c; ++c) fprintf(f, *c == '"' ? "\"%c" : "%c", *c);
  if (quoted) fputc('"', f);
}

static void csv_event(FILE *f, const sal_model *m, const sal_event *e)
{
  csv_state(f, m, e->t, e->y, e->closes);
  const sal_contact *contact = sal_model_contact(m, e->guard);
  char number[16] = "";
  if (m->n_guard > 1) snprintf(number, sizeof number, ":%d", e->guard);
  csv_cell(f, e->closes ? contact->closes : contact->opens, number);
  fprintf(f, "\n");
}

static void csv_name(FILE *f, const char *name, const char *unit)
{
  char text[256] = "";
  if (unit && strcmp(unit, "1") != 0) snprintf(text, sizeof text, " [%s]", unit);
  csv_cell(f, name, text);
  fprintf(f, ",");
}

static void csv_rows(FILE *f, const sal_model *m, bool units, const sal_trajectory *tr)
{
  const int outcome = (int)tr->record.value[SAL_METRIC_OUTCOME];
  int64_t e = 0;

  csv_name(f, "t", units ? m->time : NULL);
  for (int i = 0; i < m->n_state; ++i)
    csv_name(f, m->state[i].name, units ? m->state[i].unit : NULL);
  fprintf(f, "mode,event\n");
  for (int64_t j = 0; j < tr->n; ++j) {
    for (; e < tr->n_event && tr->event[e].t < tr->t[j]; ++e) csv_event(f, m, &tr->event[e]);
    csv_state(f, m, tr->t[j], tr->state + j * m->n_state, tr->closed[j]);
    fprintf(f, "\n");
  }
  for (; e < tr->n_event; ++e) csv_event(f, m, &tr->event[e]);
  if (sal_metric_finished(outcome)) return;
  const bool closed = tr->n > 0 && tr->closed[tr->n - 1];
  csv_state(f, m, tr->record.value[SAL_METRIC_T_REACHED], tr->end,
            e > 0 ? tr->event[e - 1].closes : closed);
  fprintf(f, "(%s)\n", sal_metric_outcomes[outcome].label);
}

sal_err sal_trajectory_csv(const char *path, const sal_model *m, bool units,
                           const sal_trajectory *tr)
{
  FILE *f;

  SAL_TRY(sal_atomic_file_open(path, &f));
  csv_rows(f, m, units, tr);
  return sal_atomic_file_close(path, f);
}
