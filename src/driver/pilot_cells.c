/** Pilots back from journals. */
#include "base.h"
#include "collective_error.h"
#include "config.h"
#include "journal.h"
#include "quantiles.h"
#include "run_sweep.h"
#include <limits.h>

/* Takes a cell that has been read. */
typedef sal_err cell_reader(void *with, int64_t cell, const sal_cell_record *figures,
                            const sal_record record[]);

/* This rank's share of the cells first .. end - 1: its entries by turns. */
static sal_err read_cells(const sal_journal *j, int64_t first, int64_t end, cell_reader *read,
                          void *with)
{
  const int n = sal_config_count(j->sweep);
  SAL_OWN_BY(sal_journal_read_end) sal_journal_reader reader = {.journal = j};

  const int rank = sal_collective_rank(j->comm), n_rank = sal_collective_ranks(j->comm);
  for (int64_t e = rank; e < j->n_entry && j->entry[e].first < end; e += n_rank) {
    SAL_OWN_BY(sal_tile_result_free) sal_tile_result r = {0};
    if (j->entry[e].first + j->entry[e].count <= first) continue;
    SAL_TRY(sal_journal_read(&reader, &j->entry[e], &r));
    for (int64_t i = 0; i < r.count; ++i)
      if (r.first + i >= first && r.first + i < end)
        SAL_TRY(read(with, r.first + i, &r.cell[i], &r.record[i * n]));
  }
  return SAL_OK;
}

static sal_err add_pilot(void *with, int64_t cell, const sal_cell_record *figures,
                         const sal_record record[])
{
  sal_pilots_add(with, cell, figures, record);
  return SAL_OK;
}

/* Collective.  All ranks know what each has read. */
static sal_err share_pilots(MPI_Comm comm, sal_pilots *pilots)
{
  int64_t n;
  uint64_t *known = sal_pilots_known(pilots, &n);

  for (int64_t at = 0; at < n; at += INT_MAX) {
    const int count = n - at < INT_MAX ? (int)(n - at) : INT_MAX;
    SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, known + at, count, MPI_UINT64_T, MPI_BOR, comm));
  }
  return SAL_OK;
}

typedef struct {
  const sal_pilots *pilots;
  sal_pilots_validation found; /* of this rank */
} validation;

static sal_err validation_cell(void *with, int64_t cell, const sal_cell_record *figures,
                               const sal_record record[])
{
  validation *a = with;

  return sal_pilots_validation_add(a->pilots, cell, figures, record, &a->found);
}

/* Collective.  The ratios of all ranks, ascending; *all is freed by the caller. */
static sal_err gather_ratios(MPI_Comm comm, const sal_pilots_validation *mine, int total,
                             double **all)
{
  const int n = (int)(mine->lost - mine->unanswered);
  int before = 0;

  *all = sal_alloc((size_t)total + 1, sizeof **all);
  SAL_TRY(sal_collective_error(
      comm, *all ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a validation")));
  assert(*all);
  for (int i = 0; i < total; ++i) (*all)[i] = 0;
  SAL_TRY_MPI(MPI_Exscan(&n, &before, 1, MPI_INT, MPI_SUM, comm));
  const int rank = sal_collective_rank(comm);
  for (int i = 0; i < n && mine->ratio; ++i) (*all)[(rank > 0 ? before : 0) + i] = mine->ratio[i];
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, *all, total, MPI_DOUBLE, MPI_SUM, comm));
  sal_quantiles_sort(total, *all);
  return SAL_OK;
}

/* Losses that the validation cells found, of all ranks. */
typedef struct {
  int64_t cells, questions, lost, unanswered; /* as in sal_pilots_validation */
  double median, most;                        /* of the ratios of work; NaN: there is none */
} finding;

/* Collective. */
static sal_err sum_up(MPI_Comm comm, const sal_pilots_validation *mine, finding *out)
{
  int64_t sum[] = {mine->cells, mine->questions, mine->lost, mine->unanswered};
  SAL_OWN double *ratio = NULL;

  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, sum, 4, MPI_INT64_T, MPI_SUM, comm));
  const int n = (int)(sum[2] - sum[3]);
  SAL_TRY(gather_ratios(comm, mine, n, &ratio));
  *out = (finding){.cells = sum[0],
                   .questions = sum[1],
                   .lost = sum[2],
                   .unanswered = sum[3],
                   .median = n > 0 ? sal_quantiles_at(n, ratio, 0.5) : NAN,
                   .most = n > 0 ? ratio[n - 1] : NAN};
  return SAL_OK;
}

static sal_err describe(const finding *f, char **out)
{
  sal_text text = {0};

  sal_text_add(&text, "%lld validation cell%s: of %lld questions ", (long long)f->cells,
               sal_text_plural(f->cells), (long long)f->questions);
  if (f->lost == 0) sal_text_add(&text, "none lost its winner");
  if (f->lost > 0)
    sal_text_add(&text, "%lld lost the winner, %lld of these every answer", (long long)f->lost,
                 (long long)f->unanswered);
  if (f->lost > f->unanswered)
    sal_text_add(&text, "; the next takes %.3g times its work in the median, %.3g at most",
                 f->median, f->most);
  *out = sal_text_take(&text);
  return *out ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a validation");
}

static void drop_validation(validation *a) { sal_pilots_validation_free(&a->found); }

sal_err sal_pilot_cells_read(const sal_journal *j, sal_pilots **out, char **words)
{
  const int64_t pilots = j->sweep->pilots.cells, whole = sal_pilots_whole(j->sweep);
  SAL_OWN_BY(drop_validation) validation a = {0};

  SAL_TRY(sal_collective_error(j->comm, sal_pilots_create(j->sweep, out)));
  SAL_TRY(sal_collective_error(j->comm, read_cells(j, 0, pilots, add_pilot, *out)));
  SAL_TRY(share_pilots(j->comm, *out));
  a.pilots = *out;
  SAL_TRY(sal_collective_error(j->comm, read_cells(j, pilots, whole, validation_cell, &a)));
  finding found = {0};
  SAL_TRY(sum_up(j->comm, &a.found, &found));
  return sal_collective_error(j->comm, describe(&found, words));
}
