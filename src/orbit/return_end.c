/** Outcome of a point: by the record of its run, and by where that has ended. */
#include "return_map.h"

#define SAL_RETURN_TEXT(id, label, what) {label, what},
const struct sal_return_text sal_return_texts[SAL_N_RETURN] = {SAL_RETURNS(SAL_RETURN_TEXT)};
#undef SAL_RETURN_TEXT

static bool has_fallen(const sal_return_map *map, const double param[], const bool closed[])
{
  const sal_model *m = &map->model;

  if (!sal_model_ends_runs(m)) return false;
  for (int k = 0; k < sal_model_guards(m, param); ++k)
    if (closed[k] && sal_model_contact(m, k)->ends) return true;
  return false;
}

/* Would the state that a run has ended in move by less than a hundredth of itself within the model's span? */
static bool is_still(const sal_return_map *map, const sal_return *p, double t, const double y[],
                     const bool closed[])
{
  const sal_model *m = map->setup.model;
  double f[SAL_MAX_STATE] = {0}, most = 0;

  sal_model_field(m, p->param, closed, t, y, f);
  for (int i = 0; i < m->n_state; ++i) most = fmax(most, fmax(fabs(y[i]), fabs(p->start[i])));
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    const double size = fmax(fmax(fabs(y[i]), fabs(p->start[i])), 0.1 * most);
    if (!(fabs(f[i]) * m->span <= 0.01 * size)) return false;
  }
  return true;
}

static sal_return_end end_of(const sal_return_map *map, const sal_return *p, const sal_record *r,
                             const bool closed[])
{
  const sal_outcome end = (sal_outcome)r->value[SAL_METRIC_OUTCOME];

  if (end == SAL_OUT_ENDED)
    return has_fallen(map, p->param, closed) ? SAL_RETURN_FELL : SAL_RETURN_MADE;
  if (end == SAL_OUT_NOT_FINITE) return SAL_RETURN_UNBOUNDED;
  if (end != SAL_OUT_DONE) return SAL_RETURN_FAILED;
  if (map->model.section.period) return SAL_RETURN_MADE;
  return r->value[SAL_METRIC_ZENO] > 0 && p->still ? SAL_RETURN_RESTS : SAL_RETURN_LOST;
}

void sal_return_end_read(const sal_return_map *map, const sal_record *r, const double y[],
                         const bool closed[], sal_return *p)
{
  p->time = r->value[SAL_METRIC_T_REACHED];
  p->still = (int)r->value[SAL_METRIC_OUTCOME] == SAL_OUT_DONE && !map->model.section.period &&
             is_still(map, p, p->time, y, closed);
  p->why = end_of(map, p, r, closed);
}
