/** Calls of the width-1 flow with a phase made for one point. */
#include "model_point.h"
#include "entry.h"

static sal_phase phase_of(const sal_model *model, const double param[], bool all_closed,
                          const double y[], double p[], sal_m closed[])
{
  const int n = sal_model_guards(model, param);

  sal_model_fill(model, param, p);
  for (int k = 0; k < n; ++k) closed[k] = ~sal_none();
  return (sal_phase){.n_guard = n,
                     .p = p,
                     .q = y + sal_model_continuous(model),
                     .closed = closed,
                     .held = SAL_MASK(all_closed),
                     .inner = model->inner};
}

/* With a relative error of about 1e-10.  Implicit methods use methods/jacobian.h, whose differences are counted. */
static void take_differences(const sal_flow *flow, int n, const sal_phase *s, double t,
                             const double y[], double J[])
{
  double x[SAL_MAX_STATE], above[SAL_MAX_STATE], below[SAL_MAX_STATE];

  memcpy(x, y, (size_t)n * sizeof *x);
  for (int j = 0; j < n; ++j) {
    const double wish = 0x1p-17 * sal_max(sal_abs(y[j]), 1), d = (y[j] + wish) - y[j];
    x[j] = y[j] + d;
    flow->rhs(s, t, x, above);
    x[j] = y[j] - d;
    flow->rhs(s, t, x, below);
    x[j] = y[j];
    for (int i = 0; i < n; ++i) J[i * n + j] = (above[i] - below[i]) / (2 * d);
  }
}

void sal_model_jacobian(const sal_model *model, const double param[], double t, const double y[],
                        bool all_closed, double J[])
{
  double p[SAL_MAX_P];
  sal_m closed[SAL_MAX_GUARD];
  const sal_phase phase = phase_of(model, param, all_closed, y, p, closed);

  if (model->w1->jac)
    model->w1->jac(&phase, t, y, J);
  else
    take_differences(model->w1, sal_model_continuous(model), &phase, t, y, J);
}

const char *sal_model_flaw(const sal_model *m, const double param[])
{
  for (int i = 0; i < m->n_count; ++i)
    if (param[i] != m->param[i].preset)
      return "the members of families are made when the text is read: a count must be given where "
             "the model is";
  return m->flaw ? m->flaw(m->inner, param) : NULL;
}

bool sal_model_has_jacobian(const sal_model *model) { return model->w1->jac != NULL; }
bool sal_model_has_range(const sal_model *model) { return model->w1->range != NULL; }
bool sal_model_has_mass(const sal_model *model) { return model->w1->mass != NULL; }

/* No velocity is a position, a discrete state or the velocity of two. */
static bool pairs_up(const sal_model *m)
{
  const int n = sal_model_continuous(m);
  int taken[SAL_MAX_STATE] = {0};

  for (int i = 0; i < m->n_state; ++i) {
    const int v = m->velocity[i] - 1;
    if (v < 0) continue;
    if (i >= n || v >= n || m->velocity[v] || taken[v]++) return false;
  }
  return true;
}

static bool band_pairs_up(const sal_model *m)
{
  const int n = sal_model_continuous(m);
  const uint16_t *order = m->band.order;
  bool paired = true;

  for (int p = 0; order && p < n; ++p)
    if (m->velocity[order[p]])
      paired = paired && p + 1 < n && order[p + 1] == m->velocity[order[p]] - 1;
  return paired;
}

const char *sal_model_flow_flaw(const sal_model *m)
{
  const sal_flow *f = m->w1;
  const bool jumps = m->resets || m->n_discrete > 0;

  if (!f || (SAL_WIDEST == 8 && !m->w4 != !m->w8)) return "it lacks a flow of width 1, 4 or 8";
  if (!f->rhs || !f->stages) return "its flow has no right-hand side, or no stages";
  if (m->n_guard > 0 && !f->guard) return "it has contacts, and no gaps";
  if (jumps && !f->jump) return "it resets its state or has discrete ones, and has no jump";
  if (m->n_discrete > 0 && !m->resets)
    return "it has discrete states, which jumps change, and is not said to reset";
  if (!pairs_up(m))
    return "its positions and velocities are not pairs of a position and its velocity";
  if (m->band.lower < 0 || m->band.upper < 0 || !band_pairs_up(m))
    return "the band of its Jacobian is below 0, or has a velocity elsewhere than after its "
           "position";
  if (f->row && m->resets) return "its contacts stand in a row, and it resets its state";
  return NULL;
}

