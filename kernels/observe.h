/** Records made while trajectories run: their errors against references, their values on a mesh,
 *  their events (lane half).  All lanes take in their next mesh point together, each its own one,
 *  until no lane has one in the step.
 */
#pragma once

#include "lane.h"
#include "setup.h"

enum { SAL_MESH_BLOCK = 8 };

/** The observers of SAL_LANES trajectories. */
typedef struct {
  const sal_job *job[SAL_LANES];
  sal_v due;        /* steps that reach it are to be shown; -infinity in lanes that are measured */
  sal_v mesh;       /* time of the first mesh point not yet passed; infinite when there is none */
  sal_m next;       /* its index */
  sal_v when;       /* and its time by the formula, which may round beyond the span */
  sal_v span, last; /* of the mesh, and its last index; -1 without a mesh */
  sal_v end;        /* time of the last point, likewise */
  sal_m scored;     /* lanes with a reference */
  sal_m measured;   /* lanes with measures (measured.h) */
  const double *reference[SAL_LANES];
  sal_v epsilon, floor;                  /* of the score */
  sal_v divergence, largest;             /* DT or NaN; max |e| */
  double sum[SAL_LANES][SAL_MESH_BLOCK]; /* of |e|, by mesh index modulo 8 */
  bool sampled;                          /* has a lane ever had samples? */
  const sal_model *model;                /* whose states are watched */
  int64_t rows;                          /* of the reference, from a watched state to the next */
  int64_t logged[SAL_LANES];             /* entries of the event log that are complete */
} sal_observer;

/** A step: its dense output and how far it is valid. */
typedef struct {
  sal_v t, h;    /* y(t + theta h), polynomial in theta - origin */
  sal_v t1;      /* finite; the step is valid up to here */
  double origin; /* of the polynomial */
  int degree;
  int n;          /* states with a polynomial: all continuous ones, or 1: the watched one alone */
  const sal_v *c; /* [degree + 1][n] */
  const sal_v *q; /* [n_discrete] the discrete states, constant in the step */
  sal_m closed;   /* contact 0, when the mode is frozen; for samples alone */
} sal_step_span;

/** Begins with a job in a lane. */
void SAL_FN(sal_observe_begin)(sal_observer *o, const sal_setup *setup, int lane,
                               const sal_job *job);
/** Moves what is kept of a lane into a lane of another one. */
void SAL_FN(sal_observe_move)(sal_observer *to, int to_lane, const sal_observer *from,
                              int from_lane);
/** Takes in a step, in those of `lanes` where it reaches o->mesh. */
void SAL_FN(sal_observe_lanes)(sal_observer *o, sal_m lanes, const sal_step_span *span);
/** The state y [n] of a lane at a time in a step that has the polynomials of all continuous states. */
void SAL_FN(sal_observe_state)(const sal_step_span *span, int lane, double t, int n, double y[]);
/** y [n_state]: the end of the run. */
void SAL_FN(sal_observe_end)(const sal_observer *o, const sal_setup *setup, int lane,
                             const double y[], sal_record *out);

#define sal_observe_begin SAL_FN(sal_observe_begin)
#define sal_observe_move SAL_FN(sal_observe_move)
#define sal_observe_lanes SAL_FN(sal_observe_lanes)
#define sal_observe_state SAL_FN(sal_observe_state)
#define sal_observe_end SAL_FN(sal_observe_end)
