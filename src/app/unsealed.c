/** @file src/app/unsealed.c
 *  What is said before cells of a cube without a seal are run.
 */
#include "unsealed.h"
#include <stdio.h>

void sal_unsealed_tell(const char *command, const char *path, bool sealed)
{
  if (sealed) return;
  fprintf(
      stderr,
      "saltus %s: note: %s has no seal: its sweep, which is run now, may have been edited since\n",
      command, path);
}
