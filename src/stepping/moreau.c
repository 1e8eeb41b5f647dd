/** Time stepping by Moreau and Jean: fixed steps of the midpoint rule, at each of whose ends the impulses of all rigid
 *  contacts that are closed at its middle are one problem (Moreau 1988; Jean 1999; Acary and Brogliato 2008, chapter 10).
 *
 *  From (q, v) at t, with q_m = q + h/2 v at t + h/2 and w = v + h M(q_m)^-1 F(q_m, (v + w)/2):
 *  v' = w + M^-1 (sum G_k' P_k + T_k' S_k) over the contacts with g_k(q_m) <= 0, so that
 *  0 <= G_k v' + e_k G_k v _|_ P_k >= 0 (Newton) and |S_k| <= mu_k P_k (Coulomb); q' = q_m + h/2 v'.
 *  The implicit one has M + h/2 D + h^2/4 K in place of M, K = -dF/dq and D = -dF/dv by differences, of order 2 with any K.
 */
#include "capture.h"
#include "memory.h"
#include "provider.h"
#include "push.h"
#include "rub.h"
#include <string.h>

/** One run after the other of a setup, and the step that a run is in. */
typedef struct {
  sal_engine_run *run;
  double words[SAL_MAX_P];
  double y[SAL_MAX_STATE]; /* (q, v, the rest) at the middle, then at the end of the step */
  double from[SAL_MAX_STATE], middle, end;
  double before[SAL_MAX_STATE]; /* (q, v) at the start of the step, in the order of the motion */
  sal_contact_motion motion;
  sal_contact_rows rows;
  sal_push push;
  sal_rub rub; /* of friction in space */
  bool implicit;
  double *K, *D, *load; /* [n][n], [n][n], [n] where it is implicit; the load where both are */
  bool known;           /* the motion is affine, and evaluated */
  double *offset;       /* [contacts] gaps at q = 0, where it is affine */
  double *kept;         /* [n_memory] of the model's motion */
  double memory[];
} stepper;

static void *open_stepper(const sal_setup *setup, int n_continuous)
{
  const sal_model *model = setup->model;
  const int n = n_continuous / 2, most = model->n_touch;
  const size_t words = sal_contact_motion_words(n, most, 0), kept = (size_t)model->n_memory;
  const bool implicit = setup->method->implicit;
  const size_t square = implicit ? (size_t)n * (size_t)n : 0, slopes = 2 * square + (size_t)n;
  const size_t across = model->rubs_in_space ? (size_t)most * (size_t)n : 0;
  const size_t rub = across > 0 ? across + sal_rub_words(n, most) : 0;
  const size_t all = words + kept + (size_t)most + slopes + rub + sal_push_words(n, most);
  stepper *s = model->motion ? sal_alloc(1, sizeof *s + all * sizeof(double)) : NULL;

  if (!s) return NULL;
  s->kept = s->memory + words;
  s->offset = s->kept + kept;
  s->implicit = implicit;
  s->K = s->offset + most;
  s->D = s->K + square;
  s->load = s->D + square;
  double *more = s->load + n;
  sal_contact_motion_lay_out(&s->motion, n, most, 0, s->memory);
  if (rub > 0) s->rub = sal_rub_open(n, most, more + across);
  for (int c = 0; c < most && rub > 0; ++c)
    s->motion.terms[c].across = more + (size_t)c * (size_t)n;
  s->push = sal_push_open(n, most, more + rub);
  s->rows = sal_contact_rows_open(&s->motion);
  return s;
}

/* The place among the states of coordinate i of the motion. */
static int state_of(const stepper *s, int i)
{
  const int *order = s->run->setup->model->motion_order;

  return order ? order[i] : i;
}

/* Positions and velocities of the motion to states. */
static void scatter(const stepper *s, const double q[], const double v[], double y[])
{
  for (int i = 0; i < s->motion.n; ++i) {
    y[state_of(s, i)] = q[i];
    y[s->motion.n + state_of(s, i)] = v[i];
  }
}

/* Gaps of a motion that is affine, from those of its first evaluation. */
static void move_gaps(stepper *s)
{
  for (int c = 0; c < s->motion.m; ++c) {
    sal_contact_terms *t = &s->motion.terms[c];
    double gap = s->offset[c];
    for (int i = t->from; i < t->to; ++i) gap += t->normal[i] * s->motion.q[i];
    t->gap = gap;
  }
}

static void note_offsets(stepper *s)
{
  for (int c = 0; c < s->motion.m; ++c) {
    const sal_contact_terms *t = &s->motion.terms[c];
    s->offset[c] =
        t->gap - sal_contact_rows_dot(t->to - t->from, t->normal + t->from, s->motion.q + t->from);
  }
}

