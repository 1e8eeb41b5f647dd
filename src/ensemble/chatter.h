/** @file src/ensemble/chatter.h
 *  Surfaces that the flow leads back to from both sides, such as v = 0 where dry friction is written as sign(v).
 */
#ifndef SAL_CHATTER_H
#define SAL_CHATTER_H

#include "err.h"
#include "model.h"

/** The state whose slope leaps most, and between what. */
typedef struct {
  int state; /* -1: none does */
  double low, high;
} sal_chatter;

/** Follows f from (t, y), modes by the signs of the gaps, by steps of three sizes: on such a surface the slope leaps to and fro in most of
 *  them, by the same amount however short they are, which no smooth flow does. */
sal_chatter sal_chatter_find(const sal_model *model, const double param[], double t,
                             const double y[]);

/** As a sentence with what to do, into text [bytes]; "" where none chatters. */
void sal_chatter_say(const sal_chatter *chatter, const sal_model *model, size_t bytes, char text[]);

/** Tries so many attempts by the model's reference method: fails with the time and that sentence where it gets no further on such a surface, ahead of
 *  runs by all solvers, each of which would take its time there. */
SAL_MUST_CHECK sal_err sal_chatter_try(const sal_model *model, const double param[],
                                       const double initial[], double t_end, int attempts);

#endif
