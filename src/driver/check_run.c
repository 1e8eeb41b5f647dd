/** Two runs and their difference, at the point and in cells of the map. */
#include "ask.h"
#include "base.h"
#include "scalar_math.h"
#include "scramble.h"
#include "tile_run.h"
#include "watched.h"

static const double decade = 10, tightest = 1e-14;

/** A run on the mesh of a sweep. */
typedef struct {
  double *state; /* [n_mesh + 1][n_state] */
  sal_record record;
} mesh_run;

static void drop_runs(mesh_run run[2]) { sal_free_all(run[0].state, run[1].state); }

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

/* A run without an end misses; one that is compared with such a run is not known to. */
static sal_check_verdict judge(const mesh_run run[2], double difference, double error)
{
  if (!sal_metric_finished((int)run[0].record.value[SAL_METRIC_OUTCOME])) return SAL_CHECK_MISS;
  if (isnan(difference)) return SAL_CHECK_UNKNOWN;
  return difference <= error ? SAL_CHECK_HIT : SAL_CHECK_MISS;
}

/* As the table of the cube has it: in evaluations of f, or as a time. */
static double work_of(const sal_advice *a, int pair, const sal_record *r)
{
  return sal_step_cost_work(&a->source.weights, a->source.by,
                            sal_config_decode(&a->cube.sweep, pair), r);
}

static sal_surrogate_choice at_a_tenth(sal_surrogate_choice c)
{
  c.tolerance = fmax(c.tolerance / decade, tightest);
  c.probability = c.error = c.work = c.total = NAN;
  return c;
}

/* Chooses the run beside the first attempt. */
static sal_surrogate_choice choose_beside(const sal_surrogate_answer *a, bool next)
{
  return next && a->n_attempt > 1 ? a->attempts[1] : at_a_tenth(a->best);
}

/* The sweep of the runs at the point: that of runs made now, or the cube's with the point and the pairs put in. */
static sal_err open_sweep(const sal_advice *a, const sal_check *c, sal_sweep *own,
                          const sal_sweep **s, double param[], double initial[])
{
  const int n_param = a->cube.sweep.model->n_param + a->cube.sweep.model->n_option;

  *s = &a->cube.sweep;
  memcpy(param, a->value, (size_t)n_param * sizeof *param);
  memcpy(initial, a->value + n_param, (size_t)(*s)->model->n_state * sizeof *initial);
  if (!a->cube.sweep.results) return SAL_OK;
  *s = own;
  SAL_TRY(sal_recommend_sweep(a, &c->tried, &c->beside, own));
  sal_sweep_cell(own, 0, param, initial); /* states of its own counts of members */
  return SAL_OK;
}

/* most: work of the run of `tried`; 0: that of any run. */
static sal_err run_both(const sal_advice *a, const sal_surrogate_choice *tried,
                        const sal_surrogate_choice *beside, double most, sal_check *out)
{
  const sal_surrogate_choice *choice[] = {tried, beside};
  SAL_OWN_BY(sal_sweep_free) sal_sweep own = {0};
  const sal_sweep *s;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  mesh_run run[2] = {{.state = NULL}};
  sal_err err = SAL_OK;

  *out = (sal_check){.tried = *tried, .beside = *beside, .difference = NAN};
  SAL_TRY(open_sweep(a, out, &own, &s, param, initial));
  const double budget = s->budget.work > 0 ? s->budget.work : SAL_RECOMMEND_BUDGET;
  for (int i = 0; i < 2 && err == SAL_OK; ++i) {
    const int k = s == &own ? sal_recommend_config(a, s, choice[i]) : choice[i]->pair;
    err = run_config(s, k, choice[i]->tolerance, i == 0 && most > 0 ? most : budget, param, initial,
                     &run[i]);
  }
  if (err == SAL_OK) err = difference_of(s, a->source.by, run, &out->difference);
  if (err == SAL_OK) {
    out->verdict = judge(run, out->difference, a->question.error);
    for (int i = 0; i < 2; ++i) {
      out->work[i] = work_of(a, choice[i]->pair, &run[i].record);
      out->outcome[i] = (int)run[i].record.value[SAL_METRIC_OUTCOME];
      out->reached[i] = run[i].record.value[SAL_METRIC_T_REACHED];
    }
  }
  drop_runs(run);
  return err;
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

  return run_both(a, &a->answer->best, &beside, a->budget, out);
}