/* The system at the middle of the step, with the velocities of the motion; again: others of these at the same place. */
static sal_outcome evaluate(stepper *s, bool again)
{
  const sal_model *model = s->run->setup->model;
  const size_t n = (size_t)s->motion.n;

  sal_engine_count_rhs(s->run, 1);
  if (s->known) {
    move_gaps(s);
    return SAL_OUT_DONE;
  }
  scatter(s, s->motion.q, s->motion.v, s->y);
  memcpy(s->y + 2 * n, s->run->y + 2 * n, (size_t)model->n_discrete * sizeof *s->y);
  s->motion.load_only = again;
  s->motion.closed_only = !s->motion.affine && s->end + (s->end - s->middle) < s->run->t_end;
  if (!model->motion(model->inner, s->words, s->middle, s->y, s->kept, &s->motion))
    return SAL_OUT_NOT_FINITE;
  if (s->motion.affine) note_offsets(s);
  if (!again) return sal_contact_rows_fall(&s->motion, &s->rows) ? SAL_OUT_DONE : SAL_OUT_UNSOLVED;
  sal_contact_rows_load(&s->motion, &s->rows);
  return SAL_OUT_DONE;
}

/* One column of K or D, from the motion where x[j] is another one. */
static sal_outcome differ(stepper *s, double *x, double *matrix, int j)
{
  const double was = *x, by = 1e-7 * (1 + fabs(was));

  *x = was + by;
  const sal_outcome out = evaluate(s, true);
  for (int i = 0; i < s->motion.n; ++i)
    matrix[i * s->motion.n + j] = (s->load[i] - s->motion.load[i]) / by;
  *x = was;
  return out;
}

/* M becomes M + h/2 D + h^2/4 K with the symmetric parts of both, without blocks. */
static void add_slopes(const stepper *s, double h, sal_contact_motion *m)
{
  const int n = m->n;

  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool has = j >= m->first[i] && j <= m->last[i];
      m->mass[i * n + j] = (has ? m->mass[i * n + j] : 0) +
                           h / 4 * (s->D[i * n + j] + s->D[j * n + i]) +
                           h * h / 8 * (s->K[i * n + j] + s->K[j * n + i]);
    }
    m->first[i] = 0;
    m->last[i] = n - 1;
  }
}

/* After `evaluate`: the system of the linearly implicit rule; the rest of D, which is gyroscopic, is a load at half the change
 * of velocities. */
static sal_outcome make_implicit(stepper *s, double h)
{
  sal_contact_motion *m = &s->motion;
  const size_t n = (size_t)m->n;
  sal_outcome out = SAL_OUT_DONE;

  memcpy(s->load, m->load, n * sizeof *m->load);
  memset(s->D, 0, n * n * sizeof *m->load);
  for (int j = 0; j < m->n && out == SAL_OUT_DONE; ++j) out = differ(s, &m->q[j], s->K, j);
  for (int j = 0; j < m->n && out == SAL_OUT_DONE && !m->steady; ++j)
    out = differ(s, &m->v[j], s->D, j);
  if (out == SAL_OUT_DONE) out = evaluate(s, true);
  if (out != SAL_OUT_DONE) return out;
  add_slopes(s, h, m);
  if (!sal_contact_rows_fall(m, &s->rows)) return SAL_OUT_UNSOLVED;
  for (int i = 0; i < m->n; ++i) s->from[i] = h * s->rows.free[i];
  for (int i = 0; i < m->n; ++i)
    for (int j = 0; j < m->n; ++j)
      m->load[i] -= (s->D[i * m->n + j] - s->D[j * m->n + i]) / 4 * s->from[j];
  sal_contact_rows_load(m, &s->rows);
  return SAL_OUT_DONE;
}

/* The rate of a gap at velocities v. */
static double rate(const sal_contact_terms *t, const double v[])
{
  return sal_contact_rows_dot(t->to - t->from, t->normal + t->from, v + t->from) + t->drift;
}

/* That without impulses, by Newton's law: it has to be at least 0 after the step. */
static double wanted(const stepper *s, const sal_contact_terms *t, const double before[])
{
  return rate(t, s->motion.v) + t->restitution * rate(t, before);
}

/* Counts impacts: impulses on what approaches faster than by the accelerations of two steps; and the rows of the problem
 * of the contacts of [m], each of which costs about 2 / n evaluations of f, as solves, for which work has n / 5. */
static bool account(stepper *s, int m, const int of[], const double impulse[], size_t stride,
                    const double before[], double h)
{
  for (int k = 0; k < m; ++k) {
    const sal_contact_terms *t = &s->motion.terms[of[k]];
    double gain = 0;
    for (int i = t->from; i < t->to; ++i) gain += fabs(t->normal[i] * s->rows.free[i]);
    s->run->impacts += impulse[(size_t)k * stride] > 0 && rate(t, before) < -2 * h * gain;
  }
  const int64_t n = s->run->n;
  s->run->contact_rows += m;
  s->run->solves = 10 * s->run->contact_rows / (n * n);
  return true;
}

