/** Two runs and their difference, at the point and in cells of the map. */
#include "check_run.h"
#include "base.h"
#include "scalar_math.h"
#include "scramble.h"
#include "tile_run.h"
#include "watched.h"

static const double decade = 10;

/** A run on the mesh of a sweep. */
typedef struct {
  double *state; /* [n_mesh + 1][n_state] */
  sal_record record;
} mesh_run;

static sal_err run_config(const sal_sweep *s, int config, double rtol, double budget,
                          const double param[], const double initial[], mesh_run *out)
{
  sal_setup setup = sal_tile_setup(s, config);
  const int n = s->model->n_state;

  setup.rtol = setup.atol = rtol;
  setup.n_guard = sal_model_guards(s->model, param);
  SAL_OWN void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);
  out->state = sal_alloc((size_t)(s->n_mesh + 1), (size_t)n * sizeof *out->state);
  if (!work || !out->state) return sal_fail(SAL_ERR_MEMORY, "no memory for a run");
  sal_samples samples = {.n_mesh = s->n_mesh, .state = out->state};
  const sal_job job = {.param = param, .initial = initial, .samples = &samples, .budget = budget};
  sal_integrate(&setup, 1, 1, &job, &out->record, work);
  return SAL_OK;
}

/* ---- how far two runs are from each other, by what lies between them on the mesh; as kernels/observe.c has it of a run and its
 *  reference ---- */

static double largest(const sal_sweep *s, const double apart[])
{
  double most = 0;

  for (int64_t j = 0; j <= s->n_mesh; ++j)
    if (!(apart[j] <= most)) most = apart[j];
  return most;
}

static double integral(const sal_sweep *s, const double apart[])
{
  double sum = (apart[0] + apart[s->n_mesh]) / 2;

  for (int64_t j = 1; j < s->n_mesh; ++j) sum += apart[j];
  return s->t_end / (double)s->n_mesh * sum;
}

static double at_end(const sal_sweep *s, const double apart[]) { return apart[s->n_mesh]; }

static const struct measure {
  int error; /* metric of sal_error_metric */
  double (*of)(const sal_sweep *s, const double apart[]);
} measures[] = {
    {SAL_METRIC_MAX_ERROR, largest}, {SAL_METRIC_IAE, integral}, {SAL_METRIC_END_ERROR, at_end}};

/* NaN where a run has no end. */
static sal_err difference_of(const sal_sweep *s, const sal_error_metric *by, const mesh_run run[2],
                             double *difference)
{
  const int n = s->model->n_state;

  *difference = NAN;
  for (int i = 0; i < 2; ++i)
    if (!sal_metric_finished((int)run[i].record.value[SAL_METRIC_OUTCOME])) return SAL_OK;
  SAL_OWN double *apart = sal_alloc((size_t)(s->n_mesh + 1), sizeof *apart);
  if (!apart) return sal_fail(SAL_ERR_MEMORY, "no memory for a run");
  for (int64_t j = 0; j <= s->n_mesh; ++j)
    apart[j] = sal_model_apart(s->model, run[0].state + j * n, run[1].state + j * n);
  for (size_t i = 0; i < sizeof measures / sizeof *measures; ++i)
    if (measures[i].error == by->error) *difference = measures[i].of(s, apart);
  return SAL_OK;
}

/* value: of the attempt.  A run without an end misses; one that is compared with such a run is not known to. */
static sal_check_verdict judge(const double value[], double difference, double error)
{
  if (!sal_metric_finished((int)value[SAL_METRIC_OUTCOME])) return SAL_CHECK_MISS;
  if (isnan(difference)) return SAL_CHECK_UNKNOWN;
  return difference <= error ? SAL_CHECK_HIT : SAL_CHECK_MISS;
}

/* As the table of the cube has it: in evaluations of f, or as a time. */
static double work_of(const sal_advice *a, int pair, const sal_record *r)
{
  return sal_step_cost_work(&a->source.weights, a->source.by,
                            sal_config_decode(&a->cube.sweep, pair), r);
}

sal_surrogate_choice sal_check_tenth(sal_surrogate_choice c)
{
  c.tolerance = fmax(c.tolerance / decade, SAL_CHECK_TIGHTEST);
  c.probability = c.error = c.work = c.total = NAN;
  return c;
}

/* Chooses the run beside the first attempt. */
static sal_surrogate_choice choose_beside(const sal_surrogate_answer *a, bool next)
{
  return next && a->n_attempt > 1 ? a->attempts[1] : sal_check_tenth(a->best);
}

