/** The checks of `saltus doctor`. */
#include "doctor_checks.h"
#include "base.h"
#include "build.h"
#include "cli_compile.h"
#include "collective_error.h"
#include "environment.h"
#include "folder_probe.h"
#include "node_words.h"
#include "tile_run.h"
#include <stdarg.h>
#include <stdlib.h>

#define LITTLE 1e9 /* [B] free space that is worth a word */

typedef sal_doctor_finding finding;

#if SAL_HAS_IMPORT
const char *const sal_model_import_missing = NULL;
#else
const char *const sal_model_import_missing =
    "install libxml2 (libxml2-dev) and configure with -DSALTUS_LIBXML2=ON";
#endif

static void find(finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void find(finding *f, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  (void)vsnprintf(f->found, sizeof f->found, format, args);
  va_end(args);
}

static void advise(finding *f, sal_doctor_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void advise(finding *f, sal_doctor_state state, const char *format, ...)
{
  va_list args;

  f->state = state;
  va_start(args, format);
  (void)vsnprintf(f->todo, sizeof f->todo, format, args);
  va_end(args);
}

/* A failure becomes what was found. */
static bool failed(finding *f, sal_err err)
{
  if (err == SAL_OK) return false;
  find(f, "%s", sal_err_message());
  sal_err_clear();
  return true;
}

static void look_at_lanes(const sal_command_call *call, const char *folder, finding *f)
{
  const int widest = sal_integrate_widest();

  (void)call, (void)folder;
  find(f, "%d of %d that are compiled", widest, SAL_WIDEST);
  if (widest < SAL_WIDEST)
    advise(f, widest == 1 ? SAL_DOCTOR_LACKS : SAL_DOCTOR_WORKS,
           "this CPU has no wider registers; results are the same, runs take longer");
}

static void look_at_cores(const sal_command_call *call, const char *folder, finding *f)
{
  const int threads = sal_tile_threads();
  unsigned char own[SAL_CORES_BYTES];
  SAL_OWN_BY(sal_node_ranks_free) sal_node_ranks node = {0};
  int cores = 0;

  (void)folder;
  if (failed(f, sal_node_ranks_find(call->comm, &node)) ||
      failed(f, sal_core_share_count(node.comm, &cores)))
    return;
  const int ranks = node.n_rank;
  sal_cores_allowed(own);
  const int mine = sal_cores_count(own);
  find(f, "%d on this node for %d rank%s of %d thread%s; this rank may use %d", cores, ranks,
       ranks > 1 ? "s" : "", threads, threads > 1 ? "s" : "", mine);
  if (mine < threads)
    advise(f, SAL_DOCTOR_LACKS,
           "threads share cores: mpirun --bind-to none, or --map-by slot:PE=%d (srun "
           "--cpus-per-task=%d)",
           threads, threads);
  else if (ranks * threads > cores)
    advise(f, SAL_DOCTOR_LACKS, "%d threads on %d cores: fewer ranks, or OMP_NUM_THREADS=%d",
           ranks * threads, cores, cores / ranks > 0 ? cores / ranks : 1);
  else if (ranks * threads < cores && call->n_rank == 1)
    advise(f, SAL_DOCTOR_WORKS, "mpirun -n %d would use all of them", cores / threads);
}

static void look_at_mpi(const sal_command_call *call, const char *folder, finding *f)
{
  static const char *const words[] = {"single", "funneled", "serialized", "multiple"};
  static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                               MPI_THREAD_MULTIPLE};
  const char *word = "?";
  sal_build b;
  int level;

  (void)folder;
  sal_build_describe(&b);
  MPI_Query_thread(&level);
  for (int i = 0; i < 4; ++i)
    if (levels[i] == level) word = words[i];
  find(f, "%s; %d rank%s, threads: %s", b.mpi, call->n_rank, call->n_rank > 1 ? "s" : "", word);
  if (level < MPI_THREAD_MULTIPLE)
    advise(f, SAL_DOCTOR_LACKS,
           "a host that vanishes is not noticed: that takes MPI_THREAD_MULTIPLE");
}

/* All ranks of a node add to one word. */
static sal_err count_ranks(MPI_Comm comm, sal_node_ranks *node, int64_t *count)
{
  SAL_OWN_BY(sal_node_words_close) sal_node_words words = {0};
  int64_t before;

  SAL_TRY(sal_node_ranks_find(comm, node));
  SAL_TRY(sal_node_words_open(node, 1, &words));
  SAL_TRY(sal_node_words_add(&words, 0, 1, &before));
  MPI_Barrier(node->comm);
  return sal_node_words_add(&words, 0, 0, count);
}

/* The ranks of a node draw their work from memory that they share (sched/node.h). */
static void look_at_window(const sal_command_call *call, const char *folder, finding *f)
{
  SAL_OWN_BY(sal_node_ranks_free) sal_node_ranks node = {0};
  int64_t after = 0;

  (void)folder;
  if (failed(f, count_ranks(call->comm, &node, &after))) return;
  find(f, "%d rank%s of this node counted to %lld in it", node.n_rank, node.n_rank > 1 ? "s" : "",
       (long long)after);
  if (after != node.n_rank)
    advise(f, SAL_DOCTOR_FAILS,
           "atomic operations on it are wrong: OMPI_MCA_osc=^ucx (jobscripts/env.sh)");
}

static void look_at_folder(const sal_command_call *call, const char *folder, finding *f)
{
  sal_build b;

  sal_build_describe(&b);
  if (failed(f, sal_folder_probe_parallel(call->comm, folder))) {
    advise(f, SAL_DOCTOR_FAILS,
           "name a folder that all ranks reach and may write to: saltus doctor FOLDER");
    return;
  }
  const double room = sal_folder_probe_free(folder);
  find(f, "%s: written by %d rank%s, and read back; HDF5 %s; %.3g GB free", folder, call->n_rank,
       call->n_rank > 1 ? "s" : "", b.hdf5, room / 1e9);
  if (room >= 0 && room < LITTLE)
    advise(f, SAL_DOCTOR_LACKS, "`saltus plan SWEEP.yaml` predicts the disk space of a sweep");
}

static void look_at_locks(const sal_command_call *call, const char *folder, finding *f)
{
  find(f, "a file that is locked is locked for others");
  if (call->rank == 0 && failed(f, sal_folder_probe_lock(folder)))
    advise(f, SAL_DOCTOR_LACKS,
           "runs work; let no two write one cube at once; other programs of HDF5 read a cube there "
           "with HDF5_USE_FILE_LOCKING=FALSE");
}

static void look_at_compiler(const sal_command_call *call, const char *folder, finding *f)
{
  char path[PATH_MAX], images[PATH_MAX];

  (void)folder;
  if (call->rank != 0) return;
  if (failed(f, sal_cli_compile_needs(path, images)))
    advise(f, SAL_DOCTOR_LACKS,
           "texts of equations are interpreted, with the same results in about twice the time; "
           "SALTUS_CACHE=FOLDER and SALTUS_CC=COMPILER name others");
  else
    find(f, "%s; what it makes of texts of equations is kept in %s", path, images);
}

/* All of them are one row; a library may be loaded by one rank, as a run does. */
static void look_at_libraries(const sal_command_call *call, const char *folder, finding *f)
{
  const sal_provider *l;
  size_t n = 0;

  (void)folder;
  if (call->rank != 0) return;
  for (int i = 0; (l = sal_providers_library(i)) != NULL; ++i) {
    if (l->methods && !l->methods[0]) continue;
    const sal_err err = l->methods && l->start ? l->start() : SAL_OK;
    const char *const state = !l->methods     ? "left out"
                              : err != SAL_OK ? sal_err_message()
                                              : "there";
    n += (size_t)snprintf(f->found + n, sizeof f->found - n, "%s%s: %s", n ? "; " : "", l->name,
                          state);
    if (n >= sizeof f->found) n = sizeof f->found - 1;
    if (!l->methods)
      advise(f, SAL_DOCTOR_LACKS, "%s", l->missing);
    else if (err != SAL_OK)
      advise(f, SAL_DOCTOR_LACKS,
             "its solvers cannot run: is it installed where it was when saltus was built?");
    sal_err_clear();
  }
  if (n < sizeof f->found)
    snprintf(f->found + n, sizeof f->found - n, "; libxml2: %s",
             sal_model_import_missing ? "left out" : "there");
  if (sal_model_import_missing) advise(f, SAL_DOCTOR_LACKS, "%s", sal_model_import_missing);
}

static void look_at_slurm(const sal_command_call *call, const char *folder, finding *f)
{
  const char *job = getenv("SLURM_JOB_ID");
  char path[PATH_MAX];
  const bool sbatch = sal_program_path("sbatch", path);

  (void)call, (void)folder;
  find(f, job ? "job %s" : sbatch ? "sbatch is here; this is not a job" : "no sbatch on PATH", job);
  if (!job && !sbatch)
    advise(f, SAL_DOCTOR_WORKS,
           "mpirun starts runs; jobscripts/local-slurm.sh makes a cluster of this machine");
}

const sal_doctor_check sal_doctor_checks[] = {
    {"lanes", look_at_lanes},       {"cores", look_at_cores},
    {"MPI", look_at_mpi},           {"shared memory", look_at_window},
    {"folder", look_at_folder},     {"locks", look_at_locks},
    {"compiler", look_at_compiler}, {"libraries", look_at_libraries},
    {"SLURM", look_at_slurm},       {NULL, NULL}};

/* Ranks that are bound have cores of their own, others all of them: what the node has is the union. */
sal_err sal_core_share_count(MPI_Comm node, int *cores)
{
  unsigned char set[SAL_CORES_BYTES];

  sal_cores_allowed(set);
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, set, SAL_CORES_BYTES, MPI_BYTE, MPI_BOR, node));
  *cores = sal_cores_count(set);
  return SAL_OK;
}

sal_err sal_core_share_set(MPI_Comm comm)
{
  SAL_OWN_BY(sal_node_ranks_free) sal_node_ranks node = {0};
  int cores = 0;

  if (getenv("OMP_NUM_THREADS")) return SAL_OK;
  SAL_TRY(sal_node_ranks_find(comm, &node));
  SAL_TRY(sal_core_share_count(node.comm, &cores));
  if (cores > 0) sal_tile_threads_set(cores > node.n_rank ? cores / node.n_rank : 1);
  return SAL_OK;
}
