/** A model: a description that any code may read, and the functions a method calls,
 *  one set per lane width.
 *
 *  A model is a hybrid system: a state y, parameters p, a flow dy/dt = f(t, y) and gap functions
 *  h_k(t, y), one per contact.  Contact k is *open* where h_k > 0 and *closed* where h_k <= 0; the
 *  set of closed contacts is the mode.  f depends on h only through that set.
 *
 *  *Discrete states* are the last n_discrete of the states: values that only jumps change, such as a
 *  foothold or a counter.  No method integrates, tests or differentiates them: y of the functions
 *  below holds the continuous ones alone, and sal_phase.q the discrete ones; `jump` has them all in y.
 *
 *  *The gap of a contact may depend on its own mode* where that is frozen (s->held & s->closed[k]):
 *  one function defines when an open contact closes, another one when the closed one opens, such as
 *  the force that holds it.  It has to be above 0 inside the open mode and below 0 inside the closed
 *  one; where both could be left at once, `jump` decides.  A strategy that reads the mode from the
 *  gaps (`switch`) sees the open function alone: such a model is `resets`.
 *
 *  To add one, write kernels/models/NAME.c (descriptor and flow) and put SAL_MODEL(NAME) in kernels/models.def.
 */
#pragma once

#include "contact_change.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  SAL_MAX_STATE = 1024,
  SAL_MAX_DENSE = 128, /* states where matrices are made of them: Jacobians, tangents, orbits */
  SAL_MAX_GUARD = 1024,
  SAL_MAX_PARAM = 64,
  SAL_MAX_OPTION = 4,
  SAL_MAX_CONST = 64,
  SAL_MAX_STAGE = 16,
  SAL_MAX_CHOICE = 4,
  SAL_MAX_UNIT = 4,
  SAL_MAX_PHYSICAL = 16,
  SAL_MAX_NATURAL = 3,
  SAL_MAX_CONTACT = 512,                                            /* with names of their own */
  SAL_MAX_QUANTITY = SAL_MAX_PARAM + SAL_MAX_OPTION + SAL_MAX_STATE /* that cells may differ in */
};

/** A named number: its unit, meaning and preset; [lo, hi] is the range a study of it covers by
 *  default, [least, most] what is admissible at all. */
typedef struct {
  const char *name, *unit, *what;
  double preset, lo, hi, least, most;
  bool whole;   /* only whole numbers make sense */
  int index;    /* of a state of a model with a mass matrix: its differential index; 0: 1 */
  double scale; /* of a state: absolute tolerances count in units of it; 0: 1 */
  bool drifts;  /* of a state: not the same again after a period, as a position or a counter */
  bool follows; /* of a discrete state: the other initial states determine it (sal_model.begin) */
  int n_listed; /* values it may have, and no others; 0: any between the bounds */
  const double *listed;
} sal_field;

/** Is a value one of those that are listed? */
static inline bool sal_field_lists(const sal_field *field, double value)
{
  for (int i = 0; i < field->n_listed; ++i)
    if (field->listed[i] == value) return true;
  return field->n_listed == 0;
}

/** How a contact of a model that resets acts where it closes; not used for other models. */
typedef enum {
  SAL_CONTACT_RIGID,     /* no run begins beyond its surface; a closed contact rests on it */
  SAL_CONTACT_COMPLIANT, /* no run begins beyond it, but the closed mode moves on from there */
  SAL_CONTACT_FRICTION,  /* dry friction, larger at rest: sticks wherever its gap is 0 */
  SAL_CONTACT_SURFACE,   /* a switching surface: runs begin on either side */
} sal_contact_kind;

/** How a gap depends on t and the states while the mode is frozen, which is how its crossings are found. */
typedef enum {
  SAL_FORM_CURVED, /* in any way: it is looked at within every step */
  SAL_FORM_SMOOTH, /* the same, but f or `longest_step` keep steps so short that their ends show where to look */
  SAL_FORM_AFFINE, /* affine: a polynomial in each step, all of whose zeros are isolated */
} sal_gap_form;

