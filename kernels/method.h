/** A method: a description, and the functions the trajectory loop calls.
 *
 *  To add one, write kernels/methods/NAME.c and put SAL_METHOD(NAME) in kernels/methods.def.  An
 *  explicit Runge-Kutta pair is a tableau and a descriptor that point at methods/rk.h.
 *
 *  The life of a step: the loop sets h and tn; `step` proposes yn (and fn) and returns the lanes in which
 *  the error test holds, lowering absh in the others; the strategy locates contacts on `dense`;
 *  then `advance` prepares the next step, or `start` begins anew after an event.
 *
 *  *The first step* after a start or restart has no history.  `start` proposes its size
 *  (methods/start.h, at most hmax) from the slope and, in implicit methods, the curvature; it leaves
 *  J, and in s->f the slope dy/dt itself.
 *
 *  *A failed attempt*, be it the error test or an iteration, leaves y, f, t and the history as they
 *  were and proposes a smaller absh, at least hmin; the loop calls `step` again with `again` set in
 *  those lanes, and ends the run when hmin has failed.  `again` is cleared after the step, so that
 *  `advance` can still see it: explicit and Rosenbrock methods take no longer step after failures.
 *
 *  *A failed iteration* may be tried again inside `step` with the same h, once a Jacobian that is not
 *  from this (t, y) has been renewed; that attempt is counted in n_renewed and is a failed one in the
 *  records.  When it fails with a new Jacobian, absh is lowered as after a failed error test.
 *
 *  *Fixed steps* (s->fixed > 0) have no error test.  Only an iteration that does not converge shortens
 *  such a step, and `advance` gives the next one the fixed size again (sal_control_fix).
 */
#pragma once

#include "model.h"

/** The richest dense output any method gives: degree of the polynomial in a step. */
enum { SAL_MAX_DEGREE = 13 };

struct sal_engine;
struct sal_method_ops_w1;
struct sal_method_ops_w4;
struct sal_method_ops_w8;

/** The description, the same at every width; static storage, or as long-lived as the runs with it. */
typedef struct {
  const char *name, *title, *source;
  int order;         /* of the solution it advances; the highest one of a family */
  int min_order;     /* the lowest one of a variable-order family, else = order */
  int embedded;      /* order of the solution that its error test compares with; 0: it has an
                            estimate of its own */
  int dense_order;   /* p, where values between steps are wrong by O(h^p); 0: order.  Errors on a
                            mesh and events on the dense output are of this order */
  bool implicit;     /* uses a Jacobian */
  bool second_order; /* for systems y'' = f(t, y, y') alone (sal_model_is_second_order) */
  bool mass;         /* solves M dy/dt = f, M a matrix of the parameters, singular or not */
  bool restep; /* an event is met by repeating the step so that it ends close to it, which is worth
                            its cost where the dense output is poorer than the step */
  bool captures;     /* takes fixed steps over impacts and solves them: strategy `capture` alone */
  int dense_rhs;     /* evaluations of f that dense output costs beyond the step */
  double origin;     /* dense output is a polynomial in theta - origin, theta = (t-t0)/h */
  const void *inner; /* what the operations of a method made at run time need to know: its
                            coefficients (given_method.h) */

  const struct sal_engine *engine; /* NULL: the trajectory loop sets each step (engine.h) */
  const struct sal_method_ops_w1 *w1;
  const struct sal_method_ops_w4 *w4; /* NULL: this method exists at width 1 only */
  const struct sal_method_ops_w8 *w8;
} sal_method;

/** Does the method integrate this model's kind of system? */
static inline bool sal_method_solves(const sal_method *method, const sal_model *model)
{
  return !method->second_order || sal_model_is_second_order(model);
}

/** How implicit methods get their Jacobian. */
typedef enum { SAL_JACOBIAN_DIFFERENCES, SAL_JACOBIAN_ANALYTIC } sal_jacobian;

#define SAL_DECLARE_METHOD_OPS(name)                                                               \
  extern const struct sal_method_ops_w1 sal_##name##_w1;                                           \
  extern const struct sal_method_ops_w4 sal_##name##_w4;                                           \
  extern const struct sal_method_ops_w8 sal_##name##_w8;
#define SAL_METHOD_OPS(name)                                                                       \
  .w1 = &sal_##name##_w1, .w4 = SAL_W4(&sal_##name##_w4), .w8 = SAL_W8(&sal_##name##_w8)

/* ---- lane half ------------------------------------------------------------------------------ */
#ifdef SAL_LANES
#include "linear.h"

struct SAL_FN(sal_method_ops);
/** The operations of a method whose functions have these names. */
#define SAL_METHOD_STEPS                                                                           \
  .words = words, .start = start, .step = step, .advance = advance, .retry = retry, .dense = dense

/** Where a method stands in SAL_LANES trajectories: the accepted point, the step proposed from it,
 *  and what it cost.  The loop owns it; arrays are [n] unless said. */
