/** A model's functions at one point, for code outside the kernels (width 1).  y has all n_state
 *  states, the discrete ones last; slopes and Jacobians have the n continuous ones.
 */
#pragma once

#include "model.h"

/** Impacts that are not by Newton's law for all contacts at once, in words; NULL: they are. */
static inline const char *sal_model_special_impacts(const sal_model *model)
{
  return model->in_sequence ? "impacts in sequence"
         : model->poisson   ? "restitution by Poisson's law"
                            : NULL;
}

/** NULL when the parameters [n_param + n_option] can be run together, else the reason as a sentence. */
const char *sal_model_flaw(const sal_model *model, const double param[]);

/** Has the model a Jacobian of its own, or a mass matrix? */
bool sal_model_has_jacobian(const sal_model *model);

/** Has it bounds of its gaps over boxes (sal_flow.range)? */
bool sal_model_has_range(const sal_model *model);
bool sal_model_has_mass(const sal_model *model);

/** NULL when the model has flows at all widths with all functions that its descriptor calls for, else
 *  a sentence about what it lacks. */
const char *sal_model_flow_flaw(const sal_model *model);

/** The model's Jacobian [n][n], row major, at (t, y), by central differences where it has none of
 *  its own; mode from the signs of the gaps, or all contacts closed. */
void sal_model_jacobian(const sal_model *model, const double param[], double t, const double y[],
                        bool all_closed, double J[]);

/** The gaps [n_guard] at (t, y): above 0 where a contact is open. */
void sal_model_gaps(const sal_model *model, const double param[], double t, const double y[],
                    double gap[]);

/** Which contacts are closed at (t, y) by the signs of their gaps; closed [n_guard]. */
void sal_model_mode(const sal_model *model, const double param[], double t, const double y[],
                    bool closed[]);
/** The same of points one after the other; memory: as sal_phase.memory, NULL: the model makes its own at each. */
void sal_model_mode_on(const sal_model *model, const double param[], double memory[], double t,
                       const double y[], bool closed[]);

/** The first contact beyond whose surface no run of the model may begin, at t = 0 and y, and its gap; -1:
 *  there is none, such as in a model that resets nothing.  memory: as above. */
int sal_model_beyond(const sal_model *model, const double param[], const double y[],
                     double memory[], double *gap);

/** f(t, y) [n]; mode from the signs of the gaps. */
void sal_model_rhs(const sal_model *model, const double param[], double t, const double y[],
                   double dy[]);

/** f(t, y) [n] in a given mode, closed [n_guard]. */
void sal_model_field(const sal_model *model, const double param[], const bool closed[], double t,
                     const double y[], double dy[]);

/** Gaps [n_guard] and their rates [n_guard] along a slope [n], dh/dt + grad h . slope, in a given
 *  mode, closed [n_guard], on which gaps may depend. */
void sal_model_rates(const sal_model *model, const double param[], const bool closed[], double t,
                     const double y[], const double slope[], double gap[], double rate[]);

/** The jump of contact k, which has changed sides (to the one in closed[k]) at t: resets y
 *  [n_state] and may change closed [n_guard] further. */
void sal_model_jump(const sal_model *model, const double param[], int k, bool closed[], double t,
                    double y[]);
