/** @file src/io/cube/cube_seal.c
 *  What is known of the metrics only when all are written.
 *
 *  One rank writes it, into attributes whose place in the file is there already but for those of
 *  missing counts, which are few: labels are many small calls, not for parallel use.
 */
#include "cube_seal.h"
#include "checksum.h"
#include "collective_error.h"
#include "cube_create.h"
#include "h5.h"
#include "variable.h"

enum { N_SEALED = SAL_N_METRIC + SAL_N_CELL_METRIC };

/* Metrics by their place in a share: of trajectories, then of cells. */
static const sal_metric *sealed_metric(int i)
{
  return i < SAL_N_METRIC ? &sal_metrics[i] : &sal_metrics_of_cell[i - SAL_N_METRIC];
}

void sal_cube_seal_add(sal_cube_seal_share *share, bool of_cell, int m, int64_t first,
                       int64_t count, int each, const void *packed)
{
  const int          i     = of_cell ? SAL_N_METRIC + m : m;
  const sal_datatype type  = sal_datatype_of(sealed_metric(i)->kind);
  const int64_t     *whole = packed;

  share->sum[i] += sal_checksum_of(first, count, (size_t)each * sal_datatype_size(type), packed);
  for (int64_t k = 0; type == SAL_DATATYPE_WHOLE && k < count * each; ++k)
    share->missing[i] += whole[k] == -1;
}

static sal_err seal_metric(const sal_h5 *file, int i, const sal_cube_seal_share *all)
{
  const sal_metric *metric = sealed_metric(i);
  SAL_HID           set    = H5Dopen2(file->id, metric->name, H5P_DEFAULT);
  SAL_TRY_H5(file, set);

  SAL_TRY(sal_checksum_put_sum(file, set, all->sum[i]));
  return all->missing[i] ? sal_variable_mark_missing(file, set) : SAL_OK;
}

static sal_err seal_column(const sal_h5 *file, const sal_sweep *sweep, int i, uint64_t sum)
{
  char name[SAL_CUBE_CREATE_NAME];

  sal_cube_create_column(sweep, i, name);
  SAL_HID set = H5Dopen2(file->id, name, H5P_DEFAULT);
  SAL_TRY_H5(file, set);
  return sal_checksum_put_sum(file, set, sum);
}

static sal_err seal_part(const char *path, const sal_sweep *sweep, const sal_cube_seal_share *all)
{
  sal_h5  file;
  SAL_HID access = sal_h5_access();
  sal_err err    = sal_h5_open_part(path, access, &file);

  for (int i = 0; i < N_SEALED && err == SAL_OK; ++i)
    if (sal_sweep_asks(sweep, sealed_metric(i)->group)) err = seal_metric(&file, i, all);
  for (int i = 0; i < sal_cube_create_columns(sweep) && err == SAL_OK; ++i)
    err = seal_column(&file, sweep, i, all->column[i]);
  const sal_err closed = sal_h5_close(&file);
  return err ? err : closed;
}

sal_err sal_cube_seal(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                      const sal_cube_seal_share *share)
{
  sal_cube_seal_share all;
  int                 rank;

  SAL_TRY_MPI(MPI_Comm_rank(comm, &rank));
  SAL_TRY_MPI(MPI_Allreduce(share->sum, all.sum, N_SEALED, MPI_UINT64_T, MPI_SUM, comm));
  SAL_TRY_MPI(MPI_Allreduce(share->missing, all.missing, N_SEALED, MPI_UINT64_T, MPI_SUM, comm));
  SAL_TRY_MPI(
      MPI_Allreduce(share->column, all.column, 1 + SAL_MAX_QUANTITY, MPI_UINT64_T, MPI_SUM, comm));
  return sal_collective_error(comm, rank == 0 ? seal_part(path, sweep, &all) : SAL_OK);
}