void sal_model_rhs(const sal_model *model, const double param[], double t, const double y[],
                   double dy[])
{
  double p[SAL_MAX_P];
  sal_m closed[SAL_MAX_GUARD];
  const sal_phase phase = phase_of(model, param, false, y, p, closed);

  model->w1->rhs(&phase, t, y, dy);
}

static void gaps_at(const sal_model *model, const double param[], double memory[], double t,
                    const double y[], double gap[])
{
  double p[SAL_MAX_P];
  sal_m unused[SAL_MAX_GUARD];
  sal_phase phase = phase_of(model, param, false, y, p, unused);
  double rate[SAL_MAX_GUARD], dy[SAL_MAX_STATE] = {0};

  phase.memory = memory;
  if (model->w1->guard) model->w1->guard(&phase, t, y, dy, gap, rate);
}

void sal_model_gaps(const sal_model *model, const double param[], double t, const double y[],
                    double gap[])
{
  gaps_at(model, param, NULL, t, y, gap);
}

void sal_model_mode_on(const sal_model *model, const double param[], double memory[], double t,
                       const double y[], bool closed[])
{
  const int n = sal_model_guards(model, param);
  double gap[SAL_MAX_GUARD];

  for (int k = 0; k < n; ++k) gap[k] = 0; /* of a model without gaps */
  gaps_at(model, param, memory, t, y, gap);
  for (int k = 0; k < n; ++k) closed[k] = gap[k] <= 0;
}

void sal_model_mode(const sal_model *model, const double param[], double t, const double y[],
                    bool closed[])
{
  sal_model_mode_on(model, param, NULL, t, y, closed);
}

int sal_model_beyond(const sal_model *model, const double param[], const double y[],
                     double memory[], double *gap)
{
  double p[SAL_MAX_P], state[SAL_MAX_STATE], slope[SAL_MAX_STATE];
  double ga[SAL_MAX_GUARD], ra[SAL_MAX_GUARD], late[SAL_MAX_GUARD], gap_noise[SAL_MAX_GUARD];
  sal_m unused[SAL_MAX_GUARD];
  const int n = sal_model_guards(model, param);
  sal_contacts at = {.n = n, .yb = slope, .ga = ga, .ra = ra, .late = late};
  sal_step_state s = {.model = model, .flow = model->w1, .n = sal_model_continuous(model)};

  if (!model->resets || n == 0) return -1;
  for (int i = 0; i < model->n_state; ++i) state[i] = y[i];
  s.y = state;
  s.phase = phase_of(model, param, false, y, p, unused);
  s.phase.memory = memory;
  sal_entry_gap_noise(&s, &at, ~sal_none(), (sal_v *[]){gap_noise}, NULL);
  for (int k = 0; k < n; ++k) {
    *gap = ga[k];
    if (sal_entry_is_beyond(sal_model_contact(model, k), ga[k], gap_noise[k])) return k;
  }
  return -1;
}

/* The phase of a frozen mode. */
static sal_phase phase_in(const sal_model *model, const double param[], const bool mode[],
                          const double y[], double p[], sal_m closed[])
{
  sal_phase phase = phase_of(model, param, true, y, p, closed);

  for (int k = 0; k < phase.n_guard; ++k) closed[k] = SAL_MASK(mode[k]);
  return phase;
}

void sal_model_field(const sal_model *model, const double param[], const bool closed[], double t,
                     const double y[], double dy[])
{
  double p[SAL_MAX_P];
  sal_m mask[SAL_MAX_GUARD];
  const sal_phase phase = phase_in(model, param, closed, y, p, mask);

  model->w1->rhs(&phase, t, y, dy);
}

void sal_model_rates(const sal_model *model, const double param[], const bool closed[], double t,
                     const double y[], const double slope[], double gap[], double rate[])
{
  double p[SAL_MAX_P];
  sal_m mask[SAL_MAX_GUARD];
  const sal_phase phase = phase_in(model, param, closed, y, p, mask);

  if (model->w1->guard) model->w1->guard(&phase, t, y, slope, gap, rate);
}

void sal_model_jump(const sal_model *model, const double param[], int k, bool closed[], double t,
                    double y[])
{
  double p[SAL_MAX_P];
  sal_m mask[SAL_MAX_GUARD];
  sal_phase phase = phase_in(model, param, closed, y, p, mask);

  if (model->w1->jump) model->w1->jump(&phase, k, ~sal_none(), t, y);
  for (int j = 0; j < phase.n_guard; ++j) closed[j] = mask[j] != 0;
}
