/** Configurations by number, by name and from text. */
#include "config.h"
#include "argument.h"
#include "base.h"
#include "compatibility.h"
#include "value.h"

int sal_config_count(const sal_sweep *sweep)
{
  return sweep->n_tolerance * sal_config_pairs(sweep);
}

int sal_config_encode(const sal_sweep *sweep, sal_config config)
{
  return (config.tolerance * sweep->n_strategy + config.strategy) * sweep->n_method + config.method;
}

sal_config sal_config_decode(const sal_sweep *sweep, int k)
{
  return (sal_config){.tolerance = k / sweep->n_method / sweep->n_strategy,
                      .strategy = k / sweep->n_method % sweep->n_strategy,
                      .method = k % sweep->n_method};
}

int sal_config_pairs(const sal_sweep *sweep) { return sweep->n_strategy * sweep->n_method; }

const sal_method *sal_config_solver(const sal_sweep *sweep, int k)
{
  return k < 0 ? NULL : sweep->method[sal_config_decode(sweep, k).method];
}

const char *sal_config_method(const sal_sweep *sweep, int k)
{
  return k < 0 ? "none" : sweep->method[sal_config_decode(sweep, k).method]->name;
}

const char *sal_config_strategy(const sal_sweep *sweep, int k)
{
  return k < 0 ? "none" : sweep->strategy[sal_config_decode(sweep, k).strategy]->name;
}

double sal_config_tolerance(const sal_sweep *sweep, int k)
{
  return k < 0 ? NAN : sweep->tolerance[sal_config_decode(sweep, k).tolerance];
}

const char *sal_config_name(const sal_sweep *sweep, int k, char text[SAL_CONFIG_NAME])
{
  if (k < 0)
    snprintf(text, SAL_CONFIG_NAME, "none");
  else
    snprintf(text, SAL_CONFIG_NAME, "%s:%s:%g", sal_config_strategy(sweep, k),
             sal_config_method(sweep, k), sal_config_tolerance(sweep, k));
  return text;
}

/* "1e-3" or "step=0.002". */
static sal_err parse_tolerance_or_step(const char *where, const char *text, sal_setup *out)
{
  const char *steps = strncmp(text, "step=", 5) == 0 ? text + 5 : NULL;
  double value;

  if (!sal_value_read(steps ? steps : text, &value))
    return sal_fail(SAL_ERR_USAGE, "%s: '%s': expected a tolerance or step=NUMBER", where, text);
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

sal_err sal_config_parse(const char *where, const char *word, const sal_setup *like, sal_setup *out)
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
