/** @file kernels/observe.h
 *  What is recorded while a trajectory runs: its error against a reference, its values on a mesh,
 *  its events (lane half).  The observer of a lane is plain scalar state; its inner loop runs over
 *  mesh points, eight at a time, whatever the width.
 */
#ifndef SAL_OBSERVE_H
#define SAL_OBSERVE_H

#include "lane.h"
#include "setup.h"

enum { SAL_MESH_BLOCK = 8 };

/** One trajectory's observer. */
typedef struct {
  const sal_job *job;
  int64_t        next;                /* first mesh point not yet passed */
  double         due;                 /* and its time; infinite when there is none */
  double         sum[SAL_MESH_BLOCK]; /* partial sums of |e|, by mesh index modulo 8 */
  double         divergence, largest; /* DT or NaN; max |e| */
  int64_t        logged;              /* entries of the event log that are complete */
} sal_observer;

/** One step of one lane: its dense output and how far it is valid. */
typedef struct {
  double       t, h, origin; /* y(t + theta h), polynomial in theta - origin */
  double       t1;           /* the step is valid up to here */
  int          degree, n;
  const sal_v *c; /* [degree + 1][n] */
  const sal_v *q; /* [n_discrete] the discrete states, constant in the step */
  int          lane;
  bool         closed; /* contact 0, when the mode is frozen */
} sal_step_span;

void SAL_FN(sal_observe_begin)(sal_observer *o, const sal_setup *setup, const sal_job *job);
/** Takes in a step that reaches o->due; shorter ones have no mesh point. */
void SAL_FN(sal_observe_step)(sal_observer *o, const sal_setup *setup, const sal_step_span *span);
/** watched: the state that is scored, at the end of the run. */
void SAL_FN(sal_observe_end)(const sal_observer *o, const sal_setup *setup, double watched,
                             sal_record *out);

#define sal_observe_begin SAL_FN(sal_observe_begin)
#define sal_observe_step  SAL_FN(sal_observe_step)
#define sal_observe_end   SAL_FN(sal_observe_end)

#endif
