/** Questions asked of the surrogate; points by planes through points. */
#include "surrogate.h"
#include "answer.h"
#include "base.h"
#include "config.h"
#include "scalar_math.h"
#include "surrogate_view.h"

/* p_tot of (36); a criterion without weight does not matter, also when it is missing. */
static double points_of(const sal_performance_table *t, int64_t at, const sal_weights *w)
{
  if (!isfinite(t->error[at]) || !(t->work[at] > 0)) return NAN;
  return (w->sd > 0 ? w->sd * t->sd[at] : 0) + (w->dt > 0 ? w->dt * t->dt[at] : 0) +
         (w->iae > 0 ? w->iae * t->iae[at] : 0);
}

/* Expected points, work and error of configuration k; false where it has too few cells with points. */
static bool expect_points(sal_local_plane *p, const sal_performance_table *t, int k,
                          const sal_weights *weights, bool missing[], sal_surrogate_points *out)
{
  double work = 0, error = 0;
  bool gaps = false;

  for (int i = 0; i < p->n; ++i) {
    missing[i] = isnan(points_of(t, (int64_t)i * t->n_config + k, weights));
    gaps = gaps || missing[i];
  }
  if (gaps && !sal_local_plane_without(p, missing)) return false;
  const double *b = gaps ? p->own : p->b;
  out->points = 0;
  for (int i = 0; i < p->n; ++i) {
    const int64_t at = (int64_t)i * t->n_config + k;
    if (missing[i]) continue;
    out->points += b[i] * points_of(t, at, weights);
    work += b[i] * sal_scalar_log(t->work[at]);
    error += b[i] * sal_scalar_log(fmax(t->error[at], 1e-16));
  }
  out->work = sal_scalar_exp(work);
  out->error = sal_scalar_exp(error);
  return true;
}

static bool is_better(const sal_surrogate_points *a, const sal_surrogate_points *b)
{
  return a->points != b->points ? a->points > b->points : a->work < b->work;
}

static void rank_points(sal_local_plane *p, const sal_performance_table *t, const sal_question *q,
                        bool missing[], int *n, sal_surrogate_points out[])
{
  const int pairs = sal_config_pairs(t->sweep);

  for (int pair = 0; pair < pairs; ++pair) {
    const sal_config c = sal_config_decode(t->sweep, pair);
    sal_surrogate_points own = {.pair = pair};
    if ((q->method && !q->method[c.method]) || (q->strategy && !q->strategy[c.strategy]) ||
        !expect_points(p, t, q->tolerance * pairs + pair, &q->weights, missing, &own))
      continue;
    int i = (*n)++;
    for (; i > 0 && is_better(&own, &out[i - 1]); --i) out[i] = out[i - 1];
    out[i] = own;
  }
}

/* Ranks the pairs that a question by points allows, at the cells of a plane; out [pairs]. */
static sal_err points_at(sal_local_plane *p, const sal_nearest *list,
                         const sal_performance_source *scored, const sal_question *q, int *n,
                         sal_surrogate_points out[])
{
  SAL_OWN int64_t *cell = sal_alloc((size_t)p->n, sizeof *cell);
  SAL_OWN bool *missing = sal_alloc((size_t)p->n, sizeof *missing);
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};

  if (!cell || !missing) return sal_fail(SAL_ERR_MEMORY, "no memory for points");
  SAL_TRY(sal_performance_create(scored->sweep, p->n, scored->by, &scored->weights, true, false,
                                 &rows));
  for (int i = 0; i < p->n; ++i) cell[i] = list->at[i].cell;
  SAL_TRY(scored->read(scored->with, p->n, cell, &rows));
  *n = 0;
  rank_points(p, &rows, q, missing, n, out);
  return SAL_OK;
}

static const double safe = 0.99, half = 0.5;

