/** The return map of a model: from its section (sal_model.section) to the section again, for many
 *  points at once, in lanes, with its derivative.
 *
 *  Points lie after the section's event, in the mode that its jump has left.  The derivative DP is
 *  made of tangent vectors that are carried through the events by saltation (kernels/tangent_model.h):
 *
 *      DP = (1 - f Dh / (Dh f)) Phi_m S_m .. S_1 Phi_1,
 *
 *  Zana, Bodor, Bencsik & Zelei (2018), eqs (32), (36)-(39).  With a section in time (a period of a drive) the last factor is
 *  missing.
 *
 *  Nothing here depends on the width or on which points share a call.  One thread at a time may use
 *  a map: threads have maps of their own.
 */
#pragma once

#include "err.h"
#include "integrate.h"
#include "tangent_model.h"

/** Outcome of a point: SAL_RETURN(ID, "label", "meaning"). */
#define SAL_RETURNS(R)                                                                             \
  R(MADE, "returned", "it came back to the section")                                               \
  R(LOST, "event lost", "the section was not reached again within the longest time")               \
  R(RESTS, "came to rest", "the state came to rest after infinitely many impacts, and no return")  \
  R(FELL, "run ended", "a contact that ends runs closed ahead of the section")                     \
  R(WRONG_MODE, "wrong phase", "a gap at the start is on the other side than its contact's mode")  \
  R(UNBOUNDED, "unbounded", "the state became infinite or no number")                              \
  R(FAILED, "integration failed",                                                                  \
    "the method could not go on, or its steps or its work (--budget) were spent")
#define SAL_RETURN_ENUM(id, label, what) SAL_RETURN_##id,
typedef enum { SAL_RETURNS(SAL_RETURN_ENUM) SAL_N_RETURN } sal_return_end;
#undef SAL_RETURN_ENUM
/** By number. */
extern const struct sal_return_text {
  const char *label, *what;
} sal_return_texts[SAL_N_RETURN];

/** How maps are run. */
typedef struct {
  const sal_model *model; /* with a section */
  const sal_method *method;
  const sal_strategy *strategy; /* NULL: event; one that looks for contacts and freezes the mode */
  double rtol, atol;
  double t_most;   /* the longest time of a run; 0: 20 times the model's span */
  double max_step; /* 0: a tenth of what is left */
  int vectors; /* columns of dp, by each point's `along`; 0: one for each unknown; -1: no dp at all, for which
                  a model may have any number of states */
  int returns;              /* the map's iterate, >= 1: a return is this many visits */
  int64_t max_attempts;     /* steps of a run; 0: 50000, for some never end */
  sal_work_weights work;    /* beside it, of a run .. */
  double budget;            /* .. in evaluations of f; 0: none */
  sal_run_reached *reached; /* or NULL */
  int width;                /* lanes; 0: the widest */
  int n_guard;              /* contacts of the point with most of them; 0: the model's own */
  sal_section section;      /* where it ends, in place of the model's own; name NULL: there */
  double time;              /* > 0: of each return, in place of the period of the section */
  int changed; /* 1 + the contact whose event points lie after; 0: that of an event's section */
  bool mutes;  /* sal_return_map_mute will be called */
  bool every_state; /* the unknowns are all states that do not drift, those too that are set */
  bool through; /* dp is the monodromy matrix, eq. (36), after the last event: its directions leave
                   the section, and delay is 0 */
} sal_return_setup;

/** Maps of `returns` visits that are run as this configuration is, to the model's own section. */
static inline sal_return_setup sal_return_setup_of(const sal_setup *run, int returns)
{
  return (sal_return_setup){.model = run->model,
                            .method = run->method,
                            .strategy = run->strategy,
                            .rtol = run->rtol,
                            .atol = run->atol,
                            .t_most = run->t_end,
                            .max_step = run->max_step,
                            .returns = returns,
                            .max_attempts = run->max_attempts,
                            .work = run->work,
                            .budget = run->budget,
                            .reached = run->reached,
                            .n_guard = run->n_guard};
}

/** A map; made by sal_return_map_create and freed by sal_return_map_free.  It does not move: tangent
 *  models point into it. */
typedef struct {
  sal_return_setup setup;
  sal_model model;           /* the setup's, with the map's section */
  sal_model carried;         /* the base of the tangent model: without a section if `through` */
  sal_tangent_model tangent; /* of n_round vectors at a time */
  sal_tangent_model plain;   /* of none, where a contact is muted */
  int n_round;
  int n_guard; /* contacts of the modes */
  int n_unknown;
  /* [n_unknown] states that points of the section may differ in: neither set by its jump nor drifting */
  int unknown[SAL_MAX_STATE];
  size_t bytes[2];
  void *work[2]; /* of plain runs and of runs with vectors */
} sal_return_map;

