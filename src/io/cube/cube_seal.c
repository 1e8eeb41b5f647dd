/** Checksums and missing counts, which are complete when all metrics are written.
 *
 *  One rank writes them, into attributes whose place in the file is there already but for those of
 *  missing counts, which are few: labels are many small calls, not for parallel use.
 */
#include "collective_error.h"
#include "cube_frame.h"
#include "group_seal.h"
#include "h5_part.h"

static sal_err seal_metric(const sal_h5 *file, int i, const sal_cube_seal_share *all)
{
  const sal_metric *metric = sal_metric_at(i);
  SAL_HID set = H5Dopen2(file->id, metric->name, H5P_DEFAULT);
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

static sal_err seal_part(const char *path, const sal_sweep *sweep, const sal_cube_seal_share *all,
                         const sal_block_list *cut)
{
  sal_h5 file;
  sal_err err = sal_h5_part_open(path, NULL, &file);

  for (int i = 0; i < SAL_METRICS_ALL && err == SAL_OK; ++i)
    if (sal_sweep_keeps(sweep, i)) err = seal_metric(&file, i, all);
  for (int i = 0; i < sal_cube_create_columns(sweep) && err == SAL_OK; ++i)
    err = seal_column(&file, sweep, i, all->column[i]);
  if (err == SAL_OK) err = sal_block_sums_finish(&file, cut, all->blocks.total);
  if (err == SAL_OK) err = sal_group_seal_put(&file);
  return sal_h5_part_close(&file, err);
}

/* Collective.  Adds up the shares of all ranks. */
static sal_err add_shares(MPI_Comm comm, sal_cube_seal_share *share, sal_cube_seal_share *all)
{
  *all = (sal_cube_seal_share){0};
  SAL_TRY_MPI(MPI_Allreduce(share->sum, all->sum, SAL_METRICS_ALL, MPI_UINT64_T, MPI_SUM, comm));
  SAL_TRY_MPI(
      MPI_Allreduce(share->missing, all->missing, SAL_METRICS_ALL, MPI_UINT64_T, MPI_SUM, comm));
  SAL_TRY_MPI(
      MPI_Allreduce(share->column, all->column, 1 + SAL_MAX_QUANTITY, MPI_UINT64_T, MPI_SUM, comm));
  SAL_TRY_MPI(
      MPI_Allreduce(&share->blocks.total, &all->blocks.total, 1, MPI_UINT64_T, MPI_SUM, comm));
  return SAL_OK;
}

sal_err sal_cube_seal(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                      sal_cube_seal_share *share)
{
  sal_cube_seal_share all;
  SAL_OWN_BY(sal_block_sums_free_list) sal_block_list cut = {0};

  SAL_TRY(add_shares(comm, share, &all));
  SAL_TRY(sal_block_sums_gather(comm, &share->blocks, &cut));
  return sal_collective_first(comm, seal_part(path, sweep, &all, &cut));
}
