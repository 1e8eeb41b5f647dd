/** The coordinates of all bodies beside the states. */
#include "base.h"
#include "model_file.h"
#include "reduced.h"
#include "state_space.h"

bool sal_coordinates_at(const void *functions, const double param[], const double y[],
                        double memory[], double q[])
{
  const sal_scalar_functions *f = functions;
  const sal_state_space *in = f->inner;
  const sal_system *system = in->system;
  sal_reduced *r = sal_reduced_open(system, memory, param);
  int v[SAL_MAX_FREEDOM];

  for (int j = 0; system->adapts && j < r->n_v; ++j) v[j] = (int)lround(y[2 * r->n_v + j]);
  if (system->adapts) sal_reduced_choose(r, v);
  const bool found = sal_reduced_move(r, y, y + r->n_v);
  for (int i = 0; i < r->n; ++i) q[i] = found ? r->q[i] : NAN;
  return found;
}

static const char *unit_of(const char *coordinate)
{
  return coordinate[0] == 'e' ? "1" : coordinate[0] == 't' ? "rad" : "m";
}

sal_err sal_coordinates_describe(const sal_system *system, sal_coordinates *out)
{
  out->field = sal_alloc((size_t)system->n_q, sizeof *out->field);
  out->label = sal_alloc((size_t)system->n_q, sizeof *out->label);
  if (!out->field || !out->label) return sal_fail(SAL_ERR_MEMORY, "no memory for coordinates");
  for (int i = 0, q = 0; i < system->n_body; ++i)
    for (int c = 0; c < sal_system_coordinates(system->body[i].kind); ++c, ++q) {
      sal_system_name(system, q, false, out->label[q]);
      out->field[q] = (sal_field){.name = out->label[q],
                                  .unit = unit_of(sal_system_coordinate(system->body[i].kind, c)),
                                  .what = "coordinate of a body"};
    }
  return SAL_OK;
}

void sal_coordinates_free(sal_coordinates *c)
{
  sal_free_all(c->field, c->label);
  *c = (sal_coordinates){0};
}
