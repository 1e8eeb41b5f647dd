/** A mechanical system with rigid contacts at one state, and their modes: plain numbers for contact_jump.h.
 */
#pragma once

#include "contact_change.h"
#include <stdbool.h>
#include <stddef.h>

/** A rigid contact at a state: its gap's rate is normal v + drift, and its second derivative normal v' + turn; the
 *  same along it. */
typedef struct {
  double gap, restitution, mu, hold; /* mu: while it slides, hold: while it sticks */
  double drift, turn, slide_drift, slide_turn;
  double beneath;         /* the surface, by more than past an end of it; 0: not so */
  bool stale;             /* its gradients are those of another state: it is open */
  bool poisson;           /* of its restitution: Poisson's law in place of Newton's */
  double *normal, *along; /* [n] */
  double *across;         /* [n] the other direction of friction in space; NULL: there is none */
  int from, to;           /* both are 0 but for the coordinates from .. to - 1 */
} sal_contact_terms;

/** Its mode; the first three become that after the event. */
typedef struct {
  bool closed, sticks;
  double sense;
  bool rubs;                /* it has friction */
  bool lands, opens;        /* in this event it has closed, its force has released it */
  bool stops, breaks;       /* in this event sliding has come to an end, sticking has */
  bool away;                /* at or beyond the end of its surface: it stays open */
  bool rests;               /* impacts without end are over: no rebound */
  bool lies;                /* it was put onto its surface, and its part in the impact: */
  bool struck, bounces;     /* it was struck, and rebounds */
  int slid;                 /* along it, with that sense; 0: it stuck */
  bool rises;               /* more slowly than rounding lifts it: closed if a force holds it */
  double force, pull;       /* of sal_contact_jump_margins: above 0 while it holds, sticks */
  bool takes, parts, stuck; /* of contact_jump.c, as is the speed at which it begins to slide */
  double gain;
} sal_contact_mode;

/** M v' = load, with n coordinates q, m contacts, and bounds that hold whatever the contacts do: row v' + turn = 0.  The
 *  first n_fixed of them take impulses, too, and have row v = 0; the forces of the others are too small for that. */
struct sal_contact_motion {
  int n, m, n_bound, n_fixed;
  double moment;       /* some roundings of time */
  double grain;        /* of positions, but for the rounding of q */
  double *mass, *load; /* [n][n], [n] */
  int *first,
      *last;   /* [n] M has blocks on its diagonal: row i is that of columns first[i] .. last[i] */
  bool steady; /* the load does not depend on v */
  bool closed_only; /* the caller needs gradients where the gap is at most 0 */
  bool load_only;   /* the caller needs the load, at the positions of the evaluation before */
  bool affine; /* gaps are affine in q, M and the load do not change: one evaluation shows all */
  bool in_sequence;      /* contacts that touch are struck one after another */
  bool stays;            /* q and v are those of another event, which ends on its own surface */
  bool unique;           /* so are its forces: what they release opens */
  double *q, *v;         /* [n] */
  double *bound, *bends; /* [n_bound][n], [n_bound]: row and turn */
  sal_contact_terms *terms;
  sal_contact_mode *mode;
  double *work;
};

/** Doubles of memory for n coordinates, at most m contacts and n_bound bounds. */
size_t sal_contact_motion_words(int n, int m, int n_bound);
/** Points the arrays of a motion into memory, where all is 0. */
void sal_contact_motion_lay_out(sal_contact_motion *s, int n, int m, int n_bound, double memory[]);
