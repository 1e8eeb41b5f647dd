/** A strategy: how changes of mode are handled.
 *
 *  To add one, write kernels/strategies/NAME.c and put SAL_STRATEGY(NAME) in
 *  kernels/strategies.def; the descriptor is called sal_strategy_NAME.
 */
#pragma once

#include "method.h"

struct sal_strategy_ops_w1;
struct sal_strategy_ops_w4;
struct sal_strategy_ops_w8;

/** The description, the same at every width; all of it is static storage. */
typedef struct {
  const char *name, *title, *source;
  const char *about; /* what it does, in one sentence for a user */
  bool held;         /* the mode is frozen while stepping */
  bool zoned;        /* projects inside a zone around each surface: needs setup.zone */
  bool fixed;        /* steps are fixed: needs setup.fixed_step */
  bool one_step;     /* works with one-step methods only */
  bool in_gap;       /* its zone is one in units of the gap, never in time */
  bool every;        /* needs to see every contact, also in a row */
  bool captures;     /* drives methods that solve the impacts of a step themselves, and no others */
  const struct sal_strategy_ops_w1 *w1;
  const struct sal_strategy_ops_w4 *w4;
  const struct sal_strategy_ops_w8 *w8;
} sal_strategy;

#define SAL_DECLARE_STRATEGY_OPS(name)                                                             \
  extern const struct sal_strategy_ops_w1 sal_##name##_w1;                                         \
  extern const struct sal_strategy_ops_w4 sal_##name##_w4;                                         \
  extern const struct sal_strategy_ops_w8 sal_##name##_w8;
#define SAL_STRATEGY_OPS(name)                                                                     \
  .w1 = &sal_##name##_w1, .w4 = SAL_W4(&sal_##name##_w4), .w8 = SAL_W8(&sal_##name##_w8)

/** Does this strategy apply the model's jumps, where they matter?  A model whose gaps depend on the
 *  mode is one that resets. */
static inline bool sal_strategy_meets_jumps(const sal_strategy *strategy, const sal_model *model)
{
  return strategy->held || strategy->captures || !model->resets;
}

/** Does it end the runs of a model with a contact that ends them? */
static inline bool sal_strategy_meets_ends(const sal_strategy *strategy, const sal_model *model)
{
  return strategy->held || !sal_model_ends_runs(model);
}

/** Can this strategy drive this method?  A multistep method cannot go on from a projected state, an
 *  engine neither projects nor takes a fixed step, and methods of time stepping have a strategy of their own. */
static inline bool sal_strategy_drives(const sal_strategy *strategy, const sal_method *method)
{
  if (strategy->captures || method->captures) return strategy->captures && method->captures;
  if (method->engine) return !strategy->zoned && !strategy->fixed;
  return !strategy->one_step || method->min_order == method->order;
}

/* ---- lane half ------------------------------------------------------------------------------ */
#ifdef SAL_LANES
#include "contacts.h"
#include "dense.h"

/** The operations of a strategy around a step; NULL where it does nothing.  A strategy without
 *  `locate` and `project` never looks for contacts. */
typedef struct SAL_FN(sal_strategy_ops) {
  /** `locate` does nothing in a step in which sal_contacts_may_cross names no contact: a pair then takes
   *  such steps over by itself. */
  bool at_crossings;
  /** Own memory for n candidates, in sal_m. */
  int (*words)(int n);
  /** At the start of a run; the gaps are known. */
  void (*enter)(const sal_step_state *s, const sal_contacts *at, sal_m lanes);
  /** After a step that passed the error test: where in it contacts change sides. */
  void (*locate)(sal_dense *d, const sal_contacts *at, sal_m lanes, sal_crossing *out);
  /** Instead of a step: moves lanes that are close to a surface onto it.  Returns them, their new
   *  states in s->yn and times in s->tn (h = tn - t may be negative), and out->fired. */
  sal_m (*project)(sal_step_state *s, const sal_contacts *at, sal_m lanes, sal_crossing *out);
  /** Before a step: the longest one that stays clear of the surfaces. */
  sal_v (*reach)(const sal_step_state *s, const sal_contacts *at);
} sal_strategy_ops;
#endif