static sal_err take_fit(sal_surrogate *r, const sal_surrogate_fit *fit)
{
  r->fit = sal_alloc(1, sizeof *r->fit);
  if (!r->fit) return sal_fail(SAL_ERR_MEMORY, "no memory for a surrogate");
  if (!fit) {
    SAL_TRY(sal_surrogate_view_share(r, r->source.threads, r->source.loop));
    return sal_surrogate_fit_make(r, r->fit);
  }
  if (fit->metric.n != r->coordinates.n)
    return sal_fail(SAL_ERR_INPUT, "the surrogate's fit has %d coordinates, and the sweep %d",
                    fit->metric.n, r->coordinates.n);
  *r->fit = *fit;
  sal_surrogate_totals_between(&r->totals, &r->fit->between);
  return SAL_OK;
}

sal_err sal_surrogate_open(const sal_performance_source *source, const sal_surrogate_fit *fit,
                           sal_surrogate **out)
{
  sal_surrogate *r = *out = sal_alloc(1, sizeof *r);

  if (!r) return sal_fail(SAL_ERR_MEMORY, "no memory for a surrogate");
  sal_err err = sal_surrogate_view_create(source, r);
  if (err == SAL_OK) err = take_fit(r, fit);
  if (err != SAL_OK) sal_surrogate_close(out);
  return err;
}

void sal_surrogate_close(sal_surrogate **out)
{
  if (*out) sal_surrogate_view_free(*out);
  sal_free(*out);
  *out = NULL;
}

const sal_surrogate_fit *sal_surrogate_fit_of(const sal_surrogate *r) { return r->fit; }

/* Weight of the cells whose reference does not reach the error, as a share; *reason: of no answer there. */
static double unverified_share(const sal_surrogate_view *v, double error, sal_reason *reason)
{
  double sum = 0, captured = 0;

  for (int k = 0; k < v->list[v->here].n_near; ++k) {
    const double known =
        sal_surrogate_rows_of(v->rows, v->list[v->here].at[k].cell).reference_error;
    if (!(known <= error)) sum += v->plane.w[k];
    if (isnan(known)) captured += v->plane.w[k];
  }
  const double share = sum / v->plane.sum_w;
  *reason = captured > half * v->plane.sum_w ? SAL_REASON_CAPTURED
            : share >= half                  ? SAL_REASON_NO_REFERENCE
                                             : SAL_REASON_NO_CONFIG;
  return share;
}

enum { RANKED = SAL_MAX_LIST * SAL_MAX_LIST + 1 };

/* The best of each pair, in order of the total, or of the work where a probability is asked for, which takes the total's place;
 * step -1 after the last. */
static int rank_pairs(const sal_surrogate_view *v, double probability, sal_surrogate_pick out[])
{
  const sal_surrogate_totals *t = &v->totals;
  int n = 0;

  for (int pair = 0; pair < t->n_pair; ++pair) {
    sal_surrogate_pick own = isnan(probability) ? sal_schedule_least(&v->schedule, t, pair)
                                                : sal_surrogate_totals_sure(t, pair, probability);
    if (own.step < 0) continue;
    if (!isnan(probability)) own.total = t->work[pair * t->steps->n + own.step];
    int i = n++;
    for (; i > 0 && own.total < out[i - 1].total; --i) out[i] = out[i - 1];
    out[i] = own;
  }
  out[n] = (sal_surrogate_pick){.step = -1};
  return n;
}

/* The first of ranked pairs, of which there is one at least, beside the next one, and the next one of another method. */
static sal_answer compare_first(sal_surrogate_view *v, double error,
                                const sal_surrogate_pick rank[], bool both)
{
  const int m = v->totals.sweep->n_method;
  const sal_surrogate_choice first = sal_schedule_choice(&v->schedule, &v->totals, rank[0]);
  sal_answer a = sal_answer_of_choice(&first);
  int other = 1;

  while (rank[other].step >= 0 && rank[other].pair % m == rank[0].pair % m) ++other;
  sal_confidence_compare(v, sal_scalar_log(error),
                         (sal_surrogate_pick[]){rank[0], rank[1], rank[other]}, both, &a);
  return a;
}

/* Probabilities of the place at hand. */
static void find_probabilities(sal_surrogate_view *v, double error)
{
  sal_surrogate_totals_error(&v->totals, &v->fit->shape, sal_scalar_log(error),
                             sal_surrogate_fit_width(v->fit, v->source.by->preset, error));
}

