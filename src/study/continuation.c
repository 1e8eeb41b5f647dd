/** The walk along a branch: step sizes, both ways, ends. */
#include "base.h"
#include "scalar_math.h"
#include "stop.h"
#include "walk.h"
#include <lapacke.h>

/* Steps grow where Newton's method takes few iterations and the branch is nearly straight, and are
 * repeated smaller where it turns by more than the largest angle, whose cosine this is. */
static const double grow = 1.5, shrink = 0.5, least_cosine = 0.9, straight = 0.99;
enum { FEW = 4, MANY = 7 };

typedef struct {
  const sal_continuation *c;
  sal_walk walk;
  sal_walk_point a, b, start;
  sal_special_points found;
  sal_branch *branch;
  bool closed;                /* the branch came back to the start */
  double beyond;              /* transversality where the last step failed, if other events came */
  char flaw[SAL_CURVE_WORDS]; /* why it failed */
} traveller;

static sal_err create(traveller *v)
{
  SAL_TRY(sal_walk_create(&v->c->walk, sal_special_point_test, &v->walk));
  SAL_TRY(sal_walk_point_create(&v->walk, &v->a));
  SAL_TRY(sal_walk_point_create(&v->walk, &v->b));
  SAL_TRY(sal_walk_point_create(&v->walk, &v->start));
  return sal_special_point_create(&v->walk, &v->found);
}

static void drop(traveller *v)
{
  sal_special_point_free(&v->found);
  sal_walk_point_free(&v->start);
  sal_walk_point_free(&v->b);
  sal_walk_point_free(&v->a);
  sal_walk_free(&v->walk);
}

static sal_err add(traveller *v, sal_walk_point *p)
{
  SAL_TRY(sal_walk_complete(&v->walk, p));
  SAL_TRY(sal_branch_add(v->branch, &p->point, p->row));
  if (v->c->report) v->c->report(v->c->listener, &p->point, v->branch->n);
  return SAL_OK;
}

static sal_err try_step(traveller *v, double ds, bool *made)
{
  sal_walk_point *a = &v->a, *b = &v->b;
  const int n = v->walk.curve.n;

  for (int j = 0; j < n; ++j) b->z[j] = a->z[j] + ds * a->t[j];
  SAL_TRY(sal_walk_correct(&v->walk, a->t, ds, b, made));
  b->point.arc = a->point.arc + ds;
  if (*made && sal_curve_dot(&v->walk.curve, a->t, b->t) < least_cosine) {
    snprintf(v->walk.report.flaw, sizeof v->walk.report.flaw, "the branch turns too sharply");
    *made = false;
  }
  if (*made) return SAL_OK;
  const sal_family_value *there = &v->walk.system.value[0];
  v->beyond = there->flaw[0] || there->sequence == a->sequence ? INFINITY : there->transversality;
  memcpy(v->flaw, v->walk.report.flaw, sizeof v->flaw);
  return SAL_OK;
}

/* Goes on by ever smaller steps, so that the place where the branch ends is known to all digits. */
static sal_err creep(traveller *v)
{
  double ds = v->c->walk.ds_min;
  bool made;

  while (ds > 1e-12) {
    SAL_TRY(try_step(v, ds, &made));
    if (made) sal_walk_point_copy(&v->walk, &v->b, &v->a);
    ds *= shrink;
  }
  return SAL_OK;
}

/* The next point after v->a in v->b.  *made is false where even the least step fails. */
static sal_err step(traveller *v, double *ds, bool *made)
{
  const sal_walk_setup *s = &v->c->walk;

  for (;;) {
    SAL_TRY(try_step(v, *ds, made));
    if (*made || *ds <= s->ds_min) break;
    *ds = fmax(*ds * shrink, s->ds_min);
  }
  if (!*made) return SAL_OK;
  const double cosine = sal_curve_dot(&v->walk.curve, v->a.t, v->b.t);
  if (v->walk.report.iterations <= FEW && cosine > straight) *ds = fmin(*ds * grow, s->ds_max);
  if (v->walk.report.iterations >= MANY) *ds = fmax(*ds * shrink, s->ds_min);
  return SAL_OK;
}

/* Type of the last point of a branch.  At a grazing orbit, be it that an event of it loses its
 * rate, or that another one begins to come without, the map's derivative is infinite, and an orbit with a phase of no length is invalid, so that a branch ends at both in one of Newton's
 * failures. */
