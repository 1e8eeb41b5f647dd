/** The lean loop (lane half): a test by the signs at the ends of a step, then one root by Newton's method
 *  for each contact, and the state there from the dense output.
 *
 *  Tableaus, error norm and controller are those of kernels/methods, so the steps are those of `event` within a few per cent.
 *  The systems are those of kernels/models/vibro_impact.c and slip.c as far as points without chatter and falls need them.
 *  After rk.c of the study of isolated events, where its figures come from.
 */
#include "lean_steps.h"
#include "lane_math.h"
#include "methods/tableau.h"
#include <math.h>
#include <string.h>

enum { MOST_N = 4, MOST_GAP = 2, MOST_DEGREE = 7, STAGES = 16 };

const int lean_lanes = SAL_LANES;

/** Parameters and discrete states. */
typedef struct {
  sal_v p[LEAN_PARAMS];
  sal_m stance, set, rises;
  sal_v foot, sine, cosine;
} lean_mode;

/** A system: number of states and gaps, f, gaps and their rates, and the jump of gap k in some lanes. */
typedef struct {
  int n, n_gap;
  void (*field)(const lean_mode *m, sal_v t, const sal_v y[], sal_v f[]);
  void (*gaps)(const lean_mode *m, const sal_v y[], const sal_v f[], sal_v gap[], sal_v rate[]);
  void (*jump)(lean_mode *m, int k, sal_m lanes, sal_v y[]);
} lean_system;

/* ---- oscillator between walls ------------------------------------------------------------------- */

enum { ZETA, W, A, D, E };

SAL_INLINE void walls_field(const lean_mode *m, sal_v t, const sal_v y[], sal_v f[])
{
  sal_v sine, cosine;

  sal_lane_sincos(m->p[W] * t, &sine, &cosine);
  f[0] = y[1];
  f[1] = m->p[A] * cosine - (y[0] + 2.0 * m->p[ZETA] * y[1]);
}

SAL_INLINE void walls_gaps(const lean_mode *m, const sal_v y[], const sal_v f[], sal_v gap[],
                           sal_v rate[])
{
  gap[0] = m->p[D] - y[0];
  gap[1] = m->p[D] + y[0];
  rate[0] = -f[0];
  rate[1] = f[0];
}

SAL_INLINE void walls_jump(lean_mode *m, int k, sal_m lanes, sal_v y[])
{
  y[0] = sal_sel(lanes, k == 0 ? m->p[D] : -m->p[D], y[0]);
  y[1] = sal_sel(lanes, -(m->p[E] * y[1]), y[1]);
}

static const lean_system walls = {2, 2, walls_field, walls_gaps, walls_jump};

/* ---- runner ------------------------------------------------------------------------------------- */

SAL_INLINE void runners_field(const lean_mode *m, sal_v t, const sal_v y[], sal_v f[])
{
  const sal_v zero = sal_set(0), ahead = y[0] - m->foot;
  const sal_v push = m->p[0] * (1.0 / sal_sqrt(ahead * ahead + y[1] * y[1]) - 1.0);

  (void)t;
  f[0] = y[2];
  f[1] = y[3];
  f[2] = sal_sel(m->stance, push * ahead, zero);
  f[3] = sal_sel(m->stance, push * y[1], zero) - 1.0;
}

SAL_INLINE void runners_gaps(const lean_mode *m, const sal_v y[], const sal_v f[], sal_v gap[],
                             sal_v rate[])
{
  const sal_v ahead = y[0] - m->foot, one = sal_set(1);
  const sal_v length = sal_sqrt(ahead * ahead + y[1] * y[1]);
  const sal_m flies = m->rises & ~m->stance;

  gap[0] = sal_sel(m->stance, 1.0 - length, y[1] - sal_sel(m->set, m->sine, sal_set(-1)));
  rate[0] = sal_sel(m->stance, -(ahead * f[0] + y[1] * f[1]) / length, f[1]);
  gap[1] = sal_sel(flies, y[3], one);
  rate[1] = sal_sel(flies, f[3], sal_set(0));
}

