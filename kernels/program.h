/** A flow as data: programs of operations over a file of registers, which program_flow.c runs in all
 *  lanes.  src/equations makes them of a text.
 *
 *  Registers, in this order: the words of the run (parameters, options, constants: sal_model_fill), the
 *  continuous states, the discrete ones, t, and the slope dy (of `guard` alone); then the constants of
 *  the program, and the values that it computes.  A mask is a register whose bits are all set or all clear.
 */
#pragma once

#include "scalar_flow.h"

#define SAL_PROGRAM_OP(name, operands, ...) SAL_PROGRAM_##name,
typedef enum {
  SAL_PROGRAM_end, /* the program's */
#include "program_ops.def"
  SAL_N_PROGRAM_OP
} sal_program_op;
#undef SAL_PROGRAM_OP

/** Most registers of a program / clocks of a model / contacts of a mechanical system that are written out. */
enum { SAL_PROGRAM_REGISTERS = 8192, SAL_PROGRAM_STOPS = 64, SAL_PROGRAM_CONTACTS = 8 };

/** Register `to` becomes the operation on registers a, b, c; the last one is SAL_PROGRAM_end.  In `held` a, and in
 *  `closed` b, is the number of a contact. */
typedef struct {
  uint16_t op, to, a, b, c;
} sal_instruction;

/** Has an operation pairs (program_pairs.def), and the number of the pair of a first and a second one; last: the second has the
 *  value of the first as its B. */
static inline bool sal_program_pairs(unsigned op)
{
  return op >= SAL_PROGRAM_add && op <= SAL_PROGRAM_mul;
}
static inline unsigned sal_program_pair(unsigned first, unsigned second, bool last)
{
  return SAL_N_PROGRAM_OP + 2 * (3 * (first - SAL_PROGRAM_add) + second - SAL_PROGRAM_add) + last;
}

/** All of it is the maker's, and lives as long as the model. */
typedef struct {
  int n_register;
  int n_word; /* words of the run that are read, by number */
  const uint16_t *word;
  int first_constant, n_constant; /* registers that hold constant[] */
  const double *constant;
  const sal_instruction *code;
  const sal_instruction *paired; /* the same for the interpreter, with pairs of operations */
  int n_out;
  const uint16_t *out; /* registers of the results, in an order that both sides share */
} sal_program;

/** Jump at a change of one contact.  Results: new values of the states value[], continuous before discrete, and
 *  then masks: where the contacts mode[] are closed after it.  All of them are made of what was before. */
typedef struct {
  bool joint; /* of rigid contacts of energies: by sal_contact_program.jump, without results here */
  int n_value, n_mode;
  const uint16_t *value, *mode;
  sal_program program;
  sal_program
      slope; /* derivatives of the values along dy [n_continuous + n_discrete + 1], all states and the time */
} sal_jump_program;

/** A function of one number by its values: in piece i, from knot[i] to knot[i + 1], it is
 *  sum_j piece[SAL_LOOKUP_ORDERS i + j] (x - knot[i])^j.  Outside it is outside[0] below, outside[1] above. */
enum { SAL_LOOKUP_ORDERS = 4, SAL_LOOKUP_KNOTS = 20000 };
typedef struct {
  int n_knot;
  const double *knot, *piece; /* [n_knot], rising / [n_knot - 1][SAL_LOOKUP_ORDERS] */
  double outside[2];
} sal_lookup;

/** A contact of a mechanical system whose terms are a program. */
typedef struct {
  int guard, stick, sense; /* contacts of the model; stick 0: no friction / its discrete state */
  bool rigid, poisson;     /* as in sal_contact_terms */
  bool mark;               /* it has no law, and moves nothing */
  int from, to; /* its gap, and what slides along it, move the coordinates from .. to - 1 */
  int at;       /* where its results begin */
} sal_contact_place;

