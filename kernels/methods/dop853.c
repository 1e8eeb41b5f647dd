/** @file kernels/methods/dop853.c
 *  Dormand & Prince 8(5,3), the reference method.  Hairer, Norsett & Wanner, Solving Ordinary
 *  Differential Equations I, 2nd ed., sections II.5 and II.6 (coefficients of the program DOP853).
 *
 *  Stage 12 is the slope at the new point, stages 13-15 belong to the dense output of order 7 and
 *  are made only for it.  The error estimate is the blend of the two embedded ones,
 *  taken per component in the norm that all methods here share; so is the controller, whose safety
 *  of 0.8 suits a reference.  The dense output is one order below the step, so an event is met by
 *  repeating the step up to the root.
 *  Own memory: k [16][n], then q = err^(1/8).
 */
#include "control.h"
#include "lane_math.h"
#include "norm.h"
#include "stages.h"
#include "start.h"

enum { N_STAGE = 16, N_STEP = 12, DEGREE = 7 };

static const sal_stage_table table = {
    .a =
        {
            {0},
            {0.05260015195876773},
            {0.0197250569845379, 0.0591751709536137},
            {0.02958758547680685, 0, 0.08876275643042054},
            {0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792},
            {0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242},
            {0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
            {0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328,
             -0.015319437748624402, 0.008273789163814023},
            {0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726, 27.59209969944671,
             20.154067550477894, -43.48988418106996},
            {0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843, 21.230051448181193,
             15.279233632882423, -33.28821096898486, -0.020331201708508627},
            {-0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295, -8.149787010746927,
             -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196},
            {2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625, -17.9589318631188,
             27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303,
             0.6433927460157636},
            {0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003,
             -5.801203960010585, 0.3111643669578199, -0.1521609496625161, 0.20136540080403034,
             0.04471061572777259},
            {0.056167502283047954, 0, 0, 0, 0, 0, 0.25350021021662483, -0.2462390374708025,
             -0.12419142326381637, 0.15329179827876568, 0.00820105229563469, 0.007567897660545699,
             -0.008298},
            {0.03183464816350214, 0, 0, 0, 0, 0.028300909672366776, 0.053541988307438566,
             -0.05492374857139099, 0, 0, -0.00010834732869724932, 0.0003825710908356584,
             -0.00034046500868740456, 0.1413124436746325},
            {-0.42889630158379194, 0, 0, 0, 0, -4.697621415361164, 7.683421196062599,
             4.06898981839711, 0.3567271874552811, 0, 0, 0, -0.0013990241651590145,
             2.9475147891527724, -9.15095847217987},
        },
    .c = {0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726,
          0.3333333333333333, 0.25, 0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571,
          1.0, 1.0, 0.1, 0.2, 0.7777777777777778},
};
static const double e3[]           = {-0.18980075407240762,
                                      0,
                                      0,
                                      0,
                                      0,
                                      4.450312892752409,
                                      1.8915178993145003,
                                      -5.801203960010585,
                                      -0.4226823213237919,
                                      -0.1521609496625161,
                                      0.20136540080403034,
                                      0.02265179219836082};
static const double e5[]           = {0.01312004499419488,
                                      0,
                                      0,
                                      0,
                                      0,
                                      -1.2251564463762044,
                                      -0.4957589496572502,
                                      1.6643771824549864,
                                      -0.35032884874997366,
                                      0.3341791187130175,
                                      0.08192320648511571,
                                      -0.022355307863886294};
static const double top[][N_STAGE] = {
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

static int words(int n) { return N_STAGE * n + 1; }

static void start(sal_step_state *s, sal_m lanes)
{
  s->f = s->mem; /* the slope at the start is the first stage */
  sal_start_explicit(s, lanes, 0.8, 1.0 / 8);
}

static void retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }

/* Stages from .. to, not counted; the argument of the last into x. */
static void make_stages(sal_step_state *s, int from, int to, sal_v x[])
{
  const sal_step step = {s->t, s->h, s->tn, s->y};

  s->flow->stages(&s->phase, &step, &table, from, to, s->mem, x);
}

static sal_m step(sal_step_state *s, sal_m lanes)
{
  const int n    = s->n;
  sal_v    *k    = s->mem, x3[SAL_MAX_STATE], x5[SAL_MAX_STATE];
  sal_norm  norm = sal_norm_none();

  make_stages(s, 1, N_STEP, s->yn);
  sal_count(&s->n_rhs, lanes, N_STEP);
  s->fn = k + N_STEP * n;
  if (s->fixed > 0) return lanes;
  sal_stages_sum(n, N_STEP, e3, k, x3);
  sal_stages_sum(n, N_STEP, e5, k, x5);
  for (int i = 0; i < n; ++i) {
    const sal_v size = sal_max(sal_max(sal_abs(s->y[i]), sal_abs(s->yn[i])), sal_set(s->thr));
    sal_norm_add(&norm, x5[i] * x5[i], size * sal_sqrt(x5[i] * x5[i] + 0.01 * x3[i] * x3[i]));
  }
  const sal_v err = sal_norm_ratio(&norm, s->h, s->rtol);
  const sal_m ok  = lanes & sal_le(err, sal_set(1));
  k[N_STAGE * n]  = sal_lane_rough_pow(err, 1.0 / 8);
  sal_control_shrink(s, lanes & ~ok, k[N_STAGE * n], 0.8, 0.333, 0);
  return ok;
}

static void advance(sal_step_state *s, sal_m lanes)
{
  sal_assign(s->n, lanes, s->f, s->fn);
  if (s->fixed <= 0) sal_control_grow(s, lanes, s->mem[N_STAGE * s->n]);
}

/* The polynomial of state i: y + x (F0 + (1-x) (F1 + x (F2 + (1-x) (F3 + ..)))), multiplied out from
 * the inside; the stages for it are made. */
static void make_polynomial(const sal_step_state *s, int i, sal_v p[])
{
  const sal_v *k     = s->mem;
  const sal_v  delta = s->yn[i] - s->y[i], z = s->h * k[i], zn = s->h * s->fn[i];
  sal_v        F[DEGREE] = {delta, z - delta, 2.0 * delta - (zn + z)};

  for (int m = 0; m < 4; ++m) {
    sal_v sum = sal_set(0);
    for (int j = 0; j < N_STAGE; ++j) sum += top[m][j] * k[j * s->n + i];
    F[3 + m] = s->h * sum;
  }
  p[0] = F[DEGREE - 1];
  for (int m = DEGREE - 1, degree = 0; m >= 0; --m, ++degree) {
    const sal_v first = m > 0 ? F[m - 1] : s->y[i];
    for (int j = degree + 1; j > 0; --j) {
      const sal_v above = j <= degree ? p[j] : sal_set(0);
      p[j]              = m % 2 ? above - p[j - 1] : p[j - 1];
    }
    p[0] = m % 2 ? p[0] + first : first;
  }
}

static int dense(sal_step_state *s, sal_v out[])
{
  sal_v p[DEGREE + 1], x[SAL_MAX_STATE];

  make_stages(s, N_STEP + 1, N_STAGE - 1, x);
  for (int i = 0; i < s->n; ++i) {
    make_polynomial(s, i, p);
    for (int j = 0; j <= DEGREE; ++j) out[j * s->n + i] = p[j];
  }
  return DEGREE;
}

static int dense_one(sal_step_state *s, int i, sal_v out[])
{
  sal_v x[SAL_MAX_STATE];

  make_stages(s, N_STEP + 1, N_STAGE - 1, x);
  make_polynomial(s, i, out);
  return DEGREE;
}

const sal_method_ops SAL_FN(sal_dop853) = {.words     = words,
                                           .start     = start,
                                           .step      = step,
                                           .advance   = advance,
                                           .retry     = retry,
                                           .dense     = dense,
                                           .dense_one = dense_one};

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(dop853)
const sal_method sal_dop853 = {
    .name      = "dop853",
    .title     = "explicit Runge-Kutta 8(5,3) of Dormand and Prince, the reference method",
    .source    = "Hairer, Norsett, Wanner, Solving ODEs I, doi:10.1007/978-3-540-78862-1",
    .order     = 8,
    .min_order = 8,
    .restep    = true,
    .dense_rhs = N_STAGE - N_STEP - 1,
    SAL_METHOD_OPS(dop853),
};
#endif
