/** Values that are not finite, looked for after the run. */
#include "lost.h"
#include "base.h"
#include "capture.h"
#include "model_point.h"
#include "stiffness.h"
#include <float.h>

/* The first state that is not finite; -1: all are. */
static int find_state(int n, const double y[])
{
  for (int i = 0; i < n; ++i)
    if (!isfinite(y[i])) return i;
  return -1;
}

/* Was it a jump of the last instant?  The log has the state before and after it. */
static bool find_jump(const sal_trajectory *tr, const sal_model *m, sal_lost *out)
{
  const int64_t e = tr->n_event - 1;
  const size_t n = (size_t)m->n_state;

  if (e < 0 || !tr->event_closed) return false;
  const sal_event *event = &tr->event[e];
  const int i = find_state(m->n_state, event->y);
  if (i < 0 || find_state(m->n_state, event->ahead) >= 0) return false;
  const bool *before = e > 0 ? &tr->event_closed[(e - 1) * tr->n_guard] : tr->start_closed;
  *out = (sal_lost){SAL_LOST_JUMP, false,    i,   event->guard, event->closes,
                    event->y[i],   event->t, {0}, {0}};
  memcpy(out->y, event->ahead, n * sizeof *out->y);
  memcpy(out->closed, before, (size_t)tr->n_guard * sizeof *before);
  out->closed[event->guard] = event->closes;
  return true;
}

/* Slopes and gaps at the point of `out`, in its mode; f [n_state] receives the slopes. */
static bool find_here(const sal_model *m, const double param[], sal_lost *out, double f[])
{
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD], none[SAL_MAX_STATE] = {0};
  const int n = sal_model_guards(m, param);

  sal_model_field(m, param, out->closed, out->t, out->y, f);
  out->state = find_state(sal_model_continuous(m), f);
  if (out->state >= 0) {
    out->kind = SAL_LOST_SLOPE;
    out->value = f[out->state];
    return true;
  }
  for (int k = 0; k < n; ++k) gap[k] = 0;
  sal_model_rates(m, param, out->closed, out->t, out->y, none, gap, rate);
  for (int k = 0; k < n; ++k) {
    if (!isnan(gap[k])) continue;
    out->kind = SAL_LOST_GAP;
    out->contact = k;
    out->value = gap[k];
    return true;
  }
  return false;
}

void sal_lost_find(const sal_trajectory *tr, const sal_model *m, const double param[],
                   sal_lost *out)
{
  enum { DOUBLINGS = 20 };
  const int end = (int)tr->record.value[SAL_METRIC_OUTCOME];
  const double t = tr->record.value[SAL_METRIC_T_REACHED];
  double f[SAL_MAX_STATE], unused[SAL_MAX_STATE], h = DBL_EPSILON * fmax(t, 1e-6 * m->span);

  *out = (sal_lost){.t = t};
  if (end != SAL_OUT_NOT_FINITE && end != SAL_OUT_UNDERFLOW) return;
  if (find_jump(tr, m, out)) return;
  memcpy(out->y, tr->end, (size_t)m->n_state * sizeof *out->y);
  memcpy(out->closed, tr->end_closed, (size_t)tr->n_guard * sizeof *out->closed);
  if (tr->sides) sal_model_mode(m, param, t, out->y, out->closed);
  out->state = find_state(m->n_state, out->y);
  if (out->state >= 0) {
    out->kind = SAL_LOST_STATE;
    out->value = out->y[out->state];
    return;
  }
  if (find_here(m, param, out, f)) return;
  for (int i = 0; i < DOUBLINGS; ++i, h *= 2) {
    out->t = t + h;
    for (int j = 0; j < sal_model_continuous(m); ++j) out->y[j] = tr->end[j] + h * f[j];
    if (tr->sides) sal_model_mode(m, param, out->t, out->y, out->closed);
    if (find_here(m, param, out, unused)) return;
  }
  out->finite = true;
  out->t = t;
  memcpy(out->y, tr->end, (size_t)m->n_state * sizeof *out->y);
}

/* Without the sign that a NaN has. */
static double printed(double value) { return isnan(value) ? fabs(value) : value; }

static void say(const sal_lost *lost, const sal_model *m, char text[SAL_LOST_FAULT])
{
  const char *state = m->state[lost->state < 0 ? 0 : lost->state].name;
  const sal_contact *c = sal_model_contact(m, lost->contact);
  size_t n = 0;

  text[0] = '\0';
  if (lost->kind == SAL_LOST_NOTHING) return;
  if (lost->kind == SAL_LOST_GAP)
    snprintf(text, SAL_LOST_FAULT, "the gap of %scontact %d (%s) is %g",
             lost->closed[lost->contact] ? "the closed " : "", lost->contact, c->closes,
             printed(lost->value));
  else if (lost->kind == SAL_LOST_JUMP)
    snprintf(text, SAL_LOST_FAULT, "the jump of contact %d (%s) makes %s %g", lost->contact,
             lost->closes ? c->closes : c->opens, state, printed(lost->value));
  else
    snprintf(text, SAL_LOST_FAULT, "%s%s is %g", state, lost->kind == SAL_LOST_SLOPE ? "'" : "",
             printed(lost->value));
  n = strlen(text);
  snprintf(text + n, SAL_LOST_FAULT - n, " at t = %.9g", lost->t);
  for (int i = 0; i < m->n_state && i < 6; ++i) {
    n = strlen(text);
    snprintf(text + n, SAL_LOST_FAULT - n, ", %s = %.9g", m->state[i].name, lost->y[i]);
  }
}

static bool is_spent(int outcome)
{
  return outcome == SAL_OUT_STEP_CAP || outcome == SAL_OUT_OVER_BUDGET;
}