/* Impulses without friction on the velocities of the motion. */
static bool push(stepper *s, const double before[], double h)
{
  sal_push *p = &s->push;

  sal_push_begin(p, &s->motion, s->known);
  for (int c = 0; c < s->motion.m; ++c)
    if (s->motion.terms[c].gap <= 0)
      sal_push_take(p, &s->motion, s->rows.L, c, wanted(s, &s->motion.terms[c], before));
  if (!sal_push_solve(p, &s->motion, s->motion.v)) return false;
  s->known = s->motion.affine;
  return account(s, p->m, p->of, p->z, 1, before, h);
}

/* The same with friction in space. */
static bool rub_in_space(stepper *s, const double before[], double h)
{
  sal_rub *p = &s->rub;

  p->m = 0;
  for (int c = 0; c < s->motion.m; ++c)
    if (s->motion.terms[c].gap <= 0)
      sal_rub_take(p, &s->motion, s->rows.L, c, wanted(s, &s->motion.terms[c], before));
  return sal_rub_solve(p, s->motion.m, s->motion.v) && account(s, p->m, p->of, p->r, 3, before, h);
}

/* The same with friction in a plane.  The rates of rows are those after the impact where impulses are 0. */
static bool rub(stepper *s, const double before[], double h)
{
  sal_contact_rows *p = &s->rows;

  for (int c = 0; c < s->motion.m; ++c) {
    const sal_contact_terms *t = &s->motion.terms[c];
    const bool closed = t->gap <= 0;
    s->motion.mode[c] = (sal_contact_mode){.closed = closed, .takes = closed, .rubs = t->mu > 0};
  }
  sal_contact_rows_pose(&s->motion, false, p);
  for (int k = 0; k < p->m; ++k) {
    const sal_contact_terms *t = &s->motion.terms[p->of[k]];
    p->mu[k] = t->mu;
    p->u[2 * (size_t)k] += t->restitution * rate(t, before);
  }
  if (!sal_contact_rows_solve(p)) return false;
  sal_contact_rows_respond(p, s->motion.v);
  return account(s, p->m, p->of, p->r, 2, before, h);
}

/* Has a contact come to its segment from beneath, past an end?  One that lands is less deep than it falls in two steps. */
static bool comes_from_beneath(stepper *s, const double before[], double h)
{
  bool any = false;

  for (int c = 0; c < s->motion.m; ++c) {
    const sal_contact_terms *t = &s->motion.terms[c];
    sal_contact_mode *of = &s->motion.mode[c];
    const bool was = of->closed;
    of->closed = t->gap <= 0;
    any |= of->closed && !was && t->beneath > 1e-9 + 2 * h * fabs(rate(t, before));
  }
  return any;
}

static bool any_rubs(const stepper *s)
{
  for (int c = 0; c < s->motion.m; ++c)
    if (s->motion.terms[c].gap <= 0 && s->motion.terms[c].mu > 0) return true;
  return false;
}

/* From run->y at run->t. */
static sal_outcome step(stepper *s, double h)
{
  sal_contact_motion *m = &s->motion;
  const int n = m->n;
  double *q = s->before, *v = q + n;

  s->middle = s->run->t + h / 2;
  s->end = s->run->t + h;
  for (int i = 0; i < n; ++i) {
    q[i] = s->run->y[state_of(s, i)];
    v[i] = s->run->y[n + state_of(s, i)];
    m->q[i] = q[i] + h / 2 * v[i];
    m->v[i] = v[i];
  }
  sal_outcome out = evaluate(s, false);
  const bool implicit = s->implicit && !m->affine, again = !m->steady && !implicit;
  if (implicit && out == SAL_OUT_DONE) out = make_implicit(s, h);
  for (int i = 0; i < n && out == SAL_OUT_DONE; ++i) m->v[i] = v[i] + h / 2 * s->rows.free[i];
  if (out == SAL_OUT_DONE && again) out = evaluate(s, true);
  if (out != SAL_OUT_DONE) return out;
  memcpy(s->from, s->run->y, (size_t)s->run->n * sizeof *q);
  for (int i = 0; i < n; ++i) m->v[i] = v[i] + h * s->rows.free[i];
  if (!m->affine && comes_from_beneath(s, v, h)) return SAL_OUT_UNSOLVED;
  const bool in_space = s->run->setup->model->rubs_in_space;
  if (!(in_space ? rub_in_space : any_rubs(s) ? rub : push)(s, v, h)) return SAL_OUT_UNSOLVED;
  for (int i = 0; i < n; ++i) q[i] = m->q[i] + h / 2 * m->v[i];
  scatter(s, q, m->v, s->y);
  return SAL_OUT_DONE;
}

