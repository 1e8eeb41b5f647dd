/** SAL_LANES trajectories in flight and the queue of jobs after them (lane half): memory, loading
 *  and retiring of lanes.  integrate.c moves them.
 */
#pragma once

#include "contacts.h"
#include "observe.h"

/** The jobs that all blocks of lanes take from. */
typedef struct {
  const sal_job *job;
  sal_record *out;
  int64_t n, next;
} sal_queue;

typedef struct SAL_FN(sal_batch) {
  const sal_setup *setup;
  const sal_strategy_ops *strategy; /* NULL: it never looks for contacts */
  sal_queue *queue;

  sal_step_state s;
  sal_dense dense;
  sal_contacts at;
  sal_crossing x;
  sal_v *p;              /* [n_param + n_option] */
  sal_m *rests;          /* [at.n] lanes whose candidate stays closed from now on */
  sal_m *astray;         /* [at.n] lanes whose candidate is unmet on the wrong side */
  sal_v *closed_at;      /* [n_guard] when each contact last closed */
  sal_v *rebound;        /* [at.n] how fast its gap opened after its last change */
  sal_v *gap_noise;      /* [at.n] rounding of the terms each gap is made of */
  sal_v *lifted;         /* [at.n] sal_entry_lifts after its last change */
  sal_v *arrival;        /* [at.n] rate of each gap at this event, ahead of its jump */
  sal_v *arrived;        /* [n_guard] its modulus when the contact last closed */
  sal_v *gap_tolerance;  /* [at.n] what the tolerance does not resolve of each gap */
  sal_v *rate_tolerance; /* [at.n] and of its rate */
  sal_v *slowest;        /* [n_guard] its least modulus since flights have been blurred */
  sal_v *lowest;         /* [n_guard] its lowest flight of late, of those not far above rounding */
  sal_m *in_a_row;       /* [n_guard] how often it has closed with no time between */
  sal_m *stale;          /* [n_guard] how often it has come no slower than that */

  int64_t which[SAL_LANES]; /* job of each lane */
  double energy[SAL_LANES]; /* the model's invariant at the start */
  sal_observer observer;
  sal_m moved;      /* lanes that were projected in this turn */
  sal_v most_work;  /* cutoff of each lane, infinite without one */
  sal_v next_stair; /* error that lowers it, infinite without one */
  sal_v budget;     /* likewise */
  sal_m look;       /* attempts at which those, or the budget, of each lane may be used up */
  int stairs_down[SAL_LANES]; /* how often its error has lowered it */
  bool has_cutoff;            /* has a lane ever had one? */
  sal_v longest;              /* step that the model allows */
  sal_v t_last;               /* the end of the run; s.t_end: of its steps */
  sal_v stop;                 /* the next one; infinite: none */
  sal_v since;                /* target of s.phase.since */
  sal_v crowd;                /* time of the event at which `crowded` has begun to count */
  sal_v cruise;               /* step size before a surface came in reach */
  sal_m live;
  sal_m crowded; /* events since then; below 0: too many in too little time */
  sal_m hasty;   /* lanes whose last window of events took less than 2^-10 of what was left */
  sal_m ended;   /* lanes in which a contact that ends the run has closed */
  sal_m attempts, steps, failed, events, restarts, guarded, grazes, projections, zenos, idle,
      restep_tries, leaps, unmet, isolated, undecided,
      stops; /* stops: changes of the contact that setup.stop names */
} sal_batch;

/** Fills a batch from a setup, without memory. */
void SAL_FN(sal_batch_prepare)(sal_batch *b, const sal_setup *setup);

/** Points the arrays of a batch into `block`; returns how many sal_v they take.  With NULL it only
 *  counts. */
size_t SAL_FN(sal_batch_lay_out)(sal_batch *b, sal_v *block);

/** Puts job `which` at its start into a lane. */
void SAL_FN(sal_batch_load)(sal_batch *b, int lane, int64_t which);

/** Takes the form of the model from s.t on, and puts the end of the steps of a lane, s.t_end, at its next stop, or at
 *  t_last where that comes first. */
void SAL_FN(sal_batch_aim)(sal_batch *b, int lane);

/** Has the error of a lane passed a stair that has not lowered its cutoff yet (sal_work_stairs)? */
SAL_INLINE bool sal_batch_lowers(const sal_batch *b)
{
  return sal_any(b->live & sal_gt(b->observer.largest, b->next_stair));
}

/** Lowers the cutoffs of those of `lanes` whose error so far has passed a stair. */
void SAL_FN(sal_batch_lower_cutoffs)(sal_batch *b, sal_m lanes);

/** Checks `lanes`, whose attempts have come to b->look and whose work is `work`: finds lanes without an
 *  attempt left and lanes over their budget.  Sets b->look of the others to their next check. */
void SAL_FN(sal_batch_look)(sal_batch *b, sal_m lanes, sal_v work, sal_m *capped, sal_m *over);

/** Moves the trajectory of a lane into one that is not live of another batch of the same setup, whose
 *  memory is at `to_block` and `from_block`.  Only between turns. */
void SAL_FN(sal_batch_move)(sal_batch *to, sal_v *to_block, int to_lane, sal_batch *from,
                            const sal_v *from_block, int from_lane);

/** The first n states of a lane, as code outside the kernels has them: y [n]. */
void SAL_FN(sal_batch_read_state)(const sal_batch *b, int lane, int n, double y[]);

/** Keeps the model's invariant at the start of `lanes`, whose mode is known. */
void SAL_FN(sal_batch_note_energy)(sal_batch *b, sal_m lanes);

/** Lanes in which contact 0 is closed, when the mode is frozen. */
sal_m SAL_FN(sal_batch_first_closed)(const sal_batch *b);

/** Writes the records of the lanes that have come to an end, loads the next jobs into them, and
 *  adds to *fresh those that have one.  A state that is not a number makes any outcome NOT_FINITE. */
void SAL_FN(sal_batch_retire)(sal_batch *b, sal_m lanes, sal_outcome outcome, sal_m *fresh);

/** Ends the run of each live lane, and those that still wait, with the outcome HALTED. */
void SAL_FN(sal_batch_halt)(sal_batch *b);

#define sal_batch_prepare SAL_FN(sal_batch_prepare)
#define sal_batch_halt SAL_FN(sal_batch_halt)
#define sal_batch_lay_out SAL_FN(sal_batch_lay_out)
#define sal_batch_aim SAL_FN(sal_batch_aim)
#define sal_batch_load SAL_FN(sal_batch_load)
#define sal_batch_look SAL_FN(sal_batch_look)
#define sal_batch_lower_cutoffs SAL_FN(sal_batch_lower_cutoffs)
#define sal_batch_move SAL_FN(sal_batch_move)
#define sal_batch_read_state SAL_FN(sal_batch_read_state)
#define sal_batch_note_energy SAL_FN(sal_batch_note_energy)
#define sal_batch_first_closed SAL_FN(sal_batch_first_closed)
#define sal_batch_retire SAL_FN(sal_batch_retire)
