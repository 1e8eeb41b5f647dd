/** The speed of wheels, and the steps that it allows over a road. */
#include "arm.h"
#include "base.h"
#include "reduced.h"
#include "state_space.h"

static double fastest(const sal_system *s, const double value[], const double q[],
                      const double qd[])
{
  double most = 0;

  for (int k = 0; k < s->n_force; ++k) {
    const sal_force *f = &s->force[k];
    const sal_body *body = f->j.body >= 0 ? &s->body[f->j.body] : NULL;
    sal_arm_value centre;
    double speed = 0;
    if (f->kind != SAL_FORCE_TIRE || !body) continue;
    sal_arm_at(s, value, q, &f->j, &centre);
    for (int c = 0; c < sal_system_coordinates(body->kind); ++c)
      speed += centre.d[0][c] * qd[body->first + c];
    most = fmax(most, fabs(speed));
  }
  return most;
}

/* At y where there is such a position, and at the initial state of the file. */
static double speed_of(sal_reduced *r, const double y[])
{
  const sal_system *s = r->system;
  const double file = fastest(s, r->value, s->q0, s->qd0);

  return sal_reduced_move(r, y, y + r->n_v) ? fmax(file, fastest(s, r->value, r->q, r->qd)) : file;
}

double sal_passage_step(const sal_system *system, const double param[], const double y[])
{
  SAL_OWN double *memory = system->road.kind == SAL_ROAD_FLAT
                               ? NULL
                               : sal_alloc(sal_reduced_words(system), sizeof *memory);

  if (!memory) return INFINITY;
  sal_reduced *r = sal_reduced_open(system, memory, param);
  return sal_road_extent(&system->road, r->value) / (2 * speed_of(r, y));
}

bool sal_passage_is_unknown(const sal_system *s)
{
  bool rolls = false;

  for (int k = 0; k < s->n_force; ++k) rolls = rolls || s->force[k].kind == SAL_FORCE_TIRE;
  return rolls && s->road.kind != SAL_ROAD_FLAT && fastest(s, s->value, s->q0, s->qd0) == 0;
}
