/** @file tests/faults/fuzz/fuzz_model.c
 *  A model file of constrained bodies.
 */
#include "fuzz.h"
#include "model_file.h"
#include <stdlib.h>

enum { LONGEST = 30000 };

void fuzz_input(const uint8_t *data, size_t size)
{
  if (size > LONGEST) return;
  char *text = fuzz_text(data, size);
  sal_model_file *file = NULL;

  if (sal_model_file_parse("f.yaml", text, &file) == SAL_OK) sal_model_file_free(file);
  free(text);
}
