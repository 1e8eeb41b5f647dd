/** A model together with tangent vectors: how trajectories move when their starts do.
 *
 *  A vector v is carried along a trajectory y by
 *
 *      v' = J v                                                       inside a mode,
 *      v+ = DR (v + f- d) + R_t d - f+ d,   d = -Dh v / (h_t + Dh f-)   at an event
 *
 *  with gap h, jump R and the fields f-, f+ before and after it: the saltation matrix (Zana, Bodor,
 *  Bencsik, Zelei, eqs (38), (39)) of any gap and jump, those included that lower the dimension or
 *  depend on time, on discrete states or on the mode.  A gap that leaps below 0 at another contact's event
 *  changes with it for each neighbour: d is that event's.  Contacts that change together follow
 *  each other in the order of their numbers; see corner.h where that order matters.
 *
 *  At the model's section a vector becomes one of the return map: the last term is left out there,
 *  and d, by which the neighbour comes later, is added to the vector's delay.  With a section in
 *  time there is nothing to do.
 *
 *  State and vectors make a model of their own, which any method and any strategy integrates, in
 *  lanes as far as the base has them, and their error test covers both.  A strategy that looks for no contacts applies no
 *  saltation.
 */
#pragma once

#include "model.h"

/** A contact that runs go through without noticing it while t lies in [from, to], or in the same a period earlier or
 *  later: an orbit that only grazes it has a smooth map then. */
typedef struct {
  int contact;
  double from, to, period;
} sal_mute;
enum { SAL_MUTES = 4 };

/** Does it go on at t? */
static inline bool sal_mute_holds(const sal_mute *m, double t)
{
  bool in = false;

  for (int j = -1; j <= 1; ++j) in |= m->from + j * m->period <= t && t <= m->to + j * m->period;
  return in;
}

/** Borrows its base.  `model` points into the struct: it is not to be copied. */
typedef struct {
  sal_model model; /* to be integrated; its parameters are those of the base */
  const sal_model *base;
  int n_vector;
  int n, n_continuous; /* of the base: states, and those that a method integrates */
  int n_mute;
  sal_mute mute[SAL_MUTES];
} sal_tangent_model;

/** The most vectors that can be carried together; 0 where the base has a mass matrix, whose vectors
 *  are not free, or too many states. */
int sal_tangent_model_most(const sal_model *base);

/** Makes the model of n_vector vectors, up to sal_tangent_model_most; of none it has the states of the base. */
void sal_tangent_model_make(const sal_model *base, int n_vector, sal_tangent_model *out);
/** Changes what it does not notice. */
void sal_tangent_model_mute(sal_tangent_model *t, int n, const sal_mute mute[]);

/** Fills full [model.n_state] from a state y [n] and vectors v [n_vector][n]; delays are 0. */
void sal_tangent_model_load(const sal_tangent_model *t, const double y[], const double v[],
                            double full[]);
/** And back; delay [n_vector] may be NULL. */
void sal_tangent_model_read(const sal_tangent_model *t, const double full[], double y[], double v[],
                            double delay[]);
