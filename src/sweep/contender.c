/** @file src/sweep/contender.c
 *  Contenders by number, by name and from text.
 */
#include "contender.h"
#include "argument.h"
#include "compatibility.h"
#include "value.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

int sal_contender_count(const sal_sweep *sweep)
{
  return sweep->n_tolerance * sal_contender_pairs(sweep);
}

int sal_contender_encode(const sal_sweep *sweep, sal_contender contender)
{
  return (contender.tolerance * sweep->n_strategy + contender.strategy) * sweep->n_method +
         contender.method;
}

sal_contender sal_contender_decode(const sal_sweep *sweep, int k)
{
  return (sal_contender){.tolerance = k / sweep->n_method / sweep->n_strategy,
                         .strategy = k / sweep->n_method % sweep->n_strategy,
                         .method = k % sweep->n_method};
}

int sal_contender_pairs(const sal_sweep *sweep) { return sweep->n_strategy * sweep->n_method; }

const sal_method *sal_contender_solver(const sal_sweep *sweep, int k)
{
  return k < 0 ? NULL : sweep->method[sal_contender_decode(sweep, k).method];
}

const char *sal_contender_method(const sal_sweep *sweep, int k)
{
  return k < 0 ? "none" : sweep->method[sal_contender_decode(sweep, k).method]->name;
}

const char *sal_contender_strategy(const sal_sweep *sweep, int k)
{
  return k < 0 ? "none" : sweep->strategy[sal_contender_decode(sweep, k).strategy]->name;
}

double sal_contender_tolerance(const sal_sweep *sweep, int k)
{
  return k < 0 ? NAN : sweep->tolerance[sal_contender_decode(sweep, k).tolerance];
}

const char *sal_contender_name(const sal_sweep *sweep, int k, char text[SAL_CONTENDER_NAME])
{
  if (k < 0)
    snprintf(text, SAL_CONTENDER_NAME, "none");
  else
    snprintf(text, SAL_CONTENDER_NAME, "%s:%s:%g", sal_contender_strategy(sweep, k),
             sal_contender_method(sweep, k), sal_contender_tolerance(sweep, k));
  return text;
}

/* "1e-3" or "step=0.002". */
static sal_err parse_tolerance_or_step(const char *where, const char *text, sal_setup *out)
{
  const char *steps = strncmp(text, "step=", 5) == 0 ? text + 5 : NULL;
  double value;

  if (!sal_value_read(steps ? steps : text, &value))
    return sal_fail(SAL_ERR_USAGE, "%s: '%s' is no tolerance, and no step=NUMBER", where, text);
  if (steps && !(value > 0))
    return sal_fail(SAL_ERR_USAGE, "%s: step=%g must be above 0", where, value);
  if (out->strategy->fixed && !steps)
    return sal_fail(SAL_ERR_USAGE, "%s: %s takes fixed steps: %s:%s:step=NUMBER", where,
                    out->strategy->name, out->strategy->name, out->method->name);
  out->fixed_step = steps ? value : 0;
  if (steps) return SAL_OK;
  out->rtol = out->atol = value;
  return sal_argument_tolerance(where, value);
}

sal_err sal_contender_parse(const char *where, const char *word, const sal_setup *like,
                            sal_setup *out)
{
  char strategy[64], method[64], number[64], text[SAL_COMPATIBILITY_TEXT];
  int end = 0;

  *out = *like;
  if (sscanf(word, "%63[^:]:%63[^:]:%63[^:]%n", strategy, method, number, &end) != 3 || word[end])
    return sal_fail(SAL_ERR_USAGE,
                    "%s: '%s' is not STRATEGY:METHOD:TOLERANCE, such as switch:ode45:1e-3", where,
                    word);
  SAL_TRY(sal_argument_strategy(where, strategy, &out->strategy));
  SAL_TRY(sal_argument_method(where, method, &out->method));
  SAL_TRY(sal_argument_own_method(where, out->method));
  const char *flaw = sal_compatibility_flaw(out, text);
  if (flaw) return sal_fail(SAL_ERR_USAGE, "%s: %s", where, flaw);
  return parse_tolerance_or_step(where, number, out);
}