SAL_INLINE void runners_jump(lean_mode *m, int k, sal_m lanes, sal_v y[])
{
  const sal_m lands = lanes & ~m->stance, lifts = lanes & m->stance;

  if (k == 0) {
    y[1] = sal_sel(lands, m->sine, y[1]);
    m->foot = sal_sel(lands, y[0] + m->cosine, m->foot);
    m->set &= ~lifts;
    m->rises = sal_pick(lifts, sal_gt(y[3], sal_set(0)), m->rises);
    m->stance ^= lanes;
  } else {
    y[3] = sal_sel(lanes, sal_set(0), y[3]);
    m->set |= lanes & sal_gt(y[1], m->sine);
    m->rises &= ~lanes;
  }
}

static const lean_system runners = {4, 2, runners_field, runners_gaps, runners_jump};

/* ---- the loop ----------------------------------------------------------------------------------- */

/** Runs in lanes and their attempt. */
typedef struct {
  lean_mode mode;
  sal_v t, absh, h, longest, hmax, err, y[MOST_N], yn[MOST_N], k[STAGES][MOST_N],
      c[MOST_DEGREE + 1][MOST_N];
  sal_v gap[MOST_GAP], rate[MOST_GAP], gapn[MOST_GAP], raten[MOST_GAP];
  sal_m touches[MOST_GAP], hit[MOST_GAP], live, anew, again, steps, events;
} lean_state;

/* The next point of the list into lane; both models have their leg in flight, above the ground, and set. */
static void load(const lean_list *list, int next, int lane, lean_state *s)
{
  sal_v sine, cosine;

  for (int i = 0; i < MOST_N; ++i) SAL_AT(s->y[i], lane) = list->initial[next][i];
  for (int i = 0; i < LEAN_PARAMS; ++i) SAL_AT(s->mode.p[i], lane) = list->param[next][i];
  sal_lane_sincos(s->mode.p[1] * 0.017453292519943295769, &sine, &cosine);
  SAL_AT(s->mode.sine, lane) = SAL_AT(sine, lane);
  SAL_AT(s->mode.cosine, lane) = SAL_AT(cosine, lane);
  SAL_AT(s->mode.stance, lane) = 0;
  SAL_AT(s->mode.set, lane) = -1;
  SAL_AT(s->mode.rises, lane) = SAL_AT(s->y[3], lane) > 0 ? -1 : 0;
  SAL_AT(s->t, lane) = 0;
  SAL_AT(s->longest, lane) = list->longest[next];
  SAL_AT(s->live, lane) = SAL_AT(s->anew, lane) = -1;
  for (int k = 0; k < MOST_GAP; ++k) SAL_AT(s->touches[k], lane) = 0;
}

/* The first size after an event, as in kernels/methods/start.c. */
SAL_INLINE void begin(const lean_system *sys, const lean_list *list, double power, lean_state *s)
{
  sal_v f[MOST_N], gap[MOST_GAP], rate[MOST_GAP], fast = sal_set(0);
  const sal_v one = sal_set(1);

  sys->field(&s->mode, s->t, s->y, f);
  sys->gaps(&s->mode, s->y, f, gap, rate);
  for (int i = 0; i < sys->n; ++i) {
    fast = sal_max(sal_abs(f[i]) / sal_max(sal_abs(s->y[i]), one), fast);
    s->k[0][i] = sal_sel(s->anew, f[i], s->k[0][i]);
  }
  for (int k = 0; k < sys->n_gap; ++k) {
    s->gap[k] = sal_sel(s->anew, gap[k], s->gap[k]);
    s->rate[k] = sal_sel(s->anew, rate[k], s->rate[k]);
  }
  const sal_v most = sal_min(s->longest, 0.1 * (list->t_end - s->t));
  s->hmax = sal_sel(s->anew, most, s->hmax);
  const sal_v by = fast / (0.8 * power), size = sal_sel(sal_gt(most * by, one), 1.0 / by, most);
  s->absh = sal_sel(s->anew, size, s->absh);
  s->again &= ~s->anew;
  s->anew = sal_none();
}

/* Stages from `first` to `last`; the state at the last one is left in y. */
SAL_INLINE void make_stages(const lean_system *sys, const sal_tableau *tab, int first, int last,
                            lean_state *s, sal_v y[])
{
  _Pragma("GCC unroll 16") for (int j = first; j <= last; ++j)
  {
    _Pragma("GCC unroll 16") for (int i = 0; i < sys->n; ++i)
    {
      sal_v sum = tab->table.a[j][0] * s->k[0][i];
      _Pragma("GCC unroll 16") for (int q = 1; q < j; ++q) if (tab->table.a[j][q] != 0) sum +=
          tab->table.a[j][q] * s->k[q][i];
      y[i] = s->y[i] + s->h * sum;
    }
    sys->field(&s->mode, s->t + tab->table.c[j] * s->h, y, s->k[j]);
  }
}

