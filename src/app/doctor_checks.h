/** @file src/app/doctor_checks.h
 *  What a run needs of a machine, one check a row: does it work here, and what is to be done where it does not?
 */
#ifndef SAL_DOCTOR_CHECKS_H
#define SAL_DOCTOR_CHECKS_H

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

#endif