/* After the last attempt of the schedule the same solver runs at a tenth of its tolerance, as long as that halves the error. */
static bool next_attempt(const sal_advice *a, sal_surrogate_choice *next)
{
  const sal_surrogate_answer *found = a->answer;
  const int n = a->n_here, of_its_own = n - found->n_attempt;
  const sal_check *last = n > 0 ? &a->here[n - 1] : NULL;

  if (of_its_own < 0) {
    *next = found->attempts[n];
    return true;
  }
  assert(last);
  *next = at_a_tenth(last->tried);
  const bool halved = of_its_own == 0 || last->difference <= a->here[n - 2].difference / 2;
  return halved && !isnan(last->difference) && next->tolerance > 1.5 * tightest &&
         n < SAL_CHECK_HERE;
}

/* Where no configuration answers though references reach the error, the most probable one is tried. */
static bool begin_attempts(sal_surrogate_answer *found)
{
  if (found->best.pair >= 0) return true;
  if (found->reason != SAL_REASON_NO_CONFIG || found->likely.pair < 0) return false;
  found->attempts[0] = found->likely;
  found->n_attempt = 1;
  found->fallback = NAN;
  return true;
}

sal_err sal_check_attempts(sal_advice *a)
{
  sal_surrogate_answer *found = a->answer;
  sal_surrogate_choice next;

  a->n_here = 0;
  a->hit = -1;
  if (!a->source.by->trajectory || !begin_attempts(found)) return SAL_OK;
  while (next_attempt(a, &next)) {
    const sal_surrogate_choice beside = at_a_tenth(next);
    sal_check *c = &a->here[a->n_here];
    SAL_TRY(run_both(a, &next, &beside, a->budget, c));
    ++a->n_here;
    if (c->verdict == SAL_CHECK_HIT) {
      found->best = next;
      a->hit = a->n_here - 1;
    }
    if (c->verdict == SAL_CHECK_HIT || sal_check_is_halted(c)) return SAL_OK;
  }
  found->best.pair = -1;
  return SAL_OK;
}

static const double loosest = 1e-2;

static bool is_incompatible(const sal_sweep *s, int pair)
{
  return s->incompatible[pair / s->n_method][pair % s->n_method];
}

static bool steps_in_time(const sal_sweep *s, int pair)
{
  return sal_config_solver(s, pair)->captures;
}

/* An attempt beside the next compatible pair at a tenth: errors of other solvers are others.  Time stepping, of first order, checks
 * itself alone. */
static sal_err try_alone(sal_advice *a, int pair, double tolerance)
{
  const sal_sweep *s = &a->cube.sweep;
  sal_surrogate_choice *best = &a->answer->best;
  const sal_surrogate_choice tried = {
      .pair = pair, .tolerance = tolerance, .probability = NAN, .total = NAN};
  sal_surrogate_choice beside = at_a_tenth(tried);
  sal_check *c = &a->here[a->n_here];

  do beside.pair = (beside.pair + 1) % sal_config_pairs(s);
  while (is_incompatible(s, beside.pair) ||
         (steps_in_time(s, beside.pair) && !steps_in_time(s, pair)));
  SAL_TRY(run_both(a, &tried, &beside, best->pair < 0 ? 0 : best->work, c));
  ++a->n_here;
  if (c->verdict != SAL_CHECK_HIT || (best->pair >= 0 && c->work[0] >= best->work)) return SAL_OK;
  a->hit = a->n_here - 1;
  *best = tried;
  best->error = c->difference;
  best->work = c->work[0];
  return SAL_OK;
}

