/** Contacts that change together, lane by lane (lane half); sal_model.jump_together. */
#pragma once

#include "method.h"

/** The jump of all contacts that have fired [n]: those of side [n] above 0 close, the others open; NULL: all close.
 *  s->unsolved receives the lanes in which it has no solution.  own [n]: contacts that are left to change one by one,
 *  whose mode is as before. */
SAL_INLINE void sal_together_jump(sal_step_state *s, int n, sal_m lanes, const sal_m fired[],
                                  const sal_v side[], const sal_m rests[], sal_m own[])
{
  const sal_model *m = s->model;
  double words[SAL_MAX_P], y[SAL_MAX_STATE];
  const double *memory = SAL_LANES == 1 ? (const double *)s->phase.memory : NULL;
  bool closed[SAL_MAX_GUARD], has_fired[SAL_MAX_GUARD], at_rest[SAL_MAX_GUARD];

  for (int k = 0; k < n; ++k) own[k] = lanes & fired[k];
  if (!m || !m->jump_together) return;
  for (int lane = 0; lane < SAL_LANES; ++lane) {
    if (!SAL_AT(lanes, lane)) continue;
    for (int i = 0; i < sal_model_words(m); ++i) words[i] = SAL_AT(s->phase.p[i], lane);
    for (int i = 0; i < m->n_state; ++i) y[i] = SAL_AT(s->y[i], lane);
    int64_t rows = 0;
    for (int k = 0; k < m->n_guard; ++k) {
      rows += SAL_AT(fired[k], lane) || SAL_AT(s->phase.closed[k], lane);
      has_fired[k] = SAL_AT(fired[k], lane);
      closed[k] = !has_fired[k] ? SAL_AT(s->phase.closed[k], lane) != 0
                                : !side || SAL_AT(side[k], lane) > 0;
      at_rest[k] = has_fired[k] && SAL_AT(rests[k], lane);
    }
    const sal_together found = m->jump_together(m->inner, words, SAL_AT(s->t, lane), y, closed,
                                                has_fired, at_rest, memory);
    if (found == SAL_TOGETHER_NONE) continue;
    SAL_AT(s->n_row, lane) += rows;
    for (int k = 0; k < m->n_guard; ++k)
      SAL_AT(own[k], lane) = found == SAL_TOGETHER_DONE ? -(int64_t)has_fired[k] : 0;
    if (found == SAL_TOGETHER_UNSOLVED) SAL_AT(s->unsolved, lane) = -1;
    for (int i = 0; i < m->n_state; ++i) SAL_AT(s->y[i], lane) = y[i];
    for (int k = 0; k < m->n_guard; ++k)
      if (!SAL_AT(own[k], lane)) SAL_AT(s->phase.closed[k], lane) = -(int64_t)closed[k];
  }
}
