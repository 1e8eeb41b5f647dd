/** An event near another one, with the same contacts at work. */
#include "contact_jump.h"
#include "contact_rows.h"
#include <string.h>

/* Rates of what was struck are -e times those before, or 0; it stuck, or slid. */
static void strike(sal_contact_motion *s, sal_contact_rows *p)
{
  for (int c = 0; c < s->m; ++c) s->mode[c].takes = s->mode[c].struck;
  sal_contact_rows_pose(s, false, p);
  for (int k = 0; k < p->m; ++k) {
    const sal_contact_mode *of = &s->mode[p->of[k]];
    const sal_contact_terms *t = &s->terms[p->of[k]];
    p->binds[2 * k] = true;
    p->binds[2 * k + 1] = p->mu[k] > 0 && of->slid == 0;
    if (of->bounces) p->u[2 * k] *= 1 + t->restitution;
    if (p->mu[k] > 0) p->mu[k] = t->mu;
    p->sense[k] = of->slid;
  }
  sal_contact_rows_bind(p);
  sal_contact_rows_respond(p, s->v);
}

bool sal_contact_near(sal_contact_motion *s, sal_contact_evaluate *evaluate, void *of)
{
  sal_contact_rows p = sal_contact_rows_open(s);

  for (int c = 0; c < s->m; ++c) s->mode[c].takes = s->mode[c].lies;
  if (!sal_contact_rows_land(s, &p) || !evaluate(of, s) || !sal_contact_rows_fall(s, &p))
    return false;
  strike(s, &p);
  for (int c = 0; c < s->m; ++c) s->mode[c].gain = 0;
  sal_contact_rows_steady(s, &p);
  return true;
}
