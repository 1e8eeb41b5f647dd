/** A flow that code outside of the kernels makes at run time, of functions of plain numbers.  It
 *  exists at width 1 only.
 */
#pragma once

#include "model.h"

/** Arguments of f besides t and y: sal_phase of one trajectory. */
typedef struct {
  int n_guard;
  const double *p; /* parameters, options as choice numbers, constants */
  const double *q; /* discrete states */
  int64_t *closed; /* [n_guard] 0 or -1; counts where `held` */
  bool held, rests;
  double *memory; /* of the trajectory; NULL at a single point */
  const void *inner;
} sal_scalar_phase;

/** The functions of sal_flow; n continuous states.  guard and jump may be NULL where there are no
 *  contacts. */
typedef struct {
  int n;
  void (*rhs)(const sal_scalar_phase *s, double t, const double y[], double dy[]);
  void (*jac)(const sal_scalar_phase *s, double t, const double y[], double J[]);
  void (*guard)(const sal_scalar_phase *s, double t, const double y[], const double dy[],
                double gap[], double rate[]);
  void (*jump)(sal_scalar_phase *s, int k, double t, double y[]);
  const void *inner; /* the functions find it in the phase */
} sal_scalar_functions;

/** The flow of all models whose `inner` are such functions. */
extern const struct sal_flow_w1 sal_scalar_flow_w1;
/** The same without a Jacobian: methods take differences. */
extern const struct sal_flow_w1 sal_scalar_plain_w1;