/** Names of the two events of a contact, e.g. "touchdown" and "liftoff", and whether the
 *  first one ends the run: a fall, a section. */
typedef struct {
  const char *closes, *opens;
  bool ends;
  sal_contact_kind kind;
  sal_gap_form form[2]; /* of its gap while it is open, and while it is closed */
  bool timed;           /* it fires at stops at which its gap leaps up (sal_model.next_stop) */
} sal_contact;

/** Where periodic orbits of the model begin and end: where a contact closes or opens, after its
 *  jump; or, of a model that is driven, whenever a period of the drive is over. */
typedef struct {
  const char *name; /* "release"; NULL: no periodic orbits are looked for */
  int contact;
  bool closes;
  double (*period)(const void *inner,
                   const double param[]); /* of the drive; NULL: the contact's changes count */
} sal_section;

/** Quantity that must be below 0 after an event of an orbit of the real system: a force that the
 *  model lets pull although it could only push.  Where it changes its sign, the border of admissible
 *  orbits, a branch of them has a special point (study/special_point.h). */
typedef struct {
  const char *name; /* NULL: the model allows nothing that is not real */
  int contact;
  bool closes;
  double (*value)(const void *inner, const double param[],
                  const double y[]); /* y [n_state] after the event */
} sal_admissible;

/** A named choice between words; the first one is the preset.  Unused choices are NULL. */
typedef struct {
  const char *name, *what;
  const char *choice[SAL_MAX_CHOICE];
} sal_option;

/** Which point a stiffness figure is taken at. */
typedef enum {
  SAL_EQUILIBRIUM_TRUE,      /* the equilibrium of the model's own equations */
  SAL_EQUILIBRIUM_PUBLISHED, /* the point the source publishes, where it differs */
} sal_equilibrium;

/** A unit of a physical quantity, and how many of its base units it is. */
typedef struct {
  const char *name;
  double factor;
} sal_unit;

/** A physical quantity, above 0.  Its first unit is the base unit; the list ends with name NULL. */
typedef struct {
  const char *name, *what;
  sal_unit unit[SAL_MAX_UNIT + 1];
  double preset;   /* in base units; NaN: must be given */
  bool may_vanish; /* 0 makes sense, too */
} sal_quantity;

/** Units of a model without SI units, in SI units. */
typedef struct {
  double second;   /* [s] one unit of time */
  double metre;    /* [m] one unit of length */
  double kilogram; /* [kg] one unit of mass; 0: the model has none */
} sal_scales;

/** How the parameters of a dimensionless model follow from a real system. */
typedef struct {
  const char *source; /* where the conversion comes from */
  int n_quantity;
  sal_quantity quantity[SAL_MAX_PHYSICAL];
  /** SI units of the states [n_state]; NULL, the list or one of it: a state that has a unit keeps it, a position is
   *  in m and its derivative in m/s. */
  const char *const *state_unit;
  struct {
    int stiffness, damping; /* 1 + index of the quantities that a ground gives; 0: none */
    int mass;               /* the same of what a linear ground's damping is in proportion to */
  } ground;
  /** Sets the parameters that follow from value [n_quantity], in base units, and leaves the other
   *  ones of param [n_param] as they are. */
  void (*from_physical)(const void *inner, const double value[], double param[],
                        sal_scales *scales);
} sal_physical;

/** The build at width 4 or 8 of a symbol, or none in a program whose widest lanes are fewer. */
#ifndef SAL_WIDEST
#define SAL_WIDEST 8
#endif
#if SAL_WIDEST >= 4
#define SAL_W4(symbol) symbol
#else
#define SAL_W4(symbol) NULL
#endif
#if SAL_WIDEST == 8
#define SAL_W8(symbol) symbol
#else
#define SAL_W8(symbol) NULL
#endif

struct sal_flow_w1;
struct sal_flow_w4;
struct sal_flow_w8;