static sal_err border_of(traveller *v, sal_branch_type *out)
{
  const sal_branch_layout *l = &v->c->walk.family->layout;
  const double *phase = v->a.row + l->phase;
  double shortest = v->a.point.period;

  for (int k = 0; k < SAL_BRANCH_PHASES && k <= v->a.point.n_event; ++k)
    if (phase[k] > 0) shortest = fmin(shortest, phase[k]);
  bool grazes = false;
  if (v->c->muted) SAL_TRY(sal_leave_find_grazing(v->c->muted, &v->c->walk, &v->a, &grazes));
  const double least = fmin(v->a.point.transversality, v->beyond);
  *out = grazes                                ? SAL_BRANCH_GRAZING
         : shortest < 1e-2 * v->a.point.period ? SAL_BRANCH_SHORT
         : least < 1e-3 * v->walk.transversal  ? SAL_BRANCH_GRAZING
                                               : SAL_BRANCH_FAILED;
  return SAL_OK;
}

/* The last point there is, and why it is the last one. */
static sal_err end_early(traveller *v, int end)
{
  static const char *const also[SAL_N_BRANCH_TYPE] = {
      [SAL_BRANCH_SHORT] = "; a phase shrinks to nothing",
      [SAL_BRANCH_GRAZING] = "; a surface is met ever more tangentially"};
  sal_branch_type border;
  SAL_TRY(border_of(v, &border));
  char *const words = v->branch->words[end];

  snprintf(words, SAL_BRANCH_WORDS, "%.190s%s", v->flaw, also[border] ? also[border] : "");
  if (also[border]) {
    v->a.point.type = border;
    SAL_TRY(add(v, &v->a));
  }
  v->a.point.type = SAL_BRANCH_FAILED;
  v->a.point.words = words;
  return add(v, &v->a);
}

static sal_err add_found(traveller *v)
{
  for (int i = 0; i < v->found.n; ++i) SAL_TRY(add(v, &v->found.point[i]));
  return SAL_OK;
}

/* A closed branch comes back to its start in the same direction. */
static bool is_closed(const traveller *v, int n)
{
  double d[SAL_MAX_STATE + SAL_BRANCH_PARAMS];
  const double step = v->b.point.arc - v->a.point.arc;

  for (int j = 0; j < v->walk.curve.n; ++j) d[j] = v->b.z[j] - v->start.z[j];
  const double far = sqrt(sal_curve_dot(&v->walk.curve, d, d));
  return n > 5 && far < step && sal_curve_dot(&v->walk.curve, v->b.t, v->start.t) > least_cosine &&
         sal_curve_dot(&v->walk.curve, d, v->b.t) >= 0;
}

static const char *const late = "the time is spent (--seconds)";

static sal_err end_plainly(traveller *v, sal_walk_point *p, const char *words)
{
  p->point.type = SAL_BRANCH_END;
  p->point.words = words;
  return add(v, p);
}

/* Is the branch next to its end at a grazing, where the map's derivative has no bound?  v->a becomes that end then. */
static sal_err is_next_to_grazing(traveller *v, bool *grazes)
{
  const sal_branch_layout *l = &v->c->walk.family->layout;
  const double steep = 1e4;

  *grazes = v->c->muted && sal_scalar_hypot(v->b.row[l->re], v->b.row[l->im]) > steep;
  if (*grazes) SAL_TRY(sal_leave_find_grazing(v->c->muted, &v->c->walk, &v->a, grazes));
  if (*grazes) snprintf(v->flaw, sizeof v->flaw, "the map's derivative grows without bound");
  return SAL_OK;
}

static sal_err walk_on(traveller *v, int end)
{
  double ds = v->c->walk.ds;
  bool made, grazes = false;

  for (int n = 1;; ++n) {
    sal_walk_stand_at(&v->walk, &v->a);
    SAL_TRY(step(v, &ds, &made));
    if (!made) SAL_TRY(creep(v));
    if (made) SAL_TRY(is_next_to_grazing(v, &grazes));
    if (grazes) return end_early(v, end);
    if (made) SAL_TRY(sal_special_point_find(&v->walk, &v->a, &v->b, &v->found));
    if (sal_stop_late()) return end_plainly(v, &v->a, late);
    if (!made) return end_early(v, end);
    SAL_TRY(add_found(v));
    if (v->found.ends) return SAL_OK;
    v->closed = is_closed(v, n);
    if (v->closed) return end_plainly(v, &v->b, "the branch is closed");
    if (n == v->c->n_most) return end_plainly(v, &v->b, "the number of points that was asked for");
    SAL_TRY(add(v, &v->b));
    sal_walk_point_copy(&v->walk, &v->b, &v->a);
  }
}

static const sal_walk_setup *setup_of(const traveller *v) { return &v->c->walk; }

static sal_err no_orbit(const char *flaw)
{
  return sal_fail(SAL_ERR_INPUT, "no orbit at the start: %s", sal_stop_late() ? late : flaw);
}

/* The direction across which the start is looked for: at this parameter, or away from x. */
static void aim(const traveller *v, double direction[])
{
  const int n_unknown = v->walk.curve.n;

  memset(direction, 0, (size_t)n_unknown * sizeof *direction);
  if (v->c->direction)
    memcpy(direction, v->c->direction, (size_t)n_unknown * sizeof *direction);
  else
    direction[n_unknown - 1] = v->walk.scale[n_unknown - 1];
}