/** Runs at the point; free_point frees. */
typedef struct {
  const sal_advice *advice;
  const sal_sweep *s; /* of the last run: that of runs made now, or `own` */
  sal_sweep own;      /* the cube's with the point and the configuration put in */
  sal_surrogate_answer *room;
  mesh_run run[2];
} point_runs;

static void free_point(point_runs *p)
{
  sal_sweep_free(&p->own);
  sal_free_all(p->room, p->run[0].state, p->run[1].state);
}

/* Fills in run i of p and of the check; most: its work, 0: that of any run. */
static sal_err run_choice(point_runs *p, int i, double most, sal_check *out)
{
  static const sal_surrogate_choice none = {.pair = -1};
  const sal_advice *a = p->advice;
  const sal_surrogate_choice *choice = i ? &out->beside : &out->tried;
  const int n_param = a->cube.sweep.model->n_param + a->cube.sweep.model->n_option;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  int config = choice->pair;

  p->s = &a->cube.sweep;
  memcpy(param, a->value, (size_t)n_param * sizeof *param);
  memcpy(initial, a->value + n_param, (size_t)p->s->model->n_state * sizeof *initial);
  if (a->cube.sweep.results) {
    sal_sweep_free(&p->own);
    SAL_TRY(sal_recommend_sweep(a, choice, &none, &p->own));
    p->s = &p->own;
    config = sal_recommend_config(a, p->s, choice);
    sal_sweep_cell(p->s, 0, param, initial); /* states of its own counts of members */
  }
  const double budget = p->s->budget.work > 0 ? p->s->budget.work : SAL_RECOMMEND_BUDGET;
  sal_free(p->run[i].state);
  p->run[i].state = NULL;
  SAL_TRY(run_config(p->s, config, choice->tolerance, most > 0 ? most : budget, param, initial,
                     &p->run[i]));
  out->work[i] += work_of(a, choice->pair, &p->run[i].record);
  out->outcome[i] = (int)p->run[i].record.value[SAL_METRIC_OUTCOME];
  out->reached[i] = p->run[i].record.value[SAL_METRIC_T_REACHED];
  return SAL_OK;
}

/* A difference shows the error of a run where the other run errs by less than a third of it, with this probability.  The first one
 * errs by less than a fifth of what is expected, as the run may err by less than that. */
static const double third = 3, fifth = 5, trusted = 0.9;

/* Puts the run of least work that errs that little, as the cells around the point predict, beside the attempt.  False: there is none,
 * or the run there is one. */
static bool choose_surer(point_runs *p, sal_check *c)
{
  sal_surrogate *surrogate = p->advice->surrogate;
  const sal_surrogate_choice *best = &p->room->best;
  const sal_surrogate_question q = {.error = fmin(c->difference / third, c->tried.error / fifth),
                                    .probability = trusted,
                                    .method = p->advice->question.method,
                                    .strategy = p->advice->question.strategy};

  if (!(q.error > 0)) return false;
  sal_surrogate_ask_again(surrogate, &q, p->room);
  const double sure =
      sal_surrogate_candidate(surrogate, c->beside.pair, c->beside.tolerance).probability;
  const bool same = best->pair == c->tried.pair && best->tolerance >= c->tried.tolerance;
  if (best->pair < 0 || best->probability < trusted || same) return false;
  if (c->n_beside > 0 && sure >= trusted) return false;
  c->beside = *best;
  return true;
}

static sal_err run_beside(point_runs *p, sal_check *c)
{
  SAL_TRY(run_choice(p, 1, 0, c));
  ++c->n_beside;
  return difference_of(p->s, p->advice->source.by, p->run, &c->difference);
}

/* A further run that has no end, or no time, changes nothing. */
static sal_err make_sure(point_runs *p, sal_check *out)
{
  sal_check next = *out;

  while (next.n_beside < SAL_CHECK_BESIDE && choose_surer(p, &next)) {
    SAL_TRY(run_beside(p, &next));
    if (isnan(next.difference)) break;
    *out = next;
  }
  return SAL_OK;
}

sal_err sal_check_both(const sal_advice *a, const sal_surrogate_choice *tried,
                       const sal_surrogate_choice *beside, double most, bool sure, sal_check *out)
{
  SAL_OWN_BY(free_point) point_runs p = {.advice = a};

  *out = (sal_check){.tried = *tried, .beside = *beside, .difference = NAN};
  if (sure && !(p.room = sal_alloc(1, sizeof *p.room)))
    return sal_fail(SAL_ERR_MEMORY, "no memory for a check");
  if (sure) choose_surer(&p, out);
  SAL_TRY(run_choice(&p, 0, most, out));
  SAL_TRY(run_beside(&p, out));
  if (sure) SAL_TRY(make_sure(&p, out));
  out->verdict = judge(p.run[0].record.value, out->difference, a->question.error);
  return SAL_OK;
}

