/** Metres and seconds of a run whose equations have units of their own.
 *
 *  A model without units has none until quantities of a real system give it scales; one in SI units that is run in its
 *  natural units comes back to its own by them.  A number without a unit is in the unit that `saltus list` shows of the
 *  model, one with a unit is converted.
 */
#pragma once

#include "err.h"
#include "model.h"

typedef struct {
  const sal_model *model; /* as it is run; borrowed */
  bool physical;          /* scales are known */
  sal_scales scales;
  sal_model
      si; /* the same in SI units, which states and time have where `physical`; not to be run */
} sal_measure;

/** Initialises the measure of a run in the model's own units. */
void sal_measure_begin(sal_measure *measure, const sal_model *model);
/** From now on with scales. */
void sal_measure_set(sal_measure *measure, const sal_scales *scales);

/** How many of `unit` one is that the run counts in: the length scale for "m"; 1 without scales. */
double sal_measure_size(const sal_measure *measure, const char *unit);

/** Reads "5s", "0.2 mm" or a number alone into *value, in units of the run.  `own` is the unit that the model states
 *  ("1": none), si the one it has in metres and seconds.  `where` heads messages, `what` names the quantity: "the time".
 *  Refuses a unit where the model has none and no scales are known. */
sal_err sal_measure_read(const char *where, const char *what, const char *text,
                         const sal_measure *measure, const char *own, const char *si,
                         double *value);
/** The same of a time above 0. */
sal_err sal_measure_time(const char *where, const char *text, const sal_measure *measure,
                         double *value);
/** The model's own length of a run. */
double sal_measure_span(const sal_measure *measure);
/** "y1=20cm,v1=0" onto presets initial [n_state]; the model's ranges hold. */
sal_err sal_measure_initial(const char *where, const char *text, const sal_measure *measure,
                            double initial[]);

/** Turns states [n][n_state], and times [n] unless NULL, of the run into SI units. */
void sal_measure_states(const sal_measure *measure, int64_t n, double t[], double state[]);