/** The description, the same at every width; all of it is static storage. */
typedef struct {
  const char *name, *title, *source; /* source: where the equations come from */
  int n_state, n_guard, n_param, n_option, n_const;
  int n_discrete; /* the last ones of the states are discrete */
  int counted_by; /* 1 + index of the parameter that is the number of contacts; 0: n_guard */
  int n_count;    /* of the parameters, the first ones: counts of members, made into the model */
  bool resets;    /* jumps change more than the gap's rounding: they must be met as events */
  bool one_way;   /* contacts close for good: the source has one guard for each, not two */
  int watch;      /* the state whose error is scored; a continuous one */
  const char *family; /* of `watch` and n_also others, whose mean error is scored; NULL: it alone */
  int n_also;
  uint16_t also[SAL_MAX_STATE];
  int n_memory;     /* doubles that a trajectory's right-hand sides keep: sal_phase.memory */
  double span;      /* length of a run by default; > 0 */
  const char *time; /* its unit of time; "1": the model has none, as its states have none */
  sal_contact contact[SAL_MAX_CONTACT]; /* those after the last one named are like it */
  sal_field state[SAL_MAX_STATE], param[SAL_MAX_PARAM];
  sal_option option[SAL_MAX_OPTION];
  sal_section section; /* of periodic orbits */
  /** 1 + the index of the state that is the derivative of this one, for each position; 0: of no position. */
  uint16_t velocity[SAL_MAX_STATE];

  bool autonomous; /* f does not depend on t, which need not be found out */

  /* Optional from here on to the flows: NULL where the model has none.  inner: sal_model.inner. */

  sal_admissible admissible; /* periodic orbits */
  /** NULL when the parameters [n_param + n_option], in their ranges, are consistent, else the reason. */
  const char *(*flaw)(const void *inner, const double param[]);
  bool flaw_is_convex; /* where no corner of a box has a flaw, nothing in the box has */
  /** Constants of a run that f would else compute again and again, such as 1/m: c [n_const] from
   *  param [n_param + n_option].  NULL where n_const is 0. */
  void (*constants)(const void *inner, const double param[], double c[]);
  /** Fills y [n_state] with the equilibrium; false when there is none. */
  bool (*equilibrium)(const void *inner, const double param[], sal_equilibrium which, double y[]);
  /** The longest step in which nothing can come and go unseen: a gap that closes and opens again although f does not
   *  depend on it, such as that of a surface that moves, or a bump of f, such as one on a road; of a run that starts at
   *  y [n_state].  NULL: any.  Steps are at most as long, whatever max_step is. */
  double (*longest_step)(const void *inner, const double param[], const double y[]);
  /** Stops: times at which f, gaps or jumps change their form, such as both ends of a pulse.  Returns the first one
   *  after t, infinite where there is none, and *since, a time after t by the rounding of stops: from t to the stop
   *  returned the form is that of *since (sal_phase.since).  Steps end at stops exactly, and the method begins
   *  anew there.  NULL: the form is the same at all times. */
  double (*next_stop)(const void *inner, const double param[], double t, double *since);
  /** An invariant of the run, jumps included: its drift is a metric.  NaN: these parameters leave none. */
  double (*energy)(const void *inner, const double param[], double t, const double y[],
                   const bool closed[]);
  /** Mechanical energy, kinetic and stored, of a system that may lose it; closed [n_guard]. */
  double (*mechanical)(const void *inner, const double param[], const double y[],
                       const bool closed[]);
  /** Sets the discrete states of y [n_state] that follow from the others where a run begins. */
  void (*begin)(const void *inner, const double param[], double y[]);
  /** Kinetic energy alone, of which impacts take a share. */
  double (*kinetic)(const void *inner, const double param[], const double y[]);
  /** How near a contact is to pulling, though it can only push: above 1 it does.  closed [n_guard] */
  double (*adhesion)(const void *inner, const double param[], const double y[],
                     const bool closed[]);
  /** The physical quantities from which the parameters of a model without units are made. */
  const sal_physical *physical;
  /** For bodies connected by joints: all of their coordinates, of which states are a part
   *  [n_coordinate], and their values q [n_coordinate] at y [n_state]; false where the joints allow no such position.
   *  memory [n_memory]: 0 at first and kept from call to call, each of which begins where the last one was. */
  int n_coordinate;
  const sal_field *coordinate;
  bool (*coordinates)(const void *inner, const double param[], const double y[], double memory[],
                      double q[]);
  /** For a model in SI units: the parameters, and initial states, that are 1 in its natural units, 1 + index (for a
   *  state: 1 + n_param + index); 0: no more. */
  struct {
    const char *source;
    uint16_t of[SAL_MAX_NATURAL];
    unsigned char restitution; /* 1 + index of the parameter that a ground gives; 0: none */
  } natural;
  const char *reference, *kinetic_text; /* method of references, NULL: dop853; kinetic as a text */
  /** The Jacobian is 0 where j < i - lower or j > i + upper in an order of the continuous states, in which velocities follow
   *  their positions; NULL: as they are.  Matrices of implicit methods are bands then.  Both 0: it may be full. */
  struct {
    int lower, upper;
    const uint16_t *order; /* [n] */
  } band;
  /** Contacts that change together: where several are closed or have just changed sides (closed [n_guard] is the mode after that,
   *  fired [n_guard] have changed), y [n_state] and the mode become those after the event, as by the flow's `jump` of all of them at once.
   *  fired keeps those without a part in it, whose `jump` is called.  words, rests, memory: of sal_phase.  Width 1.  NULL: never. */
  sal_together (*jump_together)(const void *inner, const double words[], double t, double y[],
                                bool closed[], bool fired[], const bool rests[],
                                const double memory[]);
  /** A mechanical system at (t, y [n_state]), whose positions are the first half of the continuous states and whose
   *  velocities are the second: mass, load without forces of rigid contacts, and these, at most n_touch, into *motion,
   *  laid out without bounds.  memory: as that of `coordinates`; false: no such position.  NULL: no time stepping. */
  bool (*motion)(const void *inner, const double words[], double t, const double y[],
                 double memory[], sal_contact_motion *motion);
  const int *motion_order; /* [n] the state of each of its coordinates; NULL: the same */
  int n_touch;             /* its rigid contacts */
  /** Other coordinates for y [n_state] where these have become bad, between steps of time stepping; NULL: they stay. */
  void (*restate)(const void *inner, const double words[], double y[], double memory[]);
  bool rubs_in_space, poisson, in_sequence, single; /* friction in space, impacts, one contact */
  double capture_unit; /* steps of time stepping are rtol times this; 0: 1 */
  const void *inner;   /* data of flows that are made at run time, passed in sal_phase */
  const struct sal_gap_pattern *pattern; /* program.h; NULL: each state may move each gap */
  bool exact_jumps; /* inner is a sal_flow_programs, whose jumps have their derivatives */
  const struct sal_flow_w1 *w1;
  const struct sal_flow_w4 *w4;
  const struct sal_flow_w8 *w8;
} sal_model;