const char *sal_check_outcome(int outcome)
{
  return outcome == SAL_OUT_HALTED ? "halted" : sal_metric_outcomes[outcome].label;
}

bool sal_check_is_halted(const sal_check *c)
{
  return c->outcome[0] == SAL_OUT_HALTED || c->outcome[1] == SAL_OUT_HALTED;
}

sal_err sal_check_at(const sal_advice *a, bool next, sal_check *out)
{
  const sal_surrogate_choice beside = choose_beside(a->answer, next);

  return sal_check_both(a, &a->answer->best, &beside, a->budget, false, out);
}

/* The configuration of the cube that is nearest to a choice. */
static int config_of(const sal_sweep *s, const sal_surrogate_choice *c)
{
  sal_config at = sal_config_decode(s, c->pair);

  at.tolerance = 0;
  for (int t = 1; t < s->n_tolerance; ++t)
    if (fabs(sal_scalar_log(s->tolerance[t] / c->tolerance)) <
        fabs(sal_scalar_log(s->tolerance[at.tolerance] / c->tolerance)))
      at.tolerance = t;
  return sal_config_encode(s, at);
}

static void count_verdict(sal_check_rates *r, bool hit, sal_check_verdict verdict)
{
  if (hit) {
    ++r->hits;
    r->false_alarms += verdict == SAL_CHECK_MISS;
  } else {
    ++r->misses;
    r->unseen += verdict == SAL_CHECK_HIT;
  }
}

/* Runs what would answer in a cell, at the cube's own tolerances. */
static sal_err check_cell(sal_advice *a, bool next, int64_t cell, sal_surrogate_answer *answer,
                          const sal_performance_table *row, sal_check_rates *rates)
{
  const sal_sweep *s = &a->cube.sweep;
  const int n_param = s->model->n_param + s->model->n_option;
  const sal_surrogate_question q = {.error = a->question.error,
                                    .probability = a->probability,
                                    .method = a->question.method,
                                    .strategy = a->question.strategy};
  double value[SAL_MAX_QUANTITY], param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  SAL_OWN_BY(free_point) point_runs p = {.advice = a};
  double difference;
  sal_sweep room;

  sal_sweep_cell(s, cell, value, value + n_param);
  SAL_TRY(sal_surrogate_ask(a->surrogate, value, &q, answer));
  if (answer->best.pair < 0) return SAL_OK;
  const sal_surrogate_choice beside = choose_beside(answer, next);
  const int k[] = {config_of(s, &answer->best), config_of(s, &beside)};
  /* the last tolerance; no end, or stopped at a cutoff */
  if (k[0] == k[1] || !isfinite(row->error[k[0]]) || isnan(row->work[k[0]])) return SAL_OK;
  const sal_sweep *at = sal_variants_at(s, cell, &room);
  sal_sweep_cell(at, cell, param, initial);
  for (int i = 0; i < 2; ++i)
    SAL_TRY(run_config(at, k[i], sal_config_tolerance(s, k[i]), s->budget.work, param, initial,
                       &p.run[i]));
  SAL_TRY(difference_of(at, a->source.by, p.run, &difference));
  count_verdict(rates, row->error[k[0]] <= a->question.error,
                judge(p.run[0].record.value, difference, a->question.error));
  return SAL_OK;
}

sal_err sal_check_map(sal_advice *a, bool next, int64_t cells, sal_check_rates *rates)
{
  SAL_OWN_BY(sal_performance_free) sal_performance_table row = {0};
  SAL_OWN sal_surrogate_answer *answer = sal_alloc(1, sizeof *answer);
  const int64_t n = a->cube.sweep.n_cell;

  *rates = (sal_check_rates){0};
  if (!answer) return sal_fail(SAL_ERR_MEMORY, "no memory for an answer");
  SAL_TRY(sal_performance_create(a->source.sweep, 1, a->source.by, &a->source.weights, false, false,
                                 &row));
  for (int64_t i = 0; i < cells && i < n; ++i) {
    const int64_t cell = cells < n ? (int64_t)(sal_scramble((uint64_t)i) % (uint64_t)n) : i;
    SAL_TRY(a->source.read(a->source.with, 1, &cell, &row));
    SAL_TRY(check_cell(a, next, cell, answer, &row, rates));
  }
  return SAL_OK;
}
