/** A configuration: a method, a strategy and a tolerance, one choice that a user has.
 *
 *  The configurations of a sweep are counted in the cube's order, [tolerance][strategy][method]: the
 *  number k of a configuration stands for positions in the three lists of the sweep.  A negative number
 *  means that there is none.
 */
#pragma once

#include "sweep.h"

/** Positions in the lists of a sweep. */
typedef struct {
  int tolerance, strategy, method;
} sal_config;

/** Number of configurations of a sweep. */
int sal_config_count(const sal_sweep *sweep);
/** From positions to the number, and back; k from 0. */
int sal_config_encode(const sal_sweep *sweep, sal_config config);
sal_config sal_config_decode(const sal_sweep *sweep, int k);

/** Number of pairs [strategy][method]: a configuration k has the pair k modulo this. */
int sal_config_pairs(const sal_sweep *sweep);

/** Names and tolerance; "none" and NaN for k < 0. */
const char *sal_config_method(const sal_sweep *sweep, int k);
const char *sal_config_strategy(const sal_sweep *sweep, int k);
double sal_config_tolerance(const sal_sweep *sweep, int k);

/** Method of a configuration, for its properties; NULL for k < 0. */
const sal_method *sal_config_solver(const sal_sweep *sweep, int k);

enum { SAL_CONFIG_NAME = 128 };
/** "switch:ode45:1e-06", written into text, or "none". */
const char *sal_config_name(const sal_sweep *sweep, int k, char text[SAL_CONFIG_NAME]);

/** Reads a configuration without a sweep, STRATEGY:METHOD:TOLERANCE or STRATEGY:METHOD:step=H: fills *out
 *  with `like`, whose model, interval and zone it keeps, and the values of the word.  `where` heads the
 *  message ("--against"). */
sal_err sal_config_parse(const char *where, const char *word, const sal_setup *like,
                         sal_setup *out);
