/** A walk along PATH. */
#include "base.h"
#include "environment.h"
#include <unistd.h>

static bool is_program(const char *path) { return access(path, X_OK) == 0; }

bool sal_program_path(const char *name, char path[PATH_MAX])
{
  const char *at = getenv("PATH");

  if (strchr(name, '/')) return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && is_program(path);
  while (at && *at) {
    const int n = (int)strcspn(at, ":");
    if (n > 0 && *at == '/' && snprintf(path, PATH_MAX, "%.*s/%s", n, at, name) < PATH_MAX &&
        is_program(path))
      return true;
    at += n + (at[n] == ':');
  }
  return false;
}
