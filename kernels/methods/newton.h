/** @file kernels/methods/newton.h
 *  Simplified Newton iteration for one implicit stage, and what the trapezoidal family shares
 *  around it (lane half).
 *
 *  The unknown is the scaled slope z = h f(t, base + d z).  M = I - h d J is factorised once per
 *  step size; J is kept until the iteration is too slow with an old one.  Hosea & Shampine, Appl.
 *  Numer. Math. 20 (1996) 21-37; the rate test is that of Shampine & Reichelt (1997).
 */
#ifndef SAL_NEWTON_H
#define SAL_NEWTON_H

#include "method.h"

/** Lives in the method's memory; [n] and [n][n] arrays. */
typedef struct {
  sal_v *M, *delta, *stage;
  sal_m *piv;
  sal_v *h_lu;  /* [1] the step size of the factors; 0: none yet */
  sal_v *rate;  /* [1] convergence rate remembered from these factors; < 0: none */
  sal_m *fresh; /* [1] lanes whose J is from this (t, y) */
  sal_v *q;     /* [1] (err / rtol)^(1/3) of the last trial */
} sal_newton;

/** Words of memory for n states, and the pieces of a block that large. */
int        SAL_FN(sal_newton_words)(int n);
sal_newton SAL_FN(sal_newton_split)(int n, sal_v *mem);

/** Forgets factors and rate behind a (re)start: J is fresh. */
void SAL_FN(sal_newton_reset)(const sal_newton *w, sal_m lanes);

/** New factors in the lanes where the step size or J changed. */
void SAL_FN(sal_newton_factorise)(sal_step_state *s, sal_m lanes, const sal_newton *w, double d);

/** Iterates z [n] at time t; returns the lanes that converged. */
sal_m SAL_FN(sal_newton_solve)(sal_step_state *s, sal_m lanes, const sal_newton *w, double d,
                               sal_v t, const sal_v base[], sal_v z[]);

/** The iterations of one solve: the lanes at work, those that have converged, the last change. */
typedef struct {
  sal_m todo, converged;
  sal_v size;
} sal_newton_run;

/** Judges iteration k = 1 .. most, whose change was `size` in the weighted norm, by the rate of
 *  convergence: a lane is done when the change is mere rounding, or what is left is
 *  at most `goal`, after the first iteration, with a rate remembered from these factors (< 0: none),
 *  `at_once`; it is given up when it is too slow to get there. */
void SAL_FN(sal_newton_judge)(sal_newton_run *run, int k, int most, sal_v size, double at_once,
                              double goal, sal_v *rate);

/** One whole step of a method: `stages` tries to solve its stages in the lanes given.  Renews J
 *  once where it was old and the iteration too slow (n_renewed); lanes that stay slow get
 *  absh = 0.3 h.  `stages` is called twice where the first try fails: it sets its unknowns under the
 *  mask it is given. */
sal_m SAL_FN(sal_newton_step)(sal_step_state *s, sal_m lanes, const sal_newton *w, double d,
                              sal_m (*stages)(sal_step_state *s, sal_m lanes));

/** The error test and the controller of methods whose estimate e [n], filtered by M^-1 first, is
 *  O(h^3).  It has to contain f(t, y), else a kink before the first stage is not seen. */
sal_m SAL_FN(sal_newton_test)(sal_step_state *s, sal_m lanes, const sal_newton *w, sal_v e[]);
void  SAL_FN(sal_newton_grow)(sal_step_state *s, sal_m lanes, const sal_newton *w);

#define sal_newton_words     SAL_FN(sal_newton_words)
#define sal_newton_split     SAL_FN(sal_newton_split)
#define sal_newton_reset     SAL_FN(sal_newton_reset)
#define sal_newton_factorise SAL_FN(sal_newton_factorise)
#define sal_newton_solve     SAL_FN(sal_newton_solve)
#define sal_newton_judge     SAL_FN(sal_newton_judge)
#define sal_newton_step      SAL_FN(sal_newton_step)
#define sal_newton_test      SAL_FN(sal_newton_test)
#define sal_newton_grow      SAL_FN(sal_newton_grow)

#endif