/** Equations of motion by which contacts of a mechanical system change together (contact_jump.h). */
typedef struct {
  int n, m; /* coordinates, the first states; their rates follow them / contacts */
  sal_contact_place *of;
  int *state;        /* [n] of each coordinate, which are in an order of their own below */
  int *first, *last; /* [n] as in sal_contact_motion */
  int *row, load;    /* [n] where row i of M would have its column 0 / where the load begins */
  size_t n_hold;     /* doubles of sal_program_hold; 0: forces are programs, too */
  bool in_sequence;
  bool plain; /* marks change where their gaps do */
  /** Results: rows of M from first to last, load [n]; of each contact gap, restitution (compliant: push), mu, hold, then of the gap and of what
   *  slides along it the gradient from .. to - 1, drift and turn. */
  sal_program terms;
  sal_program loads; /* the load alone, in the order of the coordinates */
  bool by_mode;      /* the terms depend on which contacts are closed */
  /** A mask: forces of closed contacts are not unique, or one of them is nothing but rounding. */
  sal_program redundant;
  /** sal_program_contacts_release, sal_program_contacts_alone, sal_program_contacts_slope. */
  void (*release)(const void *inner, const double words[], double t, const double y[],
                  const double dy[], const bool closed[], double gap[], double rate[]);
  void (*jump)(const void *inner, const double words[], double t, double y[], bool closed[], int k,
               bool rests);
  void (*slope)(const void *inner, const double words[], double t, const double y[],
                const bool closed[], int k, bool rests, const double x[], double dt, double out[]);
} sal_contact_program;

enum { SAL_MAX_UNIT_TERMS = 8192 };
/** Contacts of coordinates whose masses are 1, those of a flow that is given itself: for sal_model.motion. */
typedef struct {
  int m, *from, *to; /* contacts / the coordinates from .. to - 1 move each [m] */
  sal_program
      terms; /* of each gap, restitution, drift, gradient there; at most SAL_MAX_UNIT_TERMS */
} sal_unit_program;

/** Registers of a program on the stack of the caller, as many as it has: most programs are short. */
#define SAL_PROGRAM_ROOM(type, program)                                                            \
  __builtin_alloca_with_align(sizeof(type) * (size_t)(program)->n_register, 8 * _Alignof(type))

/** Which gaps each continuous state moves.  States of one group have no gap in common (gap_slopes.h). */
enum { SAL_GAP_GROUPS = 16 };
typedef struct sal_gap_pattern {
  bool open; /* while all contacts are open: forces of closed ones depend on all states */
  int n_group;
  const unsigned char *group; /* [n_continuous] */
  const int *first;           /* [n_continuous + 1] where the gaps of each state begin in gap[] */
  const uint16_t *gap;        /* those of a state ascend */
} sal_gap_pattern;

/** Target of sal_model.inner. */
typedef struct {
  sal_scalar_functions scalar; /* without rhs: all of the flow is programs */
  int n_words;                 /* of the run, in all */
  int n_continuous, n_discrete, n_guard;
  sal_program rhs; /* dy [n_continuous] */
  int n_jac;       /* 0: more than SAL_MAX_DENSE states */
  sal_program
      *jac; /* [n_jac] J [n_continuous][n_continuous], rows after rows, as many in each as fit */
  sal_program by_time;                 /* df/dt [n_continuous] */
  sal_program guard;                   /* gap [n_guard], rate [n_guard] */
  const sal_contact_program *contacts; /* those whose jumps are one problem; NULL: there are none */
  const sal_contact_program *motion;   /* the same, of sal_model.motion */
  const sal_unit_program *unit;        /* NULL: there is none */
  const sal_jump_program *jump;        /* [n_guard] */
  const sal_lookup *table;
  /* flows that run them: one that is compiled from them has its `range` from here */
  const struct sal_flow_w1 *w1;
  const struct sal_flow_w4 *w4;
  const struct sal_flow_w8 *w8;
} sal_flow_programs;

/** The flows of all models whose `inner` are such programs: with jac, by_time, guard and jump; and those without jac, for
 *  more than SAL_MAX_DENSE states. */
extern const struct sal_flow_w1 sal_program_flow_w1, sal_program_flow_wide_w1;
extern const struct sal_flow_w4 sal_program_flow_w4, sal_program_flow_wide_w4;
extern const struct sal_flow_w8 sal_program_flow_w8, sal_program_flow_wide_w8;

/** Runs a program at width 1: words [n_words], y [n_continuous + n_discrete]; out [n_out]; contacts: see sal_phase. */
void sal_program_run(const sal_flow_programs *of, const sal_program *program, const double words[],
                     double t, const double y[], const bool closed[], double out[]);
