/** Hosts that are alive, hosts that are lost, and an orderly end: each rank is a host of its own.
 *
 *  Hosts are made up, as in test_sched.c.  A cable is pulled by taking MPI_Isend over: what a rank
 *  sends under the tag of a beat goes nowhere, while everything else arrives.
 */
#include "clock.h"
#include "memory.h"
#include "node.h"
#include "sal_test.h"
#include <math.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BEAT_TAG = 1 };
#define PATIENCE 0.4 /* [s] */
#define AT_MOST 60.0 /* [s] that a loss may take on a busy machine */

static int me, size;
static atomic_bool cut;
static atomic_int losses, swallowed;
static char lost_hosts[SAL_HEARTBEAT_TEXT];
static double lost_after;

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
  int here;

  (void)type;
  (void)info;
  MPI_Comm_rank(comm, &here);
  return PMPI_Comm_split(comm, here, key, out);
}

int MPI_Get_processor_name(char *name, int *length)
{
  *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "host%d", me);
  return MPI_SUCCESS;
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
  if (tag != BEAT_TAG || !atomic_load(&cut))
    return PMPI_Isend(data, n, type, to, tag, comm, request);
  atomic_fetch_add(&swallowed, 1);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

static int setup(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return 0;
}

static void doze(double seconds)
{
  const struct timespec time = {(long)seconds, (long)(1e9 * fmod(seconds, 1))};

  nanosleep(&time, NULL);
}

static void note_lost(const char *hosts, double seconds)
{
  snprintf(lost_hosts, sizeof lost_hosts, "%s", hosts);
  lost_after = seconds;
  atomic_fetch_add(&losses, 1);
}

static void begin(double patience)
{
  atomic_store(&cut, false);
  atomic_store(&losses, 0);
  CU_ASSERT_FATAL(sal_heartbeat_start(MPI_COMM_WORLD, patience, note_lost) == SAL_OK);
}

/* Hosts whose main thread computes, or waits for another one in a collective call, count as alive. */
static void a_busy_host_is_heard(void)
{
  const long before = sal_memory_live();
  char hosts[SAL_HEARTBEAT_TEXT];
  double seconds;

  begin(60);
  sal_heartbeat_set_patience(2 * PATIENCE);
  if (me == 0 && size > 1) doze(4 * PATIENCE); /* no call of MPI; the others are in the barrier */
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(atomic_load(&losses), 0);
  CU_ASSERT_FALSE(sal_heartbeat_silent(hosts, &seconds));
  sal_heartbeat_stop();
  CU_ASSERT_EQUAL(atomic_load(&losses), 0);
  CU_ASSERT_EQUAL(sal_memory_live(), before);
}

/* A rank that ends long before the others is not lost, nor are they. */
static void an_end_takes_as_long_as_the_slowest(void)
{
  begin(2 * PATIENCE);
  const double began = sal_clock_wall();
  if (me == size - 1 && size > 1) doze(4 * PATIENCE);
  sal_heartbeat_stop();
  CU_ASSERT_EQUAL(atomic_load(&losses), 0);
  if (size > 1 && me == 0) CU_ASSERT(sal_clock_wall() - began > 3 * PATIENCE);
  sal_heartbeat_stop(); /* once more does nothing */
}

static bool wait_for_loss(void)
{
  const double began = sal_clock_wall();

  while (!atomic_load(&losses) && sal_clock_wall() - began < AT_MOST) doze(0.01);
  return atomic_load(&losses) == 1;
}

/* The last host goes silent: the first one names it, is warned of it before, and not too early. */
static void a_silent_host_is_named(void)
{
  char name[32], hosts[SAL_HEARTBEAT_TEXT];
  double seconds, warned = 0;

  if (size == 1) return;
  begin(PATIENCE);
  MPI_Barrier(MPI_COMM_WORLD);
  atomic_store(&cut, me == size - 1);
  const double began = sal_clock_wall();
  snprintf(name, sizeof name, "host%d", size - 1);
  if (me == 0) {
    while (!atomic_load(&losses) && sal_clock_wall() - began < AT_MOST) {
      if (sal_heartbeat_silent(hosts, &seconds) && strcmp(hosts, name) == 0 && warned == 0)
        warned = seconds;
      doze(0.005);
    }
    CU_ASSERT(wait_for_loss());
    CU_ASSERT_STRING_EQUAL(lost_hosts, name);
    CU_ASSERT(lost_after >= PATIENCE && lost_after < 3 * PATIENCE);
    CU_ASSERT(warned > 0 && warned < lost_after);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == size - 1) CU_ASSERT(atomic_load(&swallowed) > 0);
  if (me > 0) CU_ASSERT_EQUAL(atomic_load(&losses), 0); /* the first one is still alive */
  /* which now goes silent as well */
  atomic_store(&cut, true);
  if (me > 0) CU_ASSERT(wait_for_loss());
  if (me > 0) CU_ASSERT_STRING_EQUAL(lost_hosts, "host0");
  sal_heartbeat_stop();
}

/* Patience that a rank has and others have not yet. */
static void the_longer_patience_counts(void)
{
  if (size == 1) return;
  begin(60);
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) sal_heartbeat_set_patience(PATIENCE); /* the others beat every 5 s */
  doze(3 * PATIENCE);
  CU_ASSERT_EQUAL(atomic_load(&losses), 0);
  MPI_Barrier(MPI_COMM_WORLD);
  sal_heartbeat_stop();
}

int SAL_TEST_ENTRY(int argc, char *argv[])
{
  CU_TestInfo cases[] = {
      {"a busy host counts as alive", a_busy_host_is_heard},
      {"an end takes as long as the slowest", an_end_takes_as_long_as_the_slowest},
      {"a silent host is named", a_silent_host_is_named},
      {"the longer patience counts", the_longer_patience_counts},
      CU_TEST_INFO_NULL};
  int provided, any;

  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const int here = sal_test_run("sched/heartbeat", setup, cases, me == 0);
  MPI_Allreduce(&here, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return any || provided < MPI_THREAD_MULTIPLE;
}