typedef struct SAL_FN(sal_step_state) {
  const sal_model *model; /* whose indices count; NULL: 1 */
  const sal_flow *flow;
  const struct SAL_FN(sal_method_ops) * method;
  const void *inner; /* the method's (sal_method.inner) */
  sal_phase phase;
  int n;         /* n_state */
  sal_band band; /* form of matrices; lower and upper 0: full */
  double rtol;
  sal_v *thr;        /* atol / rtol times the scale of each state, the weight's floor */
  bool analytic;     /* Jacobian from the model, not by differences */
  double fixed;      /* > 0: fixed steps of this size, no error test */
  int max_order;     /* cap for the variable-order methods */
  double rtol_power; /* rtol^power of the first step; 0: not yet known */

  sal_v t, *y, *f;         /* the accepted point and the method's slope there */
  sal_v t_end, hmin, hmax; /* hmax counts from the last (re)start */
  sal_v absh;              /* size proposed for the next step */
  sal_v h, tn;             /* this step: t -> tn, h = tn - t exactly */
  sal_m again;             /* lanes whose current step has failed before */
  sal_v *yn, *fn;          /* proposed: state at tn, and a slope there good enough for its sign */
  sal_v *mem;              /* [method->words(n, row)] the method's own */
  sal_v *J, *T;            /* [n][row] df/dy and [n] df/dt, implicit methods; row: see matrix.h */
  sal_v *J_new;            /* [n][row] scratch */

  sal_m unsolved; /* lanes whose contacts had no solution at their last event */

  sal_m n_rhs, n_jac, n_lu, n_solve; /* counts */
  sal_m n_gap;                       /* evaluations of all gaps of the contacts watched */
  sal_m n_row; /* contacts in the joint problems of events, summed: their budget counts an f each */
  sal_m n_renewed; /* attempts inside `step` that were given up for a new Jacobian */
} sal_step_state;

/** The operations of a method.  `lanes` are the lanes that may change; values in other lanes must
 *  stay as they are, and no lane may depend on another one. */
typedef struct SAL_FN(sal_method_ops) {
  int pair; /* 1 + index in SAL_TABLEAUS (methods/tableau.h), whose steps pair_steps.h can take; 0: none */
  /** Own memory for n states and matrices [n][row], in sal_v. */
  int (*words)(int n, int row);
  /** Begins at (t, y): sets f, absh (the initial step, at most hmax; s->fixed where that is > 0) and
   *  forgets all history.  yn and fn are scratch. */
  void (*start)(sal_step_state *s, sal_m lanes);
  /** One step of size h in `lanes`, which may be none; h may be 0 or as short as the spacing of t when a
   *  step is repeated to end on a root.  Returns the lanes that pass the error test; in the others absh
   *  holds the size for the next attempt and the history is as before.  yn and fn are scratch until the
   *  step is made. */
  sal_m (*step)(sal_step_state *s, sal_m lanes);
  /** Sets f and absh for the next step, and the history.  The loop has moved t and y to the new point
   *  already; h, tn, yn and fn are those of the accepted step; yn and fn may be used as scratch.  Not
   *  called after the last step of a run, nor where `start` follows. */
  void (*advance)(sal_step_state *s, sal_m lanes);
  /** Undoes the first step after `start`, which passed `step` and which the strategy has refused: it is
   *  repeated from (t, y) with the smaller absh.  Only a method whose `step` or `start` keeps something
   *  of the size of the step has to do anything. */
  void (*retry)(sal_step_state *s, sal_m lanes);
  /** Makes what the dense output takes beyond the step; NULL: nothing.  Called once ahead of `dense` and `dense_one`. */
  void (*more)(sal_step_state *s);
  /** Dense output of the step that just passed `step`, before `advance`:
   *  y_i(t + theta h) = sum_j c[j * n + i] (theta - origin)^j.  Returns the degree.  The caller
   *  counts the evaluations of f (descriptor: dense_rhs), in the lanes that need them. */
  int (*dense)(sal_step_state *s, sal_v c[]);
  /** The same for state i alone: y_i(t + theta h) = sum_j c[j] (theta - origin)^j.  NULL: it would
   *  not be cheaper. */
  int (*dense_one)(sal_step_state *s, int i, sal_v c[]);
} sal_method_ops;

/** f at (t, y), counted in `lanes`. */
SAL_INLINE void sal_method_rhs(sal_step_state *s, sal_m lanes, sal_v t, const sal_v y[], sal_v dy[])
{
  s->flow->rhs(&s->phase, t, y, dy);
  sal_count(&s->n_rhs, lanes, 1);
}

/** LU factorisations and solves, counted in `lanes` in units of those of one real n x n matrix: a
 *  complex n x n one counts 4 and 4, a real 2n x 2n one would count 8 and 4, and one of n/2 rows 1/8
 *  and 1/4: what a step has of such parts is rounded up to whole units. */
SAL_INLINE void sal_method_count_lu(sal_step_state *s, sal_m lanes, int units)
{
  sal_count(&s->n_lu, lanes, units);
}
SAL_INLINE void sal_method_count_solve(sal_step_state *s, sal_m lanes, int units)
{
  sal_count(&s->n_solve, lanes, units);
}
#endif
