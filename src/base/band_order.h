/** Order of a sparse matrix in which its elements lie near the diagonal. */
#pragma once

#include <stdbool.h>

/** Elements that a banded Jacobian may have on each side of its diagonal. */
enum { SAL_MAX_BAND = 64 };

/** Two rows with an element in common; each pair may be there both ways, and more than once. */
typedef struct {
  int a, b;
} sal_band_link;

/** The reverse order of Cuthill and McKee (Proc. 24th ACM Nat. Conf. (1969) 157-172) of n rows, each part that is connected
 *  from an end of it by George and Liu (ACM TOMS 5 (1979) 284-295): order[k] is row k.  False: no memory. */
bool sal_band_order(int n, int n_link, const sal_band_link link[], int order[]);
