/** A file of recorded trajectories. */
#include "fuzz.h"
#include "memory.h"
#include "recorded_file.h"
#include <string.h>

enum { LONGEST = 30000 };

void fuzz_input(const uint8_t *data, size_t size)
{
  if (size > LONGEST) return;
  char *text = sal_alloc(size + 1, 1);
  sal_recorded_file *file = NULL;

  if (!text) return;
  if (size) memcpy(text, data, size);
  if (sal_recorded_parse("f.txt", text, &file) == SAL_OK) sal_recorded_free(file);
}
