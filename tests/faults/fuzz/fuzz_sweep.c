/** A sweep file: to be run, as a cube holds it, and for its results. */
#include "fuzz.h"
#include "providers.h"
#include "sweep_read.h"
#include "wings.h"
#include <stdlib.h>

enum { LONGEST = 20000 };

void fuzz_input(const uint8_t *data, size_t size)
{
  if (size > LONGEST) return;
  char *text = fuzz_text(data, size);
  const sal_sweep_trust trust = {0};
  sal_sweep sweep = {0};

  sal_providers_set(sal_wings);
  if (sal_sweep_parse("f.yaml", text, 0, NULL, &sweep) == SAL_OK) sal_sweep_free(&sweep);
  sweep = (sal_sweep){0};
  if (sal_sweep_parse_stored("f.h5", text, 0, NULL, &trust, &sweep) == SAL_OK)
    sal_sweep_free(&sweep);
  sweep = (sal_sweep){0};
  if (sal_sweep_parse_results("f.h5", text, &sweep) == SAL_OK) sal_sweep_free(&sweep);
  free(text);
}
