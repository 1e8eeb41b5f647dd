/** Facts of the build, from build_info.h, and of the libraries, from themselves. */
#include "build.h"
#include "base.h"
#include "build_info.h"
#include <hdf5.h>
#include <mpi.h>

void sal_build_describe(sal_build *b)
{
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
  unsigned major = 0, minor = 0, release = 0;
  int length;

  *b =
      (sal_build){SAL_BUILD_VERSION, SAL_BUILD_COMMIT, SAL_BUILD_COMPILER, SAL_BUILD_FLAGS, "", ""};
  /* of the library in use, which may not be the one compiled against */
  H5get_libversion(&major, &minor, &release);
  snprintf(b->hdf5, sizeof b->hdf5, "%u.%u.%u", major, minor, release);
  MPI_Get_library_version(mpi, &length); /* allowed before MPI_Init */
  snprintf(b->mpi, sizeof b->mpi, "%.*s", (int)strcspn(mpi, ",\n"), mpi);
}