/* The sizes of the coordinates at the guess, by which lengths are measured. */
static sal_err look_around(traveller *v)
{
  sal_fixed_point *s = &v->walk.system;
  const sal_family *f = s->family;
  const sal_family_start start = {.x = v->start.z, .lambda = {s->lambda[0], s->lambda[1]}};

  SAL_TRY(f->evaluate(f->context, 1, &start, s->value));
  if (s->value[0].flaw[0]) return no_orbit(s->value[0].flaw);
  memcpy(v->walk.scale, s->value[0].size, (size_t)s->n * sizeof *v->walk.scale);
  return SAL_OK;
}

/* Tries points along c->direction, each farther by a part of ds: next to a grazing Newton's method may not converge. */
static sal_err find_start(traveller *v)
{
  enum { TRIES = 5 };
  const sal_continuation *c = v->c;
  double direction[SAL_MAX_STATE + SAL_BRANCH_PARAMS];
  sal_walk_point *p = &v->start;
  const int n = v->walk.system.n, n_unknown = v->walk.curve.n;
  bool made = false;

  for (int i = 0; i < (c->direction ? TRIES : 1) && !made && !sal_stop_late(); ++i) {
    const double ahead = c->ahead + 0.2 * i * setup_of(v)->ds;
    memcpy(p->z, c->x, (size_t)n * sizeof *p->z);
    memcpy(p->z + n, setup_of(v)->lambda, (size_t)(n_unknown - n) * sizeof *p->z);
    for (int j = 0; c->direction && j < n_unknown; ++j) p->z[j] += ahead * c->direction[j];
    SAL_TRY(look_around(v));
    aim(v, direction);
    SAL_TRY(
        sal_walk_correct(&v->walk, direction, c->direction ? setup_of(v)->ds : INFINITY, p, &made));
  }
  if (!made) return no_orbit(v->walk.report.flaw);
  p->point.label = 1;
  return SAL_OK;
}

/* Sets out from the start, up or down the first parameter; from where another branch ends away from it. */
static sal_err set_out(traveller *v, bool up, int end)
{
  const int n = v->walk.system.n;

  sal_walk_point_copy(&v->walk, &v->start, &v->a);
  const bool turns = !v->c->leaves && (v->a.t[n] > 0) != up;
  for (int j = 0; turns && j < v->walk.curve.n; ++j) v->a.t[j] = -v->a.t[j];
  if (turns) { /* tests that change their sign with the tangent's */
    sal_walk_point_copy(&v->walk, &v->a, &v->b);
    sal_walk_stand_at(&v->walk, &v->b);
    bool made;
    SAL_TRY(sal_walk_correct(&v->walk, v->b.t, INFINITY, &v->b, &made));
    if (!made) return no_orbit(v->walk.report.flaw);
    v->b.point.label = v->a.point.label;
    sal_walk_point_copy(&v->walk, &v->b, &v->a);
  }
  memcpy(v->start.t, v->a.t, sizeof v->a.t);
  return walk_on(v, end);
}

/* A first step may end at the start itself, which is then the end. */
static sal_err travel(traveller *v)
{
  const sal_continuation_way way = v->c->way;

  SAL_TRY(find_start(v));
  sal_walk_stand_at(&v->walk, &v->start);
  if (way != SAL_CONTINUATION_UP && !v->c->leaves) {
    SAL_TRY(set_out(v, false, 0));
    sal_branch_reverse(v->branch);
  }
  const int64_t n = v->branch->n;
  if (n == 0 || v->branch->point[n - 1].arc != 0) SAL_TRY(add(v, &v->start));
  if (v->closed || (way == SAL_CONTINUATION_DOWN && !v->c->leaves)) return SAL_OK;
  return set_out(v, true, 1);
}

/* Arclength grows along the branch, and is 0 at the start of the continuation. */
static void order_arcs(sal_branch *b, bool down_first)
{
  int64_t start = 0;

  for (int64_t i = 0; i < b->n; ++i)
    if (b->point[i].arc == 0) start = i;
  for (int64_t i = 0; down_first && i < start; ++i) b->point[i].arc = -b->point[i].arc;
}

sal_err sal_continuation_run(const sal_continuation *c, sal_branch *branch)
{
  SAL_OWN_BY(drop) traveller v = {.c = c, .branch = branch};

  sal_branch_init(branch, c->walk.family->layout);
  SAL_TRY(create(&v));
  SAL_TRY(travel(&v));
  order_arcs(branch, c->way != SAL_CONTINUATION_UP);
  sal_branch_number_labels(branch);
  return SAL_OK;
}