/* Between the ends: two lines that join at the middle, since a cubic would go through the impact. */
static void value_at(void *with, double t, double y[])
{
  const stepper *s = with;
  const int n = s->run->n / 2;
  const double *base = t < s->middle ? s->from : s->y;
  const double since = t - (t < s->middle ? s->run->t : s->end);

  for (int i = 0; i < n; ++i) {
    y[i] = base[i] + since * base[n + i];
    y[n + i] = base[n + i];
  }
}

/* How deep a gap of the middle is below 0, carried to the end of the step.  One whose gradient is left out is above 0 at the
 * middle; where it ends below 0 it is deeper after the next step. */
static void note_penetration(stepper *s, double h)
{
  for (int c = 0; c < s->motion.m; ++c) {
    const sal_contact_terms *t = &s->motion.terms[c];
    if (t->stale) continue;
    s->run->penetration = fmax(s->run->penetration, -(t->gap + h / 2 * rate(t, s->motion.v)));
  }
}

static void begin(stepper *s, sal_engine_run *run)
{
  const sal_model *model = run->setup->model;

  s->run = run;
  sal_model_fill(model, run->job->param, s->words);
  if (run->steps == 0) memset(s->kept, 0, (size_t)model->n_memory * sizeof *s->kept);
  memcpy(s->y, run->y, (size_t)model->n_state * sizeof *s->y);
  if (model->rubs_in_space) memset(s->rub.carried, 0, 3 * (size_t)model->n_touch * sizeof(double));
  memset(s->push.carries, 0, (size_t)model->n_touch * sizeof *s->push.carries);
  s->known = false;
  if (run->steps == 0) memset(s->motion.mode, 0, (size_t)model->n_touch * sizeof *s->motion.mode);
}

/* Forces that are implicit have no such bound. */
static bool is_coarse(const stepper *s, double h)
{
  const sal_engine_run *run = s->run;
  int contact;

  return !s->implicit && run->steps == 0 &&
         h > sal_capture_longest(run->setup->model, run->job->param, s->y, &contact) * (1 + 1e-9);
}

static void run_moreau(sal_engine_run *run, void *own)
{
  stepper *s = own;
  void (*const restate)(const void *, const double[], double[], double[]) =
      run->setup->model->restate;
  const double first = run->t, span = run->t_end - run->t;
  const double needed = ceil(sal_capture_steps(run->setup, span, run->hmax));

  begin(s, run);
  if (!(needed <= SAL_CAPTURE_STEPS)) run->outcome = SAL_OUT_STEP_CAP;
  if (is_coarse(s, span / needed)) run->outcome = SAL_OUT_COARSE;
  if (run->outcome != SAL_OUT_DONE) return;
  /* whole steps from one stop to the next, none longer than asked for */
  const int n_step = (int)needed;
  for (int k = 1; k <= n_step; ++k) {
    const double t1 = k < n_step ? first + k * (span / n_step) : run->t_end, h = t1 - run->t;
    run->outcome = step(s, h);
    if (run->outcome != SAL_OUT_DONE) return;
    s->end = t1;
    note_penetration(s, h);
    ++run->steps;
    if (!sal_engine_advance(run, t1, s->y, value_at, s)) return;
    if (restate) restate(run->setup->model->inner, s->words, run->y, s->kept);
  }
}

static const char *version(void) { return "midpoint"; }

static const sal_engine moreau = {
    .library = "Moreau",
    .version = version,
    .type = "Moreau-Jean",
    .select = "",
    .open = open_stepper,
    .run = run_moreau,
    .close = sal_free,
};

static const sal_method sal_method_moreau = {
    .name = "moreau",
    .title = "time stepping by the midpoint rule, impacts captured in steps of rtol times a unit",
    .source = "Moreau 1988; Jean 1999; Acary and Brogliato 2008, chapter 10",
    .order = 1,
    .min_order = 1,
    .captures = true,
    .engine = &moreau,
    SAL_ENGINE_OPS,
};

static const sal_method sal_method_moreau_implicit = {
    .name = "moreau-implicit",
    .title = "the same, implicit in stiffness and damping of forces (theta = 1/2)",
    .source = "Jean 1999; Acary and Brogliato 2008, chapter 10",
    .order = 1,
    .min_order = 1,
    .implicit = true,
    .captures = true,
    .engine = &moreau,
    SAL_ENGINE_OPS,
};

static const sal_method *const methods[] = {&sal_method_moreau, &sal_method_moreau_implicit, NULL};
const sal_provider sal_moreau_provider = {
    .gives = SAL_PROVIDES_LIBRARY, .name = "Moreau", .methods = methods};
