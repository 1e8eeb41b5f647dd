/** q_k'' = s (q_k-1 - 2 q_k + q_k+1) + d (v_k-1 - 2 v_k + v_k+1), whose modes are sin(pi m k / (masses + 1)). */
#include "damped_chain.h"
#include "lane.h"

static sal_v bend(int n, const sal_v x[], int k)
{
  const sal_v left = k > 0 ? x[k - 1] : sal_set(0), right = k < n - 1 ? x[k + 1] : sal_set(0);

  return left - 2.0 * x[k] + right;
}

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const int n = ((const damped_chain *)s->inner)->masses;

  (void)t;
  for (int k = 0; k < n; ++k) {
    dy[k] = y[n + k];
    dy[n + k] = s->p[0] * bend(n, y, k) + s->p[1] * bend(n, y + n, k);
  }
}

extern const sal_flow SAL_FN(damped_chain_flow);
const sal_flow SAL_FN(damped_chain_flow) = {.rhs = rhs};

#if SAL_LANES == 1
extern const struct sal_flow_w4 damped_chain_flow_w4;
extern const struct sal_flow_w8 damped_chain_flow_w8;

void damped_chain_make(damped_chain *chain, int masses, bool as_band)
{
  chain->masses = masses;
  chain->model = (sal_model){.name = "damped-chain",
                             .n_state = 2 * masses,
                             .n_param = 2,
                             .autonomous = true,
                             .inner = chain,
                             .w1 = &damped_chain_flow_w1,
                             .w4 = SAL_W4(&damped_chain_flow_w4),
                             .w8 = SAL_W8(&damped_chain_flow_w8)};
  for (int k = 0; k < masses; ++k) {
    chain->model.velocity[k] = (uint16_t)(1 + masses + k);
  }
  for (int i = 0; i < 2 * masses; ++i) chain->order[i] = (uint16_t)(i / 2 + i % 2 * masses);
  if (!as_band) return;
  chain->model.band.lower = CHAIN_LOWER;
  chain->model.band.upper = CHAIN_UPPER;
  chain->model.band.order = chain->order;
}

/* x'' = -(s x + d x') a from x = 1 at rest, as in every mode of the chain. */
static void swing(double a, const double param[], double t, double *x, double *v)
{
  const double rate = 0.5 * a * param[1], w = sqrt(a * param[0] - rate * rate);

  *x = exp(-rate * t) * (cos(w * t) + rate / w * sin(w * t));
  *v = -exp(-rate * t) * a * param[0] / w * sin(w * t);
}

void damped_chain_exact(const damped_chain *chain, const double param[], double t, double y[])
{
  const int n = chain->masses;

  for (int i = 0; i < 2 * n; ++i) y[i] = 0;
  for (int m = 1; m <= 3; m += 2) {
    const double turn = M_PI * m / (n + 1), half = sin(0.5 * turn);
    double x, v;
    swing(4 * half * half, param, t, &x, &v);
    for (int k = 0; k < n; ++k) {
      y[k] += (m == 1 ? 1 : 0.5) * x * sin(turn * (k + 1));
      y[n + k] += (m == 1 ? 1 : 0.5) * v * sin(turn * (k + 1));
    }
  }
}
#endif