/** The same where the mode follows from the gaps, as in sal_phase without `held`. */
void sal_program_run_free(const sal_flow_programs *of, const sal_program *program,
                          const double words[], double t, const double y[], double out[]);
/** Its program `guard`, in that mode where closed is NULL: gap [n_guard], rate [n_guard] along dy. */
void sal_program_gaps(const sal_flow_programs *of, const double words[], double t, const double y[],
                      const double dy[], const bool closed[], double gap[], double rate[]);

/** For sal_model.next_stop: of each clock n the program has the time at which it changes next, and after these [n] the
 *  size of what that time is made of. */
double sal_program_next_stop(const sal_flow_programs *of, const sal_program *program,
                             const double words[], double t, double *since);
/** For sal_model.jump_together and sal_contact_program.release. */
sal_together sal_program_contacts_jump(const void *inner, const double words[], double t,
                                       double y[], bool closed[], bool fired[], const bool rests[],
                                       const double memory[]);
/** The jump of contact k [of the model] alone, which has changed sides in `closed` already, at width 1: others that are closed
 *  take part, others that touch do not.  y is not a number where it has no solution. */
void sal_program_contacts_alone(const void *inner, const double words[], double t, double y[],
                                bool closed[], int k, bool rests);
/** The jump program of contact k, as sal_flow.jump. */
void sal_program_jump(const sal_flow_programs *of, int k, const double words[], double t,
                      double y[], bool closed[]);
/** Its derivative: out [n_state] = DR x + R_t dt. */
void sal_program_contacts_slope(const void *inner, const double words[], double t, const double y[],
                                const bool closed[], int k, bool rests, const double x[], double dt,
                                double out[]);
/** For sal_model.motion. */
bool sal_program_contacts_motion(const void *inner, const double words[], double t,
                                 const double y[], double memory[], sal_contact_motion *motion);
bool sal_program_unit_motion(const void *inner, const double words[], double t, const double y[],
                             double memory[], sal_contact_motion *motion);
void sal_program_contacts_release(const void *inner, const double words[], double t,
                                  const double y[], const double dy[], const bool closed[],
                                  double gap[], double rate[]);

#ifdef SAL_LANES
/* Lanes in which several rigid contacts are closed, so that their forces may be redundant. */
static inline sal_m sal_program_may_be_redundant(const sal_phase *s)
{
  const sal_contact_program *c = ((const sal_flow_programs *)s->inner)->contacts;
  sal_m n_closed = sal_none(); /* each counts -1 */

  for (int i = 0; c && i < c->m; ++i)
    if (c->of[i].rigid) n_closed += s->closed[c->of[i].guard];
  return s->held & SAL_MASK(n_closed < -1);
}

/** One lane of what a problem of contacts is posed by. */
typedef struct {
  double words[SAL_MAX_P], y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];
} sal_program_lane;

/* y [n_continuous], q [n_discrete]. */
static inline void sal_program_take_lane(const sal_phase *s, int lane, const sal_v y[],
                                         const sal_v q[], sal_program_lane *to)
{
  const sal_flow_programs *f = s->inner;

  for (int i = 0; i < f->n_words; ++i) to->words[i] = SAL_AT(s->p[i], lane);
  for (int i = 0; i < f->n_continuous; ++i) to->y[i] = SAL_AT(y[i], lane);
  for (int i = 0; i < f->n_discrete; ++i) to->y[f->n_continuous + i] = SAL_AT(q[i], lane);
  for (int k = 0; k < f->n_guard; ++k) to->closed[k] = SAL_AT(s->closed[k], lane);
}