/* Outcomes of runs that get no further, or only by ever smaller steps. */
static bool lasts_too_long(int outcome)
{
  return outcome == SAL_OUT_STUCK || outcome == SAL_OUT_UNDERFLOW || is_spent(outcome);
}

static void say_coarse(const sal_trajectory *tr, const sal_model *m, const double param[],
                       char text[SAL_LOST_FAULT])
{
  int k;
  const double most = sal_capture_longest(m, param, tr->end, &k);

  snprintf(text, SAL_LOST_FAULT,
           "steps, rtol times the capture_unit of %g, may be %.9g beside contact %d (%s); allowed: "
           "rtol of at most %.9g, or solver moreau-implicit",
           sal_capture_unit(m), most, k, sal_model_contact(m, k)->closes,
           most / sal_capture_unit(m));
}

/* Contacts of a problem that has no solution: those that are closed or have changed at the last instant. */
static void say_unsolved(const sal_trajectory *tr, const sal_model *m, char text[SAL_LOST_FAULT])
{
  const double t = tr->record.value[SAL_METRIC_T_REACHED];
  bool part[SAL_MAX_GUARD];
  size_t n;

  memcpy(part, tr->end_closed, (size_t)tr->n_guard * sizeof *part);
  for (int64_t e = tr->n_event - 1; e >= 0 && tr->event[e].t == t; --e)
    part[tr->event[e].guard] = true;
  snprintf(text, SAL_LOST_FAULT,
           "no impulses or forces satisfy the laws of all contacts at t = %.10g:", t);
  for (int k = 0; k < tr->n_guard; ++k) {
    n = strlen(text);
    if (part[k])
      snprintf(text + n, SAL_LOST_FAULT - n, " %d (%s)", k, sal_model_contact(m, k)->closes);
  }
}

/* Contacts that changed at the last instant, the one that did so most often. */
static void say_last(const sal_trajectory *tr, const sal_model *m, char text[SAL_LOST_FAULT])
{
  enum { CROWD = 1000, AT_ONCE = 8 };
  const int64_t n = tr->n_event;
  const double t = tr->record.value[SAL_METRIC_T_REACHED];
  const int end = (int)tr->record.value[SAL_METRIC_OUTCOME];
  const bool dense = end == SAL_OUT_STUCK && n >= CROWD && tr->event[n - AT_ONCE].t < t - 1e-6 * t;
  const int64_t crowd = !dense && !is_spent(end) ? 0 : n < CROWD ? n : CROWD;
  const double since = crowd > 0 ? tr->event[n - crowd].t : t - 1e-6 * t;
  int many[SAL_MAX_GUARD] = {0}, k = -1, all = 0;

  for (int64_t e = n - 1; e >= 0 && tr->event[e].t >= since; --e, ++all) {
    const int guard = tr->event[e].guard;
    if (++many[guard] > (k < 0 ? 0 : many[k])) k = guard;
  }
  if (k < 0) return;
  if (all >= (is_spent(end) ? crowd : CROWD) && m->motion && !sal_model_special_impacts(m)) {
    snprintf(
        text, SAL_LOST_FAULT,
        "contacts changed %d times up to t = %.9g in %.3g of time, contact %d (%s) most often: "
        "solver moreau with strategy capture steps over impacts that come to no end",
        all, t, t - since, k, sal_model_contact(m, k)->closes);
    return;
  }
  snprintf(text, SAL_LOST_FAULT,
           "contact %d (%s) changed %d times up to t = %.9g; where its impacts come to an end, a "
           "jump that rests lets it stay closed (of a text: `stays: rests`)",
           k, sal_model_contact(m, k)->closes, many[k], t);
}

const char *sal_lost_fault(const sal_trajectory *tr, const sal_model *m, const double param[],
                           char text[SAL_LOST_FAULT])
{
  enum { MANY = 100 };
  const double t = tr->record.value[SAL_METRIC_T_REACHED];
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD], none[SAL_MAX_STATE] = {0}, worst = 0;
  int which = -1;
  sal_lost lost;

  sal_lost_find(tr, m, param, &lost);
  say(&lost, m, text);
  const int end = (int)tr->record.value[SAL_METRIC_OUTCOME];
  const bool stuck = end == SAL_OUT_STUCK || end == SAL_OUT_ZENO;
  const bool chatters = is_spent(end) && tr->n_event >= MANY && m->motion &&
                        tr->record.value[SAL_METRIC_STEPS] < 4. * (double)tr->n_event;
  if (text[0] == '\0' && lasts_too_long(end) && !(m->resets && chatters)) {
    const sal_chatter chatter = sal_chatter_find(m, param, t, tr->end);
    sal_chatter_say(&chatter, m, SAL_LOST_FAULT, text);
  }
  if (text[0] == '\0' && m->resets && (stuck || chatters)) say_last(tr, m, text);
  if (end == SAL_OUT_UNSOLVED) say_unsolved(tr, m, text);
  if (end == SAL_OUT_COARSE) say_coarse(tr, m, param, text);
  if (tr->record.value[SAL_METRIC_OUTCOME] != SAL_OUT_BAD_JUMP) return text;
  sal_model_rates(m, param, tr->end_closed, t, tr->end, none, gap, rate);
  for (int64_t e = tr->n_event - 1; e >= 0 && tr->event[e].t == t; --e) {
    const int k = tr->event[e].guard;
    const double inside = tr->end_closed[k] ? -gap[k] : gap[k];
    if (inside < worst) worst = inside, which = k;
  }
  if (which >= 0)
    snprintf(text, SAL_LOST_FAULT, "contact %d (%s) is %s at t = %.10g with a gap of %.9g", which,
             sal_model_contact(m, which)->closes, tr->end_closed[which] ? "closed" : "open", t,
             gap[which]);
  return text;
}
