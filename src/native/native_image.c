/** A shared object in memory: what is loaded are the very bytes that were verified, wherever they came from.
 */
#include "base.h"
#include "native_parts.h"
#include "plain_file.h"
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

void sal_native_image_sum(const char *bytes, size_t n, char sum[SAL_NATIVE_KEY])
{
  const XXH128_hash_t hash = XXH3_128bits(bytes, n);

  snprintf(sum, SAL_NATIVE_KEY, "%016llx%016llx", (unsigned long long)hash.high64,
           (unsigned long long)hash.low64);
}

sal_err sal_native_image_load(const sal_native_image *image, void **handle)
{
  char path[64];
  const int file = memfd_create("saltus", MFD_CLOEXEC);

  *handle = NULL;
  if (file < 0) return sal_fail(SAL_ERR_IO, "no memory for a file: %s", strerror(errno));
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (sal_plain_file_write(file, -1, image->bytes, image->n))
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  /* A file that is loaded stays open: the loader identifies objects by their path, which no other one may have. */
  if (*handle) return SAL_OK;
  const char *why = dlerror();
  const sal_err err = sal_fail(SAL_ERR_INPUT, "the compiled file cannot be loaded: %s",
                               why ? why : strerror(errno));
  close(file);
  return err;
}
