/** Each piece is a return map of its own, from one surface to the next. */
#include "base.h"
#include "shooting.h"

enum { MOST_PIECES = 64 };

void sal_shooting_pieces_place(sal_shooting_problem *s, const double u[])
{
  for (int i = 0; i < s->n_piece; ++i) {
    sal_shooting_piece *p = &s->at[i];
    for (int j = 0; j < p->n; ++j) p->y[p->unknown[j]] = u[p->first + j] * p->size[j];
  }
}

bool sal_shooting_pieces_run(sal_shooting_problem *s, bool derivatives)
{
  for (int i = 0; i < s->n_piece && s->err == SAL_OK; ++i) {
    sal_shooting_piece *p = &s->at[i];
    sal_return r = {.param = s->param,
                    .start = p->y,
                    .closed = p->closed,
                    .end = p->end,
                    .end_closed = p->end_closed,
                    .dp = derivatives ? p->dp : NULL};
    s->err = sal_return_map_run(p->map, 1, &r);
    s->why = r.why;
    p->time = r.time;
    if (s->err != SAL_OK || r.why != SAL_RETURN_MADE) return false;
  }
  return s->err == SAL_OK;
}

static sal_err fail_no_memory(void)
{
  return sal_fail(SAL_ERR_MEMORY, "no memory for the pieces of an orbit");
}

void sal_shooting_pieces_free(sal_shooting_problem *s)
{
  for (int i = 0; s->at && i < s->n_piece; ++i) {
    sal_shooting_piece *p = &s->at[i];
    if (p->map) sal_return_map_free(p->map);
    sal_free_all(p->map, p->closed, p->end_closed, p->dp);
  }
  sal_free(s->at);
  s->at = NULL;
}

/* A piece from (y, closed), where `from` is the section, to `to`. */
static sal_err make_piece(sal_shooting_problem *s, int i, const sal_section *from,
                          const sal_section *to, int returns, const double y[], const bool closed[])
{
  const sal_return_map *whole = s->map;
  sal_return_setup setup = whole->setup;
  sal_shooting_piece *p = &s->at[i];

  p->map = sal_alloc(1, sizeof *p->map);
  p->closed = sal_alloc((size_t)whole->n_guard, sizeof *p->closed);
  p->end_closed = sal_alloc((size_t)whole->n_guard, sizeof *p->end_closed);
  SAL_OWN sal_model *begins = sal_alloc(1, sizeof *begins);
  if (!p->map || !p->closed || !p->end_closed || !begins) return fail_no_memory();
  *begins = whole->model;
  begins->section = *from;
  p->n = sal_return_map_unknowns(begins, false, p->unknown);
  setup.section = *to;
  setup.changed = from->period ? 0 : 1 + from->contact;
  setup.returns = returns;
  setup.width = 1;
  setup.every_state = true;
  SAL_TRY(sal_return_map_create(&setup, p->map));
  p->dp = sal_alloc((size_t)p->map->n_unknown * (size_t)p->map->n_unknown, sizeof *p->dp);
  if (!p->dp) return fail_no_memory();
  memcpy(p->y, y, (size_t)whole->model.n_state * sizeof *y);
  memcpy(p->closed, closed, (size_t)whole->n_guard * sizeof *closed);
  p->first = s->n;
  s->n += p->n;
  for (int j = 0; j < p->n; ++j) {
    const double least = 0.1 * sal_return_map_size(p->map, y, 0);
    p->size[j] = fmax(fabs(y[p->unknown[j]]), least);
  }
  return SAL_OK;
}

sal_err sal_shooting_pieces_whole(sal_shooting_problem *s, const sal_cycle *c)
{
  const sal_section *x = &s->map->model.section;

  s->n_piece = 1;
  s->at = sal_alloc(1, sizeof *s->at);
  if (!s->at) return fail_no_memory();
  return make_piece(s, 0, x, x, s->map->setup.returns, c->y, c->closed);
}

/* Why the return that the guess makes cannot be cut at its events; NULL: it can. */
static const char *uncut(const sal_return_map *map, const sal_return *guess, const sal_events *log)
{
  if (map->model.section.period) return "a driven orbit is not cut: its pieces would lose the time";
  if (guess->why != SAL_RETURN_MADE) return "the guess does not come back: there is nothing to cut";
  if (log->n < 2) return "the guess has no event to cut it at";
  if (log->n > MOST_PIECES) return "the guess has too many events";
  for (int64_t e = 1; e < log->n; ++e)
    if (log->event[e].t == log->event[e - 1].t) return "contacts change together on the way";
  return NULL;
}

static sal_err cut_at_events(sal_shooting_problem *s, const sal_cycle *c, const sal_events *log)
{
  sal_section section = s->map->model.section, next = section;

  s->n_piece = (int)log->n;
  s->at = sal_alloc((size_t)log->n, sizeof *s->at);
  if (!s->at) return fail_no_memory();
  for (int i = 0; i < s->n_piece; ++i) {
    const sal_event *before = i > 0 ? &log->event[i - 1] : NULL;
    next.contact = log->event[i].guard;
    next.closes = log->event[i].closes;
    SAL_TRY(make_piece(s, i, &section, &next, 1, before ? before->y : c->y,
                       before ? log->closed + (int64_t)(i - 1) * s->map->n_guard : c->closed));
    section = next;
  }
  return SAL_OK;
}

/* Cuts the return of the guess into its phases; *flaw: the reason if it cannot be cut. */
sal_err sal_shooting_pieces_phases(sal_shooting_problem *s, const sal_cycle *c, const char **flaw)
{
  const size_t g = (size_t)s->map->n_guard;
  double end[SAL_MAX_STATE];
  SAL_OWN void *event = sal_alloc(sal_events_bytes(MOST_PIECES, s->map->model.n_state), 1);
  SAL_OWN bool *closed = sal_alloc(MOST_PIECES * g, sizeof *closed);
  sal_events log = sal_events_of(event, MOST_PIECES, s->map->model.n_state);
  sal_return p = {
      .param = c->param, .start = c->y, .closed = c->closed, .end = end, .events = &log};

  if (!event || !closed) return fail_no_memory();
  log.closed = closed;
  SAL_TRY(sal_return_map_run(s->map, 1, &p));
  *flaw = uncut(s->map, &p, &log);
  return *flaw ? SAL_OK : cut_at_events(s, c, &log);
}
