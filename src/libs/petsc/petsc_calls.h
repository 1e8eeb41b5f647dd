/** PETSc's functions, found by name in the library that sal_petsc_start loads.
 *
 *  Linked to the program, PETSc and the hundred libraries that it needs would take two thirds of the time of a short
 *  command, most of which never use it.  Here each place of a call looks its function up once and keeps it.  To be
 *  called after sal_petsc_start alone.  A function that is not listed is one that the linker does not find: add it.
 */
#pragma once

#include <petscts.h>

/** A function or a variable of PETSc, where it was loaded; ends the process, as the loader would, where PETSc lacks
 *  it: then it is of another version than its headers.  One thread of a process calls it, as with all of PETSc. */
void *sal_petsc_calls_find(const char *name);

#define SAL_PETSC_FOUND(name)                                                                      \
  (*__extension__({                                                                                \
    static __typeof__(&name) sal_found;                                                            \
    if (!sal_found) sal_found = (__typeof__(&name))sal_petsc_calls_find(#name);                    \
    sal_found;                                                                                     \
  }))

#define KSPGetIterationNumber SAL_PETSC_FOUND(KSPGetIterationNumber)
#define KSPGetPC SAL_PETSC_FOUND(KSPGetPC)
#define KSPGetReusePreconditioner SAL_PETSC_FOUND(KSPGetReusePreconditioner)
#define KSPSetPostSolve SAL_PETSC_FOUND(KSPSetPostSolve)
#define KSPSetType SAL_PETSC_FOUND(KSPSetType)
#define MatAssemblyBegin SAL_PETSC_FOUND(MatAssemblyBegin)
#define MatAssemblyEnd SAL_PETSC_FOUND(MatAssemblyEnd)
#define MatCreateSeqDense SAL_PETSC_FOUND(MatCreateSeqDense)
#define MatDenseGetArrayWrite SAL_PETSC_FOUND(MatDenseGetArrayWrite)
#define MatDenseRestoreArrayWrite SAL_PETSC_FOUND(MatDenseRestoreArrayWrite)
#define MatDestroy SAL_PETSC_FOUND(MatDestroy)
#define MatSetValues SAL_PETSC_FOUND(MatSetValues)
#define MatZeroEntries SAL_PETSC_FOUND(MatZeroEntries)
#define PCSetType SAL_PETSC_FOUND(PCSetType)
#define PETSC_COMM_WORLD SAL_PETSC_FOUND(PETSC_COMM_WORLD)
#define PetscError SAL_PETSC_FOUND(PetscError)
#define PetscErrorMessage SAL_PETSC_FOUND(PetscErrorMessage)
#define PetscFinalize SAL_PETSC_FOUND(PetscFinalize)
#define PetscInitializeNoArguments SAL_PETSC_FOUND(PetscInitializeNoArguments)
#define PetscOptionsCreate SAL_PETSC_FOUND(PetscOptionsCreate)
#define PetscOptionsDestroy SAL_PETSC_FOUND(PetscOptionsDestroy)
#define PetscOptionsGetReal SAL_PETSC_FOUND(PetscOptionsGetReal)
#define PetscOptionsGetString SAL_PETSC_FOUND(PetscOptionsGetString)
#define PetscOptionsHasName SAL_PETSC_FOUND(PetscOptionsHasName)
#define PetscOptionsInsertString SAL_PETSC_FOUND(PetscOptionsInsertString)
#define PetscOptionsLeftGet SAL_PETSC_FOUND(PetscOptionsLeftGet)
#define PetscOptionsLeftRestore SAL_PETSC_FOUND(PetscOptionsLeftRestore)
#define PetscOptionsPop SAL_PETSC_FOUND(PetscOptionsPop)
#define PetscOptionsPush SAL_PETSC_FOUND(PetscOptionsPush)
#define PetscOptionsSetValue SAL_PETSC_FOUND(PetscOptionsSetValue)
#define PetscPushErrorHandler SAL_PETSC_FOUND(PetscPushErrorHandler)
#define PetscSNPrintf SAL_PETSC_FOUND(PetscSNPrintf)
#define SNESConvergedReasons SAL_PETSC_FOUND(SNESConvergedReasons)
#define SNESCreate SAL_PETSC_FOUND(SNESCreate)
#define SNESDestroy SAL_PETSC_FOUND(SNESDestroy)
#define SNESGetConvergedReason SAL_PETSC_FOUND(SNESGetConvergedReason)
#define SNESGetFunctionNorm SAL_PETSC_FOUND(SNESGetFunctionNorm)
#define SNESGetIterationNumber SAL_PETSC_FOUND(SNESGetIterationNumber)
#define SNESGetKSP SAL_PETSC_FOUND(SNESGetKSP)
#define SNESSetFunction SAL_PETSC_FOUND(SNESSetFunction)
#define SNESSetJacobian SAL_PETSC_FOUND(SNESSetJacobian)
#define SNESSetTolerances SAL_PETSC_FOUND(SNESSetTolerances)
#define SNESSetType SAL_PETSC_FOUND(SNESSetType)
#define SNESSolve SAL_PETSC_FOUND(SNESSolve)
#define TSAdaptCandidatesGet SAL_PETSC_FOUND(TSAdaptCandidatesGet)
#define TSAdaptGetStepLimits SAL_PETSC_FOUND(TSAdaptGetStepLimits)
#define TSAdaptSetStepLimits SAL_PETSC_FOUND(TSAdaptSetStepLimits)
#define TSBDFGetOrder SAL_PETSC_FOUND(TSBDFGetOrder)
#define TSConvergedReasons SAL_PETSC_FOUND(TSConvergedReasons)
#define TSCreate SAL_PETSC_FOUND(TSCreate)
#define TSDestroy SAL_PETSC_FOUND(TSDestroy)
#define TSGetAdapt SAL_PETSC_FOUND(TSGetAdapt)
#define TSGetApplicationContext SAL_PETSC_FOUND(TSGetApplicationContext)
#define TSGetConvergedReason SAL_PETSC_FOUND(TSGetConvergedReason)
#define TSGetPrevTime SAL_PETSC_FOUND(TSGetPrevTime)
#define TSGetSNES SAL_PETSC_FOUND(TSGetSNES)
#define TSGetSolution SAL_PETSC_FOUND(TSGetSolution)
#define TSGetStepNumber SAL_PETSC_FOUND(TSGetStepNumber)
#define TSGetStepRejections SAL_PETSC_FOUND(TSGetStepRejections)
#define TSGetTime SAL_PETSC_FOUND(TSGetTime)
#define TSGetTimeStep SAL_PETSC_FOUND(TSGetTimeStep)
#define TSGetType SAL_PETSC_FOUND(TSGetType)
#define TSInterpolate SAL_PETSC_FOUND(TSInterpolate)
#define TSRKGetOrder SAL_PETSC_FOUND(TSRKGetOrder)
#define TSRestartStep SAL_PETSC_FOUND(TSRestartStep)
#define TSSetApplicationContext SAL_PETSC_FOUND(TSSetApplicationContext)
#define TSSetConvergedReason SAL_PETSC_FOUND(TSSetConvergedReason)
#define TSSetEventHandler SAL_PETSC_FOUND(TSSetEventHandler)
#define TSSetEventTolerances SAL_PETSC_FOUND(TSSetEventTolerances)
#define TSSetExactFinalTime SAL_PETSC_FOUND(TSSetExactFinalTime)
#define TSSetFromOptions SAL_PETSC_FOUND(TSSetFromOptions)
#define TSSetFunctionDomainError SAL_PETSC_FOUND(TSSetFunctionDomainError)
#define TSSetIFunction SAL_PETSC_FOUND(TSSetIFunction)
#define TSSetIJacobian SAL_PETSC_FOUND(TSSetIJacobian)
#define TSSetMaxSteps SAL_PETSC_FOUND(TSSetMaxSteps)
#define TSSetMaxTime SAL_PETSC_FOUND(TSSetMaxTime)
#define TSSetPostEvaluate SAL_PETSC_FOUND(TSSetPostEvaluate)
#define TSSetPostStep SAL_PETSC_FOUND(TSSetPostStep)
#define TSSetPreStep SAL_PETSC_FOUND(TSSetPreStep)
#define TSSetProblemType SAL_PETSC_FOUND(TSSetProblemType)
#define TSSetRHSFunction SAL_PETSC_FOUND(TSSetRHSFunction)
#define TSSetSolution SAL_PETSC_FOUND(TSSetSolution)
#define TSSetStepNumber SAL_PETSC_FOUND(TSSetStepNumber)
#define TSSetTime SAL_PETSC_FOUND(TSSetTime)
#define TSSetTimeStep SAL_PETSC_FOUND(TSSetTimeStep)
#define TSSetTolerances SAL_PETSC_FOUND(TSSetTolerances)
#define TSSolve SAL_PETSC_FOUND(TSSolve)
#define TSThetaGetTheta SAL_PETSC_FOUND(TSThetaGetTheta)
#define VecCopy SAL_PETSC_FOUND(VecCopy)
#define VecCreateSeq SAL_PETSC_FOUND(VecCreateSeq)
#define VecDestroy SAL_PETSC_FOUND(VecDestroy)
#define VecDuplicate SAL_PETSC_FOUND(VecDuplicate)
#define VecGetArray SAL_PETSC_FOUND(VecGetArray)
#define VecGetArrayRead SAL_PETSC_FOUND(VecGetArrayRead)
#define VecGetArrayWrite SAL_PETSC_FOUND(VecGetArrayWrite)
#define VecRestoreArray SAL_PETSC_FOUND(VecRestoreArray)
#define VecRestoreArrayRead SAL_PETSC_FOUND(VecRestoreArrayRead)
#define VecRestoreArrayWrite SAL_PETSC_FOUND(VecRestoreArrayWrite)
#define VecScale SAL_PETSC_FOUND(VecScale)
#define VecSet SAL_PETSC_FOUND(VecSet)
#define VecWAXPY SAL_PETSC_FOUND(VecWAXPY)

/** MatSetValue, which is a function of PETSc's headers, and calls MatSetValues. */
static inline PetscErrorCode sal_petsc_calls_set(Mat m, PetscInt i, PetscInt j, PetscScalar value,
                                                 InsertMode mode)
{
  return MatSetValues(m, 1, &i, 1, &j, &value, mode);
}
#define MatSetValue sal_petsc_calls_set
