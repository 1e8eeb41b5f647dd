/** Needs of a run, one check a row: whether this machine has it, and the remedy; the cores of each rank.
 */
#pragma once

#include "command.h"

typedef enum {
  SAL_DOCTOR_WORKS,
  SAL_DOCTOR_LACKS, /* works without, and something is slower or left out */
  SAL_DOCTOR_FAILS, /* no run works here as it is */
} sal_doctor_state;

enum { SAL_DOCTOR_WORDS = 640 };
typedef struct {
  sal_doctor_state state;
  char found[SAL_DOCTOR_WORDS]; /* what there is, or what went wrong */
  char todo[SAL_DOCTOR_WORDS];  /* "": nothing */
} sal_doctor_finding;

/** A check; all ranks call it, and what rank 0 finds is what counts. */
typedef struct {
  const char *name;
  void (*look)(const sal_command_call *call, const char *folder, sal_doctor_finding *finding);
} sal_doctor_check;

/** The last one has no name. */
extern const sal_doctor_check sal_doctor_checks[];

/** The remedy of a build without `saltus model import`; NULL: it is there. */
extern const char *const sal_model_import_missing;

/* Threads of a rank where OMP_NUM_THREADS does not say how many: its share of the cores that the ranks of its node may use. */

/** Collective over comm.  Without OMP_NUM_THREADS the ranks of a node divide the cores that any of them is
 *  allowed to run on; each has one thread at least.  OpenMP alone would give each rank all cores. */
sal_err sal_core_share_set(MPI_Comm comm);

/** Collective over node, the ranks of one: how many cores any of them is allowed to run on; 0: not known. */
sal_err sal_core_share_count(MPI_Comm node, int *cores);
