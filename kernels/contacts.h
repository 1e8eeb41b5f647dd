/** The contacts that may change sides next, and their change (lane half).
 *
 *  Strategies see candidates.  In a model without order they are all contacts; in a row (model.h,
 *  sal_row) they are two per lane, whatever its length: the ones at the border between closed and
 *  open, or the two ends where all are alike.  So a step and an event cost the same in rows of any
 *  length.
 */
#pragma once

#include "methods/tableau.h"

#ifdef __clang__
#define SAL_CONTACTS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SAL_CONTACTS_UNROLL _Pragma("GCC unroll 16")
#endif

enum { SAL_ROW_CANDIDATES = 2, SAL_ISOLATE_PARTS = 16 };

/** The contacts of SAL_LANES trajectories over one step, and scratch for the strategy. */
typedef struct {
  int n;               /* candidates */
  bool in_row;         /* they are those of a row */
  double zone;         /* half-width of the zone around a surface, in units of the gap or of time */
  bool zone_in_time;   /* which of the two */
  sal_m one_way;       /* all lanes, if the model's contacts close for good */
  sal_m resets;        /* all lanes, if its jumps reset the state */
  sal_v *rank;         /* [n] the contact that each candidate is */
  sal_v *side;         /* [n] +1 open, -1 closed: side * gap > 0 inside the phase */
  sal_v *onward;       /* [n] in a row: contact rank + onward crosses after it */
  sal_v *gap, *rate;   /* [n] at t, and d gap/dt there; the loop keeps them up to date */
  sal_v *gapn, *raten; /* [n] the same at tn */
  sal_m *starts_closed; /* [n] this contact changed sides at t: its gap is 0 by definition */
  sal_m *opening;       /* [n] it opened without speed: until it is clear, an error of the step may
                          leave it on the wrong side as long as it moves out */
  sal_v touched_from, touched_to; /* in a row: the contacts that changed sides at t */
  sal_v *ya, *yb;                 /* [n_state] scratch */
  sal_v *ga, *ra;                 /* [n] scratch */
  sal_v *from,
      *at_from;        /* [n] scratch: where the part still in question begins, side * gap there */
  sal_v *until, *late; /* [n] scratch: where it ends, and the same there */
  sal_v *bulge;        /* [n] scratch: how much lower than its cubic a gap may be within the step */
  sal_m *maybe;        /* [n] scratch: lanes in which a contact may cross in the step */
  bool looked;         /* gapn, raten, bulge and maybe are those of this step: a pair has looked */
  sal_m *isolated;     /* [n] scratch: lanes in which the ends do not show where it first does */
  sal_v *gap_noise,
      *gap_tolerance;    /* [n] scratch: what rounding and the tolerance leave open of each gap */
  const sal_v *rounding; /* [n] sal_batch.gap_noise, which is of no step */
  sal_v *poly;           /* [SAL_MAX_DEGREE + 1][n] scratch: change of each affine gap, by powers */
  sal_v *parts, *turns;  /* [SAL_ISOLATE_PARTS + 1][n] scratch: gaps and rates within the step */
  int degree;  /* of poly, whatever the neighbours of a lane have; 0: that of the dense output */
  bool bends;  /* the first step after an impact is of order 1 */
  bool always; /* no test by the ends of a step: some gap may do anything within */
  bool sharp;  /* all gaps are affine in both modes */
  bool exact;  /* the dense output costs no f, and its slopes at the ends of a step are its own */
  sal_m *own;  /* [strategy->words(n)] the strategy's own memory */
  sal_m *suspect, *chosen; /* [n] scratch */
  sal_v *when;             /* [n] scratch: where in the step each contact crosses */
} sal_contacts;

/** Result of a strategy for a step that passed the error test. */
typedef struct {
  sal_m hit;       /* lanes in which a contact changes sides at t + theta h */
  sal_m refuse;    /* lanes whose step jumps over a whole flight: repeat it, smaller */
  sal_m graze;     /* lanes of `hit` that leave the new mode at the instant they entered it */
  sal_m lost;      /* lanes in which a gap is not a number: repeat it, smaller */
  sal_m leap;      /* lanes of `hit` in which the gap leaps over 0 */
  sal_m isolated;  /* lanes of `hit` whose crossing the ends of the step do not show */
  sal_m undecided; /* lanes in which a gap comes down to its rounding, and no deeper */
  sal_v theta;     /* in (0, 1], or 0 for a graze */
  sal_m *fired;    /* [n] lanes in which this candidate is the one */
  sal_v *many;     /* [n] in a row: how many contacts change, from the candidate onward */
} sal_crossing;

/** Bernstein coefficients of degree 4, times 4 and the middle one times 2, of the cubic through side * gap and
 *  its rate at both ends of a step (Hermite); the last one is side * gapn.  A polynomial of a higher degree with the
 *  same ends differs by theta^2 (1 - theta)^2 q, in the middle one by q / 3. */
typedef struct {
  sal_v early, middle, late;
  sal_v
      bend; /* half of the second differences of the cubic's own: above |q| / 3 where a step resolves the motion */
} sal_contacts_shape;

SAL_INLINE sal_contacts_shape sal_contacts_shape_of(const sal_contacts *at, int k, sal_v h)
{
  const sal_v third = (1.0 / 3) * at->side[k] * h, b = at->side[k] * at->gapn[k];
  const sal_v a = sal_sel(at->starts_closed[k], sal_set(0), at->side[k] * at->gap[k]);
  const sal_v c = a + third * at->rate[k], d = b - third * at->raten[k];
  const sal_v first = (a - c) + (d - c), second = (c - d) + (b - d);

  return (sal_contacts_shape){a + 3.0 * c, c + d, b + 3.0 * d,
                              0.5 * (sal_abs(first) + sal_abs(second))};
}

