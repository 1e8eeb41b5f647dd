/** Loading, starting and ending PETSc; failures are kept instead of printed. */
#include "petsc_start.h"
#include "base.h"
#include "cpu_kernels.h"
#include "petsc_calls.h"
#include <dlfcn.h>

enum { LONGEST = 512 };

static bool started;
static char said[LONGEST];
static void *library;

/* The library that the headers belong to, by its path or, where it has moved, as the loader finds it. */
static sal_err load(void)
{
  if (!library) library = dlopen(SAL_PETSC_LIBRARY, RTLD_LAZY);
  if (!library) library = dlopen(strrchr(SAL_PETSC_LIBRARY, '/') + 1, RTLD_LAZY);
  return library ? SAL_OK : sal_fail(SAL_ERR_COMM, "PETSc cannot be loaded: %s", dlerror());
}

const char *sal_petsc_kernels(void)
{
  static char text[SAL_CPU_KERNELS];

  if (load() != SAL_OK) sal_err_clear(); /* the start of PETSc fails with the message */
  sal_cpu_kernels_name(library, text);
  return text;
}

void *sal_petsc_calls_find(const char *name)
{
  void *found = library ? dlsym(library, name) : NULL;

  if (found) return found;
  fprintf(stderr, "%s has no %s\n", SAL_PETSC_LIBRARY, name);
  abort();
}

/* A failure is said where it arises; its way up repeats it. */
static PetscErrorCode keep_message(MPI_Comm comm, int line, const char *function, const char *file,
                                   PetscErrorCode code, PetscErrorType type, const char *message,
                                   void *context)
{
  (void)comm, (void)line, (void)function, (void)file, (void)context;
  if (type == PETSC_ERROR_INITIAL && message && *message)
    (void)snprintf(said, sizeof said, "%s", message);
  return code;
}

void sal_petsc_forget(void) { said[0] = '\0'; }

const char *sal_petsc_message(PetscErrorCode code)
{
  const char *text = NULL;

  if (said[0]) return said;
  (void)PetscErrorMessage(code, &text, NULL);
  return text ? text : "unknown error";
}

sal_err sal_petsc_start(void)
{
  int provided, runs = 0;

  if (started) return SAL_OK;
  SAL_TRY(load());
  /* what starts MPI ends it: PETSc is not to */
  if (MPI_Initialized(&runs) != MPI_SUCCESS ||
      (!runs && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS))
    return sal_fail(SAL_ERR_COMM, "MPI could not be started for PETSc");
  PETSC_COMM_WORLD = MPI_COMM_SELF;
  if (PetscOptionsSetValue(NULL, "-no_signal_handler", NULL) ||
      PetscOptionsSetValue(NULL, "-skip_petscrc", NULL) || PetscInitializeNoArguments() ||
      PetscPushErrorHandler(keep_message, NULL))
    return sal_fail(SAL_ERR_COMM, "PETSc could not be started");
  started = true;
  return SAL_OK;
}

void sal_petsc_end(void)
{
  if (started) (void)PetscFinalize();
  started = false;
}
