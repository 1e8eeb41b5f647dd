/** A folder of images of the test's own, compilers that are scripts, and a text that is compiled in a moment.
 */
#pragma once

#include "memory.h"
#include "native.h"
#include "native_parts.h"
#include "sal_test.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char case_folder[PATH_MAX], case_cache[PATH_MAX + 16];

/* An empty folder, and images in cache/saltus of it. */
static inline void case_begin(void)
{
  strcpy(case_folder, "/tmp/saltus-native-XXXXXX");
  CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(case_folder));
  snprintf(case_cache, sizeof case_cache, "%s/cache", case_folder);
  CU_ASSERT_EQUAL_FATAL(mkdir(case_cache, 0700), 0);
  setenv("SALTUS_CACHE", case_cache, 1);
  snprintf(case_cache, sizeof case_cache, "%s/cache/saltus", case_folder);
  unsetenv("SALTUS_CC");
  unsetenv("SALTUS_CC_SECONDS");
  sal_err_clear();
}

static inline void case_remove(const char *path)
{
  char child[PATH_MAX + 256];
  DIR *folder = unlink(path) == 0 ? NULL : opendir(path);

  for (const struct dirent *e; folder && (e = readdir(folder));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    if (snprintf(child, sizeof child, "%s/%s", path, e->d_name) < (int)sizeof child)
      case_remove(child);
  }
  if (folder) closedir(folder);
  rmdir(path);
}

static inline void case_end(void) { case_remove(case_folder); }

/* The compiler is a script. */
static inline void case_script(const char *text)
{
  char path[PATH_MAX + 8];

  snprintf(path, sizeof path, "%s/cc.sh", case_folder);
  FILE *file = fopen(path, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fprintf(file, "#!/bin/sh\n%s\n", text);
  fclose(file);
  CU_ASSERT_EQUAL_FATAL(chmod(path, 0700), 0);
  setenv("SALTUS_CC", path, 1);
}

static inline int case_files(void)
{
  DIR *folder = opendir(case_cache);
  int n = 0;

  for (const struct dirent *e; folder && (e = readdir(folder));) n += e->d_name[0] != '.';
  if (folder) closedir(folder);
  return n;
}

/* A ball that bounces, at width 1 without steps of pairs: half a second of the compiler's. */
static inline sal_equation_model *case_model(void)
{
  static const char text[] =
      "equations: 1\n"
      "name: ball\n"
      "parameters: {g: {preset: 9.81, range: [1, 20]}, e: {preset: 0.5, range: [0, 1]}}\n"
      "states: {x: {preset: 1, range: [0, 2]}, v: {preset: 0, range: [-3, 3], rate_of: x}}\n"
      "contacts: {floor: {names: [lands, leaves], gap: x, closes: {x: 0, v: -e * v if not "
      "rests else 0}, stays: rests}}\n"
      "flow: {x: 0 if floor else v, v: 0 if floor else -g}\n";
  sal_equation_model *made;

  if (sal_equation_model_parse("ball.yaml", text, &made) != SAL_OK)
    fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL_FATAL(made);
  return made;
}

static inline sal_native_request case_request(void)
{
  sal_native_request r = sal_native_request_of(1, false);

  r.points = true;
  return r;
}

/* Is there such a failure, and does its message say this? */
static inline bool case_failed(sal_err err, const char *what)
{
  const bool said = err != SAL_OK && strstr(sal_err_message(), what);

  if (!said) fprintf(stderr, "%d: %s; expected: %s\n", (int)err, sal_err_message(), what);
  sal_err_clear();
  return said;
}