/** Number of states that a method integrates. */
static inline int sal_model_continuous(const sal_model *model)
{
  return model->n_state - model->n_discrete;
}

static inline const sal_contact *sal_model_contact(const sal_model *model, int k)
{
  int named = k < SAL_MAX_CONTACT ? k : SAL_MAX_CONTACT - 1;

  while (named > 0 && !model->contact[named].closes) --named;
  return &model->contact[named];
}

/** Is it a system y'' = f(t, y, y'), position by position, without other states? */
static inline bool sal_model_is_second_order(const sal_model *model)
{
  int pairs = 0;

  for (int i = 0; i < sal_model_continuous(model); ++i) pairs += model->velocity[i] != 0;
  return pairs > 0 && 2 * pairs == sal_model_continuous(model);
}

static inline bool sal_model_ends_runs(const sal_model *model)
{
  for (int k = 0; k < SAL_MAX_CONTACT && model->contact[k].closes; ++k)
    if (model->contact[k].ends) return true;
  return false;
}

/** The longest step of a run that starts at y [n_state]; infinite: any. */
static inline double sal_model_longest_step(const sal_model *model, const double param[],
                                            const double y[])
{
  return model->longest_step ? model->longest_step(model->inner, param, y) : INFINITY;
}

/** Number of contacts with these parameters. */
static inline int sal_model_guards(const sal_model *model, const double param[])
{
  return model->counted_by ? (int)param[model->counted_by - 1] : model->n_guard;
}