SAL_INLINE void estimate(const lean_system *sys, const sal_tableau *tab, const lean_list *list,
                         lean_state *s)
{
  sal_v most = sal_set(0);

  _Pragma("GCC unroll 16") for (int i = 0; i < sys->n; ++i)
  {
    sal_v e = sal_set(0), e3 = sal_set(0);
    _Pragma("GCC unroll 16") for (int j = 0; j < tab->stages; ++j)
    {
      if (tab->e[j] != 0) e += tab->e[j] * s->k[j][i];
      if (tab->blends && tab->e3[j] != 0) e3 += tab->e3[j] * s->k[j][i];
    }
    const sal_v size = sal_max(sal_max(sal_abs(s->y[i]), sal_abs(s->yn[i])), sal_set(1));
    const sal_v blend = tab->blends ? e * e / (size * sal_sqrt(e * e + 0.01 * e3 * e3 + 1e-300))
                                    : sal_abs(e) / size;
    most = sal_max(blend, most);
  }
  s->err = most * s->h * (1.0 / list->rtol);
}

/* The dense output of kernels/methods/dop853.c. */
static const double top[][STAGES] = {
    {-8.428938276109013, 0, 0, 0, 0, 0.5667149535193777, -3.0689499459498917, 2.38466765651207,
     2.117034582445028, -0.871391583777973, 2.2404374302607883, 0.6315787787694688,
     -0.08899033645133331, 18.148505520854727, -9.194632392478356, -4.436036387594894},
    {10.427508642579134, 0, 0, 0, 0, 242.28349177525817, 165.20045171727028, -374.5467547226902,
     -22.113666853125306, 7.733432668472264, -30.674084731089398, -9.332130526430229,
     15.697238121770845, -31.139403219565178, -9.35292435884448, 35.81684148639408},
    {19.985053242002433, 0, 0, 0, 0, -387.0373087493518, -189.17813819516758, 527.8081592054236,
     -11.57390253995963, 6.8812326946963, -1.0006050966910838, 0.7777137798053443,
     -2.778205752353508, -60.19669523126412, 84.32040550667716, 11.99229113618279},
    {-25.69393346270375, 0, 0, 0, 0, -154.18974869023643, -231.5293791760455, 357.6391179106141,
     93.40532418362432, -37.45832313645163, 104.0996495089623, 29.8402934266605, -43.53345659001114,
     96.32455395918828, -39.17726167561544, -149.72683625798564},
};

/* Powers of theta of the dense output of order 7: y + x (F0 + (1-x) (F1 + x (F2 + (1-x) ..))). */
SAL_INLINE void multiply_out(const sal_v F[], sal_v y, sal_v p[])
{
  p[0] = F[MOST_DEGREE - 1];
  _Pragma("GCC unroll 16") for (int m = MOST_DEGREE - 1; m >= 0; --m)
  {
    const int degree = MOST_DEGREE - 1 - m;
    const sal_v first = m > 0 ? F[m - 1] : y;
    _Pragma("GCC unroll 16") for (int j = degree + 1; j > 0; --j)
    {
      const sal_v above = j <= degree ? p[j] : sal_set(0);
      p[j] = m % 2 ? above - p[j - 1] : p[j - 1];
    }
    p[0] = m % 2 ? p[0] + first : first;
  }
}

SAL_INLINE void make_dense(const lean_system *sys, const sal_tableau *tab, lean_state *s)
{
  const int last = tab->stages - 1;
  sal_v x[MOST_N], p[MOST_DEGREE + 1];

  if (tab->degree == 0) make_stages(sys, tab, last + 1, STAGES - 1, s, x);
  for (int i = 0; i < sys->n; ++i) {
    const sal_v by = s->yn[i] - s->y[i], z = s->h * s->k[0][i], zn = s->h * s->k[last][i];
    sal_v F[MOST_DEGREE] = {by, z - by, 2.0 * by - (zn + z)};
    for (int j = 0; j < 4; ++j) {
      sal_v sum = sal_set(0);
      for (int q = 0; q < tab->slots; ++q) {
        const double weight = tab->degree > 0 ? tab->dense[q][j] : top[j][q];
        if (weight != 0) sum += weight * s->k[q][i];
      }
      F[3 + j] = s->h * sum;
    }
    s->c[0][i] = s->y[i];
    for (int j = 0; j < 4 && tab->degree > 0; ++j) s->c[j + 1][i] = F[3 + j];
    if (tab->degree > 0) continue;
    multiply_out(F, s->y[i], p);
    for (int j = 0; j <= MOST_DEGREE; ++j) s->c[j][i] = p[j];
  }
}

