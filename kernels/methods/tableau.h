/** @file kernels/methods/tableau.h
 *  Explicit Runge-Kutta pairs whose last stage is the slope at the new point (lane half), as constants:
 *  methods read them, and the steps that are compiled together with a model's f (pair_steps.h).
 *
 *  Local extrapolation; err = h |sum e_i k_i|_W, accepted when err <= rtol.  To add one, write it below
 *  and name it in SAL_TABLEAUS.
 */
#ifndef SAL_TABLEAU_H
#define SAL_TABLEAU_H

#include "model.h"

enum { SAL_MAX_RK_DEGREE = 4 };

/** The last row of `table.a` holds the weights of the solution. */
typedef struct {
  int stages, slots; /* of a step; of memory: those of the dense output besides */
  int degree;        /* of the dense output; 0: it is not made of `dense` */
  sal_stage_table table;
  double e[SAL_MAX_STAGE];                        /* [stages] of the error estimate: b - b^ */
  double dense[SAL_MAX_STAGE][SAL_MAX_RK_DEGREE]; /* weight of k_i: sum_j dense[i][j] theta^(j+1) */
  double power;                                   /* 1 / q, where the error is O(h^q) */
  double shrink;                                  /* a failed step shrinks no further than this */
  double later; /* factor for further failures of the step; 0: as for the first one */
  bool blends;  /* e^2 / sqrt(e^2 + 0.01 e3^2) is the error, with a second estimate */
  double e3[SAL_MAX_STAGE];
} sal_tableau;

/** How many slopes the estimates of the error are made of: one that is not a number fails a step. */
SAL_INLINE int sal_tableau_terms(const sal_tableau *tab)
{
  int terms = tab->stages;

  while (tab->e[terms - 1] == 0) --terms;
  return terms;
}

/** All of them, and in how many blocks of lanes, 1 or 2, their steps are compiled (pair_steps.h).  A second
 *  block gains a quarter and costs the compiler more than the first one: for those that most runs use. */
#define SAL_TABLEAUS(X) X(ode23, 2) X(ode45, 2) X(tsit5, 1) X(dop853, 1)
#define SAL_TABLEAU_INDEX(name, most) SAL_TABLEAU_##name,
enum { SAL_TABLEAUS(SAL_TABLEAU_INDEX) SAL_N_TABLEAU };
#undef SAL_TABLEAU_INDEX
#define SAL_TABLEAU(name) static const sal_tableau sal_tableau_##name __attribute__((unused))

/* Bogacki & Shampine (1989); the dense output is the cubic Hermite polynomial. */
SAL_TABLEAU(ode23) = {
    .stages = 4,
    .slots = 4,
    .degree = 3,
    .table.c = {0, 1.0 / 2, 3.0 / 4, 1},
    .table.a = {{0}, {1.0 / 2}, {0, 3.0 / 4}, {2.0 / 9, 1.0 / 3, 4.0 / 9}},
    .e = {-5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8},
    .dense = {{1, -4.0 / 3, 5.0 / 9}, {0, 1, -2.0 / 3}, {0, 4.0 / 3, -8.0 / 9}, {0, -1, 1}},
    .power = 1.0 / 3,
    .shrink = 0.5,
    .later = 0.5,
};