/** All that sal_phase.p holds: parameters, options, constants; p [SAL_MAX_P]. */
enum { SAL_MAX_P = SAL_MAX_PARAM + SAL_MAX_OPTION + SAL_MAX_CONST };
static inline int sal_model_words(const sal_model *model)
{
  return model->n_param + model->n_option + model->n_const;
}
static inline void sal_model_fill(const sal_model *model, const double param[], double p[])
{
  const int n = model->n_param + model->n_option;

  for (int i = 0; i < n; ++i) p[i] = param[i];
  if (model->n_const > 0) model->constants(model->inner, param, p + n);
}

/** Declares the flows of model NAME at every width / lists them in its descriptor. */
#define SAL_DECLARE_FLOWS(name)                                                                    \
  extern const struct sal_flow_w1 sal_##name##_w1;                                                 \
  extern const struct sal_flow_w4 sal_##name##_w4;                                                 \
  extern const struct sal_flow_w8 sal_##name##_w8;
#define SAL_FLOWS(name)                                                                            \
  .w1 = &sal_##name##_w1, .w4 = SAL_W4(&sal_##name##_w4), .w8 = SAL_W8(&sal_##name##_w8)

/** Coefficients of an explicit method: stage i is f at t + c_i h and y + h sum_j a_ij k_j. */
typedef struct {
  double a[SAL_MAX_STAGE][SAL_MAX_STAGE];
  double c[SAL_MAX_STAGE];
} sal_stage_table;

/* ---- lane half ------------------------------------------------------------------------------ */
#ifdef SAL_LANES
#include "lane.h"

/** Arguments of f besides t and y, for SAL_LANES trajectories.  The frozen mode is `closed`, or,
 *  when that is NULL, the range [from, to) of a model whose contacts form a row. */
typedef struct {
  int n_guard;        /* of the lane with most contacts; lanes with fewer keep the rest open */
  const sal_v *p;     /* parameters, options as choice numbers, constants: sal_model_fill */
  sal_m *closed;      /* [n_guard] contact k is closed; NULL: see below */
  sal_v count;        /* contacts of each lane */
  sal_v from, to;     /* contacts from .. to - 1 are closed; both 0 when none is */
  sal_m held;         /* lanes whose mode is frozen; elsewhere the sign of the gap decides */
  sal_m rests;        /* lanes in which the contact that jumps comes to rest: no rebound */
  const sal_v *q;     /* [n_discrete] discrete states */
  const sal_v *since; /* [1] time to compare times with (sal_model.next_stop); NULL: t itself */
  const void *inner;  /* the model's own (sal_model.inner) */
  sal_v
      *memory; /* [n_memory] 0 at first, then the flow's, which no result depends on; NULL: none */
} sal_phase;

/** Contacts in a row: at every instant gap and rate of contact k are affine in its rank,
 *
 *      gap_k = gap + slope (k - middle),    rate_k = rate + turning (k - middle).
 *
 *  So the closed ones are the first few or the last few, and only a contact at the border between
 *  closed and open, or at an end of the row, can be the next to change. */
typedef struct {
  sal_v middle, gap, slope, rate, turning;
} sal_row;

