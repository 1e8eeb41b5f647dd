/** @file src/sweep/physical.h
 *  From a real robot to the dimensionless parameters of its model.
 */
#ifndef SAL_PHYSICAL_H
#define SAL_PHYSICAL_H

#include "err.h"
#include "model.h"

/** What the conversion gives besides the parameters. */
typedef struct {
  double second; /* [s] one unit of dimensionless time */
  double metre;  /* [m] one unit of dimensionless length */
} sal_scales;

/** Monopod: "m1=..kg,m2=..kg,k=..N/m,l0=..m,kg=..N/m^1.5,bg=..N*s/m^2.5,g=..m/s^2", g 9.81 m/s^2
 *  where it is not given, by (13) and (20)-(23) of Dallas, Machairas, Papadopoulos; param
 *  [n_param] keeps its other values.  Refuses models that have no such conversion. */
SAL_MUST_CHECK sal_err sal_physical_parse(const char *where, const sal_model *model,
                                          const char *text, double param[], sal_scales *scales);

#endif
