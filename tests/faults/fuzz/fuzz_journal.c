/** A journal: what `info` makes of it. */
#include "fuzz.h"
#include "journal.h"
#include <stdio.h>
#include <sys/stat.h>

void fuzz_input(const uint8_t *data, size_t size)
{
  static char folder[96], path[128];
  sal_journal_info info;

  if (!*folder) {
    snprintf(folder, sizeof folder, "%s/x.h5.journal", fuzz_folder());
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/0000.sal", folder);
  }
  fuzz_write(path, data, size);
  if (sal_journal_info_read(folder, &info) == SAL_OK) sal_text_free(&info.machine);
}
