/** Parts of answers. */
#include "answer_json.h"
#include "answer.h"
#include "config.h"

void sal_answer_json_at(sal_json *j, const sal_sweep *sweep, const double value[])
{
  const sal_model *m = sweep->model;

  sal_json_object(j, "at");
  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    const char *name = sal_parameter_column_name(m, k);
    if (!sal_parameter_column_varies(sweep, k)) continue;
    if (sal_parameter_column_is_option(m, k))
      sal_json_text(j, name, m->option[k - m->n_param].choice[(int)value[k]]);
    else
      sal_json_number(j, name, value[k]);
  }
  sal_json_end(j);
}

void sal_answer_json_pair(sal_json *j, const sal_sweep *s, int pair, double tolerance)
{
  sal_json_members(j, "solver %s, strategy %s, rtol %g", sal_config_method(s, pair),
                   sal_config_strategy(s, pair), tolerance);
}

void sal_answer_json_members(sal_json *j, const sal_sweep *s, const sal_answer *a, sal_answer_of of)
{
  char name[SAL_MAX_MEMBER];

  for (const sal_answer_member *m = sal_answer_members; m->name; ++m) {
    const double value = m->get(a);
    if (m->of > of) continue;
    if (m->type == SAL_MEMBER_NUMBER) sal_json_number(j, m->name, value);
    if (m->type == SAL_MEMBER_REASON) sal_json_text(j, m->name, sal_map_reasons[(int)value].label);
    if (m->type != SAL_MEMBER_PAIR) continue;
    sal_json_text(j, sal_answer_pair_name(m, "solver", name),
                  value < 0 ? NULL : sal_config_method(s, (int)value));
    sal_json_text(j, sal_answer_pair_name(m, "strategy", name),
                  value < 0 ? NULL : sal_config_strategy(s, (int)value));
  }
}

void sal_answer_json_choice(sal_json *j, const sal_sweep *s, const sal_surrogate_choice *c)
{
  const sal_answer a = sal_answer_of_choice(c);

  sal_answer_json_members(j, s, &a, SAL_MEMBER_OF_CHOICE);
}

void sal_answer_json_schedule(sal_json *j, const sal_sweep *s, const sal_surrogate_answer *a)
{
  sal_json_array(j, "schedule");
  for (int i = 0; i < a->n_attempt; ++i) {
    sal_json_object(j, NULL);
    sal_answer_json_choice(j, s, &a->attempts[i]);
    sal_json_number(j, "needed", sal_answer_needed(a, i));
    sal_json_end(j);
  }
  sal_json_end(j);
}

void sal_answer_json_outside(sal_json *j, const sal_model *m, const sal_surrogate_answer *a)
{
  sal_json_array(j, "outside");
  for (int i = 0; i < a->outside.n; ++i)
    sal_json_text(j, NULL, sal_parameter_column_name(m, a->outside.column[i]));
  sal_json_end(j);
}

void sal_answer_json_config(sal_json *j, const sal_sweep *s, int config)
{
  sal_json_members(j, "solver %s, strategy %s, rtol %g", sal_config_method(s, config),
                   sal_config_strategy(s, config), sal_config_tolerance(s, config));
}

void sal_answer_json_weights(sal_json *j, const sal_weights *w)
{
  sal_json_object_of(j, "weights", "sd %g, dt %g, iae %g", w->sd, w->dt, w->iae);
}