static void ask_error(sal_surrogate_view *v, double error)
{
  find_probabilities(v, error);
  sal_schedule_of_totals(&v->schedule, &v->totals);
}

void sal_surrogate_ask_again(sal_surrogate *r, const sal_surrogate_question *q,
                             sal_surrogate_answer *a)
{
  sal_surrogate_totals *t = &r->totals;
  const sal_surrogate_choice none =
      sal_surrogate_totals_choice(t, (sal_surrogate_pick){.step = -1});
  sal_surrogate_pick rank[RANKED];

  sal_surrogate_totals_place(t, &r->forecast, q->method, q->strategy);
  ask_error(r, q->error);
  a->n_cell = r->list[r->here].n_near;
  a->unverified = unverified_share(r, q->error, &a->reason);
  a->likely = sal_schedule_choice(&r->schedule, t, sal_surrogate_totals_likely(t));
  a->safe = sal_schedule_choice(&r->schedule, t, sal_surrogate_totals_surest(t, safe));
  a->repeated = sal_surrogate_totals_choice(t, sal_surrogate_totals_best(t));
  a->n_pair = rank_pairs(r, q->probability, rank);
  for (int i = 0; i < a->n_pair; ++i) a->pair[i] = sal_schedule_choice(&r->schedule, t, rank[i]);
  if (a->n_pair == 0 || sal_surrogate_totals_unanswered(t)) {
    a->best = a->repeated = none;
    a->n_pair = a->n_attempt = 0;
    return;
  }
  a->best = a->pair[0];
  a->n_attempt = sal_schedule_list(&r->schedule, t, &a->best, a->attempts);
  a->fallback = t->fallback;
  a->first = compare_first(r, q->error, rank, true);
  a->reason = a->first.reason;
}

sal_err sal_surrogate_ask(sal_surrogate *r, const double value[], const sal_surrogate_question *q,
                          sal_surrogate_answer *a)
{
  SAL_TRY(sal_surrogate_place_of_point(&r->coordinates, value, &r->place[0], &a->outside));
  SAL_TRY(sal_surrogate_view_find(r, 1, &r->fit->metric, sal_surrogate_neighbours(&r->coordinates),
                                  NULL));
  SAL_TRY(sal_surrogate_view_fit(r, 0, &r->fit->metric, true));
  sal_surrogate_ask_again(r, q, a);
  return SAL_OK;
}

sal_surrogate_choice sal_surrogate_candidate(const sal_surrogate *r, int pair, double tolerance)
{
  const sal_surrogate_steps *l = &r->steps;
  sal_surrogate_pick pick = {.pair = pair};

  for (int i = 1; i < l->n_candidate; ++i)
    if (fabs(sal_scalar_log(l->at[i].tolerance / tolerance)) <
        fabs(sal_scalar_log(l->at[pick.step].tolerance / tolerance)))
      pick.step = i;
  if (isnan(r->totals.work[pair * l->n + pick.step])) pick.step = -1;
  return sal_schedule_choice(&r->schedule, &r->totals, pick);
}

const sal_surrogate_coordinates *sal_surrogate_coordinates_of(const sal_surrogate *r)
{
  return &r->coordinates;
}

sal_surrogate_near sal_surrogate_near_of(const sal_surrogate *r, int i)
{
  const sal_local_plane *p = &r->plane;

  return (sal_surrogate_near){r->list[r->here].at[i].cell, p->w[i], p->b[i]};
}

sal_err sal_surrogate_ask_points(sal_surrogate *r, const double value[],
                                 const sal_performance_source *scored, const sal_question *q,
                                 int *n, sal_surrogate_points out[])
{
  sal_surrogate_outside outside;

  SAL_TRY(sal_surrogate_place_of_point(&r->coordinates, value, &r->place[0], &outside));
  SAL_TRY(sal_surrogate_view_find(r, 1, &r->fit->metric, sal_surrogate_neighbours(&r->coordinates),
                                  NULL));
  SAL_TRY(sal_local_plane_make(&r->plane, &r->coordinates, &r->place[0], &r->fit->metric,
                               &r->list[0], r->reach[0]));
  return points_at(&r->plane, &r->list[0], scored, q, n, out);
}

