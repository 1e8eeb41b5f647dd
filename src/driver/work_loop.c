/** The loop of a rank over its tiles. */
#include "work_loop.h"
#include "collective_error.h"
#include "stop.h"

#define NAP 0.05 /* [s] between two looks of a rank that waits */

sal_err sal_work_loop_open(MPI_Comm comm, int64_t n, const sal_tile tile[], const sal_work *work,
                           sal_work_loop *loop)
{
  *loop = (sal_work_loop){.comm = comm, .work = *work};
  return sal_collective_error(comm, sal_sched_create(comm, n, tile, NULL, &loop->sched));
}

/* A stop may have come from another rank, by a signal or a failure there. */
static sal_err look_for_stop(sal_work_loop *loop)
{
  bool stopped = false;

  if ((sal_stop_signal() || sal_stop_halted()) && !loop->drained) {
    loop->drained = true;
    SAL_TRY(sal_sched_drain(loop->sched));
  }
  SAL_TRY(sal_sched_stopped(loop->sched, &stopped));
  if (stopped && !loop->stopped) sal_stop_soon();
  loop->stopped = loop->stopped || stopped;
  return SAL_OK;
}

static sal_err poll_all(sal_work_loop *loop)
{
  SAL_TRY(sal_sched_poll(loop->sched));
  if (loop->work.look) SAL_TRY(loop->work.look(loop->work.with));
  return look_for_stop(loop);
}

void sal_work_loop_poll(sal_work_loop *loop)
{
  if (loop->polled == SAL_OK) loop->polled = poll_all(loop);
}

bool sal_work_loop_stops(const sal_work_loop *loop)
{
  return sal_stop_signal() || sal_stop_halted() || loop->stopped;
}

static sal_err do_tile(sal_work_loop *loop, const sal_tile *tile)
{
  double seconds = 0;

  SAL_TRY(loop->work.run(loop->work.with, tile, &seconds));
  SAL_TRY(loop->polled);
  SAL_TRY(sal_sched_finished(loop->sched, tile, seconds));
  sal_work_loop_poll(loop);
  return loop->polled;
}

static sal_err do_tiles(sal_work_loop *loop)
{
  sal_tile tile;
  bool more = true;

  sal_work_loop_poll(loop);
  sal_err err = loop->polled;
  while (err == SAL_OK && (err = sal_sched_next(loop->sched, &tile, &more)) == SAL_OK && more)
    err = do_tile(loop, &tile);
  return err;
}

/* This rank has nothing left to do, or cannot go on, but others may wait for it. */
static sal_err wait_for_others(sal_work_loop *loop)
{
  bool over = false;

  while (!over) {
    sal_work_loop_poll(loop);
    SAL_TRY(sal_sched_wait(loop->sched, NAP, &over));
  }
  return SAL_OK;
}

sal_err sal_work_loop_run(sal_work_loop *loop, sal_err failed)
{
  sal_err mine = failed, waited = SAL_OK;

  sal_stop_share(sal_sched_halt(loop->sched));
  if (mine == SAL_OK) mine = do_tiles(loop);
  if (mine != SAL_OK) waited = sal_sched_drain(loop->sched);
  if (waited == SAL_OK) waited = wait_for_others(loop);
  sal_stop_share(NULL);
  SAL_TRY(waited);
  if (mine == SAL_ERR_STOPPED) mine = SAL_OK; /* close finds out why */
  return mine == SAL_OK ? loop->polled : mine;
}

/* Collective.  Did a signal come to any rank? */
static sal_err stopped_by_signal(MPI_Comm comm)
{
  const int mine = sal_stop_signal() != 0;
  int any;

  SAL_TRY_MPI(MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm));
  return any ? SAL_ERR_STOPPED : SAL_OK;
}

sal_err sal_work_loop_close(sal_work_loop *loop, sal_err err)
{
  err = sal_collective_error(loop->comm, err);
  sal_sched_destroy(&loop->sched);
  return err == SAL_OK ? stopped_by_signal(loop->comm) : err;
}