sal_err sal_check_alone(sal_advice *a)
{
  const sal_sweep *s = &a->cube.sweep;
  double tolerance = fmin(a->question.error, loosest);
  int left = 2; /* tolerances from the first hit on: another solver may take less at the next */
  int each = 0; /* attempts at a tolerance */

  a->hit = -1;
  for (int pair = 0; pair < sal_config_pairs(s); ++pair) each += !is_incompatible(s, pair);
  if (each > SAL_CHECK_HERE)
    return sal_fail(SAL_ERR_INPUT, "%d solvers and strategies at the point alone; allowed: %d",
                    each, SAL_CHECK_HERE);
  for (a->n_here = 0; tolerance > 1.5 * tightest && left > 0 && a->n_here + each <= SAL_CHECK_HERE;
       tolerance /= decade) {
    for (int pair = 0; pair < sal_config_pairs(s); ++pair) {
      if (is_incompatible(s, pair)) continue;
      SAL_TRY(try_alone(a, pair, tolerance));
      if (sal_check_is_halted(&a->here[a->n_here - 1])) return SAL_OK;
    }
    left -= a->answer->best.pair >= 0;
  }
  return SAL_OK;
}

/* The tolerance of the cube that is nearest to a choice's. */
static int level_of(const sal_sweep *s, double tolerance)
{
  int best = 0;

  for (int t = 1; t < s->n_tolerance; ++t)
    if (fabs(sal_scalar_log(s->tolerance[t] / tolerance)) <
        fabs(sal_scalar_log(s->tolerance[best] / tolerance)))
      best = t;
  return best;
}

/* The configuration of the cube that is nearest to a choice. */
static int config_of(const sal_sweep *s, const sal_surrogate_choice *c)
{
  sal_config at = sal_config_decode(s, c->pair);

  at.tolerance = level_of(s, c->tolerance);
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
  sal_sweep room;
  mesh_run run[2] = {{.state = NULL}};

  sal_sweep_cell(s, cell, value, value + n_param);
  SAL_TRY(sal_surrogate_ask(a->surrogate, value, &q, answer));
  if (answer->best.pair < 0) return SAL_OK;
  const sal_surrogate_choice beside = choose_beside(answer, next);
  const int first = config_of(s, &answer->best), second = config_of(s, &beside);
  /* the last tolerance; no end, or stopped at a cutoff */
  if (first == second || !isfinite(row->error[first]) || isnan(row->work[first])) return SAL_OK;
  const sal_sweep *at = sal_variants_at(s, cell, &room);
  sal_sweep_cell(at, cell, param, initial);
  sal_err err = SAL_OK;
  for (int i = 0; i < 2 && err == SAL_OK; ++i) {
    const int k = i ? second : first;
    err = run_config(at, k, sal_config_tolerance(s, k), s->budget.work, param, initial, &run[i]);
  }
  double difference = NAN;
  if (err == SAL_OK) err = difference_of(at, a->source.by, run, &difference);
  if (err == SAL_OK)
    count_verdict(rates, row->error[first] <= a->question.error,
                  judge(run, difference, a->question.error));
  drop_runs(run);
  return err;
}

sal_err sal_check_map(sal_advice *a, bool next, int64_t cells, sal_check_rates *rates)
{
  SAL_OWN_BY(sal_performance_free) sal_performance_table row = {0};
  SAL_OWN sal_surrogate_answer *answer = sal_alloc(1, sizeof *answer);
  const int64_t n = a->cube.sweep.n_cell;

  *rates = (sal_check_rates){0};
  if (!answer) return sal_fail(SAL_ERR_MEMORY, "no memory for an answer");
  SAL_TRY(sal_performance_create(a->source.sweep, 1, &a->source.weights, false, false, &row));
  row.by = a->source.by;
  for (int64_t i = 0; i < cells && i < n; ++i) {
    const int64_t cell = cells < n ? (int64_t)(sal_scramble((uint64_t)i) % (uint64_t)n) : i;
    SAL_TRY(a->source.read(a->source.with, 1, &cell, &row));
    SAL_TRY(check_cell(a, next, cell, answer, &row, rates));
  }
  return SAL_OK;
}