/* both: as in sal_confidence_compare. */
static sal_answer answer_error(sal_surrogate_view *v, double error, bool both)
{
  sal_answer a = sal_answer_of_choice(&(sal_surrogate_choice){-1, NAN, NAN, NAN, NAN, NAN});
  sal_surrogate_pick rank[RANKED];

  if (sal_surrogate_totals_unanswered(&v->totals) || rank_pairs(v, NAN, rank) == 0) {
    (void)unverified_share(v, error, &a.reason);
    return a;
  }
  return compare_first(v, error, rank, both);
}

sal_err sal_surrogate_expect(sal_surrogate *r, int64_t count)
{
  if (count * sal_surrogate_neighbours(&r->coordinates) < r->source.n_cell ||
      !sal_neighbours_scattered(r->neighbours))
    return SAL_OK;
  return sal_surrogate_rows_fetch_all(r->rows);
}

sal_err sal_surrogate_each(sal_surrogate *r, int64_t n, double (*const value)[SAL_MAX_QUANTITY],
                           sal_surrogate_at *at, void *with)
{
  return sal_surrogate_view_visit(r, n, &(sal_surrogate_visit){NULL, value, at, with});
}

/* Answers to errors [n_error] of which methods and strategies may give, at places [][n_error]. */
typedef struct {
  int n_error;
  const double *error;
  const bool *method, *strategy;
  bool both;
  sal_answer *answer;
} answering;

static void answer_place(void *with, sal_surrogate_view *v, int64_t number)
{
  const answering *a = with;

  sal_surrogate_totals_place(&v->totals, &v->forecast, a->method, a->strategy);
  for (int e = 0; e < a->n_error; ++e) {
    ask_error(v, a->error[e]);
    a->answer[number * a->n_error + e] = answer_error(v, a->error[e], a->both);
  }
}

sal_err sal_surrogate_map(sal_surrogate *r, const sal_map *map, int64_t count, const int64_t cell[],
                          sal_answer answer[])
{
  answering with = {map->n_error, map->error, map->method, map->strategy, false, answer};

  return sal_surrogate_view_visit(r, count,
                                  &(sal_surrogate_visit){cell, NULL, answer_place, &with});
}

sal_err sal_surrogate_spots(sal_surrogate *r, int64_t n, double (*const value)[SAL_MAX_QUANTITY],
                            const sal_surrogate_question *q, sal_answer answer[])
{
  answering with = {1, &q->error, q->method, q->strategy, true, answer};

  return sal_surrogate_each(r, n, value, answer_place, &with);
}

typedef struct {
  const sal_surrogate_question *question;
  int n;
  int64_t all; /* points */
  double *total, *probability;
} totalling;

/* total, probability [n_config]. */
static void total_error(sal_surrogate_view *v, double error, double total[], double probability[])
{
  find_probabilities(v, error);
  sal_surrogate_totals_levels(&v->totals, total, probability);
  if (!sal_surrogate_totals_unanswered(&v->totals)) return;
  for (int k = 0; k < v->source.n_config; ++k) total[k] = probability[k] = NAN;
}

static void total_point(void *with, sal_surrogate_view *v, int64_t number)
{
  const totalling *a = with;

  sal_surrogate_totals_place(&v->totals, &v->forecast, a->question->method, a->question->strategy);
  for (int e = 0; e < a->n; ++e) {
    const int64_t at = (e * a->all + number) * v->source.n_config;
    total_error(v, a->question[e].error, a->total + at, a->probability + at);
  }
}

sal_err sal_surrogate_configs(sal_surrogate *r, int n, const sal_surrogate_question question[],
                              int64_t count, double (*const value)[SAL_MAX_QUANTITY], int64_t all,
                              double total[], double probability[])
{
  return sal_surrogate_each(r, count, value, total_point,
                            &(totalling){question, n, all, total, probability});
}