/* Gaps and rates of closed contacts, one lane after the other, where their forces are redundant. */
static inline void sal_program_release(const sal_phase *s, sal_v t, const sal_v y[],
                                       const sal_v dy[], sal_v gap[], sal_v rate[])
{
  const sal_flow_programs *f = s->inner;
  double slope[SAL_MAX_STATE], g[SAL_PROGRAM_CONTACTS], r[SAL_PROGRAM_CONTACTS];
  sal_program_lane at;
  const sal_m lanes = sal_program_may_be_redundant(s);

  if (!sal_any(lanes)) return;
  for (int lane = 0; lane < SAL_LANES; ++lane) {
    if (!SAL_AT(lanes, lane)) continue;
    sal_program_take_lane(s, lane, y, s->q, &at);
    for (int i = 0; i < f->n_continuous; ++i) slope[i] = SAL_AT(dy[i], lane);
    for (int k = 0; k < f->n_guard; ++k) {
      g[k] = SAL_AT(gap[k], lane);
      r[k] = SAL_AT(rate[k], lane);
    }
    f->contacts->release(f, at.words, SAL_AT(t, lane), at.y, slope, at.closed, g, r);
    for (int k = 0; k < f->n_guard; ++k) {
      SAL_AT(gap[k], lane) = g[k];
      SAL_AT(rate[k], lane) = r[k];
    }
  }
}

/* The jump of contact k by the problem of contacts, one lane after the other. */
static inline void sal_program_joint(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_flow_programs *f = s->inner;
  sal_program_lane at;

  for (int lane = 0; lane < SAL_LANES; ++lane) {
    if (!SAL_AT(lanes, lane)) continue;
    sal_program_take_lane(s, lane, y, y + f->n_continuous, &at);
    f->contacts->jump(f, at.words, SAL_AT(t, lane), at.y, at.closed, k, SAL_AT(s->rests, lane));
    for (int i = 0; i < f->n_continuous + f->n_discrete; ++i) SAL_AT(y[i], lane) = at.y[i];
    for (int j = 0; j < f->n_guard; ++j) SAL_AT(s->closed[j], lane) = -(int64_t)at.closed[j];
  }
}

/* The piece in which x lies, which is between the first and the last knot. */
static inline int sal_lookup_piece(const sal_lookup *table, double x)
{
  int low = 0, high = table->n_knot - 1;

  while (high - low > 1) {
    const int middle = (low + high) / 2;
    *(x < table->knot[middle] ? &high : &low) = middle;
  }
  return low;
}

/* The derivative of that order at x; of a knot it is that of the piece which begins there. */
static inline double sal_lookup_at(const sal_lookup *table, int order, double x)
{
  static const double factor[SAL_LOOKUP_ORDERS][SAL_LOOKUP_ORDERS] = {
      {1, 1, 1, 1}, {1, 2, 3, 0}, {2, 6, 0, 0}, {6, 0, 0, 0}};
  double sum = 0;

  if (x < table->knot[0]) return order ? 0 : table->outside[0];
  if (x > table->knot[table->n_knot - 1]) return order ? 0 : table->outside[1];
  const int piece = sal_lookup_piece(table, x);
  const double u = x - table->knot[piece], *c = table->piece + SAL_LOOKUP_ORDERS * piece;
  for (int j = SAL_LOOKUP_ORDERS - 1; j >= order; --j)
    sum = sum * u + factor[order][j - order] * c[j];
  return sum;
}

/** For sal_model.exact_jumps: out [n_state] = DR x + R_t dt for the jump R of contact k at t and y [n_state], in the mode
 *  as the jump finds it. */
#define sal_program_jump_slope SAL_FN(sal_program_jump_slope)
void sal_program_jump_slope(const sal_phase *s, int k, sal_m lanes, sal_v t, const sal_v y[],
                            const sal_v x[], sal_v dt, sal_v out[]);

/** sal_flow.range of the flow that runs programs. */
#define sal_program_range SAL_FN(sal_program_range)
void sal_program_range(const sal_phase *s, sal_v t0, sal_v t1, const sal_v y0[], const sal_v y1[],
                       const sal_v dy0[], const sal_v dy1[], sal_v gap0[], sal_v gap1[],
                       sal_v rate0[], sal_v rate1[]);

/* In each lane; index: see program_ops.def. */
static inline sal_v sal_program_table(const sal_phase *s, int index, sal_v x)
{
  const sal_flow_programs *f = s->inner;

  for (int lane = 0; lane < SAL_LANES; ++lane)
    SAL_AT(x, lane) = sal_lookup_at(&f->table[index / SAL_LOOKUP_ORDERS], index % SAL_LOOKUP_ORDERS,
                                    SAL_AT(x, lane));
  return x;
}
#endif