/** One point; what is pointed to is the caller's, and what is NULL is not wanted. */
typedef struct {
  const double *param; /* [n_param + n_option] */
  const double *start; /* [n_state] */
  const bool *closed;  /* [n_guard] the mode there; NULL: the gaps say */
  double *end;         /* [n_state] at the return; may be `start` itself */
  bool *end_closed;    /* [n_guard] the mode there; may be `closed` itself */
  const double *
      along; /* [n_unknown][vectors] directions whose images are columns of dp; NULL: the unknowns' */
  double
      *dp; /* [n_unknown][vectors, or n_unknown] d end_i / d start_j of the unknowns, row major */
  double *delay;      /* [n_unknown] d time / d start_j; only beside dp */
  sal_events *events; /* log of the run, the last event included */
  double time;        /* out: of the return, or that was reached */
  sal_return_end why; /* out */
  int n_event;        /* out: contacts closed or opened */
  int n_zeno;         /* out: contacts brought to rest by infinitely many impacts on the way */
  double rhs;         /* out: evaluations of f, with those of the vectors */
  bool still;         /* out: it did not return, and the state at the end does not move */
} sal_return;

/** Fails when the model has no section, or has too many states for a tangent vector that is asked for, or where
 *  the strategy does not look for contacts. */
sal_err sal_return_map_create(const sal_return_setup *setup, sal_return_map *out);
void sal_return_map_free(sal_return_map *map);
/** The same in memory of its own; sal_return_map_destroy frees it, after a failure, too. */
sal_err sal_return_map_new(const sal_return_setup *setup, sal_return_map **out);
void sal_return_map_destroy(sal_return_map **map);

/** The states that points of the model's section may differ in: those that do not drift and, unless
 *  `every`, are not set by the section's jump.  unknown [n_state]; returns their number. */
int sal_return_map_unknowns(const sal_model *model, bool every, int unknown[]);

/** Puts a guess onto the section: the mode closed [n_guard] that the section's jump leaves there, and
 *  the states of y [n_state] that it sets.  WRONG_MODE when a gap is on the wrong side then: contact
 *  (may be NULL) receives its number. */
sal_return_end sal_return_map_begin(const sal_return_map *map, const double param[], double y[],
                                    bool closed[], int *contact);

/** The first contact, of number `from` on, whose gap at a point of the section is on the other side than its
 *  mode, or on the surface and about to cross it; -1: none. */
int sal_return_map_wrong_contact(const sal_return_map *map, const double param[], const double y[],
                                 const bool closed[], int from);

/** Puts y [n_state], a point beside the section in the mode closed [n_guard], back onto it, where the section is a
 *  contact that opens and no single state is set by its jump, which is the projection onto its surface then.
 *  Elsewhere, and where the mode is not known (NULL), nothing is done. */
void sal_return_map_put_back(const sal_return_map *map, const double param[], const bool closed[],
                             double y[]);

/** Maps n points; dp is that of the tangent vectors.  Fails only for want of memory. */
sal_err sal_return_map_run(const sal_return_map *map, int64_t n, sal_return point[]);

/** The length of unknown i by which differences and residuals are measured: its modulus, or a tenth
 *  of the largest of all, or 1 where all are 0. */
double sal_return_map_size(const sal_return_map *map, const double y[], int i);

/** Are the unknowns of y [n_state] those of `before` within `close` of their sizes? */
bool sal_return_map_alike(const sal_return_map *map, double close, const double y[],
                          const double before[]);
/** Is one of them beyond the bound, or not a number? */
bool sal_return_map_unbounded(const sal_return_map *map, double bound, const double y[]);
/** After a return that took `time`: are the last ones infinitely many, none of which takes any time or brings the contact to
 *  rest?  A few are events of one instant.  brief: how many there are, 0 before the first. */
bool sal_return_map_stalls(const sal_return_map *map, double time, int *brief);

/** The model that runs without vectors integrate. */
static inline const sal_model *sal_return_map_runs(const sal_return_map *map)
{
  return map->setup.mutes ? &map->plain.model : &map->model;
}

/** Runs from here on go through n contacts without noticing them; only of a map with setup.mutes. */
static inline void sal_return_map_mute(sal_return_map *map, int n, const sal_mute mute[])
{
  sal_tangent_model_mute(&map->plain, n, mute);
  sal_tangent_model_mute(&map->tangent, n, mute);
}

/** Is contact k not noticed at the start? */
static inline bool sal_return_map_mutes(const sal_return_map *map, int k)
{
  const sal_tangent_model *m = &map->plain;

  for (int i = 0; i < m->n_mute; ++i)
    if (m->mute[i].contact == k && sal_mute_holds(&m->mute[i], 0)) return true;
  return false;
}

/* ---- return_end.c ----
 *  Outcome of a point's run.
 */

/** Fills time, still and why, of a run whose record this is and that has ended at y [n_state] in the mode closed
 *  [n_guard]; p->start is as it was. */
void sal_return_end_read(const sal_return_map *map, const sal_record *record, const double y[],
                         const bool closed[], sal_return *p);

/* ---- return_differences.c ----
 *  The derivative of a return map by differences, Zana, Bodor, Bencsik & Zelei (2018), eq. (67): the
 *  independent second way, without saltation.
 */

/** Maps n points as sal_return_map_run does, with dp and delay by central differences of fourth
 *  order; their steps are `step` times the size of each unknown, 0: 2^-15.  A neighbour that does not
 *  return makes them NaN.  Fails only for want of memory. */
sal_err sal_return_differences(const sal_return_map *map, double step, int64_t n,
                               sal_return point[]);