/* State, gap k and its rate over the step at theta. */
SAL_INLINE sal_v gap_at(const lean_system *sys, const sal_tableau *tab, const lean_state *s, int k,
                        sal_v theta, sal_v y[], sal_v *rate)
{
  const int degree = tab->degree > 0 ? tab->degree : MOST_DEGREE;
  sal_v f[MOST_N], gap[MOST_GAP], rates[MOST_GAP];

  for (int i = 0; i < sys->n; ++i) {
    sal_v sum = s->c[degree][i], slope = (double)degree * sum;
    for (int j = degree - 1; j >= 0; --j) {
      sum = sum * theta + s->c[j][i];
      if (j > 0) slope = slope * theta + (double)j * s->c[j][i];
    }
    y[i] = sum;
    f[i] = slope;
  }
  sys->gaps(&s->mode, y, f, gap, rates);
  *rate = rates[k];
  return gap[k];
}

/* Where gap k is 0 in the lanes of `over`, by Newton's method within a bracket; after its own event an inner point at
 * which it is open is looked for first. */
SAL_INLINE sal_v find_root(const lean_system *sys, const sal_tableau *tab, const lean_state *s,
                           int k, sal_m over)
{
  enum { HALVINGS = 14, MOST_TURNS = 40 };
  sal_v low = sal_set(0), high = sal_set(1), y[MOST_N], rate;
  sal_m todo = over & s->touches[k];

  for (int i = 0; i < HALVINGS && sal_any(todo); ++i) {
    const sal_v middle = 0.5 * high;
    const sal_m open = todo & sal_gt(gap_at(sys, tab, s, k, middle, y, &rate), sal_set(0));
    low = sal_sel(open, middle, low);
    todo &= ~open;
    high = sal_sel(todo, middle, high);
  }
  sal_v root = 0.5 * (low + high);
  todo = over;
  for (int i = 0; i < MOST_TURNS && sal_any(todo); ++i) {
    const sal_v gap = gap_at(sys, tab, s, k, root, y, &rate);
    const sal_m open = sal_gt(gap, sal_set(0));
    low = sal_sel(open, root, low);
    high = sal_sel(open, high, root);
    sal_v next = root - gap / rate;
    next = sal_sel(sal_ge(next, low) & sal_le(next, high), next, 0.5 * (low + high));
    todo &= sal_gt(sal_abs(next - root), 4e-16 * sal_abs(root));
    root = next;
  }
  return root;
}

/* Lanes of ok in which a gap crosses: its share of the step in *first, and s->hit. */
SAL_INLINE sal_m locate(const lean_system *sys, const sal_tableau *tab, lean_state *s, sal_m ok,
                        sal_v *first)
{
  const sal_v zero = sal_set(0);
  sal_m any = sal_none();

  *first = sal_set(1);
  for (int k = 0; k < sys->n_gap; ++k) {
    const sal_v start = sal_sel(s->touches[k], s->rate[k], s->gap[k]);
    s->hit[k] = ok & sal_gt(start, zero) & sal_le(s->gapn[k], zero);
    any |= s->hit[k];
  }
  if (!sal_any(any)) return any;
  make_dense(sys, tab, s);
  for (int k = 0; k < sys->n_gap; ++k) {
    if (!sal_any(s->hit[k])) continue;
    const sal_v root = find_root(sys, tab, s, k, s->hit[k]);
    const sal_m sooner = s->hit[k] & sal_lt(root, *first);
    for (int j = 0; j < k; ++j) s->hit[j] &= ~sooner;
    s->hit[k] = sooner;
    *first = sal_sel(sooner, root, *first);
  }
  return any;
}