/** Is contact k closed at this gap?  A right-hand side depends on the gaps through this alone. */
SAL_INLINE sal_m sal_model_closed(const sal_phase *s, int k, sal_v gap)
{
  return sal_pick(s->held, s->closed[k], sal_le(gap, sal_set(0)));
}

/** The time at which times are compared in f at t. */
SAL_INLINE sal_v sal_model_clock(const sal_phase *s, sal_v t) { return s->since ? *s->since : t; }

/** A step from (t, y) to tn, h = tn - t; y [n_state]. */
typedef struct {
  sal_v t, h, tn;
  const sal_v *y;
} sal_step;

/** Blocks of lanes that take the steps of an explicit pair by turns: see pair_steps.h. */
struct SAL_FN(sal_pair_block);
typedef int64_t sal_pair_run(struct SAL_FN(sal_pair_block) * block, int64_t most);

/** Pure functions: they touch only their arguments, print nothing, cannot fail.  y, dy, n: the
 *  continuous states.  NULL where a model has none, but for rhs and stages.  A model that is made at
 *  run time (scalar_flow.h) has a flow at width 1 alone. */
typedef struct SAL_FN(sal_flow) {
  /** dy/dt [n] at (t, y); with a mass matrix M dy/dt. */
  void (*rhs)(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[]);
  /** Stages from .. to of an explicit step: slopes k [to + 1][n], of which those before `from` are
   *  known, and the argument of the last of them, x [n].  See stages.h. */
  void (*stages)(const sal_phase *s, const sal_step *step, const sal_stage_table *table, int from,
                 int to, sal_v k[], sal_v x[]);
  /** [SAL_N_TABLEAU][SAL_BLOCKS] steps of each tableau in one block and in several; NULL: f is not
   *  compiled into them. */
  sal_pair_run *const (*pair)[SAL_BLOCKS];
  /** J[i * n + j] = d f_i / d y_j at (t, y), in the mode rhs would use there.  NULL: methods take
   *  differences. */
  void (*jac)(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[]);
  /** T[i] = d f_i / d t at (t, y), in the same mode.  NULL, also beside a Jacobian: methods take differences. */
  void (*by_time)(const sal_phase *s, sal_v t, const sal_v y[], sal_v T[]);
  /** M[i * n + j] of M dy/dt = f, a matrix of the parameters alone; it may be singular.  NULL: the
   *  identity. */
  void (*mass)(const sal_phase *s, sal_v M[]);
  /** gap [s->n_guard] at (t, y), and its rate dh/dt + grad h . dy for a slope dy [n]: affine in dy,
   *  and with dy = f the rate along the trajectory. */
  void (*guard)(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                sal_v rate[]);
  /** Encloses gap and rate of all contacts, at most SAL_MAX_CONTACT of them, while t lies in [t0, t1], y in [y0, y1]
   *  and the slope in [dy0, dy1]: bounds are numbers or infinite.  The rate of a gap that may leap there is
   *  unbounded.  For gaps that are curved (interval.h); NULL: they are sampled. */
  void (*range)(const sal_phase *s, sal_v t0, sal_v t1, const sal_v y0[], const sal_v y1[],
                const sal_v dy0[], const sal_v dy1[], sal_v gap0[], sal_v gap1[], sal_v rate0[],
                sal_v rate1[]);
  /** The same as `guard`, for a model whose contacts form a row; NULL for any other.  Such a
   *  model resets nothing: its jump is not called when the row is used. */
  void (*row)(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_row *out);
  /** Contact k has changed sides at t (to the one in s->closed[k]): resets y [n_state], the discrete
   *  states after the continuous ones, in those lanes, so that its gap is exactly 0 where the model
   *  can do that, and may change the mode further.  In lanes of s->rests infinitely many impacts have
   *  come to an end: no rebound, and the contact stays closed.  A gap left on the wrong side of its
   *  mode ends the run (outcome bad_jump). */
  void (*jump)(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[]);
} sal_flow;
#endif
