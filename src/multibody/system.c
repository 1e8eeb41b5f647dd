/** The tables of a system. */
#include "system.h"
#include "base.h"

static const struct {
  int n;
  const char *name[SAL_ARM];
} kinds[SAL_N_BODY_KIND] = {
    [SAL_BODY_SPATIAL] = {7, {"x", "y", "z", "e0", "e1", "e2", "e3"}},
    [SAL_BODY_PLANAR] = {3, {"x", "y", "theta"}},
    [SAL_BODY_PARTICLE] = {1, {"z"}},
};

int sal_system_coordinates(sal_body_kind kind) { return kinds[kind].n; }

const char *sal_system_coordinate(sal_body_kind kind, int c) { return kinds[kind].name[c]; }

void sal_system_name(const sal_system *s, int q, bool velocity, char name[2 * SAL_LABEL])
{
  int b = s->n_body - 1;

  while (s->body[b].first > q) --b;
  snprintf(name, (size_t)2 * SAL_LABEL, "%s_%s%s", s->body[b].name, velocity ? "v" : "",
           sal_system_coordinate(s->body[b].kind, q - s->body[b].first));
}

int sal_system_find(const sal_system *s, const char *name, bool velocity)
{
  for (int q = 0; q < s->n_q; ++q) {
    char full[2 * SAL_LABEL];
    sal_system_name(s, q, velocity, full);
    if (strcmp(full, name) == 0) return q;
  }
  return -1;
}

void sal_system_columns(const sal_system *system, int i, int j, int column[SAL_PAIR])
{
  const int bodies[2] = {i, j};

  for (int side = 0; side < 2; ++side)
    for (int c = 0; c < SAL_ARM; ++c) {
      const sal_body *b = bodies[side] < 0 ? 0 : &system->body[bodies[side]];
      column[side * SAL_ARM + c] = b && c < kinds[b->kind].n ? b->first + c : -1;
    }
}

void sal_system_free(sal_system *s)
{
  sal_free_all(s->body, s->constraint, s->force, s->ground, s->joint, s->value, s->binding, s->q0,
               s->qd0, s->given, s->independent);
  *s = (sal_system){0};
}