/* Takes the step over in the lanes of ok, up to the event in those of `any`, and makes the jumps. */
SAL_INLINE void commit(const lean_system *sys, const sal_tableau *tab, lean_state *s, sal_m ok,
                       sal_m any, sal_v first)
{
  const int last = tab->stages - 1;
  sal_v y[MOST_N], rate;

  if (sal_any(any)) {
    (void)gap_at(sys, tab, s, 0, first, y, &rate);
    for (int i = 0; i < sys->n; ++i) s->yn[i] = sal_sel(any, y[i], s->yn[i]);
  }
  for (int i = 0; i < sys->n; ++i) {
    s->y[i] = sal_sel(ok, s->yn[i], s->y[i]);
    s->k[0][i] = sal_sel(ok, s->k[last][i], s->k[0][i]);
  }
  s->t = sal_sel(ok, s->t + sal_sel(any, first, sal_set(1)) * s->h, s->t);
  for (int k = 0; k < sys->n_gap; ++k) {
    s->touches[k] = sal_pick(ok, s->hit[k], s->touches[k]);
    s->gap[k] = sal_sel(ok, s->gapn[k], s->gap[k]);
    s->rate[k] = sal_sel(ok, s->raten[k], s->rate[k]);
    if (sal_any(s->hit[k])) sys->jump(&s->mode, k, s->hit[k], s->y);
  }
  sal_count(&s->steps, ok, 1);
  sal_count(&s->events, any, 1);
  s->anew |= any;
}

/* An attempt in every lane; returns the lanes whose run is over. */
SAL_INLINE sal_m take_turn(const lean_system *sys, const sal_tableau *tab, const lean_list *list,
                           double power, lean_state *s)
{
  sal_v first;

  if (sal_any(s->anew)) begin(sys, list, power, s);
  const sal_v rest = list->t_end - s->t;
  s->absh = sal_min(s->absh, s->hmax);
  const sal_m ends = (sal_ge(1.1 * s->absh, rest) & ~s->again) | sal_ge(s->absh, rest);
  s->h = sal_sel(ends, rest, s->absh);
  make_stages(sys, tab, 1, tab->stages - 1, s, s->yn);
  estimate(sys, tab, list, s);
  const sal_v q = sal_lane_rough_pow(s->err, tab->power), one = sal_set(1);
  const sal_m ok = s->live & sal_le(s->err, one), bad = s->live & ~ok;
  const sal_v grown = s->h * sal_min(0.8 / sal_max(q, sal_set(1e-10)), sal_set(5));
  const sal_v next = sal_sel(ok & ~s->again, grown, sal_sel(ok, s->h, s->absh));
  s->absh = sal_sel(bad, s->h * sal_max(0.8 / q, sal_set(0.2)), next);
  s->again = bad;
  sys->gaps(&s->mode, s->yn, s->k[tab->stages - 1], s->gapn, s->raten);
  const sal_m any = locate(sys, tab, s, ok, &first);
  commit(sys, tab, s, ok, any, first);
  return (ok & ends & ~any) | (bad & sal_lt(s->h, sal_set(1e-13))) |
         (s->live & ~sal_lt(sal_abs(s->y[0]), sal_set(1e6)));
}

SAL_INLINE void run(const lean_system *sys, const sal_tableau *tab, lean_list *list)
{
  const sal_v shrunk = sal_lane_pow(sal_set(list->rtol), tab->power);
  lean_state s;
  int next = 0;

  memset(&s, 0, sizeof s);
  for (int i = 0; i < SAL_LANES && next < list->n; ++i) load(list, next++, i, &s);
  while (sal_any(s.live)) {
    const sal_m over = s.live & take_turn(sys, tab, list, SAL_AT(shrunk, 0), &s);
    if (!sal_any(over)) continue;
    s.live &= ~over;
    s.anew &= ~over;
    for (int i = 0; i < SAL_LANES; ++i)
      if (SAL_AT(over, i) && next < list->n) load(list, next++, i, &s);
  }
  list->steps = list->events = 0;
  for (int i = 0; i < SAL_LANES; ++i) {
    list->steps += (double)SAL_AT(s.steps, i);
    list->events += (double)SAL_AT(s.events, i);
  }
}

#define LEAN_RUN(system, pair)                                                                     \
  void lean_##system##_##pair(lean_list *list) { run(&system, &sal_tableau_##pair, list); }
LEAN_RUN(walls, tsit5)
LEAN_RUN(walls, dop853)
LEAN_RUN(runners, tsit5)
LEAN_RUN(runners, dop853)