/** Along how many slopes the rates of gaps show how far the dense output of a pair bulges. */
SAL_INLINE int sal_contacts_n_slope(const sal_tableau *tab)
{
  return tab->degree == 0 ? 2 : tab->degree - 3;
}

/** Slope i of them: the slope of the end and q of a dense output of degree 4.  That of dop853 takes later stages; the last
 *  stage but one, which is at the end as well, and the error estimate `error` bound it (sal_contacts_add_bulge). */
SAL_INLINE sal_v sal_contacts_slope(const sal_tableau *tab, int i, int stride, const sal_v k[],
                                    sal_v error)
{
  const int last = tab->stages - 1;
  sal_v sum = k[last * stride];

  if (tab->degree == 0) return i == 0 ? k[(last - 1) * stride] : error + sum;
  SAL_CONTACTS_UNROLL for (int j = 0; j <= last; ++j) if (tab->dense[j][3] != 0) sum +=
      tab->dense[j][3] * k[j * stride];
  return sum;
}

/** Adds what the rates at->ra along slope i show to at->bulge: how much lower than that of the cubic the middle
 *  coefficients may be.  With two thirds of these weights, and the bend, dop853's is a bound for y' = z y / h
 *  wherever |z| <= 8 and the step does not grow by more than 1.3, as where steps are as long as its stability allows. */
SAL_INLINE void sal_contacts_add_bulge(const sal_contacts *at, const sal_tableau *tab, int i,
                                       sal_v h)
{
  static const double weight[] = {48, 600};

  for (int k = 0; k < at->n; ++k) {
    const sal_v by = at->side[k] * h * (at->ra[k] - at->raten[k]);
    at->bulge[k] += tab->degree > 0 ? (-1.0 / 3) * by : weight[i] * sal_abs(by);
  }
}

/** Is at->bulge not a bound, but what the coefficient is lower by? */
SAL_INLINE bool sal_contacts_exact(const sal_contacts *at, const sal_tableau *tab)
{
  return at->sharp && tab && tab->degree > 0 && !at->in_row;
}

/** May contact k cross or dip within a step of length h, end on the wrong side, or go back on its last change?  In most steps no
 *  contact may.  at->bulge is what the slopes show, and then what may be. */
SAL_INLINE sal_m sal_contacts_may_cross(const sal_contacts *at, int k, sal_v h,
                                        const sal_tableau *tab)
{
  const sal_contacts_shape c = sal_contacts_shape_of(at, k, h);
  const sal_v zero = sal_set(0);

  if (!sal_contacts_exact(at, tab)) at->bulge[k] = c.bend + sal_abs(at->bulge[k]);
  return ~(sal_gt(c.early, zero) & sal_gt(c.middle, at->bulge[k]) & sal_gt(c.late, zero) &
           sal_gt(at->side[k] * at->gapn[k], zero));
}

/** Time has passed in `lanes`: a contact touches no more, or only till it is clear where it eases. */
SAL_INLINE void sal_contacts_pass(const sal_contacts *at, sal_m lanes)
{
  for (int k = 0; k < at->n; ++k) {
    at->opening[k] &= ~(lanes & sal_gt(at->side[k] * at->gapn[k], sal_set(0)));
    at->starts_closed[k] &= ~lanes | at->opening[k];
  }
}

/** gap [n] and rate [n] of the candidates at (t, y) along the slope dy; counted in `lanes`. */
void SAL_FN(sal_contacts_look)(sal_step_state *s, const sal_contacts *at, sal_m lanes, sal_v t,
                               const sal_v y[], const sal_v dy[], sal_v gap[], sal_v rate[]);

/** The mode at the start of a run, from the gaps at (t, y): a gap of exactly 0 is closed unless it
 *  is opening.  Leaves f there in s->fn.  For models that reset see entry.h. */
void SAL_FN(sal_contacts_enter)(sal_step_state *s, sal_contacts *at, sal_m lanes);

/** The same for a mode that is given: s->phase.closed of `lanes` holds it.  Not for rows. */
void SAL_FN(sal_contacts_adopt)(sal_step_state *s, const sal_contacts *at, sal_m lanes);

/** Makes x name each contact once where both ends of a border, or of the row, have fired: the gaps
 *  all vanish together then, and every contact changes. */
void SAL_FN(sal_contacts_complete)(const sal_step_state *s, const sal_contacts *at, sal_m hit,
                                   sal_crossing *x);

/** The contacts that x names change sides in the lanes of `hit`, and the model's jumps are applied;
 *  those of `rests` [n] stay closed whatever the jump sets.  In lanes of `idle` no time has passed
 *  since the last change: contacts that touched then still touch. */
void SAL_FN(sal_contacts_change)(sal_step_state *s, sal_contacts *at, sal_m hit, sal_m idle,
                                 const sal_crossing *x, const sal_m rests[]);

/** The same, of the contacts of a row besides. */
void SAL_FN(sal_contacts_leave)(sal_contacts *at, sal_m lanes);

/** Is contact k closed in this lane? */
bool SAL_FN(sal_contacts_closed)(const sal_phase *phase, int k, int lane);

#define sal_contacts_look SAL_FN(sal_contacts_look)
#define sal_contacts_enter SAL_FN(sal_contacts_enter)
#define sal_contacts_adopt SAL_FN(sal_contacts_adopt)
#define sal_contacts_complete SAL_FN(sal_contacts_complete)
#define sal_contacts_change SAL_FN(sal_contacts_change)
#define sal_contacts_leave SAL_FN(sal_contacts_leave)
#define sal_contacts_closed SAL_FN(sal_contacts_closed)