/* Dormand & Prince (1980); dense output of order 4 as in Shampine & Reichelt (1997). */
SAL_TABLEAU(ode45) = {
    .stages = 7,
    .slots = 7,
    .degree = 4,
    .table.c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
    .table.a = {{0},
                {1.0 / 5},
                {3.0 / 40, 9.0 / 40},
                {44.0 / 45, -56.0 / 15, 32.0 / 9},
                {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
    .e = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40},
    .dense = {{1, -183.0 / 64, 37.0 / 12, -145.0 / 128},
              {0},
              {0, 1500.0 / 371, -1000.0 / 159, 1000.0 / 371},
              {0, -125.0 / 32, 125.0 / 12, -375.0 / 64},
              {0, 9477.0 / 3392, -729.0 / 106, 25515.0 / 6784},
              {0, -11.0 / 7, 11.0 / 3, -55.0 / 28},
              {0, 3.0 / 2, -4, 5.0 / 2}},
    .power = 1.0 / 5,
    .shrink = 0.1,
    .later = 0.5,
};

/* Tsitouras (2011), with its free interpolant of order 4. */
SAL_TABLEAU(tsit5) = {
    .stages = 7,
    .slots = 7,
    .degree = 4,
    .table.c = {0, 0.161, 0.327, 0.9, 0.98002554090450968573, 1, 1},
    .table.a = {{0},
                {0.161},
                {-0.0084806554923569885444, 0.33548065549235698854},
                {2.8971530571054934321, -6.3594484899750748431, 4.3622954328695814110},
                {5.3258648284392566044, -11.748883564062827878, 7.4955393428898362083,
                 -0.092495066361755249257},
                {5.8614554429464200287, -12.920969317847109292, 8.1593678985761586432,
                 -0.071584973281400997225, -0.028269050394068382909},
                {0.096460766818065229518, 0.01, 0.47988965041449957475, 1.3790085741037418932,
                 -3.2900695154360806799, 2.3247105240997739824}},
    .e = {-0.0017800110522257714, -0.0008164344596567469, 0.0078808780102619960,
          -0.14471100717326290754, 0.58235716545255522502, -0.45808210592918694666, 1.0 / 66},
    .dense = {{1, -2.7637061972748259113, 2.9132554618219127438, -1.0530884977290216},
              {0, 0.1317, -0.2234, 0.1017},
              {0, 3.9302962368947515285, -5.9410338721315047347, 2.4906272856512527930},
              {0, -12.411077166933676984, 30.338188630282321598, -16.548102889244902720},
              {0, 37.509313416511039195, -88.178904894766401101, 47.379521962819281220},
              {0, -27.896526289197287792, 65.091894674793671515, -34.870657861496609740},
              {0, 3.0 / 2, -4, 5.0 / 2}},
    .power = 1.0 / 5,
    .shrink = 0.1,
    .later = 0.5,
};

/* Dormand & Prince 8(5,3), Hairer, Norsett & Wanner (1993): stage 12 is the new slope, stages 13 to 15
 * belong to the dense output and are made only for it. */
SAL_TABLEAU(dop853) = {
    .stages = 13,
    .slots = 16,
    .table =
        {
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
                    {0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726,
                     27.59209969944671, 20.154067550477894, -43.48988418106996},
                    {0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843,
                     21.230051448181193, 15.279233632882423, -33.28821096898486,
                     -0.020331201708508627},
                    {-0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295,
                     -8.149787010746927, -18.52006565999696, 22.739487099350505, 2.4936055526796523,
                     -3.0467644718982196},
                    {2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625,
                     -17.9589318631188, 27.94888452941996, -2.8589982771350235, -8.87285693353063,
                     12.360567175794303, 0.6433927460157636},
                    {0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003,
                     -5.801203960010585, 0.3111643669578199, -0.1521609496625161,
                     0.20136540080403034, 0.04471061572777259},
                    {0.056167502283047954, 0, 0, 0, 0, 0, 0.25350021021662483, -0.2462390374708025,
                     -0.12419142326381637, 0.15329179827876568, 0.00820105229563469,
                     0.007567897660545699, -0.008298},
                    {0.03183464816350214, 0, 0, 0, 0, 0.028300909672366776, 0.053541988307438566,
                     -0.05492374857139099, 0, 0, -0.00010834732869724932, 0.0003825710908356584,
                     -0.00034046500868740456, 0.1413124436746325},
                    {-0.42889630158379194, 0, 0, 0, 0, -4.697621415361164, 7.683421196062599,
                     4.06898981839711, 0.3567271874552811, 0, 0, 0, -0.0013990241651590145,
                     2.9475147891527724, -9.15095847217987},
                },
            .c = {0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274,
                  0.2816496580927726, 0.3333333333333333, 0.25, 0.3076923076923077,
                  0.6512820512820513, 0.6, 0.8571428571428571, 1.0, 1.0, 0.1, 0.2,
                  0.7777777777777778},
        },
    .e = {0.01312004499419488, 0, 0, 0, 0, -1.2251564463762044, -0.4957589496572502,
          1.6643771824549864, -0.35032884874997366, 0.3341791187130175, 0.08192320648511571,
          -0.022355307863886294},
    .power = 1.0 / 8,
    .shrink = 0.333,
    .blends = true,
    .e3 = {-0.18980075407240762, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003,
           -5.801203960010585, -0.4226823213237919, -0.1521609496625161, 0.20136540080403034,
           0.02265179219836082},
};

/** By their indices. */
#define SAL_TABLEAU_ADDRESS(name, most) &sal_tableau_##name,
static const sal_tableau *const sal_tableaus[]
    __attribute__((unused)) = {SAL_TABLEAUS(SAL_TABLEAU_ADDRESS)};
#undef SAL_TABLEAU_ADDRESS

#endif
